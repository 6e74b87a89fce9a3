/* apriori_choose.c - the heaviest choice of splits without a conflict, by local search.
 *
 * A step forces one split in: the splits above it come too, of every conflict that this fills the
 * lightest other member goes, with all below it, and then whatever fits is added again, heavy
 * splits first. Steps that lose are kept now and then, less and less often (simulated annealing);
 * the best choice seen is the result. */
#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/sort.h"
#include "base/threads.h"
#include "methods/sets/apriori.h"

#include <math.h>
#include <string.h>

/* Steps: so many a split, at least the least, and no more than make the most looks at a split. */
#define STEPS_A_SPLIT 60
#define LEAST_STEPS   2000
#define MOST_LOOKS    2e8
/* A loss of this share of what is saved is kept with probability 1/e at first, and a thousandth of
 * it at last. */
#define WARMTH        0.01

typedef struct choice {
    kn_arena arena;
    const kn_splits *s;
    uint8_t *in;   /* by split */
    size_t *begin; /* by split: its conflicts are list[begin[i]..begin[i+1]) */
    uint32_t *list;
    uint32_t *held;   /* by conflict: members that are in */
    kn_ranked *order; /* splits, heavy ones first */
    uint32_t *log;    /* splits that went in or out in this step */
    size_t log_len, log_cap;
    double sum; /* gains of what is in */
} choice;

static void toggle(choice *x, uint32_t split)
{
    const uint8_t now = x->in[split] ^= 1;

    x->sum += now ? x->s->gain[split] : -x->s->gain[split];
    for (size_t i = x->begin[split]; i < x->begin[split + 1]; i++) {
        if (now) {
            x->held[x->list[i]]++;
        } else {
            x->held[x->list[i]]--;
        }
    }
}

static kn_status change(choice *x, uint32_t split, kn_error *err)
{
    const kn_status status = kn__grow(&x->log, &x->log_cap, x->log_len + 1, sizeof *x->log, err);

    if (status == KN_OK) {
        x->log[x->log_len++] = split;
        toggle(x, split);
    }
    return status;
}

/* Whether the conflict is full but for one member. */
static bool is_tight(const choice *x, uint32_t conflict)
{
    return x->held[conflict] + 1 == x->s->begin[conflict + 1] - x->s->begin[conflict];
}

static bool fits(const choice *x, uint32_t split)
{
    const uint32_t up = x->s->up[split];

    if (x->in[split] || (up != KN_NO_NODE && !x->in[up])) {
        return false;
    }
    for (size_t i = x->begin[split]; i < x->begin[split + 1]; i++) {
        if (is_tight(x, x->list[i])) {
            return false;
        }
    }
    return true;
}

static double weight_below(const choice *x, uint32_t split)
{
    double sum = 0;

    for (uint32_t i = split; i < x->s->end[split]; i++) {
        sum += x->in[i] ? x->s->gain[i] : 0;
    }
    return sum;
}

static kn_status drop(choice *x, uint32_t split, kn_error *err)
{
    kn_status status = KN_OK;

    for (uint32_t i = x->s->end[split]; i-- > split && status == KN_OK;) {
        if (x->in[i]) {
            status = change(x, i, err);
        }
    }
    return status;
}

/* The member of a conflict, other than `split`, whose loss costs least; KN_NO_NODE: none. */
static uint32_t lightest(const choice *x, uint32_t conflict, uint32_t split)
{
    uint32_t least = KN_NO_NODE;
    double weight = 0;

    for (size_t i = x->s->begin[conflict]; i < x->s->begin[conflict + 1]; i++) {
        const uint32_t other = x->s->member[i];
        const double w = other == split ? 0 : weight_below(x, other);
        if (other != split && (least == KN_NO_NODE || w < weight)) {
            least = other;
            weight = w;
        }
    }
    return least;
}

static kn_status force(choice *x, uint32_t split, kn_error *err)
{
    const uint32_t up = x->s->up[split];
    kn_status status = KN_OK;

    if (up != KN_NO_NODE && !x->in[up]) {
        status = force(x, up, err);
        if (status != KN_OK || !x->in[up]) {
            return status;
        }
    }
    for (size_t i = x->begin[split]; i < x->begin[split + 1] && status == KN_OK; i++) {
        if (is_tight(x, x->list[i])) {
            const uint32_t other = lightest(x, x->list[i], split);
            if (other == KN_NO_NODE) { /* by itself it is not allowed */
                return KN_OK;
            }
            status = drop(x, other, err);
        }
    }
    return status == KN_OK ? change(x, split, err) : status;
}

static kn_status fill(choice *x, kn_error *err)
{
    bool any = true;
    kn_status status = KN_OK;

    while (any && status == KN_OK) {
        any = false;
        for (size_t i = 0; i < x->s->count && status == KN_OK; i++) {
            if (fits(x, x->order[i].id)) {
                status = change(x, x->order[i].id, err);
                any = true;
            }
        }
    }
    return status;
}

static kn_status prepare(choice *x, kn_error *err)
{
    const kn_splits *s = x->s;
    const size_t members = s->begin[s->conflicts];

    x->in = kn__arena_zeros(&x->arena, s->count, sizeof *x->in);
    x->begin = kn__arena_zeros(&x->arena, s->count + 2, sizeof *x->begin);
    x->list = kn__arena_take(&x->arena, members, sizeof *x->list);
    x->held = kn__arena_zeros(&x->arena, s->conflicts, sizeof *x->held);
    x->order = kn__arena_take(&x->arena, s->count, sizeof *x->order);
    if (x->arena.failed) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < members; i++) {
        x->begin[s->member[i] + 2]++;
    }
    for (size_t i = 0; i < s->count; i++) {
        x->begin[i + 2] += x->begin[i + 1];
        x->order[i] = (kn_ranked){s->gain[i], (uint32_t)i};
    }
    for (size_t i = 0; i < s->conflicts; i++) {
        for (size_t j = s->begin[i]; j < s->begin[i + 1]; j++) {
            x->list[x->begin[s->member[j] + 1]++] = (uint32_t)i;
        }
    }
    kn__sort_ranked_down(x->order, s->count);
    return fill(x, err);
}

static kn_status anneal(choice *x, uint8_t *chosen, const kn_run *run, kn_error *err)
{
    const size_t count = x->s->count;
    double best = x->sum, steps = STEPS_A_SPLIT * (double)count;
    const double start = WARMTH * best;
    kn_rng rng;
    kn_status status = KN_OK;

    steps = steps < LEAST_STEPS ? LEAST_STEPS : steps;
    steps = steps > MOST_LOOKS / (double)count ? MOST_LOOKS / (double)count : steps;
    kn__rng_seed(&rng, 1, 0);
    for (size_t i = 0; i < (size_t)steps && status == KN_OK; i++) {
        const double was = x->sum, warmth = start * pow(1e-3, (double)i / steps);
        const uint32_t split = (uint32_t)kn__rng_below(&rng, count);
        if (x->in[split]) {
            continue;
        }
        x->log_len = 0;
        status = force(x, split, err);
        if (status == KN_OK) {
            status = fill(x, err);
        }
        if (status == KN_OK && x->sum < was &&
            kn__rng_double(&rng) >= exp((x->sum - was) / warmth)) {
            while (x->log_len > 0) {
                toggle(x, x->log[--x->log_len]);
            }
            x->sum = was; /* exactly */
        }
        if (status == KN_OK && x->sum > best * (1 + 1e-12)) {
            best = x->sum;
            memcpy(chosen, x->in, count);
        }
        if (status == KN_OK && i % 1024 == 0) {
            status = kn__run_step(run, "apriori", -1, err);
        }
    }
    return status;
}

kn_status kn__splits_choose(const kn_splits *s, uint8_t *chosen, const kn_run *run, kn_error *err)
{
    choice x = {.s = s};
    kn_status status;

    KN_TRY(prepare(&x, err));
    memcpy(chosen, x.in, s->count);
    if (s->conflicts > 0) {
        KN_TRY(anneal(&x, chosen, run, err));
    }
done:
    kn__arena_clear(&x.arena);
    kn__free(x.log);
    return status;
}
