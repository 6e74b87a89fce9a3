/* job/plan.h - the inside of a plan. */
#ifndef KN_JOB_PLAN_H
#define KN_JOB_PLAN_H

#include "data/dataset.h"
#include "kanon/plan.h"

enum { KN_PLAN_K = 5, KN_PLAN_M = 2 }; /* of the guarantees that a job asks for */

struct kn_plan {
    char *input;      /* what messages call it */
    kn_table_fn open; /* of a table in memory, while the plan is made; `in_memory` says so later */
    void *user;
    bool in_memory;
    kn_job *job;    /* its layout: what was given, and what was found */
    kn_dataset *ds; /* read with that */
    kn_plan_column *column;
    char **reasons; /* by column */
    size_t person;  /* kn_plan_group_by */
    bool sorted;    /* by some column: the release is shuffled */
    char **notes;
    size_t notes_count, notes_cap;
};

/** The share of the records that hold the most frequent value of `column`; NAN where values are not
 * coded. */
kn_status kn__plan_top_share(double *out, const kn_plan *plan, size_t column, kn_error *err);

#endif
