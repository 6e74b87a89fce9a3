/* test_sweep.c - a job for many values: the values themselves, that each run is what a job with
 * that value alone would be, byte for byte, and that all of it is there in the end or nothing. Runs
 * in a scratch folder. */
#include "base/memory.h"
#include "base/rng.h"
#include "job/job.h"
#include "job/sweep_values.h"
#include "kanon/sweep.h"

#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a check that fails when we want it to ---- */

static size_t fail_at; /* the call that says no; 0: none */

bool __real_kn_verdict_holds(const kn_verdict *v);
bool __wrap_kn_verdict_holds(const kn_verdict *v);
bool __wrap_kn_verdict_holds(const kn_verdict *v)
{
    return (fail_at && --fail_at == 0) ? false : __real_kn_verdict_holds(v);
}

/* ---- files and jobs ---- */

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static char *file_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    size_t len;

    if (!file) {
        fail_msg("%s is not there", path);
    }
    assert_non_null(text);
    len = fread(text, 1, (1 << 20) - 1, file);
    text[len] = '\0';
    assert_int_equal(fclose(file), 0);
    return text;
}

/* Files of the scratch folder that a sweep may have made. */
static size_t files_made(bool remove_them)
{
    DIR *folder = opendir(".");
    const struct dirent *entry;
    size_t count = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        const char *name = entry->d_name;
        if (strncmp(name, "out", 3) == 0 || strncmp(name, "one", 3) == 0 ||
            strncmp(name, "r.", 2) == 0 || (name[0] == '.' && strstr(name, ".tmp"))) {
            count++;
            if (remove_them) {
                assert_int_equal(unlink(name), 0);
            }
        }
    }
    assert_int_equal(closedir(folder), 0);
    return count;
}

static kn_job *job_with(const char *const *pairs)
{
    kn_job *job;
    kn_error err = {0};

    assert_int_equal(kn_job_new(&job, NULL), KN_OK);
    for (; *pairs; pairs += 2) {
        if (kn_job_set(job, pairs[0], pairs[1], &err) != KN_OK) {
            fail_msg("%s", err.message);
        }
    }
    return job;
}

static int setup(void **state)
{
    kn_rng rng;
    FILE *table, *items, *numbers;

    (void)state;
    (void)files_made(true);
    kn__rng_seed(&rng, 7, 0);
    table = fopen("table.csv", "wb");
    items = fopen("items.dat", "wb");
    numbers = fopen("numbers.dat", "wb");
    assert_non_null(table);
    assert_non_null(items);
    assert_non_null(numbers);
    (void)fputs("name,age,sex,city,illness\n", table);
    for (int i = 0; i < 150; i++) {
        (void)fprintf(table, "Zorba-%d,%d,%c,%c,%s\n", i, 20 + (int)kn__rng_below(&rng, 40),
                      kn__rng_below(&rng, 2) ? 'f' : 'm', 'A' + (int)kn__rng_below(&rng, 4),
                      (const char *[]){"flu", "gout", "asthma"}[kn__rng_below(&rng, 3)]);
        for (int x = 0; x < 6; x++) {
            if (kn__rng_below(&rng, 3) == 0 || x == 5) {
                (void)fprintf(items, "%c%s", 'a' + (int)kn__rng_below(&rng, 8),
                              x == 5 ? "\n" : " ");
                (void)fprintf(numbers, "%d%s", 100 * (int)kn__rng_below(&rng, 20),
                              x == 5 ? "\n" : " ");
            }
        }
    }
    assert_int_equal(fclose(table) | fclose(items) | fclose(numbers), 0);
    table = fopen("age.csv", "wb");
    assert_non_null(table);
    for (int age = 20; age < 60; age++) {
        (void)fprintf(table, "%d;%d-%d;%d-%d;*\n", age, age / 5 * 5, age / 5 * 5 + 4, age / 20 * 20,
                      age / 20 * 20 + 19);
    }
    assert_int_equal(fclose(table), 0);
    put_file("city.csv", "A;north;*\nB;north;*\nC;south;*\nD;south;*\n");
    put_file("sex.csv", "f;*\nm;*\n");
    put_file("items.csv", "a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\ne;ef;*\nf;ef;*\ng;gh;*\nh;gh;*\n");
    return 0;
}

#define PEOPLE                                                                                     \
    "input", "table.csv", "id", "name", "qi", "age,sex,city", "sensitive", "illness", "hierarchy", \
        "age=age.csv", "hierarchy", "city=city.csv", "hierarchy", "sex=sex.csv"
#define ITEMS "input", "items.dat", "guarantee", "km-anonymity", "hierarchy", "items=items.csv"

/* ---- values ---- */

static void check_values(const char *text, const char *wanted)
{
    kn_swept v;
    kn_error err = {0};
    char got[512] = "";

    if (kn__swept_parse(&v, text, &err) != KN_OK) {
        fail_msg("%s: %s", text, err.message);
    }
    for (size_t i = 0; i < v.count; i++) {
        (void)snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", i ? " " : "",
                       v.values[i]);
    }
    assert_string_equal(got, wanted);
    kn__swept_clear(&v);
}

static void test_values(void **state)
{
    (void)state;
    check_values("t=0.1:1:0.1", "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
    check_values("k=2:20:6", "2 8 14 20");
    check_values("k=2:21:6", "2 8 14 20");
    check_values("k=5:5:1", "5");
    check_values("k=2,5,10", "2 5 10");
    check_values("k=007", "7");
    check_values("suppression=0%:10%:2.5%", "0 0.025 0.05 0.075 0.1");
    check_values("item_suppression=1%,0.5", "0.01 0.5");
    check_values("d=0.000001,0.001", "0.000001 0.001");
    check_values("k=4294967295", "4294967295");
}

/* Against the definition, start + i * step up to the end, in whole thousandths. */
static void test_random_ranges(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 3, 0);
    for (int round = 0; round < 3000; round++) {
        const int step = 1 + (int)kn__rng_below(&rng, 100), start = (int)kn__rng_below(&rng, 900);
        const int end = start + (int)kn__rng_below(&rng, (uint64_t)(1001 - start));
        char text[64];
        kn_swept v;
        size_t i = 0;
        (void)snprintf(text, sizeof text, "t=0.%03d:%d.%03d:0.%03d", start, end / 1000, end % 1000,
                       step);
        assert_int_equal(kn__swept_parse(&v, text, NULL), KN_OK);
        for (int at = start; at <= end; at += step, i++) {
            char wanted[32];
            assert_true(i < v.count);
            (void)snprintf(wanted, sizeof wanted, "%.10g", at / 1000.0);
            assert_string_equal(v.values[i], wanted);
        }
        assert_int_equal(v.count, i);
        kn__swept_clear(&v);
    }
}

static void refused_value(const char *text, const char *words)
{
    kn_job *job;
    kn_error err = {0};

    assert_int_equal(kn_job_new(&job, NULL), KN_OK);
    if (kn_job_set(job, "sweep", text, &err) != KN_EUSAGE || !strstr(err.message, words)) {
        fail_msg("%s: '%s' does not say '%s'", text, err.message, words);
    }
    assert_null(kn_job_get(job, "sweep", 0));
    kn_job_free(job);
}

static void test_refuses_values(void **state)
{
    (void)state;
    refused_value("", "empty");
    refused_value("k", "not of the form PARAMETER=START:END:STEP");
    refused_value("k=", "not of the form");
    refused_value("=3", "not of the form");
    refused_value("efort=1,2", "did you mean 'effort'?");
    refused_value("method=nonsense", "there is no 'nonsense'");
    refused_value("method=local,local", "method=local is there twice");
    refused_value("seed=1,2", "no parameter 'seed' with numbers");
    refused_value("k=5:2:1", "beyond its end");
    refused_value("k=2:5:0", "the step is 0");
    refused_value("k=2:5:-1", "below 0");
    refused_value("k=2:5", "a start, an end and a step");
    refused_value("k=2:5:1:1", "a start, an end and a step");
    refused_value("k=2::1", "not a whole number");
    refused_value("k=1:1001:1", "1001 values, and 1000 is the most");
    refused_value("k=2,x", "'x' is not a whole number");
    refused_value("k=2,,3", "is not a whole number");
    refused_value("k=2:3:0.5", "'2.5' is not a whole number");
    refused_value("k=0,2", "--sweep: --k: 0 is out of range");
    refused_value("t=0.5:1.5:0.5", "--t: 1.5 is out of range");
    refused_value("t=0.1,0.10", "t=0.1 is there twice");
    refused_value("t=1e-3", "write the value '1e-3' with digits");
    refused_value("t=0.12345678", "with digits");
    refused_value("k=99999999999", "out of range");
}

/* ---- the same as alone ---- */

static kn_sweep *swept(const kn_job *job, const kn_run *run)
{
    kn_sweep *s = NULL;
    kn_error err = {0};

    if (kn_sweep_run(&s, job, run, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return s;
}

static json_t *guarantee_of(const kn_report *r)
{
    char *text;
    json_t *json, *found;

    assert_int_equal(kn_report_json(&text, r, NULL), KN_OK);
    json = json_loads(text, 0, NULL);
    found = json_deep_copy(json_object_get(json, "guarantee"));
    assert_non_null(found);
    json_decref(json);
    kn_string_free(text);
    return found;
}

/* Each run of the sweep `what` gives the bytes, the loss and the findings (those about the original
 * included) of a job with that value; returns how many values could be met. */
static size_t compare_alone(const char *const *pairs, const char *what)
{
    char path[96], *release, *one, *two;
    const char *ending = strcmp(pairs[1], "table.csv") == 0 ? "csv" : "dat";
    kn_job *job = job_with(pairs);
    kn_sweep *s;
    size_t worked = 0;

    (void)snprintf(path, sizeof path, "out.%s", ending);
    assert_int_equal(kn_job_set(job, "output", path, NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "sweep", what, NULL), KN_OK);
    s = swept(job, NULL);
    (void)snprintf(path, sizeof path, "one.%s", ending);
    for (size_t i = 0; i < kn_sweep_values(s); i++) {
        kn_job *alone = job_with(pairs);
        kn_report *report = NULL;
        kn_error err = {0};
        kn_status st;
        assert_int_equal(kn_job_set(alone, "output", path, NULL), KN_OK);
        assert_int_equal(kn_job_set(alone, kn_sweep_parameter(s), kn_sweep_value(s, i), NULL),
                         KN_OK);
        st = kn_job_run(&report, alone, NULL, &err);
        assert_int_equal(kn_sweep_path(&release, job, i, NULL), KN_OK);
        assert_non_null(release);
        if (st == KN_OK) {
            json_t *a = guarantee_of(report), *b = guarantee_of(kn_sweep_report(s, i));
            worked++;
            one = file_text(path);
            two = file_text(release);
            assert_string_equal(one, two);
            assert_true(kn_report_utility(report, "ncp") ==
                        kn_report_utility(kn_sweep_report(s, i), "ncp"));
            if (!json_equal(a, b)) {
                fail_msg("%s: value %s: other findings", what, kn_sweep_value(s, i));
            }
            assert_null(kn_sweep_reason(s, i));
            json_decref(a);
            json_decref(b);
            free(one);
            free(two);
        } else {
            assert_int_equal(st, KN_EINFEASIBLE);
            assert_null(kn_sweep_report(s, i));
            assert_string_equal(kn_sweep_reason(s, i), err.message);
            assert_int_equal(access(release, F_OK), -1);
        }
        kn_string_free(release);
        kn_report_free(report);
        kn_job_free(alone);
    }
    assert_int_equal(kn_sweep_path(&release, job, kn_sweep_values(s), NULL), KN_OK);
    assert_null(release);
    assert_int_equal(kn_sweep_worked(s), worked);
    kn_sweep_free(s);
    kn_job_free(job);
    (void)files_made(true);
    return worked;
}

#define ALONE(worked, what, ...) \
    assert_int_equal(compare_alone((const char *const[]){__VA_ARGS__, NULL}, what), worked)

static void test_as_alone(void **state)
{
    (void)state;
    ALONE(4, "k=2,5,20,150,151", PEOPLE, "method", "flash");
    ALONE(4, "k=2,5,20,150,151", PEOPLE, "method", "mondrian");
    ALONE(3, "k=2:10:4", PEOPLE, "method", "local");
    ALONE(3, "suppression=0%:10%:5%", PEOPLE, "method", "flash", "k", "5");
    ALONE(2, "effort=0,2", PEOPLE, "k", "5");
    ALONE(3, "l=1,2,3", PEOPLE, "method", "mondrian", "guarantee", "l-diversity", "diversity",
          "recursive", "c", "3");
    ALONE(3, "c=1,2,3", PEOPLE, "method", "mondrian", "guarantee", "l-diversity", "diversity",
          "recursive", "l", "2");
    ALONE(2, "t=0.3,0.5", PEOPLE, "method", "mondrian", "guarantee", "t-closeness", "k", "3");
    ALONE(3, "k=2,5,20", ITEMS, "m", "2");
    ALONE(3, "m=1:3:1", ITEMS, "k", "4");
    ALONE(2, "k=3,8", ITEMS, "m", "2", "method", "lra");
    ALONE(3, "m=1:3:1", "input", "numbers.dat", "guarantee", "km-anonymity", "k", "3", "method",
          "acd", "type", "items=numbers");
}

/* No result depends on the threads, nor on a value that was tried before. */
static void test_order_and_threads(void **state)
{
    kn_job *up = job_with((const char *const[]){PEOPLE, "sweep", "k=2,9", NULL});
    kn_job *down = job_with((const char *const[]){PEOPLE, "sweep", "k=9,2", NULL});
    const kn_run one = {.threads = 1}, three = {.threads = 3};
    kn_sweep *a = swept(up, &one), *b = swept(down, &three);

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_true(kn_report_utility(kn_sweep_report(a, i), "ncp") ==
                    kn_report_utility(kn_sweep_report(b, 1 - i), "ncp"));
    }
    kn_sweep_free(a);
    kn_sweep_free(b);
    kn_job_free(up);
    kn_job_free(down);
}

/* ---- what is left behind ---- */

static void test_without_output(void **state)
{
    kn_job *job = job_with((const char *const[]){PEOPLE, "sweep", "k=2,151", "report", "r.json",
                                                 "report", "r.html", NULL});
    kn_sweep *s = swept(job, NULL);
    char *path = NULL, *text;

    (void)state;
    assert_int_equal(kn_sweep_worked(s), 1);
    assert_int_equal(files_made(false), 2);
    assert_int_equal(kn_sweep_path(&path, job, 0, NULL), KN_OK);
    assert_null(path);
    text = file_text("r.json");
    assert_non_null(strstr(text, "\"k=2,151\""));
    assert_null(strstr(text, "Zorba"));
    free(text);
    text = file_text("r.html");
    assert_null(strstr(text, "Zorba"));
    free(text);
    kn_sweep_free(s);
    kn_job_free(job);
}

static void test_none_works(void **state)
{
    kn_job *job = job_with((const char *const[]){PEOPLE, "sweep", "k=151,200", "output", "out.csv",
                                                 "report", "r.json", NULL});
    kn_sweep *s = swept(job, NULL);

    (void)state;
    assert_int_equal(kn_sweep_worked(s), 0);
    assert_int_equal(files_made(false), 1);
    assert_non_null(strstr(kn_sweep_reason(s, 1), "k = 200"));
    kn_sweep_free(s);
    kn_job_free(job);
}

static void check_path(const char *output, const char *wanted)
{
    kn_job *job = job_with((const char *const[]){"sweep", "k=2,5", "output", output, NULL});
    char *path;

    assert_int_equal(kn_sweep_path(&path, job, 1, NULL), KN_OK);
    assert_string_equal(path, wanted);
    kn_string_free(path);
    kn_job_free(job);
}

static void test_paths(void **state)
{
    (void)state;
    check_path("out.csv", "out.k=5.csv");
    check_path("out.csv.gz", "out.k=5.csv.gz");
    check_path("a.b/out", "a.b/out.k=5");
    check_path("a.b/v1.out.dat.zst", "a.b/v1.out.k=5.dat.zst");
    check_path(".hidden", ".hidden.k=5");
    check_path("/x/.hidden.csv", "/x/.hidden.k=5.csv");
}

static void run_refused(const char *const *pairs, kn_status wanted, const char *words)
{
    kn_job *job = job_with(pairs);
    kn_sweep *s = (kn_sweep *)1;
    kn_error err = {0};
    const size_t before = files_made(false);
    const kn_status st = kn_sweep_run(&s, job, NULL, &err);

    if (st != wanted || !strstr(err.message, words)) {
        fail_msg("%d: '%s' does not say '%s'", (int)st, err.message, words);
    }
    assert_null(s);
    assert_int_equal(files_made(false), before);
    kn_job_free(job);
}

#define REFUSED(status, words, ...) \
    run_refused((const char *const[]){__VA_ARGS__, NULL}, status, words)

static void test_refuses(void **state)
{
    kn_job *job;
    kn_report *report;
    kn_error err = {0};

    (void)state;
    REFUSED(KN_EUSAGE, "say what to sweep over", PEOPLE, "k", "2");
    REFUSED(KN_EUSAGE, "name the table", "sweep", "k=2", "qi", "age");
    REFUSED(KN_EUSAGE, "standard output", PEOPLE, "sweep", "k=2,3", "output", "-");
    REFUSED(KN_EUSAGE, "100 releases are the most", PEOPLE, "sweep", "k=1:101:1", "output",
            "out.csv");
    REFUSED(KN_EUSAGE, "--sweep: --effort belongs to local", PEOPLE, "k", "2", "method", "flash",
            "sweep", "effort=1,2");
    REFUSED(KN_EUSAGE, "--sweep: --l belongs to l-diversity", PEOPLE, "k", "2", "sweep", "l=2");
    REFUSED(KN_EUSAGE, "say what must hold", PEOPLE, "sweep", "suppression=0,0.1");
    REFUSED(KN_EUSAGE, "item-suppression", PEOPLE, "k", "2", "sweep", "item-suppression=0.1");
    REFUSED(KN_EINPUT, "absent.csv: there is no such file", "input", "absent.csv", "qi", "age",
            "sweep", "k=2,3");
    REFUSED(KN_EUSAGE, "out.k=2.html: both the output and a report", PEOPLE, "sweep", "k=2,3",
            "output", "out.html", "report", "out.k=2.html");
    put_file("out.k=3.csv", "a\n1\n");
    REFUSED(KN_EUSAGE, "out.k=3.csv: the output would overwrite the input", "input", "out.k=3.csv",
            "qi", "a", "sweep", "k=2,3", "output", "out.csv");
    job = job_with((const char *const[]){PEOPLE, "sweep", "k=2,3", "output", "out.csv", NULL});
    assert_int_equal(kn_job_run(&report, job, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "kn_sweep_run"));
    kn_job_free(job);
}

/* A release that fails its check ends all, the values before it included. */
static void test_broken_release(void **state)
{
    size_t broken = 0;

    (void)state;
    for (size_t call = 1; call <= 16; call++) {
        kn_job *job = job_with((const char *const[]){PEOPLE, "sweep", "k=2,3", "method", "mondrian",
                                                     "output", "out.csv", "report", "r.json",
                                                     NULL});
        kn_sweep *s = NULL;
        kn_error err = {0};
        kn_status st;
        fail_at = call;
        st = kn_sweep_run(&s, job, NULL, &err);
        fail_at = 0;
        if (st != KN_OK) { /* the others are of the reports, which only tell what was found */
            assert_int_equal(st, KN_EBROKEN);
            assert_non_null(strstr(err.message, "the release was withheld"));
            assert_int_equal(strncmp(err.message, broken == 0 ? "k=2: " : "k=3: ", 5), 0);
            assert_null(s);
            assert_int_equal(files_made(false), 0);
            broken++;
        }
        kn_sweep_free(s);
        kn_job_free(job);
        (void)files_made(true);
    }
    assert_int_equal(broken, 2);
}

static size_t steps, named;

static int stop_after(void *user, const char *phase, double done)
{
    (void)done;
    named += strncmp(phase, "k=3: ", 5) == 0;
    return steps++ >= *(const size_t *)user;
}

static void test_cancelled(void **state)
{
    kn_job *job = job_with((const char *const[]){PEOPLE, "sweep", "k=2,3", "method", "mondrian",
                                                 "output", "out.csv", "report", "r.json", NULL});
    const size_t before = kn_memory_in_use();
    kn_status st = KN_ECANCELLED;
    size_t cancelled = 0;

    (void)state;
    for (size_t n = 0; st == KN_ECANCELLED; n++) {
        const kn_run run = {.threads = 1, .progress = stop_after, .user = &n};
        kn_sweep *s = NULL;
        steps = named = 0;
        st = kn_sweep_run(&s, job, &run, NULL);
        assert_true(st == KN_OK || st == KN_ECANCELLED);
        assert_int_equal(files_made(false), st == KN_OK ? 3 : 0);
        kn_sweep_free(s);
        assert_int_equal(kn_memory_in_use(), before);
        cancelled += st == KN_ECANCELLED;
    }
    assert_true(cancelled > 2);
    assert_true(named > 0);
    kn_job_free(job);
}

/* Everything of ours that can run out does, once at each place. */
static void memory_runs_out(kn_job *job)
{
    const size_t before = kn_memory_in_use();
    const kn_run run = {.threads = 1};
    bool failed = true;

    for (size_t n = 1; failed; n += n < 500 ? 1 : 7) {
        kn_sweep *s = NULL;
        kn_error err = {0};
        kn_status st;
        kn__memory_fail_after(n);
        st = kn_sweep_run(&s, job, &run, &err);
        failed = kn__memory_failed();
        kn__memory_fail_after(0);
        if (st != (failed ? KN_ENOMEM : KN_OK)) {
            fail_msg("allocation %zu: %d, %s", n, (int)st, err.message);
        }
        assert_int_equal(s == NULL, failed);
        assert_int_equal(files_made(false), failed ? 0 : 3);
        kn_sweep_free(s);
        if (kn_memory_in_use() != before) {
            fail_msg("allocation %zu: %zu bytes leaked", n, kn_memory_in_use() - before);
        }
        (void)files_made(true);
    }
    kn_job_free(job);
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    put_file("small.csv", "age,sex\n34,f\n36,m\n35,f\n52,m\n57,f\n");
    memory_runs_out(job_with((const char *const[]){
        "input", "small.csv", "qi", "age,sex", "sweep", "k=2,9", "method", "mondrian", "output",
        "out.csv", "report", "r.json", "report", "r.html", NULL}));
}

/* Where one value leaves something for the next. */
static void test_memory_runs_out_with_items(void **state)
{
    (void)state;
    put_file("small.csv", "age,items\n34,a|b\n36,b\n35,a|c\n52,c\n57,a|b|c\n58,b|c\n");
    memory_runs_out(job_with((const char *const[]){"input",       "small.csv",
                                                   "qi",          "age",
                                                   "items",       "items",
                                                   "item-weight", "a=0.5",
                                                   "guarantee",   "k-km-anonymity",
                                                   "k",           "2",
                                                   "m",           "2",
                                                   "method",      "tum-bound",
                                                   "sweep",       "delta=0.01,0.9",
                                                   "output",      "out.csv",
                                                   "report",      "r.json",
                                                   "report",      "r.html",
                                                   NULL}));
}

/* As a file: a list of the texts of the option, or one; what is wrong with it names the file. */
static void test_job_file(void **state)
{
    static const char good[] = "{\"input\": \"t.csv\", \"qi\": [\"age\"], \"sweep\": \"k=2,5\"}";
    static const char *const bad[] = {"{\"sweep\": \"k=5:2:1\"}", "{\"sweep\": 3}",
                                      "{\"sweep\": {\"k\": [2, 3]}}"};
    kn_job *job;
    kn_error err = {0};
    char *text;

    (void)state;
    assert_int_equal(kn_job_parse(&job, good, strlen(good), "a.json", NULL, &err), KN_OK);
    assert_string_equal(kn_job_get(job, "sweep", 0), "k=2,5");
    assert_int_equal(kn_job_json(&text, job, NULL), KN_OK);
    assert_non_null(strstr(text, "\"k=2,5\""));
    kn_string_free(text);
    kn_job_free(job);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(kn_job_parse(&job, bad[i], strlen(bad[i]), "a.json", NULL, &err),
                         KN_EINPUT);
        assert_int_equal(strncmp(err.message, "a.json: ", 8), 0);
        assert_non_null(strstr(err.message, "sweep"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_random_ranges),
        cmocka_unit_test(test_refuses_values),
        cmocka_unit_test_setup(test_as_alone, setup),
        cmocka_unit_test_setup(test_order_and_threads, setup),
        cmocka_unit_test_setup(test_without_output, setup),
        cmocka_unit_test_setup(test_none_works, setup),
        cmocka_unit_test(test_paths),
        cmocka_unit_test_setup(test_refuses, setup),
        cmocka_unit_test_setup(test_broken_release, setup),
        cmocka_unit_test_setup(test_cancelled, setup),
        cmocka_unit_test_setup(test_memory_runs_out, setup),
        cmocka_unit_test_setup(test_memory_runs_out_with_items, setup),
        cmocka_unit_test(test_job_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
