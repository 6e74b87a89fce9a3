/* test_counts.c - records that stand for several people each: flash on the classes of a table gives
 * what it gives on the rows. test_misuse_counts.c has what refuses them. */
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
static const kn_run alone = {KN_INIT(kn_run), .threads = 1};

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
    kn_status status = kn_anonymize(&r, rows, hs, &a->options, &alone, &err);
    bool made;

    assert_int_equal(kn_anonymize(&s, classes, hs, &a->options, &alone, &other), status);
    assert_string_equal(err.message, other.message);
    made = status == KN_OK;
    if (made) {
        assert_int_equal(kn_release_suppressed(r), kn_release_suppressed(s));
        *suppressed += kn_release_suppressed(r);
        same_recoding(r, s);
        status = kn_release_verify(&x, r, &alone, &err);
        assert_int_equal(kn_release_verify(&y, s, &alone, &other), status);
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
            kn_check(&x, rows, a.guarantee, a.options.guarantees_count, hs, &alone, NULL), KN_OK);
        assert_int_equal(kn_check(&y, classes, a.guarantee, a.options.guarantees_count, hs, &alone,
                                  NULL),
                         KN_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(classes_give_what_rows_give)};

    return cmocka_run_group_tests_name("api.counts", tests, NULL, NULL);
}
