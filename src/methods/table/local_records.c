/* local_records.c - local recoding for k-anonymity alone, record by record.
 *
 * k-anonymity asks for the size of a group only. So records of one tuple may go to different
 * groups, and a move is known to keep the guarantee without a look at the records. The start is the
 * better of the groups of tuples and the clusters of cluster.c; cluster/refine.c improves it. All
 * are priced by the loss that is reported, so the result loses no more than either. */
#include "methods/table/local.h"
#include "base/error.h"
#include "base/memory.h"
#include "methods/cluster/cluster.h"

enum { TRIALS = 4 }; /* of forming neighbours anew, for an effort of 1 */

kn_status kn__local_records(const kn_task *task, kn_grouping *groups, kn_error *err)
{
    const size_t records = task->ds->records, k = kn__clusters_k(task);
    uint8_t *barred = kn__zalloc_array(records + 1, sizeof *barred);
    const double effort = kn__param_number(&task->params, "effort");
    const unsigned trials = 1 + (unsigned)(TRIALS * effort);
    kn_clusters *given = NULL, *formed = NULL, *best;
    kn_task left = *task;
    double before;
    kn_status status;

    KN_TRY(barred ? KN_OK : kn__nomem(err));
    left.barred = barred;
    left.barred_count = 0;
    for (size_t i = 0; i < records; i++) {
        barred[i] = groups->group[i] == KN_SUPPRESSED;
        left.barred_count += barred[i];
    }
    if (left.barred_count == records) {
        goto done;
    }
    KN_TRY(kn__clusters_of_groups(&given, &left, groups, KN_PRICE_LOSS, err));
    KN_TRY(kn__clusters_new(&formed, &left, k, false, KN_PRICE_LOSS, err));
    best = kn__clusters_ncp(formed) < kn__clusters_ncp(given) ? formed : given;
    before = kn__clusters_reported(given);
    KN_TRY(kn__clusters_improve(best, k, trials, err));
    if (kn__clusters_reported(best) > before) {
        goto done;
    }
    kn__grouping_clear(groups);
    *groups = (kn_grouping){0};
    KN_TRY(kn__clusters_publish(best, groups, err));
done:
    kn__clusters_free(given);
    kn__clusters_free(formed);
    kn__free(barred);
    return status;
}
