/* The samples "income" and "baskets": their shapes; of all samples with lists that seeds and
 * threads decide what they should, and failing allocations. */
#include "base/memory.h"
#include "data/dataset.h"
#include "kanon/hierarchy.h"
#include "kanon/io.h"
#include "sample/generate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static char *slurp(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *text;

    assert_non_null(f);
    (void)fseek(f, 0, SEEK_END);
    *len = (size_t)ftell(f);
    rewind(f);
    text = kn__malloc(*len + 1);
    assert_int_equal(fread(text, 1, *len, f), *len);
    text[*len] = '\0';
    (void)fclose(f);
    return text;
}

static kn_dataset *sample(const char *name, size_t records, kn_type type)
{
    kn_schema *schema = NULL;
    kn_read_options options = {0};
    kn_dataset *ds = NULL;
    kn_error err = {0};

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "items", type, NULL), KN_OK);
    options.schema = schema;
    assert_int_equal(kn__sample_write(name, records, "s.dat", NULL, &err), KN_OK);
    if (kn_read(&ds, "s.dat", &options, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    kn_schema_free(schema);
    assert_int_equal(kn_dataset_records(ds), records);
    return ds;
}

static void test_income(void **state)
{
    enum { RECORDS = 100000 };
    kn_dataset *ds = sample("income", RECORDS, KN_TYPE_NUMBERS);
    const kn_column *c = &ds->column[0];
    size_t round = 0;

    (void)state;
    assert_true(c->starts[RECORDS] >= 2.25 * RECORDS && c->starts[RECORDS] <= 2.29 * RECORDS);
    for (size_t i = 0; i < RECORDS; i++) {
        assert_true(c->starts[i + 1] - c->starts[i] >= 1 && c->starts[i + 1] - c->starts[i] <= 8);
    }
    for (size_t i = 0; i < c->starts[RECORDS]; i++) {
        const double income = c->numbers[kn__column_code(c, i)];
        assert_true(income >= 1 && income <= 197297);
        round += (size_t)income % 1000 == 0;
    }
    /* without the spikes it would be one in a thousand */
    assert_true(round > c->starts[RECORDS] / 5);
    kn_dataset_free(ds);
}

static void test_baskets(void **state)
{
    enum { RECORDS = 50000 };
    kn_dataset *ds = sample("baskets", RECORDS, KN_TYPE_BAG);
    const kn_column *c = &ds->column[0];
    kn_hierarchy *h = NULL;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn__column_values(c), 2400);
    for (size_t i = 0; i < RECORDS; i++) {
        assert_true(c->starts[i + 1] - c->starts[i] >= 1 && c->starts[i + 1] - c->starts[i] <= 40);
        for (uint64_t at = c->starts[i] + 1; at < c->starts[i + 1]; at++) {
            assert_true(kn__column_code(c, at - 1) < kn__column_code(c, at)); /* each item once */
        }
    }
    assert_int_equal(kn__sample_write_hierarchies("baskets", "shop", &err), KN_OK);
    assert_int_equal(kn_hierarchy_read(&h, "shop/items.csv", &err), KN_OK);
    kn_hierarchy_free(h);
    kn_dataset_free(ds);
}

static const char *const names[] = {"income", "baskets", "clinic", "informs", "youtube"};
enum { NAMES = sizeof names / sizeof *names };

static void test_seeds_and_threads(void **state)
{
    (void)state;
    for (int n = 0; n < NAMES; n++) {
        const kn_run one = {.threads = 1, .seed = 3}, five = {.threads = 5, .seed = 3};
        const kn_run other = {.seed = 4};
        size_t len[4];
        char *text[4];
        assert_int_equal(kn__sample_write(names[n], 20000, "a.dat", &one, NULL), KN_OK);
        assert_int_equal(kn__sample_write(names[n], 20000, "b.dat", &five, NULL), KN_OK);
        assert_int_equal(kn__sample_write(names[n], 9000, "c.dat", &five, NULL), KN_OK);
        assert_int_equal(kn__sample_write(names[n], 20000, "d.dat", &other, NULL), KN_OK);
        for (int i = 0; i < 4; i++) {
            const char path[] = {(char)('a' + i), '.', 'd', 'a', 't', '\0'};
            text[i] = slurp(path, &len[i]);
        }
        assert_int_equal(len[0], len[1]);
        assert_memory_equal(text[0], text[1], len[0]);
        assert_true(len[2] < len[0]);
        assert_memory_equal(text[0], text[2], len[2]);
        assert_true(len[3] != len[0] || memcmp(text[3], text[0], len[0]) != 0);
        for (int i = 0; i < 4; i++) {
            kn__free(text[i]);
        }
    }
}

static void test_no_memory(void **state)
{
    const kn_run run = {.threads = 1};

    (void)state;
    for (int n = 0; n < NAMES; n++) {
        const size_t held = kn_memory_in_use();
        for (size_t at = 1;; at++) {
            kn_error err;
            kn_status status;
            kn__memory_fail_after(at);
            status = kn__sample_write(names[n], 100, "m.dat", &run, &err);
            kn__memory_fail_after(0);
            assert_int_equal(kn_memory_in_use(), held);
            if (status == KN_OK) {
                break;
            }
            assert_int_equal(status, KN_ENOMEM);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_income),
        cmocka_unit_test(test_baskets),
        cmocka_unit_test(test_seeds_and_threads),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
