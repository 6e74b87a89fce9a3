/* span_histogram.c - the cluster of every point, and histograms of clusters over groups of points.
 *
 * Invariant: cluster[i] is the nearest of the committed centres to point i. After a split only the
 * points of the split cluster need a search over all centres; any other point stays with its own
 * centre or moves to one of the two new ones, so three centres are compared. */
#include "models/clusters/span_histogram.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "guarantees/formulas.h"

#include <string.h>

enum { GRAIN = 1024 };

struct kn_span_histogram {
    const kn_points *points;
    const kn_run *run;
    double inference;
    bool diverse; /* diversity is limited */
    kn_guarantee diversity;
    size_t *starts;           /* by group, and the end: where its points begin in member */
    uint32_t *member;         /* points, group by group */
    uint32_t *cluster, *next; /* by point: committed, and evaluated last */
    kn_histogram histogram;
    uint32_t *sorted;
    size_t capacity; /* clusters that the histogram has room for */
    double *three;   /* by old cluster: its centre and the two new ones, by ascending number */
    size_t three_cap;
    /* the centres that are evaluated */
    const double *centre;
    size_t count;
    uint32_t split;
};

void kn__span_histogram_free(kn_span_histogram *h)
{
    if (h) {
        kn__free(h->starts);
        kn__free(h->member);
        kn__free(h->cluster);
        kn__free(h->next);
        kn__free(h->histogram.count);
        kn__free(h->histogram.codes);
        kn__free(h->sorted);
        kn__free(h->three);
        kn__free(h);
    }
}

kn_status kn__span_histogram_new(kn_span_histogram **out, const kn_points *points,
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
    h->cluster = kn__zalloc_array(n, sizeof *h->cluster);
    h->next = kn__zalloc_array(n, sizeof *h->next);
    if (!h->starts || !h->member || !h->cluster || !h->next) {
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

static void assign_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    const kn_span_histogram *h = user;
    const kn_space *space = &h->points->frame->space;
    const uint32_t added = (uint32_t)h->count - 1;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const double *x = h->points->x + i * space->attributes;
        const uint32_t own = h->cluster[i];
        if (h->split == KN_NO_CODE || own == h->split) {
            h->next[i] = kn__space_nearest(space, h->centre, h->count, x);
        } else {
            const uint32_t named[] = {own < h->split ? own : h->split,
                                      own < h->split ? h->split : own, added};
            h->next[i] =
                named[kn__space_nearest(space, h->three + own * 3 * space->attributes, 3, x)];
        }
    }
}

static void set_three(kn_span_histogram *h)
{
    const size_t stride = h->points->frame->space.attributes, bytes = stride * sizeof *h->centre;

    for (size_t own = 0; own + 1 < h->count; own++) {
        double *to = h->three + own * 3 * stride;
        const size_t first = own < h->split ? own : h->split, second = own + h->split - first;
        memcpy(to, h->centre + first * stride, bytes);
        memcpy(to + stride, h->centre + second * stride, bytes);
        memcpy(to + 2 * stride, h->centre + (h->count - 1) * stride, bytes);
    }
}

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
    return kn__grow(&h->three, &h->three_cap, clusters * 3 * h->points->frame->space.attributes,
                    sizeof *h->three, err);
}

kn_status kn__span_histogram_evaluate(kn_span_histogram *h, const double *centre, size_t count,
                                      uint32_t split, kn_error *err)
{
    kn_status status;

    KN_TRY(reserve(h, count, err));
    h->centre = centre;
    h->count = count;
    h->split = split;
    if (split != KN_NO_CODE) {
        set_three(h);
    }
    kn__parallel_for(kn__run_threads(h->run), h->points->count, GRAIN, assign_slice, h);
done:
    return status;
}

void kn__span_histogram_reset(kn_span_histogram *h)
{
    memset(h->cluster, 0, h->points->count * sizeof *h->cluster);
}

void kn__span_histogram_commit(kn_span_histogram *h)
{
    uint32_t *was = h->cluster;

    h->cluster = h->next;
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
            kn__histogram_add_code(counts, h->next[h->member[i]], h->points->weight[h->member[i]]);
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
