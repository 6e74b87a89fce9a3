/* kanon/dataset.h - a table in memory: dictionary-coded columns with types and roles.
 *
 * Every cell is a code into its column's dictionary; codes follow the order of the values (numbers
 * by size, dates by time, everything else by bytes), and a missing value, if any, has the last
 * code. Datasets come from kn_read (kanon/io.h) or are built record by record:
 *
 *     kn_dataset_builder *b;
 *     kn_dataset_builder_new(&b, names, 3, NULL, &err);
 *     kn_dataset_builder_add(b, (const char *[]){"34", "Athens", "flu"}, &err);
 *     kn_dataset_builder_finish(&dataset, b, &err);   // frees the builder
 */
#ifndef KANON_DATASET_H
#define KANON_DATASET_H

#include "kanon/error.h"
#include "kanon/memory.h"
#include "kanon/schema.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KN_NO_CODE UINT32_MAX /**< no such value */

typedef struct kn_dataset kn_dataset;
typedef struct kn_dataset_builder kn_dataset_builder;

/** Free `ds`. NULL is fine. Memory that Arrow arrays use (kanon/arrow.h) goes with the last of
 * them.
 */
void kn_dataset_free(kn_dataset *ds);

/* What is not there (no dataset, no such column, record or value) is answered by NULL, 0,
 * KN_NO_CODE, KN_TYPE_AUTO, and as a role by KN_ROLE_DROPPED. */

size_t kn_dataset_records(const kn_dataset *ds);
size_t kn_dataset_columns(const kn_dataset *ds);

/** The column called `name`, or SIZE_MAX. */
size_t kn_dataset_find(const kn_dataset *ds, const char *name);

/** Whether it holds tree records. Its columns are then the classes of their nodes, each with the
 * set of values that a record has of it; the relations between the values are in the trees only. */
bool kn_dataset_has_trees(const kn_dataset *ds);

/** Whether the names of the columns are surely names. If not, they may be the first record of a
 * file without a header: do not print them. */
bool kn_dataset_has_names(const kn_dataset *ds);
/** What columns there are, for a message about the column `absent`, which is not there: the nearest
 * name and the list of names, or only their number if they may be values. Free with
 * kn_string_free. */
kn_status kn_dataset_describe_columns(char **out, const kn_dataset *ds, const char *absent,
                                      kn_error *err);

const char *kn_dataset_name(const kn_dataset *ds, size_t column);
kn_type kn_dataset_type(const kn_dataset *ds, size_t column);
kn_role kn_dataset_role(const kn_dataset *ds, size_t column);
/** Change the role of a column; KN_ROLE_UNSET takes it back.
 *  @return KN_EUSAGE, and nothing changes, when there is no such column or role. */
kn_status kn_dataset_set_role(kn_dataset *ds, size_t column, kn_role role, kn_error *err);
/** Allow that `column` is kept, as kn_schema_allow_unique does. @return KN_EUSAGE when there is no
 *  such column. */
kn_status kn_dataset_allow_unique(kn_dataset *ds, size_t column, kn_error *err);

/** Say which column's classes matter to id3, tds and the classification metric, instead of the
 * first sensitive one that holds no lists.
 *  @return KN_EUSAGE unless it is sensitive or kept, and holds one value a record. */
kn_status kn_dataset_set_class(kn_dataset *ds, size_t column, kn_error *err);
/** That column; SIZE_MAX: there is none. */
size_t kn_dataset_class(const kn_dataset *ds);

/** Weigh an item of a list column, as kn_schema_set_item_weight does. */
kn_status kn_dataset_set_item_weight(kn_dataset *ds, size_t column, const char *item, double weight,
                                     kn_error *err);
/** Name sensitive items, as kn_schema_set_sensitive_items does. */
kn_status kn_dataset_set_sensitive_items(kn_dataset *ds, size_t column, kn_named_by by,
                                         const char *const *texts, size_t count, kn_error *err);

/** Say that record i stands for counts[i] people, at least 1 each, which all agree in every column:
 * the classes of a table instead of its rows, as a database counts them. kn_anonymize (flash, and
 * apriori and sampling of item lists), kn_release_verify, kn_release_recoding, kn_check, kn_measure
 * and kn_class_sizes_count then give the figures of the rows; sizes, limits and suppressed records
 * are numbers of people. Everything that would count a record as one person refuses the dataset.
 *  @return KN_EUSAGE unless there is one count for each record, and for tree records; KN_EINPUT for
 *  a count of 0, and for 2^32 people or more. */
kn_status kn_dataset_set_counts(kn_dataset *ds, const uint64_t *counts, size_t count,
                                kn_error *err);
/** The people that the records stand for: without counts, the number of records. */
uint64_t kn_dataset_people(const kn_dataset *ds);

/** How many distinct values the column has, a missing value included. */
size_t kn_dataset_values(const kn_dataset *ds, size_t column);

/** The text of value `code`; borrowed, not NUL-terminated, `*len` bytes long. */
const char *kn_dataset_value(const kn_dataset *ds, size_t column, uint32_t code, size_t *len);

/** The code of the missing value in `column`, or KN_NO_CODE. */
uint32_t kn_dataset_missing(const kn_dataset *ds, size_t column);

/** The code in one cell of a column that holds one value per record; KN_NO_CODE for other columns
 * and for those whose values were not kept. */
uint32_t kn_dataset_code(const kn_dataset *ds, size_t column, size_t record);

/** The codes in one cell of a list column (items or numbers): writes up to `cap` to `codes` (may be
 * NULL), returns how many there are. */
size_t kn_dataset_list(const kn_dataset *ds, size_t column, size_t record, uint32_t *codes,
                       size_t cap);

/** What was noticed when rows were grouped or joined, such as rows of one record that differ: how
 * many notes, and note `i`, borrowed. They name columns and counts, never values. */
size_t kn_dataset_notes(const kn_dataset *ds);
const char *kn_dataset_note(const kn_dataset *ds, size_t i);

/** Start a dataset of `columns` columns. `schema` (may be NULL) gives types, roles and missing
 * values; columns that it does not name have no role (or that of the rest, kn_schema_set_rest) and
 * their type is detected. Cells of list columns are split at the schema's item separator.
 * @return KN_EINPUT when the schema names a column that is not among `names`. */
kn_status kn_dataset_builder_new(kn_dataset_builder **out, const char *const *names, size_t columns,
                                 const kn_schema *schema, kn_error *err);
/** Add one record; a NULL value is missing.
 *  @return KN_EINPUT for a value that is not UTF-8: nothing was added, and others can follow. After
 *  any other failure (out of memory) the builder takes no more, and kn_dataset_builder_finish
 *  fails. */
kn_status kn_dataset_builder_add(kn_dataset_builder *b, const char *const *values, kn_error *err);
/** Detect types, order the dictionaries, make `*out`. Frees the builder, also on failure. */
kn_status kn_dataset_builder_finish(kn_dataset **out, kn_dataset_builder *b, kn_error *err);
void kn_dataset_builder_free(kn_dataset_builder *b);

#ifdef __cplusplus
}
#endif
#endif
