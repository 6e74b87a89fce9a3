/* The rows of the guarantees: each says all that the other rooms ask of it. */
#include "guarantees/registry.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Its parameters set to what the catalogue gives as an example. */
static kn_guarantee example(const kn_guarantee_row *row)
{
    kn_guarantee g = {.kind = row->kind};

    for (size_t i = 0; i < row->entry.params_count; i++) {
        kn__guarantee_set(&g, row->entry.params[i].name, row->entry.params[i].standard);
    }
    return g;
}

static void test_rows_are_complete(void **state)
{
    size_t count;
    const kn_entry *const *entries = kn__guarantee_entries(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        const kn_guarantee_row *row = kn__guarantee_find(entries[i]->name);
        const kn_guarantee g = example(row);
        json_t *object = json_object();
        kn_buffer b = {0};

        assert_ptr_equal(&row->entry, entries[i]);
        assert_ptr_equal(kn__guarantee_row(row->kind), row);
        assert_non_null(row->entry.method);
        assert_true(row->about != 0);
        assert_true((row->check != NULL) != (row->holds != NULL));
        assert_non_null(row->claim);
        assert_int_equal(row->validate(&g, NULL), KN_OK);
        assert_true(kn_guarantee_asked(&g) > 0);
        row->describe(&b, &g);
        assert_non_null(strstr(b.data, kn_guarantee_parameter(&g)));
        assert_true(row->json(object, &g));
        assert_non_null(json_object_get(object, kn_guarantee_parameter(&g)));
        assert_true(kn__guarantee_met(&g, row->asked(&g), (double)g.k));
        kn__buffer_free(&b);
        json_decref(object);
    }
    assert_null(kn__guarantee_find("k-anonymous"));
    assert_null(kn__guarantee_row((kn_guarantee_kind)99));
}

static void says_achieved(const kn_guarantee *g, double achieved, const char *words)
{
    kn_buffer b = {0};

    kn__say_achieved(&b, g, achieved);
    assert_string_equal(b.data, words);
    kn__buffer_free(&b);
}

static void test_achieved(void **state)
{
    const kn_guarantee k = {.kind = KN_K_ANONYMITY, .k = 5};
    const kn_guarantee lm = {.kind = KN_K_LM_DIVERSITY, .k = 5, .l = 2, .m = 1};
    const kn_guarantee t = {.kind = KN_T_CLOSENESS, .t = 0.2};
    const kn_guarantee c = {.kind = KN_L_DIVERSITY, .l = 2, .diversity = KN_RECURSIVE, .c = 4};

    (void)state;
    says_achieved(&k, 1234, "k = 1,234");
    says_achieved(&k, INFINITY, "k = any");
    says_achieved(&c, INFINITY, "c = unlimited");
    says_achieved(&lm, 2.66666, "l = 2.666"); /* rounded to what surely holds */
    says_achieved(&t, 0.15001, "t = 0.151");
    assert_true(kn__guarantee_met(&lm, 2, 5));
    assert_false(kn__guarantee_met(&lm, 2, 4));
    assert_false(kn__guarantee_met(&lm, 1.9, 5));
    assert_true(kn__guarantee_met(&t, 0.2, NAN));
    assert_false(kn__guarantee_met(&t, 0.21, NAN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_complete),
        cmocka_unit_test(test_achieved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
