/* models/clusters/span_histogram.h - how the people of a span are spread over the clusters, while
 * these are mined: what diversity and inference are about. */
#ifndef KN_MODELS_CLUSTERS_SPAN_HISTOGRAM_H
#define KN_MODELS_CLUSTERS_SPAN_HISTOGRAM_H

#include "kanon/model.h"
#include "models/clusters/points.h"

typedef struct kn_span_histogram kn_span_histogram;

/** Of `points`, which are in the groups 0..groups-1 that `group` says by point; all are in cluster
 * 0 at first. `limits` say how much they must be mixed. `points` is borrowed. */
kn_status kn__span_histogram_new(kn_span_histogram **out, const kn_points *points,
                                 const uint32_t *group, size_t groups,
                                 const kn_model_limits *limits, const kn_run *run, kn_error *err);
void kn__span_histogram_free(kn_span_histogram *m);

/** Put everybody into the nearest of `count` centres, which are as in kn__span_index_look. */
kn_status kn__span_histogram_look(kn_span_histogram *m, const double *centre, size_t count,
                                  uint32_t split, kn_error *err);
/** Whether the people of these groups together are as mixed as asked, in the last look. */
bool kn__span_histogram_holds(kn_span_histogram *m, const uint32_t *group, size_t count);
/** The clusters are now those of the last look. */
void kn__span_histogram_keep(kn_span_histogram *m);

#endif
