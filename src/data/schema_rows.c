/* schema_rows.c - the part of a schema that reshapes a table: bags of several columns, keys to
 * group rows by, sets collected over rows, joins, and item columns to merge. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/schema.h"

#include <string.h>

static void clear_bags(kn_bag_spec *bags, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        kn__free(bags[i].name);
        kn__texts_free(bags[i].columns, bags[i].count);
    }
    kn__free(bags);
}

static void clear_join(kn_join_spec *j)
{
    KN_FREE(j->name, j->path, j->on, j->key);
    kn__texts_free(j->columns, j->count);
}

void kn__schema_rows_free(kn_schema *s)
{
    clear_bags(s->bags, s->bags_count);
    clear_bags(s->together, s->together_count);
    for (size_t i = 0; i < s->joins_count; i++) {
        clear_join(&s->joins[i]);
    }
    kn__free(s->joins);
    kn__texts_free(s->nulls, s->nulls_count);
    kn__texts_free(s->keys, s->keys_count);
}

/* ---- bags, collected sets, merged item columns ---- */

static bool bag_has(const kn_bag_spec *bag, const char *column)
{
    for (size_t i = 0; i < bag->count; i++) {
        if (strcmp(bag->columns[i], column) == 0) {
            return true;
        }
    }
    return false;
}

/* Refuse a column that is in two of `bags`, or twice in one. `what`: the word for it in messages.
 */
static kn_status check_columns(const kn_bag_spec *bags, size_t bags_count, const char *what,
                               const char *name, const char *const *columns, size_t count,
                               kn_error *err)
{
    const char *other = strcmp(what, "set") == 0 ? "bag" : what;

    if (count == 0) {
        return kn__fail(err, KN_EUSAGE, "%s '%s' names no columns", what, name);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(columns[i], columns[j]) == 0) {
                return kn__fail(err, KN_EUSAGE, "%s '%s' names column '%s' twice", what, name,
                                columns[i]);
            }
        }
        for (size_t b = 0; b < bags_count; b++) {
            if (strcmp(bags[b].name, name) != 0 && bag_has(&bags[b], columns[i])) {
                return kn__fail(err, KN_EUSAGE, "column '%s' is in %s '%s' and in %s '%s'",
                                columns[i], bags[b].collect ? "set" : other, bags[b].name, what,
                                name);
            }
        }
    }
    return KN_OK;
}

/* Add a bag, or replace the columns of the bag with that name. */
static kn_status put_bag(kn_bag_spec **bags, size_t *bags_count, size_t *cap, bool collect,
                         const char *what, const char *name, const char *const *columns,
                         size_t count, kn_error *err)
{
    kn_bag_spec bag = {.count = count, .collect = collect};
    kn_status status;

    KN_TRY(check_columns(*bags, *bags_count, what, name, columns, count, err));
    KN_TRY(kn__grow(bags, cap, *bags_count + 1, sizeof **bags, err));
    KN_TRY(kn__texts_copy(&bag.columns, columns, count, err));
    for (size_t i = 0; i < *bags_count; i++) {
        if (strcmp((*bags)[i].name, name) == 0) {
            kn__texts_free((*bags)[i].columns, (*bags)[i].count);
            bag.name = (*bags)[i].name;
            (*bags)[i] = bag;
            return KN_OK;
        }
    }
    bag.name = kn__strdup(name);
    KN_TRY(bag.name ? KN_OK : kn__nomem(err));
    (*bags)[(*bags_count)++] = bag;
done:
    if (status != KN_OK) {
        kn__texts_free(bag.columns, count);
    }
    return status;
}

kn_status kn_schema_set_bag(kn_schema *s, const char *name, const char *const *columns,
                            size_t count, kn_error *err)
{
    KN_NEED(err, s, name);
    KN_NEED_LIST(err, columns, count);

    return put_bag(&s->bags, &s->bags_count, &s->bags_cap, false, "bag", name, columns, count, err);
}

kn_status kn_schema_set_collect(kn_schema *s, const char *name, const char *const *columns,
                                size_t count, kn_error *err)
{
    KN_NEED(err, s, name);
    KN_NEED_LIST(err, columns, count);

    return put_bag(&s->bags, &s->bags_count, &s->bags_cap, true, "set", name, columns, count, err);
}

kn_status kn_schema_set_together(kn_schema *s, const char *name, const char *const *columns,
                                 size_t count, kn_error *err)
{
    KN_NEED(err, s, name);
    KN_NEED_LIST(err, columns, count);

    return put_bag(&s->together, &s->together_count, &s->together_cap, false, "item column", name,
                   columns, count, err);
}

kn_status kn_schema_set_nulls(kn_schema *s, const char *const *texts, size_t count, kn_error *err)
{
    KN_NEED(err, s);
    KN_NEED_LIST(err, texts, count);

    return kn__texts_set(&s->nulls, &s->nulls_count, texts, count, err);
}

bool kn__schema_is_null(const kn_schema *s, const char *text, size_t len)
{
    for (size_t i = 0; i < s->nulls_count; i++) {
        if (strlen(s->nulls[i]) == len && memcmp(s->nulls[i], text, len) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- keys ---- */

kn_status kn_schema_set_group_by(kn_schema *s, const char *const *columns, size_t count,
                                 kn_error *err)
{
    KN_NEED(err, s);
    KN_NEED_LIST(err, columns, count);

    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(columns[i], columns[j]) == 0) {
                return kn__fail(err, KN_EUSAGE, "the key '%s' to group by is named twice",
                                columns[i]);
            }
        }
    }
    return kn__texts_set(&s->keys, &s->keys_count, columns, count, err);
}

kn_status kn_schema_set_join(kn_schema *s, const char *name, const char *path, const char *on,
                             const char *key, const char *const *columns, size_t count,
                             kn_error *err)
{
    KN_NEED(err, s, name, path, on, key);
    KN_NEED_LIST(err, columns, count);

    kn_join_spec join = {.count = count};
    size_t at = 0;
    kn_status status;

    KN_TRY(check_columns(NULL, 0, "join", name, columns, count, err));
    KN_TRY(kn__grow(&s->joins, &s->joins_cap, s->joins_count + 1, sizeof *s->joins, err));
    KN_TRY(kn__texts_copy(&join.columns, columns, count, err));
    join.name = kn__strdup(name);
    join.path = kn__strdup(path);
    join.on = kn__strdup(on);
    join.key = kn__strdup(key);
    KN_TRY(join.name && join.path && join.on && join.key ? KN_OK : kn__nomem(err));
    while (at < s->joins_count && strcmp(s->joins[at].name, name) != 0) {
        at++;
    }
    if (at < s->joins_count) {
        clear_join(&s->joins[at]);
    } else {
        s->joins_count++;
    }
    s->joins[at] = join;
done:
    if (status != KN_OK) {
        clear_join(&join);
    }
    return status;
}

bool kn__schema_is_key(const kn_schema *s, const char *column)
{
    for (size_t i = 0; s && i < s->keys_count; i++) {
        if (strcmp(s->keys[i], column) == 0) {
            return true;
        }
    }
    for (size_t i = 0; s && i < s->joins_count; i++) {
        if (strcmp(s->joins[i].on, column) == 0) {
            return true;
        }
    }
    return false;
}

bool kn__schema_is_part(const kn_schema *s, const char *column)
{
    for (size_t i = 0; s && i < s->together_count; i++) {
        if (bag_has(&s->together[i], column)) {
            return true;
        }
    }
    return false;
}

bool kn__schema_leaves_out(const kn_schema *s, const char *column)
{
    const kn_role role = s ? kn_schema_role(s, column) : KN_ROLE_UNSET;

    return role == KN_ROLE_IDENTIFIER || role == KN_ROLE_DROPPED;
}

bool kn__schema_makes_list(const kn_schema *s, const char *column, bool *set)
{
    for (size_t i = 0; s && i < s->bags_count; i++) {
        if (strcmp(s->bags[i].name, column) == 0) {
            *set = s->bags[i].collect;
            return true;
        }
    }
    *set = true;
    for (size_t i = 0; s && i < s->joins_count; i++) {
        if (strcmp(s->joins[i].name, column) == 0) {
            return true;
        }
    }
    /* The merged columns may be bags: repeated items must count. */
    *set = false;
    for (size_t i = 0; s && i < s->together_count; i++) {
        if (strcmp(s->together[i].name, column) == 0) {
            return true;
        }
    }
    return false;
}

static kn_status declare_list(kn_schema *s, const char *name, kn_type type, kn_error *err)
{
    const kn_column_spec *spec = kn__schema_find(s, name);

    return spec && spec->type != KN_TYPE_AUTO ? KN_OK : kn_schema_set_type(s, name, type, err);
}

kn_status kn__schema_set_reshaped(kn_schema *s, kn_error *err)
{
    for (size_t i = 0; i < s->bags_count; i++) {
        KN_PASS(
            declare_list(s, s->bags[i].name, s->bags[i].collect ? KN_TYPE_SET : KN_TYPE_BAG, err));
    }
    for (size_t i = 0; i < s->joins_count; i++) {
        KN_PASS(declare_list(s, s->joins[i].name, KN_TYPE_SET, err));
    }
    for (size_t i = 0; i < s->together_count; i++) {
        KN_PASS(declare_list(s, s->together[i].name, KN_TYPE_SET, err));
    }
    kn__schema_rows_free(s);
    s->bags = s->together = NULL;
    s->joins = NULL;
    s->nulls = s->keys = NULL;
    s->bags_count = s->bags_cap = s->together_count = s->together_cap = 0;
    s->joins_count = s->joins_cap = s->nulls_count = s->keys_count = 0;
    return KN_OK;
}

/* ---- copying ---- */

kn_status kn__schema_rows_copy(kn_schema *to, const kn_schema *s, kn_error *err)
{
    kn_status status = KN_OK;

    for (size_t i = 0; i < s->bags_count; i++) {
        const kn_bag_spec *bag = &s->bags[i];
        KN_TRY((bag->collect ? kn_schema_set_collect : kn_schema_set_bag)(
            to, bag->name, (const char *const *)bag->columns, bag->count, err));
    }
    for (size_t i = 0; i < s->together_count; i++) {
        const kn_bag_spec *bag = &s->together[i];
        KN_TRY(kn_schema_set_together(to, bag->name, (const char *const *)bag->columns, bag->count,
                                      err));
    }
    for (size_t i = 0; i < s->joins_count; i++) {
        const kn_join_spec *j = &s->joins[i];
        KN_TRY(kn_schema_set_join(to, j->name, j->path, j->on, j->key,
                                  (const char *const *)j->columns, j->count, err));
    }
    if (s->nulls) {
        KN_TRY(kn_schema_set_nulls(to, (const char *const *)s->nulls, s->nulls_count, err));
    }
    if (s->keys) {
        KN_TRY(kn_schema_set_group_by(to, (const char *const *)s->keys, s->keys_count, err));
    }
done:
    to->drop_others = s->drop_others;
    to->rest = s->rest;
    to->rest_spares_lists = s->rest_spares_lists;
    return status;
}
