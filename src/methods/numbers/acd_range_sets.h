/* methods/numbers/acd_range_sets.h - sets (in bags: multisets) of ranges, with counters.
 *
 * A trie: a set is a node, its parent is the set without its greatest range. Nodes are numbered
 * from 0, the empty set, in the order in which they were met. */
#ifndef KN_METHODS_NUMBERS_ACD_RANGE_SETS_H
#define KN_METHODS_NUMBERS_ACD_RANGE_SETS_H

#include "base/map.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kn_acd_range_sets {
    kn_map child; /* by parent << 32 | range; the empty set is no child */
    uint32_t sets;
    uint32_t *count; /* `stride` counters for each set */
    size_t count_cap, stride;
    bool failed; /* memory was out: the sets are wrong until kn__acd_range_sets_start */
} kn_acd_range_sets;

void kn__acd_range_sets_free(kn_acd_range_sets *x);

/** Begin with the empty set alone, counters 0. */
kn_status kn__acd_range_sets_start(kn_acd_range_sets *x, kn_error *err);

/** The set `parent` with `range` added; a new one has counters 0. 0 and `failed` where memory is
 *  out. */
uint32_t kn__acd_range_sets_child(kn_acd_range_sets *x, uint32_t parent, uint32_t range);

#endif
