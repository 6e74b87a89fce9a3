/* The forms of a sweep: what they say of each value, that they are well-formed, and that nothing of
 * identifiers is in them. */
#include "report/hospital.h"
#include "report/html/html.h"
#include "report/sweep.h"
#include "utility/utility.h"

/* Three values of delta, the second of which cannot be met. With `both`, losses of a table and of
 * its items. */
static kn_sweep *sweep_of(job *j, bool both, bool released)
{
    static const char *const parameters[] = {"delta"};
    const kn_sweep_facts facts = {.parameters = parameters,
                                  .parameters_count = 1,
                                  .job_json = j->facts.job_json,
                                  .method = "rum<bound",
                                  .input_path = "secret/folder/patients.csv",
                                  .original = j->original,
                                  .seed = 7,
                                  .released = released};
    static const char *const values[] = {"0.1", "0.25", "0.4"};
    kn_sweep *s;

    assert_int_equal(kn__sweep_new(&s, &facts, NULL), KN_OK);
    for (size_t i = 0; i < 3; i++) {
        kn_report *r = NULL;
        if (i != 1) {
            if (both) {
                assert_int_equal(
                    kn__measures_add(j->measures, "relational_ncp", i ? 0.31 : 0.08, NULL), KN_OK);
                assert_int_equal(kn__measures_add(j->measures, "items_ncp", i ? 0.12 : 0.62, NULL),
                                 KN_OK);
            }
            r = report_of(j);
            kn_measures_free(j->measures);
            assert_int_equal(kn_measure(&j->measures, j->original, j->published, j->origin, NULL,
                                        NULL, NULL),
                             KN_OK);
            j->facts.measures = j->measures;
        }
        assert_int_equal(kn__sweep_add(s, &values[i], r,
                                       r ? NULL : "delta = 0.25 is out of reach: <at least 0.3>",
                                       0.5, NULL),
                         KN_OK);
    }
    return s;
}

static char *form(const kn_sweep *s, kn_status (*make)(char **, const kn_sweep *, kn_error *))
{
    char *text;

    assert_int_equal(make(&text, s, NULL), KN_OK);
    assert_null(strstr(text, "Zorba"));
    return text;
}

static size_t times(const char *text, const char *word)
{
    size_t count = 0;

    for (const char *at = text; (at = strstr(at, word)); at++) {
        count++;
    }
    return count;
}

static void test_text(void **state)
{
    job j;
    kn_sweep *s;
    char *text;

    (void)state;
    job_open(&j);
    s = sweep_of(&j, true, false);
    assert_string_equal(kn_sweep_parameter(s), "delta");
    assert_int_equal(kn_sweep_values(s), 3);
    assert_int_equal(kn_sweep_worked(s), 2);
    assert_string_equal(kn_sweep_value(s, 2), "0.4");
    assert_null(kn_sweep_report(s, 1));
    assert_non_null(strstr(kn_sweep_reason(s, 1), "out of reach"));
    assert_float_equal(kn_report_utility(kn_sweep_report(s, 2), "items_ncp"), 0.12, 1e-12);
    text = form(s, kn_sweep_text);
    assert_non_null(
        strstr(text, "2 of 3 values of delta can be met (method rum<bound, 120 records"));
    assert_non_null(strstr(text, "0.0800  0.6200"));
    assert_non_null(strstr(text, "0.3100  0.1200"));
    assert_non_null(strstr(text, "infeasible"));
    assert_non_null(strstr(text, "\ndelta = 0.25: delta = 0.25 is out of reach"));
    /* Said of all that work, so once and of no value. */
    assert_int_equal(times(text, "random order: --shuffle. Or accept it: --accept-point "
                                 "sorted:name\n"),
                     1);
    assert_null(strstr(text, "delta = 0.1, 0.4"));
    assert_null(strstr(text, "release:"));
    kn__free(text);
    kn_sweep_free(s);
    s = sweep_of(&j, false, true);
    text = form(s, kn_sweep_text);
    assert_int_equal(times(text, "release: public/out.csv"), 2);
    assert_int_equal(times(text, "publish one of these releases at most"), 1);
    kn__free(text);
    kn_sweep_free(s);
    job_close(&j);
}

static void test_warnings_of_some(void **state)
{
    static const char *const wanted[] = {"delta = 0.1: ", "delta = 0.4: "};
    job j;
    kn_sweep *s;
    kn_buffer words = {0};
    size_t count = 0;

    (void)state;
    job_open(&j);
    s = sweep_of(&j, false, false);
    for (size_t i = 0; i < 3; i += 2) {
        kn_report *r = s->rows[i].report;
        kn__free(r->warnings);
        r->warnings = kn__zalloc(sizeof *r->warnings);
        assert_non_null(r->warnings);
        r->warnings[0] = kn__strdup(i ? "quite another" : "something else");
        r->warnings_count = 1;
    }
    for (size_t found = 0; kn__say_sweep_warning(&words, s, count); count++) {
        if (strstr(words.data, "quite another") || strstr(words.data, "something else")) {
            assert_true(strncmp(words.data, wanted[found], strlen(wanted[found])) == 0);
            found++;
        } else {
            assert_null(strstr(words.data, "delta = "));
        }
        words.len = 0;
    }
    assert_int_equal(count, 3); /* and sorted:name, of both */
    kn__buffer_free(&words);
    kn_sweep_free(s);
    job_close(&j);
}

static void test_json(void **state)
{
    job j;
    kn_sweep *s;
    json_t *json, *rows, *row;
    char *text;

    (void)state;
    job_open(&j);
    s = sweep_of(&j, true, false);
    text = form(s, kn_sweep_json);
    json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    check_keys(
        json,
        "schema_version version summary job seed input method parameter parameters title note date "
        "feasible sweep "
        "peak_memory_bytes");
    assert_int_equal(json_integer_value(json_object_get(json, "schema_version")), 1);
    rows = json_object_get(json, "sweep");
    assert_int_equal(json_array_size(rows), 3);
    row = json_array_get(rows, 0);
    check_keys(
        row,
        "value values feasible reason seconds output guarantee satisfied verdict points "
        "achieved violations violations_total method records left_out utility risk warnings phases");
    assert_float_equal(json_number_value(json_object_get(row, "value")), 0.1, 1e-12);
    assert_true(json_is_null(json_object_get(json_object_get(row, "output"), "path")));
    assert_float_equal(json_number_value(
                           json_object_get(json_object_get(row, "utility"), "items_ncp")),
                       0.62, 1e-12);
    row = json_array_get(rows, 1);
    check_keys(row, "value values feasible reason seconds");
    assert_true(json_is_false(json_object_get(row, "feasible")));
    assert_true(json_is_string(json_object_get(row, "reason")));
    json_decref(json);
    kn__free(text);
    kn_sweep_free(s);
    job_close(&j);
}

static void check_page(const char *html)
{
    check_well_formed(html);
    assert_null(strstr(html, "<script"));
    assert_null(strstr(html, "src="));
    assert_null(strstr(html, "url("));
    assert_null(strstr(html, "secret/folder"));
    assert_null(strstr(html, "nan"));
}

static void test_html(void **state)
{
    job j;
    kn_sweep *s;
    char *html;

    (void)state;
    job_open(&j);
    s = sweep_of(&j, true, true);
    html = form(s, kn_sweep_html);
    check_page(html);
    assert_non_null(strstr(html, "2 of 3 values of delta can be met."));
    assert_non_null(strstr(html, "rum&lt;bound"));
    assert_non_null(strstr(html, "&lt;at least 0.3&gt;"));
    assert_non_null(strstr(html, "Publish one of these releases at most"));
    assert_non_null(strstr(html, "id=\"trade-off\""));
    /* Both plots: circles of the first, squares of its items, circles of the trade-off, a cross. */
    assert_int_equal(times(html, "<circle"), 4);
    assert_int_equal(times(html, "class=\"two\""), 2);
    assert_int_equal(times(html, "class=\"miss\""), 1);
    /* The run between the two cannot be met: no line joins them. */
    assert_int_equal(times(html, "class=\"line "), 0);
    kn__free(html);
    kn_sweep_free(s);

    s = sweep_of(&j, false, false);
    html = form(s, kn_sweep_html);
    check_page(html);
    assert_null(strstr(html, "id=\"trade-off\""));
    assert_null(strstr(html, "Publish one of these"));
    assert_int_equal(times(html, "<circle"), 2);
    kn__free(html);
    kn_sweep_free(s);
    job_close(&j);
}

/* Places on the plot, against the axes: 0 is at the bottom, the top of the scale 228 above. */
static void test_plot(void **state)
{
    static const kn_svg_point points[] = {{0, 0, "a"}, {0.5, 0.2, "b"}, {1, 0.4, "<c>"}};
    const kn_svg_plot plot = {.title = "t",
                              .description = "d",
                              .lines = {points},
                              .count = 3,
                              .x_name = "x & y",
                              .numbers = true,
                              .labels = true};
    kn_buffer b = {0};
    unsigned ids = 0;

    (void)state;
    kn__svg_plot(&b, &plot, &ids);
    assert_false(b.failed);
    assert_non_null(strstr(b.data, "cx=\"2.00%\" cy=\"240\""));
    assert_non_null(strstr(b.data, "cx=\"50.00%\" cy=\"126\""));
    assert_non_null(strstr(b.data, "cx=\"98.00%\" cy=\"12\""));
    assert_int_equal(times(b.data, "class=\"line one\""), 2);
    assert_non_null(strstr(b.data, ">0.4</text>"));
    assert_non_null(strstr(b.data, "x &amp; y"));
    assert_non_null(strstr(b.data, "&lt;c&gt;</text>"));
    kn__buffer_free(&b);
}

/* Nothing was lost anywhere, or a thousand values, or one. */
static void test_odd_plots(void **state)
{
    static kn_svg_point points[1000];
    kn_svg_plot plot = {
        .title = "t", .description = "d", .lines = {points, points}, .count = 1000, .x_name = "k"};

    (void)state;
    for (size_t i = 0; i < 1000; i++) {
        points[i] = (kn_svg_point){(double)i / 999, 0, "7"};
    }
    for (int numbers = 0; numbers < 2; numbers++) {
        for (plot.count = 1; plot.count <= 1000; plot.count += 333) {
            kn_buffer b = {0};
            unsigned ids = 0;
            plot.numbers = plot.labels = numbers;
            kn__svg_plot(&b, &plot, &ids);
            assert_false(b.failed);
            assert_null(strstr(b.data, "nan"));
            assert_null(strstr(b.data, "inf"));
            assert_true(times(b.data, "class=\"tick\"") <= 11);
            assert_int_equal(times(b.data, "<circle"), plot.count);
            kn__buffer_free(&b);
        }
    }
}

/* Any allocation may fail: it is said, and nothing leaks. */
static void test_memory_runs_out(void **state)
{
    static kn_status (*const forms[])(char **, const kn_sweep *,
                                      kn_error *) = {kn_sweep_text, kn_sweep_json, kn_sweep_html};
    job j;
    kn_sweep *s;

    (void)state;
    job_open(&j);
    s = sweep_of(&j, true, true);
    for (size_t f = 0; f < 3; f++) {
        const size_t before = kn_memory_in_use();
        bool failed = true;
        for (size_t n = 1; failed; n++) {
            char *text = NULL;
            kn_status st;
            kn__memory_fail_after(n);
            st = forms[f](&text, s, NULL);
            failed = kn__memory_failed();
            kn__memory_fail_after(0);
            assert_int_equal(st, failed ? KN_ENOMEM : KN_OK);
            assert_int_equal(text == NULL, failed);
            kn__free(text);
            assert_int_equal(kn_memory_in_use(), before);
        }
    }
    kn_sweep_free(s);
    job_close(&j);
}

/* Two parameters: the best are those that no other row beats in risk and loss. */
static void test_two_parameters(void **state)
{
    static const char *const parameters[] = {"k", "method"};
    static const char *const values[][2] = {
        {"2", "local"}, {"2", "flash"}, {"5", "local"}, {"5", "flash"}, {"9", "flash"}};
    static const double loss[] = {0.2, 0.3, 0.4, 0.25, NAN}, risk[] = {0.5, 0.5, 0.2, 0.2, NAN};
    static const bool best[] = {true, false, false, true, false};
    kn_sweep_facts facts = {
        .parameters = parameters, .parameters_count = 2, .method = "local", .input_path = "in.csv"};
    kn_sweep *s;
    json_t *json, *rows;
    char *text;
    job j;

    (void)state;
    job_open(&j);
    facts.original = j.original;
    assert_int_equal(kn__sweep_new(&s, &facts, NULL), KN_OK);
    assert_string_equal(kn_sweep_parameter(s), "k and method");
    for (size_t i = 0; i < 5; i++) {
        kn_report *r = isnan(loss[i]) ? NULL : report_of(&j);
        for (size_t m = 0; r && m < r->measures_count; m++) {
            if (strcmp(r->measure_names[m], "loss") == 0) {
                r->measure_values[m] = loss[i];
            }
        }
        if (r) {
            r->risk_after.prosecutor_max = risk[i];
        }
        assert_int_equal(kn__sweep_add(s, values[i], r, r ? NULL : "out of reach", 0.5, NULL),
                         KN_OK);
    }
    assert_string_equal(kn_sweep_value(s, 3), "k = 5, method = flash");
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(kn__sweep_is_best(s, i), best[i]);
    }
    text = form(s, kn_sweep_text);
    assert_non_null(strstr(text, "4 of 5 combinations of k and method can be met (120 records)."));
    assert_non_null(strstr(text, "k = 9, method = flash: out of reach"));
    kn__free(text);
    text = form(s, kn_sweep_html);
    check_well_formed(text);
    assert_non_null(strstr(text, "<h2>Risk against loss</h2>"));
    assert_non_null(strstr(text, "★ best"));
    kn__free(text);
    text = form(s, kn_sweep_json);
    json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    rows = json_object_get(json, "sweep");
    assert_true(json_is_null(json_object_get(json_array_get(rows, 0), "value")));
    check_keys(json_object_get(json_array_get(rows, 0), "values"), "k method");
    assert_true(json_is_true(json_object_get(json_array_get(rows, 3), "best")));
    json_decref(json);
    kn__free(text);
    kn_sweep_free(s);
    job_close(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_parameters),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_warnings_of_some),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_html),
        cmocka_unit_test(test_plot),
        cmocka_unit_test(test_odd_plots),
        cmocka_unit_test(test_memory_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
