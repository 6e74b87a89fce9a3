/* acd_paper.c - Algorithms 1 to 3 of the ACD paper, as printed.
 *
 * Structure: a partition that starts with single values. The leaves of the paper's count tree of
 * height i are the combinations of i ranges that occur; the rare ones are found by count/rare
 * instead of a tree that is kept up to date. A path goes from its most frequent range to its
 * rarest, as in the paper, so the leaf is the rarest.
 *
 * Invariant: ranges only grow, so supports only grow, and a combination that was repaired stays so.
 *
 * Technique: rare leaves are repaired one by one, by joining ranges. Where the paper is silent:
 * - Rare leaves are visited rarest first: they need the widest ranges, which repair others as well.
 * - The combined support of a node and its sibling counts the siblings between them, which are in
 *   the new range; so on either side only the nearest sibling that reaches k can be the cheapest.
 *   When neither side reaches it, ranges that grow to both sides are the candidates.
 * - NCP_j is the growth of the data set's NCP.
 * - When the root is reached and nothing was below d, the cheapest candidate of any level is taken,
 *   and when there is none, the leaf is joined to a neighbour. */
#include "methods/numbers/acd_paper.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "count/rare/rare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A range of points. */
typedef struct hull {
    uint32_t low, high;
} hull;

/* A generalisation: the ranges to make, and what it costs. */
typedef struct candidate {
    double cost; /* HUGE_VAL: there is none */
    hull range[KN_MOST_M];
    size_t ranges;
} candidate;

/* A path below the prefix, seen in one record. */
typedef struct path {
    uint32_t at[KN_MOST_M]; /* first points of its ranges */
    bool holds;             /* the record also holds the rare one */
} path;

typedef struct paper {
    kn_arena arena;
    const kn_acd_points *p;
    const kn_run *run;
    double d;
    uint8_t *cut;
    uint32_t *low;     /* by point: the first point of its range, which is the range's name */
    uint32_t *high;    /* by first point: where the range ends */
    uint32_t *support; /* by first point */
    uint32_t *first;   /* by number of the range, for repair_rare */
    uint32_t *record;  /* of point q's occurrences: record[p->at[q]..p->at[q + 1]), ascending */
    uint32_t *seen;    /* by record: the last round in which it was met */
    uint32_t round;
    uint32_t *rest; /* a record's ranges, without those of the prefix */
    /* By record of a prefix: where a range around the leaf must begin or end to hold the nearest
     * sibling on that side; KN_NO_CODE, 0: there is none. */
    hull *sibling;
    size_t sibling_cap;
    path *paths;
    size_t paths_count, paths_cap;
} paper;

/* ---- records and what they hold ---- */

/* Fill w->record. Before ranges are made, w->high counts the occurrences of a point that were met.
 */
static void list_records(paper *w)
{
    const kn_baskets *b = w->p->b;

    for (size_t r = 0; r < b->records; r++) {
        for (uint64_t i = b->starts[r]; i < b->starts[r + 1]; i++) {
            const uint32_t q = w->p->point_of[b->list[i]];
            w->record[w->p->at[q] + w->high[q]++] = (uint32_t)r;
        }
    }
}

static void next_round(paper *w)
{
    if (++w->round == 0) {
        memset(w->seen, 0, w->p->b->records * sizeof *w->seen);
        w->round = 1;
    }
}

/* Mark the record; true unless it was marked in this round. */
static bool mark(paper *w, uint32_t record)
{
    const bool first = w->seen[record] != w->round;

    w->seen[record] = w->round;
    return first;
}

/* How many records of occurrences of low..high were not marked in this round; they are now. */
static uint32_t mark_range(paper *w, uint32_t low, uint32_t high)
{
    uint32_t records = 0;

    for (uint64_t i = w->p->at[low]; i < w->p->at[high]; i++) {
        records += mark(w, w->record[i]);
    }
    return records;
}

static uint32_t support_of_range(paper *w, uint32_t low, uint32_t high)
{
    next_round(w);
    return mark_range(w, low, high);
}

/* Whether the record holds the `size` ranges (in any order); what it holds besides goes to w->rest,
 * ascending, `*rest` of them. In sets a range counts once, however many of its values there are. */
static bool holds(paper *w, uint32_t record, const uint32_t *ranges, size_t size, size_t *rest)
{
    const kn_acd_points *p = w->p;
    size_t count = 0;

    for (uint64_t i = p->b->starts[record]; i < p->b->starts[record + 1]; i++) {
        const uint32_t low = w->low[p->point_of[p->b->list[i]]];
        if (p->bags || count == 0 || w->rest[count - 1] != low) {
            w->rest[count++] = low;
        }
    }
    for (size_t j = 0; j < size; j++) {
        size_t i = 0;
        while (i < count && w->rest[i] != ranges[j]) {
            i++;
        }
        if (i == count) {
            return false;
        }
        memmove(w->rest + i, w->rest + i + 1, (count - i - 1) * sizeof *w->rest);
        count--;
    }
    *rest = count;
    return true;
}

/* The records that may hold all of some ranges: those of the rarest one, or all. */
typedef struct records {
    const uint32_t *list; /* NULL: all from `next` on */
    uint32_t next;
    size_t left;
} records;

static records records_of(paper *w, const uint32_t *ranges, size_t size)
{
    const kn_acd_points *p = w->p;
    records r = {.left = p->b->records};

    next_round(w);
    for (size_t j = 0; j < size; j++) {
        const uint64_t begin = p->at[ranges[j]], end = p->at[w->high[ranges[j]]];
        if (!r.list || end - begin < r.left) {
            r = (records){.list = w->record + begin, .left = (size_t)(end - begin)};
        }
    }
    return r;
}

/* The next of them, each once. */
static bool next_record(paper *w, records *r, uint32_t *record)
{
    while (r->left) {
        r->left--;
        *record = r->list ? *r->list++ : r->next++;
        if (mark(w, *record)) {
            return true;
        }
    }
    return false;
}

static size_t support_of(paper *w, const uint32_t *ranges, size_t size)
{
    records r = records_of(w, ranges, size);
    uint32_t record;
    size_t support = 0, rest;

    while (support < w->p->k && next_record(w, &r, &record)) {
        support += holds(w, record, ranges, size, &rest);
    }
    return support;
}

/* ---- generalising ---- */

/* Join hulls that overlap; `c` keeps disjoint ones, ascending. */
static void join_hulls(candidate *c)
{
    size_t kept = 0;

    for (size_t i = 1; i < c->ranges; i++) {
        for (size_t j = i; j > 0 && c->range[j].low < c->range[j - 1].low; j--) {
            const hull swap = c->range[j];
            c->range[j] = c->range[j - 1];
            c->range[j - 1] = swap;
        }
    }
    for (size_t i = 0; i < c->ranges; i++) {
        if (kept && c->range[i].low < c->range[kept - 1].high) {
            hull *last = &c->range[kept - 1];
            last->high = c->range[i].high > last->high ? c->range[i].high : last->high;
        } else {
            c->range[kept++] = c->range[i];
        }
    }
    c->ranges = kept;
}

/* Keep `c` if the loss grows by less than with `best`. */
static void offer(const paper *w, candidate *best, candidate *c)
{
    join_hulls(c);
    c->cost = 0;
    for (size_t i = 0; i < c->ranges; i++) {
        c->cost += kn__acd_cost(w->p, c->range[i].low, c->range[i].high);
        for (uint32_t low = c->range[i].low; low < c->range[i].high; low = w->high[low]) {
            c->cost -= kn__acd_cost(w->p, low, w->high[low]);
        }
    }
    if (c->cost < best->cost) {
        *best = *c;
    }
}

static void offer_hull(const paper *w, candidate *best, uint32_t low, uint32_t high)
{
    candidate c = {.range = {{low, high}}, .ranges = 1};

    offer(w, best, &c);
}

static void apply(paper *w, const candidate *c)
{
    for (size_t i = 0; i < c->ranges; i++) {
        const uint32_t low = c->range[i].low, high = c->range[i].high;
        for (uint32_t q = low; q < high; q++) {
            w->low[q] = low;
            w->cut[q] = q == low;
        }
        w->high[low] = high;
        w->support[low] = support_of_range(w, low, high);
    }
}

/* ---- candidates at the leaf ---- */

/* A record with nothing on the left comes last. */
static int by_low_down(const void *x, const void *y)
{
    return KN_ORDER(((const hull *)y)->low + 1, ((const hull *)x)->low + 1);
}

static int by_high_up(const void *x, const void *y)
{
    return KN_ORDER(((const hull *)x)->high - 1, ((const hull *)y)->high - 1);
}

/* Where the siblings of `leaf` stand in the records of its prefix that do not hold it. */
static kn_status find_siblings(paper *w, const uint32_t *prefix, size_t size, uint32_t leaf,
                               size_t *count, size_t *support, kn_error *err)
{
    records r = records_of(w, prefix, size);
    uint32_t record;

    *count = 0;
    *support = 0;
    while (next_record(w, &r, &record)) {
        hull found = {KN_NO_CODE, 0};
        bool has_leaf = false;
        size_t rest;
        if (!holds(w, record, prefix, size, &rest) || rest == 0) {
            continue;
        }
        for (size_t j = 0; j < rest; j++) {
            has_leaf = has_leaf || w->rest[j] == leaf;
            if (w->rest[j] < leaf) {
                found.low = w->rest[j];
            } else if (w->rest[j] > leaf && found.high == 0) {
                found.high = w->high[w->rest[j]];
            }
        }
        if (has_leaf) {
            ++*support;
            continue;
        }
        KN_PASS(kn__grow(&w->sibling, &w->sibling_cap, *count + 1, sizeof *w->sibling, err));
        w->sibling[(*count)++] = found;
    }
    return KN_OK;
}

/* Ranges that grow to both sides: for each beginning, the nearest end that reaches k. The siblings
 * are in the order of by_high_up. */
static void offer_both(paper *w, candidate *best, size_t count, size_t missing)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t low = w->sibling[i].low;
        size_t reached = 0;
        if (low == KN_NO_CODE) {
            continue;
        }
        for (size_t j = 0; j < count; j++) {
            reached += w->sibling[j].low != KN_NO_CODE && w->sibling[j].low >= low;
        }
        for (size_t j = 0; j < count && reached < missing; j++) {
            const hull *x = &w->sibling[j];
            reached += x->high && !(x->low != KN_NO_CODE && x->low >= low);
            if (x->high && reached >= missing) {
                offer_hull(w, best, low, x->high);
            }
        }
    }
}

/* Without a prefix every range is a sibling: walk from the leaf to one side until k records are
 * met. False when there are not so many. */
static bool walk_out(paper *w, candidate *best, uint32_t leaf, bool down)
{
    const kn_acd_points *p = w->p;
    hull h = {leaf, w->high[leaf]}, next = h;
    size_t support = 0;

    next_round(w);
    for (;;) {
        support += mark_range(w, next.low, next.high);
        if (support >= p->k) {
            offer_hull(w, best, h.low, h.high);
            return true;
        }
        if (down ? h.low == 0 : h.high == p->points) {
            return false;
        }
        next.low = down ? w->low[h.low - 1] : h.high;
        next.high = w->high[next.low];
        h.low = down ? next.low : h.low;
        h.high = down ? h.high : next.high;
    }
}

static kn_status at_leaf(paper *w, const uint32_t *ranges, size_t size, candidate *best,
                         kn_error *err)
{
    const uint32_t leaf = ranges[size - 1];
    size_t count, support, missing;
    bool one_side = false;
    kn_status status;

    if (size == 1) {
        const bool left = walk_out(w, best, leaf, true), right = walk_out(w, best, leaf, false);
        if (left || right) {
            return KN_OK;
        }
    }
    status = find_siblings(w, ranges, size - 1, leaf, &count, &support, err);
    if (status != KN_OK || support >= w->p->k || count < w->p->k - support) {
        return status;
    }
    missing = w->p->k - support;
    qsort(w->sibling, count, sizeof *w->sibling, by_low_down);
    if (w->sibling[missing - 1].low != KN_NO_CODE) {
        offer_hull(w, best, w->sibling[missing - 1].low, w->high[leaf]);
        one_side = true;
    }
    qsort(w->sibling, count, sizeof *w->sibling, by_high_up);
    if (w->sibling[missing - 1].high) {
        offer_hull(w, best, leaf, w->sibling[missing - 1].high);
        one_side = true;
    }
    if (!one_side) {
        offer_both(w, best, count, missing);
    }
    return KN_OK;
}

/* ---- candidates further up ---- */

static int by_path(const void *x, const void *y)
{
    return memcmp(((const path *)x)->at, ((const path *)y)->at, sizeof((const path *)x)->at);
}

static bool rarer(const paper *w, uint32_t a, uint32_t b)
{
    return w->support[a] < w->support[b] || (w->support[a] == w->support[b] && a > b);
}

/* Put ranges in the order of a path: most frequent first. */
static void order_path(const paper *w, uint32_t *ranges, size_t size)
{
    for (size_t i = 1; i < size; i++) {
        for (size_t j = i; j > 0 && rarer(w, ranges[j - 1], ranges[j]); j--) {
            const uint32_t swap = ranges[j];
            ranges[j] = ranges[j - 1];
            ranges[j - 1] = swap;
        }
    }
}

/* All paths of `size` of the `rest` ranges of a record, each once. */
static kn_status list_paths(paper *w, path *made, size_t have, size_t size, size_t from,
                            size_t rest, kn_error *err)
{
    kn_status status = KN_OK;

    if (have == size) {
        KN_TRY(kn__grow(&w->paths, &w->paths_cap, w->paths_count + 1, sizeof *w->paths, err));
        w->paths[w->paths_count] = *made;
        order_path(w, w->paths[w->paths_count++].at, size);
        goto done;
    }
    for (size_t i = from; i + (size - have) <= rest; i++) {
        if (i == from || w->rest[i] != w->rest[i - 1]) {
            made->at[have] = w->rest[i];
            KN_TRY(list_paths(w, made, have + 1, size, i + 1, rest, err));
        }
    }
    made->at[have] = 0;
done:
    return status;
}

/* Merge the last `size` nodes of the path with those of another path below the same prefix. */
static kn_status further_up(paper *w, const uint32_t *ranges, size_t all, size_t size,
                            size_t support, candidate *best, kn_error *err)
{
    const size_t prefix = all - size;
    const uint32_t *own = ranges + prefix;
    records r = records_of(w, ranges, prefix);
    uint32_t record;

    w->paths_count = 0;
    while (next_record(w, &r, &record)) {
        path made = {{0}, false};
        size_t rest;
        made.holds = holds(w, record, ranges, all, &rest);
        if (holds(w, record, ranges, prefix, &rest)) {
            KN_PASS(list_paths(w, &made, 0, size, 0, rest, err));
        }
    }
    if (w->paths_count) {
        qsort(w->paths, w->paths_count, sizeof *w->paths, by_path);
    }
    for (size_t i = 0, end; i < w->paths_count; i = end) {
        const path *q = &w->paths[i];
        candidate c = {.ranges = size};
        size_t together = support;
        for (end = i; end < w->paths_count && by_path(q, &w->paths[end]) == 0; end++) {
            together += !w->paths[end].holds;
        }
        if (together < w->p->k || memcmp(q->at, own, size * sizeof *own) == 0) {
            continue;
        }
        for (size_t j = 0; j < size; j++) {
            const uint32_t low = own[j] < q->at[j] ? own[j] : q->at[j];
            const uint32_t high = own[j] < q->at[j] ? q->at[j] : own[j];
            c.range[j] = (hull){low, w->high[high]};
        }
        offer(w, best, &c);
    }
    return KN_OK;
}

/* ---- the algorithm ---- */

/* Algorithm 3. `ranges` is a rare path. */
static kn_status find_generalizations(paper *w, const uint32_t *ranges, size_t size, size_t support,
                                      candidate *best, kn_error *err)
{
    const kn_acd_points *p = w->p;
    const double all = (double)p->at[p->points] * (p->value[p->points - 1] - p->value[0]);

    *best = (candidate){.cost = HUGE_VAL};
    for (size_t up = 1; up <= size && best->cost >= w->d * all; up++) {
        KN_PASS(up == 1 ? at_leaf(w, ranges, size, best, err)
                        : further_up(w, ranges, size, up, support, best, err));
    }
    if (isinf(best->cost)) {
        const uint32_t leaf = ranges[size - 1];
        if (leaf) {
            offer_hull(w, best, w->low[leaf - 1], w->high[leaf]);
        }
        if (w->high[leaf] < p->points) {
            offer_hull(w, best, leaf, w->high[w->high[leaf]]);
        }
    }
    return KN_OK;
}

/* Generalise until the combination of the ranges that hold these points is no longer rare. */
static kn_status repair(paper *w, const uint32_t *points, size_t size, kn_error *err)
{
    for (;;) {
        uint32_t ranges[KN_MOST_M] = {0};
        candidate best;
        size_t distinct = 0, support;
        for (size_t i = 0; i < size; i++) { /* ascending points: equal ranges are neighbours */
            const uint32_t low = w->low[points[i]];
            if (w->p->bags || distinct == 0 || ranges[distinct - 1] != low) {
                ranges[distinct++] = low;
            }
        }
        support = support_of(w, ranges, distinct);
        if (support >= w->p->k || support == 0) {
            break;
        }
        order_path(w, ranges, distinct);
        KN_PASS(find_generalizations(w, ranges, distinct, support, &best, err));
        if (isinf(best.cost)) {
            break; /* one range is left, which kn__acd_feasible allowed */
        }
        apply(w, &best);
    }
    return KN_OK;
}

/* Repair the combinations of up to `i` ranges that are rare now; `*found` says whether there were
 * any. */
static kn_status repair_rare(paper *w, size_t i, bool *found, kn_error *err)
{
    kn_baskets *ranges = NULL;
    kn_rare_list *rare = NULL;
    uint32_t count = 0, at[KN_MOST_M];
    kn_status status;

    for (uint32_t q = 0; q < w->p->points; q++) {
        w->first[count] = q;
        count += w->cut[q] != 0;
    }
    KN_TRY(kn__acd_ranges(w->p, w->cut, &ranges, w->run, err));
    KN_TRY(kn__rare_find(&rare, ranges, w->p->k, i, SIZE_MAX, w->run, err));
    *found = rare->kept > 0;
    for (size_t j = 0; j < rare->kept; j++) {
        for (size_t x = 0; x < rare->rare[j].size; x++) {
            at[x] = w->first[rare->rare[j].items[x]];
        }
        KN_TRY(repair(w, at, rare->rare[j].size, err));
        if (j % 64 == 0) {
            KN_TRY(kn__run_step(w->run, "acd", -1, err));
        }
    }
done:
    kn__rare_list_free(rare);
    kn__baskets_free(ranges);
    return status;
}

kn_status kn__acd_paper(const kn_acd_points *p, double d, uint8_t *cut, const kn_run *run,
                        kn_error *err)
{
    paper w = {.p = p, .run = run, .d = d, .cut = cut};
    kn_status status = KN_OK;

    w.low = kn__arena_zeros(&w.arena, 4 * (size_t)p->points, sizeof *w.low);
    w.record = kn__arena_take(&w.arena, (size_t)p->at[p->points], sizeof *w.record);
    w.seen = kn__arena_zeros(&w.arena, p->b->records, sizeof *w.seen);
    w.rest = kn__arena_take(&w.arena, p->longest, sizeof *w.rest);
    KN_TRY(kn__arena_check(&w.arena, err));
    w.high = w.low + p->points;
    w.support = w.high + p->points;
    w.first = w.support + p->points;
    list_records(&w);
    for (uint32_t q = 0; q < p->points; q++) {
        w.low[q] = q;
        w.high[q] = q + 1;
        w.support[q] = support_of_range(&w, q, q + 1);
        cut[q] = 1;
    }
    for (size_t i = 1; i <= p->m; i++) { /* Algorithm 2 */
        bool found;
        do {
            KN_TRY(repair_rare(&w, i, &found, err));
        } while (found);
    }
done:
    kn__arena_clear(&w.arena);
    KN_FREE(w.sibling, w.paths);
    return status;
}
