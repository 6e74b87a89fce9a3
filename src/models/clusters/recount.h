/* models/clusters/recount.h - the spans of centres, computed a second time by plain code. */
#ifndef KN_MODELS_CLUSTERS_RECOUNT_H
#define KN_MODELS_CLUSTERS_RECOUNT_H

#include "models/bind.h"
#include "models/judge/recount.h"

typedef struct kn_centroids_counted {
    uint64_t records;       /* whose spans were computed again */
    kn_spans_counted spans; /* counted from the spans of the records */
} kn_centroids_counted;

/** Compute again the spans and the cluster of every record, and compare with `spans`: the same
 * centres, no span twice, as many records in each, every record in the nearest cluster. All
 * different combinations of public values are checked if a fixed amount of work allows, otherwise
 * as many, evenly spread. The same for every thread count.
 *  @return KN_EBROKEN where the two disagree. */
kn_status kn__centroids_recount(kn_centroids_counted *out, const kn_bound *b, const kn_spans *spans,
                                const kn_run *run, kn_error *err);
/** KN_EBROKEN; `what` names the difference. */
kn_status kn__centroids_disagree(kn_error *err, const char *what);

#endif
