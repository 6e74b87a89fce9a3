/* base/sort.h - orders that many places share, and sorting without allocating (qsort may). */
#ifndef KN_BASE_SORT_H
#define KN_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** -1, 0 or 1 as a number is below, equal to or above another. Arguments are evaluated twice. */
#define KN_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/** `x`, but at least `least` and at most `most`. Arguments are evaluated more than once. */
#define KN_CLAMP(x, least, most) ((x) < (least) ? (least) : ((x) > (most) ? (most) : (x)))

/** The order of two texts by their bytes; the shorter of two that begin alike comes first. */
static inline int kn__order_bytes(const char *a, size_t a_len, const char *b, size_t b_len)
{
    const size_t shorter = a_len < b_len ? a_len : b_len;
    const int order = shorter ? memcmp(a, b, shorter) : 0;

    return order ? order : KN_ORDER(a_len, b_len);
}

/** Sort ascending. O(count log count) at worst; O(count) when they are sorted already. */
void kn__sort_u32(uint32_t *values, size_t count);
/** The same; qsort underneath. */
void kn__sort_u64(uint64_t *values, size_t count);

/** What is sorted by a number, and known by a number of its own. */
typedef struct kn_ranked {
    double rank;
    uint32_t id;
} kn_ranked;

static inline bool kn__ranked_before(const kn_ranked *a, const kn_ranked *b)
{
    return a->rank < b->rank || (a->rank == b->rank && a->id < b->id);
}

/** Sort by rank, those of equal rank by ascending id; `down` puts the greatest rank first. qsort
 *  underneath: O(count log count). */
void kn__sort_ranked(kn_ranked *list, size_t count);
void kn__sort_ranked_down(kn_ranked *list, size_t count);

#endif
