/* Distributions against counting by hand: every bar's label is read back and its records are
 * counted again from the plain values, and no bar gives a rare value away. */
#include "base/memory.h"
#include "base/rng.h"
#include "data/value.h"
#include "report/facts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RARE = 5 };

static kn_dataset *one_column(const char *const *cells, size_t count, kn_type type)
{
    static const char *const names[] = {"x"};
    kn_dataset_builder *b;
    kn_schema *schema;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "x", KN_ROLE_QUASI, NULL), KN_OK);
    if (type != KN_TYPE_AUTO) {
        assert_int_equal(kn_schema_set_type(schema, "x", type, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, names, 1, schema, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(kn_dataset_builder_add(b, &cells[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

/* A table of `count` cells of at most 23 bytes. */
typedef char cell[24];

static kn_dataset *table_of(cell *cells, size_t count, kn_type type)
{
    const char **texts = calloc(count + 1, sizeof *texts);
    kn_dataset *ds;

    for (size_t i = 0; i < count; i++) {
        texts[i] = cells[i][0] ? cells[i] : NULL;
    }
    ds = one_column(texts, count, type);
    free(texts);
    return ds;
}

static double value_of(const char *text, bool date)
{
    double x;
    unsigned decimals;

    if (date) {
        assert_true(kn__date_parse(text, strlen(text), &x));
    } else {
        assert_true(kn__number_parse(text, strlen(text), &x, &decimals));
    }
    return x;
}

/* Whether `x` is in the range that `label` says. */
static bool in_range(const char *label, double x, bool date)
{
    char low[64], high[64];

    if (strcmp(label, "all values") == 0) {
        return true;
    }
    if (sscanf(label, "below %63s", high) == 1 || sscanf(label, "before %63s", high) == 1) {
        return x < value_of(high, date);
    }
    if (strstr(label, " or more") || strstr(label, " or later")) {
        assert_int_equal(sscanf(label, "%63s or ", low), 1);
        return x >= value_of(low, date);
    }
    if (sscanf(label, "%63s to under %63s", low, high) == 2) {
        return x >= value_of(low, date) && x < value_of(high, date);
    }
    if (sscanf(label, "%63s to %63s", low, high) == 2) {
        return x >= value_of(low, date) && x <= value_of(high, date);
    }
    return x == value_of(label, date);
}

static void check_ranges(const kn_bars *b, cell *cells, size_t count, bool date)
{
    size_t sum = b->rare_records, valued = 0;

    for (size_t i = 0; i < count; i++) {
        valued += cells[i][0] != 0;
    }
    assert_true(b->count <= KN_REPORT_BARS + 1);
    for (size_t i = 0; i < b->count; i++) {
        size_t expected = 0;

        for (size_t j = 0; j < count; j++) {
            expected += b->bar[i].label ? cells[j][0] && in_range(b->bar[i].label,
                                                                  value_of(cells[j], date), date)
                                        : !cells[j][0];
        }
        assert_int_equal(b->bar[i].records, expected);
        /* Nobody stands alone in a bar, and the ends do not say who is the oldest. */
        assert_true(expected == 0 || expected >= RARE || valued < RARE);
        sum += expected;
    }
    assert_int_equal(sum, count);
    if (b->count && b->bar[0].label && valued) {
        assert_true(b->bar[0].records > 0);
        assert_true(strncmp(b->bar[0].label, "below ", 6) == 0 ||
                    strncmp(b->bar[0].label, "before ", 7) == 0 ||
                    strcmp(b->bar[0].label, "all values") == 0);
    }
}

static void random_ranges(kn_type type, uint64_t seed)
{
    static cell cells[400];
    kn_rng r;

    kn__rng_seed(&r, seed, 0);
    for (unsigned round = 0; round < 400; round++) {
        const size_t count = kn__rng_below(&r, 400);
        const double scale = pow(10, (double)kn__rng_below(&r, 7));
        const bool skewed = kn__rng_below(&r, 2);
        const double shift = kn__rng_below(&r, 2) ? 0 : -scale / 2;
        kn_dataset *ds;
        kn_bars bars;

        for (size_t i = 0; i < count; i++) {
            double x = kn__rng_double(&r) * scale;

            x = skewed ? x * x * x / scale / scale : x;
            memset(cells[i], 0, sizeof cells[i]);
            if (kn__rng_below(&r, 30) == 0) {
                continue;
            }
            if (type == KN_TYPE_DATE) {
                kn_buffer b = {0};
                kn__date_format(&b, floor(fmod(x, 60000)));
                (void)snprintf(cells[i], sizeof cells[i], "%s", b.data);
                kn__buffer_free(&b);
            } else {
                (void)snprintf(cells[i], sizeof cells[i], "%.*f", type == KN_TYPE_INTEGER ? 0 : 2,
                               x + shift);
            }
        }
        ds = table_of(cells, count, type);
        assert_int_equal(kn__bars_count(&bars, ds, 0, RARE, NULL), KN_OK);
        if (bars.binned) {
            check_ranges(&bars, cells, count, type == KN_TYPE_DATE);
        }
        kn__bars_clear(&bars);
        kn_dataset_free(ds);
    }
}

static void test_ranges_of_integers(void **state)
{
    (void)state;
    random_ranges(KN_TYPE_INTEGER, 1);
}

static void test_ranges_of_decimals(void **state)
{
    (void)state;
    random_ranges(KN_TYPE_DECIMAL, 2);
}

static void test_ranges_of_dates(void **state)
{
    (void)state;
    random_ranges(KN_TYPE_DATE, 3);
}

static void test_values_by_hand(void **state)
{
    static cell cells[600];
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 4, 0);
    for (unsigned round = 0; round < 500; round++) {
        const size_t count = kn__rng_below(&r, 600), kinds = 1 + kn__rng_below(&r, 60);
        size_t sum, values = 0, seen[64] = {0};
        kn_dataset *ds;
        kn_bars bars;

        for (size_t i = 0; i < count; i++) {
            const size_t kind = kn__rng_below(&r, 1 + kn__rng_below(&r, kinds));

            memset(cells[i], 0, sizeof cells[i]);
            if (kind) { /* kind 0 is missing */
                (void)snprintf(cells[i], sizeof cells[i], "v%zu", kind);
            }
            seen[kind]++;
        }
        for (size_t i = 0; i < 64; i++) {
            values += seen[i] > 0;
        }
        ds = table_of(cells, count, KN_TYPE_CATEGORY);
        assert_int_equal(kn__bars_count(&bars, ds, 0, RARE, NULL), KN_OK);
        sum = bars.more_records + bars.rare_records;
        assert_false(bars.binned);
        assert_true(bars.count <= KN_REPORT_BARS);
        assert_int_equal(bars.values, values);
        assert_int_equal(bars.count + bars.more_values + bars.rare_values, values);
        for (size_t i = 0; i < bars.count; i++) {
            const size_t kind = bars.bar[i].label ? (size_t)atoi(bars.bar[i].label + 1) : 0;

            assert_int_equal(bars.bar[i].records, seen[kind]);
            assert_true(bars.bar[i].records >= RARE);
            assert_true(i == 0 || bars.bar[i].records <= bars.bar[i - 1].records);
            sum += bars.bar[i].records;
        }
        assert_int_equal(sum, count);
        assert_true(bars.more_values == 0 || bars.count == KN_REPORT_BARS);
        kn__bars_clear(&bars);
        kn_dataset_free(ds);
    }
}

static void test_published_ranges_in_order(void **state)
{
    static const char *const cells[] = {"[100,120]", "[100,120]", "[100,120]", "[100,120]",
                                        "[100,120]", "*",         "*",         "*",
                                        "*",         "*",         "*",         "*",
                                        "[20,39]",   "[20,39]",   "[20,39]",   "[20,39]",
                                        "[20,39]",   "[20,39]",   "7",         "7",
                                        "7",         "7",         "7",         "[5,6]"};
    static const char *const expected[] = {"7", "[20,39]", "[100,120]", "*"};
    kn_dataset *ds = one_column(cells, sizeof cells / sizeof *cells, KN_TYPE_CATEGORY);
    kn_bars bars;

    (void)state;
    assert_int_equal(kn__bars_count(&bars, ds, 0, RARE, NULL), KN_OK);
    assert_int_equal(bars.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(bars.bar[i].label, expected[i]);
    }
    assert_int_equal(bars.rare_values, 1);
    assert_int_equal(bars.rare_records, 1);
    kn__bars_clear(&bars);
    kn_dataset_free(ds);
}

/* Bands, and sets of them, are in the order of their numbers, not of their records. */
static void test_bands_in_order(void **state)
{
    static const char *const bands[] = {"65+",    "[100-110)", "{18-24,25-64}", "<18",
                                        "[0-10)", "18-24",     "(90,100]"};
    static const char *const expected[] = {"<18", "[0-10)",   "18-24",    "{18-24,25-64}",
                                           "65+", "(90,100]", "[100-110)"};
    enum { BANDS = sizeof bands / sizeof *bands };
    const char *cells[BANDS * (RARE + BANDS)];
    size_t count = 0;
    kn_dataset *ds;
    kn_bars bars;

    (void)state;
    for (size_t i = 0; i < BANDS; i++) {
        for (size_t j = 0; j < RARE + i; j++) {
            cells[count++] = bands[i];
        }
    }
    ds = one_column(cells, count, KN_TYPE_CATEGORY);
    assert_int_equal(kn__bars_count(&bars, ds, 0, RARE, NULL), KN_OK);
    assert_int_equal(bars.count, BANDS);
    assert_true(bars.ordered);
    for (size_t i = 0; i < BANDS; i++) {
        assert_string_equal(bars.bar[i].label, expected[i]);
    }
    kn__bars_clear(&bars);
    kn_dataset_free(ds);
}

static void test_lists_count_records(void **state)
{
    static const char *const cells[] = {"a|b", "a|a|a", "a", "b|a", "a|c", "a", NULL};
    kn_dataset *ds = one_column(cells, sizeof cells / sizeof *cells, KN_TYPE_BAG);
    kn_bars bars;

    (void)state;
    assert_int_equal(kn__bars_count(&bars, ds, 0, 2, NULL), KN_OK);
    assert_int_equal(bars.count, 2);
    assert_string_equal(bars.bar[0].label, "a");
    assert_int_equal(bars.bar[0].records, 6);
    assert_string_equal(bars.bar[1].label, "b");
    assert_int_equal(bars.bar[1].records, 2);
    kn__bars_clear(&bars);
    kn_dataset_free(ds);
}

static void test_empty_table(void **state)
{
    kn_dataset *ds = one_column(NULL, 0, KN_TYPE_AUTO);
    kn_bars bars;

    (void)state;
    assert_int_equal(kn__bars_count(&bars, ds, 0, RARE, NULL), KN_OK);
    assert_int_equal(bars.count, 0);
    kn__bars_clear(&bars);
    kn_dataset_free(ds);
}

static void check_clean(const char *in, size_t len, const char *expected)
{
    char *out = kn__clean(in, len);

    assert_non_null(out);
    assert_string_equal(out, expected);
    kn__free(out);
}

static void test_clean(void **state)
{
    (void)state;
    check_clean("", 0, "");
    check_clean("caf\xc3\xa9 <b>", 9, "caf\xc3\xa9 <b>");
    check_clean("a\tb\nc", 5, "a b c");
    check_clean("a\0b", 3,
                "a\xef\xbf\xbd"
                "b");
    check_clean("\x01\x7f", 2, "\xef\xbf\xbd\xef\xbf\xbd");
    check_clean("\xff\xc3", 2, "\xef\xbf\xbd\xef\xbf\xbd");
    check_clean("\xc2\x85", 2, "\xef\xbf\xbd");
    check_clean("\xef\xbf\xbe", 3, "\xef\xbf\xbd");
    check_clean("\xed\xa0\x80z", 4, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
    check_clean("\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80");
}

static void test_size_bins(void **state)
{
    size_t size[] = {1, 2, 4, 5, 9, 10, 19, 20, 123456}, classes[] = {7, 1, 2, 1, 1, 1, 1, 1, 2};
    const kn_class_sizes sizes = {.count = 9, .size = size, .classes = classes};
    kn_size_bins bins;

    (void)state;
    assert_int_equal(kn__size_bin_low(0), 1);
    assert_int_equal(kn__size_bin_low(1), 2);
    assert_int_equal(kn__size_bin_low(2), 5);
    assert_int_equal(kn__size_bin_low(3), 10);
    assert_int_equal(kn__size_bin_low(8), 500);
    kn__size_bins_fill(&bins, &sizes);
    assert_int_equal(bins.records[0], 7);
    assert_int_equal(bins.classes[1], 3);
    assert_int_equal(bins.records[1], 10);
    assert_int_equal(bins.records[2], 14);
    assert_int_equal(bins.records[3], 29);
    assert_int_equal(bins.records[4], 20);
    assert_int_equal(bins.records[15], 246912);
    assert_int_equal(bins.smallest, 1);
    assert_int_equal(bins.largest, 123456);
    assert_int_equal(bins.all, 17);
    kn__size_bins_fill(&bins, &(kn_class_sizes){0});
    assert_int_equal(bins.all, 0);
}

static void test_allocation_failures(void **state)
{
    static cell cells[200];
    kn_dataset *ds[2];

    (void)state;
    for (size_t i = 0; i < 200; i++) {
        (void)snprintf(cells[i], sizeof cells[i], "%zu", i % 70);
    }
    ds[0] = table_of(cells, 200, KN_TYPE_INTEGER);
    ds[1] = table_of(cells, 200, KN_TYPE_CATEGORY);
    for (size_t which = 0; which < 2; which++) {
        for (size_t n = 1;; n++) {
            const size_t before = kn_memory_in_use();
            kn_error err;
            kn_bars bars;
            kn_status status;
            int failed;

            kn__memory_fail_after(n);
            status = kn__bars_count(&bars, ds[which], 0, 2, &err);
            failed = kn__memory_failed();
            kn__memory_fail_after(0);
            if (!failed) {
                assert_int_equal(status, KN_OK);
                kn__bars_clear(&bars);
                break;
            }
            assert_int_equal(status, KN_ENOMEM);
            assert_null(bars.bar);
            assert_int_equal(kn_memory_in_use(), before);
        }
        kn_dataset_free(ds[which]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges_of_integers),
        cmocka_unit_test(test_ranges_of_decimals),
        cmocka_unit_test(test_ranges_of_dates),
        cmocka_unit_test(test_values_by_hand),
        cmocka_unit_test(test_published_ranges_in_order),
        cmocka_unit_test(test_bands_in_order),
        cmocka_unit_test(test_lists_count_records),
        cmocka_unit_test(test_empty_table),
        cmocka_unit_test(test_clean),
        cmocka_unit_test(test_size_bins),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
