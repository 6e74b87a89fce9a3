/* walk.c - the nodes of a hierarchy, for programs. */
#include "hierarchy/hierarchy.h"

#include <string.h>

static bool has_node(const kn_hierarchy *h, size_t node)
{
    return h && node < h->nodes;
}

const char *kn_hierarchy_label(const kn_hierarchy *h, size_t node)
{
    return has_node(h, node) ? kn__hierarchy_label(h, (uint32_t)node) : NULL;
}

size_t kn_hierarchy_parent(const kn_hierarchy *h, size_t node)
{
    return has_node(h, node) && node + 1 < h->nodes ? h->parent[node] : SIZE_MAX;
}

size_t kn_hierarchy_children(const kn_hierarchy *h, size_t node)
{
    return has_node(h, node) ? kn__hierarchy_children(h, (uint32_t)node) : 0;
}

size_t kn_hierarchy_child(const kn_hierarchy *h, size_t node, size_t i)
{
    return i < kn_hierarchy_children(h, node) ? h->child[h->child_begin[node] + i] : SIZE_MAX;
}

size_t kn_hierarchy_depth(const kn_hierarchy *h, size_t node)
{
    return has_node(h, node) ? h->depth[node] : SIZE_MAX;
}

size_t kn_hierarchy_above(const kn_hierarchy *h, size_t node, size_t steps)
{
    size_t at = node;

    if (!has_node(h, node)) {
        return SIZE_MAX;
    }
    while (steps-- > 0 && h->parent[at] != at) {
        at = h->parent[at];
    }
    return at;
}

size_t kn_hierarchy_find(const kn_hierarchy *h, const char *label)
{
    const uint32_t leaf = h && label ? kn__dict_find(h->leaf, label, strlen(label)) : KN_NO_CODE;

    return leaf == KN_NO_CODE ? SIZE_MAX : leaf;
}

bool kn_hierarchy_is_range(const kn_hierarchy *h, size_t node)
{
    return h && node < h->leaves && kn__hierarchy_is_range(h, (uint32_t)node);
}
