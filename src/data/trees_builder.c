/* trees_builder.c - a forest from nodes in any order.
 *
 * While it is built, a value's code is its place in the order of first appearance; the key of the
 * dictionary is two bytes of the class and then the text. kn__forest_builder_finish sorts the
 * values by class and text and renames the codes. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "data/dict.h"
#include "data/tree_arrange.h"

#include <stdlib.h>
#include <string.h>

struct kn_forest_builder {
    kn_forest *f; /* its texts and classes of values are filled in by finish */
    kn_dict *values;
    size_t starts_cap, value_cap, parent_cap, names_cap;
    uint64_t nodes;
    char *key; /* class and text of the value that is looked up */
    size_t key_cap;
};

kn_status kn__forest_builder_new(kn_forest_builder **out, const kn_tree_classes *classes,
                                 kn_error *err)
{
    kn_forest_builder *b = kn__zalloc(sizeof *b);
    kn_status status;
    uint16_t class_;

    *out = NULL;
    KN_TRY(b ? KN_OK : kn__nomem(err));
    b->f = kn__zalloc(sizeof *b->f);
    KN_TRY(b->f ? KN_OK : kn__nomem(err));
    KN_TRY(kn__dict_new(&b->values, err));
    KN_TRY(kn__grow(&b->f->starts, &b->starts_cap, 1024, sizeof *b->f->starts, err));
    b->f->starts[0] = 0;
    for (size_t i = 0; classes && i < classes->len; i++) {
        KN_TRY(
            kn__forest_builder_class(b, classes->name[i], strlen(classes->name[i]), &class_, err));
    }
    *out = b;
    b = NULL;
done:
    kn__forest_builder_free(b);
    return status;
}

void kn__forest_builder_free(kn_forest_builder *b)
{
    if (b) {
        kn__forest_free(b->f);
        kn__dict_free(b->values);
        KN_FREE(b->key, b);
    }
}

kn_status kn__forest_builder_class(kn_forest_builder *b, const char *name, size_t len,
                                   uint16_t *out, kn_error *err)
{
    kn_tree_classes *classes = &b->f->classes;
    const size_t found = kn__tree_class_find(classes, name, len);
    char *copy = NULL;

    if (found != SIZE_MAX) {
        *out = (uint16_t)found;
        return KN_OK;
    }
    if (len == 0) {
        return kn__fail(err, KN_EINPUT, "a class of the trees has an empty name");
    }
    if (classes->len >= UINT16_MAX) {
        return kn__fail(err, KN_EINPUT, "the trees have more than %d classes", UINT16_MAX);
    }
    KN_PASS(kn__grow(&classes->name, &b->names_cap, classes->len + 1, sizeof *classes->name, err));
    copy = kn__strndup(name, len);
    KN_PASS(copy ? KN_OK : kn__nomem(err));
    *out = (uint16_t)classes->len;
    classes->name[classes->len++] = copy;
    return KN_OK;
}

const kn_tree_classes *kn__forest_builder_classes(const kn_forest_builder *b)
{
    return &b->f->classes;
}

size_t kn__forest_builder_records(const kn_forest_builder *b)
{
    return b->f->records;
}

kn_status kn__forest_builder_record(kn_forest_builder *b, kn_error *err)
{
    KN_PASS(kn__grow(&b->f->starts, &b->starts_cap, b->f->records + 2, sizeof *b->f->starts, err));
    b->f->records++;
    b->f->starts[b->f->records] = b->nodes;
    return KN_OK;
}

/* The code of a value in the order of first appearance. */
static kn_status intern(kn_forest_builder *b, uint16_t class_, const char *text, size_t len,
                        uint32_t *code, kn_error *err)
{
    KN_PASS(kn__grow(&b->key, &b->key_cap, len + 2, 1, err));
    b->key[0] = (char)(class_ >> 8);
    b->key[1] = (char)(class_ & 0xff);
    if (len) {
        memcpy(b->key + 2, text, len);
    }
    return kn__dict_add(b->values, b->key, len + 2, code, err);
}

kn_status kn__forest_builder_value(kn_forest_builder *b, uint16_t class_, const char *text,
                                   size_t len, kn_error *err)
{
    uint32_t code;

    return intern(b, class_, text, len, &code, err);
}

kn_status kn__forest_builder_node(kn_forest_builder *b, uint16_t class_, const char *text,
                                  size_t len, uint32_t parent, uint32_t *node, kn_error *err)
{
    kn_forest *f = b->f;
    const uint64_t begin = f->records ? f->starts[f->records - 1] : 0, own = b->nodes - begin;
    uint32_t code;

    if (!f->records || class_ >= f->classes.len || (parent != KN_NO_PARENT && parent >= own)) {
        return kn__fail(err, KN_EUSAGE, "a node needs a record, a class and a parent that exist");
    }
    if (own >= UINT32_MAX - 1) {
        return kn__fail(err, KN_EINPUT, "record %zu has too many nodes", f->records);
    }
    KN_PASS(intern(b, class_, text, len, &code, err));
    KN_PASS(kn__grow(&f->value, &b->value_cap, (size_t)b->nodes + 1, sizeof *f->value, err));
    KN_PASS(kn__grow(&f->parent, &b->parent_cap, (size_t)b->nodes + 1, sizeof *f->parent, err));
    f->value[b->nodes] = code;
    f->parent[b->nodes] = parent;
    b->nodes++;
    f->starts[f->records] = b->nodes;
    if (node) {
        *node = (uint32_t)own;
    }
    return KN_OK;
}

static bool in_preorder(const uint32_t *parent, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t last = i - 1; /* i == 0: KN_NO_PARENT */
        while (last != parent[i] && last != KN_NO_PARENT) {
            last = parent[last];
        }
        if (last != parent[i]) {
            return false;
        }
    }
    return true;
}

typedef struct named_value {
    const char *key;
    size_t len;
    uint32_t code;
} named_value;

static int by_key(const void *a, const void *b)
{
    const named_value *x = a, *y = b;

    return kn__order_bytes(x->key, x->len, y->key, y->len); /* the class comes first */
}

/* Sort the values by class and text, and rename the codes of the nodes. */
static kn_status order_values(kn_forest_builder *b, kn_error *err)
{
    kn_forest *f = b->f;
    const size_t count = b->values->len;
    named_value *values = kn__malloc_array(count, sizeof *values);
    uint32_t *renamed = kn__malloc_array(count, sizeof *renamed);
    kn_status status;

    KN_TRY(values && renamed ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < count; code++) {
        values[code].key = kn__dict_text(b->values, code, &values[code].len);
        values[code].code = code;
    }
    qsort(values, count, sizeof *values, by_key);
    f->text = kn__zalloc_array(count, sizeof *f->text);
    f->value_class = kn__malloc_array(count, sizeof *f->value_class);
    KN_TRY(f->text && f->value_class ? KN_OK : kn__nomem(err));
    f->values = count;
    for (uint32_t code = 0; code < count; code++) {
        const named_value *v = &values[code];
        renamed[v->code] = code;
        f->value_class[code] = (uint16_t)((unsigned char)v->key[0] << 8 | (unsigned char)v->key[1]);
        f->text[code] = kn__strndup(v->key + 2, v->len - 2);
        KN_TRY(f->text[code] ? KN_OK : kn__nomem(err));
    }
    for (uint64_t i = 0; i < b->nodes; i++) {
        f->value[i] = renamed[f->value[i]];
    }
done:
    KN_FREE(values, renamed);
    return status;
}

kn_status kn__forest_builder_finish(kn_forest_builder *b, kn_forest **out, kn_error *err)
{
    kn_forest *f = b->f;
    kn_arranger a = {0};
    kn_status status;

    *out = NULL;
    /* A forest without nodes or classes has arrays all the same. */
    KN_TRY(kn__grow(&f->value, &b->value_cap, 1, sizeof *f->value, err));
    KN_TRY(kn__grow(&f->parent, &b->parent_cap, 1, sizeof *f->parent, err));
    KN_TRY(kn__grow(&f->classes.name, &b->names_cap, 1, sizeof *f->classes.name, err));
    KN_TRY(order_values(b, err));
    for (size_t r = 0; r < f->records; r++) {
        const uint32_t n = kn__forest_size(f, r);
        if (!in_preorder(f->parent + f->starts[r], n)) {
            KN_TRY(kn__arranger_reserve(&a, n, err));
            (void)kn__arrange(&a, f->value + f->starts[r], f->parent + f->starts[r], n, false);
        }
    }
    *out = f;
    b->f = NULL;
done:
    kn__arranger_free(&a);
    kn__forest_builder_free(b);
    return status;
}
