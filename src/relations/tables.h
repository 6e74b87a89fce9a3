/* relations/tables.h - the tables of a source, read when they are asked for, and the foreign keys
 * between them. */
#ifndef KN_RELATIONS_TABLES_H
#define KN_RELATIONS_TABLES_H

#include "data/dataset.h"
#include "data/tree_shape.h"
#include "kanon/hierarchy.h"
#include "kanon/relations.h"

typedef struct kn_foreign_key {
    char *table, *column;    /* the row that points */
    char *to_table, *to_key; /* what it points to; to_key may be NULL: its primary key */
    bool composite;          /* of several columns, of which this is the first */
} kn_foreign_key;

typedef struct kn_table {
    char *name;
    char **columns; /* of a file without a header; NULL: it has one */
    size_t columns_count;
    char *primary;  /* SQLite: its primary key, or NULL */
    kn_dataset *ds; /* NULL until it is read */
} kn_table;

typedef struct kn_bin {
    char *class_, *how;
    kn_hierarchy *hierarchy; /* once the class was met */
    size_t level;
} kn_bin;

typedef enum kn_source_kind { KN_SOURCE_FOLDER, KN_SOURCE_SQLITE, KN_SOURCE_JSON } kn_source_kind;

struct kn_relations {
    kn_source_kind kind;
    char *path;
    kn_table *table;
    size_t tables, tables_cap;
    kn_foreign_key *key;
    size_t keys, keys_cap;
    size_t declared_from; /* keys from here on were declared by the source */
    bool declared;        /* those of the source were read */
    kn_bin *bin;
    size_t bins, bins_cap;
    kn_orphans orphans;
};

/** The entry of the table called `name`, made if it is not there. Not read. */
kn_status kn__relations_entry(kn_relations *r, const char *name, kn_table **out, kn_error *err);
/** Table `name`, read. KN_EINPUT when there is none. The pointer is good until the next new table.
 */
kn_status kn__relations_table(kn_relations *r, const char *name, const kn_run *run, kn_table **out,
                              kn_error *err);
/** State a foreign key; all is copied, `to_key` may be NULL. */
kn_status kn__relations_put_key(kn_relations *r, const char *table, const char *column,
                                const char *to_table, const char *to_key, kn_error *err);
/** The number of column `name` of `t`, or KN_EINPUT. */
kn_status kn__table_column(const kn_table *t, const char *name, size_t *out, kn_error *err);

/** SQLite (sqlite.c): read one table; read what the database declares. */
kn_status kn__sqlite_table(kn_relations *r, kn_table *t, kn_error *err);
kn_status kn__sqlite_declared(kn_relations *r, kn_error *err);
/** JSON: read all tables. */
kn_status kn__json_tables(kn_relations *r, kn_error *err);

/** For each row of `from`: which row of `to` its foreign key points to; KN_NO_ROW where the key is
 * missing or no row has it. `by` names the column of `from` or the table, as the notation does.
 * `*column` gets the column of `from` that is the key. */
#define KN_NO_ROW UINT32_MAX
kn_status kn__relations_follow(kn_relations *r, const char *from, const char *by, const kn_run *run,
                               uint32_t **rows, const char **to, size_t *column, kn_error *err);

/** The labels that the values of `column` get by the bin of class `class_`, by code, in `*labels`
 * (free the array, not the labels); NULL where the class has no bin. */
kn_status kn__relations_bin(kn_relations *r, const char *class_, kn_dataset *ds, size_t column,
                            const char ***labels, kn_error *err);
/** A hierarchy of class `column` of `trees`: what is above the groups of its bin, else `fanout` (0:
 * 5) values to a group. */
kn_status kn__relations_hierarchy(const kn_relations *r, const kn_dataset *trees, size_t column,
                                  size_t fanout, kn_hierarchy **out, kn_error *err);

#endif
