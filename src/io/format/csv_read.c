/* csv_read.c - the reader of CSV: detect the separator, read the header, run the parser. */
#include "base/error.h"
#include "base/memory.h"
#include "data/dict.h"
#include "io/format/csv.h"

#include <stdio.h>
#include <string.h>

static const char candidates[4] = {',', ';', '\t', '|'};

/* Where the first record ends (its line feed included), or 0; counts the candidates for a separator
 * outside quotes. */
static size_t first_record(const kn_csv *c, const char *text, size_t len, size_t counts[4])
{
    bool quoted = false;

    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"' && c->quotes) {
            quoted = !quoted;
        } else if (!quoted) {
            if (text[i] == '\n') {
                return i + 1;
            }
            for (size_t j = 0; j < 4; j++) {
                counts[j] += text[i] == candidates[j];
            }
        }
    }
    return 0;
}

/* The empty lines with which a file without a header begins. */
static size_t blank_lines(const kn_csv *c, const char *text, size_t len)
{
    size_t i = 0;

    while (!c->header && i < len &&
           (text[i] == '\n' || (text[i] == '\r' && i + 1 < len && text[i + 1] == '\n'))) {
        i += text[i] == '\n' ? 1 : 2;
    }
    return i;
}

/* Whether a whole first record was read, or one that is wrong already. While the separator is to be
 * guessed the record must be whole: the guess must not depend on how much was read. */
static bool enough(void *user, const char *text, size_t len)
{
    const kn_csv *c = user;
    const size_t blank = blank_lines(c, text, len);
    size_t counts[4] = {0};

    return first_record(c, text + blank, len - blank, counts) != 0 ||
           (c->separator && kn__csv_wrong(user, text, len));
}

/* The most frequent candidate. The separator that the file's name suggests wins if it occurs at
 * all; so does the comma in a file without a header, because a line of data is weaker evidence. */
static char choose_separator(const kn_csv *c, const char *path, const size_t counts[4])
{
    const size_t usual = kn__name_ends(path, kn__name_stem(path), ".tsv") ? 2 : 0;
    size_t best = usual;

    if (counts[usual] && (usual == 2 || !c->header)) {
        return candidates[usual];
    }
    for (size_t i = 0; i < 4; i++) {
        best = counts[i] > counts[best] ? i : best;
    }
    return candidates[best];
}

/* If the header is a single name: the other separator that it seems to hold; '\0': none. */
static char likely_separator(const kn_csv *c)
{
    char likely = '\0';
    size_t most = 0;

    for (size_t i = 0; c->header && c->columns == 1 && i < sizeof candidates; i++) {
        size_t count = 0;
        for (const char *at = c->names[0]; (at = strchr(at, candidates[i])); at++) {
            count++;
        }
        if (count > most) {
            most = count;
            likely = candidates[i];
        }
    }
    return likely;
}

/* Without a header, an empty first line would be the only value of a record of one column. */
static kn_status refuse_blank(const kn_csv *c, const char *source, const size_t counts[4],
                              kn_error *err)
{
    bool several = false;

    for (size_t i = 0; i < sizeof candidates; i++) {
        several = several || (counts[i] && (c->guessed || candidates[i] == c->separator));
    }
    return several ? kn__fail(err, KN_EINPUT,
                              "%s: line 1: the line is empty, and records follow: remove it, or "
                              "write the record",
                              source)
                   : KN_OK;
}

static kn_status check_names(const kn_csv *c, const char *source, kn_error *err)
{
    kn_dict *seen = NULL;
    kn_status status;

    KN_TRY(kn__dict_new(&seen, err));
    for (size_t i = 0; i < c->columns; i++) {
        uint32_t code;
        if (c->names[i][0] == '\0' && c->columns == 1) {
            KN_TRY(kn__fail(err, KN_EINPUT,
                            "%s: line 1: the line is empty: it must name the columns", source));
        }
        if (c->names[i][0] == '\0') {
            KN_TRY(kn__fail(err, KN_EINPUT,
                            "%s: line 1: column %zu of %zu has no name: name it, or read the file "
                            "without a header",
                            source, i + 1, c->columns));
        }
        KN_TRY(kn__dict_add(seen, c->names[i], strlen(c->names[i]), &code, err));
        if (code != i) {
            KN_TRY(kn__fail(err, KN_EINPUT,
                            "%s: line 1: columns %u and %zu have the same name: rename one, or "
                            "read the file without a header",
                            source, code + 1, i + 1));
        }
    }
done:
    kn__dict_free(seen);
    return status;
}

static kn_status number_names(kn_csv *c, kn_error *err)
{
    for (size_t i = 0; i < c->columns; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "column%zu", i + 1);
        kn__free(c->names[i]);
        c->names[i] = kn__strdup(name);
        KN_PASS(c->names[i] ? KN_OK : kn__nomem(err));
    }
    return KN_OK;
}

kn_status kn__csv_open(kn_csv *c, kn_reading *r, kn_error *err)
{
    kn_block block = {0};
    size_t counts[4] = {0}, end;
    bool bom, crlf;
    const char *source = kn__source_name(kn__feed_source(r->feed));

    *c = (kn_csv){.separator = r->layout.separator,
                  .guessed = !r->layout.separator,
                  .quotes = !r->layout.no_quotes,
                  .trim = r->layout.trim,
                  .spreadsheet_safe = r->layout.spreadsheet_safe,
                  .header = !r->layout.no_header,
                  .required = SIZE_MAX};
    KN_PASS(kn__feed_peek(r->feed, enough, c, &block.text, &block.len, &bom, err));
    if (block.len == 0) {
        return kn__fail(err, KN_EINPUT, "%s: the file is empty", source);
    }
    end = blank_lines(c, block.text, block.len);
    (void)first_record(c, block.text + end, block.len - end, counts);
    KN_PASS(end ? refuse_blank(c, source, counts, err) : KN_OK);
    if (c->guessed) {
        c->separator = choose_separator(c, r->path, counts);
    }
    end = kn__csv_parse_names(c, &block, &crlf);
    if (block.problem.status != KN_OK) {
        const kn_problem *p = &block.problem;
        if (p->status != KN_EINPUT) {
            return kn__fail(err, p->status, "%s", p->text);
        }
        return kn__fail(err, KN_EINPUT, "%s: line %zu%s: %s", source, p->line, p->where, p->text);
    }
    KN_PASS(c->header ? check_names(c, source, err) : number_names(c, err));
    c->likely = likely_separator(c);
    if (c->header) {
        kn__feed_skip(r->feed, end, block.lines);
    }
    r->layout.separator = c->separator;
    r->layout.crlf = crlf;
    r->layout.bom = bom;
    return KN_OK;
}

void kn__csv_close(kn_csv *c)
{
    for (size_t i = 0; i < c->columns; i++) {
        kn__free(c->names[i]);
    }
    kn__free(c->names);
    *c = (kn_csv){0};
}

static kn_status read_csv(kn_reading *r, kn_dataset **out, kn_error *err)
{
    kn_csv c = {0};
    const kn_feed_format format = {kn__csv_split, kn__csv_wrong, kn__csv_parse, &c};
    kn_builder *builder = NULL, *full;
    kn_status status;

    KN_TRY(kn__csv_open(&c, r, err));
    KN_TRY(kn__builder_new(&builder, (const char *const *)c.names, c.columns, r->options->schema,
                           r->options->keep_dropped, NULL, r->threads, err));
    if (c.header) {
        kn__builder_names_from_line(builder);
    }
    KN_TRY(kn__feed_run(r->feed, &format, builder, r->run, err));
    full = builder;
    builder = NULL;
    KN_TRY(kn__builder_finish(full, r->run, out, err));
done:
    kn__csv_close(&c);
    kn__builder_free(builder);
    return status;
}

const kn_reader kn__reader_csv = {read_csv};
