/* methods/method.h - what a method gets and gives.
 *
 * A method partitions the records into groups and says what each group is published as, one node,
 * range or set per quasi-identifier. The driver (anonymize.c) prepares the task, drops records that
 * must be suppressed from the start, and makes the release of the result.
 *
 * A method for a column of items (k^m-anonymity) says instead what every item is published as, in
 * all records alike or, with local recoding, in each. */
#ifndef KN_METHODS_METHOD_H
#define KN_METHODS_METHOD_H

#include "count/baskets.h"
#include "guarantees/judge.h"
#include "hierarchy/domain.h"
#include "kanon/anonymize.h"

/** What every item of a column is published as. */
typedef struct kn_recoding {
    kn_dict *texts;    /* what is published */
    uint32_t *to;      /* by code of the column: its text; KN_NO_CODE: it is not published */
    uint8_t *left_out; /* by code: an item that is left out on purpose; NULL: none is */
    /* Of local recoding: the same by position in the column's list of codes; NULL otherwise. `to`
     * is NULL then. */
    uint32_t *each;
} kn_recoding;

typedef struct kn_task {
    const kn_dataset *ds;
    const size_t *qi; /* the quasi-identifiers' columns */
    size_t qis;
    kn_domain *const *domain; /* by quasi-identifier */
    const double *weight;     /* by quasi-identifier; they sum to 1 */
    const kn_hierarchies *hierarchies;
    const kn_anonymize_options *options;
    const kn_run *run;
    const uint8_t *barred; /* by record: non-zero: suppressed from the start; NULL: none */
    size_t barred_count;
    size_t limit; /* most records that may be suppressed in all */
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

void kn_grouping_clear(kn_grouping *g);
/** Allocate for `groups` groups. */
kn_status kn_grouping_init(kn_grouping *g, const kn_task *task, size_t groups, kn_error *err);

/** The judge of the task: with suppressed records removed, classes are compared with what is
 * published. */
kn_status kn_task_judge(const kn_task *task, kn_judge **out, kn_error *err);
/** KN_EINFEASIBLE, saying why all records together do not satisfy the guarantees, and what could be
 * met. */
kn_status kn_task_infeasible(const kn_task *task, kn_error *err);

/** The column whose classes id3 and tds keep apart. KN_EUSAGE: there is none. */
kn_status kn_task_class(const kn_task *task, const kn_column **out, kn_error *err);

typedef kn_status (*kn_method_fn)(const kn_task *task, kn_grouping *out, kn_error *err);

kn_status kn_method_flash(const kn_task *task, kn_grouping *out, kn_error *err);
kn_status kn_method_mondrian(const kn_task *task, kn_grouping *out, kn_error *err);
kn_status kn_method_local(const kn_task *task, kn_grouping *out, kn_error *err);
kn_status kn_method_cluster(const kn_task *task, kn_grouping *out, kn_error *err);
kn_status kn_method_tds(const kn_task *task, kn_grouping *out, kn_error *err);
kn_status kn_method_id3(const kn_task *task, kn_grouping *out, kn_error *err);

/** Fill `out`, which is zeroed; the driver clears it, also on failure. */
typedef kn_status (*kn_items_method_fn)(const kn_items_task *task, kn_recoding *out, kn_error *err);

kn_status kn_method_apriori(const kn_items_task *task, kn_recoding *out, kn_error *err);
kn_status kn_method_lra(const kn_items_task *task, kn_recoding *out, kn_error *err);
kn_status kn_method_vpa(const kn_items_task *task, kn_recoding *out, kn_error *err);
kn_status kn_method_acd(const kn_items_task *task, kn_recoding *out, kn_error *err);

#endif
