/* test_counts.c - records that stand for several people each: flash on the classes of a table gives
 * what it gives on the rows. test_misuse_counts.c has what refuses them. */
#include "counts.h"

enum { CASES = 3000, QIS = 3, MOST_CLASSES = 14, MOST_ROWS = MOST_CLASSES * 6, COLUMNS = QIS + 1 };

static const char *const names[COLUMNS] = {"q0", "q1", "q2", "s"};

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
    size_t of[MOST_ROWS];
    const size_t rows = rows_of(of, t->count, t->classes);

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
    shuffle(of, records);
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

static void classes_give_what_rows_give(void **state)
{
    comparison found = {.classes = true};

    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        table t;
        asked a;
        kn_dataset *rows, *classes;
        bool lacks;
        seed = i;
        lacks = below(4) == 0;
        random_table(&t);
        random_asked(&a, lacks);
        rows = make_rows(&t);
        classes = make_classes(&t);
        compare(&found, rows, classes, make_hierarchies(lacks), &a.options);
        kn_params_free(a.params);
    }
    every_kind_occurred(&found, CASES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(classes_give_what_rows_give)};

    return cmocka_run_group_tests_name("api.counts", tests, NULL, NULL);
}
