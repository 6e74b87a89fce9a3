/* io/writer.h - one writer per format, and what they share.
 *
 * The text of a value in a format is made once per dictionary entry; then records are
 * copied together from these texts, slices of them on all threads, and written in order. The
 * formats are listed in formats.h. */
#ifndef KN_IO_WRITER_H
#define KN_IO_WRITER_H

#include "base/buffer.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "io/bytes/file.h"
#include <string.h>

/** Write the columns of `ds` that are published to `sink`, which stays open: finish, read back,
 * commit. `layout` must be complete, see kn__write_layout; its compression is the sink's business.
 * A column whose values were not kept is refused. */
kn_status kn__write_to_sink(const kn_dataset *ds, kn_sink *sink, const kn_layout *layout,
                            const kn_run *run, kn_error *err);

/** The layout with which kn_write would write to `path`: format, separator and compression are set.
 * To read a sink's temporary file back, give this layout to kn_read: the temporary name tells
 * nothing. */
kn_layout kn__write_layout(const kn_dataset *ds, const char *path, const kn_layout *layout);

/** The columns of `ds` that are written, in a new array `*out` of `*count` (free with kn__free).
 *  @return KN_EUSAGE when there is none, or the values of one were not kept. */
kn_status kn__written_columns(const kn_dataset *ds, size_t **out, size_t *count, kn_error *err);

/** One column that is written. */
typedef struct kn_written_cell {
    const kn_column *column;
    bool list;
    char *bytes;    /**< the texts of all values, one after the other, padded */
    size_t *starts; /**< by code, and one more */
    uint8_t *flags; /**< by code, for the writer's own use; zeroed */
    kn_buffer prefix;
    size_t most; /**< the longest text, prefix included */
} kn_written_cell;

/** A dataset that is written. */
typedef struct kn_writing {
    const kn_dataset *ds;
    kn_layout layout;
    kn_written_cell *cells; /**< the published columns */
    size_t count;
    kn_buffer head; /**< what comes before the records */
    kn_buffer tail; /**< and after them */
    size_t row;     /**< an upper bound for the bytes of a record's single values */
    size_t joiner_len;
    bool joiner_quoted;
    const kn_forest *forest; /**< tree formats: what is written ... */
    kn_forest *own_forest;   /**< ... if it had to be made */
    struct {
        char *bytes;    /**< what each value looks like, one after the other */
        size_t *starts; /**< by code of the forest, and one more */
    } trees;
} kn_writing;

typedef struct kn_writer {
    /** Check that the format can hold the data; fill in the cells and the head. */
    kn_status (*prepare)(kn_writing *w, kn_error *err);
    /** Append the records begin..end-1. Called on many threads. */
    void (*records)(const kn_writing *w, size_t begin, size_t end, kn_buffer *out);
} kn_writer;

extern const kn_writer kn__writer_csv, kn__writer_long, kn__writer_dat, kn__writer_jsonl,
    kn__writer_trees, kn__writer_json, kn__writer_xml;

/** Make the texts of a cell: `put` appends the text in this format of value `text`, or refuses. */
kn_status kn__cell_fill(kn_writing *w, kn_written_cell *cell,
                        kn_status (*put)(kn_writing *w, kn_written_cell *cell, uint32_t code,
                                         const char *text, size_t len, kn_buffer *out,
                                         kn_error *err),
                        kn_error *err);

/** Append `text` as a CSV value, in quotes where needed; false when it would need quotes and may
 * not have them. */
bool kn__csv_put(const kn_layout *layout, const char *text, size_t len, kn_buffer *out);
const char *kn__line_end(const kn_layout *layout);

enum { KN_COPY_SLACK = 16 };

/** Make room for `need` bytes in `out`; false (and `failed`) when there is none. */
static inline bool kn__out_reserve(kn_buffer *out, size_t need)
{
    if (!out->failed && out->cap - out->len < need + KN_COPY_SLACK &&
        kn__grow(&out->data, &out->cap, out->len + need + KN_COPY_SLACK, 1, NULL) != KN_OK) {
        out->failed = true;
    }
    return !out->failed;
}

/** Append a text that is padded by KN_COPY_SLACK bytes, to a buffer that has room. Most are short.
 */
static inline void kn__out_copy(kn_buffer *out, const char *text, size_t len)
{
    if (len <= KN_COPY_SLACK) {
        memcpy(out->data + out->len, text, KN_COPY_SLACK);
    } else {
        memcpy(out->data + out->len, text, len);
    }
    out->len += len;
}

/** The text of `code` in `cell`, padded. */
static inline const char *kn__cell_text(const kn_written_cell *cell, uint32_t code, size_t *len)
{
    *len = cell->starts[code + 1] - cell->starts[code];
    return cell->bytes + cell->starts[code];
}

#endif
