/* dict.c - open addressing with linear probing. A slot holds 32 bits of the hash beside the code,
 * so that a probe touches the texts only when they are almost surely equal. The table is kept at
 * most 5/8 full. */
#include "data/dict.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

enum { FIRST_SLOTS = 64, FIRST_BYTES = 64 };

kn_status kn__dict_new(kn_dict **out, kn_error *err)
{
    kn_dict *d = kn__zalloc(sizeof *d);

    *out = NULL;
    if (d) {
        d->slots = kn__zalloc_array(FIRST_SLOTS, sizeof *d->slots);
        d->mask = FIRST_SLOTS - 1;
        d->bytes = kn__malloc(FIRST_BYTES); /* an empty text too has an address */
        d->bytes_cap = FIRST_BYTES;
    }
    if (!d || !d->slots || !d->bytes) {
        kn__dict_free(d);
        return kn__nomem(err);
    }
    *out = d;
    return KN_OK;
}

void kn__dict_free(kn_dict *d)
{
    if (d) {
        KN_FREE(d->bytes, d->ends, d->slots, d);
    }
}

/* The upper half of the hash: it is kept in the slot, so that growing need not hash again. */
static inline uint64_t tag_of(const char *text, size_t len)
{
    return kn__hash_bytes(text, len) >> 32;
}

/* memcmp(a, b, len) == 0, inlined for short texts: most values are short. */
static inline bool same_text(const char *a, const char *b, size_t len)
{
    uint64_t x, y, u, v;
    uint32_t low_a, low_b, high_a, high_b;

    if (len > 16) {
        return memcmp(a, b, len) == 0;
    }
    if (len >= 8) {
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        memcpy(&u, a + len - 8, 8);
        memcpy(&v, b + len - 8, 8);
        return x == y && u == v;
    }
    if (len >= 4) {
        memcpy(&low_a, a, 4);
        memcpy(&low_b, b, 4);
        memcpy(&high_a, a + len - 4, 4);
        memcpy(&high_b, b + len - 4, 4);
        return low_a == low_b && high_a == high_b;
    }
    return len == 0 || (a[0] == b[0] && a[len / 2] == b[len / 2] && a[len - 1] == b[len - 1]);
}

/* The slot of `text`, or the empty slot where it would go. */
static inline size_t probe(const kn_dict *d, const char *text, size_t len, uint64_t tag)
{
    size_t i = (size_t)tag & d->mask;

    for (;; i = (i + 1) & d->mask) {
        const uint64_t slot = d->slots[i];
        if (slot == 0) {
            return i;
        }
        if (slot >> 32 == tag) {
            size_t known_len;
            const char *known = kn__dict_text(d, (uint32_t)slot - 1, &known_len);
            if (known_len == len && same_text(known, text, len)) {
                return i;
            }
        }
    }
}

/* The first empty slot for `tag`. */
static size_t free_slot(const uint64_t *slots, size_t mask, uint64_t tag)
{
    size_t i = (size_t)tag & mask;

    while (slots[i]) {
        i = (i + 1) & mask;
    }
    return i;
}

/* Grow the table so that `texts` texts fit. */
static kn_status fit_slots(kn_dict *d, size_t texts, kn_error *err)
{
    size_t mask = d->mask;
    uint64_t *slots;

    while (texts * 8 > (mask + 1) * 5) {
        mask = mask * 2 + 1;
    }
    if (mask == d->mask) {
        return KN_OK;
    }
    slots = kn__zalloc_array(mask + 1, sizeof *slots);
    KN_PASS(slots ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i <= d->mask; i++) {
        if (d->slots[i]) {
            slots[free_slot(slots, mask, d->slots[i] >> 32)] = d->slots[i];
        }
    }
    kn__free(d->slots);
    d->slots = slots;
    d->mask = mask;
    return KN_OK;
}

kn_status kn__dict_reserve(kn_dict *d, size_t texts, size_t bytes, kn_error *err)
{
    KN_PASS(kn__grow(&d->bytes, &d->bytes_cap, bytes, 1, err));
    KN_PASS(kn__grow(&d->ends, &d->ends_cap, texts, sizeof *d->ends, err));
    return fit_slots(d, texts, err);
}

/* Append a new text; the table has an empty slot for it. */
static kn_status append(kn_dict *d, const char *text, size_t len, uint64_t tag, kn_error *err)
{
    const size_t begin = d->len ? d->ends[d->len - 1] : 0;
    kn_status status;

    if (d->len >= UINT32_MAX - 1) {
        return kn__fail(err, KN_EINPUT, "a column has more than %u distinct values",
                        UINT32_MAX - 1);
    }
    if ((status = kn__grow(&d->bytes, &d->bytes_cap, begin + len, 1, err)) != KN_OK ||
        (status = kn__grow(&d->ends, &d->ends_cap, (size_t)d->len + 1, sizeof *d->ends, err)) !=
            KN_OK) {
        return status;
    }
    if (len) {
        memcpy(d->bytes + begin, text, len);
    }
    d->ends[d->len] = begin + len;
    d->slots[free_slot(d->slots, d->mask, tag)] = tag << 32 | (uint64_t)(d->len + 1);
    d->len++;
    return KN_OK;
}

kn_status kn__dict_append(kn_dict *d, const char *text, size_t len, kn_error *err)
{
    KN_PASS(fit_slots(d, (size_t)d->len + 1, err));
    return append(d, text, len, tag_of(text, len), err);
}

kn_status kn__dict_add(kn_dict *d, const char *text, size_t len, uint32_t *code, kn_error *err)
{
    const uint64_t tag = tag_of(text, len), slot = d->slots[probe(d, text, len, tag)];

    if (slot) {
        *code = (uint32_t)slot - 1;
        return KN_OK;
    }
    KN_PASS(fit_slots(d, (size_t)d->len + 1, err));
    KN_PASS(append(d, text, len, tag, err));
    *code = d->len - 1;
    return KN_OK;
}

uint32_t kn__dict_find(const kn_dict *d, const char *text, size_t len)
{
    const uint64_t slot = d->slots[probe(d, text, len, tag_of(text, len))];

    return slot ? (uint32_t)slot - 1 : KN_NO_CODE;
}
