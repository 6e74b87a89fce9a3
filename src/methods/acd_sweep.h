/* methods/acd_sweep.h - which cuts of a range leave no rare combination.
 *
 * A sweep moves the occurrences of one range, value by value, from the right side of a cut to its
 * left, and keeps the support of every combination of up to m ranges that holds either side. A cut
 * is good when none of them is above 0 and below k. So all cuts of a range are judged in the time
 * of one count of its combinations. */
#ifndef KN_METHODS_ACD_SWEEP_H
#define KN_METHODS_ACD_SWEEP_H

#include "methods/acd_inside.h"

typedef struct kn_acd_sweep kn_acd_sweep;

/** For partitions of `p`, which is borrowed. About 20 bytes an
 *  occurrence where records are short. */
kn_status kn_acd_sweep_new(kn_acd_sweep **out, const kn_acd_points *p, unsigned threads,
                           kn_error *err);
void kn_acd_sweep_free(kn_acd_sweep *s);

/** Judge the cuts inside the range low..high-1, which has the number range_of[low] there; in
 * between points have any numbers below `ranges`, one a range. good[c - low] tells whether a range
 * may begin at point c, low < c < high. */
kn_status kn_acd_sweep_range(kn_acd_sweep *s, const uint32_t *range_of, uint32_t ranges,
                             uint32_t low, uint32_t high, uint8_t *good, kn_error *err);

#endif
