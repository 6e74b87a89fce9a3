/* models/tree/cells.h - what the tests of a tree can tell apart in an attribute, and the tests in
 * terms of that. */
#ifndef KN_MODELS_TREE_CELLS_H
#define KN_MODELS_TREE_CELLS_H

#include "models/bind.h"

/** Where the truth of a test over numbers changes. */
typedef struct kn_bound_cut {
    double at;
    bool above; /* between <= at and > at; otherwise between < at and >= at */
} kn_bound_cut;

typedef struct kn_tree_cells {
    bool looked_at;
    uint32_t count;     /* cells 0..count-1, the missing one last */
    uint32_t missing;   /* the cell of a missing value; KN_NO_CODE: it is not possible */
    size_t words;       /* 64-bit words of a set of cells */
    uint32_t *of;       /* by code of the column: its cell */
    uint64_t *possible; /* those that hold a value of the domain */
    kn_bound_cut *cut;  /* numbers: ascending; cell c is below cut c and above cut c - 1 */
    size_t cuts, cuts_cap;
    uint32_t *of_value; /* categories: by place in the domain */
} kn_tree_cells;

/** A test of the model over cells. */
typedef struct kn_cell_test {
    kn_test_kind kind;
    uint32_t attribute;
    bool asks;         /* it is unknown for a missing value */
    bool inverted;     /* true where the set or range is not */
    uint32_t from, to; /* numbers, one cell, TRUE and FALSE: cells from..to-1 */
    uint64_t *yes;     /* categories: a set of several cells; NULL: from..to */
    struct kn_cell_test *parts;
    size_t parts_count;
} kn_cell_test;

/** Cells for all attributes that tests look at, by attribute. Values of the class are a cell each.
 */
kn_status kn__tree_cells_make(kn_tree_cells **out, const kn_bound *b, kn_error *err);
void kn__tree_cells_free(kn_tree_cells *cells, size_t attributes);
/** Whether there is a cell that holds numbers of the domain but no whole one, in an attribute of
 * which only whole ones are possible: with such a gap spans may be others than without it. */
kn_status kn__tree_cells_have_gaps(bool *gaps, const kn_bound *b, kn_error *err);

/** `from` in terms of `cells`, into the zeroed `to`, which kn__cell_test_clear frees in any case.
 */
kn_status kn__cell_test_make(kn_cell_test *to, const kn_test *from, const kn_tree_cells *cells,
                             kn_error *err);
void kn__cell_test_clear(kn_cell_test *t);

/** Word `w` of the set of cells in which the simple test `t` is true. */
static inline uint64_t kn__cell_test_word(const kn_cell_test *t, const kn_tree_cells *c, size_t w)
{
    const size_t first = w * 64, values = c->missing == KN_NO_CODE ? c->count : c->missing;
    uint64_t word;

    if (t->kind == KN_TEST_MISSING) {
        return c->missing / 64 == w && c->missing != KN_NO_CODE ? UINT64_C(1) << c->missing % 64
                                                                : 0;
    }
    if (t->yes) {
        word = t->yes[w];
    } else {
        const size_t from = t->from > first ? t->from - first : 0;
        const size_t to = t->to > first ? t->to - first : 0;
        const uint64_t upto = to >= 64 ? UINT64_MAX : (UINT64_C(1) << to) - 1;
        word = from >= 64 ? 0 : upto & ~((UINT64_C(1) << from) - 1);
    }
    if (t->inverted) {
        word = ~word;
    }
    if (first + 64 > values) {
        word &= first >= values ? 0 : UINT64_MAX >> (first + 64 - values);
    }
    return word;
}

/** Whether the simple test `t` is true in cell `cell`, which is not one that it is unknown in. */
static inline bool kn__cell_test_true(const kn_cell_test *t, const kn_tree_cells *c, uint32_t cell)
{
    if (t->kind == KN_TEST_MISSING || cell == c->missing) {
        return t->kind == KN_TEST_MISSING && cell == c->missing;
    }
    return (t->yes ? (t->yes[cell / 64] >> cell % 64 & 1) != 0 : cell >= t->from && cell < t->to) !=
           t->inverted;
}

#endif
