/* models/clusters/nearest_search.h - the search whether one centre can be the nearest: what
 * nearest.c, nearest_box.c and certified_lp.c share. */
#ifndef KN_MODELS_CLUSTERS_NEAREST_SEARCH_H
#define KN_MODELS_CLUSTERS_NEAREST_SEARCH_H

#include "models/clusters/kd_tree.h"

#include <math.h>

/* Whether centre i can be the nearest, compared with `count` others. */
typedef struct kn_centroid_search {
    kn_nearest_searcher *s;
    const kn_space *space;
    const double *centre;
    const uint32_t *among; /* NULL: all of 0..count-1 */
    size_t count;
    uint32_t i;
    size_t own;            /* its place among them */
    bool foreign_category; /* s->x has private categories other than those of centre i */
} kn_centroid_search;

static inline uint32_t other_at(const kn_centroid_search *q, size_t n)
{
    return q->among ? q->among[n] : (uint32_t)n;
}
static inline const double *centre_at(const kn_centroid_search *q, uint32_t j)
{
    return q->centre + j * q->space->attributes;
}
static inline double width_of(const kn_centroid_search *q, size_t n)
{
    const kn_space_attribute *a = &q->space->at[q->s->hidden[n]];
    return a->high - a->low;
}
/* The coefficient of hidden number n in distance j minus distance i. */
static inline double slope(const kn_centroid_search *q, uint32_t j, size_t n)
{
    const uint32_t a = q->s->hidden[n];
    return 2 * q->space->at[a].factor * (centre_at(q, q->i)[a] - centre_at(q, j)[a]);
}

/* An upper bound of the relative error of a sum of non-negative terms: each term is rounded four
 * times and the sum once per term; doubled. */
static inline double relative_error(const kn_space *space)
{
    return (double)(space->attributes + 16) * 0x1p-52;
}
static inline bool can_occur(const kn_space_attribute *a, double value)
{
    return isnan(value) ? a->missing : !a->possible || a->possible[(size_t)value];
}
/* Whether the private category of a centre is one that no record can have. */
static inline bool own_is_impossible(const kn_space_attribute *a, double own)
{
    return a->hidden && a->category && !can_occur(a, own);
}

/** Room for `centres` centres. */
kn_status kn__nearest_reserve(kn_nearest_searcher *s, const kn_space *space, size_t centres,
                              kn_error *err);
/** The cases of the private numbers together. */
size_t kn__nearest_cases(const kn_space *space);
/** Set the private numbers of s->x for case `which`, in mixed radix. False: the case is empty. */
bool kn__nearest_choose_case(const kn_space *space, kn_nearest_searcher *s, size_t which);

typedef enum kn_answer { NO = 0, YES = 1, UNSURE = 2 } kn_answer;

/** Whether centre j, the m-th of the others, is certainly nearer than centre i everywhere in the
 * box of private numbers; s->alpha and s->bound hold their difference at its low corner. */
bool kn__certified_lp_dominates(const kn_centroid_search *q, size_t m, uint32_t j);
/** Whether centre i is the nearest somewhere in the box of private numbers, if no other centre
 * dominates it. */
kn_answer kn__certified_lp_decide(kn_centroid_search *q);

/** Whether centre `i`, one of the `count` centres `among` (ascending), is the nearest of them for
 * some private values: YES at every tuple whose public values are in `box`, NO at none of them, and
 * UNSURE if that is not decided. */
kn_status kn__nearest_in_box(kn_nearest_searcher *s, const kn_space *space, const double *centre,
                             const uint32_t *among, size_t count, uint32_t i,
                             const kn_kd_extent *box, kn_answer *answer, kn_error *err);

#endif
