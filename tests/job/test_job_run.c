/* test_job_run.c - jobs from file to checked file. Runs in a scratch folder. */
#include "base/memory.h"
#include "job/job.h"

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

static const char table[] = "name,age,sex,diagnosis\n"
                            "Ada,34,f,flu\nBo,36,m,asthma\nCleo,35,f,flu\nDan,52,m,diabetes\n"
                            "Eve,57,f,flu\nFinn,51,m,asthma\nGus,58,m,flu\nHal,33,m,diabetes\n";

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
    char *text = calloc(1, 1 << 16);
    size_t len;

    assert_non_null(file);
    assert_non_null(text);
    len = fread(text, 1, (1 << 16) - 1, file);
    text[len] = '\0';
    assert_int_equal(fclose(file), 0);
    return text;
}

static bool exists(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0;
}

/* A job of name/value pairs, NULL at the end. */
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
    (void)state;
    put_file("table.csv", table);
    put_file("age.csv", "33;30-39;*\n34;30-39;*\n35;30-39;*\n36;30-39;*\n51;50-59;*\n52;50-59;*\n"
                        "57;50-59;*\n58;50-59;*\n");
    (void)unlink("out.csv");
    (void)unlink("r.json");
    (void)unlink("r.html");
    return 0;
}

static const char *const usual[] = {"input",     "table.csv",   "output",    "out.csv", "id",
                                    "name",      "qi",          "age,sex",   "k",       "2",
                                    "hierarchy", "age=age.csv", "report",    "r.json",  "report",
                                    "r.html",    "sensitive",   "diagnosis", "method",  "flash",
                                    NULL};

static void test_runs(void **state)
{
    kn_job *job = job_with(usual);
    kn_report *report = NULL;
    kn_error err = {0};
    char *text;

    (void)state;
    if (kn_job_run(&report, job, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_true(kn_report_satisfied(report));
    assert_true(isfinite(kn_report_utility(report, "loss")));
    text = file_text("out.csv");
    assert_int_equal(strncmp(text, "age,sex,diagnosis\n", 18), 0);
    assert_null(strstr(text, "Ada"));
    free(text);
    text = file_text("r.json");
    assert_non_null(strstr(text, "\"satisfied\""));
    assert_null(strstr(text, "Ada"));
    free(text);
    assert_true(exists("r.html"));
    kn_report_free(report);
    kn_job_free(job);
}

static void run_refused(const char *const *pairs, kn_status wanted, const char *words)
{
    kn_job *job = job_with(pairs);
    kn_report *report = (kn_report *)1;
    kn_error err = {0};
    const kn_status st = kn_job_run(&report, job, NULL, &err);

    if (st != wanted || !strstr(err.message, words)) {
        fail_msg("%d: '%s' does not say '%s'", (int)st, err.message, words);
    }
    assert_null(report);
    assert_false(exists("out.csv"));
    assert_false(exists("r.json"));
    kn_job_free(job);
}
#define REFUSED(status, words, ...) \
    run_refused((const char *const[]){__VA_ARGS__, NULL}, (status), (words))

static void test_refused(void **state)
{
    (void)state;
    REFUSED(KN_EUSAGE, "name the table", "output", "out.csv", "k", "2", "qi", "age");
    REFUSED(KN_EUSAGE, "say where to write", "input", "table.csv", "k", "2", "qi", "age");
    REFUSED(KN_EUSAGE, "say what must hold", "input", "table.csv", "output", "out.csv", "qi",
            "age");
    REFUSED(KN_EUSAGE, "no role was chosen for 4 columns: name, age, sex, diagnosis", "input",
            "table.csv", "output", "out.csv", "k", "2");
    REFUSED(KN_EUSAGE, "no column is a quasi-identifier", "input", "table.csv", "output", "out.csv",
            "k", "2", "drop-rest", "true");
    REFUSED(KN_EUSAGE, "overwrite the input", "input", "table.csv", "output", "table.csv", "k", "2",
            "qi", "age");
    REFUSED(KN_EUSAGE, "overwrite the hierarchies", "input", "table.csv", "output", "./age.csv",
            "k", "2", "qi", "age", "hierarchy", "age=age.csv");
    put_file("with.json", "{\"columns\": {\"age\": {\"role\": \"quasi-identifier\", \"hierarchy\": "
                          "\"age.csv\"}}}");
    REFUSED(KN_EUSAGE, "overwrite the hierarchies", "input", "table.csv", "output", "age.csv", "k",
            "2", "schema", "with.json");
    REFUSED(KN_EUSAGE, "overwrite the schema", "input", "table.csv", "output", "with.json", "k",
            "2", "schema", "./with.json");
    REFUSED(KN_EUSAGE, "overwrite the hierarchies", "input", "table.csv", "output", "age.csv", "k",
            "2", "qi", "sex", "hierarchies", ".");
    (void)mkdir("bare", 0777);
    REFUSED(KN_EINPUT, "bare: no file in this folder", "input", "table.csv", "output", "out.csv",
            "drop-rest", "true", "k", "2", "qi", "sex", "hierarchies", "bare");
    REFUSED(KN_EUSAGE, "both the output and a report", "input", "table.csv", "output", "./r.json",
            "k", "2", "qi", "age", "report", "r.json");
    REFUSED(KN_EUSAGE, "two reports with one name", "input", "table.csv", "output", "out.csv", "k",
            "2", "qi", "age", "report", "r.json", "report", "./r.json");
    REFUSED(KN_EIO, "cannot write the report", "input", "table.csv", "output", "out.csv", "k", "2",
            "qi", "age", "report", "absent/r.json");
    REFUSED(KN_EIO, "cannot write the output", "input", "table.csv", "output", "absent/out.csv",
            "k", "2", "qi", "age");
    REFUSED(KN_EIO, "this is a folder", "input", "table.csv", "output", "/", "k", "2", "qi", "age");
    REFUSED(KN_EUSAGE, "did you mean 'age'?", "input", "table.csv", "output", "out.csv", "k", "2",
            "qi", "agee", "report", "r.json");
    REFUSED(KN_EUSAGE, "--hierarchy: there is no column 'wieght'", "input", "table.csv", "output",
            "out.csv", "k", "2", "qi", "age", "hierarchy", "wieght=age.csv");
    REFUSED(KN_EINFEASIBLE, "at most", "input", "table.csv", "output", "out.csv", "k", "9", "qi",
            "age", "drop-rest", "true", "report", "r.json");
    REFUSED(KN_EUSAGE, "no role was chosen for 3 columns: name, sex, diagnosis", "input",
            "table.csv", "output", "out.csv", "k", "2", "qi", "age");
    REFUSED(KN_EUSAGE, "1 kept column can single people out", "input", "table.csv", "output",
            "out.csv", "k", "2", "qi", "age", "keep-rest", "true");
    REFUSED(KN_EUSAGE, "--drop-rest and --keep-rest are both", "input", "table.csv", "output",
            "out.csv", "k", "2", "qi", "age", "keep-rest", "true", "drop-rest", "true");
    REFUSED(KN_EUSAGE, "--allow-unique: there is no column 'nmae'", "input", "table.csv", "output",
            "out.csv", "k", "2", "qi", "age", "keep-rest", "true", "allow-unique", "nmae");
    REFUSED(KN_EINPUT, "absent.csv", "input", "absent.csv", "output", "out.csv", "k", "2", "qi",
            "age", "report", "r.json");
    REFUSED(KN_EINPUT, "absent.json", "input", "table.csv", "output", "out.csv", "k", "2", "schema",
            "absent.json");
}

static void test_schema_columns_must_be_there(void **state)
{
    kn_job *job;
    kn_dataset *ds;
    kn_error err = {0};

    (void)state;
    put_file("s.json", "{\"columns\": {\"name\": {\"role\": \"identifier\"}, \"age\": {\"role\": "
                       "\"quasi-identifier\", \"type\": \"integer\"}}}");
    put_file("release.csv", "age,sex\n[30-39],f\n[30-39],m\n");
    job = job_with((const char *const[]){"schema", "s.json", NULL});
    assert_int_equal(kn_job_table(&ds, job, "release.csv", KN_TABLE_ORIGINAL, false, NULL, &err),
                     KN_EINPUT);
    assert_null(ds);
    err = (kn_error){0};
    assert_int_equal(kn_job_table(&ds, job, "release.csv", KN_TABLE_RELEASE, false, NULL, &err),
                     KN_OK);
    assert_int_equal(kn_dataset_type(ds, 0), KN_TYPE_CATEGORY);
    assert_int_equal(kn_dataset_role(ds, 0), KN_ROLE_QUASI);
    kn_dataset_free(ds);
    put_file("release.csv", "sex\nf\nm\n");
    assert_int_equal(kn_job_table(&ds, job, "release.csv", KN_TABLE_RELEASE, false, NULL, &err),
                     KN_EINPUT);
    assert_non_null(strstr(err.message, "s.json: there is no column 'age'"));
    kn_job_free(job);
}

static int cancel_at(void *user, const char *phase, double done)
{
    size_t *left = user;

    (void)phase;
    (void)done;
    return (*left)-- == 0;
}

/* Lists, on two threads: the hierarchy is read beside the table, check and measure run side by
 * side. */
static const char *const lists[] = {
    "input", "lists.dat", "output", "out.csv", "guarantee", "km-anonymity",      "k", "2",
    "m",     "2",         "format", "dat",     "hierarchy", "items=letters.csv", NULL};

static kn_job *job_of_lists(void)
{
    put_file("lists.dat", "a b\nb c\na c d\n\nd e\na\nb d e\n");
    put_file("letters.csv", "a;ab;*\nb;ab;*\nc;cde;*\nd;cde;*\ne;cde;*\n");
    return job_with(lists);
}

static void cancel_anywhere(kn_job *job, unsigned threads)
{
    const size_t before = kn_memory_in_use();
    kn_status st = KN_ECANCELLED;

    for (size_t n = 0; st == KN_ECANCELLED; n++) {
        size_t left = n;
        const kn_run run = {.threads = threads, .progress = cancel_at, .user = &left};
        kn_error err = {0};
        st = kn_job_run(NULL, job, &run, &err);
        assert_true(st == KN_OK || st == KN_ECANCELLED);
        assert_int_equal(exists("out.csv"), st == KN_OK);
        assert_int_equal(exists("r.json"), st == KN_OK && kn_job_get(job, "report", 0));
        assert_int_equal(kn_memory_in_use(), before);
    }
    kn_job_free(job);
}

static void test_cancelled_anywhere(void **state)
{
    (void)state;
    cancel_anywhere(job_with(usual), 0);
    (void)remove("out.csv");
    (void)remove("r.json");
    cancel_anywhere(job_of_lists(), 2);
}

static int cancel_measure(void *user, const char *phase, double done)
{
    (void)user;
    (void)done;
    return strcmp(phase, "measure") == 0;
}

/* A caller who asks to stop while the release is being measured gets no release. */
static void test_cancelled_while_measured(void **state)
{
    kn_job *job = job_of_lists();

    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        const kn_run run = {.threads = threads, .progress = cancel_measure};
        assert_int_equal(kn_job_run(NULL, job, &run, NULL), KN_ECANCELLED);
        assert_false(exists("out.csv"));
    }
    kn_job_free(job);
}

/* What is wrong with the table is said before a hierarchy is looked at that comes through a pipe.
 */
static void test_pipes_are_not_read_ahead(void **state)
{
    const kn_run run = {.threads = 2};
    kn_job *job = job_of_lists();
    kn_error err = {0};

    (void)state;
    (void)unlink("letters.csv");
    (void)unlink("lists.dat");
    assert_int_equal(mkfifo("letters.csv", 0600), 0);
    (void)alarm(60); /* rather than wait for somebody to write */
    assert_int_equal(kn_job_run(NULL, job, &run, &err), KN_EINPUT);
    (void)alarm(0);
    assert_non_null(strstr(err.message, "lists.dat"));
    kn_job_free(job);
    (void)unlink("letters.csv");
}

/* Everything of ours that can run out does, once at each place; with one thread the places are the
 * same every time. */
static void run_out_of_memory(kn_job *job, unsigned threads)
{
    const size_t before = kn_memory_in_use();
    const kn_run run = {.threads = threads};
    bool failed = true;

    for (size_t n = 1; failed; n += n < 400 ? 1 : 7) {
        kn_report *report = NULL;
        kn_error err = {0};
        kn_status st;
        kn__memory_fail_after(n);
        st = kn_job_run(&report, job, &run, &err);
        failed = kn__memory_failed();
        kn__memory_fail_after(0);
        if (st != (failed ? KN_ENOMEM : KN_OK)) {
            fail_msg("allocation %zu: %d, %s", n, (int)st, err.message);
        }
        assert_int_equal(report == NULL, failed);
        assert_int_equal(exists("out.csv"), !failed);
        assert_int_equal(exists("r.html"), !failed && kn_job_get(job, "report", 0));
        kn_report_free(report);
        if (kn_memory_in_use() != before) {
            fail_msg("allocation %zu: %zu bytes leaked", n, kn_memory_in_use() - before);
        }
    }
    kn_job_free(job);
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    run_out_of_memory(job_with(usual), 1);
}

static void test_memory_runs_out_side_by_side(void **state)
{
    (void)state;
    run_out_of_memory(job_of_lists(), 2);
}

/* The job file is one of the outputs: it appears with the release and the reports, or nothing does.
 */
static void test_saved_with_the_release(void **state)
{
    kn_job *job = job_with(usual);
    kn_error err = {0};

    (void)state;
    (void)unlink("job.json");
    assert_int_equal(kn_job_set(job, "report", "r.json", NULL), KN_OK);
    assert_int_equal(kn_job_save_as(job, "job.json", NULL), KN_OK);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(kn_job_save_as(job, "/dev/full", NULL), KN_OK);
        assert_int_equal(kn_job_run(NULL, job, NULL, &err), KN_EIO);
        assert_false(exists("out.csv") || exists("r.json"));
        assert_int_equal(kn_job_save_as(job, "job.json", NULL), KN_OK);
    }
    assert_int_equal(kn_job_run(NULL, job, NULL, &err), KN_OK);
    assert_true(exists("out.csv") && exists("r.json") && exists("job.json"));
    (void)unlink("job.json");
    assert_int_equal(kn_job_save_as(job, "out.csv", NULL), KN_OK);
    assert_int_equal(kn_job_run(NULL, job, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "is written twice"));
    assert_int_equal(kn_job_save_as(job, NULL, NULL), KN_OK);
    assert_int_equal(kn_job_run(NULL, job, NULL, &err), KN_OK);
    assert_false(exists("job.json"));
    kn_job_free(job);
}

static void test_write_and_read(void **state)
{
    kn_job *job = job_with(usual), *again;
    char *one, *two;

    (void)state;
    assert_int_equal(kn_job_write(job, "job.json", NULL), KN_OK);
    assert_int_equal(kn_job_read(&again, "job.json", NULL), KN_OK);
    assert_int_equal(kn_job_json(&one, job, NULL), KN_OK);
    assert_int_equal(kn_job_json(&two, again, NULL), KN_OK);
    assert_string_equal(one, two);
    kn_string_free(one);
    kn_string_free(two);
    kn_job_free(again);
    (void)mkdir("elsewhere", 0777);
    assert_int_equal(kn_job_write(job, "elsewhere/job.json", NULL), KN_OK);
    assert_int_equal(kn_job_read(&again, "elsewhere/job.json", NULL), KN_OK);
    assert_int_equal(kn_job_get(again, "input", 0)[0], '/');
    assert_true(exists(kn_job_get(again, "input", 0)));
    kn_job_free(again);
    assert_int_equal(kn_job_write(job, "absent/job.json", NULL), KN_EIO);
    assert_int_equal(kn_job_read(&again, "absent.json", NULL), KN_EINPUT);
    assert_null(again);
    kn_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_runs, setup),
        cmocka_unit_test_setup(test_refused, setup),
        cmocka_unit_test_setup(test_schema_columns_must_be_there, setup),
        cmocka_unit_test_setup(test_cancelled_anywhere, setup),
        cmocka_unit_test_setup(test_cancelled_while_measured, setup),
        cmocka_unit_test_setup(test_pipes_are_not_read_ahead, setup),
        cmocka_unit_test_setup(test_memory_runs_out, setup),
        cmocka_unit_test_setup(test_memory_runs_out_side_by_side, setup),
        cmocka_unit_test_setup(test_write_and_read, setup),
        cmocka_unit_test_setup(test_saved_with_the_release, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
