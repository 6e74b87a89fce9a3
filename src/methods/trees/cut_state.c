/* cut_state.c - a cut that the search has solved, and the queue of those to expand. */
#include "methods/trees/cut_state.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/memory.h"

#include <string.h>

void kn__cut_state_free(kn_cut_state *x)
{
    if (x) {
        KN_FREE(x->specialised, x->closed, x->factor);
        kn__tree_violations_clear(&x->violations);
        kn__relation_index_free(x->relations);
        kn__free(x);
    }
}

kn_status kn__cut_state_copy(uint32_t labels, kn_cut_state **out, const kn_cut_state *from,
                             kn_error *err)
{
    kn_cut_state *x = kn__zalloc(sizeof *x);
    kn_status status;

    *out = NULL;
    KN_TRY(x ? KN_OK : kn__nomem(err));
    *x = from ? *from : (kn_cut_state){0};
    x->violations = (kn_tree_violations){0};
    x->relations = NULL;
    x->specialised = kn__zalloc_array(labels, 1);
    x->closed = kn__zalloc_array(labels, 1);
    x->factor = kn__zalloc_array(labels, sizeof *x->factor);
    KN_TRY(x->specialised && x->closed && x->factor ? KN_OK : kn__nomem(err));
    if (from) {
        memcpy(x->factor, from->factor, labels * sizeof *x->factor);
        memcpy(x->specialised, from->specialised, labels);
        memcpy(x->closed, from->closed, labels);
    }
    *out = x;
    x = NULL;
done:
    kn__cut_state_free(x);
    return status;
}

static bool is_before(const void *user, const void *x, const void *y)
{
    const kn_cut_state *a = *(kn_cut_state *const *)x, *b = *(kn_cut_state *const *)y;

    (void)user;
    if (a->main != b->main) {
        return a->main;
    }
    return a->cost != b->cost ? a->cost < b->cost : a->number > b->number;
}

kn_status kn__cut_queue_push(kn_cut_queue *q, kn_cut_state *x, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__grow(&q->list, &q->cap, q->count + 1, sizeof *q->list, err));
    x->number = q->made++;
    q->list[q->count] = x;
    kn__heap_up(q->list, sizeof *q->list, q->count++, is_before, NULL);
    x = NULL;
done:
    kn__cut_state_free(x);
    return status;
}

kn_cut_state *kn__cut_queue_pop(kn_cut_queue *q)
{
    kn_cut_state *first = q->list[0];

    kn__heap_pop(q->list, &q->count, sizeof *q->list, is_before, NULL);
    return first;
}

void kn__cut_queue_clear(kn_cut_queue *q)
{
    while (q->count) {
        kn__cut_state_free(q->list[--q->count]);
    }
    kn__free(q->list);
    *q = (kn_cut_queue){0};
}
