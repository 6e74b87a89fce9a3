/* solve.c - the solution of one cut: what must be disassociated, and what the result costs. */
#include "base/error.h"
#include "base/memory.h"
#include "methods/trees/trees.h"
#include "utility/trees/trees.h"

void kn__tree_solution_clear(kn_tree_solution *s)
{
    kn__free(s->to);
    kn__free(s->cut);
    *s = (kn_tree_solution){0};
}

void kn__tree_known(const kn_tree_task *task, const uint32_t *to, uint32_t *known)
{
    for (uint32_t v = 0; v < task->forest->values; v++) {
        const bool aside = task->fixed && task->fixed[task->forest->value_class[v]];
        known[v] = aside ? KN_NO_LABEL : to[v];
    }
}

kn_status kn__tree_solve(kn_tree_solution *out, const kn_tree_task *task, kn_cut_search kind,
                         const uint32_t *to, const bool *fresh, kn_error *err)
{
    const kn_tree_domain *d = task->domain;
    uint32_t *order = kn__malloc_array(d->labels, sizeof *order);
    uint32_t *known = kn__malloc_array(task->forest->values, sizeof *known);
    kn_synopsis *synopsis = NULL;
    double *scratch = NULL;
    size_t len = 0;
    kn_status status;

    KN_TRY(order && known ? KN_OK : kn__nomem(err));
    kn__tree_known(task, to, known);
    KN_TRY(kn__synopsis_new(&synopsis, task->forest, known, d->labels, task->run, err));
    for (uint32_t l = 0; l < d->labels; l++) {
        if (synopsis->side_begin[l] < synopsis->side_begin[l + 1]) {
            order[len++] = l;
        }
    }
    KN_TRY(kn__fix_structure(synopsis, task, order, len, fresh, kind != KN_ONLY_CUTS,
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
