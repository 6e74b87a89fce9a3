/* document.c - records of nested JSON and XML, and how they become trees. What recurses goes as
 * deep as documents may be nested, KN_DOCUMENT_DEPTH. */
#include "io/format/document.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

void kn__document_clear(kn_document *d)
{
    d->items = 0;
    d->text.len = 0;
}

void kn__document_free(kn_document *d)
{
    kn__buffer_free(&d->text);
    kn__free(d->item);
}

kn_status kn__document_add(kn_document *d, uint32_t parent, const char *name, size_t len,
                           bool object, size_t line, uint32_t *out, kn_error *err)
{
    kn_document_item *item;

    if (d->items >= KN_NO_ITEM - 1) {
        return kn__fail(err, KN_EINPUT, "line %zu: the record is too large", line);
    }
    KN_PASS(kn__grow(&d->item, &d->cap, d->items + 1, sizeof *d->item, err));
    *out = (uint32_t)d->items++;
    item = &d->item[*out];
    *item = (kn_document_item){.name = d->text.len,
                               .name_len = len,
                               .object = object,
                               .first = KN_NO_ITEM,
                               .last = KN_NO_ITEM,
                               .next = KN_NO_ITEM,
                               .line = line};
    kn__buffer_add(&d->text, name, len);
    KN_PASS(d->text.failed ? kn__nomem(err) : KN_OK);
    item->value = d->text.len;
    if (parent != KN_NO_ITEM) {
        kn_document_item *up = &d->item[parent];
        if (up->last == KN_NO_ITEM) {
            up->first = *out;
        } else {
            d->item[up->last].next = *out;
        }
        up->last = *out;
    }
    return KN_OK;
}

void kn__document_value(kn_document *d, uint32_t item, const char *text, size_t len)
{
    kn__buffer_add(&d->text, text, len);
    d->item[item].value_len += len;
}

/* ---- reading a document ---- */

typedef struct growing {
    const kn_document *d;
    const kn_tree_shape *shape;
    kn_forest_builder *b;
    kn_error *err;
} growing;

static const char *text_at(const growing *g, size_t at)
{
    return g->d->text.data ? g->d->text.data + at : "";
}

static bool is_named(const growing *g, const kn_document_item *i, const char *name)
{
    return strlen(name) == i->name_len && memcmp(text_at(g, i->name), name, i->name_len) == 0;
}

static const kn_document_item *item_at(const growing *g, uint32_t i)
{
    return i == KN_NO_ITEM ? NULL : &g->d->item[i];
}

/* The first member called `name` of an object, or the next after `item`; NULL: there is none. */
static const kn_document_item *find(const growing *g, uint32_t from, const char *name)
{
    const kn_document_item *i = item_at(g, from);

    while (i && !is_named(g, i, name)) {
        i = item_at(g, i->next);
    }
    return i;
}

static kn_status wrong(const growing *g, const kn_document_item *i, const char *what)
{
    return kn__fail(g->err, KN_EINPUT, "line %zu: %s %s", i->line,
                    kn__quote_make(text_at(g, i->name), i->name_len).text, what);
}

static kn_status add_node(const growing *g, uint16_t class_, const kn_document_item *value,
                          uint32_t parent, uint32_t *node)
{
    return kn__forest_builder_node(g->b, class_, text_at(g, value->value), value->value_len, parent,
                                   node, g->err);
}

/* ---- kanon's own shape ---- */

static kn_status add_own(const growing *g, const kn_document_item *i, uint32_t parent)
{
    const kn_document_item *value = i;
    uint32_t node;
    uint16_t class_;

    if (i->name_len == 0) {
        return wrong(g, i, "is no name for a class: it is empty");
    }
    if (i->object) {
        value = find(g, i->first, "@value");
        value = value ? value : find(g, i->first, "value");
        if (!value || value->object) {
            return wrong(
                g, i,
                "is an object without a \"value\": say with --tree which field names a node "
                "and which fields nest (docs/tree-records.md)");
        }
        if (find(g, value->next, value->name_len == 6 ? "@value" : "value")) {
            return wrong(g, i, "has two values");
        }
    }
    KN_PASS(kn__forest_builder_class(g->b, text_at(g, i->name), i->name_len, &class_, g->err));
    KN_PASS(add_node(g, class_, value, parent, &node));
    for (const kn_document_item *m = item_at(g, i->first); i->object && m;
         m = item_at(g, m->next)) {
        KN_PASS(m == value ? KN_OK : add_own(g, m, node));
    }
    return KN_OK;
}

/* ---- the notation of --tree ---- */

/* Call `take` for every scalar that an attribute means in `row`: several, where lists are met. */
typedef struct found {
    const growing *g;
    const kn_shape_attribute *a;
    const kn_document_item *value[2]; /* the first two */
    size_t count;
    uint32_t parent;
    bool add; /* make nodes of them */
} found;

static kn_status add_attributes(const growing *g, size_t first, const kn_document_item *row,
                                uint32_t parent);

static kn_status take_value(found *f, const kn_document_item *value, const kn_document_item *row)
{
    uint32_t node;

    if (value->object) {
        return wrong(f->g, value, "is an object, where --tree names it as a value");
    }
    if (f->count < 2) {
        f->value[f->count] = value;
    }
    f->count++;
    if (f->add) {
        KN_PASS(add_node(f->g, f->a->class_, value, f->parent, &node));
        KN_PASS(add_attributes(f->g, f->a->first, row, node));
    }
    return KN_OK;
}

static kn_status find_values(found *f, const kn_document_item *from, size_t step,
                             const kn_document_item *row)
{
    const char *name = f->a->steps[step];

    if (strcmp(name, ".") == 0) {
        return from->object ? wrong(f->g, from, "is an object: '.' is for lists of values")
                            : take_value(f, from, row);
    }
    if (!from->object) {
        return wrong(f->g, from,
                     "is a value, where --tree names fields of an object ('.' is the "
                     "value itself)");
    }
    for (const kn_document_item *i = find(f->g, from->first, name); i;
         i = find(f->g, i->next, name)) {
        KN_PASS(step + 1 < f->a->steps_count ? find_values(f, i, step + 1, row)
                                             : take_value(f, i, row));
    }
    return KN_OK;
}

/* Attributes beside each other: a node for each value of each. */
static kn_status add_attributes(const growing *g, size_t first, const kn_document_item *row,
                                uint32_t parent)
{
    for (size_t a = first; a != KN_NO_PART; a = g->shape->attribute[a].next) {
        found f = {.g = g, .a = &g->shape->attribute[a], .parent = parent, .add = true};
        KN_PASS(find_values(&f, row, 0, row));
    }
    return KN_OK;
}

static kn_status add_row(const growing *g, const kn_shape_table *t, const kn_document_item *row,
                         uint32_t parent)
{
    uint32_t node = parent;

    if (t->attribute != KN_NO_PART) {
        found f = {.g = g, .a = &g->shape->attribute[t->attribute]};
        KN_PASS(find_values(&f, row, 0, row));
        if (f.count > 1) {
            KN_PASS(wrong(g, f.value[1],
                          "occurs several times in one object, where --tree lets it "
                          "name the node: give the list a table of its own"));
        }
        if (f.count) {
            KN_PASS(add_node(g, f.a->class_, f.value[0], parent, &node));
        }
        KN_PASS(add_attributes(g, f.a->first, row, node));
        KN_PASS(add_attributes(g, f.a->next, row, node));
    }
    for (size_t below = t->first; below != KN_NO_PART; below = g->shape->table[below].next) {
        const kn_shape_table *next = &g->shape->table[below];
        size_t rows = 0;
        if (!row->object) {
            KN_PASS(wrong(g, row, "is a value, where --tree names what nests in an object"));
        }
        for (const kn_document_item *i = find(g, row->first, next->name); i && rows < next->limit;
             i = find(g, i->next, next->name), rows++) {
            KN_PASS(add_row(g, next, i, node));
        }
    }
    return KN_OK;
}

/* Whether `i` and what is below it can be in kanon's own shape. */
static bool is_own(const growing *g, const kn_document_item *i)
{
    const kn_document_item *value = find(g, i->first, "@value");
    bool own = kn__tree_class_find(&g->shape->classes, text_at(g, i->name), i->name_len) !=
               SIZE_MAX;

    value = value ? value : find(g, i->first, "value");
    own = own && (!i->object || (value && !value->object));
    for (const kn_document_item *m = item_at(g, i->first); own && m; m = item_at(g, m->next)) {
        own = m == value || is_own(g, m);
    }
    return own;
}

static bool is_own_record(const growing *g)
{
    bool own = true;

    for (const kn_document_item *i = item_at(g, g->d->item[0].first); own && i;
         i = item_at(g, i->next)) {
        own = is_own(g, i);
    }
    return own;
}

kn_status kn__document_to_tree(const kn_document *d, const kn_tree_shape *shape, bool released,
                               kn_forest_builder *b, kn_error *err)
{
    const growing g = {.d = d, .shape = shape, .b = b, .err = err};
    kn_status status;

    KN_TRY(kn__forest_builder_record(b, err));
    if (shape && !(released && is_own_record(&g))) {
        KN_TRY(add_row(&g, &shape->table[0], &d->item[0], KN_NO_PARENT));
        goto done;
    }
    for (const kn_document_item *i = item_at(&g, d->item[0].first); i; i = item_at(&g, i->next)) {
        KN_TRY(add_own(&g, i, KN_NO_PARENT));
    }
done:
    return status;
}
