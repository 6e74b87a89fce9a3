/* report/make.h - the steps in which a report is made (kn__report_make). Each fills its part of `r`
 * from the facts; what it has put there kn_report_free frees, also after a failure. */
#ifndef KN_REPORT_MAKE_H
#define KN_REPORT_MAKE_H

#include "report/facts.h"

/* ---- copy.c ---- */

/** A copy of `text` without control characters; NULL stays NULL. */
kn_status kn__report_text_copy(char **out, const char *text, kn_error *err);
/** @return KN_EUSAGE when `job` (may be NULL) is not JSON. */
kn_status kn__report_copy_job(kn_report *r, const char *job, kn_error *err);
kn_status kn__report_copy_guarantees(kn_report *r, const kn_report_facts *f, kn_error *err);
kn_status kn__report_copy_measures(kn_report *r, const kn_measures *m, kn_error *err);
kn_status kn__report_copy_phases(kn_report *r, const kn_report_facts *f, kn_error *err);
/** The columns must be there already. */
kn_status kn__report_copy_violations(kn_report *r, const kn_report_facts *f, kn_error *err);

/* ---- trees.c ---- */

kn_status kn__report_copy_trees(kn_report *r, const kn_report_facts *f, kn_error *err);
/** Parts of a few records, before and after: no original value is tied to a published record that
 * fewer than rare_below others look like. */
kn_status kn__report_draw_trees(kn_report *r, const kn_report_facts *f, kn_error *err);

/* ---- count.c ---- */

/** Columns in parallel. O(records x columns). */
kn_status kn__report_count_columns(kn_report *r, const kn_report_facts *f, const kn_run *run,
                                   kn_error *err);
/** The spread of each ordered quasi-identifier, and means, deviations and correlations. After
 * kn__report_count_columns. O(records x pairs of at most 8 columns). */
kn_status kn__report_summarise(kn_report *r, const kn_report_facts *f, kn_error *err);
/** Some equivalence classes, and the originals where they are asked for. */
kn_status kn__report_pick_rows(kn_report *r, const kn_report_facts *f, const kn_run *run,
                               kn_error *err);
kn_status kn__report_measure_risk(kn_report *r, const kn_report_facts *f, const kn_run *run,
                                  kn_error *err);

#endif
