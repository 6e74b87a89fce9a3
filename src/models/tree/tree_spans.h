/* models/tree/tree_spans.h - what the parts of a tree's spans share. */
#ifndef KN_MODELS_TREE_TREE_SPANS_H
#define KN_MODELS_TREE_TREE_SPANS_H

#include "models/tree/tree.h"
#include "models/tree/cells.h"
#include "models/tree/public_groups.h"

/* What a test comes to. Mixed: not the same for all of a box. */
typedef enum kn_truth { IS_FALSE, IS_TRUE, IS_UNKNOWN, IS_MIXED } kn_truth;

typedef struct kn_reached_tree {
    const kn_bound *b;
    const kn_tree *tree;
    kn_tree_cells *cells; /* by attribute */
    kn_cell_test *test;   /* by node */
    uint32_t bins;        /* of a place: cells of the class */
    uint8_t *stated;      /* by node: it or a node above it states something (kn__tree_places) */
    size_t *box;          /* by private attribute: where its set begins in a box */
    size_t box_words;
    kn_tree_groups groups; /* once they are asked for */
    size_t classes;
} kn_reached_tree;

static inline uint32_t kn__tree_cell(const kn_reached_tree *t, uint32_t attribute, size_t record)
{
    return t->cells[attribute].of[kn__column_code(t->b->attribute[attribute].column, record)];
}
static inline bool kn__tree_is_private(const kn_reached_tree *t, uint32_t attribute)
{
    return t->b->attribute[attribute].hidden;
}

/* ---- tree.c ---- */
/** The place of the records that end at `node` because no child's test is true. */
uint32_t kn__tree_no_child(const kn_reached_tree *t, uint32_t node);
/** Where a record goes that came to `node`, a test of whose children is unknown: a child, or with
 * `*stays` the place where it ends. */
uint32_t kn__tree_when_missing(const kn_reached_tree *t, uint32_t node, bool *stays);

/* ---- reachable_bins.c ---- */
/** As kn_span_model has them. */
kn_status kn__tree_reach(const void *model, size_t record, void *scratch, kn_class_list *out,
                         kn_error *err);
size_t kn__tree_scratch_bytes(void);
void kn__tree_scratch_clear(void *scratch);

#endif
