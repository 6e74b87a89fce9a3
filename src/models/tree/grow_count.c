/* grow_count.c - contingency tables (value x class) of a leaf, and what follows from counts: gain,
 * gain ratio, and whether a span with these counts satisfies the guarantee. */
#include "base/error.h"
#include "base/memory.h"
#include "base/bits.h"
#include "models/tree/grow_state.h"

#include <math.h>
#include <string.h>

static const double ROUNDING = 1e-9;

static kn_status split_init(kn_split *s, const kn_grow_state *g, kn_error *err)
{
    const size_t children = (size_t)g->names + 1;

    s->child = kn__malloc_array(g->most_values, sizeof *s->child);
    s->name = kn__malloc_array(children, sizeof *s->name);
    s->counts = kn__malloc_array(children * g->classes, sizeof *s->counts);
    return s->child && s->name && s->counts ? KN_OK : kn__nomem(err);
}

static void split_clear(kn_split *s)
{
    KN_FREE(s->child, s->name, s->counts);
}

kn_status kn__scratch_init(kn_grow_scratch *s, const kn_grow_state *g, kn_error *err)
{
    const size_t cells = (size_t)g->most_values * g->classes;

    s->table = kn__zalloc_array(cells, sizeof *s->table);
    s->span_codes = kn__malloc_array(g->most_values, sizeof *s->span_codes);
    s->occurring = kn__zalloc_array(kn__bits_words(g->most_values), sizeof *s->occurring);
    s->present = kn__malloc_array(g->most_values, sizeof *s->present);
    s->counts = kn__malloc_array(cells, sizeof *s->counts);
    s->child_of_name = kn__malloc_array((size_t)g->names + 1, sizeof *s->child_of_name);
    s->new_name = kn__malloc_array((size_t)g->names + 1, sizeof *s->new_name);
    s->order = kn__malloc_array(g->most_values, sizeof *s->order);
    s->cut_off = kn__malloc_array(g->most_values, 1);
    s->rows = g->o->holds ? kn__malloc_array(g->tree->records, sizeof *s->rows) : NULL;
    s->violates = kn__malloc_array((size_t)g->names + 2, 1);
    s->parts = kn__malloc_array(((size_t)g->names + 4) * g->classes, sizeof *s->parts);
    s->sum = kn__malloc_array(4 * g->classes, sizeof *s->sum);
    s->forbidden = kn__malloc_array((size_t)g->most_values + 2, sizeof *s->forbidden);
    s->same_child_until = kn__malloc_array(g->most_values, sizeof *s->same_child_until);
    if (!s->same_child_until || !s->span_codes || !s->parts || !s->table || !s->occurring ||
        !s->present || !s->counts || !s->child_of_name || !s->violates || !s->sum ||
        !s->forbidden || !s->new_name || !s->order || !s->cut_off || (g->o->holds && !s->rows)) {
        return kn__nomem(err);
    }
    memset(s->child_of_name, 0xff, ((size_t)g->names + 1) * sizeof *s->child_of_name);
    return split_init(&s->split, g, err);
}

void kn__scratch_clear(kn_grow_scratch *s)
{
    split_clear(&s->split);
    KN_FREE(s->table, s->span_codes, s->occurring, s->present, s->counts, s->child_of_name,
            s->new_name, s->order, s->cut_off, s->rows, s->violates, s->sum, s->parts, s->forbidden,
            s->same_child_until);
}

#define COUNT_ALL(type)                                           \
    do {                                                          \
        const type *codes = (const type *)c->codes;               \
        for (size_t i = begin; i < end; i++) {                    \
            s->table[(size_t)codes[i] * classes + g->klass[i]]++; \
        }                                                         \
    } while (0)

/* The codes of s->occurring, which is emptied, into s->present; all are within low..high. */
static void list_occurring(kn_grow_scratch *s, uint32_t low, uint32_t high)
{
    for (size_t w = low / 64; w <= high / 64; w++) {
        for (; s->occurring[w]; s->occurring[w] &= s->occurring[w] - 1) {
            s->present[s->present_count++] = (uint32_t)(w * 64) +
                                             (uint32_t)__builtin_ctzll(s->occurring[w]);
        }
    }
}

void kn__grow_count(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a)
{
    const kn_grow_column *c = &g->column[a];
    const size_t begin = g->tree->node[leaf].begin, end = g->tree->node[leaf].end;
    const size_t classes = g->classes;

    s->present_count = 0;
    if ((end - begin) * 4 < c->values) {
        /* A small leaf: visit the codes that occur, not the whole table. */
        uint32_t low = UINT32_MAX, high = 0;
        for (size_t i = begin; i < end; i++) {
            const uint32_t code = kn__code_get(c->codes, c->width, i);
            kn__bit_set(s->occurring, code);
            low = code < low ? code : low;
            high = code > high ? code : high;
            s->table[(size_t)code * classes + g->klass[i]]++;
        }
        if (begin < end) {
            list_occurring(s, low, high);
        }
    } else {
        if (c->width == 1) {
            COUNT_ALL(uint8_t);
        } else if (c->width == 2) {
            COUNT_ALL(uint16_t);
        } else {
            COUNT_ALL(uint32_t);
        }
        for (uint32_t code = 0; code < c->values; code++) {
            if (kn__grow_occurs(s, code, classes)) {
                s->present[s->present_count++] = code;
            }
        }
    }
    for (size_t i = 0; i < s->present_count; i++) {
        uint32_t *row = s->table + (size_t)s->present[i] * classes;
        memcpy(s->counts + i * classes, row, classes * sizeof *row);
        memset(row, 0, classes * sizeof *row);
    }
}

/* n ln n. */
static double grow_xlogx(const kn_grow_state *g, uint64_t n)
{
    return n < KN_GROW_XLOGX ? g->xlogx[n] : (double)n * log((double)n);
}

double kn__grow_impurity(const kn_grow_state *g, const uint64_t *by_class, uint64_t total)
{
    double sum = 0;

    if (g->o->gain == KN_GAIN_GINI) {
        for (size_t c = 0; total && c < g->classes; c++) {
            sum += (double)by_class[c] * (double)by_class[c];
        }
        return total ? (double)total - sum / (double)total : 0;
    }
    for (size_t c = 0; c < g->classes; c++) {
        sum += grow_xlogx(g, by_class[c]);
    }
    return grow_xlogx(g, total) - sum;
}

/* What chance is expected to add to the information of a split, if classes and values are
 * independent. Of the (n - 1)(c - 1) / 2 that n values and c classes get (half of the mean of the
 * G-test's statistic), the best subset keeps a share of 2 / pi. A threshold is the best of many,
 * and its choice costs what C4.5 takes for it. */
static double chance(const kn_grow_state *g, const kn_grow_scratch *s)
{
    const double values = (double)s->present_count - 1, classes = (double)g->classes - 1;

    if (s->split.missing_mode != KN_MISSING_MODES) {
        return log(fmax(values, 1));
    }
    const double freedom = classes * values;
    return s->split.subset ? freedom / 3.14159265358979 + sqrt(freedom) : 0;
}

void kn__grow_score(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf)
{
    kn_split *p = &s->split;
    const size_t classes = g->classes;
    const uint64_t *population = g->tree->population + (size_t)leaf * classes;
    const uint64_t total = g->tree->node[leaf].end - g->tree->node[leaf].begin;
    double impurity = 0, split_information = 0;
    unsigned sizable = 0;

    memset(p->counts, 0, (size_t)p->children * classes * sizeof *p->counts);
    for (size_t i = 0; i < s->present_count; i++) {
        uint64_t *to = p->counts + (size_t)p->child[s->present[i]] * classes;
        for (size_t c = 0; c < classes; c++) {
            to[c] += s->counts[i * classes + c];
        }
    }
    for (uint32_t i = 0; i < p->children; i++) {
        const uint64_t *counts = p->counts + (size_t)i * classes;
        const uint64_t n = kn__grow_total(counts, classes);
        impurity += kn__grow_impurity(g, counts, n);
        split_information -= grow_xlogx(g, n);
        sizable += n > 1;
    }
    split_information += grow_xlogx(g, total);
    p->gain = kn__grow_impurity(g, population, total) - impurity;
    if (p->gain < ROUNDING * (double)total) {
        p->gain = 0;
    }
    if (g->o->gain == KN_GAIN_RATIO || (g->o->prune && g->o->gain == KN_GAIN_INFORMATION)) {
        /* Pruning takes splits back that are not worth it, so none is lost here: those that gain no
         * more than by chance come last. */
        p->gain = fmax(p->gain - chance(g, s), g->o->prune ? 1e-6 * p->gain : 0);
    }
    if (g->o->gain == KN_GAIN_RATIO && sizable < 2) {
        p->gain = 0;
    }
    p->ratio = split_information > 0 ? p->gain / split_information : 0;
}

bool kn__grow_children_hold(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a)
{
    const kn_grow_column *c = &g->column[a];
    const kn_grown_node *n = &g->tree->node[leaf];
    bool all = true;

    for (uint32_t child = 0; child < s->split.children; child++) {
        size_t len = 0;
        for (size_t r = n->begin; r < n->end; r++) {
            if (s->split.child[kn__code_get(c->codes, c->width, r)] == child) {
                s->rows[len++] = g->tree->record[r];
            }
        }
        s->violates[child] = !g->o->holds(g->o->user, s->rows, len);
        all = all && !s->violates[child];
    }
    return all;
}

bool kn__grow_counts_are_safe(const kn_grow_state *g, const uint64_t *by_class, uint64_t total)
{
    const kn_grow_options *o = g->o;
    uint64_t most = 0, different = 0;
    double sum = 0, above;

    if (total == 0 || !g->has_limits) {
        return true;
    }
    if (total < o->k) {
        return false;
    }
    if (!o->target_hidden || (!(o->l > 0) && !(o->inference > 0))) {
        return true;
    }
    for (size_t c = 0; c < g->classes; c++) {
        most = by_class[c] > most ? by_class[c] : most;
        different += by_class[c] > 0;
        sum += grow_xlogx(g, by_class[c]);
    }
    if (o->inference > 0 && (double)most / (double)total > o->inference) {
        return false;
    }
    if (!(o->l > 0)) {
        return true;
    }
    if (o->distinct_l) {
        return (double)different >= o->l;
    }
    above = log((double)total) - sum / (double)total - log(o->l);
    if (fabs(above) > ROUNDING) {
        return above > 0;
    }
    /* Within rounding of the limit. The entropy is exactly log l where l values are equally
     * frequent; all other cases are refused. */
    return o->l <= 1 || (most * different == total && o->l <= (double)different);
}
