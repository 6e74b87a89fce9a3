/* arrow_cells.c - read Arrow schemas and arrays that other programs made, with checks. */
#include "io/format/arrow_cells.h"
#include "base/error.h"
#include "data/value.h"

#include <string.h>

/* The most elements of an array: any index times the widest element fits a size. */
#define LONGEST (INT64_MAX / 32)

/* ---- the schema ---- */

static kn_status bad_schema(const char *name, const char *words, kn_error *err)
{
    return kn__fail(err, KN_EINPUT, "column '%.100s': the Arrow schema is wrong: %s", name, words);
}

/* The values of `schema`, which may be coded by a dictionary; none below may be nested. */
static kn_status open_values(kn_arrow_field *f, const struct ArrowSchema *schema, kn_error *err)
{
    if (schema->dictionary) {
        f->dictionary = true;
        f->index = kn__arrow_type_parse(schema->format);
        if (f->index.kind != KN_ARROW_SIGNED && f->index.kind != KN_ARROW_UNSIGNED) {
            return bad_schema(f->name, "a dictionary has indices that are no integers", err);
        }
        schema = schema->dictionary;
        if (!schema->format) {
            return bad_schema(f->name, "a dictionary has no format", err);
        }
        if (schema->dictionary) {
            return bad_schema(f->name, "a dictionary has a dictionary", err);
        }
    }
    f->format = schema->format;
    f->type = kn__arrow_type_parse(schema->format);
    if (f->type.kind == KN_ARROW_LIST) {
        f->type.kind = KN_ARROW_OTHER; /* lists of lists, dictionaries of lists */
    }
    return f->type.kind != KN_ARROW_OTHER && schema->n_children != 0
               ? bad_schema(f->name, "a type that is not nested has children", err)
               : KN_OK;
}

kn_status kn__arrow_field_open(kn_arrow_field *f, const struct ArrowSchema *schema, kn_error *err)
{
    *f = (kn_arrow_field){.name = schema->name};
    if (!f->name || !f->name[0]) {
        return kn__fail(err, KN_EINPUT, "the Arrow schema has a column without a name");
    }
    if (!kn__utf8_valid(f->name, strlen(f->name), NULL)) {
        return kn__fail(err, KN_EINPUT,
                        "the Arrow schema has a column whose name is not valid UTF-8");
    }
    if (!schema->format) {
        return bad_schema(f->name, "it has no format", err);
    }
    f->lists = kn__arrow_type_parse(schema->format);
    if (schema->dictionary || f->lists.kind != KN_ARROW_LIST) {
        return open_values(f, schema, err);
    }
    f->list = true;
    if (schema->n_children != 1 || !schema->children || !schema->children[0] ||
        !schema->children[0]->format) {
        return bad_schema(f->name, "a list has one child with a format", err);
    }
    return open_values(f, schema->children[0], err);
}

/* ---- arrays ---- */

static bool length_fits(const struct ArrowArray *a)
{
    return a->length >= 0 && a->offset >= 0 && a->null_count >= -1 && a->length <= LONGEST &&
           a->offset <= LONGEST - a->length;
}

bool kn__arrow_batch_open(kn_arrow_cells *c, const struct ArrowArray *array, size_t columns)
{
    if (!length_fits(array) || array->n_children < 0 || (uint64_t)array->n_children != columns ||
        !array->children || array->n_buffers != 1 || !array->buffers || array->dictionary ||
        (array->null_count > 0 && !array->buffers[0])) {
        return false;
    }
    /* Any kind but NULL: the records themselves are not all null. */
    *c = (kn_arrow_cells){.type = {.kind = KN_ARROW_OTHER},
                          .validity = array->buffers[0],
                          .offset = (size_t)array->offset,
                          .length = (size_t)array->length};
    return true;
}

/* How many buffers an array has; those of text views depend on it. */
static bool buffers_fit(const struct ArrowArray *a, kn_arrow_kind kind)
{
    switch (kind) {
    case KN_ARROW_NULL: return a->n_buffers == 0 || a->n_buffers == 1; /* 1 in old versions */
    case KN_ARROW_TEXT: return a->n_buffers == 3;
    case KN_ARROW_TEXT_VIEW: return a->n_buffers >= 3;
    default: return a->n_buffers == 2;
    }
}

/* What all arrays have in common; fills in validity, offset and length. */
static const char *open_array(kn_arrow_cells *c, const struct ArrowArray *a, size_t need)
{
    const bool null = c->type.kind == KN_ARROW_NULL, list = c->type.kind == KN_ARROW_LIST;

    if (!length_fits(a)) {
        return "an Arrow array has an impossible length, offset or null count";
    }
    if ((uint64_t)a->length < need) {
        return "an Arrow array is shorter than its record batch";
    }
    if (!buffers_fit(a, c->type.kind) || (a->n_buffers && !a->buffers)) {
        return "an Arrow array has another number of buffers than its type";
    }
    if (a->n_children != (list ? 1 : 0) || (list && (!a->children || !a->children[0]))) {
        return "an Arrow array has another number of children than its type";
    }
    c->offset = (size_t)a->offset;
    c->length = (size_t)a->length;
    c->validity = a->n_buffers ? a->buffers[0] : NULL;
    if (!null && a->null_count > 0 && !c->validity) {
        return "an Arrow array has nulls, but no validity buffer";
    }
    return NULL;
}

static const char *open_cells(kn_arrow_cells *c, kn_arrow_type type, const struct ArrowArray *a,
                              size_t need)
{
    const char *wrong;

    *c = (kn_arrow_cells){.type = type};
    wrong = open_array(c, a, need);
    if (wrong || type.kind == KN_ARROW_NULL) {
        return wrong;
    }
    c->data = a->buffers[1];
    if (!c->data && c->length) {
        return "an Arrow array has no buffer for its values";
    }
    if (type.kind == KN_ARROW_TEXT) {
        c->text = a->buffers[2];
    } else if (type.kind == KN_ARROW_TEXT_VIEW) {
        c->variadic = a->buffers + 2;
        c->variadic_count = (size_t)(a->n_buffers - 3);
        c->variadic_sizes = a->buffers[a->n_buffers - 1];
        if (c->variadic_count && !c->variadic_sizes) {
            return "an Arrow array of string views does not say how long its buffers are";
        }
    }
    return NULL;
}

bool kn__arrow_column_open(kn_arrow_column *c, const kn_arrow_field *f,
                           const struct ArrowArray *array, size_t need, const char **why)
{
    *c = (kn_arrow_column){0};
    *why = NULL;
    if (!array) {
        *why = "an Arrow array is missing";
        return false;
    }
    if (f->list) {
        *why = open_cells(&c->lists, f->lists, array, need);
        array = *why ? NULL : array->children[0];
        need = 0;
    }
    if (!*why && f->dictionary) {
        *why = open_cells(&c->index, f->index, array, need);
        array = *why ? NULL : array->dictionary;
        need = 0;
        if (!*why && !array) {
            *why = "an Arrow array lacks its dictionary";
        }
    } else if (!*why && array->dictionary) {
        *why = "an Arrow array has a dictionary that its schema does not have";
    }
    if (!*why) {
        *why = open_cells(&c->values, f->type, array, need);
    }
    return !*why;
}

/* ---- elements ---- */

/* Offset number `i`, from 0 on; false for negative ones. */
static bool offset_at(const kn_arrow_cells *c, size_t i, size_t *out)
{
    const size_t at = c->offset + i;
    int64_t eight;
    int32_t four;

    if (c->type.width == 8) {
        memcpy(&eight, c->data + at * 8, 8);
    } else {
        memcpy(&four, c->data + at * 4, 4);
        eight = four;
    }
    *out = (size_t)eight;
    return eight >= 0;
}

static bool range_at(const kn_arrow_cells *c, size_t i, size_t *begin, size_t *end)
{
    return offset_at(c, i, begin) && offset_at(c, i + 1, end) && *begin <= *end;
}

bool kn__arrow_list_at(const kn_arrow_column *c, size_t i, size_t *begin, size_t *end,
                       const char **why)
{
    const kn_arrow_cells *items = c->index.type.kind ? &c->index : &c->values;

    if (!range_at(&c->lists, i, begin, end)) {
        *why = "the offsets of the list are negative or decrease";
        return false;
    }
    if (*end > items->length) {
        *why = "the list ends after the last item of its Arrow array";
        return false;
    }
    return true;
}

static bool view_at(const kn_arrow_cells *c, size_t i, kn_text *out, const char **why)
{
    const unsigned char *view = c->data + (c->offset + i) * 16;
    int32_t part[4]; /* length, the first bytes, buffer, offset */
    int64_t size;

    memcpy(part, view, sizeof part);
    if (part[0] >= 0 && part[0] <= 12) {
        *out = (kn_text){.at = (const char *)view + 4, .len = (size_t)part[0]};
        return true;
    }
    if (part[0] < 0 || part[2] < 0 || (size_t)part[2] >= c->variadic_count || part[3] < 0 ||
        !c->variadic[part[2]]) {
        *why = "the string view is negative or of a buffer that is not there";
        return false;
    }
    memcpy(&size, c->variadic_sizes + (size_t)part[2] * 8, 8);
    if ((int64_t)part[3] + part[0] > size) {
        *why = "the string view ends after its buffer";
        return false;
    }
    *out = (kn_text){.at = (const char *)c->variadic[part[2]] + part[3], .len = (size_t)part[0]};
    return true;
}

bool kn__arrow_text_at(const kn_arrow_cells *c, size_t i, kn_text *out, const char **why)
{
    size_t begin, end;

    if (c->type.kind == KN_ARROW_TEXT_VIEW) {
        return view_at(c, i, out, why);
    }
    if (!range_at(c, i, &begin, &end)) {
        *why = "the offsets of the text are negative or decrease";
        return false;
    }
    if (end > begin && !c->text) {
        *why = "the Arrow array has no buffer for its texts";
        return false;
    }
    *out = (kn_text){.at = c->text ? c->text + begin : "", .len = end - begin};
    return true;
}

bool kn__arrow_index_at(const kn_arrow_column *c, size_t i, size_t *out, const char **why)
{
    const kn_arrow_bits bits = kn__arrow_bits_at(&c->index, i);
    const unsigned top = 8u * c->index.type.width - 1;
    const bool negative = c->index.type.kind == KN_ARROW_SIGNED && (bits.low >> top & 1);

    *out = (size_t)bits.low;
    if (negative || bits.low >= c->values.length) {
        *why = "the index is outside the dictionary";
        return false;
    }
    return true;
}
