/* methods/sets/recode.h - the methods for k^m-anonymity of one column of items. */
#ifndef KN_METHODS_SETS_RECODE_H
#define KN_METHODS_SETS_RECODE_H

#include "methods/method.h"

/** Run the method that `task->options` ask for, or else the one that suits the column: `out` says
 *  what items are published as, `grouping` which records are suppressed, `*name` what ran; the task
 *  points to `out`. All three guarantees of a call are met when several are asked.
 *  @return KN_EUSAGE unless one quasi-identifier, and it alone, is a list; KN_EINFEASIBLE when too
 *  few records hold items. */
kn_status kn__items_recode(kn_task *task, kn_recoding *out, kn_grouping *grouping,
                           const char **name, kn_error *err);

#endif
