/* methods/sets/hitting_set.h - which items to give up so that of every rare combination one is
 * gone.
 *
 * Leaving an item out changes no support but those of combinations with it. So a set of items that
 * takes one from every rare combination mends them all: a hitting set, of little weight. */
#ifndef KN_METHODS_SETS_HITTING_SET_H
#define KN_METHODS_SETS_HITTING_SET_H

#include "count/rare/rare.h"

typedef struct kn_hitting_set {
    uint32_t names; /* what may be chosen: 0..names-1 */
    /* Combination i is member[begin[i]..begin[i+1]), without repeats. */
    size_t count;
    uint32_t *member;
    size_t *begin;
    size_t member_cap, begin_cap;
} kn_hitting_set;

/** An empty collection. Clear it with kn__hitting_set_clear, also on failure. */
kn_status kn__hitting_set_init(kn_hitting_set *h, uint32_t names, kn_error *err);
void kn__hitting_set_clear(kn_hitting_set *h);

/** Add a combination of `size` ascending names, 1 or more; repeats count once. */
kn_status kn__hitting_set_add(kn_hitting_set *h, const uint32_t *name, size_t size, kn_error *err);

/** Choose (one byte per name) such that every combination has a chosen name; the weights of the
 * chosen ones are in `*sum`. Greedy: what hits most for its weight comes first; then what is not
 * needed any more is left out again, the heaviest first. Deterministic. O(members log members). */
kn_status kn__hitting_set_choose(const kn_hitting_set *h, const double *weight, uint8_t *chosen,
                                 double *sum, kn_error *err);

#endif
