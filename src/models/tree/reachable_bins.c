/* reachable_bins.c - which bins of a tree the public values of a record allow, exactly.
 *
 * What an attacker thinks possible is a box: for each private attribute a set of cells. The box
 * walks down the tree; a test over a private attribute parts it into where the test is true and
 * where it is not, so that what was settled above stays settled below. A test of several private
 * attributes that is neither true nor false for the whole box is decided case by case: the box is
 * parted by one of its simple tests until it is. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "models/tree/tree_spans.h"

#include <string.h>

/* What one record's public values may lead to before the model is refused: boxes (a second or so),
 * boxes inside boxes (the stack: what a tree of the greatest depth needs), and words of sets that
 * are kept for later (64 MB). */
enum { MOST_STEPS = 20000000, MOST_INSIDE = KN_TREE_DEEPEST + 1, MOST_SAVED = 1 << 23 };

typedef struct walking {
    uint32_t *cell; /* by attribute: of the record; private ones are looked at by class_of only */
    uint64_t *box;  /* what is possible */
    uint32_t *from, *to; /* by private attribute: words of its set outside from..to-1 are empty */
    uint64_t *saved;     /* sets that were narrowed, to be put back */
    size_t saved_len, saved_cap;
    uint64_t *seen; /* by class: it is in `out` */
    kn_class_list *out;
    size_t steps, inside;
} walking;

size_t kn__tree_scratch_bytes(void)
{
    return sizeof(walking);
}

void kn__tree_scratch_clear(void *scratch)
{
    walking *w = scratch;

    kn__free(w->cell);
    kn__free(w->box);
    kn__free(w->from);
    kn__free(w->to);
    kn__free(w->saved);
    kn__free(w->seen);
    *w = (walking){0};
}

static kn_status start_walking(const kn_reached_tree *t, walking *w, kn_error *err)
{
    if (w->seen) {
        return KN_OK;
    }
    if (!w->cell) {
        w->cell = kn__zalloc_array(t->b->model->attributes, sizeof *w->cell);
    }
    if (!w->box) {
        w->box = kn__zalloc_array(t->box_words + 1, sizeof *w->box);
    }
    if (!w->from) {
        w->from = kn__zalloc_array(t->b->model->attributes, sizeof *w->from);
    }
    if (!w->to) {
        w->to = kn__zalloc_array(t->b->model->attributes, sizeof *w->to);
    }
    w->seen = w->cell && w->box && w->from && w->to
                  ? kn__zalloc_array(t->classes / 64 + 1, sizeof *w->seen)
                  : NULL;
    return w->seen ? KN_OK : kn__nomem(err);
}

/* ---- a box ---- */

static uint64_t *set_of(const kn_reached_tree *t, walking *w, uint32_t attribute)
{
    return w->box + t->box[attribute];
}

static kn_truth simple_of_box(const kn_reached_tree *t, walking *w, const kn_cell_test *test)
{
    const kn_tree_cells *c = &t->cells[test->attribute];
    const uint64_t *set;
    bool yes = false, no = false, unknown = false;

    if (!kn__tree_is_private(t, test->attribute)) {
        const uint32_t cell = w->cell[test->attribute];
        return test->asks && cell == c->missing    ? IS_UNKNOWN
               : kn__cell_test_true(test, c, cell) ? IS_TRUE
                                                   : IS_FALSE;
    }
    set = set_of(t, w, test->attribute);
    for (size_t i = w->from[test->attribute]; i < w->to[test->attribute]; i++) {
        const uint64_t word = kn__cell_test_word(test, c, i);
        uint64_t rest = set[i] & ~word;
        if (test->asks && c->missing != KN_NO_CODE && c->missing / 64 == i) {
            const uint64_t bit = UINT64_C(1) << c->missing % 64;
            unknown = (rest & bit) != 0;
            rest &= ~bit;
        }
        yes = yes || (set[i] & word);
        no = no || rest;
    }
    return yes + no + unknown > 1 ? IS_MIXED : yes ? IS_TRUE : no ? IS_FALSE : IS_UNKNOWN;
}

/* What the test is for all of the box; if it is mixed, `*by` is a simple test that is, too. */
static kn_truth of_box(const kn_reached_tree *t, walking *w, const kn_cell_test *test,
                       const kn_cell_test **by)
{
    const kn_cell_test *first = NULL;
    bool unknown = false, odd = false;

    switch (test->kind) {
    case KN_TEST_TRUE: return IS_TRUE;
    case KN_TEST_FALSE: return IS_FALSE;
    case KN_TEST_AND:
    case KN_TEST_OR:
    case KN_TEST_XOR:
    case KN_TEST_SURROGATE: break;
    default: *by = test; return simple_of_box(t, w, test);
    }
    for (size_t i = 0; i < test->parts_count; i++) {
        const kn_cell_test *inner = NULL;
        const kn_truth part = of_box(t, w, &test->parts[i], &inner);
        if (part == IS_MIXED) {
            first = first ? first : inner;
            if (test->kind == KN_TEST_SURROGATE) {
                break;
            }
        } else if ((test->kind == KN_TEST_AND && part == IS_FALSE) ||
                   (test->kind == KN_TEST_OR && part == IS_TRUE) ||
                   (test->kind == KN_TEST_SURROGATE && part != IS_UNKNOWN)) {
            return part;
        }
        unknown = unknown || part == IS_UNKNOWN;
        odd = odd != (part == IS_TRUE);
    }
    if (first) {
        *by = first;
        return IS_MIXED;
    }
    if (unknown) {
        return IS_UNKNOWN;
    }
    return test->kind == KN_TEST_AND || (test->kind == KN_TEST_XOR && odd) ? IS_TRUE : IS_FALSE;
}

static kn_status entangled(kn_error *err)
{
    return kn__fail(err, KN_EINFEASIBLE,
                    "the tests over private attributes are so entangled that what they tell "
                    "cannot be worked out: the model was refused");
}

/* Sets are saved one on top of the other: the words that are not empty, then where they were. */
static kn_status save(const kn_reached_tree *t, walking *w, uint32_t attribute, kn_error *err)
{
    const size_t from = w->from[attribute], words = w->to[attribute] - from;
    const size_t len = w->saved_len + words + 2;
    const kn_status st = len > MOST_SAVED
                             ? entangled(err)
                             : kn__grow(&w->saved, &w->saved_cap, len, sizeof *w->saved, err);

    if (st == KN_OK) {
        memcpy(w->saved + w->saved_len, set_of(t, w, attribute) + from, words * sizeof *w->saved);
        w->saved[w->saved_len + words] = (uint64_t)from << 32 | w->to[attribute];
        w->saved[w->saved_len + words + 1] = attribute;
        w->saved_len = len;
    }
    return st;
}

/* Where the saved set begins that ends at `end`. */
static size_t saved_before(const walking *w, size_t end)
{
    const uint64_t where = w->saved[end - 2];

    return end - 2 - ((uint32_t)where - (size_t)(where >> 32));
}

/* A set of the attribute is among those that were saved from `since` on. */
static bool is_saved(const walking *w, size_t since, uint32_t attribute)
{
    for (size_t end = w->saved_len; end > since; end = saved_before(w, end)) {
        if (w->saved[end - 1] == attribute) {
            return true;
        }
    }
    return false;
}

static void put_back(const kn_reached_tree *t, walking *w)
{
    const uint32_t attribute = (uint32_t)w->saved[w->saved_len - 1];
    const uint64_t where = w->saved[w->saved_len - 2];
    const size_t from = (size_t)(where >> 32), words = (uint32_t)where - from;

    w->saved_len = saved_before(w, w->saved_len);
    memcpy(set_of(t, w, attribute) + from, w->saved + w->saved_len, words * sizeof *w->saved);
    w->from[attribute] = (uint32_t)from;
    w->to[attribute] = (uint32_t)where;
}

/* Leave of `set` where the simple test has the truth `is`, out of what was saved last; false if
 * nothing is left. */
static bool narrow(walking *w, uint64_t *set, const kn_cell_test *test, const kn_tree_cells *c,
                   kn_truth is)
{
    const uint64_t where = w->saved[w->saved_len - 2];
    const size_t from = (size_t)(where >> 32), to = (uint32_t)where;
    const uint64_t *whole = w->saved + saved_before(w, w->saved_len);
    uint32_t first = (uint32_t)to, end = (uint32_t)from;

    for (size_t i = from; i < to; i++) {
        const uint64_t yes = kn__cell_test_word(test, c, i);
        uint64_t unknown = 0;
        if (test->asks && c->missing != KN_NO_CODE && c->missing / 64 == i) {
            unknown = UINT64_C(1) << c->missing % 64;
        }
        set[i] = whole[i - from] & (is == IS_TRUE      ? yes
                                    : is == IS_UNKNOWN ? unknown
                                                       : ~(yes | unknown));
        if (set[i]) {
            first = first < i ? first : (uint32_t)i;
            end = (uint32_t)i + 1;
        }
    }
    w->from[test->attribute] = first;
    w->to[test->attribute] = end > first ? end : first;
    return end > first;
}

static kn_status add_class(walking *w, uint32_t number, kn_error *err)
{
    const uint64_t bit = UINT64_C(1) << number % 64;

    if (w->seen[number / 64] & bit) {
        return KN_OK;
    }
    w->seen[number / 64] |= bit;
    return kn__class_list_add(w->out, number, err);
}

/* The box ends at `place`; KN_NO_CODE: without an answer, where nothing is stated. */
static kn_status end_at(const kn_reached_tree *t, walking *w, uint32_t place, kn_error *err)
{
    const uint32_t attribute = t->tree->class_attribute;
    kn_status st = KN_OK;

    if (place == KN_NO_CODE) {
        return add_class(w, (uint32_t)t->classes - 1, err);
    }
    if (!kn__tree_is_private(t, attribute)) {
        return add_class(w, place * t->bins + w->cell[attribute], err);
    }
    for (uint32_t i = 0; st == KN_OK && i < t->bins; i++) {
        if (set_of(t, w, attribute)[i / 64] >> i % 64 & 1) {
            st = add_class(w, place * t->bins + i, err);
        }
    }
    return st;
}

static kn_status walk(const kn_reached_tree *t, walking *w, uint32_t node, uint32_t child,
                      kn_error *err);

static kn_status walk_missing(const kn_reached_tree *t, walking *w, uint32_t node, kn_error *err)
{
    bool stays;
    const uint32_t to = kn__tree_when_missing(t, node, &stays);

    return stays ? end_at(t, w, to, err) : walk(t, w, to, 0, err);
}

/* A test of several attributes: take the cases of `by` one by one, each from child `child` on. */
static kn_status walk_cases(const kn_reached_tree *t, walking *w, uint32_t node, uint32_t child,
                            const kn_cell_test *by, kn_error *err)
{
    const kn_tree_cells *c = &t->cells[by->attribute];
    uint64_t *set = set_of(t, w, by->attribute);
    kn_status st = save(t, w, by->attribute, err);

    if (st != KN_OK) {
        return st;
    }
    for (kn_truth is = IS_FALSE; st == KN_OK && is <= IS_UNKNOWN; is++) {
        if (narrow(w, set, by, c, is)) {
            st = walk(t, w, node, child, err);
        }
    }
    if (st == KN_OK) {
        put_back(t, w);
    }
    return st;
}

/* The child's own test is simple, and true for a part of the box: that part goes down. What is left
 * of the box, for which the test is false, or counts as false, is for the next child. `*any`: there
 * is something left. The set as it was is saved for the caller to put back, once for all children
 * that ask for the attribute: `since`, what the node saved begins there. */
static kn_status walk_part(const kn_reached_tree *t, walking *w, uint32_t node, uint32_t child,
                           size_t since, bool *any, kn_error *err)
{
    const kn_cell_test *test = &t->test[child];
    const bool again = is_saved(w, since, test->attribute);
    const kn_tree_cells *c = &t->cells[test->attribute];
    uint64_t *set = set_of(t, w, test->attribute);
    bool unknown;
    kn_status st = save(t, w, test->attribute, err);

    if (st == KN_OK && narrow(w, set, test, c, IS_TRUE)) {
        st = walk(t, w, child, 0, err);
    }
    if (st == KN_OK) {
        unknown = narrow(w, set, test, c, IS_UNKNOWN);
        if (unknown && t->tree->when_missing != KN_TREE_MISSING_NEXT) {
            st = walk_missing(t, w, node, err);
            unknown = false;
        }
        *any = narrow(w, set, test, c, IS_FALSE) || unknown;
        if (unknown) { /* the last cell */
            set[c->missing / 64] |= UINT64_C(1) << c->missing % 64;
            w->to[test->attribute] = c->missing / 64 + 1;
            if (w->from[test->attribute] >= w->to[test->attribute]) {
                w->from[test->attribute] = c->missing / 64;
            }
        }
        w->saved_len = again ? saved_before(w, w->saved_len) : w->saved_len;
    }
    return st;
}

/* The box is at `node`, and no test of its children before `child` is true. */
static kn_status walk(const kn_reached_tree *t, walking *w, uint32_t node, uint32_t child,
                      kn_error *err)
{
    const kn_tree_node *n = &t->tree->node[node];
    const size_t saved = w->saved_len;
    kn_status status = KN_OK;
    bool rest = true;

    if (++w->steps > MOST_STEPS || w->inside >= MOST_INSIDE) {
        return entangled(err);
    }
    if (n->children == 0) {
        return end_at(t, w, node, err);
    }
    w->inside++;
    for (uint32_t i = child; rest && i < n->children; i++) {
        const uint32_t next = n->first + i;
        const kn_cell_test *by = NULL;
        const kn_truth is = of_box(t, w, &t->test[next], &by);
        if (is == IS_FALSE || (is == IS_UNKNOWN && t->tree->when_missing == KN_TREE_MISSING_NEXT)) {
            continue;
        }
        rest = false;
        if (is == IS_TRUE) {
            KN_TRY(walk(t, w, next, 0, err));
        } else if (is == IS_UNKNOWN) {
            KN_TRY(walk_missing(t, w, node, err));
        } else if (by && by != &t->test[next]) {
            KN_TRY(walk_cases(t, w, node, i, by, err));
        } else {
            KN_TRY(walk_part(t, w, node, next, saved, &rest, err));
        }
    }
    if (rest) {
        KN_TRY(end_at(t, w, kn__tree_no_child(t, node), err));
    }
done:
    while (w->saved_len > saved) {
        put_back(t, w);
    }
    w->inside--;
    return status;
}

/* The root has a test, too, which is nearly always "true". */
static kn_status enter(const kn_reached_tree *t, walking *w, kn_error *err)
{
    const kn_cell_test *by = NULL;
    const kn_truth whole = of_box(t, w, &t->test[0], &by);
    kn_status status;

    if (whole != IS_MIXED || !by) {
        return whole == IS_TRUE ? walk(t, w, 0, 0, err) : end_at(t, w, KN_NO_CODE, err);
    }
    KN_TRY(++w->steps > MOST_STEPS || ++w->inside >= MOST_INSIDE ? entangled(err)
                                                                 : save(t, w, by->attribute, err));
    for (kn_truth is = IS_FALSE; is <= IS_UNKNOWN; is++) {
        if (narrow(w, set_of(t, w, by->attribute), by, &t->cells[by->attribute], is)) {
            KN_TRY(enter(t, w, err));
        }
    }
    put_back(t, w);
    w->inside--;
done:
    return status;
}

kn_status kn__tree_reach(const void *model, size_t record, void *scratch, kn_class_list *out,
                         kn_error *err)
{
    const kn_reached_tree *t = model;
    walking *w = scratch;
    kn_status st = start_walking(t, w, err);

    if (st != KN_OK) {
        return st;
    }
    w->out = out;
    w->steps = w->inside = w->saved_len = 0;
    for (uint32_t i = 0; i < t->b->model->attributes; i++) {
        const kn_tree_cells *c = &t->cells[i];
        if (c->looked_at && kn__tree_is_private(t, i)) {
            memcpy(set_of(t, w, i), c->possible, c->words * sizeof *c->possible);
            w->from[i] = 0;
            w->to[i] = (uint32_t)c->words;
        } else if (c->looked_at) {
            w->cell[i] = kn__tree_cell(t, i, record);
        }
    }
    st = enter(t, w, err);
    for (size_t i = 0; i < out->len; i++) {
        w->seen[out->at[i] / 64] = 0;
    }
    kn__sort_u32(out->at, out->len);
    return st;
}
