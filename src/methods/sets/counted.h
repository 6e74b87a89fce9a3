/* methods/sets/counted.h - apriori on records that are elsewhere, and that another process counts:
 * what a cut needs to know comes from questions about rare combinations of names.
 *
 * A question names the nodes that each item may become (several at once) and is answered with all
 * combinations of up to m of these that 1..k-1 people hold. */
#ifndef KN_METHODS_SETS_COUNTED_H
#define KN_METHODS_SETS_COUNTED_H

#include "kanon/anonymize.h"
#include "methods/sets/apriori.h"

struct kn_rare_names {
    size_t count;
    size_t *end; /* combination i ends before node[end[i]] */
    uint32_t *node;
    uint64_t *support;
    size_t end_cap, node_cap, support_cap;
    uint32_t nodes; /* names are below this */
};

/** Who is asked, and what the answers said so far. */
typedef struct kn_cut_counts {
    kn_rare_fn ask;
    void *user;
    const kn_dataset *ds;
    size_t column;
    uint8_t *rare;    /* by node: 1..k-1 people hold it */
    uint8_t *allowed; /* by node: it may be split with nothing but the splits above it */
    kn_rare_names
        conflict[KN_MOST_M + 1]; /* by size: rare combinations of children of allowed splits */
} kn_cut_counts;

/** Let `c` ask for what it wants to know; frees what it had of records. */
kn_status kn__counted_start(kn_cut *c, const kn_items_task *task, kn_error *err);
void kn__counted_free(kn_cut *c);
/** How many people hold any item; exact below k, and k from there on. */
kn_status kn__counted_root(kn_cut *c, uint64_t *support, kn_error *err);
/** Find the allowed splits, for kn__counted_split, and conflicts between them. */
kn_status kn__counted_find(kn_cut *c, const kn_run *run, kn_error *err);
void kn__counted_split(kn_cut *c, uint32_t node, bool *done);
/** As kn__splits_conflicts. */
kn_status kn__counted_conflicts(kn_splits *s, const kn_cut *c, kn_error *err);
/** As kn__cut_split_partly. */
kn_status kn__counted_split_partly(kn_cut *c, const kn_run *run, kn_error *err);

/* ---- between counted.c and counted_names.c ---- */

/** Whether an item at `place` may become `node`, which is at or above it. */
typedef bool (*kn_may_become_fn)(const void *user, const kn_cut *c, uint32_t place, uint32_t node);
/** Ask for the rare combinations of up to `m` of these nodes. `out` is zeroed first. */
kn_status kn__counted_ask(const kn_cut *c, kn_may_become_fn may, const void *user, size_t m,
                          kn_rare_names *out, kn_error *err);
void kn__rare_names_clear(kn_rare_names *x);
/** Combination `i`. */
static inline const uint32_t *kn__rare_names_at(const kn_rare_names *x, size_t i, size_t *size)
{
    const size_t begin = i ? x->end[i - 1] : 0;
    *size = x->end[i] - begin;
    return x->node + begin;
}

#endif
