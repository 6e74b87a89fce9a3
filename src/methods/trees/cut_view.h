/* methods/trees/cut_view.h - what the children of a cut cost, before anything is disassociated.
 *
 * A view is the synopsis tree of a cut with what it costs. When one label of the cut is replaced by
 * its children, only paths through this label change, and only in the records that hold it: the
 * cost of the new cut is found from these (kn__synopsis_refine). */
#ifndef KN_METHODS_TREES_CUT_VIEW_H
#define KN_METHODS_TREES_CUT_VIEW_H

#include "methods/trees/trees.h"

typedef struct kn_cut_view {
    const kn_tree_task *task;
    bool exact; /* costs are RPD, else RPD_a */
    kn_synopsis *synopsis;
    uint32_t *known;   /* by code: its label in the synopsis tree */
    double *of_record; /* for RPD: by record */
    double sum;        /* of of_record */
} kn_cut_view;

/** The view of the cut in which every value has the label `known` (by code; KN_NO_LABEL: left out),
 *  which is copied. `exact`: costs are RPD, else RPD_a. O(nodes of the forest) expected. */
kn_status kn__cut_view_new(kn_cut_view **out, const kn_tree_task *task, const uint32_t *known,
                           bool exact, kn_error *err);
void kn__cut_view_free(kn_cut_view *v);

/** What the cut `known` costs, which differs from that of the view in values that only the `count`
 *  records of `records` (increasing) hold. For several threads at once; `run` is of the calling
 *  one. O(nodes of these records + paths of the view) expected. */
kn_status kn__cut_view_cost(double *out, const kn_cut_view *v, const uint32_t *known,
                            const uint32_t *records, size_t count, const kn_run *run,
                            kn_error *err);

/** Make `v` the view of such a cut. As fast; for RPD the costs of all records are taken anew. On
 *  failure it can only be freed. */
kn_status kn__cut_view_move(kn_cut_view *v, const uint32_t *known, const uint32_t *records,
                            size_t count, kn_error *err);

#endif
