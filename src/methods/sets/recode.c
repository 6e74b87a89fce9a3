/* recode.c - from a column of items to its published form, whatever the method. */
#include "methods/sets/recode.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "guarantees/registry.h"
#include "methods/registry.h"
#include "methods/sets/suppression.h"

#include <string.h>

static kn_status find_column(const kn_task *task, size_t *column, kn_error *err)
{
    size_t *qi = NULL, count = 0, lists = 0;
    kn_status status;

    KN_TRY(kn__dataset_with_role(task->ds, KN_ROLE_QUASI, &qi, &count, err));
    for (size_t i = 0; i < count; i++) {
        if (kn__type_is_list(task->ds->column[qi[i]].type)) {
            *column = qi[i];
            lists++;
        }
    }
    if (lists != 1) {
        KN_TRY(lists ? kn__fail(err, KN_EUSAGE,
                                "%zu quasi-identifiers hold lists: km-anonymity is for one; give "
                                "the others another role",
                                lists)
                     : kn__fail(err, KN_EUSAGE,
                                "km-anonymity is about lists of items, and no quasi-identifier "
                                "holds any: name one with --items COLUMN and --qi COLUMN"));
    }
    if (count > 1) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "km-anonymity covers the items in '%s' only: the other quasi-identifiers "
                        "would be published as they are; give them another role (--drop, --keep)",
                        task->ds->column[*column].name));
    }
    for (size_t i = 0; i < task->options->guarantees_count; i++) {
        if (!kn__guarantee_of_items(&task->options->guarantees[i])) {
            KN_TRY(kn__fail(err, KN_EUSAGE,
                            "%s is about columns with one value a record, and km-anonymity about "
                            "items: ask for one of them",
                            kn_guarantee_name(task->options->guarantees[i].kind)));
        }
    }
done:
    kn__free(qi);
    return status;
}

/* What meets every guarantee asked. */
static void strictest(kn_items_task *t)
{
    for (size_t i = 0; i < t->options->guarantees_count; i++) {
        const kn_guarantee *g = &t->options->guarantees[i];
        t->k = g->k > t->k ? g->k : t->k;
        t->m = g->m > t->m ? g->m : t->m;
    }
}

/* Suppress the records that hold a value that the hierarchy lacks, where that is wanted. */
static kn_status bar_uncovered(kn_task *task, const kn_domain *d, const kn_column *column,
                               kn_baskets *b, kn_grouping *grouping, kn_error *err)
{
    uint64_t at = 0;
    bool any = false;

    grouping->group = kn__zalloc_array(b->records, sizeof *grouping->group);
    KN_PASS(grouping->group ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < d->values; code++) {
        any = any || d->start[code] == KN_NO_NODE;
    }
    for (size_t i = 0; any && i < b->records; i++) {
        const uint64_t begin = b->starts[i], end = b->starts[i + 1];
        bool bar = false;
        for (uint64_t j = begin; j < end; j++) {
            bar = bar || d->start[b->list[j]] == KN_NO_NODE;
        }
        b->starts[i] = at;
        for (uint64_t j = begin; j < end && !bar; j++) {
            b->list[at++] = b->list[j];
        }
        grouping->group[i] = bar ? KN_SUPPRESSED : 0;
        task->barred_count += bar ? kn__baskets_people(b, i) : 0;
    }
    b->starts[b->records] = any ? at : b->starts[b->records];
    if (task->barred_count && task->options->suppressed == KN_SUPPRESSED_STARRED) {
        return kn__fail(err, KN_EUSAGE,
                        "%zu records hold items that the hierarchy of '%s' lacks; lists cannot be "
                        "kept as `*`: remove these records (--suppressed removed), or publish the "
                        "items as the root (--uncovered root)",
                        task->barred_count, column->name);
    }
    return KN_OK;
}

static kn_status choose_method(const kn_items_task *t, const kn_method_row **method, kn_error *err)
{
    const kn_guarantee_kind kind = t->options->guarantees[0].kind;
    const char *name = t->options->method;

    if (!name && t->domain->kind != KN_DOMAIN_TREE && t->column->numbers) {
        *method = kn__method_for_numbers(kn_guarantee_name(kind));
        if (*method) {
            return KN_OK;
        }
    }
    return kn__method_of_family(method, name ? name : kn__guarantee_row(kind)->entry.method,
                                KN_METHOD_ITEMS, err);
}

/* Methods for all combinations of up to m items do not know sigma, nor so large an m. */
static kn_status refuse_other_goal(const kn_items_task *t, const kn_method_row *method,
                                   kn_error *err)
{
    for (size_t i = 0; i < t->options->guarantees_count; i++) {
        const kn_guarantee_kind kind = t->options->guarantees[i].kind;
        if (kn_guarantee_uses_original(kind) &&
            !strstr(method->entry.reaches, kn_guarantee_name(kind))) {
            return kn__fail(err, KN_EUSAGE,
                            "%s does not reach %s, but %s: ask for that, or choose "
                            "another method (kanon list methods)",
                            method->entry.name, kn_guarantee_name(kind), method->entry.reaches);
        }
    }
    return KN_OK;
}

/* Of records that are counted elsewhere there are no rows, and none can be left out. */
static kn_status refuse_elsewhere(const kn_items_task *t, const kn_method_row *method,
                                  kn_error *err)
{
    const kn_anonymize_options *o = t->options;

    if (!o->rare) {
        return KN_OK;
    }
    if (!method->elsewhere) {
        return kn__fail(err, KN_EUSAGE, "%s needs the records, and they are counted elsewhere",
                        method->entry.name);
    }
    if (!t->ds->counts || o->uncovered == KN_UNCOVERED_SUPPRESS) {
        return kn__fail(err, KN_EUSAGE,
                        "of records that are counted elsewhere the table has every item with the "
                        "number of its people, and none is left out for items that the hierarchy "
                        "lacks (--uncovered root publishes those as its root)");
    }
    return KN_OK;
}

kn_status kn__items_recode(kn_task *task, kn_recoding *out, kn_grouping *grouping,
                           const char **name, kn_error *err)
{
    kn_items_task t = {.ds = task->ds, .options = task->options, .run = task->run};
    kn_domain *domain = NULL;
    kn_baskets *baskets = NULL;
    const kn_method_row *method = NULL;
    size_t column = 0;
    kn_status status;

    KN_TRY(find_column(task, &column, err));
    t.column = &task->ds->column[column];
    strictest(&t);
    KN_TRY(kn__domain_new(&domain, t.column,
                          task->hierarchies ? kn_hierarchies_get(task->hierarchies, t.column->name)
                                            : NULL,
                          task->options->uncovered, err));
    t.domain = domain;
    KN_TRY(choose_method(&t, &method, err));
    KN_TRY(kn__method_refuse_counts(method, task, err));
    KN_TRY(refuse_other_goal(&t, method, err));
    KN_TRY(refuse_elsewhere(&t, method, err));
    KN_TRY(kn__method_params(&t.params, method, task->options->params, err));
    task->params = t.params;
    KN_TRY(kn__baskets_of_column(&baskets, t.column, task->ds->records, err));
    baskets->people = task->ds->counts;
    KN_TRY(bar_uncovered(task, domain, t.column, baskets, grouping, err));
    *name = method->entry.name;
    t.baskets = baskets;
    KN_TRY(kn__run_step(task->run, *name, 0, err));
    KN_TRY(task->options->item_suppression > 0 ? kn__suppress(&t, method, out, err)
                                               : method->items(&t, out, err));
done:
    task->recoding = out;
    task->recoded = column;
    kn__baskets_free(baskets);
    kn__domain_free(domain);
    return status;
}
