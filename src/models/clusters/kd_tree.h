/* models/clusters/kd_tree.h - a k-d tree of points in a space of mixed attributes.
 *
 * Invariant: a node has, per attribute, the range of the values of its points that are not missing,
 * of numbers whether one is missing, and of categories a set of 64 bits (value modulo 63, one bit
 * for missing). */
#ifndef KN_MODELS_CLUSTERS_KD_TREE_H
#define KN_MODELS_CLUSTERS_KD_TREE_H

#include "models/clusters/nearest.h"

#include <math.h>

/** The values of an attribute among the points of a node. */
typedef struct kn_kd_extent {
    double low, high; /* low > high: all are missing */
    uint64_t values;  /* categories; of numbers 1 if one is missing */
} kn_kd_extent;

typedef struct kn_kd_node {
    uint32_t begin, end;  /* places */
    uint32_t left, right; /* 0: a leaf */
    uint32_t depth;
} kn_kd_node;

typedef struct kn_kd_tree {
    const kn_space *space;
    size_t n;
    uint32_t *id;          /* by place: the point's own number */
    kn_kd_node *nodes;     /* `count` of them, the root first and children after their parents */
    kn_kd_extent *extents; /* node * attributes + attribute */
    size_t count, cap, extents_cap;
} kn_kd_tree;

/** Of `n` (1 or more) points. Nodes with more than `leaf` points that are not all alike have
 * children; attributes that weigh nothing in `space`, which is borrowed, do not split them. */
kn_status kn__kd_tree_new(kn_kd_tree *t, const kn_space *space, const double *point, size_t n,
                          size_t leaf, kn_error *err);
void kn__kd_tree_clear(kn_kd_tree *t);

/** The bit of a category in kn_kd_extent. */
static inline uint64_t kn__kd_bit(double value)
{
    return UINT64_C(1) << (isnan(value) ? 63 : (uint64_t)value % 63);
}

#endif
