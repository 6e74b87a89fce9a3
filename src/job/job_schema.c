/* job_schema.c - from options to schema and layout. */
#include "base/error.h"
#include "base/memory.h"
#include "data/schema.h"
#include "io/reader.h"
#include "job/job.h"
#include "methods/registry.h"

#include <string.h>

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

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
            if (other) {
                (void)kn__fail(err, KN_EUSAGE,
                               "column '%.200s' is given both to --%s and to --%s; choose one",
                               column, other, role_options[r].option);
                (void)kn__about_column(err, KN_EUSAGE, KN_ERROR_PARAMETER, column);
                return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER,
                                           role_options[r].option);
            }
            st = kn_schema_set_role(s, column, role_options[r].role, err);
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

    KN_PASS(column ? KN_OK : kn__nomem(err));
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

/* Where a file of baskets does not say what its items are, they are what the method is for. */
static kn_status numbers_for_method(const kn_job *job, const char *path, const kn_layout *layout,
                                    kn_schema *s, kn_error *err)
{
    const kn_column_spec *items = kn__schema_find(s, "items");
    const char *name = kn_job_get(job, "method", 0);
    const kn_method_row *method = name ? kn__method_find(name) : NULL;
    const kn_format format = layout->format ? layout->format : kn__format_of_path(path);

    return method && method->numbers && format == KN_FORMAT_DAT &&
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
    if (kn_job_get(job, "decimal", 0)) {
        const char *mark = kn_job_get(job, "decimal", 0);
        (void)kn_schema_set_decimal(s, (char)(is(mark, "auto") ? '\0' : *mark), err);
    }
    if (kn_job_get(job, "date-format", 0)) {
        (void)kn_schema_set_date_format(s, NULL, kn_job_get(job, "date-format", 0), err);
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
    KN_PASS(texts ? KN_OK : kn__nomem(err));
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
    KN_TRY(path ? kn__about_file(err, kn_schema_read(&s, path, err), "schema")
                : kn_schema_new(&s, err));
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

static kn_encoding job_encoding(const kn_job *job)
{
    static const char *const names[] = {[KN_ENCODING_AUTO] = "auto",
                                        [KN_ENCODING_UTF8] = "utf8",
                                        [KN_ENCODING_LATIN1] = "latin1",
                                        [KN_ENCODING_UTF16] = "utf16"};
    const char *asked = kn_job_get(job, "encoding", 0);
    size_t found = KN_ENCODING_AUTO;

    for (size_t i = 0; asked && i < sizeof names / sizeof *names; i++) {
        found = is(asked, names[i]) ? i : found;
    }
    return (kn_encoding)found;
}

kn_status kn__job_layout(const kn_job *job, kn_layout *layout, kn_error *err)
{
    const char *format = kn_job_get(job, "format", 0);

    *layout = (kn_layout){.separator = separator_of(kn_job_get(job, "separator", 0)),
                          .no_header = is(kn_job_get(job, "no-header", 0), "true"),
                          .no_quotes = is(kn_job_get(job, "quote", 0), "none"),
                          .trim = is(kn_job_get(job, "trim", 0), "true"),
                          .spreadsheet_safe = is(kn_job_get(job, "spreadsheet-safe", 0), "true"),
                          .encoding = job_encoding(job),
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

kn_status kn__job_describe_file(const kn_job *job, const char *path, kn_table_use use, kn_schema *s,
                                kn_layout *layout, kn_class_index **classes, kn_error *err)
{
    KN_PASS(kn__job_layout(job, layout, err));
    if (use == KN_TABLE_RELEASE) { /* UTF-8 with decimal points, unless it looks otherwise */
        layout->encoding = layout->encoding == KN_ENCODING_UTF8 ? KN_ENCODING_UTF8
                                                                : KN_ENCODING_AUTO;
        s->decimal = (char)(s->decimal == ',' ? '\0' : s->decimal);
    }
    KN_PASS(separate_baskets(job, path, layout, err));
    if (use == KN_TABLE_ORIGINAL) {
        KN_PASS(numbers_for_method(job, path, layout, s, err));
    }
    return kn__job_tree_classes(job, s, path, layout, classes, err);
}
