/* methods/sets/lra.h - local recoding: an item may have another name in another record.
 *
 * What is published is a name, a node of the hierarchy, for every occurrence of an item. It is
 * k^m-anonymous when every combination of up to m names that some record holds is held by k of
 * them: an attacker who knows m items of a person finds the names of that person's record in k
 * records, and each of these names covers what is known. */
#ifndef KN_METHODS_SETS_LRA_H
#define KN_METHODS_SETS_LRA_H

#include "methods/sets/cut.h"
#include "methods/method.h"

typedef struct kn_names {
    kn_cut *c;      /* the records and the tree; where the cut is does not matter */
    uint32_t *name; /* by occurrence, as c->place */
    double loss;    /* sum of NCP over occurrences */
} kn_names;

/** Names as the cut has them. `c` must outlive it, and what it knows of who holds which node is
 *  forgotten when the names are refined. */
kn_status kn__names_new(kn_names **out, kn_cut *c, kn_error *err);
void kn__names_free(kn_names *n);

/** Take back what the whole does not need: for each node in turn, those that save most first, the
 *  records in which what is below the node can have its name, such that no combination becomes
 *  rare. `n` is k^m-anonymous before and after. Deterministic. O(nodes x records that hold
 *  the names x length^(m-1)) at worst. */
kn_status kn__names_refine(kn_names *n, const kn_run *run, kn_error *err);

/** Gray order of two records, ascending places seen as one bit each: at the first place where they
 *  differ, the one without it comes first after an even number of items, and the one with it after
 *  an odd number. Below 0: `a` is first; 0: they are equal. */
int kn__gray_order(const uint32_t *a, size_t a_len, const uint32_t *b, size_t b_len);

#endif
