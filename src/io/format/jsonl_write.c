/* jsonl_write.c - JSON Lines out: numbers as they were written, missing values as null, lists as
 * arrays. */
#include "base/error.h"
#include "io/format/json_text.h"
#include "io/format/trees.h"
#include "io/writer.h"

static void put_end(const kn_writing *w, const kn_written_cell *cell, kn_buffer *out)
{
    if (cell + 1 < w->cells + w->count) {
        kn__buffer_addc(out, ',');
    } else {
        kn__buffer_addc(out, '}');
        kn__buffer_adds(out, kn__line_end(&w->layout));
    }
}

static kn_status put_value(kn_writing *w, kn_written_cell *cell, uint32_t code, const char *text,
                           size_t len, kn_buffer *out, kn_error *err)
{
    const kn_type type = cell->column->type;
    const bool number = kn__type_is_number(type) || type == KN_TYPE_NUMBERS;

    (void)err;
    if (code == cell->column->missing) {
        kn__buffer_adds(out, "null");
    } else if (number && kn__json_is_number(text, len)) {
        kn__buffer_add(out, text, len);
    } else {
        kn__json_quote(out, text, len);
    }
    if (!cell->list) {
        put_end(w, cell, out);
    }
    return KN_OK;
}

static kn_status prepare(kn_writing *w, kn_error *err)
{
    if (w->ds->forest) {
        return kn__json_prepare_trees(w, err);
    }
    for (size_t i = 0; i < w->count; i++) {
        kn_written_cell *cell = &w->cells[i];
        static const char padding[KN_COPY_SLACK] = {0};

        if (i == 0) {
            kn__buffer_addc(&cell->prefix, '{');
        }
        kn__json_quote(&cell->prefix, cell->column->name, strlen(cell->column->name));
        kn__buffer_adds(&cell->prefix, cell->list ? ":[" : ":");
        kn__buffer_add(&cell->prefix, padding, sizeof padding);
        if (cell->prefix.failed) {
            return kn__nomem(err);
        }
        cell->prefix.len -= sizeof padding;
        KN_PASS(kn__cell_fill(w, cell, put_value, err));
        w->row += cell->list ? cell->prefix.len : cell->most;
    }
    return KN_OK;
}

static void list_cell(const kn_writing *w, const kn_written_cell *cell, size_t record,
                      kn_buffer *out)
{
    const kn_column *c = cell->column;

    for (size_t i = (size_t)c->starts[record]; i < c->starts[record + 1]; i++) {
        size_t len;
        const char *text = kn__cell_text(cell, kn__code_get(c->codes, c->width, i), &len);
        if (i > c->starts[record]) {
            kn__buffer_addc(out, ',');
        }
        kn__buffer_add(out, text, len);
    }
    kn__buffer_addc(out, ']');
    put_end(w, cell, out);
}

static void records(const kn_writing *w, size_t begin, size_t end, kn_buffer *out)
{
    if (w->ds->forest) {
        kn__json_put_trees(w, begin, end, out);
        return;
    }
    for (size_t record = begin; record < end; record++) {
        if (!kn__out_reserve(out, w->row)) {
            return;
        }
        for (size_t i = 0; i < w->count; i++) {
            const kn_written_cell *cell = &w->cells[i];
            kn__out_copy(out, cell->prefix.data, cell->prefix.len);
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

const kn_writer kn__writer_jsonl = {prepare, records};
