/* count/path_trie.h - a trie over paths of labels: a node stands for a path from the root.
 *
 * Node 0 is the root; the parent of a node has a smaller number. One map from (parent, label) to
 * the child holds all edges. Zero a trie, then begin it. */
#ifndef KN_COUNT_PATH_TRIE_H
#define KN_COUNT_PATH_TRIE_H

#include "base/map.h"
#include "base/memory.h"

#define KN_NO_LABEL UINT32_MAX /* the node is not published: its children move up to its place */

typedef struct kn_path_trie {
    uint32_t *label, *parent, *depth; /* by node; the root has KN_NO_LABEL, itself and 0 */
    size_t nodes, label_cap, parent_cap, depth_cap;
    kn_map child;
} kn_path_trie;

/** Make the root. Clear `t` in any case. */
kn_status kn__path_trie_begin(kn_path_trie *t, kn_error *err);
void kn__path_trie_clear(kn_path_trie *t);
/** Add the child of `parent` with `label`, which is not there; its number is in `*out`. */
kn_status kn__path_trie_add(kn_path_trie *t, uint32_t parent, uint32_t label, uint32_t *out,
                            kn_error *err);

/** The child of `parent` with `label` in `*out`, made if there is none. Expected O(1). */
static inline kn_status kn__path_trie_child(kn_path_trie *t, uint32_t parent, uint32_t label,
                                            uint32_t *out, kn_error *err)
{
    const kn_map_slot *slot = kn__map_find(&t->child, (uint64_t)parent << 32 | label);

    if (slot->value) {
        *out = (uint32_t)slot->value;
        return KN_OK;
    }
    return kn__path_trie_add(t, parent, label, out, err);
}

#endif
