/* cells.c - cells: numbers are cut where the truth of a test changes, categories are parted by
 * the sets that tests name. */
#include "models/tree/cells.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool simple(const kn_test *t)
{
    return t->kind < KN_TEST_AND && t->kind != KN_TEST_TRUE && t->kind != KN_TEST_FALSE;
}

/* ---- numbers ---- */

static int compare_cuts(const void *x, const void *y)
{
    const kn_bound_cut *a = x, *b = y;

    return a->at != b->at ? (a->at > b->at) - (a->at < b->at) : a->above - b->above;
}

static kn_status add_cut(kn_tree_cells *c, double at, bool above, kn_error *err)
{
    const kn_status st = kn__grow(&c->cut, &c->cuts_cap, c->cuts + 1, sizeof *c->cut, err);

    if (st == KN_OK) {
        c->cut[c->cuts++] = (kn_bound_cut){at, above};
    }
    return st;
}

static kn_status collect_cuts(kn_tree_cells *cells, const kn_test *t, kn_error *err)
{
    kn_status st = KN_OK;

    for (size_t i = 0; st == KN_OK && i < t->parts_count; i++) {
        st = collect_cuts(cells, &t->parts[i], err);
    }
    if (st != KN_OK || !simple(t)) {
        return st;
    }
    cells[t->attribute].looked_at = true;
    switch (t->kind) {
    case KN_TEST_LESS:
    case KN_TEST_GREATER_EQUAL: return add_cut(&cells[t->attribute], t->number, false, err);
    case KN_TEST_LESS_EQUAL:
    case KN_TEST_GREATER: return add_cut(&cells[t->attribute], t->number, true, err);
    case KN_TEST_EQUAL:
    case KN_TEST_NOT_EQUAL:
        st = add_cut(&cells[t->attribute], t->number, false, err);
        return st == KN_OK ? add_cut(&cells[t->attribute], t->number, true, err) : st;
    default: return KN_OK;
    }
}

static void sort_cuts(kn_tree_cells *c)
{
    size_t kept = 0;

    if (c->cuts) {
        qsort(c->cut, c->cuts, sizeof *c->cut, compare_cuts);
    }
    for (size_t i = 0; i < c->cuts; i++) {
        if (kept == 0 || compare_cuts(&c->cut[kept - 1], &c->cut[i]) != 0) {
            c->cut[kept++] = c->cut[i];
        }
    }
    c->cuts = kept;
}

/* The cell of a number: how many cuts it is above. */
static uint32_t cell_of_number(const kn_tree_cells *c, double x)
{
    size_t low = 0, high = c->cuts;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const kn_bound_cut *cut = &c->cut[middle];
        if (cut->above ? x > cut->at : x >= cut->at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (uint32_t)low;
}

static uint32_t place_of_cut(const kn_tree_cells *c, double at, bool above)
{
    const kn_bound_cut cut = {at, above};
    const kn_bound_cut *found = bsearch(&cut, c->cut, c->cuts, sizeof cut, compare_cuts);

    return (uint32_t)(found - c->cut);
}

/* Whether some real number of low..high is in the cell. */
static bool holds_number(const kn_tree_cells *c, uint32_t cell, double low, double high)
{
    bool low_in = true, high_in = true;

    if (low > high) {
        return false;
    }
    if (cell > 0 && c->cut[cell - 1].at >= low) {
        low = c->cut[cell - 1].at;
        low_in = !c->cut[cell - 1].above;
    }
    if (cell < c->cuts && c->cut[cell].at <= high) {
        high = c->cut[cell].at;
        high_in = c->cut[cell].above;
    }
    return low < high || (low == high && low_in && high_in);
}

/* The same of whole numbers. */
static bool holds_whole(const kn_tree_cells *c, uint32_t cell, double low, double high)
{
    const kn_bound_cut *before = cell > 0 ? &c->cut[cell - 1] : NULL;
    const kn_bound_cut *after = cell < c->cuts ? &c->cut[cell] : NULL;

    low = ceil(low);
    high = floor(high);
    if (before) {
        low = fmax(low, before->above ? floor(before->at) + 1 : ceil(before->at));
    }
    if (after) {
        high = fmin(high, after->above ? floor(after->at) : ceil(after->at) - 1);
    }
    return low <= high;
}

/* ---- categories ---- */

/* Cells while they are being parted. */
typedef struct parting {
    uint32_t *split; /* by cell: where its values of this test go; valid if round is this test's */
    uint32_t *round;
    uint32_t cells, rounds;
} parting;

static void part_by(kn_tree_cells *c, parting *p, const uint32_t *values, size_t count)
{
    p->rounds++;
    for (size_t i = 0; i < count; i++) {
        const uint32_t cell = c->of_value[values[i]];
        if (p->round[cell] != p->rounds) {
            p->round[cell] = p->rounds;
            p->split[cell] = p->cells;
            p->round[p->cells++] = 0;
        }
        c->of_value[values[i]] = p->split[cell];
    }
}

/* Number the cells that hold something anew, by their first value. */
static void renumber(kn_tree_cells *c, parting *p, uint32_t values)
{
    memset(p->split, 0xff, p->cells * sizeof *p->split);
    p->cells = 0;
    for (uint32_t v = 0; v < values; v++) {
        const uint32_t cell = c->of_value[v];
        if (p->split[cell] == KN_NO_CODE) {
            p->split[cell] = p->cells++;
        }
        c->of_value[v] = p->split[cell];
    }
    for (uint32_t i = 0; i < p->cells; i++) {
        p->round[i] = 0;
    }
    p->rounds = 0;
}

static void part_by_test(kn_tree_cells *c, parting *p, const kn_test *t, uint32_t attribute,
                         uint32_t values)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        part_by_test(c, p, &t->parts[i], attribute, values);
    }
    if ((t->kind == KN_TEST_IN || t->kind == KN_TEST_NOT_IN) && t->attribute == attribute) {
        if (p->cells + t->values_count > 2 * (size_t)values + 1) {
            renumber(c, p, values);
        }
        part_by(c, p, t->values, t->values_count);
    }
}

static kn_status part(kn_tree_cells *c, const kn_tree *t, uint32_t attribute, uint32_t values,
                      bool alone, uint32_t *count, kn_error *err)
{
    const size_t room = 3 * (size_t)values + 2;
    parting p = {.cells = 1};
    kn_status st = KN_OK;

    c->of_value = kn__zalloc_array(values ? values : 1, sizeof *c->of_value);
    p.split = kn__zalloc_array(room, sizeof *p.split);
    p.round = kn__zalloc_array(room, sizeof *p.round);
    if (!c->of_value || !p.split || !p.round) {
        st = kn__nomem(err);
    } else if (alone) {
        for (uint32_t v = 0; v < values; v++) {
            c->of_value[v] = v;
        }
        *count = values;
    } else {
        for (size_t i = 0; i < t->nodes; i++) {
            part_by_test(c, &p, &t->node[i].test, attribute, values);
        }
        renumber(c, &p, values);
        *count = p.cells;
    }
    kn__free(p.split);
    kn__free(p.round);
    return st;
}

/* ---- all ---- */

static kn_status finish(kn_tree_cells *c, const kn_bound_attribute *a, uint32_t values,
                        kn_error *err)
{
    const kn_column *column = a->column;

    c->missing = a->missing ? values : KN_NO_CODE;
    c->count = values + a->missing;
    c->words = ((size_t)c->count + 63) / 64;
    c->possible = kn__zalloc_array(c->words ? c->words : 1, sizeof *c->possible);
    c->of = kn__malloc_array(kn__column_values(column) ? kn__column_values(column) : 1,
                             sizeof *c->of);
    if (!c->possible || !c->of) {
        return kn__nomem(err);
    }
    for (uint32_t i = 0; i < kn__column_values(column); i++) {
        c->of[i] = i == column->missing ? c->missing
                   : c->of_value        ? c->of_value[a->code[i]]
                                        : cell_of_number(c, column->numbers[i]);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        if (i == c->missing ||
            (!c->of_value && (a->integers ? holds_whole : holds_number)(c, i, a->low, a->high))) {
            c->possible[i / 64] |= UINT64_C(1) << i % 64;
        }
    }
    for (uint32_t v = 0; c->of_value && v < a->values; v++) {
        if (!a->possible || a->possible[v]) {
            c->possible[c->of_value[v] / 64] |= UINT64_C(1) << c->of_value[v] % 64;
        }
    }
    return KN_OK;
}

kn_status kn__tree_cells_make(kn_tree_cells **out, const kn_bound *b, kn_error *err)
{
    const kn_model *m = b->model;
    const kn_tree *t = &m->tree;
    kn_tree_cells *cells = kn__zalloc_array(m->attributes, sizeof *cells);
    kn_status status;

    *out = NULL;
    KN_TRY(cells ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < t->nodes; i++) {
        KN_TRY(collect_cuts(cells, &t->node[i].test, err));
    }
    for (uint32_t i = 0; i < m->attributes; i++) {
        const kn_bound_attribute *a = &b->attribute[i];
        kn_tree_cells *c = &cells[i];
        uint32_t values = 0;
        c->looked_at = a->column && (c->looked_at || i == t->class_attribute);
        if (!c->looked_at) {
            continue;
        }
        if (m->attribute[i].values) {
            KN_TRY(part(c, t, i, a->values, i == t->class_attribute, &values, err));
        } else {
            sort_cuts(c);
            values = (uint32_t)c->cuts + 1;
        }
        KN_TRY(finish(c, a, values, err));
    }
done:
    if (status != KN_OK) {
        kn__tree_cells_free(cells, m->attributes);
        return status;
    }
    *out = cells;
    return KN_OK;
}

kn_status kn__tree_cells_have_gaps(bool *gaps, const kn_bound *b, kn_error *err)
{
    kn_tree_cells *cells;
    kn_status status;

    *gaps = false;
    KN_TRY(kn__tree_cells_make(&cells, b, err));
    for (size_t i = 0; i < b->model->attributes; i++) {
        const kn_tree_cells *c = &cells[i];
        const kn_bound_attribute *a = &b->attribute[i];
        for (uint32_t j = 0; c->looked_at && a->integers && j <= c->cuts; j++) {
            *gaps = *gaps ||
                    holds_number(c, j, a->low, a->high) != holds_whole(c, j, a->low, a->high);
        }
    }
done:
    kn__tree_cells_free(cells, b->model->attributes);
    return status;
}

void kn__tree_cells_free(kn_tree_cells *cells, size_t attributes)
{
    for (size_t i = 0; cells && i < attributes; i++) {
        kn__free(cells[i].of);
        kn__free(cells[i].possible);
        kn__free(cells[i].cut);
        kn__free(cells[i].of_value);
    }
    kn__free(cells);
}

/* One cell is a range; only other sets need a bit a cell, of which a file with as many tests as
 * values makes gigabytes. */
static kn_status make_set(kn_cell_test *to, const kn_test *from, const kn_tree_cells *c,
                          kn_error *err)
{
    uint32_t first = KN_NO_CODE, last = 0;

    for (size_t i = 0; i < from->values_count; i++) {
        const uint32_t cell = c->of_value[from->values[i]];
        first = cell < first ? cell : first;
        last = cell > last ? cell : last;
    }
    if (first == KN_NO_CODE || first == last) {
        to->from = first == KN_NO_CODE ? 0 : first;
        to->to = first == KN_NO_CODE ? 0 : last + 1;
        return KN_OK;
    }
    to->yes = kn__zalloc_array(c->words ? c->words : 1, sizeof *to->yes);
    if (!to->yes) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < from->values_count; i++) {
        const uint32_t cell = c->of_value[from->values[i]];
        to->yes[cell / 64] |= UINT64_C(1) << cell % 64;
    }
    return KN_OK;
}

kn_status kn__cell_test_make(kn_cell_test *to, const kn_test *from, const kn_tree_cells *cells,
                             kn_error *err)
{
    const kn_tree_cells *c = &cells[from->attribute];
    kn_status st = KN_OK;

    *to = (kn_cell_test){.kind = from->kind, .attribute = from->attribute};
    if (from->kind >= KN_TEST_AND) {
        to->parts = kn__zalloc_array(from->parts_count, sizeof *to->parts);
        st = to->parts ? KN_OK : kn__nomem(err);
        for (size_t i = 0; st == KN_OK && i < from->parts_count; i++) {
            to->parts_count = i + 1;
            st = kn__cell_test_make(&to->parts[i], &from->parts[i], cells, err);
        }
        return st;
    }
    to->asks = simple(from) && from->kind != KN_TEST_MISSING && from->kind != KN_TEST_NOT_MISSING;
    to->inverted = from->kind == KN_TEST_GREATER_EQUAL || from->kind == KN_TEST_GREATER ||
                   from->kind == KN_TEST_NOT_EQUAL || from->kind == KN_TEST_NOT_IN ||
                   from->kind == KN_TEST_NOT_MISSING;
    switch (from->kind) {
    case KN_TEST_LESS:
    case KN_TEST_GREATER_EQUAL: to->to = place_of_cut(c, from->number, false) + 1; break;
    case KN_TEST_LESS_EQUAL:
    case KN_TEST_GREATER: to->to = place_of_cut(c, from->number, true) + 1; break;
    case KN_TEST_EQUAL:
    case KN_TEST_NOT_EQUAL:
        to->from = place_of_cut(c, from->number, false) + 1;
        to->to = place_of_cut(c, from->number, true) + 1;
        break;
    case KN_TEST_IN:
    case KN_TEST_NOT_IN: st = make_set(to, from, c, err); break;
    default: break;
    }
    return st;
}

void kn__cell_test_clear(kn_cell_test *t)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        kn__cell_test_clear(&t->parts[i]);
    }
    kn__free(t->parts);
    kn__free(t->yes);
    *t = (kn_cell_test){0};
}
