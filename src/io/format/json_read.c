/* json_read.c - tree records as JSON: one array of objects, or objects one after the other (JSON
 * Lines). A record is found by its brackets first, then parsed into a document (document.h), so
 * that one record at a time is in memory. Numbers keep the digits that were written. */
#include "base/error.h"
#include "io/format/document.h"
#include "io/format/json_document.h"
#include "io/format/json_text.h"
#include "io/format/trees.h"

#include <string.h>

typedef struct json_file {
    kn_reading *r;
    kn_forest_builder *b;
    kn_tree_shape *shape;
    kn_document doc;
    kn_buffer scratch;
    size_t line;      /* of the first byte that is not parsed ... */
    size_t before;    /* ... and characters of that line that were, and are gone */
    bool begun;       /* the first record or bracket was seen */
    bool in_array;    /* the records are elements of an array ... */
    bool ended;       /* ... which is closed */
    bool after_value; /* a comma or the end follows */
} json_file;

/* A record that is parsed. */
typedef struct json_record {
    json_file *f;
    kn_json j;
    size_t line, counted; /* the line of text[counted] */
    unsigned depth;
} json_record;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Where the object or list that begins at text[at] ends; 0: not before `len`. Strings are skipped;
 * what is between is checked when it is parsed. */
static size_t find_end(const char *text, size_t at, size_t len)
{
    size_t depth = 0;

    for (; at < len; at++) {
        switch (text[at]) {
        case '{':
        case '[': depth++; break;
        case '}':
        case ']':
            if (--depth == 0) {
                return at + 1;
            }
            break;
        case '"':
            for (at++; at < len && text[at] != '"'; at++) {
                at += text[at] == '\\';
            }
            break;
        default: break;
        }
    }
    return 0;
}

/* Characters of the line of text[at] that stand before it. */
static size_t characters_before(const json_file *f, const char *text, size_t at)
{
    size_t count = 0;

    while (at && text[at - 1] != '\n') {
        count += ((unsigned char)text[--at] & 0xc0) != 0x80;
    }
    return at ? count : count + f->before;
}

static kn_status fail_at(const json_file *f, const char *text, size_t line, size_t at,
                         const char *what, kn_error *err)
{
    return kn__fail(err, KN_EINPUT, "line %zu, character %zu: %s", line,
                    characters_before(f, text, at) + 1, what);
}

/* A byte that no text may hold, in a record that begins at `begin`. */
static kn_status fail_text(const json_file *f, const char *text, size_t begin, size_t bad,
                           kn_error *err)
{
    size_t line = f->line;

    for (size_t i = begin; i < bad; i++) {
        line += text[i] == '\n';
    }
    return fail_at(f, text, line, bad,
                   text[bad] ? "this is not UTF-8: convert the file with iconv"
                             : "a NUL byte: this is no text file, or it is damaged",
                   err);
}

static size_t line_of(json_record *r, size_t at)
{
    for (; r->counted < at; r->counted++) {
        r->line += r->j.text[r->counted] == '\n';
    }
    return r->line;
}

static kn_status fail_here(json_record *r, const char *what, kn_error *err)
{
    return fail_at(r->f, r->j.text, line_of(r, r->j.at), r->j.at, what, err);
}

static char peek(json_record *r)
{
    while (r->j.at < r->j.end && is_blank(r->j.text[r->j.at])) {
        r->j.at++;
    }
    return r->j.at < r->j.end ? r->j.text[r->j.at] : '\0';
}

/* A string, number or word; `*len` bytes at `*text`, borrowed until the next call. */
static kn_status read_scalar(json_record *r, kn_json_span *span, const char **text, size_t *len,
                             kn_error *err)
{
    if (!kn__json_scalar(&r->j, span)) {
        return fail_here(r, r->j.wrong, err);
    }
    *text = kn__json_value(r->j.text, span, &r->f->scratch, len);
    return *text ? KN_OK : kn__nomem(err);
}

static kn_status read_object(json_record *r, uint32_t object, kn_error *err);

/* A value called `name` (a place in the document's text) as a member of `object`. */
static kn_status read_value(json_record *r, uint32_t object, const kn_buffer *name, bool in_list,
                            kn_error *err)
{
    kn_document *d = &r->f->doc;
    const char c = peek(r);
    const size_t line = line_of(r, r->j.at);
    kn_json_span span;
    const char *text;
    size_t len;
    uint32_t item;

    if (c == '{') {
        KN_PASS(kn__document_add(d, object, name->data, name->len, true, line, &item, err));
        return read_object(r, item, err);
    }
    if (c == '[') {
        if (in_list) {
            return fail_here(r, "a list inside a list: a tree has no place for it", err);
        }
        r->j.at++;
        if (peek(r) == ']') {
            r->j.at++;
            return KN_OK;
        }
        for (;;) {
            KN_PASS(read_value(r, object, name, true, err));
            if (peek(r) == ']') {
                r->j.at++;
                return KN_OK;
            }
            if (peek(r) != ',') {
                return fail_here(r, "',' or ']' is expected in the list", err);
            }
            r->j.at++;
        }
    }
    KN_PASS(read_scalar(r, &span, &text, &len, err));
    if (span.kind != KN_JSON_NULL) {
        KN_PASS(kn__document_add(d, object, name->data, name->len, false, line, &item, err));
        kn__document_value(d, item, text, len);
    }
    return KN_OK;
}

static kn_status read_pair(json_record *r, uint32_t object, kn_buffer *name, kn_error *err)
{
    kn_json_span span;
    const char *text;
    size_t len;

    if (peek(r) != '"') {
        return fail_here(r, "a name in quotes is expected", err);
    }
    KN_PASS(read_scalar(r, &span, &text, &len, err));
    name->len = 0;
    kn__buffer_add(name, text, len);
    KN_PASS(name->failed ? kn__nomem(err) : KN_OK);
    if (peek(r) != ':') {
        return fail_here(r, "':' is expected after a name", err);
    }
    r->j.at++;
    return read_value(r, object, name, false, err);
}

/* The object that begins at r->j.at, into item `object`. */
static kn_status read_object(json_record *r, uint32_t object, kn_error *err)
{
    kn_buffer name = {0};
    kn_status status = KN_OK;

    if (++r->depth > KN_DOCUMENT_DEPTH) {
        return kn__fail(err, KN_EINPUT, "line %zu: objects are nested deeper than %d",
                        line_of(r, r->j.at), KN_DOCUMENT_DEPTH);
    }
    r->j.at++;
    if (peek(r) != '}') {
        for (;;) {
            KN_TRY(read_pair(r, object, &name, err));
            if (peek(r) == '}') {
                break;
            }
            KN_TRY(peek(r) == ',' ? KN_OK : fail_here(r, "',' or '}' is expected", err));
            r->j.at++;
        }
    }
    r->j.at++;
    r->depth--;
done:
    kn__buffer_free(&name);
    return status;
}

static kn_status read_record(json_file *f, const char *text, size_t begin, size_t end,
                             kn_error *err)
{
    json_record r = {
        .f = f, .j = {.text = text, .at = begin, .end = end}, .line = f->line, .counted = begin};
    uint32_t item;

    kn__document_clear(&f->doc);
    KN_PASS(kn__document_add(&f->doc, KN_NO_ITEM, "record", 6, true, f->line, &item, err));
    KN_PASS(read_object(&r, item, err));
    if (r.j.at != end) {
        KN_PASS(fail_here(&r, "the brackets do not fit together", err));
    }
    KN_PASS(f->doc.text.failed ? kn__nomem(err) : KN_OK);
    return kn__document_to_tree(&f->doc, f->shape, f->r->options->released, f->b, err);
}

/* What stands between records, one character. */
static kn_status between(json_file *f, const char *text, size_t at, kn_error *err)
{
    const char c = text[at];

    if (f->ended) {
        return fail_at(f, text, f->line, at, "the list of records has ended: nothing may follow",
                       err);
    }
    if (c == '[' && !f->begun) {
        f->in_array = true;
    } else if (c == ',' && f->in_array && f->after_value) {
        f->after_value = false;
    } else if (c == ']' && f->in_array && (f->after_value || !kn__forest_builder_records(f->b))) {
        f->ended = true;
    } else {
        return fail_at(f, text, f->line, at,
                       "a record is expected: an object {...}; a file is one list of objects, or "
                       "one object per line",
                       err);
    }
    f->begun = true;
    return KN_OK;
}

static bool enough(void *user, const char *text, size_t len)
{
    const char *first = memchr(text, '{', len);

    (void)user;
    return !first || find_end(text, (size_t)(first - text), len);
}

static kn_status parse(void *user, const char *text, size_t len, bool last, size_t *used,
                       size_t *lines, kn_error *err)
{
    json_file *f = user;
    const size_t first = f->line;

    while (*used < len) {
        size_t end, bad;
        if (text[*used] == '\n' || is_blank(text[*used])) {
            f->line += text[(*used)++] == '\n';
            continue;
        }
        if (text[*used] != '{' || f->ended || (f->in_array && f->after_value)) {
            KN_PASS(between(f, text, *used, err));
            (*used)++;
            continue;
        }
        end = find_end(text, *used, len);
        if (!end && !last) {
            break;
        }
        KN_PASS(end ? KN_OK
                    : fail_at(f, text, f->line, *used, "the file ends within this record", err));
        bad = *used + kn__text_check(text + *used, end - *used);
        KN_PASS(bad == end ? KN_OK : fail_text(f, text, *used, bad, err));
        KN_PASS(read_record(f, text, *used, end, err));
        f->begun = f->after_value = true;
        for (; *used < end; (*used)++) {
            f->line += text[*used] == '\n';
        }
    }
    if (last && f->in_array && !f->ended) {
        KN_PASS(kn__fail(err, KN_EINPUT, "line %zu: the list of records is not closed", f->line));
    }
    *lines = f->line - first;
    f->before = characters_before(f, text, *used);
    return KN_OK;
}

kn_status kn__json_document(kn_document *d, const char *text, size_t len, kn_error *err)
{
    json_file f = {.line = 1};
    json_record r = {.f = &f, .j = {.text = text, .end = len}, .line = 1};
    uint32_t item;
    kn_status status;

    KN_TRY(kn__tree_check_text(text, len, 1, err));
    KN_TRY(kn__document_add(&f.doc, KN_NO_ITEM, "", 0, true, 1, &item, err));
    KN_TRY(peek(&r) == '{' ? KN_OK : fail_here(&r, "an object {...} is expected", err));
    KN_TRY(read_object(&r, item, err));
    if (peek(&r)) {
        KN_TRY(fail_here(&r, "text follows the object", err));
    }
    KN_TRY(f.doc.text.failed ? kn__nomem(err) : KN_OK);
done:
    *d = f.doc;
    kn__buffer_free(&f.scratch);
    return status;
}

static kn_status read_json(kn_reading *r, kn_dataset **out, kn_error *err)
{
    json_file f = {.r = r, .line = 1};
    const kn_tree_feed feed = {.enough = enough, .parse = parse, .user = &f};
    kn_status status;

    KN_TRY(kn__tree_builder(r, &f.b, err));
    KN_TRY(kn__tree_shape_of(r, f.b, &f.shape, err));
    KN_TRY(kn__tree_feed_run(r, &feed, err));
    status = kn__tree_finish(r, f.b, f.shape != NULL, out, err);
    f.b = NULL;
done:
    kn__forest_builder_free(f.b);
    kn__tree_shape_free(f.shape);
    kn__document_free(&f.doc);
    kn__buffer_free(&f.scratch);
    return status;
}

const kn_reader kn__reader_json = {read_json};
