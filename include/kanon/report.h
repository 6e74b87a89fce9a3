/* kanon/report.h - the result of a job as JSON and as one self-contained HTML page. */
#ifndef KANON_REPORT_H
#define KANON_REPORT_H

#include "kanon/error.h"
#include "kanon/measure.h"
#include "kanon/memory.h"
#include "kanon/points.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kn_report kn_report;

/** Free `r`. NULL is fine. */
void kn_report_free(kn_report *r);

bool kn_report_satisfied(const kn_report *r);
/** The verdict in its three states, the points to settle and those decided, the sentence that says
 * what holds, and the published file as a whole: kanon/points.h. Borrowed. */
const kn_points *kn_report_points(const kn_report *r);
/** A measure of the release, such as "loss"; NaN when absent. */
double kn_report_utility(const kn_report *r, const char *measure);

/** The report as text: JSON, HTML, or the summary that the command prints. Values of identifiers
 * and rare values never appear (docs/reports.md). Free with kn_string_free. @return KN_ENOMEM at
 * worst. */
kn_status kn_report_json(char **out, const kn_report *r, kn_error *err);
kn_status kn_report_html(char **out, const kn_report *r, kn_error *err);
kn_status kn_report_text(char **out, const kn_report *r, kn_error *err);

/** A verdict as JSON, with the keys that a report has for it: `guarantee` (with what is achieved),
 * `satisfied`, `achieved`, `recount`, `violations`, `violations_total`. `guarantees` are those of
 * the check, `ds` is what was checked; NULL (as for kn_partial_finish): violations are listed
 * without their values. Free with kn_string_free.
 *  @return KN_EUSAGE when there are not as many guarantees as were checked. */
kn_status kn_verdict_json(char **out, const kn_verdict *v, const kn_guarantee *guarantees,
                          size_t count, const kn_dataset *ds, kn_error *err);
/** Measures as JSON, as in a report: `utility` of the whole table, `utility_by_column`; what does
 * not apply is null. Free with kn_string_free. */
kn_status kn_measures_json(char **out, const kn_measures *m, kn_error *err);

/** Write to `path`: .json or .html by its name. Atomic, as releases are.
 *  @return KN_EUSAGE for any other name, KN_EIO when it cannot be written. */
kn_status kn_report_write(const kn_report *r, const char *path, kn_error *err);

#ifdef __cplusplus
}
#endif
#endif
