/* job_json.c - jobs from JSON. Values become the texts that the command line would have, and pass
 * the same checks. */
#include "base/buffer.h"
#include "base/args.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "io/bytes/file.h"
#include "base/params.h"
#include "job/job.h"
#include "kanon/catalog.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16 << 20 };

typedef struct reading {
    kn_job *job;
    const char *name, *folder;
} reading;

static kn_status wrong_type(const reading *r, const char *key, const char *wanted, kn_error *err)
{
    (void)kn__fail(err, KN_EINPUT, "%.300s: '%.100s' must be %s", r->name, key, wanted);
    return kn__about_parameter(err, KN_EINPUT, KN_ERROR_PARAMETER, key);
}

/* Words of the command line become words about the file. */
static kn_status in_file(const reading *r, kn_status st, kn_error *err)
{
    if (st == KN_EUSAGE) {
        kn__error_prefix(err, r->name);
        if (err) {
            err->status = KN_EINPUT;
        }
        st = KN_EINPUT;
    }
    return st;
}

static kn_status scalar_text(const reading *r, const char *key, const json_t *value,
                             kn_buffer *text, kn_error *err)
{
    char *digits;

    switch (json_typeof(value)) {
    case JSON_STRING:
        if (strlen(json_string_value(value)) != json_string_length(value)) {
            return wrong_type(r, key, "a text without NUL characters", err);
        }
        kn__buffer_adds(text, json_string_value(value));
        break;
    case JSON_INTEGER:
        kn__buffer_addf(text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        digits = kn__json_dump(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        KN_PASS(digits ? KN_OK : kn__nomem(err));
        kn__buffer_adds(text, digits);
        free(digits);
        break;
    case JSON_TRUE: kn__buffer_adds(text, "true"); break;
    case JSON_FALSE: kn__buffer_adds(text, "false"); break;
    default: return wrong_type(r, key, "a text, a number, true or false", err);
    }
    return KN_OK;
}

static bool is_numbers(const json_t *value)
{
    size_t i;
    json_t *item;

    json_array_foreach(value, i, item)
    {
        if (!json_is_number(item)) {
            return false;
        }
    }
    return json_array_size(value) > 0;
}

/* [20, 20, 10] as 20,20,10. */
static kn_status numbers_text(const reading *r, const char *key, const json_t *value,
                              kn_buffer *text, kn_error *err)
{
    kn_status status = KN_OK;
    size_t i;
    json_t *item;

    json_array_foreach(value, i, item)
    {
        kn__buffer_adds(text, i ? "," : "");
        status = status == KN_OK ? scalar_text(r, key, item, text, err) : status;
    }
    return status;
}

/* `prefix` is "COLUMN=" for maps and "" otherwise. Quotes around numbers are not ours to forgive:
 * "5" for k is refused. */
static kn_status put_scalar(const reading *r, const kn_option *option, const char *prefix,
                            const json_t *value, kn_error *err)
{
    const bool path = option->kind == KN_OPTION_PATH || option->kind == KN_OPTION_PATHS ||
                      option->kind == KN_OPTION_PATH_MAP;
    const bool number = option->kind == KN_OPTION_COUNT || option->kind == KN_OPTION_NUMBER;
    const bool text_only = path || option->kind == KN_OPTION_TEXT ||
                           option->kind == KN_OPTION_LIST || option->kind == KN_OPTION_TEXTS ||
                           option->kind == KN_OPTION_CHOICE;
    kn_buffer text = {0}, whole = {0};
    char *joined = NULL;
    kn_status status;

    if (text_only && !json_is_string(value)) {
        return wrong_type(r, option->name, "text", err);
    }
    if (number && !json_is_number(value) && !(option->list && is_numbers(value))) {
        return wrong_type(r, option->name,
                          option->list ? "a number, or a list of them" : "a number", err);
    }
    if (option->kind == KN_OPTION_FLAG && !json_is_boolean(value)) {
        return wrong_type(r, option->name, "true or false", err);
    }
    KN_TRY(number && json_is_array(value) ? numbers_text(r, option->name, value, &text, err)
                                          : scalar_text(r, option->name, value, &text, err));
    kn__buffer_add(&text, "", 0);
    if (path && !text.failed) {
        joined = kn__path_join(r->folder, text.data);
    }
    kn__buffer_adds(&whole, prefix);
    if (joined) {
        kn__buffer_adds(&whole, joined);
    } else if (!text.failed) {
        kn__buffer_adds(&whole, text.data);
    }
    KN_TRY(text.failed || whole.failed || (path && !joined) ? kn__nomem(err) : KN_OK);
    status = kn__job_put(r->job, option, path && !*text.data ? "" : whole.data, err);
    status = in_file(r, status, err);
done:
    kn__free(joined);
    kn__buffer_free(&text);
    kn__buffer_free(&whole);
    return status;
}

/* Guarantees may share a parameter, such as k: then they share its value. */
static kn_status put_param(const reading *r, const kn_option *param, const json_t *value,
                           kn_error *err)
{
    const char *given = kn_job_get(r->job, param->name, 0);
    char *before = given ? kn__strdup(given) : NULL;
    kn_status status;

    KN_TRY(given && !before ? kn__nomem(err) : put_scalar(r, param, "", value, err));
    if (before && strcmp(before, kn_job_get(r->job, param->name, 0)) != 0) {
        KN_TRY(kn__fail(
            err, KN_EINPUT,
            "%.300s: '%s' is given twice, as %.60s and as %.60s: a job has one for all its "
            "guarantees",
            r->name, param->name, before, kn_job_get(r->job, param->name, 0)));
    }
done:
    kn__free(before);
    return status;
}

static kn_status read_guarantee(const reading *r, const kn_option *option, json_t *value,
                                kn_error *err)
{
    const kn_entry *entry;
    const json_t *name = json_object_get(value, "name");
    const char *key;
    json_t *item;

    if (json_is_string(value)) {
        return put_scalar(r, option, "", value, err);
    }
    if (!json_is_object(value) || !json_is_string(name)) {
        return wrong_type(
            r, "guarantee",
            "a list of names, or of objects such as {\"name\": \"k-anonymity\", \"k\": 5}", err);
    }
    KN_PASS(put_scalar(r, option, "", name, err));
    entry = kn_catalog_find(KN_ENTRY_GUARANTEE, json_string_value(name));
    json_object_foreach(value, key, item)
    {
        kn_option param;
        const char *names[16];
        size_t found = entry->params_count;
        if (strcmp(key, "name") == 0) {
            continue;
        }
        for (size_t i = 0; i < entry->params_count; i++) {
            names[i] = entry->params[i].name;
            if (kn__same_name(key, names[i])) {
                found = i;
            }
        }
        if (found == entry->params_count || !kn_job_option_find(&param, key)) {
            const char *near = kn_nearest(key, names, entry->params_count);
            (void)kn__fail(err, KN_EINPUT, "%.300s: %s has no parameter '%.100s'%s%s%s", r->name,
                           entry->name, key, near ? "; did you mean '" : "", near ? near : "",
                           near ? "'?" : "");
            return kn__about_parameter(err, KN_EINPUT, KN_ERROR_PARAMETER, key);
        }
        KN_PASS(put_param(r, &param, item, err));
    }
    return KN_OK;
}

static kn_status read_list(const reading *r, const kn_option *option, json_t *value, kn_error *err)
{
    const bool guarantee = strcmp(option->name, "guarantee") == 0;
    const size_t count = json_is_array(value) ? json_array_size(value) : 1;

    for (size_t i = 0; i < count; i++) {
        json_t *item = json_is_array(value) ? json_array_get(value, i) : value;
        KN_PASS(guarantee ? read_guarantee(r, option, item, err)
                          : put_scalar(r, option, "", item, err));
    }
    return KN_OK;
}

/* What a map has for a column: a value, or, of files, a list of them. */
static kn_status put_files(const reading *r, const kn_option *option, const char *prefix,
                           const json_t *value, kn_error *err)
{
    kn_status st = KN_OK;
    size_t i;
    json_t *item;

    if (option->kind != KN_OPTION_PATH_MAP || !json_is_array(value)) {
        return put_scalar(r, option, prefix, value, err);
    }
    if (json_array_size(value) == 0) {
        return wrong_type(r, option->name, "an object: column names to files", err);
    }
    json_array_foreach(value, i, item)
    {
        st = st == KN_OK ? put_scalar(r, option, prefix, item, err) : st;
    }
    return st;
}

static kn_status read_map(const reading *r, const kn_option *option, json_t *value, kn_error *err)
{
    const char *column;
    json_t *item;

    if (!json_is_object(value)) {
        return wrong_type(r, option->name, "an object: column names to values", err);
    }
    json_object_foreach(value, column, item)
    {
        kn_buffer prefix = {0};
        kn_status st;
        if (!*column || strchr(column, '=')) {
            return kn__fail(err, KN_EINPUT,
                            "%.300s: '%s' cannot name the column '%.100s'; use a schema for it",
                            r->name, option->name, column);
        }
        kn__buffer_addf(&prefix, "%s=", column);
        st = prefix.failed ? kn__nomem(err) : put_files(r, option, prefix.data, item, err);
        kn__buffer_free(&prefix);
        if (st != KN_OK) {
            return st;
        }
    }
    return KN_OK;
}

static kn_status read_key(const reading *r, const char *key, json_t *value, kn_error *err)
{
    kn_option option;

    if (!kn_job_option_find(&option, key)) {
        return in_file(r, kn_job_set(r->job, key, "", err), err); /* says which is near */
    }
    if (kn_job_get(r->job, option.name, 0)) {
        return kn__fail(err, KN_EINPUT, "%.300s: '%s' is given twice", r->name, option.name);
    }
    switch (option.kind) {
    case KN_OPTION_LIST:
    case KN_OPTION_TEXTS:
    case KN_OPTION_PATHS: return read_list(r, &option, value, err);
    case KN_OPTION_MAP:
    case KN_OPTION_PATH_MAP: return read_map(r, &option, value, err);
    default: return put_scalar(r, &option, "", value, err);
    }
}

static kn_status read_keys(const reading *r, json_t *root, kn_error *err)
{
    const char *key;
    json_t *value;

    json_object_foreach(root, key, value)
    {
        if (strcmp(key, "comment") != 0) { /* which is for people */
            KN_PASS(read_key(r, key, value, err));
        }
    }
    return KN_OK;
}

kn_status kn_job_parse(kn_job **out, const char *text, size_t len, const char *name,
                       const char *folder, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, text, name);

    reading r = {NULL, name, folder};
    json_error_t at;
    json_t *root = NULL;
    kn_status status;

    KN_TRY(kn_job_new(&r.job, err));
    status = kn__json_parse(&root, text, len, &at, err);
    if (status == KN_EINPUT) {
        (void)kn__fail(err, KN_EINPUT, "%.300s: line %d, column %d: %s; a job is a JSON object",
                       name, at.line, at.column, at.text);
    }
    KN_TRY(status);
    if (!json_is_object(root)) {
        KN_TRY(kn__fail(err, KN_EINPUT, "%.300s: a job is a JSON object: {\"input\": ...}", name));
    }
    KN_TRY(read_keys(&r, root, err));
    *out = r.job;
    r.job = NULL;
done:
    json_decref(root);
    kn_job_free(r.job);
    return status;
}

kn_status kn_job_read(kn_job **out, const char *path, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, path);

    char *text = NULL, *folder = NULL;
    size_t len;
    kn_status status;

    KN_TRY(kn__file_slurp(path, MOST_BYTES, &text, &len, err));
    folder = kn__path_folder(path);
    KN_TRY(folder ? kn_job_parse(out, text, len, path, folder, err) : kn__nomem(err));
done:
    KN_FREE(folder, text);
    return status;
}
