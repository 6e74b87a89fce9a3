/* methods/sets/lra_rare.h - between lra_rare.c and lra_refine.c: records as names, and which of
 * them hold a rare combination.
 *
 * An entry is a record written down as its names, without the name whose combinations are counted.
 * It may have a candidate: the record to which a finer name is to be given, and which is reverted
 * if the entry holds a rare combination. */
#ifndef KN_METHODS_SETS_LRA_RARE_H
#define KN_METHODS_SETS_LRA_RARE_H

#include "base/arena.h"
#include "methods/sets/lra.h"

#define KN_NO_RECORD UINT32_MAX

/* What one thread needs. */
typedef struct kn_lra_scratch {
    kn_arena arena;
    kn_node_lists entries;
    uint32_t *candidate; /* by entry, or KN_NO_RECORD */
    size_t candidate_cap;
    uint32_t *count, *found; /* by node, all 0 between uses; nodes with a count */
    uint8_t *open;           /* by node: its support is not known to be k yet; all 0 between uses */
    uint8_t *wanted;         /* by node: see kn__lra_write; all 0 between uses */
    uint64_t *seen;          /* by node: the entry that had it last, by its stamp */
    uint64_t stamp;
    /* By holder of the node: where its items below the node begin; whether it has the name of the
     * node already; whether it is to get it (the core); and whether that is to be reverted. */
    uint64_t *first;
    uint8_t *held, *core, *revert;
    uint8_t *moved; /* by record: it is in the core; all 0 between uses */
    uint32_t *lost; /* names that lose records */
    size_t lost_len, lost_cap;
    double gain;
    kn_status status;
    kn_error error;
} kn_lra_scratch;

void kn__lra_scratch_clear(kn_lra_scratch *w);
kn_status kn__lra_scratch_init(kn_lra_scratch *w, const kn_cut *c, kn_error *err);

double kn__names_ncp(const kn_cut *c, uint32_t node);
/** Whether occurrence `p` would get the name of `node`: it is below it, and its name is higher. */
bool kn__names_moves(const kn_names *n, uint32_t node, uint64_t p);
/** How often record `r` has `name`: as it is, or with what moves to `node` (KN_NO_NODE: nothing)
 *  moved. In sets at most once. */
size_t kn__names_times(const kn_names *n, uint32_t r, uint32_t node, uint32_t name);

/** Add an entry: record `r` without one occurrence of `name`, named as it would be once everything
 *  that can has moved to `node` (KN_NO_NODE: as it is now). With `wanted_only`, other names than
 *  those in w->wanted are left out. `candidate`, or KN_NO_RECORD, is reverted if the entry holds a
 *  rare combination. */
kn_status kn__lra_write(const kn_names *n, kn_lra_scratch *w, uint32_t r, uint32_t node,
                        uint32_t name, bool wanted_only, uint32_t weight, uint32_t candidate,
                        kn_error *err);
/** Mark in w->revert the candidates of the entries that hold a rare combination with the name that
 *  all entries were written without; `*any` becomes true if there are any. */
kn_status kn__lra_find_rare(const kn_cut *c, kn_lra_scratch *w, bool *any, kn_error *err);

#endif
