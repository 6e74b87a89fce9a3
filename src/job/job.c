/* job.c - a job is a list of options as texts: what was said, in the order in which it was said. */
#include "job/job.h"
#include "base/buffer.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/name_list.h"
#include "io/bytes/file.h"
#include "kanon/catalog.h"

#include <string.h>
#include <time.h>

kn_status kn_job_new(kn_job **out, kn_error *err)
{
    KN_NEED_OUT(err, out);

    *out = kn__zalloc(sizeof **out);
    return *out ? KN_OK : kn__nomem(err);
}

void kn_job_free(kn_job *job)
{
    if (!job) {
        return;
    }
    for (size_t i = 0; i < job->count; i++) {
        kn_job_values *v = &job->options[i];
        for (size_t j = 0; j < v->count; j++) {
            kn__free(v->texts[j]);
        }
        kn__free(v->texts);
        kn__dict_free(v->keys);
        kn__free(v->name);
    }
    KN_FREE(job->options, job->save_as, job);
}

kn_job_values *kn__job_values(const kn_job *job, const char *option)
{
    for (size_t i = 0; i < job->count; i++) {
        if (strcmp(job->options[i].name, option) == 0) {
            return &job->options[i];
        }
    }
    return NULL;
}

/* The values of `option`, for the first of them to be added. */
static kn_status add_option(kn_job *job, const char *option, kn_job_values **out, kn_error *err)
{
    kn_job_values added = {0};
    kn_status status;

    added.name = kn__strdup(option);
    KN_TRY(added.name ? KN_OK : kn__nomem(err));
    KN_TRY(kn__dict_new(&added.keys, err));
    KN_TRY(kn__grow(&job->options, &job->cap, job->count + 1, sizeof *job->options, err));
    job->options[job->count] = added;
    *out = &job->options[job->count++];
    return KN_OK;
done:
    kn__dict_free(added.keys);
    kn__free(added.name);
    return status;
}

/* How many bytes of `text` tell it apart from other values of the option: an option that stands
 * alone has one value, a map one per column. Files of a column add up: one of items may have
 * several. */
static size_t key_length(const kn_option *option, const char *text)
{
    size_t len = 0;

    if (option->kind == KN_OPTION_MAP) {
        (void)kn__map_value(text, &len);
    } else if (kn_option_repeats(option)) {
        len = strlen(text);
    }
    return len;
}

kn_status kn__job_put(kn_job *job, const kn_option *option, const char *text, kn_error *err)
{
    const size_t key = key_length(option, text);
    kn_job_values *v = kn__job_values(job, option->name);
    char *copy = NULL;
    uint32_t old = KN_NO_CODE;
    kn_status status;

    KN_TRY(kn__option_check(option, text, err));
    copy = kn__strdup(text);
    KN_TRY(copy ? KN_OK : kn__nomem(err));
    if (!v) {
        KN_TRY(add_option(job, option->name, &v, err));
    }
    old = kn__dict_find(v->keys, text, key);
    if (old == KN_NO_CODE) {
        KN_TRY(kn__grow(&v->texts, &v->cap, v->count + 1, sizeof *v->texts, err));
        KN_TRY(kn__dict_append(v->keys, text, key, err));
        v->texts[v->count++] = NULL;
        old = (uint32_t)v->count - 1;
    }
    kn__free(v->texts[old]);
    v->texts[old] = copy;
    return KN_OK;
done:
    kn__free(copy);
    return status;
}

static kn_status unknown_option(const char *key, kn_error *err)
{
    const char *names[128];
    const size_t count = kn_job_options();
    const char *near;
    size_t known = 0;

    for (size_t i = 0; i < count && known < sizeof names / sizeof names[0]; i++) {
        kn_option option;
        kn_job_option(&option, i);
        names[known++] = option.name;
    }
    near = kn_nearest(key, names, known);
    (void)(near ? kn__fail(err, KN_EUSAGE, "there is no option '%.100s'; did you mean '%s'?", key,
                           near)
                : kn__fail(err, KN_EUSAGE, "there is no option '%.100s'; docs/jobs.md lists them",
                           key));
    return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, key);
}

/* Whether the option names columns: then spaces around names are no part of them. */
static bool names_columns(const kn_option *option)
{
    return strstr(option->argument, "COLUMNS") != NULL || strstr(option->argument, "NAMES") != NULL;
}

/* NAME=COLUMNS without the spaces around names. */
static kn_status put_map(kn_job *job, const kn_option *option, const char *map, kn_error *err)
{
    const char *equals = strchr(map, '=');
    char *copy = equals ? kn__strdup(equals + 1) : NULL;
    kn_buffer pair = {0};
    kn_status st = KN_OK;

    if (!equals) {
        return kn__job_put(job, option, map, err); /* refuses it */
    }
    map += strspn(map, " ");
    kn__buffer_addf(&pair, "%.*s", (int)(equals - map), map);
    for (char *rest = copy; rest;) {
        kn__buffer_addc(&pair, rest == copy ? '=' : ',');
        kn__name_list_add(&pair, kn__name_list_cut(&rest));
    }
    st = !copy || pair.failed ? kn__nomem(err) : kn__job_put(job, option, pair.data, err);
    kn__buffer_free(&pair);
    kn__free(copy);
    return st;
}

/* The next element at `*rest`; of texts, two quotes stand for the empty one. */
static const char *next_element(const kn_option *option, char **rest)
{
    char *text = *rest, *comma;

    if (names_columns(option)) {
        return kn__name_list_cut(rest);
    }
    comma = strchr(text, ',');
    *rest = comma ? comma + 1 : NULL;
    if (comma) {
        *comma = '\0';
    }
    return strcmp(text, "''") == 0 ? "" : text;
}

/* Elements of a comma list. All are checked before any is added, so that a bad one changes
 * nothing. */
static kn_status put_list(kn_job *job, const kn_option *option, const char *value, kn_error *err)
{
    kn_status st = KN_OK;

    for (int adding = 0; adding < 2 && st == KN_OK; adding++) {
        char *copy = kn__strdup(value);
        st = copy ? KN_OK : kn__nomem(err);
        for (char *rest = copy; rest && st == KN_OK;) {
            const char *text = next_element(option, &rest);
            st = adding ? kn__job_put(job, option, text, err) : kn__option_check(option, text, err);
        }
        kn__free(copy);
    }
    return st;
}

/* "a,b" of an option that is NAME=COLUMNS: each column by itself, under its own name. */
static kn_status put_columns(kn_job *job, const kn_option *option, const char *value, kn_error *err)
{
    char *copy = kn__strdup(value);
    kn_status st = copy ? KN_OK : kn__nomem(err);

    for (char *rest = copy; rest && st == KN_OK;) {
        const char *name = kn__name_list_cut(&rest);
        kn_buffer pair = {0};
        kn__buffer_addf(&pair, "%s=", name);
        kn__name_list_add(&pair, name);
        st = pair.failed ? kn__nomem(err) : kn__job_put(job, option, pair.data, err);
        kn__buffer_free(&pair);
    }
    kn__free(copy);
    return st;
}

kn_status kn_job_set(kn_job *job, const char *key, const char *value, kn_error *err)
{
    KN_NEED(err, job, key, value);

    kn_option option;

    if (!kn_job_option_find(&option, key)) {
        return unknown_option(key, err);
    }
    if (strcmp(option.name, "collect") == 0 && !strchr(value, '=')) {
        return put_columns(job, &option, value, err);
    }
    if (option.kind == KN_OPTION_LIST) {
        return put_list(job, &option, value, err);
    }
    return option.argument && names_columns(&option) ? put_map(job, &option, value, err)
                                                     : kn__job_put(job, &option, value, err);
}

kn_status kn_job_save_as(kn_job *job, const char *path, kn_error *err)
{
    KN_NEED(err, job);

    char *copy = path ? kn__strdup(path) : NULL;

    if (path && !copy) {
        return kn__nomem(err);
    }
    kn__free(job->save_as);
    job->save_as = copy;
    return KN_OK;
}

kn_status kn_job_print_report(kn_job *job, bool print, kn_error *err)
{
    KN_NEED(err, job);

    job->prints = print;
    return KN_OK;
}

const char *kn_job_get(const kn_job *job, const char *key, size_t i)
{
    const kn_job_values *v = job && key ? kn__job_values(job, key) : NULL;

    return v && i < v->count ? v->texts[i] : NULL;
}

bool kn__job_has(const kn_job *job, const char *option, const char *text)
{
    const kn_job_values *v = kn__job_values(job, option);

    return v && kn__dict_find(v->keys, text, strlen(text)) != KN_NO_CODE;
}

void kn_cleanup_temporary(void)
{
    kn__sink_remove_all();
}

const char *kn_job_date(const kn_job *job, char *buffer, size_t size)
{
    const char *asked = kn_job_get(job, "date", 0);
    const time_t at = time(NULL);
    struct tm day;

    if (!asked || strcmp(asked, "today") != 0) {
        return asked;
    }
    return gmtime_r(&at, &day) && strftime(buffer, size, "%Y-%m-%d", &day) ? buffer : NULL;
}
