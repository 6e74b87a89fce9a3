/* models/clusters/span_histogram.h - how the records of a span are distributed over the clusters,
 * while clusters are mined: diversity and inference are limits on this histogram. */
#ifndef KN_MODELS_CLUSTERS_SPAN_HISTOGRAM_H
#define KN_MODELS_CLUSTERS_SPAN_HISTOGRAM_H

#include "kanon/model.h"
#include "models/clusters/weighted_points.h"

typedef struct kn_span_histogram kn_span_histogram;

/** Of `points`, which is borrowed; point i is in group[i], below `groups`. All points are in
 * cluster 0 at first. */
kn_status kn__span_histogram_new(kn_span_histogram **out, const kn_weighted_points *points,
                                 const uint32_t *group, size_t groups,
                                 const kn_model_limits *limits, const kn_run *run, kn_error *err);
void kn__span_histogram_free(kn_span_histogram *h);

/** Assign every point to the nearest of `count` centres, with `split` as in
 * kn__span_index_evaluate. */
kn_status kn__span_histogram_evaluate(kn_span_histogram *h, const double *centre, size_t count,
                                      uint32_t split, kn_error *err);
/** Whether the records of these groups together keep diversity and inference, as evaluated last. */
bool kn__span_histogram_holds(kn_span_histogram *h, const uint32_t *group, size_t count);
/** All points in cluster 0 again. */
void kn__span_histogram_reset(kn_span_histogram *h);
/** Make the assignment evaluated last the current one. */
void kn__span_histogram_commit(kn_span_histogram *h);

#endif
