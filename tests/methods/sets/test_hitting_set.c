/* test_hitting_set.c - light hitting sets against all subsets. */
#include "methods/sets/hitting_set.h"
#include "base/memory.h"
#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_hitting(void **state)
{
    kn_rng rng;
    double ours = 0, least = 0;

    (void)state;
    kn__rng_seed(&rng, 5, 0);
    for (int round = 0; round < 3000; round++) {
        const uint32_t names = 1 + (uint32_t)kn__rng_below(&rng, 8);
        unsigned set[12];
        double weight[8], sum, best = INFINITY, chosen_sum = 0;
        uint8_t chosen[8];
        const size_t count = kn__rng_below(&rng, 12);
        kn_hitting_set h;

        assert_int_equal(kn__hitting_set_init(&h, names, NULL), KN_OK);
        for (uint32_t i = 0; i < names; i++) {
            weight[i] = (double)kn__rng_below(&rng, 10);
        }
        for (size_t i = 0; i < count; i++) {
            uint32_t list[16];
            size_t size = 0;
            set[i] = 1u + (unsigned)kn__rng_below(&rng, (1u << names) - 1);
            for (uint32_t n = 0; n < names; n++) {
                for (unsigned t = 0; (set[i] >> n & 1) && t < 1 + (n + i) % 2; t++) {
                    list[size++] = n; /* bags have repeats */
                }
            }
            assert_int_equal(kn__hitting_set_add(&h, list, size, NULL), KN_OK);
        }
        assert_int_equal(kn__hitting_set_choose(&h, weight, chosen, &sum, NULL), KN_OK);
        for (unsigned gone = 0; gone < 1u << names; gone++) {
            bool all = true;
            double w = 0;
            for (size_t i = 0; i < count; i++) {
                all = all && (set[i] & gone);
            }
            for (uint32_t n = 0; n < names; n++) {
                w += gone >> n & 1 ? weight[n] : 0;
            }
            best = all && w < best ? w : best;
        }
        for (size_t i = 0; i < count; i++) {
            bool hit = false;
            for (uint32_t n = 0; n < names; n++) {
                hit = hit || ((set[i] >> n & 1) && chosen[n]);
            }
            assert_true(hit);
        }
        for (uint32_t n = 0; n < names; n++) {
            chosen_sum += chosen[n] ? weight[n] : 0;
        }
        assert_true(fabs(chosen_sum - sum) < 1e-9 && sum >= best - 1e-9);
        ours += sum;
        least += best;
        kn__hitting_set_clear(&h);
    }
    print_message("hitting sets: %.3f of the least weight\n", ours / least);
    assert_true(ours < 1.06 * least);
}

static void test_memory(void **state)
{
    static const double weight[] = {1, 2, 3};
    kn_status status = KN_ENOMEM;

    (void)state;
    for (size_t n = 1; status != KN_OK; n++) {
        const size_t before = kn_memory_in_use();
        kn_hitting_set h;
        uint8_t chosen[3];
        double sum = 0;
        assert_true(n < 100);
        kn__memory_fail_after(n);
        status = kn__hitting_set_init(&h, 3, NULL);
        for (uint32_t i = 0; i < 2 && status == KN_OK; i++) {
            status = kn__hitting_set_add(&h, (const uint32_t[]){i, i + 1}, 2, NULL);
        }
        if (status == KN_OK) {
            status = kn__hitting_set_choose(&h, weight, chosen, &sum, NULL);
        }
        kn__memory_fail_after(0);
        assert_true(status == KN_ENOMEM || (status == KN_OK && sum == 2 && chosen[1]));
        kn__hitting_set_clear(&h);
        assert_int_equal(kn_memory_in_use(), before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hitting),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
