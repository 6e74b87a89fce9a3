/* The table that is equivalent to a tree: Table 2 of the models paper, Adult, and what each leaf
 * must say of its records. */
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "hierarchy/hierarchy.h"
#include "kanon/anonymize.h"
#include "kanon/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "oracle/mortgage.h"

static kn_status anonymize(kn_release **out, const kn_dataset *ds, const kn_hierarchies *hs,
                           size_t k, kn_error *err)
{
    const kn_guarantee g = {.kind = KN_K_ANONYMITY, .k = k};

    return kn_anonymize(
        out, ds, hs,
        &(kn_anonymize_options){.guarantees = &g, .guarantees_count = 1, .method = "id3"}, NULL,
        err);
}

static void assert_cell(const kn_dataset *ds, size_t column, size_t record, const char *expected)
{
    size_t len;
    const char *text = kn_dataset_value(ds, column, kn_dataset_code(ds, column, record), &len);
    char found[64];

    (void)snprintf(found, sizeof found, "%.*s", (int)len, text);
    assert_string_equal(found, expected);
}

static void table_2(void **state)
{
    kn_dataset *ds = dataset(names_1, 5, "----p", table_1[0], 12);

    (void)state;
    for (size_t k = 2; k <= 3; k++) {
        kn_release *release;
        const kn_dataset *out;
        assert_int_equal(anonymize(&release, ds, NULL, k, NULL), KN_OK);
        out = kn_release_data(release);
        for (size_t i = 0; i < 12; i++) {
            assert_cell(out, 0, i, table_1[i][0]);
            assert_cell(out, 1, i, i < 6 ? "*" : table_1[i][1]);
            assert_cell(out, 2, i, i < 6 ? table_1[i][2] : "*");
            assert_cell(out, 3, i, "*");
            assert_cell(out, 4, i, table_1[i][4]);
        }
        kn_release_free(release);
    }
    kn_dataset_free(ds);
}

/* Ranges end where the way to the leaf says; a missing value stands alone where it can. */
static void ranges_and_missing_values(void **state)
{
    static const char *const names[] = {"n", "class"};
    static const char *const cells[][2] = {
        {"1", "x"},  {"2", "x"},  {"3", "x"},  {"10", "y"}, {"11", "y"},
        {"14", "y"}, {"20", "x"}, {"21", "x"}, {"", "z"},   {"", "z"},
    };
    static const char *const expected[] = {"[1,3]",   "[1,3]",   "[1,3]",   "[10,14]", "[10,14]",
                                           "[10,14]", "[20,21]", "[20,21]", "",        ""};
    kn_dataset *ds = dataset(names, 2, "-p", cells[0], 10);
    kn_release *release;

    (void)state;
    assert_int_equal(anonymize(&release, ds, NULL, 2, NULL), KN_OK);
    for (size_t i = 0; i < 10; i++) {
        assert_cell(kn_release_data(release), 0, i, expected[i]);
    }
    kn_release_free(release);
    /* With k = 3 the missing values go with others: nothing is said of those. */
    assert_int_equal(anonymize(&release, ds, NULL, 3, NULL), KN_OK);
    assert_cell(kn_release_data(release), 0, 8, "*");
    assert_cell(kn_release_data(release), 0, 9, "*");
    kn_release_free(release);
    kn_dataset_free(ds);
}

static void refuses_what_is_no_class(void **state)
{
    kn_dataset *ds = dataset(names_1, 5, "----p", table_1[0], 12);
    kn_release *release;
    kn_error err = {0};

    (void)state;
    assert_int_equal(anonymize(&release, ds, NULL, 13, &err), KN_EINFEASIBLE);
    kn_dataset_set_role(ds, 4, KN_ROLE_KEPT, NULL);
    assert_int_equal(anonymize(&release, ds, NULL, 2, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "--sensitive"));
    kn_dataset_free(ds);
}

/* Table 6: the classification metric of Adult without relationship and age, in records. */
static void adult_classification_metric(void **state)
{
    static const size_t k[] = {10, 25, 50, 100};
    static const double most[] = {5198, 5273, 5379, 5439};
    const char *const data = KN_SHARED_DATA "/adult/adult.csv.zst";
    kn_schema *schema;
    kn_dataset *ds;
    kn_hierarchies *hs;

    (void)state;
    if (access(data, R_OK) != 0) {
        print_message("skipped: %s is not there\n", data);
        skip();
    }
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_read(&ds, data, &(kn_read_options){.schema = schema}, NULL, NULL), KN_OK);
    kn_schema_free(schema);
    for (size_t c = 0; c < kn_dataset_columns(ds); c++) {
        const char *name = kn_dataset_name(ds, c);
        kn_dataset_set_role(ds, c,
                            strcmp(name, "age") == 0            ? KN_ROLE_KEPT
                            : strcmp(name, "salary-class") == 0 ? KN_ROLE_SENSITIVE
                                                                : KN_ROLE_QUASI,
                            NULL);
    }
    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(
        kn_hierarchies_read_folder(NULL, hs, KN_SHARED_DATA "/adult/hierarchies", ds, NULL), KN_OK);
    for (size_t i = 0; i < 4; i++) {
        kn_release *release;
        kn_measures *measures;
        double share;
        assert_int_equal(anonymize(&release, ds, hs, k[i], NULL), KN_OK);
        assert_int_equal(kn_measure(&measures, ds, kn_release_data(release), NULL, hs, NULL, NULL),
                         KN_OK);
        share = kn_measures_value(measures, "classification", NULL);
        print_message("k = %zu: CM %.0f (paper %.0f)\n", k[i], share * 30162, most[i]);
        assert_true(share * 30162 < most[i] + 0.5);
        kn_measures_free(measures);
        kn_release_free(release);
    }
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_2),
        cmocka_unit_test(ranges_and_missing_values),
        cmocka_unit_test(refuses_what_is_no_class),
        cmocka_unit_test(adult_classification_metric),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
