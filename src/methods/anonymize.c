/* anonymize.c - prepares a task for a method and makes a release of what it finds. */
#include "methods/anonymize.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/value_form.h"
#include "guarantees/registry.h"
#include "methods/sets/recode.h"
#include "methods/mixed/rt.h"
#include "methods/registry.h"
#include "methods/trees/anonymize_trees.h"
#include "utility/profile/open_columns.h"

#include <math.h>
#include <string.h>

/* The parts of a task that the driver owns. */
typedef struct preparation {
    kn_task task;
    size_t *qi;
    kn_domain **domain;
    double *weight;
    uint8_t *barred;
} preparation;

static void preparation_clear(preparation *p)
{
    for (size_t q = 0; p->domain && q < p->task.qis; q++) {
        kn__domain_free(p->domain[q]);
    }
    KN_FREE(p->domain, p->qi, p->weight, p->barred);
}

/* The methods that guarantee `g` is for. */
static kn_method_family family_of(const kn_guarantee *g)
{
    if (kn__guarantee_is_about(g, KN_ABOUT_TREES)) {
        return KN_METHOD_TREES;
    }
    if (kn__guarantee_is_about(g, KN_ABOUT_CLASSES | KN_ABOUT_ITEMS)) {
        return KN_METHOD_MIXED;
    }
    return kn__guarantee_of_items(g) ? KN_METHOD_ITEMS : KN_METHOD_TABLE;
}

static bool asks_for(const kn_anonymize_options *o, kn_method_family family)
{
    for (size_t i = 0; i < o->guarantees_count; i++) {
        if (family_of(&o->guarantees[i]) == family) {
            return true;
        }
    }
    return false;
}

static kn_status check_options(const kn_dataset *ds, const kn_anonymize_options *o, kn_error *err)
{
    static const kn_point_options standard = {0};
    kn_status status = KN_OK;

    if (o->guarantees_count == 0) {
        return kn__fail(err, KN_EUSAGE, "no guarantee is asked for");
    }
    KN_NEED(err, o->guarantees);
    KN_NEED_SIZED_LIST(err, o->guarantees, o->guarantees_count);
    KN_NEED_SIZED(err, o->points);
    KN_NEED_ENUM(err, o->suppressed, KN_SUPPRESSED_STARRED, "way to suppress records");
    KN_NEED_ENUM(err, o->uncovered, KN_UNCOVERED_ROOT, "treatment of uncovered values");
    if (!(o->suppression >= 0 && o->suppression <= 1)) {
        return kn__fail(err, KN_EUSAGE, "suppression must be a share from 0 to 1");
    }
    if (!(o->item_suppression >= 0 && o->item_suppression <= 1)) {
        return kn__fail(err, KN_EUSAGE, "item suppression must be a share from 0 to 1");
    }
    if (o->rare && !asks_for(o, KN_METHOD_ITEMS)) {
        return kn__fail(err, KN_EUSAGE,
                        "records are counted elsewhere for guarantees of items only");
    }
    if (o->item_suppression > 0 && !asks_for(o, KN_METHOD_ITEMS)) {
        return kn__fail(err, KN_EUSAGE,
                        "items can be left out (--item-suppression) for km-anonymity only: for "
                        "records there is --suppression");
    }
    if (o->suppression > 0 && (asks_for(o, KN_METHOD_MIXED) || asks_for(o, KN_METHOD_ITEMS))) {
        return kn__fail(err, KN_EUSAGE,
                        "records are left out within a limit (--suppression) for guarantees of "
                        "tables only: leave it out; those that --uncovered suppress concerns need "
                        "no limit");
    }
    if (ds->records == 0) {
        return kn__about(err, kn__fail(err, KN_EINPUT, "the table has no records"),
                         KN_ERROR_NO_RECORDS);
    }
    if (ds->records >= UINT32_MAX) {
        return kn__fail(err, KN_EINPUT, "the table has more than %u records", UINT32_MAX - 1);
    }
    for (size_t i = 0; status == KN_OK && i < o->guarantees_count; i++) {
        status = kn_guarantee_validate(&o->guarantees[i], err);
    }
    return status == KN_OK ? kn_point_options_validate(o->points ? o->points : &standard, err)
                           : status;
}

/* Weights that sum to 1; equal ones when all are 0. */
static void weigh(preparation *p)
{
    const kn_task *t = &p->task;
    double sum = 0;

    for (size_t q = 0; q < t->qis; q++) {
        p->weight[q] = t->ds->column[p->qi[q]].weight;
        sum += p->weight[q];
    }
    for (size_t q = 0; q < t->qis; q++) {
        p->weight[q] = sum > 0 ? p->weight[q] / sum : 1.0 / (double)t->qis;
    }
}

static kn_status bar_uncovered(preparation *p, kn_error *err)
{
    kn_task *t = &p->task;

    for (size_t q = 0; q < t->qis; q++) {
        const kn_column *column = &t->ds->column[p->qi[q]];
        const kn_domain *d = p->domain[q];
        bool any = false;
        for (uint32_t code = 0; code < d->values; code++) {
            any = any || d->start[code] == KN_NO_NODE;
        }
        if (any && !p->barred) {
            p->barred = kn__zalloc_array(t->ds->records, 1);
            KN_PASS(p->barred ? KN_OK : kn__nomem(err));
        }
        for (size_t i = 0; any && i < t->ds->records; i++) {
            if (d->start[kn__column_code(column, i)] == KN_NO_NODE) {
                t->barred_count += p->barred[i] ? 0 : kn__dataset_count(t->ds, i);
                p->barred[i] = 1;
            }
        }
    }
    t->barred = p->barred;
    return KN_OK;
}

/* A column whose cells are not understood can be kept, not generalised or judged. */
static kn_status refuse_opaque(const kn_column *c, kn_error *err)
{
    if (!c->opaque || (c->role != KN_ROLE_QUASI && c->role != KN_ROLE_SENSITIVE)) {
        return KN_OK;
    }
    (void)kn__fail(err, KN_EINPUT,
                   "column '%.100s' is %s and has an Arrow type that can only be published as it "
                   "is, or left out: cast the column to another type, or drop it",
                   c->name, c->role == KN_ROLE_QUASI ? "a quasi-identifier" : "sensitive");
    return kn__about_column(err, KN_EINPUT, KN_ERROR_TYPE, c->name);
}

/* `aside`: the column of items that a method for both parts of a table takes care of, or
 * SIZE_MAX. */
static kn_status prepare(preparation *p, size_t aside, kn_error *err)
{
    kn_task *t = &p->task;
    size_t all = 0;

    KN_PASS(kn__dataset_with_role(t->ds, KN_ROLE_QUASI, &p->qi, &all, err));
    for (size_t q = 0; q < all; q++) {
        p->qi[t->qis] = p->qi[q];
        t->qis += p->qi[q] != aside;
    }
    if (t->qis == 0) {
        (void)kn__fail(err, KN_EUSAGE, "%s",
                       aside != SIZE_MAX
                           ? "every quasi-identifier holds lists, and this guarantee is for items "
                             "beside columns with one value a record: name some (--qi), or ask "
                             "for km-anonymity"
                           : "no column is a quasi-identifier: name what an attacker may know "
                             "with --qi or a schema");
        KN_PASS(kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, "qi"));
    }
    for (size_t i = 0; i < t->ds->columns; i++) {
        KN_PASS(refuse_opaque(&t->ds->column[i], err));
    }
    for (size_t q = 0; q < t->qis; q++) {
        const kn_column *column = &t->ds->column[p->qi[q]];
        if (kn__type_is_list(column->type)) {
            KN_PASS(kn__fail(err, KN_EUSAGE,
                             "column '%s' holds lists: table guarantees need one value a record; "
                             "for lists alone ask for --guarantee km-anonymity",
                             column->name));
        }
    }
    t->qi = p->qi;
    p->domain = kn__zalloc_array(t->qis, sizeof(kn_domain *));
    p->weight = kn__malloc_array(t->qis, sizeof *p->weight);
    KN_PASS(p->domain && p->weight ? KN_OK : kn__nomem(err));
    for (size_t q = 0; q < t->qis; q++) {
        const kn_column *column = &t->ds->column[p->qi[q]];
        if (!kn_hierarchies_get(t->hierarchies, column->name)) {
            KN_PASS(kn__column_refuse_text(column, KN_TEXT_RELEASED, err));
        }
    }
    for (size_t q = 0; q < t->qis; q++) {
        const kn_column *column = &t->ds->column[p->qi[q]];
        const kn_hierarchy *h = kn_hierarchies_get(t->hierarchies, column->name);
        KN_PASS(kn__domain_new(&p->domain[q], column, h, t->options->uncovered, err));
    }
    t->domain = p->domain;
    t->weight = p->weight;
    weigh(p);
    KN_PASS(bar_uncovered(p, err));
    t->limit = t->barred_count +
               (size_t)floor(t->options->suppression * (double)kn__dataset_people(t->ds) + 1e-9);
    return KN_OK;
}

/* Starred records are a class like any other: they must satisfy the guarantees too. */
static kn_status check_starred(const kn_task *task, const kn_grouping *g, kn_error *err)
{
    kn_judge *judge = NULL;
    kn_judge_scratch *scratch = NULL;
    uint32_t *records = kn__malloc_array(task->ds->records, sizeof *records);
    size_t count = 0, people = 0;
    kn_status status;

    KN_TRY(records ? kn__task_judge(task, &judge, err) : kn__nomem(err));
    KN_TRY(kn__judge_scratch_new(&scratch, judge, err));
    for (size_t i = 0; i < task->ds->records; i++) {
        if (g->group[i] == KN_SUPPRESSED) {
            records[count++] = (uint32_t)i;
            people += kn__dataset_count(task->ds, i);
        }
    }
    if (count && !kn__judge_class(judge, scratch, records, count)) {
        KN_TRY(kn__fail(err, KN_EINFEASIBLE,
                        "the suppressed records (%zu), kept as `*` rows, would be a class that "
                        "breaks the guarantee: remove them (--suppressed removed), or cover their "
                        "values in the hierarchies",
                        people));
    }
done:
    kn__free(records);
    kn__judge_scratch_free(scratch);
    kn__judge_free(judge);
    return status;
}

/* A release with what it takes from the task whatever the method. */
static kn_status start_release(kn_release **out, const kn_task *task, kn_error *err)
{
    const kn_anonymize_options *o = task->options;
    kn_release *r = *out = kn__zalloc(sizeof *r);

    KN_PASS(r ? KN_OK : kn__nomem(err));
    r->guarantees = kn__malloc_array(o->guarantees_count, sizeof *r->guarantees);
    KN_PASS(r->guarantees ? KN_OK : kn__nomem(err));
    memcpy(r->guarantees, o->guarantees, o->guarantees_count * sizeof *r->guarantees);
    r->guarantees_count = o->guarantees_count;
    if (o->points) {
        KN_PASS(kn__point_options_copy(&r->points, o->points, err));
    }
    r->original = task->ds;
    r->hierarchies = task->hierarchies;
    r->uncovered = o->uncovered;
    return KN_OK;
}

/* Groups of records, for guarantees of tables. */
static kn_status group_records(preparation *p, kn_grouping *grouping, const char **name,
                               kn_error *err)
{
    const kn_anonymize_options *options = p->task.options;
    const kn_method_row *method = NULL;

    KN_PASS(kn__method_of_family(&method, options->method ? options->method : "local",
                                 KN_METHOD_TABLE, err));
    *name = method->entry.name;
    KN_PASS(kn__method_refuse_counts(method, &p->task, err));
    KN_PASS(kn__method_reaches(method, options, err));
    KN_PASS(kn__method_params(&p->task.params, method, options->params, err));
    KN_PASS(prepare(p, SIZE_MAX, err));
    KN_PASS(kn__run_step(p->task.run, *name, 0, err));
    KN_PASS(method->table(&p->task, grouping, err));
    if (options->suppressed == KN_SUPPRESSED_STARRED) {
        KN_PASS(check_starred(&p->task, grouping, err));
    }
    return KN_OK;
}

/* Suppress the records with an item that the hierarchy lacks, where that is wanted. */
static kn_status bar_items(preparation *p, const kn_rt_items *items, kn_error *err)
{
    kn_task *t = &p->task;

    for (size_t i = 0; i < t->ds->records; i++) {
        if (kn__rt_items_bar(items, i)) {
            if (!p->barred) {
                t->barred = p->barred = kn__zalloc_array(t->ds->records, 1);
            }
            KN_PASS(p->barred ? KN_OK : kn__nomem(err));
            t->barred_count += !p->barred[i];
            p->barred[i] = 1;
        }
    }
    if (t->barred_count && t->options->suppressed == KN_SUPPRESSED_STARRED) {
        return kn__fail(
            err, KN_EUSAGE,
            "%zu records hold values that the hierarchies lack; lists cannot be kept as "
            "`*`: remove these records (--suppressed removed), or publish the values as "
            "the root (--uncovered root)",
            t->barred_count);
    }
    return KN_OK;
}

/* Clusters of records and the items of each, for guarantees of tables with items. */
static kn_status cluster_records(preparation *p, kn_sweep_cache *memo, kn_grouping *grouping,
                                 kn_recoding *recoding, const char **name,
                                 kn_cluster_counts *counts, kn_error *err)
{
    kn_rt_items items;
    kn_status status;

    KN_TRY(kn__rt_items_find(&items, &p->task, err));
    KN_TRY(prepare(p, items.at, err));
    KN_TRY(bar_items(p, &items, err));
    KN_TRY(kn__rt_anonymize(&p->task, &items, memo, grouping, recoding, name, counts, err));
done:
    kn__rt_items_clear(&items);
    return status;
}

static void count_left_out(kn_release *r, const kn_column *items)
{
    for (uint32_t i = 0; i < kn__column_values(items); i++) {
        r->left.items += r->left_out[i];
    }
    for (size_t i = 0; i < r->data->records; i++) {
        const uint64_t begin = items->starts[r->origin[i]], end = items->starts[r->origin[i] + 1];
        size_t gone = 0;
        for (uint64_t j = begin; j < end; j++) {
            gone += r->left_out[kn__code_get(items->codes, items->width, (size_t)j)];
        }
        r->left.occurrences += gone;
        r->left.emptied += gone > 0 && gone == end - begin;
    }
}

/* Guarantees of trees are for tree records, and tree records have no others. */
static kn_status refuse_mixture(const kn_task *task, kn_error *err)
{
    const kn_anonymize_options *o = task->options;

    for (size_t i = 0; i < o->guarantees_count; i++) {
        const bool trees = kn__guarantee_is_about(&o->guarantees[i], KN_ABOUT_TREES);
        if (trees && !task->ds->forest) {
            (void)kn__fail(err, KN_EUSAGE,
                           "%s is about tree records, and this table has none: read a file of "
                           "trees (.trees, .json or .xml), or ask for another guarantee",
                           kn_guarantee_name(o->guarantees[i].kind));
            return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, "guarantee");
        }
        if (!trees) {
            return kn__fail(err, KN_EUSAGE,
                            "the file holds tree records, for which %s says nothing of the "
                            "relations between the values: ask for --guarantee kmn-anonymity",
                            kn_guarantee_name(o->guarantees[i].kind));
        }
    }
    if (o->suppression > 0 || o->item_suppression > 0) {
        return kn__fail(err, KN_EUSAGE,
                        "tree records are neither suppressed nor items of them left out: drop "
                        "--suppression and --item-suppression");
    }
    return KN_OK;
}

static kn_status make_trees(kn_release **out, kn_task *task, kn_error *err)
{
    kn_release *r = NULL;
    kn_forest *f = NULL;
    kn_status status;

    KN_TRY(refuse_mixture(task, err));
    KN_TRY(start_release(&r, task, err));
    KN_TRY(kn__trees_anonymize(&f, &r->trees, task, &r->method, err));
    KN_TRY(kn__release_make_trees(r, task, f, err));
    *out = r;
    r = NULL;
done:
    kn_release_free(r);
    return status;
}

kn_status kn__anonymize_again(kn_release **out, const kn_dataset *ds,
                              const kn_hierarchies *hierarchies,
                              const kn_anonymize_options *options, kn_sweep_cache *memo,
                              const kn_run *run, kn_error *err)
{
    kn_anonymize_options own = *options;
    preparation p = {.task = {.ds = ds, .hierarchies = hierarchies, .options = &own, .run = run}};
    kn_grouping grouping = {0};
    kn_recoding recoding = {0};
    kn_cluster_counts clusters = {0};
    kn_release *r = NULL;
    const char *name = NULL;
    kn_status status;

    *out = NULL;
    if (!own.method && own.params) {
        own.method = kn_params_entry(own.params)->name;
    }
    KN_TRY(check_options(ds, options, err));
    if (asks_for(options, KN_METHOD_TREES) || ds->forest) {
        KN_TRY(make_trees(out, &p.task, err));
        goto done;
    }
    if (asks_for(options, KN_METHOD_MIXED)) {
        KN_TRY(kn__refuse_counts(ds, "a guarantee of tables with items", err));
        KN_TRY(cluster_records(&p, memo, &grouping, &recoding, &name, &clusters, err));
    } else if (asks_for(options, KN_METHOD_ITEMS)) {
        KN_TRY(kn__items_recode(&p.task, &recoding, &grouping, &name, err));
    } else {
        KN_TRY(group_records(&p, &grouping, &name, err));
    }
    KN_TRY(start_release(&r, &p.task, err));
    r->method = name;
    r->left_out = recoding.left_out;
    recoding.left_out = NULL;
    r->item_limit = options->item_suppression;
    r->own = recoding.hierarchies;
    recoding.hierarchies = NULL;
    r->hierarchies = r->own ? r->own : hierarchies;
    r->areas = recoding.areas;
    recoding.areas = NULL;
    for (size_t i = 0; i < r->guarantees_count; i++) {
        r->guarantees[i].attempt = recoding.attempt;
    }
    r->bounded = kn__rt_bounded(&p.task.params, name, &r->bound);
    r->clusters = clusters;
    KN_TRY(kn__release_make(r, &p.task, &grouping, err));
    if (r->left_out) {
        count_left_out(r, &ds->column[p.task.recoded]);
    }
    r->items = recoding;
    recoding = (kn_recoding){0};
done:
    kn__recoding_clear(&recoding);
    kn__grouping_clear(&grouping);
    preparation_clear(&p);
    if (status != KN_OK) {
        kn_release_free(r);
        return status;
    }
    *out = r ? r : *out;
    return KN_OK;
}

kn_status kn_anonymize(kn_release **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                       const kn_anonymize_options *options, const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, ds, options);
    KN_NEED_SIZED(err, options);
    KN_NEED_SIZED(err, run);

    const kn_status status = kn__refuse_open_columns(
        ds, kn__rare_below(options->guarantees, options->guarantees_count), run, err);

    return status == KN_OK ? kn__anonymize_again(out, ds, hierarchies, options, NULL, run, err)
                           : status;
}

void kn_release_free(kn_release *r)
{
    if (r) {
        kn_dataset_free(r->data);
        KN_FREE(r->origin, r->guarantees, r->left_out);
        kn_hierarchies_free(r->own);
        kn__areas_free(r->areas);
        kn__recoding_clear(&r->items);
        kn__point_options_clear(&r->points);
        kn__tree_changes_clear(&r->trees);
        kn__free(r);
    }
}

const kn_dataset *kn_release_data(const kn_release *r)
{
    return r ? r->data : NULL;
}

size_t kn_release_origin(const kn_release *r, size_t i)
{
    return r && i < r->data->records ? r->origin[i] : SIZE_MAX;
}

const uint32_t *kn_release_origins(const kn_release *r, size_t *count)
{
    if (count) {
        *count = r ? r->data->records : 0;
    }
    return r ? r->origin : NULL;
}

size_t kn_release_suppressed(const kn_release *r)
{
    return r ? r->suppressed : 0;
}

const char *kn_release_method(const kn_release *r)
{
    return r ? r->method : NULL;
}

kn_left_out kn_release_left_out(const kn_release *r)
{
    return r ? r->left : (kn_left_out){0};
}

kn_cluster_counts kn_release_clusters(const kn_release *r)
{
    return r ? r->clusters : (kn_cluster_counts){0};
}
