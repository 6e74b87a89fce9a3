/* test_codes.c - values that are codes: bound without leading zeros and what follows a point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "hierarchy/domain.h"
#include "hierarchy/hierarchy.h"
#include "oracle/hierarchy_column.h"

static const char icd[] = "008;001-139;*\n250;249-259;*\n401;401-405;*\n0;zero;*\nV08;V01-V09;*\n"
                          "7;seven;*\n007;other;*\n9.5;nine;*\nd:031;d:tb;*\n";

static kn_hierarchies *hierarchies(const char *text)
{
    kn_hierarchies *hs = NULL;
    kn_hierarchy *h = NULL;

    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn__hierarchy_parse(&h, "icd.csv", text, strlen(text), NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, "x", h, NULL), KN_OK);
    return hs;
}

static void test_codes(void **state)
{
    static const struct {
        const char *value, *above; /* NULL: not covered */
    } cases[] = {
        {"8", "001-139"},   {"008", "001-139"},    {"08", "001-139"},   {"8.41", "001-139"},
        {"250", "249-259"}, {"250.83", "249-259"}, {"250.", "249-259"}, {"0250", "249-259"},
        {"000", "zero"},    {"0.1", "zero"},       {"V08", "V01-V09"},  {"V08.2", "V01-V09"},
        {"V8", NULL},       {"7", "seven"},        {"007", "other"},    {"07", NULL},
        {"9", "nine"},      {"9.25", "nine"},      {"25", NULL},        {"2508", NULL},
        {".5", NULL},       {"E849", NULL},        {"-8", NULL},        {"250,83", NULL},
        {"d:31.2", "d:tb"}, {"e:31", NULL},        {"31", NULL},        {"d:", NULL}};
    enum { CASES = sizeof cases / sizeof *cases };
    kn_hierarchies *hs = hierarchies(icd);
    const kn_hierarchy *h = kn_hierarchies_get(hs, "x");
    kn_dataset *ds;
    const char *values[CASES + 1] = {NULL};
    uint32_t leaf[CASES];
    size_t uncovered, wanted = 0, exact = 0;

    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        values[i] = cases[i].value;
        wanted += !cases[i].above;
    }
    ds = column_of(KN_TYPE_CATEGORY, values);
    assert_int_equal(kn__hierarchy_bind(h, &ds->column[0], leaf, &uncovered, NULL), KN_OK);
    for (size_t i = 0; i < CASES; i++) {
        exact += leaf[i] != KN_NO_CODE;
    }
    assert_int_equal(exact, 5); /* 008, 250, V08, 7, 007: as they are written */
    assert_true(kn_hierarchies_set_codes(hs, "x"));
    assert_false(kn_hierarchies_set_codes(hs, "y"));
    assert_int_equal(kn__hierarchy_bind(h, &ds->column[0], leaf, &uncovered, NULL), KN_OK);
    assert_int_equal(uncovered, wanted);
    for (size_t i = 0; i < CASES; i++) {
        const uint32_t code = kn__dict_find(ds->column[0].dict, values[i], strlen(values[i]));
        const char *above = leaf[code] == KN_NO_CODE
                                ? NULL
                                : kn__hierarchy_label(h, h->parent[leaf[code]]);
        if ((above == NULL) != (cases[i].above == NULL) ||
            (above && strcmp(above, cases[i].above) != 0)) {
            fail_msg("%s: wanted %s, got %s", values[i], cases[i].above ? cases[i].above : "none",
                     above ? above : "none");
        }
    }
    kn_dataset_free(ds);
    kn_hierarchies_free(hs);
}

/* A value found as a code is a value of its own, beside its code and below the same node. */
static void test_domain(void **state)
{
    static const char *const values[] = {"250", "250.83", "8", "401", NULL};
    kn_hierarchies *hs = hierarchies(icd);
    kn_dataset *ds = column_of(KN_TYPE_CATEGORY, values);
    kn_domain *d = NULL;
    const char *reason = "";
    kn_buffer out = {0};
    uint32_t code;

    (void)state;
    assert_true(kn_hierarchies_set_codes(hs, "x"));
    assert_int_equal(kn__domain_new(&d, &ds->column[0], kn_hierarchies_get(hs, "x"),
                                    KN_UNCOVERED_ERROR, NULL),
                     KN_OK);
    assert_true(kn__domain_validate(d, &reason));
    code = kn__dict_find(ds->column[0].dict, "250.83", 6);
    assert_int_equal(d->parent[code], d->parent[kn__dict_find(ds->column[0].dict, "250", 3)]);
    kn__domain_publish_node(d, d->at_level[code], &out);
    kn__domain_publish_node(d, d->parent[code], &out);
    assert_string_equal(out.data, "250.83249-259");
    kn__buffer_free(&out);
    kn__domain_free(d);
    kn_dataset_free(ds);
    kn_hierarchies_free(hs);
}

/* By the definition, letter by letter. */
static bool same_code(const char *a, const char *b)
{
    char x[2][64];

    for (int i = 0; i < 2; i++) {
        char *p = x[i], *stem = x[i];
        (void)snprintf(p, sizeof x[i], "%s", i ? b : a);
        if (strchr(p, '.')) {
            *strchr(p, '.') = '\0';
        }
        if (!*p) {
            return false;
        }
        if (strspn(p, "0123456789") == strlen(p)) {
            while (*stem == '0' && stem[1]) {
                stem++;
            }
        }
        memmove(x[i], stem, strlen(stem) + 1);
    }
    return strcmp(x[0], x[1]) == 0;
}

static void test_random(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 5, 0);
    for (int round = 0; round < 3000; round++) {
        char leaves[6][8], value[8], text[200] = "";
        const char *const values[] = {value, NULL};
        kn_hierarchies *hs;
        kn_dataset *ds;
        const char *wanted = NULL, *got;
        uint32_t leaf;
        size_t uncovered, count = 0;
        bool exact = false, several = false;

        for (size_t i = 0; i < 7; i++) {
            char *p = i < 6 ? leaves[count] : value;
            const size_t len = 1 + (size_t)kn__rng_below(&r, 4);
            bool twice = false;
            for (size_t j = 0; j < len; j++) {
                p[j] = "0012.V"[kn__rng_below(&r, 6)];
            }
            p[len] = '\0';
            for (size_t j = 0; i < 6 && j < count; j++) {
                twice = twice || strcmp(leaves[j], p) == 0;
            }
            if (i < 6 && !twice) {
                sprintf(text + strlen(text), "%s;g%zu;*\n", p, count % 2);
                count++;
            }
        }
        for (size_t j = 0; j < count; j++) {
            exact = exact || strcmp(leaves[j], value) == 0;
        }
        for (size_t j = 0; j < count; j++) {
            if (exact ? strcmp(leaves[j], value) == 0 : same_code(leaves[j], value)) {
                const char *above = j % 2 ? "g1" : "g0";
                several = several || (wanted && strcmp(wanted, above) != 0);
                wanted = above;
            }
        }
        hs = hierarchies(text);
        assert_true(kn_hierarchies_set_codes(hs, "x"));
        ds = column_of(KN_TYPE_CATEGORY, values);
        assert_int_equal(kn__hierarchy_bind(kn_hierarchies_get(hs, "x"), &ds->column[0], &leaf,
                                            &uncovered, NULL),
                         KN_OK);
        got = leaf == KN_NO_CODE ? NULL
                                 : kn__hierarchy_label(kn_hierarchies_get(hs, "x"),
                                                       kn_hierarchies_get(hs, "x")->parent[leaf]);
        wanted = several ? NULL : wanted;
        if ((got == NULL) != (wanted == NULL) || (got && strcmp(got, wanted) != 0)) {
            fail_msg("%s in\n%s: wanted %s, got %s", value, text, wanted ? wanted : "none",
                     got ? got : "none");
        }
        kn_dataset_free(ds);
        kn_hierarchies_free(hs);
    }
}

static void test_no_memory(void **state)
{
    static const char *const values[] = {"250.83", "8", "E849", NULL};
    kn_hierarchies *hs = hierarchies(icd);
    kn_dataset *ds = column_of(KN_TYPE_CATEGORY, values);
    kn_status status = KN_ENOMEM;

    (void)state;
    assert_true(kn_hierarchies_set_codes(hs, "x"));
    for (size_t n = 1; status == KN_ENOMEM; n++) {
        const size_t before = kn_memory_in_use();
        uint32_t leaf[3];
        size_t uncovered;
        kn__memory_fail_after(n);
        status = kn__hierarchy_bind(kn_hierarchies_get(hs, "x"), &ds->column[0], leaf, &uncovered,
                                    NULL);
        kn__memory_fail_after(0);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_int_equal(status, KN_OK);
    kn_dataset_free(ds);
    kn_hierarchies_free(hs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_domain),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
