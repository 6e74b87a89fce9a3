/* span_model.c - the span model of each kind of model. */
#include "models/judge/span_model.h"
#include "base/error.h"
#include "models/clusters/centroids.h"
#include "models/rules/rules.h"
#include "models/tree/tree.h"

kn_status kn__span_model_make(kn_span_model *out, const kn_bound *b, kn_error *err)
{
    switch (b->model->kind) {
    case KN_MODEL_TREE: return kn__tree_span_model(out, b, err);
    case KN_MODEL_CLUSTERS: return kn__centroids_span_model(out, b, err);
    case KN_MODEL_RULES: return kn__rules_span_model(out, b, err);
    }
    return kn__fail(err, KN_EUSAGE, "this kind of model cannot be judged");
}
