/* models/tree/cells.h - the cells of an attribute, and tests over cells.
 *
 * A cell is a set of values that no test of the tree separates: an interval between two
 * neighbouring thresholds, a threshold itself, a set of categories, or the missing value. The cells
 * of an attribute are a partition of its domain; every test is a union of cells. */
#ifndef KN_MODELS_TREE_CELLS_H
#define KN_MODELS_TREE_CELLS_H

#include "base/bits.h"
#include "models/bind.h"

/** A number at which the truth of a test changes. */
typedef struct kn_threshold {
    double at;
    bool above; /* between <= at and > at; otherwise between < at and >= at */
} kn_threshold;

typedef struct kn_tree_cells {
    bool used;               /* some test asks for the attribute, or it is the class */
    uint32_t count;          /* cells 0..count-1, the missing one last */
    uint32_t missing;        /* the cell of a missing value; KN_NO_CODE: it is not possible */
    size_t words;            /* 64-bit words of a set of cells */
    uint32_t *of;            /* by code of the column: its cell */
    uint64_t *possible;      /* set of the cells that contain a value of the domain */
    kn_threshold *threshold; /* numbers: ascending; cell c lies between thresholds c - 1 and c */
    size_t thresholds, thresholds_cap;
    uint32_t *of_value; /* categories: by place in the domain */
} kn_tree_cells;

/** A test of the model over cells. */
typedef struct kn_cell_test {
    kn_test_kind kind;
    uint32_t attribute;
    bool asks;         /* it asks for a value: it is unknown where that is missing */
    bool inverted;     /* it is true outside the set or range */
    uint32_t from, to; /* a range of cells: from..to - 1 */
    uint64_t *members; /* a set of cells, of categories; NULL: the range */
    struct kn_cell_test *parts;
    size_t parts_count;
} kn_cell_test;

/** Make the cells of all attributes that tests use, by attribute. Each value of the class is a
 * cell. */
kn_status kn__tree_cells_make(kn_tree_cells **out, const kn_bound *b, kn_error *err);
void kn__tree_cells_free(kn_tree_cells *cells, size_t attributes);
/** Whether, in an attribute whose domain is the integers, some cell contains numbers of the
 * domain's range but no integer. If so, spans may differ from those over real numbers. */
kn_status kn__tree_cells_have_gaps(bool *gaps, const kn_bound *b, kn_error *err);

/** `from` in terms of `cells`, into the zeroed `to`, which kn__cell_test_clear frees in any case.
 */
kn_status kn__cell_test_make(kn_cell_test *to, const kn_test *from, const kn_tree_cells *cells,
                             kn_error *err);
void kn__cell_test_clear(kn_cell_test *t);

/** The bit of the missing value's cell in word `w` of a set of cells; 0: it is in another word. */
static inline uint64_t kn__missing_bit(const kn_tree_cells *c, size_t w)
{
    return c->missing != KN_NO_CODE && c->missing / 64 == w ? UINT64_C(1) << c->missing % 64 : 0;
}

/** Word `w` of the set of cells in which the simple test `t` is true. */
static inline uint64_t kn__cell_test_word(const kn_cell_test *t, const kn_tree_cells *c, size_t w)
{
    const size_t first = w * 64, values = c->missing == KN_NO_CODE ? c->count : c->missing;
    uint64_t word;

    if (t->kind == KN_TEST_MISSING) {
        return kn__missing_bit(c, w);
    }
    if (t->members) {
        word = t->members[w];
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

/** Whether the simple test `t` is true in a cell in which it is not unknown. */
static inline bool kn__cell_test_true(const kn_cell_test *t, const kn_tree_cells *c, uint32_t cell)
{
    bool member;

    if (t->kind == KN_TEST_MISSING || cell == c->missing) {
        return t->kind == KN_TEST_MISSING && cell == c->missing;
    }
    if (t->members) {
        member = kn__bit_get(t->members, cell);
    } else {
        member = cell >= t->from && cell < t->to;
    }
    return member != t->inverted;
}

#endif
