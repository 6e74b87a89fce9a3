/* acd_points.c - the different numbers of a data set with the records that hold them, and the best
 * partition for single values. */
#include "base/error.h"
#include "base/memory.h"
#include "methods/numbers/acd_search.h"
#include "methods/numbers/acd_occurrences.h"

#include <math.h>
#include <string.h>

void kn__acd_points_clear(kn_acd_points *p)
{
    kn__free(p->value);
    kn__free(p->at);
    kn__free(p->record);
    kn__free(p->own_list);
    kn__free(p->point_of);
    kn__free(p->of_length);
    kn__free(p->copies);
    kn__free(p->copies_at);
    kn__free(p->alone);
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
            return kn__fail(err, KN_EINPUT,
                            "one of the numbers is not finite: acd needs a width "
                            "for every range");
        }
        if (occurrences[i] && (p->points == 0 || value[i] != p->value[p->points - 1])) {
            if (p->points && value[i] < p->value[p->points - 1]) {
                return kn__fail(err, KN_EUSAGE,
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

/* From counts by point to where its occurrences are, and the points of the records. */
static void place_points(kn_acd_points *p)
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
}

kn_status kn__acd_list(kn_acd_points *p, kn_error *err)
{
    const kn_baskets *b = p->b;

    p->record = kn__malloc_array((size_t)b->starts[b->records], sizeof *p->record);
    if (!p->record) {
        return kn__nomem(err);
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
    return KN_OK;
}

/* How many records there are of each length. */
static kn_status count_lengths(kn_acd_points *p, kn_error *err)
{
    const uint64_t *starts = p->b->starts;
    const size_t records = p->b->records;

    for (size_t r = 0; r < records; r++) {
        const size_t len = (size_t)(starts[r + 1] - starts[r]);
        p->longest = len > p->longest ? len : p->longest;
    }
    p->of_length = kn__zalloc_array(p->longest + 1, sizeof *p->of_length);
    for (size_t r = 0; p->of_length && r < records; r++) {
        p->of_length[starts[r + 1] - starts[r]]++;
    }
    return p->of_length ? KN_OK : kn__nomem(err);
}

kn_status kn__acd_points_init(kn_acd_points *p, const kn_baskets *b, const double *value, size_t k,
                              size_t m, kn_error *err)
{
    const size_t total = (size_t)b->starts[b->records];
    uint64_t *occurrences = kn__zalloc_array(b->items, sizeof *occurrences);
    kn_status status;

    *p = (kn_acd_points){.b = b, .k = k, .bags = b->bags};
    p->value = kn__malloc_array(b->items, sizeof *p->value);
    p->at = kn__malloc_array((size_t)b->items + 1, sizeof *p->at);
    p->point_of = kn__malloc_array(b->items, sizeof *p->point_of);
    if (!occurrences || !p->value || !p->at || !p->point_of) {
        kn__free(occurrences);
        kn__acd_points_clear(p);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < total; i++) {
        occurrences[b->list[i]]++;
    }
    status = number_points(p, value, occurrences, err);
    kn__free(occurrences);
    p->list = b->list;
    if (status == KN_OK && p->points < b->items) { /* otherwise each item is a point of its own */
        p->list = p->own_list = kn__malloc_array(total, sizeof *p->own_list);
        status = p->list ? KN_OK : kn__nomem(err);
    }
    if (status == KN_OK) {
        status = count_lengths(p, err);
    }
    if (status != KN_OK) {
        kn__acd_points_clear(p);
        return status;
    }
    p->m = m < p->longest ? m : p->longest;
    keep_finite(p);
    place_points(p);
    return KN_OK;
}

kn_status kn__acd_feasible(const kn_acd_points *p, size_t m, kn_error *err)
{
    /* With one range for all, a combination of s ranges is held by the records of s items or more
     * (in sets: of one or more), and no partition does better. */
    for (size_t s = 1; s <= (p->bags ? p->m : p->m ? 1 : 0); s++) {
        size_t records = 0;
        for (size_t len = s; len <= p->longest; len++) {
            records += p->of_length[len];
        }
        const char *hold = records == 1 ? " holds" : "s hold";
        if (records < p->k && s == 1) {
            return kn__fail(err, KN_EINFEASIBLE,
                            "km-anonymity with k = %zu cannot be met: only %zu record%s any item; "
                            "k can be at most that",
                            p->k, records, hold);
        }
        if (records < p->k) {
            return kn__fail(err, KN_EINFEASIBLE,
                            "km-anonymity with k = %zu and m = %zu cannot be met by generalising: "
                            "only %zu record%s %zu items or more, and whoever knows %zu items "
                            "knows that: m can be at most %zu, or k at most %zu",
                            p->k, m, records, hold, s, s, s - 1, records);
        }
    }
    return KN_OK;
}

double kn__acd_total(const kn_acd_points *p, const uint8_t *cut)
{
    double total = 0;

    for (uint32_t low = 0, high; low < p->points; low = high) {
        high = kn__acd_high(p, cut, low);
        total += kn__acd_cost(p, low, high);
    }
    return total;
}

kn_status kn__acd_ranges(const kn_acd_points *p, const uint8_t *cut, kn_baskets **out,
                         const kn_run *run, kn_error *err)
{
    uint32_t *to = kn__malloc_array((size_t)p->b->items + p->points, sizeof *to);
    uint32_t *range = to ? to + p->b->items : NULL;
    uint32_t ranges = 0;
    kn_status status;

    *out = NULL;
    if (!to) {
        return kn__nomem(err);
    }
    for (uint32_t i = 0; i < p->points; i++) {
        ranges += cut[i] != 0;
        range[i] = ranges - 1;
    }
    for (uint32_t i = 0; i < p->b->items; i++) {
        to[i] = p->points ? range[p->point_of[i]] : 0;
    }
    status = kn__baskets_map(out, p->b, to, ranges ? ranges : 1, run, err);
    kn__free(to);
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

/* The records that hold point `q`, up to k, from the copies. */
static size_t holders(const kn_acd_points *p, uint32_t q)
{
    kn_acd_cursor c = kn__acd_occurrences(p, q);
    kn_acd_occurrence o;
    size_t support = p->alone[q];

    while (support < p->k && kn__acd_next(p, &c, &o)) {
        support += o.place == 0 || kn__acd_point(&o, o.place - 1) != q;
    }
    return support;
}

/* All of them but those with an item in points `low`..q, or in q..`high`-1. */
static size_t only_by(const kn_acd_points *p, uint32_t q, uint32_t low, uint32_t high)
{
    kn_acd_cursor c = kn__acd_occurrences(p, q);
    kn_acd_occurrence o;
    size_t support = p->alone[q];

    while (kn__acd_next(p, &c, &o)) {
        support += (o.place == 0 || kn__acd_point(&o, o.place - 1) < low) &&
                   (o.place + 1 == o.len || kn__acd_point(&o, o.place + 1) >= high);
    }
    return support;
}

/* From the copies. A point that k records hold is enough by itself, and few of its occurrences
 * show it: only those of others are all looked at. */
static void find_last_in_copies(programme *g)
{
    const kn_acd_points *p = g->p;
    size_t support = 0;
    uint32_t low = 0; /* the window low..j-1 has less than k records */

    for (uint32_t j = 1; j <= p->points; j++) {
        if (holders(p, j - 1) >= p->k) {
            low = j;
            support = 0;
        } else {
            support += only_by(p, j - 1, low, 0);
        }
        for (; support >= p->k; low++) {
            support -= only_by(p, low, UINT32_MAX, j);
        }
        g->last[j] = low ? low - 1 : KN_NO_CODE;
    }
}

static kn_status find_last(programme *g, kn_error *err)
{
    const kn_acd_points *p = g->p;
    /* By record: its items in the window. A byte each, where that is enough, stays in the cache. */
    const uint8_t width = kn__code_width(p->longest + 1);
    void *held = kn__zalloc_array(p->b->records, width);
    size_t support = 0;
    uint32_t low = 0; /* the window low..j-1 has less than k records */

    if (!held) {
        return kn__nomem(err);
    }
    for (uint32_t j = 1; j <= p->points; j++) {
        for (uint64_t i = p->at[j - 1]; i < p->at[j]; i++) {
            const uint32_t items = kn__code_get(held, width, p->record[i]);
            support += items == 0;
            kn__code_set(held, width, p->record[i], items + 1);
        }
        for (; support >= p->k; low++) {
            for (uint64_t i = p->at[low]; i < p->at[low + 1]; i++) {
                const uint32_t items = kn__code_get(held, width, p->record[i]) - 1;
                support -= items == 0;
                kn__code_set(held, width, p->record[i], items);
            }
        }
        g->last[j] = low ? low - 1 : KN_NO_CODE;
    }
    kn__free(held);
    return KN_OK;
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
        if (p->copies) {
            find_last_in_copies(&g);
        } else {
            status = find_last(&g, err);
        }
    }
    if (status == KN_OK) {
        solve(&g, cut);
    }
    kn__free(g.best);
    kn__free(g.from);
    return status;
}
