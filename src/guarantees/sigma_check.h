/* guarantees/sigma_check.h - the check of sigma-k^m-anonymity. */
#ifndef KN_GUARANTEES_SIGMA_CHECK_H
#define KN_GUARANTEES_SIGMA_CHECK_H

#include "base/say.h"
#include "guarantees/verdict.h"

/** Check every sigma-km-anonymity among c->guarantees, with c->original where it is given. */
kn_status kn__sigma_km_check(const kn_checking *c, kn_error *err);

/** "at most 0.71 % of the 5-itemsets that occur have support below 20 (confidence 99.95 %, ...)".
 */
void kn__say_certificate(kn_buffer *b, const kn_certificate *c);

#endif
