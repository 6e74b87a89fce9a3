/* models/clusters/span_index.h - the spans of clusters while they are mined: what would become of
 * them if a cluster were split, or with other centres altogether. People with equal public values
 * are looked at together. */
#ifndef KN_MODELS_CLUSTERS_SPAN_INDEX_H
#define KN_MODELS_CLUSTERS_SPAN_INDEX_H

#include "models/clusters/span_histogram.h"

typedef struct kn_span_index kn_span_index;

/** Of the records that `points` are made of, which must keep `limits`; all are borrowed. */
kn_status kn__span_index_new(kn_span_index **out, const kn_points *points,
                             const kn_model_limits *limits, const kn_run *run, kn_error *err);
void kn__span_index_free(kn_span_index *g);

/** Look at `count` centres: what would the spans be? If `split` is not KN_NO_CODE, they are those
 * of the last kept look but for centre `split`, which is another, and the last, which is new; then
 * only people whom one of the two concerns are looked at again. `*least` is the least population of
 * a span that tells something and breaks the limits (UINT64_MAX: none does): of those with too few
 * people, or if there are none, of those whose people are not mixed enough. */
kn_status kn__span_index_look(kn_span_index *g, const double *centre, size_t count, uint32_t split,
                              uint64_t *least, kn_error *err);
/** Roughly how many pairs of centres were compared for a group, in all looks: a measure of work
 * that is the same for every thread count. */
double kn__span_index_work(const kn_span_index *g);
/** The spans are now those of the last look. Where diversity or inference is limited, it must have
 * kept the limits. */
void kn__span_index_keep(kn_span_index *g);
/** The classes of the span with that population, of equals the first; borrowed until the next look.
 */
const uint32_t *kn__span_index_least(const kn_span_index *g, size_t *count);

#endif
