/* Open columns: nothing is published unless every column has a role that was chosen, and kept
 * columns single nobody out unless that is allowed by name. */
#include "base/memory.h"
#include "data/dataset.h"
#include "kanon/anonymize.h"
#include "kanon/profile.h"
#include "utility/profile/open_columns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { RECORDS = 60, COLUMNS = 6 };

static const char *const names[COLUMNS] = {"age", "first", "flat", "ratio", "illness", "tags"};

/* ratio: 35 records hold a value of their own, 25 one of five that five records share. */
static kn_dataset *patients(const kn_schema *schema)
{
    static const char *const illness[] = {"flu", "cold", "gout"};
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_dataset_builder_new(&b, names, COLUMNS, schema, NULL), KN_OK);
    for (int i = 0; i < RECORDS; i++) {
        char text[COLUMNS][32];
        (void)snprintf(text[0], 32, "%d", 20 + i % 5);
        (void)snprintf(text[1], 32, "Name%d", i % 10);
        (void)snprintf(text[2], 32, "same");
        (void)snprintf(text[3], 32, "%d.5", i < 35 ? 100 + i : 10 + i % 5);
        (void)snprintf(text[4], 32, "%s", illness[i % 3]);
        (void)snprintf(text[5], 32, "a|b%d", i < 40 ? i / 2 : 99);
        assert_int_equal(kn_dataset_builder_add(b,
                                                (const char *const[]){text[0], text[1], text[2],
                                                                      text[3], text[4], text[5]},
                                                NULL),
                         KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    return ds;
}

static kn_schema *schema_of(kn_role rest)
{
    kn_schema *s;

    assert_int_equal(kn_schema_new(&s, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(s, "age", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(s, "tags", KN_TYPE_SET, NULL), KN_OK);
    assert_int_equal(kn_schema_set_rest(s, rest, NULL), KN_OK);
    return s;
}

typedef struct seen {
    size_t calls, count;
    char names[256];
} seen;

static void see(void *user, const kn_open_column *columns, size_t count)
{
    seen *s = user;

    s->calls++;
    s->count = count;
    for (size_t i = 0; i < count; i++) {
        (void)strcat(strcat(s->names, i ? " " : ""), columns[i].name);
    }
}

static kn_status anonymize(const kn_dataset *ds, size_t k, seen *s, kn_release **r, kn_error *err)
{
    const kn_guarantee g = {.kind = KN_K_ANONYMITY, .k = k};
    const kn_anonymize_options o = {.guarantees = &g, .guarantees_count = 1};
    const kn_run run = {.open = see, .open_user = s};

    *s = (seen){0};
    return kn_anonymize(r, ds, NULL, &o, &run, err);
}

static void unset_is_refused(void **state)
{
    kn_schema *s = schema_of(KN_ROLE_UNSET);
    kn_dataset *ds = patients(s);
    kn_release *r = NULL;
    kn_error err = {0};
    seen now;

    (void)state;
    assert_int_equal(KN_ROLE_UNSET, 0);
    assert_int_equal(kn_dataset_role(ds, 1), KN_ROLE_UNSET);
    assert_int_equal(anonymize(ds, 5, &now, &r, &err), KN_EUSAGE);
    assert_null(r);
    assert_int_equal(now.calls, 1);
    assert_string_equal(now.names, "first flat ratio illness tags");
    assert_non_null(strstr(err.message, "no role was chosen for 5 columns: first, flat, ratio"));
    kn_dataset_free(ds);
    kn_schema_free(s);
}

static void rest_is_dropped(void **state)
{
    kn_schema *s = schema_of(KN_ROLE_DROPPED);
    kn_dataset *ds = patients(s);
    kn_release *r = NULL;
    kn_error err = {0};
    seen now;

    (void)state;
    assert_int_equal(anonymize(ds, 5, &now, &r, &err), KN_OK);
    assert_int_equal(now.calls, 0);
    assert_int_equal(kn_dataset_columns(kn_release_data(r)), 1);
    kn_release_free(r);
    kn_dataset_free(ds);
    kn_schema_free(s);
}

/* By name, by values, by whole lists; allowed one by one. */
static void kept_must_not_be_unique(void **state)
{
    kn_schema *s = schema_of(KN_ROLE_KEPT);
    kn_dataset *ds = patients(s);
    kn_open_columns *open;
    kn_release *r = NULL;
    kn_error err = {0};
    seen now;

    (void)state;
    assert_int_equal(anonymize(ds, 5, &now, &r, &err), KN_EUSAGE);
    assert_string_equal(now.names, "first ratio tags");
    assert_non_null(strstr(err.message, "3 kept columns can single people out"));
    assert_int_equal(kn__open_columns(&open, ds, 5, NULL, NULL), KN_OK);
    assert_int_equal(kn_open_columns_at(open, 0)->kind, KN_OPEN_IDENTIFIER);
    assert_string_equal(kn_open_columns_at(open, 0)->reason,
                        "it looks like an identifier: its name says 'first'");
    assert_int_equal(kn_open_columns_at(open, 1)->kind, KN_OPEN_UNIQUE);
    assert_string_equal(kn_open_columns_at(open, 1)->reason,
                        "35 of 60 records hold a value that fewer than 5 share");
    assert_string_equal(kn_open_columns_at(open, 2)->reason,
                        "40 of 60 records hold a value that fewer than 5 share");
    assert_null(kn_open_columns_at(open, 3));
    kn_open_columns_free(open);
    /* k decides: no list is alone, and with 21 everything but the constant is rare */
    assert_int_equal(anonymize(ds, 2, &now, &r, &err), KN_EUSAGE);
    assert_string_equal(now.names, "first ratio");
    assert_int_equal(anonymize(ds, 21, &now, &r, &err), KN_EUSAGE);
    assert_string_equal(now.names, "first ratio illness tags");
    /* what is sensitive may be unique */
    (void)kn_dataset_set_role(ds, 3, KN_ROLE_SENSITIVE, NULL);
    assert_int_equal(kn_dataset_allow_unique(ds, 1, NULL), KN_OK);
    assert_int_equal(anonymize(ds, 5, &now, &r, &err), KN_EUSAGE);
    assert_string_equal(now.names, "tags");
    assert_int_equal(kn_dataset_allow_unique(ds, 5, NULL), KN_OK);
    assert_int_equal(anonymize(ds, 5, &now, &r, &err), KN_OK);
    assert_int_equal(kn_dataset_columns(kn_release_data(r)), COLUMNS);
    kn_release_free(r);
    kn_dataset_free(ds);
    kn_schema_free(s);
}

static void half_is_not_most(void **state)
{
    const char *const name = "shade";
    kn_dataset_builder *b;
    kn_dataset *ds;
    kn_open_columns *open;

    (void)state;
    for (int alone = 20; alone <= 21; alone++) {
        assert_int_equal(kn_dataset_builder_new(&b, &name, 1, NULL, NULL), KN_OK);
        for (int i = 0; i < 40; i++) {
            char text[16];
            (void)snprintf(text, sizeof text, "x%d", i < alone ? i : 99);
            assert_int_equal(kn_dataset_builder_add(b, (const char *const[]){text}, NULL), KN_OK);
        }
        assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
        (void)kn_dataset_set_role(ds, 0, KN_ROLE_KEPT, NULL);
        assert_int_equal(kn_open_columns_find(&open, ds, NULL, 0, NULL, NULL), KN_OK);
        assert_int_equal(kn_open_columns_count(open), alone == 21);
        kn_open_columns_free(open);
        kn_dataset_free(ds);
    }
}

static void k_of_guarantees(void **state)
{
    const kn_guarantee g[] = {{.kind = KN_L_DIVERSITY, .l = 9},
                              {.kind = KN_T_CLOSENESS, .t = 0.1},
                              {.kind = KN_K_ANONYMITY, .k = 3},
                              {.kind = KN_KM_ANONYMITY, .k = 7, .m = 2}};

    (void)state;
    assert_int_equal(kn__rare_below(g, 0), 5);
    assert_int_equal(kn__rare_below(g, 2), 5);
    assert_int_equal(kn__rare_below(g, 3), 3);
    assert_int_equal(kn__rare_below(g, 4), 7);
}

/* What is suggested can be published: a suggestion is never a kept column that is refused. */
static void suggestions_are_accepted(void **state)
{
    const kn_guarantee g = {.kind = KN_K_ANONYMITY, .k = 5};
    kn_schema *s = schema_of(KN_ROLE_UNSET);
    kn_dataset *ds = patients(s);
    kn_open_columns *open;

    (void)state;
    assert_int_equal(kn_accept_suggested(ds, &g, 1, NULL, NULL), KN_OK);
    assert_int_equal(kn_dataset_role(ds, 0), KN_ROLE_QUASI);
    assert_int_equal(kn_dataset_role(ds, 1), KN_ROLE_IDENTIFIER);
    assert_int_equal(kn_dataset_role(ds, 2), KN_ROLE_KEPT);
    assert_int_equal(kn_dataset_role(ds, 3), KN_ROLE_QUASI);
    assert_int_equal(kn_dataset_role(ds, 4), KN_ROLE_SENSITIVE);
    assert_int_equal(ds->column[0].chosen, KN_CHOSEN_GIVEN);
    assert_int_equal(ds->column[3].chosen, KN_CHOSEN_SUGGESTED);
    assert_int_equal(kn_open_columns_find(&open, ds, &g, 1, NULL, NULL), KN_OK);
    assert_int_equal(kn_open_columns_count(open), 0);
    kn_open_columns_free(open);
    kn_dataset_free(ds);
    kn_schema_free(s);
}

static void survives_every_failed_allocation(void **state)
{
    kn_schema *s = schema_of(KN_ROLE_KEPT);
    kn_dataset *ds = patients(s);
    const size_t before = kn_memory_in_use();
    kn_status status = KN_ENOMEM;

    (void)state;
    for (size_t n = 1; status == KN_ENOMEM; n++) {
        kn_error err = {0};
        kn__memory_fail_after(n);
        status = kn__refuse_open_columns(ds, 5, &(kn_run){.threads = 1}, &err);
        kn__memory_fail_after(0);
        assert_int_equal(err.status, status);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_int_equal(status, KN_EUSAGE);
    kn_dataset_free(ds);
    kn_schema_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unset_is_refused),
        cmocka_unit_test(rest_is_dropped),
        cmocka_unit_test(kept_must_not_be_unique),
        cmocka_unit_test(half_is_not_most),
        cmocka_unit_test(k_of_guarantees),
        cmocka_unit_test(suggestions_are_accepted),
        cmocka_unit_test(survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
