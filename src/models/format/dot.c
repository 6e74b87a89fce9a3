/* dot.c - pictures for Graphviz: trees, and rules as items that lead to items. */
#include "base/error.h"
#include "models/format/formats.h"
#include "models/describe.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Inside quotes; `\n` there is a new line, so a backslash of the text's own is doubled. */
static void add_quoted(kn_buffer *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\') {
            kn__buffer_addc(out, '\\');
        }
        kn__buffer_addc(out, c < ' ' || c == 0x7f ? ' ' : text[i]);
    }
}

static void add_value(kn_buffer *out, const kn_dict *d, uint32_t code)
{
    size_t len;
    const char *text = kn__dict_text(d, code, &len);

    add_quoted(out, text, len);
}

static void add_words(kn_buffer *out, kn_buffer *words)
{
    if (!words->failed && words->data) {
        add_quoted(out, words->data, words->len);
    }
    out->failed |= words->failed;
    kn__buffer_free(words);
}

static void add_population(kn_buffer *out, const kn_dict *classes, const kn_tree_node *n)
{
    for (uint32_t c = 0; n->population && c < classes->len; c++) {
        if (n->population[c]) {
            kn__buffer_adds(out, "\\n");
            add_value(out, classes, c);
            kn__buffer_addf(out, ": %" PRIu64, n->population[c]);
        }
    }
}

static void add_tree(kn_buffer *out, const kn_model *m)
{
    const kn_tree *t = &m->tree;
    const kn_dict *classes = m->attribute[t->class_attribute].values;

    kn__buffer_adds(out, "digraph tree {\n  node [shape=box, fontname=\"sans-serif\"];\n"
                         "  edge [fontname=\"sans-serif\"];\n");
    for (uint32_t i = 0; i < t->nodes; i++) {
        const kn_tree_node *n = &t->node[i];
        kn__buffer_addf(out, "  n%" PRIu32 " [label=\"", i);
        if (n->children == 0) {
            add_value(out, classes, n->answer);
        } else if (n->attribute != KN_NO_CODE) {
            add_quoted(out, m->attribute[n->attribute].name,
                       strlen(m->attribute[n->attribute].name));
        } else {
            kn__buffer_addc(out, '?');
        }
        if (n->children == 0) {
            add_population(out, classes, n);
        }
        kn__buffer_adds(out, n->children ? "\"];\n" : "\", style=\"rounded,filled\"];\n");
    }
    for (uint32_t i = 1; i < t->nodes; i++) {
        kn_buffer way = {0};
        kn__tree_branch_words(m, i, &way);
        kn__buffer_addf(out, "  n%" PRIu32 " -> n%" PRIu32 " [label=\"", t->node[i].parent, i);
        add_words(out, &way);
        kn__buffer_adds(out, "\"];\n");
    }
    kn__buffer_adds(out, "}\n");
}

static void add_side(kn_buffer *out, const uint32_t *items, size_t count, size_t rule, bool left)
{
    for (size_t i = 0; i < count; i++) {
        if (left) {
            kn__buffer_addf(out, "  i%" PRIu32 " -> r%zu;\n", items[i], rule);
        } else {
            kn__buffer_addf(out, "  r%zu -> i%" PRIu32 ";\n", rule, items[i]);
        }
    }
}

static void add_rules(kn_buffer *out, const kn_model *m)
{
    const kn_rules *r = &m->rules;

    kn__buffer_adds(out, "digraph rules {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n");
    for (uint32_t i = 0; i < r->items->len; i++) {
        kn__buffer_addf(out, "  i%" PRIu32 " [shape=box, label=\"", i);
        add_value(out, r->items, i);
        kn__buffer_adds(out, r->hidden && r->hidden[i] ? "\", style=filled];\n" : "\"];\n");
    }
    for (size_t i = 0; i < r->count; i++) {
        const kn_rule *rule = &r->rule[i];
        kn__buffer_addf(out, "  r%zu [shape=ellipse, label=\"", i);
        if (!isnan(rule->confidence)) {
            kn__model_number(out, kn__rounded(rule->confidence, 3));
        }
        kn__buffer_adds(out, "\"];\n");
        add_side(out, rule->left, rule->left_count, i, true);
        add_side(out, rule->right, rule->right_count, i, false);
    }
    kn__buffer_adds(out, "}\n");
}

kn_status kn__model_dot(const kn_model *m, kn_buffer *out, kn_error *err)
{
    switch (m->kind) {
    case KN_MODEL_TREE: add_tree(out, m); break;
    case KN_MODEL_CLUSTERS:
        return kn__fail(
            err, KN_EUSAGE,
            "clusters have no edges to draw, so there is no DOT of them; .txt, .json and "
            ".pmml would do");
    case KN_MODEL_RULES: add_rules(out, m); break;
    }
    return out->failed ? kn__nomem(err) : KN_OK;
}
