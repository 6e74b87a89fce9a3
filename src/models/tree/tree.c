/* tree.c - a decision tree as a kn_span_model: where a record ends, and the words for its bins.
 * Which bins public values allow is in reachable_bins.c. */
#include "base/error.h"
#include "base/memory.h"
#include "models/tree/tree_spans.h"
#include "models/describe.h"

/* The populations of all bins are kept: 2 GiB. */
enum { MOST_BINS = 1 << 28 };

/* ---- a record ---- */

static kn_truth truth_for(const kn_tree_spans *t, const kn_cell_test *test, size_t record);

static kn_truth simple_truth_for(const kn_tree_spans *t, const kn_cell_test *test, size_t record)
{
    const kn_tree_cells *c = &t->cells[test->attribute];
    const uint32_t cell = kn__tree_cell(t, test->attribute, record);

    if (test->asks && cell == c->missing) {
        return IS_UNKNOWN;
    }
    return kn__cell_test_true(test, c, cell) ? IS_TRUE : IS_FALSE;
}

static kn_truth truth_for(const kn_tree_spans *t, const kn_cell_test *test, size_t record)
{
    bool unknown = false, odd = false;

    switch (test->kind) {
    case KN_TEST_TRUE: return IS_TRUE;
    case KN_TEST_FALSE: return IS_FALSE;
    case KN_TEST_AND:
    case KN_TEST_OR:
    case KN_TEST_XOR:
    case KN_TEST_SURROGATE: break;
    default: return simple_truth_for(t, test, record);
    }
    for (size_t i = 0; i < test->parts_count; i++) {
        const kn_truth part = truth_for(t, &test->parts[i], record);
        if ((test->kind == KN_TEST_AND && part == IS_FALSE) ||
            (test->kind == KN_TEST_OR && part == IS_TRUE) ||
            (test->kind == KN_TEST_SURROGATE && part != IS_UNKNOWN)) {
            return part;
        }
        unknown = unknown || part == IS_UNKNOWN;
        odd = odd != (part == IS_TRUE);
    }
    if (unknown) {
        return IS_UNKNOWN;
    }
    return test->kind == KN_TEST_AND || (test->kind == KN_TEST_XOR && odd) ? IS_TRUE : IS_FALSE;
}

/* Whether a record may end at the inner node without an answer. */
static bool may_leave_unanswered(const kn_tree *t, const kn_tree_node *n)
{
    return !t->last_answer || !kn__tree_node_answers(n) ||
           t->when_missing == KN_TREE_MISSING_NOTHING ||
           (t->when_missing == KN_TREE_MISSING_CHILD && n->missing == KN_NO_CODE);
}

size_t kn__tree_places(const kn_tree *t)
{
    bool unanswered = false, states = false;

    for (size_t i = 0; i < t->nodes && !(unanswered && states); i++) {
        const kn_tree_node *n = &t->node[i];
        unanswered = unanswered || (n->children && may_leave_unanswered(t, n));
        states = states || (n->children && kn__tree_node_states(n));
    }
    return unanswered && states ? 2 * t->nodes : t->nodes;
}

/* The place of the records that end at `node` without an answer; KN_NO_CODE: no figure of a node
 * covers them. */
static uint32_t unanswered_place(const kn_tree_spans *t, uint32_t node)
{
    return t->stated[node] ? (uint32_t)t->tree->nodes + node : KN_NO_CODE;
}

/* The place of the records that end at `node`, with an answer if it has one. */
static uint32_t answered_place(const kn_tree_spans *t, uint32_t node)
{
    return kn__tree_node_answers(&t->tree->node[node]) ? node : unanswered_place(t, node);
}

uint32_t kn__tree_no_child(const kn_tree_spans *t, uint32_t node)
{
    return t->tree->last_answer ? answered_place(t, node) : unanswered_place(t, node);
}

uint32_t kn__tree_when_missing(const kn_tree_spans *t, uint32_t node, bool *stays)
{
    const kn_tree_node *n = &t->tree->node[node];

    *stays = true;
    if (t->tree->when_missing == KN_TREE_MISSING_CHILD && n->missing != KN_NO_CODE) {
        *stays = false;
        return n->missing;
    }
    return t->tree->when_missing == KN_TREE_MISSING_STAYS ? answered_place(t, node)
                                                          : unanswered_place(t, node);
}

/* The place where a record ends; KN_NO_CODE: without an answer where no figure covers it. */
static uint32_t place_of(const kn_tree_spans *t, size_t record)
{
    const kn_tree_node *nodes = t->tree->node;
    uint32_t at = 0;

    if (truth_for(t, &t->test[0], record) != IS_TRUE) {
        return KN_NO_CODE;
    }
    while (nodes[at].children) {
        const uint32_t first = nodes[at].first, end = first + nodes[at].children;
        uint32_t next;
        for (next = first; next < end; next++) {
            const kn_truth is = truth_for(t, &t->test[next], record);
            if (is == IS_TRUE) {
                break;
            }
            if (is == IS_UNKNOWN && t->tree->when_missing != KN_TREE_MISSING_NEXT) {
                bool stays;
                next = kn__tree_when_missing(t, at, &stays);
                if (stays) {
                    return next;
                }
                break;
            }
        }
        if (next == end) {
            return kn__tree_no_child(t, at);
        }
        at = next;
    }
    return at;
}

uint32_t kn__tree_node_of(const kn_span_model *tree, size_t record)
{
    const kn_tree_spans *t = tree->model;
    const uint32_t place = place_of(t, record);

    return place < t->tree->nodes ? place : KN_NO_CODE;
}

static uint32_t class_of(const void *model, size_t record, void *scratch)
{
    const kn_tree_spans *t = model;
    const uint32_t place = place_of(t, record);

    (void)scratch;
    return place == KN_NO_CODE
               ? (uint32_t)t->classes - 1
               : place * t->bins + kn__tree_cell(t, t->tree->class_attribute, record);
}

static uint32_t value_of(const void *model, size_t record, void *scratch)
{
    const kn_tree_spans *t = model;

    (void)scratch;
    return kn__tree_cell(t, t->tree->class_attribute, record);
}

/* ---- all records ---- */

/* The key of a tree without private tests: where the record ends, and its class if that is public.
 */
static uint64_t key(const void *model, size_t record, void *scratch)
{
    const kn_tree_spans *t = model;
    const uint32_t place = place_of(t, record), attribute = t->tree->class_attribute;
    const uint64_t bin = kn__tree_is_private(t, attribute) ? 0
                                                           : kn__tree_cell(t, attribute, record);

    (void)scratch;
    return (uint64_t)place << 32 | bin;
}

static kn_status group(void *model, const uint32_t **of, const uint32_t **first, size_t *count,
                       kn_error *err)
{
    kn_tree_spans *t = model;
    kn_status status = KN_OK;

    if (!t->groups.of) {
        status = kn__tree_groups_make(&t->groups, t->b, t->cells, t->test, err);
    }
    *of = t->groups.of;
    *first = t->groups.first;
    *count = t->groups.count;
    return status;
}

/* ---- words ---- */

static void value_words(const void *model, uint32_t value, kn_buffer *out)
{
    const kn_tree_spans *t = model;
    const uint32_t attribute = t->tree->class_attribute;
    size_t len;
    const char *text;

    kn__buffer_addf(out, "%s", t->b->model->attribute[attribute].name);
    if (value == t->cells[attribute].missing) {
        kn__buffer_adds(out, " is missing");
        return;
    }
    text = kn__dict_text(t->b->attribute[attribute].domain, value, &len);
    kn__buffer_adds(out, " = ");
    kn__buffer_add(out, text, len);
}

static void class_words(const void *model, uint32_t class_number, kn_buffer *out)
{
    const kn_tree_spans *t = model;
    uint32_t place;

    if (class_number == t->classes - 1) {
        kn__buffer_adds(out, "no answer");
        return;
    }
    place = class_number / t->bins;
    if (place >= t->tree->nodes) {
        kn__buffer_adds(out, "without an answer, but counted at ");
        place -= (uint32_t)t->tree->nodes;
    }
    kn__tree_path_words(t->b->model, place, out);
    kn__buffer_adds(out, ": ");
    value_words(model, class_number % t->bins, out);
}

/* ---- made and freed ---- */

static void clear_tree(void *model)
{
    kn_tree_spans *t = model;

    for (size_t i = 0; t->test && i < t->tree->nodes; i++) {
        kn__cell_test_clear(&t->test[i]);
    }
    kn__free(t->test);
    kn__tree_cells_free(t->cells, t->b->model->attributes);
    KN_FREE(t->set_at, t->stated);
    kn__tree_groups_clear(&t->groups);
    kn__free(t);
}

static bool asks_private(const kn_tree_spans *t, const kn_cell_test *test)
{
    for (size_t i = 0; i < test->parts_count; i++) {
        if (asks_private(t, &test->parts[i])) {
            return true;
        }
    }
    return test->kind < KN_TEST_AND && test->kind != KN_TEST_TRUE && test->kind != KN_TEST_FALSE &&
           kn__tree_is_private(t, test->attribute);
}

/* Lay out the sets of a region; whether tests ask for private attributes at all. */
static bool lay_out(kn_tree_spans *t)
{
    bool asks = false;

    for (uint32_t i = 0; i < t->b->model->attributes; i++) {
        const kn_tree_cells *c = &t->cells[i];
        if (c->used && kn__tree_is_private(t, i)) {
            t->set_at[i] = t->region_words;
            t->region_words += c->words;
        }
    }
    for (size_t i = 0; i < t->tree->nodes && !asks; i++) {
        asks = asks_private(t, &t->test[i]);
    }
    return asks;
}

/* The tree over cells: cells, tests by node, equivalence classes. */
static kn_status make_tree(kn_tree_spans *t, kn_error *err)
{
    const kn_tree *tree = t->tree;
    const kn_tree_cells *class_cells;

    KN_PASS(kn__tree_cells_make(&t->cells, t->b, err));
    t->test = kn__zalloc_array(tree->nodes, sizeof *t->test);
    t->set_at = kn__zalloc_array(t->b->model->attributes, sizeof *t->set_at);
    t->stated = kn__zalloc(tree->nodes);
    KN_PASS(t->test && t->set_at && t->stated ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < tree->nodes; i++) {
        const kn_tree_node *n = &tree->node[i];
        t->stated[i] = kn__tree_node_states(n) || (n->parent != KN_NO_CODE && t->stated[n->parent]);
    }
    for (size_t i = 0; i < tree->nodes; i++) {
        KN_PASS(kn__cell_test_make(&t->test[i], &tree->node[i].test, t->cells, err));
    }
    class_cells = &t->cells[tree->class_attribute];
    t->bins = class_cells->used && class_cells->count ? class_cells->count : 1;
    t->classes = kn__tree_places(tree) * t->bins + 1;
    if (t->classes > MOST_BINS) {
        KN_PASS(kn__fail(err, KN_EINPUT,
                         "the tree has %zu nodes and the class %u values: these are more bins than "
                         "the 268,435,456 that are judged",
                         tree->nodes, t->bins));
    }
    return KN_OK;
}

kn_status kn__tree_span_model(kn_span_model *out, const kn_bound *b, kn_error *err)
{
    const uint32_t class_attribute = b->model->tree.class_attribute;
    kn_tree_spans *t = kn__zalloc(sizeof *t);
    bool asks;
    kn_status status;

    *out = (kn_span_model){0};
    KN_PASS(t ? KN_OK : kn__nomem(err));
    t->b = b;
    t->tree = &b->model->tree;
    status = make_tree(t, err);
    if (status != KN_OK) {
        clear_tree(t);
        return status;
    }
    asks = lay_out(t);
    *out = (kn_span_model){.model = t,
                           .clear = clear_tree,
                           .records = b->ds->records,
                           .classes = t->classes,
                           .scratch_bytes = kn__tree_scratch_bytes(),
                           .scratch_clear = kn__tree_scratch_clear,
                           .group = asks ? group : NULL,
                           .key = asks ? NULL : key,
                           .reach = kn__tree_reach,
                           .class_of = class_of,
                           .class_words = class_words};
    if (t->cells[class_attribute].used && kn__tree_is_private(t, class_attribute)) {
        out->value_of = value_of;
        out->values = t->bins;
        out->value_words = value_words;
    }
    return KN_OK;
}
