/* The published file as a whole, the points that it gives, and the sentence that says what holds.
 */
#include "base/memory.h"
#include "data/dataset.h"
#include "points/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { RECORDS = 200 };

/* 200 people in 20 groups of ten look-alikes by sex and age. `number` is everybody's own, `ward`
 * one of two, `rare` is another value for 1 record in 20; `illness` is flu in the first group, else
 * one of five. */
static kn_dataset *people(void)
{
    static const char *const names[] = {"sex", "age", "number", "ward", "rare", "illness"};
    static const kn_role roles[] = {KN_ROLE_QUASI, KN_ROLE_QUASI, KN_ROLE_KEPT,
                                    KN_ROLE_KEPT,  KN_ROLE_KEPT,  KN_ROLE_SENSITIVE};
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_dataset_builder_new(&b, names, 6, NULL, NULL), KN_OK);
    for (int i = 0; i < RECORDS; i++) {
        char age[16], number[16], rare[16], illness[16];
        const int group = i % 20;
        (void)snprintf(age, sizeof age, "%d", 20 + group / 2);
        (void)snprintf(number, sizeof number, "n%d", i);
        (void)snprintf(rare, sizeof rare, "r%d", i % 20 == 3 ? i : 0);
        (void)snprintf(illness, sizeof illness, "i%d", group ? i / 20 % 5 : 0);
        assert_int_equal(kn_dataset_builder_add(b,
                                                (const char *[]){group % 2 ? "f" : "m", age, number,
                                                                 i / 20 % 2 ? "north" : "south",
                                                                 rare, illness},
                                                NULL),
                         KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(kn_dataset_set_role(ds, i, roles[i], NULL), KN_OK);
    }
    return ds;
}

static kn_points *find(const kn_dataset *ds, const kn_guarantee *g, size_t count,
                       const kn_point_options *options)
{
    kn_verdict *verdict;
    kn_points *points;
    kn_error err = {0};

    assert_int_equal(kn_check(&verdict, ds, g, count, NULL, NULL, &err), KN_OK);
    if (kn_points_find(&points, ds, g, count, verdict, options, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    kn_verdict_free(verdict);
    return points;
}

static const kn_point *named(const kn_points *points, const char *name)
{
    for (size_t i = 0; i < kn_points_count(points); i++) {
        if (strcmp(kn_points_get(points, i)->name, name) == 0) {
            return kn_points_get(points, i);
        }
    }
    return NULL;
}

static const kn_guarantee five = {.kind = KN_K_ANONYMITY, .k = 5};

static void test_survey(void **state)
{
    kn_dataset *ds = people();
    kn_points *points = find(ds, &five, 1, NULL);
    const kn_survey *v = kn_points_survey(points);
    const kn_point *p;

    (void)state;
    assert_int_equal(v->records, RECORDS);
    assert_int_equal(v->grouped, 5);
    assert_int_equal(v->unique, RECORDS);
    assert_int_equal(v->unique_quasi, 0);
    assert_int_equal(v->rare_below, 5);
    /* Without `number` only the ten records with a rare value are unique: 5 %, the limit. */
    assert_true(v->column[2].singles_out);
    assert_false(v->column[3].singles_out);
    assert_false(v->column[4].singles_out);
    assert_int_equal(v->column[2].rare_records, RECORDS);
    assert_int_equal(v->column[3].rare_records, 0);
    assert_int_equal(v->column[4].rare_values, 10);
    assert_int_equal(v->column[4].rare_records, 10);
    assert_int_equal(v->column[5].rare_records, 0);
    assert_float_equal(v->column[5].certainty, 1, 1e-12);
    assert_int_equal(v->column[5].certain_records, 10);
    assert_true(isnan(v->column[3].certainty));
    assert_int_equal(kn_points_state(points), KN_STATE_POINTS);
    assert_int_equal(kn_points_open(points), 4);
    p = kn_points_get(points, 0);
    assert_string_equal(p->name, "unique-records");
    assert_string_equal(p->words,
                        "200 of 200 records (100 %) are unique by the 5 published columns that are "
                        "not sensitive; by the quasi-identifiers alone none is. The kept columns "
                        "that single people out: number.");
    assert_non_null(strstr(p->remedy, "--drop 'number'"));
    assert_non_null(named(points, "rare-values:number"));
    assert_null(named(points, "rare-values:ward"));
    p = named(points, "rare-values:rare");
    assert_non_null(strstr(p->words, "10 records (5 %) hold a value that fewer than 5 records"));
    assert_float_equal(p->value, 0.05, 1e-12);
    assert_float_equal(p->limit, 0.01, 1e-12);
    p = named(points, "certainty:illness");
    assert_non_null(strstr(p->words, "10 records (5 %) can be inferred with more than 90 %"));
    assert_non_null(strstr(p->remedy, "--diversity recursive --l 2 --c 9."));
    kn_points_free(points);
    kn_dataset_free(ds);
}

/* What settles a point does: dropping the columns, or the guarantee that the remedy names. */
static void test_remedies(void **state)
{
    const kn_guarantee recursive[] = {
        five, {.kind = KN_L_DIVERSITY, .diversity = KN_RECURSIVE, .l = 2, .c = 9}};
    kn_dataset *ds = people();
    kn_points *points;

    (void)state;
    assert_int_equal(kn_dataset_set_role(ds, 2, KN_ROLE_DROPPED, NULL), KN_OK);
    points = find(ds, &five, 1, NULL);
    assert_null(named(points, "unique-records"));
    assert_int_equal(kn_points_survey(points)->unique, 10);
    /* A dropped column that is still in the file is one to settle as well. */
    assert_non_null(named(points, "identifier:number"));
    kn_points_free(points);
    points = find(ds, recursive, 2, NULL);
    assert_int_equal(kn_points_state(points), KN_STATE_FAILS); /* the group with one illness */
    kn_points_free(points);
    kn_dataset_free(ds);
}

/* l-diversity alone: the k that holds is that of the smallest class. */
static void test_small_k_without_k(void **state)
{
    const kn_guarantee distinct = {.kind = KN_L_DIVERSITY, .diversity = KN_DISTINCT, .l = 1};
    const kn_guarantee both[] = {{.kind = KN_K_ANONYMITY, .k = 2}, distinct};
    kn_point_options options = {0};
    kn_dataset *ds = people();
    kn_points *points = find(ds, &distinct, 1, NULL);

    (void)state;
    assert_null(named(points, "small-k")); /* ten records in every class */
    kn_points_free(points);
    assert_int_equal(kn_point_options_limit(&options, "small-k", 11, NULL), KN_OK);
    points = find(ds, &distinct, 1, &options);
    assert_string_equal(named(points, "small-k")->words,
                        "k-anonymity was not asked for, and the smallest group of look-alikes has "
                        "10 records: k = 10 is below 11, the limit that was set.");
    assert_float_equal(named(points, "small-k")->value, 10, 0);
    kn_points_free(points);
    points = find(ds, both, 2, &options);
    assert_string_equal(named(points, "small-k")->words,
                        "k = 10 is below 11, the limit that was set.");
    kn_points_free(points);
    /* Each record a class of its own. */
    assert_int_equal(kn_dataset_set_role(ds, 2, KN_ROLE_QUASI, NULL), KN_OK);
    points = find(ds, &distinct, 1, NULL);
    assert_string_equal(named(points, "small-k")->words,
                        "k-anonymity was not asked for, and the smallest group of look-alikes has "
                        "1 record: k = 1 protects no person.");
    assert_string_equal(named(points, "small-k")->remedy, "Ask for k-anonymity, too: --k 5.");
    kn_points_free(points);
    kn_dataset_free(ds);
}

static void test_decisions(void **state)
{
    static const char *const accepted[] = {"unique-records", "rare-values:number",
                                           "rare-values:rare", "certainty:illness", "small-k"};
    kn_point_options options = {.accepted = accepted, .accepted_count = 3};
    kn_dataset *ds = people();
    kn_points *points = find(ds, &five, 1, &options);

    (void)state;
    assert_int_equal(kn_points_open(points), 1);
    assert_int_equal(kn_points_count(points), 4);
    assert_string_equal(kn_points_get(points, 0)->name, "certainty:illness");
    assert_true(kn_points_get(points, 1)->decided);
    assert_int_equal(kn__points_refuse(points, &options, "release", NULL), KN_OK);
    options.strict = true;
    assert_int_equal(kn__points_refuse(points, &options, "release", NULL), KN_EBROKEN);
    kn_points_free(points);
    options.accepted_count = 5; /* one that does not arise is no mistake */
    points = find(ds, &five, 1, &options);
    assert_int_equal(kn_points_state(points), KN_STATE_HOLDS);
    assert_string_equal(
        kn_points_summary(points),
        "Holds, with 4 points accepted. By sex and age, every person looks like at least 9 "
        "others");
    assert_int_equal(kn__points_refuse(points, &options, "release", NULL), KN_OK);
    kn_points_free(points);
    /* A column that may be unique: what the others do is looked at. */
    assert_int_equal(kn_dataset_allow_unique(ds, 2, NULL), KN_OK);
    points = find(ds, &five, 1, NULL);
    assert_true(named(points, "unique-records")->decided);
    assert_true(named(points, "rare-values:number")->decided);
    assert_false(named(points, "rare-values:rare")->decided);
    kn_points_free(points);
    kn_dataset_free(ds);
}

static void test_limits(void **state)
{
    kn_point_options options = {0};
    kn_dataset *ds = people();
    kn_points *points;
    kn_error err;
    static const char *const wrong = "rare-vlues:x";

    (void)state;
    assert_int_equal(kn_point_options_limit(&options, "rare-values", 0.05, &err), KN_OK);
    assert_int_equal(kn_point_options_limit(&options, "certainty", 1, &err), KN_OK);
    assert_int_equal(kn_point_options_limit(&options, "unique-records", 1, &err), KN_OK);
    assert_int_equal(kn_point_options_limit(&options, "small-k", 11, &err), KN_OK);
    points = find(ds, &five, 1, &options);
    assert_int_equal(kn_points_open(points), 2);
    assert_string_equal(kn_points_get(points, 0)->name, "rare-values:number");
    assert_string_equal(kn_points_get(points, 1)->name, "small-k");
    kn_points_free(points);
    assert_int_equal(kn_point_options_limit(&options, "rare-values", 0, &err), KN_OK);
    points = find(ds, &five, 1, &options);
    assert_non_null(named(points, "rare-values:rare"));
    kn_points_free(points);
    assert_int_equal(kn_point_options_limit(&options, "rare-values", 1.5, &err), KN_EUSAGE);
    assert_int_equal(kn_point_options_limit(&options, "sorted", 1, &err), KN_EUSAGE);
    assert_int_equal(kn_point_options_limit(&options, "rare-value", 1, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "did you mean 'rare-values'?"));
    options.accepted = &wrong;
    options.accepted_count = 1;
    assert_int_equal(kn_point_options_validate(&options, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "rare-vlues"));
    assert_int_equal(kn_points_find(&points, ds, &five, 1, NULL, NULL, NULL, &err), KN_EUSAGE);
    assert_null(points);
    assert_int_equal(kn_points_state(NULL), KN_STATE_FAILS);
    assert_null(kn_points_get(NULL, 0));
    kn_dataset_free(ds);
}

static void claims(const kn_dataset *ds, const kn_guarantee *g, size_t count, const char *wanted)
{
    kn_points *points = find(ds, g, count, NULL);

    assert_string_equal(kn_points_claim(points), wanted);
    kn_points_free(points);
}

static void test_claims(void **state)
{
    const kn_guarantee both[] = {{.kind = KN_L_DIVERSITY, .l = 1}, five};
    const kn_guarantee close[] = {{.kind = KN_T_CLOSENESS, .t = 0.9}};
    const kn_guarantee one = {.kind = KN_K_ANONYMITY, .k = 1};
    const kn_guarantee eleven = {.kind = KN_K_ANONYMITY, .k = 11};
    kn_dataset *ds = people();

    (void)state;
    claims(ds, both, 2,
           "By sex and age, every person looks like at least 9 others, and every group of "
           "look-alikes has at least 1 different values of illness");
    claims(ds, close, 1,
           "By sex and age, illness in every group of look-alikes is distributed as in the whole "
           "file, up to a distance of 0.760");
    claims(ds, &eleven, 1, "By sex and age, 200 records are in groups that break what was asked");
    for (size_t i = 2; i < 6; i++) {
        assert_int_equal(kn_dataset_set_role(ds, i, KN_ROLE_QUASI, NULL), KN_OK);
    }
    claims(ds, &one, 1,
           "By sex, age, number, ward and 2 other columns, a person may be the only one: k = 1 "
           "protects no person");
    kn_dataset_free(ds);
}

/* Kept lists are compared as a whole; lists that are quasi-identifiers are left to their guarantee.
 */
static void test_lists(void **state)
{
    static const char *const names[] = {"items", "kept"};
    const kn_guarantee km = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 1};
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;
    kn_points *points;

    (void)state;
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(kn_schema_set_type(schema, names[i], KN_TYPE_SET, NULL), KN_OK);
    }
    assert_int_equal(kn_schema_set_role(schema, "items", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "kept", KN_ROLE_KEPT, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 2, schema, NULL), KN_OK);
    for (int i = 0; i < 6; i++) {
        static const char *const lists[] = {"x|y", "x|y", "x", "x|y|z", "y", ""};
        assert_int_equal(
            kn_dataset_builder_add(b, (const char *[]){i % 2 ? "a|b" : "a|c", lists[i]}, NULL),
            KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    points = find(ds, &km, 1, NULL);
    assert_int_equal(kn_points_survey(points)->grouped, 1);
    assert_int_equal(kn_points_survey(points)->unique, 4);
    assert_int_equal(kn_points_survey(points)->column[1].rare_values, 1); /* z */
    assert_int_equal(kn_points_survey(points)->column[1].rare_records, 1);
    assert_string_equal(kn_points_claim(points),
                        "By any item, every person looks like at least 2 others");
    kn_points_free(points);
    assert_int_equal(kn_dataset_set_role(ds, 1, KN_ROLE_DROPPED, NULL), KN_OK);
    points = find(ds, &km, 1, NULL);
    assert_int_equal(kn_points_survey(points)->grouped, 0);
    kn_points_free(points);
    kn_dataset_free(ds);
}

static void test_failing_allocations(void **state)
{
    static const char *const accepted[] = {"small-k"};
    const kn_point_options options = {.accepted = accepted, .accepted_count = 1};
    kn_dataset *ds = people();
    kn_verdict *verdict;
    kn_points *points;
    bool failed = true;

    (void)state;
    assert_int_equal(kn_check(&verdict, ds, &five, 1, NULL, NULL, NULL), KN_OK);
    for (size_t n = 1; failed; n++) {
        kn_status st;
        kn__memory_fail_after(n);
        st = kn_points_find(&points, ds, &five, 1, verdict, &options, &(kn_run){.threads = 1},
                            NULL);
        failed = kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(st, failed ? KN_ENOMEM : KN_OK);
        assert_true((points == NULL) == failed);
        kn_points_free(points);
    }
    kn_verdict_free(verdict);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_survey),
        cmocka_unit_test(test_remedies),
        cmocka_unit_test(test_small_k_without_k),
        cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
