/* arrow_read.c - datasets from Arrow streams. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "io/format/arrow_fill.h"
#include "io/reader.h"

#include <errno.h>
#include <string.h>

enum { SLICE = 65536 }; /* records between two calls of progress; about as many make a chunk */

/* ---- batches ---- */

static kn_status next_chunk(kn_arrow_reading *r, kn_error *err)
{
    KN_PASS(r->chunk ? kn__chunk_close(r->chunk, err) : KN_OK);
    return kn__builder_chunk(r->builder, 0, r->chunks++, &r->chunk, err);
}

static kn_status add_slice(kn_arrow_reading *r, kn_error *err)
{
    KN_PASS(kn__run_step(r->run, "read", -1, err));
    if (kn__chunk_records(r->chunk) >= SLICE) {
        KN_PASS(next_chunk(r, err));
    }
    return kn__arrow_fill(r, err);
}

/* Column `c` of the batch: `array`, whose elements before `need` are the batch's. */
static kn_status open_column(kn_arrow_reading *r, kn_arrow_input *c, const struct ArrowArray *array,
                             size_t need, kn_error *err)
{
    const char *why;

    if (!c->use.keep && c->field.type.kind == KN_ARROW_OTHER) {
        return KN_OK;
    }
    c->array = array;
    if (c->opaque) {
        return kn__arrow_nested_open(c->type, array, need, &why)
                   ? KN_OK
                   : kn__arrow_fail_at(r, c, 0, why, err);
    }
    if (!kn__arrow_column_open(&c->now, &c->field, array, need, &why)) {
        return kn__arrow_fail_at(r, c, 0, why, err);
    }
    return c->field.dictionary ? kn__arrow_map_reset(c, err) : KN_OK;
}

static kn_status add_batch(kn_arrow_reading *r, const struct ArrowArray *array, kn_error *err)
{
    kn_status status = KN_OK;

    if (!kn__arrow_batch_open(&r->batch, array, r->count)) {
        return kn__fail(err, KN_EINPUT,
                        "record %zu: the Arrow record batch that begins there has an impossible "
                        "length or offset, or other columns or buffers than its schema says",
                        r->before + 1);
    }
    for (size_t i = 0; i < r->count; i++) {
        KN_TRY(open_column(r, &r->columns[i], array->children[i], r->batch.offset + r->batch.length,
                           err));
    }
    for (r->begin = 0; r->begin < r->batch.length; r->begin = r->end) {
        r->end = r->batch.length - r->begin < SLICE ? r->batch.length : r->begin + SLICE;
        KN_TRY(add_slice(r, err));
    }
done:
    r->before += r->batch.length;
    return status;
}

/* ---- the whole ---- */

static void close_reading(kn_arrow_reading *r)
{
    for (size_t i = 0; r->columns && i < r->count; i++) {
        KN_FREE(r->columns[i].known.slots, r->columns[i].map);
    }
    kn__free(r->columns);
    kn__builder_free(r->builder);
    if (r->kept) {
        kn_kept_cells *cells = kn__arrow_kept_cells(r->kept);
        cells->free(cells);
    }
}

static kn_status open_fields(kn_arrow_reading *r, const struct ArrowSchema *schema, kn_error *err)
{
    if (!schema->format || strcmp(schema->format, "+s") != 0) {
        return kn__fail(err, KN_EINPUT,
                        "the Arrow stream holds no record batches: its type is no struct");
    }
    if (schema->n_children < 1 || !schema->children) {
        return kn__about(err, kn__fail(err, KN_EINPUT, "the Arrow stream has no columns"),
                         KN_ERROR_NO_RECORDS);
    }
    r->columns = kn__zalloc_array((size_t)schema->n_children, sizeof *r->columns);
    KN_PASS(r->columns ? KN_OK : kn__nomem(err));
    r->count = (size_t)schema->n_children;
    for (size_t i = 0; i < r->count; i++) {
        KN_PASS(schema->children[i]
                    ? kn__arrow_field_open(&r->columns[i].field, schema->children[i], err)
                    : kn__fail(err, KN_EINPUT, "the Arrow schema lacks column %zu", i + 1));
        r->columns[i].type = schema->children[i];
        for (size_t j = 0; j < i; j++) {
            if (strcmp(r->columns[i].field.name, r->columns[j].field.name) == 0) {
                KN_PASS(kn__fail(err, KN_EINPUT, "two columns are called '%.100s'",
                                 r->columns[i].field.name));
            }
        }
    }
    return KN_OK;
}

/* A column that is published as it is, or whose role is open, may have any type that can be copied:
 * its cells are only compared. Rows that become one record would need more. */
static void plan_opaque(const kn_arrow_reading *r, kn_arrow_input *c)
{
    const kn_schema *schema = r->options->schema;
    kn_chosen chosen;
    const kn_role role = kn__schema_role_of(schema, c->field.name, false, &chosen);

    c->unchanged = role == KN_ROLE_KEPT;
    c->opaque = c->field.type.kind == KN_ARROW_OTHER &&
                (role == KN_ROLE_KEPT || role == KN_ROLE_UNSET) &&
                !(schema && schema->keys_count) && kn__arrow_type_copies(c->type);
    if (c->opaque) {
        c->field.list = c->field.dictionary = false;
    }
}

static kn_status open_builder(kn_arrow_reading *r, kn_error *err)
{
    const char **names = kn__malloc_array(r->count, sizeof *names);
    bool *lists = kn__malloc_array(r->count, sizeof *lists);
    kn_status status;

    KN_TRY(names && lists ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < r->count; i++) {
        plan_opaque(r, &r->columns[i]);
        names[i] = r->columns[i].field.name;
        lists[i] = r->columns[i].field.list;
    }
    KN_TRY(kn__builder_new(&r->builder, names, r->count, r->options->schema,
                           r->options->keep_dropped, lists, 1, err));
done:
    KN_FREE(names, lists);
    return status;
}

/* What the schema and the builder make of a column. */
static kn_status plan_column(kn_arrow_reading *r, size_t number, kn_error *err)
{
    kn_arrow_input *c = &r->columns[number];
    const kn_arrow_field *f = &c->field;

    c->use = kn__builder_use(r->builder, number);
    c->schema = r->options->schema;
    c->spec = kn__schema_find(c->schema, f->name);
    c->has_missing_text = kn__schema_spells_missing(c->schema, c->spec);
    c->missing = kn__schema_missing_text(c->schema, c->spec);
    if (!kn__schema_is_missing(c->schema, c->spec, c->missing, strlen(c->missing))) {
        c->missing = NULL;
    }
    c->null_code = KN_NO_CODE;
    r->by_record = r->by_record || (c->use.keep && c->use.list && !f->list);
    if (c->use.keep && f->type.kind == KN_ARROW_OTHER && !c->opaque) {
        (void)kn__fail(err, KN_EINPUT,
                       "column '%.100s': the Arrow type %s%s (%.40s) is not supported: cast the "
                       "column to another type, or drop it",
                       f->name, f->list ? "list of " : "", kn__arrow_type_name(f->format),
                       f->format);
        return kn__about_column(err, KN_EINPUT, KN_ERROR_TYPE, f->name);
    }
    return kn__arrow_codes_new(&c->known, err);
}

static kn_status open_reading(kn_arrow_reading *r, const struct ArrowSchema *schema, kn_error *err)
{
    KN_PASS(open_fields(r, schema, err));
    KN_PASS(open_builder(r, err));
    r->by_record = kn__builder_merges(r->builder);
    for (size_t i = 0; i < r->count; i++) {
        KN_PASS(plan_column(r, i, err));
    }
    return next_chunk(r, err);
}

/* Columns come back in the types in which they came. Texts that were coded by a dictionary come
 * back as those of ours, and so do texts that became lists. */
static kn_status keep_types(const kn_arrow_reading *r, kn_dataset *ds, kn_error *err)
{
    for (size_t i = 0; i < r->count; i++) {
        const kn_arrow_field *f = &r->columns[i].field;
        const size_t at = kn_dataset_find(ds, f->name);
        if (at == SIZE_MAX || !ds->column[at].dict ||
            (kn__arrow_is_text(f->type.kind) &&
             (f->dictionary || f->list != (ds->column[at].starts != NULL)))) {
            continue;
        }
        ds->column[at].arrow = kn__strdup(f->format);
        KN_PASS(ds->column[at].arrow ? KN_OK : kn__nomem(err));
    }
    return KN_OK;
}

/* Whether a column is given back as it came: what is published as texts is not. Texts that are
 * coded by a dictionary come back as those of ours, which have no value twice. */
static bool comes_back(const kn_arrow_reading *r, const kn_arrow_input *c)
{
    kn_chosen chosen;

    return c->use.keep && (c->opaque || !c->field.dictionary) && kn__arrow_type_copies(c->type) &&
           kn__schema_role_of(r->options->schema, c->field.name, c->use.list, &chosen) !=
               KN_ROLE_QUASI;
}

static kn_status open_kept(kn_arrow_reading *r, const struct ArrowSchema *schema, kn_error *err)
{
    bool *keep = kn__malloc_array(r->count, sizeof *keep), any = false;
    kn_status status;

    KN_TRY(keep ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < r->count; i++) {
        keep[i] = comes_back(r, &r->columns[i]);
        any = any || keep[i];
    }
    if (any && !(r->options->schema && r->options->schema->keys_count)) {
        KN_TRY(kn__arrow_kept_new(&r->kept, schema, keep, r->count, err));
    }
done:
    kn__free(keep);
    return status;
}

static void hand_over_kept(kn_arrow_reading *r, kn_dataset *ds)
{
    for (size_t i = 0; i < r->count; i++) {
        const size_t at = kn_dataset_find(ds, r->columns[i].field.name);
        if (at != SIZE_MAX) {
            ds->column[at].opaque = r->columns[i].opaque;
        }
    }
    if (r->kept) {
        ds->kept = kn__arrow_kept_cells(r->kept);
        r->kept = NULL;
    }
}

static kn_status finish_reading(kn_arrow_reading *r, kn_dataset **out, kn_error *err)
{
    kn_reading arranged = {.path = "the Arrow stream", .options = r->options, .run = r->run};
    kn_builder *builder = r->builder;
    kn_status status;

    KN_TRY(kn__chunk_close(r->chunk, err));
    r->builder = NULL;
    KN_TRY(kn__builder_finish(builder, r->run, out, err));
    if (r->options->schema) {
        KN_TRY(kn__read_reshape(&arranged, out, err));
    }
    KN_TRY(kn__read_check_columns(r->options, *out, err));
    KN_TRY(keep_types(r, *out, err));
    hand_over_kept(r, *out);
done:
    if (status != KN_OK) {
        kn_dataset_free(*out);
        *out = NULL;
    }
    return status;
}

static const kn_read_options default_options = {0};

kn_status kn__arrow_read_batch(kn_dataset **out, const struct ArrowSchema *schema,
                               const struct ArrowArray *array, const kn_read_options *options,
                               const kn_run *run, kn_error *err)
{
    kn_arrow_reading r = {.options = options ? options : &default_options,
                          .run = run,
                          .error = KN_NO_ERROR_YET};
    kn_status status;

    *out = NULL;
    KN_TRY(open_reading(&r, schema, err));
    KN_TRY(add_batch(&r, array, err));
    KN_TRY(finish_reading(&r, out, err));
done:
    close_reading(&r);
    return status;
}

static kn_status stream_failed(struct ArrowArrayStream *stream, int code, kn_error *err)
{
    const char *words = stream->get_last_error ? stream->get_last_error(stream) : NULL;

    return code == ENOMEM ? kn__nomem(err)
                          : kn__fail(err, KN_EIO, "the Arrow stream failed: %.500s",
                                     words ? words : strerror(code));
}

/* All batches until the stream ends. */
static kn_status add_stream(kn_arrow_reading *r, struct ArrowArrayStream *stream, kn_error *err)
{
    kn_status status = KN_OK;

    while (status == KN_OK) {
        struct ArrowArray array = {0};
        const int code = stream->get_next(stream, &array);
        if (code != 0) {
            return stream_failed(stream, code, err);
        }
        if (!array.release) {
            break;
        }
        status = add_batch(r, &array, err);
        if (status == KN_OK && r->kept) {
            status = kn__arrow_kept_add(r->kept, &array, err);
        }
        array.release(&array);
    }
    return status;
}

static kn_status check_arguments(kn_dataset **out, const kn_read_options *options,
                                 const kn_run *run, kn_error *err)
{
    KN_NEED(err, out);
    KN_NEED_SIZED(err, options);
    KN_NEED_SIZED(err, run);
    return KN_OK;
}

kn_status kn_dataset_from_arrow(kn_dataset **out, struct ArrowArrayStream *stream,
                                const kn_read_options *options, const kn_run *run, kn_error *err)
{
    kn_arrow_reading r = {.options = options ? options : &default_options,
                          .run = run,
                          .error = KN_NO_ERROR_YET};
    struct ArrowSchema schema = {0};
    kn_status status;
    int code;

    if (out) {
        *out = NULL;
    }
    status = check_arguments(out, options, run, err);
    if (!out || status != KN_OK) {
        if (stream && stream->release) {
            stream->release(stream);
        }
        return status;
    }
    if (!stream || !stream->release) {
        return kn__fail(err, KN_EUSAGE, "there is no Arrow stream, or it was released before");
    }
    if (!stream->get_schema || !stream->get_next) {
        KN_TRY(kn__fail(err, KN_EUSAGE, "the Arrow stream lacks a callback"));
    }
    code = stream->get_schema(stream, &schema);
    if (code != 0) {
        status = stream_failed(stream, code, err);
        goto done;
    }
    KN_TRY(open_reading(&r, &schema, err));
    KN_TRY(open_kept(&r, &schema, err));
    KN_TRY(add_stream(&r, stream, err));
    KN_TRY(finish_reading(&r, out, err));
done:
    close_reading(&r);
    if (schema.release) {
        schema.release(&schema);
    }
    stream->release(stream);
    return status;
}
