/* methods/trees/lookahead.h - what all children of a cut cost, class by class.
 *
 * A path has at most one label of a class. So the paths on which a label is specialised are the
 * same whether this label alone is specialised or all labels of its class are, and one synopsis
 * tree per class says what each of its labels would cost: the lookahead tree of the class, in which
 * every label that may be specialised is. On the main line it moves from cut to cut: only paths
 * with the label that was specialised last change, in the records that hold it. */
#ifndef KN_METHODS_TREES_LOOKAHEAD_H
#define KN_METHODS_TREES_LOOKAHEAD_H

#include "methods/trees/cut_view.h"
#include "methods/trees/cuts.h"

typedef struct kn_lookahead {
    const kn_cut_space *space;
    struct kn_lookahead_tree *of; /* by class; NULL: there are none */
} kn_lookahead;

/** A cut that is looked ahead from; as a rule a child of the last one. */
typedef struct kn_lookahead_cut {
    const kn_cut_view *view; /* its view, which costs RPD_a */
    const uint8_t *specialised;
    const uint8_t *open; /* by label of the cut: whether it may be specialised */
    uint32_t last;       /* the label that was specialised last, or KN_NO_LABEL */
    uint64_t number, above;
} kn_lookahead_cut;

/** `l->of` stays NULL where the rows of all trees would take too much memory. */
kn_status kn__lookahead_init(kn_lookahead *l, const kn_cut_space *space, kn_error *err);
void kn__lookahead_clear(kn_lookahead *l);

/** What the cut costs once one label of class `class_` is specialised, by label, for all that are
 *  open. *has_costs is false where labels of the class cannot be told apart (equal texts): then
 * nothing is written. For several classes at once; `run` is of the calling thread. O(nodes of the
 * records with the last label) for a child of the last cut, else O(nodes of the forest). */
kn_status kn__lookahead_costs(double *cost, bool *has_costs, kn_lookahead *l,
                              const kn_lookahead_cut *at, uint32_t class_, const kn_run *run,
                              kn_error *err);

/** The same for all classes with open labels, by several threads: cost by label, has_costs by
 * class. */
kn_status kn__lookahead_all(double *cost, bool *has_costs, kn_lookahead *l,
                            const kn_lookahead_cut *at, const kn_run *run, kn_error *err);

#endif
