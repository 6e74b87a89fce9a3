/* cut_view.c - the cost of a cut from that of the cut above it. */
#include "methods/trees/cut_view.h"
#include "base/error.h"
#include "base/memory.h"
#include "utility/trees/trees.h"

#include <string.h>

void kn__cut_view_free(kn_cut_view *v)
{
    if (v) {
        kn__synopsis_free(v->synopsis);
        KN_FREE(v->known, v->of_record, v);
    }
}

static kn_status weigh_records(kn_cut_view *v, kn_error *err)
{
    const size_t records = v->synopsis->records;

    v->sum = 0;
    if (v->exact) {
        KN_PASS(kn__rpd_records(v->of_record, v->synopsis, v->task->domain, NULL, records, err));
        for (size_t r = 0; r < records; r++) {
            v->sum += v->of_record[r];
        }
    }
    return KN_OK;
}

kn_status kn__cut_view_new(kn_cut_view **out, const kn_tree_task *task, const uint32_t *known,
                           bool exact, kn_error *err)
{
    kn_cut_view *v = kn__zalloc(sizeof *v);
    const kn_forest *f = task->forest;
    kn_status status;

    *out = NULL;
    KN_TRY(v ? KN_OK : kn__nomem(err));
    *v = (kn_cut_view){.task = task, .exact = exact};
    v->known = kn__malloc_array(f->values, sizeof *v->known);
    v->of_record = exact ? kn__malloc_array(f->records, sizeof *v->of_record) : NULL;
    KN_TRY(v->known && (v->of_record || !exact) ? KN_OK : kn__nomem(err));
    memcpy(v->known, known, f->values * sizeof *known);
    KN_TRY(kn__synopsis_new(&v->synopsis, f, known, task->domain->labels, task->run, err));
    KN_TRY(weigh_records(v, err));
    *out = v;
    v = NULL;
done:
    kn__cut_view_free(v);
    return status;
}

/* RPD of all records, from what the given ones had in the view. */
static kn_status exact_cost(double *out, const kn_cut_view *v, const kn_synopsis *s,
                            const uint32_t *records, size_t count, kn_error *err)
{
    double *of_record = NULL, sum = v->sum;
    kn_status status;

    if (!s->moved) {
        return kn__rpd_exact(out, s, v->task->domain, err);
    }
    of_record = kn__malloc_array(count, sizeof *of_record);
    KN_TRY(of_record ? kn__rpd_records(of_record, s, v->task->domain, records, count, err)
                     : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        sum += of_record[i] - v->of_record[records[i]];
    }
    *out = s->records ? sum / (double)s->records : 0;
done:
    kn__free(of_record);
    return status;
}

kn_status kn__cut_view_cost(double *out, const kn_cut_view *v, const uint32_t *known,
                            const uint32_t *records, size_t count, const kn_run *run, kn_error *err)
{
    kn_synopsis *s = NULL;
    kn_status status;

    KN_TRY(kn__synopsis_refine(&s, v->synopsis, v->task->forest, v->known, known, records, count,
                               run, err));
    KN_TRY(v->exact ? exact_cost(out, v, s, records, count, err)
                    : kn__tree_cost(out, s, v->task->domain, false, err));
done:
    kn__synopsis_free(s);
    return status;
}

kn_status kn__cut_view_move(kn_cut_view *v, const uint32_t *known, const uint32_t *records,
                            size_t count, kn_error *err)
{
    const kn_forest *f = v->task->forest;
    kn_synopsis *s = NULL;

    KN_PASS(kn__synopsis_refine(&s, v->synopsis, f, v->known, known, records, count, v->task->run,
                                err));
    kn__synopsis_become(v->synopsis, s);
    memcpy(v->known, known, f->values * sizeof *known);
    return weigh_records(v, err);
}
