/* Definition 6 of the models paper on a tree, word for word: every private value that is possible
 * is put beside the public values of a record, the tree is asked, and the answers are the record's
 * span. Slow, and sharing nothing with the code under test but the shape of a model. */
#ifndef ORACLE_MINED_TREE_H
#define ORACLE_MINED_TREE_H

#include "models/model.h"

#include <math.h>
#include <string.h>

enum { TREE_COLUMNS = 5, TREE_RECORDS = 48, TREE_VALUES = 24, TREE_BINS = 512 };

/* A value: missing, a text, or a number. */
typedef struct tree_value {
    bool missing, is_number;
    double number;
    char text[16];
} tree_value;

/* A table, and for each column all that an attacker takes for possible. Column `target` is the
 * class. */
typedef struct tree_table {
    int records, columns, target;
    bool hidden[TREE_COLUMNS];
    int values[TREE_COLUMNS];
    tree_value domain[TREE_COLUMNS][TREE_VALUES];
    int cell[TREE_RECORDS][TREE_COLUMNS]; /* places in the domain */
} tree_table;

/* A further split that is not in the tree: the tuples of `leaf` part by `group` of `column`. */
typedef struct tree_extra {
    int leaf, column;
    int group[TREE_VALUES];
} tree_extra;

enum { NO = 0, YES = 1, UNKNOWN = 2 };

static int oracle_test(const kn_model *m, const kn_test *t, const tree_value *of)
{
    const tree_value *v = &of[t->attribute];

    switch (t->kind) {
    case KN_TEST_TRUE: return YES;
    case KN_TEST_MISSING: return v->missing ? YES : NO;
    case KN_TEST_NOT_MISSING: return v->missing ? NO : YES;
    case KN_TEST_OR: {
        int answer = NO;
        for (size_t i = 0; i < t->parts_count; i++) {
            const int one = oracle_test(m, &t->parts[i], of);
            if (one == YES) {
                return YES;
            }
            answer = one == UNKNOWN ? UNKNOWN : answer;
        }
        return answer;
    }
    case KN_TEST_LESS_EQUAL: return v->missing ? UNKNOWN : v->number <= t->number ? YES : NO;
    case KN_TEST_GREATER: return v->missing ? UNKNOWN : v->number > t->number ? YES : NO;
    case KN_TEST_IN:
        for (size_t i = 0; !v->missing && i < t->values_count; i++) {
            size_t len;
            const char *text = kn__dict_text(m->attribute[t->attribute].values, t->values[i], &len);
            if (len == strlen(v->text) && memcmp(text, v->text, len) == 0) {
                return YES;
            }
        }
        return v->missing ? UNKNOWN : NO;
    default: return -1; /* no other is mined */
    }
}

/* The node that answers a tuple. `at` is by column of the table. */
static int oracle_route(const kn_model *m, const int *column_of, const tree_table *t, const int *at)
{
    tree_value of[TREE_COLUMNS];
    uint32_t node = 0;

    for (size_t a = 0; a < m->attributes; a++) {
        of[a] = t->domain[column_of[a]][at[column_of[a]]];
    }
    for (;;) {
        const kn_tree_node *n = &m->tree.node[node];
        uint32_t next = KN_NO_CODE;
        for (uint32_t i = 0; i < n->children && next == KN_NO_CODE; i++) {
            if (oracle_test(m, &m->tree.node[n->first + i].test, of) == YES) {
                next = n->first + i;
            }
        }
        if (next == KN_NO_CODE) {
            return (int)node;
        }
        node = next;
    }
}

/* Adds the bin of a tuple to a set. */
static void oracle_bin(const kn_model *m, const int *column_of, const tree_table *t, const int *at,
                       const tree_extra *extra, uint8_t *set)
{
    const int node = oracle_route(m, column_of, t, at);
    int bin = node * 4 + at[t->target];

    if (extra && extra->leaf == node) {
        bin = ((int)m->tree.nodes + extra->group[at[extra->column]]) * 4 + at[t->target];
    }
    set[bin] = 1;
}

/* The span of a record: private columns from `from` on take all their values. */
static void oracle_span(const kn_model *m, const int *column_of, const tree_table *t, int *at,
                        int from, const tree_extra *extra, uint8_t *set)
{
    int old;

    while (from < t->columns && !t->hidden[from]) {
        from++;
    }
    if (from == t->columns) {
        oracle_bin(m, column_of, t, at, extra, set);
        return;
    }
    old = at[from];
    for (at[from] = 0; at[from] < t->values[from]; at[from]++) {
        oracle_span(m, column_of, t, at, from + 1, extra, set);
    }
    at[from] = old;
}

typedef struct oracle_spans {
    uint8_t set[TREE_RECORDS][TREE_BINS]; /* by record */
    int bins[TREE_RECORDS];               /* by record: of its span */
    int size[TREE_RECORDS];               /* by record: records with its span */
} oracle_spans;

static void oracle_attack(oracle_spans *out, const kn_model *m, const int *column_of,
                          const tree_table *t, const tree_extra *extra)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < t->records; i++) {
        int at[TREE_COLUMNS];
        memcpy(at, t->cell[i], sizeof at);
        oracle_span(m, column_of, t, at, 0, extra, out->set[i]);
        for (int b = 0; b < TREE_BINS; b++) {
            out->bins[i] += out->set[i][b];
        }
    }
    for (int i = 0; i < t->records; i++) {
        for (int j = 0; j < t->records; j++) {
            out->size[i] += memcmp(out->set[i], out->set[j], TREE_BINS) == 0;
        }
    }
}

/* Claim 3, and of a private class the entropy (natural logarithm), the different values and the
 * greatest share in every span. */
static bool oracle_keeps(const oracle_spans *s, const tree_table *t, int k, double entropy_l,
                         double distinct_l, double inference)
{
    for (int i = 0; i < t->records; i++) {
        int count[4] = {0};
        double entropy = 0;
        int different = 0, most = 0;
        if (s->bins[i] > 1 && s->size[i] < k) {
            return false;
        }
        if (!t->hidden[t->target]) {
            continue;
        }
        for (int j = 0; j < t->records; j++) {
            count[t->cell[j][t->target]] += memcmp(s->set[i], s->set[j], TREE_BINS) == 0;
        }
        for (int c = 0; c < 4; c++) {
            const double p = (double)count[c] / s->size[i];
            entropy -= count[c] ? p * log(p) : 0;
            different += count[c] > 0;
            most = count[c] > most ? count[c] : most;
        }
        if ((entropy_l > 0 && entropy < log(entropy_l) - 1e-9) || different < distinct_l ||
            (inference > 0 && most > inference * s->size[i] + 1e-9)) {
            return false;
        }
    }
    return true;
}

#endif
