/* cut_view.c - the cost of a cut from that of the cut above it.
 *
 * A path without a changed label is held by the same records in both cuts. The other paths of the
 * view are gone, and those that come for them are counted in the given records only; they get the
 * numbers after those of the view. Where a changed label cannot be told from another one of the
 * cut by what is published, or a class comes in that was left out, all paths are counted anew. */
#include "methods/trees/cut_view.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"

#include <string.h>

enum { STEP = 1 << 16 }; /* records between two looks at whether the caller cancelled */

struct kn_cut_view {
    const kn_forest *f;
    const kn_tree_domain *d;
    bool exact;
    uint32_t *to;
    kn_path_trie paths;
    uint32_t *at;  /* by node of the forest: its path; that of its parent where it is left out */
    size_t *holds; /* by path: its records */
    double *cost;  /* by path: 1 / product of depth and labels on the level */
    double *of_record; /* for RPD: by record */
    double sum;        /* of of_record */
};

void kn__cut_view_free(kn_cut_view *v)
{
    if (v) {
        kn__path_trie_clear(&v->paths);
        kn__free(v->to);
        kn__free(v->at);
        kn__free(v->holds);
        kn__free(v->cost);
        kn__free(v->of_record);
        kn__free(v);
    }
}

/* The factor of a node of the path that ends with `label`. */
static double step_cost(const kn_tree_domain *d, uint32_t label, uint32_t depth)
{
    return (double)depth * d->on_level[d->height[label]];
}

/* By path: the record that met it last, + 1, as a path and as the beginning of a longer one. */
typedef struct marks {
    uint32_t *seen, *inner;
    size_t seen_cap, inner_cap, len;
} marks;

static void marks_clear(marks *m)
{
    kn__free(m->seen);
    kn__free(m->inner);
}

static kn_status marks_reserve(marks *m, size_t paths, kn_error *err)
{
    kn_status status = KN_OK;

    if (paths > m->len) {
        KN_TRY(kn__grow(&m->seen, &m->seen_cap, paths, sizeof *m->seen, err));
        KN_TRY(kn__grow(&m->inner, &m->inner_cap, paths, sizeof *m->inner, err));
        memset(m->seen + m->len, 0, (paths - m->len) * sizeof *m->seen);
        memset(m->inner + m->len, 0, (paths - m->len) * sizeof *m->inner);
        m->len = paths;
    }
done:
    return status;
}

/* A path that the view does not have. */
typedef struct new_path {
    uint32_t parent, depth;
    size_t holds;
    double cost;
} new_path;

typedef struct recount {
    const kn_cut_view *v;
    const uint32_t *to;
    bool whole;     /* all paths are counted anew */
    uint32_t first; /* the number of the first new path */
    new_path *path;
    size_t paths, cap;
    kn_map child;  /* (parent, label) -> new path */
    uint32_t *at;  /* by node of the record: its path */
    uint8_t *gone; /* by path of the view */
    size_t at_cap;
    marks m;
    double sum; /* RPD of the given records, less what they had in the view */
} recount;

/* ---- RPD of one record ---- */

static uint32_t path_parent(const recount *x, uint32_t path)
{
    return path >= x->first ? x->path[path - x->first].parent : x->v->paths.parent[path];
}

static double path_cost(const recount *x, uint32_t path)
{
    return path >= x->first ? x->path[path - x->first].cost : x->v->cost[path];
}

/* RPD of record `r`, whose nodes have the paths `at`. */
static double weigh_record(recount *x, size_t r, const uint32_t *at)
{
    const uint32_t now = (uint32_t)r + 1, size = kn__forest_size(x->v->f, r);
    double sum = 0;
    size_t leaves = 0;

    for (uint32_t i = 0; i < size; i++) {
        x->m.inner[path_parent(x, at[i])] = now;
    }
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t path = at[i];
        if (path && x->m.inner[path] != now && x->m.seen[path] != now) {
            x->m.seen[path] = now;
            sum += path_cost(x, path);
            leaves++;
        }
    }
    return leaves ? sum / (double)leaves : 1;
}

/* ---- the view ---- */

static kn_status count_record(kn_cut_view *v, size_t r, marks *m, size_t *cap, kn_error *err)
{
    const kn_forest *f = v->f;
    const uint32_t *value = f->value + f->starts[r], *parent = f->parent + f->starts[r];
    uint32_t *at = v->at + f->starts[r];
    const uint32_t size = kn__forest_size(f, r), now = (uint32_t)r + 1;
    kn_status status = KN_OK;

    for (uint32_t i = 0; i < size; i++) {
        const uint32_t label = v->to[value[i]];
        const uint32_t above = parent[i] == KN_NO_PARENT ? 0 : at[parent[i]];
        if (label == KN_NO_LABEL) {
            at[i] = above;
            continue;
        }
        KN_TRY(kn__path_trie_child(&v->paths, above, label, &at[i], err));
        if (v->paths.nodes > m->len) {
            const size_t before = m->len;
            KN_TRY(kn__grow(&v->holds, cap, v->paths.nodes, sizeof *v->holds, err));
            KN_TRY(marks_reserve(m, *cap, err));
            memset(v->holds + before, 0, (*cap - before) * sizeof *v->holds);
        }
        v->holds[at[i]] += m->seen[at[i]] != now;
        m->seen[at[i]] = now;
    }
done:
    return status;
}

kn_status kn__cut_view_new(kn_cut_view **out, const kn_tree_task *task, const uint32_t *to,
                           bool exact, kn_error *err)
{
    kn_cut_view *v = kn__zalloc(sizeof *v);
    const kn_forest *f = task->forest;
    marks m = {0};
    size_t cap = 0;
    kn_status status;

    *out = NULL;
    KN_TRY(v ? KN_OK : kn__nomem(err));
    *v = (kn_cut_view){.f = f, .d = task->domain, .exact = exact};
    v->to = kn__malloc_array(f->values, sizeof *v->to);
    v->at = kn__malloc_array((size_t)f->starts[f->records], sizeof *v->at);
    v->of_record = exact ? kn__malloc_array(f->records, sizeof *v->of_record) : NULL;
    KN_TRY(v->to && v->at && (v->of_record || !exact) ? KN_OK : kn__nomem(err));
    memcpy(v->to, to, f->values * sizeof *to);
    KN_TRY(kn__path_trie_begin(&v->paths, err));
    KN_TRY(kn__grow(&v->holds, &cap, 1, sizeof *v->holds, err));
    memset(v->holds, 0, cap * sizeof *v->holds);
    KN_TRY(marks_reserve(&m, cap, err));
    for (size_t r = 0; r < f->records; r++) {
        if (r % STEP == 0) {
            KN_TRY(kn__run_step(task->run, "anonymize", -1, err));
        }
        KN_TRY(count_record(v, r, &m, &cap, err));
    }
    v->cost = kn__malloc_array(v->paths.nodes, sizeof *v->cost);
    KN_TRY(v->cost ? KN_OK : kn__nomem(err));
    v->cost[0] = 1;
    for (size_t i = 1; i < v->paths.nodes; i++) {
        v->cost[i] = v->cost[v->paths.parent[i]] /
                     step_cost(v->d, v->paths.label[i], v->paths.depth[i]);
    }
    if (exact) {
        recount x = {.v = v, .first = (uint32_t)v->paths.nodes, .m = m};
        memset(m.seen, 0, m.len * sizeof *m.seen);
        for (size_t r = 0; r < f->records; r++) {
            v->of_record[r] = weigh_record(&x, r, v->at + f->starts[r]);
            v->sum += v->of_record[r];
        }
    }
    *out = v;
    v = NULL;
done:
    marks_clear(&m);
    kn__cut_view_free(v);
    return status;
}

/* ---- the cost of another cut ---- */

/* Whether changed values shared a label with others, or get one that others have: then paths of the
 * view cannot be kept. A class that comes in stands between other labels of a path. */
static bool is_ambiguous(const kn_cut_view *v, const uint32_t *to, uint8_t *changed)
{
    const size_t values = v->f->values;
    bool is = false;

    for (size_t c = 0; c < values; c++) {
        if (to[c] != v->to[c]) {
            is = is || v->to[c] == KN_NO_LABEL || to[c] == KN_NO_LABEL;
            if (!is) {
                changed[v->to[c]] = changed[to[c]] = 1;
            }
        }
    }
    for (size_t c = 0; !is && c < values; c++) {
        is = to[c] == v->to[c] && to[c] != KN_NO_LABEL && changed[to[c]];
    }
    return is;
}

static kn_status find_path(recount *x, uint32_t above, uint32_t label, uint32_t *out, kn_error *err)
{
    const uint64_t key = (uint64_t)above << 32 | label;
    kn_map_slot *slot;
    kn_status status;

    KN_TRY(kn__map_reserve(&x->child, x->child.used + 1, err));
    slot = kn__map_find(&x->child, key);
    if (!slot->value) {
        const bool is_new = above >= x->first;
        const new_path *up = is_new ? &x->path[above - x->first] : NULL;
        const uint32_t depth = (is_new ? up->depth : x->v->paths.depth[above]) + 1;
        const double cost = (is_new ? up->cost : x->v->cost[above]) /
                            step_cost(x->v->d, label, depth);
        KN_TRY(kn__grow(&x->path, &x->cap, x->paths + 1, sizeof *x->path, err));
        x->path[x->paths++] = (new_path){.parent = above, .depth = depth, .cost = cost};
        KN_TRY(marks_reserve(&x->m, x->first + x->cap, err));
        kn__map_put(&x->child, slot, key, x->first + x->paths - 1);
    }
    *out = (uint32_t)slot->value;
done:
    return status;
}

static kn_status recount_record(recount *x, size_t r, kn_error *err)
{
    const kn_forest *f = x->v->f;
    const uint32_t *value = f->value + f->starts[r], *parent = f->parent + f->starts[r];
    const uint32_t *before = x->v->at + f->starts[r];
    const uint32_t size = kn__forest_size(f, r), now = (uint32_t)r + 1;
    kn_status status;

    KN_TRY(kn__grow(&x->at, &x->at_cap, size, sizeof *x->at, err));
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t label = x->to[value[i]];
        const uint32_t above = parent[i] == KN_NO_PARENT ? 0 : x->at[parent[i]];
        if (!x->whole && above < x->first && label == x->v->to[value[i]]) {
            x->at[i] = before[i];
            continue;
        }
        if (label == KN_NO_LABEL) {
            x->at[i] = above;
            continue;
        }
        KN_TRY(find_path(x, above, label, &x->at[i], err));
        if (!x->v->exact && x->m.seen[x->at[i]] != now) {
            x->m.seen[x->at[i]] = now;
            x->path[x->at[i] - x->first].holds++;
        }
    }
    if (x->v->exact) {
        x->sum += weigh_record(x, r, x->at) - x->v->of_record[r];
    }
done:
    return status;
}

/* RPD_a (Equation 7) of the paths of the view that are left and the new ones. */
static kn_status approximate(double *out, const recount *x, kn_error *err)
{
    const kn_path_trie *old = &x->v->paths;
    const size_t all = x->first + x->paths;
    double *support = kn__zalloc_array(all, sizeof *support), sum = 0; /* of all on the path */
    uint8_t *inner = kn__zalloc_array(all, 1);
    size_t nodes = 0, leaves = 0;
    kn_status status = support && inner ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    for (uint32_t i = 1; i < all; i++) {
        const bool is_new = i >= x->first;
        const uint32_t up = is_new ? x->path[i - x->first].parent : old->parent[i];
        if (is_new || !x->gone[i]) {
            support[i] = support[up] +
                         (double)(is_new ? x->path[i - x->first].holds : x->v->holds[i]);
            inner[up] = 1;
            nodes++;
        }
    }
    for (uint32_t i = 1; i < all; i++) {
        if (support[i] > 0 && !inner[i]) {
            sum += path_cost(x, i) * support[i];
            leaves++;
        }
    }
    *out = leaves ? sum / (double)leaves / (double)nodes : 1; /* 1: nothing is published */
done:
    kn__free(support);
    kn__free(inner);
    return status;
}

kn_status kn__cut_view_cost(double *out, const kn_cut_view *v, const uint32_t *to,
                            const uint32_t *records, size_t count, const kn_run *run, kn_error *err)
{
    recount x = {.v = v, .to = to, .first = (uint32_t)v->paths.nodes};
    uint8_t *changed = kn__zalloc_array(v->d->labels, 1);
    kn_status status;

    x.gone = kn__zalloc_array(v->paths.nodes, 1);
    KN_TRY(changed && x.gone ? KN_OK : kn__nomem(err));
    x.whole = is_ambiguous(v, to, changed);
    for (uint32_t i = 1; i < x.first; i++) {
        x.gone[i] = x.whole || changed[v->paths.label[i]] || x.gone[v->paths.parent[i]];
    }
    KN_TRY(marks_reserve(&x.m, x.first, err));
    if (x.whole) {
        count = v->f->records;
    }
    for (size_t i = 0; i < count; i++) {
        if (i % STEP == 0) {
            KN_TRY(kn__run_step(run, "anonymize", -1, err));
        }
        KN_TRY(recount_record(&x, x.whole ? i : records[i], err));
    }
    if (v->exact) {
        *out = v->f->records ? (v->sum + x.sum) / (double)v->f->records : 0;
    } else {
        KN_TRY(approximate(out, &x, err));
    }
done:
    marks_clear(&x.m);
    kn__map_clear(&x.child);
    kn__free(x.path);
    kn__free(x.at);
    kn__free(x.gone);
    kn__free(changed);
    return status;
}
