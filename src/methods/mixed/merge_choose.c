/* merge_choose.c - whom a cluster is merged with.
 *
 * The choice of strategy rt needs the places of few clusters only. The s first of both orders are
 * found, those of BTD without measuring any cluster further than to see that it is not among them.
 * A cluster that is missing in one of the two has a sum of at least s + 2: a sum of s + 1 or less,
 * if there is one, is the least. Two random orders of t clusters have one at s of about sqrt(2t).
 */
#include "base/heap.h"
#include "base/sort.h"
#include "base/threads.h"
#include "methods/mixed/merge_state.h"

#include <math.h>
#include <string.h>

enum {
    ALONE = 4096, /* fewer clusters than this are not worth a second thread */
    GRAIN = 512
};

void kn__merging_clear(kn__merging *m)
{
    kn__arena_clear(&m->arena);
}

kn_status kn__merging_init(kn__merging *m, const kn_rt_merge *task, kn_error *err)
{
    const size_t clusters = task->parts->c->count, records = task->parts->known->records;

    *m = (kn__merging){.task = task,
                       .p = task->parts,
                       .threads = kn__run_threads(task->run),
                       .on_course = true,
                       .at = task->memo->feasible_len};
    m->ncp = kn__arena_take(&m->arena, clusters, sizeof *m->ncp);
    m->tum = kn__arena_take(&m->arena, task->exact ? clusters : 0, sizeof *m->tum);
    m->ul = kn__arena_zeros(&m->arena, clusters, sizeof *m->ul);
    m->least = kn__arena_zeros(&m->arena, clusters, sizeof *m->least);
    m->made_by = kn__arena_zeros(&m->arena, clusters, sizeof *m->made_by);
    m->stale = kn__arena_zeros(&m->arena, clusters, sizeof *m->stale);
    m->late = kn__arena_take(&m->arena, clusters, sizeof *m->late);
    m->place = kn__arena_zeros(&m->arena, clusters, sizeof *m->place);
    m->rum_order = kn__arena_take(&m->arena, clusters, sizeof *m->rum_order);
    m->tum_order = kn__arena_take(&m->arena, clusters, sizeof *m->tum_order);
    m->workers = kn__arena_zeros(&m->arena, m->threads, sizeof *m->workers);
    m->records = kn__arena_zeros(&m->arena, m->threads, sizeof *m->records);
    m->errors = kn__arena_zeros(&m->arena, m->threads, sizeof *m->errors);
    if (kn__cluster_items_protects(task->t)) {
        m->finer = kn__arena_zeros(&m->arena, clusters, 1);
        m->refused = kn__arena_zeros(&m->arena, clusters, 1);
    }
    for (unsigned i = 0; i < m->threads && !m->arena.failed; i++) {
        m->workers[i].list = kn__arena_take(&m->arena, clusters, sizeof(kn_ranked));
        m->records[i] = kn__arena_take(&m->arena, records, sizeof(uint32_t));
    }
    return kn__arena_check(&m->arena, err);
}

/* Threads that are worth while for `count` clusters. */
static unsigned merging_threads(const kn__merging *m, size_t count)
{
    return count < ALONE ? 1 : m->threads;
}

/* ---- one iteration ---- */

uint32_t kn__merging_seed(const kn_growing_clusters *p)
{
    uint32_t seed = p->number[0];

    for (size_t i = 1; i < p->count; i++) {
        seed = p->c->ncp[p->number[i]] < p->c->ncp[seed] ? p->number[i] : seed;
    }
    return seed;
}

static void price(void *user, unsigned worker, size_t begin, size_t end)
{
    kn__merging *m = user;
    const kn_clusters *c = m->p->c;
    const uint64_t *mine = kn__clusters_view(c, m->seed);

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const uint32_t b = m->p->number[i];
        m->ncp[b] = kn__view_ncp_of_both(c->views, mine, kn__clusters_view(c, b));
    }
}

void kn__merging_price(kn__merging *m)
{
    kn__parallel_for(merging_threads(m, m->p->count), m->p->count, GRAIN, price, m);
}

static double tum_of_both(const kn__merging *m, uint32_t b, double limit)
{
    return m->task->exact ? m->tum[b] : kn__rt_btd_of_both(m->p, m->seed, b, limit);
}

/* ---- the first of an order ---- */

/* Whether `a` comes after `b` in the order: the heap has the last one on top. */
static bool after(const void *user, const void *a, const void *b)
{
    const kn_ranked *x = a, *y = b;

    (void)user;
    return x->rank > y->rank || (x->rank == y->rank && x->id > y->id);
}

static void offer(kn__first_ones *f, size_t want, kn_ranked r)
{
    if (f->len < want) {
        f->list[f->len++] = r;
        if (f->len == want) {
            kn__heap_make(f->list, want, sizeof *f->list, after, NULL);
        }
    } else if (after(NULL, &f->list[0], &r)) {
        f->list[0] = r;
        kn__heap_down(f->list, want, sizeof *f->list, 0, after, NULL);
    }
}

static void rank(void *user, unsigned worker, size_t begin, size_t end)
{
    kn__merging *m = user;
    kn__first_ones *f = &m->workers[worker];

    for (size_t i = begin; i < end; i++) {
        const uint32_t b = m->p->number[i];
        const double limit = f->len == m->want ? f->list[0].rank : INFINITY;
        if (b != m->seed) {
            offer(f, m->want,
                  (kn_ranked){m->by_tum ? tum_of_both(m, b, limit) : (double)m->ncp[b], b});
        }
    }
}

/* The first `want` clusters of an order, into `out`. */
static void find_first(kn__merging *m, bool by_tum, size_t want, kn_ranked *out)
{
    const unsigned threads = merging_threads(m, m->p->count);

    m->by_tum = by_tum;
    m->want = want;
    for (unsigned i = 0; i < m->threads; i++) {
        m->workers[i].len = 0;
    }
    kn__parallel_for(threads, m->p->count, GRAIN, rank, m);
    for (unsigned i = 1; i < threads; i++) {
        for (size_t j = 0; j < m->workers[i].len; j++) {
            offer(&m->workers[0], want, m->workers[i].list[j]);
        }
    }
    memcpy(out, m->workers[0].list, want * sizeof *out);
    kn__sort_ranked(out, want);
}

/* ---- choices ---- */

kn_ranked kn__merging_nearest(const kn__merging *m)
{
    kn_ranked best = {INFINITY, KN__NO_CLUSTER};

    for (size_t i = 0; i < m->p->count; i++) {
        const kn_ranked r = {(double)m->ncp[m->p->number[i]], m->p->number[i]};
        const bool refused = m->refused && m->refused[r.id];
        best = r.id != m->seed && !refused && kn__ranked_before(&r, &best) ? r : best;
    }
    best.id = best.id != KN__NO_CLUSTER && kn__merging_admits(m, best.id) ? best.id
                                                                          : KN__NO_CLUSTER;
    best.rank = -1; /* BTD is not used */
    return best;
}

static void find_t(void *user, unsigned worker, size_t begin, size_t end)
{
    kn__merging *m = user;
    kn_ranked *best = m->workers[worker].list;

    for (size_t i = begin; i < end; i++) {
        kn_ranked r = {0, m->p->number[i]};
        if (r.id != m->seed && kn__merging_admits(m, r.id)) {
            r.rank = tum_of_both(m, r.id, best->rank);
            *best = kn__ranked_before(&r, best) ? r : *best;
        }
    }
}

/* t: the first of the order of Tum that is admitted. */
static kn_ranked choose_t(kn__merging *m)
{
    kn_ranked best = {INFINITY, KN__NO_CLUSTER};

    for (unsigned i = 0; i < m->threads; i++) {
        m->workers[i].list[0] = best;
    }
    kn__parallel_for(merging_threads(m, m->p->count), m->p->count, GRAIN, find_t, m);
    for (unsigned i = 0; i < m->threads; i++) {
        best = kn__ranked_before(&m->workers[i].list[0], &best) ? m->workers[i].list[0] : best;
    }
    return best;
}

/* The admitted cluster of the least sum of places among those that are in both orders. */
static kn_ranked least_sum(kn__merging *m, size_t len, size_t *sum)
{
    kn_ranked best = {0, KN__NO_CLUSTER};

    *sum = SIZE_MAX;
    for (size_t i = 0; i < len; i++) {
        m->place[m->rum_order[i].id] = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < len; i++) {
        const kn_ranked *r = &m->tum_order[i];
        const size_t both = m->place[r->id] + i + 1;
        if (m->place[r->id] && kn__merging_admits(m, r->id) &&
            (both < *sum || (both == *sum && r->id < best.id))) {
            best = *r;
            *sum = both;
        }
    }
    for (size_t i = 0; i < len; i++) {
        m->place[m->rum_order[i].id] = 0;
    }
    return best;
}

static kn_ranked choose_rt(kn__merging *m)
{
    const size_t others = m->p->count - 1;
    size_t want = 2 * (size_t)sqrt((double)others) + 16, sum;
    kn_ranked best = {0, KN__NO_CLUSTER};
    bool any = false;

    for (size_t i = 0; i < m->p->count && !any; i++) {
        any = m->p->number[i] != m->seed && kn__merging_admits(m, m->p->number[i]);
    }
    while (any) {
        want = want < others ? want : others;
        find_first(m, false, want, m->rum_order);
        find_first(m, true, want, m->tum_order);
        best = least_sum(m, want, &sum);
        if (want == others || sum <= want + 1) {
            break;
        }
        want *= 4;
    }
    return best;
}

/* ---- T on trial ---- */

kn_status kn__merging_errors(const kn__merging *m, kn_error *err)
{
    for (unsigned i = 0; i < m->threads; i++) {
        if (m->errors[i].status != KN_OK) {
            if (err) {
                *err = m->errors[i];
            }
            return m->errors[i].status;
        }
    }
    return KN_OK;
}

/* The records of clusters a and b (KN__NO_CLUSTER: of a alone), into those of the worker. */
static size_t gather(const kn__merging *m, unsigned worker, uint32_t a, uint32_t b)
{
    const uint32_t *size = m->p->c->size;
    uint32_t *records = m->records[worker];
    size_t count = size[a];

    kn__growing_clusters_records(m->p, a, records);
    if (b != KN__NO_CLUSTER) {
        kn__growing_clusters_records(m->p, b, records + count);
        count += size[b];
        kn__sort_u32(records, count);
    }
    return count;
}

kn_status kn__merging_try(kn__merging *m, unsigned worker, uint32_t a, uint32_t b, kn_part_map *map,
                          kn_error *err)
{
    const size_t count = gather(m, worker, a, b);

    return kn__cluster_items_run(m->task->t, worker, m->records[worker], count, map, err);
}

kn_status kn__merging_feasible(kn__merging *m, uint32_t a, uint32_t b, kn_feasibility *out,
                               kn_error *err)
{
    const size_t count = gather(m, 0, a, b);

    return kn__cluster_items_feasible(m->task->t, 0, m->records[0], count, out, err);
}

static void try_all(void *user, unsigned worker, size_t begin, size_t end)
{
    kn__merging *m = user;

    for (size_t i = begin; i < end && m->errors[worker].status == KN_OK; i++) {
        const uint32_t b = m->p->number[i];
        if (b != m->seed) {
            kn_part_map map;
            kn_error *const err = &m->errors[worker];
            const kn_status status = kn__merging_try(m, worker, m->seed, b, &map, err);
            m->tum[b] = map.ul / (double)(m->p->c->size[m->seed] + m->p->c->size[b]);
            if (status == KN_EINFEASIBLE && m->refused) {
                err->status = KN_OK;
                m->refused[b] = 1;
                m->tum[b] = INFINITY;
            }
            kn__part_map_clear(&map);
        }
    }
}

/* ---- the choice ---- */

kn_status kn__merging_choose(kn__merging *m, kn_ranked *out, kn_error *err)
{
    const kn_merge how = m->task->how;
    kn_status status = KN_OK;

    kn__merging_price(m);
    if (how != KN_MERGE_R && m->task->exact) {
        kn__parallel_for(m->threads, m->p->count, 1, try_all, m);
        status = kn__merging_errors(m, err);
    }
    if (status != KN_OK) {
        return status;
    }
    switch (how) {
    case KN_MERGE_R: *out = kn__merging_nearest(m); break;
    case KN_MERGE_T: *out = choose_t(m); break;
    default: *out = choose_rt(m); break;
    }
    return KN_OK;
}
