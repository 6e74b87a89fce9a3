/* models/tree/recount.h - the spans of a tree a second time, by plain code. */
#ifndef KN_MODELS_TREE_RECOUNT_H
#define KN_MODELS_TREE_RECOUNT_H

#include "models/bind.h"
#include "models/judge/span.h"

/** Try the combinations of private values one by one for as many records as a moment allows, and
 * compare with `spans`: records have equal spans there exactly if they reach the same answers here,
 * and each ends where it is said to. `*records` are those that were looked at; 0 where the
 * combinations are too many, or tests ask for the class itself.
 *  @return KN_EBROKEN where the two disagree. */
kn_status kn__tree_recount(const kn_bound *b, const kn_spans *spans, size_t *records,
                           kn_error *err);

#endif
