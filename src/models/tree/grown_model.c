/* grown_model.c - a grown tree as a model, which names attributes and values and needs no dataset.
 */
#include "models/tree/grown_model.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "hierarchy/hierarchy.h"
#include "kanon/version.h"

#include <stdlib.h>
#include <string.h>

/* ---- attributes and class ---- */

/* A value that a test of a category may name: of the column, or a leaf of its hierarchy that does
 * not occur in the data. */
typedef struct named_value {
    const char *text;
    size_t len;
    uint32_t start; /* the most specific name (models/tree/grow.h) that may be that of a child */
    uint32_t code;  /* of the model's values */
    bool used;
} named_value;

typedef struct emission {
    const kn_grown *tree;
    const kn_grow_options *options;
    kn_model *model;
    uint32_t *attribute; /* by attribute of `options`: that of the model, or KN_NO_CODE */
    named_value **value; /* by attribute of `options`: of categories */
    size_t *values;
    uint32_t *child_of_name; /* scratch: by name */
    uint32_t *class_code;    /* by code of the class column: that of the model */
    uint32_t *from;          /* by node of the model: that of the grown tree */
} emission;

static int by_bytes(const void *x, const void *y)
{
    const named_value *a = x, *b = y;

    return kn__order_bytes(a->text, a->len, b->text, b->len);
}

static bool is_used(const kn_grown *t, uint32_t a)
{
    for (size_t i = 0; i < t->nodes; i++) {
        if (t->node[i].children > 0 && t->node[i].attribute == a) {
            return true;
        }
    }
    return false;
}

/* All values that category `a` may have, by bytes. */
static kn_status list_values(emission *e, uint32_t a, kn_error *err)
{
    const kn_grow_attribute *is = &e->options->attribute[a];
    const kn_column *c = is->column;
    const kn_hierarchy *h = is->domain && !is->domain->hierarchy->low ? is->domain->hierarchy
                                                                      : NULL;
    size_t most = kn__column_values(c), count = 0;
    named_value *list;

    if (h) {
        most += h->leaves;
    }
    list = kn__zalloc_array(most + 1, sizeof *list);
    e->value[a] = list;
    KN_PASS(list ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < kn__column_values(c); code++) {
        if (code != c->missing) {
            named_value *n = &list[count++];
            n->text = kn__column_text(c, code, &n->len);
            n->start = code;
        }
    }
    for (uint32_t i = 0; h && i < h->leaves; i++) {
        const char *text = kn__hierarchy_label(h, i);
        if (i != h->missing && kn__dict_find(c->dict, text, strlen(text)) == KN_NO_CODE) {
            list[count++] = (named_value){.text = text,
                                          .len = strlen(text),
                                          .start = is->domain->values + (h->parent[i] - h->leaves)};
        }
    }
    qsort(list, count, sizeof *list, by_bytes);
    e->values[a] = count;
    return KN_OK;
}

/* The child that takes `name` and what is below it, or KN_NO_CODE; e->child_of_name is marked. */
static uint32_t child_taking(const emission *e, const kn_grow_attribute *a, uint32_t name)
{
    const uint32_t root = kn__grow_root(a);

    while (e->child_of_name[name] == KN_NO_CODE && name != root) {
        name = kn__grow_generalise(a, name);
    }
    return e->child_of_name[name];
}

static void mark_children(emission *e, const kn_grown_node *n, bool on)
{
    for (uint32_t i = 0; i < n->children; i++) {
        const kn_grown_node *c = &e->tree->node[n->first + i];
        if (c->branch != KN_BRANCH_LISTED) {
            e->child_of_name[c->name] = on ? i : KN_NO_CODE;
        }
        for (size_t v = c->listed; v < c->listed_end; v++) {
            e->child_of_name[e->tree->listed[v]] = on ? i : KN_NO_CODE;
        }
    }
}

/* Whether the child takes all other values: it is tried last, and its test names none. */
static bool takes_others(const emission *e, const kn_grown_node *n, uint32_t child)
{
    const kn_grown_node *c = &e->tree->node[n->first + child];

    return c->branch == KN_BRANCH_VALUES &&
           c->name == kn__grow_root(&e->options->attribute[n->attribute]);
}

/* Add the attributes that splits use, and of categories the values that a test names. */
static kn_status add_attributes(emission *e, kn_error *err)
{
    const kn_grow_options *m = e->options;

    for (uint32_t a = 0; a < m->attributes; a++) {
        const kn_grow_attribute *is = &m->attribute[a];
        const kn_column *c = is->column;
        e->attribute[a] = KN_NO_CODE;
        if (!is_used(e->tree, a)) {
            continue;
        }
        KN_PASS(kn__model_add_attribute(e->model, c->name, strlen(c->name),
                                        kn__grow_is_ordered(is) ? c->type : KN_TYPE_CATEGORY,
                                        is->hidden, &e->attribute[a], err));
        if (!kn__grow_is_ordered(is)) {
            KN_PASS(list_values(e, a, err));
        }
    }
    for (size_t i = 0; i < e->tree->nodes; i++) {
        const kn_grown_node *n = &e->tree->node[i];
        if (n->children == 0 || !e->value[n->attribute]) {
            continue;
        }
        mark_children(e, n, true);
        for (size_t v = 0; v < e->values[n->attribute]; v++) {
            named_value *value = &e->value[n->attribute][v];
            const uint32_t child = child_taking(e, &m->attribute[n->attribute], value->start);
            value->used = value->used || (child != KN_NO_CODE && !takes_others(e, n, child));
        }
        mark_children(e, n, false);
    }
    for (uint32_t a = 0; a < m->attributes; a++) {
        for (size_t v = 0; e->value[a] && v < e->values[a]; v++) {
            named_value *value = &e->value[a][v];
            if (value->used) {
                KN_PASS(kn__dict_add(e->model->attribute[e->attribute[a]].values, value->text,
                                     value->len, &value->code, err));
            }
        }
    }
    return KN_OK;
}

static kn_status add_class(emission *e, kn_error *err)
{
    const kn_column *c = e->options->target;
    const uint32_t count = kn__column_values(c);
    named_value *list = kn__zalloc_array(count, sizeof *list);
    uint32_t number, code;
    kn_status status;

    KN_TRY(list ? KN_OK : kn__nomem(err));
    KN_TRY(kn__model_add_attribute(e->model, c->name, strlen(c->name), KN_TYPE_CATEGORY,
                                   e->options->target_hidden, &number, err));
    e->model->tree.class_attribute = number;
    for (uint32_t i = 0; i < count; i++) {
        list[i].text = kn__column_text(c, i, &list[i].len);
        list[i].start = i;
    }
    qsort(list, count, sizeof *list, by_bytes);
    for (uint32_t i = 0; i < count; i++) {
        KN_TRY(kn__dict_add(e->model->attribute[number].values, list[i].text, list[i].len, &code,
                            err));
        e->class_code[list[i].start] = code;
    }
done:
    kn__free(list);
    return status;
}

/* ---- nodes and their tests ---- */

/* `test` or missing. */
static kn_status or_missing(kn_test *test, kn_error *err)
{
    kn_test *parts = kn__zalloc_array(2, sizeof *parts);

    KN_PASS(parts ? KN_OK : kn__nomem(err));
    parts[0] = *test;
    parts[1] = (kn_test){.kind = KN_TEST_MISSING, .attribute = test->attribute};
    *test = (kn_test){.kind = KN_TEST_OR, .parts = parts, .parts_count = 2};
    return KN_OK;
}

/* The test of a child that takes values: IN, MISSING, or both; e->child_of_name is marked. */
static kn_status test_values(emission *e, kn_test *test, const kn_grown_node *n, uint32_t child,
                             kn_error *err)
{
    const kn_grow_attribute *is = &e->options->attribute[n->attribute];
    const uint32_t missing = is->column->missing;
    const bool takes_missing = missing != KN_NO_CODE && child_taking(e, is, missing) == child;

    test->values = kn__malloc_array(e->values[n->attribute] + 1, sizeof *test->values);
    KN_PASS(test->values ? KN_OK : kn__nomem(err));
    test->kind = KN_TEST_IN;
    for (size_t v = 0; v < e->values[n->attribute]; v++) {
        const named_value *value = &e->value[n->attribute][v];
        if (child_taking(e, is, value->start) == child) {
            test->values[test->values_count++] = value->code;
        }
    }
    if (takes_missing && test->values_count == 0) {
        kn__free(test->values);
        test->values = NULL;
        test->kind = KN_TEST_MISSING;
    }
    return takes_missing && test->kind == KN_TEST_IN ? or_missing(test, err) : KN_OK;
}

static kn_status make_test(emission *e, kn_test *test, const kn_grown_node *n, uint32_t child,
                           kn_error *err)
{
    const kn_grown_node *c = &e->tree->node[n->first + child];
    kn_status status = KN_OK;

    test->attribute = e->attribute[n->attribute];
    test->number = c->branch == KN_BRANCH_MISSING ? 0 : c->number;
    switch (c->branch) {
    case KN_BRANCH_LISTED:
    case KN_BRANCH_VALUES:
        if (takes_others(e, n, child)) {
            *test = (kn_test){.kind = KN_TEST_TRUE};
        } else {
            mark_children(e, n, true);
            status = test_values(e, test, n, child, err);
            mark_children(e, n, false);
        }
        break;
    case KN_BRANCH_LESS_EQUAL: test->kind = KN_TEST_LESS_EQUAL; break;
    case KN_BRANCH_GREATER: test->kind = KN_TEST_GREATER; break;
    case KN_BRANCH_MISSING: test->kind = KN_TEST_MISSING; break;
    case KN_BRANCH_PRESENT: test->kind = KN_TEST_NOT_MISSING; break;
    case KN_BRANCH_ROOT: break;
    }
    return status == KN_OK && c->missing ? or_missing(test, err) : status;
}

/* The label of a branch: the name of a node of the hierarchy, or "other" where siblings take some
 * of its values. */
static kn_status make_label(emission *e, kn_tree_node *to, const kn_grown_node *n, uint32_t child,
                            kn_error *err)
{
    const kn_grow_attribute *is = &e->options->attribute[n->attribute];
    const uint32_t name = e->tree->node[n->first + child].name;
    bool rest = takes_others(e, n, child);
    kn_buffer text = {0};

    if (e->tree->node[n->first + child].branch != KN_BRANCH_VALUES ||
        (!rest && (!is->domain || name < is->domain->values))) {
        return KN_OK;
    }
    if (rest) {
        kn__buffer_adds(&text, "others");
    } else {
        for (uint32_t i = 0; i < n->children; i++) {
            uint32_t up = e->tree->node[n->first + i].name;
            while (i != child && up != name && up != kn__grow_root(is)) {
                up = kn__grow_generalise(is, up);
            }
            rest = rest || (i != child && up == name);
        }
        kn__buffer_addf(&text, "%s%s", rest ? "other " : "",
                        is->domain->label[name - is->domain->values]);
    }
    return kn__buffer_take(&text, &to->label, err);
}

static kn_status fill_node(emission *e, uint32_t node, kn_error *err)
{
    const size_t classes = e->tree->classes;
    const uint32_t from = e->from[node];
    const kn_grown_node *n = &e->tree->node[from];
    kn_tree_node *to = &e->model->tree.node[node];

    to->answer = e->class_code[n->answer];
    to->attribute = n->children ? e->attribute[n->attribute] : KN_NO_CODE;
    to->population = kn__malloc_array(classes, sizeof *to->population);
    KN_PASS(to->population ? KN_OK : kn__nomem(err));
    for (size_t c = 0; c < classes; c++) {
        to->population[e->class_code[c]] = e->tree->population[from * classes + c];
    }
    return KN_OK;
}

/* Add one child, and note in e->from which node of the grown tree it is. */
static kn_status add_child(emission *e, uint32_t parent, uint32_t child, kn_error *err)
{
    const kn_grown_node *n = &e->tree->node[e->from[parent]];
    uint32_t number;

    KN_PASS(kn__tree_add(&e->model->tree, parent, &number, err));
    e->from[number] = n->first + child;
    KN_PASS(make_test(e, &e->model->tree.node[number].test, n, child, err));
    KN_PASS(make_label(e, &e->model->tree.node[number], n, child, err));
    return fill_node(e, number, err);
}

static kn_status add_nodes(emission *e, kn_error *err)
{
    kn_tree *t = &e->model->tree;
    uint32_t number;

    KN_PASS(kn__tree_add(t, KN_NO_CODE, &number, err));
    e->from[0] = 0;
    KN_PASS(fill_node(e, 0, err));
    /* Level by level, as the children of a node stand together. "All others" is the last child. */
    for (uint32_t i = 0; i < t->nodes; i++) {
        const kn_grown_node *n = &e->tree->node[e->from[i]];
        for (unsigned others = 0; others < 2; others++) {
            for (uint32_t j = 0; j < n->children; j++) {
                if (takes_others(e, n, j) == (others == 1)) {
                    KN_PASS(add_child(e, i, j, err));
                }
            }
        }
    }
    t->when_missing = KN_TREE_MISSING_NEXT;
    t->last_answer = true;
    return KN_OK;
}

static kn_status allocate(emission *e, kn_error *err)
{
    const kn_grow_options *m = e->options;
    uint32_t names = 1;

    for (size_t a = 0; a < m->attributes; a++) {
        const uint32_t own = kn__grow_root(&m->attribute[a]) + 1;
        names = own > names ? own : names;
    }
    e->attribute = kn__malloc_array(m->attributes, sizeof *e->attribute);
    e->value = kn__zalloc_array(m->attributes, sizeof *e->value);
    e->values = kn__zalloc_array(m->attributes, sizeof *e->values);
    e->child_of_name = kn__malloc_array(names, sizeof *e->child_of_name);
    e->class_code = kn__malloc_array(e->tree->classes, sizeof *e->class_code);
    e->from = kn__malloc_array(e->tree->nodes, sizeof *e->from);
    if (!e->attribute || !e->value || !e->values || !e->child_of_name || !e->class_code ||
        !e->from) {
        return kn__nomem(err);
    }
    memset(e->child_of_name, 0xff, names * sizeof *e->child_of_name);
    return KN_OK;
}

static void emission_clear(emission *e)
{
    for (size_t a = 0; e->value && a < e->options->attributes; a++) {
        kn__free(e->value[a]);
    }
    KN_FREE(e->value, e->values, e->attribute, e->child_of_name, e->class_code, e->from);
    kn_model_free(e->model);
}

kn_status kn__grown_model(kn_model **out, const kn_grown *tree, const kn_grow_options *options,
                          kn_error *err)
{
    emission e = {.tree = tree, .options = options};
    kn_buffer made_by = {0};
    kn_status status;

    KN_TRY(kn__model_new(&e.model, KN_MODEL_TREE, err));
    KN_TRY(allocate(&e, err));
    KN_TRY(add_attributes(&e, err));
    KN_TRY(add_class(&e, err));
    KN_TRY(add_nodes(&e, err));
    kn__buffer_addf(&made_by, "kanon %s", kn_version());
    KN_TRY(kn__buffer_take(&made_by, &e.model->made_by, err));
    *out = e.model;
    e.model = NULL;
done:
    emission_clear(&e);
    return status;
}
