/* The samples "orders" and "clinic-trees": the paper's shape, hierarchies that cover every value
 * with an average fan-out of about five, seeds and threads, and failing allocations. */
#include "base/memory.h"
#include "data/dataset.h"
#include "kanon/hierarchy.h"
#include "kanon/io.h"
#include "sample/generate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static kn_dataset *read_sample(const char *name, size_t records, uint64_t seed, unsigned threads)
{
    const kn_run run = {.threads = threads, .seed = seed};
    kn_dataset *ds = NULL;
    kn_error err = {0};

    assert_int_equal(kn__sample_write(name, records, "sample.trees", &run, &err), KN_OK);
    if (kn_read(&ds, "sample.trees", NULL, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    (void)remove("sample.trees");
    return ds;
}

/* The depth of the deepest node, and how many children a node has at most. */
static void measure(const kn_forest *f, uint32_t *depth, uint32_t *fan_out)
{
    uint32_t *level = malloc(f->starts[f->records] * sizeof *level);
    uint32_t *children = calloc(f->starts[f->records] + 1, sizeof *children);

    *depth = *fan_out = 0;
    for (size_t r = 0; r < f->records; r++) {
        for (uint64_t i = f->starts[r]; i < f->starts[r + 1]; i++) {
            const uint32_t up = f->parent[i];
            level[i] = up == KN_NO_PARENT ? 1 : level[f->starts[r] + up] + 1;
            *depth = level[i] > *depth ? level[i] : *depth;
            if (up != KN_NO_PARENT && ++children[f->starts[r] + up] > *fan_out) {
                *fan_out = children[f->starts[r] + up];
            }
        }
    }
    free(level);
    free(children);
}

static void orders_shape(void **state)
{
    kn_dataset *ds = read_sample("orders", 20000, 1, 2);
    const kn_forest *f = ds->forest;
    const double nodes = (double)f->starts[f->records] / (double)f->records;
    uint32_t depth, fan_out;

    (void)state;
    assert_int_equal(f->records, 20000);
    assert_int_equal(f->values, 276);
    assert_int_equal(f->classes.len, 6);
    assert_true(nodes > 11.7 && nodes < 12.3);
    measure(f, &depth, &fan_out);
    assert_int_equal(depth, 4);
    assert_int_equal(fan_out, 4); /* a date and three items */
    assert_int_equal(kn_dataset_notes(ds), 0);
    kn_dataset_free(ds);
}

static void clinic_shape(void **state)
{
    kn_dataset *ds = read_sample("clinic-trees", 20000, 1, 2);
    uint32_t depth, fan_out;

    (void)state;
    assert_int_equal(ds->forest->values, 275);
    measure(ds->forest, &depth, &fan_out);
    assert_int_equal(depth, 3);
    assert_true(fan_out <= 3);
    assert_int_equal(kn_dataset_notes(ds), 0);
    kn_dataset_free(ds);
}

/* (nodes - roots) / inner nodes, over all classes. */
static void hierarchies_fit(void **state)
{
    static const char *const names[] = {"orders", "clinic-trees"};

    (void)state;
    for (size_t s = 0; s < 2; s++) {
        kn_dataset *ds = read_sample(names[s], 5000, 2, 1);
        double children = 0, inner = 0;

        assert_int_equal(kn__sample_write_hierarchies(names[s], "h", NULL), KN_OK);
        for (size_t i = 0; i < ds->columns; i++) {
            char path[64];
            kn_hierarchy *h = NULL;
            kn_error err = {0};
            (void)snprintf(path, sizeof path, "h/%s.csv", ds->column[i].name);
            assert_int_equal(kn_hierarchy_read(&h, path, &err), KN_OK);
            if (kn_hierarchy_covers(h, ds, i, &err) != KN_OK) {
                fail_msg("%s", err.message);
            }
            children += (double)kn_hierarchy_nodes(h) - 1;
            inner += (double)(kn_hierarchy_nodes(h) - kn_hierarchy_leaves(h));
            kn_hierarchy_free(h);
        }
        assert_true(children / inner > 4.5 && children / inner < 5.5);
        kn_dataset_free(ds);
    }
}

static char *bytes_of(const char *name, size_t records, uint64_t seed, unsigned threads,
                      size_t *len)
{
    const kn_run run = {.threads = threads, .seed = seed};
    char *text = malloc(1 << 24);
    FILE *f;

    assert_int_equal(kn__sample_write(name, records, "bytes.trees", &run, NULL), KN_OK);
    f = fopen("bytes.trees", "rb");
    *len = fread(text, 1, 1 << 24, f);
    (void)fclose(f);
    return text;
}

static void seeds_and_threads(void **state)
{
    static const char *const names[] = {"orders", "clinic-trees"};

    (void)state;
    for (size_t s = 0; s < 2; s++) {
        size_t one, two, other, fewer;
        char *a = bytes_of(names[s], 9000, 7, 1, &one), *b = bytes_of(names[s], 9000, 7, 3, &two);
        char *c = bytes_of(names[s], 9000, 8, 1, &other);
        char *d = bytes_of(names[s], 5000, 7, 1, &fewer);

        assert_true(one == two && memcmp(a, b, one) == 0);
        assert_false(one == other && memcmp(a, c, one) == 0);
        assert_true(fewer < one && memcmp(a, d, fewer) == 0);
        free(a), free(b), free(c), free(d);
    }
}

static void survives_failing_allocations(void **state)
{
    static const char *const names[] = {"orders", "clinic-trees"};

    (void)state;
    for (size_t s = 0; s < 2; s++) {
        for (size_t n = 1;; n++) {
            const size_t before = kn_memory_in_use();
            const kn_run run = {.threads = 1};
            kn_status status;

            kn__memory_fail_after(n);
            status = kn_sample_write_files(
                names[s], 10, &(kn_sample_files){.table = "few.trees", .schema = "few.json"}, &run,
                NULL);
            kn__memory_fail_after(0);
            assert_int_equal(kn_memory_in_use(), before);
            if (status == KN_OK) {
                break;
            }
            assert_int_equal(status, KN_ENOMEM);
            assert_true(n < 500);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_shape),
        cmocka_unit_test(clinic_shape),
        cmocka_unit_test(hierarchies_fit),
        cmocka_unit_test(seeds_and_threads),
        cmocka_unit_test(survives_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
