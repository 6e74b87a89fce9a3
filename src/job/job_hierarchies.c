/* job_hierarchies.c - from options, schema and folder to the hierarchies of a table's columns. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "data/schema.h"
#include "io/bytes/file.h"
#include "job/job.h"

#include <string.h>

/* ---- reading ahead ---- */

typedef struct early {
    const char *path;
    kn_hierarchy *hierarchy; /* NULL: not read yet, taken, or wrong */
    bool read;
    kn_status status;
    kn_error error;
} early;

struct kn_hierarchy_prefetch {
    early *file;
    size_t count, cap;
};

/* What may not be asked for in the end is read only where that changes nothing: a pipe would be
 * empty then, or wait until another process writes to it. */
static kn_status add_path(kn_hierarchy_prefetch *a, const char *path, kn_error *err)
{
    const bool plain = kn__file_is_plain(path);
    kn_status status;

    KN_TRY(plain ? kn__grow(&a->file, &a->cap, a->count + 1, sizeof *a->file, err) : KN_OK);
    if (plain) {
        a->file[a->count++] = (early){.path = path};
    }
done:
    return status;
}

kn_status kn__hierarchy_prefetch_new(kn_hierarchy_prefetch **out, const kn_job *job,
                                     const kn_schema *schema, kn_error *err)
{
    kn_hierarchy_prefetch *a = kn__zalloc(sizeof *a);
    kn_status st = a ? KN_OK : kn__nomem(err);
    const char *pair, *path;

    *out = NULL;
    for (size_t i = 0; st == KN_OK && (pair = kn_job_get(job, "hierarchy", i)); i++) {
        size_t len;
        st = add_path(a, kn__map_value(pair, &len), err);
    }
    for (size_t i = 0; st == KN_OK && i < kn_schema_columns(schema); i++) {
        const char *column = kn_schema_column_name(schema, i);
        for (size_t j = 0; st == KN_OK && (path = kn_schema_hierarchy_at(schema, column, j)); j++) {
            st = add_path(a, path, err);
        }
    }
    if (st != KN_OK) {
        kn__hierarchy_prefetch_free(a);
        return st;
    }
    *out = a;
    return KN_OK;
}

void kn__hierarchy_prefetch_free(kn_hierarchy_prefetch *a)
{
    for (size_t i = 0; a && i < a->count; i++) {
        kn_hierarchy_free(a->file[i].hierarchy);
    }
    if (a) {
        kn__free(a->file);
        kn__free(a);
    }
}

size_t kn__hierarchy_prefetch_count(const kn_hierarchy_prefetch *a)
{
    return a->count;
}

void kn__hierarchy_prefetch_read(kn_hierarchy_prefetch *a)
{
    for (size_t i = 0; i < a->count; i++) {
        a->file[i].status = kn_hierarchy_read(&a->file[i].hierarchy, a->file[i].path,
                                              &a->file[i].error);
        a->file[i].read = true;
    }
}

/* Each reading is taken once: a file that serves two columns is read for each. */
static kn_status take_or_read(kn_hierarchy **out, const char *path, kn_hierarchy_prefetch *a,
                              kn_error *err)
{
    for (size_t i = 0; a && i < a->count; i++) {
        early *file = &a->file[i];
        if (file->read && strcmp(file->path, path) == 0) {
            file->read = false;
            *out = file->hierarchy;
            file->hierarchy = NULL;
            if (file->status != KN_OK && err) {
                *err = file->error;
            }
            return file->status;
        }
    }
    return kn_hierarchy_read(out, path, err);
}

/* ---- by column ---- */

static kn_status add_hierarchy(kn_hierarchies *hs, const char *column, const char *path,
                               kn_hierarchy_prefetch *ahead, kn_error *err)
{
    kn_hierarchy *h = NULL;
    kn_status st = take_or_read(&h, path, ahead, err);

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
                                        kn_hierarchy_prefetch *ahead, kn_hierarchies *hs,
                                        kn_error *err)
{
    const char *pair;
    kn_status st = KN_OK;

    for (size_t i = 0; st == KN_OK && (pair = kn_job_get(job, "hierarchy", i)); i++) {
        size_t len = 0;
        const char *path = kn__map_value(pair, &len);
        char *column = kn__strndup(pair, len);
        if (!column) {
            return kn__nomem(err);
        }
        if (holds_items(s, ds, column) || !is_replaced(job, column, i)) {
            st = add_hierarchy(hs, column, path, ahead, err);
        }
        kn__free(column);
    }
    return st;
}

static kn_status hierarchies_of_schema(const kn_job *job, const kn_schema *schema,
                                       const kn_dataset *ds, kn_hierarchy_prefetch *ahead,
                                       kn_hierarchies *hs, kn_error *err)
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
            st = add_hierarchy(hs, column, path, ahead, err);
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

kn_status kn__job_hierarchies(const kn_job *job, const kn_dataset *ds, kn_hierarchy_prefetch *ahead,
                              kn_hierarchies *given, kn_hierarchies **out, kn_error *err)
{
    const char *folder = kn_job_get(job, "hierarchies", 0), *column;
    kn_schema *schema = NULL;
    kn_hierarchies *hs = given;
    kn_status status;

    *out = NULL;
    KN_TRY(kn__job_schema(job, &schema, err));
    KN_TRY(hs ? KN_OK : kn_hierarchies_new(&hs, err));
    KN_TRY(hierarchies_of_options(job, schema, ds, ahead, hs, err));
    KN_TRY(hierarchies_of_schema(job, schema, ds, ahead, hs, err));
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

    KN_TRY(kn__job_hierarchies(job, ds, NULL, NULL, out, err));
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
