/* nearest_box.c - whether a centre can be the nearest, for all tuples whose public values are in a
 * box at once.
 *
 * The difference of the distances of two centres has a least and a greatest value in the box. If
 * the linear programme over the private numbers has a solution with all differences at their least,
 * that solution is good for every tuple of the box; if it has none with all at their greatest, no
 * tuple has one. Rounding errors are bounded as for single tuples. */
#include "base/error.h"
#include "base/sort.h"
#include "models/clusters/nearest_search.h"

#include <string.h>

typedef struct range {
    double low, high;
    double size; /* at least the magnitudes of what was added */
} range;

static void add(range *to, double low, double high, double size)
{
    to->low += low;
    to->high += high;
    to->size += size;
}

/* The distance of `other` minus that of `own` in a public category. */
static void add_category(range *to, const kn_space_attribute *a, const kn_kd_extent *e, double own,
                         double other)
{
    const bool all_missing = e->low > e->high,
               single = (e->values & (e->values - 1)) == 0 && (all_missing || e->low == e->high);
    const bool is_own = e->values & kn__kd_bit(own), is_other = e->values & kn__kd_bit(other);
    double low = 0, high = 0;

    if (own == other || (isnan(own) && isnan(other))) {
        return;
    }
    if (single) {
        const double x = all_missing ? NAN : e->low;
        low = x == other || (isnan(x) && isnan(other)) ? -a->weight : 0;
        high = x == own || (isnan(x) && isnan(own)) ? a->weight : 0;
        low = high > 0 ? high : low;
        high = low < 0 ? low : high;
    } else {
        low = is_other ? -a->weight : 0;
        high = is_own ? a->weight : 0;
    }
    add(to, low, high, a->weight);
}

/* The least and the greatest distance to `c` in a number that is not missing. */
static range term_range(const kn_space_attribute *a, const kn_kd_extent *e, double c)
{
    const double one = e->low - c, two = e->high - c;
    const double near = KN_CLAMP(0, one, two), far = fmax(fabs(one), fabs(two));

    if (isnan(c)) {
        return (range){a->weight, a->weight, a->weight};
    }
    return (range){a->factor * (near * near), a->factor * (far * far), a->factor * (far * far)};
}

/* The same in a public number. */
static void add_number(range *to, const kn_space_attribute *a, const kn_kd_extent *e, double own,
                       double other)
{
    double low = INFINITY, high = -INFINITY, size = 0;

    if (e->low <= e->high && !isnan(own) && !isnan(other)) {
        /* Linear in x: factor * (own - other) * ((x - own) + (x - other)). */
        const double slope = a->factor * (own - other);
        const double one = slope * ((e->low - own) + (e->low - other)),
                     two = slope * ((e->high - own) + (e->high - other));
        low = fmin(one, two);
        high = fmax(one, two);
        size = fabs(slope) * (fmax(fabs(e->low - own), fabs(e->high - own)) +
                              fmax(fabs(e->low - other), fabs(e->high - other)));
    } else if (e->low <= e->high) {
        const range mine = term_range(a, e, own), its = term_range(a, e, other);
        low = its.low - mine.high;
        high = its.high - mine.low;
        size = mine.size + its.size;
    }
    if (e->values) {
        const double missing = (isnan(other) ? 0 : a->weight) - (isnan(own) ? 0 : a->weight);
        low = fmin(low, missing);
        high = fmax(high, missing);
        size = fmax(size, a->weight);
    }
    add(to, low, high, size);
}

/* The distance of the m-th other centre minus that of centre i, with the private categories of
 * centre i and the private numbers of s->x. */
static void compare(kn_centroid_search *q, size_t m, const kn_kd_extent *box)
{
    const kn_space *space = q->space;
    const double *own = centre_at(q, q->i), *other = centre_at(q, other_at(q, m)), *x = q->s->x;
    range sum = {0};

    for (size_t n = 0; n < space->attributes; n++) {
        const kn_space_attribute *a = &space->at[n];
        if (a->hidden && a->category) {
            const bool equal = own[n] == other[n] || (isnan(own[n]) && isnan(other[n]));
            add(&sum, equal ? 0 : a->weight, equal ? 0 : a->weight, a->weight);
        } else if (a->hidden) {
            const double slope = a->factor * (own[n] - other[n]);
            if (!isnan(x[n])) {
                const double at = slope * ((x[n] - own[n]) + (x[n] - other[n]));
                add(&sum, at, at, fabs(slope) * (fabs(x[n] - own[n]) + fabs(x[n] - other[n])));
            }
        } else if (a->category) {
            add_category(&sum, a, &box[n], own[n], other[n]);
        } else {
            add_number(&sum, a, &box[n], own[n], other[n]);
        }
    }
    q->s->lower[m] = sum.low;
    q->s->upper[m] = sum.high;
    q->s->bound[m] = relative_error(space) * sum.size;
}

static kn_answer decide(kn_centroid_search *q, const kn_kd_extent *box)
{
    kn_nearest_searcher *s = q->s;
    const size_t bytes = q->count * sizeof *s->alpha;

    for (size_t m = 0; m < q->count; m++) {
        if (other_at(q, m) != q->i) {
            compare(q, m, box);
            s->alpha[m] = s->upper[m];
            if (kn__certified_lp_dominates(q, m, other_at(q, m))) {
                return NO;
            }
        }
    }
    memcpy(s->alpha, s->lower, bytes);
    if (kn__certified_lp_decide(q) == YES) {
        return YES;
    }
    memcpy(s->alpha, s->upper, bytes);
    return kn__certified_lp_decide(q) == NO ? NO : UNSURE;
}

kn_status kn__nearest_in_box(kn_nearest_searcher *s, const kn_space *space, const double *centre,
                             const uint32_t *among, size_t count, uint32_t i,
                             const kn_kd_extent *box, kn_answer *answer, kn_error *err)
{
    kn_centroid_search q = {
        .s = s, .space = space, .centre = centre, .among = among, .count = count, .i = i};
    const double *own = centre + i * space->attributes;
    const size_t cases = kn__nearest_cases(space);
    kn_status status;

    *answer = NO;
    KN_TRY(kn__nearest_reserve(s, space, among[count - 1] + (size_t)1, err));
    for (size_t a = 0; a < space->attributes; a++) {
        if (own_is_impossible(&space->at[a], own[a])) {
            *answer = UNSURE;
            goto done;
        }
    }
    for (size_t which = 0; which < cases && *answer != YES; which++) {
        if (kn__nearest_choose_case(space, s, which)) {
            const kn_answer found = decide(&q, box);
            *answer = found == NO ? *answer : found;
        }
    }
done:
    return status;
}
