/* kanon/anonymize.h - the main job: make a table satisfy its guarantees, then publish it.
 *
 *     kn_anonymize(&release, table, hierarchies, &options, &run, &err);
 *     kn_publish(&outcome, release, "out.csv", NULL, &run, &err);
 *
 * kn_publish writes to a temporary file, reads it back, checks it against the guarantees with code
 * that knows nothing of the method, and only then renames it into place. */
#ifndef KANON_ANONYMIZE_H
#define KANON_ANONYMIZE_H

#include "kanon/guarantee.h"
#include "kanon/io.h"
#include "kanon/measure.h"
#include "kanon/params.h"
#include "kanon/points.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kn_suppressed {
    KN_SUPPRESSED_REMOVED = 0, /**< suppressed records are left out */
    KN_SUPPRESSED_STARRED /**< kept with `*` in every quasi-identifier: a class that must meet the
                             guarantee */
} kn_suppressed;

/** What the items of a column would be published as, while a method searches: value i (its code)
 * has the names name[begin[i]..begin[i + 1]), which are numbers. A record holds every name of each
 * of its items, once. Borrowed for a call. */
typedef struct kn_naming {
    const kn_dataset *ds;
    size_t column;
    size_t values;
    const uint32_t *begin, *name;
    size_t k, m;
} kn_naming;

/** Combinations of names, to be filled by a kn_rare_fn. */
typedef struct kn_rare_names kn_rare_names;
/** Add a combination of `count` different names (1..KN_MOST_M), which `support` people hold. */
kn_status kn_rare_names_add(kn_rare_names *to, const uint32_t *names, size_t count,
                            uint64_t support, kn_error *err);

/** Count records that are elsewhere: add every combination of 1..m names of `naming` that at least
 * one and fewer than k people hold; those that contain another such one may be left out. Called on
 * the calling thread. */
typedef kn_status (*kn_rare_fn)(void *user, const kn_naming *naming, kn_rare_names *found,
                                kn_error *err);

typedef struct kn_anonymize_options {
    size_t size; /**< KN_INIT sets it */
    const kn_guarantee *guarantees;
    size_t guarantees_count;
    const char *method; /**< a name of the catalogue; NULL: that of `params`, or the default of the
                           guarantee */
    const kn_params *params; /**< what is peculiar to the method; NULL: its defaults. Not kept */
    double suppression;      /**< largest share of records that may be suppressed, 0..1 */
    kn_suppressed suppressed;
    double item_suppression; /**< apriori, acd: largest share of item occurrences that may be left
                                out, 0..1 */
    kn_uncovered uncovered;  /**< values that a hierarchy does not cover */
    bool shuffle;            /**< mix the records with entropy of the system */
    const kn_point_options *points; /**< limits and decisions for what kn_publish finds; NULL: the
                                       standard ones. Copied */
    /** apriori, for sets of items that no process holds together: who counts them. The table then
     * has every item once, as a record of its own that stands for as many people as hold it
     * (kn_dataset_set_counts). What is found is what apriori finds of the records themselves where
     * it lists all conflicts (docs/partial.md); kn_release_verify knows the items only, so that the
     * caller checks what is published. NULL: the records are in the table. */
    kn_rare_fn rare;
    void *rare_user;
} kn_anonymize_options;

typedef struct kn_release kn_release;

/** Anonymise `ds`. `hierarchies` may be NULL. `ds` and `hierarchies` must outlive the release.
 *  @return KN_EUSAGE when a decision about a column is open: it has no role, or is kept and can
 * single people out (kn_open_columns_find in kanon/profile.h lists them all); KN_EINFEASIBLE when
 * it cannot be done within the suppression limit; `err` says what could be. */
kn_status kn_anonymize(kn_release **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                       const kn_anonymize_options *options, const kn_run *run, kn_error *err);
void kn_release_free(kn_release *r);

/** The published table: quasi-identifiers generalised, identifiers and dropped columns gone. Its
 * columns have no values but those that its records hold. Borrowed. */
const kn_dataset *kn_release_data(const kn_release *r);
/** The input's record that became record `i` of the release. */
size_t kn_release_origin(const kn_release *r, size_t i);
/** The same of all records: `*count` (may be NULL) numbers, borrowed from `r`. NULL and 0 without a
 * release. */
const uint32_t *kn_release_origins(const kn_release *r, size_t *count);
size_t kn_release_suppressed(const kn_release *r);
const char *kn_release_method(const kn_release *r);

/** Items that are left out of all records (item_suppression). */
typedef struct kn_left_out {
    size_t items;       /**< different ones */
    size_t occurrences; /**< of them, in the records that are published */
    size_t emptied;     /**< records that held nothing else */
} kn_left_out;
kn_left_out kn_release_left_out(const kn_release *r);

/** Of methods that merge clusters of records (rum-bound, tum-bound, rfirst, tfirst); all 0 for
 *  others. */
typedef struct kn_cluster_counts {
    size_t formed;   /**< clusters before any were merged */
    size_t merges;   /**< of two clusters into one */
    size_t clusters; /**< in the end */
    size_t largest;  /**< records of the largest */
} kn_cluster_counts;
kn_cluster_counts kn_release_clusters(const kn_release *r);

/** What publishing found when it read the file back. */
typedef struct kn_outcome {
    kn_verdict *verdict;   /**< of the file as written */
    kn_dataset *published; /**< the file as read back */
    kn_measures *measures; /**< of the file as read back, against the original */
    kn_points *points;     /**< of the file as read back: the verdict in its three states, and what
                              is to settle */
} kn_outcome;
void kn_outcome_clear(kn_outcome *outcome);

/** Check a release in memory as kn_publish checks a file: the guarantees hold for the data as they
 * would be read, every value covers its original, and nothing else changed. `outcome` (may be NULL)
 * as with kn_publish. A caller who publishes kn_release_data in another way must call this
 * first.
 * For records that stand for several people (kn_dataset_set_counts) the outcome has no points.
 *  @return KN_EBROKEN when it does not hold, or with points to settle as kn_publish. */
kn_status kn_release_verify(kn_outcome *outcome, const kn_release *r, const kn_run *run,
                            kn_error *err);

/** Write, flush, re-read, check, rename. The check: the guarantees hold for what was read back,
 * every published value covers its original, and nothing else changed. "-" writes to standard
 * output, after the check of a temporary file. `outcome` (may be NULL) receives the verdict and the
 * data read back; clear it with kn_outcome_clear.
 *  @return KN_EBROKEN, and no file, when what was written does not satisfy the guarantees; also
 * when the release was made with options.points->strict and a point is to settle: in this case, and
 * in no other that fails, `outcome` is filled, so that it can be said what. */
kn_status kn_publish(kn_outcome *outcome, const kn_release *r, const char *path,
                     const kn_layout *layout, const kn_run *run, kn_error *err);

#ifdef __cplusplus
}
#endif
#endif
