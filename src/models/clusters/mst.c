/* mst.c - minimal spanning tree by Borůvka's algorithm: in each round every component searches for
 * its shortest edge to another component, in a k-d tree of all points.
 *
 * The extents of a node give a lower bound of the distance from a point to all points of the node.
 * The bound adds the attributes in the same order as a distance does, and rounding is monotonic: so
 * a computed bound is never above a computed distance, and pruning by it loses nothing. */
#include "models/clusters/mst.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "models/clusters/kd_tree.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
enum { LEAF = 8 };

/* The points of a node. */
typedef struct node_points {
    uint32_t component; /* of all of them, or NONE */
    uint32_t first;     /* the least of their numbers */
} node_points;

typedef struct boruvka {
    const kn_space *space;
    size_t n;
    double *x; /* points in the order of the tree */
    kn_kd_tree tree;
    const uint32_t *id;      /* of the tree */
    const kn_kd_node *nodes; /* of the tree */
    node_points *of;         /* by node */
    uint32_t *component;     /* by place */
    uint32_t *nearest;       /* by place: the nearest point of another component, or NONE */
    double *distance;        /* to it; if NONE: a lower bound of the distance to other components */
    _Atomic uint64_t *best; /* by component: the shortest edge so far, as bits: doubles that are not
                               negative have the order of their bits */
} boruvka;

/* ---- the tree ---- */

static kn_status build_tree(boruvka *b, const double *point, kn_error *err)
{
    const size_t stride = b->space->attributes;

    KN_PASS(kn__kd_tree_new(&b->tree, b->space, point, b->n, LEAF, err));
    b->id = b->tree.id;
    b->nodes = b->tree.nodes;
    b->of = kn__malloc_array(b->tree.count, sizeof *b->of);
    KN_PASS(b->of ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < b->n; i++) {
        memcpy(b->x + i * stride, point + b->id[i] * stride, stride * sizeof *point);
    }
    for (size_t at = b->tree.count; at-- > 0;) {
        const kn_kd_node *n = &b->nodes[at];
        uint32_t first = NONE;
        for (uint32_t i = n->begin; n->left == 0 && i < n->end; i++) {
            first = b->id[i] < first ? b->id[i] : first;
        }
        if (n->left) {
            const uint32_t left = b->of[n->left].first, right = b->of[n->right].first;
            first = left < right ? left : right;
        }
        b->of[at] = (node_points){NONE, first};
    }
    return KN_OK;
}

/* ---- searching ---- */

static double lower_bound(const boruvka *b, const double *x, const kn_kd_extent *e)
{
    double sum = 0;

    for (size_t a = 0; a < b->space->attributes; a++) {
        const kn_space_attribute *at = &b->space->at[a];
        if (at->category) {
            sum += e[a].values & kn__kd_bit(x[a]) ? 0 : at->weight;
        } else if (isnan(x[a])) {
            sum += e[a].values ? 0 : at->weight;
        } else {
            const double off = x[a] - KN_CLAMP(x[a], e[a].low, e[a].high);
            const double near = e[a].low <= e[a].high ? at->factor * (off * off) : INFINITY;
            sum += e[a].values ? fmin(near, at->weight) : near;
        }
    }
    return sum;
}

typedef struct search {
    const boruvka *b;
    const double *x;
    uint32_t component;
    uint32_t found;
    double limit; /* the length of the shortest edge so far: longer ones are of no use */
} search;

static void search_leaf(search *s, const kn_kd_node *n)
{
    const kn_space *space = s->b->space;

    for (uint32_t i = n->begin; i < n->end; i++) {
        double d;
        if (s->b->component[i] == s->component) {
            continue;
        }
        d = kn__space_distance(space, s->x, s->b->x + i * space->attributes);
        if (d < s->limit ||
            (d == s->limit && (s->found == NONE || s->b->id[i] < s->b->id[s->found]))) {
            s->limit = d;
            s->found = i;
        }
    }
}

/* Whether a node may have a better end of an edge than the one found. Of two edges of the same
 * length from the same point, the one to the point with the lesser number comes first. */
static bool can_improve(const search *s, uint32_t node, double least)
{
    return least < s->limit ||
           (least == s->limit && (s->found == NONE || s->b->of[node].first < s->b->id[s->found]));
}

static void search_node(search *s, uint32_t at)
{
    const boruvka *b = s->b;
    const kn_kd_node *n = &b->nodes[at];
    const kn_kd_extent *extents = b->tree.extents;
    const size_t stride = b->space->attributes;
    uint32_t near = n->left, far = n->right;
    double close, wide;

    if (n->left == 0) {
        search_leaf(s, n);
        return;
    }
    /* A node that lies within the point's own component is not searched. */
    close = b->of[near].component == s->component ? INFINITY
                                                  : lower_bound(b, s->x, extents + near * stride);
    wide = b->of[far].component == s->component ? INFINITY
                                                : lower_bound(b, s->x, extents + far * stride);
    if (wide < close) {
        const double distance = close;
        near = n->right;
        far = n->left;
        close = wide;
        wide = distance;
    }
    if (b->of[near].component != s->component && can_improve(s, near, close)) {
        search_node(s, near);
    }
    if (b->of[far].component != s->component && can_improve(s, far, wide)) {
        search_node(s, far);
    }
}

static uint64_t bits_of(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static double best_of(const boruvka *b, uint32_t component)
{
    const uint64_t bits = atomic_load_explicit(&b->best[component], memory_order_relaxed);
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static void improve(const boruvka *b, uint32_t component, double d)
{
    uint64_t bits = atomic_load_explicit(&b->best[component], memory_order_relaxed);

    while (bits_of(d) < bits &&
           !atomic_compare_exchange_weak_explicit(&b->best[component], &bits, bits_of(d),
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
}

/* `best` is shared by the threads: what the others have found prunes the search of this one. That
 * changes which points are searched, but not the shortest edge of a component. */
static void search_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    boruvka *b = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const uint32_t component = b->component[i];
        search s = {.b = b,
                    .x = b->x + i * b->space->attributes,
                    .component = component,
                    .found = NONE,
                    .limit = best_of(b, component)};
        if (b->nearest[i] != NONE && b->component[b->nearest[i]] != component) {
            continue;
        }
        b->nearest[i] = NONE;
        if (b->distance[i] > s.limit) {
            continue;
        }
        search_node(&s, 0);
        b->nearest[i] = s.found;
        b->distance[i] = s.limit;
        if (s.found != NONE) {
            improve(b, component, s.limit);
        }
    }
}

/* ---- rounds ---- */

static int compare_edges(const void *one, const void *two)
{
    const kn_edge *a = one, *b = two;

    if (a->length != b->length) {
        return a->length < b->length ? -1 : 1;
    }
    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    return (a->to > b->to) - (a->to < b->to);
}

static void label_nodes(boruvka *b)
{
    for (size_t at = b->tree.count; at-- > 0;) {
        const kn_kd_node *n = &b->nodes[at];
        uint32_t *own = &b->of[at].component;
        if (n->left) {
            const uint32_t left = b->of[n->left].component;
            *own = left == b->of[n->right].component ? left : NONE;
        } else {
            *own = b->component[n->begin];
            for (uint32_t i = n->begin + 1; i < n->end; i++) {
                if (b->component[i] != *own) {
                    *own = NONE;
                }
            }
        }
    }
}

static kn_edge edge_of(const boruvka *b, size_t place)
{
    const uint32_t from = b->id[place], to = b->id[b->nearest[place]];
    return (kn_edge){from < to ? from : to, from < to ? to : from, b->distance[place]};
}

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Add the shortest edge of each component and join the components that it connects; `parent` is a
 * union-find forest over the components. */
static size_t add_edges(boruvka *b, uint32_t *shortest, uint32_t *parent, kn_edge *edge,
                        size_t edges)
{
    for (size_t i = 0; i < b->n; i++) {
        shortest[i] = NONE;
        parent[i] = (uint32_t)i;
    }
    for (size_t i = 0; i < b->n; i++) {
        uint32_t *own = &shortest[b->component[i]];
        if (b->nearest[i] == NONE) {
            continue;
        }
        if (*own == NONE) {
            *own = (uint32_t)i;
        } else {
            const kn_edge candidate = edge_of(b, i), best = edge_of(b, *own);
            *own = compare_edges(&candidate, &best) < 0 ? (uint32_t)i : *own;
        }
    }
    for (size_t c = 0; c < b->n; c++) {
        if (shortest[c] != NONE) {
            const uint32_t one = root_of(parent, (uint32_t)c),
                           two = root_of(parent, b->component[b->nearest[shortest[c]]]);
            if (one != two) {
                edge[edges++] = edge_of(b, shortest[c]);
                parent[one < two ? two : one] = one < two ? one : two;
            }
        }
    }
    for (size_t i = 0; i < b->n; i++) {
        b->component[i] = root_of(parent, b->component[i]);
    }
    return edges;
}

kn_status kn__mst(kn_edge *edge, const kn_space *space, const double *point, size_t count,
                  const kn_run *run, kn_error *err)
{
    boruvka b = {.space = space, .n = count};
    uint32_t *shortest = kn__malloc_array(count, sizeof *shortest);
    uint32_t *parent = kn__malloc_array(count, sizeof *parent);
    size_t edges = 0;
    kn_status status;

    b.x = kn__malloc_array(count * space->attributes, sizeof *b.x);
    b.component = kn__malloc_array(count, sizeof *b.component);
    b.nearest = kn__malloc_array(count, sizeof *b.nearest);
    b.distance = kn__malloc_array(count, sizeof *b.distance);
    b.best = kn__malloc_array(count, sizeof *b.best);
    KN_TRY(shortest && parent && b.x && b.component && b.nearest && b.distance && b.best
               ? KN_OK
               : kn__nomem(err));
    KN_TRY(build_tree(&b, point, err));
    for (size_t i = 0; i < count; i++) {
        b.component[i] = (uint32_t)i;
        b.nearest[i] = NONE;
        b.distance[i] = 0;
    }
    while (edges + 1 < count) {
        KN_TRY(kn__run_step(run, "tree", (double)edges / (double)count, err));
        label_nodes(&b);
        for (size_t i = 0; i < count; i++) {
            atomic_store_explicit(&b.best[i], bits_of(INFINITY), memory_order_relaxed);
        }
        for (size_t i = 0; i < count; i++) {
            if (b.nearest[i] != NONE && b.component[b.nearest[i]] != b.component[i]) {
                improve(&b, b.component[i], b.distance[i]);
            }
        }
        kn__parallel_for(kn__run_threads(run), count, 256, search_slice, &b);
        edges = add_edges(&b, shortest, parent, edge, edges);
    }
    qsort(edge, edges, sizeof *edge, compare_edges);
done:
    kn__free(b.x);
    kn__kd_tree_clear(&b.tree);
    kn__free(b.of);
    kn__free(b.component);
    kn__free(b.nearest);
    kn__free(b.distance);
    kn__free(b.best);
    kn__free(shortest);
    kn__free(parent);
    return status;
}
