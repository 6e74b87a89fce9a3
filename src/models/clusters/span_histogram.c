/* span_histogram.c - the cluster of each point follows the centres: who is not in the one that is
 * split stays, or goes to one of the two new centres. */
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
    bool diverse; /* diversity is asked for */
    kn_guarantee diversity;
    size_t *starts;           /* by group, and the end */
    uint32_t *member;         /* points, group by group */
    uint32_t *cluster, *next; /* by point: as kept, and of the last look */
    kn_histogram histogram;
    uint32_t *sorted;
    size_t room;   /* clusters that the histogram has room for */
    double *three; /* by old cluster: its centre and the two new ones, as they are numbered */
    size_t three_cap;
    /* the look under way */
    const double *centre;
    size_t count;
    uint32_t split;
};

void kn__span_histogram_free(kn_span_histogram *m)
{
    if (m) {
        kn__free(m->starts);
        kn__free(m->member);
        kn__free(m->cluster);
        kn__free(m->next);
        kn__free(m->histogram.count);
        kn__free(m->histogram.codes);
        kn__free(m->sorted);
        kn__free(m->three);
        kn__free(m);
    }
}

kn_status kn__span_histogram_new(kn_span_histogram **out, const kn_points *points,
                                 const uint32_t *group, size_t groups,
                                 const kn_model_limits *limits, const kn_run *run, kn_error *err)
{
    const size_t n = points->count;
    kn_span_histogram *m = kn__zalloc(sizeof *m);

    *out = NULL;
    if (!m) {
        return kn__nomem(err);
    }
    m->points = points;
    m->run = run;
    m->inference = limits->inference;
    m->diverse = limits->l > 0;
    m->diversity = (kn_guarantee){.kind = KN_L_DIVERSITY,
                                  .l = m->diverse ? limits->l : 1,
                                  .diversity = limits->distinct_l ? KN_DISTINCT : KN_ENTROPY};
    m->starts = kn__zalloc_array(groups + 2, sizeof *m->starts);
    m->member = kn__malloc_array(n, sizeof *m->member);
    m->cluster = kn__zalloc_array(n, sizeof *m->cluster);
    m->next = kn__zalloc_array(n, sizeof *m->next);
    if (!m->starts || !m->member || !m->cluster || !m->next) {
        kn__span_histogram_free(m);
        return kn__nomem(err);
    }
    /* starts[g + 1] is where the next point of group g goes, until all have gone. */
    for (size_t i = 0; i < n; i++) {
        m->starts[group[i] + 2]++;
    }
    for (size_t g = 0; g < groups; g++) {
        m->starts[g + 2] += m->starts[g + 1];
    }
    for (size_t i = 0; i < n; i++) {
        m->member[m->starts[group[i] + 1]++] = (uint32_t)i;
    }
    *out = m;
    return KN_OK;
}

/* ---- clusters ---- */

static void find_nearest(void *user, unsigned worker, size_t begin, size_t end)
{
    const kn_span_histogram *m = user;
    const kn_space *space = &m->points->frame->space;
    const uint32_t fresh = (uint32_t)m->count - 1;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const double *x = m->points->x + i * space->attributes;
        const uint32_t own = m->cluster[i];
        if (m->split == KN_NO_CODE || own == m->split) {
            m->next[i] = kn__space_nearest(space, m->centre, m->count, x);
        } else {
            const uint32_t named[] = {own < m->split ? own : m->split,
                                      own < m->split ? m->split : own, fresh};
            m->next[i] =
                named[kn__space_nearest(space, m->three + own * 3 * space->attributes, 3, x)];
        }
    }
}

static void set_three(kn_span_histogram *m)
{
    const size_t stride = m->points->frame->space.attributes, bytes = stride * sizeof *m->centre;

    for (size_t own = 0; own + 1 < m->count; own++) {
        double *to = m->three + own * 3 * stride;
        const size_t first = own < m->split ? own : m->split, second = own + m->split - first;
        memcpy(to, m->centre + first * stride, bytes);
        memcpy(to + stride, m->centre + second * stride, bytes);
        memcpy(to + 2 * stride, m->centre + (m->count - 1) * stride, bytes);
    }
}

static kn_status make_room(kn_span_histogram *m, size_t clusters, kn_error *err)
{
    if (clusters > m->room) {
        kn__free(m->histogram.count);
        kn__free(m->histogram.codes);
        kn__free(m->sorted);
        m->room = 0;
        m->histogram = (kn_histogram){.count = kn__zalloc_array(2 * clusters, sizeof(uint32_t)),
                                      .codes = kn__malloc_array(2 * clusters, sizeof(uint32_t))};
        m->sorted = kn__malloc_array(2 * clusters, sizeof *m->sorted);
        if (!m->histogram.count || !m->histogram.codes || !m->sorted) {
            return kn__nomem(err);
        }
        m->room = 2 * clusters;
    }
    return kn__grow(&m->three, &m->three_cap, clusters * 3 * m->points->frame->space.attributes,
                    sizeof *m->three, err);
}

kn_status kn__span_histogram_look(kn_span_histogram *m, const double *centre, size_t count,
                                  uint32_t split, kn_error *err)
{
    const kn_status st = make_room(m, count, err);

    if (st == KN_OK) {
        m->centre = centre;
        m->count = count;
        m->split = split;
        if (split != KN_NO_CODE) {
            set_three(m);
        }
        kn__parallel_for(kn__run_threads(m->run), m->points->count, GRAIN, find_nearest, m);
    }
    return st;
}

void kn__span_histogram_keep(kn_span_histogram *m)
{
    uint32_t *was = m->cluster;

    m->cluster = m->next;
    m->next = was;
}

/* ---- spans ---- */

bool kn__span_histogram_holds(kn_span_histogram *m, const uint32_t *group, size_t count)
{
    kn_histogram *h = &m->histogram;
    uint32_t most = 0;
    bool holds = true;

    for (size_t g = 0; g < count; g++) {
        for (size_t i = m->starts[group[g]]; i < m->starts[group[g] + 1]; i++) {
            kn__histogram_add_code(h, m->next[m->member[i]], m->points->weight[m->member[i]]);
        }
    }
    if (m->diverse) {
        holds = kn__l_diversity_holds(&m->diversity, h, m->sorted, NULL);
    }
    for (uint32_t i = 0; i < h->distinct; i++) {
        most = h->count[h->codes[i]] > most ? h->count[h->codes[i]] : most;
    }
    if (m->inference > 0 && h->total) {
        holds = holds && kn__ratio(most, h->total) <= m->inference;
    }
    kn__histogram_reset(h);
    return holds;
}
