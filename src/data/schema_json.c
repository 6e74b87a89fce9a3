/* schema_json.c - read a schema from JSON. Each object is read by a table of its keys. */
#include "base/buffer.h"
#include "base/args.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/say.h"
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

/* What a list of texts means. The first three are kn_named_by. */
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

/* One key of an object, and the function that reads its value for `column` (NULL: for the table).
 */
typedef struct key_row key_row;
struct key_row {
    const char *key;
    kn_status (*read)(const parsing *p, const key_row *row, const char *column, json_t *value);
    text_list list; /* of keys with lists of texts */
};

static kn_status wrong(const parsing *p, const char *key, const char *expected)
{
    return kn__fail(p->err, KN_EINPUT, "%s: '%s' must be %s", p->name, key, expected);
}

/* Read all keys of `object`. An unknown key is refused, with the names of those that there are. */
static kn_status read_object(const parsing *p, const key_row *rows, size_t count,
                             const char *column, json_t *object)
{
    const char *key;
    json_t *value;
    kn_status status = KN_OK;
    kn_buffer known = {0};

    json_object_foreach(object, key, value)
    {
        size_t i = 0;
        while (i < count && strcmp(rows[i].key, key) != 0) {
            i++;
        }
        if (i == count) {
            for (size_t j = 0; j < count; j++) {
                kn__buffer_addf(&known, "%s%s", kn__say_gap(j, count, " and "), rows[j].key);
            }
            KN_TRY(known.failed
                       ? kn__nomem(p->err)
                       : kn__fail(p->err, KN_EINPUT, "%s: %s%s%sunknown key '%s': there are %s",
                                  p->name, column ? "column '" : "", column ? column : "",
                                  column ? "': " : "", key, known.data));
        }
        KN_TRY(rows[i].read(p, &rows[i], column, value));
    }
done:
    kn__buffer_free(&known);
    return status;
}

/* The texts of a list, borrowed; NULL, with the error set, when `value` is no list of texts. */
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

/* A list of texts about `name`: a column (NULL: all), or the name of the column to make. */
static kn_status read_texts(const parsing *p, const key_row *row, const char *name, json_t *value)
{
    const size_t count = json_array_size(value);
    const char **texts = texts_of(p, row->key,
                                  row->list < BAG ? "a list of texts" : "lists of columns", value);
    kn_status status = KN_OK;

    if (!texts) {
        return p->err->status;
    }
    switch (row->list) {
    case ITEMS:
    case PREFIXES:
    case NODES:
        status = kn_schema_set_sensitive_items(p->s, name, (kn_named_by)row->list, texts, count,
                                               p->err);
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

static kn_status read_rule(const parsing *p, const key_row *row, const char *column, json_t *value)
{
    const char *rule = json_string_value(value);

    if (!rule || (strcmp(rule, "own") != 0 && strcmp(rule, "any") != 0)) {
        return wrong(p, row->key, "\"own\" or \"any\"");
    }
    return kn_schema_set_missing_rule(p->s, column, *rule == 'o' ? KN_MISSING_OWN : KN_MISSING_ANY,
                                      p->err);
}

/* A path in the schema, relative to the schema's folder; free with kn__free. */
static kn_status full_path(const parsing *p, const char *path, char **full)
{
    kn_buffer b = {0};

    if (p->folder && path[0] != '/') {
        kn__buffer_addf(&b, "%s/", p->folder);
    }
    kn__buffer_adds(&b, path);
    return kn__buffer_take(&b, full, p->err);
}

static kn_status read_hierarchy(const parsing *p, const key_row *row, const char *column,
                                json_t *value)
{
    static const char expected[] = "a file name, or a list of them";
    const bool list = json_is_array(value);
    const size_t count = list ? json_array_size(value) : 1;
    char *full = NULL;
    kn_status status;

    KN_TRY(count ? KN_OK : wrong(p, row->key, expected));
    for (size_t i = 0; i < count; i++) {
        const char *path = json_string_value(list ? json_array_get(value, i) : value);
        KN_TRY(path && *path ? KN_OK : wrong(p, row->key, expected));
        kn__free(full);
        full = NULL;
        KN_TRY(full_path(p, path, &full));
        KN_TRY(kn_schema_add_hierarchy(p->s, column, full, p->err));
    }
done:
    kn__free(full);
    return status;
}

static kn_status read_item_weights(const parsing *p, const key_row *row, const char *column,
                                   json_t *value)
{
    const char *item;
    json_t *weight;

    KN_PASS(json_is_object(value) ? KN_OK : wrong(p, row->key, "an object: item to number"));
    json_object_foreach(value, item, weight)
    {
        const double number = json_is_number(weight) ? json_number_value(weight) : -1;
        KN_PASS(number >= 0 && number <= 1
                    ? kn_schema_set_item_weight(p->s, column, item, number, p->err)
                    : wrong(p, row->key, "numbers from 0 to 1"));
    }
    return KN_OK;
}

static kn_status read_type(const parsing *p, const key_row *row, const char *column, json_t *value)
{
    kn_type type;

    return kn_type_from_name(&type, json_string_value(value))
               ? kn_schema_set_type(p->s, column, type, p->err)
               : wrong(p, row->key, "auto, category, integer, decimal, date, set, bag or numbers");
}

static kn_status read_role(const parsing *p, const key_row *row, const char *column, json_t *value)
{
    kn_role role;

    return kn_role_from_name(&role, json_string_value(value))
               ? kn_schema_set_role(p->s, column, role, p->err)
               : wrong(p, row->key, "identifier, quasi-identifier, sensitive, kept or dropped");
}

static kn_status read_allow_unique(const parsing *p, const key_row *row, const char *column,
                                   json_t *value)
{
    if (!json_is_boolean(value)) {
        return wrong(p, row->key, "true or false");
    }
    return json_is_true(value) ? kn_schema_allow_unique(p->s, column, p->err) : KN_OK;
}

static kn_status read_weight(const parsing *p, const key_row *row, const char *column,
                             json_t *value)
{
    return json_is_number(value) && json_number_value(value) >= 0
               ? kn_schema_set_weight(p->s, column, json_number_value(value), p->err)
               : wrong(p, row->key, "a number of 0 or more");
}

/* For people. */
static kn_status read_comment(const parsing *p, const key_row *row, const char *column,
                              json_t *value)
{
    (void)column;
    return json_is_string(value) || json_is_array(value)
               ? KN_OK
               : wrong(p, row->key, "a text, or a list of texts");
}

static kn_status read_date_format(const parsing *p, const key_row *row, const char *column,
                                  json_t *value)
{
    return json_is_string(value)
               ? kn_schema_set_date_format(p->s, column, json_string_value(value), p->err)
               : wrong(p, row->key, "a text such as \"DD.MM.YYYY\"");
}

static const key_row column_keys[] = {{"comment", read_comment, 0},
                                      {"type", read_type, 0},
                                      {"role", read_role, 0},
                                      {"allow_unique", read_allow_unique, 0},
                                      {"hierarchy", read_hierarchy, 0},
                                      {"weight", read_weight, 0},
                                      {"item_weights", read_item_weights, 0},
                                      {"missing", read_texts, MISSING},
                                      {"missing_rule", read_rule, 0},
                                      {"date_format", read_date_format, 0},
                                      {"sensitive_items", read_texts, ITEMS},
                                      {"sensitive_prefixes", read_texts, PREFIXES},
                                      {"sensitive_nodes", read_texts, NODES}};

static kn_status read_columns(const parsing *p, const key_row *row, const char *none,
                              json_t *columns)
{
    const char *column;
    json_t *spec;

    (void)none;
    if (!json_is_object(columns)) {
        return wrong(p, row->key, "an object: {\"age\": {\"role\": \"quasi-identifier\"}}");
    }
    json_object_foreach(columns, column, spec)
    {
        if (!json_is_object(spec)) {
            return kn__fail(p->err, KN_EINPUT, "%s: column '%s' must be an object", p->name,
                            column);
        }
        KN_PASS(kn_schema_set_type(p->s, column, KN_TYPE_AUTO, p->err));
        KN_PASS(
            read_object(p, column_keys, sizeof column_keys / sizeof *column_keys, column, spec));
    }
    return KN_OK;
}

/* An object of names to lists of columns. */
static kn_status read_named(const parsing *p, const key_row *row, const char *none, json_t *value)
{
    const char *name;
    json_t *columns;

    (void)none;
    if (!json_is_object(value)) {
        return wrong(p, row->key, "an object: {\"income\": [\"wages\", \"pension\"]}");
    }
    json_object_foreach(value, name, columns)
    {
        KN_PASS(read_texts(p, row, name, columns));
    }
    return KN_OK;
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
    KN_TRY(full_path(p, path, &full));
    KN_TRY(kn_schema_set_join(p->s, name, full, on, theirs ? theirs : on, texts,
                              json_array_size(columns), p->err));
done:
    KN_FREE(full, texts);
    return status;
}

static kn_status read_joins(const parsing *p, const key_row *row, const char *none, json_t *joins)
{
    const char *name;
    json_t *join;

    (void)none;
    if (!json_is_object(joins)) {
        return wrong(p, row->key, "an object: names to files");
    }
    json_object_foreach(joins, name, join)
    {
        KN_PASS(read_join(p, name, join));
    }
    return KN_OK;
}

static kn_status read_rest(const parsing *p, const key_row *row, const char *none, json_t *value)
{
    kn_role role;

    (void)none;
    return kn_role_from_name(&role, json_string_value(value)) &&
                   (role == KN_ROLE_KEPT || role == KN_ROLE_DROPPED)
               ? kn_schema_set_rest(p->s, role, p->err)
               : wrong(p, row->key, "\"dropped\" or \"kept\"");
}

static kn_status read_separator(const parsing *p, const key_row *row, const char *none,
                                json_t *value)
{
    (void)none;
    return json_string_length(value)
               ? kn_schema_set_item_separator(p->s, json_string_value(value), p->err)
               : wrong(p, row->key, "a text");
}

static kn_status read_tree(const parsing *p, const key_row *row, const char *none, json_t *value)
{
    (void)none;
    return json_string_length(value) ? kn_schema_set_tree(p->s, json_string_value(value), p->err)
                                     : wrong(p, row->key, "a text");
}

static kn_status read_decimal(const parsing *p, const key_row *row, const char *none, json_t *value)
{
    const char *mark = json_string_value(value);

    (void)none;
    return mark && strlen(mark) == 1 && strchr(",.", *mark)
               ? kn_schema_set_decimal(p->s, *mark, p->err)
               : wrong(p, row->key, "\",\" or \".\"");
}

static const key_row table_keys[] = {{"comment", read_comment, 0},
                                     {"columns", read_columns, 0},
                                     {"rest", read_rest, 0},
                                     {"missing", read_texts, MISSING},
                                     {"missing_rule", read_rule, 0},
                                     {"decimal", read_decimal, 0},
                                     {"date_format", read_date_format, 0},
                                     {"item_separator", read_separator, 0},
                                     {"bags", read_named, BAG},
                                     {"nulls", read_texts, NULLS},
                                     {"group_by", read_texts, GROUP_BY},
                                     {"collect", read_named, COLLECT},
                                     {"join", read_joins, 0},
                                     {"together", read_named, TOGETHER},
                                     {"classes", read_texts, CLASSES},
                                     {"tree", read_tree, 0}};

kn_status kn__schema_parse(kn_schema **out, const char *name, const char *bytes, size_t len,
                           const char *folder, kn_error *err)
{
    kn_error local;
    parsing p = {.name = name, .folder = folder, .err = err ? err : &local};
    json_error_t where;
    json_t *root = NULL;
    kn_status status;

    *out = NULL;
    status = kn__json_parse(&root, bytes, len, &where, err);
    if (status == KN_EINPUT) {
        return kn__fail(err, KN_EINPUT, "%s: line %d, column %d: not JSON: %s", name, where.line,
                        where.column, where.text);
    }
    KN_TRY(status);
    KN_TRY(kn_schema_new(&p.s, p.err));
    KN_TRY(json_is_object(root)
               ? read_object(&p, table_keys, sizeof table_keys / sizeof *table_keys, NULL, root)
               : kn__fail(p.err, KN_EINPUT, "%s: a schema is a JSON object", name));
    *out = p.s;
done:
    json_decref(root);
    if (status != KN_OK) {
        kn_schema_free(p.s);
    }
    return status;
}

kn_status kn_schema_parse(kn_schema **out, const char *json, size_t len, const char *name,
                          const char *folder, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, json, name);

    return kn__schema_parse(out, name, json, len, folder, err);
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
    while ((got = fread(block, 1, sizeof block, file)) > 0) {
        kn__buffer_add(text, block, got);
        if (text->failed) {
            KN_TRY(kn__nomem(err));
        } else if (text->len > LARGEST_SCHEMA) {
            KN_TRY(kn__fail(err, KN_EINPUT, "%s: larger than a schema can be", path));
        }
    }
    if (ferror(file)) {
        KN_TRY(errno == ENOMEM ? kn__nomem(err) : kn__fail_errno(err, path, "cannot read", errno));
    }
done:
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
    KN_TRY(read_all(path, &text, err));
    KN_TRY(kn__schema_parse(out, path, text.data ? text.data : "", text.len, folder, err));
done:
    kn__buffer_free(&text);
    kn__free(folder);
    return status;
}
