/* The samples "clinic", "informs" and "youtube": their shapes, what depends on what, and that
 * hierarchies cover every value. Seeds, threads and failing allocations are in test_lists.c. */
#include "base/memory.h"
#include "data/dataset.h"
#include "kanon/hierarchy.h"
#include "kanon/io.h"
#include "sample/generate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const samples[] = {"clinic", "informs", "youtube"};

static kn_dataset *sample(const char *name, size_t records, uint64_t seed)
{
    const kn_run run = {.seed = seed};
    kn_schema *schema = NULL;
    kn_read_options options = {.keep_dropped = true};
    kn_dataset *ds = NULL;
    kn_error err = {0};
    const char *reason = "";

    assert_int_equal(kn__sample_write(name, records, "s.csv", &run, &err), KN_OK);
    assert_int_equal(kn__sample_write_hierarchies(name, name, &err), KN_OK);
    assert_int_equal(kn__sample_write_schema(name, "s.json", name, &err), KN_OK);
    if (kn_schema_read(&schema, "s.json", &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    options.schema = schema;
    if (kn_read(&ds, "s.csv", &options, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    kn_schema_free(schema);
    assert_int_equal(kn_dataset_records(ds), records);
    assert_true(kn__dataset_validate(ds, &reason));
    return ds;
}

static const kn_column *column(const kn_dataset *ds, const char *name)
{
    const size_t at = kn_dataset_find(ds, name);

    assert_true(at != SIZE_MAX);
    return &ds->column[at];
}

/* Whether record `r` has an item that begins with `begin` in the list column. */
static bool has(const kn_column *c, size_t r, const char *begin)
{
    for (uint64_t i = c->starts[r]; i < c->starts[r + 1]; i++) {
        size_t len;
        const char *text = kn__column_text(c, kn__column_code(c, (size_t)i), &len);
        if (len >= strlen(begin) && memcmp(text, begin, strlen(begin)) == 0) {
            return true;
        }
    }
    return false;
}

static void check_shape(const char *name, size_t records, const char *items, uint32_t different,
                        size_t most, double mean, size_t columns)
{
    kn_dataset *ds = sample(name, kn__sample_records(name), 0);
    const kn_column *c = column(ds, items);
    size_t longest = 0;

    assert_int_equal(ds->records, records);
    assert_int_equal(ds->columns, columns);
    assert_int_equal(kn__column_values(c), different);
    for (size_t r = 0; r < records; r++) {
        const size_t len = (size_t)(c->starts[r + 1] - c->starts[r]);
        assert_true(len > 0);
        longest = len > longest ? len : longest;
    }
    assert_int_equal(longest, most);
    assert_true((double)c->starts[records] > (mean - 0.03) * (double)records);
    assert_true((double)c->starts[records] < (mean + 0.03) * (double)records);
    kn_dataset_free(ds);
}

/* 36,553 x 5 with 619 items, at most 17 and on average 4.27; 131,780 x 6 with 936, 37 and 6.51. */
static void test_the_paper(void **state)
{
    (void)state;
    check_shape("informs", 36553, "diagnoses", 619, 17, 4.27, 6);
    check_shape("youtube", 131780, "related", 936, 37, 6.51, 7);
    assert_int_equal(kn__sample_records("clinic"), 1000);
}

static void test_clinic(void **state)
{
    enum { RECORDS = 50000 };
    kn_dataset *ds = sample("clinic", RECORDS, 1);
    const kn_column *c = column(ds, "diagnoses"), *age = column(ds, "age"),
                    *sex = column(ds, "sex");
    const uint32_t man = kn__dict_find(sex->dict, "Male", 4);
    size_t old = 0, old_heart = 0, young = 0, young_heart = 0, young_hurt = 0, old_hurt = 0;
    double old_codes = 0, young_codes = 0;

    (void)state;
    assert_int_equal(kn__column_values(c), 720);
    assert_int_equal(kn__column_values(column(ds, "patient")), RECORDS);
    assert_int_equal(ds->column[0].role, KN_ROLE_IDENTIFIER);
    for (size_t r = 0; r < RECORDS; r++) {
        const double years = age->numbers[kn__column_code(age, r)];
        const size_t len = (size_t)(c->starts[r + 1] - c->starts[r]);
        assert_true(len >= 1 && len <= 20);
        /* pregnancy and birth */
        assert_false(kn__column_code(sex, r) == man && has(c, r, "O"));
        assert_false(years >= 60 && has(c, r, "O"));
        assert_false(years >= 15 && has(c, r, "P"));
        if (years >= 60) {
            old++;
            old_heart += has(c, r, "I");
            old_hurt += has(c, r, "S");
            old_codes += (double)len;
        } else if (years >= 15 && years < 30) {
            young++;
            young_heart += has(c, r, "I");
            young_hurt += has(c, r, "S");
            young_codes += (double)len;
        }
    }
    assert_true(old > RECORDS / 4 && young > RECORDS / 100);
    assert_true(old_heart * young > 4 * young_heart * old);
    assert_true(young_hurt * old_codes > 1.2 * (double)old_hurt * young_codes); /* of their codes */
    assert_true(old_codes / (double)old > 1.5 * young_codes / (double)young);
    kn_dataset_free(ds);
}

/* Codes that come together do so far more often than by chance, and few of them are frequent. */
static void test_codes_hang_together(void **state)
{
    enum { RECORDS = 50000, CODES = 720 };
    kn_dataset *ds = sample("clinic", RECORDS, 2);
    const kn_column *c = column(ds, "diagnoses");
    uint32_t *pairs = kn__zalloc_array((size_t)CODES * CODES, sizeof *pairs);
    size_t count[CODES] = {0}, strong = 0, most = 0, least = RECORDS;

    (void)state;
    for (size_t r = 0; r < RECORDS; r++) {
        for (uint64_t i = c->starts[r]; i < c->starts[r + 1]; i++) {
            const uint32_t a = kn__column_code(c, (size_t)i);
            count[a]++;
            for (uint64_t j = i + 1; j < c->starts[r + 1]; j++) {
                pairs[a * CODES + kn__column_code(c, (size_t)j)]++;
            }
        }
    }
    for (size_t a = 0; a < CODES; a++) {
        most = count[a] > most ? count[a] : most;
        least = count[a] < least ? count[a] : least;
        for (size_t b = 0; b < CODES; b++) {
            strong += pairs[a * CODES + b] >= 100 && (double)pairs[a * CODES + b] * RECORDS >
                                                         5.0 * (double)count[a] * (double)count[b];
        }
    }
    assert_true(strong >= 24); /* a pair for each syndrome, at the least */
    assert_true(most > 50 * least);
    kn__free(pairs);
    kn_dataset_free(ds);
}

static void test_hierarchies_cover(void **state)
{
    (void)state;
    for (size_t n = 0; n < 3; n++) {
        kn_dataset *ds = sample(samples[n], 60000, 9);
        for (size_t i = 0; i < ds->columns; i++) {
            char path[80];
            kn_hierarchy *h = NULL;
            kn_error err = {0};
            if (ds->column[i].role == KN_ROLE_IDENTIFIER) {
                continue;
            }
            snprintf(path, sizeof path, "%s/%s.csv", samples[n], ds->column[i].name);
            if (kn_hierarchy_read(&h, path, &err) != KN_OK ||
                kn_hierarchy_covers(h, ds, i, &err) != KN_OK) {
                fail_msg("%s", err.message);
            }
            kn_hierarchy_free(h);
        }
        kn_dataset_free(ds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_paper),
        cmocka_unit_test(test_clinic),
        cmocka_unit_test(test_codes_hang_together),
        cmocka_unit_test(test_hierarchies_cover),

    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
