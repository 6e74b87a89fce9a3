/* io/reader.h - one reader per format, and what they share.
 *
 * A reader examines the first bytes (columns, separator, line ends), makes a kn_builder, and then
 * parses blocks of whole records. kn_feed does the rest: workers take the next
 * block under a lock, parse it without, and the first problem in the order of the file is the one
 * that is reported, on whichever worker it was found.
 *
 * The formats are listed in formats.h. */
#ifndef KN_IO_READER_H
#define KN_IO_READER_H

#include "data/builder.h"
#include "io/bytes/file.h"

/** Sizes, for tests. Zero fields take the default. */
typedef struct kn_read_sizes {
    size_t block;  /**< bytes that a worker takes at a time */
    size_t record; /**< the longest record allowed */
} kn_read_sizes;

/** kn_read with other sizes; `sizes` may be NULL. */
kn_status kn__read_sized(kn_dataset **out, const char *path, const kn_read_options *options,
                         const kn_read_sizes *sizes, const kn_run *run, kn_error *err);

/** Bytes after the end of a block that may be read, whatever they hold. */
#define KN_BLOCK_PADDING 64

/** What is wrong with a block. Lines count from 1 at the block's start; the feed makes them lines
 * of the file. */
typedef struct kn_problem {
    kn_status status; /**< KN_OK: nothing */
    size_t line;      /**< 0: of no line in particular */
    size_t since;     /**< the line on which the value begins, if that is worth telling; else 0 */
    char where[160];  /**< such as ", column 'age', character 7" */
    char text[720];
} kn_problem;

/** A run of whole records. Only the last block of a file may end without a line end. */
typedef struct kn_block {
    const char *text;
    size_t len;
    unsigned worker;
    kn_chunk *chunk;
    /* Set by the parser: */
    size_t lines; /**< line ends in the block, as far as it was parsed */
    size_t blank; /**< the block ends in blank lines from this one on; 0: it does not */
    kn_problem problem;
} kn_block;

typedef struct kn_feed kn_feed;

/** How a format cuts and parses. */
typedef struct kn_feed_format {
    /** Where the last whole record in `text` ends, 0 if there is none. */
    size_t (*split)(void *user, const char *text, size_t len);
    /** Whether `text`, which begins with a record that has no end yet, is already wrong; NULL: it
     * never is. */
    bool (*wrong)(void *user, const char *text, size_t len);
    /** Parse `block` into its chunk. Called on many threads. */
    void (*parse)(void *user, kn_block *block);
    void *user;
} kn_feed_format;

kn_status kn__feed_open(kn_feed **out, const char *path, const kn_read_options *options,
                        const kn_read_sizes *sizes, kn_error *err);
void kn__feed_close(kn_feed *f);
/** How the file is encoded: decide before anything is read; AUTO is decided by the first bytes. And
 * what was decided. */
void kn__feed_set_encoding(kn_feed *f, kn_encoding encoding);
kn_encoding kn__feed_encoding(const kn_feed *f);
kn_source *kn__feed_source(kn_feed *f);
/** Read on until `enough(user, text, len)` or the end of the file; then `*text` is all that was
 * read and not skipped, padded. A byte order mark is removed and noted in `*bom`. Borrowed until
 * the next call. */
kn_status kn__feed_peek(kn_feed *f, bool (*enough)(void *user, const char *text, size_t len),
                        void *user, const char **text, size_t *len, bool *bom, kn_error *err);
/** Skip `len` bytes of what was peeked, with `lines` line ends in them. */
void kn__feed_skip(kn_feed *f, size_t len, size_t lines);
/** Parse everything into `builder`, on `run`'s threads. */
kn_status kn__feed_run(kn_feed *f, const kn_feed_format *format, kn_builder *builder,
                       const kn_run *run, kn_error *err);

/** Set `block->problem`, unless it has one. `format` is as in printf. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void kn__block_fail(kn_block *block, size_t line, const char *where, const char *format, ...);
/** Report `err` of the builder, which knows no lines. */
void kn__block_fail_as(kn_block *block, size_t line, const kn_error *err);
/** The first byte of the block that no text may hold (NUL, or not UTF-8), or `len`. */
size_t kn__text_check(const char *text, size_t len);
/** Report the byte at `bad`, on `line` of the block. */
void kn__block_fail_byte(kn_block *block, size_t line, const char *column, size_t bad);
/** ", column 'NAME', character N" for the byte at `at`; without the column if it is NULL. */
void kn__where(char out[160], const char *column, const char *text, size_t at);

/** The arguments of a reader, and what it found. */
typedef struct kn_reading {
    const char *path;               /**< without a feed: what messages call the source */
    const kn_read_options *options; /**< never NULL */
    const kn_read_sizes *sizes;
    const kn_run *run;
    unsigned threads;
    kn_feed *feed;    /**< NULL: the records do not come from a file */
    kn_layout layout; /**< as asked for; the reader fills in what it finds. Its key points to... */
    char *key;        /**< ...this, owned */
} kn_reading;

typedef struct kn_reader {
    /** Read all of `r`; here `err` is never NULL. */
    kn_status (*read)(kn_reading *r, kn_dataset **out, kn_error *err);
} kn_reader;

extern const kn_reader kn__reader_csv, kn__reader_long, kn__reader_dat, kn__reader_jsonl,
    kn__reader_trees, kn__reader_json, kn__reader_xml;

/** Make records of the rows in `*ds` as the schema says: group them, join other files, merge item
 * columns. On failure `*ds` is freed and NULL. */
kn_status kn__read_reshape(const kn_reading *r, kn_dataset **ds, kn_error *err);
/** Refuse a schema that names a column that `ds` lacks, unless options->partial: where the name is
 * misspelt, the column that was meant would have no role. */
kn_status kn__read_check_columns(const kn_read_options *options, const kn_dataset *ds,
                                 kn_error *err);
/** The separator is one that kanon can read and write, or KN_EUSAGE. */
kn_status kn__layout_check(const kn_layout *layout, kn_error *err);
/** The format that a path's ending asks for; CSV if it asks for none. */
kn_format kn__format_of_path(const char *path);
/** Refuse a name whose ending asks for a format that is not written, such as .xlsx (KN_EUSAGE), and
 *  bytes with which a file of a foreign format begins (KN_EINPUT; `name` is for the message). */
kn_status kn__refuse_foreign_name(const char *path, kn_error *err);
kn_status kn__refuse_foreign_bytes(const char *name, const char *bytes, size_t len, kn_error *err);
/** The length of the name without ".gz" or ".zst". */
size_t kn__name_stem(const char *name);
/** Whether the first `len` bytes of `name` end with `end`, in whatever case. */
bool kn__name_ends(const char *name, size_t len, const char *end);

#endif
