/* count/partial_inside.h - how a partial count keeps its combinations: for partial.c and
 * partial_bytes.c. */
#ifndef KN_COUNT_PARTIAL_INSIDE_H
#define KN_COUNT_PARTIAL_INSIDE_H

#include "count/partial.h"

/* The combinations of one size. A key is `words` words; an item takes `bits` bits and stands in one
 * word, the first item highest, so keys compare word by word as their items do. */
typedef struct kn__partial_size {
    uint64_t *keys; /* count x words, strictly ascending */
    uint32_t *supports;
    size_t words, count;
    size_t keys_cap, supports_cap; /* room, while it grows */
} kn__partial_size;

struct kn_itemset_counts {
    kn_itemset_counts_options options; /* cap and parts as they are used: at least 1 */
    bool bags;
    uint32_t items;
    unsigned bits, per_word; /* bits an item takes; items that a word takes */
    uint64_t records;
    kn__partial_size size[KN_MOST_M + 1];
};

/** An empty count; options are put in order. NULL when out of memory. */
kn_itemset_counts *kn__partial_new(const kn_itemset_counts_options *options, bool bags,
                                   uint32_t items);
/** Room for `count` combinations in all. */
bool kn__partial_grow(kn__partial_size *s, size_t count);

/** What stands at the end of `len` bytes of a written count. */
uint64_t kn__partial_checksum(const char *bytes, size_t len);

#endif
