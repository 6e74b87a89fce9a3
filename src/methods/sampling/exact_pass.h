/* methods/sampling/exact_pass.h - all combinations of a number of regions that fewer than k people
 * hold.
 *
 * The combinations are walked in lexicographic order, in rounds: the search merges what a round
 * found and the walk goes on behind it. It never goes back. A combination that was passed had
 * support 0 or k, or was merged away; after regions A and B were merged, A+B with X has at least
 * the support of each of A with X and B with X, and has support 0 only if both have. Where only one
 * of the two was passed, the merged one, named by the greater of both, is still ahead. */
#ifndef KN_METHODS_SAMPLING_EXACT_PASS_H
#define KN_METHODS_SAMPLING_EXACT_PASS_H

#include "kanon/run.h"
#include "methods/sampling/region_index.h"
#include "methods/sampling/regions.h"

/** Combinations of `size` regions each, one after the other. */
typedef struct kn_combinations {
    uint32_t *region;
    size_t size, count, room;
} kn_combinations;

void kn__combinations_clear(kn_combinations *c);
/** Append one. */
kn_status kn__combinations_add(kn_combinations *c, const uint32_t *regions, kn_error *err);

typedef struct kn_exact_pass kn_exact_pass;

/** A walk over the combinations of `size` regions (1..KN_MOST_KNOWN) that at least one and fewer
 *  than `k` people hold. It keeps both `regions` and `index`, which change between rounds. */
kn_status kn__exact_pass_new(kn_exact_pass **out, const kn_regions *regions,
                             const kn_region_index *index, size_t size, size_t k, const kn_run *run,
                             kn_error *err);
void kn__exact_pass_free(kn_exact_pass *p);

/** Walk on, over `units` beginnings of combinations: the first region of each, of larger ones the
 *  first two. What violates k is in `out`, which is emptied first, in lexicographic order. `*done`:
 *  the walk is through. The result does not depend on the number of threads.
 *  O(combinations x longest records / 64) at worst. */
kn_status kn__exact_pass_round(kn_exact_pass *p, size_t units, kn_combinations *out, bool *done,
                               kn_error *err);

#endif
