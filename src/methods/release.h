/* methods/release.h - the inside of a release. */
#ifndef KN_METHODS_RELEASE_H
#define KN_METHODS_RELEASE_H

#include "methods/method.h"

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
};

/** Make the release of `grouping`: `*out`'s data and origin. */
kn_status kn_release_make(kn_release *out, const kn_task *task, const kn_grouping *grouping,
                          kn_error *err);

#endif
