/* report/report.h - what a report is made from. */
#ifndef KN_REPORT_REPORT_H
#define KN_REPORT_REPORT_H

#include "geo/areas.h"
#include "kanon/anonymize.h"
#include "kanon/guarantee.h"
#include "kanon/measure.h"
#include "kanon/points.h"
#include "kanon/report.h"

typedef struct kn_phase {
    const char *name;
    double seconds;
} kn_phase;

/** The facts of one job; all borrowed, all copied or counted by kn__report_make. */
typedef struct kn_report_facts {
    const char *title, *note, *date; /**< shown on the page; may be NULL */
    size_t original_rows;            /**< original records to show, which makes it confidential */
    const char *job_json;            /**< the job as JSON text */
    uint64_t seed;
    const char *input_path, *output_path;
    const kn_dataset *original;  /**< with roles; its sha256 */
    const kn_dataset *published; /**< as read back from the file; its sha256 */
    const uint32_t *origin;      /**< by published record: the original's record */
    size_t suppressed;           /**< records suppressed, removed or starred */
    kn_left_out left_out;        /**< items left out of all records */
    kn_cluster_counts clusters;  /**< of methods that merge clusters */
    const char *const *tree_cut; /**< tree records: what each class is published as; NULL: none */
    size_t tree_cut_count;
    const char *const *tree_removed; /**< and which relations were disassociated, and why */
    size_t tree_removed_count;
    size_t tree_cuts;     /**< how many cuts were evaluated; 0: the method has none */
    size_t tree_clusters; /**< how many clusters of records were made equal; 0: likewise */
    bool starred, shuffled;
    const kn_hierarchies *hierarchies;
    const kn_areas *areas; /**< of a release of places; or NULL */
    const kn_guarantee *guarantees;
    size_t guarantees_count;
    const kn_verdict *before; /**< of the original */
    const kn_verdict *after;  /**< of the published file */
    const kn_measures *measures;
    kn_points **points; /**< of the published file; the report takes them. NULL, or NULL there: they
                           are found here, with `point_options` */
    const kn_point_options *point_options;
    const char *method;
    const kn_phase *phases;
    size_t phases_count;
    size_t peak_memory_bytes;
} kn_report_facts;

/** Count everything that a report says; afterwards it needs nothing of `facts`. `job_json`, paths,
 * `origin`, `before`, `measures`, `points` and `method` may be NULL. Without `origin` records are
 * taken to be in the input's order if none is missing and they were not shuffled, else
 * generalisations are left out. @return KN_EUSAGE when job_json is not JSON. O(records x columns),
 * columns in parallel. */
kn_status kn__report_make(kn_report **out, const kn_report_facts *facts, const kn_run *run,
                          kn_error *err);

/** What a report says of a verdict, and no more. `ds` may be NULL: violations have no values. */
kn_status kn__report_of_verdict(kn_report **out, const kn_verdict *v,
                                const kn_guarantee *guarantees, size_t count, const kn_dataset *ds,
                                kn_error *err);
/** What a report says of measures, and no more. */
kn_status kn__report_of_measures(kn_report **out, const kn_measures *m, kn_error *err);

#endif
