/* tables.c - sources of related tables: folders, SQLite files, JSON files. A table becomes a
 * dataset with all its columns; roles play no part here. */
#include "relations/tables.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/bytes/paths.h"
#include "kanon/io.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *end)
{
    const size_t len = strlen(text), end_len = strlen(end);

    return len >= end_len && strcasecmp(text + len - end_len, end) == 0;
}

/* Whether a file begins as SQLite's do. It takes no memory, without which a database would be taken
 * for a JSON file. */
static kn_status find_kind(kn_source_kind *out, const char *path, kn_error *err)
{
    static const char sqlite[16] = "SQLite format 3";
    char head[sizeof sqlite] = "";
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t got = 0;
    ssize_t n = 1;
    kn_status status = KN_OK;

    if (fd < 0) {
        return kn__fail_open(err, path, errno);
    }
    while (n != 0 && got < sizeof head) {
        n = read(fd, head + got, sizeof head - got);
        if (n < 0 && errno != EINTR) {
            KN_TRY(kn__fail_errno(err, path, "cannot be read", errno));
        }
        got += n > 0 ? (size_t)n : 0;
    }
    *out = memcmp(head, sqlite, sizeof head) == 0 ? KN_SOURCE_SQLITE : KN_SOURCE_JSON;
done:
    (void)close(fd);
    return status;
}

kn_status kn_relations_open(kn_relations **out, const char *path, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, path);

    kn_relations *r = NULL;
    struct stat info;
    kn_status status;

    if (stat(path, &info) != 0) {
        return errno == ENOENT ? kn__fail(err, KN_EINPUT, "%s: no such file or folder", path)
                               : kn__fail_open(err, path, errno);
    }
    r = kn__zalloc(sizeof *r);
    KN_TRY(r ? KN_OK : kn__nomem(err));
    r->path = kn__strdup(path);
    KN_TRY(r->path ? KN_OK : kn__nomem(err));
    r->kind = KN_SOURCE_FOLDER;
    if (!S_ISDIR(info.st_mode)) {
        KN_TRY(find_kind(&r->kind, path, err));
    }
#ifndef KN_HAVE_SQLITE
    if (r->kind == KN_SOURCE_SQLITE) {
        KN_TRY(
            kn__fail(err, KN_EUSAGE,
                     "%s: is an SQLite database, and this build of kanon has no SQLite: build it "
                     "with libsqlite3-dev, or export the tables as CSV into a folder",
                     path));
    }
#endif
    *out = r;
    r = NULL;
done:
    kn_relations_free(r);
    return status;
}

void kn_relations_free(kn_relations *r)
{
    if (!r) {
        return;
    }
    for (size_t i = 0; i < r->tables; i++) {
        KN_FREE(r->table[i].name, r->table[i].primary);
        kn__texts_free(r->table[i].columns, r->table[i].columns_count);
        kn_dataset_free(r->table[i].ds);
    }
    for (size_t i = 0; i < r->keys; i++) {
        KN_FREE(r->key[i].table, r->key[i].column, r->key[i].to_table, r->key[i].to_key);
    }
    for (size_t i = 0; i < r->bins; i++) {
        KN_FREE(r->bin[i].class_, r->bin[i].how);
        kn_hierarchy_free(r->bin[i].hierarchy);
    }
    KN_FREE(r->table, r->key, r->bin, r->path, r);
}

void kn_relations_set_orphans(kn_relations *r, kn_orphans orphans)
{
    if (r) {
        r->orphans = orphans;
    }
}

kn_status kn__relations_entry(kn_relations *r, const char *name, kn_table **out, kn_error *err)
{
    for (size_t i = 0; i < r->tables; i++) {
        if (strcmp(r->table[i].name, name) == 0) {
            *out = &r->table[i];
            return KN_OK;
        }
    }
    KN_PASS(kn__grow(&r->table, &r->tables_cap, r->tables + 1, sizeof *r->table, err));
    r->table[r->tables] = (kn_table){.name = kn__strdup(name)};
    KN_PASS(r->table[r->tables].name ? KN_OK : kn__nomem(err));
    *out = &r->table[r->tables++];
    return KN_OK;
}

kn_status kn_relations_set_columns(kn_relations *r, const char *table, const char *const *names,
                                   size_t count, kn_error *err)
{
    KN_NEED(err, r, table);
    KN_NEED_LIST(err, names, count);

    kn_table *t;
    char **copy = NULL;

    KN_PASS(kn__relations_entry(r, table, &t, err));
    KN_PASS(kn__texts_copy(&copy, names, count, err));
    kn__texts_free(t->columns, t->columns_count);
    t->columns = copy;
    t->columns_count = count;
    return KN_OK;
}

kn_status kn__relations_put_key(kn_relations *r, const char *table, const char *column,
                                const char *to_table, const char *to_key, kn_error *err)
{
    kn_foreign_key *k;

    KN_PASS(kn__grow(&r->key, &r->keys_cap, r->keys + 1, sizeof *r->key, err));
    k = &r->key[r->keys++];
    *k = (kn_foreign_key){.table = kn__strdup(table),
                          .column = kn__strdup(column),
                          .to_table = kn__strdup(to_table),
                          .to_key = to_key ? kn__strdup(to_key) : NULL};
    if (!k->table || !k->column || !k->to_table || (to_key && !k->to_key)) {
        KN_PASS(kn__nomem(err));
    }
    return KN_OK;
}

kn_status kn_relations_add_key(kn_relations *r, const char *key, kn_error *err)
{
    KN_NEED(err, r, key);

    char *copy = kn__strdup(key), *equals, *dot, *to_dot;
    kn_status status;

    KN_TRY(copy ? KN_OK : kn__nomem(err));
    equals = strchr(copy, '=');
    dot = strchr(copy, '.');
    to_dot = equals ? strchr(equals, '.') : NULL;
    if (!equals || !dot || dot > equals || !to_dot || dot == copy || dot + 1 == equals ||
        to_dot == equals + 1 || !to_dot[1]) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "'%.100s' is no foreign key: write TABLE.COLUMN=TABLE.COLUMN, the row that "
                        "points first, as in orders.customer=customers.id",
                        key));
    }
    if (strchr(copy, ',')) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "'%.100s': a foreign key has one column; give both tables a column that "
                        "holds the whole key",
                        key));
    }
    *dot = *equals = *to_dot = '\0';
    KN_TRY(kn__relations_put_key(r, copy, dot + 1, equals + 1, to_dot + 1, err));
done:
    kn__free(copy);
    return status;
}

/* ---- reading ---- */

static const char *const endings[] = {".csv", ".tsv", ".tbl", ".jsonl", ".ndjson"};
static const char *const packings[] = {"", ".gz", ".zst"};

/* The file of a table of a folder into `path`, and whether there is one. A name with a slash would
 * lead out of the folder. */
static kn_status find_file(bool *found, const kn_relations *r, const char *name, kn_buffer *path,
                           kn_error *err)
{
    *found = false;
    if (strchr(name, '/')) {
        return KN_OK;
    }
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        for (size_t p = 0; p < sizeof packings / sizeof *packings; p++) {
            path->len = 0;
            kn__buffer_addf(path, "%s/%s%s%s", r->path, name, endings[e], packings[p]);
            KN_PASS(path->failed ? kn__nomem(err) : kn__path_exists(found, path->data, err));
            if (*found) {
                return KN_OK;
            }
        }
    }
    return KN_OK;
}

/* Call the columns of a file without a header as was said. One more, empty column is what a
 * separator at the end of every line makes. */
static kn_status name_columns(kn_table *t, const char *path, kn_error *err)
{
    kn_dataset *ds = t->ds;
    const bool one_more = ds->columns == t->columns_count + 1 &&
                          kn__column_values(&ds->column[ds->columns - 1]) == 1 &&
                          ds->column[ds->columns - 1].missing == 0;

    if (ds->columns != t->columns_count && !one_more) {
        return kn__fail(
            err, KN_EINPUT,
            "%s: %zu column name%s given for table '%.80s', and the file has %zu column%s", path,
            t->columns_count, t->columns_count == 1 ? " was" : "s were", t->name, ds->columns,
            ds->columns == 1 ? "" : "s");
    }
    kn__dataset_drop_name_index(ds);
    for (size_t i = 0; i < t->columns_count; i++) {
        char *name = kn__strdup(t->columns[i]);
        KN_PASS(name ? KN_OK : kn__nomem(err));
        kn__free(ds->column[i].name);
        ds->column[i].name = name;
    }
    ds->line_names = false;
    return KN_OK;
}

static kn_status read_file(kn_relations *r, kn_table *t, const kn_run *run, kn_error *err)
{
    kn_layout layout = {.no_header = t->columns != NULL};
    const kn_read_options options = {.keep_dropped = true, .layout = &layout};
    kn_buffer path = {0};
    kn_status status;
    bool found;

    KN_TRY(find_file(&found, r, t->name, &path, err));
    if (!found) {
        KN_TRY(kn__fail(err, KN_EINPUT,
                        "%s: there is no table '%.80s': no file %.80s.csv, .tsv, .tbl "
                        "or .jsonl, plain or packed, in this folder",
                        r->path, t->name, t->name));
    }
    if (strstr(path.data, ".tbl")) { /* TPC's: no quotes, and comments that hold commas */
        layout.separator = '|';
        layout.no_quotes = true;
    } else if (ends_with(path.data, ".tsv") || strstr(path.data, ".tsv.")) {
        layout.separator = '\t';
    }
    KN_TRY(kn_read(&t->ds, path.data, &options, run, err));
    if (t->columns) {
        KN_TRY(name_columns(t, path.data, err));
    }
done:
    kn__buffer_free(&path);
    return status;
}

kn_status kn__relations_table(kn_relations *r, const char *name, const kn_run *run, kn_table **out,
                              kn_error *err)
{
    kn_table *t;

    if (!r->declared) {
        r->declared = true;
        r->declared_from = r->keys;
        if (r->kind == KN_SOURCE_JSON) {
            KN_PASS(kn__json_tables(r, err));
        } else if (r->kind == KN_SOURCE_SQLITE) {
            KN_PASS(kn__sqlite_declared(r, err));
        }
    }
    KN_PASS(kn__relations_entry(r, name, &t, err));
    if (!t->ds && r->kind == KN_SOURCE_FOLDER) {
        KN_PASS(read_file(r, t, run, err));
    } else if (!t->ds && r->kind == KN_SOURCE_SQLITE) {
        KN_PASS(kn__sqlite_table(r, t, err));
    } else if (!t->ds) {
        return kn__fail(err, KN_EINPUT, "%s: there is no table '%.80s'", r->path, name);
    }
    *out = t;
    return KN_OK;
}

kn_status kn__table_column(const kn_table *t, const char *name, size_t *out, kn_error *err)
{
    char *columns = NULL;
    kn_status status;

    *out = kn_dataset_find(t->ds, name);
    if (*out != SIZE_MAX) {
        return KN_OK;
    }
    KN_TRY(kn_dataset_describe_columns(&columns, t->ds, name, err));
    (void)kn__fail(err, KN_EINPUT, "table '%.80s' has no column '%.80s'; %s", t->name, name,
                   columns);
    status = kn__about_column(err, KN_EINPUT, KN_ERROR_NO_COLUMN, name);
done:
    kn__free(columns);
    return status;
}
