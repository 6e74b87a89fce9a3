/* methods/table/tds.h - the state of top-down specialisation: the values of the cut and their gains
 * (tds_values.c), groups and the search (tds.c). */
#ifndef KN_METHODS_TABLE_TDS_H
#define KN_METHODS_TABLE_TDS_H

#include "base/arena.h"
#include "hierarchy/domain.h"
#include "methods/table/tuples.h"

/* A value of the cut: what the codes at positions first..last of a quasi-identifier are published
 * as. Positions are those of a depth-first walk of its tree. */
typedef struct kn_tds_value {
    uint32_t q;
    uint32_t node; /* of a tree; KN_NO_NODE: a range */
    uint32_t first, last;
    uint32_t children; /* 0: cannot be specialised */
    uint32_t cut;      /* of a range: the last position of the first half */
    double gain;
    uint32_t least;   /* the smallest group that specialising it would leave */
    uint32_t *groups; /* that have it */
    size_t groups_count, groups_cap;
} kn_tds_value;

typedef struct kn_tds_group {
    uint32_t begin, end; /* in `tuple` */
    uint32_t records;
} kn_tds_group;

typedef struct kn_tds {
    kn_arena arena;
    const kn_task *task;
    const kn_tuples *tuples;
    kn_judge *judge;
    kn_judge_scratch *scratch;
    size_t qis;
    const kn_column *label;
    uint32_t labels;
    uint32_t **place;    /* by quasi-identifier, by code: its position */
    uint32_t **code_at;  /* by quasi-identifier, by position: the code */
    size_t **starts;     /* by quasi-identifier, by position: where its records begin */
    uint32_t **label_of; /* by quasi-identifier: the labels of its records, by position */
    uint32_t **child;    /* by quasi-identifier, by position: which child of its value it is in */
    kn_tds_value *value;
    size_t values, values_cap;
    kn_tds_group *group;
    size_t groups, groups_cap;
    uint32_t *value_of; /* [group * qis + q] */
    size_t value_of_cap;
    uint32_t *tuple, *tuple_copy;
    uint32_t *counts; /* by child; all 0 between calls */
    size_t counts_cap;
    uint64_t *seen, *left; /* by label */
    uint32_t *records;     /* for the judge */
    uint32_t smallest;     /* records of the smallest group */
} kn_tds;

/** The child of `node` that is above (or is) the code at position `p`. */
static inline uint32_t kn__tds_child_above(const kn_tds *t, size_t q, uint32_t node, uint32_t p)
{
    const kn_domain *d = t->task->domain[q];
    uint32_t at = t->code_at[q][p];

    while (d->parent[at] != node) {
        at = d->parent[at];
    }
    return at;
}

/** The column of the class to learn. */
kn_status kn__tds_find_label(kn_tds *t, kn_error *err);
/** Order the positions of quasi-identifier `q`, and the labels of the records at each. */
kn_status kn__tds_lay_out(kn_tds *t, size_t q, kn_error *err);
/** Add the value at positions first..last, and compute what specialising it would gain. */
kn_status kn__tds_add_value(kn_tds *t, kn_tds_value v, kn_error *err);

#endif
