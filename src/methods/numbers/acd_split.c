/* acd_split.c - top-down search for a partition of small loss.
 *
 * Structure: a partition, and a binary heap of the ranges that may still be split, costliest first.
 *
 * Invariant: the partition satisfies the guarantee. It does so with any of its cuts taken away,
 * since joining ranges lowers no support. So a cut that is bad stays bad while others are added,
 * every partition that satisfies can be reached one cut at a time, and when the heap is empty the
 * partition is maximal.
 *
 * Technique: greedy splits, then local search: taking a cut away may make others good again, so
 * each border is moved to where it costs least, and ranges are split where that has made room. */
#include "methods/numbers/acd_split.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/threads.h"
#include "methods/numbers/acd_sweep.h"

#include <math.h>
#include <string.h>

typedef struct split_search {
    kn_arena arena;
    const kn_acd_points *p;
    const kn_run *run;
    kn_acd_sweep *sweep;
    uint8_t *cut;
    uint8_t *bad;           /* by point: no range may begin there as long as cuts are only added */
    const uint8_t *allowed; /* by point: cuts to try; NULL: all */
    uint8_t *good;          /* by point: of the range being judged */
    uint8_t *start;         /* the cuts to try first */
    uint32_t *range_of;     /* by point */
    uint32_t ranges;        /* numbers given */
    /* Ranges to split: a heap of their first points. */
    uint32_t *heap;
    uint32_t *high; /* by first point */
    double *cost;   /* by first point */
    size_t waiting;
} split_search;

/* ---- the heap ---- */

static bool costlier(const void *user, const void *a, const void *b)
{
    const split_search *s = user;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return s->cost[x] > s->cost[y] || (s->cost[x] == s->cost[y] && x < y);
}

static void heap_push(split_search *s, uint32_t low, uint32_t high)
{
    s->high[low] = high;
    s->cost[low] = kn__acd_cost(s->p, low, high);
    s->heap[s->waiting] = low;
    kn__heap_up(s->heap, sizeof *s->heap, s->waiting++, costlier, s);
}

static uint32_t heap_pop(split_search *s)
{
    const uint32_t top = s->heap[0];

    kn__heap_pop(s->heap, &s->waiting, sizeof *s->heap, costlier, s);
    return top;
}

/* ---- splitting ---- */

static bool may_try(const split_search *s, uint32_t c)
{
    return !s->bad[c] && (!s->allowed || s->allowed[c]);
}

static double cost_of_two(const kn_acd_points *p, uint32_t low, uint32_t c, uint32_t high)
{
    return kn__acd_cost(p, low, c) + kn__acd_cost(p, c, high);
}

/* The cheapest cut of low..high that may be good, or `high`. */
static uint32_t cheapest(const split_search *s, const uint8_t *good, uint32_t low, uint32_t high)
{
    double least = HUGE_VAL;
    uint32_t best = high;

    for (uint32_t c = low + 1; c < high; c++) {
        if (good[c]) {
            const double cost = cost_of_two(s->p, low, c, high);
            if (cost < least) {
                least = cost;
                best = c;
            }
        }
    }
    return best;
}

/* The best good cut of the range low..high with a loss below `limit`, or `high`. Without a limit
 * (HUGE_VAL), bad ones are noted. */
static kn_status best_cut(split_search *s, uint32_t low, uint32_t high, double limit,
                          uint32_t *best, kn_error *err)
{
    uint8_t *good = s->good;
    bool any = false, holds = false;

    *best = high;
    for (uint32_t c = low + 1; c < high; c++) {
        good[c] = may_try(s, c) && cost_of_two(s->p, low, c, high) < limit;
        any = any || good[c];
    }
    if (!any) {
        return KN_OK;
    }
    KN_PASS(kn__acd_sweep_range(s->sweep, s->range_of, s->ranges, low, high, good + low, err));
    while (!holds && (*best = cheapest(s, good, low, high)) < high) {
        KN_PASS(kn__acd_sweep_cross(s->sweep, *best, &holds, err));
    }
    for (uint32_t c = low + 1; isinf(limit) && c < high; c++) {
        s->bad[c] = s->bad[c] || (may_try(s, c) && !good[c]);
    }
    return KN_OK;
}

static void number(split_search *s, uint32_t low, uint32_t high, uint32_t range)
{
    for (uint32_t i = low; i < high; i++) {
        s->range_of[i] = range;
    }
}

/* Split all ranges of the heap until no cut is left to try. */
static kn_status split_waiting(split_search *s, kn_error *err)
{
    while (s->waiting) {
        const uint32_t low = heap_pop(s), high = s->high[low];
        uint32_t c;
        KN_PASS(best_cut(s, low, high, HUGE_VAL, &c, err));
        if (c < high) {
            KN_PASS(kn__acd_sweep_cut(s->sweep, c, s->ranges, err));
            s->cut[c] = 1;
            number(s, c, high, s->ranges++);
            heap_push(s, low, c);
            heap_push(s, c, high);
        }
        KN_PASS(kn__run_step(s->run, "acd", -1, err));
    }
    return KN_OK;
}

static kn_status split_all(split_search *s, const uint8_t *allowed, kn_error *err)
{
    s->allowed = allowed;
    s->waiting = 0;
    for (uint32_t low = 0, high; low < s->p->points; low = high) {
        high = kn__acd_high(s->p, s->cut, low);
        heap_push(s, low, high);
    }
    return split_waiting(s, err);
}

/* ---- moving borders ---- */

/* Numbers in use only, in order. */
static void renumber(split_search *s)
{
    s->ranges = 0;
    for (uint32_t i = 0; i < s->p->points; i++) {
        s->ranges += s->cut[i] != 0;
        s->range_of[i] = s->ranges - 1;
    }
}

/* Move each cut in turn to where the two ranges beside it cost least. */
static kn_status move_borders(split_search *s, kn_error *err)
{
    const kn_acd_points *p = s->p;

    s->allowed = NULL;
    memset(s->bad, 0, p->points); /* joining ranges may make any cut good */
    kn__acd_sweep_forget(s->sweep);
    for (uint32_t low = 0, c = kn__acd_high(p, s->cut, 0), best; c < p->points; low = best) {
        const uint32_t high = kn__acd_high(p, s->cut, c), right = s->range_of[c];
        number(s, c, high, s->range_of[low]);
        KN_PASS(best_cut(s, low, high, cost_of_two(p, low, c, high), &best, err));
        best = best < high ? best : c;
        s->cut[c] = 0;
        s->cut[best] = 1;
        number(s, best, high, right);
        c = high;
        KN_PASS(kn__run_step(s->run, "acd", -1, err));
    }
    return KN_OK;
}

/* ---- the search ---- */

static void close_search(split_search *s)
{
    kn__acd_sweep_free(s->sweep);
    kn__arena_clear(&s->arena);
}

static kn_status open_search(split_search *s, const kn_acd_points *p, uint8_t *cut,
                             const kn_run *run, kn_error *err)
{
    *s = (split_search){.p = p, .run = run};
    s->cut = cut;
    s->bad = kn__arena_zeros(&s->arena, p->points, 1);
    s->good = kn__arena_take(&s->arena, p->points, 1);
    s->start = kn__arena_take(&s->arena, p->points, 1);
    s->range_of = kn__arena_zeros(&s->arena, p->points, sizeof *s->range_of);
    s->heap = kn__arena_take(&s->arena, p->points, sizeof *s->heap);
    s->high = kn__arena_take(&s->arena, p->points, sizeof *s->high);
    s->cost = kn__arena_take(&s->arena, p->points, sizeof *s->cost);
    if (s->arena.failed) {
        return kn__nomem(err);
    }
    return kn__acd_sweep_new(&s->sweep, p, err);
}

/* From one range on: first the cuts of `start` (may be NULL), then all. */
static kn_status first_splits(split_search *s, const uint8_t *start, kn_error *err)
{
    if (start) {
        memcpy(s->start, start, s->p->points);
    }
    memset(s->cut, 0, s->p->points);
    s->cut[0] = 1;
    s->ranges = 1;
    KN_PASS(kn__acd_sweep_begin(s->sweep, err));
    if (start) {
        KN_PASS(split_all(s, s->start, err));
    }
    return split_all(s, NULL, err);
}

/* Gains below this share are not worth another round. */
static bool worth_it(double loss, double before)
{
    return loss < before * 0.999;
}

/* Move all borders, up to `moves` times. */
static kn_status improve_borders(split_search *s, int moves, kn_error *err)
{
    double loss = kn__acd_total(s->p, s->cut), before;

    renumber(s);
    for (int move = 0; move < moves; move++) {
        before = loss;
        KN_PASS(move_borders(s, err));
        loss = kn__acd_total(s->p, s->cut);
        if (!worth_it(loss, before)) {
            break;
        }
    }
    return KN_OK;
}

kn_status kn__acd_split(const kn_acd_points *p, const uint8_t *start, int rounds, int moves,
                        uint8_t *cut, const kn_run *run, kn_error *err)
{
    split_search s;
    double loss, before;
    kn_status status;

    KN_TRY(open_search(&s, p, cut, run, err));
    KN_TRY(first_splits(&s, start, err));
    loss = kn__acd_total(p, cut);
    for (int round = 0; round < rounds; round++) {
        before = loss;
        KN_TRY(improve_borders(&s, moves, err));
        KN_TRY(split_all(&s, NULL, err));
        loss = kn__acd_total(p, cut);
        if (!worth_it(loss, before)) {
            break;
        }
    }
done:
    close_search(&s);
    return status;
}
