/* oracle/cluster.h - the Cluster algorithm of the RT paper (section 5), word for word, on small
 * random tables: distances are worked out from the values of the two records each time, and every
 * record is looked at. Seeds are the records in a random order, each if it is still there. NCP is
 * in whole units of 2^-30 by quasi-identifier, so that equal is equal. */
#ifndef ORACLE_CLUSTER_H
#define ORACLE_CLUSTER_H

#include "base/rng.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    CLUSTER_RECORDS = 1500,
    CLUSTER_QIS = 4,
    CLUSTER_VALUES = 900,
    CLUSTER_LEVELS = 4,
    CLUSTER_MISSING = -1
};

typedef enum oracle_scale { SCALE_TREE, SCALE_NUMBER, SCALE_SET } oracle_scale;

typedef struct oracle_attribute {
    oracle_scale kind;
    int values; /* a tree lists them all, whether they occur or not, but for the uncovered */
    int levels; /* tree: level 0 is the value, the last has one group */
    int group[CLUSTER_LEVELS][CLUSTER_VALUES];
    bool uncovered[CLUSTER_VALUES]; /* tree: published as the root in any company */
    double number[CLUSTER_VALUES];
    double weight;
    int leaves;       /* oracle_survey: values of the domain */
    double low, high; /* likewise: numbers that occur */
} oracle_attribute;

typedef struct oracle_clustering {
    int records, qis, k;
    oracle_attribute attribute[CLUSTER_QIS];
    int value[CLUSTER_RECORDS][CLUSTER_QIS];
    bool barred[CLUSTER_RECORDS];
    /* The result. */
    int cluster[CLUSTER_RECORDS]; /* -1: none */
    int clusters;
} oracle_clustering;

/* What is published for the records in[0..count) in one quasi-identifier: its NCP, and two numbers
 * that tell it from others: (level, group), (least, greatest), or for a set (size, -1). */
typedef struct oracle_cell {
    double ncp;
    int64_t what[2];
    bool star;
} oracle_cell;

/* Fill in what depends on the whole table. */
static void oracle_survey(oracle_clustering *c)
{
    for (int q = 0; q < c->qis; q++) {
        oracle_attribute *a = &c->attribute[q];
        bool occurs[CLUSTER_VALUES] = {false}, missing = false;
        a->low = INFINITY;
        a->high = -INFINITY;
        for (int i = 0; i < c->records; i++) {
            const int v = c->value[i][q];
            if (v == CLUSTER_MISSING) {
                missing = true;
            } else {
                occurs[v] = true;
                a->low = fmin(a->low, a->number[v]);
                a->high = fmax(a->high, a->number[v]);
            }
        }
        a->leaves = missing;
        for (int v = 0; v < a->values; v++) {
            a->leaves += occurs[v] || (a->kind == SCALE_TREE && !a->uncovered[v]);
        }
    }
}

static oracle_cell oracle_tree(const oracle_clustering *c, int q, const int *in, int count)
{
    const oracle_attribute *a = &c->attribute[q];
    const int first = c->value[in[0]][q];
    int leaves = 0;

    for (int i = 0; i < count; i++) {
        if (first != CLUSTER_MISSING && a->uncovered[c->value[in[i]][q]]) {
            return (oracle_cell){1, {a->levels - 1, 0}, true};
        }
    }
    for (int level = 0; level < a->levels - 1; level++) {
        bool same = true;
        for (int i = 1; i < count; i++) {
            same = same &&
                   (level == 0 ? c->value[in[i]][q] == first
                               : a->group[level][c->value[in[i]][q]] == a->group[level][first]);
        }
        if (!same) {
            continue;
        }
        if (level == 0) {
            return (oracle_cell){0, {0, first}, false};
        }
        for (int v = 0; v < a->values; v++) {
            leaves += !a->uncovered[v] && a->group[level][v] == a->group[level][first];
        }
        return (oracle_cell){(double)leaves / a->leaves, {level, a->group[level][first]}, false};
    }
    return (oracle_cell){1, {a->levels - 1, 0}, true};
}

static double oracle_place(const oracle_attribute *a, double number)
{
    return a->high > a->low ? (number - a->low) / (a->high - a->low) : 0;
}

static oracle_cell oracle_cell_of(const oracle_clustering *c, int q, const int *in, int count)
{
    const oracle_attribute *a = &c->attribute[q];
    int missing = 0, distinct = 0, low = in[0], high = in[0];

    for (int i = 0; i < count; i++) {
        missing += c->value[in[i]][q] == CLUSTER_MISSING;
    }
    if (missing == count) {
        return (oracle_cell){0, {-2, -2}, false};
    }
    if (missing > 0) {
        return (oracle_cell){1, {0, 0}, true};
    }
    if (a->kind == SCALE_TREE) {
        return oracle_tree(c, q, in, count);
    }
    for (int i = 0; i < count; i++) {
        bool again = false;
        for (int j = 0; j < i; j++) {
            again = again || c->value[in[i]][q] == c->value[in[j]][q];
        }
        distinct += !again;
        low = c->value[in[i]][q] < c->value[low][q] ? in[i] : low;
        high = c->value[in[i]][q] > c->value[high][q] ? in[i] : high;
    }
    if (a->kind == SCALE_SET) {
        const int total = a->leaves;
        return (oracle_cell){distinct > 1 ? (double)distinct / total : 0,
                             {distinct, distinct > 1 ? -1 : c->value[low][q]},
                             distinct > 1 && distinct == total};
    }
    return (oracle_cell){oracle_place(a, a->number[c->value[high][q]]) -
                             oracle_place(a, a->number[c->value[low][q]]),
                         {c->value[low][q], c->value[high][q]},
                         false};
}

static int64_t oracle_units(double x)
{
    return llround(x * 1073741824.0);
}

/* The NCP of a record that is published with all of in[0..count). */
static int64_t oracle_ncp(const oracle_clustering *c, const int *in, int count)
{
    int64_t sum = 0;

    for (int q = 0; q < c->qis; q++) {
        const oracle_attribute *a = &c->attribute[q];
        const oracle_cell cell = oracle_cell_of(c, q, in, count);
        if (a->kind == SCALE_NUMBER && !cell.star && cell.what[0] >= 0) {
            /* Places are rounded, not their distance. */
            sum += oracle_units(a->weight * oracle_place(a, a->number[cell.what[1]])) -
                   oracle_units(a->weight * oracle_place(a, a->number[cell.what[0]]));
        } else {
            sum += oracle_units(a->weight * cell.ncp);
        }
    }
    return sum;
}

static int oracle_members(const oracle_clustering *c, int cluster, int *out)
{
    int count = 0;

    for (int i = 0; i < c->records; i++) {
        if (c->cluster[i] == cluster) {
            out[count++] = i;
        }
    }
    return count;
}

static bool oracle_published_alike(const oracle_clustering *c, const int *a, int a_count,
                                   const int *b, int b_count)
{
    for (int q = 0; q < c->qis; q++) {
        const oracle_cell x = oracle_cell_of(c, q, a, a_count),
                          y = oracle_cell_of(c, q, b, b_count);
        if (x.star != y.star || (!x.star && (x.what[0] != y.what[0] || x.what[1] != y.what[1]))) {
            return false;
        }
        for (int i = 0; !x.star && c->attribute[q].kind == SCALE_SET && i < a_count; i++) {
            bool found = false;
            for (int j = 0; j < b_count; j++) {
                found = found || c->value[a[i]][q] == c->value[b[j]][q];
            }
            if (!found) {
                return false;
            }
        }
    }
    return true;
}

/* The first record of the table with the same values. */
static int oracle_first_like(const oracle_clustering *c, int record)
{
    for (int i = 0; i < record; i++) {
        if (!c->barred[i] && memcmp(c->value[i], c->value[record], sizeof c->value[i]) == 0) {
            return i;
        }
    }
    return record;
}

static void oracle_cluster(oracle_clustering *c, uint64_t seed)
{
    static int order[CLUSTER_RECORDS], like[CLUSTER_RECORDS], members[CLUSTER_RECORDS],
        others[CLUSTER_RECORDS];
    static int64_t distance[CLUSTER_RECORDS];
    int left = 0, count, next = 0;
    kn_rng rng;

    c->clusters = 0;
    for (int i = 0; i < c->records; i++) {
        c->cluster[i] = -1;
        if (!c->barred[i]) {
            like[i] = oracle_first_like(c, i);
            order[left++] = i;
        }
    }
    kn__rng_seed(&rng, seed, 4);
    for (int i = left; i > 1; i--) {
        const int other = (int)kn__rng_below(&rng, (uint64_t)i), record = order[i - 1];
        order[i - 1] = order[other];
        order[other] = record;
    }
    for (; left >= c->k; c->clusters++) {
        int s;
        while (c->cluster[order[next]] >= 0) {
            next++;
        }
        s = order[next];
        for (int i = 0; i < c->records; i++) {
            distance[i] = c->barred[i] || c->cluster[i] >= 0
                              ? 0
                              : oracle_ncp(c, (const int[]){s, i}, 2);
        }
        c->cluster[s] = c->clusters;
        left--;
        for (int n = 1; n < c->k; n++, left--) {
            int best = -1;
            for (int i = 0; i < c->records; i++) {
                if (!c->barred[i] && c->cluster[i] < 0 &&
                    (best < 0 || distance[i] < distance[best] ||
                     (distance[i] == distance[best] && like[i] < like[best]))) {
                    best = i;
                }
            }
            c->cluster[best] = c->clusters;
        }
    }
    for (int i = 0; i < c->records; i++) {
        int best = -1;
        int64_t least = 0;
        if (c->barred[i] || c->cluster[i] >= 0) {
            continue;
        }
        for (int n = 0; n < c->clusters; n++) {
            int64_t ncp;
            count = oracle_members(c, n, members);
            members[count] = i;
            ncp = oracle_ncp(c, members, count + 1);
            if (best < 0 || ncp < least) {
                best = n;
                least = ncp;
            }
        }
        c->cluster[i] = best;
    }
    for (int n = 0; n < c->clusters; n++) {
        for (int m = n + 1; m < c->clusters;) {
            const int other_count = oracle_members(c, m, others);
            count = oracle_members(c, n, members);
            if (!oracle_published_alike(c, members, count, others, other_count)) {
                m++;
                continue;
            }
            for (int i = 0; i < c->records; i++) {
                c->cluster[i] = c->cluster[i] == m ? n : c->cluster[i] - (c->cluster[i] > m);
            }
            c->clusters--;
        }
    }
}

/* Small tables mostly; now and then one that is large, or has a large tree or set. */
static void oracle_random_clustering(oracle_clustering *c, kn_rng *r)
{
    const uint64_t dice = kn__rng_below(r, 200);
    double sum = 0;

    memset(c, 0, sizeof *c);
    c->records = dice == 0  ? 600 + (int)kn__rng_below(r, 600)
                 : dice < 8 ? 60 + (int)kn__rng_below(r, 200)
                            : 1 + (int)kn__rng_below(r, 30);
    c->qis = 1 + (int)kn__rng_below(r, CLUSTER_QIS);
    c->k = 1 + (int)kn__rng_below(r, dice == 0 ? 3 : dice < 8 ? 12 : 5);
    for (int q = 0; q < c->qis; q++) {
        oracle_attribute *a = &c->attribute[q];
        const uint64_t size = kn__rng_below(r, 60);
        a->kind = (oracle_scale)kn__rng_below(r, 3);
        a->values = size == 0 && dice > 8 ? (a->kind == SCALE_TREE ? 800 : 150)
                                          : 1 + (int)kn__rng_below(r, 9);
        a->levels = 2 + (int)kn__rng_below(r, CLUSTER_LEVELS - 1);
        a->weight = kn__rng_below(r, 8) ? (double)(1 + kn__rng_below(r, 4)) : 0;
        sum += a->weight;
        for (int v = 0; v < a->values; v++) {
            a->number[v] = (v ? a->number[v - 1] : -3) + 1 + (double)kn__rng_below(r, 5);
            a->uncovered[v] = a->kind == SCALE_TREE && kn__rng_below(r, 30) == 0;
        }
        a->uncovered[0] = false;
        for (int level = 1; level < a->levels; level++) {
            int up[CLUSTER_VALUES];
            for (int i = 0; i < CLUSTER_VALUES; i++) {
                up[i] = level == a->levels - 1 ? 0 : (int)kn__rng_below(r, 4);
            }
            for (int v = 0; v < a->values; v++) {
                a->group[level][v] = up[level == 1 ? v : a->group[level - 1][v]];
            }
        }
        for (int i = 0; i < c->records; i++) {
            c->value[i][q] = kn__rng_below(r, 15) == 0 ? CLUSTER_MISSING
                                                       : (int)kn__rng_below(r, (uint64_t)a->values);
        }
    }
    for (int q = 0; q < c->qis; q++) {
        c->attribute[q].weight = sum > 0 ? c->attribute[q].weight / sum : 1.0 / c->qis;
    }
    if (kn__rng_below(r, 6) == 0) { /* all with a value of the first column are left out */
        for (int i = 0; i < c->records; i++) {
            c->barred[i] = c->value[i][0] == 0;
        }
    }
    oracle_survey(c);
}

#endif
