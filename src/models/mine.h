/* models/mine.h - what mines each kind of model. kn_mine (mine.c) looks at the options that all
 * have in common, and calls one of these. Nothing that they claim of their model is believed: it is
 * written, read back and checked (kn_model_check) before it is published. */
#ifndef KN_MODELS_MINE_H
#define KN_MODELS_MINE_H

#include "kanon/model.h"

/** KN_EUSAGE unless `l` is 0 (none) or at least 1, and `inference` a share. */
kn_status kn__model_limits_validate(double l, double inference, kn_error *err);

/** Association rules that can be released together (mine.c says how they are chosen). Support
 * 0 is 0.01. KN_EINFEASIBLE when the item sets are too many. */
kn_status kn__mine_rules(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                         const kn_mine_options *options, const kn_run *run, kn_error *err);
/** A decision tree that keeps k-anonymity: Algorithm 1 (grow.h).
 *  @return KN_EINPUT for a class with too many values, or with missing ones; KN_EINFEASIBLE when
 * not even a tree without splits keeps what is asked. */
kn_status kn__mine_tree(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                        const kn_mine_options *options, const kn_run *run, kn_error *err);
/** Clusters (mine.c): by cutting the minimal spanning tree, or k-means. */
kn_status kn__mine_clusters(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                            const kn_mine_options *options, const kn_run *run, kn_error *err);

#endif
