/* models/judge/stated_counts.h - the figures that a tree or a clustering states of its learning
 * examples, against the data.
 *
 * A verdict counts people in the data and takes every stated figure for one that follows from these
 * counts. Where that is not so, the model was made from other records, and a verdict on these says
 * nothing about those. */
#ifndef KN_MODELS_JUDGE_STATED_COUNTS_H
#define KN_MODELS_JUDGE_STATED_COUNTS_H

#include "models/model.h"
#include "models/judge/span.h"

/** How many figures the model states that are not those of the records that `spans` are of. Of a
 * node of a tree: the population of each class, the number of records (with or without those whose
 * class is missing), and shares by class; of clusters their sizes. O(nodes * classes).
 *  @return KN_ENOMEM. */
kn_status kn__model_count_unlike(const kn_model *m, const kn_spans *spans, uint64_t *unlike,
                                 kn_error *err);

#endif
