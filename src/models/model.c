/* model.c - making, freeing and validating models. */
#include "models/model.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

kn_status kn__model_new(kn_model **out, kn_model_kind kind, kn_error *err)
{
    kn_model *m = kn__zalloc(sizeof *m);

    *out = NULL;
    if (!m) {
        return kn__nomem(err);
    }
    m->kind = kind;
    if (kind == KN_MODEL_TREE) {
        m->tree.class_attribute = KN_NO_CODE;
    }
    if (kind == KN_MODEL_RULES && kn__dict_new(&m->rules.items, err) != KN_OK) {
        kn__free(m);
        return KN_ENOMEM;
    }
    *out = m;
    return KN_OK;
}

void kn__test_clear(kn_test *t)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        kn__test_clear(&t->parts[i]);
    }
    kn__free(t->parts);
    kn__free(t->values);
    *t = (kn_test){0};
}

static void clear_tree(kn_tree *t)
{
    for (size_t i = 0; i < t->nodes; i++) {
        kn__test_clear(&t->node[i].test);
        kn__free(t->node[i].label);
        kn__free(t->node[i].population);
        kn__free(t->node[i].share);
    }
    kn__free(t->node);
}

static void clear_centres(kn_centroids *c)
{
    for (size_t i = 0; c->name && i < c->count; i++) {
        kn__free(c->name[i]);
    }
    kn__free(c->name);
    kn__free(c->number);
    kn__free(c->value);
    kn__free(c->scale);
    kn__free(c->population);
}

static void clear_rules(kn_rules *r)
{
    for (size_t i = 0; i < r->count; i++) {
        kn__free(r->rule[i].left);
        kn__free(r->rule[i].right);
    }
    for (size_t i = 0; i < r->sets; i++) {
        kn__free(r->set[i].items);
    }
    kn__free(r->rule);
    kn__free(r->set);
    kn__free(r->column);
    kn__free(r->hidden);
    kn__dict_free(r->items);
}

void kn_model_free(kn_model *m)
{
    if (!m) {
        return;
    }
    switch (m->kind) {
    case KN_MODEL_TREE: clear_tree(&m->tree); break;
    case KN_MODEL_CLUSTERS: clear_centres(&m->centres); break;
    case KN_MODEL_RULES: clear_rules(&m->rules); break;
    }
    for (size_t i = 0; i < m->attributes; i++) {
        kn__free(m->attribute[i].name);
        kn__dict_free(m->attribute[i].values);
    }
    kn__free(m->attribute);
    kn__free(m->made_by);
    kn__free(m->unjudged_first);
    kn__free(m->source);
    kn__free(m);
}

kn_model_kind kn_model_kind_of(const kn_model *m)
{
    return m ? m->kind : KN_MODEL_TREE;
}

uint32_t kn__model_find_attribute(const kn_model *m, const char *name)
{
    for (size_t i = 0; i < m->attributes; i++) {
        if (strcmp(m->attribute[i].name, name) == 0) {
            return (uint32_t)i;
        }
    }
    return KN_NO_CODE;
}

kn_status kn__model_add_attribute(kn_model *m, const char *name, size_t len, kn_type type,
                                  bool hidden, uint32_t *number, kn_error *err)
{
    char *text = kn__strndup(name, len);
    kn_status status;

    KN_TRY(text ? KN_OK : kn__nomem(err));
    if (kn__model_find_attribute(m, text) != KN_NO_CODE) {
        KN_TRY(kn__fail(err, KN_EINPUT, "the model has two attributes called '%.*s'",
                        len < 60 ? (int)len : 60, name));
    }
    KN_TRY(kn__model_append_attribute(m, name, len, type, hidden, number, err));
done:
    kn__free(text);
    return status;
}

kn_status kn__model_append_attribute(kn_model *m, const char *name, size_t len, kn_type type,
                                     bool hidden, uint32_t *number, kn_error *err)
{
    kn_attribute a = {.type = type, .hidden = hidden, .low = 1, .high = 0, .weight = 1};
    kn_status status;

    KN_TRY(
        kn__grow(&m->attribute, &m->attributes_cap, m->attributes + 1, sizeof *m->attribute, err));
    a.name = kn__strndup(name, len);
    KN_TRY(a.name ? KN_OK : kn__nomem(err));
    if (type == KN_TYPE_CATEGORY) {
        KN_TRY(kn__dict_new(&a.values, err));
    }
    if (number) {
        *number = (uint32_t)m->attributes;
    }
    m->attribute[m->attributes++] = a;
    a.name = NULL;
done:
    kn__free(a.name);
    return status;
}

static void mark_test(const kn_test *t, uint8_t *used)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        mark_test(&t->parts[i], used);
    }
    if (t->kind < KN_TEST_AND && t->kind != KN_TEST_TRUE && t->kind != KN_TEST_FALSE) {
        used[t->attribute] = 1;
    }
}

void kn__model_used_attributes(const kn_model *m, uint8_t *used)
{
    if (m->kind == KN_MODEL_CLUSTERS) {
        memset(used, 1, m->attributes);
    }
    for (size_t i = 0; m->kind == KN_MODEL_TREE && i < m->tree.nodes; i++) {
        mark_test(&m->tree.node[i].test, used);
    }
}

kn_status kn__tree_add(kn_tree *t, uint32_t parent, uint32_t *number, kn_error *err)
{
    const uint32_t own = (uint32_t)t->nodes;
    kn_status status;

    KN_TRY(kn__grow(&t->node, &t->cap, t->nodes + 1, sizeof *t->node, err));
    t->node[own] = (kn_tree_node){.parent = parent,
                                  .attribute = KN_NO_CODE,
                                  .missing = KN_NO_CODE,
                                  .answer = KN_NO_CODE,
                                  .records = -1};
    if (parent != KN_NO_CODE) {
        if (t->node[parent].children == 0) {
            t->node[parent].first = own;
        }
        t->node[parent].children++;
    }
    t->nodes++;
    *number = own;
done:
    return status;
}

/* ---- validation ---- */

static bool valid_test(const kn_model *m, const kn_test *t, unsigned depth)
{
    if (depth > KN_TEST_DEEPEST) {
        return false;
    }
    if (t->kind >= KN_TEST_AND) {
        if (t->parts_count == 0) {
            return false;
        }
        for (size_t i = 0; i < t->parts_count; i++) {
            if (!valid_test(m, &t->parts[i], depth + 1)) {
                return false;
            }
        }
        return true;
    }
    if (t->kind == KN_TEST_TRUE || t->kind == KN_TEST_FALSE) {
        return true;
    }
    if (t->attribute >= m->attributes) {
        return false;
    }
    if (t->kind == KN_TEST_MISSING || t->kind == KN_TEST_NOT_MISSING) {
        return true;
    }
    if (t->kind == KN_TEST_IN || t->kind == KN_TEST_NOT_IN) {
        const kn_dict *values = m->attribute[t->attribute].values;
        for (size_t i = 0; i < t->values_count; i++) {
            if (!values || t->values[i] >= values->len ||
                (i > 0 && t->values[i - 1] >= t->values[i])) {
                return false;
            }
        }
        return values != NULL;
    }
    return !m->attribute[t->attribute].values && isfinite(t->number);
}

static bool too_deep(const kn_tree *t)
{
    for (size_t i = 0; i < t->nodes; i++) {
        size_t depth = 0;
        for (uint32_t up = (uint32_t)i;
             t->node[i].children == 0 && t->node[up].parent != KN_NO_CODE;
             up = t->node[up].parent) {
            if (++depth > KN_TREE_DEEPEST) {
                return true;
            }
        }
    }
    return false;
}

static const char *fault_of_node(const kn_model *m, size_t i, size_t classes)
{
    const kn_tree *t = &m->tree;
    const kn_tree_node *n = &t->node[i];

    if (i > 0 && n->parent >= i) {
        return "a node comes before its parent";
    }
    if (n->children > 0 && (n->first <= i || n->first + (size_t)n->children > t->nodes)) {
        return "a node's children are not there";
    }
    for (uint32_t j = 0; j < n->children; j++) {
        if (t->node[n->first + j].parent != i) {
            return "a node is the child of another";
        }
    }
    if (n->missing != KN_NO_CODE &&
        (n->missing < n->first || n->missing >= n->first + n->children)) {
        return "missing values go to a node that is no child";
    }
    if (n->answer != KN_NO_CODE && n->answer >= classes) {
        return "a node predicts a class that there is not";
    }
    if (n->children == 0 && n->answer == KN_NO_CODE) {
        return "a leaf predicts nothing";
    }
    if (!valid_test(m, &n->test, 0)) {
        return "a test asks for an attribute or a value that there is not, or is nested too deeply";
    }
    return NULL;
}

static const char *fault_of_tree(const kn_model *m)
{
    const kn_tree *t = &m->tree;

    if (t->class_attribute >= m->attributes || !m->attribute[t->class_attribute].values) {
        return "the tree has no class, or one that is no category";
    }
    if (t->nodes == 0 || t->node[0].parent != KN_NO_CODE) {
        return "the tree has no root";
    }
    for (size_t i = 0; i < t->nodes; i++) {
        const char *fault = fault_of_node(m, i, m->attribute[t->class_attribute].values->len);
        if (fault) {
            return fault;
        }
    }
    return too_deep(t) ? "the tree is more than 10000 nodes deep" : NULL;
}

static const char *fault_of_centres(const kn_model *m)
{
    const kn_centroids *c = &m->centres;

    if (c->count == 0 || m->attributes == 0) {
        return "there are no centres";
    }
    for (size_t a = 0; a < m->attributes; a++) {
        const kn_attribute *attribute = &m->attribute[a];
        if (!isfinite(c->scale[a]) || c->scale[a] <= 0 || !isfinite(attribute->weight) ||
            attribute->weight < 0) {
            return "an attribute has a scale that is not above 0, or a weight below 0";
        }
        for (size_t i = 0; i < c->count; i++) {
            const size_t at = i * m->attributes + a;
            if (attribute->values
                    ? c->value[at] != KN_NO_CODE && c->value[at] >= attribute->values->len
                    : isinf(c->number[at])) {
                return "a centre has a value that there is not";
            }
        }
    }
    return NULL;
}

static bool valid_side(const kn_rules *r, const uint32_t *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (items[i] >= r->items->len || (i > 0 && items[i - 1] >= items[i])) {
            return false;
        }
    }
    return true;
}

static const char *fault_of_rules(const kn_model *m)
{
    const kn_rules *r = &m->rules;

    for (size_t i = 0; i < r->count; i++) {
        const kn_rule *rule = &r->rule[i];
        size_t left = 0;
        if (rule->right_count == 0) {
            return "a rule has no right side";
        }
        if (!valid_side(r, rule->left, rule->left_count) ||
            !valid_side(r, rule->right, rule->right_count)) {
            return "a rule names an item that there is not, or one twice";
        }
        for (size_t j = 0; j < rule->right_count; j++) {
            while (left < rule->left_count && rule->left[left] < rule->right[j]) {
                left++;
            }
            if (left < rule->left_count && rule->left[left] == rule->right[j]) {
                return "a rule has an item on both sides";
            }
        }
    }
    for (size_t i = 0; i < r->sets; i++) {
        if (r->set[i].count == 0 || !valid_side(r, r->set[i].items, r->set[i].count)) {
            return "a set of items is empty, or names an item that there is not, or one twice";
        }
    }
    return NULL;
}

bool kn__model_validate(const kn_model *m, const char **reason)
{
    switch (m->kind) {
    case KN_MODEL_TREE: *reason = fault_of_tree(m); break;
    case KN_MODEL_CLUSTERS: *reason = fault_of_centres(m); break;
    case KN_MODEL_RULES: *reason = fault_of_rules(m); break;
    }
    return *reason == NULL;
}
