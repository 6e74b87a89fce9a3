/* suppression_only.c - k^m-anonymity by suppression alone: a hitting set of the rare combinations.
 *
 * There may be too many rare combinations to list, so it is found in rounds, as in constraint
 * generation: find rare combinations among the items that remain, choose a light hitting set of all
 * combinations found so far, and search again without the chosen items, until none is rare. When
 * more than KEPT combinations are known they are dropped, and from then on a chosen item stays
 * chosen; then each combination that was dropped is still hit. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/sets/hitting_set.h"
#include "methods/sets/suppression.h"

#include <string.h>

/* Rare combinations that are listed in one round, and that are kept over all rounds. */
enum { AT_ONCE = 1 << 18, KEPT = 1 << 21 };

typedef struct search_state {
    const kn_items_task *task;
    double *weight;   /* by code: its occurrences */
    uint8_t *chosen;  /* by code: in the hitting set of the last round */
    kn_hitting_set h; /* the rare combinations found so far */
} search_state;

/* Add the rare combinations of the items that are not in `out` to l->h; `*count` of them. */
static kn_status add_rare(search_state *l, const uint8_t *out, uint64_t *count, kn_error *err)
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

static uint64_t lost_by(const search_state *l, const uint64_t *times, const uint8_t *out)
{
    uint64_t lost = 0;

    for (uint32_t i = 0; i < l->h.names; i++) {
        lost += out[i] ? times[i] : 0;
    }
    return lost;
}

static kn_status search(search_state *l, const uint64_t *times, uint64_t most, uint8_t *out,
                        uint64_t *lost, bool *done, kn_error *err)
{
    const uint32_t names = l->h.names;
    bool keep_chosen = false;

    while (*lost <= most) {
        uint64_t rare;
        double sum;
        KN_PASS(kn__run_step(l->task->run, "suppress", -1, err));
        keep_chosen = keep_chosen || l->h.count > KEPT;
        if (keep_chosen) {
            kn__hitting_set_clear(&l->h);
            KN_PASS(kn__hitting_set_init(&l->h, names, err));
        }
        KN_PASS(add_rare(l, out, &rare, err));
        if (rare == 0) {
            *done = true;
            break;
        }
        KN_PASS(kn__hitting_set_choose(&l->h, l->weight, l->chosen, &sum, err));
        for (uint32_t i = 0; i < names; i++) {
            out[i] = l->chosen[i] || (keep_chosen && out[i]);
        }
        *lost = lost_by(l, times, out);
    }
    return KN_OK;
}

kn_status kn__suppress_only(const kn_items_task *task, const uint64_t *times, uint64_t most,
                            uint8_t *out, uint64_t *lost, bool *done, kn_error *err)
{
    const uint32_t values = kn__column_values(task->column);
    search_state l = {.task = task};
    kn_status status;

    *lost = 0;
    *done = false;
    memset(out, 0, values);
    l.weight = kn__malloc_array(values, sizeof *l.weight);
    l.chosen = kn__malloc_array(values, 1);
    KN_TRY(l.weight && l.chosen ? KN_OK : kn__nomem(err));
    KN_TRY(kn__hitting_set_init(&l.h, values, err));
    for (uint32_t i = 0; i < values; i++) {
        l.weight[i] = (double)times[i];
    }
    KN_TRY(search(&l, times, most, out, lost, done, err));
done:
    KN_FREE(l.weight, l.chosen);
    kn__hitting_set_clear(&l.h);
    return status;
}
