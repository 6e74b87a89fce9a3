/* data/tree_arrange.h - bring the nodes of a record into preorder, or into normal form.
 *
 * The nodes of a level are sorted by their parent's new number and their own key, equal neighbours
 * are merged if asked for, and as the children of a node are then a run of the level below, a walk
 * down the runs gives the preorder. Nothing recurses: a record may be one long path. */
#ifndef KN_DATA_TREE_ARRANGE_H
#define KN_DATA_TREE_ARRANGE_H

#include "data/trees.h"

/* A node on its way to a new place. */
typedef struct kn_placed {
    uint32_t level, up; /* up: the parent's number among the kept nodes of the level above */
    uint32_t key;       /* what siblings are sorted by */
    uint32_t node;      /* its old place */
} kn_placed;

/* A node of the new record: its children are kept[first..first+count). */
typedef struct kn_kept_node {
    uint32_t value, first, count;
} kn_kept_node;

/* The memory of kn__arrange, kept between records. */
typedef struct kn_arranger {
    kn_placed *placed;
    kn_kept_node *kept;
    uint32_t *renamed; /* by old place: its number in `kept`; then the stack of the walk */
    uint32_t *level;   /* by old place */
    uint32_t *above;   /* by number in `kept` on the stack: the new place of its parent */
    size_t placed_cap, kept_cap, renamed_cap, level_cap, above_cap;
} kn_arranger;

void kn__arranger_free(kn_arranger *a);
/** Make room for records of up to `n` nodes. */
kn_status kn__arranger_reserve(kn_arranger *a, size_t n, kn_error *err);
/** Bring the record of `n` nodes, whose parents have smaller places than their children, into
 * preorder, siblings by code and equal ones merged if `merge`, else in the order of their places.
 * @return how many nodes are left. The arrays are changed in place. */
uint32_t kn__arrange(kn_arranger *a, uint32_t *value, uint32_t *parent, uint32_t n, bool merge);

#endif
