/* models/model.h - a mined model of any kind, mined here or read from a file: a decision tree,
 * centroids of clusters, or association rules.
 *
 * A model is a function from tuples to equivalence classes (Friedman, Wolff, Schuster, "Providing
 * k-anonymity in data mining", section 3): bins of leaves, clusters, or which sides of which rules
 * a tuple holds. It names its attributes and values, so it is read, written and shown without a
 * dataset. models/bind.h binds it to the columns of one. */
#ifndef KN_MODELS_MODEL_H
#define KN_MODELS_MODEL_H

#include "data/dict.h"
#include "kanon/model.h"

/** An attribute of the tuples. */
typedef struct kn_attribute {
    char *name;
    kn_type type; /* category, integer, decimal or date; never KN_TYPE_AUTO */
    bool hidden;  /* private: an attacker does not know it. Others are public. */
    /* Categories: the values that the model names, in ascending order of bytes; tests and centroids
     * below use its codes. NULL for numbers and dates. */
    kn_dict *values;
    /* Numbers, and dates as days since 1970-01-01: the range of the domain that the model states;
     * low > high: none. */
    double low, high;
    double weight; /* clusters: how much it counts; 1 otherwise */
} kn_attribute;

/* ---- tests: the conditions on the branches of a tree ---- */

typedef enum kn_test_kind {
    KN_TEST_TRUE = 0,
    KN_TEST_FALSE,
    KN_TEST_LESS, /* attribute < number; and so on */
    KN_TEST_LESS_EQUAL,
    KN_TEST_GREATER,
    KN_TEST_GREATER_EQUAL,
    KN_TEST_EQUAL, /* numbers and dates; categories use KN_TEST_IN */
    KN_TEST_NOT_EQUAL,
    KN_TEST_IN, /* attribute is one of `values` */
    KN_TEST_NOT_IN,
    KN_TEST_MISSING,
    KN_TEST_NOT_MISSING,
    KN_TEST_AND, /* of `parts` */
    KN_TEST_OR,
    KN_TEST_XOR,
    KN_TEST_SURROGATE /* the first part that is not unknown */
} kn_test_kind;

/** A test is true, false, or, where it asks for a missing value, unknown; AND, OR and XOR of
 * unknowns are those of three-valued logic. */
typedef struct kn_test {
    kn_test_kind kind;
    uint32_t attribute; /* of the model; of AND, OR, XOR, SURROGATE, TRUE, FALSE: unused */
    double number;
    uint32_t *values; /* IN, NOT_IN: codes of the attribute's `values`, ascending */
    size_t values_count;
    struct kn_test *parts;
    size_t parts_count;
} kn_test;

void kn__test_clear(kn_test *t);

/** Tests and trees that are nested deeper are not valid: they are walked by recursion. */
enum { KN_TEST_DEEPEST = 64, KN_TREE_DEEPEST = 10000 };

/* ---- decision trees ---- */

/** Where a tuple goes at an inner node if the test of a child is unknown before one is true. */
typedef enum kn_tree_missing {
    KN_TREE_MISSING_NEXT = 0, /* the test counts as false: on to the next child */
    KN_TREE_MISSING_CHILD,    /* it goes to the child `missing` of the node */
    KN_TREE_MISSING_STAYS,    /* it ends here: the node answers */
    KN_TREE_MISSING_NOTHING   /* no answer */
} kn_tree_missing;

typedef struct kn_tree_node {
    uint32_t parent;          /* a smaller number; KN_NO_CODE for the root, which is node 0 */
    uint32_t first, children; /* children are first..first + children - 1; 0: a leaf */
    uint32_t attribute;       /* that all tests of its children ask for; KN_NO_CODE: several do */
    uint32_t missing;         /* KN_TREE_MISSING_CHILD: the node to go to, or KN_NO_CODE */
    kn_test test;         /* of the branch into it. The first child whose test is true is taken. */
    char *label;          /* the name of the branch, such as a node of a hierarchy; NULL: none */
    uint32_t answer;      /* the class that it predicts: a code of the class attribute */
    uint64_t *population; /* by class: the learning examples; NULL: the model does not say */
    /* Other figures that a file may state of the learning examples. They are not used, but they are
     * published, so kn_model_check compares them with the data. */
    double records; /* how many came here; below 0: the model does not say */
    double *share;  /* [kn_share_kind * classes + class]: their shares by class, NaN: not stated;
                       NULL: none is */
} kn_tree_node;

/** Where a stated share comes from. */
typedef enum kn_share_kind {
    KN_SHARE_OF_COUNTS = 0, /* counts that are not integers, over their sum */
    KN_SHARE_PROBABILITY,
    KN_SHARE_CONFIDENCE,
    KN_SHARE_KINDS
} kn_share_kind;

typedef struct kn_tree {
    kn_tree_node *node;
    size_t nodes, cap;
    uint32_t class_attribute; /* a category of the model */
    kn_tree_missing when_missing;
    bool last_answer; /* no child's test is true: the node answers; otherwise there is no answer */
    double share_within; /* how far a stated share may be from the exact one, by its digits */
    /* Mined here: see kn_model_shape; not written into files. */
    size_t unsplit, validated, validated_right, held_out, held_out_right;
} kn_tree;

/* ---- clusters ---- */

/** A tuple belongs to the nearest centre, of equals the first. The squared distance is the sum over
 * the attributes of weight * difference^2: of numbers (x - centre) / scale, of categories 0 or 1.
 * A missing value is at difference 1 from every centre that is not missing there, and 0 from one
 * that is. */
typedef struct kn_centroids {
    size_t count;
    double *number;       /* [centre * attributes + attribute]; NaN: missing */
    uint32_t *value;      /* the same of categories: a code; KN_NO_CODE: missing */
    double *scale;        /* by attribute; 1 for categories */
    uint64_t *population; /* by centre: the learning examples; NULL: the model does not say */
    char **name;          /* by centre; NULL, or NULL entries: none */
} kn_centroids;

/* ---- rules ---- */

/** left => right: of the records that hold `left`, the share `confidence` holds `right`, too. */
typedef struct kn_rule {
    uint32_t *left, *right; /* items, ascending, disjoint */
    size_t left_count, right_count;
    uint64_t count;    /* how many records hold both sides; 0: the model does not say */
    double support;    /* the share of records that hold both sides; NaN: the model does not say */
    double confidence; /* likewise */
    double lift;       /* its confidence over the share of all records that hold `right`; NaN, 0:
                          the model does not say */
    /* How far each may be from the exact figure because of rounding; 0: it is exact. */
    double support_within, confidence_within, lift_within;
    bool right_stated; /* a figure is stated from which the support of `right` follows */
} kn_rule;

/** An itemset with its support, which the model states beside its rules. */
typedef struct kn_stated_set {
    uint32_t *items; /* ascending */
    size_t count;
    double support, support_within;
} kn_stated_set;

typedef struct kn_rules {
    char *column;    /* the item column; NULL: not said */
    kn_dict *items;  /* all that rules name */
    uint8_t *hidden; /* by item: private */
    kn_rule *rule;
    size_t count, cap;
    kn_stated_set *set;
    size_t sets, sets_cap;
    uint64_t records; /* that it was mined from; 0: not said */
} kn_rules;

/* ---- the model ---- */

/** The limits that it was mined with; zeros: none. They are not evidence: kn_model_check judges. */
typedef struct kn_model_promise {
    uint64_t k;
    double l;         /* entropy l-diversity of the class in every span; 0: none */
    double inference; /* the greatest confidence about the class in a span; 0: no limit */
} kn_model_promise;

struct kn_model {
    kn_model_kind kind;
    char *made_by;           /* "kanon 0.2.0", or what PMML's header says; NULL: not said */
    char *source;            /* the file that it was read from; NULL: none */
    kn_attribute *attribute; /* none in rules */
    size_t attributes, attributes_cap;
    kn_model_promise promise;
    /* What the file contains beside the model and is not judged, such as Extension elements: how
     * many, and where the first one is; NULL: there is none. */
    size_t unjudged;
    char *unjudged_first;
    union {
        kn_tree tree;
        kn_centroids centres;
        kn_rules rules;
    };
};

/** An empty model of `kind`. */
kn_status kn__model_new(kn_model **out, kn_model_kind kind, kn_error *err);
/** Add an attribute called `name`; its number into `*number` (may be NULL). KN_EINPUT if there is
 * one. A category gets an empty `values`. */
kn_status kn__model_add_attribute(kn_model *m, const char *name, size_t len, kn_type type,
                                  bool hidden, uint32_t *number, kn_error *err);
/** The same without the search for an attribute of that name: readers of files with very many keep
 * a dictionary. */
kn_status kn__model_append_attribute(kn_model *m, const char *name, size_t len, kn_type type,
                                     bool hidden, uint32_t *number, kn_error *err);
/** The attribute called `name`, or KN_NO_CODE. O(attributes). */
uint32_t kn__model_find_attribute(const kn_model *m, const char *name);
/** Set used[i] of the attributes that tests or distances use; clusters use all. */
void kn__model_used_attributes(const kn_model *m, uint8_t *used);
/** Add a tree node below `parent` (KN_NO_CODE: the root); children of a node are added one after
 * the other, with none of another node between. The node is zeroed but for what is given and the
 * KN_NO_CODE of the rest; its number into `*number`. */
kn_status kn__tree_add(kn_tree *t, uint32_t parent, uint32_t *number, kn_error *err);
/** Whether the node can be an answer by itself: leaves can, and inner nodes that state one. */
static inline bool kn__tree_node_answers(const kn_tree_node *n)
{
    return n->children == 0 || n->answer != KN_NO_CODE || n->population;
}
/** Whether the node states a figure of its learning examples. An answer is one: the most frequent
 * class. */
static inline bool kn__tree_node_states(const kn_tree_node *n)
{
    return n->answer != KN_NO_CODE || n->population || n->records >= 0 || n->share;
}
/** Whether the invariants above hold; if not, `*reason` says which does not. Readers call it last,
 * and all other code relies on it. */
bool kn__model_validate(const kn_model *m, const char **reason);

#endif
