/* count/postings.h - which records hold an item: increasing lists of records.
 *
 * In bags there is a list for each (item, at least c times). A list is an array of record numbers
 * or a bit set over the records, whichever is smaller. Built once, then only read: every function
 * below may be called from many threads. Questions are threshold questions, "at least k?", and
 * stop at k. */
#ifndef KN_COUNT_POSTINGS_H
#define KN_COUNT_POSTINGS_H

#include "count/baskets.h"

/** One list; points into its kn_postings. One of `records` and `bits` is set, unless it is empty.
 */
typedef struct kn_posting {
    const uint32_t *records; /* increasing; `len` of them */
    const uint64_t *bits;    /* bit r of word r / 64; `words` of them */
    size_t len;              /* records in it */
    size_t words;
} kn_posting;

typedef struct kn_postings kn_postings;

/** The lists of `b`, of which nothing is kept. O(occurrences + items); at most 4 bytes an
 *  occurrence. At most 2^32-2 records. */
kn_status kn__postings_new(kn_postings **out, const kn_baskets *b, kn_error *err);
void kn__postings_free(kn_postings *p);
bool kn__postings_validate(const kn_postings *p, const char **reason);

/** The records that hold `item` at least `times` times (>= 1; in sets only 1 gives any). */
kn_posting kn__postings_of(const kn_postings *p, uint32_t item, uint32_t times);

/** How many support questions were asked, and how many were answered before the lists were read to
 *  their end. Not shared between threads: keep one each and add them. */
typedef struct kn_support_stats {
    uint64_t asked, stopped;
} kn_support_stats;

/** The support of the combination `items` (ascending; in bags repeats mean "at least so many
 *  times"), 1 to 64 of them, counted to `most` and no further: the result is the support, or
 *  `most` if it is at least that. `weight` (NULL: 1 each) says how many people a record stands for.
 *  `stats` may be NULL. */
size_t kn__postings_support(const kn_postings *p, const uint32_t *items, size_t size,
                            const uint32_t *weight, size_t most, kn_support_stats *stats);

/** The first record that holds the combination; false if none does. */
bool kn__postings_first(const kn_postings *p, const uint32_t *items, size_t size, uint32_t *record);

/** Call `found` for each record that holds the combination, in increasing order. */
void kn__postings_each(const kn_postings *p, const uint32_t *items, size_t size,
                       void (*found)(void *user, uint32_t record), void *user);

#endif
