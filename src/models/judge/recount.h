/* models/judge/recount.h - the populations of spans and classes counted a second time, for any
 * model. */
#ifndef KN_MODELS_JUDGE_RECOUNT_H
#define KN_MODELS_JUDGE_RECOUNT_H

#include "kanon/model.h"
#include "models/judge/span.h"

/** Figures of the spans that disclose something (kn__span_discloses). */
typedef struct kn_spans_counted {
    uint64_t k;        /* the smallest population; UINT64_MAX: no span discloses anything */
    double inference;  /* the greatest share of one class in a span; NaN: too many spans and
                          classes to count */
    double entropy;    /* the least exp(entropy) of the classes in a span; infinite, NaN */
    uint64_t distinct; /* the least number of classes that occur in a span; UINT64_MAX */
} kn_spans_counted;

/** Count the `records` by span and by class. `*what` says what differs from `spans`; NULL: nothing.
 * O(records + spans * log spans). */
kn_status kn__spans_recount(kn_spans_counted *out, const char **what, const kn_spans *spans,
                            size_t records, kn_error *err);
/** Whether a verdict has the same figures, and finds a violation of `limits` if there is one. For
 * models whose equivalence classes are judged for diversity and inference. */
bool kn__spans_counted_agree(const kn_spans_counted *counted, const kn_model_figures *figures,
                             const kn_model_limits *limits);

#endif
