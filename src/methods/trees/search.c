/* search.c - top-down search over the cuts of the hierarchies: acs, gcs, ocs, and our own ecs.
 *
 * A cut is kept as the set of labels that were specialised, that is, replaced by their children.
 * Above the root of each class stands one more step: the class left out, which is the paper's `*`.
 * The search begins with the roots of all classes, or, where these break k^m-anonymity, with
 * nothing published.
 *
 * ValueCheck: the support of a combination of values does not depend on the structure, so the
 * record set of every label is made once, and for a new cut only combinations with one of the new
 * children are looked at. A value whose specialisation fails stays closed for all cuts below.
 *
 * acs visits every cut once: of siblings ordered by cost, a later one may not specialise what an
 * earlier one did (the cut-enumeration tree of Figure 10). gcs and its relatives follow only the
 * g cheapest children of each cut, and no child that costs more than its parent. The cheapest
 * children from the first cut on are the main line. A cut beside it may not specialise what any cut
 * that was followed before it did ("the value is marked as closed in the following cuts", section
 * 3.3). So the number of cuts evaluated is at most quadratic in the number of labels, times g.
 * Equal costs go to the finer cut.
 *
 * Candidates are evaluated by several threads; each evaluation is independent of the others. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/trees/trees.h"
#include "utility/trees/trees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cut. Labels 0..labels-1 are those of the domain; labels + c stands for class c left out. */
typedef struct state {
    uint8_t *specialised, *closed; /* by label */
    double cost;
    uint32_t last;   /* the label that was specialised last */
    bool main;       /* on the main line */
    uint64_t number; /* in the order of creation */
} state;

typedef struct search {
    const kn_tree_task *task;
    const kn_tree_domain *d;
    kn_cut_search kind;
    uint32_t labels;      /* with one per class for the class left out */
    kn_record_set *value; /* by label: the records with a value at or below it */
    size_t words;
    state *queue; /* a heap: least cost first */
    size_t queued, queue_cap;
    uint64_t made;
    uint8_t *closed; /* by label: for all cuts to come */
    state best;
    size_t examined;
} search;

/* One child of the cut that is expanded. */
typedef struct candidate {
    uint32_t label; /* to be specialised */
    bool fails;     /* it breaks k^m-anonymity, or needs what is not allowed */
    double cost;
    kn_status status;
    kn_error error;
} candidate;

/* ---- labels ---- */

static uint32_t parent_of(const search *s, uint32_t label)
{
    const uint32_t up = s->d->parent[label];

    return up == label ? s->d->labels + s->d->class_[label] : up;
}

static size_t children_of(const search *s, uint32_t label, const uint32_t **out)
{
    if (label >= s->d->labels) {
        *out = &s->d->root[label - s->d->labels];
        return 1;
    }
    *out = s->d->child + s->d->child_begin[label];
    return s->d->child_begin[label + 1] - s->d->child_begin[label];
}

/* Whether the class of the label is published as it is. */
static bool is_fixed(const search *s, uint32_t label)
{
    const uint32_t c = label >= s->d->labels ? label - s->d->labels : s->d->class_[label];

    return s->task->fixed && s->task->fixed[c];
}

/* The record set of every label. */
static kn_status fill_sets(search *s, kn_error *err)
{
    const kn_forest *f = s->task->forest;
    uint64_t *bits = kn__zalloc_array(s->words, sizeof *bits);
    size_t *size = kn__zalloc_array(f->values, sizeof *size);
    uint32_t *last = kn__zalloc_array(f->values, sizeof *last);
    kn_status status;

    s->value = kn__zalloc_array(s->labels, sizeof *s->value);
    KN_TRY(bits && size && last && s->value ? KN_OK : kn__nomem(err));
    for (size_t r = 0; r < f->records; r++) {
        for (uint64_t i = f->starts[r]; i < f->starts[r + 1]; i++) {
            const uint32_t v = f->value[i];
            size[v] += last[v] != r + 1;
            last[v] = (uint32_t)r + 1;
        }
    }
    for (uint32_t v = 0; v < f->values; v++) {
        kn_record_set *set = &s->value[s->d->of_value[v]];
        if (size[v] > 2 * s->words) {
            set->bits = kn__zalloc_array(s->words, sizeof *set->bits);
            KN_TRY(set->bits ? KN_OK : kn__nomem(err));
        } else if (size[v]) {
            set->list = kn__malloc_array(size[v], sizeof *set->list);
            KN_TRY(set->list ? KN_OK : kn__nomem(err));
        }
        last[v] = 0;
    }
    for (size_t r = 0; r < f->records; r++) {
        for (uint64_t i = f->starts[r]; i < f->starts[r + 1]; i++) {
            const uint32_t v = f->value[i];
            kn_record_set *set = &s->value[s->d->of_value[v]];
            if (last[v] == r + 1) {
                continue;
            }
            last[v] = (uint32_t)r + 1;
            if (set->bits) {
                set->bits[r / 64] |= UINT64_C(1) << (r % 64);
            } else {
                set->list[set->len] = (uint32_t)r;
            }
            set->len++;
        }
    }
    for (uint32_t l = 0; l < s->d->labels; l++) {
        const uint32_t *child;
        const size_t children = children_of(s, l, &child);
        for (size_t i = 0; i < children; i++) {
            kn__record_set_add_to(&s->value[child[i]], bits, s->words);
        }
        if (children) {
            KN_TRY(kn__record_set_of_bits(&s->value[l], bits, s->words, err));
        }
    }
done:
    kn__free(bits);
    kn__free(size);
    kn__free(last);
    return status;
}

/* ---- cuts ---- */

static void state_clear(state *x)
{
    kn__free(x->specialised);
    kn__free(x->closed);
    *x = (state){0};
}

static kn_status state_copy(const search *s, state *out, const state *from, kn_error *err)
{
    *out = *from;
    out->specialised = kn__malloc_array(s->labels, 1);
    out->closed = kn__malloc_array(s->labels, 1);
    if (!out->specialised || !out->closed) {
        state_clear(out);
        return kn__nomem(err);
    }
    memcpy(out->specialised, from->specialised, s->labels);
    memcpy(out->closed, from->closed, s->labels);
    return KN_OK;
}

/* Whether the label is in the cut: it is not specialised, and all above it are. */
static bool in_cut(const search *s, const uint8_t *specialised, uint32_t label)
{
    return !specialised[label] && (label >= s->d->labels || specialised[parent_of(s, label)]);
}

/* The labels of the cut in which `fresh` (or KN_NO_LABEL) is specialised: its children first, how
 * many they are in `*first`. Labels that are read as another one come as that one, once. */
static size_t order_cut(const search *s, const uint8_t *specialised, uint32_t fresh,
                        uint32_t *order, size_t *first)
{
    const uint32_t *child;
    size_t len = 0;

    *first = 0;
    if (fresh != KN_NO_LABEL) {
        *first = children_of(s, fresh, &child);
        memcpy(order, child, *first * sizeof *order);
        len = *first;
    }
    for (uint32_t l = 0; l < s->d->labels; l++) {
        if (l != fresh && in_cut(s, specialised, l) && s->value[l].len && !is_fixed(s, l)) {
            order[len++] = l;
        }
    }
    return len;
}

/* Which label every value has in the cut. */
static void label_values(const search *s, const uint8_t *specialised, uint32_t *to)
{
    for (uint32_t v = 0; v < s->task->forest->values; v++) {
        uint32_t label = s->d->of_value[v], top = label;
        for (;;) {
            const uint32_t up = top >= s->d->labels ? top : parent_of(s, top);
            if (up == top) {
                break;
            }
            top = up;
            label = specialised[top] ? label : top;
        }
        to[v] = is_fixed(s, s->d->of_value[v]) ? s->d->of_value[v]
                : label >= s->d->labels        ? KN_NO_LABEL
                                               : s->d->published[label];
    }
}

static kn_status stop_at_first(void *user, const kn_known *known, kn_error *err)
{
    (void)user, (void)known, (void)err;
    return KN_EINFEASIBLE;
}

/* ValueCheck of combinations with one of the first labels of the order. KN_EINFEASIBLE: it fails.
 */
static kn_status check_values(const search *s, const uint32_t *order, size_t len, size_t first,
                              kn_error *err)
{
    const kn_knowledge of = {.k = s->task->k,
                             .budget = {{(uint16_t)s->task->m, 0}},
                             .value = s->value,
                             .words = s->words,
                             .order = order,
                             .order_len = len,
                             .l = s->task->diversity ? s->task->diversity->l : 0,
                             .sensitive = s->task->diversity ? s->task->diversity->set : NULL,
                             .sensitive_len = s->task->diversity ? s->task->diversity->count : 0};
    kn_knowledge_walk *w = NULL;
    kn_status status;

    KN_TRY(kn__knowledge_walk_new(&w, &of, err));
    for (size_t i = 0; i < first; i++) {
        KN_TRY(kn__knowledge_values(w, i, stop_at_first, NULL, err));
    }
done:
    kn__knowledge_walk_free(w);
    return status;
}

kn_status kn__tree_solve(kn_tree_solution *out, const kn_tree_task *task, kn_cut_search kind,
                         const uint32_t *to, kn_error *err)
{
    const kn_tree_domain *d = task->domain;
    uint32_t *order = kn__malloc_array(d->labels, sizeof *order);
    uint32_t *known = kn__malloc_array(task->forest->values, sizeof *known);
    kn_synopsis *synopsis = NULL;
    double *scratch = NULL;
    size_t len = 0;
    kn_status status;

    KN_TRY(order && known ? KN_OK : kn__nomem(err));
    for (uint32_t v = 0; v < task->forest->values; v++) {
        const bool aside = task->fixed && task->fixed[task->forest->value_class[v]];
        known[v] = aside ? KN_NO_LABEL : to[v];
    }
    KN_TRY(kn__synopsis_new(&synopsis, task->forest, known, d->labels, err));
    for (uint32_t l = 0; l < d->labels; l++) {
        if (synopsis->side_begin[l] < synopsis->side_begin[l + 1]) {
            order[len++] = l;
        }
    }
    KN_TRY(kn__fix_structure(synopsis, task, order, len, kind != KN_ONLY_CUTS,
                             kind == KN_EXACT_CUTS, &out->cut, &out->cuts, err));
    if (kind == KN_EXACT_CUTS) {
        KN_TRY(kn__rpd_exact(&out->cost, synopsis, d, err));
    } else {
        scratch = kn__malloc_array(2 * (size_t)synopsis->nodes, sizeof *scratch);
        KN_TRY(scratch ? KN_OK : kn__nomem(err));
        out->cost = kn__rpd_approximate(synopsis, d, scratch);
    }
done:
    kn__free(scratch);
    kn__free(order);
    kn__free(known);
    kn__synopsis_free(synopsis);
    return status;
}

/* ---- evaluation of candidates ---- */

typedef struct expansion {
    search *s;
    const state *from;
    candidate *list;
} expansion;

static kn_status evaluate(const search *s, const state *from, candidate *c, kn_error *err)
{
    uint8_t *specialised = kn__malloc_array(s->labels, 1);
    uint32_t *order = kn__malloc_array(s->labels, sizeof *order);
    uint32_t *to = kn__malloc_array(s->task->forest->values, sizeof *to);
    kn_tree_solution solution = {0};
    size_t first, len;
    kn_status status = specialised && order && to ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    memcpy(specialised, from->specialised, s->labels);
    len = order_cut(s, specialised, c->label, order, &first);
    KN_TRY(check_values(s, order, len, first, err));
    specialised[c->label] = 1;
    label_values(s, specialised, to);
    KN_TRY(kn__tree_solve(&solution, s->task, s->kind, to, err));
    c->cost = solution.cost;
done:
    c->fails = status == KN_EINFEASIBLE;
    kn__free(specialised);
    kn__free(order);
    kn__free(to);
    kn__tree_solution_clear(&solution);
    return status == KN_EINFEASIBLE ? KN_OK : status;
}

static void evaluate_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    expansion *x = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        candidate *c = &x->list[i];
        c->status = evaluate(x->s, x->from, c, &c->error);
    }
}

/* ---- the queue ---- */

static bool is_before(const state *a, const state *b)
{
    if (a->main != b->main) {
        return a->main;
    }
    return a->cost != b->cost ? a->cost < b->cost : a->number > b->number;
}

static kn_status push(search *s, state *x, kn_error *err)
{
    const kn_status status = kn__grow(&s->queue, &s->queue_cap, s->queued + 1, sizeof *s->queue,
                                      err);
    size_t at = s->queued;

    if (status != KN_OK) {
        return status;
    }
    x->number = s->made++;
    while (at > 0 && is_before(x, &s->queue[(at - 1) / 2])) {
        s->queue[at] = s->queue[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->queue[at] = *x;
    s->queued++;
    *x = (state){0};
    return KN_OK;
}

static state pop(search *s)
{
    const state top = s->queue[0], x = s->queue[--s->queued];
    size_t at = 0;

    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= s->queued) {
            break;
        }
        child += child + 1 < s->queued && is_before(&s->queue[child + 1], &s->queue[child]);
        if (!is_before(&s->queue[child], &x)) {
            break;
        }
        s->queue[at] = s->queue[child];
        at = child;
    }
    s->queue[at] = x;
    return top;
}

/* ---- the search ---- */

static int by_cost(const void *a, const void *b)
{
    const candidate *x = a, *y = b;

    if (x->fails != y->fails) {
        return x->fails - y->fails;
    }
    if (x->fails || x->cost == y->cost) {
        return x->label < y->label ? -1 : x->label > y->label;
    }
    return x->cost < y->cost ? -1 : 1;
}

static kn_status keep_best(search *s, const state *x, kn_error *err)
{
    state copy;
    kn_status status;

    if (s->best.specialised && x->cost > s->best.cost) {
        return KN_OK;
    }
    status = state_copy(s, &copy, x, err);
    if (status == KN_OK) {
        state_clear(&s->best);
        s->best = copy;
    }
    return status;
}

/* Queue the children of `from` that are worth it. */
static kn_status follow(search *s, const state *from, candidate *list, size_t count, kn_error *err)
{
    const size_t most = s->kind == KN_ALL_CUTS ? count : s->task->g;
    state base = {0}, child = {0};
    kn_status status;

    KN_TRY(state_copy(s, &base, from, err));
    qsort(list, count, sizeof *list, by_cost);
    for (size_t i = count; i-- > 0 && list[i].fails;) {
        base.closed[list[i].label] = 1;
    }
    for (size_t i = 0, followed = 0; i < count && followed < most && !list[i].fails; i++) {
        if (s->kind != KN_ALL_CUTS && list[i].cost > from->cost) {
            break;
        }
        KN_TRY(state_copy(s, &child, &base, err));
        child.specialised[list[i].label] = 1;
        child.cost = list[i].cost;
        child.last = list[i].label;
        child.main = from->main && i == 0 && s->kind != KN_ALL_CUTS;
        KN_TRY(keep_best(s, &child, err));
        KN_TRY(push(s, &child, err));
        followed++;
        base.closed[list[i].label] = 1;
    }
done:
    state_clear(&base);
    state_clear(&child);
    return status;
}

static kn_status expand(search *s, const state *from, kn_error *err)
{
    candidate *list = kn__zalloc_array(s->labels, sizeof *list);
    expansion x = {.s = s, .from = from, .list = list};
    size_t count = 0;
    kn_status status = list ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    if (s->kind != KN_ALL_CUTS && from->last != KN_NO_LABEL) {
        s->closed[from->last] = 1;
    }
    for (uint32_t l = 0; l < s->labels; l++) {
        const uint32_t *child;
        if (in_cut(s, from->specialised, l) && children_of(s, l, &child) && !from->closed[l] &&
            !is_fixed(s, l) && (!s->closed[l] || from->main || s->kind == KN_ALL_CUTS)) {
            list[count++].label = l;
        }
    }
    if (s->task->most_cuts && count > s->task->most_cuts - s->examined) {
        count = s->task->most_cuts - s->examined;
    }
    s->examined += count;
    KN_TRY(kn__parallel_steps(s->task->run, "anonymize", kn__run_threads(s->task->run), count, 1,
                              evaluate_slice, &x, err));
    for (size_t i = 0; i < count; i++) {
        if (list[i].status != KN_OK) {
            if (err) {
                *err = list[i].error;
            }
            status = list[i].status;
            goto done;
        }
    }
    KN_TRY(follow(s, from, list, count, err));
done:
    kn__free(list);
    return status;
}

/* The roots of all classes; nothing at all where they are too rare. */
static kn_status begin(search *s, kn_error *err)
{
    state x = {.last = KN_NO_LABEL, .main = true};
    uint32_t *to = kn__malloc_array(s->task->forest->values, sizeof *to);
    uint32_t *order = kn__malloc_array(s->labels, sizeof *order);
    kn_tree_solution solution = {0};
    size_t first, len;
    kn_status status;

    x.specialised = kn__zalloc_array(s->labels, 1);
    x.closed = kn__zalloc_array(s->labels, 1);
    KN_TRY(to && order && x.specialised && x.closed ? KN_OK : kn__nomem(err));
    for (uint32_t c = 0; c < s->d->classes; c++) {
        x.specialised[s->d->labels + c] = 1;
    }
    len = order_cut(s, x.specialised, KN_NO_LABEL, order, &first);
    status = check_values(s, order, len, len, err);
    if (status == KN_OK) {
        label_values(s, x.specialised, to);
        status = kn__tree_solve(&solution, s->task, s->kind, to, err);
        x.cost = solution.cost;
    }
    if (status == KN_EINFEASIBLE) {
        memset(x.specialised, 0, s->labels);
        x.cost = 1;
        status = KN_OK;
    }
    KN_TRY(status);
    s->examined++;
    KN_TRY(keep_best(s, &x, err));
    KN_TRY(push(s, &x, err));
done:
    state_clear(&x);
    kn__free(to);
    kn__free(order);
    kn__tree_solution_clear(&solution);
    return status;
}

void kn__tree_solution_clear(kn_tree_solution *s)
{
    kn__free(s->to);
    kn__free(s->cut);
    *s = (kn_tree_solution){0};
}

static void search_clear(search *s)
{
    for (uint32_t i = 0; s->value && i < s->labels; i++) {
        kn__record_set_clear(&s->value[i]);
    }
    kn__free(s->value);
    while (s->queued) {
        state_clear(&s->queue[--s->queued]);
    }
    kn__free(s->queue);
    kn__free(s->closed);
    state_clear(&s->best);
}

kn_status kn__tree_search(kn_tree_solution *out, const kn_tree_task *task, kn_cut_search kind,
                          kn_error *err)
{
    search s = {.task = task,
                .d = task->domain,
                .kind = kind,
                .labels = task->domain->labels + task->domain->classes,
                .words = kn__record_words(task->forest->records)};
    kn_status status;

    *out = (kn_tree_solution){0};
    s.closed = kn__zalloc_array(s.labels, 1);
    KN_TRY(s.closed ? fill_sets(&s, err) : kn__nomem(err));
    KN_TRY(begin(&s, err));
    while (s.queued && (!task->most_cuts || s.examined < task->most_cuts)) {
        state next = pop(&s);
        status = expand(&s, &next, err);
        state_clear(&next);
        KN_TRY(status);
    }
    out->to = kn__malloc_array(task->forest->values, sizeof *out->to);
    KN_TRY(out->to ? KN_OK : kn__nomem(err));
    label_values(&s, s.best.specialised, out->to);
    KN_TRY(kn__tree_solve(out, task, kind, out->to, err));
    out->examined = s.examined;
done:
    search_clear(&s);
    if (status != KN_OK) {
        kn__tree_solution_clear(out);
    }
    return status;
}
