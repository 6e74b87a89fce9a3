/* utility/items/ul_weights.h - w(u), how much a generalised item counts in UL.
 *
 * An item, or a node of the hierarchy, may be given a weight. An item has its own, or that of the
 * nearest node above it that has one, or 1. A node has its own, or the mean of the items below it
 * (those that do not occur count as what is given above them, or 1); a set of items the mean of
 * them, and `*` what the root has. */
#ifndef KN_UTILITY_ITEMS_UL_WEIGHTS_H
#define KN_UTILITY_ITEMS_UL_WEIGHTS_H

#include "hierarchy/domain.h"

/** The weights by node of the domain of a list column, for kn__free; NULL when its column has none
 *  given. @return KN_EUSAGE for one of something that is neither an item nor a node. O(weights x
 *  nodes). */
kn_status kn__ul_weights_new(double **out, const kn_domain *d, kn_error *err);

/** w(u) of what is published as `p`; 1 when `weight` is NULL. */
double kn__ul_weight_of(const double *weight, const kn_domain *d, const kn_published *p);

#endif
