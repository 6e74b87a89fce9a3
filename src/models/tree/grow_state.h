/* models/tree/grow_state.h - the state of Algorithm 1 while a tree grows, shared by grow*.c and
 * span_table.c. */
#ifndef KN_MODELS_TREE_GROW_STATE_H
#define KN_MODELS_TREE_GROW_STATE_H

#include "base/sort.h"
#include "models/tree/grow.h"

/* An attribute, with the codes of its records. */
typedef struct kn_grow_column {
    const kn_grow_attribute *attribute;
    bool ordered;
    uint32_t values;  /* number of codes, or of bins of an ordered column */
    uint32_t missing; /* code or bin of the missing value, or KN_NO_CODE */
    uint32_t *bin;    /* by code; NULL: codes are bins */
    uint32_t *last;   /* by bin: its last code; NULL: codes are bins */
    uint8_t width;
    void *codes; /* in the order of the leaves */
} kn_grow_column;

/* Where the missing values of an ordered attribute go: there are none; to the left or the right
 * child of the threshold. VERSUS_REST has no threshold: missing values are one child, all others
 * the second. */
enum {
    KN_MISSING_NONE,
    KN_MISSING_LEFT,
    KN_MISSING_RIGHT,
    KN_MISSING_VERSUS_REST,
    KN_MISSING_MODES
};

/* A candidate of Algorithm 1: a split of a leaf by an attribute, in the queue. */
typedef struct kn_split_candidate {
    double priority; /* order of the queue: the gain, or the gain ratio times the records */
    double gain;
    uint32_t leaf, attribute;
    uint16_t level;        /* categories: the level of the hierarchy that it starts from */
    uint8_t repair;        /* categories: KN_REPAIR_* */
    uint8_t below_average; /* gain ratio: the gain is below the average of the leaf's candidates */
} kn_split_candidate;

/* What is done with the values of a category whose child would violate the guarantee. MERGE_RARE
 * merges the rare values under the name of their common ancestor, and frequent siblings stay.
 * GENERALISE takes the whole subtree of that ancestor (full subtree recoding). */
enum { KN_REPAIR_NONE, KN_REPAIR_MERGE_RARE, KN_REPAIR_GENERALISE, KN_REPAIRS };

/* A candidate in full: which code goes to which child. */
typedef struct kn_split {
    uint32_t children;
    uint32_t *child;      /* by code or bin; `children`: no child takes it, the node answers */
    uint32_t *name;       /* categories: by child, the (generalised) value it stands for */
    uint32_t last_left;   /* ordered: bins up to this one go to the left child */
    double threshold;     /* ordered */
    uint8_t missing_mode; /* ordered: KN_MISSING_*; KN_MISSING_MODES: a category */
    bool subset;          /* a category: child 0 lists values, child 1 takes all others */
    uint64_t *counts;     /* [child * classes + class] */
    double gain;          /* times the records of the leaf */
    double ratio;         /* gain over the information of the split itself */
} kn_split;

/* The scratch memory of one thread. */
typedef struct kn_grow_scratch {
    uint32_t *table;      /* [code * classes + class], all 0 between uses */
    uint32_t *span_codes; /* the codes that occur in one span */
    uint64_t *occurring;  /* a set of codes, empty between uses */
    uint32_t *present;    /* the codes that occur in the leaf, ascending */
    size_t present_count;
    uint32_t *counts; /* [place in `present` * classes + class] */
    kn_split split;
    kn_ranked *order;        /* places in `present` by the share of a class */
    uint8_t *cut_off;        /* by place in `present`: a subset split cuts it off */
    uint32_t *child_of_name; /* by name; KN_NO_CODE: it is not that of a child */
    uint32_t *new_name;      /* by child */
    uint32_t *rows;          /* records of one child; only with kn_grow_options.holds */
    uint8_t *violates;       /* by child, and at last for codes without a child */
    uint64_t *sum;           /* 4 * classes */
    uint64_t *parts;         /* class counts of the parts of a span: [child * classes + class] */
    int32_t *forbidden;      /* by bin: not 0: no threshold after it; see kn__forbid_thresholds */
    uint32_t *same_child_until;  /* by code: the last of the codes that follow it in its child */
    uint64_t codes_of_child[65]; /* by child, if the codes fit into a set; see kn_extent */
} kn_grow_scratch;

/* Which values of a public attribute occur in a span: a set where a category has at most 64 values,
 * else the least and the greatest code, as in a zone map. KN_EXTENT_HAS_MISSING in `high` says that
 * values of an ordered attribute are missing, too. */
typedef union kn_extent {
    uint64_t set;
    struct {
        uint32_t low, high; /* low is UINT32_MAX: all values are missing */
    } range;
} kn_extent;

/* Counts of one attribute in one large span. Every leaf of the span needs them, so they are kept
 * until the span is split. */
typedef struct kn_span_cache {
    /* Categories: triples (code, class, count) by ascending code. Ordered attributes: pairs
     * (from, to): no threshold may lie after the bins from..to - 1. */
    uint32_t *at;
    size_t len, cap;
    bool filled;
    bool none_allowed; /* ordered: no threshold at all is safe */
} kn_span_cache;
enum { KN_SPAN_CACHES = 3 }; /* per attribute; ordered ones: by where missing values go */

/* A span: its records stand at places begin..end - 1 of the table's columns. */
typedef struct kn_span_entry {
    uint32_t begin, end;
    uint32_t next;        /* the span that begins at `end`, or KN_NO_CODE */
    uint32_t nodes;       /* number of nodes whose bins it contains */
    kn_span_cache *cache; /* [attribute * KN_SPAN_CACHES]; NULL: empty */
} kn_span_entry;

/* A run of adjacent spans: from `span` on, up to place `end`. Splitting a span keeps its parts
 * within its places, so a run stays valid whatever other leaves do. */
typedef struct kn_span_run {
    uint32_t span, end;
} kn_span_run;

/* The spans that contain the bins of a leaf. The children of a private split share the list of
 * their parent. */
typedef struct kn_span_list {
    size_t references;
    size_t len, cap;
    kn_span_run *at;
} kn_span_list;

typedef struct kn_span_leaf {
    kn_span_list *spans; /* NULL: the node will not be split any more */
    uint32_t candidates; /* of the leaf in the queue */
    bool several_bins;   /* its spans contain more than one bin (Claim 3, condition 1, fails) */
} kn_span_leaf;

/* See span_table.c. Needed as soon as private attributes may split. */
typedef struct kn_span_table {
    size_t attributes;
    void **codes;   /* by attribute, public ones only: in the order of the spans */
    uint8_t *klass; /* in the order of the spans */
    kn_span_entry *span;
    size_t spans, cap;
    kn_extent *extent; /* [span * attributes + attribute] */
    size_t extent_cap;
    kn_span_leaf *leaf; /* by node of the tree */
    size_t leaves, leaf_cap;
    uint32_t *child; /* scratch: by record of a span */
    void *buffer;    /* scratch: a column of a span */
    bool no_memory;  /* an allocation failed inside a check, whose answer is void */
    uint64_t work;   /* spans and records visited so far */
    size_t runs;     /* in all lists */
} kn_span_table;

typedef struct kn_grow_state {
    const kn_grow_options *o;
    kn_grown *tree;
    kn_grow_column *column;
    size_t classes;
    uint8_t *klass;       /* in the order of the leaves */
    uint32_t most_values; /* of an attribute */
    uint32_t names;       /* most names that an attribute has, with the root of its hierarchy */
    bool has_limits;      /* some split could violate the guarantee */
    bool lazy;            /* splits are checked when they come up, not when they are queued */
    kn_span_table *spans; /* NULL: every leaf is one span */
    kn_split_candidate *queue; /* a binary heap */
    size_t queued, queue_cap;
    kn_grow_scratch *scratch; /* by worker */
    unsigned workers;
    double *xlogx; /* n ln n of small n */
} kn_grow_state;

/* KN_GROW_WORTH_THREADS: values to count or to move before threads are worth their start. */
enum { KN_GROW_WORTH_THREADS = 1 << 18, KN_GROW_XLOGX = 1 << 16 };

/* ---- grow_setup.c ---- */
/** From g->o to a tree of one leaf. kn__grow_clear frees all but the tree, also after a failure. */
kn_status kn__grow_set_up(kn_grow_state *g, kn_error *err);
void kn__grow_clear(kn_grow_state *g);
/** Add `count` nodes with populations of 0. */
kn_status kn__grow_add_nodes(kn_grow_state *g, size_t count, kn_error *err);
/** Set the answer of a node: the most frequent class of its population. */
void kn__grow_set_answer(kn_grow_state *g, uint32_t node);

/* ---- grow_split.c ---- */
/** Split `leaf` by attribute `a` as `s` says: its children are added and take its records. */
kn_status kn__grow_apply_split(kn_grow_state *g, const kn_split *s, uint32_t leaf, uint32_t a,
                               kn_error *err);
/** Counting sort: put `count` codes of `width` bytes into the order of their children. place[child]
 * is where the next code of a child goes, and advances. */
void kn__grow_scatter(void *to, const void *from, uint8_t width, const uint32_t *child,
                      size_t *place, size_t count);

/* ---- grow_count.c ---- */
kn_status kn__scratch_init(kn_grow_scratch *s, const kn_grow_state *g, kn_error *err);
void kn__scratch_clear(kn_grow_scratch *s);
/** Count the values of attribute `a` in the leaf by class: s->present, s->counts. */
void kn__grow_count(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a);
/** Whether s->table has counted the code. */
static inline bool kn__grow_occurs(const kn_grow_scratch *s, size_t code, size_t classes)
{
    const uint32_t *row = s->table + code * classes;

    for (size_t i = 0; i < classes; i++) {
        if (row[i]) {
            return true;
        }
    }
    return false;
}
/** The sum of class counts. */
static inline uint64_t kn__grow_total(const uint64_t *by_class, size_t classes)
{
    uint64_t total = 0;

    for (size_t c = 0; c < classes; c++) {
        total += by_class[c];
    }
    return total;
}
/** The impurity (entropy or Gini index) of records with these class counts, times `total`. */
double kn__grow_impurity(const kn_grow_state *g, const uint64_t *by_class, uint64_t total);
/** Whether a span of several bins with these class counts satisfies the guarantee: at least k
 * records, diverse enough. A span without records does. */
bool kn__grow_counts_are_safe(const kn_grow_state *g, const uint64_t *by_class, uint64_t total);
/** Whether a leaf of so many records is large enough. */
static inline bool kn__grow_is_large(const kn_grow_state *g, uint64_t records)
{
    return records >= g->o->smallest;
}

/* ---- grow_category.c, grow_ordered.c: s->split of a candidate, after kn__grow_count ---- */

/** Make s->split for category `a` from `level` on, repaired as `repair` says; false if no split is
 * left. Without `check` the guarantee is not checked, and `repair` is KN_REPAIR_NONE. */
bool kn__grow_split_category(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                             unsigned level, unsigned repair, bool check);
/** Make s->split for the best split of category `a` in two; with `check`, the best safe one. */
bool kn__grow_split_subset(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                           bool check);
/** Whether s->split, of category `a`, is safe and all children are large enough; with `which`,
 * s->violates says which children are not. */
bool kn__grow_split_is_safe(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                            bool which);
/** Make s->split for the best threshold; with `check`, the best that is safe. */
bool kn__grow_split_ordered(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                            bool check);
/** Fill counts, gain and ratio of s->split from its children. */
void kn__grow_score(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf);
/** Whether kn_grow_options.holds for the records of each child of s->split; s->violates says for
 * which it does not. */
bool kn__grow_children_hold(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a);

/* ---- span_table.c ---- */
kn_status kn__span_table_new(kn_span_table **out, const kn_grow_state *g, kn_error *err);
void kn__span_table_free(kn_span_table *t);
/** Follow the split s->split of `leaf`, which the tree has made already. */
kn_status kn__span_table_split(kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, kn_error *err);
/** The leaf will not be split any more: release its list. */
void kn__span_table_close(kn_span_table *t, uint32_t leaf);
/** Prepare kn__span_table_common_child for s->split, of public attribute `a`. */
void kn__span_table_index_split(const kn_grow_state *g, kn_grow_scratch *s, uint32_t a);
/** The child of s->split that takes all records of the span, or KN_NO_CODE: it would be split. */
uint32_t kn__span_table_common_child(const kn_grow_state *g, const kn_grow_scratch *s, uint32_t a,
                                     uint32_t span);

/** Whether an extent of the attribute is a set. */
static inline bool kn__extent_is_set(const kn_grow_column *c)
{
    return !c->ordered && c->values <= 64;
}
#define KN_EXTENT_HAS_MISSING (UINT32_C(1) << 31)

/** Iterates over the spans of a list. */
typedef struct kn_span_iterator {
    const kn_span_table *table;
    const kn_span_list *list;
    size_t run;
    uint32_t next;
} kn_span_iterator;

static inline kn_span_iterator kn__spans_of_leaf(const kn_span_table *t, uint32_t leaf)
{
    const kn_span_list *list = t->leaf[leaf].spans;

    return (kn_span_iterator){t, list, 0, list->len ? list->at[0].span : KN_NO_CODE};
}
/** The next span, or KN_NO_CODE. The caller may split it before it asks for the one after it. */
static inline uint32_t kn__next_span(kn_span_iterator *w)
{
    const uint32_t span = w->next;

    if (span != KN_NO_CODE) {
        w->next = w->table->span[span].next;
        if (w->table->span[span].end == w->list->at[w->run].end) {
            w->run++;
            w->next = w->run < w->list->len ? w->list->at[w->run].span : KN_NO_CODE;
        }
    }
    return span;
}

/* ---- grow_check.c ---- */
/** Whether s->split, of public attribute `a`, leaves no span that violates the guarantee. With
 * `which`, s->violates says which children would; without, the first one ends the search. */
bool kn__public_split_is_safe(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                              bool which);
bool kn__private_split_is_safe(const kn_grow_state *g, uint32_t leaf);
/** Whether no span of the leaf can be split safely any more. */
bool kn__span_table_saturated(const kn_grow_state *g, uint32_t leaf);
/** Set s->forbidden of the bins from the first that occurs in the leaf to the one before the last:
 * not 0 where a threshold after the bin would violate the guarantee, missing values going where
 * `mode` says. False: all of them would. */
bool kn__forbid_thresholds(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                           unsigned mode);

/* ---- grow_prune.c ---- */
/** Cost-complexity pruning of `t`, which `options` grew: `grow` grows the trees of the
 * cross-validation. */
kn_status kn__grow_prune(kn_grown *t, const kn_grow_options *options,
                         kn_status (*grow)(kn_grown **out, const kn_grow_options *options,
                                           kn_error *err),
                         kn_error *err);

#endif
