/* models/clusters/nearest.h - which centre is the nearest, and which can be when an attacker does
 * not know the private attributes: the span of a tuple.
 *
 * The squared distance from a tuple x to a centre c is the sum over the attributes of
 *
 *     numbers, dates   factor * (x - c)^2, where factor = weight / scale^2 rounded to a double once
 *     categories       weight where x and c differ, else 0
 *     x or c missing   weight; 0 where both are
 *
 * taken without rounding: the answers below are those of real arithmetic on the doubles that the
 * model holds. Of equally near centres the first is the nearest.
 *
 * Private categories: if centre i is the nearest for some value, it is for its own value, because
 * that takes `weight` from its distance and never more from another's. If its own value is not
 * possible, a value that no centre has is the best one; if there is none, all values are tried.
 * Private numbers: the difference of two distances is linear in them, so whether i can be the
 * nearest is the feasibility of a linear programme over a box. It is solved in doubles with bounds
 * on the rounding errors; where these leave it open, models/exact/integer_simplex.h decides. */
#ifndef KN_MODELS_CLUSTERS_NEAREST_H
#define KN_MODELS_CLUSTERS_NEAREST_H

#include "models/judge/span.h"

typedef struct kn_space_attribute {
    bool category, hidden;
    bool missing; /* hidden ones: a missing value is possible */
    bool other;   /* hidden categories: a value is possible that none of the centres has */
    const uint8_t *possible; /* hidden categories: by code; NULL: all are */
    double factor, weight;
    double low, high; /* hidden numbers: their range; low > high: only missing is possible */
    size_t integers;  /* hidden numbers: only so many integers from low on; 0: all reals in range */
} kn_space_attribute;

/** Tuples and centres are arrays of doubles, one an attribute: numbers, codes of categories, NaN
 * for missing. No centre is missing in a hidden number. All of it is within kn__exact_takes. */
typedef struct kn_space {
    kn_space_attribute *at;
    size_t attributes;
    /* kn__space_category_distances of the centres that are searched, count * count; NULL: computed
     * again for each tuple. */
    const double *category_distance;
    size_t category_distance_count;
} kn_space;

/** At most so many private numbers. */
enum { KN_SPACE_HIDDEN = 16 };

/** Scratch memory of the searches of one thread. Zero it before the first use. */
typedef struct kn_nearest_searcher {
    double *x, *base, *alpha, *bound, *lower, *upper, *entry;
    size_t *basic;
    uint32_t *dominator; /* by centre: two that ruled it out for an earlier tuple */
    struct kn_exact *coefficient;
    struct kn_exact_row *row;
    size_t attributes, centres; /* capacity of the arrays above */
    size_t exact_decisions;     /* how often rounding errors left the answer open */
    uint32_t hidden[KN_SPACE_HIDDEN];
    size_t dimensions;
} kn_nearest_searcher;
void kn__nearest_searcher_clear(kn_nearest_searcher *s);

/** `space` with private attributes that weigh nothing; out->at is to be freed. */
kn_status kn__space_public(kn_space *out, const kn_space *space, kn_error *err);

/** The squared distance, in doubles. */
double kn__space_distance(const kn_space *space, const double *x, const double *c);

/** The squared distance, in doubles, if it is at most `limit`; else something greater than that. */
double kn__space_distance_below(const kn_space *space, const double *x, const double *c,
                                double limit);
/** A centre whose squared distance, in doubles, is greater than this is certainly farther away than
 * one at `distance`. */
double kn__space_clearly_above(const kn_space *space, double distance);

/** For each two of `count` centres, the distance that their private categories add, into
 * `category_distance`: [i * count + j]. */
void kn__space_category_distances(const kn_space *space, const double *centre, size_t count,
                                  double *category_distance);

/** The number of the nearest of `count` centres. O(count * attributes). */
uint32_t kn__space_nearest(const kn_space *space, const double *centre, size_t count,
                           const double *x);
/** The same of centres that are anywhere. */
size_t kn__space_nearest_of(const kn_space *space, const double *const *centre, size_t count,
                            const double *x);

/** The span of a tuple with the public values of `x`: the centres that are the nearest for some
 * private values, added to `out`, ascending. O(count * attributes), and a linear programme for each
 * centre that no other dominates. */
kn_status kn__nearest_find_span(kn_nearest_searcher *s, const kn_space *space, const double *centre,
                                size_t count, const double *x, kn_class_list *out, kn_error *err);
/** The same of the `count` centres `among`, ascending, if no other can be the nearest; `sure`: by
 * place whether the centre is known to be in the span (NULL: of none). */
kn_status kn__nearest_find_among(kn_nearest_searcher *s, const kn_space *space,
                                 const double *centre, const uint32_t *among, const uint8_t *sure,
                                 size_t count, const double *x, kn_class_list *out, kn_error *err);

#endif
