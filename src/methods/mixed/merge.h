/* methods/mixed/merge.h - Rmerge and Tmerge of Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos
 * (2013, section 4): clusters are merged to lose less in the items, at the cost of the rest of the
 * table.
 *
 * An iteration takes as seed the cluster C of least Rum (NCP) and orders all others, C_i, by
 * Rum(C u C_i) (strategy r), by Tum (t), or by the sum of their places in both orders (rt). Ties
 * are decided by the clusters' numbers; a cluster that grew keeps the number of its seed.
 * Rum-bound: C is merged with the first of the order that keeps Rum of the table within the bound
 * (strategy r: with the first or not at all). When there is none, merging is over.
 * Tum-bound: C is merged with the first, until Tum of the table is within the bound or one cluster
 * is left.
 *
 * Tum(C u C_i) is BTD (growing_clusters.h), or with `exact` UL after a trial of T
 * (cluster_items.h). Orders are not made further than the choice needs: it is the same as if they
 * were. */
#ifndef KN_METHODS_MIXED_MERGE_H
#define KN_METHODS_MIXED_MERGE_H

#include "kanon/anonymize.h"
#include "methods/mixed/sweep_cache.h"
#include "methods/mixed/growing_clusters.h"
#include "methods/mixed/cluster_items.h"

typedef struct kn_rt_merge {
    kn_growing_clusters *parts;
    kn_cluster_items *t; /* with a worker for each thread of `run` */
    kn_merge how;
    bool exact;
    const kn_run *run;
    kn_sweep_cache *memo; /* the merges of an earlier run with the same options, or nothing */
    /* By cluster: what T makes of it, where that is known when merging is over. Where UL is looked
     * at only; cleared by the caller. */
    kn_part_map *map;
    size_t maps;
} kn_rt_merge;

/** Merge clusters of which T makes nothing with the nearest by NCP until it does.
 *  @return KN_EINFEASIBLE when not even all records together will do. */
kn_status kn__rt_merge_feasible(const kn_rt_merge *task, kn_error *err);

/** Rmerge: parts->sum stays at `limit` or below it. */
kn_status kn__rt_merge_within_rum(const kn_rt_merge *task, uint64_t limit, kn_error *err);

/** The clusters for which UL of the table is least among those that Rmerge without a bound, in
 * which clusters that are published alike are merged at once, comes by while parts->sum is at most
 * `limit`: as after the first `*steps` steps of the memo. The parts are those of some step. As a
 * larger limit only adds steps to choose from, UL is never higher with it. */
kn_status kn__rt_merge_best_within_rum(const kn_rt_merge *task, uint64_t limit, size_t *steps,
                                       kn_error *err);

/** Make the first `steps` steps of the memo, with the clusters as they were formed. */
kn_status kn__rt_merge_again(const kn_rt_merge *task, size_t steps, kn_error *err);

/** Merge clusters that are published alike in the rest of the table, where T makes something of
 * both together. */
kn_status kn__rt_merge_equals(const kn_rt_merge *task, kn_error *err);

/** Tmerge: until the sum over all records of UL is at most `limit`. `*reached` is what it is; when
 *  the limit was not met, something that it was on the way. */
kn_status kn__rt_merge_to_tum(const kn_rt_merge *task, double limit, double *reached,
                              kn_error *err);

/** The least that UL is on the way of Tmerge, if that is below `*reached`. `task` is as
 *  kn__rt_merge_to_tum had it, and its memo as that left it. */
kn_status kn__rt_merge_least_tum(const kn_rt_merge *task, double *reached, kn_error *err);

#endif
