/* models/mine.h - what mines each kind of model. kn_mine (mine.c) looks at the options that all
 * have in common, and calls one of these. Nothing that they claim of their model is believed: it is
 * written, read back and checked (kn_model_check) before it is published. */
#ifndef KN_MODELS_MINE_H
#define KN_MODELS_MINE_H

#include "kanon/model.h"

#endif
