/* formats.c - the list of formats, and formats by name. */
#include "io/formats.h"

#include <string.h>

static const kn_format_row rows[] = {
    {KN_FORMAT_CSV, "csv", {".csv", ".tsv", ".tbl"}, &kn__reader_csv, &kn__writer_csv},
    {KN_FORMAT_DAT, "dat", {".dat"}, &kn__reader_dat, &kn__writer_dat},
    {KN_FORMAT_LONG, "long", {NULL}, &kn__reader_long, &kn__writer_long},
    {KN_FORMAT_JSONL, "jsonl", {".jsonl", ".ndjson"}, &kn__reader_jsonl, &kn__writer_jsonl},
    {KN_FORMAT_TREES, "trees", {".trees"}, &kn__reader_trees, &kn__writer_trees},
    {KN_FORMAT_JSON, "json", {".json"}, &kn__reader_json, &kn__writer_json},
    {KN_FORMAT_XML, "xml", {".xml"}, &kn__reader_xml, &kn__writer_xml},
};
enum { COUNT = sizeof rows / sizeof *rows };

const kn_format_row *kn__format_row(kn_format format)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (rows[i].format == format) {
            return &rows[i];
        }
    }
    return NULL;
}

const char *kn_format_name(kn_format format)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (rows[i].format == format) {
            return rows[i].name;
        }
    }
    return format == KN_FORMAT_AUTO ? "auto" : NULL;
}

bool kn_format_from_name(kn_format *out, const char *name)
{
    if (!name || !out) {
        return false;
    }
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            *out = rows[i].format;
            return true;
        }
    }
    if (strcmp(name, "auto") == 0) {
        *out = KN_FORMAT_AUTO;
        return true;
    }
    return false;
}

bool kn__name_ends(const char *name, size_t len, const char *end)
{
    const size_t end_len = strlen(end);

    return len >= end_len && strncasecmp(name + len - end_len, end, end_len) == 0;
}

size_t kn__name_stem(const char *name)
{
    const size_t len = strlen(name);

    if (kn__name_ends(name, len, ".gz")) {
        return len - 3;
    }
    return kn__name_ends(name, len, ".zst") ? len - 4 : len;
}

bool kn_format_from_path(kn_format *out, const char *path)
{
    size_t len;

    if (!path || !out) {
        return false;
    }
    len = kn__name_stem(path);
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < 3 && rows[i].endings[j]; j++) {
            if (kn__name_ends(path, len, rows[i].endings[j])) {
                *out = rows[i].format;
                return true;
            }
        }
    }
    return false;
}

kn_format kn__format_of_path(const char *path)
{
    kn_format format;

    return kn_format_from_path(&format, path) ? format : KN_FORMAT_CSV;
}
