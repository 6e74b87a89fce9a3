/* oracle/km_methods.h - small random hierarchies over the items of oracle/km.h, and the best cut of
 * one by trying every cut. */
#ifndef ORACLE_KM_METHODS_H
#define ORACLE_KM_METHODS_H

#include "base/rng.h"
#include "oracle/km.h"

#include <math.h>
#include <stdio.h>

enum { KM_LEVELS = 4, KM_LEAVES = KM_ITEMS + 1, KM_NODES = KM_LEVELS * 10 };

/* node[l][x]: the node above leaf x on level l, a number of its own on each level. There may be one
 * leaf more than items. */
typedef struct km_tree {
    int levels, leaves;
    int node[KM_LEVELS][KM_LEAVES];
} km_tree;

static void km_random_tree(km_tree *t, int items, kn_rng *r)
{
    t->leaves = items + (int)kn__rng_below(r, 2);
    t->levels = 2 + (int)kn__rng_below(r, KM_LEVELS - 1);
    for (int x = 0; x < t->leaves; x++) {
        t->node[0][x] = x;
    }
    for (int l = 1; l < t->levels; l++) {
        int up[10];
        const int nodes = 1 + (int)kn__rng_below(r, 4);
        for (int i = 0; i < 10; i++) {
            up[i] = l == t->levels - 1 ? 0 : (int)kn__rng_below(r, (uint64_t)nodes);
        }
        for (int x = 0; x < t->leaves; x++) {
            t->node[l][x] = l * 10 + up[t->node[l - 1][x] % 10];
        }
    }
}

static int km_leaves_below(const km_tree *t, int level, int x)
{
    int count = 0;

    for (int y = 0; y < t->leaves; y++) {
        count += t->node[level][y] == t->node[level][x];
    }
    return count;
}

/* A cut: the level of every leaf, the same for all leaves below a node. */
static bool km_is_cut(const km_tree *t, const int *level)
{
    for (int x = 0; x < t->leaves; x++) {
        for (int y = 0; y < t->leaves; y++) {
            if (t->node[level[x]][x] == t->node[level[x]][y] && level[x] != level[y]) {
                return false;
            }
        }
    }
    return true;
}

static double km_ncp(const km_data *d, const km_tree *t, const int *level)
{
    double sum = 0;
    int all = 0;

    for (int i = 0; i < d->records; i++) {
        for (int x = 0; x < d->items; x++) {
            const int leaves = km_leaves_below(t, level[x], x);
            const bool root = level[x] == t->levels - 1;
            all += d->times[i][x];
            sum += d->times[i][x] * (root ? 1 : leaves <= 1 ? 0 : (double)leaves / t->leaves);
        }
    }
    return all ? sum / all : 0;
}

/* ---- k^m-anonymity of generalised records ---- */

typedef struct km_general {
    int records;
    int times[KM_RECORDS][KM_NODES];
} km_general;

static void km_generalise(const km_data *d, const km_tree *t, const int *level, km_general *g)
{
    memset(g, 0, sizeof *g);
    g->records = d->records;
    for (int i = 0; i < d->records; i++) {
        for (int x = 0; x < d->items; x++) {
            int *times = &g->times[i][t->node[level[x]][x]];
            *times = d->bags ? *times + d->times[i][x] : *times || d->times[i][x];
        }
    }
}

/* Whether the combination `taken`, of `size` items, and all that record i makes of it with nodes
 * from `from` on, up to m items, are held by k records. */
static bool km_grows(const km_general *g, int i, int *taken, int from, int size, int k, int m)
{
    int support = 0;

    for (int j = 0; j < g->records; j++) {
        bool holds = true;
        for (int n = 0; n < KM_NODES; n++) {
            holds = holds && g->times[j][n] >= taken[n];
        }
        support += holds;
    }
    if (support < k) {
        return false;
    }
    for (int n = from; n < KM_NODES && size < m; n++) {
        if (taken[n] < g->times[i][n]) {
            taken[n]++;
            const bool holds = km_grows(g, i, taken, n, size + 1, k, m);
            taken[n]--;
            if (!holds) {
                return false;
            }
        }
    }
    return true;
}

static bool km_anonymous(const km_general *g, int k, int m)
{
    for (int i = 0; i < g->records; i++) {
        int taken[KM_NODES] = {0};
        for (int n = 0; n < KM_NODES; n++) {
            if (g->times[i][n] > 0) {
                taken[n] = 1;
                if (!km_grows(g, i, taken, n, 1, k, m)) {
                    return false;
                }
                taken[n] = 0;
            }
        }
    }
    return true;
}

/* The least NCP of any k^m-anonymous cut; infinity: there is none. */
static double km_best(const km_data *d, const km_tree *t, int k, int m)
{
    int level[KM_LEAVES] = {0};
    double best = INFINITY;

    for (;;) {
        int x = 0;
        if (km_is_cut(t, level)) {
            const double ncp = km_ncp(d, t, level);
            if (ncp < best) {
                km_general g;
                km_generalise(d, t, level, &g);
                best = km_anonymous(&g, k, m) ? ncp : best;
            }
        }
        while (x < t->leaves && ++level[x] == t->levels) {
            level[x++] = 0;
        }
        if (x == t->leaves) {
            return best;
        }
    }
}

#endif
