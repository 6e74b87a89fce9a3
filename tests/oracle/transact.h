/* oracle/transact.h - k^m-anonymity, l^m-diversity and utility loss of one cluster by their
 * definitions, and the best generalisation by trying all of them. */
#ifndef ORACLE_TRANSACT_H
#define ORACLE_TRANSACT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { TR_RECORDS = 14, TR_ITEMS = 7 };

/* times[i][x]: how often record i holds item x. group[x]: what item x is published as, a number
 * below TR_ITEMS; size[g]: how many items g may stand for. */
typedef struct tr_cluster {
    int records, items, k, m;
    bool bags;
    double l; /* 0: not asked */
    bool sensitive[TR_ITEMS];
    int times[TR_RECORDS][TR_ITEMS];
} tr_cluster;

/* How often record i holds group g; in sets once at most. */
static int tr_held(const tr_cluster *c, const int *group, int i, int g)
{
    int held = 0;

    for (int x = 0; x < c->items; x++) {
        held += !c->sensitive[x] && group[x] == g ? c->times[i][x] : 0;
    }
    return c->bags || held < 1 ? held : 1;
}

static bool tr_holds_all(const tr_cluster *c, const int *group, int i, const int *known)
{
    for (int g = 0; g < TR_ITEMS; g++) {
        if (known[g] > tr_held(c, group, i, g)) {
            return false;
        }
    }
    return true;
}

static int tr_support(const tr_cluster *c, const int *group, const int *known)
{
    int support = 0;

    for (int i = 0; i < c->records; i++) {
        support += tr_holds_all(c, group, i, known);
    }
    return support;
}

/* Whether the records that hold `known` are enough, and no set of sensitive items too sure. */
static bool tr_combination_allowed(const tr_cluster *c, const int *group, const int *known,
                                   int size)
{
    const int support = tr_support(c, group, known);

    if (support == 0) {
        return true;
    }
    if (size > 0 && support < c->k) {
        return false;
    }
    for (int set = 1; set < 1 << c->items && c->l > 0; set++) {
        int both = 0;
        bool secret = true;
        for (int x = 0; x < c->items; x++) {
            secret = secret && (!(set >> x & 1) || c->sensitive[x]);
        }
        for (int i = 0; i < c->records && secret; i++) {
            bool all = tr_holds_all(c, group, i, known);
            for (int x = 0; x < c->items; x++) {
                all = all && (!(set >> x & 1) || c->times[i][x] > 0);
            }
            both += all;
        }
        if (both > 0 && (double)support / both < c->l) {
            return false;
        }
    }
    return true;
}

static bool tr_allowed_from(const tr_cluster *c, const int *group, int *known, int g, int size)
{
    bool allowed = true;

    if (g == TR_ITEMS) {
        return tr_combination_allowed(c, group, known, size);
    }
    for (int n = 0; n + size <= c->m && allowed; n++) {
        known[g] = n;
        if (n > 0 && tr_support(c, group, known) == 0) {
            break; /* nor does anybody hold more */
        }
        allowed = tr_allowed_from(c, group, known, g + 1, size + n);
    }
    known[g] = 0;
    return allowed;
}

static bool tr_allowed(const tr_cluster *c, const int *group)
{
    int known[TR_ITEMS] = {0};

    return tr_allowed_from(c, group, known, 0, 0);
}

/* UL(r) summed, in whole numbers up to the last division; sizes of a record sum to at most 120. */
__extension__ typedef unsigned __int128 tr_u128;

static double tr_quotient(tr_u128 above, tr_u128 below)
{
    return (double)((long double)above / (long double)below);
}

static double tr_ul(const tr_cluster *c, const int *group, const int *size)
{
    double sum = 0;

    for (int i = 0; i < c->records; i++) {
        tr_u128 above = 0;
        int sigma = 0;
        for (int g = 0; g < TR_ITEMS; g++) {
            for (int n = tr_held(c, group, i, g); n > 0; n--) {
                above += ((tr_u128)1 << size[g]) - 1;
                sigma += size[g];
            }
        }
        for (int x = 0; x < c->items; x++) {
            above += c->sensitive[x] ? (unsigned)c->times[i][x] : 0;
            sigma += c->sensitive[x] ? c->times[i][x] : 0;
        }
        sum += sigma ? tr_quotient(above, ((tr_u128)1 << sigma) - 1) : 0;
    }
    return sum;
}

static void tr_sizes(const tr_cluster *c, const int *group, int *size)
{
    memset(size, 0, TR_ITEMS * sizeof *size);
    for (int x = 0; x < c->items; x++) {
        bool occurs = false;
        for (int i = 0; i < c->records; i++) {
            occurs = occurs || c->times[i][x] > 0;
        }
        size[group[x]] += occurs && !c->sensitive[x];
    }
}

static double tr_set_ncp(const tr_cluster *c, const int *group, const int *size, double total)
{
    double sum = 0;

    for (int i = 0; i < c->records; i++) {
        for (int x = 0; x < c->items; x++) {
            const int s = c->sensitive[x] ? 1 : size[group[x]];
            sum += s > 1 ? c->times[i][x] * s / total : 0;
        }
    }
    return sum;
}

/* The least UL and the least NCP of all allowed partitions of the items, if any is; and the least
 * UL of those in which no item is in a group that it could leave. */
typedef struct tr_best {
    bool any;
    double ul, ncp, fine_ul;
} tr_best;

static bool tr_is_fine(const tr_cluster *c, int *group, int used, const int *size)
{
    bool fine = true;

    for (int x = 0; x < c->items && fine; x++) {
        const int was = group[x];
        if (size[was] > 1 && used < TR_ITEMS) {
            group[x] = used;
            fine = !tr_allowed(c, group);
            group[x] = was;
        }
    }
    return fine;
}

static void tr_try_from(const tr_cluster *c, int *group, int x, int used, double total,
                        tr_best *best)
{
    if (x == c->items) {
        if (tr_allowed(c, group)) {
            int size[TR_ITEMS];
            tr_sizes(c, group, size);
            best->ul = fmin(best->any ? best->ul : INFINITY, tr_ul(c, group, size));
            best->ncp = fmin(best->any ? best->ncp : INFINITY, tr_set_ncp(c, group, size, total));
            if (tr_is_fine(c, group, used, size)) {
                best->fine_ul = fmin(best->fine_ul, tr_ul(c, group, size));
            }
            best->any = true;
        }
        return;
    }
    for (group[x] = 0; group[x] <= used && group[x] < TR_ITEMS; group[x]++) {
        tr_try_from(c, group, x + 1, used + (group[x] == used), total, best);
    }
}

static tr_best tr_best_partition(const tr_cluster *c, double total)
{
    int group[TR_ITEMS] = {0};
    tr_best best = {.any = false, .fine_ul = INFINITY};

    tr_try_from(c, group, 0, 0, total, &best);
    return best;
}

#endif
