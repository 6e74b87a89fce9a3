/* Schemas: what a file may say, and what it is told when it says something else. */
#include "base/memory.h"
#include "data/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char full[] =
    "{ \"missing\": [\"\", \"?\"], \"missing_rule\": \"any\","
    "  \"item_separator\": \";\","
    "  \"columns\": {"
    "    \"name\": {\"role\": \"identifier\"},"
    "    \"age\": {\"role\": \"quasi-identifier\", \"type\": \"integer\","
    "            \"hierarchy\": \"h/age.csv\", \"weight\": 2.5},"
    "    \"ward\": {\"hierarchy\": [\"a.csv\", \"b.csv\"], \"missing\": [\"unknown\"],"
    "             \"missing_rule\": \"own\"},"
    "    \"codes\": {\"type\": \"set\", \"sensitive_items\": [\"G\", \"H\"],"
    "              \"sensitive_prefixes\": [\"29\"], \"sensitive_nodes\": [\"Mind, body\"]}}}";

static void check_full(const kn_schema *s, const char *hierarchy)
{
    const kn_column_spec *ward = kn__schema_find(s, "ward"), *age = kn__schema_find(s, "age");

    const kn_named_items *named = &kn__schema_find(s, "codes")->sensitive;

    assert_int_equal(kn_schema_columns(s), 4);
    assert_int_equal(named->count[KN_BY_ITEM], 2);
    assert_string_equal(named->texts[KN_BY_ITEM][1], "H");
    assert_int_equal(named->count[KN_BY_PREFIX], 1);
    assert_string_equal(named->texts[KN_BY_PREFIX][0], "29");
    assert_string_equal(named->texts[KN_BY_NODE][0], "Mind, body");
    assert_false(kn__named_items_any(&ward->sensitive));
    assert_string_equal(kn_schema_column_name(s, 1), "age");
    assert_int_equal(kn_schema_role(s, "name"), KN_ROLE_IDENTIFIER);
    assert_int_equal(kn_schema_role(s, "age"), KN_ROLE_QUASI);
    assert_int_equal(kn_schema_role(s, "nobody"), KN_ROLE_UNSET);
    assert_string_equal(kn_schema_hierarchy(s, "age"), hierarchy);
    assert_null(kn_schema_hierarchy(s, "name"));
    assert_null(kn_schema_hierarchy_at(s, "age", 1));
    assert_non_null(strstr(kn_schema_hierarchy_at(s, "ward", 0), "a.csv"));
    assert_non_null(strstr(kn_schema_hierarchy_at(s, "ward", 1), "b.csv"));
    assert_null(kn_schema_hierarchy_at(s, "ward", 2));
    assert_int_equal(age->type, KN_TYPE_INTEGER);
    assert_true(age->weight == 2.5);
    assert_true(kn__schema_is_missing(s, age, "?", 1));
    assert_true(kn__schema_is_missing(s, NULL, "", 0));
    assert_false(kn__schema_is_missing(s, ward, "?", 1));
    assert_true(kn__schema_is_missing(s, ward, "unknown", 7));
    assert_string_equal(kn__schema_missing_text(s, ward), "unknown");
    assert_string_equal(kn__schema_item_separator(s), ";");
    assert_int_equal(s->missing_rule, KN_MISSING_ANY);
    assert_int_equal(ward->missing_rule, KN_MISSING_OWN);
}

static void a_full_schema_is_read_and_copied(void **state)
{
    kn_schema *s, *copy;

    (void)state;
    assert_int_equal(kn__schema_parse(&s, "s.json", full, strlen(full), "data", NULL), KN_OK);
    check_full(s, "data/h/age.csv");
    assert_int_equal(kn__schema_copy(&copy, s, NULL), KN_OK);
    kn_schema_free(s);
    check_full(copy, "data/h/age.csv");
    kn_schema_free(copy);
}

static void the_rest_has_a_role_when_it_is_given_one(void **state)
{
    static const char text[] = "{\"rest\": \"kept\", \"columns\": {\"a\": {\"role\": \"dropped\"}, "
                               "\"b\": {\"allow_unique\": true}}}";
    kn_schema *s, *copy;

    (void)state;
    assert_int_equal(kn__schema_parse(&s, "s.json", text, strlen(text), NULL, NULL), KN_OK);
    assert_int_equal(kn__schema_copy(&copy, s, NULL), KN_OK);
    kn_schema_free(s);
    assert_int_equal(kn_schema_role(copy, "a"), KN_ROLE_DROPPED);
    assert_int_equal(kn_schema_role(copy, "b"), KN_ROLE_KEPT);
    assert_int_equal(kn_schema_role(copy, "c"), KN_ROLE_KEPT);
    assert_true(kn__schema_find(copy, "b")->allow_unique);
    assert_false(kn__schema_find(copy, "a")->allow_unique);
    assert_int_equal(kn_schema_set_rest(copy, KN_ROLE_QUASI, NULL), KN_EUSAGE);
    assert_int_equal(kn_schema_set_rest(copy, KN_ROLE_UNSET, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(copy, "a", KN_ROLE_UNSET, NULL), KN_OK);
    assert_int_equal(kn_schema_role(copy, "a"), KN_ROLE_UNSET);
    kn_schema_free(copy);
}

static void files_resolve_against_their_folder(void **state)
{
    FILE *f = fopen("schema-test.json", "w");
    kn_schema *s;
    kn_error err;

    (void)state;
    assert_non_null(f);
    (void)fputs(full, f);
    (void)fclose(f);
    assert_int_equal(kn_schema_read(&s, "./schema-test.json", NULL), KN_OK);
    check_full(s, "./h/age.csv");
    kn_schema_free(s);
    assert_int_equal(kn_schema_read(&s, "schema-test.json", NULL), KN_OK);
    check_full(s, "h/age.csv");
    kn_schema_free(s);
    (void)remove("schema-test.json");
    assert_int_equal(kn_schema_read(&s, "schema-test.json", &err), KN_EINPUT);
    assert_null(s);
    assert_non_null(strstr(err.message, "schema-test.json"));
    assert_int_equal(kn_schema_read(&s, ".", &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "folder"));
}

static void wrong_schemas_are_named(void **state)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"", "line 1"},
        {"[]", "object"},
        {"{\"columns\": []}", "'columns'"},
        {"{\"comment\": 1}", "'comment' must be a text, or a list of texts"},
        {"{\"colums\": {}}", "unknown key 'colums'"},
        {"{\"columns\": {\"a\": 1}}", "column 'a'"},
        {"{\"columns\": {\"a\": {\"rol\": \"kept\"}}}", "unknown key 'rol'"},
        {"{\"columns\": {\"a\": {\"role\": \"boss\"}}}", "'role'"},
        {"{\"columns\": {\"a\": {\"type\": 3}}}", "'type'"},
        {"{\"columns\": {\"a\": {\"weight\": -1}}}", "'weight'"},
        {"{\"columns\": {\"a\": {\"hierarchy\": \"\"}}}", "'hierarchy'"},
        {"{\"columns\": {\"a\": {\"sensitive_items\": \"G\"}}}", "'sensitive_items'"},
        {"{\"columns\": {\"a\": {\"sensitive_nodes\": [1]}}}", "'sensitive_nodes'"},
        {"{\"columns\": {\"a\": {\"hierarchy\": []}}}", "'hierarchy'"},
        {"{\"columns\": {\"a\": {\"hierarchy\": [\"b\", 1]}}}", "'hierarchy'"},
        {"{\"missing\": \"?\"}", "'missing'"},
        {"{\"missing\": [1]}", "'missing'"},
        {"{\"missing_rule\": \"maybe\"}", "'missing_rule'"},
        {"{\"item_separator\": \"\"}", "'item_separator'"},
        {"{\"rest\": \"identifier\"}", "'rest' must be \"dropped\" or \"kept\""},
        {"{\"rest\": true}", "'rest'"},
        {"{\"columns\": {\"a\": {\"role\": \"unset\"}}}", "'role'"},
        {"{\"columns\": {\"a\": {\"allow_unique\": 1}}}", "'allow_unique'"},
        {"{\"columns\": {\"a\": {}, \"a\": {}}}", "duplicate"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kn_schema *s;
        kn_error err;
        assert_int_equal(kn__schema_parse(&s, "s.json", rows[i].text, strlen(rows[i].text), NULL,
                                          &err),
                         KN_EINPUT);
        assert_null(s);
        assert_non_null(strstr(err.message, "s.json"));
        if (!strstr(err.message, rows[i].words)) {
            fail_msg("'%s' does not say %s", err.message, rows[i].words);
        }
    }
}

static void survives_every_failed_allocation(void **state)
{
    const size_t before = kn_memory_in_use();

    (void)state;
    for (size_t n = 1;; n++) {
        kn_schema *s, *copy = NULL;
        kn_status status;
        kn__memory_fail_after(n);
        status = kn__schema_parse(&s, "s.json", full, strlen(full), "data", NULL);
        if (status == KN_OK) {
            status = kn__schema_copy(&copy, s, NULL);
            kn_schema_free(s);
        }
        if (!kn__memory_failed()) {
            kn__memory_fail_after(0);
            kn_schema_free(copy);
            break;
        }
        kn__memory_fail_after(0);
        assert_int_equal(status, KN_ENOMEM);
        assert_null(copy);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_int_equal(kn_memory_in_use(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_schema_is_read_and_copied),
        cmocka_unit_test(the_rest_has_a_role_when_it_is_given_one),
        cmocka_unit_test(files_resolve_against_their_folder),
        cmocka_unit_test(wrong_schemas_are_named),
        cmocka_unit_test(survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
