/* dict.c - open addressing with linear probing. A slot holds 32 bits of the hash beside the code,
 * so that a probe touches the texts only when they are almost surely equal. The table is kept at
 * most 5/8 full. */
#include "data/dict.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

enum { FIRST_SLOTS = 64, FIRST_BYTES = 64 };

kn_status kn_dict_new(kn_dict **out, kn_error *err)
{
    kn_dict *d = kn_zalloc(sizeof *d);

    *out = NULL;
    if (d) {
        d->slots = kn_zalloc_array(FIRST_SLOTS, sizeof *d->slots);
        d->mask = FIRST_SLOTS - 1;
        d->bytes = kn_malloc(FIRST_BYTES); /* an empty text too has an address */
        d->bytes_cap = FIRST_BYTES;
    }
    if (!d || !d->slots || !d->bytes) {
        kn_dict_free(d);
        return kn_nomem(err);
    }
    *out = d;
    return KN_OK;
}

void kn_dict_free(kn_dict *d)
{
    if (d) {
        kn_free(d->bytes);
        kn_free(d->ends);
        kn_free(d->slots);
        kn_free(d);
    }
}

/* The slot of `text`, or the empty slot where it would go. */
static size_t probe(const kn_dict *d, const char *text, size_t len, uint64_t hash)
{
    const uint64_t tag = hash >> 32;
    size_t i = (size_t)hash & d->mask;

    for (;; i = (i + 1) & d->mask) {
        const uint64_t slot = d->slots[i];
        if (slot == 0) {
            return i;
        }
        if (slot >> 32 == tag) {
            size_t known_len;
            const char *known = kn_dict_text(d, (uint32_t)slot - 1, &known_len);
            if (known_len == len && (len == 0 || memcmp(known, text, len) == 0)) {
                return i;
            }
        }
    }
}

static kn_status double_slots(kn_dict *d, kn_error *err)
{
    const size_t mask = d->mask * 2 + 1;
    uint64_t *slots = kn_zalloc_array(mask + 1, sizeof *slots);

    if (!slots) {
        return kn_nomem(err);
    }
    for (uint32_t code = 0; code < d->len; code++) {
        size_t len, i;
        const char *text = kn_dict_text(d, code, &len);
        const uint64_t hash = kn_hash_bytes(text, len);
        for (i = (size_t)hash & mask; slots[i]; i = (i + 1) & mask) {
        }
        slots[i] = (hash >> 32) << 32 | (uint64_t)(code + 1);
    }
    kn_free(d->slots);
    d->slots = slots;
    d->mask = mask;
    return KN_OK;
}

kn_status kn_dict_add(kn_dict *d, const char *text, size_t len, uint32_t *code, kn_error *err)
{
    const uint64_t hash = kn_hash_bytes(text, len);
    size_t i = probe(d, text, len, hash);
    const size_t begin = d->len ? d->ends[d->len - 1] : 0;
    kn_status status;

    if (d->slots[i]) {
        *code = (uint32_t)d->slots[i] - 1;
        return KN_OK;
    }
    if (d->len >= UINT32_MAX - 1) {
        return kn_fail(err, KN_EINPUT, "a column has more than %u distinct values", UINT32_MAX - 1);
    }
    if ((status = kn_grow(&d->bytes, &d->bytes_cap, begin + len, 1, err)) != KN_OK ||
        (status = kn_grow(&d->ends, &d->ends_cap, (size_t)d->len + 1, sizeof *d->ends, err)) !=
            KN_OK) {
        return status;
    }
    if (((size_t)d->len + 1) * 8 > (d->mask + 1) * 5) {
        if ((status = double_slots(d, err)) != KN_OK) {
            return status;
        }
        i = probe(d, text, len, hash);
    }
    if (len) {
        memcpy(d->bytes + begin, text, len);
    }
    d->ends[d->len] = begin + len;
    d->slots[i] = (hash >> 32) << 32 | (uint64_t)(d->len + 1);
    *code = d->len++;
    return KN_OK;
}

uint32_t kn_dict_find(const kn_dict *d, const char *text, size_t len)
{
    const uint64_t slot = d->slots[probe(d, text, len, kn_hash_bytes(text, len))];

    return slot ? (uint32_t)slot - 1 : KN_NO_CODE;
}
