/* kanon/model.h - models that keep people anonymous: mined, judged, applied, written.
 *
 *     kn_mine(&model, table, hierarchies, &options, &run, &err);
 *     kn_model_check(&verdict, model, table, hierarchies, &limits, &run, &err);
 *     kn_model_format(model, KN_MODEL_PMML, &text, &err);
 *
 * Public attributes are the table's quasi-identifiers, private ones its sensitive columns. Columns
 * without a role are not used. */
#ifndef KANON_MODEL_H
#define KANON_MODEL_H

#include "kanon/dataset.h"
#include "kanon/hierarchy.h"
#include "kanon/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kn_model kn_model;

typedef enum kn_model_kind {
    KN_MODEL_TREE = 0, /**< a decision tree */
    KN_MODEL_CLUSTERS, /**< centres of clusters */
    KN_MODEL_RULES     /**< association rules */
} kn_model_kind;

void kn_model_free(kn_model *model);
kn_model_kind kn_model_kind_of(const kn_model *model);

/* ---- mining ---- */

/** How good a split of a tree is. */
typedef enum kn_gain { KN_GAIN_INFORMATION = 0, KN_GAIN_RATIO, KN_GAIN_GINI } kn_gain;

typedef struct kn_mine_options {
    kn_model_kind kind;
    uint64_t k;      /**< 1: no anonymity asked for, a plain model */
    double l;        /**< entropy l-diversity of private classes in every span; 0: none */
    bool distinct_l; /**< l counts different values instead */
    double
        inference; /**< the most certain that an attacker may be of a private class; 0: no limit */
    const char *target; /**< tree: the class column */
    kn_gain gain;       /**< tree */
    bool prune;         /**< tree: remove splits that do not pay, keeping the guarantee */
    size_t depth;       /**< tree: longest path; 0: no limit */
    size_t clusters;    /**< clusters: stop at so many; 0: when no split is safe */
    bool kmeans;       /**< clusters: k-means centres, merged until they are safe, instead of MST */
    double support;    /**< rules: least share of records, 0..1 */
    double confidence; /**< rules: least confidence, 0..1 */
    size_t rules;      /**< rules: at most so many; 0: no limit */
    size_t longest;    /**< rules: most items of a rule; 0: 4 */
} kn_mine_options;

/** Mine a model that keeps `options->k`-anonymity. `hierarchies` may be NULL. */
kn_status kn_mine(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                  const kn_mine_options *options, const kn_run *run, kn_error *err);

#ifdef __cplusplus
}
#endif
#endif
