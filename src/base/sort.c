/* sort.c - insertion for short lists, which most are; a heap for long ones. */
#include "base/sort.h"
#include "base/heap.h"

#include <stdlib.h>

enum { SHORT_LIST = 24 };

static bool greater(const void *user, const void *a, const void *b)
{
    (void)user;
    return *(const uint32_t *)a > *(const uint32_t *)b;
}

void kn__sort_u32(uint32_t *values, size_t count)
{
    size_t at = 1;

    while (at < count && values[at - 1] <= values[at]) {
        at++;
    }
    if (at >= count) {
        return;
    }
    if (count <= SHORT_LIST) {
        for (; at < count; at++) {
            const uint32_t value = values[at];
            size_t j = at;
            for (; j > 0 && values[j - 1] > value; j--) {
                values[j] = values[j - 1];
            }
            values[j] = value;
        }
        return;
    }
    kn__heap_make(values, count, sizeof *values, greater, NULL);
    for (size_t i = count; i-- > 1;) {
        const uint32_t value = values[i];
        values[i] = values[0];
        values[0] = value;
        kn__heap_down(values, i, sizeof *values, 0, greater, NULL);
    }
}

static int by_value(const void *a, const void *b)
{
    return KN_ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

void kn__sort_u64(uint64_t *values, size_t count)
{
    if (count > 1) {
        qsort(values, count, sizeof *values, by_value);
    }
}

static int by_id(const kn_ranked *a, const kn_ranked *b)
{
    return KN_ORDER(a->id, b->id);
}

static int by_rank(const void *a, const void *b)
{
    const kn_ranked *x = a, *y = b;
    const int order = KN_ORDER(x->rank, y->rank);

    return order ? order : by_id(x, y);
}

static int by_rank_down(const void *a, const void *b)
{
    const kn_ranked *x = a, *y = b;
    const int order = KN_ORDER(y->rank, x->rank);

    return order ? order : by_id(x, y);
}

void kn__sort_ranked(kn_ranked *list, size_t count)
{
    if (count > 1) {
        qsort(list, count, sizeof *list, by_rank);
    }
}

void kn__sort_ranked_down(kn_ranked *list, size_t count)
{
    if (count > 1) {
        qsort(list, count, sizeof *list, by_rank_down);
    }
}
