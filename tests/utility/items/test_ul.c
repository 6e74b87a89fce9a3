/* UL of a record against whole numbers: the quotients are formed exactly, as 128-bit integers, and
 * rounded once. */
#include "base/memory.h"
#include "base/rng.h"
#include "kanon/measure.h"
#include "utility/items/ul.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/transact.h"
#include "utility/lists.h"

static double ul(const uint64_t *size, size_t items)
{
    const kn_ul_parts parts = kn__ul_add_up(size, NULL, items);

    return kn__ul_of(&parts);
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
    kn__rng_seed(&r, 11, 0);
    for (int n = 0; n < 20000; n++) {
        uint64_t size[12];
        const size_t items = 1 + (size_t)kn__rng_below(&r, 12);
        const uint64_t most = 1 + kn__rng_below(&r, 10);
        tr_u128 above = 0;
        uint64_t sigma = 0;
        for (size_t i = 0; i < items; i++) {
            size[i] = 1 + kn__rng_below(&r, most);
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

/* ---- of a release ---- */

static double measured(kn_type type, const char *const *original, size_t records,
                       const char *const *release, size_t released, const char *hierarchy)
{
    kn_dataset *from = lists(type, original, records);
    kn_dataset *to = lists(type == KN_TYPE_SET ? type : KN_TYPE_BAG, release, released);
    kn_hierarchies *hs = hierarchy ? tree(hierarchy) : NULL;
    kn_measures *m;
    kn_error err = {0};
    double value;

    if (kn_measure(&m, from, to, NULL, hs, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    value = kn_measures_value(m, "ul", NULL);
    kn_measures_free(m);
    kn_hierarchies_free(hs);
    kn_dataset_free(from);
    kn_dataset_free(to);
    return value;
}

static void test_sets(void **state)
{
    const char *const original[] = {"a b c", "a d", "", "c d", "b"};
    const char *const release[] = {"{a,b} c", "{a,b} d", "", "c d", "{a,b}"};
    const char *const starred[] = {"*", "a d", "", "c d", "b"};

    (void)state;
    assert_close(measured(KN_TYPE_SET, original, 5, original, 5, NULL),
                 (3 / 7.0 + 2 / 3.0 + 0 + 2 / 3.0 + 1) / 5);
    assert_close(measured(KN_TYPE_SET, original, 5, release, 5, NULL),
                 (4 / 7.0 + 4 / 7.0 + 0 + 2 / 3.0 + 1) / 5);
    assert_close(measured(KN_TYPE_SET, original, 5, starred, 5, NULL),
                 (1 + 2 / 3.0 + 0 + 2 / 3.0 + 1) / 5);
    /* The first record is not there. */
    assert_close(measured(KN_TYPE_SET, original, 5, release + 1, 4, NULL),
                 (1 + 4 / 7.0 + 0 + 2 / 3.0 + 1) / 5);
    assert_true(isnan(measured(KN_TYPE_SET, original, 0, original, 0, NULL)));
}

static void test_nodes(void **state)
{
    const char *const tree_text = "apple;fruit;food\npear;fruit;food\nplum;fruit;food\n"
                                  "leek;roots;food\nbeet;roots;food\n";
    const char *const original[] = {"apple pear leek", "plum beet", "leek"};
    const char *const release[] = {"fruit leek", "fruit roots", "food"};
    const char *const bags[] = {"fruit fruit leek", "fruit roots", "food"};

    (void)state;
    assert_close(measured(KN_TYPE_SET, original, 3, release, 3, tree_text),
                 ((7 + 1) / 15.0 + (7 + 3) / 31.0 + 1) / 3);
    assert_close(measured(KN_TYPE_BAG, original, 3, bags, 3, tree_text),
                 ((7 + 7 + 1) / 127.0 + (7 + 3) / 31.0 + 1) / 3);
}

/* Two nodes are called "other": the one above the record's items is meant. */
static void test_labels(void **state)
{
    const char *const tree_text = "a;other;x;all\nb;other;x;all\nc;named;x;all\n"
                                  "d;p;other;all\ne;q;other;all\nf;q;other;all\n";
    const char *const original[] = {"a c", "d c"}, *const release[] = {"other c", "other c"};

    (void)state;
    assert_close(measured(KN_TYPE_SET, original, 2, release, 2, tree_text),
                 ((3 + 1) / 7.0 + (7 + 1) / 15.0) / 2);
}

/* A range counts the values of the original in it. */
static void test_ranges(void **state)
{
    const char *const original[] = {"1 2 40", "3 40", "100"};
    const char *const release[] = {"[1,3] [1,3] 40", "[1,3] 40", "100"};

    (void)state;
    assert_close(measured(KN_TYPE_NUMBERS, original, 3, release, 3, NULL),
                 ((7 + 7 + 1) / 127.0 + (7 + 1) / 15.0 + 1) / 3);
}

/* Left out everywhere: what is published counts, and a record without anything left counts 1. */
static void test_left_out(void **state)
{
    const char *const original[] = {"a b x", "a b", "x", "a"};
    const char *const release[] = {"a b", "a b", "", "a"};

    (void)state;
    assert_close(measured(KN_TYPE_SET, original, 4, release, 4, NULL),
                 (2 / 3.0 + 2 / 3.0 + 1 + 1) / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),  cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_large),  cmocka_unit_test(test_sets),
        cmocka_unit_test(test_nodes),  cmocka_unit_test(test_labels),
        cmocka_unit_test(test_ranges), cmocka_unit_test(test_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
