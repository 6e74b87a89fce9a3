/* test_people.c - the sample "people" looks like people. */
#include "sample/generate.h"
#include "sample/people_data.h"
#include "sample/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

enum { RECORDS = 120000, COLUMNS = 12 };
enum {
    ID,
    NAME,
    SEX,
    AGE,
    POSTCODE,
    COUNTRY,
    MARITAL,
    EDUCATION,
    OCCUPATION,
    SECTOR,
    INCOME,
    DIAGNOSIS
};

static char path[] = "people_XXXXXX", *text;
static char *(*cell)[COLUMNS];

static int load(void **state)
{
    const kn_run run = {.seed = 11};
    const int fd = mkstemp(path);
    char *line, *names[COLUMNS];
    size_t len, n = 0;

    (void)state;
    if (fd < 0 || close(fd) != 0 ||
        kn__sample_write("people", RECORDS, path, &run, NULL) != KN_OK ||
        !(text = slurp(path, &len)) || unlink(path) != 0 ||
        !(cell = calloc(RECORDS, sizeof *cell)) ||
        split(text, ',', names, COLUMNS, &line) != COLUMNS) {
        return -1;
    }
    for (; line && n < RECORDS; n++) {
        if (split(line, ',', cell[n], COLUMNS, &line) != COLUMNS) {
            return -1;
        }
    }
    return n == RECORDS && !line ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    free(cell);
    free(text);
    return 0;
}

static bool is(size_t record, size_t column, const char *value)
{
    return strcmp(cell[record][column], value) == 0;
}

static int age(size_t record)
{
    return atoi(cell[record][AGE]);
}

/* The share of `value` in `column` among those aged low..high. */
static double share(size_t column, const char *value, int low, int high)
{
    size_t all = 0, with = 0;

    for (size_t i = 0; i < RECORDS; i++) {
        if (age(i) >= low && age(i) <= high) {
            all++;
            with += is(i, column, value);
        }
    }
    assert_true(all > 0);
    return (double)with / (double)all;
}

static double mean_income(size_t column, const char *value, int low, int high)
{
    double sum = 0, n = 0;

    for (size_t i = 0; i < RECORDS; i++) {
        if (age(i) >= low && age(i) <= high && is(i, column, value) && cell[i][INCOME][0]) {
            sum += atof(cell[i][INCOME]);
            n++;
        }
    }
    assert_true(n > 0);
    return sum / n;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void test_identifiers(void **state)
{
    char **ids = malloc(RECORDS * sizeof *ids);
    size_t up = 0;

    (void)state;
    assert_non_null(ids);
    for (size_t i = 0; i < RECORDS; i++) {
        ids[i] = cell[i][ID];
        assert_int_equal(strlen(ids[i]), 11);
        assert_int_equal(strspn(ids[i], "0123456789"), 11);
        assert_non_null(strchr(cell[i][NAME], ' '));
        up += i > 0 && strcmp(ids[i - 1], ids[i]) < 0;
    }
    assert_true(up >= RECORDS * 49 / 100 && up <= RECORDS * 51 / 100); /* in no order */
    qsort(ids, RECORDS, sizeof *ids, by_text);
    for (size_t i = 1; i < RECORDS; i++) {
        assert_string_not_equal(ids[i - 1], ids[i]);
    }
    free(ids);
}

static void test_possible(void **state)
{
    (void)state;
    for (size_t i = 0; i < RECORDS; i++) {
        const int years = age(i);
        assert_true(years <= 100);
        assert_int_equal(strlen(cell[i][POSTCODE]), 5);
        assert_int_equal(strspn(cell[i][POSTCODE], "0123456789"), 5);
        assert_true(years > 17 || is(i, MARITAL, "Never married") || is(i, MARITAL, ""));
        assert_true(years > 11 || is(i, EDUCATION, "No schooling") || is(i, EDUCATION, ""));
        assert_true(years > 21 || !is(i, EDUCATION, "Doctorate"));
        assert_true(years > 5 || is(i, OCCUPATION, "Child") || is(i, OCCUPATION, ""));
        assert_true(years > 15 || is(i, INCOME, "0") || is(i, INCOME, ""));
        assert_true(years > 15 || is(i, SECTOR, "Not working"));
        assert_false(is(i, SEX, "Male") && is(i, DIAGNOSIS, "Pregnancy"));
        assert_false(is(i, SEX, "Female") && is(i, DIAGNOSIS, "Prostate cancer"));
        assert_false(is(i, EDUCATION, "Primary") && is(i, OCCUPATION, "Physician"));
        assert_true(cell[i][DIAGNOSIS][0] && cell[i][SEX][0]);
    }
}

static void test_shapes(void **state)
{
    (void)state;
    assert_true(fabs(share(SEX, "Female", 0, 60) - 0.49) < 0.02);
    assert_true(share(SEX, "Female", 85, 100) > 0.58);
    assert_true(share(SEX, "Other", 0, 100) > 0.0005 && share(SEX, "Other", 0, 100) < 0.004);
    assert_true(share(MARITAL, "Widowed", 80, 100) > 0.2);
    assert_true(share(MARITAL, "Widowed", 20, 40) < 0.01);
    assert_true(share(MARITAL, "Married", 45, 60) > 0.6);
    assert_true(share(OCCUPATION, "Retired", 70, 100) > 0.85);
    assert_true(share(EDUCATION, "Primary", 75, 100) > 0.35);
    assert_true(share(EDUCATION, "Primary", 25, 40) < 0.06);
    assert_true(share(DIAGNOSIS, "Dementia", 85, 100) > 0.04);
    assert_int_equal(share(DIAGNOSIS, "Dementia", 0, 30) > 0, 0);
    assert_true(share(DIAGNOSIS, "Ear infection", 0, 4) > 0.08);
    assert_true(share(COUNTRY, "Greece", 0, 100) > 0.8);
    assert_true(mean_income(EDUCATION, "Doctorate", 40, 55) >
                1.5 * mean_income(EDUCATION, "Upper secondary", 40, 55));
    assert_true(mean_income(EDUCATION, "Bachelor", 45, 55) >
                1.2 * mean_income(EDUCATION, "Bachelor", 25, 28));
    assert_true(mean_income(OCCUPATION, "Director", 30, 60) >
                2 * mean_income(OCCUPATION, "Cleaner", 30, 60));
}

static void test_missing(void **state)
{
    static const size_t some[] = {COUNTRY, MARITAL, EDUCATION, OCCUPATION, INCOME};

    (void)state;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        const double empty = share(some[i], "", 0, 100);
        assert_true(empty > 0.002 && empty < 0.03);
    }
}

/* Income has spikes at round figures, postcodes a few large places and many small ones; rich places
 * earn more. */
static void test_income_and_places(void **state)
{
    char **codes = malloc(RECORDS * sizeof *codes);
    double place_mean[100] = {0}, place_count[100] = {0}, low = 1e9, high = 0;
    size_t thousand = 0, paid = 0, distinct = 0, largest = 0, rare = 0;

    (void)state;
    assert_non_null(codes);
    for (size_t i = 0; i < RECORDS; i++) {
        const int income = atoi(cell[i][INCOME]);
        const int area = (cell[i][POSTCODE][0] - '0') * 10 + cell[i][POSTCODE][1] - '0';
        codes[i] = cell[i][POSTCODE];
        if (income > 0) {
            paid++;
            thousand += income % 1000 == 0;
        }
        if (age(i) > 30 && age(i) < 60 && cell[i][INCOME][0]) {
            place_mean[area] += income;
            place_count[area]++;
        }
        assert_true(income <= 500000);
    }
    assert_true(thousand > paid / 5 && thousand < paid / 2);
    for (size_t i = 0; i < 100; i++) {
        if (place_count[i] > 500) {
            const double mean = place_mean[i] / place_count[i];
            low = mean < low ? mean : low;
            high = mean > high ? mean : high;
        }
    }
    assert_true(high > 1.15 * low);
    qsort(codes, RECORDS, sizeof *codes, by_text);
    for (size_t i = 0, j; i < RECORDS; i = j) {
        for (j = i; j < RECORDS && strcmp(codes[i], codes[j]) == 0; j++) {
        }
        distinct++;
        largest = j - i > largest ? j - i : largest;
        rare += j - i < 50;
    }
    assert_true(distinct >= 1000 && distinct <= 2000);
    /* By the weights of the areas and of the codes within the largest, it has 1.2 % of all. */
    assert_true(largest >= RECORDS / 100 && largest <= RECORDS / 70);
    assert_true(rare > distinct / 5);
    free(codes);
}

/* Half of all people are singled out by sex, age, postcode and occupation: there is something to
 * anonymise. */
static void test_unique(void **state)
{
    char **keys = malloc(RECORDS * sizeof *keys);
    size_t unique = 0;

    (void)state;
    assert_non_null(keys);
    for (size_t i = 0; i < RECORDS; i++) {
        const size_t size = 64;
        keys[i] = malloc(size);
        assert_non_null(keys[i]);
        (void)snprintf(keys[i], size, "%s %s %s %s", cell[i][SEX], cell[i][AGE], cell[i][POSTCODE],
                       cell[i][OCCUPATION]);
    }
    qsort(keys, RECORDS, sizeof *keys, by_text);
    for (size_t i = 0; i < RECORDS; i++) {
        unique += (i == 0 || strcmp(keys[i - 1], keys[i]) != 0) &&
                  (i + 1 == RECORDS || strcmp(keys[i + 1], keys[i]) != 0);
    }
    for (size_t i = 0; i < RECORDS; i++) {
        free(keys[i]);
    }
    assert_true(unique >= RECORDS * 3 / 10 && unique <= RECORDS * 9 / 10);
    free(keys);
}

/* What the code takes for granted about the lists. */
static void test_lists(void **state)
{
    const kn_people_curve *const curves[] = {
        &kn__people_age_curve,        &kn__people_women_curve,     &kn__people_marital_curve[0],
        &kn__people_marital_curve[1], &kn__people_education_curve, &kn__people_status_curve,
        &kn__people_earning_curve};

    (void)state;
    for (size_t i = 0; i < KN_PEOPLE_OCCUPATIONS; i++) {
        assert_non_null(kn__people_occupations[i].value.text);
        assert_true(strlen(kn__people_occupations[i].value.text) <= 24);
        assert_true(kn__people_occupations[i].profile < KN_PEOPLE_SECTOR_PROFILES);
        assert_true(kn__people_occupations[i].women <= 1000);
    }
    assert_string_equal(kn__people_occupations[KN_PEOPLE_JOBS + KN_PEOPLE_RETIRED].value.text,
                        "Retired");
    for (size_t i = 0; i < KN_PEOPLE_DIAGNOSES; i++) {
        assert_non_null(kn__people_diagnoses[i].value.text);
        assert_true(strlen(kn__people_diagnoses[i].value.text) <= 24);
    }
    for (size_t i = 0; i < KN_PEOPLE_COUNTRIES; i++) {
        assert_non_null(kn__people_countries[i].value.text);
    }
    for (size_t i = 0; i < KN_PEOPLE_GIVEN; i++) {
        assert_non_null(kn__people_given[0][i]);
        assert_non_null(kn__people_given[1][i]);
    }
    assert_non_null(kn__people_stems[KN_PEOPLE_STEMS - 1]);
    assert_non_null(kn__people_endings[KN_PEOPLE_ENDINGS - 1]);
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
        const kn_people_curve *c = curves[i];
        assert_int_equal(c->age[0], 0);
        assert_int_equal(c->age[c->knots - 1], KN_PEOPLE_AGES - 1);
        for (size_t k = 0; k < c->knots; k++) {
            unsigned sum = 0;
            assert_true(k == 0 || c->age[k - 1] < c->age[k]);
            for (size_t j = 0; j < c->choices; j++) {
                sum += c->weight[k * c->choices + j];
            }
            assert_true(sum > 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identifiers),
        cmocka_unit_test(test_possible),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_income_and_places),
        cmocka_unit_test(test_unique),
        cmocka_unit_test(test_lists),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
