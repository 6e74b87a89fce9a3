/* Wrong arguments of plans, suggested hierarchies and packs, and one right use of each. */
#include "kanon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static kn_error err;
static char folder[64], table[96];

#define REFUSED(call, words)                           \
    do {                                               \
        memset(&err, 0, sizeof err);                   \
        assert_int_equal(call, KN_EUSAGE);             \
        assert_non_null(strstr(err.message, (words))); \
    } while (0)

static int make(void **state)
{
    FILE *file;

    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/kanon-plan-XXXXXX");
    assert_non_null(mkdtemp(folder));
    (void)snprintf(table, sizeof table, "%s/people.csv", folder);
    file = fopen(table, "w");
    assert_non_null(file);
    (void)fputs("email,age,town\n", file);
    for (int i = 0; i < 60; i++) {
        (void)fprintf(file, "p%d@example.org,%d,%s\n", i, 20 + i, i % 2 ? "Linz" : "Graz");
    }
    assert_int_equal(fclose(file), 0);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    (void)unlink(table);
    return rmdir(folder);
}

static void plans(void **state)
{
    kn_plan *plan = NULL;
    kn_hierarchies *hs = NULL;
    const kn_run run = {.size = 1};

    (void)state;
    REFUSED(kn_plan_make(NULL, NULL, table, NULL, &err), "NULL");
    REFUSED(kn_plan_make(&plan, NULL, NULL, NULL, &err), "NULL");
    REFUSED(kn_plan_make(&plan, NULL, table, &run, &err), "KN_INIT");
    REFUSED(kn_plan_make_data(&plan, NULL, NULL, NULL, NULL, &err), "no function");
    assert_null(plan);
    assert_int_equal(kn_plan_make(&plan, NULL, "/nowhere/at/all.csv", NULL, &err), KN_EINPUT);
    assert_null(plan);
    assert_int_equal(kn_plan_make(&plan, NULL, table, NULL, &err), KN_OK);
    assert_int_equal(kn_plan_records(plan), 60);
    assert_int_equal(kn_plan_records(NULL), 0);
    assert_int_equal(kn_plan_columns(plan), 3);
    assert_int_equal(kn_plan_columns(NULL), 0);
    assert_int_equal(kn_plan_column_at(plan, 0)->role, KN_ROLE_IDENTIFIER);
    assert_int_equal(kn_plan_column_at(plan, 1)->role, KN_ROLE_QUASI);
    assert_true(kn_plan_column_at(plan, 1)->hierarchy.wanted);
    assert_null(kn_plan_column_at(plan, 3));
    assert_null(kn_plan_column_at(NULL, 0));
    assert_null(kn_plan_note(plan, 99));
    assert_null(kn_plan_note(NULL, 0));
    assert_true(kn_plan_group_by(plan) == SIZE_MAX);
    assert_true(kn_plan_group_by(NULL) == SIZE_MAX);
    REFUSED(kn_plan_set_group_by(NULL, 0, &err), "NULL");
    REFUSED(kn_plan_set_group_by(plan, 3, &err), "column");
    REFUSED(kn_plan_set_role(NULL, 0, KN_ROLE_KEPT, &err), "NULL");
    REFUSED(kn_plan_set_role(plan, 3, KN_ROLE_KEPT, &err), "column");
    REFUSED(kn_plan_set_role(plan, 0, KN_ROLE_UNSET, &err), "role");
    assert_int_equal(kn_plan_set_role(plan, 2, KN_ROLE_SENSITIVE, &err), KN_OK);
    assert_int_equal(kn_plan_column_at(plan, 2)->role, KN_ROLE_SENSITIVE);
    REFUSED(kn_plan_hierarchies(NULL, plan, &err), "NULL");
    REFUSED(kn_plan_hierarchies(&hs, NULL, &err), "NULL");
    assert_null(hs);
    assert_int_equal(kn_plan_hierarchies(&hs, plan, &err), KN_OK);
    assert_non_null(kn_hierarchies_get(hs, "age"));
    assert_null(kn_hierarchies_get(hs, "town"));
    REFUSED(kn_hierarchies_write_folder(NULL, folder, &err), "NULL");
    REFUSED(kn_hierarchies_write_folder(hs, NULL, &err), "NULL");
    REFUSED(kn_plan_write(NULL, folder, &err), "NULL");
    REFUSED(kn_plan_write(plan, NULL, &err), "NULL");
    REFUSED(kn_plan_write(plan, folder, &err), "is there already");
    kn_hierarchies_free(hs);
    kn_plan_free(plan);
    kn_plan_free(NULL);
}

static void suggestions(void **state)
{
    kn_hierarchy_advice advice;
    kn_hierarchy *h = NULL;
    kn_dataset *ds = NULL;

    (void)state;
    assert_int_equal(kn_read(&ds, table, NULL, NULL, &err), KN_OK);
    REFUSED(kn_hierarchy_suggest(NULL, ds, 0, false, &err), "NULL");
    REFUSED(kn_hierarchy_suggest(&advice, NULL, 0, false, &err), "NULL");
    REFUSED(kn_hierarchy_suggest(&advice, ds, 3, false, &err), "column");
    assert_int_equal(kn_hierarchy_suggest(&advice, ds, 2, false, &err), KN_OK);
    assert_false(advice.wanted);
    REFUSED(kn_hierarchy_build_suggested(&h, ds, 2, &advice, &err), "no hierarchy was suggested");
    REFUSED(kn_hierarchy_build_suggested(NULL, ds, 2, &advice, &err), "NULL");
    REFUSED(kn_hierarchy_build_suggested(&h, ds, 2, NULL, &err), "NULL");
    assert_null(h);
    assert_non_null(kn_pack_name(0));
    assert_null(kn_pack_name(SIZE_MAX));
    assert_null(kn_pack_help(SIZE_MAX));
    assert_true(kn_profile_person(NULL) == SIZE_MAX);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans),
        cmocka_unit_test(suggestions),
    };

    return cmocka_run_group_tests(tests, make, unmake);
}
