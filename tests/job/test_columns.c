/* test_columns.c - a job with very many columns asks often whether it shall stop. */
#include "data/dataset.h"
#include "job/job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { COLUMNS = 100000 };

static double cpu_seconds(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct gaps {
    double last, longest;
    char phase[64];
} gaps;

static int step(void *user, const char *phase, double done)
{
    gaps *g = user;
    const double now = cpu_seconds();

    (void)done;
    if (now - g->last > g->longest) {
        g->longest = now - g->last;
        (void)snprintf(g->phase, sizeof g->phase, "%s", phase);
    }
    g->last = now;
    return 0;
}

static void test_steps(void **state)
{
    FILE *file = fopen("wide.csv", "w");
    gaps g = {.last = cpu_seconds()};
    const kn_run run = {.threads = 1, .progress = step, .user = &g};
    static const char *const pairs[][2] = {{"input", "wide.csv"},
                                           {"output", "out.csv"},
                                           {"qi", "c1,c2"},
                                           {"keep-rest", "true"},
                                           {"k", "2"}};
    kn_job *job;
    kn_error err = {0};

    (void)state;
    assert_non_null(file);
    for (int row = 0; row < 3; row++) {
        for (int i = 0; i < COLUMNS; i++) {
            (void)fprintf(file, row ? "%s%d" : "%sc%d", i ? "," : "", row ? i % 13 : i);
        }
        (void)fputc('\n', file);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(kn_job_new(&job, NULL), KN_OK);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_int_equal(kn_job_set(job, pairs[i][0], pairs[i][1], NULL), KN_OK);
    }
    g.last = cpu_seconds();
    if (kn_job_run(NULL, job, &run, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    if (g.longest > 1.5) {
        fail_msg("%.1f s of processor time before %s", g.longest, g.phase);
    }
    kn_job_free(job);
    (void)remove("wide.csv");
    (void)remove("out.csv");
}

/* Checking k-anonymity needs no values but those of the quasi-identifiers. */
static void test_checked(void **state)
{
    FILE *file = fopen("few.csv", "w");
    kn_job *job;
    kn_dataset *ds;

    (void)state;
    assert_non_null(file);
    (void)fputs("id,age,sex,note\n1,30,f,x\n2,30,f,y\n", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(kn_job_new(&job, NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "qi", "age,sex", NULL), KN_OK);
    assert_int_equal(kn_job_table(&ds, job, "few.csv", KN_TABLE_CHECKED, false, NULL, NULL), KN_OK);
    assert_null(ds->column[0].dict);
    assert_null(ds->column[3].dict);
    assert_int_equal(kn_dataset_values(ds, 1), 1);
    kn_dataset_free(ds);
    /* Whatever is named may be asked for. */
    assert_int_equal(kn_job_set(job, "sensitive", "note", NULL), KN_OK);
    assert_int_equal(kn_job_table(&ds, job, "few.csv", KN_TABLE_CHECKED, false, NULL, NULL), KN_OK);
    assert_null(ds->column[0].dict);
    assert_int_equal(kn_dataset_values(ds, 3), 2);
    kn_dataset_free(ds);
    kn_job_free(job);
    /* The only column of lists is what an attacker knows. */
    assert_int_equal(kn_job_new(&job, NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "items", "note", NULL), KN_OK);
    assert_int_equal(kn_job_table(&ds, job, "few.csv", KN_TABLE_CHECKED, false, NULL, NULL), KN_OK);
    assert_int_equal(kn_dataset_role(ds, 3), KN_ROLE_QUASI);
    assert_non_null(ds->column[0].dict);
    kn_dataset_free(ds);
    kn_job_free(job);
    (void)remove("few.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps),
                                       cmocka_unit_test(test_checked)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
