/* Tests of base/name_list.h: lists of names are cut as they are written, and what is written is cut
 * into the same names. */
#include "base/memory.h"
#include "base/name_list.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_cut(void **state)
{
    static const struct {
        const char *list, *names[4];
    } cases[] = {
        {"age", {"age"}},
        {"age,sex", {"age", "sex"}},
        {" age ,  sex ", {"age", "sex"}},
        {"", {""}},
        {"a,", {"a", ""}},
        {"\"last, first\",age", {"last, first", "age"}},
        {" \"last, first\" , age", {"last, first", "age"}},
        {"\" a\"", {" a"}},
        {"\"a \"\"b\"\"\"", {"a \"b\""}},
        {"\"\"", {""}},
        {"my \"real\" age", {"my \"real\" age"}},
        {"\"real\" age,b", {"\"real\" age", "b"}},
        {"\"a,b", {"\"a", "b"}},
        {"''", {"''"}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char copy[64];
        char *rest = copy;
        size_t count = 0;
        (void)strcpy(copy, cases[i].list);
        for (; rest; count++) {
            const char *name = kn__name_list_cut(&rest);
            assert_true(count < 4 && cases[i].names[count]);
            assert_string_equal(name, cases[i].names[count]);
        }
        assert_null(cases[i].names[count]);
    }
}

static void test_round_trip(void **state)
{
    static const char letters[] = {'a', ',', '"', ' ', '\''};
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 7, 0);
    for (int round = 0; round < 20000; round++) {
        char names[3][8] = {{0}};
        kn_buffer list = {0};
        char *rest;
        for (size_t n = 0; n < 3; n++) {
            const size_t len = kn__rng_below(&rng, 8);
            for (size_t i = 0; i < len; i++) {
                names[n][i] = letters[kn__rng_below(&rng, sizeof letters)];
            }
            kn__buffer_adds(&list, n ? "," : "");
            kn__name_list_add(&list, names[n]);
        }
        assert_false(list.failed);
        rest = list.data;
        for (size_t n = 0; n < 3; n++) {
            assert_non_null(rest);
            assert_string_equal(kn__name_list_cut(&rest), names[n]);
        }
        assert_null(rest);
        kn__buffer_free(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_round_trip),
    };

    return cmocka_run_group_tests_name("base.name_list", tests, NULL, NULL);
}
