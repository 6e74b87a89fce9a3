/* base/hash.h - hashing of short strings and integers, inlined into the loops that live on it.
 * Not for adversaries' tables of unbounded size by itself: tables that use it grow and probe, they
 * never chain. */
#ifndef KN_BASE_HASH_H
#define KN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 kn_u128;

/** The two halves of a 128-bit product, folded: a cheap, well-mixed function of both arguments. */
static inline uint64_t kn__mix(uint64_t a, uint64_t b)
{
    const kn_u128 product = (kn_u128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t kn__hash_u64(uint64_t x)
{
    return kn__mix(x ^ UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xd6e8feb86659fd93));
}

static inline uint64_t kn__hash_bytes(const void *bytes, size_t len)
{
    const unsigned char *p = bytes;
    uint64_t h = len * UINT64_C(0x9e3779b97f4a7c15), a, b;

    while (len > 16) {
        memcpy(&a, p, 8);
        memcpy(&b, p + 8, 8);
        h = kn__mix(a ^ h, b ^ UINT64_C(0xa0761d6478bd642f));
        p += 16;
        len -= 16;
    }
    a = b = 0;
    if (len >= 8) {
        memcpy(&a, p, 8);
        memcpy(&b, p + len - 8, 8);
    } else if (len >= 4) {
        uint32_t low, high;
        memcpy(&low, p, 4);
        memcpy(&high, p + len - 4, 4);
        a = low;
        b = high;
    } else if (len) {
        a = (uint64_t)p[0] << 16 | (uint64_t)p[len / 2] << 8 | p[len - 1];
    }
    return kn__mix(a ^ h ^ UINT64_C(0xe7037ed1a0b428db), b ^ UINT64_C(0x8ebc6af09c88c6e3));
}

#endif
