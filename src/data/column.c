/* column.c - make one column of what the workers collected: merge their dictionaries, detect the
 * type and sort the values. column_codes.c then writes the codes.
 *
 * Codes pass through three numberings: a worker's own, the merged dictionary's, and the final one,
 * in which codes are in the order of the values and the missing value is last. */
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "data/builder_inside.h"
#include "data/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A value on its way into the sorted dictionary. */
typedef struct entry {
    double number;   /* ordered types */
    uint64_t prefix; /* the first eight bytes, big-endian: most comparisons end here */
    const char *text;
    size_t len;
    uint32_t code; /* in the merged dictionary */
} entry;

/* A column on its way from the workers to the dataset. */
typedef struct column_merge {
    const kn_builder *b;
    size_t index;
    const kn_column_plan *plan;
    kn_dict *merged;
    uint32_t **map; /* by worker and its code: the merged code; after sort_dict the final one */
    uint32_t *map_len;
    entry *entries;
    size_t entries_count;
    uint8_t *missing; /* by merged code: the text means "missing" */
    kn_date_order dates;
    uint32_t *rank; /* by merged code: the final one */
} column_merge;

static int compare_texts(const entry *a, const entry *b)
{
    const int order = KN_ORDER(a->prefix, b->prefix);

    return order ? order : kn__order_bytes(a->text, a->len, b->text, b->len);
}

static int by_text(const void *x, const void *y)
{
    return compare_texts(x, y);
}

static int by_number(const void *x, const void *y)
{
    const entry *a = x, *b = y;

    const int order = KN_ORDER(a->number, b->number);

    return order ? order : compare_texts(a, b);
}

/* Add the dictionaries of all workers to the first one's. */
static kn_status merge_dicts(column_merge *m, kn_error *err)
{
    const kn_builder *b = m->b;

    m->merged = b->dicts[m->index];
    b->dicts[m->index] = NULL;
    m->map = kn__zalloc_array(b->workers, sizeof(uint32_t *));
    m->map_len = kn__zalloc_array(b->workers, sizeof *m->map_len);
    KN_PASS(m->map && m->map_len ? KN_OK : kn__nomem(err));
    for (unsigned w = 0; w < b->workers; w++) {
        kn_dict *d = w ? b->dicts[w * b->columns + m->index] : m->merged;
        m->map_len[w] = d->len;
        m->map[w] = kn__malloc_array(d->len, sizeof *m->map[w]);
        KN_PASS(m->map[w] ? KN_OK : kn__nomem(err));
        for (uint32_t code = 0; code < m->map_len[w]; code++) {
            size_t len;
            const char *text = kn__dict_text(d, code, &len);
            m->map[w][code] = code;
            if (w) {
                KN_PASS(kn__dict_add(m->merged, text, len, &m->map[w][code], err));
            }
        }
        if (w) {
            kn__dict_free(d);
            b->dicts[w * b->columns + m->index] = NULL;
        }
    }
    return KN_OK;
}

static kn_status list_entries(column_merge *m, kn_error *err)
{
    const kn_dict *d = m->merged;

    m->entries = kn__malloc_array(d->len, sizeof *m->entries);
    m->missing = kn__zalloc_array(d->len, 1);
    m->rank = kn__malloc_array(d->len, sizeof *m->rank);
    KN_PASS(m->entries && m->missing && m->rank ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < d->len; code++) {
        entry e = {.number = NAN, .code = code};
        e.text = kn__dict_text(d, code, &e.len);
        for (size_t i = 0; i < 8; i++) {
            e.prefix = e.prefix << 8 | (i < e.len ? (unsigned char)e.text[i] : 0);
        }
        m->missing[code] = !m->plan->list &&
                           kn__schema_is_missing(m->b->schema, m->plan->spec, e.text, e.len);
        if (!m->missing[code]) {
            m->entries[m->entries_count++] = e;
        }
    }
    return KN_OK;
}

/* Read `e` as a value of `type`; false when it is none. */
static bool read_as(kn_type type, kn_date_order dates, entry *e, unsigned *decimals)
{
    unsigned found = 0;

    switch (type) {
    case KN_TYPE_INTEGER:
        return kn__number_parse(e->text, e->len, &e->number, &found) && found == 0 &&
               !memchr(e->text, 'e', e->len) && !memchr(e->text, 'E', e->len);
    case KN_TYPE_DECIMAL:
    case KN_TYPE_NUMBERS:
        if (!kn__number_parse(e->text, e->len, &e->number, &found)) {
            return false;
        }
        *decimals = found > *decimals ? found : *decimals;
        return true;
    case KN_TYPE_DATE: return kn__plain_date_parse(e->text, e->len, dates, &e->number);
    default: return true;
    }
}

/* Text such as 00123 is a code made of digits: read as a number it would lose its zeros. */
static bool is_padded(const entry *e)
{
    return e->len > 1 &&
           (e->text[0] == '+' || (e->text[0] == '0' && e->text[1] >= '0' && e->text[1] <= '9'));
}

/* The narrowest type of which all values are. */
static kn_type detect_type(column_merge *m, unsigned *decimals)
{
    static const kn_type candidates[] = {KN_TYPE_INTEGER, KN_TYPE_DECIMAL, KN_TYPE_DATE};

    for (size_t c = 0; c < 3 && m->entries_count; c++) {
        size_t i = 0;
        *decimals = 0;
        while (i < m->entries_count &&
               (candidates[c] == KN_TYPE_DATE || !is_padded(&m->entries[i])) &&
               read_as(candidates[c], m->dates, &m->entries[i], decimals)) {
            i++;
        }
        if (i == m->entries_count) {
            return candidates[c];
        }
    }
    *decimals = 0;
    return KN_TYPE_CATEGORY;
}

/* The number (from 1) of the first record that holds merged code `code`. */
static size_t first_record_with(const column_merge *m, uint32_t code)
{
    size_t before = 0;

    for (size_t i = 0; i < m->b->chunks_count; i++) {
        const kn_chunk *c = m->b->chunks[i];
        const kn_chunk_column *col = &c->column[m->index];
        size_t record = 0, in_record = 0;
        for (size_t j = 0; j < col->len; j++) {
            while (col->lengths && in_record == col->lengths[record]) {
                record++;
                in_record = 0;
            }
            if (m->map[c->worker][kn__code_get(col->codes, col->width, j)] == code) {
                return before + (col->lengths ? record : j) + 1;
            }
            in_record++;
        }
        before += c->records;
    }
    return 0;
}

/* What to add where `e`, an item of a list of numbers, looks like several of them. */
static const char *wrong_separator(kn_type type, const entry *e)
{
    if (type == KN_TYPE_NUMBERS && memchr(e->text, ',', e->len)) {
        return "; if ',' separates the numbers of a cell, say --item-separator ,";
    }
    if (type == KN_TYPE_NUMBERS && memchr(e->text, ';', e->len)) {
        return "; if ';' separates the numbers of a cell, say --item-separator ';'";
    }
    return "";
}

/* Read all values as the declared type; KN_EINPUT names the first record with another value. */
static kn_status read_declared(column_merge *m, unsigned *decimals, kn_error *err)
{
    const kn_type type = m->plan->type;

    for (size_t i = 0; i < m->entries_count; i++) {
        entry *e = &m->entries[i];
        if (!read_as(type, m->dates, e, decimals)) {
            if (type == KN_TYPE_DATE &&
                kn__plain_date_parse(e->text, e->len, KN_DATES_DAY_FIRST, &e->number)) {
                return kn__fail_date_order(m->plan->name, err);
            }
            /* A column without a given role may hold names of people: do not show its value. */
            const bool hidden = m->plan->role == KN_ROLE_IDENTIFIER ||
                                !(m->plan->spec && m->plan->spec->role_given);
            (void)kn__fail(err, KN_EINPUT,
                           "column '%s', record %zu: %.*s is not a value of type %s: declare it as "
                           "category, or list the text as missing%s",
                           m->plan->name, first_record_with(m, e->code),
                           hidden ? 9 : (int)(e->len < 60 ? e->len : 60),
                           hidden ? "the value" : e->text, kn_type_name(type),
                           wrong_separator(type, e));
            return kn__about_column(err, KN_EINPUT, KN_ERROR_VALUE, m->plan->name);
        }
    }
    return KN_OK;
}

/* Append the sorted values of a list of numbers. All spellings of one number (0.1, .1, 1e-1) are
 * one item, which is written in the shortest plain spelling that occurs, or else in the usual one.
 * Numbers are compared by their digits, since two long ones may round to the same double. */
static kn_status append_numbers(column_merge *m, kn_column *out, kn_error *err)
{
    const entry **best = kn__malloc_array(m->entries_count, sizeof(const entry *));
    kn_buffer text = {0};
    kn_dict *keys = NULL;
    kn_status status;

    KN_TRY(best ? kn__dict_new(&keys, err) : kn__nomem(err));
    for (size_t i = 0; i < m->entries_count; i++) {
        const entry *e = &m->entries[i];
        const uint32_t known = keys->len;
        uint32_t code = 0;

        text.len = 0;
        kn__number_key(&text, e->text, e->len);
        KN_TRY(text.failed ? kn__nomem(err) : kn__dict_add(keys, text.data, text.len, &code, err));
        m->rank[e->code] = code;
        out->numbers[code] = e->number;
        if (code == known ||
            kn__number_is_plainer(e->text, e->len, best[code]->text, best[code]->len)) {
            best[code] = e;
        }
    }
    for (uint32_t code = 0; code < keys->len; code++) {
        const char *point;
        text.len = 0;
        kn__number_spell(&text, best[code]->text, best[code]->len);
        point = text.failed ? NULL : memchr(text.data, '.', text.len);
        if (point && text.data + text.len > point + 1 + out->decimals) {
            out->decimals = (unsigned)(text.data + text.len - point - 1);
        }
        KN_TRY(text.failed ? kn__nomem(err) : kn__dict_append(out->dict, text.data, text.len, err));
    }
done:
    kn__dict_free(keys);
    kn__buffer_free(&text);
    kn__free(best);
    return status;
}

static kn_status append_values(column_merge *m, kn_column *out, kn_error *err)
{
    for (size_t i = 0; i < m->entries_count; i++) {
        const entry *e = &m->entries[i];
        m->rank[e->code] = (uint32_t)i;
        KN_PASS(kn__dict_append(out->dict, e->text, e->len, err));
        if (out->numbers) {
            out->numbers[i] = e->number;
        }
    }
    return KN_OK;
}

/* Make the sorted dictionary, the missing value last, and `rank` from merged to final codes. */
static kn_status sort_dict(column_merge *m, kn_column *out, kn_error *err)
{
    const bool ordered = kn__type_is_ordered(out->type) || out->type == KN_TYPE_NUMBERS;
    entry missing = {0};
    bool any_missing = false;

    KN_PASS(kn__dict_new(&out->dict, err));
    qsort(m->entries, m->entries_count, sizeof *m->entries, ordered ? by_number : by_text);
    if (m->merged->len) {
        KN_PASS(
            kn__dict_reserve(out->dict, m->merged->len, m->merged->ends[m->merged->len - 1], err));
    }
    if (ordered) {
        out->numbers = kn__malloc_array(m->entries_count + 1, sizeof *out->numbers);
        KN_PASS(out->numbers ? KN_OK : kn__nomem(err));
    }
    KN_PASS(out->type == KN_TYPE_NUMBERS ? append_numbers(m, out, err)
                                         : append_values(m, out, err));
    /* Several texts may mean "missing": the first in order of bytes represents all of them. */
    for (uint32_t code = 0; code < m->merged->len; code++) {
        entry e = {0};
        e.text = kn__dict_text(m->merged, code, &e.len);
        out->spellings += m->missing[code];
        if (m->missing[code] && (!any_missing || compare_texts(&e, &missing) < 0)) {
            missing = e;
            any_missing = true;
        }
    }
    if (any_missing) {
        KN_PASS(kn__dict_add(out->dict, missing.text, missing.len, &out->missing, err));
        if (ordered) {
            out->numbers[out->missing] = NAN;
        }
    }
    for (uint32_t code = 0; code < m->merged->len; code++) {
        if (m->missing[code]) {
            m->rank[code] = out->missing;
        }
    }
    for (unsigned w = 0; w < m->b->workers; w++) {
        for (uint32_t code = 0; code < m->map_len[w]; code++) {
            m->map[w][code] = m->rank[m->map[w][code]];
        }
    }
    return KN_OK;
}

static kn_order order_of(bool up, bool down)
{
    if (up) {
        return down ? KN_ORDER_CONSTANT : KN_ORDER_ASCENDING;
    }
    return down ? KN_ORDER_DESCENDING : KN_ORDER_NONE;
}

kn_order kn__column_order(const kn_column *c, size_t records)
{
    bool up = true, down = true;

    for (size_t i = 1; i < records && (up || down); i++) {
        const uint32_t a = kn__column_code(c, i - 1), b = kn__column_code(c, i);
        up = up && a <= b;
        down = down && a >= b;
    }
    return order_of(up, down);
}

/* The order of a column whose values were not kept: the orders that hold in every chunk and between
 * the last value of a chunk and the first of the next. */
static kn_order order_of_chunks(const kn_builder *b, size_t index)
{
    unsigned orders = KN__ALL_ORDERS;
    const kn_chunk_column *before = NULL;
    bool up, down;

    for (size_t i = 0; i < b->chunks_count && orders; i++) {
        const kn_chunk_column *col = &b->chunks[i]->column[index];
        if (b->chunks[i]->records == 0) {
            continue;
        }
        orders &= col->orders;
        if (before && orders) {
            orders &= kn__orders_of_pair(before->last.data, before->last.len, col->first.data,
                                         col->first.len);
        }
        before = col;
    }
    up = (orders & (KN__BYTES_UP | KN__DIGITS_UP)) != 0;
    down = (orders & (KN__BYTES_DOWN | KN__DIGITS_DOWN)) != 0;
    if (orders != KN__ALL_ORDERS && up) {
        down = false; /* one order by bytes, the other by digits: the values differ */
    }
    return order_of(up, down);
}

static kn_status make_kept(column_merge *m, size_t records, kn_column *out, kn_error *err)
{
    bool repeats = false;

    KN_PASS(merge_dicts(m, err));
    if (!m->plan->list) {
        KN_PASS(
            kn__comma_numbers(&m->merged, m->map, m->map_len, m->b, m->plan, &out->commas, err));
    }
    KN_PASS(list_entries(m, err));
    m->dates = kn__find_date_order(m->merged, m->b->schema, m->plan->spec);
    out->dates = (uint8_t)m->dates;
    out->type = m->plan->type;
    if (out->type == KN_TYPE_AUTO && !m->plan->list) {
        out->type = detect_type(m, &out->decimals);
    } else if (out->type == KN_TYPE_AUTO && m->plan->bag) {
        out->type = detect_type(m, &out->decimals);
        out->type = kn__type_is_number(out->type) ? KN_TYPE_NUMBERS : KN_TYPE_BAG;
    } else {
        KN_PASS(read_declared(m, &out->decimals, err));
    }
    KN_PASS(sort_dict(m, out, err));
    KN_PASS(kn__column_write_codes(m->b, m->index, m->map, records, out, &repeats, err));
    if (out->starts) {
        if (out->type == KN_TYPE_AUTO) {
            out->type = repeats ? KN_TYPE_BAG : KN_TYPE_SET;
        } else if (out->type == KN_TYPE_SET && repeats) {
            kn__column_make_sets(out, records);
        }
    } else {
        out->order = kn__column_order(out, records);
    }
    return KN_OK;
}

kn_status kn__column_make(kn_builder *b, size_t i, size_t records, kn_column *out, kn_error *err)
{
    column_merge m = {.b = b, .index = i, .plan = &b->column[i]};
    const kn_column_spec *spec = m.plan->spec;
    kn_status status;

    out->name = kn__strdup(m.plan->name);
    KN_TRY(out->name ? KN_OK : kn__nomem(err));
    out->role = m.plan->role;
    out->declared = m.plan->type != KN_TYPE_AUTO;
    out->chosen = m.plan->chosen;
    out->missing_rule = b->schema ? b->schema->missing_rule : KN_MISSING_OWN;
    out->weight = 1;
    if (spec) {
        kn__column_apply_spec(out, spec);
        KN_TRY(kn__named_items_copy(&out->sensitive, &spec->sensitive, err));
        KN_TRY(kn__item_weights_copy(&out->item_weights, &spec->item_weights, err));
    }
    if (m.plan->keep) {
        KN_TRY(make_kept(&m, records, out, err));
    } else {
        out->type = m.plan->type == KN_TYPE_AUTO ? KN_TYPE_CATEGORY : m.plan->type;
        out->order = order_of_chunks(b, i);
    }
done:
    kn__dict_free(m.merged);
    for (unsigned w = 0; m.map && w < b->workers; w++) {
        kn__free(m.map[w]);
    }
    KN_FREE(m.map, m.map_len, m.entries, m.missing, m.rank);
    return status;
}
