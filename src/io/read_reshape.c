/* read_reshape.c - make records of the rows of a file: group them by a key, join other files, merge
 * item columns. */
#include "data/rows/group.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/reader.h"

#include <string.h>

static size_t keys_there(const kn_dataset *ds, const kn_schema *s)
{
    size_t there = 0;

    for (size_t i = 0; i < s->keys_count; i++) {
        there += kn_dataset_find(ds, s->keys[i]) != SIZE_MAX;
    }
    return there;
}

static kn_status group(const kn_reading *r, kn_dataset **ds, kn_error *err)
{
    const kn_schema *s = r->options->schema;
    kn_buffer text = {0};

    if (r->layout.format == KN_FORMAT_LONG) {
        return kn__fail(err, KN_EUSAGE,
                        "long form is grouped by its person column (--key): leave --group-by out");
    }
    if (!r->options->released || keys_there(*ds, s)) {
        return kn__dataset_group(ds, s, r->run, err);
    }
    kn__buffer_addf(
        &text,
        "there is no column '%s' in %s: its rows are taken for records that were grouped "
        "before",
        s->keys[0], r->feed ? kn__source_name(kn__feed_source(r->feed)) : r->path);
    return kn__dataset_add_note(*ds, &text, err);
}

/* How to read the other file: its key, and the columns that are collected under the name of the
 * join. */
static kn_status schema_of(const kn_join_spec *j, const kn_schema *s, kn_schema **out,
                           kn_error *err)
{
    const kn_column_spec *spec = kn__schema_find(s, j->name);

    KN_PASS(kn_schema_new(out, err));
    (*out)->drop_others = true;
    KN_PASS(kn_schema_set_group_by(*out, (const char *const *)&j->key, 1, err));
    KN_PASS(kn_schema_set_role(*out, j->key, KN_ROLE_KEPT, err));
    KN_PASS(kn_schema_set_type(*out, j->key, KN_TYPE_CATEGORY, err));
    KN_PASS(kn_schema_set_collect(*out, j->name, (const char *const *)j->columns, j->count, err));
    KN_PASS(kn_schema_set_type(*out, j->name, spec ? spec->type : KN_TYPE_AUTO, err));
    if (s->missing_given) {
        KN_PASS(kn_schema_set_missing(*out, NULL, (const char *const *)s->missing, s->missing_count,
                                      err));
    }
    if (s->nulls) {
        KN_PASS(kn_schema_set_nulls(*out, (const char *const *)s->nulls, s->nulls_count, err));
    }
    return kn_schema_set_item_separator(*out, kn__schema_item_separator(s), err);
}

static kn_status note_lost(kn_dataset *ds, const kn_join_spec *j, size_t lost, size_t others,
                           kn_error *err)
{
    kn_buffer text = {0};

    if (lost == 0) {
        return KN_OK;
    }
    if (lost == others) {
        return kn__fail(err, KN_EINPUT,
                        "join '%.100s': no '%.100s' of %.200s is the '%.100s' of any record: are "
                        "these the right columns?",
                        j->name, j->key, j->path, j->on);
    }
    kn__buffer_addf(
        &text, "join '%s': %zu of the %zu keys in %s are of no record: their rows are left out",
        j->name, lost, others, j->path);
    return kn__dataset_add_note(ds, &text, err);
}

static kn_status join(const kn_reading *r, kn_dataset *ds, const kn_join_spec *j, kn_error *err)
{
    const kn_schema *s = r->options->schema;
    const size_t on = kn_dataset_find(ds, j->on);
    const bool made = kn_dataset_find(ds, j->name) != SIZE_MAX;
    kn_read_options options = {0};
    kn_schema *schema = NULL;
    kn_dataset *other = NULL;
    size_t lost = 0;
    kn_status status;

    if (r->options->released && (made || on == SIZE_MAX)) {
        return KN_OK;
    }
    if (made) {
        return kn__fail(err, KN_EINPUT,
                        "join '%.100s': there is a column of that name: call the join otherwise",
                        j->name);
    }
    if (on == SIZE_MAX) {
        return kn__no_column(ds, "to join on", j->on, err);
    }
    KN_TRY(schema_of(j, s, &schema, err));
    options.schema = schema;
    options.hash = r->options->hash;
    KN_TRY(kn__read_sized(&other, j->path, &options, r->sizes, r->run, err));
    KN_TRY(kn__dataset_join(ds, s, on, other, j->key, j->name, &lost, err));
    KN_TRY(note_lost(ds, j, lost, other->records, err));
    KN_TRY(kn__grow(&ds->joined, &ds->joined_cap, ds->joined_count + 1, sizeof *ds->joined, err));
    kn_joined *joined = &ds->joined[ds->joined_count++];
    joined->path = other->source;
    other->source = NULL;
    memcpy(joined->sha256, other->sha256, sizeof joined->sha256);
done:
    kn_dataset_free(other);
    kn_schema_free(schema);
    return status;
}

kn_status kn__read_reshape(const kn_reading *r, kn_dataset **ds, kn_error *err)
{
    const kn_schema *s = r->options->schema;
    kn_status status = KN_OK;

    if ((*ds)->forest) {
        if (s->keys_count || s->joins_count || s->bags_count || s->together_count) {
            status = kn__fail(err, KN_EUSAGE,
                              "tree records are records already: rows to group, files to join and "
                              "columns to put together are for tables");
            kn_dataset_free(*ds);
            *ds = NULL;
        }
        return status;
    }
    if (s->keys_count) {
        KN_TRY(group(r, ds, err));
    }
    for (size_t i = 0; i < s->joins_count; i++) {
        KN_TRY(join(r, *ds, &s->joins[i], err));
    }
    KN_TRY(kn__dataset_merge_items(*ds, s, err));
    if (!r->options->keep_dropped) {
        kn__dataset_drop_keys(*ds);
    }
done:
    if (status != KN_OK) {
        kn_dataset_free(*ds);
        *ds = NULL;
    }
    return status;
}
