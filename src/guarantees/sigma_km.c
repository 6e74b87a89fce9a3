/* sigma_km.c - sigma-k^m-anonymity: of the l-itemsets that occur, l = 1..m, a share sigma at least
 * has support k in the release (Acs, Achara and Castelluccia, IEEE Big Data 2015).
 *
 * sigma and k may differ by size. Vectors end with their last entry that is not 0, which all larger
 * sizes repeat. */
#include "base/error.h"
#include "guarantees/registry.h"
#include "guarantees/sigma_check.h"

#include <math.h>

double kn_guarantee_sigma(const kn_guarantee *g, size_t size)
{
    double sigma = 0;

    for (size_t i = 0; g && i < size && i < KN_MOST_KNOWN && (i == 0 || g->sigma[i] != 0); i++) {
        sigma = g->sigma[i];
    }
    return sigma;
}

size_t kn_guarantee_k(const kn_guarantee *g, size_t size)
{
    size_t k = g ? g->k : 0;

    for (size_t i = 0; g && i < size && i < KN_MOST_KNOWN && g->k_of_size[i]; i++) {
        k = g->k_of_size[i];
    }
    return k;
}

bool kn_guarantee_exact(const kn_guarantee *g, size_t size)
{
    size_t up_to;

    if (!g) {
        return false;
    }
    up_to = g->exact_up_to ? g->exact_up_to : KN_EXACT_UP_TO;
    if (g->exact_up_to == KN_SAMPLE_ALL) {
        up_to = 0;
    }
    return size <= up_to || kn_guarantee_sigma(g, size) >= 1;
}

/* ---- what may be asked ---- */

static kn_status validate_sizes(const kn_guarantee *g, kn_error *err)
{
    for (size_t size = 1; size <= g->m; size++) {
        const double sigma = kn_guarantee_sigma(g, size);
        const size_t k = kn_guarantee_k(g, size);
        if (!(sigma > 0.5 && sigma <= 1)) {
            return kn__fail(err, KN_EUSAGE,
                            "sigma-km-anonymity: sigma is %g for itemsets of size %zu; give the "
                            "share of them that must be safe, above 0.5 and at most 1",
                            sigma, size);
        }
        if (k < 1) {
            return kn__fail(err, KN_EUSAGE,
                            "sigma-km-anonymity: k is 0; give k of at least 1 (2 or more to "
                            "protect anyone)");
        }
        if (size > 1 &&
            (sigma > kn_guarantee_sigma(g, size - 1) || k > kn_guarantee_k(g, size - 1))) {
            return kn__fail(
                err, KN_EUSAGE,
                "sigma-km-anonymity: %s grows from itemsets of size %zu to those of size "
                "%zu; knowing more items is harder, so the larger sizes may ask for "
                "less, not for more",
                k > kn_guarantee_k(g, size - 1) ? "k" : "sigma", size - 1, size);
        }
        if (g->delta != 0 && sigma < 1 &&
            !(g->delta > 0 && g->delta < 0.5 && g->delta < 1 - sigma)) {
            return kn__fail(err, KN_EUSAGE,
                            "sigma-km-anonymity: delta is %g; sigma = %g leaves less than %g for "
                            "the chance that samples mislead",
                            g->delta, sigma, fmin(1 - sigma, 0.5));
        }
    }
    return KN_OK;
}

static kn_status validate(const kn_guarantee *g, kn_error *err)
{
    if (g->m < 1 || g->m > KN_MOST_KNOWN) {
        return kn__fail(err, KN_EUSAGE,
                        "sigma-km-anonymity: m is %zu; give the number of items that an attacker "
                        "may know, 1 to %d",
                        g->m, KN_MOST_KNOWN);
    }
    if (g->attackers > (KN_ATTACKER_UNIFORM | KN_ATTACKER_PERSON)) {
        return kn__fail(err, KN_EUSAGE, "sigma-km-anonymity: there is no attacker %u",
                        g->attackers);
    }
    return validate_sizes(g, err);
}

static double asked(const kn_guarantee *g)
{
    return kn_guarantee_sigma(g, g->m);
}

static const char *parameter(const kn_guarantee *g)
{
    (void)g;
    return "sigma";
}

/* ---- words ---- */

/* "20, 20 and 10": the entries up to the last that differs from the one before. */
static size_t entries_of(const kn_guarantee *g, bool of_k)
{
    size_t last = 1;

    for (size_t size = 2; size <= g->m; size++) {
        const bool same = of_k ? kn_guarantee_k(g, size) == kn_guarantee_k(g, size - 1)
                               : kn_guarantee_sigma(g, size) == kn_guarantee_sigma(g, size - 1);
        last = same ? last : size;
    }
    return last;
}

static void describe(kn_buffer *b, const kn_guarantee *g)
{
    const size_t ks = entries_of(g, true), sigmas = entries_of(g, false);

    kn__buffer_adds(b, "sigma-km-anonymity with k = ");
    for (size_t i = 1; i <= ks; i++) {
        kn__buffer_adds(b, i > 1 ? ", " : "");
        kn__say_count(b, kn_guarantee_k(g, i));
    }
    kn__buffer_adds(b, ", m = ");
    kn__say_count(b, g->m);
    kn__buffer_adds(b, " and sigma = ");
    for (size_t i = 1; i <= sigmas; i++) {
        kn__buffer_adds(b, i > 1 ? ", " : "");
        kn__say_parameter(b, kn_guarantee_sigma(g, i));
    }
}

static void say_percent(kn_buffer *b, double share)
{
    kn__say_parameter(b, ceil(share * 1e4) / 1e2);
    kn__buffer_adds(b, " %");
}

/* The combinations that were counted: all sizes up to `exact`; the larger ones were sampled. */
static void say_combinations(kn_buffer *b, const kn_guarantee *g, size_t exact, bool sampled)
{
    if ((sampled ? exact : g->m) == 1) {
        kn__buffer_adds(b, "every single item");
        return;
    }
    kn__buffer_adds(b, "every combination of ");
    if (sampled) {
        kn__buffer_adds(b, "up to ");
        kn__say_count(b, exact);
        kn__buffer_addc(b, ' ');
    }
    kn__buffer_adds(b, "items");
}

/* "every combination of up to 4 items is shared by at least 20 people, and at most 0.71 % of the
 * larger ones by fewer". */
static void claim(kn_claim *c, const kn_guarantee *g, size_t i)
{
    size_t exact = 0;
    double eps = 0, delta = 0;
    bool sampled = false;

    for (size_t j = 0; j < kn_verdict_certificates(c->verdict); j++) {
        const kn_certificate *made = kn_verdict_certificate(c->verdict, j);
        if (made->guarantee != i) {
            continue;
        }
        if (made->kind == KN_CERTIFIED_EXACT) {
            exact = made->size > exact ? made->size : exact;
        } else if (made->kind == KN_CERTIFIED_SAMPLED) {
            sampled = true;
            eps = fmax(eps, made->eps);
            delta = fmax(delta, made->delta);
        }
    }
    kn__claim_begin(c, g, false);
    if (!exact && !sampled) {
        kn__buffer_adds(c->b, "there is nothing that a person could be recognised by");
        return;
    }
    if (exact) {
        say_combinations(c->b, g, exact, sampled);
        kn__buffer_adds(c->b, " is shared by at least ");
        kn__say_things(c->b, kn_guarantee_k(g, sampled ? exact : g->m), "person", "people");
    }
    if (sampled) {
        kn__buffer_adds(c->b, exact ? ", and at most " : "at most ");
        say_percent(c->b, eps);
        kn__buffer_adds(c->b, exact ? " of the larger ones by fewer than "
                                    : " of the combinations of items are shared by fewer than ");
        kn__say_count(c->b, kn_guarantee_k(g, g->m));
        kn__buffer_adds(c->b, " (confidence ");
        kn__say_parameter(c->b, floor((1 - delta) * 1e6) / 1e4);
        kn__buffer_adds(c->b, " %)");
    }
}

static bool put_list(json_t *out, const char *key, const kn_guarantee *g, bool of_k)
{
    const size_t count = entries_of(g, of_k);
    json_t *list = json_array();

    for (size_t size = 1; list && size <= count; size++) {
        const double x = of_k ? (double)kn_guarantee_k(g, size) : kn_guarantee_sigma(g, size);
        json_t *value = of_k ? json_integer((json_int_t)x) : json_real(x);
        if (json_array_append_new(list, value) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list && json_object_set_new(out, key, list) == 0;
}

static bool put_json(json_t *out, const kn_guarantee *g)
{
    size_t exact = 0;

    while (exact < g->m && kn_guarantee_exact(g, exact + 1)) {
        exact++;
    }
    return put_list(out, "k", g, true) && kn__json_put_number(out, "m", (double)g->m) &&
           put_list(out, "sigma", g, false) &&
           kn__json_put_number(out, "exact_up_to", (double)exact);
}

static const kn_param params[] = {
    {.name = "k",
     .kind = KN_PARAM_COUNT,
     .min = 1,
     .max = KN_MOST_COUNT,
     .required = true,
     .list = true,
     .standard = 5,
     .help = "so many records hold every combination of items that occurs"},
    {.name = "m",
     .kind = KN_PARAM_COUNT,
     .min = 1,
     .max = KN_MOST_KNOWN,
     .required = true,
     .standard = 5,
     .help = "guarantees of items: how many items of a person an attacker may know"},
    {.name = "sigma",
     .kind = KN_PARAM_NUMBER,
     .min = 0.5,
     .max = 1,
     .required = true,
     .list = true,
     .standard = 0.99,
     .help =
         "sigma-km-anonymity: the share of the itemsets that must be safe, above 0.5; with commas "
         "one for each number of items, the last for all larger ones: 1,1,1,1,0.99"},
    {.name = "exact-up-to",
     .kind = KN_PARAM_COUNT,
     .min = 0,
     .max = KN_MOST_KNOWN,
     .standard = KN_EXACT_UP_TO,
     .help = "sigma-km-anonymity: count all itemsets of up to so many items, sample larger ones"},
    {.name = "attacker",
     .kind = KN_PARAM_CHOICE,
     .choices = "uniform,person|uniform|person",
     .help = "sigma-km-anonymity: who knows items: any itemset that occurs with equal chance, or "
             "random items of a random person; certified for both unless told otherwise"},
    {.name = "certificate-delta",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = 0.5,
     .help = "sigma-km-anonymity: how probable it may be that samples mislead; a twentieth of "
             "1 - sigma unless given"},
    KN_PARAM_RECOUNT,
};

const kn_guarantee_row kn__sigma_km_anonymity_row = {
    .entry = {.kind = KN_ENTRY_GUARANTEE,
              .name = "sigma-km-anonymity",
              .method = "sampling",
              .summary = "an attacker who knows up to m items of a person finds at least k records "
                         "with probability sigma",
              KN_PARAMS(params),
              .page = "sampling.md"},
    .kind = KN_SIGMA_KM_ANONYMITY,
    .about = KN_ABOUT_ITEMS,
    .original = true,
    .counts = true,
    .validate = validate,
    .check = kn__sigma_km_check,
    .asked = asked,
    .parameter = parameter,
    .describe = describe,
    .known = kn__claim_items,
    .claim = claim,
    .json = put_json,
};
