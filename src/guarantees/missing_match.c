/* missing_match.c - patterns of missing cells, and a table of the classes that have any. */
#include "guarantees/missing_match.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"

#include <string.h>

struct kn_missing_match {
    const kn_dataset *ds;
    const kn_classes *classes;
    const size_t *qi;
    size_t qis;
    size_t words;      /* of 64 quasi-identifiers in a pattern */
    kn_dict *patterns; /* a text is the words of a pattern */
    uint32_t *pattern; /* by class */
    uint32_t empty;    /* the pattern without missing cells, or KN_NO_CODE */
    kn_map wild;       /* wild classes by the hash of their codes: class + 1 */
};

static uint32_t code_at(const kn_missing_match *c, size_t q, uint32_t class_number)
{
    return kn__column_code(&c->ds->column[c->qi[q]], c->classes->first[class_number]);
}

static const uint64_t *words_of(const kn_missing_match *c, uint32_t pattern, uint64_t *copy)
{
    size_t len;
    const char *text = kn__dict_text(c->patterns, pattern, &len);

    memcpy(copy, text, len);
    return copy;
}

static bool same_codes(const kn_missing_match *c, uint32_t class_number, const uint32_t *codes)
{
    for (size_t q = 0; q < c->qis; q++) {
        if (code_at(c, q, class_number) != codes[q]) {
            return false;
        }
    }
    return true;
}

static kn_map_slot *find(const kn_missing_match *c, const uint32_t *codes, uint64_t *hash)
{
    kn_map_slot *slot;

    *hash = kn__hash_bytes(codes, c->qis * sizeof *codes);
    slot = kn__map_find(&c->wild, *hash);
    while (slot->value && !same_codes(c, (uint32_t)slot->value - 1, codes)) {
        slot = kn__map_next(&c->wild, slot);
    }
    return slot;
}

static kn_status find_patterns(kn_missing_match *c, size_t *wild, kn_error *err)
{
    uint64_t *bits = kn__malloc_array(c->words, sizeof *bits);
    kn_status status = KN_OK;

    *wild = 0;
    c->empty = KN_NO_CODE;
    KN_PASS(bits ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < c->classes->count && status == KN_OK; i++) {
        bool any = false;
        memset(bits, 0, c->words * sizeof *bits);
        for (size_t q = 0; q < c->qis; q++) {
            const kn_column *column = &c->ds->column[c->qi[q]];
            if (column->missing_rule == KN_MISSING_ANY && column->missing != KN_NO_CODE &&
                code_at(c, q, i) == column->missing) {
                kn__bit_set(bits, q);
                any = true;
            }
        }
        status = kn__dict_add(c->patterns, (const char *)bits, c->words * sizeof *bits,
                              &c->pattern[i], err);
        if (!any && status == KN_OK) {
            c->empty = c->pattern[i];
        }
        *wild += any;
    }
    kn__free(bits);
    return status;
}

static kn_status fill_table(kn_missing_match *c, size_t wild, kn_error *err)
{
    uint32_t *codes = kn__malloc_array(c->qis, sizeof *codes);
    kn_status status;

    KN_TRY(codes ? kn__map_reserve(&c->wild, wild, err) : kn__nomem(err));
    for (uint32_t i = 0; i < c->classes->count; i++) {
        if (kn__missing_match_wild(c, i)) {
            kn_map_slot *slot;
            uint64_t hash;
            for (size_t q = 0; q < c->qis; q++) {
                codes[q] = code_at(c, q, i);
            }
            slot = find(c, codes, &hash);
            kn__map_put(&c->wild, slot, hash, (uint64_t)i + 1);
        }
    }
done:
    kn__free(codes);
    return status;
}

static bool may_be_wild(const kn_dataset *ds, const size_t *qi, size_t qis)
{
    for (size_t q = 0; q < qis; q++) {
        const kn_column *column = &ds->column[qi[q]];
        if (column->missing_rule == KN_MISSING_ANY && column->missing != KN_NO_CODE) {
            return true;
        }
    }
    return false;
}

kn_status kn__missing_match_new(kn_missing_match **out, const kn_dataset *ds, const size_t *qi,
                                size_t qis, const kn_classes *classes, kn_error *err)
{
    kn_missing_match *c;
    kn_status status;
    size_t wild = 0;

    *out = NULL;
    if (!may_be_wild(ds, qi, qis)) {
        return KN_OK;
    }
    c = kn__zalloc(sizeof *c);
    if (!c) {
        return kn__nomem(err);
    }
    c->ds = ds;
    c->classes = classes;
    c->qi = qi;
    c->qis = qis;
    c->words = kn__bits_words(qis);
    c->pattern = kn__malloc_array(classes->count, sizeof *c->pattern);
    KN_TRY(c->pattern ? kn__dict_new(&c->patterns, err) : kn__nomem(err));
    KN_TRY(find_patterns(c, &wild, err));
    if (wild) {
        KN_TRY(fill_table(c, wild, err));
    }
done:
    if (status != KN_OK || !wild) {
        kn__missing_match_free(c);
        return status;
    }
    *out = c;
    return KN_OK;
}

void kn__missing_match_free(kn_missing_match *c)
{
    if (c) {
        kn__dict_free(c->patterns);
        kn__free(c->pattern);
        kn__map_clear(&c->wild);
        kn__free(c);
    }
}

size_t kn__missing_match_most(const kn_missing_match *c)
{
    return c->patterns->len;
}

size_t kn__missing_match_room(const kn_missing_match *c)
{
    /* The codes of a class, the codes looked up, and two patterns. */
    return 2 * c->qis + 4 * c->words + 1;
}

bool kn__missing_match_wild(const kn_missing_match *c, uint32_t class_number)
{
    return c->pattern[class_number] != c->empty;
}

size_t kn__missing_match_of(const kn_missing_match *c, uint32_t class_number, uint32_t *room,
                            uint32_t *found)
{
    uint32_t *const own = room, *const blanked = room + c->qis;
    /* Patterns are 64-bit words: the room after the codes, from an even place. */
    uint64_t *const inner_words = (uint64_t *)(void *)(room + 2 * c->qis);
    uint64_t *const outer_words = inner_words + c->words;
    const uint64_t *inner = words_of(c, c->pattern[class_number], inner_words);
    size_t count = 0;

    for (size_t q = 0; q < c->qis; q++) {
        own[q] = code_at(c, q, class_number);
    }
    for (uint32_t pattern = 0; pattern < c->patterns->len; pattern++) {
        const uint64_t *outer;
        uint64_t hash;
        uint32_t hit;
        if (pattern == c->pattern[class_number] || pattern == c->empty) {
            continue;
        }
        outer = words_of(c, pattern, outer_words);
        if (!kn__bits_within(inner, outer, c->words)) {
            continue;
        }
        for (size_t q = 0; q < c->qis; q++) {
            blanked[q] = kn__bit_get(outer, q) ? c->ds->column[c->qi[q]].missing : own[q];
        }
        hit = (uint32_t)find(c, blanked, &hash)->value;
        if (hit) {
            found[count++] = hit - 1;
        }
    }
    return count;
}
