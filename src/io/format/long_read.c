/* long_read.c - rows of (person, item) into one record per person.
 *
 * Rows of one person need not be adjacent, so all rows are coded first, as a table of two columns;
 * then the items are sorted by the order in which their persons appear, and built again as lists.
 */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/rows/group.h"
#include "io/format/csv.h"

#include <string.h>

/* Both columns as they are written: no types, no missing values. */
static kn_status plain_schema(kn_schema **out, const kn_csv *c, kn_error *err)
{
    KN_PASS(kn_schema_new(out, err));
    for (size_t i = 0; i < c->columns; i++) {
        KN_PASS(kn_schema_set_type(*out, c->names[i], KN_TYPE_CATEGORY, err));
    }
    return kn_schema_set_missing(*out, NULL, NULL, 0, err);
}

/* Find which of the two columns is the person. */
static kn_status find_key(kn_csv *c, const kn_reading *r, size_t *key, kn_error *err)
{
    const char *source = kn__source_name(kn__feed_source(r->feed));
    const char *name = r->options->layout ? r->options->layout->key : NULL;

    if (c->columns != 2) {
        return kn__fail(err, KN_EINPUT,
                        "%s: long form has two columns, the person and the item; this has %zu",
                        source, c->columns);
    }
    *key = 0;
    if (name) {
        while (*key < 2 && strcmp(c->names[*key], name) != 0) {
            (*key)++;
        }
    }
    if (*key == 2) {
        return kn__fail(
            err, KN_EINPUT,
            "%s: there is no column '%.80s' to tell the person: neither of its two columns "
            "is called so",
            source, name);
    }
    c->required = *key;
    return KN_OK;
}

static kn_status read_rows(kn_reading *r, kn_csv *c, kn_dataset **rows, kn_error *err)
{
    const kn_feed_format format = {kn__csv_split, kn__csv_wrong, kn__csv_parse, c};
    kn_schema *schema = NULL;
    kn_builder *builder = NULL, *full;
    kn_status status;

    KN_TRY(plain_schema(&schema, c, err));
    KN_TRY(kn__builder_new(&builder, (const char *const *)c->names, 2, schema, true, NULL,
                           r->threads, err));
    KN_TRY(kn__feed_run(r->feed, &format, builder, r->run, err));
    full = builder;
    builder = NULL;
    KN_TRY(kn__builder_finish(full, r->run, rows, err));
done:
    kn__builder_free(builder);
    kn_schema_free(schema);
    return status;
}

static kn_status add_person(kn_chunk *chunk, const kn_row_groups *g, size_t p, const kn_column *key,
                            const kn_column *item, size_t key_at, kn_error *err)
{
    size_t len;
    const char *text = kn__column_text(key, kn__column_code(key, g->row[g->starts[p]]), &len);

    KN_PASS(kn__chunk_add(chunk, key_at, text, len, err));
    for (size_t i = g->starts[p]; i < g->starts[p + 1]; i++) {
        text = kn__column_text(item, kn__column_code(item, g->row[i]), &len);
        /* A row without an item is a person without items. */
        KN_PASS(len ? kn__chunk_add_item(chunk, 1 - key_at, text, len, err) : KN_OK);
    }
    return kn__chunk_end_record(chunk, err);
}

static kn_status build_lists(const kn_reading *r, const kn_csv *c, const kn_dataset *rows,
                             size_t key_at, kn_dataset **out, kn_error *err)
{
    const kn_column *key = &rows->column[key_at], *item = &rows->column[1 - key_at];
    const bool lists[2] = {key_at == 1, key_at == 0};
    kn_builder *builder = NULL, *full;
    kn_chunk *chunk = NULL;
    kn_row_groups g = {0};
    kn_status status;

    KN_TRY(kn__row_groups_make(&g, &key, 1, rows->records, err));
    KN_TRY(kn__builder_new(&builder, (const char *const *)c->names, 2, r->options->schema,
                           r->options->keep_dropped, lists, 1, err));
    if (c->header) {
        kn__builder_names_from_line(builder);
    }
    KN_TRY(kn__builder_chunk(builder, 0, 0, &chunk, err));
    for (size_t p = 0; p < g.count; p++) {
        KN_TRY(add_person(chunk, &g, p, key, item, key_at, err));
        if (p % 65536 == 0) {
            KN_TRY(kn__run_step(r->run, "group", (double)p / (double)g.count, err));
        }
    }
    KN_TRY(kn__chunk_close(chunk, err));
    full = builder;
    builder = NULL;
    KN_TRY(kn__builder_finish(full, r->run, out, err));
done:
    kn__row_groups_clear(&g);
    kn__builder_free(builder);
    return status;
}

/* The person is an identifier unless the schema gives it another role. */
static void make_identifier(kn_column *key, const kn_read_options *options)
{
    const kn_column_spec *spec = kn__schema_find(options->schema, key->name);

    if (spec && spec->role_given) {
        return;
    }
    key->role = KN_ROLE_IDENTIFIER;
    key->chosen = KN_CHOSEN_IMPLIED;
    if (!options->keep_dropped) {
        kn__column_drop_values(key);
    }
}

static kn_status read_long(kn_reading *r, kn_dataset **out, kn_error *err)
{
    kn_csv c = {0};
    kn_dataset *rows = NULL;
    size_t key = 0;
    kn_status status;

    KN_TRY(kn__csv_open(&c, r, err));
    KN_TRY(find_key(&c, r, &key, err));
    KN_TRY(read_rows(r, &c, &rows, err));
    KN_TRY(build_lists(r, &c, rows, key, out, err));
    make_identifier(&(*out)->column[key], r->options);
    r->key = kn__strdup(c.names[key]);
    if (!r->key) {
        kn_dataset_free(*out);
        *out = NULL;
        KN_TRY(kn__nomem(err));
    }
done:
    kn_dataset_free(rows);
    kn__csv_close(&c);
    return status;
}

const kn_reader kn__reader_long = {read_long};
