/* Trees and spans against the linking attack by definition. */
#include "models/bind.h"
#include "models/span.h"
#include "models/tree.h"
#include "tree_case.h"

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
    assert_true(kn_spans_k(s) == r->k);
}

static void test_random_trees(void **state)
{
    kn_rng r;
    int told = 0, single = 0, several = 0;

    (void)state;
    kn_rng_seed(&r, 5, 1);
    for (int round = 0; round < 20000; round++) {
        tree_case c;
        kn_bound *b;
        kn_reaching reaching;
        kn_spans spans;
        link_result result;
        const char *reason;
        const kn_run run = {.threads = 1 + (unsigned)round % 2};
        tree_case_make(&c, &r);
        assert_true(kn_model_validate(c.m, &reason));
        assert_int_equal(kn_bound_new(&b, c.m, c.ds, NULL, NULL), KN_OK);
        assert_int_equal(kn_tree_reaching(&reaching, b, NULL), KN_OK);
        assert_int_equal(kn_spans_find(&spans, &reaching, &run, NULL), KN_OK);
        link_attack(&c.link, &result);
        compare_spans(&c, &spans, &result);
        told += result.k < UINT64_MAX;
        single += result.telling < result.spans;
        several += result.spans > 1;
        link_clear(&result, c.link.records);
        kn_spans_clear(&spans);
        kn_reaching_clear(&reaching);
        kn_bound_free(b);
        tree_case_clear(&c);
    }
    /* the cases are worth something */
    assert_true(told > 5000 && single > 1000 && several > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_trees),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
