/* oracle/km_local.h - local recoding by its definition: any item of any record may be published on
 * any level, and the best of all ways is found by trying them. */
#ifndef ORACLE_KM_LOCAL_H
#define ORACLE_KM_LOCAL_H

#include "oracle/km_methods.h"

enum { KM_PAIRS = 9 };

/* level[i][x]: that of item x in record i. */
typedef struct km_local {
    int level[KM_RECORDS][KM_ITEMS];
} km_local;

static double km_level_ncp(const km_tree *t, int level, int x)
{
    const int leaves = km_leaves_below(t, level, x);

    return level == t->levels - 1 ? 1 : leaves <= 1 ? 0 : (double)leaves / t->leaves;
}

/* Record i as it is published. */
static void km_publish(const km_data *d, const km_tree *t, int i, const int *level, int *times)
{
    memset(times, 0, KM_NODES * sizeof *times);
    for (int x = 0; x < d->items; x++) {
        int *n = &times[t->node[level[x]][x]];
        *n = d->bags ? *n + d->times[i][x] : *n || d->times[i][x];
    }
}

/* The least NCP, summed over occurrences, of any levels that make record i the published record
 * `times`; infinity: there are none, it is not record i. */
static double km_reading(const km_data *d, const km_tree *t, int i, const int *times)
{
    int level[KM_ITEMS] = {0};
    double least = INFINITY;

    for (;;) {
        int published[KM_NODES], x = 0;
        km_publish(d, t, i, level, published);
        if (memcmp(published, times, sizeof published) == 0) {
            double sum = 0;
            for (int y = 0; y < d->items; y++) {
                sum += d->times[i][y] * km_level_ncp(t, level[y], y);
            }
            least = sum < least ? sum : least;
        }
        while (x < d->items && ++level[x] == t->levels) {
            level[x++] = 0;
        }
        if (x == d->items) {
            return least;
        }
    }
}

/* How many pairs of a record and an item of it there are. */
static int km_pairs(const km_data *d)
{
    int pairs = 0;

    for (int i = 0; i < d->records; i++) {
        for (int x = 0; x < d->items; x++) {
            pairs += d->times[i][x] > 0;
        }
    }
    return pairs;
}

static void km_try(const km_data *d, const km_tree *t, int k, int m, int pair, double sum,
                   km_local *now, double *best)
{
    const int i = pair / d->items, x = pair % d->items;
    km_general g;

    if (sum >= *best) {
        return;
    }
    if (i < d->records) {
        const int levels = d->times[i][x] ? t->levels : 1;
        for (now->level[i][x] = 0; now->level[i][x] < levels; now->level[i][x]++) {
            km_try(d, t, k, m, pair + 1,
                   sum + d->times[i][x] * km_level_ncp(t, now->level[i][x], x), now, best);
        }
        now->level[i][x] = 0;
        return;
    }
    memset(&g, 0, sizeof g);
    g.records = d->records;
    for (int r = 0; r < d->records; r++) {
        km_publish(d, t, r, now->level[r], g.times[r]);
    }
    if (km_anonymous(&g, k, m)) {
        *best = sum;
    }
}

/* The least sum of NCP over occurrences of any k^m-anonymous local recoding; infinity: none. At
 * most KM_PAIRS pairs. */
static double km_local_best(const km_data *d, const km_tree *t, int k, int m)
{
    km_local now = {0};
    double best = INFINITY;

    km_try(d, t, k, m, 0, 0, &now, &best);
    return best;
}

#endif
