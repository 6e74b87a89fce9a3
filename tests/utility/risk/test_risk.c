/* Risk, class sizes and uniqueness: by hand, and against comparing all pairs of records. */
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "kanon/measure.h"
#include "oracle/utility_risk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void near(double a, double b)
{
    if (isnan(a) != isnan(b) || fabs(a - b) > 1e-9) {
        fail_msg("%.12g is not %.12g", a, b);
    }
}

/* Columns a, b, ... with the bits of `quasi` as quasi-identifiers. Values from 7 on are missing in
 * the table. */
static kn_dataset *to_dataset(const risk_table *t, unsigned quasi)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_dataset_builder_new(&b, names, t->columns, NULL, NULL), KN_OK);
    for (size_t i = 0; i < t->records; i++) {
        char text[RISK_COLUMNS][8];
        const char *cell[RISK_COLUMNS];
        for (size_t c = 0; c < t->columns; c++) {
            (void)snprintf(text[c], sizeof text[c], "%u", t->cell[i][c]);
            cell[c] = t->cell[i][c] >= 7 ? NULL : text[c];
        }
        assert_int_equal(kn_dataset_builder_add(b, cell, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    for (size_t c = 0; c < t->columns; c++) {
        kn_dataset_set_role(ds, c, quasi >> c & 1 ? KN_ROLE_QUASI : KN_ROLE_KEPT, NULL);
    }
    return ds;
}

static void fill(risk_table *t, size_t columns, unsigned values, kn_rng *r)
{
    t->columns = columns;
    t->records = kn__rng_below(r, RISK_RECORDS + 1);
    for (size_t i = 0; i < t->records; i++) {
        for (size_t c = 0; c < columns; c++) {
            t->cell[i][c] = (unsigned)kn__rng_below(r, values);
        }
    }
}

/* Classes 2, 1 and 3 in the table; 4, 1 and 2 such people in the population. */
static void test_by_hand(void **state)
{
    const risk_table t = {6, 1, {{1}, {1}, {2}, {3}, {3}, {3}}};
    const risk_table people = {9, 1, {{1}, {1}, {1}, {1}, {2}, {3}, {3}, {5}, {6}}};
    kn_dataset *ds = to_dataset(&t, 1), *population = to_dataset(&people, 0);
    kn_class_sizes sizes;
    kn_risk risk;
    (void)state;

    assert_int_equal(kn_risk_measure(&risk, ds, NULL, 0.4, NULL, NULL), KN_OK);
    assert_int_equal(risk.records, 6);
    assert_int_equal(risk.classes, 3);
    assert_int_equal(risk.unique, 1);
    near(risk.prosecutor_max, 1);
    near(risk.prosecutor_mean, 0.5);
    near(risk.marketer, 0.5);
    near(risk.at_risk_share, 0.5);
    near(risk.journalist_max, NAN);
    near(risk.journalist_mean, NAN);
    near(risk.threshold, 0.4);
    assert_int_equal(kn_risk_measure(&risk, ds, population, 1, NULL, NULL), KN_OK);
    near(risk.at_risk_share, 0);
    near(risk.journalist_max, 1);
    near(risk.journalist_mean, (2 / 4.0 + 1 / 1.0 + 3 / 3.0) / 6);

    assert_int_equal(kn_class_sizes_count(&sizes, ds, NULL, NULL), KN_OK);
    assert_int_equal(sizes.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(sizes.size[i], i + 1);
        assert_int_equal(sizes.classes[i], 1);
    }
    kn_class_sizes_free(&sizes);
    kn_class_sizes_free(&sizes);
    kn_dataset_free(ds);
    kn_dataset_free(population);
}

static void test_refusals(void **state)
{
    const risk_table t = {3, 2, {{1, 1}, {1, 2}, {2, 1}}};
    const risk_table other = {3, 1, {{1}, {1}, {2}}};
    kn_dataset *none = to_dataset(&t, 0), *ds = to_dataset(&t, 3), *narrow = to_dataset(&other, 1);
    kn_class_sizes sizes;
    kn_uniqueness *u;
    size_t count;
    kn_risk risk;
    kn_error err;
    (void)state;

    assert_int_equal(kn_risk_measure(&risk, none, NULL, 0.2, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "quasi-identifier"));
    assert_int_equal(kn_risk_measure(&risk, ds, NULL, 1.5, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "1.5"));
    assert_int_equal(kn_risk_measure(&risk, ds, NULL, NAN, NULL, NULL), KN_EUSAGE);
    assert_int_equal(kn_risk_measure(&risk, ds, narrow, 0.2, NULL, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "'b'"));
    assert_int_equal(kn_class_sizes_count(&sizes, none, NULL, NULL), KN_EUSAGE);
    assert_null(sizes.size);
    assert_int_equal(kn_uniqueness_measure(&u, &count, ds, 5, NULL, &err), KN_EUSAGE);
    assert_int_equal(kn_uniqueness_measure(&u, &count, none, 2, NULL, NULL), KN_EUSAGE);
    assert_null(u);
    assert_int_equal(count, 0);
    kn_dataset_free(none);
    kn_dataset_free(ds);
    kn_dataset_free(narrow);
}

static void check_uniqueness(const risk_table *t, const kn_dataset *ds, unsigned quasi,
                             size_t max_size)
{
    kn_uniqueness *u;
    size_t count, expected = 1;
    unsigned seen[1 << RISK_COLUMNS] = {0};

    assert_int_equal(kn_uniqueness_measure(&u, &count, ds, max_size, NULL, NULL), KN_OK);
    for (unsigned set = 1; set < 1u << t->columns; set++) {
        expected += (set & ~quasi) == 0 && (size_t)__builtin_popcount(set) <= max_size;
    }
    assert_int_equal(count, expected);
    for (size_t i = 0; i < count; i++) {
        unsigned set = i == 0 ? quasi : 0;
        risk_result want;
        assert_int_equal(u[i].size == 0, i == 0);
        for (size_t c = 0; c < u[i].size; c++) {
            set |= 1u << u[i].columns[c];
        }
        assert_int_equal(seen[set] & (i == 0 ? 2 : 1), 0);
        seen[set] |= i == 0 ? 2 : 1;
        want = risk_oracle(t, NULL, set, 0.5);
        assert_int_equal(u[i].unique, want.unique);
        near((double)u[i].classes, want.classes);
        if (i > 1) {
            assert_true(u[i - 1].size < u[i].size ||
                        (u[i - 1].size == u[i].size && u[i - 1].unique >= u[i].unique));
        }
    }
    kn_uniqueness_free(u);
}

static void test_oracle(void **state)
{
    kn_rng r;
    (void)state;

    kn__rng_seed(&r, 3, 0);
    for (int round = 0; round < 1500; round++) {
        const size_t columns = 1 + kn__rng_below(&r, RISK_COLUMNS);
        const unsigned values = 2 + (unsigned)kn__rng_below(&r, 7);
        const unsigned quasi = 1 + (unsigned)kn__rng_below(&r, (1u << columns) - 1);
        const kn_run run = {.threads = (const unsigned[]){1, 2, 5}[round % 3]};
        risk_table t, people;
        risk_result want;
        kn_class_sizes sizes;
        kn_risk risk;
        size_t sum = 0, classes = 0;
        fill(&t, columns, values, &r);
        fill(&people, columns, values, &r);
        kn_dataset *ds = to_dataset(&t, quasi), *population = to_dataset(&people, 0);

        assert_int_equal(kn_risk_measure(&risk, ds, population, 0.3, &run, NULL), KN_OK);
        want = risk_oracle(&t, &people, quasi, 0.3);
        assert_int_equal(risk.records, t.records);
        assert_int_equal(risk.unique, want.unique);
        near((double)risk.classes, want.classes);
        near(risk.prosecutor_max, want.prosecutor_max);
        near(risk.prosecutor_mean, want.prosecutor_mean);
        near(risk.marketer, want.prosecutor_mean);
        near(risk.at_risk_share, want.at_risk_share);
        near(risk.journalist_max, want.journalist_max);
        near(risk.journalist_mean, want.journalist_mean);

        assert_int_equal(kn_class_sizes_count(&sizes, ds, &run, NULL), KN_OK);
        for (size_t i = 0; i < sizes.count; i++) {
            size_t members = 0;
            assert_true(i == 0 || sizes.size[i - 1] < sizes.size[i]);
            for (size_t j = 0; j < t.records; j++) {
                members += risk_alike(&t, j, &t, quasi) == sizes.size[i];
            }
            assert_int_equal(members, sizes.size[i] * sizes.classes[i]);
            sum += members;
            classes += sizes.classes[i];
        }
        assert_int_equal(sum, t.records);
        assert_int_equal(classes, risk.classes);
        kn_class_sizes_free(&sizes);
        if (round % 10 == 0) {
            check_uniqueness(&t, ds, quasi, (size_t)kn__rng_below(&r, 5));
        }
        kn_dataset_free(ds);
        kn_dataset_free(population);
    }
}

/* 70 columns have 2,415 pairs: only the single columns fit. */
static void test_many_subsets(void **state)
{
    enum { COLUMNS = 70 };
    char name[COLUMNS][16];
    const char *names[COLUMNS], *cell[COLUMNS];
    kn_dataset_builder *b;
    kn_dataset *ds;
    kn_uniqueness *u;
    size_t count;
    (void)state;

    for (int c = 0; c < COLUMNS; c++) {
        (void)snprintf(name[c], sizeof name[c], "c%d", c);
        names[c] = name[c];
        cell[c] = c % 2 ? "x" : name[c];
    }
    assert_int_equal(kn_dataset_builder_new(&b, names, COLUMNS, NULL, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_add(b, names, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_add(b, cell, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    for (size_t c = 0; c < COLUMNS; c++) {
        kn_dataset_set_role(ds, c, KN_ROLE_QUASI, NULL);
    }
    assert_int_equal(kn_uniqueness_measure(&u, &count, ds, 3, NULL, NULL), KN_OK);
    assert_int_equal(count, 1 + COLUMNS);
    assert_int_equal(u[0].unique, 2);
    assert_int_equal(u[1].unique, 2);
    assert_int_equal(u[1].columns[0], 1);
    assert_int_equal(u[COLUMNS].unique, 0);
    kn_uniqueness_free(u);
    kn_dataset_free(ds);
}

static kn_status measure_all(const kn_dataset *ds, const kn_dataset *population)
{
    const kn_run run = {.threads = 1};
    kn_class_sizes sizes;
    kn_uniqueness *u = NULL;
    size_t count;
    kn_risk risk;
    kn_status status = kn_risk_measure(&risk, ds, population, 0.5, &run, NULL);

    if (status == KN_OK) {
        status = kn_class_sizes_count(&sizes, ds, &run, NULL);
        kn_class_sizes_free(&sizes);
    }
    if (status == KN_OK) {
        status = kn_uniqueness_measure(&u, &count, ds, 2, &run, NULL);
        kn_uniqueness_free(u);
    }
    return status;
}

static void test_allocation_failures(void **state)
{
    risk_table t;
    kn_rng r;
    (void)state;

    kn__rng_seed(&r, 9, 0);
    fill(&t, 4, 3, &r);
    kn_dataset *ds = to_dataset(&t, 7), *population = to_dataset(&t, 0);
    const size_t before = kn_memory_in_use();
    for (size_t n = 1;; n++) {
        kn__memory_fail_after(n);
        const kn_status status = measure_all(ds, population);
        const int failed = kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(kn_memory_in_use(), before);
        assert_int_equal(status, failed ? KN_ENOMEM : KN_OK);
        if (!failed) {
            assert_true(n > 10);
            break;
        }
    }
    kn_dataset_free(ds);
    kn_dataset_free(population);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_oracle),
        cmocka_unit_test(test_many_subsets),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
