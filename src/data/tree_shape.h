/* data/tree_shape.h - how rows of related tables, objects of JSON or elements of XML become trees,
 * as the notation of --tree says it:
 *
 *     customer(nation) > orders[2](price, date) > lineitem[3](quantity, part.mfgr as maker)
 *
 * A table (object, element) gives a node for its first attribute; its other attributes are children
 * of that node, and so is what the rows of the tables behind `>` give. `[2]`: at most two rows. `a
 * (b, c)` puts b and c below attribute a. Several tables below one: `customer > {orders(price),
 * visits(date)}`. `table.column` follows a foreign key (or a nested object); `.` is the value
 * itself; `as` names the class, which is otherwise called like the column. Names with other
 * characters than letters, digits, `_`, `-`, `@` and `.` stand in double quotes. */
#ifndef KN_DATA_TREE_SHAPE_H
#define KN_DATA_TREE_SHAPE_H

#include "data/trees.h"

#define KN_NO_LIMIT SIZE_MAX
#define KN_NO_PART  SIZE_MAX /**< no attribute, no table */

/** A column of a row, and what is below its node. */
typedef struct kn_shape_attribute {
    char **steps; /**< the last is the column; those before are tables or nested objects */
    size_t steps_count;
    uint16_t class_;    /**< number in kn_tree_shape.classes */
    size_t first, next; /**< the first attribute below it, the next beside it; or KN_NO_PART */
} kn_shape_attribute;

typedef struct kn_shape_table {
    char *name;
    size_t limit;       /**< rows at most per row above, or KN_NO_LIMIT */
    size_t attribute;   /**< the first one, or KN_NO_PART */
    size_t first, next; /**< the first table below it, the next beside it; or KN_NO_PART */
} kn_shape_table;

/** Table 0 is the person's. Parts refer to each other by number. */
typedef struct kn_tree_shape {
    kn_shape_table *table;
    size_t tables, tables_cap;
    kn_shape_attribute *attribute;
    size_t attributes, attributes_cap;
    kn_tree_classes classes; /**< in the order of the notation, which is that of the paths */
    size_t classes_cap;
} kn_tree_shape;

/** Parse the notation. KN_EUSAGE says at which character it is wrong, and what would do. */
kn_status kn__tree_shape_parse(kn_tree_shape **out, const char *notation, kn_error *err);
void kn__tree_shape_free(kn_tree_shape *shape);

#endif
