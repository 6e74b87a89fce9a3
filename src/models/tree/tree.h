/* models/tree/tree.h - the spans of a decision tree. Its bins are the equivalence classes: one per
 * value of the class at each node that answers (section 4.1 of the models paper).
 *
 * A tuple is one cell per attribute (models/tree/cells.h). An attacker knows the cells of the
 * public attributes; those of the private ones may be any that contain a value of the domain. */
#ifndef KN_MODELS_TREE_TREE_H
#define KN_MODELS_TREE_TREE_H

#include "models/bind.h"
#include "models/judge/span.h"

/** The places where a record can end, with one bin each per value of the class: the nodes that
 * answer and, if the tree may leave records without an answer below a node that states figures of
 * its learning examples, all nodes once more for the records that end there without an answer. The
 * figures of the node minus those of the nodes below it are about these records, so they have to be
 * judged, too. */
size_t kn__tree_places(const kn_tree *t);
/** Bins per place, where `classes` are all equivalence classes of the tree. */
static inline size_t kn__tree_bins(const kn_tree *t, size_t classes)
{
    return (classes - 1) / kn__tree_places(t);
}

/** The equivalence classes of the tree that `b` is bound to: class number place * bins + cell of
 * the class value, and at last "no answer", for records that end without an answer where no figure
 * covers them. kn__span_model_clear frees it; `b` is borrowed.
 *  @return KN_ENOMEM; `reach` gives KN_EINFEASIBLE if tests over private attributes need too many
 * cases. */
kn_status kn__tree_span_model(kn_span_model *out, const kn_bound *b, kn_error *err);

/** The node at which `record` ends, KN_NO_CODE for no answer. */
uint32_t kn__tree_node_of(const kn_span_model *tree, size_t record);

#endif
