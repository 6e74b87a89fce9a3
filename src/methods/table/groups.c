/* groups.c - groups of tuples (equivalence classes under construction) and their costs. */
#include "methods/table/groups.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

kn_status kn__lca_table(uint16_t **out, const kn_domain *d, kn_error *err)
{
    const uint32_t nodes = d->nodes;

    *out = NULL;
    if (nodes > KN_LCA_TABLE_MOST) {
        return KN_OK;
    }
    *out = kn__malloc_array((size_t)nodes * nodes, sizeof **out);
    for (uint32_t a = 0; *out && a < nodes; a++) {
        for (uint32_t b = 0; b < nodes; b++) {
            (*out)[(size_t)a * nodes + b] = (uint16_t)kn__domain_lca(d, a, b);
        }
    }
    return *out ? KN_OK : kn__nomem(err);
}

void kn__costs_free(kn_costs *c)
{
    if (!c) {
        return;
    }
    for (size_t q = 0; q < c->qis; q++) {
        if (c->lca) {
            kn__free(c->lca[q]);
        }
        if (c->with) {
            kn__free(c->with[q]);
        }
        if (c->place) {
            kn__free(c->place[q]);
        }
        if (c->as_read) {
            kn__free(c->as_read[q]);
        }
    }
    KN_FREE(c->lca, c->with, c->place, c->as_read, c);
}

static kn_status tabulate(kn_costs *c, size_t q, kn_error *err)
{
    const kn_domain *d = c->task->domain[q];
    const uint32_t first = 0;
    kn_status status;

    if (d->kind != KN_DOMAIN_TREE) {
        c->place[q] = kn__malloc_array(d->values, sizeof **c->place);
        for (uint32_t code = 0; c->place[q] && code < d->values; code++) {
            c->place[q][code] = code == d->column->missing ? 3 : kn__domain_span(d, first, code);
        }
        c->exact = c->exact && d->kind != KN_DOMAIN_SET;
        return c->place[q] ? KN_OK : kn__nomem(err);
    }
    c->as_read[q] = kn__malloc_array(d->nodes, sizeof **c->as_read);
    for (uint32_t node = 0; c->as_read[q] && node < d->nodes; node++) {
        const uint32_t read = kn__domain_as_read(d, node);
        c->as_read[q][node] = d->loss[read];
        c->exact = c->exact && d->loss[read] == d->loss[node];
    }
    KN_PASS(c->as_read[q] ? KN_OK : kn__nomem(err));
    status = kn__lca_table(&c->lca[q], d, err);
    if (status != KN_OK || !c->lca[q]) {
        return status;
    }
    c->with[q] = kn__malloc_array((size_t)d->nodes * d->nodes, sizeof **c->with);
    for (size_t i = 0; c->with[q] && i < (size_t)d->nodes * d->nodes; i++) {
        c->with[q][i] = (float)(c->task->weight[q] * d->loss[c->lca[q][i]]);
    }
    return c->with[q] ? KN_OK : kn__nomem(err);
}

kn_status kn__costs_new(kn_costs **out, const kn_task *task, kn_error *err)
{
    kn_costs *c = kn__zalloc(sizeof *c);
    kn_status status = KN_OK;

    *out = NULL;
    if (!c) {
        return kn__nomem(err);
    }
    c->task = task;
    c->qis = task->qis;
    c->lca = kn__zalloc_array(task->qis, sizeof *c->lca);
    c->with = kn__zalloc_array(task->qis, sizeof *c->with);
    c->place = kn__zalloc_array(task->qis, sizeof *c->place);
    c->as_read = kn__zalloc_array(task->qis, sizeof *c->as_read);
    c->exact = true;
    KN_TRY(c->lca && c->with && c->place && c->as_read ? KN_OK : kn__nomem(err));
    for (size_t q = 0; q < task->qis; q++) {
        KN_TRY(tabulate(c, q, err));
    }
done:
    if (status != KN_OK) {
        kn__costs_free(c);
        return status;
    }
    *out = c;
    return KN_OK;
}

static uint32_t common(const kn_costs *c, size_t q, uint32_t node, uint32_t code)
{
    const kn_domain *d = c->task->domain[q];
    const uint32_t start = d->start[code];

    return c->lca[q] ? c->lca[q][(size_t)node * d->nodes + start] : kn__domain_lca(d, node, start);
}

void kn__span_of_tuple(const kn_costs *c, const uint32_t *tuple, kn_value_span *out)
{
    for (size_t q = 0; q < c->qis; q++) {
        const kn_domain *d = c->task->domain[q];
        out[q].low = d->kind == KN_DOMAIN_TREE ? d->start[tuple[q]] : tuple[q];
        out[q].high = tuple[q];
    }
}

void kn__span_extend(const kn_costs *c, kn_value_span *span, const uint32_t *tuple)
{
    for (size_t q = 0; q < c->qis; q++) {
        if (!c->place[q]) {
            span[q].low = common(c, q, span[q].low, tuple[q]);
        } else {
            span[q].low = tuple[q] < span[q].low ? tuple[q] : span[q].low;
            span[q].high = tuple[q] > span[q].high ? tuple[q] : span[q].high;
        }
    }
}

static double between(const double *place, uint32_t low, uint32_t high)
{
    const double width = place[high] - place[low];

    return width > 1 ? 1 : width;
}

double kn__span_cost(const kn_costs *c, const kn_value_span *span)
{
    double sum = 0;

    for (size_t q = 0; q < c->qis; q++) {
        sum += c->task->weight[q] * (c->place[q] ? between(c->place[q], span[q].low, span[q].high)
                                                 : c->task->domain[q]->loss[span[q].low]);
    }
    return sum;
}

/* The cost of `span` extended by `tuple`. The inner loop of the refinement. */
static double span_cost_with(const kn_costs *c, const kn_value_span *span, const uint32_t *tuple)
{
    double sum = 0;

    for (size_t q = 0; q < c->qis; q++) {
        if (c->place[q]) {
            sum += c->task->weight[q] * between(c->place[q],
                                                tuple[q] < span[q].low ? tuple[q] : span[q].low,
                                                tuple[q] > span[q].high ? tuple[q] : span[q].high);
        } else {
            sum += c->task->weight[q] *
                   c->task->domain[q]->loss[common(c, q, span[q].low, tuple[q])];
        }
    }
    return sum;
}

kn_status kn__groups_new(kn_groups **out, const kn_costs *costs, const kn_tuples *tuples,
                         const kn_judge *judge, kn_error *err)
{
    kn_groups *g = kn__zalloc(sizeof *g);
    kn_status status = KN_OK;

    *out = NULL;
    KN_PASS(g ? KN_OK : kn__nomem(err));
    g->costs = costs;
    g->tuples = tuples;
    g->judge = judge;
    g->least = kn__judge_least(judge);
    status = kn__judge_scratch_new(&g->scratch, judge, err);
    if (status != KN_OK) {
        kn__groups_free(g);
        return status;
    }
    *out = g;
    return KN_OK;
}

void kn__groups_free(kn_groups *g)
{
    if (!g) {
        return;
    }
    for (uint32_t i = 0; i < g->count; i++) {
        kn__free(g->group[i].tuples);
    }
    kn__judge_scratch_free(g->scratch);
    KN_FREE(g->group, g->span, g->records, g);
}

kn_status kn__groups_add(kn_groups *g, uint32_t *number, kn_error *err)
{
    const size_t more = g->cap ? 2 * g->cap : 16;
    size_t spans = g->cap * g->costs->qis, cap = g->cap;

    if (g->count == g->cap) {
        KN_PASS(kn__grow(&g->span, &spans, more * g->costs->qis, sizeof *g->span, err));
        KN_PASS(kn__grow(&g->group, &cap, more, sizeof *g->group, err));
        g->cap = spans / g->costs->qis < cap ? spans / g->costs->qis : cap;
    }
    *number = g->count;
    g->group[g->count++] = (kn_group){0};
    return KN_OK;
}

kn_status kn__groups_put(kn_groups *g, uint32_t number, uint32_t t, kn_error *err)
{
    kn_group *group = &g->group[number];
    kn_value_span *span = g->span + (size_t)number * g->costs->qis;
    size_t cap = group->cap;

    KN_PASS(kn__grow(&group->tuples, &cap, (size_t)group->len + 1, sizeof *group->tuples, err));
    group->cap = (uint32_t)cap;
    if (group->len == 0) {
        kn__span_of_tuple(g->costs, kn__tuple(g->tuples, t), span);
    } else {
        kn__span_extend(g->costs, span, kn__tuple(g->tuples, t));
    }
    group->tuples[group->len++] = t;
    group->size += g->tuples->size[t];
    group->cost = kn__span_cost(g->costs, span);
    return KN_OK;
}

void kn__groups_recompute(kn_groups *g, uint32_t number)
{
    kn_group *group = &g->group[number];
    kn_value_span *span = g->span + (size_t)number * g->costs->qis;

    group->size = 0;
    group->cost = 0;
    for (uint32_t i = 0; i < group->len; i++) {
        const uint32_t *tuple = kn__tuple(g->tuples, group->tuples[i]);
        group->size += g->tuples->size[group->tuples[i]];
        if (i == 0) {
            kn__span_of_tuple(g->costs, tuple, span);
        } else {
            kn__span_extend(g->costs, span, tuple);
        }
    }
    if (group->len) {
        group->cost = kn__span_cost(g->costs, span);
    }
}

void kn__groups_take(kn_groups *g, uint32_t number, uint32_t i)
{
    kn_group *group = &g->group[number];

    group->tuples[i] = group->tuples[--group->len];
    kn__groups_recompute(g, number);
}

double kn__groups_cost(const kn_groups *g)
{
    double sum = 0;

    for (uint32_t i = 0; i < g->count; i++) {
        sum += g->group[i].size * g->group[i].cost;
    }
    return sum;
}

/* How many values of quasi-identifier `q` are in the group. `seen`, by code, has `stamp` nowhere.
 */
static uint32_t distinct(const kn_groups *g, const kn_group *group, size_t q, uint32_t *seen,
                         uint32_t stamp)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < group->len; i++) {
        const uint32_t code = kn__tuple(g->tuples, group->tuples[i])[q];
        count += seen[code] != stamp;
        seen[code] = stamp;
    }
    return count;
}

kn_status kn__groups_reported(const kn_groups *g, double *out, kn_error *err)
{
    const kn_costs *c = g->costs;
    uint32_t *seen = NULL;
    size_t most = 0;

    *out = kn__groups_cost(g);
    if (c->exact) {
        return KN_OK;
    }
    for (size_t q = 0; q < c->qis; q++) {
        most = c->task->domain[q]->values > most ? c->task->domain[q]->values : most;
    }
    seen = kn__malloc_array(most, sizeof *seen);
    KN_PASS(seen ? KN_OK : kn__nomem(err));
    *out = 0;
    for (size_t q = 0; q < c->qis; q++) {
        const kn_domain *d = c->task->domain[q];
        memset(seen, 0xff, most * sizeof *seen);
        for (uint32_t i = 0; i < g->count; i++) {
            const kn_value_span *span = g->span + (size_t)i * c->qis + q;
            double loss = 0;
            if (g->group[i].size == 0) {
                continue;
            }
            if (!c->place[q]) {
                loss = c->as_read[q][span->low];
            } else if (d->kind != KN_DOMAIN_SET || span->high == d->column->missing) {
                loss = between(c->place[q], span->low, span->high);
            } else if (span->low != span->high) {
                loss = (distinct(g, &g->group[i], q, seen, i) - 1) / (d->total - 1);
            }
            *out += c->task->weight[q] * loss * g->group[i].size;
        }
    }
    kn__free(seen);
    return KN_OK;
}

double kn__groups_price(const kn_groups *g, uint32_t number, uint32_t t)
{
    const kn_group *group = &g->group[number];
    const double with = span_cost_with(g->costs, g->span + (size_t)number * g->costs->qis,
                                       kn__tuple(g->tuples, t));

    return ((double)group->size + g->tuples->size[t]) * with - group->size * group->cost;
}

bool kn__groups_holds(kn_groups *g, const uint32_t *tuples, uint32_t len, uint32_t more)
{
    const kn_tuples *t = g->tuples;
    size_t size = more == KN_NO_CODE ? 0 : t->size[more], at = 0;

    for (uint32_t i = 0; i < len; i++) {
        size += t->size[tuples[i]];
    }
    if (size < g->least || kn__judge_size_only(g->judge)) {
        return size >= g->least;
    }
    if (kn__grow(&g->records, &g->records_cap, size, sizeof *g->records, NULL) != KN_OK) {
        g->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < len + (more != KN_NO_CODE); i++) {
        const uint32_t tuple = i < len ? tuples[i] : more;
        memcpy(g->records + at, t->members + t->begin[tuple], t->size[tuple] * sizeof *g->records);
        at += t->size[tuple];
    }
    return kn__judge_class(g->judge, g->scratch, g->records, at);
}
