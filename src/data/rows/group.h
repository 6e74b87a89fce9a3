/* data/rows/group.h - rows into records: group rows with equal keys, join item columns of another
 * table, merge item columns. All of it works on codes; texts are looked up by joins only. */
#ifndef KN_DATA_ROWS_GROUP_H
#define KN_DATA_ROWS_GROUP_H

#include "data/dataset.h"
#include "data/schema.h"
#include "kanon/run.h"

/** A partition of the rows; groups in the order of their first rows, rows ascending in a group. */
typedef struct kn_row_groups {
    size_t count;
    size_t *starts; /* count + 1: group g has row[starts[g]..starts[g+1]) */
    uint32_t *row;
} kn_row_groups;

/** Group `rows` rows by the `count` columns `keys`, each with one value per row. Expected
 * O(rows * count); 12 bytes per row, and with several keys up to 32 more while it works. */
kn_status kn__row_groups_make(kn_row_groups *out, const kn_column *const *keys, size_t count,
                              size_t rows, kn_error *err);
void kn__row_groups_clear(kn_row_groups *g);

/** Make one record of the rows of `*ds` with equal keys, as kn_schema_set_group_by says; adds a
 * note about columns that differ within a group. On failure `*ds` is freed and NULL.
 *  @return KN_EINPUT when a row has no key, or a key is no column. */
kn_status kn__dataset_group(kn_dataset **ds, const kn_schema *schema, const kn_run *run,
                            kn_error *err);

/** Move the list column `name` of `other` to `ds`: the record of `ds` with value v in column `on`
 * gets the list of the record of `other` with value v in column `key`. `*lost` counts the records
 * of `other` without a record in `ds`. On failure both can only be freed.
 *  @return KN_EINPUT when `on` does not tell all records of `ds` apart. */
kn_status kn__dataset_join(kn_dataset *ds, const kn_schema *schema, size_t on, kn_dataset *other,
                           const char *key, const char *name, size_t *lost, kn_error *err);

/** Merge item columns into one, as kn_schema_set_together says. */
kn_status kn__dataset_merge_items(kn_dataset *ds, const kn_schema *schema, kn_error *err);

/** Free the values of identifiers and dropped columns, which were kept as keys until now. */
void kn__dataset_drop_keys(kn_dataset *ds);

/** KN_EINPUT: there is no column `name` (`why` says what for), and which columns there are. */
kn_status kn__no_column(const kn_dataset *ds, const char *why, const char *name, kn_error *err);
/** Drop the values of `c` that do not occur, and renumber the codes. */
kn_status kn__column_compact(kn_column *c, size_t records, kn_error *err);

#endif
