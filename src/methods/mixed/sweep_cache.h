/* methods/mixed/sweep_cache.h - what runs over one table with different bounds have in common.
 *
 * Cluster formation knows nothing of the bound. Merging hardly does: without a bound it would make
 * one sequence of merges, and a run follows that sequence as long as the next merge is within its
 * bound (Rum-bound), or until it is there (Tum-bound: all the way). So the sequence is written down
 * by the run that gets farthest, and later runs do not search again. The losses in items that
 * were found on the way are written down with it.
 *
 * A memo is for runs that have the table, the hierarchies, the seed and the weights in common. What
 * else formation and merging depend on is compared, and what does not fit is forgotten. */
#ifndef KN_METHODS_MIXED_SWEEP_CACHE_H
#define KN_METHODS_MIXED_SWEEP_CACHE_H

#include "kanon/anonymize.h"
#include "methods/cluster/cluster.h"

/** A merge: cluster `a` took in `b`. */
typedef struct kn_rt_step {
    uint32_t a, b;
    double btd; /* of both */
    double ul;  /* of both after T, summed over their records; below 0: not known */
} kn_rt_step;

/** Which cluster a cluster is merged with: the choices of the parameter "merge", in their order. */
typedef enum kn_merge {
    KN_MERGE_RT = 0, /* near in its values and in its items */
    KN_MERGE_R,      /* near in its values */
    KN_MERGE_T       /* near in its items */
} kn_merge;

/** What merging depends on beside the clusters. */
typedef struct kn_rt_way {
    size_t m;
    double l;
    int kind; /* of method */
    kn_merge how;
    bool exact;
} kn_rt_way;

typedef struct kn_sweep_cache {
    /* The clusters as formed; k 0: none are kept. */
    size_t k;
    bool plain;
    size_t records, words;
    uint32_t count;
    uint32_t *cluster, *size, *ncp;
    uint64_t *view;
    /* The merges that a run makes of them. */
    kn_rt_way way;
    kn_rt_step *step;
    size_t steps, cap;
    bool feasible;       /* whether it is known what makes every cluster feasible: */
    size_t feasible_len; /* the first so many steps */
    /* By cluster, after these steps; NULL: not known. */
    double *btd;
    double *ul;    /* after T, summed over the records */
    double *least; /* what UL is at least, whatever the cluster is merged with */
} kn_sweep_cache;

kn_status kn__sweep_cache_new(kn_sweep_cache **out, kn_error *err);
void kn__sweep_cache_free(kn_sweep_cache *memo);

/** Keep a copy of `c`, formed for `k` and `plain`, and forget what was. O(records). */
kn_status kn__sweep_cache_keep(kn_sweep_cache *memo, const kn_clusters *c, size_t k, bool plain,
                               kn_error *err);
/** The clusters that are kept, for a task over the same table; NULL in `*out` if there are none for
 * this `k` and `plain`. O(records). */
kn_status kn__sweep_cache_clusters(const kn_sweep_cache *memo, kn_clusters **out,
                                   const kn_task *task, size_t k, bool plain, kn_error *err);

/** Merges are made in this way from now on: those of another way are forgotten. */
void kn__sweep_cache_go(kn_sweep_cache *memo, const kn_rt_way *way);
/** Room for one more step. */
kn_status kn__sweep_cache_reserve(kn_sweep_cache *memo, kn_error *err);
/** A copy of `count` numbers by cluster into `*kept`, unless it has one. */
kn_status kn__sweep_cache_numbers(double **kept, const double *numbers, size_t count,
                                  kn_error *err);

#endif
