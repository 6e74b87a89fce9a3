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

/** The bins of the tree `b` is bound to: class number node * classes + place of the class value,
 * and last "no answer". kn__reaching_clear frees what it holds. `b` is borrowed.
 *  @return KN_ENOMEM; reach gives KN_EINFEASIBLE for tests over private attributes so entangled
 * that their cases cannot be told one by one. */
kn_status kn__tree_reaching(kn_reaching *out, const kn_bound *b, kn_error *err);

/** The node at which `record` ends, KN_NO_CODE for no answer. */
uint32_t kn__tree_node_of(const kn_reaching *tree, size_t record);

#endif
