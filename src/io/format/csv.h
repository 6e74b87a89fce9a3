/* io/format/csv.h - what the readers of delimited text share. */
#ifndef KN_IO_FORMAT_CSV_H
#define KN_IO_FORMAT_CSV_H

#include "io/reader.h"

/** A delimited file: its syntax and its column names. */
typedef struct kn_csv {
    char separator;
    bool guessed; /**< the separator was guessed */
    char likely;  /**< the header is one name that holds this, another separator; else '\0' */
    bool quotes, trim, header, spreadsheet_safe;
    char **names; /**< owned */
    size_t columns, names_cap;
    size_t required; /**< a column whose values must not be empty; SIZE_MAX: none */
} kn_csv;

/** Read the header, or the first line if there is none; fill in `c` and `r->layout`. */
kn_status kn__csv_open(kn_csv *c, kn_reading *r, kn_error *err);
void kn__csv_close(kn_csv *c);

/** For kn_feed_format, with a kn_csv as `user`. */
size_t kn__csv_split(void *user, const char *text, size_t len);
bool kn__csv_wrong(void *user, const char *text, size_t len);
void kn__csv_parse(void *user, kn_block *block);

/** Parse the first record of `block` into `c->names`. Returns its length, line end included;
 * `*crlf` says how it ends. Problems, running out of memory included, are in `block->problem`. */
size_t kn__csv_parse_names(kn_csv *c, kn_block *block, bool *crlf);

#endif
