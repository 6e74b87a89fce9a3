/* kanon/measure.h - what a release lost, and what risk remains. docs/measures.md defines each
 * measure. */
#ifndef KANON_MEASURE_H
#define KANON_MEASURE_H

#include "kanon/guarantee.h"
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
 *  release lacks count as suppressed. One quasi-identifier may be a list of items, alone or beside
 *  others: `ncp` and `loss` are then means over all of them. The result keeps nothing of its
 *  arguments.
 *  @return KN_EUSAGE without a quasi-identifier, when several are lists, or when `origin` names a
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

/** Counting questions that are put to the original and to the release. Zero fields take their
 *  default. */
typedef struct kn_query_options {
    size_t size;    /**< KN_INIT sets it */
    size_t queries; /**< how many are drawn, at most 1,000,000; 0: 100 */
    /** Conditions that a drawn question has on quasi-identifiers with one value a record, and items
     *  that it asks for, at most 10. Both 0: two items where a quasi-identifier is a list, with one
     *  value if there are others; else two values. */
    size_t values, items;
    /** Questions instead of drawn ones: one a record, in columns named as the original's; cells are
     *  conditions, written as published values are, and empty ones are none. */
    const kn_dataset *workload;
} kn_query_options;

typedef struct kn_query_error {
    size_t queries; /**< that were asked */
    double mean;    /**< of |estimated - actual| / actual; NaN without questions */
    double median;
} kn_query_error;

/** How far off the release's answers to counting questions are. Questions are drawn from the
 *  records of the original with run->seed; the same for every release of it. A question whose
 *  answer is 0, which only `workload` can hold, is divided by 1. `options` may be NULL.
 *  @return KN_EUSAGE when questions of that kind, or so many, cannot be drawn; KN_EINPUT when
 * `workload` asks for what the original does not hold, or the release does not fit. */
kn_status kn_query_error_measure(kn_query_error *out, const kn_dataset *original,
                                 const kn_dataset *release, const kn_hierarchies *hierarchies,
                                 const kn_query_options *options, const kn_run *run, kn_error *err);

/** Frequent sets of items. Zero fields take their default. */
typedef struct kn_mining_options {
    size_t size;    /**< KN_INIT sets it */
    double support; /**< share of the original's records that makes a set frequent; 0: 0.01 */
    size_t items;   /**< items a set has at most, up to 16; 0: 3 */
    uint64_t steps; /**< items looked at before the size is cut down; 0: a thousand million */
} kn_mining_options;

typedef struct kn_mining_level {
    size_t frequent;  /**< sets that are frequent in the original */
    size_t preserved; /**< of these, frequent in the release */
} kn_mining_level;

typedef struct kn_mining {
    double loss; /**< 1 - preserved / frequent over all levels; NaN without any */
    size_t frequent, preserved;
    size_t least;  /**< records that make a set frequent */
    size_t size;   /**< items a set has at most: as asked, or fewer */
    bool bounded;  /**< fewer, as more would have taken too long */
    size_t levels; /**< 0 is the items themselves */
    kn_mining_level *level;
} kn_mining;

/** Multi-level mining loss: which of the frequent sets of items of the original, at every level of
 *  the hierarchy, are frequent in the release. For the first quasi-identifier that is a list;
 *  docs/measures.md defines the levels. Clear with kn_mining_clear. `options` may be NULL.
 *  @return KN_EUSAGE when no quasi-identifier is a list or an option is out of range; KN_EINPUT
 *  when the release does not fit. */
kn_status kn_mining_measure(kn_mining *out, const kn_dataset *original, const kn_dataset *release,
                            const kn_hierarchies *hierarchies, const kn_mining_options *options,
                            const kn_run *run, kn_error *err);
void kn_mining_clear(kn_mining *m);

/** Frequent subtrees of tree records. A subtree begins at the root of a record, which is not
 * counted as a node, and is induced: a child in it is a child in the record. As siblings are
 * distinct it is a set of paths with all that they begin with. */
typedef struct kn_tree_mining {
    uint64_t frequent;  /**< in the original, at all levels of the hierarchies */
    uint64_t preserved; /**< of these, frequent in the release */
    double ml2;         /**< 1 - preserved / frequent */
    double dml2;        /**< mean distance of a frequent subtree to what it was published as */
} kn_tree_mining;

/** Multi-level mining loss of tree records, and its differential form (docs/tree-anonymity.md). A
 *  subtree is frequent when a share `support` (0: 0.01) of the records holds it. Records are
 *  compared in their order.
 *  @return KN_EUSAGE without tree records; KN_EINPUT when the release does not fit; KN_EINFEASIBLE
 *  when too many subtrees are frequent. */
kn_status kn_tree_mining_measure(kn_tree_mining *out, const kn_dataset *original,
                                 const kn_dataset *release, const kn_hierarchies *hierarchies,
                                 double support, const kn_run *run, kn_error *err);

/** What attackers find who also know that a person does not have certain values. */
typedef struct kn_negative_level {
    size_t samples;  /**< attackers drawn */
    double matching; /**< records that match what they know of the person, on average */
    double left;     /**< and when they know besides what the person does not have */
    size_t least;    /**< the smallest number of records left */
    size_t below;    /**< attackers who are left with fewer than k */
    double breached; /**< records that these find, per attacker drawn */
} kn_negative_level;

typedef struct kn_negative {
    size_t q;
    kn_negative_level original;    /**< they negate values of the original */
    kn_negative_level generalised; /**< they negate values of the next level of the hierarchies */
} kn_negative;

/** Draw attackers who know `guarantee`'s m values of a random person, its n relations among them,
 * and `q` values that the person does not have. For tree records; drawn with run->seed. */
kn_status kn_negative_measure(kn_negative *out, const kn_dataset *original,
                              const kn_dataset *release, const kn_hierarchies *hierarchies,
                              const kn_guarantee *guarantee, size_t q, const kn_run *run,
                              kn_error *err);

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
