/* cuts_part.c - a node of a cut parted: some of what is below it keeps its own name.
 *
 * To part is to split what has one name into two, so all that cuts.h says of finer and coarser
 * holds: what is refused once stays refused, and each node is looked at once. A node that is let
 * out can be parted again. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/cuts.h"

#include <stdlib.h>
#include <string.h>

/* `node` could be let out of `above`. */
typedef struct candidate {
    double gain;
    uint32_t node, above;
} candidate;

typedef struct parting {
    kn_cut *c;
    candidate *list; /* a node is below one node of the cut, so it is here once */
    size_t len;
    uint8_t *seen;   /* by node: it was looked at */
    uint32_t *queue; /* nodes to list */
    uint32_t *was;   /* by place: where it was before the candidate */
} parting;

static double ncp_of(const kn_cut *c, uint32_t node)
{
    return kn_domain_ncp(c->domain, node == c->apart ? c->root : node);
}

/* Of the records `from`, those in which something below `node` is published as it. */
static kn_status filter(const kn_cut *c, uint32_t node, const uint32_t *from, uint32_t from_len,
                        uint32_t **out, uint32_t *len, kn_error *err)
{
    uint32_t *list = kn_malloc_array(from_len, sizeof *list);

    *len = 0;
    *out = list;
    if (!list) {
        return kn_nomem(err);
    }
    for (uint32_t i = 0; i < from_len; i++) {
        const uint32_t r = from[i];
        for (uint64_t p = kn__cut_first(c, r, c->low[node]);
             p < c->starts[r + 1] && c->place[p] < c->high[node]; p++) {
            if (c->to[c->place[p]] == node) {
                list[(*len)++] = r;
                break;
            }
        }
    }
    return KN_OK;
}

/* Look at combinations with `node` on the records that hold it now. */
static kn_status look_at(kn_cut *c, uint32_t node, bool *rare, kn_error *err)
{
    uint32_t *list = NULL, *old = c->holders[node];
    uint32_t len = 0;
    const uint32_t old_len = c->holders_len[node];
    kn_status status = filter(c, node, old, old_len, &list, &len, err);

    *rare = false;
    if (status == KN_OK && len > 0) {
        c->holders[node] = list;
        c->holders_len[node] = len;
        status = kn__cut_look_at(c, node, rare, err);
        c->holders[node] = old;
        c->holders_len[node] = old_len;
    }
    kn_free(list);
    return status;
}

static kn_status keep_holders(kn_cut *c, uint32_t node, kn_error *err)
{
    uint32_t *list = NULL;
    uint32_t len = 0;
    kn_status status = filter(c, node, c->holders[node], c->holders_len[node], &list, &len, err);

    if (status == KN_OK) {
        kn_free(c->holders[node]);
        c->holders[node] = list;
        c->holders_len[node] = len;
    } else {
        kn_free(list);
    }
    return status;
}

/* Let `node` keep its own name, which what is left of it has from `above` now, if nothing becomes
 * rare. */
static kn_status let_out(parting *x, uint32_t above, uint32_t node, bool *done, kn_error *err)
{
    kn_cut *c = x->c;
    const uint32_t low = c->low[node], high = c->high[node];
    double moved = 0;
    bool rare = false;
    kn_status status = KN_OK;

    memcpy(x->was + low, c->to + low, (high - low) * sizeof *x->was);
    for (uint32_t i = low; i < high; i++) {
        if (c->to[i] == above) {
            moved += (double)c->times[i];
            c->to[i] = node;
        }
    }
    *done = false;
    if (moved > 0) {
        x->seen[node] = 1;
        c->turn[node] = 1; /* combinations of both are looked at with the first */
        c->turn[above] = 2;
        status = look_at(c, node, &rare, err);
        if (status == KN_OK && !rare) {
            status = look_at(c, above, &rare, err);
        }
        c->turn[node] = c->turn[above] = 0;
        *done = status == KN_OK && !rare;
    }
    if (*done) {
        c->in[node] = 1;
        c->loss -= moved * (ncp_of(c, above) - ncp_of(c, node));
        status = keep_holders(c, node, err);
        if (status == KN_OK) {
            status = keep_holders(c, above, err);
        }
    } else {
        memcpy(c->to + low, x->was + low, (high - low) * sizeof *x->was);
    }
    return status;
}

static int by_gain(const void *a, const void *b)
{
    const candidate *x = a, *y = b;

    return x->gain > y->gain   ? -1
           : x->gain < y->gain ? 1
           : x->node > y->node ? -1
                               : x->node < y->node;
}

/* Add what may be let out of `above`, and find its holders. */
static kn_status list_below(parting *x, uint32_t above, kn_error *err)
{
    kn_cut *c = x->c;
    size_t len = 0;
    kn_status status = KN_OK;

    x->queue[len++] = above;
    for (size_t next = 0; next < len && status == KN_OK; next++) {
        const uint32_t at = x->queue[next];
        status = kn__cut_find_holders(c, at, err);
        for (uint32_t i = c->kids_at[at]; i < c->kids_at[at + 1] && status == KN_OK; i++) {
            const uint32_t kid = c->kids[i];
            double moved = 0;
            for (uint32_t p = c->low[kid]; p < c->high[kid]; p++) {
                moved += c->to[p] == above ? (double)c->times[p] : 0;
            }
            const double gain = moved * (ncp_of(c, above) - ncp_of(c, kid));
            if (gain > 0 && !x->seen[kid]) {
                x->list[x->len++] = (candidate){gain, kid, above};
            }
            x->queue[len++] = kid;
        }
    }
    return status;
}

/* One round: `todo` are names whose items may be let out; replaced by the new ones. */
static kn_status part(parting *x, uint32_t *todo, size_t *todo_len, kn_error *err)
{
    kn_status status = KN_OK;

    x->len = 0;
    for (size_t i = 0; i < *todo_len && status == KN_OK; i++) {
        status = list_below(x, todo[i], err);
    }
    if (status == KN_OK && x->len > 1) {
        qsort(x->list, x->len, sizeof *x->list, by_gain);
    }
    *todo_len = 0;
    for (size_t i = 0; i < x->len && status == KN_OK; i++) {
        const candidate *y = &x->list[i];
        bool done = false;
        status = let_out(x, y->above, y->node, &done, err);
        if (done) {
            todo[(*todo_len)++] = y->node;
        }
    }
    return status;
}

kn_status kn_cut_part(kn_cut *c, const kn_run *run, kn_error *err)
{
    parting x = {.c = c};
    uint32_t *todo = kn_malloc_array(c->nodes, sizeof *todo);
    size_t len = 0;
    kn_status status = KN_OK;

    x.list = kn_malloc_array(c->nodes, sizeof *x.list);
    x.seen = kn_zalloc_array(c->nodes, sizeof *x.seen);
    x.queue = kn_malloc_array(c->nodes, sizeof *x.queue);
    x.was = kn_malloc_array(c->places, sizeof *x.was);
    if (!todo || !x.list || !x.seen || !x.queue || !x.was) {
        status = kn_nomem(err);
    }
    for (uint32_t node = 0; node < c->nodes && status == KN_OK; node++) {
        if (c->in[node]) {
            todo[len++] = node;
        }
    }
    for (size_t i = 0; i < len && status == KN_OK; i++) {
        if (!c->holders[todo[i]] && c->kids_at[todo[i]] < c->kids_at[todo[i] + 1]) {
            status = kn__cut_hold_cut(c, err);
        }
    }
    c->parted = true;
    while (len > 0 && status == KN_OK) {
        status = kn_run_step(run, "apriori", -1, err);
        if (status == KN_OK) {
            status = part(&x, todo, &len, err);
        }
    }
    kn_free(todo);
    kn_free(x.list);
    kn_free(x.seen);
    kn_free(x.queue);
    kn_free(x.was);
    return status;
}
