/* Which centres can be nearest, by the definition: every value that a private category may have is
 * tried, missing ones included, and for each of these the private numbers' part of the box in which
 * centre i is nearest is listed by its corners: all intersections of as many of its bounding planes
 * as there are dimensions, in whole numbers. Of equals the first is nearest, so i must be strictly
 * nearer than those before it somewhere in that part: at one corner at least. */
#ifndef ORACLE_NEAREST_H
#define ORACLE_NEAREST_H

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum { NEAREST_ATTRIBUTES = 6, NEAREST_CENTRES = 6, NEAREST_NONE = 1 << 30 };

typedef struct oracle_axis {
    bool category, hidden, missing; /* missing: possible, where hidden */
    int weight;                     /* of a squared difference of 1, and of one in category */
    int low, high;                  /* hidden numbers */
    bool whole;                     /* hidden numbers: only whole ones are possible */
    int values;                     /* hidden categories: 0..values-1 */
    unsigned lacking;               /* those of them, as bits, that are not possible after all */
} oracle_axis;

typedef struct oracle_centres {
    int attributes, centres;
    oracle_axis axis[NEAREST_ATTRIBUTES];
    int centre[NEAREST_CENTRES][NEAREST_ATTRIBUTES]; /* NEAREST_NONE: missing */
} oracle_centres;

__extension__ typedef __int128 oracle_wide;

static oracle_wide oracle_axis_term(const oracle_axis *a, int x, int c)
{
    if (x == NEAREST_NONE || c == NEAREST_NONE) {
        return x == c ? 0 : a->weight;
    }
    if (a->category) {
        return x == c ? 0 : a->weight;
    }
    return (oracle_wide)a->weight * (x - c) * (x - c);
}

static oracle_wide oracle_distance(const oracle_centres *o, int i, const int *x)
{
    oracle_wide sum = 0;

    for (int a = 0; a < o->attributes; a++) {
        sum += oracle_axis_term(&o->axis[a], x[a], o->centre[i][a]);
    }
    return sum;
}

static int oracle_nearest(const oracle_centres *o, const int *x)
{
    int best = 0;

    for (int i = 1; i < o->centres; i++) {
        if (oracle_distance(o, i, x) < oracle_distance(o, best, x)) {
            best = i;
        }
    }
    return best;
}

/* A plane: constant + coefficient * y. */
typedef struct oracle_plane {
    oracle_wide part[4]; /* up to three coefficients; the last is the constant */
    bool strict;
} oracle_plane;

static oracle_wide oracle_determinant(oracle_wide m[3][3], int d)
{
    if (d == 1) {
        return m[0][0];
    }
    if (d == 2) {
        return m[0][0] * m[1][1] - m[0][1] * m[1][0];
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* The corner where `d` planes meet: y = number / below, below > 0; false: they meet in none. */
static bool oracle_corner(const oracle_plane *p, const int *chosen, int d, oracle_wide *number,
                          oracle_wide *below)
{
    oracle_wide m[3][3];

    for (int i = 0; i < d; i++) {
        memcpy(m[i], p[chosen[i]].part, sizeof m[i]);
    }
    *below = oracle_determinant(m, d);
    if (*below == 0) {
        return false;
    }
    for (int a = 0; a < d; a++) {
        for (int i = 0; i < d; i++) {
            memcpy(m[i], p[chosen[i]].part, sizeof m[i]);
            m[i][a] = -p[chosen[i]].part[3];
        }
        number[a] = oracle_determinant(m, d);
    }
    if (*below < 0) {
        *below = -*below;
        for (int a = 0; a < d; a++) {
            number[a] = -number[a];
        }
    }
    return true;
}

static oracle_wide oracle_value(const oracle_plane *p, int d, const oracle_wide *number,
                                oracle_wide below)
{
    oracle_wide sum = p->part[3] * below;

    for (int a = 0; a < d; a++) {
        sum += p->part[a] * number[a];
    }
    return sum;
}

static bool oracle_some_point(const oracle_plane *p, int planes, int d)
{
    bool above[NEAREST_CENTRES + 6] = {false}, any = false;
    int chosen[3] = {0, 1, 2};

    assert(d <= 3);
    if (d == 0) {
        for (int i = 0; i < planes; i++) {
            if (p[i].part[3] < 0 || (p[i].strict && p[i].part[3] == 0)) {
                return false;
            }
        }
        return true;
    }
    for (;;) {
        oracle_wide number[3], below;
        int moves = d - 1;
        if (oracle_corner(p, chosen, d, number, &below)) {
            bool inside = true;
            for (int i = 0; i < planes; i++) {
                inside = inside && oracle_value(&p[i], d, number, below) >= 0;
            }
            for (int i = 0; inside && i < planes; i++) {
                above[i] = above[i] || oracle_value(&p[i], d, number, below) > 0;
            }
            any = any || inside;
        }
        while (moves >= 0 && chosen[moves] == planes - d + moves) {
            moves--;
        }
        if (moves < 0) {
            break;
        }
        chosen[moves]++;
        for (int i = moves + 1; i < d; i++) {
            chosen[i] = chosen[i - 1] + 1;
        }
    }
    for (int i = 0; any && i < planes; i++) {
        any = !p[i].strict || above[i];
    }
    return any;
}

/* With x given in all but the hidden numbers that are not missing. */
static bool oracle_reached_in_box(const oracle_centres *o, int i, const int *x, const bool *open)
{
    oracle_plane p[NEAREST_CENTRES + 6];
    int planes = 0, d = 0, axis[3];

    memset(p, 0, sizeof p);
    for (int a = 0; a < o->attributes; a++) {
        if (open[a]) {
            axis[d++] = a;
        }
    }
    for (int j = 0; j < o->centres; j++) {
        if (j == i) {
            continue;
        }
        for (int a = 0; a < o->attributes; a++) {
            const oracle_wide w = o->axis[a].weight, cj = o->centre[j][a], ci = o->centre[i][a];
            p[planes].part[3] += open[a] ? w * (cj * cj - ci * ci)
                                         : oracle_axis_term(&o->axis[a], x[a], o->centre[j][a]) -
                                               oracle_axis_term(&o->axis[a], x[a], o->centre[i][a]);
        }
        for (int n = 0; n < d; n++) {
            p[planes].part[n] = (oracle_wide)2 * o->axis[axis[n]].weight *
                                (o->centre[i][axis[n]] - o->centre[j][axis[n]]);
        }
        p[planes++].strict = j < i;
    }
    for (int n = 0; n < d; n++) {
        p[planes].part[n] = 1;
        p[planes++].part[3] = -o->axis[axis[n]].low;
        p[planes].part[n] = -1;
        p[planes++].part[3] = o->axis[axis[n]].high;
    }
    return oracle_some_point(p, planes, d);
}

static bool oracle_reached_from(const oracle_centres *o, int i, int a, int *x, bool *open)
{
    bool found = false;

    if (a == o->attributes) {
        return oracle_reached_in_box(o, i, x, open);
    }
    open[a] = false;
    if (!o->axis[a].hidden) {
        return oracle_reached_from(o, i, a + 1, x, open);
    }
    if (o->axis[a].missing) {
        x[a] = NEAREST_NONE;
        found = oracle_reached_from(o, i, a + 1, x, open);
    }
    if (o->axis[a].category) {
        for (int v = 0; v < o->axis[a].values && !found; v++) {
            x[a] = v;
            found = !(o->axis[a].lacking >> v & 1) && oracle_reached_from(o, i, a + 1, x, open);
        }
    } else if (o->axis[a].whole) {
        for (int v = o->axis[a].low; v <= o->axis[a].high && !found; v++) {
            x[a] = v;
            found = oracle_reached_from(o, i, a + 1, x, open);
        }
    } else if (!found && o->axis[a].low <= o->axis[a].high) {
        open[a] = true;
        found = oracle_reached_from(o, i, a + 1, x, open);
        open[a] = false;
    }
    return found;
}

/* Whether centre i can be nearest to someone with the public values of `x`. */
static bool oracle_reached(const oracle_centres *o, int i, const int *x)
{
    int all[NEAREST_ATTRIBUTES];
    bool open[NEAREST_ATTRIBUTES] = {false};

    memcpy(all, x, sizeof all);
    return oracle_reached_from(o, i, 0, all, open);
}

#endif
