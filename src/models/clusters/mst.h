/* models/clusters/mst.h - the minimal spanning tree of points in a space of mixed attributes. */
#ifndef KN_MODELS_CLUSTERS_MST_H
#define KN_MODELS_CLUSTERS_MST_H

#include "kanon/run.h"
#include "models/clusters/nearest.h"

/** An edge between two points. */
typedef struct kn_edge {
    uint32_t from, to; /* from < to */
    double length;     /* squared distance, in doubles */
} kn_edge;

/** The tree over `count` (1 or more) different points: count - 1 edges into `edge`, the shortest
 * first; of equal length those with the lesser `from`, then `to`. It is the one tree that is
 * minimal in this order of edges, whatever the thread count.
 *
 * By Borůvka's algorithm: each component looks for its shortest edge in a k-d tree of all points.
 * O(n log^2 n) expected in few dimensions, O(n^2 log n) at worst. */
kn_status kn__mst(kn_edge *edge, const kn_space *space, const double *point, size_t count,
                  const kn_run *run, kn_error *err);

#endif
