/* data/dict.h - a dictionary: texts to codes and back, codes in order of first appearance.
 * One block of bytes for all texts, and an open-addressing hash table; at most 2^32 - 2 texts. */
#ifndef KN_DATA_DICT_H
#define KN_DATA_DICT_H

#include "kanon/dataset.h"
#include <stddef.h>
#include <stdint.h>

typedef struct kn_dict {
    char *bytes;  /* texts one after the other */
    size_t *ends; /* text i is bytes[ends[i-1]..ends[i]) */
    uint32_t len; /* texts */
    size_t bytes_cap, ends_cap;
    uint64_t *slots; /* high half: half of the hash; low half: code + 1; 0: empty */
    size_t mask;     /* slots - 1 */
} kn_dict;

kn_status kn__dict_new(kn_dict **out, kn_error *err);
void kn__dict_free(kn_dict *d);

/** The code of `text`, added if it is new. Expected O(len). */
kn_status kn__dict_add(kn_dict *d, const char *text, size_t len, uint32_t *code, kn_error *err);
/** Add `text`, which must be new. */
kn_status kn__dict_append(kn_dict *d, const char *text, size_t len, kn_error *err);
/** Make room for `texts` texts of `bytes` bytes in all. */
kn_status kn__dict_reserve(kn_dict *d, size_t texts, size_t bytes, kn_error *err);
/** The code of `text`, or KN_NO_CODE. */
uint32_t kn__dict_find(const kn_dict *d, const char *text, size_t len);
/** The text of `code`; borrowed until the next add; not NUL-terminated. */
static inline const char *kn__dict_text(const kn_dict *d, uint32_t code, size_t *len)
{
    const size_t begin = code ? d->ends[code - 1] : 0;
    *len = d->ends[code] - begin;
    return d->bytes + begin;
}

#endif
