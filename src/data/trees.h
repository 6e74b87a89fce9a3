/* data/trees.h - a forest: the tree records of all persons, in compact arrays.
 *
 * The person is the unseen root of each record; all other nodes carry a value of a class. Trees are
 * unordered; siblings are distinct; the classes have an order, and every step down a path leads to
 * a larger class, so that a path holds each class at most once (the tree paper, section 2.1).
 *
 * A forest is made by a builder and then shared freely: const functions never change anything.
 * How it is a column of a dataset: data/dataset.h. */
#ifndef KN_DATA_TREES_H
#define KN_DATA_TREES_H

#include "kanon/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KN_NO_PARENT UINT32_MAX /**< the node is a child of the record's root */
#define KN_NO_VALUE  UINT32_MAX /**< no such value */

/** In their order: the class of an ancestor comes before the class of its descendants. */
typedef struct kn_tree_classes {
    size_t len;
    char **name;
} kn_tree_classes;

typedef struct kn_forest {
    size_t records;
    uint64_t *starts;      /**< by record, and one more: where its nodes begin */
    uint32_t *value;       /**< by node: code of its value */
    uint32_t *parent;      /**< by node: its parent, counted from the start of the record, or
                                KN_NO_PARENT. Nodes of a record stand in preorder */
    size_t values;         /**< codes are 0..values-1, ordered by class, then by text (bytes) */
    char **text;           /**< by code */
    uint16_t *value_class; /**< by code */
    kn_tree_classes classes;
} kn_forest;

/** How many nodes record `r` has. */
static inline uint32_t kn__forest_size(const kn_forest *f, size_t r)
{
    return (uint32_t)(f->starts[r + 1] - f->starts[r]);
}
/** Free `f`. NULL is fine. */
void kn__forest_free(kn_forest *f);
/** A copy of `f` in `*out`. */
kn_status kn__forest_copy(kn_forest **out, const kn_forest *f, kn_error *err);

/** The code of `text` in `class_`, or KN_NO_VALUE. O(log values). */
uint32_t kn__forest_find(const kn_forest *f, uint16_t class_, const char *text, size_t len);
/** The number of the class called `name`, or SIZE_MAX. */
size_t kn__tree_class_find(const kn_tree_classes *classes, const char *name, size_t len);
/** The first code of `class_` in `*begin`, one after its last in `*end`. O(log values). */
void kn__forest_class_values(const kn_forest *f, uint16_t class_, uint32_t *begin, uint32_t *end);

typedef struct kn_forest_builder kn_forest_builder;

/** Start a forest. `classes` (may be NULL: none yet) are copied. */
kn_status kn__forest_builder_new(kn_forest_builder **out, const kn_tree_classes *classes,
                                 kn_error *err);
void kn__forest_builder_free(kn_forest_builder *b);
/** The number of the class called `name`, in `*out`; where it is new, it comes after all others. */
kn_status kn__forest_builder_class(kn_forest_builder *b, const char *name, size_t len,
                                   uint16_t *out, kn_error *err);
/** Begin the next record. */
kn_status kn__forest_builder_record(kn_forest_builder *b, kn_error *err);
/** Add a value to a class that exists; no node has it yet. Expected O(len). */
kn_status kn__forest_builder_value(kn_forest_builder *b, uint16_t class_, const char *text,
                                   size_t len, kn_error *err);
/** Add a node to the record that was begun last, under `parent`: KN_NO_PARENT, or what an earlier
 * call of this record gave in `*node` (may be NULL). Expected O(len). */
kn_status kn__forest_builder_node(kn_forest_builder *b, uint16_t class_, const char *text,
                                  size_t len, uint32_t parent, uint32_t *node, kn_error *err);
/** The classes so far; borrowed until the next class. */
const kn_tree_classes *kn__forest_builder_classes(const kn_forest_builder *b);
/** Records that were begun so far. */
size_t kn__forest_builder_records(const kn_forest_builder *b);
/** Order the codes, put the nodes of each record in preorder, make `*out`. Values without a node
 * are kept. Frees the builder, also on failure. O(nodes + values log values). */
kn_status kn__forest_builder_finish(kn_forest_builder *b, kn_forest **out, kn_error *err);

/** Put siblings in the order of their codes and merge equal siblings with their subtrees: two
 * forests are equal then when their arrays are. How many nodes went, in `*merged` (may be NULL).
 * O(nodes log nodes of a record). On failure `f` is unchanged. */
kn_status kn__forest_normalise(kn_forest *f, uint64_t *merged, kn_error *err);

/** Put the classes into an order in which every parent comes before its children, of several the
 * one nearest to the order in which they are now. Where there is none, as the relations of classes
 * go in a circle, nothing changes, and kn__forest_check says where. O(nodes + classes^2). */
kn_status kn__forest_order_classes(kn_forest *f, kn_error *err);
/** Leave out the nodes of the classes with `out[class]`; the children of such a node move up to its
 * place. Brings `f` into normal form. The classes stay, without values. */
kn_status kn__forest_leave_out(kn_forest *f, const bool *out, kn_error *err);
/** Forget values that no node has: a release must not list what it suppressed. O(nodes + values).
 */
kn_status kn__forest_compact(kn_forest *f, kn_error *err);

/** Whether every path meets the classes in their order, each once, and siblings are distinct. Else
 * KN_EINPUT, and the message names the record, counted from 1, and the values. O(nodes log nodes of
 * a record). */
kn_status kn__forest_check(const kn_forest *f, kn_error *err);
/** Whether the arrays are as the comments above promise; if not, `*reason` says what does not. For
 * tests and fuzzers; kn__forest_check is about the data. */
bool kn__forest_validate(const kn_forest *f, const char **reason);

#endif
