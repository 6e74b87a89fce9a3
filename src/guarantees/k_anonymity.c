/* k_anonymity.c - every class has at least k records (Samarati and Sweeney, 1998). */
#include "guarantees/registry.h"

#include "base/error.h"

static kn_status validate(const kn_guarantee *g, kn_error *err)
{
    if (g->k < 1) {
        return kn__fail(err, KN_EUSAGE,
                        "k-anonymity: k is 0; give k of at least 1 (2 or more to protect anyone)");
    }
    return KN_OK;
}

static bool holds(const kn_formulas *f, const kn_guarantee *g, size_t s,
                  kn_formula_scratch *scratch, double *value)
{
    (void)f;
    (void)s;
    if (value) {
        *value = (double)scratch->histogram.total;
    }
    return scratch->histogram.total >= g->k;
}

static size_t least(const kn_guarantee *g)
{
    return g->k;
}

static kn_status infeasible(const kn_guarantee *g, const kn_dataset *ds, size_t records,
                            kn_error *err)
{
    (void)ds;
    if (g->k <= records) {
        return KN_OK;
    }
    (void)kn__fail(err, KN_EINFEASIBLE,
                   "k-anonymity with k = %zu cannot be met by %zu record%s: k can be at most %zu",
                   g->k, records, records == 1 ? "" : "s", records);
    return kn__about_parameter(err, KN_EINFEASIBLE, KN_ERROR_PARAMETER, "k");
}

static void describe(kn_buffer *b, const kn_guarantee *g)
{
    kn__buffer_adds(b, "k-anonymity with k = ");
    kn__say_count(b, g->k);
}

static bool json(json_t *out, const kn_guarantee *g)
{
    return kn__json_put_number(out, "k", (double)g->k);
}

static const kn_param k_params[] = {
    {.name = "k",
     .kind = KN_PARAM_COUNT,
     .min = 1,
     .max = KN_MOST_COUNT,
     .required = true,
     .standard = 5,
     .help = "by what others may know, every record looks like at least k-1 others"},
};

const kn_guarantee_row kn__k_anonymity_row = {
    .entry = {.kind = KN_ENTRY_GUARANTEE,
              .name = "k-anonymity",
              .method = "local",
              .summary =
                  "every published record shares its quasi-identifiers with at least k-1 others",
              KN_PARAMS(k_params),
              .page = "guarantees.md"},
    .kind = KN_K_ANONYMITY,
    .about = KN_ABOUT_CLASSES,
    .validate = validate,
    .holds = holds,
    .least = least,
    .infeasible = infeasible,
    .asked = kn__asked_k,
    .parameter = kn__parameter_k,
    .describe = describe,
    .claim = kn__claim_k,
    .json = json,
};
