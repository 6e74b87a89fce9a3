/* count/relation_index.h - which records hold a value, and which hold a relation a ~> b: two values
 * of which one is an ancestor of the other, in the trees of a synopsis tree. */
#ifndef KN_COUNT_RELATION_INDEX_H
#define KN_COUNT_RELATION_INDEX_H

#include "count/synopsis.h"

#include <stdatomic.h>

/** Sets may belong to several of these; who derives one may do so on several threads. */
typedef struct kn_relation_index {
    uint32_t labels, count;
    kn_relation *relation;                    /* ordered by above, then below */
    kn_record_set *holds;                     /* by relation */
    kn_record_set *value;                     /* by label */
    atomic_size_t **holds_uses, **value_uses; /* how many have the set; NULL: there is none */
    uint32_t *out_begin; /* by label, and one more: the relations that it is above */
    uint32_t *in_begin;  /* likewise in `in`: those that it is below */
    uint32_t *in;        /* numbers of relations */
} kn_relation_index;

/** The relations of `s`. O(sum over records of nodes x depth). */
kn_status kn__relation_index_new(kn_relation_index **out, const kn_synopsis *s, kn_error *err);
/** The relations of `s` from those of another synopsis tree of these records, which differ in the
 *  relations and the values with a label that is `changed`. The `count` records of
 *  `records` (increasing) hold these; the other sets are shared. O(nodes of s, relations, and sum
 *  over these records of nodes x depth). */
kn_status kn__relation_index_derive(kn_relation_index **out, const kn_relation_index *from,
                                    const kn_synopsis *s, const bool *changed,
                                    const uint32_t *records, size_t count, kn_error *err);
/** The relations of `s` from those that it had before relations were disassociated, which differ in
 *  relations with a label that is `changed`, in the `count` records of `records` (increasing). No
 *  record has come to a relation that it did not hold. O(nodes of s, relations x count, and sum
 * over these records of nodes x depth; the records of relations that differ). */
kn_status kn__relation_index_narrow(kn_relation_index **out, const kn_relation_index *from,
                                    const kn_synopsis *s, const bool *changed,
                                    const uint32_t *records, size_t count, kn_error *err);
void kn__relation_index_free(kn_relation_index *r);
/** The number of above ~> below, or UINT32_MAX. O(log count). */
uint32_t kn__relation_index_find(const kn_relation_index *r, kn_relation relation);

/** By code of `f`: the records that hold the value, into `out`, which has a zeroed set per code and
 *  which the caller clears, also on failure. `is` (NULL: all): only values of the classes with
 *  is[class]. O(nodes + sets). */
kn_status kn__forest_value_sets(kn_record_set *out, const kn_forest *f, const bool *is,
                                kn_error *err);

/** l-diversity: the sensitive values of a forest, each with the records that hold it. */
typedef struct kn_tree_diversity {
    double l;
    kn_record_set *set;
    size_t count;
} kn_tree_diversity;

/** The values of the classes with `is[class]`. Clear it in any case. O(nodes). */
kn_status kn__tree_diversity_init(kn_tree_diversity *d, double l, const kn_forest *f,
                                  const bool *is, kn_error *err);
void kn__tree_diversity_clear(kn_tree_diversity *d);

#endif
