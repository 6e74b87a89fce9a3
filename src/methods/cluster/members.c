/* members.c - what clusters are made of, as lists that change in O(1). */
#include "methods/cluster/members.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/cluster/index.h"

#include <string.h>

enum {
    MOST_STORED = 32, /* words of a view, if those of all tuples are stored */
    BATCH = 16384
};

static void link_piece(kn_members *s, uint32_t p, uint32_t cluster)
{
    s->cluster_of[p] = cluster;
    s->previous[p] = KN_NO_PIECE;
    s->next[p] = s->head[cluster];
    if (s->head[cluster] != KN_NO_PIECE) {
        s->previous[s->head[cluster]] = p;
    }
    s->head[cluster] = p;
}

static void unlink_piece(kn_members *s, uint32_t p)
{
    if (s->previous[p] != KN_NO_PIECE) {
        s->next[s->previous[p]] = s->next[p];
    } else {
        s->head[s->cluster_of[p]] = s->next[p];
    }
    if (s->next[p] != KN_NO_PIECE) {
        s->previous[s->next[p]] = s->previous[p];
    }
}

void kn__member_move(kn_members *s, uint32_t p, uint32_t to)
{
    unlink_piece(s, p);
    link_piece(s, p, to);
}

void kn__members_cover(const kn_members *s, uint64_t *view, uint32_t p, bool first)
{
    const uint64_t *one = kn__member_view(s, p, s->room);

    if (first) {
        memcpy(view, one, s->words * sizeof *view);
    } else {
        kn__view_join(s->c->views, view, one);
    }
}

void kn__members_recompute(kn_members *s, uint32_t cluster)
{
    uint64_t *view = kn__clusters_view(s->c, cluster);
    bool first = true;

    s->c->size[cluster] = 0;
    s->c->ncp[cluster] = 0;
    for (uint32_t p = s->head[cluster]; p != KN_NO_PIECE; p = s->next[p]) {
        kn__members_cover(s, view, p, first);
        s->c->size[cluster] += s->records[p];
        first = false;
    }
    if (!first) {
        s->c->ncp[cluster] = kn__view_ncp(s->c->views, view);
    }
}

/* ---- making ---- */

typedef struct searching {
    kn_members *pieces;
    kn_neighbour_search **search; /* by thread */
    kn_error *errors;
    size_t first; /* tuple of the batch */
} searching;

static void search_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    searching *w = user;
    kn_members *s = w->pieces;
    kn_error *e = &w->errors[worker];

    for (size_t t = w->first + begin; !e->status && t < w->first + end; t++) {
        size_t count;
        const uint32_t *found;
        (void)kn__search_run(w->search[worker], (uint32_t)t, KN_PIECES_NEAR, e);
        found = kn__search_found(w->search[worker], &count);
        if (!e->status && count) {
            memcpy(s->near + t * KN_PIECES_NEAR, found, count * sizeof *found);
        }
        s->near_count[t] = (uint8_t)count;
    }
}

/* Find the nearest tuples of all, a batch at a time, so that progress is reported in between. */
static kn_status find_near(kn_members *s, kn_error *err)
{
    const kn_run *run = s->c->views->task->run;
    const unsigned threads = kn__run_threads(run);
    const size_t tuples = s->tuples->count;
    kn_index *index = NULL;
    searching w = {.pieces = s};
    kn_status status;

    KN_TRY(kn__index_new(&index, s->c->views, s->tuples, true, err));
    w.search = kn__zalloc_array(threads, sizeof *w.search);
    w.errors = kn__zalloc_array(threads, sizeof *w.errors);
    KN_TRY(w.search && w.errors ? KN_OK : kn__nomem(err));
    for (unsigned i = 0; i < threads; i++) {
        KN_TRY(kn__search_new(&w.search[i], index, err));
    }
    for (; w.first < tuples; w.first += BATCH) {
        const size_t count = tuples - w.first < BATCH ? tuples - w.first : BATCH;
        kn__parallel_for(threads, count, 64, search_slice, &w);
        for (unsigned i = 0; i < threads; i++) {
            KN_TRY(kn__error_pass(err, &w.errors[i]));
        }
        KN_TRY(kn__run_step(run, "neighbours", (double)w.first / (double)tuples, err));
    }
done:
    for (unsigned i = 0; w.search && i < threads; i++) {
        kn__search_free(w.search[i]);
    }
    KN_FREE(w.search, w.errors);
    kn__index_free(index);
    return status;
}

static kn_status allocate(kn_members *s, size_t clusters, kn_error *err)
{
    const kn_tuples *t = s->tuples;

    s->begin = kn__arena_take(&s->arena, t->count + (size_t)1, sizeof *s->begin);
    s->tuple_of = kn__arena_take(&s->arena, t->records, sizeof *s->tuple_of);
    s->records = kn__arena_take(&s->arena, t->records, sizeof *s->records);
    s->cluster_of = kn__arena_take(&s->arena, t->records, sizeof *s->cluster_of);
    s->next = kn__arena_take(&s->arena, t->records, sizeof *s->next);
    s->previous = kn__arena_take(&s->arena, t->records, sizeof *s->previous);
    s->head = kn__arena_take(&s->arena, clusters, sizeof *s->head);
    s->mark = kn__arena_zeros(&s->arena, clusters, sizeof *s->mark);
    s->near = kn__arena_take(&s->arena, t->count, KN_PIECES_NEAR * sizeof *s->near);
    s->near_count = kn__arena_take(&s->arena, t->count, 1);
    s->room = kn__arena_take(&s->arena, s->words, sizeof *s->room);
    if (s->words <= MOST_STORED) {
        s->stored = kn__arena_take(&s->arena, t->count, s->words * sizeof *s->stored);
    }
    return kn__arena_check(&s->arena, err);
}

kn_status kn__members_init(kn_members *s, kn_clusters *c, const kn_tuples *tuples, size_t k,
                           kn_error *err)
{
    const size_t clusters = tuples->records / k + 1;

    s->c = c;
    s->tuples = tuples;
    s->words = c->views->words;
    KN_PASS(allocate(s, clusters, err));
    memset(s->head, 0xff, clusters * sizeof *s->head);
    for (uint32_t t = 0; t < tuples->count; t++) {
        const uint32_t first = s->count;
        s->begin[t] = first;
        for (uint32_t m = tuples->begin[t]; m < tuples->begin[t + 1]; m++) {
            const uint32_t cluster = c->cluster[tuples->members[m]];
            if (s->mark[cluster] <= first) { /* it is 1 + the last piece there */
                const uint32_t p = s->count++;
                s->tuple_of[p] = t;
                s->records[p] = 0;
                s->mark[cluster] = p + 1;
                link_piece(s, p, cluster);
            }
            s->records[s->mark[cluster] - 1]++;
        }
        if (s->stored) {
            kn__view_of_tuple(c->views, kn__tuple(tuples, t), s->stored + t * s->words);
        }
    }
    s->begin[tuples->count] = s->count;
    memset(s->mark, 0, clusters * sizeof *s->mark);
    return find_near(s, err);
}

void kn__members_clear(kn_members *s)
{
    kn__arena_clear(&s->arena);
}

void kn__members_settle(kn_members *s)
{
    kn_clusters *c = s->c;
    uint32_t *number = s->mark, count = 0;

    for (uint32_t i = 0; i < c->count; i++) {
        number[i] = count;
        if (c->size[i] > 0) {
            memmove(kn__clusters_view(c, count), kn__clusters_view(c, i),
                    s->words * sizeof *c->view);
            c->size[count] = c->size[i];
            c->ncp[count++] = c->ncp[i];
        }
    }
    c->count = count;
    for (uint32_t t = 0; t < s->tuples->count; t++) {
        uint32_t at = s->tuples->begin[t];
        for (uint32_t p = s->begin[t]; p < s->begin[t + 1]; p++) {
            for (uint32_t i = 0; i < s->records[p]; i++) {
                c->cluster[s->tuples->members[at++]] = number[s->cluster_of[p]];
            }
        }
    }
}
