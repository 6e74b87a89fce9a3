/* csv_write.c - write CSV. The text of a value, with quotes and the separator or line end after it,
 * is made once per dictionary entry. */
#include "base/error.h"
#include "io/format/formula.h"
#include "io/writer.h"

enum { QUOTED = 1, FORMULA = 2 };

static bool is_blank(char x)
{
    return x == ' ' || x == '\t';
}

/* Whether `text` must be quoted to be read back as it is. */
static bool needs_quotes(const kn_layout *l, const char *text, size_t len)
{
    if (len && (is_blank(text[0]) || is_blank(text[len - 1])) && (!l->no_quotes || l->trim)) {
        return true;
    }
    for (size_t i = 0; i < len; i++) {
        if (text[i] == l->separator || text[i] == '\n' || text[i] == '\r' ||
            (text[i] == '"' && !l->no_quotes)) {
            return true;
        }
    }
    return false;
}

static void put_doubled(kn_buffer *out, const char *text, size_t len)
{
    size_t begin = 0;

    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"') {
            kn__buffer_add(out, text + begin, i + 1 - begin);
            begin = i;
        }
    }
    kn__buffer_add(out, text + begin, len - begin);
}

bool kn__csv_put(const kn_layout *layout, const char *text, size_t len, kn_buffer *out)
{
    const bool quotes = needs_quotes(layout, text, len);

    if (quotes && layout->no_quotes) {
        return false;
    }
    if (quotes) {
        kn__buffer_addc(out, '"');
    }
    if (layout->spreadsheet_safe && kn__is_formula(text, len)) {
        kn__buffer_addc(out, '\'');
    }
    if (!quotes) {
        kn__buffer_add(out, text, len);
        return true;
    }
    put_doubled(out, text, len);
    kn__buffer_addc(out, '"');
    return true;
}

static kn_status no_quotes_allowed(const char *column, kn_error *err)
{
    return kn__fail(err, KN_EUSAGE,
                    "column '%.80s' holds a value with the separator, a line end or spaces around "
                    "it, which cannot be written without quotes: allow quotes",
                    column);
}

static void put_end(const kn_writing *w, const kn_written_cell *cell, kn_buffer *out)
{
    if (cell + 1 < w->cells + w->count) {
        kn__buffer_addc(out, w->layout.separator);
    } else {
        kn__buffer_adds(out, kn__line_end(&w->layout));
    }
}

static kn_status put_value(kn_writing *w, kn_written_cell *cell, uint32_t code, const char *text,
                           size_t len, kn_buffer *out, kn_error *err)
{
    (void)code;
    if (len == 0 && w->count == 1 && !w->layout.no_quotes) {
        kn__buffer_adds(out, "\"\"");
    } else if (!kn__csv_put(&w->layout, text, len, out)) {
        return no_quotes_allowed(cell->column->name, err);
    }
    put_end(w, cell, out);
    return KN_OK;
}

/* Items are stored with their quotes doubled; the cell that holds a flagged one is quoted as a
 * whole. */
static kn_status put_item(kn_writing *w, kn_written_cell *cell, uint32_t code, const char *text,
                          size_t len, kn_buffer *out, kn_error *err)
{
    const char *joiner = w->ds->item_separator;

    if (len == 0 || memmem(text, len, joiner, w->joiner_len)) {
        return kn__fail(
            err, KN_EUSAGE,
            "column '%.80s': an item %s '%s', which separates items: choose another item "
            "separator",
            cell->column->name, len ? "holds" : "is empty beside", joiner);
    }
    if (needs_quotes(&w->layout, text, len)) {
        if (w->layout.no_quotes) {
            return no_quotes_allowed(cell->column->name, err);
        }
        cell->flags[code] = QUOTED;
    }
    if (w->layout.spreadsheet_safe && kn__is_formula(text, len)) {
        cell->flags[code] |= FORMULA;
    }
    if (w->layout.no_quotes) {
        kn__buffer_add(out, text, len);
    } else {
        put_doubled(out, text, len);
    }
    return KN_OK;
}

static kn_status prepare(kn_writing *w, kn_error *err)
{
    const char *joiner = w->ds->item_separator ? w->ds->item_separator : "";

    w->joiner_len = strlen(joiner);
    w->joiner_quoted = needs_quotes(&w->layout, joiner, w->joiner_len);
    for (size_t i = 0; i < w->count; i++) {
        kn_written_cell *cell = &w->cells[i];
        const char *name = cell->column->name;

        if (cell->list && w->joiner_len == 0) {
            return kn__fail(err, KN_EUSAGE, "column '%.80s' needs an item separator", name);
        }
        if (cell->list && w->joiner_quoted && (w->layout.no_quotes || strchr(joiner, '"'))) {
            return kn__fail(
                err, KN_EUSAGE,
                "the item separator '%s' cannot be written with these column separators "
                "and quotes: choose another",
                joiner);
        }
        if (!w->layout.no_header) {
            if (!kn__csv_put(&w->layout, name, strlen(name), &w->head)) {
                return no_quotes_allowed(name, err);
            }
            put_end(w, cell, &w->head);
        }
        KN_PASS(kn__cell_fill(w, cell, cell->list ? put_item : put_value, err));
        w->row += cell->list ? 0 : cell->most;
    }
    return KN_OK;
}

static void list_cell(const kn_writing *w, const kn_written_cell *cell, size_t record,
                      kn_buffer *out)
{
    const kn_column *c = cell->column;
    const size_t begin = (size_t)c->starts[record], end = (size_t)c->starts[record + 1];
    bool quoted = (w->joiner_quoted && end > begin + 1) ||
                  (end == begin && w->count == 1 && !w->layout.no_quotes);

    for (size_t i = begin; i < end && !quoted; i++) {
        quoted = cell->flags[kn__code_get(c->codes, c->width, i)] & QUOTED;
    }
    if (quoted) {
        kn__buffer_addc(out, '"');
    }
    if (begin < end && cell->flags[kn__code_get(c->codes, c->width, begin)] & FORMULA) {
        kn__buffer_addc(out, '\'');
    }
    for (size_t i = begin; i < end; i++) {
        size_t len;
        const char *text = kn__cell_text(cell, kn__code_get(c->codes, c->width, i), &len);
        if (i > begin) {
            kn__buffer_add(out, w->ds->item_separator, w->joiner_len);
        }
        kn__buffer_add(out, text, len);
    }
    if (quoted) {
        kn__buffer_addc(out, '"');
    }
    put_end(w, cell, out);
}

static void records(const kn_writing *w, size_t begin, size_t end, kn_buffer *out)
{
    for (size_t record = begin; record < end; record++) {
        if (!kn__out_reserve(out, w->row)) {
            return;
        }
        for (size_t i = 0; i < w->count; i++) {
            const kn_written_cell *cell = &w->cells[i];
            if (cell->list) {
                list_cell(w, cell, record, out);
                if (!kn__out_reserve(out, w->row)) {
                    return;
                }
            } else {
                size_t len;
                const char *text = kn__cell_text(cell, kn__column_code(cell->column, record), &len);
                kn__out_copy(out, text, len);
            }
        }
    }
}

const kn_writer kn__writer_csv = {prepare, records};
