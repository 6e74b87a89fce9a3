/* csv_parse.c - parse blocks of delimited text into chunks. This is the hot path of reading.
 *
 * A vector scan gives the next structural byte (separator, line feed, carriage return, quote); the
 * bytes between are never looked at one by one. Blocks are cut at line feeds with an even number of
 * quotes before them. In a valid file these are the ends of records; in an invalid file the first
 * wrong quote is in a block that begins with a record, so that block reports it. */
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/format/csv.h"
#include "io/format/formula.h"
#include "io/bytes/scan.h"

#include <stdio.h>
#include <string.h>

size_t kn__csv_split(void *user, const char *text, size_t len)
{
    const kn_csv *c = user;
    const char *end = memrchr(text, '\n', len);
    size_t quotes;

    if (!end || !c->quotes) {
        return end ? (size_t)(end - text) + 1 : 0;
    }
    quotes = kn__scan_count(text, (size_t)(end - text), '"');
    while (quotes % 2 != 0) {
        const char *before = memrchr(text, '\n', (size_t)(end - text));
        if (!before) {
            return 0;
        }
        quotes -= kn__scan_count(before, (size_t)(end - before), '"');
        end = before;
    }
    return (size_t)(end - text) + 1;
}

static bool is_blank(const kn_csv *c, char x)
{
    return (x == ' ' || x == '\t') && x != c->separator;
}

/* Step through `text`, or its first record only, value by value, and count the values. True when a
 * quote is wrong. */
static bool count_values(const kn_csv *c, const char *text, size_t len, bool one_record,
                         size_t *values)
{
    enum { BEGIN, BARE, QUOTED, CLOSED } state = BEGIN;

    *values = 1;
    for (size_t i = 0; i < len; i++) {
        const char x = text[i];
        if (state == QUOTED) {
            state = x == '"' ? CLOSED : QUOTED;
        } else if (x == c->separator || x == '\n') {
            if (x == '\n' && one_record) {
                return false;
            }
            *values += x == c->separator;
            state = BEGIN;
        } else if (state == CLOSED && x == '"' && text[i - 1] == '"') {
            state = QUOTED;
        } else if (state == CLOSED) {
            if (x != '\r' && !(c->trim && is_blank(c, x))) {
                return true;
            }
        } else if (x == '"' && c->quotes) {
            if (state == BARE) {
                return true;
            }
            state = QUOTED;
        } else if (!(c->trim && is_blank(c, x))) {
            state = BARE;
        }
    }
    return false;
}

bool kn__csv_wrong(void *user, const char *text, size_t len)
{
    size_t values;

    return count_values(user, text, len, false, &values);
}

/* The state of parsing one block. */
typedef struct parse {
    const kn_csv *c;
    kn_csv *names; /* reading the header: add to its names; NULL otherwise */
    kn_block *block;
    const char *text;
    size_t limit; /* the first byte that is no text, or the block's length */
    kn_scan scan;
    size_t record;            /* where the current record begins */
    size_t line, record_line; /* line ends so far, and before the record */
    size_t column;
    kn_buffer scratch; /* a value without its doubled quotes */
} parse;

static const char *column_name(const parse *p)
{
    return !p->names && p->column < p->c->columns ? p->c->names[p->column] : NULL;
}

static bool fail_at(parse *p, size_t line, size_t at, const char *words)
{
    char where[160];

    kn__where(where, column_name(p), p->text, at);
    kn__block_fail(p->block, line + 1, where, "%s", words);
    return false;
}

static void show_separator(char out[8], char separator)
{
    if (separator == '\t') {
        (void)snprintf(out, 8, "tab");
    } else {
        (void)snprintf(out, 8, "'%c'", separator);
    }
}

static bool fail_ragged(parse *p)
{
    const size_t expected = p->c->columns;
    size_t found;
    const char *as = p->c->header ? "the header names" : "the first line has";
    char separator[8];

    (void)count_values(p->c, p->text + p->record, p->block->len - p->record, true, &found);
    show_separator(separator, p->c->separator);
    if (found > expected && p->c->likely) {
        char likely[8];
        show_separator(likely, p->c->likely);
        kn__block_fail(
            p->block, p->record_line + 1, "",
            "%zu values where the header names 1: the separator looks like %s, and %s was "
            "given (--separator)",
            found, likely, separator);
    } else if (found > expected) {
        kn__block_fail(p->block, p->record_line + 1, "",
                       "%zu values where %s %zu: put values that hold the separator %s in quotes%s",
                       found, as, expected, separator,
                       p->c->guessed ? ", or give the separator" : "");
    } else {
        kn__block_fail(p->block, p->record_line + 1, "",
                       "%zu value%s where %s %zu: write an empty value for what is missing (the "
                       "separator is %s%s)",
                       found, found == 1 ? "" : "s", as, expected, separator,
                       p->c->guessed ? ", by its looks" : "");
    }
    return false;
}

static bool add_name(parse *p, const char *value, size_t len)
{
    kn_csv *c = p->names;
    kn_error err = {0};

    if (kn__grow(&c->names, &c->names_cap, c->columns + 1, sizeof(char *), &err) == KN_OK) {
        c->names[c->columns] = kn__strndup(value, len);
        if (c->names[c->columns]) {
            c->columns++;
            return true;
        }
        (void)kn__nomem(&err);
    }
    kn__block_fail_as(p->block, 0, &err);
    return false;
}

static inline bool add(parse *p, const char *value, size_t len)
{
    kn_error err;

    if (p->c->spreadsheet_safe && len && *value == '\'' && kn__is_formula(value + 1, len - 1)) {
        value++;
        len--;
    }
    if (p->names) {
        return add_name(p, value, len);
    }
    if (p->column >= p->c->columns) {
        return fail_ragged(p);
    }
    if (len == 0 && p->column == p->c->required) {
        kn__block_fail(p->block, p->line + 1, "",
                       "column '%.80s' is empty: it must tell whose record this is",
                       p->c->names[p->column]);
        return false;
    }
    if (kn__chunk_add(p->block->chunk, p->column, value, len, &err) != KN_OK) {
        kn__block_fail_as(p->block, p->line + 1, &err);
        return false;
    }
    return true;
}

/* Copy text[begin..end) to the scratch, each doubled quote as one. */
static bool undouble(parse *p, size_t begin, size_t end)
{
    p->scratch.len = 0;
    while (begin < end) {
        const char *quote = memchr(p->text + begin, '"', end - begin);
        const size_t stop = quote ? (size_t)(quote - p->text) + 1 : end;
        kn__buffer_add(&p->scratch, p->text + begin, stop - begin);
        begin = quote ? stop + 1 : end;
    }
    if (p->scratch.failed) {
        kn_error err;
        (void)kn__nomem(&err);
        kn__block_fail_as(p->block, 0, &err);
        return false;
    }
    return true;
}

/* Read the value that opens with the quote at `open`; `*at` is where it ends. */
static bool quoted(parse *p, size_t open, const char **value, size_t *len, size_t *at)
{
    const size_t open_line = p->line;
    bool doubled = false;
    size_t close;

    for (;;) {
        close = kn__scan_next(&p->scan);
        if (close >= p->limit) {
            *at = p->limit;
            if (p->limit < p->block->len) {
                return true; /* the caller reports the bad byte */
            }
            return fail_at(p, open_line, open, "the quote that opens here is never closed");
        }
        p->line += p->text[close] == '\n';
        if (p->text[close] != '"') {
            continue;
        }
        if (close + 1 < p->limit && p->text[close + 1] == '"') {
            doubled = true;
            (void)kn__scan_next(&p->scan);
            continue;
        }
        break;
    }
    *value = p->text + open + 1;
    *len = close - open - 1;
    if (doubled) {
        if (!undouble(p, open + 1, close)) {
            return false;
        }
        *value = p->scratch.data;
        *len = p->scratch.len;
    }
    close++;
    while (p->c->trim && close < p->limit && is_blank(p->c, p->text[close])) {
        close++;
    }
    *at = kn__scan_next(&p->scan);
    if (close < p->limit && (*at != close || p->text[close] == '"')) {
        (void)fail_at(p, p->line, close,
                      "text follows the closing quote: a quote inside a quoted value is written "
                      "twice");
        p->block->problem.since = open_line == p->line ? 0 : open_line + 1;
        return false;
    }
    return true;
}

/* Whether nothing but blanks stands between a separator and a quote. */
static bool is_spaced(const parse *p, size_t begin, size_t end)
{
    while (begin < end && is_blank(p->c, p->text[begin])) {
        begin++;
    }
    return begin == end;
}

static bool only_blanks(const parse *p, size_t begin, size_t end)
{
    return begin == end || (p->c->trim && is_spaced(p, begin, end));
}

/* An empty line at `at` is allowed if only empty lines follow. */
static void blank_lines(parse *p, size_t at)
{
    p->block->blank = p->line + 1;
    for (size_t i = at; i < p->block->len; i++) {
        if (p->text[i] == '\n') {
            p->line++;
        } else if (!(p->text[i] == '\r' && i + 1 < p->block->len && p->text[i + 1] == '\n')) {
            kn__block_fail(p->block, p->block->blank, "",
                           "the line is empty, and records follow: remove it, or write the record");
            return;
        }
    }
}

/* Parse all records, or the first one of a header. Returns where it stopped. */
static inline size_t parse_records(parse *p, bool header, bool *crlf)
{
    const kn_csv *c = p->c;
    const char *text = p->text;
    const size_t len = p->block->len;
    size_t start = 0;

    while (start < len || p->column) {
        size_t at = kn__scan_next(&p->scan), end;
        const char *value = text + start;
        size_t value_len = at - start;
        bool last;

        if (at < p->limit && text[at] == '"' && c->quotes) {
            if (!only_blanks(p, start, at)) {
                (void)fail_at(
                    p, p->line, at,
                    is_spaced(p, start, at)
                        ? "spaces stand before the quote: strip them (--trim), or read without "
                          "quotes (--quote none)"
                        : "a quote inside a value that does not begin with one: put the value in "
                          "quotes and double this one, or read without quotes (--quote none)");
                return at;
            }
            if (!quoted(p, at, &value, &value_len, &at)) {
                return at;
            }
        } else if (c->trim) {
            while (value_len && is_blank(c, value[value_len - 1])) {
                value_len--;
            }
            while (value_len && is_blank(c, *value)) {
                value++;
                value_len--;
            }
        }
        if (at >= p->limit && p->limit < len) {
            kn__block_fail_byte(p->block, p->line + 1, column_name(p), p->limit);
            return at;
        }
        last = at == len || text[at] != c->separator;
        end = at;
        if (last && at < len && text[at] == '\r') {
            if (at + 1 == len || text[at + 1] != '\n') {
                (void)fail_at(p, p->line, at,
                              "a carriage return without a line feed: put the value in quotes, or "
                              "convert the line ends (old Mac files: 'tr \"\\r\" \"\\n\"')");
                return at;
            }
            end = kn__scan_next(&p->scan);
        }
        if (last && p->column == 0 && value == text + start && value_len == 0 && at == start &&
            c->columns != 1 && !header) {
            blank_lines(p, start);
            return len;
        }
        if (!add(p, value, value_len)) {
            return at;
        }
        start = end + 1;
        if (!last) {
            p->column++;
            continue;
        }
        if (end < len) {
            p->line++;
        }
        if (header) {
            *crlf = end > at;
            return end < len ? end + 1 : len;
        }
        if (p->column + 1 != c->columns) {
            (void)fail_ragged(p);
            return at;
        }
        {
            kn_error err;
            if (kn__chunk_end_record(p->block->chunk, &err) != KN_OK) {
                kn__block_fail_as(p->block, p->line, &err);
                return at;
            }
        }
        p->column = 0;
        p->record = start;
        p->record_line = p->line;
    }
    return len;
}

static parse begin(const kn_csv *c, kn_csv *names, kn_block *block)
{
    parse p = {.c = c, .names = names, .block = block, .text = block->text};
    const char wanted[4] = {c->separator, '\n', '\r', c->quotes ? '"' : '\n'};

    p.limit = kn__text_check(block->text, block->len);
    p.scan = kn__scan_start(block->text, p.limit, wanted);
    return p;
}

void kn__csv_parse(void *user, kn_block *block)
{
    parse p = begin(user, NULL, block);
    bool crlf;

    (void)parse_records(&p, false, &crlf);
    block->lines = p.line;
    kn__buffer_free(&p.scratch);
}

size_t kn__csv_parse_names(kn_csv *c, kn_block *block, bool *crlf)
{
    parse p = begin(c, c, block);
    size_t end;

    *crlf = false;
    end = parse_records(&p, true, crlf);
    block->lines = p.line;
    kn__buffer_free(&p.scratch);
    return end;
}
