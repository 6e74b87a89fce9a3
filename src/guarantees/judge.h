/* guarantees/judge.h - guarantees made ready for one table: does this set of records satisfy
 * them as a class?
 *
 * Methods ask it while they work. The checker of a release (check.c) groups the re-read file by
 * itself and uses only the formulas. */
#ifndef KN_GUARANTEES_JUDGE_H
#define KN_GUARANTEES_JUDGE_H

#include "data/dataset.h"
#include "kanon/guarantee.h"

typedef struct kn_judge kn_judge;
typedef struct kn_judge_scratch kn_judge_scratch; /* one a thread */

/** Prepare `guarantees` for `ds`, the original table. The reference distribution of t-closeness is
 *  that of the records `kept` (a byte a record, non-zero: kept; NULL: all), which are published,
 *  or with KN_REFERENCE_ORIGINAL that of all records. KN_EUSAGE
 *  when l-diversity or t-closeness is asked and no column is sensitive, or the parameters make
 *  no sense. */
kn_status kn__judge_new(kn_judge **out, const kn_guarantee *guarantees, size_t count,
                        const kn_dataset *ds, const kn_hierarchies *hierarchies,
                        const uint8_t *kept, kn_error *err);
void kn__judge_free(kn_judge *j);

/** No smaller set of records can satisfy the guarantees: max of k and l, at least 1. */
size_t kn__judge_least(const kn_judge *j);
/** Whether the size alone decides (only k-anonymity is asked). */
bool kn__judge_size_only(const kn_judge *j);
/** Whether adding records to a satisfying class keeps it satisfying (k-anonymity, distinct
 *  l-diversity). */
bool kn__judge_grows(const kn_judge *j);
/** Whether classes are compared with what is published (t-closeness), so that removing records
 *  changes the verdict on others. */
bool kn__judge_reference_moves(const kn_judge *j);

kn_status kn__judge_scratch_new(kn_judge_scratch **out, const kn_judge *j, kn_error *err);
void kn__judge_scratch_free(kn_judge_scratch *s);

/** Whether `records` (`count` of them, any order, among the kept ones) satisfy everything as one
 *  class: kn_check says the same of it. An empty set does. O(count + d log d) for d different
 *  sensitive values, times the depth of the tree for the hierarchical distance. */
bool kn__judge_class(const kn_judge *j, kn_judge_scratch *s, const uint32_t *records, size_t count);
/** How far the class is from satisfying what it is compared with the published table for
 *  (kn__formula_badness): 0 when everything is satisfied, infinite when something else is not,
 * which no other reference mends. O(as kn__judge_class). */
double kn__judge_excess(const kn_judge *j, kn_judge_scratch *s, const uint32_t *records,
                        size_t count);

#endif
