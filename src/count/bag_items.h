/* count/bag_items.h - baskets made ready for walking combinations depth first.
 *
 * "Item a at least c times" is a link; the links of an item, c = 1, 2, ..., are its chain. A
 * combination takes at most one link of each chain, and a link of c times counts as c items. In
 * sets every chain has one link, and all of this is just the items.
 *
 * Links are numbered by rank: chains of rare items first, so that prefixes soon have few records.
 * A record is the ascending list of its links. Equal records are one, with a weight. */
#ifndef KN_COUNT_BAG_ITEMS_H
#define KN_COUNT_BAG_ITEMS_H

#include "base/arena.h"
#include "count/baskets.h"
#include "count/projection.h"

typedef struct kn_bag_items {
    kn_arena arena;
    kn_baskets *distinct; /* the different records, as items */
    uint32_t *weight;     /* by different record: the people it stands for */
    uint32_t *first;      /* by different record: the first of them */
    uint32_t *of;         /* by record: its different record; NULL unless asked for */
    size_t records;
    uint32_t people; /* that all records stand for */
    uint32_t links;
    uint32_t *item;            /* by link */
    uint32_t *times;           /* by link */
    uint32_t *end;             /* by link: the first link of the next chain */
    uint32_t *support;         /* by link: people */
    uint64_t *starts;          /* by different record */
    uint32_t *list;            /* links, ascending within a record */
    kn_budget *cost;           /* by link: `times` in part 0 */
    kn_projection_lists lists; /* all of this, for the walk */
} kn_bag_items;

/** The chains of `b`, links of more than `most` times left out. `of`: keep which record
 *  is which different record. Nothing of `b` is kept. */
kn_status kn__bag_items_new(kn_bag_items **out, const kn_baskets *b, size_t most, bool of,
                            kn_error *err);
void kn__bag_items_free(kn_bag_items *c);

/** Take links with less than `k` people out of the records. */
void kn__bag_items_drop_rare(kn_bag_items *c, size_t k);

#endif
