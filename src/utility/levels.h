/* utility/levels.h - the levels at which items are mined.
 *
 * A level is a partition of some of the leaves of a domain into groups, each of them a stretch of
 * the row of leaves. Level 0 is the values. Above it are the levels of the hierarchy, without its
 * root, which says nothing; or, for numbers without a hierarchy, 32, 16, 8, 4 and 2 ranges that
 * hold about equally many of the original's numbers: a scale that does not depend on the release.
 */
#ifndef KN_UTILITY_LEVELS_H
#define KN_UTILITY_LEVELS_H

#include "count/baskets.h"
#include "utility/leaves.h"

typedef struct kn_levels {
    const kn_leaves *leaves;
    size_t count;
    uint64_t *below; /* numbers without a hierarchy, by code: twice the numbers of the original
                        below it, and its own once. NULL otherwise */
    uint64_t all;    /* twice all numbers */
} kn_levels;

/** The levels of the domain of `leaves`, whose column has the lists `original`. */
kn_status kn_levels_new(kn_levels **out, const kn_leaves *leaves, const kn_baskets *original,
                        kn_error *err);
void kn_levels_free(kn_levels *l);

/** The groups of `level` by leaf, KN_NO_CODE where there is none, into group[leaves->total]. Groups
 *  are below kn_levels_groups. O(leaves + values). */
void kn_levels_fill(const kn_levels *l, size_t level, uint32_t *group);
uint32_t kn_levels_groups(const kn_levels *l);

/** The group that holds all leaves of `s`; KN_NO_CODE: none does, or there are no leaves. */
static inline uint32_t kn_levels_group_of(const uint32_t *group, const kn_stretches *s)
{
    const uint32_t first = s->count ? group[s->at[0].begin] : KN_NO_CODE;

    return s->count && first == group[s->at[s->count - 1].end - 1] ? first : KN_NO_CODE;
}

#endif
