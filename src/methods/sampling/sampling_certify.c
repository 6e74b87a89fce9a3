/* sampling_certify.c - certificates of a partition, and repairs where they fail.
 *
 * Attempt i spends delta / 2^i of the confidence, so that all attempts together spend no more than
 * delta. The same attempt, seed and data give the same samples when the release is read back and
 * checked: what passes here passes there. */
#include "base/error.h"
#include "base/memory.h"
#include "count/sample_size.h"
#include "guarantees/recount/certificate.h"
#include "methods/sampling/merge_choice.h"
#include "methods/sampling/sampling.h"

enum { ATTEMPTS = 8 };

typedef struct certifying {
    const kn_items_task *task;
    const kn_search_options *o;
    const kn_set_source *source;
    kn_search_state state; /* empty before the first repair */
    const uint32_t *of;    /* by item: its region */
    kn_regions *found;     /* what the search found */
    kn_baskets *release;
    kn_certifier **certifier; /* the caller's; NULL before the first attempt */
    bool holds;
    double eps; /* the largest of this attempt */
} certifying;

/* The certifier of the regions as they are. */
static kn_status prepare(certifying *c, kn_error *err)
{
    const kn_baskets *b = c->task->baskets;
    kn_certify_lists original = {b->records, b->items, b->starts, b->list, b->people}, release;

    kn__baskets_free(c->release);
    c->release = NULL;
    KN_PASS(kn__baskets_map(&c->release, b, c->of, b->items, c->task->run, err));
    release = (kn_certify_lists){c->release->records, c->release->items, c->release->starts,
                                 c->release->list, c->release->people};
    if (*c->certifier) {
        KN_PASS(kn__certifier_replace(*c->certifier, &release, c->of, err));
    } else {
        KN_PASS(kn__certifier_new(c->certifier, &original, &release, c->of, err));
    }
    return KN_OK;
}

/* Collect the itemsets of a question that failed, all of them. */
static kn_status collect(const certifying *c, const kn_certify_question *q, const uint8_t *failing,
                         uint64_t samples, kn_combinations *out, kn_error *err)
{
    for (uint64_t i = 0; i < samples; i++) {
        uint32_t items[KN_MOST_KNOWN];
        size_t count = 0;
        if (!failing[i]) {
            continue;
        }
        KN_PASS(kn__certify_sample(&count, items, *c->certifier, q, i, err));
        for (size_t j = count; j < q->size; j++) {
            items[j] = items[count - 1];
        }
        KN_PASS(kn__combinations_add(out, items, err));
    }
    return KN_OK;
}

/* The state of a search that has `regions`: every merge is made again on a new index. */
static kn_status restore(certifying *c, kn_error *err)
{
    const kn_regions *regions = c->found;
    const uint32_t n = regions->rules->items;
    uint32_t *merged = kn__malloc_array(n ? n : 1, sizeof *merged);
    kn_status status;

    KN_TRY(merged ? KN_OK : kn__nomem(err));
    KN_TRY(kn__search_state_init(&c->state, regions->rules, c->source, err));
    for (uint32_t region = 0; region < n; region++) {
        if (regions->of[region] == region && regions->size[region] > 1) {
            size_t count = 0;
            uint32_t at = region;
            do {
                merged[count++] = at;
                at = regions->next[at];
            } while (at != region);
            KN_TRY(kn__region_index_merge(c->state.index, merged, count, region, err));
        }
    }
    kn__regions_free(c->state.regions);
    c->state.regions = NULL;
    KN_TRY(kn__regions_copy(&c->state.regions, regions, err));
    c->of = c->state.regions->of;
done:
    kn__free(merged);
    return status;
}

/* One size and attacker: certify, and merge away what failed if it does not hold. */
static kn_status ask(certifying *c, const kn_certify_question *q, kn_error *err)
{
    kn_combinations failed = {.size = q->size};
    kn_certificate answer = {0};
    uint8_t *failing = NULL;
    kn_status status = KN_OK;

    if (!kn__certify_any(*c->certifier, q)) {
        return KN_OK;
    }
    KN_TRY(kn__certify(&answer, &failing, *c->certifier, q, c->task->run, err));
    c->eps = answer.eps > c->eps ? answer.eps : c->eps;
    if (!answer.holds) {
        c->holds = false;
        KN_TRY(collect(c, q, failing, answer.samples, &failed, err));
        KN_TRY(c->state.index ? KN_OK : restore(c, err));
        for (size_t i = 0; i < failed.count; i++) {
            KN_TRY(kn__resolve(&c->state, failed.region + i * q->size, q->size, q->k, c->o->paper,
                               err));
        }
    }
done:
    kn__free(failing);
    kn__combinations_clear(&failed);
    return status;
}

static kn_status attempt_all(certifying *c, unsigned attempt, kn_error *err)
{
    const kn_guarantee *g = c->o->guarantee;
    const unsigned attackers = g->attackers ? g->attackers
                                            : KN_ATTACKER_UNIFORM | KN_ATTACKER_PERSON;

    c->holds = true;
    c->eps = 0;
    KN_PASS(prepare(c, err));
    for (size_t size = 1; size <= g->m; size++) {
        for (unsigned a = 1; a <= KN_ATTACKER_PERSON && !kn_guarantee_exact(g, size); a *= 2) {
            const double sigma = kn_guarantee_sigma(g, size);
            const kn_certify_question q = {.size = size,
                                           .k = kn_guarantee_k(g, size),
                                           .attacker = (kn_attacker)a,
                                           .sigma = sigma,
                                           .delta = g->delta > 0 ? g->delta
                                                                 : kn__sample_delta(sigma),
                                           .attempt = attempt,
                                           .seed = c->o->seed};
            if (attackers & a) {
                KN_PASS(ask(c, &q, err));
            }
        }
    }
    return KN_OK;
}

kn_status kn__sampling_certify(kn_regions **regions, const kn_items_task *task,
                               const kn_set_source *source, const kn_search_options *options,
                               kn_certifier **certifier, kn_sampling_certified *out, kn_error *err)
{
    certifying c = {.task = task,
                    .o = options,
                    .source = source,
                    .found = *regions,
                    .of = (*regions)->of,
                    .certifier = certifier};
    kn_status status = KN_OK;

    for (out->attempt = 0; !c.holds && out->attempt < ATTEMPTS;) {
        KN_TRY(attempt_all(&c, ++out->attempt, err));
    }
    out->eps = c.eps;
    if (!c.holds) {
        KN_TRY(kn__fail(err, KN_EINFEASIBLE,
                        "%d certificates in a row failed, each after what failed had been merged: "
                        "ask for a smaller sigma, k or m",
                        ATTEMPTS));
    }
    if (c.state.regions) {
        kn__regions_free(*regions);
        *regions = c.state.regions;
        c.state.regions = NULL;
    }
done:
    kn__baskets_free(c.release);
    kn__search_state_clear(&c.state);
    return status;
}
