/* methods/trees/violations.h - knowledge with relations that too few records match, as a list.
 *
 * The list is sorted, so it does not depend on how its violations were found: by a walk over all
 * knowledge, or as those of another cut with a walk over what differs. */
#ifndef KN_METHODS_TREES_VIOLATIONS_H
#define KN_METHODS_TREES_VIOLATIONS_H

#include "count/tree_knowledge.h"

typedef struct kn_tree_violation {
    const struct kn_tree_violations *in; /* set while the list is sorted */
    size_t begin;                        /* its relations begin here in `relation` */
    uint32_t relations, values;
    size_t support;
    uint32_t value[KN_TREE_MOST_M];
} kn_tree_violation;

/** Zero is the empty list. */
typedef struct kn_tree_violations {
    kn_tree_violation *list;
    size_t count, cap;
    kn_relation *relation;
    uint16_t *part; /* by entry of `relation`: relations of one part hold in one embedding */
    size_t relations, relation_cap, part_cap;
} kn_tree_violations;

void kn__tree_violations_clear(kn_tree_violations *v);

/** Add `known`. */
kn_status kn__tree_violations_add(kn_tree_violations *v, const kn_known *known, kn_error *err);

/** Add those of `from` that `ask` does not ask about (kn_knowledge.ask). */
kn_status kn__tree_violations_carry(kn_tree_violations *v, const kn_tree_violations *from,
                                    const uint8_t *ask, kn_error *err);

/** Sort: fewer relations first, then fewer values, so knowledge comes before what extends it. */
void kn__tree_violations_sort(kn_tree_violations *v);

#endif
