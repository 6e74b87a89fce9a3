/* points.c - tuples that are equal are one point with a weight. */
#include "models/clusters/points.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/rows/group.h"

#include <math.h>
#include <string.h>

static kn_status find_middle(kn_points *p, const kn_run *run, kn_error *err)
{
    uint32_t *label = kn__zalloc_array(p->count, sizeof *label);
    kn_status st;

    if (!label) {
        return kn__nomem(err);
    }
    st = kn__points_centres(p, label, 1, p->middle, run, err);
    kn__free(label);
    return st;
}

kn_status kn__points_new(kn_points *out, const kn_frame *frame, const kn_run *run, kn_error *err)
{
    const size_t stride = frame->space.attributes;
    const kn_column **keys = kn__malloc_array(stride, sizeof *keys);
    kn_row_groups groups = {0};
    kn_status st = keys ? KN_OK : kn__nomem(err);

    *out = (kn_points){.frame = frame, .records = frame->bound->ds->records};
    for (size_t n = 0; st == KN_OK && n < stride; n++) {
        keys[n] = frame->bound->attribute[frame->attribute[n]].column;
    }
    if (st == KN_OK) {
        st = kn__row_groups_make(&groups, keys, stride, frame->bound->ds->records, err);
    }
    if (st == KN_OK) {
        out->count = groups.count;
        out->x = kn__malloc_array(groups.count * stride, sizeof *out->x);
        out->weight = kn__malloc_array(groups.count, sizeof *out->weight);
        out->row = kn__malloc_array(groups.count, sizeof *out->row);
        out->middle = kn__malloc_array(stride, sizeof *out->middle);
        st = out->x && out->weight && out->row && out->middle ? KN_OK : kn__nomem(err);
    }
    for (size_t i = 0; st == KN_OK && i < groups.count; i++) {
        out->row[i] = groups.row[groups.starts[i]];
        kn__frame_get(frame, out->row[i], out->x + i * stride);
        out->weight[i] = (uint32_t)(groups.starts[i + 1] - groups.starts[i]);
    }
    if (st == KN_OK) {
        for (size_t n = 0; n < stride; n++) {
            out->middle[n] = NAN;
        }
        st = find_middle(out, run, err);
    }
    if (st != KN_OK) {
        kn__points_clear(out);
    }
    kn__row_groups_clear(&groups);
    kn__free(keys);
    return st;
}

void kn__points_clear(kn_points *p)
{
    kn__free(p->x);
    kn__free(p->weight);
    kn__free(p->row);
    kn__free(p->middle);
    *p = (kn_points){0};
}

/* ---- centres ---- */

/* One attribute is one thread's: sums do not depend on how points are shared out. */
typedef struct averaging {
    const kn_points *p;
    const uint32_t *label;
    size_t count;
    double *centre;
    bool *failed; /* by attribute */
} averaging;

static bool average_numbers(const averaging *m, size_t a)
{
    const size_t stride = m->p->frame->space.attributes;
    double *sum = kn__zalloc_array(m->count, sizeof *sum);
    uint64_t *there = kn__zalloc_array(m->count, sizeof *there);

    for (size_t i = 0; sum && there && i < m->p->count; i++) {
        const double x = m->p->x[i * stride + a];
        if (m->label[i] < m->count && !isnan(x)) {
            sum[m->label[i]] += x * m->p->weight[i];
            there[m->label[i]] += m->p->weight[i];
        }
    }
    for (size_t c = 0; sum && there && c < m->count; c++) {
        m->centre[c * stride + a] = there[c]                          ? sum[c] / (double)there[c]
                                    : m->p->frame->space.at[a].hidden ? m->p->middle[a]
                                                                      : NAN;
    }
    const bool done = sum && there;
    kn__free(sum);
    kn__free(there);
    return done;
}

static bool count_values(const averaging *m, size_t a)
{
    const kn_frame *t = m->p->frame;
    const size_t stride = t->space.attributes;
    const size_t values = t->bound->attribute[t->attribute[a]].values + (size_t)1;
    uint64_t *held = kn__zalloc_array(m->count, values * sizeof *held);

    if (!held) {
        return false;
    }
    for (size_t i = 0; i < m->p->count; i++) {
        const double x = m->p->x[i * stride + a];
        if (m->label[i] < m->count) {
            held[m->label[i] * values + (isnan(x) ? values - 1 : (size_t)x)] += m->p->weight[i];
        }
    }
    for (size_t c = 0; c < m->count; c++) {
        const uint64_t *own = held + c * values;
        size_t most = 0;
        for (size_t v = 1; v < values; v++) {
            most = own[v] > own[most] ? v : most;
        }
        m->centre[c * stride + a] = most == values - 1 ? NAN : (double)most;
    }
    kn__free(held);
    return true;
}

static void average(void *user, unsigned worker, size_t begin, size_t end)
{
    const averaging *m = user;

    (void)worker;
    for (size_t a = begin; a < end; a++) {
        m->failed[a] = !(m->p->frame->space.at[a].category ? count_values(m, a)
                                                           : average_numbers(m, a));
    }
}

kn_status kn__points_centres(const kn_points *p, const uint32_t *label, size_t count,
                             double *centre, const kn_run *run, kn_error *err)
{
    const size_t stride = p->frame->space.attributes;
    averaging m = {.p = p, .label = label, .count = count};
    bool failed;

    m.centre = centre;
    m.failed = kn__zalloc_array(stride, sizeof *m.failed);
    failed = !m.failed;
    if (!failed) {
        kn__parallel_for(kn__run_threads(run), stride, 1, average, &m);
    }
    for (size_t a = 0; a < stride && !failed; a++) {
        failed = m.failed[a];
    }
    kn__free(m.failed);
    return failed ? kn__nomem(err) : KN_OK;
}

/* ---- distances ---- */

enum { SLICE = 1 << 12 };

typedef struct summing {
    const kn_points *p;
    const double *centre;
    size_t count;
    uint32_t *nearest;
    double *sum; /* by slice: added up in the order of slices */
} summing;

static void sum_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    const summing *s = user;
    const kn_space *space = &s->p->frame->space;
    double sum = 0;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const double *x = s->p->x + i * space->attributes;
        s->nearest[i] = kn__space_nearest(space, s->centre, s->count, x);
        sum += s->p->weight[i] *
               kn__space_distance(space, x, s->centre + s->nearest[i] * space->attributes);
    }
    s->sum[begin / SLICE] = sum;
}

kn_status kn__points_within(const kn_points *p, const double *centre, size_t count, double *within,
                            uint64_t *population, const kn_run *run, kn_error *err)
{
    const size_t slices = (p->count + SLICE - 1) / SLICE;
    summing s = {p, centre, count, kn__malloc_array(p->count, sizeof *s.nearest),
                 kn__malloc_array(slices, sizeof *s.sum)};
    kn_status status;

    KN_TRY(s.nearest && s.sum ? KN_OK : kn__nomem(err));
    kn__parallel_for(kn__run_threads(run), p->count, SLICE, sum_slice, &s);
    *within = 0;
    for (size_t i = 0; i < slices; i++) {
        *within += s.sum[i] / (double)p->records;
    }
    if (population) {
        memset(population, 0, count * sizeof *population);
        for (size_t i = 0; i < p->count; i++) {
            population[s.nearest[i]] += p->weight[i];
        }
    }
done:
    kn__free(s.nearest);
    kn__free(s.sum);
    return status;
}
