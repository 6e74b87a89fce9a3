/* count/dense_rare.h - rare itemsets where few items are held by very many people.
 *
 * After a generalisation a few hundred items are left, and nearly every combination of them is
 * common. count/rare/ walks over the combinations inside each record, which is hopeless for records
 * of hundreds of items; here the combinations themselves are enumerated, and each is dismissed as
 * soon as k of the longest records are seen to hold it, which takes a few words of bit sets. Only
 * those that stay undecided look at the other records.
 *
 * Sets only (kn_set_source). All supports are exact where they are below k. */
#ifndef KN_COUNT_DENSE_RARE_H
#define KN_COUNT_DENSE_RARE_H

#include "count/set_sampler.h"

/** An itemset that occurs with support below the k of its size. */
typedef struct kn_dense_itemset {
    uint32_t items[KN_MOST_KNOWN]; /* ascending */
    uint32_t size, support;
} kn_dense_itemset;

typedef struct kn_dense_rare {
    uint64_t count[KN_MOST_KNOWN + 1]; /* by size: rare itemsets, minimal or not */
    uint32_t least[KN_MOST_KNOWN + 1]; /* by size: the smallest support below k; 0: none is */
    kn_dense_itemset *kept;            /* `limit` of them, by their first item, ascending */
    size_t kept_count;
    uint64_t undecided; /* itemsets for which all records were looked at */
} kn_dense_rare;

/** Find the itemsets of 1..m items that 1..k[size] - 1 people hold, where k[1..m] are given.
 * `limit` of them are kept, at most 1,000 with the same first item. The result is the same for any
 * number of threads. About 5 ns an itemset, C(items, m) of them at most; 8 KiB for each item that
 * more than 4,096 different records hold. Quickest when codes ascend with support. */
kn_status kn__dense_rare_find(kn_dense_rare **out, const kn_set_source *source, const size_t *k,
                              size_t m, size_t limit, const kn_run *run, kn_error *err);
void kn__dense_rare_free(kn_dense_rare *r);

/** How many itemsets kn__dense_rare_find would have to look at, at most: those of 1..m of the items
 *  that occur. */
double kn__dense_rare_work(const kn_set_source *source, size_t m);

#endif
