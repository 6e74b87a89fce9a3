/* Tests of count/rare/rare.c: against the enumeration of everything, and what must not matter. */
#include "count/validate.h"
#include "count/baskets_test.h"
#include "rounds.h"

#include "base/threads.h"
#include "count/rare/rare.h"

#include <stdlib.h>

static km_answer answer; /* large */

static void compare(const kn_rare_list *l, const km_answer *a, int m)
{
    assert_int_equal(l->count, a->rare);
    assert_int_equal(l->at_risk, a->at_risk);
    assert_int_equal(l->longest, a->longest);
    assert_int_equal(l->empty, a->empty);
    for (int size = 1; size <= m; size++) {
        assert_int_equal(l->least[size], a->least[size]);
    }
    for (size_t i = 0; i < l->kept; i++) {
        const kn_rare *r = &l->rare[i];
        int times[KM_ITEMS] = {0};
        bool known = false;
        for (size_t j = 0; j < r->size; j++) {
            assert_true(j == 0 || r->items[j - 1] <= r->items[j]);
            times[r->items[j]]++;
        }
        for (int j = 0; j < a->rare && !known; j++) {
            known = memcmp(a->minimal[j].times, times, sizeof times) == 0;
            if (known) {
                assert_int_equal(a->minimal[j].support, r->support);
                assert_int_equal(a->minimal[j].size, r->size);
            }
        }
        assert_true(known);
    }
}

static bool in_order(const kn_rare *a, const kn_rare *b)
{
    if (a->size != b->size) {
        return a->size < b->size;
    }
    if (a->support != b->support) {
        return a->support < b->support;
    }
    for (size_t i = 0; i < a->size; i++) {
        if (a->items[i] != b->items[i]) {
            return a->items[i] < b->items[i];
        }
    }
    return false;
}

static void same(const kn_rare_list *a, const kn_rare_list *b)
{
    assert_int_equal(a->kept, b->kept);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->at_risk, b->at_risk);
    assert_int_equal(a->stats.asked, b->stats.asked);
    assert_int_equal(a->stats.stopped, b->stats.stopped);
    assert_memory_equal(a->least, b->least, sizeof a->least);
    assert_memory_equal(a->count_of_size, b->count_of_size, sizeof a->count_of_size);
    for (size_t i = 0; i < a->kept; i++) {
        assert_int_equal(a->rare[i].size, b->rare[i].size);
        assert_int_equal(a->rare[i].support, b->rare[i].support);
        assert_int_equal(a->rare[i].record, b->rare[i].record);
        assert_memory_equal(a->rare[i].items, b->rare[i].items,
                            a->rare[i].size * sizeof *a->rare[i].items);
    }
}

static void test_oracle(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 3, 0);
    for (int round = 0; round < test_rounds(12000); round++) {
        const km_data d = random_data(&r);
        const int k = 1 + (int)kn__rng_below(&r, 5);
        const int m = 1 + (int)kn__rng_below(&r, round % 10 ? 4 : KM_M);
        const kn_run run = {.threads = (unsigned[]){1, 2, 5}[round % 3]};
        kn_baskets *b = baskets_of(&d);
        kn_rare_list *l = NULL;
        km_solve(&d, k, m, &answer);
        assert_int_equal(kn__rare_find(&l, b, (size_t)k, (size_t)m, SIZE_MAX, &run, NULL), KN_OK);
        assert_int_equal(l->kept, l->count);
        compare(l, &answer, m);
        for (size_t i = 0; i < l->kept; i++) {
            int times[KM_ITEMS] = {0};
            assert_true(i == 0 || in_order(&l->rare[i - 1], &l->rare[i]));
            for (size_t j = 0; j < l->rare[i].size; j++) {
                times[l->rare[i].items[j]]++;
            }
            assert_true(km_holds(&d, (int)l->rare[i].record, times));
            for (uint32_t j = 0; j < l->rare[i].record; j++) {
                assert_false(km_holds(&d, (int)j, times));
            }
        }
        kn__rare_list_free(l);
        kn__baskets_free(b);
    }
}

/* Larger data, so that threads meet: the same for any number of them, and the first `limit` are the
 * first of all. */
static void test_threads_and_limits(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 4, 0);
    for (int round = 0; round < 12; round++) {
        kn_baskets *b = random_baskets(&r, 1500, 60, 9, round % 2 == 1);
        const size_t k = 2 + (size_t)kn__rng_below(&r, 20), m = 1 + (size_t)kn__rng_below(&r, 4);
        kn_rare_list *all = NULL, *other = NULL;
        kn_run run = {.threads = 1};
        const char *reason = "";
        assert_true(baskets_validate(b, &reason));
        assert_int_equal(kn__rare_find(&all, b, k, m, SIZE_MAX, &run, NULL), KN_OK);
        for (unsigned threads = 2; threads <= 5; threads += 3) {
            run.threads = threads;
            assert_int_equal(kn__rare_find(&other, b, k, m, SIZE_MAX, &run, NULL), KN_OK);
            same(all, other);
            kn__rare_list_free(other);
            assert_int_equal(kn__rare_find(&other, b, k, m, 17, &run, NULL), KN_OK);
            assert_int_equal(other->count, all->count);
            assert_int_equal(other->kept, all->count < 17 ? all->count : 17);
            all->kept = other->kept;
            same(all, other);
            all->kept = (size_t)all->count;
            kn__rare_list_free(other);
        }
        kn__rare_list_free(all);
        kn__baskets_free(b);
    }
}

/* Two long equal records, and one that shares all but an item: all subsets are 2^40, and we must
 * not walk them. */
static void test_long_records(void **state)
{
    enum { LENGTH = 40 };
    kn_baskets b = {.records = 3, .items = LENGTH + 1};
    uint64_t starts[] = {0, LENGTH, 2 * LENGTH, 3 * LENGTH};
    uint32_t list[3 * LENGTH];
    kn_rare_list *l = NULL;

    (void)state;
    b.starts = starts;
    b.list = list;
    for (uint32_t i = 0; i < LENGTH; i++) {
        list[i] = list[LENGTH + i] = i;
        list[2 * LENGTH + i] = i + 1;
    }
    assert_int_equal(kn__rare_find(&l, &b, 2, KN_MOST_M, 10, NULL, NULL), KN_OK);
    assert_int_equal(l->count, 1);
    assert_int_equal(l->rare[0].items[0], LENGTH);
    assert_int_equal(l->rare[0].record, 2);
    assert_int_equal(l->at_risk, 1);
    for (size_t size = 1; size <= KN_MOST_M; size++) {
        assert_int_equal(l->least[size], 1);
    }
    kn__rare_list_free(l);
    assert_int_equal(kn__rare_find(&l, &b, 3, KN_MOST_M, 10, NULL, NULL), KN_OK);
    assert_int_equal(l->count, 2);
    kn__rare_list_free(l);
}

static void test_bad_m(void **state)
{
    uint64_t starts[] = {0};
    uint32_t list[1] = {0};
    kn_baskets b = {.items = 1, .starts = starts, .list = list};
    kn_rare_list *l = NULL;
    kn_error err;

    (void)state;
    assert_int_equal(kn__rare_find(&l, &b, 2, 0, 10, NULL, &err), KN_EUSAGE);
    assert_null(l);
    assert_int_equal(kn__rare_find(&l, &b, 2, KN_MOST_M + 1, 10, NULL, &err), KN_EUSAGE);
    assert_int_equal(kn__rare_find(&l, &b, 2, 2, 10, NULL, &err), KN_OK);
    assert_int_equal(l->count, 0);
    assert_int_equal(l->least[1], 0);
    kn__rare_list_free(l);
}

static void test_cancel(void **state)
{
    kn_rng r;
    kn_baskets *b;
    const kn_run run = {.threads = 2, .progress = cancel};
    kn_rare_list *l = NULL;
    kn_error err;

    (void)state;
    kn__rng_seed(&r, 5, 0);
    b = random_baskets(&r, 200, 20, 8, false);
    assert_int_equal(kn__rare_find(&l, b, 3, 3, 10, &run, &err), KN_ECANCELLED);
    assert_null(l);
    kn__baskets_free(b);
}

static void test_no_memory(void **state)
{
    kn_rng r;
    kn_baskets *b;
    const size_t before = kn_memory_in_use();

    (void)state;
    kn__rng_seed(&r, 6, 0);
    b = random_baskets(&r, 60, 12, 8, true);
    for (unsigned threads = 1; threads <= 2; threads++) {
        const kn_run run = {.threads = threads};
        const size_t held = kn_memory_in_use();
        for (size_t n = 1;; n++) {
            kn_rare_list *l = NULL;
            kn_error err;
            kn_status status;
            kn__memory_fail_after(n);
            status = kn__rare_find(&l, b, 4, 4, 50, &run, &err);
            const bool struck = kn__memory_failed();
            kn__memory_fail_after(0);
            if (status == KN_OK) {
                assert_false(struck);
                kn__rare_list_free(l);
                assert_int_equal(kn_memory_in_use(), held);
                break;
            }
            assert_int_equal(status, KN_ENOMEM);
            assert_null(l);
            assert_int_equal(kn_memory_in_use(), held);
        }
    }
    kn__baskets_free(b);
    assert_int_equal(kn_memory_in_use(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oracle),       cmocka_unit_test(test_threads_and_limits),
        cmocka_unit_test(test_long_records), cmocka_unit_test(test_bad_m),
        cmocka_unit_test(test_cancel),       cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
