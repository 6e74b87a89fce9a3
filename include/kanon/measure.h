/* kanon/measure.h - what a release lost, and what risk remains. docs/measures.md defines each
 * measure. */
#ifndef KANON_MEASURE_H
#define KANON_MEASURE_H

#include "kanon/hierarchy.h"
#include "kanon/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One measured number. `column` is NULL for measures of the whole table. NaN: does not apply. */
typedef struct kn_measurement {
    const char *name;   /**< as in the catalogue: "loss", "ncp", "discernibility", ... */
    const char *column; /**< NULL, or the column */
    double value;
} kn_measurement;

typedef struct kn_measures kn_measures;

/** Measure `release` against `original`. Roles and weights come from `original`; the columns are
 *  matched by name. `origin[i]` is the original's record behind record i of the release; NULL:
 *  found by matching records in order, and where that fails (a shuffled release) `entropy` is
 *  NaN and the others come from the published texts alone. Records of the original that the
 *  release lacks count as suppressed. The result keeps nothing of its arguments.
 *  @return KN_EUSAGE without a quasi-identifier, when one is a list, or when `origin` names a
 *  record twice or one that is not there; KN_EINPUT when a quasi-identifier is missing in the
 *  release, or a published value cannot be understood or does not cover its original. O(records
 *  x columns), a column a thread. */
kn_status kn_measure(kn_measures **out, const kn_dataset *original, const kn_dataset *release,
                     const uint32_t *origin, const kn_hierarchies *hierarchies, const kn_run *run,
                     kn_error *err);
void kn_measures_free(kn_measures *m);
size_t kn_measures_count(const kn_measures *m);
const kn_measurement *kn_measures_get(const kn_measures *m, size_t i);
/** The value of `name` for `column` (NULL: the whole table), NaN when absent. */
double kn_measures_value(const kn_measures *m, const char *name, const char *column);

/** Re-identification risk of a table through its quasi-identifiers. */
typedef struct kn_risk {
    size_t records, classes;
    double prosecutor_max;  /**< 1 / smallest class */
    double prosecutor_mean; /**< mean over records of 1 / class size; equals the marketer risk */
    double at_risk_share;   /**< share of records whose risk is above `threshold` */
    double journalist_max;  /**< as prosecutor_max, but over the population; NaN without one */
    double journalist_mean;
    double marketer; /**< expected share re-identified when all records are linked */
    size_t unique;   /**< records in classes of one */
    double threshold;
} kn_risk;

/** Risk of `ds`. `population` (may be NULL) is the table that a journalist could look people up
 *  in, generalised likewise and with the same quasi-identifiers; where it has fewer people of a
 *  kind than `ds`, those of `ds` count. Without records all risks are 0.
 *  @return KN_EUSAGE without a quasi-identifier, when one is a list, or for a threshold outside
 *  0..1; KN_EINPUT when the population lacks a column. O(records x columns). */
kn_status kn_risk_measure(kn_risk *out, const kn_dataset *ds, const kn_dataset *population,
                          double threshold, const kn_run *run, kn_error *err);

/** Class sizes of `ds`, ascending, as (size, number of classes) pairs. Free with
 *  kn_class_sizes_free. */
typedef struct kn_class_sizes {
    size_t count;
    size_t *size, *classes;
} kn_class_sizes;
kn_status kn_class_sizes_count(kn_class_sizes *out, const kn_dataset *ds, const kn_run *run,
                               kn_error *err);
void kn_class_sizes_free(kn_class_sizes *sizes);

/** How unique a subset of columns makes people. */
typedef struct kn_uniqueness {
    size_t columns[4]; /**< the subset, `size` of them */
    size_t size;
    size_t classes; /**< distinct combinations */
    size_t unique;  /**< records that are alone with theirs */
} kn_uniqueness;

/** For every subset of 1 up to `max_size` (at most 4) of the quasi-identifiers, and for all of
 *  them together (size 0 in the first entry), how many records are unique. The first entry is
 *  the whole; then by size, most unique first. Single columns are always measured; larger sizes
 *  only as long as all subsets of that size fit into 2,000 in total. `*out` is freed with
 *  kn_uniqueness_free.
 *  @return KN_EUSAGE without a quasi-identifier, when one is a list, or for a `max_size` above
 *  4. Cost: one pass over the records a subset. */
kn_status kn_uniqueness_measure(kn_uniqueness **out, size_t *count, const kn_dataset *ds,
                                size_t max_size, const kn_run *run, kn_error *err);
void kn_uniqueness_free(kn_uniqueness *u);

#ifdef __cplusplus
}
#endif
#endif
