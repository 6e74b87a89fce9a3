/* hierarchy/domain.h - what the values of one column can be generalised to.
 *
 * A domain binds a column to its hierarchy, if it has one, and gives methods and measures one tree
 * to work on: nodes 0..values-1 are the codes of the column, inner nodes follow, the root is the
 * last node. Without a hierarchy the tree is the codes below a root `*`, and values may also be
 * published as ranges (ordered columns) or sets (categories).
 *
 * A missing value that the hierarchy does not list is a child of the root, and keeps its own text
 * on all levels below the root's. Uncovered values are children of the root too. All of these count
 * as leaves, as do leaves of the hierarchy that do not occur in the data. A range of the hierarchy
 * (Amnesia's) has the values of the data within it as leaves; one without values counts as one
 * leaf. */
#ifndef KN_HIERARCHY_DOMAIN_H
#define KN_HIERARCHY_DOMAIN_H

#include "base/arena.h"
#include "base/buffer.h"
#include "data/dataset.h"
#include "kanon/hierarchy.h"

typedef enum kn_domain_kind {
    KN_DOMAIN_TREE,  /* has a hierarchy: published as nodes */
    KN_DOMAIN_RANGE, /* ordered, no hierarchy: [low,high] */
    KN_DOMAIN_SET    /* category, no hierarchy: {a,b} */
} kn_domain_kind;

#define KN_NO_NODE UINT32_MAX

typedef struct kn_domain {
    kn_arena arena;
    kn_domain_kind kind;
    const kn_column *column;
    const kn_hierarchy *hierarchy; /* NULL unless KN_DOMAIN_TREE */
    uint32_t values;               /* codes of the column */
    uint32_t nodes;                /* values + inner nodes */
    uint32_t *parent;              /* by node; the root is its own parent */
    uint32_t *depth;               /* by node; the root has 0 */
    double *leaves;   /* by node: leaves of the domain at or below it (hierarchy leaves that do not
                         occur in the data count) */
    double *loss;     /* by node: (leaves-1)/(total-1); the root 1 */
    double total;     /* leaves of the root */
    double low, high; /* ordered columns: the least and greatest value in the data, missing aside */
    uint32_t levels;  /* full-domain levels, at least 2: 0 is the value itself, levels-1 the root */
    uint32_t *at_level; /* [level * values + code]: the node */
    /* By code: the lowest node that it may be published as: itself; the root for a value with
     * KN_UNCOVERED_ROOT; KN_NO_NODE for one with KN_UNCOVERED_SUPPRESS. */
    uint32_t *start;
    uint32_t *order; /* by code: its place in a depth-first walk of the tree (by value without a
                        hierarchy; missing last) */
    /* Labels of inner nodes: borrowed from the hierarchy, or "*". */
    const char **label; /* by node - values; NUL-terminated */
    /* The index that kn__published_parse looks labels up in. */
    kn_dict *labels;    /* distinct labels of inner nodes */
    uint32_t *label_id; /* by node - values: its label in `labels` */
    uint32_t *top;      /* by label: the node with the most leaves, of equals the highest */
    uint8_t *several;   /* by label: nodes with different leaves have it */
} kn_domain;

/** Bind `column` to `hierarchy` (may be NULL). Uncovered values: refused with a list, or as
 * `uncovered` says. A value "*" in the column is refused: it could not be told from a suppressed
 * one. The domain borrows both. */
kn_status kn__domain_new(kn_domain **out, const kn_column *column, const kn_hierarchy *hierarchy,
                         kn_uncovered uncovered, kn_error *err);
/** The same where values that are never generalised need not be covered: `exempt` (by code; NULL:
 * none) is non-zero for them. Uncovered ones are children of the root and may be published
 * unchanged. */
kn_status kn__domain_new_exempt(kn_domain **out, const kn_column *column,
                                const kn_hierarchy *hierarchy, kn_uncovered uncovered,
                                const uint8_t *exempt, kn_error *err);
void kn__domain_free(kn_domain *d);
bool kn__domain_validate(const kn_domain *d, const char **reason);

static inline uint32_t kn__domain_root(const kn_domain *d)
{
    return d->nodes - 1;
}
/** The lowest node above both. O(depth). */
static inline uint32_t kn__domain_lca(const kn_domain *d, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (d->depth[a] >= d->depth[b]) {
            a = d->parent[a];
        } else {
            b = d->parent[b];
        }
    }
    return a;
}

/** NCP of a node: 0 for one leaf, else leaves/total; the root 1. */
static inline double kn__domain_ncp(const kn_domain *d, uint32_t node)
{
    if (node == kn__domain_root(d)) {
        return 1;
    }
    return d->leaves[node] <= 1 ? 0 : d->leaves[node] / d->total;
}

/** The node that the published text of `node` is read as: the highest one above it with the same
 * name, and the value itself for a group of that value only; the root for a group named `*`.
 * O(depth). */
uint32_t kn__domain_as_read(const kn_domain *d, uint32_t node);

/** How many codes of an ordered column have a number below `value` (or at most it, with `equal`).
 */
uint32_t kn__domain_below(const kn_domain *d, double value, bool equal);

/** Append the published text of a node. */
void kn__domain_publish_node(const kn_domain *d, uint32_t node, kn_buffer *out);
/** Append "[low,high]" for codes low <= high of an ordered column; the value itself when they are
 * equal; `*` when high is the missing value, which no range holds. */
void kn__domain_publish_range(const kn_domain *d, uint32_t low, uint32_t high, kn_buffer *out);
/** Append "{a,b}" for `count` ascending codes; the value itself for one; `*` when it is every value
 * of the domain. Values that are empty, have spaces around them or hold `,`, `{`, `}`, `"`, `..` or
 * a line break are quoted as in CSV. */
void kn__domain_publish_set(const kn_domain *d, const uint32_t *codes, size_t count,
                            kn_buffer *out);

/** The meaning of a published text. */
typedef struct kn_published {
    enum { KN_PUB_VALUE, KN_PUB_RANGE, KN_PUB_NODE, KN_PUB_SET, KN_PUB_SUPPRESSED } kind;
    uint32_t code;    /* KN_PUB_VALUE */
    double low, high; /* KN_PUB_RANGE */
    uint32_t node;    /* KN_PUB_NODE: the highest node with that label; others with the label may
                         exist: `ambiguous` */
    bool ambiguous;   /* several nodes, with different leaves, have the label */
    uint32_t *codes;  /* KN_PUB_SET: ascending; owned */
    size_t count;
    double leaves; /* the number of values of the domain that it may stand for; of a range: distinct
                      values in the data within it */
    double loss;   /* 0 not generalised .. 1 suppressed: (leaves-1)/(total-1), or width/width for
                      ranges */
    double ncp;    /* 0 not generalised, else leaves/total or width/width */
} kn_published;

/** Parse `text` as a published value of the domain. KN_EINPUT when it is none. A text that is
 * a value of the column is that value, not a range or set. Expected O(len), sets O(len + count log
 * count). */
kn_status kn__published_parse(kn_published *out, const kn_domain *d, const char *text, size_t len,
                              kn_error *err);
void kn__published_clear(kn_published *p);
/** Whether `p` may stand for the original value `code`. When p is ambiguous, `*exact` (may be NULL)
 * receives `p` narrowed down to the highest node with its label above `code`, or to the value
 * itself where the text is one and no such node is above it: what it stands for is never
 * understated. Otherwise a copy of `p`. `exact` borrows p->codes: do not clear it. O(depth); sets
 * O(log count). */
bool kn__published_covers(const kn_published *p, const kn_domain *d, uint32_t code,
                          kn_published *exact);

#endif
