/* methods/sampling/search.h - Algorithm 2 of the sampling paper: merge regions until the samples of
 * every size pass.
 *
 * Sizes whose guarantee is exact are walked over in full (exact_pass.h), all runs together, because
 * nothing in them is random. Larger sizes are sampled from the original data; a sampled itemset
 * passes when k people hold its regions. A size is finished when the number of samples of the
 * zero-failure rule has passed since the last merge. A merge never makes a combination fail that
 * passed before, so sizes are gone through once.
 *
 * The search proves nothing: the certificate does, with samples of its own. */
#ifndef KN_METHODS_SAMPLING_SEARCH_H
#define KN_METHODS_SAMPLING_SEARCH_H

#include "kanon/sampling.h"
#include "methods/sampling/exact_pass.h"

/** By size: the regions after all sizes up to it, those with the least error of all runs. They are
 *  what a search with this m would find, because nothing that a search does for a size depends on
 *  the larger ones. NULL from the longest record on. */
typedef struct kn_search_path {
    kn_regions *after[KN_MOST_KNOWN + 1];
} kn_search_path;

void kn__search_path_clear(kn_search_path *p);

typedef struct kn_search_options {
    const kn_guarantee *guarantee;
    bool paper;          /* only the choice of merges as printed; otherwise ours as well */
    size_t runs;         /* of the sampled part; the one with the least error is kept */
    kn_sample_rule rule; /* how many samples have to pass */
    uint64_t seed;
    const kn_run *run;
    kn_search_path *path; /* gets what smaller m would have given; NULL: not asked for */
} kn_search_options;

typedef struct kn_search_counts {
    uint64_t samples;       /* drawn, of all runs */
    uint64_t failures;      /* of these, before they were merged away */
    uint32_t exact_regions; /* regions after the exact sizes */
    size_t best;            /* the run that was kept, from 0 */
} kn_search_counts;

/** Find regions that satisfy the guarantee as far as samples tell. The source must be that of the
 *  original data.
 *  @return KN_EINFEASIBLE when the constraint allows no further merge and itemsets still fail. */
kn_status kn__search(kn_regions **out, const kn_region_rules *rules, const kn_set_source *source,
                     const kn_search_options *options, kn_search_counts *counts, kn_error *err);

#endif
