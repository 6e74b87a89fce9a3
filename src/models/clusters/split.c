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
#include "base/sort.h"
#include "base/threads.h"
#include "models/clusters/two_means.h"

#include <math.h>
#include <string.h>

enum { TRIES = 6, ROUNDS = 8, MOVES = 10 };

/* Invariant: `now` is the assignment to the centres of `c`. */
typedef struct bisection {
    kn_clustering *c;
    kn_span_index *spans; /* NULL: there are no limits */
    kn_space public;      /* private attributes weigh nothing */
    size_t stride;
    kn_assignment now, next; /* next: to the trial centres */
    double *trial;           /* centres, with the split */
    uint64_t *size;          /* by cluster */
    kn_ranked *order;        /* clusters, that of the largest sum first */
    kn_two_means halves;     /* of the cluster that is split */
    double *refused;         /* pairs of centres of that cluster that were tried */
    size_t refusals;
} bisection;

/* The records of each cluster into b->size, and the sum of their squared distances. */
static void sum_clusters(bisection *b, double *sum)
{
    const kn_clustering *c = b->c;

    memset(b->size, 0, c->count * sizeof *b->size);
    for (size_t k = 0; k < c->count; k++) {
        sum[k] = 0;
    }
    for (size_t i = 0; i < c->points.count; i++) {
        b->size[b->now.nearest[i]] += c->points.weight[i];
        sum[b->now.nearest[i]] += c->points.weight[i] * b->now.distance[i];
    }
}

/* ---- one split ---- */

/* Whether the pair, in either order, was refused before. */
static bool was_refused(const bisection *b, const double *pair)
{
    const size_t bytes = b->stride * sizeof *pair;
    bool found = false;

    for (size_t n = 0; n < b->refusals && !found; n++) {
        const double *one = b->refused + n * 2 * b->stride, *two = one + b->stride;
        found = (memcmp(one, pair, bytes) == 0 && memcmp(two, pair + b->stride, bytes) == 0) ||
                (memcmp(two, pair, bytes) == 0 && memcmp(one, pair + b->stride, bytes) == 0);
    }
    return found;
}

/* 2-means of the points of `cluster`; `pair` are the two centres. False: both parts are not large
 * enough, there is nothing to split, or the pair was refused before. */
static bool bisect(bisection *b, const kn_space *space, uint32_t cluster, kn_rng *rng, double *pair)
{
    uint64_t size[2];

    kn__two_means_run(&b->halves, space, ROUNDS, rng, pair, size);
    for (size_t a = 0; space == &b->public && a < b->stride; a++) {
        if (space->at[a].hidden) {
            pair[a] = pair[b->stride + a] = b->c->centre[cluster * b->stride + a];
        }
    }
    return size[0] > 0 && size[0] >= b->c->smallest && size[1] >= b->c->smallest &&
           !was_refused(b, pair);
}

/* Take the trial centres if they are safe and closer to the points. `split` KN_NO_CODE: all of them
 * may have moved. */
static kn_status take(bisection *b, size_t count, uint32_t split, bool *taken, kn_error *err)
{
    kn_clustering *c = b->c;
    const kn_assignment was = b->now;
    bool safe = true;
    kn_status status = KN_OK;

    *taken = false;
    if (b->spans) {
        KN_TRY(kn__span_index_try(b->spans, b->trial, count, split, &safe, err));
    }
    if (safe) {
        KN_TRY(kn__weighted_points_assign(&c->points, b->trial, count, split, &b->now, &b->next,
                                          c->run, err));
        *taken = b->next.within < b->now.within * (1 - 1e-6);
    }
    if (!*taken) {
        goto done;
    }
    if (b->spans) {
        KN_TRY(kn__span_index_commit(b->spans, err));
    }
    b->now = b->next;
    b->next = was;
    memcpy(c->centre, b->trial, count * b->stride * sizeof *c->centre);
    c->count = count;
done:
    return status;
}

static kn_status split_cluster(bisection *b, uint32_t cluster, double *pair, bool *made,
                               kn_error *err)
{
    const kn_clustering *c = b->c;
    const size_t count = c->count;
    kn_rng rng;

    kn__rng_seed(&rng, c->run ? c->run->seed : 0, 16 + count);
    kn__two_means_choose(&b->halves, b->now.nearest, cluster);
    b->refusals = 0;
    for (unsigned n = 0; n < TRIES && !*made; n++) {
        KN_PASS(kn__run_step(c->run, "split", -1, err));
        if (bisect(b, n % 2 ? &b->public : &c->frame->space, cluster, &rng, pair)) {
            memcpy(b->trial, c->centre, count * b->stride * sizeof *pair);
            memcpy(b->trial + cluster * b->stride, pair, b->stride * sizeof *pair);
            memcpy(b->trial + count * b->stride, pair + b->stride, b->stride * sizeof *pair);
            memcpy(b->refused + b->refusals++ * 2 * b->stride, pair, 2 * b->stride * sizeof *pair);
            KN_PASS(take(b, count + 1, cluster, made, err));
        }
    }
    return KN_OK;
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
    sum_clusters(b, sum);
    for (size_t k = 0; k < c->count; k++) {
        b->order[k] = (kn_ranked){sum[k], (uint32_t)k};
    }
    kn__sort_ranked_down(b->order, c->count);
    for (size_t k = 0; k < c->count && !*made; k++) {
        const uint32_t cluster = b->order[k].id;
        if (b->size[cluster] >= 2 * c->smallest) {
            KN_TRY(split_cluster(b, cluster, pair, made, err));
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
        sum_clusters(b, sum);
        for (size_t k = 0; k < c->count && moved; k++) {
            moved = b->size[k] >= c->smallest && b->size[k] > 0;
        }
        if (moved) {
            KN_TRY(kn__clustering_centres(c, b->now.nearest, c->count, b->trial, err));
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

    KN_PASS(kn__assignment_new(&b->now, &c->points, err));
    KN_PASS(kn__assignment_new(&b->next, &c->points, err));
    KN_PASS(kn__two_means_new(&b->halves, c, err));
    b->trial = kn__malloc_array(most + 1, b->stride * sizeof *b->trial);
    b->refused = kn__malloc_array(TRIES, 2 * b->stride * sizeof *b->refused);
    b->size = kn__malloc_array(most, sizeof *b->size);
    b->order = kn__malloc_array(most, sizeof *b->order);
    KN_PASS(b->trial && b->refused && b->size && b->order ? KN_OK : kn__nomem(err));
    KN_PASS(kn__space_public(&b->public, &c->frame->space, err));
    KN_PASS(kn__weighted_points_assign(&c->points, c->centre, c->count, KN_NO_CODE, NULL, &b->now,
                                       c->run, err));
    KN_PASS(kn__clustering_spans(b->c, &b->spans, err));
    if (b->spans) {
        uint64_t least;
        KN_PASS(kn__span_index_evaluate(b->spans, c->centre, c->count, KN_NO_CODE, &least, err));
        KN_PASS(kn__span_index_commit(b->spans, err));
    }
    return KN_OK;
}

/* ---- earlier starts ---- */

/* A start is given up when it has more than this share of the clusters that are wanted, and its
 * mean squared distance is so much above the least of the starts before with as many clusters or
 * fewer. Among 28 clusterings of people, loans and Adult none became worse by it, and splitting
 * took two thirds of the time. */
static const double LATE = 0.6, BEHIND = 1.02;

void kn__split_history_clear(kn_split_history *h)
{
    for (size_t n = 0; n < h->starts; n++) {
        kn__free(h->begun[n]);
    }
    kn__free(h->within);
    *h = (kn_split_history){0};
}

/* Remember that a start begins to split the centres of `c`. `*seen`: an earlier one did. */
static kn_status begin_start(kn_clustering *c, size_t wanted, bool *seen, kn_error *err)
{
    kn_split_history *h = c->history;
    const size_t bytes = c->count * c->frame->space.attributes * sizeof *c->centre;

    *seen = false;
    if (!h || h->starts > KN_KMEANS_STARTS) {
        return KN_OK;
    }
    for (size_t n = 0; n < h->starts && !*seen; n++) {
        *seen = h->begun_count[n] == c->count && memcmp(h->begun[n], c->centre, bytes) == 0;
    }
    if (*seen) {
        return KN_OK;
    }
    if (!h->within) {
        h->counts = wanted + 1;
        h->within = kn__malloc_array(h->counts, sizeof *h->within);
        KN_PASS(h->within ? KN_OK : kn__nomem(err));
        for (size_t n = 0; n < h->counts; n++) {
            h->within[n] = INFINITY;
        }
    }
    h->begun[h->starts] = kn__malloc(bytes);
    KN_PASS(h->begun[h->starts] ? KN_OK : kn__nomem(err));
    memcpy(h->begun[h->starts], c->centre, bytes);
    h->begun_count[h->starts++] = c->count;
    return KN_OK;
}

/* Note how close this start is. @return whether it is too far behind the earlier ones. */
static bool is_behind(const bisection *b, size_t wanted)
{
    const kn_clustering *c = b->c;
    const kn_split_history *h = c->history;
    double least = INFINITY;

    if (!h || c->count >= h->counts) {
        return false;
    }
    h->within[c->count] = fmin(h->within[c->count], b->now.within);
    for (size_t n = 0; n <= c->count; n++) {
        least = fmin(least, h->within[n]);
    }
    return (double)c->count > LATE * (double)wanted && b->now.within > BEHIND * least;
}

kn_status kn__clustering_split(kn_clustering *c, size_t wanted, kn_error *err)
{
    bisection b = {.c = c, .stride = c->frame->space.attributes};
    const size_t most = wanted > c->count ? wanted : c->count;
    bool made = true, seen = false, behind = false;
    double *centre;
    kn_status status;

    KN_TRY(begin_start(c, wanted, &seen, err));
    if (seen) {
        return KN_OK;
    }
    centre = kn__realloc_array(c->centre, most, b.stride * sizeof *c->centre);
    KN_TRY(centre ? KN_OK : kn__nomem(err));
    c->centre = centre;
    KN_TRY(prepare(&b, most, err));
    while (made && !behind && c->count < wanted) {
        behind = is_behind(&b, wanted);
        if (!behind) {
            KN_TRY(split_one(&b, &made, err));
        }
    }
    if (!behind) {
        KN_TRY(move_centres(&b, err));
        (void)is_behind(&b, wanted);
    }
done:
    kn__assignment_clear(&b.now);
    kn__assignment_clear(&b.next);
    kn__two_means_clear(&b.halves);
    kn__free(b.trial);
    kn__free(b.refused);
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
