/* job_trees.c - what a job knows of the classes of tree records before the file is read: their
 * order, and to which of them the values of the hierarchies belong. */
#include "base/error.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "data/schema.h"
#include "io/reader.h"
#include "job/job.h"

#include <string.h>

/* Add `name` to the list, unless it is there. */
static kn_status add_name(char ***names, size_t *count, size_t *cap, const char *name, size_t len,
                          kn_error *err)
{
    for (size_t i = 0; i < *count; i++) {
        if (strlen((*names)[i]) == len && memcmp((*names)[i], name, len) == 0) {
            return KN_OK;
        }
    }
    KN_PASS(kn__grow(names, cap, *count + 1, sizeof **names, err));
    (*names)[*count] = kn__strndup(name, len);
    KN_PASS((*names)[*count] ? KN_OK : kn__nomem(err));
    (*count)++;
    return KN_OK;
}

/* Classes that are not stated are those with hierarchies, in the order in which options and schema
 * name them. */
static kn_status classes_of_hierarchies(const kn_job *job, kn_schema *s, kn_error *err)
{
    char **names = NULL;
    size_t count = 0, cap = 0;
    const char *pair;
    kn_status status = KN_OK;

    for (size_t i = 0; (pair = kn_job_get(job, "hierarchy", i)); i++) {
        size_t len = 0;
        (void)kn__map_value(pair, &len);
        KN_TRY(add_name(&names, &count, &cap, pair, len, err));
    }
    for (size_t i = 0; i < s->count; i++) {
        if (s->specs[i].hierarchies) {
            KN_TRY(add_name(&names, &count, &cap, s->specs[i].name, strlen(s->specs[i].name), err));
        }
    }
    if (count) {
        KN_TRY(kn_schema_set_classes(s, (const char *const *)names, count, err));
    }
done:
    kn__texts_free(names, count);
    return status;
}

/* Columns named after the classes, without values, to which hierarchies can be given. */
static kn_status empty_columns(kn_dataset **out, const kn_schema *s, kn_error *err)
{
    kn_dataset *ds = NULL;
    kn_status status;

    KN_TRY(kn__dataset_new(&ds, s->classes_count, err));
    for (size_t i = 0; i < s->classes_count; i++) {
        ds->column[i].type = KN_TYPE_SET;
        ds->column[i].name = kn__strdup(s->classes[i]);
        KN_TRY(ds->column[i].name ? KN_OK : kn__nomem(err));
    }
    *out = ds;
    ds = NULL;
done:
    kn_dataset_free(ds);
    return status;
}

static bool has_hierarchies(const kn_job *job, const kn_schema *s)
{
    bool any = kn_job_get(job, "hierarchy", 0) || kn_job_get(job, "hierarchies", 0);

    for (size_t i = 0; i < s->count; i++) {
        any = any || s->specs[i].hierarchies;
    }
    return any;
}

kn_status kn__job_tree_classes(const kn_job *job, kn_schema *s, const char *path,
                               const kn_layout *layout, kn_class_index **out, kn_error *err)
{
    const kn_format format = layout->format ? layout->format : kn__format_of_path(path);
    kn_dataset *columns = NULL;
    kn_hierarchies *hs = NULL;
    kn_status status = KN_OK;

    *out = NULL;
    if (format != KN_FORMAT_TREES) {
        return KN_OK;
    }
    if (!s->classes_count) {
        KN_TRY(classes_of_hierarchies(job, s, err));
    }
    if (s->classes_count && has_hierarchies(job, s)) {
        KN_TRY(empty_columns(&columns, s, err));
        KN_TRY(kn__job_hierarchies(job, columns, NULL, &hs, err));
        KN_TRY(kn_class_index_new(out, hs, (const char *const *)s->classes, s->classes_count, err));
    }
done:
    kn_hierarchies_free(hs);
    kn_dataset_free(columns);
    return status;
}
