/* job_json_write.c - jobs as JSON, which job_json.c reads back. */
#include "base/args.h"
#include "base/buffer.h"
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

/* "20,20,10" as a list; NULL when memory is out. */
static json_t *json_numbers(const kn_option *option, const char *text)
{
    json_t *list = json_array();

    while (*text) {
        const size_t len = strcspn(text, ",");
        char part[64];
        (void)snprintf(part, sizeof part, "%.*s", (int)len, text);
        if (json_array_append_new(list, option->kind == KN_OPTION_COUNT
                                            ? json_integer((json_int_t)strtoll(part, NULL, 10))
                                            : json_real(kn__option_number(option, part))) != 0) {
            json_decref(list);
            return NULL;
        }
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
        if (json_array_append(list, there) != 0) {
            json_decref(list);
            list = NULL;
        }
        if (json_object_set_new(map, column, list) != 0) {
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
        text = kn__json_dump(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
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
    KN_TRY(kn__sink_put(out, path, KN_COMPRESSION_AUTO, lines.data, lines.len, err));
done:
    kn__buffer_free(&lines);
    KN_FREE(text, folder);
    free(here);
    return status;
}

kn_status kn_job_write(const kn_job *job, const char *path, kn_error *err)
{
    kn_sink *sink;
    const kn_status st = kn__job_put_file(&sink, job, path, err);

    return st == KN_OK ? kn__sink_commit(sink, err) : st;
}
