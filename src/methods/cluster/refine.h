/* methods/cluster/refine.h - what the files of cluster.h share. */
#ifndef KN_METHODS_CLUSTER_REFINE_H
#define KN_METHODS_CLUSTER_REFINE_H

#include "methods/cluster/cluster.h"

/** Append a cluster of no records; its view is unset. */
kn_status kn__clusters_add(kn_clusters *c, kn_error *err);

/** Put every record that is not barred into a cluster of at least `k`. `plain`: as published. */
kn_status kn__clusters_form(kn_clusters *c, const kn_task *task, const kn_tuples *tuples, size_t k,
                            bool plain, kn_error *err);

/** Lower the NCP of the clusters of `tuples`, keeping at least `k` records in each. With `trials`,
 * neighbouring clusters are also formed anew, so often in a round. On failure `c` is good for
 * nothing but to be freed. */
kn_status kn__clusters_refine(kn_clusters *c, const kn_tuples *tuples, size_t k, unsigned trials,
                              kn_error *err);

#endif
