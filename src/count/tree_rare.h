/* count/tree_rare.h - all knowledge about tree records that 1..k-1 of them match, found by several
 * threads. The result does not depend on their number. */
#ifndef KN_COUNT_TREE_RARE_H
#define KN_COUNT_TREE_RARE_H

#include "count/tree_knowledge.h"
#include "kanon/run.h"

/** One of the most telling ones: fewest values and relations first, then fewest records. */
typedef struct kn_tree_rare {
    kn_known known;  /* known.records is NULL */
    uint32_t record; /* the first that matches */
} kn_tree_rare;

typedef struct kn_tree_rare_list {
    kn_tree_rare *rare;
    size_t kept;
    uint64_t count; /* how many were found: what is rare already is not extended */
    size_t least;   /* the smallest support among them; 0: there are none */
    size_t at_risk; /* records that match one of them */
    size_t least_of[KN_TREE_MOST_M + 1]; /* the same by number of values */
    size_t longest, empty;               /* nodes of the largest record; records without nodes */
} kn_tree_rare_list;

/** `diversity` (NULL: not asked) demands l-diversity as well. Search `f`, whose values are labels.
 * At most `most` are kept; with 0 only `least` and whether there are any is right, and the search
 * ends where one record alone matches. `risky` (NULL, or a byte per record) is set where a record
 * matches one of them. */
kn_status kn__tree_rare_find(kn_tree_rare_list **out, const kn_forest *f, size_t k, size_t m,
                             size_t n, const kn_tree_diversity *diversity, size_t most,
                             uint8_t *risky, const kn_run *run, kn_error *err);
void kn__tree_rare_free(kn_tree_rare_list *l);

#endif
