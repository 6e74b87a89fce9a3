/* io/bytes/scan.h - finding the few bytes that matter in a block of text, 64 at a time.
 *
 * The text must be readable for KN_BLOCK_PADDING bytes beyond its end. */
#ifndef KN_IO_BYTES_SCAN_H
#define KN_IO_BYTES_SCAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef struct kn_scan {
    const char *text;
    size_t len;
    size_t base;   /* of the 64 bytes that `bits` is about */
    uint64_t bits; /* those of interest that were not given out yet */
    char wanted[4];
} kn_scan;

/** Bit i says whether text[i] is one of the four wanted bytes, i < 64. */
static inline uint64_t kn__scan_bits(const char *text, const char wanted[4])
{
    uint64_t bits = 0;

#ifdef __SSE2__
    const __m128i a = _mm_set1_epi8(wanted[0]), b = _mm_set1_epi8(wanted[1]);
    const __m128i c = _mm_set1_epi8(wanted[2]), d = _mm_set1_epi8(wanted[3]);
    for (size_t i = 0; i < 4; i++) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(text + 16 * i));
        const __m128i ab = _mm_or_si128(_mm_cmpeq_epi8(x, a), _mm_cmpeq_epi8(x, b));
        const __m128i cd = _mm_or_si128(_mm_cmpeq_epi8(x, c), _mm_cmpeq_epi8(x, d));
        bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_or_si128(ab, cd)) << (16 * i);
    }
#else
    for (size_t i = 0; i < 64; i++) {
        const char x = text[i];
        const int hit = (x == wanted[0]) | (x == wanted[1]) | (x == wanted[2]) | (x == wanted[3]);
        bits |= (uint64_t)(unsigned)hit << i;
    }
#endif
    return bits;
}

static inline kn_scan kn__scan_start(const char *text, size_t len, const char wanted[4])
{
    kn_scan s = {.text = text, .len = len};

    memcpy(s.wanted, wanted, 4);
    s.bits = len ? kn__scan_bits(text, wanted) : 0;
    return s;
}

/** Where the next wanted byte stands, or `len`. */
static inline size_t kn__scan_next(kn_scan *s)
{
    size_t at;

    while (s->bits == 0) {
        if (s->len - s->base <= 64) {
            return s->len;
        }
        s->base += 64;
        s->bits = kn__scan_bits(s->text + s->base, s->wanted);
    }
    at = s->base + (size_t)__builtin_ctzll(s->bits);
    s->bits &= s->bits - 1;
    return at < s->len ? at : s->len;
}

/** How many bytes equal `wanted`. */
static inline size_t kn__scan_count(const char *text, size_t len, char wanted)
{
    size_t count = 0, i = 0;

#ifdef __SSE2__
    const __m128i w = _mm_set1_epi8(wanted), zero = _mm_setzero_si128();
    while (len - i >= 16) {
        const size_t rounds = (len - i) / 16 < 255 ? (len - i) / 16 : 255;
        __m128i sum = zero;
        uint64_t halves[2];
        for (size_t r = 0; r < rounds; r++, i += 16) {
            const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
            sum = _mm_sub_epi8(sum, _mm_cmpeq_epi8(x, w));
        }
        _mm_storeu_si128((__m128i *)(void *)halves, _mm_sad_epu8(sum, zero));
        count += (size_t)(halves[0] + halves[1]);
    }
#endif
    for (; i < len; i++) {
        count += text[i] == wanted;
    }
    return count;
}

#endif
