/* methods/sampling/region_index.h - which records hold a region, for counts of support that stop
 * at k.
 *
 * Records are those of a kn_set_source: different ones, the longest first. A region has the list of
 * records that hold any of its items, as an array or as bits, whichever is smaller. The first
 * records, the longest ones, are also kept as bits for every region: most combinations of regions
 * reach k among them, and only the rest looks further.
 *
 * Lists never change once made, and copies of an index share them: a merge makes a new list. */
#ifndef KN_METHODS_SAMPLING_REGION_INDEX_H
#define KN_METHODS_SAMPLING_REGION_INDEX_H

#include "count/set_sampler.h"

#include <stdatomic.h>

typedef struct kn_region_list {
    atomic_uint uses;        /* indexes that hold it */
    const uint32_t *records; /* increasing; or */
    const uint64_t *bits;    /* bit r of word r / 64 */
    size_t len;              /* records */
    uint64_t people;         /* that these stand for */
    double reach;            /* items of these records, or more */
    bool owned;              /* `records` and `bits` are its own */
} kn_region_list;

typedef struct kn_region_index {
    const kn_set_source *source;
    uint32_t items;
    size_t records, words; /* of all records */
    size_t top_words;      /* of the longest, 64 records a word */
    size_t single_words;   /* in the words before this every record stands for one person */
    kn_region_list **list; /* by region; NULL: none */
    uint64_t *top;         /* [region * top_words] */
} kn_region_index;

/** Every item of `source` a region; the source must outlive the index. `most_top_words`: keep bits
 * of at most so many words of the longest records; 0: as many as is usual. O(occurrences). */
kn_status kn__region_index_new(kn_region_index **out, const kn_set_source *source,
                               size_t most_top_words, kn_error *err);
/** A copy that shares all lists. O(items x top_words). */
kn_status kn__region_index_copy(kn_region_index **out, const kn_region_index *from, kn_error *err);
void kn__region_index_free(kn_region_index *x);

/** Regions `merged` become region `name`, one of them. On failure nothing has changed. O(sum of
 *  their lists). */
kn_status kn__region_index_merge(kn_region_index *x, const uint32_t *merged, size_t count,
                                 uint32_t name, kn_error *err);

/** People who hold all `count` regions (at least 1), or `most` when that many do: counting stops
 *  there. */
size_t kn__region_support(const kn_region_index *x, const uint32_t *regions, size_t count,
                          size_t most);

/** The bits of the longest records that hold `region`. */
static inline const uint64_t *kn__region_top(const kn_region_index *x, uint32_t region)
{
    return x->top + (size_t)region * x->top_words;
}

/** How many people the records among the 64 of word `w` stand for that `bits` marks. */
static inline size_t kn__region_people(const kn_region_index *x, size_t w, uint64_t bits)
{
    size_t people = 0;

    if (w < x->single_words) {
        return (size_t)__builtin_popcountll(bits);
    }
    for (; bits; bits &= bits - 1) {
        people += x->source->weight[w * 64 + (size_t)__builtin_ctzll(bits)];
    }
    return people;
}

/** Whether a list holds `record`. `*at` moves forward: ask for increasing records, from 0 on. */
bool kn__region_list_holds(const kn_region_list *l, uint32_t record, size_t *at);

#endif
