/* Small tables and models as texts. */
#ifndef TEST_SMALL_TABLE_H
#define TEST_SMALL_TABLE_H

#include "data/dataset.h"
#include "models/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static kn_dataset *table_of(const char *const *names, const kn_role *roles, const kn_type *types,
                            size_t columns, const char *const *cells, size_t rows)
{
    kn_dataset_builder *b;
    kn_schema *schema;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (size_t i = 0; i < columns; i++) {
        assert_int_equal(kn_schema_set_role(schema, names[i], roles[i], NULL), KN_OK);
        assert_int_equal(kn_schema_set_type(schema, names[i], types[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, names, columns, schema, NULL), KN_OK);
    for (size_t i = 0; i < rows; i++) {
        assert_int_equal(kn_dataset_builder_add(b, cells + i * columns, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static kn_model *parse(const char *text)
{
    kn_model *m;
    kn_error err;

    if (kn_model_parse(&m, "model", text, strlen(text), &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return m;
}

#endif
