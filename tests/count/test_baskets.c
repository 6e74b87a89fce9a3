/* Tests of count/baskets.c: widening, generalising, merging equal records. */
#include "count/validate.h"
#include "count/baskets_test.h"

#include "kanon/dataset.h"

static kn_dataset *dataset_of(const char *const *cells, size_t count, kn_type type)
{
    static const char *const names[] = {"items"};
    kn_schema *schema = NULL;
    kn_dataset_builder *b = NULL;
    kn_dataset *ds = NULL;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "items", type, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 1, schema, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(kn_dataset_builder_add(b, &cells[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static void test_of_column(void **state)
{
    static const char *const cells[] = {"b|a|b", "", "c", "a|a"};
    static const uint32_t set[] = {0, 1, 2, 0}, bag[] = {0, 1, 1, 2, 0, 0};
    static const uint64_t set_starts[] = {0, 2, 2, 3, 4}, bag_starts[] = {0, 3, 3, 4, 6};
    const char *reason = "";

    (void)state;
    for (int bags = 0; bags < 2; bags++) {
        kn_dataset *ds = dataset_of(cells, 4, bags ? KN_TYPE_BAG : KN_TYPE_SET);
        kn_baskets *b = NULL;
        assert_int_equal(kn__baskets_of_column(&b, &ds->column[0], 4, NULL), KN_OK);
        assert_true(baskets_validate(b, &reason));
        assert_int_equal(b->bags, bags);
        assert_int_equal(b->items, 3);
        assert_memory_equal(b->starts, bags ? bag_starts : set_starts, sizeof set_starts);
        assert_memory_equal(b->list, bags ? bag : set, bags ? sizeof bag : sizeof set);
        kn__baskets_free(b);
        kn_dataset_free(ds);
    }
}

static void test_not_a_list(void **state)
{
    static const char *const cells[] = {"1", "2"};
    kn_dataset *ds = dataset_of(cells, 2, KN_TYPE_INTEGER);
    kn_baskets *b = NULL;
    kn_error err;

    (void)state;
    assert_int_equal(kn__baskets_of_column(&b, &ds->column[0], 2, &err), KN_EUSAGE);
    assert_null(b);
    assert_non_null(strstr(err.message, "items"));
    kn_dataset_free(ds);
}

static void test_map(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 7, 0);
    for (int round = 0; round < 3000; round++) {
        const km_data d = random_data(&r);
        const kn_run run = {.threads = 1 + (unsigned)(round % 3)};
        kn_baskets *b = baskets_of(&d), *mapped = NULL, *expected;
        uint32_t to[KM_ITEMS];
        km_data after = d;
        const char *reason = "";
        memset(after.times, 0, sizeof after.times);
        for (int x = 0; x < KM_ITEMS; x++) {
            to[x] = kn__rng_below(&r, 5) == 0 ? KN_NO_CODE : (uint32_t)kn__rng_below(&r, KM_ITEMS);
        }
        for (int i = 0; i < d.records; i++) {
            for (int x = 0; x < KM_ITEMS; x++) {
                if (to[x] != KN_NO_CODE) {
                    after.times[i][to[x]] += d.times[i][x];
                }
            }
            for (int x = 0; x < KM_ITEMS && !d.bags; x++) {
                after.times[i][x] = after.times[i][x] > 0;
            }
        }
        expected = baskets_of(&after);
        assert_int_equal(kn__baskets_map(&mapped, b, to, KM_ITEMS, &run, NULL), KN_OK);
        assert_true(baskets_validate(mapped, &reason));
        assert_memory_equal(mapped->starts, expected->starts, (b->records + 1) * sizeof *b->starts);
        assert_memory_equal(mapped->list, expected->list,
                            (size_t)expected->starts[b->records] * sizeof *b->list);
        kn__baskets_free(mapped);
        kn__baskets_free(expected);
        kn__baskets_free(b);
    }
}

/* Records long enough for the other way of sorting. */
static void test_map_long(void **state)
{
    enum { LENGTH = 500 };
    uint64_t starts[] = {0, LENGTH};
    uint32_t list[LENGTH], to[LENGTH];
    kn_baskets b = {.records = 1, .items = LENGTH, .starts = starts, .list = list}, *mapped = NULL;

    (void)state;
    for (uint32_t i = 0; i < LENGTH; i++) {
        list[i] = i;
        to[i] = (i * 77 + 13) % LENGTH;
    }
    assert_int_equal(kn__baskets_map(&mapped, &b, to, LENGTH, NULL, NULL), KN_OK);
    assert_memory_equal(mapped->list, list, sizeof list);
    kn__baskets_free(mapped);
}

static void test_distinct(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 8, 0);
    for (int round = 0; round < 3000; round++) {
        const km_data d = random_data(&r);
        kn_baskets *b = baskets_of(&d), *distinct = NULL;
        uint32_t *weight = NULL, *first = NULL, *of = NULL;
        size_t people = 0;
        /* Of so many items hardly any fit into a key. */
        b->items = round % 3 == 0 ? UINT32_MAX : round % 3 == 1 ? 1 << 16 : KM_ITEMS;
        assert_int_equal(kn__baskets_group(&distinct, b, &weight, &first, &of, NULL), KN_OK);
        for (size_t i = 0; i < distinct->records; i++) {
            people += weight[i];
            assert_int_equal(of[first[i]], i);
            assert_true(i == 0 || first[i - 1] < first[i]);
        }
        assert_int_equal(people, d.records);
        for (int i = 0; i < d.records; i++) {
            for (int j = 0; j < d.records; j++) {
                const bool equal = memcmp(d.times[i], d.times[j], sizeof d.times[i]) == 0;
                assert_int_equal(equal, of[i] == of[j]);
            }
        }
        kn__free(weight);
        kn__free(first);
        kn__free(of);
        kn__baskets_free(distinct);
        kn__baskets_free(b);
    }
}

/* Thousands of different records, most of them several times. */
static void test_many_distinct(void **state)
{
    enum { RECORDS = 6000, TIMES = 3, ITEMS = 1000 };
    uint64_t starts[RECORDS + 1] = {0};
    uint32_t list[2 * RECORDS], *weight = NULL, *of = NULL;
    kn_baskets b = {.records = RECORDS, .items = ITEMS, .starts = starts, .list = list};
    kn_baskets *distinct = NULL;

    (void)state;
    for (uint32_t i = 0; i < RECORDS; i++) {
        const uint32_t kind = i % (RECORDS / TIMES);
        list[starts[i]] = kind % ITEMS;
        list[starts[i] + 1] = ITEMS - 1;
        starts[i + 1] = starts[i] + 1 + kind / ITEMS;
    }
    assert_int_equal(kn__baskets_group(&distinct, &b, &weight, NULL, &of, NULL), KN_OK);
    assert_int_equal(distinct->records, RECORDS / TIMES);
    for (uint32_t i = 0; i < RECORDS; i++) {
        assert_int_equal(of[i], i % (RECORDS / TIMES));
        assert_int_equal(weight[of[i]], TIMES);
    }
    kn__free(weight);
    kn__free(of);
    kn__baskets_free(distinct);
}

static void test_no_memory(void **state)
{
    kn_rng r;
    km_data d;
    kn_baskets *b;
    const uint32_t to[KM_ITEMS] = {1, 1, 2, 0, 0, 5};
    size_t held, struck = 0;

    (void)state;
    kn__rng_seed(&r, 9, 0);
    d = random_data(&r);
    b = baskets_of(&d);
    held = kn_memory_in_use();
    for (size_t n = 1; n < 20; n++) {
        kn_baskets *out = NULL;
        uint32_t *weight = NULL, *first = NULL, *of = NULL;
        kn__memory_fail_after(n);
        if (kn__baskets_map(&out, b, to, KM_ITEMS, NULL, NULL) != KN_OK) {
            struck++;
            assert_null(out);
        }
        kn__memory_fail_after(n);
        kn__baskets_free(out);
        if (kn__baskets_group(&out, b, &weight, &first, &of, NULL) != KN_OK) {
            struck++;
            assert_null(out);
            assert_null(weight);
            assert_null(first);
            assert_null(of);
        }
        kn__memory_fail_after(0);
        kn__baskets_free(out);
        kn__free(weight);
        kn__free(first);
        kn__free(of);
        assert_int_equal(kn_memory_in_use(), held);
    }
    assert_true(struck > 5);
    kn__baskets_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_column), cmocka_unit_test(test_not_a_list),
        cmocka_unit_test(test_map),       cmocka_unit_test(test_map_long),
        cmocka_unit_test(test_distinct),  cmocka_unit_test(test_many_distinct),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
