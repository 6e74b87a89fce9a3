/* Schemas as JSON: what is written is what was read or set, and reads back to the same. */
#include "base/memory.h"
#include "data/schema.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Every key, in the order in which they are written. */
static const char every_key[] =
    "{\"rest\":\"dropped\",\"missing\":[\"\",\"?\"],\"missing_rule\":\"any\",\"decimal\":\",\","
    "\"date_format\":\"DD/MM/YYYY\",\"item_separator\":\";\","
    "\"bags\":{\"income\":[\"wages\",\"pension\"]},\"nulls\":[\"0\"],\"group_by\":[\"patient\"],"
    "\"collect\":{\"drugs\":[\"drug\"],\"codes\":[\"first\",\"second\"]},"
    "\"join\":{\"allergies\":{\"file\":\"a.csv\",\"on\":\"patient\",\"key\":\"person\","
    "\"columns\":[\"code\"]},\"stays\":{\"file\":\"b.csv\",\"on\":\"patient\","
    "\"columns\":[\"ward\"]}},"
    "\"together\":{\"items\":[\"drugs\",\"codes\"]},\"classes\":[\"hospital\",\"diagnosis\"],"
    "\"tree\":\"patient>visit(hospital)>finding(diagnosis)\","
    "\"columns\":{\"name\":{\"role\":\"identifier\"},"
    "\"age\":{\"type\":\"integer\",\"role\":\"quasi-identifier\",\"hierarchy\":\"age.csv\","
    "\"weight\":2.5},"
    "\"height\":{\"role\":\"kept\",\"allow_unique\":true},\"nothing\":{},"
    "\"ward\":{\"missing\":[],\"missing_rule\":\"own\",\"date_format\":\"MM/DD/YYYY\"},"
    "\"drugs\":{\"type\":\"set\",\"hierarchy\":[\"h/a.csv\",\"/b.csv\"],"
    "\"item_weights\":{\"x\":0,\"y\":0.5},\"sensitive_items\":[\"G\",\"\\\"H\\\"\"],"
    "\"sensitive_prefixes\":[\"29\"],\"sensitive_nodes\":[\"Mind,body\"]},"
    "\"größe\":{\"type\":\"decimal\",\"role\":\"sensitive\"}}}";

/* Without spaces and lines, of which these schemas have none in their texts. */
static void squeeze(char *text)
{
    char *to = text;

    for (const char *p = text; *p; p++) {
        if (!isspace((unsigned char)*p)) {
            *to++ = *p;
        }
    }
    *to = '\0';
}

static void writes(const kn_schema *s, const char *expected)
{
    char *text = NULL;

    assert_int_equal(kn_schema_json(&text, s, NULL), KN_OK);
    squeeze(text);
    assert_string_equal(text, expected);
    kn_string_free(text);
}

static void every_key_comes_back(void **state)
{
    kn_schema *s = NULL, *again = NULL, *copy = NULL;
    char *text = NULL;
    kn_error err = {0};

    (void)state;
    if (kn_schema_parse(&s, every_key, strlen(every_key), "s.json", NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    writes(s, every_key);
    assert_int_equal(kn_schema_json(&text, s, NULL), KN_OK);
    assert_int_equal(kn_schema_parse(&again, text, strlen(text), "again", NULL, NULL), KN_OK);
    writes(again, every_key);
    assert_int_equal(kn__schema_copy(&copy, s, NULL), KN_OK);
    writes(copy, every_key);
    kn_string_free(text);
    kn_schema_free(copy);
    kn_schema_free(again);
    kn_schema_free(s);
}

static void what_is_set_is_written(void **state)
{
    static const char *const both[] = {"a", "b"};
    kn_schema *s = NULL;

    (void)state;
    assert_int_equal(kn_schema_new(&s, NULL), KN_OK);
    writes(s, "{\"columns\":{}}");
    assert_int_equal(kn_schema_set_role(s, "zip", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_weight(s, "zip", 0.1, NULL), KN_OK);
    assert_int_equal(kn_schema_set_missing(s, NULL, NULL, 0, NULL), KN_OK);
    assert_int_equal(kn_schema_set_bag(s, "c", both, 2, NULL), KN_OK);
    assert_int_equal(kn_schema_set_collect(s, "d", both, 1, NULL), KN_EUSAGE);
    writes(s, "{\"missing\":[],\"bags\":{\"c\":[\"a\",\"b\"]},\"columns\":{\"zip\":{\"role\":"
              "\"quasi-identifier\",\"weight\":0.10000000000000001}}}");
    assert_int_equal(kn_schema_set_role(s, "zip", KN_ROLE_UNSET, NULL), KN_OK);
    assert_int_equal(kn_schema_set_weight(s, "zip", 1, NULL), KN_OK);
    assert_int_equal(kn_schema_set_collect(s, "c", both, 1, NULL), KN_OK);
    writes(s, "{\"missing\":[],\"collect\":{\"c\":[\"a\"]},\"columns\":{\"zip\":{}}}");
    kn_schema_free(s);
}

/* A folder is resolved once: what is written names the files from where the program is. */
static void paths_are_resolved_once(void **state)
{
    static const char text[] = "{\"columns\":{\"age\":{\"hierarchy\":\"age.csv\"}}}";
    static const char resolved[] = "{\"columns\":{\"age\":{\"hierarchy\":\"data/age.csv\"}}}";
    kn_schema *s = NULL;

    (void)state;
    assert_int_equal(kn_schema_parse(&s, text, strlen(text), "s.json", "data", NULL), KN_OK);
    assert_string_equal(kn_schema_hierarchy(s, "age"), "data/age.csv");
    writes(s, resolved);
    kn_schema_free(s);
}

static void wrong_texts_are_named(void **state)
{
    static const char text[] = "{\"columns\":\n{\"age\":{\"rle\":\"kept\"}}}";
    kn_schema *s = (kn_schema *)(uintptr_t)1;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_schema_parse(&s, text, strlen(text), "settings", NULL, &err), KN_EINPUT);
    assert_null(s);
    assert_non_null(strstr(err.message, "settings: column 'age': unknown key 'rle'"));
    assert_int_equal(kn_schema_parse(&s, text, 12, "settings", NULL, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "settings: line 2"));
}

static void cannot_write(const kn_schema *s, const char *words)
{
    char *text = (char *)(uintptr_t)1;
    kn_error err = {0};

    assert_int_equal(kn_schema_json(&text, s, &err), KN_EUSAGE);
    assert_null(text);
    assert_non_null(strstr(err.message, words));
}

static void what_json_cannot_say_is_refused(void **state)
{
    static const char *const bad[] = {"\xff"};
    kn_schema *s = NULL;

    (void)state;
    assert_int_equal(kn_schema_new(&s, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(s, "a\xff", KN_ROLE_KEPT, NULL), KN_OK);
    cannot_write(s, "UTF-8");
    kn_schema_free(s);
    assert_int_equal(kn_schema_new(&s, NULL), KN_OK);
    assert_int_equal(kn_schema_set_missing(s, "a", bad, 1, NULL), KN_OK);
    cannot_write(s, "UTF-8");
    kn_schema_free(s);
    assert_int_equal(kn_schema_new(&s, NULL), KN_OK);
    assert_int_equal(kn_schema_set_hierarchy(s, "a", "", NULL), KN_OK);
    cannot_write(s, "path");
    kn_schema_free(s);
}

static void survives_every_failed_allocation(void **state)
{
    const size_t before = kn_memory_in_use();

    (void)state;
    for (size_t n = 1;; n++) {
        kn_schema *s = NULL;
        char *text = NULL;
        kn_status status;
        bool failed;
        kn__memory_fail_after(n);
        status = kn_schema_parse(&s, every_key, strlen(every_key), "s.json", "data", NULL);
        if (status == KN_OK) {
            status = kn_schema_json(&text, s, NULL);
        }
        failed = kn__memory_failed();
        kn__memory_fail_after(0);
        kn_schema_free(s);
        assert_int_equal(status, failed ? KN_ENOMEM : KN_OK);
        kn_string_free(text);
        assert_int_equal(kn_memory_in_use(), before);
        if (!failed) {
            break;
        }
        assert_null(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_comes_back),
        cmocka_unit_test(what_is_set_is_written),
        cmocka_unit_test(paths_are_resolved_once),
        cmocka_unit_test(wrong_texts_are_named),
        cmocka_unit_test(what_json_cannot_say_is_refused),
        cmocka_unit_test(survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
