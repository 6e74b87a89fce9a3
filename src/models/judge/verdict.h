/* models/judge/verdict.h - the fields of a verdict on a model, for reports. */
#ifndef KN_MODELS_JUDGE_VERDICT_H
#define KN_MODELS_JUDGE_VERDICT_H

#include "kanon/model.h"
#include "models/judge/span.h"

struct kn_model_verdict {
    kn_model_figures figures;
    kn_broken_span *listed; /* words, rows and inferred are its own */
    size_t listed_count;
    /* All spans, but not by record: `of` and `class_of` are NULL. Of a tree, class number n * bins
     * + c is class value c at place n (models/tree/tree.h), and the last is "no answer". Of
     * clusters, classes are centroids. */
    kn_spans spans;
    double *confidence; /* by span: of the most frequent value; 0 where it discloses nothing */
    double *diversity;  /* by span: infinite where it discloses nothing */
    uint8_t *breaks;    /* by span: it violates the limits */
    kn_model_limits limits;
    kn_clusters_quality quality; /* of clusters that were mined; whole 0: not known */
    char *source;                /* the file of the data; NULL: none */
    char *title, *note, *date;   /* for reports; NULL where not asked for */
    kn_points *points;
};

/** Judge v->spans by v->limits: fill in the figures of spans, and list those that violate the
 * limits. `span_model` is that of the model that v->spans are of. */
kn_status kn__spans_judge(kn_model_verdict *v, const kn_span_model *span_model, const kn_run *run,
                          kn_error *err);
/** Find the points of a verdict on `m` with the data `ds`, by the limits and decisions of
 * v->limits, which keeps none of their names. */
kn_status kn__model_verdict_settle(kn_model_verdict *v, const kn_model *m, const kn_dataset *ds,
                                   kn_error *err);

#endif
