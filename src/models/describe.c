/* describe.c - descriptions of tests and paths. */
#include "models/describe.h"
#include "data/value.h"
#include "models/format/formats.h"

#include <math.h>
#include <string.h>

enum { MOST_VALUES = 8 };

double kn__rounded(double value, int digits)
{
    const double magnitude = value != 0 ? digits - 1 - floor(log10(fabs(value))) : 0;
    const double factor = pow(10, fabs(magnitude));

    if (!isfinite(value) || !isfinite(factor)) {
        return value;
    }
    return magnitude < 0 ? round(value / factor) * factor : round(value * factor) / factor;
}

void kn__attribute_number_words(const kn_attribute *a, double value, kn_buffer *out)
{
    if (a->type == KN_TYPE_DATE && value == floor(value) && fabs(value) < 1e6) {
        kn__date_format(out, value);
    } else {
        kn__model_number(out, value == floor(value) ? value : kn__rounded(value, 7));
    }
}

static void set_words(const kn_attribute *a, const kn_test *t, kn_buffer *out)
{
    const bool not_in = t->kind == KN_TEST_NOT_IN;
    size_t len;

    if (t->values_count == 1) {
        const char *text = kn__dict_text(a->values, t->values[0], &len);
        kn__buffer_adds(out, not_in ? " is not " : " = ");
        kn__buffer_add(out, text, len);
        return;
    }
    kn__buffer_adds(out, not_in ? " not in {" : " in {");
    for (size_t i = 0; i < t->values_count && i < MOST_VALUES; i++) {
        const char *text = kn__dict_text(a->values, t->values[i], &len);
        kn__buffer_adds(out, i ? ", " : "");
        kn__buffer_add(out, text, len);
    }
    if (t->values_count > MOST_VALUES) {
        kn__buffer_addf(out, ", ... %zu in all", t->values_count);
    }
    kn__buffer_adds(out, "}");
}

static void compound_words(const kn_model *m, const kn_test *t, kn_buffer *out)
{
    static const char *const between[] = {[KN_TEST_AND] = " and ",
                                          [KN_TEST_OR] = " or ",
                                          [KN_TEST_XOR] = " xor ",
                                          [KN_TEST_SURROGATE] = ", if unknown "};

    for (size_t i = 0; i < t->parts_count; i++) {
        const bool nested = t->parts[i].kind >= KN_TEST_AND && t->parts_count > 1;
        kn__buffer_adds(out, i ? between[t->kind] : "");
        kn__buffer_adds(out, nested ? "(" : "");
        kn__test_words(m, &t->parts[i], out);
        kn__buffer_adds(out, nested ? ")" : "");
    }
}

void kn__test_words(const kn_model *m, const kn_test *t, kn_buffer *out)
{
    static const char *const signs[] = {
        [KN_TEST_LESS] = " < ",    [KN_TEST_LESS_EQUAL] = " <= ",
        [KN_TEST_GREATER] = " > ", [KN_TEST_GREATER_EQUAL] = " >= ",
        [KN_TEST_EQUAL] = " = ",   [KN_TEST_NOT_EQUAL] = " is not "};
    const kn_attribute *a;

    if (t->kind >= KN_TEST_AND) {
        compound_words(m, t, out);
        return;
    }
    if (t->kind == KN_TEST_TRUE || t->kind == KN_TEST_FALSE) {
        kn__buffer_adds(out, t->kind == KN_TEST_TRUE ? "always" : "never");
        return;
    }
    a = &m->attribute[t->attribute];
    kn__buffer_adds(out, a->name);
    if (t->kind == KN_TEST_IN || t->kind == KN_TEST_NOT_IN) {
        set_words(a, t, out);
    } else if (t->kind == KN_TEST_MISSING || t->kind == KN_TEST_NOT_MISSING) {
        kn__buffer_adds(out, t->kind == KN_TEST_MISSING ? " is missing" : " is not missing");
    } else {
        kn__buffer_adds(out, signs[t->kind]);
        kn__attribute_number_words(a, t->number, out);
    }
}

static void branch_words(const kn_model *m, uint32_t node, kn_buffer *out)
{
    const kn_tree_node *n = &m->tree.node[node];
    const uint32_t attribute = m->tree.node[n->parent].attribute;

    if (n->label && attribute != KN_NO_CODE) {
        kn__buffer_addf(out, "%s = %s", m->attribute[attribute].name, n->label);
    } else if (n->label) {
        kn__buffer_adds(out, n->label);
    } else {
        kn__test_words(m, &n->test, out);
    }
}

void kn__tree_branch_words(const kn_model *m, uint32_t node, kn_buffer *out)
{
    const kn_tree_node *n = &m->tree.node[node];
    const uint32_t attribute = m->tree.node[n->parent].attribute;
    const bool simple = n->test.kind >= KN_TEST_LESS && n->test.kind < KN_TEST_AND;
    kn_buffer words = {0};
    size_t known = 0;

    if (n->label || (n->test.kind == KN_TEST_TRUE && node > m->tree.node[n->parent].first)) {
        kn__buffer_adds(out, n->label ? n->label : "otherwise");
        return;
    }
    kn__test_words(m, &n->test, &words);
    if (words.failed) {
        out->failed = true;
    } else {
        known = simple && attribute != KN_NO_CODE ? strlen(m->attribute[attribute].name) + 1 : 0;
        kn__buffer_add(out, words.data + known, words.len - known);
    }
    kn__buffer_free(&words);
}

void kn__tree_path_words(const kn_model *m, uint32_t node, kn_buffer *out)
{
    const kn_tree_node *nodes = m->tree.node;
    uint32_t below = 0, next;

    if (nodes[node].parent == KN_NO_CODE) {
        kn__buffer_adds(out, "everybody");
        return;
    }
    /* From the root down; each step searches from `node` upwards, as paths are short. */
    while (below != node) {
        for (next = node; nodes[next].parent != below; next = nodes[next].parent) {
        }
        kn__buffer_adds(out, below ? ", " : "");
        branch_words(m, next, out);
        below = next;
    }
}
