/* The second count of kmn-anonymity against the first one, and both against Definition 1. */
#include "base/memory.h"
#include "count/tree_rare.h"
#include "guarantees/recount/kmn.h"
#include "oracle/kmn.h"
#include "oracle/tree_records.h"
#include "oracle/trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const texts[] = {"a", "b"};

static void both_counts_agree(void **state)
{
    size_t holds = 0, parts = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 176, 0);
    for (int round = 0; round < 4000; round++) {
        const size_t before = kn_memory_in_use();
        /* With one value per class and more records, larger knowledge holds as well. */
        const bool few = round % 4 == 0;
        kn_forest *f = oracle_random_forest(&rng, few ? 60 : 12, 7, texts, few ? 1 : 2);
        const size_t k = 2 + kn__rng_below(&rng, 2), m = few ? 3 : 1 + kn__rng_below(&rng, 3);
        const size_t n = kn__rng_below(&rng, m * (m - 1) / 2 + 1);
        kn_tree_rare_list *first = NULL;
        kn_kmn_recount second, share;
        uint8_t risky[64] = {0};

        assert_int_equal(kn__forest_normalise(f, NULL, NULL), KN_OK);
        assert_int_equal(kn__tree_rare_find(&first, f, k, m, n, NULL, 5, risky, NULL, NULL), KN_OK);
        assert_int_equal(kn__kmn_recount(&second, f, m, n, NULL, 0, 1, NULL, NULL), KN_OK);
        const double budget = (const double[]){1, 40, 200, 1e9}[round / 4 % 4];
        assert_int_equal(
            kn__kmn_recount(&share, f, m, n, NULL, budget, kn__rng_next(&rng), NULL, NULL), KN_OK);
        const bool broken = oracle_kmn_broken(f, k, m, n, ORACLE_ANY_GROUPS) > 0;
        assert_int_equal(first->count > 0, broken);
        assert_int_equal(second.least > 0 && second.least < k, broken);
        if (broken) {
            assert_true(first->least >= second.least && first->least <= k - 1);
        }
        assert_true(share.least == 0 || share.least >= second.least);
        assert_int_equal(share.counted > 0, second.counted > 0);
        assert_int_equal(second.taken, second.values);
        assert_int_equal(share.values, second.values);
        assert_int_equal(share.counted == second.counted, share.taken == share.values);
        parts += share.taken > 1 && share.taken < share.values;
        assert_int_equal(first->longest, second.longest);
        assert_int_equal(first->empty, second.empty);
        assert_true(first->kept <= 5);
        size_t at_risk = 0;
        for (size_t r = 0; r < f->records; r++) {
            at_risk += risky[r];
        }
        assert_int_equal(at_risk, first->at_risk);
        holds += !broken;
        kn__tree_rare_free(first);
        kn__forest_free(f);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_true(holds >= 100 && holds <= 3900 && parts >= 100);
}

/* In the first two records B and C stand below A, one below the other; that they stand below A is
 * known of all three. */
static void a_chain_holds_what_a_fork_does(void **state)
{
    static const char *const records[] = {"Hospital1(Flu(Painkillers))",
                                          "Hospital1(Flu(Painkillers))",
                                          "Hospital1(Flu Painkillers)"};
    kn_forest *f = example_forest(records, 3);
    kn_kmn_recount second;

    (void)state;
    assert_int_equal(kn__kmn_recount(&second, f, 3, 2, NULL, 0, 1, NULL, NULL), KN_OK);
    assert_int_equal(second.least, 2);
    assert_int_equal(oracle_kmn_broken(f, 2, 3, 2, ORACLE_ANY_GROUPS), 0);
    kn__forest_free(f);
}

/* l-diversity: C3 is sensitive. The first count intersects sets, the second counts pairs. */
static void both_counts_agree_about_diversity(void **state)
{
    static const bool is[4] = {false, false, false, true};
    size_t inferred = 0, diverse = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 178, 0);
    for (int round = 0; round < 3000; round++) {
        kn_forest *f = oracle_random_forest(&rng, 24, 5, texts, 2), *known = NULL;
        const size_t k = 2, m = 1 + kn__rng_below(&rng, 2), n = kn__rng_below(&rng, m);
        const double l = 1 + (double)kn__rng_below(&rng, 3) / 4;
        kn_tree_diversity d = {0};
        kn_tree_rare_list *first = NULL;
        kn_kmn_recount second;
        bool whole = false;

        assert_int_equal(kn__forest_normalise(f, NULL, NULL), KN_OK);
        assert_int_equal(kn__forest_copy(&known, f, NULL), KN_OK);
        assert_int_equal(kn__forest_leave_out(known, is, NULL), KN_OK);
        assert_int_equal(kn__tree_diversity_init(&d, l, f, is, NULL), KN_OK);
        for (size_t s = 0; s < d.count; s++) {
            whole = whole || (double)d.set[s].len * l > (double)f->records;
        }
        assert_int_equal(kn__tree_rare_find(&first, known, k, m, n, &d, 5, NULL, NULL, NULL),
                         KN_OK);
        const kn_kmn_sensitive sensitive = {f, is, l};
        assert_int_equal(kn__kmn_recount(&second, known, m, n, &sensitive, 0, 1, NULL, NULL),
                         KN_OK);
        /* Knowledge that is rare is not asked about its diversity by the first count. */
        const bool rare = second.least && second.least < k;
        assert_int_equal(first->count > 0 || whole, rare || (second.inferred > 0 && l > 1));
        inferred += !rare && second.inferred > 0;
        diverse += !rare && second.inferred == 0;
        kn__tree_diversity_clear(&d);
        kn__tree_rare_free(first);
        kn__forest_free(known);
        kn__forest_free(f);
    }
    assert_true(inferred > 50 && diverse > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_counts_agree),
                                       cmocka_unit_test(a_chain_holds_what_a_fork_does),
                                       cmocka_unit_test(both_counts_agree_about_diversity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
