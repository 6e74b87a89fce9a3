/* oracle/guarantees.h - the guarantees by their definitions, record by record, on tables of a
 * few integers. Fractions stay fractions; the earth mover's distance is solved as the flow
 * problem that it is. */
#ifndef ORACLE_GUARANTEES_H
#define ORACLE_GUARANTEES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    ORACLE_RECORDS = 12,
    ORACLE_COLUMNS = 5,
    ORACLE_VALUES = 6,
    ORACLE_MISSING = ORACLE_VALUES - 1
};

__extension__ typedef unsigned __int128 oracle_u128;

/* Values are 0..ORACLE_VALUES-1, of which the last is the missing one. */
typedef struct oracle_table {
    int records, qis, sensitives;
    bool any[ORACLE_COLUMNS]; /* the rule of missing cells */
    int qi[ORACLE_RECORDS][ORACLE_COLUMNS];
    int sensitive[ORACLE_RECORDS][ORACLE_COLUMNS];
} oracle_table;

typedef enum oracle_kind {
    ORACLE_K,
    ORACLE_DISTINCT,
    ORACLE_ENTROPY,
    ORACLE_RECURSIVE,
    ORACLE_T
} oracle_kind;

/* A requirement with its parameter as a fraction: k, l, c or t is num/den. */
typedef struct oracle_ask {
    oracle_kind kind;
    int num, den;
    int l;                                    /* recursive */
    int ground[ORACLE_VALUES][ORACLE_VALUES]; /* t: distances of values */
    int farthest;                             /* t: what a distance of 1 is in `ground` */
    bool original;                            /* t: compared with the original table */
} oracle_ask;

typedef struct oracle_answer {
    bool holds;
    double value;
    int size;
} oracle_answer;

static bool oracle_same_class(const oracle_table *t, int r, int s)
{
    for (int q = 0; q < t->qis; q++) {
        if (t->qi[r][q] != t->qi[s][q]) {
            return false;
        }
    }
    return true;
}

static bool oracle_candidate(const oracle_table *t, int r, int s)
{
    for (int q = 0; q < t->qis; q++) {
        if (t->qi[s][q] != t->qi[r][q] && !(t->any[q] && t->qi[s][q] == ORACLE_MISSING)) {
            return false;
        }
    }
    return true;
}

static int oracle_descending(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

/* The least cost of turning `supply` into `demand` (equal sums): shortest augmenting paths by
 * Bellman and Ford, one unit bundle at a time, on source - values - values - sink. */
static int64_t oracle_flow(const int64_t *supply, const int64_t *demand,
                           int ground[ORACLE_VALUES][ORACLE_VALUES])
{
    enum { N = 2 * ORACLE_VALUES + 2, SOURCE = N - 2, SINK = N - 1 };
    int64_t room[N][N] = {{0}}, cost[N][N] = {{0}}, total = 0;

    for (int i = 0; i < ORACLE_VALUES; i++) {
        room[SOURCE][i] = supply[i];
        room[ORACLE_VALUES + i][SINK] = demand[i];
        for (int j = 0; j < ORACLE_VALUES; j++) {
            room[i][ORACLE_VALUES + j] = INT32_MAX;
            cost[i][ORACLE_VALUES + j] = ground[i][j];
            cost[ORACLE_VALUES + j][i] = -ground[i][j];
        }
    }
    for (;;) {
        int64_t distance[N], push = INT64_MAX;
        int from[N];
        for (int i = 0; i < N; i++) {
            distance[i] = i == SOURCE ? 0 : INT32_MAX;
            from[i] = -1;
        }
        for (int round = 0; round < N; round++) {
            for (int i = 0; i < N; i++) {
                for (int j = 0; j < N; j++) {
                    if (room[i][j] > 0 && distance[i] < INT32_MAX &&
                        distance[i] + cost[i][j] < distance[j]) {
                        distance[j] = distance[i] + cost[i][j];
                        from[j] = i;
                    }
                }
            }
        }
        if (distance[SINK] == INT32_MAX) {
            return total;
        }
        for (int i = SINK; i != SOURCE; i = from[i]) {
            push = room[from[i]][i] < push ? room[from[i]][i] : push;
        }
        for (int i = SINK; i != SOURCE; i = from[i]) {
            room[from[i]][i] -= push;
            room[i][from[i]] += push;
        }
        total += push * distance[SINK];
    }
}

static oracle_answer oracle_diversity(const oracle_ask *ask, int n, const int *count)
{
    oracle_answer answer = {.size = n};
    int sorted[ORACLE_VALUES], distinct = 0;

    memcpy(sorted, count, sizeof sorted);
    qsort(sorted, ORACLE_VALUES, sizeof *sorted, oracle_descending);
    while (distinct < ORACLE_VALUES && sorted[distinct]) {
        distinct++;
    }
    if (ask->kind == ORACLE_DISTINCT) {
        answer.value = distinct;
        answer.holds = distinct * ask->den >= ask->num;
    } else if (ask->kind == ORACLE_ENTROPY) {
        /* n^n >= (num/den)^n prod c^c, in integers */
        oracle_u128 left = 1, right = 1;
        double entropy = 0;
        for (int i = 0; i < n; i++) {
            left *= (unsigned)(n * ask->den);
            right *= (unsigned)ask->num;
        }
        for (int i = 0; i < distinct; i++) {
            entropy -= (double)sorted[i] / n * log((double)sorted[i] / n);
            for (int j = 0; j < sorted[i]; j++) {
                right *= (unsigned)sorted[i];
            }
        }
        answer.value = exp(entropy);
        answer.holds = left >= right;
    } else {
        int tail = 0;
        for (int i = ask->l - 1; i < distinct; i++) {
            tail += sorted[i];
        }
        answer.value = tail ? (double)sorted[0] / tail : INFINITY;
        answer.holds = sorted[0] * ask->den < ask->num * tail;
    }
    return answer;
}

/* What holds for the person published as record r, for sensitive column s; classes are compared
 * with `whole`. */
static oracle_answer oracle_judge_against(const oracle_table *t, const oracle_table *whole,
                                          const oracle_ask *ask, int r, int s)
{
    int count[ORACLE_VALUES] = {0}, all[ORACLE_VALUES] = {0}, n = 0;

    for (int i = 0; i < whole->records; i++) {
        all[whole->sensitive[i][s]]++;
    }
    for (int i = 0; i < t->records; i++) {
        if (oracle_candidate(t, r, i)) {
            count[t->sensitive[i][s]]++;
            n++;
        }
    }
    if (ask->kind == ORACLE_K) {
        return (oracle_answer){n * ask->den >= ask->num, n, n};
    }
    if (ask->kind == ORACLE_T) {
        int64_t supply[ORACLE_VALUES], demand[ORACLE_VALUES], moved, farthest;
        for (int i = 0; i < ORACLE_VALUES; i++) {
            supply[i] = (int64_t)count[i] * whole->records;
            demand[i] = (int64_t)all[i] * n;
        }
        moved = oracle_flow(supply, demand, (int(*)[ORACLE_VALUES])(uintptr_t)ask->ground);
        farthest = (int64_t)n * whole->records * ask->farthest;
        return (oracle_answer){moved * ask->den <= ask->num * farthest,
                               (double)moved / (double)farthest, n};
    }
    return oracle_diversity(ask, n, count);
}

static oracle_answer oracle_judge(const oracle_table *t, const oracle_ask *ask, int r, int s)
{
    return oracle_judge_against(t, t, ask, r, s);
}

/* Ground distances: 1 between any two. */
static void oracle_equal(oracle_ask *ask)
{
    ask->farthest = 1;
    for (int i = 0; i < ORACLE_VALUES; i++) {
        for (int j = 0; j < ORACLE_VALUES; j++) {
            ask->ground[i][j] = i != j;
        }
    }
}

/* Ground distances: steps between values among those that occur in sensitive column s. */
static void oracle_ordered(oracle_ask *ask, const oracle_table *t, int s)
{
    int rank[ORACLE_VALUES], present = 0;

    for (int v = 0; v < ORACLE_VALUES; v++) {
        bool occurs = false;
        for (int i = 0; i < t->records; i++) {
            occurs = occurs || t->sensitive[i][s] == v;
        }
        rank[v] = present;
        present += occurs;
    }
    ask->farthest = present > 1 ? present - 1 : 1;
    for (int i = 0; i < ORACLE_VALUES; i++) {
        for (int j = 0; j < ORACLE_VALUES; j++) {
            ask->ground[i][j] = abs(rank[i] - rank[j]);
        }
    }
}

/* Ground distances: the level where the paths of two values meet; node[level][value], level 0
 * the values. */
static void oracle_hierarchical(oracle_ask *ask, int levels, int node[][ORACLE_VALUES])
{
    ask->farthest = levels - 1;
    for (int i = 0; i < ORACLE_VALUES; i++) {
        for (int j = 0; j < ORACLE_VALUES; j++) {
            int level = 0;
            while (node[level][i] != node[level][j]) {
                level++;
            }
            ask->ground[i][j] = level;
        }
    }
}

#endif
