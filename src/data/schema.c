/* schema.c - the declared types, roles, weights and missing values of columns. */
#include "data/schema.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const char *const type_names[] = {"auto", "category", "integer", "decimal",
                                         "date", "set",      "bag",     "numbers"};
static const char *const role_names[] = {"unset",     "kept",   "identifier", "quasi-identifier",
                                         "sensitive", "dropped"};
enum {
    TYPES = sizeof type_names / sizeof *type_names,
    ROLES = sizeof role_names / sizeof *role_names
};

const char *kn_type_name(kn_type type)
{
    return (unsigned)type < TYPES ? type_names[type] : NULL;
}

const char *kn_role_name(kn_role role)
{
    return (unsigned)role < ROLES ? role_names[role] : NULL;
}

static bool find_name(const char *name, const char *const *names, size_t count, size_t *out)
{
    for (size_t i = 0; name && i < count; i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

bool kn_type_from_name(kn_type *out, const char *name)
{
    size_t i;
    const bool found = out && find_name(name, type_names, TYPES, &i);

    if (found) {
        *out = (kn_type)i;
    }
    return found;
}

bool kn_role_from_name(kn_role *out, const char *name)
{
    size_t i;
    const bool found = out && find_name(name, role_names, ROLES, &i) && i != KN_ROLE_UNSET;

    if (found) {
        *out = (kn_role)i;
    }
    return found;
}

kn_status kn_schema_new(kn_schema **out, kn_error *err)
{
    KN_NEED_OUT(err, out);

    *out = kn__zalloc(sizeof **out);
    return *out ? KN_OK : kn__nomem(err);
}

void kn__texts_free(char **texts, size_t count)
{
    for (size_t i = 0; texts && i < count; i++) {
        kn__free(texts[i]);
    }
    kn__free(texts);
}

void kn_schema_free(kn_schema *s)
{
    if (!s) {
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        kn__free(s->specs[i].name);
        kn__texts_free(s->specs[i].hierarchy, s->specs[i].hierarchies);
        kn__texts_free(s->specs[i].missing, s->specs[i].missing_count);
        kn__named_items_clear(&s->specs[i].sensitive);
        kn__item_weights_clear(&s->specs[i].item_weights);
    }
    kn__free(s->specs);
    kn__dict_free(s->names);
    kn__schema_rows_free(s);
    kn__schema_trees_free(s);
    kn__texts_free(s->missing, s->missing_count);
    KN_FREE(s->item_separator, s);
}

const kn_column_spec *kn__schema_find(const kn_schema *s, const char *column)
{
    uint32_t at = KN_NO_CODE;

    if (s && s->names && column) {
        at = kn__dict_find(s->names, column, strlen(column));
    }
    return at == KN_NO_CODE ? NULL : &s->specs[at];
}

/* The spec of `column`, added if it is new. */
static kn_status spec_for(kn_schema *s, const char *column, kn_column_spec **out, kn_error *err)
{
    const kn_column_spec *known = kn__schema_find(s, column);
    kn_status status;
    char *name = NULL;

    if (known) {
        *out = &s->specs[known - s->specs];
        return KN_OK;
    }
    if (!s->names) {
        KN_TRY(kn__dict_new(&s->names, err));
    }
    KN_TRY(kn__grow(&s->specs, &s->cap, s->count + 1, sizeof *s->specs, err));
    name = kn__strdup(column);
    KN_TRY(name ? KN_OK : kn__nomem(err));
    KN_TRY(kn__dict_append(s->names, column, strlen(column), err));
    s->specs[s->count] = (kn_column_spec){.name = name, .weight = 1};
    *out = &s->specs[s->count++];
    return KN_OK;
done:
    kn__free(name);
    return status;
}

kn_status kn_schema_set_type(kn_schema *s, const char *column, kn_type type, kn_error *err)
{
    KN_NEED(err, s, column);
    KN_NEED_ENUM(err, type, KN_TYPE_NUMBERS, "type");

    kn_column_spec *spec;

    KN_PASS(spec_for(s, column, &spec, err));
    spec->type = type;
    return KN_OK;
}

kn_status kn_schema_set_role(kn_schema *s, const char *column, kn_role role, kn_error *err)
{
    KN_NEED(err, s, column);
    KN_NEED_ENUM(err, role, KN_ROLE_DROPPED, "role");

    kn_column_spec *spec;

    KN_PASS(spec_for(s, column, &spec, err));
    spec->role = role;
    spec->role_given = role != KN_ROLE_UNSET;
    return KN_OK;
}

kn_status kn_schema_set_rest(kn_schema *s, kn_role role, kn_error *err)
{
    KN_NEED(err, s);

    if (role != KN_ROLE_UNSET && role != KN_ROLE_KEPT && role != KN_ROLE_DROPPED) {
        return kn__fail(err, KN_EUSAGE, "the rest of the columns can be kept or dropped");
    }
    s->rest = role;
    return KN_OK;
}

kn_status kn_schema_allow_unique(kn_schema *s, const char *column, kn_error *err)
{
    KN_NEED(err, s, column);

    kn_column_spec *spec;

    KN_PASS(spec_for(s, column, &spec, err));
    spec->allow_unique = true;
    return KN_OK;
}

kn_status kn_schema_set_weight(kn_schema *s, const char *column, double weight, kn_error *err)
{
    KN_NEED(err, s, column);

    kn_column_spec *spec;

    if (!isfinite(weight) || weight < 0) {
        return kn__fail(err, KN_EUSAGE, "column '%s': the weight must be a number of 0 or more",
                        column);
    }
    KN_PASS(spec_for(s, column, &spec, err));
    spec->weight = weight;
    return KN_OK;
}

kn_status kn_schema_set_hierarchy(kn_schema *s, const char *column, const char *path, kn_error *err)
{
    KN_NEED(err, s, column, path);

    kn_column_spec *spec;

    KN_PASS(spec_for(s, column, &spec, err));
    return kn__texts_set(&spec->hierarchy, &spec->hierarchies, &path, 1, err);
}

kn_status kn_schema_add_hierarchy(kn_schema *s, const char *column, const char *path, kn_error *err)
{
    KN_NEED(err, s, column, path);

    kn_column_spec *spec;
    char **list, *copy = NULL;

    KN_PASS(spec_for(s, column, &spec, err));
    list = kn__realloc_array(spec->hierarchy, spec->hierarchies + 1, sizeof *list);
    KN_PASS(list ? KN_OK : kn__nomem(err));
    spec->hierarchy = list;
    copy = kn__strdup(path);
    KN_PASS(copy ? KN_OK : kn__nomem(err));
    list[spec->hierarchies++] = copy;
    return KN_OK;
}

kn_status kn__texts_copy(char ***out, const char *const *texts, size_t count, kn_error *err)
{
    kn_status status = KN_OK;

    *out = kn__zalloc_array(count ? count : 1, sizeof **out);
    KN_TRY(*out ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        (*out)[i] = kn__strdup(texts[i]);
        KN_TRY((*out)[i] ? KN_OK : kn__nomem(err));
    }
done:
    if (status != KN_OK) {
        kn__texts_free(*out, count);
        *out = NULL;
    }
    return status;
}

kn_status kn__texts_set(char ***list, size_t *list_count, const char *const *texts, size_t count,
                        kn_error *err)
{
    char **copy;

    KN_PASS(kn__texts_copy(&copy, texts, count, err));
    kn__texts_free(*list, *list_count);
    *list = copy;
    *list_count = count;
    return KN_OK;
}

kn_status kn__named_items_set(kn_named_items *n, kn_named_by by, const char *const *texts,
                              size_t count, kn_error *err)
{
    return kn__texts_set(&n->texts[by], &n->count[by], texts, count, err);
}

kn_status kn__named_items_copy(kn_named_items *to, const kn_named_items *from, kn_error *err)
{
    for (int by = 0; by < KN_NAMINGS; by++) {
        if (from->count[by]) {
            KN_PASS(kn__named_items_set(to, (kn_named_by)by, (const char *const *)from->texts[by],
                                        from->count[by], err));
        }
    }
    return KN_OK;
}

void kn__named_items_clear(kn_named_items *n)
{
    for (int by = 0; by < KN_NAMINGS; by++) {
        kn__texts_free(n->texts[by], n->count[by]);
    }
    *n = (kn_named_items){0};
}

kn_status kn_schema_set_sensitive_items(kn_schema *s, const char *column, kn_named_by by,
                                        const char *const *texts, size_t count, kn_error *err)
{
    KN_NEED(err, s, column);
    KN_NEED_ENUM(err, by, KN_BY_NODE, "way to name items");
    KN_NEED_LIST(err, texts, count);

    kn_column_spec *spec;

    KN_PASS(spec_for(s, column, &spec, err));
    return kn__named_items_set(&spec->sensitive, by, texts, count, err);
}

kn_status kn_schema_set_item_weight(kn_schema *s, const char *column, const char *item,
                                    double weight, kn_error *err)
{
    KN_NEED(err, s, column, item);

    kn_column_spec *spec;

    KN_PASS(spec_for(s, column, &spec, err));
    return kn__item_weights_set(&spec->item_weights, item, weight, err);
}

kn_status kn_schema_set_missing(kn_schema *s, const char *column, const char *const *texts,
                                size_t count, kn_error *err)
{
    KN_NEED(err, s);
    KN_NEED_LIST(err, texts, count);

    kn_column_spec *spec;

    if (column) {
        KN_PASS(spec_for(s, column, &spec, err));
        KN_PASS(kn__texts_set(&spec->missing, &spec->missing_count, texts, count, err));
    } else {
        KN_PASS(kn__texts_set(&s->missing, &s->missing_count, texts, count, err));
        s->missing_given = true;
    }
    return KN_OK;
}

kn_status kn_schema_set_decimal(kn_schema *s, char mark, kn_error *err)
{
    KN_NEED(err, s);

    if (mark != '\0' && mark != ',' && mark != '.') {
        return kn__fail(err, KN_EUSAGE, "schema: a decimal mark is a comma or a point");
    }
    s->decimal = mark;
    return KN_OK;
}

kn_status kn_schema_set_date_format(kn_schema *s, const char *column, const char *format,
                                    kn_error *err)
{
    KN_NEED(err, s, format);

    kn_column_spec *spec = NULL;
    kn_date_order order;

    KN_PASS(kn__date_format_order(&order, format, err));
    if (column) {
        KN_PASS(spec_for(s, column, &spec, err));
    }
    *(spec ? &spec->dates : &s->dates) = (uint8_t)order;
    return KN_OK;
}

kn_status kn_schema_set_missing_rule(kn_schema *s, const char *column, kn_missing_rule rule,
                                     kn_error *err)
{
    KN_NEED(err, s);
    KN_NEED_ENUM(err, rule, KN_MISSING_ANY, "missing rule");

    kn_column_spec *spec;

    if (!column) {
        s->missing_rule = rule;
        return KN_OK;
    }
    KN_PASS(spec_for(s, column, &spec, err));
    spec->missing_rule = rule;
    spec->missing_rule_given = true;
    return KN_OK;
}

kn_status kn_schema_set_item_separator(kn_schema *s, const char *separator, kn_error *err)
{
    KN_NEED(err, s, separator);

    char *copy;

    if (!*separator) {
        return kn__fail(err, KN_EUSAGE, "the item separator must not be empty");
    }
    copy = kn__strdup(separator);
    KN_PASS(copy ? KN_OK : kn__nomem(err));
    kn__free(s->item_separator);
    s->item_separator = copy;
    return KN_OK;
}

size_t kn_schema_columns(const kn_schema *s)
{
    return s ? s->count : 0;
}

const char *kn_schema_column_name(const kn_schema *s, size_t i)
{
    return s && i < s->count ? s->specs[i].name : NULL;
}

kn_role kn_schema_role(const kn_schema *s, const char *column)
{
    const kn_column_spec *spec = kn__schema_find(s, column);

    if (spec && spec->role_given) {
        return spec->role;
    }
    return s ? s->rest : KN_ROLE_UNSET;
}

kn_role kn__schema_role_of(const kn_schema *s, const char *column, bool list, kn_chosen *chosen)
{
    const kn_column_spec *spec = kn__schema_find(s, column);

    if (spec && spec->role_given) {
        *chosen = KN_CHOSEN_GIVEN;
        return spec->role;
    }
    if (kn__schema_is_key(s, column)) {
        *chosen = KN_CHOSEN_IMPLIED;
        return KN_ROLE_IDENTIFIER;
    }
    if (!spec && s && s->drop_others) {
        *chosen = KN_CHOSEN_REST;
        return KN_ROLE_DROPPED;
    }
    /* The columns that are merged into an item column must keep their values until then. */
    if (!s || (list && s->rest_spares_lists) || kn__schema_is_part(s, column)) {
        *chosen = KN_CHOSEN_NOT;
        return KN_ROLE_UNSET;
    }
    *chosen = s->rest == KN_ROLE_UNSET ? KN_CHOSEN_NOT : KN_CHOSEN_REST;
    return s->rest;
}

const char *kn__schema_absent_column(const kn_schema *s, kn_has_column_fn has, const void *table,
                                     bool released)
{
    for (size_t i = 0; s && i < s->count; i++) {
        const char *column = s->specs[i].name;
        bool set;
        if (!has(table, column) && !kn__schema_makes_list(s, column, &set) &&
            !(kn__schema_is_part(s, column) && !s->specs[i].role_given) &&
            !(released && kn__schema_leaves_out(s, column))) {
            return column;
        }
    }
    return NULL;
}

const char *kn_schema_hierarchy(const kn_schema *s, const char *column)
{
    return kn_schema_hierarchy_at(s, column, 0);
}

const char *kn_schema_hierarchy_at(const kn_schema *s, const char *column, size_t i)
{
    const kn_column_spec *spec = kn__schema_find(s, column);

    return spec && i < spec->hierarchies ? spec->hierarchy[i] : NULL;
}

/* The texts that mean "missing" in the column; NULL: none were given, and the empty text does. */
static char *const *missing_texts(const kn_schema *s, const kn_column_spec *spec, size_t *count)
{
    if (spec && spec->missing) {
        *count = spec->missing_count;
        return spec->missing;
    }
    *count = s ? s->missing_count : 0;
    return s && s->missing_given ? s->missing : NULL;
}

bool kn__schema_is_missing(const kn_schema *s, const kn_column_spec *spec, const char *text,
                           size_t len)
{
    size_t count;
    char *const *texts = missing_texts(s, spec, &count);

    if (!texts && !(s && s->missing_given)) {
        return len == 0;
    }
    for (size_t i = 0; texts && i < count; i++) {
        if (strlen(texts[i]) == len && (len == 0 || memcmp(texts[i], text, len) == 0)) {
            return true;
        }
    }
    return false;
}

bool kn__schema_spells_missing(const kn_schema *s, const kn_column_spec *spec)
{
    size_t count;
    char *const *texts = missing_texts(s, spec, &count);
    bool any = false;

    for (size_t i = 0; texts && i < count; i++) {
        any = any || texts[i][0];
    }
    return any;
}

const char *kn__schema_missing_text(const kn_schema *s, const kn_column_spec *spec)
{
    if (spec && spec->missing && spec->missing_count) {
        return spec->missing[0];
    }
    return s && s->missing_given && s->missing_count ? s->missing[0] : "";
}

const char *kn__schema_item_separator(const kn_schema *s)
{
    return s && s->item_separator ? s->item_separator : "|";
}

static kn_status copy_spec(kn_schema *to, const kn_column_spec *from, kn_error *err)
{
    kn_column_spec *spec;

    KN_PASS(spec_for(to, from->name, &spec, err));
    spec->type = from->type;
    spec->role = from->role;
    spec->role_given = from->role_given;
    spec->allow_unique = from->allow_unique;
    spec->as_text = from->as_text;
    spec->dates = from->dates;
    spec->weight = from->weight;
    spec->missing_rule = from->missing_rule;
    spec->missing_rule_given = from->missing_rule_given;
    if (from->hierarchies) {
        KN_PASS(kn__texts_set(&spec->hierarchy, &spec->hierarchies,
                              (const char *const *)from->hierarchy, from->hierarchies, err));
    }
    if (from->missing) {
        KN_PASS(kn__texts_set(&spec->missing, &spec->missing_count,
                              (const char *const *)from->missing, from->missing_count, err));
    }
    KN_PASS(kn__named_items_copy(&spec->sensitive, &from->sensitive, err));
    return kn__item_weights_copy(&spec->item_weights, &from->item_weights, err);
}

kn_status kn__schema_copy(kn_schema **out, const kn_schema *s, kn_error *err)
{
    kn_schema *copy;
    kn_status status;

    *out = NULL;
    KN_TRY(kn_schema_new(&copy, err));
    for (size_t i = 0; i < s->count; i++) {
        KN_TRY(copy_spec(copy, &s->specs[i], err));
    }
    if (s->missing_given) {
        KN_TRY(kn_schema_set_missing(copy, NULL, (const char *const *)s->missing, s->missing_count,
                                     err));
    }
    if (s->item_separator) {
        KN_TRY(kn_schema_set_item_separator(copy, s->item_separator, err));
    }
    KN_TRY(kn__schema_rows_copy(copy, s, err));
    KN_TRY(kn__schema_trees_copy(copy, s, err));
done:
    if (status != KN_OK) {
        kn_schema_free(copy);
        return status;
    }
    copy->missing_rule = s->missing_rule;
    copy->decimal = s->decimal;
    copy->dates = s->dates;
    *out = copy;
    return KN_OK;
}
