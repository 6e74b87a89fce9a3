/* sample/text.h - numbers and identifiers as text, for the loops that write records. */
#ifndef KN_SAMPLE_TEXT_H
#define KN_SAMPLE_TEXT_H

#include "base/hash.h"
#include "base/rng.h"

static inline char *kn__put_number(char *p, uint32_t x)
{
    char digits[10];
    size_t n = sizeof digits;

    do {
        digits[--n] = (char)('0' + x % 10);
        x /= 10;
    } while (x);
    memcpy(p, digits + n, sizeof digits - n);
    return p + (sizeof digits - n);
}

/** `text` without the NUL that ends it. */
static inline char *kn__put_text(char *p, const char *text)
{
    while (*text) {
        *p++ = *text++;
    }
    return p;
}

enum { KN_ID_BITS = 36, KN_ID_HALF = KN_ID_BITS / 2, KN_ID_DIGITS = 11, KN_ID_ROUNDS = 4 };

typedef struct kn_ids {
    uint64_t key[KN_ID_ROUNDS];
} kn_ids;

static inline kn_ids kn__ids_start(uint64_t seed)
{
    kn_ids ids;
    kn_rng r;

    kn__rng_seed(&r, seed, UINT64_MAX);
    for (size_t i = 0; i < KN_ID_ROUNDS; i++) {
        ids.key[i] = kn__rng_next(&r);
    }
    return ids;
}

/** A person's number: a Feistel network over the record's, so that each comes once and their order
 * says nothing. */
static inline char *kn__put_id(char *p, uint64_t record, const kn_ids *ids)
{
    const uint64_t mask = (UINT64_C(1) << KN_ID_HALF) - 1;
    uint64_t left = record >> KN_ID_HALF, right = record & mask, id;

    for (size_t i = 0; i < KN_ID_ROUNDS; i++) {
        const uint64_t next = (left ^ kn__hash_u64(right ^ ids->key[i])) & mask;
        left = right;
        right = next;
    }
    id = left << KN_ID_HALF | right;
    for (size_t i = KN_ID_DIGITS; i > 0; i--) {
        p[i - 1] = (char)('0' + id % 10);
        id /= 10;
    }
    return p + KN_ID_DIGITS;
}

#endif
