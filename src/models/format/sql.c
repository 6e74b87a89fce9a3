/* sql.c - a model as an SQL expression: what it says of a row whose columns are called as the
 * attributes are. NULL is a missing value.
 *
 * A tree becomes one flat CASE. Its WHENs are in postorder, each node after all
 * nodes below it: a row that reaches a node is caught by a WHEN of its subtree, so a later WHEN
 * need not repeat that an earlier sibling was not true. Nested CASEs would be shorter, but
 * databases have small limits on the depth of expressions. */
#include "base/error.h"
#include "base/memory.h"
#include "base/say.h"
#include "data/value.h"
#include "models/format/days.h"
#include "models/format/formats.h"

#include <inttypes.h>
#include <string.h>

/* ---- names and values ---- */

static void add_column(kn_buffer *out, const kn_attribute *a)
{
    kn__say_quoted(out, '"', a->name, strlen(a->name));
}

static void add_value(kn_buffer *out, const kn_dict *d, uint32_t code)
{
    size_t len;
    const char *text = kn__dict_text(d, code, &len);

    kn__say_quoted(out, '\'', text, len);
}

/* With a point: a database that sees only integers divides them as such. */
static void add_real(kn_buffer *out, double value)
{
    const size_t before = out->len;

    kn__model_number(out, value);
    if (!out->failed && !strpbrk(out->data + before, ".e")) {
        kn__buffer_adds(out, ".0");
    }
}

/* ---- tests ---- */

static void add_comparison(kn_buffer *out, const kn_attribute *a, const kn_test *t)
{
    static const char *const signs[] = {[KN_TEST_LESS] = " < ",    [KN_TEST_LESS_EQUAL] = " <= ",
                                        [KN_TEST_GREATER] = " > ", [KN_TEST_GREATER_EQUAL] = " >= ",
                                        [KN_TEST_EQUAL] = " = ",   [KN_TEST_NOT_EQUAL] = " <> "};

    add_column(out, a);
    kn__buffer_adds(out, signs[t->kind]);
    if (a->type == KN_TYPE_DATE) {
        kn__buffer_addc(out, '\'');
        kn__date_format(out, t->number);
        kn__buffer_addc(out, '\'');
    } else {
        kn__model_number(out, t->number);
    }
}

static void add_number_test(kn_buffer *out, const kn_attribute *a, const kn_test *t)
{
    kn_test days[2];

    if (a->type != KN_TYPE_DATE) {
        add_comparison(out, a, t);
        return;
    }
    if (kn__days_tests(t, days) == 1) {
        add_comparison(out, a, &days[0]);
        return;
    }
    kn__buffer_addc(out, '(');
    add_comparison(out, a, &days[0]);
    kn__buffer_adds(out, t->kind == KN_TEST_EQUAL ? " AND " : " OR ");
    add_comparison(out, a, &days[1]);
    kn__buffer_addc(out, ')');
}

static void add_set(kn_buffer *out, const kn_attribute *a, const kn_test *t)
{
    const bool in = t->kind == KN_TEST_IN;

    add_column(out, a);
    if (t->values_count == 0) {
        /* of no value, or of any: NULL stays NULL */
        kn__buffer_adds(out, in ? " <> " : " = ");
        add_column(out, a);
        return;
    }
    if (t->values_count == 1) {
        kn__buffer_adds(out, in ? " = " : " <> ");
        add_value(out, a->values, t->values[0]);
        return;
    }
    kn__buffer_adds(out, in ? " IN (" : " NOT IN (");
    for (size_t i = 0; i < t->values_count; i++) {
        kn__buffer_adds(out, i ? ", " : "");
        add_value(out, a->values, t->values[i]);
    }
    kn__buffer_addc(out, ')');
}

static void add_test(kn_buffer *out, const kn_model *m, const kn_test *t)
{
    static const char *const joints[] = {[KN_TEST_AND] = " AND ",
                                         [KN_TEST_OR] = " OR ",
                                         [KN_TEST_XOR] = " <> ",
                                         [KN_TEST_SURROGATE] = ", "};
    const bool first_known = t->kind == KN_TEST_SURROGATE && t->parts_count > 1;
    const kn_attribute *a;

    if (t->kind == KN_TEST_TRUE || t->kind == KN_TEST_FALSE) {
        kn__buffer_adds(out, t->kind == KN_TEST_TRUE ? "1 = 1" : "1 = 0");
        return;
    }
    if (t->kind >= KN_TEST_AND) {
        kn__buffer_adds(out, first_known ? "COALESCE(" : "(");
        /* a <> b <> c must be (a <> b) <> c */
        for (size_t i = 2; t->kind == KN_TEST_XOR && i < t->parts_count; i++) {
            kn__buffer_addc(out, '(');
        }
        for (size_t i = 0; i < t->parts_count; i++) {
            kn__buffer_adds(out, i ? joints[t->kind] : "");
            kn__buffer_addc(out, '(');
            add_test(out, m, &t->parts[i]);
            kn__buffer_addc(out, ')');
            kn__buffer_adds(out,
                            t->kind == KN_TEST_XOR && i > 0 && i + 1 < t->parts_count ? ")" : "");
        }
        kn__buffer_addc(out, ')');
        return;
    }
    a = &m->attribute[t->attribute];
    if (t->kind == KN_TEST_IN || t->kind == KN_TEST_NOT_IN) {
        add_set(out, a, t);
    } else if (t->kind == KN_TEST_MISSING || t->kind == KN_TEST_NOT_MISSING) {
        add_column(out, a);
        kn__buffer_adds(out, t->kind == KN_TEST_MISSING ? " IS NULL" : " IS NOT NULL");
    } else {
        add_number_test(out, a, t);
    }
}

/* ---- trees ---- */

/* Which child a row goes to, from 1, where a missing value may send it past others; 0: to none,
 * because of a missing value. */
static void add_choice(kn_buffer *out, const kn_model *m, const kn_tree_node *parent)
{
    kn__buffer_adds(out, "CASE");
    for (uint32_t c = 0; c < parent->children; c++) {
        const kn_test *test = &m->tree.node[parent->first + c].test;
        kn__buffer_adds(out, " WHEN ");
        add_test(out, m, test);
        kn__buffer_addf(out, " THEN %" PRIu32 " WHEN (", c + 1);
        add_test(out, m, test);
        kn__buffer_addf(out, ") IS NULL THEN %" PRIu32,
                        parent->missing == KN_NO_CODE ? 0 : parent->missing - parent->first + 1);
    }
    kn__buffer_adds(out, " END");
}

/* That a row goes from the parent of `n` to `n`. */
static void add_step(kn_buffer *out, const kn_model *m, uint32_t n)
{
    const kn_tree *t = &m->tree;
    const kn_tree_node *parent = &t->node[t->node[n].parent];

    if (t->when_missing != KN_TREE_MISSING_CHILD) {
        add_test(out, m, &t->node[n].test);
        return;
    }
    add_choice(out, m, parent);
    kn__buffer_addf(out, " = %" PRIu32, n - parent->first + 1);
}

/* That a row comes to `n`. `way` has room for its depth. */
static void add_path(kn_buffer *out, const kn_model *m, uint32_t n, uint32_t *way)
{
    size_t steps = 0;

    while (m->tree.node[n].parent != KN_NO_CODE) {
        way[steps++] = n;
        n = m->tree.node[n].parent;
    }
    kn__buffer_adds(out, "\n  WHEN ");
    kn__buffer_adds(out, steps ? "" : "1 = 1");
    for (size_t i = steps; i-- > 0;) {
        add_step(out, m, way[i]);
        kn__buffer_adds(out, i ? " AND " : "");
    }
}

static void add_answer(kn_buffer *out, const kn_model *m, uint32_t n, bool answers)
{
    const kn_tree_node *node = &m->tree.node[n];

    kn__buffer_adds(out, " THEN ");
    if (answers && node->answer != KN_NO_CODE) {
        add_value(out, m->attribute[m->tree.class_attribute].values, node->answer);
    } else {
        kn__buffer_adds(out, "NULL");
    }
}

/* Before child `n` is tried: if its test is unknown, the parent answers, or there is no answer. */
static void add_unknown(kn_buffer *out, const kn_model *m, uint32_t n, uint32_t *way)
{
    const kn_tree *t = &m->tree;
    const kn_tree_node *parent = &t->node[t->node[n].parent];

    if (t->when_missing == KN_TREE_MISSING_NEXT ||
        (t->when_missing == KN_TREE_MISSING_CHILD &&
         (parent->missing != KN_NO_CODE || n != parent->first))) {
        return;
    }
    add_path(out, m, t->node[n].parent, way);
    kn__buffer_adds(out, " AND ");
    if (t->when_missing == KN_TREE_MISSING_CHILD) {
        add_choice(out, m, parent);
        kn__buffer_adds(out, " = 0");
    } else {
        kn__buffer_addc(out, '(');
        add_test(out, m, &t->node[n].test);
        kn__buffer_adds(out, ") IS NULL");
    }
    add_answer(out, m, t->node[n].parent, t->when_missing == KN_TREE_MISSING_STAYS);
}

static void add_tree(kn_buffer *out, const kn_model *m, uint32_t *way)
{
    const kn_tree *t = &m->tree;
    uint32_t n = 0;

    kn__buffer_adds(out, "CASE");
    for (;;) {
        while (t->node[n].children) {
            n = t->node[n].first;
            add_unknown(out, m, n, way);
        }
        add_path(out, m, n, way);
        add_answer(out, m, n, true);
        for (;;) {
            const uint32_t parent = t->node[n].parent;
            if (parent == KN_NO_CODE) {
                kn__buffer_adds(out, "\nEND\n");
                return;
            }
            if (n + 1 < t->node[parent].first + t->node[parent].children) {
                add_unknown(out, m, ++n, way);
                break;
            }
            n = parent;
            add_path(out, m, n, way);
            add_answer(out, m, n, t->last_answer);
        }
    }
}

/* ---- clusters ---- */

static void add_difference(kn_buffer *out, const kn_model *m, size_t centre, uint32_t a)
{
    const kn_attribute *attribute = &m->attribute[a];
    const size_t at = centre * m->attributes + a;
    const bool none = attribute->values ? m->centres.value[at] == KN_NO_CODE
                                        : isnan(m->centres.number[at]);

    if (none || attribute->values) {
        kn__buffer_adds(out, "CASE WHEN ");
        add_column(out, attribute);
        kn__buffer_adds(out, none ? " IS NULL" : " = ");
        if (!none) {
            add_value(out, attribute->values, m->centres.value[at]);
        }
        kn__buffer_adds(out, " THEN 0.0 ELSE ");
        add_real(out, attribute->weight);
        kn__buffer_adds(out, " END");
        return;
    }
    kn__buffer_adds(out, "COALESCE(");
    add_real(out, attribute->weight);
    for (int i = 0; i < 2; i++) {
        kn__buffer_adds(out, " * ((");
        add_column(out, attribute);
        kn__buffer_adds(out, " - (");
        add_real(out, m->centres.number[at]);
        kn__buffer_adds(out, ")) / ");
        add_real(out, m->centres.scale[a]);
        kn__buffer_addc(out, ')');
    }
    kn__buffer_adds(out, ", ");
    add_real(out, attribute->weight);
    kn__buffer_addc(out, ')');
}

static kn_status add_clusters(kn_buffer *out, const kn_model *m, kn_error *err)
{
    const kn_centroids *c = &m->centres;

    for (size_t a = 0; a < m->attributes; a++) {
        if (m->attribute[a].type == KN_TYPE_DATE) {
            return kn__fail(err, KN_EUSAGE,
                            "the clusters use the date '%.60s', and databases do not agree on how "
                            "days are counted, so there is no SQL of them",
                            m->attribute[a].name);
        }
    }
    kn__buffer_adds(out, "(SELECT column3 FROM (VALUES");
    for (size_t i = 0; i < c->count; i++) {
        kn__buffer_addf(out, "%s\n  (%zu, ", i ? "," : "", i + 1);
        for (uint32_t a = 0; a < m->attributes; a++) {
            kn__buffer_adds(out, a ? " + " : "");
            add_difference(out, m, i, a);
        }
        kn__buffer_adds(out, ", ");
        if (c->name && c->name[i]) {
            kn__say_quoted(out, '\'', c->name[i], strlen(c->name[i]));
        } else {
            kn__buffer_addf(out, "'%zu'", i + 1);
        }
        kn__buffer_addc(out, ')');
    }
    kn__buffer_adds(out, "\n) AS centres ORDER BY column2, column1 LIMIT 1)\n");
    return KN_OK;
}

/* ---- all ---- */

kn_status kn__model_sql(const kn_model *m, kn_buffer *out, kn_error *err)
{
    kn_status st = KN_OK;
    uint32_t *way;

    switch (m->kind) {
    case KN_MODEL_TREE:
        way = kn__malloc_array(m->tree.nodes, sizeof *way);
        KN_PASS(way ? KN_OK : kn__nomem(err));
        add_tree(out, m, way);
        kn__free(way);
        break;
    case KN_MODEL_CLUSTERS: st = add_clusters(out, m, err); break;
    case KN_MODEL_RULES:
        return kn__fail(
            err, KN_EUSAGE,
            "rules speak of lists of items, which SQL has no columns for; .txt, .json and "
            ".pmml would do");
    }
    return st == KN_OK && out->failed ? kn__nomem(err) : st;
}
