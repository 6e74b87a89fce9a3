/* models/clusters/nearest.h - which centre is nearest, and which can be when an attacker does not
 * know the private attributes.
 *
 * The squared distance from a tuple x to a centre c is the sum over the attributes of
 *
 *     numbers, dates   factor * (x - c)^2, where factor = weight / scale^2 rounded to a double once
 *     categories       weight where x and c differ, else 0
 *     x or c missing   weight; 0 where both are
 *
 * taken without rounding: the answers below are those of real arithmetic on the doubles that the
 * model holds. Of equally near centres the first is nearest.
 *
 * Private categories: if any value lets centre i be nearest, its own does, because that takes
 * `weight` from its distance and never more from another's. Where its own is not possible, one that
 * no centre has is the best there is, and without such a one all are tried. Private numbers: the
 * difference of two distances is linear in them, so it is a linear programme over a box whether i
 * can be nearest. Doubles with bounds on their rounding answer nearly always; where they cannot,
 * models/exact/integer_simplex.h does. */
#ifndef KN_MODELS_CLUSTERS_NEAREST_H
#define KN_MODELS_CLUSTERS_NEAREST_H

#include "models/judge/span.h"

typedef struct kn_space_attribute {
    bool category, hidden;
    bool missing; /* hidden ones: a missing value is possible */
    bool other;   /* hidden categories: a value is possible that no centre asked about has */
    const uint8_t *possible; /* hidden categories: by code; NULL: all are */
    double factor, weight;
    double low, high; /* hidden numbers: their range; low > high: only missing is possible */
    size_t integers; /* hidden numbers: whole ones only, so many from low on; 0: all in the range */
} kn_space_attribute;

/** Tuples and centres are arrays of doubles, one an attribute: numbers, codes of categories, NaN
 * for missing. No centre is missing in a hidden number. All of it is within kn__exact_takes. */
typedef struct kn_space {
    kn_space_attribute *at;
    size_t attributes;
    /* What kn__space_apart says of the centres that are searched, apart_count * apart_count; NULL:
     * it is worked out again and again. */
    const double *apart;
    size_t apart_count;
} kn_space;

/** Hidden numbers at most. */
enum { KN_SPACE_HIDDEN = 16 };

/** What searches need to remember; one thread's own. Zero it before the first use. */
typedef struct kn_nearest_searcher {
    double *x, *base, *alpha, *bound, *entry;
    size_t *basic;
    uint32_t *killer;
    struct kn_exact *part;
    struct kn_exact_row *row;
    size_t attributes, centres; /* that there is room for */
    size_t asked_exactly;       /* how often doubles could not tell */
    uint32_t hidden[KN_SPACE_HIDDEN];
    size_t dimensions;
} kn_nearest_searcher;
void kn__nearest_searcher_clear(kn_nearest_searcher *s);

/** The squared distance, in doubles. */
double kn__space_distance(const kn_space *space, const double *x, const double *c);

/** For each two of `count` centres, the distance that their private categories add, into `apart`:
 * [i * count + j]. */
void kn__space_apart(const kn_space *space, const double *centre, size_t count, double *apart);

/** The number of the nearest of `count` centres. O(count * attributes). */
uint32_t kn__space_nearest(const kn_space *space, const double *centre, size_t count,
                           const double *x);

/** Which centres can be nearest to a tuple with the public values of `x`, whatever its private ones
 * are; added to `out`, ascending. O(count * attributes) and a linear programme for each centre that
 * is not out of the question. */
kn_status kn__nearest_find_span(kn_nearest_searcher *s, const kn_space *space, const double *centre,
                                size_t count, const double *x, kn_class_list *out, kn_error *err);
/** Whether centre `i` is among them, if there were only the `count` centres `among`; i itself may
 * be one of them or not. */
kn_status kn__nearest_is_possible(kn_nearest_searcher *s, const kn_space *space,
                                  const double *centre, const uint32_t *among, size_t count,
                                  uint32_t i, const double *x, bool *reached, kn_error *err);

#endif
