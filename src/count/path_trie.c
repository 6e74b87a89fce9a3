/* path_trie.c - a trie over paths of labels. */
#include "count/path_trie.h"
#include "base/error.h"

kn_status kn__path_trie_begin(kn_path_trie *t, kn_error *err)
{
    uint32_t root;

    return kn__path_trie_add(t, 0, KN_NO_LABEL, &root, err);
}

void kn__path_trie_clear(kn_path_trie *t)
{
    KN_FREE(t->label, t->parent, t->depth);
    kn__map_clear(&t->child);
    *t = (kn_path_trie){0};
}

kn_status kn__path_trie_add(kn_path_trie *t, uint32_t parent, uint32_t label, uint32_t *out,
                            kn_error *err)
{
    const uint64_t key = (uint64_t)parent << 32 | label;

    KN_PASS(kn__grow(&t->label, &t->label_cap, t->nodes + 1, sizeof *t->label, err));
    KN_PASS(kn__grow(&t->parent, &t->parent_cap, t->nodes + 1, sizeof *t->parent, err));
    KN_PASS(kn__grow(&t->depth, &t->depth_cap, t->nodes + 1, sizeof *t->depth, err));
    KN_PASS(kn__map_reserve(&t->child, t->child.used + 1, err));
    t->label[t->nodes] = label;
    t->parent[t->nodes] = parent;
    t->depth[t->nodes] = t->nodes ? t->depth[parent] + 1 : 0;
    if (t->nodes) { /* the root is no child */
        kn__map_put(&t->child, kn__map_find(&t->child, key), key, t->nodes);
    }
    *out = (uint32_t)t->nodes++;
    return KN_OK;
}
