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
#include "base/sort.h"
#include "base/threads.h"
#include "methods/lra.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 4, NOBODY = UINT32_MAX };

typedef struct projection {
    uint32_t *at, *who; /* positions in `item`, and whose they are */
    uint32_t *node, *end;
    size_t at_cap, who_cap, node_cap, end_cap;
} projection;

/* One thread's room. */
typedef struct room {
    uint32_t *count, *many, *blamed; /* by node: support, entries, entries to blame */
    uint32_t *found;
    uint8_t *rare, *wanted; /* by node; all 0 between uses */
    uint64_t *seen;         /* by node: the entry that had it last, by its stamp */
    uint64_t stamp;
    projection level[KN_MOST_M + 1];
    uint32_t *item; /* records, written down as names; each ends with KN_NO_NODE */
    size_t item_cap, item_len;
    uint32_t *weight, *blame; /* by entry: its weight, and its candidate or NOBODY */
    size_t entries, weight_cap, blame_cap;
    size_t listed;   /* entries that count: level[0].at and .who */
    uint8_t *core;   /* by record of the node's holders: it is to get the name */
    uint8_t *put;    /* the same: it is to be put back */
    uint32_t *index; /* by record: 1 + its number among the node's holders, if it is in the core */
    uint32_t *lost;  /* names that lose records */
    size_t lost_len, lost_cap;
    double gain;
    kn_status status;
    kn_error error;
} room;

typedef struct refining {
    kn_names *n;
    struct candidate {
        double gain;
        uint32_t node;
    } * list;
    size_t len;
    room *room;
    unsigned threads;
} refining;

static double ncp_of(const kn_cut *c, uint32_t node)
{
    return kn_domain_ncp(c->domain, node == c->apart ? c->root : node);
}

static bool is_above(const kn_cut *c, uint32_t name, uint32_t node)
{
    return name != node && c->low[name] <= c->low[node] && c->high[node] <= c->high[name] &&
           ncp_of(c, name) > ncp_of(c, node);
}

/* ---- records as names ---- */

/* Whether occurrence `p` would get the name of `node`. */
static bool moves(const kn_names *n, uint32_t node, uint64_t p)
{
    const kn_cut *c = n->c;

    return c->place[p] >= c->low[node] && c->place[p] < c->high[node] &&
           is_above(c, n->name[p], node);
}

/* An entry: record `r` without one `name` (in sets it has but one), with the names that are
 * `wanted` only if `some`; with what moves to `node` moved, unless that is KN_NO_NODE. */
static kn_status write_entry(const kn_names *n, room *w, uint32_t r, uint32_t node, uint32_t name,
                             bool some, uint32_t weight, uint32_t blame, kn_error *err)
{
    const kn_cut *c = n->c;
    const size_t begin = w->item_len;
    const bool repeats = c->bags && c->m > 2;
    const uint64_t stamp = ++w->stamp;
    bool taken = false;
    kn_status status = kn_grow(&w->item, &w->item_cap,
                               begin + (size_t)(c->starts[r + 1] - c->starts[r]) + 1,
                               sizeof *w->item, err);

    if (status == KN_OK) {
        status = kn_grow(&w->weight, &w->weight_cap, w->entries + 1, sizeof *w->weight, err);
    }
    if (status == KN_OK) {
        status = kn_grow(&w->blame, &w->blame_cap, w->entries + 1, sizeof *w->blame, err);
    }
    if (status == KN_OK) {
        status = kn_grow(&w->level[0].at, &w->level[0].at_cap, w->entries + 1, sizeof(uint32_t),
                         err);
    }
    if (status == KN_OK) {
        status = kn_grow(&w->level[0].who, &w->level[0].who_cap, w->entries + 1, sizeof(uint32_t),
                         err);
    }
    if (status != KN_OK) {
        return status;
    }
    for (uint64_t p = c->starts[r]; p < c->starts[r + 1]; p++) {
        const uint32_t is = node != KN_NO_NODE && moves(n, node, p) ? node : n->name[p];
        if (is == name && !(taken && c->bags)) {
            taken = true;
        } else if ((!some || w->wanted[is]) && (repeats || w->seen[is] != stamp)) {
            w->seen[is] = stamp;
            w->item[w->item_len++] = is;
        }
    }
    if (c->m > 2) { /* single names are counted in any order */
        kn_sort_u32(w->item + begin, w->item_len - begin);
    }
    w->item[w->item_len++] = KN_NO_NODE;
    w->level[0].at[w->listed] = (uint32_t)begin;
    w->level[0].who[w->listed++] = (uint32_t)w->entries;
    w->weight[w->entries] = weight;
    w->blame[w->entries++] = blame;
    return KN_OK;
}

/* How often record `r` has `name`: as it is, or with what moves to `node` moved. */
static size_t times(const kn_names *n, uint32_t r, uint32_t node, uint32_t name)
{
    const kn_cut *c = n->c;
    const uint64_t begin = kn__cut_first(c, r, c->low[name]);
    size_t count = 0;

    for (uint64_t p = begin; p < c->starts[r + 1] && c->place[p] < c->high[name]; p++) {
        count += (node != KN_NO_NODE && moves(n, node, p) ? node : n->name[p]) == name;
    }
    return n->c->bags ? count : count > 0;
}

/* ---- rare combinations ---- */

static void put_back(room *w, uint32_t entry, bool *any)
{
    if (w->blame[entry] != NOBODY) {
        w->put[w->blame[entry]] = 1;
        *any = true;
    }
}

/* Of the entries from positions at[0..len), put back those to blame that hold a rare combination of
 * up to `left` more names. What has no support at all is not rare. */
static kn_status project(const kn_cut *c, room *w, size_t left, const uint32_t *at,
                         const uint32_t *who, size_t len, bool *any, kn_error *err)
{
    projection *next = &w->level[left];
    size_t found = 0, total = 0, kept = 0;
    bool rare = false;
    kn_status status = KN_OK;

    for (size_t i = 0; i < len; i++) {
        const uint32_t weight = w->weight[who[i]], blamed = w->blame[who[i]] != NOBODY;
        uint32_t last = KN_NO_NODE;
        for (const uint32_t *p = w->item + at[i]; *p != KN_NO_NODE; p++) {
            if (*p == last) {
                continue;
            }
            last = *p;
            if (w->many[last] == 0) {
                w->found[found++] = last;
            }
            w->count[last] += weight;
            w->many[last]++;
            w->blamed[last] += blamed;
        }
    }
    for (size_t i = 0; i < found; i++) {
        const uint32_t f = w->found[i];
        if (w->blamed[f] && w->count[f] > 0 && w->count[f] < c->k) {
            w->rare[f] = 1;
            rare = true;
        } else if (w->blamed[f] && w->count[f] > 0 && left > 1) {
            total += w->many[f];
            kept++;
        }
    }
    for (size_t i = 0; rare && i < len; i++) {
        for (const uint32_t *p = w->item + at[i]; *p != KN_NO_NODE; p++) {
            if (w->rare[*p]) {
                put_back(w, who[i], any);
                break;
            }
        }
    }
    if (kept) {
        status = kn_grow(&next->node, &next->node_cap, kept, sizeof(uint32_t), err);
        if (status == KN_OK) {
            status = kn_grow(&next->end, &next->end_cap, kept, sizeof(uint32_t), err);
        }
        if (status == KN_OK) {
            status = kn_grow(&next->at, &next->at_cap, total, sizeof(uint32_t), err);
        }
        if (status == KN_OK) {
            status = kn_grow(&next->who, &next->who_cap, total, sizeof(uint32_t), err);
        }
    }
    kept = total = 0;
    for (size_t i = 0; i < found; i++) {
        const uint32_t f = w->found[i];
        const bool grows = status == KN_OK && left > 1 && w->blamed[f] && w->count[f] > 0 &&
                           !w->rare[f];
        const uint32_t many = w->many[f];
        w->count[f] = KN_NO_CODE;
        if (grows) {
            next->node[kept++] = f;
            w->count[f] = (uint32_t)total; /* where its next position goes */
            total += many;
        }
        w->many[f] = w->blamed[f] = 0;
        w->rare[f] = 0;
    }
    for (size_t i = 0; kept && i < len; i++) {
        uint32_t last = KN_NO_NODE;
        for (uint32_t p = at[i]; w->item[p] != KN_NO_NODE; p++) {
            if (w->item[p] != last) {
                last = w->item[p];
                if (w->count[last] != KN_NO_CODE) {
                    next->who[w->count[last]] = who[i];
                    next->at[w->count[last]++] = p + 1;
                }
            }
        }
    }
    for (size_t i = 0; i < kept; i++) {
        next->end[i] = w->count[next->node[i]];
    }
    for (size_t i = 0; i < found; i++) {
        w->count[w->found[i]] = 0;
    }
    for (size_t i = 0; i < kept && status == KN_OK; i++) {
        const size_t begin = i ? next->end[i - 1] : 0;
        status = project(c, w, left - 1, next->at + begin, next->who + begin, next->end[i] - begin,
                         any, err);
    }
    return status;
}

/* The same for all entries, which all had the name that they are written without. */
static kn_status look(const kn_cut *c, room *w, bool *any, kn_error *err)
{
    uint64_t support = 0;

    for (size_t i = 0; i < w->listed; i++) {
        support += w->weight[w->level[0].who[i]];
    }
    if (support < c->k) {
        for (size_t i = 0; support > 0 && i < w->listed; i++) {
            put_back(w, w->level[0].who[i], any);
        }
        return KN_OK;
    }
    return c->m > 1 ? project(c, w, c->m - 1, w->level[0].at, w->level[0].who, w->listed, any, err)
                    : KN_OK;
}

/* ---- one node ---- */

static void start_entries(room *w)
{
    w->item_len = w->entries = w->listed = 0;
}

/* Take what was put back out of the core. */
static void leave_core(room *w, uint32_t len)
{
    for (uint32_t i = 0; i < len; i++) {
        w->core[i] = w->core[i] && !w->put[i];
        w->put[i] = 0;
    }
}

/* Leave out the entries of what was put back, but for what had the name of `node` before. */
static kn_status relist(const kn_names *n, room *w, uint32_t node, kn_error *err)
{
    const kn_cut *c = n->c;
    const size_t listed = w->listed, entries = w->entries;
    projection *all = &w->level[0];
    kn_status status = KN_OK;

    w->listed = 0;
    for (size_t i = 0; i < listed; i++) {
        const uint32_t blame = w->blame[all->who[i]];
        if (blame == NOBODY || !w->put[blame]) {
            all->at[w->listed] = all->at[i];
            all->who[w->listed++] = all->who[i];
        }
    }
    for (size_t i = 0; i < entries && status == KN_OK; i++) {
        const uint32_t blame = w->blame[i];
        if (blame != NOBODY && w->put[blame] && w->core[blame]) {
            const uint32_t r = c->holders[node][blame];
            w->core[blame] = 0;
            if (times(n, r, KN_NO_NODE, node) > 0) {
                status = write_entry(n, w, r, KN_NO_NODE, node, false, c->weight[r], NOBODY, err);
            }
        }
    }
    leave_core(w, c->holders_len[node]);
    return status;
}

/* Put back, until nothing is rare with the node, what must be. */
static kn_status find_core(const kn_names *n, room *w, uint32_t node, kn_error *err)
{
    const kn_cut *c = n->c;
    bool any = true;
    kn_status status = KN_OK;

    start_entries(w);
    for (uint32_t i = 0; i < c->holders_len[node] && status == KN_OK; i++) {
        const uint32_t r = c->holders[node][i], to = w->core[i] ? node : KN_NO_NODE;
        if (w->core[i] || times(n, r, KN_NO_NODE, node) > 0) {
            status = write_entry(n, w, r, to, node, false, c->weight[r], w->core[i] ? i : NOBODY,
                                 err);
        }
    }
    while (any && status == KN_OK) {
        any = false;
        status = look(c, w, &any, err);
        if (any && status == KN_OK) {
            status = relist(n, w, node, err);
        }
    }
    return status;
}

static void start_core(const kn_names *n, room *w, uint32_t node)
{
    const kn_cut *c = n->c;

    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t r = c->holders[node][i];
        w->core[i] = w->put[i] = 0;
        for (uint64_t p = kn__cut_first(c, r, c->low[node]);
             p < c->starts[r + 1] && c->place[p] < c->high[node]; p++) {
            w->core[i] = w->core[i] || moves(n, node, p);
        }
    }
}

static double core_gain(const kn_names *n, const room *w, uint32_t node)
{
    const kn_cut *c = n->c;
    double gain = 0;

    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t r = c->holders[node][i];
        for (uint64_t p = kn__cut_first(c, r, c->low[node]);
             w->core[i] && p < c->starts[r + 1] && c->place[p] < c->high[node]; p++) {
            if (moves(n, node, p)) {
                gain += (double)c->weight[r] * (ncp_of(c, n->name[p]) - ncp_of(c, node));
            }
        }
    }
    return gain;
}

/* The names that the core would lose, each once. */
static kn_status list_lost(const kn_names *n, room *w, uint32_t node, kn_error *err)
{
    const kn_cut *c = n->c;
    kn_status status = KN_OK;

    w->lost_len = 0;
    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t r = c->holders[node][i];
        for (uint64_t p = kn__cut_first(c, r, c->low[node]);
             w->core[i] && p < c->starts[r + 1] && c->place[p] < c->high[node]; p++) {
            size_t at = 0;
            if (!moves(n, node, p)) {
                continue;
            }
            while (at < w->lost_len && w->lost[at] != n->name[p]) {
                at++;
            }
            if (at == w->lost_len && status == KN_OK) {
                status = kn_grow(&w->lost, &w->lost_cap, at + 1, sizeof *w->lost, err);
                if (status == KN_OK) {
                    w->lost[w->lost_len++] = n->name[p];
                }
            }
        }
    }
    return status;
}

/* Combinations with `name`, which the core loses, or has less often. */
static kn_status look_at_lost(const kn_names *n, room *w, uint32_t node, uint32_t name, bool *any,
                              kn_error *err)
{
    const kn_cut *c = n->c;
    kn_status status = KN_OK;

    start_entries(w);
    for (uint32_t i = 0; i < c->holders_len[node] && status == KN_OK; i++) {
        const uint32_t r = c->holders[node][i];
        if (w->core[i] && times(n, r, node, name) < times(n, r, KN_NO_NODE, name)) {
            for (uint64_t p = c->starts[r]; p < c->starts[r + 1]; p++) {
                w->wanted[n->name[p]] = 1;
            }
            status = write_entry(n, w, r, KN_NO_NODE, name, false, 0, i, err);
        }
    }
    for (uint32_t i = 0; i < c->holders_len[name] && w->entries && status == KN_OK; i++) {
        const uint32_t r = c->holders[name][i], to = w->index[r] ? node : KN_NO_NODE;
        if (times(n, r, to, name) > 0) {
            status = write_entry(n, w, r, to, name, true, c->weight[r], NOBODY, err);
        }
    }
    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t r = c->holders[node][i];
        for (uint64_t p = c->starts[r]; w->core[i] && p < c->starts[r + 1]; p++) {
            w->wanted[n->name[p]] = 0;
        }
    }
    return status == KN_OK ? look(c, w, any, err) : status;
}

static void index_core(const kn_cut *c, room *w, uint32_t node, bool on)
{
    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        w->index[c->holders[node][i]] = on && w->core[i] ? i + 1 : 0;
    }
}

/* Give the name of `node` to what can have it. */
static kn_status attempt(kn_names *n, room *w, uint32_t node, bool *done, kn_error *err)
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
        index_core(c, w, node, true);
        for (size_t i = 0; i < w->lost_len && status == KN_OK; i++) {
            status = look_at_lost(n, w, node, w->lost[i], &any, err);
        }
        index_core(c, w, node, false);
        leave_core(w, c->holders_len[node]);
    }
    if (status != KN_OK || w->gain <= 0) {
        return status;
    }
    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t r = c->holders[node][i];
        for (uint64_t p = kn__cut_first(c, r, c->low[node]);
             w->core[i] && p < c->starts[r + 1] && c->place[p] < c->high[node]; p++) {
            if (moves(n, node, p)) {
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
    room *w = &x->room[worker];

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
    const struct candidate *x = a, *y = b;

    return x->gain > y->gain   ? -1
           : x->gain < y->gain ? 1
           : x->node > y->node ? -1
                               : x->node < y->node;
}

static kn_status estimate_all(refining *x, kn_error *err)
{
    size_t kept = 0;

    kn_parallel_for(x->threads, x->len, 4, estimate, x);
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

static void room_clear(room *w)
{
    for (size_t i = 0; i <= KN_MOST_M; i++) {
        kn_free(w->level[i].at);
        kn_free(w->level[i].who);
        kn_free(w->level[i].node);
        kn_free(w->level[i].end);
    }
    kn_free(w->count);
    kn_free(w->many);
    kn_free(w->blamed);
    kn_free(w->found);
    kn_free(w->rare);
    kn_free(w->wanted);
    kn_free(w->seen);
    kn_free(w->item);
    kn_free(w->weight);
    kn_free(w->blame);
    kn_free(w->core);
    kn_free(w->put);
    kn_free(w->index);
    kn_free(w->lost);
}

static kn_status room_init(room *w, const kn_cut *c, kn_error *err)
{
    w->count = kn_zalloc_array(c->nodes, sizeof *w->count);
    w->many = kn_zalloc_array(c->nodes, sizeof *w->many);
    w->blamed = kn_zalloc_array(c->nodes, sizeof *w->blamed);
    w->found = kn_malloc_array(c->nodes, sizeof *w->found);
    w->rare = kn_zalloc_array(c->nodes, sizeof *w->rare);
    w->wanted = kn_zalloc_array(c->nodes, sizeof *w->wanted);
    w->seen = kn_zalloc_array(c->nodes, sizeof *w->seen);
    w->core = kn_malloc_array(c->records, sizeof *w->core);
    w->put = kn_malloc_array(c->records, sizeof *w->put);
    w->index = kn_zalloc_array(c->records, sizeof *w->index);
    return w->count && w->many && w->blamed && w->found && w->rare && w->wanted && w->seen &&
                   w->core && w->put && w->index
               ? KN_OK
               : kn_nomem(err);
}

static kn_status prepare(refining *x, kn_error *err)
{
    kn_cut *c = x->n->c;
    kn_status status;

    x->list = kn_malloc_array(c->nodes, sizeof *x->list);
    x->room = kn_zalloc_array(x->threads, sizeof *x->room);
    status = x->list && x->room ? kn__cut_hold_all(c, err) : kn_nomem(err);
    for (unsigned i = 0; i < x->threads && status == KN_OK; i++) {
        status = room_init(&x->room[i], c, err);
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

kn_status kn_names_refine(kn_names *n, const kn_run *run, kn_error *err)
{
    refining x = {.n = n, .threads = kn_run_threads(run)};
    bool any = true;
    kn_status status = prepare(&x, err);

    for (int round = 0; round < ROUNDS && any && status == KN_OK; round++) {
        any = false;
        status = estimate_all(&x, err);
        for (size_t i = 0; i < x.len && status == KN_OK; i++) {
            bool done = false;
            status = i % 64 ? KN_OK : kn_run_step(run, "lra", -1, err);
            if (status == KN_OK) {
                status = attempt(n, &x.room[0], x.list[i].node, &done, err);
            }
            any = any || done;
        }
    }
    for (unsigned i = 0; x.room && i < x.threads; i++) {
        room_clear(&x.room[i]);
    }
    kn_free(x.room);
    kn_free(x.list);
    return status;
}
