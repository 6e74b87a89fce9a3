/* mst.c - Borůvka's algorithm with a k-d tree.
 *
 * A node of the tree knows the range of each number of its points, whether some of them miss it,
 * and for categories a set of bits, one of 64 a value: enough for a lower bound of the distance
 * from a point to all of them. Bounds are sums over the attributes in the order in which distances
 * are, and rounding keeps order, so a bound is never above a distance, not even by a bit. */
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

/* What the points of a node have of an attribute. */
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

typedef struct forest {
    const kn_space *space;
    size_t n;
    double *x;       /* points in the order of the tree */
    uint32_t *id;    /* by place: the point's own number */
    node *nodes;     /* children come after their parents */
    extent *extents; /* node * attributes + attribute */
    uint64_t **near; /* by attribute, along a hierarchy: [value * levels + level] bits of the values
                        that are in its group there; NULL otherwise */
    size_t count, cap, extents_cap;
    uint32_t *component;    /* by place */
    uint32_t *nearest;      /* by place: the nearest point of another component, or NONE */
    double *distance;       /* to it; if NONE: no point of another component is nearer */
    _Atomic uint64_t *best; /* by component: the shortest edge so far, as bits: doubles that are not
                               negative have the order of their bits */
} forest;

/* ---- the tree ---- */

static uint64_t bit_of(double value)
{
    return UINT64_C(1) << (isnan(value) ? MISSING_BIT : (uint64_t)value % MISSING_BIT);
}

static kn_status bring_near(forest *f, kn_error *err)
{
    f->near = kn__zalloc_array(f->space->attributes, sizeof *f->near);
    if (!f->near) {
        return kn__nomem(err);
    }
    for (size_t a = 0; a < f->space->attributes; a++) {
        const kn_space_attribute *at = &f->space->at[a];
        if (!at->group) {
            continue;
        }
        f->near[a] = kn__zalloc_array(at->known, at->levels * sizeof **f->near);
        if (!f->near[a]) {
            return kn__nomem(err);
        }
        /* A group's bits are gathered at its first value, then given to all. */
        for (int turn = 0; turn < 2; turn++) {
            for (size_t i = 0; i < at->known * at->levels; i++) {
                uint64_t *first = &f->near[a][at->group[i] * at->levels + i % at->levels];
                if (turn == 0) {
                    const size_t value = i / at->levels;
                    *first |= bit_of((double)value);
                } else {
                    f->near[a][i] = *first;
                }
            }
        }
    }
    return KN_OK;
}

static void measure(const forest *f, const double *point, size_t begin, size_t end, extent *out)
{
    const size_t stride = f->space->attributes;

    for (size_t a = 0; a < stride; a++) {
        extent e = {INFINITY, -INFINITY, 0};
        for (size_t i = begin; i < end; i++) {
            const double x = point[f->id[i] * stride + a];
            if (f->space->at[a].category) {
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

/* Put places begin..end-1 in the order of attribute `a` as far as needed: what is before the value
 * of the middle first, then what equals it, then the rest. The border nearer to the middle. */
static size_t part(forest *f, const double *point, size_t a, size_t begin, size_t end)
{
    const size_t stride = f->space->attributes, middle = begin + (end - begin) / 2;
    size_t low = begin, high = end;

    for (;;) {
        /* Dijkstra's three-way partition around a value between those at thirds of the way. */
        const double one = point[f->id[low + (high - low) / 3] * stride + a],
                     two = point[f->id[low + (high - low) / 2] * stride + a],
                     three = point[f->id[high - 1 - (high - low) / 3] * stride + a];
        const double pivot = before(one, two) ? (before(two, three)   ? two
                                                 : before(one, three) ? three
                                                                      : one)
                                              : (before(one, three)   ? one
                                                 : before(two, three) ? three
                                                                      : two);
        size_t less = low, at = low, more = high;
        while (at < more) {
            const double x = point[f->id[at] * stride + a];
            const uint32_t own = f->id[at];
            if (before(x, pivot)) {
                f->id[at++] = f->id[less];
                f->id[less++] = own;
            } else if (before(pivot, x)) {
                f->id[at] = f->id[--more];
                f->id[more] = own;
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

static size_t widest(const forest *f, const extent *e)
{
    double most = 0;
    size_t found = SIZE_MAX;

    for (size_t a = 0; a < f->space->attributes; a++) {
        const kn_space_attribute *at = &f->space->at[a];
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

static kn_status add_node(forest *f, uint32_t begin, uint32_t end, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__grow(&f->nodes, &f->cap, f->count + 1, sizeof *f->nodes, err));
    KN_TRY(kn__grow(&f->extents, &f->extents_cap, (f->count + 1) * f->space->attributes,
                    sizeof *f->extents, err));
    f->nodes[f->count++] = (node){begin, end, 0, 0, NONE, NONE};
done:
    return status;
}

static kn_status plant(forest *f, const double *point, kn_error *err)
{
    const size_t stride = f->space->attributes;
    kn_status st;

    for (size_t i = 0; i < f->n; i++) {
        f->id[i] = (uint32_t)i;
    }
    st = add_node(f, 0, (uint32_t)f->n, err);
    for (size_t at = 0; at < f->count && st == KN_OK; at++) {
        const node own = f->nodes[at];
        size_t a, middle;
        measure(f, point, own.begin, own.end, f->extents + at * stride);
        a = own.end - own.begin > LEAF ? widest(f, f->extents + at * stride) : SIZE_MAX;
        if (a == SIZE_MAX) {
            continue;
        }
        middle = part(f, point, a, own.begin, own.end);
        if (middle == own.begin || middle == own.end) {
            continue; /* values that share a bit and no more */
        }
        f->nodes[at].left = (uint32_t)f->count;
        st = add_node(f, own.begin, (uint32_t)middle, err);
        if (st == KN_OK) {
            f->nodes[at].right = (uint32_t)f->count;
            st = add_node(f, (uint32_t)middle, own.end, err);
        }
    }
    for (size_t i = 0; i < f->n && st == KN_OK; i++) {
        memcpy(f->x + i * stride, point + f->id[i] * stride, stride * sizeof *point);
    }
    for (size_t at = st == KN_OK ? f->count : 0; at-- > 0;) {
        node *n = &f->nodes[at];
        for (uint32_t i = n->begin; n->left == 0 && i < n->end; i++) {
            n->first = f->id[i] < n->first ? f->id[i] : n->first;
        }
        if (n->left) {
            const uint32_t left = f->nodes[n->left].first, right = f->nodes[n->right].first;
            n->first = left < right ? left : right;
        }
    }
    return st;
}

/* ---- searching ---- */

/* What the nearest of `values`, which `x` is not one of, adds along a hierarchy. */
static double along(const forest *f, size_t a, double x, uint64_t values)
{
    const kn_space_attribute *at = &f->space->at[a];
    size_t differ = 1;

    if (isnan(x) || x >= (double)at->known) {
        return at->weight;
    }
    while (differ <= at->levels && !(values & f->near[a][(size_t)x * at->levels + differ - 1])) {
        differ++;
    }
    return kn__space_part(at, differ);
}

static double bound(const forest *f, const double *x, const extent *e)
{
    double sum = 0;

    for (size_t a = 0; a < f->space->attributes; a++) {
        const kn_space_attribute *at = &f->space->at[a];
        if (at->category) {
            sum += e[a].values & bit_of(x[a]) ? 0
                   : f->near[a]               ? along(f, a, x[a], e[a].values)
                                              : at->weight;
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

typedef struct hunt {
    const forest *f;
    const double *x;
    uint32_t component;
    uint32_t found;
    double limit; /* what is farther is of no use */
} hunt;

static void hunt_leaf(hunt *h, const node *n)
{
    const kn_space *space = h->f->space;

    for (uint32_t i = n->begin; i < n->end; i++) {
        double d;
        if (h->f->component[i] == h->component) {
            continue;
        }
        d = kn__space_distance(space, h->x, h->f->x + i * space->attributes);
        if (d < h->limit ||
            (d == h->limit && (h->found == NONE || h->f->id[i] < h->f->id[h->found]))) {
            h->limit = d;
            h->found = i;
        }
    }
}

/* Of two edges of the same length from the same point, that to the point with the lesser number
 * comes first: whichever end is the lesser. */
static bool is_hopeful(const hunt *h, const node *n, double least)
{
    return least < h->limit ||
           (least == h->limit && (h->found == NONE || n->first < h->f->id[h->found]));
}

static void hunt_node(hunt *h, uint32_t at)
{
    const forest *f = h->f;
    const node *n = &f->nodes[at];
    const node *near = &f->nodes[n->left], *far = &f->nodes[n->right];
    const size_t stride = f->space->attributes;
    double close, wide;

    if (n->left == 0) {
        hunt_leaf(h, n);
        return;
    }
    /* What is all of the own component has no bound to compute. */
    close = near->component == h->component ? INFINITY
                                            : bound(f, h->x, f->extents + n->left * stride);
    wide = far->component == h->component ? INFINITY
                                          : bound(f, h->x, f->extents + n->right * stride);
    if (wide < close) {
        const node *other = near;
        const double distance = close;
        near = far;
        far = other;
        close = wide;
        wide = distance;
    }
    if (near->component != h->component && is_hopeful(h, near, close)) {
        hunt_node(h, (uint32_t)(near - f->nodes));
    }
    if (far->component != h->component && is_hopeful(h, far, wide)) {
        hunt_node(h, (uint32_t)(far - f->nodes));
    }
}

static uint64_t bits_of(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static double best_of(const forest *f, uint32_t component)
{
    const uint64_t bits = atomic_load_explicit(&f->best[component], memory_order_relaxed);
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static void improve(const forest *f, uint32_t component, double d)
{
    uint64_t bits = atomic_load_explicit(&f->best[component], memory_order_relaxed);

    while (bits_of(d) < bits &&
           !atomic_compare_exchange_weak_explicit(&f->best[component], &bits, bits_of(d),
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
}

/* Which points are searched for, and how far, depends on what other threads have found; what they
 * find as the shortest edge of a component does not. */
static void hunt_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    forest *f = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const uint32_t component = f->component[i];
        hunt h = {.f = f,
                  .x = f->x + i * f->space->attributes,
                  .component = component,
                  .found = NONE,
                  .limit = best_of(f, component)};
        if (f->nearest[i] != NONE && f->component[f->nearest[i]] != component) {
            continue;
        }
        f->nearest[i] = NONE;
        if (f->distance[i] > h.limit) {
            continue;
        }
        hunt_node(&h, 0);
        f->nearest[i] = h.found;
        f->distance[i] = h.limit;
        if (h.found != NONE) {
            improve(f, component, h.limit);
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

static void mark_nodes(forest *f)
{
    for (size_t at = f->count; at-- > 0;) {
        node *n = &f->nodes[at];
        if (n->left) {
            const uint32_t left = f->nodes[n->left].component;
            n->component = left == f->nodes[n->right].component ? left : NONE;
        } else {
            n->component = f->component[n->begin];
            for (uint32_t i = n->begin + 1; i < n->end; i++) {
                if (f->component[i] != n->component) {
                    n->component = NONE;
                }
            }
        }
    }
}

static kn_edge edge_of(const forest *f, size_t place)
{
    const uint32_t a = f->id[place], b = f->id[f->nearest[place]];
    return (kn_edge){a < b ? a : b, a < b ? b : a, f->distance[place]};
}

static uint32_t root_of(uint32_t *up, uint32_t i)
{
    while (up[i] != i) {
        up[i] = up[up[i]];
        i = up[i];
    }
    return i;
}

/* Take the shortest edge of each component; `up` joins components. */
static size_t join(forest *f, uint32_t *shortest, uint32_t *up, kn_edge *edge, size_t edges)
{
    for (size_t i = 0; i < f->n; i++) {
        shortest[i] = NONE;
        up[i] = (uint32_t)i;
    }
    for (size_t i = 0; i < f->n; i++) {
        uint32_t *own = &shortest[f->component[i]];
        if (f->nearest[i] == NONE) {
            continue;
        }
        if (*own == NONE) {
            *own = (uint32_t)i;
        } else {
            const kn_edge a = edge_of(f, i), b = edge_of(f, *own);
            *own = compare_edges(&a, &b) < 0 ? (uint32_t)i : *own;
        }
    }
    for (size_t c = 0; c < f->n; c++) {
        if (shortest[c] != NONE) {
            const uint32_t one = root_of(up, (uint32_t)c),
                           two = root_of(up, f->component[f->nearest[shortest[c]]]);
            if (one != two) {
                edge[edges++] = edge_of(f, shortest[c]);
                up[one < two ? two : one] = one < two ? one : two;
            }
        }
    }
    for (size_t i = 0; i < f->n; i++) {
        f->component[i] = root_of(up, f->component[i]);
    }
    return edges;
}

kn_status kn__mst(kn_edge *edge, const kn_space *space, const double *point, size_t count,
                  const kn_run *run, kn_error *err)
{
    forest f = {.space = space, .n = count};
    uint32_t *shortest = kn__malloc_array(count, sizeof *shortest);
    uint32_t *up = kn__malloc_array(count, sizeof *up);
    size_t edges = 0;
    kn_status st = KN_OK;

    f.x = kn__malloc_array(count * space->attributes, sizeof *f.x);
    f.id = kn__malloc_array(count, sizeof *f.id);
    f.component = kn__malloc_array(count, sizeof *f.component);
    f.nearest = kn__malloc_array(count, sizeof *f.nearest);
    f.distance = kn__malloc_array(count, sizeof *f.distance);
    f.best = kn__malloc_array(count, sizeof *f.best);
    if (!shortest || !up || !f.x || !f.id || !f.component || !f.nearest || !f.distance || !f.best) {
        st = kn__nomem(err);
        goto done;
    }
    st = bring_near(&f, err);
    if (st == KN_OK) {
        st = plant(&f, point, err);
    }
    for (size_t i = 0; i < count; i++) {
        f.component[i] = (uint32_t)i;
        f.nearest[i] = NONE;
        f.distance[i] = 0;
    }
    while (st == KN_OK && edges + 1 < count) {
        st = kn__run_step(run, "tree", (double)edges / (double)count, err);
        if (st != KN_OK) {
            break;
        }
        mark_nodes(&f);
        for (size_t i = 0; i < count; i++) {
            atomic_store_explicit(&f.best[i], bits_of(INFINITY), memory_order_relaxed);
        }
        for (size_t i = 0; i < count; i++) {
            if (f.nearest[i] != NONE && f.component[f.nearest[i]] != f.component[i]) {
                improve(&f, f.component[i], f.distance[i]);
            }
        }
        kn__parallel_for(kn__run_threads(run), count, 256, hunt_slice, &f);
        edges = join(&f, shortest, up, edge, edges);
    }
    if (st == KN_OK) {
        qsort(edge, edges, sizeof *edge, compare_edges);
    }
done:
    kn__free(f.x);
    kn__free(f.id);
    kn__free(f.nodes);
    kn__free(f.extents);
    for (size_t a = 0; f.near && a < space->attributes; a++) {
        kn__free(f.near[a]);
    }
    kn__free(f.near);
    kn__free(f.component);
    kn__free(f.nearest);
    kn__free(f.distance);
    kn__free(f.best);
    kn__free(shortest);
    kn__free(up);
    return st;
}
