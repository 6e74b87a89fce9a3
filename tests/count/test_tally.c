/* Tests of count/tally.c: shares of the combinations, weights, and threads. What it counts in full
 * is compared with the definition in test_partial.c. */
#include "count/baskets_test.h"

#include "count/tally.h"

#include <stdatomic.h>

enum { ITEMS = 40, M = 3, CODES = ITEMS * ITEMS * ITEMS };

/* By combination of M items: how often it was told, and its support; workers never share one. */
typedef struct told {
    atomic_uint times[CODES];
    uint32_t support[CODES];
    atomic_size_t of_size[M + 1];
} told;

static size_t code_of(const uint32_t *items)
{
    return ((size_t)items[0] * ITEMS + items[1]) * ITEMS + items[2];
}

static kn_status note(void *user, unsigned worker, size_t size, const uint32_t *prefix,
                      const uint32_t *last, const uint32_t *supports, size_t count)
{
    told *t = user;

    (void)worker;
    atomic_fetch_add(&t->of_size[size], count);
    for (size_t i = 0; i < count && size == M; i++) {
        const size_t code = code_of((uint32_t[]){prefix[0], prefix[1], last[i]});
        atomic_fetch_add(&t->times[code], 1);
        t->support[code] = supports[i];
    }
    return KN_OK;
}

static kn_tally_lists lists_of(const kn_baskets *b, uint32_t weight)
{
    kn_tally_lists l;

    assert_int_equal(kn__tally_lists_init(&l, b->items, b->records, b->starts[b->records], NULL),
                     KN_OK);
    for (size_t i = 0; i < b->records; i++) {
        for (uint64_t at = b->starts[i]; at < b->starts[i + 1]; at++) {
            kn__tally_add(&l, b->list[at]);
        }
        kn__tally_end(&l, weight);
    }
    return l;
}

/* Every combination of the cut is told once, with the support that it has when all are counted; no
 * other is; and about one in so many is in the cut. */
static void test_shares(void **state)
{
    told *all = kn__malloc(sizeof *all), *some = kn__malloc(sizeof *some);
    double expected = 0, seen = 0;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 31, 0);
    for (int round = 0; round < 60; round++) {
        kn_baskets *b = random_baskets(&r, 400, ITEMS, 10, round % 2 == 1);
        const uint32_t weight = 1 + (uint32_t)kn__rng_below(&r, 3);
        kn_tally_lists l = lists_of(b, weight);
        const kn_tally_cut cut = {.salt = kn__rng_next(&r),
                                  .one_in = {0, 1 + kn__rng_below(&r, 3),
                                             1 + kn__rng_below(&r, 8)}};
        memset(all, 0, sizeof *all);
        memset(some, 0, sizeof *some);
        assert_int_equal(kn__tally_walk(&l, M, NULL, false, 1, note, all, NULL, NULL), KN_OK);
        assert_int_equal(kn__tally_walk(&l, M, &cut, round % 3 == 0, 1 + (unsigned)round % 4, note,
                                        some, NULL, NULL),
                         KN_OK);
        assert_int_equal(atomic_load(&some->of_size[1]), atomic_load(&all->of_size[1]));
        for (uint32_t code = 0; code < CODES; code++) {
            const uint32_t items[M] = {code / ITEMS / ITEMS, code / ITEMS % ITEMS, code % ITEMS};
            const bool in = atomic_load(&all->times[code]) && kn__tally_in_cut(&cut, items, M);
            assert_int_equal(atomic_load(&some->times[code]), in);
            if (in) {
                assert_int_equal(some->support[code], all->support[code]);
                assert_int_equal(some->support[code] % weight, 0);
            }
        }
        expected += (double)atomic_load(&all->of_size[M]) / (double)(cut.one_in[1] * cut.one_in[2]);
        seen += (double)atomic_load(&some->of_size[M]);
        kn__tally_lists_clear(&l);
        kn__baskets_free(b);
    }
    /* The generator is seeded: this is one number, and a bias would move it. */
    assert_true(seen > 0.9 * expected && seen < 1.1 * expected);
    kn__free(all);
    kn__free(some);
}

enum { FEW = 9 };

/* Supports by what was told: of a, and of {a, b} with a <= b. */
typedef struct supports {
    uint32_t single[FEW], pair[FEW][FEW];
} supports;

static kn_status note_pairs(void *user, unsigned worker, size_t size, const uint32_t *prefix,
                            const uint32_t *last, const uint32_t *found, size_t count)
{
    supports *t = user;

    assert_int_equal(worker, 0);
    for (size_t i = 0; i < count; i++) {
        uint32_t *const to = size == 1 ? &t->single[last[i]] : &t->pair[prefix[0]][last[i]];
        assert_int_equal(*to, 0); /* each once, */
        assert_int_not_equal(found[i], 0);
        *to = found[i];
    }
    return KN_OK;
}

/* By the definition. */
static supports count_pairs(const kn_baskets *b, uint32_t weight)
{
    supports s = {0};

    for (size_t r = 0; r < b->records; r++) {
        uint32_t held[FEW] = {0};
        for (uint64_t i = b->starts[r]; i < b->starts[r + 1]; i++) {
            held[b->list[i]]++;
        }
        for (uint32_t x = 0; x < FEW; x++) {
            s.single[x] += held[x] > 0 ? weight : 0;
            for (uint32_t y = x; y < FEW; y++) {
                s.pair[x][y] += (x == y ? held[x] > 1 : held[x] && held[y]) ? weight : 0;
            }
        }
    }
    return s;
}

/* Few items and more than that many records are counted in a square, fewer and ordered ones are
 * not: all are the same. */
static void test_pairs(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 32, 0);
    for (int round = 0; round < 4000; round++) {
        kn_baskets *b = random_baskets(&r, round % 2 ? 60 : 6, FEW, 6, round % 4 > 1);
        const uint32_t weight = 1 + (uint32_t)kn__rng_below(&r, 3);
        kn_tally_lists l = lists_of(b, weight);
        const supports expected = count_pairs(b, weight);
        for (int ordered = 0; ordered < 2; ordered++) {
            supports got = {0};
            assert_int_equal(kn__tally_walk(&l, 2, NULL, ordered, 1, note_pairs, &got, NULL, NULL),
                             KN_OK);
            assert_memory_equal(&got, &expected, sizeof got);
        }
        kn__tally_lists_clear(&l);
        kn__baskets_free(b);
    }
}

static void test_pairs_without_memory(void **state)
{
    kn_status status = KN_ENOMEM;
    kn_baskets *b;
    kn_tally_lists l;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 33, 0);
    b = random_baskets(&r, 200, FEW, 6, true);
    l = lists_of(b, 1);
    for (size_t n = 1; status == KN_ENOMEM; n++) {
        supports got = {0};
        kn__memory_fail_after(n);
        status = kn__tally_walk(&l, 2, NULL, false, 1, note_pairs, &got, NULL, NULL);
        assert_int_equal(kn__memory_failed() != 0, status == KN_ENOMEM);
        kn__memory_fail_after(0);
    }
    assert_int_equal(status, KN_OK);
    kn__tally_lists_clear(&l);
    kn__baskets_free(b);
}

static void test_too_many(void **state)
{
    kn_tally_lists l;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn__tally_lists_init(&l, 3, 1, UINT32_MAX, &err), KN_EINPUT);
    assert_int_equal(kn__tally_lists_init(&l, 3, UINT32_MAX, 0, &err), KN_EINPUT);
    kn__tally_lists_clear(&l);
}

static kn_status ignore(void *user, unsigned worker, size_t size, const uint32_t *prefix,
                        const uint32_t *last, const uint32_t *supports, size_t count)
{
    (void)user;
    (void)worker;
    (void)size;
    (void)prefix;
    (void)last;
    (void)supports;
    (void)count;
    return KN_OK;
}

static int cancel_later(void *user, const char *phase, double done)
{
    assert_string_equal(phase, "recount");
    assert_true(done >= 0 && done <= 1);
    return ++*(int *)user > 1;
}

/* Two long records hold more combinations than anybody waits for. */
static void test_cancel(void **state)
{
    enum { LENGTH = 60 };
    uint64_t starts[] = {0, LENGTH, 2 * LENGTH};
    uint32_t list[2 * LENGTH];
    const kn_baskets b = {.records = 2, .items = LENGTH, .starts = starts, .list = list};
    kn_tally_lists l;
    kn_error err = {0};

    (void)state;
    for (uint32_t i = 0; i < LENGTH; i++) {
        list[i] = list[LENGTH + i] = i;
    }
    l = lists_of(&b, 1);
    for (unsigned threads = 1; threads < 3; threads++) {
        int calls = 0;
        const kn_run run = {.progress = cancel_later, .user = &calls};
        assert_int_equal(kn__tally_walk(&l, 16, NULL, false, threads, ignore, NULL, &run, &err),
                         KN_ECANCELLED);
        assert_int_equal(calls, 2);
    }
    kn__tally_lists_clear(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_pairs_without_memory),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_cancel),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
