/* job_reshape.c - from options to what a schema says about how rows and columns become records. */
#include "base/error.h"
#include "base/memory.h"
#include "base/name_list.h"
#include "data/schema.h"
#include "job/job.h"

#include <string.h>

/* The names of a list (base/name_list.h), in place; `*count` of them. NULL when memory is out. */
static const char **split(char *list, size_t *count)
{
    const char **texts = kn__malloc_array(strlen(list) + 1, sizeof *texts);

    *count = 0;
    for (char *rest = list; texts && rest;) {
        texts[(*count)++] = kn__name_list_cut(&rest);
    }
    return texts;
}

typedef kn_status (*set_columns)(kn_schema *s, const char *name, const char *const *columns,
                                 size_t count, kn_error *err);

/* One "NAME=COLUMN,COLUMN". */
static kn_status apply_columns(kn_schema *s, const char *pair, set_columns set, kn_error *err)
{
    size_t len = 0, count;
    char *copy = kn__strdup(pair);
    const char **columns = NULL;
    kn_status st = KN_OK;

    (void)kn__map_value(pair, &len);
    if (copy) {
        copy[len] = '\0';
        columns = split(copy + len + 1, &count);
    }
    st = columns ? set(s, copy, columns, count, err) : kn__nomem(err);
    KN_FREE(columns, copy);
    return st;
}

static kn_status apply_all(const kn_job *job, kn_schema *s, const char *option, set_columns set,
                           kn_error *err)
{
    const char *pair;
    kn_status st = KN_OK;

    for (size_t i = 0; st == KN_OK && (pair = kn_job_get(job, option, i)); i++) {
        st = apply_columns(s, pair, set, err);
    }
    return st;
}

/* All values of a list option, borrowed; NULL when there are none or memory is out. */
static const char **values_of(const kn_job *job, const char *option, size_t *count)
{
    const char **values;

    *count = 0;
    while (kn_job_get(job, option, *count)) {
        (*count)++;
    }
    values = *count ? kn__malloc_array(*count, sizeof *values) : NULL;
    for (size_t i = 0; values && i < *count; i++) {
        values[i] = kn_job_get(job, option, i);
    }
    return values;
}

static kn_status apply_list(const kn_job *job, kn_schema *s, const char *option,
                            kn_status (*set)(kn_schema *s, const char *const *texts, size_t count,
                                             kn_error *err),
                            kn_error *err)
{
    size_t count;
    const char **values = values_of(job, option, &count);
    kn_status st = KN_OK;

    if (count > 0) {
        st = values ? set(s, values, count, err) : kn__nomem(err);
    }
    kn__free(values);
    return st;
}

/* The value of "NAME=VALUE" among those of `option`, for the `len` bytes of `name`; NULL if it is
 * not given. */
static const char *value_for(const kn_job *job, const char *option, const char *name, size_t len)
{
    const char *pair;

    for (size_t i = 0; (pair = kn_job_get(job, option, i)); i++) {
        size_t other = 0;
        const char *value = kn__map_value(pair, &other);
        if (other == len && memcmp(pair, name, len) == 0) {
            return value;
        }
    }
    return NULL;
}

/* One --join, with what --join-on and --join-items say of it. */
static kn_status apply_join(const kn_job *job, kn_schema *s, const char *pair, kn_error *err)
{
    size_t len = 0, count = 0;
    const char *path = kn__map_value(pair, &len);
    const char *on = value_for(job, "join-on", pair, len);
    const char *items = value_for(job, "join-items", pair, len);
    char *name, *key, *list, *equals;
    const char **columns = NULL;
    kn_status st;

    if (!on || !items) {
        return kn__fail(err, KN_EUSAGE, "--join %.*s: say %s", (int)(len < 100 ? len : 100), pair,
                        !on ? "by which key, with --join-on NAME=KEY or NAME=KEY=THEIRS"
                            : "which columns hold the items, with --join-items NAME=COLUMNS");
    }
    name = kn__strndup(pair, len);
    key = kn__strdup(on);
    list = kn__strdup(items);
    if (list) {
        columns = split(list, &count);
    }
    if (name && key && columns) {
        equals = strchr(key, '=');
        if (equals) {
            *equals = '\0';
        }
        st = kn_schema_set_join(s, name, path, key, equals ? equals + 1 : key, columns, count, err);
    } else {
        st = kn__nomem(err);
    }
    KN_FREE(columns, list, key, name);
    return st;
}

static kn_status apply_joins(const kn_job *job, kn_schema *s, kn_error *err)
{
    static const char *const parts[] = {"join-on", "join-items"};
    const char *pair;
    kn_status st = KN_OK;

    for (size_t i = 0; st == KN_OK && (pair = kn_job_get(job, "join", i)); i++) {
        st = apply_join(job, s, pair, err);
    }
    for (size_t p = 0; p < 2; p++) {
        for (size_t i = 0; st == KN_OK && (pair = kn_job_get(job, parts[p], i)); i++) {
            size_t len = 0;
            (void)kn__map_value(pair, &len);
            if (!value_for(job, "join", pair, len)) {
                st = kn__fail(err, KN_EUSAGE, "--%s: there is no --join called '%.*s'", parts[p],
                              (int)(len < 100 ? len : 100), pair);
            }
        }
    }
    return st;
}

static kn_status check(const kn_job *job, const kn_schema *s, kn_error *err)
{
    if (kn_job_get(job, "nulls", 0) && s->bags_count + s->joins_count == 0) {
        return kn__fail(err, KN_EUSAGE,
                        "--nulls belongs to --bag, --collect and --join: say which columns become "
                        "one, for example with --bag NAME=COLUMNS, or leave --nulls out");
    }
    for (size_t i = 0; s->keys_count == 0 && i < s->bags_count; i++) {
        if (s->bags[i].collect) {
            return kn__fail(err, KN_EUSAGE,
                            "--collect %.100s belongs to --group-by: say by which key rows become "
                            "one record (if each row is one already, --bag NAME=COLUMNS and --type "
                            "NAME=set do the same)",
                            s->bags[i].name);
        }
    }
    return KN_OK;
}

kn_status kn__job_rows(const kn_job *job, kn_schema *s, kn_error *err)
{
    KN_PASS(apply_all(job, s, "bag", kn_schema_set_bag, err));
    KN_PASS(apply_all(job, s, "collect", kn_schema_set_collect, err));
    KN_PASS(apply_all(job, s, "items-together", kn_schema_set_together, err));
    KN_PASS(apply_list(job, s, "nulls", kn_schema_set_nulls, err));
    KN_PASS(apply_list(job, s, "group-by", kn_schema_set_group_by, err));
    KN_PASS(apply_joins(job, s, err));
    KN_PASS(apply_list(job, s, "classes", kn_schema_set_classes, err));
    if (kn_job_get(job, "tree", 0)) {
        KN_PASS(kn_schema_set_tree(s, kn_job_get(job, "tree", 0), err));
    }
    return check(job, s, err);
}
