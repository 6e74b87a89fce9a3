/* test_alias.c - the tables hold exactly the weights that they were given. */
#include "sample/alias.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

/* The probability of each choice, from the cells. */
static void probabilities(const kn_alias *a, size_t row, double *out)
{
    for (size_t i = 0; i < a->choices; i++) {
        out[i] = 0;
    }
    for (size_t i = 0; i < a->choices; i++) {
        const kn_alias_cell *c = &a->cells[row * a->choices + i];
        const double own = (double)c->cut / 0x1p32;
        assert_true(c->other < a->choices);
        out[i] += own / (double)a->choices;
        out[c->other] += (1 - own) / (double)a->choices;
    }
}

static void test_weights(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 1, 0);
    for (int round = 0; round < 2000; round++) {
        const size_t n = 1 + (size_t)kn__rng_below(&r, 40);
        const int shift = (int)kn__rng_below(&r, 28);
        uint32_t weights[40];
        double got[40], total = 0;
        kn_alias a;

        for (size_t i = 0; i < n; i++) {
            weights[i] = kn__rng_below(&r, 4) ? (uint32_t)kn__rng_next(&r) >> shift : 0;
        }
        weights[kn__rng_below(&r, n)] = 1 + (uint32_t)(kn__rng_next(&r) & 1023);
        for (size_t i = 0; i < n; i++) {
            total += weights[i];
        }
        assert_int_equal(kn__alias_init(&a, 2, n, NULL), KN_OK);
        assert_int_equal(kn__alias_set(&a, 1, weights, NULL), KN_OK);
        probabilities(&a, 1, got);
        for (size_t i = 0; i < n; i++) {
            assert_true(fabs(got[i] - weights[i] / total) < 1e-8);
        }
        for (int i = 0; i < 200; i++) {
            assert_true(weights[kn__alias_pick(&a, 1, &r)] > 0);
        }
        kn__alias_clear(&a);
    }
}

static void test_picks(void **state)
{
    const uint32_t weights[4] = {1, 0, 3, 6};
    size_t seen[4] = {0};
    kn_alias a;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 7, 7);
    assert_int_equal(kn__alias_init(&a, 1, 4, NULL), KN_OK);
    assert_int_equal(kn__alias_set(&a, 0, weights, NULL), KN_OK);
    for (int i = 0; i < 100000; i++) {
        seen[kn__alias_pick(&a, 0, &r)]++;
    }
    assert_true(seen[0] >= 9500 && seen[0] <= 10500);
    assert_int_equal(seen[1], 0);
    assert_true(seen[2] >= 29200 && seen[2] <= 30800);
    assert_true(seen[3] >= 59200 && seen[3] <= 60800);
    kn__alias_clear(&a);
    kn__alias_clear(&a);
}

static void test_no_memory(void **state)
{
    const uint32_t weights[3] = {1, 2, 3};
    const size_t before = kn_memory_in_use();
    kn_alias a;
    kn_error err;

    (void)state;
    assert_int_equal(kn__alias_init(&a, SIZE_MAX / 2, 3, &err), KN_ENOMEM);
    assert_null(a.cells);
    for (size_t n = 1;; n++) {
        kn_status status;
        kn__memory_fail_after(n);
        status = kn__alias_init(&a, 1, 3, &err);
        status = status == KN_OK ? kn__alias_set(&a, 0, weights, &err) : status;
        kn__alias_clear(&a);
        assert_int_equal(kn_memory_in_use(), before);
        if (!kn__memory_failed()) {
            kn__memory_fail_after(0);
            assert_int_equal(status, KN_OK);
            assert_int_equal(n, 4);
            break;
        }
        assert_int_equal(status, KN_ENOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_picks),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
