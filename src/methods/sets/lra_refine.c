/* lra_refine.c - finer names for some occurrences, where no combination of names becomes rare.
 *
 * For a node, the records in which something below it has a higher name are candidates. Those that
 * would hold a rare combination with the node are put back, then those that the others then leave
 * alone, and so on: what remains is the largest set that supports itself (as the core of a graph is
 * found). Names that lose records must keep k of them, or none, in every combination: the
 * candidates that would break one are put back too. All else stays as it was, so only combinations
 * with the node, or with a name that lost a record, are looked at. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/sets/lra_rare.h"

#include <stdlib.h>

enum { ROUNDS = 2 }; /* a third saves less than a thousandth on web and shop data */

typedef struct candidate {
    double gain;
    uint32_t node;
} candidate;

typedef struct refining {
    kn_names *n;
    candidate *list;
    size_t len;
    kn_names_room *room;
    unsigned threads;
} refining;

/* ---- one node ---- */

static void start_entries(kn_names_room *w)
{
    w->item_len = w->entries = w->listed = 0;
}

/* Take what was put back out of the core. */
static void leave_core(kn_names_room *w, uint32_t len)
{
    for (uint32_t i = 0; i < len; i++) {
        w->core[i] = w->core[i] && !w->put[i];
        w->put[i] = 0;
    }
}

/* Leave out the entries of what was put back, but for what had the name of `node` before. */
static kn_status relist(const kn_names *n, kn_names_room *w, uint32_t node, kn_error *err)
{
    const kn_cut *c = n->c;
    const size_t listed = w->listed, entries = w->entries;
    kn_projection *all = &w->level[0];
    kn_status status = KN_OK;

    w->listed = 0;
    for (size_t i = 0; i < listed; i++) {
        const uint32_t blame = w->blame[all->who[i]];
        if (blame == KN_NOBODY || !w->put[blame]) {
            all->at[w->listed] = all->at[i];
            all->who[w->listed++] = all->who[i];
        }
    }
    for (size_t i = 0; i < entries && status == KN_OK; i++) {
        const uint32_t blame = w->blame[i];
        if (blame != KN_NOBODY && w->put[blame] && w->core[blame]) {
            const uint32_t r = c->holders[node][blame];
            w->core[blame] = 0;
            if (w->held[blame]) {
                status = kn__room_write(n, w, r, KN_NO_NODE, node, false, c->weight[r], KN_NOBODY,
                                        err);
            }
        }
    }
    leave_core(w, c->holders_len[node]);
    return status;
}

/* Put back, until nothing is rare with the node, what must be. */
static kn_status find_core(const kn_names *n, kn_names_room *w, uint32_t node, kn_error *err)
{
    const kn_cut *c = n->c;
    bool any = true;
    kn_status status = KN_OK;

    start_entries(w);
    for (uint32_t i = 0; i < c->holders_len[node] && status == KN_OK; i++) {
        const uint32_t r = c->holders[node][i], to = w->core[i] ? node : KN_NO_NODE;
        if (w->core[i] || w->held[i]) {
            status = kn__room_write(n, w, r, to, node, false, c->weight[r],
                                    w->core[i] ? i : KN_NOBODY, err);
        }
    }
    while (any && status == KN_OK) {
        any = false;
        status = kn__room_look(c, w, &any, err);
        if (any && status == KN_OK) {
            status = relist(n, w, node, err);
        }
    }
    return status;
}

static void start_core(const kn_names *n, kn_names_room *w, uint32_t node)
{
    const kn_cut *c = n->c;

    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t r = c->holders[node][i];
        w->first[i] = kn__cut_first(c, r, c->low[node]);
        w->core[i] = w->put[i] = w->held[i] = 0;
        for (uint64_t p = w->first[i]; p < c->starts[r + 1] && c->place[p] < c->high[node]; p++) {
            w->core[i] = w->core[i] || kn__names_moves(n, node, p);
            w->held[i] = w->held[i] || n->name[p] == node;
        }
    }
}

static double core_gain(const kn_names *n, const kn_names_room *w, uint32_t node)
{
    const kn_cut *c = n->c;
    double gain = 0;

    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t r = c->holders[node][i];
        for (uint64_t p = w->first[i];
             w->core[i] && p < c->starts[r + 1] && c->place[p] < c->high[node]; p++) {
            if (kn__names_moves(n, node, p)) {
                gain += (double)c->weight[r] *
                        (kn__names_ncp(c, n->name[p]) - kn__names_ncp(c, node));
            }
        }
    }
    return gain;
}

/* The names that the core would lose, each once. */
static kn_status list_lost(const kn_names *n, kn_names_room *w, uint32_t node, kn_error *err)
{
    const kn_cut *c = n->c;
    kn_status status = KN_OK;

    w->lost_len = 0;
    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t r = c->holders[node][i];
        for (uint64_t p = w->first[i];
             w->core[i] && p < c->starts[r + 1] && c->place[p] < c->high[node]; p++) {
            size_t at = 0;
            if (!kn__names_moves(n, node, p)) {
                continue;
            }
            while (at < w->lost_len && w->lost[at] != n->name[p]) {
                at++;
            }
            if (at == w->lost_len && status == KN_OK) {
                status = kn__grow(&w->lost, &w->lost_cap, at + 1, sizeof *w->lost, err);
                if (status == KN_OK) {
                    w->lost[w->lost_len++] = n->name[p];
                }
            }
        }
    }
    return status;
}

/* With m of 1 or 2: whether `name`, and every wanted name with it, keeps k records. Names that many
 * have are counted no further than k. */
static kn_status all_keep(const kn_names *n, kn_names_room *w, uint32_t node, uint32_t name,
                          bool *keep, kn_error *err)
{
    const kn_cut *c = n->c;
    size_t found = 0, open = 1;
    uint64_t support = 0;
    kn_status status = KN_OK;

    for (size_t i = 0; i < w->listed; i++) {
        for (const uint32_t *p = w->item + w->level[0].at[i]; c->m > 1 && *p != KN_NO_NODE; p++) {
            if (!w->rare[*p]) { /* it marks what is still open */
                w->rare[*p] = 1;
                w->found[found++] = *p;
            }
        }
    }
    open += found;
    for (uint32_t i = 0; i < c->holders_len[name] && open > 0 && status == KN_OK; i++) {
        const uint32_t r = c->holders[name][i], to = w->moved[r] ? node : KN_NO_NODE;
        const size_t begin = w->item_len;
        if (kn__names_times(n, r, to, name) == 0) {
            continue;
        }
        open -= support < c->k && support + c->weight[r] >= c->k;
        support += c->weight[r];
        status = kn__room_write(n, w, r, to, name, true, 0, KN_NOBODY, err);
        for (const uint32_t *p = w->item + begin; status == KN_OK && *p != KN_NO_NODE; p++) {
            w->count[*p] += w->rare[*p] ? c->weight[r] : 0;
            if (w->rare[*p] && w->count[*p] >= c->k) {
                w->rare[*p] = 0;
                open--;
            }
        }
        if (status == KN_OK) {
            w->item_len = begin;
            w->entries--;
            w->listed--;
        }
    }
    for (size_t i = 0; i < found; i++) {
        w->rare[w->found[i]] = 0;
        w->count[w->found[i]] = 0;
    }
    *keep = open == 0;
    return status;
}

/* Combinations with `name`, which the core loses, or has less often. */
static kn_status look_at_lost(const kn_names *n, kn_names_room *w, uint32_t node, uint32_t name,
                              bool *any, kn_error *err)
{
    const kn_cut *c = n->c;
    bool keep = false;
    kn_status status = KN_OK;

    start_entries(w);
    for (uint32_t i = 0; i < c->holders_len[node] && status == KN_OK; i++) {
        const uint32_t r = c->holders[node][i];
        if (w->core[i] &&
            kn__names_times(n, r, node, name) < kn__names_times(n, r, KN_NO_NODE, name)) {
            for (uint64_t p = c->starts[r]; p < c->starts[r + 1]; p++) {
                w->wanted[n->name[p]] = 1;
            }
            status = kn__room_write(n, w, r, KN_NO_NODE, name, false, 0, i, err);
        }
    }
    keep = w->entries == 0;
    if (status == KN_OK && !keep && c->m <= 2) {
        status = all_keep(n, w, node, name, &keep, err);
    }
    for (uint32_t i = 0; i < c->holders_len[name] && !keep && status == KN_OK; i++) {
        const uint32_t r = c->holders[name][i], to = w->moved[r] ? node : KN_NO_NODE;
        if (kn__names_times(n, r, to, name) > 0) {
            status = kn__room_write(n, w, r, to, name, true, c->weight[r], KN_NOBODY, err);
        }
    }
    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t r = c->holders[node][i];
        for (uint64_t p = c->starts[r]; w->core[i] && p < c->starts[r + 1]; p++) {
            w->wanted[n->name[p]] = 0;
        }
    }
    return status == KN_OK && !keep ? kn__room_look(c, w, any, err) : status;
}

static void mark_core(const kn_cut *c, kn_names_room *w, uint32_t node, bool on)
{
    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        w->moved[c->holders[node][i]] = on && w->core[i];
    }
}

/* Give the name of `node` to what can have it. */
static kn_status attempt(kn_names *n, kn_names_room *w, uint32_t node, bool *done, kn_error *err)
{
    const kn_cut *c = n->c;
    bool any = true;
    kn_status status = KN_OK;

    *done = false;
    start_core(n, w, node);
    while (any && status == KN_OK) {
        any = false;
        status = find_core(n, w, node, err);
        w->gain = core_gain(n, w, node);
        if (status == KN_OK) {
            status = list_lost(n, w, node, err);
        }
        mark_core(c, w, node, true);
        for (size_t i = 0; i < w->lost_len && status == KN_OK; i++) {
            status = look_at_lost(n, w, node, w->lost[i], &any, err);
        }
        mark_core(c, w, node, false);
        leave_core(w, c->holders_len[node]);
    }
    if (status != KN_OK || w->gain <= 0) {
        return status;
    }
    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t r = c->holders[node][i];
        for (uint64_t p = w->first[i];
             w->core[i] && p < c->starts[r + 1] && c->place[p] < c->high[node]; p++) {
            if (kn__names_moves(n, node, p)) {
                n->name[p] = node;
            }
        }
    }
    n->loss -= w->gain;
    *done = true;
    return KN_OK;
}

/* ---- all nodes ---- */

/* What each node could save if names could be lost. Names become finer only, and what a node's core
 * was refused stays refused, so that those that save nothing need no second look. */
static void estimate(void *user, unsigned worker, size_t begin, size_t end)
{
    refining *x = user;
    kn_names_room *w = &x->room[worker];

    for (size_t i = begin; i < end && w->status == KN_OK; i++) {
        start_core(x->n, w, x->list[i].node);
        x->list[i].gain = core_gain(x->n, w, x->list[i].node);
        if (x->list[i].gain > 0) {
            w->status = find_core(x->n, w, x->list[i].node, &w->error);
            x->list[i].gain = core_gain(x->n, w, x->list[i].node);
        }
    }
}

static int heavy_first(const void *a, const void *b)
{
    const candidate *x = a, *y = b;

    return x->gain > y->gain   ? -1
           : x->gain < y->gain ? 1
           : x->node > y->node ? -1
                               : x->node < y->node;
}

static kn_status estimate_all(refining *x, const kn_run *run, kn_error *err)
{
    size_t kept = 0;
    const kn_status status = kn__parallel_steps(run, "estimate", x->threads, x->len, 4, estimate, x,
                                                err);

    if (status != KN_OK) {
        return status;
    }
    for (unsigned i = 0; i < x->threads; i++) {
        if (x->room[i].status != KN_OK) {
            if (err) {
                *err = x->room[i].error;
            }
            return x->room[i].status;
        }
    }
    for (size_t i = 0; i < x->len; i++) {
        if (x->list[i].gain > 0) {
            x->list[kept++] = x->list[i];
        }
    }
    x->len = kept;
    if (kept > 1) {
        qsort(x->list, kept, sizeof *x->list, heavy_first);
    }
    return KN_OK;
}

static kn_status prepare(refining *x, kn_error *err)
{
    kn_cut *c = x->n->c;
    kn_status status;

    x->list = kn__malloc_array(c->nodes, sizeof *x->list);
    x->room = kn__zalloc_array(x->threads, sizeof *x->room);
    status = x->list && x->room ? kn__cut_hold_all(c, err) : kn__nomem(err);
    for (unsigned i = 0; i < x->threads && status == KN_OK; i++) {
        status = kn__room_init(&x->room[i], c, err);
    }
    /* Parents have higher numbers than kids, but for `apart`. */
    for (uint32_t node = c->nodes; node-- > 0 && status == KN_OK;) {
        if (node != c->apart && c->low[node] < c->high[node]) {
            status = kn__cut_find_holders(c, node, err);
            if (node != c->root) {
                x->list[x->len++].node = node;
            }
        }
    }
    return status;
}

kn_status kn__names_refine(kn_names *n, const kn_run *run, kn_error *err)
{
    refining x = {.n = n, .threads = kn__run_threads(run)};
    bool any = true;
    kn_status status = prepare(&x, err);

    for (int round = 0; round < ROUNDS && any && status == KN_OK; round++) {
        any = false;
        status = estimate_all(&x, run, err);
        for (size_t i = 0; i < x.len && status == KN_OK; i++) {
            bool done = false;
            status = kn__run_step(run, "lra", (double)i / (double)x.len, err);
            if (status == KN_OK) {
                status = attempt(n, &x.room[0], x.list[i].node, &done, err);
            }
            any = any || done;
        }
    }
    for (unsigned i = 0; x.room && i < x.threads; i++) {
        kn__room_clear(&x.room[i]);
    }
    kn__free(x.room);
    kn__free(x.list);
    return status;
}
