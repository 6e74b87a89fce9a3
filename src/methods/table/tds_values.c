/* tds_values.c - the values of the cut of top-down specialisation, and the information gain of
 * specialising each: the fall of the entropy of the class, times the records. */
#include "methods/table/tds.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef kn_tds tds;
typedef kn_tds_value value;

kn_status kn__tds_find_label(tds *t, kn_error *err)
{
    const kn_status st = kn__task_class(t->task, &t->label, err);

    t->labels = st == KN_OK ? kn__column_values(t->label) : 0;
    return st;
}

kn_status kn__tds_lay_out(tds *t, size_t q, kn_error *err)
{
    const kn_task *task = t->task;
    const kn_domain *d = task->domain[q];
    const kn_tuples *tuples = t->tuples;
    size_t *starts;

    t->place[q] = kn__arena_take(&t->arena, d->values, sizeof **t->place);
    t->code_at[q] = kn__arena_take(&t->arena, d->values, sizeof **t->code_at);
    t->starts[q] = starts = kn__arena_zeros(&t->arena, (size_t)d->values + 2, sizeof *starts);
    t->label_of[q] = kn__arena_take(&t->arena, tuples->records, sizeof **t->label_of);
    t->child[q] = kn__arena_zeros(&t->arena, d->values, sizeof **t->child);
    if (t->arena.failed) {
        return kn__nomem(err);
    }
    for (uint32_t code = 0; code < d->values; code++) {
        t->place[q][code] = d->order[code];
        t->code_at[q][d->order[code]] = code;
    }
    for (uint32_t i = 0; i < tuples->count; i++) {
        starts[t->place[q][kn__tuple(tuples, i)[q]] + 2] += tuples->size[i];
    }
    for (uint32_t p = 0; p < d->values; p++) {
        starts[p + 2] += starts[p + 1];
    }
    for (uint32_t i = 0; i < tuples->count; i++) { /* starts[p + 1] moves to where p ends */
        size_t *at = &starts[t->place[q][kn__tuple(tuples, i)[q]] + 1];
        for (uint32_t j = tuples->begin[i]; j < tuples->begin[i + 1]; j++) {
            t->label_of[q][(*at)++] = kn__column_code(t->label, tuples->members[j]);
        }
    }
    return KN_OK;
}

/* -n log n summed over the labels: `total` times their entropy, but for total log total. */
static double weighted_entropy(const uint64_t *counts, uint32_t labels, uint64_t total)
{
    double sum = 0;

    for (uint32_t i = 0; i < labels; i++) {
        sum -= counts[i] ? (double)counts[i] * log2((double)counts[i]) : 0;
    }
    return total ? sum + (double)total * log2((double)total) : 0;
}

/* Add the labels of positions first..last to `counts`. */
static uint64_t count_labels(const tds *t, size_t q, uint32_t first, uint32_t last,
                             uint64_t *counts)
{
    const size_t begin = t->starts[q][first], end = t->starts[q][last + 1];

    for (size_t i = begin; i < end; i++) {
        counts[t->label_of[q][i]]++;
    }
    return end - begin;
}

static double weighted_entropy_of(const tds *t, size_t q, uint32_t first, uint32_t last)
{
    uint64_t total;

    memset(t->left, 0, t->labels * sizeof *t->left);
    total = count_labels(t, q, first, last, t->left);
    return weighted_entropy(t->left, t->labels, total);
}

/* The best place to cut a range whose labels are `seen`; the records of a missing value, which no
 * range holds, are not among them. Returns the weighted entropy that is left, or a negative number
 * when there is no cut. */
static double cut_range(tds *t, value *v, uint32_t last, uint64_t total)
{
    uint64_t below = 0;
    double best = -1;

    memset(t->left, 0, t->labels * sizeof *t->left);
    for (uint32_t p = v->first; p < last; p++) {
        const uint64_t here = count_labels(t, v->q, p, p, t->left);
        double rest = 0;
        below += here;
        if (here == 0 || below == total) {
            continue;
        }
        for (uint32_t i = 0; i < t->labels; i++) {
            const uint64_t right = t->seen[i] - t->left[i];
            rest -= right ? (double)right * log2((double)right) : 0;
        }
        rest += (double)(total - below) * log2((double)(total - below));
        rest += weighted_entropy(t->left, t->labels, below);
        if (best < 0 || rest < best) {
            best = rest;
            v->cut = p;
        }
    }
    return best;
}

/* Number the children of a node at its positions, in order; returns the weighted entropy left. */
static double number_children(tds *t, value *v)
{
    double rest = 0;

    for (uint32_t p = v->first, end; p <= v->last; p = end) {
        const uint32_t child = kn__tds_child_above(t, v->q, v->node, p);
        for (end = p; end <= v->last && kn__tds_child_above(t, v->q, v->node, end) == child;
             end++) {
            t->child[v->q][end] = v->children;
        }
        rest += weighted_entropy_of(t, v->q, p, end - 1);
        v->children++;
    }
    return rest;
}

static double part_range(tds *t, value *v, uint64_t total)
{
    const uint32_t missing = t->task->domain[v->q]->column->missing;
    const bool beside = missing != KN_NO_CODE && t->place[v->q][missing] == v->last &&
                        v->last > v->first; /* a missing value that is published as `*` */
    const uint32_t last = v->last - beside;
    double rest;

    if (beside) {
        memset(t->left, 0, t->labels * sizeof *t->left);
        total -= count_labels(t, v->q, v->last, v->last, t->left);
        for (uint32_t i = 0; i < t->labels; i++) {
            t->seen[i] -= t->left[i];
        }
    }
    rest = cut_range(t, v, last, total);
    if (rest < 0 && !beside) {
        return 0;
    }
    if (rest < 0) {
        v->cut = last;
        rest = weighted_entropy(t->seen, t->labels, total);
    }
    v->children = v->cut < last ? 2 : 1;
    for (uint32_t p = v->first; p <= last; p++) {
        t->child[v->q][p] = p > v->cut;
    }
    if (beside) {
        t->child[v->q][v->last] = v->children++;
        rest += weighted_entropy_of(t, v->q, v->last, v->last);
    }
    return rest;
}

kn_status kn__tds_add_value(tds *t, value v, kn_error *err)
{
    const kn_domain *d = t->task->domain[v.q];
    uint64_t total;
    uint32_t kinds = 0;
    double now, rest;
    kn_status status = kn__grow(&t->value, &t->values_cap, t->values + 1, sizeof *t->value, err);

    v.children = 0;
    v.gain = 0;
    v.least = UINT32_MAX;
    if (status != KN_OK) {
        return status;
    }
    memset(t->seen, 0, t->labels * sizeof *t->seen);
    total = count_labels(t, v.q, v.first, v.last, t->seen);
    now = weighted_entropy(t->seen, t->labels, total);
    for (uint32_t i = 0; i < t->labels; i++) {
        kinds += t->seen[i] > 0;
    }
    if (kinds > 1 && (v.node == KN_NO_NODE || v.node >= d->values)) {
        rest = v.node == KN_NO_NODE ? part_range(t, &v, total) : number_children(t, &v);
        v.gain = (now - rest) / (double)total;
        if (v.gain < 1e-12) { /* the sums above are rounded */
            v.gain = 0;
        }
    }
    if (v.children > t->counts_cap) {
        const size_t before = t->counts_cap;
        status = kn__grow(&t->counts, &t->counts_cap, v.children, sizeof *t->counts, err);
        if (status != KN_OK) {
            return status;
        }
        memset(t->counts + before, 0, (t->counts_cap - before) * sizeof *t->counts);
    }
    t->value[t->values++] = v;
    return KN_OK;
}
