/* methods/cluster/box_tree.h - the inside of the index: a tree of boxes over tuples.
 *
 * In each quasi-identifier a tuple is one number, its place: on the scale (ranges), in the
 * depth-first walk of the tree (hierarchies), or its code (sets). The tuples of a leaf lie side by
 * side, quasi-identifier by quasi-identifier. */
#ifndef KN_METHODS_CLUSTER_BOX_TREE_H
#define KN_METHODS_CLUSTER_BOX_TREE_H

#include "base/arena.h"
#include "methods/cluster/index.h"

enum { KN_BOX_LEAF = 16 }; /* tuples that a leaf holds, unless they cannot be told apart */

#define KN_NO_BOX UINT32_MAX

/* A quasi-identifier with a hierarchy. */
typedef struct kn_walked {
    uint32_t *code;  /* by place in the walk */
    uint32_t *first; /* by node: the least place below it */
    uint32_t *last;  /* by node: the greatest */
    /* [code * nodes + at]: what a value costs together with the value in place `at` (below
     * `values`), or at least costs together with any below node `at`. NULL: the tree is too large
     */
    uint32_t *near;
} kn_walked;

typedef struct kn_box {
    uint32_t begin, end;  /* its tuples, by slot */
    uint32_t left, right; /* KN_NO_BOX: it is a leaf */
    uint32_t parent;
    uint32_t alive; /* tuples with records */
    uint32_t least; /* the least number of a tuple in it */
} kn_box;

struct kn_index {
    kn_arena arena;
    const kn_views *views;
    const kn_tuples *tuples;
    kn_walked *tree;   /* by scale, views->trees of them */
    uint32_t *leaf_of; /* by tuple: its box */
    uint32_t *left;    /* by tuple: records that are not taken */
    uint32_t slots;    /* tuples in the tree of boxes */
    uint32_t *tuple;   /* by slot */
    uint32_t *place;   /* [scale * stride + slot] */
    size_t stride;
    kn_box *boxes;
    size_t boxes_len, boxes_cap;
    uint32_t *edge; /* [(box * qis + scale) * 2]: a node; the least and greatest place; or, of a
                       set, the places modulo 32 as bits */
    size_t edge_cap;
};

/** What `code` costs together with the value in each place, and at least with any below each inner
 * node, into `row`, by place and node. */
void kn__walked_row(const kn_scale *s, const kn_walked *t, uint32_t code, uint32_t *row);

static inline uint32_t kn__place_of(const kn_scale *s, uint32_t code)
{
    if (s->place) {
        return s->place[code];
    }
    return s->domain->kind == KN_DOMAIN_TREE ? s->domain->order[code] : code;
}

#endif
