/* Whole reports: what they must never say, and jobs of every shape. */
#include "report/hospital.h"

static void test_nothing_leaks(void **state)
{
    job j;
    kn_report *r;
    char *all;

    (void)state;
    job_open(&j);
    r = report_of(&j);
    all = all_of(r);
    assert_null(strstr(all, "Zorba"));
    assert_null(strstr(all, "Gavdos"));
    assert_null(strstr(all, "Kuru"));
    for (size_t i = 0; i < r->column[1].before.count; i++) { /* the oldest are 97 to 99 */
        const char *label = r->column[1].before.bar[i].label;
        assert_true(!strstr(label, "97") && !strstr(label, "98") && !strstr(label, "99"));
    }
    assert_non_null(strstr(all, "Athens"));
    assert_non_null(strstr(all, "Patra"));
    free(all);
    kn_report_free(r);
    job_close(&j);
}

static void test_same_bytes_again(void **state)
{
    job j;
    kn_report *r, *again;
    char *a, *b;

    (void)state;
    job_open(&j);
    r = report_of(&j);
    again = report_of(&j);
    a = all_of(r);
    b = all_of(again);
    assert_string_equal(a, b);
    free(a);
    free(b);
    kn_report_free(r);
    kn_report_free(again);
    job_close(&j);
}

/* ---- other shapes of jobs ---- */

static void test_broken_release(void **state)
{
    job j;
    kn_report *r;
    json_t *json, *violation;
    char *html, *text;

    (void)state;
    job_open(&j);
    j.guarantee[0].k = 1000;
    job_judge(&j);
    r = report_of(&j);
    assert_false(kn_report_satisfied(r));
    json = json_of(r);
    assert_true(json_is_false(json_object_get(json, "satisfied")));
    assert_int_equal(json_integer_value(json_object_get(json, "violations_total")),
                     (json_int_t)kn_verdict_violations(j.after));
    violation = json_array_get(json_object_get(json, "violations"), 0);
    check_keys(violation, "kind size value sensitive values");
    check_keys(json_object_get(violation, "values"), "age city");
    json_decref(json);
    html = html_of(r);
    assert_non_null(strstr(html, "does not hold what was asked"));
    assert_non_null(strstr(html, "Groups that break the guarantee"));
    assert_non_null(strstr(html, "Do not publish it"));
    kn__free(html);
    assert_int_equal(kn_report_text(&text, r, NULL), KN_OK);
    assert_non_null(strstr(text, "DOES NOT HOLD"));
    kn__free(text);
    kn_report_free(r);
    job_close(&j);
}

/* A verdict and measures by themselves are told in the words of the report. */
static void test_parts_alone(void **state)
{
    static const char *const keys[] = {"guarantee", "satisfied", "achieved", "violations",
                                       "violations_total"};

    (void)state;
    for (size_t k = 2; k <= 1000; k += 998) {
        job j;
        kn_report *r;
        json_t *whole, *alone;
        char *text = NULL;
        job_open(&j);
        j.guarantee[0].k = k;
        job_judge(&j);
        kn_verdict_free(j.before);
        j.before = NULL;
        j.facts.before = NULL;
        r = report_of(&j);
        whole = json_of(r);
        assert_int_equal(kn_verdict_json(&text, j.after, j.facts.guarantees,
                                         j.facts.guarantees_count, j.published, NULL),
                         KN_OK);
        alone = json_loads(text, 0, NULL);
        kn_string_free(text);
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            assert_non_null(json_object_get(alone, keys[i]));
            if (!json_equal(json_object_get(alone, keys[i]), json_object_get(whole, keys[i]))) {
                fail_msg("%s differs", keys[i]);
            }
        }
        json_decref(alone);
        assert_int_equal(kn_measures_json(&text, j.measures, NULL), KN_OK);
        alone = json_loads(text, 0, NULL);
        kn_string_free(text);
        assert_true(
            json_equal(json_object_get(alone, "utility"), json_object_get(whole, "utility")));
        assert_true(json_is_object(json_object_get(alone, "utility_by_column")));
        json_decref(alone);
        /* Without the data the violations are counted, and their values are not told. */
        assert_int_equal(kn_verdict_json(&text, j.after, j.facts.guarantees,
                                         j.facts.guarantees_count, NULL, NULL),
                         KN_OK);
        assert_true(k == 2 || strstr(text, "\"values\": {}"));
        kn_string_free(text);
        json_decref(whole);
        kn_report_free(r);
        job_close(&j);
    }
}

static void test_large_k_hides_more(void **state)
{
    job j;
    kn_report *r;
    char *all;

    (void)state;
    job_open(&j);
    j.guarantee[0].k = 61; /* Athens has 57 and Patra 60 records */
    job_judge(&j);
    r = report_of(&j);
    assert_int_equal(r->rare_below, 61);
    assert_int_equal(r->column[2].before.count, 0);
    assert_int_equal(r->column[2].before.rare_values, 3);
    all = all_of(r);
    assert_null(strstr(all, "Athens"));
    free(all);
    kn_report_free(r);
    job_close(&j);
}

static void test_warnings(void **state)
{
    job j;
    kn_report *r;

    (void)state;
    job_open(&j);
    r = report_of(&j);
    assert_int_equal(r->warnings_count, 0);
    assert_int_equal(kn_points_open(r->points), 1);
    assert_string_equal(kn_points_get(r->points, 0)->name, "sorted:name");
    kn_report_free(r);
    j.facts.shuffled = true;
    r = report_of(&j);
    assert_int_equal(r->warnings_count, 0);
    assert_int_equal(kn_points_open(r->points), 0);
    kn_report_free(r);
    j.facts.suppressed = 40;
    r = report_of(&j);
    assert_int_equal(r->warnings_count, 1);
    assert_non_null(strstr(r->warnings[0], "33.3 % of the records were suppressed"));
    kn_report_free(r);
    j.facts.suppressed = 6;
    kn_dataset_set_role(j.original, 0, KN_ROLE_KEPT, NULL);
    r = report_of(&j); /* kept, but not in the published table: nothing to warn of */
    assert_int_equal(r->warnings_count, 0);
    kn_report_free(r);
    kn_dataset_set_role(j.original, 1, KN_ROLE_KEPT, NULL);
    kn_dataset_set_role(j.published, 0, KN_ROLE_KEPT, NULL);
    r = report_of(&j); /* age kept in the published table: few ranges, no warning */
    assert_int_equal(r->warnings_count, 0);
    kn_report_free(r);
    job_close(&j);
}

static void test_kept_column_that_names_people(void **state)
{
    job j;
    kn_report *r;
    kn_dataset *release;
    char *all;

    (void)state;
    job_open(&j);
    /* The original as its own release, with its names kept. */
    release = j.published;
    kn_dataset_set_role(j.original, 0, KN_ROLE_KEPT, NULL);
    j.facts.published = j.original;
    j.facts.origin = NULL;
    j.facts.shuffled = true;
    j.facts.suppressed = 0;
    j.published = j.original;
    job_judge(&j);
    j.published = release;
    r = report_of(&j);
    assert_false(r->column[1].changes.known); /* shuffled, and nobody knows how */
    assert_int_equal(kn_points_survey(r->points)->unique, 120);
    all = all_of(r);
    assert_non_null(strstr(all, "120 of 120 records are unique by the 4 published columns"));
    assert_non_null(
        strstr(all, "Column name is published as it is (kept): 120 records (100 %) hold a value"));
    assert_non_null(strstr(all, "Does not hold. By age and city, "));
    free(all);
    kn_report_free(r);
    job_close(&j);
}

static void test_no_quasi_identifiers(void **state)
{
    job j;
    kn_report *r;
    char *html;

    (void)state;
    job_open(&j);
    for (size_t i = 0; i < 5; i++) {
        kn_dataset_set_role(j.original, i, i == 0 ? KN_ROLE_IDENTIFIER : KN_ROLE_KEPT, NULL);
    }
    for (size_t i = 0; i < 4; i++) {
        kn_dataset_set_role(j.published, i, KN_ROLE_KEPT, NULL);
    }
    j.facts.measures = NULL;
    r = report_of(&j);
    assert_true(isnan(r->risk_after.prosecutor_max));
    html = html_of(r);
    assert_non_null(strstr(html, "No column is a quasi-identifier"));
    assert_null(strstr(html, "Zorba"));
    kn__free(html);
    kn_report_free(r);
    job_close(&j);
}

static void test_empty_release(void **state)
{
    static const char *const names[] = {"age", "city", "illness", "ward"};
    job j;
    kn_report *r;
    kn_dataset_builder *b;
    char *all, *html;

    (void)state;
    job_open(&j);
    kn_dataset_free(j.published);
    assert_int_equal(kn_dataset_builder_new(&b, names, 4, NULL, NULL), KN_OK);
    j.published = finish(b);
    set_roles(j.published);
    j.facts.published = j.published;
    j.facts.suppressed = RECORDS;
    job_judge(&j);
    r = report_of(&j);
    assert_true(kn_report_satisfied(r));
    html = html_of(r);
    assert_non_null(strstr(html, "The file holds no records"));
    kn__free(html);
    all = all_of(r);
    assert_null(strstr(all, "Gavdos"));
    free(all);
    kn_report_free(r);
    job_close(&j);
}

static void test_other_guarantees(void **state)
{
    static const kn_guarantee guarantees[] = {
        {.kind = KN_L_DIVERSITY, .l = 2, .diversity = KN_ENTROPY},
        {.kind = KN_L_DIVERSITY, .l = 2, .c = 4, .diversity = KN_RECURSIVE},
        {.kind = KN_T_CLOSENESS, .t = 0.75, .distance = KN_EQUAL},
    };
    static const char *const words[] = {"entropy l-diversity with l = 2",
                                        "recursive (c,l)-diversity with c = 4 and l = 2",
                                        "t-closeness with t = 0.75 (equal distance)"};
    static const char *const letters[] = {"l", "c", "t"};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        job j;
        kn_report *r;
        json_t *json;
        char *all;

        job_open(&j);
        j.guarantee[0] = guarantees[i];
        j.facts.guarantees_count = 1;
        job_judge(&j);
        r = report_of(&j);
        assert_int_equal(r->rare_below, KN_REPORT_LEAST);
        assert_int_equal(kn__meets(r, 0), kn_verdict_holds(j.after));
        all = all_of(r);
        assert_non_null(strstr(all, words[i]));
        json = json_of(r);
        check_keys(json_object_get(json, "achieved"), letters[i]);
        json_decref(json);
        free(all);
        kn_report_free(r);
        job_close(&j);
    }
}

/* ---- failures ---- */

static void test_bad_job(void **state)
{
    job j;
    kn_report *r = (kn_report *)&j;
    kn_error err;

    (void)state;
    job_open(&j);
    j.facts.job_json = "{\"input\": ";
    assert_int_equal(kn__report_make(&r, &j.facts, NULL, &err), KN_EUSAGE);
    assert_null(r);
    assert_non_null(strstr(err.message, "not JSON"));
    job_close(&j);
}

typedef kn_status (*form)(char **out, const kn_report *r, kn_error *err);

static void test_allocation_failures(void **state)
{
    static const form forms[] = {kn_report_json, kn_report_html, kn_report_text};
    job j;
    kn_report *r = NULL;
    size_t before;

    (void)state;
    job_open(&j);
    j.guarantee[0].k = 40;
    job_judge(&j);
    for (size_t n = 1;; n++) {
        kn_status status;
        int failed;

        before = kn_memory_in_use();
        kn__memory_fail_after(n);
        status = kn__report_make(&r, &j.facts, &(kn_run){.threads = 1}, NULL);
        failed = kn__memory_failed();
        kn__memory_fail_after(0);
        if (!failed) {
            assert_int_equal(status, KN_OK);
            break;
        }
        assert_int_equal(status, KN_ENOMEM);
        assert_null(r);
        assert_int_equal(kn_memory_in_use(), before);
    }
    for (size_t i = 0; i < 3; i++) {
        for (size_t n = 1;; n++) {
            char *text;
            kn_status status;
            int failed;

            before = kn_memory_in_use();
            kn__memory_fail_after(n);
            status = forms[i](&text, r, NULL);
            failed = kn__memory_failed();
            kn__memory_fail_after(0);
            if (!failed) {
                assert_int_equal(status, KN_OK);
                kn__free(text);
                break;
            }
            assert_int_equal(status, KN_ENOMEM);
            assert_null(text);
            assert_int_equal(kn_memory_in_use(), before);
        }
    }
    kn_report_free(r);
    kn_report_free(NULL);
    job_close(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_leaks),
        cmocka_unit_test(test_same_bytes_again),
        cmocka_unit_test(test_broken_release),
        cmocka_unit_test(test_parts_alone),
        cmocka_unit_test(test_large_k_hides_more),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_kept_column_that_names_people),
        cmocka_unit_test(test_no_quasi_identifiers),
        cmocka_unit_test(test_empty_release),
        cmocka_unit_test(test_other_guarantees),
        cmocka_unit_test(test_bad_job),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
