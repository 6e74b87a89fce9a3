/* kanon/plan.h - how a table could be published: roles, types, hierarchies and guarantees, found by
 * looking at it, to be changed by a person and written as schema, hierarchies and job.
 *
 *     kn_plan_make(&plan, NULL, "patients.csv", NULL, &err);
 *     kn_plan_set_role(plan, 3, KN_ROLE_SENSITIVE, &err);
 *     kn_plan_write(plan, "patients.kanon", &err);
 */
#ifndef KANON_PLAN_H
#define KANON_PLAN_H

#include "kanon/hierarchy.h"
#include "kanon/job.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kn_plan kn_plan;

typedef struct kn_plan_column {
    const char *name;
    kn_type type;
    kn_role role;
    const char *reason;            /**< why, in a few words; never a value */
    bool doubtful;                 /**< a person should confirm it */
    bool coded;                    /**< numbers that are codes: read as categories */
    size_t values;                 /**< distinct */
    kn_hierarchy_advice hierarchy; /**< what is built for it as a quasi-identifier */
} kn_plan_column;

/** Look at the table at `input`. `job` (may be NULL) gives its layout and the roles that are
 * decided already; what it does not say of header, blanks and missing values is found by looking.
 * The table is read once or twice.
 *  @return what kn_job_table and kn_profile_make return. */
kn_status kn_plan_make(kn_plan **out, const kn_job *job, const char *input, const kn_run *run,
                       kn_error *err);
/** Give the table in memory once more in `*out`, as a stream that is taken. */
typedef kn_status (*kn_table_fn)(void *user, struct ArrowArrayStream *out, kn_error *err);
/** The same of a table in memory, which `open` gives once or twice. The job that kn_plan_write
 * writes names no input then. */
kn_status kn_plan_make_data(kn_plan **out, const kn_job *job, kn_table_fn open, void *user,
                            const kn_run *run, kn_error *err);
void kn_plan_free(kn_plan *plan);

size_t kn_plan_records(const kn_plan *plan);
size_t kn_plan_columns(const kn_plan *plan);
/** Borrowed until the plan changes; NULL behind the last. */
const kn_plan_column *kn_plan_column_at(const kn_plan *plan, size_t i);
/** A role that a person chose: the column is doubtful no longer. */
kn_status kn_plan_set_role(kn_plan *plan, size_t column, kn_role role, kn_error *err);

/** The column by which rows of one person become one record, or SIZE_MAX. */
size_t kn_plan_group_by(const kn_plan *plan);
/** Another column, or SIZE_MAX for none. */
kn_status kn_plan_set_group_by(kn_plan *plan, size_t column, kn_error *err);

/** What else a person should know or confirm, as sentences; NULL behind the last. */
const char *kn_plan_note(const kn_plan *plan, size_t i);

/** The hierarchies of the quasi-identifiers that want one. */
kn_status kn_plan_hierarchies(kn_hierarchies **out, const kn_plan *plan, kn_error *err);

/** Make `folder`, and in it schema.json, job.json and hierarchies/COLUMN.csv, all or nothing. The
 * job runs as it is: kanon anonymize --job FOLDER/job.json.
 *  @return KN_EUSAGE when `folder` is there already: nothing is overwritten. */
kn_status kn_plan_write(const kn_plan *plan, const char *folder, kn_error *err);

#ifdef __cplusplus
}
#endif
#endif
