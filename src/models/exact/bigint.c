/* bigint.c - sign and size, one limb at a time. */
#include "models/exact/bigint.h"
#include "base/hash.h"

#include <math.h>
#include <string.h>

enum { BITS = 64 };

static void trim(kn_bigint *a)
{
    while (a->len > 0 && a->limb[a->len - 1] == 0) {
        a->len--;
    }
    a->minus = a->minus && a->len > 0;
}

void kn__bigint_parts(double x, int64_t *odd, int *exponent)
{
    *odd = (int64_t)ldexp(frexp(x, exponent), 53);
    *exponent = *odd ? *exponent - 53 : 0;
    if (*odd) {
        const int zeros = __builtin_ctzll((unsigned long long)*odd);
        *odd /= (int64_t)1 << zeros;
        *exponent += zeros;
    }
}

void kn__bigint_copy(kn_bigint *to, const kn_bigint *from)
{
    to->len = from->len;
    to->minus = from->minus;
    memcpy(to->limb, from->limb, from->len * sizeof *from->limb);
}

bool kn__bigint_set(kn_bigint *to, int64_t value, size_t shift)
{
    to->len = 1;
    to->minus = value < 0;
    to->limb[0] = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    trim(to);
    return kn__bigint_shift(to, shift);
}

bool kn__bigint_shift(kn_bigint *a, size_t bits)
{
    const size_t limbs = bits / BITS, rest = bits % BITS;

    if (a->len == 0 || bits == 0) {
        return true;
    }
    if (a->len + limbs + 1 > KN_WHOLE_LIMBS) {
        return false;
    }
    memmove(a->limb + limbs, a->limb, a->len * sizeof *a->limb);
    memset(a->limb, 0, limbs * sizeof *a->limb);
    a->len += limbs;
    a->limb[a->len] = 0;
    for (size_t i = a->len + 1; rest && i-- > limbs;) {
        a->limb[i] = a->limb[i] << rest | (i > limbs ? a->limb[i - 1] >> (BITS - rest) : 0);
    }
    a->len++;
    trim(a);
    return true;
}

static int compare_size(const kn_bigint *a, const kn_bigint *b)
{
    if (a->len != b->len) {
        return a->len > b->len ? 1 : -1;
    }
    for (size_t i = a->len; i-- > 0;) {
        if (a->limb[i] != b->limb[i]) {
            return a->limb[i] > b->limb[i] ? 1 : -1;
        }
    }
    return 0;
}

static bool add_size(kn_bigint *a, const kn_bigint *b)
{
    uint64_t carry = 0;
    const size_t len = a->len > b->len ? a->len : b->len;

    for (size_t i = 0; i < len; i++) {
        const kn_u128 sum = (kn_u128)(i < a->len ? a->limb[i] : 0) + (i < b->len ? b->limb[i] : 0) +
                            carry;
        a->limb[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> BITS);
    }
    a->len = len;
    if (carry) {
        if (len == KN_WHOLE_LIMBS) {
            return false;
        }
        a->limb[a->len++] = carry;
    }
    return true;
}

/* large - small, neither of which may be longer than `to` has room for; `to` may be either. */
static void subtract_size(kn_bigint *to, const kn_bigint *large, const kn_bigint *small)
{
    uint64_t borrow = 0;

    for (size_t i = 0; i < large->len; i++) {
        const kn_u128 taken = (kn_u128)(i < small->len ? small->limb[i] : 0) + borrow;
        const uint64_t own = large->limb[i];
        borrow = own < taken;
        to->limb[i] = own - (uint64_t)taken;
    }
    to->len = large->len;
}

bool kn__bigint_add(kn_bigint *a, const kn_bigint *b, bool minus)
{
    const bool sign = b->minus != minus;
    bool fits = true;

    if (b->len == 0) {
        return true;
    }
    if (a->len == 0 || a->minus == sign) {
        a->minus = sign;
        fits = add_size(a, b);
    } else if (compare_size(a, b) >= 0) {
        subtract_size(a, a, b);
    } else {
        subtract_size(a, b, a);
        a->minus = sign;
    }
    trim(a);
    return fits;
}

bool kn__bigint_times(kn_bigint *to, const kn_bigint *a, const kn_bigint *b)
{
    kn__bigint_zero(to);
    if (a->len == 0 || b->len == 0) {
        return true;
    }
    if (a->len + b->len > KN_WHOLE_LIMBS) {
        return false;
    }
    to->len = a->len + b->len;
    memset(to->limb, 0, to->len * sizeof *to->limb);
    for (size_t i = 0; i < a->len; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < b->len; j++) {
            const kn_u128 sum = (kn_u128)a->limb[i] * b->limb[j] + to->limb[i + j] + carry;
            to->limb[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> BITS);
        }
        to->limb[i + b->len] = carry;
    }
    to->minus = a->minus != b->minus;
    trim(to);
    return true;
}
