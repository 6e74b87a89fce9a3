/* search.c - top-down search over the cuts of the hierarchies: acs, gcs, ocs, and our own ecs.
 *
 * The search begins with the roots of all classes, or, where these break k^m-anonymity, with
 * nothing published. A value whose specialisation fails stays closed for all cuts below.
 *
 * acs visits every cut once: of siblings ordered by cost, a later one may not specialise what an
 * earlier one did (the cut-enumeration tree of Figure 10). gcs and its relatives follow only the
 * g cheapest children of each cut, and no child that costs more than its parent. The cheapest
 * children from the first cut on are the main line. A cut beside it may not specialise what any cut
 * that was followed before it did ("the value is marked as closed in the following cuts", section
 * 3.3). So the number of cuts evaluated is at most quadratic in the number of labels, times g.
 * Equal costs go to the finer cut.
 *
 * A cut beside the main line is left as it is where nothing below it can be cheaper than the best
 * cut so far (reach.h). What children cost is in children.h. */
#include "methods/trees/children.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEPT = 64 }; /* cuts in the queue whose relations are kept */

/* Keep `x` if it is the best cut so far; `*cut`, its disassociations, are taken then. */
static kn_status keep_best(kn_tree_searching *s, const kn_cut_state *x, kn_disassociation **cut,
                           size_t cuts, kn_error *err)
{
    kn_cut_state *copy;
    kn_status status;

    if (s->best && x->cost > s->best->cost) {
        return KN_OK;
    }
    status = kn__cut_state_copy(s->labels, &copy, x, err);
    if (status == KN_OK) {
        kn__cut_state_free(s->best);
        s->best = copy;
        kn__free(s->cut);
        s->cut = *cut;
        s->cuts = cuts;
        *cut = NULL;
    }
    return status;
}

/* Queue the children of `from` that are worth it. */
static kn_status follow(kn_tree_searching *s, const kn_cut_state *from, kn_child *list,
                        size_t count, kn_error *err)
{
    const size_t most = s->kind == KN_ALL_CUTS ? count : s->task->g;
    kn_cut_state *base = NULL, *child = NULL;
    const double own = kn__cut_factor(from->estimate, from->cost);
    kn_status status;

    KN_TRY(kn__cut_state_copy(s->labels, &base, from, err));
    qsort(list, count, sizeof *list, kn__child_by_cost);
    for (size_t i = count; i-- > 0 && list[i].outcome == KN_CHILD_FAILED;) {
        base->closed[list[i].label] = 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (list[i].cost > 0) {
            base->factor[list[i].label] = kn__cut_factor(list[i].estimate, list[i].cost) / own;
        }
    }
    for (size_t i = 0; i < count && i < most && list[i].outcome == KN_CHILD_SOLVED; i++) {
        if (s->kind != KN_ALL_CUTS && list[i].cost > from->cost) {
            break;
        }
        KN_TRY(kn__cut_state_copy(s->labels, &child, base, err));
        child->specialised[list[i].label] = 1;
        child->estimate = list[i].estimate;
        child->cost = list[i].cost;
        child->violations = list[i].violations;
        list[i].violations = (kn_tree_violations){0};
        child->last = list[i].label;
        child->main = from->main && i == 0 && s->kind != KN_ALL_CUTS;
        child->above = from->number;
        if (s->queue.count < MOST_KEPT) {
            child->relations = list[i].relations;
            list[i].relations = NULL;
        }
        status = keep_best(s, child, &list[i].cut, list[i].cuts, err);
        if (status == KN_OK) {
            status = kn__cut_queue_push(&s->queue, child, err);
            child = NULL;
        }
        KN_TRY(status);
        base->closed[list[i].label] = 1;
    }
done:
    kn__cut_state_free(base);
    kn__cut_state_free(child);
    return status;
}

/* Make s->view that of `x`: from that of the cut above where this is still at hand. */
static kn_status view_of(kn_tree_searching *s, const kn_cut_state *x, kn_error *err)
{
    uint32_t *known = kn__malloc_array(s->task->forest->values, sizeof *known), *records = NULL;
    size_t count;
    kn_status status = known ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    kn__cut_labels(&s->space, x->specialised, known);
    kn__tree_known(s->task, known, known);
    if (s->view && x->last != KN_NO_LABEL && s->viewed == x->above) {
        KN_TRY(kn__cut_records(s, x->last, &records, &count, err));
        KN_TRY(kn__cut_view_move(s->view, known, records, count, err));
    } else {
        kn__cut_view_free(s->view);
        KN_TRY(kn__cut_view_new(&s->view, s->task, known, s->kind == KN_EXACT_CUTS, err));
    }
    s->viewed = x->number;
done:
    KN_FREE(known, records);
    return status;
}

static kn_status expand(kn_tree_searching *s, const kn_cut_state *from, kn_error *err)
{
    kn_child *list = kn__zalloc_array(s->labels, sizeof *list);
    kn_expansion x = {.s = s, .from = from, .list = list};
    kn_relation_index *relations = NULL;
    size_t count = 0;
    bool promising = true;
    kn_status status;

    KN_TRY(list ? kn__children_begin(&x, err) : kn__nomem(err));
    if (s->kind != KN_ALL_CUTS && from->last != KN_NO_LABEL) {
        s->closed[from->last] = 1;
    }
    for (uint32_t l = 0; l < s->labels; l++) {
        const uint32_t *child;
        if (kn__cut_has(&s->space, from->specialised, l) &&
            kn__cut_children(&s->space, l, &child) && !from->closed[l] &&
            !kn__cut_is_fixed(&s->space, l) &&
            (!s->closed[l] || from->main || s->kind == KN_ALL_CUTS)) {
            list[count].label = l;
            list[count++].outcome = KN_CHILD_SKIPPED;
        }
    }
    if (!from->main) { /* no cut of the main line comes any more */
        kn__lookahead_clear(&s->lookahead);
    }
    if (count > 0 && s->kind != KN_ALL_CUTS && !from->main) {
        promising = !kn__children_are_hopeless(&x, count);
        KN_TRY(promising ? kn__cut_reach(&promising, &s->reach, from->specialised, from->closed,
                                         s->closed, s->best->cost, err)
                         : KN_OK);
        count = promising ? count : 0;
    }
    if (s->task->most_cuts && count > s->task->most_cuts - s->examined) {
        count = s->task->most_cuts - s->examined;
    }
    s->examined += count;
    if (count > 0) {
        KN_TRY(view_of(s, from, err));
        x.view = s->view;
    }
    KN_TRY(kn__children_screen(&x, count, err));
    x.relations = from->relations;
    if (count > 0 && s->task->n > 0 && !from->relations) {
        KN_TRY(kn__relation_index_new(&relations, x.view->synopsis, err));
        x.relations = relations;
    }
    KN_TRY(kn__children_solve(&x, count, err));
    KN_TRY(follow(s, from, list, count, err));
done:
    for (size_t i = 0; list && i < count; i++) {
        kn__child_clear(&list[i]);
    }
    kn__free(list);
    kn__expansion_clear(&x);
    kn__relation_index_free(relations);
    return status;
}

/* The roots of all classes; nothing at all where they are too rare. */
static kn_status begin(kn_tree_searching *s, kn_error *err)
{
    kn_cut_state *x = NULL;
    uint32_t *to = kn__malloc_array(s->task->forest->values, sizeof *to);
    uint32_t *order = kn__malloc_array(s->labels, sizeof *order);
    kn_tree_solution solution = {0};
    size_t first, len;
    kn_status status;

    KN_TRY(to && order ? kn__cut_state_copy(s->labels, &x, NULL, err) : kn__nomem(err));
    x->last = KN_NO_LABEL;
    x->main = true;
    for (uint32_t c = 0; c < s->d->classes; c++) {
        x->specialised[s->d->labels + c] = 1;
    }
    len = kn__cut_order(&s->space, x->specialised, KN_NO_LABEL, KN_NO_LABEL, order, &first);
    status = kn__cut_check_values(&s->space, order, len, len, KN_NO_LABEL, s->task->run, err);
    if (status == KN_OK) {
        kn__cut_labels(&s->space, x->specialised, to);
        status = kn__tree_solve(&solution, s->task, s->kind, to, NULL, INFINITY, err);
        x->cost = solution.cost;
        x->violations = solution.violations;
        solution.violations = (kn_tree_violations){0};
        x->relations = solution.relations;
        solution.relations = NULL;
    }
    if (status == KN_EINFEASIBLE) {
        memset(x->specialised, 0, s->labels);
        kn__relation_index_free(x->relations);
        x->relations = NULL;
        x->cost = s->kind == KN_EXACT_CUTS ? 1 : (double)s->task->forest->records;
        status = KN_OK;
    }
    KN_TRY(status);
    s->examined++;
    x->estimate = x->cost;
    KN_TRY(keep_best(s, x, &solution.cut, solution.cuts, err));
    status = kn__cut_queue_push(&s->queue, x, err);
    x = NULL;
    KN_TRY(status);
done:
    kn__cut_state_free(x);
    KN_FREE(to, order);
    kn__tree_solution_clear(&solution);
    return status;
}

static void search_clear(kn_tree_searching *s)
{
    kn__cut_reach_clear(&s->reach);
    kn__lookahead_clear(&s->lookahead);
    kn__cut_view_free(s->view);
    kn__cut_space_clear(&s->space);
    kn__cut_queue_clear(&s->queue);
    KN_FREE(s->closed, s->cut, s->share, s->least);
    kn__cut_state_free(s->best);
}

kn_status kn__tree_search(kn_tree_solution *out, const kn_tree_task *task, kn_cut_search kind,
                          kn_error *err)
{
    kn_tree_searching s = {.task = task,
                           .d = task->domain,
                           .kind = kind,
                           .labels = task->domain->labels + task->domain->classes};
    kn_status status;

    *out = (kn_tree_solution){0};
    s.reach = (kn_cut_reach){.space = &s.space, .exact = kind == KN_EXACT_CUTS};
    s.closed = kn__zalloc_array(s.labels, 1);
    s.share = kn__zalloc_array(s.labels, sizeof *s.share);
    s.least = kn__zalloc_array(s.labels, sizeof *s.least);
    KN_TRY(s.closed && s.share && s.least ? kn__cut_space_init(&s.space, task, err)
                                          : kn__nomem(err));
    KN_TRY(kn__lookahead_init(&s.lookahead, &s.space, err));
    KN_TRY(begin(&s, err));
    while (s.queue.count && (!task->most_cuts || s.examined < task->most_cuts)) {
        kn_cut_state *next = kn__cut_queue_pop(&s.queue);
        status = expand(&s, next, err);
        kn__cut_state_free(next);
        KN_TRY(status);
    }
    out->to = kn__malloc_array(task->forest->values, sizeof *out->to);
    KN_TRY(out->to ? KN_OK : kn__nomem(err));
    kn__cut_labels(&s.space, s.best->specialised, out->to);
    out->cut = s.cut;
    out->cuts = s.cuts;
    s.cut = NULL;
    out->cost = s.best->cost;
    out->examined = s.examined;
done:
    search_clear(&s);
    if (status != KN_OK) {
        kn__tree_solution_clear(out);
    }
    return status;
}
