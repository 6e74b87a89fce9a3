/* count/top_n.h - the first so many combinations by size, support and items, whatever order they
 * are found in. */
#ifndef KN_COUNT_TOP_N_H
#define KN_COUNT_TOP_N_H

#include "count/rare/rare.h"

typedef struct kn_kept {
    uint32_t support, size;
    size_t at; /* its items, in `room` */
} kn_kept;

/** A plain list while there is room; once `limit` are there, a heap with the last of them on top.
 */
typedef struct kn_keep {
    size_t m, limit;
    kn_kept *kept;
    size_t len, cap;
    uint32_t *room; /* m for each */
    size_t room_cap;
    bool heap;
} kn_keep;

void kn_keep_init(kn_keep *keep, size_t m, size_t limit);
void kn_keep_clear(kn_keep *keep);
/** False when memory is out. O(log limit). */
bool kn_keep_offer(kn_keep *keep, const uint32_t *items, size_t size, uint32_t support);
/** Offer all of `from`. */
kn_status kn_keep_merge(kn_keep *keep, const kn_keep *from, kn_error *err);
/** The kept ones in order; `*room` is what their items point into. Free both with kn_free. */
kn_status kn_keep_finish(const kn_keep *keep, kn_rare **rare, size_t *count, uint32_t **room,
                         kn_error *err);

#endif
