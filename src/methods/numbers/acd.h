/* methods/numbers/acd.h - k^m-anonymity of bags of numbers without a hierarchy.
 *
 * The ACD paper: Gkountouna, Angeli, Zigomitros, Terrovitis, Vassiliou, "k^m-Anonymity for
 * Continuous Data Using Dynamic Hierarchies". Values are generalised to ranges that are global and
 * disjoint, so a release is a partition of the sorted values. */
#ifndef KN_METHODS_NUMBERS_ACD_H
#define KN_METHODS_NUMBERS_ACD_H

#include "count/baskets.h"

/** Partition the values into ranges such that every combination of up to `m` items of a record is
 *  held by at least `k` records, losing as little as we can; loss is NCP: the mean over
 *  all occurrences of the width of their range / the width of the domain.
 *
 *  `value` gives the number of every item of `b`, ascending. `range_of` (by item) receives the
 *  range, ranges count from 0 in the order of the values; `*ranges` how many there are. Items of
 *  equal value that occur share a range. `paper`: the algorithm as printed, for which `d` is the
 *  threshold of Algorithm 3; ours needs none.
 *
 *  With m = 1 the result is optimal, and so it is whenever the optimum for single values happens to
 *  have no rare combination. Otherwise ranges are split for as long as the guarantee allows, then
 *  their borders are moved; the loss is at most that of the even ranges that kn__acd_find_even
 * finds. O(occurrences x combinations of a record x depth of the splits), which is linear in the
 * records; about 12 bytes per occurrence.
 *
 *  @return KN_EINFEASIBLE when even one range for all values does not do: too few records have any
 *  item, or (in bags) too few are as long as the longest combination; KN_EINPUT for a number that
 *  is not finite. */
kn_status kn__acd(const kn_baskets *b, const double *value, size_t k, size_t m, double d,
                  bool paper, const kn_run *run, uint32_t *range_of, uint32_t *ranges,
                  kn_error *err);

#endif
