/* acd_optimum.c - the best partition for single values.
 *
 * A dynamic programme: best[j] is the least loss of points 0..j-1, and from[j] is where the last
 * range begins then. It may begin at any point up to last[j], since with a later beginning its
 * support is below k. The cost of a range, occurrences times width, satisfies the quadrangle
 * inequality: a later beginning that once is better stays better. So the candidates for from[j]
 * wait in a queue (concave least-weight subsequence): each has the j since which it beats the one
 * ahead of it, and `since` ascends. */
#include "methods/numbers/acd_optimum.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct programme {
    const kn_acd_points *p;
    double *best;
    uint32_t *from;
    uint32_t *last;  /* by j; KN_NO_CODE: none */
    uint32_t *queue; /* beginnings */
    uint32_t *since; /* by place in the queue */
    uint32_t head, tail;
} programme;

/* The records that hold point `q`, counted up to k. */
static size_t holders(const kn_acd_points *p, uint32_t q)
{
    size_t support = 0;

    for (uint64_t i = p->at[q]; i < p->at[q + 1] && support < p->k; i++) {
        support += p->list[p->place[i] - 1] != q;
    }
    return support;
}

/* The records that hold point `q` and nothing else of low..high. `q` is the first or the last point
 * of it, so their next entry in the other direction, `step`, shows that. */
static size_t only_by(const kn_acd_points *p, uint32_t q, uint32_t low, uint32_t high, int step)
{
    size_t support = 0;

    for (uint64_t i = p->at[q]; i < p->at[q + 1]; i++) {
        const uint32_t *entry = p->list + p->place[i];
        support += !kn__acd_within(entry[step], low, high);
    }
    return support;
}

/* Two pointers: low..j is the widest range that ends at j and has support below k. A point that k
 * records hold is enough by itself, and a few of its occurrences show that. */
static void find_last(programme *g)
{
    const kn_acd_points *p = g->p;
    size_t support = 0;
    uint32_t low = 0;

    for (uint32_t j = 1; j <= p->points; j++) {
        if (holders(p, j - 1) >= p->k) {
            low = j;
            support = 0;
        } else {
            support += only_by(p, j - 1, low, j, -1);
        }
        for (; support >= p->k; low++) {
            support -= only_by(p, low, low, j, 1);
        }
        g->last[j] = low ? low - 1 : KN_NO_CODE;
    }
}

static double loss_from(const programme *g, uint32_t from, uint32_t j)
{
    return g->best[from] + kn__acd_cost(g->p, from, j);
}

/* The first j >= `now` for which beginning at `later` is no worse than at `earlier`; points + 1 if
 * there is none. */
static uint32_t beats(const programme *g, uint32_t earlier, uint32_t later, uint32_t now)
{
    uint32_t low = now, high = g->p->points + 1;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (loss_from(g, later, middle) <= loss_from(g, earlier, middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static void enqueue(programme *g, uint32_t from, uint32_t now)
{
    uint32_t since = now;

    while (g->tail > g->head) {
        since = beats(g, g->queue[g->tail - 1], from, now);
        /* Better before the one ahead of it ever is the best: that one never will be. */
        if (g->tail - g->head > 1 && since <= g->since[g->tail - 1]) {
            g->tail--;
            continue;
        }
        break;
    }
    if (g->tail == g->head || since <= g->p->points) {
        g->queue[g->tail] = from;
        g->since[g->tail++] = since;
    }
}

static void solve(programme *g, uint8_t *cut)
{
    const uint32_t points = g->p->points;
    uint32_t next = 0; /* beginnings below are in the queue, or will never be */

    g->best[0] = 0;
    for (uint32_t j = 1; j <= points; j++) {
        for (; g->last[j] != KN_NO_CODE && next <= g->last[j]; next++) {
            if (!isinf(g->best[next])) {
                enqueue(g, next, j);
            }
        }
        while (g->tail - g->head > 1 && g->since[g->head + 1] <= j) {
            g->head++;
        }
        g->best[j] = HUGE_VAL;
        if (g->tail > g->head) {
            g->from[j] = g->queue[g->head];
            g->best[j] = loss_from(g, g->from[j], j);
        }
    }
    memset(cut, 0, points);
    for (uint32_t j = points; j > 0; j = g->from[j]) {
        cut[g->from[j]] = 1;
    }
}

kn_status kn__acd_optimum(const kn_acd_points *p, uint8_t *cut, kn_error *err)
{
    const size_t room = (size_t)p->points + 1;
    programme g = {.p = p};
    kn_status status = KN_OK;

    g.best = kn__malloc_array(room, sizeof *g.best);
    g.from = kn__malloc_array(4 * room, sizeof *g.from);
    if (!g.best || !g.from) {
        status = kn__nomem(err);
    } else {
        g.last = g.from + room;
        g.queue = g.last + room;
        g.since = g.queue + room;
        find_last(&g);
        solve(&g, cut);
    }
    KN_FREE(g.best, g.from);
    return status;
}
