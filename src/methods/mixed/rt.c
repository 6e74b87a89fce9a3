/* rt.c - from a table with a column of items to clusters of records: the table's part generalised
 * by cluster, and the items of each cluster by themselves.
 *
 * In a cluster every combination of up to m published items that occurs has k records. Clusters
 * that are published alike in the rest of the table are one equivalence class of the release;
 * a combination has k records there too, as it has none or k in each of them, and a sensitive item
 * is no likelier in the class than in the likeliest of them. */
#include "methods/registry.h"
#include "methods/params.h"
#include "methods/mixed/rt.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "guarantees/registry.h"
#include "methods/mixed/rt_items.h"
#include "methods/mixed/merge.h"
#include "utility/items/ul_weights.h"

#include <math.h>
#include <string.h>

#define STEPS_OF_DELTA 1e6  /* bounds are printed in so many steps */
#define SLACK          1e-9 /* for sums in another order */

typedef enum rt_kind { RUM_BOUND, TUM_BOUND, RFIRST, TFIRST } rt_kind;

extern const kn_method_row kn__rum_bound_row, kn__tum_bound_row, kn__rfirst_row, kn__tfirst_row;

/* ---- the column of items ---- */

static bool of_both(const kn_guarantee *g)
{
    return kn__guarantee_is_about(g, KN_ABOUT_CLASSES | KN_ABOUT_ITEMS);
}

void kn__rt_items_clear(kn_rt_items *items)
{
    kn__domain_free(items->domain);
    kn__baskets_free(items->baskets);
    kn__sensitive_items_clear(&items->sensitive);
    kn__free(items->weight);
    *items = (kn_rt_items){0};
}

/* What meets every guarantee asked. */
static kn_status strictest(kn_rt_items *x, const kn_task *task, kn_error *err)
{
    const kn_anonymize_options *o = task->options;
    const size_t records = task->ds->records;

    for (size_t i = 0; i < o->guarantees_count; i++) {
        const kn_guarantee *g = &o->guarantees[i];
        const char *name = kn_guarantee_name(g->kind);
        if (!of_both(g)) {
            return kn__fail(err, KN_EUSAGE,
                            "%s cannot be reached together with k-km-anonymity or k-lm-diversity: "
                            "ask for these alone",
                            name);
        }
        if (g->k > records) {
            return kn__fail(err, KN_EINFEASIBLE,
                            "%s with k = %zu needs at least %zu records, and the table has %zu: "
                            "ask for a k of at most %zu",
                            name, g->k, g->k, records, records);
        }
        x->k = g->k > x->k ? g->k : x->k;
        x->m = g->m > x->m ? g->m : x->m;
        if (kn__guarantee_is_about(g, KN_ABOUT_SENSITIVE_ITEMS) && g->l > x->l) {
            x->l = g->l;
        }
    }
    x->l = x->sensitive.given && x->l < 1 ? 1 : x->l;
    return KN_OK;
}

kn_status kn__rt_items_find(kn_rt_items *x, const kn_task *task, kn_error *err)
{
    const kn_dataset *ds = task->ds;
    size_t first = 0;

    while (!of_both(&task->options->guarantees[first])) {
        first++;
    }
    *x = (kn_rt_items){0};
    KN_PASS(kn__items_column(&x->at, ds, kn_guarantee_name(task->options->guarantees[first].kind),
                             true, err));
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        if (c->role == KN_ROLE_QUASI && !(c->weight >= 0 && c->weight <= 1)) {
            KN_PASS(kn__fail(err, KN_EUSAGE,
                             "the weight of column '%.100s' is %g: beside items weights are from 0 "
                             "to 1, as bounds are",
                             c->name, c->weight));
        } else if (c->role == KN_ROLE_QUASI && !c->starts && c->missing != KN_NO_CODE &&
                   c->missing_rule == KN_MISSING_ANY) {
            KN_PASS(kn__fail(err, KN_EUSAGE,
                             "missing values that may be anyone's (--missing-rule any) are not "
                             "counted together with items: use --missing-rule own"));
        }
    }
    x->column = &ds->column[x->at];
    KN_PASS(kn__sensitive_items_find(&x->sensitive, x->column, task->hierarchies, err));
    KN_PASS(kn__sensitive_items_all_there(&x->sensitive, err));
    KN_PASS(strictest(x, task, err));
    KN_PASS(kn__sensitive_items_named(&x->sensitive, x->column, task->options->guarantees,
                                      task->options->guarantees_count, err));
    KN_PASS(kn__baskets_of_column(&x->baskets, x->column, ds->records, err));
    KN_PASS(kn__domain_new_exempt(
        &x->domain, x->column,
        task->hierarchies ? kn_hierarchies_get(task->hierarchies, x->column->name) : NULL,
        task->options->uncovered, x->sensitive.is, err));
    return kn__ul_weights_new(&x->weight, x->domain, err);
}

bool kn__rt_items_bar(const kn_rt_items *x, size_t i)
{
    size_t len;
    const uint32_t *items = kn__baskets_record(x->baskets, i, &len);

    for (size_t j = 0; j < len; j++) {
        if (x->domain->start[items[j]] == KN_NO_NODE) {
            return true;
        }
    }
    return false;
}

/* ---- the bound ---- */

const char *kn__rt_bounded(const kn_params *params, const char *method, double *bound)
{
    *bound = kn__param_find(params->entry, "delta") ? kn__param_number(params, "delta") : 0;
    if (strcmp(method, kn__rum_bound_row.entry.name) == 0) {
        return "relational_ncp";
    }
    return strcmp(method, kn__tum_bound_row.entry.name) == 0 ? "ul" : NULL;
}

/* What Rum is made of: NCPs are rounded to units, and what is published must keep the bound as it
 * is measured, with suppressed records as lost ones. */
typedef struct rum_scale {
    double records;
    double lost; /* in units: suppressed records, and what rounding may hide */
} rum_scale;

static rum_scale scale_of(const kn_task *task)
{
    const double records = (double)task->ds->records;

    return (rum_scale){records,
                       (double)task->barred_count * KN_NCP_ONE + records * (double)task->qis};
}

static double rum_of(const rum_scale *s, uint64_t sum)
{
    return fmin(((double)sum + s->lost) / (s->records * KN_NCP_ONE), 1);
}

static uint64_t limit_of(const rum_scale *s, double delta)
{
    const double units = delta * s->records * KN_NCP_ONE - s->lost;

    if (delta >= 1) {
        return UINT64_MAX;
    }
    return units > 0 ? (uint64_t)units : 0;
}

/* UL of the records that are suppressed from the start: what the measure counts them as. */
static double lost_items(const kn_task *task, const kn_rt_items *items)
{
    const double one = items->weight ? items->weight[kn__domain_root(items->domain)] : 1;
    double lost = 0;

    for (size_t i = 0; task->barred && i < task->ds->records; i++) {
        size_t len;
        (void)kn__baskets_record(items->baskets, i, &len);
        lost += task->barred[i] && len > 0 ? one : 0;
    }
    return lost;
}

/* The least bound, as it is printed, that is certainly above `value`. */
static double round_up(double value)
{
    return fmin(ceil(value * STEPS_OF_DELTA + 0.01) / STEPS_OF_DELTA, 1);
}

static kn_status out_of_reach(const char *method, const char *what, double delta, double least,
                              kn_error *err)
{
    return kn__fail(err, KN_EINFEASIBLE,
                    "%s: the loss of %s cannot be kept at delta = %g; the smallest delta that can "
                    "be reached here is %.6g",
                    method, what, delta, round_up(least));
}

/* The clusters as formed: those of the memo, or new ones. */
static kn_status form(kn_rt_merge *x, const kn_task *task, const kn_rt_items *items, kn_error *err)
{
    const bool plain = kn__param_flag(&task->params, "paper");
    kn_clusters *c = NULL;
    kn_status status;

    KN_TRY(kn__sweep_cache_clusters(x->memo, &c, task, items->k, plain, err));
    if (!c) {
        KN_TRY(kn__clusters_new(&c, task, items->k, plain, KN_PRICE_NCP, err));
        KN_TRY(kn__sweep_cache_keep(x->memo, c, items->k, plain, err));
    }
    status = kn__growing_clusters_new(&x->parts, c, items->baskets, items->sensitive.is, err);
    c = NULL; /* x->parts has it, or it was freed */
done:
    kn__clusters_free(c);
    return status;
}

/* The least UL that merging comes by, of which `*reached` is known. */
static kn_status find_least(kn_rt_merge *x, const kn_task *task, const kn_rt_items *items,
                            double *reached, kn_error *err)
{
    kn__growing_clusters_free(x->parts);
    x->parts = NULL;
    KN_PASS(form(x, task, items, err));
    KN_PASS(kn__rt_merge_feasible(x, err));
    return kn__rt_merge_least_tum(x, reached, err);
}

/* Rum-bound as it was published: merge as long as the bound allows. */
static kn_status merge_as_printed(kn_rt_merge *x, uint64_t limit, kn_error *err)
{
    const kn_status status = kn__rt_merge_within_rum(x, limit, err);

    return status == KN_OK ? kn__rt_merge_equals(x, err) : status;
}

static void forget_maps(kn_rt_merge *x)
{
    for (size_t i = 0; x->map && i < x->maps; i++) {
        kn__part_map_clear(&x->map[i]);
    }
}

/* Merges may raise UL as well: of all that the bound allows, take as many as lower it most. */
static kn_status merge_best(kn_rt_merge *x, uint64_t limit, const kn_task *task,
                            const kn_rt_items *items, kn_error *err)
{
    size_t steps;

    KN_PASS(kn__rt_merge_best_within_rum(x, limit, &steps, err));
    forget_maps(x);
    kn__growing_clusters_free(x->parts);
    x->parts = NULL;
    KN_PASS(form(x, task, items, err));
    return kn__rt_merge_again(x, steps, err);
}

static kn_status merge(kn_rt_merge *x, rt_kind kind, const kn_task *task, const kn_rt_items *items,
                       kn_error *err)
{
    const bool bounded = kind == RUM_BOUND || kind == TUM_BOUND;
    const double delta = bounded ? kn__param_number(&task->params, "delta") : 0;
    const rum_scale scale = scale_of(task);
    kn_status status = kn__rt_merge_feasible(x, err);

    if (status != KN_OK) {
        return status;
    }
    if (kind == RUM_BOUND) {
        const uint64_t limit = limit_of(&scale, delta);
        if (x->parts->sum > limit || (limit == 0 && delta < rum_of(&scale, 0))) {
            return out_of_reach(kn__rum_bound_row.entry.name,
                                "the quasi-identifiers (relational_ncp)", delta,
                                rum_of(&scale, x->parts->sum), err);
        }
        return kn__param_flag(&task->params, "paper") ? merge_as_printed(x, limit, err)
                                                      : merge_best(x, limit, task, items, err);
    }
    if (kind == TUM_BOUND) {
        const double lost = lost_items(task, items);
        const double limit = delta >= 1 ? INFINITY : (delta - SLACK) * scale.records - lost;
        double reached;
        status = kn__rt_merge_to_tum(x, limit, &reached, err);
        if (status == KN_OK && reached > limit) {
            status = find_least(x, task, items, &reached, err);
        }
        if (status == KN_OK && reached > limit) {
            return out_of_reach(kn__tum_bound_row.entry.name, "the items (ul)", delta,
                                (reached + lost) / scale.records + SLACK, err);
        }
    }
    /* In tum-bound the bound was met with the clusters as they are. */
    return status == KN_OK && kind != TUM_BOUND ? kn__rt_merge_equals(x, err) : status;
}

/* ---- the whole ---- */

static void count_clusters(const kn_growing_clusters *p, size_t first, kn_cluster_counts *out)
{
    *out = (kn_cluster_counts){.clusters = p->c->count, .formed = first, .merges = p->merges};
    for (uint32_t i = 0; i < p->c->count; i++) {
        out->largest = p->c->size[i] > out->largest ? p->c->size[i] : out->largest;
    }
}

/* The clusters, merged and numbered. */
static kn_status make_clusters(kn_rt_merge *x, rt_kind kind, const kn_task *task,
                               const kn_rt_items *items, kn_cluster_counts *counts, kn_error *err)
{
    const kn_rt_way way = {items->m, items->l, (int)kind, x->how, x->exact};
    size_t first;
    kn_status status;

    if (kind == TFIRST) {
        kn_clusters *c = NULL;
        status = kn__tfirst_clusters(&c, task, items, x->t, err);
        if (status != KN_OK) {
            kn__clusters_free(c);
            return status;
        }
        status = kn__growing_clusters_new(&x->parts, c, items->baskets, items->sensitive.is, err);
    } else {
        status = form(x, task, items, err);
    }
    if (status == KN_OK && (kind == TUM_BOUND || kind == RUM_BOUND)) {
        x->map = kn__zalloc_array(x->parts->c->count, sizeof *x->map);
        x->maps = x->parts->c->count;
        status = x->map ? KN_OK : kn__nomem(err);
    }
    if (status != KN_OK) {
        return status;
    }
    kn__sweep_cache_go(x->memo, &way);
    first = x->parts->count;
    status = merge(x, kind, task, items, err);
    if (status == KN_OK) {
        kn__growing_clusters_finish(x->parts);
        count_clusters(x->parts, first, counts);
    }
    /* Clusters have new numbers, none above its old one. */
    for (size_t i = 0; status == KN_OK && x->map && i < x->parts->count; i++) {
        const kn_part_map map = x->map[x->parts->number[i]];
        x->map[x->parts->number[i]] = (kn_part_map){0};
        x->map[i] = map;
    }
    return status;
}

kn_status kn__rt_anonymize(kn_task *task, const kn_rt_items *items, kn_sweep_cache *memo,
                           kn_grouping *grouping, kn_recoding *recoding, const char **name,
                           kn_cluster_counts *counts, kn_error *err)
{
    const kn_anonymize_options *o = task->options;
    const size_t left = task->ds->records - task->barred_count;
    kn_rt_merge x = {.run = task->run};
    kn_sweep_cache *own = NULL;
    const kn_method_row *method = NULL;
    rt_kind kind = RUM_BOUND;
    kn_status status;

    KN_TRY(
        kn__method_of_family(&method, o->method ? o->method : "rum-bound", KN_METHOD_MIXED, err));
    kind = (rt_kind)method->variant;
    KN_TRY(kn__method_params(&task->params, method, o->params, err));
    if (kind == RUM_BOUND || kind == TUM_BOUND) {
        x.how = (kn_merge)kn__param_choice(&task->params, "merge");
        x.exact = kn__param_flag(&task->params, "exact-utility");
    }
    if (left < items->k) {
        KN_TRY(kn__fail(err, KN_EINFEASIBLE,
                        "%zu of %zu records hold values that the hierarchies lack and are "
                        "suppressed: the others are fewer than k = %zu; publish such values as "
                        "the root (--uncovered root), or ask for a smaller k",
                        task->barred_count, task->ds->records, items->k));
    }
    *name = method->entry.name;
    KN_TRY(kn__run_step(task->run, *name, 0, err));
    if (!memo || kind == TFIRST) { /* its parts are not those of a memo */
        KN_TRY(kn__sweep_cache_new(&own, err));
    }
    x.memo = own ? own : memo;
    KN_TRY(kn__cluster_items_new(&x.t, items->baskets, items->domain, items->k, items->m, items->l,
                                 items->sensitive.is, kn__run_threads(task->run), task->run, err));
    kn__cluster_items_weigh(x.t, items->weight);
    KN_TRY(make_clusters(&x, kind, task, items, counts, err));
    KN_TRY(kn__run_step(task->run, "items", 0, err));
    KN_TRY(kn__rt_recode(items, x.parts->c, x.t, x.map, recoding, task->run, err));
    KN_TRY(kn__clusters_publish(x.parts->c, grouping, err));
done:
    task->recoding = recoding;
    task->recoded = items->at;
    forget_maps(&x);
    kn__free(x.map);
    kn__growing_clusters_free(x.parts);
    kn__cluster_items_free(x.t);
    kn__sweep_cache_free(own);
    return status;
}

#define PARAM_DELTA                                                                     \
    {                                                                                   \
        .name = "delta", .kind = KN_PARAM_NUMBER, .min = 0, .max = 1, .standard = 0.65, \
        .help = "the most that may be lost: rum-bound in the quasi-identifiers "        \
                "(relational_ncp), tum-bound in the items (ul)"                         \
    }
#define PARAM_MERGE                                                                             \
    {                                                                                           \
        .name = "merge", .kind = KN_PARAM_CHOICE, .choices = "rt|r|t",                          \
        .help = "rum-bound, tum-bound: merge clusters that are near in their values and items " \
                "(rt), in their values (r) or in their items (t)"                               \
    }
#define PARAM_EXACT_UTILITY                                                                   \
    {                                                                                         \
        .name = "exact-utility", .kind = KN_PARAM_FLAG,                                       \
        .help = "rum-bound, tum-bound: generalise the items of every two clusters on trial, " \
                "instead of comparing records; slow"                                          \
    }

static const kn_param bound_params[] = {PARAM_DELTA, PARAM_MERGE, PARAM_EXACT_UTILITY,
                                        KN_PARAM_PAPER};

static const kn_param rfirst_params[] = {KN_PARAM_PAPER};

static const kn_param tfirst_params[] = {KN_PARAM_PARTS(10)};

const kn_method_row kn__rum_bound_row = {
    .entry =
        {.kind = KN_ENTRY_METHOD,
         .name = "rum-bound",
         .reaches = KN_MIXED_GUARANTEES,
         .summary =
             "clusters of records grow while the quasi-identifiers lose at most delta; items by "
             "cluster",
         KN_PARAMS(bound_params),
         .page = "rt.md"},
    .family = KN_METHOD_MIXED,
    .variant = RUM_BOUND,
};

const kn_method_row kn__tum_bound_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "tum-bound",
              .reaches = KN_MIXED_GUARANTEES,
              .summary = "clusters of records grow until the items lose at most delta",
              KN_PARAMS(bound_params),
              .page = "rt.md"},
    .family = KN_METHOD_MIXED,
    .variant = TUM_BOUND,
};

const kn_method_row kn__rfirst_row = {
    .entry =
        {.kind = KN_ENTRY_METHOD,
         .name = "rfirst",
         .reaches = KN_MIXED_GUARANTEES,
         .summary =
             "small clusters of records, alike in their quasi-identifiers; then the items of each",
         KN_PARAMS(rfirst_params),
         .page = "rt.md"},
    .family = KN_METHOD_MIXED,
    .variant = RFIRST,
};

const kn_method_row kn__tfirst_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "tfirst",
              .reaches = KN_MIXED_GUARANTEES,
              .summary =
                  "few parts of records, alike in their items; then the quasi-identifiers of each",
              KN_PARAMS(tfirst_params),
              .page = "rt.md"},
    .family = KN_METHOD_MIXED,
    .variant = TFIRST,
};
