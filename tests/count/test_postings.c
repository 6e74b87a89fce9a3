/* Tests of count/postings.c: every question against a look at every record. */
#include "count/baskets_test.h"

#include "count/postings.h"

/* Many records, so that there are arrays of all lengths and bit sets. */
enum { RECORDS = 900, ITEMS = 9, LENGTH = 12 };

typedef struct wide {
    int times[RECORDS][ITEMS];
    kn_baskets *b;
} wide;

static wide data;

static void make(kn_rng *r, bool bags)
{
    uint64_t at = 0;

    memset(data.times, 0, sizeof data.times);
    data.b = kn__malloc(sizeof *data.b);
    *data.b = (kn_baskets){.records = RECORDS, .items = ITEMS, .bags = bags};
    data.b->starts = kn__malloc_array(RECORDS + 1, sizeof *data.b->starts);
    data.b->list = kn__malloc_array(RECORDS * LENGTH * 2, sizeof *data.b->list);
    data.b->starts[0] = 0;
    for (int i = 0; i < RECORDS; i++) {
        for (uint32_t x = 0; x < ITEMS; x++) {
            /* item 0 is in nearly all records, the last in very few */
            const int times = kn__rng_below(r, 1 + (1u << x))
                                  ? 0
                                  : 1 + (int)kn__rng_below(r, bags ? 3 : 1);
            data.times[i][x] = times;
            for (int t = 0; t < times; t++) {
                data.b->list[at++] = x;
            }
        }
        data.b->starts[i + 1] = at;
    }
}

static size_t slow_support(const uint32_t *items, size_t size, const uint32_t *weight)
{
    size_t support = 0;

    for (int i = 0; i < RECORDS; i++) {
        int left[ITEMS];
        bool holds = true;
        memcpy(left, data.times[i], sizeof left);
        for (size_t j = 0; j < size; j++) {
            holds = holds && left[items[j]]-- > 0;
        }
        support += holds ? (weight ? weight[i] : 1) : 0;
    }
    return support;
}

static void ask(const kn_postings *p, kn_rng *r)
{
    uint32_t items[4], weight[RECORDS], record = 0;
    const size_t size = 1 + (size_t)kn__rng_below(r, 4), most = (size_t)kn__rng_below(r, 40);
    kn_support_stats stats = {0};
    size_t exact;
    const bool weighted = kn__rng_below(r, 2) == 1;

    for (size_t i = 0; i < size; i++) {
        items[i] = (uint32_t)kn__rng_below(r, ITEMS);
        for (size_t j = i; j > 0 && items[j - 1] > items[j]; j--) {
            const uint32_t x = items[j];
            items[j] = items[j - 1];
            items[j - 1] = x;
        }
    }
    for (int i = 0; i < RECORDS; i++) {
        weight[i] = 1 + (uint32_t)kn__rng_below(r, 3);
    }
    exact = slow_support(items, size, weighted ? weight : NULL);
    assert_int_equal(
        kn__postings_support(p, items, size, weighted ? weight : NULL, SIZE_MAX, &stats), exact);
    assert_int_equal(stats.asked, 1);
    assert_int_equal(stats.stopped, 0);
    assert_int_equal(kn__postings_support(p, items, size, weighted ? weight : NULL, most, &stats),
                     exact < most ? exact : most);
    exact = slow_support(items, size, NULL);
    assert_int_equal(kn__postings_first(p, items, size, &record), exact > 0);
    if (exact > 0) {
        int left[ITEMS];
        memcpy(left, data.times[record], sizeof left);
        for (size_t j = 0; j < size; j++) {
            assert_true(left[items[j]]-- > 0);
        }
    }
}

static void test_against_records(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 10, 0);
    for (int round = 0; round < 20; round++) {
        kn_postings *p = NULL;
        const char *reason = "";
        make(&r, round % 2 == 1);
        assert_int_equal(kn__postings_new(&p, data.b, NULL), KN_OK);
        assert_true(kn__postings_validate(p, &reason));
        assert_true(kn__postings_of(p, 0, 1).bits != NULL);
        assert_true(kn__postings_of(p, ITEMS - 1, 1).bits == NULL);
        assert_int_equal(kn__postings_of(p, 0, 4).len, 0);
        assert_int_equal(kn__postings_of(p, 0, 0).len, 0);
        for (int i = 0; i < 200; i++) {
            ask(p, &r);
        }
        kn__postings_free(p);
        kn__baskets_free(data.b);
    }
    kn__postings_free(NULL);
}

static void test_no_memory(void **state)
{
    kn_rng r;
    size_t held;

    (void)state;
    kn__rng_seed(&r, 11, 0);
    make(&r, true);
    held = kn_memory_in_use();
    for (size_t n = 1;; n++) {
        kn_postings *p = NULL;
        kn_error err;
        kn_status status;
        kn__memory_fail_after(n);
        status = kn__postings_new(&p, data.b, &err);
        kn__memory_fail_after(0);
        kn__postings_free(p);
        assert_int_equal(kn_memory_in_use(), held);
        if (status == KN_OK) {
            break;
        }
        assert_int_equal(status, KN_ENOMEM);
        assert_null(p);
    }
    kn__baskets_free(data.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_records),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
