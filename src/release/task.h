/* release/task.h - what every method is given, and the groups of records that a method for tables
 * returns. */
#ifndef KN_RELEASE_TASK_H
#define KN_RELEASE_TASK_H

#include "base/params.h"
#include "count/baskets.h"
#include "guarantees/judge.h"
#include "hierarchy/domain.h"
#include "kanon/anonymize.h"
#include "release/recoding.h"

typedef struct kn_task {
    const kn_dataset *ds;
    const size_t *qi; /* the quasi-identifiers' columns */
    size_t qis;
    kn_domain *const *domain; /* by quasi-identifier */
    const double *weight;     /* by quasi-identifier; they sum to 1 */
    const kn_hierarchies *hierarchies;
    const kn_anonymize_options *options;
    kn_params params; /* of the method that runs: read them with base/params.h */
    const kn_run *run;
    const uint8_t *barred; /* by record: non-zero: suppressed from the start; NULL: none */
    size_t barred_count;   /* people */
    size_t limit;          /* most people that may be suppressed in all */
    /* Of a method for items: the column that is recoded, and how. NULL otherwise. */
    const kn_recoding *recoding;
    size_t recoded;
} kn_task;

/** What a method for items gets. */
typedef struct kn_items_task {
    const kn_dataset *ds;
    const kn_column *column;   /* the quasi-identifier that holds items */
    const kn_baskets *baskets; /* its items; records suppressed from the start have none */
    const kn_domain *domain;   /* of the column, with its hierarchy if it has one */
    size_t k, m;
    const kn_anonymize_options *options;
    kn_params params; /* of the method that runs: read them with base/params.h */
    const kn_run *run;
} kn_items_task;

#define KN_SUPPRESSED UINT32_MAX

/** The result: groups of records published alike. */
typedef struct kn_grouping {
    uint32_t *group; /* by record: its group, or KN_SUPPRESSED */
    size_t groups;
    /* [group * qis + q]: for a tree domain `low` is the node. For ranges low and high are codes,
     * and for sets the set is that of the group's codes; `low` == KN_NO_NODE means suppressed
     * (`*`). */
    uint32_t *low, *high;
} kn_grouping;

void kn__grouping_clear(kn_grouping *g);
/** Allocate for `groups` groups. */
kn_status kn__grouping_init(kn_grouping *g, const kn_task *task, size_t groups, kn_error *err);

/** The judge of the task: with suppressed records removed, classes are compared with what is
 * published. */
kn_status kn__task_judge(const kn_task *task, kn_judge **out, kn_error *err);
/** KN_EINFEASIBLE, saying why all records together do not satisfy the guarantees, and what could be
 * met. */
kn_status kn__task_infeasible(const kn_task *task, kn_error *err);

/** The column whose classes id3 and tds keep apart. KN_EUSAGE: there is none. */
kn_status kn__task_class(const kn_task *task, const kn_column **out, kn_error *err);

#endif
