/* methods/mixed/rt.h - methods for tables with a column of items, which reach k-km-anonymity and
 * k-lm-diversity: rum-bound, tum-bound, rfirst and tfirst of Poulis, Loukides, Gkoulalas-Divanis
 * and Skiadopoulos ("Anonymizing data with relational and transaction attributes", ECML PKDD 2013).
 */
#ifndef KN_METHODS_MIXED_RT_H
#define KN_METHODS_MIXED_RT_H

#include "guarantees/sensitive_items.h"
#include "methods/sets/recode.h"
#include "methods/mixed/sweep_cache.h"

/** The column of items of a table, and what is asked of it. */
typedef struct kn_rt_items {
    size_t at; /* which column it is */
    const kn_column *column;
    kn_domain *domain;
    kn_baskets *baskets; /* those of barred records too */
    kn_sensitive_items sensitive;
    double *weight; /* by node of the domain: UL counts items by it; NULL: all 1 */
    size_t k, m;
    double l; /* 0: nothing is sensitive; 1: what is may be inferred */
} kn_rt_items;

/** Find the column and what is asked. `items` may be cleared after failure, too.
 *  @return KN_EUSAGE unless one quasi-identifier is a list, or for other guarantees beside these.
 */
kn_status kn__rt_items_find(kn_rt_items *items, const kn_task *task, kn_error *err);
void kn__rt_items_clear(kn_rt_items *items);

/** Whether record `i` must be suppressed: an item is not in the hierarchy. */
bool kn__rt_items_bar(const kn_rt_items *items, size_t i);

/** The measure that the method keeps at `*bound` or below, or NULL. */
const char *kn__rt_bounded(const kn_params *params, const char *method, double *bound);

/** Run the method that the task's options ask for. `task` has the other quasi-identifiers; it comes
 *  to point to `recoding`. `memo` (may be NULL) has what earlier runs over the same table found,
 * and gets what this one finds; the result is the same with any.
 *  @return KN_EINFEASIBLE when the bound cannot be kept, with one that can, or when no bound would
 *  do. */
kn_status kn__rt_anonymize(kn_task *task, const kn_rt_items *items, kn_sweep_cache *memo,
                           kn_grouping *grouping, kn_recoding *recoding, const char **name,
                           kn_cluster_counts *counts, kn_error *err);

#endif
