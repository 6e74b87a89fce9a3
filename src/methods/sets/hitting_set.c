/* hitting_set.c - greedy weighted hitting set with a lazy heap: what a name still hits only falls,
 * so an entry that is out of date is corrected when it comes up. */
#include "methods/sets/hitting_set.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

kn_status kn__hitting_set_init(kn_hitting_set *h, uint32_t names, kn_error *err)
{
    *h = (kn_hitting_set){.names = names, .begin_cap = 1};
    h->begin = kn__zalloc_array(1, sizeof *h->begin);
    return h->begin ? KN_OK : kn__nomem(err);
}

void kn__hitting_set_clear(kn_hitting_set *h)
{
    KN_FREE(h->member, h->begin);
    *h = (kn_hitting_set){0};
}

kn_status kn__hitting_set_add(kn_hitting_set *h, const uint32_t *name, size_t size, kn_error *err)
{
    size_t end = h->begin[h->count];

    KN_PASS(kn__grow(&h->member, &h->member_cap, end + size, sizeof *h->member, err));
    KN_PASS(kn__grow(&h->begin, &h->begin_cap, h->count + 2, sizeof *h->begin, err));
    for (size_t i = 0; i < size; i++) {
        if (i == 0 || name[i] != name[i - 1]) {
            h->member[end++] = name[i];
        }
    }
    h->begin[++h->count] = end;
    return KN_OK;
}

typedef struct choice {
    kn_arena arena;
    const kn_hitting_set *h;
    const double *weight;
    size_t *at; /* by name: its combinations are list[at[i]..at[i+1]) */
    uint32_t *list;
    uint32_t *open;  /* by name: how many of them nothing hits yet */
    uint32_t *hit;   /* by combination: chosen names in it */
    kn_ranked *heap; /* names by score: hits for their weight when they were put here */
    size_t heap_len;
    uint32_t *order; /* chosen names */
} choice;

static bool goes_first(const void *user, const void *a, const void *b)
{
    const kn_ranked *x = a, *y = b;

    (void)user;
    return x->rank > y->rank || (x->rank == y->rank && x->id < y->id);
}

static double score(const choice *x, uint32_t name)
{
    return (double)x->open[name] / (x->weight[name] + 1e-9);
}

static kn_status prepare(choice *x, kn_error *err)
{
    const kn_hitting_set *h = x->h;
    const size_t members = h->begin[h->count];

    x->at = kn__arena_zeros(&x->arena, (size_t)h->names + 2, sizeof *x->at);
    x->list = kn__arena_take(&x->arena, members, sizeof *x->list);
    x->open = kn__arena_zeros(&x->arena, h->names, sizeof *x->open);
    x->hit = kn__arena_zeros(&x->arena, h->count, sizeof *x->hit);
    x->heap = kn__arena_take(&x->arena, h->names, sizeof *x->heap);
    x->order = kn__arena_take(&x->arena, h->names, sizeof *x->order);
    if (x->arena.failed) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < members; i++) {
        x->at[h->member[i] + 2]++;
        x->open[h->member[i]]++;
    }
    for (size_t i = 0; i < h->names; i++) {
        x->at[i + 2] += x->at[i + 1];
    }
    for (size_t i = 0; i < h->count; i++) {
        for (size_t j = h->begin[i]; j < h->begin[i + 1]; j++) {
            x->list[x->at[h->member[j] + 1]++] = (uint32_t)i;
        }
    }
    for (uint32_t i = 0; i < h->names; i++) {
        if (x->open[i]) {
            x->heap[x->heap_len++] = (kn_ranked){score(x, i), i};
        }
    }
    kn__heap_make(x->heap, x->heap_len, sizeof *x->heap, goes_first, NULL);
    return KN_OK;
}

static void take(choice *x, uint32_t name)
{
    const kn_hitting_set *h = x->h;

    for (size_t i = x->at[name]; i < x->at[name + 1]; i++) {
        const uint32_t c = x->list[i];
        for (size_t j = h->begin[c]; x->hit[c] == 0 && j < h->begin[c + 1]; j++) {
            x->open[h->member[j]]--;
        }
        x->hit[c]++;
    }
}

/* Leave out the chosen names, heavy ones first, without which everything is still hit. */
static kn_status leave_out(choice *x, size_t count, uint8_t *chosen, double *sum, kn_error *err)
{
    kn_ranked *list = kn__malloc_array(count, sizeof *list);

    KN_PASS(list ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        list[i] = (kn_ranked){x->weight[x->order[i]], x->order[i]};
    }
    kn__sort_ranked_down(list, count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t name = list[i].id;
        bool needed = false;
        for (size_t j = x->at[name]; j < x->at[name + 1] && !needed; j++) {
            needed = x->hit[x->list[j]] == 1;
        }
        for (size_t j = x->at[name]; j < x->at[name + 1] && !needed; j++) {
            x->hit[x->list[j]]--;
        }
        chosen[name] = needed;
        *sum += needed ? list[i].rank : 0;
    }
    kn__free(list);
    return KN_OK;
}

kn_status kn__hitting_set_choose(const kn_hitting_set *h, const double *weight, uint8_t *chosen,
                                 double *sum, kn_error *err)
{
    choice x = {.h = h, .weight = weight};
    size_t count = 0;
    kn_status status;

    *sum = 0;
    KN_TRY(prepare(&x, err));
    if (h->names) {
        memset(chosen, 0, h->names);
    }
    while (x.heap_len > 0) {
        const uint32_t name = x.heap[0].id;
        const double now = score(&x, name);
        if (x.open[name] == 0) {
            kn__heap_pop(x.heap, &x.heap_len, sizeof *x.heap, goes_first, NULL);
        } else if (now < x.heap[0].rank) {
            x.heap[0].rank = now;
            kn__heap_down(x.heap, x.heap_len, sizeof *x.heap, 0, goes_first, NULL);
        } else {
            take(&x, name);
            x.order[count++] = name;
        }
    }
    KN_TRY(leave_out(&x, count, chosen, sum, err));
done:
    kn__arena_clear(&x.arena);
    return status;
}
