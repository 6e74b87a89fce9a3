/* methods/mixed/growing_clusters.h - clusters that grow: what merging asks of them, kept
 * incrementally.
 *
 * A cluster has its view and NCP (extent.h), its records, and its BTD, the bit-vector
 * transaction distance of Poulis and others (2013, section 5). Of two records with items a and b
 *
 *     BTD = (|a xor b| + 1) / (|a and b| + 1) * |a or b|
 *
 * and that of a cluster is the largest of its pairs, a record with itself among them. Sensitive
 * items are left out, and repeats in bags count once: it is a distance of bit vectors.
 *
 * The records of a cluster hang in chains, one for each number of items, longest first. Two
 * disjoint records are as far apart as their lengths allow, and most long records are disjoint, so
 * that the first pairs looked at nearly always tell. Merging links chains, whatever their length.
 */
#ifndef KN_METHODS_MIXED_GROWING_CLUSTERS_H
#define KN_METHODS_MIXED_GROWING_CLUSTERS_H

#include "base/arena.h"
#include "methods/cluster/cluster.h"

/** The records of a cluster with equally many items. */
typedef struct kn_bag_item_list {
    uint32_t len;         /* items */
    uint32_t first, last; /* records; kn_growing_clusters.next leads on */
} kn_bag_item_list;

typedef struct kn_growing_clusters {
    kn_arena arena;
    kn_clusters *c;    /* sizes, NCPs and views by cluster; owned */
    kn_baskets *known; /* the different items of each record that are not sensitive */
    uint32_t *next;    /* by record: the next of its chain */
    uint64_t *mark;    /* by record: some bits of its items: without a common bit none is common */
    kn_bag_item_list **chain; /* by cluster: longest first */
    size_t *chains;
    double *btd;      /* by cluster; kn__growing_clusters_measure */
    uint32_t *number; /* the clusters that are left, ascending */
    size_t count;
    uint64_t sum; /* of size x NCP over them, in units of 1/KN_NCP_ONE */
    size_t merges;
} kn_growing_clusters;

/** Take over `c`, also on failure. `baskets` holds the items of all records, `sensitive` (NULL:
 *  none) a byte for each code. O(records + occurrences). */
kn_status kn__growing_clusters_new(kn_growing_clusters **out, kn_clusters *c,
                                   const kn_baskets *baskets, const uint8_t *sensitive,
                                   kn_error *err);
void kn__growing_clusters_free(kn_growing_clusters *p);

/** Find the BTD of every cluster. */
void kn__growing_clusters_measure(kn_growing_clusters *p, unsigned threads);

/** The BTD of clusters a and b together if it is at most `limit`, else something above it. */
double kn__rt_btd_of_both(const kn_growing_clusters *p, uint32_t a, uint32_t b, double limit);

/** What `sum` would be if a and b were one cluster of this NCP. */
static inline uint64_t kn__rt_sum_of_both(const kn_growing_clusters *p, uint32_t a, uint32_t b,
                                          uint32_t ncp)
{
    const uint64_t x = p->c->size[a], y = p->c->size[b];

    return p->sum - x * p->c->ncp[a] - y * p->c->ncp[b] + (x + y) * ncp;
}

/** Cluster `a` takes in `b`; its BTD becomes `btd`. On failure nothing changes. */
kn_status kn__growing_clusters_merge(kn_growing_clusters *p, uint32_t a, uint32_t b, double btd,
                                     kn_error *err);

/** Whether clusters `a` and `b` may become one, into `*out`. */
typedef kn_status (*kn_rt_joins)(void *user, uint32_t a, uint32_t b, bool *out, kn_error *err);

/** Clusters that are published alike become one, if `joins` (NULL: always) says so; BTDs are then
 * unknown. */
kn_status kn__growing_clusters_join_equals(kn_growing_clusters *p, kn_rt_joins joins, void *user,
                                           kn_error *err);

/** The records of cluster `a`, ascending, into `out`, which has room for all of its size. */
void kn__growing_clusters_records(const kn_growing_clusters *p, uint32_t a, uint32_t *out);

/** Number the clusters that are left 0.. and write that into p->c, which is complete again; the
 *  parts are then good for nothing but kn__growing_clusters_free and p->c. */
void kn__growing_clusters_finish(kn_growing_clusters *p);

#endif
