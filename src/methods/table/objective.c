/* objective.c - measures as functions of a lattice node. */
#include "methods/table/objective.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* A sum of costs in 0..1 as a whole number of 2^-60: the same in whatever order the tuples come, so
 * that a table, its rows in another order and its classes give one result. */
typedef kn_u128 cost_sum;

static void add_cost(cost_sum *sum, double cost, uint32_t times)
{
    *sum += (cost_sum)(uint64_t)(cost > 0 ? cost * 0x1p60 : 0) * times;
}

/* The mean over `people`; 0 of none. */
static double mean_cost(cost_sum sum, size_t people)
{
    return people ? (double)sum * 0x1p-60 / (double)people : 0;
}

void kn__objective_clear(kn_objective *o)
{
    kn__free(o->weight);
    o->weight = NULL;
}

/* The share of the way up at which `node` stands above `code`: that of the highest level on which
 * it does. */
static double share_of_way(const kn_domain *d, uint32_t node, uint32_t code)
{
    if (node == code) {
        return 0;
    }
    for (uint32_t level = d->levels; level-- > 0;) {
        if (d->at_level[(size_t)level * d->values + code] == node) {
            return (double)level / (double)(d->levels - 1);
        }
    }
    return d->loss[node];
}

/* Costs are those of the published text as measures read it, so that what is minimised is what is
 * reported: a value or group that is named like a larger group above it costs as much as that. */
static void fill_costs(kn_qi_levels *l, const kn_domain *d, bool precision, bool ncp)
{
    for (uint32_t level = 0; level < l->levels; level++) {
        for (uint32_t code = 0; code < l->values; code++) {
            const size_t at = (size_t)level * l->values + code;
            uint32_t node = d->at_level[at];
            if (node == KN_NO_NODE) {
                continue;
            }
            node = kn__domain_as_read(d, node);
            if (precision) {
                l->cost[at] = share_of_way(d, node, code);
            } else {
                l->cost[at] = ncp ? kn__domain_ncp(d, node) : d->loss[node];
            }
        }
    }
}

static void weigh(kn_qi_levels *l, const kn_tuples *t, size_t q)
{
    for (uint32_t level = 0; level < l->levels; level++) {
        const double *cost = l->cost + (size_t)level * l->values;
        cost_sum sum = 0;
        for (uint32_t i = 0; i < t->count; i++) {
            add_cost(&sum, cost[kn__tuple(t, i)[q]], t->size[i]);
        }
        l->mean[level] = mean_cost(sum, t->records);
    }
}

kn_status kn__objective_init(kn_objective *out, const kn_task *task, const kn_tuples *tuples,
                             kn_qi_levels *levels, kn_error *err)
{
    const bool precision = kn__param_is(&task->params, "objective", "precision");
    const bool ncp = kn__param_is(&task->params, "objective", "ncp");

    *out = (kn_objective){.kind = KN_OBJECTIVE_CELLS, .task = task, .label = SIZE_MAX};
    out->weight = kn__malloc_array(task->qis, sizeof *out->weight);
    KN_PASS(out->weight ? KN_OK : kn__nomem(err));
    if (kn__param_is(&task->params, "objective", "discernibility")) {
        out->kind = KN_OBJECTIVE_DISCERNIBILITY;
    } else if (kn__param_is(&task->params, "objective", "average_class_size")) {
        out->kind = KN_OBJECTIVE_CLASS_SIZE;
    } else if (kn__param_is(&task->params, "objective", "classification")) {
        out->kind = KN_OBJECTIVE_CLASSIFICATION;
        for (size_t i = task->ds->columns; i-- > 0;) {
            if (task->ds->column[i].role == KN_ROLE_SENSITIVE &&
                !kn__type_is_list(task->ds->column[i].type)) {
                out->label = i;
            }
        }
        if (out->label == SIZE_MAX) {
            kn__objective_clear(out);
            return kn__fail(err, KN_EUSAGE,
                            "objective classification: no column is sensitive: name the class with "
                            "--sensitive");
        }
    }
    for (size_t q = 0; q < task->qis; q++) {
        out->weight[q] = precision ? 1.0 / (double)task->qis : task->weight[q];
        fill_costs(&levels[q], task->domain[q], precision, ncp);
        weigh(&levels[q], tuples, q);
    }
    return KN_OK;
}

double kn__objective_bound(const kn_objective *o, const kn_qi_levels *levels, const uint16_t *level)
{
    double sum = 0;

    for (size_t q = 0; o->kind == KN_OBJECTIVE_CELLS && q < o->task->qis; q++) {
        sum += o->weight[q] * levels[q].mean[level[q]];
    }
    return sum;
}

/* A suppressed cell costs 1: what that is more than the cell would have cost. */
static double cost_of_suppression(const kn_objective *o, const kn_node_candidate *c)
{
    cost_sum sum = 0;

    for (uint32_t i = 0; c->suppressed && i < c->tuples->count; i++) {
        const uint32_t *tuple = kn__tuple(c->tuples, i);
        double cells = 0;
        if (!c->failing[c->class_of[i]]) {
            continue;
        }
        for (size_t q = 0; q < c->tuples->qis; q++) {
            const kn_qi_levels *l = &c->levels[q];
            cells += o->weight[q] * (1 - l->cost[(size_t)c->level[q] * l->values + tuple[q]]);
        }
        add_cost(&sum, cells, c->tuples->size[i]);
    }
    return mean_cost(sum, c->tuples->records);
}

static double discernibility(const kn_node_candidate *c, size_t records)
{
    /* The sum of squares is at most the square of the sum, which is below 2^64. */
    uint64_t sum = (uint64_t)c->suppressed * records;

    for (uint32_t i = 0; i < c->classes; i++) {
        sum += c->failing[i] ? 0 : (uint64_t)c->size[i] * c->size[i];
    }
    return (double)sum;
}

static double class_size(const kn_objective *o, const kn_node_candidate *c)
{
    const bool starred = o->task->options->suppressed == KN_SUPPRESSED_STARRED;
    const size_t suppressed = c->suppressed + o->task->barred_count;
    size_t classes = starred && suppressed;
    const size_t records = starred ? kn__dataset_people(o->task->ds)
                                   : c->tuples->records - c->suppressed;

    for (uint32_t i = 0; i < c->classes; i++) {
        classes += !c->failing[i];
    }
    return classes ? (double)records / (double)classes : INFINITY;
}

size_t kn__objective_scratch(const kn_objective *o, const kn_tuples *tuples)
{
    return o->kind == KN_OBJECTIVE_CLASSIFICATION
               ? 2 * (size_t)tuples->count + 1 + kn__column_values(&o->task->ds->column[o->label])
               : 1;
}

/* The most records of the tuples `which` that share a label. `counts` by label is all zero before
 * and after. */
static uint32_t most_frequent(const kn_objective *o, const kn_tuples *t, const uint32_t *which,
                              uint32_t len, uint32_t *counts)
{
    const kn_dataset *ds = o->task->ds;
    const kn_column *label = &ds->column[o->label];
    uint32_t most = 0;

    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < len; i++) {
            for (uint32_t m = t->begin[which[i]]; m < t->begin[which[i] + 1]; m++) {
                uint32_t *count = &counts[kn__column_code(label, t->members[m])];
                *count = pass ? 0 : *count + kn__dataset_count(ds, t->members[m]);
                most = *count > most ? *count : most;
            }
        }
    }
    return most;
}

/* The records that do not have the most frequent label of their class, and the suppressed. */
static double classification(const kn_objective *o, const kn_node_candidate *c)
{
    const kn_tuples *t = c->tuples;
    const kn_column *label = &o->task->ds->column[o->label];
    uint32_t *sorted = c->scratch, *begin = sorted + t->count, *counts = begin + t->count + 1;
    size_t right = 0;

    memset(begin, 0, (c->classes + (size_t)1) * sizeof *begin);
    memset(counts, 0, kn__column_values(label) * sizeof *counts);
    for (uint32_t i = 0; i < t->count; i++) {
        begin[c->class_of[i]]++;
    }
    for (uint32_t i = 0, at = 0; i < c->classes; i++) {
        const uint32_t len = begin[i];
        begin[i] = at;
        at += len;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        sorted[begin[c->class_of[i]]++] = i;
    }
    for (uint32_t i = 0; i < c->classes; i++) {
        const uint32_t from = i ? begin[i - 1] : 0;
        right += c->failing[i] ? 0 : most_frequent(o, t, sorted + from, begin[i] - from, counts);
    }
    return (double)(t->records - right);
}

double kn__objective_value(const kn_objective *o, const kn_node_candidate *c)
{
    switch (o->kind) {
    case KN_OBJECTIVE_CELLS:
        return kn__objective_bound(o, c->levels, c->level) + cost_of_suppression(o, c);
    case KN_OBJECTIVE_DISCERNIBILITY: return discernibility(c, kn__dataset_people(o->task->ds));
    case KN_OBJECTIVE_CLASS_SIZE: return class_size(o, c);
    case KN_OBJECTIVE_CLASSIFICATION: return classification(o, c);
    }
    return NAN;
}
