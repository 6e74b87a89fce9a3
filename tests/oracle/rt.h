/* oracle/rt.h - (k,k^m)-anonymity and (k,l^m)-diversity by their definitions: for every record and
 * every set of its items that an attacker may know, the group is written down record by record, and
 * for every combination of sensitive items it is asked how many of the group hold it. */
#ifndef ORACLE_RT_H
#define ORACLE_RT_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { RT_RECORDS = 12, RT_ITEMS = 6, RT_LENGTH = 7, RT_M = 4, RT_MOST = 4000 };

/* values[i]: the relational values of record i. times[i][x]: how often it holds item x. */
typedef struct rt_data {
    int records;
    bool bags;
    int values[RT_RECORDS][2];
    int times[RT_RECORDS][RT_ITEMS];
    bool sensitive[RT_ITEMS]; /* no knowledge of the attacker's */
} rt_data;

/* Somebody who knows the values of record `first` and `known` finds `support` records; `held` of
 * them hold `item` (held 0: it is about too few records). */
typedef struct rt_violation {
    int first, class_size, support, held, item;
    int known[RT_ITEMS];
    bool seen; /* for the test */
} rt_violation;

typedef struct rt_answer {
    bool anonymous, diverse;
    int least[RT_M + 1]; /* by number of items known; 0: never so many */
    double k, l;         /* what holds */
    int rare, inferred;  /* violations of either kind */
    int at_risk, at_risk_by_rare;
    rt_violation violation[RT_MOST];
} rt_answer;

/* q[R] = r[R] and q[T] n I = r[T] n I, for I within r[T]. */
static bool rt_in_group(const rt_data *d, int q, int r, const int *known)
{
    for (int v = 0; v < 2; v++) {
        if (d->values[q][v] != d->values[r][v]) {
            return false;
        }
    }
    for (int x = 0; x < RT_ITEMS; x++) {
        const int of_q = d->times[q][x] < known[x] ? d->times[q][x] : known[x];
        const int of_r = d->times[r][x] < known[x] ? d->times[r][x] : known[x];
        if (of_q != of_r) {
            return false;
        }
    }
    return true;
}

static bool rt_within(const rt_data *d, int r, const int *items)
{
    for (int x = 0; x < RT_ITEMS; x++) {
        if (items[x] > d->times[r][x]) {
            return false;
        }
    }
    return true;
}

static int rt_group(const rt_data *d, int r, const int *known)
{
    int size = 0;

    for (int q = 0; q < d->records; q++) {
        size += rt_in_group(d, q, r, known);
    }
    return size;
}

/* Of the group of r, those that hold all of the combination `secret`, a bit an item. */
static int rt_group_with(const rt_data *d, int r, const int *known, int secret)
{
    int size = 0;

    for (int q = 0; q < d->records; q++) {
        bool all = rt_in_group(d, q, r, known);
        for (int x = 0; x < RT_ITEMS; x++) {
            all = all && (!(secret >> x & 1) || d->times[q][x] > 0);
        }
        size += all;
    }
    return size;
}

/* The next set or bag of up to m items that may be known; false after the last. */
static bool rt_next(const rt_data *d, int *known, int m)
{
    for (;;) {
        int x = 0, size = 0;
        while (x < RT_ITEMS && (d->sensitive[x] || known[x] == (d->bags ? m : 1))) {
            known[x++] = 0;
        }
        if (x == RT_ITEMS) {
            return false;
        }
        known[x]++;
        for (int y = 0; y < RT_ITEMS; y++) {
            size += known[y];
        }
        if (size <= m) {
            return true;
        }
    }
}

/* The smallest group after leaving one item out; INT_MAX of none to leave out. */
static int rt_smallest_without_one(const rt_data *d, int r, int *known)
{
    int smallest = 1 << 30;

    for (int x = 0; x < RT_ITEMS; x++) {
        if (known[x] > 0) {
            known[x]--;
            const int size = rt_group(d, r, known);
            smallest = size < smallest ? size : smallest;
            known[x]++;
        }
    }
    return smallest;
}

static int rt_first_of_class(const rt_data *d, int r)
{
    const int none[RT_ITEMS] = {0};
    int first = 0;

    while (!rt_in_group(d, first, r, none)) {
        first++;
    }
    return first;
}

static void rt_note(const rt_data *d, rt_answer *a, int r, const int *known, int support, int held,
                    int item)
{
    const int none[RT_ITEMS] = {0};
    rt_violation *v = &a->violation[a->rare + a->inferred];

    *v = (rt_violation){.first = rt_first_of_class(d, r),
                        .class_size = rt_group(d, r, none),
                        .support = support,
                        .held = held,
                        .item = item};
    memcpy(v->known, known, sizeof v->known);
    *(held ? &a->inferred : &a->rare) += 1;
}

static void rt_solve(const rt_data *d, int k, double l, int m, rt_answer *a)
{
    bool risk[RT_RECORDS] = {false}, by_rare[RT_RECORDS] = {false};
    int known[RT_ITEMS] = {0};

    memset(a, 0, sizeof *a);
    a->anonymous = a->diverse = true;
    a->k = a->l = INFINITY;
    do {
        int size = 0;
        for (int x = 0; x < RT_ITEMS; x++) {
            size += known[x];
        }
        for (int r = 0; r < d->records; r++) {
            bool told = false;
            if (!rt_within(d, r, known)) {
                continue;
            }
            for (int q = 0; q < r; q++) { /* an earlier record of the class told of it */
                told = told || (rt_first_of_class(d, q) == rt_first_of_class(d, r) &&
                                rt_within(d, q, known));
            }
            const int group = rt_group(d, r, known);
            const int without = rt_smallest_without_one(d, r, known);
            a->k = group < a->k ? group : a->k;
            if (a->least[size] == 0 || group < a->least[size]) {
                a->least[size] = group;
            }
            if (group < k) {
                a->anonymous = a->diverse = false;
                risk[r] = by_rare[r] = true;
                if (!told && without >= k) {
                    rt_note(d, a, r, known, group, 0, -1);
                }
            }
            for (int secret = 1; secret < 1 << RT_ITEMS; secret++) {
                int items = 0, held;
                for (int x = 0; x < RT_ITEMS; x++) {
                    items += (secret >> x & 1) ? (d->sensitive[x] ? 1 : 1000) : 0;
                }
                if (items >= 1000 || (held = rt_group_with(d, r, known, secret)) == 0) {
                    continue;
                }
                a->l = fmin(a->l, (double)group / held);
                if (held * l > group) { /* held / group > 1 / l */
                    a->diverse = false;
                    risk[r] = true;
                    if (!told && items == 1 && without > group) {
                        int item = 0;
                        while (!(secret >> item & 1)) {
                            item++;
                        }
                        rt_note(d, a, r, known, group, held, item);
                    }
                }
            }
        }
    } while (rt_next(d, known, m));
    for (int r = 0; r < d->records; r++) {
        a->at_risk += risk[r];
        a->at_risk_by_rare += by_rare[r];
    }
}

#endif
