/* test_job_data.c - jobs on tables in memory: the same release as on files, and what is refused. */
#include "base/memory.h"
#include "job/job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { RECORDS = 8, COLUMNS = 3 };

static const char *const names[COLUMNS] = {"age", "sex", "diagnosis"};
static const char *const table[RECORDS][COLUMNS] = {
    {"34", "f", "flu"}, {"36", "m", "asthma"}, {"35", "f", "flu"}, {"52", "m", "diabetes"},
    {"57", "f", "flu"}, {"51", "m", "asthma"}, {"58", "m", "flu"}, {"33", "m", "diabetes"},
};

/* A stream of the table. */
static struct ArrowArrayStream stream_of_table(void)
{
    struct ArrowArrayStream stream = {0};
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_dataset_builder_new(&b, names, COLUMNS, NULL, NULL), KN_OK);
    for (size_t i = 0; i < RECORDS; i++) {
        assert_int_equal(kn_dataset_builder_add(b, table[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    assert_int_equal(kn_dataset_to_arrow(&stream, ds, NULL, NULL), KN_OK);
    kn_dataset_free(ds);
    return stream;
}

static kn_job *job_of(const char *json)
{
    kn_job *job;
    kn_error err = {0};

    if (kn_job_parse(&job, json, strlen(json), "job", NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return job;
}

static const char plain[] = "{\"qi\": [\"age\", \"sex\"], \"sensitive\": [\"diagnosis\"], "
                            "\"k\": 2, \"method\": \"mondrian\"}";

/* Run `json` on the table, with an optional hierarchy of ages; `err` says why it failed. */
static kn_status run(const char *json, const char *ages, kn_dataset **out, kn_report **report,
                     kn_error *err)
{
    struct ArrowArrayStream in = stream_of_table(), published;
    kn_job_data data = {KN_INIT(kn_job_data), .table = &in};
    kn_job *job = job_of(json);
    kn_status status;

    if (ages) {
        kn_hierarchy *h;
        assert_int_equal(kn_hierarchies_new(&data.hierarchies, NULL), KN_OK);
        assert_int_equal(kn_hierarchy_parse(&h, ages, strlen(ages), "ages", NULL), KN_OK);
        assert_int_equal(kn_hierarchies_add(data.hierarchies, "age", h, NULL), KN_OK);
    }
    *out = NULL;
    status = kn_job_run_data(&published, report, job, &data, NULL, err);
    assert_null(in.release); /* taken, whatever happened */
    assert_true((status == KN_OK) == (published.release != NULL));
    if (status == KN_OK) {
        assert_int_equal(kn_dataset_from_arrow(out, &published, NULL, NULL, err), KN_OK);
    }
    kn_job_free(job);
    return status;
}

static void assert_cell(const kn_dataset *ds, const char *column, size_t record, const char *want)
{
    const size_t at = kn_dataset_find(ds, column);
    size_t len;
    const char *text = kn_dataset_value(ds, at, kn_dataset_code(ds, at, record), &len);

    assert_int_equal(len, strlen(want));
    assert_memory_equal(text, want, len);
}

static void releases(void **state)
{
    kn_dataset *ds;
    kn_report *report = NULL;
    char *json;
    kn_error err = {0};

    (void)state;
    if (run(plain, NULL, &ds, &report, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(kn_dataset_records(ds), RECORDS);
    assert_true(kn_report_satisfied(report));
    for (size_t i = 0; i < RECORDS; i++) { /* in the order of the table, kept as it was */
        assert_cell(ds, "diagnosis", i, table[i][2]);
    }
    assert_int_equal(kn_report_json(&json, report, &err), KN_OK);
    assert_non_null(strstr(json, "\"satisfied\": true"));
    assert_non_null(strstr(json, "\"rows\": 8"));
    kn_string_free(json);
    kn_report_free(report);
    kn_dataset_free(ds);
}

static void takes_hierarchies(void **state)
{
    static const char ages[] =
        "33;young;*\n34;young;*\n35;young;*\n36;young;*\n51;old;*\n52;old;*\n"
        "57;old;*\n58;old;*\n";
    static const char flash[] =
        "{\"qi\": [\"age\"], \"drop_rest\": true, \"k\": 2, \"method\": \"flash\"}";
    kn_dataset *ds;
    kn_error err = {0};

    (void)state;
    if (run(flash, ages, &ds, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(kn_dataset_columns(ds), 1);
    assert_cell(ds, "age", 0, "young");
    assert_cell(ds, "age", 3, "old");
    kn_dataset_free(ds);
}

/* What is refused, with code and subject. */
static void refuses(void **state)
{
    static const struct {
        const char *json;
        const char *ages;
        kn_status status;
        kn_error_code code;
        const char *column, *parameter, *words;
    } cases[] = {
        {"{\"qi\": [\"aeg\"], \"drop_rest\": true, \"k\": 2}", NULL, KN_EUSAGE, KN_ERROR_NO_COLUMN,
         "aeg", "", "did you mean 'age'?"},
        {"{\"qi\": [\"age\"], \"k\": 2}", NULL, KN_EUSAGE, KN_ERROR_NO_ROLE, "sex", "",
         "no role was chosen"},
        {"{\"qi\": [\"age\"], \"drop_rest\": true}", NULL, KN_EUSAGE, KN_ERROR_PARAMETER, "",
         "guarantee", "say what must hold"},
        {"{\"qi\": [\"age\"], \"drop_rest\": true, \"guarantee\": [\"t-closeness\"]}", NULL,
         KN_EUSAGE, KN_ERROR_PARAMETER, "", "t", "needs --t"},
        {"{\"qi\": [\"age\"], \"drop_rest\": true, \"k\": 2, \"method\": \"flash\"}",
         "33;young;*\n", KN_EINPUT, KN_ERROR_UNCOVERED, "age", "", "in no row of the hierarchy"},
        {"{\"qi\": [\"sex\"], \"keep\": [\"age\"], \"drop\": [\"diagnosis\"], \"k\": 2}", NULL,
         KN_EUSAGE, KN_ERROR_SINGLES_OUT, "age", "", "can single people out"},
        {"{\"qi\": [\"sex\"], \"k\": 2, \"output\": \"x.csv\"}", NULL, KN_EUSAGE,
         KN_ERROR_PARAMETER, "", "output", "has no 'output'"},
        {"{\"qi\": [\"age\"], \"keep_rest\": true, \"k\": 2, \"strict\": true}", NULL, KN_EBROKEN,
         KN_ERROR_POINTS, "", "strict", "to settle"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kn_dataset *ds;
        kn_report *report = NULL;
        kn_error err = {0};
        const kn_status status = run(cases[i].json, cases[i].ages, &ds, &report, &err);
        if (status != cases[i].status || err.code != cases[i].code) {
            fail_msg("case %zu: %s (%s): %s", i, kn_status_name(status),
                     kn_error_code_name(err.code), err.message);
        }
        assert_string_equal(err.column, cases[i].column);
        assert_string_equal(err.parameter, cases[i].parameter);
        assert_non_null(strstr(err.message, cases[i].words));
        assert_null(ds);
        assert_null(report);
    }
}

/* A setting that is out of range is refused when the job is made. */
static void names_settings(void **state)
{
    kn_job *job;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_job_new(&job, NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "item-suppression", "7", &err), KN_EUSAGE);
    assert_int_equal(err.code, KN_ERROR_PARAMETER);
    assert_string_equal(err.parameter, "item_suppression");
    assert_int_equal(kn_job_set(job, "kk", "7", &err), KN_EUSAGE);
    assert_string_equal(err.parameter, "kk");
    kn_job_free(job);
}

static int cancel(void *user, const char *phase, double done)
{
    (void)phase, (void)done;
    return ++*(int *)user > 1;
}

static void is_cancelled(void **state)
{
    int calls = 0;
    const kn_run with = {KN_INIT(kn_run), .progress = cancel, .user = &calls};
    struct ArrowArrayStream in = stream_of_table(), published;
    const kn_job_data data = {KN_INIT(kn_job_data), .table = &in};
    kn_job *job = job_of(plain);
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_job_run_data(&published, NULL, job, &data, &with, &err), KN_ECANCELLED);
    assert_null(in.release);
    assert_null(published.release);
    kn_job_free(job);
}

/* The same of a table as it is, for those who do less than a whole job. */
static void reads_tables(void **state)
{
    struct ArrowArrayStream in = stream_of_table();
    kn_job *job = job_of(plain);
    kn_dataset *ds;

    (void)state;
    assert_int_equal(kn_job_table_data(&ds, job, &in, KN_TABLE_CHECKED, NULL, NULL), KN_OK);
    assert_null(in.release);
    assert_int_equal(kn_dataset_role(ds, 0), KN_ROLE_QUASI);
    assert_int_equal(kn_dataset_role(ds, 2), KN_ROLE_SENSITIVE);
    kn_dataset_free(ds);
    kn_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(releases),     cmocka_unit_test(takes_hierarchies),
        cmocka_unit_test(refuses),      cmocka_unit_test(names_settings),
        cmocka_unit_test(is_cancelled), cmocka_unit_test(reads_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
