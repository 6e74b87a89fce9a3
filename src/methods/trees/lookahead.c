/* lookahead.c - what all children of a cut cost, class by class. */
#include "methods/trees/lookahead.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "utility/trees/trees.h"

#include <stdatomic.h>
#include <string.h>

#define MOST_ROWS (UINT64_C(1) << 30) /* bytes of the rows of all trees that are kept */

typedef struct kn_lookahead_tree {
    kn_synopsis *synopsis; /* NULL: there is none */
    uint32_t *known;       /* by code: its label there */
    uint8_t *ahead;        /* by label: it is specialised there, and maybe not in the cut */
    uint64_t number;       /* of the cut */
} kn_lookahead_tree;

static void drop(kn_lookahead_tree *t)
{
    kn__synopsis_free(t->synopsis);
    kn__free(t->known);
    kn__free(t->ahead);
    *t = (kn_lookahead_tree){0};
}

kn_status kn__lookahead_init(kn_lookahead *l, const kn_cut_space *space, kn_error *err)
{
    const kn_forest *f = space->task->forest;
    const uint64_t rows = f->starts[f->records] * sizeof(uint32_t);

    *l = (kn_lookahead){.space = space};
    if (space->d->classes == 0 || rows > MOST_ROWS / space->d->classes) {
        return KN_OK;
    }
    l->of = kn__zalloc_array(space->d->classes, sizeof *l->of);
    return l->of ? KN_OK : kn__nomem(err);
}

void kn__lookahead_clear(kn_lookahead *l)
{
    for (uint32_t c = 0; l->of && c < l->space->d->classes; c++) {
        drop(&l->of[c]);
    }
    kn__free(l->of);
    *l = (kn_lookahead){0};
}

static bool is_open(const kn_lookahead *l, const kn_lookahead_cut *at, uint32_t class_,
                    uint32_t label)
{
    return at->open[label] && l->space->d->class_[label] == class_;
}

/* Whether the kept tree can move to the cut: it is that of the cut above, and what is open now and
 * is not specialised there came with the last label. */
static bool can_move(const kn_lookahead *l, const kn_lookahead_tree *t, const kn_lookahead_cut *at,
                     uint32_t class_)
{
    bool can = t->synopsis && at->last < l->space->d->labels && t->number == at->above;

    for (uint32_t i = 0; can && i < l->space->d->labels; i++) {
        can = !is_open(l, at, class_, i) || t->ahead[i] || kn__cut_parent(l->space, i) == at->last;
    }
    return can;
}

/* The records that the label specialised last concerns (moving), or all open labels. */
static kn_status records_of(uint32_t **out, size_t *count, const kn_lookahead *l,
                            const kn_lookahead_cut *at, uint32_t class_, bool moving, kn_error *err)
{
    const kn_cut_space *space = l->space;
    kn_record_union u = {0};
    kn_status status;

    KN_TRY(kn__record_union_init(&u, space->words, err));
    for (uint32_t i = 0; i < space->d->labels; i++) {
        if (moving ? i == at->last : is_open(l, at, class_, i)) {
            kn__record_union_add(&u, &space->value[i]);
        }
    }
    KN_TRY(kn__record_union_list(&u, out, count, err));
done:
    kn__record_union_clear(&u);
    return status;
}

/* The labels of the tree: those of the cut in which everything ahead is specialised too. */
static kn_status labels_ahead(uint32_t *known, const kn_lookahead *l, const kn_lookahead_cut *at,
                              const uint8_t *ahead, kn_error *err)
{
    uint8_t *specialised = kn__malloc_array(l->space->labels, 1);

    KN_PASS(specialised ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < l->space->labels; i++) {
        specialised[i] = at->specialised[i] || ahead[i];
    }
    kn__cut_labels(l->space, specialised, known);
    kn__tree_known(l->space->task, known, known);
    kn__free(specialised);
    return KN_OK;
}

/* Make `t` the tree of the cut; *has_costs is false where it cannot be made. */
static kn_status make_tree(kn_lookahead_tree *t, bool *has_costs, const kn_lookahead *l,
                           const kn_lookahead_cut *at, uint32_t class_, const kn_run *run,
                           kn_error *err)
{
    const kn_forest *f = l->space->task->forest;
    const bool moving = can_move(l, t, at, class_);
    uint32_t *known = kn__malloc_array(f->values, sizeof *known), *records = NULL;
    kn_synopsis *made = NULL;
    size_t count = 0;
    kn_status status = known ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    if (!moving) {
        drop(t);
        t->ahead = kn__zalloc_array(l->space->labels, 1);
        KN_TRY(t->ahead ? KN_OK : kn__nomem(err));
    }
    for (uint32_t i = 0; i < l->space->d->labels; i++) {
        t->ahead[i] |= is_open(l, at, class_, i);
    }
    KN_TRY(labels_ahead(known, l, at, t->ahead, err));
    if (moving && memcmp(known, t->known, f->values * sizeof *known) == 0) {
        goto done;
    }
    KN_TRY(records_of(&records, &count, l, at, class_, moving, err));
    KN_TRY(kn__synopsis_refine(&made, moving ? t->synopsis : at->view->synopsis, f,
                               moving ? t->known : at->view->known, known, records, count, run,
                               err));
    *has_costs = made->moved != NULL;
    if (!*has_costs) {
        goto done;
    }
    if (moving) {
        kn__synopsis_become(t->synopsis, made);
    } else {
        t->synopsis = made;
    }
    made = NULL;
    kn__free(t->known);
    t->known = known;
    known = NULL;
    KN_TRY(kn__synopsis_own(t->synopsis, err));
done:
    t->number = at->number;
    kn__synopsis_free(made);
    kn__free(known);
    kn__free(records);
    return status;
}

/* Which label of the cut every label of the tree came from; false where that cannot be found. */
static bool find_origins(uint32_t *origin, const kn_lookahead *l, const kn_lookahead_tree *t,
                         const kn_lookahead_cut *at, uint32_t class_)
{
    const kn_tree_domain *d = l->space->d;
    const kn_forest *f = l->space->task->forest;

    for (uint32_t i = 0; i < d->labels; i++) {
        origin[i] = KN_NO_LABEL;
    }
    for (uint32_t i = 0; i < d->labels; i++) { /* no two labels of the cut look the same */
        if (d->class_[i] == class_ && kn__cut_has(l->space, at->specialised, i)) {
            if (origin[d->published[i]] != KN_NO_LABEL) {
                return false;
            }
            origin[d->published[i]] = i;
        }
    }
    for (uint32_t i = 0; i < d->labels; i++) {
        origin[i] = KN_NO_LABEL;
    }
    for (uint32_t v = 0; v < f->values; v++) {
        if (f->value_class[v] != class_) {
            continue;
        }
        const uint32_t from = at->view->known[v], to = t->known[v];
        if (from == KN_NO_LABEL || (origin[to] != KN_NO_LABEL && origin[to] != from)) {
            return false;
        }
        origin[to] = from;
    }
    return true;
}

static kn_status costs_of(double *cost, const kn_lookahead *l, const kn_lookahead_tree *t,
                          const kn_lookahead_cut *at, uint32_t class_, const uint32_t *origin,
                          kn_error *err)
{
    const kn_tree_domain *d = l->space->d;
    kn_rpd_share *now = kn__zalloc_array(2 * ((size_t)d->labels + 1), sizeof *now), all = {0};
    kn_rpd_share *ahead = now ? now + d->labels + 1 : NULL;
    kn_status status;

    if (!now) {
        return kn__nomem(err);
    }
    KN_TRY(kn__rpd_shares(now, at->view->synopsis, d, class_, NULL, err));
    KN_TRY(kn__rpd_shares(ahead, t->synopsis, d, class_, origin, err));
    for (uint32_t i = 0; i <= d->labels; i++) {
        all.sum += now[i].sum;
        all.leaves += now[i].leaves;
        all.nodes += now[i].nodes;
    }
    for (uint32_t i = 0; i < d->labels; i++) {
        if (is_open(l, at, class_, i)) {
            const uint32_t label = d->published[i];
            const kn_rpd_share of = {all.sum - now[label].sum + ahead[label].sum,
                                     all.leaves - now[label].leaves + ahead[label].leaves,
                                     all.nodes - now[label].nodes + ahead[label].nodes};
            cost[i] = kn__rpd_of_share(&of, at->view->synopsis->records);
        }
    }
done:
    kn__free(now);
    return status;
}

kn_status kn__lookahead_costs(double *cost, bool *has_costs, kn_lookahead *l,
                              const kn_lookahead_cut *at, uint32_t class_, const kn_run *run,
                              kn_error *err)
{
    kn_lookahead_tree *t = &l->of[class_];
    uint32_t *origin = kn__malloc_array(l->space->d->labels, sizeof *origin);
    kn_status status = origin ? KN_OK : kn__nomem(err);

    *has_costs = true;
    KN_TRY(status);
    KN_TRY(make_tree(t, has_costs, l, at, class_, run, err));
    *has_costs = *has_costs && find_origins(origin, l, t, at, class_);
    KN_TRY(*has_costs ? costs_of(cost, l, t, at, class_, origin, err) : KN_OK);
done:
    if (status != KN_OK || !*has_costs) {
        drop(t);
    }
    kn__free(origin);
    return status;
}

/* ---- all classes ---- */

typedef struct looking {
    double *cost;
    bool *has_costs;
    kn_lookahead *l;
    const kn_lookahead_cut *at;
    const kn_run *run;
    uint32_t *class_; /* those with open labels */
    kn_error *error;  /* of each of them */
    atomic_bool stop;
} looking;

static void look_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    looking *k = user;
    const kn_run run = kn__run_alone(k->run, worker, &k->stop);

    for (size_t i = begin; i < end && !atomic_load(&k->stop); i++) {
        const uint32_t c = k->class_[i];
        if (kn__lookahead_costs(k->cost, &k->has_costs[c], k->l, k->at, c, &run, &k->error[i]) !=
            KN_OK) {
            atomic_store(&k->stop, true);
        }
    }
}

kn_status kn__lookahead_all(double *cost, bool *has_costs, kn_lookahead *l,
                            const kn_lookahead_cut *at, const kn_run *run, kn_error *err)
{
    const kn_tree_domain *d = l->space->d;
    looking k = {.cost = cost, .has_costs = has_costs, .l = l, .at = at, .run = run};
    size_t count = 0;
    kn_status status;

    k.class_ = kn__malloc_array(d->classes, sizeof *k.class_);
    k.error = kn__zalloc_array(d->classes, sizeof *k.error);
    KN_TRY(k.class_ && k.error ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < d->labels; i++) { /* labels of a class stand together */
        if (at->open[i] && (count == 0 || k.class_[count - 1] != d->class_[i])) {
            k.class_[count++] = d->class_[i];
            has_costs[d->class_[i]] = false;
        }
        cost[i] = 0;
    }
    atomic_init(&k.stop, false);
    KN_TRY(
        kn__parallel_steps(run, "anonymize", kn__run_threads(run), count, 1, look_slice, &k, err));
    for (size_t i = 0; i < count; i++) {
        KN_TRY(kn__error_pass(err, &k.error[i]));
    }
done:
    kn__free(k.class_);
    kn__free(k.error);
    return status;
}
