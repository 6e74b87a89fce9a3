/* dat_write.c - one basket a line. */
#include "base/error.h"
#include "io/writer.h"

/* Whether the item, read back, would be another one or several. */
static bool is_split(const char *text, size_t len, char separator)
{
    const bool blanks = separator == ' ';

    for (size_t i = 0; i < len; i++) {
        const bool blank = text[i] == ' ' || text[i] == '\t';
        if (text[i] == separator || text[i] == '\n' || text[i] == '\r' ||
            (blank && (blanks || i == 0 || i + 1 == len))) {
            return true;
        }
    }
    return len == 0;
}

static kn_status put_item(kn_writing *w, kn_written_cell *cell, uint32_t code, const char *text,
                          size_t len, kn_buffer *out, kn_error *err)
{
    const char separator = w->layout.separator;

    (void)code;
    if (is_split(text, len, separator)) {
        return kn__fail(err, KN_EUSAGE,
                        "column '%.80s': an item is empty or holds a %s, which separates items in "
                        "this format: write CSV or JSON Lines",
                        cell->column->name,
                        separator == ' ' ? "space"
                                         : "line end, a space around it or the separator");
    }
    kn__buffer_add(out, text, len);
    kn__buffer_addc(out, separator);
    return KN_OK;
}

static kn_status prepare(kn_writing *w, kn_error *err)
{
    if (w->count != 1 || !w->cells[0].list) {
        return kn__fail(
            err, KN_EUSAGE,
            "one basket a line holds one column, of items; this table has %zu column%s%s: "
            "write CSV or JSON Lines",
            w->count, w->count == 1 ? "" : "s", w->count == 1 ? " of single values" : "");
    }
    return kn__cell_fill(w, &w->cells[0], put_item, err);
}

/* Each item comes with the separator after it; the last one's is a line end. */
static inline void put_records(const kn_writing *w, size_t begin, size_t end, kn_buffer *out,
                               uint8_t width)
{
    const kn_written_cell *cell = &w->cells[0];
    const kn_column *c = cell->column;
    const size_t *starts = cell->starts, most = cell->most + 2; /* an item and a line end */
    const char *bytes = cell->bytes;
    const void *codes = c->codes;
    const bool crlf = w->layout.crlf;
    /* Not those of the buffer, which any byte written might be a part of. */
    char *at, *limit;

    if (!kn__out_reserve(out, most)) {
        return;
    }
    at = out->data + out->len;
    limit = out->data + (out->cap - most - KN_COPY_SLACK);
    for (size_t record = begin; record < end; record++) {
        const size_t first = (size_t)c->starts[record], last = (size_t)c->starts[record + 1];
        size_t i = first;
        do {
            if (at > limit) {
                out->len = (size_t)(at - out->data);
                if (!kn__out_reserve(out, most)) {
                    return;
                }
                at = out->data + out->len;
                limit = out->data + (out->cap - most - KN_COPY_SLACK);
            }
            if (i < last) {
                const uint32_t code = kn__code_get(codes, width, i);
                const size_t len = starts[code + 1] - starts[code];
                const char *text = bytes + starts[code];
                if (len <= KN_COPY_SLACK) {
                    memcpy(at, text, KN_COPY_SLACK);
                } else {
                    memcpy(at, text, len);
                }
                at += len;
            }
        } while (++i < last);
        at -= last > first;
        if (crlf) {
            *at++ = '\r';
        }
        *at++ = '\n';
    }
    out->len = (size_t)(at - out->data);
}

static void records(const kn_writing *w, size_t begin, size_t end, kn_buffer *out)
{
    KN_BY_WIDTH(w->cells[0].column->width, put_records, w, begin, end, out);
}

const kn_writer kn__writer_dat = {prepare, records};
