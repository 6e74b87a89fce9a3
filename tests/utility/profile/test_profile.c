/* Profiles: counts, roles, hints, and that nobody's value slips out. */
#include "base/memory.h"
#include "data/dataset.h"
#include "kanon/hierarchy.h"
#include "kanon/profile.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { RECORDS = 200, COLUMNS = 12 };

static const char *const names[COLUMNS] = {"full_name", "age",    "sex",         "salary",
                                           "code",      "visits", "remark",      "tags",
                                           "seen",      "one",    "DateOfBirth", "weightKg"};

/* `typed`: tags are read as a list. */
static kn_dataset *people(bool typed)
{
    kn_dataset_builder *b;
    kn_schema *schema;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    if (typed) {
        assert_int_equal(kn_schema_set_type(schema, "tags", KN_TYPE_BAG, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, names, COLUMNS, schema, NULL), KN_OK);
    for (int i = 0; i < RECORDS; i++) {
        char text[COLUMNS][40];
        const char *cell[COLUMNS];
        for (int c = 0; c < COLUMNS; c++) {
            cell[c] = text[c];
        }
        (void)snprintf(text[0], 40, "Secret %d", i % 20);
        (void)snprintf(text[1], 40, "%d", i == 0 ? 99 : 20 + i % 50);
        (void)snprintf(text[2], 40, "%s", i % 2 ? "f" : "m");
        (void)snprintf(text[3], 40, "%d", 1000 + i * 37);
        (void)snprintf(text[4], 40, "x%d", 31337 * (i + 1));
        (void)snprintf(text[5], 40, i == 7 ? "many" : i % 40 == 3 ? "?" : "%d", i % 9);
        text[6][0] = '\0';
        for (int bit = 0; bit < 4; bit++) {
            if ((i % 15 + 1) >> bit & 1) {
                strcat(text[6], text[6][0] ? ";" : "");
                strncat(text[6], &"wxyz"[bit], 1);
            }
        }
        (void)snprintf(text[7], 40, i % 3 ? "red|blue|red" : "green|x%d", i);
        text[7][0] = i % 6 ? text[7][0] : '\0';
        (void)snprintf(text[8], 40, "2020-01-%02d", 1 + i / 10);
        (void)snprintf(text[9], 40, "1");
        (void)snprintf(text[10], 40, "%d", 1950 + i % 20);
        (void)snprintf(text[11], 40, "%.1f", 50 + i / 4.0);
        assert_int_equal(kn_dataset_builder_add(b, cell, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static const kn_column_profile *column(const kn_profile *p, const char *name)
{
    for (size_t i = 0; i < kn_profile_columns(p); i++) {
        if (strcmp(kn_profile_column(p, i)->name, name) == 0) {
            return kn_profile_column(p, i);
        }
    }
    fail();
    return NULL;
}

static void test_columns(void **state)
{
    kn_dataset *ds = people(false);
    const kn_column_profile *c;
    kn_profile *p;
    (void)state;

    assert_int_equal(kn_profile_make(&p, ds, NULL, NULL), KN_OK);
    kn_dataset_free(ds);
    assert_int_equal(kn_profile_columns(p), COLUMNS);
    assert_null(kn_profile_column(p, COLUMNS));

    c = column(p, "full_name");
    assert_int_equal(c->suggested, KN_ROLE_IDENTIFIER);
    assert_int_equal(c->top_count, 0);
    assert_int_equal(c->values, 20);
    c = column(p, "age");
    assert_int_equal(c->suggested, KN_ROLE_QUASI);
    assert_string_equal(c->reason, "its name says 'age'");
    assert_int_equal(c->type, KN_TYPE_INTEGER);
    assert_int_equal(c->values, 51);
    assert_int_equal(c->unique, 1);
    assert_true(c->min == 20 && c->max == 99);
    assert_false(c->sorted);
    assert_int_equal(c->top_count, 0);
    c = column(p, "sex");
    assert_int_equal(c->suggested, KN_ROLE_QUASI);
    assert_int_equal(c->top_count, 2);
    assert_string_equal(c->top[0].text, "f");
    assert_int_equal(c->top[0].records, 100);
    assert_true(isnan(c->min));
    c = column(p, "salary");
    assert_int_equal(c->suggested, KN_ROLE_SENSITIVE);
    assert_int_equal(c->unique, RECORDS);
    assert_true(c->sorted);
    assert_true(c->mean == 1000 + 37 * 99.5);
    c = column(p, "code");
    assert_int_equal(c->suggested, KN_ROLE_IDENTIFIER);
    assert_int_equal(c->top_count, 0);
    c = column(p, "visits");
    assert_int_equal(c->suggested, KN_ROLE_QUASI);
    assert_non_null(strstr(c->hint, "'?' looks like a missing value: --missing '?'"));
    assert_non_null(strstr(c->hint, "1 of 195 records holds something that is no number"));
    assert_null(strstr(c->hint, "many"));
    c = column(p, "remark");
    assert_int_equal(c->suggested, KN_ROLE_QUASI);
    assert_string_equal(c->hint, "cells look like lists: --items remark --item-separator ';'");
    c = column(p, "tags");
    assert_int_equal(c->suggested, KN_ROLE_QUASI);
    assert_string_equal(c->reason, "no rule matched: in doubt it counts as known to others");
    assert_true(c->doubtful);
    assert_null(c->hint);
    assert_int_equal(c->missing, 34);
    c = column(p, "seen");
    assert_int_equal(c->type, KN_TYPE_DATE);
    assert_int_equal(c->suggested, KN_ROLE_QUASI);
    assert_true(c->min == 18262);
    assert_true(c->sorted);
    assert_int_equal(c->top_count, 10);
    assert_string_equal(c->top[0].text, "2020-01-01");
    c = column(p, "one");
    assert_int_equal(c->suggested, KN_ROLE_KEPT);
    assert_false(c->sorted);
    assert_int_equal(column(p, "DateOfBirth")->suggested, KN_ROLE_QUASI);
    assert_int_equal(column(p, "weightKg")->suggested, KN_ROLE_QUASI);
    kn_profile_free(p);
    kn_profile_free(NULL);
}

static void test_lists(void **state)
{
    kn_dataset *ds = people(true);
    const kn_column_profile *c;
    kn_profile *p;
    (void)state;

    assert_int_equal(kn_profile_make(&p, ds, NULL, NULL), KN_OK);
    c = column(p, "tags");
    assert_int_equal(c->type, KN_TYPE_BAG);
    assert_int_equal(c->values, 3 + 33);
    assert_int_equal(c->missing, 34);
    assert_int_equal(c->unique, 33);
    assert_true(c->min == 0 && c->max == 3);
    assert_int_equal(c->top_count, 3);
    assert_string_equal(c->top[0].text, "blue");
    assert_int_equal(c->top[0].records, 133);
    assert_string_equal(c->top[1].text, "red");
    assert_int_equal(c->top[1].records, 133);
    assert_int_equal(c->top[2].records, 33);
    assert_null(c->hint);
    kn_profile_free(p);
    kn_dataset_free(ds);
}

static void test_names(void **state)
{
    static const struct {
        const char *name;
        kn_role role;
    } cases[] = {
        {"e-mail", KN_ROLE_IDENTIFIER},
        {"patient_id", KN_ROLE_IDENTIFIER},
        {"patientID", KN_ROLE_IDENTIFIER},
        {"SSN", KN_ROLE_IDENTIFIER},
        {"Name", KN_ROLE_IDENTIFIER},
        {"phone2", KN_ROLE_IDENTIFIER},
        {"country_name", KN_ROLE_QUASI},
        {"zip-code", KN_ROLE_QUASI},
        {"native-country", KN_ROLE_QUASI},
        {"marital-status", KN_ROLE_QUASI},
        {"birthYear", KN_ROLE_QUASI},
        {"RACE", KN_ROLE_QUASI},
        {"diagnosis_id", KN_ROLE_IDENTIFIER},
        {"diagnosis2", KN_ROLE_SENSITIVE},
        {"salary-class", KN_ROLE_SENSITIVE},
        {"Religion", KN_ROLE_SENSITIVE},
        {"wage", KN_ROLE_SENSITIVE},
        {"footage", KN_ROLE_KEPT},
        {"rename", KN_ROLE_KEPT},
        {"\xc3\xa9tage", KN_ROLE_KEPT},
        {"", KN_ROLE_KEPT},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kn_dataset *ds;
        kn_dataset_builder *b;
        kn_profile *p;
        const char *cell = "1";
        assert_int_equal(kn_dataset_builder_new(&b, &(const char *){"c"}, 1, NULL, NULL), KN_OK);
        for (size_t r = 0; r < 5; r++) { /* a value that enough share to be kept */
            assert_int_equal(kn_dataset_builder_add(b, &cell, NULL), KN_OK);
        }
        assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
        kn__free(ds->column[0].name);
        ds->column[0].name = kn__strdup(cases[i].name);
        assert_int_equal(kn_profile_make(&p, ds, NULL, NULL), KN_OK);
        if (kn_profile_column(p, 0)->suggested != cases[i].role) {
            fail_msg("%s: %s", cases[i].name, kn_role_name(kn_profile_column(p, 0)->suggested));
        }
        kn_profile_free(p);
        kn_dataset_free(ds);
    }
}

static void test_hints(void **state)
{
    static const char *const cells[] = {"1", "NA", "3", "-", "5"};
    kn_dataset_builder *b;
    kn_dataset *ds;
    kn_profile *p;
    (void)state;

    assert_int_equal(kn_dataset_builder_new(&b, &(const char *){"n"}, 1, NULL, NULL), KN_OK);
    for (int i = 0; i < 100; i++) {
        const char *cell = cells[i < 5 ? i : i % 2 * 2];
        assert_int_equal(kn_dataset_builder_add(b, &cell, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    assert_int_equal(kn_profile_make(&p, ds, NULL, NULL), KN_OK);
    assert_string_equal(kn_profile_column(p, 0)->hint,
                        "'NA' and '-' look like missing values: --missing 'NA,-'; "
                        "all else are numbers");
    kn_profile_free(p);
    kn_dataset_free(ds);
}

/* What is known to mean missing needs no hint. */
static void test_declared_missing(void **state)
{
    kn_dataset_builder *b;
    kn_dataset *ds;
    kn_profile *p;
    kn_schema *schema;
    (void)state;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_missing(schema, NULL, (const char *const[]){"?"}, 1, NULL),
                     KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, &(const char *){"n"}, 1, schema, NULL), KN_OK);
    for (int i = 0; i < 100; i++) {
        const char *cell = i % 10 ? i % 2 ? "a" : "b" : "?";
        assert_int_equal(kn_dataset_builder_add(b, &cell, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    assert_int_equal(kn_profile_make(&p, ds, NULL, NULL), KN_OK);
    assert_null(kn_profile_column(p, 0)->hint);
    assert_int_equal(kn_profile_column(p, 0)->missing, 10);
    assert_int_equal(kn_profile_column(p, 0)->values, 2);
    assert_int_equal(kn_profile_column(p, 0)->top_count, 2);
    kn_profile_free(p);
    kn_dataset_free(ds);
    kn_schema_free(schema);
}

static json_t *find(const json_t *root, const char *name)
{
    json_t *columns = json_object_get(root, "columns");

    for (size_t i = 0; i < json_array_size(columns); i++) {
        json_t *c = json_array_get(columns, i);
        if (strcmp(json_string_value(json_object_get(c, "name")), name) == 0) {
            return c;
        }
    }
    fail();
    return NULL;
}

static void test_json(void **state)
{
    kn_dataset *ds = people(false);
    kn_profile *p;
    json_t *root, *c;
    char *text;
    (void)state;

    kn_dataset_set_role(ds, kn_dataset_find(ds, "sex"), KN_ROLE_IDENTIFIER, NULL);
    kn_dataset_set_role(ds, kn_dataset_find(ds, "seen"), KN_ROLE_IDENTIFIER, NULL);
    assert_int_equal(kn_profile_make(&p, ds, NULL, NULL), KN_OK);
    assert_int_equal(kn_profile_column(p, 2)->top_count, 0);
    assert_int_equal(kn_profile_json(&text, p, NULL), KN_OK);
    assert_null(strstr(text, "Secret"));
    assert_null(strstr(text, "x31337"));
    assert_null(strstr(text, "99"));
    assert_null(strstr(text, "2020-01"));
    root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_integer_value(json_object_get(root, "records")), RECORDS);
    c = find(root, "age");
    assert_string_equal(json_string_value(json_object_get(c, "suggested_role")),
                        "quasi-identifier");
    assert_true(json_is_null(json_object_get(c, "max")));
    assert_true(json_is_null(json_object_get(c, "min")));
    assert_true(json_is_real(json_object_get(c, "mean")));
    assert_true(json_is_real(json_object_get(find(root, "DateOfBirth"), "min")));
    c = find(root, "seen");
    assert_true(json_is_null(json_object_get(c, "mean")));
    assert_int_equal(json_array_size(json_object_get(c, "top")), 0);
    assert_true(json_is_true(json_object_get(c, "sorted")));
    assert_true(json_is_null(json_object_get(c, "hint")));
    c = json_array_get(json_object_get(find(root, "one"), "top"), 0);
    assert_string_equal(json_string_value(json_object_get(c, "value")), "1");
    assert_int_equal(json_integer_value(json_object_get(c, "records")), RECORDS);
    json_decref(root);
    kn_string_free(text);
    kn_profile_free(p);
    kn_dataset_free(ds);
}

/* An identifier that was read without keep_dropped: only its name is known. */
static void test_values_not_kept(void **state)
{
    kn_dataset *ds;
    kn_profile *p;
    char *text;
    (void)state;

    assert_int_equal(kn__dataset_new(&ds, 1, NULL), KN_OK);
    ds->records = 3;
    ds->column[0].name = kn__strdup("who");
    ds->column[0].type = KN_TYPE_CATEGORY;
    ds->column[0].role = KN_ROLE_IDENTIFIER;
    ds->column[0].order = KN_ORDER_ASCENDING;
    assert_int_equal(kn_profile_make(&p, ds, NULL, NULL), KN_OK);
    assert_true(kn_profile_column(p, 0)->sorted);
    assert_int_equal(kn_profile_column(p, 0)->values, 0);
    assert_int_equal(kn_profile_json(&text, p, NULL), KN_OK);
    kn_string_free(text);
    kn_profile_free(p);
    kn_dataset_free(ds);
}

static void test_threads(void **state)
{
    kn_dataset *ds = people(true);
    char *first = NULL;
    (void)state;

    for (size_t i = 0; i < 3; i++) {
        const kn_run run = {.threads = (const unsigned[]){1, 2, 5}[i]};
        kn_profile *p;
        char *text;
        assert_int_equal(kn_profile_make(&p, ds, &run, NULL), KN_OK);
        assert_int_equal(kn_profile_json(&text, p, NULL), KN_OK);
        if (first) {
            assert_string_equal(text, first);
            kn_string_free(text);
        } else {
            first = text;
        }
        kn_profile_free(p);
    }
    kn_string_free(first);
    kn_dataset_free(ds);
}

static void test_allocation_failures(void **state)
{
    kn_dataset *const tables[] = {people(false), people(true)};
    const kn_run run = {.threads = 1};
    (void)state;

    for (size_t i = 0; i < 2; i++) {
        const size_t before = kn_memory_in_use();
        for (size_t n = 1;; n++) {
            kn_profile *p;
            char *text = NULL;
            kn__memory_fail_after(n);
            kn_status status = kn_profile_make(&p, tables[i], &run, NULL);
            if (status == KN_OK) {
                status = kn_profile_json(&text, p, NULL);
            } else {
                assert_null(p);
            }
            const int failed = kn__memory_failed();
            kn__memory_fail_after(0);
            kn_string_free(text);
            kn_profile_free(p);
            assert_int_equal(status, failed ? KN_ENOMEM : KN_OK);
            assert_int_equal(kn_memory_in_use(), before);
            if (!failed) {
                assert_true(n > 20);
                break;
            }
        }
        kn_dataset_free(tables[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_hints),
        cmocka_unit_test(test_declared_missing),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_values_not_kept),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
