/* dat_read.c - one basket per line, items between spaces or tabs, or between a given separator. */
#include "base/error.h"
#include "io/reader.h"
#include "io/bytes/scan.h"

#include <string.h>

static size_t split(void *user, const char *text, size_t len)
{
    const char *end = memrchr(text, '\n', len);

    (void)user;
    return end ? (size_t)(end - text) + 1 : 0;
}

/* Report a carriage return inside a line, at `at`; or, if the same line holds a byte that is no
 * text, at `limit`, report that. */
static void fail_return(kn_block *block, size_t at, size_t limit)
{
    const char *end = memchr(block->text + at, '\n', block->len - at);
    char where[160];

    if (limit < (end ? (size_t)(end - block->text) : block->len)) {
        kn__block_fail_byte(block, block->lines + 1, NULL, limit);
        return;
    }
    kn__where(where, NULL, block->text, at);
    kn__block_fail(block, block->lines + 1, where,
                   "a carriage return inside the line: convert the line ends to line feeds");
}

/* What ends an item: the separator, or spaces and tabs where it is '\0'. */
typedef struct stops {
    char separator;
} stops;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Items end at separators and line ends, which the scan gives one after the other. Blanks around
 * items are no part of them. */
static void parse(void *user, kn_block *block)
{
    const stops *s = user;
    const char first = s->separator ? s->separator : ' ', second = s->separator ? first : '\t';
    const char ends[4] = {first, second, '\n', '\r'};
    const char *text = block->text;
    const size_t len = block->len, limit = kn__text_check(text, len);
    kn_scan scan = kn__scan_start(text, len, ends);
    size_t begin = 0, end, stop, lines = block->lines;
    kn_error err;

    do {
        end = kn__scan_next(&scan);
        if (limit < end) {
            kn__block_fail_byte(block, lines + 1, NULL, limit);
            return;
        }
        stop = end;
        while (s->separator && begin < stop && is_blank(text[begin])) {
            begin++;
        }
        while (s->separator && begin < stop && is_blank(text[stop - 1])) {
            stop--;
        }
        if (stop > begin &&
            kn__chunk_add_item(block->chunk, 0, text + begin, stop - begin, &err) != KN_OK) {
            kn__block_fail_as(block, lines + 1, &err);
            return;
        }
        begin = end + 1;
        if (end < len && (text[end] == first || text[end] == second)) {
            continue;
        }
        if (end < len && text[end] == '\r' && (end + 1 == len || text[end + 1] != '\n')) {
            block->lines = lines;
            fail_return(block, end, limit);
            return;
        }
        /* The last line may lack its end. */
        if (end < len ? text[end] == '\n' : len && text[len - 1] != '\n') {
            if (kn__chunk_end_record(block->chunk, &err) != KN_OK) {
                kn__block_fail_as(block, lines + 1, &err);
                return;
            }
            lines += end < len;
        }
    } while (end < len);
    block->lines = lines;
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
    stops separator = {r->layout.separator == ' ' ? '\0' : r->layout.separator};
    const kn_feed_format format = {.split = split, .parse = parse, .user = &separator};
    kn_builder *builder = NULL;
    const char *text, *end;
    size_t len;
    kn_status status;

    KN_TRY(kn__feed_peek(r->feed, enough, NULL, &text, &len, &r->layout.bom, err));
    if (len == 0) {
        KN_TRY(kn__fail(err, KN_EINPUT, "%s: the file is empty",
                        kn__source_name(kn__feed_source(r->feed))));
    }
    end = memchr(text, '\n', len);
    r->layout.crlf = end && end > text && end[-1] == '\r';
    KN_TRY(kn__builder_new(&builder, names, 1, r->options->schema, r->options->keep_dropped, lists,
                           r->threads, err));
    KN_TRY(kn__feed_run(r->feed, &format, builder, r->run, err));
done:
    if (status != KN_OK) {
        kn__builder_free(builder);
        return status;
    }
    return kn__builder_finish(builder, r->run, out, err);
}

const kn_reader kn__reader_dat = {read_dat};
