/* methods/numbers/acd_split.h - top-down search: split ranges while the guarantee holds. */
#ifndef KN_METHODS_NUMBERS_ACD_SPLIT_H
#define KN_METHODS_NUMBERS_ACD_SPLIT_H

#include "methods/numbers/acd_points.h"

/** Split from one range on, as long as the guarantee holds; then, as long as the loss falls and at
 *  most `rounds` times, move all borders up to `moves` times and split again. The cuts of `start`
 *  (NULL: none; it may be `cut`) are tried before all others, so where `start` satisfies the
 *  guarantee, the loss of the result is at most that of `start`. */
kn_status kn__acd_split(const kn_acd_points *p, const uint8_t *start, int rounds, int moves,
                        uint8_t *cut, const kn_run *run, kn_error *err);

#endif
