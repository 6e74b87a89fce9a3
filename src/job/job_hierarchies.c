/* job_hierarchies.c - from options, schema and folder to the hierarchies of a table's columns. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "data/schema.h"
#include "job/job.h"

#include <string.h>

static kn_status add_hierarchy(kn_hierarchies *hs, const char *column, const char *path,
                               kn_error *err)
{
    kn_hierarchy *h = NULL;
    kn_status st = kn_hierarchy_read(&h, path, err);

    if (st == KN_OK) {
        st = kn_hierarchies_add_family(hs, column, h, err);
        if (st != KN_OK) {
            kn_hierarchy_free(h);
        }
    }
    if (err && st != KN_OK && (err->code == KN_ERROR_OTHER || err->code == KN_ERROR_FILE)) {
        (void)kn__about_column(err, st, KN_ERROR_FILE, column);
        (void)kn__about_parameter(err, st, KN_ERROR_FILE, "hierarchy");
    }
    return st;
}

static bool holds_items(const kn_schema *s, const kn_dataset *ds, const char *column)
{
    const size_t at = kn_dataset_find(ds, column);

    return kn__schema_is_part(s, column) ||
           (at != SIZE_MAX && kn__type_is_list(ds->column[at].type));
}

/* Whether a later option names the column of the `i`-th too. */
static bool is_replaced(const kn_job *job, const char *column, size_t i)
{
    const size_t len = strlen(column);
    const char *pair;

    while ((pair = kn_job_get(job, "hierarchy", ++i))) {
        size_t other;
        (void)kn__map_value(pair, &other);
        if (other == len && memcmp(pair, column, len) == 0) {
            return true;
        }
    }
    return false;
}

/* A column of items has all that are given for it, any other the last. */
static kn_status hierarchies_of_options(const kn_job *job, const kn_schema *s, const kn_dataset *ds,
                                        kn_hierarchies *hs, kn_error *err)
{
    const char *pair;
    kn_status st = KN_OK;

    for (size_t i = 0; st == KN_OK && (pair = kn_job_get(job, "hierarchy", i)); i++) {
        size_t len = 0;
        const char *path = kn__map_value(pair, &len);
        char *column = kn__strndup(pair, len);
        KN_PASS(column ? KN_OK : kn__nomem(err));
        if (holds_items(s, ds, column) || !is_replaced(job, column, i)) {
            st = add_hierarchy(hs, column, path, err);
        }
        kn__free(column);
    }
    return st;
}

static kn_status hierarchies_of_schema(const kn_job *job, const kn_schema *schema,
                                       const kn_dataset *ds, kn_hierarchies *hs, kn_error *err)
{
    kn_status st = KN_OK;

    for (size_t i = 0; st == KN_OK && i < kn_schema_columns(schema); i++) {
        const char *column = kn_schema_column_name(schema, i), *path;
        const bool wanted = (kn_dataset_find(ds, column) != SIZE_MAX ||
                             kn__schema_is_part(schema, column)) &&
                            !kn_hierarchies_get(hs, column);
        if (wanted && kn_schema_hierarchy_at(schema, column, 1) &&
            !holds_items(schema, ds, column)) {
            st = kn__fail(err, KN_EINPUT,
                          "%.300s: column '%.200s' has several hierarchies and one value a record; "
                          "only columns of items may have several: give it one",
                          kn_job_get(job, "schema", 0), column);
        }
        for (size_t j = 0;
             wanted && st == KN_OK && (path = kn_schema_hierarchy_at(schema, column, j)); j++) {
            st = add_hierarchy(hs, column, path, err);
        }
    }
    return st;
}

/* A folder that helps no column is a folder mistyped. */
static kn_status hierarchies_of_folder(const char *folder, const kn_dataset *ds, kn_hierarchies *hs,
                                       kn_error *err)
{
    size_t found = 0;
    kn_status st = kn_hierarchies_read_folder(&found, hs, folder, ds, err);
    bool any = found > 0;

    for (size_t i = 0; i < kn_dataset_columns(ds) && !any; i++) {
        any = kn_hierarchies_get(hs, kn_dataset_name(ds, i)) != NULL;
    }
    if (st == KN_OK && !any) {
        st = kn__fail(
            err, KN_EINPUT,
            "%.300s: no file in this folder is named after a column; call them age.csv and "
            "so on, or use --hierarchy COLUMN=FILE",
            folder);
    }
    return kn__about_file(err, st, "hierarchies");
}

/* Hierarchies of columns that became parts of item columns. */
static kn_status hierarchies_of_parts(const kn_schema *schema, kn_hierarchies *hs, kn_error *err)
{
    kn_status st = KN_OK;

    for (size_t i = 0; st == KN_OK && i < schema->together_count; i++) {
        const kn_bag_spec *t = &schema->together[i];
        st = kn_hierarchies_put_together(hs, t->name, (const char *const *)t->columns, t->count,
                                         err);
    }
    return st;
}

kn_status kn__job_hierarchies(const kn_job *job, const kn_dataset *ds, kn_hierarchies *given,
                              kn_hierarchies **out, kn_error *err)
{
    const char *folder = kn_job_get(job, "hierarchies", 0), *column;
    kn_schema *schema = NULL;
    kn_hierarchies *hs = given;
    kn_status status;

    *out = NULL;
    KN_TRY(kn__job_schema(job, &schema, err));
    KN_TRY(hs ? KN_OK : kn_hierarchies_new(&hs, err));
    KN_TRY(hierarchies_of_options(job, schema, ds, hs, err));
    KN_TRY(hierarchies_of_schema(job, schema, ds, hs, err));
    if (folder) {
        KN_TRY(hierarchies_of_folder(folder, ds, hs, err));
    }
    KN_TRY(hierarchies_of_parts(schema, hs, err));
    for (size_t i = 0; (column = kn_job_get(job, "codes", i)); i++) {
        if (!kn_hierarchies_set_codes(hs, column)) {
            KN_TRY(kn__fail(err, KN_EUSAGE,
                            "--codes: column '%.100s' has no hierarchy: give one with --hierarchy "
                            "COLUMN=FILE, or leave --codes out",
                            column));
        }
    }
    *out = hs;
    hs = NULL;
done:
    kn_hierarchies_free(hs);
    kn_schema_free(schema);
    return status;
}

kn_status kn_job_hierarchies(kn_hierarchies **out, const kn_job *job, const kn_dataset *ds,
                             kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, job, ds);

    kn_buffer names = {0};
    kn_status status;

    KN_TRY(kn__job_hierarchies(job, ds, NULL, out, err));
    if (!ds->counts && !ds->forest) {
        KN_TRY(kn__add_postcode_prefixes(*out, ds, &names, err));
    }
done:
    kn__buffer_free(&names);
    if (status != KN_OK) {
        kn_hierarchies_free(*out);
        *out = NULL;
    }
    return status;
}
