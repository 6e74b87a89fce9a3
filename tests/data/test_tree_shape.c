/* The notation of --tree. */
#include "base/memory.h"
#include "data/tree_shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void parses(void **state)
{
    kn_tree_shape *s;
    kn_error err = {0};

    (void)state;
    if (kn__tree_shape_parse(&s,
                             " customer ( nation ) > { orders[2](price, date(time)) > "
                             "lineitem[3](quantity, part.mfgr as maker), \"pay ments\"(. as sum) }",
                             &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(s->tables, 4);
    assert_int_equal(s->attributes, 7);
    assert_int_equal(s->classes.len, 7);
    assert_string_equal(s->classes.name[3], "time");
    assert_string_equal(s->classes.name[5], "maker");
    assert_string_equal(s->table[0].name, "customer");
    assert_int_equal(s->table[0].limit, KN_NO_LIMIT);
    assert_int_equal(s->table[0].first, 1);
    assert_int_equal(s->table[1].limit, 2);
    assert_int_equal(s->table[1].first, 2);
    assert_int_equal(s->table[1].next, 3);
    assert_string_equal(s->table[3].name, "pay ments");
    assert_int_equal(s->attribute[1].next, 2);
    assert_int_equal(s->attribute[2].first, 3);
    assert_int_equal(s->attribute[5].steps_count, 2);
    assert_string_equal(s->attribute[5].steps[0], "part");
    kn__tree_shape_free(s);
}

static void refuses(void **state)
{
    static const struct {
        const char *notation, *words;
    } cases[] = {
        {"", "character 1: the name of a table"},
        {"a", "no table has an attribute"},
        {"a(b", "character 4: ',' or ')'"},
        {"a(b,)", "character 5: the name of a column"},
        {"a(b) >", "character 7: the name of a table"},
        {"a(b) c", "character 6: the notation should end here"},
        {"a(b, x.b)", "character 6: this class occurs twice"},
        {"a[0](b)", "character 3: a limit is a number"},
        {"a[x](b)", "character 3: a limit is a number"},
        {"a(.)", "the value itself needs a name"},
        {"a(\"b)", "these quotes are not closed"},
        {"a(\"\")", "an empty name"},
        {"a(b as )", "the name of a class is expected"},
        {"a > {b(c), d(e)", "',' or '}'"},
        {"a(b.)", "the name of a column"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t before = kn_memory_in_use();
        kn_tree_shape *s;
        kn_error err = {0};
        assert_int_equal(kn__tree_shape_parse(&s, cases[i].notation, &err), KN_EUSAGE);
        assert_null(s);
        if (!strstr(err.message, cases[i].words)) {
            fail_msg("%s: %s", cases[i].notation, err.message);
        }
        assert_int_equal(kn_memory_in_use(), before);
    }
}

static void limits_depth(void **state)
{
    char deep[1000] = "";
    kn_tree_shape *s;
    kn_error err = {0};

    (void)state;
    for (int i = 0; i < 100; i++) {
        char step[16];
        (void)snprintf(step, sizeof step, "%st%d(c%d)", i ? ">" : "", i, i);
        (void)strcat(deep, step);
    }
    assert_int_equal(kn__tree_shape_parse(&s, deep, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "too deep"));
}

static void survives_failing_allocations(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        const size_t before = kn_memory_in_use();
        kn_tree_shape *s;
        kn_status status;

        kn__memory_fail_after(n);
        status = kn__tree_shape_parse(&s, "a(b, c.d as e(f)) > {g(h), i(. as j)}", NULL);
        kn__memory_fail_after(0);
        kn__tree_shape_free(s);
        assert_int_equal(kn_memory_in_use(), before);
        if (status == KN_OK) {
            break;
        }
        assert_int_equal(status, KN_ENOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses),
        cmocka_unit_test(refuses),
        cmocka_unit_test(limits_depth),
        cmocka_unit_test(survives_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
