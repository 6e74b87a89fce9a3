/* The checker on tables worked out by hand, some of them from the papers; what it refuses. */
#include "base/memory.h"
#include "hierarchy/hierarchy.h"
#include "kanon/guarantee.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct text_table {
    size_t columns, records;
    const char *const *names;
    const kn_role *roles;
    const kn_type *types; /* NULL: detected */
    const char *const *cells;
} text_table;

static kn_dataset *from_text(const text_table *t)
{
    kn_dataset_builder *b;
    kn_schema *schema;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (size_t c = 0; c < t->columns; c++) {
        assert_int_equal(kn_schema_set_role(schema, t->names[c], t->roles[c], NULL), KN_OK);
        if (t->types) {
            assert_int_equal(kn_schema_set_type(schema, t->names[c], t->types[c], NULL), KN_OK);
        }
    }
    assert_int_equal(kn_dataset_builder_new(&b, t->names, t->columns, schema, NULL), KN_OK);
    for (size_t i = 0; i < t->records; i++) {
        assert_int_equal(kn_dataset_builder_add(b, t->cells + i * t->columns, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static double achieved(const kn_dataset *ds, const kn_guarantee *g, const kn_hierarchies *hs)
{
    kn_verdict *v;
    kn_error err;
    double value;

    if (kn_check(&v, ds, g, 1, hs, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    value = kn_verdict_achieved(v, 0);
    kn_verdict_free(v);
    return value;
}

static const char *const two_names[] = {"place", "salary"};
static const kn_role two_roles[] = {KN_ROLE_QUASI, KN_ROLE_SENSITIVE};

/* Li, Li and Venkatasubramanian, ICDE 2007, section 4.2: salaries 3k..11k in three classes of
 * three. */
static void test_salary_table(void **state)
{
    static const char *const cells[] = {"a", "3000", "a", "4000",  "a", "5000",
                                        "b", "6000", "c", "7000",  "b", "8000",
                                        "c", "9000", "c", "10000", "b", "11000"};
    const text_table t = {2, 9, two_names, two_roles, NULL, cells};
    const kn_guarantee ordered = {.kind = KN_T_CLOSENESS, .t = 0.25, .distance = KN_ORDERED};
    kn_dataset *ds = from_text(&t);
    kn_verdict *v;

    (void)state;
    assert_int_equal(kn_check(&v, ds, &ordered, 1, NULL, NULL, NULL), KN_OK);
    assert_false(kn_verdict_holds(v));
    assert_true(kn_verdict_achieved(v, 0) == 0.375);
    /* class c, {7k,9k,10k}: 17/72; class b, {6k,8k,11k}: 1/6; both within 0.25 */
    assert_int_equal(kn_verdict_violations(v), 1);
    assert_int_equal(kn_verdict_violation(v, 0)->record, 0);
    assert_int_equal(kn_verdict_violation(v, 0)->size, 3);
    assert_string_equal(kn_verdict_violation(v, 0)->sensitive, "salary");
    assert_int_equal(kn_verdict_records_at_risk(v), 3);
    kn_verdict_free(v);
    {
        const kn_guarantee strict = {.kind = KN_T_CLOSENESS, .t = 0, .distance = KN_ORDERED};
        assert_int_equal(kn_check(&v, ds, &strict, 1, NULL, NULL, NULL), KN_OK);
        assert_int_equal(kn_verdict_violations(v), 3);
        assert_true(kn_verdict_violation(v, 1)->record == 4);
        assert_true(kn_verdict_violation(v, 1)->value == 17 / 72.0);
        assert_true(kn_verdict_violation(v, 2)->record == 3);
        assert_true(kn_verdict_violation(v, 2)->value == 1 / 6.0);
        kn_verdict_free(v);
    }
    kn_dataset_free(ds);
}

/* The same paper, table 5 and figure 1: diseases under respiratory and digestive, by hand: class
 * a is {gastric ulcer, gastritis, pneumonia} of nine; its mass moves within digestive at 1/2 and
 * across at 1. */
static void test_disease_table(void **state)
{
    static const char *const cells[] = {"a", "gastric ulcer", "a", "stomach cancer",
                                        "a", "pneumonia",     "b", "gastritis",
                                        "b", "flu",           "b", "bronchitis",
                                        "c", "gastritis",     "c", "bronchitis",
                                        "c", "stomach cancer"};
    static const char tree[] = "flu;respiratory infection;respiratory;any\n"
                               "pneumonia;respiratory infection;respiratory;any\n"
                               "bronchitis;respiratory infection;respiratory;any\n"
                               "gastric ulcer;stomach disease;digestive;any\n"
                               "gastritis;stomach disease;digestive;any\n"
                               "stomach cancer;stomach disease;digestive;any\n";
    const text_table t = {2, 9, two_names, two_roles, NULL, cells};
    const kn_guarantee g = {.kind = KN_T_CLOSENESS, .t = 0.3, .distance = KN_HIERARCHICAL};
    kn_dataset *ds = from_text(&t);
    kn_hierarchies *hs;
    kn_hierarchy *h;
    kn_verdict *v;

    (void)state;
    assert_int_equal(kn__hierarchy_parse(&h, "tree", tree, strlen(tree), NULL), KN_OK);
    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, "salary", h, NULL), KN_OK);
    /* Whole table: ulcer 1, cancer 2, gastritis 2, pneumonia 1, flu 1, bronchitis 2, of 9. Class
     * a, in ninths: ulcer +2, cancer +1, gastritis -2; pneumonia +2, flu -1, bronchitis -2: 2/9
     * move inside each branch at height 1 of 3, and 1/9 crosses at 3: (2 + 2)/27 + 3/27 = 7/27.
     * Class b: ulcer -1, cancer -2, gastritis +1; flu +2, bronchitis +1, pneumonia -1: (1 +
     * 1)/27 + 2 * 3/27 = 8/27. Class c: gastritis +1, cancer +1, ulcer -1; bronchitis +1,
     * pneumonia -1, flu -1: (1 + 1)/27 + 3/27 = 5/27. */
    assert_true(achieved(ds, &g, hs) == 8 / 27.0);
    {
        const kn_guarantee strict = {.kind = KN_T_CLOSENESS, .t = 0, .distance = KN_HIERARCHICAL};
        assert_int_equal(kn_check(&v, ds, &strict, 1, hs, NULL, NULL), KN_OK);
        assert_int_equal(kn_verdict_violations(v), 3);
        assert_true(kn_verdict_violation(v, 0)->value == 8 / 27.0);
        assert_true(kn_verdict_violation(v, 1)->value == 7 / 27.0);
        assert_true(kn_verdict_violation(v, 2)->value == 5 / 27.0);
        kn_verdict_free(v);
    }
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

/* Paths of different length: what hangs directly below the root is as far from all as the root is
 * high. */
static void test_uneven_hierarchy(void **state)
{
    static const char *const cells[] = {"p", "a", "q", "b", "q", "c"};
    static const char *const trees[] = {"a;g;*\nb;g;*\nc;*\n", "a;g;*\nb;g;*\nc;*\nd;x;y;*\n"};
    /* class p: 1/3 from a to b at 1/2, 1/3 from a to c at 1; with the deeper tree, whose deepest
     * value does not occur, at 1/3 and 1 */
    static const double distances[] = {1 / 2.0, 4 / 9.0};
    const text_table t = {2, 3, two_names, two_roles, NULL, cells};
    const kn_guarantee g = {.kind = KN_T_CLOSENESS, .t = 0.3, .distance = KN_HIERARCHICAL};
    kn_dataset *ds = from_text(&t);
    kn_hierarchies *hs;
    kn_hierarchy *h;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(kn__hierarchy_parse(&h, "tree", trees[i], strlen(trees[i]), NULL), KN_OK);
        assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
        assert_int_equal(kn_hierarchies_add(hs, "salary", h, NULL), KN_OK);
        assert_true(achieved(ds, &g, hs) == distances[i]);
        kn_hierarchies_free(hs);
    }
    kn_dataset_free(ds);
}

/* More quasi-identifiers than a word has bits, each with gaps that may be anything. */
static void test_many_columns_with_gaps(void **state)
{
    enum { COLUMNS = 130, RECORDS = 5 };
    static const int gaps[RECORDS][2] = {{-1, -1}, {129, -1}, {3, -1}, {3, 129}, {64, 65}};
    static const size_t sizes[RECORDS] = {5, 2, 2, 1, 1};
    const kn_guarantee g = {.kind = KN_K_ANONYMITY, .k = 6};
    char text[COLUMNS][8];
    const char *names[COLUMNS];
    kn_dataset_builder *b;
    kn_schema *schema;
    kn_dataset *ds;
    kn_verdict *v;

    (void)state;
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (size_t c = 0; c < COLUMNS; c++) {
        (void)snprintf(text[c], sizeof text[c], "c%zu", c);
        names[c] = text[c];
        assert_int_equal(kn_schema_set_role(schema, names[c], KN_ROLE_QUASI, NULL), KN_OK);
        assert_int_equal(kn_schema_set_missing_rule(schema, names[c], KN_MISSING_ANY, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, names, COLUMNS, schema, NULL), KN_OK);
    for (size_t i = 0; i < RECORDS; i++) {
        const char *cells[COLUMNS];
        for (int c = 0; c < COLUMNS; c++) {
            cells[c] = c == gaps[i][0] || c == gaps[i][1] ? NULL : "x";
        }
        assert_int_equal(kn_dataset_builder_add(b, cells, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, NULL), KN_OK);
    assert_int_equal(kn_verdict_violations(v), RECORDS);
    for (size_t i = 0; i < RECORDS; i++) {
        const kn_violation *x = kn_verdict_violation(v, i);
        assert_int_equal(x->size, sizes[x->record]);
    }
    kn_verdict_free(v);
    kn_dataset_free(ds);
    kn_schema_free(schema);
}

/* 1.0 and 1.00 are two texts and one value: no diversity. */
static void test_numbers_written_in_two_ways(void **state)
{
    static const char *const cells[] = {"a", "1.0", "a", "1.00", "b", "2", "b", "3.5"};
    const text_table t = {2, 4, two_names, two_roles, NULL, cells};
    const kn_guarantee g = {.kind = KN_L_DIVERSITY, .l = 2};
    const kn_guarantee ordered = {.kind = KN_T_CLOSENESS, .distance = KN_ORDERED, .t = 1};
    kn_dataset *ds = from_text(&t);

    (void)state;
    assert_true(achieved(ds, &g, NULL) == 1);
    /* three values 1, 2, 3.5 with shares 1/2, 1/4, 1/4: (1/2 + 1/4)/2 */
    assert_true(achieved(ds, &ordered, NULL) == 0.375);
    kn_dataset_free(ds);
}

static void test_decimal_parameters(void **state)
{
    /* Shares of 3/10 against t = 0.3, whose double lies below 3/10; r1/tail = 8/10 against c =
     * 0.8, whose double lies above. */
    static const char *cells[40];
    const text_table t = {2, 20, two_names, two_roles, NULL, cells};
    kn_guarantee g = {.kind = KN_T_CLOSENESS, .t = 0.3};
    kn_dataset *ds;
    kn_verdict *v;

    (void)state;
    for (size_t i = 0; i < 20; i++) {
        cells[2 * i] = i < 10 ? "a" : "b";
        cells[2 * i + 1] = i < 10 ? (i < 8 ? "x" : "y") : (i < 12 ? "x" : "y");
    }
    ds = from_text(&t);
    assert_true(achieved(ds, &g, NULL) == 0.3);
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, NULL), KN_OK);
    assert_true(kn_verdict_holds(v));
    kn_verdict_free(v);
    g.t = nextafter(0.3, 0);
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, NULL), KN_OK);
    assert_false(kn_verdict_holds(v));
    kn_verdict_free(v);
    g = (kn_guarantee){.kind = KN_L_DIVERSITY, .diversity = KN_RECURSIVE, .l = 1, .c = 0.8};
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, NULL), KN_OK);
    assert_true(kn_verdict_achieved(v, 0) == 0.8);
    assert_false(kn_verdict_holds(v));
    kn_verdict_free(v);
    kn_dataset_free(ds);
}

/* A suppressed cell equals only another: no wildcard. */
static void test_suppressed_cells_are_values(void **state)
{
    static const char *const cells[] = {"*", "x", "a", "x", "a", "y", "*", "y", "*", "z"};
    const text_table t = {2, 5, two_names, two_roles, NULL, cells};
    const kn_guarantee g = {.kind = KN_K_ANONYMITY, .k = 3};
    kn_dataset *ds = from_text(&t);
    kn_verdict *v;

    (void)state;
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, NULL), KN_OK);
    assert_int_equal(kn_verdict_classes(v), 2);
    assert_int_equal(kn_verdict_violations(v), 1);
    assert_int_equal(kn_verdict_violation(v, 0)->record, 1);
    assert_int_equal(kn_verdict_records_at_risk(v), 2);
    assert_true(kn_verdict_achieved(v, 0) == 2);
    kn_verdict_free(v);
    kn_dataset_free(ds);
}

/* ---- refusals ---- */

static void refused(const kn_dataset *ds, kn_guarantee g, const char *word)
{
    const size_t before = kn_memory_in_use();
    kn_verdict *v = (kn_verdict *)1;
    kn_error err = {0};

    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, &err), KN_EUSAGE);
    assert_null(v);
    if (!strstr(err.message, word)) {
        fail_msg("'%s' not in '%s'", word, err.message);
    }
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, NULL), KN_EUSAGE);
    assert_int_equal(kn_memory_in_use(), before);
}

static void test_refusals(void **state)
{
    static const char *const cells[] = {"a", "x", "a", "y"};
    static const kn_type lists[] = {KN_TYPE_SET, KN_TYPE_CATEGORY};
    static const kn_type sensitive_lists[] = {KN_TYPE_CATEGORY, KN_TYPE_SET};
    const kn_guarantee k = {.kind = KN_K_ANONYMITY, .k = 2}, l = {.kind = KN_L_DIVERSITY, .l = 2};
    text_table t = {2, 2, two_names, two_roles, NULL, cells};
    kn_dataset *ds = from_text(&t);
    kn_guarantee g;
    kn_verdict *v;
    kn_error err;

    (void)state;
    g = k, g.k = 0, refused(ds, g, "k is 0");
    g = l, g.l = 0.5, refused(ds, g, "l is 0.5");
    g = l, g.l = NAN, refused(ds, g, "l is");
    g = l, g.l = INFINITY, refused(ds, g, "l is");
    g = l, g.diversity = KN_RECURSIVE, g.c = 0, refused(ds, g, "c is 0");
    g = l, g.diversity = KN_RECURSIVE, g.c = 1, g.l = 2.5, refused(ds, g, "whole");
    g = l, g.diversity = (kn_diversity)9, refused(ds, g, "distinct");
    g = (kn_guarantee){.kind = KN_T_CLOSENESS, .t = 1.5}, refused(ds, g, "t is 1.5");
    g.t = -0.1, refused(ds, g, "t is -0.1");
    g.t = NAN, refused(ds, g, "t is");
    g.t = 0.5, g.distance = (kn_distance)7, refused(ds, g, "hierarchical");
    g.distance = KN_ORDERED, refused(ds, g, "\"salary\" holds categories");
    g.distance = KN_HIERARCHICAL, refused(ds, g, "\"salary\"");
    g.kind = (kn_guarantee_kind)8, refused(ds, g, "unknown guarantee");
    assert_int_equal(kn_check(&v, ds, NULL, 0, NULL, NULL, &err), KN_EUSAGE);
    kn_dataset_set_role(ds, 1, KN_ROLE_KEPT, NULL);
    refused(ds, l, "--sensitive");
    kn_dataset_set_role(ds, 0, KN_ROLE_KEPT, NULL);
    refused(ds, k, "quasi-identifier");
    kn_dataset_free(ds);
    t.types = lists;
    ds = from_text(&t);
    refused(ds, k, "\"place\" holds lists");
    kn_dataset_free(ds);
    t.types = sensitive_lists;
    ds = from_text(&t);
    refused(ds, l, "\"salary\" holds lists");
    kn_dataset_free(ds);
}

static void test_edges(void **state)
{
    static const char *const cells[] = {"a", "x", "a", "y"};
    const kn_guarantee all[] = {
        {.kind = KN_K_ANONYMITY, .k = SIZE_MAX},
        {.kind = KN_L_DIVERSITY, .l = 1e300},
        {.kind = KN_L_DIVERSITY, .l = 1e300, .diversity = KN_ENTROPY},
        {.kind = KN_L_DIVERSITY, .l = 1e15, .c = 1, .diversity = KN_RECURSIVE},
        {.kind = KN_T_CLOSENESS, .t = 0},
        {.kind = KN_T_CLOSENESS, .t = 0, .distance = KN_ORDERED}};
    text_table t = {2, 0, two_names, two_roles, NULL, cells};
    kn_dataset *ds = from_text(&t);
    kn_verdict *v;

    (void)state;
    assert_int_equal(kn_check(&v, ds, all, 6, NULL, NULL, NULL), KN_OK);
    assert_true(kn_verdict_holds(v));
    assert_int_equal(kn_verdict_classes(v), 0);
    assert_true(isinf(kn_verdict_achieved(v, 0)) && isinf(kn_verdict_achieved(v, 1)));
    assert_true(kn_verdict_achieved(v, 3) == 0 && kn_verdict_achieved(v, 4) == 0);
    kn_verdict_free(v);
    kn_dataset_free(ds);
    t.records = 2;
    ds = from_text(&t);
    assert_int_equal(kn_check(&v, ds, all, 5, NULL, NULL, NULL), KN_OK);
    assert_int_equal(kn_verdict_violations(v), 4);
    assert_int_equal(kn_verdict_records_at_risk(v), 2);
    assert_true(kn_verdict_achieved(v, 0) == 2 && kn_verdict_achieved(v, 1) == 2);
    assert_true(kn_verdict_achieved(v, 2) == 2 && isinf(kn_verdict_achieved(v, 3)));
    assert_true(kn_verdict_achieved(v, 4) == 0);
    kn_verdict_free(v);
    kn_dataset_free(ds);
    assert_string_equal(kn_guarantee_name(KN_K_ANONYMITY), "k-anonymity");
    assert_string_equal(kn_guarantee_name(KN_L_DIVERSITY), "l-diversity");
    assert_string_equal(kn_guarantee_name(KN_T_CLOSENESS), "t-closeness");
    kn_verdict_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_salary_table),
        cmocka_unit_test(test_disease_table),
        cmocka_unit_test(test_uneven_hierarchy),
        cmocka_unit_test(test_many_columns_with_gaps),
        cmocka_unit_test(test_numbers_written_in_two_ways),
        cmocka_unit_test(test_decimal_parameters),
        cmocka_unit_test(test_suppressed_cells_are_values),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_edges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
