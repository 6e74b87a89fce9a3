/* count/projection.h - the combinations of items that occur, walked depth first.
 *
 * A node of the walk is a combination, the prefix, with the records that hold it and, for each of
 * them, where the items behind the prefix begin: its tail. One pass over the tails counts every
 * extension of the prefix by one more item; the caller chooses the extensions to look into; a
 * second pass gives each of them its own records. Then the caller goes on with them one by one, a
 * depth further down. Combinations that do not occur are never looked at.
 *
 * What an attacker may know is a budget with several parts: items in part 0, and for records that
 * are trees also relations between them in part 1. Every item has a cost in these parts, and an
 * extension that the budget does not cover is not chosen.
 *
 *     kn__projection_count(&lists, level, tails, len, &work);
 *     for each item of level->touched: if it matters, kn__projection_choose(level, item)
 *     kn__projection_deal(&lists, level, tails, len);
 *     for each of level->chosen: recurse with its tails and the next level
 *     kn__projection_reset(level);
 *
 * The functions work on one level, which belongs to one thread. A pass costs O(length of the
 * tails). A level takes 16 bytes for each item and 8 for each tail that it dealt. */
#ifndef KN_COUNT_PROJECTION_H
#define KN_COUNT_PROJECTION_H

#include "kanon/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KN_BUDGET_PARTS = 2 };

typedef struct kn_budget {
    uint16_t part[KN_BUDGET_PARTS];
} kn_budget;

/** The records to walk over; nothing is copied. */
typedef struct kn_projection_lists {
    const uint64_t *starts; /* by record, and one more */
    /* Items below `items`, in an order that is the same for all records; ascending if there is
     * `follow`. An item that stands there several times, one beside the other, is counted once for
     * the record and can be chosen once more below itself. */
    const uint32_t *list;
    const uint32_t *weight; /* by record: the people it stands for, may be 0; NULL: one each */
    /* By item: the first item that may follow it in a combination; NULL: the next one. Used for
     * bags, where "item a twice" replaces "item a once". */
    const uint32_t *follow;
    const kn_budget *cost; /* by item; NULL: 1 in part 0 */
    uint32_t items;
} kn_projection_lists;

/** A record that holds the prefix. */
typedef struct kn_tail {
    uint32_t record, from; /* from: where its tail begins, counted from the start of the record */
} kn_tail;

/** An extension that the caller chose. */
typedef struct kn_extension {
    uint32_t item, support;
    size_t begin, len; /* its tails, in level->dealt */
    size_t carry;      /* the caller's own (rare/node.c) */
} kn_extension;

/** Zero it to start; `count` and `records` are all 0 between two nodes. */
typedef struct kn_projection_level {
    uint32_t *count;   /* by item: people with the prefix and it */
    uint32_t *records; /* by item: the same in records */
    uint32_t *touched; /* items with a count, in the order of first occurrence */
    uint32_t *at;      /* by touched item: which of `chosen` it is, or KN_NOT_CHOSEN */
    size_t touched_len;
    kn_extension *chosen;
    size_t chosen_len, chosen_cap;
    kn_tail *dealt;
    size_t dealt_cap;
} kn_projection_level;

#define KN_NOT_CHOSEN UINT32_MAX
#define KN_NO_ITEM    UINT32_MAX

/** Take the cost of `item` out of `left`; false, and `left` unchanged, when it is not covered. */
bool kn__projection_spend(const kn_projection_lists *lists, uint32_t item, kn_budget *left);

/** Allocate what the level does not have yet; false when memory is out. */
bool kn__projection_ready(kn_projection_level *level, uint32_t items);
void kn__projection_clear(kn_projection_level *level);

/** One tail for each of `records` records, from its first item on: the node without a prefix.
 *  NULL when memory is out; free with kn__free. */
kn_tail *kn__projection_all(size_t records);

/** Count the items of the tails; nothing is chosen then. Adds the items read to `*work`.
 *  @return the length of the longest tail. */
size_t kn__projection_count(const kn_projection_lists *lists, kn_projection_level *level,
                            const kn_tail *tails, size_t len, size_t *work);

/** Choose an item; one that was not touched has support 0 and no tails. The result is valid until
 *  the next call; NULL when memory is out. */
kn_extension *kn__projection_choose(kn_projection_level *level, uint32_t item);

/** Give each chosen extension its tails: those of the same `tails` that were counted. False when
 *  memory is out. */
bool kn__projection_deal(const kn_projection_lists *lists, kn_projection_level *level,
                         const kn_tail *tails, size_t len);

/** Forget the counts. `chosen` and `dealt` stay until the next node. */
void kn__projection_reset(kn_projection_level *level);

#endif
