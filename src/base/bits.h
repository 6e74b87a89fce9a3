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

/** How many bits of a word are set. Where the processor that is compiled for may lack the
 *  instruction, sums of neighbouring bits take less time than the compiler's call of a function. */
static inline unsigned kn__bits_count(uint64_t word)
{
#if defined(__x86_64__) && !defined(__POPCNT__)
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(word * UINT64_C(0x0101010101010101) >> 56);
#else
    return (unsigned)__builtin_popcountll(word);
#endif
}

#endif
