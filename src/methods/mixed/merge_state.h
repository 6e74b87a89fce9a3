/* methods/mixed/merge_state.h - between the files of merge.h. */
#ifndef KN_METHODS_MIXED_MERGE_STATE_H
#define KN_METHODS_MIXED_MERGE_STATE_H

#include "base/arena.h"
#include "base/sort.h"
#include "methods/mixed/merge.h"

#define KN__NO_CLUSTER UINT32_MAX

/* A cluster in an order. */
/* The first of an order, as found by one thread: a heap, the last of them on top. */
typedef struct kn__first_ones {
    kn_ranked *list;
    size_t len;
} kn__first_ones;

typedef struct kn__merging {
    kn_arena arena;
    const kn_rt_merge *task;
    kn_growing_clusters *p;
    unsigned threads;
    uint64_t limit; /* of p->sum */
    uint32_t seed;
    uint32_t *ncp; /* by cluster: NCP if the seed takes it in */
    double *tum;   /* by cluster, with `exact`: UL if the seed takes it in */
    bool by_tum;   /* the order that is made */
    size_t want;   /* how far */
    kn__first_ones *workers;
    kn_ranked *rum_order, *tum_order;
    uint32_t *place; /* by cluster: its place in the order of Rum, from 1; 0: it is not there */
    /* While T is tried. */
    uint32_t **records; /* by worker: room for all records */
    kn_error *errors;
    /* By cluster, of Tum-bound. */
    double *ul;      /* sum over its records */
    double *least;   /* what that is at least */
    size_t *made_by; /* the step of the memo that made it, from 1; 0: it was there */
    uint8_t *stale;  /* `ul` is not known; the cluster is in `late` */
    uint32_t *late;
    size_t lates;
    /* By cluster, where sensitive items are protected; NULL otherwise. T may make nothing of two
     * clusters together if one of them has finer items only (KN_FEASIBLE_FINER). */
    uint8_t *finer;
    uint8_t *refused; /* T makes nothing of it and the seed together */
    /* The sequence of merges that the memo has. */
    bool on_course; /* everything so far is that sequence, */
    size_t at;      /* its first so many steps */
} kn__merging;

/** `m` may be cleared after failure, too. */
kn_status kn__merging_init(kn__merging *m, const kn_rt_merge *task, kn_error *err);
void kn__merging_clear(kn__merging *m);

/** The cluster of least NCP. */
uint32_t kn__merging_seed(const kn_growing_clusters *p);
/** Whether the bound lets the seed take in `b`, of which m->ncp is known. */
static inline bool kn__merging_within(const kn__merging *m, uint32_t b)
{
    return kn__rt_sum_of_both(m->p, m->seed, b, m->ncp[b]) <= m->limit;
}
/** Whether the seed may take in `b`, as far as is known. */
static inline bool kn__merging_admits(const kn__merging *m, uint32_t b)
{
    return !(m->refused && m->refused[b]) && kn__merging_within(m, b);
}
/** The others as the seed would take them in: m->ncp. */
void kn__merging_price(kn__merging *m);
/** The first of the order of Rum, or KN__NO_CLUSTER when the bound does not let it in. */
kn_ranked kn__merging_nearest(const kn__merging *m);
/** The cluster that the seed is merged with by the strategy; KN__NO_CLUSTER: none. */
kn_status kn__merging_choose(kn__merging *m, kn_ranked *out, kn_error *err);

/** What T makes of clusters a and b (KN__NO_CLUSTER: of a alone). */
kn_status kn__merging_try(kn__merging *m, unsigned worker, uint32_t a, uint32_t b, kn_part_map *map,
                          kn_error *err);
/** The same for what can be done with them; the records are those of the calling thread. */
kn_status kn__merging_feasible(kn__merging *m, uint32_t a, uint32_t b, kn_feasibility *out,
                               kn_error *err);
/** The first error of a worker, if any. */
kn_status kn__merging_errors(const kn__merging *m, kn_error *err);

#endif
