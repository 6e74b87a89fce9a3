/* Rules without their data: the paper's figures, and thousands of random rule lists whose real
 * spans must lie within the bounds and whose real k must agree with every answer. */
#include "models/rules/rules_test.h"
#include "rounds.h"

#include <math.h>

enum { CHERRIES = 1, CANDLES = 2, TYLENOL = 4, VIAGRA = 8 };

static kn_stated_verdict *judge(const kn_model *m, uint64_t records, uint32_t private_items,
                                uint64_t k)
{
    char text[26][2];
    const char *list[26];
    size_t count = 0;
    kn_stated_verdict *v;
    kn_error err = {0};

    for (unsigned bit = 0; bit < 26; bit++) {
        const char name[1] = {(char)('a' + bit)};
        if (private_items >> bit & 1 && kn__dict_find(m->rules.items, name, 1) != KN_NO_CODE) {
            text[count][0] = name[0];
            text[count][1] = '\0';
            list[count] = text[count];
            count++;
        }
    }
    if (kn_model_check_stated(&v, m, records, list, count, k, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return v;
}

static void check_span(const kn_stated_verdict *v, size_t i, const char *words, uint64_t population,
                       bool tells)
{
    const kn_stated_span *s = kn_stated_verdict_span(v, i);

    assert_string_equal(s->words, words);
    assert_int_equal(s->least, population);
    assert_int_equal(s->most, population);
    assert_int_equal(s->tells, tells);
}

static void test_paper(void **state)
{
    const oracle_rule rules[] = {{CHERRIES, VIAGRA}, {CHERRIES | CANDLES, TYLENOL}};
    kn_stated_verdict *v;
    kn_model *m = model_of(rules, 2);

    (void)state;
    m->rules.rule[0].support = 0.084;
    m->rules.rule[0].confidence = 0.75;
    m->rules.rule[1].support = 0.024;
    m->rules.rule[1].confidence = 0.8;
    for (uint64_t k = 30; k <= 31; k++) {
        v = judge(m, 1000, TYLENOL | VIAGRA, k);
        assert_int_equal(kn_stated_verdict_answer(v), k == 30 ? KN_STATED_HOLDS : KN_STATED_BROKEN);
        assert_int_equal(kn_stated_verdict_k(v), 30);
        assert_int_equal(kn_stated_verdict_spans(v), 3);
        check_span(v, 0, "everybody without a", 888, false);
        check_span(v, 1, "a without b", 82, true);
        check_span(v, 2, "a, b", 30, true);
        kn_stated_verdict_free(v);
    }
    m->rules.records = 1000;
    m->rules.rule[1].confidence = NAN; /* who has both sides is known, but not the left one */
    v = judge(m, 0, TYLENOL | VIAGRA, 20);
    assert_int_equal(kn_stated_verdict_answer(v), KN_STATED_UNKNOWN);
    assert_int_equal(kn_stated_verdict_span(v, 2)->least, 24);
    assert_int_equal(kn_stated_verdict_span(v, 2)->most, 112);
    kn_stated_verdict_free(v);
    kn_model_free(m);

    m = model_of(rules, 1);
    m->rules.rule[0].support = 0.084;
    m->rules.rule[0].confidence = 0.75;
    for (int said = 0; said < 2; said++) { /* by the call, by the model */
        v = judge(m, 1000, said ? 0 : VIAGRA, 31);
        assert_int_equal(kn_stated_verdict_answer(v), KN_STATED_HOLDS);
        check_span(v, 0, "everybody without a", 888, false);
        check_span(v, 1, "a", 112, true);
        kn_stated_verdict_free(v);
        m->rules.hidden[kn__dict_find(m->rules.items, "d", 1)] = 1;
    }
    kn_model_free(m);
}

static void test_refused(void **state)
{
    const oracle_rule rules[] = {{1, 2}, {4, 2}};
    const char *const nobody = "z", *const private_item = "b";
    kn_model *m = model_of(rules, 2), *tree;
    kn_stated_verdict *v;
    kn_error err = {0};

    (void)state;
    m->rules.rule[0].support = 0.6;
    m->rules.rule[0].confidence = 0.5;
    m->rules.rule[1].support = m->rules.rule[1].confidence = NAN;
    assert_int_equal(kn_model_check_stated(&v, m, 0, &private_item, 1, 2, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "--records"));
    assert_int_equal(kn_model_check_stated(&v, m, 10, &nobody, 1, 2, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "no rule names \"z\""));
    /* 6 hold both, so 12 of 10 would hold the left side: not used, and so not told */
    assert_int_equal(kn_model_check_stated(&v, m, 10, &private_item, 1, 2, &err), KN_OK);
    assert_int_equal(kn_stated_verdict_answer(v), KN_STATED_UNKNOWN);
    kn_stated_verdict_free(v);
    /* {b, c} with 7 and {c} with 7, but {c} => {b}: 3 */
    kn_model_free(m);
    m = model_of((oracle_rule[]){{4, 2}, {0, 4}}, 2);
    m->rules.rule[0].support = 0.3;
    m->rules.rule[0].confidence = 0.5;
    m->rules.rule[1].support = 0.7;
    m->rules.rule[1].confidence = 0.7;
    assert_int_equal(kn_model_check_stated(&v, m, 10, &private_item, 1, 2, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "contradict"));
    assert_int_equal(kn__model_new(&tree, KN_MODEL_TREE, NULL), KN_OK);
    assert_int_equal(kn_model_check_stated(&v, tree, 10, NULL, 0, 2, &err), KN_EUSAGE);
    assert_null(v);
    kn_model_free(tree);
    kn_model_free(m);
}

/* A count is of records, and a support of 0.01 may be of 8 in 1,000. */
static void test_counts(void **state)
{
    const oracle_rule rules[] = {{CHERRIES, VIAGRA}, {CHERRIES | CANDLES, VIAGRA}};
    const char *const private_item = "d";
    kn_model *m = model_of(rules, 2);
    kn_stated_verdict *v;
    kn_error err = {0};

    (void)state;
    m->rules.rule[0].support = 0.03;
    m->rules.rule[1].support = 0.01;
    m->rules.rule[0].confidence = m->rules.rule[1].confidence = 1;
    v = judge(m, 1000, VIAGRA, 10);
    assert_int_equal(kn_stated_verdict_answer(v), KN_STATED_HOLDS);
    kn_stated_verdict_free(v);
    m->rules.rule[0].count = 30;
    m->rules.rule[1].count = 8;
    v = judge(m, 1000, VIAGRA, 10);
    assert_int_equal(kn_stated_verdict_answer(v), KN_STATED_BROKEN);
    check_span(v, 1, "a without b", 22, true);
    check_span(v, 2, "a, b", 8, true);
    kn_stated_verdict_free(v);
    m->rules.rule[0].count = 1001;
    assert_int_equal(kn_model_check_stated(&v, m, 1000, &private_item, 1, 2, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "contradict"));
    m->rules.rule[0].count = 30;
    m->rules.records = 1000;
    assert_int_equal(kn_model_check_stated(&v, m, 100000, &private_item, 1, 2, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "they are of 1000 records, not of 100000"));
    kn_model_free(m);
}

static uint32_t held_in(const char *words)
{
    uint32_t held = 0;

    if (strncmp(words, "everybody", 9) == 0) {
        return 0;
    }
    for (; *words && strncmp(words, " without", 8) != 0; words++) {
        if (*words >= 'a' && *words <= 'z') {
            held |= 1u << (*words - 'a');
        }
    }
    return held;
}

static void test_random(void **state)
{
    static uint32_t records[ORACLE_RECORDS];
    kn_rng rng;
    size_t answers[3] = {0};

    (void)state;
    kn__rng_seed(&rng, 71, 0);
    for (size_t round = 0; round < test_rounds(8000); round++) {
        const size_t n = 2 + kn__rng_below(&rng, 50), count = 1 + kn__rng_below(&rng, 4);
        const uint32_t private_items = (uint32_t)kn__rng_below(&rng, 64);
        const uint64_t k = 1 + kn__rng_below(&rng, 5);
        static oracle_attack attack;
        oracle_rule rules[4];
        kn_stated_verdict *v;
        kn_model *m;
        bool exact = true;
        for (size_t i = 0; i < n; i++) {
            records[i] = (uint32_t)(kn__rng_below(&rng, 64) |
                                    (kn__rng_below(&rng, 64) & kn__rng_below(&rng, 64)));
        }
        for (size_t i = 0; i < count; i++) {
            rules[i].right = 1u << kn__rng_below(&rng, 6);
            rules[i].left = (uint32_t)(kn__rng_below(&rng, 64) & kn__rng_below(&rng, 64)) &
                            ~rules[i].right;
        }
        m = model_of(rules, count);
        for (size_t i = 0; i < count; i++) {
            const double both = (double)oracle_support(records, n, rules[i].left | rules[i].right);
            const double left = (double)oracle_support(records, n, rules[i].left);
            m->rules.rule[i].support = kn__rng_below(&rng, 9) ? both / (double)n : NAN;
            m->rules.rule[i].confidence = left > 0 && kn__rng_below(&rng, 9) ? both / left : NAN;
        }
        v = judge(m, n, private_items, k);
        oracle_link(&attack, rules, count, records, n, private_items);
        for (size_t i = 0; i < kn_stated_verdict_spans(v); i++) {
            const kn_stated_span *s = kn_stated_verdict_span(v, i);
            const uint32_t held = held_in(s->words);
            uint64_t population = 0;
            for (size_t r = 0; r < n; r++) {
                uint32_t sides = 0;
                for (size_t j = 0; j < count; j++) {
                    const uint32_t left = rules[j].left & ~private_items;
                    const uint32_t both = (rules[j].left | rules[j].right) & ~private_items;
                    sides |= (left & ~records[r]) == 0 ? left : 0;
                    sides |= (both & ~records[r]) == 0 ? both : 0;
                }
                if (sides == held) {
                    population++;
                    assert_int_equal(s->tells, attack.classes[r] > 1);
                }
            }
            assert_true(s->least <= population && population <= s->most);
            exact = exact && s->least == s->most;
        }
        assert_true(kn_stated_verdict_k(v) <= attack.k);
        switch (kn_stated_verdict_answer(v)) {
        case KN_STATED_HOLDS: assert_true(attack.k >= k); break;
        case KN_STATED_BROKEN: assert_true(attack.k < k); break;
        case KN_STATED_UNKNOWN: assert_false(exact); break;
        }
        answers[kn_stated_verdict_answer(v)]++;
        kn_stated_verdict_free(v);
        kn_model_free(m);
    }
    print_message("holds %zu, broken %zu, cannot be told %zu\n", answers[0], answers[1],
                  answers[2]);
    assert_true(answers[0] > test_rounds(1000) && answers[1] > test_rounds(300) &&
                answers[2] > test_rounds(1000));
}

static void test_memory(void **state)
{
    const oracle_rule rules[] = {{CHERRIES, VIAGRA}, {CHERRIES | CANDLES, TYLENOL}};
    const char *const private_items[] = {"c", "d"};
    kn_model *m = model_of(rules, 2);
    bool done = false;
    size_t n = 1;

    (void)state;
    m->rules.rule[0].support = m->rules.rule[0].confidence = 0.5;
    m->rules.rule[1].support = m->rules.rule[1].confidence = 0.1;
    for (; !done; n++) {
        kn_stated_verdict *v;
        kn_status status;
        kn__memory_fail_after(n);
        status = kn_model_check_stated(&v, m, 1000, private_items, 2, 5, NULL);
        done = !kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(status, done ? KN_OK : KN_ENOMEM);
        kn_stated_verdict_free(v);
    }
    assert_true(n > 10);
    kn_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),   cmocka_unit_test(test_counts),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_random),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
