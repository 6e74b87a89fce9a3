/* json_read.c - models from JSON. Nothing that is not understood is passed over. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "models/formats.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct reading {
    const char *name; /* of the file */
    kn_model *m;
    kn_error *err;
} reading;

/* A place in the file, such as "node 3". */
typedef struct place {
    const char *what;
    size_t number; /* SIZE_MAX: none */
} place;

static const place top = {"the model", SIZE_MAX};

static kn_status wrong(const reading *r, place at, const char *key, const char *expected)
{
    if (at.number == SIZE_MAX) {
        return kn_fail(r->err, KN_EINPUT, "%s: %s: '%s' must be %s", r->name, at.what, key,
                       expected);
    }
    return kn_fail(r->err, KN_EINPUT, "%s: %s %zu: '%s' must be %s", r->name, at.what, at.number,
                   key, expected);
}

/* Only the keys of the NULL-terminated list. */
static kn_status only(const reading *r, place at, json_t *object, const char *const *keys)
{
    const char *key;
    json_t *value;

    if (!json_is_object(object)) {
        return at.number == SIZE_MAX
                   ? kn_fail(r->err, KN_EINPUT, "%s: %s must be an object", r->name, at.what)
                   : kn_fail(r->err, KN_EINPUT, "%s: %s %zu must be an object", r->name, at.what,
                             at.number);
    }
    json_object_foreach(object, key, value)
    {
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0) {
            i++;
        }
        if (!keys[i]) {
            return kn_fail(r->err, KN_EINPUT, "%s: %s: unknown key '%.60s'", r->name, at.what, key);
        }
    }
    return KN_OK;
}

static bool read_number(json_t *value, double *out)
{
    if (!json_is_number(value)) {
        return false;
    }
    *out = json_number_value(value);
    return isfinite(*out);
}

static bool read_count(json_t *value, uint64_t *out)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0) {
        return false;
    }
    *out = (uint64_t)json_integer_value(value);
    return true;
}

static kn_status read_text(const reading *r, place at, const char *key, json_t *value, char **out)
{
    if (!json_is_string(value) || json_string_length(value) == 0) {
        return wrong(r, at, key, "a text");
    }
    *out = kn_strdup(json_string_value(value));
    return *out ? KN_OK : kn_nomem(r->err);
}

/* ---- attributes ---- */

static kn_status read_values(const reading *r, place at, json_t *list, kn_dict *values)
{
    kn_status st = KN_OK;

    if (!json_is_array(list)) {
        return wrong(r, at, "values", "a list of texts");
    }
    for (size_t i = 0; st == KN_OK && i < json_array_size(list); i++) {
        json_t *v = json_array_get(list, i);
        if (!json_is_string(v)) {
            return wrong(r, at, "values", "a list of texts");
        }
        if (kn_dict_find(values, json_string_value(v), json_string_length(v)) != KN_NO_CODE) {
            return wrong(r, at, "values", "a list of different texts");
        }
        st = kn_dict_append(values, json_string_value(v), json_string_length(v), r->err);
    }
    return st;
}

static kn_status read_attribute(const reading *r, json_t *object, size_t number)
{
    static const char *const keys[] = {"name", "type", "private", "values",
                                       "low",  "high", "weight",  NULL};
    const place at = {"attribute", number};
    json_t *name = json_object_get(object, "name"), *private = json_object_get(object, "private");
    const char *type_name = json_string_value(json_object_get(object, "type"));
    json_t *low = json_object_get(object, "low"), *high = json_object_get(object, "high");
    json_t *weight = json_object_get(object, "weight"), *values = json_object_get(object, "values");
    kn_attribute *a;
    kn_type type;
    kn_status st = only(r, at, object, keys);

    if (st != KN_OK) {
        return st;
    }
    if (!json_is_string(name) || json_string_length(name) == 0) {
        return wrong(r, at, "name", "a text");
    }
    if (!type_name || !kn_type_from_name(type_name, &type) ||
        (type != KN_TYPE_CATEGORY && type != KN_TYPE_INTEGER && type != KN_TYPE_DECIMAL &&
         type != KN_TYPE_DATE)) {
        return wrong(r, at, "type", "category, integer, decimal or date");
    }
    if (private && !json_is_boolean(private)) {
        return wrong(r, at, "private", "true or false");
    }
    if (kn_model_find_attribute(r->m, json_string_value(name)) != KN_NO_CODE) {
        return wrong(r, at, "name", "one that no other attribute has");
    }
    st = kn_model_add_attribute(r->m, json_string_value(name), json_string_length(name), type,
                                json_is_true(private), NULL, r->err);
    if (st != KN_OK) {
        return st;
    }
    a = &r->m->attribute[r->m->attributes - 1];
    if (weight && (!read_number(weight, &a->weight) || a->weight < 0)) {
        return wrong(r, at, "weight", "a number of 0 or more");
    }
    if (a->values) {
        return low || high ? wrong(r, at, "low", "left out: a category has no range")
                           : read_values(r, at, values, a->values);
    }
    if (values) {
        return wrong(r, at, "values", "left out: numbers and dates have 'low' and 'high'");
    }
    if ((low || high) && (!read_number(low, &a->low) || !read_number(high, &a->high))) {
        return wrong(r, at, "low", "a number, and 'high', too");
    }
    return KN_OK;
}

static kn_status read_attributes(const reading *r, json_t *list)
{
    kn_status st = KN_OK;

    if (!json_is_array(list) || json_array_size(list) == 0) {
        return wrong(r, top, "attributes", "a list of objects");
    }
    for (size_t i = 0; st == KN_OK && i < json_array_size(list); i++) {
        st = read_attribute(r, json_array_get(list, i), i);
    }
    return st;
}

/* ---- tests ---- */

static const char *const kinds[] = {"true", "false", "<",   "<=",         ">",       ">=",
                                    "=",    "!=",    "in",  "not in",     "missing", "not missing",
                                    "and",  "or",    "xor", "first known"};

static kn_status read_test(const reading *r, place at, json_t *object, kn_test *t, unsigned depth);

static kn_status read_parts(const reading *r, place at, json_t *parts, kn_test *t, unsigned depth)
{
    const size_t count = json_array_size(parts);
    kn_status st = KN_OK;

    if (!json_is_array(parts) || count == 0) {
        return wrong(r, at, "parts", "a list of tests");
    }
    t->parts = kn_zalloc_array(count, sizeof *t->parts);
    if (!t->parts) {
        return kn_nomem(r->err);
    }
    for (size_t i = 0; st == KN_OK && i < count; i++) {
        t->parts_count = i + 1;
        st = read_test(r, at, json_array_get(parts, i), &t->parts[i], depth + 1);
    }
    return st;
}

static kn_status read_set(const reading *r, place at, json_t *list, kn_test *t)
{
    const kn_dict *values = r->m->attribute[t->attribute].values;
    const size_t count = json_array_size(list);

    if (!json_is_array(list)) {
        return wrong(r, at, "values", "a list of texts");
    }
    t->values = kn_malloc_array(count ? count : 1, sizeof *t->values);
    if (!t->values) {
        return kn_nomem(r->err);
    }
    for (size_t i = 0; i < count; i++) {
        json_t *v = json_array_get(list, i);
        const uint32_t code = json_is_string(v) ? kn_dict_find(values, json_string_value(v),
                                                               json_string_length(v))
                                                : KN_NO_CODE;
        if (code == KN_NO_CODE) {
            return wrong(r, at, "values", "values that the attribute has");
        }
        t->values[t->values_count++] = code;
    }
    kn_sort_u32(t->values, count);
    for (size_t i = 1; i < count; i++) {
        if (t->values[i - 1] == t->values[i]) {
            return wrong(r, at, "values", "different values");
        }
    }
    return KN_OK;
}

static kn_status read_simple(const reading *r, place at, json_t *object, kn_test *t)
{
    const char *name = json_string_value(json_object_get(object, "attribute"));
    const bool numeric = t->kind >= KN_TEST_LESS && t->kind <= KN_TEST_NOT_EQUAL;
    const bool set = t->kind == KN_TEST_IN || t->kind == KN_TEST_NOT_IN;

    t->attribute = name ? kn_model_find_attribute(r->m, name) : KN_NO_CODE;
    if (t->attribute == KN_NO_CODE) {
        t->attribute = 0;
        return wrong(r, at, "attribute", "one of the model's attributes");
    }
    if (numeric && r->m->attribute[t->attribute].values) {
        return wrong(r, at, "is", "in or not in: the attribute is a category");
    }
    if (set && !r->m->attribute[t->attribute].values) {
        return wrong(r, at, "is", "a comparison: the attribute is no category");
    }
    if (numeric && !read_number(json_object_get(object, "number"), &t->number)) {
        return wrong(r, at, "number", "a number");
    }
    return set ? read_set(r, at, json_object_get(object, "values"), t) : KN_OK;
}

static kn_status read_test(const reading *r, place at, json_t *object, kn_test *t, unsigned depth)
{
    static const char *const keys[] = {"is", "attribute", "number", "values", "parts", NULL};
    const char *is = json_string_value(json_object_get(object, "is"));
    size_t kind = 0;
    kn_status st;

    if (depth > KN_TEST_DEEPEST) {
        return wrong(r, at, "test", "nested less deeply");
    }
    if (!json_is_object(object)) {
        return wrong(r, at, "test",
                     "an object: {\"is\": \"<\", \"attribute\": \"age\", "
                     "\"number\": 30}");
    }
    st = only(r, at, object, keys);
    if (st != KN_OK) {
        return st;
    }
    while (is && kind < sizeof kinds / sizeof *kinds && strcmp(kinds[kind], is) != 0) {
        kind++;
    }
    if (!is || kind == sizeof kinds / sizeof *kinds) {
        return wrong(r, at, "is",
                     "true, false, <, <=, >, >=, =, !=, in, not in, missing, not missing, and, or, "
                     "xor or first known");
    }
    t->kind = (kn_test_kind)kind;
    if (t->kind >= KN_TEST_AND) {
        return read_parts(r, at, json_object_get(object, "parts"), t, depth);
    }
    return t->kind == KN_TEST_TRUE || t->kind == KN_TEST_FALSE ? KN_OK
                                                               : read_simple(r, at, object, t);
}

/* ---- trees ---- */

static kn_status read_population(const reading *r, place at, json_t *list, size_t count,
                                 uint64_t **out)
{
    if (!json_is_array(list) || json_array_size(list) != count) {
        return wrong(r, at, "population", "a list of counts, one a value of the class");
    }
    *out = kn_malloc_array(count ? count : 1, sizeof **out);
    if (!*out) {
        return kn_nomem(r->err);
    }
    for (size_t i = 0; i < count; i++) {
        if (!read_count(json_array_get(list, i), &(*out)[i])) {
            return wrong(r, at, "population", "a list of counts, one a value of the class");
        }
    }
    return KN_OK;
}

static kn_status read_node(const reading *r, json_t *object, size_t number)
{
    static const char *const keys[] = {"parent",     "test",   "label",      "split",
                                       "missing_to", "answer", "population", NULL};
    const place at = {"node", number};
    const kn_dict *classes = r->m->attribute[r->m->tree.class_attribute].values;
    json_t *parent = json_object_get(object, "parent"), *label = json_object_get(object, "label");
    json_t *split = json_object_get(object, "split"), *to = json_object_get(object, "missing_to");
    json_t *answer = json_object_get(object, "answer");
    json_t *population = json_object_get(object, "population");
    kn_tree *t = &r->m->tree;
    uint64_t up = 0, down = 0;
    uint32_t own;
    kn_tree_node *n;
    kn_status st = only(r, at, object, keys);

    if (st != KN_OK) {
        return st;
    }
    if (number ? !read_count(parent, &up) || up >= number : parent && !json_is_null(parent)) {
        return wrong(r, at, "parent",
                     number ? "the number of an earlier node" : "null: it is the root");
    }
    if (number && t->node[up].children && t->node[up].first + t->node[up].children != t->nodes) {
        return wrong(r, at, "parent", "that of the node before: children stand together");
    }
    st = kn_tree_add(t, number ? (uint32_t)up : KN_NO_CODE, &own, r->err);
    if (st != KN_OK) {
        return st;
    }
    n = &t->node[own];
    st = read_test(r, at, json_object_get(object, "test"), &n->test, 0);
    if (st == KN_OK && label) {
        st = read_text(r, at, "label", label, &n->label);
    }
    if (st == KN_OK && split) {
        n->attribute = json_is_string(split)
                           ? kn_model_find_attribute(r->m, json_string_value(split))
                           : KN_NO_CODE;
        if (n->attribute == KN_NO_CODE) {
            return wrong(r, at, "split", "one of the model's attributes");
        }
    }
    if (st == KN_OK && to) {
        if (!read_count(to, &down) || down >= KN_NO_CODE) {
            return wrong(r, at, "missing_to", "the number of one of its children");
        }
        n->missing = (uint32_t)down;
    }
    if (st == KN_OK && answer) {
        n->answer = json_is_string(answer) ? kn_dict_find(classes, json_string_value(answer),
                                                          json_string_length(answer))
                                           : KN_NO_CODE;
        if (n->answer == KN_NO_CODE) {
            return wrong(r, at, "answer", "one of the values of the class");
        }
    }
    if (st == KN_OK && population) {
        st = read_population(r, at, population, classes->len, &n->population);
    }
    return st;
}

static kn_status read_tree(const reading *r, json_t *root)
{
    static const char *const missing[] = {"next", "child", "stays", "nothing"};
    const char *class_name = json_string_value(json_object_get(root, "class"));
    json_t *how = json_object_get(root, "missing"), *last = json_object_get(root, "last_answer");
    json_t *nodes = json_object_get(root, "nodes");
    kn_tree *t = &r->m->tree;
    kn_status st = KN_OK;
    size_t i = 0;

    t->class_attribute = class_name ? kn_model_find_attribute(r->m, class_name) : KN_NO_CODE;
    if (t->class_attribute == KN_NO_CODE || !r->m->attribute[t->class_attribute].values) {
        return wrong(r, top, "class", "one of the attributes that are categories");
    }
    while (how && i < 4 &&
           (!json_is_string(how) || strcmp(missing[i], json_string_value(how)) != 0)) {
        i++;
    }
    if (i == 4) {
        return wrong(r, top, "missing", "next, child, stays or nothing");
    }
    t->when_missing = (kn_tree_missing)i;
    if (last && !json_is_boolean(last)) {
        return wrong(r, top, "last_answer", "true or false");
    }
    t->last_answer = json_is_true(last);
    if (!json_is_array(nodes) || json_array_size(nodes) == 0 ||
        json_array_size(nodes) >= KN_NO_CODE) {
        return wrong(r, top, "nodes", "a list of objects");
    }
    for (i = 0; st == KN_OK && i < json_array_size(nodes); i++) {
        st = read_node(r, json_array_get(nodes, i), i);
    }
    return st;
}

/* ---- clusters ---- */

static kn_status read_at(const reading *r, place at, json_t *list, size_t centre)
{
    kn_centres *c = &r->m->centres;

    if (!json_is_array(list) || json_array_size(list) != r->m->attributes) {
        return wrong(r, at, "at", "a list of values, one an attribute");
    }
    for (size_t a = 0; a < r->m->attributes; a++) {
        const kn_dict *values = r->m->attribute[a].values;
        const size_t to = centre * r->m->attributes + a;
        json_t *v = json_array_get(list, a);
        c->number[to] = NAN;
        c->value[to] = KN_NO_CODE;
        if (json_is_null(v)) {
            continue;
        }
        if (!values && !read_number(v, &c->number[to])) {
            return wrong(r, at, "at", "numbers where the attributes are numbers");
        }
        if (values) {
            c->value[to] = json_is_string(v)
                               ? kn_dict_find(values, json_string_value(v), json_string_length(v))
                               : KN_NO_CODE;
            if (c->value[to] == KN_NO_CODE) {
                return wrong(r, at, "at", "values that the attributes have");
            }
        }
    }
    return KN_OK;
}

static kn_status read_centre(const reading *r, json_t *object, size_t number)
{
    static const char *const keys[] = {"at", "name", "population", NULL};
    const place at = {"centre", number};
    json_t *name = json_object_get(object, "name");
    json_t *population = json_object_get(object, "population");
    kn_centres *c = &r->m->centres;
    kn_status st = only(r, at, object, keys);

    if (st == KN_OK) {
        st = read_at(r, at, json_object_get(object, "at"), number);
    }
    if (st == KN_OK && name) {
        st = read_text(r, at, "name", name, &c->name[number]);
    }
    if (st == KN_OK && (population != NULL) != (c->population != NULL)) {
        return wrong(r, at, "population", "given for all centres or for none");
    }
    if (st == KN_OK && population && !read_count(population, &c->population[number])) {
        return wrong(r, at, "population", "a count");
    }
    return st;
}

static kn_status read_centres(const reading *r, json_t *root)
{
    json_t *list = json_object_get(root, "centres"), *scales = json_object_get(root, "scales");
    const size_t count = json_array_size(list), width = r->m->attributes;
    kn_centres *c = &r->m->centres;
    kn_status st = KN_OK;

    if (!json_is_array(list) || count == 0) {
        return wrong(r, top, "centres", "a list of objects");
    }
    if (!json_is_array(scales) || json_array_size(scales) != width) {
        return wrong(r, top, "scales", "a list of numbers, one an attribute");
    }
    c->scale = kn_malloc_array(width, sizeof *c->scale);
    c->name = kn_zalloc_array(count, sizeof *c->name);
    c->number = width <= SIZE_MAX / count ? kn_malloc_array(count * width, sizeof *c->number)
                                          : NULL;
    c->value = width <= SIZE_MAX / count ? kn_malloc_array(count * width, sizeof *c->value) : NULL;
    if (json_object_get(json_array_get(list, 0), "population")) {
        c->population = kn_zalloc_array(count, sizeof *c->population);
    }
    if (!c->scale || !c->name || !c->number || !c->value ||
        (!c->population && json_object_get(json_array_get(list, 0), "population"))) {
        return kn_nomem(r->err);
    }
    c->count = count;
    for (size_t a = 0; a < width; a++) {
        if (!read_number(json_array_get(scales, a), &c->scale[a])) {
            return wrong(r, top, "scales", "a list of numbers, one an attribute");
        }
    }
    for (size_t i = 0; st == KN_OK && i < count; i++) {
        st = read_centre(r, json_array_get(list, i), i);
    }
    return st;
}

/* ---- rules ---- */

static kn_status read_items(const reading *r, json_t *list)
{
    static const char *const keys[] = {"name", "private", NULL};
    const size_t count = json_array_size(list);
    kn_rules *rules = &r->m->rules;
    kn_status st = KN_OK;

    if (!json_is_array(list)) {
        return wrong(r, top, "items", "a list of objects");
    }
    rules->hidden = kn_zalloc_array(count ? count : 1, sizeof *rules->hidden);
    if (!rules->hidden) {
        return kn_nomem(r->err);
    }
    for (size_t i = 0; st == KN_OK && i < count; i++) {
        const place at = {"item", i};
        json_t *object = json_array_get(list, i), *name = json_object_get(object, "name");
        st = only(r, at, object, keys);
        if (st != KN_OK) {
            return st;
        }
        if (!json_is_string(name) || kn_dict_find(rules->items, json_string_value(name),
                                                  json_string_length(name)) != KN_NO_CODE) {
            return wrong(r, at, "name", "a text that no other item has");
        }
        if (json_object_get(object, "private") &&
            !json_is_boolean(json_object_get(object, "private"))) {
            return wrong(r, at, "private", "true or false");
        }
        rules->hidden[i] = json_is_true(json_object_get(object, "private"));
        st = kn_dict_append(rules->items, json_string_value(name), json_string_length(name),
                            r->err);
    }
    return st;
}

static kn_status read_side(const reading *r, place at, const char *key, json_t *list,
                           uint32_t **out, size_t *out_count)
{
    const size_t count = json_array_size(list);

    if (!json_is_array(list)) {
        return wrong(r, at, key, "a list of items");
    }
    *out = kn_malloc_array(count ? count : 1, sizeof **out);
    if (!*out) {
        return kn_nomem(r->err);
    }
    for (size_t i = 0; i < count; i++) {
        json_t *v = json_array_get(list, i);
        (*out)[i] = json_is_string(v) ? kn_dict_find(r->m->rules.items, json_string_value(v),
                                                     json_string_length(v))
                                      : KN_NO_CODE;
        if ((*out)[i] == KN_NO_CODE) {
            return wrong(r, at, key, "a list of the model's items");
        }
    }
    *out_count = count;
    kn_sort_u32(*out, count);
    return KN_OK;
}

static kn_status read_rule(const reading *r, json_t *object, size_t number)
{
    static const char *const keys[] = {"if", "then", "support", "confidence", "lift", NULL};
    const place at = {"rule", number};
    json_t *support = json_object_get(object, "support");
    json_t *confidence = json_object_get(object, "confidence");
    json_t *lift = json_object_get(object, "lift");
    kn_rules *rules = &r->m->rules;
    kn_rule *rule;
    kn_status st = only(r, at, object, keys);

    if (st == KN_OK) {
        st = kn_grow(&rules->rule, &rules->cap, rules->count + 1, sizeof *rules->rule, r->err);
    }
    if (st != KN_OK) {
        return st;
    }
    rule = &rules->rule[rules->count++];
    *rule = (kn_rule){.support = NAN, .confidence = NAN};
    st = read_side(r, at, "if", json_object_get(object, "if"), &rule->left, &rule->left_count);
    if (st == KN_OK) {
        st = read_side(r, at, "then", json_object_get(object, "then"), &rule->right,
                       &rule->right_count);
    }
    if (st == KN_OK && support &&
        (!read_number(support, &rule->support) || rule->support < 0 || rule->support > 1)) {
        return wrong(r, at, "support", "a number in 0..1");
    }
    if (st == KN_OK && confidence &&
        (!read_number(confidence, &rule->confidence) || rule->confidence < 0 ||
         rule->confidence > 1)) {
        return wrong(r, at, "confidence", "a number in 0..1");
    }
    if (st == KN_OK && lift && (!read_number(lift, &rule->lift) || rule->lift < 0)) {
        return wrong(r, at, "lift", "a number from 0 on");
    }
    return st;
}

static kn_status read_rules(const reading *r, json_t *root)
{
    json_t *column = json_object_get(root, "column"), *list = json_object_get(root, "rules");
    json_t *records = json_object_get(root, "records");
    kn_status st = KN_OK;

    if (column) {
        st = read_text(r, top, "column", column, &r->m->rules.column);
    }
    if (st == KN_OK && records && !read_count(records, &r->m->rules.records)) {
        return wrong(r, top, "records", "a count");
    }
    if (st == KN_OK) {
        st = read_items(r, json_object_get(root, "items"));
    }
    if (st == KN_OK && !json_is_array(list)) {
        return wrong(r, top, "rules", "a list of objects");
    }
    for (size_t i = 0; st == KN_OK && i < json_array_size(list); i++) {
        st = read_rule(r, json_array_get(list, i), i);
    }
    return st;
}

/* ---- all ---- */

static kn_status read_promise(const reading *r, json_t *object)
{
    static const char *const keys[] = {"k", "l", "inference", NULL};
    const place at = {"the promise", SIZE_MAX};
    kn_model_promise *p = &r->m->promise;
    json_t *l = json_object_get(object, "l"), *inference = json_object_get(object, "inference");
    kn_status st = object ? only(r, at, object, keys) : KN_OK;

    if (st != KN_OK || !object) {
        return st;
    }
    if (!read_count(json_object_get(object, "k"), &p->k)) {
        return wrong(r, at, "k", "a count");
    }
    if (l && (!read_number(l, &p->l) || p->l < 0)) {
        return wrong(r, at, "l", "a number of 0 or more");
    }
    if (inference &&
        (!read_number(inference, &p->inference) || p->inference < 0 || p->inference > 1)) {
        return wrong(r, at, "inference", "a number in 0..1");
    }
    return KN_OK;
}

static kn_status read_kind(const reading *r, json_t *root, kn_model_kind *kind)
{
    static const char *const names[] = {"tree", "clusters", "rules"};
    json_t *version = json_object_get(root, "kanon_model");
    const char *name = json_string_value(json_object_get(root, "kind"));

    if (!version) {
        return kn_fail(r->err, KN_EINPUT,
                       "%s: this JSON is no model: one begins with {\"kanon_model\": %d", r->name,
                       KN_MODEL_JSON_VERSION);
    }
    if (!json_is_integer(version) || json_integer_value(version) != KN_MODEL_JSON_VERSION) {
        return json_is_integer(version)
                   ? kn_fail(r->err, KN_EINPUT,
                             "%s: 'kanon_model' is %lld: this kanon reads version %d", r->name,
                             (long long)json_integer_value(version), KN_MODEL_JSON_VERSION)
                   : wrong(r, top, "kanon_model", "the version of the format, a whole number");
    }
    for (size_t i = 0; name && i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            *kind = (kn_model_kind)i;
            return KN_OK;
        }
    }
    return wrong(r, top, "kind", "tree, clusters or rules");
}

static kn_status read_top(reading *r, json_t *root)
{
    static const char *const keys[][16] = {
        {"kanon_model", "kind", "made_by", "promise", "attributes", "class", "missing",
         "last_answer", "nodes", NULL},
        {"kanon_model", "kind", "made_by", "promise", "attributes", "scales", "centres", NULL},
        {"kanon_model", "kind", "made_by", "promise", "column", "records", "items", "rules", NULL},
    };
    json_t *made_by = json_object_get(root, "made_by");
    kn_model_kind kind = KN_MODEL_TREE;
    const char *reason;
    kn_status st;

    if (!json_is_object(root)) {
        return kn_fail(r->err, KN_EINPUT, "%s: a model is a JSON object", r->name);
    }
    st = read_kind(r, root, &kind);
    if (st == KN_OK) {
        st = only(r, top, root, keys[kind]);
    }
    if (st == KN_OK) {
        st = kn_model_new(&r->m, kind, r->err);
    }
    if (st == KN_OK && made_by) {
        st = read_text(r, top, "made_by", made_by, &r->m->made_by);
    }
    if (st == KN_OK) {
        st = read_promise(r, json_object_get(root, "promise"));
    }
    if (st == KN_OK && kind != KN_MODEL_RULES) {
        st = read_attributes(r, json_object_get(root, "attributes"));
    }
    if (st == KN_OK) {
        st = kind == KN_MODEL_TREE       ? read_tree(r, root)
             : kind == KN_MODEL_CLUSTERS ? read_centres(r, root)
                                         : read_rules(r, root);
    }
    if (st == KN_OK && !kn_model_validate(r->m, &reason)) {
        st = kn_fail(r->err, KN_EINPUT, "%s: %s", r->name, reason);
    }
    return st;
}

kn_status kn_model_parse_json(kn_model **out, const char *name, const char *bytes, size_t len,
                              kn_error *err)
{
    kn_error local;
    reading r = {.name = name, .err = err ? err : &local};
    json_error_t where;
    json_t *root;
    kn_status st;

    *out = NULL;
    root = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, &where);
    if (!root) {
        return kn_fail(err, KN_EINPUT, "%s: line %d, column %d: not JSON: %s", name, where.line,
                       where.column, where.text);
    }
    st = read_top(&r, root);
    json_decref(root);
    if (st != KN_OK) {
        kn_model_free(r.m);
        return st;
    }
    *out = r.m;
    return KN_OK;
}
