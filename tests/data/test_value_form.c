/* The forms of texts: numbers and dates in local forms. */
#include "data/value_form.h"
#include "data/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void forms_are_recognised(void **state)
{
    static const struct {
        const char *text;
        kn_value_form form;
    } rows[] = {
        {"", KN_FORM_TEXT},
        {"flu", KN_FORM_TEXT},
        {"12", KN_FORM_NUMBER},
        {"-1.5e3", KN_FORM_NUMBER},
        {"7514,88", KN_FORM_LOCAL_NUMBER},
        {"-1,97", KN_FORM_LOCAL_NUMBER},
        {"1.234,56", KN_FORM_LOCAL_NUMBER},
        {"1,234.56", KN_FORM_LOCAL_NUMBER},
        {"1,234,567", KN_FORM_LOCAL_NUMBER},
        {"1 234,5", KN_FORM_LOCAL_NUMBER},
        {"1,2,3", KN_FORM_TEXT},
        {"1,", KN_FORM_TEXT},
        {",5", KN_FORM_TEXT},
        {"12345.678,9", KN_FORM_TEXT},
        {"1980-12-31", KN_FORM_DATE},
        {"31.12.1980", KN_FORM_LOCAL_DATE},
        {"1.2.80", KN_FORM_LOCAL_DATE},
        {"12/31/1980", KN_FORM_LOCAL_DATE},
        {"31-12-1980", KN_FORM_LOCAL_DATE},
        {"1980/12/31", KN_FORM_LOCAL_DATE},
        {"31-Dec-1980", KN_FORM_LOCAL_DATE},
        {"32.12.1980", KN_FORM_TEXT},
        {"13.13.1980", KN_FORM_TEXT},
        {"31.12", KN_FORM_NUMBER},
        {"31.12-1980", KN_FORM_TEXT},
        {"2023-04-04 00:06", KN_FORM_DATE_TIME},
        {"2023-04-04T00:06:30.5Z", KN_FORM_DATE_TIME},
        {"31.12.1980 7:15 PM", KN_FORM_DATE_TIME},
        {"17:05", KN_FORM_TIME_OF_DAY},
        {"2023-04-04 noon", KN_FORM_TEXT},
        {"10.0.0.1", KN_FORM_TEXT},
        {"2010-1", KN_FORM_TEXT},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const kn_value_form found = kn__value_form_of(rows[i].text, strlen(rows[i].text));
        if (found != rows[i].form) {
            fail_msg("'%s' has form %d", rows[i].text, (int)found);
        }
    }
}

static void local_dates_are_days(void **state)
{
    static const struct {
        const char *text;
        kn_date_order order;
        const char *iso; /* NULL: no date */
        bool time;
    } rows[] = {
        {"31.12.1980", KN_DATES_DAY_FIRST, "1980-12-31", false},
        {"1/2/1980", KN_DATES_DAY_FIRST, "1980-02-01", false},
        {"1/2/1980", KN_DATES_MONTH_FIRST, "1980-01-02", false},
        {"1/2/1980", KN_DATES_UNKNOWN, NULL, false},
        {"1980/2/1 10:00", KN_DATES_UNKNOWN, "1980-02-01", true},
        {"1980-02-01", KN_DATES_UNKNOWN, "1980-02-01", false},
        {"30.2.1980", KN_DATES_DAY_FIRST, NULL, false},
        {"1.2.80", KN_DATES_DAY_FIRST, NULL, false},
        {"1-Feb-1980", KN_DATES_DAY_FIRST, NULL, false},
        {"17:05", KN_DATES_DAY_FIRST, NULL, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double days = 0, wanted = 0;
        bool time = false;
        const bool is = kn__local_date_parse(rows[i].text, strlen(rows[i].text), rows[i].order,
                                             &days, &time);
        assert_int_equal(is, rows[i].iso != NULL);
        if (is) {
            assert_true(kn__date_parse(rows[i].iso, 10, &wanted));
            assert_true(days == wanted);
            assert_int_equal(time, rows[i].time);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_recognised),
        cmocka_unit_test(local_dates_are_days),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
