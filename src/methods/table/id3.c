/* id3.c - the table that is equivalent to a k-anonymous decision tree (models paper, sections 3 and
 * 6.2).
 *
 * A tree is grown over the quasi-identifiers (models/tree/grow.h). Every leaf is a group of
 * records, published with what the way to the leaf says of each quasi-identifier: a node of the
 * hierarchy, a range, a set, or `*` where it says nothing. Different leaves may come to look alike
 * in the table, which only makes larger classes. */
#include "methods/registry.h"
#include "methods/params.h"
#include "base/error.h"
#include "base/memory.h"
#include "models/tree/grow.h"

typedef struct growth {
    kn_judge *judge;
    kn_judge_scratch *scratch;
} growth;

static bool holds(void *user, const uint32_t *records, size_t count)
{
    const growth *g = user;

    return kn__judge_class(g->judge, g->scratch, records, count);
}

static kn_status find_class(const kn_task *task, const kn_column **out, kn_error *err)
{
    const kn_column *c;

    KN_PASS(kn__task_class(task, &c, err));
    if (kn__column_values(c) > KN_GROW_CLASSES_MOST) {
        return kn__fail(
            err, KN_EINPUT,
            "method id3: the class '%.100s' has %u values, and a tree tells %d apart at "
            "most: use another method, or group them first",
            c->name, kn__column_values(c), KN_GROW_CLASSES_MOST);
    }
    *out = c;
    return KN_OK;
}

/* What the way to a leaf says of a quasi-identifier with a range: codes low..high. */
static void narrow_range(const kn_domain *d, const kn_grown_node *n, uint32_t *low, uint32_t *high)
{
    if (n->branch == KN_BRANCH_GREATER) {
        const uint32_t from = kn__domain_below(d, n->number, true);
        *low = from > *low ? from : *low;
    } else if (n->branch == KN_BRANCH_LESS_EQUAL) {
        const uint32_t to = kn__domain_below(d, n->number, true) - 1;
        *high = to < *high ? to : *high;
    }
}

static void publish_range(const kn_task *task, size_t q, const kn_grown *t, uint32_t leaf,
                          uint32_t *low, uint32_t *high)
{
    const kn_domain *d = task->domain[q];
    const kn_column *c = d->column;
    const kn_grown_node *own = &t->node[leaf];
    size_t missing = 0;

    *low = 0;
    *high = d->values - 1 - (c->missing != KN_NO_CODE);
    for (size_t i = own->begin; c->missing != KN_NO_CODE && i < own->end; i++) {
        missing += kn__column_code(c, t->record[i]) == c->missing;
    }
    if (missing == own->end - own->begin) {
        *low = *high = c->missing;
    } else if (missing > 0) {
        *low = *high = KN_NO_NODE;
    } else {
        for (uint32_t up = leaf; up != 0; up = t->node[up].parent) {
            if (t->node[t->node[up].parent].attribute == q) {
                narrow_range(d, &t->node[up], low, high);
            }
        }
    }
}

static void publish_cell(const kn_task *task, size_t q, const kn_grown *t, uint32_t leaf,
                         uint32_t *low, uint32_t *high)
{
    const kn_domain *d = task->domain[q];
    bool said = false;

    *low = *high = KN_NO_NODE;
    for (uint32_t up = leaf; up != 0; up = t->node[up].parent) {
        const kn_grown_node *n = &t->node[up];
        if (t->node[n->parent].attribute != q) {
            continue;
        }
        said = true;
        if (d->kind != KN_DOMAIN_TREE) {
            break;
        }
        /* A rest keeps the name above it, so the lowest name need not be that of the last split. */
        if (*low == KN_NO_NODE || d->depth[n->name] > d->depth[*low]) {
            *low = *high = n->name;
        }
    }
    if (said && d->kind == KN_DOMAIN_RANGE) {
        publish_range(task, q, t, leaf, low, high);
    } else if (said && d->kind == KN_DOMAIN_SET) {
        *low = *high = 0; /* the values of the group */
    }
}

static kn_status publish(const kn_task *task, const kn_grown *t, kn_grouping *out, kn_error *err)
{
    size_t leaves = 0;
    kn_status st;

    for (size_t i = 0; i < t->nodes; i++) {
        leaves += t->node[i].children == 0;
    }
    st = kn__grouping_init(out, task, leaves, err);
    leaves = 0;
    for (uint32_t i = 0; st == KN_OK && i < t->nodes; i++) {
        if (t->node[i].children > 0) {
            continue;
        }
        for (size_t r = t->node[i].begin; r < t->node[i].end; r++) {
            out->group[t->record[r]] = (uint32_t)leaves;
        }
        for (size_t q = 0; q < task->qis; q++) {
            const size_t at = leaves * task->qis + q;
            publish_cell(task, q, t, i, &out->low[at], &out->high[at]);
        }
        leaves++;
    }
    return st;
}

static kn_status run(const kn_task *task, kn_grouping *out, kn_error *err)
{
    kn_grow_attribute *attribute = kn__zalloc_array(task->qis, sizeof *attribute);
    kn_grow_options o = {.ds = task->ds,
                         .attribute = attribute,
                         .attributes = task->qis,
                         .target_hidden = true,
                         .barred = task->barred,
                         .run = task->run};
    growth g = {0};
    kn_grown *tree = NULL;
    kn_status st = attribute ? find_class(task, &o.target, err) : kn__nomem(err);

    *out = (kn_grouping){0};
    if (st == KN_OK) {
        st = kn__task_judge(task, &g.judge, err);
    }
    if (st == KN_OK) {
        st = kn__judge_scratch_new(&g.scratch, g.judge, err);
    }
    if (st == KN_OK) {
        for (size_t q = 0; q < task->qis; q++) {
            attribute[q].column = task->domain[q]->column;
            attribute[q].domain = task->domain[q]->kind == KN_DOMAIN_TREE ? task->domain[q] : NULL;
        }
        o.k = kn__judge_least(g.judge);
        if (!kn__judge_size_only(g.judge)) {
            o.holds = holds;
            o.user = &g;
        }
        st = kn__grow_tree(&tree, &o, err);
        if (st == KN_EINFEASIBLE) {
            st = kn__task_infeasible(task, err);
        }
    }
    if (st == KN_OK) {
        st = publish(task, tree, out, err);
    }
    kn__grown_free(tree);
    kn__judge_scratch_free(g.scratch);
    kn__judge_free(g.judge);
    kn__free(attribute);
    return st;
}

static const kn_param params[] = {KN_PARAM_CLASS};

const kn_method_row kn__id3_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "id3",
              .reaches = KN_TABLE_GUARANTEES,
              .summary =
                  "the table that is equivalent to a decision tree whose leaves keep the guarantee",
              KN_PARAMS(params),
              .page = "methods.md"},
    .family = KN_METHOD_TABLE,
    .table = run,
};
