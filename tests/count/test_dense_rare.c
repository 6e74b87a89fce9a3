/* Tests of count/dense_rare.c against the enumeration of every itemset. */
#include "count/baskets_test.h"
#include "rounds.h"

#include "count/dense_rare.h"

enum { M = 4 };

static int support_of(const kn_baskets *b, const uint32_t *items, size_t size)
{
    int support = 0;

    for (size_t i = 0; i < b->records; i++) {
        size_t len, found = 0;
        const uint32_t *list = kn__baskets_record(b, i, &len);
        for (size_t j = 0; j < len && found < size; j++) {
            found += list[j] == items[found];
        }
        support += found == size;
    }
    return support;
}

/* Every itemset of up to m items, in place; rare ones are counted by size. */
static void count_all(const kn_baskets *b, uint32_t *items, size_t size, size_t m, const size_t *k,
                      uint64_t *count, uint32_t *least)
{
    if (size) {
        const int support = support_of(b, items, size);
        if (support > 0 && (size_t)support < k[size]) {
            count[size]++;
            least[size] = least[size] == 0 || (uint32_t)support < least[size] ? (uint32_t)support
                                                                              : least[size];
        }
    }
    for (uint32_t next = size ? items[size - 1] + 1 : 0; size < m && next < b->items; next++) {
        items[size] = next;
        count_all(b, items, size + 1, m, k, count, least);
    }
}

static void compare(const kn_baskets *b, const size_t *k, size_t m)
{
    uint64_t count[M + 1] = {0};
    uint32_t least[M + 1] = {0}, items[M];
    kn_set_source *source = NULL;

    count_all(b, items, 0, m, k, count, least);
    assert_int_equal(kn__set_source_new(&source, b, NULL), KN_OK);
    for (unsigned threads = 1; threads <= 3; threads++) {
        const kn_run run = {.threads = threads};
        kn_dense_rare *r = NULL;
        uint64_t all = 0;
        assert_int_equal(kn__dense_rare_find(&r, source, k, m, 7, &run, NULL), KN_OK);
        for (size_t size = 1; size <= m; size++) {
            assert_int_equal(r->count[size], count[size]);
            assert_int_equal(r->least[size], least[size]);
            all += count[size];
        }
        assert_int_equal(r->kept_count, all < 7 ? all : 7);
        for (size_t i = 0; i < r->kept_count; i++) {
            assert_int_equal(support_of(b, r->kept[i].items, r->kept[i].size), r->kept[i].support);
            assert_true(r->kept[i].support > 0 && r->kept[i].support < k[r->kept[i].size]);
        }
        kn__dense_rare_free(r);
    }
    kn__set_source_free(source);
}

static void test_small(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 61, 0);
    for (int round = 0; round < test_rounds(2000); round++) {
        km_data d = random_data(&r);
        size_t k[M + 1] = {0};
        while (d.bags) {
            d = random_data(&r);
        }
        for (size_t i = 1; i <= M; i++) {
            k[i] = 1 + kn__rng_below(&r, 5);
        }
        kn_baskets *b = baskets_of(&d);
        compare(b, k, 1 + kn__rng_below(&r, M));
        kn__baskets_free(b);
    }
}

/* More records than the bit sets hold, so that both ways of deciding are taken. */
static void test_many_records(void **state)
{
    const size_t k[M + 1] = {0, 3000, 900, 120, 40};
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 62, 0);
    kn_baskets *b = random_baskets(&r, 90000, 18, 7, false);
    compare(b, k, 3);
    kn__baskets_free(b);
}

static void test_work(void **state)
{
    kn_rng r;
    kn_set_source *source = NULL;

    (void)state;
    kn__rng_seed(&r, 63, 0);
    kn_baskets *b = random_baskets(&r, 4000, 10, 9, false);
    assert_int_equal(kn__set_source_new(&source, b, NULL), KN_OK);
    assert_true(kn__dense_rare_work(source, 3) == 10 + 45 + 120);
    assert_true(kn__dense_rare_work(source, 20) == 1023);
    kn__set_source_free(source);
    kn__baskets_free(b);
}

static void test_stopped(void **state)
{
    const size_t k[M + 1] = {0, 5, 5, 5, 5};
    const kn_run run = {.threads = 1, .progress = cancel};
    kn_rng r;
    kn_set_source *source = NULL;
    kn_dense_rare *found = NULL;

    (void)state;
    kn__rng_seed(&r, 64, 0);
    kn_baskets *b = random_baskets(&r, 300, 12, 9, false);
    assert_int_equal(kn__set_source_new(&source, b, NULL), KN_OK);
    assert_int_equal(kn__dense_rare_find(&found, source, k, 3, 7, &run, NULL), KN_ECANCELLED);
    assert_null(found);
    assert_int_equal(kn__dense_rare_find(&found, source, k, 40, 7, NULL, NULL), KN_EUSAGE);
    const size_t held = kn_memory_in_use();
    for (size_t n = 1;; n++) {
        kn__memory_fail_after(n);
        const kn_status status = kn__dense_rare_find(&found, source, k, 4, 7, NULL, NULL);
        kn__memory_fail_after(0);
        assert_true(status == KN_OK || status == KN_ENOMEM);
        kn__dense_rare_free(found);
        found = NULL;
        assert_int_equal(kn_memory_in_use(), held);
        if (status == KN_OK) {
            break;
        }
    }
    kn__set_source_free(source);
    kn__baskets_free(b);
}

/* Stop at the third question about the first item. */
static int cancel_within(void *user, const char *phase, double share)
{
    int *questions = user;

    (void)phase;
    *questions += share == 0;
    return *questions == 3;
}

/* The subtree of one item can take minutes: it is not left to the next item to hear of a stop. */
static void test_stopped_within(void **state)
{
    const size_t k[M + 1] = {0, 5, 5, 5, 5};
    int questions = 0;
    const kn_run run = {.threads = 1, .progress = cancel_within, .user = &questions};
    kn_rng r;
    kn_set_source *source = NULL;
    kn_dense_rare *found = NULL;

    (void)state;
    kn__rng_seed(&r, 65, 0);
    kn_baskets *b = random_baskets(&r, 12000, 130, 130, false);
    assert_int_equal(kn__set_source_new(&source, b, NULL), KN_OK);
    assert_int_equal(kn__dense_rare_find(&found, source, k, 4, 7, &run, NULL), KN_ECANCELLED);
    assert_int_equal(questions, 3);
    assert_null(found);
    kn__set_source_free(source);
    kn__baskets_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),          cmocka_unit_test(test_many_records),
        cmocka_unit_test(test_work),           cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_stopped_within),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
