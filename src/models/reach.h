/* models/reach.h - what the public values of a record allow, whatever kind the model is. */
#ifndef KN_MODELS_REACH_H
#define KN_MODELS_REACH_H

#include "models/bind.h"
#include "models/span.h"

/** The reach of the model that `b` is bound to; free with kn_reaching_clear. */
kn_status kn_model_reaching(kn_reaching *out, const kn_bound *b, kn_error *err);

#endif
