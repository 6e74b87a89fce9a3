/* trees_read.c - .trees: one record a line, children in parentheses behind their parent.
 *
 * The class of a value is the one before it (`price:5`), else that of the `#class` lines at the top
 * of the file, else what the caller knows (hierarchies, kn_read_options.class_of), else, where the
 * classes are given and nothing of this is, the class of its depth. What was found for a text is
 * remembered, so that each text is asked for once. */
#include "base/error.h"
#include "base/memory.h"
#include "data/dict.h"
#include "io/format/trees.h"

#include <string.h>

/* The class of a text that stands without one. */
typedef struct known_class {
    size_t class_; /* or KN_CLASS_SEVERAL, KN_CLASS_UNKNOWN */
} known_class;

typedef struct trees {
    kn_reading *r;
    kn_forest_builder *b;
    kn_dict *texts;
    known_class *known; /* by code of `texts` */
    size_t known_cap;
    size_t classes;  /* how many the schema names */
    bool stated;     /* the file has #class lines */
    bool by_depth;   /* no hierarchy and no line states classes: they go by depth */
    bool in_records; /* the #class lines are over */
    uint32_t *open;  /* the nodes whose parentheses are open */
    size_t open_len, open_cap;
    kn_buffer word, class_; /* unescaped */
    size_t line;            /* of the line that is parsed */
    const char *text;       /* that line */
    size_t len, at;
} trees;

static kn_status fail_at(const trees *t, size_t at, const char *what, kn_error *err)
{
    return kn__fail(err, KN_EINPUT, "%s: %s", kn__tree_place(t->line, t->text, at).text, what);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void skip_blanks(trees *t)
{
    while (t->at < t->len && is_blank(t->text[t->at])) {
        t->at++;
    }
}

/* A word in quotes, at t->at, into `out`. */
static kn_status read_quoted(trees *t, kn_buffer *out, kn_error *err)
{
    const size_t begin = t->at++;

    while (t->at < t->len && t->text[t->at] != '"') {
        char c = t->text[t->at++];
        if (c == '\\') {
            c = t->at < t->len ? t->text[t->at++] : '\0';
            switch (c) {
            case 'n': c = '\n'; break;
            case 'r': c = '\r'; break;
            case 't': c = '\t'; break;
            case '"':
            case '\\': break;
            default:
                return fail_at(t, t->at - 1,
                               "a backslash in quotes stands before n, r, t, \" or \\ only", err);
            }
        }
        kn__buffer_addc(out, c);
    }
    if (t->at == t->len) {
        return fail_at(t, begin, "the quotes that begin here have no end in this line", err);
    }
    t->at++;
    return KN_OK;
}

/* A word into `out`; `*begin` is where it stands. */
static kn_status read_word(trees *t, kn_buffer *out, size_t *begin, kn_error *err)
{
    out->len = 0;
    *begin = t->at;
    if (t->at < t->len && t->text[t->at] == '"') {
        return read_quoted(t, out, err);
    }
    while (t->at < t->len && !is_blank(t->text[t->at]) && !strchr("():\"", t->text[t->at])) {
        t->at++;
    }
    if (t->at == *begin) {
        return fail_at(t, t->at, "a value is expected here: write \"\" for an empty one", err);
    }
    if (t->at < t->len && t->text[t->at] == '"') {
        return fail_at(t, t->at, "a quote inside a value: put the whole value in quotes", err);
    }
    kn__buffer_add(out, t->text + *begin, t->at - *begin);
    return KN_OK;
}

static kn_status remember(trees *t, const char *text, size_t len, known_class **out, bool *is_new,
                          kn_error *err)
{
    const uint32_t before = t->texts->len;
    uint32_t code;

    KN_PASS(kn__dict_add(t->texts, text, len, &code, err));
    KN_PASS(kn__grow(&t->known, &t->known_cap, (size_t)code + 1, sizeof *t->known, err));
    *is_new = code == before;
    if (*is_new) {
        t->known[code].class_ = KN_CLASS_UNKNOWN;
    }
    *out = &t->known[code];
    return KN_OK;
}

/* "#class NAME VALUE VALUE ..." */
static kn_status read_class_line(trees *t, kn_error *err)
{
    uint16_t class_;
    size_t begin;

    t->at = strlen("#class");
    skip_blanks(t);
    KN_PASS(read_word(t, &t->class_, &begin, err));
    KN_PASS(t->class_.failed ? kn__nomem(err) : KN_OK);
    KN_PASS(kn__forest_builder_class(t->b, t->class_.data ? t->class_.data : "", t->class_.len,
                                     &class_, err));
    for (skip_blanks(t); t->at < t->len; skip_blanks(t)) {
        known_class *known;
        bool is_new;
        KN_PASS(read_word(t, &t->word, &begin, err));
        KN_PASS(t->word.failed ? kn__nomem(err) : KN_OK);
        KN_PASS(remember(t, t->word.data, t->word.len, &known, &is_new, err));
        KN_PASS(kn__forest_builder_value(t->b, class_, t->word.data ? t->word.data : "",
                                         t->word.len, err));
        known->class_ = is_new || known->class_ == class_ ? class_ : KN_CLASS_SEVERAL;
        if (t->at < t->len && !is_blank(t->text[t->at])) {
            KN_PASS(fail_at(t, t->at,
                            "a line of a class holds values between spaces: put this "
                            "value in quotes",
                            err));
        }
    }
    t->stated = true;
    return KN_OK;
}

static kn_status fail_class(const trees *t, size_t at, size_t class_, kn_error *err)
{
    const kn_quote q = kn__quote_make(t->word.data, t->word.len);

    if (class_ == KN_CLASS_SEVERAL) {
        return kn__fail(err, KN_EINPUT,
                        "%s: %s is a value of several classes: write the class before it, as in "
                        "price:5",
                        kn__tree_place(t->line, t->text, at).text, q.text);
    }
    return kn__fail(err, KN_EINPUT,
                    "%s: the class of %s is not known: write it before the value (price:5), list "
                    "the values of each class in a line at the top (#class price 5 10), or give "
                    "each class a hierarchy that covers its values (--hierarchy CLASS=FILE)",
                    kn__tree_place(t->line, t->text, at).text, q.text);
}

/* The class of t->word, which stands without one. */
static kn_status find_class(trees *t, size_t at, uint16_t *out, kn_error *err)
{
    const kn_read_options *options = t->r->options;
    known_class *known;
    bool is_new;

    KN_PASS(remember(t, t->word.data, t->word.len, &known, &is_new, err));
    if (is_new && options->class_of) {
        const size_t class_ = options->class_of(options->class_of_user, t->word.data, t->word.len);
        known->class_ = class_ < t->classes || class_ == KN_CLASS_SEVERAL ? class_
                                                                          : KN_CLASS_UNKNOWN;
    } else if (is_new && t->by_depth && t->open_len < t->classes) {
        known->class_ = t->open_len;
    }
    if (t->by_depth && !is_new && known->class_ != t->open_len) {
        known->class_ = KN_CLASS_SEVERAL; /* the text stands on two levels */
    }
    if (known->class_ == KN_CLASS_UNKNOWN || known->class_ == KN_CLASS_SEVERAL) {
        KN_PASS(fail_class(t, at, known->class_, err));
    }
    *out = (uint16_t)known->class_;
    return KN_OK;
}

/* Classes that neither the schema nor a line at the top states come by being used; where they are
 * stated, a class that is not among them is a mistake. */
static kn_status use_class(trees *t, size_t at, uint16_t *out, kn_error *err)
{
    const size_t before = kn__forest_builder_classes(t->b)->len;

    KN_PASS(t->class_.failed ? kn__nomem(err) : KN_OK);
    KN_PASS(kn__forest_builder_class(t->b, t->class_.data ? t->class_.data : "", t->class_.len, out,
                                     err));
    if ((t->stated || t->classes) && *out == before) {
        KN_PASS(
            kn__fail(err, KN_EINPUT,
                     "%s: there is no class called %s: put a value that holds a colon in quotes",
                     kn__tree_place(t->line, t->text, at).text,
                     kn__quote_make(t->class_.data, t->class_.len).text));
    }
    return KN_OK;
}

/* One node: "value" or "class:value". */
static kn_status read_node(trees *t, uint32_t *node, kn_error *err)
{
    const uint32_t parent = t->open_len ? t->open[t->open_len - 1] : KN_NO_PARENT;
    uint16_t class_;
    size_t begin, value;

    KN_PASS(read_word(t, &t->word, &begin, err));
    if (t->at < t->len && t->text[t->at] == ':') {
        kn_buffer swap = t->class_;
        t->class_ = t->word;
        t->word = swap;
        t->at++;
        KN_PASS(read_word(t, &t->word, &value, err));
        KN_PASS(use_class(t, begin, &class_, err));
        KN_PASS(t->word.failed ? kn__nomem(err) : KN_OK);
    } else {
        KN_PASS(t->word.failed ? kn__nomem(err) : KN_OK);
        KN_PASS(find_class(t, begin, &class_, err));
    }
    if (t->at < t->len && strchr(":\"", t->text[t->at])) {
        KN_PASS(fail_at(t, t->at,
                        "values are separated by spaces: put a value that holds a colon "
                        "or quotes in quotes",
                        err));
    }
    return kn__forest_builder_node(t->b, class_, t->word.data ? t->word.data : "", t->word.len,
                                   parent, node, err);
}

static kn_status read_record(trees *t, kn_error *err)
{
    uint32_t node = KN_NO_PARENT; /* whose children a parenthesis would open */

    t->open_len = 0;
    KN_PASS(kn__forest_builder_record(t->b, err));
    for (skip_blanks(t); t->at < t->len; skip_blanks(t)) {
        const char c = t->text[t->at];
        if (c == '(') {
            KN_PASS(node != KN_NO_PARENT
                        ? KN_OK
                        : fail_at(t, t->at, "a parenthesis opens behind a value only", err));
            KN_PASS(kn__grow(&t->open, &t->open_cap, t->open_len + 1, sizeof *t->open, err));
            t->open[t->open_len++] = node;
            node = KN_NO_PARENT;
            t->at++;
        } else if (c == ')') {
            KN_PASS(t->open_len ? KN_OK
                                : fail_at(t, t->at, "this parenthesis closes nothing", err));
            t->open_len--;
            node = KN_NO_PARENT;
            t->at++;
        } else {
            KN_PASS(read_node(t, &node, err));
        }
    }
    if (t->open_len) {
        KN_PASS(kn__fail(err, KN_EINPUT, "line %zu: %zu parenthes%s not closed", t->line,
                         t->open_len, t->open_len == 1 ? "is is" : "es are"));
    }
    return KN_OK;
}

static kn_status read_line(trees *t, kn_error *err)
{
    t->at = 0;
    if (t->len && t->text[0] == '#') {
        size_t word = 0;
        while (word < t->len && !is_blank(t->text[word])) {
            word++;
        }
        if (t->in_records) {
            return fail_at(t, 0,
                           "#class lines stand before all records: put a value that begins "
                           "with # in quotes",
                           err);
        }
        if (word != strlen("#class") || memcmp(t->text, "#class", word) != 0 || word >= t->len) {
            return fail_at(t, 0,
                           "a line that begins with # must be '#class NAME VALUES': put a "
                           "value that begins with # in quotes",
                           err);
        }
        return read_class_line(t, err);
    }
    if (!t->in_records) {
        t->in_records = true;
        t->by_depth = t->classes && !t->stated && !t->r->options->class_of;
    }
    return read_record(t, err);
}

static bool enough(void *user, const char *text, size_t len)
{
    (void)user;
    return memrchr(text, '\n', len) != NULL;
}

static kn_status parse(void *user, const char *text, size_t len, bool last, size_t *used,
                       size_t *lines, kn_error *err)
{
    trees *t = user;
    const char *end = memrchr(text, '\n', len);
    kn_status status;

    if (!last && end) {
        len = (size_t)(end - text) + 1;
    }
    status = KN_OK;
    while (*used < len) {
        const char *stop = memchr(text + *used, '\n', len - *used);
        t->text = text + *used;
        t->len = stop ? (size_t)(stop - t->text) : len - *used;
        *used += t->len + (stop != NULL);
        if (t->len && t->text[t->len - 1] == '\r') {
            t->len--;
            t->r->layout.crlf = true;
        }
        KN_TRY(kn__tree_check_text(t->text, t->len, t->line, err));
        KN_TRY(read_line(t, err));
        *lines += stop != NULL;
        t->line++;
    }
done:
    return status;
}

static kn_status read_trees(kn_reading *r, kn_dataset **out, kn_error *err)
{
    trees t = {.r = r,
               .classes = r->options->schema ? r->options->schema->classes_count : 0,
               .line = 1};
    const kn_tree_feed feed = {.enough = enough, .parse = parse, .user = &t};
    kn_status status;

    KN_TRY(kn__tree_builder(r, &t.b, err));
    KN_TRY(kn__dict_new(&t.texts, err));
    KN_TRY(kn__tree_feed_run(r, &feed, err));
    status = kn__tree_finish(r, t.b, t.stated, out, err);
    t.b = NULL;
done:
    kn__forest_builder_free(t.b);
    kn__dict_free(t.texts);
    KN_FREE(t.known, t.open);
    kn__buffer_free(&t.word);
    kn__buffer_free(&t.class_);
    return status;
}

const kn_reader kn__reader_trees = {read_trees};
