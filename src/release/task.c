/* task.c - groups of records, and the questions about a task that all methods ask. */
#include "release/task.h"
#include "base/error.h"
#include "base/memory.h"
#include "guarantees/registry.h"

#include <string.h>

void kn__grouping_clear(kn_grouping *g)
{
    KN_FREE(g->group, g->low, g->high);
    *g = (kn_grouping){0};
}

kn_status kn__grouping_init(kn_grouping *g, const kn_task *task, size_t groups, kn_error *err)
{
    *g = (kn_grouping){.groups = groups};
    g->group = kn__malloc_array(task->ds->records, sizeof *g->group);
    g->low = kn__malloc_array(groups * task->qis, sizeof *g->low);
    g->high = kn__malloc_array(groups * task->qis, sizeof *g->high);
    if (!g->group || !g->low || !g->high) {
        kn__grouping_clear(g);
        return kn__nomem(err);
    }
    memset(g->group, 0xff, task->ds->records * sizeof *g->group); /* KN_SUPPRESSED */
    return KN_OK;
}

kn_status kn__task_class(const kn_task *task, const kn_column **out, kn_error *err)
{
    const char *name = kn__param_text(&task->params, "class");
    const size_t at = name ? kn_dataset_find(task->ds, name) : kn_dataset_class(task->ds);

    if (name && at == SIZE_MAX) {
        (void)kn__fail(err, KN_EUSAGE, "the class '%.100s' is no column of the data", name);
        return kn__about_column(err, KN_EUSAGE, KN_ERROR_NO_COLUMN, name);
    }
    if (at == SIZE_MAX) {
        return kn__fail(
            err, KN_EUSAGE,
            "method %s keeps what tells the classes of a column apart: name that column "
            "with --class, or with --sensitive",
            task->params.entry->name);
    }
    *out = &task->ds->column[at];
    return name ? kn__column_check_class(*out, err) : KN_OK;
}

kn_status kn__task_judge(const kn_task *task, kn_judge **out, kn_error *err)
{
    const kn_anonymize_options *o = task->options;
    const size_t records = task->ds->records;
    uint8_t *kept = NULL;
    kn_status status;

    *out = NULL;
    if (task->barred && o->suppressed == KN_SUPPRESSED_REMOVED) {
        kept = kn__malloc_array(records, 1);
        KN_PASS(kept ? KN_OK : kn__nomem(err));
        for (size_t i = 0; i < records; i++) {
            kept[i] = !task->barred[i];
        }
    }
    status = kn__judge_new(out, o->guarantees, o->guarantees_count, task->ds, task->hierarchies,
                           kept, err);
    kn__free(kept);
    return status;
}

kn_status kn__task_infeasible(const kn_task *task, kn_error *err)
{
    const size_t records = kn__dataset_people(task->ds) - task->barred_count;

    for (size_t i = 0; i < task->options->guarantees_count; i++) {
        const kn_guarantee *g = &task->options->guarantees[i];
        const kn_guarantee_row *row = kn__guarantee_row(g->kind);
        const kn_status status = row->infeasible ? row->infeasible(g, task->ds, records, err)
                                                 : KN_OK;
        if (status != KN_OK) {
            return status;
        }
    }
    return kn__fail(err, KN_EINFEASIBLE,
                    "the guarantee cannot be met: even all %zu records together in one class break "
                    "it%s; ask for less, or see `kanon check` for what the table achieves",
                    records,
                    task->options->suppressed == KN_SUPPRESSED_STARRED
                        ? ", or the starred records do"
                        : "");
}
