/* models/exact/bigint.h - signed integers of up to 4,096 bits with schoolbook arithmetic, for the
 * second count: it must not share the integers of the first (models/exact/integer_simplex.h). A
 * longer result is reported, never truncated. */
#ifndef KN_MODELS_EXACT_BIGINT_H
#define KN_MODELS_EXACT_BIGINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KN_WHOLE_LIMBS = 64 };

typedef struct kn_bigint {
    size_t len; /* limbs in use, the last of them not 0; 0: the number is 0 */
    bool minus;
    uint64_t limb[KN_WHOLE_LIMBS]; /* the lowest first */
} kn_bigint;

/** x is *odd * 2^*exponent, and *odd is odd, or 0 with exponent 0. `x` is finite. */
void kn__bigint_parts(double x, int64_t *odd, int *exponent);

static inline void kn__bigint_zero(kn_bigint *a)
{
    a->len = 0;
    a->minus = false;
}
static inline int kn__bigint_sign(const kn_bigint *a)
{
    return a->len == 0 ? 0 : a->minus ? -1 : 1;
}
void kn__bigint_copy(kn_bigint *to, const kn_bigint *from);
/** value * 2^shift. These four return false, and leave anything in the result, when it is too long.
 */
bool kn__bigint_set(kn_bigint *to, int64_t value, size_t shift);
bool kn__bigint_shift(kn_bigint *a, size_t bits);
/** a + b, or a - b if `minus`, into `a`. */
bool kn__bigint_add(kn_bigint *a, const kn_bigint *b, bool minus);
/** a * b into `to`, which is neither. */
bool kn__bigint_times(kn_bigint *to, const kn_bigint *a, const kn_bigint *b);

#endif
