/* job_inputs.c - from options to the table. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "data/schema.h"
#include "job/job.h"
#include "kanon/arrow.h"

#include <stdio.h>
#include <string.h>

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

/* ---- schema and layout ---- */

/* Of a table of one column, the separator that its name holds and that was not given; else '\0'. */
static char likely_separator(const kn_dataset *ds)
{
    static const char candidates[] = {',', ';', '\t', '|'};
    const char *name = kn_dataset_columns(ds) == 1 ? kn_dataset_name(ds, 0) : "";

    for (size_t i = 0; i < sizeof candidates; i++) {
        if (strchr(name, candidates[i])) {
            return candidates[i];
        }
    }
    return '\0';
}

/* Whether `name` is `column` with blanks around it. */
static bool is_spaced(const char *name, const char *column)
{
    const size_t before = strspn(name, " \t"), len = strlen(column);

    return strncmp(name + before, column, len) == 0 && strlen(name) > len &&
           strspn(name + before + len, " \t") == strlen(name + before + len);
}

/* A column is not found because of how the file was read: say what to change. KN_OK: it is not. */
static kn_status refuse_layout(const kn_dataset *ds, const char *path, const char *who,
                               const char *column, kn_status status, kn_error *err)
{
    const char separator = likely_separator(ds);

    if (separator) {
        const char text[] = {'\'', separator, '\'', '\0'};
        return kn__fail(err, status,
                        "%.150s: there is no column '%.100s' in %.150s: it has one column, and its "
                        "separator looks like %s: give it with --separator",
                        who, column, path, separator == '\t' ? "a tab" : text);
    }
    for (size_t i = 0; i < kn_dataset_columns(ds); i++) {
        if (is_spaced(kn_dataset_name(ds, i), column)) {
            return kn__fail(err, status,
                            "%.150s: there is no column '%.100s' in %.150s, but one with spaces "
                            "around its name: strip them with --trim",
                            who, column, path);
        }
    }
    return KN_OK;
}

static kn_status no_column(const kn_dataset *ds, const char *path, const char *who,
                           const char *column, kn_status status, kn_error *err)
{
    char *columns;
    kn_status st = refuse_layout(ds, path, who, column, status, err);

    if (st == KN_OK) {
        st = kn_dataset_describe_columns(&columns, ds, column, err);
        if (st != KN_OK) {
            return st;
        }
        st = kn__fail(err, status, "%.150s: there is no column '%.100s' in %.150s; %s", who, column,
                      path, columns);
        kn__free(columns);
    }
    return kn__about_column(err, st, KN_ERROR_NO_COLUMN, column);
}

/* Of a column that is a part of an item column, what concerns its items may be said. */
static bool is_about_part(const kn_schema *s, const char *option, const char *column)
{
    return kn__schema_is_part(s, column) && (is(option, "items") || is(option, "numbers") ||
                                             is(option, "type") || is(option, "hierarchy"));
}

static kn_status check_options_columns(const kn_job *job, const kn_schema *s, const kn_dataset *ds,
                                       const char *path, kn_table_use use, kn_error *err)
{
    static const char *const options[] = {"id",    "drop",    "qi",    "sensitive",   "keep",
                                          "items", "numbers", "type",  "weight",      "hierarchy",
                                          "key",   "codes",   "class", "allow-unique"};
    /* Of a release, identifiers and dropped columns may be gone: the first two, and whatever else
     * is said of them. */
    const size_t from = use == KN_TABLE_RELEASE ? 2 : 0;
    const char *text;

    for (size_t o = from; o < sizeof options / sizeof *options; o++) {
        for (size_t i = 0; (text = kn_job_get(job, options[o], i)); i++) {
            char who[32], *column;
            size_t len = strlen(text);
            kn_status st = KN_OK;
            if (is(options[o], "type") || is(options[o], "weight") || is(options[o], "hierarchy")) {
                (void)kn__map_value(text, &len);
            }
            column = kn__strndup(text, len);
            KN_PASS(column ? KN_OK : kn__nomem(err));
            (void)snprintf(who, sizeof who, "--%s", options[o]);
            if (kn_dataset_find(ds, column) == SIZE_MAX && !is_about_part(s, options[o], column) &&
                !(use == KN_TABLE_RELEASE &&
                  (kn__job_has(job, "id", column) || kn__job_has(job, "drop", column)))) {
                st = no_column(ds, path, who, column, KN_EUSAGE, err);
            }
            kn__free(column);
            if (st != KN_OK) {
                return st;
            }
        }
    }
    return KN_OK;
}

static kn_status check_schema_columns(const kn_job *job, const kn_schema *s, const kn_dataset *ds,
                                      const char *path, kn_table_use use, kn_error *err)
{
    const char *file = kn_job_get(job, "schema", 0);

    for (size_t i = 0; i < kn_schema_columns(s); i++) {
        const char *column = kn_schema_column_name(s, i);
        const kn_role role = kn_schema_role(s, column);
        const bool may_be_gone = (use == KN_TABLE_RELEASE &&
                                  (role == KN_ROLE_IDENTIFIER || role == KN_ROLE_DROPPED)) ||
                                 (kn__schema_is_part(s, column) &&
                                  !kn__schema_find(s, column)->role_given);
        if (!may_be_gone && kn_dataset_find(ds, column) == SIZE_MAX) {
            return no_column(ds, path, file ? file : "options", column, KN_EINPUT, err);
        }
    }
    return KN_OK;
}

/* In a release, `[20,29]` may stand where the original had a number, and classes are formed text
 * for text. So may it in a list of numbers, which is a bag of texts then. */
static kn_status quasi_as_text(kn_schema *s, kn_error *err)
{
    kn_status st = KN_OK;

    for (size_t i = 0; i < s->count && st == KN_OK; i++) {
        kn_column_spec *spec = &s->specs[i];
        bool set;
        if (spec->role == KN_ROLE_QUASI && !kn__type_is_list(spec->type) &&
            !kn__schema_makes_list(s, spec->name, &set)) {
            spec->as_text = true;
        } else if (spec->type == KN_TYPE_NUMBERS &&
                   (spec->role == KN_ROLE_QUASI || !spec->role_given)) {
            st = kn_schema_set_type(s, spec->name, KN_TYPE_BAG, err);
        }
    }
    return st;
}

/* The only list column is a quasi-identifier, unless its role was given or other columns are
 * quasi-identifiers and the guarantee is not about items. */
static void imply_items(const kn_job *job, const kn_schema *s, kn_dataset *ds)
{
    kn_column *list = NULL;
    size_t lists = 0, quasis = 0;

    for (size_t i = 0; i < ds->columns; i++) {
        kn_column *c = &ds->column[i];
        const kn_column_spec *spec = kn__schema_find(s, c->name);
        quasis += c->role == KN_ROLE_QUASI;
        if (kn__type_is_list(c->type) && c->role != KN_ROLE_IDENTIFIER &&
            c->role != KN_ROLE_DROPPED) {
            lists++;
            list = spec && spec->role_given ? list : c;
        }
    }
    if (lists == 1 && list && (quasis == 0 || kn__job_asks_about(job, KN_ABOUT_ITEMS))) {
        list->role = KN_ROLE_QUASI;
        list->chosen = KN_CHOSEN_IMPLIED;
    }
}

/* Lists that are still without a role belong to the rest. */
static void imply_roles(const kn_job *job, const kn_schema *s, kn_dataset *ds)
{
    imply_items(job, s, ds);
    for (size_t i = 0; i < ds->columns; i++) {
        kn_column *c = &ds->column[i];
        if (c->role == KN_ROLE_UNSET && s->rest != KN_ROLE_UNSET) {
            c->role = s->rest;
            c->chosen = KN_CHOSEN_REST;
        }
    }
}

/* Who reads the file can tell two spellings of "missing" apart; as one value they would form one
 * class. */
static kn_status check_spellings(const kn_dataset *ds, const char *path, kn_error *err)
{
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *column = &ds->column[i];
        if (column->role == KN_ROLE_QUASI && column->spellings > 1) {
            return kn__about_column(
                err,
                kn__fail(err, KN_EINPUT,
                         "%.300s: column '%.200s' writes a missing value in %u ways, which anyone "
                         "can tell apart: name one of them with --missing",
                         path, column->name, column->spellings),
                KN_ERROR_VALUE, column->name);
        }
    }
    return KN_OK;
}

/* Whether the quasi-identifiers of a table are named, so that columns without a role are none. A
 * guarantee about items takes the only column of lists for one. */
static bool names_quasis(const kn_job *job, const kn_schema *s)
{
    bool any = false;

    for (size_t i = 0; i < s->count; i++) {
        any = any || s->specs[i].role == KN_ROLE_QUASI;
    }
    return any && !kn__job_asks_about(job, KN_ABOUT_ITEMS);
}

/* Read the table at `path`, or `stream` (taken), which `path` is the name of then. */
static kn_status read_table(kn_dataset **out, const kn_job *job, const char *path,
                            struct ArrowArrayStream *stream, kn_table_use use, bool hash,
                            const kn_run *run, kn_error *err)
{
    const bool checked = use == KN_TABLE_CHECKED, surveyed = use == KN_TABLE_SURVEYED;
    const bool released = checked || surveyed || use == KN_TABLE_RELEASE;
    kn_layout layout = {0};
    kn_read_options options = {.layout = &layout,
                               .hash = hash,
                               .keep_dropped = use == KN_TABLE_WHOLE,
                               .released = released,
                               .partial = true}; /* the columns are checked below */
    kn_schema *schema = NULL;
    kn_dataset *ds = NULL, *sampled = NULL;
    kn_class_index *classes = NULL;
    kn_status status;

    use = released ? KN_TABLE_RELEASE : use;
    if (released && is(kn_job_get(job, "accept-suggested", 0), "true")) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "accept_suggested chooses roles for a table that is to be anonymised: name "
                        "the roles of a release one by one, as its report lists them"));
    }
    KN_TRY(kn__job_schema(job, &schema, err));
    if (checked) {
        schema->drop_others = names_quasis(job, schema);
    }
    if (released || use == KN_TABLE_QUESTIONS) {
        KN_TRY(quasi_as_text(schema, err));
    }
    if (use == KN_TABLE_QUESTIONS) {
        KN_TRY(kn__schema_set_reshaped(schema, err));
    }
    if (!stream) {
        KN_TRY(kn__job_describe_file(job, path, use, schema, &layout, &classes, err));
    }
    options.schema = schema;
    options.class_of = classes ? kn_class_index_find : NULL;
    options.class_of_user = classes;
    if (stream) {
        struct ArrowArrayStream *taken = stream;
        stream = NULL;
        KN_TRY(kn_dataset_from_arrow(&ds, taken, &options, run, err));
    } else {
        if (surveyed && names_quasis(job, schema)) {
            KN_TRY(kn__job_sample_kept(&sampled, job, path, &options, schema, run, err));
            schema->sampled = sampled;
        }
        KN_TRY(kn_read(&ds, path, &options, run, err));
    }
    if (use != KN_TABLE_QUESTIONS) {
        KN_TRY(check_options_columns(job, schema, ds, path, use, err));
        KN_TRY(check_schema_columns(job, schema, ds, path, use, err));
    }
    if (use != KN_TABLE_WHOLE) {
        imply_roles(job, schema, ds);
        KN_TRY(kn__job_items(job, ds, err));
    }
    if (released) {
        KN_TRY(check_spellings(ds, path, err));
    }
    *out = ds;
    ds = NULL;
done:
    if (stream && stream->release) {
        stream->release(stream);
    }
    kn_dataset_free(ds);
    kn_dataset_free(sampled);
    kn_schema_free(schema);
    kn_class_index_free(classes);
    return status;
}

kn_status kn_job_table(kn_dataset **out, const kn_job *job, const char *path, kn_table_use use,
                       bool hash, const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, job, path);
    KN_NEED_ENUM(err, use, KN_TABLE_SURVEYED, "use of a table");
    KN_NEED_SIZED(err, run);

    return read_table(out, job, path, NULL, use, hash, run, err);
}

const char kn__job_data_name[] = "the table";

kn_status kn_job_table_data(kn_dataset **out, const kn_job *job, struct ArrowArrayStream *table,
                            kn_table_use use, const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, job, table);
    KN_NEED_ENUM(err, use, KN_TABLE_SURVEYED, "use of a table");
    KN_NEED_SIZED(err, run);

    return read_table(out, job, kn__job_data_name, table, use, false, run, err);
}
