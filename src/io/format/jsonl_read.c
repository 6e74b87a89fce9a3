/* jsonl_read.c - JSON Lines: one flat object per line.
 *
 * The columns are the names that occur, in order of first appearance, and a column holds lists if
 * one of its values is a list. The first block usually shows all names and lists. If a later line
 * has another, the whole file is read once for names and lists, and then again for its records;
 * a pipe can be read only once, so that it is refused. */
#include "base/error.h"
#include "base/memory.h"
#include "io/format/json_text.h"
#include "io/reader.h"

#include <stdatomic.h>
#include <string.h>

typedef struct jsonl {
    kn_dict *names;
    bool *lists; /* by column: a list was seen */
    size_t lists_cap;
    bool *declared;       /* by column: the schema says that it holds lists */
    const char **missing; /* by column: a text that means "missing" */
    const kn_schema *schema;
    const char **name; /* by column, NUL-terminated; for the builder and messages */
    size_t columns;
    atomic_bool incomplete; /* a later block has a name or a list that the first block lacks */
} jsonl;

static size_t split(void *user, const char *text, size_t len)
{
    const char *end = memrchr(text, '\n', len);

    (void)user;
    return end ? (size_t)(end - text) + 1 : 0;
}

static bool is_empty(const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') {
            return false;
        }
    }
    return true;
}

/* ---- collecting names ---- */

static void fail_json(kn_block *block, const kn_json *j)
{
    char where[160];

    kn__where(where, NULL, block->text, j->at);
    kn__block_fail(block, block->lines + 1, where, "%s", j->wrong);
}

static bool no_memory(kn_block *block)
{
    kn_error err;

    (void)kn__nomem(&err);
    kn__block_fail_as(block, 0, &err);
    return false;
}

static bool collect_pair(jsonl *x, kn_block *block, const kn_json_span *key,
                         const kn_json_span *value, kn_buffer *scratch)
{
    size_t len;
    uint32_t code;
    const char *name = kn__json_value(block->text, key, scratch, &len);

    if (!name) {
        return no_memory(block);
    }
    if (len == 0) {
        fail_json(block,
                  &(kn_json){.at = key->begin, .wrong = "a column needs a name that is not empty"});
        return false;
    }
    if (kn__dict_add(x->names, name, len, &code, NULL) != KN_OK ||
        kn__grow(&x->lists, &x->lists_cap, (size_t)code + 1, sizeof *x->lists, NULL) != KN_OK) {
        return no_memory(block);
    }
    if (code == x->columns) {
        x->lists[x->columns++] = false;
    }
    x->lists[code] = x->lists[code] || value->kind == KN_JSON_LIST;
    return true;
}

/* Two passes over the line: first check it, so that a wrong record adds no names. */
static bool collect_line(jsonl *x, kn_block *block, size_t at, size_t end, kn_buffer *scratch)
{
    for (int pass = 0; pass < 2; pass++) {
        kn_json j = {.text = block->text, .at = at, .end = end};
        bool more = true;

        if (!kn__json_open(&j)) {
            fail_json(block, &j);
            return false;
        }
        for (bool first = true; more; first = false) {
            kn_json_span key, value;
            if (!kn__json_pair(&j, first, &more, &key, &value)) {
                fail_json(block, &j);
                return false;
            }
            if (more && pass == 1 && !collect_pair(x, block, &key, &value, scratch)) {
                return false;
            }
        }
    }
    return true;
}

static void collect(void *user, kn_block *block)
{
    const size_t limit = kn__text_check(block->text, block->len);
    kn_buffer scratch = {0};
    size_t at = 0;

    while (at < block->len) {
        const char *end = memchr(block->text + at, '\n', block->len - at);
        const size_t stop = end ? (size_t)(end - block->text) : block->len;

        if (limit < stop) {
            kn__block_fail_byte(block, block->lines + 1, NULL, limit);
            break;
        }
        if (!is_empty(block->text + at, stop - at)) {
            if (!collect_line(user, block, at, stop, &scratch)) {
                break;
            }
            if (block->chunk && kn__chunk_end_record(block->chunk, NULL) != KN_OK) {
                (void)no_memory(block);
                break;
            }
        }
        block->lines += end != NULL;
        at = stop + 1;
    }
    kn__buffer_free(&scratch);
}

/* ---- reading ---- */

static bool fail_value(const jsonl *x, kn_block *block, size_t column, size_t at, const char *words)
{
    char where[160];

    kn__where(where, x->name[column], block->text, at);
    kn__block_fail(block, block->lines + 1, where, "%s", words);
    return false;
}

static bool find_values(jsonl *x, kn_block *block, size_t at, size_t end, kn_json_span *values,
                        kn_buffer *scratch)
{
    kn_json j = {.text = block->text, .at = at, .end = end};
    size_t unknown = SIZE_MAX;
    bool more = true;

    memset(values, 0, x->columns * sizeof *values);
    if (!kn__json_open(&j)) {
        fail_json(block, &j);
        return false;
    }
    for (bool first = true; more; first = false) {
        kn_json_span key, value;
        const char *name;
        size_t len;
        uint32_t column;

        if (!kn__json_pair(&j, first, &more, &key, &value)) {
            fail_json(block, &j);
            return false;
        }
        if (!more) {
            break;
        }
        name = kn__json_value(block->text, &key, scratch, &len);
        if (!name) {
            return no_memory(block);
        }
        column = kn__dict_find(x->names, name, len);
        if (len == 0) {
            j.at = key.begin;
            j.wrong = "a column needs a name that is not empty";
            fail_json(block, &j);
            return false;
        }
        if (column == KN_NO_CODE) {
            unknown = unknown == SIZE_MAX ? key.begin : unknown;
            continue;
        }
        if (values[column].kind != KN_JSON_ABSENT) {
            return fail_value(x, block, column, key.begin, "the name stands twice in one record");
        }
        values[column] = value;
    }
    /* Another error in the record was reported already. */
    if (unknown != SIZE_MAX) {
        atomic_store(&x->incomplete, true);
        j.at = unknown;
        j.wrong =
            "a name that none of the first records has: what comes through a pipe must name all "
            "columns early, a file need not";
        fail_json(block, &j);
        return false;
    }
    return true;
}

static kn_status add_value(const jsonl *x, kn_block *block, size_t column,
                           const kn_json_span *value, kn_buffer *scratch, kn_error *err)
{
    const bool list = x->lists[column] || x->declared[column];
    kn_json_span element;
    const char *text;
    size_t len, at = value->begin;

    switch (value->kind) {
    case KN_JSON_ABSENT:
    case KN_JSON_NULL:
        return list ? KN_OK
                    : kn__chunk_add(block->chunk, column, x->missing[column],
                                    strlen(x->missing[column]), err);
    case KN_JSON_LIST:
        while (kn__json_element(block->text, &at, &element)) {
            kn_status status;
            text = kn__json_value(block->text, &element, scratch, &len);
            status = text ? kn__chunk_add_item(block->chunk, column, text, len, err)
                          : kn__nomem(err);
            if (status != KN_OK) {
                return status;
            }
        }
        return KN_OK;
    default:
        text = kn__json_value(block->text, value, scratch, &len);
        return text ? kn__chunk_add(block->chunk, column, text, len, err) : kn__nomem(err);
    }
}

static bool add_record(jsonl *x, kn_block *block, const kn_json_span *values, kn_buffer *scratch)
{
    kn_error err;

    for (size_t i = 0; i < x->columns; i++) {
        const kn_json_kind kind = values[i].kind;

        if (kind == KN_JSON_LIST && !x->lists[i] && !x->declared[i]) {
            atomic_store(&x->incomplete, true);
            return fail_value(
                x, block, i, values[i].begin,
                "a list where the first records have single values: declare the column "
                "as set, bag or numbers");
        }
        if (x->lists[i] && !x->declared[i] && kind != KN_JSON_LIST && kind != KN_JSON_NULL &&
            kind != KN_JSON_ABSENT) {
            return fail_value(x, block, i, values[i].begin,
                              "a single value where other records have lists: write a list of one, "
                              "or declare the column as set, bag or numbers");
        }
        if (add_value(x, block, i, &values[i], scratch, &err) != KN_OK) {
            kn__block_fail_as(block, block->lines + 1, &err);
            return false;
        }
    }
    if (kn__chunk_end_record(block->chunk, &err) != KN_OK) {
        kn__block_fail_as(block, block->lines + 1, &err);
        return false;
    }
    return true;
}

/* An empty line at `at` is allowed if only empty lines follow. */
static void blank_lines(kn_block *block, size_t at)
{
    block->blank = block->lines + 1;
    for (size_t i = at; i < block->len; i++) {
        if (block->text[i] == '\n') {
            block->lines++;
        } else if (!is_empty(block->text + i, 1)) {
            kn__block_fail(block, block->blank, "",
                           "the line is empty, and records follow: remove it, or write the record");
            return;
        }
    }
}

static void parse(void *user, kn_block *block)
{
    jsonl *x = user;
    const size_t limit = kn__text_check(block->text, block->len);
    kn_json_span *values = kn__malloc_array(x->columns, sizeof *values);
    kn_buffer scratch = {0};
    size_t at = 0;

    if (!values) {
        (void)no_memory(block);
    }
    while (values && at < block->len) {
        const char *end = memchr(block->text + at, '\n', block->len - at);
        const size_t stop = end ? (size_t)(end - block->text) : block->len;

        if (limit < stop) {
            kn__block_fail_byte(block, block->lines + 1, NULL, limit);
            break;
        }
        if (is_empty(block->text + at, stop - at)) {
            blank_lines(block, at);
            break;
        }
        if (!find_values(x, block, at, stop, values, &scratch) ||
            !add_record(x, block, values, &scratch)) {
            break;
        }
        block->lines += end != NULL;
        at = stop + 1;
    }
    kn__buffer_free(&scratch);
    kn__free(values);
}

/* ---- the reader ---- */

static bool enough(void *user, const char *text, size_t len)
{
    (void)user;
    return memchr(text, '\n', len) != NULL;
}

static void forget_names(jsonl *x)
{
    for (size_t i = 0; x->name && i < x->columns; i++) {
        char *name;
        memcpy(&name, &x->name[i], sizeof name);
        kn__free(name);
    }
    KN_FREE(x->name, x->missing, x->declared);
    x->declared = NULL;
    x->name = NULL;
    x->missing = NULL;
}

/* Look up the names in the schema, once they are known. */
static kn_status settle_names(jsonl *x, kn_error *err)
{
    x->name = kn__zalloc_array(x->columns, sizeof *x->name);
    x->missing = kn__zalloc_array(x->columns, sizeof *x->missing);
    x->declared = kn__zalloc_array(x->columns, sizeof *x->declared);
    KN_PASS(x->name && x->missing && x->declared ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < x->columns; i++) {
        const kn_column_spec *spec;
        size_t len;
        bool set;
        const char *text = kn__dict_text(x->names, (uint32_t)i, &len);

        x->name[i] = kn__strndup(text, len);
        KN_PASS(x->name[i] ? KN_OK : kn__nomem(err));
        spec = kn__schema_find(x->schema, x->name[i]);
        x->declared[i] = (spec && kn__type_is_list(spec->type)) ||
                         kn__schema_makes_list(x->schema, x->name[i], &set);
        x->missing[i] = "";
        if (!kn__schema_is_missing(x->schema, spec, "", 0)) {
            if (spec && spec->missing_count) {
                x->missing[i] = spec->missing[0];
            } else if (x->schema && !(spec && spec->missing) && x->schema->missing_count) {
                x->missing[i] = x->schema->missing[0];
            }
        }
    }
    return KN_OK;
}

/* Examine the first block: names, line ends. */
static kn_status examine(jsonl *x, kn_reading *r, kn_error *err)
{
    kn_block block = {0};
    const char *end;
    size_t len;
    kn_status status = kn__feed_peek(r->feed, enough, NULL, &block.text, &len, &r->layout.bom, err);

    if (status != KN_OK) {
        return status;
    }
    if (len == 0) {
        return kn__fail(err, KN_EINPUT, "%s: the file is empty",
                        kn__source_name(kn__feed_source(r->feed)));
    }
    end = memchr(block.text, '\n', len);
    r->layout.crlf = end && end > block.text && end[-1] == '\r';
    block.len = split(NULL, block.text, len);
    block.len = block.len ? block.len : len;
    collect(x, &block);
    if (block.problem.status == KN_ENOMEM) {
        return kn__nomem(err);
    }
    return KN_OK; /* an error in the text is reported when it is parsed */
}

static kn_status reopen(kn_reading *r, kn_error *err)
{
    const char *text;
    size_t len;
    bool bom;

    kn__feed_close(r->feed);
    r->feed = NULL;
    if (kn__feed_open(&r->feed, r->path, r->options, r->sizes, err) != KN_OK) {
        return err->status;
    }
    return kn__feed_peek(r->feed, enough, NULL, &text, &len, &bom, err);
}

/* Read the whole file for names and lists only. */
static kn_status collect_all(jsonl *x, kn_reading *r, kn_error *err)
{
    const kn_feed_format format = {.split = split, .parse = collect, .user = x};
    kn_run one = r->run ? *r->run : (kn_run){0};
    kn_builder *builder = NULL;
    kn_status status;

    one.threads = 1; /* names are numbered in the order of the file */
    KN_TRY(reopen(r, err));
    KN_TRY(kn__builder_new(&builder, NULL, 0, NULL, false, NULL, 1, err));
    KN_TRY(kn__feed_run(r->feed, &format, builder, &one, err));
done:
    kn__builder_free(builder);
    return status;
}

static kn_status read_once(jsonl *x, kn_reading *r, kn_builder **builder, kn_error *err)
{
    const kn_feed_format format = {.split = split, .parse = parse, .user = x};
    kn_status status;

    KN_TRY(settle_names(x, err));
    KN_TRY(kn__builder_new(builder, x->name, x->columns, r->options->schema,
                           r->options->keep_dropped, x->lists, r->threads, err));
    KN_TRY(kn__feed_run(r->feed, &format, *builder, r->run, err));
done:
    if (status != KN_OK) {
        kn__builder_free(*builder);
        *builder = NULL;
    }
    return status;
}

/* The first block did not show all names, or not which values are lists: collect these from the
 * whole file, then read it again. */
static kn_status read_twice(jsonl *x, kn_reading *r, kn_builder **builder, kn_error *err)
{
    kn_status status;

    forget_names(x);
    *err = (kn_error){0};
    status = collect_all(x, r, err);
    if (status == KN_EINPUT) {
        status = KN_OK; /* reading again reports the first thing that is wrong */
    }
    KN_TRY(status);
    *err = (kn_error){0};
    KN_TRY(reopen(r, err));
    KN_TRY(read_once(x, r, builder, err));
done:
    return status;
}

static kn_status read_jsonl(kn_reading *r, kn_dataset **out, kn_error *err)
{
    jsonl x = {.schema = r->options->schema};
    kn_builder *builder = NULL, *full;
    kn_status status;

    KN_TRY(kn__dict_new(&x.names, err));
    KN_TRY(examine(&x, r, err));
    status = read_once(&x, r, &builder, err);
    if (status == KN_EINPUT && atomic_load(&x.incomplete) && kn__file_is_plain(r->path)) {
        status = read_twice(&x, r, &builder, err);
    }
    KN_TRY(status);
    if (x.columns == 0) {
        KN_TRY(kn__fail(err, KN_EINPUT, "%s: its records hold nothing",
                        kn__source_name(kn__feed_source(r->feed))));
    }
    full = builder;
    builder = NULL;
    KN_TRY(kn__builder_finish(full, r->run, out, err));
done:
    forget_names(&x);
    kn__dict_free(x.names);
    kn__free(x.lists);
    kn__builder_free(builder);
    return status;
}

const kn_reader kn__reader_jsonl = {read_jsonl};
