/* measure_tasks.c - the measures of a report that ask what a release can still be used for:
 * questions and frequent sets. They take longer than the others, so that large tables get them when
 * asked. */
#include "base/error.h"
#include "data/dataset.h"
#include "job/job.h"
#include "utility/utility.h"

#include <string.h>

/* Items for which both take about a tenth of a second; not noticed in a run that takes longer. */
#define MOST_ITEMS 200000

static bool has_list(const kn_dataset *ds, bool *small)
{
    bool found = false;

    *small = true;
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        if (c->role == KN_ROLE_QUASI && c->starts) {
            found = true;
            *small = *small && c->starts[ds->records] <= MOST_ITEMS;
        }
    }
    return found;
}

static kn_status measure_trees(kn_measures *m, const kn_dataset *original,
                               const kn_dataset *published, const kn_hierarchies *hierarchies,
                               const kn_run *run, kn_error *err)
{
    kn_tree_mining mining;

    KN_PASS(kn_tree_mining_measure(&mining, original, published, hierarchies, 0, run, err));
    KN_PASS(kn__measures_add(m, "ml2", mining.ml2, err));
    return kn__measures_add(m, "dml2", mining.dml2, err);
}

kn_status kn__job_measure_tasks(const kn_job *job, kn_measures *m, const kn_dataset *original,
                                const kn_dataset *published, const kn_hierarchies *hierarchies,
                                const kn_run *run, kn_error *err)
{
    const char *which = kn_job_get(job, "measures", 0);
    const bool all = which && strcmp(which, "all") == 0;
    const bool basic = which && strcmp(which, "basic") == 0;
    bool small;
    const bool lists = has_list(original, &small);
    kn_query_error queries;
    kn_mining mining;
    kn_status status;

    if (basic) {
        return KN_OK;
    }
    if (original->forest) {
        return all || original->forest->starts[original->records] <= MOST_ITEMS
                   ? measure_trees(m, original, published, hierarchies, run, err)
                   : KN_OK;
    }
    if (!all && !(lists && small)) {
        return KN_OK;
    }
    status = kn_query_error_measure(&queries, original, published, hierarchies, NULL, run, err);
    if (status == KN_EUSAGE) { /* no record has two items: there is nothing to ask */
        status = KN_OK;
    }
    if (status == KN_OK) {
        status = kn__measures_add(m, "query_error", queries.mean, err);
    }
    if (status == KN_OK && lists) {
        status = kn_mining_measure(&mining, original, published, hierarchies, NULL, run, err);
        if (status == KN_OK) {
            status = kn__measures_add(m, "mining_loss", mining.loss, err);
        }
        kn_mining_clear(&mining);
    }
    return status;
}
