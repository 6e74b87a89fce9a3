/* model_params.h - parameters of a kind of model from a text: MODEL_PARAMS(tree, "class=%s", c). */
#ifndef KN_TESTS_MODELS_MODEL_PARAMS_H
#define KN_TESTS_MODELS_MODEL_PARAMS_H

#include "models/registry.h"
#include "params_of.h"

#define MODEL_PARAMS(kind, ...) params_of(&kn__##kind##_row.entry, __VA_ARGS__)

#endif
