/* write_tree.c - TreeModel, and tests as predicates. */
#include "base/error.h"
#include "models/format/days.h"
#include "models/format/pmml/write.h"

#include <inttypes.h>
#include <string.h>

enum { DEEPEST = 900 };

/* ---- tests ---- */

static void add_simple(kn_buffer *out, const kn_attribute *a, const char *operator)
{
    kn__buffer_adds(out, "<SimplePredicate");
    kn__out_text(out, "field", a->name);
    kn__buffer_addf(out, " operator=\"%s\"", operator);
}

static const char *const operators[] = {
    [KN_TEST_LESS] = "lessThan",
    [KN_TEST_LESS_EQUAL] = "lessOrEqual",
    [KN_TEST_GREATER] = "greaterThan",
    [KN_TEST_GREATER_EQUAL] = "greaterOrEqual",
    [KN_TEST_EQUAL] = "equal",
    [KN_TEST_NOT_EQUAL] = "notEqual",
    [KN_TEST_IN] = "equal",
    [KN_TEST_NOT_IN] = "notEqual",
    [KN_TEST_MISSING] = "isMissing",
    [KN_TEST_NOT_MISSING] = "isNotMissing",
};

static void add_date_test(kn_buffer *out, const kn_attribute *a, const kn_test *t)
{
    kn_test days[2];
    const size_t count = kn__days_tests(t, days);

    if (count == 2) {
        kn__buffer_addf(out, "<CompoundPredicate booleanOperator=\"%s\">",
                        t->kind == KN_TEST_EQUAL ? "and" : "or");
    }
    for (size_t i = 0; i < count; i++) {
        add_simple(out, a, operators[days[i].kind]);
        kn__out_date(out, "value", days[i].number);
        kn__buffer_adds(out, "/>");
    }
    kn__buffer_adds(out, count == 2 ? "</CompoundPredicate>" : "");
}

/* PMML's arrays have a quote before a quote, and nothing before a backslash: such values are
 * written in a test each. */
static bool fits_array(const kn_dict *d, const kn_test *t)
{
    for (size_t i = 0; i < t->values_count; i++) {
        size_t len;
        const char *text = kn__dict_text(d, t->values[i], &len);
        if (memchr(text, '"', len) || memchr(text, '\\', len)) {
            return false;
        }
    }
    return true;
}

static void add_array(kn_buffer *out, const kn_dict *d, const kn_test *t)
{
    kn__buffer_addf(out, "<Array n=\"%zu\" type=\"string\">", t->values_count);
    for (size_t i = 0; i < t->values_count; i++) {
        size_t len;
        const char *text = kn__dict_text(d, t->values[i], &len);
        bool quoted = len == 0;
        for (size_t c = 0; c < len; c++) {
            quoted |= text[c] == ' ' || (text[c] >= '\t' && text[c] <= '\r');
        }
        kn__buffer_adds(out, i ? " " : "");
        kn__buffer_adds(out, quoted ? "\"" : "");
        kn__out_bytes(out, text, len);
        kn__buffer_adds(out, quoted ? "\"" : "");
    }
    kn__buffer_adds(out, "</Array>");
}

static void add_set(kn_buffer *out, const kn_attribute *a, const kn_test *t)
{
    const bool in = t->kind == KN_TEST_IN, one = t->values_count == 1;

    if (!one && fits_array(a->values, t)) {
        kn__buffer_adds(out, "<SimpleSetPredicate");
        kn__out_text(out, "field", a->name);
        kn__buffer_addf(out, " booleanOperator=\"%s\">", in ? "isIn" : "isNotIn");
        add_array(out, a->values, t);
        kn__buffer_adds(out, "</SimpleSetPredicate>");
        return;
    }
    if (!one) {
        kn__buffer_addf(out, "<CompoundPredicate booleanOperator=\"%s\">", in ? "or" : "and");
    }
    for (size_t i = 0; i < t->values_count; i++) {
        add_simple(out, a, operators[t->kind]);
        kn__out_value(out, "value", a->values, t->values[i]);
        kn__buffer_adds(out, "/>");
    }
    kn__buffer_adds(out, one ? "" : "</CompoundPredicate>");
}

static void add_test(kn_buffer *out, const kn_model *m, const kn_test *t)
{
    static const char *const compound[] = {"and", "or", "xor", "surrogate"};
    const kn_attribute *a;

    if (t->kind == KN_TEST_TRUE || t->kind == KN_TEST_FALSE) {
        kn__buffer_adds(out, t->kind == KN_TEST_TRUE ? "<True/>" : "<False/>");
        return;
    }
    if (t->kind >= KN_TEST_AND && t->parts_count == 1) {
        add_test(out, m, &t->parts[0]); /* strict readers want two */
        return;
    }
    if (t->kind >= KN_TEST_AND) {
        kn__buffer_addf(out, "<CompoundPredicate booleanOperator=\"%s\">",
                        compound[t->kind - KN_TEST_AND]);
        for (size_t i = 0; i < t->parts_count; i++) {
            add_test(out, m, &t->parts[i]);
        }
        kn__buffer_adds(out, "</CompoundPredicate>");
        return;
    }
    a = &m->attribute[t->attribute];
    if (t->kind == KN_TEST_IN || t->kind == KN_TEST_NOT_IN) {
        add_set(out, a, t);
    } else if (t->kind == KN_TEST_MISSING || t->kind == KN_TEST_NOT_MISSING) {
        add_simple(out, a, operators[t->kind]);
        kn__buffer_adds(out, "/>");
    } else if (a->type == KN_TYPE_DATE) {
        add_date_test(out, a, t);
    } else {
        add_simple(out, a, operators[t->kind]);
        kn__out_number(out, "value", t->number);
        kn__buffer_adds(out, "/>");
    }
}

/* ---- trees ---- */

static bool asks_for(const kn_test *t, uint32_t attribute)
{
    bool does = t->kind >= KN_TEST_LESS && t->kind < KN_TEST_AND && t->attribute == attribute;

    for (size_t i = 0; i < t->parts_count; i++) {
        does |= asks_for(&t->parts[i], attribute);
    }
    return does;
}

static bool dates_fit(const kn_model *m, const kn_test *t)
{
    enum { FIRST_DAY = -719162, LAST_DAY = 2932896 }; /* of the years 1 to 9999 */
    bool fit = t->kind < KN_TEST_LESS || t->kind > KN_TEST_NOT_EQUAL ||
               m->attribute[t->attribute].type != KN_TYPE_DATE ||
               (t->number >= FIRST_DAY && t->number <= LAST_DAY);

    for (size_t i = 0; i < t->parts_count; i++) {
        fit &= dates_fit(m, &t->parts[i]);
    }
    return fit;
}

static void open_node(kn_buffer *out, const kn_model *m, uint32_t number)
{
    const kn_tree *t = &m->tree;
    const kn_tree_node *n = &t->node[number];
    const kn_dict *classes = m->attribute[t->class_attribute].values;
    uint64_t records = 0;

    for (uint32_t c = 0; n->population && c < classes->len; c++) {
        records += n->population[c];
    }
    kn__buffer_addf(out, "<Node id=\"%" PRIu32 "\"", number);
    if (n->answer != KN_NO_CODE) {
        kn__out_value(out, "score", classes, n->answer);
    }
    if (n->population) {
        kn__buffer_addf(out, " recordCount=\"%" PRIu64 "\"", records);
    }
    if (t->when_missing == KN_TREE_MISSING_CHILD && n->missing != KN_NO_CODE) {
        kn__buffer_addf(out, " defaultChild=\"%" PRIu32 "\"", n->missing);
    }
    kn__buffer_addc(out, '>');
    if (n->label && kn__out_can_hold(n->label, strlen(n->label))) {
        kn__out_extension(out, "label", n->label);
    }
    add_test(out, m, &n->test);
    /* without a score, readers would take the most frequent class for one */
    for (uint32_t c = 0; n->population && n->answer != KN_NO_CODE && c < classes->len; c++) {
        kn__buffer_adds(out, "<ScoreDistribution");
        kn__out_value(out, "value", classes, c);
        kn__buffer_addf(out, " recordCount=\"%" PRIu64 "\"/>", n->population[c]);
    }
}

static void indent(kn_buffer *out, unsigned depth)
{
    kn__buffer_addc(out, '\n');
    for (unsigned i = 0; i < depth + 2; i++) {
        kn__buffer_addc(out, ' ');
    }
}

static kn_status add_nodes(kn_buffer *out, const kn_model *m, kn_error *err)
{
    const kn_tree *t = &m->tree;
    unsigned depth = 0;
    uint32_t n = 0;

    for (;;) {
        const kn_tree_node *node = &t->node[n];
        if (depth > DEEPEST) {
            return kn__fail(
                err, KN_EINPUT,
                "the tree is more than %d nodes deep, which readers of PMML refuse; JSON "
                "would do",
                DEEPEST);
        }
        if (asks_for(&node->test, t->class_attribute)) {
            return kn__fail(err, KN_EINPUT,
                            "the tree tests its own class, which PMML cannot say; JSON would do");
        }
        if (!dates_fit(m, &node->test)) {
            return kn__fail(err, KN_EINPUT, "a test asks for a date beyond the years 1 to 9999");
        }
        indent(out, depth);
        open_node(out, m, n);
        if (node->children) {
            n = node->first;
            depth++;
            continue;
        }
        for (;;) {
            const uint32_t parent = t->node[n].parent;
            kn__buffer_adds(out, "</Node>");
            if (parent == KN_NO_CODE) {
                return KN_OK;
            }
            if (n + 1 < t->node[parent].first + t->node[parent].children) {
                n++;
                break;
            }
            n = parent;
            depth--;
            indent(out, depth);
        }
    }
}

kn_status kn__out_tree(kn_buffer *out, const kn_model *m, kn_error *err)
{
    static const char *const missing[] = {"none", "defaultChild", "lastPrediction",
                                          "nullPrediction"};
    kn_status st;

    kn__buffer_addf(out,
                    " <TreeModel functionName=\"classification\" missingValueStrategy=\"%s\" "
                    "noTrueChildStrategy=\"%s\" splitCharacteristic=\"multiSplit\">\n",
                    missing[m->tree.when_missing],
                    m->tree.last_answer ? "returnLastPrediction" : "returnNullPrediction");
    kn__out_promise(out, &m->promise);
    kn__out_schema(out, m);
    out->len -= out->len > 0; /* nodes begin with a new line */
    st = add_nodes(out, m, err);
    kn__buffer_adds(out, "\n </TreeModel>\n");
    return st;
}
