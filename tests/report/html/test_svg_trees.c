/* Tree records drawn: what is shown of an original is shared by enough records, marks, well-formed
 * XML. */
#include "base/memory.h"
#include "base/rng.h"
#include "oracle/trees.h"
#include "report/tree_examples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <expat.h>

static const char *const few[] = {"a", "b", "<&\">"};

/* Whether record `r` has all paths of `part`. */
static bool has_paths(const kn_forest *f, size_t r, const oracle_paths *part)
{
    static oracle_paths own;

    oracle_tree_paths(f, r, &own);
    for (size_t i = 0; i < part->count; i++) {
        size_t j = 0;
        while (j < own.count && strcmp(own.path[j], part->path[i]) != 0) {
            j++;
        }
        if (j == own.count) {
            return false;
        }
    }
    return true;
}

/* The paths of the nodes that an example shows. */
static void paths_of(const kn_forest *f, const kn_tree_example *e, oracle_paths *out)
{
    const uint32_t *value = f->value + f->starts[e->record];
    const uint32_t *parent = f->parent + f->starts[e->record];

    out->count = e->count;
    for (size_t i = 0; i < e->count; i++) {
        char path[ORACLE_PATH] = "", longer[ORACLE_PATH * 2];
        for (uint32_t n = e->nodes[i]; n != KN_NO_PARENT; n = parent[n]) {
            snprintf(longer, sizeof longer, "/%s:%s%s", f->classes.name[f->value_class[value[n]]],
                     f->text[value[n]], path);
            memcpy(path, longer, sizeof path - 1);
        }
        memcpy(out->path[i], path, sizeof path);
    }
}

static void examples_are_shared(void **state)
{
    static oracle_paths part;
    kn_rng rng;
    size_t shown = 0;

    (void)state;
    kn__rng_seed(&rng, 9, 0);
    for (int round = 0; round < 300; round++) {
        const size_t before = kn_memory_in_use(), least = 2 + (size_t)kn__rng_below(&rng, 3);
        kn_forest *f = oracle_random_forest(&rng, 30, 8, few, 2);
        kn_tree_example *examples;
        size_t count;

        assert_int_equal(kn__forest_normalise(f, NULL, NULL), KN_OK);
        assert_int_equal(kn__tree_examples_find(f, least, 3, &examples, &count, NULL), KN_OK);
        assert_true(count <= 3);
        for (size_t i = 0; i < count; i++) {
            size_t holders = 0;
            paths_of(f, &examples[i], &part);
            for (size_t r = 0; r < f->records; r++) {
                holders += has_paths(f, r, &part);
            }
            assert_int_equal(holders, examples[i].shared_by);
            assert_true(holders >= least && examples[i].count >= 2);
            shown++;
        }
        kn__tree_examples_free(examples, count);
        kn__forest_free(f);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_true(shown > 100);
}

static void draws(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 10, 0);
    for (int round = 0; round < 200; round++) {
        kn_forest *f = oracle_random_forest(&rng, 20, 10, few, 3);
        kn_tree_example *examples;
        kn_buffer b = {0};
        XML_Parser xml = XML_ParserCreate(NULL);
        size_t count;
        unsigned ids = 0;

        assert_int_equal(kn__forest_normalise(f, NULL, NULL), KN_OK);
        assert_int_equal(kn__tree_examples_find(f, 1, 2, &examples, &count, NULL), KN_OK);
        kn__buffer_adds(&b, "<div>");
        for (size_t i = 0; i < count; i++) {
            kn__svg_tree_pair(&b, f, &examples[i], f, &examples[i], &ids);
        }
        kn__buffer_adds(&b, "</div>");
        assert_false(b.failed);
        assert_int_equal(ids, count * 2);
        assert_null(strstr(b.data, "generalised")); /* nothing changed */
        assert_null(strstr(b.data, "moved"));
        assert_int_equal(XML_Parse(xml, b.data, (int)b.len, 1), XML_STATUS_OK);
        XML_ParserFree(xml);
        kn__buffer_free(&b);
        kn__tree_examples_free(examples, count);
        kn__forest_free(f);
    }
}

typedef struct given {
    uint16_t class_;
    const char *text;
    uint32_t parent;
} given;

static kn_forest *build(const given *nodes, size_t count)
{
    static const char *const names[] = {"hospital", "diagnosis"};
    const kn_tree_classes classes = {2, (char **)names};
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

static void marks(void **state)
{
    static const given first[] = {{0, "H1", KN_NO_PARENT}, {1, "Flu", 0}};
    static const given then[] = {{0, "Any", KN_NO_PARENT}, {1, "Flu", KN_NO_PARENT}};
    kn_forest *before = build(first, 2), *after = build(then, 2);
    uint32_t nodes[] = {0, 1};
    const kn_tree_example example = {.nodes = nodes, .count = 2, .shared_by = 7};
    kn_buffer b = {0};
    unsigned ids = 0;

    (void)state;
    kn__svg_tree_pair(&b, before, &example, after, &example, &ids);
    assert_non_null(strstr(b.data, "Before: what 7 records share"));
    assert_non_null(strstr(b.data, "Any<tspan class=\"class\" dx=\"6\">hospital, generalised"));
    assert_non_null(strstr(b.data, "Flu<tspan class=\"class\" dx=\"6\">diagnosis, moved up"));
    assert_non_null(strstr(b.data, "branch moved"));
    kn__buffer_free(&b);
    kn__forest_free(before);
    kn__forest_free(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_are_shared),
        cmocka_unit_test(draws),
        cmocka_unit_test(marks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
