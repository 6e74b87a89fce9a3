/* dat_read.c - one basket a line, items between spaces or tabs. */
#include "base/error.h"
#include "io/reader.h"

#include <string.h>

static size_t split(void *user, const char *text, size_t len)
{
    const char *end = memrchr(text, '\n', len);

    (void)user;
    return end ? (size_t)(end - text) + 1 : 0;
}

static bool is_space(char x)
{
    return x == ' ' || x == '\t';
}

static kn_status add_line(kn_chunk *chunk, const char *text, size_t len, kn_error *err)
{
    kn_status status = KN_OK;
    size_t i = 0;

    while (status == KN_OK && i < len) {
        const size_t begin = i;
        while (i < len && !is_space(text[i])) {
            i++;
        }
        if (i > begin) {
            status = kn_chunk_add_item(chunk, 0, text + begin, i - begin, err);
        } else {
            i++;
        }
    }
    return status == KN_OK ? kn_chunk_end_record(chunk, err) : status;
}

static void parse(void *user, kn_block *block)
{
    const size_t limit = kn_text_check(block->text, block->len);
    size_t at = 0;

    (void)user;
    while (at < block->len) {
        const char *line = block->text + at;
        const char *end = memchr(line, '\n', block->len - at);
        size_t len = end ? (size_t)(end - line) : block->len - at;
        const char *cr;
        kn_error err;

        if (limit < at + len) {
            kn_block_fail_byte(block, block->lines + 1, NULL, limit);
            return;
        }
        if (end && len && line[len - 1] == '\r') {
            len--;
        }
        cr = memchr(line, '\r', len);
        if (cr) {
            char where[160];
            kn_where(where, NULL, block->text, (size_t)(cr - block->text));
            kn_block_fail(block, block->lines + 1, where,
                          "a carriage return inside the line: convert the line ends to line feeds");
            return;
        }
        if (add_line(block->chunk, line, len, &err) != KN_OK) {
            kn_block_fail_as(block, block->lines + 1, &err);
            return;
        }
        block->lines += end != NULL;
        at = end ? (size_t)(end - block->text) + 1 : block->len;
    }
}

static bool enough(void *user, const char *text, size_t len)
{
    (void)user;
    return memchr(text, '\n', len) != NULL;
}

static kn_status read_dat(kn_reading *r, kn_dataset **out, kn_error *err)
{
    static const char *const names[] = {"items"};
    static const bool lists[] = {true};
    const kn_feed_format format = {.split = split, .parse = parse};
    kn_builder *builder = NULL;
    const char *text, *end;
    size_t len;
    kn_status status = kn_feed_peek(r->feed, enough, NULL, &text, &len, &r->layout.bom, err);

    if (status == KN_OK && len == 0) {
        status = kn_fail(err, KN_EINPUT, "%s: the file is empty",
                         kn_source_name(kn_feed_source(r->feed)));
    }
    if (status == KN_OK) {
        end = memchr(text, '\n', len);
        r->layout.crlf = end && end > text && end[-1] == '\r';
        status = kn_builder_new(&builder, names, 1, r->options->schema, r->options->keep_dropped,
                                lists, r->threads, err);
    }
    if (status == KN_OK) {
        status = kn_feed_run(r->feed, &format, builder, r->run, err);
    }
    if (status != KN_OK) {
        kn_builder_free(builder);
        return status;
    }
    return kn_builder_finish(builder, r->run, out, err);
}

const kn_reader kn_reader_dat = {KN_FORMAT_DAT, read_dat};
