/* models/judge/recount.h - the bookkeeping of spans a second time, for any model. */
#ifndef KN_MODELS_JUDGE_RECOUNT_H
#define KN_MODELS_JUDGE_RECOUNT_H

#include "kanon/model.h"
#include "models/judge/span.h"

/** Of the spans that tell something. */
typedef struct kn_spans_counted {
    uint64_t k;        /* the least number of records of one; UINT64_MAX: there is none */
    double inference;  /* the greatest share of one's records that are in one class; NaN: too many
                          spans and classes to count */
    double entropy;    /* the least exponential of the entropy of one's classes; infinite, NaN */
    uint64_t distinct; /* the least number of classes that one's records are in; UINT64_MAX */
} kn_spans_counted;

/** Count the `records` again by span and by class. `*what` says what is not as `spans` has it;
 * NULL: all is. O(records + spans * log spans). */
kn_status kn__spans_recount(kn_spans_counted *out, const char **what, const kn_spans *spans,
                            size_t records, kn_error *err);
/** Whether a verdict says the same, of a model whose classes are what diversity and inference are
 * about, and does not let through what `limits` forbid. */
bool kn__spans_counted_agree(const kn_spans_counted *counted, const kn_model_figures *figures,
                             const kn_model_limits *limits);

#endif
