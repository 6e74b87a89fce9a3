/* test_version.c - the version is the header's, and every optional feature is in one list. */
#include "kanon/version.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int holds(const char *const *list, const char *name)
{
    int found = 0;

    for (size_t i = 0; list[i]; i++) {
        found += strcmp(list[i], name) == 0;
    }
    return found;
}

static void test_version(void **state)
{
    (void)state;
    assert_string_equal(kn_version(), KN_VERSION);
}

static void test_features(void **state)
{
    static const char *const known[] = {"gzip", "zstd", "sqlite", "geos"};
    size_t listed = 0;

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(holds(kn_features(), known[i]) + holds(kn_features_missing(), known[i]),
                         1);
    }
    for (size_t i = 0; kn_features()[i]; i++) {
        listed++;
    }
    for (size_t i = 0; kn_features_missing()[i]; i++) {
        listed++;
    }
    assert_int_equal(listed, sizeof known / sizeof *known);
}

static void test_features_follow_the_build(void **state)
{
    (void)state;
#ifdef KN_HAVE_ZLIB
    assert_int_equal(holds(kn_features(), "gzip"), 1);
#else
    assert_int_equal(holds(kn_features_missing(), "gzip"), 1);
#endif
#ifdef KN_HAVE_ZSTD
    assert_int_equal(holds(kn_features(), "zstd"), 1);
#else
    assert_int_equal(holds(kn_features_missing(), "zstd"), 1);
#endif
#ifdef KN_HAVE_SQLITE
    assert_int_equal(holds(kn_features(), "sqlite"), 1);
#else
    assert_int_equal(holds(kn_features_missing(), "sqlite"), 1);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_features_follow_the_build),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
