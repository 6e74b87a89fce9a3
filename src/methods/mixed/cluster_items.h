/* methods/mixed/cluster_items.h - T, the transaction generalisation function of the RT paper: how
 * the items of one cluster of records are published so that the cluster by itself is k^m-anonymous,
 * or l^m-diverse, with little loss.
 *
 * With a hierarchy items become nodes of it; without one, sets of items. Sensitive items are
 * published as they are; what an attacker knows is up to m of the others. A cluster is l^m-diverse
 * when without its sensitive items it is k^m-anonymous, and of the records that hold a combination
 * of 0..m of the others, as published, at most one in l holds any one sensitive item.
 *
 * What a cluster costs depends on its own records and items, not on the domain: T is called for
 * tens of thousands of small clusters. */
#ifndef KN_METHODS_MIXED_CLUSTER_ITEMS_H
#define KN_METHODS_MIXED_CLUSTER_ITEMS_H

#include "count/baskets.h"
#include "hierarchy/domain.h"
#include "kanon/run.h"

/** What the items of one cluster are published as. */
typedef struct kn_part_map {
    uint32_t items;
    uint32_t *item; /* the codes that occur in it, ascending */
    uint32_t *to;   /* by item: its group, numbered within the cluster by its first item */
    uint32_t groups;
    uint32_t *node; /* by group: the hierarchy's node (a leaf when not generalised); NULL: a group
                       is the set of the items mapped to it */
    double ul; /* sum over the records of UL(r) as published (utility/items/ul.h): |u| is the leaves
                  of a node, the items of a set; sensitive items count as themselves */
    double least; /* what ul is at least, however many other records the cluster takes in: a
                     record with one item has a UL of 1; 0 where items have weights */
    double ncp;   /* sum over the occurrences of items of NCP, as the measure `ncp` has it */
} kn_part_map;

void kn__part_map_clear(kn_part_map *map);

typedef struct kn_cluster_items kn_cluster_items;

/** Prepare for `workers` threads that call at the same time. `domain` is that of the column of
 *  `all`; NULL, or one without a hierarchy: items become sets. `l` 0: k^m-anonymity only; then, and
 *  where `sensitive` (one byte per code) is NULL, no item is sensitive. Worker 0 is the calling
 * thread: it reports run's progress when a cluster takes long. Borrows everything. O(workers x
 * domain).
 *  @return KN_EUSAGE unless k >= 1, 1 <= m <= KN_MOST_M and l is 0 or at least 1. */
kn_status kn__cluster_items_new(kn_cluster_items **out, const kn_baskets *all,
                                const kn_domain *domain, size_t k, size_t m, double l,
                                const uint8_t *sensitive, unsigned workers, const kn_run *run,
                                kn_error *err);
/** UL counts items by these weights (utility/items/ul_weights.h; NULL: all 1), by node of the
 * domain. */
void kn__cluster_items_weigh(kn_cluster_items *t, const double *weight);
void kn__cluster_items_free(kn_cluster_items *t);

/** Generalise the items of `count` records, each given once. The result depends on `records` only,
 *  not on the worker or what it did before. Clear `out` with kn__part_map_clear.
 *  @return KN_EINFEASIBLE when nothing does: too few of the records hold (so many) items, or a
 *  sensitive item is in too many of them; and when a sensitive item is in too many of those with
 *  other items and no finer items were found with which it is not (see kn_feasibility). KN_EUSAGE
 *  for an item that the domain says must be suppressed. KN_ECANCELLED. */
kn_status kn__cluster_items_run(kn_cluster_items *t, unsigned worker, const uint32_t *records,
                                size_t count, kn_part_map *out, kn_error *err);

/** What can be done with a cluster. k^m-anonymity is monotone: if any generalisation of the items
 *  has it, one group for all items has it. l^m-diversity is not: uniting items unites their
 *  holders, and a sensitive item may be in too many of the records that hold anything while it is
 *  in few of those that hold any one item. Such clusters are published with finer items, which are
 *  searched for from single items upwards; the search may miss some. */
typedef enum kn_feasibility {
    KN_FEASIBLE_NOT,    /**< nothing does, or nothing was found */
    KN_FEASIBLE_FINER,  /**< finer items do, one group for all of them does not */
    KN_FEASIBLE_AS_ONE, /**< one group for all items does; so it does for two such clusters together
                         */
} kn_feasibility;

/** Whether sensitive items are protected: only then clusters can be KN_FEASIBLE_FINER. */
bool kn__cluster_items_protects(const kn_cluster_items *t);

/** What kn__cluster_items_run would find of these records. Without sensitive items O(count); with
 * them O(occurrences), unless finer items have to be searched for.
 *  @return KN_ENOMEM, KN_ECANCELLED, or KN_EUSAGE as there. */
kn_status kn__cluster_items_feasible(kn_cluster_items *t, unsigned worker, const uint32_t *records,
                                     size_t count, kn_feasibility *out, kn_error *err);

/** Whether it is certain that nothing does for these records: k^m-anonymity cannot be had, or a
 *  sensitive item is in too many of them. */
bool kn__cluster_items_hopeless(kn_cluster_items *t, unsigned worker, const uint32_t *records,
                                size_t count);

/** Whether one group for all items of these records does: the quick part of the question. */
bool kn__cluster_items_feasible_as_one(kn_cluster_items *t, unsigned worker,
                                       const uint32_t *records, size_t count);

#endif
