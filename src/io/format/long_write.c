/* long_write.c - (person, item) rows out. Without a column that tells the persons apart, they are
 * numbered. */
#include "base/error.h"
#include "io/writer.h"

#include <stdio.h>

/* cells[0] is the list and cells[1], if there is one, the person. */
static kn_status put_value(kn_writing *w, kn_written_cell *cell, uint32_t code, const char *text,
                           size_t len, kn_buffer *out, kn_error *err)
{
    if (code == cell->column->missing || len == 0) {
        return kn__fail(err, KN_EUSAGE,
                        "column '%.80s' has a missing value: long form needs one in every row",
                        cell->column->name);
    }
    if (!kn__csv_put(&w->layout, text, len, out)) {
        return kn__fail(err, KN_EUSAGE,
                        "column '%.80s' holds a value that cannot be written without quotes: allow "
                        "quotes",
                        cell->column->name);
    }
    if (cell->list) {
        kn__buffer_adds(out, kn__line_end(&w->layout));
    } else {
        kn__buffer_addc(out, w->layout.separator);
    }
    return KN_OK;
}

/* Refuse two records with the same person: they would be read back as one. */
static kn_status check_key(kn_written_cell *key, size_t records, kn_error *err)
{
    for (size_t i = 0; i < records; i++) {
        uint8_t *seen = &key->flags[kn__column_code(key->column, i)];
        if (*seen) {
            return kn__fail(err, KN_EUSAGE,
                            "column '%.80s' has one value in several records, so it cannot tell "
                            "persons apart: drop the column, and persons will be numbered",
                            key->column->name);
        }
        *seen = 1;
    }
    return KN_OK;
}

static kn_status prepare(kn_writing *w, kn_error *err)
{
    const char *key_name = w->layout.key ? w->layout.key : "person";

    if (w->count == 2 && w->cells[1].list) {
        const kn_written_cell list = w->cells[1];
        w->cells[1] = w->cells[0];
        w->cells[0] = list;
    }
    if (w->count > 2 || !w->cells[0].list || (w->count == 2 && w->cells[1].list)) {
        return kn__fail(
            err, KN_EUSAGE,
            "long form holds the person and one column of items, nothing else: write CSV "
            "or JSON Lines");
    }
    for (size_t i = 0; i < w->count; i++) {
        KN_PASS(kn__cell_fill(w, &w->cells[i], put_value, err));
    }
    if (w->count == 2) {
        key_name = w->cells[1].column->name;
        KN_PASS(check_key(&w->cells[1], w->ds->records, err));
    }
    if (!w->layout.no_header) {
        const char *item_name = w->cells[0].column->name;
        if (strcmp(key_name, item_name) == 0) {
            key_name = strcmp(item_name, "person") == 0 ? "record" : "person";
        }
        if (!kn__csv_put(&w->layout, key_name, strlen(key_name), &w->head)) {
            return kn__fail(err, KN_EUSAGE, "the column names need quotes: allow quotes");
        }
        kn__buffer_addc(&w->head, w->layout.separator);
        if (!kn__csv_put(&w->layout, item_name, strlen(item_name), &w->head)) {
            return kn__fail(err, KN_EUSAGE, "the column names need quotes: allow quotes");
        }
        kn__buffer_adds(&w->head, kn__line_end(&w->layout));
    }
    return KN_OK;
}

static void records(const kn_writing *w, size_t begin, size_t end, kn_buffer *out)
{
    const kn_column *c = w->cells[0].column;

    for (size_t record = begin; record < end; record++) {
        char number[32];
        const char *key = number, *text;
        size_t key_len, len;

        if (w->count == 2) {
            key = kn__cell_text(&w->cells[1], kn__column_code(w->cells[1].column, record),
                                &key_len);
        } else {
            key_len = (size_t)snprintf(number, sizeof number, "%zu%c", record + 1,
                                       w->layout.separator);
        }
        for (size_t i = (size_t)c->starts[record]; i < c->starts[record + 1]; i++) {
            text = kn__cell_text(&w->cells[0], kn__code_get(c->codes, c->width, i), &len);
            kn__buffer_add(out, key, key_len);
            kn__buffer_add(out, text, len);
        }
        if (c->starts[record] == c->starts[record + 1]) {
            kn__buffer_add(out, key, key_len);
            kn__buffer_adds(out, kn__line_end(&w->layout));
        }
    }
}

const kn_writer kn__writer_long = {prepare, records};
