/* Rules: the paper's example, thousands of random rule lists against the linking attack by
 * definition, spans too large to list, and what does not fit the data. */
#include "models/rules/rules_test.h"

enum { CHERRIES = 1, CANDLES = 2, TYLENOL = 4, VIAGRA = 8 };

static kn_bound *bind(const kn_model *m, const kn_dataset *ds)
{
    kn_bound *b;
    kn_error err = {0};

    if (kn__bound_new(&b, m, ds, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return b;
}

/* 1,000 customers as in section 4.3: 112 bought cherries, 84 of them Viagra; 30 cherries and
 * candles, 24 of them Tylenol. */
static size_t customers(uint32_t *records)
{
    size_t n = 0;

    for (size_t i = 0; i < 30; i++) {
        records[n++] = CHERRIES | CANDLES | (i < 24 ? TYLENOL : 0) | (i % 3 ? VIAGRA : 0);
    }
    for (size_t i = 0; i < 82; i++) {
        records[n++] = CHERRIES | (i < 64 ? VIAGRA : 0);
    }
    while (n < 1000) {
        records[n] = n % 4 == 0 ? CANDLES : n % 4 == 1 ? TYLENOL | VIAGRA : 0;
        n++;
    }
    return n;
}

static void test_paper(void **state)
{
    static uint32_t records[1000];
    const size_t n = customers(records);
    const oracle_rule rules[] = {{CHERRIES, VIAGRA}, {CHERRIES | CANDLES, TYLENOL}};
    kn_dataset *ds = letters(records, n, TYLENOL | VIAGRA);

    (void)state;
    assert_int_equal(oracle_support(records, n, CHERRIES | VIAGRA), 84);
    assert_int_equal(oracle_support(records, n, CHERRIES), 112);
    for (size_t count = 1; count <= 2; count++) {
        kn_model *m = model_of(rules, count);
        kn_bound *b = bind(m, ds);
        kn_span_model reach;
        kn_spans spans;
        assert_int_equal(kn__rules_span_model(&reach, b, NULL), KN_OK);
        assert_int_equal(kn__spans_find(&spans, &reach, NULL, NULL), KN_OK);
        assert_int_equal(spans.count, count + 1);
        if (count == 2) {
            const size_t s2 = spans.of[0], s3 = spans.of[30], s1 = spans.of[999];
            kn_buffer words = {0};
            assert_int_equal(spans.population[s1], 888);
            assert_int_equal(spans.population[s2], 30);
            assert_int_equal(spans.population[s3], 82);
            assert_int_equal(spans.starts[s1 + 1] - spans.starts[s1], 1);
            assert_int_equal(spans.starts[s2 + 1] - spans.starts[s2], 4);
            assert_int_equal(spans.starts[s3 + 1] - spans.starts[s3], 2);
            assert_int_equal(kn__spans_k(&spans), 30);
            assert_int_equal(reach.classes, 7); /* the footnote of 4.3 */
            reach.class_words(reach.model, spans.class_of[1], &words);
            assert_string_equal(words.data, "rule 1: both sides, rule 2: both sides");
            words.len = 0;
            reach.class_words(reach.model, spans.class_of[0], &words);
            assert_string_equal(words.data, "rule 1: left side only, rule 2: both sides");
            words.len = 0;
            reach.class_words(reach.model, spans.class_of[999], &words);
            assert_string_equal(words.data, "the left side of no rule");
            kn__buffer_free(&words);
            assert_int_equal(kn__rules_state(&reach, spans.class_of[0], 1), 2);
        } else {
            assert_int_equal(spans.population[spans.of[0]], 112);
            assert_int_equal(spans.population[spans.of[999]], 888);
            assert_int_equal(kn__spans_k(&spans), 112);
        }
        kn__spans_clear(&spans);
        kn__span_model_clear(&reach);
        kn__bound_free(b);
        kn_model_free(m);
    }
    kn_dataset_free(ds);
}

typedef struct world {
    uint32_t records[ORACLE_RECORDS], private_items, occurring;
    size_t count;
    oracle_rule rules[ORACLE_RULES];
    size_t rules_count;
} world;

/* False: there is nothing to make rules of. */
static bool make_world(world *w, kn_rng *rng, unsigned items, size_t most_records,
                       size_t most_rules)
{
    *w = (world){.count = 1 + kn__rng_below(rng, most_records)};
    for (size_t i = 0; i < w->count; i++) {
        w->records[i] = (uint32_t)kn__rng_below(rng, 1u << items);
        if (kn__rng_below(rng, 3) == 0) {
            w->records[i] &= (uint32_t)kn__rng_below(rng, 1u << items);
        }
        w->occurring |= w->records[i];
    }
    w->private_items = (uint32_t)kn__rng_below(rng, 1u << items);
    w->rules_count = kn__rng_below(rng, most_rules + 1);
    for (size_t i = 0; i < w->rules_count; i++) {
        oracle_rule *r = &w->rules[i];
        do {
            r->right = w->occurring & (uint32_t)kn__rng_below(rng, 1u << items);
            r->left = w->occurring & (uint32_t)kn__rng_below(rng, 1u << items) & ~r->right;
            if (kn__rng_below(rng, 2)) {
                r->left &= (uint32_t)kn__rng_below(rng, 1u << items);
            }
        } while (r->right == 0 && w->occurring != 0);
        if (r->right == 0) {
            return false;
        }
    }
    return (w->occurring & ~w->private_items) != 0;
}

static void compare(const world *w, unsigned threads)
{
    kn_dataset *ds = letters(w->records, w->count, w->private_items);
    kn_model *m = model_of(w->rules, w->rules_count);
    const kn_run run = {.threads = threads};
    static oracle_attack attack;
    kn_bound *b = bind(m, ds);
    kn_span_model reach;
    kn_spans spans;

    assert_int_equal(kn__rules_span_model(&reach, b, NULL), KN_OK);
    assert_int_equal(kn__spans_find(&spans, &reach, &run, NULL), KN_OK);
    oracle_link(&attack, w->rules, w->rules_count, w->records, w->count,
                w->private_items & w->occurring);
    assert_int_equal(kn__spans_k(&spans), attack.k);
    for (size_t i = 0; i < w->count; i++) {
        const size_t listed = spans.starts[spans.of[i] + 1] - spans.starts[spans.of[i]];
        if (attack.classes[i] <= 64) {
            assert_int_equal(listed, attack.classes[i]);
        } else {
            assert_true(listed > 1 && listed <= attack.classes[i]);
        }
        for (size_t j = 0; j < i; j++) {
            assert_true((spans.of[i] == spans.of[j]) == (attack.of[i] == attack.of[j]));
            assert_true((spans.class_of[i] == spans.class_of[j]) ==
                        (oracle_class(w->rules, w->rules_count, w->records[i]) ==
                         oracle_class(w->rules, w->rules_count, w->records[j])));
        }
        for (size_t j = 0; j < w->rules_count; j++) {
            uint64_t digits = oracle_class(w->rules, w->rules_count, w->records[i]);
            for (size_t skip = j + 1; skip < w->rules_count; skip++) {
                digits /= 3;
            }
            assert_int_equal(kn__rules_state(&reach, spans.class_of[i], j), digits % 3);
        }
    }
    kn__spans_clear(&spans);
    kn__span_model_clear(&reach);
    kn__bound_free(b);
    kn_model_free(m);
    kn_dataset_free(ds);
}

static void test_random(void **state)
{
    kn_rng rng;
    static world w;
    size_t done = 0;

    (void)state;
    kn__rng_seed(&rng, 43, 0);
    for (size_t i = 0; i < 12000; i++) {
        if (make_world(&w, &rng, 2 + (unsigned)(i % 6), 1 + i % 40, i % 7)) {
            compare(&w, 1 + i % 3);
            done++;
        }
    }
    assert_true(done > 8000);
}

/* Eight private items on the right of one public: 256 classes. */
static void test_large_spans(void **state)
{
    kn_rng rng;
    static world w;

    (void)state;
    kn__rng_seed(&rng, 44, 0);
    for (size_t round = 0; round < 60; round++) {
        w = (world){.count = 30, .private_items = 0x3fc, .rules_count = 8, .occurring = 0x3ff};
        for (size_t i = 0; i < w.count; i++) {
            w.records[i] = i ? (uint32_t)kn__rng_below(&rng, 1024) : 0x3ff;
        }
        for (size_t i = 0; i < 8; i++) {
            w.rules[i] = (oracle_rule){1 + (uint32_t)kn__rng_below(&rng, 3), 4u << i};
        }
        compare(&w, 2);
    }
}

static void test_no_such_item(void **state)
{
    const uint32_t records[] = {3, 1, 2};
    const oracle_rule rules[] = {{1, 4}};
    kn_dataset *ds = letters(records, 3, 2);
    kn_model *m = model_of(rules, 1);
    kn_bound *b;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn__bound_new(&b, m, ds, NULL, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "\"c\", which no record of the data holds"));
    kn_model_free(m);
    m = model_of((oracle_rule[]){{1, 2}}, 1);
    assert_int_equal(kn__bound_new(&b, m, ds, NULL, &err), KN_OK);
    kn__bound_free(b);
    m->rules.hidden[1] = 1; /* as the schema says */
    assert_int_equal(kn__bound_new(&b, m, ds, NULL, &err), KN_OK);
    kn__bound_free(b);
    m->rules.hidden[0] = 1;
    assert_int_equal(kn__bound_new(&b, m, ds, NULL, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "the rules say that \"a\" is private"));
    b = NULL;
    kn__bound_free(b);
    kn_model_free(m);
    kn_dataset_free(ds);
}

static void test_memory(void **state)
{
    static world w;
    kn_dataset *ds;
    kn_model *m;
    kn_rng rng;
    size_t n = 1;
    bool done = false;

    (void)state;
    kn__rng_seed(&rng, 45, 0);
    while (!make_world(&w, &rng, 6, 30, 6) || w.rules_count < 4) {
    }
    ds = letters(w.records, w.count, w.private_items);
    m = model_of(w.rules, w.rules_count);
    for (; !done; n++) {
        kn_bound *b;
        kn_span_model reach = {0};
        kn_status status;
        kn__memory_fail_after(n);
        status = kn__bound_new(&b, m, ds, NULL, NULL);
        if (status == KN_OK) {
            status = kn__rules_span_model(&reach, b, NULL);
        }
        done = !kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(status, done ? KN_OK : KN_ENOMEM);
        kn__span_model_clear(&reach);
        kn__bound_free(b);
    }
    assert_true(n > 20);
    kn_model_free(m);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),       cmocka_unit_test(test_random),
        cmocka_unit_test(test_large_spans), cmocka_unit_test(test_no_such_item),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
