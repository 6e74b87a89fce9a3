/* models/tree/tree.h - what a decision tree tells: its bins, a class value at a node that answers,
 * are the equivalence classes.
 *
 * Everything that the tests of an attribute can tell apart is a cell of it: an interval between two
 * thresholds, a threshold itself, a set of values that no test separates, a missing value. A record
 * is a cell of each attribute; an attacker knows those of the public ones, and the private ones may
 * be any. */
#ifndef KN_MODELS_TREE_TREE_H
#define KN_MODELS_TREE_TREE_H

#include "models/bind.h"
#include "models/judge/span.h"

/** The places at which a record can end, each with one bin per value of the class: the nodes that
 * answer and, if the tree may leave records without an answer below a node that states something of
 * its learning examples, the nodes once more for the records that are lost there. What the node
 * states minus what the nodes below it state is about those records, so they are no blind spot. */
size_t kn__tree_places(const kn_tree *t);
/** Bins per place, where `classes` are all equivalence classes of the tree. */
static inline size_t kn__tree_bins(const kn_tree *t, size_t classes)
{
    return (classes - 1) / kn__tree_places(t);
}

/** The bins of the tree `b` is bound to: class number place * bins + place of the class value, and
 * last "no answer", for records that are lost where no count tells of them. kn__span_model_clear
 * frees what it holds. `b` is borrowed.
 *  @return KN_ENOMEM; reach gives KN_EINFEASIBLE for tests over private attributes so entangled
 * that their cases cannot be told one by one. */
kn_status kn__tree_span_model(kn_span_model *out, const kn_bound *b, kn_error *err);

/** The node at which `record` ends, KN_NO_CODE for no answer. */
uint32_t kn__tree_node_of(const kn_span_model *tree, size_t record);

#endif
