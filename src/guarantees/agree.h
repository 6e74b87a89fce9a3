/* guarantees/agree.h - whether the first count of a guarantee and the second one (recount/) agree.
 */
#ifndef KN_GUARANTEES_AGREE_H
#define KN_GUARANTEES_AGREE_H

#include "count/rare/rare.h"
#include "guarantees/recount/k_km.h"

/** Whether the two counts agree on k and m: KN_OK, or KN_EBROKEN with words that ask to report it.
 */
kn_status kn__km_agree(const kn_recount *second, const kn_rare_list *first, size_t k, size_t m,
                       kn_error *err);

/** Whether it agrees with what the first count says: the least supports by number of items known,
 *  least[0] that of a class, infinity where none occurs; and `l` (where that was counted).
 *  KN_EBROKEN otherwise. */
kn_status kn__rt_agree(const kn_k_km_recounted *second, const char *guarantee, const double *least,
                       size_t m, double l, kn_error *err);

#endif
