/* cluster_refine.c - lowering the NCP of clusters, each step keeping k records in each.
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
#include "base/threads.h"
#include "methods/cluster.h"
#include "methods/cluster_index.h"
#include "methods/cluster_inside.h"

#include <stdlib.h>
#include <string.h>

enum {
    NEAR = 32, /* tuples that are looked at around a tuple */
    MOST_ROUNDS = 12,
    MOST_STORED = 32, /* words of a view, if those of all tuples are stored */
    LARGEST_SWAP = 16 /* pieces in a cluster whose pieces change places */
};

#define LEAST_PROGRESS 1e-3 /* of a round, as a share */
#define NONE           UINT32_MAX

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
    kn_clusters *c;
    const kn_tuples *tuples;
    size_t k, words;
    uint32_t *begin; /* by tuple: its first piece; pieces of a tuple are side by side */
    uint32_t pieces;
    uint32_t *tuple_of;        /* by piece */
    uint32_t *records;         /* by piece */
    uint32_t *cluster_of;      /* by piece */
    uint32_t *next, *previous; /* by piece: others of its cluster */
    uint32_t *head;            /* by cluster */
    uint32_t gone;             /* a cluster without pieces; seen[] of it is the next such; NONE */
    uint32_t *near;            /* [tuple * NEAR] */
    uint8_t *near_count;       /* by tuple */
    uint32_t *seen;            /* by cluster: the last time that it was a candidate */
    uint32_t now;              /* the time */
    uint32_t candidate[NEAR * 4]; /* clusters */
    uint32_t candidates;
    layout mine, other;
    uint64_t *stored;                /* by tuple: its view; NULL: they are too long */
    uint64_t *room, *moved, *before; /* a view each */
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
    return (uint64_t)r->c->size[cluster] * r->c->ncp[cluster];
}

/* ---- pieces ---- */

static void link_piece(refinement *r, uint32_t p, uint32_t cluster)
{
    r->cluster_of[p] = cluster;
    r->previous[p] = NONE;
    r->next[p] = r->head[cluster];
    if (r->head[cluster] != NONE) {
        r->previous[r->head[cluster]] = p;
    }
    r->head[cluster] = p;
}

static void unlink_piece(refinement *r, uint32_t p)
{
    if (r->previous[p] != NONE) {
        r->next[r->previous[p]] = r->next[p];
    } else {
        r->head[r->cluster_of[p]] = r->next[p];
    }
    if (r->next[p] != NONE) {
        r->previous[r->next[p]] = r->previous[p];
    }
}

/* The view of a piece: a stored one, or made in `room`. */
static const uint64_t *piece_view(const refinement *r, uint32_t p, uint64_t *room)
{
    const uint32_t t = r->tuple_of[p];

    if (r->stored) {
        return r->stored + t * r->words;
    }
    kn_view_of_tuple(r->c->views, kn_tuple(r->tuples, t), room);
    return room;
}

/* Make `view` cover piece `p` too, or just it if it is the first. */
static void cover(const refinement *r, uint64_t *view, uint32_t p, bool first)
{
    const uint64_t *one = piece_view(r, p, r->room);

    if (first) {
        memcpy(view, one, r->words * sizeof *view);
    } else {
        kn_view_join(r->c->views, view, one);
    }
}

/* Size, view and NCP of a cluster from its pieces. */
static void recompute(refinement *r, uint32_t cluster)
{
    uint64_t *view = kn_clusters_view(r->c, cluster);
    bool first = true;

    r->c->size[cluster] = 0;
    r->c->ncp[cluster] = 0;
    for (uint32_t p = r->head[cluster]; p != NONE; p = r->next[p]) {
        cover(r, view, p, first);
        r->c->size[cluster] += r->records[p];
        first = false;
    }
    if (!first) {
        r->c->ncp[cluster] = kn_view_ncp(r->c->views, view);
    }
}

static void move_piece(refinement *r, uint32_t p, uint32_t to)
{
    unlink_piece(r, p);
    link_piece(r, p, to);
}

/* ---- candidates ---- */

static void add_candidate(refinement *r, uint32_t cluster)
{
    if (r->seen[cluster] != r->now && r->candidates < NEAR * 4) {
        r->seen[cluster] = r->now;
        r->candidate[r->candidates++] = cluster;
    }
}

/* Clusters, other than its own, in which there are records like those of piece `p`. */
static void find_candidates(refinement *r, uint32_t p)
{
    const uint32_t t = r->tuple_of[p];

    r->now++;
    r->candidates = 0;
    r->seen[r->cluster_of[p]] = r->now;
    for (uint32_t other = r->begin[t]; other < r->begin[t + 1]; other++) {
        add_candidate(r, r->cluster_of[other]);
    }
    for (uint32_t i = 0; i < r->near_count[t]; i++) {
        const uint32_t u = r->near[(size_t)t * NEAR + i];
        for (uint32_t other = r->begin[u]; other < r->begin[u + 1]; other++) {
            add_candidate(r, r->cluster_of[other]);
        }
    }
}

/* What it costs, in all, when piece `p`, whose view is `view`, joins `cluster`. */
static uint64_t price(const refinement *r, uint32_t p, const uint64_t *view, uint32_t cluster)
{
    const kn_clusters *c = r->c;
    const uint32_t ncp = kn_view_ncp_of_both(c->views, kn_clusters_view(c, cluster), view);

    return ((uint64_t)c->size[cluster] + r->records[p]) * ncp - worth(r, cluster);
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
    const kn_views *v = r->c->views;
    const size_t words = r->words;
    kn_status status = KN_OK;

    l->cluster = cluster;
    l->len = 0;
    for (uint32_t p = r->head[cluster]; status == KN_OK && p != NONE; p = r->next[p]) {
        status = kn_grow(&l->piece, &l->cap, l->len + (size_t)1, sizeof *l->piece, r->err);
        if (status == KN_OK) {
            l->piece[l->len++] = p;
        }
    }
    if (status == KN_OK) {
        status = kn_grow(&l->without, &l->view_cap, l->len * words, sizeof *l->without, r->err);
    }
    if (status == KN_OK) {
        status = kn_grow(&l->ncp, &l->ncp_cap, l->len, sizeof *l->ncp, r->err);
    }
    if (status != KN_OK || l->len < 2) {
        if (status == KN_OK && l->len) {
            l->ncp[0] = 0;
        }
        return status;
    }
    /* First what comes after each piece, then what comes before it. */
    for (uint32_t i = l->len - 1; i-- > 0;) {
        uint64_t *view = l->without + i * words;
        cover(r, view, l->piece[i + 1], true);
        if (i + 2 < l->len) {
            kn_view_join(v, view, view + words);
        }
    }
    for (uint32_t i = 0; i < l->len; i++) {
        uint64_t *view = l->without + i * words;
        if (i + 1 == l->len) {
            memcpy(view, r->before, words * sizeof *view);
        } else if (i > 0) {
            kn_view_join(v, view, r->before);
        }
        cover(r, r->before, l->piece[i], i == 0);
        l->ncp[i] = kn_view_ncp(v, view);
    }
    return KN_OK;
}

/* Move piece `i` of `mine` to where it is cheaper. */
static bool try_move(refinement *r, uint32_t i)
{
    const uint32_t from = r->mine.cluster, p = r->mine.piece[i];
    const uint32_t left = r->c->size[from] - r->records[p];
    uint64_t most = worth(r, from) - (uint64_t)left * r->mine.ncp[i];
    const uint32_t to = cheapest(r, p, piece_view(r, p, r->room), &most);

    if (to == NONE) {
        return false;
    }
    move_piece(r, p, to);
    recompute(r, from);
    recompute(r, to);
    return true;
}

/* Let piece `i` of `mine` change places with a piece of a candidate. */
static kn_status try_swap(refinement *r, uint32_t i, bool *done)
{
    const kn_clusters *c = r->c;
    const kn_views *v = c->views;
    const uint32_t from = r->mine.cluster, p = r->mine.piece[i], records = r->records[p];
    const uint64_t *without = r->mine.without + i * r->words;
    const uint64_t *view = piece_view(r, p, r->moved);
    uint64_t best = 0;
    uint32_t swap = NONE;
    kn_status status = KN_OK;

    for (uint32_t n = 0; status == KN_OK && n < r->candidates; n++) {
        const uint32_t to = r->candidate[n];
        const uint64_t before = worth(r, from) + worth(r, to);
        status = lay_out(r, to, &r->other);
        for (uint32_t j = 0; status == KN_OK && r->other.len <= LARGEST_SWAP && j < r->other.len;
             j++) {
            const uint32_t q = r->other.piece[j];
            const uint64_t size = (uint64_t)c->size[from] - records + r->records[q];
            const uint64_t size_to = (uint64_t)c->size[to] + records - r->records[q];
            uint64_t after = size * r->mine.ncp[i] + size_to * r->other.ncp[j];
            if (size < r->k || size_to < r->k || after + best >= before) {
                continue;
            }
            after = size * kn_view_ncp_of_both(v, without, piece_view(r, q, r->room)) +
                    size_to *
                        kn_view_ncp_of_both(
                            v, r->other.len == 1 ? view : r->other.without + j * r->words, view);
            if (after + best < before) {
                best = before - after;
                swap = q;
            }
        }
    }
    *done = status == KN_OK && swap != NONE;
    if (*done) {
        const uint32_t to = r->cluster_of[swap];
        move_piece(r, p, to);
        move_piece(r, swap, from);
        recompute(r, from);
        recompute(r, to);
    }
    return status;
}

static kn_status improve(refinement *r, uint32_t cluster)
{
    kn_status status = lay_out(r, cluster, &r->mine);

    for (uint32_t i = 0; status == KN_OK && r->c->ncp[cluster] > 0 && i < r->mine.len; i++) {
        const uint32_t p = r->mine.piece[i];
        const bool spare = r->c->size[cluster] - r->records[p] >= r->k;
        bool done = false;
        if (r->mine.len == 1 || (!spare && r->mine.ncp[i] == r->c->ncp[cluster])) {
            continue; /* without it the cluster would cost the same */
        }
        find_candidates(r, p);
        if (spare) {
            done = try_move(r, i);
        }
        if (!done && r->mine.len <= LARGEST_SWAP) {
            status = try_swap(r, i, &done);
        }
        if (status == KN_OK && done) {
            status = lay_out(r, cluster, &r->mine);
        }
    }
    return status;
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

    if (most == 0) {
        return KN_OK;
    }
    status = lay_out(r, cluster, l);
    for (; status == KN_OK && placed < l->len; placed++) {
        const uint32_t p = l->piece[placed];
        uint64_t cost = most - spent;
        uint32_t to;
        find_candidates(r, p);
        to = cheapest(r, p, piece_view(r, p, r->room), &cost);
        if (to == NONE) {
            break;
        }
        spent += cost;
        move_piece(r, p, to);
        r->c->size[to] += r->records[p];
        cover(r, kn_clusters_view(r->c, to), p, false);
        r->c->ncp[to] = kn_view_ncp(r->c->views, kn_clusters_view(r->c, to));
    }
    if (status == KN_OK && placed < l->len) {
        while (placed-- > 0) {
            const uint32_t to = r->cluster_of[l->piece[placed]];
            move_piece(r, l->piece[placed], cluster);
            recompute(r, to);
        }
    }
    recompute(r, cluster);
    if (r->head[cluster] == NONE) {
        r->seen[cluster] = r->gone;
        r->gone = cluster;
    }
    return status;
}

/* ---- splitting ---- */

typedef struct ranked {
    uint32_t place, piece;
} ranked;

static int by_place(const void *x, const void *y)
{
    const ranked *a = x, *b = y;

    return a->place != b->place ? (a->place < b->place ? -1 : 1) : a->piece < b->piece ? -1 : 1;
}

/* Cut a cluster in two where that saves most. */
static kn_status split(refinement *r, uint32_t cluster, bool *done)
{
    kn_clusters *c = r->c;
    const kn_views *v = c->views;
    uint64_t best = worth(r, cluster);
    ranked *sorted = NULL;
    uint64_t *after = NULL;
    uint32_t *chosen = NULL;
    uint32_t cut = 0, len;
    kn_status status = lay_out(r, cluster, &r->mine);

    *done = false;
    len = r->mine.len;
    sorted = kn_malloc_array(len, sizeof *sorted);
    after = kn_malloc_array(len, sizeof *after);
    chosen = kn_malloc_array(len, sizeof *chosen);
    if (status == KN_OK && (!sorted || !after || !chosen)) {
        status = kn_nomem(r->err);
    }
    for (size_t s = 0; status == KN_OK && s < v->qis; s++) {
        const kn_scale *scale = &v->scale[s];
        uint32_t size = 0, found = 0;
        for (uint32_t i = 0; i < len; i++) {
            const uint32_t p = r->mine.piece[i];
            const uint32_t code = kn_tuple(r->tuples, r->tuple_of[p])[scale->q];
            sorted[i] = (ranked){scale->domain->order[code], p};
        }
        qsort(sorted, len, sizeof *sorted, by_place);
        for (uint32_t i = len; i-- > 0;) {
            cover(r, r->before, sorted[i].piece, i + 1 == len);
            size += r->records[sorted[i].piece];
            after[i] = size < r->k ? UINT64_MAX / 2 : (uint64_t)size * kn_view_ncp(v, r->before);
        }
        size = 0;
        for (uint32_t i = 0; i + 1 < len; i++) {
            cover(r, r->before, sorted[i].piece, i == 0);
            size += r->records[sorted[i].piece];
            if (size >= r->k && (uint64_t)size * kn_view_ncp(v, r->before) + after[i + 1] < best) {
                best = (uint64_t)size * kn_view_ncp(v, r->before) + after[i + 1];
                found = i + 1;
            }
        }
        for (uint32_t i = 0; found && i < len; i++) {
            chosen[i] = sorted[i].piece;
        }
        cut = found ? found : cut;
    }
    if (status == KN_OK && cut) {
        const uint32_t made = r->gone == NONE ? c->count : r->gone;
        if (made == c->count) {
            status = kn_clusters_add(c, r->err);
        } else {
            r->gone = r->seen[made];
        }
        if (status == KN_OK) {
            r->seen[made] = 0;
            for (uint32_t i = cut; i < len; i++) {
                move_piece(r, chosen[i], made);
            }
            recompute(r, cluster);
            recompute(r, made);
            *done = true;
        }
    }
    kn_free(sorted);
    kn_free(after);
    kn_free(chosen);
    return status;
}

/* ---- all together ---- */

typedef struct searching {
    refinement *r;
    kn_search **search;
    kn_error *errors;
} searching;

static void search_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    searching *s = user;
    refinement *r = s->r;
    kn_error *e = &s->errors[worker];

    for (size_t t = begin; e->status == KN_OK && t < end; t++) {
        size_t count;
        const uint32_t *found;
        e->status = kn_search_run(s->search[worker], (uint32_t)t, NEAR, e);
        found = kn_search_found(s->search[worker], &count);
        if (e->status == KN_OK) {
            memcpy(r->near + t * NEAR, found, count * sizeof *found);
            r->near_count[t] = (uint8_t)count;
        }
    }
}

static kn_status find_near(refinement *r)
{
    const kn_run *run = r->c->views->task->run;
    const unsigned threads = kn_run_threads(run);
    kn_index *index = NULL;
    searching s = {.r = r};
    kn_status status = kn_index_new(&index, r->c->views, r->tuples, true, r->err);

    s.search = kn_zalloc_array(threads, sizeof *s.search);
    s.errors = kn_zalloc_array(threads, sizeof *s.errors);
    if (status == KN_OK && (!s.search || !s.errors)) {
        status = kn_nomem(r->err);
    }
    for (unsigned i = 0; status == KN_OK && i < threads; i++) {
        status = kn_search_new(&s.search[i], index, r->err);
    }
    if (status == KN_OK) {
        kn_parallel_for(threads, r->tuples->count, 64, search_slice, &s);
    }
    for (unsigned i = 0; s.search && i < threads; i++) {
        if (status == KN_OK && s.errors[i].status != KN_OK) {
            status = s.errors[i].status;
            if (r->err) {
                *r->err = s.errors[i];
            }
        }
        kn_search_free(s.search[i]);
    }
    kn_free(s.search);
    kn_free(s.errors);
    kn_index_free(index);
    return status;
}

static kn_status store_views(refinement *r)
{
    if (r->words > MOST_STORED) {
        return KN_OK;
    }
    r->stored = kn_malloc_array(r->tuples->count, r->words * sizeof *r->stored);
    for (uint32_t t = 0; r->stored && t < r->tuples->count; t++) {
        kn_view_of_tuple(r->c->views, kn_tuple(r->tuples, t), r->stored + t * r->words);
    }
    return r->stored ? KN_OK : kn_nomem(r->err);
}

/* The pieces that the clusters are made of. */
static kn_status make_pieces(refinement *r)
{
    const kn_tuples *t = r->tuples;
    kn_clusters *c = r->c;
    const size_t most_clusters = t->records / r->k + 1;

    r->begin = kn_malloc_array(t->count + (size_t)1, sizeof *r->begin);
    r->tuple_of = kn_malloc_array(t->records, sizeof *r->tuple_of);
    r->records = kn_malloc_array(t->records, sizeof *r->records);
    r->cluster_of = kn_malloc_array(t->records, sizeof *r->cluster_of);
    r->next = kn_malloc_array(t->records, sizeof *r->next);
    r->previous = kn_malloc_array(t->records, sizeof *r->previous);
    r->head = kn_malloc_array(most_clusters, sizeof *r->head);
    r->seen = kn_zalloc_array(most_clusters, sizeof *r->seen);
    r->near = kn_malloc_array(t->count, NEAR * sizeof *r->near);
    r->near_count = kn_malloc_array(t->count, 1);
    r->room = kn_malloc_array(r->words, sizeof *r->room);
    r->moved = kn_malloc_array(r->words, sizeof *r->moved);
    r->before = kn_malloc_array(r->words, sizeof *r->before);
    if (!r->begin || !r->tuple_of || !r->records || !r->cluster_of || !r->next || !r->previous ||
        !r->head || !r->seen || !r->near || !r->near_count || !r->room || !r->moved || !r->before) {
        return kn_nomem(r->err);
    }
    memset(r->head, 0xff, most_clusters * sizeof *r->head);
    for (uint32_t i = 0; i < t->count; i++) {
        const uint32_t first = r->pieces;
        r->begin[i] = first;
        for (uint32_t m = t->begin[i]; m < t->begin[i + 1]; m++) {
            const uint32_t cluster = c->cluster[t->members[m]];
            uint32_t p = first;
            while (p < r->pieces && r->cluster_of[p] != cluster) {
                p++;
            }
            if (p == r->pieces) {
                r->pieces++;
                r->tuple_of[p] = i;
                r->records[p] = 0;
                link_piece(r, p, cluster);
            }
            r->records[p]++;
        }
    }
    r->begin[t->count] = r->pieces;
    return KN_OK;
}

/* Deal the records of each tuple out to its pieces, and drop clusters that are gone. */
static void settle(refinement *r)
{
    kn_clusters *c = r->c;
    uint32_t *number = r->seen, count = 0;

    for (uint32_t i = 0; i < c->count; i++) {
        number[i] = count;
        if (c->size[i] > 0) {
            memmove(kn_clusters_view(c, count), kn_clusters_view(c, i), r->words * sizeof *c->view);
            c->size[count] = c->size[i];
            c->ncp[count++] = c->ncp[i];
        }
    }
    c->count = count;
    for (uint32_t t = 0; t < r->tuples->count; t++) {
        uint32_t at = r->tuples->begin[t];
        for (uint32_t p = r->begin[t]; p < r->begin[t + 1]; p++) {
            for (uint32_t i = 0; i < r->records[p]; i++) {
                c->cluster[r->tuples->members[at++]] = number[r->cluster_of[p]];
            }
        }
    }
}

static kn_status go_round(refinement *r)
{
    kn_clusters *c = r->c;
    kn_status status = KN_OK;

    for (uint32_t i = 0; status == KN_OK && i < c->count; i++) {
        bool done = true;
        while (status == KN_OK && done && c->size[i] >= 2 * r->k && c->ncp[i] > 0) {
            status = split(r, i, &done);
        }
    }
    for (uint32_t i = 0; status == KN_OK && i < c->count; i++) {
        status = dissolve(r, i);
    }
    for (uint32_t i = 0; status == KN_OK && i < c->count; i++) {
        status = improve(r, i);
    }
    return status;
}

static void layout_clear(layout *l)
{
    kn_free(l->piece);
    kn_free(l->without);
    kn_free(l->ncp);
}

kn_status kn_clusters_refine(kn_clusters *c, const kn_tuples *tuples, size_t k, kn_error *err)
{
    refinement r = {
        .c = c, .tuples = tuples, .k = k, .words = c->views->words, .gone = NONE, .err = err};
    uint64_t before = total(c), after = before;
    kn_status status = make_pieces(&r);

    if (status == KN_OK) {
        status = store_views(&r);
    }
    if (status == KN_OK) {
        status = find_near(&r);
    }
    for (unsigned i = 0; status == KN_OK && i < MOST_ROUNDS; i++) {
        before = after;
        status = go_round(&r);
        after = total(c);
        if ((double)(before - after) <= LEAST_PROGRESS * (double)before) {
            break;
        }
        if (status == KN_OK) {
            status = kn_run_step(c->views->task->run, "refine", -1, err);
        }
    }
    if (status == KN_OK) {
        settle(&r);
    }
    layout_clear(&r.mine);
    layout_clear(&r.other);
    kn_free(r.begin);
    kn_free(r.tuple_of);
    kn_free(r.records);
    kn_free(r.cluster_of);
    kn_free(r.next);
    kn_free(r.previous);
    kn_free(r.head);
    kn_free(r.seen);
    kn_free(r.near);
    kn_free(r.near_count);
    kn_free(r.stored);
    kn_free(r.room);
    kn_free(r.moved);
    kn_free(r.before);
    return status;
}
