/* release/release.h - the inside of a release. */
#ifndef KN_RELEASE_RELEASE_H
#define KN_RELEASE_RELEASE_H

#include "points/points.h"
#include "release/recoding.h"
#include "release/task.h"

/** What a method did to tree records, in words. */
typedef struct kn_tree_changes {
    char **cut; /* by class: what its values are published as; none of local recoding */
    size_t cut_count;
    char **removed; /* by relation that was disassociated: which one, and why */
    size_t removed_count;
    size_t examined; /* cuts that were evaluated */
    size_t clusters; /* of records made equal */
} kn_tree_changes;

void kn__tree_changes_clear(kn_tree_changes *c);

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
    kn_tree_changes trees;   /* owned */
    kn_recoding items;       /* what items became; `to` NULL: not globally. Owned */
    kn_hierarchies *own;     /* `hierarchies`, where the method made them; owned. Or NULL */
    kn_areas *areas;         /* the regions of `sampling` on a map; owned. Or NULL */
};

/** Make the release of `grouping`: `*out`'s data and origin. */
kn_status kn__release_make(kn_release *out, const kn_task *task, const kn_grouping *grouping,
                           kn_error *err);
/** Mix `count` records with entropy of the system. */
kn_status kn__release_shuffle(uint32_t *origin, size_t count, kn_error *err);
/** Make the release of `f`, which it takes in any case: tree records, one for each original. */
kn_status kn__release_make_trees(kn_release *out, const kn_task *task, kn_forest *f, kn_error *err);

#endif
