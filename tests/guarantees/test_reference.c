/* t-closeness compared with the original table: the definition on thousands of small releases,
 * values that are written otherwise or were removed, and tables that are no release of the
 * original. */
#include "guarantees/tables.h"

#include "guarantees/judge.h"

#include <math.h>

/* `out`: the records of `t` with a non-zero byte in `kept`. */
static void keep(oracle_table *out, const oracle_table *t, const uint8_t *kept)
{
    *out = *t;
    out->records = 0;
    for (int i = 0; i < t->records; i++) {
        if (kept[i]) {
            memcpy(out->qi[out->records], t->qi[i], sizeof t->qi[i]);
            memcpy(out->sensitive[out->records++], t->sensitive[i], sizeof t->sensitive[i]);
        }
    }
}

/* The largest distance of a class of `t` to `whole`. */
static double farthest(const oracle_table *t, const oracle_table *whole, const oracle_ask asks[2])
{
    double most = 0;

    for (int r = 0; r < t->records; r++) {
        for (int s = 0; s < t->sensitives; s++) {
            most = fmax(most, oracle_judge_against(t, whole, &asks[s], r, s).value);
        }
    }
    return most;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

/* The judge of the methods looks at the original and says the same of every class. */
static void judge_agrees(const kn_dataset *original, const kn_hierarchies *hs,
                         const kn_guarantee *g, const oracle_table *t, const uint8_t *kept,
                         bool holds)
{
    kn_judge_scratch *scratch;
    kn_judge *judge;
    bool all = true;

    assert_int_equal(kn__judge_new(&judge, g, 1, original, hs, kept, NULL), KN_OK);
    assert_int_equal(kn__judge_scratch_new(&scratch, judge, NULL), KN_OK);
    assert_false(kn__judge_reference_moves(judge));
    for (int r = 0; r < t->records; r++) {
        uint32_t members[ORACLE_RECORDS];
        size_t size = 0;
        for (int i = 0; kept[r] && i < t->records; i++) {
            if (kept[i] && oracle_same_class(t, r, i)) {
                members[size++] = (uint32_t)i;
            }
        }
        all = kn__judge_class(judge, scratch, members, size) && all;
    }
    assert_int_equal(all, holds);
    kn__judge_scratch_free(scratch);
    kn__judge_free(judge);
}

/* Two guarantees in one call, one compared with each table. */
static void test_against_definitions(void **state)
{
    size_t held = 0, broke = 0, differ = 0;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 31, 0);
    for (int round = 0; round < 4000; round++) {
        oracle_table original, release;
        oracle_ask asks[2], other[2];
        kn_guarantee g[2];
        uint8_t kept[ORACLE_RECORDS];
        int levels, node[5][ORACLE_VALUES];
        kn_dataset *from, *ds;
        kn_hierarchies *hs;
        kn_verdict *v;
        double expected[2];
        random_table(&original, &r);
        memset(original.any, 0, sizeof original.any);
        for (int i = 0; i < original.records; i++) {
            kept[i] = kn__rng_below(&r, 4) != 0;
        }
        keep(&release, &original, kept);
        hs = random_hierarchy(&r, original.sensitives, &levels, node);
        do {
            g[0] = random_ask(asks, &original, &r, levels, node);
        } while (g[0].kind != KN_T_CLOSENESS);
        memcpy(other, asks, sizeof other);
        for (int s = 0; s < 2 && g[0].distance == KN_ORDERED; s++) {
            oracle_ordered(&other[s], &release, s);
        }
        g[0].reference = KN_REFERENCE_ORIGINAL;
        g[1] = g[0];
        g[1].reference = KN_REFERENCE_PUBLISHED;
        from = to_dataset(&original);
        ds = to_dataset(&release);
        assert_int_equal(kn_check_release(&v, ds, from, g, 2, hs, NULL, NULL), KN_OK);
        expected[0] = farthest(&release, &original, asks);
        expected[1] = farthest(&release, &release, other);
        assert_true(near(kn_verdict_achieved(v, 0), expected[0]));
        assert_true(near(kn_verdict_achieved(v, 1), expected[1]));
        assert_false(kn_verdict_unknown(v));
        differ += !near(expected[0], expected[1]);
        kn_verdict_free(v);
        assert_int_equal(kn_check_release(&v, ds, from, g, 1, hs, NULL, NULL), KN_OK);
        assert_int_equal(kn_verdict_holds(v), near(expected[0], g[0].t) || expected[0] < g[0].t);
        judge_agrees(from, hs, g, &original, kept, kn_verdict_holds(v));
        held += kn_verdict_holds(v);
        broke += !kn_verdict_holds(v);
        kn_verdict_free(v);
        kn_hierarchies_free(hs);
        kn_dataset_free(from);
        kn_dataset_free(ds);
    }
    assert_true(held > 500 && broke > 500 && differ > 1000);
}

/* One quasi-identifier "q" and the sensitive column "s" with the values of `cells`, one class for
 * each word of `classes`. */
static kn_dataset *table(const char *const *classes, const char *const *cells, size_t records,
                         kn_type type)
{
    static const char *const names[] = {"q", "s"};
    kn_dataset_builder *b;
    kn_schema *schema;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "q", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "s", KN_ROLE_SENSITIVE, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "s", type, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 2, schema, NULL), KN_OK);
    for (size_t i = 0; i < records; i++) {
        assert_int_equal(
            kn_dataset_builder_add(b, (const char *const[]){classes[i], cells[i]}, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static const char *const two_classes[] = {"a", "a", "b", "b", "b", "b"};
static const kn_guarantee close_to_original = {.kind = KN_T_CLOSENESS,
                                               .t = 0.2,
                                               .reference = KN_REFERENCE_ORIGINAL};

/* "1.0" and "1.00" are one number, and the release may write it in a third way. The codes of the
 * two tables differ. */
static void test_values_are_matched(void **state)
{
    static const char *const before[] = {"0.5", "1.0", "1.00", "2", "2", NULL};
    static const char *const after[] = {"1.000", "2.0"};
    kn_dataset *original = table(two_classes, before, 6, KN_TYPE_DECIMAL);
    kn_dataset *release = table(two_classes, after, 2, KN_TYPE_DECIMAL);
    kn_verdict *v;

    (void)state;
    assert_int_equal(
        kn_check_release(&v, release, original, &close_to_original, 1, NULL, NULL, NULL), KN_OK);
    assert_true(near(kn_verdict_achieved(v, 0), 1 / 3.0)); /* 1/6 of each number is too much */
    kn_verdict_free(v);
    kn_dataset_free(original);
    kn_dataset_free(release);
}

static void test_no_release_of_it(void **state)
{
    static const char *const before[] = {"x", "x", "x", "y", "y", "z"};
    static const char *const more[] = {"y", "y", "y"}, *const other[] = {"x", "secret"};
    static const char *const *const after[] = {more, other};
    static const size_t records[] = {3, 2};
    static const char *const says[] = {"more records than in the original", "not in the original"};
    kn_dataset *original = table(two_classes, before, 6, KN_TYPE_CATEGORY);

    (void)state;
    for (int i = 0; i < 2; i++) {
        kn_dataset *release = table(two_classes, after[i], records[i], KN_TYPE_CATEGORY);
        kn_error err = {0};
        kn_verdict *v = NULL;
        assert_int_equal(kn_check_release(&v, release, original, &close_to_original, 1, NULL, NULL,
                                          &err),
                         KN_EINPUT);
        assert_null(v);
        assert_non_null(strstr(err.message, says[i]));
        assert_null(strstr(err.message, "secret"));
        kn_dataset_free(release);
    }
    kn_dataset_free(original);
}

/* Without the original it is open; what can be checked is, and may be broken. */
static void test_without_the_original(void **state)
{
    static const char *const cells[] = {"x", "y", "x", "x", "y", "y"};
    kn_dataset *ds = table(two_classes, cells, 6, KN_TYPE_CATEGORY);
    kn_verdict *v;

    (void)state;
    for (size_t k = 2; k <= 3; k++) {
        const kn_guarantee g[2] = {{.kind = KN_K_ANONYMITY, .k = k}, close_to_original};
        assert_int_equal(kn_check(&v, ds, g, 2, NULL, NULL, NULL), KN_OK);
        assert_false(kn_verdict_holds(v));
        assert_int_equal(kn_verdict_unknown(v), k == 2);
        assert_true(isnan(kn_verdict_achieved(v, 1)));
        assert_true(kn_verdict_achieved(v, 0) == 2);
        kn_verdict_free(v);
    }
    kn_dataset_free(ds);
}

static void test_refused(void **state)
{
    kn_guarantee g = close_to_original;
    kn_error err = {0};

    (void)state;
    assert_true(kn_guarantee_compares_original(&g));
    g.reference = (kn_reference_table)2;
    assert_int_equal(kn_guarantee_validate(&g, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "published or original"));
    g.kind = KN_L_DIVERSITY;
    g.reference = KN_REFERENCE_ORIGINAL;
    assert_false(kn_guarantee_compares_original(&g));
    assert_false(kn_guarantee_compares_original(NULL));
}

static void test_allocation_failures(void **state)
{
    static const char *const before[] = {"1.0", "1.00", "2", "2", "3", NULL};
    static const char *const after[] = {"1.000", "2", "3"};
    kn_dataset *original = table(two_classes, before, 6, KN_TYPE_DECIMAL);
    kn_dataset *release = table(two_classes, after, 3, KN_TYPE_DECIMAL);
    const size_t in_use = kn_memory_in_use();
    bool failed = true;

    (void)state;
    for (size_t n = 1; failed; n++) {
        kn_verdict *v = NULL;
        kn_status status;
        kn__memory_fail_after(n);
        status = kn_check_release(&v, release, original, &close_to_original, 1, NULL, NULL, NULL);
        failed = kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(status, failed ? KN_ENOMEM : KN_OK);
        kn_verdict_free(v);
        assert_int_equal(kn_memory_in_use(), in_use);
        assert_true(n < 1000);
    }
    kn_dataset_free(original);
    kn_dataset_free(release);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_definitions),
        cmocka_unit_test(test_values_are_matched),
        cmocka_unit_test(test_no_release_of_it),
        cmocka_unit_test(test_without_the_original),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
