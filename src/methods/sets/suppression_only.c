/* suppression_only.c - k^m-anonymity by leaving items out, and nothing else.
 *
 * Rare combinations are found, hit, and those that are rare in what remains are found again: what
 * is left out hides combinations, so not all of them need be written down. While there are few,
 * everything is chosen anew with what was learnt; later the choice only grows. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/sets/hitting_set.h"
#include "methods/sets/suppression.h"

#include <string.h>

/* Combinations that are looked at in one round, and that are kept in all. */
enum { AT_ONCE = 1 << 18, KEPT = 1 << 21 };

typedef struct leaving {
    const kn_items_task *task;
    double *weight;
    uint8_t *chosen; /* by code: by the last choice */
    kn_hitting_set h;
} leaving;

/* The rare combinations among what is not in `out`, into l->h; how many there are. */
static kn_status learn(leaving *l, const uint8_t *out, uint64_t *count, kn_error *err)
{
    const kn_items_task *t = l->task;
    kn_baskets *rest = NULL;
    kn_rare_list *rare = NULL;
    kn_status status;

    *count = 0;
    KN_TRY(kn__suppress_rest(&rest, t, out, err));
    KN_TRY(kn__rare_find(&rare, rest, t->k, t->m, AT_ONCE, t->run, err));
    for (size_t i = 0; i < rare->kept; i++) {
        KN_TRY(kn__hitting_set_add(&l->h, rare->rare[i].items, rare->rare[i].size, err));
    }
    *count = rare->count;
done:
    kn__rare_list_free(rare);
    kn__baskets_free(rest);
    return status;
}

static uint64_t lost_by(const leaving *l, const uint64_t *times, const uint8_t *out)
{
    uint64_t lost = 0;

    for (uint32_t i = 0; i < l->h.names; i++) {
        lost += out[i] ? times[i] : 0;
    }
    return lost;
}

static kn_status rounds(leaving *l, const uint64_t *times, uint64_t most, uint8_t *out,
                        uint64_t *lost, bool *done, kn_error *err)
{
    uint64_t rare = 1;
    bool grow = false;
    kn_status status = KN_OK;

    while (status == KN_OK && *lost <= most) {
        double sum;
        grow = grow || l->h.count > KEPT;
        status = kn__run_step(l->task->run, "suppress", -1, err);
        if (status == KN_OK && grow) { /* what is chosen stays, and hits all that is known */
            const uint32_t names = l->h.names;
            kn__hitting_set_clear(&l->h);
            status = kn__hitting_set_init(&l->h, names, err);
        }
        if (status == KN_OK) {
            status = learn(l, out, &rare, err);
        }
        if (status != KN_OK || rare == 0) {
            break;
        }
        status = kn__hitting_set_choose(&l->h, l->weight, l->chosen, &sum, err);
        for (uint32_t i = 0; i < l->h.names && status == KN_OK; i++) {
            out[i] = l->chosen[i] || (grow && out[i]);
        }
        *lost = lost_by(l, times, out);
    }
    *done = status == KN_OK && rare == 0;
    return status;
}

kn_status kn__suppress_only(const kn_items_task *task, const uint64_t *times, uint64_t most,
                            uint8_t *out, uint64_t *lost, bool *done, kn_error *err)
{
    const uint32_t values = kn__column_values(task->column);
    leaving l = {.task = task};
    kn_status status = kn__hitting_set_init(&l.h, values, err);

    *lost = 0;
    *done = false;
    memset(out, 0, values);
    l.weight = kn__malloc_array(values, sizeof *l.weight);
    l.chosen = kn__malloc_array(values, 1);
    if (status == KN_OK && (!l.weight || !l.chosen)) {
        status = kn__nomem(err);
    }
    for (uint32_t i = 0; i < values && status == KN_OK; i++) {
        l.weight[i] = (double)times[i];
    }
    if (status == KN_OK) {
        status = rounds(&l, times, most, out, lost, done, err);
    }
    kn__free(l.weight);
    kn__free(l.chosen);
    kn__hitting_set_clear(&l.h);
    return status;
}
