/* node_lists.c - lists of nodes, and the depth-first search for a rare combination in them. */
#include "methods/sets/node_lists.h"
#include "base/error.h"
#include "base/memory.h"

#include <assert.h>

void kn__node_lists_start(kn_node_lists *x, uint32_t nodes)
{
    x->records = x->tails_len = 0;
    x->lists.items = nodes;
}

void kn__node_lists_clear(kn_node_lists *x)
{
    KN_FREE(x->starts, x->node, x->weight, x->tails);
    for (size_t i = 0; i < KN_MOST_M; i++) {
        kn__projection_clear(&x->level[i]);
    }
    *x = (kn_node_lists){0};
}

kn_status kn__node_lists_open(kn_node_lists *x, size_t most, uint32_t **node, kn_error *err)
{
    const size_t at = x->records;

    KN_PASS(kn__grow(&x->starts, &x->starts_cap, at + 2, sizeof *x->starts, err));
    x->starts[0] = 0;
    KN_PASS(kn__grow(&x->node, &x->node_cap, (size_t)x->starts[at] + most, sizeof *x->node, err));
    KN_PASS(kn__grow(&x->weight, &x->weight_cap, at + 1, sizeof *x->weight, err));
    KN_PASS(kn__grow(&x->tails, &x->tails_cap, at + 1, sizeof *x->tails, err));
    x->lists.starts = x->starts;
    x->lists.list = x->node;
    x->lists.weight = x->weight;
    *node = x->node + x->starts[at];
    return KN_OK;
}

void kn__node_lists_close(kn_node_lists *x, size_t len, uint32_t weight)
{
    const size_t at = x->records++;

    x->starts[at + 1] = x->starts[at] + len;
    x->weight[at] = weight;
    x->tails[x->tails_len++] = (kn_tail){(uint32_t)at, 0};
}

/* The rarest of the nodes that were counted, if it is rare; KN_NO_ITEM otherwise. */
static uint32_t rarest(const kn_projection_level *l, size_t k)
{
    uint32_t rare = KN_NO_ITEM;

    for (size_t i = 0; i < l->touched_len; i++) {
        const uint32_t n = l->touched[i], count = l->count[n];
        if (count < k && (rare == KN_NO_ITEM || count < l->count[rare] ||
                          (count == l->count[rare] && n < rare))) {
            rare = n;
        }
    }
    return rare;
}

static kn_status search(kn_node_lists *x, size_t k, size_t most, const kn_tail *tails, size_t len,
                        kn_witness *why, bool *rare, kn_error *err)
{
    kn_projection_level *l = &x->level[most - 1];
    bool fine = kn__projection_ready(l, x->lists.items);
    size_t work = 0;
    uint32_t last;

    KN_PASS(fine ? KN_OK : kn__nomem(err));
    (void)kn__projection_count(&x->lists, l, tails, len, &work);
    last = rarest(l, k);
    *rare = last != KN_NO_ITEM;
    for (size_t i = 0; i < l->touched_len && !*rare && most > 1 && fine; i++) {
        fine = kn__projection_choose(l, l->touched[i]) != NULL;
    }
    fine = fine && kn__projection_deal(&x->lists, l, tails, len);
    kn__projection_reset(l);
    KN_PASS(fine ? KN_OK : kn__nomem(err));
    assert(why->size < KN_MOST_M);
    if (*rare) {
        why->node[why->size++] = last;
    }
    for (size_t i = 0; i < l->chosen_len && !*rare; i++) {
        const kn_extension *e = &l->chosen[i];
        why->node[why->size++] = e->item;
        KN_PASS(search(x, k, most - 1, l->dealt + e->begin, e->len, why, rare, err));
        why->size -= !*rare;
    }
    return KN_OK;
}

kn_status kn__node_lists_rare(kn_node_lists *x, size_t k, size_t most, kn_witness *why, bool *rare,
                              kn_error *err)
{
    *rare = false;
    return most == 0 ? KN_OK : search(x, k, most, x->tails, x->tails_len, why, rare, err);
}
