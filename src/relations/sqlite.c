/* sqlite.c - an SQLite file as a set of tables, opened read-only; the foreign keys that it
 * declares. The only file that knows SQLite: without it kn_relations_open has refused such a file.
 */
#include "base/error.h"
#include "base/memory.h"
#include "relations/tables.h"

#ifdef KN_HAVE_SQLITE
#include <sqlite3.h>

static kn_status fail_sqlite(const kn_relations *r, sqlite3 *db, kn_error *err)
{
    kn_status status = KN_EINPUT;

    if (sqlite3_errcode(db) == SQLITE_NOMEM || sqlite3_extended_errcode(db) == SQLITE_IOERR_NOMEM) {
        return kn__nomem(err);
    }
    switch (sqlite3_errcode(db) & 0xff) {
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_FULL: status = KN_EIO; break;
    default: break;
    }
    /* SQLite does not tell them apart. */
    return kn__fail(err, status, "%s: SQLite says: %s%s", r->path, sqlite3_errmsg(db),
                    sqlite3_errcode(db) == SQLITE_CORRUPT
                        ? " (or the disk that it is on cannot be read)"
                        : "");
}

/* Take the next row of `s`; `*more`: there was one. */
static kn_status next_row(const kn_relations *r, sqlite3 *db, sqlite3_stmt *s, bool *more,
                          kn_error *err)
{
    const int step = sqlite3_step(s);

    *more = step == SQLITE_ROW;
    return *more || step == SQLITE_DONE ? KN_OK : fail_sqlite(r, db, err);
}

static kn_status open_file(const kn_relations *r, sqlite3 **db, kn_error *err)
{
    if (sqlite3_open_v2(r->path, db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        return *db ? fail_sqlite(r, *db, err) : kn__nomem(err);
    }
    return KN_OK;
}

/* `before`, the name as SQL quotes it, and `after` as one statement. */
static kn_status prepare(const kn_relations *r, sqlite3 *db, const char *before, const char *name,
                         const char *after, sqlite3_stmt **out, kn_error *err)
{
    kn_buffer sql = {0};
    kn_status status;

    kn__buffer_adds(&sql, before);
    kn__buffer_addc(&sql, '"');
    for (const char *p = name; *p; p++) {
        kn__buffer_adds(&sql, *p == '"' ? "\"" : "");
        kn__buffer_addc(&sql, *p);
    }
    kn__buffer_addf(&sql, "\"%s", after);
    KN_TRY(sql.failed ? kn__nomem(err) : KN_OK);
    if (sqlite3_prepare_v2(db, sql.data, -1, out, NULL) != SQLITE_OK) {
        KN_TRY(fail_sqlite(r, db, err));
    }
done:
    kn__buffer_free(&sql);
    return status;
}

/* The text of a column of the row; NULL where there is no value. */
static kn_status text_of(const char **out, sqlite3_stmt *s, int column, kn_error *err)
{
    *out = NULL;
    if (sqlite3_column_type(s, column) != SQLITE_NULL) {
        *out = (const char *)sqlite3_column_text(s, column);
        if (!*out && sqlite3_errcode(sqlite3_db_handle(s)) == SQLITE_NOMEM) {
            return kn__nomem(err);
        }
        *out = *out ? *out : ""; /* no bytes */
    }
    return KN_OK;
}

/* The primary key of `t`, if it is one column. */
static kn_status read_primary(kn_relations *r, sqlite3 *db, kn_table *t, kn_error *err)
{
    sqlite3_stmt *s = NULL;
    const char *name;
    int keys = 0;
    bool more;
    kn_status status;

    KN_TRY(prepare(r, db, "PRAGMA table_info(", t->name, ")", &s, err));
    KN_TRY(next_row(r, db, s, &more, err));
    while (more) {
        if (sqlite3_column_int(s, 5) > 0 && keys++ == 0) {
            KN_TRY(text_of(&name, s, 1, err));
            t->primary = kn__strdup(name ? name : "");
            KN_TRY(t->primary ? KN_OK : kn__nomem(err));
        }
        KN_TRY(next_row(r, db, s, &more, err));
    }
    if (keys != 1) {
        kn__free(t->primary);
        t->primary = NULL;
    }
done:
    (void)sqlite3_finalize(s);
    return status;
}

/* The foreign keys of table `name`. The columns of a key follow each other. */
static kn_status read_keys(kn_relations *r, sqlite3 *db, const char *name, kn_error *err)
{
    sqlite3_stmt *s = NULL;
    const char *to, *from, *key;
    bool more;
    kn_status status;

    KN_TRY(prepare(r, db, "PRAGMA foreign_key_list(", name, ")", &s, err));
    KN_TRY(next_row(r, db, s, &more, err));
    while (more) {
        KN_TRY(text_of(&to, s, 2, err));
        KN_TRY(text_of(&from, s, 3, err));
        KN_TRY(text_of(&key, s, 4, err));
        if (sqlite3_column_int(s, 1) > 0 && r->keys > 0) {
            r->key[r->keys - 1].composite = true;
        } else if (to && from) {
            KN_TRY(kn__relations_put_key(r, name, from, to, key, err));
        }
        KN_TRY(next_row(r, db, s, &more, err));
    }
done:
    (void)sqlite3_finalize(s);
    return status;
}

kn_status kn__sqlite_declared(kn_relations *r, kn_error *err)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    kn_table *t;
    const char *name;
    bool more;
    kn_status status;

    KN_TRY(open_file(r, &db, err));
    if (sqlite3_prepare_v2(db,
                           "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND "
                           "name IS NOT NULL",
                           -1, &s, NULL) != SQLITE_OK) {
        KN_TRY(fail_sqlite(r, db, err));
    }
    KN_TRY(next_row(r, db, s, &more, err));
    while (more) {
        KN_TRY(text_of(&name, s, 0, err));
        KN_TRY(kn__relations_entry(r, name, &t, err));
        KN_TRY(read_primary(r, db, t, err));
        KN_TRY(read_keys(r, db, name, err));
        KN_TRY(next_row(r, db, s, &more, err));
    }
done:
    (void)sqlite3_finalize(s);
    (void)sqlite3_close(db);
    return status;
}

static kn_status read_rows(kn_relations *r, sqlite3 *db, sqlite3_stmt *s, kn_dataset_builder *b,
                           kn_error *err)
{
    const int columns = sqlite3_column_count(s);
    const char **values = kn__malloc_array((size_t)columns, sizeof *values);
    bool more;
    kn_status status;

    KN_TRY(values ? KN_OK : kn__nomem(err));
    KN_TRY(next_row(r, db, s, &more, err));
    while (more) {
        for (int i = 0; i < columns; i++) {
            KN_TRY(text_of(&values[i], s, i, err));
        }
        KN_TRY(kn_dataset_builder_add(b, values, err));
        KN_TRY(next_row(r, db, s, &more, err));
    }
done:
    kn__free(values);
    return status;
}

kn_status kn__sqlite_table(kn_relations *r, kn_table *t, kn_error *err)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    kn_dataset_builder *b = NULL;
    const char **names = NULL;
    int columns;
    kn_status status;

    KN_TRY(open_file(r, &db, err));
    KN_TRY(prepare(r, db, "SELECT * FROM ", t->name, "", &s, err));
    columns = sqlite3_column_count(s);
    names = kn__malloc_array((size_t)columns, sizeof *names);
    KN_TRY(names ? KN_OK : kn__nomem(err));
    for (int i = 0; i < columns; i++) {
        names[i] = sqlite3_column_name(s, i);
        KN_TRY(names[i] ? KN_OK : kn__nomem(err));
    }
    KN_TRY(kn_dataset_builder_new(&b, names, (size_t)columns, NULL, err));
    KN_TRY(read_rows(r, db, s, b, err));
    status = kn_dataset_builder_finish(&t->ds, b, err);
    b = NULL;
done:
    kn_dataset_builder_free(b);
    kn__free(names);
    (void)sqlite3_finalize(s);
    (void)sqlite3_close(db);
    return status;
}

#else

kn_status kn__sqlite_declared(kn_relations *r, kn_error *err)
{
    return kn__fail(err, KN_EUSAGE, "%s: this build of kanon has no SQLite", r->path);
}

kn_status kn__sqlite_table(kn_relations *r, kn_table *t, kn_error *err)
{
    (void)t;
    return kn__fail(err, KN_EUSAGE, "%s: this build of kanon has no SQLite", r->path);
}

#endif
