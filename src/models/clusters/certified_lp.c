/* certified_lp.c - whether a centre is the nearest somewhere in a box of several private numbers: a
 * linear programme in doubles, whose answer is proved or dropped. */
#include "models/clusters/nearest_search.h"

#include <math.h>
#include <string.h>

/* Whether centre j alone is nearer everywhere in the box. */
bool kn__box_kills(const kn_centroid_search *q, size_t m, uint32_t j)
{
    double most = q->s->alpha[m], error = q->s->bound[m];

    for (size_t n = 0; n < q->s->dimensions; n++) {
        const double rise = slope(q, j, n) * width_of(q, n);
        if (rise > 0) {
            most += rise;
            error += rise * 0x1p-46;
        }
    }
    return most < -error;
}

/* Whether it is surely nearest at `y`, up from the low corner of the box. */
static bool nearest_at(const kn_centroid_search *q, const double *y)
{
    for (size_t m = 0; m < q->count; m++) {
        const uint32_t j = other_at(q, m);
        double value = q->s->alpha[m], error = q->s->bound[m];
        if (j == q->i) {
            continue;
        }
        for (size_t n = 0; n < q->s->dimensions; n++) {
            const double rise = slope(q, j, n) * y[n];
            value += rise;
            error += fabs(rise) * 0x1p-46;
        }
        if (value <= error) {
            return false;
        }
    }
    return true;
}

/* ---- the programme ---- */

/* The dictionary: row = constant, then what each nonbasic variable adds. Variable 0 is the least
 * difference of the rows, to be made as great as can be; 1..d are the numbers as shares of their
 * widths; then the differences of the rows; then what is left of the widths. */
typedef struct programme {
    double *entry;
    size_t *basic;
    size_t nonbasic[KN_SPACE_HIDDEN + 1];
    size_t rows, columns; /* columns: the constant and d + 1 variables */
    size_t least;         /* the row of variable 0 */
} programme;

static void turn(programme *t, size_t row, size_t column)
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
        t->least = row;
    }
}

static void fill_programme(programme *t, const kn_centroid_search *q)
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
    turn(t, first, d + 1);
}

static bool step(programme *t)
{
    const double *aim = t->entry + t->least * t->columns;
    size_t enters = 0, leaves = SIZE_MAX;
    double least = INFINITY;

    for (size_t j = 1; j < t->columns; j++) {
        if (aim[j] > 1e-13 && (!enters || aim[j] > aim[enters])) {
            enters = j;
        }
    }
    for (size_t i = 0; enters && i < t->rows; i++) {
        const double *e = t->entry + i * t->columns;
        if (i != t->least && e[enters] < -1e-13) {
            const double ratio = fmax(e[0], 0) / -e[enters];
            if (ratio < least) {
                least = ratio;
                leaves = i;
            }
        }
    }
    if (leaves == SIZE_MAX) {
        return false;
    }
    turn(t, leaves, enters);
    return true;
}

/* Non-negative multiples of the differences that sum to something below 0 everywhere in the box
 * prove that one of them is below 0 everywhere. */
static bool never(const programme *t, const kn_centroid_search *q)
{
    const size_t d = q->s->dimensions;
    const double *aim = t->entry + t->least * t->columns;
    double constant = 0, error = 0, rise[KN_SPACE_HIDDEN] = {0}, off[KN_SPACE_HIDDEN] = {0};

    for (size_t v = 0; v < d + 1; v++) {
        const size_t variable = t->nonbasic[v];
        const double times = -aim[v + 1];
        if (variable <= d || variable > d + q->count || !(times > 0)) {
            continue;
        }
        const size_t m = variable - d - 1;
        constant += times * q->s->alpha[m];
        error += times * (q->s->bound[m] + fabs(q->s->alpha[m]) * 0x1p-46);
        for (size_t n = 0; n < d; n++) {
            const double by = times * slope(q, other_at(q, m), n);
            rise[n] += by;
            off[n] += fabs(by) * 0x1p-46;
        }
    }
    for (size_t n = 0; n < d; n++) {
        constant += fmax(rise[n] + off[n], 0) * width_of(q, n);
        error += (fabs(rise[n]) + off[n]) * width_of(q, n) * 0x1p-46;
    }
    return constant + error < 0;
}

kn_answer kn__box_ask(kn_centroid_search *q)
{
    kn_nearest_searcher *s = q->s;
    const size_t d = s->dimensions;
    programme t = {.entry = s->entry, .basic = s->basic};
    double y[KN_SPACE_HIDDEN];

    for (size_t m = 0; m < q->count; m++) {
        const uint32_t j = other_at(q, m);
        if (j != q->i && kn__box_kills(q, m, j)) {
            s->killer[2 * q->i] = j;
            return NO;
        }
    }
    for (size_t n = 0; n < d; n++) {
        const kn_space_attribute *a = &q->space->at[s->hidden[n]];
        y[n] = fmin(fmax(centre_at(q, q->i)[s->hidden[n]] - a->low, 0), width_of(q, n));
    }
    if (nearest_at(q, y)) {
        return YES;
    }
    fill_programme(&t, q);
    for (size_t steps = 0; steps < 50 * (d + 1); steps++) {
        if (!step(&t)) {
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
    return nearest_at(q, y) ? YES : never(&t, q) ? NO : UNSURE;
}
