/* test_job.c - jobs as values and as JSON. */
#include "base/memory.h"
#include "base/params.h"
#include "job/job.h"
#include "kanon/catalog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static kn_job *job_of(const char *text)
{
    kn_job *job;
    kn_error err = {0};
    const kn_status st = kn_job_parse(&job, text, strlen(text), "job.json", NULL, &err);

    if (st != KN_OK) {
        fail_msg("%s", err.message);
    }
    return job;
}

static void refused(const char *text, const char *words)
{
    kn_job *job = (kn_job *)1;
    kn_error err = {0};

    assert_int_equal(kn_job_parse(&job, text, strlen(text), "job.json", NULL, &err), KN_EINPUT);
    assert_null(job);
    if (!strstr(err.message, words) || strncmp(err.message, "job.json: ", 10) != 0) {
        fail_msg("'%s' does not say '%s'", err.message, words);
    }
}

static void set_refused(const char *key, const char *value, const char *words)
{
    kn_job *job;
    kn_error err = {0};

    assert_int_equal(kn_job_new(&job, NULL), KN_OK);
    assert_int_equal(kn_job_set(job, key, value, &err), KN_EUSAGE);
    if (!strstr(err.message, words)) {
        fail_msg("'%s' does not say '%s'", err.message, words);
    }
    assert_null(kn_job_get(job, key, 0));
    kn_job_free(job);
}

static void test_set_and_get(void **state)
{
    kn_job *job;

    (void)state;
    assert_int_equal(kn_job_new(&job, NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "qi", "age,sex", NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "qi", "sex,postcode", NULL), KN_OK);
    assert_string_equal(kn_job_get(job, "qi", 0), "age");
    assert_string_equal(kn_job_get(job, "qi", 2), "postcode");
    assert_null(kn_job_get(job, "qi", 3));
    assert_int_equal(kn_job_set(job, "k", "5", NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "k", "7", NULL), KN_OK);
    assert_string_equal(kn_job_get(job, "k", 0), "7");
    assert_null(kn_job_get(job, "k", 1));
    assert_int_equal(kn_job_set(job, "missing", "''", NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "missing", "?,NA", NULL), KN_OK);
    assert_string_equal(kn_job_get(job, "missing", 0), "");
    assert_string_equal(kn_job_get(job, "missing", 2), "NA");
    assert_int_equal(kn_job_set(job, "hierarchy", "age=a.csv", NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "hierarchy", "sex=s.csv", NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "hierarchy", "age=b.csv", NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "hierarchy", "age=a.csv", NULL), KN_OK);
    assert_string_equal(kn_job_get(job, "hierarchy", 0), "age=a.csv");
    assert_string_equal(kn_job_get(job, "hierarchy", 1), "sex=s.csv");
    assert_string_equal(kn_job_get(job, "hierarchy", 2), "age=b.csv");
    assert_null(kn_job_get(job, "hierarchy", 3));
    assert_int_equal(kn_job_set(job, "missing_rule", "any", NULL), KN_OK);
    assert_string_equal(kn_job_get(job, "missing-rule", 0), "any");
    kn_job_free(job);
    kn_job_free(NULL);
}

static void test_set_refuses(void **state)
{
    (void)state;
    set_refused("suppresion", "1", "did you mean 'suppression'?");
    set_refused("k", "0", "--k: 0 is out of range: give 1 or more");
    set_refused("k", "-3", "--k: -3 is out of range");
    set_refused("k", "five", "--k: 'five' is not a whole number");
    set_refused("k", "5.5", "not a whole number");
    set_refused("k", "", "not a whole number");
    set_refused("k", "99999999999999999999", "out of range");
    set_refused("t", "0,2", "decimals come after a point");
    set_refused("t", "1.5", "--t: 1.5 is out of range: give 0 to 1");
    set_refused("t", "nan", "not a number");
    set_refused("t", "0x1", "not a number");
    set_refused("l", "0.5", "out of range");
    set_refused("suppression", "5 %", "not a number");
    set_refused("suppression", "101%", "out of range");
    set_refused("memory", "4Q", "--memory: '4Q' is not a size");
    set_refused("memory", "0", "not a size");
    set_refused("memory", "99999999999T", "not a size");
    set_refused("method", "flsh", "did you mean 'flash'?");
    set_refused("guarantee", "k-anonimity", "did you mean 'k-anonymity'?");
    set_refused("diversity", "entrpy", "did you mean 'entropy'?");
    set_refused("type", "age", "not of the form COLUMN=TYPE");
    set_refused("type", "age=int", "--type: there is no 'int'");
    set_refused("weight", "age=heavy", "not a number");
    set_refused("hierarchy", "=a.csv", "not of the form");
    set_refused("separator", "::", "not one character");
    set_refused("report", "r.txt", "neither .json nor .html");
    set_refused("report", ".json", "neither .json nor .html");
    set_refused("qi", "age,,sex", "the value is empty");
    set_refused("seed", "9223372036854775808", "out of range");
    set_refused("threads", "257", "out of range: give 0 to 256");
    set_refused("shuffle", "yes", "neither true nor false");
}

static void test_bad_list_changes_nothing(void **state)
{
    kn_job *job;

    (void)state;
    assert_int_equal(kn_job_new(&job, NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "guarantee", "l-diversity,nonsense", NULL), KN_EUSAGE);
    assert_null(kn_job_get(job, "guarantee", 0));
    kn_job_free(job);
}

static void test_every_option_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < kn_job_options(); i++) {
        kn_option option, found;
        kn_job_option(&option, i);
        assert_non_null(option.help);
        assert_true(kn_job_option_find(&found, option.name));
        assert_string_equal(found.name, option.name);
        assert_string_equal(found.help, option.help);
        assert_int_equal(option.kind == KN_OPTION_FLAG, option.argument == NULL);
    }
}

static void test_guarantees(void **state)
{
    kn_job *job = job_of("{\"guarantee\": [{\"name\": \"l-diversity\", \"l\": 2.5, \"diversity\": "
                         "\"entropy\"}, {\"name\": \"t-closeness\", \"t\": 0.3, \"distance\": "
                         "\"ordered\"}], \"k\": 4}");
    kn_guarantee *g;
    size_t count;

    (void)state;
    assert_int_equal(kn_job_guarantees(&g, &count, job, NULL), KN_OK);
    assert_int_equal(count, 3);
    assert_int_equal(g[0].kind, KN_K_ANONYMITY);
    assert_int_equal(g[0].k, 4);
    assert_int_equal(g[1].kind, KN_L_DIVERSITY);
    assert_int_equal(g[1].diversity, KN_ENTROPY);
    assert_true(g[1].l == 2.5);
    assert_int_equal(g[2].kind, KN_T_CLOSENESS);
    assert_int_equal(g[2].distance, KN_ORDERED);
    assert_true(g[2].t == 0.3);
    kn_job_guarantees_free(g);
    kn_job_free(job);
}

static void guarantees_refused(const char *text, const char *words)
{
    kn_job *job = job_of(text);
    kn_guarantee *g = (kn_guarantee *)1;
    kn_error err = {0};
    size_t count;

    assert_int_equal(kn_job_guarantees(&g, &count, job, &err), KN_EUSAGE);
    assert_null(g);
    assert_int_equal(count, 0);
    if (!strstr(err.message, words)) {
        fail_msg("'%s' does not say '%s'", err.message, words);
    }
    kn_job_free(job);
}

static void test_guarantees_refused(void **state)
{
    (void)state;
    guarantees_refused("{}", "say what must hold");
    guarantees_refused("{\"l\": 3, \"k\": 2}", "--l belongs to l-diversity");
    guarantees_refused("{\"t\": 0.1}", "--t belongs to t-closeness");
    guarantees_refused("{\"guarantee\": \"l-diversity\"}", "l-diversity needs --l");
    guarantees_refused("{\"guarantee\": [\"k-anonymity\"]}", "k-anonymity needs --k");
    guarantees_refused("{\"guarantee\": \"l-diversity\", \"l\": 2, \"diversity\": \"recursive\"}",
                       "needs --c");
    guarantees_refused("{\"guarantee\": \"l-diversity\", \"l\": 2, \"c\": 2}",
                       "--c belongs to --diversity recursive");
}

static void test_method(void **state)
{
    kn_job *job = job_of("{\"k\": 4, \"suppression\": \"5%\", \"suppressed\": \"starred\", "
                         "\"uncovered\": \"root\", \"shuffle\": true}");
    const kn_guarantee g = {.kind = KN_K_ANONYMITY, .k = 4};
    kn_anonymize_options o;
    kn_params *params = NULL;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn__job_method(job, &g, 1, &o, &params, NULL), KN_OK);
    kn_params_free(params);
    params = NULL;
    assert_string_equal(o.method, "local");
    assert_true(o.suppression == 0.05);
    assert_int_equal(o.suppressed, KN_SUPPRESSED_STARRED);
    assert_int_equal(o.uncovered, KN_UNCOVERED_ROOT);
    assert_true(o.shuffle);
    assert_int_equal(kn_job_set(job, "objective", "ncp", NULL), KN_OK);
    assert_int_equal(kn__job_method(job, &g, 1, &o, &params, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "--objective belongs to flash"));
    assert_int_equal(kn_job_set(job, "method", "flash", NULL), KN_OK);
    assert_null(params);
    assert_int_equal(kn__job_method(job, &g, 1, &o, &params, NULL), KN_OK);
    assert_ptr_equal(o.params, params);
    assert_true(kn__param_is(params, "objective", "ncp"));
    kn_params_free(params);
    kn_job_free(job);
}

static const char whole[] =
    "{\"input\": \"in.csv\", \"output\": \"/abs/out.csv\", \"schema\": \"s.json\","
    "\"id\": [\"name\"],"
    "\"qi\": [\"age\", \"a,b\"], \"sensitive\": [\"x\"], \"type\": {\"age\": \"integer\"},"
    "\"weight\": {\"age\": 2, \"a,b\": 0.5}, \"missing\": [\"\", \"?\"], \"missing_rule\": \"any\","
    "\"item_separator\": \" \", \"separator\": \";\", \"no_header\": true, \"quote\": \"none\","
    "\"hierarchy\": {\"age\": \"h/age.csv\"}, \"hierarchies\": \"h\", \"uncovered\": \"root\","
    "\"guarantee\": [{\"name\": \"k-anonymity\", \"k\": 5}, {\"name\": \"l-diversity\", \"l\": 3,"
    "\"diversity\": \"recursive\", \"c\": 2.5}], \"method\": \"mondrian\", \"relaxed\": true,"
    "\"suppression\": 0.02, \"suppressed\": \"starred\", \"shuffle\": false, \"seed\": 12,"
    "\"threads\": 2, \"memory\": \"4G\", \"report\": [\"r.json\", \"r.html\"]}";

static void test_json_round_trip(void **state)
{
    kn_job *job = job_of(whole), *again;
    char *first, *second;

    (void)state;
    assert_int_equal(kn_job_json(&first, job, NULL), KN_OK);
    again = job_of(first);
    assert_int_equal(kn_job_json(&second, again, NULL), KN_OK);
    assert_string_equal(first, second);
    assert_string_equal(kn_job_get(again, "qi", 1), "a,b");
    assert_string_equal(kn_job_get(again, "weight", 1), "a,b=0.5");
    assert_string_equal(kn_job_get(again, "c", 0), "2.5");
    assert_non_null(strstr(first, "\"memory\": \"4G\""));
    assert_non_null(strstr(first, "\"suppression\": 0.02"));
    kn_string_free(first);
    kn_string_free(second);
    kn_job_free(job);
    kn_job_free(again);
}

/* One a family of items: a list in the file, one after the other as options. */
static void test_several_hierarchies(void **state)
{
    kn_job *job = job_of("{\"hierarchy\": {\"items\": [\"food.csv\", \"wear.csv\"],"
                         "\"age\": \"age.csv\"}}"),
           *again;
    char *text;

    (void)state;
    assert_string_equal(kn_job_get(job, "hierarchy", 0), "items=food.csv");
    assert_string_equal(kn_job_get(job, "hierarchy", 1), "items=wear.csv");
    assert_string_equal(kn_job_get(job, "hierarchy", 2), "age=age.csv");
    assert_int_equal(kn_job_json(&text, job, NULL), KN_OK);
    again = job_of(text);
    assert_string_equal(kn_job_get(again, "hierarchy", 1), "items=wear.csv");
    assert_string_equal(kn_job_get(again, "hierarchy", 2), "age=age.csv");
    assert_null(kn_job_get(again, "hierarchy", 3));
    kn_string_free(text);
    kn_job_free(again);
    kn_job_free(job);
    refused("{\"hierarchy\": {\"items\": []}}", "column names to files");
    refused("{\"hierarchy\": {\"items\": [\"a.csv\", 5]}}", "'hierarchy' must be text");
    refused("{\"type\": {\"items\": [\"set\"]}}", "'type' must be");
}

static void test_paths_follow_the_folder(void **state)
{
    kn_job *job;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_job_parse(&job, whole, strlen(whole), "x", "some/where", &err), KN_OK);
    assert_string_equal(kn_job_get(job, "input", 0), "some/where/in.csv");
    assert_string_equal(kn_job_get(job, "output", 0), "/abs/out.csv");
    assert_string_equal(kn_job_get(job, "hierarchy", 0), "age=some/where/h/age.csv");
    assert_string_equal(kn_job_get(job, "hierarchies", 0), "some/where/h");
    assert_string_equal(kn_job_get(job, "report", 1), "some/where/r.html");
    assert_string_equal(kn_job_get(job, "method", 0), "mondrian");
    kn_job_free(job);
    assert_int_equal(kn_job_parse(&job, "{\"input\": \"-\"}", 14, "x", "f", NULL), KN_OK);
    assert_string_equal(kn_job_get(job, "input", 0), "-");
    kn_job_free(job);
}

static void test_json_refused(void **state)
{
    (void)state;
    refused("", "line 1");
    refused("[]", "a job is a JSON object");
    refused("{\"input\": \"a\",}", "line 1");
    refused("{\"input\": \"a\", \"input\": \"b\"}", "duplicate");
    refused("{\"inptu\": \"a\"}", "did you mean 'input'?");
    refused("{\"k\": \"5\"}", "'k' must be a number");
    refused("{\"k\": 5.0}", "not a whole number");
    refused("{\"k\": 0}", "out of range");
    refused("{\"qi\": 5}", "'qi' must be text");
    refused("{\"qi\": [[\"a\"]]}", "'qi' must be text");
    refused("{\"shuffle\": 1}", "must be true or false");
    refused("{\"type\": \"age=integer\"}", "must be an object");
    refused("{\"type\": {\"age\": \"number\"}}", "--type");
    refused("{\"guarantee\": [{\"k\": 5}]}", "'guarantee' must be");
    refused("{\"guarantee\": [{\"name\": \"k-anonymity\", \"l\": 5}]}", "has no parameter 'l'");
    refused("{\"guarantee\": [{\"name\": \"l-diversity\", \"diversty\": \"entropy\"}]}",
            "did you mean 'diversity'?");
    refused("{\"k\": 4, \"guarantee\": [{\"name\": \"k-anonymity\", \"k\": 5}]}", "given twice");
    refused("{\"item-separator\": \"|\", \"item_separator\": \"|\"}", "given twice");
    refused("{\"weight\": {\"a=b\": 1}}", "cannot name the column");
    refused("{\"input\": \"a\\u0000b\"}", "");
    refused("{\"memory\": null}", "must be");
}

static void test_settings(void **state)
{
    kn_job *job = job_of("{\"seed\": 77, \"threads\": 3}");
    kn_run run = {.threads = 1, .seed = 5};

    (void)state;
    assert_int_equal(kn_job_settings(&run, job, NULL), KN_OK);
    assert_int_equal(run.seed, 77);
    assert_int_equal(run.threads, 3);
    kn_job_free(job);
}

static void test_sizes(void **state)
{
    size_t bytes = 0;

    (void)state;
    assert_true(kn__option_size("512M", &bytes));
    assert_int_equal(bytes, (size_t)512 << 20);
    assert_true(kn__option_size("4GiB", &bytes));
    assert_int_equal(bytes, (size_t)4 << 30);
    assert_true(kn__option_size("1000", &bytes));
    assert_int_equal(bytes, 1000);
    assert_true(kn__option_size("2k", &bytes));
    assert_int_equal(bytes, 2048);
    assert_false(kn__option_size("2.5G", &bytes));
    assert_false(kn__option_size("G", &bytes));
    assert_false(kn__option_size("1GX", &bytes));
    assert_false(kn__option_size("-1", &bytes));
}

static void test_nearest(void **state)
{
    const char *const names[] = {"suppression", "suppressed", "method", "k"};

    (void)state;
    assert_string_equal(kn_nearest("suppresion", names, 4), "suppression");
    assert_string_equal(kn_nearest("supressed", names, 4), "suppressed");
    assert_string_equal(kn_nearest("mehtod", names, 4), "method");
    assert_string_equal(kn_nearest("METHOD", names, 4), "method");
    assert_string_equal(kn_nearest("meth", names, 4), "method");
    assert_null(kn_nearest("zebra", names, 4));
    assert_null(kn_nearest("", names, 4));
    assert_null(kn_nearest("q", names, 4));
}

static void test_catalog(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        size_t count;
        const kn_entry *const *entries = kn_catalog((kn_entry_kind)kind, &count);
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(entries[i]->kind, kind);
            assert_ptr_equal(kn_catalog_find((kn_entry_kind)kind, entries[i]->name), entries[i]);
            assert_non_null(entries[i]->summary);
            assert_non_null(entries[i]->page);
            if (entries[i]->method) {
                assert_non_null(kn_catalog_find(KN_ENTRY_METHOD, entries[i]->method));
            }
        }
    }
    assert_null(kn_catalog_find(KN_ENTRY_METHOD, "k-anonymity"));
}

/* jansson's memory is its own and not planned to fail here. */
static void test_memory_runs_out(void **state)
{
    const size_t before = kn_memory_in_use();
    bool failed = true;

    (void)state;
    for (size_t n = 1; failed; n++) {
        kn_job *job = NULL;
        char *text = NULL;
        kn_guarantee *g = NULL;
        size_t count;
        kn_status st;
        kn__memory_fail_after(n);
        st = kn_job_parse(&job, whole, strlen(whole), "job.json", "folder", NULL);
        st = st == KN_OK ? kn_job_set(job, "qi", "one,two,three", NULL) : st;
        st = st == KN_OK ? kn_job_set(job, "schema", "/dev/null", NULL) : st;
        st = st == KN_OK ? kn_job_json(&text, job, NULL) : st;
        st = st == KN_OK ? kn_job_guarantees(&g, &count, job, NULL) : st;
        failed = kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(st, failed ? KN_ENOMEM : KN_OK);
        kn_job_guarantees_free(g);
        kn_string_free(text);
        kn_job_free(job);
        assert_int_equal(kn_memory_in_use(), before);
    }
}

static size_t json_left; /* allocations of jansson until one fails; 0: none does */
static bool json_failed;

static void *failing_json(size_t size)
{
    if (json_left && --json_left == 0) {
        json_failed = true;
        return NULL;
    }
    return malloc(size);
}

/* Lists of numbers, files and guarantees among them: the whole text, or out of memory. */
static void test_json_out_of_memory(void **state)
{
    kn_job *job = job_of(whole);
    char *text, *cut;
    size_t failures = 0;

    (void)state;
    assert_int_equal(kn_job_set(job, "guarantee", "sigma-km-anonymity", NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "k", "20,20,10", NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "sigma", "1,0.99", NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "hierarchy", "items=food.csv", NULL), KN_OK);
    assert_int_equal(kn_job_set(job, "hierarchy", "items=wear.csv", NULL), KN_OK);
    assert_int_equal(kn_job_json(&text, job, NULL), KN_OK);
    assert_non_null(strstr(text, "wear.csv"));
    json_set_alloc_funcs(failing_json, free);
    json_failed = true;
    for (size_t n = 1; json_failed; n++) {
        kn_error err = {0};
        kn_status st;
        json_failed = false;
        json_left = n;
        st = kn_job_json(&cut, job, &err);
        json_left = 0;
        if (st == KN_OK) {
            assert_string_equal(cut, text); /* jansson may do without */
        } else {
            assert_int_equal(st, KN_ENOMEM);
            assert_int_equal(err.status, KN_ENOMEM);
            assert_null(cut);
            failures++;
        }
        kn_string_free(cut);
    }
    json_set_alloc_funcs(malloc, free);
    assert_true(failures > 20);
    kn_string_free(text);
    kn_job_free(job);
}

static void test_schema_out_of_memory(void **state)
{
    kn_job *job = job_of(
        "{\"qi\": [\"a\", \"b\"], \"sensitive\": [\"c\"], \"items\": [\"d\"],"
        "\"type\": {\"a\": \"integer\"}, \"weight\": {\"b\": 3}, \"missing\": [\"?\"],"
        "\"missing_rule\": \"any\", \"item_separator\": \";\"}");
    const size_t before = kn_memory_in_use();
    bool failed = true;

    (void)state;
    for (size_t n = 1; failed; n++) {
        kn_schema *schema = NULL;
        kn_status st;
        kn__memory_fail_after(n);
        st = kn__job_schema(job, &schema, NULL);
        failed = kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(st, failed ? KN_ENOMEM : KN_OK);
        assert_int_equal(schema == NULL, failed);
        if (schema) {
            assert_int_equal(kn_schema_role(schema, "a"), KN_ROLE_QUASI);
            assert_int_equal(kn_schema_role(schema, "c"), KN_ROLE_SENSITIVE);
            assert_int_equal(kn_schema_columns(schema), 4);
        }
        kn_schema_free(schema);
        assert_int_equal(kn_memory_in_use(), before);
    }
    kn_job_free(job);
}

static void test_one_role_a_column(void **state)
{
    kn_job *job = job_of("{\"qi\": [\"a\"], \"sensitive\": [\"b\", \"a\"]}");
    kn_schema *schema;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn__job_schema(job, &schema, &err), KN_EUSAGE);
    assert_null(schema);
    assert_non_null(strstr(err.message, "column 'a' is given both to --qi and to --sensitive"));
    kn_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_and_get),
        cmocka_unit_test(test_set_refuses),
        cmocka_unit_test(test_bad_list_changes_nothing),
        cmocka_unit_test(test_every_option_is_found),
        cmocka_unit_test(test_guarantees),
        cmocka_unit_test(test_guarantees_refused),
        cmocka_unit_test(test_method),
        cmocka_unit_test(test_json_round_trip),
        cmocka_unit_test(test_several_hierarchies),
        cmocka_unit_test(test_paths_follow_the_folder),
        cmocka_unit_test(test_json_refused),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_catalog),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_json_out_of_memory),
        cmocka_unit_test(test_schema_out_of_memory),
        cmocka_unit_test(test_one_role_a_column),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
