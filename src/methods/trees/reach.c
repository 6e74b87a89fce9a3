/* reach.c - whether a cut of the hierarchies can still lead to a cheaper one. */
#include "methods/trees/reach.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum {
    PART = 16,      /* of the records are looked at first */
    MANY = 1 << 16, /* where there are that many */
    SPARE = 2,      /* times what these records say may the cut cost */
};

void kn__cut_reach_clear(kn_cut_reach *r)
{
    for (size_t i = 0; i < r->count; i++) {
        kn__free(r->beaten[i]);
    }
    kn__free(r->beaten);
    *r = (kn_cut_reach){0};
}

/* Specialise every label of the cut that may be, and of what comes for it. */
static void specialise_all(const kn_cut_space *s, uint8_t *specialised, const uint8_t *closed,
                           const uint8_t *closed_too)
{
    for (uint32_t l = s->labels; l-- > 0;) { /* parents have greater numbers than their children */
        const uint32_t *child;
        if (!closed[l] && !closed_too[l] && kn__cut_has(s, specialised, l) &&
            kn__cut_children(s, l, &child) && !kn__cut_is_fixed(s, l)) {
            specialised[l] = 1;
        }
    }
}

/* Whether a cut that was beaten is at least as fine. */
static bool was_beaten(const kn_cut_reach *r, const uint8_t *specialised)
{
    for (size_t i = 0; i < r->count; i++) {
        uint32_t l = 0;
        while (l < r->space->labels && (!specialised[l] || r->beaten[i][l])) {
            l++;
        }
        if (l == r->space->labels) {
            return true;
        }
    }
    return false;
}

/* What the cut costs before anything is disassociated, in the first `records` records. */
static kn_status cost_of(double *out, const kn_cut_reach *r, const uint8_t *specialised,
                         size_t records, kn_error *err)
{
    const kn_tree_task *task = r->space->task;
    kn_forest first = *task->forest;
    uint32_t *to = kn__malloc_array(task->forest->values, sizeof *to);
    kn_synopsis *synopsis = NULL;
    kn_status status = to ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    kn__cut_labels(r->space, specialised, to);
    kn__tree_known(task, to, to);
    first.records = records;
    KN_TRY(kn__synopsis_new(&synopsis, &first, to, task->domain->labels, task->run, err));
    KN_TRY(kn__tree_cost(out, synopsis, task->domain, r->exact, err));
done:
    kn__free(to);
    kn__synopsis_free(synopsis);
    return status;
}

/* Whether the first records are enough to say that the cut is cheap. More records add paths and
 * turn leaves into inner nodes, by which RPD_a is divided, and its sum grows with the records at
 * most, if the first ones are like the others. Where they are not, a cut is looked into for
 * nothing. RPD itself has too little to spare. */
static kn_status is_cheap(bool *out, const kn_cut_reach *r, const uint8_t *specialised, double best,
                          kn_error *err)
{
    const size_t all = r->space->task->forest->records;
    double cost;

    *out = false;
    if (!r->exact && all >= MANY) {
        KN_PASS(cost_of(&cost, r, specialised, all / PART, err));
        *out = SPARE * PART * cost <= best;
    }
    return KN_OK;
}

kn_status kn__cut_reach(bool *out, kn_cut_reach *r, const uint8_t *specialised,
                        const uint8_t *closed, const uint8_t *closed_too, double best,
                        kn_error *err)
{
    uint8_t *finest = kn__malloc_array(r->space->labels, 1);
    double cost;
    kn_status status = finest ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    memcpy(finest, specialised, r->space->labels);
    specialise_all(r->space, finest, closed, closed_too);
    *out = false;
    if (was_beaten(r, finest)) {
        goto done;
    }
    KN_TRY(is_cheap(out, r, finest, best, err));
    if (*out) {
        goto done;
    }
    KN_TRY(cost_of(&cost, r, finest, r->space->task->forest->records, err));
    *out = cost <= best * (1 + 1e-9); /* costs are summed in another order */
    if (!*out) {
        KN_TRY(kn__grow(&r->beaten, &r->cap, r->count + 1, sizeof *r->beaten, err));
        r->beaten[r->count++] = finest;
        finest = NULL;
    }
done:
    kn__free(finest);
    return status;
}
