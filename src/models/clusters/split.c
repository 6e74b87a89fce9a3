/* split.c - more clusters where that is safe: bisecting k-means under the limits of the spans.
 *
 * The cluster with the largest sum of squared distances is split in two, by 2-means of its points
 * in all attributes or in the public ones alone. Two centres with the same private values are told
 * apart by public values, so that splits in public attributes are often safe where others are not.
 * A split is kept if both parts are large enough, the sum of squared distances falls and no span
 * breaks the limits. When the number of clusters is reached, or no cluster has such a split, the
 * centres are moved to the means of their points as long as that is safe and helps. */
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/sort.h"
#include "base/threads.h"
#include "models/clusters/clusters.h"

#include <math.h>
#include <string.h>

#define NONE UINT32_MAX
enum { TRIES = 6, ROUNDS = 8, MOVES = 10 };

typedef struct bisection {
    kn_clustering *c;
    kn_span_index *spans; /* NULL: there are no limits */
    kn_space public;      /* private attributes weigh nothing */
    size_t stride;
    uint32_t *nearest; /* by point: its cluster */
    uint32_t *label;   /* by point: its part of the cluster that is split; NONE: another cluster */
    double *trial;     /* centres, with the split */
    uint64_t *size;    /* by cluster */
    kn_ranked *order;  /* clusters, that of the largest sum first */
    double within;
} bisection;

static const double *point(const bisection *b, size_t i)
{
    return b->c->points.x + i * b->stride;
}

static void find_nearest(bisection *b, double *sum)
{
    const kn_clustering *c = b->c;

    memset(b->size, 0, c->count * sizeof *b->size);
    for (size_t k = 0; k < c->count; k++) {
        sum[k] = 0;
    }
    for (size_t i = 0; i < c->points.count; i++) {
        const uint32_t own = kn__space_nearest(&c->frame->space, c->centre, c->count, point(b, i));
        b->nearest[i] = own;
        b->size[own] += c->points.weight[i];
        sum[own] += c->points.weight[i] *
                    kn__space_distance(&c->frame->space, point(b, i), c->centre + own * b->stride);
    }
}

/* ---- one split ---- */

/* A point of the cluster: drawn in proportion to its squared distance from `from`, or to its
 * records alone. */
static const double *draw(const bisection *b, const kn_space *space, uint32_t cluster,
                          const double *from, kn_rng *rng)
{
    const kn_points *p = &b->c->points;
    double all = 0, left;
    const double *last = NULL;

    for (unsigned pass = 0; pass < 2; pass++) {
        left = pass ? kn__rng_double(rng) * all : 0;
        for (size_t i = 0; i < p->count; i++) {
            if (b->nearest[i] == cluster) {
                const double own = p->weight[i] *
                                   (from ? kn__space_distance(space, point(b, i), from) : 1);
                last = own > 0 ? point(b, i) : last;
                if (pass && (left -= own) < 0) {
                    return last;
                }
                all += pass ? 0 : own;
            }
        }
    }
    return last;
}

/* 2-means of the points of `cluster`; `pair` are the two centres. False: both parts are not large
 * enough, or there is nothing to split. */
static kn_status bisect(bisection *b, const kn_space *space, uint32_t cluster, kn_rng *rng,
                        double *pair, bool *found, kn_error *err)
{
    const kn_points *p = &b->c->points;
    const double *one = draw(b, space, cluster, NULL, rng),
                 *two = one ? draw(b, space, cluster, one, rng) : NULL;
    uint64_t size[2] = {0, 0};
    bool changed = true;
    kn_status status = KN_OK;

    *found = false;
    if (!two) {
        return KN_OK;
    }
    memcpy(pair, one, b->stride * sizeof *pair);
    memcpy(pair + b->stride, two, b->stride * sizeof *pair);
    for (size_t i = 0; i < p->count; i++) {
        b->label[i] = NONE;
    }
    for (unsigned round = 0; changed && round < ROUNDS; round++) {
        changed = false;
        size[0] = size[1] = 0;
        for (size_t i = 0; i < p->count; i++) {
            if (b->nearest[i] == cluster) {
                const uint32_t side = kn__space_distance(space, point(b, i), pair + b->stride) <
                                      kn__space_distance(space, point(b, i), pair);
                changed = changed || b->label[i] != side;
                b->label[i] = side;
                size[side] += p->weight[i];
            }
        }
        if (size[0] == 0 || size[1] == 0) {
            return KN_OK;
        }
        KN_TRY(kn__clustering_centres(b->c, b->label, 2, pair, err));
    }
    *found = size[0] >= b->c->smallest && size[1] >= b->c->smallest;
    for (size_t a = 0; space == &b->public && a < b->stride; a++) {
        if (space->at[a].hidden) {
            pair[a] = pair[b->stride + a] = b->c->centre[cluster * b->stride + a];
        }
    }
done:
    return status;
}

/* Take the trial centres if they are safe and closer to the points. */
static kn_status take(bisection *b, size_t count, uint32_t split, bool *taken, kn_error *err)
{
    kn_clustering *c = b->c;
    uint64_t least = UINT64_MAX;
    double within;
    kn_status status;

    *taken = false;
    KN_TRY(kn__points_within(&c->points, b->trial, count, &within, NULL, c->run, err));
    if (!(within < b->within * (1 - 1e-6))) {
        goto done;
    }
    if (b->spans) {
        KN_TRY(kn__span_index_evaluate(b->spans, b->trial, count, split, &least, err));
        if (least != UINT64_MAX) {
            goto done;
        }
        kn__span_index_commit(b->spans);
    }
    memcpy(c->centre, b->trial, count * b->stride * sizeof *c->centre);
    c->count = count;
    b->within = within;
    *taken = true;
done:
    return status;
}

/* Split the first cluster, by falling sum of squared distances, that can be split. */
static kn_status split_one(bisection *b, bool *made, kn_error *err)
{
    kn_clustering *c = b->c;
    double *sum = kn__malloc_array(c->count, sizeof *sum);
    double *pair = kn__malloc_array(2 * b->stride, sizeof *pair);
    kn_status status;

    *made = false;
    KN_TRY(sum && pair ? KN_OK : kn__nomem(err));
    find_nearest(b, sum);
    for (size_t k = 0; k < c->count; k++) {
        b->order[k] = (kn_ranked){sum[k], (uint32_t)k};
    }
    kn__sort_ranked_down(b->order, c->count);
    for (size_t k = 0; k < c->count && !*made; k++) {
        const uint32_t cluster = b->order[k].id;
        kn_rng rng;
        if (b->size[cluster] < 2 * c->smallest) {
            continue;
        }
        kn__rng_seed(&rng, c->run ? c->run->seed : 0, 16 + c->count);
        for (unsigned n = 0; n < TRIES && !*made; n++) {
            bool found = false;
            KN_TRY(kn__run_step(c->run, "split", -1, err));
            KN_TRY(
                bisect(b, n % 2 ? &b->public : &c->frame->space, cluster, &rng, pair, &found, err));
            if (found) {
                memcpy(b->trial, c->centre, c->count * b->stride * sizeof *pair);
                memcpy(b->trial + cluster * b->stride, pair, b->stride * sizeof *pair);
                memcpy(b->trial + c->count * b->stride, pair + b->stride, b->stride * sizeof *pair);
                KN_TRY(take(b, c->count + 1, cluster, made, err));
            }
        }
    }
done:
    kn__free(sum);
    kn__free(pair);
    return status;
}

/* Lloyd's iterations, as long as they are safe and help. */
static kn_status move_centres(bisection *b, kn_error *err)
{
    kn_clustering *c = b->c;
    double *sum = kn__malloc_array(c->count, sizeof *sum);
    bool moved = true;
    kn_status status;

    KN_TRY(sum ? KN_OK : kn__nomem(err));
    for (unsigned n = 0; moved && n < MOVES; n++) {
        find_nearest(b, sum);
        for (size_t k = 0; k < c->count && moved; k++) {
            moved = b->size[k] >= c->smallest && b->size[k] > 0;
        }
        if (moved) {
            KN_TRY(kn__clustering_centres(c, b->nearest, c->count, b->trial, err));
            KN_TRY(take(b, c->count, KN_NO_CODE, &moved, err));
        }
    }
done:
    kn__free(sum);
    return status;
}

static kn_status prepare(bisection *b, size_t most, kn_error *err)
{
    const kn_clustering *c = b->c;
    const size_t n = c->points.count;
    kn_status status;

    b->nearest = kn__malloc_array(n, sizeof *b->nearest);
    b->label = kn__malloc_array(n, sizeof *b->label);
    b->trial = kn__malloc_array(most + 1, b->stride * sizeof *b->trial);
    b->size = kn__malloc_array(most, sizeof *b->size);
    b->order = kn__malloc_array(most, sizeof *b->order);
    b->public.at = kn__malloc_array(b->stride, sizeof *b->public.at);
    KN_TRY(b->nearest && b->label && b->trial && b->size && b->order && b->public.at
               ? KN_OK
               : kn__nomem(err));
    b->public.attributes = b->stride;
    memcpy(b->public.at, c->frame->space.at, b->stride * sizeof *b->public.at);
    for (size_t a = 0; a < b->stride; a++) {
        if (b->public.at[a].hidden) {
            b->public.at[a].factor = b->public.at[a].weight = 0;
        }
    }
    KN_TRY(kn__points_within(&c->points, c->centre, c->count, &b->within, NULL, c->run, err));
    if (kn__clustering_has_limits(c)) {
        uint64_t least;
        KN_TRY(kn__span_index_new(&b->spans, &c->points, &c->limits, c->run, err));
        KN_TRY(kn__span_index_evaluate(b->spans, c->centre, c->count, KN_NO_CODE, &least, err));
        kn__span_index_commit(b->spans);
    }
done:
    return status;
}

kn_status kn__clustering_split(kn_clustering *c, size_t wanted, kn_error *err)
{
    bisection b = {.c = c, .stride = c->frame->space.attributes};
    const size_t most = wanted > c->count ? wanted : c->count;
    bool made = true;
    double *centre;
    kn_status status;

    centre = kn__realloc_array(c->centre, most, b.stride * sizeof *c->centre);
    KN_TRY(centre ? KN_OK : kn__nomem(err));
    c->centre = centre;
    KN_TRY(prepare(&b, most, err));
    while (made && c->count < wanted) {
        KN_TRY(split_one(&b, &made, err));
    }
    KN_TRY(move_centres(&b, err));
done:
    kn__span_index_free(b.spans);
    kn__free(b.nearest);
    kn__free(b.label);
    kn__free(b.trial);
    kn__free(b.size);
    kn__free(b.order);
    kn__free(b.public.at);
    return status;
}

kn_status kn__clustering_bisect(kn_clustering *c, kn_error *err)
{
    uint32_t *label = kn__zalloc_array(c->points.count, sizeof *label);
    kn_status status;

    c->centre = kn__malloc_array(c->frame->space.attributes, sizeof *c->centre);
    c->count = 1;
    KN_TRY(label && c->centre ? KN_OK : kn__nomem(err));
    KN_TRY(kn__clustering_centres(c, label, 1, c->centre, err));
    KN_TRY(kn__clustering_split(c, kn__clustering_wanted(c), err));
done:
    kn__free(label);
    return status;
}
