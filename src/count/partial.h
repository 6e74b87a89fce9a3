/* count/partial.h - the supports of a slice of the records, as a value that merges.
 *
 * A partial count holds every combination of 1..m items that occurs in its records, with the number
 * of records that hold it. Two of them that were made alike merge into that of all their records
 * together, exactly and in any order: threads count slices, and so can machines, which hand each
 * other bytes. Combinations are sorted and packed, so equal counts are equal byte for byte,
 * however they came about.
 *
 * Where all of them would not fit into memory, they are cut into parts by a hash, and one part is
 * counted and merged after the other. */
#ifndef KN_COUNT_PARTIAL_H
#define KN_COUNT_PARTIAL_H

#include "count/baskets.h"
#include "count/tally.h"

typedef struct kn_itemset_counts_options {
    size_t m;             /* combinations of 1..m items; 1 <= m <= KN_MOST_M */
    uint32_t cap;         /* supports are counted to here, which is exact for "at least cap?"; 0:
                           * as far as 32 bits go */
    uint32_t parts, part; /* count one of so many parts; 0 parts: there is but one */
    uint64_t salt;        /* of the hash that makes the parts */
    uint64_t codes;       /* stands for what the item codes mean, such as a hash of a dictionary:
                           * counts of other codes do not merge */
} kn_itemset_counts_options;

typedef struct kn_itemset_counts kn_itemset_counts;

/** Count records from..to-1 of `b`; record i stands for weight[i] records (`weight` NULL: for one).
 *  Threads count slices of them and merge, with the same result for any number of them. 8 bytes a
 *  combination that 64 bits can pack, and 4 for its support; for the time see kn__tally_walk.
 *  @return KN_EUSAGE for an m, a part or records that do not exist; KN_EINPUT for weights of more
 *  than 2^32 - 1 records: count slices of them and merge. */
kn_status kn__partial_count(kn_itemset_counts **out, const kn_baskets *b, const uint32_t *weight,
                            size_t from, size_t to, const kn_itemset_counts_options *options,
                            const kn_run *run, kn_error *err);
/** Free `p`. NULL is fine. */
void kn__partial_free(kn_itemset_counts *p);

/** The count of the records of `a` and of `b`. @return KN_EUSAGE if they were not made alike: other
 *  options, items, or sets and bags; KN_EINPUT for more records than can be. O(combinations). */
kn_status kn__partial_merge(kn_itemset_counts **out, const kn_itemset_counts *a,
                            const kn_itemset_counts *b, kn_error *err);

/** How many different combinations of `size` items (1..m) were counted. */
size_t kn__partial_combinations(const kn_itemset_counts *p, size_t size);
/** Combination `i` of those, in lexicographic order, into items[0..size-1]. @return its support. */
uint32_t kn__partial_combination(const kn_itemset_counts *p, size_t size, size_t i,
                                 uint32_t *items);
/** The support of a combination (ascending; in bags with repeats): 0 when no record holds it, or
 *  when it belongs to another part. O(log combinations). */
uint32_t kn__partial_support(const kn_itemset_counts *p, const uint32_t *items, size_t size);
/** The smallest support of `size` items, 0 when none were counted. */
uint32_t kn__partial_least(const kn_itemset_counts *p, size_t size);

/** As bytes, in `*out` (kn__free), `*len` of them: the same on every machine. */
kn_status kn__partial_write(const kn_itemset_counts *p, char **out, size_t *len, kn_error *err);
/** From bytes that any machine may have written. @return KN_EINPUT, with what is wrong, unless they
 *  are a partial count through and through. */
kn_status kn__partial_read(kn_itemset_counts **out, const char *bytes, size_t len, kn_error *err);

/** Whether all that is promised above holds; if not, `*reason` says what does not. */
bool kn__partial_validate(const kn_itemset_counts *p, const char **reason);

#endif
