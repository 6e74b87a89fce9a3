/* test_counts.c - records that stand for several people each: flash on the classes of a table gives
 * what it gives on the rows, and what cannot count people refuses them. */
#include <kanon.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 3000, QIS = 3, MOST_CLASSES = 14, MOST_ROWS = MOST_CLASSES * 6, COLUMNS = QIS + 1 };

static const char *const names[COLUMNS] = {"q0", "q1", "q2", "s"};

static unsigned seed;

static unsigned below(unsigned n)
{
    return (unsigned)rand_r(&seed) % n;
}

/* ---- a table twice ---- */

typedef struct table {
    const char *value[MOST_CLASSES][COLUMNS];
    uint64_t count[MOST_CLASSES];
    size_t classes;
    bool any; /* missing values may be anyone's */
} table;

static void random_table(table *t)
{
    static const char *const numbers[] = {"1", "2", "5", "7", NULL};
    static const char *const words[] = {"a", "b", "c", "d", NULL};
    static const char *const labels[] = {"1.0", "1", "2", "3"};

    t->classes = 1 + below(MOST_CLASSES);
    t->any = below(4) == 0;
    for (size_t i = 0; i < t->classes; i++) {
        const unsigned values = below(3) ? 4 : 5;
        t->value[i][0] = numbers[below(values)];
        t->value[i][1] = words[below(values)];
        t->value[i][2] = words[below(2)];
        t->value[i][3] = labels[below(4)];
        t->count[i] = 1 + below(below(2) ? 2 : 6);
    }
}

static void swap(size_t *order, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t j = below((unsigned)i), other = order[j];
        order[j] = order[i - 1];
        order[i - 1] = other;
    }
}

/* The records of `t` in the order `of`, which names a class for each. */
static kn_dataset *make(const table *t, const size_t *of, size_t records)
{
    kn_schema *schema = NULL;
    kn_dataset_builder *b = NULL;
    kn_dataset *ds = NULL;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (size_t c = 0; c < COLUMNS; c++) {
        assert_int_equal(kn_schema_set_role(schema, names[c],
                                            c < QIS ? KN_ROLE_QUASI : KN_ROLE_SENSITIVE, NULL),
                         KN_OK);
        if (t->any && c < QIS) {
            assert_int_equal(kn_schema_set_missing_rule(schema, names[c], KN_MISSING_ANY, NULL),
                             KN_OK);
        }
    }
    assert_int_equal(kn_dataset_builder_new(&b, names, COLUMNS, schema, NULL), KN_OK);
    for (size_t i = 0; i < records; i++) {
        assert_int_equal(kn_dataset_builder_add(b, t->value[of[i]], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static kn_dataset *make_rows(const table *t)
{
    size_t of[MOST_ROWS], rows = 0;

    for (size_t i = 0; i < t->classes; i++) {
        for (uint64_t j = 0; j < t->count[i]; j++) {
            of[rows++] = i;
        }
    }
    swap(of, rows);
    return make(t, of, rows);
}

/* Each class in one record or, sometimes, in two. */
static kn_dataset *make_classes(const table *t)
{
    size_t of[2 * MOST_CLASSES], records = 0;
    uint64_t count[2 * MOST_CLASSES], left[MOST_CLASSES];
    kn_dataset *ds;

    memcpy(left, t->count, sizeof left);
    for (size_t i = 0; i < t->classes; i++) {
        of[records++] = i;
        if (t->count[i] > 1 && below(3) == 0) {
            of[records++] = i;
        }
    }
    swap(of, records);
    for (size_t i = 0; i < records; i++) {
        bool again = false;
        for (size_t j = i + 1; j < records; j++) {
            again = again || of[j] == of[i];
        }
        count[i] = again ? 1 : left[of[i]];
        left[of[i]] -= count[i];
    }
    ds = make(t, of, records);
    assert_int_equal(kn_dataset_set_counts(ds, count, records, NULL), KN_OK);
    return ds;
}

static void add_hierarchy(kn_hierarchies *hs, const char *column, const char *text)
{
    kn_hierarchy *h = NULL;

    assert_int_equal(kn_hierarchy_parse(&h, text, strlen(text), column, NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, column, h, NULL), KN_OK);
}

static kn_hierarchies *make_hierarchies(bool lacks)
{
    kn_hierarchies *hs = NULL;

    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    add_hierarchy(hs, "q0",
                  lacks ? "1;low;*\n2;low;*\n5;high;*\n"
                        : "1;low;few;*\n2;low;few;*\n5;high;few;*\n7;top;many;*\n");
    add_hierarchy(hs, "q1", "a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n");
    add_hierarchy(hs, "s", "1;x;*\n2;y;*\n3;y;*\n");
    return hs;
}

/* ---- what is asked ---- */

typedef struct asked {
    kn_guarantee guarantee[2];
    kn_anonymize_options options;
    kn_params *params;
} asked;

static void random_asked(asked *a, bool lacks)
{
    static const char *const objectives[] = {
        "loss", "ncp", "precision", "discernibility", "average_class_size", "classification"};
    static const kn_distance distances[] = {KN_EQUAL, KN_ORDERED, KN_HIERARCHICAL};
    static const kn_diversity kinds[] = {KN_DISTINCT, KN_ENTROPY, KN_RECURSIVE};
    kn_guarantee *second = &a->guarantee[1];

    *a = (asked){
        .guarantee[0] = {KN_INIT(kn_guarantee), .kind = KN_K_ANONYMITY, .k = 1 + below(6)}};
    *second = (kn_guarantee){KN_INIT(kn_guarantee)};
    switch (below(3)) {
    case 0:
        second->kind = KN_L_DIVERSITY;
        second->diversity = kinds[below(3)];
        second->l = second->diversity == KN_ENTROPY ? 1.0 + below(20) / 10.0 : 1 + below(3);
        second->c = 0.5 + below(5) / 2.0;
        break;
    case 1:
        second->kind = KN_T_CLOSENESS;
        second->t = below(11) / 10.0;
        second->distance = distances[below(3)];
        break;
    default: break;
    }
    a->options = (kn_anonymize_options){
        KN_INIT(kn_anonymize_options),
        .guarantees = a->guarantee,
        .guarantees_count = second->k || second->l || second->t || second->kind == KN_T_CLOSENESS
                                ? 2
                                : 1,
        .method = "flash",
        .suppression = below(2) ? below(6) / 10.0 : 0,
        .suppressed = below(3) ? KN_SUPPRESSED_REMOVED : KN_SUPPRESSED_STARRED,
        .uncovered = lacks ? KN_UNCOVERED_SUPPRESS : KN_UNCOVERED_ERROR};
    assert_int_equal(kn_params_new(&a->params, KN_ENTRY_METHOD, "flash", NULL), KN_OK);
    assert_int_equal(kn_params_set_text(a->params, "objective", objectives[below(6)], NULL), KN_OK);
    a->options.params = a->params;
}

/* ---- the same of both ---- */

static void same_verdict(const kn_verdict *a, const kn_verdict *b, size_t guarantees)
{
    assert_int_equal(kn_verdict_holds(a), kn_verdict_holds(b));
    assert_int_equal(kn_verdict_classes(a), kn_verdict_classes(b));
    assert_int_equal(kn_verdict_violations(a), kn_verdict_violations(b));
    assert_int_equal(kn_verdict_records_at_risk(a), kn_verdict_records_at_risk(b));
    for (size_t i = 0; i < guarantees; i++) {
        assert_true(kn_verdict_achieved(a, i) == kn_verdict_achieved(b, i));
    }
}

static void same_measures(const kn_measures *a, const kn_measures *b)
{
    assert_int_equal(kn_measures_count(a), kn_measures_count(b));
    for (size_t i = 0; i < kn_measures_count(a); i++) {
        const kn_measurement *x = kn_measures_get(a, i), *y = kn_measures_get(b, i);
        assert_string_equal(x->name, y->name);
        if (x->value != y->value && !(isnan(x->value) && isnan(y->value))) {
            fail_msg("seed %u: %s is %.17g of the rows and %.17g of the classes", seed, x->name,
                     x->value, y->value);
        }
    }
}

static void same_recoding(const kn_release *a, const kn_release *b)
{
    kn_value_recoding *x = NULL, *y = NULL;
    char *one = NULL, *other = NULL;
    const kn_status status = kn_release_recoding(&x, a, NULL);

    assert_int_equal(kn_release_recoding(&y, b, NULL), status);
    if (status == KN_OK) {
        assert_int_equal(kn_recoding_json(&one, x, NULL), KN_OK);
        assert_int_equal(kn_recoding_json(&other, y, NULL), KN_OK);
        assert_string_equal(one, other);
    }
    kn_string_free(one);
    kn_string_free(other);
    kn_recoding_free(x);
    kn_recoding_free(y);
}

/* @return whether there is a release. */
static bool same_release(const kn_dataset *rows, const kn_dataset *classes,
                         const kn_hierarchies *hs, const asked *a, size_t *suppressed)
{
    kn_release *r = NULL, *s = NULL;
    kn_outcome x = {0}, y = {0};
    kn_error err = {0}, other = {0};
    kn_status status = kn_anonymize(&r, rows, hs, &a->options, NULL, &err);
    bool made;

    assert_int_equal(kn_anonymize(&s, classes, hs, &a->options, NULL, &other), status);
    assert_string_equal(err.message, other.message);
    made = status == KN_OK;
    if (made) {
        assert_int_equal(kn_release_suppressed(r), kn_release_suppressed(s));
        *suppressed += kn_release_suppressed(r);
        same_recoding(r, s);
        status = kn_release_verify(&x, r, NULL, &err);
        assert_int_equal(kn_release_verify(&y, s, NULL, &other), status);
        assert_string_equal(err.message, other.message);
        made = status == KN_OK;
    }
    if (made) {
        assert_int_equal(kn_dataset_people(kn_release_data(s)),
                         kn_dataset_records(kn_release_data(r)));
        assert_int_equal(kn_dataset_people(y.published), kn_dataset_records(x.published));
        assert_null(y.points);
        same_verdict(x.verdict, y.verdict, a->options.guarantees_count);
        same_measures(x.measures, y.measures);
    }
    kn_outcome_clear(&x);
    kn_outcome_clear(&y);
    kn_release_free(r);
    kn_release_free(s);
    return made;
}

static void classes_give_what_rows_give(void **state)
{
    size_t made = 0, suppressed = 0, held = 0;

    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        table t;
        asked a;
        kn_dataset *rows, *classes;
        kn_hierarchies *hs;
        kn_verdict *x = NULL, *y = NULL;
        bool lacks;
        seed = i;
        lacks = below(4) == 0;
        random_table(&t);
        random_asked(&a, lacks);
        rows = make_rows(&t);
        classes = make_classes(&t);
        hs = make_hierarchies(lacks);
        assert_int_equal(kn_dataset_people(classes), kn_dataset_records(rows));
        assert_int_equal(
            kn_check(&x, rows, a.guarantee, a.options.guarantees_count, hs, NULL, NULL), KN_OK);
        assert_int_equal(
            kn_check(&y, classes, a.guarantee, a.options.guarantees_count, hs, NULL, NULL), KN_OK);
        same_verdict(x, y, a.options.guarantees_count);
        held += kn_verdict_holds(x);
        made += same_release(rows, classes, hs, &a, &suppressed);
        kn_verdict_free(x);
        kn_verdict_free(y);
        kn_params_free(a.params);
        kn_hierarchies_free(hs);
        kn_dataset_free(classes);
        kn_dataset_free(rows);
    }
    assert_in_range(made, CASES / 4, CASES - 1);
    assert_in_range(held, 1, CASES - 1);
    assert_true(suppressed > 0);
}

/* ---- what is refused ---- */

static kn_error err;

#define REFUSED(call, words)                                                  \
    do {                                                                      \
        memset(&err, 0, sizeof err);                                          \
        assert_int_equal(call, KN_EUSAGE);                                    \
        if (!strstr(err.message, (words))) {                                  \
            fail_msg("'%s' is not in the message: %s", (words), err.message); \
        }                                                                     \
    } while (0)

static kn_dataset *small(bool counted)
{
    const table t = {.value = {{"1", "a", "a", "2"}, {"2", "b", "a", "3"}},
                     .count = {5, 7},
                     .classes = 2};
    kn_dataset *ds = make(&t, (const size_t[]){0, 1}, 2);

    if (counted) {
        assert_int_equal(kn_dataset_set_counts(ds, t.count, 2, NULL), KN_OK);
    }
    return ds;
}

static void counts_that_make_no_sense(void **state)
{
    const uint64_t good[] = {1, 2}, zero[] = {1, 0}, many[] = {4294967294u, 1};
    kn_dataset *ds = small(false);

    (void)state;
    REFUSED(kn_dataset_set_counts(NULL, good, 2, &err), "NULL");
    REFUSED(kn_dataset_set_counts(ds, NULL, 2, &err), "NULL");
    REFUSED(kn_dataset_set_counts(ds, good, 1, &err), "1 counts for 2 records");
    assert_int_equal(kn_dataset_set_counts(ds, zero, 2, &err), KN_EINPUT);
    assert_int_equal(kn_dataset_set_counts(ds, many, 2, &err), KN_EINPUT);
    assert_int_equal(kn_dataset_people(ds), 2);
    assert_int_equal(kn_dataset_people(NULL), 0);
    assert_int_equal(kn_dataset_set_counts(ds, good, 2, &err), KN_OK);
    assert_int_equal(kn_dataset_people(ds), 3);
    kn_dataset_free(ds);
}

static void other_methods_refuse(void **state)
{
    static const char *const methods[] = {NULL, "local", "mondrian", "cluster", "tds", "id3"};
    const kn_guarantee k = {KN_INIT(kn_guarantee), .kind = KN_K_ANONYMITY, .k = 2};
    const kn_guarantee km = {KN_INIT(kn_guarantee), .kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    const kn_point_options strict = {KN_INIT(kn_point_options), .strict = true};
    kn_anonymize_options o = {KN_INIT(kn_anonymize_options), .guarantees = &k,
                              .guarantees_count = 1};
    kn_dataset *ds = small(true);
    kn_release *r = NULL;
    kn_verdict *v = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        o.method = methods[i];
        REFUSED(kn_anonymize(&r, ds, NULL, &o, NULL, &err), methods[i] ? methods[i] : "local");
        assert_non_null(strstr(err.message, "flash"));
    }
    o.method = NULL;
    o.guarantees = &km;
    REFUSED(kn_anonymize(&r, ds, NULL, &o, NULL, &err), "people");
    REFUSED(kn_check(&v, ds, &km, 1, NULL, NULL, &err), "km-anonymity");
    o = (kn_anonymize_options){KN_INIT(kn_anonymize_options), .guarantees = &k,
                               .guarantees_count = 1, .method = "flash", .points = &strict};
    REFUSED(kn_anonymize(&r, ds, NULL, &o, NULL, &err), "strict");
    o.points = NULL;
    assert_int_equal(kn_dataset_set_role(ds, 3, KN_ROLE_KEPT, &err), KN_OK);
    assert_int_equal(kn_dataset_allow_unique(ds, 3, &err), KN_OK);
    REFUSED(kn_anonymize(&r, ds, NULL, &o, NULL, &err), "drop 's'");
    kn_dataset_free(ds);
}

/* Whatever counts a record as one person refuses by its name. */
static void what_counts_rows_refuses(void **state)
{
    const kn_guarantee k = {KN_INIT(kn_guarantee), .kind = KN_K_ANONYMITY, .k = 2};
    const kn_anonymize_options o = {KN_INIT(kn_anonymize_options), .guarantees = &k,
                                    .guarantees_count = 1, .method = "flash"};
    const kn_mine_options mine = {KN_INIT(kn_mine_options), .kind = KN_MODEL_TREE, .k = 2};
    const kn_build_options build = {KN_INIT(kn_build_options)};
    const kn_partial_options parts = {KN_INIT(kn_partial_options), .guarantees = &k,
                                      .guarantees_count = 1};
    kn_dataset *ds = small(true), *rows = small(false);
    struct ArrowArrayStream stream = {0};
    kn_release *r = NULL;
    kn_verdict *v = NULL;
    kn_measures *measures = NULL;
    kn_query_error queries;
    kn_mining mining;
    kn_risk risk;
    kn_class_sizes sizes;
    kn_uniqueness *unique = NULL;
    kn_model *model = NULL;
    kn_points *points = NULL;
    kn_profile *profile = NULL;
    kn_open_columns *open = NULL;
    kn_hierarchy *h = NULL;
    kn_hierarchy_advice advice;
    kn_dictionary *d = NULL;
    kn_partial *p = NULL;
    kn_outcome outcome = {0};
    size_t count;

    (void)state;
    REFUSED(kn_write(ds, "x.csv", NULL, NULL, &err), "kn_write");
    REFUSED(kn_dataset_to_arrow(&stream, ds, NULL, &err), "kn_dataset_to_arrow");
    REFUSED(kn_query_error_measure(&queries, ds, ds, NULL, NULL, NULL, &err), "kn_query_error");
    REFUSED(kn_mining_measure(&mining, rows, ds, NULL, NULL, NULL, &err), "kn_mining_measure");
    REFUSED(kn_risk_measure(&risk, ds, NULL, 0.2, NULL, &err), "kn_risk_measure");
    REFUSED(kn_risk_measure(&risk, rows, ds, 0.2, NULL, &err), "kn_risk_measure");
    REFUSED(kn_uniqueness_measure(&unique, &count, ds, 2, NULL, &err), "kn_uniqueness_measure");
    REFUSED(kn_mine(&model, ds, NULL, &mine, NULL, &err), "kn_mine");
    REFUSED(kn_profile_make(&profile, ds, NULL, &err), "kn_profile_make");
    REFUSED(kn_open_columns_find(&open, ds, &k, 1, NULL, &err), "kn_open_columns_find");
    REFUSED(kn_accept_suggested(ds, &k, 1, NULL, &err), "kn_accept_suggested");
    REFUSED(kn_hierarchy_build(&h, ds, 0, &build, &err), "kn_hierarchy_build");
    REFUSED(kn_hierarchy_suggest(&advice, ds, 0, false, &err), "kn_hierarchy_suggest");
    REFUSED(kn_measure(&measures, ds, rows, NULL, NULL, NULL, &err), "other do not");
    REFUSED(kn_measure(&measures, ds, ds, NULL, NULL, NULL, &err), "matching records");
    assert_int_equal(kn_dictionary_new(&d, &err), KN_OK);
    assert_int_equal(kn_dictionary_add(d, ds, &err), KN_OK);
    assert_int_equal(kn_partial_new(&p, d, &parts, &err), KN_OK);
    REFUSED(kn_partial_add(p, ds, NULL, &err), "kn_partial_add");
    assert_int_equal(kn_check(&v, ds, &k, 1, NULL, NULL, &err), KN_OK);
    REFUSED(kn_points_find(&points, ds, &k, 1, v, NULL, NULL, &err), "kn_points_find");
    assert_int_equal(kn_anonymize(&r, ds, NULL, &o, NULL, &err), KN_OK);
    REFUSED(kn_publish(NULL, r, "x.csv", NULL, NULL, &err), "people each");
    REFUSED(kn_release_to_arrow(&stream, NULL, r, NULL, NULL, &err), "kn_release_to_arrow");
    assert_null(stream.release);
    assert_int_equal(kn_release_verify(&outcome, r, NULL, &err), KN_OK);
    assert_int_equal(kn_class_sizes_count(&sizes, ds, NULL, &err), KN_OK);
    assert_int_equal(sizes.count, 2);
    assert_int_equal(sizes.size[0], 5);
    assert_int_equal(sizes.size[1], 7);
    kn_class_sizes_free(&sizes);
    kn_outcome_clear(&outcome);
    kn_release_free(r);
    kn_verdict_free(v);
    kn_partial_free(p);
    kn_dictionary_free(d);
    kn_dataset_free(ds);
    kn_dataset_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(classes_give_what_rows_give),
                                       cmocka_unit_test(counts_that_make_no_sense),
                                       cmocka_unit_test(other_methods_refuse),
                                       cmocka_unit_test(what_counts_rows_refuses)};

    return cmocka_run_group_tests_name("api.counts", tests, NULL, NULL);
}
