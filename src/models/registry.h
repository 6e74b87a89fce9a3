/* models/registry.h - every kind of model as one row. A new kind is a folder with a kind.c that
 * holds its row, and the row's name in registry.c; what is shown of it is in report/. */
#ifndef KN_MODELS_REGISTRY_H
#define KN_MODELS_REGISTRY_H

#include "base/catalog_entry.h"
#include "base/params.h"
#include "data/builder.h"
#include "models/bind.h"
#include "models/judge/span.h"

typedef struct kn_model_row {
    kn_entry entry;
    kn_model_kind kind;
    const char *noun; /* what a sentence calls it: "decision tree" */
    bool of_items;    /* it is about the items of a list column, and has no attributes */

    /* A model by itself. */

    /** Prepare what is not zero in an empty model; NULL: nothing. */
    kn_status (*init)(kn_model *m, kn_error *err);
    /** Free what is peculiar to the kind. */
    void (*clear)(kn_model *m);
    /** Which invariant of models/model.h does not hold; NULL: all hold. */
    const char *(*fault)(const kn_model *m);
    /** The attribute that is predicted; NULL: there is none. */
    uint32_t (*class_attribute)(const kn_model *m);
    /** Set used[i] of the attributes that the model looks at; NULL: there are none. */
    void (*mark_used)(const kn_model *m, uint8_t *used);

    /** Fill in the zeroed `*out`; see kn_model_shape_of. */
    kn_status (*shape)(kn_model_shape *out, const kn_model *m, kn_error *err);

    /** Copy what is known of a model that was mined here and files do not say; NULL: nothing. */
    void (*copy_mined)(kn_model *to, const kn_model *from);

    /* A model bound to data. */

    /** Fill in `b`, whose model and dataset are set; see kn__bound_new and kn__bound_to_apply. */
    kn_status (*bind)(kn_bound *b, const kn_hierarchies *hierarchies, bool to_apply, kn_error *err);
    /** The equivalence classes and spans of the records; kn__span_model_clear frees `*out`. */
    kn_status (*span_model)(kn_span_model *out, const kn_bound *b, kn_error *err);
    /** Finding spans tries every combination of private integers, so few may be possible. */
    bool tries_integers;
    /** Whether spans may differ where private numbers are known to be integers; NULL: they may. */
    kn_status (*integers_matter)(bool *out, const kn_bound *b, kn_error *err);
    /** Count v->spans again by other code, judge them (kn__spans_judge), and fill in the figures
     * that are peculiar to the kind. `unlike` counts the figures stated of the learning examples
     * that are not those of the records: the model was then made from other records, and the
     * verdict says nothing about these.
     *  @return KN_EBROKEN where the two counts disagree. */
    kn_status (*judge)(kn_model_verdict *v, const kn_bound *b, const kn_span_model *span_model,
                       const kn_run *run, kn_error *err);
    /** The answer for a record; KN_NO_CODE: none. Called from several threads, each with a scratch
     * of the span model. NULL: add_answer finds it. */
    uint32_t (*answer_of)(const kn_span_model *s, const kn_bound *b, size_t record, void *scratch);
    /** Add the answer for a record to the only column of `c`. `scratch`: a byte per item of the
     * model, zeroed before and after. */
    kn_status (*add_answer)(kn_chunk *c, const kn_bound *b, size_t record, uint32_t answer,
                            void *scratch, kn_error *err);

    /** Mine a model; options->params are those of this row, never NULL. Nothing that it claims of
     * itself is believed: it is written, read back and judged (kn_model_check) before it is
     * published. */
    kn_status (*mine)(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                      const kn_mine_options *options, const kn_run *run, kn_error *err);
} kn_model_row;

/** KN_EUSAGE unless `l` is 0 (none) or at least 1, and `inference` a share. */
kn_status kn__model_limits_validate(double l, double inference, kn_error *err);

extern const kn_model_row kn__tree_row, kn__clusters_row, kn__rules_row;
kn_status kn__mine_tree(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                        const kn_mine_options *options, const kn_run *run, kn_error *err);
kn_status kn__mine_clusters(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                            const kn_mine_options *options, const kn_run *run, kn_error *err);
kn_status kn__mine_rules(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                         const kn_mine_options *options, const kn_run *run, kn_error *err);

const kn_entry *const *kn__model_entries(size_t *count);
/** The row of a kind; NULL for a number that is no kind. */
const kn_model_row *kn__model_row(kn_model_kind kind);
/** The attribute that `m` predicts; KN_NO_CODE: none. */
static inline uint32_t kn__model_class(const kn_model *m)
{
    const kn_model_row *row = kn__model_row(m->kind);

    return row->class_attribute ? row->class_attribute(m) : KN_NO_CODE;
}

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
