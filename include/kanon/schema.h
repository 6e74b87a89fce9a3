/* kanon/schema.h - what the columns are: type, role, hierarchy, missing values.
 *
 * As a file it is JSON:
 *
 *     { "missing": ["", "?"],
 *       "missing_rule": "own",
 *       "date_format": "DD/MM/YYYY",
 *       "item_separator": "|",
 *       "bags": { "income": ["wages", "interest", "pension"] },
 *       "nulls": ["0"],
 *       "group_by": ["patient"],
 *       "collect": { "drugs": ["drug"], "codes": ["first_code", "second_code"] },
 *       "join": { "allergies": { "file": "allergies.csv", "on": "patient", "key": "person",
 *                                "columns": ["code"] } },
 *       "together": { "items": ["drugs", "codes"] },
 *       "rest": "dropped",
 *       "classes": ["hospital", "diagnosis", "treatment"],
 *       "tree": "patient > visit(hospital) > finding(diagnosis, treatment)",
 *       "columns": {
 *         "name": { "role": "identifier" },
 *         "age":  { "role": "quasi-identifier", "type": "integer", "hierarchy": "age.csv",
 * "weight": 1 }, "ward": { "role": "quasi-identifier", "missing": ["unknown"], "missing_rule":
 * "any" }, "codes": { "type": "set", "role": "quasi-identifier", "sensitive_prefixes": ["29"] },
 * "diagnosis": { "role": "sensitive" },
 *         "height": { "role": "kept", "allow_unique": true } } }
 *
 * "comment", of the table and of each column, is for people: a text, or a list of texts.
 *
 * A column has a role when the schema gives it one, or when "rest" (kept or dropped) gives one to
 * all others; kn_anonymize refuses a table in which a column has none. Paths are relative to the
 * schema's folder. Unknown keys are refused by name. */
#ifndef KANON_SCHEMA_H
#define KANON_SCHEMA_H

#include "kanon/error.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kn_type {
    KN_TYPE_AUTO = 0, /**< detect: integer, decimal or date if every value is one, else category */
    KN_TYPE_CATEGORY,
    KN_TYPE_INTEGER,
    KN_TYPE_DECIMAL, /**< keeps the decimals that were written */
    KN_TYPE_DATE,    /**< YYYY-MM-DD, 31.12.1980, 12/31/1980: kn_schema_set_date_format */
    KN_TYPE_SET,     /**< list of items, each at most once a record */
    KN_TYPE_BAG,     /**< list of items, repeats count */
    KN_TYPE_NUMBERS  /**< bag of numbers */
} kn_type;

typedef enum kn_role {
    KN_ROLE_UNSET = 0,  /**< no role was chosen: nothing is published while a column has none */
    KN_ROLE_KEPT,       /**< published as it is */
    KN_ROLE_IDENTIFIER, /**< never published, never shown */
    KN_ROLE_QUASI,      /**< an attacker may know it: generalised */
    KN_ROLE_SENSITIVE,  /**< what the attacker must not learn: published as it is */
    KN_ROLE_DROPPED     /**< not published */
} kn_role;

/** What a missing quasi-identifier means for the guarantee; docs/missing-values.md spells it out.
 */
typedef enum kn_missing_rule {
    KN_MISSING_OWN = 0, /**< a value of its own, equal only to itself */
    KN_MISSING_ANY      /**< a published record with a missing cell may be anyone's */
} kn_missing_rule;

/** How sensitive items of a list column are named. */
typedef enum kn_named_by {
    KN_BY_ITEM = 0, /**< one by one */
    KN_BY_PREFIX,   /**< all whose texts begin so, such as the codes of a chapter */
    KN_BY_NODE      /**< all below a node of the column's hierarchy */
} kn_named_by;

typedef struct kn_schema kn_schema;

kn_status kn_schema_new(kn_schema **out, kn_error *err);
/** Read a schema file. */
kn_status kn_schema_read(kn_schema **out, const char *path, kn_error *err);
/** A schema from the `len` bytes of such a file; `name` is what messages call it, `folder` (may be
 * NULL) what relative paths are resolved against.
 *  @return KN_EINPUT naming the line or the key that is wrong. */
kn_status kn_schema_parse(kn_schema **out, const char *json, size_t len, const char *name,
                          const char *folder, kn_error *err);
/** The schema as JSON text, from which kn_schema_parse without a folder makes the same schema:
 * paths are written as they were resolved. Columns stand in the order in which they were named;
 * what has its default is left out; comments are not kept. Free with kn_string_free.
 *  @return KN_EUSAGE for a schema with a name that is no UTF-8, or an empty path. */
kn_status kn_schema_json(char **out, const kn_schema *s, kn_error *err);
/** Free `schema`. NULL is fine. */
void kn_schema_free(kn_schema *schema);

kn_status kn_schema_set_type(kn_schema *s, const char *column, kn_type type, kn_error *err);
/** KN_ROLE_UNSET takes the role of `column` back. */
kn_status kn_schema_set_role(kn_schema *s, const char *column, kn_role role, kn_error *err);
/** The role of all columns that are given none: KN_ROLE_DROPPED (the safe one) or KN_ROLE_KEPT;
 * KN_ROLE_UNSET: they have none. Columns that rows are grouped or joined by stay identifiers.
 * @return KN_EUSAGE for another role. */
kn_status kn_schema_set_rest(kn_schema *s, kn_role role, kn_error *err);
/** Allow that `column` is kept although its values can single people out: see kn_open_column in
 * kanon/profile.h. */
kn_status kn_schema_allow_unique(kn_schema *s, const char *column, kn_error *err);
kn_status kn_schema_set_weight(kn_schema *s, const char *column, double weight, kn_error *err);
/** The hierarchy file of `column`, instead of those given before. */
kn_status kn_schema_set_hierarchy(kn_schema *s, const char *column, const char *path,
                                  kn_error *err);
/** One more, of another family of items: a column of items may have several. */
kn_status kn_schema_add_hierarchy(kn_schema *s, const char *column, const char *path,
                                  kn_error *err);
/** What stands before the decimals in the numbers of a table: `,` or `.`; 0, the default: as they
 * look. Numbers with a decimal comma (1234,50 or 1.234,50) become numbers with a decimal point, in
 * columns in which all values are numbers; where none can be told from one with thousands (1,234),
 * they stay text. @return KN_EUSAGE for any other mark. */
kn_status kn_schema_set_decimal(kn_schema *s, char mark, kn_error *err);
/** How the dates of `column` (NULL: of all columns that have no format of their own) are written:
 * DD, MM and YYYY in their order, such as DD.MM.YYYY or MM/DD/YYYY. It is needed where the values
 * do not show it (01/02/1980), and used where it fits all values of a column. Dates are published
 * as they are written. @return KN_EUSAGE for any other format. */
kn_status kn_schema_set_date_format(kn_schema *s, const char *column, const char *format,
                                    kn_error *err);
/** The texts that mean "missing"; `column` NULL: in every column that has no list of its own. The
 * default is the empty text. */
kn_status kn_schema_set_missing(kn_schema *s, const char *column, const char *const *texts,
                                size_t count, kn_error *err);
kn_status kn_schema_set_missing_rule(kn_schema *s, const char *column, kn_missing_rule rule,
                                     kn_error *err);
/** The items of list column `column` that an attacker must not learn, while he may know the others:
 * `count` texts, instead of those that were named in this way before. docs/guarantees.md says what
 * guarantees make of them. */
kn_status kn_schema_set_sensitive_items(kn_schema *s, const char *column, kn_named_by by,
                                        const char *const *texts, size_t count, kn_error *err);
/** How much `item` of list column `column`, or what is below a node of its hierarchy, counts in the
 * measure `ul`: 0 to 1, where the default is 1. docs/measures.md says what sets of items count.
 * @return KN_EUSAGE for other weights. */
kn_status kn_schema_set_item_weight(kn_schema *s, const char *column, const char *item,
                                    double weight, kn_error *err);
/** What separates the items inside a list cell; the default is "|". */
kn_status kn_schema_set_item_separator(kn_schema *s, const char *separator, kn_error *err);

/** Read `count` columns as one: for each record, the column `name` holds the bag of their values,
 * without missing values and nulls. It is of type numbers if all values are, or else a bag, unless
 * its type is set. It stands where the first of them stands; they are gone. A file that has `name`
 * and none of them, such as a release, is read as it is. */
kn_status kn_schema_set_bag(kn_schema *s, const char *name, const char *const *columns,
                            size_t count, kn_error *err);
/** The texts that such columns, and those of the next two functions, hold instead of nothing, such
 * as "0". */
kn_status kn_schema_set_nulls(kn_schema *s, const char *const *texts, size_t count, kn_error *err);

/** Rows that are equal in all of `columns` are one record, in the order of their first rows. Its
 * values are the first that the rows hold; missing ones do not count, and where rows differ
 * kn_dataset_note says so. The keys are identifiers unless their roles are given. */
kn_status kn_schema_set_group_by(kn_schema *s, const char *const *columns, size_t count,
                                 kn_error *err);
/** Over all rows of a record, the column `name` holds the set of the values of `columns` (a bag, if
 * its type is set to that), without missing values and nulls. Cells may be lists. Otherwise as
 * kn_schema_set_bag; `name` may be the only column. Needs keys to group by. */
kn_status kn_schema_set_collect(kn_schema *s, const char *name, const char *const *columns,
                                size_t count, kn_error *err);
/** An item column `name` out of the file at `path`: for each record the set (or bag) of the values
 * of `columns` in those of its rows whose `key` is what the record has in `on`, which must tell all
 * records apart. */
kn_status kn_schema_set_join(kn_schema *s, const char *name, const char *path, const char *on,
                             const char *key, const char *const *columns, size_t count,
                             kn_error *err);
/** Make one item column `name` of `count` columns: items are called COLUMN:ITEM. It stands where
 * the first of them stands; they are gone. */
kn_status kn_schema_set_together(kn_schema *s, const char *name, const char *const *columns,
                                 size_t count, kn_error *err);

/** Tree records: the classes of their nodes, those of ancestors before those of descendants. What
 * is said of columns (roles, hierarchies) is said of the classes then.
 *  @return KN_EUSAGE for an empty name or one that occurs twice. */
kn_status kn_schema_set_classes(kn_schema *s, const char *const *classes, size_t count,
                                kn_error *err);
/** How objects of JSON, elements of XML or rows of related tables become trees, in the notation of
 * docs/tree-records.md. NULL takes it back. It is parsed when a file is read. */
kn_status kn_schema_set_tree(kn_schema *s, const char *notation, kn_error *err);

/** How many columns the schema names, and their names, in the order in which they were named. */
size_t kn_schema_columns(const kn_schema *s);
const char *kn_schema_column_name(const kn_schema *s, size_t i);
/** The role that the schema gives to `column`, if only as one of the rest; or KN_ROLE_UNSET. */
kn_role kn_schema_role(const kn_schema *s, const char *column);
/** The hierarchy file of `column`, the first if there are several, or NULL. */
const char *kn_schema_hierarchy(const kn_schema *s, const char *column);
/** Its `i`-th, counted from 0, or NULL. */
const char *kn_schema_hierarchy_at(const kn_schema *s, const char *column, size_t i);

/** Words: "integer", "quasi-identifier" and so on; NULL, false when there is none. KN_ROLE_UNSET is
 * "unset", which is no name of a role. */
const char *kn_type_name(kn_type type);
const char *kn_role_name(kn_role role);
bool kn_type_from_name(kn_type *out, const char *name);
bool kn_role_from_name(kn_role *out, const char *name);

#ifdef __cplusplus
}
#endif
#endif
