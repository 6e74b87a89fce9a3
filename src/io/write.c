/* write.c - kn_write, and what the writers share. */
#include "io/writer.h"
#include "base/args.h"
#include "io/formats.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "io/reader.h"

enum { SLICE = 8192 }; /* records formatted at a time */

const char *kn__line_end(const kn_layout *layout)
{
    return layout->crlf ? "\r\n" : "\n";
}

/* `ending`: of a path, after that of its format. */
static kn_compression compression_of(const char *ending)
{
    if (*ending == '\0') {
        return KN_COMPRESSION_NONE;
    }
    return strcasecmp(ending, ".gz") == 0 ? KN_COMPRESSION_GZIP : KN_COMPRESSION_ZSTD;
}

kn_layout kn__write_layout(const kn_dataset *ds, const char *path, const kn_layout *layout)
{
    kn_layout l = layout ? *layout : ds->layout;
    const size_t stem = kn__name_stem(path);

    if (!layout) {
        kn_format named;
        l.compression = KN_COMPRESSION_AUTO;
        if (kn_format_from_path(&named, path) && named != l.format && l.format != KN_FORMAT_LONG) {
            l = (kn_layout){.format = named,
                            .bom = l.bom,
                            .crlf = l.crlf,
                            .spreadsheet_safe = l.spreadsheet_safe};
        }
    }
    if (l.format == KN_FORMAT_AUTO) {
        l.format = kn__format_of_path(path);
    }
    if (l.compression == KN_COMPRESSION_AUTO) {
        l.compression = compression_of(path + stem);
    }
    if (l.separator == 0 && l.format == KN_FORMAT_DAT) {
        l.separator = ' ';
    }
    if (l.separator == 0) {
        l.separator = stem >= 4 && strncasecmp(path + stem - 4, ".tsv", 4) == 0 ? '\t' : ',';
    }
    return l;
}

kn_status kn__cell_fill(kn_writing *w, kn_written_cell *cell,
                        kn_status (*put)(kn_writing *w, kn_written_cell *cell, uint32_t code,
                                         const char *text, size_t len, kn_buffer *out,
                                         kn_error *err),
                        kn_error *err)
{
    static const char padding[KN_COPY_SLACK] = {0};
    const uint32_t values = kn__column_values(cell->column);
    kn_buffer all = {0};
    kn_status status = KN_OK;
    size_t longest = 0;

    cell->starts = kn__malloc_array((size_t)values + 1, sizeof *cell->starts);
    cell->flags = kn__zalloc_array(values, 1);
    if (!cell->starts || !cell->flags) {
        return kn__nomem(err);
    }
    cell->starts[0] = 0;
    for (uint32_t code = 0; code < values; code++) {
        size_t len;
        const char *text = kn__column_text(cell->column, code, &len);
        KN_TRY(put(w, cell, code, text, len, &all, err));
        cell->starts[code + 1] = all.len;
        if (all.len - cell->starts[code] > longest) {
            longest = all.len - cell->starts[code];
        }
    }
    kn__buffer_add(&all, padding, sizeof padding);
    KN_TRY(kn__buffer_take(&all, &cell->bytes, err));
done:
    kn__buffer_free(&all);
    cell->most = longest + cell->prefix.len;
    return status;
}

kn_status kn__written_columns(const kn_dataset *ds, size_t **out, size_t *count, kn_error *err)
{
    size_t *columns = kn__malloc_array(ds->columns, sizeof *columns);
    kn_status status;

    *out = NULL;
    *count = 0;
    KN_TRY(columns ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        if (c->role == KN_ROLE_IDENTIFIER || c->role == KN_ROLE_DROPPED) {
            continue;
        }
        columns[(*count)++] = i;
        if (!c->dict) {
            KN_TRY(kn__fail(err, KN_EUSAGE,
                            "column '%.80s' cannot be written: its values were not kept when the "
                            "table was read",
                            c->name));
        }
    }
    if (*count == 0) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "nothing is left to write: every column is an identifier or dropped"));
    }
done:
    if (status != KN_OK) {
        kn__free(columns);
        return status;
    }
    *out = columns;
    return KN_OK;
}

static kn_status choose(kn_writing *w, kn_error *err)
{
    size_t *columns = NULL, count;
    kn_status status;

    KN_TRY(kn__written_columns(w->ds, &columns, &count, err));
    w->cells = kn__zalloc_array(count, sizeof *w->cells);
    KN_TRY(w->cells ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        const kn_column *c = &w->ds->column[columns[i]];
        w->cells[w->count++] = (kn_written_cell){.column = c, .list = kn__type_is_list(c->type)};
    }
done:
    kn__free(columns);
    return status;
}

static void clear(kn_writing *w)
{
    for (size_t i = 0; i < w->count; i++) {
        KN_FREE(w->cells[i].bytes, w->cells[i].starts, w->cells[i].flags);
        kn__buffer_free(&w->cells[i].prefix);
    }
    kn__free(w->cells);
    kn__buffer_free(&w->head);
    kn__buffer_free(&w->tail);
    KN_FREE(w->trees.bytes, w->trees.starts);
    kn__forest_free(w->own_forest);
}

/* One round of writing: as many slices as there are buffers, formatted in parallel. */
typedef struct round_of {
    const kn_writing *w;
    const kn_writer *writer;
    kn_buffer *buffers;
    size_t first; /* record */
} round_of;

static void format_slices(void *user, unsigned worker, size_t begin, size_t end)
{
    const round_of *r = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const size_t from = r->first + i * SLICE, records = r->w->ds->records;
        r->buffers[i].len = 0;
        if (from < records) {
            r->writer->records(r->w, from, records - from < SLICE ? records : from + SLICE,
                               &r->buffers[i]);
        }
    }
}

static kn_status write_records(const kn_writing *w, const kn_writer *writer, kn_sink *sink,
                               const kn_run *run, kn_error *err)
{
    const unsigned threads = kn__run_threads(run);
    const size_t slices = threads > 1 ? (size_t)threads * 4 : 1;
    round_of r = {.w = w, .writer = writer};
    kn_status status;

    r.buffers = kn__zalloc_array(slices, sizeof *r.buffers);
    KN_TRY(r.buffers ? KN_OK : kn__nomem(err));
    for (; r.first < w->ds->records; r.first += slices * SLICE) {
        KN_TRY(kn__run_step(run, "write", (double)r.first / (double)w->ds->records, err));
        kn__parallel_for(threads, slices, 1, format_slices, &r);
        for (size_t i = 0; i < slices; i++) {
            KN_TRY(r.buffers[i].failed
                       ? kn__nomem(err)
                       : kn__sink_write(sink, r.buffers[i].data, r.buffers[i].len, err));
        }
    }
done:
    for (size_t i = 0; r.buffers && i < slices; i++) {
        kn__buffer_free(&r.buffers[i]);
    }
    kn__free(r.buffers);
    return status;
}

kn_status kn__write_to_sink(const kn_dataset *ds, kn_sink *sink, const kn_layout *layout,
                            const kn_run *run, kn_error *err)
{
    kn_writing w = {.ds = ds, .layout = *layout};
    const kn_format_row *row = kn__format_row(layout->format);
    kn_status status;

    KN_TRY(kn__layout_check(layout, err));
    if (!row) {
        status = kn__fail(err, KN_EUSAGE, "no format was chosen to write");
        goto done;
    }
    if (layout->spreadsheet_safe && layout->format != KN_FORMAT_CSV &&
        layout->format != KN_FORMAT_LONG) {
        KN_TRY(
            kn__fail(err, KN_EUSAGE,
                     "%s: cells that are safe for spreadsheets can be written to CSV files only: "
                     "give the output another format, or leave out --spreadsheet-safe",
                     kn_format_name(layout->format)));
    }
    KN_TRY(choose(&w, err));
    if (w.layout.bom) {
        kn__buffer_adds(&w.head, "\xef\xbb\xbf");
    }
    KN_TRY(row->writer->prepare(&w, err));
    if (w.head.failed || w.tail.failed) {
        KN_TRY(kn__nomem(err));
    }
    KN_TRY(kn__sink_write(sink, w.head.data, w.head.len, err));
    KN_TRY(write_records(&w, row->writer, sink, run, err));
    KN_TRY(kn__sink_write(sink, w.tail.data, w.tail.len, err));
done:
    clear(&w);
    return status;
}

/* `text` NULL: nothing is printed. */
static kn_status write_files(const kn_dataset *ds, const char *path, const kn_layout *layout,
                             const char *text, const kn_run *run, kn_error *err)
{
    enum { TABLE, PRINTED, FILES };
    const kn_layout l = kn__write_layout(ds, path, layout);
    kn_sink *sinks[FILES] = {NULL};
    kn_status status;

    for (size_t i = 0; i < ds->joined_count; i++) {
        if (kn__file_same(path, ds->joined[i].path)) {
            return kn__fail(err, KN_EUSAGE,
                            "%s: the output would overwrite a joined file; give it another name",
                            path);
        }
    }
    KN_TRY(kn__refuse_foreign_name(path, err));
    KN_TRY(kn__sink_open(&sinks[TABLE], path, l.compression, err));
    KN_TRY(kn__write_to_sink(ds, sinks[TABLE], &l, run, err));
    if (text) {
        KN_TRY(kn__sink_put(&sinks[PRINTED], "-", KN_COMPRESSION_NONE, text, strlen(text), err));
    }
    KN_TRY(kn__sinks_commit(sinks, FILES, err));
done:
    for (size_t i = 0; i < FILES; i++) {
        kn__sink_abandon(sinks[i]);
    }
    return status;
}

kn_status kn_write(const kn_dataset *ds, const char *path, const kn_layout *layout,
                   const kn_run *run, kn_error *err)
{
    KN_NEED(err, ds, path);
    KN_NEED_ROWS(err, ds);
    KN_NEED_SIZED(err, layout);
    KN_NEED_SIZED(err, run);
    return write_files(ds, path, layout, NULL, run, err);
}

kn_status kn_write_and_print(const kn_dataset *ds, const char *path, const kn_layout *layout,
                             const char *text, const kn_run *run, kn_error *err)
{
    KN_NEED(err, ds, path, text);
    KN_NEED_ROWS(err, ds);
    KN_NEED_SIZED(err, layout);
    KN_NEED_SIZED(err, run);
    return write_files(ds, path, layout, text, run, err);
}
