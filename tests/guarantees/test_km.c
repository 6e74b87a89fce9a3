/* km-anonymity: the paper's tables, thousands of random sets and bags against the definition, and
 * what users may get wrong. */
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "guarantees/verdict.h"
#include "kanon/guarantee.h"
#include "oracle/km.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static km_answer answer; /* large */

/* A table of one list column, and of a column "sex" before it if `sex` is given. */
static kn_dataset *lists(const char *const *cells, const char *const *sex, size_t count,
                         kn_type type)
{
    static const char *const names[] = {"sex", "items"};
    kn_schema *schema = NULL;
    kn_dataset_builder *b = NULL;
    kn_dataset *ds = NULL;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "items", type, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "items", KN_ROLE_QUASI, NULL), KN_OK);
    if (sex) {
        assert_int_equal(kn_schema_set_role(schema, "sex", KN_ROLE_QUASI, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, sex ? names : names + 1, sex ? 2 : 1, schema, NULL),
                     KN_OK);
    for (size_t i = 0; i < count; i++) {
        const char *row[2] = {sex ? sex[i] : cells[i], cells[i]};
        assert_int_equal(kn_dataset_builder_add(b, row, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static kn_verdict *check(const kn_dataset *ds, size_t k, size_t m)
{
    const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = k, .m = m};
    kn_verdict *v = NULL;
    kn_error err = {0};

    if (kn_check(&v, ds, &g, 1, NULL, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return v;
}

static void assert_combination(const kn_verdict *v, const kn_dataset *ds, size_t i, size_t support,
                               const char *items)
{
    const kn_violation *x = kn_verdict_violation(v, i);
    char text[256] = "";

    assert_int_equal(x->kind, KN_KM_ANONYMITY);
    assert_int_equal(x->size, support);
    assert_true(x->value == (double)support);
    assert_null(x->sensitive);
    for (size_t j = 0; j < x->items_count; j++) {
        size_t len;
        const char *item = kn_dataset_value(ds, x->column, x->items[j], &len);
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.*s", j ? " " : "",
                       (int)len, item);
    }
    assert_string_equal(text, items);
}

/* ---- the paper ---- */

static const char *const table_1[] = {"11000|11000|20000|40000|40000", "11000|30500|40000",
                                      "11000|11000|40000|40000", "11000", "20000"};

static void test_table_1(void **state)
{
    kn_dataset *ds = lists(table_1, NULL, 5, KN_TYPE_NUMBERS);
    kn_verdict *v = check(ds, 2, 2);

    (void)state;
    assert_false(kn_verdict_holds(v));
    assert_true(kn_verdict_achieved(v, 0) == 1);
    assert_true(kn_verdict_achieved_size(v, 0, 1) == 1);
    assert_true(kn_verdict_achieved_size(v, 0, 2) == 1);
    /* 30500 is rare; 20000 is held by two people, but only one of them paid 11000 or 40000 too. */
    assert_int_equal(kn_verdict_violations(v), 3);
    assert_combination(v, ds, 0, 1, "30500");
    assert_int_equal(kn_verdict_violation(v, 0)->record, 1);
    assert_combination(v, ds, 1, 1, "11000 20000");
    assert_combination(v, ds, 2, 1, "20000 40000");
    assert_int_equal(kn_verdict_records_at_risk(v), 2);
    assert_int_equal(kn_verdict_items(v)->longest, 5);
    assert_int_equal(kn_verdict_items(v)->empty, 0);
    kn_verdict_free(v);
    kn_dataset_free(ds);
}

static void test_tables_2_and_3(void **state)
{
    static const char *const table_2[] = {
        "(10000-20000]|(10000-20000]|(30000-40000]|(30000-40000]|(30000-40000]",
        "(10000-20000]|(30000-40000]|(30000-40000]",
        "(10000-20000]|(10000-20000]|(30000-40000]|(30000-40000]", "(10000-20000]",
        "(10000-20000]"};
    static const char *const table_3[] = {"11000|11000|[20000,30500]|40000|40000",
                                          "11000|[20000,30500]|40000", "11000|11000|40000|40000",
                                          "11000", "[20000,30500]"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        kn_dataset *ds = lists(i ? table_3 : table_2, NULL, 5, KN_TYPE_BAG);
        kn_verdict *v = check(ds, 2, 2);
        assert_true(kn_verdict_holds(v));
        assert_true(kn_verdict_achieved(v, 0) == 2);
        assert_int_equal(kn_verdict_records_at_risk(v), 0);
        kn_verdict_free(v);
        v = check(ds, 3, 2);
        assert_false(kn_verdict_holds(v));
        kn_verdict_free(v);
        kn_dataset_free(ds);
    }
}

/* ---- the definition ---- */

static void random_cells(const km_data *d, char text[][3 * KM_LENGTH + 4], const char **cells)
{
    for (int i = 0; i < d->records; i++) {
        text[i][0] = '\0';
        for (int x = 0; x < KM_ITEMS; x++) {
            for (int t = 0; t < d->times[i][x]; t++) {
                (void)snprintf(text[i] + strlen(text[i]), 4, "%s%c", *text[i] ? "|" : "", 'a' + x);
            }
        }
        cells[i] = text[i];
    }
}

static km_data random_data(kn_rng *r)
{
    km_data d = {.records = (int)kn__rng_below(r, KM_RECORDS + 1),
                 .bags = kn__rng_below(r, 2) == 1};
    const uint64_t items = 1 + kn__rng_below(r, KM_ITEMS), most = 1 + kn__rng_below(r, KM_LENGTH);

    for (int i = 0; i < d.records; i++) {
        for (uint64_t j = kn__rng_below(r, most + 1); j-- > 0;) {
            int *times = &d.times[i][kn__rng_below(r, 1 + kn__rng_below(r, items))];
            *times = d.bags ? *times + 1 : 1;
        }
    }
    return d;
}

static void test_definition(void **state)
{
    char text[KM_RECORDS][3 * KM_LENGTH + 4];
    const char *cells[KM_RECORDS];
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 12, 0);
    for (int round = 0; round < 4000; round++) {
        const km_data d = random_data(&r);
        const int k = 1 + (int)kn__rng_below(&r, 5), m = 1 + (int)kn__rng_below(&r, 4);
        const kn_run run = {.threads = (unsigned[]){1, 2, 5}[round % 3]};
        const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = (size_t)k, .m = (size_t)m};
        double achieved = INFINITY;
        kn_verdict *v = NULL;
        random_cells(&d, text, cells);
        kn_dataset *ds = lists(cells, NULL, (size_t)d.records, d.bags ? KN_TYPE_BAG : KN_TYPE_SET);
        km_solve(&d, k, m, &answer);
        assert_int_equal(kn_check(&v, ds, &g, 1, NULL, &run, NULL), KN_OK);
        assert_int_equal(kn_verdict_holds(v), answer.rare == 0);
        assert_int_equal(kn_verdict_violations(v), answer.rare);
        assert_int_equal(kn_verdict_violations_kept(v), answer.rare);
        assert_int_equal(kn_verdict_records_at_risk(v), answer.at_risk);
        assert_int_equal(kn_verdict_items(v)->empty, answer.empty);
        for (int size = 1; size <= m; size++) {
            const double least = answer.least[size] ? answer.least[size] : INFINITY;
            assert_true(kn_verdict_achieved_size(v, 0, (size_t)size) == least);
            achieved = fmin(achieved, least);
        }
        assert_true(kn_verdict_achieved(v, 0) == achieved);
        kn_verdict_free(v);
        assert_int_equal(kn__check_once(&v, ds, &g, 1, NULL, &run, NULL), KN_OK);
        assert_true(kn_verdict_achieved(v, 0) == achieved);
        kn_verdict_free(v);
        kn_dataset_free(ds);
    }
}

/* ---- with other guarantees ---- */

static void test_together(void **state)
{
    static const char *const cells[] = {"a|b", "a|b", "a", "c|a", ""};
    static const char *const sex[] = {"f", "f", "f", "m", "f"};
    const kn_guarantee g[] = {{.kind = KN_K_ANONYMITY, .k = 2},
                              {.kind = KN_KM_ANONYMITY, .k = 2, .m = 1},
                              {.kind = KN_KM_ANONYMITY, .k = 3, .m = 2}};
    kn_dataset *ds = lists(cells, sex, 5, KN_TYPE_SET);
    kn_verdict *v = NULL;

    (void)state;
    assert_int_equal(kn_check(&v, ds, g, 3, NULL, NULL, NULL), KN_OK);
    assert_true(kn_verdict_achieved(v, 0) == 1);
    assert_true(kn_verdict_achieved(v, 1) == 1);
    assert_true(kn_verdict_achieved(v, 2) == 1);
    assert_int_equal(kn_verdict_classes(v), 2);
    /* The class m; then c for k = 2; then b and c for k = 3. */
    assert_int_equal(kn_verdict_violations(v), 4);
    assert_int_equal(kn_verdict_violation(v, 0)->kind, KN_K_ANONYMITY);
    assert_null(kn_verdict_violation(v, 0)->items);
    assert_combination(v, ds, 1, 1, "c");
    assert_combination(v, ds, 2, 1, "c");
    assert_combination(v, ds, 3, 2, "b");
    assert_int_equal(kn_verdict_violation(v, 3)->guarantee, 2);
    /* Records 0, 1 and 3: the last by all three, and counted once. */
    assert_int_equal(kn_verdict_records_at_risk(v), 3);
    assert_int_equal(kn_verdict_items(v)->empty, 1);
    kn_verdict_free(v);
    v = NULL;
    assert_int_equal(kn_check(&v, ds, g + 1, 2, NULL, NULL, NULL), KN_EUSAGE);
    assert_null(v);
    ds->column[0].role = KN_ROLE_KEPT;
    assert_int_equal(kn_check(&v, ds, g + 1, 2, NULL, NULL, NULL), KN_OK);
    assert_int_equal(kn_verdict_records_at_risk(v), 3);
    assert_int_equal(kn_verdict_classes(v), 4);
    kn_verdict_free(v);
    kn_dataset_free(ds);
}

/* ---- what users may get wrong ---- */

static void refused(const kn_dataset *ds, const kn_guarantee *g, const char *word)
{
    kn_verdict *v = NULL;
    kn_error err = {0};

    assert_int_equal(kn_check(&v, ds, g, 1, NULL, NULL, &err), KN_EUSAGE);
    assert_null(v);
    if (!strstr(err.message, word)) {
        fail_msg("'%s' is not in: %s", word, err.message);
    }
}

static void test_refusals(void **state)
{
    static const char *const cells[] = {"a|b", "a"}, *const sex[] = {"f", "m"};
    const kn_guarantee fine = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    const kn_guarantee no_m = {.kind = KN_KM_ANONYMITY, .k = 2};
    const kn_guarantee big_m = {.kind = KN_KM_ANONYMITY, .k = 2, .m = KN_MOST_M + 1};
    const kn_guarantee no_k = {.kind = KN_KM_ANONYMITY, .m = 2};
    const kn_guarantee table = {.kind = KN_K_ANONYMITY, .k = 2};
    kn_dataset *ds = lists(cells, NULL, 2, KN_TYPE_SET);

    (void)state;
    refused(ds, &no_m, "m is 0");
    refused(ds, &big_m, "1 to 16");
    refused(ds, &no_k, "k is 0");
    refused(ds, &table, "km-anonymity");
    ds->column[0].role = KN_ROLE_KEPT;
    refused(ds, &fine, "--items");
    kn_dataset_free(ds);
    ds = lists(cells, sex, 2, KN_TYPE_SET);
    refused(ds, &fine, "\"sex\"");
    refused(ds, &table, "\"items\"");
    kn_dataset_free(ds);
}

static void test_edges(void **state)
{
    static const char *const one[] = {"a|b|c"}, *const empty[] = {"", ""};
    kn_dataset *ds = lists(one, NULL, 1, KN_TYPE_SET);
    kn_verdict *v = check(ds, 2, 16);

    (void)state;
    /* one record: its items are rare; m beyond every record asks for no more */
    assert_int_equal(kn_verdict_violations(v), 3);
    assert_true(isinf(kn_verdict_achieved_size(v, 0, 4)));
    assert_int_equal(kn_verdict_items(v)->longest, 3);
    kn_verdict_free(v);
    v = check(ds, 1, 3);
    assert_true(kn_verdict_holds(v));
    kn_verdict_free(v);
    kn_dataset_free(ds);
    ds = lists(empty, NULL, 2, KN_TYPE_SET);
    v = check(ds, 5, 2);
    assert_true(kn_verdict_holds(v));
    assert_true(isinf(kn_verdict_achieved(v, 0)));
    assert_int_equal(kn_verdict_items(v)->empty, 2);
    kn_verdict_free(v);
    kn_dataset_free(ds);
    ds = lists(empty, NULL, 0, KN_TYPE_SET);
    v = check(ds, 5, 2);
    assert_true(kn_verdict_holds(v));
    kn_verdict_free(v);
    kn_dataset_free(ds);
}

static void test_no_memory(void **state)
{
    static const char *const sex[] = {"f", "f", "m", "m", "f"};
    const kn_guarantee g[] = {{.kind = KN_K_ANONYMITY, .k = 3},
                              {.kind = KN_KM_ANONYMITY, .k = 2, .m = 3}};
    kn_dataset *ds = lists(table_1, sex, 5, KN_TYPE_NUMBERS);
    const size_t held = kn_memory_in_use();

    (void)state;
    for (size_t n = 1;; n++) {
        kn_verdict *v = NULL;
        kn_error err;
        kn_status status;
        kn__memory_fail_after(n);
        status = kn_check(&v, ds, g, 2, NULL, NULL, &err);
        kn__memory_fail_after(0);
        if (status == KN_OK) {
            kn_verdict_free(v);
            assert_int_equal(kn_memory_in_use(), held);
            break;
        }
        assert_int_equal(status, KN_ENOMEM);
        assert_null(v);
        assert_int_equal(kn_memory_in_use(), held);
    }
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_1),    cmocka_unit_test(test_tables_2_and_3),
        cmocka_unit_test(test_definition), cmocka_unit_test(test_together),
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_edges),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
