/* local_refine.c - lowering the cost of groups step by step, each step keeping the guarantee.
 *
 * Three steps, round after round until they gain little: a group is split in two along a
 * quasi-identifier; a group is dissolved, its tuples placed in others; a tuple moves to another
 * group, or, within the limit, is left out. Where a tuple would go is searched among all groups,
 * for many tuples at once on all threads against the groups as they stand; then the proposals are
 * looked at one by one, at the prices of the moment. Batches have a fixed size, so threads change
 * nothing but the time. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "methods/table/local.h"

#include <math.h>

enum {
    BATCH = 512,           /* tuples whose places are searched at once */
    LARGEST_MOVE = 128,    /* tuples in a group whose members are tried for a move */
    LARGEST_SPLIT = 65536, /* tuples in a group that is tried for a split */
    MOST_ROUNDS = 1000
};

#define ROUNDS_PER_EFFORT 3
#define LEAST_GAIN        1e-9 /* of a step, in records */
#define LEAST_PROGRESS    2e-3 /* of a round, as a share */

typedef struct proposal {
    uint32_t tuple, from, to; /* to: KN_NO_CODE when there is none */
    double price;             /* before the search: what it may cost at most */
} proposal;

typedef struct refinement {
    kn_groups *g;
    unsigned threads;
    const kn_run *run;
    struct view *views; /* [worker * qis + q] */
    proposal *proposals;
    size_t count, cap;
    double evaluations;
    kn_error *err;
} refinement;

/* ---- where would a tuple go? ---- */

/* A tuple as the inner loop wants it: one look-up a quasi-identifier. */
typedef struct view {
    const float *
        with; /* by node: the weighted loss of the common ancestor with the tuple; NULL: no table */
    const double *place; /* by code; NULL: a tree */
    const kn_domain *domain;
    uint32_t code, start;
    double weight;
} view;

static void view_of(const kn_costs *c, const uint32_t *tuple, view *v)
{
    for (size_t q = 0; q < c->qis; q++) {
        const kn_domain *d = c->task->domain[q];
        v[q] = (view){
            .place = c->place[q], .domain = d, .code = tuple[q], .weight = c->task->weight[q]};
        if (!c->place[q]) {
            v[q].start = d->start[tuple[q]];
            v[q].with = c->with[q] ? c->with[q] + (size_t)v[q].start * d->nodes : NULL;
        }
    }
}

static double cell_with(const view *v, kn_value_span span)
{
    uint32_t low = span.low, high = span.high;
    double width;

    if (v->with) {
        return v->with[low];
    }
    if (!v->place) {
        return v->weight * v->domain->loss[kn__domain_lca(v->domain, low, v->start)];
    }
    low = v->code < low ? v->code : low;
    high = v->code > high ? v->code : high;
    width = v->place[high] - v->place[low];
    return v->weight * (width > 1 ? 1 : width);
}

/* The group where the tuple costs least, if that is less than p->price. A group is given up as soon
 * as it is too dear, which is soon: most are far away. */
static void search(const kn_groups *g, proposal *p, view *v)
{
    const size_t qis = g->costs->qis;
    const double more = g->tuples->size[p->tuple];

    view_of(g->costs, kn__tuple(g->tuples, p->tuple), v);
    for (uint32_t i = 0; i < g->count; i++) {
        const kn_group *group = &g->group[i];
        const kn_value_span *span = g->span + (size_t)i * qis;
        const double size = group->size + more;
        const double most = p->price + group->size * group->cost;
        double cost = 0;
        size_t q = 0;
        if (group->size == 0 || i == p->from) {
            continue;
        }
        for (; q < qis && size * cost < most; q++) {
            cost += cell_with(&v[q], span[q]);
        }
        if (q == qis && size * cost < most) {
            p->to = i;
            p->price = size * cost - group->size * group->cost;
        }
    }
}

static void search_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    refinement *r = user;

    for (size_t i = begin; i < end; i++) {
        search(r->g, &r->proposals[i], r->views + worker * r->g->costs->qis);
    }
}

static kn_status search_all(refinement *r)
{
    kn__parallel_for(r->threads, r->count, 16, search_slice, r);
    r->evaluations -= (double)r->count * r->g->count;
    return kn__run_step(r->run, "refine", -1, r->err);
}

static kn_status propose(refinement *r, uint32_t tuple, uint32_t from, double most)
{
    KN_PASS(kn__grow(&r->proposals, &r->cap, r->count + 1, sizeof *r->proposals, r->err));
    r->proposals[r->count++] = (proposal){tuple, from, KN_NO_CODE, most};
    return KN_OK;
}

/* ---- dissolving a group ---- */

static void undo(kn_groups *g, const proposal *p, size_t placed)
{
    while (placed-- > 0) {
        g->group[p[placed].to].len--;
        kn__groups_recompute(g, p[placed].to);
    }
}

/* Place all tuples of a group as proposed, if that is cheaper than the group. */
static kn_status dissolve(refinement *r, const proposal *p, size_t count)
{
    kn_groups *g = r->g;
    kn_group *group = &g->group[p->from];
    const double worth = group->size * group->cost;
    double spent = 0;
    kn_status status = KN_OK;

    if (group->size == 0 || group->len != count) {
        return KN_OK; /* it changed since it was looked at */
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t to = p[i].to;
        bool fits = to != KN_NO_CODE && g->group[to].size > 0;
        if (fits) {
            spent += kn__groups_price(g, to, p[i].tuple);
            fits = spent < worth - LEAST_GAIN &&
                   (kn__judge_grows(g->judge) ||
                    kn__groups_holds(g, g->group[to].tuples, g->group[to].len, p[i].tuple));
        }
        if (fits) {
            status = kn__groups_put(g, to, p[i].tuple, r->err);
        }
        if (!fits || status != KN_OK) {
            undo(g, p, i);
            return status;
        }
    }
    group->len = 0;
    kn__groups_recompute(g, p->from);
    return KN_OK;
}

static kn_status dissolve_batch(refinement *r)
{
    kn_status status;

    KN_TRY(search_all(r));
    for (size_t i = 0, end; i < r->count; i = end) {
        for (end = i + 1; end < r->count && r->proposals[end].from == r->proposals[i].from; end++) {
        }
        KN_TRY(dissolve(r, &r->proposals[i], end - i));
    }
done:
    r->count = 0;
    return status;
}

static kn_status dissolve_all(refinement *r)
{
    kn_groups *g = r->g;
    kn_ranked *order = kn__malloc_array(g->count, sizeof *order);
    size_t count = 0;
    kn_status status = KN_OK;

    if (!order) {
        return kn__nomem(r->err);
    }
    for (uint32_t i = 0; i < g->count; i++) {
        if (g->group[i].size && g->group[i].cost > 0 && g->group[i].len <= BATCH) {
            order[count++] = (kn_ranked){g->group[i].cost, i};
        }
    }
    kn__sort_ranked_down(order, count);
    for (size_t i = 0; i < count && r->evaluations > 0; i++) {
        const uint32_t from = order[i].id;
        const double worth = g->group[from].size * g->group[from].cost;
        for (uint32_t j = 0; j < g->group[from].len; j++) {
            KN_TRY(propose(r, g->group[from].tuples[j], from, worth));
        }
        if (r->count >= BATCH || i + 1 == count) {
            KN_TRY(dissolve_batch(r));
        }
    }
done:
    r->count = 0;
    kn__free(order);
    return status;
}

/* ---- moving a tuple ---- */

/* What the group saves when the tuple at place `i` leaves; 0 when it cannot. */
static double gain_of_leaving(kn_groups *g, uint32_t number, uint32_t i, kn_value_span *span)
{
    const kn_group *group = &g->group[number];
    const uint32_t size = g->tuples->size[group->tuples[i]];
    bool first = true;

    if (group->len < 2 || group->size - size < g->least) {
        return 0;
    }
    for (uint32_t j = 0; j < group->len; j++) {
        const uint32_t *tuple = kn__tuple(g->tuples, group->tuples[j]);
        if (j == i) {
            continue;
        }
        if (first) {
            kn__span_of_tuple(g->costs, tuple, span);
            first = false;
        } else {
            kn__span_extend(g->costs, span, tuple);
        }
    }
    return group->size * group->cost - (double)(group->size - size) * kn__span_cost(g->costs, span);
}

/* Whether the groups still hold after the move; k-anonymity is a matter of sizes, already seen. */
static bool move_holds(kn_groups *g, const proposal *p, uint32_t i, bool suppress)
{
    kn_group *from = &g->group[p->from];
    uint32_t last;
    bool holds;

    if (kn__judge_size_only(g->judge)) {
        return true;
    }
    last = from->tuples[from->len - 1];
    from->tuples[from->len - 1] = from->tuples[i];
    from->tuples[i] = last;
    holds = kn__groups_holds(g, from->tuples, from->len - 1, KN_NO_CODE) &&
            (suppress ||
             kn__groups_holds(g, g->group[p->to].tuples, g->group[p->to].len, p->tuple));
    from->tuples[i] = from->tuples[from->len - 1];
    from->tuples[from->len - 1] = last;
    return holds;
}

/* Move the tuple as proposed, or leave it out where that is allowed and saves more: a suppressed
 * record costs 1. */
static kn_status move(refinement *r, const proposal *p, kn_value_span *span)
{
    kn_groups *g = r->g;
    const kn_group *from = &g->group[p->from];
    const uint32_t size = g->tuples->size[p->tuple];
    const bool fits = p->to != KN_NO_CODE && g->group[p->to].size > 0;
    const double price = fits ? kn__groups_price(g, p->to, p->tuple) : INFINITY;
    const bool suppress = size <= g->may_suppress && size < price;
    uint32_t i = 0;

    while (i < from->len && from->tuples[i] != p->tuple) {
        i++;
    }
    if (i == from->len || (!fits && !suppress) ||
        (suppress ? size : price) >= gain_of_leaving(g, p->from, i, span) - LEAST_GAIN ||
        !move_holds(g, p, i, suppress)) {
        return KN_OK;
    }
    if (suppress) {
        g->may_suppress -= size;
    } else {
        KN_PASS(kn__groups_put(g, p->to, p->tuple, r->err));
    }
    kn__groups_take(g, p->from, i);
    return KN_OK;
}

static kn_status move_batch(refinement *r, kn_value_span *span)
{
    kn_status status;

    KN_TRY(search_all(r));
    for (size_t i = 0; i < r->count; i++) {
        KN_TRY(move(r, &r->proposals[i], span));
    }
done:
    r->count = 0;
    return status;
}

static kn_status move_all(refinement *r)
{
    kn_groups *g = r->g;
    const uint32_t groups = g->count;
    kn_value_span *span = kn__malloc_array(g->costs->qis, sizeof *span);
    kn_status status;

    KN_TRY(span ? KN_OK : kn__nomem(r->err));
    for (uint32_t i = 0; i < groups && r->evaluations > 0; i++) {
        const kn_group *group = &g->group[i];
        for (uint32_t j = 0; group->len <= LARGEST_MOVE && j < group->len; j++) {
            const double gain = gain_of_leaving(g, i, j, span);
            if (gain > LEAST_GAIN) {
                KN_TRY(propose(r, group->tuples[j], i, gain));
            }
        }
        if ((r->count >= BATCH || i + 1 == groups)) {
            KN_TRY(move_batch(r, span));
        }
    }
done:
    r->count = 0;
    kn__free(span);
    return status;
}

/* ---- splitting a group ---- */

typedef struct splitting {
    kn_groups *g;
    kn_ranked *sorted; /* (place, tuple) */
    double *after;     /* by place: what the tuples from here on cost */
    uint32_t *after_size;
    uint32_t *tuples;
    kn_value_span *span;
} splitting;

/* Extend s->span by the tuple at place `i`, or start with it. */
static void extend(splitting *s, uint32_t i, bool first)
{
    const uint32_t *tuple = kn__tuple(s->g->tuples, s->sorted[i].id);

    if (first) {
        kn__span_of_tuple(s->g->costs, tuple, s->span);
    } else {
        kn__span_extend(s->g->costs, s->span, tuple);
    }
}

/* The best place to cut the group along quasi-identifier `q`: 0 when no cut saves anything. Leaves
 * the tuples sorted. */
static uint32_t best_cut(splitting *s, const kn_group *group, size_t q, double *cost)
{
    kn_groups *g = s->g;
    const uint32_t *order = g->costs->task->domain[q]->order;
    uint32_t best = 0, size = 0;

    for (uint32_t i = 0; i < group->len; i++) {
        s->sorted[i] = (kn_ranked){order[kn__tuple(g->tuples, group->tuples[i])[q]],
                                   group->tuples[i]};
    }
    kn__sort_ranked(s->sorted, group->len);
    for (uint32_t i = group->len; i-- > 0;) {
        extend(s, i, i + 1 == group->len);
        size += g->tuples->size[s->sorted[i].id];
        s->after_size[i] = size;
        s->after[i] = size * kn__span_cost(g->costs, s->span);
    }
    size = 0;
    for (uint32_t i = 1; i < group->len; i++) {
        double both;
        extend(s, i - 1, i == 1);
        size += g->tuples->size[s->sorted[i - 1].id];
        if (size < g->least || s->after_size[i] < g->least) {
            continue;
        }
        both = size * kn__span_cost(g->costs, s->span) + s->after[i];
        if (both < *cost - LEAST_GAIN) {
            *cost = both;
            best = i;
        }
    }
    return best;
}

/* Split group `number` where that saves most. */
static kn_status split(splitting *s, uint32_t number, bool *done, kn_error *err)
{
    kn_groups *g = s->g;
    kn_group *group = &g->group[number];
    const uint32_t len = group->len;
    double cost = group->size * group->cost;
    uint32_t cut = 0, made;

    *done = false;
    for (size_t q = 0; q < g->costs->qis; q++) {
        const uint32_t found = best_cut(s, group, q, &cost);
        for (uint32_t i = 0; found && i < len; i++) {
            s->tuples[i] = s->sorted[i].id;
        }
        cut = found ? found : cut;
    }
    if (cut == 0 || !kn__groups_holds(g, s->tuples, cut, KN_NO_CODE) ||
        !kn__groups_holds(g, s->tuples + cut, len - cut, KN_NO_CODE)) {
        return KN_OK;
    }
    KN_PASS(kn__groups_add(g, &made, err));
    for (uint32_t i = cut; i < len; i++) {
        KN_PASS(kn__groups_put(g, made, s->tuples[i], err));
    }
    group = &g->group[number];
    for (uint32_t i = 0; i < cut; i++) {
        group->tuples[i] = s->tuples[i];
    }
    group->len = cut;
    kn__groups_recompute(g, number);
    *done = true;
    return KN_OK;
}

static kn_status split_all(refinement *r)
{
    kn_groups *g = r->g;
    splitting s = {.g = g};
    uint32_t most = 1;
    kn_status status = KN_OK;

    for (uint32_t i = 0; i < g->count; i++) {
        const uint32_t len = g->group[i].len;
        most = len > most && len <= LARGEST_SPLIT ? len : most;
    }
    s.sorted = kn__malloc_array(most, sizeof *s.sorted);
    s.after = kn__malloc_array(most, sizeof *s.after);
    s.after_size = kn__malloc_array(most, sizeof *s.after_size);
    s.tuples = kn__malloc_array(most, sizeof *s.tuples);
    s.span = kn__malloc_array(g->costs->qis, sizeof *s.span);
    KN_TRY(s.sorted && s.after && s.after_size && s.tuples && s.span ? KN_OK : kn__nomem(r->err));
    /* New groups are appended, so they are looked at too. */
    for (uint32_t i = 0; i < g->count; i++) {
        bool done = true;
        while (done && g->group[i].len > 1 && g->group[i].len <= most &&
               g->group[i].size >= 2 * g->least && g->group[i].cost > 0) {
            KN_TRY(split(&s, i, &done, r->err));
        }
    }
done:
    kn__free(s.sorted);
    kn__free(s.after);
    kn__free(s.after_size);
    kn__free(s.tuples);
    kn__free(s.span);
    return status;
}

kn_status kn__local_refine(kn_groups *g, double effort, double work, unsigned threads,
                           const kn_run *run, kn_error *err)
{
    refinement r = {.g = g, .threads = threads, .run = run, .evaluations = work, .err = err};
    const unsigned rounds = (unsigned)fmin(ceil(effort * ROUNDS_PER_EFFORT), (double)MOST_ROUNDS);
    double before = kn__groups_cost(g), after = before;
    kn_status status = KN_OK;

    r.views = kn__malloc_array(threads * g->costs->qis, sizeof *r.views);
    if (!r.views) {
        return kn__nomem(err);
    }

    for (unsigned i = 0; i < rounds && r.evaluations > 0; i++) {
        before = after;
        KN_TRY(split_all(&r));
        KN_TRY(dissolve_all(&r));
        KN_TRY(move_all(&r));
        after = kn__groups_cost(g);
        if (before - after <= LEAST_PROGRESS * before) {
            break;
        }
    }
done:
    kn__free(r.views);
    kn__free(r.proposals);
    return !status && g->failed ? kn__nomem(err) : status;
}
