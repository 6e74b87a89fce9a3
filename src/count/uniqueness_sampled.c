/* uniqueness_sampled.c - the share of itemsets that single out one person, from samples that are
 * uniform over the itemsets that occur, with Clopper and Pearson's interval.
 *
 * Sample number i has random numbers of its own, so the point does not depend on the threads. */
#include "count/uniqueness_sampled.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/threads.h"
#include "count/itemset_sampler.h"
#include "kanon/sampling.h"

#include <math.h>
#include <stdatomic.h>

enum {
    GRAIN = 256,          /* samples handed out at a time */
    MOST_DRAWS = 1 << 22, /* for one sample */
    LISTED_EACH = 64      /* itemsets are all counted when they are at most so many for a sample */
};

#define DOUBT 0.005 /* on either side: an interval of 99 % */

typedef struct sums {
    uint64_t alone, draws;
} sums;

typedef struct sampling {
    const kn_uniqueness_plan *plan;
    const kn_set_source *source;
    const kn_set_sampler *sets;
    const kn_bag_items *c;
    const kn_itemset_sampler *bags;
    double **ways; /* by worker */
    sums *sums;    /* by worker */
    atomic_bool rejected;
} sampling;

static void fill(kn_items_known *out, const kn_uniqueness_plan *plan, const sums *all, double pairs)
{
    const uint64_t n = plan->samples;

    *out = (kn_items_known){.size = plan->size,
                            .samples = n,
                            .draws = all->draws,
                            .naive = plan->naive,
                            .alone = (double)all->alone / (double)n,
                            .low = kn_failing_share_at_least(n, all->alone, DOUBT),
                            .high = kn_failing_share_at_most(n, all->alone, DOUBT),
                            .combinations = NAN};
    out->within = fmax(out->high - out->alone, out->alone - out->low);
    if (!plan->naive) {
        out->combinations = pairs * (double)n / (double)all->draws;
    }
}

static sums sum_up(const sampling *s, unsigned threads)
{
    sums all = {0};

    for (unsigned i = 0; i < threads; i++) {
        all.alone += s->sums[i].alone;
        all.draws += s->sums[i].draws;
    }
    return all;
}

/* ---- sets ---- */

static bool is_alone(const kn_set_source *source, const uint32_t *items, size_t size)
{
    return kn__postings_support(source->postings, items, size, source->weight, 2, NULL) == 1;
}

static void sample_sets(void *user, unsigned worker, size_t begin, size_t end)
{
    sampling *s = user;

    for (size_t i = begin; i < end; i++) {
        kn_set_sample drawn;
        kn__set_sampler_draw(s->sets, 0, i, &drawn);
        s->sums[worker].alone += is_alone(s->source, drawn.items, drawn.len);
        s->sums[worker].draws += drawn.draws;
    }
}

static void count_listed(void *user, unsigned worker, size_t begin, size_t end)
{
    sampling *s = user;

    for (size_t i = begin; i < end; i++) {
        s->sums[worker].alone += is_alone(s->source, kn__set_sampler_itemset(s->sets, i),
                                          s->plan->size);
    }
}

kn_status kn__uniqueness_of_sets(kn_items_known *out, const kn_set_source *source,
                                 const kn_uniqueness_plan *plan, const kn_run *run, kn_error *err)
{
    const unsigned threads = kn__run_threads(run);
    const kn_sampler_kind kind = plan->naive ? KN_SAMPLER_NAIVE : KN_SAMPLER_EXACT;
    sampling s = {.plan = plan, .source = source};
    kn_set_sampler *sampler = NULL;
    kn_status status;

    s.sums = kn__zalloc_array(threads, sizeof *s.sums);
    KN_TRY(s.sums ? KN_OK : kn__nomem(err));
    KN_TRY(kn__set_sampler_new(&sampler, source, kind, plan->size, plan->seed, plan->samples, run,
                               err));
    s.sets = sampler;
    const size_t listed = kn__set_sampler_listed(sampler);
    if (listed && listed / LISTED_EACH <= plan->samples) {
        KN_TRY(
            kn__parallel_steps(run, "uniqueness", threads, listed, GRAIN, count_listed, &s, err));
        const double share = (double)sum_up(&s, threads).alone / (double)listed;
        *out = (kn_items_known){.size = plan->size,
                                .exact = true,
                                .combinations = (double)listed,
                                .alone = share,
                                .low = share,
                                .high = share};
    } else {
        KN_TRY(kn__parallel_steps(run, "uniqueness", threads, (size_t)plan->samples, GRAIN,
                                  sample_sets, &s, err));
        const sums all = sum_up(&s, threads);
        fill(out, plan, &all, kn__set_source_pairs(source, plan->size));
        if (listed) {
            out->combinations = (double)listed;
        }
    }
done:
    kn__set_sampler_free(sampler);
    kn__free(s.sums);
    return status;
}

/* ---- bags ---- */

static void sample_bags(void *user, unsigned worker, size_t begin, size_t end)
{
    sampling *s = user;

    for (size_t i = begin; i < end && !atomic_load(&s->rejected); i++) {
        kn_itemset_draw drawn = {0};
        uint64_t draws = 0;
        kn_rng rng;
        kn__rng_seed(&rng, s->plan->seed, (uint64_t)s->plan->size << 48 | i);
        do {
            kn__itemset_sampler_draw(s->bags, &rng, s->ways[worker], &drawn);
            draws++;
        } while (!drawn.accepted && draws < MOST_DRAWS);
        if (!drawn.accepted) {
            atomic_store(&s->rejected, true);
        }
        s->sums[worker].draws += draws;
        s->sums[worker].alone += drawn.support == 1 && s->c->weight[drawn.record] == 1;
    }
}

kn_status kn__uniqueness_of_bags(kn_items_known *out, const kn_bag_items *c,
                                 const kn_postings *postings, const kn_uniqueness_plan *plan,
                                 const kn_run *run, kn_error *err)
{
    const unsigned threads = kn__run_threads(run);
    sampling s = {.plan = plan, .c = c};
    kn_itemset_sampler *sampler = NULL;
    kn_status status;

    atomic_init(&s.rejected, false);
    s.sums = kn__zalloc_array(threads, sizeof *s.sums);
    s.ways = kn__zalloc_array(threads, sizeof(double *));
    KN_TRY(s.sums && s.ways ? KN_OK : kn__nomem(err));
    KN_TRY(kn__itemset_sampler_new(&sampler, c, postings, plan->size, err));
    s.bags = sampler;
    for (unsigned i = 0; i < threads; i++) {
        s.ways[i] = kn__malloc_array(kn__itemset_sampler_scratch(sampler), sizeof *s.ways[i]);
        KN_TRY(s.ways[i] ? KN_OK : kn__nomem(err));
    }
    KN_TRY(kn__parallel_steps(run, "uniqueness", threads, (size_t)plan->samples, GRAIN, sample_bags,
                              &s, err));
    const sums all = sum_up(&s, threads);
    fill(out, plan, &all, kn__itemset_sampler_pairs(sampler));
    if (atomic_load(&s.rejected)) { /* combinations that nearly all records share */
        *out = (kn_items_known){.size = plan->size,
                                .alone = NAN,
                                .within = NAN,
                                .low = NAN,
                                .high = NAN,
                                .combinations = NAN};
    }
done:
    for (unsigned i = 0; s.ways && i < threads; i++) {
        kn__free(s.ways[i]);
    }
    KN_FREE(s.ways, s.sums);
    kn__itemset_sampler_free(sampler);
    return status;
}
