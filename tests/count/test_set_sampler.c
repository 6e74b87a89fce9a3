/* Tests of count/set_sampler.c: both samplers are uniform over the itemsets that occur, the naive
 * one is not, the person's has the probabilities of its definition; results belong to the index. */
#include "count/validate.h"
#include "count/uniform_test.h"

#include "count/set_sampler.h"
#include "count/set_sampler_inside.h"

static bool set_source_validate(const kn_set_source *s, const char **reason)
{
    const kn_baskets *r = s->records;

    if (!baskets_validate(r, reason) || !kn__postings_validate(s->postings, reason)) {
        return false;
    }
    for (size_t i = 0; i < r->records; i++) {
        const size_t len = (size_t)(r->starts[i + 1] - r->starts[i]);
        *reason = "a record is not at the place of its length";
        if (len > s->longest || i < s->begin[len] || (len > 0 && i >= s->begin[len - 1])) {
            return false;
        }
        *reason = "a record stands for no person, or people are not counted";
        if (s->weight[i] == 0 || s->people[i + 1] != s->people[i] + s->weight[i]) {
            return false;
        }
    }
    return true;
}

enum { SAMPLES = 20000, CHAINS = 3000 };

static km_data random_sets(kn_rng *r)
{
    km_data d;

    do {
        d = random_data(r);
    } while (d.bags || d.records < 2);
    return d;
}

static kn_set_source *source_of(const km_data *d)
{
    kn_baskets *b = baskets_of(d);
    kn_set_source *s = NULL;
    const char *reason = "";

    assert_int_equal(kn__set_source_new(&s, b, NULL), KN_OK);
    assert_true(set_source_validate(s, &reason));
    kn__baskets_free(b);
    return s;
}

/* Draw and compare with all itemsets of the size; the surprise, or 0 when there are less than 2. */
static double surprise_of(const km_data *d, kn_sampler_kind kind, int size, uint64_t seed,
                          uint64_t planned, int samples, int *cells)
{
    static int sets[KEYS][KM_ITEMS];
    int seen[KEYS] = {0};
    const int count = enumerate(d, size, sets);
    kn_set_source *source = source_of(d);
    kn_set_sampler *s = NULL;

    assert_int_equal(kn__set_sampler_new(&s, source, kind, (size_t)size, seed, planned, NULL, NULL),
                     KN_OK);
    assert_int_equal(kn__set_sampler_empty(s), count == 0);
    if (kind == KN_SAMPLER_EXACT && planned > 1000000 && count) {
        assert_int_equal(kn__set_sampler_listed(s), count);
    }
    for (int i = 0; count && i < samples; i++) {
        kn_set_sample out;
        kn__set_sampler_draw(s, 3, (uint64_t)i, &out);
        assert_int_equal(out.len, size);
        const int at = find(sets, count, out.items, size);
        assert_true(at >= 0);
        seen[at]++;
    }
    kn__set_sampler_free(s);
    kn__set_source_free(source);
    *cells = count;
    return count > 1 ? surprise(seen, count, samples) : 0;
}

static void expect_uniform(kn_sampler_kind kind, uint64_t planned, int samples, int rounds)
{
    kn_rng r;
    double sum = 0, worst = 0;
    int cases = 0;

    kn__rng_seed(&r, 41, (uint64_t)kind);
    for (int round = 0; round < rounds; round++) {
        const km_data d = random_sets(&r);
        for (int size = 1; size <= 3; size++) {
            int cells;
            const double s = surprise_of(&d, kind, size, (uint64_t)round, planned, samples, &cells);
            if (cells > 1) {
                cases++;
                sum += s;
                worst = fmax(worst, s);
            }
        }
    }
    assert_true(cases > rounds);
    assert_true(worst < 4.5);
    assert_true(fabs(sum) / sqrt((double)cases) < 4);
}

static void test_exact(void **state)
{
    (void)state;
    expect_uniform(KN_SAMPLER_EXACT, 0, SAMPLES, 40);
}

static void test_listed(void **state)
{
    (void)state;
    expect_uniform(KN_SAMPLER_EXACT, 1 << 21, SAMPLES, 40);
}

static void test_chain(void **state)
{
    (void)state;
    expect_uniform(KN_SAMPLER_CHAIN, 0, CHAINS, 25);
}

static void test_naive_is_biased(void **state)
{
    kn_rng r;
    double worst = 0;

    (void)state;
    kn__rng_seed(&r, 43, 0);
    for (int round = 0; round < 10; round++) {
        const km_data d = random_sets(&r);
        int cells;
        worst = fmax(worst, surprise_of(&d, KN_SAMPLER_NAIVE, 2, 1, 0, SAMPLES, &cells));
    }
    assert_true(worst > 20);
}

/* A person uniformly among those with items, then one of the subsets of min(size, items). */
static void test_person(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 44, 0);
    for (int round = 0; round < 30; round++) {
        static int sets[KEYS][KM_ITEMS];
        const km_data d = random_sets(&r);
        const int size = 1 + round % 4;
        double probability[KEYS] = {0}, chi = 0;
        int seen[KEYS] = {0}, count = 0, people = 0, cells = 0, times[KM_ITEMS] = {0};
        kn_set_source *source = source_of(&d);
        kn_set_sampler *s = NULL;
        for (int i = 0; i < d.records; i++) {
            people += km_size(d.times[i]) > 0;
        }
        while (km_next(times, 1)) {
            double p = 0;
            for (int i = 0; i < d.records; i++) {
                const int len = km_size(d.times[i]), known = len < size ? len : size;
                double ways = 1;
                for (int j = 0; j < known; j++) {
                    ways *= (double)(len - j) / (j + 1);
                }
                p += km_size(times) == known && km_holds(&d, i, times) ? 1 / ways / people : 0;
            }
            if (p > 0) {
                memcpy(sets[count], times, sizeof times);
                probability[count++] = p;
            }
        }
        assert_int_equal(kn__set_sampler_new(&s, source, KN_SAMPLER_PERSON, (size_t)size, 9, 0,
                                             NULL, NULL),
                         KN_OK);
        assert_int_equal(kn__set_sampler_empty(s), people == 0);
        for (int i = 0; people && i < SAMPLES; i++) {
            kn_set_sample out;
            kn__set_sampler_draw(s, 0, (uint64_t)i, &out);
            const int at = find(sets, count, out.items, (int)out.len);
            assert_true(at >= 0);
            seen[at]++;
        }
        for (int i = 0; people && i < count; i++) {
            const double expected = probability[i] * SAMPLES;
            chi += (seen[i] - expected) * (seen[i] - expected) / expected;
            cells++;
        }
        assert_true(cells < 2 || chi < (cells - 1) + 5 * sqrt(2.0 * (cells - 1)) + 10);
        kn__set_sampler_free(s);
        kn__set_source_free(source);
    }
}

/* Records of very different lengths: weights up to C(3000, 32) beside 1. */
static void test_extremes(void **state)
{
    enum { LONG = 3000, SIZE = 32 };
    kn_baskets *b = kn__baskets_room(3, LONG + SIZE + 2, LONG, false);
    kn_set_source *source = NULL;
    kn_set_sampler *s = NULL;
    uint64_t at = 0;

    (void)state;
    for (uint32_t i = 0; i < SIZE; i++) {
        b->list[at++] = 2 * i;
    }
    b->starts[1] = at;
    for (uint32_t i = 0; i < LONG; i++) {
        b->list[at++] = i;
    }
    b->starts[2] = at;
    b->list[at++] = 5;
    b->list[at++] = 7;
    b->starts[3] = at;
    assert_int_equal(kn__set_source_new(&source, b, NULL), KN_OK);
    assert_int_equal(source->longest, LONG);
    assert_true(isfinite(kn__set_source_pairs(source, SIZE)));
    assert_int_equal(kn__set_sampler_new(&s, source, KN_SAMPLER_EXACT, SIZE, 1, 1000, NULL, NULL),
                     KN_OK);
    for (uint64_t i = 0; i < 1000; i++) {
        kn_set_sample out;
        kn__set_sampler_draw(s, 0, i, &out);
        assert_int_equal(out.len, SIZE);
        for (size_t j = 1; j < SIZE; j++) {
            assert_true(out.items[j - 1] < out.items[j] && out.items[j] < LONG);
        }
    }
    kn__set_sampler_free(s);
    assert_int_equal(kn__set_sampler_new(&s, source, KN_SAMPLER_EXACT, 33, 1, 0, NULL, NULL),
                     KN_EUSAGE);
    assert_null(s);
    kn__set_source_free(source);
    kn__baskets_free(b);
    b = kn__baskets_room(1, 0, 3, true);
    b->starts[1] = 0;
    assert_int_equal(kn__set_source_new(&source, b, NULL), KN_EUSAGE);
    kn__baskets_free(b);
}

/* The same sample for the same index, whatever was drawn before. */
static void test_by_index(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 45, 0);
    kn_baskets *b = random_baskets(&r, 500, 40, 12, false);
    kn_set_source *source = NULL;
    assert_int_equal(kn__set_source_new(&source, b, NULL), KN_OK);
    for (int kind = KN_SAMPLER_EXACT; kind <= KN_SAMPLER_NAIVE; kind++) {
        kn_set_sampler *one = NULL, *two = NULL;
        int other_stream = 0;
        assert_int_equal(kn__set_sampler_new(&one, source, kind, 3, 7, 0, NULL, NULL), KN_OK);
        assert_int_equal(kn__set_sampler_new(&two, source, kind, 3, 7, 0, NULL, NULL), KN_OK);
        for (uint64_t i = 0; i < 200; i++) {
            kn_set_sample a = {0}, c = {0};
            kn__set_sampler_draw(one, 5, i, &a);
            kn__set_sampler_draw(two, 5, 199 - i, &c);
            kn__set_sampler_draw(two, 5, i, &c);
            assert_int_equal(a.len, c.len);
            assert_int_equal(a.draws, c.draws);
            assert_memory_equal(a.items, c.items, a.len * sizeof *a.items);
            kn__set_sampler_draw(two, 6, i, &c);
            other_stream += memcmp(a.items, c.items, 3 * sizeof *a.items) != 0;
        }
        assert_true(other_stream > 100);
        kn__set_sampler_free(one);
        kn__set_sampler_free(two);
    }
    kn__set_source_free(source);
    kn__baskets_free(b);
}

/* Listing against the enumeration of everything, for all sizes; too many are not listed. */
static void test_enumerate(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 46, 0);
    for (int round = 0; round < 500; round++) {
        static int sets[KEYS][KM_ITEMS];
        const km_data d = random_sets(&r);
        kn_set_source *source = source_of(&d);
        for (int size = 1; size <= 5; size++) {
            const int count = enumerate(&d, size, sets);
            uint32_t *items = NULL;
            size_t listed = 0;
            int times = 0;
            assert_int_equal(
                kn__set_enumerate(&items, &listed, source, (size_t)size, KEYS, NULL, NULL), KN_OK);
            assert_int_equal(listed, count);
            for (size_t i = 0; i < listed; i++) {
                const int at = find(sets, count, items + i * (size_t)size, size);
                assert_true(at >= 0);
                times += sets[at][0] >= 0;
                sets[at][0] -= 2; /* found once */
            }
            assert_int_equal(times, count);
            kn__free(items);
            if (count > 1) {
                assert_int_equal(kn__set_enumerate(&items, &listed, source, (size_t)size,
                                                   (size_t)count - 1, NULL, NULL),
                                 KN_OK);
                assert_null(items);
                assert_int_equal(listed, 0);
            }
        }
        kn__set_source_free(source);
    }
}

static void test_no_memory(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 47, 0);
    kn_baskets *b = random_baskets(&r, 60, 9, 6, false);
    const size_t held = kn_memory_in_use();
    for (size_t n = 1;; n++) {
        kn_set_source *source = NULL;
        kn_set_sampler *s = NULL;
        kn_status status;
        kn__memory_fail_after(n);
        status = kn__set_source_new(&source, b, NULL);
        if (status == KN_OK) {
            status = kn__set_sampler_new(&s, source, KN_SAMPLER_EXACT, 3, 1, 1 << 20, NULL, NULL);
        }
        kn__memory_fail_after(0);
        assert_true(status == KN_OK || status == KN_ENOMEM);
        kn__set_sampler_free(s);
        kn__set_source_free(source);
        assert_int_equal(kn_memory_in_use(), held);
        if (status == KN_OK) {
            break;
        }
    }
    kn__baskets_free(b);
}

/* Rows in another order, and rows that were counted before, give the same source: samples depend on
 * the records alone. */
static void test_order_of_rows(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 59, 0);
    for (int round = 0; round < 300; round++) {
        km_data d = random_sets(&r), counted;
        uint32_t people[KM_RECORDS] = {0};
        kn_set_source *a = source_of(&d), *b = NULL;
        kn_baskets *lists;
        for (int i = d.records - 1; i > 0; i--) { /* shuffle */
            const int j = (int)kn__rng_below(&r, (uint64_t)i + 1);
            int row[KM_ITEMS];
            memcpy(row, d.times[i], sizeof row);
            memcpy(d.times[i], d.times[j], sizeof row);
            memcpy(d.times[j], row, sizeof row);
        }
        counted = d;
        counted.records = 0;
        for (int i = 0; i < d.records; i++) {
            int j = 0;
            while (j < counted.records &&
                   memcmp(counted.times[j], d.times[i], sizeof d.times[i]) != 0) {
                j++;
            }
            if (j == counted.records) {
                memcpy(counted.times[counted.records++], d.times[i], sizeof d.times[i]);
            }
            people[j]++;
        }
        lists = baskets_of(&counted);
        lists->people = people;
        assert_int_equal(kn__set_source_new(&b, lists, NULL), KN_OK);
        assert_int_equal(a->records->records, b->records->records);
        const size_t records = a->records->records;
        assert_memory_equal(a->weight, b->weight, records * sizeof *a->weight);
        assert_memory_equal(a->records->starts, b->records->starts,
                            (records + 1) * sizeof *a->records->starts);
        assert_memory_equal(a->records->list, b->records->list,
                            a->records->starts[records] * sizeof *a->records->list);
        kn__baskets_free(lists);
        kn__set_source_free(a);
        kn__set_source_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),         cmocka_unit_test(test_listed),
        cmocka_unit_test(test_chain),         cmocka_unit_test(test_naive_is_biased),
        cmocka_unit_test(test_person),        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_by_index),      cmocka_unit_test(test_enumerate),
        cmocka_unit_test(test_order_of_rows), cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
