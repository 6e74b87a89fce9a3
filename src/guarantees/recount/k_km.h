/* guarantees/recount/k_km.h - the second count of k-km-anonymity and k-lm-diversity.
 *
 * As km.h, for tables with items: the classes are formed by sorting the published codes,
 * items are told apart by class, and combinations are tallied (count/tally.h). It shares neither
 * classes, nor groups, nor searches with the first count. */
#ifndef KN_GUARANTEES_RECOUNT_K_KM_H
#define KN_GUARANTEES_RECOUNT_K_KM_H

#include "guarantees/recount/km.h"

typedef struct kn_k_km_recounted {
    kn_recount known; /* combinations of items that are not sensitive, inside classes */
    uint32_t classes, smallest;
    bool inferred;     /* what follows was counted */
    double l;          /* the least support/held; infinity: there is none */
    bool inferred_all; /* of all combinations of up to m items, not of a share */
} kn_k_km_recounted;

/** Count the combinations of 1..m items in the lists of column `at`, inside each class of equal
 *  values in the other quasi-identifiers; those of `sensitive` (a byte a code) are left out. With
 *  `infer`, how sure they are given 0..m of the others is counted as well. `budget` as in
 *  kn__km_recount, for each of the two. */
kn_status kn__k_km_recount(kn_k_km_recounted *out, const kn_dataset *ds, size_t at,
                           const uint8_t *sensitive, bool infer, size_t m, double budget,
                           const kn_run *run, kn_error *err);

#endif
