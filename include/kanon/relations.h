/* kanon/relations.h - related tables into tree records, and back.
 *
 *     kn_relations *r;
 *     kn_relations_open(&r, "clinic", &err);                       // patients.csv, visits.csv, ...
 *     kn_relations_add_key(r, "visits.patient=patients.id", &err);
 *     kn_relations_set_bin(r, "date", "month", &err);
 *     kn_relations_trees(&trees, r, "patients(sex) > visits(hospital, date)", NULL, NULL, &err);
 *
 * The notation is that of docs/tree-records.md. */
#ifndef KANON_RELATIONS_H
#define KANON_RELATIONS_H

#include "kanon/dataset.h"
#include "kanon/io.h"
#include "kanon/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kn_relations kn_relations;

/** What to do with a row that belongs to no row above it, as its foreign key is missing or names a
 * row that is not there. */
typedef enum kn_orphans {
    KN_ORPHANS_ERROR = 0, /**< refuse */
    KN_ORPHANS_DROP       /**< leave it out; a note says how many */
} kn_orphans;

/** Open a source of tables: a folder with a file per table (NAME.csv, .tsv, .tbl, .jsonl, each
 * perhaps .gz or .zst), an SQLite file, or a JSON file with a list of rows per table. Files are
 * read when trees are made, and only those that the notation names.
 *  @return KN_EINPUT when there is no such source; KN_EUSAGE for SQLite in a build without it. */
kn_status kn_relations_open(kn_relations **out, const char *path, kn_error *err);
/** Free `r`. NULL is fine. */
void kn_relations_free(kn_relations *r);

/** The file of `table` has no header: its columns are called so. */
kn_status kn_relations_set_columns(kn_relations *r, const char *table, const char *const *names,
                                   size_t count, kn_error *err);
/** State a foreign key: "orders.customer=customers.id". Where none is stated (or, in SQLite,
 * declared) between two tables, a column that both have is taken whose values tell the rows of the
 * upper table apart, and most of whose values below occur there. */
kn_status kn_relations_add_key(kn_relations *r, const char *key, kn_error *err);
/** Replace the values of `class_` by groups: a number (width of ranges), day, month, quarter, year,
 * decade, or the file of a hierarchy, its level behind an @ ("age.csv@2"; the default is 1). */
kn_status kn_relations_set_bin(kn_relations *r, const char *class_, const char *how, kn_error *err);
void kn_relations_set_orphans(kn_relations *r, kn_orphans orphans);

/** Make tree records: one per row of the first table of `notation`. `schema` (may be NULL) gives
 * roles to classes. Memory: the coded tables and the trees. O(rows + nodes).
 *  @return KN_EUSAGE for a wrong notation; KN_EINPUT for a table, column or key that is not there,
 * an orphan row, keys that do not tell rows apart, or a value that no hierarchy covers. */
kn_status kn_relations_trees(kn_dataset **out, kn_relations *r, const char *notation,
                             const kn_schema *schema, const kn_run *run, kn_error *err);
/** After kn_relations_trees: write `trees` to `path` as kn_write does (NULL: not), and CLASS.csv
 * for each class into `folder` (made if absent): what is above the groups of kn_relations_set_bin,
 * else `fanout` (0: 5) values to a group. All files appear or none. */
kn_status kn_relations_write(const kn_relations *r, const kn_dataset *trees, const char *path,
                             const kn_layout *layout, size_t fanout, const char *folder,
                             const kn_run *run, kn_error *err);

/** Write the tree records of `trees` as one CSV file per table of `notation` into `folder` (made if
 * absent): NAME.csv with the column NAME_id, the key of the row above (ABOVE_id), and a column per
 * class. Keys are numbered anew. All files appear or none. docs/tree-records.md says what becomes
 * of relations that a release has removed.
 *  @return KN_EUSAGE for trees that do not fit the notation. */
kn_status kn_trees_write_tables(const kn_dataset *trees, const char *notation, const char *folder,
                                const kn_run *run, kn_error *err);

#ifdef __cplusplus
}
#endif
#endif
