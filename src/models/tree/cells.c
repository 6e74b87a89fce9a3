/* cells.c - the cells of an attribute: numbers are divided at the thresholds of tests, categories
 * by partition refinement with the sets that tests name. */
#include "models/tree/cells.h"
#include "base/bits.h"
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

static int compare_thresholds(const void *x, const void *y)
{
    const kn_threshold *a = x, *b = y;

    return a->at != b->at ? (a->at > b->at) - (a->at < b->at) : a->above - b->above;
}

static kn_status add_threshold(kn_tree_cells *c, double at, bool above, kn_error *err)
{
    const kn_status status = kn__grow(&c->threshold, &c->thresholds_cap, c->thresholds + 1,
                                      sizeof *c->threshold, err);

    if (status == KN_OK) {
        c->threshold[c->thresholds++] = (kn_threshold){at, above};
    }
    return status;
}

static kn_status collect_thresholds(kn_tree_cells *cells, const kn_test *t, kn_error *err)
{
    kn_tree_cells *c;
    bool below = false, above = false;

    for (size_t i = 0; i < t->parts_count; i++) {
        KN_PASS(collect_thresholds(cells, &t->parts[i], err));
    }
    if (!simple(t)) {
        return KN_OK;
    }
    c = &cells[t->attribute];
    c->used = true;
    switch (t->kind) {
    case KN_TEST_LESS:
    case KN_TEST_GREATER_EQUAL: below = true; break;
    case KN_TEST_LESS_EQUAL:
    case KN_TEST_GREATER: above = true; break;
    case KN_TEST_EQUAL:
    case KN_TEST_NOT_EQUAL: below = above = true; break;
    default: break;
    }
    if (below) {
        KN_PASS(add_threshold(c, t->number, false, err));
    }
    if (above) {
        KN_PASS(add_threshold(c, t->number, true, err));
    }
    return KN_OK;
}

static void sort_thresholds(kn_tree_cells *c)
{
    size_t kept = 0;

    if (c->thresholds) {
        qsort(c->threshold, c->thresholds, sizeof *c->threshold, compare_thresholds);
    }
    for (size_t i = 0; i < c->thresholds; i++) {
        if (kept == 0 || compare_thresholds(&c->threshold[kept - 1], &c->threshold[i]) != 0) {
            c->threshold[kept++] = c->threshold[i];
        }
    }
    c->thresholds = kept;
}

/* The cell of a number: how many thresholds are below it. */
static uint32_t cell_of_number(const kn_tree_cells *c, double x)
{
    size_t low = 0, high = c->thresholds;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const kn_threshold *threshold = &c->threshold[middle];
        if (threshold->above ? x > threshold->at : x >= threshold->at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (uint32_t)low;
}

static uint32_t place_of_threshold(const kn_tree_cells *c, double at, bool above)
{
    const kn_threshold threshold = {at, above};
    const kn_threshold *found = bsearch(&threshold, c->threshold, c->thresholds, sizeof threshold,
                                        compare_thresholds);

    return (uint32_t)(found - c->threshold);
}

/* Whether some real number of low..high is in the cell. */
static bool holds_real(const kn_tree_cells *c, uint32_t cell, double low, double high)
{
    bool low_in = true, high_in = true;

    if (low > high) {
        return false;
    }
    if (cell > 0 && c->threshold[cell - 1].at >= low) {
        low = c->threshold[cell - 1].at;
        low_in = !c->threshold[cell - 1].above;
    }
    if (cell < c->thresholds && c->threshold[cell].at <= high) {
        high = c->threshold[cell].at;
        high_in = c->threshold[cell].above;
    }
    return low < high || (low == high && low_in && high_in);
}

/* Whether some integer of low..high is in the cell. */
static bool holds_integer(const kn_tree_cells *c, uint32_t cell, double low, double high)
{
    const kn_threshold *before = cell > 0 ? &c->threshold[cell - 1] : NULL;
    const kn_threshold *after = cell < c->thresholds ? &c->threshold[cell] : NULL;

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

/* A partition of values into cells while tests refine it. */
typedef struct refinement {
    uint32_t
        *split; /* by cell: the new cell of its values in the current set, if round is current */
    uint32_t *round;
    uint32_t cells, rounds;
} refinement;

/* Separate the given values from all others: each cell that contains some is split in two. */
static void refine_by(kn_tree_cells *c, refinement *p, const uint32_t *values, size_t count)
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

/* Number the cells that are not empty anew, by their first value. */
static void renumber(kn_tree_cells *c, refinement *p, uint32_t values)
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

static void refine_by_test(kn_tree_cells *c, refinement *p, const kn_test *t, uint32_t attribute,
                           uint32_t values)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        refine_by_test(c, p, &t->parts[i], attribute, values);
    }
    if ((t->kind == KN_TEST_IN || t->kind == KN_TEST_NOT_IN) && t->attribute == attribute) {
        if (p->cells + t->values_count > 2 * (size_t)values + 1) {
            renumber(c, p, values);
        }
        refine_by(c, p, t->values, t->values_count);
    }
}

/* Make the cells of a category; `alone`: one per value. */
static kn_status refine(kn_tree_cells *c, const kn_tree *t, uint32_t attribute, uint32_t values,
                        bool alone, uint32_t *count, kn_error *err)
{
    const size_t most_cells = 3 * (size_t)values + 2;
    refinement p = {.cells = 1};
    kn_status status;

    c->of_value = kn__zalloc_array(values ? values : 1, sizeof *c->of_value);
    p.split = kn__zalloc_array(most_cells, sizeof *p.split);
    p.round = kn__zalloc_array(most_cells, sizeof *p.round);
    KN_TRY(c->of_value && p.split && p.round ? KN_OK : kn__nomem(err));
    if (alone) {
        for (uint32_t v = 0; v < values; v++) {
            c->of_value[v] = v;
        }
        *count = values;
    } else {
        for (size_t i = 0; i < t->nodes; i++) {
            refine_by_test(c, &p, &t->node[i].test, attribute, values);
        }
        renumber(c, &p, values);
        *count = p.cells;
    }
done:
    KN_FREE(p.split, p.round);
    return status;
}

/* ---- all ---- */

static uint32_t cell_of_code(const kn_tree_cells *c, const kn_bound_attribute *a, uint32_t code)
{
    if (code == a->column->missing) {
        return c->missing;
    }
    return c->of_value ? c->of_value[a->code[code]] : cell_of_number(c, a->column->numbers[code]);
}

/* Fill what follows from the cells of values: the missing cell, the possible cells, those of codes.
 */
static kn_status finish(kn_tree_cells *c, const kn_bound_attribute *a, uint32_t values,
                        kn_error *err)
{
    const uint32_t codes = kn__column_values(a->column);
    bool (*const holds)(const kn_tree_cells *, uint32_t, double,
                        double) = a->integers ? holds_integer : holds_real;

    c->missing = a->missing ? values : KN_NO_CODE;
    c->count = values + a->missing;
    c->words = kn__bits_words(c->count);
    c->possible = kn__zalloc_array(c->words ? c->words : 1, sizeof *c->possible);
    c->of = kn__malloc_array(codes ? codes : 1, sizeof *c->of);
    KN_PASS(c->possible && c->of ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < codes; i++) {
        c->of[i] = cell_of_code(c, a, i);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        if (i == c->missing || (!c->of_value && holds(c, i, a->low, a->high))) {
            kn__bit_set(c->possible, i);
        }
    }
    for (uint32_t v = 0; c->of_value && v < a->values; v++) {
        if (!a->possible || a->possible[v]) {
            kn__bit_set(c->possible, c->of_value[v]);
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
        KN_TRY(collect_thresholds(cells, &t->node[i].test, err));
    }
    for (uint32_t i = 0; i < m->attributes; i++) {
        const kn_bound_attribute *a = &b->attribute[i];
        kn_tree_cells *c = &cells[i];
        uint32_t values = 0;
        c->used = a->column && (c->used || i == t->class_attribute);
        if (!c->used) {
            continue;
        }
        if (m->attribute[i].values) {
            KN_TRY(refine(c, t, i, a->values, i == t->class_attribute, &values, err));
        } else {
            sort_thresholds(c);
            values = (uint32_t)c->thresholds + 1;
        }
        KN_TRY(finish(c, a, values, err));
    }
    *out = cells;
    cells = NULL;
done:
    kn__tree_cells_free(cells, m->attributes);
    return status;
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
        for (uint32_t j = 0; c->used && a->integers && j <= c->thresholds; j++) {
            *gaps = *gaps ||
                    holds_real(c, j, a->low, a->high) != holds_integer(c, j, a->low, a->high);
        }
    }
done:
    kn__tree_cells_free(cells, b->model->attributes);
    return status;
}

void kn__tree_cells_free(kn_tree_cells *cells, size_t attributes)
{
    for (size_t i = 0; cells && i < attributes; i++) {
        KN_FREE(cells[i].of, cells[i].possible, cells[i].threshold, cells[i].of_value);
    }
    kn__free(cells);
}

/* The cells of the values that a test names. One cell is a range; only larger sets need one bit per
 * cell, which would be gigabytes in a file with as many tests as values. */
static kn_status make_members(kn_cell_test *to, const kn_test *from, const kn_tree_cells *c,
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
    to->members = kn__zalloc_array(c->words ? c->words : 1, sizeof *to->members);
    KN_PASS(to->members ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < from->values_count; i++) {
        const uint32_t cell = c->of_value[from->values[i]];
        kn__bit_set(to->members, cell);
    }
    return KN_OK;
}

kn_status kn__cell_test_make(kn_cell_test *to, const kn_test *from, const kn_tree_cells *cells,
                             kn_error *err)
{
    const kn_tree_cells *c = &cells[from->attribute];

    *to = (kn_cell_test){.kind = from->kind, .attribute = from->attribute};
    if (from->kind >= KN_TEST_AND) {
        to->parts = kn__zalloc_array(from->parts_count, sizeof *to->parts);
        KN_PASS(to->parts ? KN_OK : kn__nomem(err));
        for (size_t i = 0; i < from->parts_count; i++) {
            to->parts_count = i + 1;
            KN_PASS(kn__cell_test_make(&to->parts[i], &from->parts[i], cells, err));
        }
        return KN_OK;
    }
    to->asks = simple(from) && from->kind != KN_TEST_MISSING && from->kind != KN_TEST_NOT_MISSING;
    to->inverted = from->kind == KN_TEST_GREATER_EQUAL || from->kind == KN_TEST_GREATER ||
                   from->kind == KN_TEST_NOT_EQUAL || from->kind == KN_TEST_NOT_IN ||
                   from->kind == KN_TEST_NOT_MISSING;
    switch (from->kind) {
    case KN_TEST_LESS:
    case KN_TEST_GREATER_EQUAL: to->to = place_of_threshold(c, from->number, false) + 1; break;
    case KN_TEST_LESS_EQUAL:
    case KN_TEST_GREATER: to->to = place_of_threshold(c, from->number, true) + 1; break;
    case KN_TEST_EQUAL:
    case KN_TEST_NOT_EQUAL:
        to->from = place_of_threshold(c, from->number, false) + 1;
        to->to = place_of_threshold(c, from->number, true) + 1;
        break;
    case KN_TEST_IN:
    case KN_TEST_NOT_IN: KN_PASS(make_members(to, from, c, err)); break;
    default: break;
    }
    return KN_OK;
}

void kn__cell_test_clear(kn_cell_test *t)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        kn__cell_test_clear(&t->parts[i]);
    }
    KN_FREE(t->parts, t->members);
    *t = (kn_cell_test){0};
}
