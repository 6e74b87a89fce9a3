/* Tests of guarantees/sigma_km.c. */
#include "kanon/guarantee.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* A vector that is shorter than m repeats its last entry. */
static void test_vectors(void **state)
{
    const kn_guarantee g = {.kind = KN_SIGMA_KM_ANONYMITY,
                            .k = 5,
                            .m = 7,
                            .k_of_size = {20, 20, 10},
                            .sigma = {1, 1, 1, 1, 0.99}};
    const kn_guarantee one = {.kind = KN_SIGMA_KM_ANONYMITY, .k = 5, .m = 7, .sigma = {0.9}};
    kn_guarantee all = one;

    (void)state;
    assert_true(kn_guarantee_sigma(&g, 1) == 1 && kn_guarantee_sigma(&g, 4) == 1);
    assert_true(kn_guarantee_sigma(&g, 5) == 0.99 && kn_guarantee_sigma(&g, 32) == 0.99);
    assert_int_equal(kn_guarantee_k(&g, 2), 20);
    assert_int_equal(kn_guarantee_k(&g, 3), 10);
    assert_int_equal(kn_guarantee_k(&g, 32), 10);
    assert_int_equal(kn_guarantee_k(&one, 3), 5);
    assert_true(kn_guarantee_sigma(&one, 7) == 0.9);
    assert_true(kn_guarantee_exact(&one, 4) && !kn_guarantee_exact(&one, 5));
    all.exact_up_to = KN_SAMPLE_ALL;
    assert_false(kn_guarantee_exact(&all, 1));
    all.exact_up_to = 6;
    assert_true(kn_guarantee_exact(&all, 6) && !kn_guarantee_exact(&all, 7));
    all.sigma[0] = 1;
    assert_true(kn_guarantee_exact(&all, 30));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
