/* Models as JSON: all kinds back and forth, and what is refused, with the words for it. */
#include "base/memory.h"
#include "models/format/formats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char tree[] =
    "{\"kanon_model\": 1, \"kind\": \"tree\", \"made_by\": \"me\", \"promise\": {\"k\": 3, \"l\": 1.5, "
    "\"inference\": 0.85}, \"attributes\": ["
    "{\"name\": \"job\", \"type\": \"category\", \"private\": true, \"values\": [\"a\", \"b\"]},"
    "{\"name\": \"age\", \"type\": \"integer\", \"private\": false, \"low\": 0, \"high\": 120}],"
    "\"class\": \"job\", \"missing\": \"child\", \"last_answer\": true, \"nodes\": ["
    "{\"parent\": null, \"test\": {\"is\": \"true\"}, \"split\": \"age\", \"missing_to\": 2},"
    "{\"parent\": 0, \"test\": {\"is\": \"<\", \"attribute\": \"age\", \"number\": 30.5}, "
    "\"answer\": \"a\", \"population\": [3, 4]},"
    "{\"parent\": 0, \"test\": {\"is\": \"and\", \"parts\": [{\"is\": \"not in\", \"attribute\": "
    "\"job\", \"values\": [\"b\"]}, {\"is\": \"not missing\", \"attribute\": \"age\"}]}, \"label\": "
    "\"others\", \"answer\": \"b\"}]}";

static const char clusters[] =
    "{\"kanon_model\": 1, \"kind\": \"clusters\", \"attributes\": ["
    "{\"name\": \"zip\", \"type\": \"category\", \"values\": [\"x\", \"y\"], \"weight\": 2},"
    "{\"name\": \"income\", \"type\": \"decimal\", \"private\": true}],"
    "\"scales\": [1, 25000.5], \"centres\": [{\"at\": [\"x\", 1e3], \"name\": \"poor\", "
    "\"population\": 7}, {\"at\": [null, null], \"population\": 0}]}";

static const char rules[] =
    "{\"kanon_model\": 1, \"kind\": \"rules\", \"column\": \"basket\", \"records\": 1000, \"items\": "
    "[{\"name\": \"cherries\"}, {\"name\": \"viagra\", \"private\": true}], \"rules\": ["
    "{\"if\": [\"cherries\"], \"then\": [\"viagra\"], \"support\": 0.084, \"confidence\": 0.75},"
    "{\"if\": [], \"then\": [\"cherries\"]}]}";

static kn_model *parse(const char *text)
{
    kn_model *m;
    kn_error err;

    if (kn_model_parse(&m, "m.json", text, strlen(text), &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return m;
}

static void back_and_forth(const kn_model *m)
{
    kn_model *read;
    char *once, *twice;

    assert_int_equal(kn_model_format_text(&once, m, KN_MODEL_JSON, NULL), KN_OK);
    read = parse(once);
    assert_int_equal(kn_model_format_text(&twice, read, KN_MODEL_JSON, NULL), KN_OK);
    assert_string_equal(once, twice);
    kn_string_free(once);
    kn_string_free(twice);
    kn_model_free(read);
}

static void test_tree(void **state)
{
    kn_model *m = parse(tree);
    const kn_tree *t = &m->tree;

    (void)state;
    assert_int_equal(m->kind, KN_MODEL_TREE);
    assert_string_equal(m->made_by, "me");
    assert_true(m->promise.k == 3 && m->promise.l == 1.5 && m->promise.inference == 0.85);
    assert_int_equal(m->attributes, 2);
    assert_true(m->attribute[0].hidden && !m->attribute[1].hidden);
    assert_true(m->attribute[1].low == 0 && m->attribute[1].high == 120);
    assert_int_equal(t->nodes, 3);
    assert_int_equal(t->when_missing, KN_TREE_MISSING_CHILD);
    assert_true(t->last_answer);
    assert_int_equal(t->node[0].children, 2);
    assert_int_equal(t->node[0].missing, 2);
    assert_int_equal(t->node[0].attribute, 1);
    assert_int_equal(t->node[1].test.kind, KN_TEST_LESS);
    assert_true(t->node[1].test.number == 30.5);
    assert_true(t->node[1].population[0] == 3 && t->node[1].population[1] == 4);
    assert_int_equal(t->node[2].test.parts_count, 2);
    assert_int_equal(t->node[2].test.parts[0].kind, KN_TEST_NOT_IN);
    assert_int_equal(t->node[2].test.parts[0].values[0], 1);
    assert_string_equal(t->node[2].label, "others");
    assert_null(t->node[2].population);
    back_and_forth(m);
    kn_model_free(m);
}

static void test_clusters(void **state)
{
    kn_model *m = parse(clusters);

    (void)state;
    assert_int_equal(m->centres.count, 2);
    assert_true(m->attribute[0].weight == 2 && m->centres.scale[1] == 25000.5);
    assert_int_equal(m->centres.value[0], 0);
    assert_true(m->centres.number[1] == 1000);
    assert_int_equal(m->centres.value[2], KN_NO_CODE);
    assert_true(isnan(m->centres.number[3]));
    assert_int_equal(m->centres.population[0], 7);
    assert_string_equal(m->centres.name[0], "poor");
    back_and_forth(m);
    kn_model_free(m);
}

static void test_rules(void **state)
{
    kn_model *m = parse(rules);

    (void)state;
    assert_int_equal(m->rules.count, 2);
    assert_int_equal(m->rules.records, 1000);
    assert_true(m->rules.hidden[1] && !m->rules.hidden[0]);
    assert_true(m->rules.rule[0].support == 0.084 && m->rules.rule[0].confidence == 0.75);
    assert_true(isnan(m->rules.rule[1].support));
    assert_int_equal(m->rules.rule[1].left_count, 0);
    back_and_forth(m);
    kn_model_free(m);
}

/* ---- numbers ---- */

static void test_numbers(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "0"},
                 {3, "3"},
                 {0.1, "0.1"},
                 {1.0 / 3, "0.3333333333333333"},
                 {1e300, "1e+300"},
                 {-12.5, "-12.5"},
                 {123456789, "123456789"},
                 {1e22, "1e+22"},
                 {5e-324, "5e-324"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kn_buffer b = {0};
        kn__model_number(&b, cases[i].value);
        assert_string_equal(b.data, cases[i].text);
        kn__buffer_free(&b);
    }
}

/* ---- what is refused ---- */

/* `text` with `from` replaced by `to` is refused with words that hold `words`. */
static void refuse(const char *text, const char *from, const char *to, const char *words)
{
    const char *at = strstr(text, from);
    char changed[8192];
    kn_model *m;
    kn_error err = {0};
    kn_status st;

    assert_non_null(at);
    (void)snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to,
                   at + strlen(from));
    st = kn_model_parse(&m, "m.json", changed, strlen(changed), &err);
    if (st != KN_EINPUT || !strstr(err.message, words)) {
        fail_msg("%s: %d: %s", to, (int)st, err.message);
    }
    assert_null(m);
    assert_int_equal(strncmp(err.message, "m.json: ", 8), 0);
}

static void test_refusals_of_trees(void **state)
{
    char deep[8192] = "", tail[2048] = "";

    (void)state;
    refuse(tree, "}]}", "}]", "line 1, column");
    refuse(tree, "\"kanon_model\": 1, ", "", "this JSON is no model");
    refuse(tree, "\"kanon_model\": 1", "\"kanon_model\": 2",
           "'kanon_model' is 2: this kanon reads "
           "version 1");
    refuse(tree, "\"kanon_model\": 1", "\"kanon_model\": \"1\"", "the version of the format");
    refuse(tree, "\"kind\": \"tree\"", "\"kind\": \"bush\"",
           "'kind' must be tree, clusters or rules");
    refuse(tree, "\"made_by\"", "\"maker\"", "unknown key 'maker'");
    refuse(tree, "\"k\": 3", "\"k\": -3", "the promise: 'k' must be a count");
    refuse(tree, "\"inference\": 0.85", "\"inference\": 1.85", "a number in 0..1");
    refuse(tree, "\"integer\"", "\"set\"", "attribute 1: 'type' must be category, integer");
    refuse(tree, "\"private\": true", "\"private\": 1", "'private' must be true or false");
    refuse(tree, "\"name\": \"age\"", "\"name\": \"job\"", "one that no other attribute has");
    refuse(tree, "[\"a\", \"b\"]", "[\"a\", \"a\"]", "a list of different texts");
    refuse(tree, "\"low\": 0, ", "", "'low' must be a number, and 'high', too");
    refuse(tree, "\"class\": \"job\"", "\"class\": \"age\"",
           "'class' must be one of the attributes "
           "that are categories");
    refuse(tree, "\"class\": \"job\", ", "", "'class' must be");
    refuse(tree, "\"missing\": \"child\"", "\"missing\": \"perhaps\"",
           "next, child, stays or nothing");
    refuse(tree, "\"last_answer\": true", "\"last_answer\": 1", "true or false");
    refuse(tree, "{\"parent\": null", "{\"parent\": 0", "node 0: 'parent' must be null");
    refuse(tree, "{\"parent\": 0, \"test\": {\"is\": \"and\"",
           "{\"parent\": 2, \"test\": {\"is\": "
           "\"and\"",
           "node 2: 'parent' must be the number of an earlier node");
    refuse(tree, "\"is\": \"<\"", "\"is\": \"in\"", "a comparison: the attribute is no category");
    refuse(tree, "\"is\": \"not in\"", "\"is\": \">\"",
           "in or not in: the attribute is a category");
    refuse(tree, "\"is\": \"<\"", "\"is\": \"=<\"", "node 1: 'is' must be true, false, <");
    refuse(tree, "30.5", "\"30.5\"", "'number' must be a number");
    refuse(tree, "\"attribute\": \"age\", \"number\"", "\"attribute\": \"agee\", \"number\"",
           "one of the model's attributes");
    refuse(tree, "\"values\": [\"b\"]", "\"values\": [\"c\"]", "values that the attribute has");
    refuse(tree, "\"values\": [\"b\"]", "\"values\": [\"b\", \"b\"]", "different values");
    refuse(tree, "\"answer\": \"a\"", "\"answer\": \"z\"", "one of the values of the class");
    refuse(tree, ", \"answer\": \"b\"", "", "a leaf predicts nothing");
    refuse(tree, "[3, 4]", "[3]", "a list of counts, one a value of the class");
    refuse(tree, "[3, 4]", "[3, -4]", "a list of counts");
    refuse(tree, "\"missing_to\": 2", "\"missing_to\": 0",
           "missing values go to a node that is no "
           "child");
    refuse(tree, "\"split\": \"age\"", "\"split\": \"sex\"", "'split' must be one of the model's");
    for (int i = 0; i < 70; i++) {
        (void)strcat(deep, "{\"is\": \"or\", \"parts\": [");
        (void)strcat(tail, "]}");
    }
    (void)strcat(deep, "{\"is\": \"true\"}");
    (void)strcat(deep, tail);
    refuse(tree, "{\"is\": \"true\"}", deep, "nested less deeply");
}

static void test_other_refusals(void **state)
{
    (void)state;
    refuse(clusters, "[1, 25000.5]", "[1]", "'scales' must be a list of numbers, one an attribute");
    refuse(clusters, "[1, 25000.5]", "[1, 0]", "a scale that is not above 0");
    refuse(clusters, "[\"x\", 1e3]", "[\"z\", 1e3]",
           "centre 0: 'at' must be values that the "
           "attributes have");
    refuse(clusters, "[\"x\", 1e3]", "[\"x\"]", "one an attribute");
    refuse(clusters, ", \"population\": 0", "", "given for all centres or for none");
    refuse(clusters, "\"weight\": 2", "\"weight\": -2", "a number of 0 or more");
    refuse(rules, "\"then\": [\"viagra\"]", "\"then\": [\"aspirin\"]",
           "a list of the model's items");
    refuse(rules, "\"then\": [\"viagra\"]", "\"then\": []", "a rule has no right side");
    refuse(rules, "\"then\": [\"viagra\"]", "\"then\": [\"cherries\"]", "an item on both sides");
    refuse(rules, "0.084", "8.4", "'support' must be a number in 0..1");
    refuse(rules, "{\"name\": \"viagra\"", "{\"name\": \"cherries\"", "no other item has");
    refuse(rules, "1000", "-1", "'records' must be a count");
}

static void test_empty(void **state)
{
    kn_model *m;
    kn_error err;

    (void)state;
    assert_int_equal(kn_model_parse(&m, "m.json", " \n", 2, &err), KN_EINPUT);
    assert_string_equal(err.message, "m.json: the file is empty: there is no model in it");
    assert_null(m);
}

/* A chain of nodes that is too deep for those who walk it is refused. */
static void test_deep_tree(void **state)
{
    kn_model *m;
    uint32_t node, up = KN_NO_CODE;
    const char *reason;

    (void)state;
    assert_int_equal(kn__model_new(&m, KN_MODEL_TREE, NULL), KN_OK);
    assert_int_equal(kn__model_add_attribute(m, "c", 1, KN_TYPE_CATEGORY, true, NULL, NULL), KN_OK);
    assert_int_equal(kn__dict_append(m->attribute[0].values, "x", 1, NULL), KN_OK);
    m->tree.class_attribute = 0;
    for (int i = 0; i <= KN_TREE_DEEPEST; i++) {
        assert_int_equal(kn__tree_add(&m->tree, up, &node, NULL), KN_OK);
        m->tree.node[node].answer = 0;
        up = node;
    }
    assert_true(kn__model_validate(m, &reason));
    assert_int_equal(kn__tree_add(&m->tree, up, &node, NULL), KN_OK);
    m->tree.node[node].answer = 0;
    assert_false(kn__model_validate(m, &reason));
    assert_string_equal(reason, "the tree is more than 10000 nodes deep");
    kn_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_clusters),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_refusals_of_trees),
        cmocka_unit_test(test_other_refusals),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_deep_tree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
