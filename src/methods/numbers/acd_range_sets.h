/* methods/numbers/acd_range_sets.h - numbers for the sets (in bags: bags) of ranges that occur in a
 * sweep.
 *
 * A trie: a set is its parent, the ranges but the last, and the last. Edges are in a hash table;
 * the first level is an array by range. Cleared by what was used, since most sweeps see little. */
#ifndef KN_METHODS_NUMBERS_ACD_RANGE_SETS_H
#define KN_METHODS_NUMBERS_ACD_RANGE_SETS_H

#include "base/hash.h"
#include "kanon/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kn_acd_numbers {
    uint32_t *first; /* by range: the number of {range}; 0: none */
    uint32_t *seen;  /* ranges that have one */
    size_t first_cap, seen_cap, seens;
    uint64_t *edge; /* parent << 32 | range; 0: empty */
    uint32_t *child;
    uint32_t *used;     /* slots that are not empty */
    size_t edges, mask; /* in use; slots - 1, or 0 without a table */
    uint32_t numbers;   /* given so far; 0 is the empty set */
    uint32_t *count;    /* `stride` for each number */
    size_t count_cap, stride;
    bool failed; /* memory was out: numbers are wrong until kn__acd_numbers_start */
} kn_acd_numbers;

void kn__acd_numbers_free(kn_acd_numbers *n);
/** Begin with the empty set alone, for ranges below `ranges`. */
kn_status kn__acd_numbers_start(kn_acd_numbers *n, uint32_t ranges, kn_error *err);

/** A number with counts of 0; `failed` when there is no memory. */
uint32_t kn__acd_number_new(kn_acd_numbers *n);
bool kn__acd_numbers_grow(kn_acd_numbers *n);

/** The number of set `parent` with `range` added. */
static inline uint32_t kn__acd_number(kn_acd_numbers *n, uint32_t parent, uint32_t range)
{
    uint64_t key;
    size_t slot;

    if (parent == 0) {
        if (!n->first[range]) {
            n->first[range] = kn__acd_number_new(n);
            n->seen[n->seens++] = range;
        }
        return n->first[range];
    }
    if (2 * (n->edges + 1) > n->mask && !kn__acd_numbers_grow(n)) {
        return 0;
    }
    key = (uint64_t)parent << 32 | range; /* not 0: the parent is not */
    slot = (size_t)kn__hash_u64(key) & n->mask;
    while (n->edge[slot] && n->edge[slot] != key) {
        slot = (slot + 1) & n->mask;
    }
    if (!n->edge[slot]) {
        n->edge[slot] = key;
        n->child[slot] = kn__acd_number_new(n);
        n->used[n->edges++] = (uint32_t)slot;
    }
    return n->child[slot];
}

#endif
