/* models/rules/itemsets.h - frequent itemsets: those whose support is at least a threshold. */
#ifndef KN_MODELS_RULES_ITEMSETS_H
#define KN_MODELS_RULES_ITEMSETS_H

#include "count/baskets.h"

/** Sets one after the other, items ascending; a set comes after those that it begins with. */
typedef struct kn_itemsets {
    size_t count;
    size_t *begin; /* count + 1: set i is item[begin[i]..begin[i + 1]) */
    uint32_t *item;
    uint32_t *support; /* by set: the records that hold it */
} kn_itemsets;

/** All sets of 1 to `longest` items of `b`, which are sets, with support at least `least` (>= 1).
 * Depth-first search over projections: only sets that occur are visited. It is fastest when items
 * are numbered by ascending support. The same for every
 * thread count.
 *  @return KN_EINFEASIBLE when there are more than `most`: `least` is what to raise. */
kn_status kn__itemsets_find(kn_itemsets *out, const kn_baskets *b, size_t least, size_t longest,
                            size_t most, const kn_run *run, kn_error *err);
void kn__itemsets_clear(kn_itemsets *s);

#endif
