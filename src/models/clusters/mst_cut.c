/* mst_cut.c - clusters by cutting edges of the minimal spanning tree (Friedman, Wolff, Schuster,
 * section 5.2).
 *
 * Edges are tried from the longest to the shortest. The release holds the centres of the resulting
 * subtrees, and a record belongs to the nearest centre, not to its subtree. So each cut is judged
 * with the centres as they would be published: it is made only if no span then breaks the limits.
 * A cut that leaves fewer records than `smallest` on one side is not tried: the records below each
 * edge are kept up to date, so this test costs O(1). */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "models/clusters/clusters.h"
#include "models/clusters/mst.h"

#include <string.h>

#define NONE UINT32_MAX

/* The search stops after this work (kn__span_index_work), but not before so many tries. */
static const double MOST_WORK = 1e9;
enum { FEWEST_TRIES = 100 };

typedef struct mst_cutter {
    kn_clustering *c;
    kn_span_index *spans;
    size_t n;
    kn_edge *edge;     /* the shortest first */
    uint32_t *child;   /* by edge: its lower end, as a place in preorder */
    uint32_t *point;   /* by place */
    uint32_t *parent;  /* by place: the parent's place */
    uint32_t *end;     /* by place: one after the last below it */
    uint64_t *below;   /* by place: records below it, itself included, within its cluster */
    uint8_t *is_cut;   /* by place: the edge above it */
    uint32_t *cluster; /* by point */
    uint32_t *label;   /* by point: side of the cut that is tried */
    uint64_t *size;    /* by cluster: records */
    double *trial;     /* centres as the cut would make them */
    size_t size_cap, trial_cap, centre_cap;
    size_t tries;
} mst_cutter;

/* ---- the tree, rooted ---- */

/* Place the points in preorder from point 0. */
static kn_status root_tree(mst_cutter *t, kn_error *err)
{
    const size_t n = t->n, edges = n - 1;
    size_t *start = kn__zalloc_array(n + 1, sizeof *start);
    uint32_t *adjacent = kn__malloc_array(2 * edges + 1, sizeof *adjacent);
    uint32_t *place = kn__malloc_array(n, sizeof *place),
             *stack = kn__malloc_array(n, sizeof *stack);
    uint32_t *above = kn__malloc_array(n, sizeof *above);
    size_t top = 0, next = 0;
    kn_status status;

    KN_TRY(start && adjacent && place && stack && above ? KN_OK : kn__nomem(err));
    for (size_t e = 0; e < edges; e++) {
        start[t->edge[e].from]++;
        start[t->edge[e].to]++;
    }
    for (size_t i = 0; i < n; i++) {
        start[i + 1] += start[i];
    }
    for (size_t e = 0; e < edges; e++) {
        adjacent[--start[t->edge[e].from]] = t->edge[e].to;
        adjacent[--start[t->edge[e].to]] = t->edge[e].from;
    }
    stack[top++] = 0;
    above[0] = NONE;
    while (top > 0) {
        const uint32_t own = stack[--top];
        t->point[next] = own;
        t->parent[next] = above[own] == NONE ? NONE : place[above[own]];
        place[own] = (uint32_t)next++;
        for (size_t i = start[own]; i < start[own + 1]; i++) {
            if (adjacent[i] != above[own]) {
                above[adjacent[i]] = own;
                stack[top++] = adjacent[i];
            }
        }
    }
    for (size_t i = n; i-- > 0;) {
        t->below[i] += t->c->points.weight[t->point[i]];
        t->end[i] = t->end[i] > i + 1 ? t->end[i] : (uint32_t)i + 1;
        if (i > 0) {
            const uint32_t up = t->parent[i];
            t->below[up] += t->below[i];
            t->end[up] = t->end[up] > t->end[i] ? t->end[up] : t->end[i];
        }
    }
    for (size_t e = 0; e < edges; e++) {
        const uint32_t a = place[t->edge[e].from], b = place[t->edge[e].to];
        t->child[e] = a > b ? a : b;
    }
done:
    kn__free(start);
    kn__free(adjacent);
    kn__free(place);
    kn__free(stack);
    kn__free(above);
    return status;
}

static kn_status prepare(mst_cutter *t, kn_error *err)
{
    const size_t n = t->n;

    t->edge = kn__malloc_array(n, sizeof *t->edge);
    t->child = kn__malloc_array(n, sizeof *t->child);
    t->point = kn__malloc_array(n, sizeof *t->point);
    t->parent = kn__malloc_array(n, sizeof *t->parent);
    t->end = kn__zalloc_array(n, sizeof *t->end);
    t->below = kn__zalloc_array(n, sizeof *t->below);
    t->is_cut = kn__zalloc_array(n, sizeof *t->is_cut);
    t->cluster = kn__zalloc_array(n, sizeof *t->cluster);
    t->label = kn__zalloc_array(n, sizeof *t->label);
    KN_PASS(t->edge && t->child && t->point && t->parent && t->end && t->below && t->is_cut &&
                    t->cluster && t->label
                ? KN_OK
                : kn__nomem(err));
    KN_PASS(kn__mst(t->edge, &t->c->frame->space, t->c->points.x, n, t->c->run, err));
    return root_tree(t, err);
}

/* ---- cuts ---- */

/* Whether each of the two new centres is nearer to some point of the old cluster than the other.
 * Means and commonest values may coincide, and a centre may be nearest to no point at all. */
static bool both_used(const mst_cutter *t, const double *one, const double *two, uint32_t old)
{
    const kn_space *space = &t->c->frame->space;
    bool first = false, second = false;

    for (size_t i = 0; i < t->n && !(first && second); i++) {
        if (t->cluster[i] == old) {
            const double *x = t->c->points.x + i * space->attributes;
            const double d = kn__space_distance(space, x, one),
                         e = kn__space_distance(space, x, two);
            first |= d < e;
            second |= e < d;
        }
    }
    return first && second;
}

/* Make the cut above `place`: its subtree leaves cluster `old`. */
static void perform_cut(mst_cutter *t, uint32_t place, uint32_t old)
{
    const uint32_t added = (uint32_t)t->c->count;
    const uint64_t own = t->below[place];

    for (uint32_t i = place; i < t->end[place]; i++) {
        uint32_t *cluster = &t->cluster[t->point[i]];
        *cluster = *cluster == old ? added : *cluster;
    }
    for (uint32_t i = place; i > 0 && !t->is_cut[i];) {
        i = t->parent[i];
        t->below[i] -= own;
    }
    t->is_cut[place] = 1;
    t->size[old] -= own;
    t->size[added] = own;
}

static kn_status try_cut(mst_cutter *t, size_t e, bool *made, kn_error *err)
{
    kn_clustering *c = t->c;
    const size_t stride = c->frame->space.attributes, added = c->count;
    const uint32_t place = t->child[e], old = t->cluster[t->point[place]];
    bool safe = true;
    kn_status status;

    *made = false;
    KN_TRY(kn__grow(&t->trial, &t->trial_cap, (added + 2) * stride, sizeof *t->trial, err));
    KN_TRY(kn__grow(&t->size, &t->size_cap, added + 1, sizeof *t->size, err));
    KN_TRY(kn__grow(&c->centre, &t->centre_cap, (added + 1) * stride, sizeof *c->centre, err));
    for (size_t i = 0; i < t->n; i++) {
        t->label[i] = t->cluster[i] == old ? 0 : NONE;
    }
    for (uint32_t i = place; i < t->end[place]; i++) {
        uint32_t *label = &t->label[t->point[i]];
        *label = *label == 0 ? 1 : NONE;
    }
    /* Both centres are computed behind the others; then the first replaces that of `old`. */
    double *pair = t->trial + added * stride;
    KN_TRY(kn__clustering_centres(c, t->label, 2, pair, err));
    if (!both_used(t, pair, pair + stride, old)) {
        goto done;
    }
    memcpy(t->trial, c->centre, added * stride * sizeof *t->trial);
    memcpy(t->trial + old * stride, pair, stride * sizeof *t->trial);
    memmove(pair, pair + stride, stride * sizeof *t->trial);
    if (t->spans) {
        KN_TRY(kn__span_index_try(t->spans, t->trial, added + 1, old, &safe, err));
        if (!safe) {
            goto done;
        }
        KN_TRY(kn__span_index_commit(t->spans, err));
    }
    memcpy(c->centre, t->trial, (added + 1) * stride * sizeof *t->trial);
    perform_cut(t, place, old);
    c->count++;
    *made = true;
done:
    return status;
}

static double work_share(const mst_cutter *t)
{
    const double points = (double)t->n * (double)t->c->frame->space.attributes,
                 work = points * (double)t->tries + (t->spans ? kn__span_index_work(t->spans) : 0);

    return t->tries < FEWEST_TRIES ? 0 : work / MOST_WORK;
}

/* A cut that was refused may be safe after other cuts, so the passes over the edges are repeated
 * until one makes no cut. */
static kn_status cut_all(mst_cutter *t, kn_error *err)
{
    kn_clustering *c = t->c;
    const size_t most = c->clusters;
    kn_status status = KN_OK;
    bool any = true;

    while (any) {
        any = false;
        for (size_t e = t->n - 1; e-- > 0;) {
            const uint32_t place = t->child[e];
            const uint64_t own = t->below[place];
            const double share = work_share(t);
            bool made = false;
            if ((most && c->count >= most) || share >= 1) {
                goto done;
            }
            if (t->is_cut[place] || own < c->smallest ||
                t->size[t->cluster[t->point[place]]] - own < c->smallest) {
                continue;
            }
            KN_TRY(kn__run_step(c->run, "cut", share, err));
            t->tries++;
            KN_TRY(try_cut(t, e, &made, err));
            any = any || made;
        }
    }
done:
    return status;
}

kn_status kn__clustering_cut(kn_clustering *c, kn_error *err)
{
    mst_cutter t = {.c = c, .n = c->points.count};
    const size_t stride = c->frame->space.attributes;
    kn_status status;

    KN_TRY(prepare(&t, err));
    KN_TRY(kn__clustering_spans(c, &t.spans, err));
    KN_TRY(kn__grow(&c->centre, &t.centre_cap, stride, sizeof *c->centre, err));
    KN_TRY(kn__grow(&t.size, &t.size_cap, 1, sizeof *t.size, err));
    KN_TRY(kn__clustering_centres(c, t.label, 1, c->centre, err));
    t.size[0] = c->points.records;
    c->count = 1;
    KN_TRY(cut_all(&t, err));
done:
    kn__free(t.edge);
    kn__free(t.child);
    kn__free(t.point);
    kn__free(t.parent);
    kn__free(t.end);
    kn__free(t.below);
    kn__free(t.is_cut);
    kn__free(t.cluster);
    kn__free(t.label);
    kn__free(t.size);
    kn__free(t.trial);
    return status;
}
