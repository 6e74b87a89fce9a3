/* test_json.c - parsing JSON while allocations fail: right, or out of memory. */
#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t left; /* allocations until one fails; 0: none does */
static bool rest;   /* and all after it */

static void *failing_malloc(size_t size)
{
    if (left && --left == 0) {
        left = rest ? 1 : 0;
        return NULL;
    }
    return malloc(size);
}

static const char text[] =
    "{\"columns\": {\"a long name of a column\": {\"role\": \"quasi-identifier\", "
    "\"list\": [1, 2.5, true, null, \"sensitive and long enough to grow\"]}}}";

static void test_failing_memory(void **state)
{
    json_error_t where;
    json_t *whole, *root;

    (void)state;
    assert_int_equal(kn__json_parse(&whole, text, strlen(text), &where, NULL), KN_OK);
    for (int persistent = 0; persistent < 2; persistent++) {
        size_t failed = 0;
        for (size_t n = 1; n < 400; n++) {
            kn_error err = {0};
            kn_status status;
            left = n;
            rest = persistent;
            status = kn__json_parse(&root, text, strlen(text), &where, &err);
            rest = false;
            left = 0;
            if (status == KN_OK) {
                assert_true(json_equal(root, whole));
            } else {
                assert_int_equal(status, KN_ENOMEM);
                assert_int_equal(err.status, KN_ENOMEM);
                assert_null(root);
                failed++;
            }
            json_decref(root);
        }
        assert_true(failed > 10);
    }
    json_decref(whole);
}

static void test_wrong_syntax(void **state)
{
    static const char *const bad[] = {
        "",        "{",        "{\"a\": 1, \"a\": 2}", "[1, 2,]", "[\"\xff\"]",
        "[1e999]", "nonsense", "[\"\\u0000\"] x"};
    json_error_t where;
    json_t *root;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(kn__json_parse(&root, bad[i], strlen(bad[i]), &where, NULL), KN_EINPUT);
        assert_null(root);
        assert_true(where.text[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_memory),
        cmocka_unit_test(test_wrong_syntax),
    };

    json_set_alloc_funcs(failing_malloc, free);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
