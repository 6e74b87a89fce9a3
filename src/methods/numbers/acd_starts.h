/* methods/numbers/acd_starts.h - the best partition that several starts of the search lead to. */
#ifndef KN_METHODS_NUMBERS_ACD_STARTS_H
#define KN_METHODS_NUMBERS_ACD_STARTS_H

#include "methods/numbers/acd_points.h"

/** `cut` holds the optimum for single values, and receives the best partition found that satisfies
 *  the guarantee. The result is the same for any number of threads. */
kn_status kn__acd_best_start(const kn_acd_points *p, uint8_t *cut, const kn_run *run,
                             kn_error *err);

#endif
