/* data/item_intern.h - short items added where they are parsed: with baskets most of the time of
 * reading goes there, so what is done for each item is inlined, and its counters are the caller's.
 */
#ifndef KN_DATA_ITEM_INTERN_H
#define KN_DATA_ITEM_INTERN_H

#include "base/hash.h"
#include "data/builder.h"

#include <stdint.h>
#include <string.h>

/* Short words have up to 7 bytes, long ones 8 to 15: one number, or two. */
enum { KN__SHORT_BITS = 14, KN__SHORT_MOST = 7, KN__LONG_BITS = 13, KN__LONG_MOST = 15 };

/** The bytes of a long word, and how many in the highest. */
typedef struct kn_long_key {
    uint64_t low, high;
} kn_long_key;

/** Words that were met, by hash, and their codes. The key of a short one is its bytes, and how many
 * in the highest; 0: none. A word is where its hash says or beside it. */
typedef struct kn_word_table {
    uint64_t key[(size_t)1 << KN__SHORT_BITS];
    uint32_t code[(size_t)1 << KN__SHORT_BITS];
    kn_long_key long_key[(size_t)1 << KN__LONG_BITS];
    uint32_t long_code[(size_t)1 << KN__LONG_BITS];
} kn_word_table;

static inline size_t kn__word_slot(uint64_t key)
{
    return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - KN__SHORT_BITS));
}

/** Eight bytes, the first of them the lowest. */
static inline uint64_t kn__word_load(const char *text)
{
    uint64_t bytes;

    memcpy(&bytes, text, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

/** The key of a word of 1 to 7 bytes, of which 8 can be read. */
static inline uint64_t kn__word_key(const char *text, size_t len)
{
    return (kn__word_load(text) & ((UINT64_C(1) << (8 * len)) - 1)) | (uint64_t)len << 56;
}

/** The key of a word of 8 to 15 bytes. */
static inline kn_long_key kn__long_key_of(const char *text, size_t len)
{
    return (kn_long_key){.low = kn__word_load(text),
                         .high = (uint64_t)len << 56 |
                                 (len > 8 ? kn__word_load(text + len - 8) >> (8 * (16 - len)) : 0)};
}

static inline size_t kn__long_slot(kn_long_key key)
{
    return (size_t)(kn__mix(key.low ^ UINT64_C(0x9e3779b97f4a7c15),
                            key.high ^ UINT64_C(0xd6e8feb86659fd93)) >>
                    (64 - KN__LONG_BITS));
}

/** The code of a short word that was met, or KN_NO_CODE. */
static inline uint32_t kn__short_find(const kn_word_table *t, uint64_t key)
{
    size_t slot = kn__word_slot(key);

    slot ^= t->key[slot] != key;
    return t->key[slot] == key ? t->code[slot] : KN_NO_CODE;
}

static inline uint32_t kn__long_find(const kn_word_table *t, kn_long_key key)
{
    size_t slot = kn__long_slot(key);

    slot ^= ((t->long_key[slot].low ^ key.low) | (t->long_key[slot].high ^ key.high)) != 0;
    return t->long_key[slot].low == key.low && t->long_key[slot].high == key.high
               ? t->long_code[slot]
               : KN_NO_CODE;
}

/** Where a chunk stands. While it is in use nothing else may be added to the chunk. What is not
 * inlined takes and gives it whole, so that it can live in registers. */
typedef struct kn_item_intern {
    kn_chunk *chunk;
    const kn_word_table *known;
    uint32_t *codes, *lengths;
    size_t len, cap; /* codes; cap 0: all go the long way */
    size_t begin;    /* of the current record's */
    size_t records, records_cap;
} kn_item_intern;

/** Add to the list in column 0 of `c`, its only one. */
kn_item_intern kn__item_intern_begin(kn_chunk *c);
/** Tell the chunk. */
void kn__item_intern_close(kn_item_intern w);
kn_item_intern kn__item_intern_add_long(kn_item_intern w, const char *text, size_t len,
                                        kn_status *status, kn_error *err);
kn_item_intern kn__item_intern_end_long(kn_item_intern w, kn_status *status, kn_error *err);

/** kn__chunk_add_item for a text of at least 1 byte of which 8 can be read. */
static inline kn_status kn__item_intern_add(kn_item_intern *w, const char *text, size_t len,
                                            kn_error *err)
{
    if (w->len < w->cap) {
        uint32_t code = KN_NO_CODE;
        if (len <= KN__SHORT_MOST) {
            code = kn__short_find(w->known, kn__word_key(text, len));
        } else if (len <= KN__LONG_MOST) {
            code = kn__long_find(w->known, kn__long_key_of(text, len));
        }
        if (code != KN_NO_CODE) {
            w->codes[w->len++] = code;
            return KN_OK;
        }
    }
    {
        kn_status status;
        *w = kn__item_intern_add_long(*w, text, len, &status, err);
        return status;
    }
}

/** kn__chunk_end_record. */
static inline kn_status kn__item_intern_end(kn_item_intern *w, kn_error *err)
{
    if (w->records < w->records_cap) {
        w->lengths[w->records++] = (uint32_t)(w->len - w->begin);
        w->begin = w->len;
        return KN_OK;
    }
    {
        kn_status status;
        *w = kn__item_intern_end_long(*w, &status, err);
        return status;
    }
}

#endif
