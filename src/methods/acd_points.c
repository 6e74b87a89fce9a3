/* acd_points.c - the different numbers of a data set with the records that hold them, and the best
 * partition for single values. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/acd_inside.h"

#include <math.h>
#include <string.h>

void kn_acd_points_clear(kn_acd_points *p)
{
    kn_free(p->value);
    kn_free(p->at);
    kn_free(p->record);
    kn_free(p->own_list);
    kn_free(p->point_of);
    kn_free(p->copies);
    kn_free(p->copies_at);
    kn_free(p->alone);
    *p = (kn_acd_points){0};
}

/* Number the values that occur; items of equal value are one point. */
static kn_status number_points(kn_acd_points *p, const double *value, const uint64_t *occurrences,
                               kn_error *err)
{
    const uint32_t items = p->b->items;
    uint32_t none = 0; /* items before the first point */

    for (uint32_t i = 0; i < items; i++) {
        if (occurrences[i] && !isfinite(value[i])) {
            return kn_fail(err, KN_EINPUT,
                           "one of the numbers is not finite: acd needs a width "
                           "for every range");
        }
        if (occurrences[i] && (p->points == 0 || value[i] != p->value[p->points - 1])) {
            if (p->points && value[i] < p->value[p->points - 1]) {
                return kn_fail(err, KN_EUSAGE,
                               "acd: the items are not in the order of their "
                               "numbers");
            }
            p->value[p->points] = value[i];
            p->at[p->points++] = 0;
        }
        if (p->points == 0) {
            none = i + 1;
        } else {
            p->point_of[i] = p->points - 1;
            p->at[p->points - 1] += occurrences[i];
        }
    }
    memset(p->point_of, 0, none * sizeof *p->point_of);
    return KN_OK;
}

/* Losses are widths times occurrences, and their sums must be finite. Only their proportions
 * matter, and a power of two keeps these. */
static void keep_finite(kn_acd_points *p)
{
    const double large = 0x1p900, scale = 0x1p-200;
    const uint32_t last = p->points ? p->points - 1 : 0;

    if (p->points && (p->value[last] > large || p->value[0] < -large)) {
        for (uint32_t i = 0; i < p->points; i++) {
            p->value[i] *= scale;
        }
    }
}

/* From counts by point to the lists of records by point. */
static void list_records(kn_acd_points *p)
{
    const kn_baskets *b = p->b;
    uint64_t sum = 0;

    for (uint32_t i = 0; i <= p->points; i++) {
        const uint64_t count = i < p->points ? p->at[i] : 0;
        p->at[i] = sum;
        sum += count;
    }
    for (uint64_t i = 0; p->own_list && i < b->starts[b->records]; i++) {
        p->own_list[i] = p->point_of[b->list[i]];
    }
    for (size_t r = 0; r < b->records; r++) {
        for (uint64_t i = b->starts[r]; i < b->starts[r + 1]; i++) {
            p->record[p->at[p->list[i]]++] = (uint32_t)r;
        }
    }
    for (uint32_t i = p->points; i > 0; i--) {
        p->at[i] = p->at[i - 1];
    }
    p->at[0] = 0;
}

kn_status kn_acd_points_init(kn_acd_points *p, const kn_baskets *b, const double *value, size_t k,
                             size_t m, kn_error *err)
{
    const size_t total = (size_t)b->starts[b->records];
    size_t longest = 0;
    uint64_t *occurrences = kn_zalloc_array(b->items, sizeof *occurrences);
    kn_status status;

    *p = (kn_acd_points){.b = b, .k = k, .bags = b->bags};
    p->value = kn_malloc_array(b->items, sizeof *p->value);
    p->at = kn_malloc_array((size_t)b->items + 1, sizeof *p->at);
    p->point_of = kn_malloc_array(b->items, sizeof *p->point_of);
    p->record = kn_malloc_array(total, sizeof *p->record);
    if (!occurrences || !p->value || !p->at || !p->point_of || !p->record) {
        kn_free(occurrences);
        kn_acd_points_clear(p);
        return kn_nomem(err);
    }
    for (size_t i = 0; i < total; i++) {
        occurrences[b->list[i]]++;
    }
    for (size_t r = 0; r < b->records; r++) {
        const size_t len = (size_t)(b->starts[r + 1] - b->starts[r]);
        longest = len > longest ? len : longest;
    }
    p->longest = longest;
    p->m = m < longest ? m : longest;
    status = number_points(p, value, occurrences, err);
    kn_free(occurrences);
    p->list = b->list;
    if (status == KN_OK && p->points < b->items) { /* otherwise each item is a point of its own */
        p->list = p->own_list = kn_malloc_array(total, sizeof *p->own_list);
        status = p->list ? KN_OK : kn_nomem(err);
    }
    if (status != KN_OK) {
        kn_acd_points_clear(p);
        return status;
    }
    keep_finite(p);
    list_records(p);
    return KN_OK;
}

/* Copies of this many numbers an occurrence are worth their memory. */
enum { MOST_COPIED = 16 };

/* Records by length, those of one length in their order. */
typedef struct copying {
    const kn_acd_points *p;
    uint32_t *record;
    size_t records;
    uint64_t *next; /* by point: where its next copy goes */
    unsigned workers;
} copying;

static kn_status list_by_length(copying *x, kn_error *err)
{
    const uint64_t *starts = x->p->b->starts;
    const size_t records = x->p->b->records;
    size_t *at = kn_zalloc_array(x->p->longest + 2, sizeof *at), sum = 0;

    x->record = kn_malloc_array(records, sizeof *x->record);
    if (!at || !x->record) {
        kn_free(at);
        return kn_nomem(err);
    }
    for (size_t r = 0; r < records; r++) {
        at[starts[r + 1] - starts[r]]++;
    }
    at[0] = at[1] = 0; /* those that need no copy */
    for (size_t len = 2; len <= x->p->longest; len++) {
        const size_t count = at[len];
        at[len] = sum;
        sum += count;
    }
    for (size_t r = 0; r < records; r++) {
        const uint64_t len = starts[r + 1] - starts[r];
        if (len > 1) {
            x->record[at[len]++] = (uint32_t)r;
        }
    }
    x->records = sum;
    kn_free(at);
    return KN_OK;
}

/* Every worker reads all records and writes the copies of its points, about as many as others. The
 * callers know the width beforehand. */
static inline void copy_some(const copying *x, unsigned worker, uint8_t width)
{
    const kn_acd_points *p = x->p;
    const uint64_t all = p->copies_at[p->points];
    const uint64_t first = all / x->workers * worker;
    const uint64_t last = worker + 1 < x->workers ? all / x->workers * (worker + 1) : all;

    for (size_t i = 0; i < x->records; i++) {
        const uint64_t begin = p->b->starts[x->record[i]];
        const uint32_t *list = p->list + begin;
        const uint32_t len = (uint32_t)(p->b->starts[x->record[i] + 1] - begin);
        for (uint32_t place = 0; place < len; place++) {
            const uint32_t q = list[place];
            if (p->copies_at[q] >= first && p->copies_at[q] < last) {
                const uint64_t to = x->next[q];
                kn_code_set(p->copies, width, to, len << 4 * width | place);
                for (uint32_t j = 0; j < len; j++) {
                    kn_code_set(p->copies, width, to + 1 + j, list[j]);
                }
                x->next[q] += len + 1;
            }
        }
    }
}

static void copy_points(void *user, unsigned worker)
{
    const copying *x = user;

    if (x->p->copy_width == 2) {
        copy_some(x, worker, 2);
    } else {
        copy_some(x, worker, 4);
    }
}

/* Room for the copies, and how many there are; `*worth` says whether they are worth it. */
static kn_status measure_copies(kn_acd_points *p, bool *worth, kn_error *err)
{
    const uint64_t *starts = p->b->starts;
    uint64_t room = 0;

    p->copies_at = kn_zalloc_array((size_t)p->points + 1, sizeof *p->copies_at);
    p->alone = kn_zalloc_array(p->points, sizeof *p->alone);
    if (!p->copies_at || !p->alone) {
        return kn_nomem(err);
    }
    for (size_t r = 0; r < p->b->records; r++) {
        const uint64_t len = starts[r + 1] - starts[r];
        if (len == 1) {
            p->alone[p->list[starts[r]]]++;
            continue;
        }
        room += len * (len + 1);
        for (uint64_t i = starts[r]; i < starts[r + 1]; i++) {
            p->copies_at[p->list[i] + 1] += len + 1;
        }
    }
    for (uint32_t q = 0; q < p->points; q++) {
        p->copies_at[q + 1] += p->copies_at[q];
    }
    *worth = room <= MOST_COPIED * starts[p->b->records] && p->longest <= UINT16_MAX;
    p->copy_width = p->points <= UINT16_MAX + 1u && p->longest <= UINT8_MAX ? 2 : 4;
    return KN_OK;
}

kn_status kn_acd_copy(kn_acd_points *p, unsigned threads, kn_error *err)
{
    copying x = {.p = p, .workers = threads < 4 ? threads : 4}; /* more would only read more */
    bool worth = false;
    kn_status status = measure_copies(p, &worth, err);

    if (status == KN_OK && worth) {
        status = list_by_length(&x, err);
    }
    if (status == KN_OK && worth) {
        x.next = kn_malloc_array(p->points, sizeof *x.next);
        p->copies = kn_malloc_array((size_t)p->copies_at[p->points], p->copy_width);
        status = x.next && p->copies ? KN_OK : kn_nomem(err);
    }
    if (status == KN_OK && worth) {
        memcpy(x.next, p->copies_at, p->points * sizeof *x.next);
        kn_parallel(x.workers, copy_points, &x);
    }
    kn_free(x.record);
    kn_free(x.next);
    return status;
}

kn_status kn_acd_feasible(const kn_acd_points *p, size_t m, kn_error *err)
{
    const kn_baskets *b = p->b;

    /* With one range for all, a combination of s ranges is held by the records of s items or more
     * (in sets: of one or more), and no partition does better. */
    for (size_t s = 1; s <= (p->bags ? p->m : p->m ? 1 : 0); s++) {
        size_t records = 0;
        for (size_t r = 0; r < b->records; r++) {
            records += b->starts[r + 1] - b->starts[r] >= s;
        }
        const char *hold = records == 1 ? " holds" : "s hold";
        if (records < p->k && s == 1) {
            return kn_fail(err, KN_EINFEASIBLE,
                           "km-anonymity with k = %zu cannot be met: only %zu record%s any item; "
                           "k can be at most that",
                           p->k, records, hold);
        }
        if (records < p->k) {
            return kn_fail(err, KN_EINFEASIBLE,
                           "km-anonymity with k = %zu and m = %zu cannot be met by generalising: "
                           "only %zu record%s %zu items or more, and whoever knows %zu items "
                           "knows that: m can be at most %zu, or k at most %zu",
                           p->k, m, records, hold, s, s, s - 1, records);
        }
    }
    return KN_OK;
}

double kn_acd_total(const kn_acd_points *p, const uint8_t *cut)
{
    double total = 0;

    for (uint32_t low = 0, high; low < p->points; low = high) {
        high = kn_acd_high(p, cut, low);
        total += kn_acd_cost(p, low, high);
    }
    return total;
}

kn_status kn_acd_ranges(const kn_acd_points *p, const uint8_t *cut, kn_baskets **out,
                        const kn_run *run, kn_error *err)
{
    uint32_t *to = kn_malloc_array((size_t)p->b->items + p->points, sizeof *to);
    uint32_t *range = to ? to + p->b->items : NULL;
    uint32_t ranges = 0;
    kn_status status;

    *out = NULL;
    if (!to) {
        return kn_nomem(err);
    }
    for (uint32_t i = 0; i < p->points; i++) {
        ranges += cut[i] != 0;
        range[i] = ranges - 1;
    }
    for (uint32_t i = 0; i < p->b->items; i++) {
        to[i] = p->points ? range[p->point_of[i]] : 0;
    }
    status = kn_baskets_map(out, p->b, to, ranges ? ranges : 1, run, err);
    kn_free(to);
    return status;
}

/* ---- the optimum for single values ---- */

/* best[j] is the least loss of the first j points. The last range may begin at any point up to
 * last[j], from which on its support is below k. Its loss, occurrences times width, satisfies the
 * quadrangle inequality, so a later beginning that once is better stays better: beginnings wait in
 * a queue, each with the j from which on it beats the one before it. */
typedef struct programme {
    const kn_acd_points *p;
    double *best;
    uint32_t *from;
    uint32_t *last;  /* by j; KN_NO_CODE: none */
    uint32_t *queue; /* beginnings */
    uint32_t *since; /* by place in the queue */
    uint32_t head, tail;
} programme;

static kn_status find_last(programme *g, kn_error *err)
{
    const kn_acd_points *p = g->p;
    /* By record: its items in the window. A byte each, where that is enough, stays in the cache. */
    const uint8_t width = kn_code_width(p->longest + 1);
    void *held = kn_zalloc_array(p->b->records, width);
    size_t support = 0;
    uint32_t low = 0; /* the window low..j-1 has less than k records */

    if (!held) {
        return kn_nomem(err);
    }
    for (uint32_t j = 1; j <= p->points; j++) {
        for (uint64_t i = p->at[j - 1]; i < p->at[j]; i++) {
            const uint32_t items = kn_code_get(held, width, p->record[i]);
            support += items == 0;
            kn_code_set(held, width, p->record[i], items + 1);
        }
        for (; support >= p->k; low++) {
            for (uint64_t i = p->at[low]; i < p->at[low + 1]; i++) {
                const uint32_t items = kn_code_get(held, width, p->record[i]) - 1;
                support -= items == 0;
                kn_code_set(held, width, p->record[i], items);
            }
        }
        g->last[j] = low ? low - 1 : KN_NO_CODE;
    }
    kn_free(held);
    return KN_OK;
}

static double loss_from(const programme *g, uint32_t from, uint32_t j)
{
    return g->best[from] + kn_acd_cost(g->p, from, j);
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

kn_status kn_acd_optimum(const kn_acd_points *p, uint8_t *cut, kn_error *err)
{
    const size_t room = (size_t)p->points + 1;
    programme g = {.p = p};
    kn_status status = KN_OK;

    g.best = kn_malloc_array(room, sizeof *g.best);
    g.from = kn_malloc_array(4 * room, sizeof *g.from);
    if (!g.best || !g.from) {
        status = kn_nomem(err);
    } else {
        g.last = g.from + room;
        g.queue = g.last + room;
        g.since = g.queue + room;
        status = find_last(&g, err);
    }
    if (status == KN_OK) {
        solve(&g, cut);
    }
    kn_free(g.best);
    kn_free(g.from);
    return status;
}
