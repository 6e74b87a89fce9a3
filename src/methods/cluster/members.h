/* methods/cluster/members.h - clusters taken apart, to be improved.
 *
 * A piece is the records of one tuple that are in one cluster: what moves from cluster to cluster.
 * The pieces are fixed; where they are changes. */
#ifndef KN_METHODS_CLUSTER_MEMBERS_H
#define KN_METHODS_CLUSTER_MEMBERS_H

#include "base/arena.h"
#include "methods/cluster/cluster.h"

enum { KN_PIECES_NEAR = 32 }; /* how many tuples around a tuple are known */

#define KN_NO_PIECE UINT32_MAX

typedef struct kn_members {
    kn_arena arena;
    kn_clusters *c;
    const kn_tuples *tuples;
    size_t words; /* of a view */
    uint32_t count;
    uint32_t *begin;           /* by tuple: its first piece; pieces of a tuple are side by side */
    uint32_t *tuple_of;        /* by piece */
    uint32_t *records;         /* by piece */
    uint32_t *cluster_of;      /* by piece */
    uint32_t *next, *previous; /* by piece: others of its cluster */
    uint32_t *head;            /* by cluster: a piece, or KN_NO_PIECE */
    uint32_t *mark;            /* by cluster: the user's, 0 at first */
    uint32_t *near;            /* [tuple * KN_PIECES_NEAR]: the nearest other tuples */
    uint8_t *near_count;       /* by tuple: how many there are */
    uint64_t *stored;          /* by tuple: its view; NULL: they are too long */
    uint64_t *room;            /* a view */
} kn_members;

/** Take `c`, the clusters of `tuples`, apart. `out` is zeroed; clear it also on failure. There is
 * room for all clusters that can have at least `k` records. Searches the nearest tuples on all
 * threads. */
kn_status kn__members_init(kn_members *out, kn_clusters *c, const kn_tuples *tuples, size_t k,
                           kn_error *err);
void kn__members_clear(kn_members *s);

/** The view of a piece: a stored one, or made in `room`. */
static inline const uint64_t *kn__member_view(const kn_members *s, uint32_t p, uint64_t *room)
{
    const uint32_t t = s->tuple_of[p];

    if (s->stored) {
        return s->stored + t * s->words;
    }
    kn__view_of_tuple(s->c->views, kn__tuple(s->tuples, t), room);
    return room;
}

/** Make `view` cover piece `p` too, or just it if it is the first. */
void kn__members_cover(const kn_members *s, uint64_t *view, uint32_t p, bool first);
/** Put `p` into cluster `to`. The sizes, views and NCPs of the two clusters do not follow. */
void kn__member_move(kn_members *s, uint32_t p, uint32_t to);
/** Size, view and NCP of a cluster from its pieces. O(pieces of the cluster). */
void kn__members_recompute(kn_members *s, uint32_t cluster);
/** Deal the records of each tuple out to its pieces, and drop clusters without pieces. */
void kn__members_settle(kn_members *s);

#endif
