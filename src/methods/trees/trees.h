/* methods/trees/trees.h - methods for tree records: what they get and what they make.
 *
 * A solution is a pair (C, SD): a cut of the hierarchies, which says what every value is published
 * as, and a list of relations a ~> b to disassociate, one after the other, in all records (the tree
 * paper, section 3). */
#ifndef KN_METHODS_TREES_TREES_H
#define KN_METHODS_TREES_TREES_H

#include "count/tree_knowledge.h"
#include "hierarchy/tree_domain.h"
#include "kanon/run.h"
#include "methods/trees/violations.h"

typedef struct kn_tree_task {
    const kn_forest *forest;
    const kn_tree_domain *domain;
    size_t k, m, n;
    size_t g;         /* children of a cut that are looked into further */
    size_t most_cuts; /* cuts to evaluate at most; 0: no limit */
    /* By class: it is published as it is, and no attacker knows it. NULL: there is none. Not for
     * miracle. */
    const bool *fixed;
    const kn_tree_diversity *diversity; /* l-diversity is asked as well; or NULL */
    const kn_run *run;
} kn_tree_task;

enum { KN_WHY_RELATIONS = 6 };

/** A relation that was disassociated, and the knowledge that made it necessary. */
typedef struct kn_disassociation {
    kn_relation relation;
    size_t support;             /* records that held the relation */
    size_t matching;            /* records that matched the knowledge: 1..k-1 */
    uint32_t values, relations; /* of the knowledge; the first KN_WHY_RELATIONS are kept */
    uint32_t value[KN_TREE_MOST_M];
    kn_relation known[KN_WHY_RELATIONS];
} kn_disassociation;

typedef struct kn_tree_solution {
    uint32_t *to; /* by code of the forest: its label, or KN_NO_LABEL where it is left out */
    kn_disassociation *cut;
    size_t cuts;
    size_t examined; /* cuts of the hierarchies that were evaluated */
    double cost;
    bool dear;                     /* it costs more than the limit: disassociations are missing */
    kn_tree_violations violations; /* before anything was disassociated */
    kn_relation_index *relations;  /* likewise; NULL: it is dear, or n is 0 */
} kn_tree_solution;

/** A cut that was solved, of which another one differs in few labels. */
typedef struct kn_cut_above {
    const bool *fresh; /* by label: other records may be published with it in the new cut */
    const kn_tree_violations *violations; /* of the solved cut */
    /* The synopsis tree and the relations of the solved cut, or both NULL: then those of the new
     * one are made without them. */
    const kn_synopsis *synopsis;
    const kn_relation_index *relations;
    const uint32_t *known;   /* by code: the label in the synopsis tree */
    const uint32_t *records; /* increasing: those whose trees differ */
    size_t count;
} kn_cut_above;

void kn__tree_solution_clear(kn_tree_solution *s);

/** Of AllCutSearch and its relatives. */
typedef enum kn_cut_search {
    KN_ALL_CUTS,    /* acs */
    KN_GREEDY_CUTS, /* gcs */
    KN_ONLY_CUTS,   /* ocs: cuts that would need a disassociation are rejected */
    KN_EXACT_CUTS   /* ours: RPD itself as the cost, disassociations chosen together */
} kn_cut_search;

kn_status kn__tree_search(kn_tree_solution *out, const kn_tree_task *task, kn_cut_search kind,
                          kn_error *err);

/** What an attacker may know of every value published as `to`: the label, or KN_NO_LABEL where its
 * class is fixed. */
void kn__tree_known(const kn_tree_task *task, const uint32_t *to, uint32_t *known);

/** RPD (`exact`) or RPD_a of the trees that `s` stands for. */
kn_status kn__tree_cost(double *out, const kn_synopsis *s, const kn_tree_domain *d, bool exact,
                        kn_error *err);

/** The solution of one cut, whose values are k^m-anonymous: what must be disassociated when every
 *  value has the label `to`, and what the result costs. out->to is left as it is. With `above` (or
 *  NULL) only knowledge about its fresh labels is counted; the other violations are taken from it.
 *  Ends, with out->dear, where the cost is above `limit` after a part of the disassociations.
 *  @return KN_EINFEASIBLE, without a message, for KN_ONLY_CUTS if anything would have to be
 *  disassociated. */
kn_status kn__tree_solve(kn_tree_solution *out, const kn_tree_task *task, kn_cut_search kind,
                         const uint32_t *to, const kn_cut_above *above, double limit,
                         kn_error *err);

/** The same for `s`, the synopsis tree of the cut: disassociate relations of it until no knowledge
 * of the task is matched by 1..k-1 records; a fixed point, as every step removes a relation from
 * all records and none comes back. For KN_EXACT_CUTS the relations are chosen for all violations of
 *  a pass at once, else for one violation after the other (Algorithm 3). */
kn_status kn__fix_structure(kn_tree_solution *out, kn_synopsis *s, const kn_tree_task *task,
                            kn_cut_search kind, const kn_cut_above *above, double limit,
                            kn_error *err);

/** The published forest of a solution, in its normal form. */
kn_status kn__tree_publish(kn_forest **out, const kn_forest *f, const kn_tree_domain *d,
                           const kn_tree_solution *solution, const kn_run *run, kn_error *err);

/** MiRaCle: clusters of at least k records, each made equal (docs/decisions/). */
kn_status kn__tree_miracle(kn_forest **out, const kn_tree_task *task, size_t climit,
                           double threshold, size_t *formed, kn_error *err);

#endif
