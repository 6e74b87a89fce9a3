/* Numbers with a decimal comma: which columns are read as numbers, and that the numbers are right.
 */
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static kn_dataset *read_cells(const char *const *cells, size_t count, char mark, kn_type type)
{
    static const char *const names[] = {"x"};
    kn_dataset_builder *b;
    kn_schema *schema;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "x", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_decimal(schema, mark, NULL), KN_OK);
    if (type != KN_TYPE_AUTO) {
        assert_int_equal(kn_schema_set_type(schema, "x", type, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, names, 1, schema, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(kn_dataset_builder_add(b, &cells[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

/* Up to five cells; NULL ends them. `number` is what the first one means, NaN: it stays text. */
static const struct {
    const char *cells[5];
    char mark;
    double number;
} cases[] = {
    {{"1,5", "2", NULL}, '\0', 1.5},
    {{"-1,5", "+2,25", NULL}, '\0', -1.5},
    {{"1.234,50", "7", NULL}, '\0', 1234.5},
    {{"1234,567", "7", NULL}, '\0', 1234.567}, /* no thousands: four digits before the comma */
    {{"1,5", "", NULL}, '\0', 1.5},            /* missing */
    {{"1,234", "5,678", NULL}, '\0', NAN},     /* thousands, or decimals? */
    {{"1,234", "5,678", NULL}, ',', 1.234},
    {{"1,5", "2,5", NULL}, '.', NAN},
    {{"1,5", "2.5", NULL}, '\0', NAN},
    {{"1,5", "2.5", NULL}, ',', NAN}, /* 2.5 is no number there */
    {{"1,5", "2.500", NULL}, ',', 1.5},
    {{"1,5", "2.500", NULL}, '\0', NAN}, /* 2.5 or 2500? */
    {{"1,5", "n/a", NULL}, ',', NAN},
    {{"01,5", "02,5", NULL}, '\0', NAN}, /* codes */
    {{"0,5", "0", NULL}, '\0', 0.5},
    {{"1,", "2,5", NULL}, ',', NAN},
    {{",5", "2,5", NULL}, ',', NAN},
    {{"1,5,2", "2,5", NULL}, ',', NAN},
    {{"12.34,5", "2,5", NULL}, ',', NAN},
    {{"1234.567,5", "2,5", NULL}, ',', NAN},
    {{"5", "7", NULL}, ',', 5},
    {{"flu", "2,5", NULL}, ',', NAN},
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = 0;
        while (cases[i].cells[count]) {
            count++;
        }
        kn_dataset *ds = read_cells(cases[i].cells, count, cases[i].mark, KN_TYPE_AUTO);
        const kn_column *c = &ds->column[0];
        if (isnan(cases[i].number)) {
            assert_int_equal(c->type, KN_TYPE_CATEGORY);
        } else {
            assert_true(kn__type_is_number(c->type));
            assert_true(c->numbers[kn__column_code(c, 0)] == cases[i].number);
        }
        kn_dataset_free(ds);
    }
}

static void test_declared(void **state)
{
    static const char *const cells[] = {"1,5", "2,5"};
    kn_dataset *ds = read_cells(cells, 2, '\0', KN_TYPE_DECIMAL);

    (void)state;
    assert_true(ds->column[0].numbers[kn__column_code(&ds->column[0], 1)] == 2.5);
    kn_dataset_free(ds);
    ds = read_cells(cells, 2, '\0', KN_TYPE_CATEGORY);
    assert_int_equal(ds->column[0].type, KN_TYPE_CATEGORY);
    assert_int_equal(ds->notes_count, 0);
    kn_dataset_free(ds);
}

/* Random amounts, written as people do, mean what they did. */
static void test_amounts(void **state)
{
    enum { AMOUNTS = 500 };
    static char text[AMOUNTS][32];
    const char *cells[AMOUNTS];
    double amount[AMOUNTS];
    kn_rng rng;
    kn_dataset *ds;

    (void)state;
    kn__rng_seed(&rng, 5, 0);
    for (size_t i = 0; i < AMOUNTS; i++) {
        const unsigned whole = (unsigned)kn__rng_below(&rng, 3000000),
                       cents = (unsigned)kn__rng_below(&rng, 100);
        amount[i] = whole + cents / 100.0;
        if (i % 2 && whole >= 1000000) {
            (void)snprintf(text[i], sizeof text[i], "%u.%03u.%03u,%02u", whole / 1000000,
                           whole / 1000 % 1000, whole % 1000, cents);
        } else if (i % 2 && whole >= 1000) {
            (void)snprintf(text[i], sizeof text[i], "%u.%03u,%02u", whole / 1000, whole % 1000,
                           cents);
        } else {
            (void)snprintf(text[i], sizeof text[i], "%u,%02u", whole, cents);
        }
        cells[i] = text[i];
    }
    ds = read_cells(cells, AMOUNTS, '\0', KN_TYPE_AUTO);
    assert_int_equal(ds->column[0].type, KN_TYPE_DECIMAL);
    assert_int_equal(ds->notes_count, 1);
    for (size_t i = 0; i < AMOUNTS; i++) {
        assert_float_equal(ds->column[0].numbers[kn__column_code(&ds->column[0], i)], amount[i],
                           1e-9);
    }
    kn_dataset_free(ds);
}

static void test_out_of_memory(void **state)
{
    static const char *const names[] = {"x"};
    bool failed = true;

    (void)state;
    for (size_t n = 1; failed; n++) {
        kn_dataset_builder *b;
        kn_dataset *ds = NULL;
        kn_status status;
        assert_int_equal(kn_dataset_builder_new(&b, names, 1, NULL, NULL), KN_OK);
        for (size_t i = 0; i < 20; i++) {
            char cell[16];
            (void)snprintf(cell, sizeof cell, "%zu,5", i);
            assert_int_equal(kn_dataset_builder_add(b, (const char *[]){cell}, NULL), KN_OK);
        }
        kn__memory_fail_after(n);
        status = kn_dataset_builder_finish(&ds, b, NULL);
        failed = kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(status, failed ? KN_ENOMEM : KN_OK);
        kn_dataset_free(ds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_declared),
        cmocka_unit_test(test_amounts),
        cmocka_unit_test(test_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
