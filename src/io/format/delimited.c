/* delimited.c - rows of delimited text in memory. */
#include "io/format/delimited.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

static kn_status add_label(kn_text_rows *r, size_t offset, kn_error *err)
{
    if (r->count == r->label_cap) {
        KN_PASS(kn__grow(&r->label, &r->label_cap, r->count + 1, sizeof *r->label, err));
    }
    if (r->count == r->offset_cap) {
        KN_PASS(kn__grow(&r->offset, &r->offset_cap, r->count + 1, sizeof *r->offset, err));
    }
    if (r->text.failed) {
        KN_PASS(kn__nomem(err));
    }
    r->offset[r->count] = offset;
    r->label[r->count++].len = r->text.len - offset;
    return KN_OK;
}

/* Read the rest of a quoted label after its first quote. */
static kn_status read_quoted(kn_text_rows *r, kn_error *err)
{
    for (;;) {
        const char *quote = memchr(r->at, '"', (size_t)(r->end - r->at));

        if (!quote) {
            return kn__fail(err, KN_EINPUT,
                            "%s: a quote is opened and not closed before the end of the file",
                            kn__place_make(r->name, r->line).text);
        }
        for (const char *p = r->at; p < quote; p++) {
            r->next_line += *p == '\n';
        }
        kn__buffer_add(&r->text, r->at, (size_t)(quote - r->at));
        r->at = quote + 1;
        if (r->at == r->end || *r->at != '"') {
            break;
        }
        kn__buffer_addc(&r->text, '"');
        r->at++;
    }
    if (r->at < r->end && *r->at != r->separator && *r->at != '\n' && *r->at != '\r') {
        return kn__fail(err, KN_EINPUT,
                        "%s: text after a closing quote; double the quotes inside a quoted label",
                        kn__place_make(r->name, r->line).text);
    }
    return KN_OK;
}

void kn__text_rows_start(kn_text_rows *r, const char *bytes, size_t len, char separator)
{
    r->at = bytes;
    r->end = bytes + len;
    r->separator = separator;
    r->next_line = 1;
}

kn_status kn__text_rows_next(kn_text_rows *r, kn_error *err)
{
    r->count = 0;
    r->text.len = 0;
    while (r->at < r->end && (*r->at == '\n' || *r->at == '\r')) {
        r->next_line += *r->at == '\n' || r->at + 1 == r->end || r->at[1] != '\n';
        r->at++;
    }
    r->line = r->next_line;
    if (r->at == r->end) {
        return KN_OK;
    }
    for (;;) {
        const size_t offset = r->text.len;

        if (r->at < r->end && *r->at == '"') {
            r->at++;
            KN_PASS(read_quoted(r, err));
        } else {
            const char *start = r->at, *at = start, *end = r->end;
            const char separator = r->separator;
            while (at < end && *at != separator && *at != '\n' && *at != '\r') {
                at++;
            }
            kn__buffer_add(&r->text, start, (size_t)(at - start));
            r->at = at;
        }
        KN_PASS(add_label(r, offset, err));
        if (r->at == r->end || *r->at != r->separator) {
            break;
        }
        r->at++;
    }
    for (size_t i = 0; i < r->count; i++) {
        r->label[i].at = r->text.data + r->offset[i];
    }
    return KN_OK;
}

void kn__text_rows_clear(kn_text_rows *r)
{
    KN_FREE(r->label, r->offset);
    kn__buffer_free(&r->text);
}
