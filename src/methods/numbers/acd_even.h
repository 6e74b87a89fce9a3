/* methods/numbers/acd_even.h - partitions into ranges that are even in width or in frequency. */
#ifndef KN_METHODS_NUMBERS_ACD_EVEN_H
#define KN_METHODS_NUMBERS_ACD_EVEN_H

#include "methods/numbers/acd_points.h"

typedef enum kn_acd_even { KN_ACD_EVEN_WIDTH, KN_ACD_EVEN_FREQUENCY } kn_acd_even;

/** Search for the number of even ranges that loses least and satisfies the guarantee. If its loss
 * is below `limit`, `*found` is true and `cut` receives the partition; otherwise neither changes.
 *  O(log points) counts of all combinations. */
kn_status kn__acd_find_even(const kn_acd_points *p, kn_acd_even kind, double limit, uint8_t *cut,
                            bool *found, const kn_run *run, kn_error *err);

#endif
