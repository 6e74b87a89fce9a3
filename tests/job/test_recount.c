/* A fault in the search for rare combinations, which the check shares with methods: the second
 * count notices it, the release is withheld, and no file stays. The linker puts our search in the
 * place of the real one (tests/CMakeLists.txt). */
#include "count/inference.h"
#include "count/rare/rare.h"
#include "kanon/report.h"
#include "job/job.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef kn_status mark_fn(kn_rare_list **out, const kn_baskets *b, size_t k, size_t m, size_t limit,
                          uint8_t *risky, const kn_run *run, kn_error *err);
typedef kn_status find_fn(kn_rare_list **out, const kn_baskets *b, size_t k, size_t m, size_t limit,
                          const kn_run *run, kn_error *err);
mark_fn __real_kn__rare_find_marked, __wrap_kn__rare_find_marked;
find_fn __real_kn__rare_find, __wrap_kn__rare_find;

typedef kn_status infer_fn(double *achieved, const kn_inference_task *task, const kn_run *run,
                           kn_error *err);
infer_fn __real_kn__inference_find, __wrap_kn__inference_find;

/* CREDULOUS: of sensitive items, it says that one l more holds than does. */
static enum { SOUND, BLIND, LATE, CREDULOUS } fault;

/* BLIND: it finds nothing rare. LATE: nothing among combinations of two and more. */
static kn_status spoil(kn_rare_list *l, kn_status status, size_t k, size_t m)
{
    if (status != KN_OK || fault == SOUND || fault == CREDULOUS) {
        return status;
    }
    for (size_t size = fault == LATE ? 2 : 1; size <= m; size++) {
        l->count_of_size[size] = 0;
        l->least[size] = l->least[size] && l->least[size] < k ? (uint32_t)k : l->least[size];
    }
    l->count = l->count_of_size[1];
    l->kept = l->kept < l->count ? l->kept : (size_t)l->count;
    l->at_risk = l->count ? l->at_risk : 0;
    return status;
}

kn_status __wrap_kn__rare_find_marked(kn_rare_list **out, const kn_baskets *b, size_t k, size_t m,
                                      size_t limit, uint8_t *risky, const kn_run *run,
                                      kn_error *err)
{
    const kn_status status = __real_kn__rare_find_marked(out, b, k, m, limit, risky, run, err);

    return spoil(*out, status, k, m);
}

kn_status __wrap_kn__rare_find(kn_rare_list **out, const kn_baskets *b, size_t k, size_t m,
                               size_t limit, const kn_run *run, kn_error *err)
{
    const kn_status status = __real_kn__rare_find(out, b, k, m, limit, run, err);

    return spoil(*out, status, k, m);
}

kn_status __wrap_kn__inference_find(double *achieved, const kn_inference_task *task,
                                    const kn_run *run, kn_error *err)
{
    const kn_status status = __real_kn__inference_find(achieved, task, run, err);

    *achieved += fault == CREDULOUS;
    return status;
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    (void)fputs(text, f);
    (void)fclose(f);
}

static kn_job *job_to(const char *output, const char *extent)
{
    /* Any two of three amounts were paid by two people, all three by one: what acd asks before it
     * searches does not see that. */
    static const char *const set[][2] = {
        {"input", "triple.dat"}, {"guarantee", "km-anonymity"}, {"k", "2"}, {"m", "3"},
        {"method", "acd"},       {"report", "r.json"}};
    kn_job *job = NULL;
    kn_error err = {0};

    assert_int_equal(kn_job_new(&job, NULL), KN_OK);
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        if (kn_job_set(job, set[i][0], set[i][1], &err) != KN_OK) {
            fail_msg("%s", err.message);
        }
    }
    assert_int_equal(kn_job_set(job, "output", output, NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "recount", extent, NULL), KN_OK);
    return job;
}

static size_t files_here(void)
{
    DIR *folder = opendir(".");
    size_t count = 0;

    assert_non_null(folder);
    while (readdir(folder)) {
        count++;
    }
    (void)closedir(folder);
    return count;
}

static void test_withheld(void **state)
{
    (void)state;
    (void)unlink("out.dat");
    (void)unlink("r.json");
    write_text("triple.dat", "100 200\n100 300\n200 300\n100 200 300\n"
                             "400 500\n400 600\n500 600\n400 500 600\n");
    for (int i = 0; i < 2; i++) {
        kn_job *job = job_to("out.dat", i ? "full" : "budget");
        const size_t files = files_here();
        kn_error err = {0};
        fault = BLIND;
        assert_int_equal(kn_job_run(NULL, job, NULL, &err), KN_EBROKEN);
        fault = SOUND;
        assert_non_null(strstr(err.message, "withheld"));
        assert_non_null(strstr(err.message, "smallest support of 3 items: 2 and 1"));
        assert_non_null(strstr(err.message, "please report it"));
        assert_int_equal(files_here(), files);
        kn_job_free(job);
    }
}

/* The same without the fault, and what its report says. */
static void test_published(void **state)
{
    kn_job *job = job_to("out.dat", "budget");
    kn_report *report = NULL;
    char *text = NULL;
    kn_error err = {0};

    (void)state;
    if (kn_job_run(&report, job, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(access("out.dat", F_OK), 0);
    assert_int_equal(kn_report_text(&text, report, NULL), KN_OK);
    assert_non_null(strstr(text, "counted a second time: all combinations of up to 3 items\n"));
    kn_string_free(text);
    assert_int_equal(kn_report_json(&text, report, NULL), KN_OK);
    assert_non_null(strstr(text, "\"recount\""));
    assert_non_null(strstr(text, "\"words\": \"all combinations of up to 3 items\""));
    kn_string_free(text);
    kn_report_free(report);
    kn_job_free(job);
    (void)unlink("out.dat");
    (void)unlink("r.json");
}

/* kn_check says nothing rather than something that may be wrong. */
static void test_check(void **state)
{
    const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    kn_job *job = job_to("out.dat", "budget");
    kn_dataset *ds = NULL;
    kn_verdict *v = NULL;
    kn_error err = {0};

    (void)state;
    write_text("payments.dat", "11000 11000 20000 40000 40000\n11000 30500 40000\n"
                               "11000 11000 40000 40000\n11000\n20000\n");
    assert_int_equal(kn_job_table(&ds, job, "payments.dat", KN_TABLE_RELEASE, false, NULL, NULL),
                     KN_OK);
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, &err), KN_OK);
    assert_string_equal(kn_verdict_items(v)->recount, "all combinations of up to 2 items");
    assert_int_equal(kn_verdict_items(v)->recounted[2], 1);
    assert_int_equal(kn_verdict_items(v)->recounted[3], 0);
    kn_verdict_free(v);
    fault = BLIND;
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, &err), KN_EBROKEN);
    fault = SOUND;
    assert_null(v);
    assert_non_null(strstr(err.message, "smallest support of 1 item: 2 and 1"));
    fault = LATE;
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, &err), KN_EBROKEN);
    fault = SOUND;
    assert_null(v);
    assert_non_null(strstr(err.message, "smallest support of 2 items: 2 and 1"));
    kn_dataset_free(ds);
    kn_job_free(job);
}

static kn_job *job_of_tables(const char *extent)
{
    static const char *const set[][2] = {{"qi", "age"},
                                         {"items", "codes"},
                                         {"sensitive-items", "s"},
                                         {"guarantee", "k-lm-diversity"},
                                         {"k", "2"},
                                         {"l", "2"},
                                         {"m", "2"}};
    kn_job *job = NULL;

    assert_int_equal(kn_job_new(&job, NULL), KN_OK);
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        assert_int_equal(kn_job_set(job, set[i][0], set[i][1], NULL), KN_OK);
    }
    assert_int_equal(kn_job_set(job, "recount", extent, NULL), KN_OK);
    return job;
}

static void disagrees(const kn_dataset *ds, const kn_guarantee *g, int how, const char *words)
{
    kn_verdict *v = NULL;
    kn_error err = {0};

    fault = how;
    assert_int_equal(kn_check(&v, ds, g, 1, NULL, NULL, &err), KN_EBROKEN);
    fault = SOUND;
    assert_null(v);
    if (!strstr(err.message, words)) {
        fail_msg("%s", err.message);
    }
}

/* Tables with items: a and b are in two records of each class, together in one of the second. */
static void test_tables(void **state)
{
    kn_guarantee g = {.kind = KN_K_LM_DIVERSITY, .k = 2, .m = 2, .l = 2};
    kn_job *job = job_of_tables("full");
    kn_dataset *ds = NULL;
    kn_verdict *v = NULL;

    (void)state;
    write_text("tables.csv", "age,codes\n30,a|b|s\n30,a|b\n30,s\n40,a|b|s\n40,a\n40,b\n40,\n");
    assert_int_equal(kn_job_table(&ds, job, "tables.csv", KN_TABLE_RELEASE, false, NULL, NULL),
                     KN_OK);
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, NULL), KN_OK);
    assert_string_equal(kn_verdict_items(v)->recount,
                        "all combinations of up to 2 items, and what all of them reveal about "
                        "sensitive items");
    assert_false(kn_verdict_holds(v)); /* a and b at 40: one record, and it holds s */
    assert_true(kn_verdict_achieved(v, 0) == 1);
    kn_verdict_free(v);
    disagrees(ds, &g, BLIND, "k-lm-diversity was counted twice");
    disagrees(ds, &g, LATE, "smallest support of 2 items in a class: 2 and 1");
    disagrees(ds, &g, CREDULOUS, "the l that holds: 2 and 1");
    g.kind = KN_K_KM_ANONYMITY;
    disagrees(ds, &g, LATE, "k-km-anonymity was counted twice");
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, NULL), KN_OK);
    assert_string_equal(kn_verdict_items(v)->recount, "all combinations of up to 2 items");
    kn_verdict_free(v);
    kn_dataset_free(ds);
    kn_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_withheld),
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
