/* test_pmml.c - PMML written and read back answers the same; what is not understood is refused. */
#include "kanon/run.h"
#include "models/format/formats.h"
#include "models/random_models.h"
#include "rounds.h"

static kn_model *read_back(const kn_model *m)
{
    kn_buffer text = {0};
    kn_model *again = NULL;
    kn_error err = {0};

    if (kn__model_pmml(m, &text, &err) != KN_OK) {
        fail_msg("cannot be written: %s", err.message);
    }
    if (kn__model_parse_pmml(&again, "m.pmml", text.data, text.len, &err) != KN_OK) {
        fail_msg("cannot be read back: %s\n%s", err.message, text.data);
    }
    assert_int_equal(again->unjudged, 0);
    kn__buffer_free(&text);
    return again;
}

/* `tuple` of `m` in the order of the attributes of `other`, which may lack some. */
static void reorder(const kn_model *m, const oracle_value *tuple, const kn_model *other,
                    oracle_value *out)
{
    for (size_t a = 0; a < m->attributes; a++) {
        const uint32_t at = kn__model_find_attribute(other, m->attribute[a].name);
        if (at != KN_NO_CODE) {
            out[at] = tuple[a];
        }
    }
}

static void trees_come_back(void **state)
{
    kn_rng r;
    size_t answers = 0, compared = 0;

    (void)state;
    kn__rng_seed(&r, 5, 1);
    for (size_t round = 0; round < test_rounds(3000); round++) {
        kn_model *m = random_tree(&r, DATES), *again = read_back(m);
        assert_int_equal(again->attributes, m->attributes);
        assert_int_equal(again->tree.nodes, m->tree.nodes);
        assert_int_equal(again->promise.k, m->promise.k);
        assert_true(again->promise.l == m->promise.l);
        for (size_t a = 0; a < m->attributes; a++) {
            const kn_attribute *one = &m->attribute[a], *two = &again->attribute[a];
            assert_string_equal(one->name, two->name);
            assert_int_equal(one->hidden, two->hidden);
            assert_int_equal(one->values != NULL, two->values != NULL);
            if (one->values) {
                assert_int_equal(one->values->len, two->values->len);
            }
        }
        for (size_t i = 0; i < 30; i++) {
            oracle_value tuple[MOST_ATTRIBUTES], other[MOST_ATTRIBUTES];
            char room[MOST_ATTRIBUTES][64];
            size_t len, len2;
            const char *one, *two;
            random_tuple(m, &r, tuple, room);
            reorder(m, tuple, again, other);
            one = oracle_tree_answer(m, tuple, &len);
            two = oracle_tree_answer(again, other, &len2);
            assert_int_equal(one == NULL, two == NULL);
            assert_true(!one || (len == len2 && memcmp(one, two, len) == 0));
            answers += one != NULL;
            compared++;
        }
        kn_model_free(again);
        kn_model_free(m);
    }
    assert_true(answers > compared / 4);
}

/* All that a tree says beside its answers, as JSON tells it. */
static void trees_come_back_whole(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 6, 1);
    for (size_t round = 0; round < 500; round++) {
        kn_model *m = random_tree(&r, PLAIN), *once = read_back(m), *twice = read_back(once);
        kn_buffer one = {0}, two = {0};
        assert_int_equal(kn__model_json(once, &one, NULL), KN_OK);
        assert_int_equal(kn__model_json(twice, &two, NULL), KN_OK);
        assert_string_equal(one.data, two.data);
        for (size_t n = 0; n < m->tree.nodes; n++) {
            /* random trees are made level by level, as they are read */
            const kn_tree_node *a = &m->tree.node[n], *b = &once->tree.node[n];
            assert_int_equal(a->parent, b->parent);
            assert_int_equal(a->answer, b->answer);
            if (a->label) {
                assert_string_equal(a->label, b->label);
            }
            for (uint32_t c = 0;
                 a->population && a->answer != KN_NO_CODE && c < m->attribute[0].values->len; c++) {
                assert_int_equal(a->population[c], b->population[c]);
            }
        }
        kn__buffer_free(&one);
        kn__buffer_free(&two);
        kn_model_free(m);
        kn_model_free(once);
        kn_model_free(twice);
    }
}

static void clusters_come_back(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 7, 1);
    for (size_t round = 0; round < test_rounds(2000); round++) {
        kn_model *m = random_centres(&r, DATES), *again = read_back(m);
        assert_int_equal(again->centres.count, m->centres.count);
        for (size_t i = 0; i < m->centres.count; i++) {
            assert_int_equal(again->centres.population[i], m->centres.population[i]);
            assert_int_equal(again->centres.name[i] != NULL, m->centres.name[i] != NULL);
        }
        for (size_t i = 0; i < 20; i++) {
            oracle_value tuple[MOST_ATTRIBUTES], other[MOST_ATTRIBUTES];
            char room[MOST_ATTRIBUTES][64];
            size_t one, two;
            random_tuple(m, &r, tuple, room);
            reorder(m, tuple, again, other);
            one = oracle_nearest(m, tuple);
            two = oracle_nearest(again, other);
            if (one != two) {
                /* equally near, but for rounding */
                const double near = oracle_distance(m, one, tuple);
                assert_true(fabs(near - oracle_distance(m, two, tuple)) <= 1e-9 * (1 + near));
            }
        }
        kn_model_free(again);
        kn_model_free(m);
    }
}

static void rules_come_back(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 8, 1);
    for (size_t round = 0; round < test_rounds(1000); round++) {
        kn_model *m = random_rules(&r, 0), *again = read_back(m);
        kn_buffer one = {0}, two = {0};
        assert_int_equal(kn__model_json(m, &one, NULL), KN_OK);
        assert_int_equal(kn__model_json(again, &two, NULL), KN_OK);
        assert_string_equal(one.data, two.data);
        kn__buffer_free(&one);
        kn__buffer_free(&two);
        kn_model_free(again);
        kn_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_come_back),
        cmocka_unit_test(trees_come_back_whole),
        cmocka_unit_test(clusters_come_back),
        cmocka_unit_test(rules_come_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
