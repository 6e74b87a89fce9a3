/* utility/tasks/queries.h - counting questions to a table, and what a release answers.
 *
 * A workload is a list of questions "how many records ...?". Each is a few conditions that must
 * all hold: on a column with one value a record, that the value is among some leaves of the
 * column's domain; on a list column, that at least one item is (several such conditions: one each).
 * Questions are asked in terms of the original, so one workload can be put to many releases.
 *
 * A release answers by expectation. A published value stands for one of its leaves, all alike; an
 * item of a bag likewise; an item of a set stands for any non-empty subset of its leaves, all
 * alike. Cells and items are independent. A suppressed cell may be any value, a suppressed item is
 * none. Where items are published alike in all records, a group stands for those below it that do
 * not keep their names. */
#ifndef KN_UTILITY_TASKS_QUERIES_H
#define KN_UTILITY_TASKS_QUERIES_H

#include "kanon/measure.h"
#include "utility/items/leaf_ranges.h"

enum {
    KN_QUERY_ITEMS = 10 /* conditions on one list: the answer takes 2^so many terms */
};

typedef struct kn_query_condition {
    size_t column; /* of the original */
    kn_leaf_runs leaves;
} kn_query_condition;

typedef struct kn_workload {
    const kn_dataset *original;
    size_t columns;          /* of the original */
    kn_domain **domain;      /* by column; NULL where nothing is asked */
    kn_leaf_ranges **leaves; /* likewise */
    size_t count;            /* questions */
    size_t *begin;           /* question i has condition[begin[i]..begin[i+1]), column by column */
    size_t begin_cap;
    kn_query_condition *condition;
    size_t conditions, conditions_cap;
} kn_workload;

/** Draw `count` questions with `values` conditions on quasi-identifiers with one value a record and
 *  `items` on the first that is a list. Each is drawn from a record: a record that has so much, all
 *  alike; so many of its values and of its different items, all alike. So every question has an
 *  answer above 0. Of ordered columns with more than 100 different values, the ranges that these
 *  are in are asked for, of 32 that hold about equally many. `original` and `hierarchies` must
 * outlive the workload.
 *  @return KN_EUSAGE when there are no such columns, no record has so much, or `count` is above
 *  1,000,000. O(records + count).
 */
kn_status kn__workload_draw(kn_workload **out, const kn_dataset *original,
                            const kn_hierarchies *hierarchies, size_t count, size_t values,
                            size_t items, const kn_run *run, kn_error *err);

/** The questions of a table, one a record: its cells, where not empty, are conditions on the
 *  columns of the same names, written as published values are. @return KN_EINPUT when a column or
 *  value is not the original's, is an identifier's, or a record asks nothing. */
kn_status kn__workload_of_table(kn_workload **out, const kn_dataset *original,
                                const kn_hierarchies *hierarchies, const kn_dataset *questions,
                                kn_error *err);
void kn__workload_free(kn_workload *w);

/** What `table`, the original or a release of it, answers: answers[i] records to question i.
 *  Posting lists; a question a thread: O(records that may meet a condition, over the conditions)
 *  and, for those that may meet all, the lengths of their lists. */
kn_status kn__workload_answer(const kn_workload *w, const kn_dataset *table, double *answers,
                              const kn_run *run, kn_error *err);

#endif
