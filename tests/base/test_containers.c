/* Tests of base/arena.h, base/map.h, base/intern.h, base/heap.h, base/bits.h and base/sort.h: each
 * against the slowest structure that does the same, a list that is searched from its beginning, on
 * thousands of random calls. */
#include "base/arena.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 300 };

typedef struct listed {
    uint64_t key, value;
} listed;

static void check_map(const kn_map *map, const listed *list, size_t len)
{
    size_t used = 0;

    assert_int_equal(map->used, len);
    for (size_t i = 0; i < len; i++) {
        const kn_map_slot *slot = kn__map_find(map, list[i].key);
        assert_true(slot->value == list[i].value && slot->key == list[i].key);
    }
    for (size_t i = 0; map->slots && i <= map->mask; i++) {
        used += map->slots[i].value != 0;
    }
    assert_int_equal(used, len);
}

static void a_map_is_a_list_of_pairs(void **state)
{
    kn_map map = {0};
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 1, 0);
    for (size_t round = 0; round < 1000; round++) {
        const uint64_t keys = 1 + kn__rng_below(&r, round % 3 ? 40 : UINT64_MAX - 1);
        const size_t calls = kn__rng_below(&r, MOST);
        listed list[MOST];
        size_t len = 0;
        for (size_t call = 0; call < calls; call++) {
            const uint64_t key = kn__rng_below(&r, keys);
            kn_map_slot *slot;
            size_t i = 0;
            assert_int_equal(kn__map_reserve(&map, map.used + 1, NULL), KN_OK);
            slot = kn__map_find(&map, key);
            while (i < len && list[i].key != key) {
                i++;
            }
            assert_int_equal(slot->value != 0, i < len);
            if (slot->value) {
                list[i].value++;
                slot->value++;
            } else {
                list[len++] = (listed){key, 1 + call};
                kn__map_put(&map, slot, key, 1 + call);
            }
        }
        check_map(&map, list, len);
        if (round % 10) {
            kn__map_empty(&map);
        } else {
            kn__map_clear(&map);
        }
    }
    kn__map_clear(&map);
}

/* Entries with one key, as when the key is a hash: each is met once by find and next. */
static void a_map_keeps_entries_with_one_key_apart(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 2, 0);
    for (size_t round = 0; round < 500; round++) {
        kn_map map = {0};
        const size_t len = 1 + kn__rng_below(&r, 200);
        uint64_t key[MOST];
        for (size_t i = 0; i < len; i++) {
            kn_map_slot *slot;
            key[i] = kn__rng_below(&r, 7);
            assert_int_equal(kn__map_reserve(&map, map.used + 1, NULL), KN_OK);
            for (slot = kn__map_find(&map, key[i]); slot->value; slot = kn__map_next(&map, slot)) {
            }
            kn__map_put(&map, slot, key[i], i + 1);
        }
        for (uint64_t k = 0; k < 7; k++) {
            uint64_t sum = 0, met = 0;
            for (const kn_map_slot *s = kn__map_find(&map, k); s->value;
                 s = kn__map_next(&map, s)) {
                assert_true(key[s->value - 1] == k);
                met += s->value;
            }
            for (size_t i = 0; i < len; i++) {
                sum += key[i] == k ? i + 1 : 0;
            }
            assert_true(met == sum);
        }
        kn__map_clear(&map);
    }
}

static void a_map_survives_the_end_of_memory(void **state)
{
    kn_map map = {0};

    (void)state;
    assert_int_equal(kn__map_reserve(&map, 1, NULL), KN_OK);
    kn__map_put(&map, kn__map_find(&map, 5), 5, 6);
    kn__memory_fail_after(1);
    assert_int_equal(kn__map_reserve(&map, 1000, NULL), KN_ENOMEM);
    kn__memory_fail_after(0);
    assert_int_equal(kn__map_find(&map, 5)->value, 6);
    assert_int_equal(kn__map_find(&map, 4)->value, 0);
    kn__map_clear(&map);
}

/* Short lists of few numbers, so that most occur several times, and the empty one. */
static void lists_are_kept_once(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 6, 0);
    for (size_t round = 0; round < 300; round++) {
        kn_intern x = {0};
        uint32_t lists[200][4];
        size_t lens[200], count = 0, calls = 1 + kn__rng_below(&r, 200), known_len;
        for (size_t call = 0; call < calls; call++) {
            uint32_t list[4], number;
            const size_t len = kn__rng_below(&r, 5);
            size_t i = 0;
            for (size_t j = 0; j < len; j++) {
                list[j] = (uint32_t)kn__rng_below(&r, 3);
            }
            while (i < count && (lens[i] != len || memcmp(lists[i], list, len * 4) != 0)) {
                i++;
            }
            if (i == count) {
                memcpy(lists[count], list, len * 4);
                lens[count++] = len;
            }
            assert_int_equal(kn__intern_add(&x, list, len, &number, NULL), KN_OK);
            assert_int_equal(number, i);
            assert_int_equal(x.count, count);
        }
        for (size_t i = 0; i < count; i++) {
            const uint32_t *list = kn__intern_list(&x, i, &known_len);
            assert_int_equal(known_len, lens[i]);
            assert_memory_equal(list, lists[i], known_len * 4);
        }
        kn__intern_clear(&x);
    }
}

typedef struct element {
    double rank;
    uint32_t id;
} element;

static bool smaller(const void *user, const void *a, const void *b)
{
    const element *x = a, *y = b;

    assert_int_equal(*(const int *)user, 7);
    return x->rank < y->rank || (!(y->rank < x->rank) && x->id < y->id);
}

static void a_heap_is_a_list_with_its_least_taken_out(void **state)
{
    const int user = 7;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 3, 0);
    for (size_t round = 0; round < 1000; round++) {
        element heap[MOST], list[MOST];
        size_t len = kn__rng_below(&r, 50), calls = kn__rng_below(&r, 200);
        for (size_t i = 0; i < len; i++) {
            heap[i] = list[i] = (element){(double)kn__rng_below(&r, 20), (uint32_t)i};
        }
        kn__heap_make(heap, len, sizeof *heap, smaller, &user);
        for (uint32_t call = 0; call < calls; call++) {
            const element e = {(double)kn__rng_below(&r, 20), 1000 + call};
            size_t least = 0;
            for (size_t i = 1; i < len; i++) {
                least = smaller(&user, &list[i], &list[least]) ? i : least;
            }
            if (len > 0) {
                assert_int_equal(heap[0].id, list[least].id);
            }
            if (len > 0 && kn__rng_below(&r, 3) == 0) {
                list[least] = list[len - 1];
                kn__heap_pop(heap, &len, sizeof *heap, smaller, &user);
            } else if (len > 0 && kn__rng_below(&r, 3) == 0) {
                heap[0] = list[least] = e;
                kn__heap_down(heap, len, sizeof *heap, 0, smaller, &user);
            } else if (len < MOST) {
                heap[len] = list[len] = e;
                kn__heap_up(heap, sizeof *heap, len++, smaller, &user);
            }
        }
    }
}

static void bits_are_flags(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 4, 0);
    for (size_t round = 0; round < 1000; round++) {
        uint64_t bits[MOST / 64 + 1] = {0};
        bool flag[MOST] = {0};
        const size_t count = 1 + kn__rng_below(&r, MOST - 1), words = kn__bits_words(count);
        size_t set = 0, counted = 0;
        assert_true(words * 64 >= count && (words - 1) * 64 < count);
        for (size_t call = 0; call < 50; call++) {
            const size_t i = kn__rng_below(&r, count);
            if (call % 2) {
                assert_int_equal(kn__bit_add(bits, i), !flag[i]);
            } else {
                kn__bit_set(bits, i);
            }
            set += !flag[i];
            flag[i] = true;
        }
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(kn__bit_get(bits, i), flag[i]);
        }
        for (size_t i = 0; i < words; i++) {
            counted += kn__bits_count(bits[i]);
        }
        assert_int_equal(counted, set);
    }
    assert_int_equal(kn__bits_words(0), 0);
}

static void ranked_lists_are_sorted(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 5, 0);
    for (size_t round = 0; round < 1000; round++) {
        kn_ranked list[60];
        const size_t count = kn__rng_below(&r, 60);
        for (size_t i = 0; i < count; i++) {
            list[i] = (kn_ranked){(double)kn__rng_below(&r, 9) - 4, (uint32_t)i};
        }
        kn__sort_ranked(list, count);
        for (size_t i = 1; i < count; i++) {
            assert_true(list[i - 1].rank < list[i].rank || list[i - 1].id < list[i].id);
            assert_false(list[i - 1].rank > list[i].rank);
        }
        kn__sort_ranked_down(list, count);
        for (size_t i = 1; i < count; i++) {
            assert_true(list[i - 1].rank > list[i].rank || list[i - 1].id < list[i].id);
            assert_false(list[i - 1].rank < list[i].rank);
        }
    }
    assert_true(KN_ORDER(1, 2) == -1 && KN_ORDER(2, 2) == 0 && KN_ORDER(3, 2) == 1);
}

/* Arrays do not overlap, are aligned, and keep what is written; when memory is out, the arena says
 * so until it is cleared. */
static void an_arena_holds_arrays(void **state)
{
    kn_arena a = {0};
    kn_error err = {0};
    uint64_t *list[MOST];

    (void)state;
    for (int round = 0; round < 2; round++) {
        for (uint64_t i = 0; i < MOST; i++) {
            list[i] = i % 2 ? kn__arena_take(&a, (size_t)i, sizeof **list)
                            : kn__arena_zeros(&a, (size_t)i, sizeof **list);
            assert_non_null(list[i]);
            assert_int_equal((uintptr_t)list[i] % _Alignof(max_align_t), 0);
            for (uint64_t j = 0; j < i; j++) {
                assert_true(i % 2 || list[i][j] == 0);
                list[i][j] = i * MOST + j;
            }
        }
        for (uint64_t i = 0; i < MOST; i++) {
            for (uint64_t j = 0; j < i; j++) {
                assert_int_equal(list[i][j], i * MOST + j);
            }
        }
        assert_int_equal(kn__arena_check(&a, &err), KN_OK);
        kn__memory_fail_after(1);
        assert_null(kn__arena_take(&a, 1, 1));
        kn__memory_fail_after(0);
        assert_non_null(kn__arena_take(&a, 1, 1));
        assert_int_equal(kn__arena_check(&a, &err), KN_ENOMEM);
        kn__arena_clear(&a);
        assert_int_equal(kn__arena_check(&a, &err), KN_OK);
    }
    assert_null(kn__arena_take(&a, SIZE_MAX / 8, 16));
    assert_int_equal(kn__arena_check(&a, NULL), KN_ENOMEM);
    kn__arena_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_is_a_list_of_pairs),
        cmocka_unit_test(a_map_keeps_entries_with_one_key_apart),
        cmocka_unit_test(a_map_survives_the_end_of_memory),
        cmocka_unit_test(an_arena_holds_arrays),
        cmocka_unit_test(lists_are_kept_once),
        cmocka_unit_test(a_heap_is_a_list_with_its_least_taken_out),
        cmocka_unit_test(bits_are_flags),
        cmocka_unit_test(ranked_lists_are_sorted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
