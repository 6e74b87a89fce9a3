/* trees_write.c - .trees: one record a line, `Hospital_1(Flu(Antibiotics) Gastritis) Hospital_2`.
 *
 * The file begins with one line per class, in their order, that lists the values that occur:
 * `#class hospital Hospital_1 Hospital_2`. So a record needs no class names, and the file no schema
 * to be read back. A text that is a value of two classes is written with its class: `price:5`. */
#include "base/error.h"
#include "io/format/trees.h"

#include <string.h>

/* Whether `text` read back as a word would be another text or several. */
static bool needs_quotes(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c <= ' ' || c == '(' || c == ')' || c == '"' || c == ':' || c == '\\' || c == 0x7f) {
            return true;
        }
    }
    return len == 0 || text[0] == '#';
}

/* Append `text` as a word of the .trees format, in quotes where needed. */
static void trees_put_word(kn_buffer *out, const char *text, size_t len)
{
    if (!needs_quotes(text, len)) {
        kn__buffer_add(out, text, len);
        return;
    }
    kn__buffer_addc(out, '"');
    for (size_t i = 0; i < len; i++) {
        switch (text[i]) {
        case '"':
        case '\\':
            kn__buffer_addc(out, '\\');
            kn__buffer_addc(out, text[i]);
            break;
        case '\n': kn__buffer_adds(out, "\\n"); break;
        case '\r': kn__buffer_adds(out, "\\r"); break;
        case '\t': kn__buffer_adds(out, "\\t"); break;
        default: kn__buffer_addc(out, text[i]);
        }
    }
    kn__buffer_addc(out, '"');
}

static void put_text(const kn_writing *w, uint32_t code, kn_buffer *out)
{
    trees_put_word(out, w->forest->text[code], strlen(w->forest->text[code]));
}

/* Values whose text another class has too get the class before them. */
static void put_value(const kn_writing *w, uint32_t code, kn_buffer *out)
{
    const kn_forest *f = w->forest;
    const size_t len = strlen(f->text[code]);
    bool elsewhere = false;

    for (uint16_t c = 0; c < f->classes.len && !elsewhere; c++) {
        elsewhere = c != f->value_class[code] &&
                    kn__forest_find(f, c, f->text[code], len) != KN_NO_VALUE;
    }
    if (elsewhere) {
        const char *class_ = f->classes.name[f->value_class[code]];
        trees_put_word(out, class_, strlen(class_));
        kn__buffer_addc(out, ':');
    }
    put_text(w, code, out);
}

static kn_status prepare(kn_writing *w, kn_error *err)
{
    KN_PASS(kn__tree_writing(w, ".trees", err));
    for (uint16_t c = 0; c < w->forest->classes.len; c++) {
        uint32_t code, end;
        kn__forest_class_values(w->forest, c, &code, &end);
        if (code == end) {
            continue;
        }
        kn__buffer_adds(&w->head, "#class ");
        trees_put_word(&w->head, w->forest->classes.name[c], strlen(w->forest->classes.name[c]));
        for (; code < end; code++) {
            kn__buffer_addc(&w->head, ' ');
            put_text(w, code, &w->head);
        }
        kn__buffer_adds(&w->head, kn__line_end(&w->layout));
    }
    return kn__tree_fill(w, put_value, err);
}

static void put_record(const kn_writing *w, size_t record, kn_buffer *out)
{
    const kn_forest *f = w->forest;
    const uint32_t *value = f->value + f->starts[record], *parent = f->parent + f->starts[record];
    const uint32_t n = kn__forest_size(f, record);

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t next = i + 1 < n ? parent[i + 1] : KN_NO_PARENT;
        kn__tree_put(w, value[i], out);
        if (i + 1 < n && next == i) {
            kn__buffer_addc(out, '(');
            continue;
        }
        for (uint32_t up = parent[i]; up != next; up = parent[up]) {
            kn__buffer_addc(out, ')');
        }
        if (i + 1 < n) {
            kn__buffer_addc(out, ' ');
        }
    }
    kn__buffer_adds(out, kn__line_end(&w->layout));
}

static void records(const kn_writing *w, size_t begin, size_t end, kn_buffer *out)
{
    for (size_t record = begin; record < end; record++) {
        put_record(w, record, out);
    }
}

const kn_writer kn__writer_trees = {prepare, records};
