/* count/class_items.h - baskets in which items of different groups of records are different items.
 *
 * Item a in a record of group 3 and item a in one of group 7 become two items. A combination then
 * never spans groups, and whatever counts combinations of the result counts them inside each group,
 * all groups in one pass, however many there are. */
#ifndef KN_COUNT_CLASS_ITEMS_H
#define KN_COUNT_CLASS_ITEMS_H

#include "count/baskets.h"
#include "count/classes.h"

typedef struct kn_class_items {
    kn_baskets *baskets;
    uint32_t *item;  /* by code of the baskets: the item that it was */
    uint32_t *group; /* by code: its group */
} kn_class_items;

/** Make the items of `b` differ by the group of their record; items with a non-zero byte in
 *  `left_out` (by item; NULL: none) are left out. Codes ascend by group, then by item. `members`
 * and `begin` are those of kn__classes_members. O(occurrences log items of a group). */
kn_status kn__class_items_new(kn_class_items **out, const kn_baskets *b, const uint32_t *members,
                              const uint32_t *begin, uint32_t groups, const uint8_t *left_out,
                              kn_error *err);
/** The records of groups of at least `least` records, or with `below` of fewer; the others are
 *  empty. */
kn_status kn__class_items_pick(kn_baskets **out, const kn_class_items *g, const kn_classes *groups,
                               size_t least, bool below, kn_error *err);
/** Free `g`. NULL is fine. */
void kn__class_items_free(kn_class_items *g);

#endif
