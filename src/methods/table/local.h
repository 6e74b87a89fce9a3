/* methods/table/local.h - the two halves of local recoding. */
#ifndef KN_METHODS_TABLE_LOCAL_H
#define KN_METHODS_TABLE_LOCAL_H

#include "methods/table/groups.h"

/** Form groups over all tuples of `g` by walking the lattice of `levels`s from the cheapest node
 * upwards: wherever the tuples that are left form a class that holds, it becomes a group. What is
 * left at the top joins the groups where it costs least. At most about `work` tuples are grouped at
 * nodes; nodes are skipped evenly to keep to that. */
kn_status kn__local_walk(kn_groups *g, const kn_qi_levels *levels, double work, const kn_run *run,
                         kn_error *err);

/** Lower the cost of the groups, each step keeping the guarantee: split groups in two, dissolve a
 * group into others, move tuples. `effort` bounds the rounds, `work` how often a tuple is held
 * against a group; threads only speed it up. */
kn_status kn__local_refine(kn_groups *g, double effort, double work, unsigned threads,
                           const kn_run *run, kn_error *err);

/** Lower the loss of `groups` where k-anonymity alone is asked for: records of one tuple may then
 * go to different groups. About O(n log n). */
kn_status kn__local_records(const kn_task *task, kn_grouping *groups, kn_error *err);

#endif
