/* dataset.c - a table in memory: columns of dictionary codes. */
#include "data/dataset.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

kn_status kn__dataset_new(kn_dataset **out, size_t columns, kn_error *err)
{
    kn_dataset *ds = kn__zalloc(sizeof *ds);

    *out = NULL;
    if (ds) {
        ds->column = kn__zalloc_array(columns, sizeof *ds->column);
    }
    if (!ds || !ds->column) {
        kn__free(ds);
        return kn__nomem(err);
    }
    ds->columns = columns;
    atomic_init(&ds->shares, 0);
    for (size_t i = 0; i < columns; i++) {
        ds->column[i].missing = KN_NO_CODE;
        ds->column[i].weight = 1;
        ds->column[i].width = 1;
    }
    *out = ds;
    return KN_OK;
}

void kn__column_clear(kn_column *c)
{
    kn__free(c->name);
    kn__dict_free(c->dict);
    KN_FREE(c->numbers, c->codes, c->starts, c->arrow);
    if (c->sample) {
        kn__value_sample_clear(c->sample);
        kn__free(c->sample);
    }
    kn__named_items_clear(&c->sensitive);
    kn__item_weights_clear(&c->item_weights);
    *c = (kn_column){.missing = KN_NO_CODE, .weight = 1, .width = 1};
}

void kn__column_apply_spec(kn_column *c, const kn_column_spec *spec)
{
    c->allow_unique = spec->allow_unique;
    c->weight = spec->weight;
    if (spec->missing_rule_given) {
        c->missing_rule = spec->missing_rule;
    }
}

kn_dataset *kn__dataset_share(const kn_dataset *ds)
{
    kn_dataset *shared;

    memcpy(&shared, &ds, sizeof shared); /* only the reference count changes */
    atomic_fetch_add(&shared->shares, 1);
    return shared;
}

void kn_dataset_free(kn_dataset *ds)
{
    if (!ds || atomic_fetch_sub(&ds->shares, 1) > 0) {
        return;
    }
    for (size_t i = 0; i < ds->columns; i++) {
        kn__column_clear(&ds->column[i]);
    }
    kn__free(ds->column);
    kn__dict_free(ds->names);
    KN_FREE(ds->source, ds->layout_key, ds->item_separator);
    for (size_t i = 0; i < ds->notes_count; i++) {
        kn__free(ds->notes[i]);
    }
    kn__free(ds->notes);
    for (size_t i = 0; i < ds->joined_count; i++) {
        kn__free(ds->joined[i].path);
    }
    kn__free(ds->joined);
    kn__forest_free(ds->forest);
    kn__free(ds->counts);
    if (ds->kept) {
        ds->kept->free(ds->kept);
    }
    kn__free(ds);
}

void kn__column_drop_values(kn_column *c)
{
    kn__dict_free(c->dict);
    KN_FREE(c->numbers, c->codes, c->starts);
    c->dict = NULL;
    c->numbers = NULL;
    c->codes = NULL;
    c->starts = NULL;
    c->missing = KN_NO_CODE;
    c->width = 0;
}

kn_status kn__dataset_add_note(kn_dataset *ds, kn_buffer *text, kn_error *err)
{
    char *note = NULL;
    kn_status status;

    KN_TRY(kn__buffer_take(text, &note, err));
    KN_TRY(kn__grow(&ds->notes, &ds->notes_cap, ds->notes_count + 1, sizeof *ds->notes, err));
done:
    if (status != KN_OK) {
        kn__free(note);
        return status;
    }
    ds->notes[ds->notes_count++] = note;
    return KN_OK;
}

/* Column number `column`, or NULL if there is none. */
static const kn_column *column_at(const kn_dataset *ds, size_t column)
{
    return ds && column < ds->columns ? &ds->column[column] : NULL;
}

size_t kn_dataset_notes(const kn_dataset *ds)
{
    return ds ? ds->notes_count : 0;
}

const char *kn_dataset_note(const kn_dataset *ds, size_t i)
{
    return ds && i < ds->notes_count ? ds->notes[i] : NULL;
}

size_t kn_dataset_records(const kn_dataset *ds)
{
    return ds ? ds->records : 0;
}

size_t kn_dataset_columns(const kn_dataset *ds)
{
    return ds ? ds->columns : 0;
}

/* Up to so many names are found by a linear search. */
enum { FEW_COLUMNS = 16 };

kn_status kn__dataset_index_names(kn_dataset *ds, kn_error *err)
{
    kn_status status;

    kn__dataset_drop_name_index(ds);
    if (ds->columns <= FEW_COLUMNS) {
        return KN_OK;
    }
    KN_TRY(kn__dict_new(&ds->names, err));
    for (size_t i = 0; i < ds->columns; i++) {
        uint32_t code;
        KN_TRY(kn__dict_add(ds->names, ds->column[i].name, strlen(ds->column[i].name), &code, err));
    }
    if (ds->names->len == ds->columns) {
        return KN_OK;
    }
done: /* no index when out of memory, or when two columns have the same name */
    kn__dataset_drop_name_index(ds);
    return status;
}

void kn__dataset_drop_name_index(kn_dataset *ds)
{
    kn__dict_free(ds->names);
    ds->names = NULL;
}

size_t kn_dataset_find(const kn_dataset *ds, const char *name)
{
    if (!ds || !name) {
        return SIZE_MAX;
    }
    if (ds->names) {
        const uint32_t code = kn__dict_find(ds->names, name, strlen(name));
        return code == KN_NO_CODE ? SIZE_MAX : code;
    }
    for (size_t i = 0; i < ds->columns; i++) {
        if (strcmp(ds->column[i].name, name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

const char *kn_dataset_name(const kn_dataset *ds, size_t column)
{
    const kn_column *c = column_at(ds, column);

    return c ? c->name : NULL;
}

kn_type kn_dataset_type(const kn_dataset *ds, size_t column)
{
    const kn_column *c = column_at(ds, column);

    return c ? c->type : KN_TYPE_AUTO;
}

kn_role kn_dataset_role(const kn_dataset *ds, size_t column)
{
    const kn_column *c = column_at(ds, column);

    return c ? c->role : KN_ROLE_DROPPED;
}

kn_status kn_dataset_set_role(kn_dataset *ds, size_t column, kn_role role, kn_error *err)
{
    KN_NEED(err, ds);
    KN_NEED_INDEX(err, column, ds->columns, "column");
    KN_NEED_ENUM(err, role, KN_ROLE_DROPPED, "role");

    ds->column[column].role = role;
    ds->column[column].chosen = role == KN_ROLE_UNSET ? KN_CHOSEN_NOT : KN_CHOSEN_GIVEN;
    return KN_OK;
}

kn_status kn_dataset_allow_unique(kn_dataset *ds, size_t column, kn_error *err)
{
    KN_NEED(err, ds);
    KN_NEED_INDEX(err, column, ds->columns, "column");

    ds->column[column].allow_unique = true;
    return KN_OK;
}

kn_status kn__column_check_class(const kn_column *c, kn_error *err)
{
    if (kn__type_is_list(c->type)) {
        return kn__fail(err, KN_EUSAGE, "the class '%.100s' holds lists; a class is one value",
                        c->name);
    }
    if (c->role != KN_ROLE_SENSITIVE && c->role != KN_ROLE_KEPT && c->role != KN_ROLE_UNSET) {
        const char *role = "not published";
        if (c->role == KN_ROLE_QUASI) {
            role = "a quasi-identifier";
        } else if (c->role == KN_ROLE_IDENTIFIER) {
            role = "an identifier";
        }
        return kn__fail(err, KN_EUSAGE,
                        "the class '%.100s' is %s: it must be published as it is (--sensitive or "
                        "--keep)",
                        c->name, role);
    }
    return KN_OK;
}

kn_status kn_dataset_set_class(kn_dataset *ds, size_t column, kn_error *err)
{
    KN_NEED(err, ds);
    KN_NEED_INDEX(err, column, ds->columns, "column");

    KN_PASS(kn__column_check_class(&ds->column[column], err));
    ds->label = column + 1;
    return KN_OK;
}

size_t kn_dataset_class(const kn_dataset *ds)
{
    size_t i = 0;

    if (!ds) {
        return SIZE_MAX;
    }
    if (ds->label) {
        return ds->label - 1;
    }
    while (i < ds->columns &&
           (ds->column[i].role != KN_ROLE_SENSITIVE || kn__type_is_list(ds->column[i].type))) {
        i++;
    }
    return i < ds->columns ? i : SIZE_MAX;
}

kn_status kn_dataset_set_sensitive_items(kn_dataset *ds, size_t column, kn_named_by by,
                                         const char *const *texts, size_t count, kn_error *err)
{
    KN_NEED(err, ds);
    KN_NEED_INDEX(err, column, ds->columns, "column");
    KN_NEED_ENUM(err, by, KN_BY_NODE, "way to name items");
    KN_NEED_LIST(err, texts, count);

    return kn__named_items_set(&ds->column[column].sensitive, by, texts, count, err);
}

size_t kn_dataset_values(const kn_dataset *ds, size_t column)
{
    const kn_column *c = column_at(ds, column);

    return c ? kn__column_values(c) : 0;
}

const char *kn_dataset_value(const kn_dataset *ds, size_t column, uint32_t code, size_t *len)
{
    const kn_column *c = column_at(ds, column);

    if (!len) {
        return NULL;
    }
    if (!c || code >= kn__column_values(c)) {
        *len = 0;
        return NULL;
    }
    return kn__column_text(c, code, len);
}

uint32_t kn_dataset_missing(const kn_dataset *ds, size_t column)
{
    const kn_column *c = column_at(ds, column);

    return c ? c->missing : KN_NO_CODE;
}

uint32_t kn_dataset_code(const kn_dataset *ds, size_t column, size_t record)
{
    const kn_column *c = column_at(ds, column);

    return c && c->dict && !c->starts && record < ds->records ? kn__column_code(c, record)
                                                              : KN_NO_CODE;
}

size_t kn_dataset_list(const kn_dataset *ds, size_t column, size_t record, uint32_t *codes,
                       size_t cap)
{
    const kn_column *c = column_at(ds, column);
    uint64_t begin;
    size_t len;

    if (!c || !c->starts || record >= ds->records) {
        return 0;
    }
    begin = c->starts[record];
    len = (size_t)(c->starts[record + 1] - begin);
    for (size_t i = 0; codes && i < len && i < cap; i++) {
        codes[i] = kn__code_get(c->codes, c->width, (size_t)begin + i);
    }
    return len;
}

const kn_layout *kn_dataset_layout(const kn_dataset *ds)
{
    return ds ? &ds->layout : NULL;
}

const char *kn_dataset_sha256(const kn_dataset *ds)
{
    return ds ? ds->sha256 : "";
}

static bool validate_column(const kn_column *c, size_t records, const char **reason)
{
    const uint32_t values = kn__column_values(c);
    size_t codes = records;

    if (!c->name || c->type == KN_TYPE_AUTO) {
        *reason = "a column has no name or no type";
        return false;
    }
    if (!c->dict) {
        return true;
    }
    if (kn__type_is_list(c->type) != (c->starts != NULL)) {
        *reason = "list starts and type disagree";
        return false;
    }
    if (c->missing != KN_NO_CODE && c->missing != values - 1) {
        *reason = "the missing value is not the last";
        return false;
    }
    if (c->width != kn__code_width(values)) {
        *reason = "codes are not as narrow as they can be";
        return false;
    }
    if (c->starts) {
        for (size_t i = 0; i < records; i++) {
            if (c->starts[i] > c->starts[i + 1]) {
                *reason = "list starts decrease";
                return false;
            }
        }
        codes = (size_t)c->starts[records];
    }
    for (size_t i = 0; i < codes; i++) {
        if (kn__code_get(c->codes, c->width, i) >= values) {
            *reason = "a code is outside its dictionary";
            return false;
        }
    }
    for (uint32_t i = 1; c->numbers && i < values && i != c->missing; i++) {
        if (!(c->numbers[i - 1] <= c->numbers[i])) {
            *reason = "numbers are not ascending by code";
            return false;
        }
    }
    return true;
}

bool kn__dataset_validate(const kn_dataset *ds, const char **reason)
{
    if (ds->forest &&
        (ds->forest->records != ds->records || ds->forest->classes.len != ds->columns)) {
        *reason = "the trees and the columns disagree";
        return false;
    }
    if (ds->forest && !kn__forest_validate(ds->forest, reason)) {
        return false;
    }
    for (size_t i = 0, people = 0; ds->counts && i < ds->records; i++) {
        people += ds->counts[i];
        if (ds->counts[i] == 0 || (i + 1 == ds->records && people != ds->people)) {
            *reason = "the counts of people are wrong";
            return false;
        }
    }
    for (size_t i = 0; i < ds->columns; i++) {
        if (!validate_column(&ds->column[i], ds->records, reason)) {
            return false;
        }
        if (kn_dataset_find(ds, ds->column[i].name) != i) {
            *reason = "two columns have one name";
            return false;
        }
    }
    return true;
}

kn_status kn__dataset_with_role(const kn_dataset *ds, kn_role role, size_t **out, size_t *count,
                                kn_error *err)
{
    *count = 0;
    *out = kn__malloc_array(ds->columns, sizeof **out);
    KN_PASS(*out ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < ds->columns; i++) {
        if (ds->column[i].role == role) {
            (*out)[(*count)++] = i;
        }
    }
    return KN_OK;
}
