/* weighted_points.c - the different tuples of a dataset as weighted points: the weight is the
 * number of equal records. Sums are made in an order that does not depend on the thread count. */
#include "models/clusters/weighted_points.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/rows/group.h"

#include <math.h>
#include <string.h>

enum { SLICE = 1 << 12 };

static kn_status set_overall_centre(kn_weighted_points *p, const kn_run *run, kn_error *err)
{
    uint32_t *label = kn__zalloc_array(p->count, sizeof *label);
    kn_status st;

    if (!label) {
        return kn__nomem(err);
    }
    st = kn__weighted_points_centres(p, NULL, p->count, label, 1, p->overall, run, err);
    kn__free(label);
    return st;
}

kn_status kn__weighted_points_new(kn_weighted_points *out, const kn_frame *frame, const kn_run *run,
                                  kn_error *err)
{
    const size_t stride = frame->space.attributes;
    const kn_column **keys = kn__malloc_array(stride, sizeof *keys);
    kn_row_groups groups = {0};
    kn_status status;

    *out = (kn_weighted_points){.frame = frame, .records = frame->bound->ds->records};
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
        kn__weighted_points_clear(out);
    }
    kn__row_groups_clear(&groups);
    kn__free(keys);
    return status;
}

void kn__weighted_points_clear(kn_weighted_points *p)
{
    kn__free(p->x);
    kn__free(p->weight);
    kn__free(p->row);
    kn__free(p->overall);
    *p = (kn_weighted_points){0};
}

/* ---- centres ---- */

kn_status kn__point_sums_new(kn_point_sums *out, const kn_frame *frame, size_t count, kn_error *err)
{
    const size_t stride = frame->space.attributes;

    *out = (kn_point_sums){.attributes = stride, .count = count};
    out->sum = kn__zalloc_array(count * stride, sizeof *out->sum);
    out->present = kn__zalloc_array(count * stride, sizeof *out->present);
    out->tally = kn__zalloc_array(stride, sizeof *out->tally);
    out->values = kn__zalloc_array(stride, sizeof *out->values);
    if (!out->sum || !out->present || !out->tally || !out->values) {
        return kn__nomem(err);
    }
    for (size_t a = 0; a < stride; a++) {
        const size_t values = frame->bound->attribute[frame->attribute[a]].values;
        out->tally[a] = out->cells;
        out->values[a] = frame->space.at[a].category ? values + 1 : 0;
        out->cells += count * out->values[a];
    }
    out->records = kn__zalloc_array(out->cells + 1, sizeof *out->records);
    return out->records ? KN_OK : kn__nomem(err);
}

void kn__point_sums_clear(kn_point_sums *s)
{
    kn__free(s->sum);
    kn__free(s->present);
    kn__free(s->records);
    kn__free(s->tally);
    kn__free(s->values);
    *s = (kn_point_sums){0};
}

void kn__point_sums_reset(kn_point_sums *s)
{
    memset(s->sum, 0, s->count * s->attributes * sizeof *s->sum);
    memset(s->present, 0, s->count * s->attributes * sizeof *s->present);
    memset(s->records, 0, s->cells * sizeof *s->records);
}

/* Each attribute is summed by one thread, so sums do not depend on the number of threads. */
typedef struct averaging {
    const kn_weighted_points *p;
    const uint32_t *which; /* NULL: all points */
    size_t n;
    const uint32_t *label;
    kn_point_sums sums;
} averaging;

static void sum_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    averaging *m = user;
    const size_t stride = m->sums.attributes;

    (void)worker;
    for (size_t i = 0; i < m->n; i++) {
        const size_t point = m->which ? m->which[i] : i, label = m->label[i];
        const double *x = m->p->x + point * stride;
        const uint32_t weight = m->p->weight[point];
        for (size_t a = begin; label < m->sums.count && a < end; a++) {
            const size_t values = m->sums.values[a];
            if (values) {
                const size_t value = isnan(x[a]) ? values - 1 : (size_t)x[a];
                m->sums.records[m->sums.tally[a] + label * values + value] += weight;
            } else if (!isnan(x[a])) {
                m->sums.sum[label * stride + a] += x[a] * weight;
                m->sums.present[label * stride + a] += weight;
            }
        }
    }
}

/* The centre of label `c` in attribute `a`. */
static double centre_of(const kn_point_sums *s, const kn_weighted_points *p, size_t c, size_t a)
{
    const size_t at = c * s->attributes + a, values = s->values[a];
    const uint64_t *own = s->records + s->tally[a] + c * values;
    size_t most = 0;

    if (values) {
        for (size_t v = 1; v < values; v++) {
            most = own[v] > own[most] ? v : most;
        }
        return most == values - 1 ? NAN : (double)most;
    }
    if (s->present[at]) {
        return s->sum[at] / (double)s->present[at];
    }
    return p->frame->space.at[a].hidden ? p->overall[a] : NAN;
}

void kn__point_sums_centres(const kn_point_sums *s, const kn_weighted_points *p, double *centre)
{
    for (size_t i = 0; i < s->count * s->attributes; i++) {
        centre[i] = centre_of(s, p, i / s->attributes, i % s->attributes);
    }
}

kn_status kn__weighted_points_centres(const kn_weighted_points *p, const uint32_t *which, size_t n,
                                      const uint32_t *label, size_t count, double *centre,
                                      const kn_run *run, kn_error *err)
{
    const size_t stride = p->frame->space.attributes;
    const unsigned threads = n < SLICE ? 1 : kn__run_threads(run);
    averaging m = {.p = p, .which = which, .n = n, .label = label};
    kn_status status;

    KN_TRY(kn__point_sums_new(&m.sums, p->frame, count, err));
    kn__parallel_for(threads, stride, (stride + threads - 1) / threads, sum_slice, &m);
    kn__point_sums_centres(&m.sums, p, centre);
done:
    kn__point_sums_clear(&m.sums);
    return status;
}

/* ---- distances ---- */

kn_status kn__assignment_new(kn_assignment *out, const kn_weighted_points *p, kn_error *err)
{
    out->nearest = kn__zalloc_array(p->count, sizeof *out->nearest);
    out->distance = kn__zalloc_array(p->count, sizeof *out->distance);
    out->within = 0;
    return out->nearest && out->distance ? KN_OK : kn__nomem(err);
}

void kn__assignment_clear(kn_assignment *a)
{
    kn__free(a->nearest);
    kn__free(a->distance);
    *a = (kn_assignment){0};
}

typedef struct assigning {
    const kn_weighted_points *p;
    const double *centre;
    size_t count;
    uint32_t split; /* KN_NO_CODE: none */
    const kn_assignment *before;
    const double *one, *two; /* the two new centres */
    kn_assignment *out;
    double *sum; /* by slice: added up in the order of slices */
} assigning;

/* The nearest centre of a point whose centre is not split: its own or one of the two new ones. */
static uint32_t nearest_of_three(const assigning *s, const double *x, uint32_t own,
                                 double *distance)
{
    const kn_space *space = &s->p->frame->space;
    const size_t stride = space->attributes;
    const uint32_t added = (uint32_t)s->count - 1;
    const double near = kn__space_clearly_above(space, *distance);
    const double *const three[] = {s->centre + (own < s->split ? own : s->split) * stride,
                                   s->centre + (own < s->split ? s->split : own) * stride, s->two};
    const uint32_t named[] = {own < s->split ? own : s->split, own < s->split ? s->split : own,
                              added};

    if (kn__space_distance_below(space, x, s->one, near) > near &&
        kn__space_distance_below(space, x, s->two, near) > near) {
        return own;
    }
    const size_t found = kn__space_nearest_of(space, three, 3, x);
    *distance = kn__space_distance(space, x, three[found]);
    return named[found];
}

/* The nearest centre of a point whose centre was split: nearly always one of the two new ones. */
static uint32_t nearest_after_split(const assigning *s, const double *x, double *distance)
{
    const kn_space *space = &s->p->frame->space;
    const size_t stride = space->attributes;
    const double one = kn__space_distance(space, x, s->one),
                 two = kn__space_distance(space, x, s->two);
    const double near = kn__space_clearly_above(space, fmin(one, two));
    uint32_t found = one < two ? s->split : (uint32_t)s->count - 1;
    bool clear = fmax(one, two) > near;

    for (uint32_t i = 0; clear && i + 1 < s->count; i++) {
        clear = i == s->split ||
                kn__space_distance_below(space, x, s->centre + i * stride, near) > near;
    }
    *distance = fmin(one, two);
    if (!clear) {
        found = kn__space_nearest(space, s->centre, s->count, x);
        *distance = kn__space_distance(space, x, s->centre + found * stride);
    }
    return found;
}

static void assign_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    const assigning *s = user;
    const kn_space *space = &s->p->frame->space;
    double sum = 0;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const double *x = s->p->x + i * space->attributes;
        uint32_t *nearest = &s->out->nearest[i];
        double *distance = &s->out->distance[i];
        if (s->split == KN_NO_CODE) {
            *nearest = kn__space_nearest(space, s->centre, s->count, x);
            *distance = kn__space_distance(space, x, s->centre + *nearest * space->attributes);
        } else if (s->before->nearest[i] == s->split) {
            *nearest = nearest_after_split(s, x, distance);
        } else {
            *distance = s->before->distance[i];
            *nearest = nearest_of_three(s, x, s->before->nearest[i], distance);
        }
        sum += s->p->weight[i] * *distance;
    }
    s->sum[begin / SLICE] = sum;
}

kn_status kn__weighted_points_assign(const kn_weighted_points *p, const double *centre,
                                     size_t count, uint32_t split, const kn_assignment *before,
                                     kn_assignment *out, const kn_run *run, kn_error *err)
{
    const size_t slices = (p->count + SLICE - 1) / SLICE, stride = p->frame->space.attributes;
    assigning s = {.p = p, .centre = centre, .count = count, .split = split, .before = before};

    s.out = out;
    s.sum = kn__malloc_array(slices, sizeof *s.sum);
    if (!s.sum) {
        return kn__nomem(err);
    }
    if (split != KN_NO_CODE) {
        s.one = centre + split * stride;
        s.two = centre + (count - 1) * stride;
    }
    kn__parallel_for(kn__run_threads(run), p->count, SLICE, assign_slice, &s);
    out->within = 0;
    for (size_t i = 0; i < slices; i++) {
        out->within += s.sum[i] / (double)p->records;
    }
    kn__free(s.sum);
    return KN_OK;
}

kn_status kn__weighted_points_within(const kn_weighted_points *p, const double *centre,
                                     size_t count, double *within, uint64_t *population,
                                     const kn_run *run, kn_error *err)
{
    kn_assignment a = {0};
    kn_status status;

    KN_TRY(kn__assignment_new(&a, p, err));
    KN_TRY(kn__weighted_points_assign(p, centre, count, KN_NO_CODE, NULL, &a, run, err));
    *within = a.within;
    if (population) {
        memset(population, 0, count * sizeof *population);
        for (size_t i = 0; i < p->count; i++) {
            population[a.nearest[i]] += p->weight[i];
        }
    }
done:
    kn__assignment_clear(&a);
    return status;
}
