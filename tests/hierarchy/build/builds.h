/* hierarchy/build/builds.h - what tests of built hierarchies share: build and compare the rows, or
 * be refused. Include cmocka before. */
#ifndef KN_TESTS_HIERARCHY_BUILD_BUILDS_H
#define KN_TESTS_HIERARCHY_BUILD_BUILDS_H

#include "hierarchy/domain.h"
#include "hierarchy/hierarchy.h"

#include <string.h>

/* Build over `ds`, which is freed, and compare the rows; they must also read back and cover the
 * column. */
static inline void builds(kn_dataset *ds, kn_build_options options, const char *expected)
{
    kn_hierarchy *h = NULL, *again = NULL;
    kn_buffer out = {0};
    kn_error err = {0};
    kn_domain *d = NULL;
    const char *reason = "";

    if (kn_hierarchy_build(&h, ds, 0, &options, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    if (!kn__hierarchy_validate(h, &reason)) {
        fail_msg("%s", reason);
    }
    assert_int_equal(kn__hierarchy_format(h, &out, NULL), KN_OK);
    if (expected) {
        assert_string_equal(out.data, expected);
    }
    if (kn__hierarchy_parse(&again, "again", out.data, out.len, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(kn_hierarchy_covers(again, ds, 0, &err), KN_OK);
    assert_int_equal(kn__domain_new(&d, &ds->column[0], h, KN_UNCOVERED_ERROR, &err), KN_OK);
    assert_true(kn__domain_validate(d, &reason));
    kn__domain_free(d);
    kn__buffer_free(&out);
    kn_hierarchy_free(h);
    kn_hierarchy_free(again);
    kn_dataset_free(ds);
}

static inline void refuses(kn_dataset *ds, kn_build_options options, kn_status status,
                           const char *words)
{
    kn_hierarchy *h = NULL;
    kn_error err = {0};

    assert_int_equal(kn_hierarchy_build(&h, ds, 0, &options, &err), status);
    assert_null(h);
    if (!strstr(err.message, words)) {
        fail_msg("\"%s\" is not in \"%s\"", words, err.message);
    }
    kn_dataset_free(ds);
}

#endif
