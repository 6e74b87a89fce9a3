/* kanon/points.h - what a careful officer asks about before a release is handed on.
 *
 * A guarantee that holds is about the quasi-identifiers, and only about them. The published file is
 * therefore looked at as a whole, and a verdict has three states: it holds; it holds, with points
 * to settle; it does not hold. A point is settled by publishing otherwise, or by a decision of the
 * person who answers for the release, who accepts it by its name (`accepted`).
 *
 *     kn_publish(&outcome, release, "out.csv", NULL, NULL, &err);
 *     for (size_t i = 0; i < kn_points_open(outcome.points); i++) {
 *         printf("%s\n", kn_points_get(outcome.points, i)->words);
 *     }
 *
 * docs/guarantees.md lists the checks and their limits. */
#ifndef KANON_POINTS_H
#define KANON_POINTS_H

#include "kanon/guarantee.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kn_state {
    KN_STATE_HOLDS = 0, /**< what was asked holds, and every point is decided */
    KN_STATE_POINTS,    /**< it holds, with points to settle */
    KN_STATE_FAILS      /**< it does not hold */
} kn_state;

/** "holds", "holds_with_points" or "fails". */
const char *kn_state_name(kn_state state);

/** A check that gives points. */
typedef struct kn_point_check {
    const char *name; /**< "unique-records" */
    double standard;  /**< its limit unless another is given; 0: it has none */
    bool share;       /**< the limit is a share of 0..1, not a number */
    bool tables;      /**< it looks at published tables, */
    bool models;      /**< at models */
    const char *help; /**< when it gives a point, in a few words */
} kn_point_check;

/** How many checks there are; check `i`, or NULL beyond the last. */
size_t kn_point_checks(void);
const kn_point_check *kn_point_check_at(size_t i);

#define KN_POINT_LIMITS 12 /**< limits that there is room for: one for each check */

/** Limits and decisions. Zeros are the standard limits, and nothing is decided. */
typedef struct kn_point_options {
    size_t size;                   /**< KN_INIT sets it */
    double limit[KN_POINT_LIMITS]; /**< by number of the check; 0: its standard. The smallest double
                                      above 0 is a limit of nothing at all */
    const char *const *accepted;   /**< names of points that the caller accepts */
    size_t accepted_count;
    bool strict; /**< publish nothing while a point is open */
} kn_point_options;

/** Set the limit of the check called `check`. @return KN_EUSAGE for an unknown name (the nearest
 * right one is named), a check without a limit, or a limit out of range. */
kn_status kn_point_options_limit(kn_point_options *options, const char *check, double limit,
                                 kn_error *err);
/** Whether the limits are in range and the names of `accepted` begin with that of a check. */
kn_status kn_point_options_validate(const kn_point_options *options, kn_error *err);

/** One point. Texts are borrowed. */
typedef struct kn_point {
    const char *name;   /**< what accepts it: "small-k", "rare-values:income" */
    const char *check;  /**< the check: "rare-values" */
    const char *column; /**< NULL: it is about the whole release */
    bool decided;       /**< it was accepted */
    size_t records;     /**< records that it concerns */
    double value;       /**< what was found: a share, a certainty, a k; NaN: there is no number */
    double limit;       /**< the limit that it is beyond; NaN: there is none */
    const char *words;  /**< what was found, in a sentence */
    const char *remedy; /**< what settles it, in a sentence */
} kn_point;

/** A column of the published file. */
typedef struct kn_published_column {
    const char *name;
    kn_role role;
    size_t values;      /**< different values, without missing ones; of a list, items */
    size_t rare_values; /**< kept and sensitive: values that fewer than `rare_below` records hold */
    size_t rare_records;    /**< records that hold one of them */
    bool singles_out;       /**< kept: without the columns that are marked so, the records that are
                               unique stay within the limit */
    double certainty;       /**< sensitive: the highest share that one value has in a class of equal
                               quasi-identifiers; NaN: does not apply */
    size_t certain_records; /**< records of classes where that share is above the limit */
    bool estimated; /**< kept: nearly all values are different, and `values`, `rare_values` and
                       `rare_records` come from a sample of them (KN_TABLE_SURVEYED) */
} kn_published_column;

/** The published file as a whole. */
typedef struct kn_survey {
    size_t records;
    size_t rare_below;   /**< the smallest k that was asked for; 5 where there is none */
    size_t grouped;      /**< columns that records are compared by: neither sensitive nor, among the
                            quasi-identifiers, lists */
    size_t unique;       /**< records that no other equals in these */
    size_t unique_quasi; /**< the same by the quasi-identifiers alone */
    const kn_published_column *column; /**< in the order of the file */
    size_t columns;
    bool estimated; /**< some column is: at least about `unique` records are unique */
} kn_survey;

typedef struct kn_points kn_points;

/** Look at the published table `ds`, which `verdict` is about. Columns without a role count as
 * kept; what kn_dataset_allow_unique allows counts as decided. Quasi-identifiers that are lists are
 * left to their guarantee: whole lists are nearly always unique. Lists that are kept are compared
 * as a whole; their rare values are items. `options` may be NULL. The result keeps nothing of its
 * arguments. Expected O(records x columns), and O(records x columns x log columns) where kept
 * columns make records unique. @return KN_EUSAGE as kn_point_options_validate does. */
kn_status kn_points_find(kn_points **out, const kn_dataset *ds, const kn_guarantee *guarantees,
                         size_t guarantees_count, const kn_verdict *verdict,
                         const kn_point_options *options, const kn_run *run, kn_error *err);
void kn_points_free(kn_points *p);

kn_state kn_points_state(const kn_points *p);
/** All points, those to settle first; how many of them are to settle. */
size_t kn_points_count(const kn_points *p);
size_t kn_points_open(const kn_points *p);
const kn_point *kn_points_get(const kn_points *p, size_t i);
/** What holds, in one sentence that names the columns it speaks of, without a full stop; and the
 * same with the state before it. */
const char *kn_points_claim(const kn_points *p);
const char *kn_points_summary(const kn_points *p);
/** NULL for a model. */
const kn_survey *kn_points_survey(const kn_points *p);

#ifdef __cplusplus
}
#endif
#endif
