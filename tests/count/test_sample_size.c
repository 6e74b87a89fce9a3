/* Tests of count/sample_size.c: the figures of the sampling paper and of its correction, and bounds
 * against plain sums over all terms. */
#include "count/sample_size.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t size_of(kn_sample_rule rule, double sigma, uint64_t rounds)
{
    kn_sample_size s;

    assert_int_equal(kn_sample_size_for(&s, rule, sigma, rounds, NULL), KN_OK);
    assert_true((1 - s.eps) * (1 - s.delta) >= sigma - 1e-12);
    return s.samples;
}

static void test_figures(void **state)
{
    (void)state;
    assert_int_equal(size_of(KN_SAMPLE_ZERO_FAILURE, 0.99, 1), 760);
    assert_int_equal(size_of(KN_SAMPLE_ZERO_FAILURE, 0.999, 1), 10228);
    assert_int_equal(size_of(KN_SAMPLE_ZERO_FAILURE, 0.99, 1303), 1544);
    assert_int_equal(size_of(KN_SAMPLE_ZERO_FAILURE, 0.999, 1303), 17960);
    assert_int_equal(size_of(KN_SAMPLE_ZERO_FAILURE, 0.99, 13030), 1788);
    assert_int_equal(size_of(KN_SAMPLE_ZERO_FAILURE, 0.999, 13030), 20388);
    assert_int_equal(size_of(KN_SAMPLE_HOEFFDING, 0.99, 1303), 41917);
    assert_int_equal(size_of(KN_SAMPLE_HOEFFDING, 0.999, 1303), 5485661);
}

/* No other delta needs fewer samples, and the number does what it promises. */
static void test_smallest(void **state)
{
    (void)state;
    for (double sigma = 0.51; sigma < 0.9999; sigma += 0.0137) {
        for (uint64_t rounds = 1; rounds < 1000000; rounds *= 7) {
            kn_sample_size s;
            assert_int_equal(kn_sample_size_for(&s, KN_SAMPLE_ZERO_FAILURE, sigma, rounds, NULL),
                             KN_OK);
            assert_true((double)s.samples * log1p(-s.eps) <= log(s.delta / (double)rounds) + 1e-9);
            for (double delta = (1 - sigma) / 1000; delta < 1 - sigma; delta *= 1.3) {
                const double eps = 1 - sigma / (1 - delta);
                const double n = ceil(log((double)rounds / delta) / -log(1 - eps) - 1e-6);
                assert_true((double)s.samples <= n);
            }
        }
    }
}

static void test_refused(void **state)
{
    static const double bad[] = {0.5, 0, -1, 1, 2, NAN};
    kn_sample_size s;
    kn_error err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(kn_sample_size_for(&s, KN_SAMPLE_ZERO_FAILURE, bad[i], 1, &err),
                         KN_EUSAGE);
        assert_int_equal(kn_sample_size_for(&s, KN_SAMPLE_HOEFFDING, bad[i], 1, &err), KN_EUSAGE);
    }
    assert_int_equal(kn_sample_size_for(&s, KN_SAMPLE_ZERO_FAILURE, 0.9, 0, &err), KN_EUSAGE);
    assert_int_equal(kn_sample_size_for(&s, (kn_sample_rule)9, 0.9, 1, &err), KN_EUSAGE);
    assert_int_equal(kn_sample_size_for(NULL, KN_SAMPLE_HOEFFDING, 0.9, 1, &err), KN_EUSAGE);
}

/* P(X <= x) as its definition says; for small n. */
static double tail(int n, int x, double p)
{
    double sum = 0;

    for (int i = 0; i <= x; i++) {
        double term = 1;
        for (int j = 0; j < i; j++) {
            term *= (double)(n - j) / (i - j) * p;
        }
        sum += term * pow(1 - p, n - i);
    }
    return sum;
}

static void test_bounds(void **state)
{
    static const double deltas[] = {0.3, 0.05, 0.001, 1e-6, 1e-12};

    (void)state;
    for (int n = 1; n <= 60; n++) {
        for (int x = 0; x < n; x++) {
            for (size_t d = 0; d < sizeof deltas / sizeof *deltas; d++) {
                const double p = kn_failing_share_at_most((uint64_t)n, (uint64_t)x, deltas[d]);
                assert_true(p == 1 || tail(n, x, p) <= deltas[d] * (1 + 1e-9));
                assert_true(tail(n, x, p - 1e-12) >= deltas[d] * (1 - 1e-9));
                assert_true(kn_failing_share_at_least((uint64_t)n, (uint64_t)(n - x), deltas[d]) ==
                            1 - p);
            }
        }
        assert_true(kn_failing_share_at_most((uint64_t)n, (uint64_t)n, 0.05) == 1);
        assert_true(kn_failing_share_at_least((uint64_t)n, 0, 0.05) == 0);
    }
    assert_true(kn_failing_share_at_most(0, 0, 0.05) == 1);
}

/* Logarithms of probabilities against sums of logarithms, and bounds of many samples. */
static void test_many(void **state)
{
    const double delta = 0.0005, eps = kn__sample_eps(0.99, delta);
    uint64_t failures = 0;
    double before = 0;

    (void)state;
    for (uint64_t n = 1; n < 3000000; n = n * 3 + 1) {
        for (uint64_t x = 0; x <= n; x += n / 3 + 1) {
            const double p = 0.37;
            double log_ways = 0;
            for (uint64_t i = 0; i < x; i++) {
                log_ways += log((double)(n - i) / (double)(x - i));
            }
            log_ways += (double)x * log(p) + (double)(n - x) * log1p(-p);
            assert_true(fabs(kn__binomial_log(n, x, p) - log_ways) <
                        1e-9 + 1e-13 * (double)n); /* errors of the plain sum */
        }
    }
    while (kn_failing_share_at_most(10000, failures, delta / 2) <= eps) {
        failures++;
    }
    assert_int_equal(failures - 1, 62);
    for (uint64_t x = 0; x <= 100000000; x = x * 2 + 1) {
        const double p = kn_failing_share_at_most(100000001, x, 1e-9);
        assert_true(p > before && p <= 1);
        before = p;
    }
}

static void test_default_delta(void **state)
{
    (void)state;
    assert_true(kn__sample_eps(0.99, kn__sample_delta(0.99)) > 0);
    assert_true(kn__sample_eps(0.99, 0.02) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures), cmocka_unit_test(test_smallest),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_many),    cmocka_unit_test(test_default_delta),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
