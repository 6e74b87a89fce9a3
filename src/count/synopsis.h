/* count/synopsis.h - the synopsis tree of a forest (the tree paper, section 3.1).
 *
 * All records are laid on top of each other: a node stands for a path of labels from the root, and
 * knows how many records hold this path. Every record has a row: the nodes that it holds. As
 * siblings are distinct, a record holds a path at most once, so the synopsis tree says all that the
 * forest says. Every label has side links to its nodes. Which records hold a value or a relation:
 * count/relation_index.h.
 *
 * A label is what a value is published as: the synopsis tree of a cut is made in one pass over the
 * forest, with the label of each value. Equal siblings become one node there. Node 0 is the root;
 * the parent of a node has a smaller number.
 *
 * Structural disassociation of a ~> b (Definition 2) rewrites paths. With a and b on a path, its
 * node b moves beside a and is a leaf there; on longer paths b is left out. What happens to a
 * path depends on the path alone, so it happens in the synopsis tree, once for all records. */
#ifndef KN_COUNT_SYNOPSIS_H
#define KN_COUNT_SYNOPSIS_H

#include "count/path_trie.h"
#include "count/record_set.h"
#include "data/trees.h"
#include "kanon/run.h"

/** `above` is an ancestor of `below`: above ~> below. Both are labels. */
typedef struct kn_relation {
    uint32_t above, below;
} kn_relation;

typedef struct kn_synopsis {
    size_t records, words;
    uint32_t labels;
    uint32_t nodes;
    uint32_t *label;      /* by node; KN_NO_LABEL for the root */
    uint32_t *parent;     /* by node; the root is its own */
    uint32_t *depth;      /* by node; the root has 0 */
    size_t *support;      /* by node: its records; 0: the path is gone. The root's is 0 */
    uint32_t *side_begin; /* by label, and one more: its side links in `side` */
    uint32_t *side;
    const uint64_t *starts; /* of the forest: by record, and one more: where its nodes begin */
    const uint32_t *held;   /* by node of the forest: the node here, as it was before anything was
                               disassociated; 0 or that of its parent where it is left out */
    uint32_t *now;          /* what has become of these nodes; several may have become one */
    uint32_t before;        /* length of `now` */
    uint32_t *own_held;     /* what `held` is, unless it is that of another synopsis tree */
    /* Where some records hold other nodes than `held` says (kn__synopsis_refine): */
    uint32_t *moved;        /* by record: 0, or its number among these records, + 1; or NULL */
    uint64_t *moved_starts; /* by number: where the nodes of the record begin in moved_held */
    uint32_t *moved_held;
} kn_synopsis;

/** The synopsis tree of `f`, which must outlive it. `to` (by code; NULL: the code itself) is the
 * label of each value, below `labels`, or KN_NO_LABEL. O(nodes of the forest) expected. */
kn_status kn__synopsis_new(kn_synopsis **out, const kn_forest *f, const uint32_t *to,
                           uint32_t labels, const kn_run *run, kn_error *err);
void kn__synopsis_free(kn_synopsis *s);
bool kn__synopsis_validate(const kn_synopsis *s, const char **reason);

/** The synopsis tree with the labels `to` from `s`, that with the labels `was`, in which nothing
 * was disassociated. The two differ in values that only the `count` records of `records`
 * (increasing) hold. `s` must outlive it: the rows of other records are shared. Where the labels of
 * other values cannot be told from those that differ, or a class comes in that was left out,
 * everything is made anew, and `moved` is NULL. O(nodes of these records + nodes of s) expected. */
kn_status kn__synopsis_refine(kn_synopsis **out, const kn_synopsis *s, const kn_forest *f,
                              const uint32_t *was, const uint32_t *to, const uint32_t *records,
                              size_t count, const kn_run *run, kn_error *err);

/** Make `s` what `x` is, which was made of `s` by kn__synopsis_refine; `x` is freed. O(rows that
 *  differ). */
void kn__synopsis_become(kn_synopsis *s, kn_synopsis *x);

/** Give `s`, in which nothing was disassociated, rows of its own, so that it no longer needs the
 *  synopsis tree that it was made of. O(nodes of the forest). */
kn_status kn__synopsis_own(kn_synopsis *s, kn_error *err);

/** Disassociate `count` relations, one after the other. `holding` (NULL: all records): the records
 *  that hold one of them, `held` of them, increasing. O(nodes x depth and nodes of these records)
 *  expected. */
kn_status kn__synopsis_disassociate(kn_synopsis *s, const kn_relation *relations, size_t count,
                                    const uint32_t *holding, size_t held, kn_error *err);

/** By node with `wanted`: its records, into `out`, which has a zeroed set per node and which the
 *  caller clears, also on failure. O(sum of the rows). */
kn_status kn__synopsis_sets(kn_record_set *out, const kn_synopsis *s, const uint8_t *wanted,
                            kn_error *err);

/** The nodes that record `r` holds, to be looked up in `now`; how many in `*len`. Some are named
 *  several times, and the root may be among them. */
static inline const uint32_t *kn__synopsis_row(const kn_synopsis *s, size_t r, size_t *len)
{
    *len = (size_t)(s->starts[r + 1] - s->starts[r]);
    return s->moved && s->moved[r] ? s->moved_held + s->moved_starts[s->moved[r] - 1]
                                   : s->held + s->starts[r];
}

/** Whether `above` is an ancestor of `below`, or the same node. */
static inline bool kn__synopsis_is_above(const kn_synopsis *s, uint32_t above, uint32_t below)
{
    while (s->depth[below] > s->depth[above]) {
        below = s->parent[below];
    }
    return above == below;
}

#endif
