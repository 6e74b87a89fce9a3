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
typedef struct kn_top_n {
    size_t m, limit;
    kn_kept *kept;
    size_t len, cap;
    uint32_t *room; /* m for each */
    size_t room_cap;
    bool heap;
} kn_top_n;

void kn__top_n_init(kn_top_n *keep, size_t m, size_t limit);
void kn__top_n_clear(kn_top_n *keep);
/** False when memory is out. O(log limit). */
bool kn__top_n_offer(kn_top_n *keep, const uint32_t *items, size_t size, uint32_t support);
/** Offer all of `from`. */
kn_status kn__top_n_merge(kn_top_n *keep, const kn_top_n *from, kn_error *err);
/** The kept ones in order; `*room` is what their items point into. Free both with kn__free. */
kn_status kn__top_n_finish(const kn_top_n *keep, kn_rare **rare, size_t *count, uint32_t **room,
                           kn_error *err);

#endif
