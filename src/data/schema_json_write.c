/* schema_json_write.c - a schema as JSON, which schema_json.c reads back. What has its default is
 * left out. */
#include "base/args.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "data/schema.h"
#include "data/value.h"

#include <stdlib.h>
#include <string.h>

/* What cannot be said in JSON: the first reason found, or NULL. */
typedef struct writing {
    const char *unsayable;
    bool failed; /* out of memory */
} writing;

static bool is_utf8(writing *w, const char *text)
{
    size_t bad;
    const bool valid = !*text || kn__utf8_valid(text, strlen(text), &bad);

    if (!valid && !w->unsayable) {
        w->unsayable = "a name or a text in it is no valid UTF-8";
    }
    return valid;
}

/* Put `value`, which is taken, into `object`. */
static void put(writing *w, json_t *object, const char *key, json_t *value)
{
    if (!is_utf8(w, key)) {
        json_decref(value);
    } else if (json_object_set_new(object, key, value) != 0) {
        w->failed = true;
    }
}

static json_t *text_of(writing *w, const char *text)
{
    return json_string(is_utf8(w, text) ? text : "");
}

static void put_text(writing *w, json_t *object, const char *key, const char *text)
{
    put(w, object, key, text_of(w, text));
}

/* A text that the reader does not take when it is empty. */
static void put_name(writing *w, json_t *object, const char *key, const char *text)
{
    if (!*text && !w->unsayable) {
        w->unsayable = "a path or the notation of the trees is empty";
    }
    put_text(w, object, key, text);
}

static json_t *texts_of(writing *w, char *const *texts, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++) {
        w->failed = json_array_append_new(list, text_of(w, texts[i])) != 0 || w->failed;
    }
    return list;
}

/* A list of texts, if there are any. */
static void put_texts(writing *w, json_t *object, const char *key, char *const *texts, size_t count)
{
    if (count) {
        put(w, object, key, texts_of(w, texts, count));
    }
}

static void put_rule(writing *w, json_t *object, kn_missing_rule rule)
{
    put_text(w, object, "missing_rule", rule == KN_MISSING_ANY ? "any" : "own");
}

static void put_dates(writing *w, json_t *object, uint8_t order)
{
    const char *format = kn__date_order_format((kn_date_order)order);

    if (format) {
        put_text(w, object, "date_format", format);
    }
}

static void put_hierarchies(writing *w, json_t *object, const kn_column_spec *spec)
{
    for (size_t i = 0; i < spec->hierarchies; i++) {
        put_name(w, object, "hierarchy", spec->hierarchy[i]);
    }
    if (spec->hierarchies > 1) {
        put_texts(w, object, "hierarchy", spec->hierarchy, spec->hierarchies);
    }
}

static json_t *item_weights(writing *w, const kn_item_weights *weights)
{
    json_t *object = json_object();

    for (size_t i = 0; i < weights->count; i++) {
        put(w, object, weights->texts[i], kn__json_of_number(weights->weights[i]));
    }
    return object;
}

static json_t *column_of(writing *w, const kn_column_spec *spec)
{
    static const char *const named[KN_NAMINGS] = {"sensitive_items", "sensitive_prefixes",
                                                  "sensitive_nodes"};
    json_t *object = json_object();

    if (spec->type != KN_TYPE_AUTO) {
        put_text(w, object, "type", kn_type_name(spec->type));
    }
    if (spec->role_given) {
        put_text(w, object, "role", kn_role_name(spec->role));
    }
    if (spec->allow_unique) {
        put(w, object, "allow_unique", json_true());
    }
    put_hierarchies(w, object, spec);
    if (spec->weight != 1) {
        put(w, object, "weight", kn__json_of_number(spec->weight));
    }
    if (spec->item_weights.count) {
        put(w, object, "item_weights", item_weights(w, &spec->item_weights));
    }
    if (spec->missing) {
        put(w, object, "missing", texts_of(w, spec->missing, spec->missing_count));
    }
    if (spec->missing_rule_given) {
        put_rule(w, object, spec->missing_rule);
    }
    put_dates(w, object, spec->dates);
    for (size_t by = 0; by < KN_NAMINGS; by++) {
        put_texts(w, object, named[by], spec->sensitive.texts[by], spec->sensitive.count[by]);
    }
    return object;
}

/* Bags by their names, those that are collected over rows or the others. */
static void put_bags(writing *w, json_t *root, const char *key, const kn_bag_spec *bags,
                     size_t count, bool collect)
{
    json_t *object = json_object();

    for (size_t i = 0; i < count; i++) {
        if (bags[i].collect == collect) {
            put_texts(w, object, bags[i].name, bags[i].columns, bags[i].count);
        }
    }
    if (json_object_size(object)) {
        put(w, root, key, object);
    } else {
        json_decref(object);
    }
}

static void put_joins(writing *w, json_t *root, const kn_schema *s)
{
    json_t *object = s->joins_count ? json_object() : NULL;

    for (size_t i = 0; i < s->joins_count; i++) {
        const kn_join_spec *j = &s->joins[i];
        json_t *join = json_object();
        put_name(w, join, "file", j->path);
        put_text(w, join, "on", j->on);
        if (strcmp(j->key, j->on) != 0) {
            put_text(w, join, "key", j->key);
        }
        put_texts(w, join, "columns", j->columns, j->count);
        put(w, object, j->name, join);
    }
    if (object) {
        put(w, root, "join", object);
    }
}

static void put_columns(writing *w, json_t *root, const kn_schema *s)
{
    json_t *object = json_object();

    for (size_t i = 0; i < s->count; i++) {
        put(w, object, s->specs[i].name, column_of(w, &s->specs[i]));
    }
    put(w, root, "columns", object);
}

static json_t *schema_of(writing *w, const kn_schema *s)
{
    const char mark[] = {s->decimal, '\0'};
    json_t *root = json_object();

    if (s->rest != KN_ROLE_UNSET) {
        put_text(w, root, "rest", kn_role_name(s->rest));
    }
    if (s->missing_given) {
        put(w, root, "missing", texts_of(w, s->missing, s->missing_count));
    }
    if (s->missing_rule != KN_MISSING_OWN) {
        put_rule(w, root, s->missing_rule);
    }
    if (s->decimal) {
        put_text(w, root, "decimal", mark);
    }
    put_dates(w, root, s->dates);
    if (s->item_separator) {
        put_text(w, root, "item_separator", s->item_separator);
    }
    put_bags(w, root, "bags", s->bags, s->bags_count, false);
    put_texts(w, root, "nulls", s->nulls, s->nulls_count);
    put_texts(w, root, "group_by", s->keys, s->keys_count);
    put_bags(w, root, "collect", s->bags, s->bags_count, true);
    put_joins(w, root, s);
    put_bags(w, root, "together", s->together, s->together_count, false);
    put_texts(w, root, "classes", s->classes, s->classes_count);
    if (s->tree) {
        put_name(w, root, "tree", s->tree);
    }
    put_columns(w, root, s);
    return root;
}

kn_status kn_schema_json(char **out, const kn_schema *s, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, s);

    writing w = {0};
    json_t *root = schema_of(&w, s);
    char *text = NULL;
    kn_status status;

    KN_TRY(w.unsayable
               ? kn__fail(err, KN_EUSAGE, "the schema cannot be written as JSON: %s", w.unsayable)
               : KN_OK);
    text = w.failed ? NULL : kn__json_dump(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    *out = text ? kn__strdup(text) : NULL;
    KN_TRY(*out ? KN_OK : kn__nomem(err));
done:
    free(text);
    json_decref(root);
    return status;
}
