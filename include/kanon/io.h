/* kanon/io.h - reading and writing datasets.
 *
 * Formats: CSV/TSV and any separator, one basket per line (.dat), long form (person, item), JSON
 * Lines of flat records; tree records as .trees, JSON and XML; all of them plain, gzip or zstd; "-"
 * is standard input or output. */
#ifndef KANON_IO_H
#define KANON_IO_H

#include "kanon/dataset.h"
#include "kanon/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kn_format {
    KN_FORMAT_AUTO = 0, /**< by the file's name: .csv .tsv .dat .jsonl/.ndjson .trees .json .xml,
                           before .gz/.zst; else CSV */
    KN_FORMAT_CSV,
    KN_FORMAT_DAT,  /**< one basket per line; its one column is called "items" */
    KN_FORMAT_LONG, /**< CSV of (person, item): rows of one person become one record */
    KN_FORMAT_JSONL,
    KN_FORMAT_TREES, /**< one tree record per line: Hospital_1(Flu(Antibiotics) Gastritis) */
    KN_FORMAT_JSON,  /**< tree records: an array of nested objects, or one object per line */
    KN_FORMAT_XML    /**< tree records: one element per record */
} kn_format;

typedef enum kn_compression {
    KN_COMPRESSION_AUTO = 0, /**< reading: by the first bytes; writing: by the name */
    KN_COMPRESSION_NONE,
    KN_COMPRESSION_GZIP,
    KN_COMPRESSION_ZSTD
} kn_compression;

typedef enum kn_encoding {
    KN_ENCODING_AUTO = 0, /**< UTF-8; UTF-16 with a byte order mark; Latin-1 where the first bytes
                             are not UTF-8 and look so, with a note in the dataset */
    KN_ENCODING_UTF8,
    KN_ENCODING_LATIN1, /**< ISO 8859-1 and what Windows-1252 adds to it */
    KN_ENCODING_UTF16   /**< the byte order mark tells the order; little-endian without one */
} kn_encoding;

/** How a file is laid out. Zero fields take the default, or what is detected. */
typedef struct kn_layout {
    size_t size; /**< KN_INIT sets it */
    kn_format format;
    kn_compression compression;
    /** CSV and long, one ASCII character. 0: comma (tab for .tsv); reading, the one of `,` `;` tab
     * `|` that the header holds most of. Baskets: what separates items; 0 or a space: spaces and
     * tabs. */
    char separator;
    bool no_header; /**< CSV: the first line is data; columns are called column1, column2, ... */
    bool no_quotes; /**< CSV: a quote is a character like any other */
    bool trim;      /**< CSV: strip spaces and tabs around unquoted values */
    bool crlf;      /**< writing: end lines with CR LF. Reading sets it to what was found. */
    bool bom;       /**< likewise: a byte order mark comes first */
    /** CSV and long: a cell that a spreadsheet would take for a formula begins with an apostrophe,
     * which is written and removed again when it is read. */
    bool spreadsheet_safe;
    kn_encoding
        encoding;    /**< reading CSV, long form, baskets and JSON Lines; always written: UTF-8 */
    const char *key; /**< long: the person column; NULL: the first. Writing keeps it first. */
} kn_layout;

#define KN_CLASS_UNKNOWN SIZE_MAX       /**< no class has this value */
#define KN_CLASS_SEVERAL (SIZE_MAX - 1) /**< several classes have it */

typedef struct kn_read_options {
    size_t size;             /**< KN_INIT sets it */
    const kn_layout *layout; /**< NULL: as detected */
    const kn_schema *schema; /**< may be NULL */
    bool hash;               /**< compute the SHA-256 of the file as stored */
    /** Read identifier and dropped columns too (for profiles). Otherwise their values are not kept
     * at all, only whether the records come sorted by them. */
    bool keep_dropped;
    /** A published file: where none of the schema's keys to group by or join on is there any more,
     * its records and item columns were put together before, and are read as they are. */
    bool released;
    /** The schema may name columns that the file lacks. Otherwise such a name is refused: where it
     * is misspelt, the column that was meant would have no role. */
    bool partial;
    /** .trees: which of the schema's classes a value belongs to whose class the file does not say:
     * its number, KN_CLASS_UNKNOWN or KN_CLASS_SEVERAL. NULL: nothing is known.
     * kn_class_index_find (kanon/hierarchy.h) asks hierarchies. */
    size_t (*class_of)(void *user, const char *text, size_t len);
    void *class_of_user;
} kn_read_options;

/** Read `path` into `*out`. Memory: the coded columns and dictionaries, and a few blocks of text.
 *  O(bytes), on all threads. `options` and `run` may be NULL.
 *  @return KN_EINPUT for a bad file, or for a schema that names a column that is not there. */
kn_status kn_read(kn_dataset **out, const char *path, const kn_read_options *options,
                  const kn_run *run, kn_error *err);

/** The layout with which `ds` was read: give it to kn_write to keep the format. Borrowed. */
const kn_layout *kn_dataset_layout(const kn_dataset *ds);

/** The SHA-256 of the file as 64 hexadecimal digits, "" if not asked for. */
const char *kn_dataset_sha256(const kn_dataset *ds);

/** Write `ds` to `path`: to a temporary file beside it, flushed, then renamed into place.
 * Identifier and dropped columns are not written; columns without a role are, as nothing is claimed
 * of the file: kn_publish is what publishes. `layout` NULL: the one that `ds` was read with,
 * but the name of `path` decides the compression, and the format where it names one. */
kn_status kn_write(const kn_dataset *ds, const char *path, const kn_layout *layout,
                   const kn_run *run, kn_error *err);

/** The same, and `text` to standard output: both appear, or neither does and an older file stays.
 */
kn_status kn_write_and_print(const kn_dataset *ds, const char *path, const kn_layout *layout,
                             const char *text, const kn_run *run, kn_error *err);

bool kn_format_from_name(kn_format *out, const char *name);
/** The format that the name of a file asks for by its ending, before .gz or .zst; false: none. */
bool kn_format_from_path(kn_format *out, const char *path);
const char *kn_format_name(kn_format format);

#ifdef __cplusplus
}
#endif
#endif
