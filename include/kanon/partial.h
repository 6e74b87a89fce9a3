/* kanon/partial.h - checking a table that is in several places: counts of slices that merge.
 *
 * Each machine counts its slice of the records; the counts travel as bytes and are merged in any
 * order and grouping, with the same bytes as result; the last one finishes them into the verdict
 * that kn_check would give of all records together. Values first need one numbering for all slices,
 * so there are two passes:
 *
 *     kn_dictionary_new(&d, &err);                        // on every machine, for its slice
 *     kn_dictionary_add(d, slice, &err);
 *     kn_dictionary_write(&bytes, &len, d, &err);         // send; kn_bytes_free
 *     kn_dictionary_merge(all, bytes, len, &err);         // receive; then send `all` to everyone
 *
 *     kn_partial_new(&p, all, &options, &err);            // on every machine, for its slice
 *     kn_partial_add(p, slice, NULL, &err);
 *     kn_partial_write(&bytes, &len, p, &err);            // send
 *     kn_partial_merge(whole, bytes, len, &err);          // receive
 *     kn_partial_finish(&verdict, whole, hierarchies, NULL, &err);
 *
 * Two families of guarantees can be counted so: those of classes (k-anonymity, l-diversity,
 * t-closeness: per class its size and the histogram of every sensitive column) and km-anonymity
 * (supports of all combinations of up to m items). Slices are read with one schema, and only
 * columns that are quasi-identifiers or sensitive are looked at. Bytes may come from anywhere: what
 * is no count through and through is refused. docs/partial.md says more. */
#ifndef KANON_PARTIAL_H
#define KANON_PARTIAL_H

#include "kanon/dataset.h"
#include "kanon/guarantee.h"
#include "kanon/hierarchy.h"
#include "kanon/memory.h"
#include "kanon/run.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The values of the quasi-identifiers and sensitive columns of all slices. */
typedef struct kn_dictionary kn_dictionary;

/** An empty one. */
kn_status kn_dictionary_new(kn_dictionary **out, kn_error *err);
/** Free `d`. NULL is fine. */
void kn_dictionary_free(kn_dictionary *d);
/** Add the values of `slice`. O(values).
 *  @return KN_EUSAGE when its columns, their roles or kinds are not those of the slices before, for
 *  a list of numbers (read it as items), and for missing values that may be anyone's. After
 * KN_ENOMEM the dictionary takes no more, and cannot be used. */
kn_status kn_dictionary_add(kn_dictionary *d, const kn_dataset *slice, kn_error *err);
/** As bytes, `*len` of them, which depend on the values alone. Free with kn_bytes_free. */
kn_status kn_dictionary_write(unsigned char **out, size_t *len, const kn_dictionary *d,
                              kn_error *err);
/** Add the values of a dictionary that was written.
 *  @return KN_EINPUT unless the bytes are a dictionary, KN_EUSAGE as kn_dictionary_add. */
kn_status kn_dictionary_merge(kn_dictionary *d, const unsigned char *bytes, size_t len,
                              kn_error *err);

typedef struct kn_partial_options {
    size_t size; /**< KN_INIT sets it */
    const kn_guarantee *guarantees;
    size_t guarantees_count;
    /** km-anonymity, where all combinations together do not fit into memory: count one of so many
     * parts, from 0, in every slice; 0 parts: there is but one. See kn_partial_reduce. */
    uint32_t parts, part;
} kn_partial_options;

/** The counts of some slices. */
typedef struct kn_partial kn_partial;

/** Counts of no record yet, for what `options` ask. Nothing of the arguments is kept.
 *  @return KN_EUSAGE for guarantees that cannot be counted by slices, or not together, and for
 *  columns that do not fit them. */
kn_status kn_partial_new(kn_partial **out, const kn_dictionary *d,
                         const kn_partial_options *options, kn_error *err);
/** Free `p`. NULL is fine. */
void kn_partial_free(kn_partial *p);
/** Count the records of `slice`, whose values are all in the dictionary. Expected O(records x
 * columns); of items see docs/partial.md.
 *  @return KN_EINPUT for a value that is not in the dictionary. After KN_ENOMEM and KN_ECANCELLED
 * the counts take no more, and cannot be used. */
kn_status kn_partial_add(kn_partial *p, const kn_dataset *slice, const kn_run *run, kn_error *err);
/** As bytes, `*len` of them, which depend on the records alone. Free with kn_bytes_free. */
kn_status kn_partial_write(unsigned char **out, size_t *len, const kn_partial *p, kn_error *err);
/** Add counts that were written for other records; of reduced counts, for another part. Counts of
 * no record yet take reduced ones, of any part, and are reduced from then on.
 *  @return KN_EINPUT unless the bytes are such counts, KN_EUSAGE when they were made with another
 *  dictionary or for other guarantees. */
kn_status kn_partial_merge(kn_partial *p, const unsigned char *bytes, size_t len, kn_error *err);
/** Keep only what the verdict needs of the counts of km-anonymity: combinations below k. To be
 * called when all slices of a part are merged; what was reduced merges with other reduced parts
 * only. */
kn_status kn_partial_reduce(kn_partial *p, kn_error *err);

/** The verdict on all records that were counted, as kn_check gives it, with three differences.
 * kn_violation.record is a class (kn_partial_class_code), or SIZE_MAX for a combination of items,
 * whose codes and column are those of kn_partial_value. kn_verdict_records_at_risk is 0 for
 * combinations. Nothing is counted a second time.
 *  @return KN_EUSAGE while a part is lacking; KN_EINPUT for 2^32 records or more. */
kn_status kn_partial_finish(kn_verdict **out, kn_partial *p, const kn_hierarchies *hierarchies,
                            const kn_run *run, kn_error *err);

/** The combinations of items that fewer than k records hold, k being the largest that was asked:
 * those of reduced counts, all parts of which are merged. `*count` of them.
 *  @return KN_EUSAGE for other counts. */
kn_status kn_partial_rare(size_t *count, const kn_partial *p, kn_error *err);
/** Combination `i` of these: its codes, up to KN_MOST_M, go to `codes`, their number to `*len`.
 *  @return how many records hold it; 0: there is no such combination. */
uint64_t kn_partial_rare_codes(const kn_partial *p, size_t i, uint32_t *codes, size_t *len);

/** Records counted. */
uint64_t kn_partial_records(const kn_partial *p);
/** Classes; 0 for items. Numbers of classes are valid from kn_partial_finish to the next change. */
size_t kn_partial_classes(const kn_partial *p);
/** Records of class `i`. */
uint64_t kn_partial_class_size(const kn_partial *p, size_t i);
/** The columns that were looked at, by name in ascending order. */
size_t kn_partial_columns(const kn_partial *p);
const char *kn_partial_column_name(const kn_partial *p, size_t column);
/** The value of class `i` in quasi-identifier `column`; KN_NO_CODE for other columns. */
uint32_t kn_partial_class_code(const kn_partial *p, size_t i, size_t column);
/** The text of value `code` of a column, `*len` bytes; NULL for a missing value. Borrowed. */
const char *kn_partial_value(const kn_partial *p, size_t column, uint32_t code, size_t *len);

#ifdef __cplusplus
}
#endif
#endif
