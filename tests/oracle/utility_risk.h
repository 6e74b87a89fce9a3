/* oracle/utility_risk.h - risk and uniqueness by comparing every record with every other. */
#ifndef KN_ORACLE_UTILITY_RISK_H
#define KN_ORACLE_UTILITY_RISK_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { RISK_RECORDS = 40, RISK_COLUMNS = 6 };

typedef struct risk_table {
    size_t records, columns;
    unsigned cell[RISK_RECORDS][RISK_COLUMNS];
} risk_table;

/* Records of `in` equal to record `i` of `t` in the columns of `set` (a bit a column). */
static inline size_t risk_alike(const risk_table *t, size_t i, const risk_table *in, unsigned set)
{
    size_t alike = 0;

    for (size_t j = 0; j < in->records; j++) {
        bool same = true;
        for (size_t c = 0; c < t->columns; c++) {
            same = same && (!(set >> c & 1) || t->cell[i][c] == in->cell[j][c]);
        }
        alike += same;
    }
    return alike;
}

typedef struct risk_result {
    double prosecutor_max, prosecutor_mean, at_risk_share, journalist_max, journalist_mean;
    double classes;
    size_t unique;
} risk_result;

static inline risk_result risk_oracle(const risk_table *t, const risk_table *population,
                                      unsigned set, double threshold)
{
    risk_result r = {0};
    const double n = (double)t->records;

    for (size_t i = 0; i < t->records; i++) {
        const size_t size = risk_alike(t, i, t, set);
        const double risk = 1 / (double)size;
        r.prosecutor_max = fmax(r.prosecutor_max, risk);
        r.prosecutor_mean += risk / n;
        r.at_risk_share += (risk > threshold) / n;
        r.classes += risk;
        r.unique += size == 1;
        if (population) {
            const double people = fmax((double)risk_alike(t, i, population, set), (double)size);
            r.journalist_max = fmax(r.journalist_max, 1 / people);
            r.journalist_mean += 1 / people / n;
        }
    }
    return r;
}

#endif
