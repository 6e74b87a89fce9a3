/* models/rules/item_index.h - an inverted index: by item the records that hold it (its posting
 * list). An item is in a record or is not; repeats in bags do not count. */
#ifndef KN_MODELS_RULES_ITEM_INDEX_H
#define KN_MODELS_RULES_ITEM_INDEX_H

#include "data/dataset.h"

/** By item an ascending posting list; frequent items have a bit set, too. */
typedef struct kn_item_index {
    size_t records;
    uint32_t items;
    size_t *begin; /* items + 1: the list of item i is record[begin[i]..begin[i + 1]) */
    uint32_t *record;
    uint64_t **bits; /* by item: bit r of word r / 64; NULL: the item is rare */
} kn_item_index;

/** Index list column `c`: code v is item[v], or none if that is KN_NO_CODE. Items are below
 * `items`. At most 2^32-2 records. O(occurrences + items); 4 bytes per occurrence, and a bit per
 * record for items that more than one record in 64 holds. */
kn_status kn__item_index_build(kn_item_index *out, const kn_column *c, size_t records,
                               const uint32_t *item, uint32_t items, kn_error *err);
void kn__item_index_clear(kn_item_index *index);
/** The support of an item. */
static inline size_t kn__item_index_support(const kn_item_index *index, uint32_t item)
{
    return index->begin[item + 1] - index->begin[item];
}

/** Records, ascending. */
typedef struct kn_records {
    uint32_t *at;
    size_t len, cap;
} kn_records;

/** The records that hold all items of `set`, which is not empty: the intersection of their lists.
 * About O(support of the rarest item x items). */
kn_status kn__item_index_intersect(kn_records *out, const kn_item_index *index, const uint32_t *set,
                                   size_t count, kn_error *err);
/** The records of `list` without those of `minus`, a subset of it; `out` may be `list`. */
kn_status kn__records_subtract(kn_records *out, const kn_records *list, const kn_records *minus,
                               kn_error *err);

#endif
