/* models/tree/grow_state.h - what the parts of the growing share. */
#ifndef KN_MODELS_TREE_GROW_STATE_H
#define KN_MODELS_TREE_GROW_STATE_H

#include "models/tree/grow.h"

/* An attribute at work. */
typedef struct kn_grow_column {
    const kn_grow_attribute *is;
    bool ordered;
    uint32_t values;  /* codes, or bins of an ordered column */
    uint32_t missing; /* likewise, or KN_NO_CODE */
    uint32_t *bin;    /* by code; NULL: codes are bins */
    uint32_t *last;   /* by bin: its last code; NULL likewise */
    uint8_t width;
    void *codes; /* in the order of the leaves */
} kn_grow_column;

/* How missing values of an ordered attribute go: there are none, to a child of their own, with the
 * left or right side; or they are what the split is about, and there is no threshold. */
enum { KN_GAPS_NONE, KN_GAPS_OWN, KN_GAPS_LEFT, KN_GAPS_RIGHT, KN_GAPS_ONLY, KN_GAPS_MODES };

/* A split that could be made, by what it is made of. */
typedef struct kn_split_candidate {
    double key; /* what the queue is ordered by */
    double gain;
    uint32_t leaf, attribute;
    uint16_t level; /* cells: the level that it starts from */
    uint8_t repair; /* cells: KN_REPAIR_* */
    uint8_t behind; /* gain ratio: less gain than the leaf's average */
} kn_split_candidate;

enum { KN_REPAIR_NONE, KN_REPAIR_LUMP, KN_REPAIR_CUT, KN_REPAIRS };

/* A split in all detail. */
typedef struct kn_shape {
    uint32_t cells;   /* children */
    uint32_t *cell;   /* by code or bin: the child; `cells`: none, the node answers */
    uint32_t *name;   /* by cell, of categories */
    uint32_t at;      /* ordered: bins up to this one go left */
    double number;    /* ordered: the threshold */
    uint8_t gaps;     /* ordered: how missing values go; KN_GAPS_MODES: not ordered */
    uint64_t *counts; /* [cell * classes + class] */
    double gain;      /* of the whole leaf */
    double ratio;     /* gain over the information of the split itself */
} kn_shape;

/* What one thread needs for itself. */
typedef struct kn_grow_scratch {
    uint32_t *table;   /* [code * classes + class], all 0 between uses */
    uint32_t *bins;    /* of one span */
    uint32_t *touched; /* codes that occur, ascending */
    size_t seen;       /* of them */
    uint32_t *counts;  /* [place in touched * classes + class] */
    kn_shape shape, best;
    uint32_t *cell_of_name; /* by name: its cell, KN_NO_CODE otherwise */
    uint32_t *own;          /* by cell */
    uint32_t *rows;         /* of one cell; only with kn_grow_options.holds */
    uint8_t *bad;           /* by cell; the last: no cell */
    uint64_t *sum;          /* four times classes */
    uint64_t *parts;        /* [cell * classes + class], room for no cell; at least four */
    int32_t *forbidden;     /* by bin + 1: ordered, public attributes */
    uint32_t *alike;        /* by code: the last of those that follow it in the same cell */
    uint64_t in_cell[65];   /* by cell, the last: no cell: its codes, if they are few */
} kn_grow_scratch;

/* What the values of a span are like in a public attribute. Categories of at most 64 values: the
 * set of them. Others: the least and the greatest, and of ordered ones whether some are missing. */
typedef union kn_extent {
    uint64_t set;
    struct {
        uint32_t low, high; /* low > high: none, or of ordered ones all are missing */
    } from;
} kn_extent;

/* What was found out about the records of a large span in one attribute, since every leaf of the
 * span asks the same. Categories: their codes, ascending, with class and count, three numbers each.
 * Ordered attributes, for each way of missing values: behind which bins no threshold may be, from
 * and to. */
typedef struct kn_span_cache {
    uint32_t *at;
    size_t len, cap;
    bool known;
    bool none; /* no threshold may be anywhere */
} kn_span_cache;
enum { KN_MEMOS = 3 }; /* an attribute */

/* Records that share a span: places begin..end - 1 of the book's columns. */
typedef struct kn_span_table_span {
    uint32_t begin, end;
    uint32_t next;       /* the span behind it, or KN_NO_CODE */
    uint32_t nodes;      /* whose bins it has */
    kn_span_cache *memo; /* [attribute * KN_MEMOS]; NULL: nothing was asked */
} kn_span_table_span;

/* Spans that stood side by side when they were listed: those from `span` on that begin before place
 * `end`. What they are parted into later is found there, too, so no list ever changes. */
typedef struct kn_span_run {
    uint32_t span, end;
} kn_span_run;

/* The spans of a node. The children of a private split have those of their parent. */
typedef struct kn_span_list {
    size_t nodes; /* that have it */
    size_t len, cap;
    kn_span_run *at;
} kn_span_list;

typedef struct kn_span_table_node {
    kn_span_list *spans; /* NULL: not to be split any more */
    uint32_t waiting;    /* its candidates in the queue */
    bool multiple;       /* its spans have more than one bin */
} kn_span_table_node;

/* The paper's bookkeeping: needed as soon as private attributes may split. */
typedef struct kn_span_table {
    size_t attributes;
    void **codes;   /* by attribute, public ones: in the order of the spans */
    uint8_t *klass; /* likewise */
    kn_span_table_span *span;
    size_t spans, cap;
    kn_extent *extent; /* [span * attributes + attribute] */
    size_t extent_cap;
    kn_span_table_node *node;
    size_t nodes, node_cap;
    uint32_t *cell; /* scratch: by record of a span */
    void *room;     /* scratch: a column of a span */
    bool no_memory; /* a question could not be answered */
    uint64_t work;  /* spans and records that were looked at */
    size_t listed;  /* stretches in all lists */
    size_t bins;    /* nodes of all spans together */
} kn_span_table;

typedef struct kn_growing {
    const kn_grow_options *o;
    kn_grown *tree;
    kn_grow_column *column;
    size_t classes;
    uint8_t *klass;            /* in the order of the leaves */
    uint8_t *klass_of;         /* by record of the dataset */
    uint32_t widest;           /* most values of an attribute */
    uint32_t names;            /* most names of an attribute, its root among them */
    bool limits;               /* there is something to keep */
    bool lazy;                 /* whether a split is safe is not seen from its counts */
    kn_span_table *book;       /* NULL: spans are leaves */
    kn_split_candidate *queue; /* a heap */
    size_t queued, queue_cap;
    kn_grow_scratch *scratch; /* by worker */
    unsigned workers;
    double *xlogx; /* of small numbers */
} kn_growing;

/* Cells to count, or to move, before threads are started for it. */
enum { KN_GROW_WORTH_THREADS = 1 << 18, KN_GROW_XLOGX = 1 << 16 };

/* ---- grow_setup.c ---- */
/** From g->o to a tree of one leaf. kn__grow_clear frees all but the tree, also after a failure. */
kn_status kn__grow_set_up(kn_growing *g, kn_error *err);
void kn__grow_clear(kn_growing *g);
/** Add `count` nodes; their populations are 0. */
kn_status kn__grow_add_nodes(kn_growing *g, size_t count, kn_error *err);
/** The answer of a node from its population. */
void kn__grow_settle(kn_growing *g, uint32_t node);

/* ---- grow_split.c ---- */
/** Split `leaf` by attribute `a` as `s` says: its children are added and take its records. */
kn_status kn__grow_make_split(kn_growing *g, const kn_shape *s, uint32_t leaf, uint32_t a,
                              kn_error *err);

/** Put `count` codes of `width` bytes into the order of their cells; place[cell] is where the next
 * one of a cell goes, and moves on. */
void kn__grow_scatter(void *to, const void *from, uint8_t width, const uint32_t *cell,
                      size_t *place, size_t count);

/* ---- grow_count.c ---- */
kn_status kn__scratch_init(kn_grow_scratch *s, const kn_growing *g, kn_error *err);
void kn__scratch_clear(kn_grow_scratch *s);
/** What occurs of attribute `a` in the leaf, into s->touched, s->counts and s->seen. */
void kn__grow_count(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a);
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
/** n ln n. */
double kn__grow_xlogx(const kn_growing *g, uint64_t n);
/** What a set of records with these class counts lacks in purity, times its size. */
double kn__grow_impurity(const kn_growing *g, const uint64_t *by_class, uint64_t total);
/** Whether a span with these class counts keeps the guarantee; none at all does. */
bool kn__grow_keeps(const kn_growing *g, const uint64_t *by_class, uint64_t total);
void kn__shape_swap(kn_shape *a, kn_shape *b);

/* ---- grow_cells.c, grow_ordered.c: s->shape of a candidate ---- */

/** Make s->shape for category `a` from `level` on, repaired as `repair` says. False: no split is
 * left. `check` looks whether it is safe: without, only KN_REPAIR_NONE, and nothing is looked
 * at. */
bool kn__grow_cells(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                    unsigned level, unsigned repair, bool check);
/** The best threshold, of those that are safe if `check`. */
bool kn__grow_ordered(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                      bool check);
/** Fill counts, gain and ratio of s->shape from its cells. */
void kn__grow_weigh(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf);

/* ---- span_table.c ---- */
kn_status kn__span_table_new(kn_span_table **out, const kn_growing *g, kn_error *err);
void kn__span_table_free(kn_span_table *b);
/** The split s->shape of `leaf` is made; its children are there. */
kn_status kn__span_table_split(kn_growing *g, kn_grow_scratch *s, uint32_t leaf, kn_error *err);
/** The leaf will not be split: its list is let go. */
void kn__span_table_close(kn_span_table *b, uint32_t leaf);
/** The records of the span have changed: nothing is known of them. */
void kn__span_table_forget(kn_span_table *b, uint32_t span);
/** Of a split of public attribute `a`: make s->alike from s->shape.cell. */
void kn__span_table_sift(const kn_growing *g, kn_grow_scratch *s, uint32_t a);
/** The cell of s->shape that all records of the span go to, or KN_NO_CODE. */
uint32_t kn__span_table_cell(const kn_growing *g, const kn_grow_scratch *s, uint32_t a,
                             uint32_t span);

/* Whether codes of the attribute are few enough for a set. */
static inline bool kn__extent_is_set(const kn_grow_column *c)
{
    return !c->ordered && c->values <= 64;
}
/* In the greatest value of an ordered attribute: some are missing. */
#define KN_EXTENT_GAPS (UINT32_C(1) << 31)

/* for (each span of a list) */
typedef struct kn_span_walk {
    const kn_span_table *book;
    const kn_span_list *list;
    size_t stretch;
    uint32_t next;
} kn_span_walk;

static inline kn_span_walk kn__span_walk_over(const kn_span_table *b, const kn_span_list *list)
{
    return (kn_span_walk){b, list, 0, list->len ? list->at[0].span : KN_NO_CODE};
}
/** The next span, or KN_NO_CODE. It may be parted before the one after it is asked for. */
static inline uint32_t kn__span_walk_next(kn_span_walk *w)
{
    const uint32_t span = w->next;

    if (span != KN_NO_CODE) {
        w->next = w->book->span[span].next;
        if (w->book->span[span].end == w->list->at[w->stretch].end) {
            w->stretch++;
            w->next = w->stretch < w->list->len ? w->list->at[w->stretch].span : KN_NO_CODE;
        }
    }
    return span;
}

/* ---- grow_keeps.c ---- */
/** Whether no cell of s->shape (of public attribute `a`) would leave a span that breaks the
 * guarantee. With `which`, s->bad says which ones would; without, the first ends it. */
bool kn__span_table_public_keeps(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                                 bool which);
/** Whether all spans of the leaf have so few records that none may be parted any more. */
bool kn__span_table_saturated(const kn_growing *g, uint32_t leaf);
bool kn__span_table_private_keeps(const kn_growing *g, uint32_t leaf);
/** By bin from the first that occurs in the leaf to the one before the last: s->forbidden non-zero
 * where a threshold behind it would break the guarantee, missing values going as `mode` says;
 * false: all would. */
bool kn__span_table_thresholds(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                               unsigned mode);

/* ---- grow_prune.c ---- */
/** Make leaves of nodes whose children promise no fewer errors. */
void kn__grow_prune(kn_grown *t);

#endif
