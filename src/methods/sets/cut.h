/* methods/sets/cut.h - a cut of a hierarchy over the items of one column, and what it would take to
 * make it finer.
 *
 * A cut is a set of nodes such that every item is at or below exactly one of them; each item is
 * published as its node. If a cut is k^m-anonymous, so is every coarser one: a combination of
 * coarse nodes that occurs has, in the record where it occurs, a combination of finer nodes, and
 * a record that holds that one holds the coarse one too. Hence a split that is refused stays
 * refused until one of the nodes of the rare combination that it would make (its witness) is
 * generalised, and a cut none of whose nodes can be split has no better cut below it.
 *
 * Items are known by their place: their number in a depth-first walk of the hierarchy, so that what
 * is below a node is one range of places, and generalising a record keeps it sorted. */
#ifndef KN_METHODS_SETS_CUT_H
#define KN_METHODS_SETS_CUT_H

#include "base/arena.h"
#include "count/baskets.h"
#include "count/rare/rare.h"
#include "hierarchy/domain.h"
#include "kanon/run.h"
#include "methods/sets/node_lists.h"

typedef struct kn_cut {
    kn_arena arena;
    const kn_domain *domain;
    size_t k, m;
    bool bags;
    unsigned threads;
    size_t records; /* different ones, which have items */
    uint64_t *starts;
    uint32_t *place;  /* starts[i]..starts[i+1]: the items of record i, ascending */
    uint32_t *weight; /* by record: how many it stands for */
    uint32_t places;
    uint32_t *place_of; /* by code: its place; KN_NO_CODE: not an item */
    /* Nodes are those of the domain and one more, `apart`: the place below the root of the values
     * that no leaf covers, which are always published as the root. */
    uint32_t nodes, root, apart;
    uint32_t *parent;
    uint32_t *low, *high;  /* by node: its places low..high-1; none: no item is below it */
    uint32_t *children_at; /* node i has children[children_at[i]..children_at[i+1]); those without
                              items left out */
    uint32_t *children;
    double *cost;    /* by node: NCP of all occurrences below it when it is in the cut */
    uint64_t *times; /* by place: its occurrences */
    bool partial;    /* kn__cut_split_partly was called: a node of the cut may be above another */
    double all;      /* occurrences */
    uint32_t *to;    /* by place: its node in the cut */
    uint8_t *in;     /* by node: it is in the cut */
    double loss;     /* sum of the cost of the cut's nodes */
    uint32_t **holders; /* by node: the records that hold it, ascending; NULL: not asked for yet */
    uint32_t *holders_len;
    uint64_t *support;            /* by node, if m is 1: how many records hold it; NULL otherwise */
    uint32_t *child;              /* while a node is split: its children in turn */
    uint32_t *turn;               /* by node: the turn of such a child, from 1; 0 otherwise */
    struct kn_cut_worker *worker; /* by thread */
    struct kn_cut_counts *counts; /* who counts the records instead; NULL: they are here */
} kn_cut;

/** The coarsest cut: everything is the root. `b` holds the codes of the domain's column; codes that
 *  start at KN_NO_NODE are left out. `*out` borrows `domain` only. O(occurrences). */
kn_status kn__cut_new(kn_cut **out, const kn_domain *domain, const kn_baskets *b, size_t k,
                      size_t m, unsigned threads, kn_error *err);
/** The same, knowing that no item can be published as less than its floor: a node by code, and
 *  together a cut (NULL: there are none; KN_NO_NODE: it is no item). Items with one floor are one
 *  place, and records that they make equal are one. */
kn_status kn__cut_new_above(kn_cut **out, const kn_domain *domain, const kn_baskets *b,
                            const uint32_t *floor, size_t k, size_t m, unsigned threads,
                            kn_error *err);
void kn__cut_free(kn_cut *c);

/** Whether the coarsest cut is k^m-anonymous; if not, `*size` is the least number of occurrences
 *  that too few records (`*support`) have. Nothing is if it is not. */
bool kn__cut_root_holds(const kn_cut *c, size_t *size, uint64_t *support);

/** Put the children of `node`, which is in the cut, in its place, if the cut, k^m-anonymous now,
 * stays so: only combinations with a child are looked at, on the records that hold it. `*done` says
 *  whether it was done; if not, the cut is as it was, and `*why` a combination that forbids it.
 *  O(sum over those records of length^(m-1)) at most. */
kn_status kn__cut_split(kn_cut *c, uint32_t node, bool *done, kn_witness *why, kn_error *err);

/** The same for a split that is known to be allowed. O(places below it). */
void kn__cut_put(kn_cut *c, uint32_t node);

/** Put `node`, which is above the cut, in the place of all that is below it. O(places). */
void kn__cut_merge(kn_cut *c, uint32_t node);

/** What splitting `node` saves. */
double kn__cut_gain(const kn_cut *c, uint32_t node);

/** Publish frequent items, and groups, below the nodes of the cut under names of their own, while
 *  the rest of a node keeps the node's name: those that save most first, as long as the release
 *  stays k^m-anonymous. It is no cut then: splits and merges must not follow. */
kn_status kn__cut_split_partly(kn_cut *c, const kn_run *run, kn_error *err);

/* ---- between cut.c, cut_split.c and cut_partial_split.c ---- */
kn_status kn__cut_workers_new(kn_cut *c, kn_error *err);
void kn__cut_workers_free(kn_cut *c);
/** The records that hold the root; those that hold other nodes are forgotten. */
kn_status kn__cut_hold_all(kn_cut *c, kn_error *err);
/** The records that hold the inner nodes of the cut. O(occurrences). */
kn_status kn__cut_hold_cut(kn_cut *c, kn_error *err);
/** The records that hold each child of `node`, from those that hold it, which are known. */
kn_status kn__cut_find_holders(kn_cut *c, uint32_t node, kn_error *err);
/** Where in c->place the first item of `record` that is at `low` or after it stands. */
uint64_t kn__cut_first(const kn_cut *c, uint32_t record, uint32_t low);
/** Publish the places below `node` as its children. */
void kn__cut_assign_children(kn_cut *c, uint32_t node);
/** The lists of a worker, for combinations of the names of records. */
kn_node_lists *kn__cut_lists(kn_cut *c, unsigned number);

/** NCP of the cut: 0 nothing lost .. 1 all. */
static inline double kn__cut_ncp(const kn_cut *c)
{
    return c->all > 0 ? c->loss / c->all : 0;
}
/** What code `code` is published as: a node of the domain, KN_NO_NODE if it is no item. */
static inline uint32_t kn__cut_node(const kn_cut *c, uint32_t code)
{
    const uint32_t place = c->place_of[code];
    const uint32_t node = place == KN_NO_CODE ? KN_NO_NODE : c->to[place];
    return node == c->apart ? c->root : node;
}

#endif
