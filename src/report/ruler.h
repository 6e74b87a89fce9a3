/* report/ruler.h - ranges of equal width over an ordered column, for the bars of a distribution. */
#ifndef KN_REPORT_RULER_H
#define KN_REPORT_RULER_H

#include "base/error.h"
#include "data/dataset.h"

#define KN_REPORT_BARS 20 /* values shown of a distribution */

/** Slots of equal width, in the column's own unit: numbers, days, or months for long spans of
 * dates. The first slot holds everything below it too, the last everything above. */
typedef struct kn_ruler {
    bool months, date, whole;
    double step;
    unsigned decimals;
    double first; /* number of the lowest slot */
    size_t slots; /* at most KN_REPORT_BARS */
} kn_ruler;

/** Lay it over the middle 98 % of `records` records, `counts` of which hold each value. */
void kn__ruler_lay(kn_ruler *u, const kn_column *c, const size_t *counts, size_t records);
size_t kn__ruler_slot(const kn_ruler *u, double value);
/** The share of the range low..high (both included) that lies in slot `at`, if what is in it is
 * spread evenly. The shares of all slots sum to 1. */
double kn__ruler_share(const kn_ruler *u, size_t at, double low, double high);
/** The words for slots begin..end-1: "20 to 29". */
kn_status kn__ruler_label(char **out, const kn_ruler *u, size_t begin, size_t end, kn_error *err);

#endif
