/* oracle/methods.h - small random tables with hierarchies, and the best full-domain generalisation
 * of them by trying every node of the lattice. Includes oracle/guarantees.h, whose judge decides
 * which classes fail. */
#ifndef ORACLE_METHODS_H
#define ORACLE_METHODS_H

#include "base/rng.h"
#include "oracle/guarantees.h"

#include <limits.h>
#include <stdio.h>

enum { ORACLE_LEVELS = 4 };

/* A column's values as they are published on each level: a node number, unique over all levels;
 * what it stands for is in `leaves`. */
typedef struct oracle_domain {
    bool tree; /* has a hierarchy; otherwise the value and * */
    int levels;
    int node[ORACLE_LEVELS][ORACLE_VALUES];
    int values; /* real values: codes 0..values-1 */
} oracle_domain;

typedef struct oracle_case {
    oracle_table table;
    oracle_domain domain[ORACLE_COLUMNS];
    oracle_ask asks[3];
    int asks_count;
    int limit; /* most records that may be suppressed */
    bool starred;
    int lowest[ORACLE_COLUMNS]; /* levels below which flash does not search */
} oracle_case;

/* Random levels: each joins nodes of the one below; the top is one node. */
static void oracle_random_domain(oracle_domain *d, kn_rng *r)
{
    d->tree = kn__rng_below(r, 3) > 0;
    d->values = 1 + (int)kn__rng_below(r, ORACLE_VALUES - 1);
    d->levels = d->tree ? 2 + (int)kn__rng_below(r, ORACLE_LEVELS - 1) : 2;
    for (int v = 0; v < ORACLE_VALUES; v++) {
        d->node[0][v] = v;
    }
    for (int l = 1; l < d->levels; l++) {
        int up[ORACLE_LEVELS * 10];
        const int nodes = 1 + (int)kn__rng_below(r, 3);
        for (int i = 0; i < ORACLE_LEVELS * 10; i++) {
            up[i] = l == d->levels - 1 ? l * 10 : l * 10 + (int)kn__rng_below(r, (uint64_t)nodes);
        }
        for (int v = 0; v < ORACLE_VALUES; v++) {
            d->node[l][v] = up[d->node[l - 1][v]];
        }
        if (l < d->levels - 1) { /* a missing value keeps to itself below the root */
            d->node[l][ORACLE_MISSING] = ORACLE_MISSING;
        }
    }
}

static void oracle_random_ask(oracle_ask *ask, const oracle_table *t, kn_rng *r)
{
    *ask = (oracle_ask){.kind = (oracle_kind)kn__rng_below(r, 5), .den = 1};
    switch (ask->kind) {
    case ORACLE_K: ask->num = 1 + (int)kn__rng_below(r, 4); break;
    case ORACLE_DISTINCT: ask->num = 1 + (int)kn__rng_below(r, 3); break;
    case ORACLE_ENTROPY:
        ask->num = 5 + (int)kn__rng_below(r, 6);
        ask->den = 4;
        break;
    case ORACLE_RECURSIVE:
        ask->num = 2 + (int)kn__rng_below(r, 6);
        ask->den = 2;
        ask->l = 1 + (int)kn__rng_below(r, 3);
        break;
    case ORACLE_T:
        ask->num = 1 + (int)kn__rng_below(r, 9);
        ask->den = 10;
        ask->original = kn__rng_below(r, 2);
        oracle_equal(ask);
        break;
    }
    (void)t;
}

static void oracle_random_case(oracle_case *c, kn_rng *r)
{
    oracle_table *t = &c->table;

    memset(c, 0, sizeof *c);
    t->records = 1 + (int)kn__rng_below(r, ORACLE_RECORDS);
    t->qis = 1 + (int)kn__rng_below(r, 3);
    t->sensitives = 1 + (int)kn__rng_below(r, 2);
    for (int q = 0; q < t->qis; q++) {
        oracle_random_domain(&c->domain[q], r);
        for (int i = 0; i < t->records; i++) {
            t->qi[i][q] = kn__rng_below(r, 12) == 0
                              ? ORACLE_MISSING
                              : (int)kn__rng_below(r, (uint64_t)c->domain[q].values);
        }
    }
    for (int s = 0; s < t->sensitives; s++) {
        for (int i = 0; i < t->records; i++) {
            t->sensitive[i][s] = (int)kn__rng_below(r, 3);
        }
    }
    c->asks_count = 1 + (int)kn__rng_below(r, 2);
    for (int a = 0; a < c->asks_count; a++) {
        oracle_random_ask(&c->asks[a], t, r);
    }
    c->limit = kn__rng_below(r, 2) ? 0 : (int)kn__rng_below(r, (uint64_t)t->records + 1);
    c->starred = kn__rng_below(r, 4) == 0;
}

/* Whether the class of record r satisfies everything in table t. */
static bool oracle_class_holds(const oracle_case *c, const oracle_table *t, int r)
{
    for (int a = 0; a < c->asks_count; a++) {
        const int columns = c->asks[a].kind == ORACLE_K ? 1 : t->sensitives;
        for (int s = 0; s < columns; s++) {
            const oracle_table *whole = c->asks[a].original ? &c->table : t;
            if (!oracle_judge_against(t, whole, &c->asks[a], r, s).holds) {
                return false;
            }
        }
    }
    return true;
}

/* The values of column q: the leaves of its hierarchy, or what occurs; a missing value that occurs
 * is one. */
static int oracle_total(const oracle_case *c, int q)
{
    bool occurs[ORACLE_VALUES] = {false};
    int total = 0;

    for (int i = 0; i < c->table.records; i++) {
        occurs[c->table.qi[i][q]] = true;
    }
    for (int v = 0; v < ORACLE_VALUES; v++) {
        total += occurs[v] || (c->domain[q].tree && v < c->domain[q].values);
    }
    return total;
}

/* The share of leaves that `node` of a level stands for, as the loss is defined. `leaves` of a
 * hierarchy are the real values; without one, those that occur. */
static double oracle_loss(const oracle_domain *d, int level, int value, int total)
{
    int leaves = 0;

    if (level == d->levels - 1) {
        return 1;
    }
    for (int v = 0; v < d->values; v++) {
        leaves += d->node[level][v] == d->node[level][value];
    }
    if (value == ORACLE_MISSING || level == 0) {
        return 0;
    }
    return total > 1 ? (double)(leaves - 1) / (total - 1) : 0;
}

/* How far the class of record r is from what it is compared with table t for, as flash ranks
 * classes: the largest share of the way from the t that is asked to 1; infinite when something else
 * fails. */
static double oracle_excess(const oracle_case *c, const oracle_table *t, int r)
{
    double most = 0;

    for (int a = 0; a < c->asks_count; a++) {
        const oracle_ask *ask = &c->asks[a];
        const double asked = (double)ask->num / ask->den;
        for (int s = 0; s < (ask->kind == ORACLE_K ? 1 : t->sensitives); s++) {
            const bool moves = ask->kind == ORACLE_T && !ask->original;
            const oracle_answer answer = oracle_judge_against(t, ask->original ? &c->table : t, ask,
                                                              r, s);
            if (!answer.holds) {
                most = fmax(most, moves ? (answer.value - asked) / (1 - asked) : INFINITY);
            }
        }
    }
    return most;
}

/* The records of `t` that are kept, in `left`; by record of it, the record of `t`, in `where`. */
static void oracle_left(oracle_table *left, int *where, const oracle_table *t, const bool *keep)
{
    *left = *t;
    left->records = 0;
    for (int i = 0; i < t->records; i++) {
        if (keep[i]) {
            memcpy(left->qi[left->records], t->qi[i], sizeof t->qi[i]);
            memcpy(left->sensitive[left->records], t->sensitive[i], sizeof t->sensitive[i]);
            where[left->records++] = i;
        }
    }
}

/* The least original values of a record in the class of record r of `left`, as a number. */
static long oracle_least(const oracle_case *c, const oracle_table *left, const int *where, int r)
{
    long least = LONG_MAX;

    for (int i = 0; i < left->records; i++) {
        long values = 0;
        for (int q = 0; q < c->table.qis; q++) {
            values = values * ORACLE_VALUES + c->table.qi[where[i]][q];
        }
        if (oracle_same_class(left, i, r) && values < least) {
            least = values;
        }
    }
    return least;
}

/* Drop classes of `t` (whose cells are published ones) until none fails: those that fail whatever
 * they are compared with, then the farthest one at a time (of equally far ones that with the least
 * original values), as small
 * tables have fewer than 16 failing ones. keep[i] tells what is left. @return records dropped. */
static int oracle_drop(const oracle_case *c, const oracle_table *t, bool *keep)
{
    int dropped = 0;

    for (int i = 0; i < t->records; i++) {
        keep[i] = true;
    }
    for (bool again = true; again;) {
        oracle_table left;
        int where[ORACLE_RECORDS], farthest = 0;
        double excess[ORACLE_RECORDS];
        oracle_left(&left, where, t, keep);
        for (int i = 0; i < left.records; i++) {
            excess[i] = oracle_excess(c, &left, i);
            if (excess[i] > excess[farthest] ||
                (excess[i] == excess[farthest] &&
                 oracle_least(c, &left, where, i) < oracle_least(c, &left, where, farthest))) {
                farthest = i;
            }
        }
        again = false;
        for (int i = 0; i < left.records; i++) {
            /* starred rows stay in the table, so the reference does not change */
            const bool chosen = c->starred ||
                                (isinf(excess[farthest]) ? isinf(excess[i])
                                                         : oracle_same_class(&left, i, farthest));
            if (excess[i] > 0 && chosen) {
                keep[where[i]] = false;
                dropped++;
                again = !c->starred;
            }
        }
    }
    return dropped;
}

typedef enum oracle_objective {
    ORACLE_LOSS,
    ORACLE_NCP,
    ORACLE_PRECISION,
    ORACLE_DISCERNIBILITY,
    ORACLE_CLASS_SIZE,
    ORACLE_CLASSIFICATION
} oracle_objective;

/* What a cell costs that shows `value` on `level`; additive objectives. */
static double oracle_cell(const oracle_case *c, oracle_objective objective, int q, int level,
                          int value)
{
    const oracle_domain *d = &c->domain[q];
    const int total = oracle_total(c, q);
    const double loss = oracle_loss(d, level, value, total);

    if (objective == ORACLE_LOSS || level == d->levels - 1) {
        return loss;
    }
    if (objective == ORACLE_PRECISION) {
        return value == ORACLE_MISSING ? 0 : (double)level / (d->levels - 1);
    }
    return loss > 0 ? (loss * (total - 1) + 1) / total : 0;
}

/* The objective of a table published on `level` (by record and column) of which the records with
 * keep[i] are shown and the others suppressed. Classes are equal rows of `published`. */
static double oracle_value(const oracle_case *c, oracle_objective objective,
                           const oracle_table *published, const bool *keep,
                           int level[ORACLE_RECORDS][ORACLE_COLUMNS])
{
    const oracle_table *t = &c->table;
    int classes = 0, kept = 0, wrong = 0;
    double cells = 0, squares = 0;

    for (int i = 0; i < t->records; i++) {
        int size = 0, same_label[ORACLE_VALUES] = {0}, most = 0, first = i;
        for (int q = 0; q < t->qis; q++) {
            cells += keep[i] ? oracle_cell(c, objective, q, level[i][q], t->qi[i][q]) : 1;
        }
        if (!keep[i]) {
            squares += t->records;
            wrong++;
            continue;
        }
        kept++;
        for (int j = t->records - 1; j >= 0; j--) {
            if (keep[j] && oracle_same_class(published, i, j)) {
                size++;
                first = j;
                same_label[t->sensitive[j][0]]++;
            }
        }
        squares += size;
        if (first == i) {
            classes++;
            for (int v = 0; v < ORACLE_VALUES; v++) {
                most = same_label[v] > most ? same_label[v] : most;
            }
            wrong += size - most;
        }
    }
    switch (objective) {
    case ORACLE_DISCERNIBILITY: return squares;
    case ORACLE_CLASS_SIZE:
        if (c->starred && kept < t->records) {
            return (double)t->records / (classes + 1);
        }
        return classes ? (double)kept / classes : INFINITY;
    case ORACLE_CLASSIFICATION: return wrong;
    default: return cells / (t->records * t->qis);
    }
}

/* The least value of any node within the limit that publishes a record; infinite when there is
 * none. */
static double oracle_flash(const oracle_case *c, oracle_objective objective)
{
    const oracle_table *t = &c->table;
    double best = INFINITY;
    int level[ORACLE_COLUMNS] = {0};

    for (;;) {
        oracle_table published = *t;
        int levels[ORACLE_RECORDS][ORACLE_COLUMNS];
        bool keep[ORACLE_RECORDS], feasible;
        double value;
        int q = 0, dropped;
        for (int i = 0; i < t->records; i++) {
            for (int j = 0; j < t->qis; j++) {
                published.qi[i][j] = c->domain[j].node[level[j]][t->qi[i][j]];
                levels[i][j] = level[j];
            }
        }
        dropped = oracle_drop(c, &published, keep);
        feasible = dropped <= c->limit && (c->starred || dropped < t->records);
        for (int j = 0; j < t->qis; j++) {
            feasible = feasible && level[j] >= c->lowest[j];
        }
        value = oracle_value(c, objective, &published, keep, levels);
        for (int i = 0; i < t->records; i++) {
            for (int j = 0; j < t->qis; j++) {
                published.qi[i][j] = keep[i] ? published.qi[i][j] : 99;
            }
        }
        for (int i = 0; feasible && c->starred && i < t->records; i++) {
            feasible = oracle_class_holds(c, &published, i);
        }
        if (feasible && value < best) {
            best = value;
        }
        while (q < t->qis && ++level[q] == c->domain[q].levels) {
            level[q++] = 0;
        }
        if (q == t->qis) {
            return best;
        }
    }
}

#endif
