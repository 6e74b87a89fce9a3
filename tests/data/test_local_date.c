/* Local dates: which order of day and month the values show, and that columns of them are dates. */
#include "data/local_date.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "data/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 6 };

static kn_dataset *read_cells(const char *const *cells, size_t count, const char *format,
                              const char *own, kn_type type, kn_status wanted)
{
    static const char *const names[] = {"x"};
    kn_dataset_builder *b;
    kn_schema *schema;
    kn_dataset *ds = NULL;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "x", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "x", type, NULL), KN_OK);
    if (format) {
        assert_int_equal(kn_schema_set_date_format(schema, NULL, format, NULL), KN_OK);
    }
    if (own) {
        assert_int_equal(kn_schema_set_date_format(schema, "x", own, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, names, 1, schema, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(kn_dataset_builder_add(b, &cells[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), wanted);
    kn_schema_free(schema);
    return ds;
}

/* The first value in order, as ISO; "" where the column is text. */
static const struct {
    const char *cells[MOST], *format, *own, *first;
} cases[] = {
    {{"31.12.1980", "1.2.1981"}, NULL, NULL, "1980-12-31"},
    {{"02.01.1981", "01.02.1981"}, NULL, NULL, "1981-01-02"}, /* points: the day comes first */
    {{"12/31/1980", "01/02/1981"}, NULL, NULL, "1980-12-31"},
    {{"31/12/1980", "01/02/1981"}, NULL, NULL, "1980-12-31"},
    {{"1980/12/31", "1981/02/01"}, NULL, NULL, "1980-12-31"},
    {{"31-12-1980", ""}, NULL, NULL, "1980-12-31"},
    {{"01/02/1980", "03/04/1980"}, NULL, NULL, ""},
    {{"01/02/1980", "03/04/1980"}, "DD/MM/YYYY", NULL, "1980-02-01"},
    {{"01/02/1980", "03/04/1980"}, "MM/DD/YYYY", NULL, "1980-01-02"},
    {{"01/02/1980", "03/04/1980"}, "DD/MM/YYYY", "MM/DD/YYYY", "1980-01-02"},
    {{"01/02/1980", "31/04/1980"}, NULL, NULL, ""},                   /* no such day */
    {{"13/01/1980", "02/13/1980"}, NULL, NULL, ""},                   /* two orders */
    {{"31/01/1980", "02/02/1980"}, "MM/DD/YYYY", NULL, "1980-01-31"}, /* the values decide */
    {{"31.01.1980", "02/02/1980"}, NULL, NULL, ""},                   /* two forms */
    {{"31.01.1980", "02/02/1980"}, "DD/MM/YYYY", NULL, "1980-01-31"},
    {{"31.01.80", "02.02.81"}, NULL, NULL, ""},
    {{"31-Jan-1980", "02-Feb-1981"}, NULL, NULL, ""},
    {{"31.01.1980 10:00", "02.02.1981 11:00"}, NULL, NULL, ""},
    {{"31.01.1980", "soon"}, NULL, NULL, ""},
};

static void columns_of_local_dates(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = 0;
        double days = 0;
        kn_dataset *ds;

        while (cases[i].cells[count]) {
            count++;
        }
        ds = read_cells(cases[i].cells, count, cases[i].format, cases[i].own, KN_TYPE_AUTO, KN_OK);
        if (*cases[i].first) {
            assert_int_equal(kn_dataset_type(ds, 0), KN_TYPE_DATE);
            assert_true(kn__date_parse(cases[i].first, 10, &days));
            assert_true(ds->column[0].numbers[0] == days);
        } else {
            assert_int_equal(kn_dataset_type(ds, 0), KN_TYPE_CATEGORY);
        }
        kn_dataset_free(ds);
    }
}

static void what_is_declared(void **state)
{
    static const char *const open[] = {"01/02/1980", "03/04/1980"};

    (void)state;
    assert_null(read_cells(open, 2, NULL, NULL, KN_TYPE_DATE, KN_EINPUT));
    kn_dataset_free(read_cells(open, 2, "DD/MM/YYYY", NULL, KN_TYPE_DATE, KN_OK));
}

static void formats(void **state)
{
    static const char *const bad[] = {"", "dmy", "DD.MM.YY", "DD.YYYY"};
    kn_schema *schema;

    (void)state;
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(kn_schema_set_date_format(schema, NULL, bad[i], NULL), KN_EUSAGE);
    }
    assert_int_equal(kn_schema_set_date_format(NULL, NULL, "DD.MM.YYYY", NULL), KN_EUSAGE);
    assert_int_equal(kn_schema_set_date_format(schema, NULL, NULL, NULL), KN_EUSAGE);
    kn_schema_free(schema);
}

/* The definition: an order fits when all texts are days in it; the values decide when one fits. */
static bool all_fit(int (*days)[3], size_t count, bool day_first)
{
    bool fit = true;

    for (size_t i = 0; i < count; i++) {
        const int day = days[i][day_first ? 0 : 1], month = days[i][day_first ? 1 : 0];
        char iso[16];
        double number;

        (void)snprintf(iso, sizeof iso, "%04d-%02d-%02d", days[i][2], month, day);
        fit = fit && kn__date_parse(iso, 10, &number);
    }
    return fit;
}

static void random_columns(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 11, 0);
    for (size_t round = 0; round < 3000; round++) {
        const size_t count = 1 + kn__rng_below(&rng, MOST);
        const unsigned high = (unsigned)(kn__rng_below(&rng, 2) ? 12 : 28);
        int days[MOST][3];
        char texts[MOST][40];
        const char *cells[MOST];
        bool day_first, month_first;
        kn_dataset *ds;

        for (size_t i = 0; i < count; i++) {
            days[i][0] = 1 + (int)kn__rng_below(&rng, round % 2 ? high : 12);
            days[i][1] = 1 + (int)kn__rng_below(&rng, round % 2 ? 12 : high);
            days[i][2] = 1950 + (int)kn__rng_below(&rng, 50);
            (void)snprintf(texts[i], sizeof texts[i], "%02d/%02d/%04d", days[i][0], days[i][1],
                           days[i][2]);
            cells[i] = texts[i];
        }
        day_first = all_fit(days, count, true);
        month_first = all_fit(days, count, false);
        ds = read_cells(cells, count, NULL, NULL, KN_TYPE_AUTO, KN_OK);
        assert_int_equal(kn_dataset_type(ds, 0) == KN_TYPE_DATE, day_first != month_first);
        for (uint32_t code = 1; day_first != month_first && code < kn_dataset_values(ds, 0);
             code++) {
            assert_true(ds->column[0].numbers[code - 1] <= ds->column[0].numbers[code]);
        }
        kn_dataset_free(ds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_local_dates),
        cmocka_unit_test(what_is_declared),
        cmocka_unit_test(formats),
        cmocka_unit_test(random_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
