/* Jobs that ask for km-anonymity: whose k it is, the role of the item column, lists of releases. */
#include "data/dataset.h"
#include "job/job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    (void)fputs(text, f);
    (void)fclose(f);
}

static kn_job *job_of(const char *const *pairs)
{
    kn_job *job = NULL;
    kn_error err = {0};

    assert_int_equal(kn_job_new(&job, NULL), KN_OK);
    for (; *pairs; pairs += 2) {
        if (kn_job_set(job, pairs[0], pairs[1], &err) != KN_OK) {
            fail_msg("%s", err.message);
        }
    }
    return job;
}

#define JOB(...) job_of((const char *const[]){__VA_ARGS__, NULL})

static void test_whose_k(void **state)
{
    kn_job *job = JOB("guarantee", "km-anonymity", "k", "5", "m", "2");
    kn_guarantee *g = NULL;
    size_t count = 0;
    char *text = NULL;

    (void)state;
    assert_int_equal(kn_job_guarantees(&g, &count, job, NULL), KN_OK);
    assert_int_equal(count, 1);
    assert_int_equal(g[0].kind, KN_KM_ANONYMITY);
    assert_int_equal(g[0].k, 5);
    assert_int_equal(g[0].m, 2);
    kn_job_guarantees_free(g);
    assert_int_equal(kn_job_json(&text, job, NULL), KN_OK);
    assert_null(strstr(text, "\"k-anonymity\""));
    kn_string_free(text);
    kn_job_free(job);
    job = JOB("guarantee", "k-anonymity,km-anonymity", "k", "5", "m", "2");
    assert_int_equal(kn_job_guarantees(&g, &count, job, NULL), KN_OK);
    assert_int_equal(count, 2);
    kn_job_guarantees_free(g);
    kn_job_free(job);
}

/* What is saved can be read: both hold the same k. Two different ones are refused. */
static void test_shared_k(void **state)
{
    static const char two[] = "{\"guarantee\": [{\"name\": \"k-anonymity\", \"k\": 5}, "
                              "{\"name\": \"km-anonymity\", \"k\": 4, \"m\": 2}]}";
    kn_job *job = JOB("guarantee", "k-anonymity,km-anonymity", "k", "5", "m", "2"), *again = NULL;
    char *text = NULL;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_job_json(&text, job, NULL), KN_OK);
    assert_int_equal(kn_job_parse(&again, text, strlen(text), "job", NULL, &err), KN_OK);
    assert_string_equal(kn_job_get(again, "k", 0), "5");
    kn_job_free(again);
    kn_string_free(text);
    kn_job_free(job);
    assert_int_equal(kn_job_parse(&again, two, strlen(two), "job", NULL, &err), KN_EINPUT);
    assert_null(again);
    assert_non_null(strstr(err.message, "given twice"));
}

static kn_role role_in(kn_job *job, const char *path, const char *column, kn_type *type)
{
    kn_dataset *ds = NULL;
    kn_error err = {0};
    kn_role role;

    if (kn_job_table(&ds, job, path, KN_TABLE_RELEASE, false, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    role = kn_dataset_role(ds, kn_dataset_find(ds, column));
    *type = kn_dataset_type(ds, kn_dataset_find(ds, column));
    kn_dataset_free(ds);
    kn_job_free(job);
    return role;
}

static void test_roles(void **state)
{
    kn_type type;

    (void)state;
    write_text("k.dat", "a b\na b b\n");
    write_text("k.csv", "age,paid,bought\n30,1|2,a|b\n31,\"[1,2]|[1,2]\",a\n");
    assert_int_equal(role_in(JOB("guarantee", "km-anonymity"), "k.dat", "items", &type),
                     KN_ROLE_QUASI);
    assert_int_equal(type, KN_TYPE_BAG);
    assert_int_equal(role_in(JOB("k", "2"), "k.dat", "items", &type), KN_ROLE_QUASI);
    assert_int_equal(role_in(JOB("keep", "items"), "k.dat", "items", &type), KN_ROLE_KEPT);
    /* numbers of a release may be ranges: a bag of texts */
    assert_int_equal(role_in(JOB("numbers", "paid"), "k.csv", "paid", &type), KN_ROLE_QUASI);
    assert_int_equal(type, KN_TYPE_BAG);
    /* beside other quasi-identifiers only when it is asked for; and of two lists, neither */
    assert_int_equal(role_in(JOB("items", "bought", "qi", "age"), "k.csv", "bought", &type),
                     KN_ROLE_UNSET);
    assert_int_equal(role_in(JOB("items", "bought", "qi", "age", "guarantee", "km-anonymity"),
                             "k.csv", "bought", &type),
                     KN_ROLE_QUASI);
    assert_int_equal(role_in(JOB("items", "bought,paid"), "k.csv", "bought", &type), KN_ROLE_UNSET);
    /* what becomes of the rest leaves the items alone that the guarantee protects */
    assert_int_equal(role_in(JOB("guarantee", "km-anonymity", "drop-rest", "true"), "k.dat",
                             "items", &type),
                     KN_ROLE_QUASI);
    assert_int_equal(role_in(JOB("items", "bought,paid", "keep-rest", "true"), "k.csv", "bought",
                             &type),
                     KN_ROLE_KEPT);
    (void)remove("k.dat");
    (void)remove("k.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whose_k),
        cmocka_unit_test(test_shared_k),
        cmocka_unit_test(test_roles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
