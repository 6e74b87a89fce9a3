/* models/registry.h - every kind of model as one row: what the catalogue says of it, and what mines
 * it. */
#ifndef KN_MODELS_REGISTRY_H
#define KN_MODELS_REGISTRY_H

#include "base/catalog_entry.h"
#include "base/params.h"
#include "kanon/model.h"

typedef struct kn_model_row {
    kn_entry entry;
    kn_model_kind kind;
    /** Mine a model; options->params are those of this row, never NULL. Nothing that it claims of
     * itself is believed: it is written, read back and judged (kn_model_check) before it is
     * published. */
    kn_status (*mine)(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                      const kn_mine_options *options, const kn_run *run, kn_error *err);
} kn_model_row;

/** KN_EUSAGE unless `l` is 0 (none) or at least 1, and `inference` a share. */
kn_status kn__model_limits_validate(double l, double inference, kn_error *err);

extern const kn_model_row kn__tree_row, kn__clusters_row, kn__rules_row;

const kn_entry *const *kn__model_entries(size_t *count);
/** The row of a kind; NULL for a number that is no kind. */
const kn_model_row *kn__model_row(kn_model_kind kind);

/** What keeps people anonymous: the first parameters of every kind. */
#define KN_SPAN_PARAMS                                                                            \
    {.name = "k",                                                                                 \
     .kind = KN_PARAM_COUNT,                                                                      \
     .min = 1,                                                                                    \
     .max = KN_MOST_COUNT,                                                                        \
     .required = true,                                                                            \
     .standard = 5,                                                                               \
     .typed = true,                                                                               \
     .help =                                                                                      \
         "what the model reveals about private values, it reveals about at least k people; 1: a " \
         "plain model"},                                                                          \
        {.name = "l",                                                                             \
         .kind = KN_PARAM_NUMBER,                                                                 \
         .min = 1,                                                                                \
         .max = KN_MOST_COUNT,                                                                    \
         .typed = true,                                                                           \
         .help = "how diverse a tree's private class, the clusters or each private item of "      \
                 "rules must be among those people"},                                             \
        {.name = "diversity",                                                                     \
         .kind = KN_PARAM_CHOICE,                                                                 \
         .choices = "entropy|distinct",                                                           \
         .typed = true,                                                                           \
         .help = "how diversity is counted: entropy of at least log l, or different values"},     \
    {                                                                                             \
        .name = "inference", .kind = KN_PARAM_NUMBER, .min = 0, .max = 1, .typed = true,          \
        .help = "the most certain that anybody may be of a person's private class (tree), "       \
                "cluster, or private items (rules): 0.85"                                         \
    }

#endif
