/* kanon/sweep.h - a job for many values of one or several parameters, to choose among them.
 *
 *     kn_job_set(job, "sweep", "k=2,5,10,20", &err);
 *     kn_job_set(job, "sweep", "method=local,flash", &err);
 *     kn_sweep_run(&sweep, job, &run, &err);
 *     kn_sweep_text(&text, sweep, &err);
 *
 * Any number that a guarantee or a method takes can be swept, and the method; of several parameters
 * all combinations are run, and a value is one of them. docs/jobs.md describes the key. */
#ifndef KANON_SWEEP_H
#define KANON_SWEEP_H

#include "kanon/job.h"

#ifdef __cplusplus
extern "C" {
#endif

#define KN_SWEEP_MOST          1000 /**< values */
#define KN_SWEEP_MOST_RELEASES 100  /**< values when each is released */

typedef struct kn_sweep kn_sweep;

/** Run `job`, which has a "sweep", once for each value; the table and its hierarchies are read
 * once, and the original is checked once unless the value changes what is asked of it. Each run
 * gives the bytes of a job with that value alone. A value that cannot be met is part of the result:
 * KN_OK even if none can (kn_sweep_worked says). Any other failure ends all of it, KN_EBROKEN
 * included.
 *
 * With an output, each value's release is written beside it (kn_sweep_path); all of them, and the
 * reports, are put into place when every run is through, and none before. Without an output each
 * release is written to a temporary file, checked, and removed. */
kn_status kn_sweep_run(kn_sweep **out, const kn_job *job, const kn_run *run, kn_error *err);
/** The same of a table in memory: nothing is written, and each release is checked as
 * kn_release_to_arrow does it, and freed. `data` is taken as by kn_job_run_data.
 *  @return KN_EUSAGE also for a job that names files to read or write. */
kn_status kn_sweep_run_data(kn_sweep **out, const kn_job *job, const kn_job_data *data,
                            const kn_run *run, kn_error *err);
/** Where the release of value `i` goes: `out.csv` becomes `out.k=5.csv`, or
 * `out.k=5.method=flash.csv`. `*path` is NULL beyond the last value and for a job without an
 * output; free it with kn_string_free. */
kn_status kn_sweep_path(char **path, const kn_job *job, size_t i, kn_error *err);
/** Free `s`. NULL is fine. */
void kn_sweep_free(kn_sweep *s);

/** The parameter, such as "k" or "k and method", how many values it had, and those that could be
 * met. */
const char *kn_sweep_parameter(const kn_sweep *s);
size_t kn_sweep_values(const kn_sweep *s);
size_t kn_sweep_worked(const kn_sweep *s);
/** Value `i`, as text: "5", or "k = 5, method = flash". Borrowed, as all below. */
const char *kn_sweep_value(const kn_sweep *s, size_t i);
/** The report of value `i`, or NULL: then it cannot be met, and the reason says why. */
const kn_report *kn_sweep_report(const kn_sweep *s, size_t i);
const char *kn_sweep_reason(const kn_sweep *s, size_t i);

/** All values as text: JSON, an HTML page with plots, or the table that the command prints. What
 * kn_report_json and its sisters never show, these do not show. Free with kn_string_free. */
kn_status kn_sweep_json(char **out, const kn_sweep *s, kn_error *err);
kn_status kn_sweep_html(char **out, const kn_sweep *s, kn_error *err);
kn_status kn_sweep_text(char **out, const kn_sweep *s, kn_error *err);

#ifdef __cplusplus
}
#endif
#endif
