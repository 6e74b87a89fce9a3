/* count/record_set.h - a set of records: an increasing list, or a bit set where that is smaller.
 *
 * Sets over the same records have bit sets of the same `words` 64-bit words; who asks about two
 * sets passes that number. Built once, then only read: const functions may be called from many
 * threads. Counting stops at the number that the caller asks for. */
#ifndef KN_COUNT_RECORD_SET_H
#define KN_COUNT_RECORD_SET_H

#include "kanon/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Zero is the empty set. One of `list` and `bits` is set unless it is empty. */
typedef struct kn_record_set {
    uint32_t *list; /* increasing; `len` of them */
    uint64_t *bits; /* bit r of word r / 64 */
    size_t len;
} kn_record_set;

/** Whether record `record` counts; `user` is the caller's. */
typedef bool (*kn_record_filter)(void *user, uint32_t record);

static inline size_t kn__record_words(size_t records)
{
    return records / 64 + (records % 64 != 0);
}

void kn__record_set_clear(kn_record_set *s);
bool kn__record_set_has(const kn_record_set *s, uint32_t record);

/** Make `*out` of an increasing list, which is copied. */
kn_status kn__record_set_of_list(kn_record_set *out, const uint32_t *list, size_t len, size_t words,
                                 kn_error *err);
/** Make room for `size` records in an empty set, which then come by kn__record_set_append. */
kn_status kn__record_set_reserve(kn_record_set *s, size_t size, size_t words, kn_error *err);
/** Add a record, greater than those before; room for it was reserved. */
static inline void kn__record_set_append(kn_record_set *s, uint32_t record)
{
    if (s->bits) {
        s->bits[record / 64] |= UINT64_C(1) << (record % 64);
    } else {
        s->list[s->len] = record;
    }
    s->len++;
}
/** Set the bits of the records of `s`. */
void kn__record_set_add_to(const kn_record_set *s, uint64_t *bits, size_t words);

/** A union that is collected set by set: the bits of its records, and which words have any, so that
 *  a union of few records costs little however many records there are. */
typedef struct kn_record_union {
    uint64_t *bits, *touched;
    size_t words;
} kn_record_union;

kn_status kn__record_union_init(kn_record_union *u, size_t words, kn_error *err);
void kn__record_union_clear(kn_record_union *u);
void kn__record_union_add(kn_record_union *u, const kn_record_set *s);
/** Make `*out` of what was added; `u` is empty then. O(words / 64 and words that were touched). */
kn_status kn__record_union_take(kn_record_union *u, kn_record_set *out, kn_error *err);
/** The same as a list in `*out`, increasing, which the caller frees. */
kn_status kn__record_union_list(kn_record_union *u, uint32_t **out, size_t *len, kn_error *err);

/** How many records are in both sets and pass `filter` (NULL: all do), counted to `most` and no
 *  further. Their numbers go to `found` (NULL, or room for `most`), increasing. */
size_t kn__record_set_common(const kn_record_set *a, const kn_record_set *b, size_t words,
                             size_t most, uint32_t *found, kn_record_filter filter, void *user);
/** The records that are in both sets and pass `filter`, in `*out`. */
kn_status kn__record_set_intersect(kn_record_set *out, const kn_record_set *a,
                                   const kn_record_set *b, size_t words, kn_record_filter filter,
                                   void *user, kn_error *err);
/** The records of `s` with other ones in place of those that `few` lists: the `len` records of
 *  `instead`, a part of the `count` records of `few`; both are increasing. O(words + count). */
kn_status kn__record_set_replace(kn_record_set *out, const kn_record_set *s, const uint32_t *few,
                                 size_t count, const uint32_t *instead, size_t len, size_t words,
                                 kn_error *err);
/** The first `most` records, increasing, into `out`; how many they are. */
size_t kn__record_set_first(const kn_record_set *s, size_t words, size_t most, uint32_t *out);

#endif
