/* grow_cells.c - splits of categories: by value, by a level of the hierarchy, and what becomes of
 * values too rare to stand alone. */
#include "models/tree/grow_state.h"

#include <math.h>
#include <string.h>

/* The name of a code on a level, from which repairs go upwards. */
static uint32_t name_at(const kn_grow_attribute *a, unsigned level, uint32_t code)
{
    if (!a->domain) {
        return code;
    }
    return a->domain->start[code] == kn__domain_root(a->domain)
               ? kn__domain_root(a->domain)
               : a->domain->at_level[(size_t)level * a->domain->values + code];
}

/* The cell of a code: that of the lowest name above it that has one. */
static uint32_t cell_of(const kn_grow_attribute *a, const kn_grow_scratch *s, uint32_t code)
{
    const uint32_t root = kn__grow_root(a);
    uint32_t name = a->domain && a->domain->start[code] == root ? root : code;

    while (s->cell_of_name[name] == KN_NO_CODE && name != root) {
        name = kn__grow_above(a, name);
    }
    return s->cell_of_name[name] == KN_NO_CODE ? s->shape.cells : s->cell_of_name[name];
}

/* s->shape.cell from the names: of what occurs in the leaf, or, with `full`, of all codes. Others
 * matter where a public split is checked: records that private values sent elsewhere may have
 * them. */
static void assign(const kn_growing *g, kn_grow_scratch *s, uint32_t a, bool full)
{
    const kn_grow_column *c = &g->column[a];

    for (uint32_t i = 0; i < s->shape.cells; i++) {
        s->cell_of_name[s->shape.name[i]] = i;
    }
    if (full) {
        for (uint32_t code = 0; code < c->values; code++) {
            s->shape.cell[code] = cell_of(c->is, s, code);
        }
    } else {
        for (size_t i = 0; i < s->seen; i++) {
            s->shape.cell[s->touched[i]] = cell_of(c->is, s, s->touched[i]);
        }
    }
    for (uint32_t i = 0; i < s->shape.cells; i++) {
        s->cell_of_name[s->shape.name[i]] = KN_NO_CODE;
    }
}

void kn__grow_weigh(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf)
{
    kn_shape *p = &s->shape;
    const size_t classes = g->classes;
    const uint64_t *whole = g->tree->population + (size_t)leaf * classes;
    const uint64_t total = g->tree->node[leaf].end - g->tree->node[leaf].begin;
    double left = 0, split = 0;
    unsigned sizable = 0;

    memset(p->counts, 0, (size_t)p->cells * classes * sizeof *p->counts);
    for (size_t i = 0; i < s->seen; i++) {
        uint64_t *to = p->counts + (size_t)p->cell[s->touched[i]] * classes;
        for (size_t c = 0; c < classes; c++) {
            to[c] += s->counts[i * classes + c];
        }
    }
    for (uint32_t i = 0; i < p->cells; i++) {
        const uint64_t *of = p->counts + (size_t)i * classes;
        uint64_t n = 0;
        for (size_t c = 0; c < classes; c++) {
            n += of[c];
        }
        left += kn__grow_impurity(g, of, n);
        split -= kn__grow_xlogx(g, n);
        sizable += n > 1;
    }
    split += kn__grow_xlogx(g, total);
    p->gain = kn__grow_impurity(g, whole, total) - left;
    if (p->gain < 1e-9 * (double)total) {
        p->gain = 0;
    }
    if (g->o->gain == KN_GAIN_RATIO) {
        if (p->gaps != KN_GAPS_MODES && s->seen > 2) {
            /* A threshold is the best of many: what choosing it costs is taken off. */
            p->gain -= log((double)s->seen - 1);
        }
        if (p->gain < 0 || sizable < 2) {
            p->gain = 0;
        }
    }
    p->ratio = split > 0 ? p->gain / split : 0;
}

/* Which cells break the guarantee, into s->bad. */
static bool all_keep(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a, bool which)
{
    kn_shape *p = &s->shape;
    const size_t begin = g->tree->node[leaf].begin, end = g->tree->node[leaf].end;
    bool all = true;

    if (!g->limits) {
        return true;
    }
    if (g->book) {
        return g->column[a].is->hidden ? kn__span_table_private_keeps(g, leaf)
                                       : kn__span_table_public_keeps(g, s, leaf, a, which);
    }
    s->bad[p->cells] = 0;
    for (uint32_t i = 0; i < p->cells; i++) {
        const uint64_t *of = p->counts + (size_t)i * g->classes;
        uint64_t n = 0;
        for (size_t c = 0; c < g->classes; c++) {
            n += of[c];
        }
        s->bad[i] = !kn__grow_keeps(g, of, n);
        all = all && !s->bad[i];
    }
    for (uint32_t i = 0; all && g->o->holds && i < p->cells; i++) {
        size_t n = 0;
        for (size_t r = begin; r < end; r++) {
            if (p->cell[kn__code_get(g->column[a].codes, g->column[a].width, r)] == i) {
                s->rows[n++] = g->tree->record[r];
            }
        }
        s->bad[i] = !g->o->holds(g->o->user, s->rows, n);
    }
    for (uint32_t i = 0; i < p->cells; i++) {
        all = all && !s->bad[i];
    }
    return all;
}

static uint64_t size_of(const kn_growing *g, const kn_shape *p, uint32_t cell)
{
    uint64_t n = 0;

    for (size_t c = 0; c < g->classes; c++) {
        n += p->counts[(size_t)cell * g->classes + c];
    }
    return n;
}

/* Equal names become one cell. */
static void unite(kn_grow_scratch *s)
{
    kn_shape *p = &s->shape;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < p->cells; i++) {
        if (s->cell_of_name[p->name[i]] == KN_NO_CODE) {
            s->cell_of_name[p->name[i]] = kept;
            p->name[kept++] = p->name[i];
        }
    }
    p->cells = kept;
    for (uint32_t i = 0; i < kept; i++) {
        s->cell_of_name[p->name[i]] = KN_NO_CODE;
    }
}

/* What is below the new name of a bad cell goes with it. */
static void take_below(kn_grow_scratch *s, const kn_grow_attribute *a)
{
    kn_shape *p = &s->shape;
    const uint32_t root = kn__grow_root(a);

    for (uint32_t i = 0; i < p->cells; i++) {
        if (s->bad[i]) {
            s->cell_of_name[p->name[i]] = 0;
        }
    }
    for (uint32_t i = 0; i < p->cells; i++) {
        uint32_t top = p->name[i];
        for (uint32_t name = top;; name = kn__grow_above(a, name)) {
            top = s->cell_of_name[name] != KN_NO_CODE ? name : top;
            if (name == root) {
                break;
            }
        }
        s->own[i] = top;
    }
    for (uint32_t i = 0; i < p->cells; i++) {
        s->cell_of_name[p->name[i]] = KN_NO_CODE;
    }
    memcpy(p->name, s->own, p->cells * sizeof *p->name);
}

/* One step of a repair: names of bad cells go up, and those that meet become one. */
static void repair_names(const kn_growing *g, kn_grow_scratch *s, const kn_grow_attribute *a,
                         unsigned repair)
{
    kn_shape *p = &s->shape;
    const uint32_t root = kn__grow_root(a);
    const uint32_t missing = repair == KN_REPAIR_LUMP ? a->column->missing : KN_NO_CODE;
    uint32_t smallest = KN_NO_CODE, largest = KN_NO_CODE;
    bool stuck = s->bad[p->cells];

    for (uint32_t i = 0; i < p->cells; i++) {
        if (s->bad[i]) {
            stuck = stuck || p->name[i] == root;
            p->name[i] = kn__grow_above(a, p->name[i]);
        } else if (p->name[i] != root &&
                   (smallest == KN_NO_CODE || size_of(g, p, i) < size_of(g, p, smallest))) {
            smallest = i;
        }
        if (p->name[i] != missing &&
            (largest == KN_NO_CODE || size_of(g, p, i) > size_of(g, p, largest))) {
            largest = i;
        }
    }
    if (stuck) {
        /* Nothing above to go to: the rest takes in the smallest of the others, and records of no
         * cell go with the largest (a value before a missing one, as both repairs are tried). */
        const uint32_t joins = s->bad[p->cells] ? largest : smallest;
        if (joins != KN_NO_CODE) {
            p->name[joins] = root;
        }
    }
    if (repair == KN_REPAIR_CUT) {
        take_below(s, a);
    }
    unite(s);
}

/* Cells that names further down have left without records go; whether there were any. */
static bool drop_empty(const kn_growing *g, kn_shape *p)
{
    uint32_t kept = 0;
    const uint32_t cells = p->cells;

    for (uint32_t i = 0; i < cells; i++) {
        if (size_of(g, p, i) > 0) {
            p->name[kept++] = p->name[i];
        }
    }
    p->cells = kept;
    return kept < cells;
}

bool kn__grow_cells(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                    unsigned level, unsigned repair, bool check)
{
    kn_shape *p = &s->shape;
    const kn_grow_attribute *is = g->column[a].is;

    p->gaps = KN_GAPS_MODES;
    p->cells = (uint32_t)s->seen;
    for (size_t i = 0; i < s->seen; i++) {
        p->name[i] = name_at(is, level, s->touched[i]);
    }
    unite(s);
    while (p->cells > 1) {
        assign(g, s, a, check && g->book && !is->hidden);
        kn__grow_weigh(g, s, leaf);
        if (drop_empty(g, p)) {
            continue;
        }
        if (!check || all_keep(g, s, leaf, a, repair != KN_REPAIR_NONE)) {
            return true;
        }
        if (repair == KN_REPAIR_NONE || is->hidden) {
            return false;
        }
        repair_names(g, s, is, repair);
    }
    return false;
}
