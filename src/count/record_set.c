/* record_set.c - sets of records as lists or bit sets.
 *
 * A set of more than two records per word of the bit set is kept as bits: a list of 32-bit numbers
 * would take more memory. A list is met with a bit set by one test for each entry, two bit sets
 * word by word, two lists by galloping through the longer one. */
#include "count/record_set.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum { BLOCK = 16 }; /* words between two looks at the count */

void kn__record_set_clear(kn_record_set *s)
{
    KN_FREE(s->list, s->bits);
    *s = (kn_record_set){0};
}

static size_t lower_bound(const uint32_t *list, size_t from, size_t len, uint32_t record)
{
    size_t step = 1, low = from, high;

    while (low + step < len && list[low + step] < record) {
        low += step;
        step *= 2;
    }
    high = low + step < len ? low + step : len;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list[middle] < record) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static inline bool bit(const uint64_t *bits, uint32_t record)
{
    return bits[record / 64] >> (record % 64) & 1;
}

bool kn__record_set_has(const kn_record_set *s, uint32_t record)
{
    if (s->bits) {
        return bit(s->bits, record);
    }
    const size_t at = lower_bound(s->list, 0, s->len, record);
    return at < s->len && s->list[at] == record;
}

static inline uint32_t lowest(uint64_t word)
{
    return (uint32_t)__builtin_ctzll(word);
}

/* Make `*out` of a bit set in which `len` bits are set. It stays a bit set where more than two bits
 * per word are set, and becomes a list otherwise. `bits` is taken over or freed. */
static kn_status take_bits(kn_record_set *out, uint64_t *bits, size_t words, size_t len,
                           kn_error *err)
{
    size_t at = 0;

    *out = (kn_record_set){.len = len};
    if (len > 2 * words) {
        out->bits = bits;
        return KN_OK;
    }
    out->list = len ? kn__malloc_array(len, sizeof *out->list) : NULL;
    for (size_t i = 0; out->list && i < words; i++) {
        for (uint64_t w = bits[i]; w; w &= w - 1) {
            out->list[at++] = (uint32_t)(i * 64) + lowest(w);
        }
    }
    kn__free(bits);
    if (len && !out->list) {
        *out = (kn_record_set){0};
        return kn__nomem(err);
    }
    return KN_OK;
}

kn_status kn__record_set_of_list(kn_record_set *out, const uint32_t *list, size_t len, size_t words,
                                 kn_error *err)
{
    *out = (kn_record_set){0};
    if (len == 0) {
        return KN_OK;
    }
    if (len > 2 * words) {
        out->bits = kn__zalloc_array(words, sizeof *out->bits);
        KN_PASS(out->bits ? KN_OK : kn__nomem(err));
        for (size_t i = 0; i < len; i++) {
            out->bits[list[i] / 64] |= UINT64_C(1) << (list[i] % 64);
        }
    } else {
        out->list = kn__malloc_array(len, sizeof *out->list);
        KN_PASS(out->list ? KN_OK : kn__nomem(err));
        memcpy(out->list, list, len * sizeof *list);
    }
    out->len = len;
    return KN_OK;
}

kn_status kn__record_set_reserve(kn_record_set *s, size_t size, size_t words, kn_error *err)
{
    if (size > 2 * words) {
        s->bits = kn__zalloc_array(words, sizeof *s->bits);
    } else {
        s->list = kn__malloc_array(size, sizeof *s->list);
    }
    return s->bits || s->list ? KN_OK : kn__nomem(err);
}

void kn__record_set_add_to(const kn_record_set *s, uint64_t *bits, size_t words)
{
    if (s->bits) {
        for (size_t i = 0; i < words; i++) {
            bits[i] |= s->bits[i];
        }
    } else {
        for (size_t i = 0; i < s->len; i++) {
            bits[s->list[i] / 64] |= UINT64_C(1) << (s->list[i] % 64);
        }
    }
}

/* ---- unions ---- */

kn_status kn__record_union_init(kn_record_union *u, size_t words, kn_error *err)
{
    *u = (kn_record_union){.words = words};
    u->bits = kn__zalloc_array(words, sizeof *u->bits);
    u->touched = kn__zalloc_array(kn__record_words(words), sizeof *u->touched);
    if (!u->bits || !u->touched) {
        kn__record_union_clear(u);
        return kn__nomem(err);
    }
    return KN_OK;
}

void kn__record_union_clear(kn_record_union *u)
{
    KN_FREE(u->bits, u->touched);
    *u = (kn_record_union){0};
}

void kn__record_union_add(kn_record_union *u, const kn_record_set *s)
{
    kn__record_set_add_to(s, u->bits, u->words);
    if (s->bits || s->len > u->words / 8) { /* marking all takes less time */
        memset(u->touched, 0xff, kn__record_words(u->words) * sizeof *u->touched);
        if (u->words % 64) {
            u->touched[u->words / 64] = (UINT64_C(1) << u->words % 64) - 1;
        }
        return;
    }
    for (size_t i = 0; i < s->len; i++) {
        u->touched[s->list[i] / 4096] |= UINT64_C(1) << (s->list[i] / 64 % 64);
    }
}

kn_status kn__record_union_take(kn_record_union *u, kn_record_set *out, kn_error *err)
{
    size_t len = 0;

    *out = (kn_record_set){0};
    for (size_t t = 0; t < kn__record_words(u->words); t++) {
        for (uint64_t w = u->touched[t]; w; w &= w - 1) {
            len += kn__bits_count(u->bits[t * 64 + lowest(w)]);
        }
    }
    if (len == 0) {
        memset(u->touched, 0, kn__record_words(u->words) * sizeof *u->touched);
        return KN_OK;
    }
    KN_PASS(kn__record_set_reserve(out, len, u->words, err));
    for (size_t t = 0; t < kn__record_words(u->words); t++) {
        for (uint64_t w = u->touched[t]; w; w &= w - 1) {
            const size_t at = t * 64 + lowest(w);
            if (out->bits) {
                out->bits[at] = u->bits[at];
            } else {
                for (uint64_t bits = u->bits[at]; bits; bits &= bits - 1) {
                    out->list[out->len++] = (uint32_t)(at * 64) + lowest(bits);
                }
            }
            u->bits[at] = 0;
        }
        u->touched[t] = 0;
    }
    out->len = len;
    return KN_OK;
}

kn_status kn__record_union_list(kn_record_union *u, uint32_t **out, size_t *len, kn_error *err)
{
    kn_record_set all;
    kn_status status;

    *out = NULL;
    KN_TRY(kn__record_union_take(u, &all, err));
    *out = kn__malloc_array(all.len, sizeof **out);
    KN_TRY(*out ? KN_OK : kn__nomem(err));
    *len = kn__record_set_first(&all, u->words, all.len, *out);
done:
    kn__record_set_clear(&all);
    return status;
}

/* ---- intersections ---- */

/* Where common records go. */
typedef struct taking {
    size_t count, most;
    uint32_t *found;
    kn_record_filter filter;
    void *user;
} taking;

/* Take one; false once there are enough. */
static inline bool take(taking *t, uint32_t record)
{
    if (!t->filter || t->filter(t->user, record)) {
        if (t->found) {
            t->found[t->count] = record;
        }
        t->count++;
    }
    return t->count < t->most;
}

static void common_bits(taking *t, const uint64_t *a, const uint64_t *b, size_t words)
{
    if (!t->found && !t->filter) {
        size_t i = 0;
        for (; i + BLOCK <= words && t->count < t->most; i += BLOCK) {
            uint64_t any = 0; /* most blocks of a rare combination are empty */
            for (size_t j = 0; j < BLOCK; j++) {
                any |= a[i + j] & b[i + j];
            }
            for (size_t j = 0; any && j < BLOCK; j++) {
                t->count += kn__bits_count(a[i + j] & b[i + j]);
            }
        }
        for (; i < words && t->count < t->most; i++) {
            t->count += kn__bits_count(a[i] & b[i]);
        }
        t->count = t->count < t->most ? t->count : t->most;
        return;
    }
    for (size_t i = 0; i < words; i++) {
        for (uint64_t w = a[i] & b[i]; w; w &= w - 1) {
            if (!take(t, (uint32_t)(i * 64) + lowest(w))) {
                return;
            }
        }
    }
}

static void common_lists(taking *t, const kn_record_set *shorter, const kn_record_set *longer)
{
    size_t at = 0;

    for (size_t i = 0; i < shorter->len; i++) {
        at = lower_bound(longer->list, at, longer->len, shorter->list[i]);
        if (at == longer->len) {
            return;
        }
        if (longer->list[at] == shorter->list[i] && !take(t, shorter->list[i])) {
            return;
        }
    }
}

size_t kn__record_set_common(const kn_record_set *a, const kn_record_set *b, size_t words,
                             size_t most, uint32_t *found, kn_record_filter filter, void *user)
{
    taking t = {.most = most, .filter = filter, .user = user};

    t.found = found;
    if (a->len == 0 || b->len == 0 || most == 0) {
        return 0;
    }
    if (a->bits && b->bits) {
        common_bits(&t, a->bits, b->bits, words);
    } else if (!a->bits && !b->bits) {
        common_lists(&t, a->len <= b->len ? a : b, a->len <= b->len ? b : a);
    } else {
        const kn_record_set *list = a->bits ? b : a;
        const uint64_t *bits = a->bits ? a->bits : b->bits;
        for (size_t i = 0; i < list->len; i++) {
            if (bit(bits, list->list[i]) && !take(&t, list->list[i])) {
                break;
            }
        }
    }
    return t.count;
}

kn_status kn__record_set_intersect(kn_record_set *out, const kn_record_set *a,
                                   const kn_record_set *b, size_t words, kn_record_filter filter,
                                   void *user, kn_error *err)
{
    const size_t most = a->len < b->len ? a->len : b->len;
    kn_status status;

    *out = (kn_record_set){0};
    if (most == 0) {
        return KN_OK;
    }
    if (a->bits && b->bits && !filter) {
        uint64_t *both = kn__malloc_array(words, sizeof *both);
        KN_PASS(both ? KN_OK : kn__nomem(err));
        size_t len = 0;
        for (size_t i = 0; i < words; i++) {
            both[i] = a->bits[i] & b->bits[i];
            len += kn__bits_count(both[i]);
        }
        return take_bits(out, both, words, len, err);
    }
    uint32_t *found = kn__malloc_array(most, sizeof *found);
    KN_PASS(found ? KN_OK : kn__nomem(err));
    status = kn__record_set_of_list(out, found,
                                    kn__record_set_common(a, b, words, most, found, filter, user),
                                    words, err);
    kn__free(found);
    return status;
}

size_t kn__record_set_first(const kn_record_set *s, size_t words, size_t most, uint32_t *out)
{
    size_t count = 0;

    if (!s->bits) {
        count = s->len < most ? s->len : most;
        if (count) {
            memcpy(out, s->list, count * sizeof *out);
        }
        return count;
    }
    for (size_t i = 0; i < words; i++) {
        for (uint64_t w = s->bits[i]; w && count < most; w &= w - 1) {
            out[count++] = (uint32_t)(i * 64) + lowest(w);
        }
    }
    return count;
}

kn_status kn__record_set_replace(kn_record_set *out, const kn_record_set *s, const uint32_t *few,
                                 size_t count, const uint32_t *instead, size_t len, size_t words,
                                 kn_error *err)
{
    uint64_t *bits = kn__zalloc_array(words, sizeof *bits);
    size_t all = s->len + len;

    *out = (kn_record_set){0};
    KN_PASS(bits ? KN_OK : kn__nomem(err));
    kn__record_set_add_to(s, bits, words);
    for (size_t i = 0; i < count; i++) {
        all -= bit(bits, few[i]);
        bits[few[i] / 64] &= ~(UINT64_C(1) << (few[i] % 64));
    }
    for (size_t i = 0; i < len; i++) {
        bits[instead[i] / 64] |= UINT64_C(1) << (instead[i] % 64);
    }
    return take_bits(out, bits, words, all, err);
}
