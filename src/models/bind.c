/* bind.c - finds the columns of a model, and the domain of each. */
#include "models/bind.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/value.h"
#include "hierarchy/hierarchy.h"
#include "kanon/catalog.h"
#include "models/registry.h"

#include <math.h>
#include <string.h>

/* ---- columns ---- */

static kn_status no_column(const kn_dataset *ds, const char *name, kn_error *err)
{
    enum { MOST = 1000 };
    const char *names[MOST], *near;
    size_t count = 0;

    for (size_t i = 0; i < ds->columns && count < MOST; i++) {
        names[count++] = ds->column[i].name;
    }
    near = kn_dataset_has_names(ds) ? kn_nearest(name, names, count) : NULL;
    if (near) {
        (void)kn__fail(err, KN_EINPUT,
                       "the model looks at '%.100s', which is no column of the data; is '%.100s' "
                       "meant?",
                       name, near);
    } else {
        (void)kn__fail(err, KN_EINPUT,
                       "the model looks at '%.100s', which is no column of the data: it was made "
                       "from data with other columns",
                       name);
    }
    return kn__about_column(err, KN_EINPUT, KN_ERROR_NO_COLUMN, name);
}

static const char *of_type(kn_type t)
{
    if (kn__type_is_list(t)) {
        return "a list";
    }
    if (t == KN_TYPE_DATE) {
        return "a date";
    }
    return kn__type_is_number(t) ? "a number" : "a category";
}

static bool fits(const kn_attribute *a, const kn_column *c)
{
    return !kn__type_is_list(c->type) &&
           (a->values || (kn__type_is_number(a->type) && kn__type_is_number(c->type)) ||
            (a->type == KN_TYPE_DATE && c->type == KN_TYPE_DATE) ||
            /* all values are missing: the column has no type */
            (c->dict && kn__column_values(c) == (c->missing != KN_NO_CODE)));
}

static kn_status find_column(kn_bound_attribute *to, const kn_attribute *a, const kn_dataset *ds,
                             bool used, bool is_class, bool to_apply, kn_error *err)
{
    const size_t at = kn_dataset_find(ds, a->name);
    const kn_column *c;

    if (at == SIZE_MAX) {
        return used ? no_column(ds, a->name, err) : KN_OK;
    }
    c = &ds->column[at];
    if (!used && (!c->dict || !fits(a, c))) {
        return KN_OK;
    }
    if (c->role == KN_ROLE_IDENTIFIER) {
        return used ? kn__fail(err, KN_EINPUT,
                               "the model looks at '%.100s', an identifier: such a model gives "
                               "people away, and is neither judged nor applied",
                               a->name)
                    : KN_OK;
    }
    if (!c->dict) {
        return kn__fail(err, KN_EINPUT,
                        "the model looks at '%.100s', which is dropped and was not read; give it "
                        "another role",
                        a->name);
    }
    if (!fits(a, c)) {
        return kn__fail(err, KN_EINPUT,
                        "attribute '%.100s' of the model is %s, but the column of that name is %s; "
                        "--type %.100s=... says what it is",
                        a->name, of_type(a->type), of_type(c->type), a->name);
    }
    if (used && !to_apply && !is_class && c->role != KN_ROLE_QUASI &&
        c->role != KN_ROLE_SENSITIVE) {
        return kn__fail(err, KN_EINPUT,
                        "the model looks at '%.100s', which has no role: is it public (--qi) or "
                        "private (--sensitive)?",
                        a->name);
    }
    to->column = c;
    to->hidden = c->role == KN_ROLE_SENSITIVE || (is_class && c->role != KN_ROLE_QUASI);
    return KN_OK;
}

/* ---- domains ---- */

static kn_status bind_categories(kn_bound_attribute *to, const kn_attribute *a,
                                 const kn_hierarchy *h, kn_error *err)
{
    const kn_column *c = to->column;
    size_t len;
    uint32_t code;

    KN_PASS(kn__dict_new(&to->domain, err));
    for (uint32_t i = 0; i < a->values->len; i++) {
        const char *text = kn__dict_text(a->values, i, &len);
        KN_PASS(kn__dict_append(to->domain, text, len, err));
    }
    to->code = kn__malloc_array(kn__column_values(c), sizeof *to->code);
    KN_PASS(to->code ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < kn__column_values(c); i++) {
        const char *text = kn__column_text(c, i, &len);
        to->code[i] = KN_NO_CODE;
        if (i != c->missing) {
            KN_PASS(kn__dict_add(to->domain, text, len, &to->code[i], err));
        }
    }
    for (uint32_t i = 0; h && i < h->leaves; i++) {
        const char *text = kn__hierarchy_label(h, i);
        if (i != h->missing && !kn__hierarchy_is_range(h, i)) {
            KN_PASS(kn__dict_add(to->domain, text, strlen(text), &code, err));
        }
    }
    to->values = to->domain->len;
    return KN_OK;
}

static void widen(kn_bound_attribute *to, double low, double high)
{
    to->low = fmin(to->low, low);
    to->high = fmax(to->high, high);
}

/* The range of the data and its hierarchy and, if `stated`, of what the model states. */
static void bind_numbers(kn_bound_attribute *to, const kn_attribute *a, const kn_hierarchy *h,
                         bool stated)
{
    const kn_column *c = to->column;
    unsigned decimals;
    double value;

    to->low = HUGE_VAL;
    to->high = -HUGE_VAL;
    if (stated && a->low <= a->high) {
        widen(to, a->low, a->high);
    }
    for (uint32_t i = 0; c->numbers && i < kn__column_values(c); i++) {
        if (i != c->missing) {
            widen(to, c->numbers[i], c->numbers[i]);
        }
    }
    for (uint32_t i = 0; h && i < h->leaves; i++) {
        const char *text = kn__hierarchy_label(h, i);
        if (kn__hierarchy_is_range(h, i)) {
            widen(to, h->low[i], h->high[i]);
        } else if (i != h->missing &&
                   (a->type == KN_TYPE_DATE
                        ? kn__plain_date_parse(text, strlen(text), c->dates, &value)
                        : kn__number_parse(text, strlen(text), &value, &decimals))) {
            widen(to, value, value);
        }
    }
}

static kn_status bind_attribute(kn_bound_attribute *to, const kn_attribute *a,
                                const kn_hierarchies *hierarchies, kn_error *err)
{
    const kn_hierarchy *h = hierarchies ? kn_hierarchies_get(hierarchies, a->name) : NULL;

    to->missing = to->column->missing != KN_NO_CODE;
    if (a->values) {
        return bind_categories(to, a, h, err);
    }
    bind_numbers(to, a, h, true);
    return KN_OK;
}

static kn_status narrow_categories(kn_bound_attribute *to, const kn_hierarchy *h, bool *narrower,
                                   kn_error *err)
{
    if (!to->possible) {
        to->possible = kn__malloc(to->values ? to->values : 1);
        KN_PASS(to->possible ? KN_OK : kn__nomem(err));
    }
    memset(to->possible, 0, to->values);
    for (uint32_t i = 0; i < kn__column_values(to->column); i++) {
        if (to->code[i] != KN_NO_CODE) {
            to->possible[to->code[i]] = 1;
        }
    }
    for (uint32_t i = 0; h && i < h->leaves; i++) {
        const char *text = kn__hierarchy_label(h, i);
        const uint32_t place = kn__dict_find(to->domain, text, strlen(text));
        if (i != h->missing && place != KN_NO_CODE && !kn__hierarchy_is_range(h, i)) {
            to->possible[place] = 1;
        }
    }
    *narrower = memchr(to->possible, 0, to->values) != NULL;
    return KN_OK;
}

kn_status kn__bound_narrow(kn_bound *b, const kn_hierarchies *hierarchies, bool *narrower,
                           kn_error *err)
{
    const kn_model *m = b->model;
    const uint32_t class_attribute = kn__model_class(m);
    uint8_t *used = kn__zalloc_array(m->attributes ? m->attributes : 1, sizeof *used);
    kn_status status;

    *narrower = false;
    KN_TRY(used ? KN_OK : kn__nomem(err));
    kn__model_used_attributes(m, used);
    if (class_attribute != KN_NO_CODE) {
        used[class_attribute] = 1;
    }
    for (size_t i = 0; i < m->attributes; i++) {
        kn_bound_attribute *to = &b->attribute[i];
        const kn_attribute *a = &m->attribute[i];
        const kn_hierarchy *h = hierarchies ? kn_hierarchies_get(hierarchies, a->name) : NULL;
        const double low = to->low, high = to->high;
        bool less = false;
        if (!to->column || !to->hidden || !used[i]) {
            continue;
        }
        if (a->values) {
            KN_TRY(narrow_categories(to, h, &less, err));
        } else {
            bind_numbers(to, a, h, false);
            less = to->low > low || to->high < high;
        }
        *narrower = *narrower || less;
    }
done:
    kn__free(used);
    return status;
}

/* The span engine of clusters tries every combination of integers; of more than so many hardly any
 * gap between two is wide enough for a centroid. Trees need no limit: for an interval between two
 * thresholds it is enough to know whether it contains an integer. */
enum { MOST_INTEGERS = 64 };

static bool holds_integers(const kn_bound_attribute *a)
{
    return a->column && a->hidden && !a->code &&
           (a->column->type == KN_TYPE_INTEGER || a->column->type == KN_TYPE_DATE);
}

void kn__bound_assume_integers(kn_bound *b, bool *fewer)
{
    const bool tries = kn__model_row(b->model->kind)->tries_integers;
    double all = 1;

    *fewer = false;
    for (size_t i = 0; i < b->model->attributes; i++) {
        kn_bound_attribute *to = &b->attribute[i];
        const double low = ceil(to->low), high = floor(to->high), integers = high - low + 1;
        if (!holds_integers(to) || !(to->low <= to->high) ||
            (tries && (!(high > low) || !(b->model->attribute[i].weight > 0) ||
                       all * integers > MOST_INTEGERS))) {
            continue;
        }
        to->integers = (size_t)fmax(1, fmin(integers, 0x1p30));
        *fewer = true;
        if (tries) {
            to->low = low;
            to->high = high;
            all *= integers;
        }
    }
}

/* ---- models ---- */

kn_status kn__bind_attributes(kn_bound *b, const kn_hierarchies *hierarchies, bool to_apply,
                              kn_error *err)
{
    const kn_model *m = b->model;
    const uint32_t class_attribute = kn__model_class(m);
    uint8_t *used = kn__zalloc_array(m->attributes ? m->attributes : 1, sizeof *used);
    kn_status status;

    KN_TRY(used ? KN_OK : kn__nomem(err));
    kn__model_used_attributes(m, used);
    if (class_attribute != KN_NO_CODE && !to_apply) {
        used[class_attribute] = 1;
    }
    for (size_t i = 0; i < m->attributes; i++) {
        KN_TRY(find_column(&b->attribute[i], &m->attribute[i], b->ds, used[i], i == class_attribute,
                           to_apply, err));
        if (b->attribute[i].column) {
            KN_TRY(bind_attribute(&b->attribute[i], &m->attribute[i], hierarchies, err));
        }
    }
done:
    kn__free(used);
    return status;
}

static kn_status bind(kn_bound **out, const kn_model *m, const kn_dataset *ds,
                      const kn_hierarchies *hierarchies, bool to_apply, kn_error *err)
{
    kn_bound *b = kn__zalloc(sizeof *b);
    kn_status status;

    *out = NULL;
    if (!b) {
        return kn__nomem(err);
    }
    b->model = m;
    b->ds = ds;
    b->attribute = kn__zalloc_array(m->attributes ? m->attributes : 1, sizeof *b->attribute);
    KN_TRY(b->attribute ? KN_OK : kn__nomem(err));
    KN_TRY(kn__model_row(m->kind)->bind(b, hierarchies, to_apply, err));
    *out = b;
    b = NULL;
done:
    kn__bound_free(b);
    return status;
}

kn_status kn__bound_new(kn_bound **out, const kn_model *model, const kn_dataset *ds,
                        const kn_hierarchies *hierarchies, kn_error *err)
{
    return bind(out, model, ds, hierarchies, false, err);
}

kn_status kn__bound_to_apply(kn_bound **out, const kn_model *model, const kn_dataset *ds,
                             kn_error *err)
{
    return bind(out, model, ds, NULL, true, err);
}

void kn__bound_free(kn_bound *b)
{
    if (!b) {
        return;
    }
    for (size_t i = 0; b->attribute && i < b->model->attributes; i++) {
        KN_FREE(b->attribute[i].code, b->attribute[i].possible);
        kn__dict_free(b->attribute[i].domain);
    }
    KN_FREE(b->attribute, b->item, b->item_hidden, b);
}
