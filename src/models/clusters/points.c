/* points.c - the different tuples of a dataset as weighted points: the weight is the number of
 * equal records. Sums are made in an order that does not depend on the thread count. */
#include "models/clusters/points.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/rows/group.h"

#include <math.h>
#include <string.h>

static kn_status set_overall_centre(kn_points *p, const kn_run *run, kn_error *err)
{
    uint32_t *label = kn__zalloc_array(p->count, sizeof *label);
    kn_status st;

    if (!label) {
        return kn__nomem(err);
    }
    st = kn__points_centres(p, label, 1, p->overall, run, err);
    kn__free(label);
    return st;
}

kn_status kn__points_new(kn_points *out, const kn_frame *frame, const kn_run *run, kn_error *err)
{
    const size_t stride = frame->space.attributes;
    const kn_column **keys = kn__malloc_array(stride, sizeof *keys);
    kn_row_groups groups = {0};
    kn_status status;

    *out = (kn_points){.frame = frame, .records = frame->bound->ds->records};
    KN_TRY(keys ? KN_OK : kn__nomem(err));
    for (size_t n = 0; n < stride; n++) {
        keys[n] = frame->bound->attribute[frame->attribute[n]].column;
    }
    KN_TRY(kn__row_groups_make(&groups, keys, stride, frame->bound->ds->records, err));
    out->count = groups.count;
    out->x = kn__malloc_array(groups.count * stride, sizeof *out->x);
    out->weight = kn__malloc_array(groups.count, sizeof *out->weight);
    out->row = kn__malloc_array(groups.count, sizeof *out->row);
    out->overall = kn__malloc_array(stride, sizeof *out->overall);
    KN_TRY(out->x && out->weight && out->row && out->overall ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < groups.count; i++) {
        out->row[i] = groups.row[groups.starts[i]];
        kn__frame_get(frame, out->row[i], out->x + i * stride);
        out->weight[i] = (uint32_t)(groups.starts[i + 1] - groups.starts[i]);
    }
    for (size_t n = 0; n < stride; n++) {
        out->overall[n] = NAN;
    }
    KN_TRY(set_overall_centre(out, run, err));
done:
    if (status != KN_OK) {
        kn__points_clear(out);
    }
    kn__row_groups_clear(&groups);
    kn__free(keys);
    return status;
}

void kn__points_clear(kn_points *p)
{
    kn__free(p->x);
    kn__free(p->weight);
    kn__free(p->row);
    kn__free(p->overall);
    *p = (kn_points){0};
}

/* ---- centres ---- */

/* Each attribute is summed by one thread, so sums do not depend on the number of threads. */
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
    uint64_t *present = kn__zalloc_array(m->count, sizeof *present);

    for (size_t i = 0; sum && present && i < m->p->count; i++) {
        const double x = m->p->x[i * stride + a];
        if (m->label[i] < m->count && !isnan(x)) {
            sum[m->label[i]] += x * m->p->weight[i];
            present[m->label[i]] += m->p->weight[i];
        }
    }
    for (size_t c = 0; sum && present && c < m->count; c++) {
        const double fallback = m->p->frame->space.at[a].hidden ? m->p->overall[a] : NAN;
        m->centre[c * stride + a] = present[c] ? sum[c] / (double)present[c] : fallback;
    }
    const bool done = sum && present;
    kn__free(sum);
    kn__free(present);
    return done;
}

static bool count_values(const averaging *m, size_t a)
{
    const kn_frame *t = m->p->frame;
    const size_t stride = t->space.attributes;
    const size_t values = t->bound->attribute[t->attribute[a]].values + (size_t)1;
    uint64_t *count_of = kn__zalloc_array(m->count, values * sizeof *count_of);

    if (!count_of) {
        return false;
    }
    for (size_t i = 0; i < m->p->count; i++) {
        const double x = m->p->x[i * stride + a];
        if (m->label[i] < m->count) {
            count_of[m->label[i] * values + (isnan(x) ? values - 1 : (size_t)x)] += m->p->weight[i];
        }
    }
    for (size_t c = 0; c < m->count; c++) {
        const uint64_t *own = count_of + c * values;
        size_t most = 0;
        for (size_t v = 1; v < values; v++) {
            most = own[v] > own[most] ? v : most;
        }
        m->centre[c * stride + a] = most == values - 1 ? NAN : (double)most;
    }
    kn__free(count_of);
    return true;
}

static void average_slice(void *user, unsigned worker, size_t begin, size_t end)
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
        kn__parallel_for(kn__run_threads(run), stride, 1, average_slice, &m);
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
