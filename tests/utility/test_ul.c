/* UL of a record against whole numbers: the quotients are formed exactly, as 128-bit integers, and
 * rounded once. */
#include "base/rng.h"
#include "utility/ul.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/transact.h"

static double ul(const uint64_t *size, size_t items)
{
    const kn_ul_parts parts = kn_ul_add_up(size, items);

    return kn_ul_of(&parts);
}

static void assert_close(double got, double want)
{
    if (!(fabs(got - want) <= 1e-14 * fabs(want))) {
        fail_msg("%.17g instead of %.17g", got, want);
    }
}

/* The paper's Fig. 2a: E, F and (B,D) in records 0 and 1; (B,C,F) and (D,E) in 2 and 3. */
static void test_paper(void **state)
{
    (void)state;
    assert_close(ul((uint64_t[]){1, 1, 2}, 3), (1 + 1 + 3) / 15.0);
    assert_close(ul((uint64_t[]){3, 2}, 2), (7 + 3) / 31.0);
    assert_close(ul((uint64_t[]){3}, 1), 1);
    assert_close(ul((uint64_t[]){1}, 1), 1);
    assert_true(ul(NULL, 0) == 0);
}

static void test_whole_numbers(void **state)
{
    kn_rng r;

    (void)state;
    kn_rng_seed(&r, 11, 0);
    for (int n = 0; n < 20000; n++) {
        uint64_t size[12];
        const size_t items = 1 + (size_t)kn_rng_below(&r, 12);
        const uint64_t most = 1 + kn_rng_below(&r, 10);
        tr_u128 above = 0;
        uint64_t sigma = 0;
        for (size_t i = 0; i < items; i++) {
            size[i] = 1 + kn_rng_below(&r, most);
            above += ((tr_u128)1 << size[i]) - 1;
            sigma += size[i];
        }
        assert_close(ul(size, items), tr_quotient(above, ((tr_u128)1 << sigma) - 1));
    }
}

/* Sizes that no double holds as powers: what is left is the difference of the exponents. */
static void test_large(void **state)
{
    (void)state;
    for (uint64_t size = 1; size <= 1 << 20; size = size * 2 + 1) {
        assert_close(ul((uint64_t[]){size}, 1), 1);
        assert_true(ul((uint64_t[]){size, size}, 2) < 1);
    }
    assert_close(ul((uint64_t[]){1000000, 1}, 2), 0.5);
    assert_close(ul((uint64_t[]){1000000, 3}, 2), 0.125);
    assert_close(ul((uint64_t[]){2000, 10, 5}, 3), ldexp(1, -15));
    assert_true(ul((uint64_t[]){1000000, 1000000}, 2) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
