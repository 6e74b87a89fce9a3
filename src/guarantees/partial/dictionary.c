/* dictionary.c - the union of the values of slices, as a value that merges. */
#include "guarantees/partial/dictionary.h"
#include "base/args.h"
#include "base/memory.h"
#include "guarantees/partial/bytes.h"

#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'K', 'N', 'D', 'I', 'C', 'T', '1', '\n'};

/* What a column of a slice or of written bytes is. */
typedef struct shape {
    kn_text name;
    bool sensitive;
    kn_cell_kind cells;
    kn_type type;
} shape;

/* ---- made and freed ---- */

static void clear_columns(kn_dictionary_column *column, size_t columns)
{
    for (size_t i = 0; column && i < columns; i++) {
        kn__free(column[i].name);
        kn__dict_free(column[i].texts);
    }
    kn__free(column);
}

kn_status kn_dictionary_new(kn_dictionary **out, kn_error *err)
{
    KN_NEED_OUT(err, out);

    *out = kn__zalloc(sizeof **out);
    return *out ? KN_OK : kn__nomem(err);
}

void kn_dictionary_free(kn_dictionary *d)
{
    if (d) {
        clear_columns(d->column, d->columns);
        kn__free(d);
    }
}

/* ---- columns ---- */

static int compare_texts(kn_text a, kn_text b)
{
    const int order = memcmp(a.at, b.at, a.len < b.len ? a.len : b.len);

    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare_shapes(const void *a, const void *b)
{
    return compare_texts(((const shape *)a)->name, ((const shape *)b)->name);
}

/* The least type that both are of: an order in which category is the top. */
static kn_type join_types(kn_type a, kn_type b)
{
    if (a == b || b == KN_TYPE_AUTO) {
        return a;
    }
    if (a == KN_TYPE_AUTO) {
        return b;
    }
    if ((a == KN_TYPE_INTEGER && b == KN_TYPE_DECIMAL) ||
        (a == KN_TYPE_DECIMAL && b == KN_TYPE_INTEGER)) {
        return KN_TYPE_DECIMAL;
    }
    return KN_TYPE_CATEGORY;
}

static kn_status other_columns(kn_text name, const char *what, kn_error *err)
{
    return kn__fail(
        err, KN_EUSAGE,
        "column \"%.*s\" %s: read all slices with one schema that gives roles and types",
        (int)(name.len < 100 ? name.len : 100), name.at, what);
}

/* Make the columns of an empty dictionary, or see that they are the same. `of` is sorted. */
static kn_status take_shapes(kn_dictionary *d, const shape *of, size_t count, kn_error *err)
{
    kn_status status;

    if (!d->filled) {
        d->column = kn__zalloc_array(count, sizeof *d->column);
        KN_TRY(d->column ? KN_OK : kn__nomem(err));
        for (; d->columns < count; d->columns++) {
            kn_dictionary_column *c = &d->column[d->columns];
            c->name = kn__strndup(of[d->columns].name.at, of[d->columns].name.len);
            c->sensitive = of[d->columns].sensitive;
            c->cells = of[d->columns].cells;
            status = c->name ? kn__dict_new(&c->texts, err) : kn__nomem(err);
            if (status != KN_OK) {
                kn__free(c->name);
                goto done;
            }
        }
        d->filled = true;
    }
    for (size_t i = 0; i < count && i < d->columns; i++) {
        kn_dictionary_column *c = &d->column[i];
        const kn_text name = {c->name, strlen(c->name)};
        if (compare_texts(of[i].name, name) != 0) {
            KN_TRY(other_columns(compare_texts(of[i].name, name) < 0 ? of[i].name : name,
                                 "is looked at in one slice and not in another", err));
        }
        if (c->sensitive != of[i].sensitive) {
            KN_TRY(other_columns(name, "is sensitive in one slice and not in another", err));
        }
        if (c->cells != of[i].cells) {
            KN_TRY(other_columns(name,
                                 "holds lists in one slice and not in another, or sets here "
                                 "and bags there",
                                 err));
        }
    }
    if (count != d->columns) {
        KN_TRY(
            kn__fail(err, KN_EUSAGE,
                     "one slice has %zu quasi-identifiers and sensitive columns, another %zu: read "
                     "all slices with one schema",
                     d->columns, count));
    }
    for (size_t i = 0; i < count; i++) {
        d->column[i].type = join_types(d->column[i].type, of[i].type);
    }
    return KN_OK;
done:
    if (!d->filled) {
        clear_columns(d->column, d->columns);
        d->column = NULL;
        d->columns = 0;
    }
    return status;
}

static kn_cell_kind cells_of(kn_type type)
{
    if (!kn__type_is_list(type)) {
        return KN_CELL_VALUE;
    }
    return type == KN_TYPE_SET ? KN_CELL_SET : KN_CELL_BAG;
}

static kn_status shape_of(shape *out, const kn_column *c, kn_error *err)
{
    const uint32_t values = kn__column_values(c);

    if (!c->dict) {
        return kn__fail(err, KN_EUSAGE, "the values of column \"%.100s\" were not kept", c->name);
    }
    if (c->type == KN_TYPE_NUMBERS) {
        return kn__fail(err, KN_EUSAGE,
                        "column \"%.100s\" holds lists of numbers, of which one may be written in "
                        "several ways: read it as items (type bag)",
                        c->name);
    }
    if (c->role == KN_ROLE_QUASI && c->missing != KN_NO_CODE && c->missing_rule == KN_MISSING_ANY) {
        return kn__fail(
            err, KN_EUSAGE,
            "missing values of column \"%.100s\" may be anyone's, which cannot be counted "
            "by classes: use the rule own",
            c->name);
    }
    *out = (shape){.name = {c->name, strlen(c->name)},
                   .sensitive = c->role == KN_ROLE_SENSITIVE,
                   .cells = cells_of(c->type)};
    if (out->cells == KN_CELL_VALUE && values > (c->missing != KN_NO_CODE)) {
        out->type = c->type;
    }
    return KN_OK;
}

static bool is_looked_at(const kn_column *c)
{
    return c->role == KN_ROLE_QUASI || c->role == KN_ROLE_SENSITIVE;
}

/* The shapes of a slice's columns, sorted, in `*out` (kn__free). */
static kn_status shapes_of(shape **out, size_t *count, const kn_dataset *slice, kn_error *err)
{
    shape *of = kn__zalloc_array(slice->columns, sizeof *of);
    size_t found = 0;
    kn_status status;

    KN_TRY(of ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < slice->columns; i++) {
        if (is_looked_at(&slice->column[i])) {
            KN_TRY(shape_of(&of[found], &slice->column[i], err));
            found++;
        }
    }
    if (found) {
        qsort(of, found, sizeof *of, compare_shapes);
    }
    *out = of;
    *count = found;
    return KN_OK;
done:
    kn__free(of);
    return status;
}

/* ---- values ---- */

kn_status kn_dictionary_add(kn_dictionary *d, const kn_dataset *slice, kn_error *err)
{
    KN_NEED(err, d, slice);

    shape *of = NULL;
    size_t count = 0;
    kn_status status;

    KN_TRY(d->broken ? kn__fail(err, KN_EUSAGE, "memory ran out when this dictionary was filled")
                     : shapes_of(&of, &count, slice, err));
    KN_TRY(take_shapes(d, of, count, err));
    for (size_t i = 0; i < count; i++) {
        kn_dictionary_column *c = &d->column[i];
        const kn_column *from = &slice->column[kn_dataset_find(slice, c->name)];
        for (uint32_t code = 0; code < kn__column_values(from); code++) {
            uint32_t ignored;
            size_t len;
            const char *text = kn__dict_text(from->dict, code, &len);
            if (code == from->missing) {
                c->missing = true;
                continue;
            }
            status = kn__dict_add(c->texts, text, len, &ignored, err);
            if (status != KN_OK) {
                d->broken = true;
                goto done;
            }
        }
    }
done:
    kn__free(of);
    return status;
}

static int compare_listed(const void *a, const void *b)
{
    return compare_texts(*(const kn_text *)a, *(const kn_text *)b);
}

/* The texts of a column in ascending order, in `*out` (kn__free), borrowed. */
static kn_status sorted_texts(kn_text **out, const kn_dict *texts, kn_error *err)
{
    kn_text *list = kn__malloc_array(texts->len, sizeof *list);

    *out = list;
    KN_PASS(list ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < texts->len; i++) {
        list[i].at = kn__dict_text(texts, i, &list[i].len);
    }
    if (texts->len) {
        qsort(list, texts->len, sizeof *list, compare_listed);
    }
    return KN_OK;
}

kn_status kn_dictionary_write(unsigned char **out, size_t *len, const kn_dictionary *d,
                              kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, len, d);

    kn_buffer b = {0};
    kn_text *list = NULL;
    kn_status status;

    *len = 0;
    KN_TRY(d->broken ? kn__fail(err, KN_EUSAGE, "memory ran out when this dictionary was filled")
                     : KN_OK);
    kn__buffer_add(&b, magic, sizeof magic);
    kn__put(&b, d->filled, 1);
    kn__put(&b, d->columns, 4);
    for (size_t i = 0; i < d->columns; i++) {
        const kn_dictionary_column *c = &d->column[i];
        kn__put_text(&b, c->name, strlen(c->name));
        kn__put(&b, c->sensitive, 1);
        kn__put(&b, c->cells, 1);
        kn__put(&b, c->type, 1);
        kn__put(&b, c->missing, 1);
        kn__put(&b, c->texts->len, 4);
        KN_TRY(sorted_texts(&list, c->texts, err));
        for (uint32_t t = 0; t < c->texts->len; t++) {
            kn__put_text(&b, list[t].at, list[t].len);
        }
        kn__free(list);
        list = NULL;
    }
    KN_TRY(kn__put_end(&b, out, len, err));
done:
    kn__free(list);
    kn__buffer_free(&b);
    return status;
}

/* One pass over written columns. `d` NULL: only look whether they are sound, and put what the
 * columns are into `of`; else add their values. */
static kn_status read_columns(kn_byte_reader r, uint32_t count, shape *of, kn_dictionary *d,
                              kn_error *err)
{
    const char *wrong = NULL;
    kn_status status = KN_OK;

    for (uint32_t i = 0; i < count && !wrong && status == KN_OK; i++) {
        const kn_text name = kn__take_text(&r);
        const uint64_t sensitive = kn__take(&r, 1), cells = kn__take(&r, 1), type = kn__take(&r, 1);
        const uint64_t missing = kn__take(&r, 1);
        const uint32_t texts = (uint32_t)kn__take(&r, 4);
        kn_text before = {0};
        if (name.len == 0 || memchr(name.at, '\0', name.len) || sensitive > 1 || missing > 1 ||
            cells > KN_CELL_BAG || type > KN_TYPE_DATE || (cells != KN_CELL_VALUE && type != 0) ||
            (cells == KN_CELL_VALUE && (type == KN_TYPE_AUTO) != (texts == 0))) {
            wrong = "a column is described that cannot be";
        } else if (!d && i && compare_texts(of[i - 1].name, name) >= 0) {
            wrong = "its columns are not in order";
        }
        if (!d) {
            of[i] = (shape){name, sensitive == 1, (kn_cell_kind)cells, (kn_type)type};
        } else {
            d->column[i].missing |= missing == 1;
        }
        for (uint32_t t = 0; t < texts && !wrong && status == KN_OK && !r.short_of; t++) {
            const kn_text text = kn__take_text(&r);
            uint32_t ignored;
            if (t && compare_texts(before, text) >= 0) {
                wrong = "its values are not in order";
            }
            before = text;
            if (d) {
                status = kn__dict_add(d->column[i].texts, text.at, text.len, &ignored, err);
            }
        }
        if (r.short_of) {
            wrong = "it ends early";
        }
    }
    if (!wrong && r.left) {
        wrong = "more follows where it should end";
    }
    return wrong ? kn__fail(err, KN_EINPUT, "these bytes are no dictionary: %s", wrong) : status;
}

kn_status kn_dictionary_merge(kn_dictionary *d, const unsigned char *bytes, size_t len,
                              kn_error *err)
{
    KN_NEED(err, d, bytes);

    kn_byte_reader r;
    shape *of = NULL;
    uint64_t filled;
    uint32_t count;
    kn_status status;

    KN_TRY(d->broken ? kn__fail(err, KN_EUSAGE, "memory ran out when this dictionary was filled")
                     : kn__take_begin(&r, magic, "dictionary", bytes, len, err));
    filled = kn__take(&r, 1);
    count = (uint32_t)kn__take(&r, 4);
    if (filled > 1 || r.short_of || count > r.left / 12 || (!filled && (count || r.left))) {
        KN_TRY(kn__fail(err, KN_EINPUT,
                        "these bytes are no dictionary: they begin with what cannot "
                        "be"));
    }
    of = kn__zalloc_array(count, sizeof *of);
    KN_TRY(of ? read_columns(r, count, of, NULL, err) : kn__nomem(err));
    if (filled) {
        KN_TRY(take_shapes(d, of, count, err));
        status = read_columns(r, count, of, d, err);
        d->broken = status != KN_OK;
    }
done:
    kn__free(of);
    return status;
}

/* ---- the shared numbering ---- */

kn_status kn__code_space_new(kn_code_space *out, const kn_dictionary *d, kn_error *err)
{
    unsigned char *bytes = NULL;
    kn_text *list = NULL;
    size_t len = 0;
    kn_status status;

    *out = (kn_code_space){0};
    KN_TRY(kn_dictionary_write(&bytes, &len, d, err));
    out->hash = kn__partial_checksum((const char *)bytes, len);
    out->column = kn__zalloc_array(d->columns, sizeof *out->column);
    KN_TRY(out->column ? KN_OK : kn__nomem(err));
    for (; out->columns < d->columns; out->columns++) {
        const kn_dictionary_column *from = &d->column[out->columns];
        kn_dictionary_column *c = &out->column[out->columns];
        *c = *from;
        c->texts = NULL;
        c->name = kn__strdup(from->name);
        status = c->name ? kn__dict_new(&c->texts, err) : kn__nomem(err);
        if (status == KN_OK) {
            status = sorted_texts(&list, from->texts, err);
        }
        for (uint32_t t = 0; t < from->texts->len && status == KN_OK; t++) {
            status = kn__dict_append(c->texts, list[t].at, list[t].len, err);
        }
        kn__free(list);
        list = NULL;
        if (status != KN_OK) {
            out->columns++;
            goto done;
        }
    }
done:
    kn__free(bytes);
    if (status != KN_OK) {
        kn__code_space_clear(out);
    }
    return status;
}

void kn__code_space_clear(kn_code_space *s)
{
    clear_columns(s->column, s->columns);
    *s = (kn_code_space){0};
}

kn_status kn__space_columns(size_t **at, const kn_code_space *s, const kn_dataset *slice,
                            kn_error *err)
{
    kn_dictionary same = {.column = s->column, .columns = s->columns, .filled = true};
    shape *of = NULL;
    size_t count = 0;
    kn_status status;

    *at = NULL;
    KN_TRY(shapes_of(&of, &count, slice, err));
    for (size_t i = 0; i < count; i++) {
        of[i].type = KN_TYPE_AUTO; /* so that nothing changes */
    }
    KN_TRY(take_shapes(&same, of, count, err));
    *at = kn__malloc_array(count, sizeof **at);
    KN_TRY(*at ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        (*at)[i] = kn_dataset_find(slice, s->column[i].name);
    }
done:
    kn__free(of);
    return status;
}

kn_status kn__space_map(uint32_t **to, const kn_dictionary_column *c, const kn_column *from,
                        kn_error *err)
{
    const uint32_t values = kn__column_values(from);
    uint32_t *map = kn__malloc_array(values, sizeof *map);

    *to = map;
    KN_PASS(map ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < values; code++) {
        size_t len;
        const char *text = kn__dict_text(from->dict, code, &len);
        if (code == from->missing) {
            map[code] = c->missing ? c->texts->len : KN_NO_CODE;
        } else {
            map[code] = kn__dict_find(c->texts, text, len);
        }
        if (map[code] == KN_NO_CODE) {
            return kn__fail(
                err, KN_EINPUT,
                "column \"%.100s\" holds a value that is not in the dictionary: add every "
                "slice to the dictionary before any is counted",
                c->name);
        }
    }
    return KN_OK;
}
