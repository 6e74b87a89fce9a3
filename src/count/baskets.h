/* count/baskets.h - the item lists of one column, as plain arrays.
 *
 * Everything that counts combinations works on this: 32-bit codes, records one after the other.
 * A record without items keeps its place. */
#ifndef KN_COUNT_BASKETS_H
#define KN_COUNT_BASKETS_H

#include "data/dataset.h"
#include "kanon/run.h"

typedef struct kn_baskets {
    size_t records;
    uint32_t items;   /* codes are below this */
    bool bags;        /* repeats count: {a,a} is a combination of two */
    uint64_t *starts; /* record i has list[starts[i]..starts[i+1]); records + 1 of them */
    uint32_t *list;   /* ascending within a record; in sets strictly */
    /* By record: the people that it stands for, borrowed (kn_dataset_set_counts); NULL: one each.
     * Users that do not ask kn__baskets_people get baskets without it. */
    const uint32_t *people;
} kn_baskets;

/** The lists of column `c`, which has `records` records; KN_EUSAGE unless it is a list column whose
 *  values were kept. A missing value is no item. 4 bytes an occurrence and 8 a record. */
kn_status kn__baskets_of_column(kn_baskets **out, const kn_column *c, size_t records,
                                kn_error *err);

/** Generalise: item i becomes to[i], which is below `items` (KN_NO_CODE: it is dropped). In sets
 *  equal items of a record become one; in bags they stay. O(occurrences), sorted again. */
kn_status kn__baskets_map(kn_baskets **out, const kn_baskets *b, const uint32_t *to, uint32_t items,
                          const kn_run *run, kn_error *err);

/** The different records of `b`, in the order of their first appearance, and in `*weight` (free
 *  with kn__free) how many people each stands for; `*first` (may be NULL; kn__free) gets the
 * number of its first record. Expected O(occurrences). */
kn_status kn__baskets_distinct(kn_baskets **out, const kn_baskets *b, uint32_t **weight,
                               uint32_t **first, kn_error *err);

/** KN_EINPUT if there are more records than numbers of 32 bits count. */
kn_status kn__baskets_countable(const kn_baskets *b, kn_error *err);
/** How many different records there are. O(occurrences). */
kn_status kn__baskets_different(size_t *count, const kn_baskets *b, kn_error *err);
/** The same, and in `*of` (may be NULL; kn__free) by record the number of its different record. */
kn_status kn__baskets_group(kn_baskets **out, const kn_baskets *b, uint32_t **weight,
                            uint32_t **first, uint32_t **of, kn_error *err);

/** Room for lists that the caller fills: `starts` and `list` are allocated, starts[0] is 0. NULL
 *  when memory is out. */
kn_baskets *kn__baskets_room(size_t records, uint64_t occurrences, uint32_t items, bool bags);

/** Free `b`. NULL is fine. */
void kn__baskets_free(kn_baskets *b);

/** The people that record `i` stands for. */
static inline uint32_t kn__baskets_people(const kn_baskets *b, size_t i)
{
    return b->people ? b->people[i] : 1;
}

/** The items of record `i`, `*len` of them. */
static inline const uint32_t *kn__baskets_record(const kn_baskets *b, size_t i, size_t *len)
{
    *len = (size_t)(b->starts[i + 1] - b->starts[i]);
    return b->list + b->starts[i];
}

#endif
