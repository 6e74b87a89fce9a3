/* kd_tree.c - a k-d tree of points with numbers, categories and missing values. */
#include "models/clusters/kd_tree.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>

/* ---- nodes ---- */

static void set_extents(const kn_kd_tree *t, const double *point, size_t begin, size_t end,
                        kn_kd_extent *out)
{
    const size_t stride = t->space->attributes;

    for (size_t a = 0; a < stride; a++) {
        kn_kd_extent e = {INFINITY, -INFINITY, 0};
        for (size_t i = begin; i < end; i++) {
            const double x = point[t->id[i] * stride + a];
            if (t->space->at[a].category) {
                e.values |= kn__kd_bit(x);
            } else if (isnan(x)) {
                e.values = 1;
            }
            if (!isnan(x)) {
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
static size_t partition(kn_kd_tree *t, const double *point, size_t a, size_t begin, size_t end)
{
    const size_t stride = t->space->attributes, middle = begin + (end - begin) / 2;
    size_t low = begin, high = end;

    for (;;) {
        /* Dijkstra's three-way partition; the pivot is the median of three values. */
        const double one = point[t->id[low + (high - low) / 3] * stride + a],
                     two = point[t->id[low + (high - low) / 2] * stride + a],
                     three = point[t->id[high - 1 - (high - low) / 3] * stride + a];
        const double pivot = median_of(one, two, three);
        size_t less = low, at = low, more = high;
        while (at < more) {
            const double x = point[t->id[at] * stride + a];
            const uint32_t own = t->id[at];
            if (before(x, pivot)) {
                t->id[at++] = t->id[less];
                t->id[less++] = own;
            } else if (before(pivot, x)) {
                t->id[at] = t->id[--more];
                t->id[more] = own;
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

static size_t widest(const kn_kd_tree *t, const kn_kd_extent *e)
{
    double most = 0;
    size_t found = SIZE_MAX;

    for (size_t a = 0; a < t->space->attributes; a++) {
        const kn_space_attribute *at = &t->space->at[a];
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

static kn_status add_node(kn_kd_tree *t, uint32_t begin, uint32_t end, uint32_t depth,
                          kn_error *err)
{
    KN_PASS(kn__grow(&t->nodes, &t->cap, t->count + 1, sizeof *t->nodes, err));
    KN_PASS(kn__grow(&t->extents, &t->extents_cap, (t->count + 1) * t->space->attributes,
                     sizeof *t->extents, err));
    t->nodes[t->count++] = (kn_kd_node){begin, end, 0, 0, depth};
    return KN_OK;
}

/* Split the nodes from the root on until they are small or all their points are alike. */
static kn_status split_nodes(kn_kd_tree *t, const double *point, size_t leaf, kn_error *err)
{
    const size_t stride = t->space->attributes;

    KN_PASS(add_node(t, 0, (uint32_t)t->n, 0, err));
    for (size_t at = 0; at < t->count; at++) {
        const kn_kd_node own = t->nodes[at];
        size_t a, middle;
        set_extents(t, point, own.begin, own.end, t->extents + at * stride);
        a = own.end - own.begin > leaf ? widest(t, t->extents + at * stride) : SIZE_MAX;
        if (a == SIZE_MAX) {
            continue;
        }
        middle = partition(t, point, a, own.begin, own.end);
        if (middle == own.begin || middle == own.end) {
            continue; /* different values that share a bit */
        }
        t->nodes[at].left = (uint32_t)t->count;
        KN_PASS(add_node(t, own.begin, (uint32_t)middle, own.depth + 1, err));
        t->nodes[at].right = (uint32_t)t->count;
        KN_PASS(add_node(t, (uint32_t)middle, own.end, own.depth + 1, err));
    }
    return KN_OK;
}

kn_status kn__kd_tree_new(kn_kd_tree *t, const kn_space *space, const double *point, size_t n,
                          size_t leaf, kn_error *err)
{
    kn_status status;

    *t = (kn_kd_tree){.space = space, .n = n, .id = kn__malloc_array(n, sizeof *t->id)};
    KN_TRY(t->id ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < n; i++) {
        t->id[i] = (uint32_t)i;
    }
    KN_TRY(split_nodes(t, point, leaf, err));
done:
    if (status != KN_OK) {
        kn__kd_tree_clear(t);
    }
    return status;
}

void kn__kd_tree_clear(kn_kd_tree *t)
{
    kn__free(t->id);
    kn__free(t->nodes);
    kn__free(t->extents);
    *t = (kn_kd_tree){0};
}
