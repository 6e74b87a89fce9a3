/* value_recoding_text.c - recodings as JSON and as SQL. */
#include "base/args.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/say.h"
#include "base/sort.h"
#include "release/value_recoding.h"

#include <stdlib.h>
#include <string.h>

/* ---- the values in the order of their bytes ---- */

typedef struct pair {
    const char *from, *to; /* `to` NULL: left out */
    size_t from_len, to_len;
} pair;

static int by_value(const void *x, const void *y)
{
    const pair *a = x, *b = y;

    return kn__order_bytes(a->from, a->from_len, b->from, b->from_len);
}

/* The values of `c`, sorted; the caller frees them. NULL: out of memory. */
static pair *sort_values(const kn_recoded_column *c)
{
    pair *pairs = kn__malloc_array((size_t)c->from->len + 1, sizeof *pairs);

    for (uint32_t i = 0; pairs && i < c->from->len; i++) {
        pairs[i] = (pair){0};
        pairs[i].from = kn__dict_text(c->from, i, &pairs[i].from_len);
        if (c->to[i] != KN_NO_CODE) {
            pairs[i].to = kn__dict_text(c->texts, c->to[i], &pairs[i].to_len);
        }
    }
    if (pairs && c->from->len) {
        qsort(pairs, c->from->len, sizeof *pairs, by_value);
    }
    return pairs;
}

/* ---- JSON ---- */

static json_t *json_of_text(const char *text, size_t len)
{
    return text ? json_stringn(text, len) : json_null();
}

static json_t *json_of_column(const kn_recoded_column *c)
{
    json_t *object = json_object(), *values = json_object();
    pair *pairs = sort_values(c);
    bool done = object && values && pairs && kn__json_put_text(object, "name", c->name);

    if (done && c->items) {
        done = json_object_set_new(object, "items", json_true()) == 0;
    }
    for (uint32_t i = 0; done && i < c->from->len; i++) {
        done = json_object_setn_new(values, pairs[i].from, pairs[i].from_len,
                                    json_of_text(pairs[i].to, pairs[i].to_len)) == 0;
    }
    if (done && c->has_missing) {
        size_t len = 0;
        const char *text = c->missing == KN_NO_CODE ? NULL
                                                    : kn__dict_text(c->texts, c->missing, &len);
        done = json_object_set_new(object, "missing", json_of_text(text, len)) == 0;
    }
    done = done && json_object_set(object, "values", values) == 0;
    kn__free(pairs);
    json_decref(values);
    if (!done) {
        json_decref(object);
        return NULL;
    }
    return object;
}

kn_status kn_recoding_json(char **out, const kn_value_recoding *recoding, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, recoding);

    json_t *root = json_object(), *columns = json_array();
    bool done = root && columns && json_object_set_new(root, "recoding", json_integer(1)) == 0 &&
                json_object_set(root, "columns", columns) == 0;
    kn_buffer file = {0};
    char *text = NULL;
    kn_status status;

    for (size_t i = 0; done && i < recoding->count; i++) {
        json_t *column = json_of_column(&recoding->column[i]);
        done = column && json_array_append_new(columns, column) == 0;
    }
    text = done ? kn__json_dump(root, JSON_INDENT(1)) : NULL;
    KN_TRY(text ? KN_OK : kn__nomem(err));
    kn__buffer_adds(&file, text);
    kn__buffer_addc(&file, '\n');
    KN_TRY(kn__buffer_take(&file, out, err));
done:
    free(text);
    kn__buffer_free(&file);
    json_decref(columns);
    json_decref(root);
    return status;
}

static kn_status read_column(kn_recoded_column *c, const json_t *object, const char *name,
                             kn_error *err)
{
    const json_t *values = json_object_get(object, "values"), *item;
    const json_t *missing = json_object_get(object, "missing");
    const char *called = json_string_value(json_object_get(object, "name"));
    void *at;

    if (!called || !json_is_object(values) ||
        (missing && !json_is_string(missing) && !json_is_null(missing))) {
        return kn__fail(err, KN_EINPUT,
                        "%.300s: a column of a recoding has a \"name\" and \"values\", an object "
                        "of texts",
                        name);
    }
    KN_PASS(
        kn__recoded_column_init(c, called, json_is_true(json_object_get(object, "items")), err));
    for (at = json_object_iter((json_t *)values); at;
         at = json_object_iter_next((json_t *)values, at)) {
        const char *from = json_object_iter_key(at);
        item = json_object_iter_value(at);
        if (!json_is_string(item) && !(c->items && json_is_null(item))) {
            KN_PASS(kn__fail(err, KN_EINPUT,
                             "%.300s: a value of column '%.100s' becomes no text; %s", name, called,
                             c->items ? "null says that an item is left out"
                                      : "only items can be left out"));
        }
        KN_PASS(kn__recoded_column_add(c, from, json_object_iter_key_len(at),
                                       json_string_value(item), json_string_length(item), err));
    }
    c->has_missing = missing != NULL;
    if (json_is_string(missing)) {
        KN_PASS(kn__dict_add(c->texts, json_string_value(missing), json_string_length(missing),
                             &c->missing, err));
    }
    return KN_OK;
}

kn_status kn_recoding_parse(kn_value_recoding **out, const char *json, size_t len, const char *name,
                            kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, json, name);

    json_t *root = NULL;
    const json_t *columns;
    json_error_t where;
    kn_value_recoding *made = NULL;
    kn_status status = kn__json_parse(&root, json, len, &where, err);

    if (status == KN_EINPUT) {
        status = kn__fail(err, KN_EINPUT, "%.300s: line %d, column %d: %s", name, where.line,
                          where.column, where.text);
    }
    KN_TRY(status);
    columns = json_object_get(root, "columns");
    if (json_integer_value(json_object_get(root, "recoding")) != 1 || !json_is_array(columns)) {
        KN_TRY(kn__fail(err, KN_EINPUT,
                        "%.300s: no recoding: it begins with {\"recoding\": 1, \"columns\": [",
                        name));
    }
    KN_TRY(kn__recoding_new(&made, json_array_size(columns), err));
    for (size_t i = 0; i < made->count; i++) {
        KN_TRY(read_column(&made->column[i], json_array_get(columns, i), name, err));
    }
    *out = made;
    made = NULL;
done:
    kn_recoding_free(made);
    json_decref(root);
    return status;
}

/* ---- SQL ---- */

static kn_status add_case(kn_buffer *b, const kn_recoded_column *c, kn_error *err)
{
    pair *pairs = sort_values(c);

    KN_PASS(pairs ? KN_OK : kn__nomem(err));
    kn__buffer_adds(b, "  CASE\n");
    if (c->has_missing) {
        size_t len = 0;
        const char *text = c->missing == KN_NO_CODE ? NULL
                                                    : kn__dict_text(c->texts, c->missing, &len);
        kn__buffer_adds(b, "    WHEN ");
        kn__say_quoted(b, '"', c->name, strlen(c->name));
        kn__buffer_adds(b, " IS NULL THEN ");
        if (text) {
            kn__say_quoted(b, '\'', text, len);
        } else {
            kn__buffer_adds(b, "NULL");
        }
        kn__buffer_addc(b, '\n');
    }
    for (uint32_t i = 0; i < c->from->len; i++) {
        kn__buffer_adds(b, "    WHEN CAST(");
        kn__say_quoted(b, '"', c->name, strlen(c->name));
        kn__buffer_adds(b, " AS VARCHAR) = ");
        kn__say_quoted(b, '\'', pairs[i].from, pairs[i].from_len);
        kn__buffer_adds(b, " THEN ");
        kn__say_quoted(b, '\'', pairs[i].to, pairs[i].to_len);
        kn__buffer_addc(b, '\n');
    }
    kn__buffer_adds(b, "    ELSE '*'\n  END AS ");
    kn__say_quoted(b, '"', c->name, strlen(c->name));
    kn__free(pairs);
    return KN_OK;
}

kn_status kn_recoding_sql(char **out, const kn_value_recoding *recoding, const char *table,
                          kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, recoding, table);

    kn_buffer b = {0};
    kn_status status = KN_OK;

    kn__buffer_adds(&b, "SELECT\n");
    for (size_t i = 0; i < recoding->count; i++) {
        const kn_recoded_column *c = &recoding->column[i];
        if (c->items) {
            (void)kn__fail(
                err, KN_EUSAGE,
                "column '%.100s' holds items, which SQL has no common form for: apply the "
                "recoding instead",
                c->name);
            KN_TRY(kn__about_column(err, KN_EUSAGE, KN_ERROR_TYPE, c->name));
        }
        KN_TRY(add_case(&b, c, err));
        kn__buffer_adds(&b, i + 1 < recoding->count ? ",\n" : "\n");
    }
    kn__buffer_adds(&b, "FROM ");
    kn__say_quoted(&b, '"', table, strlen(table));
    kn__buffer_addc(&b, '\n');
    KN_TRY(kn__buffer_take(&b, out, err));
done:
    kn__buffer_free(&b);
    return status;
}
