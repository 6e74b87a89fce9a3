/* test_merge.c - one hierarchy for item columns that were put together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "hierarchy/hierarchy.h"

static const char codes[] = "1;low;*\n2;low;*\n7;high;*\n";
static const char drugs[] = "1;low;any\n9;low;any\n";

static void add(kn_hierarchies *hs, const char *column, const char *text)
{
    kn_hierarchy *h = NULL;

    assert_int_equal(kn__hierarchy_parse(&h, column, text, strlen(text), NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, column, h, NULL), KN_OK);
}

static kn_hierarchies *two(void)
{
    kn_hierarchies *hs = NULL;

    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    add(hs, "code", codes);
    add(hs, "drug", drugs);
    return hs;
}

/* The labels from leaf `label` to the root. */
static void path_is(const kn_hierarchy *h, const char *label, const char *wanted)
{
    uint32_t node = kn__dict_find(h->leaf, label, strlen(label));
    char path[200];

    assert_int_not_equal(node, KN_NO_CODE);
    strcpy(path, kn__hierarchy_label(h, node));
    while (h->parent[node] != node) {
        node = h->parent[node];
        strcat(strcat(path, ";"), kn__hierarchy_label(h, node));
    }
    assert_string_equal(path, wanted);
}

static const char *const parts[] = {"code", "sex", "drug"};

static void test_labels(void **state)
{
    kn_hierarchies *hs = two();
    const kn_hierarchy *h;
    const char *reason = "";

    (void)state;
    assert_int_equal(kn_hierarchies_put_together(hs, "items", parts, 3, NULL), KN_OK);
    h = kn_hierarchies_get(hs, "items");
    assert_non_null(h);
    assert_true(kn__hierarchy_validate(h, &reason));
    assert_int_equal(h->leaves, 5);
    assert_int_equal(h->levels, 4);
    path_is(h, "code:1", "code:1;code:low;code:*;*");
    path_is(h, "code:7", "code:7;code:high;code:*;*");
    path_is(h, "drug:1", "drug:1;drug:low;drug:any;*");
    assert_string_equal(h->name, "code + drug");
    /* The parts stay; what is there is not made again. */
    assert_int_equal(kn_hierarchies_put_together(hs, "code", parts, 3, NULL), KN_OK);
    assert_int_equal(kn_hierarchy_leaves(kn_hierarchies_get(hs, "code")), 3);
    /* Nothing to make it of. */
    assert_int_equal(kn_hierarchies_put_together(hs, "none", &parts[1], 1, NULL), KN_OK);
    assert_null(kn_hierarchies_get(hs, "none"));
    kn_hierarchies_free(hs);
}

static void test_ranges_are_refused(void **state)
{
    kn_hierarchies *hs = two();
    kn_hierarchy *h = (kn_hierarchy *)kn_hierarchies_get(hs, "code");
    kn_error err;

    (void)state;
    h->low = kn__malloc_array(h->leaves, sizeof *h->low);
    assert_non_null(h->low);
    assert_int_equal(kn_hierarchies_put_together(hs, "items", parts, 3, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "its values are ranges"));
    assert_null(kn_hierarchies_get(hs, "items"));
    kn_hierarchies_free(hs);
}

static void test_no_memory(void **state)
{
    kn_hierarchies *hs = two();
    kn_status status = KN_ENOMEM;

    (void)state;
    for (size_t n = 1; status == KN_ENOMEM; n++) {
        kn__memory_fail_after(n);
        status = kn_hierarchies_put_together(hs, "items", parts, 3, NULL);
        kn__memory_fail_after(0);
        assert_int_equal(kn_hierarchies_get(hs, "items") != NULL, status == KN_OK);
    }
    assert_int_equal(status, KN_OK);
    kn_hierarchies_free(hs);
    assert_int_equal(kn_memory_in_use(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_ranges_are_refused),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
