/* test_params.c - parameters of a method: names, kinds, ranges, defaults. */
#include "base/catalog_entry.h"
#include "base/memory.h"
#include "base/params.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const kn_param rows[] = {
    {.name = "parts", .kind = KN_PARAM_COUNT, .min = 1, .max = 1000, .standard = 8},
    {.name = "delta", .kind = KN_PARAM_NUMBER, .max = 1, .standard = 0.65},
    {.name = "exact-utility", .kind = KN_PARAM_FLAG},
    {.name = "merge", .kind = KN_PARAM_CHOICE, .choices = "rt|r|t"},
    {.name = "class", .kind = KN_PARAM_COLUMN},
    {.name = "title", .kind = KN_PARAM_TEXT},
    {.name = "known", .kind = KN_PARAM_LIST},
    {.name = "k", .kind = KN_PARAM_COUNT, .min = 1, .max = KN_MOST_COUNT, .typed = true},
};
static const kn_entry entry = {.kind = KN_ENTRY_METHOD, .name = "example", KN_PARAMS(rows)};
static const kn_entry other = {.kind = KN_ENTRY_METHOD, .name = "other", KN_PARAMS(rows)};

static void refused(kn_status status, const kn_error *err, const char *words)
{
    assert_int_equal(status, KN_EUSAGE);
    if (!strstr(err->message, words)) {
        fail_msg("'%s' is not in: %s", words, err->message);
    }
}

static void defaults(void **state)
{
    kn_params bound, *p;
    size_t count = 9;

    (void)state;
    assert_int_equal(kn__params_new(&p, &entry, NULL), KN_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(kn__params_bind(&bound, i ? NULL : p, &entry, NULL), KN_OK);
        assert_int_equal(kn__param_count(&bound, "parts"), 8);
        assert_true(kn__param_number(&bound, "delta") == 0.65);
        assert_false(kn__param_flag(&bound, "exact-utility"));
        assert_int_equal(kn__param_choice(&bound, "merge"), 0);
        assert_true(kn__param_is(&bound, "merge", "rt") && !kn__param_is(&bound, "merge", "r"));
        assert_null(kn__param_text(&bound, "class"));
        assert_null(kn__param_list(&bound, "known", &count));
        assert_int_equal(count, 0);
        assert_false(kn_params_is_set(&bound, "parts"));
    }
    kn_params_free(p);
}

static void what_is_set_is_read(void **state)
{
    static const char *const items[] = {"a", "b", ""};
    const char *const *list;
    char text[] = "income";
    kn_params *p;
    size_t count;

    (void)state;
    assert_int_equal(kn__params_new(&p, &entry, NULL), KN_OK);
    assert_int_equal(kn_params_set_int(p, "parts", 1000, NULL), KN_OK);
    assert_int_equal(kn_params_set_int(p, "delta", 0, NULL), KN_OK);
    assert_true(kn__param_number(p, "delta") == 0 && kn_params_is_set(p, "delta"));
    assert_int_equal(kn_params_set_real(p, "delta", 0.25, NULL), KN_OK);
    assert_int_equal(kn_params_set_bool(p, "exact_utility", true, NULL), KN_OK);
    assert_int_equal(kn_params_set_text(p, "merge", "t", NULL), KN_OK);
    assert_int_equal(kn_params_set_text(p, "class", text, NULL), KN_OK);
    text[0] = 'X';
    assert_int_equal(kn_params_set_list(p, "known", items, 3, NULL), KN_OK);
    assert_int_equal(kn__param_count(p, "parts"), 1000);
    assert_true(kn__param_number(p, "delta") == 0.25);
    assert_true(kn__param_flag(p, "exact-utility"));
    assert_int_equal(kn__param_choice(p, "merge"), 2);
    assert_string_equal(kn__param_text(p, "class"), "income");
    list = kn__param_list(p, "known", &count);
    assert_int_equal(count, 3);
    assert_string_equal(list[1], "b");
    assert_int_equal(kn_params_set_list(p, "known", NULL, 0, NULL), KN_OK);
    (void)kn__param_list(p, "known", &count);
    assert_true(count == 0 && kn_params_is_set(p, "known"));
    assert_int_equal(kn_params_unset(p, "parts", NULL), KN_OK);
    assert_int_equal(kn__param_count(p, "parts"), 8);
    assert_ptr_equal(kn_params_entry(p), &entry);
    kn_params_free(p);
}

static void refusals(void **state)
{
    kn_params bound, *p;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn__params_new(&p, &entry, NULL), KN_OK);
    refused(kn_params_set_int(p, "part", 2, &err), &err,
            "the method 'example' has no parameter 'part'; did you mean 'parts'?");
    refused(kn_params_set_int(p, "zzzzzz", 2, &err), &err, "has no parameter 'zzzzzz'");
    refused(kn_params_set_int(p, "k", 2, &err), &err, "is part of what must hold");
    refused(kn_params_set_int(p, "parts", 0, &err), &err, "parts is 0: give 1 to 1000");
    refused(kn_params_set_int(p, "parts", 1001, &err), &err, "parts is 1001");
    refused(kn_params_set_int(p, "merge", 1, &err), &err, "one of a few words");
    refused(kn_params_set_real(p, "delta", 1.5, &err), &err, "delta is 1.5: give 0 to 1");
    refused(kn_params_set_real(p, "delta", NAN, &err), &err, "delta is ");
    refused(kn_params_set_real(p, "delta", INFINITY, &err), &err, "delta is inf");
    refused(kn_params_set_real(p, "parts", 2, &err), &err, "is a whole number");
    refused(kn_params_set_bool(p, "parts", true, &err), &err, "is a whole number");
    refused(kn_params_set_text(p, "exact-utility", "yes", &err), &err, "is true or false");
    refused(kn_params_set_text(p, "merge", "tr", &err), &err, "choose one of rt|r|t");
    refused(kn_params_set_text(p, "class", "", &err), &err, "the text is empty");
    refused(kn_params_set_list(p, "class", NULL, 0, &err), &err, "is the name of a column");
    refused(kn__params_bind(&bound, p, &other, &err), &err,
            "those of the method 'example', not of 'other'");
    for (size_t i = 0; i < entry.params_count; i++) {
        assert_false(kn_params_is_set(p, rows[i].name));
    }
    kn_params_free(p);
}

static void failed_allocations_change_nothing(void **state)
{
    static const char *const items[] = {"c", "d"};
    const size_t before = kn_memory_in_use();
    kn_params *p;
    size_t count;
    kn_status status = KN_ENOMEM;

    (void)state;
    for (size_t n = 1; status == KN_ENOMEM; n++) {
        kn__memory_fail_after(n);
        status = kn__params_new(&p, &entry, NULL);
        kn__memory_fail_after(0);
        assert_true((status == KN_OK) == (p != NULL));
    }
    assert_int_equal(kn_params_set_list(p, "known", (const char *const[]){"a"}, 1, NULL), KN_OK);
    status = KN_ENOMEM;
    for (size_t n = 1; status == KN_ENOMEM; n++) {
        kn__memory_fail_after(n);
        status = kn_params_set_list(p, "known", items, 2, NULL);
        kn__memory_fail_after(0);
        assert_string_equal(kn__param_list(p, "known", &count)[0], status == KN_OK ? "c" : "a");
        assert_int_equal(count, status == KN_OK ? 2 : 1);
    }
    kn_params_free(p);
    kn_params_free(NULL);
    assert_int_equal(kn_memory_in_use(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(what_is_set_is_read),
        cmocka_unit_test(refusals),
        cmocka_unit_test(failed_allocations_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
