/* tds.c - top-down specialisation (Fung, Wang, Yu 2005): a table for learning a classifier from.
 *
 * Every quasi-identifier starts as its root. A specialisation replaces a value, in all records
 * alike, by its children: the nodes below it, or the two halves of a range, cut where the classes
 * part best. The one that is taken is the valid one with the highest
 *
 *     information gain / (anonymity loss + 1),
 *
 * the loss being how much smaller the smallest group becomes. A value whose records are all of one
 * class is left alone. What cannot be specialised now never can be, because groups only get
 * smaller; so every value is asked for once more at most after each specialisation, and the
 * smallest group that it would leave is kept up to date as groups are split.
 *
 * O(tuples * quasi-identifiers) for each level of the hierarchies, O(records) for each range that
 * is cut. */
#include "methods/registry.h"
#include "methods/params.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/table/tuples.h"

#include <math.h>
#include <string.h>

/* A value of the cut: what the codes at positions first..last of a quasi-identifier are published
 * as. Positions are those of a depth-first walk of its tree. */
typedef struct value {
    uint32_t q;
    uint32_t node; /* of a tree; KN_NO_NODE: a range */
    uint32_t first, last;
    uint32_t children; /* 0: cannot be specialised */
    uint32_t cut;      /* of a range: the last position of the first half */
    double gain;
    uint32_t least;   /* the smallest group that specialising it would leave */
    uint32_t *groups; /* that have it */
    size_t groups_count, groups_cap;
} value;

typedef struct group {
    uint32_t begin, end; /* in `tuple` */
    uint32_t records;
} group;

typedef struct tds {
    const kn_task *task;
    const kn_tuples *tuples;
    kn_judge *judge;
    kn_judge_scratch *scratch;
    size_t qis;
    const kn_column *label;
    uint32_t labels;
    uint32_t **place;    /* by quasi-identifier, by code: its position */
    uint32_t **code_at;  /* by quasi-identifier, by position: the code */
    size_t **starts;     /* by quasi-identifier, by position: where its records begin */
    uint32_t **label_of; /* by quasi-identifier: the labels of its records, by position */
    uint32_t **child;    /* by quasi-identifier, by position: which child of its value it is in */
    value *value;
    size_t values, values_cap;
    group *group;
    size_t groups, groups_cap;
    uint32_t *value_of; /* [group * qis + q] */
    size_t value_of_cap;
    uint32_t *tuple, *tuple_copy;
    uint32_t *counts; /* by child; all 0 between calls */
    size_t counts_cap;
    uint64_t *seen, *left; /* by label */
    uint32_t *records;     /* for the judge */
    uint32_t smallest;     /* records of the smallest group */
} tds;

/* ---- what there is to specialise ---- */

static kn_status find_label(tds *t, kn_error *err)
{
    const kn_status st = kn__task_class(t->task, &t->label, err);

    t->labels = st == KN_OK ? kn__column_values(t->label) : 0;
    return st;
}

/* Positions, and the labels of the records at each. */
static kn_status lay_out(tds *t, size_t q, kn_error *err)
{
    const kn_task *task = t->task;
    const kn_domain *d = task->domain[q];
    const kn_tuples *tuples = t->tuples;
    size_t *starts;

    t->place[q] = kn__malloc_array(d->values, sizeof **t->place);
    t->code_at[q] = kn__malloc_array(d->values, sizeof **t->code_at);
    t->starts[q] = starts = kn__zalloc_array((size_t)d->values + 2, sizeof *starts);
    t->label_of[q] = kn__malloc_array(tuples->records, sizeof **t->label_of);
    t->child[q] = kn__zalloc_array(d->values, sizeof **t->child);
    if (!t->place[q] || !t->code_at[q] || !starts || !t->label_of[q] || !t->child[q]) {
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

/* The child of `node` that is above (or is) the code at position `p`. */
static uint32_t child_above(const tds *t, size_t q, uint32_t node, uint32_t p)
{
    const kn_domain *d = t->task->domain[q];
    uint32_t at = t->code_at[q][p];

    while (d->parent[at] != node) {
        at = d->parent[at];
    }
    return at;
}

/* Number the children of a node at its positions, in order; returns the weighted entropy left. */
static double number_children(tds *t, value *v)
{
    double rest = 0;

    for (uint32_t p = v->first, end; p <= v->last; p = end) {
        const uint32_t child = child_above(t, v->q, v->node, p);
        for (end = p; end <= v->last && child_above(t, v->q, v->node, end) == child; end++) {
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

/* Add the value at positions first..last, and find out what specialising it would gain. */
static kn_status add_value(tds *t, value v, kn_error *err)
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

/* ---- groups ---- */

static uint32_t child_of(const tds *t, uint32_t q, uint32_t tuple)
{
    return t->child[q][t->place[q][kn__tuple(t->tuples, tuple)[q]]];
}

/* Count the records of `g` by child of quasi-identifier `q`; the smallest count that is not 0. The
 * caller sets the counts back. */
static uint32_t count_children(const tds *t, const group *g, uint32_t q, uint32_t children)
{
    uint32_t least = UINT32_MAX;

    for (uint32_t i = g->begin; i < g->end; i++) {
        t->counts[child_of(t, q, t->tuple[i])] += t->tuples->size[t->tuple[i]];
    }
    for (uint32_t c = 0; c < children; c++) {
        least = t->counts[c] && t->counts[c] < least ? t->counts[c] : least;
    }
    return least;
}

/* A group is new or has become smaller: update the smallest part that specialising each of its
 * values would leave. */
static void update_smallest(tds *t, uint32_t number)
{
    const group *g = &t->group[number];

    for (uint32_t q = 0; q < t->qis; q++) {
        value *v = &t->value[t->value_of[(size_t)number * t->qis + q]];
        uint32_t least;
        if (v->children == 0) {
            continue;
        }
        least = count_children(t, g, q, v->children);
        memset(t->counts, 0, v->children * sizeof *t->counts);
        v->least = least < v->least ? least : v->least;
    }
    t->smallest = g->records < t->smallest ? g->records : t->smallest;
}

/* Put `number` on the list of the value that it has in `q`. */
static kn_status join_value(tds *t, uint32_t number, uint32_t q, kn_error *err)
{
    value *v = &t->value[t->value_of[(size_t)number * t->qis + q]];
    kn_status status;

    KN_TRY(kn__grow(&v->groups, &v->groups_cap, v->groups_count + 1, sizeof *v->groups, err));
    v->groups[v->groups_count++] = number;
done:
    return status;
}

/* A group like group `number`, without tuples yet. */
static kn_status add_group(tds *t, uint32_t number, uint32_t *own, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__grow(&t->group, &t->groups_cap, t->groups + 1, sizeof *t->group, err));
    KN_TRY(kn__grow(&t->value_of, &t->value_of_cap, (t->groups + 1) * t->qis, sizeof *t->value_of,
                    err));
    *own = (uint32_t)t->groups++;
    memcpy(t->value_of + (size_t)*own * t->qis, t->value_of + (size_t)number * t->qis,
           t->qis * sizeof *t->value_of);
done:
    return status;
}

/* Sort the tuples of a group by child of its value in `q`; the first child that it has keeps its
 * number. Child c is value first_child + c. */
static kn_status split_group(tds *t, uint32_t number, uint32_t q, uint32_t first_child,
                             uint32_t children, kn_error *err)
{
    const group old = t->group[number];
    uint32_t *at = t->counts, begin = old.begin, own = number;
    kn_status status = KN_OK;

    for (uint32_t i = old.begin; i < old.end; i++) {
        at[child_of(t, q, t->tuple[i])]++;
        t->tuple_copy[i] = t->tuple[i];
    }
    for (uint32_t c = 0, sum = old.begin; c < children; c++) {
        const uint32_t here = at[c];
        at[c] = sum;
        sum += here;
    }
    for (uint32_t i = old.begin; i < old.end; i++) {
        t->tuple[at[child_of(t, q, t->tuple_copy[i])]++] = t->tuple_copy[i];
    }
    for (uint32_t c = 0; c < children; c++) {
        const uint32_t end = at[c];
        if (end == begin) {
            continue;
        }
        if (begin > old.begin) {
            KN_TRY(add_group(t, number, &own, err));
        }
        t->group[own] = (group){.begin = begin, .end = end};
        for (uint32_t i = begin; i < end; i++) {
            t->group[own].records += t->tuples->size[t->tuple[i]];
        }
        t->value_of[(size_t)own * t->qis + q] = first_child + c;
        begin = end;
    }
done:
    memset(t->counts, 0, children * sizeof *t->counts);
    return status;
}

/* ---- choosing ---- */

/* Whether every part that specialising `v` makes satisfies the guarantees. */
static bool valid(const tds *t, const value *v)
{
    if (v->least < kn__judge_least(t->judge)) {
        return false;
    }
    if (kn__judge_size_only(t->judge)) {
        return true;
    }
    for (size_t i = 0; i < v->groups_count; i++) {
        const group *g = &t->group[v->groups[i]];
        for (uint32_t c = 0; c < v->children; c++) {
            size_t count = 0;
            for (uint32_t j = g->begin; j < g->end; j++) {
                const uint32_t tuple = t->tuple[j];
                if (child_of(t, v->q, tuple) == c) {
                    memcpy(t->records + count, t->tuples->members + t->tuples->begin[tuple],
                           t->tuples->size[tuple] * sizeof *t->records);
                    count += t->tuples->size[tuple];
                }
            }
            if (!kn__judge_class(t->judge, t->scratch, t->records, count)) {
                return false;
            }
        }
    }
    return true;
}

static double score(const tds *t, const value *v)
{
    const uint32_t after = v->least < t->smallest ? v->least : t->smallest;

    return v->gain / ((double)(t->smallest - after) + 1);
}

/* Higher score first; then less anonymity lost, then the earlier value. */
static bool before(const tds *t, const value *a, const value *b)
{
    const double x = score(t, a), y = score(t, b);

    return x > y || (x == y && a->least > b->least);
}

/* The value to specialise, or SIZE_MAX. Values that prove invalid are closed for good. */
static size_t choose(tds *t)
{
    for (;;) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < t->values; i++) {
            if (t->value[i].children &&
                (best == SIZE_MAX || before(t, &t->value[i], &t->value[best]))) {
                best = i;
            }
        }
        if (best == SIZE_MAX || valid(t, &t->value[best])) {
            return best;
        }
        t->value[best].children = 0;
    }
}

static kn_status add_children(tds *t, const value *v, kn_error *err)
{
    const kn_domain *d = t->task->domain[v->q];
    uint32_t *child = t->child[v->q];
    kn_status status = KN_OK;

    /* Adding a value renumbers the positions that it covers, which are behind us then. */
    for (uint32_t p = v->first, end; p <= v->last; p = end) {
        value c = {.q = v->q, .node = KN_NO_NODE, .first = p};
        for (end = p + 1; end <= v->last && child[end] == child[p]; end++) {
        }
        c.last = end - 1;
        if (d->kind != KN_DOMAIN_RANGE) {
            c.node = child_above(t, v->q, v->node, p);
        }
        KN_TRY(add_value(t, c, err));
    }
done:
    return status;
}

static kn_status specialise(tds *t, size_t which, kn_error *err)
{
    const value v = t->value[which];
    const uint32_t first_child = (uint32_t)t->values;
    const size_t first_new = t->groups;
    kn_status status = KN_OK;

    t->value[which].groups = NULL;
    t->value[which].children = 0;
    for (size_t i = 0; i < v.groups_count; i++) {
        KN_TRY(split_group(t, v.groups[i], v.q, first_child, v.children, err));
    }
    KN_TRY(add_children(t, &v, err));
    for (size_t i = 0; i < v.groups_count; i++) {
        KN_TRY(join_value(t, v.groups[i], v.q, err));
    }
    for (size_t i = first_new; i < t->groups; i++) {
        for (uint32_t q = 0; q < t->qis; q++) {
            KN_TRY(join_value(t, (uint32_t)i, q, err));
        }
    }
    for (size_t i = 0; i < v.groups_count; i++) {
        update_smallest(t, v.groups[i]);
    }
    for (size_t i = first_new; i < t->groups; i++) {
        update_smallest(t, (uint32_t)i);
    }
done:
    kn__free(v.groups);
    return status;
}

/* ---- the whole ---- */

static kn_status prepare(tds *t, kn_error *err)
{
    const kn_tuples *tuples = t->tuples;
    kn_status status;

    KN_TRY(find_label(t, err));
    t->place = kn__zalloc_array(t->qis, sizeof *t->place);
    t->code_at = kn__zalloc_array(t->qis, sizeof *t->code_at);
    t->starts = kn__zalloc_array(t->qis, sizeof *t->starts);
    t->label_of = kn__zalloc_array(t->qis, sizeof *t->label_of);
    t->child = kn__zalloc_array(t->qis, sizeof *t->child);
    t->seen = kn__malloc_array(t->labels, sizeof *t->seen);
    t->left = kn__malloc_array(t->labels, sizeof *t->left);
    t->tuple = kn__malloc_array(tuples->count, sizeof *t->tuple);
    t->tuple_copy = kn__malloc_array(tuples->count, sizeof *t->tuple_copy);
    t->records = kn__malloc_array(tuples->records, sizeof *t->records);
    t->group = kn__zalloc(sizeof *t->group);
    t->value_of = kn__zalloc_array(t->qis, sizeof *t->value_of);
    KN_TRY(t->place && t->code_at && t->starts && t->label_of && t->child && t->seen && t->left &&
                   t->tuple && t->tuple_copy && t->records && t->group && t->value_of
               ? KN_OK
               : kn__nomem(err));
    t->groups = t->groups_cap = 1;
    t->value_of_cap = t->qis;
    t->group[0] = (group){0, tuples->count, (uint32_t)tuples->records};
    t->smallest = (uint32_t)tuples->records;
    for (uint32_t i = 0; i < tuples->count; i++) {
        t->tuple[i] = i;
    }
    for (uint32_t q = 0; q < t->qis; q++) {
        const kn_domain *d = t->task->domain[q];
        const value root = {.q = q,
                            .node = d->kind == KN_DOMAIN_RANGE ? KN_NO_NODE : kn__domain_root(d),
                            .last = d->values - 1};
        KN_TRY(lay_out(t, q, err));
        t->value_of[q] = q;
        KN_TRY(add_value(t, root, err));
        KN_TRY(join_value(t, 0, q, err));
    }
done:
    return status;
}

static kn_status whole_holds(const tds *t, kn_error *err)
{
    for (uint32_t i = 0; i < t->tuples->records; i++) {
        t->records[i] = t->tuples->members[i];
    }
    return t->tuples->records >= kn__judge_least(t->judge) &&
                   kn__judge_class(t->judge, t->scratch, t->records, t->tuples->records)
               ? KN_OK
               : kn__task_infeasible(t->task, err);
}

static kn_status publish_groups(const tds *t, kn_grouping *out, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__grouping_init(out, t->task, t->groups, err));
    for (size_t i = 0; i < t->groups; i++) {
        for (uint32_t j = t->group[i].begin; j < t->group[i].end; j++) {
            kn__tuples_assign(t->tuples, t->tuple[j], (uint32_t)i, out);
        }
        for (uint32_t q = 0; q < t->qis; q++) {
            const kn_domain *d = t->task->domain[q];
            const value *v = &t->value[t->value_of[i * t->qis + q]];
            uint32_t low, high;
            if (d->kind == KN_DOMAIN_TREE) {
                low = high = v->node < d->values ? d->start[v->node] : v->node;
            } else if (d->kind == KN_DOMAIN_SET) {
                low = high = v->node < d->values ? v->node : KN_NO_NODE;
            } else {
                low = t->code_at[q][v->first];
                high = t->code_at[q][v->last];
                if (low != high && high == d->column->missing) {
                    low = high = KN_NO_NODE;
                }
            }
            out->low[i * t->qis + q] = low;
            out->high[i * t->qis + q] = high;
        }
    }
done:
    return status;
}

static void clear(tds *t)
{
    for (size_t q = 0; q < t->qis; q++) {
        kn__free(t->place ? t->place[q] : NULL);
        kn__free(t->code_at ? t->code_at[q] : NULL);
        kn__free(t->starts ? t->starts[q] : NULL);
        kn__free(t->label_of ? t->label_of[q] : NULL);
        kn__free(t->child ? t->child[q] : NULL);
    }
    for (size_t i = 0; i < t->values; i++) {
        kn__free(t->value[i].groups);
    }
    kn__free(t->place);
    kn__free(t->code_at);
    kn__free(t->starts);
    kn__free(t->label_of);
    kn__free(t->child);
    kn__free(t->value);
    kn__free(t->group);
    kn__free(t->value_of);
    kn__free(t->tuple);
    kn__free(t->tuple_copy);
    kn__free(t->counts);
    kn__free(t->seen);
    kn__free(t->left);
    kn__free(t->records);
    kn__judge_scratch_free(t->scratch);
    kn__judge_free(t->judge);
}

static kn_status run(const kn_task *task, kn_grouping *out, kn_error *err)
{
    kn_tuples *tuples = NULL;
    tds t = {.task = task, .qis = task->qis};
    kn_status status;

    *out = (kn_grouping){0};
    KN_TRY(kn__tuples_new(&tuples, task, err));
    t.tuples = tuples;
    KN_TRY(kn__task_judge(task, &t.judge, err));
    KN_TRY(kn__judge_scratch_new(&t.scratch, t.judge, err));
    KN_TRY(prepare(&t, err));
    KN_TRY(whole_holds(&t, err));
    update_smallest(&t, 0);
    for (;;) {
        const size_t next = choose(&t);
        if (next == SIZE_MAX) {
            break;
        }
        KN_TRY(kn__run_step(task->run, "specialise", -1, err));
        KN_TRY(specialise(&t, next, err));
    }
    KN_TRY(publish_groups(&t, out, err));
done:
    clear(&t);
    kn__tuples_free(tuples);
    return status;
}

static const kn_param params[] = {KN_PARAM_CLASS};

const kn_method_row kn__tds_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "tds",
              .reaches = KN_TABLE_GUARANTEES,
              .summary =
                  "top-down specialisation: keeps what tells the classes of a column apart, for "
                  "learning a classifier",
              KN_PARAMS(params),
              .page = "methods.md"},
    .family = KN_METHOD_TABLE,
    .table = run,
};
