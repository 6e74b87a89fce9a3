/* dataset_builder.c - the public builder: records added one by one, on one thread, as one chunk. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/builder_inside.h"
#include "data/rows/group.h"
#include "data/value.h"
#include "kanon/catalog.h"

#include <string.h>

struct kn_dataset_builder {
    kn_builder *inside;
    kn_chunk *chunk;
    kn_schema *schema; /* a copy: the caller may free theirs */
    bool incomplete;   /* a record was added in part: its columns have different lengths */
};

void kn_dataset_builder_free(kn_dataset_builder *b)
{
    if (b) {
        kn__builder_free(b->inside);
        kn_schema_free(b->schema);
        kn__free(b);
    }
}

static bool has_column(const void *builder, const char *name)
{
    const kn_builder *b = builder;
    size_t i = 0;

    while (i < b->columns && strcmp(b->column[i].name, name) != 0) {
        i++;
    }
    return i < b->columns;
}

/* The schema must not name a column that is neither an input nor made of inputs. */
static kn_status check_names(const kn_dataset_builder *b, const char *const *names, size_t columns,
                             kn_error *err)
{
    const char *absent = kn__schema_absent_column(b->schema, has_column, b->inside, false);
    const char *near = absent ? kn_nearest(absent, names, columns) : NULL;

    if (!absent) {
        return KN_OK;
    }
    if (near) {
        (void)kn__fail(err, KN_EINPUT,
                       "there is no column '%.100s' that the schema names; did you mean '%.100s'?",
                       absent, near);
    } else {
        (void)kn__fail(err, KN_EINPUT, "there is no column '%.100s' that the schema names", absent);
    }
    return kn__about_column(err, KN_EINPUT, KN_ERROR_NO_COLUMN, absent);
}

kn_status kn_dataset_builder_new(kn_dataset_builder **out, const char *const *names, size_t columns,
                                 const kn_schema *schema, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED_LIST(err, names, columns);

    kn_dataset_builder *b = NULL;
    kn_status status;

    for (size_t i = 0; i < columns; i++) {
        if (kn__find_name(names, i, names[i]) < i) {
            return kn__fail(err, KN_EINPUT, "two columns are called '%s'", names[i]);
        }
    }
    if (schema && schema->joins_count) {
        return kn__fail(err, KN_EUSAGE, "a join reads files: read the table with kn_read");
    }
    b = kn__zalloc(sizeof *b);
    KN_TRY(b ? KN_OK : kn__nomem(err));
    if (schema) {
        KN_TRY(kn__schema_copy(&b->schema, schema, err));
    }
    KN_TRY(kn__builder_new(&b->inside, names, columns, b->schema, true, NULL, 1, err));
    KN_TRY(check_names(b, names, columns, err));
    KN_TRY(kn__builder_chunk(b->inside, 0, 0, &b->chunk, err));
    *out = b;
done:
    if (status != KN_OK) {
        kn_dataset_builder_free(b);
    }
    return status;
}

static kn_status fail_incomplete(kn_error *err)
{
    return kn__fail(
        err, KN_EUSAGE,
        "an earlier record could not be added as a whole: start again with a new builder");
}

/* The text of input value `i`; for NULL, the text that the schema uses for "missing". */
static const char *value_text(const kn_dataset_builder *b, const char *const *values, size_t i)
{
    const kn_builder *in = b->inside;
    const size_t column = in->target ? in->target[i] : i;

    return values[i] ? values[i] : kn__schema_missing_text(b->schema, in->column[column].spec);
}

kn_status kn_dataset_builder_add(kn_dataset_builder *b, const char *const *values, kn_error *err)
{
    KN_NEED(err, b, values);

    kn_status status;

    KN_TRY(b->incomplete ? fail_incomplete(err) : KN_OK);
    for (size_t i = 0; i < b->inside->inputs; i++) {
        const char *text = value_text(b, values, i);
        if (!kn__utf8_valid(text, strlen(text), NULL)) {
            const size_t at = b->inside->target ? b->inside->target[i] : i;
            const char *name = b->inside->column[at].name;
            (void)kn__fail(err, KN_EINPUT, "column '%s', record %zu: not valid UTF-8", name,
                           b->chunk->records + 1);
            return kn__about_column(err, KN_EINPUT, KN_ERROR_VALUE, name);
        }
    }
    for (size_t i = 0; i < b->inside->inputs; i++) {
        const char *text = value_text(b, values, i);
        KN_TRY(kn__chunk_add(b->chunk, i, text, strlen(text), err));
    }
    KN_TRY(kn__chunk_end_record(b->chunk, err));
done:
    b->incomplete = status != KN_OK;
    return status;
}

kn_status kn_dataset_builder_finish(kn_dataset **out, kn_dataset_builder *b, kn_error *err)
{
    kn_builder *inside;
    kn_status status;

    if (!b || !out) {
        kn_dataset_builder_free(b);
        if (out) {
            *out = NULL;
        }
        return kn__args_refuse(err, __func__, "a required argument is NULL");
    }
    *out = NULL;
    KN_TRY(b->incomplete ? fail_incomplete(err) : kn__chunk_close(b->chunk, err));
    inside = b->inside;
    b->inside = NULL;
    KN_TRY(kn__builder_finish(inside, NULL, out, err));
    if (b->schema && b->schema->keys_count) {
        KN_TRY(kn__dataset_group(out, b->schema, NULL, err));
    }
    if (b->schema) {
        KN_TRY(kn__dataset_merge_items(*out, b->schema, err));
    }
done:
    if (status != KN_OK) {
        kn_dataset_free(*out);
        *out = NULL;
    }
    kn_dataset_builder_free(b);
    return status;
}
