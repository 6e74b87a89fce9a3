/* models/judge/span_model.h - a model of any kind as the span engine sees it. */
#ifndef KN_MODELS_JUDGE_SPAN_MODEL_H
#define KN_MODELS_JUDGE_SPAN_MODEL_H

#include "models/bind.h"
#include "models/judge/span.h"

/** The span model of the model that `b` is bound to; kn__span_model_clear frees it. */
kn_status kn__span_model_make(kn_span_model *out, const kn_bound *b, kn_error *err);

#endif
