/* grow_ordered.c - splits of numbers and dates at a threshold.
 *
 * Bins ascend with the values, so one sweep over the counts of a leaf sees every threshold. Missing
 * values go to the side where they gain more; or missing values are one child and all numbers the
 * other, where that gains most. */
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

/* The shortest decimal in [low, high), as people read thresholds; of dates `low`, the last day. */
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

/* The last number of `bin`, or the first one. */
static double number_of(const kn_grow_column *c, uint32_t bin, bool last)
{
    uint32_t code = bin;

    if (c->last && last) {
        code = c->last[bin];
    } else if (c->last) {
        code = bin > 0 ? c->last[bin - 1] + 1 : 0;
    }
    return c->attribute->column->numbers[code];
}

/* Set s->split to a threshold after bin `from` and before bin `to`, both of which occur in the
 * leaf; if `restricted`, after the first bin between them that s->forbidden allows. */
static bool place_threshold(const kn_grow_state *g, kn_grow_scratch *s, uint32_t a, uint32_t from,
                            uint32_t to, bool restricted)
{
    const kn_grow_column *c = &g->column[a];
    kn_split *p = &s->split;

    for (uint32_t at = from, next; at < to; at = next) {
        next = restricted ? at + 1 : to;
        if (restricted && s->forbidden[at]) {
            continue;
        }
        p->threshold = short_number(number_of(c, at, true), number_of(c, next, false),
                                    c->attribute->column->type);
        for (p->last_left = at;
             p->last_left + 1 < to && number_of(c, p->last_left + 1, true) <= p->threshold;
             p->last_left++) {
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

/* The class counts of a side, with the missing values (in `sum`) if they go there. */
static const uint64_t *counts_of_side(const kn_grow_state *g, const sides *now, bool right,
                                      unsigned mode, uint64_t *sum, uint64_t *total)
{
    const uint64_t *counts = right ? now->right : now->left;

    *total = right ? now->rights : now->lefts;
    if (mode != (right ? KN_MISSING_RIGHT : KN_MISSING_LEFT)) {
        return counts;
    }
    for (size_t c = 0; c < g->classes; c++) {
        sum[c] = counts[c] + now->missing[c];
    }
    *total += now->missings;
    return sum;
}

/* The gain of the present sides if missing values go where `mode` says. */
static double gain_of(const kn_grow_state *g, const sides *now, unsigned mode, double before,
                      uint64_t *sum)
{
    double impurity = 0;

    for (unsigned right = 0; right < 2; right++) {
        uint64_t total;
        const uint64_t *counts = counts_of_side(g, now, right, mode, sum, &total);
        impurity += kn__grow_impurity(g, counts, total);
    }
    return before - impurity;
}

static bool is_safe(const kn_grow_state *g, const uint64_t *counts, uint64_t total)
{
    return kn__grow_is_large(g, total) && (g->spans || kn__grow_counts_are_safe(g, counts, total));
}

/* Whether both sides are large enough and, where every leaf is one span, safe. */
static bool sides_are_safe(const kn_grow_state *g, const sides *now, unsigned mode, uint64_t *sum)
{
    for (unsigned right = 0; right < 2; right++) {
        uint64_t total;
        const uint64_t *counts = counts_of_side(g, now, right, mode, sum, &total);
        if (!is_safe(g, counts, total)) {
            return false;
        }
    }
    return true;
}

static uint32_t child_of(const kn_grow_column *c, const kn_split *p, uint32_t bin)
{
    if (bin != c->missing) {
        return p->missing_mode != KN_MISSING_VERSUS_REST && bin > p->last_left;
    }
    switch (p->missing_mode) {
    case KN_MISSING_NONE: return p->children;
    case KN_MISSING_LEFT: return 0;
    default: return 1;
    }
}

/* Fill s->split.child from the threshold; `full` as in grow_category.c. */
static void assign_children(const kn_grow_state *g, kn_grow_scratch *s, uint32_t a, bool full)
{
    const kn_grow_column *c = &g->column[a];
    kn_split *p = &s->split;

    p->children = 2;
    for (uint32_t bin = 0; full && bin < c->values; bin++) {
        p->child[bin] = child_of(c, p, bin);
    }
    for (size_t i = 0; !full && i < s->present_count; i++) {
        p->child[s->present[i]] = child_of(c, p, s->present[i]);
    }
}

/* Find the threshold of most gain, above `*best`, for one mode of missing values. If `restricted`,
 * spans forbid some thresholds. */
static bool find_threshold(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                           unsigned mode, bool check, double *best)
{
    const size_t classes = g->classes;
    const kn_grow_column *c = &g->column[a];
    const bool restricted = check && g->spans && !c->attribute->hidden;
    sides now = {.left = s->sum, .right = s->sum + classes, .missing = s->sum + 2 * classes};
    const uint64_t *population = g->tree->population + (size_t)leaf * classes;
    uint64_t *sum = s->sum + 3 * classes;
    const size_t numbers = s->present_count - (c->missing != KN_NO_CODE &&
                                               s->present[s->present_count - 1] == c->missing);
    const double impurity = kn__grow_impurity(g, population,
                                              g->tree->node[leaf].end - g->tree->node[leaf].begin);
    size_t found = SIZE_MAX;

    if (numbers < 2 || (restricted && !kn__forbid_thresholds(g, s, leaf, a, mode))) {
        return false;
    }
    memset(s->sum, 0, 3 * classes * sizeof *s->sum);
    for (size_t i = 0; i < numbers; i++) {
        add(now.right, &now.rights, s->counts + i * classes, classes);
    }
    if (numbers < s->present_count) {
        add(now.missing, &now.missings, s->counts + numbers * classes, classes);
    }
    for (size_t i = 0; i + 1 < numbers; i++) {
        double gain;
        for (size_t k = 0; k < classes; k++) {
            sum[k] = s->counts[i * classes + k];
        }
        move(now.left, now.right, &now.lefts, &now.rights, sum, classes);
        if (check && !sides_are_safe(g, &now, mode, sum)) {
            continue;
        }
        gain = gain_of(g, &now, mode, impurity, sum);
        if (gain > *best + 1e-9 * (double)(now.lefts + now.rights) &&
            (!restricted || some_allowed(s, s->present[i], s->present[i + 1]))) {
            *best = gain;
            found = i;
        }
    }
    if (found == SIZE_MAX) {
        return false;
    }
    s->split.missing_mode = (uint8_t)mode;
    return place_threshold(g, s, a, s->present[found], s->present[found + 1], restricted);
}

/* Whether the split of missing values against all others is safe and gains more than `*best`. */
static bool try_missing_versus_rest(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf,
                                    uint32_t a, bool check, double *best)
{
    const kn_grow_column *c = &g->column[a];
    bool safe = true;

    s->split.missing_mode = KN_MISSING_VERSUS_REST;
    assign_children(g, s, a, check && g->spans && !c->attribute->hidden);
    kn__grow_score(g, s, leaf);
    if (s->split.gain <= *best) {
        return false;
    }
    if (check && g->spans) {
        safe = c->attribute->hidden || kn__public_split_is_safe(g, s, leaf, a, false);
    }
    for (uint32_t child = 0; check && child < 2; child++) {
        const uint64_t *counts = s->split.counts + child * g->classes;
        safe = safe && is_safe(g, counts, kn__grow_total(counts, g->classes));
    }
    if (safe) {
        *best = s->split.gain;
    }
    return safe;
}

bool kn__grow_split_ordered(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                            bool check)
{
    const kn_grow_column *c = &g->column[a];
    const bool missing = c->missing != KN_NO_CODE && s->present_count > 0 &&
                         s->present[s->present_count - 1] == c->missing;
    kn_split best_split = {.missing_mode = KN_MISSING_MODES};
    double best = 0;

    if (check && g->spans && c->attribute->hidden && !kn__private_split_is_safe(g, leaf)) {
        return false;
    }
    for (unsigned mode = missing ? KN_MISSING_LEFT : KN_MISSING_NONE;
         mode < (missing ? KN_MISSING_MODES : KN_MISSING_LEFT); mode++) {
        if (mode == KN_MISSING_VERSUS_REST ? try_missing_versus_rest(g, s, leaf, a, check, &best)
                                           : find_threshold(g, s, leaf, a, mode, check, &best)) {
            best_split.missing_mode = s->split.missing_mode;
            best_split.last_left = s->split.last_left;
            best_split.threshold = s->split.threshold;
        }
    }
    if (best_split.missing_mode == KN_MISSING_MODES) {
        return false;
    }
    s->split.missing_mode = best_split.missing_mode;
    s->split.last_left = best_split.last_left;
    s->split.threshold = best_split.threshold;
    assign_children(g, s, a, check && g->spans && !c->attribute->hidden);
    kn__grow_score(g, s, leaf);
    return !(check && g->o->holds) || kn__grow_children_hold(g, s, leaf, a);
}
