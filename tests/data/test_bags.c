/* Several columns that are read as one bag. */
#include "base/memory.h"
#include "data/dataset.h"
#include "data/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "{\"bags\": {\"income\": [\"wages\", \"pension\"]}, \"nulls\": [\"0\"]}";

static kn_schema *schema_of(const char *json)
{
    kn_schema *s;

    assert_int_equal(kn__schema_parse(&s, "test", json, strlen(json), NULL, NULL), KN_OK);
    return s;
}

static kn_status build(const kn_schema *s, const char *const *names, const char *const (*rows)[4],
                       size_t records, kn_dataset **out, kn_error *err)
{
    kn_dataset_builder *b;
    kn_status status = kn_dataset_builder_new(&b, names, 4, s, err);

    *out = NULL;
    for (size_t i = 0; status == KN_OK && i < records; i++) {
        status = kn_dataset_builder_add(b, rows[i], err);
        if (status != KN_OK) {
            kn_dataset_builder_free(b);
        }
    }
    return status == KN_OK ? kn_dataset_builder_finish(out, b, err) : status;
}

static const char *const names[] = {"wages", "age", "pension", "town"};
static const char *const rows[][4] = {{"100", "30", "20.5", "Rome"},
                                      {"0", "40", "100", "Oslo"},
                                      {"100", "50", "100", "Bonn"},
                                      {"0", "60", "", "Kiel"},
                                      {NULL, "61", "7", "Kiel"}};

/* The record's values, "a|b". */
static void list(const kn_dataset *ds, size_t column, size_t record, char *out)
{
    uint32_t codes[8];
    const size_t len = kn_dataset_list(ds, column, record, codes, 8);

    *out = '\0';
    for (size_t i = 0; i < len; i++) {
        size_t text_len;
        const char *value = kn_dataset_value(ds, column, codes[i], &text_len);
        strcat(out, i ? "|" : "");
        strncat(out, value, text_len);
    }
}

static void test_columns_become_one(void **state)
{
    static const char *const wanted[] = {"20.5|100", "100", "100|100", "", "7"};
    kn_schema *s = schema_of(text), *copy;
    kn_dataset *ds;
    const char *reason;
    char line[80];

    (void)state;
    assert_int_equal(kn__schema_copy(&copy, s, NULL), KN_OK);
    kn_schema_free(s);
    assert_int_equal(build(copy, names, rows, 5, &ds, NULL), KN_OK);
    kn_schema_free(copy);
    assert_true(kn__dataset_validate(ds, &reason));
    assert_int_equal(kn_dataset_columns(ds), 3);
    assert_string_equal(kn_dataset_name(ds, 0), "income");
    assert_string_equal(kn_dataset_name(ds, 1), "age");
    assert_string_equal(kn_dataset_name(ds, 2), "town");
    assert_int_equal(kn_dataset_type(ds, 0), KN_TYPE_NUMBERS);
    assert_int_equal(kn_dataset_type(ds, 1), KN_TYPE_INTEGER);
    for (size_t i = 0; i < 5; i++) {
        list(ds, 0, i, line);
        assert_string_equal(line, wanted[i]);
    }
    kn_dataset_free(ds);
}

static void test_words_make_a_bag(void **state)
{
    static const char *const words[][4] = {{"a", "1", "b", "x"}, {"b", "2", "b", "y"}};
    kn_schema *s = schema_of(text);
    kn_dataset *ds;
    char line[80];

    (void)state;
    assert_int_equal(build(s, names, words, 2, &ds, NULL), KN_OK);
    assert_int_equal(kn_dataset_type(ds, 0), KN_TYPE_BAG);
    list(ds, 0, 1, line);
    assert_string_equal(line, "b|b");
    kn_dataset_free(ds);
    /* As a set, the repeat goes. */
    assert_int_equal(kn_schema_set_type(s, "income", KN_TYPE_SET, NULL), KN_OK);
    assert_int_equal(build(s, names, words, 2, &ds, NULL), KN_OK);
    assert_int_equal(kn_dataset_type(ds, 0), KN_TYPE_SET);
    list(ds, 0, 1, line);
    assert_string_equal(line, "b");
    kn_dataset_free(ds);
    kn_schema_free(s);
}

/* A release has the bag and not its columns. */
static void test_made_before(void **state)
{
    static const char *const made[] = {"age", "income", "town", "x"};
    static const char *const there[][4] = {{"30", "[1,2]|7", "Rome", "1"}};
    kn_schema *s = schema_of(text);
    kn_dataset *ds;
    char line[80];

    (void)state;
    assert_int_equal(build(s, made, there, 1, &ds, NULL), KN_OK);
    assert_int_equal(kn_dataset_columns(ds), 4);
    assert_int_equal(kn_dataset_type(ds, 1), KN_TYPE_BAG);
    list(ds, 1, 0, line);
    assert_string_equal(line, "7|[1,2]");
    kn_dataset_free(ds);
    kn_schema_free(s);
}

static void refused(const char *json, const char *word)
{
    kn_schema *s = NULL;
    kn_dataset *ds;
    kn_error err;
    kn_status status = kn__schema_parse(&s, "test", json, strlen(json), NULL, &err);

    if (status == KN_OK) {
        status = build(s, names, rows, 5, &ds, &err);
        kn_schema_free(s);
    }
    assert_true(status == KN_EINPUT || status == KN_EUSAGE);
    assert_non_null(strstr(err.message, word));
}

static void test_refused(void **state)
{
    (void)state;
    refused("{\"bags\": {\"income\": [\"wages\", \"pensions\"]}}", "'pensions'");
    refused("{\"bags\": {\"age\": [\"wages\", \"pension\"]}}", "of that name");
    refused("{\"bags\": {\"a\": [\"wages\"], \"b\": [\"wages\"]}}", "'wages' is in bag 'a'");
    refused("{\"bags\": {\"a\": [\"wages\", \"wages\"]}}", "twice");
    refused("{\"bags\": {\"a\": []}}", "no columns");
    refused("{\"bags\": [\"a\"]}", "must be an object");
    refused("{\"bags\": {\"a\": \"wages\"}}", "lists of columns");
    refused("{\"nulls\": 0}", "a list of texts");
    refused("{\"columns\": {\"a\": {\"type\": \"integer\"}}, \"bags\": {\"a\": [\"wages\"]}}",
            "declared as integer");
}

static void test_no_memory(void **state)
{
    const size_t before = kn_memory_in_use();
    kn_status status = KN_ENOMEM;

    (void)state;
    for (size_t n = 1; status == KN_ENOMEM; n++) {
        kn_schema *s = NULL, *copy = NULL;
        kn_dataset *ds = NULL;
        kn__memory_fail_after(n);
        status = kn__schema_parse(&s, "test", text, strlen(text), NULL, NULL);
        if (status == KN_OK) {
            status = kn__schema_copy(&copy, s, NULL);
        }
        if (status == KN_OK) {
            status = build(copy, names, rows, 5, &ds, NULL);
        }
        kn__memory_fail_after(0);
        if (status == KN_EINPUT) {
            status = KN_ENOMEM; /* the JSON library says so when memory is out */
        }
        kn_dataset_free(ds);
        kn_schema_free(copy);
        kn_schema_free(s);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_int_equal(status, KN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_become_one), cmocka_unit_test(test_words_make_a_bag),
        cmocka_unit_test(test_made_before),        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
