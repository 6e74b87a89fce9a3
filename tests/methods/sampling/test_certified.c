/* The method `sampling` as a whole, on data that can be enumerated: over 200 runs the exact failing
 * share of what it publishes is above 1 - sigma in no more of them than delta allows. */
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "kanon/anonymize.h"
#include "oracle/sampled_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "methods/method_params.h"

enum { ITEMS = 26, RECORDS = 300, RUNS = 200, M = 4 };

/* Items are on a ring. Records are neighbouring items and some others, so that a few merges of
 * neighbours make most combinations common, and some stay rare. */
static void make_records(uint64_t *record, kn_rng *r)
{
    for (size_t i = 0; i < RECORDS; i++) {
        const uint32_t home = (uint32_t)kn__rng_below(r, ITEMS);
        const size_t size = 1 + (size_t)kn__rng_below(r, 7);
        record[i] = UINT64_C(1) << home;
        while ((size_t)__builtin_popcountll(record[i]) < size) {
            const uint64_t step = kn__rng_below(r, 3) ? kn__rng_below(r, 6)
                                                      : kn__rng_below(r, ITEMS);
            record[i] |= UINT64_C(1) << (home + step) % ITEMS;
        }
    }
}

static kn_dataset *dataset_of(const uint64_t *record)
{
    static const char *const names[] = {"items"};
    kn_schema *schema = NULL;
    kn_dataset_builder *b = NULL;
    kn_dataset *ds = NULL;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "items", KN_TYPE_SET, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "items", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_item_separator(schema, ";", NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 1, schema, NULL), KN_OK);
    for (size_t i = 0; i < RECORDS; i++) {
        char cell[4 * ITEMS] = "";
        const char *row[] = {cell};
        for (unsigned j = 0; j < ITEMS; j++) {
            if (record[i] >> j & 1) {
                (void)snprintf(cell + strlen(cell), sizeof cell - strlen(cell), "%s%c",
                               *cell ? ";" : "", (int)('a' + j));
            }
        }
        assert_int_equal(kn_dataset_builder_add(b, row, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

/* By item: the least item of what it is published as, "c" or "{a,b}". */
static void read_regions(const kn_release *release, uint32_t region_of[64])
{
    const kn_column *c = &kn_release_data(release)->column[0];

    for (uint32_t i = 0; i < 64; i++) {
        region_of[i] = i;
    }
    for (uint32_t code = 0; code < kn__column_values(c); code++) {
        size_t len;
        const char *text = kn__dict_text(c->dict, code, &len);
        uint32_t least = 64;
        for (int turn = 0; turn < 2; turn++) {
            for (size_t i = 0; i < len; i++) {
                const uint32_t item = (uint32_t)(text[i] - 'a');
                if (text[i] < 'a' || text[i] > 'z') {
                    continue;
                }
                if (turn == 0) {
                    least = item < least ? item : least;
                } else {
                    region_of[item] = least;
                }
            }
        }
    }
}

static void test_failing_share(void **state)
{
    /* Each size and attacker is a claim of its own, which may be wrong with a chance of delta.
     * Three standard deviations above: the seeds are fixed. */
    const double sigma = 0.8, delta = 0.1;
    const int allowed = 20 + 13;
    int above[M + 1][2] = {{0}};
    double worst = 0;
    size_t regions = 0;
    FILE *f = fopen("ring.csv", "w");
    kn_rng r;

    (void)state;
    assert_non_null(f);
    (void)fprintf(f, "item,neighbour\n");
    for (int i = 0; i < ITEMS; i++) {
        (void)fprintf(f, "%c,%c\n", 'a' + i, 'a' + (i + 1) % ITEMS);
    }
    (void)fclose(f);
    kn__rng_seed(&r, 31, 0);
    for (int n = 0; n < RUNS; n++) {
        const kn_guarantee g = {.kind = KN_SIGMA_KM_ANONYMITY,
                                .k = 3,
                                .m = M,
                                .sigma = {sigma},
                                .exact_up_to = 1,
                                .delta = delta};
        const kn_anonymize_options o = {.guarantees = &g,
                                        .guarantees_count = 1,
                                        .params = METHOD_PARAMS("sampling", "edges=ring.csv")};
        const kn_run run = {.threads = 1 + (unsigned)n % 2, .seed = (uint64_t)n};
        uint64_t record[RECORDS];
        uint32_t region_of[64];
        kn_release *release = NULL;
        kn_error err = {0};
        kn_dataset *ds;
        make_records(record, &r);
        ds = dataset_of(record);
        if (kn_anonymize(&release, ds, NULL, &o, &run, &err) != KN_OK) {
            fail_msg("%s", err.message);
        }
        read_regions(release, region_of);
        assert_true(oracle_failing_share(record, RECORDS, 1, g.k, region_of) == 0);
        for (size_t size = 2; size <= M; size++) {
            const double share[2] = {oracle_failing_share(record, RECORDS, size, g.k, region_of),
                                     oracle_person_share(record, RECORDS, size, g.k, region_of)};
            for (int a = 0; a < 2; a++) {
                above[size][a] += share[a] > 1 - sigma;
                worst = share[a] > worst ? share[a] : worst;
            }
        }
        for (uint32_t i = 0; i < ITEMS; i++) {
            regions += region_of[i] == i;
        }
        kn_release_free(release);
        kn_dataset_free(ds);
    }
    (void)remove("ring.csv");
    print_message("worst failing share %.3f of %.1f allowed; %.1f regions of %d\n", worst,
                  1 - sigma, (double)regions / RUNS, ITEMS);
    for (size_t size = 2; size <= M; size++) {
        assert_true(above[size][0] <= allowed && above[size][1] <= allowed);
    }
    assert_true(worst > 0);                  /* samples, not an enumeration */
    assert_true(regions > 2 * (size_t)RUNS); /* and not everything merged */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failing_share)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
