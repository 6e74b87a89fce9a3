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
#include "methods/registry.h"
#include "methods/params.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/table/lattice.h"
#include "methods/table/objective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 64, LARGEST_LATTICE = 1 << 24, MOST_QIS = 256, MOST_SNAPSHOTS = 64 };

/* The classes of a node, as tuples: with the codes of their first tuple and the records of all. */
typedef struct snapshot {
    kn_tuples *tuples; /* without members */
    uint16_t level[MOST_QIS];
} snapshot;

/* The scratch of one thread that evaluates nodes. */
typedef struct worker {
    kn_grouper *grouper;
    kn_judge_scratch *scratch;
    uint32_t *class_of; /* by tuple */
    uint32_t *size;     /* by class: records */
    uint8_t *failing;   /* by class */
    uint32_t *begin;    /* by class + 1: its tuples in `sorted`, or its records in `records` */
    uint32_t *records;  /* class by class; only when sizes do not decide */
    uint8_t *kept;      /* by record; only for t-closeness */
    uint32_t *starred;  /* the suppressed records; only when they are kept as rows */
    uint32_t *objective_scratch;
    uint16_t level[MOST_QIS];
} worker;

typedef struct verdict {
    bool feasible;
    bool above_limit; /* more suppressed than allowed */
    bool all_below;   /* and so are all nodes below */
    double value;
    size_t suppressed;
    kn_status status;
} verdict;

typedef struct search {
    const kn_task *task;
    kn_tuples *tuples;
    kn_qi_levels *levels;
    kn_judge *judge;
    kn_objective objective;
    worker *workers;
    unsigned threads;
    size_t nodes;
    size_t stride[MOST_QIS];
    uint8_t *state; /* by node: 1 once it need not be evaluated */
    bool prunes_below;
    size_t best;
    verdict best_verdict;
    /* the batch under way */
    size_t batch[BATCH];
    verdict verdicts[BATCH];
    size_t batch_len;
    bool takes_snapshots;
    snapshot *snapshots;
    size_t snapshots_count;
    size_t snapshots_size; /* tuples in all of them */
} search;

static void levels_of(const search *s, size_t node, uint16_t *level)
{
    for (size_t q = 0; q < s->task->qis; q++) {
        level[q] = (uint16_t)(node / s->stride[q] % s->levels[q].levels);
    }
}

static kn_status worker_init(worker *b, const search *s, kn_error *err)
{
    const uint32_t tuples = s->tuples->count;
    const bool by_size = kn__judge_size_only(s->judge);
    kn_status status;

    KN_TRY(kn__grouper_new(&b->grouper, s->levels, s->task->qis, tuples ? tuples : 1, err));
    KN_TRY(kn__judge_scratch_new(&b->scratch, s->judge, err));
    b->class_of = kn__malloc_array(tuples, sizeof *b->class_of);
    b->size = kn__malloc_array(tuples, sizeof *b->size);
    b->failing = kn__malloc_array(tuples, 1);
    b->begin = kn__malloc_array((size_t)tuples + 1, sizeof *b->begin);
    b->records = kn__malloc_array(by_size ? 1 : s->tuples->records, sizeof *b->records);
    b->kept = kn__malloc_array(kn__judge_needs_reference(s->judge) ? s->task->ds->records : 1, 1);
    b->starred = kn__malloc_array(by_size ? 1 : s->task->ds->records, sizeof *b->starred);
    b->objective_scratch = kn__malloc_array(kn__objective_scratch(&s->objective, s->tuples),
                                            sizeof *b->objective_scratch);
    KN_TRY(b->class_of && b->size && b->failing && b->begin && b->records && b->kept &&
                   b->starred && b->objective_scratch
               ? KN_OK
               : kn__nomem(err));
done:
    return status;
}

static void worker_clear(worker *b)
{
    kn__grouper_free(b->grouper);
    kn__judge_scratch_free(b->scratch);
    kn__free(b->class_of);
    kn__free(b->size);
    kn__free(b->failing);
    kn__free(b->begin);
    kn__free(b->records);
    kn__free(b->kept);
    kn__free(b->starred);
    kn__free(b->objective_scratch);
}

/* The fewest tuples from which the classes at `level` can be formed. */
static const kn_tuples *source_for(const search *s, const uint16_t *level)
{
    const kn_tuples *best = s->tuples;

    for (size_t i = 0; i < s->snapshots_count; i++) {
        const snapshot *shot = &s->snapshots[i];
        size_t q = 0;
        while (q < s->task->qis && shot->level[q] <= level[q]) {
            q++;
        }
        if (q == s->task->qis && shot->tuples->count < best->count) {
            best = shot->tuples;
        }
    }
    return best;
}

static kn_tuples *tuples_of_classes(const kn_tuples *from, uint32_t classes,
                                    const uint32_t *class_of)
{
    kn_tuples *t = kn__zalloc(sizeof *t);

    if (!t) {
        return NULL;
    }
    t->qis = from->qis;
    t->records = from->records;
    t->codes = kn__malloc_array((size_t)classes * t->qis, sizeof *t->codes);
    t->size = kn__malloc_array(classes, sizeof *t->size);
    if (!t->codes || !t->size) {
        kn__tuples_free(t);
        return NULL;
    }
    for (uint32_t i = 0; i < from->count; i++) {
        if (class_of[i] == t->count) { /* classes are numbered as they appear */
            memcpy(t->codes + (size_t)t->count * t->qis, kn__tuple(from, i),
                   t->qis * sizeof *t->codes);
            t->size[t->count++] = 0;
        }
        t->size[class_of[i]] += from->size[i];
    }
    return t;
}

/* Before a batch: take a snapshot of the classes at the lowest levels that its nodes have in
 * common, if there are far fewer classes than tuples. A failed allocation only means no snapshot.
 */
static void take_snapshot(search *s)
{
    worker *b = &s->workers[0];
    snapshot shot;
    const kn_tuples *from;
    uint32_t classes;

    if (!s->takes_snapshots || s->batch_len < 2 || s->snapshots_count == MOST_SNAPSHOTS) {
        return;
    }
    levels_of(s, s->batch[0], shot.level);
    for (size_t i = 1; i < s->batch_len; i++) {
        levels_of(s, s->batch[i], b->level);
        for (size_t q = 0; q < s->task->qis; q++) {
            shot.level[q] = b->level[q] < shot.level[q] ? b->level[q] : shot.level[q];
        }
    }
    from = source_for(s, shot.level);
    classes = kn__grouper_group(b->grouper, from, NULL, from->count, shot.level, b->class_of);
    if (classes > from->count / 2 || s->snapshots_size + classes > 2 * (size_t)s->tuples->count) {
        return;
    }
    shot.tuples = tuples_of_classes(from, classes, b->class_of);
    if (shot.tuples) {
        s->snapshots[s->snapshots_count++] = shot;
        s->snapshots_size += classes;
    }
}

/* The records class by class, in b->records and b->begin. */
static void sort_records(const search *s, worker *b, uint32_t classes)
{
    const kn_tuples *t = s->tuples;
    uint32_t at = 0;

    for (uint32_t c = 0; c < classes; c++) {
        b->begin[c] = at;
        at += b->size[c];
    }
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t *to = &b->begin[b->class_of[i]];
        memcpy(b->records + *to, t->members + t->begin[i], t->size[i] * sizeof *b->records);
        *to += t->size[i];
    }
    for (uint32_t c = classes; c > 0; c--) {
        b->begin[c] = b->begin[c - 1];
    }
    b->begin[0] = 0;
}

static size_t fail_by_size(const search *s, worker *b, uint32_t classes)
{
    const size_t least = kn__judge_least(s->judge);
    size_t suppressed = 0;

    for (uint32_t c = 0; c < classes; c++) {
        b->failing[c] = b->size[c] < least;
        suppressed += b->failing[c] ? b->size[c] : 0;
    }
    return suppressed;
}

/* Judge the classes that do not fail yet. @return the records in all failing classes. */
static size_t fail_by_judge(const kn_judge *judge, worker *b, uint32_t classes)
{
    size_t suppressed = 0;

    for (uint32_t c = 0; c < classes; c++) {
        if (!b->failing[c]) {
            b->failing[c] = b->size[c] < kn__judge_least(judge) ||
                            !kn__judge_class(judge, b->scratch, b->records + b->begin[c],
                                             b->size[c]);
        }
        suppressed += b->failing[c] ? b->size[c] : 0;
    }
    return suppressed;
}

/* With t-closeness, classes are compared with what is published; removing records changes that,
 * which may break other classes. Until nothing changes. */
static kn_status fail_until_stable(const search *s, worker *b, uint32_t classes, size_t *suppressed)
{
    const kn_task *task = s->task;
    kn_judge_scratch *const own = b->scratch;
    kn_judge *judge = NULL;
    kn_judge_scratch *scratch = NULL;
    size_t before = 0;
    kn_status status = KN_OK;

    while (*suppressed > before && *suppressed < s->tuples->records) {
        before = *suppressed;
        for (size_t r = 0; r < task->ds->records; r++) {
            b->kept[r] = !(task->barred && task->barred[r]);
        }
        for (uint32_t c = 0; c < classes; c++) {
            for (uint32_t i = b->begin[c]; b->failing[c] && i < b->begin[c + 1]; i++) {
                b->kept[b->records[i]] = 0;
            }
        }
        kn__judge_scratch_free(scratch);
        kn__judge_free(judge);
        scratch = NULL;
        judge = NULL;
        KN_TRY(kn__judge_new(&judge, task->options->guarantees, task->options->guarantees_count,
                             task->ds, task->hierarchies, b->kept, NULL));
        KN_TRY(kn__judge_scratch_new(&scratch, judge, NULL));
        b->scratch = scratch;
        *suppressed = fail_by_judge(judge, b, classes);
        b->scratch = own;
    }
done:
    kn__judge_scratch_free(scratch);
    kn__judge_free(judge);
    return status;
}

/* Kept as starred rows, the suppressed records (those barred from the start too) are a class like
 * any other. */
static bool starred_hold(const search *s, worker *b, uint32_t classes, size_t suppressed)
{
    const kn_task *task = s->task;
    const size_t all = suppressed + task->barred_count;
    size_t at = 0;

    if (all == 0) {
        return true;
    }
    if (kn__judge_size_only(s->judge)) {
        return all >= kn__judge_least(s->judge);
    }
    for (uint32_t c = 0; c < classes; c++) {
        for (uint32_t i = b->begin[c]; b->failing[c] && i < b->begin[c + 1]; i++) {
            b->starred[at++] = b->records[i];
        }
    }
    for (size_t r = 0; task->barred && r < task->ds->records; r++) {
        if (task->barred[r]) {
            b->starred[at++] = (uint32_t)r;
        }
    }
    return kn__judge_class(s->judge, b->scratch, b->starred, at);
}

/* Group the tuples `t` at `node`, find the failing classes. Leaves classes and `failing` in the
 * worker. */
static uint32_t evaluate_node(const search *s, worker *b, const kn_tuples *t, size_t node,
                              verdict *v)
{
    const bool removed = s->task->options->suppressed == KN_SUPPRESSED_REMOVED;
    uint32_t classes;

    levels_of(s, node, b->level);
    classes = kn__grouper_group(b->grouper, t, NULL, t->count, b->level, b->class_of);
    memset(b->size, 0, classes * sizeof *b->size);
    for (uint32_t i = 0; i < t->count; i++) {
        b->size[b->class_of[i]] += t->size[i];
    }
    *v = (verdict){.status = KN_OK};
    v->suppressed = fail_by_size(s, b, classes);
    /* Classes that are too small only get smaller below, whatever else is asked of them. */
    v->all_below = v->suppressed + s->task->barred_count > s->task->limit;
    if (!v->all_below && !kn__judge_size_only(s->judge)) {
        sort_records(s, b, classes);
        v->suppressed = fail_by_judge(s->judge, b, classes);
        if (removed && kn__judge_needs_reference(s->judge)) {
            v->status = fail_until_stable(s, b, classes, &v->suppressed);
        }
    }
    v->above_limit = v->suppressed + s->task->barred_count > s->task->limit;
    v->all_below = v->all_below || (v->above_limit && s->prunes_below);
    /* A release without a record is none, whatever the limit allows. */
    v->feasible = !v->status && !v->above_limit &&
                  (removed ? v->suppressed < s->tuples->records || s->tuples->records == 0
                           : starred_hold(s, b, classes, v->suppressed));
    return classes;
}

static verdict evaluate(const search *s, worker *b, size_t node)
{
    verdict v;
    const kn_tuples *t;
    uint32_t classes;

    levels_of(s, node, b->level);
    t = source_for(s, b->level);
    classes = evaluate_node(s, b, t, node, &v);
    if (v.feasible) {
        v.value = kn__objective_value(&s->objective,
                                      &(kn_node_candidate){.tuples = t,
                                                           .levels = s->levels,
                                                           .level = b->level,
                                                           .classes = classes,
                                                           .class_of = b->class_of,
                                                           .size = b->size,
                                                           .failing = b->failing,
                                                           .suppressed = v.suppressed,
                                                           .scratch = b->objective_scratch});
    }
    return v;
}

static void evaluate_slice(void *user, unsigned number, size_t begin, size_t end)
{
    search *s = user;

    for (size_t i = begin; i < end; i++) {
        s->verdicts[i] = evaluate(s, &s->workers[number], s->batch[i]);
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
    take_snapshot(s);
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
    kn_status status = KN_OK;

    s->batch[0] = at;
    s->batch_len = 1;
    KN_TRY(run_batch(s, err));
    while (s->best != SIZE_MAX) {
        size_t next = SIZE_MAX;
        double value = INFINITY;
        s->batch_len = 0;
        for (size_t q = 0; q < s->task->qis && s->batch_len < BATCH; q++) {
            if (at / s->stride[q] % s->levels[q].levels > 0) {
                s->batch[s->batch_len++] = at - s->stride[q];
            }
        }
        KN_TRY(run_batch(s, err));
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
        KN_TRY(kn__run_step(s->task->run, "search", -1, err));
    }
done:
    return status;
}

typedef struct place {
    double bound;
    uint32_t node;
} place;

static int by_bound_down(const void *x, const void *y)
{
    const place *a = x, *b = y;

    return a->bound > b->bound ? -1 : a->bound < b->bound ? 1 : a->node < b->node ? 1 : -1;
}

static kn_status exhaust(search *s, kn_error *err)
{
    place *order = kn__malloc_array(s->nodes, sizeof *order);
    size_t count = 0;
    kn_status status = KN_OK;
    uint16_t level[MOST_QIS];

    if (!order) {
        return kn__nomem(err);
    }
    for (size_t node = 0; node < s->nodes; node++) {
        if (!s->state[node]) {
            levels_of(s, node, level);
            order[count].bound = kn__objective_bound(&s->objective, s->levels, level);
            order[count].node = (uint32_t)node;
            count += s->best == SIZE_MAX || order[count].bound < s->best_verdict.value;
        }
    }
    qsort(order, count, sizeof *order, by_bound_down);
    for (size_t i = 0; i < count;) {
        for (s->batch_len = 0; s->batch_len < BATCH && i < count; i++) {
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
    const uint32_t classes = evaluate_node(s, b, s->tuples, s->best, &v);
    uint32_t groups = 0;
    kn_status status;

    for (uint32_t c = 0; c < classes; c++) {
        b->begin[c] = b->failing[c] ? KN_SUPPRESSED : groups++;
    }
    KN_TRY(kn__grouping_init(out, task, groups, err));
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
done:
    return status;
}

static kn_status prepare(search *s, kn_error *err)
{
    const kn_task *task = s->task;
    kn_status status;

    KN_TRY(kn__tuples_new(&s->tuples, task, err));
    KN_TRY(kn__task_judge(task, &s->judge, err));
    s->levels = kn__zalloc_array(task->qis, sizeof *s->levels);
    KN_TRY(s->levels ? KN_OK : kn__nomem(err));
    for (size_t q = 0; q < task->qis; q++) {
        KN_TRY(kn__qi_levels_of_domain(&s->levels[q], task->domain[q], err));
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
    KN_TRY(kn__objective_init(&s->objective, task, s->tuples, s->levels, err));
    s->takes_snapshots = kn__judge_size_only(s->judge) &&
                         s->objective.kind != KN_OBJECTIVE_CLASSIFICATION;
    s->prunes_below = kn__judge_grows(s->judge) || task->limit == task->barred_count;
    s->best = SIZE_MAX;
    s->state = kn__zalloc_array(s->nodes, 1);
    s->threads = kn__run_threads(task->run);
    s->workers = kn__zalloc_array(s->threads, sizeof *s->workers);
    s->snapshots = kn__malloc_array(MOST_SNAPSHOTS, sizeof *s->snapshots);
    KN_TRY(s->state && s->workers && s->snapshots ? KN_OK : kn__nomem(err));
    for (unsigned i = 0; i < s->threads; i++) {
        KN_TRY(worker_init(&s->workers[i], s, err));
    }
done:
    return status;
}

static void search_clear(search *s)
{
    for (unsigned i = 0; s->workers && i < s->threads; i++) {
        worker_clear(&s->workers[i]);
    }
    for (size_t q = 0; s->levels && q < s->task->qis; q++) {
        kn__qi_levels_clear(&s->levels[q]);
    }
    for (size_t i = 0; i < s->snapshots_count; i++) {
        kn__tuples_free(s->snapshots[i].tuples);
    }
    kn__free(s->snapshots);
    kn__objective_clear(&s->objective);
    kn__free(s->workers);
    kn__free(s->levels);
    kn__free(s->state);
    kn__judge_free(s->judge);
    kn__tuples_free(s->tuples);
}

kn_status kn__method_flash(const kn_task *task, kn_grouping *out, kn_error *err)
{
    search s = {.task = task};
    kn_status status;

    if (task->qis > MOST_QIS) {
        return kn__fail(err, KN_EUSAGE,
                        "flash: more than %d quasi-identifiers: use method local or mondrian",
                        MOST_QIS);
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
    .table = kn__method_flash,
};
