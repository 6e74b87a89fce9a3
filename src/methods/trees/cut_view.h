/* methods/trees/cut_view.h - what the children of a cut cost, before anything is disassociated.
 *
 * A view is the synopsis tree of a cut, counted: by path the number of its records, by node of the
 * forest its path. When one label of the cut is replaced by its children, only paths through this
 * label change, and only in the records that hold it: the cost of the new cut is found from these.
 */
#ifndef KN_METHODS_TREES_CUT_VIEW_H
#define KN_METHODS_TREES_CUT_VIEW_H

#include "methods/trees/trees.h"

typedef struct kn_cut_view kn_cut_view;

/** The view of the cut that publishes every value as `to` (by code; KN_NO_LABEL: left out), which
 *  is copied. `exact`: costs are RPD, else RPD_a. O(nodes of the forest) expected. */
kn_status kn__cut_view_new(kn_cut_view **out, const kn_tree_task *task, const uint32_t *to,
                           bool exact, kn_error *err);
void kn__cut_view_free(kn_cut_view *v);

/** What the cut `to` costs, which differs from that of the view in values that only the `count`
 *  records of `records` (increasing) hold. For several threads at once; `run` is of the calling
 *  one. O(nodes of these records + paths of the view) expected. */
kn_status kn__cut_view_cost(double *out, const kn_cut_view *v, const uint32_t *to,
                            const uint32_t *records, size_t count, const kn_run *run,
                            kn_error *err);

#endif
