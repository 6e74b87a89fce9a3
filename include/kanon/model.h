/* kanon/model.h - models that keep people anonymous: mined, judged, applied, written.
 *
 *     kn_mine(&model, table, hierarchies, &options, &run, &err);
 *     kn_model_check(&verdict, model, table, hierarchies, &limits, &run, &err);
 *     kn_model_publish(NULL, model, table, hierarchies, &limits, &files, &run, &err);
 *
 * Public attributes are the table's quasi-identifiers, private ones its sensitive columns. Columns
 * without a role are not used. */
#ifndef KANON_MODEL_H
#define KANON_MODEL_H

#include "kanon/dataset.h"
#include "kanon/hierarchy.h"
#include "kanon/params.h"
#include "kanon/points.h"
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
/** "tree", "clusters" or "rules". */
const char *kn_model_kind_name(kn_model_kind kind);

/** What a model is like from outside. */
typedef struct kn_model_shape {
    size_t leaves, depth;   /**< tree: leaves, and tests on the longest way to one */
    size_t clusters, rules; /**< of the other kinds */
    size_t attributes;      /**< that it looks at, the class of a tree aside */
    const char *target;     /**< tree: the class; NULL otherwise. Borrowed */
    size_t unsplit; /**< tree, mined here: leaves that could still be split when growing came to its
                       limit; 0: it is full-grown */
    size_t validated, validated_right; /**< tree, mined here: records that trees pruned like this
                                          one answered without having seen them (cross-validation),
                                          and how many of these answers are right; 0: none */
    size_t held_out, held_out_right;   /**< the same of the "hold-out" */
} kn_model_shape;
kn_status kn_model_shape_of(kn_model_shape *out, const kn_model *model, kn_error *err);

/* ---- mining ---- */

/** Clusters: the mean squared distance of records from the nearest centre, that is, what it costs
 * to take the centre for the record. */
typedef struct kn_clusters_quality {
    double within; /**< from the centres that were mined */
    double plain;  /**< from `asked` centres of k-means without any guarantee */
    double whole;  /**< from one centre of all */
    size_t asked;  /**< clusters that were asked for; as many as were found if no number was */
} kn_clusters_quality;

typedef struct kn_mine_options {
    size_t size; /**< KN_INIT sets it */
    kn_model_kind kind;
    uint64_t k;      /**< 1: no anonymity asked for, a plain model */
    double l;        /**< entropy l-diversity of private classes, or of clusters, in every span; 0:
                        none */
    bool distinct_l; /**< l counts different values instead */
    double
        inference; /**< the most certain that an attacker may be of a private class; 0: no limit */
    const kn_params *params; /**< what is peculiar to the kind: of a tree the "class", which must be
                                set; NULL: the defaults. Not kept */
    kn_clusters_quality *quality; /**< clusters: how good they are is put there; NULL: it is not */
} kn_mine_options;

/** Mine a model that keeps `options->k`-anonymity. `hierarchies` may be NULL. */
kn_status kn_mine(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                  const kn_mine_options *options, const kn_run *run, kn_error *err);

/* ---- reading and writing ---- */

typedef enum kn_model_format {
    KN_MODEL_JSON = 0, /**< ours: everything, and read back exactly */
    KN_MODEL_PMML,     /**< PMML 4.4, for other tools */
    KN_MODEL_DOT,      /**< Graphviz: trees */
    KN_MODEL_SQL,      /**< a CASE expression */
    KN_MODEL_TEXT,     /**< for people */
    KN_MODEL_CSV       /**< a list of rules */
} kn_model_format;

/** The format that the ending of `path` asks for: .json, .pmml or .xml, .dot or .gv, .sql, .txt;
 * "-" is JSON. False if none does. */
bool kn_model_format_of(kn_model_format *out, const char *path);
/** Read a model: JSON of ours, PMML, or rules as CSV, told apart by their first bytes. "-" is
 * standard input.
 *  @return KN_EINPUT naming the file, and the line or the part that is wrong or not understood. */
kn_status kn_model_read(kn_model **out, const char *path, kn_error *err);
/** The same from memory; `name` is what messages call it. */
kn_status kn_model_parse(kn_model **out, const char *name, const char *bytes, size_t len,
                         kn_error *err);
/** The model as text, which the caller frees with kn_string_free. KN_EUSAGE for a format that the
 * kind of model does not have. */
kn_status kn_model_format_text(char **out, const kn_model *model, kn_model_format format,
                               kn_error *err);

/* ---- judging ---- */

/** What is asked of a model. Zeros ask for nothing, but all is looked at. */
typedef struct kn_model_limits {
    size_t size;            /**< KN_INIT sets it */
    uint64_t k;             /**< every span that discloses something has at least k records */
    double l;               /**< entropy (or distinct) l-diversity of such spans; 0: none */
    bool distinct_l;        /**< l counts different values */
    double inference;       /**< the most certain that an attacker may be; 0: no limit */
    size_t spans;           /**< broken spans to list; 0: 10 */
    size_t rows;            /**< rows to list of each; 0: 10 */
    bool ignore_counts;     /**< judge a model although figures that it states are not those of the
                               records */
    bool ignore_extensions; /**< judge a model although its file holds what no verdict covers, such
                               as Extension elements of PMML */
    const kn_point_options *points; /**< limits and decisions for what is to settle; NULL: the
                                       standard ones. Not kept */
} kn_model_limits;

/** What is taken for possible in private attributes, and so decides what a span allows. */
typedef enum kn_model_domain {
    KN_DOMAIN_ONE = 0,  /**< the model names nothing that the data and its hierarchies lack */
    KN_DOMAIN_OF_MODEL, /**< what the model names is possible, too */
    KN_DOMAIN_OF_DATA,  /**< it is not, because no record has it */
    KN_DOMAIN_WHOLE     /**< private numbers of columns that hold whole ones, or dates, are whole */
} kn_model_domain;

/** What a release of the model discloses. Diversity and inference are about the class of a tree
 * where it is private, otherwise about the equivalence classes: clusters, states of rules. */
typedef struct kn_model_figures {
    uint64_t records;
    uint64_t spans; /**< groups of records that an attacker can tell apart */
    uint64_t
        telling; /**< those that tell something of private values: several classes are possible */
    uint64_t classes; /**< equivalence classes that have records */
    uint64_t k;       /**< the greatest k that holds; UINT64_MAX: nothing private is told at all */
    double l;         /**< the least diversity of a telling span; infinite: there is none */
    double inference; /**< the most certain that an attacker can be; 0: of nothing */
    uint64_t
        exposed;     /**< records in telling spans of which all have one value: known for certain */
    uint64_t right;  /**< tree: records that it classifies as they are */
    uint64_t broken; /**< spans that break what is asked */
    uint64_t at_risk;   /**< records in them */
    uint64_t recounted; /**< records whose spans were worked out a second time, by other code */
    uint64_t told;      /**< rules: sets of private items whose support is told beside the rules, by
                           lifts and other measures or in so many words; judged as rules are */
    uint64_t unlike;    /**< stated counts and other figures that are not those of the records */
    uint64_t unjudged;  /**< Extension elements and the like that were not judged, as asked */
    /** A model may name private values, or a range, that the data lacks. It is judged with and
     * without them then: k, l, inference and exposed are the worse of the two, all else is the
     * worse verdict's, and this says whose that is. */
    kn_model_domain domain;
    uint64_t other_k; /**< of the verdict that is not told; with KN_DOMAIN_ONE: 0 */
} kn_model_figures;

/** A span that breaks what was asked. Texts and rows are borrowed from the verdict. */
typedef struct kn_broken_span {
    uint64_t population;
    uint64_t classes;         /**< equivalence classes that are possible */
    const char *const *words; /**< the first of them in words */
    size_t words_count;
    const uint64_t *rows; /**< the first records, from 0 */
    size_t rows_count;
    const char *inferred; /**< the commonest value in words */
    double confidence;    /**< the share of the records that have it */
    double diversity;
    bool few, certain, uniform; /**< k, inference, l is broken */
} kn_broken_span;

/** What the model says that it was mined to keep. Not evidence, but what to ask of it. */
kn_model_limits kn_model_promised(const kn_model *model);

typedef struct kn_model_verdict kn_model_verdict;

/** Judge a release of `model` with the population of every equivalence class, the worst case, by
 * the linking attack of Definition 6: sensitive columns of `ds` are private, quasi-identifiers
 * public, and a missing value is one that the attacker sees.
 * All counts that the model states are taken for known, also where they are about records without
 * an answer.
 *  @return KN_EUSAGE for limits that make no sense; KN_EINPUT for an attribute that is no column,
 * does not fit it, or has no role, and for a file with Extension elements or other content that no
 * verdict covers (limits->ignore_extensions); KN_EINFEASIBLE for a model that is too entangled to
 * be judged; KN_EBROKEN when the second count disagrees. O(records) calls of the
 * model. */
kn_status kn_model_check(kn_model_verdict **out, const kn_model *model, const kn_dataset *ds,
                         const kn_hierarchies *hierarchies, const kn_model_limits *limits,
                         const kn_run *run, kn_error *err);
void kn_model_verdict_free(kn_model_verdict *v);
/** Whether all that was asked holds. False, too, where no span breaks it but figures that the model
 * states are not those of the records: then it was made from others, and nothing is known. */
bool kn_model_verdict_holds(const kn_model_verdict *v);
/** The verdict in its three states, and what is to settle. Borrowed. */
const kn_points *kn_model_verdict_points(const kn_model_verdict *v);
const kn_model_figures *kn_model_verdict_figures(const kn_model_verdict *v);
/** The broken spans that are listed, the smallest first; span `i` of them. */
size_t kn_model_verdict_listed(const kn_model_verdict *v);
const kn_broken_span *kn_model_verdict_broken(const kn_model_verdict *v, size_t i);

/* ---- judging rules without the data ---- */

typedef enum kn_stated_answer {
    KN_STATED_HOLDS = 0,
    KN_STATED_BROKEN,
    KN_STATED_UNKNOWN /**< what the rules state does not tell */
} kn_stated_answer;

/** Those who hold some of the rules' public items and not others. */
typedef struct kn_stated_span {
    uint64_t least, most; /**< records, as far as the rules state it */
    bool tells;           /**< something of private items */
    const char *words;    /**< "cherries without candles"; borrowed */
} kn_stated_span;

typedef struct kn_stated_verdict kn_stated_verdict;

/** Judge rules by their supports and confidences, which are taken at their word, and the number of
 * records (0: the model's own): section 4.3 of the models paper. Figures that give no whole number
 * of records were rounded, and are not used. Private are the `private_count`
 * items named in `private_items`, and those that the model says are.
 *  @return KN_EUSAGE for other models, or when the number of records is not known or not the
 * model's own; KN_EINPUT when the figures contradict each other; KN_EINFEASIBLE for more than
 * 2,048 spans. */
kn_status kn_model_check_stated(kn_stated_verdict **out, const kn_model *model, uint64_t records,
                                const char *const *private_items, size_t private_count, uint64_t k,
                                kn_error *err);
void kn_stated_verdict_free(kn_stated_verdict *v);
kn_stated_answer kn_stated_verdict_answer(const kn_stated_verdict *v);
/** The greatest k that surely holds; UINT64_MAX: nothing private is told. */
uint64_t kn_stated_verdict_k(const kn_stated_verdict *v);
size_t kn_stated_verdict_spans(const kn_stated_verdict *v);
const kn_stated_span *kn_stated_verdict_span(const kn_stated_verdict *v, size_t i);

/* ---- applying ---- */

/** Add to `ds` a column called `name` with what the model says of each record: the class that a
 * tree predicts, the cluster (its name, or its number from 1), or the items that the rules expect
 * beside those that are there; missing where there is no answer. Roles do not matter, but
 * identifiers and dropped columns, which were not kept, are taken out. `*right` (may be NULL) is
 * the number of records that a tree classifies as their column of the class says; UINT64_MAX: there
 * is none.
 *  @return KN_EINPUT for an attribute that is no column or does not fit it, KN_EUSAGE for a name
 * that is taken. */
kn_status kn_model_apply(uint64_t *right, const kn_model *model, kn_dataset *ds, const char *name,
                         const kn_run *run, kn_error *err);

/* ---- reports and publishing ---- */

/** What reports on a model show on their first screen: a title, a remark, a date; each may be NULL.
 * They are copied. */
kn_status kn_model_verdict_set_heading(kn_model_verdict *verdict, const char *title,
                                       const char *note, const char *date, kn_error *err);
/** What was found of `model`, as JSON or as a self-contained HTML page, which the caller frees with
 * kn_string_free. */
kn_status kn_model_report(char **out, const kn_model *model, const kn_model_verdict *verdict,
                          bool html, kn_error *err);
/** The same into files, whose names end in .json or .html.
 *  @return KN_EUSAGE for a name that ends in neither, is given twice, or is that of the file that
 *  the model or the data it was judged by were read from. */
kn_status kn_model_report_write(const kn_model *model, const kn_model_verdict *verdict,
                                const char *const *paths, size_t count, kn_error *err);
/** The same, and `text` to standard output: all of it appears, or nothing does. */
kn_status kn_model_report_write_and_print(const kn_model *model, const kn_model_verdict *verdict,
                                          const char *const *paths, size_t count, const char *text,
                                          kn_error *err);

/** Where a model goes: each file in the format that its name asks for. */
typedef struct kn_model_output {
    size_t size; /**< KN_INIT sets it */
    const char *const *paths;
    size_t count;
    const char *const *reports; /**< .json or .html; "-": JSON to standard output */
    size_t reports_count;
    const kn_clusters_quality *quality; /**< what kn_mine said, for reports; NULL: nothing */
    const char *title, *note, *date; /**< of reports; NULL: none (kn_model_verdict_set_heading) */
} kn_model_output;

/** Write a model that was mined from `ds`. What is written as JSON or PMML is read back and judged
 * (kn_model_check); only then are the files put in place. `*verdict` (may be NULL)
 * receives what was found.
 *  @return KN_EBROKEN, and no file, when a file does not keep what was asked; also with
 *  limits->points->strict when a point is to settle: in this case, and in no other that fails,
 *  `*verdict` is there to say what. KN_EUSAGE for a path that is the input or has no format. */
kn_status kn_model_publish(kn_model_verdict **verdict, const kn_model *model, const kn_dataset *ds,
                           const kn_hierarchies *hierarchies, const kn_model_limits *limits,
                           const kn_model_output *output, const kn_run *run, kn_error *err);

#ifdef __cplusplus
}
#endif
#endif
