/* data/rows/group.h - rows into records: those with equal keys become one, and item columns of
 * several tables or of one are put together. All of it works on codes: texts are not touched. */
#ifndef KN_DATA_ROWS_GROUP_H
#define KN_DATA_ROWS_GROUP_H

#include "data/dataset.h"
#include "data/schema.h"
#include "kanon/run.h"

/** Rows by group; groups in the order of their first rows, rows in their own order. */
typedef struct kn_row_groups {
    size_t count;
    size_t *starts; /* count + 1: group g has row[starts[g]..starts[g+1]) */
    uint32_t *row;
} kn_row_groups;

/** Group `rows` rows by the `count` columns `keys`, of one value a row each. Expected O(rows *
 * count); 12 bytes a row, and with several keys up to 32 more while it works. */
kn_status kn__row_groups_make(kn_row_groups *out, const kn_column *const *keys, size_t count,
                              size_t rows, kn_error *err);
void kn__row_groups_clear(kn_row_groups *g);

/** Make one record of the rows of `*ds` that are equal in the schema's keys, as
 * kn_schema_set_group_by says; notes what differed. On failure `*ds` is freed and NULL.
 *  @return KN_EINPUT when a row has no key, or a key is no column. */
kn_status kn__dataset_group(kn_dataset **ds, const kn_schema *schema, const kn_run *run,
                            kn_error *err);

/** Add to `ds` the list column `name` of `other`: its records' lists go to the records of `ds`
 * whose value in column `on` is that of theirs in column `key`. `other` loses the column. `*lost`
 * counts the records of `other` that nobody in `ds` is. On failure both are fit to be freed only.
 *  @return KN_EINPUT when `on` does not tell all records of `ds` apart. */
kn_status kn__dataset_join(kn_dataset *ds, const kn_schema *schema, size_t on, kn_dataset *other,
                           const char *key, const char *name, size_t *lost, kn_error *err);

/** Put the columns that the schema names together, as kn_schema_set_together says. */
kn_status kn__dataset_put_together(kn_dataset *ds, const kn_schema *schema, kn_error *err);

/** Forget the values of columns that are identifiers or dropped: what they were kept for, as keys,
 * is done. */
void kn__dataset_forget(kn_dataset *ds);

/** KN_EINPUT: there is no column `name`, but others; `why` says what it was for. */
kn_status kn__no_column(const kn_dataset *ds, const char *why, const char *name, kn_error *err);
/** Drop the values that no code of `c` uses. */
kn_status kn__column_compact(kn_column *c, size_t records, kn_error *err);

#endif
