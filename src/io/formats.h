/* io/formats.h - every file format of tables as one row. A new format is a file in format/ with a
 * reader and a writer, and its row in formats.c. */
#ifndef KN_IO_FORMATS_H
#define KN_IO_FORMATS_H

#include "io/reader.h"
#include "io/writer.h"

typedef struct kn_format_row {
    kn_format format;
    const char *name;       /* of --format */
    const char *endings[3]; /* of file names that ask for it */
    const kn_reader *reader;
    const kn_writer *writer;
} kn_format_row;

/** NULL for KN_FORMAT_AUTO, and for a number that is no format. */
const kn_format_row *kn__format_row(kn_format format);

#endif
