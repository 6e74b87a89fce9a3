/* What centres tell of the people in a table, by the definitions: the span of each is the set of
 * clusters that it can be in, and people with the same set are one span (Definition 6). Of a span
 * with several clusters it is asked how many people there are, how many of its clusters they really
 * are in, and how evenly. */
#ifndef ORACLE_CLUSTER_SPANS_H
#define ORACLE_CLUSTER_SPANS_H

#include "oracle/nearest.h"

#include <math.h>

typedef struct oracle_told {
    int k;                               /* the fewest people; 0: no span tells anything */
    double inference, distinct, entropy; /* the surest, the least, exp of the least */
} oracle_told;

/* The figures of the span of person `i`; k 0: it tells nothing. */
static oracle_told oracle_tell_one(const oracle_centres *o, int (*row)[NEAREST_ATTRIBUTES],
                                   int rows, int i)
{
    oracle_told t = {.inference = 0, .entropy = 0};
    int in[NEAREST_CENTRES] = {0}, reached = 0;

    for (int c = 0; c < o->centres; c++) {
        reached += oracle_reached(o, c, row[i]);
    }
    for (int j = 0; j < rows && reached > 1; j++) {
        bool same = true;
        for (int c = 0; c < o->centres && same; c++) {
            same = oracle_reached(o, c, row[i]) == oracle_reached(o, c, row[j]);
        }
        if (same) {
            in[oracle_nearest(o, row[j])]++;
            t.k++;
        }
    }
    for (int c = 0; c < o->centres && t.k; c++) {
        const double share = (double)in[c] / t.k;
        t.distinct += in[c] > 0;
        t.inference = fmax(t.inference, share);
        t.entropy -= in[c] ? share * log(share) : 0;
    }
    t.entropy = exp(t.entropy);
    return t;
}

static oracle_told oracle_tell(const oracle_centres *o, int (*row)[NEAREST_ATTRIBUTES], int rows)
{
    oracle_told all = {.distinct = HUGE_VAL, .entropy = HUGE_VAL};

    for (int i = 0; i < rows; i++) {
        const oracle_told one = oracle_tell_one(o, row, rows, i);
        if (one.k) {
            all.k = all.k == 0 || one.k < all.k ? one.k : all.k;
            all.inference = fmax(all.inference, one.inference);
            all.distinct = fmin(all.distinct, one.distinct);
            all.entropy = fmin(all.entropy, one.entropy);
        }
    }
    return all;
}

#endif
