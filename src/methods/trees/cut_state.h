/* methods/trees/cut_state.h - a cut that the search has solved, and the queue of those to expand.
 */
#ifndef KN_METHODS_TREES_CUT_STATE_H
#define KN_METHODS_TREES_CUT_STATE_H

#include "count/relation_index.h"
#include "methods/trees/violations.h"

typedef struct kn_cut_state {
    uint8_t *specialised, *closed; /* by label (cuts.h) */
    double *factor; /* by label: by how much more than a cut above it disassociations made that
                       cut's child dearer; or 0 */
    double estimate, cost;         /* before and after disassociations */
    uint32_t last;                 /* the label that was specialised last */
    bool main;                     /* on the main line */
    kn_tree_violations violations; /* before anything is disassociated; moved with the cut */
    kn_relation_index *relations;  /* likewise; NULL: not kept */
    uint64_t number;               /* in the order of creation */
    uint64_t above;                /* the number of the cut of which it is a child */
} kn_cut_state;

/** A copy of `from` without its violations and relations; NULL: nothing specialised or closed. */
kn_status kn__cut_state_copy(uint32_t labels, kn_cut_state **out, const kn_cut_state *from,
                             kn_error *err);
void kn__cut_state_free(kn_cut_state *x);

/** Zero is the empty queue: the main line first, then the least cost. */
typedef struct kn_cut_queue {
    kn_cut_state **list; /* a heap */
    size_t count, cap;
    uint64_t made;
} kn_cut_queue;

/** `x` gets its number, and belongs to the queue then, also on failure. */
kn_status kn__cut_queue_push(kn_cut_queue *q, kn_cut_state *x, kn_error *err);
/** The first, which is the caller's. There must be one. */
kn_cut_state *kn__cut_queue_pop(kn_cut_queue *q);
void kn__cut_queue_clear(kn_cut_queue *q);

#endif
