/* flash.c - optimal full-domain generalisation with a limit on suppressed records.
 *
 * Every quasi-identifier is published on one level of its hierarchy; records in classes that then
 * break the guarantee are suppressed. Of all nodes of the lattice of levels that keep within the
 * limit, the one with the least value of the objective is taken, after the idea of Flash (Kohlmayer
 * et al. 2012): decide many nodes by evaluating few. Two facts prune:
 *
 *  - What a node's cells cost without any suppression is a lower bound of its value, known before
 * the node is evaluated. Nodes are visited from the greatest bound below the best value downwards.
 *  - If adding records never harms a class (kn__judge_grows), or nothing may be suppressed, a node
 * above the limit has only nodes above the limit below it. So has a node whose classes are too
 * small for any guarantee in more records than the limit.
 *
 * Nodes are evaluated in batches of fixed size, so the result does not depend on the number of
 * threads. Where only sizes matter, the classes of a batch are formed from those of the lowest
 * levels that its nodes have in common (a snapshot), not from the table: there are far fewer. */
#include "base/sort.h"
#include "methods/registry.h"
#include "methods/params.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/table/flash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_LATTICE = 1 << 24 };

typedef kn_flash_worker worker;
typedef kn_flash_verdict verdict;
typedef kn_flash_search search;

static void evaluate_slice(void *user, unsigned number, size_t begin, size_t end)
{
    search *s = user;

    for (size_t i = begin; i < end; i++) {
        s->verdicts[i] = kn__flash_evaluate(s, &s->workers[number], s->batch[i]);
    }
}

/* Mark `node` and everything below it. Marked nodes have marked nodes below them, so each is passed
 * once. */
static void mark_below(search *s, size_t node)
{
    if (s->state[node]) {
        return;
    }
    s->state[node] = 1;
    for (size_t q = 0; q < s->task->qis; q++) {
        if (node / s->stride[q] % s->levels[q].levels > 0) {
            mark_below(s, node - s->stride[q]);
        }
    }
}

/* Evaluate the batch, learn from it, empty it. The better of two nodes has the lower value, then
 * the lower number. */
static kn_status run_batch(search *s, kn_error *err)
{
    kn__flash_take_snapshot(s);
    kn__parallel_for(s->threads, s->batch_len, 1, evaluate_slice, s);
    for (size_t i = 0; i < s->batch_len; i++) {
        const verdict *v = &s->verdicts[i];
        const size_t node = s->batch[i];
        if (v->status != KN_OK) {
            return kn__nomem(err);
        }
        if (v->feasible && (s->best == SIZE_MAX || v->value < s->best_verdict.value ||
                            (v->value == s->best_verdict.value && node < s->best))) {
            s->best = node;
            s->best_verdict = *v;
        }
        if (v->all_below) {
            mark_below(s, node);
        }
        s->state[node] = 1;
    }
    return KN_OK;
}

/* From the top downwards, always to the best node one level lower, as long as one is feasible: a
 * good value to start with. */
static kn_status descend(search *s, kn_error *err)
{
    size_t at = s->nodes - 1;

    s->batch[0] = at;
    s->batch_len = 1;
    KN_PASS(run_batch(s, err));
    while (s->best != SIZE_MAX) {
        size_t next = SIZE_MAX;
        double value = INFINITY;
        s->batch_len = 0;
        for (size_t q = 0; q < s->task->qis && s->batch_len < KN_FLASH_BATCH; q++) {
            if (at / s->stride[q] % s->levels[q].levels > s->lowest[q]) {
                s->batch[s->batch_len++] = at - s->stride[q];
            }
        }
        KN_PASS(run_batch(s, err));
        for (size_t i = 0; i < s->batch_len; i++) {
            if (s->verdicts[i].feasible && s->verdicts[i].value < value) {
                value = s->verdicts[i].value;
                next = s->batch[i];
            }
        }
        if (next == SIZE_MAX) {
            break;
        }
        at = next;
        KN_PASS(kn__run_step(s->task->run, "search", -1, err));
    }
    return KN_OK;
}

typedef struct place {
    double bound;
    uint32_t node;
} place;

static int by_bound_down(const void *x, const void *y)
{
    const place *a = x, *b = y;
    const int order = KN_ORDER(b->bound, a->bound);

    return order ? order : KN_ORDER(b->node, a->node);
}

static kn_status exhaust(search *s, kn_error *err)
{
    place *order = kn__malloc_array(s->nodes, sizeof *order);
    size_t count = 0;
    kn_status status = KN_OK;
    uint16_t level[KN_FLASH_QIS];

    if (!order) {
        return kn__nomem(err);
    }
    for (size_t node = 0; node < s->nodes; node++) {
        if (!s->state[node]) {
            kn__flash_levels_of(s, node, level);
            order[count].bound = kn__objective_bound(&s->objective, s->levels, level);
            order[count].node = (uint32_t)node;
            count += s->best == SIZE_MAX || order[count].bound < s->best_verdict.value;
        }
    }
    qsort(order, count, sizeof *order, by_bound_down);
    for (size_t i = 0; i < count;) {
        for (s->batch_len = 0; s->batch_len < KN_FLASH_BATCH && i < count; i++) {
            if (!s->state[order[i].node] &&
                (s->best == SIZE_MAX || order[i].bound < s->best_verdict.value)) {
                s->batch[s->batch_len++] = order[i].node;
            }
        }
        KN_TRY(run_batch(s, err));
        KN_TRY(kn__run_step(s->task->run, "search", (double)i / (double)count, err));
    }
done:
    kn__free(order);
    return status;
}

static kn_status publish_best(search *s, kn_grouping *out, kn_error *err)
{
    const kn_task *task = s->task;
    worker *b = &s->workers[0];
    verdict v;
    const uint32_t classes = kn__flash_evaluate_node(s, b, s->tuples, s->best, &v);
    uint32_t groups = 0;

    for (uint32_t c = 0; c < classes; c++) {
        b->begin[c] = b->failing[c] ? KN_SUPPRESSED : groups++;
    }
    KN_PASS(kn__grouping_init(out, task, groups, err));
    for (uint32_t i = 0; i < s->tuples->count; i++) {
        const uint32_t group = b->begin[b->class_of[i]];
        kn__tuples_assign(s->tuples, i, group, out);
        for (size_t q = 0; group != KN_SUPPRESSED && q < task->qis; q++) {
            const kn_domain *d = task->domain[q];
            const uint32_t node =
                d->at_level[(size_t)b->level[q] * d->values + kn__tuple(s->tuples, i)[q]];
            const size_t at = (size_t)group * task->qis + q;
            out->low[at] = out->high[at] = d->kind != KN_DOMAIN_TREE && node == kn__domain_root(d)
                                               ? KN_NO_NODE
                                               : node;
        }
    }
    return KN_OK;
}

/* Take "age=2" as the lowest level of a quasi-identifier. */
static kn_status read_lowest(search *s, const char *text, kn_error *err)
{
    const kn_task *task = s->task;
    const char *equals = strrchr(text, '=');
    size_t q = 0;
    char *end = NULL;
    unsigned long level = 0;

    for (; equals && q < task->qis; q++) {
        const char *name = task->ds->column[task->qi[q]].name;
        if (strlen(name) == (size_t)(equals - text) &&
            memcmp(name, text, (size_t)(equals - text)) == 0) {
            break;
        }
    }
    if (!equals || q == task->qis) {
        (void)kn__fail(err, KN_EUSAGE,
                       "lowest: '%.100s' is no level of a quasi-identifier: write it as age=2",
                       text);
        return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, "lowest");
    }
    if (equals[1] >= '0' && equals[1] <= '9') {
        level = strtoul(equals + 1, &end, 10);
    }
    if (!end || *end || level >= s->levels[q].levels) {
        (void)kn__fail(err, KN_EUSAGE, "lowest: '%.100s': the levels of that column are 0 to %u",
                       text, s->levels[q].levels - 1);
        return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, "lowest");
    }
    s->lowest[q] = (uint16_t)level;
    return KN_OK;
}

/* Mark the nodes with a level below the lowest one; what is below such a node is marked too. */
static kn_status set_lowest(search *s, kn_error *err)
{
    size_t count;
    const char *const *texts = kn__param_list(&s->task->params, "lowest", &count);
    uint16_t level[KN_FLASH_QIS];

    for (size_t i = 0; i < count; i++) {
        KN_PASS(read_lowest(s, texts[i], err));
    }
    for (size_t node = 0; count && node < s->nodes; node++) {
        kn__flash_levels_of(s, node, level);
        for (size_t q = 0; q < s->task->qis; q++) {
            s->state[node] |= level[q] < s->lowest[q];
        }
    }
    return KN_OK;
}

static kn_status prepare(search *s, kn_error *err)
{
    const kn_task *task = s->task;

    KN_PASS(kn__tuples_new(&s->tuples, task, err));
    KN_PASS(kn__task_judge(task, &s->judge, err));
    s->levels = kn__zalloc_array(task->qis, sizeof *s->levels);
    KN_PASS(s->levels ? KN_OK : kn__nomem(err));
    for (size_t q = 0; q < task->qis; q++) {
        KN_PASS(kn__qi_levels_of_domain(&s->levels[q], task->domain[q], err));
    }
    s->nodes = kn__lattice_size(s->levels, task->qis);
    if (s->nodes > LARGEST_LATTICE) {
        return kn__fail(
            err, KN_EUSAGE,
            "flash: the lattice of these hierarchies has more than %d nodes: use method "
            "local or mondrian, fewer quasi-identifiers, or hierarchies with fewer "
            "levels",
            LARGEST_LATTICE);
    }
    for (size_t q = 0, stride = 1; q < task->qis; stride *= s->levels[q++].levels) {
        s->stride[q] = stride;
    }
    KN_PASS(kn__objective_init(&s->objective, task, s->tuples, s->levels, err));
    s->takes_snapshots = kn__judge_size_only(s->judge) &&
                         s->objective.kind != KN_OBJECTIVE_CLASSIFICATION;
    s->prunes_below = kn__judge_grows(s->judge) || task->limit == task->barred_count;
    s->best = SIZE_MAX;
    s->state = kn__zalloc_array(s->nodes, 1);
    s->threads = kn__run_threads(task->run);
    s->workers = kn__zalloc_array(s->threads, sizeof *s->workers);
    s->snapshots = kn__malloc_array(KN_FLASH_SNAPSHOTS, sizeof *s->snapshots);
    KN_PASS(s->state && s->workers && s->snapshots ? set_lowest(s, err) : kn__nomem(err));
    for (unsigned i = 0; i < s->threads; i++) {
        KN_PASS(kn__flash_worker_init(&s->workers[i], s, err));
    }
    return KN_OK;
}

static void search_clear(search *s)
{
    for (unsigned i = 0; s->workers && i < s->threads; i++) {
        kn__flash_worker_clear(&s->workers[i]);
    }
    for (size_t q = 0; s->levels && q < s->task->qis; q++) {
        kn__qi_levels_clear(&s->levels[q]);
    }
    for (size_t i = 0; i < s->snapshots_count; i++) {
        kn__tuples_free(s->snapshots[i].tuples);
    }
    kn__free(s->snapshots);
    kn__objective_clear(&s->objective);
    KN_FREE(s->workers, s->levels, s->state);
    kn__judge_free(s->judge);
    kn__tuples_free(s->tuples);
}

kn_status kn__method_flash(const kn_task *task, kn_grouping *out, kn_error *err)
{
    search s = {.task = task};
    kn_status status;

    if (task->qis > KN_FLASH_QIS) {
        return kn__fail(err, KN_EUSAGE,
                        "flash: more than %d quasi-identifiers: use method local or mondrian",
                        KN_FLASH_QIS);
    }
    KN_TRY(prepare(&s, err));
    KN_TRY(descend(&s, err));
    KN_TRY(exhaust(&s, err));
    if (s.best == SIZE_MAX) {
        KN_TRY(kn__task_infeasible(task, err));
    }
    KN_TRY(publish_best(&s, out, err));
done:
    search_clear(&s);
    return status;
}

static const kn_param params[] = {
    {.name = "objective",
     .kind = KN_PARAM_CHOICE,
     .choices = "loss|ncp|precision|discernibility|average_class_size|classification",
     .help = "the measure that flash makes as good as it can be"},
    {.name = "lowest",
     .kind = KN_PARAM_LIST,
     .help = "flash: levels of the hierarchies below which columns are not published, such as "
             "age=2 (level 0 is the value itself)"},
};

const kn_method_row kn__flash_row = {
    .entry =
        {.kind = KN_ENTRY_METHOD,
         .name = "flash",
         .reaches = KN_TABLE_GUARANTEES,
         .summary =
             "full-domain generalisation: one level a column, the best combination of levels there is",
         KN_PARAMS(params),
         .page = "methods.md"},
    .family = KN_METHOD_TABLE,
    .counts = true,
    .table = kn__method_flash,
};
