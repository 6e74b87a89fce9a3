/* json_write.c - tree records as JSON, in the shape that document.h states: one list of records
 * (.json), or one record per line (.jsonl). */
#include "base/error.h"
#include "io/format/json_text.h"
#include "io/format/trees.h"

#include <string.h>

static const char *value_key(const kn_forest *f)
{
    return kn__tree_class_find(&f->classes, "value", 5) == SIZE_MAX ? "\"value\"" : "\"@value\"";
}

static void put_value(const kn_writing *w, uint32_t code, kn_buffer *out)
{
    kn__json_quote(out, w->forest->text[code], strlen(w->forest->text[code]));
}

kn_status kn__json_prepare_trees(kn_writing *w, kn_error *err)
{
    KN_PASS(kn__tree_writing(w, "JSON", err));
    KN_PASS(kn__tree_fill(w, put_value, err));
    if (w->layout.format == KN_FORMAT_JSON) {
        kn__buffer_adds(&w->head, "[");
        kn__buffer_adds(&w->tail, w->ds->records ? kn__line_end(&w->layout) : "");
        kn__buffer_adds(&w->tail, "]");
        kn__buffer_adds(&w->tail, kn__line_end(&w->layout));
    }
    return KN_OK;
}

static void put_name(const kn_forest *f, uint16_t class_, kn_buffer *out)
{
    kn__json_quote(out, f->classes.name[class_], strlen(f->classes.name[class_]));
}

/* The nodes of a record in preorder; siblings of a class stand together, as codes are ordered by
 * class, and become one list. */
static void put_record(const kn_writing *w, size_t record, kn_buffer *out)
{
    const kn_forest *f = w->forest;
    const uint32_t *value = f->value + f->starts[record], *parent = f->parent + f->starts[record];
    const uint32_t n = kn__forest_size(f, record);
    uint32_t before = KN_NO_PARENT; /* the last sibling before this node */

    kn__buffer_addc(out, '{');
    for (uint32_t i = 0; i < n; i++) {
        const uint16_t class_ = f->value_class[value[i]];
        const bool inner = i + 1 < n && parent[i + 1] == i;
        if (before == KN_NO_PARENT || f->value_class[value[before]] != class_) {
            if (before != KN_NO_PARENT) {
                kn__buffer_adds(out, "],");
            } else if (parent[i] != KN_NO_PARENT) {
                kn__buffer_addc(out, ',');
            }
            put_name(f, class_, out);
            kn__buffer_adds(out, ":[");
        } else {
            kn__buffer_addc(out, ',');
        }
        if (inner) {
            kn__buffer_addc(out, '{');
            kn__buffer_adds(out, value_key(f));
            kn__buffer_addc(out, ':');
            kn__tree_put(w, value[i], out);
            before = KN_NO_PARENT;
            continue;
        }
        kn__tree_put(w, value[i], out);
        /* Close up to the parent of the next node; `before` is then its last sibling. */
        before = i;
        for (const uint32_t next = i + 1 < n ? parent[i + 1] : KN_NO_PARENT; parent[before] != next;
             before = parent[before]) {
            kn__buffer_adds(out, "]}");
        }
    }
    kn__buffer_adds(out, n ? "]}" : "}");
}

void kn__json_put_trees(const kn_writing *w, size_t begin, size_t end, kn_buffer *out)
{
    const bool array = w->layout.format == KN_FORMAT_JSON;

    for (size_t record = begin; record < end; record++) {
        if (array) {
            kn__buffer_adds(out, record ? "," : "");
            kn__buffer_adds(out, kn__line_end(&w->layout));
        }
        put_record(w, record, out);
        if (!array) {
            kn__buffer_adds(out, kn__line_end(&w->layout));
        }
    }
}

const kn_writer kn__writer_json = {kn__json_prepare_trees, kn__json_put_trees};
