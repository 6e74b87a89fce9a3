/* certified_lp.c - whether a centre is the nearest somewhere in the box of the private numbers.
 *
 * That is the feasibility of a linear programme: maximise the least difference of the other
 * centres' distances to that of centre i. The simplex method runs in doubles, and its answer is
 * used only if it is certified: YES by a point at which all differences are positive beyond their
 * rounding errors, NO by non-negative multipliers (Farkas' lemma) whose sum of differences is
 * negative in the whole box. Otherwise the answer is UNSURE, and the caller decides exactly. */
#include "models/clusters/nearest_search.h"

#include <math.h>
#include <string.h>

bool kn__certified_lp_dominates(const kn_centroid_search *q, size_t m, uint32_t j)
{
    double highest = q->s->alpha[m], error = q->s->bound[m];

    for (size_t n = 0; n < q->s->dimensions; n++) {
        const double gain = slope(q, j, n) * width_of(q, n);
        if (gain > 0) {
            highest += gain;
            error += gain * 0x1p-46;
        }
    }
    return highest < -error;
}

/* Whether centre i is certainly the nearest at `y`, an offset from the low corner of the box. */
static bool certify_point(const kn_centroid_search *q, const double *y)
{
    for (size_t m = 0; m < q->count; m++) {
        const uint32_t j = other_at(q, m);
        double value = q->s->alpha[m], error = q->s->bound[m];
        if (j == q->i) {
            continue;
        }
        for (size_t n = 0; n < q->s->dimensions; n++) {
            const double gain = slope(q, j, n) * y[n];
            value += gain;
            error += fabs(gain) * 0x1p-46;
        }
        if (value <= error) {
            return false;
        }
    }
    return true;
}

/* ---- simplex ---- */

/* A simplex dictionary: each row is a basic variable as a constant plus multiples of the nonbasic
 * ones. Variable 0 is the least difference, which is maximised; 1..d are the private numbers as
 * shares of their ranges; then the differences of the other centres; then the slack of the ranges.
 */
typedef struct tableau {
    double *entry;
    size_t *basic;
    size_t nonbasic[KN_SPACE_HIDDEN + 1];
    size_t rows, columns; /* columns: the constant and d + 1 variables */
    size_t objective_row; /* the row of variable 0 */
} tableau;

static void pivot(tableau *t, size_t row, size_t column)
{
    double *own = t->entry + row * t->columns;
    const double p = own[column];
    const size_t variable = t->basic[row];

    for (size_t j = 0; j < t->columns; j++) {
        own[j] = j == column ? 1 / p : -own[j] / p;
    }
    for (size_t i = 0; i < t->rows; i++) {
        double *e = t->entry + i * t->columns;
        const double by = e[column];
        if (i == row || by == 0) {
            continue;
        }
        e[column] = 0;
        for (size_t j = 0; j < t->columns; j++) {
            e[j] += by * own[j];
        }
    }
    t->basic[row] = t->nonbasic[column - 1];
    t->nonbasic[column - 1] = variable;
    if (t->basic[row] == 0) {
        t->objective_row = row;
    }
}

static void fill_tableau(tableau *t, const kn_centroid_search *q)
{
    const size_t d = q->s->dimensions;
    size_t row = 0, first = SIZE_MAX;

    t->columns = d + 2;
    for (size_t m = 0; m < q->count; m++) {
        const uint32_t j = other_at(q, m);
        double *e = t->entry + row * t->columns;
        if (j == q->i) {
            continue;
        }
        e[0] = q->s->alpha[m];
        for (size_t n = 0; n < d; n++) {
            e[1 + n] = slope(q, j, n) * width_of(q, n);
        }
        e[d + 1] = -1;
        if (first == SIZE_MAX || e[0] < t->entry[first * t->columns]) {
            first = row;
        }
        t->basic[row++] = d + 1 + m;
    }
    for (size_t n = 0; n < d; n++, row++) {
        double *e = t->entry + row * t->columns;
        memset(e, 0, t->columns * sizeof *e);
        e[0] = 1;
        e[1 + n] = -1;
        t->basic[row] = d + 1 + q->count + n;
        t->nonbasic[n] = n + 1;
    }
    t->nonbasic[d] = 0;
    t->rows = row;
    pivot(t, first, d + 1);
}

/* One step; false: the dictionary is optimal. */
static bool simplex_step(tableau *t)
{
    const double *objective = t->entry + t->objective_row * t->columns;
    size_t enters = 0, leaves = SIZE_MAX;
    double objective_row = INFINITY;

    for (size_t j = 1; j < t->columns; j++) {
        if (objective[j] > 1e-13 && (!enters || objective[j] > objective[enters])) {
            enters = j;
        }
    }
    for (size_t i = 0; enters && i < t->rows; i++) {
        const double *e = t->entry + i * t->columns;
        if (i != t->objective_row && e[enters] < -1e-13) {
            const double ratio = fmax(e[0], 0) / -e[enters];
            if (ratio < objective_row) {
                objective_row = ratio;
                leaves = i;
            }
        }
    }
    if (leaves == SIZE_MAX) {
        return false;
    }
    pivot(t, leaves, enters);
    return true;
}

/* Farkas' lemma: non-negative multiples of the differences whose sum is negative everywhere in the
 * box prove that at every point some difference is negative. The multipliers are the objective's
 * coefficients of the final dictionary. */
static bool certify_infeasible(const tableau *t, const kn_centroid_search *q)
{
    const size_t d = q->s->dimensions;
    const double *objective = t->entry + t->objective_row * t->columns;
    double constant = 0, error = 0, gain[KN_SPACE_HIDDEN] = {0}, off[KN_SPACE_HIDDEN] = {0};

    for (size_t v = 0; v < d + 1; v++) {
        const size_t variable = t->nonbasic[v];
        const double times = -objective[v + 1];
        if (variable <= d || variable > d + q->count || !(times > 0)) {
            continue;
        }
        const size_t m = variable - d - 1;
        constant += times * q->s->alpha[m];
        error += times * (q->s->bound[m] + fabs(q->s->alpha[m]) * 0x1p-46);
        for (size_t n = 0; n < d; n++) {
            const double by = times * slope(q, other_at(q, m), n);
            gain[n] += by;
            off[n] += fabs(by) * 0x1p-46;
        }
    }
    for (size_t n = 0; n < d; n++) {
        constant += fmax(gain[n] + off[n], 0) * width_of(q, n);
        error += (fabs(gain[n]) + off[n]) * width_of(q, n) * 0x1p-46;
    }
    return constant + error < 0;
}

kn_answer kn__certified_lp_decide(kn_centroid_search *q)
{
    kn_nearest_searcher *s = q->s;
    const size_t d = s->dimensions;
    tableau t = {.entry = s->entry, .basic = s->basic};
    double y[KN_SPACE_HIDDEN] = {0};

    for (size_t n = 0; n < d; n++) {
        const kn_space_attribute *a = &q->space->at[s->hidden[n]];
        y[n] = fmin(fmax(centre_at(q, q->i)[s->hidden[n]] - a->low, 0), width_of(q, n));
    }
    if (certify_point(q, y)) {
        return YES;
    }
    if (d == 0) {
        return UNSURE;
    }
    fill_tableau(&t, q);
    for (size_t steps = 0; steps < 50 * (d + 1); steps++) {
        if (!simplex_step(&t)) {
            break;
        }
    }
    memset(y, 0, sizeof y);
    for (size_t r = 0; r < t.rows; r++) {
        if (t.basic[r] >= 1 && t.basic[r] <= d) {
            const size_t n = t.basic[r] - 1;
            y[n] = fmin(fmax(t.entry[r * t.columns], 0), 1) * width_of(q, n);
        }
    }
    if (certify_point(q, y)) {
        return YES;
    }
    return certify_infeasible(&t, q) ? NO : UNSURE;
}
