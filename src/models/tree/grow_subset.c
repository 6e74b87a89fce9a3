/* grow_subset.c - splits of categories in two: some values against all others.
 *
 * With two classes the best split of a node is a prefix of its values in the order of their share
 * of one class (Breiman et al., CART, theorem 4.5). With more classes the order of each class is
 * tried. Where the guarantee forbids the best prefix, single values against the rest are candidates
 * of their own. The side with fewer records lists its values; "all others" also takes values that
 * the node does not have. */
#include "models/tree/grow_state.h"

#include <string.h>

enum { TRIES = 16 }; /* cuts that are checked against the spans */

/* The first `length` values in the order of a class or, if `single`, the value at `length`. */
typedef struct cut {
    double gain;
    size_t class_number, length;
    bool single;
} cut;

typedef struct cuts {
    cut at[TRIES];
    size_t count, most;
} cuts;

static void keep_cut(cuts *c, cut new)
{
    size_t at = c->count;

    if (at == c->most) {
        if (new.gain <= c->at[at - 1].gain *(1 + 1e-12)) {
            return;
        }
        at--;
    } else {
        c->count++;
    }
    for (; at > 0 && new.gain > c->at[at - 1].gain *(1 + 1e-12); at--) {
        c->at[at] = c->at[at - 1];
    }
    c->at[at] = new;
}

/* Order the values by descending share of the class; of equals the first comes first. */
static void order_values(const kn_grow_state *g, kn_grow_scratch *s, size_t class_number)
{
    for (size_t i = 0; i < s->present_count; i++) {
        const uint32_t *counts = s->counts + i * g->classes;
        uint64_t total = 0;
        for (size_t c = 0; c < g->classes; c++) {
            total += counts[c];
        }
        s->order[i] = (kn_ranked){(double)counts[class_number] / (double)total, (uint32_t)i};
    }
    kn__sort_ranked_down(s->order, s->present_count);
}

/* Add the cut if it gains and, where the counts of the leaf decide it, is safe. left: class counts
 * of the values that are cut off. */
static void offer(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, bool check, cuts *to,
                  cut new)
{
    const size_t classes = g->classes;
    const uint64_t *population = g->tree->population + (size_t)leaf * classes;
    const uint64_t total = g->tree->node[leaf].end - g->tree->node[leaf].begin;
    uint64_t *left = s->sum, *right = s->sum + classes, lefts = 0;

    for (size_t c = 0; c < classes; c++) {
        right[c] = population[c] - left[c];
        lefts += left[c];
    }
    if (check && (!kn__grow_is_large(g, lefts) || !kn__grow_is_large(g, total - lefts) ||
                  (!g->spans && (!kn__grow_counts_are_safe(g, left, lefts) ||
                                 !kn__grow_counts_are_safe(g, right, total - lefts))))) {
        return;
    }
    new.gain = kn__grow_impurity(g, population, total) - kn__grow_impurity(g, left, lefts) -
               kn__grow_impurity(g, right, total - lefts);
    if (new.gain > 1e-9 * (double)total) {
        keep_cut(to, new);
    }
}

static void find_cuts(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, bool check,
                      cuts *to)
{
    const size_t classes = g->classes;

    /* With two classes the order of the second is that of the first, reversed. */
    for (size_t k = 0; k < (classes == 2 ? 1 : classes); k++) {
        order_values(g, s, k);
        memset(s->sum, 0, classes * sizeof *s->sum);
        for (size_t i = 0; i + 1 < s->present_count; i++) {
            for (size_t c = 0; c < classes; c++) {
                s->sum[c] += s->counts[s->order[i].id * classes + c];
            }
            offer(g, s, leaf, check, to, (cut){.class_number = k, .length = i + 1});
        }
    }
    for (size_t i = 0; check && s->present_count > 2 && i < s->present_count; i++) {
        for (size_t c = 0; c < classes; c++) {
            s->sum[c] = s->counts[i * classes + c];
        }
        offer(g, s, leaf, check, to, (cut){.length = i, .single = true});
    }
}

/* Make s->split of a cut: child 0 lists its values, child 1 takes all others. */
static void apply_cut(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                      const cut *own)
{
    const kn_grow_column *c = &g->column[a];
    kn_split *p = &s->split;
    uint64_t records = 0;
    const uint64_t total = g->tree->node[leaf].end - g->tree->node[leaf].begin;

    p->missing_mode = KN_MISSING_MODES;
    p->subset = true;
    p->children = 2;
    if (!own->single) {
        order_values(g, s, own->class_number);
    }
    memset(s->cut_off, 0, s->present_count);
    for (size_t i = own->single ? own->length : 0; i < own->length + own->single; i++) {
        const size_t place = own->single ? i : s->order[i].id;
        s->cut_off[place] = 1;
        for (size_t k = 0; k < g->classes; k++) {
            records += s->counts[place * g->classes + k];
        }
    }
    for (uint32_t code = 0; code < c->values; code++) {
        p->child[code] = 1;
    }
    for (size_t i = 0; i < s->present_count; i++) {
        p->child[s->present[i]] = s->cut_off[i] == (2 * records > total);
    }
    kn__grow_score(g, s, leaf);
}

bool kn__grow_split_subset(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                           bool check)
{
    const bool ask = check && (g->spans || g->o->holds);
    cuts found = {.most = ask ? TRIES : 1};

    if (check && g->spans && g->column[a].attribute->hidden &&
        !kn__private_split_is_safe(g, leaf)) {
        return false;
    }
    find_cuts(g, s, leaf, check, &found);
    for (size_t i = 0; i < found.count; i++) {
        apply_cut(g, s, leaf, a, &found.at[i]);
        if (!ask || kn__grow_split_is_safe(g, s, leaf, a, false)) {
            return true;
        }
    }
    return false;
}
