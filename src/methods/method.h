/* methods/method.h - what a method gets and gives.
 *
 * A method partitions the records into groups and says what each group is published as, one node,
 * range or set per quasi-identifier. The driver (anonymize.c) prepares the task, drops records that
 * must be suppressed from the start, and makes the release of the result.
 *
 * A method for a column of items (k^m-anonymity) says instead what every item is published as, in
 * all records alike or, with local recoding, in each. */
#ifndef KN_METHODS_METHOD_H
#define KN_METHODS_METHOD_H

#include "release/recoding.h"
#include "release/task.h"

typedef kn_status (*kn_method_fn)(const kn_task *task, kn_grouping *out, kn_error *err);

/** Methods that `local` starts from, with the parameters of their own rows in `task`. */
kn_status kn__method_flash(const kn_task *task, kn_grouping *out, kn_error *err);
kn_status kn__method_mondrian(const kn_task *task, kn_grouping *out, kn_error *err);

/** Fill `out`, which is zeroed; the driver clears it, also on failure. */
typedef kn_status (*kn_items_method_fn)(const kn_items_task *task, kn_recoding *out, kn_error *err);

#endif
