/* The checker against the definitions, on thousands of small random tables; threads, cancelling,
 * failing allocations. */
#include "guarantees/tables.h"
#include "rounds.h"

#include "guarantees/verdict.h"

#include <math.h>

static bool first_of_class(const oracle_table *t, int r)
{
    for (int i = 0; i < r; i++) {
        if (oracle_same_class(t, i, r)) {
            return false;
        }
    }
    return true;
}

static bool near(double a, double b)
{
    return a == b || fabs(a - b) < 1e-9;
}

typedef struct expectation {
    size_t violations, at_risk, classes;
    double achieved;
} expectation;

static expectation expect(const oracle_table *t, const oracle_ask by_column[2],
                          const kn_guarantee *g)
{
    const bool small = g->kind == KN_T_CLOSENESS || g->diversity == KN_RECURSIVE;
    expectation e = {.achieved = small ? 0 : INFINITY};

    for (int r = 0; r < t->records; r++) {
        bool broken = false;
        for (int s = 0; s < (g->kind == KN_K_ANONYMITY ? 1 : t->sensitives); s++) {
            const oracle_answer a = oracle_judge(t, &by_column[s], r, s);
            e.achieved = small ? fmax(e.achieved, a.value) : fmin(e.achieved, a.value);
            broken = broken || !a.holds;
            e.violations += !a.holds && first_of_class(t, r);
        }
        e.at_risk += broken;
        e.classes += first_of_class(t, r);
    }
    return e;
}

/* Each violation listed is one, with its numbers, and they are in order. */
static void check_list(const oracle_table *t, const oracle_ask by_column[2], const kn_guarantee *g,
                       const kn_verdict *v)
{
    for (size_t i = 0; i < kn_verdict_violations_kept(v); i++) {
        const kn_violation *x = kn_verdict_violation(v, i);
        int s = 0;
        oracle_answer a;
        assert_int_equal(x->kind, g->kind);
        assert_int_equal(x->guarantee, 0);
        if (g->kind == KN_K_ANONYMITY) {
            assert_null(x->sensitive);
        } else {
            s = x->sensitive[1] - '0';
            assert_string_equal(x->sensitive, table_names[ORACLE_COLUMNS + s]);
        }
        a = oracle_judge(t, &by_column[s], (int)x->record, s);
        assert_false(a.holds);
        assert_true(first_of_class(t, (int)x->record));
        assert_int_equal(x->size, a.size);
        assert_true(near(x->value, a.value));
        if (i > 0) {
            const kn_violation *before = kn_verdict_violation(v, i - 1);
            const bool up = g->kind != KN_T_CLOSENESS && g->diversity != KN_RECURSIVE;
            assert_true(up ? before->value <= x->value : before->value >= x->value);
            assert_true(before->value != x->value || before->record < x->record ||
                        (before->record == x->record && before->sensitive[1] < x->sensitive[1]));
        }
    }
}

static void test_against_definitions(void **state)
{
    kn_rng r;
    size_t held = 0, broke = 0;

    (void)state;
    kn__rng_seed(&r, 5, 0);
    for (int round = 0; round < test_rounds(6000); round++) {
        oracle_table t;
        oracle_ask asks[4][2];
        kn_guarantee g[4];
        int levels, node[5][ORACLE_VALUES];
        kn_dataset *ds;
        kn_hierarchies *hs;
        kn_verdict *v;
        size_t violations = 0, most_at_risk = 0;
        const size_t count = 1 + kn__rng_below(&r, 4);
        random_table(&t, &r);
        ds = to_dataset(&t);
        hs = random_hierarchy(&r, t.sensitives, &levels, node);
        for (size_t i = 0; i < count; i++) {
            kn_error err = {0};
            expectation e;
            g[i] = random_ask(asks[i], &t, &r, levels, node);
            e = expect(&t, asks[i], &g[i]);
            if (kn_check(&v, ds, &g[i], 1, hs, NULL, &err) != KN_OK) {
                fail_msg("%s", err.message);
            }
            assert_int_equal(kn_verdict_holds(v), e.violations == 0);
            assert_int_equal(kn_verdict_violations(v), e.violations);
            assert_int_equal(kn_verdict_violations_kept(v), e.violations);
            assert_int_equal(kn_verdict_records_at_risk(v), e.at_risk);
            assert_int_equal(kn_verdict_classes(v), e.classes);
            assert_true(near(kn_verdict_achieved(v, 0), e.achieved));
            check_list(&t, asks[i], &g[i], v);
            held += e.violations == 0;
            broke += e.violations != 0;
            violations += e.violations;
            most_at_risk = e.at_risk > most_at_risk ? e.at_risk : most_at_risk;
            kn_verdict_free(v);
        }
        assert_int_equal(kn_check(&v, ds, g, count, hs, NULL, NULL), KN_OK);
        assert_int_equal(kn_verdict_violations(v), violations);
        assert_true(kn_verdict_records_at_risk(v) >= most_at_risk);
        assert_true(kn_verdict_records_at_risk(v) <= (size_t)t.records);
        kn_verdict_free(v);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
    assert_true(held > test_rounds(2000) && broke > test_rounds(2000));
}

/* Whatever holds when missing cells are values of their own also holds when they may be
 * anything: docs/missing-values.md proves it. */
static void test_own_implies_any(void **state)
{
    kn_rng r;
    size_t useful = 0;

    (void)state;
    kn__rng_seed(&r, 6, 0);
    for (int round = 0; round < test_rounds(6000); round++) {
        oracle_table t;
        oracle_ask asks[2];
        int levels, node[5][ORACLE_VALUES];
        kn_hierarchies *hs;
        kn_guarantee g;
        kn_verdict *own, *any;
        kn_dataset *ds;
        random_table(&t, &r);
        hs = random_hierarchy(&r, t.sensitives, &levels, node);
        g = random_ask(asks, &t, &r, levels, node);
        if (g.kind == KN_K_ANONYMITY) {
            g.k = 2;
        }
        memset(t.any, 0, sizeof t.any);
        ds = to_dataset(&t);
        assert_int_equal(kn_check(&own, ds, &g, 1, hs, NULL, NULL), KN_OK);
        kn_dataset_free(ds);
        memset(t.any, 1, sizeof t.any);
        ds = to_dataset(&t);
        assert_int_equal(kn_check(&any, ds, &g, 1, hs, NULL, NULL), KN_OK);
        kn_dataset_free(ds);
        assert_true(kn_verdict_holds(any) || !kn_verdict_holds(own));
        useful += kn_verdict_holds(own) && kn_verdict_classes(own) > 1;
        kn_verdict_free(own);
        kn_verdict_free(any);
        kn_hierarchies_free(hs);
    }
    assert_true(useful > test_rounds(300));
}

/* ---- many records ---- */

static kn_dataset *crowd(size_t records, uint64_t places)
{
    static const char *const names[] = {"a", "b", "c", "s0", "s1"};
    kn_dataset_builder *b;
    kn_schema *schema;
    kn_dataset *ds;
    kn_rng r;

    kn__rng_seed(&r, 3, 0);
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (size_t c = 0; c < 5; c++) {
        assert_int_equal(kn_schema_set_role(schema, names[c],
                                            c < 3 ? KN_ROLE_QUASI : KN_ROLE_SENSITIVE, NULL),
                         KN_OK);
        assert_int_equal(kn_schema_set_missing_rule(schema, names[c], KN_MISSING_ANY, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, names, 5, schema, NULL), KN_OK);
    for (size_t i = 0; i < records; i++) {
        char text[5][16];
        const char *cells[5];
        for (size_t c = 0; c < 5; c++) {
            (void)snprintf(text[c], sizeof text[c], "%u",
                           (unsigned)kn__rng_below(&r, c < 3 ? places : 20));
            cells[c] = kn__rng_below(&r, 20) == 0 ? NULL : text[c];
        }
        assert_int_equal(kn_dataset_builder_add(b, cells, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static const kn_guarantee many[] = {
    {.kind = KN_K_ANONYMITY, .k = 30},
    {.kind = KN_L_DIVERSITY, .l = 15, .diversity = KN_ENTROPY},
    {.kind = KN_L_DIVERSITY, .l = 4, .c = 0.3, .diversity = KN_RECURSIVE},
    {.kind = KN_T_CLOSENESS, .t = 0.1, .distance = KN_ORDERED},
    {.kind = KN_T_CLOSENESS, .t = 0.2},
};

static void test_threads_change_nothing(void **state)
{
    kn_dataset *ds = crowd(60000, 16);
    kn_verdict *one = NULL;

    (void)state;
    for (unsigned threads = 1; threads <= 5; threads += threads == 1 ? 1 : 3) {
        const kn_run run = {.threads = threads};
        kn_verdict *v;
        assert_int_equal(kn_check(&v, ds, many, 5, NULL, &run, NULL), KN_OK);
        if (!one) {
            one = v;
            assert_true(kn_verdict_violations(v) > 1000);
            assert_int_equal(kn_verdict_violations_kept(v), 1000);
            continue;
        }
        assert_int_equal(kn_verdict_violations(v), kn_verdict_violations(one));
        assert_int_equal(kn_verdict_violations_kept(v), 1000);
        assert_int_equal(kn_verdict_records_at_risk(v), kn_verdict_records_at_risk(one));
        for (size_t i = 0; i < 5; i++) {
            assert_true(kn_verdict_achieved(v, i) == kn_verdict_achieved(one, i));
        }
        for (size_t i = 0; i < 1000; i++) {
            const kn_violation *a = kn_verdict_violation(v, i), *b = kn_verdict_violation(one, i);
            assert_int_equal(a->record, b->record);
            assert_int_equal(a->guarantee, b->guarantee);
            assert_true(a->value == b->value && a->size == b->size);
            assert_true(a->sensitive ? strcmp(a->sensitive, b->sensitive) == 0 : !b->sensitive);
        }
        kn_verdict_free(v);
    }
    kn_verdict_free(one);
    kn_dataset_free(ds);
}

static void test_worst_thousand(void **state)
{
    kn_worst w;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 8, 0);
    assert_int_equal(kn__worst_init(&w, NULL), KN_OK);
    /* badness i/5000 for a shuffled i, three times each with different records: the worst are
     * the last */
    for (uint32_t i = 0; i < 15000; i++) {
        const uint32_t x = (uint32_t)((uint64_t)i * 7919 % 15000);
        const kn_break b = {.badness = x / 3 / 5000.0, .record = x};
        kn__worst_offer(&w, &b);
    }
    kn__worst_sort(&w);
    assert_int_equal(w.len, KN_WORST);
    for (size_t i = 0; i < KN_WORST; i++) {
        assert_int_equal(w.breaks[i].record, 14997 - i / 3 * 3 + i % 3);
    }
    kn__worst_clear(&w);
}

static int stop_at(void *user, const char *phase, double done)
{
    (void)done;
    return strcmp(phase, user) == 0;
}

static void test_cancel(void **state)
{
    kn_dataset *ds = crowd(100, 3);
    const size_t before = kn_memory_in_use();
    kn_verdict *v;
    kn_run run = {.progress = stop_at, .user = (void *)(uintptr_t) "group"};

    (void)state;
    assert_int_equal(kn_check(&v, ds, many, 5, NULL, &run, NULL), KN_ECANCELLED);
    run.user = (void *)(uintptr_t) "check";
    assert_int_equal(kn_check(&v, ds, many, 5, NULL, &run, NULL), KN_ECANCELLED);
    assert_null(v);
    assert_int_equal(kn_memory_in_use(), before);
    kn_dataset_free(ds);
}

static void test_allocation_failures(void **state)
{
    kn_dataset *ds = crowd(17000, 6);
    kn_dataset *tree_ds;
    kn_hierarchies *hs;
    oracle_table t = {.records = 6, .qis = 1, .sensitives = 1};
    int levels, node[5][ORACLE_VALUES];
    const kn_guarantee tree = {.kind = KN_T_CLOSENESS, .t = 0.1, .distance = KN_HIERARCHICAL};
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 1, 1);
    tree_ds = to_dataset(&t);
    hs = random_hierarchy(&r, 1, &levels, node);
    for (int which = 0; which < 2; which++) {
        const size_t before = kn_memory_in_use();
        bool failed = true;
        for (size_t n = 1; failed; n++) {
            const kn_run run = {.threads = 2};
            kn_verdict *v = NULL;
            kn_status status;
            kn__memory_fail_after(n);
            status = which ? kn_check(&v, tree_ds, &tree, 1, hs, &run, NULL)
                           : kn_check(&v, ds, many, 5, NULL, &run, NULL);
            failed = kn__memory_failed();
            kn__memory_fail_after(0);
            assert_int_equal(status, failed ? KN_ENOMEM : KN_OK);
            assert_true(!failed == (v != NULL));
            kn_verdict_free(v);
            assert_int_equal(kn_memory_in_use(), before);
            assert_true(n < 10000);
        }
    }
    kn_hierarchies_free(hs);
    kn_dataset_free(tree_ds);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_definitions),
        cmocka_unit_test(test_own_implies_any),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_worst_thousand),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
