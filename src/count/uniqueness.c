/* uniqueness.c - the uniqueness curve of item lists.
 *
 * Exactly: depth first as in rare.c, without its shortcuts but one: once a single different record
 * holds the prefix, the combinations below it are counted by a formula, and they are nearly all.
 *
 * By samples: a pair of a different record and a combination inside it is drawn uniformly, and kept
 * with probability 1 / (different records that hold the combination). Every combination that occurs
 * is kept equally often, so the share of the kept ones that single out one person is an unbiased
 * estimate of the share of all. No chain to mix, and draws are independent. */
#include "count/uniqueness.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/threads.h"
#include "count/bag_items.h"
#include "count/postings.h"
#include "kanon/guarantee.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum {
    SLICES = 64,     /* of the draws: each has its own random numbers, whichever thread takes it */
    DRAWS = 1024,    /* a slice */
    BUDGET = 1 << 26 /* steps */
};

typedef struct tail {
    uint32_t record, from;
} tail;

typedef struct level {
    uint32_t *count, *touched, *len; /* by link: people, -, different records */
    size_t *at;                      /* by link: where its tails go */
    size_t touched_len;
    tail *dealt;
    size_t dealt_cap;
} level;

typedef struct worker {
    level levels[KN_MOST_M];
    kn_u128 combinations, alone;
    double *ways; /* [group * (size + 1) + j]: choices of j links' worth from this group on */
    uint64_t kept, kept_alone;
} worker;

typedef struct curve {
    kn_bag_items *c;
    kn_postings *postings;
    size_t size, longest;
    uint64_t budget;
    atomic_uint_least64_t steps;
    atomic_bool too_much, failed;
    worker *workers;
    unsigned threads;
    tail *roots;        /* by occurrence, link by link */
    size_t *root_begin; /* by link, and one more */
    double *upto;       /* by different record: pairs with it or an earlier one */
    uint64_t seed;
} curve;

/* ---- choices inside one record ---- */

/* Fill w->ways for the links from `from` on, chain by chain; returns the number of chains. */
static size_t count_ways(const curve *v, double *ways, uint32_t record, uint32_t from, size_t size)
{
    const kn_bag_items *c = v->c;
    const uint32_t *at = c->list + c->starts[record] + from;
    const uint32_t *end = c->list + c->starts[record + 1];
    const size_t width = size + 1;
    size_t groups = 0, group;

    for (const uint32_t *l = at; l < end; l++) {
        groups += l == at || *l >= c->end[l[-1]];
    }
    memset(ways + groups * width, 0, width * sizeof *ways);
    ways[groups * width] = 1;
    group = groups;
    while (end > at) {
        const uint32_t *first = end - 1;
        while (first > at && c->end[first[-1]] == c->end[end[-1]]) {
            first--;
        }
        const size_t links = (size_t)(end - first);
        group--;
        for (size_t j = 0; j <= size; j++) {
            double sum = 0;
            for (size_t t = 0; t <= links && t <= j; t++) {
                sum += ways[(group + 1) * width + j - t];
            }
            ways[group * width + j] = sum;
        }
        end = first;
    }
    return groups;
}

/* ---- exactly ---- */

static bool level_ready(level *l, uint32_t links)
{
    if (!l->count) {
        l->count = kn__zalloc_array(links, sizeof *l->count);
    }
    if (!l->touched) {
        l->touched = kn__malloc_array(links, sizeof *l->touched);
    }
    if (!l->len) {
        l->len = kn__zalloc_array(links, sizeof *l->len);
    }
    if (!l->at) {
        l->at = kn__malloc_array(links, sizeof *l->at);
    }
    return l->count && l->touched && l->len && l->at;
}

static void spend(curve *v, uint64_t steps)
{
    if (atomic_fetch_add_explicit(&v->steps, steps, memory_order_relaxed) + steps > v->budget) {
        atomic_store(&v->too_much, true);
    }
}

static bool over(const curve *v)
{
    return atomic_load_explicit(&v->too_much, memory_order_relaxed) ||
           atomic_load_explicit(&v->failed, memory_order_relaxed);
}

/* All combinations of `more` items of one tail. */
static void add_tail(curve *v, worker *w, const tail *t, size_t more)
{
    double ways;

    (void)count_ways(v, w->ways, t->record, t->from, more);
    ways = w->ways[more];
    if (ways > 1e15) { /* whole numbers end: sampled instead */
        atomic_store(&v->too_much, true);
        return;
    }
    w->combinations += (kn_u128)ways;
    w->alone += v->c->weight[t->record] == 1 ? (kn_u128)ways : 0;
    spend(v, v->c->starts[t->record + 1] - v->c->starts[t->record] - t->from);
}

static void visit(curve *v, worker *w, unsigned depth, const tail *tails, size_t len, size_t size)
{
    const kn_bag_items *c = v->c;
    level *l = &w->levels[depth];
    size_t total = 0;
    uint64_t steps = 0;

    if (over(v)) {
        return;
    }
    if (len == 1) {
        add_tail(v, w, tails, v->size - size);
        return;
    }
    if (!level_ready(l, c->links)) {
        atomic_store(&v->failed, true);
        return;
    }
    l->touched_len = 0;
    for (size_t i = 0; i < len; i++) {
        const uint32_t weight = c->weight[tails[i].record];
        const uint32_t *at = c->list + c->starts[tails[i].record] + tails[i].from;
        const uint32_t *end = c->list + c->starts[tails[i].record + 1];
        steps += (uint64_t)(end - at);
        for (; at < end; at++) {
            if (l->len[*at]++ == 0) {
                l->touched[l->touched_len++] = *at;
            }
            l->count[*at] += weight;
        }
    }
    spend(v, steps);
    for (size_t i = 0; i < l->touched_len; i++) {
        const uint32_t link = l->touched[i];
        const size_t grown = size + c->times[link];
        l->at[link] = SIZE_MAX;
        if (grown == v->size) {
            w->combinations++;
            w->alone += l->count[link] == 1;
        } else if (grown < v->size) {
            l->at[link] = total;
            total += l->len[link];
        }
    }
    if (total) {
        if (kn__grow(&l->dealt, &l->dealt_cap, total, sizeof *l->dealt, NULL) != KN_OK) {
            atomic_store(&v->failed, true);
            total = 0;
        }
    }
    for (size_t i = 0; total && i < len; i++) {
        const uint32_t record = tails[i].record;
        const uint32_t *start = c->list + c->starts[record], *at = start + tails[i].from;
        const uint32_t *end = c->list + c->starts[record + 1];
        for (; at < end; at++) {
            if (l->at[*at] != SIZE_MAX) {
                const uint32_t *next = at + 1;
                while (next < end && *next < c->end[*at]) {
                    next++;
                }
                l->dealt[l->at[*at]++] = (tail){record, (uint32_t)(next - start)};
            }
        }
    }
    for (size_t i = 0; i < l->touched_len; i++) {
        const uint32_t link = l->touched[i];
        if (total && l->at[link] != SIZE_MAX) {
            visit(v, w, depth + 1, l->dealt + l->at[link] - l->len[link], l->len[link],
                  size + c->times[link]);
        }
        l->count[link] = l->len[link] = 0;
    }
}

static void visit_roots(void *user, unsigned number, size_t begin, size_t end)
{
    curve *v = user;
    worker *w = &v->workers[number];

    for (size_t link = begin; link < end; link++) {
        const size_t size = v->c->times[link];
        if (size == v->size) {
            w->combinations++;
            w->alone += v->c->support[link] == 1;
        } else if (size < v->size) {
            visit(v, w, 0, v->roots + v->root_begin[link],
                  v->root_begin[link + 1] - v->root_begin[link], size);
        }
    }
}

static kn_status list_roots(curve *v, kn_error *err)
{
    const kn_bag_items *c = v->c;
    const size_t records = c->distinct->records;

    v->root_begin = kn__zalloc_array((size_t)c->links + 2, sizeof *v->root_begin);
    v->roots = kn__malloc_array((size_t)c->starts[records], sizeof *v->roots);
    if (!v->root_begin || !v->roots) {
        return kn__nomem(err);
    }
    /* root_begin[l + 1] runs from the begin of link l to its end. */
    for (uint64_t i = 0; i < c->starts[records]; i++) {
        v->root_begin[c->list[i] + 2]++;
    }
    for (size_t l = 0; l < c->links; l++) {
        v->root_begin[l + 2] += v->root_begin[l + 1];
    }
    for (size_t i = 0; i < records; i++) {
        for (uint64_t at = c->starts[i]; at < c->starts[i + 1]; at++) {
            uint64_t next = at + 1;
            while (next < c->starts[i + 1] && c->list[next] < c->end[c->list[at]]) {
                next++;
            }
            v->roots[v->root_begin[c->list[at] + 1]++] = (tail){(uint32_t)i,
                                                                (uint32_t)(next - c->starts[i])};
        }
    }
    return KN_OK;
}

static void exactly(curve *v, kn_items_known *out)
{
    kn_u128 combinations = 0, alone = 0;

    atomic_store(&v->steps, 0);
    for (unsigned i = 0; i < v->threads; i++) {
        v->workers[i].combinations = v->workers[i].alone = 0;
    }
    kn__parallel_for(v->threads, v->c->links, 8, visit_roots, v);
    for (unsigned i = 0; i < v->threads; i++) {
        combinations += v->workers[i].combinations;
        alone += v->workers[i].alone;
    }
    *out = (kn_items_known){.size = v->size, .exact = true, .combinations = (double)combinations};
    out->alone = combinations ? (double)alone / (double)combinations : 0;
}

/* ---- by samples ---- */

static size_t pick_record(const curve *v, double at)
{
    size_t low = 0, high = v->c->distinct->records - 1;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (v->upto[middle] > at) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* A uniform combination of v->size items of the record, ascending. */
static size_t pick_items(const curve *v, worker *w, kn_rng *r, uint32_t record, uint32_t *items)
{
    const kn_bag_items *c = v->c;
    const uint32_t *at = c->list + c->starts[record], *end = c->list + c->starts[record + 1];
    const size_t width = v->size + 1;
    size_t left = v->size, len = 0;

    (void)count_ways(v, w->ways, record, 0, v->size);
    for (size_t group = 0; left && at < end; group++) {
        const double *after = w->ways + (group + 1) * width;
        const uint32_t *next = at + 1;
        double to = kn__rng_double(r) * w->ways[group * width + left];
        size_t times = 0, place;
        while (next < end && *next < c->end[*at]) {
            next++;
        }
        while (times < (size_t)(next - at) && times < left && to >= after[left - times]) {
            to -= after[left - times];
            times++;
        }
        place = len;
        while (place > 0 && items[place - 1] > c->item[*at]) {
            place--;
        }
        memmove(items + place + times, items + place, (len - place) * sizeof *items);
        for (size_t t = 0; t < times; t++) {
            items[place + t] = c->item[*at];
        }
        len += times;
        left -= times;
        at = next;
    }
    return len;
}

static void draw(void *user, unsigned number, size_t begin, size_t end)
{
    curve *v = user;
    worker *w = &v->workers[number];
    const double total = v->upto[v->c->distinct->records - 1];

    for (size_t slice = begin; slice < end; slice++) {
        kn_rng r;
        kn__rng_seed(&r, v->seed, v->size * SLICES + slice);
        for (int i = 0; i < DRAWS; i++) {
            uint32_t items[KN_MOST_M];
            const uint32_t record = (uint32_t)pick_record(v, kn__rng_double(&r) * total);
            const size_t len = pick_items(v, w, &r, record, items);
            size_t holders;
            if (len < v->size) {
                continue; /* the last of the rounding errors */
            }
            holders = kn__postings_support(v->postings, items, len, NULL, SIZE_MAX, NULL);
            if (kn__rng_below(&r, holders) == 0) {
                w->kept++;
                w->kept_alone += holders == 1 && v->c->weight[record] == 1;
            }
        }
    }
}

static void by_samples(curve *v, kn_items_known *out)
{
    uint64_t kept = 0, alone = 0;
    double sum = 0;

    for (uint32_t i = 0; i < v->c->distinct->records; i++) {
        (void)count_ways(v, v->workers[0].ways, i, 0, v->size);
        sum += v->workers[0].ways[v->size];
        v->upto[i] = sum;
    }
    for (unsigned i = 0; i < v->threads; i++) {
        v->workers[i].kept = v->workers[i].kept_alone = 0;
    }
    kn__parallel_for(v->threads, SLICES, 1, draw, v);
    for (unsigned i = 0; i < v->threads; i++) {
        kept += v->workers[i].kept;
        alone += v->workers[i].kept_alone;
    }
    *out = (kn_items_known){.size = v->size,
                            .combinations = sum * (double)kept / ((double)SLICES * DRAWS)};
    if (kept) {
        const double n = (double)kept, share = (double)alone / n;
        /* Agresti and Coull's interval: it does not shrink to nothing at 0 and 1. */
        const double middle = (share * n + 2) / (n + 4);
        out->alone = share;
        out->within = 1.96 * sqrt(middle * (1 - middle) / (n + 4));
    } else {
        out->alone = NAN;
        out->within = NAN;
    }
}

/* ---- together ---- */

static kn_status prepare(curve *v, const kn_baskets *b, size_t most, kn_error *err)
{
    kn_status status = kn__bag_items_new(&v->c, b, most, false, err);

    if (status == KN_OK) {
        status = kn__postings_new(&v->postings, v->c->distinct, err);
    }
    if (status == KN_OK) {
        status = list_roots(v, err);
    }
    if (status != KN_OK) {
        return status;
    }
    v->workers = kn__zalloc_array(v->threads, sizeof *v->workers);
    v->upto = kn__malloc_array(v->c->distinct->records, sizeof *v->upto);
    if (!v->workers || !v->upto) {
        return kn__nomem(err);
    }
    for (unsigned i = 0; i < v->threads; i++) {
        v->workers[i].ways = kn__malloc_array((v->longest + 1) * (most + 1),
                                              sizeof *v->workers[i].ways);
        if (!v->workers[i].ways) {
            return kn__nomem(err);
        }
    }
    return KN_OK;
}

static void clear(curve *v)
{
    for (unsigned i = 0; v->workers && i < v->threads; i++) {
        for (size_t d = 0; d < KN_MOST_M; d++) {
            level *l = &v->workers[i].levels[d];
            kn__free(l->count);
            kn__free(l->touched);
            kn__free(l->len);
            kn__free(l->at);
            kn__free(l->dealt);
        }
        kn__free(v->workers[i].ways);
    }
    kn__free(v->workers);
    kn__free(v->roots);
    kn__free(v->root_begin);
    kn__free(v->upto);
    kn__postings_free(v->postings);
    kn__bag_items_free(v->c);
}

kn_status kn__uniqueness_measure(kn_items_known **out, size_t *count, const kn_baskets *b,
                                 size_t most, uint64_t budget, const kn_run *run, kn_error *err)
{
    curve v = {.budget = budget ? budget : BUDGET,
               .threads = kn__run_threads(run),
               .seed = run ? run->seed : 0};
    kn_items_known *points = NULL;
    kn_status status;

    *out = NULL;
    *count = 0;
    if (most < 1 || most > KN_MOST_M) {
        return kn__fail(err, KN_EUSAGE, "combinations of 1 to %d items can be counted, not of %zu",
                        KN_MOST_M, most);
    }
    for (size_t i = 0; i < b->records; i++) {
        const size_t len = (size_t)(b->starts[i + 1] - b->starts[i]);
        v.longest = len > v.longest ? len : v.longest;
    }
    most = most < v.longest ? most : v.longest;
    atomic_init(&v.steps, 0);
    atomic_init(&v.too_much, false);
    atomic_init(&v.failed, false);
    points = kn__zalloc_array(most, sizeof *points);
    status = points ? prepare(&v, b, most ? most : 1, err) : kn__nomem(err);
    for (v.size = 1; status == KN_OK && v.size <= most; v.size++) {
        status = kn__run_step(run, "uniqueness", (double)(v.size - 1) / (double)most, err);
        if (status == KN_OK && !atomic_load(&v.too_much)) {
            exactly(&v, &points[v.size - 1]);
        }
        if (status == KN_OK && atomic_load(&v.failed)) {
            status = kn__nomem(err);
        }
        if (status == KN_OK && atomic_load(&v.too_much)) {
            by_samples(&v, &points[v.size - 1]);
        }
    }
    clear(&v);
    if (status != KN_OK) {
        kn__free(points);
        return status;
    }
    *out = points;
    *count = most;
    return KN_OK;
}
