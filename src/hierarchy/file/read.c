/* read.c - read a hierarchy file: detect its format, parse the rows of ARX's.
 *
 * Files are read whole: they are small beside the data, and detecting the separator needs every
 * row. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/value.h"
#include "hierarchy/hierarchy.h"
#include "io/bytes/file.h"
#include "io/format/delimited.h"

#include <string.h>

static const size_t MOST_BYTES = (size_t)1 << 30;

/* `;` before `,` before tab; if none is in every row, the one that occurs in most rows, so that the
 * message names the row that is wrong. */
kn_status kn__rows_find_separator(kn_text_rows *r, const char *bytes, size_t len, bool *trailing,
                                  kn_error *err)
{
    static const char choices[] = {';', ',', '\t'};
    size_t best_split = 0;
    char best = ';';

    *trailing = false;
    for (size_t i = 0; i < sizeof choices; i++) {
        size_t all = 0, split = 0, open = 0;
        kn_status status;

        kn__text_rows_start(r, bytes, len, choices[i]);
        while ((status = kn__text_rows_next(r, NULL)) == KN_OK && r->count > 0) {
            all++;
            split += r->count > 1;
            open += r->count > 1 && r->label[r->count - 1].len == 0;
        }
        if (status == KN_ENOMEM) {
            return kn__nomem(err);
        }
        if (split > best_split) {
            best_split = split;
            best = choices[i];
        }
        if (status == KN_OK && split == all) {
            best = choices[i];
            *trailing = open == all;
            break;
        }
    }
    kn__text_rows_start(r, bytes, len, best);
    return KN_OK;
}

static kn_status parse_rows(kn_hierarchy **out, const char *name, const char *bytes, size_t len,
                            kn_error *err)
{
    kn_text_rows r = {.name = name};
    kn_hierarchy_builder m = {.name = name};
    bool trailing;
    kn_status status;

    KN_TRY(kn__rows_find_separator(&r, bytes, len, &trailing, err));
    KN_TRY(kn__text_rows_next(&r, err));
    while (r.count) {
        KN_TRY(kn__hierarchy_builder_row(&m, r.label, r.count - trailing, r.line, err));
        KN_TRY(kn__text_rows_next(&r, err));
    }
    KN_TRY(kn__hierarchy_builder_finish(&m, out, err));
done:
    kn__hierarchy_builder_clear(&m);
    kn__text_rows_clear(&r);
    return status;
}

static size_t line_of(const char *bytes, size_t offset)
{
    size_t line = 1;

    for (size_t i = 0; i < offset; i++) {
        line += bytes[i] == '\n' || (bytes[i] == '\r' && bytes[i + 1] != '\n');
    }
    return line;
}

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')) {
        p++;
    }
    return p;
}

/* A JSON object starts with a brace and a quoted key. A row cannot: a label that holds a quote is
 * quoted itself. */
static bool looks_like_json(const char *p, const char *end)
{
    p = skip_space(p, end);
    if (p == end || *p != '{') {
        return false;
    }
    p = skip_space(p + 1, end);
    return p < end && (*p == '"' || *p == '}');
}

static bool starts_with_word(const char *p, const char *end, const char *word)
{
    const size_t len = strlen(word);

    return (size_t)(end - p) > len && memcmp(p, word, len) == 0 &&
           (p[len] == ' ' || p[len] == '\t');
}

/* Amnesia's text starts with "name ..." and "type ...", one line each. */
static bool looks_like_amnesia(const char *p, const char *end)
{
    p = skip_space(p, end);
    if (!starts_with_word(p, end, "name")) {
        return false;
    }
    while (p < end && *p != '\n' && *p != '\r') {
        if (*p++ == ';') {
            return false;
        }
    }
    return starts_with_word(skip_space(p, end), end, "type");
}

kn_status kn__hierarchy_parse(kn_hierarchy **out, const char *name, const char *bytes, size_t len,
                              kn_error *err)
{
    size_t bad;
    const char *end;

    *out = NULL;
    if (len >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        bytes += 3;
        len -= 3;
    }
    if (len && !kn__utf8_valid(bytes, len, &bad)) {
        return kn__fail(err, KN_EINPUT, "%s: %s", kn__place_make(name, line_of(bytes, bad)).text,
                        bytes[bad] == '\0' ? "a NUL byte; hierarchies are text files"
                                           : "invalid UTF-8; save the file as UTF-8");
    }
    end = len ? bytes + len : bytes;
    if (skip_space(bytes, end) == end) {
        return kn__fail(err, KN_EINPUT,
                        "%s: empty: a hierarchy has a row for each value, such as 17;10-19;*",
                        kn__place_make(name, 0).text);
    }
    if (looks_like_json(bytes, end)) {
        return kn__amnesia_parse_json(out, name, bytes, len, err);
    }
    if (looks_like_amnesia(bytes, end)) {
        return kn__amnesia_parse_text(out, name, bytes, len, err);
    }
    return parse_rows(out, name, bytes, len, err);
}

kn_status kn_hierarchy_read(kn_hierarchy **out, const char *path, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, path);

    char *bytes = NULL;
    size_t len;
    kn_status status;

    KN_TRY(kn__file_slurp(path, MOST_BYTES, &bytes, &len, err));
    KN_TRY(kn__hierarchy_parse(out, path, bytes, len, err));
done:
    kn__free(bytes);
    return status;
}

kn_status kn_hierarchy_parse(kn_hierarchy **out, const char *bytes, size_t len, const char *name,
                             kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, bytes, name);

    return kn__hierarchy_parse(out, name, bytes, len, err);
}
