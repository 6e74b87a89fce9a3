/* builder_items.c - the items of list columns, one by one. Most were met before, and are looked up
 * by their bytes. */
#include "base/memory.h"
#include "data/builder_inside.h"

#include <string.h>

/* kn__word_key of a text of which no more can be read. */
static inline uint64_t key_of(const char *text, size_t len)
{
    char padded[8] = {0};

    if (len >= 4) {
        memcpy(padded, text, 4);
        memcpy(padded + len - 4, text + len - 4, 4);
    } else {
        padded[0] = text[0];
        padded[len / 2] = text[len / 2];
        padded[len - 1] = text[len - 1];
    }
    return kn__word_key(padded, len);
}

/* Where nothing stands yet, or else in the place of another. */
static void remember(kn_word_table *known, const char *text, size_t len, uint32_t code)
{
    if (len <= KN__SHORT_MOST) {
        const uint64_t key = key_of(text, len);
        size_t slot = kn__word_slot(key);
        slot ^= known->key[slot] != 0 && known->key[slot ^ 1] == 0;
        known->key[slot] = key;
        known->code[slot] = code;
    } else {
        const kn_long_key key = kn__long_key_of(text, len);
        size_t slot = kn__long_slot(key);
        slot ^= known->long_key[slot].high != 0 && known->long_key[slot ^ 1].high == 0;
        known->long_key[slot] = key;
        known->long_code[slot] = code;
    }
}

/* Add an item that is not among those remembered, and remember it. Not inlined, so that the others
 * need few registers. */
__attribute__((noinline)) static kn_status add_new(kn_chunk *c, size_t column, const char *text,
                                                   size_t len, kn_error *err)
{
    kn_raw *raw = &c->raw[column];
    const kn_plan *plan = &c->builder->column[column];
    kn_status status;

    if (!plan->keep || ((len == 0 || plan->spelt) &&
                        kn__schema_is_missing(c->builder->schema, plan->spec, text, len))) {
        return KN_OK;
    }
    if (raw->len == raw->cap && (status = kn__grow(&raw->codes, &raw->cap, raw->len + 1,
                                                   sizeof *raw->codes, err)) != KN_OK) {
        return status;
    }
    status = kn__dict_add(c->builder->dicts[c->worker * c->builder->columns + column], text, len,
                          &raw->codes[raw->len], err);
    if (status == KN_OK) {
        if (len - 1 < KN__LONG_MOST && raw->known) {
            remember(raw->known, text, len, raw->codes[raw->len]);
        }
        raw->len++;
        raw->in_record++;
    }
    return status;
}

/* Add one item to the list in column `column` of the dataset. */
static kn_status add_item(kn_chunk *c, size_t column, const char *text, size_t len, kn_error *err)
{
    kn_raw *raw = &c->raw[column];

    if (len - 1 < KN__LONG_MOST && raw->known && raw->len < raw->cap) {
        const uint32_t code = len <= KN__SHORT_MOST
                                  ? kn__short_find(raw->known, key_of(text, len))
                                  : kn__long_find(raw->known, kn__long_key_of(text, len));
        if (code != KN_NO_CODE) {
            raw->codes[raw->len++] = code;
            raw->in_record++;
            return KN_OK;
        }
    }
    return add_new(c, column, text, len, err);
}

kn_status kn__chunk_add_member(kn_chunk *c, size_t column, const char *text, size_t len,
                               kn_error *err)
{
    return len == 0 || kn__schema_is_null(c->builder->schema, text, len)
               ? KN_OK
               : add_item(c, column, text, len, err);
}

kn_status kn__chunk_split(kn_chunk *c, size_t column, enum kn__member member, const char *text,
                          size_t len, kn_error *err)
{
    const char *separator = c->builder->item_separator;
    const size_t separator_len = strlen(separator);
    const char *end = text + len, *item = text;
    kn_status status = KN_OK;

    if (len == 0 ||
        kn__schema_is_missing(c->builder->schema, c->builder->column[column].spec, text, len)) {
        return KN_OK; /* an empty list */
    }
    while (status == KN_OK) {
        const char *stop = memmem(item, (size_t)(end - item), separator, separator_len);
        stop = stop ? stop : end;
        status = (member ? kn__chunk_add_member : add_item)(c, column, item, (size_t)(stop - item),
                                                            err);
        if (stop == end) {
            break;
        }
        item = stop + separator_len;
    }
    return status;
}

kn_status kn__chunk_add_item(kn_chunk *c, size_t column, const char *text, size_t len,
                             kn_error *err)
{
    const kn_builder *b = c->builder;

    return b->place && b->member[column]
               ? kn__chunk_add_member(c, b->place[column], text, len, err)
               : add_item(c, b->place ? b->place[column] : column, text, len, err);
}

/* ---- words ---- */

/* Whether the caller may count for the chunk: nothing but a list is added to. */
static bool is_plain(const kn_chunk *c)
{
    const kn_builder *b = c->builder;

    return !b->place && b->columns == 1 && b->column[0].list && b->column[0].keep;
}

kn_item_intern kn__item_intern_begin(kn_chunk *c)
{
    const kn_raw *raw = c->raw;
    kn_item_intern w = {.chunk = c};

    if (is_plain(c)) {
        w.known = raw->known;
        w.codes = raw->codes;
        w.lengths = raw->lengths;
        w.len = raw->len;
        w.cap = raw->cap;
        w.begin = raw->len - raw->in_record;
        w.records = c->records;
        w.records_cap = raw->lengths_cap;
    }
    return w;
}

void kn__item_intern_close(kn_item_intern w)
{
    if (is_plain(w.chunk)) {
        w.chunk->raw->len = w.len;
        w.chunk->raw->in_record = (uint32_t)(w.len - w.begin);
        w.chunk->records = w.records;
    }
}

kn_item_intern kn__item_intern_add_long(kn_item_intern w, const char *text, size_t len,
                                        kn_status *status, kn_error *err)
{
    kn__item_intern_close(w);
    *status = w.chunk->builder->place ? kn__chunk_add_item(w.chunk, 0, text, len, err)
                                      : add_item(w.chunk, 0, text, len, err);
    return kn__item_intern_begin(w.chunk);
}

kn_item_intern kn__item_intern_end_long(kn_item_intern w, kn_status *status, kn_error *err)
{
    kn__item_intern_close(w);
    *status = kn__chunk_end_record(w.chunk, err);
    return kn__item_intern_begin(w.chunk);
}
