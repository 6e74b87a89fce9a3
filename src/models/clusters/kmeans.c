/* kmeans.c - centres for large data: k-means++ seeds, then Lloyd's algorithm, first on a sample and
 * then on all points; numbers by their means, categories by their commonest values (k-prototypes).
 * Afterwards clusters are merged until no span breaks the limits. That ends: with one cluster left
 * every span has one cluster and discloses nothing. Then clusters are split where that is safe
 * (split.c). */
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/threads.h"
#include "models/clusters/clusters.h"

#include <math.h>
#include <string.h>

#define NO_CLUSTER UINT32_MAX
enum { GRAIN = 4096, SAMPLE = 40000, ROUNDS = 50, LAST_ROUNDS = 20 };

typedef struct lloyd {
    kn_clustering *c;
    const kn_space *space;
    const uint32_t *chosen; /* points that take part; NULL: all */
    size_t n;
    double *weight; /* by place: squared distance to the nearest seed so far, times records */
    const double *seed;
    uint32_t *label; /* by place */
    size_t *changed; /* by slice */
} lloyd;

static size_t point_at(const lloyd *l, size_t i)
{
    return l->chosen ? l->chosen[i] : i;
}

/* ---- seeds ---- */

static void weigh_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    const lloyd *l = user;
    const kn_weighted_points *p = &l->c->points;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const size_t at = point_at(l, i);
        const double d = p->weight[at] *
                         kn__space_distance(l->space, p->x + at * l->space->attributes, l->seed);
        l->weight[i] = fmin(l->weight[i], d);
    }
}

/* k-means++: a point is drawn with a probability proportional to its squared distance to the
 * nearest seed so far. */
static kn_status choose_seeds(lloyd *l, size_t wanted, kn_error *err)
{
    kn_clustering *c = l->c;
    const size_t stride = l->space->attributes;
    kn_rng rng;
    double left = 1;

    kn__rng_seed(&rng, c->run ? c->run->seed : 0, 0);
    l->weight = kn__malloc_array(l->n, sizeof *l->weight);
    c->centre = kn__malloc_array(wanted, stride * sizeof *c->centre);
    if (!l->weight || !c->centre) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < l->n; i++) {
        l->weight[i] = c->points.weight[point_at(l, i)];
    }
    for (c->count = 0; c->count < wanted && left > 0; c->count++) {
        const size_t drawn = point_at(l, kn__rng_pick(&rng, l->weight, l->n));
        if (c->count == 0) {
            for (size_t i = 0; i < l->n; i++) {
                l->weight[i] = INFINITY;
            }
        }
        memcpy(c->centre + c->count * stride, c->points.x + drawn * stride,
               stride * sizeof *c->centre);
        l->seed = c->points.x + drawn * stride;
        kn__parallel_for(kn__run_threads(c->run), l->n, GRAIN, weigh_slice, l);
        left = 0;
        for (size_t i = 0; i < l->n; i++) {
            left += l->weight[i];
        }
    }
    return KN_OK;
}

/* ---- rounds ---- */

static void assign_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    const lloyd *l = user;
    const size_t stride = l->space->attributes;
    size_t changed = 0;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const double *x = l->c->points.x + point_at(l, i) * stride;
        const uint32_t own = l->label[i];
        uint32_t best = own < l->c->count ? own : 0;
        double least = kn__space_distance(l->space, x, l->c->centre + best * stride);
        /* Of equally near centres the first; its own is often the nearest and rules others out. */
        for (uint32_t k = 0; k < l->c->count; k++) {
            const double d = kn__space_distance_below(l->space, x, l->c->centre + k * stride,
                                                      least);
            if (d < least || (d == least && k < best)) {
                least = d;
                best = k;
            }
        }
        changed += best != own;
        l->label[i] = best;
    }
    l->changed[begin / GRAIN] = changed;
}

/* Drop clusters without points. */
static kn_status drop_empty(lloyd *l, kn_error *err)
{
    kn_clustering *c = l->c;
    const size_t stride = l->space->attributes;
    uint32_t *number = kn__malloc_array(c->count, sizeof *number); /* by cluster: its new one */
    uint32_t kept = 0;

    if (!number) {
        return kn__nomem(err);
    }
    for (size_t k = 0; k < c->count; k++) {
        number[k] = NO_CLUSTER;
    }
    for (size_t i = 0; i < l->n; i++) {
        number[l->label[i]] = 0;
    }
    for (size_t k = 0; k < c->count; k++) {
        if (number[k] != NO_CLUSTER) {
            memmove(c->centre + kept * stride, c->centre + k * stride, stride * sizeof *c->centre);
            number[k] = kept++;
        }
    }
    for (size_t i = 0; kept < c->count && i < l->n; i++) {
        l->label[i] = number[l->label[i]];
    }
    c->count = kept;
    kn__free(number);
    return KN_OK;
}

/* Lloyd's iterations, until fewer than one label in 2000 changes. */
static kn_status iterate(lloyd *l, size_t rounds, kn_error *err)
{
    kn_clustering *c = l->c;
    const size_t slices = (l->n + GRAIN - 1) / GRAIN;
    kn_status status;

    l->changed = kn__zalloc_array(slices, sizeof *l->changed);
    KN_TRY(l->changed ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < l->n; i++) {
        l->label[i] = NO_CLUSTER;
    }
    for (size_t round = 0; round < rounds; round++) {
        size_t changed = 0;
        KN_TRY(kn__run_step(c->run, "k-means", (double)round / (double)rounds, err));
        kn__parallel_for(kn__run_threads(c->run), l->n, GRAIN, assign_slice, l);
        for (size_t s = 0; s < slices; s++) {
            changed += l->changed[s];
        }
        if (changed == 0 || (round > 0 && changed < l->n / 2000)) {
            break;
        }
        KN_TRY(drop_empty(l, err));
        KN_TRY(kn__clustering_centres_of(c, l->chosen, l->n, l->label, c->count, c->centre, err));
    }
    KN_TRY(drop_empty(l, err));
done:
    kn__free(l->changed);
    l->changed = NULL;
    return status;
}

/* A sample of the points, each as likely as any other (Knuth's algorithm S). */
static kn_status draw_sample(uint32_t **out, const kn_clustering *c, kn_error *err)
{
    uint32_t *chosen = kn__malloc_array(SAMPLE, sizeof *chosen);
    const size_t n = c->points.count;
    size_t taken = 0;
    kn_rng rng;

    if (!chosen) {
        return kn__nomem(err);
    }
    kn__rng_seed(&rng, c->run ? c->run->seed : 0, 1);
    for (size_t i = 0; i < n && taken < SAMPLE; i++) {
        if (kn__rng_below(&rng, n - i) < SAMPLE - taken) {
            chosen[taken++] = (uint32_t)i;
        }
    }
    *out = chosen;
    return KN_OK;
}

/* ---- merging ---- */

/* By how much the sum of squared distances grows when two clusters become one. */
static double price(const lloyd *l, const uint64_t *size, uint32_t a, uint32_t b)
{
    const double *x = l->c->centre;
    const size_t stride = l->space->attributes;
    const double one = (double)size[a], two = (double)size[b];

    return one * two / (one + two) * kn__space_distance(l->space, x + a * stride, x + b * stride);
}

static kn_status merge(lloyd *l, uint32_t a, uint32_t b, kn_error *err)
{
    kn_clustering *c = l->c;
    const size_t stride = l->space->attributes;
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;

    for (size_t i = 0; i < c->points.count; i++) {
        if (l->label[i] == high) {
            l->label[i] = low;
        } else if (l->label[i] > high) {
            l->label[i]--;
        }
    }
    memmove(c->centre + high * stride, c->centre + (high + 1) * stride,
            (c->count - high - 1) * stride * sizeof *c->centre);
    c->count--;
    return kn__clustering_centres(c, l->label, c->count, c->centre, err);
}

/* Two clusters that are to become one; NO_CLUSTER: none. */
typedef struct merger {
    uint32_t one, two;
    double price;
} merger;

/* The smallest cluster that has too few records, and the neighbour that costs least. */
static merger too_small(const lloyd *l, const uint64_t *size)
{
    const kn_clustering *c = l->c;
    merger best = {NO_CLUSTER, NO_CLUSTER, INFINITY};

    for (uint32_t i = 0; i < c->count; i++) {
        if (size[i] < c->smallest && (best.one == NO_CLUSTER || size[i] < size[best.one])) {
            best.one = i;
        }
    }
    for (uint32_t j = 0; best.one != NO_CLUSTER && j < c->count; j++) {
        if (j != best.one && (best.two == NO_CLUSTER || price(l, size, best.one, j) < best.price)) {
            best.price = price(l, size, best.one, j);
            best.two = j;
        }
    }
    return best;
}

/* Of the clusters of a span that breaks the limits, the two whose merger costs least. */
static merger in_span(const lloyd *l, const uint64_t *size, const uint32_t *span, size_t count)
{
    merger best = {NO_CLUSTER, NO_CLUSTER, INFINITY};

    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            const double own = price(l, size, span[i], span[j]);
            if (best.one == NO_CLUSTER || own < best.price) {
                best = (merger){span[i], span[j], own};
            }
        }
    }
    return best;
}

/* Merge clusters until each is large enough and no span breaks the limits. */
static kn_status repair(lloyd *l, kn_error *err)
{
    kn_clustering *c = l->c;
    uint64_t *size = kn__malloc_array(c->count, sizeof *size);
    kn_span_index *index = NULL;
    kn_status status;

    KN_TRY(size ? KN_OK : kn__nomem(err));
    KN_TRY(kn__clustering_spans(c, &index, err));
    while (c->count > 1) {
        merger next;
        memset(size, 0, c->count * sizeof *size);
        for (size_t i = 0; i < c->points.count; i++) {
            size[l->label[i]] += c->points.weight[i];
        }
        next = too_small(l, size);
        if (next.one == NO_CLUSTER && index) {
            uint64_t least = UINT64_MAX;
            size_t count = 0;
            KN_TRY(kn__span_index_evaluate(index, c->centre, c->count, KN_NO_CODE, &least, err));
            if (least != UINT64_MAX) {
                const uint32_t *span = kn__span_index_violation(index, &count);
                next = in_span(l, size, span, count);
            }
        }
        if (next.one == NO_CLUSTER) {
            break;
        }
        KN_TRY(kn__run_step(c->run, "merge", -1, err));
        KN_TRY(merge(l, next.one, next.two, err));
    }
done:
    kn__free(size);
    return status;
}

/* Centres without any guarantee. */
static kn_status find_centres(lloyd *l, size_t wanted, const uint32_t *sample, kn_error *err)
{
    kn_clustering *c = l->c;
    kn_status status;

    l->chosen = sample;
    l->n = sample ? SAMPLE : c->points.count;
    KN_TRY(choose_seeds(l, wanted < l->n ? wanted : l->n, err));
    if (sample) {
        KN_TRY(iterate(l, ROUNDS, err));
    }
    l->chosen = NULL;
    l->n = c->points.count;
    KN_TRY(iterate(l, sample ? LAST_ROUNDS : ROUNDS, err));
    KN_TRY(kn__clustering_centres(c, l->label, c->count, c->centre, err));
done:
    kn__free(l->weight);
    l->weight = NULL;
    return status;
}

/* The centres that are found from `wanted` clusters on, computed once. */
static kn_status find_start(lloyd *l, size_t wanted, kn_error *err)
{
    kn_clustering *c = l->c;
    const size_t n = c->points.count, stride = l->space->attributes;
    kn_kmeans_start *own = NULL;
    uint32_t *sample = NULL;
    kn_status status = KN_OK;

    for (size_t i = 0; i < KN_KMEANS_STARTS && !own; i++) {
        own = c->starts[i].wanted == wanted || !c->starts[i].centre ? &c->starts[i] : NULL;
    }
    if (own && own->centre) {
        c->count = own->count;
        c->centre = kn__malloc_array(own->count, stride * sizeof *c->centre);
        KN_TRY(c->centre ? KN_OK : kn__nomem(err));
        memcpy(c->centre, own->centre, own->count * stride * sizeof *c->centre);
        memcpy(l->label, own->label, n * sizeof *l->label);
        goto done;
    }
    if (n > SAMPLE) {
        KN_TRY(draw_sample(&sample, c, err));
    }
    KN_TRY(find_centres(l, wanted, sample, err));
    if (own) {
        own->centre = kn__malloc_array(c->count, stride * sizeof *own->centre);
        own->label = kn__malloc_array(n, sizeof *own->label);
        KN_TRY(own->centre && own->label ? KN_OK : kn__nomem(err));
        own->wanted = wanted;
        own->count = c->count;
        memcpy(own->centre, c->centre, c->count * stride * sizeof *own->centre);
        memcpy(own->label, l->label, n * sizeof *own->label);
    }
done:
    kn__free(sample);
    return status;
}

kn_status kn__clustering_kmeans(kn_clustering *c, kn_error *err)
{
    const size_t wanted = kn__clustering_wanted(c);
    lloyd l = {.c = c, .space = &c->frame->space};
    kn_status status;

    l.label = kn__malloc_array(c->points.count, sizeof *l.label);
    KN_TRY(l.label ? KN_OK : kn__nomem(err));
    KN_TRY(find_start(&l, c->start ? c->start : wanted, err));
    KN_TRY(repair(&l, err));
    KN_TRY(kn__clustering_split(c, wanted, err));
done:
    kn__free(l.label);
    return status;
}
