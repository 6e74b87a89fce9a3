/* models/clusters/nearest_search.h - a search for what makes a centre the nearest, shared by its
 * parts. */
#ifndef KN_MODELS_CLUSTERS_NEAREST_SEARCH_H
#define KN_MODELS_CLUSTERS_NEAREST_SEARCH_H

#include "models/clusters/nearest.h"

/* A search for one centre: it is compared with `count` others. */
typedef struct kn_centroid_search {
    kn_nearest_searcher *s;
    const kn_space *space;
    const double *centre;
    const uint32_t *among; /* NULL: all of 0..count-1 */
    size_t count;
    uint32_t i;
    bool guessed; /* s->x has private categories that centre i does not have */
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
/* By how much distance j minus distance i grows with hidden number n. */
static inline double slope(const kn_centroid_search *q, uint32_t j, size_t n)
{
    const uint32_t a = q->s->hidden[n];
    return 2 * q->space->at[a].factor * (centre_at(q, q->i)[a] - centre_at(q, j)[a]);
}

typedef enum kn_answer { NO = 0, YES = 1, UNSURE = 2 } kn_answer;

/** Whether centre j, number `m` of those asked about, is surely nearer than centre i everywhere in
 * the box; s->alpha and s->bound say how far apart they are in its low corner. */
bool kn__box_kills(const kn_centroid_search *q, size_t m, uint32_t j);
/** Whether centre i is the nearest somewhere in the box (certified_lp.c). */
kn_answer kn__box_ask(kn_centroid_search *q);

#endif
