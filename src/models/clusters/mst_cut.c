/* mst_cut.c - clusters by cutting the minimal spanning tree (Friedman, Wolff, Schuster,
 * section 5.2).
 *
 * The longest edges are tried first. What is released are the centres of the parts, and people
 * belong to the nearest one; so the spans are looked at with the centres as they would be, and a
 * cut that leaves a telling span with too few people is not made. Cuts that would leave a part with
 * too few people to take a mean of are not even tried: counting that costs nothing. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "models/clusters/clusters.h"
#include "models/clusters/mst.h"

#include <string.h>

#define NOBODY UINT32_MAX

/* The work that is put into tries (kn__span_index_work), and how many are made whatever they cost.
 */
static const double MOST_WORK = 1e9;
enum { FEWEST_TRIES = 100 };

typedef struct cutting {
    kn_clustering *c;
    kn_span_index *guard;
    size_t n;
    kn_edge *edge;     /* the shortest first */
    uint32_t *child;   /* by edge: its lower end, as a place in preorder */
    uint32_t *point;   /* by place */
    uint32_t *parent;  /* by place: the parent's place */
    uint32_t *end;     /* by place: one after the last below it */
    uint64_t *below;   /* by place: records below it, itself included, within its cluster */
    uint8_t *is_cut;   /* by place: the edge above it */
    uint32_t *cluster; /* by point */
    uint32_t *label;   /* by point, of the cut under way */
    uint64_t *size;    /* by cluster: records */
    double *trial;     /* centres as they would be */
    size_t size_cap, trial_cap, centre_cap;
    size_t tries;
} cutting;

/* ---- the tree, rooted ---- */

/* Place the points in preorder from point 0. */
static kn_status root_tree(cutting *t, kn_error *err)
{
    const size_t n = t->n, edges = n - 1;
    size_t *start = kn__zalloc_array(n + 1, sizeof *start);
    uint32_t *near = kn__malloc_array(2 * edges + 1, sizeof *near);
    uint32_t *place = kn__malloc_array(n, sizeof *place),
             *stack = kn__malloc_array(n, sizeof *stack);
    uint32_t *above = kn__malloc_array(n, sizeof *above);
    kn_status st = start && near && place && stack && above ? KN_OK : kn__nomem(err);
    size_t top = 0, next = 0;

    for (size_t e = 0; st == KN_OK && e < edges; e++) {
        start[t->edge[e].from]++;
        start[t->edge[e].to]++;
    }
    for (size_t i = 0; st == KN_OK && i < n; i++) {
        start[i + 1] += start[i];
    }
    for (size_t e = 0; st == KN_OK && e < edges; e++) {
        near[--start[t->edge[e].from]] = t->edge[e].to;
        near[--start[t->edge[e].to]] = t->edge[e].from;
    }
    if (st == KN_OK) {
        stack[top++] = 0;
        above[0] = NOBODY;
    }
    while (top > 0) {
        const uint32_t own = stack[--top];
        t->point[next] = own;
        t->parent[next] = above[own] == NOBODY ? NOBODY : place[above[own]];
        place[own] = (uint32_t)next++;
        for (size_t i = start[own]; i < start[own + 1]; i++) {
            if (near[i] != above[own]) {
                above[near[i]] = own;
                stack[top++] = near[i];
            }
        }
    }
    for (size_t i = n; st == KN_OK && i-- > 0;) {
        t->below[i] += t->c->points.weight[t->point[i]];
        t->end[i] = t->end[i] > i + 1 ? t->end[i] : (uint32_t)i + 1;
        if (i > 0) {
            const uint32_t up = t->parent[i];
            t->below[up] += t->below[i];
            t->end[up] = t->end[up] > t->end[i] ? t->end[up] : t->end[i];
        }
    }
    for (size_t e = 0; st == KN_OK && e < edges; e++) {
        const uint32_t a = place[t->edge[e].from], b = place[t->edge[e].to];
        t->child[e] = a > b ? a : b;
    }
    kn__free(start);
    kn__free(near);
    kn__free(place);
    kn__free(stack);
    kn__free(above);
    return st;
}

static kn_status prepare(cutting *t, kn_error *err)
{
    const size_t n = t->n;
    kn_status st;

    t->edge = kn__malloc_array(n, sizeof *t->edge);
    t->child = kn__malloc_array(n, sizeof *t->child);
    t->point = kn__malloc_array(n, sizeof *t->point);
    t->parent = kn__malloc_array(n, sizeof *t->parent);
    t->end = kn__zalloc_array(n, sizeof *t->end);
    t->below = kn__zalloc_array(n, sizeof *t->below);
    t->is_cut = kn__zalloc_array(n, sizeof *t->is_cut);
    t->cluster = kn__zalloc_array(n, sizeof *t->cluster);
    t->label = kn__zalloc_array(n, sizeof *t->label);
    if (!t->edge || !t->child || !t->point || !t->parent || !t->end || !t->below || !t->is_cut ||
        !t->cluster || !t->label) {
        return kn__nomem(err);
    }
    st = kn__mst(t->edge, &t->c->frame->space, t->c->points.x, n, t->c->run, err);
    if (st == KN_OK) {
        st = root_tree(t, err);
    }
    return st;
}

/* ---- cuts ---- */

/* Whether each of the two new centres is nearer to some member of the old cluster than the other:
 * means and commonest values may coincide, or attract nobody. */
static bool both_attract(const cutting *t, const double *one, const double *two, uint32_t old)
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

static void perform(cutting *t, uint32_t place, uint32_t old)
{
    const uint32_t fresh = (uint32_t)t->c->count;
    const uint64_t own = t->below[place];

    for (uint32_t i = place; i < t->end[place]; i++) {
        uint32_t *cluster = &t->cluster[t->point[i]];
        *cluster = *cluster == old ? fresh : *cluster;
    }
    for (uint32_t i = place; i > 0 && !t->is_cut[i];) {
        i = t->parent[i];
        t->below[i] -= own;
    }
    t->is_cut[place] = 1;
    t->size[old] -= own;
    t->size[fresh] = own;
}

static kn_status try_cut(cutting *t, size_t e, bool *made, kn_error *err)
{
    kn_clustering *c = t->c;
    const size_t stride = c->frame->space.attributes, fresh = c->count;
    const uint32_t place = t->child[e], old = t->cluster[t->point[place]];
    uint64_t least = UINT64_MAX;
    kn_status status;

    *made = false;
    KN_TRY(kn__grow(&t->trial, &t->trial_cap, (fresh + 2) * stride, sizeof *t->trial, err));
    KN_TRY(kn__grow(&t->size, &t->size_cap, fresh + 1, sizeof *t->size, err));
    KN_TRY(kn__grow(&c->centre, &t->centre_cap, (fresh + 1) * stride, sizeof *c->centre, err));
    for (size_t i = 0; i < t->n; i++) {
        t->label[i] = t->cluster[i] == old ? 0 : NOBODY;
    }
    for (uint32_t i = place; i < t->end[place]; i++) {
        uint32_t *label = &t->label[t->point[i]];
        *label = *label == 0 ? 1 : NOBODY;
    }
    /* The two centres come to stand where there is room for them, then in their places. */
    double *pair = t->trial + fresh * stride;
    KN_TRY(kn__clustering_centres(c, t->label, 2, pair, err));
    if (!both_attract(t, pair, pair + stride, old)) {
        goto done;
    }
    memcpy(t->trial, c->centre, fresh * stride * sizeof *t->trial);
    memcpy(t->trial + old * stride, pair, stride * sizeof *t->trial);
    memmove(pair, pair + stride, stride * sizeof *t->trial);
    if (t->guard) {
        KN_TRY(kn__span_index_evaluate(t->guard, t->trial, fresh + 1, old, &least, err));
        if (least != UINT64_MAX) {
            goto done;
        }
        kn__span_index_commit(t->guard);
    }
    memcpy(c->centre, t->trial, (fresh + 1) * stride * sizeof *t->trial);
    perform(t, place, old);
    c->count++;
    *made = true;
done:
    return status;
}

static double share_done(const cutting *t)
{
    const double points = (double)t->n * (double)t->c->frame->space.attributes,
                 work = points * (double)t->tries + (t->guard ? kn__span_index_work(t->guard) : 0);

    return t->tries < FEWEST_TRIES ? 0 : work / MOST_WORK;
}

/* A cut that was refused may be safe once others are made, so the edges are gone through again
 * until none is. */
static kn_status cut_all(cutting *t, kn_error *err)
{
    kn_clustering *c = t->c;
    const size_t most = c->options->clusters;
    kn_status st = KN_OK;
    bool any = true;

    while (any && st == KN_OK) {
        any = false;
        for (size_t e = t->n - 1; e-- > 0 && st == KN_OK;) {
            const uint32_t place = t->child[e];
            const uint64_t own = t->below[place];
            const double done = share_done(t);
            bool made = false;
            if ((most && c->count >= most) || done >= 1) {
                return KN_OK;
            }
            if (t->is_cut[place] || own < c->smallest ||
                t->size[t->cluster[t->point[place]]] - own < c->smallest) {
                continue;
            }
            st = kn__run_step(c->run, "cut", done, err);
            if (st == KN_OK) {
                t->tries++;
                st = try_cut(t, e, &made, err);
                any = any || made;
            }
        }
    }
    return st;
}

/* ---- what the guarantee costs ---- */

/* As many clusters as were found, by cutting the longest edges whatever they tell. */
static kn_status cut_plainly(cutting *t, kn_error *err)
{
    kn_clustering *c = t->c;

    c->plain_count = 0;
    c->plain = kn__malloc_array(c->count, c->frame->space.attributes * sizeof *c->plain);
    if (!c->plain) {
        return kn__nomem(err);
    }
    memset(t->is_cut, 0, t->n);
    t->is_cut[0] = 1;
    for (size_t e = 0; e + 1 < c->count; e++) {
        t->is_cut[t->child[t->n - 2 - e]] = 1;
    }
    /* In preorder the parent is labelled first. */
    for (size_t i = 0; i < t->n; i++) {
        t->label[t->point[i]] = t->is_cut[i] ? (uint32_t)c->plain_count++
                                             : t->label[t->point[t->parent[i]]];
    }
    return kn__clustering_centres(c, t->label, c->plain_count, c->plain, err);
}

kn_status kn__clustering_cut(kn_clustering *c, kn_error *err)
{
    cutting t = {.c = c, .n = c->points.count};
    const size_t stride = c->frame->space.attributes;
    kn_status status;

    KN_TRY(prepare(&t, err));
    if (kn__clustering_is_guarded(c)) {
        KN_TRY(kn__span_index_new(&t.guard, &c->points, &c->limits, c->run, err));
    }
    KN_TRY(kn__grow(&c->centre, &t.centre_cap, stride, sizeof *c->centre, err));
    KN_TRY(kn__grow(&t.size, &t.size_cap, 1, sizeof *t.size, err));
    KN_TRY(kn__clustering_centres(c, t.label, 1, c->centre, err));
    t.size[0] = c->points.records;
    c->count = 1;
    KN_TRY(cut_all(&t, err));
    if (c->options->quality) {
        KN_TRY(cut_plainly(&t, err));
    }
done:
    kn__span_index_free(t.guard);
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
