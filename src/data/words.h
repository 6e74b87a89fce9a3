/* data/words.h - short items added where they are parsed: with baskets most of the time of reading
 * goes there, so what is done for each item is inlined, and its counters are the caller's. */
#ifndef KN_DATA_WORDS_H
#define KN_DATA_WORDS_H

#include "data/builder.h"

#include <stdint.h>
#include <string.h>

enum { KN__WORD_BITS = 14, KN__WORD_MOST = 7 };

/** Words that were met, by hash, and their codes. A key is the word's bytes, and how many in the
 * highest one; 0: none. A word is where its hash says or beside it. */
typedef struct kn_word_table {
    uint64_t key[(size_t)1 << KN__WORD_BITS];
    uint32_t code[(size_t)1 << KN__WORD_BITS];
} kn_word_table;

static inline size_t kn_word_slot(uint64_t key)
{
    return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - KN__WORD_BITS));
}

/** Eight bytes, the first of them the lowest. */
static inline uint64_t kn_word_load(const char *text)
{
    uint64_t bytes;

    memcpy(&bytes, text, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

/** The key of a word of 1 to 7 bytes, of which 8 can be read. */
static inline uint64_t kn_word_key(const char *text, size_t len)
{
    return (kn_word_load(text) & ((UINT64_C(1) << (8 * len)) - 1)) | (uint64_t)len << 56;
}

/** Where a chunk stands. While it is in use nothing else may be added to the chunk. What is not
 * inlined takes and gives it whole, so that it can live in registers. */
typedef struct kn_words {
    kn_chunk *chunk;
    const kn_word_table *known;
    uint32_t *codes, *lengths;
    size_t len, cap; /* codes; cap 0: all go the long way */
    size_t begin;    /* of the current record's */
    size_t records, records_cap;
} kn_words;

/** Add to the list in column 0 of `c`, its only one. */
kn_words kn_words_begin(kn_chunk *c);
/** Tell the chunk. */
void kn_words_close(kn_words w);
kn_words kn__words_add_long(kn_words w, const char *text, size_t len, kn_status *status,
                            kn_error *err);
kn_words kn__words_end_long(kn_words w, kn_status *status, kn_error *err);

/** kn_chunk_add_item for a text of which 8 bytes can be read. */
static inline kn_status kn_words_add(kn_words *w, const char *text, size_t len, kn_error *err)
{
    if (len - 1 < KN__WORD_MOST && w->len < w->cap) {
        const uint64_t key = kn_word_key(text, len);
        size_t slot = kn_word_slot(key);
        slot ^= w->known->key[slot] != key;
        if (w->known->key[slot] == key) {
            w->codes[w->len++] = w->known->code[slot];
            return KN_OK;
        }
    }
    {
        kn_status status;
        *w = kn__words_add_long(*w, text, len, &status, err);
        return status;
    }
}

/** kn_chunk_end_record. */
static inline kn_status kn_words_end(kn_words *w, kn_error *err)
{
    if (w->records < w->records_cap) {
        w->lengths[w->records++] = (uint32_t)(w->len - w->begin);
        w->begin = w->len;
        return KN_OK;
    }
    {
        kn_status status;
        *w = kn__words_end_long(*w, &status, err);
        return status;
    }
}

#endif
