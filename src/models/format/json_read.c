/* json_read.c - models from JSON. Unknown keys and values are refused, never ignored. */
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/sort.h"
#include "models/format/formats.h"
#include "models/format/json_read.h"

#include <math.h>
#include <string.h>

kn_status kn__json_wrong(const kn_json_reading *r, kn_json_place at, const char *key,
                         const char *expected)
{
    if (at.number == SIZE_MAX) {
        return kn__fail(r->err, KN_EINPUT, "%s: %s: '%s' must be %s", r->name, at.what, key,
                        expected);
    }
    return kn__fail(r->err, KN_EINPUT, "%s: %s %zu: '%s' must be %s", r->name, at.what, at.number,
                    key, expected);
}

kn_status kn__json_only(const kn_json_reading *r, kn_json_place at, json_t *object,
                        const char *const *keys)
{
    const char *key;
    json_t *value;

    if (!json_is_object(object)) {
        return at.number == SIZE_MAX
                   ? kn__fail(r->err, KN_EINPUT, "%s: %s must be an object", r->name, at.what)
                   : kn__fail(r->err, KN_EINPUT, "%s: %s %zu must be an object", r->name, at.what,
                              at.number);
    }
    json_object_foreach(object, key, value)
    {
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0) {
            i++;
        }
        if (!keys[i]) {
            return kn__fail(r->err, KN_EINPUT, "%s: %s: unknown key '%.60s'", r->name, at.what,
                            key);
        }
    }
    return KN_OK;
}

bool kn__json_number(json_t *value, double *out)
{
    if (!json_is_number(value)) {
        return false;
    }
    *out = json_number_value(value);
    return isfinite(*out);
}

bool kn__json_count(json_t *value, uint64_t *out)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0) {
        return false;
    }
    *out = (uint64_t)json_integer_value(value);
    return true;
}

kn_status kn__json_share(const kn_json_reading *r, kn_json_place at, json_t *object,
                         const char *key, double most, const char *expected, double *out)
{
    json_t *value = json_object_get(object, key);

    return !value || (kn__json_number(value, out) && *out >= 0 && *out <= most)
               ? KN_OK
               : kn__json_wrong(r, at, key, expected);
}

uint32_t kn__json_code(const kn_dict *values, const json_t *value)
{
    return json_is_string(value)
               ? kn__dict_find(values, json_string_value(value), json_string_length(value))
               : KN_NO_CODE;
}

kn_status kn__json_text(const kn_json_reading *r, kn_json_place at, const char *key, json_t *value,
                        char **out)
{
    if (!json_is_string(value) || json_string_length(value) == 0) {
        return kn__json_wrong(r, at, key, "a text");
    }
    *out = kn__strdup(json_string_value(value));
    return *out ? KN_OK : kn__nomem(r->err);
}

/* ---- attributes ---- */

static kn_status read_values(const kn_json_reading *r, kn_json_place at, json_t *list,
                             kn_dict *values)
{
    if (!json_is_array(list)) {
        return kn__json_wrong(r, at, "values", "a list of texts");
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *v = json_array_get(list, i);
        if (!json_is_string(v)) {
            return kn__json_wrong(r, at, "values", "a list of texts");
        }
        if (kn__json_code(values, v) != KN_NO_CODE) {
            return kn__json_wrong(r, at, "values", "a list of different texts");
        }
        KN_PASS(kn__dict_append(values, json_string_value(v), json_string_length(v), r->err));
    }
    return KN_OK;
}

static kn_status read_attribute(const kn_json_reading *r, json_t *object, size_t number)
{
    static const char *const keys[] = {"name", "type", "private", "values",
                                       "low",  "high", "weight",  NULL};
    const kn_json_place at = {"attribute", number};
    json_t *name = json_object_get(object, "name"), *private = json_object_get(object, "private");
    const char *type_name = json_string_value(json_object_get(object, "type"));
    json_t *low = json_object_get(object, "low"), *high = json_object_get(object, "high");
    json_t *values = json_object_get(object, "values");
    kn_attribute *a;
    kn_type type;

    KN_PASS(kn__json_only(r, at, object, keys));
    if (!json_is_string(name) || json_string_length(name) == 0) {
        return kn__json_wrong(r, at, "name", "a text");
    }
    if (!type_name || !kn_type_from_name(&type, type_name) ||
        (type != KN_TYPE_CATEGORY && type != KN_TYPE_INTEGER && type != KN_TYPE_DECIMAL &&
         type != KN_TYPE_DATE)) {
        return kn__json_wrong(r, at, "type", "category, integer, decimal or date");
    }
    if (private && !json_is_boolean(private)) {
        return kn__json_wrong(r, at, "private", "true or false");
    }
    if (kn__json_code(r->names, name) != KN_NO_CODE) {
        return kn__json_wrong(r, at, "name", "one that no other attribute has");
    }
    KN_PASS(kn__dict_append(r->names, json_string_value(name), json_string_length(name), r->err));
    KN_PASS(kn__model_append_attribute(r->m, json_string_value(name), json_string_length(name),
                                       type, json_is_true(private), NULL, r->err));
    a = &r->m->attribute[r->m->attributes - 1];
    KN_PASS(kn__json_share(r, at, object, "weight", HUGE_VAL, "a number of 0 or more", &a->weight));
    if (a->values) {
        return low || high ? kn__json_wrong(r, at, "low", "left out: a category has no range")
                           : read_values(r, at, values, a->values);
    }
    if (values) {
        return kn__json_wrong(r, at, "values", "left out: numbers and dates have 'low' and 'high'");
    }
    if ((low || high) && (!kn__json_number(low, &a->low) || !kn__json_number(high, &a->high))) {
        return kn__json_wrong(r, at, "low", "a number, and 'high', too");
    }
    return KN_OK;
}

static kn_status read_attributes(const kn_json_reading *r, json_t *list)
{
    if (!json_is_array(list) || json_array_size(list) == 0) {
        return kn__json_wrong(r, KN_JSON_TOP, "attributes", "a list of objects");
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        KN_PASS(read_attribute(r, json_array_get(list, i), i));
    }
    return KN_OK;
}

/* ---- tests ---- */

static const char *const kinds[] = {"true", "false", "<",   "<=",         ">",       ">=",
                                    "=",    "!=",    "in",  "not in",     "missing", "not missing",
                                    "and",  "or",    "xor", "first known"};

static kn_status read_test(const kn_json_reading *r, kn_json_place at, json_t *object, kn_test *t,
                           unsigned depth);

static kn_status read_parts(const kn_json_reading *r, kn_json_place at, json_t *parts, kn_test *t,
                            unsigned depth)
{
    const size_t count = json_array_size(parts);
    kn_status st = KN_OK;

    if (!json_is_array(parts) || count == 0) {
        return kn__json_wrong(r, at, "parts", "a list of tests");
    }
    t->parts = kn__zalloc_array(count, sizeof *t->parts);
    if (!t->parts) {
        return kn__nomem(r->err);
    }
    for (size_t i = 0; st == KN_OK && i < count; i++) {
        t->parts_count = i + 1;
        st = read_test(r, at, json_array_get(parts, i), &t->parts[i], depth + 1);
    }
    return st;
}

static kn_status read_set(const kn_json_reading *r, kn_json_place at, json_t *list, kn_test *t)
{
    const kn_dict *values = r->m->attribute[t->attribute].values;
    const size_t count = json_array_size(list);

    if (!json_is_array(list)) {
        return kn__json_wrong(r, at, "values", "a list of texts");
    }
    t->values = kn__malloc_array(count ? count : 1, sizeof *t->values);
    if (!t->values) {
        return kn__nomem(r->err);
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t code = kn__json_code(values, json_array_get(list, i));
        if (code == KN_NO_CODE) {
            return kn__json_wrong(r, at, "values", "values that the attribute has");
        }
        t->values[t->values_count++] = code;
    }
    kn__sort_u32(t->values, count);
    for (size_t i = 1; i < count; i++) {
        if (t->values[i - 1] == t->values[i]) {
            return kn__json_wrong(r, at, "values", "different values");
        }
    }
    return KN_OK;
}

static kn_status read_simple(const kn_json_reading *r, kn_json_place at, json_t *object, kn_test *t)
{
    const bool numeric = t->kind >= KN_TEST_LESS && t->kind <= KN_TEST_NOT_EQUAL;
    const bool set = t->kind == KN_TEST_IN || t->kind == KN_TEST_NOT_IN;

    t->attribute = kn__json_code(r->names, json_object_get(object, "attribute"));
    if (t->attribute == KN_NO_CODE) {
        t->attribute = 0;
        return kn__json_wrong(r, at, "attribute", "one of the model's attributes");
    }
    if (numeric && r->m->attribute[t->attribute].values) {
        return kn__json_wrong(r, at, "is", "in or not in: the attribute is a category");
    }
    if (set && !r->m->attribute[t->attribute].values) {
        return kn__json_wrong(r, at, "is", "a comparison: the attribute is no category");
    }
    if (numeric && !kn__json_number(json_object_get(object, "number"), &t->number)) {
        return kn__json_wrong(r, at, "number", "a number");
    }
    return set ? read_set(r, at, json_object_get(object, "values"), t) : KN_OK;
}

static kn_status read_test(const kn_json_reading *r, kn_json_place at, json_t *object, kn_test *t,
                           unsigned depth)
{
    static const char *const keys[] = {"is", "attribute", "number", "values", "parts", NULL};
    const char *is = json_string_value(json_object_get(object, "is"));
    size_t kind = 0;
    kn_status st;

    if (depth > KN_TEST_DEEPEST) {
        return kn__json_wrong(r, at, "test", "nested less deeply");
    }
    if (!json_is_object(object)) {
        return kn__json_wrong(r, at, "test",
                              "an object: {\"is\": \"<\", \"attribute\": \"age\", "
                              "\"number\": 30}");
    }
    st = kn__json_only(r, at, object, keys);
    if (st != KN_OK) {
        return st;
    }
    while (is && kind < sizeof kinds / sizeof *kinds && strcmp(kinds[kind], is) != 0) {
        kind++;
    }
    if (!is || kind == sizeof kinds / sizeof *kinds) {
        return kn__json_wrong(
            r, at, "is",
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

static kn_status read_population(const kn_json_reading *r, kn_json_place at, json_t *list,
                                 size_t count, uint64_t **out)
{
    if (!json_is_array(list) || json_array_size(list) != count) {
        return kn__json_wrong(r, at, "population", "a list of counts, one a value of the class");
    }
    *out = kn__malloc_array(count ? count : 1, sizeof **out);
    if (!*out) {
        return kn__nomem(r->err);
    }
    for (size_t i = 0; i < count; i++) {
        if (!kn__json_count(json_array_get(list, i), &(*out)[i])) {
            return kn__json_wrong(r, at, "population",
                                  "a list of counts, one a value of the class");
        }
    }
    return KN_OK;
}

static kn_status read_node(const kn_json_reading *r, json_t *object, size_t number)
{
    static const char *const keys[] = {"parent",     "test",   "label",      "split",
                                       "missing_to", "answer", "population", NULL};
    const kn_json_place at = {"node", number};
    const kn_dict *classes = r->m->attribute[r->m->tree.class_attribute].values;
    json_t *parent = json_object_get(object, "parent"), *label = json_object_get(object, "label");
    json_t *split = json_object_get(object, "split"), *to = json_object_get(object, "missing_to");
    json_t *answer = json_object_get(object, "answer");
    json_t *population = json_object_get(object, "population");
    kn_tree *t = &r->m->tree;
    uint64_t up = 0, down = 0;
    uint32_t own;
    kn_tree_node *n;

    KN_PASS(kn__json_only(r, at, object, keys));
    if (number ? !kn__json_count(parent, &up) || up >= number : parent && !json_is_null(parent)) {
        return kn__json_wrong(r, at, "parent",
                              number ? "the number of an earlier node" : "null: it is the root");
    }
    if (number && t->node[up].children && t->node[up].first + t->node[up].children != t->nodes) {
        return kn__json_wrong(r, at, "parent", "that of the node before: children stand together");
    }
    KN_PASS(kn__tree_add(t, number ? (uint32_t)up : KN_NO_CODE, &own, r->err));
    n = &t->node[own];
    KN_PASS(read_test(r, at, json_object_get(object, "test"), &n->test, 0));
    if (label) {
        KN_PASS(kn__json_text(r, at, "label", label, &n->label));
    }
    if (split) {
        n->attribute = kn__json_code(r->names, split);
        if (n->attribute == KN_NO_CODE) {
            return kn__json_wrong(r, at, "split", "one of the model's attributes");
        }
    }
    if (to) {
        if (!kn__json_count(to, &down) || down >= KN_NO_CODE) {
            return kn__json_wrong(r, at, "missing_to", "the number of one of its children");
        }
        n->missing = (uint32_t)down;
    }
    if (answer) {
        n->answer = kn__json_code(classes, answer);
        if (n->answer == KN_NO_CODE) {
            return kn__json_wrong(r, at, "answer", "one of the values of the class");
        }
    }
    if (population) {
        KN_PASS(read_population(r, at, population, classes->len, &n->population));
    }
    return KN_OK;
}

static kn_status read_tree(const kn_json_reading *r, json_t *root)
{
    static const char *const missing[] = {"next", "child", "stays", "nothing"};
    json_t *how = json_object_get(root, "missing"), *last = json_object_get(root, "last_answer");
    json_t *nodes = json_object_get(root, "nodes");
    kn_tree *t = &r->m->tree;
    size_t i = 0;

    t->class_attribute = kn__json_code(r->names, json_object_get(root, "class"));
    if (t->class_attribute == KN_NO_CODE || !r->m->attribute[t->class_attribute].values) {
        return kn__json_wrong(r, KN_JSON_TOP, "class", "one of the attributes that are categories");
    }
    while (how && i < 4 &&
           (!json_is_string(how) || strcmp(missing[i], json_string_value(how)) != 0)) {
        i++;
    }
    if (i == 4) {
        return kn__json_wrong(r, KN_JSON_TOP, "missing", "next, child, stays or nothing");
    }
    t->when_missing = (kn_tree_missing)i;
    if (last && !json_is_boolean(last)) {
        return kn__json_wrong(r, KN_JSON_TOP, "last_answer", "true or false");
    }
    t->last_answer = json_is_true(last);
    if (!json_is_array(nodes) || json_array_size(nodes) == 0 ||
        json_array_size(nodes) >= KN_NO_CODE) {
        return kn__json_wrong(r, KN_JSON_TOP, "nodes", "a list of objects");
    }
    for (i = 0; i < json_array_size(nodes); i++) {
        KN_PASS(read_node(r, json_array_get(nodes, i), i));
    }
    return KN_OK;
}

/* ---- all ---- */

static kn_status read_promise(const kn_json_reading *r, json_t *object)
{
    static const char *const keys[] = {"k", "l", "inference", NULL};
    const kn_json_place at = {"the promise", SIZE_MAX};
    kn_model_promise *p = &r->m->promise;

    if (!object) {
        return KN_OK;
    }
    KN_PASS(kn__json_only(r, at, object, keys));
    if (!kn__json_count(json_object_get(object, "k"), &p->k)) {
        return kn__json_wrong(r, at, "k", "a count");
    }
    KN_PASS(kn__json_share(r, at, object, "l", HUGE_VAL, "a number of 0 or more", &p->l));
    return kn__json_share(r, at, object, "inference", 1, "a number in 0..1", &p->inference);
}

static kn_status read_kind(const kn_json_reading *r, json_t *root, kn_model_kind *kind)
{
    static const char *const names[] = {"tree", "clusters", "rules"};
    json_t *version = json_object_get(root, "kanon_model");
    const char *name = json_string_value(json_object_get(root, "kind"));

    if (!version) {
        return kn__fail(r->err, KN_EINPUT,
                        "%s: this JSON is no model: one begins with {\"kanon_model\": %d", r->name,
                        KN_MODEL_JSON_VERSION);
    }
    if (!json_is_integer(version) || json_integer_value(version) != KN_MODEL_JSON_VERSION) {
        return json_is_integer(version)
                   ? kn__fail(r->err, KN_EINPUT,
                              "%s: 'kanon_model' is %lld: this kanon reads version %d", r->name,
                              (long long)json_integer_value(version), KN_MODEL_JSON_VERSION)
                   : kn__json_wrong(r, KN_JSON_TOP, "kanon_model",
                                    "the version of the format, a whole number");
    }
    for (size_t i = 0; name && i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            *kind = (kn_model_kind)i;
            return KN_OK;
        }
    }
    return kn__json_wrong(r, KN_JSON_TOP, "kind", "tree, clusters or rules");
}

static kn_status read_top(kn_json_reading *r, json_t *root)
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

    if (!json_is_object(root)) {
        return kn__fail(r->err, KN_EINPUT, "%s: a model is a JSON object", r->name);
    }
    KN_PASS(read_kind(r, root, &kind));
    KN_PASS(kn__json_only(r, KN_JSON_TOP, root, keys[kind]));
    KN_PASS(kn__model_new(&r->m, kind, r->err));
    if (made_by) {
        KN_PASS(kn__json_text(r, KN_JSON_TOP, "made_by", made_by, &r->m->made_by));
    }
    KN_PASS(read_promise(r, json_object_get(root, "promise")));
    KN_PASS(kn__dict_new(&r->names, r->err));
    if (kind != KN_MODEL_RULES) {
        KN_PASS(read_attributes(r, json_object_get(root, "attributes")));
    }
    switch (kind) {
    case KN_MODEL_TREE: KN_PASS(read_tree(r, root)); break;
    case KN_MODEL_CLUSTERS: KN_PASS(kn__json_read_centres(r, root)); break;
    case KN_MODEL_RULES: KN_PASS(kn__json_read_rules(r, root)); break;
    }
    if (!kn__model_validate(r->m, &reason)) {
        KN_PASS(kn__fail(r->err, KN_EINPUT, "%s: %s", r->name, reason));
    }
    return KN_OK;
}

kn_status kn__model_parse_json(kn_model **out, const char *name, const char *bytes, size_t len,
                               kn_error *err)
{
    kn_error local;
    kn_json_reading r = {.name = name, .err = err ? err : &local};
    json_error_t where;
    json_t *root = NULL;
    kn_status status;

    *out = NULL;
    status = kn__json_parse(&root, bytes, len, &where, err);
    if (status == KN_EINPUT) {
        (void)kn__fail(err, KN_EINPUT, "%s: line %d, column %d: not JSON: %s", name, where.line,
                       where.column, where.text);
    }
    KN_TRY(status);
    KN_TRY(read_top(&r, root));
    *out = r.m;
    r.m = NULL;
done:
    json_decref(root);
    kn__dict_free(r.names);
    kn_model_free(r.m);
    return status;
}
