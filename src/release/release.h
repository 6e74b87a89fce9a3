/* release/release.h - the inside of a release. */
#ifndef KN_RELEASE_RELEASE_H
#define KN_RELEASE_RELEASE_H

#include "points/points.h"
#include "release/task.h"

struct kn_release {
    const kn_dataset *original;
    const kn_hierarchies *hierarchies;
    kn_dataset *data;
    uint32_t *origin; /* by published record */
    size_t suppressed;
    const char *method;
    kn_guarantee *guarantees; /* what it must satisfy when it is read back */
    size_t guarantees_count;
    kn_uncovered uncovered;
    bool starred, shuffled;
    uint8_t *left_out; /* by code of the column of items: published nowhere, on purpose; or NULL */
    double item_limit; /* the share of occurrences for which that may be so */
    kn_left_out left;
    const char *bounded; /* the measure that must be at `bound` or below when it is read back; or
                            NULL */
    double bound;
    kn_cluster_counts clusters;
    kn_point_options points; /* owned */
};

/** Make the release of `grouping`: `*out`'s data and origin. */
kn_status kn__release_make(kn_release *out, const kn_task *task, const kn_grouping *grouping,
                           kn_error *err);

#endif
