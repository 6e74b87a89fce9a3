/* methods/sets/lra_rare.h - between lra_rare.c and lra_refine.c: records as names, and which of
 * them hold a rare combination. */
#ifndef KN_METHODS_SETS_LRA_RARE_H
#define KN_METHODS_SETS_LRA_RARE_H

#include "methods/sets/lra.h"

#define KN_NOBODY UINT32_MAX

typedef struct kn_projection {
    uint32_t *at, *who; /* positions in `item`, and whose they are */
    uint32_t *node, *end;
    size_t at_cap, who_cap, node_cap, end_cap;
} kn_projection;

/* One thread's room. */
typedef struct kn_names_room {
    uint32_t *count, *many, *blamed; /* by node: support, entries, entries to blame */
    uint32_t *found;
    uint8_t *rare, *wanted; /* by node; all 0 between uses */
    uint64_t *seen;         /* by node: the entry that had it last, by its stamp */
    uint64_t stamp;
    kn_projection level[KN_MOST_M + 1];
    uint32_t *item; /* records, written down as names; each ends with KN_NO_NODE */
    size_t item_cap, item_len;
    uint32_t *weight, *blame; /* by entry: its weight, and its candidate or KN_NOBODY */
    size_t entries, weight_cap, blame_cap;
    size_t listed; /* entries that count: level[0].at and .who */
    /* By record of the node's holders: where what is below the node begins, whether it has the name
     * already, whether it is to get it, and whether it is to be put back. */
    uint64_t *first;
    uint8_t *held, *core, *put;
    uint8_t *moved; /* by record: it is in the core; all 0 between uses */
    uint32_t *lost; /* names that lose records */
    size_t lost_len, lost_cap;
    double gain;
    kn_status status;
    kn_error error;
} kn_names_room;

void kn__room_clear(kn_names_room *w);
kn_status kn__room_init(kn_names_room *w, const kn_cut *c, kn_error *err);

double kn__names_ncp(const kn_cut *c, uint32_t node);
/** Whether occurrence `p` would get the name of `node`: it is below it, and its name is higher. */
bool kn__names_moves(const kn_names *n, uint32_t node, uint64_t p);
/** How often record `r` has `name`: as it is, or with what moves to `node` (KN_NO_NODE: nothing)
 *  moved. In sets at most once. */
size_t kn__names_times(const kn_names *n, uint32_t r, uint32_t node, uint32_t name);

/** Add an entry: record `r` without one `name` (in sets it has but one), with the names that are
 *  `wanted` only if `some`; with what moves to `node` moved, unless that is KN_NO_NODE. `blame` is
 *  the candidate to put back if it holds a rare combination, or KN_NOBODY. */
kn_status kn__room_write(const kn_names *n, kn_names_room *w, uint32_t r, uint32_t node,
                         uint32_t name, bool some, uint32_t weight, uint32_t blame, kn_error *err);
/** Of the listed entries, which all had the name that they are written without, put back those to
 *  blame that hold a rare combination with it; `*any` is set if there are any. */
kn_status kn__room_look(const kn_cut *c, kn_names_room *w, bool *any, kn_error *err);

#endif
