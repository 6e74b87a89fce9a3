/* read.c - which format a model is in, and what it is like. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/bytes/file.h"
#include "models/format/formats.h"

#include <string.h>
#include <strings.h>

/* A model is for people to read: larger ones are a mistake, or an attack. */
#define LARGEST_MODEL ((size_t)1 << 30)

const char *kn_model_kind_name(kn_model_kind kind)
{
    static const char *const names[] = {"tree", "clusters", "rules"};

    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

bool kn_model_format_of(kn_model_format *out, const char *path)
{
    static const struct {
        const char *ending;
        kn_model_format format;
    } endings[] = {{".json", KN_MODEL_JSON}, {".pmml", KN_MODEL_PMML}, {".xml", KN_MODEL_PMML},
                   {".dot", KN_MODEL_DOT},   {".gv", KN_MODEL_DOT},    {".sql", KN_MODEL_SQL},
                   {".txt", KN_MODEL_TEXT},  {".csv", KN_MODEL_CSV}};
    const size_t len = path ? strlen(path) : 0;

    if (len == 0 || !out) {
        return false;
    }
    if (strcmp(path, "-") == 0) {
        *out = KN_MODEL_JSON;
        return true;
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t ending = strlen(endings[i].ending);
        if (len > ending && strcasecmp(path + len - ending, endings[i].ending) == 0) {
            *out = endings[i].format;
            return true;
        }
    }
    return false;
}

kn_status kn_model_parse(kn_model **out, const char *name, const char *bytes, size_t len,
                         kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, name, bytes);

    size_t at = len >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (at < len &&
           (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n')) {
        at++;
    }
    if (at == len) {
        return kn__fail(err, KN_EINPUT, "%s: the file is empty: there is no model in it", name);
    }
    if (bytes[at] == '{') {
        return kn__model_parse_json(out, name, bytes + at, len - at, err);
    }
    /* XML in UTF-16 begins with its byte order mark */
    if (bytes[at] == '<' ||
        (len > 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))) {
        return kn__model_parse_pmml(out, name, bytes, len, err);
    }
    return kn__model_parse_csv(out, name, bytes, len, err);
}

kn_status kn_model_read(kn_model **out, const char *path, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, path);

    char *bytes = NULL;
    size_t len;
    kn_status st = kn__file_slurp(path, LARGEST_MODEL, &bytes, &len, err);

    if (st == KN_OK) {
        st = kn_model_parse(out, strcmp(path, "-") == 0 ? "standard input" : path, bytes, len, err);
    }
    kn__free(bytes);
    if (st == KN_OK && *out && strcmp(path, "-") != 0) {
        (*out)->source = kn__strdup(path);
        if (!(*out)->source) {
            kn_model_free(*out);
            *out = NULL;
            st = kn__nomem(err);
        }
    }
    return st;
}

kn_status kn_model_format_text(char **out, const kn_model *model, kn_model_format format,
                               kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, model);

    kn_buffer text = {0};
    kn_status st;

    switch (format) {
    case KN_MODEL_JSON: st = kn__model_json(model, &text, err); break;
    case KN_MODEL_CSV: st = kn__model_csv(model, &text, err); break;
    case KN_MODEL_PMML: st = kn__model_pmml(model, &text, err); break;
    case KN_MODEL_DOT: st = kn__model_dot(model, &text, err); break;
    case KN_MODEL_SQL: st = kn__model_sql(model, &text, err); break;
    case KN_MODEL_TEXT: st = kn__model_text(model, &text, err); break;
    default: st = kn__fail(err, KN_EUSAGE, "models cannot be written in this format"); break;
    }
    if (st == KN_OK) {
        st = kn__buffer_take(&text, out, err);
    }
    kn__buffer_free(&text);
    return st;
}

/* ---- what it is like ---- */

kn_model_limits kn_model_promised(const kn_model *model)
{
    if (!model) {
        return (kn_model_limits){0};
    }
    return (kn_model_limits){.k = model->promise.k,
                             .l = model->promise.l,
                             .inference = model->promise.inference};
}
