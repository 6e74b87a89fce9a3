/* span_model.c - one reach a kind of model. */
#include "models/judge/span_model.h"
#include "base/error.h"
#include "models/clusters/centroids.h"
#include "models/rules/rules.h"
#include "models/tree/tree.h"

kn_status kn_model_reaching(kn_reaching *out, const kn_bound *b, kn_error *err)
{
    switch (b->model->kind) {
    case KN_MODEL_TREE: return kn_tree_reaching(out, b, err);
    case KN_MODEL_CLUSTERS: return kn_centres_reaching(out, b, err);
    case KN_MODEL_RULES: return kn_rules_reaching(out, b, err);
    }
    return kn_fail(err, KN_EUSAGE, "this kind of model cannot be judged");
}
