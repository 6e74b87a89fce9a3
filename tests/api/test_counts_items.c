/* test_counts_items.c - item lists that stand for several people each: apriori, sampling, the
 * checks of km-anonymity and sigma-km-anonymity and the measures give for the classes of a table
 * what they give for its rows. */
#include "counts.h"

enum { CASES = 2000, SAMPLED_CASES = 400, MOST_CLASSES = 12, MOST_PEOPLE = 9, MOST_TEXT = 64 };

/* ---- a table twice ---- */

typedef struct table {
    char items[MOST_CLASSES][MOST_TEXT];
    uint64_t count[MOST_CLASSES];
    size_t classes;
    bool bags;
} table;

static void random_table(table *t)
{
    const unsigned items = 2 + below(5), longest = 1 + below(4);

    t->classes = 1 + below(MOST_CLASSES);
    t->bags = below(4) == 0;
    for (size_t i = 0; i < t->classes; i++) {
        char *at = t->items[i];
        *at = 0;
        for (unsigned j = below(longest + 1); j > 0; j--) {
            at += sprintf(at, "%s%c", at == t->items[i] ? "" : "|", 'a' + (int)below(items));
        }
        t->count[i] = 1 + below(below(2) ? 2 : MOST_PEOPLE);
    }
}

/* The records of `t` in the order `of`, which names a class for each. */
static kn_dataset *make(const table *t, const size_t *of, size_t records)
{
    static const char *const names[] = {"basket"};
    kn_schema *schema = NULL;
    kn_dataset_builder *b = NULL;
    kn_dataset *ds = NULL;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "basket", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(
        kn_schema_set_type(schema, "basket", t->bags ? KN_TYPE_BAG : KN_TYPE_SET, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 1, schema, NULL), KN_OK);
    for (size_t i = 0; i < records; i++) {
        const char *cell = t->items[of[i]];
        assert_int_equal(kn_dataset_builder_add(b, &cell, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static kn_dataset *make_rows(const table *t)
{
    size_t of[MOST_CLASSES * MOST_PEOPLE];
    const size_t rows = rows_of(of, t->count, t->classes);

    return make(t, of, rows);
}

/* One record for each class; two classes may hold the same items. */
static kn_dataset *make_classes(const table *t)
{
    size_t of[MOST_CLASSES];
    uint64_t count[MOST_CLASSES];
    kn_dataset *ds;

    for (size_t i = 0; i < t->classes; i++) {
        of[i] = i;
    }
    shuffle(of, t->classes);
    for (size_t i = 0; i < t->classes; i++) {
        count[i] = t->count[of[i]];
    }
    ds = make(t, of, t->classes);
    assert_int_equal(kn_dataset_set_counts(ds, count, t->classes, NULL), KN_OK);
    return ds;
}

static kn_hierarchies *make_hierarchies(bool lacks)
{
    const char *text = lacks ? "a;ab;low;*\nb;ab;low;*\nc;cd;low;*\nd;cd;low;*\ne;e;high;*\n"
                             : "a;ab;low;*\nb;ab;low;*\nc;cd;low;*\nd;cd;low;*\ne;ef;high;*\n"
                               "f;ef;high;*\n";
    kn_hierarchies *hs = NULL;

    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    add_hierarchy(hs, "basket", text);
    return hs;
}

/* ---- the same of both ---- */

static void classes_give_what_rows_give(void **state)
{
    comparison found = {.tolerance = 1e-12};

    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        const bool lacks = i % 4 == 0;
        kn_dataset *rows, *classes;
        table t;
        seed = i;
        random_table(&t);
        rows = make_rows(&t);
        classes = make_classes(&t);
        kn_guarantee g[] = {{KN_INIT(kn_guarantee), .kind = KN_KM_ANONYMITY, .k = 1 + below(8),
                             .m = 1 + below(3), .recount = KN_RECOUNT_FULL},
                            {KN_INIT(kn_guarantee), .kind = KN_KM_ANONYMITY, .k = 1 + below(3),
                             .m = 1 + below(4)}};
        const kn_anonymize_options options = {KN_INIT(kn_anonymize_options), .guarantees = g,
                                              .guarantees_count = 1 + below(2), .method = "apriori",
                                              .uncovered = lacks ? KN_UNCOVERED_SUPPRESS
                                                                 : KN_UNCOVERED_ERROR};
        compare(&found, rows, classes, make_hierarchies(lacks), &options);
    }
    every_kind_occurred(&found, CASES);
}

/* Samples are drawn from the different records in an order of their own: rows in any order and
 * their classes give the same regions and the same certificates. */
static void classes_are_sampled_as_rows_are(void **state)
{
    comparison found = {.tolerance = 1e-12};
    size_t drawn = 0;

    (void)state;
    for (unsigned i = 0; i < SAMPLED_CASES; i++) {
        kn_hierarchies *hs = make_hierarchies(false);
        kn_dataset *rows, *classes;
        kn_verdict *x = NULL, *y = NULL;
        table t;
        seed = i;
        random_table(&t);
        t.bags = false;
        rows = make_rows(&t);
        classes = make_classes(&t);
        const kn_guarantee g = {KN_INIT(kn_guarantee),
                                .kind = KN_SIGMA_KM_ANONYMITY,
                                .k = 1 + below(8),
                                .m = 1 + below(4),
                                .sigma = {below(2) ? 0.8 : 0.95},
                                .exact_up_to = below(2) ? KN_SAMPLE_ALL : 1 + below(2)};
        const kn_anonymize_options options = {KN_INIT(kn_anonymize_options), .guarantees = &g,
                                              .guarantees_count = 1, .method = "sampling"};
        /* The table as a release of itself: rare itemsets fail as often in both. */
        assert_int_equal(kn_check_release(&x, rows, rows, &g, 1, hs, &alone, NULL), KN_OK);
        assert_int_equal(kn_check_release(&y, classes, classes, &g, 1, hs, &alone, NULL), KN_OK);
        same_verdict(&found, x, y, 1);
        for (size_t c = 0; c < kn_verdict_certificates(x); c++) {
            drawn += kn_verdict_certificate(x, c)->failures > 0;
        }
        found.held += kn_verdict_holds(x);
        same_release(&found, rows, classes, hs, &options);
        kn_verdict_free(x);
        kn_verdict_free(y);
        kn_hierarchies_free(hs);
        kn_dataset_free(classes);
        kn_dataset_free(rows);
    }
    assert_in_range(found.made, SAMPLED_CASES / 4, SAMPLED_CASES - 1);
    assert_in_range(found.held, 1, SAMPLED_CASES - 1);
    assert_true(drawn > 0);
}

static void others_refuse(void **state)
{
    static const char *const methods[] = {"vpa", "lra"};
    const table t = {.items = {"a|b", "a"}, .count = {5, 7}, .classes = 2};
    const kn_guarantee g = {KN_INIT(kn_guarantee), .kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    kn_anonymize_options o = {KN_INIT(kn_anonymize_options), .guarantees = &g,
                              .guarantees_count = 1};
    kn_dataset *ds = make_classes(&t);
    kn_hierarchies *hs = make_hierarchies(false);
    kn_release *r = NULL;
    kn_error err = {0};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        o.method = methods[i];
        assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_EUSAGE);
        assert_non_null(strstr(err.message, "take method apriori"));
    }
    o.method = "apriori";
    o.item_suppression = 0.1;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "item suppression"));
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(classes_give_what_rows_give),
                                       cmocka_unit_test(classes_are_sampled_as_rows_are),
                                       cmocka_unit_test(others_refuse)};

    return cmocka_run_group_tests_name("api.counts_items", tests, NULL, NULL);
}
