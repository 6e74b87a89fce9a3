/* test_misuse_more.c - structs of an unknown size, points, and what takes no arguments that could
 * be wrong. */
#include <kanon.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static kn_error err;
static kn_dataset *ds;
static const kn_guarantee two = {KN_INIT(kn_guarantee), .kind = KN_K_ANONYMITY, .k = 2};

#define REFUSED(call, words)                           \
    do {                                               \
        memset(&err, 0, sizeof err);                   \
        assert_int_equal(call, KN_EUSAGE);             \
        assert_non_null(strstr(err.message, (words))); \
    } while (0)

static int make(void **state)
{
    static const char *const names[] = {"age", "items"};
    kn_dataset_builder *b = NULL;
    kn_schema *schema = NULL;

    (void)state;
    assert_int_equal(kn_schema_new(&schema, &err), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "age", KN_ROLE_QUASI, &err), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "items", KN_ROLE_DROPPED, &err), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "items", KN_TYPE_SET, &err), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 2, schema, &err), KN_OK);
    for (int i = 0; i < 8; i++) {
        const char *const record[] = {i % 2 ? "34" : "35", "a|b"};
        assert_int_equal(kn_dataset_builder_add(b, record, &err), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, &err), KN_OK);
    kn_schema_free(schema);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    kn_dataset_free(ds);
    return 0;
}

/* A struct of another size is of another version: it is refused, and nothing is done. */
static void sizes(void **state)
{
    const char *words = "begin it with KN_INIT";
    const kn_run run = {.size = 1};
    const kn_layout layout = {.size = 1};
    const kn_read_options how = {.size = 1}, inner = {KN_INIT(kn_read_options), .layout = &layout};
    const kn_guarantee other = {.size = 1, .kind = KN_K_ANONYMITY, .k = 2};
    const kn_guarantee second[] = {two, other};
    const kn_point_options decisions = {.size = sizeof decisions + 8};
    kn_point_options changed = {.size = 1};
    const kn_anonymize_options newer = {.size = sizeof newer + 8};
    const kn_anonymize_options with_other = {KN_INIT(kn_anonymize_options), .guarantees = second,
                                             .guarantees_count = 2};
    const kn_anonymize_options with_points = {KN_INIT(kn_anonymize_options), .guarantees = &two,
                                              .guarantees_count = 1, .points = &decisions};
    const kn_mine_options mine = {.size = 1};
    const kn_mine_options plain = {KN_INIT(kn_mine_options), .kind = KN_MODEL_CLUSTERS, .k = 2};
    kn_model_verdict *judged = NULL;
    const kn_model_limits limits = {.size = 1};
    const kn_model_output output = {.size = 1};
    const kn_build_options build = {.size = 1};
    const kn_query_options queries = {.size = 1};
    const kn_mining_options mining = {.size = 1};
    kn_run settings = {.size = 1};
    kn_dataset *read = NULL;
    kn_verdict *verdict = NULL;
    kn_release *release = NULL;
    kn_points *points = NULL;
    kn_open_columns *open = NULL;
    kn_model *model = NULL;
    kn_hierarchy *hierarchy = NULL;
    kn_measures *measures = NULL;
    kn_profile *profile = NULL;
    kn_query_error error;
    kn_mining mined;
    kn_class_sizes classes;
    kn_uniqueness *unique = NULL;
    kn_items_known *known = NULL;
    kn_risk risk;
    kn_job *job = NULL;
    struct ArrowArrayStream stream;
    size_t count;

    (void)state;
    assert_int_equal(kn_job_new(&job, &err), KN_OK);
    REFUSED(kn_mine(&model, ds, NULL, &mine, NULL, &err), words);
    assert_int_equal(kn_mine(&model, ds, NULL, &plain, NULL, &err), KN_OK);
    REFUSED(kn_read(&read, "x.csv", &how, NULL, &err), words);
    REFUSED(kn_read(&read, "x.csv", &inner, NULL, &err), words);
    REFUSED(kn_read(&read, "x.csv", NULL, &run, &err), words);
    REFUSED(kn_write(ds, "x.csv", &layout, NULL, &err), words);
    REFUSED(kn_write(ds, "x.csv", NULL, &run, &err), words);
    REFUSED(kn_check(&verdict, ds, &other, 1, NULL, NULL, &err), words);
    REFUSED(kn_check(&verdict, ds, &two, 1, NULL, &run, &err), words);
    REFUSED(kn_guarantee_validate(&other, &err), words);
    REFUSED(kn_anonymize(&release, ds, NULL, &newer, NULL, &err), words);
    REFUSED(kn_anonymize(&release, ds, NULL, &with_other, NULL, &err), words);
    REFUSED(kn_anonymize(&release, ds, NULL, &with_points, NULL, &err), words);
    REFUSED(kn_point_options_validate(&decisions, &err), words);
    REFUSED(kn_point_options_limit(&changed, "small-k", 3, &err), words);
    assert_int_equal(kn_check(&verdict, ds, &two, 1, NULL, NULL, &err), KN_OK);
    REFUSED(kn_points_find(&points, ds, &two, 1, verdict, &decisions, NULL, &err), words);
    kn_verdict_free(verdict);
    verdict = NULL;
    REFUSED(kn_open_columns_find(&open, ds, &other, 1, NULL, &err), words);
    REFUSED(kn_accept_suggested(ds, &other, 1, NULL, &err), words);
    REFUSED(kn_hierarchy_build(&hierarchy, ds, 0, &build, &err), words);
    REFUSED(kn_measure(&measures, ds, ds, NULL, NULL, &run, &err), words);
    REFUSED(kn_query_error_measure(&error, ds, ds, NULL, &queries, NULL, &err), words);
    REFUSED(kn_mining_measure(&mined, ds, ds, NULL, &mining, NULL, &err), words);
    REFUSED(kn_risk_measure(&risk, ds, NULL, 0.1, &run, &err), words);
    REFUSED(kn_class_sizes_count(&classes, ds, &run, &err), words);
    REFUSED(kn_uniqueness_measure(&unique, &count, ds, 1, &run, &err), words);
    REFUSED(kn_items_uniqueness(
                &known, &count, ds, 1,
                &(kn_items_known_options){KN_INIT(kn_items_known_options), .most = 2}, &run, &err),
            words);
    REFUSED(kn_profile_make(&profile, ds, &run, &err), words);
    REFUSED(kn_dataset_to_arrow(&stream, ds, &run, &err), words);
    REFUSED(kn_job_settings(&settings, job, &err), words);
    REFUSED(kn_job_table(&read, job, "x.csv", KN_TABLE_ORIGINAL, false, &run, &err), words);
    REFUSED(kn_model_check(&judged, model, ds, NULL, &limits, NULL, &err), words);
    REFUSED(kn_model_publish(&judged, model, ds, NULL, NULL, &output, NULL, &err), words);
    assert_null(judged);
    kn_model_free(model);
    assert_null(read);
    assert_null(verdict);
    assert_null(release);
    assert_null(points);
    kn_job_free(job);
}

static void points(void **state)
{
    kn_point_options o = {KN_INIT(kn_point_options)};
    const kn_point_options nan = {.limit = {NAN}};
    kn_verdict *verdict = NULL;
    kn_points *p = NULL;
    kn_job *job = NULL;

    (void)state;
    assert_true(kn_point_checks() > 0);
    assert_null(kn_point_check_at(kn_point_checks()));
    assert_non_null(kn_state_name((kn_state)9));
    REFUSED(kn_point_options_limit(NULL, "small-k", 3, &err), "NULL");
    REFUSED(kn_point_options_limit(&o, NULL, 3, &err), "NULL");
    REFUSED(kn_point_options_limit(&o, "smal-k", 3, &err), "small-k");
    REFUSED(kn_point_options_limit(&o, "small-k", NAN, &err), "");
    REFUSED(kn_point_options_validate(NULL, &err), "NULL");
    REFUSED(kn_point_options_validate(&nan, &err), "");
    assert_int_equal(kn_check(&verdict, ds, &two, 1, NULL, NULL, &err), KN_OK);
    REFUSED(kn_points_find(NULL, ds, &two, 1, verdict, NULL, NULL, &err), "NULL");
    REFUSED(kn_points_find(&p, NULL, &two, 1, verdict, NULL, NULL, &err), "NULL");
    assert_null(p);
    REFUSED(kn_points_find(&p, ds, NULL, 1, verdict, NULL, NULL, &err), "");
    REFUSED(kn_points_find(&p, ds, &two, 1, NULL, NULL, NULL, &err), "NULL");
    assert_int_equal(kn_points_state(NULL), KN_STATE_FAILS);
    assert_int_equal(kn_points_count(NULL) + kn_points_open(NULL), 0);
    assert_null(kn_points_get(NULL, 0));
    assert_string_equal(kn_points_claim(NULL), "");
    assert_string_equal(kn_points_summary(NULL), "");
    assert_null(kn_points_survey(NULL));
    assert_null(kn_report_points(NULL));
    assert_null(kn_model_verdict_points(NULL));
    assert_int_equal(kn_job_new(&job, &err), KN_OK);
    REFUSED(kn_job_points(NULL, job, false, &err), "NULL");
    REFUSED(kn_job_points(&o, NULL, false, &err), "NULL");
    kn_job_points_free(NULL);
    kn_job_free(job);
    kn_verdict_free(verdict);
    kn_points_free(NULL);
}

/* Nothing that they are given can be wrong; NULL is freed in silence. */
static void the_rest(void **state)
{
    (void)state;
    assert_non_null(kn_version());
    assert_non_null(kn_features());
    assert_non_null(kn_features_missing());
    assert_true(kn_job_options() > 0);
    assert_false(kn_temporary_set_folder(NULL));
    assert_false(kn_temporary_set_folder(""));
    kn_memory_set_limit(0);
    assert_true(kn_memory_peak() >= kn_memory_in_use());
    (void)kn_memory_of_machine();
    kn_cleanup_temporary();
    kn_string_free(NULL);
    kn_bytes_free(NULL);
    kn_dataset_builder_free(NULL);
    kn_items_uniqueness_free(NULL);
    kn_job_guarantees_free(NULL);
    kn_report_free(NULL);
    kn_stated_verdict_free(NULL);
    kn_sweep_free(NULL);
    kn_uniqueness_free(NULL);
    kn_class_index_free(NULL);
}

static void partial_counts(void **state)
{
    const kn_guarantee lists = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    const kn_run run = {.size = 1};
    kn_partial_options o = {KN_INIT(kn_partial_options), .guarantees = &two, .guarantees_count = 1};
    const kn_partial_options other = {.size = 1}, none = {0}, no_list = {.guarantees_count = 1};
    kn_dictionary *d = NULL;
    kn_partial *p = NULL;
    kn_verdict *v = NULL;
    unsigned char *bytes = NULL;
    uint32_t code = 0;
    size_t len;

    (void)state;
    REFUSED(kn_dictionary_new(NULL, &err), "NULL");
    assert_int_equal(kn_dictionary_new(&d, &err), KN_OK);
    REFUSED(kn_dictionary_add(NULL, ds, &err), "NULL");
    REFUSED(kn_dictionary_add(d, NULL, &err), "NULL");
    assert_int_equal(kn_dictionary_add(d, ds, &err), KN_OK);
    REFUSED(kn_dictionary_write(NULL, &len, d, &err), "NULL");
    REFUSED(kn_dictionary_write(&bytes, NULL, d, &err), "NULL");
    REFUSED(kn_dictionary_write(&bytes, &len, NULL, &err), "NULL");
    REFUSED(kn_dictionary_merge(NULL, (const unsigned char *)"", 0, &err), "NULL");
    REFUSED(kn_dictionary_merge(d, NULL, 0, &err), "NULL");
    assert_int_equal(kn_dictionary_merge(d, (const unsigned char *)"", 0, &err), KN_EINPUT);
    REFUSED(kn_partial_new(NULL, d, &o, &err), "NULL");
    REFUSED(kn_partial_new(&p, NULL, &o, &err), "NULL");
    REFUSED(kn_partial_new(&p, d, NULL, &err), "NULL");
    REFUSED(kn_partial_new(&p, d, &other, &err), "KN_INIT");
    REFUSED(kn_partial_new(&p, d, &none, &err), "no guarantee");
    REFUSED(kn_partial_new(&p, d, &no_list, &err), "NULL");
    o.guarantees = &lists;
    REFUSED(kn_partial_new(&p, d, &o, &err), "about items");
    o.guarantees = &two;
    o.part = 1;
    REFUSED(kn_partial_new(&p, d, &o, &err), "parts");
    assert_null(p);
    o.part = 0;
    assert_int_equal(kn_partial_new(&p, d, &o, &err), KN_OK);
    REFUSED(kn_partial_add(NULL, ds, NULL, &err), "NULL");
    REFUSED(kn_partial_add(p, NULL, NULL, &err), "NULL");
    REFUSED(kn_partial_add(p, ds, &run, &err), "KN_INIT");
    REFUSED(kn_partial_write(NULL, &len, p, &err), "NULL");
    REFUSED(kn_partial_write(&bytes, NULL, p, &err), "NULL");
    REFUSED(kn_partial_write(&bytes, &len, NULL, &err), "NULL");
    REFUSED(kn_partial_merge(NULL, (const unsigned char *)"", 0, &err), "NULL");
    REFUSED(kn_partial_merge(p, NULL, 0, &err), "NULL");
    REFUSED(kn_partial_reduce(NULL, &err), "NULL");
    REFUSED(kn_partial_reduce(p, &err), "km-anonymity");
    REFUSED(kn_partial_rare(NULL, p, &err), "NULL");
    REFUSED(kn_partial_rare(&len, NULL, &err), "NULL");
    REFUSED(kn_partial_rare(&len, p, &err), "reduced");
    assert_int_equal(kn_partial_rare_codes(NULL, 0, &code, &len), 0);
    assert_int_equal(kn_partial_rare_codes(p, 0, &code, &len), 0);
    REFUSED(kn_rare_names_add(NULL, &code, 1, 1, &err), "NULL");
    REFUSED(kn_partial_finish(NULL, p, NULL, NULL, &err), "NULL");
    REFUSED(kn_partial_finish(&v, NULL, NULL, NULL, &err), "NULL");
    REFUSED(kn_partial_finish(&v, p, NULL, &run, &err), "KN_INIT");
    assert_null(v);
    assert_int_equal(kn_partial_records(NULL) + kn_partial_classes(NULL) + kn_partial_columns(NULL),
                     0);
    assert_int_equal(kn_partial_class_size(NULL, 0) + kn_partial_class_size(p, 0), 0);
    assert_null(kn_partial_column_name(NULL, 0));
    assert_null(kn_partial_column_name(p, 99));
    assert_int_equal(kn_partial_class_code(NULL, 0, 0), KN_NO_CODE);
    assert_int_equal(kn_partial_class_code(p, 0, 0), KN_NO_CODE);
    assert_null(kn_partial_value(NULL, 0, 0, &len));
    assert_null(kn_partial_value(p, 0, 99, NULL));
    kn_partial_free(p);
    kn_partial_free(NULL);
    kn_dictionary_free(d);
    kn_dictionary_free(NULL);
}

static void texts(void **state)
{
    kn_verdict *v = NULL;
    kn_measures *m = NULL;
    char *text = NULL;

    (void)state;
    assert_int_equal(kn_check(&v, ds, &two, 1, NULL, NULL, &err), KN_OK);
    assert_int_equal(kn_measure(&m, ds, ds, NULL, NULL, NULL, &err), KN_OK);
    REFUSED(kn_verdict_json(NULL, v, &two, 1, ds, &err), "NULL");
    REFUSED(kn_verdict_json(&text, NULL, &two, 1, ds, &err), "NULL");
    REFUSED(kn_verdict_json(&text, v, NULL, 1, ds, &err), "NULL");
    REFUSED(kn_verdict_json(&text, v, &two, 2, ds, &err), "");
    assert_null(text);
    REFUSED(kn_release_verify(NULL, NULL, NULL, &err), "NULL");
    REFUSED(kn_catalog_json(NULL, &err), "NULL");
    REFUSED(kn_measures_json(NULL, m, &err), "NULL");
    REFUSED(kn_measures_json(&text, NULL, &err), "NULL");
    assert_null(text);
    kn_verdict_free(v);
    kn_measures_free(m);
}

static void classes_of_trees(void **state)
{
    static const char *const names[] = {"a", NULL};
    kn_class_index *index = NULL;
    kn_hierarchies *hs = NULL;

    (void)state;
    assert_int_equal(kn_hierarchies_new(&hs, &err), KN_OK);
    REFUSED(kn_class_index_new(NULL, hs, names, 1, &err), "NULL");
    REFUSED(kn_class_index_new(&index, NULL, names, 1, &err), "NULL");
    REFUSED(kn_class_index_new(&index, hs, names, 2, &err), "NULL");
    assert_null(index);
    assert_true(kn_class_index_find(NULL, "a", 1) == KN_CLASS_UNKNOWN);
    kn_hierarchies_free(hs);
}

/* Guarantees of no kind, and enumerations of theirs that no kind has, wherever a list of them goes.
 */
static void kinds(void **state)
{
    static const char *const words = "there is no";
    const kn_guarantee none = {KN_INIT(kn_guarantee), .kind = (kn_guarantee_kind)77, .k = 2};
    kn_guarantee other[4];
    kn_certificate c = {.size = 2, .k = 2};
    kn_verdict *verdict = NULL, *none_made = NULL;
    kn_open_columns *open = NULL;
    kn_points *points = NULL;
    kn_job *job = NULL;
    kn_anonymize_options options;
    kn_params *params = NULL;
    char *text = NULL;

    (void)state;
    assert_int_equal(kn_check(&verdict, ds, &two, 1, NULL, NULL, &err), KN_OK);
    assert_int_equal(kn_job_new(&job, &err), KN_OK);
    REFUSED(kn_points_find(&points, ds, &none, 1, verdict, NULL, NULL, &err), words);
    REFUSED(kn_points_find(&points, ds, NULL, 1, verdict, NULL, NULL, &err), "NULL");
    REFUSED(kn_verdict_json(&text, verdict, &none, 1, ds, &err), words);
    REFUSED(kn_open_columns_find(&open, ds, &none, 1, NULL, &err), words);
    REFUSED(kn_open_columns_find(&open, ds, NULL, 1, NULL, &err), "NULL");
    REFUSED(kn_open_columns_refuse(ds, &none, 1, NULL, &err), words);
    REFUSED(kn_open_columns_refuse(ds, NULL, 1, NULL, &err), "NULL");
    REFUSED(kn_accept_suggested(ds, &none, 1, NULL, &err), words);
    REFUSED(kn_accept_suggested(ds, NULL, 1, NULL, &err), "NULL");
    REFUSED(kn_job_anonymize_options(&options, &params, job, &none, 1, &err), words);
    for (size_t i = 0; i < 4; i++) {
        other[i] = two;
    }
    other[0].diversity = (kn_diversity)77;
    other[1].distance = (kn_distance)77;
    other[2].reference = (kn_reference_table)77;
    other[3].recount = (kn_recount_extent)77;
    for (size_t i = 0; i < 4; i++) {
        REFUSED(kn_guarantee_validate(&other[i], &err), words);
        REFUSED(kn_check(&none_made, ds, &other[i], 1, NULL, NULL, &err), words);
    }
    c.kind = (kn_certificate_kind)77;
    REFUSED(kn_certificate_text(&text, &c, &err), words);
    c.kind = KN_CERTIFIED_SAMPLED;
    c.attacker = (kn_attacker)77;
    REFUSED(kn_certificate_text(&text, &c, &err), words);
    kn_verdict_free(verdict);
    kn_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),          cmocka_unit_test(points),
        cmocka_unit_test(the_rest),       cmocka_unit_test(classes_of_trees),
        cmocka_unit_test(partial_counts), cmocka_unit_test(texts),
        cmocka_unit_test(kinds),
    };

    return cmocka_run_group_tests(tests, make, unmake);
}
