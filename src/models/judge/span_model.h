/* models/judge/span_model.h - what the public values of a record allow, whatever kind the model is.
 */
#ifndef KN_MODELS_JUDGE_SPAN_MODEL_H
#define KN_MODELS_JUDGE_SPAN_MODEL_H

#include "models/bind.h"
#include "models/judge/span.h"

/** The reach of the model that `b` is bound to; free with kn__span_model_clear. */
kn_status kn__span_model_make(kn_span_model *out, const kn_bound *b, kn_error *err);

#endif
