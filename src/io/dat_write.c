/* dat_write.c - one basket a line. */
#include "base/error.h"
#include "io/writer.h"

static kn_status put_item(kn_writing *w, kn_cell *cell, uint32_t code, const char *text, size_t len,
                          kn_buffer *out, kn_error *err)
{
    (void)w;
    (void)code;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
            len = 0;
        }
    }
    if (len == 0) {
        return kn_fail(
            err, KN_EUSAGE,
            "column '%.80s': an item is empty or holds a space, which separates items in "
            "this format: write CSV or JSON Lines",
            cell->column->name);
    }
    kn_buffer_add(out, text, len);
    return KN_OK;
}

static kn_status prepare(kn_writing *w, kn_error *err)
{
    if (w->count != 1 || !w->cells[0].list) {
        return kn_fail(
            err, KN_EUSAGE,
            "one basket a line holds one column, of items; this table has %zu column%s%s: "
            "write CSV or JSON Lines",
            w->count, w->count == 1 ? "" : "s", w->count == 1 ? " of single values" : "");
    }
    return kn_cell_fill(w, &w->cells[0], put_item, err);
}

static void records(const kn_writing *w, size_t begin, size_t end, kn_buffer *out)
{
    const kn_cell *cell = &w->cells[0];
    const kn_column *c = cell->column;
    const bool crlf = w->layout.crlf;

    for (size_t record = begin; record < end; record++) {
        const size_t first = (size_t)c->starts[record], last = (size_t)c->starts[record + 1];
        for (size_t i = first; i < last; i++) {
            size_t len;
            const char *text = kn_cell_text(cell, kn_code_get(c->codes, c->width, i), &len);
            if (!kn_out_reserve(out, cell->most + 1)) {
                return;
            }
            if (i > first) {
                out->data[out->len++] = ' ';
            }
            kn_out_copy(out, text, len);
        }
        if (!kn_out_reserve(out, 2)) {
            return;
        }
        if (crlf) {
            out->data[out->len++] = '\r';
        }
        out->data[out->len++] = '\n';
    }
}

const kn_writer kn_writer_dat = {KN_FORMAT_DAT, prepare, records};
