/* oracle/acd.h - ranges over numbers by their definition: every partition of the sorted values is
 * tried, every combination of every record is looked for in every record. */
#ifndef ORACLE_ACD_H
#define ORACLE_ACD_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { ACD_VALUES = 7, ACD_RECORDS = 12, ACD_LENGTH = 4 };

typedef struct acd_case {
    int records, values, k, m;
    bool bags;
    double value[ACD_VALUES]; /* ascending */
    int length[ACD_RECORDS];
    int item[ACD_RECORDS][ACD_LENGTH]; /* ascending; in sets strictly */
} acd_case;

/* How often record i holds `range`; in sets at most once. */
static int acd_times(const acd_case *c, const int *range_of, int i, int range)
{
    int times = 0;

    for (int j = 0; j < c->length[i]; j++) {
        times += range_of[c->item[i][j]] == range;
    }
    return c->bags || times == 0 ? times : 1;
}

static bool acd_holds(const acd_case *c, const int *range_of)
{
    for (int i = 0; i < c->records; i++) {
        for (int taken = 1; taken < 1 << c->length[i]; taken++) {
            int wanted[ACD_VALUES] = {0}, size = 0, support = 0;
            for (int j = 0; j < c->length[i]; j++) {
                if (taken >> j & 1) {
                    int *w = &wanted[range_of[c->item[i][j]]];
                    size += c->bags || *w == 0;
                    *w += c->bags || *w == 0;
                }
            }
            for (int r = 0; size <= c->m && r < c->records; r++) {
                bool all = true;
                for (int g = 0; g < c->values && all; g++) {
                    all = acd_times(c, range_of, r, g) >= wanted[g];
                }
                support += all;
            }
            if (size <= c->m && support < c->k) {
                return false;
            }
        }
    }
    return true;
}

/* Mean over the occurrences of width / domain, by what occurs. */
static double acd_loss(const acd_case *c, const int *range_of)
{
    double sum = 0, least = HUGE_VAL, most = -HUGE_VAL;
    int count = 0;

    for (int i = 0; i < c->records; i++) {
        for (int j = 0; j < c->length[i]; j++) {
            double low = HUGE_VAL, high = -HUGE_VAL;
            for (int r = 0; r < c->records; r++) {
                for (int x = 0; x < c->length[r]; x++) {
                    const double v = c->value[c->item[r][x]];
                    if (range_of[c->item[r][x]] == range_of[c->item[i][j]]) {
                        low = fmin(low, v);
                        high = fmax(high, v);
                    }
                    least = fmin(least, v);
                    most = fmax(most, v);
                }
            }
            sum += high - low;
            count++;
        }
    }
    return count == 0 || most <= least ? 0 : sum / (most - least) / count;
}

static bool acd_occurs(const acd_case *c, int v)
{
    for (int i = 0; i < c->records; i++) {
        for (int j = 0; j < c->length[i]; j++) {
            if (c->item[i][j] == v) {
                return true;
            }
        }
    }
    return false;
}

static void acd_partition(int values, unsigned cuts, int *range_of)
{
    for (int v = 0; v < values; v++) {
        range_of[v] = v == 0 ? 0 : range_of[v - 1] + (int)(cuts >> (v - 1) & 1);
    }
}

/* The least loss of any partition that holds and keeps equal numbers together; -1 when none does.
 */
static double acd_optimum(const acd_case *c)
{
    double best = -1;

    for (unsigned cuts = 0; cuts < 1u << (c->values - 1); cuts++) {
        int range_of[ACD_VALUES];
        double loss;
        bool apart = false;
        acd_partition(c->values, cuts, range_of);
        for (int v = 1; v < c->values; v++) {
            apart = apart || (c->value[v] == c->value[v - 1] && range_of[v] != range_of[v - 1] &&
                              acd_occurs(c, v) && acd_occurs(c, v - 1));
        }
        loss = acd_loss(c, range_of);
        if (!apart && (best < 0 || loss < best) && acd_holds(c, range_of)) {
            best = loss;
        }
    }
    return best;
}

/* The least sum of occurrences x width over partitions of `points` values into ranges that at least
 * k of the records hold: every beginning of every range is tried. `held[r * points + p]` is how
 * often record r holds value p. */
static double acd_single_optimum(const double *value, int points, const int *held, int records,
                                 int k)
{
    double best[128] = {0};

    for (int end = 1; end <= points; end++) {
        best[end] = HUGE_VAL;
        for (int begin = 0; begin < end; begin++) {
            int support = 0, occurrences = 0;
            for (int r = 0; r < records; r++) {
                int here = 0;
                for (int p = begin; p < end; p++) {
                    here += held[r * points + p];
                }
                support += here > 0;
                occurrences += here;
            }
            if (support >= k) {
                best[end] = fmin(best[end],
                                 best[begin] + occurrences * (value[end - 1] - value[begin]));
            }
        }
    }
    return best[points];
}

#endif
