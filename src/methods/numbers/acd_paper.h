/* methods/numbers/acd_paper.h - Algorithms 1 to 3 of the ACD paper, as printed. */
#ifndef KN_METHODS_NUMBERS_ACD_PAPER_H
#define KN_METHODS_NUMBERS_ACD_PAPER_H

#include "methods/numbers/acd_points.h"

/** The partition that the printed algorithm makes with threshold `d`, into `cut`. */
kn_status kn__acd_paper(const kn_acd_points *p, double d, uint8_t *cut, const kn_run *run,
                        kn_error *err);

#endif
