/* arrow_write.c - datasets as Arrow record batches.
 *
 * Codes, list starts and the bytes of dictionaries are given as they are: every exported array owns
 * a share of the dataset. Columns of numbers, dates and booleans are given by value, in the type in
 * which they came or else in one that loses nothing: each value is read from its text once per
 * dictionary entry, and written back to see that the text is the same. Columns that came as plain
 * texts are given as plain texts of the same type. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "io/format/arrow.h"
#include "io/format/arrow_texts.h"
#include "io/writer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- schemas ---- */

static void release_schema(struct ArrowSchema *s)
{
    char *text;

    for (int64_t i = 0; i < s->n_children; i++) {
        if (s->children[i] && s->children[i]->release) {
            s->children[i]->release(s->children[i]);
        }
        kn__free(s->children[i]);
    }
    kn__free(s->children);
    if (s->dictionary && s->dictionary->release) {
        s->dictionary->release(s->dictionary);
    }
    kn__free(s->dictionary);
    memcpy(&text, &s->name, sizeof text);
    kn__free(text);
    memcpy(&text, &s->format, sizeof text);
    kn__free(text);
    s->release = NULL;
}

/* A schema with room for `children` of them. On failure it is fit to be released. */
static bool make_schema(struct ArrowSchema *s, const char *format, const char *name,
                        size_t children)
{
    *s = (struct ArrowSchema){.flags = ARROW_FLAG_NULLABLE, .release = release_schema};
    s->format = kn__strdup(format);
    s->name = kn__strdup(name);
    s->children = children ? kn__zalloc_array(children, sizeof *s->children) : NULL;
    if (!s->format || !s->name || (children && !s->children)) {
        return false;
    }
    s->n_children = (int64_t)children;
    for (size_t i = 0; i < children; i++) {
        s->children[i] = kn__zalloc(sizeof **s->children);
        if (!s->children[i]) {
            return false;
        }
    }
    return true;
}

static bool add_dictionary_schema(struct ArrowSchema *s)
{
    s->dictionary = kn__zalloc(sizeof *s->dictionary);
    return s->dictionary && make_schema(s->dictionary, "U", "", 0);
}

static bool copy_schema(struct ArrowSchema *to, const struct ArrowSchema *from)
{
    bool done = make_schema(to, from->format, from->name, (size_t)from->n_children);

    for (int64_t i = 0; done && i < from->n_children; i++) {
        done = copy_schema(to->children[i], from->children[i]);
    }
    return done && (!from->dictionary || add_dictionary_schema(to));
}

/* ---- arrays ---- */

enum { MOST_BUFFERS = 4 };

/* What an exported array owns. */
typedef struct owned {
    kn_dataset *share; /* for buffers that are the dataset's; NULL: there are none */
    void *made[MOST_BUFFERS];
    const void *buffers[MOST_BUFFERS];
} owned;

static void release_array(struct ArrowArray *a)
{
    owned *o = a->private_data;

    for (int64_t i = 0; i < a->n_children; i++) {
        if (a->children[i] && a->children[i]->release) {
            a->children[i]->release(a->children[i]);
        }
        kn__free(a->children[i]);
    }
    kn__free(a->children);
    if (a->dictionary && a->dictionary->release) {
        a->dictionary->release(a->dictionary);
    }
    kn__free(a->dictionary);
    if (o) {
        kn_dataset_free(o->share);
        for (size_t i = 0; i < MOST_BUFFERS; i++) {
            kn__free(o->made[i]);
        }
        kn__free(o);
    }
    a->release = NULL;
}

/* An array of `length` elements with room for `children`. On failure it is fit to be released. */
static owned *make_array(struct ArrowArray *a, size_t length, size_t buffers, size_t children)
{
    owned *o = kn__zalloc(sizeof *o);

    *a = (struct ArrowArray){.length = (int64_t)length,
                             .n_buffers = (int64_t)buffers,
                             .release = release_array,
                             .private_data = o};
    a->children = children ? kn__zalloc_array(children, sizeof *a->children) : NULL;
    if (!o || (children && !a->children)) {
        return NULL;
    }
    a->buffers = o->buffers;
    a->n_children = (int64_t)children;
    for (size_t i = 0; i < children; i++) {
        a->children[i] = kn__zalloc(sizeof **a->children);
        if (!a->children[i]) {
            return NULL;
        }
    }
    return o;
}

/* Give buffer `i` to the array; NULL: it could not be allocated. */
static bool own_buffer(owned *o, size_t i, void *made)
{
    o->made[i] = made;
    o->buffers[i] = made;
    return made != NULL;
}

static void borrow_buffer(owned *o, size_t i, const kn_dataset *ds, const void *buffer)
{
    o->buffers[i] = buffer;
    if (!o->share) {
        o->share = kn__dataset_share(ds);
    }
}

/* ---- the type of a column ---- */

typedef struct encoding {
    char format[160];
    kn_arrow_type type;    /* KN_ARROW_OTHER: as texts, coded by a dictionary */
    unsigned char *values; /* by code: what the array holds */
} encoding;

static uint32_t present_values(const kn_column *c)
{
    return kn__column_values(c) - (c->missing != KN_NO_CODE);
}

/* Read the texts of `c` as values of `format`; *fits: all can be. */
static kn_status encode_as(encoding *e, const kn_column *c, const char *format, bool *fits,
                           kn_error *err)
{
    const uint32_t values = present_values(c);
    const kn_arrow_type type = kn__arrow_type_parse(format);
    const size_t width = type.width ? type.width : 1;

    *fits = kn__arrow_is_text(type.kind);
    if (*fits) {
        (void)snprintf(e->format, sizeof e->format, "%s", format);
        e->type = type;
        return KN_OK;
    }
    if (type.kind == KN_ARROW_OTHER || (type.kind == KN_ARROW_NULL && values > 0) ||
        strlen(format) >= sizeof e->format) {
        return KN_OK;
    }
    kn__free(e->values);
    e->values = kn__zalloc_array((size_t)values + 1, width);
    if (!e->values) {
        return kn__nomem(err);
    }
    for (uint32_t code = 0; code < values; code++) {
        size_t len;
        kn_arrow_bits bits;
        const char *text = kn__column_text(c, code, &len);
        if (!kn__arrow_value_read(&type, text, len, c->type == KN_TYPE_NUMBERS, &bits)) {
            return KN_OK;
        }
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        if (width == 16) {
            bits = (kn_arrow_bits){.low = bits.high, .high = bits.low};
        } else {
            bits.low <<= 64 - 8 * width;
        }
#endif
        memcpy(e->values + code * width, &bits, width);
    }
    (void)snprintf(e->format, sizeof e->format, "%s", format);
    e->type = type;
    *fits = true;
    return KN_OK;
}

static kn_status choose_encoding(encoding *e, const kn_column *c, kn_error *err)
{
    char decimal[32];
    const char *tries[3] = {c->arrow};
    size_t count = c->arrow != NULL;
    bool fits = false;
    kn_status status = KN_OK;

    if (!c->arrow && c->type == KN_TYPE_INTEGER) {
        tries[count++] = "l";
    } else if (!c->arrow && c->type == KN_TYPE_DATE) {
        tries[count++] = "tdD";
    } else if (!c->arrow && (c->type == KN_TYPE_DECIMAL || c->type == KN_TYPE_NUMBERS)) {
        (void)snprintf(decimal, sizeof decimal, "d:38,%u", c->decimals);
        tries[count++] = "g";
        tries[count++] = decimal;
    }
    for (size_t i = 0; !fits && i < count; i++) {
        KN_TRY(encode_as(e, c, tries[i], &fits, err));
    }
done:
    if (!fits) {
        e->type = (kn_arrow_type){0};
        (void)snprintf(e->format, sizeof e->format, "%s",
                       c->width == 1   ? "C"
                       : c->width == 2 ? "S"
                                       : "I");
    }
    return status;
}

/* ---- columns ---- */

/* Validity bits of `count` codes: NULL in `*out` when no value is missing. */
static kn_status make_validity(const kn_column *c, size_t count, uint8_t **out, int64_t *nulls,
                               kn_error *err)
{
    uint8_t *bits;

    *out = NULL;
    *nulls = 0;
    if (c->missing == KN_NO_CODE) {
        return KN_OK;
    }
    bits = kn__zalloc_array(count / 8 + 1, 1);
    if (!bits) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        const bool valid = kn__column_code(c, i) != c->missing;
        bits[i / 8] = (uint8_t)(bits[i / 8] | valid << (i % 8));
        *nulls += !valid;
    }
    *out = bits;
    return KN_OK;
}

static inline void gather_of(const kn_column *c, const unsigned char *values, size_t count,
                             unsigned char *out, size_t width, uint8_t code_width)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(out + i * width, values + kn__code_get(c->codes, code_width, i) * width, width);
    }
}

static inline void gather(const kn_column *c, const unsigned char *values, size_t count,
                          unsigned char *out, size_t width)
{
    KN_BY_WIDTH(c->width, gather_of, c, values, count, out, width);
}

/* An array of the values of `count` codes. */
static void *make_values(const kn_column *c, const encoding *e, size_t count)
{
    const bool bits = e->type.kind == KN_ARROW_BOOLEAN;
    unsigned char *out = bits ? kn__zalloc_array(count / 8 + 1, 1)
                              : kn__malloc_array(count, e->type.width);

    for (size_t i = 0; out && bits && i < count; i++) {
        out[i / 8] = (unsigned char)(out[i / 8] | e->values[kn__column_code(c, i)] << (i % 8));
    }
    if (out && !bits) {
        switch (e->type.width) { /* constants, so that each is a plain loop */
        case 1: gather(c, e->values, count, out, 1); break;
        case 2: gather(c, e->values, count, out, 2); break;
        case 4: gather(c, e->values, count, out, 4); break;
        case 8: gather(c, e->values, count, out, 8); break;
        default: gather(c, e->values, count, out, 16);
        }
    }
    return out;
}

/* The values of a column without the missing one, as large strings. */
static bool make_dictionary(struct ArrowArray *a, const kn_dataset *ds, const kn_column *c)
{
    const uint32_t values = present_values(c);
    owned *o = make_array(a, values, 3, 0);
    int64_t *offsets = o ? kn__malloc_array((size_t)values + 1, sizeof *offsets) : NULL;

    if (!offsets) {
        return false;
    }
    (void)own_buffer(o, 1, offsets);
    offsets[0] = 0;
    for (uint32_t i = 0; i < values; i++) {
        offsets[i + 1] = (int64_t)c->dict->ends[i];
    }
    borrow_buffer(o, 2, ds, c->dict->bytes);
    return true;
}

/* The buffers of plain texts. */
static bool make_texts(owned *o, const kn_dataset *ds, const kn_column *c, const encoding *e,
                       size_t count)
{
    if (e->type.kind == KN_ARROW_TEXT_VIEW) {
        borrow_buffer(o, 2, ds, c->dict->bytes);
        return own_buffer(o, 1, kn__arrow_make_views(c, count)) &&
               own_buffer(o, 3, kn__arrow_make_view_sizes(c));
    }
    return own_buffer(o, 1, kn__arrow_make_offsets(c, count, e->type.width)) &&
           own_buffer(o, 2, kn__arrow_make_bytes(c, count));
}

/* Texts of which the format has no room for all are large strings. */
static void widen_texts(encoding *e, const kn_column *c, size_t count)
{
    if (kn__arrow_is_text(e->type.kind) && !kn__arrow_texts_fit(&e->type, c, count)) {
        (void)snprintf(e->format, sizeof e->format, "U");
        e->type = kn__arrow_type_parse(e->format);
    }
}

/* The array of `count` codes of a column. */
static kn_status make_codes(struct ArrowArray *a, const kn_dataset *ds, const kn_column *c,
                            const encoding *e, size_t count, kn_error *err)
{
    const kn_arrow_kind kind = e->type.kind;
    const bool null = kind == KN_ARROW_NULL;
    owned *o = make_array(a, count,
                          null                         ? 0
                          : kind == KN_ARROW_TEXT_VIEW ? 4
                          : kind == KN_ARROW_TEXT      ? 3
                                                       : 2,
                          0);
    uint8_t *validity;
    kn_status status;

    KN_TRY(o ? KN_OK : kn__nomem(err));
    if (null) {
        a->null_count = (int64_t)count;
        return KN_OK;
    }
    KN_TRY(make_validity(c, count, &validity, &a->null_count, err));
done:
    if (status != KN_OK) {
        return status;
    }
    (void)own_buffer(o, 0, validity);
    if (kn__arrow_is_text(kind)) {
        return make_texts(o, ds, c, e, count) ? KN_OK : kn__nomem(err);
    }
    if (kind != KN_ARROW_OTHER) {
        return own_buffer(o, 1, make_values(c, e, count)) ? KN_OK : kn__nomem(err);
    }
    borrow_buffer(o, 1, ds, c->codes);
    a->dictionary = kn__zalloc(sizeof *a->dictionary);
    return a->dictionary && make_dictionary(a->dictionary, ds, c) ? KN_OK : kn__nomem(err);
}

static bool make_field(struct ArrowSchema *s, const encoding *e, const char *name)
{
    return make_schema(s, e->format, name, 0) &&
           (e->type.kind != KN_ARROW_OTHER || add_dictionary_schema(s));
}

static kn_status make_column(struct ArrowSchema *s, struct ArrowArray *a, const kn_dataset *ds,
                             const kn_column *c, kn_error *err)
{
    encoding e = {0};
    owned *o;
    kn_status status;

    KN_TRY(choose_encoding(&e, c, err));
    widen_texts(&e, c, c->starts ? (size_t)c->starts[ds->records] : ds->records);
    if (!c->starts) {
        KN_TRY(make_field(s, &e, c->name) ? KN_OK : kn__nomem(err));
        KN_TRY(make_codes(a, ds, c, &e, ds->records, err));
    } else {
        KN_TRY(make_schema(s, "+L", c->name, 1) && make_field(s->children[0], &e, "item")
                   ? KN_OK
                   : kn__nomem(err));
        o = make_array(a, ds->records, 2, 1);
        KN_TRY(o ? KN_OK : kn__nomem(err));
        borrow_buffer(o, 1, ds, c->starts);
        KN_TRY(make_codes(a->children[0], ds, c, &e, (size_t)c->starts[ds->records], err));
    }
done:
    kn__free(e.values);
    return status;
}

/* ---- the stream ---- */

typedef struct outgoing {
    struct ArrowSchema schema;
    struct ArrowArray batch; /* release NULL: the consumer has it */
    const char *failed;
} outgoing;

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    outgoing *o = stream->private_data;

    if (!copy_schema(out, &o->schema)) {
        release_schema(out);
        o->failed = "out of memory";
        return ENOMEM;
    }
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    outgoing *o = stream->private_data;

    *out = o->batch;
    o->batch = (struct ArrowArray){0};
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    const outgoing *o = stream->private_data;

    return o->failed;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    outgoing *o = stream->private_data;

    if (o->schema.release) {
        o->schema.release(&o->schema);
    }
    if (o->batch.release) {
        o->batch.release(&o->batch);
    }
    kn__free(o);
    stream->release = NULL;
}

typedef struct making {
    const kn_dataset *ds;
    size_t *column; /* the columns to write */
    outgoing *o;
    kn_first_error error;
} making;

static void make_columns(void *user, unsigned worker, size_t begin, size_t end)
{
    making *m = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        kn_error error;
        if (make_column(m->o->schema.children[i], m->o->batch.children[i], m->ds,
                        &m->ds->column[m->column[i]], &error) != KN_OK) {
            kn__first_error_note(&m->error, i, &error);
        }
    }
}

kn_status kn_dataset_to_arrow(struct ArrowArrayStream *out, const kn_dataset *ds, const kn_run *run,
                              kn_error *err)
{
    KN_NEED(err, out);
    *out = (struct ArrowArrayStream){0};
    KN_NEED_ROWS(err, ds);

    return kn__dataset_to_arrow(out, ds, run, err);
}

kn_status kn__dataset_to_arrow(struct ArrowArrayStream *out, const kn_dataset *ds,
                               const kn_run *run, kn_error *err)
{
    making m = {.ds = ds, .error = KN_NO_ERROR_YET};
    size_t count;
    kn_status status;

    KN_NEED(err, out);
    KN_NEED_SIZED(err, run);
    *out = (struct ArrowArrayStream){0};
    KN_NEED(err, ds);
    m.o = kn__zalloc(sizeof *m.o);
    KN_TRY(m.o ? KN_OK : kn__nomem(err));
    KN_TRY(kn__written_columns(ds, &m.column, &count, err));
    KN_TRY(make_schema(&m.o->schema, "+s", "", count) &&
                   make_array(&m.o->batch, ds->records, 1, count)
               ? KN_OK
               : kn__nomem(err));
    KN_TRY(kn__parallel_steps(run, "write", kn__run_threads(run), count, 1, make_columns, &m, err));
    KN_TRY(kn__first_error_take(&m.error, err));
    *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release_stream,
                                     .private_data = m.o};
    m.o = NULL;
done:
    if (m.o) {
        struct ArrowArrayStream failed = {.private_data = m.o};
        release_stream(&failed);
    }
    kn__free(m.column);
    return status;
}

const struct ArrowArray *kn__arrow_stream_batch(const struct ArrowArrayStream *stream)
{
    return &((const outgoing *)stream->private_data)->batch;
}

const struct ArrowSchema *kn__arrow_stream_schema(const struct ArrowArrayStream *stream)
{
    return &((const outgoing *)stream->private_data)->schema;
}

void kn__arrow_stream_choose(struct ArrowArrayStream *stream, const bool *keep)
{
    outgoing *o = stream->private_data;
    const int64_t columns = o->schema.n_children;
    int64_t count = 0;

    for (int64_t i = 0; i < columns; i++) {
        struct ArrowSchema *schema = o->schema.children[i];
        struct ArrowArray *array = o->batch.children[i];
        if (keep[i]) {
            o->schema.children[count] = schema;
            o->batch.children[count++] = array;
            continue;
        }
        schema->release(schema);
        array->release(array);
        kn__free(schema);
        kn__free(array);
    }
    o->schema.n_children = o->batch.n_children = count;
}
