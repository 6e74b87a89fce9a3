/* methods/cluster/index.h - the records nearest to a record, exactly.
 *
 * The distance of two records is the NCP of the cluster of both, in units of extent.h. The
 * index is a tree over the distinct tuples: an inner node cuts its tuples in two where they are
 * farthest apart, and knows a box around them; a search goes to the nearer box first and skips
 * those that are too far or whose records are all taken. Searches only read, so several threads
 * may search at once as long as no record is taken. */
#ifndef KN_METHODS_CLUSTER_INDEX_H
#define KN_METHODS_CLUSTER_INDEX_H

#include "methods/cluster/extent.h"
#include "methods/table/tuples.h"

typedef struct kn_index kn_index;
typedef struct kn_neighbour_search kn_neighbour_search; /* one a thread */

/** Index all tuples, with all their records, or with `once` as if each were one record. The index
 * borrows `views` and `tuples`. O(n log n). */
kn_status kn__index_new(kn_index **out, const kn_views *views, const kn_tuples *tuples, bool once,
                        kn_error *err);
void kn__index_free(kn_index *x);

/** The records of tuple `t` that are not taken. */
uint32_t kn__index_left(const kn_index *x, uint32_t t);
/** Take `count` records of tuple `t`. */
void kn__index_take(kn_index *x, uint32_t t, uint32_t count);
/** Forget tuples without records when they are the most, so that searches do not meet them. Call it
 * now and then; it does something O(log n) times in all. */
kn_status kn__index_tidy(kn_index *x, kn_error *err);

kn_status kn__search_new(kn_neighbour_search **out, const kn_index *x, kn_error *err);
void kn__search_free(kn_neighbour_search *s);
/** The tuples nearest to tuple `from` (itself included) that have at least `need` records which are
 * not taken, one record of `from` not counted: no more of them than that takes, or all there are.
 * The nearest first, of equally near ones the lower number; `*count` of them in s->found.
 * @return KN_ENOMEM. */
kn_status kn__search_run(kn_neighbour_search *s, uint32_t from, size_t need, kn_error *err);
/** What the last search found. */
const uint32_t *kn__search_found(const kn_neighbour_search *s, size_t *count);

#endif
