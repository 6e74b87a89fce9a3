/* miracle.c - MiRaCle, the baseline of the tree paper: clusters of at least k tree records, made
 * equal by generalisation and suppression (Nergiz, Clifton and Nergiz; reconstructed, see
 * docs/decisions/0028-miracle.md).
 *
 * Records are taken in the order of their trees. The first one that is in no cluster begins one; of
 * the next `climit` records without a cluster the nearest joins, k - 1 times, then as long as one
 * is nearer than `threshold`, up to 2k - 1 records. A cluster is published as one tree, its
 * representative. Representative and record are merged from the root down: of the children of two
 * matched nodes those of a class are paired, least common ancestors first, and published as that;
 * a node without a partner is suppressed with all below it. Records that are left over at the end
 * join the last cluster. All records of a cluster are equal, so k-anonymity of whole records holds,
 * and with it kmn-anonymity for every m and n. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/trees/trees.h"

#include <string.h>

enum { STEP = 64 };

#define TOP UINT32_MAX /* the root above the nodes of a tree */

typedef struct tree {
    uint32_t *label, *parent; /* parents come first; TOP: below the root */
    uint32_t len;
    size_t label_cap, parent_cap;
} tree;

typedef struct clustering {
    const kn_tree_task *task;
    const kn_tree_domain *d;
    uint32_t *order; /* records */
    tree rep, other, merged;
    uint8_t *used; /* by node of `other` */
    size_t used_cap;
    kn_status status;
    kn_error *err;
} clustering;

static void tree_clear(tree *t)
{
    KN_FREE(t->label, t->parent);
    *t = (tree){0};
}

static kn_status tree_add(tree *t, uint32_t label, uint32_t parent, kn_error *err)
{
    KN_PASS(kn__grow(&t->label, &t->label_cap, (size_t)t->len + 1, sizeof *t->label, err));
    KN_PASS(kn__grow(&t->parent, &t->parent_cap, (size_t)t->len + 1, sizeof *t->parent, err));
    t->label[t->len] = label;
    t->parent[t->len++] = parent;
    return KN_OK;
}

static kn_status read_record(tree *t, const clustering *c, size_t r, kn_error *err)
{
    const kn_forest *f = c->task->forest;

    t->len = 0;
    for (uint64_t i = f->starts[r]; i < f->starts[r + 1]; i++) {
        KN_PASS(tree_add(t, c->d->of_value[f->value[i]],
                         f->parent[i] == KN_NO_PARENT ? TOP : f->parent[i], err));
    }
    return KN_OK;
}

static uint32_t common(const kn_tree_domain *d, uint32_t a, uint32_t b)
{
    while (a != b) { /* a parent has a greater number */
        if (a < b) {
            a = d->parent[a];
        } else {
            b = d->parent[b];
        }
    }
    return a;
}

/* Merge the children of node `a` of the representative and node `b` of the record; into c->merged
 * below `to` where `make` says so. Returns levels that are lost; counts matched nodes. */
static double merge_children(clustering *c, uint32_t a, uint32_t b, uint32_t to, bool make,
                             uint32_t *matched)
{
    const tree *x = &c->rep, *y = &c->other;
    double lost = 0;

    /* The nearest partner for one child after the other. */
    for (uint32_t i = a == TOP ? 0 : a + 1; i < x->len && c->status == KN_OK; i++) {
        uint32_t best = TOP, best_label = 0;
        if (x->parent[i] != a) {
            continue;
        }
        for (uint32_t j = b == TOP ? 0 : b + 1; j < y->len; j++) {
            if (y->parent[j] == b && !c->used[j] &&
                c->d->class_[x->label[i]] == c->d->class_[y->label[j]]) {
                const uint32_t label = common(c->d, x->label[i], y->label[j]);
                if (best == TOP || c->d->height[label] < c->d->height[best_label]) {
                    best = j;
                    best_label = label;
                }
            }
        }
        if (best == TOP) {
            continue;
        }
        c->used[best] = 1;
        *matched += 1;
        lost += (2.0 * c->d->height[best_label] - c->d->height[x->label[i]] -
                 c->d->height[y->label[best]]) /
                c->d->top;
        if (make) {
            c->status = tree_add(&c->merged, best_label, to, c->err);
        }
        lost += merge_children(c, i, best, make ? c->merged.len - 1 : 0, make, matched);
    }
    return lost;
}

/* How far the record in c->other is from the representative, in 0..1 for each node of both. */
static double distance(clustering *c, bool make)
{
    const uint32_t nodes = c->rep.len + c->other.len;
    uint32_t matched = 0;
    double lost;

    if (kn__grow(&c->used, &c->used_cap, c->other.len, 1, c->err) != KN_OK) {
        c->status = KN_ENOMEM;
        return 0;
    }
    if (c->other.len) {
        memset(c->used, 0, c->other.len);
    }
    c->merged.len = make ? 0 : c->merged.len;
    lost = merge_children(c, TOP, TOP, TOP, make, &matched);
    return nodes ? (lost + (nodes - 2.0 * matched)) / nodes : 0;
}

/* The merged tree becomes the representative. */
static kn_status join(clustering *c, size_t record)
{
    tree old;
    kn_status status;

    KN_TRY(read_record(&c->other, c, record, c->err));
    (void)distance(c, true);
    KN_TRY(c->status);
    old = c->rep;
    c->rep = c->merged;
    c->merged = old;
done:
    return status;
}

/* ---- the order of the records ---- */

static int compare_records(const kn_forest *f, uint32_t a, uint32_t b)
{
    const uint32_t la = kn__forest_size(f, a), lb = kn__forest_size(f, b);
    const uint32_t *x = f->value + f->starts[a], *y = f->value + f->starts[b];

    for (uint32_t i = 0; i < la && i < lb; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return la != lb ? (la < lb ? -1 : 1) : (a < b ? -1 : a > b);
}

/* Merge sort: stable, and it takes a context. */
static void sort_records(const kn_forest *f, uint32_t *list, uint32_t *room, size_t len)
{
    const size_t half = len / 2;
    size_t i = 0, j = half, at = 0;

    if (len < 2) {
        return;
    }
    sort_records(f, list, room, half);
    sort_records(f, list + half, room, len - half);
    while (i < half && j < len) {
        room[at++] = compare_records(f, list[j], list[i]) < 0 ? list[j++] : list[i++];
    }
    while (i < half) {
        room[at++] = list[i++];
    }
    memcpy(list, room, at * sizeof *list);
}

static kn_status order_records(clustering *c, kn_error *err)
{
    const size_t records = c->task->forest->records;
    uint32_t *room = kn__malloc_array(records, sizeof *room);

    c->order = kn__malloc_array(records, sizeof *c->order);
    if (!room || !c->order) {
        kn__free(room);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < records; i++) {
        c->order[i] = (uint32_t)i;
    }
    sort_records(c->task->forest, c->order, room, records);
    kn__free(room);
    return KN_OK;
}

/* ---- clusters ---- */

/* Representatives, one after the other, and which one every record has. */
typedef struct clusters {
    tree all;
    size_t *begin; /* by cluster, and one more */
    size_t count, begin_cap;
    uint32_t *of; /* by record */
} clusters;

static kn_status keep_cluster(clusters *k, const tree *rep, kn_error *err)
{
    KN_PASS(kn__grow(&k->begin, &k->begin_cap, k->count + 2, sizeof *k->begin, err));
    k->begin[k->count++] = k->all.len;
    for (uint32_t i = 0; i < rep->len; i++) {
        KN_PASS(tree_add(&k->all, rep->label[i], rep->parent[i], err));
    }
    k->begin[k->count] = k->all.len;
    return KN_OK;
}

/* A window over the records that are in no cluster: a linked list through the order. */
typedef struct window {
    size_t *next; /* by place in the order; records: the end */
    size_t first, records;
} window;

/* The nearest of the next `climit` records; its place before in `*before`. */
static double nearest(clustering *c, const window *w, size_t climit, size_t *before)
{
    double best = 2;
    size_t last = SIZE_MAX;

    for (size_t at = w->first, seen = 0; at < w->records && seen < climit && c->status == KN_OK;
         last = at, at = w->next[at], seen++) {
        double d;
        c->status = read_record(&c->other, c, c->order[at], c->err);
        d = c->status == KN_OK ? distance(c, false) : 0;
        if (d < best) {
            best = d;
            *before = last;
        }
    }
    return best;
}

static size_t take(window *w, size_t before)
{
    const size_t at = before == SIZE_MAX ? w->first : w->next[before];

    *(before == SIZE_MAX ? &w->first : &w->next[before]) = w->next[at];
    return at;
}

static kn_status grow_cluster(clustering *c, clusters *k, window *w, size_t climit,
                              double threshold, size_t left, kn_error *err)
{
    const size_t want = c->task->k;
    uint32_t record = c->order[take(w, SIZE_MAX)];
    size_t size = 1;
    kn_status status;

    KN_TRY(read_record(&c->rep, c, record, err));
    k->of[record] = (uint32_t)k->count;
    while (w->first < w->records && size < 2 * want - 1 && size < left) {
        size_t before = SIZE_MAX;
        const double d = nearest(c, w, climit, &before);
        KN_TRY(c->status);
        if (size >= want && d > threshold) {
            break;
        }
        record = c->order[take(w, before)];
        k->of[record] = (uint32_t)k->count;
        KN_TRY(join(c, record));
        size++;
    }
    if (left - size < want) { /* too few for a cluster of their own */
        while (w->first < w->records) {
            record = c->order[take(w, SIZE_MAX)];
            k->of[record] = (uint32_t)k->count;
            KN_TRY(join(c, record));
        }
    }
    KN_TRY(keep_cluster(k, &c->rep, err));
done:
    return status;
}

static kn_status form_clusters(clustering *c, clusters *k, size_t climit, double threshold,
                               kn_error *err)
{
    window w = {.records = c->task->forest->records};
    size_t left = w.records;
    kn_status status;

    w.next = kn__malloc_array(w.records, sizeof *w.next);
    k->of = kn__zalloc_array(w.records, sizeof *k->of);
    KN_TRY(w.next && k->of ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < w.records; i++) {
        w.next[i] = i + 1;
    }
    while (w.first < w.records) {
        if (k->count % STEP == 0) {
            KN_TRY(
                kn__run_step(c->task->run, "anonymize", 1 - (double)left / (double)w.records, err));
        }
        KN_TRY(grow_cluster(c, k, &w, climit, threshold, left, err));
        left = 0;
        for (size_t at = w.first; at < w.records && left < 4 * c->task->k; at = w.next[at]) {
            left++; /* beyond that it does not matter how many */
        }
    }
done:
    kn__free(w.next);
    return status;
}

/* Every record as the representative of its cluster. */
static kn_status publish(kn_forest **out, const clustering *c, const clusters *k, kn_error *err)
{
    const kn_forest *f = c->task->forest;
    kn_forest_builder *b = NULL;
    uint32_t *made = NULL;
    size_t cap = 0;
    kn_status status;

    KN_TRY(kn__forest_builder_new(&b, &f->classes, err));
    for (size_t r = 0; r < f->records; r++) {
        const size_t begin = k->begin[k->of[r]], end = k->begin[k->of[r] + 1];
        KN_TRY(kn__forest_builder_record(b, err));
        KN_TRY(kn__grow(&made, &cap, end - begin, sizeof *made, err));
        for (size_t i = begin; i < end; i++) {
            const uint32_t label = k->all.label[i], up = k->all.parent[i];
            const char *text = c->d->text[label];
            KN_TRY(kn__forest_builder_node(b, c->d->class_[label], text, strlen(text),
                                           up == TOP ? KN_NO_PARENT : made[up], &made[i - begin],
                                           err));
        }
    }
    status = kn__forest_builder_finish(b, out, err);
    b = NULL;
    KN_TRY(status);
    KN_TRY(kn__forest_normalise(*out, NULL, err));
done:
    kn__forest_builder_free(b);
    kn__free(made);
    return status;
}

kn_status kn__tree_miracle(kn_forest **out, const kn_tree_task *task, size_t climit,
                           double threshold, size_t *formed, kn_error *err)
{
    clustering c = {.task = task, .d = task->domain, .err = err};
    clusters k = {0};
    kn_status status;

    *out = NULL;
    if (task->forest->records < task->k) {
        return kn__fail(err, KN_EINFEASIBLE,
                        "there are %zu records, and clusters of %zu are asked for: lower k",
                        task->forest->records, task->k);
    }
    KN_TRY(order_records(&c, err));
    KN_TRY(form_clusters(&c, &k, climit, threshold, err));
    KN_TRY(publish(out, &c, &k, err));
    *formed = k.count;
done:
    if (status != KN_OK) {
        kn__forest_free(*out);
        *out = NULL;
    }
    tree_clear(&c.rep);
    tree_clear(&c.other);
    tree_clear(&c.merged);
    tree_clear(&k.all);
    KN_FREE(c.order, c.used, k.begin, k.of);
    return status;
}
