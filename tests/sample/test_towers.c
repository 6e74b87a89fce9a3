/* The sample "towers": the moments of the paper's Table II, towers near each other together, seeds
 * and threads, coordinates and hierarchy that fit, and failing allocations. */
#include "base/memory.h"
#include "data/dataset.h"
#include "kanon/hierarchy.h"
#include "kanon/io.h"
#include "sample/generate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TOWERS = 1303, PEOPLE = 4427486 };

static kn_dataset *read_sample(size_t records, const kn_run *run)
{
    kn_schema *schema = NULL;
    kn_read_options options = {0};
    kn_dataset *ds = NULL;
    kn_error err = {0};

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "items", KN_TYPE_SET, NULL), KN_OK);
    options.schema = schema;
    assert_int_equal(kn__sample_write("towers", records, "towers.dat", run, &err), KN_OK);
    assert_int_equal(kn_read(&ds, "towers.dat", &options, NULL, &err), KN_OK);
    kn_schema_free(schema);
    (void)remove("towers.dat");
    return ds;
}

/* Where tower `n` (from 1) is, in metres. */
static void read_places(double x[TOWERS + 1], double y[TOWERS + 1])
{
    const kn_sample_files files = {.coordinates = "towers.csv"};
    FILE *f;
    char line[100];
    size_t count = 0;

    assert_int_equal(kn_sample_write_files("towers", 0, &files, NULL, NULL), KN_OK);
    f = fopen("towers.csv", "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, "item,lat,lon\n");
    while (fgets(line, sizeof line, f)) {
        char *end;
        const long n = strtol(line + 1, &end, 10);
        assert_true(n >= 1 && n <= TOWERS);
        y[n] = (strtod(end + 1, &end) - 47.5) * 111195;
        x[n] = (strtod(end + 1, NULL) - 8.5) * 111195 * cos(47.5 * acos(-1) / 180);
        count++;
    }
    (void)fclose(f);
    (void)remove("towers.csv");
    assert_int_equal(count, TOWERS);
}

static void test_moments(void **state)
{
    enum { RECORDS = 200000 };
    kn_dataset *ds = read_sample(RECORDS, NULL);
    const kn_column *c = &ds->column[0];
    double sum = 0, squares = 0, held[TOWERS] = {0}, of_towers = 0;
    size_t large = 0;

    (void)state;
    assert_int_equal(kn__sample_records("towers"), PEOPLE);
    assert_int_equal(kn__column_values(c), TOWERS);
    for (size_t i = 0; i < RECORDS; i++) {
        const double size = (double)(c->starts[i + 1] - c->starts[i]);
        assert_true(size >= 1 && size <= 422);
        sum += size;
        squares += size * size;
        large += size >= 300;
        for (uint64_t at = c->starts[i]; at < c->starts[i + 1]; at++) {
            held[kn__column_code(c, (size_t)at)]++;
        }
    }
    assert_true(large >= 1 && large <= 15); /* 5 are expected: few people have very many towers */
    for (size_t i = 0; i < TOWERS; i++) {
        of_towers += (held[i] - sum / TOWERS) * (held[i] - sum / TOWERS) / TOWERS;
    }
    assert_true(fabs(sqrt(of_towers) / (sum / TOWERS) - 50911.0 / 38817) < 0.05);
    assert_true(fabs(sum / RECORDS - 11.42) < 0.15);
    assert_true(fabs(sqrt(squares / RECORDS - sum / RECORDS * (sum / RECORDS)) - 17.23) < 0.5);
    kn_dataset_free(ds);
}

/* The towers of people with few of them are nearer to each other than towers drawn at random, whose
 * mean distance is some 5.6 km; and no two towers are in one spot. */
static void test_places(void **state)
{
    enum { RECORDS = 5000 };
    static double x[TOWERS + 1], y[TOWERS + 1];
    kn_dataset *ds = read_sample(RECORDS, NULL);
    const kn_column *c = &ds->column[0];
    double apart = 0;
    size_t pairs = 0;

    (void)state;
    read_places(x, y);
    for (size_t i = 1; i <= TOWERS; i++) {
        for (size_t j = 1; j < i; j++) {
            assert_true(hypot(x[i] - x[j], y[i] - y[j]) > 60);
        }
    }
    for (size_t i = 0; i < RECORDS; i++) {
        for (uint64_t at = c->starts[i] + 1; at < c->starts[i + 1] && at < c->starts[i] + 12;
             at++) {
            size_t len;
            const char *a = kn__dict_text(c->dict, kn__column_code(c, (size_t)at - 1), &len);
            const char *b = kn__dict_text(c->dict, kn__column_code(c, (size_t)at), &len);
            const long m = strtol(a + 1, NULL, 10), n = strtol(b + 1, NULL, 10);
            apart += hypot(x[m] - x[n], y[m] - y[n]);
            pairs++;
        }
    }
    assert_true(apart / (double)pairs < 4200);
    kn_dataset_free(ds);
}

static void test_hierarchy(void **state)
{
    kn_hierarchy *h = NULL;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn__sample_write_hierarchies("towers", "city", &err), KN_OK);
    assert_int_equal(kn_hierarchy_read(&h, "city/items.csv", &err), KN_OK);
    kn_hierarchy_free(h);
    (void)remove("city/items.csv");
    (void)remove("city");
}

static void test_no_coordinates(void **state)
{
    const kn_sample_files files = {.coordinates = "x.csv"};
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_sample_write_files("baskets", 0, &files, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "have no coordinates"));
    assert_null(fopen("x.csv", "r"));
}

static void test_seeds_and_threads(void **state)
{
    const kn_run one = {.threads = 1, .seed = 3}, five = {.threads = 5, .seed = 3};
    const kn_run other = {.threads = 1, .seed = 4};
    kn_dataset *a = read_sample(9000, &one), *b = read_sample(9000, &five);
    kn_dataset *c = read_sample(9000, &other);
    const kn_column *p = &a->column[0], *q = &b->column[0], *r = &c->column[0];

    (void)state;
    assert_memory_equal(p->starts, q->starts, 9001 * sizeof *p->starts);
    assert_memory_equal(p->codes, q->codes, p->starts[9000] * p->width);
    assert_true(memcmp(p->starts, r->starts, 9001 * sizeof *p->starts) != 0);
    kn_dataset_free(a);
    kn_dataset_free(b);
    kn_dataset_free(c);
}

/* A table per tower is made: most failures are alike, so a sample of them is let happen. */
static void test_no_memory(void **state)
{
    const kn_sample_files files = {.table = "m.dat", .coordinates = "m.csv"};
    const kn_run run = {.threads = 1};
    const size_t held = kn_memory_in_use();
    kn_status status = KN_ENOMEM;

    (void)state;
    for (size_t at = 1; status != KN_OK; at += at < 12 || at > 5200 ? 1 : 647) {
        kn__memory_fail_after(at);
        status = kn_sample_write_files("towers", 100, &files, &run, NULL);
        kn__memory_fail_after(0);
        assert_int_equal(kn_memory_in_use(), held);
        assert_true(status == KN_OK || status == KN_ENOMEM);
    }
    (void)remove("m.dat");
    (void)remove("m.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments),           cmocka_unit_test(test_places),
        cmocka_unit_test(test_hierarchy),         cmocka_unit_test(test_no_coordinates),
        cmocka_unit_test(test_seeds_and_threads), cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
