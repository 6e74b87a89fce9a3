/* models/tree/grow.h - growing a k-anonymous decision tree: Algorithm 1 of the models paper
 * (section 5.1).
 *
 * One queue holds the candidate splits of all leaves. The one of most gain is made if it is safe,
 * until none is left. The gain is that of the whole tree: per leaf, the information gain times its
 * records.
 *
 * Candidates of a leaf are: the values of a category, or its groups on one level of its hierarchy;
 * a threshold of a number or a date. A group that is too small to be a child does not end a split:
 * small groups are merged under the name of their common ancestor (as `mondrian` does), or the
 * ancestor replaces its whole subtree, whichever gains more. So where a finer level is unsafe, all
 * coarser ones are tried. Of thresholds the best safe one is taken.
 *
 * Columns are kept in the order of the leaves, so counting (value x class) reads memory in
 * sequence: O(records x attributes) per level of the tree, plus O(values) per leaf. A task of a
 * thread is one attribute of one leaf. The result does not depend on the number of threads. */
#ifndef KN_MODELS_TREE_GROW_H
#define KN_MODELS_TREE_GROW_H

#include "hierarchy/domain.h"
#include "kanon/model.h"

/** Most values of the class: a table of value x class is kept per attribute. */
#define KN_GROW_CLASSES_MOST 256
/** Numbers with more distinct values are binned: thresholds lie between so many ranges of about
 * equally many records. */
#define KN_GROW_BINS         65536u

/** Limits for trees with private splits, where the spans of a leaf hold records of other leaves,
 * and checking may take spans x leaves steps: spans and records visited (minutes), runs of spans in
 * the lists of all leaves (8 bytes each), nodes of the tree (2 kB each when the model is read
 * back). A tree that reaches one is not grown further; kn_grown.unsplit says so. */
#define KN_GROW_WORK_MOST  (UINT64_C(1) << 36)
#define KN_GROW_RUNS_MOST  ((size_t)1 << 27)
#define KN_GROW_NODES_MOST ((size_t)1 << 20)

typedef struct kn_grow_attribute {
    const kn_column *column;
    const kn_domain *domain; /* levels to generalise through; NULL: thresholds, or by value */
    bool hidden;             /* private */
} kn_grow_attribute;

/** How good a split is. */
typedef enum kn_gain { KN_GAIN_INFORMATION = 0, KN_GAIN_RATIO, KN_GAIN_GINI } kn_gain;

typedef struct kn_grow_options {
    const kn_dataset *ds;
    const kn_grow_attribute *attribute;
    size_t attributes;
    const kn_column *target; /* the class; no value of it is missing */
    bool target_hidden;
    const uint8_t *barred; /* by record: not 0: left out; NULL: none is */
    uint64_t k;            /* 1: nothing to keep */
    double l;              /* of the class in every span; 0: none */
    bool distinct_l;
    double inference; /* 0: none */
    /* A further condition on the records of every leaf; NULL: none. Only where no attribute is
     * hidden and the class is. */
    bool (*holds)(void *user, const uint32_t *records, size_t count);
    void *user;
    kn_gain gain;
    bool prune;         /* by cost and complexity, cross-validated */
    bool subsets;       /* categories split in two: some values against all others */
    bool no_repairs;    /* an unsafe split of a category is refused, as Algorithm 1 is printed */
    uint64_t smallest;  /* records of a leaf, at least; 0: any number */
    size_t depth;       /* 0: no limit */
    uint64_t work_most; /* 0: KN_GROW_WORK_MOST */
    const kn_run *run;
} kn_grow_options;

typedef enum kn_branch_kind {
    KN_BRANCH_ROOT = 0,
    KN_BRANCH_VALUES, /* what is below the node `name`, and not below that of a brother further down
                       */
    KN_BRANCH_LISTED, /* kn_grown.listed, from `listed` to `listed_end` */
    KN_BRANCH_LESS_EQUAL, /* `number` */
    KN_BRANCH_GREATER,
    KN_BRANCH_MISSING,
    KN_BRANCH_PRESENT /* not missing */
} kn_branch_kind;

typedef struct kn_grown_node {
    uint32_t parent, first, children; /* as in kn_tree_node */
    uint32_t attribute;               /* that splits it; KN_NO_CODE: a leaf */
    uint32_t depth;
    kn_branch_kind branch;
    uint32_t name; /* KN_BRANCH_VALUES: a node of the domain; without one a code, or their number
                      for "all others" */
    double number;
    size_t listed, listed_end;
    bool missing;      /* KN_BRANCH_LESS_EQUAL, KN_BRANCH_GREATER: missing values come too */
    bool unsplit;      /* a leaf whose candidates were not tried because a limit was reached */
    size_t begin, end; /* its records, in kn_grown.record */
    uint32_t answer;   /* its most frequent class; of equals the first */
} kn_grown_node;

typedef struct kn_grown {
    kn_grown_node *node; /* the root is node 0; children of a node stand together, behind it */
    size_t nodes, cap;
    size_t classes;       /* values of the class */
    uint64_t *population; /* [node * classes + class] */
    size_t population_cap;
    uint32_t *record; /* records, leaf by leaf */
    size_t records;
    uint32_t *listed; /* codes of KN_BRANCH_LISTED, of each ascending */
    size_t listed_count, listed_cap;
    size_t validated; /* pruning: records that trees of other records answered, and how many of
                         these answers were wrong */
    size_t validation_errors;
    size_t refused; /* candidates that were unsafe when they came up */
    size_t unsplit; /* leaves that are so */
} kn_grown;

/** Grow a tree.
 *  @return KN_EINFEASIBLE when not even the root keeps the guarantee. */
kn_status kn__grow_tree(kn_grown **out, const kn_grow_options *options, kn_error *err);
void kn__grown_free(kn_grown *t);
/** The class that the tree, which `options` grew, predicts for any record of options->ds. */
uint32_t kn__grown_answer(const kn_grown *t, const kn_grow_options *options, size_t record);

/** The next more general name (KN_BRANCH_VALUES); the root generalises to itself. */
static inline uint32_t kn__grow_generalise(const kn_grow_attribute *a, uint32_t name)
{
    return a->domain ? a->domain->parent[name] : kn__column_values(a->column);
}
static inline uint32_t kn__grow_root(const kn_grow_attribute *a)
{
    return a->domain ? kn__domain_root(a->domain) : kn__column_values(a->column);
}
/** Whether thresholds split it. */
static inline bool kn__grow_is_ordered(const kn_grow_attribute *a)
{
    return !a->domain && kn__type_is_ordered(a->column->type);
}

#endif
