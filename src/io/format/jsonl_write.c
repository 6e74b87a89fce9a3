/* jsonl_write.c - JSON Lines out: numbers as they were written, missing values as null, lists as
 * arrays. */
#include "base/error.h"
#include "io/format/json_text.h"
#include "io/writer.h"

static void put_end(const kn_writing *w, const kn_cell *cell, kn_buffer *out)
{
    if (cell + 1 < w->cells + w->count) {
        kn_buffer_addc(out, ',');
    } else {
        kn_buffer_addc(out, '}');
        kn_buffer_adds(out, kn_line_end(&w->layout));
    }
}

static kn_status put_value(kn_writing *w, kn_cell *cell, uint32_t code, const char *text,
                           size_t len, kn_buffer *out, kn_error *err)
{
    const kn_type type = cell->column->type;
    const bool number = kn_type_is_number(type) || type == KN_TYPE_NUMBERS;

    (void)err;
    if (code == cell->column->missing) {
        kn_buffer_adds(out, "null");
    } else if (number && kn_json_is_number(text, len)) {
        kn_buffer_add(out, text, len);
    } else {
        kn_json_quote(out, text, len);
    }
    if (!cell->list) {
        put_end(w, cell, out);
    }
    return KN_OK;
}

static kn_status prepare(kn_writing *w, kn_error *err)
{
    kn_status status = KN_OK;

    for (size_t i = 0; status == KN_OK && i < w->count; i++) {
        kn_cell *cell = &w->cells[i];
        static const char padding[KN_COPY_SLACK] = {0};

        if (i == 0) {
            kn_buffer_addc(&cell->prefix, '{');
        }
        kn_json_quote(&cell->prefix, cell->column->name, strlen(cell->column->name));
        kn_buffer_adds(&cell->prefix, cell->list ? ":[" : ":");
        kn_buffer_add(&cell->prefix, padding, sizeof padding);
        if (cell->prefix.failed) {
            return kn_nomem(err);
        }
        cell->prefix.len -= sizeof padding;
        status = kn_cell_fill(w, cell, put_value, err);
        w->row += cell->list ? cell->prefix.len : cell->most;
    }
    return status;
}

static void list_cell(const kn_writing *w, const kn_cell *cell, size_t record, kn_buffer *out)
{
    const kn_column *c = cell->column;

    for (size_t i = (size_t)c->starts[record]; i < c->starts[record + 1]; i++) {
        size_t len;
        const char *text = kn_cell_text(cell, kn_code_get(c->codes, c->width, i), &len);
        if (i > c->starts[record]) {
            kn_buffer_addc(out, ',');
        }
        kn_buffer_add(out, text, len);
    }
    kn_buffer_addc(out, ']');
    put_end(w, cell, out);
}

static void records(const kn_writing *w, size_t begin, size_t end, kn_buffer *out)
{
    for (size_t record = begin; record < end; record++) {
        if (!kn_out_reserve(out, w->row)) {
            return;
        }
        for (size_t i = 0; i < w->count; i++) {
            const kn_cell *cell = &w->cells[i];
            kn_out_copy(out, cell->prefix.data, cell->prefix.len);
            if (cell->list) {
                list_cell(w, cell, record, out);
                if (!kn_out_reserve(out, w->row)) {
                    return;
                }
            } else {
                size_t len;
                const char *text = kn_cell_text(cell, kn_column_code(cell->column, record), &len);
                kn_out_copy(out, text, len);
            }
        }
    }
}

const kn_writer kn_writer_jsonl = {KN_FORMAT_JSONL, prepare, records};
