/* form.c - cluster formation.
 *
 * Seeds are the records in a random order, those left out that have a cluster when their turn
 * comes: that is as random as drawing one of the rest each time, and it is known beforehand which
 * seeds are next. So the neighbours of many seeds are searched at once, on all threads, some more
 * than are needed; then the clusters are made one by one. Where too many of a seed's neighbours
 * went into the clusters before it, it is searched again. The nearest that are left of a list of
 * nearest are the nearest that are left, so the clusters are those of searching one by one,
 * whatever the threads. Equal records are one tuple, which is searched once. */
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/threads.h"
#include "methods/cluster/index.h"
#include "methods/cluster/refine.h"

#include <string.h>

enum {
    STREAM = 4, /* of the random numbers */
    MOST_SEEDS = 512,
    MOST_POOL = 256, /* records beyond the k-1 nearest that are looked at for a better cluster */
    SHARE = 16       /* at most 1 in so many records goes into the clusters of a batch */
};

/* A seed of a batch and its neighbours. */
typedef struct seed {
    uint32_t record, tuple;
    uint32_t *near;
    size_t count, cap;
    size_t first; /* in near: those before have no records left */
} seed;

typedef struct formation {
    const kn_task *task;
    const kn_tuples *tuples;
    size_t k;
    size_t pool; /* records near a seed of which its cluster is made; k-1: just them */
    kn_clusters *c;
    kn_index *index;
    uint32_t *tuple_of; /* by record */
    uint32_t *next;     /* by tuple: where in tuples->members to go on */
    uint32_t *order;    /* records, as seeds */
    size_t at, order_len;
    size_t left;   /* records without a cluster */
    uint64_t *one; /* a view */
    unsigned threads;
    kn_neighbour_search **search; /* by thread */
    kn_error *errors;             /* by thread */
    seed *seeds;
    size_t seeds_count;
} formation;

static void formation_clear(formation *f)
{
    for (unsigned i = 0; f->search && i < f->threads; i++) {
        kn__search_free(f->search[i]);
    }
    for (size_t i = 0; f->seeds && i < MOST_SEEDS; i++) {
        kn__free(f->seeds[i].near);
    }
    KN_FREE(f->search, f->errors, f->seeds);
    kn__index_free(f->index);
    KN_FREE(f->tuple_of, f->next, f->order, f->one);
}

/* The records in a random order. */
static void shuffle(formation *f)
{
    const kn_tuples *t = f->tuples;
    kn_rng rng;

    for (uint32_t i = 0; i < t->count; i++) {
        for (uint32_t m = t->begin[i]; m < t->begin[i + 1]; m++) {
            f->tuple_of[t->members[m]] = i;
        }
    }
    f->left = 0;
    for (size_t i = 0; i < f->task->ds->records; i++) {
        if (!f->task->barred || !f->task->barred[i]) {
            f->order[f->left++] = (uint32_t)i;
        }
    }
    f->order_len = f->left;
    kn__rng_seed(&rng, f->task->run ? f->task->run->seed : 0, STREAM);
    for (size_t i = f->left; i > 1; i--) {
        const size_t other = (size_t)kn__rng_below(&rng, i);
        const uint32_t record = f->order[i - 1];
        f->order[i - 1] = f->order[other];
        f->order[other] = record;
    }
}

static kn_status formation_init(formation *f, kn_error *err)
{
    const size_t records = f->task->ds->records;

    KN_PASS(kn__index_new(&f->index, f->c->views, f->tuples, false, err));
    f->threads = kn__run_threads(f->task->run);
    f->tuple_of = kn__malloc_array(records, sizeof *f->tuple_of);
    f->order = kn__malloc_array(records, sizeof *f->order);
    f->next = kn__malloc_array(f->tuples->count, sizeof *f->next);
    f->one = kn__malloc_array(f->c->views->words, sizeof *f->one);
    f->search = kn__zalloc_array(f->threads, sizeof *f->search);
    f->errors = kn__zalloc_array(f->threads, sizeof *f->errors);
    f->seeds = kn__zalloc_array(MOST_SEEDS, sizeof *f->seeds);
    KN_PASS(f->tuple_of && f->order && f->next && f->one && f->search && f->errors && f->seeds
                ? KN_OK
                : kn__nomem(err));
    for (unsigned i = 0; i < f->threads; i++) {
        KN_PASS(kn__search_new(&f->search[i], f->index, err));
    }
    memcpy(f->next, f->tuples->begin, f->tuples->count * sizeof *f->next);
    shuffle(f);
    return KN_OK;
}

static void put_record(formation *f, uint32_t record, uint32_t number)
{
    f->c->cluster[record] = number;
    f->c->size[number]++;
    f->left--;
}

/* Make the view of cluster `number` cover tuple `t` too, or just it if it is the first. */
static void cover(formation *f, uint32_t t, uint32_t number, bool first)
{
    uint64_t *view = kn__clusters_view(f->c, number);

    kn__view_of_tuple(f->c->views, kn__tuple(f->tuples, t), first ? view : f->one);
    if (!first) {
        kn__view_join(f->c->views, view, f->one);
    }
}

/* Put the first `count` records of tuple `t` that have no cluster into cluster `number`. */
static void put_records(formation *f, uint32_t t, uint32_t count, uint32_t number)
{
    kn__index_take(f->index, t, count);
    for (uint32_t *at = &f->next[t]; count > 0; ++*at) {
        const uint32_t record = f->tuples->members[*at];
        if (f->c->cluster[record] == KN_SUPPRESSED) {
            put_record(f, record, number);
            count--;
        }
    }
}

/* Records of the tuples in the list that have no cluster, the seed aside. */
static size_t usable(const formation *f, const seed *s)
{
    size_t sum = 0;

    for (size_t i = 0; i < s->count; i++) {
        sum += kn__index_left(f->index, s->near[i]) - (s->near[i] == s->tuple);
    }
    return sum;
}

/* Keep no more of the list than the pool takes, so that the pool does not depend on which thread
 * searched. */
static void cut_list(const formation *f, seed *s)
{
    size_t sum = 0, count = 0;

    while (count < s->count && sum < f->pool) {
        sum += kn__index_left(f->index, s->near[count]) - (s->near[count] == s->tuple);
        count++;
    }
    s->count = count;
    s->first = 0;
}

static kn_status find_near(formation *f, seed *s, unsigned worker, size_t need, kn_error *err)
{
    size_t count;
    const uint32_t *found;

    s->count = 0;
    KN_PASS(kn__search_run(f->search[worker], s->tuple, need, err));
    found = kn__search_found(f->search[worker], &count);
    KN_PASS(kn__grow(&s->near, &s->cap, count, sizeof *s->near, err));
    if (count) {
        memcpy(s->near, found, count * sizeof *found);
    }
    s->count = count;
    return KN_OK;
}

static void find_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    formation *f = user;
    kn_error *e = &f->errors[worker];

    for (size_t i = begin; !e->status && i < end; i++) {
        (void)find_near(f, &f->seeds[i], worker, f->pool + f->pool / 2 + 2, e);
    }
}

/* The next seeds, and their neighbours. */
static kn_status find_batch(formation *f, kn_error *err)
{
    size_t most = f->left / (SHARE * f->k + 1);

    most = most < 1 ? 1 : most;
    most = most < MOST_SEEDS ? most : MOST_SEEDS;
    KN_PASS(kn__index_tidy(f->index, err));
    for (f->seeds_count = 0; f->seeds_count < most && f->at < f->order_len; f->at++) {
        const uint32_t record = f->order[f->at];
        if (f->c->cluster[record] == KN_SUPPRESSED) {
            seed *s = &f->seeds[f->seeds_count++];
            s->record = record;
            s->tuple = f->tuple_of[record];
        }
    }
    kn__parallel_for(f->seeds_count < 16 ? 1 : f->threads, f->seeds_count, 4, find_slice, f);
    for (unsigned i = 0; i < f->threads; i++) {
        KN_PASS(kn__error_pass(err, &f->errors[i]));
    }
    return KN_OK;
}

/* The tuple nearest to the seed that has records left. */
static uint32_t first_left(const formation *f, seed *s)
{
    while (kn__index_left(f->index, s->near[s->first]) == 0) {
        s->first++;
    }
    return s->near[s->first];
}

/* The tuple of the pool that the cluster can take in for least, of equals the nearest. */
static uint32_t best_fit(formation *f, const seed *s, uint32_t number)
{
    const kn_views *v = f->c->views;
    uint32_t best = 0, least = UINT32_MAX;

    for (size_t i = 0; i < s->count; i++) {
        if (kn__index_left(f->index, s->near[i]) > 0) {
            uint32_t ncp;
            kn__view_of_tuple(v, kn__tuple(f->tuples, s->near[i]), f->one);
            ncp = kn__view_ncp_of_both(v, kn__clusters_view(f->c, number), f->one);
            best = ncp < least ? s->near[i] : best;
            least = ncp < least ? ncp : least;
        }
    }
    return best;
}

/* The seed and k-1 records near it become a cluster. */
static kn_status make_cluster(formation *f, seed *s, kn_error *err)
{
    size_t missing = f->k - 1;
    uint32_t number = f->c->count;

    if (usable(f, s) < f->pool) {
        KN_PASS(find_near(f, s, 0, f->pool, err));
    }
    cut_list(f, s);
    KN_PASS(kn__clusters_add(f->c, err));
    put_record(f, s->record, number);
    kn__index_take(f->index, s->tuple, 1);
    cover(f, s->tuple, number, true);
    while (missing > 0) {
        const uint32_t t = f->pool < f->k ? first_left(f, s) : best_fit(f, s, number);
        const uint32_t left = kn__index_left(f->index, t);
        const uint32_t count = left < missing ? left : (uint32_t)missing;
        put_records(f, t, count, number);
        cover(f, t, number, false);
        missing -= count;
    }
    f->c->ncp[number] = kn__view_ncp(f->c->views, kn__clusters_view(f->c, number));
    return KN_OK;
}

/* Each record that is left joins the cluster whose view then costs least, of equals the first. */
static void place_rest(formation *f)
{
    kn_clusters *c = f->c;

    for (size_t i = 0; f->left > 0; i++) {
        uint32_t best = 0, least = UINT32_MAX;
        if (c->cluster[i] != KN_SUPPRESSED || (f->task->barred && f->task->barred[i])) {
            continue;
        }
        kn__view_of_tuple(c->views, kn__tuple(f->tuples, f->tuple_of[i]), f->one);
        for (uint32_t number = 0; number < c->count; number++) {
            const uint32_t ncp = kn__view_ncp_of_both(c->views, kn__clusters_view(c, number),
                                                      f->one);
            best = ncp < least ? number : best;
            least = ncp < least ? ncp : least;
        }
        put_record(f, (uint32_t)i, best);
        kn__view_join(c->views, kn__clusters_view(c, best), f->one);
        c->ncp[best] = least;
    }
}

static kn_status form(formation *f, kn_error *err)
{
    const size_t all = f->left;

    while (f->left >= f->k) {
        KN_PASS(find_batch(f, err));
        for (size_t i = 0; i < f->seeds_count && f->left >= f->k; i++) {
            if (f->c->cluster[f->seeds[i].record] == KN_SUPPRESSED) {
                KN_PASS(make_cluster(f, &f->seeds[i], err));
            }
        }
        KN_PASS(kn__run_step(f->task->run, "cluster", 1 - (double)f->left / (double)all, err));
    }
    place_rest(f);
    return KN_OK;
}

kn_status kn__clusters_form(kn_clusters *c, const kn_task *task, const kn_tuples *tuples, size_t k,
                            bool plain, kn_error *err)
{
    formation f = {.task = task, .tuples = tuples, .k = k, .pool = k - 1, .c = c};
    const size_t more = 3 * (k - 1);
    kn_status status;

    if (!plain) {
        f.pool += more < MOST_POOL ? more : MOST_POOL;
    }
    memset(c->cluster, 0xff, task->ds->records * sizeof *c->cluster); /* KN_SUPPRESSED */
    KN_TRY(formation_init(&f, err));
    KN_TRY(form(&f, err));
done:
    formation_clear(&f);
    return status;
}
