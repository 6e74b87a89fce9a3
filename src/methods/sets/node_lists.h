/* methods/sets/node_lists.h - records written down as lists of hierarchy nodes, and whether a
 * combination of nodes in them is rare.
 *
 * The lists are the input of count/projection: nodes in an order that is the same for all records,
 * equal ones (in bags) beside each other. Start, then open, fill and close one list after the
 * other; `tails` has one tail for each of them. Zero it to start; one thread uses it at a time. */
#ifndef KN_METHODS_SETS_NODE_LISTS_H
#define KN_METHODS_SETS_NODE_LISTS_H

#include "count/projection.h"
#include "kanon/guarantee.h"

/** The nodes of a rare combination. */
typedef struct kn_witness {
    uint32_t node[KN_MOST_M];
    size_t size; /* 0: none */
} kn_witness;

typedef struct kn_node_lists {
    kn_projection_lists lists; /* borrows starts, node and weight */
    uint64_t *starts;
    uint32_t *node, *weight;
    size_t records, starts_cap, node_cap, weight_cap;
    kn_tail *tails; /* the lists that count */
    size_t tails_len, tails_cap;
    kn_projection_level level[KN_MOST_M]; /* by how many nodes may still join */
} kn_node_lists;

/** Forget the lists; those to come have nodes below `nodes`. */
void kn__node_lists_start(kn_node_lists *x, uint32_t nodes);
void kn__node_lists_clear(kn_node_lists *x);

/** Room for a list of up to `most` nodes, in `*node`. */
kn_status kn__node_lists_open(kn_node_lists *x, size_t most, uint32_t **node, kn_error *err);
/** The list that was opened last has `len` nodes; its record stands for `weight` people. */
void kn__node_lists_close(kn_node_lists *x, size_t len, uint32_t weight);

/** Whether a combination of up to `most` nodes has a support of 1..k-1. If so, its nodes are added
 *  to `*why`: the smallest size first along the walk, and of one prefix the rarest node.
 *  O(sum over the lists of length^most). */
kn_status kn__node_lists_rare(kn_node_lists *x, size_t k, size_t most, kn_witness *why, bool *rare,
                              kn_error *err);

#endif
