/* Table 1 of the models paper, and small tables as datasets. */
#ifndef ORACLE_MORTGAGE_H
#define ORACLE_MORTGAGE_H

#include "kanon/dataset.h"

static const char *const names_1[] = {"Gender", "Married", "Age", "Sports Car", "Loan Risk"};
static const char *const table_1[12][5] = {
    {"Male", "Yes", "Young", "Yes", "good"},  {"Male", "Yes", "Young", "No", "good"},
    {"Male", "Yes", "Young", "Yes", "good"},  {"Male", "Yes", "Old", "Yes", "good"},
    {"Male", "Yes", "Old", "Yes", "bad"},     {"Male", "No", "Old", "Yes", "bad"},
    {"Female", "No", "Young", "No", "good"},  {"Female", "No", "Old", "Yes", "good"},
    {"Female", "No", "Young", "No", "bad"},   {"Female", "Yes", "Young", "No", "bad"},
    {"Female", "Yes", "Young", "Yes", "bad"}, {"Female", "Yes", "Young", "Yes", "bad"},
};

/* `hidden`: a letter a column, p for private. */
static kn_dataset *dataset(const char *const *column, size_t columns, const char *hidden,
                           const char *const *cells, size_t records)
{
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (size_t c = 0; c < columns; c++) {
        assert_int_equal(kn_schema_set_role(schema, column[c],
                                            hidden[c] == 'p' ? KN_ROLE_SENSITIVE : KN_ROLE_QUASI,
                                            NULL),
                         KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, column, columns, schema, NULL), KN_OK);
    for (size_t i = 0; i < records; i++) {
        assert_int_equal(kn_dataset_builder_add(b, cells + i * columns, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

#endif
