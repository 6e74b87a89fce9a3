/* methods/numbers/acd_sweep.h - which cuts of a range leave no rare combination.
 *
 * After a cut, a combination has a items left of it, b items right of it, and other ranges Q. With
 * b = 0 its support only grows while the cut moves up, so one pass over the points of the range,
 * lowest first, judges all cuts: those between its first record and its k-th are bad. With a = 0
 * the same holds for a pass from the other end. With both above 0 supports rise and fall.
 *
 * Invariant: joining ranges lowers no support, so a cut that is bad stays bad while cuts are only
 * added, and need not be judged again. */
#ifndef KN_METHODS_NUMBERS_ACD_SWEEP_H
#define KN_METHODS_NUMBERS_ACD_SWEEP_H

#include "methods/numbers/acd_points.h"

typedef struct kn_acd_sweep kn_acd_sweep;

/** For partitions of `p`, which is borrowed. */
kn_status kn__acd_sweep_new(kn_acd_sweep **out, const kn_acd_points *p, kn_error *err);
void kn__acd_sweep_free(kn_acd_sweep *s);

/** Judge cuts of the range low..high. `range_of` (by point) numbers the ranges, all below `ranges`,
 *  of a partition that satisfies the guarantee. good[c - low] != 0 asks for the cut at c,
 *  low < c < high; it becomes 0 where a combination of one side is rare. */
kn_status kn__acd_sweep_range(kn_acd_sweep *s, const uint32_t *range_of, uint32_t ranges,
                              uint32_t low, uint32_t high, uint8_t *good, kn_error *err);

/** For the range judged last: whether no combination of both sides of the cut at `c` is rare. If
 * one is, good[] of that call becomes 0 for every such cut. */
kn_status kn__acd_sweep_cross(kn_acd_sweep *s, uint32_t c, bool *holds, kn_error *err);

/** For m = 2, a pass can stop once all combinations of its range are known to have k records; for
 *  that their number is kept up to date. Call _begin when the partition is one range, _cut after
 *  kn__acd_sweep_cross allowed a cut at `c` that is then made (`right` is the number of the new
 * range right of it), _forget when ranges were changed in any other way. */
kn_status kn__acd_sweep_begin(kn_acd_sweep *s, kn_error *err);
kn_status kn__acd_sweep_cut(kn_acd_sweep *s, uint32_t c, uint32_t right, kn_error *err);
void kn__acd_sweep_forget(kn_acd_sweep *s);

#endif
