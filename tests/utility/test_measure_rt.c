/* Measures of tables with items: the paper's figures by hand, random releases against the measures
 * of either part alone, and matching by both parts. */
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "kanon/measure.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"age", "sex", "items"};

static kn_dataset *table(const char *const (*rows)[3], size_t count, kn_type age, double weight)
{
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(kn_schema_set_role(schema, names[i], KN_ROLE_QUASI, NULL), KN_OK);
    }
    assert_int_equal(kn_schema_set_type(schema, "age", age, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "items", KN_TYPE_SET, NULL), KN_OK);
    assert_int_equal(kn_schema_set_weight(schema, "items", weight, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 3, schema, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(kn_dataset_builder_add(b, rows[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static void assert_near(double x, double y)
{
    if (!(fabs(x - y) < 1e-12)) {
        fail_msg("%.15g is not %.15g", x, y);
    }
}

static kn_measures *measure(const kn_dataset *a, const kn_dataset *b, const uint32_t *origin)
{
    kn_measures *m = NULL;
    kn_error err = {0};

    if (kn_measure(&m, a, b, origin, NULL, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return m;
}

static const char *const figure_1a[][3] = {{"19", "Male", "B|E|F|G"},   {"22", "Male", "D|E|F|H"},
                                           {"28", "Female", "B|C|E|G"}, {"39", "Female", "D|F|H"},
                                           {"70", "Female", "E|G"},     {"55", "Male", "A|F|H"}};
static const char *const figure_2a[][3] = {{"[19,22]", "Male", "E|F|{B,D}|G"},
                                           {"[19,22]", "Male", "E|F|{B,D}|H"},
                                           {"[28,39]", "Female", "{B,C,F}|{D,E}|G"},
                                           {"[28,39]", "Female", "{B,C,F}|{D,E}|H"},
                                           {"[55,70]", "*", "{A,E,F}|G"},
                                           {"[55,70]", "*", "{A,E,F}|H"}};

static void test_figure_2a(void **state)
{
    kn_dataset *a = table(figure_1a, 6, KN_TYPE_INTEGER, 1);
    kn_dataset *b = table(figure_2a, 6, KN_TYPE_CATEGORY, 1);
    kn_measures *m = measure(a, b, NULL);
    /* 20 items bought; of 8: {B,D} and {D,E} are a quarter, sets of three are 3/8. */
    const double items = (4 * 0.25 + 6 * 0.375) / 20;
    const double age = (2 * 3 + 2 * 11 + 2 * 15) / 51.0 / 6, sex = 2 / 6.0;

    (void)state;
    assert_near(kn_measures_value(m, "ncp", "items"), items);
    assert_near(kn_measures_value(m, "ncp", "age"), age);
    assert_near(kn_measures_value(m, "ncp", "sex"), sex);
    assert_near(kn_measures_value(m, "items_ncp", NULL), items);
    assert_near(kn_measures_value(m, "relational_ncp", NULL), (age + sex) / 2);
    assert_near(kn_measures_value(m, "ncp", NULL), (age + sex + items) / 3);
    assert_near(kn_measures_value(m, "items_changed", NULL), 0.5);
    assert_near(kn_measures_value(m, "average_class_size", NULL), 2);
    kn_measures_free(m);
    kn_dataset_free(a);
    /* The items count twice. */
    a = table(figure_1a, 6, KN_TYPE_INTEGER, 2);
    m = measure(a, b, NULL);
    assert_near(kn_measures_value(m, "ncp", NULL), (age + sex + 2 * items) / 4);
    assert_near(kn_measures_value(m, "relational_ncp", NULL), (age + sex) / 2);
    kn_measures_free(m);
    kn_dataset_free(a);
    kn_dataset_free(b);
}

/* The first record was removed; ages alone would match it with the second. */
static void test_matching(void **state)
{
    static const char *const before[][3] = {
        {"1", "f", "a"}, {"1", "f", "b"}, {"2", "m", "a|c"}, {"2", "m", "b|c"}};
    static const char *const after[][3] = {{"1", "f", "b"}, {"2", "m", "{b,c}"}};
    static const char *const moved[][3] = {{"2", "m", "{b,c}"}, {"1", "f", "b"}};
    static const char *const wrong[][3] = {{"1", "f", "c"}, {"2", "m", "{b,c}"}};
    kn_dataset *a = table(before, 4, KN_TYPE_CATEGORY, 1);
    kn_dataset *b = table(after, 2, KN_TYPE_CATEGORY, 1);
    kn_dataset *c = table(moved, 2, KN_TYPE_CATEGORY, 1);
    kn_dataset *d = table(wrong, 2, KN_TYPE_CATEGORY, 1);
    kn_measures *m = measure(a, b, NULL);
    kn_error err = {0};

    (void)state;
    /* Of 6 items 3 are gone with their records, b is as it was, two are a set of two in three. */
    assert_near(kn_measures_value(m, "items_ncp", NULL), (3 + 2 * 2 / 3.0) / 6);
    assert_near(kn_measures_value(m, "relational_ncp", NULL), 0.5);
    assert_near(kn_measures_value(m, "suppressed_records", NULL), 0.5);
    kn_measures_free(m);
    m = measure(a, c, NULL); /* in another order: what the texts alone say */
    assert_true(isnan(kn_measures_value(m, "entropy", NULL)));
    assert_true(kn_measures_value(m, "items_ncp", NULL) > 0);
    kn_measures_free(m);
    assert_int_equal(kn_measure(&m, a, d, (const uint32_t[]){1, 3}, NULL, NULL, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "'items'"));
    assert_null(m);
    a->column[1].type = KN_TYPE_SET; /* two lists */
    assert_int_equal(kn_measure(&m, a, b, NULL, NULL, NULL, &err), KN_EUSAGE);
    a->column[1].type = KN_TYPE_CATEGORY;
    kn_dataset_free(a);
    kn_dataset_free(b);
    kn_dataset_free(c);
    kn_dataset_free(d);
}

/* Either part is measured as if the other were not there. */
static void test_parts(void **state)
{
    enum { RECORDS = 12 };
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 31, 0);
    for (int round = 0; round < 1000; round++) {
        char cells[2][RECORDS][24];
        const char *rows[2][RECORDS][3];
        uint32_t origin[RECORDS];
        size_t kept = 0;
        const size_t records = 1 + kn__rng_below(&r, RECORDS);
        for (size_t i = 0; i < records; i++) {
            bool pair = false;
            cells[0][i][0] = cells[1][kept][0] = '\0';
            for (int x = 0; x < 4; x++) {
                if (kn__rng_below(&r, 2)) {
                    (void)snprintf(cells[0][i] + strlen(cells[0][i]), 4, "%s%c",
                                   *cells[0][i] ? "|" : "", 'a' + x);
                    if (x < 2 || !pair) { /* c and d are published as one */
                        (void)snprintf(cells[1][kept] + strlen(cells[1][kept]), 8,
                                       x < 2 ? "%s%c" : "%s{c,d}", *cells[1][kept] ? "|" : "",
                                       'a' + x);
                    }
                    pair = pair || x >= 2;
                }
            }
            rows[0][i][0] = kn__rng_below(&r, 2) ? "1" : "2";
            rows[0][i][1] = kn__rng_below(&r, 2) ? "f" : "m";
            rows[0][i][2] = cells[0][i];
            if (kn__rng_below(&r, 5)) {
                rows[1][kept][0] = kn__rng_below(&r, 3) ? rows[0][i][0] : "*";
                rows[1][kept][1] = kn__rng_below(&r, 3) ? rows[0][i][1] : "*";
                rows[1][kept][2] = cells[1][kept];
                origin[kept++] = (uint32_t)i;
            }
        }
        const double weight = (double)kn__rng_below(&r, 3);
        kn_dataset *a = table((const char *const(*)[3])rows[0], records, KN_TYPE_CATEGORY, weight);
        kn_dataset *b = table((const char *const(*)[3])rows[1], kept, KN_TYPE_CATEGORY, 1);
        if (kn_dataset_values(a, 2) == 4) { /* {c,d} is understood when both are there */
            kn_measures *both = measure(a, b, origin), *items, *values;
            a->column[0].role = a->column[1].role = KN_ROLE_DROPPED;
            items = measure(a, b, origin);
            a->column[0].role = a->column[1].role = KN_ROLE_QUASI;
            a->column[2].role = KN_ROLE_DROPPED;
            values = measure(a, b, origin);
            const double x = kn_measures_value(items, "ncp", NULL);
            const double y = kn_measures_value(values, "ncp", NULL);
            assert_near(kn_measures_value(both, "items_ncp", NULL), x);
            assert_near(kn_measures_value(both, "relational_ncp", NULL), y);
            assert_near(kn_measures_value(both, "ncp", NULL), (2 * y + weight * x) / (2 + weight));
            assert_near(kn_measures_value(both, "items_changed", NULL),
                        kn_measures_value(items, "items_changed", NULL));
            assert_near(kn_measures_value(both, "discernibility", NULL),
                        kn_measures_value(values, "discernibility", NULL));
            kn_measures_free(both);
            kn_measures_free(items);
            kn_measures_free(values);
        }
        kn_dataset_free(a);
        kn_dataset_free(b);
    }
}

static void test_no_memory(void **state)
{
    kn_dataset *a = table(figure_1a, 6, KN_TYPE_INTEGER, 1);
    kn_dataset *b = table(figure_2a, 6, KN_TYPE_CATEGORY, 1);
    const size_t held = kn_memory_in_use();
    const kn_run run = {.threads = 1};
    bool done = false;

    (void)state;
    for (size_t n = 1; !done; n++) {
        kn_measures *m = NULL;
        kn__memory_fail_after(n);
        const kn_status status = kn_measure(&m, a, b, NULL, NULL, &run, NULL);
        kn__memory_fail_after(0);
        done = status == KN_OK;
        assert_true(done ? m != NULL : status == KN_ENOMEM && m == NULL);
        kn_measures_free(m);
        assert_int_equal(kn_memory_in_use(), held);
    }
    kn_dataset_free(a);
    kn_dataset_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_2a),
        cmocka_unit_test(test_matching),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
