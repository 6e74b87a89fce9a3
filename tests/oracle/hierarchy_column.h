/* oracle/hierarchy_column.h - a dataset of one column from a list of texts, for tests. */
#ifndef KN_TESTS_HIERARCHY_COLUMN_H
#define KN_TESTS_HIERARCHY_COLUMN_H

#include "data/dataset.h"

/** `texts` ends with NULL; a text "" is missing. */
static inline kn_dataset *column_of(kn_type type, const char *const *texts)
{
    const char *const names[] = {"c"};
    kn_schema *schema = NULL;
    kn_dataset_builder *b = NULL;
    kn_dataset *ds = NULL;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "c", type, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "c", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 1, schema, NULL), KN_OK);
    for (; *texts; texts++) {
        assert_int_equal(kn_dataset_builder_add(b, texts, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

#define COLUMN(type, ...) column_of(type, (const char *const[]){__VA_ARGS__, NULL})

static inline uint32_t code_of(const kn_dataset *ds, const char *text)
{
    const uint32_t code = kn__dict_find(ds->column[0].dict, text, strlen(text));

    assert_int_not_equal(code, KN_NO_CODE);
    return code;
}

#endif
