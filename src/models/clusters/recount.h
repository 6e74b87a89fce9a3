/* models/clusters/recount.h - what centres tell, a second time, by plain code. */
#ifndef KN_MODELS_CLUSTERS_RECOUNT_H
#define KN_MODELS_CLUSTERS_RECOUNT_H

#include "models/bind.h"
#include "models/judge/recount.h"

typedef struct kn_centroids_counted {
    uint64_t records;       /* whose spans were worked out again */
    kn_spans_counted spans; /* counted with everybody in the span that `spans` has */
} kn_centroids_counted;

/** Work out again which centres people can reach, and compare with `spans`: the same centres, no
 * two spans alike, as many people in each, and everybody in the nearest cluster. All different
 * combinations of public values are looked at as long as a moment allows, otherwise as many of
 * them, evenly spread; those whose numbers become longer than 4,096 bits are left out, and all are
 * if more than 4 private attributes are numbers. The same for every thread count.
 *  @return KN_EBROKEN where the two disagree. */
kn_status kn__centroids_recount(kn_centroids_counted *out, const kn_bound *b, const kn_spans *spans,
                                const kn_run *run, kn_error *err);
/** KN_EBROKEN, with `what` the two disagree in. */
kn_status kn__centroids_disagree(kn_error *err, const char *what);

#endif
