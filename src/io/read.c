/* read.c - kn_read. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/rows/group.h"
#include "io/formats.h"
#include "io/reader.h"

#include <string.h>

kn_status kn__layout_check(const kn_layout *layout, kn_error *err)
{
    const char c = layout->separator;

    if (c == '"' || c == '\n' || c == '\r' || (unsigned char)c >= 0x80) {
        return kn__fail(err, KN_EUSAGE,
                        "the separator must be one character of ASCII other than a quote or a line "
                        "end, such as , ; | or a tab");
    }
    KN_NEED_ENUM(err, layout->format, KN_FORMAT_XML, "format");
    KN_NEED_ENUM(err, layout->compression, KN_COMPRESSION_ZSTD, "compression");
    KN_NEED_ENUM(err, layout->encoding, KN_ENCODING_UTF16, "encoding");
    return KN_OK;
}

/* Whether the message already names its file: this one, or one joined to it. */
static bool names_a_file(const kn_error *err, const kn_reading *r)
{
    const kn_schema *s = r->options->schema;
    const char *name = kn__source_name(kn__feed_source(r->feed));
    bool names = strncmp(err->message, name, strlen(name)) == 0;

    for (size_t i = 0; s && i < s->joins_count; i++) {
        names = names || strncmp(err->message, s->joins[i].path, strlen(s->joins[i].path)) == 0;
    }
    return names;
}

static bool has_column(const void *ds, const char *name)
{
    return kn_dataset_find(ds, name) != SIZE_MAX;
}

kn_status kn__read_check_columns(const kn_read_options *options, const kn_dataset *ds,
                                 kn_error *err)
{
    const char *absent = options->partial ? NULL
                                          : kn__schema_absent_column(options->schema, has_column,
                                                                     ds, options->released);

    return absent ? kn__no_column(ds, "that the schema names", absent, err) : KN_OK;
}

/* JSON Lines hold flat records, or trees where the schema speaks of them. */
static const kn_format_row *row_to_read(const kn_reading *r)
{
    const kn_schema *s = r->options->schema;
    const bool trees = s && (s->tree || s->classes_count);

    return kn__format_row(trees && r->layout.format == KN_FORMAT_JSONL ? KN_FORMAT_JSON
                                                                       : r->layout.format);
}

/* XML says itself how it is encoded, and JSON and .trees are UTF-8. */
static kn_encoding encoding_of(const kn_layout *layout)
{
    const bool free = layout->format == KN_FORMAT_CSV || layout->format == KN_FORMAT_LONG ||
                      layout->format == KN_FORMAT_DAT || layout->format == KN_FORMAT_JSONL;

    return free ? layout->encoding : KN_ENCODING_UTF8;
}

static kn_status note_encoding(kn_dataset *ds, const kn_reading *r, kn_error *err)
{
    kn_buffer note = {0};

    if (r->layout.encoding != KN_ENCODING_AUTO ||
        kn__feed_encoding(r->feed) != KN_ENCODING_LATIN1) {
        return KN_OK;
    }
    kn__buffer_adds(&note, "the file is not UTF-8 and was read as Latin-1 (Windows-1252): look at "
                           "letters such as é and ü; --encoding latin1 says that this is right");
    return kn__dataset_add_note(ds, &note, err);
}

static void describe(kn_dataset *ds, kn_reading *r, char *source)
{
    ds->source = source;
    ds->layout = r->layout;
    ds->layout.encoding = KN_ENCODING_UTF8; /* it is written so */
    ds->layout.compression = kn__source_compression(kn__feed_source(r->feed));
    ds->layout_key = r->key;
    ds->layout.key = r->key;
    kn__source_sha256(kn__feed_source(r->feed), ds->sha256);
}

kn_status kn__read_sized(kn_dataset **out, const char *path, const kn_read_options *options,
                         const kn_read_sizes *sizes, const kn_run *run, kn_error *err)
{
    static const kn_read_options none = {0};
    kn_reading r = {.path = path, .options = options ? options : &none, .sizes = sizes, .run = run};
    const kn_format_row *row;
    kn_error local;
    char *source = NULL;
    kn_status status;

    *out = NULL;
    err = err ? err : &local;
    r.threads = kn__run_threads(run);
    if (r.options->layout) {
        r.layout = *r.options->layout;
    }
    r.layout.key = NULL;
    KN_TRY(kn__layout_check(&r.layout, err));
    if (r.layout.format == KN_FORMAT_AUTO) {
        r.layout.format = kn__format_of_path(path);
    }
    source = kn__strdup(path);
    KN_TRY(source ? kn__feed_open(&r.feed, path, r.options, sizes, err) : kn__nomem(err));
    kn__feed_set_encoding(r.feed, encoding_of(&r.layout));
    row = row_to_read(&r);
    KN_TRY(row ? row->reader->read(&r, out, err)
               : kn__fail(err, KN_EUSAGE, "no format was chosen to read"));
    if (r.options->schema) {
        KN_TRY(kn__read_reshape(&r, out, err));
    }
    KN_TRY(kn__read_check_columns(r.options, *out, err));
    KN_TRY(note_encoding(*out, &r, err));
    describe(*out, &r, source);
done:
    if (status != KN_OK) {
        if (status == KN_EINPUT && r.feed && !names_a_file(err, &r)) {
            kn__error_prefix(err, kn__source_name(kn__feed_source(r.feed)));
        }
        kn_dataset_free(*out);
        *out = NULL;
        KN_FREE(source, r.key);
    }
    kn__feed_close(r.feed);
    return status;
}

kn_status kn_read(kn_dataset **out, const char *path, const kn_read_options *options,
                  const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, path);
    KN_NEED_SIZED(err, options);
    KN_NEED_SIZED(err, run);
    if (options) {
        KN_NEED_SIZED(err, options->layout);
    }
    return kn__read_sized(out, path, options, NULL, run, err);
}
