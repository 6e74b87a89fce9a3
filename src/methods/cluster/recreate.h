/* methods/cluster/recreate.h - neighbouring clusters taken apart and formed anew.
 *
 * Moves and swaps (refine.c) change two clusters a little. Forming the records of a few neighbours
 * anew, from other seeds, leaves the local optimum in which those steps end. */
#ifndef KN_METHODS_CLUSTER_RECREATE_H
#define KN_METHODS_CLUSTER_RECREATE_H

#include "base/rng.h"
#include "methods/cluster/members.h"

enum { KN_RECREATE_PIECES = 64 }; /* at most so many pieces are formed anew at once */

/** A way to form some pieces into clusters, and room to find one. */
typedef struct kn_recreation {
    size_t k;
    uint32_t count; /* pieces */
    uint32_t piece[KN_RECREATE_PIECES];
    uint32_t made;                     /* clusters of the best way found */
    uint8_t best[KN_RECREATE_PIECES];  /* by place of a piece: its cluster in that way */
    uint8_t trial[KN_RECREATE_PIECES]; /* likewise, of the way that is tried */
    uint32_t size[KN_RECREATE_PIECES]; /* by cluster tried: records */
    uint64_t *view;                    /* [cluster tried * words], one more as scratch */
    uint64_t *of_piece;                /* [place * words] */
} kn_recreation;

kn_status kn__recreation_init(kn_recreation *x, const kn_members *s, size_t k, kn_error *err);
void kn__recreation_clear(kn_recreation *x);

/** Form x->piece[0..x->count) into clusters of at least k records, `trials` times from random
 * seeds. @return whether a way costs less than `most`, the sum of NCP times records; it is then in
 * `made` and `best`. O(trials * count^2) views compared. */
bool kn__recreate(kn_recreation *x, const kn_members *s, unsigned trials, uint64_t most,
                  kn_rng *rng);

#endif
