/* models/clusters/span_boxes.h - the spans of groups of records for new centres, evaluated in a k-d
 * tree of the public values of the groups.
 *
 * A centre that is certainly in the span of every group of a node, or of none, is decided once for
 * all of them; so single groups are looked at only where spans change from one to the next. */
#ifndef KN_MODELS_CLUSTERS_SPAN_BOXES_H
#define KN_MODELS_CLUSTERS_SPAN_BOXES_H

#include "base/intern.h"
#include "kanon/dataset.h"
#include "models/clusters/nearest.h"

typedef struct kn_span_boxes kn_span_boxes;

/** A span that one or several groups have now. */
typedef struct kn_span_finding {
    size_t begin; /* in the list of its thread */
    uint32_t len;
    uint32_t span;       /* its number, once the caller has given it one; KN_NO_CODE before */
    uint32_t first, end; /* places in the tree: the groups that have it */
} kn_span_finding;

/** Of `groups` groups with the public values x[group * attributes + attribute], which are borrowed.
 * Their spans are those of the first commit. */
kn_status kn__span_boxes_new(kn_span_boxes **out, const kn_space *space, const double *x,
                             size_t groups, unsigned threads, kn_error *err);
void kn__span_boxes_free(kn_span_boxes *b);

/** Evaluate the spans of all groups for `count` centres, with `split` as in
 * kn__span_index_evaluate; the spans committed last are the lists span[group] of `spans`. */
kn_status kn__span_boxes_evaluate(kn_span_boxes *b, const kn_space *space, const double *centre,
                                  size_t count, uint32_t split, const kn_intern *spans,
                                  const uint32_t *span, kn_error *err);
/** The same, but stop with `*refused` as soon as it is certain that a span of several clusters has
 * some, but fewer than `k` records (`population`: by group). Where it is false, all is evaluated.
 */
kn_status kn__span_boxes_try(kn_span_boxes *b, const kn_space *space, const double *centre,
                             size_t count, uint32_t split, const kn_intern *spans,
                             const uint32_t *span, const uint32_t *population, uint64_t k,
                             bool *refused, kn_error *err);
/** The span of a group as evaluated last, and its clusters in `*list`; NULL: it has not changed. */
kn_span_finding *kn__span_boxes_finding(const kn_span_boxes *b, size_t group,
                                        const uint32_t **list);
/** Make these spans the committed ones. */
kn_status kn__span_boxes_commit(kn_span_boxes *b, const kn_intern *spans, const uint32_t *span,
                                kn_error *err);

/** Whether a group with the span `old` must be compared with all centres when `split` is split:
 * when it has that cluster, or when all centres may have moved (KN_NO_CODE). */
bool kn__span_has_split(const uint32_t *old, size_t len, uint32_t split);

#endif
