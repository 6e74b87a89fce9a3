/* arrow_fill.c - code the cells of Arrow record batches.
 *
 * Columns are filled in parallel. A value of fixed width is written as text and looked up in the
 * dictionary only when its bits are new in the stream; after that a hash table gives its code. A
 * value of an Arrow dictionary is looked up when a batch first uses it; after that its index gives
 * the code. So only values that records hold enter the dataset. */
#include "io/format/arrow_fill.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/value.h"

#include <string.h>

/* The hash table remembers at most MOST_KNOWN values (floats: all): with more, a lookup that misses
 * the processor's cache costs as much as writing the value again. */
enum { FIRST_SLOTS = 64, MOST_KNOWN = 1 << 15 };
#define UNSEEN (KN_NO_CODE - 1) /* in a map of a dictionary: not met in this batch */

static const char not_utf8[] = "the text is not valid UTF-8, or holds a NUL byte";
static const char no_missing[] =
    "the value is null, and the schema says that no text means a missing value: list one, such as "
    "the empty text";

/* ---- codes ---- */

kn_status kn__arrow_codes_new(kn_arrow_codes *t, kn_error *err)
{
    *t = (kn_arrow_codes){.mask = FIRST_SLOTS - 1};
    t->slots = kn__zalloc_array(FIRST_SLOTS, sizeof *t->slots);
    return t->slots ? KN_OK : kn__nomem(err);
}

kn_status kn__arrow_map_reset(kn_arrow_input *c, kn_error *err)
{
    const size_t values = c->now.values.length;

    KN_PASS(kn__grow(&c->map, &c->map_cap, values, sizeof *c->map, err));
    for (size_t i = 0; i < values; i++) {
        c->map[i] = UNSEEN;
    }
    return KN_OK;
}

static size_t slot_of(const kn_arrow_codes *t, kn_arrow_bits bits)
{
    size_t i = (size_t)kn__mix(bits.low ^ UINT64_C(0x9e3779b97f4a7c15),
                               bits.high ^ UINT64_C(0xd6e8feb86659fd93)) &
               t->mask;

    while (t->slots[i].used &&
           (t->slots[i].bits.low != bits.low || t->slots[i].bits.high != bits.high)) {
        i = (i + 1) & t->mask;
    }
    return i;
}

static kn_status remember(kn_arrow_codes *t, kn_arrow_bits bits, uint32_t code, kn_error *err)
{
    if ((t->len + 1) * 2 > t->mask + 1) {
        kn_arrow_codes grown = {.mask = t->mask * 2 + 1, .len = t->len};
        grown.slots = kn__zalloc_array(grown.mask + 1, sizeof *grown.slots);
        KN_PASS(grown.slots ? KN_OK : kn__nomem(err));
        for (size_t i = 0; i <= t->mask; i++) {
            if (t->slots[i].used) {
                grown.slots[slot_of(&grown, t->slots[i].bits)] = t->slots[i];
            }
        }
        kn__free(t->slots);
        *t = grown;
    }
    t->slots[slot_of(t, bits)] = (kn_arrow_slot){.bits = bits, .code = code, .used = true};
    t->len++;
    return KN_OK;
}

/* The code of a text; KN_NO_CODE for an item that means "missing". */
static kn_status code_of_text(kn_arrow_input *c, kn_dict *dict, kn_text text, uint32_t *code,
                              const char **why, kn_error *err)
{
    const uint32_t before = dict->len;

    if (c->field.list && (text.len == 0 || c->has_missing_text) &&
        kn__schema_is_missing(c->schema, c->spec, text.at, text.len)) {
        *code = KN_NO_CODE;
        return KN_OK;
    }
    KN_PASS(kn__dict_add(dict, text.at, text.len, code, err));
    if (*code == before && kn__arrow_is_text(c->field.type.kind) &&
        !kn__utf8_valid(text.at, text.len, NULL)) {
        *why = not_utf8;
    }
    return KN_OK;
}

/* Write a value of fixed width as text. One without a text, such as NaN, is refused unless the
 * column is published as it is: then its bits will do. */
static size_t write_value(const kn_arrow_input *c, kn_arrow_bits bits,
                          char written[KN_ARROW_LONGEST], const char **why)
{
    const char *wrong = NULL;
    size_t len = kn__arrow_value_write(&c->field.type, bits, written, &wrong);

    if (len == 0 && c->unchanged) {
        len = kn__arrow_opaque_bits(bits, c->field.type.width, written);
    } else if (len == 0) {
        *why = wrong;
    }
    return len;
}

/* The code of value `i`, which is valid. */
static kn_status code_of_value(kn_arrow_input *c, kn_dict *dict, size_t i, uint32_t *code,
                               const char **why, kn_error *err)
{
    char written[KN_ARROW_LONGEST];
    kn_text text = {.at = written};
    kn_arrow_bits bits;
    const kn_arrow_slot *known;

    if (kn__arrow_is_text(c->field.type.kind)) {
        return kn__arrow_text_at(&c->now.values, i, &text, why)
                   ? code_of_text(c, dict, text, code, why, err)
                   : KN_OK;
    }
    bits = kn__arrow_bits_at(&c->now.values, i);
    known = &c->known.slots[slot_of(&c->known, bits)];
    if (known->used) {
        *code = known->code;
        return KN_OK;
    }
    text.len = write_value(c, bits, written, why);
    if (text.len == 0) {
        return KN_OK;
    }
    KN_PASS(code_of_text(c, dict, text, code, why, err));
    if (c->known.len < MOST_KNOWN || c->field.type.kind == KN_ARROW_FLOAT) {
        KN_PASS(remember(&c->known, bits, *code, err));
    }
    return KN_OK;
}

/* The code of a cell that only its digest stands for; KN_NO_CODE for null. */
static kn_status code_of_opaque(const kn_arrow_input *c, kn_dict *dict, size_t i, uint32_t *code,
                                const char **why, kn_error *err)
{
    char written[KN_ARROW_LONGEST];
    size_t len;

    KN_PASS(kn__arrow_opaque_text(c->type, c->array, i, written, &len, why, err));
    if (len) {
        KN_PASS(kn__dict_add(dict, written, len, code, err));
    }
    return KN_OK;
}

/* The code of element `i` of the column or of its lists; KN_NO_CODE for null. `*why` is set when
 * there is none. */
static kn_status code_at(kn_arrow_input *c, kn_dict *dict, size_t i, uint32_t *code,
                         const char **why, kn_error *err)
{
    size_t place;
    kn_status status = KN_OK;

    *code = KN_NO_CODE;
    if (c->opaque) {
        return code_of_opaque(c, dict, i, code, why, err);
    }
    if (!c->field.dictionary) {
        return kn__arrow_valid(&c->now.values, i) ? code_of_value(c, dict, i, code, why, err)
                                                  : KN_OK;
    }
    if (!kn__arrow_valid(&c->now.index, i) || !kn__arrow_index_at(&c->now, i, &place, why)) {
        return KN_OK;
    }
    if (c->map[place] == UNSEEN) {
        if (kn__arrow_valid(&c->now.values, place)) {
            status = code_of_value(c, dict, place, code, why, err);
        }
        c->map[place] = *code;
    }
    *code = c->map[place];
    return status;
}

/* The code of a missing value. */
static kn_status code_of_null(kn_arrow_input *c, kn_dict *dict, uint32_t *code, const char **why,
                              kn_error *err)
{
    kn_status status = KN_OK;

    if (!c->missing) {
        *why = no_missing;
    } else if (c->null_code == KN_NO_CODE) {
        status = kn__dict_add(dict, c->missing, strlen(c->missing), &c->null_code, err);
    }
    *code = c->null_code;
    return status;
}

/* ---- columns ---- */

/* Record `i` of the batch is in element `*at` of the columns' arrays; false: it is null. */
static bool record_at(const kn_arrow_reading *r, size_t i, size_t *at)
{
    *at = r->batch.offset + i;
    return kn__arrow_valid(&r->batch, i);
}

kn_status kn__arrow_fail_at(const kn_arrow_reading *r, const kn_arrow_input *c, size_t i,
                            const char *why, kn_error *err)
{
    (void)kn__fail(err, KN_EINPUT, "column '%.100s', record %zu: %s", c->field.name,
                   r->before + i + 1, why);
    return kn__about_column(err, KN_EINPUT, KN_ERROR_VALUE, c->field.name);
}

static kn_status fill_values(const kn_arrow_reading *r, kn_arrow_input *c, size_t number,
                             kn_error *err)
{
    kn_dict *dict = kn__chunk_dict(r->chunk, number);
    uint32_t *codes, *lengths;

    KN_PASS(kn__chunk_reserve(r->chunk, number, r->end - r->begin, r->end - r->begin, &codes,
                              &lengths, err));
    for (size_t i = r->begin; i < r->end; i++) {
        uint32_t code = KN_NO_CODE;
        const char *why = NULL;
        size_t at;
        if (record_at(r, i, &at)) {
            KN_PASS(code_at(c, dict, at, &code, &why, err));
        }
        if (code == KN_NO_CODE && !why) {
            KN_PASS(code_of_null(c, dict, &code, &why, err));
        }
        if (why) {
            KN_PASS(kn__arrow_fail_at(r, c, i, why, err));
        }
        codes[i - r->begin] = code;
    }
    kn__chunk_extend(r->chunk, number, r->end - r->begin);
    return KN_OK;
}

/* Begin and end of the list of record `i`; a list that is null is empty. */
static kn_status list_at(const kn_arrow_reading *r, const kn_arrow_input *c, size_t i,
                         size_t *begin, size_t *end, kn_error *err)
{
    const char *why;
    size_t at;

    *begin = *end = 0;
    if (!record_at(r, i, &at) || !kn__arrow_valid(&c->now.lists, at)) {
        return KN_OK;
    }
    if (!kn__arrow_list_at(&c->now, at, begin, end, &why)) {
        return kn__arrow_fail_at(r, c, i, why, err);
    }
    return *end - *begin < UINT32_MAX ? KN_OK
                                      : kn__arrow_fail_at(r, c, i, "the list is too long", err);
}

static kn_status fill_list(const kn_arrow_reading *r, kn_arrow_input *c, size_t number, size_t i,
                           kn_error *err)
{
    kn_dict *dict = kn__chunk_dict(r->chunk, number);
    uint32_t *codes, *lengths;
    size_t begin, end, found = 0;

    KN_PASS(list_at(r, c, i, &begin, &end, err));
    KN_PASS(
        kn__chunk_reserve(r->chunk, number, end - begin, r->end - r->begin, &codes, &lengths, err));
    for (size_t item = begin; item < end; item++) {
        const char *why = NULL;
        uint32_t code;
        KN_PASS(code_at(c, dict, item, &code, &why, err));
        if (why) {
            return kn__arrow_fail_at(r, c, i, why, err);
        }
        if (code != KN_NO_CODE) {
            codes[found++] = code;
        }
    }
    kn__chunk_extend(r->chunk, number, found);
    lengths[i - r->begin] = (uint32_t)found;
    return KN_OK;
}

static kn_status fill_lists(const kn_arrow_reading *r, kn_arrow_input *c, size_t number,
                            kn_error *err)
{
    for (size_t i = r->begin; i < r->end; i++) {
        KN_PASS(fill_list(r, c, number, i, err));
    }
    return KN_OK;
}

/* The text of element `at` of a column, in `written` if it is no text. It is empty for null, and
 * for a value that cannot be read, of which `*why` says what is wrong. */
static kn_text text_at(const kn_arrow_input *c, size_t at, char written[KN_ARROW_LONGEST],
                       bool *null, const char **why)
{
    kn_text text = {.at = ""};

    *null = false;
    if (c->opaque) {
        kn_error error;
        if (kn__arrow_opaque_text(c->type, c->array, at, written, &text.len, why, &error) !=
            KN_OK) {
            *why = "out of memory";
        }
        *null = text.len == 0 && !*why;
        text.at = written;
        return text;
    }
    if (c->field.dictionary) {
        *null = !kn__arrow_valid(&c->now.index, at);
        if (*null || !kn__arrow_index_at(&c->now, at, &at, why)) {
            return text;
        }
    }
    *null = !kn__arrow_valid(&c->now.values, at);
    if (*null) {
        return text;
    }
    if (kn__arrow_is_text(c->field.type.kind)) {
        if (!kn__arrow_text_at(&c->now.values, at, &text, why)) {
            return (kn_text){.at = ""};
        }
        return text;
    }
    text.len = write_value(c, kn__arrow_bits_at(&c->now.values, at), written, why);
    text.at = written;
    return text;
}

/* Whether a column that is not kept has texts; lists and types that are not supported have none. */
static bool is_scalar(const kn_arrow_input *c)
{
    return !c->field.list && c->field.type.kind != KN_ARROW_OTHER;
}

/* Look at the values of a column that is not kept. */
static kn_status leave_out(const kn_arrow_reading *r, const kn_arrow_input *c, size_t number,
                           kn_error *err)
{
    for (size_t i = r->begin; i < r->end; i++) {
        char written[KN_ARROW_LONGEST];
        const char *why = NULL;
        kn_text text = {.at = ""};
        bool null;
        size_t at;
        if (record_at(r, i, &at) && is_scalar(c)) {
            text = text_at(c, at, written, &null, &why);
        }
        KN_PASS(kn__chunk_leave_out(r->chunk, number, i - r->begin, text.at, text.len, err));
    }
    return KN_OK;
}

static void fill_columns(void *user, unsigned worker, size_t begin, size_t end)
{
    kn_arrow_reading *r = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        kn_arrow_input *c = &r->columns[i];
        kn_error error = {0};
        if (!c->use.keep) {
            (void)leave_out(r, c, i, &error);
        } else {
            (void)(c->field.list ? fill_lists : fill_values)(r, c, i, &error);
        }
        if (error.status != KN_OK) {
            kn__first_error_note(&r->error, i, &error);
        }
    }
}

/* ---- record by record ---- */

/* Add element `at` of a column, or of its lists, to the record. */
static kn_status add_element(const kn_arrow_reading *r, const kn_arrow_input *c, size_t number,
                             size_t record, size_t at, kn_error *err)
{
    char written[KN_ARROW_LONGEST];
    const char *why = NULL;
    bool null;
    const kn_text text = text_at(c, at, written, &null, &why);

    if (null && c->use.list) {
        return KN_OK;
    }
    if (null) {
        why = c->missing ? NULL : no_missing;
    } else if (!why && !kn__utf8_valid(text.at, text.len, NULL)) {
        why = not_utf8;
    }
    if (why) {
        return kn__arrow_fail_at(r, c, record, why, err);
    }
    if (null) {
        return kn__chunk_add(r->chunk, number, c->missing, strlen(c->missing), err);
    }
    return (c->field.list ? kn__chunk_add_item : kn__chunk_add)(r->chunk, number, text.at, text.len,
                                                                err);
}

static kn_status add_cell(const kn_arrow_reading *r, const kn_arrow_input *c, size_t number,
                          size_t record, kn_error *err)
{
    char written[KN_ARROW_LONGEST];
    const char *why = NULL;
    kn_text text = {.at = ""};
    size_t at, begin, end;
    bool null;
    const bool there = record_at(r, record, &at);

    if (!c->use.keep) {
        if (there && is_scalar(c)) {
            text = text_at(c, at, written, &null, &why);
        }
        return kn__chunk_add(r->chunk, number, text.at, text.len, err);
    }
    if (c->field.list) {
        KN_PASS(list_at(r, c, record, &begin, &end, err));
        for (size_t i = begin; i < end; i++) {
            KN_PASS(add_element(r, c, number, record, i, err));
        }
        return KN_OK;
    }
    if (there) {
        return add_element(r, c, number, record, at, err);
    }
    if (c->use.list) {
        return KN_OK;
    }
    return c->missing ? kn__chunk_add(r->chunk, number, c->missing, strlen(c->missing), err)
                      : kn__arrow_fail_at(r, c, record, no_missing, err);
    return KN_OK;
}

static kn_status add_records(const kn_arrow_reading *r, kn_error *err)
{
    for (size_t i = r->begin; i < r->end; i++) {
        for (size_t j = 0; j < r->count; j++) {
            KN_PASS(add_cell(r, &r->columns[j], j, i, err));
        }
        KN_PASS(kn__chunk_end_record(r->chunk, err));
    }
    return KN_OK;
}

kn_status kn__arrow_fill(kn_arrow_reading *r, kn_error *err)
{
    if (r->by_record) {
        return add_records(r, err);
    }
    kn__parallel_for(kn__run_threads(r->run), r->count, 1, fill_columns, r);
    kn__chunk_end_records(r->chunk, r->end - r->begin);
    return kn__first_error_take(&r->error, err);
}
