/* What an analyst computes of the numbers, against plain loops over the cells; when figures of the
 * original are shown; and which records a report shows. */
#include "report/hospital.h"
#include "base/rng.h"

/* Ages of the hospital, as they are and as they are published: the middle of their range. */
static double age_of(size_t i)
{
    return i >= PUBLISHED ? 97 + (double)(i % 3) : 20 + (double)(i % 57);
}

static double middle_of(size_t i)
{
    return floor(age_of(i) / 20) * 20 + 9.5;
}

static void moments(double (*of)(size_t), size_t count, double *mean, double *deviation)
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < count; i++) {
        sum += of(i);
    }
    *mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        squares += (of(i) - *mean) * (of(i) - *mean);
    }
    *deviation = sqrt(squares / (double)(count - 1));
}

static void test_means(void **state)
{
    double mean, deviation;
    kn_report *r;
    job j;

    (void)state;
    job_open(&j);
    r = report_of(&j);
    assert_int_equal(r->statistics, 1);
    assert_int_equal(r->statistic[0].column, 1);
    assert_true(r->statistic[0].before_known);
    moments(age_of, RECORDS, &mean, &deviation);
    assert_float_equal(r->statistic[0].mean_before, mean, 1e-9);
    assert_float_equal(r->statistic[0].deviation_before, deviation, 1e-9);
    moments(middle_of, PUBLISHED, &mean, &deviation);
    assert_float_equal(r->statistic[0].mean_after, mean, 1e-9);
    assert_float_equal(r->statistic[0].deviation_after, deviation, 1e-9);
    assert_int_equal(r->statistic[0].records_after, PUBLISHED);
    kn_report_free(r);
    job_close(&j);
}

/* Each published range is spread over the bars of the original: all of it, and as much in a bar as
 * the range covers of it. */
static void test_spread(void **state)
{
    const kn_report_column *age;
    double sum = 0;
    kn_report *r;
    job j;

    (void)state;
    job_open(&j);
    r = report_of(&j);
    age = &r->column[1];
    assert_non_null(age->spread.bar);
    assert_true(age->before.binned);
    for (size_t i = 0; i < age->before.count; i++) {
        double expected = 0;
        for (size_t record = 0; record < PUBLISHED; record++) {
            const int low = (int)(middle_of(record) - 9.5);
            for (int years = low; years < low + 20; years++) {
                const size_t slot = kn__ruler_slot(&age->before.ruler, years);
                expected += slot >= age->before.begin[i] && slot < age->before.begin[i + 1] ? 0.05
                                                                                            : 0;
            }
        }
        assert_float_equal(age->spread.bar[i], expected, 1e-6);
        sum += age->spread.bar[i];
    }
    assert_float_equal(sum, PUBLISHED, 1e-6);
    kn_report_free(r);
    job_close(&j);
}

/* Shares of a range sum to 1, whatever the ruler. */
static void test_ruler_shares(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 11, 0);
    for (size_t n = 0; n < 2000; n++) {
        const kn_ruler u = {.whole = n % 2,
                            .step = 1 + (double)kn__rng_below(&rng, 50),
                            .first = (double)kn__rng_below(&rng, 20) - 10,
                            .slots = 1 + kn__rng_below(&rng, KN_REPORT_BARS)};
        const double low = (double)kn__rng_below(&rng, 4000) - 2000;
        const double high = low + (double)kn__rng_below(&rng, 500);
        double sum = 0;
        for (size_t at = 0; at < u.slots; at++) {
            sum += kn__ruler_share(&u, at, low, high);
        }
        assert_float_equal(sum, 1, 1e-9);
    }
}

/* ---- when the original may be compared ---- */

/* `records` people of ages 20, 21, ...; the first `hidden` are published as `*`, or not at all. */
static kn_report *small_report(size_t records, size_t hidden, bool removed, kn_dataset **original,
                               kn_dataset **published, uint32_t *origin)
{
    static const char *const names[] = {"age", "pay"};
    static const kn_guarantee guarantee = {.kind = KN_K_ANONYMITY, .k = 1};
    kn_dataset_builder *a, *b;
    kn_verdict *verdict;
    kn_report *r;
    size_t out = 0;

    assert_int_equal(kn_dataset_builder_new(&a, names, 2, NULL, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 2, NULL, NULL), KN_OK);
    for (size_t i = 0; i < records; i++) {
        char age[16], pay[16];
        (void)snprintf(age, sizeof age, "%zu", 20 + i % 30);
        (void)snprintf(pay, sizeof pay, "%zu", 1000 + 7 * (i % 30) + i % 5);
        assert_int_equal(kn_dataset_builder_add(a, (const char *[]){age, pay}, NULL), KN_OK);
        if (i >= hidden || !removed) {
            assert_int_equal(
                kn_dataset_builder_add(b, (const char *[]){i < hidden ? "*" : age, pay}, NULL),
                KN_OK);
            origin[out++] = (uint32_t)i;
        }
    }
    *original = finish(a);
    *published = finish(b);
    for (size_t i = 0; i < 2; i++) {
        kn_dataset_set_role(*original, i, i ? KN_ROLE_SENSITIVE : KN_ROLE_QUASI, NULL);
        kn_dataset_set_role(*published, i, i ? KN_ROLE_SENSITIVE : KN_ROLE_QUASI, NULL);
    }
    assert_int_equal(kn_check(&verdict, *published, &guarantee, 1, NULL, NULL, NULL), KN_OK);
    assert_int_equal(kn__report_make(&r,
                                     &(kn_report_facts){.original = *original,
                                                        .published = *published,
                                                        .origin = origin,
                                                        .guarantees = &guarantee,
                                                        .guarantees_count = 1,
                                                        .after = verdict},
                                     NULL, NULL),
                     KN_OK);
    kn_verdict_free(verdict);
    return r;
}

static void test_few_changes_stay_hidden(void **state)
{
    static const struct {
        size_t hidden;
        bool removed, age_known, pay_known;
    } cases[] = {{0, false, true, true}, {1, false, false, true}, {4, true, false, false},
                 {5, false, true, true}, {5, true, true, false},  {40, true, true, false},
                 {4, false, false, true}};
    uint32_t origin[60];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kn_dataset *original, *published;
        kn_report *r = small_report(60, cases[i].hidden, cases[i].removed, &original, &published,
                                    origin);
        assert_int_equal(r->statistics, 2);
        assert_int_equal(r->statistic[0].before_known, cases[i].age_known);
        assert_int_equal(r->statistic[1].before_known, cases[i].pay_known);
        assert_int_equal(r->correlations, 1);
        assert_int_equal(!isnan(r->correlation[0].before),
                         cases[i].age_known && cases[i].pay_known);
        assert_true(r->correlation[0].after > 0.9 && r->correlation[0].after <= 1);
        assert_true(isnan(r->statistic[0].mean_before) == !cases[i].age_known);
        kn_report_free(r);
        kn_dataset_free(original);
        kn_dataset_free(published);
    }
}

/* ---- rows ---- */

static void test_rows(void **state)
{
    kn_report *r;
    char *html;
    job j;

    (void)state;
    job_open(&j);
    r = report_of(&j);
    assert_true(r->rows > 0 && r->rows <= 5 && !r->originals);
    for (size_t i = 0; i < r->rows; i++) {
        assert_true(r->row[i].records >= r->rare_below);
        assert_null(r->row[i].before);
    }
    html = html_of(r);
    assert_null(strstr(html, "Confidential"));
    kn__free(html);
    kn_report_free(r);

    j.facts.original_rows = 3;
    r = report_of(&j);
    assert_int_equal(r->rows, 3);
    assert_true(r->originals);
    html = html_of(r);
    assert_non_null(strstr(html, "<b>Confidential:</b> this report shows original records"));
    assert_null(strstr(html, "Zorba")); /* quasi-identifiers only */
    assert_null(strstr(html, "Kuru"));
    kn__free(html);
    for (size_t i = 0; i < r->rows; i++) {
        assert_true(age_of(j.origin[(2 * i + 1) * PUBLISHED / 6]) ==
                    strtod(r->row[i].before[0], NULL));
    }
    kn_report_free(r);
    job_close(&j);
}

/* A report has no line ends in names: rows are found by the names of the table. */
static void test_rows_of_odd_names(void **state)
{
    kn_report *r;
    job j;

    (void)state;
    job_open(&j);
    j.original->column[1].name[1] =
        j.published->column[kn_dataset_find(j.published, "age")].name[1] = '\n';
    r = report_of(&j);
    assert_string_equal(r->column[1].name, "a e");
    assert_true(r->rows > 0);
    assert_non_null(r->row[0].after[0]);
    kn_report_free(r);
    job_close(&j);
}

/* A class that too few records share is not shown, also where k asks for less. */
static void test_small_classes_stay_hidden(void **state)
{
    kn_dataset *original, *published;
    uint32_t origin[60];
    kn_report *r = small_report(60, 4, false, &original, &published, origin);

    (void)state;
    assert_int_equal(r->rows, 0); /* ages are shared by two, `*` by four */
    kn_report_free(r);
    kn_dataset_free(original);
    kn_dataset_free(published);
}

static void test_words_of_the_user(void **state)
{
    kn_report *r;
    json_t *json;
    char *html;
    job j;

    (void)state;
    job_open(&j);
    j.facts.title = "Release <1>";
    j.facts.note = "For the registry & the board";
    j.facts.date = "2026-01-31";
    r = report_of(&j);
    html = html_of(r);
    assert_non_null(strstr(html, "<title>Release &lt;1&gt;</title>"));
    assert_non_null(strstr(html, "<p class=\"title\">Release &lt;1&gt;</p>"));
    assert_non_null(strstr(html, "For the registry &amp; the board"));
    assert_non_null(strstr(html, "out.csv, 2026-01-31</p>"));
    json = json_of(r);
    assert_string_equal(json_string_value(json_object_get(json, "date")), "2026-01-31");
    json_decref(json);
    kn__free(html);
    kn_report_free(r);
    job_close(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_means),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_ruler_shares),
        cmocka_unit_test(test_few_changes_stay_hidden),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_rows_of_odd_names),
        cmocka_unit_test(test_small_classes_stay_hidden),
        cmocka_unit_test(test_words_of_the_user),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
