/* json_read_lists.c - clusters and rules from JSON. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "models/format/json_read.h"

#include <math.h>

/* ---- clusters ---- */

static kn_status read_at(const kn_json_reading *r, kn_json_place at, json_t *list, size_t centre)
{
    kn_centroids *c = &r->m->centres;

    if (!json_is_array(list) || json_array_size(list) != r->m->attributes) {
        return kn__json_wrong(r, at, "at", "a list of values, one an attribute");
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
        if (!values && !kn__json_number(v, &c->number[to])) {
            return kn__json_wrong(r, at, "at", "numbers where the attributes are numbers");
        }
        if (values) {
            c->value[to] = kn__json_code(values, v);
            if (c->value[to] == KN_NO_CODE) {
                return kn__json_wrong(r, at, "at", "values that the attributes have");
            }
        }
    }
    return KN_OK;
}

static kn_status read_centre(const kn_json_reading *r, json_t *object, size_t number)
{
    static const char *const keys[] = {"at", "name", "population", NULL};
    const kn_json_place at = {"centre", number};
    json_t *name = json_object_get(object, "name");
    json_t *population = json_object_get(object, "population");
    kn_centroids *c = &r->m->centres;

    KN_PASS(kn__json_only(r, at, object, keys));
    KN_PASS(read_at(r, at, json_object_get(object, "at"), number));
    if (name) {
        KN_PASS(kn__json_text(r, at, "name", name, &c->name[number]));
    }
    if ((population != NULL) != (c->population != NULL)) {
        return kn__json_wrong(r, at, "population", "given for all centres or for none");
    }
    if (population && !kn__json_count(population, &c->population[number])) {
        return kn__json_wrong(r, at, "population", "a count");
    }
    return KN_OK;
}

kn_status kn__json_read_centres(const kn_json_reading *r, json_t *root)
{
    json_t *list = json_object_get(root, "centres"), *scales = json_object_get(root, "scales");
    const size_t count = json_array_size(list), width = r->m->attributes;
    kn_centroids *c = &r->m->centres;
    kn_status st = KN_OK;

    if (!json_is_array(list) || count == 0) {
        return kn__json_wrong(r, KN_JSON_TOP, "centres", "a list of objects");
    }
    if (!json_is_array(scales) || json_array_size(scales) != width) {
        return kn__json_wrong(r, KN_JSON_TOP, "scales", "a list of numbers, one an attribute");
    }
    c->scale = kn__malloc_array(width, sizeof *c->scale);
    c->name = kn__zalloc_array(count, sizeof *c->name);
    c->number = width <= SIZE_MAX / count ? kn__malloc_array(count * width, sizeof *c->number)
                                          : NULL;
    c->value = width <= SIZE_MAX / count ? kn__malloc_array(count * width, sizeof *c->value) : NULL;
    if (json_object_get(json_array_get(list, 0), "population")) {
        c->population = kn__zalloc_array(count, sizeof *c->population);
    }
    if (!c->scale || !c->name || !c->number || !c->value ||
        (!c->population && json_object_get(json_array_get(list, 0), "population"))) {
        return kn__nomem(r->err);
    }
    c->count = count;
    for (size_t a = 0; a < width; a++) {
        if (!kn__json_number(json_array_get(scales, a), &c->scale[a])) {
            return kn__json_wrong(r, KN_JSON_TOP, "scales", "a list of numbers, one an attribute");
        }
    }
    for (size_t i = 0; st == KN_OK && i < count; i++) {
        st = read_centre(r, json_array_get(list, i), i);
    }
    return st;
}

/* ---- rules ---- */

static kn_status read_items(const kn_json_reading *r, json_t *list)
{
    static const char *const keys[] = {"name", "private", NULL};
    const size_t count = json_array_size(list);
    kn_rules *rules = &r->m->rules;

    if (!json_is_array(list)) {
        return kn__json_wrong(r, KN_JSON_TOP, "items", "a list of objects");
    }
    rules->hidden = kn__zalloc_array(count ? count : 1, sizeof *rules->hidden);
    if (!rules->hidden) {
        return kn__nomem(r->err);
    }
    for (size_t i = 0; i < count; i++) {
        const kn_json_place at = {"item", i};
        json_t *object = json_array_get(list, i), *name = json_object_get(object, "name");
        KN_PASS(kn__json_only(r, at, object, keys));
        if (!json_is_string(name) || kn__json_code(rules->items, name) != KN_NO_CODE) {
            return kn__json_wrong(r, at, "name", "a text that no other item has");
        }
        if (json_object_get(object, "private") &&
            !json_is_boolean(json_object_get(object, "private"))) {
            return kn__json_wrong(r, at, "private", "true or false");
        }
        rules->hidden[i] = json_is_true(json_object_get(object, "private"));
        KN_PASS(kn__dict_append(rules->items, json_string_value(name), json_string_length(name),
                                r->err));
    }
    return KN_OK;
}

static kn_status read_side(const kn_json_reading *r, kn_json_place at, const char *key,
                           json_t *list, uint32_t **out, size_t *out_count)
{
    const size_t count = json_array_size(list);

    if (!json_is_array(list)) {
        return kn__json_wrong(r, at, key, "a list of items");
    }
    *out = kn__malloc_array(count ? count : 1, sizeof **out);
    if (!*out) {
        return kn__nomem(r->err);
    }
    for (size_t i = 0; i < count; i++) {
        (*out)[i] = kn__json_code(r->m->rules.items, json_array_get(list, i));
        if ((*out)[i] == KN_NO_CODE) {
            return kn__json_wrong(r, at, key, "a list of the model's items");
        }
    }
    *out_count = count;
    kn__sort_u32(*out, count);
    return KN_OK;
}

static kn_status read_rule(const kn_json_reading *r, json_t *object, size_t number)
{
    static const char *const keys[] = {"if", "then", "support", "confidence", "lift", NULL};
    const kn_json_place at = {"rule", number};
    kn_rules *rules = &r->m->rules;
    kn_rule *rule;

    KN_PASS(kn__json_only(r, at, object, keys));
    KN_PASS(kn__grow(&rules->rule, &rules->cap, rules->count + 1, sizeof *rules->rule, r->err));
    rule = &rules->rule[rules->count++];
    *rule = (kn_rule){.support = NAN, .confidence = NAN};
    KN_PASS(read_side(r, at, "if", json_object_get(object, "if"), &rule->left, &rule->left_count));
    KN_PASS(read_side(r, at, "then", json_object_get(object, "then"), &rule->right,
                      &rule->right_count));
    KN_PASS(kn__json_share(r, at, object, "support", 1, "a number in 0..1", &rule->support));
    KN_PASS(kn__json_share(r, at, object, "confidence", 1, "a number in 0..1", &rule->confidence));
    return kn__json_share(r, at, object, "lift", HUGE_VAL, "a number from 0 on", &rule->lift);
}

kn_status kn__json_read_rules(const kn_json_reading *r, json_t *root)
{
    json_t *column = json_object_get(root, "column"), *list = json_object_get(root, "rules");
    json_t *records = json_object_get(root, "records");

    if (column) {
        KN_PASS(kn__json_text(r, KN_JSON_TOP, "column", column, &r->m->rules.column));
    }
    if (records && !kn__json_count(records, &r->m->rules.records)) {
        return kn__json_wrong(r, KN_JSON_TOP, "records", "a count");
    }
    KN_PASS(read_items(r, json_object_get(root, "items")));
    if (!json_is_array(list)) {
        return kn__json_wrong(r, KN_JSON_TOP, "rules", "a list of objects");
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        KN_PASS(read_rule(r, json_array_get(list, i), i));
    }
    return KN_OK;
}
