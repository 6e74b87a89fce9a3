/* The formulas by themselves: rounding, and entropy where it meets l exactly. */
#include "base/memory.h"
#include "base/rng.h"
#include "guarantees/formulas.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Rounded right when no double is nearer: with x = kn__ratio(a, b) and its neighbours, |a - x b|
 * is least. x b is exact in 128 bits for the sizes here. */
static void test_ratio(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 2, 0);
    assert_true(kn__ratio(0, 5) == 0);
    assert_true(kn__ratio(0, (kn_u128)1 << 100) == 0);
    assert_true(kn__ratio((kn_u128)1 << 90, (kn_u128)1 << 100) == 0x1p-10);
    assert_true(kn__ratio(((kn_u128)1 << 100) - 1, ((kn_u128)1 << 100) - 1) == 1);
    assert_true(kn__ratio(1, ((kn_u128)1 << 96) + 1) == 0x1p-96);
    assert_true(kn__ratio(((kn_u128)1 << 60) - 1, (kn_u128)1 << 60) == 1);
    /* ties go to even: 2^53 + 1 and 2^53 + 3 over 2^54 */
    assert_true(kn__ratio(((kn_u128)1 << 53) + 1, (kn_u128)1 << 54) == 0.5);
    assert_true(kn__ratio(((kn_u128)1 << 53) + 3, (kn_u128)1 << 54) == 0.5 + 0x1p-52);
    for (int round = 0; round < 20000; round++) {
        const uint64_t b = kn__rng_next(&r) >> kn__rng_below(&r, 11), a = kn__rng_below(&r, b) + 1;
        const double x = kn__ratio(a, b);
        int exponent;
        const uint64_t mantissa = (uint64_t)ldexp(frexp(x, &exponent), 53);
        /* x = mantissa 2^(exponent-53); a/b within half a unit: |2 a 2^s - 2 mantissa b| <= b, s =
         * 53 - exponent */
        const int s = 53 - exponent;
        kn_u128 left, right;
        if (s > 62) {
            continue;
        }
        left = (kn_u128)a << (s + 1);
        right = (kn_u128)mantissa * b * 2;
        assert_true((left > right ? left - right : right - left) <= b);
        assert_true(x <= 1);
    }
}

/* ---- entropy ---- */

typedef struct known {
    uint32_t count[6];
    double l; /* exp of the entropy, exactly */
} known;

static bool entropy(const uint32_t *counts, uint32_t distinct, double l, double *value)
{
    kn_guarantee g = {.kind = KN_L_DIVERSITY, .l = l, .diversity = KN_ENTROPY};
    uint32_t copy[512], codes[512], sorted[512];
    kn_histogram h = {.count = copy, .codes = codes, .distinct = distinct};

    for (uint32_t i = 0; i < distinct; i++) {
        copy[i] = counts[i];
        codes[i] = distinct - 1 - i;
        h.total += counts[i];
    }
    return kn__l_diversity_holds(&g, &h, sorted, value);
}

static void test_entropy_meets_l(void **state)
{
    static const known cases[] = {{{1}, 1},
                                  {{7}, 1},
                                  {{3, 3}, 2},
                                  {{1000003, 1000003, 1000003}, 3},
                                  {{4, 1, 1, 1, 1}, 4},
                                  {{4000000, 1000000, 1000000, 1000000, 1000000}, 4},
                                  {{1u << 30, 1u << 28, 1u << 28, 1u << 28, 1u << 28}, 4},
                                  {{4 * 9973, 9973, 9973, 9973, 9973}, 4}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t distinct = 0;
        double value;
        while (distinct < 6 && cases[i].count[distinct]) {
            distinct++;
        }
        assert_true(entropy(cases[i].count, distinct, cases[i].l, &value));
        assert_true(value == cases[i].l);
        assert_true(entropy(cases[i].count, distinct, cases[i].l, NULL));
        if (cases[i].l > 1) {
            assert_true(entropy(cases[i].count, distinct, nextafter(cases[i].l, 1), &value));
        }
        assert_false(entropy(cases[i].count, distinct, nextafter(cases[i].l, 9), &value));
        assert_true(value < nextafter(cases[i].l, 9));
    }
    {
        /* One record off: 4000001 of 8000001 is no longer enough, 3999999 of 7999999 is. */
        const uint32_t over[] = {4000001, 1000000, 1000000, 1000000, 1000000};
        const uint32_t under[] = {3999999, 1000000, 1000000, 1000000, 1000000};
        double value;
        assert_false(entropy(over, 5, 4, &value));
        assert_true(value < 4 && value > 3.99999);
        assert_true(entropy(under, 5, 4, &value));
        assert_true(value > 4 && value < 4.00001);
    }
}

/* Many values of one frequency and one of another: equality with l whole, by search over small
 * counts in integers. */
static void test_entropy_in_integers(void **state)
{
    size_t equalities = 0;

    (void)state;
    for (uint32_t a = 1; a <= 5; a++) {
        for (uint32_t b = 1; b <= 5; b++) {
            for (uint32_t x = 1; x <= 3; x++) {
                for (uint32_t y = 1; y <= 4; y++) {
                    /* x values a times, y values b times */
                    const uint32_t n = a * x + b * y;
                    uint32_t counts[8], distinct = 0;
                    if (n > 14) {
                        continue;
                    }
                    for (uint32_t i = 0; i < x; i++) {
                        counts[distinct++] = a;
                    }
                    for (uint32_t i = 0; i < y; i++) {
                        counts[distinct++] = b;
                    }
                    for (uint32_t l = 1; l <= 8; l++) {
                        kn_u128 left = 1, right = 1;
                        double value;
                        for (uint32_t i = 0; i < n; i++) {
                            left *= n;
                            right *= l;
                        }
                        for (uint32_t i = 0; i < distinct; i++) {
                            for (uint32_t k = 0; k < counts[i]; k++) {
                                right *= counts[i];
                            }
                        }
                        assert_int_equal(entropy(counts, distinct, l, &value), left >= right);
                        assert_int_equal(entropy(counts, distinct, l, NULL), left >= right);
                        assert_int_equal(value >= l, left >= right);
                        assert_true((value == l) == (left == right));
                        equalities += left == right && a != b;
                    }
                }
            }
        }
    }
    assert_true(equalities > 0);
}

/* 300 different counts: the error bound is wider than the gap to the nearest double, and exp(H) is
 * irrational. What cannot be told is refused; one step further down it can be. */
static void test_entropy_too_close_to_tell(void **state)
{
    uint32_t counts[300];
    double value, refused;

    (void)state;
    for (uint32_t i = 0; i < 300; i++) {
        counts[i] = i + 1;
    }
    assert_true(entropy(counts, 300, 2, &value));
    assert_false(entropy(counts, 300, value, &refused));
    assert_true(refused == nextafter(value, 0));
    assert_true(entropy(counts, 300, value * (1 - 1e-14), &refused));
    assert_false(entropy(counts, 300, value * (1 + 1e-14), &refused));
}

static void test_badness(void **state)
{
    const kn_guarantee k = {.kind = KN_K_ANONYMITY, .k = 4};
    const kn_guarantee t = {.kind = KN_T_CLOSENESS, .t = 0};
    const kn_guarantee c = {.kind = KN_L_DIVERSITY, .diversity = KN_RECURSIVE, .c = 2, .l = 2};

    (void)state;
    assert_true(kn__formula_badness(&k, 1) == 0.75);
    assert_true(kn__formula_badness(&t, 0.4) == 0.4);
    assert_true(kn__formula_badness(&c, 4) == 0.5);
    assert_true(kn__formula_badness(&c, INFINITY) == 1);
    assert_true(kn__formula_worse(&k, 1, 2) == 1 && kn__formula_worse(&t, 0.1, 0.2) == 0.2);
    assert_true(kn__formula_worse(&c, 1, INFINITY) == INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_entropy_meets_l),
        cmocka_unit_test(test_entropy_in_integers),
        cmocka_unit_test(test_entropy_too_close_to_tell),
        cmocka_unit_test(test_badness),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
