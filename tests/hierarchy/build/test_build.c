/* test_build.c - hierarchies made from columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "data/value.h"
#include "hierarchy/build/builds.h"
#include "oracle/hierarchy_column.h"

static void test_width(void **state)
{
    (void)state;
    builds(COLUMN(KN_TYPE_INTEGER, "17", "20", "29", "45", ""),
           (kn_build_options){.kind = KN_BUILD_WIDTH, .width = 10},
           "17;[10,19];[0,19];[0,39];*\n20;[20,29];[20,39];[0,39];*\n"
           "29;[20,29];[20,39];[0,39];*\n45;[40,49];[40,59];[40,79];*\n");
    builds(COLUMN(KN_TYPE_INTEGER, "17", "20", "29", "45"),
           (kn_build_options){.kind = KN_BUILD_WIDTH, .width = 10, .origin = 5, .fanout = 4},
           "17;[15,24];*\n20;[15,24];*\n29;[25,34];*\n45;[45,54];*\n");
    builds(COLUMN(KN_TYPE_INTEGER, "-5", "-1", "0", "12"),
           (kn_build_options){.kind = KN_BUILD_WIDTH, .width = 5},
           "-5;[-5,-1];[-5,-1];[-5,-1];*\n-1;[-5,-1];[-5,-1];[-5,-1];*\n"
           "0;[0,4];[0,9];[0,19];*\n12;[10,14];[10,19];[0,19];*\n");
    builds(COLUMN(KN_TYPE_DECIMAL, "0.1", "0.35", "0.9"),
           (kn_build_options){.kind = KN_BUILD_WIDTH, .width = 0.1, .fanout = 10},
           "0.1;[0.10,0.19];*\n0.35;[0.30,0.39];*\n0.9;[0.90,0.99];*\n");
    /* Half units: boundaries 0, 2.5, 5 */
    builds(COLUMN(KN_TYPE_INTEGER, "1", "2", "3", "5"),
           (kn_build_options){.kind = KN_BUILD_WIDTH, .width = 2.5, .fanout = 3},
           "1;[0,2];*\n2;[0,2];*\n3;[3,4];*\n5;[5,7];*\n");
    builds(COLUMN(KN_TYPE_INTEGER, "3", "4"),
           (kn_build_options){.kind = KN_BUILD_WIDTH, .width = 10}, "3;*\n4;*\n");
    /* Chosen: (1000 - 1 + 1) / 20 = 50 */
    builds(COLUMN(KN_TYPE_INTEGER, "1", "1000"),
           (kn_build_options){.kind = KN_BUILD_WIDTH, .fanout = 50},
           "1;[0,49];*\n1000;[1000,1049];*\n");
    refuses(COLUMN(KN_TYPE_INTEGER, "1", "9"),
            (kn_build_options){.kind = KN_BUILD_WIDTH, .width = 0.5}, KN_EUSAGE, "narrower");
    refuses(COLUMN(KN_TYPE_INTEGER, "1", "9"),
            (kn_build_options){.kind = KN_BUILD_WIDTH, .width = -1}, KN_EUSAGE, "width");
    refuses(COLUMN(KN_TYPE_INTEGER, "1", "900000000"),
            (kn_build_options){.kind = KN_BUILD_WIDTH, .width = 1}, KN_EUSAGE, "wider");
    /* Their ends could not be counted in units. */
    refuses(COLUMN(KN_TYPE_DECIMAL, "-3", "2.5"),
            (kn_build_options){.kind = KN_BUILD_WIDTH, .width = 1e300}, KN_EUSAGE,
            "use at most 9e+14");
    builds(COLUMN(KN_TYPE_INTEGER, "-1", "5"),
           (kn_build_options){.kind = KN_BUILD_WIDTH, .width = 9e15},
           "-1;[-9000000000000000,-1];*\n5;[0,8999999999999999];*\n");
    refuses(COLUMN(KN_TYPE_INTEGER, "1", "9"),
            (kn_build_options){.kind = KN_BUILD_WIDTH, .fanout = 1}, KN_EUSAGE, "fanout");
    refuses(COLUMN(KN_TYPE_CATEGORY, "a"), (kn_build_options){.kind = KN_BUILD_WIDTH}, KN_EUSAGE,
            "no numbers");
    refuses(COLUMN(KN_TYPE_DECIMAL, "9.7e0", "1"), (kn_build_options){.kind = KN_BUILD_WIDTH},
            KN_EINPUT, "exponents");
    refuses(COLUMN(KN_TYPE_DECIMAL, "1e300", "1"), (kn_build_options){.kind = KN_BUILD_WIDTH},
            KN_EINPUT, "40 digits");
    refuses(COLUMN(KN_TYPE_INTEGER, "", ""), (kn_build_options){.kind = KN_BUILD_WIDTH}, KN_EINPUT,
            "no values");
}

static void test_frequency(void **state)
{
    (void)state;
    builds(COLUMN(KN_TYPE_INTEGER, "1", "2", "5", "6", "9", "10"),
           (kn_build_options){.kind = KN_BUILD_FREQUENCY, .ranges = 3},
           "1;[1,4];[1,8];*\n2;[1,4];[1,8];*\n5;[5,8];[1,8];*\n6;[5,8];[1,8];*\n"
           "9;[9,10];[9,10];*\n10;[9,10];[9,10];*\n");
    /* One value holds most records; the rest is shared evenly. */
    builds(COLUMN(KN_TYPE_INTEGER, "1", "1", "1", "1", "1", "1", "2", "3", "4", "5"),
           (kn_build_options){.kind = KN_BUILD_FREQUENCY, .ranges = 3, .fanout = 3},
           "1;1;*\n2;[2,3];*\n3;[2,3];*\n4;[4,5];*\n5;[4,5];*\n");
    builds(COLUMN(KN_TYPE_INTEGER, "1", "2"), (kn_build_options){.kind = KN_BUILD_FREQUENCY},
           "1;*\n2;*\n");
    /* Two spellings of one number stay together. */
    builds(COLUMN(KN_TYPE_DECIMAL, "1", "1.0", "2"),
           (kn_build_options){.kind = KN_BUILD_FREQUENCY, .ranges = 3},
           "1;[1.0,1.9];*\n1.0;[1.0,1.9];*\n2;2.0;*\n");
}

static void test_cuts(void **state)
{
    static const double far[] = {0, 1e17};
    static const double cuts[] = {18, 30, 65}, bad[] = {30, 18}, half[] = {1.5};
    static const double wide[] = {-5, 0, 18, 65, 120, 200};

    (void)state;
    builds(COLUMN(KN_TYPE_INTEGER, "3", "17", "18", "64", "65", "90"),
           (kn_build_options){.kind = KN_BUILD_CUTS, .cuts = cuts, .cuts_count = 3},
           "3;[3,17];[3,29];*\n17;[3,17];[3,29];*\n18;[18,29];[3,29];*\n64;[30,64];[30,90];*\n"
           "65;[65,90];[30,90];*\n90;[65,90];[30,90];*\n");
    builds(COLUMN(KN_TYPE_DECIMAL, "1.4", "1.5", "2"),
           (kn_build_options){.kind = KN_BUILD_CUTS, .cuts = half, .cuts_count = 1},
           "1.4;1.4;*\n1.5;[1.5,2.0];*\n2;[1.5,2.0];*\n");
    /* Cuts around the data: the labels do not show its ends. */
    builds(COLUMN(KN_TYPE_INTEGER, "3", "17", "64", "65"),
           (kn_build_options){.kind = KN_BUILD_CUTS, .cuts = wide, .cuts_count = 6, .fanout = 3},
           "3;[0,17];*\n17;[0,17];*\n64;[18,64];*\n65;[65,119];*\n");
    /* Units of a hundred: no zeros before a number. */
    builds(COLUMN(KN_TYPE_INTEGER, "-1", "5"),
           (kn_build_options){.kind = KN_BUILD_CUTS, .cuts = far, .cuts_count = 2},
           "-1;[-100,-1];*\n5;[0,99999999999999999];*\n");
    refuses(COLUMN(KN_TYPE_INTEGER, "3"),
            (kn_build_options){.kind = KN_BUILD_CUTS, .cuts = bad, .cuts_count = 2}, KN_EUSAGE,
            "grow");
    refuses(COLUMN(KN_TYPE_INTEGER, "3"), (kn_build_options){.kind = KN_BUILD_CUTS}, KN_EUSAGE,
            "cut");
}

static void test_dates(void **state)
{
    (void)state;
    builds(COLUMN(KN_TYPE_DATE, "2020-03-31", "2019-12-01", ""),
           (kn_build_options){.kind = KN_BUILD_DATES},
           "2019-12-01;2019-12;2019-Q4;2019;2010s;*\n2020-03-31;2020-03;2020-Q1;2020;2020s;*\n");
    refuses(COLUMN(KN_TYPE_CATEGORY, "x"), (kn_build_options){.kind = KN_BUILD_DATES}, KN_EUSAGE,
            "no dates");
}

static void test_texts(void **state)
{
    static const size_t lengths[] = {3, 1}, bad[] = {1, 3}, zero[] = {0};

    (void)state;
    builds(COLUMN(KN_TYPE_CATEGORY, "250", "250.1", "39", "V2", ""),
           (kn_build_options){.kind = KN_BUILD_PREFIX, .lengths = lengths, .lengths_count = 2},
           "250;250*;2*;*\n250.1;250*;2*;*\n39;39;3*;*\nV2;V2;V*;*\n");
    builds(COLUMN(KN_TYPE_CATEGORY, "abc", "ab", "\xC3\xA4x"),
           (kn_build_options){.kind = KN_BUILD_PREFIX},
           "ab;ab*;a*;*\nabc;ab*;a*;*\n\xC3\xA4x;\xC3\xA4x*;\xC3\xA4*;*\n");
    builds(COLUMN(KN_TYPE_CATEGORY, "1234", "1299", "77"),
           (kn_build_options){.kind = KN_BUILD_MASK},
           "1234;123*;12**;1***;*\n1299;129*;12**;1***;*\n77;7*;**;**;*\n");
    builds(COLUMN(KN_TYPE_CATEGORY, "a", "b"), (kn_build_options){.kind = KN_BUILD_MASK},
           "a;*\nb;*\n");
    builds(COLUMN(KN_TYPE_CATEGORY, "a", "b", "c", "d", "e"),
           (kn_build_options){.kind = KN_BUILD_FANOUT, .fanout = 2},
           "a;{a..b};{a..d};*\nb;{a..b};{a..d};*\nc;{c..d};{a..d};*\nd;{c..d};{a..d};*\ne;e;e;*\n");
    builds(COLUMN(KN_TYPE_CATEGORY, "a", "b", "c", "d", "e"),
           (kn_build_options){.kind = KN_BUILD_FANOUT}, "a;*\nb;*\nc;*\nd;*\ne;*\n");
    builds(COLUMN(KN_TYPE_INTEGER, "9", "10", "11"),
           (kn_build_options){.kind = KN_BUILD_FANOUT, .fanout = 2},
           "9;[9,10];*\n10;[9,10];*\n11;11;*\n");
    builds(
        COLUMN(KN_TYPE_CATEGORY, "a", "a..b", "b..c", "x,y", "z"),
        (kn_build_options){.kind = KN_BUILD_FANOUT, .fanout = 2},
        "a;\"{a..\"\"a..b\"\"}\";\"{a..\"\"x,y\"\"}\";*\na..b;\"{a..\"\"a..b\"\"}\";\"{a..\"\"x,y\"\"}\";*\n"
        "b..c;\"{\"\"b..c\"\"..\"\"x,y\"\"}\";\"{a..\"\"x,y\"\"}\";*\n"
        "x,y;\"{\"\"b..c\"\"..\"\"x,y\"\"}\";\"{a..\"\"x,y\"\"}\";*\nz;z;z;*\n");
    refuses(COLUMN(KN_TYPE_CATEGORY, "a"),
            (kn_build_options){.kind = KN_BUILD_PREFIX, .lengths = bad, .lengths_count = 2},
            KN_EUSAGE, "shorter");
    refuses(COLUMN(KN_TYPE_CATEGORY, "a"),
            (kn_build_options){.kind = KN_BUILD_PREFIX, .lengths = zero, .lengths_count = 1},
            KN_EUSAGE, "at least 1");
    refuses(COLUMN(KN_TYPE_CATEGORY, "a"), (kn_build_options){.kind = KN_BUILD_FANOUT, .fanout = 1},
            KN_EUSAGE, "fanout");
    refuses(COLUMN(KN_TYPE_CATEGORY, "a", "*"), (kn_build_options){.kind = KN_BUILD_MASK},
            KN_EINPUT, "\"*\"");
    refuses(COLUMN(KN_TYPE_CATEGORY, "a"), (kn_build_options){.kind = (kn_build_kind)99}, KN_EUSAGE,
            "unknown");
}

/* Every range label holds exactly the numbers below it, whatever the width, fanout and precision.
 */
static void test_random_ranges(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 5, 0);
    for (int round = 0; round < 300; round++) {
        const unsigned decimals = (unsigned)kn__rng_below(&rng, 3);
        const double cuts[] = {-10.5, 0.25, 3, 40};
        char text[30][32];
        const char *texts[31];
        const size_t count = 1 + kn__rng_below(&rng, 30);
        kn_build_options options = {
            .kind = (kn_build_kind)kn__rng_below(&rng, 3),
            .width = kn__rng_below(&rng, 2) ? 1 + kn__rng_double(&rng) * 20 : 0,
            .origin = (double)kn__rng_below(&rng, 7),
            .ranges = 1 + kn__rng_below(&rng, 9),
            .cuts = cuts,
            .cuts_count = 4,
            .fanout = kn__rng_below(&rng, 2) ? 2 + kn__rng_below(&rng, 4) : 0};
        kn_hierarchy *h = NULL;
        kn_dataset *ds;

        for (size_t i = 0; i < count; i++) {
            snprintf(text[i], sizeof text[i], "%.*f", (int)decimals,
                     kn__rng_double(&rng) * 200 - 80);
            texts[i] = text[i];
        }
        texts[count] = NULL;
        ds = column_of(KN_TYPE_DECIMAL, texts);
        assert_int_equal(kn_hierarchy_build(&h, ds, 0, &options, NULL), KN_OK);
        assert_true(kn__hierarchy_validate(h, NULL));
        for (uint32_t i = 0; i < h->leaves; i++) {
            const char *leaf = kn__hierarchy_label(h, i);
            double value;
            unsigned digits;

            assert_true(kn__number_parse(leaf, strlen(leaf), &value, &digits));
            for (uint32_t at = h->parent[i]; h->parent[at] != at; at = h->parent[at]) {
                const char *label = kn__hierarchy_label(h, at), *comma = strchr(label, ',');
                double low, high;

                if (!comma) {
                    assert_true(kn__number_parse(label, strlen(label), &low, &digits));
                    assert_true(value == low);
                    continue;
                }
                assert_true(
                    kn__number_parse(label + 1, (size_t)(comma - label) - 1, &low, &digits));
                assert_true(kn__number_parse(comma + 1, strlen(comma + 1) - 1, &high, &digits));
                assert_int_equal(digits, ds->column[0].decimals);
                assert_true(low <= value && value <= high);
            }
        }
        /* Siblings do not overlap: a number in a label's range lies below that node. */
        for (uint32_t node = h->leaves; node + 1 < h->nodes; node++) {
            const char *label = kn__hierarchy_label(h, node), *comma = strchr(label, ',');
            double low, high, value;
            unsigned digits;

            if (!comma) {
                continue;
            }
            kn__number_parse(label + 1, (size_t)(comma - label) - 1, &low, &digits);
            kn__number_parse(comma + 1, strlen(comma + 1) - 1, &high, &digits);
            for (uint32_t i = 0; i < h->leaves; i++) {
                const char *leaf = kn__hierarchy_label(h, i);
                uint32_t at = i;

                kn__number_parse(leaf, strlen(leaf), &value, &digits);
                while (h->depth[at] > h->depth[node]) {
                    at = h->parent[at];
                }
                assert_int_equal(at == node, low <= value && value <= high);
            }
        }
        kn_hierarchy_free(h);
        kn_dataset_free(ds);
    }
}

/* Compare two numbers as they are written, digit by digit. */
static int by_digits(const char *x, const char *y)
{
    const bool nx = *x == '-', ny = *y == '-';
    size_t wx, wy;
    int order = 0;

    x += nx;
    y += ny;
    x += strspn(x, "0");
    y += strspn(y, "0");
    wx = strspn(x, "0123456789");
    wy = strspn(y, "0123456789");
    if (wx != wy) {
        order = wx < wy ? -1 : 1;
    }
    for (size_t i = 0; order == 0 && i < wx; i++) {
        order = x[i] - y[i];
    }
    x += wx + (x[wx] == '.');
    y += wy + (y[wy] == '.');
    while (order == 0 && (*x || *y)) {
        order = (*x ? *x : '0') - (*y ? *y : '0');
        x += *x != 0;
        y += *y != 0;
    }
    return nx != ny ? (nx ? -1 : 1) : nx ? -order : order;
}

/* Numbers of more digits than a double holds: every label still holds what is below it, and nothing
 * else, as written and as read. */
static void test_long_numbers(void **state)
{
    static const char *const ends[] = {"",
                                       ".5",
                                       ".99999999999999",
                                       ".9999999999999999999999",
                                       ".00000000000000000001",
                                       ".360499999999999",
                                       ".123456789012345678"};
    kn_rng rng;

    (void)state;
    /* As few decimals as do. */
    builds(COLUMN(KN_TYPE_DECIMAL, "16827.6395", "2272.360499999999", "-0.1"),
           (kn_build_options){.kind = KN_BUILD_WIDTH, .width = 10000},
           "-0.1;[-10000.0,-0.1];[-10000.0,-0.1];*\n"
           "2272.360499999999;[0.0,9999.9];[0.0,19999.9];*\n"
           "16827.6395;[10000.0,19999.9];[0.0,19999.9];*\n");
    /* As a double this one is 200. */
    builds(COLUMN(KN_TYPE_DECIMAL, "1", "199.999999999999999997", "200"),
           (kn_build_options){.kind = KN_BUILD_WIDTH, .width = 100},
           "1;[0.000000000000000000,99.999999999999999999];"
           "[0.000000000000000000,199.999999999999999999];*\n"
           "199.999999999999999997;[100.000000000000000000,199.999999999999999999];"
           "[0.000000000000000000,199.999999999999999999];*\n"
           "200;[200.000000000000000000,299.999999999999999999];"
           "[200.000000000000000000,399.999999999999999999];*\n");
    kn__rng_seed(&rng, 6, 0);
    for (int round = 0; round < 2000; round++) {
        static const double widths[] = {100, 1000, 1.5, 25, 12.75, 0};
        const double cuts[] = {-1000, -0.5, 100, 20000};
        char text[30][64];
        const char *texts[31];
        const size_t count = 1 + kn__rng_below(&rng, 30);
        const unsigned huge = kn__rng_below(&rng, 8) == 0;
        kn_build_options options = {.kind = (kn_build_kind)kn__rng_below(&rng, 3),
                                    .width = huge ? 0 : widths[kn__rng_below(&rng, 6)],
                                    .ranges = 1 + kn__rng_below(&rng, 9),
                                    .cuts = cuts,
                                    .cuts_count = 4,
                                    .fanout = 2 + kn__rng_below(&rng, 3)};
        kn_hierarchy *h = NULL;
        kn_dataset *ds;
        kn_error err;

        for (size_t i = 0; i < count; i++) {
            snprintf(text[i], sizeof text[i], "%s%d%s%s", kn__rng_below(&rng, 2) ? "-" : "",
                     1 + (int)(kn__rng_below(&rng, 40) * (kn__rng_below(&rng, 2) ? 100 : 2551)),
                     huge ? "00000000123456789012" : "", ends[kn__rng_below(&rng, 7)]);
            texts[i] = text[i];
        }
        texts[count] = NULL;
        ds = column_of(KN_TYPE_DECIMAL, texts);
        if (kn_hierarchy_build(&h, ds, 0, &options, &err) != KN_OK) {
            fail_msg("%s", err.message);
        }
        assert_true(kn__hierarchy_validate(h, NULL));
        for (uint32_t node = h->leaves; node + 1 < h->nodes; node++) {
            char low[500], high[500];
            double a, b, value;
            unsigned digits;

            if (sscanf(kn__hierarchy_label(h, node), "[%499[^,],%499[^]]", low, high) != 2) {
                continue;
            }
            assert_true(by_digits(low, high) < 0);
            assert_true(kn__number_parse(low, strlen(low), &a, &digits));
            assert_true(kn__number_parse(high, strlen(high), &b, &digits));
            for (uint32_t i = 0; i < h->leaves; i++) {
                const char *leaf = kn__hierarchy_label(h, i);
                uint32_t at = i;

                while (h->depth[at] > h->depth[node]) {
                    at = h->parent[at];
                }
                assert_int_equal(at == node,
                                 by_digits(low, leaf) <= 0 && by_digits(leaf, high) <= 0);
                assert_true(kn__number_parse(leaf, strlen(leaf), &value, &digits));
                assert_true(at != node || (a <= value && value <= b));
            }
        }
        kn_hierarchy_free(h);
        kn_dataset_free(ds);
    }
    /* A precision that no double has. */
    refuses(COLUMN(KN_TYPE_DECIMAL, "100000000000000000000000", "100000000000000000000999"),
            (kn_build_options){.kind = KN_BUILD_WIDTH, .width = 10}, KN_EUSAGE, "narrower");
    refuses(COLUMN(KN_TYPE_DECIMAL, "-1e-20", "0.00000000000000000001"),
            (kn_build_options){.kind = KN_BUILD_WIDTH, .width = 10}, KN_EINPUT, "exponents");
}

static void test_no_memory(void **state)
{
    static const double cuts[] = {2};
    kn_dataset *numbers = COLUMN(KN_TYPE_INTEGER, "1", "2", "3", "40");

    (void)state;
    for (int kind = KN_BUILD_WIDTH; kind <= KN_BUILD_FANOUT; kind++) {
        const kn_build_options options = {
            .kind = (kn_build_kind)kind, .cuts = cuts, .cuts_count = 1, .fanout = 2};
        const size_t before = kn_memory_in_use();
        kn_status status = KN_ENOMEM;

        for (size_t n = 1; status == KN_ENOMEM; n++) {
            kn_hierarchy *h = NULL;

            kn__memory_fail_after(n);
            status = kn_hierarchy_build(&h, numbers, 0, &options, NULL);
            kn__memory_fail_after(0);
            assert_true(status == KN_OK || status == KN_ENOMEM || kind == KN_BUILD_DATES);
            kn_hierarchy_free(h);
            assert_int_equal(kn_memory_in_use(), before);
        }
    }
    kn_dataset_free(numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_width),        cmocka_unit_test(test_frequency),
        cmocka_unit_test(test_cuts),         cmocka_unit_test(test_dates),
        cmocka_unit_test(test_texts),        cmocka_unit_test(test_random_ranges),
        cmocka_unit_test(test_long_numbers), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
