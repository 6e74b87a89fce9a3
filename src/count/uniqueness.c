/* uniqueness.c - the uniqueness curve of item lists: by size, the share of the combinations of
 * items that only one person holds.
 *
 * A size is counted exactly by the walk of projection.h over all combinations of that size. Once
 * only one distinct record holds the prefix, the combinations below it are counted by a formula;
 * nearly all combinations are of this kind.
 *
 * A size for which the walk takes more than `budget` steps, and all larger ones, are estimated from
 * samples (uniqueness_sampled.h). Sets need the lists of the walk no longer then, so these are
 * freed before those of the sampler are made.
 *
 * Combinations are walked as links (see bag_items.h). */
#include "count/uniqueness.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/bag_items.h"
#include "count/itemset_sampler.h"
#include "count/postings.h"
#include "count/projection.h"
#include "count/uniqueness_sampled.h"
#include "kanon/guarantee.h"

#include <stdatomic.h>
#include <string.h>

enum { BUDGET = 1 << 26 }; /* steps (items read) per size, unless the caller says */

typedef struct worker {
    kn_projection_level levels[KN_MOST_M];
    kn_u128 combinations, alone; /* counted so far; those that one person holds */
    double *ways;                /* scratch of kn__itemset_ways */
} worker;

typedef struct curve {
    kn_bag_items *c;
    kn_postings *postings;
    size_t size, longest;
    uint64_t budget;
    atomic_uint_least64_t steps;
    atomic_bool too_much, failed; /* the budget is spent; memory is out */
    worker *workers;
    unsigned threads;
    kn_projection_level root; /* every link with its records */
    kn_set_source *source;    /* of sets, from the first sampled size on */
} curve;

/* ---- exact counts ---- */

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

/* Count all combinations of the prefix and `more` items of the only tail. */
static void add_tail(curve *v, worker *w, const kn_tail *t, size_t more)
{
    double ways;

    kn__itemset_ways(v->c, t->record, t->from, more, w->ways);
    ways = w->ways[more];
    if (ways > 1e15) { /* a double is no longer exact: sample this size */
        atomic_store(&v->too_much, true);
        return;
    }
    w->combinations += (kn_u128)ways;
    w->alone += v->c->weight[t->record] == 1 ? (kn_u128)ways : 0;
    spend(v, v->c->starts[t->record + 1] - v->c->starts[t->record] - t->from);
}

/* Count the extensions that reach the size; choose those that are still shorter. */
static bool choose(const curve *v, worker *w, kn_projection_level *l, kn_budget left)
{
    for (size_t i = 0; i < l->touched_len; i++) {
        const uint32_t link = l->touched[i];
        kn_budget rest = left;
        if (!kn__projection_spend(&v->c->lists, link, &rest)) {
            continue;
        }
        if (rest.part[0] == 0) {
            w->combinations++;
            w->alone += l->count[link] == 1;
        } else if (!kn__projection_choose(l, link)) {
            return false;
        }
    }
    return true;
}

static void visit(curve *v, worker *w, unsigned depth, const kn_tail *tails, size_t len,
                  kn_budget left)
{
    const kn_projection_lists *lists = &v->c->lists;
    kn_projection_level *l = &w->levels[depth];
    size_t steps = 0;
    bool fine;

    if (over(v)) {
        return;
    }
    if (len == 1) {
        add_tail(v, w, tails, left.part[0]);
        return;
    }
    if (!kn__projection_ready(l, v->c->links)) {
        atomic_store(&v->failed, true);
        return;
    }
    (void)kn__projection_count(lists, l, tails, len, &steps);
    spend(v, steps);
    fine = choose(v, w, l, left) && kn__projection_deal(lists, l, tails, len);
    kn__projection_reset(l);
    for (size_t i = 0; fine && i < l->chosen_len; i++) {
        const kn_extension *next = &l->chosen[i];
        kn_budget rest = left;
        (void)kn__projection_spend(lists, next->item, &rest);
        visit(v, w, depth + 1, l->dealt + next->begin, next->len, rest);
    }
    if (!fine) {
        atomic_store(&v->failed, true);
    }
}

static void visit_roots(void *user, unsigned number, size_t begin, size_t end)
{
    curve *v = user;
    worker *w = &v->workers[number];

    for (size_t i = begin; i < end; i++) {
        const kn_extension *first = &v->root.chosen[i];
        kn_budget left = {{(uint16_t)v->size}};
        if (!kn__projection_spend(&v->c->lists, first->item, &left)) {
            continue;
        }
        if (left.part[0] == 0) {
            w->combinations++;
            w->alone += first->support == 1;
        } else {
            visit(v, w, 0, v->root.dealt + first->begin, first->len, left);
        }
    }
}

/* The records of every link, for all sizes alike. */
static kn_status deal_roots(curve *v, kn_error *err)
{
    const kn_bag_items *c = v->c;
    const size_t records = c->distinct->records;
    kn_tail *all = kn__projection_all(records);
    size_t work = 0;
    bool fine = all && kn__projection_ready(&v->root, c->links);

    if (fine) {
        (void)kn__projection_count(&c->lists, &v->root, all, records, &work);
    }
    for (uint32_t link = 0; fine && link < c->links; link++) {
        fine = kn__projection_choose(&v->root, link) != NULL;
    }
    fine = fine && kn__projection_deal(&c->lists, &v->root, all, records);
    kn__free(all);
    return fine ? KN_OK : kn__nomem(err);
}

static void count_exactly(curve *v, kn_items_known *out)
{
    kn_u128 combinations = 0, alone = 0;

    atomic_store(&v->steps, 0);
    for (unsigned i = 0; i < v->threads; i++) {
        v->workers[i].combinations = v->workers[i].alone = 0;
    }
    kn__parallel_for(v->threads, v->root.chosen_len, 8, visit_roots, v);
    for (unsigned i = 0; i < v->threads; i++) {
        combinations += v->workers[i].combinations;
        alone += v->workers[i].alone;
    }
    *out = (kn_items_known){.size = v->size, .exact = true, .combinations = (double)combinations};
    out->alone = combinations ? (double)alone / (double)combinations : 0;
    out->low = out->high = out->alone;
}

/* ---- the curve ---- */

static kn_status prepare(curve *v, const kn_baskets *b, size_t most, kn_error *err)
{
    KN_PASS(kn__bag_items_new(&v->c, b, most, false, err));
    KN_PASS(kn__postings_new(&v->postings, v->c->distinct, err));
    KN_PASS(deal_roots(v, err));
    v->workers = kn__zalloc_array(v->threads, sizeof *v->workers);
    KN_PASS(v->workers ? KN_OK : kn__nomem(err));
    for (unsigned i = 0; i < v->threads; i++) {
        v->workers[i].ways = kn__malloc_array((v->longest + 1) * (most + 1),
                                              sizeof *v->workers[i].ways);
        KN_PASS(v->workers[i].ways ? KN_OK : kn__nomem(err));
    }
    return KN_OK;
}

static void clear_counting(curve *v)
{
    for (unsigned i = 0; v->workers && i < v->threads; i++) {
        for (size_t d = 0; d < KN_MOST_M; d++) {
            kn__projection_clear(&v->workers[i].levels[d]);
        }
        kn__free(v->workers[i].ways);
    }
    kn__free(v->workers);
    v->workers = NULL;
    kn__projection_clear(&v->root);
}

static void clear_lists(curve *v)
{
    kn__postings_free(v->postings);
    v->postings = NULL;
    kn__bag_items_free(v->c);
    v->c = NULL;
}

/* Estimate this size from samples. */
static kn_status estimate(curve *v, const kn_baskets *b, const kn_items_known_options *options,
                          kn_items_known *out, const kn_run *run, kn_error *err)
{
    const kn_uniqueness_plan plan = {.size = v->size,
                                     .samples = options->samples ? options->samples
                                                                 : KN_KNOWN_SAMPLES,
                                     .naive = options->naive,
                                     .seed = run ? run->seed : 0};

    clear_counting(v);
    if (b->bags) {
        return kn__uniqueness_of_bags(out, v->c, v->postings, &plan, run, err);
    }
    clear_lists(v);
    if (!v->source) {
        KN_PASS(kn__set_source_new(&v->source, b, err));
    }
    return kn__uniqueness_of_sets(out, v->source, &plan, run, err);
}

static void measure_longest(curve *v, const kn_baskets *b)
{
    for (size_t i = 0; i < b->records; i++) {
        const size_t len = (size_t)(b->starts[i + 1] - b->starts[i]);
        v->longest = len > v->longest ? len : v->longest;
    }
}

kn_status kn__uniqueness_measure(kn_items_known **out, size_t *count, const kn_baskets *b,
                                 const kn_items_known_options *options, uint64_t budget,
                                 const kn_run *run, kn_error *err)
{
    curve v = {.budget = budget ? budget : BUDGET, .threads = kn__run_threads(run)};
    kn_items_known *points = NULL;
    size_t most = options->most;
    kn_status status;

    *out = NULL;
    *count = 0;
    if (most < 1 || most > KN_MOST_M) {
        return kn__fail(err, KN_EUSAGE, "combinations of 1 to %d items can be counted, not of %zu",
                        KN_MOST_M, most);
    }
    if (options->naive && b->bags) {
        return kn__fail(err, KN_EUSAGE,
                        "the naive estimate draws items of people, and is made for sets only");
    }
    measure_longest(&v, b);
    most = most < v.longest ? most : v.longest;
    atomic_init(&v.steps, 0);
    atomic_init(&v.too_much, options->naive);
    atomic_init(&v.failed, false);
    points = kn__zalloc_array(most, sizeof *points);
    KN_TRY(points ? KN_OK : kn__nomem(err));
    KN_TRY(options->naive ? KN_OK : prepare(&v, b, most ? most : 1, err));
    for (v.size = 1; v.size <= most; v.size++) {
        KN_TRY(kn__run_step(run, "uniqueness", (double)(v.size - 1) / (double)most, err));
        if (!atomic_load(&v.too_much)) {
            count_exactly(&v, &points[v.size - 1]);
        }
        if (atomic_load(&v.failed)) {
            KN_TRY(kn__nomem(err));
        }
        if (atomic_load(&v.too_much)) {
            KN_TRY(estimate(&v, b, options, &points[v.size - 1], run, err));
        }
    }
done:
    clear_counting(&v);
    clear_lists(&v);
    kn__set_source_free(v.source);
    if (status != KN_OK) {
        kn__free(points);
        return status;
    }
    *out = points;
    *count = most;
    return KN_OK;
}
