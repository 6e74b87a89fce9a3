/* oracle/utility.h - measures straight from their definitions, record by record: tables of small
 * numbers, published cells that know which values they stand for, sums over all pairs of records.
 */
#ifndef KN_ORACLE_UTILITY_H
#define KN_ORACLE_UTILITY_H

#include "base/rng.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    ORACLE_LEAVES = 10,
    ORACLE_HEIGHT = 5,
    ORACLE_RECORDS = 24,
    ORACLE_COLUMNS = 3,
    ORACLE_TEXT = 48
};

typedef enum oracle_kind { ORACLE_NUMBER, ORACLE_CATEGORY, ORACLE_TREE } oracle_kind;

/* Values are leaves 0..leaves-1; `present` are those that some record holds. */
typedef struct oracle_column {
    oracle_kind kind;
    unsigned leaves;
    char row[ORACLE_LEAVES][ORACLE_HEIGHT][ORACLE_TEXT]; /* trees: from the leaf to the root */
    unsigned height[ORACLE_LEAVES];                      /* labels in the row */
    unsigned levels;
    unsigned present;
    double weight;
} oracle_column;

typedef struct oracle_cell {
    char text[ORACLE_TEXT];
    bool star;
    int low, high; /* numbers */
    unsigned set;  /* categories */
} oracle_cell;

typedef struct oracle_table {
    unsigned columns, records, published;
    oracle_column column[ORACLE_COLUMNS];
    unsigned value[ORACLE_RECORDS][ORACLE_COLUMNS];
    unsigned sensitive[ORACLE_RECORDS], kept[ORACLE_RECORDS];
    oracle_cell cell[ORACLE_RECORDS][ORACLE_COLUMNS];
    unsigned origin[ORACLE_RECORDS]; /* by published record */
} oracle_table;

typedef struct oracle_result {
    double ncp, loss, discernibility, average_class_size, classification, entropy, precision;
    double suppressed_cells, suppressed_records;
    double column_ncp[ORACLE_COLUMNS], column_loss[ORACLE_COLUMNS];
    double column_entropy[ORACLE_COLUMNS], column_precision[ORACLE_COLUMNS];
} oracle_result;

static inline int oracle_number(unsigned leaf)
{
    return (int)(leaf * leaf) - 7;
}

static inline unsigned oracle_count(unsigned set)
{
    unsigned n = 0;

    for (; set; set &= set - 1) {
        n++;
    }
    return n;
}

/* The leaves of the domain: all of a hierarchy's, else those in the data. */
static inline unsigned oracle_domain(const oracle_column *c)
{
    return c->kind == ORACLE_TREE ? (1u << c->leaves) - 1 : c->present;
}

/* The highest place in the row of `leaf` with that label, or -1. */
static inline int oracle_place(const oracle_column *c, unsigned leaf, const char *label)
{
    for (unsigned i = c->height[leaf]; i-- > 0;) {
        if (strcmp(c->row[leaf][i], label) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static inline bool oracle_covers(const oracle_column *c, const oracle_cell *cell, unsigned leaf)
{
    if (cell->star) {
        return true;
    }
    switch (c->kind) {
    case ORACLE_NUMBER:
        return cell->low <= oracle_number(leaf) && oracle_number(leaf) <= cell->high;
    case ORACLE_CATEGORY: return cell->set >> leaf & 1;
    case ORACLE_TREE: break;
    }
    return oracle_place(c, leaf, cell->text) >= 0;
}

/* The leaves that the cell stands for, its original being `leaf`. */
static inline unsigned oracle_meaning(const oracle_column *c, const oracle_cell *cell,
                                      unsigned leaf)
{
    const int place = c->kind == ORACLE_TREE && !cell->star ? oracle_place(c, leaf, cell->text) : 0;
    unsigned set = 0;

    for (unsigned u = 0; u < c->leaves; u++) {
        bool in = cell->star;
        if (!in && c->kind == ORACLE_TREE) {
            const unsigned up = c->height[leaf] -
                                (unsigned)place; /* labels from there to the root */
            in = place == 0 ? u == leaf : c->height[u] > up;
            for (unsigned i = 1; in && place > 0 && i <= up; i++) {
                in = strcmp(c->row[u][c->height[u] - i], c->row[leaf][c->height[leaf] - i]) == 0;
            }
        } else if (!in) {
            in = oracle_covers(c, cell, u);
        }
        set |= in && (oracle_domain(c) >> u & 1) ? 1u << u : 0;
    }
    return set;
}

static inline double oracle_width(const oracle_column *c)
{
    int low = 0, high = 0;
    bool any = false;

    for (unsigned u = 0; u < c->leaves; u++) {
        if (c->present >> u & 1) {
            low = any ? low : oracle_number(u);
            high = oracle_number(u);
            any = true;
        }
    }
    return high - low;
}

static inline double oracle_loss(const oracle_column *c, const oracle_cell *cell, unsigned leaf)
{
    const unsigned total = oracle_count(oracle_domain(c));

    if (cell->star) {
        return 1;
    }
    if (c->kind == ORACLE_NUMBER) {
        return cell->low == cell->high ? 0 : (cell->high - cell->low) / oracle_width(c);
    }
    const unsigned leaves = oracle_count(oracle_meaning(c, cell, leaf));
    return leaves == 1 ? 0 : (leaves - 1) / (double)(total - 1);
}

static inline double oracle_ncp(const oracle_column *c, const oracle_cell *cell, unsigned leaf)
{
    if (cell->star || c->kind == ORACLE_NUMBER) {
        return oracle_loss(c, cell, leaf);
    }
    const unsigned leaves = oracle_count(oracle_meaning(c, cell, leaf));
    return leaves == 1 ? 0 : leaves / (double)oracle_count(oracle_domain(c));
}

/* The share of the way up. `leaf` -1: unknown, the highest among values of the data. */
static inline double oracle_climb(const oracle_column *c, const oracle_cell *cell, int leaf)
{
    double most = 0;

    if (cell->star || c->kind != ORACLE_TREE) {
        return oracle_loss(c, cell, leaf < 0 ? 0 : (unsigned)leaf);
    }
    for (unsigned u = 0; u < c->leaves; u++) {
        if (leaf >= 0 ? u == (unsigned)leaf : c->present >> u & 1) {
            const int place = oracle_place(c, u, cell->text);
            const double climbed = place == (int)c->height[u] - 1 ? 1
                                                                  : place / (double)(c->levels - 1);
            most = climbed > most ? climbed : most;
        }
    }
    return most;
}

static inline bool oracle_alike(const oracle_table *t, unsigned a, unsigned b)
{
    for (unsigned c = 0; c < t->columns; c++) {
        if (strcmp(t->cell[a][c].text, t->cell[b][c].text) != 0) {
            return false;
        }
    }
    return true;
}

static inline bool oracle_starred(const oracle_table *t, unsigned a)
{
    for (unsigned c = 0; c < t->columns; c++) {
        if (!t->cell[a][c].star) {
            return false;
        }
    }
    return true;
}

static inline bool oracle_may_be(const oracle_table *t, const unsigned *sensitive,
                                 const unsigned *kept, unsigned at, unsigned record)
{
    bool may = sensitive[at] == t->sensitive[record] && kept[at] == t->kept[record];

    for (unsigned c = 0; may && c < t->columns; c++) {
        may = oracle_covers(&t->column[c], &t->cell[at][c], t->value[record][c]);
    }
    return may;
}

/* The first of all matchings in order, compared record by record; false: there is none.
 * possible[p][i]: records p.. of the release can be matched within records i.. of the original. */
static inline bool oracle_embed(const oracle_table *t, const unsigned *sensitive,
                                const unsigned *kept, unsigned *origin)
{
    bool possible[ORACLE_RECORDS + 1][ORACLE_RECORDS + 2] = {{false}};
    unsigned from = 0;

    for (unsigned i = 0; i <= t->records; i++) {
        possible[t->published][i] = true;
    }
    for (unsigned p = t->published; p-- > 0;) {
        for (unsigned i = t->records; i-- > 0;) {
            possible[p][i] = possible[p][i + 1] ||
                             (oracle_may_be(t, sensitive, kept, p, i) && possible[p + 1][i + 1]);
        }
    }
    for (unsigned p = 0; possible[0][0] && p < t->published; p++) {
        while (!oracle_may_be(t, sensitive, kept, p, from) || !possible[p + 1][from + 1]) {
            from++;
        }
        origin[p] = from++;
    }
    return possible[0][0];
}

/* `origin` NULL: not matched. `label`: the published sensitive values. */
static inline oracle_result oracle_measure(const oracle_table *t, const unsigned *origin,
                                           const unsigned *label)
{
    oracle_result r = {0};
    const double n = t->records;
    double weights = 0, bits_lost = 0, bits_all = 0, starred = 0, cells = 0;
    double classes = 0, right = 0;
    int published_as[ORACLE_RECORDS];

    for (unsigned i = 0; i < t->records; i++) {
        published_as[i] = -1;
    }
    for (unsigned p = 0; origin && p < t->published; p++) {
        published_as[origin[p]] = (int)p;
    }
    for (unsigned c = 0; c < t->columns; c++) {
        const oracle_column *column = &t->column[c];
        double lost = 0, all = 0;
        weights += column->weight;
        r.column_precision[c] = 1;
        for (unsigned i = 0; origin && i < t->records; i++) {
            const oracle_cell gone = {.text = "*", .star = true};
            const oracle_cell *cell = published_as[i] < 0 ? &gone : &t->cell[published_as[i]][c];
            const unsigned v = t->value[i][c];
            const unsigned meaning = oracle_meaning(column, cell, v);
            double alike = 0, same = 0;
            r.column_loss[c] += oracle_loss(column, cell, v) / n;
            r.column_ncp[c] += oracle_ncp(column, cell, v) / n;
            r.column_precision[c] -= oracle_climb(column, cell, (int)v) / n;
            cells += cell->star;
            for (unsigned j = 0; j < t->records; j++) {
                alike += meaning >> t->value[j][c] & 1;
                same += t->value[j][c] == v;
            }
            lost += -log2(same / alike);
            all += -log2(same / n);
        }
        for (unsigned p = 0; !origin && p < t->published; p++) {
            const oracle_cell *cell = &t->cell[p][c];
            unsigned v = 0;
            while (!oracle_covers(column, cell, v) || !(oracle_domain(column) >> v & 1)) {
                v++;
            }
            r.column_loss[c] += oracle_loss(column, cell, v) / n;
            r.column_ncp[c] += oracle_ncp(column, cell, v) / n;
            r.column_precision[c] -= oracle_climb(column, cell, -1) / n;
            cells += cell->star;
        }
        if (!origin) {
            const double gone = t->records - t->published;
            r.column_loss[c] += gone / n;
            r.column_ncp[c] += gone / n;
            r.column_precision[c] -= gone / n;
            cells += gone;
        }
        r.column_entropy[c] = !origin ? NAN : all > 0 ? lost / all : 0;
        bits_lost += lost;
        bits_all += all;
        r.precision += r.column_precision[c] / t->columns;
    }
    for (unsigned c = 0; c < t->columns; c++) {
        r.loss += t->column[c].weight / weights * r.column_loss[c];
        r.ncp += t->column[c].weight / weights * r.column_ncp[c];
    }
    r.entropy = !origin ? NAN : bits_all > 0 ? bits_lost / bits_all : 0;
    r.suppressed_cells = cells / n / t->columns;

    for (unsigned a = 0; a < t->published; a++) {
        double size = 0, most = 0;
        bool first = true;
        for (unsigned b = 0; b < t->published; b++) {
            if (oracle_alike(t, a, b)) {
                double votes = 0;
                for (unsigned d = 0; d < t->published; d++) {
                    votes += oracle_alike(t, a, d) && label[b] == label[d];
                }
                size++;
                most = votes > most ? votes : most;
                first = first && b >= a;
            }
        }
        starred += oracle_starred(t, a);
        r.discernibility += oracle_starred(t, a) ? n : size;
        classes += first;
        right += first && !oracle_starred(t, a) ? most : 0;
    }
    r.discernibility += n * (t->records - t->published);
    r.average_class_size = classes > 0 ? t->published / classes : NAN;
    r.classification = (n - right) / n;
    r.suppressed_records = (starred + t->records - t->published) / n;
    return r;
}

/* ---- random tables ---- */

static inline void oracle_random_tree(oracle_column *c, kn_rng *r)
{
    const unsigned inner = 1 + (unsigned)kn__rng_below(r, 3);
    const char *root = kn__rng_below(r, 2) ? "*" : "Any";
    const bool twice = kn__rng_below(r, 3) == 0; /* labels that stand on several levels */

    c->levels = 0;
    for (unsigned u = 0; u < c->leaves; u++) {
        unsigned h = 0, width = 1;
        (void)snprintf(c->row[u][h++], ORACLE_TEXT, "v%u", u);
        for (unsigned i = 0; i + 1 < inner; i++) {
            width *= 2;
            (void)snprintf(c->row[u][h++], ORACLE_TEXT, twice ? "g%u" : "g%u_%u", u / width, i);
        }
        if (inner > 1 && u == c->leaves - 1 && kn__rng_below(r, 2)) {
            h = 1; /* a path that is shorter than the others */
        }
        (void)snprintf(c->row[u][h++], ORACLE_TEXT, "%s", root);
        c->height[u] = h;
        c->levels = h > c->levels ? h : c->levels;
    }
}

static inline void oracle_random_cell(oracle_cell *cell, const oracle_column *c, unsigned leaf,
                                      kn_rng *r)
{
    *cell = (oracle_cell){0};
    if (kn__rng_below(r, 8) == 0) {
        cell->star = true;
        strcpy(cell->text, "*");
        return;
    }
    if (c->kind == ORACLE_TREE) {
        strcpy(cell->text, c->row[leaf][kn__rng_below(r, c->height[leaf])]);
        cell->star = strcmp(cell->text, "*") == 0;
    } else if (c->kind == ORACLE_NUMBER) {
        unsigned low = (unsigned)kn__rng_below(r, leaf + 1);
        unsigned high = leaf + (unsigned)kn__rng_below(r, c->leaves - leaf);
        while (!(c->present >> low & 1)) {
            low++;
        }
        while (!(c->present >> high & 1)) {
            high--;
        }
        cell->low = oracle_number(low);
        cell->high = oracle_number(high);
        (void)snprintf(cell->text, ORACLE_TEXT, low == high ? "%d" : "[%d,%d]", cell->low,
                       cell->high);
    } else {
        const char *before = "{";
        size_t len = 0;
        cell->set = 1u << leaf |
                    ((unsigned)kn__rng_next(r) & (unsigned)kn__rng_next(r) & c->present);
        if (oracle_count(cell->set) == 1) {
            (void)snprintf(cell->text, ORACLE_TEXT, "v%u", leaf);
            return;
        }
        if (cell->set == c->present) {
            cell->star = true;
            strcpy(cell->text, "*");
            return;
        }
        for (unsigned u = 0; u < c->leaves; u++) {
            if (cell->set >> u & 1) {
                len += (size_t)snprintf(cell->text + len, ORACLE_TEXT - len, "%sv%u", before, u);
                before = ",";
            }
        }
        strcpy(cell->text + len, "}");
    }
}

/* A random original and a release of it, records in order; some removed, some starred. */
static inline void oracle_random(oracle_table *t, kn_rng *r)
{
    memset(t, 0, sizeof *t);
    t->columns = 1 + (unsigned)kn__rng_below(r, ORACLE_COLUMNS);
    t->records = 1 + (unsigned)kn__rng_below(r, ORACLE_RECORDS);
    for (unsigned c = 0; c < t->columns; c++) {
        oracle_column *column = &t->column[c];
        column->kind = (oracle_kind)kn__rng_below(r, 3);
        column->leaves = 2 + (unsigned)kn__rng_below(r, ORACLE_LEAVES - 1);
        column->weight = 1 + (double)kn__rng_below(r, 4);
        if (column->kind == ORACLE_TREE) {
            oracle_random_tree(column, r);
        }
        for (unsigned i = 0; i < t->records; i++) {
            t->value[i][c] = (unsigned)kn__rng_below(r, 1 + kn__rng_below(r, column->leaves));
            column->present |= 1u << t->value[i][c];
        }
    }
    const unsigned labels = 1 + (unsigned)kn__rng_below(r, 3),
                   notes = 1 + (unsigned)kn__rng_below(r, 2);
    const unsigned removed = kn__rng_below(r, 2) ? 1 : 5;
    for (unsigned i = 0; i < t->records; i++) {
        t->sensitive[i] = (unsigned)kn__rng_below(r, labels);
        t->kept[i] = (unsigned)kn__rng_below(r, notes);
        const unsigned fate = (unsigned)kn__rng_below(r, 10);
        if (fate < removed) {
            continue;
        }
        for (unsigned c = 0; c < t->columns; c++) {
            oracle_cell *cell = &t->cell[t->published][c];
            oracle_random_cell(cell, &t->column[c], t->value[i][c], r);
            if (fate == 9) {
                *cell = (oracle_cell){.text = "*", .star = true};
            }
        }
        t->origin[t->published++] = i;
    }
}

#endif
