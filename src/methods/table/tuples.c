/* tuples.c - distinct quasi-identifier combinations. */
#include "methods/table/tuples.h"
#include "base/error.h"
#include "base/memory.h"
#include "count/classes.h"

void kn__tuples_free(kn_tuples *t)
{
    if (t) {
        KN_FREE(t->codes, t->size, t->members, t->begin, t);
    }
}

/* Leave out the records that are barred, for their values or for items that they hold, and the
 * classes of which none is left. */
static kn_status keep_allowed(kn_tuples *t, const kn_task *task, const kn_classes *classes,
                              kn_error *err)
{
    uint32_t *members = NULL, *begin = NULL;
    kn_status status = kn__classes_members(classes, &members, &begin, err);
    size_t at = 0;

    if (status != KN_OK) {
        return status;
    }
    t->members = members;
    t->begin = begin;
    t->codes = kn__malloc_array((size_t)classes->count * t->qis, sizeof *t->codes);
    t->size = kn__malloc_array(classes->count, sizeof *t->size);
    KN_PASS(t->codes && t->size ? KN_OK : kn__nomem(err));
    for (uint32_t c = 0; c < classes->count; c++) {
        const uint32_t first = classes->first[c], end = begin[c + 1];
        const size_t before = at;
        uint32_t people = 0;
        for (uint32_t i = begin[c]; i < end; i++) {
            const bool barred = task->barred && task->barred[members[i]];
            members[at] = members[i];
            at += !barred;
            people += barred ? 0 : kn__dataset_count(task->ds, members[i]);
        }
        if (at == before) {
            continue;
        }
        for (size_t q = 0; q < t->qis; q++) {
            t->codes[t->count * t->qis + q] = kn__column_code(&task->ds->column[task->qi[q]],
                                                              first);
        }
        begin[t->count] = (uint32_t)before;
        t->size[t->count++] = people;
        t->records += people;
    }
    begin[t->count] = (uint32_t)at;
    return KN_OK;
}

kn_status kn__tuples_new(kn_tuples **out, const kn_task *task, kn_error *err)
{
    kn_tuples *t = kn__zalloc(sizeof *t);
    kn_classes *classes = NULL;
    kn_status status;

    *out = NULL;
    if (!t) {
        return kn__nomem(err);
    }
    t->qis = task->qis;
    KN_TRY(kn__classes_new(&classes, task->ds, task->qi, task->qis, task->run, err));
    KN_TRY(keep_allowed(t, task, classes, err));
done:
    kn__classes_free(classes);
    if (status != KN_OK) {
        kn__tuples_free(t);
        return status;
    }
    *out = t;
    return KN_OK;
}

void kn__tuples_assign(const kn_tuples *t, uint32_t i, uint32_t group, kn_grouping *out)
{
    for (uint32_t m = t->begin[i]; m < t->begin[i + 1]; m++) {
        out->group[t->members[m]] = group;
    }
}
