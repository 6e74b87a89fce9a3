/* span_histogram.c - the cluster of every point, and histograms of clusters over groups of points.
 *
 * Invariant: `now` assigns the points to the committed centres. */
#include "models/clusters/span_histogram.h"
#include "base/error.h"
#include "base/memory.h"
#include "guarantees/formulas.h"

#include <string.h>

struct kn_span_histogram {
    const kn_weighted_points *points;
    const kn_run *run;
    double inference;
    bool diverse; /* diversity is limited */
    kn_guarantee diversity;
    size_t *starts;          /* by group, and the end: where its points begin in member */
    uint32_t *member;        /* points, group by group */
    kn_assignment now, next; /* of the points: committed, and evaluated last */
    kn_histogram histogram;
    uint32_t *sorted;
    size_t capacity; /* clusters that the histogram has room for */
};

void kn__span_histogram_free(kn_span_histogram *h)
{
    if (h) {
        kn__free(h->starts);
        kn__free(h->member);
        kn__assignment_clear(&h->now);
        kn__assignment_clear(&h->next);
        kn__free(h->histogram.count);
        kn__free(h->histogram.codes);
        kn__free(h->sorted);
        kn__free(h);
    }
}

kn_status kn__span_histogram_new(kn_span_histogram **out, const kn_weighted_points *points,
                                 const uint32_t *group, size_t groups,
                                 const kn_model_limits *limits, const kn_run *run, kn_error *err)
{
    const size_t n = points->count;
    kn_span_histogram *h = kn__zalloc(sizeof *h);

    *out = NULL;
    if (!h) {
        return kn__nomem(err);
    }
    h->points = points;
    h->run = run;
    h->inference = limits->inference;
    h->diverse = limits->l > 0;
    h->diversity = (kn_guarantee){.kind = KN_L_DIVERSITY,
                                  .l = h->diverse ? limits->l : 1,
                                  .diversity = limits->distinct_l ? KN_DISTINCT : KN_ENTROPY};
    h->starts = kn__zalloc_array(groups + 2, sizeof *h->starts);
    h->member = kn__malloc_array(n, sizeof *h->member);
    if (!h->starts || !h->member || kn__assignment_new(&h->now, points, err) != KN_OK ||
        kn__assignment_new(&h->next, points, err) != KN_OK) {
        kn__span_histogram_free(h);
        return kn__nomem(err);
    }
    /* Counting sort: while points are placed, starts[g + 1] is where the next of group g goes. */
    for (size_t i = 0; i < n; i++) {
        h->starts[group[i] + 2]++;
    }
    for (size_t g = 0; g < groups; g++) {
        h->starts[g + 2] += h->starts[g + 1];
    }
    for (size_t i = 0; i < n; i++) {
        h->member[h->starts[group[i] + 1]++] = (uint32_t)i;
    }
    *out = h;
    return KN_OK;
}

/* ---- clusters ---- */

static kn_status reserve(kn_span_histogram *h, size_t clusters, kn_error *err)
{
    if (clusters > h->capacity) {
        kn__free(h->histogram.count);
        kn__free(h->histogram.codes);
        kn__free(h->sorted);
        h->capacity = 0;
        h->histogram = (kn_histogram){.count = kn__zalloc_array(2 * clusters, sizeof(uint32_t)),
                                      .codes = kn__malloc_array(2 * clusters, sizeof(uint32_t))};
        h->sorted = kn__malloc_array(2 * clusters, sizeof *h->sorted);
        if (!h->histogram.count || !h->histogram.codes || !h->sorted) {
            return kn__nomem(err);
        }
        h->capacity = 2 * clusters;
    }
    return KN_OK;
}

kn_status kn__span_histogram_evaluate(kn_span_histogram *h, const double *centre, size_t count,
                                      uint32_t split, kn_error *err)
{
    KN_PASS(reserve(h, count, err));
    return kn__weighted_points_assign(h->points, centre, count, split, &h->now, &h->next, h->run,
                                      err);
}

void kn__span_histogram_reset(kn_span_histogram *h)
{
    memset(h->now.nearest, 0, h->points->count * sizeof *h->now.nearest);
}

void kn__span_histogram_commit(kn_span_histogram *h)
{
    const kn_assignment was = h->now;

    h->now = h->next;
    h->next = was;
}

/* ---- spans ---- */

bool kn__span_histogram_holds(kn_span_histogram *h, const uint32_t *group, size_t count)
{
    kn_histogram *counts = &h->histogram;
    uint32_t most = 0;
    bool holds = true;

    for (size_t g = 0; g < count; g++) {
        for (size_t i = h->starts[group[g]]; i < h->starts[group[g] + 1]; i++) {
            kn__histogram_add_code(counts, h->next.nearest[h->member[i]],
                                   h->points->weight[h->member[i]]);
        }
    }
    if (h->diverse) {
        holds = kn__l_diversity_holds(&h->diversity, counts, h->sorted, NULL);
    }
    for (uint32_t i = 0; i < counts->distinct; i++) {
        most = counts->count[counts->codes[i]] > most ? counts->count[counts->codes[i]] : most;
    }
    if (h->inference > 0 && counts->total) {
        holds = holds && kn__ratio(most, counts->total) <= h->inference;
    }
    kn__histogram_reset(counts);
    return holds;
}
