/* Faults in what mining and judging clusters share: both are wrong alike, so the model holds in the
 * eyes of the first count. The second notices, the model is withheld, and no file stays. The linker
 * puts our search in the place of the real one (tests/CMakeLists.txt). */
#include "data/dataset.h"
#include "job/job.h"
#include "kanon/io.h"
#include "kanon/model.h"
#include "models/model.h"
#include "models/clusters/nearest_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "models/model_params.h"

typedef kn_status reach_fn(kn_nearest_searcher *s, const kn_space *space, const double *centre,
                           size_t count, const double *x, kn_class_list *out, kn_error *err);
typedef kn_status among_fn(kn_nearest_searcher *s, const kn_space *space, const double *centre,
                           const uint32_t *among, const uint8_t *sure, size_t count,
                           const double *x, kn_class_list *out, kn_error *err);
typedef kn_status box_fn(kn_nearest_searcher *s, const kn_space *space, const double *centre,
                         const uint32_t *among, size_t count, uint32_t i, const kn_kd_extent *box,
                         kn_answer *answer, kn_error *err);
typedef kn_status find_fn(kn_spans *out, const kn_span_model *model, const kn_run *run,
                          kn_error *err);
reach_fn __real_kn__nearest_find_span, __wrap_kn__nearest_find_span;
among_fn __real_kn__nearest_find_among, __wrap_kn__nearest_find_among;
box_fn __real_kn__nearest_in_box, __wrap_kn__nearest_in_box;
find_fn __real_kn__spans_find, __wrap_kn__spans_find;

static enum {
    SOUND,
    BLIND,    /* who can be in several clusters seems to be in the first of them for certain */
    CREDULOUS /* every span seems to have one person more */
} fault;

kn_status __wrap_kn__nearest_find_span(kn_nearest_searcher *s, const kn_space *space,
                                       const double *centre, size_t count, const double *x,
                                       kn_class_list *out, kn_error *err)
{
    const kn_status st = __real_kn__nearest_find_span(s, space, centre, count, x, out, err);

    out->len = fault == BLIND && out->len > 1 ? 1 : out->len;
    return st;
}

/* The same while clusters are mined, where many tuples are judged at once if they can be. */
kn_status __wrap_kn__nearest_find_among(kn_nearest_searcher *s, const kn_space *space,
                                        const double *centre, const uint32_t *among,
                                        const uint8_t *sure, size_t count, const double *x,
                                        kn_class_list *out, kn_error *err)
{
    const kn_status st = __real_kn__nearest_find_among(s, space, centre, among, sure, count, x, out,
                                                       err);

    out->len = fault == BLIND && out->len > 1 ? 1 : out->len;
    return st;
}

kn_status __wrap_kn__nearest_in_box(kn_nearest_searcher *s, const kn_space *space,
                                    const double *centre, const uint32_t *among, size_t count,
                                    uint32_t i, const kn_kd_extent *box, kn_answer *answer,
                                    kn_error *err)
{
    const kn_status st = __real_kn__nearest_in_box(s, space, centre, among, count, i, box, answer,
                                                   err);

    *answer = fault == BLIND ? UNSURE : *answer;
    return st;
}

kn_status __wrap_kn__spans_find(kn_spans *out, const kn_span_model *model, const kn_run *run,
                                kn_error *err)
{
    const kn_status st = __real_kn__spans_find(out, model, run, err);

    for (size_t i = 0; st == KN_OK && fault == CREDULOUS && i < out->count; i++) {
        out->population[i]++;
    }
    return st;
}

static const char *const paths[] = {"groups.json"};
static const kn_model_output files = {KN_INIT(kn_model_output), paths, 1, NULL, 0, NULL};

/* Seven ages and results such that a cut between the fourth and the last three is safe for four
 * people, and for no more (Figure 5 of the paper). */
static kn_dataset *seven(void)
{
    static const char *const names[] = {"age", "result"};
    static const char *const cells[7][2] = {{"20", "8"}, {"23", "9"}, {"26", "8"}, {"70", "8"},
                                            {"72", "5"}, {"74", "4"}, {"76", "5"}};
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "age", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "result", KN_ROLE_SENSITIVE, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "age", KN_TYPE_INTEGER, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "result", KN_TYPE_DECIMAL, NULL), KN_OK);
    assert_int_equal(kn_schema_set_weight(schema, "age", 4, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 2, schema, NULL), KN_OK);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(kn_dataset_builder_add(b, cells[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static kn_model *mine(const kn_dataset *ds, uint64_t k)
{
    const kn_mine_options o = {.kind = KN_MODEL_CLUSTERS,
                               .k = k,
                               .params = MODEL_PARAMS(clusters, "clusters=3;smallest=1")};
    kn_model *m;

    assert_int_equal(kn_mine(&m, ds, NULL, &o, NULL, NULL), KN_OK);
    assert_int_equal(m->centres.count, 3);
    return m;
}

static void assert_withheld(const kn_model *m, const kn_dataset *ds, uint64_t k, const char *words)
{
    kn_error err = {0};

    assert_int_equal(kn_model_publish(NULL, m, ds, NULL, &(kn_model_limits){.k = k}, &files, NULL,
                                      &err),
                     KN_EBROKEN);
    if (!strstr(err.message, words)) {
        fail_msg("'%s' does not say '%s'", err.message, words);
    }
    assert_int_not_equal(access("groups.json", F_OK), 0);
}

static void test_faults(void **state)
{
    kn_dataset *ds = seven();
    kn_model *m;

    (void)state;
    fault = SOUND;
    m = mine(ds, 4);
    assert_int_equal(
        kn_model_publish(NULL, m, ds, NULL, &(kn_model_limits){.k = 4}, &files, NULL, NULL), KN_OK);
    assert_int_equal(remove("groups.json"), 0);
    /* Mined for one person too few: the first count says so. */
    assert_withheld(m, ds, 5, "does not keep what was asked");
    /* The same where the first count has one person too many. */
    fault = CREDULOUS;
    assert_withheld(m, ds, 5, "a span has another number of records");
    /* A population that is off by one. */
    fault = SOUND;
    m->centres.population[1]++;
    assert_withheld(m, ds, 4, "its counts are not those of the records");
    kn_model_free(m);
    /* To who is blind, every cut is safe. */
    fault = BLIND;
    m = mine(ds, 7);
    assert_withheld(m, ds, 7, "worked out twice, and the two disagree (a span has other centres)");
    kn_model_free(m);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
