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
 * cut so far (reach.h).
 *
 * Children of a cut are screened first: ValueCheck, and the cost without disassociations, of all
 * labels of a class together (lookahead.h) or of each child alone (cut_view.h). Candidates are
 * evaluated by several threads; each evaluation is independent of the others. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/trees/cut_state.h"
#include "methods/trees/cut_view.h"
#include "methods/trees/cuts.h"
#include "methods/trees/lookahead.h"
#include "methods/trees/reach.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 0.9       /* of the factor of another cut */
#define SHARE_MARGIN 0.9 /* of the share of another cut */

enum { MOST_KEPT = 64 }; /* cuts in the queue whose relations are kept */

typedef struct search {
    const kn_tree_task *task;
    const kn_tree_domain *d;
    kn_cut_search kind;
    kn_cut_space space;
    kn_cut_reach reach;
    uint32_t labels; /* space.labels */
    kn_cut_queue queue;
    uint8_t *closed;   /* by label: for all cuts to come */
    kn_cut_view *view; /* of the cut that was expanded last, */
    uint64_t viewed;   /* and its number */
    kn_lookahead lookahead;
    kn_cut_state *best;
    kn_disassociation *cut; /* of the best cut */
    size_t cuts;
    double *share; /* by label: what the child cost in the last cut, as a share of what that cut
                      did, both before disassociations; 0: unknown */
    double *least; /* by label: the least factor of its children in any cut; 0: none */
    size_t examined;
} search;

typedef enum outcome {
    SOLVED,
    SKIPPED, /* it cannot be among the cheapest */
    FAILED   /* it breaks k^m-anonymity, or needs what is not allowed */
} outcome;

/* One child of the cut that is expanded. */
typedef struct candidate {
    uint32_t label; /* to be specialised */
    outcome outcome;
    double estimate, cost; /* without and with disassociations */
    double bound;          /* what it costs at least, as far as can be said before it is solved */
    uint32_t *to;          /* by value: its label */
    kn_tree_violations violations;
    kn_relation_index *relations;
    kn_disassociation *cut;
    size_t cuts;
    kn_status status;
    kn_error error;
} candidate;

/* ---- evaluation of candidates ---- */

typedef struct expansion {
    search *s;
    const kn_cut_state *from;
    const kn_cut_view *view;            /* of `from` */
    const kn_relation_index *relations; /* likewise; NULL: n is 0 */
    candidate *list;
    size_t begin;   /* the candidates to solve begin here */
    double *ahead;  /* by label: what it costs, where told[class] */
    bool *told;     /* by class */
    double limit;   /* candidates that cost more are not followed */
    double own;     /* by how much disassociations made `from` dearer */
    double *family; /* by label: the least factor known of its children; 0: none */
    double *solved; /* by label: the least factor of its children solved here; 0: none */
    atomic_bool stop;
} expansion;

static void candidate_clear(candidate *c)
{
    KN_FREE(c->to, c->cut);
    kn__tree_violations_clear(&c->violations);
    kn__relation_index_free(c->relations);
    c->relations = NULL;
    c->to = NULL;
    c->cut = NULL;
}

/* The records that specialising `label` concerns, increasing. */
static kn_status list_records(const search *s, uint32_t label, uint32_t **out, size_t *count,
                              kn_error *err)
{
    const kn_record_set *set = &s->space.value[label];

    *out = kn__malloc_array(set->len, sizeof **out);
    *count = *out ? kn__record_set_first(set, s->space.words, set->len, *out) : 0;
    return *out ? KN_OK : kn__nomem(err);
}

/* ValueCheck. */
static kn_status screen(const expansion *x, candidate *c, const kn_run *run, kn_error *err)
{
    const search *s = x->s;
    uint8_t *specialised = kn__malloc_array(s->labels, 1);
    uint32_t *order = kn__malloc_array(s->labels, sizeof *order);
    /* What the cut above could specialise was checked there but for combinations with what is new
     * since then. */
    const bool was_checked = x->from->last != KN_NO_LABEL &&
                             kn__cut_parent(&s->space, c->label) != x->from->last;
    const uint32_t last = was_checked ? x->from->last : KN_NO_LABEL;
    size_t first, len;
    kn_status status = specialised && order ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    memcpy(specialised, x->from->specialised, s->labels);
    len = kn__cut_order(&s->space, specialised, c->label, last, order, &first);
    KN_TRY(kn__cut_check_values(&s->space, order, len, first, last, run, err));
    c->to = kn__malloc_array(s->task->forest->values, sizeof *c->to);
    KN_TRY(c->to ? KN_OK : kn__nomem(err));
    specialised[c->label] = 1;
    kn__cut_labels(&s->space, specialised, c->to);
done:
    kn__free(specialised);
    kn__free(order);
    return status;
}

/* The cost of the cut if nothing has to be disassociated, unless it was found for all labels of the
 * class. */
static kn_status estimate(const expansion *x, candidate *c, const kn_run *run, kn_error *err)
{
    const search *s = x->s;
    uint32_t *known, *records = NULL;
    size_t count;
    kn_status status;

    if (c->label < s->d->labels && x->told[s->d->class_[c->label]]) {
        c->estimate = x->ahead[c->label];
        return KN_OK;
    }
    known = kn__malloc_array(s->task->forest->values, sizeof *known);
    KN_TRY(known ? KN_OK : kn__nomem(err));
    KN_TRY(list_records(s, c->label, &records, &count, err));
    kn__tree_known(s->task, c->to, known);
    KN_TRY(kn__cut_view_cost(&c->estimate, x->view, known, records, count, run, err));
done:
    kn__free(known);
    kn__free(records);
    return status;
}

/* What must be disassociated, and what the cut then costs. Only knowledge about the new labels is
 * counted; the other violations are those of the cut above. */
static kn_status solve(const expansion *x, candidate *c, const kn_run *run, kn_error *err)
{
    const search *s = x->s;
    bool *fresh = kn__zalloc_array(s->d->labels, sizeof *fresh);
    kn_tree_solution solution = {0};
    kn_tree_task task = *s->task;
    kn_cut_above above = {.fresh = fresh,
                          .violations = &x->from->violations,
                          .synopsis = x->view->synopsis,
                          .relations = x->relations,
                          .known = x->view->known};
    uint32_t *records = NULL;
    const uint32_t *child;
    kn_status status = fresh ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    for (size_t i = kn__cut_children(&s->space, c->label, &child); i-- > 0;) {
        fresh[child[i]] = fresh[s->d->published[child[i]]] = true;
    }
    if (c->label < s->d->labels) {
        fresh[s->d->published[c->label]] = true; /* others may be published as it still */
    }
    task.run = run;
    KN_TRY(list_records(s, c->label, &records, &above.count, err));
    above.records = records;
    KN_TRY(kn__tree_solve(&solution, &task, s->kind, c->to, &above, x->limit, err));
    c->cost = solution.cost;
    c->outcome = solution.dear ? SKIPPED : SOLVED;
    c->violations = solution.violations;
    solution.violations = (kn_tree_violations){0};
    c->relations = solution.relations;
    solution.relations = NULL;
    c->cut = solution.cut;
    c->cuts = solution.cuts;
    solution.cut = NULL;
done:
    KN_FREE(records, c->to);
    c->to = NULL;
    kn__tree_solution_clear(&solution);
    kn__free(fresh);
    return status;
}

static void evaluate(expansion *x, unsigned worker, candidate *c,
                     kn_status (*step)(const expansion *, candidate *, const kn_run *, kn_error *))
{
    const kn_run run = kn__run_alone(x->s->task->run, worker, &x->stop);

    if (c->outcome == FAILED || atomic_load(&x->stop)) {
        return;
    }
    c->status = step(x, c, &run, &c->error);
    if (c->status == KN_EINFEASIBLE) {
        c->outcome = FAILED;
        c->status = KN_OK;
        c->error = (kn_error){0};
    }
    if (c->status != KN_OK) {
        atomic_store(&x->stop, true);
    }
}

static void screen_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    expansion *x = user;

    for (size_t i = begin; i < end; i++) {
        evaluate(x, worker, &x->list[i], screen);
    }
}

static void estimate_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    expansion *x = user;

    for (size_t i = begin; i < end; i++) {
        evaluate(x, worker, &x->list[i], estimate);
    }
}

static void solve_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    expansion *x = user;

    for (size_t i = begin; i < end; i++) {
        evaluate(x, worker, &x->list[x->begin + i], solve);
    }
}

/* `work` for `count` candidates from x->begin on. */
static kn_status evaluate_all(expansion *x, size_t count,
                              void (*work)(void *user, unsigned worker, size_t begin, size_t end),
                              kn_error *err)
{
    const kn_run *run = x->s->task->run;

    KN_PASS(kn__parallel_steps(run, "anonymize", kn__run_threads(run), count, 1, work, x, err));
    for (size_t i = x->begin; i < x->begin + count; i++) {
        KN_PASS(kn__error_pass(err, &x->list[i].error));
    }
    return KN_OK;
}

/* The costs of candidates that passed ValueCheck, of a class at a time, on the main line: a tree
 * that would be made for one cut only saves nothing. RPD itself is not a sum over paths. */
static kn_status look_ahead(expansion *x, size_t count, kn_error *err)
{
    const search *s = x->s;
    const kn_cut_state *from = x->from;
    kn_lookahead_cut at = {.view = x->view,
                           .specialised = from->specialised,
                           .last = from->last,
                           .number = from->number,
                           .above = from->above};
    uint8_t *open = kn__zalloc_array(s->labels, 1);
    kn_status status;

    x->ahead = kn__zalloc_array(s->labels, sizeof *x->ahead);
    x->told = kn__zalloc_array(s->d->classes, sizeof *x->told);
    KN_TRY(open && x->ahead && x->told ? KN_OK : kn__nomem(err));
    if (s->kind == KN_EXACT_CUTS || !s->lookahead.of) {
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t l = x->list[i].label;
        open[l] = x->list[i].outcome != FAILED && l < s->d->labels;
    }
    at.open = open;
    KN_TRY(kn__lookahead_all(x->ahead, x->told, &x->s->lookahead, &at, s->task->run, err));
done:
    kn__free(open);
    return status;
}

/* ---- the search ---- */

static int by_bound(const void *a, const void *b)
{
    const candidate *x = a, *y = b;

    if (x->outcome != y->outcome) {
        return x->outcome < y->outcome ? -1 : 1;
    }
    if (x->bound == y->bound) {
        return x->label < y->label ? -1 : x->label > y->label;
    }
    return x->bound < y->bound ? -1 : 1;
}

static int by_cost(const void *a, const void *b)
{
    const candidate *x = a, *y = b;

    if (x->outcome != y->outcome) {
        return x->outcome < y->outcome ? -1 : 1;
    }
    if (x->outcome != SOLVED || x->cost == y->cost) {
        return x->label < y->label ? -1 : x->label > y->label;
    }
    return x->cost < y->cost ? -1 : 1;
}

/* By how much disassociations made a cut dearer. */
static double factor_of(double estimate, double cost)
{
    return cost > estimate && estimate > 0 ? cost / estimate : 1;
}

static void note_least(double *least, double factor)
{
    *least = factor > 0 && (*least == 0 || factor < *least) ? factor : *least;
}

/* What a child costs at least: without disassociations, as a disassociation shortens paths, which
 * makes them dearer, times a factor that disassociations cost, less a margin. It is the factor of
 * the cut itself, as a finer cut needs these as well, times what this label added to that of a cut
 * above, or what labels beside it, which are much alike, add: as they were solved for this cut or,
 * where neither is known, for a cut above; beside the main line for any cut. */
static double bound_of(const expansion *x, uint32_t label, double estimate)
{
    const uint32_t parent = kn__cut_parent(&x->s->space, label);
    double of = fmax(x->from->factor[label], x->solved[parent]);

    of = of > 0 ? of : x->family[parent];
    of = of > 0 || x->from->main ? of : x->s->least[parent];
    return estimate * fmax(1, MARGIN * x->own * (of > 0 ? of : 1));
}

/* What the search knows about children of the cut before it looks at them. */
static kn_status begin_bounds(expansion *x, kn_error *err)
{
    const kn_cut_state *from = x->from;

    x->family = kn__zalloc_array(x->s->labels, sizeof *x->family);
    x->solved = kn__zalloc_array(x->s->labels, sizeof *x->solved);
    KN_PASS(x->family && x->solved ? KN_OK : kn__nomem(err));
    x->own = factor_of(from->estimate, from->cost);
    for (uint32_t l = 0; l < x->s->labels; l++) {
        note_least(&x->family[kn__cut_parent(&x->s->space, l)], from->factor[l]);
    }
    return KN_OK;
}

/* Whether no child of a cut beside the main line will be cheaper than it. What specialising a label
 * saves is much the same share of the cost in all cuts, before disassociations. */
static bool is_hopeless(const expansion *x, size_t count)
{
    const search *s = x->s;
    bool is = s->kind != KN_EXACT_CUTS;

    for (size_t i = 0; is && i < count; i++) {
        const uint32_t l = x->list[i].label;
        is = s->share[l] > 0 &&
             bound_of(x, l, SHARE_MARGIN * s->share[l] * x->from->estimate) > x->from->cost;
    }
    return is;
}

static void note_shares(expansion *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const candidate *c = &x->list[i];
        if (c->outcome != FAILED && x->from->estimate > 0) {
            x->s->share[c->label] = c->estimate / x->from->estimate;
        }
    }
}

/* The bounds of the candidates from number `begin` on, and their order by them. */
static void bound_candidates(expansion *x, size_t begin, size_t count)
{
    for (size_t i = begin; i < count; i++) {
        x->list[i].bound = bound_of(x, x->list[i].label, x->list[i].estimate);
    }
    qsort(x->list + begin, count - begin, sizeof *x->list, by_bound);
}

/* Solve the candidates that may be followed. For acs these are all. For the others, in the order of
 * their bounds, until the next bound is above the cost of the cut itself, or above the cost of as
 * many candidates as are followed. How many are solved at once does not depend on the number of
 * threads. */
static kn_status solve_candidates(expansion *x, size_t count, kn_error *err)
{
    const double slack = 1 + 1e-9; /* estimates are summed in another order */
    const size_t most = x->s->task->g, batch = most > 2 ? most : 2;

    note_shares(x, count);
    bound_candidates(x, 0, count);
    while (count > 0 && x->list[count - 1].outcome == FAILED) {
        count--;
    }
    x->limit = INFINITY;
    if (x->s->kind == KN_ALL_CUTS) {
        return evaluate_all(x, count, solve_slice, err);
    }
    while (x->begin < count) {
        const size_t end = count - x->begin < batch ? count : x->begin + batch;
        x->limit = x->from->cost * slack;
        qsort(x->list, x->begin, sizeof *x->list, by_cost);
        if (x->begin >= most && x->list[most - 1].outcome == SOLVED) {
            x->limit = fmin(x->limit, x->list[most - 1].cost * slack);
        }
        if (x->list[x->begin].bound > x->limit) {
            break;
        }
        KN_PASS(evaluate_all(x, end - x->begin, solve_slice, err));
        for (; x->begin < end; x->begin++) {
            const candidate *c = &x->list[x->begin];
            const uint32_t parent = kn__cut_parent(&x->s->space, c->label);
            const double factor = c->cost > 0 ? factor_of(c->estimate, c->cost) / x->own : 0;
            note_least(&x->solved[parent], factor);
            note_least(&x->s->least[parent], factor);
        }
        bound_candidates(x, end, count);
    }
    return KN_OK;
}

/* Keep `x` if it is the best cut so far; `*cut`, its disassociations, are taken then. */
static kn_status keep_best(search *s, const kn_cut_state *x, kn_disassociation **cut, size_t cuts,
                           kn_error *err)
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
static kn_status follow(search *s, const kn_cut_state *from, candidate *list, size_t count,
                        kn_error *err)
{
    const size_t most = s->kind == KN_ALL_CUTS ? count : s->task->g;
    kn_cut_state *base = NULL, *child = NULL;
    const double own = factor_of(from->estimate, from->cost);
    kn_status status;

    KN_TRY(kn__cut_state_copy(s->labels, &base, from, err));
    qsort(list, count, sizeof *list, by_cost);
    for (size_t i = count; i-- > 0 && list[i].outcome == FAILED;) {
        base->closed[list[i].label] = 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (list[i].cost > 0) {
            base->factor[list[i].label] = factor_of(list[i].estimate, list[i].cost) / own;
        }
    }
    for (size_t i = 0; i < count && i < most && list[i].outcome == SOLVED; i++) {
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
static kn_status view_of(search *s, const kn_cut_state *x, kn_error *err)
{
    uint32_t *known = kn__malloc_array(s->task->forest->values, sizeof *known), *records = NULL;
    size_t count;
    kn_status status = known ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    kn__cut_labels(&s->space, x->specialised, known);
    kn__tree_known(s->task, known, known);
    if (s->view && x->last != KN_NO_LABEL && s->viewed == x->above) {
        KN_TRY(list_records(s, x->last, &records, &count, err));
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

static kn_status expand(search *s, const kn_cut_state *from, kn_error *err)
{
    candidate *list = kn__zalloc_array(s->labels, sizeof *list);
    expansion x = {.s = s, .from = from, .list = list};
    kn_relation_index *relations = NULL;
    size_t count = 0;
    bool promising = true;
    kn_status status;

    KN_TRY(list ? begin_bounds(&x, err) : kn__nomem(err));
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
            list[count++].outcome = SKIPPED;
        }
    }
    if (!from->main) { /* no cut of the main line comes any more */
        kn__lookahead_clear(&s->lookahead);
    }
    if (count > 0 && s->kind != KN_ALL_CUTS && !from->main) {
        promising = !is_hopeless(&x, count);
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
    atomic_init(&x.stop, false);
    KN_TRY(evaluate_all(&x, count, screen_slice, err));
    if (count > 0 && s->kind != KN_ALL_CUTS) {
        KN_TRY(look_ahead(&x, count, err));
        KN_TRY(evaluate_all(&x, count, estimate_slice, err));
    }
    x.relations = from->relations;
    if (count > 0 && s->task->n > 0 && !from->relations) {
        KN_TRY(kn__relation_index_new(&relations, x.view->synopsis, err));
        x.relations = relations;
    }
    KN_TRY(solve_candidates(&x, count, err));
    KN_TRY(follow(s, from, list, count, err));
done:
    for (size_t i = 0; list && i < count; i++) {
        candidate_clear(&list[i]);
    }
    kn__free(list);
    kn__free(x.family);
    kn__free(x.solved);
    kn__free(x.ahead);
    kn__free(x.told);
    kn__relation_index_free(relations);
    return status;
}

/* The roots of all classes; nothing at all where they are too rare. */
static kn_status begin(search *s, kn_error *err)
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

static void search_clear(search *s)
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
    search s = {.task = task,
                .d = task->domain,
                .kind = kind,
                .labels = task->domain->labels + task->domain->classes};
    kn_status status;

    *out = (kn_tree_solution){0};
    s.reach = (kn_cut_reach){.space = &s.space, .exact = kind == KN_EXACT_CUTS};
    s.closed = kn__zalloc_array(s.labels, 1);
    s.share = kn__zalloc_array(s.labels, sizeof *s.share);
    s.least = kn__zalloc_array(s.labels, sizeof *s.least);
    KN_TRY(s.closed && s.share && s.least ? kn__cut_space_init(&s.space, task, err) : kn__nomem(err));
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
