/* flash_evaluate.c - evaluate one node of the lattice: group the tuples, find the classes that
 * fail, and compute the objective. Snapshots are classes of nodes that all nodes of a batch lie
 * above. */
#include "methods/table/flash.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef kn_flash_snapshot snapshot;
typedef kn_flash_worker worker;
typedef kn_flash_verdict verdict;
typedef kn_flash_search search;

/* The tuples in the order of their codes: a counting sort by each quasi-identifier, the last one
 * first. O(quasi-identifiers x (tuples + values)). */
static kn_status order_tuples(uint32_t **out, const search *s, kn_error *err)
{
    const kn_tuples *t = s->tuples;
    uint32_t *order = kn__malloc_array(t->count, sizeof *order);
    uint32_t *next = kn__malloc_array(t->count, sizeof *next), *begin = NULL;
    kn_status status;

    KN_TRY(order && next ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < t->count; i++) {
        order[i] = i;
    }
    for (size_t q = t->qis; q-- > 0;) {
        const uint32_t values = kn__column_values(&s->task->ds->column[s->task->qi[q]]);
        uint32_t *sorted = next;
        kn__free(begin);
        begin = kn__zalloc_array((size_t)values + 1, sizeof *begin);
        KN_TRY(begin ? KN_OK : kn__nomem(err));
        for (uint32_t i = 0; i < t->count; i++) {
            begin[kn__tuple(t, i)[q] + 1]++;
        }
        for (uint32_t v = 0; v < values; v++) {
            begin[v + 1] += begin[v];
        }
        for (uint32_t i = 0; i < t->count; i++) {
            sorted[begin[kn__tuple(t, order[i])[q]]++] = order[i];
        }
        next = order;
        order = sorted;
    }
    *out = order;
    order = NULL;
done:
    KN_FREE(order, next, begin);
    return status;
}

kn_status kn__flash_worker_init(worker *b, const search *s, kn_error *err)
{
    const uint32_t tuples = s->tuples->count;
    const bool by_size = kn__judge_size_only(s->judge);
    const bool moves = kn__judge_reference_moves(s->judge);

    KN_PASS(kn__grouper_new(&b->grouper, s->levels, s->task->qis, tuples ? tuples : 1, err));
    KN_PASS(kn__judge_scratch_new(&b->scratch, s->judge, err));
    b->class_of = kn__arena_take(&b->arena, tuples, sizeof *b->class_of);
    b->size = kn__arena_take(&b->arena, tuples, sizeof *b->size);
    b->failing = kn__arena_take(&b->arena, tuples, 1);
    b->begin = kn__arena_take(&b->arena, (size_t)tuples + 1, sizeof *b->begin);
    b->records = kn__arena_take(&b->arena, by_size ? 1 : s->tuples->begin[tuples],
                                sizeof *b->records);
    b->kept = kn__arena_take(&b->arena, moves ? s->task->ds->records : 1, 1);
    b->far = kn__arena_take(&b->arena, moves ? tuples : 1, sizeof *b->far);
    KN_PASS(moves ? order_tuples(&b->order, s, err) : KN_OK);
    b->starred = kn__arena_take(&b->arena, by_size ? 1 : s->task->ds->records, sizeof *b->starred);
    b->objective_scratch = kn__arena_take(&b->arena,
                                          kn__objective_scratch(&s->objective, s->tuples),
                                          sizeof *b->objective_scratch);
    return kn__arena_check(&b->arena, err);
}

void kn__flash_worker_clear(worker *b)
{
    kn__grouper_free(b->grouper);
    kn__judge_scratch_free(b->scratch);
    kn__arena_clear(&b->arena);
    kn__free(b->order);
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
void kn__flash_take_snapshot(search *s)
{
    worker *b = &s->workers[0];
    snapshot shot;
    const kn_tuples *from;
    uint32_t classes;

    if (!s->takes_snapshots || s->batch_len < 2 || s->snapshots_count == KN_FLASH_SNAPSHOTS) {
        return;
    }
    kn__flash_levels_of(s, s->batch[0], shot.level);
    for (size_t i = 1; i < s->batch_len; i++) {
        kn__flash_levels_of(s, s->batch[i], b->level);
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

    memset(b->begin, 0, (classes + (size_t)1) * sizeof *b->begin);
    for (uint32_t i = 0; i < t->count; i++) {
        b->begin[b->class_of[i] + 1] += t->begin[i + 1] - t->begin[i];
    }
    for (uint32_t c = 0; c < classes; c++) {
        b->begin[c + 1] += b->begin[c];
    }
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t *to = &b->begin[b->class_of[i]];
        const uint32_t len = t->begin[i + 1] - t->begin[i];
        memcpy(b->records + *to, t->members + t->begin[i], len * sizeof *b->records);
        *to += len;
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
                                             b->begin[c + 1] - b->begin[c]);
        }
        suppressed += b->failing[c] ? b->size[c] : 0;
    }
    return suppressed;
}

/* The judge of what is left without the failing classes. */
static kn_status judge_rest(const search *s, worker *b, uint32_t classes, kn_judge **out)
{
    const kn_task *task = s->task;

    for (size_t r = 0; r < task->ds->records; r++) {
        b->kept[r] = !(task->barred && task->barred[r]);
    }
    for (uint32_t c = 0; c < classes; c++) {
        for (uint32_t i = b->begin[c]; b->failing[c] && i < b->begin[c + 1]; i++) {
            b->kept[b->records[i]] = 0;
        }
    }
    kn__judge_free(*out);
    return kn__judge_new(out, task->options->guarantees, task->options->guarantees_count, task->ds,
                         task->hierarchies, b->kept, NULL);
}

/* Let the classes fail that `judge` finds farthest from what is asked: one in PER_ROUND of those
 * that fail by now, and all that no other reference mends. Ties go by the least tuple of a class,
 * so that the order of the records does not matter. @return the records in all failing classes. */
static size_t fail_farthest(const search *s, const kn_judge *judge, worker *b, uint32_t classes)
{
    enum { PER_ROUND = 8, FAILING = 1, SEEN = 2 };
    size_t far = 0, lost = 0, suppressed = 0;

    for (uint32_t i = 0; i < s->tuples->count; i++) {
        const uint32_t c = b->class_of[b->order[i]];
        double excess;
        if (b->failing[c]) {
            continue;
        }
        b->failing[c] = SEEN;
        excess = kn__judge_excess(judge, b->scratch, b->records + b->begin[c],
                                  b->begin[c + 1] - b->begin[c]);
        if (excess > 0) {
            b->far[far++] = (kn_ranked){excess, i};
            lost += isinf(excess) != 0;
        }
    }
    kn__sort_ranked_down(b->far, far);
    if (lost == 0 && far > 0) {
        lost = far < PER_ROUND ? 1 : far / PER_ROUND;
    }
    for (size_t i = 0; i < lost; i++) {
        b->failing[b->class_of[b->order[b->far[i].id]]] = FAILING;
    }
    for (uint32_t c = 0; c < classes; c++) {
        b->failing[c] = b->failing[c] == FAILING;
        suppressed += b->failing[c] ? b->size[c] : 0;
    }
    return suppressed;
}

/* Where classes are compared with what is published (t-closeness), removing some changes the
 * verdict on others, in both directions. Which to remove so that the fewest records are lost is a
 * problem of subsets; this removes the farthest classes first and judges the others anew, until all
 * that are left hold or more is removed than is allowed. `*suppressed`: records in classes that
 * fail already, in and out. How far that is from the best choice: docs/methods.md. */
static kn_status fail_until_stable(const search *s, worker *b, uint32_t classes, size_t *suppressed)
{
    const size_t limit = s->task->limit - s->task->barred_count;
    kn_judge *judge = NULL;
    size_t before;
    kn_status status = KN_OK;

    do {
        before = *suppressed;
        KN_TRY(before ? judge_rest(s, b, classes, &judge) : KN_OK);
        *suppressed = fail_farthest(s, judge ? judge : s->judge, b, classes);
    } while (*suppressed > before && *suppressed <= limit);
done:
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

uint32_t kn__flash_evaluate_node(const search *s, worker *b, const kn_tuples *t, size_t node,
                                 verdict *v)
{
    const bool removed = s->task->options->suppressed == KN_SUPPRESSED_REMOVED;
    uint32_t classes;

    kn__flash_levels_of(s, node, b->level);
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
        if (removed && kn__judge_reference_moves(s->judge)) {
            v->status = fail_until_stable(s, b, classes, &v->suppressed);
        } else {
            v->suppressed = fail_by_judge(s->judge, b, classes);
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

verdict kn__flash_evaluate(const search *s, worker *b, size_t node)
{
    verdict v;
    const kn_tuples *t;
    uint32_t classes;

    kn__flash_levels_of(s, node, b->level);
    t = source_for(s, b->level);
    classes = kn__flash_evaluate_node(s, b, t, node, &v);
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
