/* models/tree/grow.h - growing a decision tree that keeps k-anonymity: Algorithm 1 of the models
 * paper (section 5.1).
 *
 * One queue holds the splits of all leaves, the greatest gain first; the best one that keeps the
 * guarantee is made, until none is left. The gain is that of the whole tree: of the records of the
 * leaf, not of one of them.
 *
 * What may split a leaf: the values of a category, or its groups on one level of its hierarchy; a
 * threshold of a number or date. A group too small to stand alone is not the end of a split: small
 * groups are published together under the name of the node above them (as `mondrian` does), or the
 * whole node above is taken, whichever gains more; so every coarser level is there when a finer
 * one breaks anonymity. Of thresholds the best safe one is taken.
 *
 * Columns are kept in the order of the leaves, so that counting (value x class) reads them from one
 * end to the other. O(records x attributes) a level of the tree, plus O(values) a leaf; one thread
 * an attribute of a leaf. The result is the same for every thread count. */
#ifndef KN_MODELS_TREE_GROW_H
#define KN_MODELS_TREE_GROW_H

#include "hierarchy/domain.h"
#include "kanon/model.h"

/** A class has at most so many values: a table of value x class is kept for each attribute. */
#define KN_GROW_CLASSES_MOST 256
/** Numbers with more different values are cut into so many ranges of equally many records, and
 * thresholds lie between these. */
#define KN_GROW_BINS         65536u

/** With private attributes the spans of a leaf reach far beyond its records: looking after them may
 * take spans x leaves, and there may be a leaf for every few records. When so many spans and
 * records were looked at (minutes), so many stretches of spans are listed (8 bytes each), or the
 * tree has so many nodes (2 kB each where the model is read back), it is not grown further:
 * kn_grown.unsplit says so. */
#define KN_GROW_WORK_MOST   (UINT64_C(1) << 36)
#define KN_GROW_LISTED_MOST ((size_t)1 << 27)
#define KN_GROW_NODES_MOST  ((size_t)1 << 20)

typedef struct kn_grow_attribute {
    const kn_column *column;
    const kn_domain *domain; /* levels to generalise through; NULL: thresholds, or by value */
    bool hidden;             /* private */
} kn_grow_attribute;

typedef struct kn_grow_options {
    const kn_dataset *ds;
    const kn_grow_attribute *attribute;
    size_t attributes;
    const kn_column *target; /* the class; no value of it is missing */
    bool target_hidden;
    const uint8_t *barred; /* by record: non-zero: not there; NULL: all are */
    uint64_t k;            /* 1: nothing to keep */
    double l;              /* of the class in every span; 0: none */
    bool distinct_l;
    double inference; /* 0: none */
    /* A further condition on the records of every leaf; NULL: none. Only where no attribute is
     * hidden and the class is. */
    bool (*holds)(void *user, const uint32_t *records, size_t count);
    void *user;
    kn_gain gain;
    bool prune;
    size_t depth;       /* 0: no limit */
    uint64_t work_most; /* 0: KN_GROW_WORK_MOST */
    const kn_run *run;
} kn_grow_options;

typedef enum kn_branch_kind {
    KN_BRANCH_ROOT = 0,
    KN_BRANCH_VALUES, /* what is below the node `name`, and not below that of a brother further down
                       */
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
    bool missing;      /* KN_BRANCH_LESS_EQUAL, KN_BRANCH_GREATER: missing values come too */
    size_t begin, end; /* its records, in kn_grown.record */
    uint32_t answer;   /* its commonest class; of equals the first */
    double errors;     /* pruning: those that its subtree is taken to make */
} kn_grown_node;

typedef struct kn_grown {
    kn_grown_node *node; /* the root is node 0; children of a node stand together, behind it */
    size_t nodes, cap;
    size_t classes;       /* values of the class */
    uint64_t *population; /* [node * classes + class] */
    size_t population_cap;
    uint32_t *record; /* records, leaf by leaf */
    size_t records;
    size_t refused; /* splits that came up and would have broken the guarantee */
    size_t unsplit; /* leaves with splits that nobody looked at any more: 0 if it is full-grown */
} kn_grown;

/** Grow a tree.
 *  @return KN_EINFEASIBLE when not even the root keeps the guarantee. */
kn_status kn__grow_tree(kn_grown **out, const kn_grow_options *options, kn_error *err);
void kn__grown_free(kn_grown *t);

/** The name above `name` (KN_BRANCH_VALUES); the root of the names is its own. */
static inline uint32_t kn__grow_above(const kn_grow_attribute *a, uint32_t name)
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
