/* methods/table/groups.h - groups of tuples under construction, and what they cost.
 *
 * A group is published, in each quasi-identifier, as the lowest node over its values (tree domains)
 * or as the span from its least to its greatest code (ordered columns, and categories by rank). Its
 * cost is the weighted sum of the losses of these, times its records: the sum over all groups,
 * divided by the records, is the loss of the table. */
#ifndef KN_METHODS_TABLE_GROUPS_H
#define KN_METHODS_TABLE_GROUPS_H

#include "methods/table/lattice.h"

/** Trees of at most so many nodes have a table of common ancestors: 1 MB. */
#define KN_LCA_TABLE_MOST 700

/** The lowest common ancestors of all pairs of nodes, [node * nodes + node], in `*out` (free with
 * kn__free); NULL, and KN_OK, for a tree that is too large. */
kn_status kn__lca_table(uint16_t **out, const kn_domain *d, kn_error *err);

/* Costs of domains, shared by all blocks of a table. */
typedef struct kn_costs {
    const kn_task *task;
    size_t qis;
    uint16_t **lca; /* by quasi-identifier: [node * nodes + node] for small trees; NULL: walk */
    float **with;   /* likewise: the weighted loss of that node, for searches */
    double **
        place; /* by quasi-identifier without a tree: where each code lies in 0..1; 3 for missing */
    double *
        *as_read; /* by quasi-identifier with a tree: the loss of each node as its name is read */
    bool exact;   /* the cost of a group is what is reported of it; see kn__groups_reported */
} kn_costs;

kn_status kn__costs_new(kn_costs **out, const kn_task *task, kn_error *err);
void kn__costs_free(kn_costs *c);

/* The published value of a group in one quasi-identifier: `low` is a node of a tree, or low..high
 * are codes. */
typedef struct kn_value_span {
    uint32_t low, high;
} kn_value_span;

typedef struct kn_group {
    uint32_t *tuples;
    uint32_t len, cap;
    uint32_t size; /* records; 0: the group was dissolved */
    double cost;   /* of one record */
} kn_group;

typedef struct kn_groups {
    const kn_costs *costs;
    const kn_tuples *tuples;
    const kn_judge *judge;
    kn_judge_scratch *scratch;
    size_t least;
    uint32_t count;
    size_t cap;
    kn_group *group;
    kn_value_span *span; /* [group * qis + q] */
    uint32_t *records;   /* scratch for the judge */
    size_t records_cap;
    bool failed;         /* memory was out in kn__groups_holds, which then said no */
    size_t may_suppress; /* records that may still be left without a group */
} kn_groups;

kn_status kn__groups_new(kn_groups **out, const kn_costs *costs, const kn_tuples *tuples,
                         const kn_judge *judge, kn_error *err);
void kn__groups_free(kn_groups *g);

/** Start an empty group. */
kn_status kn__groups_add(kn_groups *g, uint32_t *number, kn_error *err);
/** Put tuple `t` into `group`; span, size and cost follow. */
kn_status kn__groups_put(kn_groups *g, uint32_t group, uint32_t t, kn_error *err);
/** Take the tuple at place `i` of `group` out; recomputes its span. O(tuples of the group). */
void kn__groups_take(kn_groups *g, uint32_t group, uint32_t i);
/** Recompute span, size and cost of `group` from its tuples. */
void kn__groups_recompute(kn_groups *g, uint32_t group);

/** The span of a tuple by itself, of a span and a tuple, and the cost of a record with a span. */
void kn__span_of_tuple(const kn_costs *c, const uint32_t *tuple, kn_value_span *out);
void kn__span_extend(const kn_costs *c, kn_value_span *span, const uint32_t *tuple);
double kn__span_cost(const kn_costs *c, const kn_value_span *span);

/** What all groups cost together, in records. */
double kn__groups_cost(const kn_groups *g);

/** The loss of the groups as measures read what is published, in records. It differs from
 * kn__groups_cost where a set lacks values between its first and its last one (it costs less), and
 * where a name is also that of a larger group above (it costs more). O(tuples). */
kn_status kn__groups_reported(const kn_groups *g, double *out, kn_error *err);

/** What it costs, in all, to add tuple `t` to `group`. */
double kn__groups_price(const kn_groups *g, uint32_t group, uint32_t t);

/** Whether the tuples `tuples[0..len)`, and tuple `more` unless it is KN_NO_CODE, may be a group.
 */
bool kn__groups_holds(kn_groups *g, const uint32_t *tuples, uint32_t len, uint32_t more);

#endif
