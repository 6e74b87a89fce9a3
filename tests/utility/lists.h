/* utility/lists.h - tables of one item list, and a hierarchy for it. */
#ifndef UTILITY_LISTS_H
#define UTILITY_LISTS_H

#include "hierarchy/hierarchy.h"
#include "kanon/dataset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static kn_dataset *lists(kn_type type, const char *const *rows, size_t count)
{
    const char *const name = "items";
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, name, type, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, name, KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_item_separator(schema, " ", NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, &name, 1, schema, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(kn_dataset_builder_add(b, &rows[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static kn_hierarchies *tree(const char *text)
{
    kn_hierarchies *hs;
    kn_hierarchy *h;
    kn_error err = {0};

    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    if (kn__hierarchy_parse(&h, "h", text, strlen(text), &err) != KN_OK) {
        fail_msg("%s\n%s", err.message, text);
    }
    assert_int_equal(kn_hierarchies_add(hs, "items", h, NULL), KN_OK);
    return hs;
}

#endif
