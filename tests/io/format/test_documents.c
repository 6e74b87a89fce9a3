/* Tree records as JSON and XML: kanon's own shape, other shapes by notation, and bad input. */
#include "io/io_test.h"
#include "oracle/trees.h"

static kn_status get(kn_dataset **out, const char *path, const char *text, const char *tree,
                     bool released, kn_error *err)
{
    kn_schema *schema = NULL;
    kn_status status;

    put_text(path, text);
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_tree(schema, tree, NULL), KN_OK);
    status = kn_read(out, path, &(kn_read_options){.schema = schema, .released = released}, NULL,
                     err);
    kn_schema_free(schema);
    return status;
}

/* The paths of record `record`: "/a:x /a:x/b:y". */
static void holds(const char *path, const char *text, const char *tree, bool released,
                  size_t record, const char *expected)
{
    static oracle_paths paths;
    char all[4096] = "";
    kn_dataset *ds;
    kn_error err = {0};

    if (get(&ds, path, text, tree, released, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    oracle_tree_paths(ds->forest, record, &paths);
    for (size_t i = 0; i < paths.count; i++) {
        strcat(strcat(all, i ? " " : ""), paths.path[i]);
    }
    assert_string_equal(all, expected);
    kn_dataset_free(ds);
}

static void refused(const char *path, const char *text, const char *tree, const char *words)
{
    const size_t before = kn_memory_in_use();
    kn_dataset *ds;
    kn_error err = {0};
    const kn_status status = get(&ds, path, text, tree, false, &err);

    assert_true(status == KN_EINPUT || status == KN_EUSAGE);
    assert_null(ds);
    if (!strstr(err.message, words)) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(kn_memory_in_use(), before);
}

static const char visits[] =
    "[{\"name\": \"Ann\", \"visits\": [\n"
    "  {\"findings\": [{\"name\": \"Flu\", \"drugs\": [\"A\", \"B\"]}], \"hospital\": \"H1\"},\n"
    "  {\"hospital\": null, \"date\": 2020, \"findings\": {\"name\": \"Cold\"}}]},\n"
    " {\"name\": \"Bob\", \"visits\": []}]\n";
static const char visits_tree[] =
    "person > visits(hospital, date) > findings(name as diagnosis) > drugs(. as drug)";

static void json_by_notation(void **state)
{
    (void)state;
    holds("in.json", visits, visits_tree, false, 0,
          "/date:2020 /diagnosis:Cold /hospital:H1 /hospital:H1/diagnosis:Flu "
          "/hospital:H1/diagnosis:Flu/drug:A /hospital:H1/diagnosis:Flu/drug:B");
    holds("in.json", visits, visits_tree, false, 1, "");
    holds("in.jsonl", "{\"a\": 1.50}\n\n{\"a\": true}\n", "r(a)", false, 1, "/a:true");
    holds("in.json", "{\"a\": 1.50}{\"a\": \"\\u00e9\"}", "r(a)", false, 0, "/a:1.50");
    /* At most one visit; a field inside an object. */
    holds("in.json", "[{\"v\": [{\"h\": {\"n\": \"x\"}}, {\"h\": {\"n\": \"y\"}}]}]",
          "p > v[1](h.n)", false, 0, "/n:x");
    /* A list of values as attribute. */
    holds("in.json", "[{\"v\": [{\"h\": \"x\", \"d\": [\"1\", \"2\"]}]}]", "p > v(h, d)", false, 0,
          "/h:x /h:x/d:1 /h:x/d:2");
}

static void json_own(void **state)
{
    (void)state;
    holds("in.json", "[{\"h\": [{\"value\": \"H1\", \"d\": \"Flu\"}, \"H2\"], \"q\": 5}]", NULL,
          false, 0, "/h:H1 /h:H1/d:Flu /h:H2 /q:5");
    holds("in.json", "[{\"value\": [{\"@value\": \"x\", \"value2\": [\"y\"]}]}]", NULL, false, 0,
          "/value:x /value:x/value2:y");
    /* A release is in kanon's own shape although the notation is about the original's. */
    holds("in.json", "[{\"hospital\": [{\"value\": \"H1\", \"drug\": [\"A\"]}]}]", visits_tree,
          true, 0, "/hospital:H1 /hospital:H1/drug:A");
    holds("in.json", visits, visits_tree, true, 1, "");
}

static void bad_json(void **state)
{
    (void)state;
    refused("in.json", "", NULL, "the file is empty");
    refused("in.json", "[]", NULL, "there are no records");
    refused("in.json", "[{}]", NULL, "no record has a node");
    refused("in.json", "[{\"a\": \"x\"}", NULL, "the list of records is not closed");
    refused("in.json", "[{\"a\": \"x\"}] x", NULL, "nothing may follow");
    refused("in.json", "[{\"a\": \"x\"} {\"a\": \"x\"}]", NULL, "a record is expected");
    refused("in.json", "[{\"a\": \"x\"},\n 5]", NULL, "line 2, character 2: a record is expected");
    refused("in.json", "\"a\"", NULL, "a record is expected");
    refused("in.json", "{\"a\": {\"b\": 1}}", NULL,
            "line 1: \"a\" is an object without a \"value\": say with --tree");
    refused("in.json", "{\"a\": [[1]]}", NULL, "a list inside a list");
    refused("in.json", "{\"a\" 1}", NULL, "':' is expected");
    refused("in.json", "{\"a\": 1", NULL, "the file ends within this record");
    refused("in.json", "{\"a\": 1]", NULL, "',' or '}' is expected");
    refused("in.json", "{\"a\": 01}", NULL, "a number does not begin with 0");
    refused("in.json", "{\"\": 1}", NULL, "it is empty");
    refused("in.json", "{\"a\": \"\\ud800\"}", NULL, "half of a character");
    refused("in.json", "{\n\"a\": \"\xff\"}", NULL, "line 2, character 7: this is not UTF-8");
    refused("in.json", "{\"a\": {\"value\": \"x\", \"b\": {\"value\": \"y\", \"a\": \"z\"}}}", NULL,
            "class 'a' occurs twice on a path");
    refused("in.json", "{\"v\": [{\"h\": [\"x\", \"y\"]}]}", "p > v(h)", "occurs several times");
    refused("in.json", "{\"v\": [5]}", "p > v(h)", "is a value, where --tree names fields");
    refused("in.json", "{\"v\": {\"h\": {\"x\": 1}}}", "p > v(h)",
            "is an object, where --tree names it as a value");
    refused("in.json", "{\"v\": [{\"x\": 1}]}", "p > v(. as h)", "'.' is for lists of values");
    refused("in.json", "{\"v\": [{\"x\": 1}]}", "p > v(", "--tree: character 7");
}

static void xml_by_notation(void **state)
{
    static const char text[] =
        "<?xml version='1.0'?>\n<clinic xmlns:x='urn:x'>\n"
        "<patient><name>Ann</name><visit hospital='H1'><x:finding><name>Flu</name>"
        "<drug>A</drug><drug> B </drug></x:finding></visit></patient>\n<patient/></clinic>";

    (void)state;
    holds("in.xml", text,
          "patient > visit(hospital) > finding(name as diagnosis) > drug(. as drug)", false, 0,
          "/hospital:H1 /hospital:H1/diagnosis:Flu /hospital:H1/diagnosis:Flu/drug:A "
          "/hospital:H1/diagnosis:Flu/drug:B");
}

static void xml_own(void **state)
{
    (void)state;
    holds("in.xml",
          "<records><record><h value='H1'><d value='a &lt; b'/><d>Cold</d></h><node class='q 1' "
          "value=''/></record></records>",
          NULL, false, 0, "/h:H1 /h:H1/d:Cold /h:H1/d:a < b /q 1:");
    holds("in.xml", "<r><r><value value='x'><value2 value='y'/></value></r></r>", NULL, false, 0,
          "/value:x /value:x/value2:y");
}

static void bad_xml(void **state)
{
    char deep[8192] = "<r><p>";

    (void)state;
    refused("in.xml", "", NULL, "the file is empty");
    refused("in.xml", "<r/>", NULL, "there are no records");
    refused("in.xml", "<r><p><a value='x'></p></r>", NULL, "line 1: not XML: mismatched tag");
    refused("in.xml", "<r><p>\n<a value='x'/></p>", NULL, "line 2: not XML");
    refused("in.xml", "<!DOCTYPE r [<!ENTITY a 'b'>]><r><p><h>&a;</h></p></r>", NULL,
            "the file has a document type");
    refused("in.xml", "<!DOCTYPE r SYSTEM 'file:///etc/passwd'><r/>", NULL, "a document type");
    refused("in.xml", "<r><p><h>&unknown;</h></p></r>", NULL, "not XML: undefined entity");
    refused("in.xml", "<r>text<p/></r>", NULL, "text between the records");
    refused("in.xml", "<r><p><h value='x'>text</h></p></r>", NULL, "holds text beside");
    refused("in.xml", "<r><p><h><d value='x'/></h></p></r>", NULL, "without a \"value\"");
    refused("in.xml", "<r><p><h value='x'><h value='y'/></h></p></r>", NULL,
            "occurs twice on a path");
    for (int i = 0; i < 300; i++) {
        strcat(deep, "<h value='x'>");
    }
    refused("in.xml", deep, NULL, "elements are nested deeper than 200");
}

static void deep_json(void **state)
{
    char deep[8192] = "";

    (void)state;
    for (int i = 0; i < 500; i++) {
        strcat(deep, "{\"a\":");
    }
    strcat(deep, "1");
    for (int i = 0; i < 500; i++) {
        strcat(deep, "}");
    }
    refused("in.json", deep, NULL, "objects are nested deeper than 200");
}

static void writes(void **state)
{
    kn_dataset *ds;
    kn_error err = {0};

    (void)state;
    assert_int_equal(get(&ds, "in.json", visits, visits_tree, false, &err), KN_OK);
    assert_int_equal(kn_write(ds, "out.jsonl", NULL, NULL, &err), KN_OK);
    assert_string_equal(
        get_text("out.jsonl"),
        "{\"hospital\":[{\"value\":\"H1\",\"diagnosis\":[{\"value\":\"Flu\",\"drug\":[\"A\","
        "\"B\"]}]}],\"date\":[\"2020\"],\"diagnosis\":[\"Cold\"]}\n{}\n");
    assert_int_equal(kn_write(ds, "out.xml", NULL, NULL, &err), KN_OK);
    assert_string_equal(get_text("out.xml"),
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<records>\n<record><hospital "
                        "value=\"H1\"><diagnosis value=\"Flu\"><drug value=\"A\"/><drug "
                        "value=\"B\"/></diagnosis></hospital><date value=\"2020\"/><diagnosis "
                        "value=\"Cold\"/></record>\n<record></record>\n</records>\n");
    kn_dataset_free(ds);
    /* A table has no trees; a control character has no place in XML. */
    put_text("in.csv", "a,b\n1,2\n");
    assert_int_equal(kn_read(&ds, "in.csv", NULL, NULL, &err), KN_OK);
    assert_int_equal(kn_write(ds, "out.xml", NULL, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "XML holds tree records, and this table has none"));
    kn_dataset_free(ds);
    put_text("in.trees", "a:x\x01\n");
    assert_int_equal(kn_read(&ds, "in.trees", NULL, NULL, &err), KN_OK);
    assert_int_equal(kn_write(ds, "out.xml", NULL, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "control character"));
    kn_dataset_free(ds);
}

static void survives_failing_allocations(void **state)
{
    static const char *const paths[] = {"in.json", "in.xml"};

    (void)state;
    put_text("in.json", "[{\"h\": [{\"value\": \"H1\", \"d\": \"Flu\"}]}]");
    put_text("in.xml", "<r><p><h value='H1'><d>Flu</d></h></p></r>");
    for (size_t p = 0; p < 2; p++) {
        for (size_t n = 1;; n++) {
            const size_t before = kn_memory_in_use();
            kn_dataset *ds = NULL;
            kn_status status;

            kn__memory_fail_after(n);
            status = kn_read(&ds, paths[p], NULL, NULL, NULL);
            if (status == KN_OK) {
                status = kn_write(ds, p ? "out.xml" : "out.json", NULL, NULL, NULL);
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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_by_notation),
        cmocka_unit_test(json_own),
        cmocka_unit_test(bad_json),
        cmocka_unit_test(xml_by_notation),
        cmocka_unit_test(xml_own),
        cmocka_unit_test(bad_xml),
        cmocka_unit_test(deep_json),
        cmocka_unit_test(writes),
        cmocka_unit_test(survives_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
