/* search.c - the passes of Algorithm 2, size by size, and its runs.
 *
 * Samples are tested in batches, on all threads, against the regions of the batch's beginning.
 * What failed is then looked at in order: the result does not depend on the number of threads. */
#include "methods/sampling/search.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/sampling/merge_choice.h"

#include <math.h>
#include <string.h>

enum {
    ATTACKERS = 2,
    CHOICES = 2, /* of merges: ours and the printed one are both tried */
    BATCH = 256,
    FEW = 64,       /* violations of a round of an exact pass: walk further in the next */
    MANY = 2048,    /* less far */
    LOOK_AHEAD = 3, /* from this size on there are few enough regions to judge larger sizes */
};
static const double most_combinations = 5e10; /* of an exact pass: half an hour */
static const double most_ahead = 1e12;        /* of a later one, which begins with fewer regions */

typedef struct search {
    const kn_search_options *o;
    const kn_set_source *source;
    kn_set_sampler *sampler[KN_MOST_KNOWN + 1][ATTACKERS]; /* NULL: that size is not sampled */
    uint64_t needed[KN_MOST_KNOWN + 1];                    /* by size: samples that have to pass */
    size_t largest; /* size: of m and the longest record the smaller one */
    bool paper;     /* merges are chosen as printed */
} search;

/* ---- exact sizes ---- */

static double combinations(double n, size_t size)
{
    double ways = 1;

    for (size_t i = 0; i < size; i++) {
        ways *= (n - (double)i) / (double)(i + 1);
    }
    return ways < 0 ? 0 : ways;
}

/* Refuse what would take days, before the passes that come first have taken hours. */
static kn_status within_reach(const search *s, const kn_search_state *state, size_t size,
                              kn_error *err)
{
    const size_t last = size < LOOK_AHEAD ? size : s->largest;

    for (size_t ahead = size; ahead <= last && kn_guarantee_exact(s->o->guarantee, ahead);
         ahead++) {
        const double least = fmin(combinations(state->regions->count, ahead),
                                  kn__set_source_pairs(s->source, ahead));
        if (least > (ahead == size ? most_combinations : most_ahead)) {
            return kn__fail(
                err, KN_EUSAGE,
                "sigma is 1 for combinations of %zu items: some %.1e combinations would have to "
                "be counted, about %.1f hours; ask for a sigma below 1 from that size on (such "
                "as --sigma 1,1,1,1,0.99), or for a smaller m",
                ahead, least, least / 3e7 / 3600);
        }
    }
    return KN_OK;
}

static kn_status resolve_all(kn_search_state *state, const kn_combinations *failing, size_t k,
                             bool paper, const kn_run *run, kn_error *err)
{
    for (size_t i = 0; i < failing->count; i++) {
        KN_PASS(
            kn__resolve(state, failing->region + i * failing->size, failing->size, k, paper, err));
        KN_PASS(i % 16 == 0 ? kn__run_step(run, "merge", 0, err) : KN_OK);
    }
    return KN_OK;
}

static kn_status exact_size(const search *s, kn_search_state *state, size_t size, const kn_run *run,
                            kn_error *err)
{
    const size_t k = kn_guarantee_k(s->o->guarantee, size);
    kn_exact_pass *pass = NULL;
    kn_combinations failing = {0};
    size_t units = 16;
    bool done = false;
    kn_status status;

    KN_TRY(within_reach(s, state, size, err));
    KN_TRY(kn__exact_pass_new(&pass, state->regions, state->index, size, k, run, err));
    while (!done) {
        KN_TRY(kn__exact_pass_round(pass, units, &failing, &done, err));
        if (failing.count < FEW) {
            units *= 2;
        } else if (failing.count > MANY && units > 1) {
            units /= 2;
        }
        KN_TRY(resolve_all(state, &failing, k, s->paper, run, err));
    }
done:
    kn__combinations_clear(&failing);
    kn__exact_pass_free(pass);
    return status;
}

/* ---- sampled sizes ---- */

typedef struct batch {
    const kn_set_sampler *sampler;
    const kn_search_state *state;
    uint64_t stream, first;
    size_t size, k, count;
    uint32_t *items; /* [i * size]: the last one is repeated where there are fewer */
    uint8_t *failed;
} batch;

static void test_samples(void *user, unsigned worker, size_t begin, size_t end)
{
    batch *b = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        uint32_t *items = b->items + i * b->size;
        kn_set_sample sample;
        kn__set_sampler_draw(b->sampler, b->stream, b->first + i, &sample);
        for (size_t j = 0; j < b->size; j++) {
            items[j] = sample.items[j < sample.len ? j : sample.len - 1];
        }
        b->failed[i] = !kn__search_passes(b->state, items, b->size, b->k);
    }
}

/* Merge away what failed in the batch; `*passed`: how many samples in a row have passed since. */
static kn_status look_at(const search *s, kn_search_state *state, const batch *b, uint64_t *passed,
                         kn_search_counts *counts, const kn_run *run, kn_error *err)
{
    for (size_t i = 0; i < b->count; i++) {
        const uint32_t *items = b->items + i * b->size;
        if (!b->failed[i] || kn__search_passes(state, items, b->size, b->k)) {
            ++*passed;
        } else {
            counts->failures++;
            KN_PASS(kn__resolve(state, items, b->size, b->k, s->paper, err));
            KN_PASS(kn__run_step(run, "merge", 0, err));
            *passed = 0;
        }
    }
    return KN_OK;
}

static kn_status sampled_size(const search *s, kn_search_state *state, size_t size, size_t attacker,
                              size_t number, const kn_run *run, kn_search_counts *counts,
                              kn_error *err)
{
    const uint64_t needed = s->needed[size];
    batch b = {.sampler = s->sampler[size][attacker],
               .state = state,
               .stream = (number * (KN_MOST_KNOWN + 1) + size) * ATTACKERS + attacker,
               .size = size,
               .k = kn_guarantee_k(s->o->guarantee, size),
               .count = BATCH};
    uint64_t passed = 0;
    kn_status status;

    b.items = kn__malloc_array(b.count, size * sizeof *b.items);
    b.failed = kn__malloc_array(b.count, 1);
    KN_TRY(b.items && b.failed ? KN_OK : kn__nomem(err));
    while (passed < needed && state->regions->count > 1) {
        KN_TRY(kn__parallel_steps(run, "sample", kn__run_threads(run), b.count, 16, test_samples,
                                  &b, err));
        counts->samples += b.count;
        b.first += b.count;
        KN_TRY(look_at(s, state, &b, &passed, counts, run, err));
    }
done:
    KN_FREE(b.items, b.failed);
    return status;
}

/* ---- what smaller m would have given ---- */

void kn__search_path_clear(kn_search_path *p)
{
    for (size_t i = 0; i <= KN_MOST_KNOWN; i++) {
        kn__regions_free(p->after[i]);
        p->after[i] = NULL;
    }
}

static kn_status path_add(kn_search_path *p, size_t size, const kn_regions *regions, kn_error *err)
{
    kn_regions *copy = NULL;

    if (p && (!p->after[size] || regions->total < p->after[size]->total)) {
        KN_PASS(kn__regions_copy(&copy, regions, err));
        kn__regions_free(p->after[size]);
        p->after[size] = copy;
    }
    return KN_OK;
}

/* Runs are taken in their order, so that the first of several with equal errors is kept. */
static kn_status path_join(kn_search_path *p, const kn_search_path *of_run, kn_error *err)
{
    for (size_t i = 0; p && i <= KN_MOST_KNOWN; i++) {
        KN_PASS(of_run->after[i] ? path_add(p, i, of_run->after[i], err) : KN_OK);
    }
    return KN_OK;
}

/* ---- runs ---- */

/* A round is a test that could be passed by luck: for each merge of each run of each choice, since
 * the best is taken afterwards. */
static kn_status prepare(search *s, const kn_region_rules *rules, size_t choices, kn_error *err)
{
    static const kn_sampler_kind kinds[ATTACKERS] = {KN_SAMPLER_EXACT, KN_SAMPLER_PERSON};
    const kn_guarantee *g = s->o->guarantee;
    const unsigned attackers = g->attackers ? g->attackers
                                            : KN_ATTACKER_UNIFORM | KN_ATTACKER_PERSON;

    s->largest = g->m < s->source->longest ? g->m : s->source->longest;
    for (size_t size = 1; size <= s->largest; size++) {
        kn_sample_size needed;
        if (kn_guarantee_exact(g, size)) {
            continue;
        }
        KN_PASS(kn_sample_size_for(&needed, s->o->rule, kn_guarantee_sigma(g, size),
                                   (uint64_t)rules->items * s->o->runs * choices, err));
        s->needed[size] = needed.samples;
        for (size_t a = 0; a < ATTACKERS; a++) {
            if (attackers >> a & 1) {
                KN_PASS(kn__set_sampler_new(&s->sampler[size][a], s->source, kinds[a], size,
                                            s->o->seed, 8 * needed.samples, s->o->run, err));
            }
        }
    }
    return KN_OK;
}

/* The sizes from `from` on. `path` may be NULL. */
static kn_status one_run(const search *s, kn_search_state *state, size_t from, size_t number,
                         const kn_run *run, kn_search_path *path, kn_search_counts *counts,
                         kn_error *err)
{
    for (size_t size = from; size <= s->largest; size++) {
        if (kn_guarantee_exact(s->o->guarantee, size)) {
            KN_PASS(exact_size(s, state, size, run, err));
        }
        for (size_t a = 0; a < ATTACKERS; a++) {
            if (s->sampler[size][a] && !kn__set_sampler_empty(s->sampler[size][a])) {
                KN_PASS(sampled_size(s, state, size, a, number, run, counts, err));
            }
        }
        KN_PASS(path_add(path, size, state->regions, err));
    }
    return KN_OK;
}

/* Runs that go on from one common start, and what each gives. */
typedef struct runs {
    const search *s;
    const kn_search_state *start;
    size_t from;
    kn_regions **regions; /* by run */
    kn_search_path *path; /* by run; NULL: not asked for */
    kn_search_counts *counts;
    kn_status *status;
    kn_error *err;
    atomic_bool stop;
} runs;

static void make_runs(void *user, unsigned worker, size_t begin, size_t end)
{
    runs *r = user;

    for (size_t i = begin; i < end; i++) {
        kn_run alone = kn__run_alone(r->s->o->run, worker, &r->stop);
        const kn_run *run = r->s->o->runs > 1 ? &alone : r->s->o->run;
        kn_search_state state = {0};
        kn_status status;
        KN_TRY(kn__search_state_copy(&state, r->start, &r->err[i]));
        KN_TRY(one_run(r->s, &state, r->from, i, run, r->path ? &r->path[i] : NULL, &r->counts[i],
                       &r->err[i]));
        r->regions[i] = state.regions;
        state.regions = NULL;
    done:
        if (status != KN_OK) {
            atomic_store(&r->stop, true);
        }
        r->status[i] = status;
        kn__search_state_clear(&state);
    }
}

/* The run that failed first; a run that was only cancelled because another failed does not count.
 */
static kn_status first_failure(const runs *r, size_t count, kn_error *err)
{
    kn_status status = KN_OK;

    for (size_t i = 0; i < count; i++) {
        if (r->status[i] != KN_OK && (status == KN_OK || status == KN_ECANCELLED)) {
            status = r->status[i];
            if (err) {
                *err = r->err[i];
            }
        }
    }
    return status;
}

static kn_status run_all(runs *r, kn_regions **out, kn_search_counts *counts, kn_error *err)
{
    const size_t count = r->s->o->runs;
    const unsigned all = kn__run_threads(r->s->o->run);
    const unsigned threads = count < all ? (unsigned)count : all;
    kn_status status;

    r->regions = kn__zalloc_array(count, sizeof(kn_regions *));
    r->counts = kn__zalloc_array(count, sizeof *r->counts);
    r->status = kn__zalloc_array(count, sizeof *r->status);
    r->err = kn__zalloc_array(count, sizeof *r->err);
    KN_TRY(r->regions && r->counts && r->status && r->err ? KN_OK : kn__nomem(err));
    if (r->s->o->path) {
        r->path = kn__zalloc_array(count, sizeof *r->path);
        KN_TRY(r->path ? KN_OK : kn__nomem(err));
    }
    atomic_init(&r->stop, false);
    kn__parallel_for(threads, count, 1, make_runs, r);
    KN_TRY(first_failure(r, count, err));
    for (size_t i = 0; i < count; i++) {
        counts->samples += r->counts[i].samples;
        counts->failures += r->counts[i].failures;
        KN_TRY(r->path ? path_join(r->s->o->path, &r->path[i], err) : KN_OK);
        counts->best = r->regions[i]->total < r->regions[counts->best]->total ? i : counts->best;
    }
    *out = r->regions[counts->best];
    r->regions[counts->best] = NULL;
done:
    for (size_t i = 0; r->regions && i < count; i++) {
        kn__regions_free(r->regions[i]);
    }
    for (size_t i = 0; r->path && i < count; i++) {
        kn__search_path_clear(&r->path[i]);
    }
    KN_FREE(r->path, r->regions, r->counts, r->status, r->err);
    return status;
}

/* All sizes with one choice of merges. */
static kn_status search_once(kn_regions **out, const search *s, const kn_region_rules *rules,
                             kn_search_counts *counts, kn_error *err)
{
    const kn_search_options *o = s->o;
    kn_search_state start = {0};
    size_t size = 1;
    kn_status status;

    *out = NULL;
    *counts = (kn_search_counts){0};
    KN_TRY(kn__search_state_init(&start, rules, s->source, err));
    for (; size <= s->largest && kn_guarantee_exact(o->guarantee, size); size++) {
        KN_TRY(exact_size(s, &start, size, o->run, err));
        KN_TRY(path_add(o->path, size, start.regions, err));
    }
    counts->exact_regions = start.regions->count;
    KN_TRY(run_all(&(runs){.s = s, .start = &start, .from = size}, out, counts, err));
done:
    kn__search_state_clear(&start);
    return status;
}

kn_status kn__search(kn_regions **out, const kn_region_rules *rules, const kn_set_source *source,
                     const kn_search_options *options, kn_search_counts *counts, kn_error *err)
{
    const bool both = !options->paper && !rules->domain;
    search s = {.o = options, .source = source, .paper = options->paper};
    kn_search_counts printed;
    kn_regions *other = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(prepare(&s, rules, both ? CHOICES : 1, err));
    KN_TRY(search_once(out, &s, rules, counts, err));
    if (both) {
        s.paper = true;
        KN_TRY(search_once(&other, &s, rules, &printed, err));
        printed.samples += counts->samples;
        printed.failures += counts->failures;
        if (other->total < (*out)->total) {
            kn__regions_free(*out);
            *out = other;
            other = NULL;
            *counts = printed;
        }
        counts->samples = printed.samples;
        counts->failures = printed.failures;
    }
done:
    kn__regions_free(other);
    for (size_t i = 0; i <= KN_MOST_KNOWN; i++) {
        for (size_t a = 0; a < ATTACKERS; a++) {
            kn__set_sampler_free(s.sampler[i][a]);
        }
    }
    if (status != KN_OK) {
        kn__regions_free(*out);
        *out = NULL;
    }
    return status;
}
