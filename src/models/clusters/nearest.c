/* nearest.c - nearest centres, in doubles where they can tell and exactly where they cannot. */
#include "models/clusters/nearest.h"
#include "base/error.h"
#include "base/memory.h"
#include "models/exact/integer_simplex.h"
#include "models/clusters/nearest_search.h"

#include <math.h>
#include <string.h>

/* ---- distances ---- */

/* What an attribute adds to a squared distance. */
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

void kn__space_apart(const kn_space *space, const double *centre, size_t count, double *apart)
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
            apart[i * count + j] = sum;
        }
    }
}

/* A sum of terms that are not negative is wrong by less than this times itself: each term is
 * rounded four times, and the sum once for each; doubled. */
static double rounding(const kn_space *space)
{
    return (double)(space->attributes + 16) * 0x1p-52;
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

/* The distance to `c` minus that to `other`. */
static void exact_difference(kn_exact *sum, const kn_space *space, const double *x, const double *c,
                             const double *other)
{
    memset(sum, 0, sizeof *sum);
    for (size_t a = 0; a < space->attributes; a++) {
        add_term(sum, 1, &space->at[a], x[a], c[a]);
        add_term(sum, -1, &space->at[a], x[a], other[a]);
    }
}

uint32_t kn__space_nearest(const kn_space *space, const double *centre, size_t count,
                           const double *x)
{
    const size_t stride = space->attributes;
    const double error = 2 * rounding(space);
    double least = INFINITY;
    size_t best = 0;
    bool tied = false;

    for (size_t i = 0; i < count; i++) {
        const double d = kn__space_distance(space, x, centre + i * stride);
        if (d < least) {
            tied = least - d <= error * (least < INFINITY ? least : 0);
            least = d;
            best = i;
        } else if (d - least <= error * d) {
            tied = true;
        }
    }
    if (!tied) {
        return (uint32_t)best;
    }
    /* One that was beaten by little may still be the nearest, or one before it that ties. */
    const double most = least + 2 * error * least;
    size_t nearest = best;
    for (size_t i = 0; i < count; i++) {
        kn_exact difference;
        if (i == nearest || kn__space_distance(space, x, centre + i * stride) > most) {
            continue;
        }
        exact_difference(&difference, space, x, centre + i * stride, centre + nearest * stride);
        const int sign = kn__exact_sign(&difference);
        if (sign < 0 || (sign == 0 && i < nearest)) {
            nearest = i;
        }
    }
    return (uint32_t)nearest;
}

/* ---- one search ---- */

void kn__nearest_searcher_clear(kn_nearest_searcher *s)
{
    kn__free(s->x);
    kn__free(s->base);
    kn__free(s->alpha);
    kn__free(s->bound);
    kn__free(s->entry);
    kn__free(s->basic);
    kn__free(s->killer);
    kn__free(s->part);
    kn__free(s->row);
    *s = (kn_nearest_searcher){0};
}

static kn_status make_room(kn_nearest_searcher *s, const kn_space *space, size_t centres,
                           kn_error *err)
{
    if (s->centres < centres || s->attributes < space->attributes) {
        const size_t rows = centres + KN_SPACE_HIDDEN;
        kn__nearest_searcher_clear(s);
        s->x = kn__malloc_array(space->attributes, sizeof *s->x);
        s->base = kn__malloc_array(centres, sizeof *s->base);
        s->alpha = kn__malloc_array(centres, sizeof *s->alpha);
        s->bound = kn__malloc_array(centres, sizeof *s->bound);
        s->killer = kn__zalloc_array(2 * centres, sizeof *s->killer);
        s->entry = kn__malloc_array(rows, (KN_SPACE_HIDDEN + 2) * sizeof *s->entry);
        s->basic = kn__malloc_array(rows, sizeof *s->basic);
        if (!s->x || !s->base || !s->alpha || !s->bound || !s->killer || !s->entry || !s->basic) {
            kn__nearest_searcher_clear(s);
            return kn__nomem(err);
        }
        s->centres = centres;
        s->attributes = space->attributes;
    }
    return KN_OK;
}

static kn_status ask_exactly(kn_centroid_search *q, bool *reached, kn_error *err)
{
    kn_nearest_searcher *s = q->s;
    const size_t d = s->dimensions;
    kn_exact width[KN_SPACE_HIDDEN];
    const double *own = centre_at(q, q->i);
    size_t rows = 0;

    s->asked_exactly++;
    if (!s->part) {
        s->part = kn__malloc_array(s->centres, (KN_SPACE_HIDDEN + 1) * sizeof *s->part);
        s->row = kn__malloc_array(s->centres, sizeof *s->row);
        if (!s->part || !s->row) {
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
        kn_exact *part = s->part + rows * (d + 1);
        if (j == q->i) {
            continue;
        }
        memset(part, 0, (d + 1) * sizeof *part);
        for (size_t n = 0; n < d; n++) {
            const uint32_t a = s->hidden[n];
            kn__exact_add(&part[n], 2, q->space->at[a].factor, own[a], 1);
            kn__exact_add(&part[n], -2, q->space->at[a].factor, centre_at(q, j)[a], 1);
        }
        exact_difference(&part[d], q->space, s->x, centre_at(q, j), own);
        s->row[rows++] = (kn_exact_row){part, j < q->i};
    }
    return kn__exact_feasible(reached, s->row, rows, width, d, err);
}

/* How much farther centre `m` of those asked about is than centre i at s->x, whose distance without
 * private categories is `base`, and the most that rounding may have changed. */
static inline void compare(kn_centroid_search *q, size_t m, double base, const double *own)
{
    const kn_space *space = q->space;
    const uint32_t j = other_at(q, m);
    const double *c = centre_at(q, j), *x = q->s->x;
    double here = q->s->base[m], there = base;

    if (space->apart && !q->guessed) {
        here += space->apart[q->i * space->apart_count + j];
        q->s->alpha[m] = here - there;
        q->s->bound[m] = rounding(space) * (here + there);
        return;
    }
    for (size_t a = 0; a < space->attributes; a++) {
        if (space->at[a].hidden && space->at[a].category) {
            here += term(&space->at[a], x[a], c[a]);
            there += term(&space->at[a], x[a], own[a]);
        }
    }
    q->s->alpha[m] = here - there;
    q->s->bound[m] = rounding(space) * (here + there);
}

/* With one hidden number, or none, the centre is nearest between the greatest of lower bounds and
 * the least of upper ones: each known up to rounding. */
static kn_answer on_a_line(kn_centroid_search *q, double base)
{
    kn_nearest_searcher *s = q->s;
    const double *own = centre_at(q, q->i);
    const bool line = s->dimensions == 1;
    const uint32_t a = line ? s->hidden[0] : 0;
    const double twice = line ? 2 * q->space->at[a].factor : 0, width = line ? width_of(q, 0) : 0;
    double least_low = 0, most_low = 0;
    double least_high = width * (1 - 0x1p-50), most_high = width * (1 + 0x1p-50);
    bool unsure = false;

    for (size_t m = 0; m < q->count; m++) {
        const uint32_t j = other_at(q, m);
        const double beta = line ? twice * (own[a] - centre_at(q, j)[a]) : 0;
        double alpha, error, at, off;
        if (j == q->i) {
            continue;
        }
        compare(q, m, base, own);
        alpha = s->alpha[m];
        error = s->bound[m];
        if (beta == 0) {
            if (alpha < -error) {
                s->killer[2 * q->i] = j;
                return NO;
            }
            unsure |= alpha <= error;
            continue;
        }
        at = -alpha / beta;
        off = error / fabs(beta) * 1.0001 + fabs(at) * 0x1p-48;
        if (beta > 0) {
            least_low = at - off > least_low ? at - off : least_low;
            most_low = at + off > most_low ? at + off : most_low;
        } else {
            least_high = at - off < least_high ? at - off : least_high;
            most_high = at + off < most_high ? at + off : most_high;
        }
        if (least_low > most_high) {
            s->killer[2 * q->i + 1] = s->killer[2 * q->i];
            s->killer[2 * q->i] = j;
            return NO;
        }
    }
    return unsure || (line && most_low >= least_high) ? UNSURE : YES;
}

/* ---- the private values that are worth trying ---- */

/* The distance from s->x, without private categories: they depend on which centre is asked for. */
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

static void measure(kn_centroid_search *q)
{
    for (size_t m = 0; m < q->count; m++) {
        q->s->base[m] = distance_to(q, other_at(q, m));
    }
}

/* With the private categories of s->x. */
static kn_status ask(kn_centroid_search *q, bool *reached, kn_error *err)
{
    kn_nearest_searcher *s = q->s;
    const double *own = centre_at(q, q->i);
    const double base = q->among ? distance_to(q, q->i) : s->base[q->i];
    kn_answer found;

    if (!q->among) {
        /* Who ruled it out for the last tuple often does so again. */
        for (size_t n = 0; n < 2; n++) {
            const uint32_t j = s->killer[2 * q->i + n];
            if (j != q->i && j < q->count) {
                compare(q, j, base, own);
                if (kn__box_kills(q, j, j)) {
                    *reached = false;
                    return KN_OK;
                }
            }
        }
    }
    for (size_t m = 0; s->dimensions > 1 && m < q->count; m++) {
        compare(q, m, base, own);
    }
    found = s->dimensions <= 1 ? on_a_line(q, base) : kn__box_ask(q);
    *reached = found == YES;
    return found == UNSURE ? ask_exactly(q, reached, err) : KN_OK;
}

static bool possible(const kn_space_attribute *a, double value)
{
    return isnan(value) ? a->missing : !a->possible || a->possible[(size_t)value];
}

/* A centre whose private category is one that nobody can have: its own value is none to try. */
static bool must_guess(const kn_space_attribute *a, double own)
{
    return a->hidden && a->category && !possible(a, own);
}

static kn_status ask_categories(kn_centroid_search *q, size_t attribute, bool *reached,
                                kn_error *err)
{
    const kn_space *space = q->space;
    const double *own = centre_at(q, q->i);
    kn_status st = KN_OK;

    for (; attribute < space->attributes; attribute++) {
        const kn_space_attribute *a = &space->at[attribute];
        if (must_guess(a, own[attribute])) {
            q->guessed = true;
            if (!a->other) {
                break;
            }
            q->s->x[attribute] = -1; /* all centres differ from that */
        } else if (a->hidden && a->category) {
            q->s->x[attribute] = own[attribute];
        }
    }
    if (attribute == space->attributes) {
        return ask(q, reached, err);
    }
    for (size_t m = 0; m <= q->count && st == KN_OK && !*reached; m++) {
        const double value = m < q->count ? centre_at(q, other_at(q, m))[attribute] : NAN;
        if (possible(&space->at[attribute], value)) {
            q->s->x[attribute] = value;
            st = ask_categories(q, attribute + 1, reached, err);
        }
    }
    return st;
}

/* In how many ways the hidden number `at` is gone through: each whole one, all others as one, and
 * missing. */
static size_t ways_of(const kn_space_attribute *at)
{
    return at->hidden && !at->category ? (at->integers ? at->integers : 1) + at->missing : 1;
}

/* Set the hidden numbers of s->x for case `which`, a number with a digit for each of them. False:
 * there is no such case. */
static bool choose_case(const kn_space *space, kn_nearest_searcher *s, size_t which)
{
    s->dimensions = 0;
    for (size_t a = 0; a < space->attributes; a++) {
        const kn_space_attribute *at = &space->at[a];
        const size_t ways = ways_of(at), way = which % ways;
        const bool missing = at->missing && way + 1 == ways;
        if (!at->hidden || at->category) {
            continue;
        }
        which /= ways;
        if (!missing && at->low > at->high) {
            return false;
        }
        s->x[a] = missing ? NAN : at->low + (double)way;
        if (!missing && !at->integers && at->high > at->low) {
            s->hidden[s->dimensions++] = (uint32_t)a;
        }
    }
    return true;
}

static size_t cases_of(const kn_space *space)
{
    size_t cases = 1;

    for (size_t a = 0; a < space->attributes; a++) {
        cases *= ways_of(&space->at[a]);
    }
    return cases;
}

kn_status kn__nearest_find_span(kn_nearest_searcher *s, const kn_space *space, const double *centre,
                                size_t count, const double *x, kn_class_list *out, kn_error *err)
{
    kn_centroid_search q = {.s = s, .space = space, .centre = centre, .count = count};
    const size_t cases = cases_of(space);
    kn_status st = make_room(s, space, count, err);

    if (st != KN_OK) {
        return st;
    }
    memcpy(s->x, x, space->attributes * sizeof *x);
    for (size_t which = 0; which < cases && st == KN_OK; which++) {
        size_t known = 0;
        if (!choose_case(space, s, which)) {
            continue;
        }
        measure(&q);
        for (q.i = 0; q.i < count && st == KN_OK; q.i++) {
            bool reached = false;
            while (known < out->len && out->at[known] < q.i) {
                known++;
            }
            if (known < out->len && out->at[known] == q.i) {
                continue;
            }
            q.guessed = false;
            st = ask_categories(&q, 0, &reached, err);
            if (st == KN_OK && reached) {
                st = kn__class_list_add(out, q.i, err);
                for (size_t at = out->len; st == KN_OK && at-- > known + 1;) {
                    out->at[at] = out->at[at - 1];
                    out->at[at - 1] = q.i;
                }
            }
        }
    }
    return st;
}

kn_status kn__nearest_is_possible(kn_nearest_searcher *s, const kn_space *space,
                                  const double *centre, const uint32_t *among, size_t count,
                                  uint32_t i, const double *x, bool *reached, kn_error *err)
{
    kn_centroid_search q = {
        .s = s, .space = space, .centre = centre, .among = among, .count = count, .i = i};
    const size_t cases = cases_of(space);
    size_t most = i + (size_t)1;
    kn_status st;

    *reached = false;
    for (size_t m = 0; m < count; m++) {
        most = among[m] + (size_t)1 > most ? among[m] + (size_t)1 : most;
    }
    st = make_room(s, space, most, err);
    if (st != KN_OK) {
        return st;
    }
    memcpy(s->x, x, space->attributes * sizeof *x);
    for (size_t which = 0; which < cases && st == KN_OK && !*reached; which++) {
        if (choose_case(space, s, which)) {
            measure(&q);
            q.guessed = false;
            st = ask_categories(&q, 0, reached, err);
        }
    }
    return st;
}
