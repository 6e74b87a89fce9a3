/* methods/items.h - anonymising one column of items: the methods for k^m-anonymity, and how their
 * result is published. */
#ifndef KN_METHODS_ITEMS_H
#define KN_METHODS_ITEMS_H

#include "methods/method.h"

void kn_recoding_clear(kn_recoding *r);

/** Whether `name` is a method for items. */
bool kn_items_method(const char *name);
/** Whether a guarantee of items is asked for. */
bool kn_items_asked(const kn_anonymize_options *options);

/** Run the method that `task->options` ask for, or else the one that suits the column: `out` says
 *  what items are published as, `grouping` which records are suppressed, `*name` what ran; the task
 *  points to `out`. All three guarantees of a call are met when several are asked.
 *  @return KN_EUSAGE unless one quasi-identifier, and it alone, is a list; KN_EINFEASIBLE when too
 *  few records hold items. */
kn_status kn_items_recode(kn_task *task, kn_recoding *out, kn_grouping *grouping, const char **name,
                          kn_error *err);

/** The published column: for each of `records` records, that of `from` at origin[i] with every item
 *  recoded. In sets items that have become equal are one; in bags they stay. Items come in the
 *  order of their texts' bytes, as a file would be read. */
kn_status kn_items_publish(kn_column *out, const kn_column *from, const kn_recoding *recoding,
                           const uint32_t *origin, size_t records, unsigned threads, kn_error *err);

#endif
