/* test_arrow.c - kn_release_to_arrow: releases are given checked, or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "data/dataset.h"
#include "kanon.h"
#include "release/release.h"

#include <stdio.h>
#include <string.h>

static const char *const columns[] = {"name", "age", "town", "illness", "paid"};
static const kn_role chosen[] = {KN_ROLE_IDENTIFIER, KN_ROLE_QUASI, KN_ROLE_QUASI,
                                 KN_ROLE_SENSITIVE, KN_ROLE_KEPT};

static kn_dataset *people(void)
{
    kn_dataset_builder *b = NULL;
    kn_dataset *ds = NULL;
    kn_schema *s = NULL;
    kn_error err = {0};

    assert_int_equal(kn_schema_new(&s, &err), KN_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(kn_schema_set_role(s, columns[i], chosen[i], &err), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, columns, 5, s, &err), KN_OK);
    for (int i = 0; i < 60; i++) {
        char name[20], age[20];
        const char *const row[] = {name, age, i % 3 ? "Athens" : "Volos", i % 4 ? "flu" : NULL,
                                   i % 2 ? "12.50" : "7.25"};
        (void)snprintf(name, sizeof name, "person %d", i);
        (void)snprintf(age, sizeof age, "%d", 20 + i % 30);
        assert_int_equal(kn_dataset_builder_add(b, row, &err), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, &err), KN_OK);
    kn_schema_free(s);
    return ds;
}

static kn_release *release_of(const kn_dataset *ds)
{
    const kn_guarantee five = {.kind = KN_K_ANONYMITY, .k = 5};
    const kn_anonymize_options options = {.guarantees = &five, .guarantees_count = 1};
    kn_release *r = NULL;
    kn_error err = {0};

    if (kn_anonymize(&r, ds, NULL, &options, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return r;
}

static void checked(void **state)
{
    const size_t before = kn_memory_in_use();
    kn_dataset *ds = people(), *back = NULL;
    kn_release *r = release_of(ds);
    struct ArrowArrayStream out;
    kn_outcome outcome;
    kn_error err = {0};

    (void)state;
    if (kn_release_to_arrow(&out, &outcome, r, NULL, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_true(kn_verdict_holds(outcome.verdict));
    assert_int_equal(kn_dataset_records(outcome.published), 60);
    assert_true(kn_measures_value(outcome.measures, "loss", NULL) > 0);
    kn_outcome_clear(&outcome);
    kn_release_free(r);
    kn_dataset_free(ds);
    assert_int_equal(kn_dataset_from_arrow(&back, &out, NULL, NULL, &err), KN_OK);
    assert_int_equal(kn_dataset_columns(back), 4);
    assert_int_equal(kn_dataset_find(back, "name"), SIZE_MAX);
    assert_int_equal(kn_dataset_records(back), 60);
    assert_true(kn_dataset_missing(back, kn_dataset_find(back, "illness")) != KN_NO_CODE);
    kn_dataset_free(back);
    assert_int_equal(kn_memory_in_use(), before);
}

/* A release in memory is checked as one that is published; a value that was changed is found. */
static void verified_in_memory(void **state)
{
    kn_dataset *ds = people();
    kn_release *r = release_of(ds);
    kn_outcome outcome;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_release_verify(&outcome, r, NULL, NULL), KN_OK);
    assert_true(kn_verdict_holds(outcome.verdict));
    assert_non_null(outcome.measures);
    assert_non_null(outcome.points);
    kn_outcome_clear(&outcome);
    assert_int_equal(kn_release_verify(NULL, r, NULL, NULL), KN_OK);
    r->guarantees[0].k = 100000;
    assert_int_equal(kn_release_verify(NULL, r, NULL, &err), KN_EBROKEN);
    kn_release_free(r);
    kn_dataset_free(ds);
}

static void changed_only(void **state)
{
    const kn_release_arrow_options options = {.size = sizeof options, .changed_only = true};
    const kn_release_arrow_options older = {.size = 1, .changed_only = true};
    const kn_release_arrow_options newer = {.size = sizeof newer + 8};
    kn_dataset *ds = people();
    kn_release *r = release_of(ds);
    struct ArrowArrayStream out;
    struct ArrowSchema schema;
    struct ArrowArray batch;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_release_to_arrow(&out, NULL, r, &older, NULL, &err), KN_EUSAGE);
    assert_null(out.release);
    assert_int_equal(kn_release_to_arrow(&out, NULL, r, &newer, NULL, &err), KN_EUSAGE);
    assert_null(out.release);
    assert_int_equal(kn_release_to_arrow(&out, NULL, r, &options, NULL, &err), KN_OK);
    assert_int_equal(out.get_schema(&out, &schema), 0);
    assert_int_equal(out.get_next(&out, &batch), 0);
    assert_int_equal(schema.n_children, 2);
    assert_int_equal(batch.n_children, 2);
    assert_string_equal(schema.children[0]->name, "age");
    assert_string_equal(schema.children[1]->name, "town");
    schema.release(&schema);
    batch.release(&batch);
    out.release(&out);
    kn_release_free(r);
    kn_dataset_free(ds);
}

/* A defect of a method is found before anything is given. */
static void broken(void **state)
{
    static const char *const wrong[] = {"age", "paid", "illness"};
    kn_dataset *ds = people();

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        kn_release *r = release_of(ds);
        kn_column *c = &r->data->column[kn_dataset_find(r->data, wrong[i])];
        const uint32_t code = kn__column_code(c, 0);
        struct ArrowArrayStream out;
        kn_outcome outcome;
        kn_error err = {0};
        assert_true(kn__column_values(c) > 1);
        kn__code_set(c->codes, c->width, 0, code ? 0 : 1);
        if (kn_release_to_arrow(&out, &outcome, r, NULL, NULL, &err) != KN_EBROKEN) {
            fail_msg("%s was given", wrong[i]);
        }
        assert_null(out.release);
        assert_null(outcome.verdict);
        assert_non_null(strstr(err.message, "withheld"));
        err = (kn_error){0};
        assert_int_equal(kn_publish(NULL, r, "broken.csv", NULL, NULL, &err), KN_EBROKEN);
        assert_non_null(strstr(err.message, "withheld"));
        kn_release_free(r);
    }
    kn_dataset_free(ds);
}

static void no_memory(void **state)
{
    kn_dataset *ds = people();
    kn_release *r = release_of(ds);
    const size_t before = kn_memory_in_use();
    const kn_run run = {.threads = 1};
    kn_status status = KN_ENOMEM;
    size_t n = 0;

    (void)state;
    while (status == KN_ENOMEM) {
        struct ArrowArrayStream out;
        kn_outcome outcome;
        kn_error err = {0};
        kn__memory_fail_after(n += 3);
        status = kn_release_to_arrow(&out, &outcome, r, NULL, &run, &err);
        kn__memory_fail_after(0);
        if (status == KN_OK) {
            out.release(&out);
        } else {
            assert_null(out.release);
        }
        kn_outcome_clear(&outcome);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_int_equal(status, KN_OK);
    assert_true(n > 100);
    kn_release_free(r);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checked),      cmocka_unit_test(verified_in_memory),
        cmocka_unit_test(changed_only), cmocka_unit_test(broken),
        cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
