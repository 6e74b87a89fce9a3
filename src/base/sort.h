/* base/sort.h - orders that many places share, and sorting without allocating (qsort may). */
#ifndef KN_BASE_SORT_H
#define KN_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/** -1, 0 or 1 as a number is below, equal to or above another. Arguments are evaluated twice. */
#define KN_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/** Sort ascending. O(count log count) at worst; O(count) when they are sorted already. */
void kn__sort_u32(uint32_t *values, size_t count);
/** The same; qsort underneath. */
void kn__sort_u64(uint64_t *values, size_t count);

/** What is sorted by a number, and known by a number of its own. */
typedef struct kn_ranked {
    double rank;
    uint32_t id;
} kn_ranked;

/** Sort by rank, those of equal rank by ascending id; `down` puts the greatest rank first. qsort
 *  underneath: O(count log count). */
void kn__sort_ranked(kn_ranked *list, size_t count);
void kn__sort_ranked_down(kn_ranked *list, size_t count);

#endif
