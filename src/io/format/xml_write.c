/* xml_write.c - tree records as XML: <hospital value="Hospital_1"><diagnosis
 * value="Flu"/></hospital>, one <record> per line. A class whose name is none of XML's is written
 * <node class="..." value="...">. Control characters that XML 1.0 cannot hold are refused. */
#include "base/error.h"
#include "io/format/trees.h"

#include <string.h>

static void put_text(kn_buffer *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': kn__buffer_adds(out, "&amp;"); break;
        case '<': kn__buffer_adds(out, "&lt;"); break;
        case '>': kn__buffer_adds(out, "&gt;"); break;
        case '"': kn__buffer_adds(out, "&quot;"); break;
        case '\n': kn__buffer_adds(out, "&#10;"); break; /* attributes lose line ends otherwise */
        case '\r': kn__buffer_adds(out, "&#13;"); break;
        case '\t': kn__buffer_adds(out, "&#9;"); break;
        default: kn__buffer_addc(out, *text);
        }
    }
}

/* Names of ASCII only, so that no table of letters is needed. */
static bool is_name(const char *name)
{
    for (size_t i = 0; name[i]; i++) {
        const char c = name[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '-' || c == '.'))) {
            return false;
        }
    }
    return *name && strncasecmp(name, "xml", 3) != 0 && strcmp(name, "node") != 0;
}

static void put_start(const kn_writing *w, uint32_t code, kn_buffer *out)
{
    const char *class_ = w->forest->classes.name[w->forest->value_class[code]];

    if (is_name(class_)) {
        kn__buffer_addf(out, "<%s value=\"", class_);
    } else {
        kn__buffer_adds(out, "<node class=\"");
        put_text(out, class_);
        kn__buffer_adds(out, "\" value=\"");
    }
    put_text(out, w->forest->text[code]);
    kn__buffer_addc(out, '"');
}

/* Whether XML 1.0 cannot hold `text`, escaped or not. */
static bool is_beyond_xml(const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if ((*p < ' ' && *p != '\n' && *p != '\r' && *p != '\t') ||
            (p[0] == 0xef && p[1] == 0xbf && (p[2] == 0xbe || p[2] == 0xbf))) {
            return true;
        }
    }
    return false;
}

static kn_status prepare(kn_writing *w, kn_error *err)
{
    KN_PASS(kn__tree_writing(w, "XML", err));
    for (uint32_t code = 0; code < w->forest->values; code++) {
        const char *class_ = w->forest->classes.name[w->forest->value_class[code]];
        if (is_beyond_xml(w->forest->text[code]) || is_beyond_xml(class_)) {
            KN_PASS(kn__fail(err, KN_EUSAGE,
                             "class '%.80s': a value holds a control character, which XML cannot "
                             "hold: write JSON or .trees",
                             class_));
        }
    }
    KN_PASS(kn__tree_fill(w, put_start, err));
    kn__buffer_addf(&w->head, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>%s<records>%s",
                    kn__line_end(&w->layout), kn__line_end(&w->layout));
    kn__buffer_addf(&w->tail, "</records>%s", kn__line_end(&w->layout));
    return KN_OK;
}

static void put_record(const kn_writing *w, size_t record, kn_buffer *out)
{
    const kn_forest *f = w->forest;
    const uint32_t *value = f->value + f->starts[record], *parent = f->parent + f->starts[record];
    const uint32_t n = kn__forest_size(f, record);

    kn__buffer_adds(out, "<record>");
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t next = i + 1 < n ? parent[i + 1] : KN_NO_PARENT;
        const bool inner = i + 1 < n && next == i;
        kn__tree_put(w, value[i], out);
        kn__buffer_adds(out, inner ? ">" : "/>");
        for (uint32_t up = parent[i]; !inner && up != next; up = parent[up]) {
            const char *class_ = f->classes.name[f->value_class[value[up]]];
            kn__buffer_addf(out, "</%s>", is_name(class_) ? class_ : "node");
        }
    }
    kn__buffer_adds(out, "</record>");
    kn__buffer_adds(out, kn__line_end(&w->layout));
}

static void records(const kn_writing *w, size_t begin, size_t end, kn_buffer *out)
{
    for (size_t record = begin; record < end; record++) {
        put_record(w, record, out);
    }
}

const kn_writer kn__writer_xml = {prepare, records};
