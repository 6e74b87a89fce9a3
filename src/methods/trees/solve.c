/* solve.c - the solution of one cut: what must be disassociated, and what the result costs. */
#include "base/error.h"
#include "base/memory.h"
#include "methods/trees/trees.h"
#include "utility/trees/trees.h"

void kn__tree_solution_clear(kn_tree_solution *s)
{
    KN_FREE(s->to, s->cut);
    kn__tree_violations_clear(&s->violations);
    kn__relation_index_free(s->relations);
    *s = (kn_tree_solution){0};
}

void kn__tree_known(const kn_tree_task *task, const uint32_t *to, uint32_t *known)
{
    for (uint32_t v = 0; v < task->forest->values; v++) {
        const bool aside = task->fixed && task->fixed[task->forest->value_class[v]];
        known[v] = aside ? KN_NO_LABEL : to[v];
    }
}

kn_status kn__tree_cost(double *out, const kn_synopsis *s, const kn_tree_domain *d, bool exact,
                        kn_error *err)
{
    double *scratch = NULL;
    kn_status status = KN_OK;

    if (exact) {
        return kn__rpd_exact(out, s, d, err);
    }
    scratch = kn__malloc_array(2 * (size_t)s->nodes, sizeof *scratch);
    KN_TRY(scratch ? KN_OK : kn__nomem(err));
    *out = kn__rpd_approximate(s, d, scratch);
done:
    kn__free(scratch);
    return status;
}

kn_status kn__tree_solve(kn_tree_solution *out, const kn_tree_task *task, kn_cut_search kind,
                         const uint32_t *to, const kn_cut_above *above, double limit, kn_error *err)
{
    const kn_tree_domain *d = task->domain;
    uint32_t *known = kn__malloc_array(task->forest->values, sizeof *known);
    kn_synopsis *synopsis = NULL;
    kn_status status;

    KN_TRY(known ? KN_OK : kn__nomem(err));
    kn__tree_known(task, to, known);
    KN_TRY(above && above->synopsis
               ? kn__synopsis_refine(&synopsis, above->synopsis, task->forest, above->known, known,
                                     above->records, above->count, task->run, err)
               : kn__synopsis_new(&synopsis, task->forest, known, d->labels, task->run, err));
    KN_TRY(kn__fix_structure(out, synopsis, task, kind, above, limit, err));
done:
    kn__free(known);
    kn__synopsis_free(synopsis);
    return status;
}
