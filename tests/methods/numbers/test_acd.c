/* ACD against the definitions: what it finds satisfies the guarantee by the oracle, is never worse
 * than the printed algorithm, and is compared with the best partition there is. */
#include "methods/numbers/acd.h"
#include "base/memory.h"
#include "base/rng.h"
#include "count/rare/rare.h"
#include "kanon/anonymize.h"
#include "methods/numbers/acd_optimum.h"
#include "methods/numbers/acd_points.h"
#include "methods/numbers/acd_split.h"
#include "rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "methods/method_params.h"
#include "oracle/acd.h"

static kn_baskets *baskets(size_t records, size_t most, uint32_t items, bool bags)
{
    kn_baskets *b = kn__zalloc(sizeof *b);

    assert_non_null(b);
    *b = (kn_baskets){.records = records, .items = items, .bags = bags};
    b->starts = kn__zalloc_array(records + 1, sizeof *b->starts);
    b->list = kn__malloc_array(most, sizeof *b->list);
    assert_true(b->starts && b->list);
    return b;
}

static kn_baskets *of_case(const acd_case *c)
{
    kn_baskets *b = baskets((size_t)c->records, ACD_RECORDS * ACD_LENGTH, (uint32_t)c->values,
                            c->bags);
    uint64_t at = 0;

    for (int i = 0; i < c->records; i++) {
        for (int j = 0; j < c->length[i]; j++) {
            b->list[at++] = (uint32_t)c->item[i][j];
        }
        b->starts[i + 1] = at;
    }
    return b;
}

static int by_int(const void *x, const void *y)
{
    return *(const int *)x - *(const int *)y;
}

static acd_case random_case(kn_rng *r)
{
    acd_case c = {.records = (int)kn__rng_below(r, ACD_RECORDS + 1),
                  .values = 1 + (int)kn__rng_below(r, ACD_VALUES),
                  .k = 1 + (int)kn__rng_below(r, 5),
                  .m = 1 + (int)kn__rng_below(r, 4),
                  .bags = kn__rng_below(r, 3) != 0};

    for (int v = 0; v < c.values; v++) { /* equal numbers are items of their own now and then */
        c.value[v] = (v ? c.value[v - 1] : -20.0) +
                     (kn__rng_below(r, 12) ? (double)(1 + kn__rng_below(r, 30)) : 0);
    }
    for (int i = 0; i < c.records; i++) {
        int len = (int)kn__rng_below(r, ACD_LENGTH + 1);
        for (int j = 0; j < len; j++) {
            c.item[i][j] = (int)kn__rng_below(r, (uint64_t)c.values);
        }
        qsort(c.item[i], (size_t)len, sizeof(int), by_int);
        c.length[i] = 0;
        for (int j = 0; j < len; j++) {
            if (c.bags || j == 0 || c.item[i][j] != c.item[i][c.length[i] - 1]) {
                c.item[i][c.length[i]++] = c.item[i][j];
            }
        }
    }
    return c;
}

/* NCP: the mean over all occurrences of the width of their range / the width of the domain. */
static double loss_of(const kn_baskets *b, const double *value, const uint32_t *range_of)
{
    uint32_t *held = kn__zalloc_array(b->items, sizeof *held), range = UINT32_MAX;
    double sum = 0, low = 0, high = 0, least = 0, inside = 0, total = 0;

    assert_non_null(held);
    for (uint64_t i = 0; i < b->starts[b->records]; i++) {
        held[b->list[i]]++;
    }
    for (uint32_t i = 0; i < b->items; i++) {
        if (held[i] && range_of[i] != range) {
            sum += inside * (high - low);
            range = range_of[i];
            low = value[i];
            least = total > 0 ? least : low;
            inside = 0;
        }
        high = held[i] ? value[i] : high;
        inside += held[i];
        total += held[i];
    }
    sum += inside * (high - low);
    kn__free(held);
    return high > least ? sum / ((high - least) * total) : 0;
}

/* Check one result by the oracle; its loss. */
static double judge(const acd_case *c, const kn_baskets *b, const uint32_t *range_of,
                    uint32_t ranges)
{
    int of[ACD_VALUES];
    bool occurs[ACD_VALUES] = {false};

    for (uint64_t i = 0; i < b->starts[b->records]; i++) {
        occurs[b->list[i]] = true;
    }
    for (int v = 0; v < c->values; v++) {
        of[v] = (int)range_of[v];
        assert_true(v ? of[v] == of[v - 1] || of[v] == of[v - 1] + 1 : of[v] == 0);
        if (v && occurs[v] && occurs[v - 1] && c->value[v] == c->value[v - 1]) {
            assert_int_equal(of[v], of[v - 1]);
        }
    }
    assert_int_equal(of[c->values - 1] + 1, ranges);
    assert_true(acd_holds(c, of));
    assert_true(fabs(acd_loss(c, of) - loss_of(b, c->value, range_of)) < 1e-12);
    return acd_loss(c, of);
}

static void test_random_against_the_optimum(void **state)
{
    enum { CASES = 4000 };
    static const double thresholds[] = {0, 0.01, 0.1, 1};
    kn_rng r;
    double sum_ours = 0, sum_paper = 0, sum_best = 0;
    int feasible = 0, best_found = 0;

    (void)state;
    kn__rng_seed(&r, 1, 0);
    for (int n = 0; n < CASES; n++) {
        const acd_case c = random_case(&r);
        const double d = thresholds[kn__rng_below(&r, 4)];
        const double best = acd_optimum(&c);
        kn_baskets *b = of_case(&c);
        uint32_t range_of[ACD_VALUES], ranges;
        kn_error err;
        const kn_status status = kn__acd(b, c.value, (size_t)c.k, (size_t)c.m, d, false, NULL,
                                         range_of, &ranges, &err);

        assert_int_equal(status, best < 0 ? KN_EINFEASIBLE : KN_OK);
        assert_int_equal(kn__acd(b, c.value, (size_t)c.k, (size_t)c.m, d, true, NULL, range_of,
                                 &ranges, &err),
                         status);
        if (status == KN_OK) {
            const double paper = judge(&c, b, range_of, ranges);
            double ours;
            assert_int_equal(kn__acd(b, c.value, (size_t)c.k, (size_t)c.m, d, false, NULL, range_of,
                                     &ranges, NULL),
                             KN_OK);
            ours = judge(&c, b, range_of, ranges);
            assert_true(ours <= paper + 1e-12);
            assert_true(ours >= best - 1e-12);
            if (c.m == 1) {
                assert_true(ours <= best + 1e-12);
            }
            sum_ours += ours;
            sum_paper += paper;
            sum_best += best;
            best_found += ours <= best + 1e-12;
            feasible++;
        }
        kn__baskets_free(b);
    }
    print_message("%d feasible cases: optimum found in %d; mean loss %.5f, optimum %.5f, paper "
                  "%.5f\n",
                  feasible, best_found, sum_ours / feasible, sum_best / feasible,
                  sum_paper / feasible);
    assert_true(sum_ours <= 1.02 * sum_best);
}

/* ---- larger data ---- */

/* Bags of numbers with spikes at round ones and a long tail. */
static kn_baskets *incomes(kn_rng *r, size_t records, uint32_t values, bool bags)
{
    kn_baskets *b = baskets(records, records * 5, values, bags);
    uint64_t at = 0;

    for (size_t i = 0; i < records; i++) {
        int item[5];
        const size_t len = kn__rng_below(r, 6);
        size_t kept = 0;
        for (size_t j = 0; j < len; j++) {
            const double u = kn__rng_double(r);
            item[j] = (int)(u * u * u * values);
            item[j] -= kn__rng_below(r, 2) ? item[j] % 10 : 0;
        }
        qsort(item, len, sizeof *item, by_int);
        for (size_t j = 0; j < len; j++) {
            if (bags || j == 0 || item[j] != item[j - 1]) {
                b->list[at + kept++] = (uint32_t)item[j];
            }
        }
        at += kept;
        b->starts[i + 1] = at;
    }
    return b;
}

static double *values_of(uint32_t values)
{
    double *value = kn__malloc_array(values, sizeof *value);

    assert_non_null(value);
    for (uint32_t i = 0; i < values; i++) {
        value[i] = 100.0 * i + i % 7;
    }
    return value;
}

static void test_larger_holds_and_never_loses_more_than_printed(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 2, 0);
    for (int n = 0; n < 60; n++) {
        const uint32_t values = 20 + (uint32_t)kn__rng_below(&r, 300);
        const size_t k = 2 + kn__rng_below(&r, 8), m = 1 + kn__rng_below(&r, 3);
        kn_baskets *b = incomes(&r, 100 + kn__rng_below(&r, 400), values, n % 3 != 0), *released;
        double *value = values_of(values), loss[2];
        uint32_t *range_of = kn__malloc_array(values, sizeof *range_of), ranges;

        for (int paper = 0; paper < 2; paper++) {
            kn_rare_list *rare;
            assert_int_equal(kn__acd(b, value, k, m, 0.001, paper, NULL, range_of, &ranges, NULL),
                             KN_OK);
            assert_int_equal(kn__baskets_map(&released, b, range_of, ranges, NULL, NULL), KN_OK);
            assert_int_equal(kn__rare_find(&rare, released, k, m, 1, NULL, NULL), KN_OK);
            assert_int_equal(rare->count, 0);
            loss[paper] = loss_of(b, value, range_of);
            kn__rare_list_free(rare);
            kn__baskets_free(released);
        }
        assert_true(loss[0] <= loss[1] + 1e-12);
        kn__free(range_of);
        kn__free(value);
        kn__baskets_free(b);
    }
}

/* Records of two or three numbers that are spread evenly. */
static kn_baskets *uniform(kn_rng *r, size_t records, uint32_t values)
{
    kn_baskets *b = baskets(records, 3 * records, values, true);
    uint64_t at = 0;

    for (size_t i = 0; i < records; i++) {
        const size_t len = 2 + kn__rng_below(r, 2);
        int item[3];
        for (size_t j = 0; j < len; j++) {
            item[j] = (int)kn__rng_below(r, values);
        }
        qsort(item, len, sizeof *item, by_int);
        for (size_t j = 0; j < len; j++) {
            b->list[at++] = (uint32_t)item[j];
        }
        b->starts[i + 1] = at;
    }
    return b;
}

/* The least loss of n ranges of equal width (or about equal frequency) that satisfy, for any n. */
static double best_even(const kn_acd_points *p, bool by_width)
{
    const double low = p->value[0], width = p->value[p->points - 1] - low;
    double least = HUGE_VAL;
    uint8_t cut[200];

    for (uint32_t n = 1; n <= p->points; n++) {
        bool holds;
        for (uint32_t q = 0, last = 0; q < p->points; q++) {
            const double share = by_width ? (p->value[q] - low) / width
                                          : (double)p->at[q] / (double)p->at[p->points];
            const uint32_t range = share < 1 ? (uint32_t)(share * n) : n - 1;
            cut[q] = q == 0 || range != last;
            last = range;
        }
        assert_int_equal(kn__acd_holds(p, cut, NULL, &holds, NULL), KN_OK);
        if (holds && kn__acd_total(p, cut) < least) {
            least = kn__acd_total(p, cut);
        }
    }
    return least;
}

static void test_never_above_even_ranges(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 21, 0);
    for (int n = 0; n < 60; n++) {
        const uint32_t values = 20 + (uint32_t)kn__rng_below(&r, 180);
        const size_t k = 2 + kn__rng_below(&r, 20), m = 2 + kn__rng_below(&r, 2);
        kn_baskets *b = uniform(&r, 300 + kn__rng_below(&r, 1000), values);
        double *value = values_of(values), all, ours;
        kn_acd_points p;
        uint32_t range_of[200], ranges;

        assert_int_equal(kn__acd_points_init(&p, b, value, k, m, NULL), KN_OK);
        assert_int_equal(kn__acd(b, value, k, m, 0, false, NULL, range_of, &ranges, NULL), KN_OK);
        all = kn__acd_cost(&p, 0, p.points);
        ours = loss_of(b, value, range_of);
        assert_true(ours <= best_even(&p, true) / all + 1e-12);
        assert_true(ours <= best_even(&p, false) / all + 1e-12);
        kn__acd_points_clear(&p);
        kn__free(value);
        kn__baskets_free(b);
    }
}

/* Splitting in two alone ends with 16 ranges and a loss of 0.0624, and of 0.0239 in the larger one.
 */
static void test_uniform_numbers(void **state)
{
    static const struct {
        size_t records;
        double most;
    } wanted[] = {{20000, 0.0434}, {100000, 0.0185}};
    enum { VALUES = 100000 };
    double *value = values_of(VALUES);
    uint32_t *range_of = kn__malloc_array(VALUES, sizeof *range_of), ranges;
    kn_rng r;

    (void)state;
    for (uint32_t v = 0; v < VALUES; v++) {
        value[v] = v;
    }
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        kn_baskets *b;
        kn__rng_seed(&r, 22, i);
        b = uniform(&r, wanted[i].records, VALUES);
        assert_int_equal(kn__acd(b, value, 50, 2, 0.001, false, NULL, range_of, &ranges, NULL),
                         KN_OK);
        print_message("%zu uniform records: %u ranges, loss %.4f\n", wanted[i].records, ranges,
                      loss_of(b, value, range_of));
        assert_true(loss_of(b, value, range_of) <= wanted[i].most);
        kn__baskets_free(b);
    }
    kn__free(range_of);
    kn__free(value);
}

/* Splitting by itself, without the printed algorithm to fall back on, and maximal: no cut can be
 * added. */
static void test_splits_are_maximal(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 3, 0);
    for (int n = 0; n < test_rounds(1500); n++) {
        acd_case c = random_case(&r);
        kn_baskets *b;
        kn_acd_points p;
        uint8_t cut[ACD_VALUES + 1] = {0};
        int of[ACD_VALUES];

        for (int v = 1; v < c.values; v++) {
            c.value[v] = c.value[v - 1] + 1 + v; /* no equal ones: points are items */
        }
        b = of_case(&c);
        assert_int_equal(kn__acd_points_init(&p, b, c.value, (size_t)c.k, (size_t)c.m, NULL),
                         KN_OK);
        if (kn__acd_feasible(&p, p.m, NULL) == KN_OK && p.points) {
            assert_int_equal(kn__acd_split(&p, NULL, 8, 1, cut, NULL, NULL), KN_OK);
            for (uint32_t extra = 0; extra < p.points; extra++) {
                const bool had = cut[extra] != 0;
                bool holds;
                cut[extra] = 1;
                for (int v = 0, ranges = -1, last = -1; v < c.values; v++) {
                    const int point = (int)p.point_of[v];
                    while (last < point) {
                        ranges += cut[++last] != 0;
                    }
                    of[v] = ranges;
                }
                assert_int_equal(acd_holds(&c, of), had || c.k == 1);
                assert_int_equal(kn__acd_holds(&p, cut, NULL, &holds, NULL), KN_OK);
                assert_int_equal(holds, had || c.k == 1);
                cut[extra] = had;
            }
        }
        kn__acd_points_clear(&p);
        kn__baskets_free(b);
    }
}

/* The same where passes stop early, on more values than the oracle can try: by counting. From one
 * range and from some cuts. */
static void test_larger_splits_are_maximal(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 9, 0);
    for (int n = 0; n < 40; n++) {
        const uint32_t values = 20 + (uint32_t)kn__rng_below(&r, 60);
        const size_t k = 2 + kn__rng_below(&r, 5), m = 1 + kn__rng_below(&r, 4);
        kn_baskets *b = incomes(&r, 200 + kn__rng_below(&r, 600), values, n % 3 != 0);
        double *value = values_of(values);
        kn_acd_points p;
        uint8_t cut[80], start[80];

        assert_int_equal(kn__acd_points_init(&p, b, value, k, m, NULL), KN_OK);
        for (uint32_t i = 0; i < p.points; i++) {
            start[i] = kn__rng_below(&r, 2) != 0;
        }
        assert_int_equal(kn__acd_feasible(&p, p.m, NULL), KN_OK);
        assert_int_equal(
            kn__acd_split(&p, n % 4 < 2 ? NULL : start, n % 3, 1 + n % 5, cut, NULL, NULL), KN_OK);
        for (uint32_t extra = 0; extra < p.points; extra++) {
            const bool had = cut[extra] != 0;
            bool holds;
            cut[extra] = 1;
            assert_int_equal(kn__acd_holds(&p, cut, NULL, &holds, NULL), KN_OK);
            assert_int_equal(holds, had);
            cut[extra] = had;
        }
        kn__acd_points_clear(&p);
        kn__free(value);
        kn__baskets_free(b);
    }
}

static void test_optimum_for_single_values(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 4, 0);
    for (int n = 0; n < test_rounds(400); n++) {
        const uint32_t values = 2 + (uint32_t)kn__rng_below(&r, 60);
        const size_t records = 5 + kn__rng_below(&r, 60), k = 1 + kn__rng_below(&r, 8);
        kn_baskets *b = incomes(&r, records, values, true);
        double *value = values_of(values);
        int *held;
        kn_acd_points p;
        uint8_t *cut;

        for (uint32_t i = 1; i < values; i++) {
            value[i] = value[i - 1] + (double)(1 + kn__rng_below(&r, 1000));
        }
        assert_int_equal(kn__acd_points_init(&p, b, value, k, 1, NULL), KN_OK);
        cut = kn__zalloc_array(p.points, 1);
        held = kn__zalloc_array(records * (p.points + 1), sizeof *held);
        for (size_t i = 0; i < records; i++) {
            for (uint64_t j = b->starts[i]; j < b->starts[i + 1]; j++) {
                held[i * p.points + p.point_of[b->list[j]]]++;
            }
        }
        if (p.points && kn__acd_feasible(&p, 1, NULL) == KN_OK) {
            double best = acd_single_optimum(p.value, (int)p.points, held, (int)records, (int)k);
            assert_int_equal(kn__acd_optimum(&p, cut, NULL), KN_OK);
            assert_true(fabs(kn__acd_total(&p, cut) - best) <= 1e-9 * (1 + best));
        }
        kn__free(held);
        kn__free(cut);
        kn__acd_points_clear(&p);
        kn__free(value);
        kn__baskets_free(b);
    }
}

/* Records of twenty items. */
static kn_baskets *long_records(kn_rng *r, size_t records, uint32_t values)
{
    kn_baskets *b = baskets(records, records * 20, values, true);

    for (size_t i = 0; i < records; i++) {
        int item[20];
        for (size_t j = 0; j < 20; j++) {
            const double u = kn__rng_double(r);
            item[j] = (int)(u * u * u * values);
        }
        qsort(item, 20, sizeof *item, by_int);
        for (size_t j = 0; j < 20; j++) {
            b->list[20 * i + j] = (uint32_t)item[j];
        }
        b->starts[i + 1] = 20 * (i + 1);
    }
    return b;
}

static void same_for_all_threads(const kn_baskets *b, size_t k, size_t m)
{
    double *value = values_of(b->items);
    uint32_t first[400] = {0}, range_of[400] = {0}, ranges;
    kn_baskets *released;
    kn_rare_list *rare;

    for (unsigned threads = 1; threads <= 3; threads++) {
        const kn_run run = {.threads = threads};
        assert_int_equal(kn__acd(b, value, k, m, 0.001, false, &run, range_of, &ranges, NULL),
                         KN_OK);
        if (threads == 1) {
            memcpy(first, range_of, sizeof first);
        }
        assert_memory_equal(first, range_of, sizeof first);
    }
    assert_true(ranges > 1);
    assert_int_equal(kn__baskets_map(&released, b, range_of, ranges, NULL, NULL), KN_OK);
    assert_int_equal(kn__rare_find(&rare, released, k, m, 1, NULL, NULL), KN_OK);
    assert_int_equal(rare->count, 0);
    kn__rare_list_free(rare);
    kn__baskets_free(released);
    kn__free(value);
}

static void test_threads_change_nothing(void **state)
{
    kn_rng r;
    kn_baskets *b;

    (void)state;
    kn__rng_seed(&r, 5, 0);
    b = incomes(&r, 14000, 400, true);
    same_for_all_threads(b, 10, 2);
    same_for_all_threads(b, 10, 3);
    kn__baskets_free(b);
    b = incomes(&r, 14000, 200, false);
    same_for_all_threads(b, 10, 2);
    kn__baskets_free(b);
    b = long_records(&r, 2000, 60);
    same_for_all_threads(b, 5, 2);
    kn__baskets_free(b);
}

static void test_no_memory(void **state)
{
    const uint32_t values = 60;
    kn_rng r;
    kn_baskets *b;
    double *value = values_of(values);
    uint32_t range_of[60], ranges;
    const kn_run run = {.threads = 1};

    (void)state;
    kn__rng_seed(&r, 6, 0);
    b = incomes(&r, 120, values, true);
    for (int paper = 0; paper < 2; paper++) {
        const size_t before = kn_memory_in_use();
        kn_status status = KN_ENOMEM;
        for (size_t n = 1; status == KN_ENOMEM; n++) {
            kn__memory_fail_after(n);
            status = kn__acd(b, value, 3, 3, 0, paper, &run, range_of, &ranges, NULL);
            kn__memory_fail_after(0);
            assert_int_equal(kn_memory_in_use(), before);
        }
        assert_int_equal(status, KN_OK);
    }
    kn__free(value);
    kn__baskets_free(b);
}

/* ---- the paper's example, and bad input ---- */

static const acd_case table1 = {.records = 5,
                                .values = 4,
                                .k = 2,
                                .m = 2,
                                .bags = true,
                                .value = {11000, 20000, 30500, 40000},
                                .length = {4, 3, 4, 1, 1},
                                .item = {{0, 0, 3, 3}, {0, 2, 3}, {0, 0, 3, 3}, {0}, {1}}};

static void test_table_3(void **state)
{
    static const char *const texts[] = {"11000|11000|20000|40000|40000", "11000|30500|40000",
                                        "11000|11000|40000|40000", "11000", "20000"};
    static const char *const wanted[] = {"11000 11000 40000 40000 [20000,30500]",
                                         "11000 40000 [20000,30500]", "11000 11000 40000 40000",
                                         "11000", "[20000,30500]"};
    static const char *const names[] = {"payments"};
    const kn_guarantee guarantee = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    kn_anonymize_options options = {.guarantees = &guarantee,
                                    .guarantees_count = 1,
                                    .method = "acd"};
    const kn_dataset *data;
    kn_dataset *ds;
    kn_dataset_builder *builder;
    kn_schema *schema;
    kn_release *release = NULL;
    kn_error err;

    (void)state;
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "payments", KN_TYPE_NUMBERS, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "payments", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&builder, names, 1, schema, NULL), KN_OK);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(kn_dataset_builder_add(builder, &texts[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, builder, NULL), KN_OK);
    kn_schema_free(schema);
    for (int paper = 0; paper < 2; paper++) {
        size_t before;
        kn_status status = KN_ENOMEM;
        options.params = METHOD_PARAMS("acd", "paper=%s", paper ? "true" : "false");
        before = kn_memory_in_use();
        for (size_t n = 1; status == KN_ENOMEM; n++) {
            const kn_run run = {.threads = 1};
            assert_int_equal(kn_memory_in_use(), before);
            kn__memory_fail_after(n);
            status = kn_anonymize(&release, ds, NULL, &options, &run, &err);
            kn__memory_fail_after(0);
        }
        assert_int_equal(status, KN_OK);
        assert_string_equal(kn_release_method(release), "acd");
        data = kn_release_data(release);
        for (size_t i = 0; i < 5; i++) {
            char line[200] = "";
            uint32_t codes[8];
            const size_t len = kn_dataset_list(data, 0, i, codes, 8);
            for (size_t j = 0; j < len; j++) {
                size_t text_len;
                const char *text = kn_dataset_value(data, 0, codes[j], &text_len);
                strcat(line, j ? " " : "");
                strncat(line, text, text_len);
            }
            assert_string_equal(line, wanted[i]);
        }
        kn_release_free(release);
    }
    kn_dataset_free(ds);
}

/* Widths that overflow, alone or times their occurrences, are compared all the same. */
static void test_largest_numbers(void **state)
{
    static const double most[] = {5e306, 5e307, 1.7976931348623157e308};

    (void)state;
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        for (int paper = 0; paper < 2; paper++) {
            acd_case c = table1;
            kn_baskets *b = of_case(&c);
            uint32_t expected[ACD_VALUES], range_of[ACD_VALUES], ranges;
            assert_int_equal(kn__acd(b, c.value, 2, 2, 0.001, paper, NULL, expected, &ranges, NULL),
                             KN_OK);
            for (uint32_t v = 0; v < b->items; v++) {
                c.value[v] = (c.value[v] - 25500) / 14500 * most[i];
            }
            assert_int_equal(kn__acd(b, c.value, 2, 2, 0.001, paper, NULL, range_of, &ranges, NULL),
                             KN_OK);
            for (uint32_t v = 0; v < b->items; v++) {
                assert_int_equal(range_of[v], expected[v]);
            }
            kn__baskets_free(b);
        }
    }
}

static void refused(const kn_baskets *b, const double *value, size_t k, size_t m, double d,
                    kn_status status, const char *word)
{
    uint32_t range_of[ACD_VALUES], ranges;
    kn_error err;

    for (int paper = 0; paper < 2; paper++) {
        assert_int_equal(kn__acd(b, value, k, m, d, paper, NULL, range_of, &ranges, &err), status);
        assert_non_null(strstr(err.message, word));
    }
}

static void test_bad_input(void **state)
{
    acd_case c = table1;
    kn_baskets *b = of_case(&c);
    uint32_t range_of[ACD_VALUES], ranges;

    (void)state;
    refused(b, c.value, 0, 2, 0.1, KN_EUSAGE, "1 or more");
    refused(b, c.value, 2, 0, 0.1, KN_EUSAGE, "1 or more");
    refused(b, c.value, 2, 2, NAN, KN_EUSAGE, "0 or more");
    refused(b, c.value, 6, 1, 0.1, KN_EINFEASIBLE, "only 5 records hold any item");
    refused(b, c.value, 3, 4, 0.1, KN_EINFEASIBLE, "m can be at most 3"); /* two records of four */
    c.value[1] = INFINITY;
    refused(b, c.value, 2, 2, 0.1, KN_EINPUT, "not finite");
    c.value[1] = NAN;
    refused(b, c.value, 2, 2, 0.1, KN_EINPUT, "not finite");
    c.value[1] = 50000;
    refused(b, c.value, 2, 2, 0.1, KN_EUSAGE, "order");
    kn__baskets_free(b);

    /* Records without items need no protection. */
    memset(c.length, 0, sizeof c.length);
    b = of_case(&c);
    assert_int_equal(kn__acd(b, table1.value, 10, 2, 0.1, false, NULL, range_of, &ranges, NULL),
                     KN_OK);
    assert_int_equal(ranges, 1);
    kn__baskets_free(b);

    /* Longer combinations than anyone counts. */
    {
        kn_rng r;
        double *value = values_of(60);
        uint32_t many[60];
        kn__rng_seed(&r, 8, 0);
        b = long_records(&r, 50, 60);
        assert_int_equal(kn__acd(b, value, 2, 17, 0.1, false, NULL, many, &ranges, NULL),
                         KN_EUSAGE);
        kn__baskets_free(b);
        kn__free(value);
    }

    /* m beyond the longest record is the length of that. */
    c = table1;
    c.k = 2;
    b = of_case(&c);
    assert_int_equal(kn__acd(b, c.value, 2, 1000, 0.1, false, NULL, range_of, &ranges, NULL),
                     KN_OK);
    c.m = 4;
    (void)judge(&c, b, range_of, ranges);
    kn__baskets_free(b);
}

static int cancel(void *user, const char *phase, double done)
{
    (void)phase;
    (void)done;
    return --*(int *)user < 0;
}

static void test_cancelled(void **state)
{
    kn_rng r;
    kn_baskets *b;
    double *value = values_of(100);
    uint32_t range_of[100], ranges;

    (void)state;
    kn__rng_seed(&r, 7, 0);
    b = incomes(&r, 3000, 100, true);
    for (int paper = 0; paper < 2; paper++) {
        int left = 1;
        const kn_run run = {.threads = 1, .progress = cancel, .user = &left};
        const size_t before = kn_memory_in_use();
        assert_int_equal(kn__acd(b, value, 10, 3, 0.001, paper, &run, range_of, &ranges, NULL),
                         KN_ECANCELLED);
        assert_int_equal(kn_memory_in_use(), before);
    }
    kn__free(value);
    kn__baskets_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_3),
        cmocka_unit_test(test_random_against_the_optimum),
        cmocka_unit_test(test_larger_holds_and_never_loses_more_than_printed),
        cmocka_unit_test(test_never_above_even_ranges),
        cmocka_unit_test(test_uniform_numbers),
        cmocka_unit_test(test_splits_are_maximal),
        cmocka_unit_test(test_larger_splits_are_maximal),
        cmocka_unit_test(test_optimum_for_single_values),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_largest_numbers),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_cancelled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
