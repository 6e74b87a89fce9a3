/* .trees: what is read, what is refused, and that what is written reads back. */
#include "base/memory.h"
#include "data/dataset.h"
#include "io/reader.h"
#include "oracle/trees.h"
#include "rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static kn_status get(kn_dataset **out, const char *text, const char *classes, kn_error *err)
{
    kn_schema *schema = NULL;
    kn_read_options options = {0};
    kn_status status;

    put("in.trees", text);
    if (classes) {
        assert_int_equal(kn__schema_parse(&schema, "test", classes, strlen(classes), NULL, err),
                         KN_OK);
        options.schema = schema;
    }
    status = kn_read(out, "in.trees", &options, NULL, err);
    kn_schema_free(schema);
    return status;
}

static void refused(const char *text, const char *classes, const char *words)
{
    const size_t before = kn_memory_in_use();
    kn_dataset *ds;
    kn_error err = {0};

    assert_int_equal(get(&ds, text, classes, &err), KN_EINPUT);
    assert_null(ds);
    if (!strstr(err.message, words) || !strstr(err.message, "in.trees")) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(kn_memory_in_use(), before);
}

static const char hospital[] = "{\"classes\": [\"hospital\", \"diagnosis\", \"treatment\"]}";

static void by_depth(void **state)
{
    kn_dataset *ds;
    kn_error err = {0};
    const char *reason;

    (void)state;
    if (get(&ds, "Hospital_1(Flu(Antibiotics) Gastritis) Hospital_2\n\nHospital_2 (Flu)\r\n",
            hospital, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_true(kn__dataset_validate(ds, &reason));
    assert_int_equal(ds->records, 3);
    assert_int_equal(ds->columns, 3);
    assert_int_equal(ds->forest->starts[1], 5);
    assert_int_equal(kn__forest_size(ds->forest, 1), 0);
    assert_int_equal(kn_dataset_list(ds, 1, 0, NULL, 0), 2);
    assert_int_equal(kn_dataset_role(ds, 2), KN_ROLE_QUASI);
    assert_string_equal(ds->column[0].name, "hospital");
    kn_dataset_free(ds);
}

static void by_lines_and_prefixes(void **state)
{
    kn_dataset *ds;
    kn_error err = {0};

    (void)state;
    if (get(&ds, "#class price 5 10 \"a b\"\n#class quantity 5\nprice:5(quantity:5) 10 \"a b\"\n",
            NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(ds->forest->values, 4);
    assert_int_equal(kn__forest_size(ds->forest, 0), 4);
    assert_int_equal(ds->forest->parent[2], 1); /* siblings by text: 10, 5, a b */
    kn_dataset_free(ds);
    /* Without lines the order of the classes follows the relations. */
    if (get(&ds, "a:x b:y\nb:y(a:x)\n", NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_string_equal(ds->forest->classes.name[0], "b");
    kn_dataset_free(ds);
}

/* Equal siblings become one, and a note says so. */
static void merges(void **state)
{
    kn_dataset *ds;
    kn_error err = {0};

    (void)state;
    assert_int_equal(get(&ds, "A(B) A(C(D) B)\n", hospital, &err), KN_OK);
    assert_int_equal(kn__forest_size(ds->forest, 0), 4);
    assert_int_equal(kn_dataset_notes(ds), 1);
    assert_non_null(strstr(kn_dataset_note(ds, 0), "2 nodes were equal to a sibling"));
    kn_dataset_free(ds);
}

/* What is dropped or identifies is not in the trees; children move up. */
static void leaves_out(void **state)
{
    static const char schema[] =
        "{\"classes\": [\"hospital\", \"diagnosis\", \"treatment\"], \"columns\": {\"diagnosis\": "
        "{\"role\": \"dropped\"}}}";
    kn_dataset *ds;
    kn_error err = {0};

    (void)state;
    if (get(&ds, "H1(Flu(Pills) Cold(Pills))\n", schema, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(kn__forest_size(ds->forest, 0), 2);
    assert_int_equal(ds->forest->values, 2);
    assert_null(ds->column[1].dict);
    kn_dataset_free(ds);
}

static void refuses(void **state)
{
    (void)state;
    refused("", hospital, "the file is empty");
    refused("A(B\n", hospital, "line 1: 1 parenthesis is not closed");
    refused("A\nB)\n", hospital, "line 2, character 2: this parenthesis closes nothing");
    refused("(A)\n", hospital, "character 1: a parenthesis opens behind a value only");
    refused("A(B)(C)\n", hospital, "a parenthesis opens behind a value only");
    refused("A(B(C(D)))\n", hospital, "the class of \"D\" is not known");
    refused("A(B)\nB(C)\n", hospital, "line 2, character 1: \"B\" is a value of several classes");
    refused("A B\n", NULL, "character 1: the class of \"A\" is not known");
    refused("#class a x\n#class b x\nx\n", NULL,
            "line 3, character 1: \"x\" is a value of several");
    refused("#class a x\nb:y\n", NULL, "there is no class called \"b\"");
    refused("#class a x\nx\n#class b y\n", NULL, "stand before all records");
    refused("#klass a\n", NULL, "must be '#class NAME VALUES'");
    refused("#class\n", NULL, "must be '#class");
    refused("#class a x(y)\n", NULL, "put this value in quotes");
    refused("a:\"x\n", NULL, "character 3: the quotes that begin here have no end");
    refused("a:\"x\\q\"\n", NULL, "a backslash in quotes");
    refused("a:x\"y\n", NULL, "a quote inside a value");
    refused("a:x:y\n", NULL, "put a value that holds a colon");
    refused("a:(x)\n", NULL, "a value is expected here");
    refused("a:x\xff\n", NULL, "line 1, character 4: this is not UTF-8");
    refused("a:x(a:y)\n", NULL, "record 1: class 'a' occurs twice on a path");
    refused("a:x(b:y)\nb:y(a:x)\n", NULL, "record 2: the classes are out of order");
    refused("diagnosis:x(hospital:y)\n", hospital, "the classes are out of order");
    refused("\n\n", hospital, "no record has a node");
}

static size_t class_by_letter(void *user, const char *text, size_t len)
{
    (void)user, (void)len;
    return text[0] == 'h'   ? 0
           : text[0] == 'd' ? 1
           : text[0] == '*' ? KN_CLASS_SEVERAL
                            : KN_CLASS_UNKNOWN;
}

static void asks_the_caller(void **state)
{
    kn_schema *schema;
    kn_read_options options = {.class_of = class_by_letter};
    kn_dataset *ds;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn__schema_parse(&schema, "test", hospital, strlen(hospital), NULL, NULL),
                     KN_OK);
    options.schema = schema;
    put("in.trees", "h1 d1\nh1(d1) d2 treatment:*\n");
    if (kn_read(&ds, "in.trees", &options, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(ds->forest->values, 4);
    kn_dataset_free(ds);
    put("in.trees", "h1 *\n");
    assert_int_equal(kn_read(&ds, "in.trees", &options, NULL, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "several classes"));
    put("in.trees", "h1 x\n");
    assert_int_equal(kn_read(&ds, "in.trees", &options, NULL, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "the class of \"x\" is not known"));
    kn_schema_free(schema);
}

/* Thousands of random forests, in every format of trees, plain and compressed. */
static void round_trips(void **state)
{
    static const char *const texts[] = {"a",  "b c", "(", ")x", "\"q\"", "5",       "C1:a", "\\",
                                        "#c", "",    "é", "\n", "<&>'",  "[20,30]", " x ",  "\r\t"};
    static const char *const paths[] = {"r.trees", "r.json", "r.xml", "r.jsonl", "r.trees.gz"};
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 3, 1);
    for (int round = 0; round < test_rounds(3000); round++) {
        const char *path = paths[round % (round % 50 == 0 ? 5 : 4)];
        kn_forest *f = oracle_random_forest(&rng, 5, 12, texts, sizeof texts / sizeof *texts);
        kn_forest *original = NULL;
        const kn_layout layout = {.format = strcmp(path, "r.jsonl") == 0 ? KN_FORMAT_JSON
                                                                         : KN_FORMAT_AUTO};
        const kn_read_options options = {.layout = &layout};
        kn_dataset *ds = NULL, *back = NULL;
        kn_error err = {0};

        if (f->starts[f->records] == 0) {
            kn__forest_free(f);
            continue;
        }
        assert_int_equal(kn__forest_copy(&original, f, NULL), KN_OK);
        assert_int_equal(kn__dataset_of_forest(&ds, f, NULL, false, NULL), KN_OK);
        if (kn_write(ds, path, NULL, NULL, &err) != KN_OK ||
            kn_read(&back, path, &options, NULL, &err) != KN_OK) {
            fail_msg("round %d, %s: %s", round, path, err.message);
        }
        if (!oracle_same_trees(original, back->forest)) {
            fail_msg("round %d: %s reads back as other trees", round, path);
        }
        kn_dataset_free(ds);
        kn_dataset_free(back);
        kn__forest_free(original);
    }
}

static void survives_failing_allocations(void **state)
{
    (void)state;
    put("in.trees", "#class a x \"y z\"\n#class b q\nx(q) \"y z\"\n\"y z\"\n");
    for (size_t n = 1;; n++) {
        const size_t before = kn_memory_in_use();
        kn_dataset *ds = NULL;
        kn_status status;

        kn__memory_fail_after(n);
        status = kn_read(&ds, "in.trees", NULL, NULL, NULL);
        if (status == KN_OK) {
            status = kn_write(ds, "out.trees", NULL, NULL, NULL);
        }
        kn__memory_fail_after(0);
        kn_dataset_free(ds);
        assert_int_equal(kn_memory_in_use(), before);
        if (status == KN_OK) {
            break;
        }
        assert_int_equal(status, KN_ENOMEM);
        assert_true(n < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_depth),    cmocka_unit_test(by_lines_and_prefixes),
        cmocka_unit_test(merges),      cmocka_unit_test(leaves_out),
        cmocka_unit_test(refuses),     cmocka_unit_test(asks_the_caller),
        cmocka_unit_test(round_trips), cmocka_unit_test(survives_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
