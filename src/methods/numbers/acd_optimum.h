/* methods/numbers/acd_optimum.h - the best partition for single values. */
#ifndef KN_METHODS_NUMBERS_ACD_OPTIMUM_H
#define KN_METHODS_NUMBERS_ACD_OPTIMUM_H

#include "methods/numbers/acd_points.h"

/** The partition of least loss whose ranges have support k each: optimal for m = 1.
 *  O(points log points + occurrences). */
kn_status kn__acd_optimum(const kn_acd_points *p, uint8_t *cut, kn_error *err);

#endif
