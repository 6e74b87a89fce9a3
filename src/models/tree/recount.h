/* models/tree/recount.h - the spans of a tree counted a second time, by plain code. */
#ifndef KN_MODELS_TREE_RECOUNT_H
#define KN_MODELS_TREE_RECOUNT_H

#include "models/bind.h"
#include "models/judge/span.h"

/** Try all combinations of private values for as many records as take a moment, and compare with
 * `spans`: two records have the same span there if and only if they reach the same places here, and
 * each record ends where its class says. `*records`: how many were tried; 0 if there are too many
 * combinations, or if tests ask for the class itself.
 *  @return KN_EBROKEN where the two counts disagree. */
kn_status kn__tree_recount(const kn_bound *b, const kn_spans *spans, size_t *records,
                           kn_error *err);

#endif
