/* models/rules/recount.h - the figures and the spans of rules a second time, by plain code. */
#ifndef KN_MODELS_RULES_RECOUNT_H
#define KN_MODELS_RULES_RECOUNT_H

#include "models/bind.h"
#include "models/judge/span.h"

typedef struct kn_rules_recounted {
    uint64_t
        k; /* the population of the smallest span that discloses something; UINT64_MAX: none does */
    uint64_t told;   /* itemsets with private items whose support is stated beside the rules */
    uint64_t unlike; /* figures that are not those of the records, rounding apart */
} kn_rules_recounted;

/** Evaluate every rule on every record by its definition, and compare with `spans`: which records
 * have equal spans and equal classes, how many, and which spans disclose something. For as many
 * spans as a fixed amount of work allows every set of private items is tried.
 *  @return KN_EBROKEN where the two disagree. */
kn_status kn__rules_recount(kn_rules_recounted *out, const kn_bound *b, const kn_spans *spans,
                            const kn_run *run, kn_error *err);

#endif
