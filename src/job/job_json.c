/* job_json.c - jobs as JSON. Values become the texts that the command line would have, and pass the
 * same checks. */
#include "base/buffer.h"
#include "base/args.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "io/bytes/file.h"
#include "job/job.h"
#include "kanon/catalog.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 16 << 20 };

typedef struct reading {
    kn_job *job;
    const char *name, *folder;
} reading;

/* ---- in ---- */

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
        digits = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        if (!digits) {
            return kn__nomem(err);
        }
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
    kn_status st = KN_OK;

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
    if (number && json_is_array(value)) {
        st = numbers_text(r, option->name, value, &text, err);
    } else {
        st = scalar_text(r, option->name, value, &text, err);
    }
    if (st != KN_OK) {
        goto done;
    }
    kn__buffer_add(&text, "", 0);
    if (path && !text.failed) {
        joined = kn__path_join(r->folder, text.data);
    }
    kn__buffer_adds(&whole, prefix);
    kn__buffer_adds(&whole, joined ? joined : text.failed ? "" : text.data);
    if (text.failed || whole.failed || (path && !joined)) {
        st = kn__nomem(err);
        goto done;
    }
    st = in_file(r, kn__job_put(r->job, option, path && !*text.data ? "" : whole.data, err), err);
done:
    kn__free(joined);
    kn__buffer_free(&text);
    kn__buffer_free(&whole);
    return st;
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
    kn_status st;

    if (json_is_string(value)) {
        return put_scalar(r, option, "", value, err);
    }
    if (!json_is_object(value) || !json_is_string(name)) {
        return wrong_type(
            r, "guarantee",
            "a list of names, or of objects such as {\"name\": \"k-anonymity\", \"k\": 5}", err);
    }
    st = put_scalar(r, option, "", name, err);
    if (st != KN_OK) {
        return st;
    }
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
            if (kn__same_option(key, names[i])) {
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
        st = put_param(r, &param, item, err);
        if (st != KN_OK) {
            return st;
        }
    }
    return KN_OK;
}

static kn_status read_list(const reading *r, const kn_option *option, json_t *value, kn_error *err)
{
    const bool guarantee = strcmp(option->name, "guarantee") == 0;
    size_t i;
    json_t *item;

    if (!json_is_array(value)) {
        return guarantee ? read_guarantee(r, option, value, err)
                         : put_scalar(r, option, "", value, err);
    }
    json_array_foreach(value, i, item)
    {
        const kn_status st = guarantee ? read_guarantee(r, option, item, err)
                                       : put_scalar(r, option, "", item, err);
        if (st != KN_OK) {
            return st;
        }
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

static kn_status unknown_key(const reading *r, const char *key, kn_error *err)
{
    const kn_status st = kn_job_set(r->job, key, "", err); /* says which is near */

    return in_file(r, st, err);
}

static kn_status read_keys(const reading *r, json_t *root, kn_error *err)
{
    const char *key;
    json_t *value;

    json_object_foreach(root, key, value)
    {
        kn_option option;
        kn_status st;
        if (strcmp(key, "comment") == 0) { /* for people */
            continue;
        }
        if (!kn_job_option_find(&option, key)) {
            st = unknown_key(r, key, err);
        } else if (kn_job_get(r->job, option.name, 0)) {
            st = kn__fail(err, KN_EINPUT, "%.300s: '%s' is given twice", r->name, option.name);
        } else if (option.kind == KN_OPTION_LIST || option.kind == KN_OPTION_TEXTS ||
                   option.kind == KN_OPTION_PATHS) {
            st = read_list(r, &option, value, err);
        } else if (option.kind == KN_OPTION_MAP || option.kind == KN_OPTION_PATH_MAP) {
            st = read_map(r, &option, value, err);
        } else {
            st = put_scalar(r, &option, "", value, err);
        }
        if (st != KN_OK) {
            return st;
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
    kn_status st = kn_job_new(&r.job, err);

    if (st != KN_OK) {
        return st;
    }
    st = kn__json_parse(&root, text, len, &at, err);
    if (st == KN_EINPUT) {
        st = kn__fail(err, KN_EINPUT, "%.300s: line %d, column %d: %s; a job is a JSON object",
                      name, at.line, at.column, at.text);
    } else if (st == KN_OK && !json_is_object(root)) {
        st = kn__fail(err, KN_EINPUT, "%.300s: a job is a JSON object: {\"input\": ...}", name);
    } else if (st == KN_OK) {
        st = read_keys(&r, root, err);
    }
    json_decref(root);
    if (st != KN_OK) {
        kn_job_free(r.job);
        return st;
    }
    *out = r.job;
    return KN_OK;
}

kn_status kn_job_read(kn_job **out, const char *path, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, path);

    char *text = NULL, *folder = NULL;
    size_t len;
    kn_status st;

    st = kn__file_slurp(path, MOST_BYTES, &text, &len, err);
    if (st != KN_OK) {
        goto done;
    }
    folder = kn__path_folder(path);
    st = folder ? kn_job_parse(out, text, len, path, folder, err) : kn__nomem(err);
done:
    kn__free(folder);
    kn__free(text);
    return st;
}

/* ---- out ---- */

/* "20,20,10" as a list. */
static json_t *json_numbers(const kn_option *option, const char *text)
{
    json_t *list = json_array();

    while (*text) {
        const size_t len = strcspn(text, ",");
        char part[64];
        (void)snprintf(part, sizeof part, "%.*s", (int)len, text);
        (void)json_array_append_new(list, option->kind == KN_OPTION_COUNT
                                              ? json_integer((json_int_t)strtoll(part, NULL, 10))
                                              : json_real(kn__option_number(option, part)));
        text += len;
        text += *text == ',';
    }
    return list;
}

static json_t *json_of(const kn_option *option, const char *text)
{
    if (option->list && strchr(text, ',')) {
        return json_numbers(option, text);
    }
    switch (option->kind) {
    case KN_OPTION_FLAG: return json_boolean(strcmp(text, "true") == 0);
    case KN_OPTION_COUNT: return json_integer((json_int_t)strtoll(text, NULL, 10));
    case KN_OPTION_NUMBER:
    case KN_OPTION_SHARE:
        if (text[strlen(text) - 1] != '%' && !strpbrk(text, ".eE")) {
            return json_integer((json_int_t)kn__option_number(option, text));
        }
        return json_real(kn__option_number(option, text));
    default: return json_string(text);
    }
}

/* Relative paths are put behind `folder` (may be NULL). */
static json_t *json_path(const kn_option *option, const char *folder, const char *text)
{
    char *joined;
    json_t *value;

    if (option->kind != KN_OPTION_PATH && option->kind != KN_OPTION_PATHS &&
        option->kind != KN_OPTION_PATH_MAP) {
        return json_of(option, text);
    }
    joined = kn__path_join(folder, text);
    value = joined ? json_string(joined) : NULL;
    kn__free(joined);
    return value;
}

/* The second file of a column makes a list of the first. */
static bool add_file(json_t *map, const char *column, json_t *path)
{
    json_t *there = json_object_get(map, column), *list = there;

    if (there && !json_is_array(there)) {
        list = json_array();
        if (json_array_append(list, there) != 0 || json_object_set_new(map, column, list) != 0) {
            json_decref(path);
            return false;
        }
    }
    return (list ? json_array_append_new(list, path) : json_object_set_new(map, column, path)) == 0;
}

static bool put_map(json_t *root, const char *key, const kn_option *option, const char *folder,
                    const char *text)
{
    json_t *map = json_object_get(root, key);
    size_t column_len = 0;
    const char *value = kn__map_value(text, &column_len);
    const kn_option number = {.kind = KN_OPTION_NUMBER};
    char *column = kn__strndup(text, column_len);
    bool ok;

    if (!map) {
        map = json_object();
        if (json_object_set_new(root, key, map) != 0) {
            map = NULL;
        }
    }
    ok = column && map &&
         (option->kind == KN_OPTION_PATH_MAP
              ? add_file(map, column, json_path(option, folder, value))
              : json_object_set_new(map, column,
                                    kn__option_maps_numbers(option)
                                        ? json_of(&number, value)
                                        : json_path(option, folder, value)) == 0);
    kn__free(column);
    return ok;
}

static bool put_element(json_t *root, const char *key, json_t *element)
{
    json_t *list = json_object_get(root, key);

    if (!list) {
        list = json_array();
        if (json_object_set_new(root, key, list) != 0) {
            json_decref(element);
            return false;
        }
    }
    return json_array_append_new(list, element) == 0;
}

/* Whether parameter `name` stands in the object of its guarantee. */
static bool is_in_guarantee(const kn_job *job, const char *name)
{
    size_t count;
    const kn_entry *const *entries = kn_catalog(KN_ENTRY_GUARANTEE, &count);

    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < entries[i]->params_count; j++) {
            if (strcmp(entries[i]->params[j].name, name) == 0 &&
                kn__job_asks_for(job, entries[i]->name)) {
                return true;
            }
        }
    }
    return false;
}

/* A guarantee with the parameters that are given for it. */
static bool put_guarantee(json_t *root, const kn_job *job, const kn_entry *entry)
{
    json_t *object = json_object();

    if (json_object_set_new(object, "name", json_string(entry->name)) != 0) {
        json_decref(object);
        return false;
    }
    for (size_t i = 0; i < entry->params_count; i++) {
        const char *text = kn_job_get(job, entry->params[i].name, 0);
        kn_option option;
        if (text && kn_job_option_find(&option, entry->params[i].name) &&
            json_object_set_new(object, option.name, json_of(&option, text)) != 0) {
            json_decref(object);
            return false;
        }
    }
    return put_element(root, "guarantee", object);
}

static bool put_guarantees(json_t *root, const kn_job *job)
{
    size_t count;
    const kn_entry *const *entries = kn_catalog(KN_ENTRY_GUARANTEE, &count);
    bool ok = true;

    for (size_t i = 0; i < count && ok; i++) {
        ok = !kn__job_asks_for(job, entries[i]->name) || put_guarantee(root, job, entries[i]);
    }
    return ok;
}

/* All values of one option. */
static bool put_option(json_t *root, const kn_job *job, const char *folder, const kn_option *option)
{
    char key[64];
    const char *text;
    bool ok = true;

    if (strcmp(option->name, "guarantee") == 0) {
        return put_guarantees(root, job);
    }
    if (is_in_guarantee(job, option->name)) {
        return true;
    }
    (void)snprintf(key, sizeof key, "%s", option->name);
    for (char *c = key; *c; c++) {
        *c = *c == '-' ? '_' : *c;
    }
    for (size_t i = 0; ok && (text = kn_job_get(job, option->name, i)); i++) {
        if (option->kind == KN_OPTION_MAP || option->kind == KN_OPTION_PATH_MAP) {
            ok = put_map(root, key, option, folder, text);
        } else if (kn_option_repeats(option)) {
            ok = put_element(root, key, json_path(option, folder, text));
        } else {
            ok = json_object_set_new(root, key, json_path(option, folder, text)) == 0;
        }
    }
    return ok;
}

static kn_status dump(const kn_job *job, const char *folder, char **out, kn_error *err)
{
    json_t *root = json_object();
    char *text = NULL;
    bool ok = root != NULL;

    *out = NULL;
    for (size_t i = 0; i < kn_job_options() && ok; i++) {
        kn_option option;
        kn_job_option(&option, i);
        ok = put_option(root, job, folder, &option);
    }
    if (ok) {
        text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
        *out = text ? kn__strdup(text) : NULL;
        free(text);
    }
    json_decref(root);
    return *out ? KN_OK : kn__nomem(err);
}

kn_status kn_job_json(char **out, const kn_job *job, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, job);

    return dump(job, NULL, out, err);
}

kn_status kn__job_put_file(kn_sink **out, const kn_job *job, const char *path, kn_error *err)
{
    KN_NEED(err, job, path);

    char *folder = kn__path_folder(path), *here = NULL, *text = NULL;
    kn_buffer lines = {0};
    kn_status status;

    *out = NULL;
    if (!folder) {
        return kn__nomem(err);
    }
    if (*folder && strcmp(folder, ".") != 0) {
        here = getcwd(NULL, 0); /* from malloc: free it with free */
        if (!here) {
            status = errno == ENOMEM
                         ? kn__nomem(err)
                         : kn__fail(err, KN_EIO, "%.300s: cannot tell the current folder", path);
            goto done;
        }
    }
    KN_TRY(dump(job, here, &text, err));
    kn__buffer_adds(&lines, text);
    kn__buffer_addc(&lines, '\n');
    KN_TRY(lines.failed ? kn__nomem(err) : KN_OK);
    KN_TRY(kn__sink_put(out, path, KN_COMPRESSION_NONE, lines.data, lines.len, err));
done:
    kn__buffer_free(&lines);
    kn__free(text);
    kn__free(folder);
    free(here);
    return status;
}

kn_status kn_job_write(const kn_job *job, const char *path, kn_error *err)
{
    kn_sink *sink;
    const kn_status st = kn__job_put_file(&sink, job, path, err);

    return st == KN_OK ? kn__sink_commit(sink, err) : st;
}
