/* k_lm.c - (k,l^m)-diversity (Poulis and others, 2013, section 5): the items that are not sensitive
 * are (k,k^m)-anonymous, and an attacker who knows the class of a person and up to m of these items
 * can associate no combination of sensitive items with the person with a probability above 1/l.
 *
 * Knowing no item at all is knowledge too: the class alone must tell nothing. Of combinations of
 * sensitive items the single ones are the likeliest (count/inference.h), so only they are counted.
 */
#include "guarantees/registry.h"
#include "guarantees/k_km.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/inference.h"

#include <math.h>
#include <string.h>

static kn_status validate(const kn_guarantee *g, kn_error *err)
{
    if (!(g->l >= 1) || isinf(g->l)) {
        return kn__fail(err, KN_EUSAGE,
                        "k-lm-diversity: l is %g; give l of at least 1 (2 or more to protect "
                        "anything): no sensitive item is surer than 1/l",
                        g->l);
    }
    return kn__km_anonymity_validate(g, err);
}

typedef struct worker {
    kn_worst worst;
    size_t count;
} worker;

typedef struct inferring {
    const kn_rt *rt;
    size_t g;
    worker *workers;
} inferring;

static void found(void *user, unsigned number, const kn_inference *inference)
{
    const inferring *x = user;
    const double value = (double)inference->support / (double)inference->held;
    kn_break b = {.badness = kn__formula_badness(&x->rt->guarantees[x->g], value),
                  .value = value,
                  .size = inference->support,
                  .record = inference->record,
                  .guarantee = (uint32_t)x->g,
                  .sensitive = inference->sensitive,
                  .held = inference->held,
                  .items_count = (uint32_t)inference->size};

    for (size_t i = 0; i < inference->size; i++) {
        b.items[i] = x->rt->known->item[inference->known[i]];
    }
    kn__worst_offer(&x->workers[number].worst, &b);
    x->workers[number].count++;
}

/* The sensitive items of each record, by their codes in the column. */
static kn_status pick_sensitive(kn_baskets **out, const kn_rt *rt, kn_error *err)
{
    const uint32_t items = rt->all->items;
    uint32_t *to = kn__malloc_array(items, sizeof *to);
    kn_status status;

    KN_TRY(to ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < items; i++) {
        to[i] = rt->sensitive.is[i] ? i : KN_NO_CODE;
    }
    KN_TRY(kn__baskets_map(out, rt->all, to, items, rt->run, err));
done:
    kn__free(to);
    return status;
}

static kn_status gather(kn_rt *rt, inferring *x, unsigned threads, kn_error *err)
{
    kn_worst *all = &x->workers[0].worst;

    for (unsigned i = 0; i < threads; i++) {
        const worker *w = &x->workers[i];
        rt->v->violations += w->count;
        for (size_t b = 0; i > 0 && b < w->worst.len; b++) {
            kn__worst_offer(all, &w->worst.breaks[b]);
        }
    }
    kn__worst_sort(all);
    return kn__rt_add(rt, x->g, all, 1, err);
}

kn_status kn__rt_check_inference(kn_rt *rt, size_t g, kn_error *err)
{
    const kn_guarantee *asked = &rt->guarantees[g];
    inferring x = {.rt = rt, .g = g};
    kn_inference_task task = {.known = rt->known,
                              .groups = rt->classes,
                              .members = rt->members,
                              .begin = rt->begin,
                              .m = asked->m,
                              .l = asked->l,
                              .threads = kn__run_threads(rt->run),
                              .found = found,
                              .user = &x,
                              .risky = rt->risky};
    kn_baskets *sensitive = NULL;
    kn_status status = KN_OK;

    for (size_t size = 1; size <= asked->m; size++) {
        const double least = rt->v->sizes[g][size];
        task.least[size] = isinf(least) ? 0 : (uint32_t)least;
    }
    x.workers = kn__zalloc_array(task.threads, sizeof *x.workers);
    KN_TRY(x.workers ? pick_sensitive(&sensitive, rt, err) : kn__nomem(err));
    for (unsigned i = 0; i < task.threads; i++) {
        KN_TRY(kn__worst_init(&x.workers[i].worst, err));
    }
    task.sensitive = sensitive;
    KN_TRY(kn__inference_find(&rt->v->achieved[g], &task, rt->run, err));
    KN_TRY(gather(rt, &x, task.threads, err));
done:
    for (unsigned i = 0; x.workers && i < task.threads; i++) {
        kn__worst_clear(&x.workers[i].worst);
    }
    kn__free(x.workers);
    kn__baskets_free(sensitive);
    return status;
}

static double asked(const kn_guarantee *g)
{
    return g->l;
}

static const char *parameter(const kn_guarantee *g)
{
    (void)g;
    return "l";
}

static void describe(kn_buffer *b, const kn_guarantee *g)
{
    kn__buffer_adds(b, "k-lm-diversity with k = ");
    kn__say_count(b, g->k);
    kn__buffer_adds(b, ", l = ");
    kn__say_parameter(b, g->l);
    kn__buffer_adds(b, " and m = ");
    kn__say_count(b, g->m);
}

static void claim(kn_claim *c, const kn_guarantee *g, size_t i)
{
    const double l = kn_verdict_achieved(c->verdict, i);

    kn__claim_k(c, g, i);
    kn__buffer_adds(c->b, ", and no sensitive item can be inferred with more than ");
    kn__say_share(c->b, isfinite(l) ? 1 / l : 0);
    kn__buffer_adds(c->b, " certainty");
}

static bool json(json_t *out, const kn_guarantee *g)
{
    return kn__json_k_m(out, g) && kn__json_put_number(out, "l", g->l);
}

static const kn_param params[] = {
    KN_PARAM_ITEMS_K,
    {.name = "l",
     .kind = KN_PARAM_NUMBER,
     .min = 1,
     .max = KN_MOST_COUNT,
     .required = true,
     .standard = 2,
     .help = "no sensitive item can be inferred with a probability above 1/l"},
    KN_PARAM_ITEMS_M,
    KN_PARAM_RECOUNT,
};

const kn_guarantee_row kn__k_lm_diversity_row = {
    .entry =
        {.kind = KN_ENTRY_GUARANTEE,
         .name = "k-lm-diversity",
         .method = "rum-bound",
         .summary =
             "k-km-anonymity of the items that are not sensitive, and of the others none can be "
             "inferred with a probability above 1/l",
         KN_PARAMS(params),
         .page = "guarantees.md"},
    .kind = KN_K_LM_DIVERSITY,
    .about = KN_ABOUT_CLASSES | KN_ABOUT_ITEMS | KN_ABOUT_SENSITIVE_ITEMS,
    .validate = validate,
    .check = kn__rt_check,
    .asked = asked,
    .parameter = parameter,
    .describe = describe,
    .known = kn__claim_items,
    .claim = claim,
    .json = json,
};
