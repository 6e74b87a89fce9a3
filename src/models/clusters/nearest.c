/* nearest.c - the nearest centre, and the span of a tuple. Everything is computed in doubles with a
 * bound on the rounding error, and again in exact arithmetic where the bound leaves a sign open. */
#include "models/clusters/nearest.h"
#include "base/error.h"
#include "base/memory.h"
#include "models/exact/integer_simplex.h"
#include "models/clusters/nearest_search.h"

#include <math.h>
#include <string.h>

kn_status kn__space_public(kn_space *out, const kn_space *space, kn_error *err)
{
    out->attributes = space->attributes;
    out->at = kn__malloc_array(space->attributes, sizeof *out->at);
    if (!out->at) {
        return kn__nomem(err);
    }
    memcpy(out->at, space->at, space->attributes * sizeof *out->at);
    for (size_t a = 0; a < space->attributes; a++) {
        if (out->at[a].hidden) {
            out->at[a].factor = out->at[a].weight = 0;
        }
    }
    return KN_OK;
}

/* ---- distances ---- */

/* The contribution of an attribute to a squared distance. */
static inline double term(const kn_space_attribute *a, double x, double c)
{
    if (a->category) {
        return x == c || (isnan(x) && isnan(c)) ? 0 : a->weight;
    }
    if (isnan(x) || isnan(c)) {
        return isnan(x) && isnan(c) ? 0 : a->weight;
    }
    return a->factor * ((x - c) * (x - c));
}

double kn__space_distance(const kn_space *space, const double *x, const double *c)
{
    double sum = 0;

    for (size_t a = 0; a < space->attributes; a++) {
        sum += term(&space->at[a], x[a], c[a]);
    }
    return sum;
}

double kn__space_distance_below(const kn_space *space, const double *x, const double *c,
                                double limit)
{
    double sum = 0;

    /* Terms are not negative and rounding is monotonic: the sum never falls. */
    for (size_t a = 0; a < space->attributes && sum <= limit; a++) {
        sum += term(&space->at[a], x[a], c[a]);
    }
    return sum;
}

void kn__space_category_distances(const kn_space *space, const double *centre, size_t count,
                                  double *category_distance)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            double sum = 0;
            for (size_t a = 0; a < space->attributes; a++) {
                if (space->at[a].hidden && space->at[a].category) {
                    sum += term(&space->at[a], centre[i * space->attributes + a],
                                centre[j * space->attributes + a]);
                }
            }
            category_distance[i * count + j] = sum;
        }
    }
}

static void add_term(kn_exact *sum, int sign, const kn_space_attribute *a, double x, double c)
{
    if (a->category || isnan(x) || isnan(c)) {
        kn__exact_add(sum, sign, term(a, x, c), 1, 1);
        return;
    }
    kn__exact_add(sum, sign, a->factor, x, x);
    kn__exact_add(sum, -2 * sign, a->factor, x, c);
    kn__exact_add(sum, sign, a->factor, c, c);
}

/* The distance to `c` minus the distance to `other`. */
static void exact_difference(kn_exact *sum, const kn_space *space, const double *x, const double *c,
                             const double *other)
{
    memset(sum, 0, sizeof *sum);
    for (size_t a = 0; a < space->attributes; a++) {
        add_term(sum, 1, &space->at[a], x[a], c[a]);
        add_term(sum, -1, &space->at[a], x[a], other[a]);
    }
}

double kn__space_clearly_above(const kn_space *space, double distance)
{
    return distance * (1 + 8 * relative_error(space));
}

/* The centres stand one after the other at `centre`, or, where `at` is given, it points to them. */
static size_t find_nearest(const kn_space *space, const double *centre, const double *const *at,
                           size_t count, const double *x)
{
    const size_t stride = space->attributes;
    double least = INFINITY, near = INFINITY;
    size_t nearest = 0;
    bool tied = false;

    for (size_t i = 0; i < count; i++) {
        const double d = kn__space_distance_below(space, x, at ? at[i] : centre + i * stride, near);
        if (d > near) {
            continue;
        }
        tied = kn__space_clearly_above(space, d) >= least;
        if (d < least) {
            least = d;
            near = kn__space_clearly_above(space, d);
            nearest = i;
        } else {
            tied = true;
        }
    }
    if (!tied) {
        return nearest;
    }
    /* The error bounds leave several centres open: compare these exactly. */
    for (size_t i = 0; i < count; i++) {
        const double *own = at ? at[i] : centre + i * stride;
        kn_exact difference;
        if (i == nearest || kn__space_distance_below(space, x, own, near) > near) {
            continue;
        }
        exact_difference(&difference, space, x, own, at ? at[nearest] : centre + nearest * stride);
        const int sign = kn__exact_sign(&difference);
        if (sign < 0 || (sign == 0 && i < nearest)) {
            nearest = i;
        }
    }
    return nearest;
}

uint32_t kn__space_nearest(const kn_space *space, const double *centre, size_t count,
                           const double *x)
{
    return (uint32_t)find_nearest(space, centre, NULL, count, x);
}

size_t kn__space_nearest_of(const kn_space *space, const double *const *centre, size_t count,
                            const double *x)
{
    return find_nearest(space, count ? centre[0] : NULL, centre, count, x);
}

/* ---- one search ---- */

void kn__nearest_searcher_clear(kn_nearest_searcher *s)
{
    kn__free(s->x);
    kn__free(s->base);
    kn__free(s->alpha);
    kn__free(s->bound);
    kn__free(s->lower);
    kn__free(s->upper);
    kn__free(s->entry);
    kn__free(s->basic);
    kn__free(s->dominator);
    kn__free(s->coefficient);
    kn__free(s->row);
    *s = (kn_nearest_searcher){0};
}

kn_status kn__nearest_reserve(kn_nearest_searcher *s, const kn_space *space, size_t centres,
                              kn_error *err)
{
    if (s->centres < centres || s->attributes < space->attributes) {
        const size_t rows = centres + KN_SPACE_HIDDEN;
        kn__nearest_searcher_clear(s);
        s->x = kn__malloc_array(space->attributes, sizeof *s->x);
        s->base = kn__malloc_array(centres, sizeof *s->base);
        s->alpha = kn__malloc_array(centres, sizeof *s->alpha);
        s->bound = kn__malloc_array(centres, sizeof *s->bound);
        s->lower = kn__malloc_array(centres, sizeof *s->lower);
        s->upper = kn__malloc_array(centres, sizeof *s->upper);
        s->dominator = kn__zalloc_array(2 * centres, sizeof *s->dominator);
        s->entry = kn__malloc_array(rows, (KN_SPACE_HIDDEN + 2) * sizeof *s->entry);
        s->basic = kn__malloc_array(rows, sizeof *s->basic);
        if (!s->x || !s->base || !s->alpha || !s->bound || !s->lower || !s->upper ||
            !s->dominator || !s->entry || !s->basic) {
            kn__nearest_searcher_clear(s);
            return kn__nomem(err);
        }
        s->centres = centres;
        s->attributes = space->attributes;
    }
    return KN_OK;
}

static kn_status decide_exactly(kn_centroid_search *q, bool *is_nearest, kn_error *err)
{
    kn_nearest_searcher *s = q->s;
    const size_t d = s->dimensions;
    kn_exact width[KN_SPACE_HIDDEN];
    const double *own = centre_at(q, q->i);
    size_t rows = 0;

    s->exact_decisions++;
    if (!s->coefficient) {
        s->coefficient = kn__malloc_array(s->centres,
                                          (KN_SPACE_HIDDEN + 1) * sizeof *s->coefficient);
        s->row = kn__malloc_array(s->centres, sizeof *s->row);
        if (!s->coefficient || !s->row) {
            return kn__nomem(err);
        }
    }
    memset(width, 0, sizeof width);
    for (size_t n = 0; n < d; n++) {
        const kn_space_attribute *a = &q->space->at[s->hidden[n]];
        kn__exact_add(&width[n], 1, a->high, 1, 1);
        kn__exact_add(&width[n], -1, a->low, 1, 1);
    }
    for (size_t m = 0; m < q->count; m++) {
        const uint32_t j = other_at(q, m);
        kn_exact *coefficient = s->coefficient + rows * (d + 1);
        if (j == q->i) {
            continue;
        }
        memset(coefficient, 0, (d + 1) * sizeof *coefficient);
        for (size_t n = 0; n < d; n++) {
            const uint32_t a = s->hidden[n];
            kn__exact_add(&coefficient[n], 2, q->space->at[a].factor, own[a], 1);
            kn__exact_add(&coefficient[n], -2, q->space->at[a].factor, centre_at(q, j)[a], 1);
        }
        exact_difference(&coefficient[d], q->space, s->x, centre_at(q, j), own);
        s->row[rows++] = (kn_exact_row){coefficient, j < q->i};
    }
    return kn__exact_feasible(is_nearest, s->row, rows, width, d, err);
}

/* Set alpha[m] to the distance of the m-th other centre minus that of centre i at s->x, and
 * bound[m] to the largest rounding error of it. `base` is the distance of centre i without private
 * categories. */
static inline void compare(kn_centroid_search *q, size_t m, double base, const double *own)
{
    const kn_space *space = q->space;
    const uint32_t j = other_at(q, m);
    const double *c = centre_at(q, j), *x = q->s->x;
    double here = q->s->base[m], there = base;

    if (space->category_distance && !q->foreign_category) {
        here += space->category_distance[q->i * space->category_distance_count + j];
        q->s->alpha[m] = here - there;
        q->s->bound[m] = relative_error(space) * (here + there);
        return;
    }
    for (size_t a = 0; a < space->attributes; a++) {
        if (space->at[a].hidden && space->at[a].category) {
            here += term(&space->at[a], x[a], c[a]);
            there += term(&space->at[a], x[a], own[a]);
        }
    }
    q->s->alpha[m] = here - there;
    q->s->bound[m] = relative_error(space) * (here + there);
}

/* ---- private values ---- */

/* The distance from s->x without private categories, which depend on centre i. */
static double distance_to(const kn_centroid_search *q, uint32_t j)
{
    const kn_space *space = q->space;
    const double *c = centre_at(q, j);
    double sum = 0;

    for (size_t a = 0; a < space->attributes; a++) {
        if (!(space->at[a].hidden && (space->at[a].category || isnan(q->s->x[a])))) {
            sum += term(&space->at[a], q->s->x[a], c[a]);
        }
    }
    return sum;
}

static void set_base(kn_centroid_search *q)
{
    for (size_t m = 0; m < q->count; m++) {
        q->s->base[m] = distance_to(q, other_at(q, m));
    }
}

/* Whether centre i is the nearest with the private categories of s->x. */
static kn_status decide(kn_centroid_search *q, bool *is_nearest, kn_error *err)
{
    kn_nearest_searcher *s = q->s;
    const double *own = centre_at(q, q->i);
    const double base = s->base[q->own];
    kn_answer found;

    if (!q->among) {
        /* A centre that dominated i for an earlier tuple often does so again. */
        for (size_t n = 0; n < 2; n++) {
            const uint32_t j = s->dominator[2 * q->i + n];
            if (j != q->i && j < q->count) {
                compare(q, j, base, own);
                if (kn__certified_lp_dominates(q, j, j)) {
                    *is_nearest = false;
                    return KN_OK;
                }
            }
        }
    }
    for (size_t m = 0; m < q->count; m++) {
        const uint32_t j = other_at(q, m);
        compare(q, m, base, own);
        if (j != q->i && kn__certified_lp_dominates(q, m, j)) {
            s->dominator[2 * q->i + 1] = s->dominator[2 * q->i];
            s->dominator[2 * q->i] = j;
            *is_nearest = false;
            return KN_OK;
        }
    }
    found = kn__certified_lp_decide(q);
    *is_nearest = found == YES;
    return found == UNSURE ? decide_exactly(q, is_nearest, err) : KN_OK;
}

static kn_status decide_categories(kn_centroid_search *q, size_t attribute, bool *is_nearest,
                                   kn_error *err)
{
    const kn_space *space = q->space;
    const double *own = centre_at(q, q->i);
    kn_status st = KN_OK;

    for (; attribute < space->attributes; attribute++) {
        const kn_space_attribute *a = &space->at[attribute];
        if (own_is_impossible(a, own[attribute])) {
            q->foreign_category = true;
            if (!a->other) {
                break;
            }
            q->s->x[attribute] = -1; /* all centres differ from that */
        } else if (a->hidden && a->category) {
            q->s->x[attribute] = own[attribute];
        }
    }
    if (attribute == space->attributes) {
        return decide(q, is_nearest, err);
    }
    for (size_t m = 0; m <= q->count && st == KN_OK && !*is_nearest; m++) {
        const double value = m < q->count ? centre_at(q, other_at(q, m))[attribute] : NAN;
        if (can_occur(&space->at[attribute], value)) {
            q->s->x[attribute] = value;
            st = decide_categories(q, attribute + 1, is_nearest, err);
        }
    }
    return st;
}

/* The cases of a private number: each integer, or all reals as one case; and missing. */
static size_t cases_of_number(const kn_space_attribute *at)
{
    return at->hidden && !at->category ? (at->integers ? at->integers : 1) + at->missing : 1;
}

bool kn__nearest_choose_case(const kn_space *space, kn_nearest_searcher *s, size_t which)
{
    s->dimensions = 0;
    for (size_t a = 0; a < space->attributes; a++) {
        const kn_space_attribute *at = &space->at[a];
        const size_t cases = cases_of_number(at), own = which % cases;
        const bool missing = at->missing && own + 1 == cases;
        if (!at->hidden || at->category) {
            continue;
        }
        which /= cases;
        if (!missing && at->low > at->high) {
            return false;
        }
        s->x[a] = missing ? NAN : at->low + (double)own;
        if (!missing && !at->integers && at->high > at->low) {
            s->hidden[s->dimensions++] = (uint32_t)a;
        }
    }
    return true;
}

size_t kn__nearest_cases(const kn_space *space)
{
    size_t cases = 1;

    for (size_t a = 0; a < space->attributes; a++) {
        cases *= cases_of_number(&space->at[a]);
    }
    return cases;
}

/* Insert centre i into the ascending list at `at`. */
static kn_status insert(kn_class_list *list, size_t at, uint32_t i, kn_error *err)
{
    const kn_status status = kn__class_list_add(list, i, err);

    if (status == KN_OK) {
        memmove(list->at + at + 1, list->at + at, (list->len - 1 - at) * sizeof *list->at);
        list->at[at] = i;
    }
    return status;
}

/* The centres of `q` that are the nearest for some private values, into `out`; `sure`: by place
 * whether that is known already (NULL: of none). */
static kn_status find_span(kn_centroid_search *q, const uint8_t *sure, const double *x,
                           kn_class_list *out, kn_error *err)
{
    kn_nearest_searcher *s = q->s;
    const kn_space *space = q->space;
    const size_t cases = kn__nearest_cases(space);

    KN_PASS(
        kn__nearest_reserve(s, space, q->count ? other_at(q, q->count - 1) + (size_t)1 : 0, err));
    memcpy(s->x, x, space->attributes * sizeof *x);
    for (size_t m = 0; sure && m < q->count; m++) {
        if (sure[m]) {
            KN_PASS(kn__class_list_add(out, other_at(q, m), err));
        }
    }
    for (size_t which = 0; which < cases && out->len < q->count; which++) {
        size_t at = 0;
        if (!kn__nearest_choose_case(space, s, which)) {
            continue;
        }
        set_base(q);
        for (q->own = 0; q->own < q->count; q->own++) {
            bool is_nearest = false;
            q->i = other_at(q, q->own);
            while (at < out->len && out->at[at] < q->i) {
                at++;
            }
            if (at < out->len && out->at[at] == q->i) {
                continue;
            }
            q->foreign_category = false;
            KN_PASS(decide_categories(q, 0, &is_nearest, err));
            if (is_nearest) {
                KN_PASS(insert(out, at, q->i, err));
            }
        }
    }
    return KN_OK;
}

kn_status kn__nearest_find_span(kn_nearest_searcher *s, const kn_space *space, const double *centre,
                                size_t count, const double *x, kn_class_list *out, kn_error *err)
{
    kn_centroid_search q = {.s = s, .space = space, .centre = centre, .count = count};

    return find_span(&q, NULL, x, out, err);
}

kn_status kn__nearest_find_among(kn_nearest_searcher *s, const kn_space *space,
                                 const double *centre, const uint32_t *among, const uint8_t *sure,
                                 size_t count, const double *x, kn_class_list *out, kn_error *err)
{
    kn_centroid_search q = {
        .s = s, .space = space, .centre = centre, .among = among, .count = count};

    return find_span(&q, sure, x, out, err);
}
