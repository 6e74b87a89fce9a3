/* children.c - the children of a cut: screened, bounded and solved. */
#include "methods/trees/children.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN       0.9 /* of the factor of another cut */
#define SHARE_MARGIN 0.9 /* of the share of another cut */

/* ---- evaluation ---- */

void kn__child_clear(kn_child *c)
{
    KN_FREE(c->to, c->cut);
    kn__tree_violations_clear(&c->violations);
    kn__relation_index_free(c->relations);
    c->relations = NULL;
    c->to = NULL;
    c->cut = NULL;
}

kn_status kn__cut_records(const kn_tree_searching *s, uint32_t label, uint32_t **out, size_t *count,
                          kn_error *err)
{
    const kn_record_set *set = &s->space.value[label];

    *out = kn__malloc_array(set->len, sizeof **out);
    *count = *out ? kn__record_set_first(set, s->space.words, set->len, *out) : 0;
    return *out ? KN_OK : kn__nomem(err);
}

/* ValueCheck. */
static kn_status screen(const kn_expansion *x, kn_child *c, const kn_run *run, kn_error *err)
{
    const kn_tree_searching *s = x->s;
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
static kn_status estimate(const kn_expansion *x, kn_child *c, const kn_run *run, kn_error *err)
{
    const kn_tree_searching *s = x->s;
    uint32_t *known, *records = NULL;
    size_t count;
    kn_status status;

    if (c->label < s->d->labels && x->has_costs[s->d->class_[c->label]]) {
        c->estimate = x->ahead[c->label];
        return KN_OK;
    }
    known = kn__malloc_array(s->task->forest->values, sizeof *known);
    KN_TRY(known ? KN_OK : kn__nomem(err));
    KN_TRY(kn__cut_records(s, c->label, &records, &count, err));
    kn__tree_known(s->task, c->to, known);
    KN_TRY(kn__cut_view_cost(&c->estimate, x->view, known, records, count, run, err));
done:
    kn__free(known);
    kn__free(records);
    return status;
}

/* What must be disassociated, and what the cut then costs. Only knowledge about the new labels is
 * counted; the other violations are those of the cut above. */
static kn_status solve(const kn_expansion *x, kn_child *c, const kn_run *run, kn_error *err)
{
    const kn_tree_searching *s = x->s;
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
    KN_TRY(kn__cut_records(s, c->label, &records, &above.count, err));
    above.records = records;
    KN_TRY(kn__tree_solve(&solution, &task, s->kind, c->to, &above, x->limit, err));
    c->cost = solution.cost;
    c->outcome = solution.dear ? KN_CHILD_SKIPPED : KN_CHILD_SOLVED;
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

static void evaluate(kn_expansion *x, unsigned worker, kn_child *c,
                     kn_status (*step)(const kn_expansion *, kn_child *, const kn_run *,
                                       kn_error *))
{
    const kn_run run = kn__run_alone(x->s->task->run, worker, &x->stop);

    if (c->outcome == KN_CHILD_FAILED || atomic_load(&x->stop)) {
        return;
    }
    c->status = step(x, c, &run, &c->error);
    if (c->status == KN_EINFEASIBLE) {
        c->outcome = KN_CHILD_FAILED;
        c->status = KN_OK;
        c->error = (kn_error){0};
    }
    if (c->status != KN_OK) {
        atomic_store(&x->stop, true);
    }
}

static void screen_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    kn_expansion *x = user;

    for (size_t i = begin; i < end; i++) {
        evaluate(x, worker, &x->list[i], screen);
    }
}

static void estimate_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    kn_expansion *x = user;

    for (size_t i = begin; i < end; i++) {
        evaluate(x, worker, &x->list[i], estimate);
    }
}

static void solve_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    kn_expansion *x = user;

    for (size_t i = begin; i < end; i++) {
        evaluate(x, worker, &x->list[x->begin + i], solve);
    }
}

/* `work` for `count` candidates from x->begin on. */
static kn_status evaluate_all(kn_expansion *x, size_t count,
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
static kn_status look_ahead(kn_expansion *x, size_t count, kn_error *err)
{
    const kn_tree_searching *s = x->s;
    const kn_cut_state *from = x->from;
    kn_lookahead_cut at = {.view = x->view,
                           .specialised = from->specialised,
                           .last = from->last,
                           .number = from->number,
                           .above = from->above};
    uint8_t *open = kn__zalloc_array(s->labels, 1);
    kn_status status;

    x->ahead = kn__zalloc_array(s->labels, sizeof *x->ahead);
    x->has_costs = kn__zalloc_array(s->d->classes, sizeof *x->has_costs);
    KN_TRY(open && x->ahead && x->has_costs ? KN_OK : kn__nomem(err));
    if (s->kind == KN_EXACT_CUTS || !s->lookahead.of) {
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t l = x->list[i].label;
        open[l] = x->list[i].outcome != KN_CHILD_FAILED && l < s->d->labels;
    }
    at.open = open;
    KN_TRY(kn__lookahead_all(x->ahead, x->has_costs, &x->s->lookahead, &at, s->task->run, err));
done:
    kn__free(open);
    return status;
}

kn_status kn__children_screen(kn_expansion *x, size_t count, kn_error *err)
{
    atomic_init(&x->stop, false);
    KN_PASS(evaluate_all(x, count, screen_slice, err));
    if (count > 0 && x->s->kind != KN_ALL_CUTS) {
        KN_PASS(look_ahead(x, count, err));
        KN_PASS(evaluate_all(x, count, estimate_slice, err));
    }
    return KN_OK;
}

void kn__expansion_clear(kn_expansion *x)
{
    KN_FREE(x->family, x->solved, x->ahead, x->has_costs);
}

/* ---- bounds ---- */

static int by_bound(const void *a, const void *b)
{
    const kn_child *x = a, *y = b;

    if (x->outcome != y->outcome) {
        return x->outcome < y->outcome ? -1 : 1;
    }
    if (x->bound == y->bound) {
        return x->label < y->label ? -1 : x->label > y->label;
    }
    return x->bound < y->bound ? -1 : 1;
}

int kn__child_by_cost(const void *a, const void *b)
{
    const kn_child *x = a, *y = b;

    if (x->outcome != y->outcome) {
        return x->outcome < y->outcome ? -1 : 1;
    }
    if (x->outcome != KN_CHILD_SOLVED || x->cost == y->cost) {
        return x->label < y->label ? -1 : x->label > y->label;
    }
    return x->cost < y->cost ? -1 : 1;
}

double kn__cut_factor(double estimate, double cost)
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
static double bound_of(const kn_expansion *x, uint32_t label, double estimate)
{
    const uint32_t parent = kn__cut_parent(&x->s->space, label);
    double of = fmax(x->from->factor[label], x->solved[parent]);

    of = of > 0 ? of : x->family[parent];
    of = of > 0 || x->from->main ? of : x->s->least[parent];
    return estimate * fmax(1, MARGIN * x->own * (of > 0 ? of : 1));
}

/* What the search knows about children of the cut before it looks at them. */
kn_status kn__children_begin(kn_expansion *x, kn_error *err)
{
    const kn_cut_state *from = x->from;

    x->family = kn__zalloc_array(x->s->labels, sizeof *x->family);
    x->solved = kn__zalloc_array(x->s->labels, sizeof *x->solved);
    KN_PASS(x->family && x->solved ? KN_OK : kn__nomem(err));
    x->own = kn__cut_factor(from->estimate, from->cost);
    for (uint32_t l = 0; l < x->s->labels; l++) {
        note_least(&x->family[kn__cut_parent(&x->s->space, l)], from->factor[l]);
    }
    return KN_OK;
}

bool kn__children_are_hopeless(const kn_expansion *x, size_t count)
{
    const kn_tree_searching *s = x->s;
    bool is = s->kind != KN_EXACT_CUTS;

    for (size_t i = 0; is && i < count; i++) {
        const uint32_t l = x->list[i].label;
        is = s->share[l] > 0 &&
             bound_of(x, l, SHARE_MARGIN * s->share[l] * x->from->estimate) > x->from->cost;
    }
    return is;
}

static void note_shares(kn_expansion *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const kn_child *c = &x->list[i];
        if (c->outcome != KN_CHILD_FAILED && x->from->estimate > 0) {
            x->s->share[c->label] = c->estimate / x->from->estimate;
        }
    }
}

/* The bounds of the candidates from number `begin` on, and their order by them. */
static void bound_candidates(kn_expansion *x, size_t begin, size_t count)
{
    for (size_t i = begin; i < count; i++) {
        x->list[i].bound = bound_of(x, x->list[i].label, x->list[i].estimate);
    }
    qsort(x->list + begin, count - begin, sizeof *x->list, by_bound);
}

kn_status kn__children_solve(kn_expansion *x, size_t count, kn_error *err)
{
    const double slack = 1 + 1e-9; /* estimates are summed in another order */
    const size_t most = x->s->task->g, batch = most > 2 ? most : 2;

    note_shares(x, count);
    bound_candidates(x, 0, count);
    while (count > 0 && x->list[count - 1].outcome == KN_CHILD_FAILED) {
        count--;
    }
    x->limit = INFINITY;
    if (x->s->kind == KN_ALL_CUTS) {
        return evaluate_all(x, count, solve_slice, err);
    }
    while (x->begin < count) {
        const size_t end = count - x->begin < batch ? count : x->begin + batch;
        x->limit = x->from->cost * slack;
        qsort(x->list, x->begin, sizeof *x->list, kn__child_by_cost);
        if (x->begin >= most && x->list[most - 1].outcome == KN_CHILD_SOLVED) {
            x->limit = fmin(x->limit, x->list[most - 1].cost * slack);
        }
        if (x->list[x->begin].bound > x->limit) {
            break;
        }
        KN_PASS(evaluate_all(x, end - x->begin, solve_slice, err));
        for (; x->begin < end; x->begin++) {
            const kn_child *c = &x->list[x->begin];
            const uint32_t parent = kn__cut_parent(&x->s->space, c->label);
            const double factor = c->cost > 0 ? kn__cut_factor(c->estimate, c->cost) / x->own : 0;
            note_least(&x->solved[parent], factor);
            note_least(&x->s->least[parent], factor);
        }
        bound_candidates(x, end, count);
    }
    return KN_OK;
}
