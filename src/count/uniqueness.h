/* count/uniqueness.h - how many combinations of s items there are, and how many single out one
 * person. */
#ifndef KN_COUNT_UNIQUENESS_H
#define KN_COUNT_UNIQUENESS_H

#include "count/baskets.h"
#include "kanon/profile.h"

/** One point for each size 1..options->most (at most KN_MOST_M), fewer when no record is so long.
 * Sizes are counted exactly while that takes at most `budget` steps (0: a good one), and sampled
 * from the first one on that takes more. The same for any number of threads; run->seed starts the
 * samples. Free `*out` with kn__free. */
kn_status kn__uniqueness_measure(kn_items_known **out, size_t *count, const kn_baskets *b,
                                 const kn_items_known_options *options, uint64_t budget,
                                 const kn_run *run, kn_error *err);

#endif
