/* tree_shape.c - the notation of --tree: a recursive-descent parser whose depth is limited. */
#include "data/tree_shape.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum { DEEPEST = 64, LONGEST = 100000 };

typedef struct parser {
    const char *text;
    size_t at;
    unsigned depth;
    kn_tree_shape *shape;
    kn_error *err;
} parser;

static kn_status wrong(const parser *p, size_t at, const char *what)
{
    return kn__fail(p->err, KN_EUSAGE,
                    "--tree: character %zu: %s (an example: 'customer(nation) > orders[2](price, "
                    "date) > lineitem(quantity, part.mfgr as maker)')",
                    at + 1, what);
}

static void skip(parser *p)
{
    p->at += strspn(p->text + p->at, " \t\n\r");
}

static bool take(parser *p, char c)
{
    skip(p);
    if (p->text[p->at] != c) {
        return false;
    }
    p->at++;
    return true;
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '@' || (unsigned char)c >= 0x80;
}

/* One name, quoted or plain, into a new text `*out`. */
static kn_status read_name(parser *p, const char *expected, char **out)
{
    size_t begin;

    skip(p);
    begin = p->at;
    if (p->text[p->at] == '"') {
        const char *end = strchr(p->text + p->at + 1, '"');
        if (!end || end == p->text + p->at + 1) {
            return wrong(p, begin, end ? "an empty name" : "these quotes are not closed");
        }
        *out = kn__strndup(p->text + p->at + 1, (size_t)(end - p->text) - p->at - 1);
        p->at = (size_t)(end - p->text) + 1;
    } else {
        while (is_plain(p->text[p->at])) {
            p->at++;
        }
        if (p->at == begin) {
            return wrong(p, begin, expected);
        }
        *out = kn__strndup(p->text + begin, p->at - begin);
    }
    return *out ? KN_OK : kn__nomem(p->err);
}

/* `as` and a name, or nothing. */
static kn_status read_alias(parser *p, char **out)
{
    *out = NULL;
    skip(p);
    if (strncmp(p->text + p->at, "as", 2) != 0 || is_plain(p->text[p->at + 2])) {
        return KN_OK;
    }
    p->at += 2;
    return read_name(p, "the name of a class is expected behind 'as'", out);
}

static kn_status add_class(parser *p, const char *name, size_t at, uint16_t *out)
{
    kn_tree_classes *classes = &p->shape->classes;

    if (kn__tree_class_find(classes, name, strlen(name)) != SIZE_MAX) {
        return wrong(p, at,
                     "this class occurs twice: call one of them otherwise, as in 'artist.name as "
                     "artist'");
    }
    KN_PASS(kn__grow(&classes->name, &p->shape->classes_cap, classes->len + 1,
                     sizeof *classes->name, p->err));
    classes->name[classes->len] = kn__strdup(name);
    KN_PASS(classes->name[classes->len] ? KN_OK : kn__nomem(p->err));
    *out = (uint16_t)classes->len++;
    return KN_OK;
}

/* The steps of an attribute: "column", "table.column", ".". */
static kn_status read_steps(parser *p, kn_shape_attribute *a)
{
    size_t cap = 0;
    bool more;

    if (take(p, '.')) {
        KN_PASS(kn__grow(&a->steps, &cap, 1, sizeof *a->steps, p->err));
        a->steps[0] = kn__strdup(".");
        KN_PASS(a->steps[0] ? KN_OK : kn__nomem(p->err));
        a->steps_count = 1;
        return KN_OK;
    }
    do {
        KN_PASS(kn__grow(&a->steps, &cap, a->steps_count + 1, sizeof *a->steps, p->err));
        KN_PASS(read_name(p, "the name of a column is expected here", &a->steps[a->steps_count]));
        a->steps_count++;
        more = p->text[p->at] == '.';
        p->at += more;
    } while (more);
    return KN_OK;
}

static kn_status read_attributes(parser *p, size_t *first);

static kn_status read_attribute(parser *p, size_t *out)
{
    kn_tree_shape *s = p->shape;
    char *alias = NULL;
    size_t at, begin, first;
    kn_status status;

    KN_TRY(kn__grow(&s->attribute, &s->attributes_cap, s->attributes + 1, sizeof *s->attribute,
                    p->err));
    at = s->attributes++;
    s->attribute[at] = (kn_shape_attribute){.first = KN_NO_PART, .next = KN_NO_PART};
    skip(p);
    begin = p->at;
    KN_TRY(read_steps(p, &s->attribute[at]));
    KN_TRY(read_alias(p, &alias));
    if (!alias && strcmp(s->attribute[at].steps[0], ".") == 0) {
        KN_TRY(wrong(p, begin, "the value itself needs a name for its class: '. as drug'"));
    }
    KN_TRY(add_class(p, alias ? alias : s->attribute[at].steps[s->attribute[at].steps_count - 1],
                     begin, &s->attribute[at].class_));
    if (take(p, '(')) {
        KN_TRY(read_attributes(p, &first));
        s->attribute[at].first = first;
    }
    *out = at;
done:
    kn__free(alias);
    return status;
}

/* What stands between parentheses, the closing one included. */
static kn_status read_attributes(parser *p, size_t *first)
{
    size_t last = KN_NO_PART, at;

    *first = KN_NO_PART;
    if (++p->depth > DEEPEST) {
        KN_PASS(wrong(p, p->at, "too deep"));
    }
    if (!take(p, ')')) {
        do {
            KN_PASS(read_attribute(p, &at));
            if (last == KN_NO_PART) {
                *first = at;
            } else {
                p->shape->attribute[last].next = at;
            }
            last = at;
        } while (take(p, ','));
        if (!take(p, ')')) {
            KN_PASS(wrong(p, p->at, "',' or ')' is expected here"));
        }
    }
    p->depth--;
    return KN_OK;
}

static kn_status read_limit(parser *p, size_t *out)
{
    const size_t begin = p->at;
    size_t limit = 0;

    skip(p);
    while (p->text[p->at] >= '0' && p->text[p->at] <= '9' && limit < LONGEST * 10000u) {
        limit = limit * 10 + (size_t)(p->text[p->at++] - '0');
    }
    if (limit == 0 || !take(p, ']')) {
        return wrong(p, begin, "a limit is a number of rows above 0 in brackets: [2]");
    }
    *out = limit;
    return KN_OK;
}

static kn_status read_table(parser *p, size_t *out);

/* The tables behind '>'. */
static kn_status read_below(parser *p, size_t *first)
{
    size_t last = KN_NO_PART, at;

    if (!take(p, '{')) {
        return read_table(p, first);
    }
    do {
        KN_PASS(read_table(p, &at));
        if (last == KN_NO_PART) {
            *first = at;
        } else {
            p->shape->table[last].next = at;
        }
        last = at;
    } while (take(p, ','));
    if (!take(p, '}')) {
        KN_PASS(wrong(p, p->at, "',' or '}' is expected here"));
    }
    return KN_OK;
}

static kn_status read_table(parser *p, size_t *out)
{
    kn_tree_shape *s = p->shape;
    size_t at, part;

    if (++p->depth > DEEPEST) {
        return wrong(p, p->at, "too deep");
    }
    KN_PASS(kn__grow(&s->table, &s->tables_cap, s->tables + 1, sizeof *s->table, p->err));
    at = s->tables++;
    s->table[at] = (kn_shape_table){
        .limit = KN_NO_LIMIT, .attribute = KN_NO_PART, .first = KN_NO_PART, .next = KN_NO_PART};
    KN_PASS(read_name(p, "the name of a table is expected here", &s->table[at].name));
    if (take(p, '[')) {
        KN_PASS(read_limit(p, &s->table[at].limit));
    }
    if (take(p, '(')) {
        KN_PASS(read_attributes(p, &part));
        s->table[at].attribute = part;
    }
    if (take(p, '>')) {
        KN_PASS(read_below(p, &part));
        s->table[at].first = part;
    }
    p->depth--;
    *out = at;
    return KN_OK;
}

kn_status kn__tree_shape_parse(kn_tree_shape **out, const char *notation, kn_error *err)
{
    parser p = {.text = notation, .err = err};
    size_t root;
    kn_status status;

    *out = NULL;
    p.shape = kn__zalloc(sizeof *p.shape);
    KN_TRY(p.shape ? KN_OK : kn__nomem(err));
    if (strlen(notation) > LONGEST) {
        KN_TRY(wrong(&p, LONGEST, "the notation is too long"));
    }
    KN_TRY(read_table(&p, &root));
    skip(&p);
    if (p.text[p.at]) {
        KN_TRY(wrong(&p, p.at, "the notation should end here, or go on with '>'"));
    }
    if (p.shape->attributes == 0) {
        KN_TRY(wrong(&p, p.at, "no table has an attribute: name columns in parentheses"));
    }
    *out = p.shape;
    p.shape = NULL;
done:
    kn__tree_shape_free(p.shape);
    return status;
}

void kn__tree_shape_free(kn_tree_shape *shape)
{
    if (!shape) {
        return;
    }
    for (size_t i = 0; i < shape->tables; i++) {
        kn__free(shape->table[i].name);
    }
    for (size_t i = 0; i < shape->attributes; i++) {
        for (size_t j = 0; j < shape->attribute[i].steps_count; j++) {
            kn__free(shape->attribute[i].steps[j]);
        }
        kn__free(shape->attribute[i].steps);
    }
    for (size_t i = 0; i < shape->classes.len; i++) {
        kn__free(shape->classes.name[i]);
    }
    KN_FREE(shape->classes.name, shape->table, shape->attribute, shape);
}
