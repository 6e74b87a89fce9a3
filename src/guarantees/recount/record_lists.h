/* guarantees/recount/record_lists.h - sets, their records by falling length, and for each item the
 * records that hold it: what certificates count supports with.
 *
 * Equal records become one, with the number of people in all of them, and are numbered anew by
 * falling length, so those that are long enough for an itemset come first and every list of records
 * can be cut where they end. Within a length the order is that of a hash of the items: what is
 * drawn by number depends on the records alone, not on the order of the rows. */
#ifndef KN_GUARANTEES_RECOUNT_RECORD_LISTS_H
#define KN_GUARANTEES_RECOUNT_RECORD_LISTS_H

#include "guarantees/recount/certificate.h"

typedef struct kn_record_lists {
    kn_certify_lists lists;
    size_t longest;
    size_t records;      /* different ones */
    size_t *from_length; /* by length, and one more: different records that are at least so long */
    uint32_t *record;    /* by place in the order: one of the records that are equal */
    uint64_t *before;    /* by place, and one more: people in the places before */
    uint64_t *begin;     /* by item, and one more */
    uint32_t *places;    /* ascending within an item */
} kn_record_lists;

/** Index the lists, which must outlive it. Clear it also after a failure. O(occurrences + records
 * x log records). */
kn_status kn__record_lists_init(kn_record_lists *x, const kn_certify_lists *lists, kn_error *err);
void kn__record_lists_clear(kn_record_lists *x);

/** How many items a record has. */
size_t kn__record_lists_length(const kn_certify_lists *l, size_t record);

/** Different records that hold all `count` items (1..KN_MOST_KNOWN, different), counted to `most`.
 */
size_t kn__record_lists_support(const kn_record_lists *x, const uint32_t *items, size_t count,
                                size_t most);
/** The same in people: at least `most` where there are so many. */
uint64_t kn__record_lists_people(const kn_record_lists *x, const uint32_t *items, size_t count,
                                 uint64_t most);
/** The place of person number `person`, below before[records]. O(log records). */
size_t kn__record_lists_place(const kn_record_lists *x, uint64_t person);

#endif
