/* merge.c - which clusters are merged, and when that ends.
 *
 * Which clusters Tum-bound merges does not depend on what T makes of them, but when it stops does.
 * A record with one item has a UL of 1 whatever that becomes (unless items have weights), and
 * others 0 at least: as long as that leaves the table above the bound T can wait, and then it works
 * on all threads. A cluster that is merged twice meanwhile is generalised once. */
#include "methods/mixed/merge.h"
#include "base/error.h"
#include "base/threads.h"
#include "methods/mixed/merge_state.h"

#include <math.h>
#include <string.h>

#define SLACK 1e-9 /* of UL, for sums in another order */

enum { STEPS = 64 }; /* merges between two words of progress */

/* ---- one step ---- */

static bool all_admitted(const kn__merging *m)
{
    bool all = true;

    for (size_t i = 0; i < m->p->count && all && m->limit != UINT64_MAX; i++) {
        all = m->p->number[i] == m->seed || kn__merging_within(m, m->p->number[i]);
    }
    return all;
}

/* Cluster a takes in b, which is the next step of the sequence if that is what is gone by. */
static kn_status make_step(kn__merging *m, uint32_t a, uint32_t b, double btd, kn_error *err)
{
    kn_sweep_cache *memo = m->task->memo;
    const bool fresh = m->on_course && m->at == memo->steps;
    kn_status status;

    KN_TRY(fresh ? kn__sweep_cache_reserve(memo, err) : KN_OK);
    KN_TRY(kn__growing_clusters_merge(m->p, a, b, btd, err));
    if (fresh) {
        memo->step[memo->steps++] = (kn_rt_step){a, b, btd, -1};
    }
done:
    m->at += m->on_course;
    return status;
}

/* The cluster that the seed takes in, as the strategy says; KN__NO_CLUSTER: none. */
static kn_status choose(kn__merging *m, kn_ranked *out, kn_error *err)
{
    const kn_sweep_cache *memo = m->task->memo;
    kn_ranked other = {0, KN__NO_CLUSTER};
    kn_status status = KN_OK;

    if (m->on_course && m->at < memo->steps) {
        const kn_rt_step *next = &memo->step[m->at];
        const kn_clusters *c = m->p->c;
        m->ncp[next->b] = kn__view_ncp_of_both(c->views, kn__clusters_view(c, m->seed),
                                               kn__clusters_view(c, next->b));
        m->on_course = kn__merging_admits(m, next->b);
        if (m->on_course) {
            other = (kn_ranked){next->btd, next->b};
        }
    }
    if (other.id == KN__NO_CLUSTER) {
        status = kn__merging_choose(m, &other, err);
        /* If every cluster was admitted, a run with a wider bound chooses the same; strategy r
         * admits all. */
        m->on_course = m->on_course && (m->task->how == KN_MERGE_R || all_admitted(m));
    }
    *out = other;
    return status;
}

/* Merge the seed as the strategy says; `*merged` is false when there is nothing to merge it with. A
 * cluster of which T makes nothing together with the seed is passed over. */
static kn_status merge_one(kn__merging *m, bool *merged, kn_error *err)
{
    kn_feasibility both = KN_FEASIBLE_AS_ONE;
    kn_ranked other;

    *merged = false;
    if (m->p->count < 2) {
        return KN_OK;
    }
    m->seed = kn__merging_seed(m->p);
    if (m->refused) {
        memset(m->refused, 0, m->p->c->count);
    }
    for (;;) {
        KN_PASS(choose(m, &other, err));
        if (other.id == KN__NO_CLUSTER) {
            return KN_OK;
        }
        if (!m->finer || !(m->finer[m->seed] || m->finer[other.id])) {
            break;
        }
        KN_PASS(kn__merging_feasible(m, m->seed, other.id, &both, err));
        if (both != KN_FEASIBLE_NOT) {
            break;
        }
        m->refused[other.id] = 1;
    }
    KN_PASS(make_step(m, m->seed, other.id, other.rank, err));
    if (m->finer) {
        m->finer[m->seed] = both == KN_FEASIBLE_FINER;
    }
    *merged = true;
    return KN_OK;
}

/* Which clusters have finer items only. */
static void start_finer(kn__merging *m)
{
    for (size_t i = 0; m->finer && i < m->p->count; i++) {
        const uint32_t a = m->p->number[i];
        kn__growing_clusters_records(m->p, a, m->records[0]);
        m->finer[a] = !kn__cluster_items_feasible_as_one(m->task->t, 0, m->records[0],
                                                         m->p->c->size[a]);
    }
}

/* ---- feasible clusters, and Rum ---- */

kn_status kn__rt_merge_feasible(const kn_rt_merge *task, kn_error *err)
{
    kn__merging m;
    kn_sweep_cache *memo = task->memo;
    kn_status status = kn__merging_init(&m, task, err);

    m.limit = UINT64_MAX;
    m.at = 0;
    if (status == KN_OK && !memo->feasible) {
        memo->steps = 0; /* those of a run that did not get here */
    }
    while (status == KN_OK && memo->feasible && m.at < memo->feasible_len) {
        const kn_rt_step *next = &memo->step[m.at];
        status = make_step(&m, next->a, next->b, -1, err);
    }
    for (size_t i = 0; i < m.p->count && status == KN_OK && !memo->feasible; i++) {
        const uint32_t a = m.p->number[i];
        for (;;) {
            kn_ranked other;
            kn_feasibility feasible;
            status = kn__merging_feasible(&m, a, KN__NO_CLUSTER, &feasible, err);
            if (status != KN_OK || feasible != KN_FEASIBLE_NOT) {
                break;
            }
            if (m.p->count == 1) {
                kn_part_map map;
                status = kn__merging_try(&m, 0, a, KN__NO_CLUSTER, &map, err); /* says why */
                kn__error_prefix(err, kn__cluster_items_hopeless(task->t, 0, m.records[0],
                                                                 m.p->c->size[a])
                                          ? "not even all records as one class satisfy the "
                                            "guarantee: ask for a smaller k, l or m"
                                          : "nothing was found that satisfies the guarantee, even "
                                            "for all records as one class: ask for a smaller k, l "
                                            "or m");
                break;
            }
            m.seed = a;
            kn__merging_price(&m);
            other = kn__merging_nearest(&m);
            i -= other.id < a; /* those after it have moved up */
            status = make_step(&m, a, other.id, -1, err);
            if (status == KN_OK && m.p->merges % STEPS == 0) {
                status = kn__run_step(task->run, "merging", 0, err);
            }
            if (status != KN_OK) {
                break;
            }
        }
    }
    if (status == KN_OK && !memo->feasible) {
        memo->feasible = true;
        memo->feasible_len = memo->steps;
    }
    kn__merging_clear(&m);
    return status;
}

static kn_status start_btd(kn__merging *m, kn_error *err)
{
    kn_sweep_cache *memo = m->task->memo;
    const size_t clusters = m->p->c->count;

    if (m->task->how == KN_MERGE_R || m->task->exact) {
        return KN_OK;
    }
    if (memo->btd) {
        memcpy(m->p->btd, memo->btd, clusters * sizeof *m->p->btd);
        return KN_OK;
    }
    kn__growing_clusters_measure(m->p, m->threads);
    return kn__sweep_cache_numbers(&memo->btd, m->p->btd, clusters, err);
}

kn_status kn__rt_merge_within_rum(const kn_rt_merge *task, uint64_t limit, kn_error *err)
{
    const double first = (double)task->parts->sum;
    bool merged = true;
    kn__merging m;
    kn_status status;

    KN_TRY(kn__merging_init(&m, task, err));
    m.limit = limit;
    start_finer(&m);
    KN_TRY(start_btd(&m, err));
    while (merged) {
        KN_TRY(merge_one(&m, &merged, err));
        if (task->exact || m.p->merges % STEPS == 0) {
            KN_TRY(kn__run_step(task->run, "merging",
                                ((double)m.p->sum - first) / ((double)limit - first + 1), err));
        }
    }
done:
    kn__merging_clear(&m);
    return status;
}

/* ---- clusters that are published alike ---- */

static kn_status joins(void *user, uint32_t a, uint32_t b, bool *out, kn_error *err)
{
    kn_feasibility both = KN_FEASIBLE_AS_ONE;
    const kn_status status = kn__merging_feasible(user, a, b, &both, err);

    *out = both != KN_FEASIBLE_NOT;
    return status;
}

kn_status kn__rt_merge_equals(const kn_rt_merge *task, kn_error *err)
{
    kn__merging m;
    kn_status status;

    KN_TRY(kn__merging_init(&m, task, err));
    KN_TRY(kn__growing_clusters_join_equals(m.p, m.finer ? joins : NULL, &m, err));
done:
    kn__merging_clear(&m);
    return status;
}

/* ---- Tum ---- */

static void lose(void *user, unsigned worker, size_t begin, size_t end)
{
    kn__merging *m = user;

    for (size_t i = begin; i < end && m->errors[worker].status == KN_OK; i++) {
        const uint32_t a = m->late[i];
        kn_part_map map;
        if (kn__merging_try(m, worker, a, KN__NO_CLUSTER, &map, &m->errors[worker]) != KN_OK) {
            return;
        }
        m->ul[a] = map.ul;
        if (m->made_by[a] == 0) {
            m->least[a] = map.least;
        }
        kn__part_map_clear(&m->task->map[a]);
        m->task->map[a] = map;
    }
}

/* Find out what was put off. */
static kn_status catch_up(kn__merging *m, kn_error *err)
{
    kn_status status;

    kn__parallel_for(m->threads, m->lates, 1, lose, m);
    KN_TRY(kn__merging_errors(m, err));
    for (size_t i = 0; i < m->lates; i++) {
        const uint32_t a = m->late[i];
        m->stale[a] = 0;
        if (m->made_by[a]) {
            m->task->memo->step[m->made_by[a] - 1].ul = m->ul[a];
        }
    }
done:
    m->lates = 0;
    return status;
}

/* UL of the table, or what it is at least where not all is known. In the order of the clusters:
 * the same sum whatever was merged when. */
static double sum_ul(const kn__merging *m)
{
    double sum = 0;

    for (size_t i = 0; i < m->p->count; i++) {
        const uint32_t a = m->p->number[i];
        sum += m->stale[a] ? m->least[a] : m->ul[a];
    }
    return sum;
}

static kn_status start_ul(kn__merging *m, kn_error *err)
{
    kn_sweep_cache *memo = m->task->memo;
    const size_t clusters = m->p->c->count;

    if (memo->ul) {
        memcpy(m->ul, memo->ul, clusters * sizeof *m->ul);
        memcpy(m->least, memo->least, clusters * sizeof *m->least);
        return KN_OK;
    }
    m->lates = m->p->count;
    memcpy(m->late, m->p->number, m->lates * sizeof *m->late);
    KN_PASS(catch_up(m, err));
    KN_PASS(kn__sweep_cache_numbers(&memo->least, m->least, clusters, err));
    return kn__sweep_cache_numbers(&memo->ul, m->ul, clusters, err);
}

/* Cluster a has taken in b, in the step before this one. */
static void put_off(kn__merging *m, uint32_t a, uint32_t b)
{
    const kn_rt_step *step = &m->task->memo->step[m->at - 1];

    m->least[a] += m->least[b];
    m->made_by[a] = m->at;
    for (size_t i = 0; i < m->lates;) {
        if (m->late[i] == a || m->late[i] == b) {
            m->stale[m->late[i]] = 0;
            m->late[i] = m->late[--m->lates];
        } else {
            i++;
        }
    }
    kn__part_map_clear(&m->task->map[a]);
    kn__part_map_clear(&m->task->map[b]);
    if (step->ul >= 0) {
        m->ul[a] = step->ul;
    } else {
        m->stale[a] = 1;
        m->late[m->lates++] = a;
    }
}

/* Let cluster a take in those that are published like it in the rest of the table, which costs
 * nothing there. Each is a step of the sequence. */
static kn_status take_equals(kn__merging *m, uint32_t a, kn_error *err)
{
    const kn_clusters *c = m->p->c;
    const size_t bytes = c->views->words * sizeof *c->view;

    for (size_t i = 0; i < m->p->count;) {
        const uint32_t b = m->p->number[i];
        kn_feasibility both = KN_FEASIBLE_AS_ONE;
        double btd = -1;
        i++;
        if (b == a || memcmp(kn__clusters_view(c, a), kn__clusters_view(c, b), bytes) != 0) {
            continue;
        }
        if (m->finer && (m->finer[a] || m->finer[b])) {
            KN_PASS(kn__merging_feasible(m, a, b, &both, err));
        }
        if (both == KN_FEASIBLE_NOT) {
            continue;
        }
        if (m->task->how != KN_MERGE_R && !m->task->exact) {
            btd = kn__rt_btd_of_both(m->p, a, b, INFINITY);
        }
        KN_PASS(make_step(m, a, b, btd, err));
        put_off(m, a, b);
        if (m->finer) {
            m->finer[a] = both == KN_FEASIBLE_FINER;
        }
        i--;
    }
    return KN_OK;
}

static kn_status take_all_equals(kn__merging *m, kn_error *err)
{
    for (size_t i = 0; i < m->p->count; i++) {
        KN_PASS(take_equals(m, m->p->number[i], err));
    }
    return KN_OK;
}

/* When merging to lower UL ends, and what it found. */
typedef struct tum_goal {
    double limit;      /* it ends when UL is at most this, */
    uint64_t most_rum; /* or the sum of Rum is above this: that step does not count */
    bool equals;       /* clusters that are published alike are merged at once */
    double reached;    /* the least UL so far; what is known before, or INFINITY */
    size_t steps;      /* steps of the memo after which it was reached first */
} tum_goal;

static void note_least(kn__merging *m, tum_goal *goal)
{
    if (sum_ul(m) < goal->reached) {
        goal->reached = sum_ul(m);
        goal->steps = m->at;
    }
}

/* Make the merges of the sequence without a bound (sweep_cache.h) until a goal is met. UL is
 * evaluated only where it may be a new least. */
static kn_status merge_to_tum(const kn_rt_merge *task, tum_goal *goal, kn_error *err)
{
    const size_t first = task->parts->count;
    const double slack = SLACK * (double)task->parts->known->records;
    bool merged = true;
    kn__merging m;
    kn_status status;

    KN_TRY(kn__merging_init(&m, task, err));
    m.limit = UINT64_MAX;
    start_finer(&m);
    KN_TRY(start_ul(&m, err));
    KN_TRY(start_btd(&m, err));
    if (goal->equals) {
        KN_TRY(take_all_equals(&m, err));
        KN_TRY(catch_up(&m, err));
    }
    note_least(&m, goal);
    while (goal->reached > goal->limit && merged) {
        const double most = goal->limit > 0 ? goal->limit : goal->reached;
        KN_TRY(merge_one(&m, &merged, err));
        if (m.p->sum > goal->most_rum) {
            break;
        }
        if (merged) {
            put_off(&m, m.seed, m.task->memo->step[m.at - 1].b);
        }
        if (merged && goal->equals) {
            KN_TRY(take_equals(&m, m.seed, err));
        }
        if (!merged || sum_ul(&m) <= most + slack) {
            KN_TRY(catch_up(&m, err));
            note_least(&m, goal);
        }
        if (task->exact || m.p->merges % STEPS == 0) {
            KN_TRY(kn__run_step(task->run, "merging", 1 - (double)m.p->count / (double)first, err));
        }
    }
done:
    kn__merging_clear(&m);
    return status;
}

kn_status kn__rt_merge_to_tum(const kn_rt_merge *task, double limit, double *reached, kn_error *err)
{
    tum_goal goal = {.limit = limit, .most_rum = UINT64_MAX, .reached = INFINITY};
    const kn_status status = merge_to_tum(task, &goal, err);

    *reached = goal.reached;
    return status;
}

kn_status kn__rt_merge_least_tum(const kn_rt_merge *task, double *reached, kn_error *err)
{
    tum_goal goal = {.limit = -1, .most_rum = UINT64_MAX, .reached = *reached};
    const kn_status status = merge_to_tum(task, &goal, err);

    *reached = goal.reached;
    return status;
}

kn_status kn__rt_merge_best_within_rum(const kn_rt_merge *task, uint64_t limit, size_t *steps,
                                       kn_error *err)
{
    tum_goal goal = {.limit = -1, .most_rum = limit, .equals = true, .reached = INFINITY};
    const kn_status status = merge_to_tum(task, &goal, err);

    *steps = goal.steps;
    return status;
}

kn_status kn__rt_merge_again(const kn_rt_merge *task, size_t steps, kn_error *err)
{
    for (size_t i = 0; i < steps; i++) {
        const kn_rt_step *step = &task->memo->step[i];
        KN_PASS(kn__growing_clusters_merge(task->parts, step->a, step->b, step->btd, err));
    }
    return KN_OK;
}
