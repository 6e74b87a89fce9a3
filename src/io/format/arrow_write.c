/* arrow_write.c - datasets as Arrow record batches.
 *
 * Codes, list starts and the bytes of dictionaries are given as they are where cells hold every
 * value of the dictionary: every exported array owns a share of the dataset. Columns of numbers,
 * dates and booleans are given by value, in the type in which they came or else in one that loses
 * nothing: each value is read from its text once per dictionary entry, and written back to see that
 * the text is the same. Columns that came as plain texts are given as plain texts of the same type.
 */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "io/format/arrow.h"
#include "io/format/arrow_kept.h"
#include "io/format/arrow_own.h"
#include "io/format/arrow_texts.h"
#include "io/format/arrow_used.h"
#include "io/writer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
    KN_PASS(e->values ? KN_OK : kn__nomem(err));
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

/* The format of codes, which index a dictionary. */
static const char *format_of_codes(uint8_t width)
{
    if (width == 1) {
        return "C";
    }
    return width == 2 ? "S" : "I";
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
        (void)snprintf(e->format, sizeof e->format, "%s", format_of_codes(c->width));
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
    KN_PASS(bits ? KN_OK : kn__nomem(err));
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

/* The values that cells of a column hold, as large strings. */
static bool make_dictionary(struct ArrowArray *a, const kn_dataset *ds, const kn_column *c,
                            const kn_arrow_used *used)
{
    const size_t *ends = kn__arrow_used_ends(used, c);
    kn_arrow_owned *o = kn__arrow_array_make(a, used->values, 3, 0);
    int64_t *offsets = o ? kn__malloc_array((size_t)used->values + 1, sizeof *offsets) : NULL;

    if (!offsets) {
        return false;
    }
    (void)kn__arrow_own(o, 1, offsets);
    offsets[0] = 0;
    for (uint32_t i = 0; i < used->values; i++) {
        offsets[i + 1] = (int64_t)ends[i];
    }
    if (used->every) {
        kn__arrow_borrow(o, 2, ds, c->dict->bytes);
        return true;
    }
    return kn__arrow_own(o, 2, kn__arrow_used_bytes(used, c));
}

/* Codes, and the dictionary into which they are indices. */
static bool make_coded(struct ArrowArray *a, kn_arrow_owned *o, const kn_dataset *ds,
                       const kn_column *c, const kn_arrow_used *used, size_t count)
{
    if (used->every) {
        kn__arrow_borrow(o, 1, ds, c->codes);
    } else if (!kn__arrow_own(o, 1, kn__arrow_used_numbers(used, c, count))) {
        return false;
    }
    a->dictionary = kn__zalloc(sizeof *a->dictionary);
    return a->dictionary && make_dictionary(a->dictionary, ds, c, used);
}

/* String views, and the texts that they are about. */
static bool make_views(kn_arrow_owned *o, const kn_dataset *ds, const kn_column *c,
                       const kn_arrow_used *used, size_t count)
{
    if (used->every) {
        kn__arrow_borrow(o, 2, ds, c->dict->bytes);
    } else if (!kn__arrow_own(o, 2, kn__arrow_used_bytes(used, c))) {
        return false;
    }
    return kn__arrow_own(o, 1, kn__arrow_make_views(c, used, count)) &&
           kn__arrow_own(o, 3, kn__arrow_make_view_sizes(c, used));
}

/* The buffers of texts: only of those that cells hold, as others may be of records that were left
 * out. */
static kn_status make_texts(struct ArrowArray *a, kn_arrow_owned *o, const kn_dataset *ds,
                            const kn_column *c, const encoding *e, size_t count, kn_error *err)
{
    kn_arrow_used used;
    kn_status status;
    bool done;

    if (e->type.kind == KN_ARROW_TEXT) {
        done = kn__arrow_own(o, 1, kn__arrow_make_offsets(c, count, e->type.width)) &&
               kn__arrow_own(o, 2, kn__arrow_make_bytes(c, count));
        return done ? KN_OK : kn__nomem(err);
    }
    KN_TRY(kn__arrow_used_find(&used, c, count, err));
    done = e->type.kind == KN_ARROW_TEXT_VIEW ? make_views(o, ds, c, &used, count)
                                              : make_coded(a, o, ds, c, &used, count);
    KN_TRY(done ? KN_OK : kn__nomem(err));
done:
    kn__arrow_used_free(&used);
    return status;
}

/* Texts of which the format has no room for all are large strings. */
static void widen_texts(encoding *e, const kn_column *c, size_t count)
{
    if (kn__arrow_is_text(e->type.kind) && !kn__arrow_texts_fit(&e->type, c, count)) {
        (void)snprintf(e->format, sizeof e->format, "U");
        e->type = kn__arrow_type_parse(e->format);
    }
}

static size_t buffers_of(kn_arrow_kind kind)
{
    switch (kind) {
    case KN_ARROW_NULL: return 0;
    case KN_ARROW_TEXT: return 3;
    case KN_ARROW_TEXT_VIEW: return 4;
    default: return 2;
    }
}

/* The array of `count` codes of a column. */
static kn_status make_codes(struct ArrowArray *a, const kn_dataset *ds, const kn_column *c,
                            const encoding *e, size_t count, kn_error *err)
{
    const kn_arrow_kind kind = e->type.kind;
    kn_arrow_owned *o = kn__arrow_array_make(a, count, buffers_of(kind), 0);
    uint8_t *validity;
    kn_status status;

    KN_TRY(o ? KN_OK : kn__nomem(err));
    if (kind == KN_ARROW_NULL) {
        a->null_count = (int64_t)count;
        return KN_OK;
    }
    KN_TRY(make_validity(c, count, &validity, &a->null_count, err));
done:
    if (status != KN_OK) {
        return status;
    }
    (void)kn__arrow_own(o, 0, validity);
    if (kind == KN_ARROW_OTHER || kn__arrow_is_text(kind)) {
        return make_texts(a, o, ds, c, e, count, err);
    }
    return kn__arrow_own(o, 1, make_values(c, e, count)) ? KN_OK : kn__nomem(err);
}

static bool add_dictionary_schema(struct ArrowSchema *s)
{
    s->dictionary = kn__zalloc(sizeof *s->dictionary);
    return s->dictionary && kn__arrow_schema_make(s->dictionary, "U", "", 0);
}

static bool make_field(struct ArrowSchema *s, const encoding *e, const char *name)
{
    return kn__arrow_schema_make(s, e->format, name, 0) &&
           (e->type.kind != KN_ARROW_OTHER || add_dictionary_schema(s));
}

static kn_status make_column(struct ArrowSchema *s, struct ArrowArray *a, const kn_dataset *ds,
                             const kn_column *c, kn_error *err)
{
    encoding e = {0};
    kn_arrow_owned *o;
    kn_status status;

    KN_TRY(choose_encoding(&e, c, err));
    widen_texts(&e, c, c->starts ? (size_t)c->starts[ds->records] : ds->records);
    if (!c->starts) {
        KN_TRY(make_field(s, &e, c->name) ? KN_OK : kn__nomem(err));
        KN_TRY(make_codes(a, ds, c, &e, ds->records, err));
    } else {
        KN_TRY(kn__arrow_schema_make(s, "+L", c->name, 1) && make_field(s->children[0], &e, "item")
                   ? KN_OK
                   : kn__nomem(err));
        o = kn__arrow_array_make(a, ds->records, 2, 1);
        KN_TRY(o ? KN_OK : kn__nomem(err));
        kn__arrow_borrow(o, 1, ds, c->starts);
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

    if (!kn__arrow_schema_copy(out, &o->schema)) {
        out->release(out);
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
    const kn_arrow_kept *kept;
    kn_arrow_place *place; /* of the records in `kept`; NULL: there is none */
    outgoing *o;
    kn_first_error error;
} making;

/* Column `i` of the batch. One that is published as it is comes from what was read, if that was
 * kept.
 */
static kn_status make_one(making *m, size_t i, kn_error *err)
{
    const kn_column *c = &m->ds->column[m->column[i]];
    const size_t kept = m->place && c->role != KN_ROLE_QUASI ? kn__arrow_kept_find(m->kept, c->name)
                                                             : SIZE_MAX;
    struct ArrowSchema *schema = m->o->schema.children[i];
    struct ArrowArray *array = m->o->batch.children[i];

    return kept == SIZE_MAX
               ? make_column(schema, array, m->ds, c, err)
               : kn__arrow_kept_take(schema, array, m->kept, kept, m->place, m->ds->records, err);
}

static void make_columns(void *user, unsigned worker, size_t begin, size_t end)
{
    making *m = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        kn_error error;
        if (make_one(m, i, &error) != KN_OK) {
            kn__first_error_note(&m->error, i, &error);
        }
    }
}

kn_status kn__arrow_stream_make(struct ArrowArrayStream *out, const kn_dataset *ds,
                                const kn_dataset *from, const uint32_t *origin, const kn_run *run,
                                kn_error *err)
{
    making m = {.ds = ds, .kept = kn__arrow_kept_of(from), .error = KN_NO_ERROR_YET};
    size_t count;
    kn_status status;

    *out = (struct ArrowArrayStream){0};
    m.o = kn__zalloc(sizeof *m.o);
    KN_TRY(m.o ? KN_OK : kn__nomem(err));
    if (m.kept) {
        KN_TRY(kn__arrow_kept_places(&m.place, m.kept, origin, ds->records, err));
    }
    KN_TRY(kn__written_columns(ds, &m.column, &count, err));
    KN_TRY(kn__arrow_schema_make(&m.o->schema, "+s", "", count) &&
                   kn__arrow_array_make(&m.o->batch, ds->records, 1, count)
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
    KN_FREE(m.column, m.place);
    return status;
}

kn_status kn_dataset_to_arrow(struct ArrowArrayStream *out, const kn_dataset *ds, const kn_run *run,
                              kn_error *err)
{
    KN_NEED(err, out);
    KN_NEED_SIZED(err, run);
    *out = (struct ArrowArrayStream){0};
    KN_NEED(err, ds);
    KN_NEED_ROWS(err, ds);

    return kn__arrow_stream_make(out, ds, ds, NULL, run, err);
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
        KN_FREE(schema, array);
    }
    o->schema.n_children = o->batch.n_children = count;
}
