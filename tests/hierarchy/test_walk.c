/* test_walk.c - hierarchies from rows in memory, and walking them by the public functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "hierarchy/hierarchy.h"

enum { MOST_ROWS = 40, MOST_LABELS = 5, MOST_TEXT = 48 };

typedef struct rows {
    char text[MOST_ROWS][MOST_LABELS][MOST_TEXT];
    const char *label[MOST_ROWS][MOST_LABELS];
    const char *const *row[MOST_ROWS];
    size_t length[MOST_ROWS];
    size_t count;
} rows;

static kn_status make(kn_hierarchy **out, const rows *r, kn_error *err)
{
    return kn_hierarchy_from_rows(out, r->row, r->length, r->count, "rows", err);
}

/* Rows of a random tree: a leaf belongs to a group by its number, a group to another by its own;
 * some paths leave levels out at the top, below the root. Labels hold all that a file would have to
 * quote. */
static void random_rows(rows *r, unsigned *seed)
{
    const size_t levels = 2 + (size_t)rand_r(seed) % (MOST_LABELS - 1);

    r->count = 1 + (size_t)rand_r(seed) % MOST_ROWS;
    for (size_t i = 0; i < r->count; i++) {
        const size_t inner = i % 7 == 0 ? 0 : levels - 2;
        size_t group = i;
        r->length[i] = inner + 2;
        (void)snprintf(r->text[i][0], MOST_TEXT, " ;\"%zu,\n", i);
        for (size_t l = 1; l <= inner; l++) {
            group /= 3;
            (void)snprintf(r->text[i][l], MOST_TEXT, "%zu\t%zu ", l, group);
        }
        (void)snprintf(r->text[i][inner + 1], MOST_TEXT, "*");
        for (size_t l = 0; l < r->length[i]; l++) {
            r->label[i][l] = r->text[i][l];
        }
        r->row[i] = r->label[i];
    }
}

static void walking_gives_the_rows(void **state)
{
    rows r;

    (void)state;
    for (unsigned seed = 1; seed <= 500; seed++) {
        unsigned random = seed;
        kn_hierarchy *h = NULL;
        kn_error err = {0};
        const char *reason = "";
        size_t below_all = 0;
        random_rows(&r, &random);
        if (make(&h, &r, &err) != KN_OK || !kn__hierarchy_validate(h, &reason)) {
            fail_msg("seed %u: %s%s", seed, err.message, reason);
        }
        assert_int_equal(kn_hierarchy_leaves(h), r.count);
        for (size_t leaf = 0; leaf < r.count; leaf++) {
            size_t at = leaf;
            assert_int_equal(kn_hierarchy_find(h, r.label[leaf][0]), leaf);
            assert_int_equal(kn_hierarchy_depth(h, leaf), r.length[leaf] - 1);
            for (size_t l = 0; l < r.length[leaf]; l++, at = kn_hierarchy_parent(h, at)) {
                assert_string_equal(kn_hierarchy_label(h, at), r.label[leaf][l]);
                assert_int_equal(kn_hierarchy_above(h, leaf, l), at);
            }
            assert_int_equal(at, SIZE_MAX);
            assert_int_equal(kn_hierarchy_above(h, leaf, 99), kn_hierarchy_nodes(h) - 1);
        }
        for (size_t node = 0; node < kn_hierarchy_nodes(h); node++) {
            for (size_t i = 0; i < kn_hierarchy_children(h, node); i++) {
                const size_t child = kn_hierarchy_child(h, node, i);
                assert_int_equal(kn_hierarchy_parent(h, child), node);
                assert_true(child < node);
                assert_true(i == 0 || child > kn_hierarchy_child(h, node, i - 1));
                below_all++;
            }
            assert_true((kn_hierarchy_children(h, node) == 0) == (node < r.count));
            assert_false(kn_hierarchy_is_range(h, node));
        }
        assert_int_equal(below_all, kn_hierarchy_nodes(h) - 1);
        kn_hierarchy_free(h);
    }
}

static void rows_are_those_of_a_file(void **state)
{
    static const char *const one[] = {"1", "0-4", "*"}, *const two[] = {"2", "0-4", "*"},
                             *const seven[] = {"7", "5-9", "*"};
    const char *const *const all[] = {one, two, seven};
    static const size_t lengths[] = {3, 3, 3};
    kn_hierarchy *h = NULL;
    kn_buffer out = {0};

    (void)state;
    assert_int_equal(kn_hierarchy_from_rows(&h, all, lengths, 3, "ages", NULL), KN_OK);
    assert_int_equal(kn__hierarchy_format(h, &out, NULL), KN_OK);
    assert_string_equal(out.data, "1;0-4;*\n2;0-4;*\n7;5-9;*\n");
    kn__buffer_free(&out);
    kn_hierarchy_free(h);
}

static void wrong_rows_are_refused(void **state)
{
    static const struct {
        const char *rows[3][3];
        size_t count;
        const char *words;
    } cases[] = {
        {{{0}}, 0, "rows: empty"},
        {{{"1"}}, 1, "rows:1: a row with one column only"},
        {{{"1", "", "*"}}, 1, "rows:1: column 2 is empty"},
        {{{"1", "\xff", "*"}}, 1, "rows:1: label 2 is no valid UTF-8"},
        {{{"1", "*"}, {"2", "all"}}, 2, "rows:2: the root is \"all\" here"},
        {{{"1", "*"}, {"1", "*"}}, 2, "rows:2: value \"1\" is listed twice"},
        {{{"1", "a", "*"}, {"1", "b", "*"}}, 2, "with other groups"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const *row[3];
        size_t length[3] = {0};
        kn_hierarchy *h = (kn_hierarchy *)(uintptr_t)1;
        kn_error err = {0};
        for (size_t j = 0; j < cases[i].count; j++) {
            row[j] = cases[i].rows[j];
            while (length[j] < 3 && row[j][length[j]]) {
                length[j]++;
            }
        }
        assert_int_equal(kn_hierarchy_from_rows(&h, row, length, cases[i].count, "rows", &err),
                         KN_EINPUT);
        assert_null(h);
        if (!strstr(err.message, cases[i].words)) {
            fail_msg("\"%s\" is not in \"%s\"", cases[i].words, err.message);
        }
    }
}

static void leaves_that_are_ranges(void **state)
{
    static const char text[] = "{\"hierType\": \"range\", \"name\": \"age\", \"type\": \"double\", "
                               "\"height\": 2, \"level1\": {\"0,100\": [\"0,50\", \"50,100\"]}}";
    kn_hierarchy *h = NULL;
    kn_error err = {0};

    (void)state;
    if (kn_hierarchy_parse(&h, text, strlen(text), "age", &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(kn_hierarchy_nodes(h), 3);
    assert_true(kn_hierarchy_is_range(h, 0) && kn_hierarchy_is_range(h, 1));
    assert_false(kn_hierarchy_is_range(h, 2));
    assert_int_equal(kn_hierarchy_levels(h), 3);
    assert_int_equal(kn_hierarchy_depth(h, 0), 1);
    kn_hierarchy_free(h);
}

static void survives_every_failed_allocation(void **state)
{
    const size_t before = kn_memory_in_use();
    unsigned seed = 7;
    rows r;

    (void)state;
    random_rows(&r, &seed);
    for (size_t n = 1;; n++) {
        kn_hierarchy *h = NULL;
        kn_status status;
        bool failed;
        kn__memory_fail_after(n);
        status = make(&h, &r, NULL);
        failed = kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(status, failed ? KN_ENOMEM : KN_OK);
        kn_hierarchy_free(h);
        assert_int_equal(kn_memory_in_use(), before);
        if (!failed) {
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walking_gives_the_rows),
        cmocka_unit_test(rows_are_those_of_a_file),
        cmocka_unit_test(wrong_rows_are_refused),
        cmocka_unit_test(leaves_that_are_ranges),
        cmocka_unit_test(survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
