/* dat_write.c - write one basket per line. */
#include "base/error.h"
#include "io/writer.h"

/* Whether the item would be read back as another item, or as several. */
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

/* The text of an item includes the separator after it; a line end replaces the last one. */
static void records(const kn_writing *w, size_t begin, size_t end, kn_buffer *out)
{
    const kn_written_cell *cell = &w->cells[0];
    const kn_column *c = cell->column;

    for (size_t record = begin; record < end; record++) {
        const size_t first = (size_t)c->starts[record], last = (size_t)c->starts[record + 1];
        if (!kn__out_reserve(out, (last - first) * cell->most + 2)) {
            return;
        }
        for (size_t i = first; i < last; i++) {
            size_t len;
            const char *text = kn__cell_text(cell, kn__column_code(c, i), &len);
            kn__out_copy(out, text, len);
        }
        out->len -= last > first;
        kn__buffer_adds(out, kn__line_end(&w->layout));
    }
}

const kn_writer kn__writer_dat = {prepare, records};
