/* reachable_bins.c - the span of a record, exactly: which bins of a tree its public values allow.
 *
 * What an attacker takes for possible is a region: a product of sets of cells, one set per private
 * attribute. A depth-first search sends the region down the tree. A test over a private attribute
 * divides it into the part where the test is true, which goes down, and the rest, which goes on to
 * the next child; so tests further down see only what the tests above allow. A test over several
 * attributes that is neither true nor false for the whole region is decided case by case: the
 * region is divided by one of its simple tests until it is.
 *
 * The search changes one region in place and restores it on the way back from a trail, the undo
 * stack of constraint solvers. */
#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "models/tree/tree_spans.h"

#include <string.h>

/* Limits of the search for one record; a model beyond them is refused: regions (a second or so),
 * nested regions (the stack: what the deepest tree needs), words on the trail (64 MB). */
enum { MOST_REGIONS = 20000000, MOST_DEPTH = KN_TREE_DEEPEST + 1, MOST_TRAIL = 1 << 23 };

typedef struct search {
    uint32_t *cell;      /* by public attribute: that of the record */
    uint64_t *region;    /* by private attribute: the set of cells that are possible */
    uint32_t *from, *to; /* by private attribute: words of its set outside from..to - 1 are 0 */
    uint64_t *trail;     /* sets as they were before they were narrowed, the last one on top */
    size_t trail_len, trail_cap;
    uint64_t *seen; /* set of equivalence classes: those in `out` */
    kn_class_list *out;
    size_t regions, depth;
} search;

size_t kn__tree_scratch_bytes(void)
{
    return sizeof(search);
}

void kn__tree_scratch_clear(void *scratch)
{
    search *s = scratch;

    KN_FREE(s->cell, s->region, s->from, s->to, s->trail, s->seen);
    *s = (search){0};
}

static kn_status start_search(const kn_tree_spans *t, search *s, kn_error *err)
{
    if (s->seen) {
        return KN_OK;
    }
    if (!s->cell) {
        s->cell = kn__zalloc_array(t->b->model->attributes, sizeof *s->cell);
    }
    if (!s->region) {
        s->region = kn__zalloc_array(t->region_words + 1, sizeof *s->region);
    }
    if (!s->from) {
        s->from = kn__zalloc_array(t->b->model->attributes, sizeof *s->from);
    }
    if (!s->to) {
        s->to = kn__zalloc_array(t->b->model->attributes, sizeof *s->to);
    }
    s->seen = s->cell && s->region && s->from && s->to
                  ? kn__zalloc_array(t->classes / 64 + 1, sizeof *s->seen)
                  : NULL;
    return s->seen ? KN_OK : kn__nomem(err);
}

/* ---- the truth of tests in the region ---- */

static uint64_t *set_of(const kn_tree_spans *t, search *s, uint32_t attribute)
{
    return s->region + t->set_at[attribute];
}

static kn_truth simple_truth_in_region(const kn_tree_spans *t, search *s, const kn_cell_test *test)
{
    const kn_tree_cells *c = &t->cells[test->attribute];
    const uint64_t *set;
    bool yes = false, no = false, unknown = false;

    if (!kn__tree_is_private(t, test->attribute)) {
        const uint32_t cell = s->cell[test->attribute];
        if (test->asks && cell == c->missing) {
            return IS_UNKNOWN;
        }
        return kn__cell_test_true(test, c, cell) ? IS_TRUE : IS_FALSE;
    }
    set = set_of(t, s, test->attribute);
    for (size_t i = s->from[test->attribute]; i < s->to[test->attribute]; i++) {
        const uint64_t true_in = kn__cell_test_word(test, c, i);
        const uint64_t unknown_in = test->asks ? kn__missing_bit(c, i) : 0;
        yes = yes || (set[i] & true_in);
        no = no || (set[i] & ~(true_in | unknown_in));
        unknown = unknown || (set[i] & unknown_in);
    }
    if (yes + no + unknown > 1) {
        return IS_MIXED;
    }
    if (yes) {
        return IS_TRUE;
    }
    return no ? IS_FALSE : IS_UNKNOWN;
}

/* The truth of a test in the region. If it is mixed, `*by` is a simple test in it that is mixed. */
static kn_truth truth_in_region(const kn_tree_spans *t, search *s, const kn_cell_test *test,
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
    default: *by = test; return simple_truth_in_region(t, s, test);
    }
    for (size_t i = 0; i < test->parts_count; i++) {
        const kn_cell_test *inner = NULL;
        const kn_truth part = truth_in_region(t, s, &test->parts[i], &inner);
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

static kn_status too_many_cases(kn_error *err)
{
    return kn__fail(err, KN_EINFEASIBLE,
                    "the tests over private attributes are so entangled that what they tell "
                    "cannot be worked out: the model was refused");
}

/* ---- the trail ---- */

/* Push the set of an attribute: the words that are not 0, then their range, then the attribute. */
static kn_status save_set(const kn_tree_spans *t, search *s, uint32_t attribute, kn_error *err)
{
    const size_t from = s->from[attribute], words = s->to[attribute] - from;
    const size_t len = s->trail_len + words + 2;
    kn_status status;

    if (len > MOST_TRAIL) {
        return too_many_cases(err);
    }
    status = kn__grow(&s->trail, &s->trail_cap, len, sizeof *s->trail, err);
    if (status == KN_OK) {
        memcpy(s->trail + s->trail_len, set_of(t, s, attribute) + from, words * sizeof *s->trail);
        s->trail[s->trail_len + words] = (uint64_t)from << 32 | s->to[attribute];
        s->trail[s->trail_len + words + 1] = attribute;
        s->trail_len = len;
    }
    return status;
}

/* Where the entry of the trail begins that ends at `end`. */
static size_t trail_before(const search *s, size_t end)
{
    const uint64_t where = s->trail[end - 2];

    return end - 2 - ((uint32_t)where - (size_t)(where >> 32));
}

/* Whether a set of the attribute was pushed from `since` on. */
static bool is_on_trail(const search *s, size_t since, uint32_t attribute)
{
    for (size_t end = s->trail_len; end > since; end = trail_before(s, end)) {
        if (s->trail[end - 1] == attribute) {
            return true;
        }
    }
    return false;
}

/* Pop the last entry: its set becomes as it was. */
static void restore(const kn_tree_spans *t, search *s)
{
    const uint32_t attribute = (uint32_t)s->trail[s->trail_len - 1];
    const uint64_t where = s->trail[s->trail_len - 2];
    const size_t from = (size_t)(where >> 32), words = (uint32_t)where - from;

    s->trail_len = trail_before(s, s->trail_len);
    memcpy(set_of(t, s, attribute) + from, s->trail + s->trail_len, words * sizeof *s->trail);
    s->from[attribute] = (uint32_t)from;
    s->to[attribute] = (uint32_t)where;
}

/* Set `set` to the cells of the last entry of the trail in which the simple test has truth `is`;
 * false if there is none. */
static bool narrow(search *s, uint64_t *set, const kn_cell_test *test, const kn_tree_cells *c,
                   kn_truth is)
{
    const uint64_t where = s->trail[s->trail_len - 2];
    const size_t from = (size_t)(where >> 32), to = (uint32_t)where;
    const uint64_t *before = s->trail + trail_before(s, s->trail_len);
    uint32_t first = (uint32_t)to, end = (uint32_t)from;

    for (size_t i = from; i < to; i++) {
        const uint64_t yes = kn__cell_test_word(test, c, i);
        const uint64_t unknown = test->asks ? kn__missing_bit(c, i) : 0;
        uint64_t wanted = ~(yes | unknown);
        if (is == IS_TRUE) {
            wanted = yes;
        } else if (is == IS_UNKNOWN) {
            wanted = unknown;
        }
        set[i] = before[i - from] & wanted;
        if (set[i]) {
            first = first < i ? first : (uint32_t)i;
            end = (uint32_t)i + 1;
        }
    }
    s->from[test->attribute] = first;
    s->to[test->attribute] = end > first ? end : first;
    return end > first;
}

/* ---- the search ---- */

static kn_status add_class(search *s, uint32_t number, kn_error *err)
{
    return kn__bit_add(s->seen, number) ? kn__class_list_add(s->out, number, err) : KN_OK;
}

/* The region ends at `place`: add the bins of the class values that it allows. KN_NO_CODE: it ends
 * without an answer where no figure covers it. */
static kn_status end_at(const kn_tree_spans *t, search *s, uint32_t place, kn_error *err)
{
    const uint32_t attribute = t->tree->class_attribute;

    if (place == KN_NO_CODE) {
        return add_class(s, (uint32_t)t->classes - 1, err);
    }
    if (!kn__tree_is_private(t, attribute)) {
        return add_class(s, place * t->bins + s->cell[attribute], err);
    }
    for (uint32_t i = 0; i < t->bins; i++) {
        if (kn__bit_get(set_of(t, s, attribute), i)) {
            KN_PASS(add_class(s, place * t->bins + i, err));
        }
    }
    return KN_OK;
}

static kn_status descend(const kn_tree_spans *t, search *s, uint32_t node, uint32_t child,
                         kn_error *err);

static kn_status descend_missing(const kn_tree_spans *t, search *s, uint32_t node, kn_error *err)
{
    bool stays;
    const uint32_t to = kn__tree_when_missing(t, node, &stays);

    return stays ? end_at(t, s, to, err) : descend(t, s, to, 0, err);
}

/* A test of several attributes is mixed: go on from child `child` in each case of `by`. */
static kn_status descend_cases(const kn_tree_spans *t, search *s, uint32_t node, uint32_t child,
                               const kn_cell_test *by, kn_error *err)
{
    const kn_tree_cells *c = &t->cells[by->attribute];
    uint64_t *set = set_of(t, s, by->attribute);

    KN_PASS(save_set(t, s, by->attribute, err));
    for (kn_truth is = IS_FALSE; is <= IS_UNKNOWN; is++) {
        if (narrow(s, set, by, c, is)) {
            KN_PASS(descend(t, s, node, child, err));
        }
    }
    restore(t, s);
    return KN_OK;
}

/* The test of the child is simple and mixed: the part of the region where it is true goes down.
 * What is left, where it is false or counts as false, is for the next child; `*any`: something is.
 * The set stays on the trail for the caller to restore, once per attribute: the caller's entries
 * begin at `since`. */
static kn_status descend_part(const kn_tree_spans *t, search *s, uint32_t node, uint32_t child,
                              size_t since, bool *any, kn_error *err)
{
    const kn_cell_test *test = &t->test[child];
    const bool again = is_on_trail(s, since, test->attribute);
    const kn_tree_cells *c = &t->cells[test->attribute];
    uint64_t *set = set_of(t, s, test->attribute);
    bool unknown;

    KN_PASS(save_set(t, s, test->attribute, err));
    if (narrow(s, set, test, c, IS_TRUE)) {
        KN_PASS(descend(t, s, child, 0, err));
    }
    unknown = narrow(s, set, test, c, IS_UNKNOWN);
    if (unknown && t->tree->when_missing != KN_TREE_MISSING_NEXT) {
        KN_PASS(descend_missing(t, s, node, err));
        unknown = false;
    }
    *any = narrow(s, set, test, c, IS_FALSE) || unknown;
    if (unknown) { /* keep the missing value, which is the last cell */
        kn__bit_set(set, c->missing);
        s->to[test->attribute] = c->missing / 64 + 1;
        if (s->from[test->attribute] >= s->to[test->attribute]) {
            s->from[test->attribute] = c->missing / 64;
        }
    }
    if (again) {
        s->trail_len = trail_before(s, s->trail_len);
    }
    return KN_OK;
}

/* The region is at `node`, and no test of its children before `child` is true in it. */
static kn_status descend(const kn_tree_spans *t, search *s, uint32_t node, uint32_t child,
                         kn_error *err)
{
    const kn_tree_node *n = &t->tree->node[node];
    const size_t saved = s->trail_len;
    kn_status status = KN_OK;
    bool rest = true;

    if (++s->regions > MOST_REGIONS || s->depth >= MOST_DEPTH) {
        return too_many_cases(err);
    }
    if (n->children == 0) {
        return end_at(t, s, node, err);
    }
    s->depth++;
    for (uint32_t i = child; rest && i < n->children; i++) {
        const uint32_t next = n->first + i;
        const kn_cell_test *by = NULL;
        const kn_truth is = truth_in_region(t, s, &t->test[next], &by);
        if (is == IS_FALSE || (is == IS_UNKNOWN && t->tree->when_missing == KN_TREE_MISSING_NEXT)) {
            continue;
        }
        rest = false;
        if (is == IS_TRUE) {
            KN_TRY(descend(t, s, next, 0, err));
        } else if (is == IS_UNKNOWN) {
            KN_TRY(descend_missing(t, s, node, err));
        } else if (by && by != &t->test[next]) {
            KN_TRY(descend_cases(t, s, node, i, by, err));
        } else {
            KN_TRY(descend_part(t, s, node, next, saved, &rest, err));
        }
    }
    if (rest) {
        KN_TRY(end_at(t, s, kn__tree_no_child(t, node), err));
    }
done:
    while (s->trail_len > saved) {
        restore(t, s);
    }
    s->depth--;
    return status;
}

/* Start at the root. It has a test, too, which is nearly always "true". */
static kn_status enter(const kn_tree_spans *t, search *s, kn_error *err)
{
    const kn_cell_test *by = NULL;
    const kn_truth is_root = truth_in_region(t, s, &t->test[0], &by);

    if (is_root == IS_TRUE) {
        return descend(t, s, 0, 0, err);
    }
    if (is_root != IS_MIXED || !by) {
        return end_at(t, s, KN_NO_CODE, err);
    }
    if (++s->regions > MOST_REGIONS || ++s->depth >= MOST_DEPTH) {
        return too_many_cases(err);
    }
    KN_PASS(save_set(t, s, by->attribute, err));
    for (kn_truth is = IS_FALSE; is <= IS_UNKNOWN; is++) {
        if (narrow(s, set_of(t, s, by->attribute), by, &t->cells[by->attribute], is)) {
            KN_PASS(enter(t, s, err));
        }
    }
    restore(t, s);
    s->depth--;
    return KN_OK;
}

kn_status kn__tree_reach(const void *model, size_t record, void *scratch, kn_class_list *out,
                         kn_error *err)
{
    const kn_tree_spans *t = model;
    search *s = scratch;
    kn_status status = start_search(t, s, err);

    if (status != KN_OK) {
        return status;
    }
    s->out = out;
    s->regions = s->depth = s->trail_len = 0;
    for (uint32_t i = 0; i < t->b->model->attributes; i++) {
        const kn_tree_cells *c = &t->cells[i];
        if (c->used && kn__tree_is_private(t, i)) {
            memcpy(set_of(t, s, i), c->possible, c->words * sizeof *c->possible);
            s->from[i] = 0;
            s->to[i] = (uint32_t)c->words;
        } else if (c->used) {
            s->cell[i] = kn__tree_cell(t, i, record);
        }
    }
    status = enter(t, s, err);
    for (size_t i = 0; i < out->len; i++) {
        s->seen[out->at[i] / 64] = 0;
    }
    kn__sort_u32(out->at, out->len);
    return status;
}
