/* test_formats.c - models as DOT, SQL and text. */
#include "data/dataset.h"
#include "data/value.h"
#include "kanon/run.h"
#include "models/format/formats.h"
#include "models/random_models.h"
#include "rounds.h"

static char *text_of(const kn_model *m, kn_model_format format)
{
    char *text = NULL;
    kn_error err = {0};

    if (kn_model_format_text(&text, m, format, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return text;
}

/* The tree of figure 1 as far as its text says: who is female and married has a bad risk. */
static kn_model *loans(void)
{
    kn_model *m;
    uint32_t n, code;
    static const char *const names[] = {"Gender", "Married", "Loan \"Risk\""};
    static const char *const values[][2] = {{"Female", "Male"}, {"No", "Yes"}, {"bad", "good"}};

    assert_int_equal(kn__model_new(&m, KN_MODEL_TREE, NULL), KN_OK);
    for (uint32_t a = 0; a < 3; a++) {
        assert_int_equal(kn__model_add_attribute(m, names[a], strlen(names[a]), KN_TYPE_CATEGORY,
                                                 a == 2, NULL, NULL),
                         KN_OK);
        for (int v = 0; v < 2; v++) {
            assert_int_equal(kn__dict_add(m->attribute[a].values, values[a][v],
                                          strlen(values[a][v]), &code, NULL),
                             KN_OK);
        }
    }
    m->tree.class_attribute = 2;
    assert_int_equal(kn__tree_add(&m->tree, KN_NO_CODE, &n, NULL), KN_OK);
    for (uint32_t i = 1; i < 5; i++) {
        assert_int_equal(kn__tree_add(&m->tree, i < 3 ? 0 : 1, &n, NULL), KN_OK);
        m->tree.node[n].test = (kn_test){.kind = KN_TEST_IN,
                                         .attribute = i < 3 ? 0 : 1,
                                         .values = kn__malloc(sizeof(uint32_t)),
                                         .values_count = 1};
        m->tree.node[n].test.values[0] = (i + 1) % 2;
        m->tree.node[n].answer = i == 4 ? 0 : 1;
    }
    m->tree.node[0].attribute = 0;
    m->tree.node[1].attribute = 1;
    m->tree.node[4].population = kn__zalloc_array(2, sizeof(uint64_t));
    m->tree.node[4].population[0] = 3;
    return m;
}

static void small_tree(void **state)
{
    kn_model *m = loans();
    char *text;

    (void)state;
    text = text_of(m, KN_MODEL_TEXT);
    assert_string_equal(text, "Decision tree that predicts Loan \"Risk\", 3 leaves\n\n"
                              "everybody\n"
                              "  Gender = Female\n"
                              "    Married = No: good\n"
                              "    Married = Yes: bad  (3 records: 3 bad)\n"
                              "  Gender = Male: good\n");
    kn__free(text);
    text = text_of(m, KN_MODEL_SQL);
    assert_string_equal(text, "CASE\n"
                              "  WHEN \"Gender\" = 'Female' AND \"Married\" = 'No' THEN 'good'\n"
                              "  WHEN \"Gender\" = 'Female' AND \"Married\" = 'Yes' THEN 'bad'\n"
                              "  WHEN \"Gender\" = 'Female' THEN NULL\n"
                              "  WHEN \"Gender\" = 'Male' THEN 'good'\n"
                              "  WHEN 1 = 1 THEN NULL\n"
                              "END\n");
    kn__free(text);
    text = text_of(m, KN_MODEL_DOT);
    assert_non_null(strstr(text, "n0 [label=\"Gender\"];"));
    assert_non_null(strstr(text, "n1 -> n4 [label=\"= Yes\"];"));
    assert_non_null(strstr(text, "n4 [label=\"bad\\nbad: 3\", style=\"rounded,filled\"];"));
    kn__free(text);
    kn_model_free(m);
}

/* Every quote inside of a DOT label is escaped: outside of labels quotes come in pairs. */
static void dot_is_quoted(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 3, 1);
    for (size_t round = 0; round < test_rounds(1000); round++) {
        kn_model *m = round % 2 ? random_tree(&r, DATES) : random_rules(&r, 0);
        char *text = text_of(m, KN_MODEL_DOT);
        bool inside = false;
        for (const char *c = text; *c; c++) {
            if (inside && *c == '\\') {
                c++;
                assert_int_not_equal(*c, '\0');
            } else if (*c == '"') {
                inside = !inside;
            } else {
                assert_true(!inside || (unsigned char)*c >= ' ');
            }
            assert_true(inside || *c != '<');
        }
        assert_false(inside);
        kn__free(text);
        kn_model_free(m);
    }
}

/* Graphviz draws them, and has nothing to say about them: odd texts, and one that is very long. */
static void graphviz_draws(void **state)
{
    kn_rng r;
    FILE *f;
    char line[200];
    size_t drawn = 0;

    (void)state;
    if (system("dot -V >/dev/null 2>&1") != 0) {
        print_message("skipped: Graphviz is not here\n");
        skip();
    }
    kn__rng_seed(&r, 5, 1);
    f = fopen("models.dot", "w");
    assert_non_null(f);
    for (size_t round = 0; round < 60; round++) {
        kn_model *m = round % 2 ? random_tree(&r, DATES) : random_rules(&r, 0);
        if (round == 1) {
            char *name = kn__malloc(20001);
            assert_non_null(name);
            memset(name, '<', 20000);
            name[20000] = '\0';
            kn__free(m->attribute[1].name);
            m->attribute[1].name = name;
        }
        char *text = text_of(m, KN_MODEL_DOT);
        (void)fputs(text, f);
        kn__free(text);
        kn_model_free(m);
    }
    assert_int_equal(fclose(f), 0);
    f = popen("dot -Tplain models.dot 2>&1 >models.plain; grep -c '^stop$' models.plain", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (strcmp(line, "60\n") != 0) {
            fail_msg("%s", line);
        }
        drawn++;
    }
    assert_int_equal(pclose(f), 0);
    assert_int_equal(drawn, 1);
}

static void forms_that_there_are_not(void **state)
{
    kn_rng r;
    kn_model *clusters, *rules;
    char *text;
    kn_error err;

    (void)state;
    kn__rng_seed(&r, 4, 1);
    clusters = random_centres(&r, PLAIN);
    rules = random_rules(&r, PLAIN);
    assert_int_equal(kn_model_format_text(&text, clusters, KN_MODEL_DOT, &err), KN_EUSAGE);
    assert_null(text);
    assert_int_equal(kn_model_format_text(&text, rules, KN_MODEL_SQL, &err), KN_EUSAGE);
    assert_null(text);
    text = text_of(clusters, KN_MODEL_TEXT);
    assert_non_null(strstr(text, "nearest centre"));
    kn__free(text);
    text = text_of(rules, KN_MODEL_TEXT);
    assert_non_null(strstr(text, " => "));
    kn__free(text);
    kn_model_free(clusters);
    kn_model_free(rules);
}

/* ---- SQL in a database ---- */

static void put_quoted(FILE *f, char quote, const char *text)
{
    (void)fputc(quote, f);
    for (; *text; text++) {
        (void)fprintf(f, *text == quote ? "%c%c" : "%c", *text, quote);
    }
    (void)fputc(quote, f);
}

static void put_value(FILE *f, const kn_attribute *a, const oracle_value *v)
{
    kn_buffer number = {0};

    if (v->missing) {
        (void)fputs("NULL", f);
    } else if (a->values) {
        put_quoted(f, '\'', v->text);
    } else {
        if (a->type == KN_TYPE_DATE) {
            kn__date_format(&number, v->number);
            put_quoted(f, '\'', number.data);
        } else {
            kn__model_number(&number, v->number);
            (void)fputs(number.data, f);
        }
        kn__buffer_free(&number);
    }
}

/* A table of random tuples with what the model says of each, and a query for those of which the
 * expression says otherwise. */
static void put_case(FILE *f, const kn_model *m, kn_rng *r, size_t number)
{
    char *sql = text_of(m, KN_MODEL_SQL);

    (void)fprintf(f, "CREATE TABLE t%zu (expected TEXT", number);
    for (size_t a = 0; a < m->attributes; a++) {
        (void)fputs(", ", f);
        put_quoted(f, '"', m->attribute[a].name);
        (void)fputs(kn__type_is_number(m->attribute[a].type) ? " REAL" : " TEXT", f);
    }
    (void)fputs(");\n", f);
    for (size_t i = 0; i < 20; i++) {
        oracle_value tuple[MOST_ATTRIBUTES];
        char room[MOST_ATTRIBUTES][64];
        random_tuple(m, r, tuple, room);
        (void)fprintf(f, "INSERT INTO t%zu VALUES (", number);
        if (m->kind == KN_MODEL_TREE) {
            size_t len;
            const char *answer = oracle_tree_answer(m, tuple, &len);
            char copy[64];
            (void)snprintf(copy, sizeof copy, "%.*s", (int)len, answer ? answer : "");
            put_value(f, &m->attribute[0], &(oracle_value){.missing = !answer, .text = copy});
        } else {
            char copy[16];
            const size_t near = oracle_nearest(m, tuple);
            (void)snprintf(copy, sizeof copy, "%zu", near + 1);
            put_quoted(f, '\'', m->centres.name[near] ? m->centres.name[near] : copy);
        }
        for (size_t a = 0; a < m->attributes; a++) {
            (void)fputs(", ", f);
            put_value(f, &m->attribute[a], &tuple[a]);
        }
        (void)fputs(");\n", f);
    }
    (void)fprintf(f,
                  "SELECT 'wrong in %zu: ' || count(*) FROM t%zu WHERE expected IS NOT\n%s HAVING "
                  "count(*) > 0;\nSELECT 'looked at', count(*) FROM t%zu;\n",
                  number, number, sql, number);
    kn__free(sql);
}

static void sqlite_agrees(void **state)
{
    kn_rng r;
    FILE *f;
    char line[200];
    size_t looked = 0;

    (void)state;
    if (system("sqlite3 --version >/dev/null 2>&1") != 0) {
        print_message("skipped: sqlite3 is not here\n");
        skip();
    }
    kn__rng_seed(&r, 11, 1);
    f = fopen("models.sql", "w");
    assert_non_null(f);
    (void)fputs("BEGIN;\n", f);
    for (size_t i = 0; i < 1500; i++) {
        kn_model *m = i % 3 ? random_tree(&r, DATES) : random_centres(&r, 0);
        put_case(f, m, &r, i);
        kn_model_free(m);
    }
    (void)fputs("COMMIT;\n", f);
    assert_int_equal(fclose(f), 0);
    f = popen("sqlite3 :memory: <models.sql 2>&1", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (strcmp(line, "looked at|20\n") != 0) {
            fail_msg("%s", line);
        }
        looked++;
    }
    assert_int_equal(pclose(f), 0);
    assert_int_equal(looked, 1500);
}

/* Any allocation may fail: the status says so, and nothing leaks. */
static void no_memory(void **state)
{
    static const kn_model_format formats[] = {KN_MODEL_PMML, KN_MODEL_DOT, KN_MODEL_SQL,
                                              KN_MODEL_TEXT};
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 9, 1);
    for (size_t round = 0; round < 12; round++) {
        kn_model *m = round % 3 == 0   ? random_tree(&r, DATES)
                      : round % 3 == 1 ? random_centres(&r, 0)
                                       : random_rules(&r, 0);
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            const size_t before = kn_memory_in_use();
            for (size_t n = 1;; n++) {
                char *text = NULL;
                bool struck;
                kn_status st;
                kn__memory_fail_after(n);
                st = kn_model_format_text(&text, m, formats[f], NULL);
                struck = kn__memory_failed();
                kn__memory_fail_after(0);
                assert_int_equal(st == KN_OK, text != NULL);
                assert_true(!struck || st == KN_ENOMEM);
                kn__free(text);
                assert_int_equal(kn_memory_in_use(), before);
                if (!struck) {
                    break;
                }
            }
        }
        kn_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_tree),     cmocka_unit_test(dot_is_quoted),
        cmocka_unit_test(graphviz_draws), cmocka_unit_test(forms_that_there_are_not),
        cmocka_unit_test(sqlite_agrees),  cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
