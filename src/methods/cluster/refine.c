/* refine.c - lowering the NCP of clusters, each step keeping k records in each.
 *
 * What moves is a piece: the records of one tuple that are in one cluster. Where it could go is
 * looked for among the clusters of the tuples nearest to its own, which are found once. Round after
 * round: a cluster of 2k records or more is split; the pieces of a cluster are placed in others if
 * all of them together are cheaper there; a piece moves to another cluster, or, where its own has
 * no record to spare, changes places with a piece there. A step is taken only if the sum over all
 * records goes down. Steps are taken one by one in a fixed order; only the nearest tuples are
 * searched on all threads. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "methods/cluster/refine.h"
#include "methods/cluster/members.h"
#include "methods/cluster/recreate.h"

#include <string.h>

enum {
    MOST_ROUNDS = 12,
    MOST_CANDIDATES = 128,
    MOST_SWAPS = 8,      /* of the candidates, whose pieces are tried for a change of places */
    LARGEST_MOVE = 1024, /* pieces in a cluster whose pieces are tried for a move */
    LARGEST_SWAP = 16,   /* pieces in a cluster whose pieces change places */
    CLUSTERS_A_STEP = 1024,
    MOST_TOGETHER = 5, /* clusters that are formed anew together */
    STREAM = 5         /* of the random numbers */
};

#define LEAST_PROGRESS 1e-3 /* of a round, as a share */
#define NONE           KN_NO_PIECE

/* A cluster laid out: its pieces, and its view without each of them. */
typedef struct layout {
    uint32_t cluster;
    uint32_t len;
    size_t cap;
    uint32_t *piece;
    size_t view_cap;
    uint64_t *without; /* [i * words] */
    size_t ncp_cap;
    uint32_t *ncp; /* of that; 0 for the only piece */
} layout;

typedef struct refinement {
    kn_members p;
    size_t k;
    uint32_t gone;    /* a cluster without pieces, p.mark of it is the next such; NONE */
    uint8_t *changed; /* by cluster: the last round in which it did */
    uint8_t round;
    uint32_t now;                        /* candidates have this as p.mark */
    uint32_t candidate[MOST_CANDIDATES]; /* clusters */
    uint32_t candidates;
    layout mine, other;
    uint64_t *moved, *before; /* a view each */
    unsigned trials;          /* how often neighbours are formed anew; 0: they are not */
    kn_recreation recreation;
    kn_rng rng;
    kn_error *err;
} refinement;

static uint64_t total(const kn_clusters *c)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < c->count; i++) {
        sum += (uint64_t)c->size[i] * c->ncp[i];
    }
    return sum;
}

static uint64_t worth(const refinement *r, uint32_t cluster)
{
    return (uint64_t)r->p.c->size[cluster] * r->p.c->ncp[cluster];
}

/* What may have changed since it was looked at last. */
static bool worth_a_look(const refinement *r, uint32_t cluster)
{
    return r->changed[cluster] + 1 >= r->round && r->p.c->ncp[cluster] > 0;
}

static void refresh(refinement *r, uint32_t cluster)
{
    kn__members_recompute(&r->p, cluster);
    r->changed[cluster] = r->round;
}

/* ---- candidates ---- */

static void add_candidate(refinement *r, uint32_t cluster)
{
    if (r->p.mark[cluster] != r->now) {
        r->p.mark[cluster] = r->now;
        r->candidate[r->candidates++] = cluster;
    }
}

/* Clusters, other than its own, in which there are records like those of piece `p`. */
static void find_candidates(refinement *r, uint32_t p)
{
    const uint32_t t = r->p.tuple_of[p];

    r->now++;
    r->candidates = 0;
    r->p.mark[r->p.cluster_of[p]] = r->now;
    for (uint32_t other = r->p.begin[t];
         other < r->p.begin[t + 1] && r->candidates < MOST_CANDIDATES; other++) {
        add_candidate(r, r->p.cluster_of[other]);
    }
    for (uint32_t i = 0; i < r->p.near_count[t]; i++) {
        const uint32_t u = r->p.near[(size_t)t * KN_PIECES_NEAR + i];
        for (uint32_t other = r->p.begin[u];
             other < r->p.begin[u + 1] && r->candidates < MOST_CANDIDATES; other++) {
            add_candidate(r, r->p.cluster_of[other]);
        }
    }
}

/* What it costs, in all, when piece `p`, whose view is `view`, joins `cluster`. */
static uint64_t price(const refinement *r, uint32_t p, const uint64_t *view, uint32_t cluster)
{
    const kn_clusters *c = r->p.c;
    const uint32_t ncp = kn__view_ncp_of_both(c->views, kn__clusters_view(c, cluster), view);

    return ((uint64_t)c->size[cluster] + r->p.records[p]) * ncp - worth(r, cluster);
}

/* The candidate that takes piece `p` for least, if that is below `*most`; NONE otherwise. */
static uint32_t cheapest(const refinement *r, uint32_t p, const uint64_t *view, uint64_t *most)
{
    uint32_t best = NONE;

    for (uint32_t i = 0; i < r->candidates; i++) {
        const uint64_t cost = price(r, p, view, r->candidate[i]);
        if (cost < *most) {
            *most = cost;
            best = r->candidate[i];
        }
    }
    return best;
}

/* ---- moves and swaps ---- */

static kn_status lay_out(const refinement *r, uint32_t cluster, layout *l)
{
    const kn_views *v = r->p.c->views;
    const size_t words = r->p.words;

    l->cluster = cluster;
    l->len = 0;
    for (uint32_t p = r->p.head[cluster]; p != NONE; p = r->p.next[p]) {
        KN_PASS(kn__grow(&l->piece, &l->cap, l->len + (size_t)1, sizeof *l->piece, r->err));
        l->piece[l->len++] = p;
    }
    KN_PASS(kn__grow(&l->without, &l->view_cap, l->len * words, sizeof *l->without, r->err));
    KN_PASS(kn__grow(&l->ncp, &l->ncp_cap, l->len, sizeof *l->ncp, r->err));
    if (l->len == 1) {
        l->ncp[0] = 0;
        return KN_OK;
    }
    /* First join what comes after each piece, then what comes before it. */
    for (uint32_t i = l->len ? l->len - 1 : 0; i-- > 0;) {
        uint64_t *view = l->without + i * words;
        kn__members_cover(&r->p, view, l->piece[i + 1], true);
        if (i + 2 < l->len) {
            kn__view_join(v, view, view + words);
        }
    }
    for (uint32_t i = 0; i < l->len; i++) {
        uint64_t *view = l->without + i * words;
        if (i + 1 == l->len) {
            memcpy(view, r->before, words * sizeof *view);
        } else if (i > 0) {
            kn__view_join(v, view, r->before);
        }
        kn__members_cover(&r->p, r->before, l->piece[i], i == 0);
        l->ncp[i] = kn__view_ncp(v, view);
    }
    return KN_OK;
}

/* Move piece `i` of `mine` to where it is cheaper. */
static bool try_move(refinement *r, uint32_t i)
{
    const uint32_t from = r->mine.cluster, p = r->mine.piece[i];
    const uint32_t left = r->p.c->size[from] - r->p.records[p];
    uint64_t most = worth(r, from) - (uint64_t)left * r->mine.ncp[i];
    const uint32_t to = cheapest(r, p, kn__member_view(&r->p, p, r->p.room), &most);

    if (to == NONE) {
        return false;
    }
    kn__member_move(&r->p, p, to);
    refresh(r, from);
    refresh(r, to);
    return true;
}

/* Let piece `i` of `mine` change places with a piece of a candidate. */
static kn_status try_swap(refinement *r, uint32_t i, bool *swapped)
{
    const kn_clusters *c = r->p.c;
    const kn_views *v = c->views;
    const uint32_t from = r->mine.cluster, p = r->mine.piece[i], records = r->p.records[p];
    const uint64_t *without = r->mine.without + i * r->p.words;
    const uint64_t *view = kn__member_view(&r->p, p, r->moved);
    uint64_t best = 0;
    uint32_t swap = NONE;

    *swapped = false;
    for (uint32_t n = 0; n < r->candidates && n < MOST_SWAPS; n++) {
        const uint32_t to = r->candidate[n];
        const uint64_t before = worth(r, from) + worth(r, to);
        KN_PASS(lay_out(r, to, &r->other));
        for (uint32_t j = 0; r->other.len <= LARGEST_SWAP && j < r->other.len; j++) {
            const uint32_t q = r->other.piece[j];
            const uint64_t size = (uint64_t)c->size[from] - records + r->p.records[q];
            const uint64_t size_to = (uint64_t)c->size[to] + records - r->p.records[q];
            uint64_t after = size * r->mine.ncp[i] + size_to * r->other.ncp[j];
            if (size < r->k || size_to < r->k || after + best >= before) {
                continue;
            }
            after = size * kn__view_ncp_of_both(v, without, kn__member_view(&r->p, q, r->p.room)) +
                    size_to *
                        kn__view_ncp_of_both(
                            v, r->other.len == 1 ? view : r->other.without + j * r->p.words, view);
            if (after + best < before) {
                best = before - after;
                swap = q;
            }
        }
    }
    if (swap != NONE) {
        const uint32_t to = r->p.cluster_of[swap];
        kn__member_move(&r->p, p, to);
        kn__member_move(&r->p, swap, from);
        refresh(r, from);
        refresh(r, to);
        *swapped = true;
    }
    return KN_OK;
}

static kn_status improve(refinement *r, uint32_t cluster)
{
    KN_PASS(lay_out(r, cluster, &r->mine));
    if (r->mine.len > LARGEST_MOVE) {
        return KN_OK;
    }
    for (uint32_t i = 0; r->p.c->ncp[cluster] > 0 && i < r->mine.len; i++) {
        const uint32_t p = r->mine.piece[i];
        const bool spare = r->p.c->size[cluster] - r->p.records[p] >= r->k;
        bool changed = false;
        if (r->mine.len == 1 || (!spare && r->mine.ncp[i] == r->p.c->ncp[cluster])) {
            continue; /* without it the cluster would cost the same */
        }
        find_candidates(r, p);
        if (spare) {
            changed = try_move(r, i);
        }
        if (!changed && r->mine.len <= LARGEST_SWAP) {
            KN_PASS(try_swap(r, i, &changed));
        }
        if (changed) {
            KN_PASS(lay_out(r, cluster, &r->mine));
        }
    }
    return KN_OK;
}

/* ---- numbers of clusters ---- */

/* A cluster of no pieces. */
static kn_status take_number(refinement *r, uint32_t *out)
{
    *out = r->gone == NONE ? r->p.c->count : r->gone;
    if (r->gone == NONE) {
        KN_PASS(kn__clusters_add(r->p.c, r->err));
    } else {
        r->gone = r->p.mark[*out];
    }
    r->p.mark[*out] = 0;
    return KN_OK;
}

static void return_number(refinement *r, uint32_t cluster)
{
    r->p.mark[cluster] = r->gone;
    r->gone = cluster;
}

/* ---- dissolving ---- */

/* Place all pieces of `cluster` elsewhere, if that is cheaper. */
static kn_status dissolve(refinement *r, uint32_t cluster)
{
    const uint64_t most = worth(r, cluster);
    layout *l = &r->mine;
    uint64_t spent = 0;
    uint32_t placed = 0;
    kn_status status;

    KN_TRY(lay_out(r, cluster, l));
    for (; placed < l->len; placed++) {
        const uint32_t p = l->piece[placed];
        uint64_t cost = most - spent;
        uint32_t to;
        find_candidates(r, p);
        to = cheapest(r, p, kn__member_view(&r->p, p, r->p.room), &cost);
        if (to == NONE) {
            break;
        }
        spent += cost;
        kn__member_move(&r->p, p, to);
        r->p.c->size[to] += r->p.records[p];
        kn__members_cover(&r->p, kn__clusters_view(r->p.c, to), p, false);
        r->p.c->ncp[to] = kn__view_ncp(r->p.c->views, kn__clusters_view(r->p.c, to));
    }
    if (placed < l->len) {
        while (placed-- > 0) {
            const uint32_t to = r->p.cluster_of[l->piece[placed]];
            kn__member_move(&r->p, l->piece[placed], cluster);
            kn__members_recompute(&r->p, to);
        }
    }
done:
    kn__members_recompute(&r->p, cluster);
    if (r->p.head[cluster] == NONE) {
        for (uint32_t i = 0; i < l->len; i++) {
            r->changed[r->p.cluster_of[l->piece[i]]] = r->round;
        }
        return_number(r, cluster);
    }
    return status;
}

/* ---- splitting ---- */

/* Cut a cluster in two where that saves most. */
static kn_status split(refinement *r, uint32_t cluster, bool *done)
{
    kn_clusters *c = r->p.c;
    const kn_views *v = c->views;
    uint64_t best = worth(r, cluster);
    kn_ranked *sorted = NULL;
    uint64_t *after = NULL;
    uint32_t *chosen = NULL;
    uint32_t cut = 0, len;
    kn_status status;

    *done = false;
    KN_TRY(lay_out(r, cluster, &r->mine));
    len = r->mine.len;
    sorted = kn__malloc_array(len, sizeof *sorted);
    after = kn__malloc_array(len, sizeof *after);
    chosen = kn__malloc_array(len, sizeof *chosen);
    KN_TRY(sorted && after && chosen ? KN_OK : kn__nomem(r->err));
    for (size_t s = 0; s < v->qis; s++) {
        const kn_scale *scale = &v->scale[s];
        uint32_t size = 0, found = 0;
        for (uint32_t i = 0; i < len; i++) {
            const uint32_t p = r->mine.piece[i];
            const uint32_t code = kn__tuple(r->p.tuples, r->p.tuple_of[p])[scale->q];
            sorted[i] = (kn_ranked){scale->domain->order[code], p};
        }
        kn__sort_ranked(sorted, len);
        for (uint32_t i = len; i-- > 0;) {
            kn__members_cover(&r->p, r->before, sorted[i].id, i + 1 == len);
            size += r->p.records[sorted[i].id];
            after[i] = size < r->k ? UINT64_MAX / 2 : (uint64_t)size * kn__view_ncp(v, r->before);
        }
        size = 0;
        for (uint32_t i = 0; i + 1 < len; i++) {
            kn__members_cover(&r->p, r->before, sorted[i].id, i == 0);
            size += r->p.records[sorted[i].id];
            if (size >= r->k && (uint64_t)size * kn__view_ncp(v, r->before) + after[i + 1] < best) {
                best = (uint64_t)size * kn__view_ncp(v, r->before) + after[i + 1];
                found = i + 1;
            }
        }
        for (uint32_t i = 0; found && i < len; i++) {
            chosen[i] = sorted[i].id;
        }
        cut = found ? found : cut;
    }
    if (cut) {
        uint32_t made;
        KN_TRY(take_number(r, &made));
        for (uint32_t i = cut; i < len; i++) {
            kn__member_move(&r->p, chosen[i], made);
        }
        refresh(r, cluster);
        refresh(r, made);
        *done = true;
    }
done:
    KN_FREE(sorted, after, chosen);
    return status;
}

/* ---- forming anew ---- */

/* Add the pieces of `cluster` to those that are formed anew, if there is room. */
static bool add_pieces(refinement *r, uint32_t cluster)
{
    kn_recreation *x = &r->recreation;
    uint32_t count = x->count;

    for (uint32_t p = r->p.head[cluster]; p != NONE; p = r->p.next[p]) {
        if (count == KN_RECREATE_PIECES) {
            return false;
        }
        x->piece[count++] = p;
    }
    x->count = count;
    return true;
}

/* Form the pieces of `cluster` and of some clusters near one of its pieces anew. */
static kn_status recreate(refinement *r, uint32_t cluster)
{
    kn_recreation *x = &r->recreation;
    uint32_t together[KN_RECREATE_PIECES] = {cluster}, count = 1;
    uint64_t cost = worth(r, cluster);
    const size_t most = 2 + (size_t)kn__rng_below(&r->rng, MOST_TOGETHER - 1);

    x->count = 0;
    if (!add_pieces(r, cluster)) {
        return KN_OK;
    }
    find_candidates(r, x->piece[kn__rng_below(&r->rng, x->count)]);
    for (uint32_t i = 0; i < r->candidates && count < most; i++) {
        if (add_pieces(r, r->candidate[i])) {
            together[count++] = r->candidate[i];
            cost += worth(r, r->candidate[i]);
        }
    }
    if (count < 2 || !kn__recreate(x, &r->p, r->trials, cost, &r->rng)) {
        return KN_OK;
    }
    for (; count < x->made; count++) {
        KN_PASS(take_number(r, &together[count]));
    }
    for (uint32_t i = 0; i < x->count; i++) {
        kn__member_move(&r->p, x->piece[i], together[x->best[i]]);
    }
    for (uint32_t i = 0; i < count; i++) {
        refresh(r, together[i]);
        if (i >= x->made) {
            return_number(r, together[i]);
        }
    }
    return KN_OK;
}

/* ---- all together ---- */

typedef kn_status (*step_fn)(refinement *r, uint32_t cluster);

static kn_status split_on(refinement *r, uint32_t cluster)
{
    const kn_clusters *c = r->p.c;
    bool done = true;
    kn_status status = KN_OK;

    while (status == KN_OK && done && c->size[cluster] >= 2 * r->k && c->ncp[cluster] > 0) {
        status = split(r, cluster, &done);
    }
    return status;
}

static kn_status dissolve_changed(refinement *r, uint32_t cluster)
{
    return worth_a_look(r, cluster) ? dissolve(r, cluster) : KN_OK;
}

static kn_status improve_changed(refinement *r, uint32_t cluster)
{
    return worth_a_look(r, cluster) ? improve(r, cluster) : KN_OK;
}

static kn_status recreate_dear(refinement *r, uint32_t cluster)
{
    return r->trials && r->p.c->ncp[cluster] > 0 ? recreate(r, cluster) : KN_OK;
}

static kn_status go_round(refinement *r)
{
    static const step_fn steps[] = {split_on, dissolve_changed, improve_changed, recreate_dear};

    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        for (uint32_t i = 0; i < r->p.c->count; i++) {
            if (i % CLUSTERS_A_STEP == 0) {
                KN_PASS(kn__run_step(r->p.c->views->task->run, "refine", -1, r->err));
            }
            KN_PASS(steps[s](r, i));
        }
    }
    return KN_OK;
}

static void layout_clear(layout *l)
{
    KN_FREE(l->piece, l->without, l->ncp);
}

kn_status kn__clusters_refine(kn_clusters *c, const kn_tuples *tuples, size_t k, unsigned trials,
                              kn_error *err)
{
    const kn_run *run = c->views->task->run;
    refinement r = {.k = k, .gone = NONE, .trials = trials, .err = err};
    uint64_t before = total(c), after = before;
    kn_status status;

    KN_TRY(kn__members_init(&r.p, c, tuples, k, err));
    r.moved = kn__malloc_array(c->views->words, sizeof *r.moved);
    r.before = kn__malloc_array(c->views->words, sizeof *r.before);
    r.changed = kn__zalloc_array(tuples->records / k + 1, 1);
    KN_TRY(r.moved && r.before && r.changed ? kn__recreation_init(&r.recreation, &r.p, k, err)
                                            : kn__nomem(err));
    kn__rng_seed(&r.rng, run ? run->seed : 0, STREAM);
    for (r.round = 1; r.round <= MOST_ROUNDS; r.round++) {
        before = after;
        KN_TRY(go_round(&r));
        after = total(c);
        if ((double)(before - after) <= LEAST_PROGRESS * (double)before) {
            break;
        }
    }
    kn__members_settle(&r.p);
done:
    layout_clear(&r.mine);
    layout_clear(&r.other);
    kn__recreation_clear(&r.recreation);
    kn__members_clear(&r.p);
    KN_FREE(r.changed, r.moved, r.before);
    return status;
}
