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
#include "methods/table/tds.h"

#include <string.h>

typedef kn_tds tds;
typedef kn_tds_value value;
typedef kn_tds_group group;

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

    KN_PASS(kn__grow(&v->groups, &v->groups_cap, v->groups_count + 1, sizeof *v->groups, err));
    v->groups[v->groups_count++] = number;
    return KN_OK;
}

/* A group like group `number`, without tuples yet. */
static kn_status add_group(tds *t, uint32_t number, uint32_t *own, kn_error *err)
{
    KN_PASS(kn__grow(&t->group, &t->groups_cap, t->groups + 1, sizeof *t->group, err));
    KN_PASS(kn__grow(&t->value_of, &t->value_of_cap, (t->groups + 1) * t->qis, sizeof *t->value_of,
                     err));
    *own = (uint32_t)t->groups++;
    memcpy(t->value_of + (size_t)*own * t->qis, t->value_of + (size_t)number * t->qis,
           t->qis * sizeof *t->value_of);
    return KN_OK;
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

    /* Adding a value renumbers the positions that it covers, which are behind us then. */
    for (uint32_t p = v->first, end; p <= v->last; p = end) {
        value c = {.q = v->q, .node = KN_NO_NODE, .first = p};
        for (end = p + 1; end <= v->last && child[end] == child[p]; end++) {
        }
        c.last = end - 1;
        if (d->kind != KN_DOMAIN_RANGE) {
            c.node = kn__tds_child_above(t, v->q, v->node, p);
        }
        KN_PASS(kn__tds_add_value(t, c, err));
    }
    return KN_OK;
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

    KN_PASS(kn__tds_find_label(t, err));
    t->place = kn__arena_take(&t->arena, t->qis, sizeof *t->place);
    t->code_at = kn__arena_take(&t->arena, t->qis, sizeof *t->code_at);
    t->starts = kn__arena_take(&t->arena, t->qis, sizeof *t->starts);
    t->label_of = kn__arena_take(&t->arena, t->qis, sizeof *t->label_of);
    t->child = kn__arena_take(&t->arena, t->qis, sizeof *t->child);
    t->seen = kn__arena_take(&t->arena, t->labels, sizeof *t->seen);
    t->left = kn__arena_take(&t->arena, t->labels, sizeof *t->left);
    t->tuple = kn__arena_take(&t->arena, tuples->count, sizeof *t->tuple);
    t->tuple_copy = kn__arena_take(&t->arena, tuples->count, sizeof *t->tuple_copy);
    t->records = kn__arena_take(&t->arena, tuples->records, sizeof *t->records);
    t->group = kn__zalloc(sizeof *t->group);
    t->value_of = kn__zalloc_array(t->qis, sizeof *t->value_of);
    KN_PASS(t->group && t->value_of ? kn__arena_check(&t->arena, err) : kn__nomem(err));
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
        KN_PASS(kn__tds_lay_out(t, q, err));
        t->value_of[q] = q;
        KN_PASS(kn__tds_add_value(t, root, err));
        KN_PASS(join_value(t, 0, q, err));
    }
    return KN_OK;
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
    KN_PASS(kn__grouping_init(out, t->task, t->groups, err));
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
    return KN_OK;
}

static void clear(tds *t)
{
    for (size_t i = 0; i < t->values; i++) {
        kn__free(t->value[i].groups);
    }
    kn__arena_clear(&t->arena);
    KN_FREE(t->value, t->group, t->value_of, t->counts);
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
