/* methods/mixed/rt_items.h - between the files of rt.h. */
#ifndef KN_METHODS_MIXED_RT_ITEMS_H
#define KN_METHODS_MIXED_RT_ITEMS_H

#include "methods/cluster/cluster.h"
#include "methods/mixed/rt.h"
#include "methods/mixed/cluster_items.h"

/** What the items of every record of a cluster are published as, by T. `known` (NULL: nothing) has
 *  what T made of some clusters already; those are taken from it. */
kn_status kn__rt_recode(const kn_rt_items *x, const kn_clusters *c, kn_cluster_items *t,
                        kn_part_map *known, kn_recoding *out, const kn_run *run, kn_error *err);

/** The clusters that tfirst starts with, into `*out`, also on failure; the caller frees them. */
kn_status kn__tfirst_clusters(kn_clusters **out, const kn_task *task, const kn_rt_items *x,
                              kn_cluster_items *t, kn_error *err);

#endif
