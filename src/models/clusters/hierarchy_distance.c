/* hierarchy_distance.c - the levels of a hierarchy as groups of its leaves. Levels are counted from
 * the root, so that two leaves share as many as the depth of the lowest node above both says; a
 * leaf that is nearer to the root than others is a group by itself on the levels below it. */
#include "models/clusters/hierarchy_distance.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct leaf {
    const char *label;
    uint32_t node;
} leaf;

static int by_bytes(const void *one, const void *two)
{
    return strcmp(((const leaf *)one)->label, ((const leaf *)two)->label);
}

static uint32_t node_at(const kn_hierarchy *h, uint32_t node, uint32_t depth)
{
    while (h->depth[node] > depth) {
        node = h->parent[node];
    }
    return node;
}

static kn_status set_groups(kn_attribute *a, const kn_hierarchy *h, const leaf *leaves,
                            size_t count, kn_error *err)
{
    uint32_t *first = kn__malloc_array(h->nodes, sizeof *first), deepest = 0;

    for (size_t i = 0; i < count; i++) {
        deepest = h->depth[leaves[i].node] > deepest ? h->depth[leaves[i].node] : deepest;
    }
    if (deepest < 2) {
        /* All leaves hang below the root: none are nearer than others. */
        kn__free(first);
        return first ? KN_OK : kn__nomem(err);
    }
    a->levels = deepest - 1;
    a->group = kn__malloc_array(count, a->levels * sizeof *a->group);
    if (!first || !a->group) {
        kn__free(first);
        return kn__nomem(err);
    }
    memset(first, 0xff, h->nodes * sizeof *first);
    for (uint32_t l = 0; l < a->levels; l++) {
        for (size_t i = 0; i < count; i++) {
            uint32_t *to = &first[node_at(h, leaves[i].node, deepest - 1 - l)];
            /* A leaf on several levels is the first of itself on each. */
            *to = *to == UINT32_MAX ? (uint32_t)i : *to;
            a->group[i * a->levels + l] = *to;
        }
    }
    kn__free(first);
    return KN_OK;
}

static kn_status check_covered(const kn_attribute *a, const kn_column *c, kn_error *err)
{
    size_t len;

    for (uint32_t v = 0; v < kn__column_values(c); v++) {
        const char *text = kn__column_text(c, v, &len);
        if (v != c->missing && kn__dict_find(a->values, text, len) == KN_NO_CODE) {
            return kn__fail(err, KN_EINPUT,
                            "'%.60s' has the value '%.*s', which is no leaf of its hierarchy: how "
                            "far it is from others is not known; add it, or leave "
                            "--along-hierarchies out",
                            c->name, (int)(len < 60 ? len : 60), text);
        }
    }
    return KN_OK;
}

kn_status kn__attribute_hierarchy_distance(kn_attribute *a, const kn_hierarchy *h,
                                           const kn_column *column, kn_error *err)
{
    leaf *leaves = kn__malloc_array(h->leaves ? h->leaves : 1, sizeof *leaves);
    size_t count = 0;
    kn_status status;

    KN_TRY(leaves ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < h->leaves; i++) {
        if (kn__hierarchy_is_range(h, i)) {
            KN_TRY(
                kn__fail(err, KN_EINPUT,
                         "the hierarchy of '%.60s' has ranges for leaves: how far its values are "
                         "apart is not known; leave --along-hierarchies out",
                         a->name));
        } else if (i != h->missing) {
            leaves[count++] = (leaf){kn__hierarchy_label(h, i), i};
        }
    }
    qsort(leaves, count, sizeof *leaves, by_bytes);
    for (size_t i = 0; i < count; i++) {
        KN_TRY(kn__dict_append(a->values, leaves[i].label, strlen(leaves[i].label), err));
    }
    KN_TRY(check_covered(a, column, err));
    KN_TRY(set_groups(a, h, leaves, count, err));
done:
    kn__free(leaves);
    return status;
}
