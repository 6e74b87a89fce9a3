/* models/judge/stated_counts.h - compares the figures that a tree or a clustering states of its
 * learning examples with the data.
 *
 * A verdict counts the records of the data, and assumes that every stated figure follows from these
 * counts. Where one does not, the model was made from other records, and the verdict says nothing
 * about these. */
#ifndef KN_MODELS_JUDGE_STATED_COUNTS_H
#define KN_MODELS_JUDGE_STATED_COUNTS_H

#include "models/model.h"
#include "models/judge/span.h"

/** Count the stated figures that differ from those of the records that `spans` are of: of a node of
 * a tree the population of each class, the number of records (with or without those whose class is
 * missing), and shares by class; of clusters their sizes. O(nodes * classes).
 *  @return KN_ENOMEM. */
kn_status kn__model_count_unlike(const kn_model *m, const kn_spans *spans, uint64_t *unlike,
                                 kn_error *err);

#endif
