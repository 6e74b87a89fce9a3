/* job_inputs.c - from options to schema, layout and table. */
#include "base/buffer.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "data/schema.h"
#include "io/reader.h"
#include "job/job.h"
#include "kanon/arrow.h"
#include "kanon/catalog.h"

#include <stdio.h>
#include <string.h>

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

/* ---- schema and layout ---- */

static const struct {
    const char *option;
    kn_role role;
} role_options[] = {{"id", KN_ROLE_IDENTIFIER},
                    {"qi", KN_ROLE_QUASI},
                    {"sensitive", KN_ROLE_SENSITIVE},
                    {"keep", KN_ROLE_KEPT},
                    {"drop", KN_ROLE_DROPPED}};
enum { ROLE_OPTIONS = sizeof role_options / sizeof *role_options };

static const char *role_given(const kn_job *job, const char *column, size_t before)
{
    for (size_t r = 0; r < before; r++) {
        if (kn__job_has(job, role_options[r].option, column)) {
            return role_options[r].option;
        }
    }
    return NULL;
}

static kn_status apply_roles(const kn_job *job, kn_schema *s, kn_error *err)
{
    const char *column;
    kn_status st = KN_OK;

    for (size_t r = 0; r < ROLE_OPTIONS && st == KN_OK; r++) {
        for (size_t i = 0; st == KN_OK && (column = kn_job_get(job, role_options[r].option, i));
             i++) {
            const char *other = role_given(job, column, r);
            st = other ? kn__fail(err, KN_EUSAGE,
                                  "column '%.200s' is given both to --%s and to --%s; choose one",
                                  column, other, role_options[r].option)
                       : kn_schema_set_role(s, column, role_options[r].role, err);
        }
    }
    return st;
}

/* What becomes of the columns that no option and no schema gives a role. Lists are spared until the
 * table is read: only then is known whether one is what the guarantee protects. */
static kn_status apply_rest(const kn_job *job, kn_schema *s, kn_error *err)
{
    static const char *const names[] = {"accept-suggested", "drop-rest", "keep-rest"};
    static const kn_role roles[] = {KN_ROLE_UNSET, KN_ROLE_DROPPED, KN_ROLE_KEPT};
    const char *before = NULL, *column = kn_job_get(job, "class", 0);
    const kn_column_spec *class = column ? kn__schema_find(s, column) : NULL;
    kn_status st = KN_OK;

    s->rest_spares_lists = true;
    if (column && !(class && class->role_given)) { /* a class is published as it is */
        st = kn_schema_set_role(s, column, KN_ROLE_KEPT, err);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names && st == KN_OK; i++) {
        if (!is(kn_job_get(job, names[i], 0), "true")) {
            continue;
        }
        st = before
                 ? kn__fail(err, KN_EUSAGE,
                            "--%s and --%s are both about the columns without a role; choose one",
                            before, names[i])
                 : kn_schema_set_rest(s, roles[i], err);
        before = names[i];
    }
    for (size_t i = 0; st == KN_OK && (column = kn_job_get(job, "allow-unique", i)); i++) {
        st = kn_schema_allow_unique(s, column, err);
    }
    return st;
}

static kn_status apply_lists(const kn_job *job, kn_schema *s, const char *option, kn_type type,
                             kn_error *err)
{
    const char *column;
    kn_status st = KN_OK;

    for (size_t i = 0; st == KN_OK && (column = kn_job_get(job, option, i)); i++) {
        st = kn_schema_set_type(s, column, type, err);
    }
    return st;
}

/* One "COLUMN=VALUE" of --type or --weight. */
static kn_status apply_pair(kn_schema *s, const char *option, const char *pair, kn_error *err)
{
    const kn_option number = {.kind = KN_OPTION_NUMBER};
    size_t len = 0;
    const char *value = kn__map_value(pair, &len);
    char *column = kn__strndup(pair, len);
    kn_type type = KN_TYPE_AUTO;
    kn_status st;

    if (!column) {
        return kn__nomem(err);
    }
    if (is(option, "type")) {
        (void)kn_type_from_name(&type, value);
        st = kn_schema_set_type(s, column, type, err);
    } else {
        st = kn_schema_set_weight(s, column, kn__option_number(&number, value), err);
    }
    kn__free(column);
    return st;
}

static kn_status apply_maps(const kn_job *job, kn_schema *s, const char *option, kn_error *err)
{
    const char *pair;
    kn_status st = KN_OK;

    for (size_t i = 0; st == KN_OK && (pair = kn_job_get(job, option, i)); i++) {
        st = apply_pair(s, option, pair, err);
    }
    return st;
}

/* acd is for numbers: where a file of baskets does not say what its items are, they are that. */
static kn_status numbers_for_acd(const kn_job *job, const char *path, const kn_layout *layout,
                                 kn_schema *s, kn_error *err)
{
    const kn_column_spec *items = kn__schema_find(s, "items");
    const kn_format format = layout->format ? layout->format : kn__format_of_path(path);

    return is(kn_job_get(job, "method", 0), "acd") && format == KN_FORMAT_DAT &&
                   !(items && items->type != KN_TYPE_AUTO)
               ? kn_schema_set_type(s, "items", KN_TYPE_NUMBERS, err)
               : KN_OK;
}

static kn_status apply_missing(const kn_job *job, kn_schema *s, kn_error *err)
{
    size_t count = 0;
    const char **texts;
    kn_status st;

    while (kn_job_get(job, "missing", count)) {
        count++;
    }
    if (kn_job_get(job, "missing-rule", 0)) {
        (void)kn_schema_set_missing_rule(
            s, NULL,
            is(kn_job_get(job, "missing-rule", 0), "any") ? KN_MISSING_ANY : KN_MISSING_OWN, err);
    }
    if (count == 0) {
        return KN_OK;
    }
    texts = kn__malloc_array(count, sizeof *texts);
    if (!texts) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        texts[i] = kn_job_get(job, "missing", i);
    }
    st = kn_schema_set_missing(s, NULL, texts, count, err);
    kn__free(texts);
    return st;
}

kn_status kn__job_schema(const kn_job *job, kn_schema **out, kn_error *err)
{
    const char *path = kn_job_get(job, "schema", 0);
    const char *separator = kn_job_get(job, "item-separator", 0);
    kn_schema *s = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(path ? kn_schema_read(&s, path, err) : kn_schema_new(&s, err));
    KN_TRY(apply_roles(job, s, err));
    KN_TRY(apply_rest(job, s, err));
    KN_TRY(apply_lists(job, s, "items", KN_TYPE_SET, err));
    KN_TRY(apply_lists(job, s, "numbers", KN_TYPE_NUMBERS, err));
    KN_TRY(apply_maps(job, s, "type", err));
    KN_TRY(apply_maps(job, s, "weight", err));
    if (separator) {
        KN_TRY(kn_schema_set_item_separator(s, separator, err));
    }
    KN_TRY(apply_missing(job, s, err));
    KN_TRY(kn__job_rows(job, s, err));
    *out = s;
    s = NULL;
done:
    kn_schema_free(s);
    return status;
}

static char separator_of(const char *text)
{
    static const char *const words[] = {"tab", "\\t", "comma", "semicolon"};

    for (size_t i = 0; text && i < sizeof words / sizeof *words; i++) {
        if (is(text, words[i])) {
            return "\t\t,;"[i];
        }
    }
    return (char)(text ? text[0] : '\0');
}

kn_status kn__job_layout(const kn_job *job, kn_layout *layout, kn_error *err)
{
    const char *format = kn_job_get(job, "format", 0);

    *layout = (kn_layout){.separator = separator_of(kn_job_get(job, "separator", 0)),
                          .no_header = is(kn_job_get(job, "no-header", 0), "true"),
                          .no_quotes = is(kn_job_get(job, "quote", 0), "none"),
                          .trim = is(kn_job_get(job, "trim", 0), "true"),
                          .spreadsheet_safe = is(kn_job_get(job, "spreadsheet-safe", 0), "true"),
                          .key = kn_job_get(job, "key", 0)};
    if (format && !is(format, "auto") && !kn_format_from_name(&layout->format, format)) {
        return kn__fail(err, KN_EUSAGE, "--format: '%.60s' is not in this build", format);
    }
    return KN_OK;
}

/* Baskets have no cells: what separates items there is a part of the layout. */
static kn_status separate_baskets(const kn_job *job, const char *path, kn_layout *layout,
                                  kn_error *err)
{
    const char *separator = kn_job_get(job, "item-separator", 0);
    const kn_format format = layout->format ? layout->format : kn__format_of_path(path);

    if (format != KN_FORMAT_DAT || !separator) {
        return KN_OK;
    }
    if (!is(separator, "tab") && !is(separator, "\\t") && strlen(separator) != 1) {
        return kn__fail(
            err, KN_EUSAGE,
            "--item-separator: items of a .dat file are separated by one character, and "
            "'%.60s' has more",
            separator);
    }
    layout->separator = separator_of(separator);
    return KN_OK;
}

/* ---- the table ---- */

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
            const char *role;
            if (is(options[o], "type") || is(options[o], "weight") || is(options[o], "hierarchy")) {
                (void)kn__map_value(text, &len);
            }
            column = kn__strndup(text, len);
            if (!column) {
                return kn__nomem(err);
            }
            (void)snprintf(who, sizeof who, "--%s", options[o]);
            role = role_given(job, column, ROLE_OPTIONS);
            if (kn_dataset_find(ds, column) == SIZE_MAX && !is_about_part(s, options[o], column) &&
                !(use == KN_TABLE_RELEASE && (is(role, "id") || is(role, "drop")))) {
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

/* What the format of the file at `path` adds to its schema and layout. */
static kn_status describe_file(const kn_job *job, const char *path, kn_table_use use, kn_schema *s,
                               kn_layout *layout, kn_class_index **classes, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__job_layout(job, layout, err));
    KN_TRY(separate_baskets(job, path, layout, err));
    if (use == KN_TABLE_ORIGINAL) {
        KN_TRY(numbers_for_acd(job, path, layout, s, err));
    }
    KN_TRY(kn__job_tree_classes(job, s, path, layout, classes, err));
done:
    return status;
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
        KN_TRY(describe_file(job, path, use, schema, &layout, &classes, err));
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
