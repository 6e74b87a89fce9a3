/* base/bits.h - sets of small numbers: number i is bit i % 64 of word i / 64. */
#ifndef KN_BASE_BITS_H
#define KN_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Words that hold the numbers 0..count-1. */
static inline size_t kn__bits_words(size_t count)
{
    return count / 64 + (count % 64 != 0);
}

static inline bool kn__bit_get(const uint64_t *bits, size_t i)
{
    return (bits[i / 64] >> i % 64 & 1) != 0;
}

static inline void kn__bit_set(uint64_t *bits, size_t i)
{
    bits[i / 64] |= UINT64_C(1) << i % 64;
}

/** Set bit `i`; whether it was not set before. */
static inline bool kn__bit_add(uint64_t *bits, size_t i)
{
    const uint64_t bit = UINT64_C(1) << i % 64, before = bits[i / 64];

    bits[i / 64] = before | bit;
    return (before & bit) == 0;
}

/** Whether all bits of `inner` are set in `outer`. */
static inline bool kn__bits_within(const uint64_t *inner, const uint64_t *outer, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        if (inner[i] & ~outer[i]) {
            return false;
        }
    }
    return true;
}

/** How many bits of a word are set. */
static inline unsigned kn__bits_count(uint64_t word)
{
    return (unsigned)__builtin_popcountll(word);
}

#endif
