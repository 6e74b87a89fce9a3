/* schema_json.c - schemas as JSON. */
#include "base/buffer.h"
#include "base/args.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "data/schema.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_SCHEMA = 64 << 20 };

typedef struct parsing {
    kn_schema *s;
    const char *name, *folder;
    kn_error *err;
} parsing;

static kn_status wrong(const parsing *p, const char *key, const char *expected)
{
    return kn__fail(p->err, KN_EINPUT, "%s: '%s' must be %s", p->name, key, expected);
}

/* The first three are kn_named_by. */
typedef enum text_list {
    ITEMS,
    PREFIXES,
    NODES,
    MISSING,
    NULLS,
    GROUP_BY,
    BAG,
    COLLECT,
    TOGETHER,
    CLASSES
} text_list;

/* The texts of a list, borrowed; NULL, after words, when it is none. */
static const char **texts_of(const parsing *p, const char *key, const char *expected, json_t *value)
{
    const size_t count = json_array_size(value);
    const char **texts;

    if (!json_is_array(value)) {
        (void)wrong(p, key, expected);
        return NULL;
    }
    texts = kn__malloc_array(count ? count : 1, sizeof *texts);
    if (!texts) {
        (void)kn__nomem(p->err);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        texts[i] = json_string_value(json_array_get(value, i));
        if (!texts[i]) {
            (void)wrong(p, key, expected);
            kn__free(texts);
            return NULL;
        }
    }
    return texts;
}

/* A list of texts: what names the sensitive items of the column `name`, what is missing in it
 * (NULL: everywhere), what is null, the keys, or the columns of what is called `name`. */
static kn_status read_texts(const parsing *p, text_list what, const char *name, json_t *value)
{
    static const char *const keys[] = {"sensitive_items",
                                       "sensitive_prefixes",
                                       "sensitive_nodes",
                                       "missing",
                                       "nulls",
                                       "group_by",
                                       "bags",
                                       "collect",
                                       "together"};
    const size_t count = json_array_size(value);
    const char **texts = texts_of(p, keys[what],
                                  what < BAG ? "a list of texts" : "lists of columns", value);
    kn_status status = KN_OK;

    if (!texts) {
        return p->err->status;
    }
    switch (what) {
    case ITEMS:
    case PREFIXES:
    case NODES:
        status = kn_schema_set_sensitive_items(p->s, name, (kn_named_by)what, texts, count, p->err);
        break;
    case MISSING: status = kn_schema_set_missing(p->s, name, texts, count, p->err); break;
    case NULLS: status = kn_schema_set_nulls(p->s, texts, count, p->err); break;
    case GROUP_BY: status = kn_schema_set_group_by(p->s, texts, count, p->err); break;
    case BAG: status = kn_schema_set_bag(p->s, name, texts, count, p->err); break;
    case COLLECT: status = kn_schema_set_collect(p->s, name, texts, count, p->err); break;
    case TOGETHER: status = kn_schema_set_together(p->s, name, texts, count, p->err); break;
    case CLASSES: status = kn_schema_set_classes(p->s, texts, count, p->err); break;
    }
    kn__free(texts);
    return status;
}

static kn_status read_rule(const parsing *p, const char *column, json_t *value)
{
    const char *rule = json_string_value(value);

    if (!rule || (strcmp(rule, "own") != 0 && strcmp(rule, "any") != 0)) {
        return wrong(p, "missing_rule", "\"own\" or \"any\"");
    }
    return kn_schema_set_missing_rule(p->s, column, *rule == 'o' ? KN_MISSING_OWN : KN_MISSING_ANY,
                                      p->err);
}

/* A path that the schema gives, seen from where it is; free with kn__free. */
static kn_status full_path(const parsing *p, const char *path, char **full)
{
    kn_buffer b = {0};

    if (p->folder && path[0] != '/') {
        kn__buffer_addf(&b, "%s/", p->folder);
    }
    kn__buffer_adds(&b, path);
    return kn__buffer_take(&b, full, p->err);
}

static kn_status add_hierarchy(const parsing *p, const char *column, const char *path)
{
    char *full;
    kn_status status = full_path(p, path, &full);

    if (status == KN_OK) {
        status = kn_schema_add_hierarchy(p->s, column, full, p->err);
        kn__free(full);
    }
    return status;
}

static kn_status read_hierarchy(const parsing *p, const char *column, json_t *value)
{
    const bool list = json_is_array(value);
    const size_t count = list ? json_array_size(value) : 1;
    kn_status status = KN_OK;

    if (count == 0) {
        return wrong(p, "hierarchy", "a file name, or a list of them");
    }
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        const char *path = json_string_value(list ? json_array_get(value, i) : value);
        status = path && *path ? add_hierarchy(p, column, path)
                               : wrong(p, "hierarchy", "a file name, or a list of them");
    }
    return status;
}

static kn_status read_item_weights(const parsing *p, const char *column, json_t *value)
{
    kn_status status = KN_OK;
    const char *item;
    json_t *weight;

    if (!json_is_object(value)) {
        return wrong(p, "item_weights", "an object: item to number");
    }
    json_object_foreach(value, item, weight)
    {
        const double number = json_is_number(weight) ? json_number_value(weight) : -1;
        if (!(number >= 0 && number <= 1)) {
            return wrong(p, "item_weights", "numbers from 0 to 1");
        }
        status = kn_schema_set_item_weight(p->s, column, item, number, p->err);
        if (status != KN_OK) {
            break;
        }
    }
    return status;
}

static kn_status read_key(const parsing *p, const char *column, const char *key, json_t *value)
{
    const char *text = json_string_value(value);
    kn_type type;
    kn_role role;

    if (strcmp(key, "type") == 0) {
        return text && kn_type_from_name(&type, text)
                   ? kn_schema_set_type(p->s, column, type, p->err)
                   : wrong(p, key, "auto, category, integer, decimal, date, set, bag or numbers");
    }
    if (strcmp(key, "role") == 0) {
        return text && kn_role_from_name(&role, text)
                   ? kn_schema_set_role(p->s, column, role, p->err)
                   : wrong(p, key, "identifier, quasi-identifier, sensitive, kept or dropped");
    }
    if (strcmp(key, "allow_unique") == 0) {
        return !json_is_boolean(value) ? wrong(p, key, "true or false")
               : json_is_true(value)   ? kn_schema_allow_unique(p->s, column, p->err)
                                       : KN_OK;
    }
    if (strcmp(key, "hierarchy") == 0) {
        return read_hierarchy(p, column, value);
    }
    if (strcmp(key, "weight") == 0) {
        return json_is_number(value) && json_number_value(value) >= 0
                   ? kn_schema_set_weight(p->s, column, json_number_value(value), p->err)
                   : wrong(p, key, "a number of 0 or more");
    }
    if (strcmp(key, "item_weights") == 0) {
        return read_item_weights(p, column, value);
    }
    if (strcmp(key, "missing") == 0) {
        return read_texts(p, MISSING, column, value);
    }
    if (strcmp(key, "missing_rule") == 0) {
        return read_rule(p, column, value);
    }
    if (strcmp(key, "sensitive_items") == 0) {
        return read_texts(p, ITEMS, column, value);
    }
    if (strcmp(key, "sensitive_prefixes") == 0) {
        return read_texts(p, PREFIXES, column, value);
    }
    if (strcmp(key, "sensitive_nodes") == 0) {
        return read_texts(p, NODES, column, value);
    }
    return kn__fail(
        p->err, KN_EINPUT,
        "%s: column '%s': unknown key '%s': there are type, role, allow_unique, hierarchy, "
        "weight, item_weights, missing, missing_rule, sensitive_items, sensitive_prefixes and "
        "sensitive_nodes",
        p->name, column, key);
}

static kn_status read_rest(const parsing *p, json_t *value)
{
    const char *word = json_string_value(value);
    kn_role role;

    return word && kn_role_from_name(&role, word) &&
                   (role == KN_ROLE_KEPT || role == KN_ROLE_DROPPED)
               ? kn_schema_set_rest(p->s, role, p->err)
               : wrong(p, "rest", "\"dropped\" or \"kept\"");
}

static kn_status read_columns(const parsing *p, json_t *columns)
{
    const char *column, *key;
    json_t *spec, *value;
    kn_status status = KN_OK;

    if (!json_is_object(columns)) {
        return wrong(p, "columns", "an object: {\"age\": {\"role\": \"quasi-identifier\"}}");
    }
    json_object_foreach(columns, column, spec)
    {
        if (!json_is_object(spec)) {
            return kn__fail(p->err, KN_EINPUT, "%s: column '%s' must be an object", p->name,
                            column);
        }
        status = kn_schema_set_type(p->s, column, KN_TYPE_AUTO, p->err);
        if (status != KN_OK) {
            return status;
        }
        json_object_foreach(spec, key, value)
        {
            status = read_key(p, column, key, value);
            if (status != KN_OK) {
                return status;
            }
        }
    }
    return status;
}

/* Names to lists of columns. */
static kn_status read_named(const parsing *p, text_list what, const char *key, json_t *value)
{
    const char *name;
    json_t *columns;
    kn_status status = KN_OK;

    if (!json_is_object(value)) {
        return wrong(p, key, "an object: {\"income\": [\"wages\", \"pension\"]}");
    }
    json_object_foreach(value, name, columns)
    {
        status = read_texts(p, what, name, columns);
        if (status != KN_OK) {
            return status;
        }
    }
    return status;
}

static kn_status read_join(const parsing *p, const char *name, json_t *join)
{
    const char *key, *path = json_string_value(json_object_get(join, "file"));
    const char *on = json_string_value(json_object_get(join, "on"));
    const char *theirs = json_string_value(json_object_get(join, "key"));
    json_t *columns = json_object_get(join, "columns"), *value;
    const char **texts;
    char *full = NULL;
    kn_status status;

    json_object_foreach(join, key, value)
    {
        if (strcmp(key, "file") != 0 && strcmp(key, "on") != 0 && strcmp(key, "key") != 0 &&
            strcmp(key, "columns") != 0) {
            return kn__fail(p->err, KN_EINPUT,
                            "%s: join '%s': unknown key '%s': there are file, on, key and columns",
                            p->name, name, key);
        }
    }
    if (!path || !*path || !on || (!theirs && json_object_get(join, "key"))) {
        return wrong(p, "join",
                     "objects: {\"allergies\": {\"file\": \"allergies.csv\", \"on\": "
                     "\"patient\", \"key\": \"person\", \"columns\": [\"code\"]}}");
    }
    texts = texts_of(p, "columns", "a list of columns", columns);
    if (!texts) {
        return p->err->status;
    }
    status = full_path(p, path, &full);
    if (status == KN_OK) {
        status = kn_schema_set_join(p->s, name, full, on, theirs ? theirs : on, texts,
                                    json_array_size(columns), p->err);
    }
    kn__free(full);
    kn__free(texts);
    return status;
}

static kn_status read_joins(const parsing *p, json_t *joins)
{
    const char *name;
    json_t *join;
    kn_status status = KN_OK;

    if (!json_is_object(joins)) {
        return wrong(p, "join", "an object: names to files");
    }
    json_object_foreach(joins, name, join)
    {
        status = read_join(p, name, join);
        if (status != KN_OK) {
            return status;
        }
    }
    return status;
}

static kn_status read_top(const parsing *p, json_t *root)
{
    const char *key;
    json_t *value;
    kn_status status = KN_OK;

    if (!json_is_object(root)) {
        return kn__fail(p->err, KN_EINPUT, "%s: a schema is a JSON object", p->name);
    }
    json_object_foreach(root, key, value)
    {
        if (strcmp(key, "columns") == 0) {
            status = read_columns(p, value);
        } else if (strcmp(key, "missing") == 0) {
            status = read_texts(p, MISSING, NULL, value);
        } else if (strcmp(key, "nulls") == 0) {
            status = read_texts(p, NULLS, NULL, value);
        } else if (strcmp(key, "bags") == 0) {
            status = read_named(p, BAG, key, value);
        } else if (strcmp(key, "group_by") == 0) {
            status = read_texts(p, GROUP_BY, NULL, value);
        } else if (strcmp(key, "collect") == 0) {
            status = read_named(p, COLLECT, key, value);
        } else if (strcmp(key, "together") == 0) {
            status = read_named(p, TOGETHER, key, value);
        } else if (strcmp(key, "classes") == 0) {
            status = read_texts(p, CLASSES, NULL, value);
        } else if (strcmp(key, "tree") == 0) {
            status = json_string_length(value)
                         ? kn_schema_set_tree(p->s, json_string_value(value), p->err)
                         : wrong(p, key, "a text");
        } else if (strcmp(key, "join") == 0) {
            status = read_joins(p, value);
        } else if (strcmp(key, "rest") == 0) {
            status = read_rest(p, value);
        } else if (strcmp(key, "missing_rule") == 0) {
            status = read_rule(p, NULL, value);
        } else if (strcmp(key, "item_separator") == 0) {
            status = json_string_length(value)
                         ? kn_schema_set_item_separator(p->s, json_string_value(value), p->err)
                         : wrong(p, key, "a text");
        } else {
            status = kn__fail(
                p->err, KN_EINPUT,
                "%s: unknown key '%s': there are columns, rest, missing, missing_rule, "
                "item_separator, bags, nulls, group_by, collect, join, together, classes and tree",
                p->name, key);
        }
        if (status != KN_OK) {
            return status;
        }
    }
    return status;
}

kn_status kn__schema_parse(kn_schema **out, const char *name, const char *bytes, size_t len,
                           const char *folder, kn_error *err)
{
    kn_error local;
    parsing p = {.name = name, .folder = folder, .err = err ? err : &local};
    json_error_t where;
    json_t *root;
    kn_status status;

    *out = NULL;
    status = kn__json_parse(&root, bytes, len, &where, err);
    if (status != KN_OK) {
        return status != KN_EINPUT
                   ? status
                   : kn__fail(err, KN_EINPUT, "%s: line %d, column %d: not JSON: %s", name,
                              where.line, where.column, where.text);
    }
    status = kn_schema_new(&p.s, p.err);
    if (status == KN_OK) {
        status = read_top(&p, root);
    }
    json_decref(root);
    if (status != KN_OK) {
        kn_schema_free(p.s);
        return status;
    }
    *out = p.s;
    return KN_OK;
}

static kn_status read_all(const char *path, kn_buffer *text, kn_error *err)
{
    char block[1 << 14];
    struct stat st;
    FILE *file = fopen(path, "rb");
    size_t got;
    kn_status status = KN_OK;

    if (!file) {
        return errno == ENOMEM
                   ? kn__nomem(err)
                   : kn__fail(err, KN_EINPUT, "%s: cannot read: %s", path, strerror(errno));
    }
    if (fstat(fileno(file), &st) == 0 && S_ISDIR(st.st_mode)) {
        (void)fclose(file);
        return kn__fail(err, KN_EINPUT, "%s: this is a folder, not a schema file", path);
    }
    while (status == KN_OK && (got = fread(block, 1, sizeof block, file)) > 0) {
        kn__buffer_add(text, block, got);
        if (text->failed) {
            status = kn__nomem(err);
        } else if (text->len > LARGEST_SCHEMA) {
            status = kn__fail(err, KN_EINPUT, "%s: larger than a schema can be", path);
        }
    }
    if (status == KN_OK && ferror(file)) {
        status = errno == ENOMEM ? kn__nomem(err) : kn__fail_errno(err, path, "cannot read", errno);
    }
    (void)fclose(file);
    return status;
}

kn_status kn_schema_read(kn_schema **out, const char *path, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, path);

    kn_buffer text = {0};
    const char *slash = strrchr(path, '/');
    char *folder = slash ? kn__strndup(path, slash == path ? 1 : (size_t)(slash - path)) : NULL;
    kn_status status = KN_OK;

    if (slash && !folder) {
        return kn__nomem(err);
    }
    status = read_all(path, &text, err);
    if (status == KN_OK) {
        status = kn__schema_parse(out, path, text.data ? text.data : "", text.len, folder, err);
    }
    kn__buffer_free(&text);
    kn__free(folder);
    return status;
}
