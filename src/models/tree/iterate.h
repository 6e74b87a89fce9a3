/* models/tree/iterate.h - the nodes of a tree in preorder. */
#ifndef KN_MODELS_TREE_ITERATE_H
#define KN_MODELS_TREE_ITERATE_H

#include "models/model.h"

/** The node after `n` in preorder, KN_NO_CODE after the last; without `into`, the nodes below `n`
 * are skipped. `*depth` is that of `n`, and becomes that of the node. */
static inline uint32_t kn__tree_step(const kn_tree *t, uint32_t n, bool into, unsigned *depth)
{
    if (into && t->node[n].children) {
        ++*depth;
        return t->node[n].first;
    }
    for (;;) {
        const uint32_t parent = t->node[n].parent;
        if (parent == KN_NO_CODE) {
            return KN_NO_CODE;
        }
        if (n + 1 < t->node[parent].first + t->node[parent].children) {
            return n + 1;
        }
        n = parent;
        --*depth;
    }
}

#endif
