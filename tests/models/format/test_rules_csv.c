/* Rule lists as CSV: three ways to write them, thousands that are written and read back, and every
 * way to be wrong. */
#include "models/format/formats.h"
#include "models/rules/rules_test.h"

#include <math.h>

static kn_model *parse(const char *text)
{
    kn_model *m;
    kn_error err = {0};
    const char *reason;

    if (kn__model_parse_csv(&m, "rules.csv", text, strlen(text), &err) != KN_OK) {
        fail_msg("%s\n%s", err.message, text);
    }
    assert_true(kn__model_validate(m, &reason));
    return m;
}

/* Items of a side in the order of their names, between slashes. */
static void check_side(const kn_model *m, const uint32_t *items, size_t count, const char *expected)
{
    char text[256] = "";
    const char *name[16];
    size_t len[16];

    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        name[i] = kn__dict_text(m->rules.items, items[i], &len[i]);
        for (; at > 0 && strncmp(name[at - 1], name[at], len[at - 1]) > 0; at--) {
            const char *swap = name[at];
            const size_t swap_len = len[at];
            name[at] = name[at - 1];
            len[at] = len[at - 1];
            name[at - 1] = swap;
            len[at - 1] = swap_len;
        }
    }
    for (size_t i = 0; i < count; i++) {
        strcat(text, i ? "/" : "");
        strncat(text, name[i], len[i]);
    }
    assert_string_equal(text, expected);
}

static void check_rule(const kn_model *m, size_t i, const char *left, const char *right,
                       double support, double confidence)
{
    const kn_rule *r = &m->rules.rule[i];

    assert_true(i < m->rules.count);
    check_side(m, r->left, r->left_count, left);
    check_side(m, r->right, r->right_count, right);
    assert_true(r->support == support || (isnan(support) && isnan(r->support)));
    assert_true(r->confidence == confidence || (isnan(confidence) && isnan(r->confidence)));
}

static void test_ways(void **state)
{
    kn_model *m = parse("left,right,support,confidence\r\ncherries,viagra,0.084,0.75\r\n"
                        "cherries|birthday candles , tylenol,0.024,0.8\r\n");

    (void)state;
    assert_int_equal(m->rules.count, 2);
    check_rule(m, 0, "cherries", "viagra", 0.084, 0.75);
    check_rule(m, 1, "birthday candles/cherries", "tylenol", 0.024, 0.8);
    assert_int_equal(m->rules.records, 0);
    kn_model_free(m);

    /* as arules writes them, with and without the names of the rows */
    m = parse("\"\",\"rules\",\"support\",\"confidence\",\"coverage\",\"lift\",\"count\"\n"
              "\"1\",\"{curd,yogurt} => {whole milk}\",0.01,0.5,0.02,2.27,100\n"
              "\"2\",\"{} => {a b}\",0.25,0.25,1,1,2500\n"
              "\"3\",\"{age=[20,30),sex=male} => {income=(1e+04,5e+04]}\",0.5,1,0.5,1,5000\n");
    assert_int_equal(m->rules.count, 3);
    check_rule(m, 0, "curd/yogurt", "whole milk", 0.01, 0.5);
    check_rule(m, 1, "", "a b", 0.25, 0.25);
    check_rule(m, 2, "age=[20,30)/sex=male", "income=(1e+04,5e+04]", 0.5, 1);
    assert_int_equal(m->rules.records, 0); /* 5,000 are 0.50 of 9,901 to 10,101 */
    assert_true(m->rules.rule[0].lift == 2.27);
    kn_model_free(m);
    m = parse("rules\n{a=>b} => {x}\n{c}=>{a => b}\na => b\n"); /* arrows within items */
    check_rule(m, 0, "a=>b", "x", NAN, NAN);
    check_rule(m, 1, "c", "a => b", NAN, NAN);
    check_rule(m, 2, "a", "b", NAN, NAN);
    kn_model_free(m);
    m = parse("LHS;RHS;support\n{a,b};{c};0.5\n");
    check_rule(m, 0, "a/b", "c", 0.5, NAN);
    kn_model_free(m);

    /* as mlxtend's frame is written */
    m = parse(",antecedents,consequents,antecedent support,consequent support,support,confidence,"
              "lift,leverage,conviction\n"
              "0,\"frozenset({'Kidney Beans', \"\"Reese's\"\"})\",frozenset({'Eggs'}),0.8,0.7,0.6,"
              "0.75,1.07,0.04,inf\n"
              "1,frozenset({'a\\'b'}),\"frozenset({1, 2})\",0.8,0.7,0.6,0.75,1.07,0.04,1.6\n");
    assert_int_equal(m->rules.count, 2);
    check_rule(m, 0, "Kidney Beans/Reese's", "Eggs", 0.6, 0.75);
    check_rule(m, 1, "a'b", "1/2", 0.6, 0.75);
    assert_true(m->rules.rule[0].right_stated && m->rules.rule[1].right_stated);
    kn_model_free(m);
    m = parse("antecedents,consequents,support\n"
              "\"frozenset({np.str_('a'), np.int64(3)})\",frozenset([7]),NaN\n"
              "set(),frozenset({'b'}),1e-400\n[],\"('c',)\",-0\n");
    check_rule(m, 0, "3/a", "7", NAN, NAN);
    check_rule(m, 1, "", "b", 0, NAN);
    check_rule(m, 2, "", "c", 0, NAN);
    kn_model_free(m);
    /* as inspect() prints them, with arrows in a column of their own */
    m = parse("\"\",\"lhs\",\"\",\"rhs\",\"support\",\"oddsRatio\"\n"
              "\"[1]\",\"{a}\",\"=>\",\"{b}\",0.5,NA\n\"[2]\",\"{a}\",\"=>\",\"{c}\",0.5,\n");
    check_rule(m, 0, "a", "b", 0.5, NAN);
    assert_true(m->rules.rule[0].right_stated && !m->rules.rule[1].right_stated);
    kn_model_free(m);

    /* private items, and byte order marks */
    m = parse("\xEF\xBB\xBFleft,right,private\na|b,c,b|c\n,a,\n");
    check_rule(m, 0, "a/b", "c", NAN, NAN);
    check_rule(m, 1, "", "a", NAN, NAN);
    assert_int_equal(m->rules.hidden[kn__dict_find(m->rules.items, "a", 1)], 0);
    assert_int_equal(m->rules.hidden[kn__dict_find(m->rules.items, "b", 1)], 1);
    assert_int_equal(m->rules.hidden[kn__dict_find(m->rules.items, "c", 1)], 1);
    kn_model_free(m);

    m = parse("left,right\n");
    assert_int_equal(m->rules.count, 0);
    kn_model_free(m);
}

/* Counts beside supports: they say how many records there were if of all numbers of records only
 * one has these supports, as they are written. */
static void test_counts(void **state)
{
    kn_model *m = parse("left,right,support,count\na,x,0.03,30\nb,x,0.008000,8\nc,x,0,0\n");

    (void)state;
    assert_int_equal(m->rules.records, 1000);
    assert_int_equal(m->rules.rule[0].count, 30);
    assert_int_equal(m->rules.rule[1].count, 8);
    assert_int_equal(m->rules.rule[2].count, 0);
    kn_model_free(m);
    m = parse("left,right,support,count\na,x,0.03,30\nb,x,0.01,8\n");
    assert_int_equal(m->rules.records, 0);
    kn_model_free(m);
    /* Of 80 records, 10 are 0.1 as 10 of 100 are. */
    m = parse("left,right,support,count\na,x,0.1,10\nb,x,0.1,10\n");
    assert_int_equal(m->rules.records, 0);
    kn_model_free(m);
    m = parse("left,right,support,count\na,x,0.3333333333333333,1\nb,x,0.6666666666666666,2\n");
    assert_int_equal(m->rules.records, 3);
    kn_model_free(m);
    m = parse("left,right,support,count\na,x,2.718281835e-05,27182818\n"); /* of 10^12 */
    assert_int_equal(m->rules.records, 0);
    kn_model_free(m);
    m = parse("left,right,count\na,x,NA\n");
    assert_int_equal(m->rules.rule[0].count, 0);
    kn_model_free(m);
}

static void test_wrong(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "no list of rules"},
        {"name,age\nx,3\n", "rules.csv:1: no list of rules"},
        {"left,support\na,0.5\n", "no list of rules"},
        {"left,right,support\na,b,1.5\n", "rules.csv:2: column 3: \"1.5\" is no share in 0..1"},
        {"left,right,support\na,b,x\n", "rules.csv:2: column 3: \"x\" is no share in 0..1"},
        {"left,right,confidence\na,b,-1\n", "column 3: \"-1\" is no share"},
        {"left,right\na,b\na,\n", "rules.csv:3: column 2: \"\" names nothing for the right side"},
        {"left,right\na|c,b|a\n", "column 2: \"b|a\" names an item that is on the left side too"},
        {"left,right\na|a,b\n", "column 1: \"a|a\" names an item twice"},
        {"left,right\na||c,b\n", "is no item"},
        {"left,right\na,b,c\n", "rules.csv:2: 3 fields, but the first line names 2 columns"},
        {"rules\n{a} -> {b}\n", "rules.csv:2: column 1: \"{a} -> {b}\" is no rule such as"},
        {"rules\n{a} => {b} => {c}\n", "column 1: \"{a} => {b} => {c}\" has several arrows"},
        {"rules\na => b => c\n", "has several arrows"},
        {"rules\n{a => b}\n", "is no rule such as"},
        {"lhs,rhs\n\"frozenset({'a)\",b\n", "is no frozenset"},
        {"lhs,rhs\n\"frozenset({'a})\",b\n", "opens a quote"},
        {"lhs,rhs\n\"frozenset({'a\\x41'})\",b\n", "escape"},
        {"lhs,rhs\n\"frozenset({'a' 'b'})\",b\n", "between an item and the comma"},
        {"lhs,rhs\n\"{\"\"a}\",b\n", "opens a quote"},
        {"left,right\n\"a,b\n", "a quote is opened and not closed"},
        {"left,right\na,\xff\n", "rules.csv:2: invalid UTF-8"},
        {"left,right,boost\na,b,1\n",
         "rules.csv:1: column 3: \"boost\" is no measure that is known"},
        {"left,right,hyperLift\na,b,1\n", "\"hyperLift\" is no measure that is known"},
        {"left,right,support,Support\na,b,1,1\n", "column 4: \"Support\" is a second column"},
        {"left,right,lhs\na,b,c\n", "column 3: \"lhs\" is a second column"},
        {"rules,lhs,rhs\n{a} => {b},a,b\n", "column 1: \"rules\" is a second column"},
        {",left,right\n0.35,a,b\n", "stands in a column without a name"},
        {"left,right,count\na,b,2.5\n", "column 3: \"2.5\" is no number of records"},
        {"left,right,count\na,b,-2\n", "is no number from 0 on"},
        {"left,right,support\na,b,1e400\n", "is no share"},
        {"left,right,support\na,b,0x1\n", "is no share"},
        {"left,right,support\na,b,50%\n", "is no share"},
        {"left,right,support\na,b,\"0,5\"\n", "is no share"},
        {"left,right\n{a,b\n", "opens a brace and does not close it"},
        {"left,right\n\"{a(,b}\",c\n", "opens a bracket and does not close it"},
        {"rules\n{a} \u21d2 {b}\n", "is no rule such as"},
        {"lhs,rhs\nfrozenset({'a'}),frozenset({'c\n", "is no frozenset"},
        {"lhs,rhs\n\"frozenset({('a', 'b')})\",c\n", "neither a text nor a number"},
        {"lhs,rhs\n\"frozenset({np.str_('a'})\",c\n", "opens a bracket and does not close it"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kn_model *m;
        kn_error err = {0};
        assert_int_equal(kn__model_parse_csv(&m, "rules.csv", cases[i].text, strlen(cases[i].text),
                                             &err),
                         KN_EINPUT);
        assert_null(m);
        if (!strstr(err.message, cases[i].message)) {
            fail_msg("%s\nsays: %s\nnot: %s", cases[i].text, err.message, cases[i].message);
        }
    }
}

static void same_side(const kn_model *a, const uint32_t *x, size_t x_count, const kn_model *b,
                      const uint32_t *y, size_t y_count)
{
    assert_int_equal(x_count, y_count);
    for (size_t i = 0; i < x_count; i++) {
        size_t len;
        const char *text = kn__dict_text(a->rules.items, x[i], &len);
        const uint32_t there = kn__dict_find(b->rules.items, text, len);
        size_t found = 0;
        assert_int_not_equal(there, KN_NO_CODE);
        assert_int_equal(a->rules.hidden[x[i]], b->rules.hidden[there]);
        for (size_t j = 0; j < y_count; j++) {
            found += y[j] == there;
        }
        assert_int_equal(found, 1);
    }
}

/* Names made of what the notations use. */
static void test_round_trip(void **state)
{
    static const char *const parts[] = {"a", "b",  "|",          ",",  "{",  "}",   "\"",
                                        "'", " ",  "[",          "(",  ")",  "]",   "=>",
                                        ";", "\n", "frozenset(", "\\", "\t", "0.5", "="};
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 61, 0);
    for (size_t round = 0; round < 5000; round++) {
        kn_model *m, *back;
        kn_buffer text = {0};
        kn_error err = {0};
        const uint32_t items = 2 + (uint32_t)kn__rng_below(&rng, 5);
        assert_int_equal(kn__model_new(&m, KN_MODEL_RULES, NULL), KN_OK);
        while (m->rules.items->len < items) {
            char name[64] = "";
            uint32_t code;
            for (size_t n = 1 + kn__rng_below(&rng, 4); n > 0; n--) {
                strcat(name, parts[kn__rng_below(&rng, sizeof parts / sizeof *parts)]);
            }
            assert_int_equal(kn__dict_add(m->rules.items, name, strlen(name), &code, NULL), KN_OK);
        }
        m->rules.hidden = kn__zalloc(items);
        m->rules.records = kn__rng_below(&rng, 2) ? 1000 : 0;
        m->rules.count = m->rules.cap = kn__rng_below(&rng, 4);
        m->rules.rule = kn__zalloc_array(m->rules.count, sizeof *m->rules.rule);
        for (uint32_t i = 0; i < items; i++) {
            m->rules.hidden[i] = kn__rng_below(&rng, 2) == 0;
        }
        for (size_t i = 0; i < m->rules.count; i++) {
            kn_rule *r = &m->rules.rule[i];
            r->left = kn__malloc_array(items, sizeof *r->left);
            r->right = kn__malloc_array(items, sizeof *r->right);
            r->right[r->right_count++] = (uint32_t)kn__rng_below(&rng, items);
            for (uint32_t j = 0; j < items; j++) {
                if (j != r->right[0] && kn__rng_below(&rng, 2)) {
                    r->left[r->left_count++] = j;
                }
            }
            r->support = kn__rng_below(&rng, 5) ? (double)(1 + kn__rng_below(&rng, 1000)) / 1000
                                                : NAN;
            r->confidence = kn__rng_below(&rng, 5) ? kn__rng_double(&rng) : NAN;
            r->lift = kn__rng_double(&rng) * 3;
        }
        assert_int_equal(kn__model_csv(m, &text, NULL), KN_OK);
        if (kn__model_parse_csv(&back, "back", text.data, text.len, &err) != KN_OK) {
            fail_msg("%s\n%s", err.message, text.data);
        }
        assert_int_equal(back->rules.count, m->rules.count);
        for (size_t i = 0; i < m->rules.count; i++) {
            const kn_rule *x = &m->rules.rule[i], *y = &back->rules.rule[i];
            same_side(m, x->left, x->left_count, back, y->left, y->left_count);
            same_side(m, x->right, x->right_count, back, y->right, y->right_count);
            assert_true(x->support == y->support || (isnan(x->support) && isnan(y->support)));
            assert_true(x->confidence == y->confidence ||
                        (isnan(x->confidence) && isnan(y->confidence)));
            assert_true(x->lift == y->lift);
            if (!isnan(x->support)) {
                assert_int_equal(back->rules.records, m->rules.records);
            }
        }
        kn__buffer_free(&text);
        kn_model_free(m);
        kn_model_free(back);
    }
}

static void test_memory(void **state)
{
    static const char text[] = "left,right,support,confidence,count,private\na|b,c,0.5,1,3,c\n"
                               "\"frozenset({'d', 'e'})\",\"{a,\"\"f,g\"\"}\",0.5,1,3,\n";
    bool done = false;
    size_t n = 1;

    (void)state;
    for (; !done; n++) {
        kn_model *m;
        kn_buffer out = {0};
        kn_status status;
        kn__memory_fail_after(n);
        status = kn__model_parse_csv(&m, "rules.csv", text, strlen(text), NULL);
        if (status == KN_OK) {
            status = kn__model_csv(m, &out, NULL);
        }
        done = !kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(status, done ? KN_OK : KN_ENOMEM);
        kn__buffer_free(&out);
        kn_model_free(m);
    }
    assert_true(n > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways),   cmocka_unit_test(test_counts),
        cmocka_unit_test(test_wrong),  cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
