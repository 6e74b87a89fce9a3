/* models/clusters/two_means.h - 2-means of the points of one cluster, several times from different
 * first centres. */
#ifndef KN_MODELS_CLUSTERS_TWO_MEANS_H
#define KN_MODELS_CLUSTERS_TWO_MEANS_H

#include "base/rng.h"
#include "models/clusters/clusters.h"

/** The points of a cluster, attribute by attribute, and scratch. Zero it, but for `c`. */
typedef struct kn_two_means {
    const kn_clustering *c;
    size_t n, cap;
    double *x; /* attribute * cap + place */
    uint32_t *weight;
    uint8_t *side; /* by place: its part */
    double *share; /* by place: how likely it is drawn */
    kn_point_sums sums;
} kn_two_means;

/** Room for all points of `c`. */
kn_status kn__two_means_new(kn_two_means *t, const kn_clustering *c, kn_error *err);
void kn__two_means_clear(kn_two_means *t);
/** Take the points with nearest[i] == cluster. */
void kn__two_means_choose(kn_two_means *t, const uint32_t *nearest, uint32_t cluster);
/** At most `rounds` rounds in the attributes that weigh something in `space`, from two points on
 * that are drawn as by k-means++. The centres into `pair`, in all attributes, and the records of
 * the two parts into `size`; both are 0 if there is nothing to split. */
void kn__two_means_run(kn_two_means *t, const kn_space *space, unsigned rounds, kn_rng *rng,
                       double *pair, uint64_t size[2]);

#endif
