/* test_misuse_counts.c - records that stand for several people each: counts that make no sense, and
 * what takes a record for one person refuses them by its name. */
#include <kanon.h>

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static kn_error err;

#define REFUSED(call, words)                                                  \
    do {                                                                      \
        memset(&err, 0, sizeof err);                                          \
        assert_int_equal(call, KN_EUSAGE);                                    \
        if (!strstr(err.message, (words))) {                                  \
            fail_msg("'%s' is not in the message: %s", (words), err.message); \
        }                                                                     \
    } while (0)

/* Two records, for 5 and 7 people. */
static kn_dataset *small(bool counted)
{
    static const char *const names[] = {"q", "s"};
    static const char *const records[][2] = {{"1", "2"}, {"2", "3"}};
    const uint64_t counts[] = {5, 7};
    kn_schema *schema = NULL;
    kn_dataset_builder *b = NULL;
    kn_dataset *ds = NULL;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "q", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "s", KN_ROLE_SENSITIVE, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 2, schema, NULL), KN_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(kn_dataset_builder_add(b, records[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    if (counted) {
        assert_int_equal(kn_dataset_set_counts(ds, counts, 2, NULL), KN_OK);
    }
    kn_schema_free(schema);
    return ds;
}

static void counts_that_make_no_sense(void **state)
{
    const uint64_t good[] = {1, 2}, zero[] = {1, 0}, many[] = {4294967294u, 1};
    kn_dataset *ds = small(false);

    (void)state;
    REFUSED(kn_dataset_set_counts(NULL, good, 2, &err), "NULL");
    REFUSED(kn_dataset_set_counts(ds, NULL, 2, &err), "NULL");
    REFUSED(kn_dataset_set_counts(ds, good, 1, &err), "1 counts for 2 records");
    assert_int_equal(kn_dataset_set_counts(ds, zero, 2, &err), KN_EINPUT);
    assert_int_equal(kn_dataset_set_counts(ds, many, 2, &err), KN_EINPUT);
    assert_int_equal(kn_dataset_people(ds), 2);
    assert_int_equal(kn_dataset_people(NULL), 0);
    assert_int_equal(kn_dataset_set_counts(ds, good, 2, &err), KN_OK);
    assert_int_equal(kn_dataset_people(ds), 3);
    kn_dataset_free(ds);
}

static void other_methods_refuse(void **state)
{
    static const char *const methods[] = {NULL, "local", "mondrian", "cluster", "tds", "id3"};
    const kn_guarantee k = {KN_INIT(kn_guarantee), .kind = KN_K_ANONYMITY, .k = 2};
    const kn_guarantee km = {KN_INIT(kn_guarantee), .kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    const kn_point_options strict = {KN_INIT(kn_point_options), .strict = true};
    kn_anonymize_options o = {KN_INIT(kn_anonymize_options), .guarantees = &k,
                              .guarantees_count = 1};
    kn_dataset *ds = small(true);
    kn_release *r = NULL;
    kn_verdict *v = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        o.method = methods[i];
        REFUSED(kn_anonymize(&r, ds, NULL, &o, NULL, &err), methods[i] ? methods[i] : "local");
        assert_non_null(strstr(err.message, "flash"));
    }
    o.method = NULL;
    o.guarantees = &km;
    REFUSED(kn_anonymize(&r, ds, NULL, &o, NULL, &err), "holds any");
    REFUSED(kn_check(&v, ds, &km, 1, NULL, NULL, &err), "km-anonymity");
    o = (kn_anonymize_options){KN_INIT(kn_anonymize_options), .guarantees = &k,
                               .guarantees_count = 1, .method = "flash", .points = &strict};
    REFUSED(kn_anonymize(&r, ds, NULL, &o, NULL, &err), "strict");
    o.points = NULL;
    assert_int_equal(kn_dataset_set_role(ds, 1, KN_ROLE_KEPT, &err), KN_OK);
    assert_int_equal(kn_dataset_allow_unique(ds, 1, &err), KN_OK);
    REFUSED(kn_anonymize(&r, ds, NULL, &o, NULL, &err), "drop 's'");
    kn_dataset_free(ds);
}

/* Whatever counts a record as one person refuses by its name. */
static void what_counts_rows_refuses(void **state)
{
    const kn_guarantee k = {KN_INIT(kn_guarantee), .kind = KN_K_ANONYMITY, .k = 2};
    const kn_anonymize_options o = {KN_INIT(kn_anonymize_options), .guarantees = &k,
                                    .guarantees_count = 1, .method = "flash"};
    const kn_mine_options mine = {KN_INIT(kn_mine_options), .kind = KN_MODEL_TREE, .k = 2};
    const kn_build_options build = {KN_INIT(kn_build_options)};
    const kn_partial_options parts = {KN_INIT(kn_partial_options), .guarantees = &k,
                                      .guarantees_count = 1};
    kn_dataset *ds = small(true), *rows = small(false);
    struct ArrowArrayStream stream = {0};
    kn_release *r = NULL;
    kn_verdict *v = NULL;
    kn_measures *measures = NULL;
    kn_query_error queries;
    kn_mining mining;
    kn_risk risk;
    kn_class_sizes sizes;
    kn_uniqueness *unique = NULL;
    kn_model *model = NULL;
    kn_points *points = NULL;
    kn_profile *profile = NULL;
    kn_open_columns *open = NULL;
    kn_hierarchy *h = NULL;
    kn_hierarchy_advice advice;
    kn_dictionary *d = NULL;
    kn_partial *p = NULL;
    kn_outcome outcome = {0};
    size_t count;

    (void)state;
    REFUSED(kn_write(ds, "x.csv", NULL, NULL, &err), "kn_write");
    REFUSED(kn_dataset_to_arrow(&stream, ds, NULL, &err), "kn_dataset_to_arrow");
    REFUSED(kn_query_error_measure(&queries, ds, ds, NULL, NULL, NULL, &err), "kn_query_error");
    REFUSED(kn_mining_measure(&mining, rows, ds, NULL, NULL, NULL, &err), "kn_mining_measure");
    REFUSED(kn_risk_measure(&risk, ds, NULL, 0.2, NULL, &err), "kn_risk_measure");
    REFUSED(kn_risk_measure(&risk, rows, ds, 0.2, NULL, &err), "kn_risk_measure");
    REFUSED(kn_uniqueness_measure(&unique, &count, ds, 2, NULL, &err), "kn_uniqueness_measure");
    REFUSED(kn_mine(&model, ds, NULL, &mine, NULL, &err), "kn_mine");
    REFUSED(kn_profile_make(&profile, ds, NULL, &err), "kn_profile_make");
    REFUSED(kn_open_columns_find(&open, ds, &k, 1, NULL, &err), "kn_open_columns_find");
    REFUSED(kn_open_columns_refuse(ds, &k, 1, NULL, &err), "kn_open_columns_refuse");
    REFUSED(kn_accept_suggested(ds, &k, 1, NULL, &err), "kn_accept_suggested");
    REFUSED(kn_hierarchy_build(&h, ds, 0, &build, &err), "kn_hierarchy_build");
    REFUSED(kn_hierarchy_suggest(&advice, ds, 0, false, &err), "kn_hierarchy_suggest");
    REFUSED(kn_measure(&measures, ds, rows, NULL, NULL, NULL, &err), "other do not");
    REFUSED(kn_measure(&measures, ds, ds, NULL, NULL, NULL, &err), "matching records");
    assert_int_equal(kn_dictionary_new(&d, &err), KN_OK);
    assert_int_equal(kn_dictionary_add(d, ds, &err), KN_OK);
    assert_int_equal(kn_partial_new(&p, d, &parts, &err), KN_OK);
    REFUSED(kn_partial_add(p, ds, NULL, &err), "kn_partial_add");
    assert_int_equal(kn_check(&v, ds, &k, 1, NULL, NULL, &err), KN_OK);
    REFUSED(kn_points_find(&points, ds, &k, 1, v, NULL, NULL, &err), "kn_points_find");
    assert_int_equal(kn_anonymize(&r, ds, NULL, &o, NULL, &err), KN_OK);
    REFUSED(kn_publish(NULL, r, "x.csv", NULL, NULL, &err), "people each");
    REFUSED(kn_release_to_arrow(&stream, NULL, r, NULL, NULL, &err), "kn_release_to_arrow");
    assert_null(stream.release);
    assert_int_equal(kn_release_verify(&outcome, r, NULL, &err), KN_OK);
    assert_int_equal(kn_class_sizes_count(&sizes, ds, NULL, &err), KN_OK);
    assert_int_equal(sizes.count, 2);
    assert_int_equal(sizes.size[0], 5);
    assert_int_equal(sizes.size[1], 7);
    kn_class_sizes_free(&sizes);
    kn_outcome_clear(&outcome);
    kn_release_free(r);
    kn_verdict_free(v);
    kn_partial_free(p);
    kn_dictionary_free(d);
    kn_dataset_free(ds);
    kn_dataset_free(rows);
}

static void parts_of_a_job(void **state)
{
    const kn_guarantee k = {KN_INIT(kn_guarantee), .kind = KN_K_ANONYMITY, .k = 2};
    const kn_run run = {.size = 1};
    kn_anonymize_options options;
    kn_params *params = NULL;
    kn_job *job = NULL;
    kn_dataset *ds = small(false);

    (void)state;
    assert_int_equal(kn_job_new(&job, &err), KN_OK);
    REFUSED(kn_job_anonymize_options(NULL, &params, job, &k, 1, &err), "NULL");
    REFUSED(kn_job_anonymize_options(&options, NULL, job, &k, 1, &err), "NULL");
    REFUSED(kn_job_anonymize_options(&options, &params, NULL, &k, 1, &err), "NULL");
    REFUSED(kn_job_anonymize_options(&options, &params, job, NULL, 1, &err), "NULL");
    REFUSED(kn_job_anonymize_options(&options, &params, job, &k, 0, &err), "no guarantee");
    assert_int_equal(kn_job_set(job, "method", "flash", &err), KN_OK);
    assert_int_equal(kn_job_set(job, "objective", "ncp", &err), KN_OK);
    assert_int_equal(kn_job_set(job, "suppression", "5%", &err), KN_OK);
    assert_int_equal(kn_job_anonymize_options(&options, &params, job, &k, 1, &err), KN_OK);
    assert_string_equal(options.method, "flash");
    assert_true(options.suppression == 0.05);
    assert_ptr_equal(options.params, params);
    kn_params_free(params);
    REFUSED(kn_open_columns_refuse(NULL, &k, 1, NULL, &err), "NULL");
    REFUSED(kn_open_columns_refuse(ds, &k, 1, &run, &err), "KN_INIT");
    assert_int_equal(kn_open_columns_refuse(ds, &k, 1, NULL, &err), KN_OK);
    assert_int_equal(kn_dataset_set_role(ds, 1, KN_ROLE_UNSET, &err), KN_OK);
    REFUSED(kn_open_columns_refuse(ds, &k, 1, NULL, &err), "no role was chosen for 1 column");
    kn_job_free(job);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_that_make_no_sense),
                                       cmocka_unit_test(other_methods_refuse),
                                       cmocka_unit_test(what_counts_rows_refuses),
                                       cmocka_unit_test(parts_of_a_job)};

    return cmocka_run_group_tests_name("api.misuse_counts", tests, NULL, NULL);
}
