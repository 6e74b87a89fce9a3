/* test_loans.c - the sample "loans": there is something to learn, and not everything can be. */
#include "sample/generate.h"
#include "sample/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

enum { RECORDS = 50000, COLUMNS = 15 };
enum { AGE = 3, HOME = 10, INCOME, SAVINGS, LOAN, RISK };

static char *sample(unsigned threads, size_t *len)
{
    char path[] = "loans_XXXXXX", *text;
    const int fd = mkstemp(path);

    assert_true(fd >= 0 && close(fd) == 0);
    assert_int_equal(kn__sample_write("loans", RECORDS, path,
                                      &(kn_run){.seed = 3, .threads = threads}, NULL),
                     KN_OK);
    text = slurp(path, len);
    assert_non_null(text);
    assert_int_equal(unlink(path), 0);
    return text;
}

static void test_clients(void **state)
{
    size_t len, again, bad = 0, deep = 0, deep_bad = 0, no_income = 0, no_savings = 0, n = 0;
    char *text = sample(2, &len), *same = sample(1, &again), *line, *cell[COLUMNS];

    (void)state;
    assert_int_equal(len, again);
    assert_memory_equal(text, same, len);
    assert_int_equal(split(text, ',', cell, COLUMNS, &line), COLUMNS);
    assert_string_equal(cell[RISK], "risk");
    for (; line; n++) {
        assert_int_equal(split(line, ',', cell, COLUMNS, &line), COLUMNS);
        assert_true(atoi(cell[AGE]) >= 18);
        assert_true(cell[LOAN][0] && cell[HOME][0]);
        no_income += !cell[INCOME][0];
        no_savings += !cell[SAVINGS][0];
        bad += strcmp(cell[RISK], "bad") == 0;
        if (cell[INCOME][0] && atof(cell[LOAN]) > 3 * atof(cell[INCOME])) {
            deep++;
            deep_bad += strcmp(cell[RISK], "bad") == 0;
        }
    }
    assert_int_equal(n, RECORDS);
    assert_true(bad > RECORDS / 7 && bad < RECORDS / 4);
    /* who owes three years' income fails about twice as often as others, not always */
    assert_true(deep > RECORDS / 20);
    assert_true((double)deep_bad / (double)deep > 1.6 * (double)bad / RECORDS);
    assert_true(deep_bad < deep * 3 / 4);
    assert_true(no_income > RECORDS / 100 && no_income < RECORDS / 30);
    assert_true(no_savings > RECORDS / 50 && no_savings < RECORDS / 15);
    free(text);
    free(same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_clients)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
