/* candidates.c - nodes that could get names of their own. */
#include "methods/sets/candidates.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"

#include <stdlib.h>

static double ncp_of(const kn_cut *c, uint32_t node)
{
    return kn__domain_ncp(c->domain, node == c->apart ? c->root : node);
}

double kn__cut_occurrences(const kn_cut *c, uint32_t above, uint32_t node)
{
    double sum = 0;

    for (uint32_t i = c->low[node]; i < c->high[node]; i++) {
        sum += c->to[i] == above ? (double)c->times[i] : 0;
    }
    return sum;
}

void kn__cut_name(kn_cut *c, uint32_t above, uint32_t node, double moved)
{
    for (uint32_t i = c->low[node]; i < c->high[node]; i++) {
        c->to[i] = c->to[i] == above ? node : c->to[i];
    }
    c->in[node] = 1;
    c->loss -= moved * (ncp_of(c, above) - ncp_of(c, node));
}

kn_status kn__candidates_new(kn_candidates *x, const kn_cut *c, kn_error *err)
{
    x->list = kn__malloc_array(c->nodes, sizeof *x->list);
    x->seen = kn__zalloc_array(c->nodes, sizeof *x->seen);
    x->queue = kn__malloc_array(c->nodes, sizeof *x->queue);
    return x->list && x->seen && x->queue ? KN_OK : kn__nomem(err);
}

void kn__candidates_clear(kn_candidates *x)
{
    KN_FREE(x->list, x->seen, x->queue);
}

static int by_gain(const void *a, const void *b)
{
    const kn_candidate *x = a, *y = b;
    const int order = KN_ORDER(y->gain, x->gain);

    return order ? order : KN_ORDER(y->node, x->node);
}

static kn_status list_below(kn_candidates *x, kn_cut *c, uint32_t above, kn_error *err)
{
    size_t len = 0;
    kn_status status = KN_OK;

    x->queue[len++] = above;
    for (size_t next = 0; next < len && status == KN_OK; next++) {
        const uint32_t at = x->queue[next];
        status = c->counts ? KN_OK : kn__cut_find_holders(c, at, err);
        for (uint32_t i = c->children_at[at]; i < c->children_at[at + 1] && status == KN_OK; i++) {
            const uint32_t child = c->children[i];
            const double gain = kn__cut_occurrences(c, above, child) *
                                (ncp_of(c, above) - ncp_of(c, child));
            if (gain > 0 && !x->seen[child]) {
                x->list[x->len++] = (kn_candidate){gain, child, above, false};
            }
            x->queue[len++] = child;
        }
    }
    return status;
}

kn_status kn__candidates_list(kn_candidates *x, kn_cut *c, const uint32_t *names, size_t len,
                              const kn_run *run, kn_error *err)
{
    x->len = 0;
    for (size_t i = 0; i < len; i++) {
        KN_PASS(kn__run_step(run, "names", -1, err));
        KN_PASS(list_below(x, c, names[i], err));
    }
    if (x->len > 1) {
        qsort(x->list, x->len, sizeof *x->list, by_gain);
    }
    return KN_OK;
}
