/* models/clusters/hierarchy_distance.h - categories that are as far apart as their hierarchy says.
 */
#ifndef KN_MODELS_CLUSTERS_HIERARCHY_DISTANCE_H
#define KN_MODELS_CLUSTERS_HIERARCHY_DISTANCE_H

#include "data/dataset.h"
#include "hierarchy/hierarchy.h"
#include "models/model.h"

/** Give the attribute `a`, whose values are still empty, all leaves of `h` for values, with the
 * groups that they are in below the root; `column` is what it will be bound to.
 *  @return KN_EINPUT for a value of the column that is no leaf, and for leaves that are ranges. */
kn_status kn__attribute_hierarchy_distance(kn_attribute *a, const kn_hierarchy *h,
                                           const kn_column *column, kn_error *err);

#endif
