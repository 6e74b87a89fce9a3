/* methods/trees/children.h - the children of a cut of the hierarchies: what they cost, with and
 * without disassociations, and which of them are worth solving.
 *
 * They are screened first: ValueCheck, and the cost without disassociations, of all labels of a
 * class together (lookahead.h) or of each child alone (cut_view.h). Then they are solved in the
 * order of a lower bound. Children are evaluated by several threads; each evaluation is independent
 * of the others. */
#ifndef KN_METHODS_TREES_CHILDREN_H
#define KN_METHODS_TREES_CHILDREN_H

#include "methods/trees/cut_state.h"
#include "methods/trees/cut_view.h"
#include "methods/trees/cuts.h"
#include "methods/trees/lookahead.h"
#include "methods/trees/reach.h"

#include <stdatomic.h>

/** A search over the cuts (search.c). */
typedef struct kn_tree_searching {
    const kn_tree_task *task;
    const kn_tree_domain *d;
    kn_cut_search kind;
    kn_cut_space space;
    kn_cut_reach reach;
    uint32_t labels; /* space.labels */
    kn_cut_queue queue;
    uint8_t *closed;   /* by label: for all cuts to come */
    kn_cut_view *view; /* of the cut that was expanded last, */
    uint64_t viewed;   /* and its number */
    kn_lookahead lookahead;
    kn_cut_state *best;
    kn_disassociation *cut; /* of the best cut */
    size_t cuts;
    double *share; /* by label: what the child cost in the last cut, as a share of what that cut
                      did, both before disassociations; 0: unknown */
    double *least; /* by label: the least factor of its children in any cut; 0: none */
    size_t examined;
} kn_tree_searching;

typedef enum kn_child_outcome {
    KN_CHILD_SOLVED,
    KN_CHILD_SKIPPED, /* it cannot be among the cheapest */
    KN_CHILD_FAILED   /* it breaks k^m-anonymity, or needs what is not allowed */
} kn_child_outcome;

/* One child of the cut that is expanded. */
typedef struct kn_child {
    uint32_t label; /* to be specialised */
    kn_child_outcome outcome;
    double estimate, cost; /* without and with disassociations */
    double bound;          /* what it costs at least, as far as can be said before it is solved */
    uint32_t *to;          /* by value: its label */
    kn_tree_violations violations;
    kn_relation_index *relations;
    kn_disassociation *cut;
    size_t cuts;
    kn_status status;
    kn_error error;
} kn_child;

/** A cut whose children are looked at. */
typedef struct kn_expansion {
    kn_tree_searching *s;
    const kn_cut_state *from;
    const kn_cut_view *view;            /* of `from` */
    const kn_relation_index *relations; /* likewise; NULL: n is 0 */
    kn_child *list;
    size_t begin;    /* the candidates to solve begin here */
    double *ahead;   /* by label: what it costs, where has_costs[class] */
    bool *has_costs; /* by class */
    double limit;    /* candidates that cost more are not followed */
    double own;      /* by how much disassociations made `from` dearer */
    double *family;  /* by label: the least factor known of its children; 0: none */
    double *solved;  /* by label: the least factor of its children solved here; 0: none */
    atomic_bool stop;
} kn_expansion;

void kn__child_clear(kn_child *c);
/** The order by costs: those that were solved, those that were passed over, those that failed. */
int kn__child_by_cost(const void *a, const void *b);
/** By how much disassociations made a cut dearer. */
double kn__cut_factor(double estimate, double cost);

/** The records that specialising `label` concerns, increasing, in `*out`. */
kn_status kn__cut_records(const kn_tree_searching *s, uint32_t label, uint32_t **out, size_t *count,
                          kn_error *err);

/** Gather what the search knows about children of x->from. Clear `x` in any case. */
kn_status kn__children_begin(kn_expansion *x, kn_error *err);
void kn__expansion_clear(kn_expansion *x);
/** Whether no child of a cut beside the main line will be cheaper than it. What specialising a
 * label saves is much the same share of the cost in all cuts, before disassociations. */
bool kn__children_are_hopeless(const kn_expansion *x, size_t count);
/** ValueCheck of the first `count` children, and what those that pass it cost before
 *  disassociations (not for acs, which solves them all). */
kn_status kn__children_screen(kn_expansion *x, size_t count, kn_error *err);
/** Solve the children that may be followed. For acs these are all. For the others, in the order of
 *  their bounds, until the next bound is above the cost of the cut itself, or above the cost of as
 *  many children as are followed. How many are solved at once does not depend on the number of
 *  threads. */
kn_status kn__children_solve(kn_expansion *x, size_t count, kn_error *err);

#endif
