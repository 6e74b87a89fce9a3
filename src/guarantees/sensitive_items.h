/* guarantees/sensitive_items.h - which items of a list column are sensitive.
 *
 * Sensitive items are published as they are: nobody generalises them, so that what can be inferred
 * of them can be counted. A published set or range that holds one among others is refused. A node
 * of the hierarchy, and `*`, stand for the items below them that are not sensitive; whoever
 * publishes must prove it (kn__sensitive_items_kept), and the check says how many records hold such
 * an item. */
#ifndef KN_GUARANTEES_SENSITIVE_ITEMS_H
#define KN_GUARANTEES_SENSITIVE_ITEMS_H

#include "data/dataset.h"
#include "kanon/hierarchy.h"

typedef struct kn_sensitive_items {
    bool given;      /* some are named */
    uint8_t *is;     /* by code: non-zero for sensitive items */
    uint8_t *above;  /* by code: a node, or `*`, with sensitive items below it */
    uint32_t count;  /* sensitive items that occur */
    uint32_t others; /* the other items, a missing value aside */
} kn_sensitive_items;

/** Find the items of `column` that its schema names. `hierarchies` may be NULL.
 *  @return KN_EUSAGE for a name that is no item of the column and no leaf or node of its hierarchy
 *  (the nearest one is named), or when every item is sensitive; KN_EINPUT for a published item that
 *  hides a sensitive one. O(items + nodes). */
kn_status kn__sensitive_items_find(kn_sensitive_items *out, const kn_column *column,
                                   const kn_hierarchies *hierarchies, kn_error *err);
void kn__sensitive_items_clear(kn_sensitive_items *s);

/** Whether every record of `release` holds the sensitive items of its original, record origin[i] of
 *  `original` (NULL: i), and no other ones; if not, `*record` is the first that does not. */
kn_status kn__sensitive_items_kept(bool *kept, size_t *record, const kn_column *original,
                                   const kn_column *release, const uint32_t *origin, size_t records,
                                   const kn_hierarchies *hierarchies, kn_error *err);

#endif
