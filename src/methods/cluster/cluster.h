/* methods/cluster/cluster.h - clusters of at least k records that are alike in their
 * quasi-identifiers.
 *
 * Cluster of Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos ("Anonymizing data with
 * relational and transaction attributes", 2013, section 5): a random record and the k-1 nearest to
 * it, again and again; what is left joins the clusters where it costs least; clusters that are
 * published alike become one. */
#ifndef KN_METHODS_CLUSTER_CLUSTER_H
#define KN_METHODS_CLUSTER_CLUSTER_H

#include "methods/cluster/extent.h"
#include "methods/table/tuples.h"

typedef struct kn_clusters {
    kn_views *views;
    uint32_t count;
    uint32_t *cluster; /* by record; KN_SUPPRESSED: it was barred from the start */
    uint32_t *size;    /* by cluster: records */
    uint32_t *ncp;     /* by cluster: of a record (or its loss), in units of 1/KN_NCP_ONE */
    uint64_t *view;    /* [cluster * views->words] */
    size_t cap;
} kn_clusters;

/** Cluster the task's records for the least `price`. Seeds come from task->run; the result is the
 * same for any number of threads. `plain`: the algorithm as published; otherwise clusters are grown
 * with more care and improved afterwards. `task` is borrowed. About O(n log n) where neighbours are
 * near, O(n^2 / k) at worst.
 * @return KN_EINFEASIBLE when there are fewer than k records. */
kn_status kn__clusters_new(kn_clusters **out, const kn_task *task, size_t k, bool plain,
                           kn_price price, kn_error *err);
/** The groups of another method as clusters. The records that it suppresses must be barred. */
kn_status kn__clusters_of_groups(kn_clusters **out, const kn_task *task, const kn_grouping *groups,
                                 kn_price price, kn_error *err);
/** Improve clusters of at least `k` records, neighbours being formed anew `trials` times a round.
 * On failure `c` is good for nothing but to be freed. */
kn_status kn__clusters_improve(kn_clusters *c, size_t k, unsigned trials, kn_error *err);
void kn__clusters_free(kn_clusters *c);

static inline uint64_t *kn__clusters_view(const kn_clusters *c, size_t i)
{
    return c->view + i * c->views->words;
}

/** The smallest cluster that the guarantees of the task allow. */
size_t kn__clusters_k(const kn_task *task);
/** The NCP (or the loss) of the table: the mean over the records in clusters. */
double kn__clusters_ncp(const kn_clusters *c);
/** The loss of the table as its text is read, for clusters priced by loss. Their own price is
 * higher where a group inside another one is named like a larger group above both. */
double kn__clusters_reported(const kn_clusters *c);
/** As groups to be published. */
kn_status kn__clusters_publish(const kn_clusters *c, kn_grouping *out, kn_error *err);

#endif
