/* span_index.c - the spans of all records (Definition 5), kept up to date while centres are added.
 *
 * Records with equal public values form a group and have the same span: the ascending list of the
 * clusters whose centre is nearest for some private values. Each different list is stored once and
 * found by its hash (hash consing), so a span is a number and two groups have the same span if the
 * numbers are equal. Invariant: span[g] is the span of group g for the centres committed last. */
#include "models/clusters/span_index.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/rows/group.h"
#include "models/clusters/span_boxes.h"

#include <string.h>

struct kn_span_index {
    const kn_frame *frame;
    const kn_weighted_points *points;
    const kn_model_limits *limits;
    kn_span_histogram *histogram; /* NULL: neither diversity nor inference is limited */
    kn_space space; /* the frame's, with the category distances of the centres evaluated */
    double *category_distance;
    size_t category_distance_cap;
    double work;
    const kn_run *run;
    size_t groups;
    double *x;             /* group * attributes + attribute */
    uint32_t *population;  /* by group: its records */
    kn_intern spans;       /* the different ones, as lists of clusters */
    uint32_t *span, *next; /* by group: committed, and evaluated last */
    kn_span_boxes *boxes;
    double *span_work; /* by span: roughly the pairs of centres compared for a group; -1: not
                          computed */
    size_t span_work_cap;
    uint64_t *span_population; /* by span: its records as evaluated last */
    size_t span_population_cap;
    size_t violation;   /* the smallest span that breaks the limits; SIZE_MAX: none */
    uint32_t *in_order; /* groups sorted by span, if there is a histogram */
    size_t *span_begin; /* by span: where its groups begin in in_order, and the end */
    size_t span_begin_cap;
    /* the centres that are evaluated */
    const double *centre;
    size_t count;
    uint32_t split;
};

/* ---- groups ---- */

/* `groups` NULL: all records are in one. */
static kn_status make_histogram(kn_span_index *g, const kn_row_groups *groups, kn_error *err)
{
    const kn_weighted_points *p = g->points;
    uint32_t *of_record = kn__zalloc_array(p->records, sizeof *of_record);
    uint32_t *of_point = kn__malloc_array(p->count, sizeof *of_point);
    kn_status status;

    g->in_order = kn__malloc_array(g->groups, sizeof *g->in_order);
    KN_TRY(of_record && of_point && g->in_order ? KN_OK : kn__nomem(err));
    for (size_t i = 0; groups && i < groups->count; i++) {
        for (size_t at = groups->starts[i]; at < groups->starts[i + 1]; at++) {
            of_record[groups->row[at]] = (uint32_t)i;
        }
    }
    for (size_t i = 0; i < p->count; i++) {
        of_point[i] = of_record[p->row[i]];
    }
    KN_TRY(kn__span_histogram_new(&g->histogram, p, of_point, g->groups, g->limits, g->run, err));
done:
    kn__free(of_record);
    kn__free(of_point);
    return status;
}

/* Group the records by their public values; without public attributes there is one group. */
static kn_status make_groups(kn_span_index *g, kn_error *err)
{
    const kn_frame *t = g->frame;
    const size_t stride = t->space.attributes;
    const kn_column **keys = kn__malloc_array(stride, sizeof *keys);
    kn_row_groups groups = {0};
    size_t count = 0;
    kn_status status;

    KN_TRY(keys ? KN_OK : kn__nomem(err));
    for (size_t n = 0; n < stride; n++) {
        if (!t->space.at[n].hidden) {
            keys[count++] = t->bound->attribute[t->attribute[n]].column;
        }
    }
    g->groups = 1;
    if (count > 0) {
        KN_TRY(kn__row_groups_make(&groups, keys, count, t->bound->ds->records, err));
        g->groups = groups.count;
    }
    g->x = kn__malloc_array(g->groups * stride, sizeof *g->x);
    g->population = kn__malloc_array(g->groups, sizeof *g->population);
    KN_TRY(g->x && g->population ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < g->groups; i++) {
        kn__frame_get(t, count > 0 ? groups.row[groups.starts[i]] : 0, g->x + i * stride);
        g->population[i] = (uint32_t)(count > 0 ? groups.starts[i + 1] - groups.starts[i]
                                                : t->bound->ds->records);
    }
    if (g->limits->l > 0 || g->limits->inference > 0) {
        KN_TRY(make_histogram(g, count > 0 ? &groups : NULL, err));
    }
done:
    kn__row_groups_clear(&groups);
    kn__free(keys);
    return status;
}

kn_status kn__span_index_new(kn_span_index **out, const kn_weighted_points *points,
                             const kn_model_limits *limits, const kn_run *run, kn_error *err)
{
    kn_span_index *g = kn__zalloc(sizeof *g);
    kn_status status = KN_OK;

    *out = NULL;
    if (!g) {
        return kn__nomem(err);
    }
    g->frame = points->frame;
    g->points = points;
    g->limits = limits;
    g->space = points->frame->space;
    g->run = run;
    KN_TRY(make_groups(g, err));
    KN_TRY(kn__span_boxes_new(&g->boxes, &g->space, g->x, g->groups, kn__run_threads(run), err));
    g->span = kn__zalloc_array(g->groups, sizeof *g->span);
    g->next = kn__zalloc_array(g->groups, sizeof *g->next);
    KN_TRY(g->span && g->next ? KN_OK : kn__nomem(err));
    KN_TRY(kn__span_index_reset(g, err));
done:
    if (status != KN_OK) {
        kn__span_index_free(g);
        g = NULL;
    }
    *out = g;
    return status;
}

void kn__span_index_free(kn_span_index *g)
{
    if (!g) {
        return;
    }
    kn__span_boxes_free(g->boxes);
    kn__span_histogram_free(g->histogram);
    kn__free(g->in_order);
    kn__free(g->span_begin);
    kn__free(g->category_distance);
    kn__free(g->x);
    kn__free(g->population);
    kn__free(g->span);
    kn__free(g->next);
    kn__free(g->span_work);
    kn__free(g->span_population);
    kn__intern_clear(&g->spans);
    kn__free(g);
}

kn_status kn__span_index_reset(kn_span_index *g, kn_error *err)
{
    static const uint32_t first_cluster[] = {0};
    uint32_t only;

    g->work = 0;
    kn__intern_clear(&g->spans);
    KN_PASS(kn__intern_add(&g->spans, first_cluster, 1, &only, err));
    memset(g->span, 0, g->groups * sizeof *g->span);
    if (g->histogram) {
        kn__span_histogram_reset(g->histogram);
    }
    return kn__span_boxes_commit(g->boxes, &g->spans, g->span, err);
}

double kn__span_index_work(const kn_span_index *g)
{
    return g->work;
}

/* ---- evaluating centres ---- */

/* When most of the stored spans are those of no group, keep the others only. */
static kn_status collect_garbage(kn_span_index *g, kn_error *err)
{
    kn_intern kept = {0};
    kn_status status = KN_OK;

    if (g->spans.count < 4096 || g->spans.count < 4 * g->groups) {
        return KN_OK;
    }
    for (size_t i = 0; i < g->groups; i++) {
        size_t len;
        const uint32_t *list = kn__intern_list(&g->spans, g->span[i], &len);
        KN_TRY(kn__intern_add(&kept, list, len, &g->next[i], err));
    }
    memcpy(g->span, g->next, g->groups * sizeof *g->span);
    kn__intern_clear(&g->spans);
    g->spans = kept;
    kept = (kn_intern){0};
done:
    kn__intern_clear(&kept);
    return status;
}

/* Roughly the pairs of centres that are compared for a group with the span `number`, if groups are
 * looked at one by one: so the work of a search does not depend on how they are evaluated. */
static double work_of(kn_span_index *g, uint32_t number)
{
    const double centres = (double)g->count;
    double *work = &g->span_work[number];

    if (*work < 0) {
        size_t len;
        const uint32_t *old = kn__intern_list(&g->spans, number, &len);
        *work = kn__span_has_split(old, len, g->split) ? centres * centres : 4 + 2 * (double)len;
    }
    return *work;
}

static kn_status add_work(kn_span_index *g, kn_error *err)
{
    KN_PASS(kn__grow(&g->span_work, &g->span_work_cap, g->spans.count, sizeof *g->span_work, err));
    for (size_t s = 0; s < g->spans.count; s++) {
        g->span_work[s] = -1;
    }
    for (size_t i = 0; i < g->groups; i++) {
        g->work += work_of(g, g->span[i]);
    }
    return KN_OK;
}

/* Number the evaluated spans, in the order of their first groups, and count their records. */
static kn_status count_spans(kn_span_index *g, kn_error *err)
{
    for (size_t i = 0; i < g->groups; i++) {
        const uint32_t *list;
        kn_span_finding *found = kn__span_boxes_finding(g->boxes, i, &list);
        if (found && found->span == KN_NO_CODE) {
            KN_PASS(kn__intern_add(&g->spans, list, found->len, &found->span, err));
        }
        g->next[i] = found ? found->span : g->span[i];
    }
    KN_PASS(kn__grow(&g->span_population, &g->span_population_cap, g->spans.count,
                     sizeof *g->span_population, err));
    memset(g->span_population, 0, g->spans.count * sizeof *g->span_population);
    for (size_t i = 0; i < g->groups; i++) {
        g->span_population[g->next[i]] += g->population[i];
    }
    return KN_OK;
}

/* ---- limits ---- */

/* A span of one cluster discloses nothing of private values. */
static bool discloses(const kn_span_index *g, size_t span)
{
    return g->span_population[span] > 0 && g->spans.starts[span + 1] - g->spans.starts[span] > 1;
}

static void note_violation(kn_span_index *g, size_t span, uint64_t *least)
{
    if (g->span_population[span] < *least) {
        *least = g->span_population[span];
        g->violation = span;
    }
}

/* Sort the groups by span (counting sort). */
static kn_status sort_groups(kn_span_index *g, kn_error *err)
{
    const size_t count = g->spans.count;

    KN_PASS(kn__grow(&g->span_begin, &g->span_begin_cap, count + 2, sizeof *g->span_begin, err));
    /* While groups are placed, span_begin[s + 1] is where the next group of span s goes. */
    memset(g->span_begin, 0, (count + 2) * sizeof *g->span_begin);
    for (size_t i = 0; i < g->groups; i++) {
        g->span_begin[g->next[i] + 2]++;
    }
    for (size_t s = 0; s < count; s++) {
        g->span_begin[s + 2] += g->span_begin[s + 1];
    }
    for (size_t i = 0; i < g->groups; i++) {
        g->in_order[g->span_begin[g->next[i] + 1]++] = (uint32_t)i;
    }
    return KN_OK;
}

/* The smallest span whose records are not diverse enough over their clusters. */
static kn_status check_histograms(kn_span_index *g, uint64_t *least, kn_error *err)
{
    KN_PASS(sort_groups(g, err));
    KN_PASS(kn__span_histogram_evaluate(g->histogram, g->centre, g->count, g->split, err));
    g->work += 4 * (double)g->points->count;
    for (size_t s = 0; s < g->spans.count; s++) {
        if (discloses(g, s) && g->span_population[s] < *least &&
            !kn__span_histogram_holds(g->histogram, g->in_order + g->span_begin[s],
                                      g->span_begin[s + 1] - g->span_begin[s])) {
            note_violation(g, s, least);
        }
    }
    return KN_OK;
}

static kn_status set_centres(kn_span_index *g, const double *centre, size_t count, uint32_t split,
                             kn_error *err)
{
    KN_PASS(collect_garbage(g, err));
    KN_PASS(kn__grow(&g->category_distance, &g->category_distance_cap, count * count,
                     sizeof *g->category_distance, err));
    g->centre = centre;
    g->count = count;
    g->split = split;
    kn__space_category_distances(&g->space, centre, count, g->category_distance);
    g->space.category_distance = g->category_distance;
    g->space.category_distance_count = count;
    return add_work(g, err);
}

/* The smallest span that breaks the limits, of those evaluated. */
static kn_status check_spans(kn_span_index *g, uint64_t *least, kn_error *err)
{
    KN_PASS(count_spans(g, err));
    *least = UINT64_MAX;
    g->violation = SIZE_MAX;
    for (size_t s = 0; s < g->spans.count; s++) {
        if (discloses(g, s) && g->span_population[s] < g->limits->k) {
            note_violation(g, s, least);
        }
    }
    if (g->histogram && g->violation == SIZE_MAX) {
        KN_PASS(check_histograms(g, least, err));
    }
    return KN_OK;
}

kn_status kn__span_index_evaluate(kn_span_index *g, const double *centre, size_t count,
                                  uint32_t split, uint64_t *least, kn_error *err)
{
    KN_PASS(set_centres(g, centre, count, split, err));
    KN_PASS(kn__span_boxes_evaluate(g->boxes, &g->space, centre, count, split, &g->spans, g->span,
                                    err));
    return check_spans(g, least, err);
}

kn_status kn__span_index_try(kn_span_index *g, const double *centre, size_t count, uint32_t split,
                             bool *holds, kn_error *err)
{
    uint64_t least = 0;
    bool refused = false;

    KN_PASS(set_centres(g, centre, count, split, err));
    KN_PASS(kn__span_boxes_try(g->boxes, &g->space, centre, count, split, &g->spans, g->span,
                               g->population, g->limits->k, &refused, err));
    if (!refused) {
        KN_PASS(check_spans(g, &least, err));
    }
    *holds = !refused && least == UINT64_MAX;
    return KN_OK;
}

kn_status kn__span_index_commit(kn_span_index *g, kn_error *err)
{
    memcpy(g->span, g->next, g->groups * sizeof *g->span);
    if (g->histogram) {
        kn__span_histogram_commit(g->histogram);
    }
    return kn__span_boxes_commit(g->boxes, &g->spans, g->span, err);
}

const uint32_t *kn__span_index_violation(const kn_span_index *g, size_t *count)
{
    if (g->violation == SIZE_MAX) {
        *count = 0;
        return NULL;
    }
    return kn__intern_list(&g->spans, g->violation, count);
}
