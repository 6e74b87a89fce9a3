/* The second count of kmn-anonymity against the first one, and both against Definition 1. */
#include "base/memory.h"
#include "count/tree_rare.h"
#include "guarantees/recount/kmn.h"
#include "oracle/kmn.h"
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
    size_t holds = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 176, 0);
    for (int round = 0; round < 4000; round++) {
        const size_t before = kn_memory_in_use();
        kn_forest *f = oracle_random_forest(&rng, 12, 7, texts, 2);
        const size_t k = 2 + kn__rng_below(&rng, 2), m = 1 + kn__rng_below(&rng, 3);
        const size_t n = kn__rng_below(&rng, m * (m - 1) / 2 + 1);
        kn_tree_rare_list *first = NULL;
        kn_kmn_recount second, share;
        uint8_t risky[16] = {0};

        assert_int_equal(kn__forest_normalise(f, NULL, NULL), KN_OK);
        assert_int_equal(kn__tree_rare_find(&first, f, k, m, n, NULL, 5, risky, NULL, NULL), KN_OK);
        assert_int_equal(kn__kmn_recount(&second, f, m, n, 0, 1, NULL, NULL), KN_OK);
        assert_int_equal(kn__kmn_recount(&share, f, m, n, 40, kn__rng_next(&rng), NULL, NULL),
                         KN_OK);
        const bool broken = oracle_kmn_broken(f, k, m, n, ORACLE_ANY_GROUPS) > 0;
        assert_int_equal(first->count > 0, broken);
        assert_int_equal(second.least > 0 && second.least < k, broken);
        if (broken) {
            assert_true(first->least >= second.least && first->least <= k - 1);
        }
        assert_true(share.least == 0 || share.least >= second.least);
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
    assert_true(holds >= 100 && holds <= 3900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_counts_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
