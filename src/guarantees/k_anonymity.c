/* k_anonymity.c - every class has at least k records (Samarati and Sweeney, 1998). */
#include "guarantees/registry.h"
#include "guarantees/formulas.h"

#include "base/error.h"

static kn_status validate(const kn_guarantee *g, kn_error *err)
{
    if (g->k < 1) {
        return kn__fail(err, KN_EUSAGE,
                        "k-anonymity: k is 0; give k of at least 1 (2 or more to protect anyone)");
    }
    return KN_OK;
}

bool kn__k_anonymity_holds(const kn_guarantee *g, uint64_t size, double *value)
{
    if (value) {
        *value = (double)size;
    }
    return size >= g->k;
}

static bool holds(const kn_formulas *f, const kn_guarantee *g, size_t s,
                  kn_formula_scratch *scratch, double *value)
{
    (void)f;
    (void)s;
    return kn__k_anonymity_holds(g, scratch->histogram.total, value);
}

static size_t least(const kn_guarantee *g)
{
    return g->k;
}

static const kn_param k_params[] = {
    {.name = "k",
     .kind = KN_PARAM_COUNT,
     .min = 1,
     .max = KN_MOST_COUNT,
     .required = true,
     .standard = 5,
     .help = "every record looks like at least k-1 others"},
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
    .subject = KN_ABOUT_CLASSES,
    .validate = validate,
    .holds = holds,
    .least = least,
    .asked = kn__asked_k,
    .unit = kn__unit_k,
};
