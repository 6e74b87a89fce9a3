/* two_means.c - 2-means of the points of one cluster.
 *
 * Splits are tried by the hundred, so the points are gathered once for a cluster, attribute by
 * attribute, and distances are summed for blocks of points by loops without branches. Every sum has
 * its terms in the order in which kn__space_distance and kn__weighted_points_centres add them, so
 * that the results are the same to the last bit. */
#include "models/clusters/two_means.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 256 };

kn_status kn__two_means_new(kn_two_means *t, const kn_clustering *c, kn_error *err)
{
    const size_t cap = (c->points.count + BLOCK - 1) / BLOCK * BLOCK;

    *t = (kn_two_means){.c = c, .cap = cap};
    t->x = kn__zalloc_array(c->frame->space.attributes, cap * sizeof *t->x);
    t->weight = kn__zalloc_array(cap, sizeof *t->weight);
    t->side = kn__zalloc_array(cap, sizeof *t->side);
    t->share = kn__zalloc_array(cap, sizeof *t->share);
    KN_PASS(t->x && t->weight && t->side && t->share ? KN_OK : kn__nomem(err));
    return kn__point_sums_new(&t->sums, c->frame, 2, err);
}

void kn__two_means_clear(kn_two_means *t)
{
    kn__free(t->x);
    kn__free(t->weight);
    kn__free(t->side);
    kn__free(t->share);
    kn__point_sums_clear(&t->sums);
    *t = (kn_two_means){0};
}

void kn__two_means_choose(kn_two_means *t, const uint32_t *nearest, uint32_t cluster)
{
    const kn_weighted_points *p = &t->c->points;
    const size_t stride = p->frame->space.attributes;

    t->n = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (nearest[i] == cluster) {
            for (size_t a = 0; a < stride; a++) {
                t->x[a * t->cap + t->n] = p->x[i * stride + a];
            }
            t->weight[t->n++] = p->weight[i];
        }
    }
}

/* ---- distances ---- */

/* Add what a category contributes to the distances of a block of points to centre `c`. */
static void add_category(double *restrict sum, const double *restrict x, double c, double weight)
{
    for (size_t i = 0; i < BLOCK; i++) {
        sum[i] += x[i] == c ? 0 : weight;
    }
}

/* The same of a number. */
static void add_number(double *restrict sum, const double *restrict x, double c, double factor,
                       double weight)
{
    for (size_t i = 0; i < BLOCK; i++) {
        const double off = x[i] - c, own = factor * (off * off);
        sum[i] += own == own ? own : weight;
    }
}

/* The same where the centre's value is missing. */
static void add_missing(double *restrict sum, const double *restrict x, double weight)
{
    for (size_t i = 0; i < BLOCK; i++) {
        sum[i] += x[i] == x[i] ? weight : 0;
    }
}

/* The squared distances of the points from `begin` on, a block, to `centre`. */
static void measure_block(const kn_two_means *t, const kn_space *space, size_t begin,
                          const double *centre, double sum[BLOCK])
{
    memset(sum, 0, BLOCK * sizeof *sum);
    for (size_t a = 0; a < space->attributes; a++) {
        const kn_space_attribute *at = &space->at[a];
        const double *x = t->x + a * t->cap + begin;
        if (at->weight == 0 && at->factor == 0) {
            continue;
        }
        if (isnan(centre[a])) {
            add_missing(sum, x, at->weight);
        } else if (at->category) {
            add_category(sum, x, centre[a], at->weight);
        } else {
            add_number(sum, x, centre[a], at->factor, at->weight);
        }
    }
}

static size_t block_end(const kn_two_means *t, size_t begin)
{
    return begin + BLOCK < t->n ? begin + BLOCK : t->n;
}

/* ---- first centres ---- */

static void copy_point(const kn_two_means *t, size_t place, double *to)
{
    for (size_t a = 0; a < t->c->frame->space.attributes; a++) {
        to[a] = t->x[a * t->cap + place];
    }
}

/* Draw a point into `to`: in proportion to its squared distance from `from`, or to its records
 * alone. False: all of them are at `from`. */
static bool draw(kn_two_means *t, const kn_space *space, const double *from, kn_rng *rng,
                 double *to)
{
    double all = 0, left, sum[BLOCK];
    size_t last = SIZE_MAX;

    for (size_t begin = 0; begin < t->n; begin += BLOCK) {
        if (from) {
            measure_block(t, space, begin, from, sum);
        }
        for (size_t i = begin; i < block_end(t, begin); i++) {
            t->share[i] = t->weight[i] * (from ? sum[i - begin] : 1);
            all += t->share[i];
        }
    }
    left = kn__rng_double(rng) * all;
    for (size_t i = 0; i < t->n; i++) {
        last = t->share[i] > 0 ? i : last;
        left -= t->share[i];
        if (left < 0) {
            break;
        }
    }
    if (last != SIZE_MAX) {
        copy_point(t, last, to);
    }
    return last != SIZE_MAX;
}

/* ---- rounds ---- */

/* Add the points of a block to the sums of their parts in one attribute. */
static void add_to_sums(kn_two_means *t, size_t begin, size_t a)
{
    const double *x = t->x + a * t->cap;
    kn_point_sums *s = &t->sums;
    uint64_t *records[2];
    double *sum = s->sum + a;
    uint64_t *present = s->present + a;
    const size_t stride = t->c->frame->space.attributes, end = block_end(t, begin);

    for (size_t part = 0; part < 2; part++) {
        records[part] = s->records + s->tally[a] + part * s->values[a];
    }
    for (size_t i = begin; s->values[a] && i < end; i++) {
        const size_t value = isnan(x[i]) ? s->values[a] - 1 : (size_t)x[i];
        records[t->side[i]][value] += t->weight[i];
    }
    for (size_t i = begin; !s->values[a] && i < end; i++) {
        if (!isnan(x[i])) {
            sum[t->side[i] * stride] += x[i] * t->weight[i];
            present[t->side[i] * stride] += t->weight[i];
        }
    }
}

/* Give each point to the nearer of the two centres. @return whether one has changed sides. */
static bool assign(kn_two_means *t, const kn_space *space, const double *pair, uint64_t size[2])
{
    const size_t stride = t->c->frame->space.attributes;
    double one[BLOCK], two[BLOCK];
    bool changed = false;

    size[0] = size[1] = 0;
    kn__point_sums_reset(&t->sums);
    for (size_t begin = 0; begin < t->n; begin += BLOCK) {
        measure_block(t, space, begin, pair, one);
        measure_block(t, space, begin, pair + stride, two);
        for (size_t i = begin; i < block_end(t, begin); i++) {
            const uint8_t side = two[i - begin] < one[i - begin];
            changed |= side != t->side[i];
            t->side[i] = side;
            size[1] += side ? t->weight[i] : 0;
            size[0] += t->weight[i];
        }
        for (size_t a = 0; a < stride; a++) {
            add_to_sums(t, begin, a);
        }
    }
    size[0] -= size[1];
    return changed;
}

void kn__two_means_run(kn_two_means *t, const kn_space *space, unsigned rounds, kn_rng *rng,
                       double *pair, uint64_t size[2])
{
    const size_t stride = t->c->frame->space.attributes;
    bool changed = true;

    size[0] = size[1] = 0;
    if (!draw(t, space, NULL, rng, pair) || !draw(t, space, pair, rng, pair + stride)) {
        return;
    }
    for (unsigned round = 0; changed && round < rounds; round++) {
        changed = assign(t, space, pair, size) || round == 0;
        if (size[0] == 0 || size[1] == 0) {
            size[0] = size[1] = 0;
            return;
        }
        kn__point_sums_centres(&t->sums, &t->c->points, pair);
        kn__clustering_round(t->c, pair, 2);
    }
}
