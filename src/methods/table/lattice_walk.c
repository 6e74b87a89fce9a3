/* lattice_walk.c - local recoding by a walk over the generalisation lattice.
 *
 * Nodes are visited in the order of what they cost the records on average. A class of the tuples
 * left that satisfies the guarantee is taken out as a group, published as narrowly as its members
 * allow. In a first round only classes that are not dearer than their node's average are taken: a
 * dear class may find a cheaper place at a later node. When nodes times tuples exceed the work
 * allowed, nodes are skipped evenly. */
#include "base/arena.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/threads.h"
#include "methods/table/local.h"

#include <math.h>
#include <string.h>

enum {
    SHRINKING = 16,  /* how many times less the tuples left are on average than those left now */
    STEP_EVERY = 256 /* nodes between two calls of progress */
};

#define PATIENCE 1.05 /* how much dearer than its node a class may be in the first round */

typedef struct walk {
    kn_arena arena;
    kn_groups *g;
    const kn_qi_levels *levels;
    size_t qis;
    kn_ranked *order;
    size_t nodes;
    kn_grouper *grouper;
    uint16_t *level;
    uint32_t *left, left_count; /* tuples without a group */
    uint32_t *class_of, *size, *begin, *sorted;
    uint8_t *taken;
    kn_value_span *span;
    double work;
    const kn_run *run;
} walk;

static void levels_of(const walk *w, uint32_t node)
{
    for (size_t q = 0; q < w->qis; q++) {
        w->level[q] = (uint16_t)(node % w->levels[q].levels);
        node /= w->levels[q].levels;
    }
}

static kn_status prepare(walk *w, kn_error *err)
{
    const uint32_t tuples = w->g->tuples->count;
    const double *weight = w->g->costs->task->weight;

    KN_PASS(kn__grouper_new(&w->grouper, w->levels, w->qis, tuples ? tuples : 1, err));
    w->nodes = kn__lattice_size(w->levels, w->qis);
    w->order = kn__arena_take(&w->arena, w->nodes, sizeof *w->order);
    w->level = kn__arena_take(&w->arena, w->qis, sizeof *w->level);
    w->left = kn__arena_take(&w->arena, tuples, sizeof *w->left);
    w->class_of = kn__arena_take(&w->arena, tuples, sizeof *w->class_of);
    w->size = kn__arena_take(&w->arena, tuples, sizeof *w->size);
    w->begin = kn__arena_take(&w->arena, (size_t)tuples + 1, sizeof *w->begin);
    w->sorted = kn__arena_take(&w->arena, tuples, sizeof *w->sorted);
    w->taken = kn__arena_take(&w->arena, tuples, 1);
    w->span = kn__arena_take(&w->arena, w->qis, sizeof *w->span);
    KN_PASS(kn__arena_check(&w->arena, err));
    for (uint32_t node = 0; node < w->nodes; node++) {
        double cost = 0;
        levels_of(w, node);
        for (size_t q = 0; q < w->qis; q++) {
            cost += weight[q] * w->levels[q].mean[w->level[q]];
        }
        w->order[node] = (kn_ranked){cost, node};
    }
    kn__sort_ranked(w->order, w->nodes);
    for (uint32_t t = 0; t < tuples; t++) {
        w->left[t] = t;
    }
    w->left_count = tuples;
    return KN_OK;
}

static void walk_clear(walk *w)
{
    kn__grouper_free(w->grouper);
    kn__arena_clear(&w->arena);
}

/* The tuples left, class by class, in w->sorted. */
static void sort_by_class(walk *w, uint32_t classes)
{
    uint32_t at = 0;

    memset(w->begin, 0, classes * sizeof *w->begin);
    for (uint32_t i = 0; i < w->left_count; i++) {
        w->begin[w->class_of[i]]++;
    }
    for (uint32_t c = 0; c < classes; c++) {
        const uint32_t len = w->begin[c];
        w->begin[c] = at;
        at += len;
    }
    for (uint32_t i = 0; i < w->left_count; i++) {
        w->sorted[w->begin[w->class_of[i]]++] = w->left[i];
    }
    memmove(w->begin + 1, w->begin, classes * sizeof *w->begin);
    w->begin[0] = 0;
}

static double cost_of(walk *w, const uint32_t *tuples, uint32_t len)
{
    const kn_costs *costs = w->g->costs;

    kn__span_of_tuple(costs, kn__tuple(w->g->tuples, tuples[0]), w->span);
    for (uint32_t i = 1; i < len; i++) {
        kn__span_extend(costs, w->span, kn__tuple(w->g->tuples, tuples[i]));
    }
    return kn__span_cost(costs, w->span);
}

/* Take the classes of this node that hold and cost at most `most` a record. */
static kn_status visit(walk *w, uint32_t node, double most, kn_error *err)
{
    const kn_tuples *t = w->g->tuples;
    uint32_t classes, kept = 0;
    bool any = false;

    levels_of(w, node);
    classes = kn__grouper_group(w->grouper, t, w->left, w->left_count, w->level, w->class_of);
    w->work += w->left_count;
    memset(w->size, 0, classes * sizeof *w->size);
    for (uint32_t i = 0; i < w->left_count; i++) {
        w->size[w->class_of[i]] += t->size[w->left[i]];
    }
    for (uint32_t c = 0; c < classes && !any; c++) {
        any = w->size[c] >= w->g->least;
    }
    if (!any) {
        return KN_OK;
    }
    sort_by_class(w, classes);
    for (uint32_t c = 0; c < classes; c++) {
        const uint32_t *tuples = w->sorted + w->begin[c], len = w->begin[c + 1] - w->begin[c];
        uint32_t group;
        w->taken[c] = w->size[c] >= w->g->least && cost_of(w, tuples, len) <= most &&
                      kn__groups_holds(w->g, tuples, len, KN_NO_CODE);
        if (w->taken[c]) {
            KN_PASS(kn__groups_add(w->g, &group, err));
        }
        for (uint32_t i = 0; w->taken[c] && i < len; i++) {
            KN_PASS(kn__groups_put(w->g, group, tuples[i], err));
        }
    }
    for (uint32_t i = 0; i < w->left_count; i++) {
        if (!w->taken[w->class_of[i]]) {
            w->left[kept++] = w->left[i];
        }
    }
    w->left_count = kept;
    return KN_OK;
}

/* One round over the lattice with at most `budget` tuples grouped. */
static kn_status round_over(walk *w, double patience, double budget, kn_error *err)
{
    size_t visits = 0;

    w->work = 0;
    for (size_t i = 0; i < w->nodes && w->left_count;) {
        const double to_do = (double)(w->nodes - i) * w->left_count;
        const double room = budget > w->work ? budget - w->work : 1;
        size_t skip = (size_t)ceil(to_do / (SHRINKING * room));
        KN_PASS(visit(w, w->order[i].id,
                      isinf(patience) ? INFINITY : w->order[i].rank * patience + 1e-12, err));
        skip = skip < 1 ? 1 : skip;
        if (visits++ % STEP_EVERY == 0) {
            KN_PASS(kn__run_step(w->run, "walk", (double)i / (double)w->nodes, err));
        }
        /* The last node has everything in one class: never skip it. */
        i = i + skip < w->nodes || i == w->nodes - 1 ? i + skip : w->nodes - 1;
    }
    return KN_OK;
}

/* Tuples that no class of the lattice took in: each joins the cheapest group that still holds with
 * it. */
static kn_status place_singly(walk *w, kn_error *err)
{
    kn_groups *g = w->g;
    uint32_t kept = 0;
    kn_status status = KN_OK;

    for (uint32_t i = 0; i < w->left_count; i++) {
        const uint32_t t = w->left[i];
        double best_price = INFINITY;
        uint32_t best = KN_NO_CODE;
        for (uint32_t j = 0; j < g->count; j++) {
            const double price = kn__groups_price(g, j, t);
            if (price < best_price &&
                (kn__judge_grows(g->judge) ||
                 kn__groups_holds(g, g->group[j].tuples, g->group[j].len, t))) {
                best_price = price;
                best = j;
            }
        }
        if (best == KN_NO_CODE) {
            w->left[kept++] = t;
        } else {
            KN_TRY(kn__groups_put(g, best, t, err));
        }
    }
done:
    w->left_count = kept;
    return status;
}

/* Tuples that no group can take become one group, which is merged with others until it holds. The
 * group of all tuples holds: that was checked before. */
static kn_status place_together(walk *w, kn_error *err)
{
    kn_groups *g = w->g;
    uint32_t rest;

    KN_PASS(kn__groups_add(g, &rest, err));
    for (uint32_t i = 0; i < w->left_count; i++) {
        KN_PASS(kn__groups_put(g, rest, w->left[i], err));
    }
    while (!kn__groups_holds(g, g->group[rest].tuples, g->group[rest].len, KN_NO_CODE)) {
        double best_price = INFINITY;
        uint32_t best = KN_NO_CODE;
        for (uint32_t j = 0; j < rest; j++) {
            if (g->group[j].size) {
                /* Joining makes both at least as dear as this group with the rest's first tuple. */
                const double price = kn__groups_price(g, j, g->group[rest].tuples[0]);
                if (price < best_price) {
                    best_price = price;
                    best = j;
                }
            }
        }
        if (best == KN_NO_CODE) {
            return kn__fail(err, KN_EINFEASIBLE, "the guarantee cannot be met by these records");
        }
        for (uint32_t i = 0; i < g->group[best].len; i++) {
            KN_PASS(kn__groups_put(g, rest, g->group[best].tuples[i], err));
        }
        g->group[best].len = 0;
        kn__groups_recompute(g, best);
    }
    return KN_OK;
}

kn_status kn__local_walk(kn_groups *g, const kn_qi_levels *levels, double work, const kn_run *run,
                         kn_error *err)
{
    walk w = {.g = g, .levels = levels, .qis = g->costs->qis, .run = run};
    kn_status status;

    KN_TRY(prepare(&w, err));
    KN_TRY(round_over(&w, PATIENCE, work, err));
    if (w.left_count) {
        KN_TRY(round_over(&w, INFINITY, work, err));
    }
    if (w.left_count) {
        KN_TRY(place_singly(&w, err));
    }
    if (w.left_count) {
        KN_TRY(place_together(&w, err));
    }
    KN_TRY(g->failed ? kn__nomem(err) : KN_OK);
done:
    walk_clear(&w);
    return status;
}
