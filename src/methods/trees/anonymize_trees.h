/* methods/trees/anonymize_trees.h - from a task about tree records to the forest that is published.
 */
#ifndef KN_METHODS_TREES_ANONYMIZE_TREES_H
#define KN_METHODS_TREES_ANONYMIZE_TREES_H

#include "release/release.h"

/** Run the method of the task on its tree records; `*name` is the method's. `changes`, zeroed
 *  before, says what was done; the caller clears it, also on failure. */
kn_status kn__trees_anonymize(kn_forest **out, kn_tree_changes *changes, kn_task *task,
                              const char **name, kn_error *err);

#endif
