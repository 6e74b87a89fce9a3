/* kind.c - decision trees as a kind of model: invariants, judging, answers, and the row of the
 * registry. */
#include "models/registry.h"
#include "base/error.h"
#include "base/memory.h"
#include "models/judge/verdict.h"
#include "models/tree/cells.h"
#include "models/tree/recount.h"
#include "models/tree/tree.h"

#include <math.h>

static kn_status init(kn_model *m, kn_error *err)
{
    (void)err;
    m->tree.class_attribute = KN_NO_CODE;
    return KN_OK;
}

static void clear(kn_model *m)
{
    kn_tree *t = &m->tree;

    for (size_t i = 0; i < t->nodes; i++) {
        kn__test_clear(&t->node[i].test);
        KN_FREE(t->node[i].label, t->node[i].population, t->node[i].share);
    }
    kn__free(t->node);
}

static uint32_t class_attribute(const kn_model *m)
{
    return m->tree.class_attribute;
}

static void mark_test(const kn_test *t, uint8_t *used)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        mark_test(&t->parts[i], used);
    }
    if (t->kind < KN_TEST_AND && t->kind != KN_TEST_TRUE && t->kind != KN_TEST_FALSE) {
        used[t->attribute] = 1;
    }
}

static void mark_used(const kn_model *m, uint8_t *used)
{
    for (size_t i = 0; i < m->tree.nodes; i++) {
        mark_test(&m->tree.node[i].test, used);
    }
}

static kn_status shape(kn_model_shape *out, const kn_model *m, kn_error *err)
{
    const kn_tree *t = &m->tree;
    uint8_t *looks = kn__zalloc_array(m->attributes, sizeof *looks);
    uint32_t *depth = kn__zalloc_array(t->nodes, sizeof *depth);

    if (!looks || !depth) {
        KN_FREE(looks, depth);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < t->nodes; i++) {
        depth[i] = t->node[i].parent == KN_NO_CODE ? 0 : depth[t->node[i].parent] + 1;
        out->depth = depth[i] > out->depth ? depth[i] : out->depth;
        out->leaves += t->node[i].children == 0;
    }
    kn__model_used_attributes(m, looks);
    for (size_t i = 0; i < m->attributes; i++) {
        out->attributes += looks[i];
    }
    out->target = m->attribute[t->class_attribute].name;
    out->unsplit = t->unsplit;
    out->validated = t->validated;
    out->validated_right = t->validated_right;
    out->held_out = t->held_out;
    out->held_out_right = t->held_out_right;
    KN_FREE(looks, depth);
    return KN_OK;
}

static void copy_mined(kn_model *to, const kn_model *from)
{
    to->tree.unsplit = from->tree.unsplit;
    to->tree.validated = from->tree.validated;
    to->tree.validated_right = from->tree.validated_right;
    to->tree.held_out = from->tree.held_out;
    to->tree.held_out_right = from->tree.held_out_right;
}

/* ---- invariants ---- */

static bool valid_test(const kn_model *m, const kn_test *t, unsigned depth)
{
    if (depth > KN_TEST_DEEPEST) {
        return false;
    }
    if (t->kind >= KN_TEST_AND) {
        if (t->parts_count == 0) {
            return false;
        }
        for (size_t i = 0; i < t->parts_count; i++) {
            if (!valid_test(m, &t->parts[i], depth + 1)) {
                return false;
            }
        }
        return true;
    }
    if (t->kind == KN_TEST_TRUE || t->kind == KN_TEST_FALSE) {
        return true;
    }
    if (t->attribute >= m->attributes) {
        return false;
    }
    if (t->kind == KN_TEST_MISSING || t->kind == KN_TEST_NOT_MISSING) {
        return true;
    }
    if (t->kind == KN_TEST_IN || t->kind == KN_TEST_NOT_IN) {
        const kn_dict *values = m->attribute[t->attribute].values;
        for (size_t i = 0; i < t->values_count; i++) {
            if (!values || t->values[i] >= values->len ||
                (i > 0 && t->values[i - 1] >= t->values[i])) {
                return false;
            }
        }
        return values != NULL;
    }
    return !m->attribute[t->attribute].values && isfinite(t->number);
}

static bool too_deep(const kn_tree *t)
{
    for (size_t i = 0; i < t->nodes; i++) {
        size_t depth = 0;
        for (uint32_t up = (uint32_t)i;
             t->node[i].children == 0 && t->node[up].parent != KN_NO_CODE;
             up = t->node[up].parent) {
            if (++depth > KN_TREE_DEEPEST) {
                return true;
            }
        }
    }
    return false;
}

static const char *fault_of_node(const kn_model *m, size_t i, size_t classes)
{
    const kn_tree *t = &m->tree;
    const kn_tree_node *n = &t->node[i];

    if (i > 0 && n->parent >= i) {
        return "a node comes before its parent";
    }
    if (n->children > 0 && (n->first <= i || n->first + (size_t)n->children > t->nodes)) {
        return "a node's children are not there";
    }
    for (uint32_t j = 0; j < n->children; j++) {
        if (t->node[n->first + j].parent != i) {
            return "a node is the child of another";
        }
    }
    if (n->missing != KN_NO_CODE &&
        (n->missing < n->first || n->missing >= n->first + n->children)) {
        return "missing values go to a node that is no child";
    }
    if (n->answer != KN_NO_CODE && n->answer >= classes) {
        return "a node predicts a class that there is not";
    }
    if (n->children == 0 && n->answer == KN_NO_CODE) {
        return "a leaf predicts nothing";
    }
    if (!valid_test(m, &n->test, 0)) {
        return "a test asks for an attribute or a value that there is not, or is nested too deeply";
    }
    return NULL;
}

static const char *fault(const kn_model *m)
{
    const kn_tree *t = &m->tree;

    if (t->class_attribute >= m->attributes || !m->attribute[t->class_attribute].values) {
        return "the tree has no class, or one that is no category";
    }
    if (t->nodes == 0 || t->node[0].parent != KN_NO_CODE) {
        return "the tree has no root";
    }
    for (size_t i = 0; i < t->nodes; i++) {
        const char *fault = fault_of_node(m, i, m->attribute[t->class_attribute].values->len);
        if (fault) {
            return fault;
        }
    }
    return too_deep(t) ? "the tree is more than 10000 nodes deep" : NULL;
}

/* ---- judging ---- */

/* Shares are quotients of doubles: the last bits may differ. */
static const double ROUNDING = 1e-9;

/* Records by node and bin: those that end at the node or below it, with or without an answer.
 * Parents have lower numbers than their children. */
static uint64_t *count_nodes(const kn_tree *t, const kn_spans *s, size_t bins)
{
    const size_t places = kn__tree_places(t);
    uint64_t *count = kn__zalloc_array(t->nodes, bins * sizeof *count);

    for (size_t i = 0; count && i < places * bins; i++) {
        count[i % (t->nodes * bins)] += s->class_population[i];
    }
    for (size_t i = t->nodes; count && i-- > 1;) {
        for (size_t c = 0; c < bins; c++) {
            count[t->node[i].parent * bins + c] += count[i * bins + c];
        }
    }
    return count;
}

static uint64_t count_shares(const kn_tree *t, const kn_tree_node *n, const uint64_t *count,
                             size_t classes, uint64_t known)
{
    uint64_t unlike = 0;

    for (size_t kind = 0; n->share && kind < KN_SHARE_KINDS; kind++) {
        for (size_t c = 0; c < classes; c++) {
            const double stated = n->share[kind * classes + c];
            const double is = known ? (double)count[c] / (double)known : 0;
            unlike += !isnan(stated) && !(fabs(stated - is) <= t->share_within + ROUNDING);
        }
    }
    return unlike;
}

/* The first `classes` bins of a node are the class values that the model knows. */
static uint64_t count_figures(const kn_tree *t, const kn_tree_node *n, const uint64_t *count,
                              size_t classes, size_t bins)
{
    uint64_t unlike = 0, known = 0, all = 0;

    for (size_t c = 0; c < bins; c++) {
        known += c < classes ? count[c] : 0;
        all += count[c];
        unlike += c < classes && n->population && n->population[c] != count[c];
    }
    unlike += n->records >= 0 && n->records != (double)known && n->records != (double)all;
    return unlike + count_shares(t, n, count, classes, known);
}

/* Count the stated figures of nodes that differ from those of the records that `s` are of: the
 * population of each class, the number of records (with or without those whose class is missing),
 * and shares by class. O(nodes * classes). */
static kn_status count_unlike(const kn_model *m, const kn_spans *s, uint64_t *unlike, kn_error *err)
{
    const kn_tree *t = &m->tree;
    const size_t bins = kn__tree_bins(t, s->classes_count);
    const size_t classes = m->attribute[t->class_attribute].values->len;
    uint64_t *count = count_nodes(t, s, bins);

    KN_PASS(count ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < t->nodes; i++) {
        *unlike += count_figures(t, &t->node[i], count + i * bins, classes, bins);
    }
    kn__free(count);
    return KN_OK;
}

/* Records whose class the tree predicts, from the populations of its bins. */
static uint64_t count_right(const kn_tree *t, const kn_spans *s)
{
    const size_t bins = kn__tree_bins(t, s->classes_count);
    uint64_t right = 0;

    for (size_t i = 0; bins && i < t->nodes; i++) {
        if (t->node[i].answer != KN_NO_CODE) {
            right += s->class_population[i * bins + t->node[i].answer];
        }
    }
    return right;
}

static kn_status judge(kn_model_verdict *v, const kn_bound *b, const kn_span_model *span_model,
                       const kn_run *run, kn_error *err)
{
    size_t recounted = 0;

    KN_PASS(kn__tree_recount(b, &v->spans, &recounted, err));
    KN_PASS(kn__spans_judge(v, span_model, run, err));
    v->figures.right = count_right(&b->model->tree, &v->spans);
    v->figures.recounted = recounted;
    return count_unlike(b->model, &v->spans, &v->figures.unlike, err);
}

/* ---- answers ---- */

static uint32_t answer_of(const kn_span_model *tree, const kn_bound *b, size_t record,
                          void *scratch)
{
    const uint32_t node = kn__tree_node_of(tree, record);

    (void)scratch;
    return node == KN_NO_CODE ? KN_NO_CODE : b->model->tree.node[node].answer;
}

static kn_status add_answer(kn_chunk *c, const kn_bound *b, size_t record, uint32_t answer,
                            void *scratch, kn_error *err)
{
    const kn_model *m = b->model;
    const char *text = "";
    size_t len = 0;

    (void)record, (void)scratch;
    if (answer != KN_NO_CODE) {
        text = kn__dict_text(m->attribute[m->tree.class_attribute].values, answer, &len);
    }
    return kn__chunk_add(c, 0, text, len, err);
}

/* ---- the row ---- */

static const kn_param params[] = {
    KN_SPAN_PARAMS,
    {.name = "class",
     .kind = KN_PARAM_COLUMN,
     .required = true,
     .help = "tree: what it predicts; private unless --qi names it"},
    {.name = "gain",
     .kind = KN_PARAM_CHOICE,
     .choices = "ratio|information|gini",
     .help = "tree: how good a split is: gain ratio, information gain (always with --paper, unless "
             "gini is asked for), or the Gini index"},
    {.name = "splits",
     .kind = KN_PARAM_CHOICE,
     .choices = "two|values",
     .help = "tree: how categories split: in two, some values against all others, or a child for "
             "each value or each group of the hierarchy"},
    {.name = "smallest",
     .kind = KN_PARAM_COUNT,
     .max = KN_MOST_COUNT,
     .help =
         "tree, clusters: how many people are in a leaf, or make a centre, at least; the default, 0, is k"},
    {.name = "no-prune",
     .kind = KN_PARAM_FLAG,
     .help = "tree: keep splits that do not help with records the tree has not seen"},
    {.name = "hold-out",
     .kind = KN_PARAM_NUMBER,
     .max = 0.9,
     .help = "tree: also grow one without this share of the records, and say how often it is right "
             "about them: 0.2"},
    {.name = "paper",
     .kind = KN_PARAM_FLAG,
     .help = "tree: grow it by Algorithm 1 of the models paper as printed: a child for each value, "
             "an unsafe split is removed, nothing is pruned"},
    {.name = "depth",
     .kind = KN_PARAM_COUNT,
     .max = KN_MOST_COUNT,
     .help = "tree: the longest way to a leaf; the default, 0, is no limit"},
    {.name = "work",
     .kind = KN_PARAM_COUNT,
     .max = 9007199254740992.0,
     .help = "tree with private attributes: the most spans and records to look at while it grows; "
             "the default, 0, is 2^36, which takes some minutes"},
};

const kn_model_row kn__tree_row = {
    .entry = {.kind = KN_ENTRY_MODEL,
              .name = "tree",
              .summary = "a decision tree that predicts a class",
              KN_PARAMS(params),
              .page = "models.md"},
    .kind = KN_MODEL_TREE,
    .noun = "decision tree",
    .init = init,
    .clear = clear,
    .fault = fault,
    .class_attribute = class_attribute,
    .mark_used = mark_used,
    .shape = shape,
    .copy_mined = copy_mined,
    .bind = kn__bind_attributes,
    .span_model = kn__tree_span_model,
    .integers_matter = kn__tree_cells_have_gaps,
    .judge = judge,
    .answer_of = answer_of,
    .add_answer = add_answer,
    .mine = kn__mine_tree,
};
