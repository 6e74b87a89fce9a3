/* utility/items/levels.h - the levels at which items are mined.
 *
 * A level is a partition of some of the leaves of a domain into groups, each of them a run in
 * the row of leaves. Level 0 is the values. Above it are the levels of the hierarchy, without its
 * root, which says nothing; or, for numbers without a hierarchy, 32, 16, 8, 4 and 2 ranges that
 * hold about equally many of the original's numbers: a scale that does not depend on the release.
 */
#ifndef KN_UTILITY_ITEMS_LEVELS_H
#define KN_UTILITY_ITEMS_LEVELS_H

#include "utility/items/leaf_ranges.h"

/** By code of an ordered or numbers column: twice as many values of its records as are below it,
 * and its own once; `*all` is twice as many as there are. Missing ones are not counted. Free `*out`
 *  with kn__free. O(values + occurrences). */
kn_status kn__column_ranks(uint64_t **out, uint64_t *all, const kn_column *column, size_t records,
                           kn_error *err);

/** Of `ranges` ranges that hold about equally many values, that of a code with this rank. With
 *  powers of two, ranges lie within ranges. */
static inline uint32_t kn__range_of_rank(uint64_t rank, uint64_t all, uint32_t ranges)
{
    return (uint32_t)(rank * ranges / all);
}

typedef struct kn_levels {
    const kn_leaf_ranges *leaves;
    size_t count;
    uint64_t *rank; /* numbers without a hierarchy: kn__column_ranks of the original. NULL otherwise
                     */
    uint64_t all;
} kn_levels;

/** The levels of the domain of `leaves`, whose column has `records` records. */
kn_status kn__levels_new(kn_levels **out, const kn_leaf_ranges *leaves, size_t records,
                         kn_error *err);
void kn__levels_free(kn_levels *l);

/** The groups of `level` by leaf, KN_NO_CODE where there is none, into group[leaves->total]. Groups
 *  are below kn__levels_groups. O(leaves + values). */
void kn__levels_fill(const kn_levels *l, size_t level, uint32_t *group);
uint32_t kn__levels_groups(const kn_levels *l);

/** The group that holds all leaves of `s`; KN_NO_CODE: none does, or there are no leaves. */
static inline uint32_t kn__levels_group_of(const uint32_t *group, const kn_leaf_runs *s)
{
    const uint32_t first = s->count ? group[s->at[0].begin] : KN_NO_CODE;

    return s->count && first == group[s->at[s->count - 1].end - 1] ? first : KN_NO_CODE;
}

#endif
