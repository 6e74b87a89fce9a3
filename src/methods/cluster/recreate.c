#include "methods/cluster/recreate.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

#define FREE UINT8_MAX /* of a piece: it has no cluster yet */

void kn__recreation_clear(kn_recreation *x)
{
    KN_FREE(x->view, x->of_piece);
}

kn_status kn__recreation_init(kn_recreation *x, const kn_members *s, size_t k, kn_error *err)
{
    const size_t bytes = s->words * sizeof *x->view;

    x->k = k;
    x->view = kn__malloc_array(KN_RECREATE_PIECES, bytes);
    x->of_piece = kn__malloc_array(KN_RECREATE_PIECES, bytes);
    return x->view && x->of_piece ? KN_OK : kn__nomem(err);
}

static void put(kn_recreation *x, const kn_members *s, uint32_t place, uint32_t cluster)
{
    uint64_t *view = x->view + cluster * s->words;
    const uint64_t *one = x->of_piece + place * s->words;

    if (x->size[cluster] == 0) {
        memcpy(view, one, s->words * sizeof *view);
    } else {
        kn__view_join(s->c->views, view, one);
    }
    x->trial[place] = (uint8_t)cluster;
    x->size[cluster] += s->records[x->piece[place]];
}

/* The piece without a cluster that `cluster` takes in for least, of equals the first. */
static uint32_t nearest(const kn_recreation *x, const kn_members *s, uint32_t cluster)
{
    const uint64_t *view = x->view + cluster * s->words;
    uint32_t best = 0, least = UINT32_MAX;

    for (uint32_t i = 0; i < x->count; i++) {
        if (x->trial[i] == FREE) {
            const uint32_t ncp = kn__view_ncp_of_both(s->c->views, view,
                                                      x->of_piece + i * s->words);
            best = ncp < least ? i : best;
            least = ncp < least ? ncp : least;
        }
    }
    return best;
}

/* The piece without a cluster that is farthest from piece `from`, of equals the first. */
static uint32_t farthest(const kn_recreation *x, const kn_members *s, uint32_t from)
{
    uint32_t best = 0, most = 0;
    bool found = false;

    for (uint32_t i = 0; i < x->count; i++) {
        if (x->trial[i] == FREE) {
            const uint32_t ncp = kn__view_ncp_of_both(s->c->views, x->of_piece + from * s->words,
                                                      x->of_piece + i * s->words);
            best = !found || ncp > most ? i : best;
            most = !found || ncp > most ? ncp : most;
            found = true;
        }
    }
    return best;
}

/* Piece `place` joins the cluster where that costs least in all. */
static void join_cheapest(kn_recreation *x, const kn_members *s, uint32_t place, uint32_t clusters)
{
    const kn_views *v = s->c->views;
    const uint32_t records = s->records[x->piece[place]];
    uint64_t least = UINT64_MAX;
    uint32_t best = 0;

    for (uint32_t i = 0; i < clusters; i++) {
        const uint64_t *view = x->view + i * s->words;
        const uint64_t cost = ((uint64_t)x->size[i] + records) *
                                  kn__view_ncp_of_both(v, view, x->of_piece + place * s->words) -
                              (uint64_t)x->size[i] * kn__view_ncp(v, view);
        best = cost < least ? i : best;
        least = cost < least ? cost : least;
    }
    put(x, s, place, best);
}

/* One way: a seed far from a random piece takes in what is nearest to it, again and again. */
static uint64_t form_once(kn_recreation *x, const kn_members *s, uint32_t records, uint32_t *made,
                          kn_rng *rng)
{
    uint32_t left = records, clusters = 0, from = (uint32_t)kn__rng_below(rng, x->count);
    uint64_t sum = 0;

    memset(x->trial, FREE, x->count);
    memset(x->size, 0, sizeof x->size);
    while (left >= x->k) {
        from = farthest(x, s, from);
        put(x, s, from, clusters);
        while (x->size[clusters] < x->k) {
            put(x, s, nearest(x, s, clusters), clusters);
        }
        left -= x->size[clusters++];
    }
    for (uint32_t i = 0; left > 0; i++) {
        if (x->trial[i] == FREE) {
            left -= s->records[x->piece[i]];
            join_cheapest(x, s, i, clusters);
        }
    }
    for (uint32_t i = 0; i < clusters; i++) {
        sum += (uint64_t)x->size[i] * kn__view_ncp(s->c->views, x->view + i * s->words);
    }
    *made = clusters;
    return sum;
}

bool kn__recreate(kn_recreation *x, const kn_members *s, unsigned trials, uint64_t most,
                  kn_rng *rng)
{
    uint32_t records = 0;
    bool better = false;

    for (uint32_t i = 0; i < x->count; i++) {
        const uint64_t *view = kn__member_view(s, x->piece[i], s->room);
        memcpy(x->of_piece + i * s->words, view, s->words * sizeof *view);
        records += s->records[x->piece[i]];
    }
    for (unsigned t = 0; t < trials; t++) {
        uint32_t made;
        const uint64_t sum = form_once(x, s, records, &made, rng);
        if (sum < most) {
            most = sum;
            x->made = made;
            memcpy(x->best, x->trial, x->count);
            better = true;
        }
    }
    return better;
}
