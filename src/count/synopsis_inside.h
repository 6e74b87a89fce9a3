/* count/synopsis_inside.h - what the files of the synopsis tree share. */
#ifndef KN_COUNT_SYNOPSIS_INSIDE_H
#define KN_COUNT_SYNOPSIS_INSIDE_H

#include "count/synopsis.h"

/* By node: its records, and the last of them, + 1. */
typedef struct kn_support_tally {
    size_t *support;
    uint32_t *last;
    size_t support_cap, last_cap, len;
} kn_support_tally;

void kn__support_tally_clear(kn_support_tally *t);
/** Make room for nodes below `nodes`. */
kn_status kn__support_tally_reserve(kn_support_tally *t, size_t nodes, kn_error *err);

/** Record number `now` - 1 holds `node`; records come in their order. */
static inline void kn__support_tally_count(kn_support_tally *t, uint32_t node, uint32_t now)
{
    t->support[node] += t->last[node] != now;
    t->last[node] = now;
}

/** Make `t` and the supports of `n` those of `s`, which has rows: the last step of making it. */
kn_status kn__synopsis_finish(kn_synopsis *s, kn_path_trie *t, kn_support_tally *n, kn_error *err);

#endif
