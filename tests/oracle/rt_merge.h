/* oracle/rt_merge.h - the six merging algorithms of the RT paper (section 4), step by step: every
 * iteration looks at the records themselves, and orders are made in full by sorting.
 *
 * A tiny world whose NCPs are whole numbers: a number 0..16 of which both ends occur, and a leaf of
 * a binary tree with 8 leaves, each with half of the weight. NCP is in 1/32. */
#ifndef ORACLE_RT_MERGE_H
#define ORACLE_RT_MERGE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { RM_RECORDS = 24, RM_ITEMS = 8, RM_WIDTH = 16, RM_LEAVES = 8 };

typedef struct rm_world {
    int records;
    int number[RM_RECORDS], leaf[RM_RECORDS];
    bool holds[RM_RECORDS][RM_ITEMS]; /* items that are not sensitive */
    int cluster[RM_RECORDS];          /* clusters have the least numbers free at the start */
    int clusters;                     /* numbers are below this */
    /* UL of these records after T, summed over them. */
    double (*ul)(void *user, const int *records, int count);
    /* Whether T makes anything of them: two clusters of which it does not are not merged. */
    bool (*feasible)(void *user, const int *records, int count);
    void *user;
} rm_world;

typedef struct rm_candidate {
    int number;
    int rum;
    double tum;
    int u, v;
} rm_candidate;

static int rm_members(const rm_world *w, int a, int b, int *out)
{
    int count = 0;

    for (int i = 0; i < w->records; i++) {
        if (w->cluster[i] == a || w->cluster[i] == b) {
            out[count++] = i;
        }
    }
    return count;
}

/* NCP of a record of clusters a and b together. */
static int rm_rum(const rm_world *w, int a, int b)
{
    int in[RM_RECORDS];
    const int count = rm_members(w, a, b, in);
    int low = RM_WIDTH, high = 0, first = RM_LEAVES, last = 0, leaves = 1;

    for (int i = 0; i < count; i++) {
        low = w->number[in[i]] < low ? w->number[in[i]] : low;
        high = w->number[in[i]] > high ? w->number[in[i]] : high;
        first = w->leaf[in[i]] < first ? w->leaf[in[i]] : first;
        last = w->leaf[in[i]] > last ? w->leaf[in[i]] : last;
    }
    while (first / leaves != last / leaves) {
        leaves *= 2;
    }
    return high - low + (leaves > 1 ? 2 * leaves : 0);
}

static double rm_btd(const rm_world *w, int r, int q)
{
    int ones_xor = 0, ones_and = 0, ones_or = 0;

    for (int x = 0; x < RM_ITEMS; x++) {
        ones_xor += w->holds[r][x] != w->holds[q][x];
        ones_and += w->holds[r][x] && w->holds[q][x];
        ones_or += w->holds[r][x] || w->holds[q][x];
    }
    /* In 2520ths, which 1 to 9 divide: whole numbers. */
    return (double)((ones_xor + 1) * ones_or * (2520 / (ones_and + 1)));
}

static double rm_tum(const rm_world *w, int a, int b, bool exact)
{
    int in[RM_RECORDS];
    const int count = rm_members(w, a, b, in);
    double most = 0;

    if (exact) {
        return w->feasible(w->user, in, count) ? w->ul(w->user, in, count) / count : INFINITY;
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            const double btd = rm_btd(w, in[i], in[j]);
            most = btd > most ? btd : most;
        }
    }
    return most;
}

static bool rm_exists(const rm_world *w, int a)
{
    int in[RM_RECORDS];

    return rm_members(w, a, a, in) > 0;
}

/* The sum over all records of NCP if a and b were one. */
static int rm_table_rum(const rm_world *w, int a, int b)
{
    int sum = 0;

    for (int i = 0; i < w->records; i++) {
        const int c = w->cluster[i];
        sum += c == a || c == b ? rm_rum(w, a, b) : rm_rum(w, c, c);
    }
    return sum;
}

static double rm_table_tum(const rm_world *w)
{
    double sum = 0;

    for (int c = 0; c < w->clusters; c++) {
        int in[RM_RECORDS];
        const int count = rm_members(w, c, c, in);
        sum += count ? w->ul(w->user, in, count) : 0;
    }
    return sum;
}

static int rm_by_rum(const void *x, const void *y)
{
    const rm_candidate *a = x, *b = y;

    return a->rum != b->rum ? (a->rum < b->rum ? -1 : 1) : a->number - b->number;
}

static int rm_by_tum(const void *x, const void *y)
{
    const rm_candidate *a = x, *b = y;

    return a->tum != b->tum ? (a->tum < b->tum ? -1 : 1) : a->number - b->number;
}

static int rm_by_sum(const void *x, const void *y)
{
    const rm_candidate *a = x, *b = y;

    return a->u + a->v != b->u + b->v ? a->u + a->v - b->u - b->v : a->number - b->number;
}

/* Steps 2 and 3: the seed, and the others in the order of the strategy, "r", "t" or "rt". */
static int rm_order(const rm_world *w, const char *how, bool exact, rm_candidate *list, int *count)
{
    int seed = -1;

    for (int c = 0; c < w->clusters; c++) {
        if (rm_exists(w, c) && (seed < 0 || rm_rum(w, c, c) < rm_rum(w, seed, seed))) {
            seed = c;
        }
    }
    *count = 0;
    for (int c = 0; c < w->clusters; c++) {
        if (c != seed && rm_exists(w, c)) {
            list[(*count)++] = (rm_candidate){.number = c,
                                              .rum = rm_rum(w, seed, c),
                                              .tum = rm_tum(w, seed, c, exact)};
        }
    }
    qsort(list, (size_t)*count, sizeof *list, rm_by_tum);
    for (int i = 0; i < *count; i++) {
        list[i].v = i;
    }
    if (how[0] == 'r') {
        qsort(list, (size_t)*count, sizeof *list, rm_by_rum);
        for (int i = 0; i < *count; i++) {
            list[i].u = i;
        }
    }
    if (how[0] == 'r' && how[1] == 't') {
        qsort(list, (size_t)*count, sizeof *list, rm_by_sum);
    }
    for (int i = 0, all = *count; i < all; i++) {
        int in[RM_RECORDS];
        *count = i == 0 ? 0 : *count;
        if (w->feasible(w->user, in, rm_members(w, seed, list[i].number, in))) {
            list[(*count)++] = list[i];
        }
    }
    return seed;
}

static void rm_merge(rm_world *w, int seed, int other)
{
    for (int i = 0; i < w->records; i++) {
        w->cluster[i] = w->cluster[i] == other ? seed : w->cluster[i];
    }
}

/* Rmerge: Rum of the table, summed over its records, stays at `limit` or below. */
static void rm_within_rum(rm_world *w, const char *how, bool exact, int limit)
{
    bool changes = true;

    while (changes) {
        rm_candidate list[RM_RECORDS];
        int count;
        const int seed = rm_order(w, how, exact, list, &count);
        const int tried = how[0] == 'r' && how[1] == '\0' && count > 1 ? 1 : count;
        changes = false;
        for (int i = 0; i < tried && !changes; i++) {
            if (rm_table_rum(w, seed, list[i].number) <= limit) {
                rm_merge(w, seed, list[i].number);
                changes = true;
            }
        }
    }
}

/* Tmerge: until UL, summed over the records, is at most `limit`; false if that never is. `*least`
 * becomes the least that it was. */
static bool rm_to_tum(rm_world *w, const char *how, bool exact, double limit, double *least)
{
    for (;;) {
        rm_candidate list[RM_RECORDS];
        const double tum = rm_table_tum(w);
        int count, seed;
        *least = tum < *least ? tum : *least;
        if (tum <= limit) {
            return true;
        }
        seed = rm_order(w, how, exact, list, &count);
        if (count == 0) {
            return false;
        }
        rm_merge(w, seed, list[0].number);
    }
}

#endif
