/* guarantees/sensitive_items.h - which items of a list column are sensitive.
 *
 * Sensitive items are published as they are: they are never generalised, so that what can be
 * inferred of them can be counted. A published set or range that holds one among others is refused.
 * A node of the hierarchy, and `*`, stand for the items below them that are not sensitive;
 * publishing proves it (kn__sensitive_items_kept), and the check says how many records hold such an
 * item. */
#ifndef KN_GUARANTEES_SENSITIVE_ITEMS_H
#define KN_GUARANTEES_SENSITIVE_ITEMS_H

#include "data/dataset.h"
#include "kanon/guarantee.h"

typedef struct kn_sensitive_items {
    bool given;       /* some are named */
    uint8_t *is;      /* by code: non-zero for sensitive items */
    uint8_t *above;   /* by code: a node, or `*`, with sensitive items below it */
    uint32_t count;   /* sensitive items that occur */
    uint32_t others;  /* the other items, a missing value aside */
    size_t absent;    /* names and prefixes that fit no item of the column and no leaf */
    kn_error unknown; /* says which is the first of them, and what is nearest to it */
} kn_sensitive_items;

/** Find the items of `column` that its schema names. `hierarchies` may be NULL.
 *  @return KN_EUSAGE for a name that is no node of the hierarchy though it should be, or when every
 *  item is sensitive; KN_EINPUT for a published item that hides a sensitive one, and for a
 * sensitive item that is named like a group of others. O(items + nodes). */
kn_status kn__sensitive_items_find(kn_sensitive_items *out, const kn_column *column,
                                   const kn_hierarchies *hierarchies, kn_error *err);
void kn__sensitive_items_clear(kn_sensitive_items *s);

/** KN_EUSAGE if a name fits no item. In original data that may be a slip, which would leave an item
 * unprotected; in a release the item may be gone, and nothing can be inferred of it. */
kn_status kn__sensitive_items_all_there(const kn_sensitive_items *s, kn_error *err);

/** KN_EUSAGE if a guarantee protects sensitive items and none of `column` was named. */
kn_status kn__sensitive_items_named(const kn_sensitive_items *s, const kn_column *column,
                                    const kn_guarantee *guarantees, size_t count, kn_error *err);

/** Whether every record of `release` holds the sensitive items of its original, record origin[i] of
 *  `original` (NULL: i), and no other ones; if not, `*record` is the first that does not. */
kn_status kn__sensitive_items_kept(bool *kept, size_t *record, const kn_column *original,
                                   const kn_column *release, const uint32_t *origin, size_t records,
                                   const kn_hierarchies *hierarchies, kn_error *err);

#endif
