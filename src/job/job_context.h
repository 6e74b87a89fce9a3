/* job/job_context.h - one run of a job in its steps, for what runs a job once (job_run.c) and for
 * what runs it for many values (sweep.c). */
#ifndef KN_JOB_JOB_CONTEXT_H
#define KN_JOB_JOB_CONTEXT_H

#include "data/schema.h"
#include "io/bytes/file.h"
#include "job/job.h"
#include "kanon/arrow.h"
#include "publish/publish.h"
#include "report/report.h"

enum { KN_MOST_PHASES = 8, KN_RELEASE_FILES = 4 };

/** Zero but for `job` and `run` to start; kn__job_context_clear frees what the steps have put
 * there. A sweep lends `schema`, `original`, `hierarchies`, `before` and `memo` to the runs of its
 * values and takes them back before it clears those. */
typedef struct kn_job_context {
    const kn_job *job;
    kn_run run;
    bool wants_report;          /* a report was asked for: compute what only it shows */
    const char *input, *output; /* output NULL: nothing is released */
    /* Instead of files: where the table comes from (taken) and where the release goes, with what
     * was found when its arrays were read again. */
    struct ArrowArrayStream *table, *published;
    kn_outcome found;
    kn_hierarchies *given; /* hierarchies made in memory; taken by reading */
    kn_schema *schema;
    kn_dataset *original;
    kn_hierarchies *hierarchies;
    kn_guarantee *guarantees;
    size_t guarantees_count;
    size_t rare_below;       /* the k of kn__refuse_open_columns; of a sweep, the largest */
    kn_params *params;       /* of the method; options.params */
    kn_point_options points; /* options.points */
    kn_anonymize_options options;
    kn_verdict *before;
    struct kn_sweep_cache *memo; /* of a sweep; NULL: there is one run only */
    kn_release *release;
    kn_publication *publication;
    kn_report *report;
    /* one per report, then the job file's, the printed report's, and those about the release */
    kn_sink **sinks;
    size_t reports;
    kn_phase phases[KN_MOST_PHASES];
    size_t phases_count;
    double since;
} kn_job_context;

/* ---- before anything is read ---- */

/** The names of input and output. */
kn_status kn__job_context_begin(kn_job_context *w, kn_error *err);
/** What must hold, and how to reach it. */
kn_status kn__job_context_ask(kn_job_context *w, kn_error *err);
/** The schema. */
kn_status kn__job_context_schema(kn_job_context *w, kn_error *err);
/** Refuse an output that is one of the files read, or a report, or that cannot be written. */
kn_status kn__job_context_refuse_output(const kn_job_context *w, kn_error *err);
/** Refuse such reports, and count them. */
kn_status kn__job_context_refuse_reports(kn_job_context *w, kn_error *err);

/** The options that name files about a release: "recoding", "map", "areas", "mapping". */
extern const char *const kn__release_files[KN_RELEASE_FILES];

/** Refuse a job on a table in memory that names files to read or write; `sweep`: it may have one.
 */
kn_status kn__job_refuse_files(const kn_job *job, bool sweep, kn_error *err);

/* ---- the work ---- */

/** The table and its hierarchies; refuses a table while decisions about its columns are open. */
kn_status kn__job_context_read(kn_job_context *w, kn_error *err);
/** Anonymise, publish into a temporary file (read back and checked); where w->wants_report, compare
 * with the original (which is checked unless `before` is there), measure, report. KN_EINFEASIBLE
 * when it cannot be done. */
kn_status kn__job_context_make(kn_job_context *w, kn_error *err);

/** The text of a report; kn_string_free frees it. */
typedef kn_status (*kn_render_fn)(const void *what, bool html, char **out, kn_error *err);

/** Write the job's reports, and the job file if one was asked for, to temporary files. */
kn_status kn__job_context_write_reports(kn_job_context *w, kn_render_fn render, const void *what,
                                        kn_error *err);
/** Write what is asked about the release to temporary files, KN_RELEASE_FILES at most. KN_EUSAGE
 * when it has no areas, or no recoding to keep. */
kn_status kn__job_context_put_files(const kn_job_context *w, kn_sink **sinks, kn_error *err);
/** Put `releases` (elements may be NULL), the reports and the job file into place, all or none. */
kn_status kn__working_commit(kn_job_context *w, kn_publication *const *releases, size_t count,
                             kn_error *err);

void kn__job_context_clear(kn_job_context *w);

#endif
