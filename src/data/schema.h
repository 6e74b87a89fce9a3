/* data/schema.h - the inside of a schema. */
#ifndef KN_DATA_SCHEMA_H
#define KN_DATA_SCHEMA_H

#include "data/dict.h"
#include "data/local_date.h"
#include "kanon/schema.h"
#include <stdbool.h>

enum { KN_NAMINGS = 3 }; /* the number of values of kn_named_by */

/* Texts that name sensitive items. */
typedef struct kn_named_items {
    char **texts[KN_NAMINGS]; /* by kn_named_by */
    size_t count[KN_NAMINGS];
    bool settled; /* resolved in the original: these are all sensitive items, even if there are none
                   */
} kn_named_items;

/* Weights of items, and of nodes above them, by their texts. */
typedef struct kn_item_weights {
    char **texts;
    double *weights;
    size_t count;
} kn_item_weights;

typedef struct kn_column_spec {
    char *name;
    kn_type type;
    kn_role role;
    bool role_given, missing_rule_given;
    bool as_text; /* of a release: single values are texts, whatever the type; lists are lists */
    bool allow_unique; /* it may be published unchanged although its values can identify people */
    uint8_t dates;     /* a kn_date_order; KN_DATES_UNKNOWN: the schema's */
    double weight;
    char **hierarchy; /* paths, one per family of items; NULL: none */
    size_t hierarchies;
    char **missing; /* own list of missing texts, NULL: the schema's */
    size_t missing_count;
    kn_missing_rule missing_rule;
    kn_named_items sensitive;
    kn_item_weights item_weights;
} kn_column_spec;

/* Several columns that are merged into one. */
typedef struct kn_bag_spec {
    char *name;
    char **columns;
    size_t count;
    bool collect; /* a set, over all rows of a key; otherwise a bag, of one row */
} kn_bag_spec;

/* An item column from the rows of another file. */
typedef struct kn_join_spec {
    char *name;
    char *path;
    char *on;  /* the key column of this table */
    char *key; /* the key column of the other file */
    char **columns;
    size_t count;
} kn_join_spec;

struct kn_schema {
    kn_column_spec *specs; /* never moved within the array or removed */
    size_t count, cap;
    kn_dict *names; /* of the specs, code = position; NULL while there are none */
    char **missing;
    size_t missing_count;
    char decimal; /* `,` or `.`; 0: as the values look */
    bool missing_given;
    uint8_t dates; /* a kn_date_order, of local dates; KN_DATES_UNKNOWN: as the values show */
    kn_missing_rule missing_rule;
    char *item_separator;
    kn_bag_spec *bags;
    size_t bags_count, bags_cap;
    char **nulls;
    size_t nulls_count;
    char **keys; /* rows with equal values in these columns are one record */
    size_t keys_count;
    kn_join_spec *joins;
    size_t joins_count, joins_cap;
    kn_bag_spec *together; /* item columns to merge; items become COLUMN:ITEM */
    size_t together_count, together_cap;
    char **classes; /* of tree records, in their order; NULL: not said */
    size_t classes_count;
    char *tree;       /* how rows, objects or elements become trees: data/tree_shape.h; or NULL */
    bool drop_others; /* columns that the schema does not name are not read */
    bool sample_kept; /* kept columns are sampled (data/value_sample.h), and nothing else is read */
    kn_dataset *sampled;    /* borrowed; columns that have a sample there are not read again: it is
                               moved    to the table. Or NULL */
    kn_role rest;           /* of columns without a given role: KN_ROLE_UNSET, _KEPT or _DROPPED */
    bool rest_spares_lists; /* `rest` does not apply to lists: the job decides once all is read */
};

/** Where the role of a column comes from. */
typedef enum kn_chosen {
    KN_CHOSEN_NOT = 0,  /* the role is KN_ROLE_UNSET */
    KN_CHOSEN_GIVEN,    /* named, by an option, a schema or a call */
    KN_CHOSEN_IMPLIED,  /* by its use: a key is an identifier, the items are what is protected */
    KN_CHOSEN_REST,     /* with all columns that were not named */
    KN_CHOSEN_SUGGESTED /* the suggestion was accepted */
} kn_chosen;

/** Whether sensitive items are named, or were resolved in the original. */
static inline bool kn__named_items_any(const kn_named_items *n)
{
    return n->settled || n->count[KN_BY_ITEM] + n->count[KN_BY_PREFIX] + n->count[KN_BY_NODE] > 0;
}
/** Replace the texts that name items in way `by`. */
kn_status kn__named_items_set(kn_named_items *n, kn_named_by by, const char *const *texts,
                              size_t count, kn_error *err);
/** Copy `from` to the zeroed `to`. */
kn_status kn__named_items_copy(kn_named_items *to, const kn_named_items *from, kn_error *err);
void kn__named_items_clear(kn_named_items *n);

/** Set the weight of `item`. KN_EUSAGE unless it is from 0 to 1. */
kn_status kn__item_weights_set(kn_item_weights *w, const char *item, double weight, kn_error *err);
/** Copy `from` to the zeroed `to`. */
kn_status kn__item_weights_copy(kn_item_weights *to, const kn_item_weights *from, kn_error *err);
void kn__item_weights_clear(kn_item_weights *w);

/** What the schema (may be NULL) says about `column`, or NULL. */
const kn_column_spec *kn__schema_find(const kn_schema *s, const char *column);
/** Whether `text` means "missing" in `column` under `s` (may be NULL: the empty text does). */
bool kn__schema_is_missing(const kn_schema *s, const kn_column_spec *spec, const char *text,
                           size_t len);
/** Whether a text other than the empty one means "missing" there. */
bool kn__schema_spells_missing(const kn_schema *s, const kn_column_spec *spec);
/** A text that means "missing" in the column, to write for a missing value. */
const char *kn__schema_missing_text(const kn_schema *s, const kn_column_spec *spec);
/** Whether `text` means "no value" in the columns of a bag. */
bool kn__schema_is_null(const kn_schema *s, const char *text, size_t len);
/** The role of a column under the schema (may be NULL), and in `*chosen` where it comes from.
 * `list`: the column holds lists. */
kn_role kn__schema_role_of(const kn_schema *s, const char *column, bool list, kn_chosen *chosen);
/** Whether a table has a column of this name. */
typedef bool (*kn_has_column_fn)(const void *table, const char *name);
/** The first column that the schema names and that is neither in the table nor made by the schema;
 * NULL: there is none. `released`: identifiers and dropped columns may be absent. */
const char *kn__schema_absent_column(const kn_schema *s, kn_has_column_fn has, const void *table,
                                     bool released);
/** Whether `column` has a role that is not published. */
bool kn__schema_leaves_out(const kn_schema *s, const char *column);
/** Whether `column` is a key to group or join by: an identifier unless its role was given, whose
 * values are needed until then. */
bool kn__schema_is_key(const kn_schema *s, const char *column);
/** Change the schema to that of a table that was grouped, joined and merged already, such as a
 * release: the columns that it makes are declared as lists, and the instructions are removed. */
kn_status kn__schema_set_reshaped(kn_schema *s, kn_error *err);
/** Whether `column` is merged into an item column. */
bool kn__schema_is_part(const kn_schema *s, const char *column);
/** Whether the schema makes a list of this name (so it is also one in a file that has it already).
 * `*set`: it is a set unless a type is given; otherwise its values decide. */
bool kn__schema_makes_list(const kn_schema *s, const char *column, bool *set);
kn_status kn__schema_copy(kn_schema **out, const kn_schema *s, kn_error *err);
/** Read a schema from text; `name` stands in messages, relative paths are taken from `folder`
 * (NULL: left as they are). */
kn_status kn__schema_parse(kn_schema **out, const char *name, const char *bytes, size_t len,
                           const char *folder, kn_error *err);
const char *kn__schema_item_separator(const kn_schema *s);

/* schema_rows.c, for schema.c: */
void kn__schema_rows_free(kn_schema *s);
/** The same of what a schema says about tree records. */
void kn__schema_trees_free(kn_schema *s);
kn_status kn__schema_trees_copy(kn_schema *to, const kn_schema *s, kn_error *err);
kn_status kn__schema_rows_copy(kn_schema *to, const kn_schema *s, kn_error *err);
/* schema.c: lists of texts; set replaces a list by a copy */
void kn__texts_free(char **texts, size_t count);
kn_status kn__texts_copy(char ***out, const char *const *texts, size_t count, kn_error *err);
kn_status kn__texts_set(char ***list, size_t *list_count, const char *const *texts, size_t count,
                        kn_error *err);

#endif
