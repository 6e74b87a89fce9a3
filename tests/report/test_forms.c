/* The three forms of a report: what they say, that they are well-formed, and that they reach their
 * files. */
#include "report/hospital.h"

static void test_html(void **state)
{
    job j;
    kn_report *r;
    char *html;

    (void)state;
    job_open(&j);
    r = report_of(&j);
    html = html_of(r);
    assert_non_null(strstr(html, "By age and city, every person looks like at least "));
    assert_non_null(strstr(html, "<p class=\"badge\">⚠ Holds, with 1 point to settle</p>"));
    assert_non_null(strstr(html, "<code>--accept-point sorted:name</code>"));
    assert_non_null(strstr(html, "✓ holds"));
    assert_non_null(strstr(html, "&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert_non_null(strstr(html, "gout &amp; &quot;more&quot;"));
    assert_non_null(strstr(html, "6 records were suppressed"));
    assert_non_null(strstr(html, "<dd>name</dd>"));
    assert_non_null(strstr(html, "1 rare value"));
    assert_non_null(strstr(html, "patients.csv"));
    assert_null(strstr(html, "secret/folder"));
    assert_non_null(strstr(html, "sorted by name"));
    assert_non_null(strstr(html, "prefers-color-scheme:dark"));
    assert_non_null(strstr(html, "@media print"));
    kn__free(html);
    kn_report_free(r);
    job_close(&j);
}

static json_int_t integer_at(json_t *json, const char *a, const char *b)
{
    json_t *value = json_object_get(json_object_get(json, a), b);

    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static void test_json(void **state)
{
    job j;
    kn_report *r;
    json_t *json, *city, *changes;

    (void)state;
    job_open(&j);
    r = report_of(&j);
    json = json_of(r);
    check_keys(
        json,
        "schema_version version summary job seed input output guarantee satisfied "
        "verdict points achieved violations "
        "violations_total method records left_out utility risk as_a_whole class_sizes rare_below columns "
        "changes statistics correlations rows title note date warnings "
        "phases peak_memory_bytes");
    assert_int_equal(json_integer_value(json_object_get(json, "schema_version")), 1);
    assert_int_equal(json_integer_value(json_object_get(json, "seed")), 7);
    assert_true(json_is_true(json_object_get(json, "satisfied")));
    assert_int_equal(json_array_size(json_object_get(json, "violations")), 0);
    check_keys(json_object_get(json, "input"), "path rows sha256");
    assert_int_equal(integer_at(json, "input", "rows"), RECORDS);
    assert_int_equal(integer_at(json, "output", "rows"), PUBLISHED);
    assert_int_equal(integer_at(json, "records", "suppressed"), RECORDS - PUBLISHED);
    check_keys(json_object_get(json, "achieved"), "k l");
    assert_int_equal(integer_at(json, "achieved", "k"),
                     (json_int_t)kn_verdict_achieved(j.after, 0));
    assert_float_equal(json_number_value(json_object_get(json_object_get(json, "utility"), "loss")),
                       kn_measures_value(j.measures, "loss", NULL), 1e-9);
    check_keys(json_object_get(json, "risk"), "before after");
    check_keys(
        json_object_get(json_object_get(json, "risk"), "after"),
        "records classes prosecutor_max prosecutor_mean journalist_max journalist_mean marketer "
        "unique_records threshold share_above_threshold");
    assert_true(json_is_null(json_object_get(
        json_object_get(json_object_get(json, "risk"), "after"), "journalist_max")));
    assert_int_equal(json_array_size(json_object_get(json, "columns")), 5);
    check_keys(json_array_get(json_object_get(json, "columns"), 0),
               "name role chosen type published");
    city = json_array_get(json_object_get(json, "columns"), 2);
    check_keys(city,
               "name role chosen type published values_before values_after utility before after");
    assert_int_equal(integer_at(json_object_get(city, "before"), "rare", "values"), 1);
    assert_int_equal(integer_at(json_object_get(city, "before"), "rare", "records"), 3);
    check_keys(json_array_get(json_object_get(json, "columns"), 3),
               "name role chosen type published values_before values_after after");
    check_keys(json_array_get(json_object_get(json, "columns"), 4),
               "name role chosen type published values_before values_after");
    changes = json_array_get(json_object_get(json, "changes"), 1);
    check_keys(changes, "column known uniform same_records generalised_records suppressed_records "
                        "generalisations more rare");
    assert_int_equal(json_integer_value(json_object_get(changes, "same_records")), 57);
    assert_int_equal(json_integer_value(json_object_get(changes, "suppressed_records")), 57);
    assert_int_equal(json_array_size(json_object_get(changes, "generalisations")), 1);
    check_keys(json_array_get(json_object_get(json, "phases"), 0), "name seconds");
    json_decref(json);
    kn_report_free(r);
    job_close(&j);
}

static void test_big_seed_and_nan(void **state)
{
    job j;
    kn_report *r;
    json_t *json;

    (void)state;
    job_open(&j);
    j.facts.seed = UINT64_MAX;
    j.facts.measures = NULL;
    r = report_of(&j);
    r->risk_after.marketer = NAN;
    json = json_of(r);
    assert_string_equal(json_string_value(json_object_get(json, "seed")), "18446744073709551615");
    assert_true(json_is_null(
        json_object_get(json_object_get(json_object_get(json, "risk"), "after"), "marketer")));
    assert_true(isnan(kn_report_utility(r, "loss")));
    json_decref(json);
    kn_report_free(r);
    job_close(&j);
}

/* ---- text ---- */

static void test_text(void **state)
{
    job j;
    kn_report *r;
    char *text;

    (void)state;
    job_open(&j);
    r = report_of(&j);
    assert_int_equal(kn_report_text(&text, r, NULL), KN_OK);
    assert_non_null(strstr(text, "guarantee   k-anonymity with k = 5: achieved k = "));
    assert_non_null(strstr(text, "            distinct l-diversity with l = 2: achieved l = "));
    assert_non_null(strstr(text, "\nmethod      flash\n"));
    assert_non_null(strstr(text, "\nrecords     120 in, 114 out, 6 suppressed (5 %, removed)\n"));
    assert_non_null(strstr(text, "\nloss        0."));
    assert_non_null(strstr(text, "\nrisk, most  100 % -> "));
    kn__free(text);
    kn_report_free(r);
    job_close(&j);
}

static void said(void (*say)(kn_buffer *b, double x), double x, const char *expected)
{
    kn_buffer b = {0};

    say(&b, x);
    assert_string_equal(b.data, expected);
    kn__buffer_free(&b);
}

static void two_decimals(kn_buffer *b, double x)
{
    kn__say_number(b, x, 2);
}

static void test_numbers(void **state)
{
    /* Where such a locale is installed, numbers must not follow it. */
    const char *german = setlocale(LC_NUMERIC, "de_DE.UTF-8");

    (void)state;
    (void)german;
    said(two_decimals, 1234567.891, "1,234,567.89");
    said(two_decimals, -0.005, "−0.01");
    said(two_decimals, -0.001, "0.00");
    said(two_decimals, 0.999, "1.00");
    said(two_decimals, NAN, "–");
    said(two_decimals, 1e21, "1,000,000,000,000,000,000,000");
    said(kn__say_share, 0.1234, "12.3 %");
    said(kn__say_share, 1, "100 %");
    said(kn__say_share, 0.9999, "over 99.9 %");
    said(kn__say_share, 0.0001, "under 0.1 %");
    said(kn__say_share, 0, "0 %");
    said(kn__say_share, NAN, "–");
    said(kn__say_measure, 0.28031, "0.2803");
    said(kn__say_measure, 812345678, "812,345,678");
    said(kn__say_measure, 87.345, "87.35");
    said(kn__say_measure, 0, "0");
    said(kn__say_measure, 0.001, "0.0010");
    said(kn__say_measure, 0.000987, "0.00099");
    said(kn__say_measure, 0.00002345, "0.000023");
    said(kn__say_measure, 1.5e-9, "0.0000000015");
    said(kn__say_seconds, 0.0001, "under 0.001 s");
    said(kn__say_seconds, 12.345, "12.3 s");
    setlocale(LC_NUMERIC, "C");
}

/* ---- files ---- */

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);

    assert_non_null(f);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    (void)fclose(f);
    return text;
}

static void test_write(void **state)
{
    job j;
    kn_report *r;
    kn_error err;
    char *text, *expected;

    (void)state;
    job_open(&j);
    r = report_of(&j);
    assert_int_equal(kn_report_write(r, "report-test.json", &err), KN_OK);
    assert_int_equal(kn_report_write(r, "report-test.html", &err), KN_OK);
    text = slurp("report-test.json");
    assert_int_equal(kn_report_json(&expected, r, NULL), KN_OK);
    assert_string_equal(text, expected);
    free(text);
    kn__free(expected);
    text = slurp("report-test.html");
    check_well_formed(text);
    free(text);
    assert_int_equal(unlink("report-test.json"), 0);
    assert_int_equal(unlink("report-test.html"), 0);
    assert_int_equal(kn_report_write(r, "report-test.pdf", &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, ".json or .html"));
    assert_int_equal(access("report-test.pdf", F_OK), -1);
    assert_int_not_equal(kn_report_write(r, "no-such-folder/r.json", &err), KN_OK);
    kn_report_free(r);
    job_close(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_html),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_big_seed_and_nan),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_write),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
