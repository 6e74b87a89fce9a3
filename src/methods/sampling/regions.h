/* methods/sampling/regions.h - a partition of the items into regions, and what it costs.
 *
 * The search starts with every item alone and merges regions. Which merges are allowed is the
 * constraint: regions that touch in a neighbour graph, or all that is below a node of a hierarchy.
 * A region is known by the greatest of its items. So a merge only ever moves a combination of
 * regions, written in ascending order, forward in the lexicographic order of such combinations; a
 * walk in that order never has to go back (exact_pass.c). */
#ifndef KN_METHODS_SAMPLING_REGIONS_H
#define KN_METHODS_SAMPLING_REGIONS_H

#include "hierarchy/domain.h"
#include "kanon/error.h"

#include <stdbool.h>
#include <stdint.h>

/** What an item loses when it is published as its region. */
typedef enum kn_region_error {
    KN_REGION_DISTANCE, /* metres from the item to the centre of its region */
    KN_REGION_NCP,      /* the share of all items that are in its region; 0 alone */
    KN_REGION_MATRIX    /* the caller's distance to the item that is the region's centre */
} kn_region_error;

/** What does not change in a search. The arrays are borrowed; those that are not used are NULL. */
typedef struct kn_region_rules {
    uint32_t items;
    const double *weight; /* by item: its occurrences, 0 for one that does not occur */
    double all;           /* their sum */
    /* Neighbour graph, both directions: item i touches near[near_at[i]..near_at[i + 1]). */
    const uint64_t *near_at;
    const uint32_t *near;
    const kn_domain *domain; /* hierarchy cut; NULL: the neighbour graph */
    kn_region_error error;
    const double (*place)[3];  /* DISTANCE: by item, a unit vector */
    const double (*middle)[3]; /* DISTANCE: by item, the centroid of its cell times its area */
    const double *distance;    /* MATRIX: [a * items + b] */
} kn_region_rules;

typedef struct kn_regions {
    const kn_region_rules *rules;
    uint32_t *of;   /* by item: its region */
    uint32_t *next; /* by item: the next item of its region, in a circle */
    uint32_t *size; /* by region: items */
    double *error;  /* by region: summed over the occurrences of its items */
    uint32_t *node; /* hierarchy cut: by region, its node; else NULL */
    uint32_t count; /* regions */
    double total;   /* the sum of `error` */
} kn_regions;

/** Regions that could become one, and what that would add to the total error. */
typedef struct kn_merge_candidate {
    uint32_t region; /* one of them */
    uint32_t other;  /* neighbour graph: the other one; hierarchy cut: the node to publish */
    double added;
} kn_merge_candidate;

/** Every item alone. */
kn_status kn__regions_new(kn_regions **out, const kn_region_rules *rules, kn_error *err);
kn_status kn__regions_copy(kn_regions **out, const kn_regions *from, kn_error *err);
void kn__regions_free(kn_regions *r);

/** The error per occurrence: metres, or a share. */
static inline double kn__regions_mean_error(const kn_regions *r)
{
    return r->rules->all > 0 ? r->total / r->rules->all : 0;
}

/** DISTANCE: metres from the items to the centre of the region that consists of them: the mean,
 * each item once, and the longest. 0 for one item. */
double kn__region_distances(const kn_region_rules *rules, const uint32_t *items, size_t count,
                            double *longest);

/** Scratch of one thread. */
typedef struct kn_region_scratch {
    uint32_t *mark; /* by region: the turn in which it was seen */
    uint32_t turn;
    uint32_t *items; /* room for all */
    uint32_t *merged;
} kn_region_scratch;

kn_status kn__region_scratch_init(kn_region_scratch *s, const kn_region_rules *rules,
                                  kn_error *err);
void kn__region_scratch_clear(kn_region_scratch *s);

/** Append to `out` (from `*count` on, at most `most`) every merge of `region` that the constraint
 *  allows, with its cost. With a hierarchy there is at most one. O(items of the region and of its
 *  neighbours). */
void kn__regions_candidates(const kn_regions *r, uint32_t region, kn_region_scratch *scratch,
                            kn_merge_candidate *out, size_t *count, size_t most);

/** The regions that `c` makes one, in `merged` (room for r->count); returns how many, at least 2.
 */
size_t kn__regions_merged(const kn_regions *r, const kn_merge_candidate *c, uint32_t *merged);
/** Make them one: the greatest of them is its name, which is returned. */
uint32_t kn__regions_merge(kn_regions *r, const kn_merge_candidate *c, const uint32_t *merged,
                           size_t count, kn_region_scratch *scratch);

#endif
