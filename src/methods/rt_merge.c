/* rt_merge.c - which clusters are merged.
 *
 * The choice of strategy rt needs the places of few clusters only. The s first of both orders are
 * found, those of BTD without measuring any cluster further than to see that it is not among them.
 * Whoever is missing in one of the two has a sum of at least s + 2: a sum of s + 1 or less, if
 * there is one, is the least. Two random orders of t clusters have one at s of about sqrt(2t). */
#include "methods/rt_merge.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

enum {
    ALONE = 4096, /* fewer clusters than this are not worth a second thread */
    GRAIN = 512,
    STEPS = 64 /* merges between two words of progress */
};

/* A cluster in an order. */
typedef struct ranked {
    double value;
    uint32_t number;
} ranked;

/* The first of an order, as found by one thread: a heap, the last of them on top. */
typedef struct first_ones {
    ranked *list;
    size_t len;
} first_ones;

typedef struct merging {
    const kn_rt_merge *task;
    kn_rt_parts *p;
    unsigned threads;
    uint64_t limit; /* of p->sum */
    uint32_t seed;
    uint32_t *ncp; /* by cluster: NCP if the seed takes it in */
    double *tum;   /* by cluster, with `exact`: UL if the seed takes it in */
    bool by_tum;   /* the order that is made */
    size_t want;   /* how far */
    first_ones *workers;
    ranked *rum_order, *tum_order;
    uint32_t *place; /* by cluster: its place in the order of Rum, from 1; 0: it is not there */
    /* While T is tried. */
    uint32_t **records; /* by worker: room for all records */
    kn_error *errors;
    double *ul; /* by cluster: sum over its records */
} merging;

static void merging_clear(merging *m)
{
    for (unsigned i = 0; i < m->threads; i++) {
        if (m->workers) {
            kn_free(m->workers[i].list);
        }
        if (m->records) {
            kn_free(m->records[i]);
        }
    }
    kn_free(m->workers);
    kn_free(m->records);
    kn_free(m->errors);
    kn_free(m->ul);
    kn_free(m->ncp);
    kn_free(m->tum);
    kn_free(m->rum_order);
    kn_free(m->tum_order);
    kn_free(m->place);
}

static kn_status merging_init(merging *m, const kn_rt_merge *task, kn_error *err)
{
    const size_t clusters = task->parts->c->count, records = task->parts->known->records;
    bool fine;

    *m = (merging){.task = task, .p = task->parts, .threads = kn_run_threads(task->run)};
    m->ncp = kn_malloc_array(clusters, sizeof *m->ncp);
    m->tum = kn_malloc_array(task->exact ? clusters : 0, sizeof *m->tum);
    m->ul = kn_zalloc_array(clusters, sizeof *m->ul);
    m->place = kn_zalloc_array(clusters, sizeof *m->place);
    m->rum_order = kn_malloc_array(clusters, sizeof *m->rum_order);
    m->tum_order = kn_malloc_array(clusters, sizeof *m->tum_order);
    m->workers = kn_zalloc_array(m->threads, sizeof *m->workers);
    m->records = kn_zalloc_array(m->threads, sizeof *m->records);
    m->errors = kn_zalloc_array(m->threads, sizeof *m->errors);
    fine = m->ncp && m->tum && m->ul && m->place && m->rum_order && m->tum_order && m->workers &&
           m->records && m->errors;
    for (unsigned i = 0; i < m->threads && fine; i++) {
        m->workers[i].list = kn_malloc_array(clusters, sizeof(ranked));
        m->records[i] = kn_malloc_array(records, sizeof(uint32_t));
        fine = m->workers[i].list && m->records[i];
    }
    return fine ? KN_OK : kn_nomem(err);
}

static unsigned threads_for(const merging *m, size_t count)
{
    return count < ALONE ? 1 : m->threads;
}

/* ---- one iteration ---- */

/* The cluster of least NCP. */
static uint32_t find_seed(const kn_rt_parts *p)
{
    uint32_t seed = p->number[0];

    for (size_t i = 1; i < p->count; i++) {
        seed = p->c->ncp[p->number[i]] < p->c->ncp[seed] ? p->number[i] : seed;
    }
    return seed;
}

static void price(void *user, unsigned worker, size_t begin, size_t end)
{
    merging *m = user;
    const kn_clusters *c = m->p->c;
    const uint64_t *mine = kn_clusters_view(c, m->seed);

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const uint32_t b = m->p->number[i];
        m->ncp[b] = kn_view_ncp_of_both(c->views, mine, kn_clusters_view(c, b));
    }
}

static bool admitted(const merging *m, uint32_t b)
{
    return kn_rt_sum_of_both(m->p, m->seed, b, m->ncp[b]) <= m->limit;
}

/* Of two ranked clusters, whether `a` comes first. */
static inline bool before(const ranked *a, const ranked *b)
{
    return a->value < b->value || (a->value == b->value && a->number < b->number);
}

static int by_rank(const void *x, const void *y)
{
    const ranked *a = x, *b = y;

    return before(a, b) ? -1 : before(b, a);
}

static double tum_of_both(const merging *m, uint32_t b, double limit)
{
    return m->task->exact ? m->tum[b] : kn_rt_btd_of_both(m->p, m->seed, b, limit);
}

/* ---- the first of an order ---- */

static void sift_down(ranked *heap, size_t at, size_t len)
{
    for (;;) {
        size_t child = 2 * at + 1;
        ranked swap;
        if (child >= len) {
            return;
        }
        child += child + 1 < len && before(&heap[child], &heap[child + 1]);
        if (!before(&heap[at], &heap[child])) {
            return;
        }
        swap = heap[at];
        heap[at] = heap[child];
        heap[child] = swap;
        at = child;
    }
}

static void offer(first_ones *f, size_t want, ranked r)
{
    if (f->len < want) {
        f->list[f->len++] = r;
        for (size_t i = f->len == want ? want / 2 : 0; i-- > 0;) {
            sift_down(f->list, i, want);
        }
    } else if (before(&r, &f->list[0])) {
        f->list[0] = r;
        sift_down(f->list, 0, want);
    }
}

static void rank(void *user, unsigned worker, size_t begin, size_t end)
{
    merging *m = user;
    first_ones *f = &m->workers[worker];

    for (size_t i = begin; i < end; i++) {
        const uint32_t b = m->p->number[i];
        const double limit = f->len == m->want ? f->list[0].value : INFINITY;
        if (b != m->seed) {
            offer(f, m->want,
                  (ranked){m->by_tum ? tum_of_both(m, b, limit) : (double)m->ncp[b], b});
        }
    }
}

/* The first `want` clusters of an order, into `out`. */
static void find_first(merging *m, bool by_tum, size_t want, ranked *out)
{
    const unsigned threads = threads_for(m, m->p->count);

    m->by_tum = by_tum;
    m->want = want;
    for (unsigned i = 0; i < m->threads; i++) {
        m->workers[i].len = 0;
    }
    kn_parallel_for(threads, m->p->count, GRAIN, rank, m);
    for (unsigned i = 1; i < threads; i++) {
        for (size_t j = 0; j < m->workers[i].len; j++) {
            offer(&m->workers[0], want, m->workers[i].list[j]);
        }
    }
    memcpy(out, m->workers[0].list, want * sizeof *out);
    qsort(out, want, sizeof *out, by_rank);
}

/* ---- choices ---- */

/* r: the first of the order of Rum, or none. */
static ranked choose_r(const merging *m)
{
    ranked best = {INFINITY, NONE};

    for (size_t i = 0; i < m->p->count; i++) {
        const ranked r = {(double)m->ncp[m->p->number[i]], m->p->number[i]};
        best = r.number != m->seed && before(&r, &best) ? r : best;
    }
    best.number = best.number != NONE && admitted(m, best.number) ? best.number : NONE;
    best.value = -1; /* nobody asks for BTD */
    return best;
}

static void find_t(void *user, unsigned worker, size_t begin, size_t end)
{
    merging *m = user;
    ranked *best = m->workers[worker].list;

    for (size_t i = begin; i < end; i++) {
        ranked r = {0, m->p->number[i]};
        if (r.number != m->seed && admitted(m, r.number)) {
            r.value = tum_of_both(m, r.number, best->value);
            *best = before(&r, best) ? r : *best;
        }
    }
}

/* t: the first of the order of Tum that is admitted. */
static ranked choose_t(merging *m)
{
    ranked best = {INFINITY, NONE};

    for (unsigned i = 0; i < m->threads; i++) {
        m->workers[i].list[0] = best;
    }
    kn_parallel_for(threads_for(m, m->p->count), m->p->count, GRAIN, find_t, m);
    for (unsigned i = 0; i < m->threads; i++) {
        best = before(&m->workers[i].list[0], &best) ? m->workers[i].list[0] : best;
    }
    return best;
}

/* The admitted cluster of the least sum of places among those that are in both orders. */
static ranked least_sum(merging *m, size_t len, size_t *sum)
{
    ranked best = {0, NONE};

    *sum = SIZE_MAX;
    for (size_t i = 0; i < len; i++) {
        m->place[m->rum_order[i].number] = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < len; i++) {
        const ranked *r = &m->tum_order[i];
        const size_t both = m->place[r->number] + i + 1;
        if (m->place[r->number] && admitted(m, r->number) &&
            (both < *sum || (both == *sum && r->number < best.number))) {
            best = *r;
            *sum = both;
        }
    }
    for (size_t i = 0; i < len; i++) {
        m->place[m->rum_order[i].number] = 0;
    }
    return best;
}

static ranked choose_rt(merging *m)
{
    const size_t others = m->p->count - 1;
    size_t want = 2 * (size_t)sqrt((double)others) + 16, sum;
    ranked best = {0, NONE};
    bool any = false;

    for (size_t i = 0; i < m->p->count && !any; i++) {
        any = m->p->number[i] != m->seed && admitted(m, m->p->number[i]);
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

static kn_status gather_errors(merging *m, kn_error *err)
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

/* UL of clusters a and b (NONE: of a alone), summed over their records. */
static kn_status try_t(merging *m, unsigned worker, uint32_t a, uint32_t b, double *ul,
                       kn_error *err)
{
    const uint32_t *size = m->p->c->size;
    uint32_t *records = m->records[worker];
    size_t count = size[a];
    kn_part_map map = {0};
    kn_status status;

    kn_rt_parts_records(m->p, a, records);
    if (b != NONE) {
        kn_rt_parts_records(m->p, b, records + count);
        count += size[b];
        kn_sort_u32(records, count);
    }
    status = kn_transact_run(m->task->t, worker, records, count, &map, err);
    *ul = map.ul;
    kn_part_map_clear(&map);
    return status;
}

static void try_all(void *user, unsigned worker, size_t begin, size_t end)
{
    merging *m = user;

    for (size_t i = begin; i < end && m->errors[worker].status == KN_OK; i++) {
        const uint32_t b = m->p->number[i];
        if (b != m->seed) {
            (void)try_t(m, worker, m->seed, b, &m->tum[b], &m->errors[worker]);
            m->tum[b] /= (double)(m->p->c->size[m->seed] + m->p->c->size[b]);
        }
    }
}

static void lose_all(void *user, unsigned worker, size_t begin, size_t end)
{
    merging *m = user;

    for (size_t i = begin; i < end && m->errors[worker].status == KN_OK; i++) {
        const uint32_t a = m->p->number[i];
        (void)try_t(m, worker, a, NONE, &m->ul[a], &m->errors[worker]);
    }
}

/* ---- loops ---- */

/* Merge the seed as the strategy says; `*merged` is false when there is nobody. */
static kn_status merge_one(merging *m, bool *merged, kn_error *err)
{
    const kn_merge how = m->task->how;
    ranked other = {0, NONE};
    kn_status status = KN_OK;

    *merged = false;
    if (m->p->count < 2) {
        return KN_OK;
    }
    m->seed = find_seed(m->p);
    kn_parallel_for(threads_for(m, m->p->count), m->p->count, GRAIN, price, m);
    if (how != KN_MERGE_R && m->task->exact) {
        kn_parallel_for(m->threads, m->p->count, 1, try_all, m);
        status = gather_errors(m, err);
    }
    if (status == KN_OK) {
        other = how == KN_MERGE_R ? choose_r(m) : how == KN_MERGE_T ? choose_t(m) : choose_rt(m);
    }
    if (status == KN_OK && other.number != NONE) {
        status = kn_rt_parts_merge(m->p, m->seed, other.number, other.value, err);
        *merged = status == KN_OK;
    }
    return status;
}

kn_status kn_rt_merge_feasible(const kn_rt_merge *task, kn_error *err)
{
    merging m;
    kn_status status = merging_init(&m, task, err);

    m.limit = UINT64_MAX;
    for (size_t i = 0; i < m.p->count && status == KN_OK; i++) {
        const uint32_t a = m.p->number[i];
        for (;;) {
            ranked other;
            kn_rt_parts_records(m.p, a, m.records[0]);
            if (kn_transact_feasible(task->t, 0, m.records[0], m.p->c->size[a])) {
                break;
            }
            if (m.p->count == 1) {
                double ul;
                status = try_t(&m, 0, a, NONE, &ul, err); /* says why */
                kn_error_prefix(err, "not even all records as one class satisfy the guarantee: ask "
                                     "for a smaller k, l or m");
                break;
            }
            m.seed = a;
            kn_parallel_for(threads_for(&m, m.p->count), m.p->count, GRAIN, price, &m);
            other = choose_r(&m);
            i -= other.number < a; /* those after it have moved up */
            status = kn_rt_parts_merge(m.p, a, other.number, -1, err);
            if (status == KN_OK && m.p->merges % STEPS == 0) {
                status = kn_run_step(task->run, "merging", 0, err);
            }
            if (status != KN_OK) {
                break;
            }
        }
    }
    merging_clear(&m);
    return status;
}

static void start_btd(merging *m)
{
    if (m->task->how != KN_MERGE_R && !m->task->exact) {
        kn_rt_parts_measure(m->p, m->threads);
    }
}

kn_status kn_rt_merge_within_rum(const kn_rt_merge *task, uint64_t limit, kn_error *err)
{
    const double first = (double)task->parts->sum;
    bool merged = true;
    merging m;
    kn_status status = merging_init(&m, task, err);

    m.limit = limit;
    if (status == KN_OK) {
        start_btd(&m);
    }
    while (status == KN_OK && merged) {
        status = merge_one(&m, &merged, err);
        if (status == KN_OK && (task->exact || m.p->merges % STEPS == 0)) {
            status = kn_run_step(task->run, "merging",
                                 ((double)m.p->sum - first) / ((double)limit - first + 1), err);
        }
    }
    merging_clear(&m);
    return status;
}

/* In the order of the clusters: the same sum whatever was merged when. */
static double sum_ul(const merging *m)
{
    double sum = 0;

    for (size_t i = 0; i < m->p->count; i++) {
        sum += m->ul[m->p->number[i]];
    }
    return sum;
}

kn_status kn_rt_merge_to_tum(const kn_rt_merge *task, double limit, double *reached, kn_error *err)
{
    const size_t first = task->parts->count;
    bool merged = true;
    double now = 0;
    merging m;
    kn_status status = merging_init(&m, task, err);

    m.limit = UINT64_MAX;
    *reached = INFINITY;
    if (status == KN_OK) {
        kn_parallel_for(m.threads, m.p->count, 1, lose_all, &m);
        status = gather_errors(&m, err);
    }
    if (status == KN_OK) {
        start_btd(&m);
        *reached = sum_ul(&m);
    }
    while (status == KN_OK && *reached > limit && merged) {
        status = merge_one(&m, &merged, err);
        if (status == KN_OK && merged) {
            status = try_t(&m, 0, m.seed, NONE, &m.ul[m.seed], err);
            now = sum_ul(&m);
            *reached = now < *reached ? now : *reached;
        }
        if (status == KN_OK && (task->exact || m.p->merges % STEPS == 0)) {
            status = kn_run_step(task->run, "merging", 1 - (double)m.p->count / (double)first, err);
        }
    }
    merging_clear(&m);
    return status;
}
