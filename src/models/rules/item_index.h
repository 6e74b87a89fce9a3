/* models/rules/item_index.h - who holds which items, and the parts that item sets split the records
 * into.
 *
 * An item is in a record or is not: repeats in bags say no more. A partition starts with all
 * records in one part and is refined rule by rule; a part remembers which rules made it, so that
 * what its records have in common can be told without looking at them. */
#ifndef KN_MODELS_RULES_ITEM_INDEX_H
#define KN_MODELS_RULES_ITEM_INDEX_H

#include "data/dataset.h"

/** By item the records that hold it, ascending; of items that many hold also as a bit set. */
typedef struct kn_item_index {
    size_t records;
    uint32_t items;
    size_t *begin; /* items + 1 */
    uint32_t *record;
    uint64_t **bits; /* by item: bit r of word r / 64; NULL: few hold it */
} kn_item_index;

/** The holders of item item[code] for every code of list column `c`; KN_NO_CODE: of none. Items are
 * below `items`. At most 2^32-2 records. O(occurrences + items); 4 bytes an occurrence and a bit a
 * record for items that more than one in 64 holds. */
kn_status kn__item_index_find(kn_item_index *out, const kn_column *c, size_t records,
                              const uint32_t *item, uint32_t items, kn_error *err);
void kn__item_index_clear(kn_item_index *h);
static inline size_t kn__item_index_count(const kn_item_index *h, uint32_t item)
{
    return h->begin[item + 1] - h->begin[item];
}

/** Records, ascending. */
typedef struct kn_records {
    uint32_t *at;
    size_t len, cap;
} kn_records;

/** Those who hold all of `set`, which is not empty. About O(the rarest item's holders x items). */
kn_status kn__item_index_of_all(kn_records *out, const kn_item_index *h, const uint32_t *set,
                                size_t count, kn_error *err);
/** Those of `list` who are not in `minus`, all of whose records are in `list`; `out` may be `list`.
 */
kn_status kn__records_without(kn_records *out, const kn_records *list, const kn_records *minus,
                              kn_error *err);

/** What rules make of the records. */
typedef struct kn_record_part {
    uint64_t population;
    uint32_t parent; /* the part that it was split from; KN_NO_CODE: none */
    uint32_t rule; /* that split it off, and the state of its records in that rule. In rules that */
    uint8_t state; /* no part on the way up names, they are in the state of the rest. */
    bool tells;    /* some private item depends on it */
} kn_record_part;

typedef struct kn_parts {
    size_t records;
    uint32_t *of; /* by record */
    kn_record_part *part;
    size_t count, cap;
    uint32_t *hits[2]; /* by part: records that the rule at hand moves; 0 between calls */
    uint32_t *touched;
    size_t hits_cap[2], touched_cap;
} kn_parts;

/** What one more rule does: records `one` are in its state 1, `two` in state 2, disjoint, the
 * others stay. `tells` says by state (0: the rest) whether private items then make a difference. */
typedef struct kn_split {
    uint32_t rule;
    const kn_records *one, *two; /* NULL: none */
    bool tells[3];
} kn_split;

kn_status kn__parts_new(kn_parts *out, size_t records, kn_error *err);
void kn__parts_clear(kn_parts *p);
/** Whether every part that tells would still have at least `k` records, or none. O(records that it
 * moves), and O(parts) if the rest tells. */
kn_status kn__parts_fits(kn_parts *p, const kn_split *split, uint64_t k, bool *fits, kn_error *err);
/** Do it. On failure nothing has changed. */
kn_status kn__parts_split(kn_parts *p, const kn_split *split, kn_error *err);

#endif
