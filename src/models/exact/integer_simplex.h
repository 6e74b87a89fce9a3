/* models/exact/integer_simplex.h - exact answers where rounding could change one.
 *
 * Whether a centre can be nearest is a question of signs: of sums of products of doubles, and of
 * linear programmes whose coefficients are such sums. A wrong sign gives records a wrong span, and
 * an error in either direction can hide a violation. So signs that doubles cannot decide with
 * certainty are computed here, without rounding. */
#ifndef KN_MODELS_EXACT_INTEGER_SIMPLEX_H
#define KN_MODELS_EXACT_INTEGER_SIMPLEX_H

#include "kanon/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Factors of a term are 0, or as large and as small as this: 1e-75 to 1e75. */
#define KN_EXACT_EXPONENT 250
static inline bool kn__exact_takes(double x)
{
    return x == 0 || (x >= 0x1p-250 && x <= 0x1p250) || (x <= -0x1p-250 && x >= -0x1p250);
}

enum { KN_EXACT_LIMBS = 56 };

/** A sum of up to 2^30 products of three doubles: fixed point, two's complement. */
typedef struct kn_exact {
    uint32_t limb[KN_EXACT_LIMBS]; /* the lowest first; the unit of the first is 2^-906 */
} kn_exact;

/** Add times * a * b * c; kn__exact_takes holds of each of the doubles, and |times| is at most 4.
 */
void kn__exact_add(kn_exact *sum, int times, double a, double b, double c);
/** a - b. */
void kn__exact_subtract(kn_exact *to, const kn_exact *a, const kn_exact *b);
/** -1, 0 or 1. */
int kn__exact_sign(const kn_exact *sum);

/** A linear condition on y_0..y_{d-1}: constant + coefficient * y >= 0, or > 0 if `strict`. */
typedef struct kn_exact_row {
    kn_exact *part; /* d coefficients, then the constant */
    bool strict;
} kn_exact_row;

/** Whether there are y with 0 <= y_a <= width[a] that meet all `rows`; `*answer` says. By the
 * simplex method over integers, with Bland's rule. O((rows + d) * d) products a step.
 *  @return KN_ENOMEM. */
kn_status kn__exact_feasible(bool *answer, const kn_exact_row *rows, size_t count,
                             const kn_exact *width, size_t d, kn_error *err);

#endif
