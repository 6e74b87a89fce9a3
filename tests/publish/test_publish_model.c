/* A model leaves only if what was read back keeps what was asked; otherwise nothing is left behind.
 */
#include "base/memory.h"
#include "io/bytes/file.h"
#include "job/job.h"
#include "kanon/io.h"
#include "kanon/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "models/model_params.h"

#define EXAMPLES KN_TEST_DATA "/../../examples/models/"

typedef struct fixture {
    kn_model *m;
    kn_dataset *ds;
} fixture;

/* Figure 2's tree and Table 4; `car`: the role of Sports Car. */
static void set_up(fixture *f, kn_role car)
{
    assert_int_equal(kn_model_read(&f->m, EXAMPLES "loans-tree.json", NULL), KN_OK);
    assert_int_equal(kn_read(&f->ds, EXAMPLES "loans.csv", NULL, NULL, NULL), KN_OK);
    kn_dataset_set_role(f->ds, 0, KN_ROLE_IDENTIFIER, NULL);
    kn_dataset_set_role(f->ds, 1, KN_ROLE_QUASI, NULL);
    kn_dataset_set_role(f->ds, 2, car, NULL);
    kn_dataset_set_role(f->ds, 3, KN_ROLE_SENSITIVE, NULL);
    (void)remove("model.json");
    (void)remove("report.json");
}

static void tear_down(fixture *f)
{
    kn_model_free(f->m);
    kn_dataset_free(f->ds);
    (void)remove("model.json");
    (void)remove("report.json");
}

static const char *const paths[] = {"model.json"};
static const char *const reports[] = {"report.json"};
static const kn_model_output files = {KN_INIT(kn_model_output), paths, 1, reports, 1, NULL};
static const kn_model_limits three = {.k = 3};

static void test_good(void **state)
{
    fixture f;
    kn_model_verdict *v;
    kn_model *read;

    (void)state;
    set_up(&f, KN_ROLE_SENSITIVE);
    assert_int_equal(kn_model_publish(&v, f.m, f.ds, NULL, &three, &files, NULL, NULL), KN_OK);
    assert_int_equal(kn_model_verdict_figures(v)->k, 3);
    kn_model_verdict_free(v);
    assert_int_equal(kn_model_read(&read, "model.json", NULL), KN_OK);
    kn_model_free(read);
    assert_int_equal(access("report.json", R_OK), 0);
    tear_down(&f);
}

/* Without limits nothing is asked of the model, and it is read back all the same. */
static void test_no_limits(void **state)
{
    fixture f;

    (void)state;
    set_up(&f, KN_ROLE_SENSITIVE);
    assert_int_equal(kn_model_publish(NULL, f.m, f.ds, NULL, NULL, &files, NULL, NULL), KN_OK);
    assert_int_equal(access("model.json", R_OK), 0);
    tear_down(&f);
}

/* The report says that growing was stopped, though the file that was read back does not. */
static void test_stopped(void **state)
{
    const kn_mine_options o = {.kind = KN_MODEL_TREE,
                               .k = 3,
                               .params = MODEL_PARAMS(tree, "class=Loan Risk;work=1;paper=true")};
    const char *const both[] = {"report.json", "report.html"};
    const kn_model_output output = {KN_INIT(kn_model_output), paths, 1, both, 2, NULL};
    const char *const words[] = {"\"unsplit\": ", "could still be split"};
    fixture f;
    kn_model *mined, *read;
    kn_model_shape shape;

    (void)state;
    set_up(&f, KN_ROLE_SENSITIVE);
    assert_int_equal(kn_mine(&mined, f.ds, NULL, &o, NULL, NULL), KN_OK);
    assert_int_equal(kn_model_shape_of(&shape, mined, NULL), KN_OK);
    assert_true(shape.unsplit > 0);
    assert_int_equal(kn_model_publish(NULL, mined, f.ds, NULL, &three, &output, NULL, NULL), KN_OK);
    kn_model_free(mined);
    assert_int_equal(kn_model_read(&read, "model.json", NULL), KN_OK);
    assert_int_equal(kn_model_shape_of(&shape, read, NULL), KN_OK);
    assert_int_equal(shape.unsplit, 0);
    kn_model_free(read);
    for (int i = 0; i < 2; i++) {
        static char text[1 << 18];
        FILE *file = fopen(both[i], "rb");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        (void)fclose(file);
        assert_non_null(strstr(text, words[i]));
    }
    (void)remove("report.html");
    tear_down(&f);
}

/* Whoever mined it, a model that gives John away is withheld. */
/* What trees alone have is not written over what centres have in its place: their names. */
static void test_named_centres(void **state)
{
    static const char text[] =
        "{\"kanon_model\": 1, \"kind\": \"clusters\", \"attributes\": [{\"name\": \"Zip Code\", "
        "\"type\": \"integer\"}, {\"name\": \"Income\", \"type\": \"integer\", \"private\": true}], "
        "\"scales\": [1000, 50], \"centres\": [{\"at\": [11001, 80], \"name\": \"near\"}, "
        "{\"at\": [14000, 105], \"name\": \"far\"}]}";
    const kn_model_limits one = {.k = 1};
    kn_model *m, *read;
    kn_dataset *ds;

    (void)state;
    assert_int_equal(kn_model_parse(&m, "m", text, sizeof text - 1, NULL), KN_OK);
    assert_int_equal(kn_read(&ds, EXAMPLES "customers.csv", NULL, NULL, NULL), KN_OK);
    kn_dataset_set_role(ds, 0, KN_ROLE_IDENTIFIER, NULL);
    kn_dataset_set_role(ds, 1, KN_ROLE_QUASI, NULL);
    kn_dataset_set_role(ds, 2, KN_ROLE_SENSITIVE, NULL);
    assert_int_equal(kn_model_publish(NULL, m, ds, NULL, &one, &files, NULL, NULL), KN_OK);
    kn_model_free(m);
    assert_int_equal(kn_model_read(&read, "model.json", NULL), KN_OK);
    kn_model_free(read);
    kn_dataset_free(ds);
    (void)remove("model.json");
    (void)remove("report.json");
}

static void test_withheld(void **state)
{
    fixture f;
    kn_model_verdict *v;
    kn_error err;

    (void)state;
    set_up(&f, KN_ROLE_QUASI);
    assert_int_equal(kn_model_publish(&v, f.m, f.ds, NULL, &three, &files, NULL, &err), KN_EBROKEN);
    assert_null(v);
    assert_non_null(strstr(err.message, "the model was withheld: what was read back does not keep "
                                        "what was asked"));
    assert_int_not_equal(access("model.json", F_OK), 0);
    assert_int_not_equal(access("report.json", F_OK), 0);
    tear_down(&f);
}

static void test_paths(void **state)
{
    static const struct {
        const char *path, *report, *words;
    } cases[] = {{"model.doc", NULL, "the name of a model says how it is written"},
                 {EXAMPLES "loans.csv", NULL, "the output is the input"},
                 {"model.json", "report.txt", "ends in neither .json nor .html"}};
    fixture f;
    kn_error err;

    (void)state;
    set_up(&f, KN_ROLE_SENSITIVE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const kn_model_output to = {KN_INIT(kn_model_output), &cases[i].path,          1,
                                    &cases[i].report,         cases[i].report != NULL, NULL};
        assert_int_equal(kn_model_publish(NULL, f.m, f.ds, NULL, &three, &to, NULL, &err),
                         KN_EUSAGE);
        assert_non_null(strstr(err.message, cases[i].words));
        assert_int_not_equal(access(cases[i].path[0] == 'm' ? cases[i].path : "x", F_OK), 0);
    }
    tear_down(&f);
}

static void copy(const char *from, const char *to)
{
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    int c;

    assert_true(in && out);
    while ((c = fgetc(in)) != EOF) {
        assert_int_not_equal(fputc(c, out), EOF);
    }
    (void)fclose(in);
    assert_int_equal(fclose(out), 0);
}

/* A report never takes the place of what it is about. */
static void test_report_paths(void **state)
{
    static const struct {
        const char *paths[2], *words;
    } cases[] = {{{"own.json", "r.html"}, "the report is the model"},
                 {{"r.html", "./own.json"}, "the report is the model"},
                 {{"r.json", "data.json"}, "the report is the input"},
                 {{"r.json", "./r.json"}, "given twice"}};
    kn_model_verdict *v;
    kn_model *m, *again;
    kn_dataset *ds;
    kn_error err;

    (void)state;
    copy(EXAMPLES "loans-tree.json", "own.json");
    copy(EXAMPLES "loans.csv", "data.json"); /* names of data are theirs to choose */
    (void)remove("r.json");
    (void)remove("r.html");
    assert_int_equal(kn_model_read(&m, "own.json", NULL), KN_OK);
    assert_int_equal(
        kn_read(&ds, "data.json",
                &(kn_read_options){.layout = &(const kn_layout){.format = KN_FORMAT_CSV}}, NULL,
                NULL),
        KN_OK);
    kn_dataset_set_role(ds, 0, KN_ROLE_IDENTIFIER, NULL);
    kn_dataset_set_role(ds, 1, KN_ROLE_QUASI, NULL);
    kn_dataset_set_role(ds, 2, KN_ROLE_SENSITIVE, NULL);
    kn_dataset_set_role(ds, 3, KN_ROLE_SENSITIVE, NULL);
    assert_int_equal(kn_model_check(&v, m, ds, NULL, &three, NULL, NULL), KN_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(kn_model_report_write(m, v, cases[i].paths, 2, &err), KN_EUSAGE);
        assert_non_null(strstr(err.message, cases[i].words));
        assert_int_not_equal(access("r.json", F_OK), 0);
        assert_int_not_equal(access("r.html", F_OK), 0);
    }
    const kn_model_output to = {KN_INIT(kn_model_output), paths, 1, cases[0].paths, 1, NULL};
    assert_int_equal(kn_model_publish(NULL, m, ds, NULL, &three, &to, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "the report is the model"));
    assert_int_equal(kn_model_read(&again, "own.json", NULL), KN_OK);
    kn_model_free(again);
    kn_model_verdict_free(v);
    kn_model_free(m);
    kn_dataset_free(ds);
    (void)remove("own.json");
    (void)remove("data.json");
}

/* ---- several files ---- */

static char *folder, before[4096];

static void in_folder(void)
{
    static char name[64];

    (void)snprintf(name, sizeof name, "/tmp/kanon-publish-XXXXXX");
    folder = mkdtemp(name);
    assert_non_null(folder);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
}

static void out_of_folder(void)
{
    assert_int_equal(system("rm -rf -- \"$PWD\""), 0);
    assert_int_equal(chdir(before), 0);
}

/* Two files that a link makes one, the second of which leads nowhere yet. */
static void test_dangling(void **state)
{
    (void)state;
    in_folder();
    assert_int_equal(symlink("x", "one"), 0);
    assert_int_equal(symlink("./one", "two"), 0);
    assert_int_equal(symlink("y", "other"), 0);
    assert_int_equal(symlink("round", "round"), 0);
    assert_true(kn__path_same("one", "x"));
    assert_true(kn__path_same("./x", "two"));
    assert_true(kn__path_same("one", "two"));
    assert_false(kn__path_same("one", "other"));
    assert_false(kn__path_same("round", "x"));
    assert_false(kn__path_same("-", "x"));
    assert_int_equal(system(": >x"), 0);
    assert_true(kn__path_same("two", "x"));
    assert_false(kn__path_same("two", "other"));
    out_of_folder();
}

/* The last of four cannot be written: none of them is there, and the older one is as it was. */
static void test_none(void **state)
{
    static const char *const to[] = {"a.json", "full.pmml", "b.txt"};
    static const char *const told[] = {"c.html"};
    const kn_model_output many = {KN_INIT(kn_model_output), to, 3, told, 1, NULL};
    fixture f;
    kn_error err;

    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: /dev/full is not there\n");
        skip();
    }
    set_up(&f, KN_ROLE_SENSITIVE);
    in_folder();
    assert_int_equal(symlink("/dev/full", "full.pmml"), 0);
    assert_int_equal(system("echo older >b.txt"), 0);
    assert_int_equal(kn_model_publish(NULL, f.m, f.ds, NULL, &three, &many, NULL, &err), KN_EIO);
    assert_non_null(strstr(err.message, "full.pmml"));
    assert_int_equal(system("test \"$(ls -A | tr '\\n' ' ')\" = 'b.txt full.pmml ' && "
                            "grep -q older b.txt"),
                     0);
    assert_int_equal(unlink("full.pmml"), 0);
    assert_int_equal(kn_model_publish(NULL, f.m, f.ds, NULL, &three, &many, NULL, &err), KN_OK);
    assert_int_equal(system("test \"$(ls -A | tr '\\n' ' ')\" = 'a.json b.txt c.html full.pmml ' "
                            "&& ! grep -q older b.txt"),
                     0);
    out_of_folder();
    tear_down(&f);
}

static void test_failing_memory(void **state)
{
    const kn_run run = {.threads = 1};
    fixture f;
    size_t n;

    (void)state;
    set_up(&f, KN_ROLE_SENSITIVE);
    for (n = 1;; n++) {
        kn_model_verdict *v = NULL;
        kn_status st;
        kn__memory_fail_after(n);
        st = kn_model_publish(&v, f.m, f.ds, NULL, &three, &files, &run, NULL);
        kn__memory_fail_after(0);
        kn_model_verdict_free(v);
        if (st == KN_OK) {
            break;
        }
        assert_int_equal(st, KN_ENOMEM);
        assert_int_not_equal(access("model.json", F_OK), 0);
    }
    assert_true(n > 30);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),           cmocka_unit_test(test_no_limits),
        cmocka_unit_test(test_stopped),        cmocka_unit_test(test_withheld),
        cmocka_unit_test(test_paths),          cmocka_unit_test(test_report_paths),
        cmocka_unit_test(test_failing_memory), cmocka_unit_test(test_dangling),
        cmocka_unit_test(test_none),           cmocka_unit_test(test_named_centres),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
