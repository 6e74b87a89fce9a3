/* methods/trees/cuts.h - the cuts of the hierarchies of all classes, and ValueCheck.
 *
 * A cut is kept as the set of labels that were specialised, that is, replaced by their children.
 * Above the root of each class stands one more label: the class left out, which is the paper's `*`.
 *
 * The support of a combination of values does not depend on the structure, so the record set of
 * every label is made once, and for a new cut only combinations with one of the new children are
 * looked at. */
#ifndef KN_METHODS_TREES_CUTS_H
#define KN_METHODS_TREES_CUTS_H

#include "methods/trees/trees.h"

typedef struct kn_cut_space {
    const kn_tree_task *task;
    const kn_tree_domain *d;
    uint32_t labels;      /* those of the domain; d->labels + c stands for class c left out */
    kn_record_set *value; /* by label: the records with a value at or below it */
    size_t words;
} kn_cut_space;

/** Make the record sets. Clear it in any case. O(nodes of the forest + labels x records / 64). */
kn_status kn__cut_space_init(kn_cut_space *s, const kn_tree_task *task, kn_error *err);
void kn__cut_space_clear(kn_cut_space *s);

/** What `label` is specialised from; a class left out is its own parent. */
uint32_t kn__cut_parent(const kn_cut_space *s, uint32_t label);
/** How many children `label` has, and which. */
size_t kn__cut_children(const kn_cut_space *s, uint32_t label, const uint32_t **out);
/** Whether the class of the label is published as it is. */
bool kn__cut_is_fixed(const kn_cut_space *s, uint32_t label);
/** Whether the label is in the cut: it is not specialised, and all above it are. */
bool kn__cut_has(const kn_cut_space *s, const uint8_t *specialised, uint32_t label);
/** The labels of the cut in which `fresh` (or KN_NO_LABEL) is specialised: its children first, how
 *  many they are in `*first`; then those of `last` (or KN_NO_LABEL) that are in the cut. `order`
 * has room for all labels. */
size_t kn__cut_order(const kn_cut_space *s, const uint8_t *specialised, uint32_t fresh,
                     uint32_t last, uint32_t *order, size_t *first);
/** Which label every value has in the cut; KN_NO_LABEL: its class is left out. */
void kn__cut_labels(const kn_cut_space *s, const uint8_t *specialised, uint32_t *to);

/** ValueCheck of combinations with one of the first labels of the order. With `last` (or
 *  KN_NO_LABEL) only of those that also hold a child of it: the others were checked in the cut in
 *  which it was not specialised.
 *  @return KN_EINFEASIBLE, without a message, if it fails. */
kn_status kn__cut_check_values(const kn_cut_space *s, const uint32_t *order, size_t len,
                               size_t first, uint32_t last, const kn_run *run, kn_error *err);

#endif
