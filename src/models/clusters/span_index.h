/* models/clusters/span_index.h - the spans of the records while clusters are mined (section 5.2):
 * how a split, or other centres, would change them, and whether a span would then break the limits.
 */
#ifndef KN_MODELS_CLUSTERS_SPAN_INDEX_H
#define KN_MODELS_CLUSTERS_SPAN_INDEX_H

#include "models/clusters/span_histogram.h"

typedef struct kn_span_index kn_span_index;

/** An index over the records of `points`, all in one cluster at first. Everything is borrowed. */
kn_status kn__span_index_new(kn_span_index **out, const kn_weighted_points *points,
                             const kn_model_limits *limits, const kn_run *run, kn_error *err);
void kn__span_index_free(kn_span_index *g);
/** All records in one cluster again, as after kn__span_index_new. */
kn_status kn__span_index_reset(kn_span_index *g, kn_error *err);

/** Compute the spans for `count` centres. If `split` is not KN_NO_CODE, the centres are those of
 * the last commit, except centre `split`, which has changed, and the last, which is new; then only
 * groups that one of the two may concern are computed again.
 *
 * `*least` is the population of the smallest span of several clusters that breaks the limits
 * (UINT64_MAX: none does): of the spans with fewer than k records, or if there are none, of those
 * that break diversity or inference. */
kn_status kn__span_index_evaluate(kn_span_index *g, const double *centre, size_t count,
                                  uint32_t split, uint64_t *least, kn_error *err);
/** Whether the spans for these centres keep the limits. Where they do, all of them have been
 * computed, and may be committed; where not, no more of them than it took to know. */
kn_status kn__span_index_try(kn_span_index *g, const double *centre, size_t count, uint32_t split,
                             bool *holds, kn_error *err);
/** Roughly the pairs of centres that were compared in all evaluations: a measure of work that does
 * not depend on the thread count. */
double kn__span_index_work(const kn_span_index *g);
/** Make the spans evaluated last the current ones. Where diversity or inference is limited, they
 * must have kept the limits. */
kn_status kn__span_index_commit(kn_span_index *g, kn_error *err);
/** The clusters of the span that `*least` is the population of, of equals the first; borrowed until
 * the next evaluation. */
const uint32_t *kn__span_index_violation(const kn_span_index *g, size_t *count);

#endif
