/* oracle/km.h - k^m-anonymity by its definition: every combination of up to m items is written
 * down, and every record is asked whether it holds it. */
#ifndef ORACLE_KM_H
#define ORACLE_KM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { KM_RECORDS = 14, KM_ITEMS = 6, KM_LENGTH = 8, KM_M = 6, KM_MOST = 20000 };

/* times[i][x]: how often record i holds item x; at most once in a set. */
typedef struct km_data {
    int records, items;
    bool bags;
    int times[KM_RECORDS][KM_ITEMS];
} km_data;

/* A combination: how often each item is in it. */
typedef struct km_combination {
    int times[KM_ITEMS];
    int size, support;
    bool minimal;
} km_combination;

typedef struct km_answer {
    int least[KM_M + 1]; /* 0: none of this size occurs */
    int rare, at_risk;   /* minimal rare ones; records that hold any rare one */
    int longest, empty;
    km_combination minimal[KM_MOST];
} km_answer;

static int km_size(const int *times)
{
    int size = 0;

    for (int x = 0; x < KM_ITEMS; x++) {
        size += times[x];
    }
    return size;
}

static bool km_holds(const km_data *d, int record, const int *times)
{
    for (int x = 0; x < KM_ITEMS; x++) {
        if (d->times[record][x] < times[x]) {
            return false;
        }
    }
    return true;
}

static int km_support(const km_data *d, const int *times)
{
    int support = 0;

    for (int i = 0; i < d->records; i++) {
        support += km_holds(d, i, times);
    }
    return support;
}

/* The next combination in counting order; false after the last. */
static bool km_next(int *times, int m)
{
    for (int x = 0; x < KM_ITEMS; x++) {
        if (times[x] < m) {
            times[x]++;
            return true;
        }
        times[x] = 0;
    }
    return false;
}

static void km_solve(const km_data *d, int k, int m, km_answer *a)
{
    bool risk[KM_RECORDS] = {false};
    int times[KM_ITEMS] = {0};

    memset(a->least, 0, sizeof a->least);
    a->rare = a->at_risk = a->longest = a->empty = 0;
    while (km_next(times, d->bags ? m : 1)) {
        const int size = km_size(times), support = km_support(d, times);
        bool minimal = true;
        if (size > m || support == 0) {
            continue;
        }
        if (a->least[size] == 0 || support < a->least[size]) {
            a->least[size] = support;
        }
        if (support >= k) {
            continue;
        }
        for (int i = 0; i < d->records; i++) {
            risk[i] = risk[i] || km_holds(d, i, times);
        }
        for (int x = 0; x < KM_ITEMS; x++) {
            if (times[x] > 0 && size > 1) {
                times[x]--;
                minimal = minimal && km_support(d, times) >= k;
                times[x]++;
            }
        }
        if (minimal) {
            km_combination *c = &a->minimal[a->rare++];
            memcpy(c->times, times, sizeof times);
            c->size = size;
            c->support = support;
        }
    }
    for (int i = 0; i < d->records; i++) {
        const int len = km_size(d->times[i]);
        a->longest = len > a->longest ? len : a->longest;
        a->empty += len == 0;
        a->at_risk += risk[i];
    }
}

#endif
