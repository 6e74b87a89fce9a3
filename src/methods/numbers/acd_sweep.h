/* methods/numbers/acd_sweep.h - which cuts of a range leave no rare combination.
 *
 * Cut a range in two, and a combination that held it holds a items of the left side, b of the
 * right, and ranges Q besides. With b = 0 its support only grows while the cut moves up, so one
 * pass over the values, lowest first, judges all cuts: they are bad from the first record that
 * holds it to the k-th. With a = 0 it is the same from the other end. Only combinations across the
 * cut come and go.
 *
 * What is judged stays judged: joining ranges lowers no support, so a cut that is bad once stays
 * bad while cuts are only added. Nobody need ask for it again. */
#ifndef KN_METHODS_NUMBERS_ACD_SWEEP_H
#define KN_METHODS_NUMBERS_ACD_SWEEP_H

#include "methods/numbers/acd_search.h"

typedef struct kn_acd_sweep kn_acd_sweep;

/** For partitions of `p`, which is borrowed. */
kn_status kn__acd_sweep_new(kn_acd_sweep **out, const kn_acd_points *p, unsigned threads,
                            kn_error *err);
void kn__acd_sweep_free(kn_acd_sweep *s);

/** Judge cuts of the range low..high-1, which has the number range_of[low], or as if the two ranges
 *  that lie there were one; all points have numbers below `ranges`, one a range, and the partition
 *  satisfies. good[c - low] asks for point c, low <
 * c < high; it becomes 0 where a range may not begin because of one side. Combinations of both
 * sides are left to kn__acd_sweep_across. */
kn_status kn__acd_sweep_range(kn_acd_sweep *s, const uint32_t *range_of, uint32_t ranges,
                              uint32_t low, uint32_t high, uint8_t *good, kn_error *err);
/** Of the range judged last: whether cut `c` is good for combinations of both sides too. If not,
 *  good[] of that call is 0 for all that are not. */
kn_status kn__acd_sweep_across(kn_acd_sweep *s, uint32_t c, bool *fine, kn_error *err);

/** Passes stop when every combination has k records, for which they must know how many there are.
 *  Say that the partition is one range now; that the range judged last was cut at `c`, where
 *  kn__acd_sweep_across was asked last, and what is right of it has the number `right`; that
 * anything else was changed. */
kn_status kn__acd_sweep_begin(kn_acd_sweep *s, kn_error *err);
kn_status kn__acd_sweep_cut(kn_acd_sweep *s, uint32_t c, uint32_t right, kn_error *err);
void kn__acd_sweep_forget(kn_acd_sweep *s);

#endif
