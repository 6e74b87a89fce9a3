/* models/tree/tree_spans.h - a tree as a kn_span_model, shared by tree.c (where records end),
 * public_groups.c (which records share a span) and reachable_bins.c (which bins a span contains).
 */
#ifndef KN_MODELS_TREE_TREE_SPANS_H
#define KN_MODELS_TREE_TREE_SPANS_H

#include "models/tree/tree.h"
#include "models/tree/cells.h"

/* The truth of a test. IS_MIXED: it differs within a region (reachable_bins.c). */
typedef enum kn_truth { IS_FALSE, IS_TRUE, IS_UNKNOWN, IS_MIXED } kn_truth;

/* Records that no public test of the tree separates. They share a span. */
typedef struct kn_tree_groups {
    size_t count;
    uint32_t *of;    /* by record */
    uint32_t *first; /* by group: its least record */
} kn_tree_groups;

typedef struct kn_tree_spans {
    const kn_bound *b;
    const kn_tree *tree;
    kn_tree_cells *cells; /* by attribute */
    kn_cell_test *test;   /* by node */
    uint32_t bins;        /* per place: cells of the class */
    uint8_t *stated;      /* by node: it or a node above it states something (kn__tree_places) */
    size_t *set_at;       /* by private attribute: where its set of cells begins in a region */
    size_t region_words;
    kn_tree_groups groups; /* made when they are first asked for */
    size_t classes;        /* equivalence classes: bins of all places, and "no answer" */
} kn_tree_spans;

static inline uint32_t kn__tree_cell(const kn_tree_spans *t, uint32_t attribute, size_t record)
{
    return t->cells[attribute].of[kn__column_code(t->b->attribute[attribute].column, record)];
}
static inline bool kn__tree_is_private(const kn_tree_spans *t, uint32_t attribute)
{
    return t->b->attribute[attribute].hidden;
}

/* ---- tree.c ---- */
/** The place where records end at `node` because no child's test is true (kn__tree_places). */
uint32_t kn__tree_no_child(const kn_tree_spans *t, uint32_t node);
/** Where a record goes for which the test of a child of `node` is unknown: a child or, with
 * `*stays`, the place where it ends. */
uint32_t kn__tree_when_missing(const kn_tree_spans *t, uint32_t node, bool *stays);

/* ---- public_groups.c ---- */
/** Group the records of the dataset that `b` is bound to by the public tests that they come to,
 * whatever their private values are. Groups are numbered by their first records. `test`: by node of
 * the tree. About O(records x splits + groups x nodes that they come to). */
kn_status kn__tree_groups_make(kn_tree_groups *out, const kn_bound *b, const kn_tree_cells *cells,
                               const kn_cell_test *test, kn_error *err);
void kn__tree_groups_clear(kn_tree_groups *g);

/* ---- reachable_bins.c: functions of kn_span_model ---- */
kn_status kn__tree_reach(const void *model, size_t record, void *scratch, kn_class_list *out,
                         kn_error *err);
size_t kn__tree_scratch_bytes(void);
void kn__tree_scratch_clear(void *scratch);

#endif
