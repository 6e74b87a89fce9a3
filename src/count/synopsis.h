/* count/synopsis.h - the synopsis tree of a forest (the tree paper, section 3.1).
 *
 * All records are laid on top of each other: a node stands for a path of labels from the root, and
 * knows the records that hold this path. As siblings are distinct, a record holds a path at most
 * once, so the synopsis tree says all that the forest says. Every label has side links to its
 * nodes.
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
    kn_record_set *holds; /* by node; the root's is empty */
    uint32_t *side_begin; /* by label, and one more: its side links in `side` */
    uint32_t *side;
    uint64_t *starts; /* by record, and one more: its paths in `held` */
    uint32_t *held;   /* nodes as they were before anything was disassociated, */
    uint32_t *now;    /* and what has become of them; several may have become one */
    uint32_t before;  /* length of `now` */
} kn_synopsis;

/** The synopsis tree of `f`. `to` (by code; NULL: the code itself) is the label of each value,
 * below `labels`, or KN_NO_LABEL. O(nodes of the forest) expected. */
kn_status kn__synopsis_new(kn_synopsis **out, const kn_forest *f, const uint32_t *to,
                           uint32_t labels, const kn_run *run, kn_error *err);
void kn__synopsis_free(kn_synopsis *s);
bool kn__synopsis_validate(const kn_synopsis *s, const char **reason);

/** Disassociate `count` relations, one after the other, in all records. O(nodes x (depth + count))
 *  and the lengths of the record sets that are joined. */
kn_status kn__synopsis_disassociate(kn_synopsis *s, const kn_relation *relations, size_t count,
                                    kn_error *err);

/** Whether `above` is an ancestor of `below`, or the same node. */
static inline bool kn__synopsis_is_above(const kn_synopsis *s, uint32_t above, uint32_t below)
{
    while (s->depth[below] > s->depth[above]) {
        below = s->parent[below];
    }
    return above == below;
}

#endif
