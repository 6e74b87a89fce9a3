/* oracle/km_suppress.h - the least loss when items may be left out: every set of items within the
 * limit, and for each every cut of the hierarchy, or every partition into ranges, or nothing else.
 * An occurrence that is left out is lost: NCP 1. */
#ifndef ORACLE_KM_SUPPRESS_H
#define ORACLE_KM_SUPPRESS_H

#include "oracle/km_methods.h"

static int km_occurrences(const km_data *d)
{
    int sum = 0;

    for (int i = 0; i < d->records; i++) {
        sum += km_size(d->times[i]);
    }
    return sum;
}

/* Item x is in `gone` when bit x is set. */
static km_data km_without(const km_data *d, unsigned gone)
{
    km_data rest = *d;

    for (int i = 0; i < d->records; i++) {
        for (int x = 0; x < KM_ITEMS; x++) {
            rest.times[i][x] = gone >> x & 1 ? 0 : d->times[i][x];
        }
    }
    return rest;
}

typedef enum km_how { KM_CUTS, KM_RANGES, KM_NOTHING } km_how;

/* The least NCP of a partition of the items, whose values ascend, into ranges. */
static double km_best_ranges(const km_data *d, const double *value, double width, int k, int m)
{
    const int all = km_occurrences(d);
    double best = INFINITY;

    for (unsigned cuts = 0; cuts < 1u << (d->items - 1); cuts++) {
        km_general g = {.records = d->records};
        int range[KM_ITEMS] = {0}, times[KM_ITEMS] = {0};
        double low[KM_ITEMS], high[KM_ITEMS], sum = 0;
        for (int x = 0; x < d->items; x++) {
            range[x] = x ? range[x - 1] + (int)(cuts >> (x - 1) & 1) : 0;
            for (int i = 0; i < d->records; i++) {
                int *at = &g.times[i][range[x]];
                if (d->times[i][x]) {
                    low[range[x]] = times[range[x]] ? low[range[x]] : value[x];
                    high[range[x]] = value[x];
                    times[range[x]] += d->times[i][x];
                    *at = d->bags ? *at + d->times[i][x] : 1;
                }
            }
        }
        for (int r = 0; r < d->items; r++) {
            sum += times[r] && width > 0 ? times[r] * (high[r] - low[r]) / width : 0;
        }
        if (all && sum / all < best && km_anonymous(&g, k, m)) {
            best = sum / all;
        }
    }
    return all ? best : 0;
}

/* The least NCP of all occurrences with at most `most` of them left out; infinity: nothing does. */
static double km_best_suppressed(const km_data *d, const km_tree *t, const double *value,
                                 km_how how, int k, int m, int most)
{
    const int all = km_occurrences(d);
    double best = INFINITY, low = INFINITY, high = -INFINITY;

    for (int i = 0; value && i < d->records; i++) {
        for (int x = 0; x < d->items; x++) {
            low = d->times[i][x] && value[x] < low ? value[x] : low;
            high = d->times[i][x] && value[x] > high ? value[x] : high;
        }
    }
    for (unsigned gone = 0; gone < 1u << d->items; gone++) {
        const km_data rest = km_without(d, gone);
        const int kept = km_occurrences(&rest);
        double ncp = INFINITY;
        if (all - kept > most) {
            continue;
        }
        if (kept == 0) {
            ncp = 0;
        } else if (how == KM_CUTS) {
            ncp = km_best(&rest, t, k, m);
        } else if (how == KM_RANGES) {
            ncp = km_best_ranges(&rest, value, high - low, k, m);
        } else {
            const int level[KM_LEAVES] = {0};
            km_tree leaves = {.levels = 2, .leaves = d->items};
            km_general g;
            for (int x = 0; x < d->items; x++) {
                leaves.node[0][x] = x;
            }
            km_generalise(&rest, &leaves, level, &g);
            ncp = km_anonymous(&g, k, m) ? 0 : INFINITY;
        }
        ncp = all ? (ncp * kept + (all - kept)) / all : 0;
        best = ncp < best ? ncp : best;
    }
    return best;
}

#endif
