/* Trees and spans against the linking attack by definition. */
#include "models/bind.h"
#include "models/judge/span.h"
#include "models/tree/tree.h"
#include "models/tree/recount.h"
#include "models/tree/tree_case.h"

/* The engine's spans are those of the attack: the same groups, as many classes in each, the same
 * class for records of the same class. */
static void compare_spans(const tree_case *c, const kn_spans *s, const link_result *r)
{
    const int n = c->link.records;

    for (int i = 0; i < n; i++) {
        const size_t span = s->of[i], size = s->starts[span + 1] - s->starts[span];
        assert_int_equal(size, r->span_size[i]);
        for (int j = 0; j < i; j++) {
            assert_int_equal(s->of[i] == s->of[j], r->group[i] == r->group[j]);
            assert_int_equal(s->class_of[i] == s->class_of[j], r->own[i] == r->own[j]);
        }
        /* a record's class is in its span */
        for (size_t at = s->starts[span]; s->classes[at] != s->class_of[i]; at++) {
            assert_true(at + 1 < s->starts[span + 1]);
        }
    }
    assert_int_equal(s->count, r->spans);
    assert_true(kn__spans_k(s) == r->k);
}

/* How many of so many random trees tell something, tell nothing of somebody, tell people apart; the
 * most values that a private number was tried with. */
static int attack_trees(uint64_t seed, int rounds, int *told, int *single, int *several)
{
    kn_rng r;
    int widest = 0;

    kn__rng_seed(&r, seed, 1);
    *told = *single = *several = 0;
    for (int round = 0; round < rounds; round++) {
        tree_case c;
        kn_bound *b;
        kn_span_model span_model;
        kn_spans spans;
        link_result result;
        const char *reason;
        const kn_run run = {.threads = 1 + (unsigned)round % 2};
        tree_case_make(&c, &r);
        widest = c.link.hidden[1] && c.link.domain[1] > widest ? c.link.domain[1] : widest;
        assert_true(kn__model_validate(c.m, &reason));
        assert_int_equal(kn__bound_new(&b, c.m, c.ds, NULL, NULL), KN_OK);
        assert_int_equal(kn__tree_span_model(&span_model, b, NULL), KN_OK);
        assert_int_equal(kn__spans_find(&spans, &span_model, &run, NULL), KN_OK);
        link_attack(&c.link, &result);
        compare_spans(&c, &spans, &result);
        *told += result.k < UINT64_MAX;
        *single += result.telling < result.spans;
        *several += result.spans > 1;
        link_clear(&result, c.link.records);
        kn__spans_clear(&spans);
        kn__span_model_clear(&span_model);
        kn__bound_free(b);
        tree_case_clear(&c);
    }
    return widest;
}

static void test_random_trees(void **state)
{
    int told, single, several;

    (void)state;
    (void)attack_trees(5, 20000, &told, &single, &several);
    /* the cases are worth something */
    assert_true(told > 5000 && single > 1000 && several > 5000);
}

/* Numbers with more cells than a word has bits. */
static void test_many_thresholds(void **state)
{
    int told, single, several, widest;

    (void)state;
    case_fine = 16;
    widest = attack_trees(9, 100, &told, &single, &several);
    case_fine = 1;
    /* thresholds and what is between them: two values a cell */
    assert_true(told > 30 && several > 30 && widest > 200);
}

/* The second look agrees with the first, and notices when a record is put elsewhere. */
static void test_recount(void **state)
{
    kn_rng r;
    size_t moved = 0, looked = 0;

    (void)state;
    kn__rng_seed(&r, 10, 1);
    for (int round = 0; round < 3000; round++) {
        tree_case c;
        kn_bound *b;
        kn_span_model span_model;
        kn_spans s;
        size_t records, record;
        uint32_t was;
        kn_error err;
        tree_case_make(&c, &r);
        assert_int_equal(kn__bound_new(&b, c.m, c.ds, NULL, NULL), KN_OK);
        assert_int_equal(kn__tree_span_model(&span_model, b, NULL), KN_OK);
        assert_int_equal(kn__spans_find(&s, &span_model, NULL, NULL), KN_OK);
        assert_int_equal(kn__tree_recount(b, &s, &records, NULL), KN_OK);
        assert_true(records == 0 || records == c.ds->records);
        looked += records > 0;
        record = (size_t)kn__rng_below(&r, c.ds->records);
        if (records && s.count > 1) {
            was = s.of[record];
            s.of[record] = (uint32_t)((was + 1 + kn__rng_below(&r, s.count - 1)) % s.count);
            assert_int_equal(kn__tree_recount(b, &s, &records, &err), KN_EBROKEN);
            assert_non_null(strstr(err.message, "worked out twice, and the two disagree"));
            s.of[record] = was;
            moved++;
        }
        if (records && c.m->tree.nodes > 1) {
            const uint32_t bins = (uint32_t)kn__tree_bins(&c.m->tree, s.classes_count);
            was = s.class_of[record];
            s.class_of[record] = was < bins ? was + bins : was - bins;
            assert_int_equal(kn__tree_recount(b, &s, &records, &err), KN_EBROKEN);
            s.class_of[record] = was;
        }
        kn__spans_clear(&s);
        kn__span_model_clear(&span_model);
        kn__bound_free(b);
        tree_case_clear(&c);
    }
    assert_true(looked > 1500 && moved > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_many_thresholds),
        cmocka_unit_test(test_recount),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
