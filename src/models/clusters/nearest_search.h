/* models/clusters/nearest_search.h - the search whether one centre can be the nearest: what
 * nearest.c and certified_lp.c share. */
#ifndef KN_MODELS_CLUSTERS_NEAREST_SEARCH_H
#define KN_MODELS_CLUSTERS_NEAREST_SEARCH_H

#include "models/clusters/nearest.h"

/* Whether centre i can be the nearest, compared with `count` others. */
typedef struct kn_centroid_search {
    kn_nearest_searcher *s;
    const kn_space *space;
    const double *centre;
    const uint32_t *among; /* NULL: all of 0..count-1 */
    size_t count;
    uint32_t i;
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

typedef enum kn_answer { NO = 0, YES = 1, UNSURE = 2 } kn_answer;

/** Whether centre j, the m-th of the others, is certainly nearer than centre i everywhere in the
 * box of private numbers; s->alpha and s->bound hold their difference at its low corner. */
bool kn__certified_lp_dominates(const kn_centroid_search *q, size_t m, uint32_t j);
/** Whether centre i is the nearest somewhere in the box of private numbers, if no other centre
 * dominates it. */
kn_answer kn__certified_lp_decide(kn_centroid_search *q);

#endif
