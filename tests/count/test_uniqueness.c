/* Tests of count/uniqueness.c: exact points against the enumeration of everything, samples against
 * the exact points. */
#include "count/baskets_test.h"
#include "rounds.h"

#include "count/uniqueness.h"

#include <math.h>

static void truth(const km_data *d, int size, int *combinations, int *alone)
{
    int times[KM_ITEMS] = {0};

    *combinations = *alone = 0;
    while (km_next(times, d->bags ? size : 1)) {
        const int support = km_size(times) == size ? km_support(d, times) : 0;
        *combinations += support > 0;
        *alone += support == 1;
    }
}

static void test_exact(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 20, 0);
    for (int round = 0; round < test_rounds(3000); round++) {
        const km_data d = random_data(&r);
        const kn_run run = {.threads = 1 + (unsigned)(round % 3)};
        kn_baskets *b = baskets_of(&d);
        kn_items_known *points = NULL;
        size_t count = 0;
        int longest = 0;
        for (int i = 0; i < d.records; i++) {
            longest = km_size(d.times[i]) > longest ? km_size(d.times[i]) : longest;
        }
        assert_int_equal(kn__uniqueness_measure(&points, &count, b,
                                                &(kn_items_known_options){.most = 5}, 0, &run,
                                                NULL),
                         KN_OK);
        assert_int_equal(count, longest < 5 ? longest : 5);
        for (size_t i = 0; i < count; i++) {
            int combinations, alone;
            truth(&d, (int)i + 1, &combinations, &alone);
            assert_true(points[i].exact);
            assert_int_equal(points[i].size, i + 1);
            assert_true(points[i].combinations == combinations);
            assert_true(points[i].alone == (double)alone / combinations);
        }
        kn__free(points);
        kn__baskets_free(b);
    }
}

/* Four standard errors: one in 16,000 would be outside by chance, and the seed is fixed. */
static void test_samples(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 21, 0);
    for (int round = 0; round < 12; round++) {
        const km_data d = random_data(&r);
        kn_baskets *b = baskets_of(&d);
        kn_items_known *first = NULL;
        for (unsigned threads = 1; threads <= 3; threads++) {
            const kn_run run = {.threads = threads, .seed = 5};
            kn_items_known *points = NULL;
            size_t count = 0;
            assert_int_equal(kn__uniqueness_measure(&points, &count, b,
                                                    &(kn_items_known_options){.most = 4}, 1, &run,
                                                    NULL),
                             KN_OK);
            for (size_t i = 0; i < count; i++) {
                int combinations, alone;
                truth(&d, (int)i + 1, &combinations, &alone);
                if (!points[i].exact) {
                    assert_true(fabs(points[i].alone - (double)alone / combinations) <=
                                2.1 * points[i].within + 1e-9);
                    assert_true(fabs(points[i].combinations / combinations - 1) < 0.05);
                }
            }
            if (first) {
                for (size_t i = 0; i < count; i++) {
                    assert_int_equal(first[i].exact, points[i].exact);
                    assert_true(first[i].combinations == points[i].combinations);
                    assert_true(first[i].alone == points[i].alone);
                    assert_true(first[i].within == points[i].within);
                }
                kn__free(points);
            } else {
                first = points;
            }
        }
        kn__free(first);
        kn__baskets_free(b);
    }
}

/* Sets that are too many to list: of 60 points the truth is outside of a 99 % interval in a few at
 * most; people who are drawn first give too small a share. */
static void test_intervals(void **state)
{
    kn_rng r;
    int points_seen = 0, outside = 0, below = 0;

    (void)state;
    kn__rng_seed(&r, 23, 0);
    for (int round = 0; round < 20; round++) {
        kn_baskets *b = random_baskets(&r, 3000, 60, 14, false);
        const kn_items_known_options few = {.most = 6, .samples = 400};
        const kn_items_known_options naive = {.most = 6, .samples = 400, .naive = true};
        const kn_run run = {.threads = 2, .seed = (uint64_t)round};
        kn_items_known *exact = NULL, *sampled = NULL, *biased = NULL;
        size_t count;
        assert_int_equal(kn__uniqueness_measure(&exact, &count, b, &few, 0, &run, NULL), KN_OK);
        assert_int_equal(kn__uniqueness_measure(&sampled, &count, b, &few, 1, &run, NULL), KN_OK);
        assert_int_equal(kn__uniqueness_measure(&biased, &count, b, &naive, 0, &run, NULL), KN_OK);
        assert_int_equal(count, 6);
        for (size_t i = 1; i < count; i++) {
            assert_true(exact[i].exact);
            assert_true(biased[i].naive && !biased[i].exact);
            below += biased[i].high < exact[i].alone;
            if (!sampled[i].exact) {
                points_seen++;
                assert_int_equal(sampled[i].samples, 400);
                assert_true(sampled[i].draws >= 400);
                outside += exact[i].alone < sampled[i].low || exact[i].alone > sampled[i].high;
                assert_true(fabs(sampled[i].combinations / exact[i].combinations - 1) < 0.3);
            }
        }
        kn__free(exact);
        kn__free(sampled);
        kn__free(biased);
        kn__baskets_free(b);
    }
    assert_true(points_seen >= 40);
    assert_true(outside <= 3);
    assert_true(below >= 20);
}

static void test_no_memory(void **state)
{
    kn_rng r;
    km_data d;
    kn_baskets *b;
    size_t held;

    (void)state;
    kn__rng_seed(&r, 22, 0);
    do {
        d = random_data(&r);
    } while (d.records < 10);
    b = baskets_of(&d);
    held = kn_memory_in_use();
    for (size_t n = 1;; n++) {
        const kn_run run = {.threads = 2};
        kn_items_known *points = NULL;
        size_t count;
        kn_status status;
        kn__memory_fail_after(n);
        status = kn__uniqueness_measure(&points, &count, b, &(kn_items_known_options){.most = 4}, 0,
                                        &run, NULL);
        kn__memory_fail_after(0);
        kn__free(points);
        assert_int_equal(kn_memory_in_use(), held);
        if (status == KN_OK) {
            break;
        }
        assert_int_equal(status, KN_ENOMEM);
        assert_null(points);
    }
    kn__baskets_free(b);
}

static void test_bad_size(void **state)
{
    uint64_t starts[] = {0};
    uint32_t list[1] = {0};
    kn_baskets b = {.items = 1, .starts = starts, .list = list};
    kn_items_known *points = NULL;
    size_t count = 1;
    kn_error err;

    (void)state;
    assert_int_equal(kn__uniqueness_measure(&points, &count, &b,
                                            &(kn_items_known_options){.most = 0}, 0, NULL, &err),
                     KN_EUSAGE);
    assert_int_equal(kn__uniqueness_measure(&points, &count, &b,
                                            &(kn_items_known_options){.most = 17}, 0, NULL, &err),
                     KN_EUSAGE);
    assert_int_equal(kn__uniqueness_measure(&points, &count, &b,
                                            &(kn_items_known_options){.most = 3}, 0, NULL, &err),
                     KN_OK);
    assert_int_equal(count, 0);
    kn__free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),     cmocka_unit_test(test_samples),
        cmocka_unit_test(test_intervals), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_bad_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
