/* acd_split.c - from one range for all values to ranges that can be split no further, then better
 * ones.
 *
 * What makes this work: a partition that satisfies the guarantee does so with any of its cuts taken
 * away, since joining ranges lowers no support. So a cut that is bad once stays bad while others
 * are added, every good partition can be reached one cut at a time, and when no cut is left to try
 * the partition is maximal. Taking a cut away may make others good again: that is how borders move.
 */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/numbers/acd_sweep.h"

#include <math.h>
#include <string.h>

enum { MOST_WORKERS = 16, MOST_AT_ONCE = 64 };

/* Ranges in turn that could not be split before several are looked at together: those that come
 * before one that can be split are all that is gained. And borders move so often that judging
 * the next one meanwhile gains less than it costs, unless there are more workers than this. */
enum { PATIENCE = 4, FEW_WORKERS = 2 };

typedef struct splitting {
    const kn_acd_points *p;
    const kn_run *run;
    unsigned workers;
    kn_acd_sweep *sweep[MOST_WORKERS]; /* the first one makes the cuts */
    uint8_t *cut;
    uint8_t *bad;           /* by point: no range may begin there as long as cuts are only added */
    const uint8_t *allowed; /* by point: cuts to try; NULL: all */
    uint8_t *good[2];       /* by point: of the ranges being swept; two, so that they may overlap */
    uint32_t *range_of;     /* by point */
    uint32_t ranges;        /* numbers given; those of ranges that were joined are not used again */
    /* Ranges to split, the costliest first: a heap of their first points. */
    uint32_t *heap, *high; /* `high` by first point */
    double *cost;          /* likewise */
    size_t waiting;
} splitting;

/* ---- ranges that wait ---- */

static bool before(const splitting *s, uint32_t x, uint32_t y)
{
    return s->cost[x] > s->cost[y] || (s->cost[x] == s->cost[y] && x < y);
}

static void put(splitting *s, uint32_t low, uint32_t high)
{
    size_t i = s->waiting++;

    s->high[low] = high;
    s->cost[low] = kn__acd_cost(s->p, low, high);
    while (i && before(s, low, s->heap[(i - 1) / 2])) {
        s->heap[i] = s->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    s->heap[i] = low;
}

static uint32_t take(splitting *s)
{
    const uint32_t top = s->heap[0], last = s->heap[--s->waiting];
    size_t i = 0, child;

    while ((child = 2 * i + 1) < s->waiting) {
        child += child + 1 < s->waiting && before(s, s->heap[child + 1], s->heap[child]);
        if (!before(s, s->heap[child], last)) {
            break;
        }
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = last;
    return top;
}

/* ---- splitting ---- */

static bool may_try(const splitting *s, uint32_t c)
{
    return !s->bad[c] && (!s->allowed || s->allowed[c]);
}

static double cost_of_two(const kn_acd_points *p, uint32_t low, uint32_t c, uint32_t high)
{
    return kn__acd_cost(p, low, c) + kn__acd_cost(p, c, high);
}

/* The cheapest cut of low..high-1 that may be good, or `high`. */
static uint32_t cheapest(const splitting *s, const uint8_t *good, uint32_t low, uint32_t high)
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

/* The best good cut of low..high-1 that makes it cheaper than `most`, or `high`. Without such
 * a limit bad ones are noted. */
static kn_status best_cut(const splitting *s, kn_acd_sweep *sweep, uint8_t *good, uint32_t low,
                          uint32_t high, double most, uint32_t *best, kn_error *err)
{
    bool any = false, fine = false;
    kn_status status;

    *best = high;
    for (uint32_t c = low + 1; c < high; c++) {
        good[c] = may_try(s, c) && cost_of_two(s->p, low, c, high) < most;
        any = any || good[c];
    }
    if (!any) {
        return KN_OK;
    }
    status = kn__acd_sweep_range(sweep, s->range_of, s->ranges, low, high, good + low, err);
    while (status == KN_OK && !fine && (*best = cheapest(s, good, low, high)) < high) {
        status = kn__acd_sweep_across(sweep, *best, &fine, err);
    }
    for (uint32_t c = low + 1; status == KN_OK && isinf(most) && c < high; c++) {
        s->bad[c] = s->bad[c] || (may_try(s, c) && !good[c]);
    }
    return status;
}

static void number(splitting *s, uint32_t low, uint32_t high, uint32_t range)
{
    for (uint32_t i = low; i < high; i++) {
        s->range_of[i] = range;
    }
}

/* Begin a range at c, inside the one that ends at `high`. */
static void make_cut(splitting *s, uint32_t c, uint32_t high)
{
    s->cut[c] = 1;
    number(s, c, high, s->ranges++);
}

/* Split the costliest range that waits; `*cut` says whether it could be. */
static kn_status split_one(splitting *s, bool *cut, kn_error *err)
{
    const uint32_t low = take(s), high = s->high[low];
    uint32_t c;
    kn_status status = best_cut(s, s->sweep[0], s->good[0], low, high, HUGE_VAL, &c, err);

    *cut = c < high;
    if (status == KN_OK && *cut) {
        status = kn__acd_sweep_cut(s->sweep[0], c, s->ranges, err);
    }
    if (status == KN_OK && *cut) {
        make_cut(s, c, high);
        put(s, low, c);
        put(s, c, high);
    }
    return status;
}

typedef struct sifting {
    const splitting *s;
    uint32_t low[MOST_AT_ONCE];
    bool cut[MOST_AT_ONCE];
    kn_status status[MOST_AT_ONCE];
} sifting;

static void sift_some(void *user, unsigned worker, size_t begin, size_t end)
{
    sifting *x = user;

    for (size_t i = begin; i < end; i++) {
        const uint32_t low = x->low[i], high = x->s->high[low];
        uint32_t c;
        x->status[i] = best_cut(x->s, x->s->sweep[worker], x->s->good[0], low, high, HUGE_VAL, &c,
                                NULL);
        x->cut[i] = c < high;
    }
}

/* Judge the `count` costliest ranges on all threads, and let those wait on that can be split. What
 * is bad now would be bad in their turn, too. */
static kn_status sift(splitting *s, size_t count, bool *cut, kn_error *err)
{
    sifting x = {.s = s};

    *cut = false;
    for (size_t i = 0; i < count; i++) {
        x.low[i] = take(s);
    }
    kn__parallel_for(s->workers, count, 1, sift_some, &x);
    for (size_t i = 0; i < count; i++) {
        if (x.status[i] != KN_OK) {
            return kn__nomem(err);
        }
        if (x.cut[i]) {
            put(s, x.low[i], s->high[x.low[i]]);
            *cut = true;
        }
    }
    return KN_OK;
}

/* Split all ranges that wait until no cut is left to try. When several in turn could not be split,
 * more and more are looked at together. */
static kn_status split_waiting(splitting *s, kn_error *err)
{
    size_t together = 1, in_vain = 0;
    kn_status status = KN_OK;

    while (status == KN_OK && s->waiting) {
        const size_t count = together < s->waiting ? together : s->waiting;
        bool cut;
        status = count > 1 ? sift(s, count, &cut, err) : split_one(s, &cut, err);
        in_vain = cut ? 0 : in_vain + count;
        together = s->workers < 2 || in_vain < PATIENCE ? 1
                   : together < MOST_AT_ONCE            ? 2 * together
                                                        : together;
        if (status == KN_OK) {
            status = kn__run_step(s->run, "acd", -1, err);
        }
    }
    return status;
}

static kn_status split_all(splitting *s, const uint8_t *allowed, kn_error *err)
{
    s->allowed = allowed;
    s->waiting = 0;
    for (uint32_t low = 0, high; low < s->p->points; low = high) {
        high = kn__acd_high(s->p, s->cut, low);
        put(s, low, high);
    }
    return split_waiting(s, err);
}

/* ---- moving borders ---- */

/* Numbers in use only, in order. */
static void renumber(splitting *s)
{
    s->ranges = 0;
    for (uint32_t i = 0; i < s->p->points; i++) {
        s->ranges += s->cut[i] != 0;
        s->range_of[i] = s->ranges - 1;
    }
}

/* Cuts that follow each other: the one at c[i] parts low[i]..high[i]-1, and best[i] is where it
 * would cost least, if the others stay. */
typedef struct moving {
    const splitting *s;
    size_t count;
    uint32_t low[MOST_AT_ONCE], c[MOST_AT_ONCE], high[MOST_AT_ONCE], best[MOST_AT_ONCE];
    kn_status status[MOST_AT_ONCE];
} moving;

static void judge_moves(void *user, unsigned worker, size_t begin, size_t end)
{
    moving *x = user;
    const splitting *s = x->s;

    for (size_t i = begin; i < end; i++) {
        const uint32_t low = x->low[i], c = x->c[i], high = x->high[i];
        /* What the next one but one parts begins where this ends. */
        x->status[i] = best_cut(s, s->sweep[worker], s->good[i % 2], low, high,
                                cost_of_two(s->p, low, c, high), &x->best[i], NULL);
        x->best[i] = x->best[i] < high ? x->best[i] : c;
    }
}

/* Of the cuts judged, move the first that is to be moved: those behind it must be judged again.
 * `*low` and `*c` go on to what comes next. */
static kn_status move_first(splitting *s, const moving *x, uint32_t *low, uint32_t *c, bool *moved,
                            kn_error *err)
{
    *moved = false;
    for (size_t i = 0; i < x->count && !*moved; i++) {
        const uint32_t best = x->best[i], left = s->range_of[x->low[i]];
        const uint32_t right = s->range_of[x->c[i]];
        if (x->status[i] != KN_OK) {
            return kn__nomem(err);
        }
        *moved = best != x->c[i];
        s->cut[x->c[i]] = 0;
        s->cut[best] = 1;
        if (*moved) {
            number(s, x->low[i], best, left);
            number(s, best, x->high[i], right);
        }
        *low = best;
        *c = x->high[i];
    }
    return KN_OK;
}

/* Take each cut away in turn, and put it back where it costs least. As long as none is moved, more
 * and more are judged together. */
static kn_status move_borders(splitting *s, kn_error *err)
{
    const kn_acd_points *p = s->p;
    moving x = {.s = s};
    size_t together = 1;
    kn_status status = KN_OK;
    uint32_t low = 0, c = p->points ? kn__acd_high(p, s->cut, 0) : 0;

    s->allowed = NULL;
    memset(s->bad, 0, p->points); /* joining ranges may make any cut good */
    kn__acd_sweep_forget(s->sweep[0]);
    while (status == KN_OK && c < p->points) {
        bool moved;
        uint32_t next = c;
        for (x.count = 0; x.count < together && next < p->points; x.count++) {
            x.low[x.count] = x.count ? x.c[x.count - 1] : low;
            x.c[x.count] = next;
            next = x.high[x.count] = kn__acd_high(p, s->cut, next);
        }
        kn__parallel_for(s->workers, x.count, 1, judge_moves, &x);
        status = move_first(s, &x, &low, &c, &moved, err);
        together = moved || s->workers <= FEW_WORKERS ? 1
                   : together < MOST_AT_ONCE          ? 2 * together
                                                      : together;
        if (status == KN_OK) {
            status = kn__run_step(s->run, "acd", -1, err);
        }
    }
    return status;
}

static void close_splitting(splitting *s)
{
    for (unsigned i = 0; i < MOST_WORKERS; i++) {
        kn__acd_sweep_free(s->sweep[i]);
    }
    kn__free(s->bad);
    kn__free(s->range_of);
    kn__free(s->cost);
}

/* `spare` receives room for a partition; it is freed with the rest. */
static kn_status open_splitting(splitting *s, const kn_acd_points *p, uint8_t *cut,
                                const kn_run *run, uint8_t **spare, kn_error *err)
{
    const size_t room = p->points ? p->points : 1;
    const unsigned threads = kn__run_threads(run);
    kn_status status = KN_OK;

    *s = (splitting){.p = p, .run = run};
    s->cut = cut;
    s->workers = threads < MOST_WORKERS ? threads : MOST_WORKERS;
    for (unsigned i = 0; status == KN_OK && i < s->workers; i++) {
        status = kn__acd_sweep_new(&s->sweep[i], p, i ? 1 : threads, err);
    }
    s->bad = kn__zalloc_array(4 * room, 1);
    s->range_of = kn__zalloc_array(3 * room, sizeof *s->range_of);
    s->cost = kn__malloc_array(room, sizeof *s->cost);
    if (status == KN_OK && (!s->bad || !s->range_of || !s->cost)) {
        status = kn__nomem(err);
    }
    if (status == KN_OK) {
        s->good[0] = s->bad + room;
        s->good[1] = s->good[0] + room;
        *spare = s->good[1] + room;
        s->heap = s->range_of + room;
        s->high = s->heap + room;
    }
    return status;
}

/* Gains below this share are not worth another round. */
static bool worth_it(double loss, double was)
{
    return loss < was * 0.999;
}

kn_status kn__acd_split(const kn_acd_points *p, const uint8_t *start, int rounds, int moves,
                        uint8_t *cut, const kn_run *run, kn_error *err)
{
    splitting s;
    uint8_t *first;
    double loss, was, moved;
    kn_status status = open_splitting(&s, p, cut, run, &first, err);

    if (status == KN_OK && p->points) {
        if (start) {
            memcpy(first, start, p->points);
        }
        memset(cut, 0, p->points);
        s.ranges = 1;
        cut[0] = 1;
        status = kn__acd_sweep_begin(s.sweep[0], err);
        if (status == KN_OK && start) {
            status = split_all(&s, first, err);
        }
        if (status == KN_OK) {
            status = split_all(&s, NULL, err);
        }
    }
    loss = status == KN_OK ? kn__acd_total(p, cut) : 0;
    for (int round = 0; status == KN_OK && round < rounds; round++) {
        was = loss;
        renumber(&s);
        for (int move = 0; status == KN_OK && move < moves; move++) {
            moved = loss;
            status = move_borders(&s, err);
            loss = kn__acd_total(p, cut);
            if (!worth_it(loss, moved)) {
                break;
            }
        }
        if (status == KN_OK) {
            status = split_all(&s, NULL, err);
        }
        loss = kn__acd_total(p, cut);
        if (!worth_it(loss, was)) {
            break;
        }
    }
    close_splitting(&s);
    return status;
}
