/* models/tree/public_groups.h - records that no public test of a tree tells apart. */
#ifndef KN_MODELS_TREE_PUBLIC_GROUPS_H
#define KN_MODELS_TREE_PUBLIC_GROUPS_H

#include "kanon/run.h"
#include "models/tree/cells.h"

typedef struct kn_tree_groups {
    size_t count;
    uint32_t *of;    /* by record */
    uint32_t *first; /* by group: its least record */
} kn_tree_groups;

/** Part the records of the dataset that `b` is bound to by the public tests that they come to,
 * whatever their private values are: records of one group have the same span. Groups are numbered
 * by their first records. `test`: by node of the tree. About O(records x splits) and O(groups x
 * nodes that they come to). */
kn_status kn__tree_groups_make(kn_tree_groups *out, const kn_bound *b, const kn_tree_cells *cells,
                               const kn_cell_test *test, kn_error *err);
void kn__tree_groups_clear(kn_tree_groups *g);

#endif
