/* models/clusters/clusters.h - a clustering under construction, shared by the two algorithms. */
#ifndef KN_MODELS_CLUSTERS_CLUSTERS_H
#define KN_MODELS_CLUSTERS_CLUSTERS_H

#include "kanon/model.h"
#include "models/clusters/span_index.h"
#include "models/clusters/weighted_points.h"

/** What k-means finds from a number of clusters on, before any are merged or split: the same with
 * limits and without. */
typedef struct kn_kmeans_start {
    size_t wanted;
    double *centre; /* NULL: not computed yet */
    size_t count;
    uint32_t *label; /* by point */
} kn_kmeans_start;

enum { KN_KMEANS_STARTS = 4 };

/** What earlier starts reached while their clusters were split: starts that fall behind are given
 * up. Zero it to begin; kn__split_history_clear. */
typedef struct kn_split_history {
    double *within; /* by number of clusters: the least mean squared distance so far, or INFINITY */
    size_t counts;
    double *begun[KN_KMEANS_STARTS + 1]; /* the centres that each start began to split */
    size_t begun_count[KN_KMEANS_STARTS + 1];
    size_t starts;
} kn_split_history;

typedef struct kn_clustering {
    const kn_mine_options *options;
    size_t clusters;         /* stop at so many; 0: when no cut is safe */
    size_t start;            /* k-means: clusters before any are merged; 0: as many as are wanted */
    kn_kmeans_start *starts; /* KN_KMEANS_STARTS of them, shared by the runs on the same points */
    kn_split_history *history; /* NULL: every start goes on to its end */
    const kn_run *run;
    const kn_frame *frame;
    kn_weighted_points points;
    kn_model_limits limits; /* what spans must keep */
    uint64_t smallest;      /* records that a centre is the mean of, at least */
    double *precision; /* by attribute: centres are rounded to multiples of it; 0: they are not */
    double *centre;    /* found: count * attributes */
    size_t count;
    kn_span_index *spans; /* made when it is first needed: kn__clustering_spans */
} kn_clustering;

/** How many clusters are asked for, or looked for if no number is. */
static inline size_t kn__clustering_wanted(const kn_clustering *c)
{
    return c->clusters ? c->clusters : 8;
}

/** Round `count` centres to c->precision. */
void kn__clustering_round(const kn_clustering *c, double *centre, size_t count);
/** Centres of labelled points, rounded. */
kn_status kn__clustering_centres(const kn_clustering *c, const uint32_t *label, size_t count,
                                 double *centre, kn_error *err);
/** The same of the points which[0..n) alone, with labels by place. */
kn_status kn__clustering_centres_of(const kn_clustering *c, const uint32_t *which, size_t n,
                                    const uint32_t *label, size_t count, double *centre,
                                    kn_error *err);

/** The spans of the records, all of them in one cluster; NULL if there are no limits to keep. They
 * are shared by the algorithms, which run one after the other. */
kn_status kn__clustering_spans(kn_clustering *c, kn_span_index **out, kn_error *err);

/** Cut the longest edges of the minimal spanning tree whose cut keeps the limits (section 5.2). */
kn_status kn__clustering_cut(kn_clustering *c, kn_error *err);
/** k-means, with the commonest values of categories (k-prototypes); clusters are merged until the
 * spans keep the limits, and split where that is safe. */
kn_status kn__clustering_kmeans(kn_clustering *c, kn_error *err);
/** From one cluster on, split where that is safe. */
kn_status kn__clustering_bisect(kn_clustering *c, kn_error *err);
void kn__split_history_clear(kn_split_history *h);
/** Split the clusters that were found, which keep the limits, until there are `wanted` or no safe
 * split helps. With a history nothing is done where an earlier start began with the same centres,
 * and it ends where an earlier one was closer with as many clusters. */
kn_status kn__clustering_split(kn_clustering *c, size_t wanted, kn_error *err);

#endif
