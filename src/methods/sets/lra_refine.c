/* lra_refine.c - finer names for some occurrences, where no combination of names becomes rare.
 *
 * For a node, the records in which something below it has a higher name are candidates. Their core
 * is a greatest fixed point, as in k-core peeling: start with all candidates; revert those whose
 * finer name would make a combination with a support of 1..k-1; stop when none is left. Names that
 * lose records must keep k of them, or none, in every combination: the candidates that would break
 * one are reverted too. All else stays as it was, so only combinations with the node, or with a
 * name that lost a record, are counted. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "methods/sets/lra_rare.h"

enum { ROUNDS = 2 }; /* a third saves less than a thousandth on web and shop data */

typedef struct refining {
    kn_names *n;
    kn_ranked *list; /* nodes to try, and what each could save */
    size_t len;
    kn_lra_scratch *scratch; /* by thread */
    unsigned threads;
} refining;

/* ---- one node ---- */

/* Take the candidates that are to be reverted out of the core. */
static void apply_reverts(kn_lra_scratch *w, uint32_t len)
{
    for (uint32_t i = 0; i < len; i++) {
        w->core[i] = w->core[i] && !w->revert[i];
        w->revert[i] = 0;
    }
}

/* Remove the entries of candidates that are to be reverted. A record that had the name of `node`
 * before gets an entry as it is now. */
static kn_status rewrite_reverted(const kn_names *n, kn_lra_scratch *w, uint32_t node,
                                  kn_error *err)
{
    const kn_cut *c = n->c;
    const size_t entries = w->entries.records;
    size_t kept = 0;

    for (size_t i = 0; i < w->entries.tails_len; i++) {
        const uint32_t candidate = w->candidate[w->entries.tails[i].record];
        if (candidate == KN_NO_RECORD || !w->revert[candidate]) {
            w->entries.tails[kept++] = w->entries.tails[i];
        }
    }
    w->entries.tails_len = kept;
    for (size_t i = 0; i < entries; i++) {
        const uint32_t candidate = w->candidate[i];
        if (candidate != KN_NO_RECORD && w->revert[candidate] && w->core[candidate]) {
            const uint32_t r = c->holders[node][candidate];
            w->core[candidate] = 0;
            if (w->held[candidate]) {
                KN_PASS(kn__lra_write(n, w, r, KN_NO_NODE, node, false, c->weight[r], KN_NO_RECORD,
                                      err));
            }
        }
    }
    apply_reverts(w, c->holders_len[node]);
    return KN_OK;
}

/* Revert candidates until no combination with the node is rare. */
static kn_status find_core(const kn_names *n, kn_lra_scratch *w, uint32_t node, kn_error *err)
{
    const kn_cut *c = n->c;
    bool any = true;

    kn__node_lists_start(&w->entries, c->nodes);
    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t r = c->holders[node][i], to = w->core[i] ? node : KN_NO_NODE;
        if (w->core[i] || w->held[i]) {
            KN_PASS(kn__lra_write(n, w, r, to, node, false, c->weight[r],
                                  w->core[i] ? i : KN_NO_RECORD, err));
        }
    }
    while (any) {
        any = false;
        KN_PASS(kn__lra_find_rare(c, w, &any, err));
        if (any) {
            KN_PASS(rewrite_reverted(n, w, node, err));
        }
    }
    return KN_OK;
}

/* Start with all candidates in the core: the records with an item that can move to `node`. */
static void start_core(const kn_names *n, kn_lra_scratch *w, uint32_t node)
{
    const kn_cut *c = n->c;

    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t r = c->holders[node][i];
        w->first[i] = kn__cut_first(c, r, c->low[node]);
        w->core[i] = w->revert[i] = w->held[i] = 0;
        for (uint64_t p = w->first[i]; p < c->starts[r + 1] && c->place[p] < c->high[node]; p++) {
            w->core[i] = w->core[i] || kn__names_moves(n, node, p);
            w->held[i] = w->held[i] || n->name[p] == node;
        }
    }
}

/* The NCP that the core saves. */
static double core_gain(const kn_names *n, const kn_lra_scratch *w, uint32_t node)
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

/* List the names that records of the core would lose, or have less often, each once. */
static kn_status list_lost(const kn_names *n, kn_lra_scratch *w, uint32_t node, kn_error *err)
{
    const kn_cut *c = n->c;

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
            if (at == w->lost_len) {
                KN_PASS(kn__grow(&w->lost, &w->lost_cap, at + 1, sizeof *w->lost, err));
                w->lost[w->lost_len++] = n->name[p];
            }
        }
    }
    return KN_OK;
}

/* Set w->open for the names of all entries, and list them in w->found; returns how many. */
static size_t open_names(kn_lra_scratch *w)
{
    const kn_node_lists *x = &w->entries;
    size_t found = 0;

    for (size_t i = 0; i < x->tails_len; i++) {
        const uint32_t entry = x->tails[i].record;
        for (uint64_t p = x->starts[entry]; p < x->starts[entry + 1]; p++) {
            if (!w->open[x->node[p]]) {
                w->open[x->node[p]] = 1;
                w->found[found++] = x->node[p];
            }
        }
    }
    return found;
}

/* With m of 1 or 2: whether `name`, and each pair of it with a name of the entries, keeps a support
 * of k once the core has moved. A support is counted up to k only, and most reach k soon. */
static kn_status all_keep_support(const kn_names *n, kn_lra_scratch *w, uint32_t node,
                                  uint32_t name, bool *keep, kn_error *err)
{
    const kn_cut *c = n->c;
    kn_node_lists *x = &w->entries;
    const size_t found = c->m > 1 ? open_names(w) : 0;
    size_t open = found + 1;
    uint64_t support = 0;
    kn_status status = KN_OK;

    for (uint32_t i = 0; i < c->holders_len[name] && open > 0; i++) {
        const uint32_t r = c->holders[name][i], to = w->moved[r] ? node : KN_NO_NODE;
        const size_t entry = x->records;
        if (kn__names_times(n, r, to, name) == 0) {
            continue;
        }
        open -= support < c->k && support + c->weight[r] >= c->k;
        support += c->weight[r];
        KN_TRY(kn__lra_write(n, w, r, to, name, true, 0, KN_NO_RECORD, err));
        for (uint64_t p = x->starts[entry]; p < x->starts[entry + 1]; p++) {
            const uint32_t other = x->node[p];
            w->count[other] += w->open[other] ? c->weight[r] : 0;
            if (w->open[other] && w->count[other] >= c->k) {
                w->open[other] = 0;
                open--;
            }
        }
        x->records--; /* it was written to be counted here only */
        x->tails_len--;
    }
    *keep = open == 0;
done:
    for (size_t i = 0; i < found; i++) {
        w->open[w->found[i]] = 0;
        w->count[w->found[i]] = 0;
    }
    return status;
}

/* Revert candidates of the core whose move would make a combination with `name`, which they lose or
 * have less often, rare. Only names of such records are counted with it. */
static kn_status check_lost_name(const kn_names *n, kn_lra_scratch *w, uint32_t node, uint32_t name,
                                 bool *any, kn_error *err)
{
    const kn_cut *c = n->c;
    bool keep = false;
    kn_status status = KN_OK;

    kn__node_lists_start(&w->entries, c->nodes);
    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t r = c->holders[node][i];
        if (w->core[i] &&
            kn__names_times(n, r, node, name) < kn__names_times(n, r, KN_NO_NODE, name)) {
            for (uint64_t p = c->starts[r]; p < c->starts[r + 1]; p++) {
                w->wanted[n->name[p]] = 1;
            }
            KN_TRY(kn__lra_write(n, w, r, KN_NO_NODE, name, false, 0, i, err));
        }
    }
    keep = w->entries.records == 0;
    if (!keep && c->m <= 2) {
        KN_TRY(all_keep_support(n, w, node, name, &keep, err));
    }
    for (uint32_t i = 0; i < c->holders_len[name] && !keep; i++) {
        const uint32_t r = c->holders[name][i], to = w->moved[r] ? node : KN_NO_NODE;
        if (kn__names_times(n, r, to, name) > 0) {
            KN_TRY(kn__lra_write(n, w, r, to, name, true, c->weight[r], KN_NO_RECORD, err));
        }
    }
    if (!keep) {
        KN_TRY(kn__lra_find_rare(c, w, any, err));
    }
done:
    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t r = c->holders[node][i];
        for (uint64_t p = c->starts[r]; w->core[i] && p < c->starts[r + 1]; p++) {
            w->wanted[n->name[p]] = 0;
        }
    }
    return status;
}

static void mark_core(const kn_cut *c, kn_lra_scratch *w, uint32_t node, bool on)
{
    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        w->moved[c->holders[node][i]] = on && w->core[i];
    }
}

/* Give the name of `node` to the occurrences of the core below it. */
static void rename_core(kn_names *n, const kn_lra_scratch *w, uint32_t node)
{
    const kn_cut *c = n->c;

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
}

/* Find the core of `node` and give it the name; `*done` if that saves something. */
static kn_status refine_node(kn_names *n, kn_lra_scratch *w, uint32_t node, bool *done,
                             kn_error *err)
{
    const kn_cut *c = n->c;
    bool any = true;
    kn_status status = KN_OK;

    *done = false;
    start_core(n, w, node);
    while (any) {
        any = false;
        KN_TRY(find_core(n, w, node, err));
        w->gain = core_gain(n, w, node);
        KN_TRY(list_lost(n, w, node, err));
        mark_core(c, w, node, true);
        for (size_t i = 0; i < w->lost_len && status == KN_OK; i++) {
            status = check_lost_name(n, w, node, w->lost[i], &any, err);
        }
        mark_core(c, w, node, false);
        apply_reverts(w, c->holders_len[node]);
        KN_TRY(status);
    }
    *done = w->gain > 0;
    if (*done) {
        rename_core(n, w, node);
    }
done:
    return status;
}

/* ---- all nodes ---- */

/* Estimate what each node saves, an upper bound: the names that its core loses are not checked.
 * Since names only become finer, a candidate that is reverted now would be reverted later, so a
 * node that saves nothing now is never tried again. */
static void estimate(void *user, unsigned worker, size_t begin, size_t end)
{
    refining *x = user;
    kn_lra_scratch *w = &x->scratch[worker];

    for (size_t i = begin; i < end && w->status == KN_OK; i++) {
        start_core(x->n, w, x->list[i].id);
        x->list[i].rank = core_gain(x->n, w, x->list[i].id);
        if (x->list[i].rank > 0) {
            w->status = find_core(x->n, w, x->list[i].id, &w->error);
            x->list[i].rank = core_gain(x->n, w, x->list[i].id);
        }
    }
}

/* Estimate what all nodes save, and sort those that save something. */
static kn_status estimate_all(refining *x, const kn_run *run, kn_error *err)
{
    size_t kept = 0;

    KN_PASS(kn__parallel_steps(run, "estimate", x->threads, x->len, 4, estimate, x, err));
    for (unsigned i = 0; i < x->threads; i++) {
        if (x->scratch[i].status != KN_OK && err) {
            *err = x->scratch[i].error;
        }
        KN_PASS(x->scratch[i].status);
    }
    for (size_t i = 0; i < x->len; i++) {
        if (x->list[i].rank > 0) {
            x->list[kept++] = x->list[i];
        }
    }
    x->len = kept;
    kn__sort_ranked(x->list, kept);
    return KN_OK;
}

static kn_status prepare(refining *x, kn_error *err)
{
    kn_cut *c = x->n->c;

    x->list = kn__malloc_array(c->nodes, sizeof *x->list);
    x->scratch = kn__zalloc_array(x->threads, sizeof *x->scratch);
    KN_PASS(x->list && x->scratch ? kn__cut_hold_all(c, err) : kn__nomem(err));
    for (unsigned i = 0; i < x->threads; i++) {
        KN_PASS(kn__lra_scratch_init(&x->scratch[i], c, err));
    }
    /* Parents have higher numbers than children, but for `apart`. */
    for (uint32_t node = c->nodes; node-- > 0;) {
        if (node != c->apart && c->low[node] < c->high[node]) {
            KN_PASS(kn__cut_find_holders(c, node, err));
            if (node != c->root) {
                x->list[x->len++].id = node;
            }
        }
    }
    return KN_OK;
}

kn_status kn__names_refine(kn_names *n, const kn_run *run, kn_error *err)
{
    refining x = {.n = n, .threads = kn__run_threads(run)};
    bool any = true;
    kn_status status;

    KN_TRY(prepare(&x, err));
    for (int round = 0; round < ROUNDS && any; round++) {
        any = false;
        KN_TRY(estimate_all(&x, run, err));
        for (size_t i = x.len; i-- > 0;) { /* the one that saves most first */
            bool done = false;
            KN_TRY(kn__run_step(run, "lra", 1 - (double)(i + 1) / (double)x.len, err));
            KN_TRY(refine_node(n, &x.scratch[0], x.list[i].id, &done, err));
            any = any || done;
        }
    }
done:
    for (unsigned i = 0; x.scratch && i < x.threads; i++) {
        kn__lra_scratch_clear(&x.scratch[i]);
    }
    KN_FREE(x.scratch, x.list);
    return status;
}
