/* io/format/delimited.h - rows of small delimited files that are read whole: hierarchies, rule
 * lists. Fields may be quoted as in CSV. Tables are read by csv.h. */
#ifndef KN_IO_FORMAT_DELIMITED_H
#define KN_IO_FORMAT_DELIMITED_H

#include "base/buffer.h"

/** Zero all but the name to start. */
typedef struct kn_text_rows {
    const char *name; /* of the file, for messages */
    const char *at, *end;
    char separator;
    size_t line; /* where the row starts */
    size_t next_line;
    kn_text *label; /* the row's fields, valid until the next row */
    size_t *offset; /* its unquoted texts in `text`, which may move while they are added */
    size_t count, label_cap, offset_cap;
    kn_buffer text;
} kn_text_rows;

/** Start, or start again, at the first row of `bytes`, which are kept until the last row was read.
 */
void kn__text_rows_start(kn_text_rows *r, const char *bytes, size_t len, char separator);
/** Read one row; blank lines are skipped. At the end of the file `count` is 0. KN_EINPUT for a
 * quote that is not closed, or text behind one. */
kn_status kn__text_rows_next(kn_text_rows *r, kn_error *err);
void kn__text_rows_clear(kn_text_rows *r);

#endif
