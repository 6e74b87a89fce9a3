/* models/tree/grown_model.h - a grown tree as a model. */
#ifndef KN_MODELS_TREE_GROWN_MODEL_H
#define KN_MODELS_TREE_GROWN_MODEL_H

#include "models/model.h"
#include "models/tree/grow.h"

/** The model of a tree that `options` grew. */
kn_status kn__grown_model(kn_model **out, const kn_grown *tree, const kn_grow_options *options,
                          kn_error *err);

#endif
