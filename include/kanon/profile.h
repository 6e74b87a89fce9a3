/* kanon/profile.h - what a table is like: columns, types, how unique people are, suggested
 * roles. */
#ifndef KANON_PROFILE_H
#define KANON_PROFILE_H

#include "kanon/dataset.h"
#include "kanon/guarantee.h"
#include "kanon/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A frequent value. */
typedef struct kn_top_value {
    const char *text;
    size_t records;
} kn_top_value;

typedef struct kn_column_profile {
    const char *name; /**< "column1" and so on where the first line of the file may be a record
                           (kn_profile_has_names) */
    kn_type type;
    kn_role role;          /**< as given */
    kn_role suggested;     /**< what we would make it, whatever was given (docs/measures.md) */
    const char *reason;    /**< why, in a few words */
    const char *detector;  /**< what its values were recognised as, such as "e-mail"; or NULL */
    bool by_name;          /**< a word of its name decided */
    bool doubtful;         /**< a person should confirm the suggestion: only counts speak for it */
    bool coded;            /**< whole numbers that are codes, such as types of admission */
    char list_separator;   /**< what separates items where its cells look like lists, else '\0' */
    bool identifies;       /**< its values are ids, not names or addresses */
    size_t values;         /**< distinct, missing excluded; list columns: items */
    size_t missing;        /**< records without a value, or with an empty list */
    size_t unique;         /**< records whose value (whole list) no other record has */
    double min, mean, max; /**< numbers (dates: days since 1970-01-01), lengths of lists; NaN
                            *   otherwise, and for an identifier, given or suggested */
    bool sorted;           /**< the records come sorted by it */
    const char *hint;      /**< such as "'?' looks like a missing value: --missing '?'", or NULL */
    /** The most frequent values (list columns: items), at most 10, the most frequent first. Only
     *  values that at least 5 records hold, and none of an identifier, given or suggested. */
    const kn_top_value *top;
    size_t top_count;
} kn_column_profile;

/** What knowing so many items of a person gives away. */
typedef struct kn_items_known {
    size_t size;         /**< items known */
    bool exact;          /**< counted; otherwise sampled */
    bool naive;          /**< sampled by drawing people: biased towards what many hold */
    double combinations; /**< different combinations of so many items that occur; NaN: unknown */
    double alone;        /**< the share of them that one record alone holds; NaN: none was drawn */
    double low, high;    /**< sampled: `alone` is between them in 99 of 100 cases; else both it */
    double within;       /**< how far `low` or `high` is from `alone` at most */
    uint64_t samples;    /**< sampled: combinations that were drawn, independently of each other */
    uint64_t draws;      /**< what it took to get them: most draws of common ones are rejected */
} kn_items_known;

/** Samples of a size unless told otherwise: +- 1 % in 99 of 100 cases, ln(2 / 0.01) / (2 x 0.01^2).
 */
#define KN_KNOWN_SAMPLES 26492

typedef struct kn_items_known_options {
    size_t size;      /**< KN_INIT sets it */
    size_t most;      /**< sizes 1..most, at most 16 */
    uint64_t samples; /**< of a size that is sampled; 0: KN_KNOWN_SAMPLES */
    bool naive;       /**< draw a random person and then random items of theirs, for comparison:
                         combinations       that many hold are drawn too often. Sets only. */
} kn_items_known_options;

typedef struct kn_profile kn_profile;

/** Profile `ds`, which was read with keep_dropped (columns whose values were not kept are judged
 *  by their names). Borrowed strings live as long as the profile; `ds` may go. O(records x
 *  columns) and sorting of the dictionaries. */
kn_status kn_profile_make(kn_profile **out, const kn_dataset *ds, const kn_run *run, kn_error *err);
void kn_profile_free(kn_profile *p);
size_t kn_profile_columns(const kn_profile *p);
const kn_column_profile *kn_profile_column(const kn_profile *p, size_t column);
/** Whether the names of the columns are surely names: by kn_dataset_has_names, or because one of
 * them is a usual name, such as "age". If not, the profile calls the columns by number. */
bool kn_profile_has_names(const kn_profile *p);
/** The column whose values are ids of people that have several rows each, or SIZE_MAX: a guarantee
 *  about persons needs one record per person (kn_schema_set_group_by, --group-by). */
size_t kn_profile_person(const kn_profile *p);

/** The uniqueness curve of the list column `column`: one point for each number of items
 *  1..options->most, fewer when no record is so long. In bags repeats count. Small numbers exactly,
 *  larger ones by samples without bias, which start at run->seed. KN_EUSAGE if the column holds no
 *  lists. Free with kn_items_uniqueness_free. */
kn_status kn_items_uniqueness(kn_items_known **out, size_t *count, const kn_dataset *ds,
                              size_t column, const kn_items_known_options *options,
                              const kn_run *run, kn_error *err);
void kn_items_uniqueness_free(kn_items_known *points);

/** The profile as JSON text; the caller frees it with kn_string_free. Made to be passed on:
 *  values of identifiers never appear, other values only where at least 5 records hold them;
 *  that goes for `min` and `max` too, which are null otherwise. */
kn_status kn_profile_json(char **out, const kn_profile *p, kn_error *err);

/** Which decision about a column is open: kn_anonymize refuses a table while there are any. */
typedef enum kn_open_kind {
    KN_OPEN_ROLE = 0,   /**< it has no role */
    KN_OPEN_IDENTIFIER, /**< it is kept, and looks like an identifier */
    KN_OPEN_UNIQUE      /**< it is kept, and more than half of the records hold a value (of lists: a
                         *   whole list) that fewer than k share */
} kn_open_kind;

/** A column with an open decision. A kept one is settled by kn_schema_allow_unique, or by another
 *  role; one without a role, by a role. */
typedef struct kn_open_column {
    const char *name;
    bool named;    /**< the name is surely one (kn_dataset_has_names): if not, do not print it */
    size_t column; /**< its number */
    kn_open_kind kind;
    kn_role suggested;  /**< what we would make it */
    const char *reason; /**< why, in a few words; never a value */
    size_t k;           /**< the k that was used */
} kn_open_column;

typedef struct kn_open_columns kn_open_columns;

/** The columns of `ds` with an open decision, in the order of the table, for a release that must
 *  satisfy `guarantees`. k is the largest that they ask for; 5 when none has a k, as with
 *  l-diversity or t-closeness alone. `ds` must outlive `*out`. O(records) for each column that is
 *  kept or has no role. */
kn_status kn_open_columns_find(kn_open_columns **out, const kn_dataset *ds,
                               const kn_guarantee *guarantees, size_t guarantees_count,
                               const kn_run *run, kn_error *err);
void kn_open_columns_free(kn_open_columns *open);
size_t kn_open_columns_count(const kn_open_columns *open);
const kn_open_column *kn_open_columns_at(const kn_open_columns *open, size_t i);

/** Refuse `ds` while decisions are open, as kn_anonymize does: they are named by `err` and given to
 * run->open.
 *  @return KN_EUSAGE while there is one. */
kn_status kn_open_columns_refuse(const kn_dataset *ds, const kn_guarantee *guarantees,
                                 size_t guarantees_count, const kn_run *run, kn_error *err);
/** Give every column of `ds` that has no role the one that kn_open_columns_find suggests. It is a
 *  guess, and a person should look at it: reports list what was accepted.
 *  @return KN_EUSAGE where the names of the columns may be the values of a record: the first line
 * of a file of which neither its values nor two columns that were given a role show that it is a
 *  header (kn_profile_has_names). */
kn_status kn_accept_suggested(kn_dataset *ds, const kn_guarantee *guarantees,
                              size_t guarantees_count, const kn_run *run, kn_error *err);

#ifdef __cplusplus
}
#endif
#endif
