/* oracle/tds.h - top-down specialisation, everything counted anew in every step.
 *
 * A column's cut is a list of sets of codes. Column 0 has a tree (the sets that it may be cut into
 * are given), column 1 holds numbers, whose code ORACLE_TDS_MISSING is a missing one. */
#ifndef ORACLE_TDS_H
#define ORACLE_TDS_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    ORACLE_TDS_RECORDS = 24,
    ORACLE_TDS_CODES = 6,
    ORACLE_TDS_MISSING = 5,
    ORACLE_TDS_LABELS = 3,
    ORACLE_TDS_VALUES = 40,
    ORACLE_TDS_PARTS = 6
};

typedef struct oracle_tds_table {
    int records, k;
    int code[ORACLE_TDS_RECORDS][2], label[ORACLE_TDS_RECORDS];
    unsigned
        parent[1 << ORACLE_TDS_CODES]; /* column 0: by set of codes: the set above it; 0: none */
} oracle_tds_table;

typedef struct oracle_tds_value {
    int column;
    unsigned codes; /* a bit a code */
    bool gone, closed;
} oracle_tds_value;

typedef struct oracle_tds {
    const oracle_tds_table *t;
    oracle_tds_value value[ORACLE_TDS_VALUES];
    int values;
    bool ambiguous; /* two specialisations were as good as each other but for rounding */
} oracle_tds;

static double oracle_tds_entropy(const oracle_tds_table *t, int column, unsigned codes, int *size)
{
    int n[ORACLE_TDS_LABELS] = {0};
    double sum = 0;

    *size = 0;
    for (int i = 0; i < t->records; i++) {
        if (codes >> t->code[i][column] & 1) {
            n[t->label[i]]++;
            ++*size;
        }
    }
    for (int l = 0; l < ORACLE_TDS_LABELS; l++) {
        sum -= n[l] ? (double)n[l] / *size * log2((double)n[l] / *size) : 0;
    }
    return sum;
}

static double oracle_tds_gain(const oracle_tds_table *t, int column, unsigned codes,
                              const unsigned *part, int parts)
{
    int size, total;
    double gain = oracle_tds_entropy(t, column, codes, &total);

    for (int p = 0; p < parts; p++) {
        const double entropy = oracle_tds_entropy(t, column, part[p], &size);
        gain -= (double)size / total * entropy;
    }
    return gain;
}

/* What `v` would be specialised into; the number of parts, 0 if it cannot be. */
static int oracle_tds_parts(oracle_tds *o, const oracle_tds_value *v, unsigned *part)
{
    const oracle_tds_table *t = o->t;
    const unsigned missing = v->codes & 1u << ORACLE_TDS_MISSING, numbers = v->codes & ~missing;
    int parts = 0, size;
    double best = -1;

    if (v->column == 0) {
        for (int first = 0; first < ORACLE_TDS_CODES; first++) { /* in the order of their codes */
            for (unsigned s = 1; s < 1u << ORACLE_TDS_CODES; s++) {
                if (t->parent[s] == v->codes && (s & ((1u << first) - 1)) == 0 && s >> first & 1) {
                    part[parts++] = s;
                }
            }
        }
        return parts;
    }
    for (int c = 0; c < ORACLE_TDS_MISSING - 1; c++) {
        const unsigned low = numbers & ((2u << c) - 1), two[2] = {low, numbers & ~low};
        double gain;
        if (!two[0] || !two[1] || !(numbers >> c & 1)) {
            continue;
        }
        gain = oracle_tds_gain(t, 1, numbers, two, 2);
        if (best >= 0 && fabs(gain - best) < 1e-9) {
            o->ambiguous = true;
        }
        if (gain > best) {
            best = gain;
            part[0] = two[0];
            part[1] = two[1];
            parts = 2;
        }
    }
    if (parts == 0 && missing && numbers) {
        part[parts++] = numbers;
    }
    if (parts > 0 && missing) {
        part[parts++] = missing;
    }
    (void)size;
    return parts;
}

/* The records that look like record r: by column the value that holds its code. */
static int oracle_tds_value_of(const oracle_tds *o, int column, int code)
{
    for (int v = 0; v < o->values; v++) {
        if (!o->value[v].gone && o->value[v].column == column && o->value[v].codes >> code & 1) {
            return v;
        }
    }
    return -1;
}

/* The smallest class when value `v` (-1: none) is replaced by its parts; `*of_v`: among the classes
 * that it makes. */
static int oracle_tds_smallest(const oracle_tds *o, int v, const unsigned *part, int parts,
                               int *of_v)
{
    const oracle_tds_table *t = o->t;
    int least = t->records;

    *of_v = t->records + 1;
    for (int i = 0; i < t->records; i++) {
        int same = 0;
        bool inside = false;
        for (int j = 0; j < t->records; j++) {
            bool equal = true;
            for (int c = 0; c < 2; c++) {
                const int a = oracle_tds_value_of(o, c, t->code[i][c]);
                const int b = oracle_tds_value_of(o, c, t->code[j][c]);
                equal = equal && a == b;
                if (a == v) {
                    inside = true;
                    for (int p = 0; p < parts && a == b; p++) {
                        equal = equal &&
                                (part[p] >> t->code[i][c] & 1) == (part[p] >> t->code[j][c] & 1);
                    }
                }
            }
            same += equal;
        }
        least = same < least ? same : least;
        *of_v = inside && same < *of_v ? same : *of_v;
    }
    return least;
}

static bool oracle_tds_step(oracle_tds *o)
{
    int best = -1, best_least = 0, best_parts = 0, of_v;
    unsigned best_part[ORACLE_TDS_PARTS];
    double best_score = 0;
    const int now = oracle_tds_smallest(o, -1, NULL, 0, &of_v);

    for (int v = 0; v < o->values; v++) {
        unsigned part[ORACLE_TDS_PARTS];
        int parts, size, after;
        double gain, score;
        if (o->value[v].gone ||
            oracle_tds_entropy(o->t, o->value[v].column, o->value[v].codes, &size) == 0) {
            continue;
        }
        parts = oracle_tds_parts(o, &o->value[v], part);
        if (parts == 0) {
            continue;
        }
        after = oracle_tds_smallest(o, v, part, parts, &of_v);
        if (after < o->t->k) {
            continue;
        }
        gain = oracle_tds_gain(o->t, o->value[v].column, o->value[v].codes, part, parts);
        gain = gain < 1e-12 ? 0 : gain;
        score = gain / (now - after + 1);
        if (best >= 0 && score != best_score && fabs(score - best_score) < 1e-9) {
            o->ambiguous = true;
        }
        if (best >= 0 && gain > 0 && score == best_score) {
            o->ambiguous = true;
        }
        if (best < 0 || score > best_score || (score == best_score && of_v > best_least)) {
            best = v;
            best_score = score;
            best_least = of_v;
            best_parts = parts;
            memcpy(best_part, part, sizeof part);
        }
    }
    if (best < 0 || o->values + best_parts > ORACLE_TDS_VALUES) {
        return false;
    }
    o->value[best].gone = true;
    for (int p = 0; p < best_parts; p++) {
        o->value[o->values++] = (oracle_tds_value){.column = o->value[best].column,
                                                   .codes = best_part[p]};
    }
    return true;
}

/* The cut in the end. */
static void oracle_tds_run(oracle_tds *o, const oracle_tds_table *t)
{
    *o = (oracle_tds){.t = t, .values = 2};
    for (int c = 0; c < 2; c++) {
        o->value[c].column = c;
        for (int i = 0; i < t->records; i++) {
            o->value[c].codes |= c == 0 ? (1u << ORACLE_TDS_CODES) - 1 : 1u << t->code[i][c];
        }
    }
    while (oracle_tds_step(o)) {
    }
}

#endif
