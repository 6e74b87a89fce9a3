/* Forests: building in any order, normal form against the set of paths, checks. */
#include "base/memory.h"
#include "data/trees.h"
#include "oracle/trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const few[] = {"a", "b", "5"};

static void random_forests(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 17, 0);
    for (int round = 0; round < 4000; round++) {
        const size_t before = kn_memory_in_use();
        kn_forest *f = oracle_random_forest(&rng, 6, round % 4 == 0 ? 40 : 9, few, 3), *g = NULL;
        const char *reason;
        uint64_t merged, nodes = f->starts[f->records];
        static oracle_paths paths;

        if (!kn__forest_validate(f, &reason)) {
            fail_msg("%s", reason);
        }
        assert_int_equal(kn__forest_copy(&g, f, NULL), KN_OK);
        assert_int_equal(kn__forest_normalise(g, &merged, NULL), KN_OK);
        if (!kn__forest_validate(g, &reason)) {
            fail_msg("%s", reason);
        }
        assert_int_equal(kn__forest_check(g, NULL), KN_OK);
        assert_int_equal(nodes - merged, g->starts[g->records]);
        assert_true(oracle_same_trees(f, g));
        for (size_t r = 0; r < g->records; r++) {
            oracle_tree_paths(g, r, &paths);
            assert_int_equal(paths.count, kn__forest_size(g, r));
        }
        for (uint32_t code = 0; code < g->values; code++) {
            uint32_t begin, end;
            assert_int_equal(kn__forest_find(g, g->value_class[code], g->text[code],
                                             strlen(g->text[code])),
                             code);
            kn__forest_class_values(g, g->value_class[code], &begin, &end);
            assert_true(begin <= code && code < end);
        }
        kn__forest_free(f);
        kn__forest_free(g);
        assert_int_equal(kn_memory_in_use(), before);
    }
}

/* A forest of one record with these nodes. */
typedef struct given {
    uint16_t class_;
    const char *text;
    uint32_t parent;
} given;

static kn_forest *build(const given *nodes, size_t count)
{
    static const char *const names[] = {"hospital", "diagnosis", "treatment"};
    const kn_tree_classes classes = {3, (char **)names};
    kn_forest_builder *b;
    kn_forest *f;

    assert_int_equal(kn__forest_builder_new(&b, &classes, NULL), KN_OK);
    assert_int_equal(kn__forest_builder_record(b, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(kn__forest_builder_node(b, nodes[i].class_, nodes[i].text,
                                                 strlen(nodes[i].text), nodes[i].parent, NULL,
                                                 NULL),
                         KN_OK);
    }
    assert_int_equal(kn__forest_builder_finish(b, &f, NULL), KN_OK);
    return f;
}

static void refuses_wrong_trees(void **state)
{
    static const given twice[] = {{0, "H1", KN_NO_PARENT}, {1, "Flu", 0}, {1, "Cold", 1}};
    static const given order[] = {{1, "Flu", KN_NO_PARENT}, {0, "H1", 0}};
    static const given equal[] = {{0, "H1", KN_NO_PARENT}, {1, "Flu", 0}, {1, "Flu", 0}};
    static const given apart[] = {{0, "H1", KN_NO_PARENT}, {2, "X", 0}, {0, "H2", 1}};
    static const struct {
        const given *nodes;
        size_t count;
        const char *words;
    } cases[] = {
        {twice, 3, "record 1: class 'diagnosis' occurs twice on a path: \"Cold\" stands below"},
        {order, 2, "record 1: the classes are out of order: \"H1\" of class 'hospital' stands"},
        {equal, 3, "record 1: \"Flu\" occurs twice below \"H1\""},
        {apart, 3, "class 'hospital' occurs twice on a path: \"H2\" stands below \"H1\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kn_forest *f = build(cases[i].nodes, cases[i].count);
        kn_error err = {0};
        assert_int_equal(kn__forest_check(f, &err), KN_EINPUT);
        if (!strstr(err.message, cases[i].words)) {
            fail_msg("%s", err.message);
        }
        kn__forest_free(f);
    }
}

static void refuses_what_is_not_there(void **state)
{
    static const char *const names[] = {"A"};
    const kn_tree_classes classes = {1, (char **)names};
    kn_forest_builder *b;

    (void)state;
    assert_int_equal(kn__forest_builder_new(&b, &classes, NULL), KN_OK);
    assert_int_equal(kn__forest_builder_node(b, 0, "x", 1, KN_NO_PARENT, NULL, NULL), KN_EUSAGE);
    assert_int_equal(kn__forest_builder_record(b, NULL), KN_OK);
    assert_int_equal(kn__forest_builder_node(b, 1, "x", 1, KN_NO_PARENT, NULL, NULL), KN_EUSAGE);
    assert_int_equal(kn__forest_builder_node(b, 0, "x", 1, 0, NULL, NULL), KN_EUSAGE);
    assert_int_equal(kn__forest_builder_records(b), 1);
    kn__forest_builder_free(b);
}

/* A record may be one long path: nothing recurses. */
static void long_path(void **state)
{
    enum { LONG = 200000 };
    kn_forest_builder *b;
    kn_forest *f;
    uint16_t class_;
    uint64_t merged;
    const char *reason;

    (void)state;
    assert_int_equal(kn__forest_builder_new(&b, NULL, NULL), KN_OK);
    assert_int_equal(kn__forest_builder_class(b, "A", 1, &class_, NULL), KN_OK);
    assert_int_equal(kn__forest_builder_record(b, NULL), KN_OK);
    for (uint32_t i = 0; i < LONG; i++) {
        assert_int_equal(kn__forest_builder_node(b, class_, "x", 1, i ? i - 1 : KN_NO_PARENT, NULL,
                                                 NULL),
                         KN_OK);
    }
    assert_int_equal(kn__forest_builder_node(b, class_, "x", 1, KN_NO_PARENT, NULL, NULL), KN_OK);
    assert_int_equal(kn__forest_builder_finish(b, &f, NULL), KN_OK);
    assert_int_equal(kn__forest_normalise(f, &merged, NULL), KN_OK);
    assert_int_equal(merged, 1);
    assert_true(kn__forest_validate(f, &reason));
    kn__forest_free(f);
}

static void survives_failing_allocations(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        const size_t before = kn_memory_in_use();
        kn_forest_builder *b = NULL;
        kn_forest *f = NULL, *g = NULL;
        kn_status status;
        uint16_t class_ = 0;

        kn__memory_fail_after(n);
        status = kn__forest_builder_new(&b, NULL, NULL);
        if (status == KN_OK) {
            status = kn__forest_builder_class(b, "A", 1, &class_, NULL);
        }
        if (status == KN_OK) {
            status = kn__forest_builder_record(b, NULL);
        }
        for (uint32_t i = 0; status == KN_OK && i < 4; i++) {
            const char text[] = {(char)('d' - i % 2), '\0'};
            status = kn__forest_builder_node(b, class_, text, 1, i < 2 ? KN_NO_PARENT : i - 2, NULL,
                                             NULL);
        }
        if (status == KN_OK) {
            status = kn__forest_builder_finish(b, &f, NULL);
            b = NULL;
        }
        if (status == KN_OK) {
            status = kn__forest_copy(&g, f, NULL);
        }
        if (status == KN_OK) {
            status = kn__forest_normalise(g, NULL, NULL);
        }
        if (status == KN_OK) {
            status = kn__forest_check(f, NULL) == KN_ENOMEM ? KN_ENOMEM : KN_OK;
        }
        kn__forest_builder_free(b);
        kn__forest_free(f);
        kn__forest_free(g);
        kn__memory_fail_after(0);
        assert_int_equal(kn_memory_in_use(), before);
        if (status == KN_OK) {
            break;
        }
        assert_int_equal(status, KN_ENOMEM);
        assert_true(n < 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_forests),
        cmocka_unit_test(refuses_wrong_trees),
        cmocka_unit_test(refuses_what_is_not_there),
        cmocka_unit_test(long_path),
        cmocka_unit_test(survives_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
