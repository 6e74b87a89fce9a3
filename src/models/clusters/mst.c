/* mst.c - minimal spanning tree by Borůvka's algorithm: in each round every component searches for
 * its shortest edge to another component, in a k-d tree of all points.
 *
 * Invariant of the k-d tree: a node has, per attribute, the range of the numbers of its points,
 * whether one of them is missing, and of categories a set of 64 bits (value modulo 63, one bit for
 * missing). That gives a lower lower_bound of the distance from a point to all points of the node.
 * The lower_bound adds parent the attributes in the same order as a distance does, and rounding is
 * monotonic: so a computed lower_bound is never above a computed distance, and pruning by it loses
 * nothing. */
#include "models/clusters/mst.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
enum { LEAF = 8, MISSING_BIT = 63 };

/* The values of an attribute among the points of a node. */
typedef struct extent {
    double low, high; /* numbers; low > high: all are missing */
    uint64_t values;  /* categories; of numbers 1 if one is missing */
} extent;

typedef struct node {
    uint32_t begin, end;
    uint32_t left, right; /* 0: a leaf */
    uint32_t component;   /* of all its points, or NONE */
    uint32_t first;       /* the least number of its points */
} node;

typedef struct boruvka {
    const kn_space *space;
    size_t n;
    double *x;       /* points in the order of the tree */
    uint32_t *id;    /* by place: the point's own number */
    node *nodes;     /* children come after their parents */
    extent *extents; /* node * attributes + attribute */
    size_t count, cap, extents_cap;
    uint32_t *component; /* by place */
    uint32_t *nearest;   /* by place: the nearest point of another component, or NONE */
    double *distance; /* to it; if NONE: a lower lower_bound of the distance to other components */
    _Atomic uint64_t *best; /* by component: the shortest edge so far, as bits: doubles that are not
                               negative have the order of their bits */
} boruvka;

/* ---- the tree ---- */

static uint64_t bit_of(double value)
{
    return UINT64_C(1) << (isnan(value) ? MISSING_BIT : (uint64_t)value % MISSING_BIT);
}

static void set_extents(const boruvka *b, const double *point, size_t begin, size_t end,
                        extent *out)
{
    const size_t stride = b->space->attributes;

    for (size_t a = 0; a < stride; a++) {
        extent e = {INFINITY, -INFINITY, 0};
        for (size_t i = begin; i < end; i++) {
            const double x = point[b->id[i] * stride + a];
            if (b->space->at[a].category) {
                e.values |= bit_of(x);
            } else if (isnan(x)) {
                e.values = 1;
            } else {
                e.low = fmin(e.low, x);
                e.high = fmax(e.high, x);
            }
        }
        out[a] = e;
    }
}

static bool before(double x, double y)
{
    return x < y || (isnan(y) && !isnan(x));
}

static double median_of(double a, double b, double c)
{
    if (before(b, a)) {
        const double swap = a;
        a = b;
        b = swap;
    }
    if (!before(c, b)) {
        return b;
    }
    return before(a, c) ? c : a;
}

/* Quickselect: partition the places begin..end-1 by attribute `a` around the median into less,
 * equal and greater.
 * @return the border of the equal ones that is nearer to the middle. */
static size_t partition(boruvka *b, const double *point, size_t a, size_t begin, size_t end)
{
    const size_t stride = b->space->attributes, middle = begin + (end - begin) / 2;
    size_t low = begin, high = end;

    for (;;) {
        /* Dijkstra's three-way partition; the pivot is the median of three values. */
        const double one = point[b->id[low + (high - low) / 3] * stride + a],
                     two = point[b->id[low + (high - low) / 2] * stride + a],
                     three = point[b->id[high - 1 - (high - low) / 3] * stride + a];
        const double pivot = median_of(one, two, three);
        size_t less = low, at = low, more = high;
        while (at < more) {
            const double x = point[b->id[at] * stride + a];
            const uint32_t own = b->id[at];
            if (before(x, pivot)) {
                b->id[at++] = b->id[less];
                b->id[less++] = own;
            } else if (before(pivot, x)) {
                b->id[at] = b->id[--more];
                b->id[more] = own;
            } else {
                at++;
            }
        }
        if (middle < less) {
            high = less;
        } else if (middle >= more) {
            low = more;
        } else {
            return less > begin && (more == end || middle - less <= more - middle) ? less : more;
        }
    }
}

static size_t widest(const boruvka *b, const extent *e)
{
    double most = 0;
    size_t found = SIZE_MAX;

    for (size_t a = 0; a < b->space->attributes; a++) {
        const kn_space_attribute *at = &b->space->at[a];
        double spread;
        if (at->category) {
            spread = e[a].values & (e[a].values - 1) ? at->weight : 0;
        } else {
            const double width = e[a].low < e[a].high ? e[a].high - e[a].low : 0;
            spread = at->factor * width * width;
            if (e[a].values && e[a].low <= e[a].high) {
                spread = fmax(spread, at->weight);
            }
        }
        if (spread > most) {
            most = spread;
            found = a;
        }
    }
    return found;
}

static kn_status add_node(boruvka *b, uint32_t begin, uint32_t end, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__grow(&b->nodes, &b->cap, b->count + 1, sizeof *b->nodes, err));
    KN_TRY(kn__grow(&b->extents, &b->extents_cap, (b->count + 1) * b->space->attributes,
                    sizeof *b->extents, err));
    b->nodes[b->count++] = (node){begin, end, 0, 0, NONE, NONE};
done:
    return status;
}

/* Split the nodes from the root on until they are small or all their points are alike. */
static kn_status split_nodes(boruvka *b, const double *point, kn_error *err)
{
    const size_t stride = b->space->attributes;
    kn_status status;

    KN_TRY(add_node(b, 0, (uint32_t)b->n, err));
    for (size_t at = 0; at < b->count; at++) {
        const node own = b->nodes[at];
        size_t a, middle;
        set_extents(b, point, own.begin, own.end, b->extents + at * stride);
        a = own.end - own.begin > LEAF ? widest(b, b->extents + at * stride) : SIZE_MAX;
        if (a == SIZE_MAX) {
            continue;
        }
        middle = partition(b, point, a, own.begin, own.end);
        if (middle == own.begin || middle == own.end) {
            continue; /* different values that share a bit */
        }
        b->nodes[at].left = (uint32_t)b->count;
        KN_TRY(add_node(b, own.begin, (uint32_t)middle, err));
        b->nodes[at].right = (uint32_t)b->count;
        KN_TRY(add_node(b, (uint32_t)middle, own.end, err));
    }
done:
    return status;
}

static kn_status build_tree(boruvka *b, const double *point, kn_error *err)
{
    const size_t stride = b->space->attributes;
    kn_status status;

    for (size_t i = 0; i < b->n; i++) {
        b->id[i] = (uint32_t)i;
    }
    KN_TRY(split_nodes(b, point, err));
    for (size_t i = 0; i < b->n; i++) {
        memcpy(b->x + i * stride, point + b->id[i] * stride, stride * sizeof *point);
    }
    for (size_t at = b->count; at-- > 0;) {
        node *n = &b->nodes[at];
        for (uint32_t i = n->begin; n->left == 0 && i < n->end; i++) {
            n->first = b->id[i] < n->first ? b->id[i] : n->first;
        }
        if (n->left) {
            const uint32_t left = b->nodes[n->left].first, right = b->nodes[n->right].first;
            n->first = left < right ? left : right;
        }
    }
done:
    return status;
}

/* ---- searching ---- */

static double lower_bound(const boruvka *b, const double *x, const extent *e)
{
    double sum = 0;

    for (size_t a = 0; a < b->space->attributes; a++) {
        const kn_space_attribute *at = &b->space->at[a];
        if (at->category) {
            sum += e[a].values & bit_of(x[a]) ? 0 : at->weight;
        } else if (isnan(x[a])) {
            sum += e[a].values ? 0 : at->weight;
        } else {
            const double off = x[a] < e[a].low    ? e[a].low - x[a]
                               : x[a] > e[a].high ? x[a] - e[a].high
                                                  : 0;
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

static void search_leaf(search *s, const node *n)
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
static bool can_improve(const search *s, const node *n, double least)
{
    return least < s->limit ||
           (least == s->limit && (s->found == NONE || n->first < s->b->id[s->found]));
}

static void search_node(search *s, uint32_t at)
{
    const boruvka *b = s->b;
    const node *n = &b->nodes[at];
    const node *near = &b->nodes[n->left], *far = &b->nodes[n->right];
    const size_t stride = b->space->attributes;
    double close, wide;

    if (n->left == 0) {
        search_leaf(s, n);
        return;
    }
    /* A node that lies within the point's own component is not searched. */
    close = near->component == s->component ? INFINITY
                                            : lower_bound(b, s->x, b->extents + n->left * stride);
    wide = far->component == s->component ? INFINITY
                                          : lower_bound(b, s->x, b->extents + n->right * stride);
    if (wide < close) {
        const node *other = near;
        const double distance = close;
        near = far;
        far = other;
        close = wide;
        wide = distance;
    }
    if (near->component != s->component && can_improve(s, near, close)) {
        search_node(s, (uint32_t)(near - b->nodes));
    }
    if (far->component != s->component && can_improve(s, far, wide)) {
        search_node(s, (uint32_t)(far - b->nodes));
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
    for (size_t at = b->count; at-- > 0;) {
        node *n = &b->nodes[at];
        if (n->left) {
            const uint32_t left = b->nodes[n->left].component;
            n->component = left == b->nodes[n->right].component ? left : NONE;
        } else {
            n->component = b->component[n->begin];
            for (uint32_t i = n->begin + 1; i < n->end; i++) {
                if (b->component[i] != n->component) {
                    n->component = NONE;
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

/* Add the shortest edge of each component and add_edges the components that it connects; `parent`
 * is a union-find boruvka over the components. */
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
    b.id = kn__malloc_array(count, sizeof *b.id);
    b.component = kn__malloc_array(count, sizeof *b.component);
    b.nearest = kn__malloc_array(count, sizeof *b.nearest);
    b.distance = kn__malloc_array(count, sizeof *b.distance);
    b.best = kn__malloc_array(count, sizeof *b.best);
    KN_TRY(shortest && parent && b.x && b.id && b.component && b.nearest && b.distance && b.best
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
    kn__free(b.id);
    kn__free(b.nodes);
    kn__free(b.extents);
    kn__free(b.component);
    kn__free(b.nearest);
    kn__free(b.distance);
    kn__free(b.best);
    kn__free(shortest);
    kn__free(parent);
    return status;
}
