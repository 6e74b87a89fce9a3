/* grow_ordered.c - splits of numbers and dates at a threshold.
 *
 * Bins ascend with the values, so one walk over the counts of a leaf sees every threshold. Missing
 * values stand alone where that is safe, or go with the side where they lose least. */
#include "models/tree/grow_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 15 };

/* The class counts of the two sides and of the missing values. */
typedef struct sides {
    uint64_t *left, *right, *missing;
    uint64_t lefts, rights, missings;
} sides;

static void add(uint64_t *to, uint64_t *total, const uint32_t *counts, size_t classes)
{
    for (size_t c = 0; c < classes; c++) {
        to[c] += counts[c];
        *total += counts[c];
    }
}

static void move(uint64_t *to, uint64_t *from, uint64_t *to_total, uint64_t *from_total,
                 const uint64_t *counts, size_t classes)
{
    for (size_t c = 0; c < classes; c++) {
        to[c] += counts[c];
        *to_total += counts[c];
        from[c] -= counts[c];
        *from_total -= counts[c];
    }
}

/* The shortest decimal in [low, high): thresholds are read by people. Of dates the last day before.
 */
static double short_number(double low, double high, kn_type type)
{
    const int least = type == KN_TYPE_INTEGER ? 0 : -MOST_DIGITS;

    for (int digits = MOST_DIGITS; type != KN_TYPE_DATE && digits >= least; digits--) {
        const double step = pow(10, abs(digits));
        const double t = digits < 0 ? ceil(low * step) / step : ceil(low / step) * step;
        if (t >= low && t < high) {
            return t;
        }
    }
    return low;
}

/* The numbers of the last value of `bin` and the first of the next one that `bin` is kept apart
 * from. */
static double number_of(const kn_grow_column *c, uint32_t bin, bool last)
{
    const uint32_t code = !c->last ? bin : last ? c->last[bin] : bin > 0 ? c->last[bin - 1] + 1 : 0;

    return c->is->column->numbers[code];
}

/* A threshold behind bin `from` and before bin `to`, and which bins it leaves on the left. With
 * `allowed` it lies behind one that s->forbidden lets. */
static bool place(const kn_growing *g, kn_grow_scratch *s, uint32_t a, uint32_t from, uint32_t to,
                  bool masked)
{
    const kn_grow_column *c = &g->column[a];
    kn_shape *p = &s->shape;

    for (uint32_t at = from, next; at < to; at = next) {
        next = masked ? at + 1 : to;
        if (masked && s->forbidden[at]) {
            continue;
        }
        p->number = short_number(number_of(c, at, true), number_of(c, next, false),
                                 c->is->column->type);
        for (p->at = at; p->at + 1 < to && number_of(c, p->at + 1, true) <= p->number; p->at++) {
        }
        return true;
    }
    return false;
}

static bool some_allowed(const kn_grow_scratch *s, uint32_t from, uint32_t to)
{
    for (uint32_t at = from; at < to; at++) {
        if (!s->forbidden[at]) {
            return true;
        }
    }
    return false;
}

/* The gain of the present sides when missing values go as `mode` says. */
static double gain_of(const kn_growing *g, const sides *now, unsigned mode, double whole,
                      uint64_t *sum)
{
    const size_t classes = g->classes;
    double left = 0;

    for (unsigned side = 0; side < 2; side++) {
        const uint64_t *of = side ? now->right : now->left;
        uint64_t total = side ? now->rights : now->lefts;
        if (mode == (side ? KN_GAPS_RIGHT : KN_GAPS_LEFT)) {
            for (size_t c = 0; c < classes; c++) {
                sum[c] = of[c] + now->missing[c];
            }
            of = sum;
            total += now->missings;
        }
        left += kn__grow_impurity(g, of, total);
    }
    if (mode == KN_GAPS_OWN) {
        left += kn__grow_impurity(g, now->missing, now->missings);
    }
    return whole - left;
}

/* Whether all parts keep the guarantee, where spans are leaves. */
static bool sides_keep(const kn_growing *g, const sides *now, unsigned mode, uint64_t *sum)
{
    for (unsigned side = 0; side < 2; side++) {
        const uint64_t *of = side ? now->right : now->left;
        uint64_t total = side ? now->rights : now->lefts;
        if (mode == (side ? KN_GAPS_RIGHT : KN_GAPS_LEFT)) {
            for (size_t c = 0; c < g->classes; c++) {
                sum[c] = of[c] + now->missing[c];
            }
            of = sum;
            total += now->missings;
        }
        if (!kn__grow_keeps(g, of, total)) {
            return false;
        }
    }
    return mode != KN_GAPS_OWN || kn__grow_keeps(g, now->missing, now->missings);
}

static uint32_t cell_of(const kn_grow_column *c, const kn_shape *p, uint32_t bin)
{
    if (bin != c->missing) {
        return p->gaps != KN_GAPS_ONLY && bin > p->at;
    }
    return p->gaps == KN_GAPS_NONE   ? p->cells
           : p->gaps == KN_GAPS_LEFT ? 0
           : p->gaps == KN_GAPS_OWN  ? 2
                                     : 1;
}

/* s->shape.cell from where the threshold is; `full` as for categories. */
static void fill(const kn_growing *g, kn_grow_scratch *s, uint32_t a, bool full)
{
    const kn_grow_column *c = &g->column[a];
    kn_shape *p = &s->shape;

    p->cells = p->gaps == KN_GAPS_OWN ? 3 : 2;
    for (uint32_t bin = 0; full && bin < c->values; bin++) {
        p->cell[bin] = cell_of(c, p, bin);
    }
    for (size_t i = 0; !full && i < s->seen; i++) {
        p->cell[s->touched[i]] = cell_of(c, p, s->touched[i]);
    }
}

static bool leaf_parts_hold(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a)
{
    const kn_grow_column *c = &g->column[a];
    const kn_grown_node *n = &g->tree->node[leaf];

    for (uint32_t cell = 0; cell < s->shape.cells; cell++) {
        size_t len = 0;
        for (size_t r = n->begin; r < n->end; r++) {
            if (s->shape.cell[kn__code_get(c->codes, c->width, r)] == cell) {
                s->rows[len++] = g->tree->record[r];
            }
        }
        if (!g->o->holds(g->o->user, s->rows, len)) {
            return false;
        }
    }
    return true;
}

/* The best threshold for one way of missing values that beats `*best`. */
static bool search(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                   unsigned mode, bool check, double *best)
{
    const size_t classes = g->classes;
    const kn_grow_column *c = &g->column[a];
    const bool masked = check && g->book && !c->is->hidden;
    const bool counted = check && !g->book && g->limits;
    sides now = {.left = s->sum, .right = s->sum + classes, .missing = s->sum + 2 * classes};
    const uint64_t *whole = g->tree->population + (size_t)leaf * classes;
    uint64_t *sum = s->sum + 3 * classes;
    const size_t seen = s->seen -
                        (c->missing != KN_NO_CODE && s->touched[s->seen - 1] == c->missing);
    const double impurity = kn__grow_impurity(g, whole,
                                              g->tree->node[leaf].end - g->tree->node[leaf].begin);
    size_t found = SIZE_MAX;

    if (seen < 2 || (masked && !kn__span_table_thresholds(g, s, leaf, a, mode))) {
        return false;
    }
    memset(s->sum, 0, 3 * classes * sizeof *s->sum);
    for (size_t i = 0; i < seen; i++) {
        add(now.right, &now.rights, s->counts + i * classes, classes);
    }
    if (seen < s->seen) {
        add(now.missing, &now.missings, s->counts + seen * classes, classes);
    }
    for (size_t i = 0; i + 1 < seen; i++) {
        double gain;
        for (size_t k = 0; k < classes; k++) {
            sum[k] = s->counts[i * classes + k];
        }
        move(now.left, now.right, &now.lefts, &now.rights, sum, classes);
        if (counted && !sides_keep(g, &now, mode, sum)) {
            continue;
        }
        gain = gain_of(g, &now, mode, impurity, sum);
        if (gain > *best + 1e-9 * (double)(now.lefts + now.rights) &&
            (!masked || some_allowed(s, s->touched[i], s->touched[i + 1]))) {
            *best = gain;
            found = i;
        }
    }
    if (found == SIZE_MAX) {
        return false;
    }
    s->shape.gaps = (uint8_t)mode;
    return place(g, s, a, s->touched[found], s->touched[found + 1], masked);
}

/* Whether parting missing values from all others is safe and beats `*best`. */
static bool search_gaps(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                        bool check, double *best)
{
    const kn_grow_column *c = &g->column[a];
    bool keeps = true;

    s->shape.gaps = KN_GAPS_ONLY;
    fill(g, s, a, check && g->book && !c->is->hidden);
    kn__grow_weigh(g, s, leaf);
    if (s->shape.gain <= *best) {
        return false;
    }
    if (check && g->book) {
        keeps = c->is->hidden || kn__span_table_public_keeps(g, s, leaf, a, false);
    } else if (check) {
        for (uint32_t cell = 0; cell < 2; cell++) {
            const uint64_t *of = s->shape.counts + cell * g->classes;
            uint64_t total = 0;
            for (size_t k = 0; k < g->classes; k++) {
                total += of[k];
            }
            keeps = keeps && kn__grow_keeps(g, of, total);
        }
    }
    *best = keeps ? s->shape.gain : *best;
    return keeps;
}

bool kn__grow_ordered(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                      bool check)
{
    const kn_grow_column *c = &g->column[a];
    const bool missing = c->missing != KN_NO_CODE && s->seen > 0 &&
                         s->touched[s->seen - 1] == c->missing;
    double best = 0;
    uint8_t gaps = KN_GAPS_MODES;
    uint32_t at = 0;
    double number = 0;

    if (check && g->book && c->is->hidden && !kn__span_table_private_keeps(g, leaf)) {
        return false;
    }
    for (unsigned mode = missing ? KN_GAPS_OWN : KN_GAPS_NONE;
         mode < (missing ? KN_GAPS_MODES : KN_GAPS_OWN); mode++) {
        if (mode == KN_GAPS_ONLY ? search_gaps(g, s, leaf, a, check, &best)
                                 : search(g, s, leaf, a, mode, check, &best)) {
            gaps = s->shape.gaps;
            at = s->shape.at;
            number = s->shape.number;
        }
    }
    if (gaps == KN_GAPS_MODES) {
        return false;
    }
    s->shape.gaps = gaps;
    s->shape.at = at;
    s->shape.number = number;
    fill(g, s, a, check && g->book && !c->is->hidden);
    kn__grow_weigh(g, s, leaf);
    return !(check && g->o->holds) || leaf_parts_hold(g, s, leaf, a);
}
