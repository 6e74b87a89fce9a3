/* Classes against pairwise comparison of records, on tables that take each way of grouping: the
 * table by key, parts, several rounds. */
#include "base/memory.h"
#include "base/rng.h"
#include "count/classes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool classes_validate(const kn_classes *c, const char **reason)
{
    size_t seen = 0, total = 0;

    for (size_t i = 0; i < c->records; i++) {
        if (c->of[i] > seen || c->of[i] >= c->count) {
            *reason = "classes are not numbered by first appearance";
            return false;
        }
        if (c->of[i] == seen) {
            if (c->first[seen] != i) {
                *reason = "a class's first record is not its first";
                return false;
            }
            seen++;
        }
    }
    if (seen != c->count) {
        *reason = "a class has no record";
        return false;
    }
    for (size_t i = 0; i < c->count; i++) {
        if (c->size[i] == 0) {
            *reason = "a class has size 0";
            return false;
        }
        total += c->size[i];
    }
    if (total != c->people) {
        *reason = "class sizes do not sum to the people";
        return false;
    }
    return true;
}

static const char *const names[] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7",
                                    "c8", "c9", "ca", "cb", "cc", "cd", "ce", "cf"};
static const size_t all_columns[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* A table without texts: codes are set by hand, of `values[c]` values each. */
static kn_dataset *make(size_t records, size_t columns, const uint32_t *values)
{
    kn_dataset *ds;

    assert_int_equal(kn__dataset_new(&ds, columns, NULL), KN_OK);
    ds->records = records;
    for (size_t c = 0; c < columns; c++) {
        kn_column *column = &ds->column[c];
        column->name = kn__strdup(names[c]);
        column->type = KN_TYPE_CATEGORY;
        column->missing = KN_NO_CODE;
        column->width = kn__code_width(values[c]);
        assert_int_equal(kn__dict_new(&column->dict, NULL), KN_OK);
        column->dict->len = values[c];
        column->codes = kn__zalloc_array(records, column->width);
        assert_non_null(column->codes);
    }
    return ds;
}

static void scrap(kn_dataset *ds)
{
    for (size_t c = 0; c < ds->columns; c++) {
        ds->column[c].dict->len = 0;
    }
    kn_dataset_free(ds);
}

static void set(kn_dataset *ds, size_t column, size_t record, uint32_t code)
{
    kn__code_set(ds->column[column].codes, ds->column[column].width, record, code);
}

static bool equal(const kn_dataset *ds, const size_t *columns, size_t count, size_t a, size_t b)
{
    for (size_t i = 0; i < count; i++) {
        if (kn__column_code(&ds->column[columns[i]], a) !=
            kn__column_code(&ds->column[columns[i]], b)) {
            return false;
        }
    }
    return true;
}

static void against_pairs(const kn_dataset *ds, const size_t *columns, size_t count,
                          unsigned threads)
{
    kn_run run = {.threads = threads};
    kn_classes *c;
    const char *reason;
    uint32_t *members, *begin, next = 0;

    assert_int_equal(kn__classes_new(&c, ds, columns, count, &run, NULL), KN_OK);
    assert_true(classes_validate(c, &reason));
    for (size_t i = 0; i < ds->records; i++) {
        size_t first = 0;
        while (!equal(ds, columns, count, first, i)) {
            first++;
        }
        if (first == i) {
            assert_int_equal(c->of[i], next);
            assert_int_equal(c->first[next], i);
            next++;
        } else {
            assert_int_equal(c->of[i], c->of[first]);
        }
    }
    assert_int_equal(c->count, next);
    assert_int_equal(kn__classes_members(c, &members, &begin, NULL), KN_OK);
    assert_int_equal(begin[0], 0);
    assert_int_equal(begin[c->count], ds->records);
    for (uint32_t k = 0; k < c->count; k++) {
        assert_int_equal(begin[k + 1] - begin[k], c->size[k]);
        for (uint32_t i = begin[k]; i < begin[k + 1]; i++) {
            assert_int_equal(c->of[members[i]], k);
            assert_true(i == begin[k] || members[i] > members[i - 1]);
        }
    }
    kn__free(members);
    kn__free(begin);
    kn__classes_free(c);
}

static void test_small_tables(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 200, 300, 70000, 4000000000u};
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 11, 0);
    for (int round = 0; round < 1500; round++) {
        const size_t records = kn__rng_below(&r, 40), columns = 1 + kn__rng_below(&r, 9);
        const size_t used = kn__rng_below(&r, columns + 1);
        uint32_t values[16];
        kn_dataset *ds;
        for (size_t c = 0; c < columns; c++) {
            values[c] = sizes[kn__rng_below(&r, 7)];
        }
        ds = make(records, columns, values);
        for (size_t c = 0; c < columns; c++) {
            /* few different codes, so that records meet; the greatest among them */
            for (size_t i = 0; i < records; i++) {
                const uint32_t pick = (uint32_t)kn__rng_below(&r, values[c] < 3 ? values[c] : 3);
                set(ds, c, i, kn__rng_below(&r, 2) ? values[c] - 1 - pick : values[c] - 1);
            }
        }
        against_pairs(ds, all_columns, used, 1 + (unsigned)kn__rng_below(&r, 3));
        scrap(ds);
    }
}

/* Large enough for parts and threads. Equal records are planted at known places. */
static kn_dataset *large(size_t records, size_t columns, uint32_t values, uint64_t different)
{
    uint32_t sizes[16];
    kn_dataset *ds;
    kn_rng r;

    for (size_t c = 0; c < columns; c++) {
        sizes[c] = values;
    }
    ds = make(records, columns, sizes);
    kn__rng_seed(&r, different, columns);
    for (size_t i = 0; i < records; i++) {
        kn_rng row;
        kn__rng_seed(&row, kn__rng_below(&r, different), 77);
        for (size_t c = 0; c < columns; c++) {
            set(ds, c, i, (uint32_t)kn__rng_below(&row, values));
        }
    }
    return ds;
}

static void test_large_tables_and_threads(void **state)
{
    static const struct {
        size_t columns;
        uint32_t values;
        uint64_t different;
    } shapes[] = {{8, 50, 1000}, {8, 50, 90000},   {16, 900, 40000},
                  {3, 60000, 1}, {2, 100, 100000}, {5, 2000000, 150000}};

    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const size_t records = 100003;
        kn_dataset *ds = large(records, shapes[s].columns, shapes[s].values, shapes[s].different);
        kn_classes *one = NULL;
        const char *reason;
        for (unsigned threads = 1; threads <= 5; threads += threads == 1 ? 1 : 3) {
            kn_run run = {.threads = threads};
            kn_classes *c;
            assert_int_equal(kn__classes_new(&c, ds, all_columns, shapes[s].columns, &run, NULL),
                             KN_OK);
            assert_true(classes_validate(c, &reason));
            if (!one) {
                one = c;
                for (size_t i = 0; i < records; i++) {
                    assert_true(equal(ds, all_columns, shapes[s].columns, i, c->first[c->of[i]]));
                }
                /* no class twice */
                for (uint32_t a = 0; a < c->count && c->count <= 1000; a++) {
                    for (uint32_t b = 0; b < a; b++) {
                        assert_false(
                            equal(ds, all_columns, shapes[s].columns, c->first[a], c->first[b]));
                    }
                }
            } else {
                assert_int_equal(c->count, one->count);
                assert_memory_equal(c->of, one->of, records * sizeof *c->of);
                assert_memory_equal(c->size, one->size, c->count * sizeof *c->size);
                assert_memory_equal(c->first, one->first, c->count * sizeof *c->first);
                kn__classes_free(c);
            }
        }
        /* Over the parts' borders nothing may be split: grouping by columns one after the other
         * agrees. */
        for (size_t left = 1; left < shapes[s].columns; left += 3) {
            size_t turned[16];
            kn_classes *c;
            for (size_t i = 0; i < shapes[s].columns; i++) {
                turned[i] = (i + left) % shapes[s].columns;
            }
            assert_int_equal(kn__classes_new(&c, ds, turned, shapes[s].columns, NULL, NULL), KN_OK);
            assert_int_equal(c->count, one->count);
            assert_memory_equal(c->of, one->of, records * sizeof *c->of);
            kn__classes_free(c);
        }
        kn__classes_free(one);
        scrap(ds);
    }
}

/* Keys that differ in their upper half only, all of them. */
static void test_whole_keys_are_compared(void **state)
{
    const uint32_t values[] = {30000, 65536, 65536};
    const size_t records = 60000;
    kn_dataset *ds = make(records, 3, values);
    kn_classes *c;

    (void)state;
    for (size_t i = 0; i < records; i++) {
        set(ds, 0, i, (uint32_t)(i % 30000));
    }
    assert_int_equal(kn__classes_new(&c, ds, all_columns, 3, NULL, NULL), KN_OK);
    assert_int_equal(c->count, 30000);
    for (size_t i = 0; i < records; i++) {
        assert_int_equal(c->of[i], i % 30000);
    }
    kn__classes_free(c);
    scrap(ds);
}

static void test_refusals(void **state)
{
    const uint32_t values[] = {3, 3};
    kn_dataset *ds = make(2, 2, values);
    kn_classes *c;
    kn_dict *dict;
    kn_error err;

    (void)state;
    ds->column[1].type = KN_TYPE_SET;
    assert_int_equal(kn__classes_new(&c, ds, all_columns, 2, NULL, &err), KN_EUSAGE);
    assert_null(c);
    assert_non_null(strstr(err.message, "c1"));
    ds->column[1].type = KN_TYPE_CATEGORY;
    dict = ds->column[0].dict;
    ds->column[0].dict = NULL;
    assert_int_equal(kn__classes_new(&c, ds, all_columns, 2, NULL, &err), KN_EUSAGE);
    ds->column[0].dict = dict;
    ds->records = (size_t)UINT32_MAX;
    assert_int_equal(kn__classes_new(&c, ds, all_columns, 2, NULL, &err), KN_EINPUT);
    ds->records = 2;
    scrap(ds);
}

static int cancel(void *user, const char *phase, double done)
{
    (void)user;
    (void)phase;
    (void)done;
    return 1;
}

static void test_cancel(void **state)
{
    const uint32_t values[] = {3};
    kn_dataset *ds = make(5, 1, values);
    const size_t before = kn_memory_in_use();
    kn_run run = {.progress = cancel};
    kn_classes *c;

    (void)state;
    assert_int_equal(kn__classes_new(&c, ds, all_columns, 1, &run, NULL), KN_ECANCELLED);
    assert_null(c);
    assert_int_equal(kn_memory_in_use(), before);
    scrap(ds);
}

static void test_allocation_failures(void **state)
{
    kn_dataset *ds = large(70000, 16, 900, 1500);
    const size_t before = kn_memory_in_use();
    bool failed = true;

    (void)state;
    for (size_t n = 1; failed; n++) {
        kn_run run = {.threads = 2};
        kn_classes *c = NULL;
        uint32_t *members = NULL, *begin = NULL;
        kn_status status;
        kn__memory_fail_after(n);
        status = kn__classes_new(&c, ds, all_columns, 16, &run, NULL);
        if (status == KN_OK) {
            status = kn__classes_members(c, &members, &begin, NULL);
        }
        failed = kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(status, failed ? KN_ENOMEM : KN_OK);
        assert_true(!failed || !members);
        kn__free(members);
        kn__free(begin);
        kn__classes_free(c);
        assert_int_equal(kn_memory_in_use(), before);
    }
    scrap(ds);
}

static void test_validate_finds_faults(void **state)
{
    const uint32_t values[] = {3};
    kn_dataset *ds = make(4, 1, values);
    const char *reason = NULL;
    kn_classes *c;

    (void)state;
    set(ds, 0, 2, 1);
    assert_int_equal(kn__classes_new(&c, ds, all_columns, 1, NULL, NULL), KN_OK);
    assert_true(classes_validate(c, &reason));
    c->size[0]++;
    assert_false(classes_validate(c, &reason));
    c->size[0]--;
    c->first[1] = 3;
    assert_false(classes_validate(c, &reason));
    c->first[1] = 2;
    c->of[0] = 1;
    assert_false(classes_validate(c, &reason));
    assert_non_null(reason);
    kn__classes_free(c);
    scrap(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_tables),
        cmocka_unit_test(test_large_tables_and_threads),
        cmocka_unit_test(test_whole_keys_are_compared),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_allocation_failures),
        cmocka_unit_test(test_validate_finds_faults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
