/* guarantees/recount/record_lists.h - sets, their records by falling length, and for each item the
 * records that hold it: what certificates count supports with.
 *
 * Records are numbered anew by falling length, so those that are long enough for an itemset come
 * first and every list of records can be cut where they end. */
#ifndef KN_GUARANTEES_RECOUNT_RECORD_LISTS_H
#define KN_GUARANTEES_RECOUNT_RECORD_LISTS_H

#include "guarantees/recount/certificate.h"

typedef struct kn_record_lists {
    kn_certify_lists lists;
    size_t longest;
    size_t *from_length; /* by length, and one more: records that are at least so long */
    uint32_t *record;    /* by place in the order: the record */
    uint64_t *begin;     /* by item, and one more */
    uint32_t *places;    /* ascending within an item */
} kn_record_lists;

/** Index the lists, which must outlive it. Clear it also after a failure. O(occurrences). */
kn_status kn__record_lists_init(kn_record_lists *x, const kn_certify_lists *lists, kn_error *err);
void kn__record_lists_clear(kn_record_lists *x);

/** How many items a record has. */
size_t kn__record_lists_length(const kn_certify_lists *l, size_t record);

/** Records that hold all `count` items (1..KN_MOST_KNOWN, different), counted to `most`. */
size_t kn__record_lists_support(const kn_record_lists *x, const uint32_t *items, size_t count,
                                size_t most);

#endif
