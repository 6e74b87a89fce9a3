/* cycles.c - refuse cycles between values and groups of the same name.
 *
 * A value may be called like a group. Then "value a is in a group called b" is a relation between
 * values, and it must have no cycle: with a;b;* and b;a;* the file says both that a is a kind of b
 * and that b is a kind of a. Topological sorting (Kahn): values that are in no group called like
 * another value are taken away until none is left; what remains leads to a cycle. */
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"

#include <string.h>

/* An edge leads from a value to the other value whose label a group above it has. */
typedef struct graph {
    const kn_hierarchy_builder *m;
    uint32_t *value; /* by node: the value that it is or is called like, or KN_NO_CODE */
    uint32_t *above; /* by value: its edges that are left */
    size_t *begin;   /* by value: edges to it come from[begin..begin of the next) */
    uint32_t *from;
    uint32_t *queue;
} graph;

static void graph_clear(graph *g)
{
    KN_FREE(g->value, g->above, g->begin, g->from, g->queue);
}

/* `*any`: whether a group has the label of a value. */
static kn_status find_values(graph *g, bool *any, kn_error *err)
{
    const kn_hierarchy_builder *m = g->m;

    *any = false;
    g->value = kn__malloc_array(m->count, sizeof *g->value);
    KN_PASS(g->value ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < m->count; i++) {
        const char *label = m->text.data + m->node[i].label;
        g->value[i] = kn__dict_find(m->leaf, label, strlen(label));
        *any = *any || (!m->node[i].leaf && g->value[i] != KN_NO_CODE);
    }
    return KN_OK;
}

/* The next node above `node` with the label of a value other than `value`, or KN_NO_CODE. */
static uint32_t next_edge(const graph *g, uint32_t value, uint32_t node)
{
    do {
        node = g->m->node[node].parent;
    } while (node != KN_NO_CODE && (g->value[node] == KN_NO_CODE || g->value[node] == value));
    return node;
}

static kn_status read_edges(graph *g, kn_error *err)
{
    const kn_hierarchy_builder *m = g->m;
    const uint32_t values = m->leaf->len;
    size_t edges = 0;

    g->above = kn__zalloc_array(values, sizeof *g->above);
    g->begin = kn__zalloc_array((size_t)values + 1, sizeof *g->begin);
    g->queue = kn__malloc_array(values, sizeof *g->queue);
    KN_PASS(g->above && g->begin && g->queue ? KN_OK : kn__nomem(err));
    for (uint32_t v = 0; v < values; v++) {
        for (uint32_t at = m->leaf_node[v]; (at = next_edge(g, v, at)) != KN_NO_CODE;) {
            g->above[v]++;
            g->begin[g->value[at]]++;
        }
    }
    for (size_t v = 0; v <= values; v++) {
        edges += g->begin[v];
        g->begin[v] = edges;
    }
    g->from = kn__malloc_array(edges, sizeof *g->from);
    KN_PASS(g->from ? KN_OK : kn__nomem(err));
    for (uint32_t v = 0; v < values; v++) {
        for (uint32_t at = m->leaf_node[v]; (at = next_edge(g, v, at)) != KN_NO_CODE;) {
            g->from[--g->begin[g->value[at]]] = v;
        }
    }
    return KN_OK;
}

/* Remove values while one has no edge left; returns how many were removed. */
static size_t sort_values(graph *g)
{
    const uint32_t values = g->m->leaf->len;
    size_t taken = 0, end = 0;

    for (uint32_t v = 0; v < values; v++) {
        if (g->above[v] == 0) {
            g->queue[end++] = v;
        }
    }
    while (taken < end) {
        const uint32_t v = g->queue[taken++];
        for (size_t i = g->begin[v]; i < g->begin[v + 1]; i++) {
            if (--g->above[g->from[i]] == 0) {
                g->queue[end++] = g->from[i];
            }
        }
    }
    return taken;
}

/* The first edge from `value` to one that is left over. */
static uint32_t left_over(const graph *g, uint32_t value)
{
    uint32_t at = next_edge(g, value, g->m->leaf_node[value]);

    while (g->above[g->value[at]] == 0) {
        at = next_edge(g, value, at);
    }
    return g->value[at];
}

/* What is left over leads into a cycle: after as many steps as there are values, it is reached. */
static kn_status fail_cycle(const graph *g, kn_error *err)
{
    const kn_hierarchy_builder *m = g->m;
    const uint32_t values = m->leaf->len;
    uint32_t low = 0, high;
    const char *low_text, *high_text;
    size_t low_len, high_len;

    while (g->above[low] == 0) {
        low++;
    }
    for (uint32_t i = 0; i < values; i++) {
        low = left_over(g, low);
    }
    high = left_over(g, low);
    low_text = kn__dict_text(m->leaf, low, &low_len);
    high_text = kn__dict_text(m->leaf, high, &high_len);
    return kn__fail(
        err, KN_EINPUT,
        "%s: value %s is in a group %s, and value %s (line %u) is in a group %s or below "
        "one; rename a value or a group, so that a label has one meaning",
        kn__place_make(m->name, m->node[m->leaf_node[low]].line).text,
        kn__quote_make(low_text, low_len).text, kn__quote_make(high_text, high_len).text,
        kn__quote_make(high_text, high_len).text, (unsigned)m->node[m->leaf_node[high]].line,
        kn__quote_make(low_text, low_len).text);
}

kn_status kn__hierarchy_builder_refuse_cycles(const kn_hierarchy_builder *m, kn_error *err)
{
    graph g = {.m = m};
    bool any = false;
    kn_status status;

    KN_TRY(find_values(&g, &any, err));
    if (any) {
        KN_TRY(read_edges(&g, err));
        if (sort_values(&g) < m->leaf->len) {
            KN_TRY(fail_cycle(&g, err));
        }
    }
done:
    graph_clear(&g);
    return status;
}
