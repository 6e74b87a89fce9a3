/* test_hostile.c - models of strangers: what XML lets them write, files that are small and ask for
 * much, and thousands of files with something changed. Each is refused with words or is a valid
 * model that can be judged, in little memory. */
#include "base/buffer.h"
#include "data/dataset.h"
#include "kanon/run.h"
#include "models/format/formats.h"
#include "models/random_models.h"
#include "rounds.h"

#define FIELDS                                                                                   \
    "<DataDictionary><DataField name=\"age\" optype=\"continuous\" dataType=\"double\"/>"        \
    "<DataField name=\"risk\" optype=\"categorical\" dataType=\"string\"><Value value=\"bad\"/>" \
    "<Value value=\"good\"/></DataField></DataDictionary>"
#define SCHEMA                                                                             \
    "<TreeModel functionName=\"classification\"><MiningSchema><MiningField name=\"age\"/>" \
    "<MiningField name=\"risk\" usageType=\"predicted\"/></MiningSchema>"
#define SPLIT(threshold)                                                              \
    "<Node score=\"good\"><True/><Node score=\"bad\"><SimplePredicate field=\"age\" " \
    "operator=\"lessThan\" value=\"" threshold "\"/></Node></Node></TreeModel></PMML>"

static kn_model *accepted(const char *text, size_t len)
{
    kn_model *m = NULL;
    kn_error err = {0};

    if (kn_model_parse(&m, "m.pmml", text, len, &err) != KN_OK) {
        fail_msg("%s\n%.300s", err.message, text);
    }
    return m;
}

static void refused(const char *text, const char *why)
{
    kn_model *m = NULL;
    kn_error err = {0};

    assert_int_equal(kn_model_parse(&m, "m.pmml", text, strlen(text), &err), KN_EINPUT);
    assert_null(m);
    if (!strstr(err.message, why)) {
        fail_msg("wanted: %s; said: %s", why, err.message);
    }
}

/* ---- what XML has ---- */

static void versions(void **state)
{
    static const char *const there[] = {"3_0", "3_1", "3_2", "4_0", "4_1", "4_2", "4_3", "4_4"};

    (void)state;
    for (size_t i = 0; i < sizeof there / sizeof *there; i++) {
        char text[2000];
        kn_model *m;
        const char number[] = {there[i][0], '.', there[i][2], '\0'};
        (void)snprintf(text, sizeof text,
                       "<PMML xmlns=\"http://www.dmg.org/PMML-%s\" version=\"%s\">%s", there[i],
                       number, FIELDS SCHEMA SPLIT("30"));
        m = accepted(text, strlen(text));
        assert_int_equal(m->tree.nodes, 2);
        kn_model_free(m);
        /* with a prefix, as some tools write it */
        (void)snprintf(text, sizeof text,
                       "<p:PMML xmlns:p=\"http://www.dmg.org/PMML-%s\" version=\"%s\"/>", there[i],
                       number);
        refused(text, "there is no model in it");
    }
    refused("<PMML xmlns=\"http://example.org/other\" version=\"4.4\">" FIELDS SCHEMA SPLIT("30"),
            "PMML");
    refused("<PMML version=\"2.1\">" FIELDS SCHEMA SPLIT("30"), "2.1");
}

/* A number is what is left of its text without comments, CDATA marks and references. */
static void spellings(void **state)
{
    static const struct {
        const char *array;
        size_t values;
    } cases[] = {
        {"1 2", 2},        {"1<!-- not 2 --> 2", 2}, {"<![CDATA[1 2]]>", 2}, {"1<![CDATA[]]>2", 1},
        {"1<!-- -->2", 1}, {"&#49;&#x20;2", 2},      {"1<?p i?>2", 1}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000];
        kn_model *m;
        (void)snprintf(text, sizeof text,
                       "<PMML version=\"4.4\">" FIELDS SCHEMA "<Node score=\"good\"><True/>"
                       "<Node score=\"bad\"><SimpleSetPredicate field=\"age\" "
                       "booleanOperator=\"isIn\"><Array type=\"real\">%s</Array>"
                       "</SimpleSetPredicate></Node></Node></TreeModel></PMML>",
                       cases[i].array);
        m = accepted(text, strlen(text));
        const kn_test *t = &m->tree.node[1].test;
        assert_int_equal(t->parts_count ? t->parts_count : 1, cases[i].values);
        if (cases[i].values == 1) {
            assert_true((t->parts_count ? t->parts[0].number : t->number) == 12);
        }
        kn_model_free(m);
    }
    refused("<PMML version=\"4.4\">" FIELDS SCHEMA SPLIT("3&#0;"), "not XML");
    refused("<PMML version=\"4.4\">" FIELDS SCHEMA SPLIT("&thirty;"), "not XML");
    refused("<PMML version=\"4.4\">" FIELDS SCHEMA SPLIT("1e999"), "1e999");
    refused("<PMML version=\"4.4\">" FIELDS SCHEMA SPLIT("nan"), "nan");
    refused("<PMML version=\"4.4\">" FIELDS SCHEMA SPLIT("0x1p3"), "0x1p3");
    refused("<PMML version=\"4.4\">" FIELDS SCHEMA SPLIT("1,5"), "1,5");
}

static void encodings(void **state)
{
    static const char body[] = "<PMML version=\"4.4\">" FIELDS SCHEMA SPLIT("30");
    static const char latin[] =
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><PMML version=\"4.4\"><DataDictionary>"
        "<DataField name=\"gr\xf6\xdf"
        "e\" optype=\"categorical\" dataType=\"string\">"
        "<Value value=\"\xfc\"/></DataField></DataDictionary><TreeModel "
        "functionName=\"classification\"><MiningSchema><MiningField name=\"gr\xf6\xdf"
        "e\" "
        "usageType=\"target\"/></MiningSchema><Node score=\"\xfc\"><True/></Node></TreeModel>"
        "</PMML>";
    char wide[2 * sizeof body + 2];
    kn_model *m;

    (void)state;
    m = accepted(latin, sizeof latin - 1);
    assert_string_equal(m->attribute[0].name, "größe");
    kn_model_free(m);
    for (int big = 0; big < 2; big++) {
        memset(wide, 0, sizeof wide);
        wide[big] = '\xff';
        wide[!big] = '\xfe';
        for (size_t i = 0; i < sizeof body - 1; i++) {
            wide[2 + 2 * i + (size_t)big] = body[i];
        }
        m = accepted(wide, 2 * sizeof body);
        assert_int_equal(m->tree.nodes, 2);
        kn_model_free(m);
    }
}

/* ---- small files that ask for much ---- */

static void namespaces(void **state)
{
    kn_buffer text = {0};

    (void)state;
    kn__buffer_adds(&text, "<PMML version=\"4.4\" xmlns:long=\"");
    for (size_t i = 0; i < 1001; i++) {
        kn__buffer_addc(&text, 'u');
    }
    kn__buffer_adds(&text, "\"><long:a/></PMML>");
    refused(text.data, "more than 1,000 bytes");
    text.len = 0;
    kn__buffer_adds(&text, "<PMML version=\"4.4\">");
    for (int i = 0; i < 17; i++) {
        kn__buffer_addf(&text, "<a xmlns=\"n%d\"/>", i);
    }
    kn__buffer_adds(&text, "</PMML>");
    refused(text.data, "more than 16 namespaces");
    kn__buffer_free(&text);
}

/* As many tests as values: with a bit for each of both this takes 200 MB, and so it does with a
 * set of what is left after each test of a private field. */
static void many_values(kn_role role)
{
    enum { COUNT = 40000, MOST = 100 << 20 };
    static const char *const names[] = {"x", "c"};
    static const char *const rows[][2] = {{"v1", "a"}, {"v9", "b"}};
    const char *columns[] = {"x", "c"};
    kn_buffer text = {0};
    kn_dataset_builder *b;
    kn_dataset *ds;
    kn_schema *schema;
    kn_model_verdict *v = NULL;
    kn_model *m;
    kn_error err = {0};

    kn__buffer_adds(&text, "<PMML version=\"4.4\"><DataDictionary><DataField name=\"x\" "
                           "optype=\"categorical\" dataType=\"string\"/><DataField name=\"c\" "
                           "optype=\"categorical\" dataType=\"string\"><Value value=\"a\"/>"
                           "<Value value=\"b\"/></DataField></DataDictionary><TreeModel "
                           "functionName=\"classification\"><MiningSchema><MiningField name=\"x\"/>"
                           "<MiningField name=\"c\" usageType=\"target\"/></MiningSchema>"
                           "<Node score=\"a\"><True/>");
    for (int i = 0; i < COUNT; i++) {
        kn__buffer_addf(&text,
                        "<Node score=\"b\"><SimplePredicate field=\"x\" operator=\"equal\" "
                        "value=\"v%d\"/></Node>",
                        i);
    }
    kn__buffer_adds(&text, "</Node></TreeModel></PMML>");
    m = accepted(text.data, text.len);
    kn__buffer_free(&text);
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "x", role, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "c", KN_ROLE_SENSITIVE, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 2, schema, NULL), KN_OK);
    for (size_t i = 0; i < 2; i++) {
        columns[0] = rows[i][0];
        columns[1] = rows[i][1];
        assert_int_equal(kn_dataset_builder_add(b, columns, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    kn_memory_set_limit(MOST);
    if (kn_model_check(&v, m, ds, NULL, NULL, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    kn_memory_set_limit(0);
    assert_int_equal(kn_model_verdict_figures(v)->telling, role == KN_ROLE_QUASI ? 2 : 1);
    kn_model_verdict_free(v);
    kn_dataset_free(ds);
    kn_model_free(m);
}

static void many(void **state)
{
    (void)state;
    many_values(KN_ROLE_QUASI);
    many_values(KN_ROLE_SENSITIVE);
}

/* Each test of two private fields leaves cases for the next one: the stack would end before the
 * tests do. */
static void nested(void **state)
{
    enum { COUNT = 60000 };
    static const char *const names[] = {"x", "y", "c"};
    static const char *const row[] = {"v1", "v2", "a"};
    kn_buffer text = {0};
    kn_dataset_builder *b;
    kn_dataset *ds;
    kn_model_verdict *v = NULL;
    kn_model *m;
    kn_error err = {0};

    (void)state;
    kn__buffer_adds(&text,
                    "<PMML version=\"4.4\"><DataDictionary><DataField name=\"x\" "
                    "optype=\"categorical\" dataType=\"string\"/><DataField name=\"y\" "
                    "optype=\"categorical\" dataType=\"string\"/><DataField name=\"c\" "
                    "optype=\"categorical\" dataType=\"string\"/></DataDictionary><TreeModel "
                    "functionName=\"classification\"><MiningSchema><MiningField name=\"x\"/>"
                    "<MiningField name=\"y\"/><MiningField name=\"c\" "
                    "usageType=\"target\"/></MiningSchema><Node score=\"a\"><True/>");
    for (int i = 0; i < COUNT; i++) {
        kn__buffer_addf(&text,
                        "<Node score=\"b\"><CompoundPredicate booleanOperator=\"or\">"
                        "<SimplePredicate field=\"x\" operator=\"equal\" value=\"v%d\"/>"
                        "<SimplePredicate field=\"y\" operator=\"equal\" value=\"v%d\"/>"
                        "</CompoundPredicate></Node>",
                        i, i);
    }
    kn__buffer_adds(&text, "</Node></TreeModel></PMML>");
    m = accepted(text.data, text.len);
    kn__buffer_free(&text);
    assert_int_equal(kn_dataset_builder_new(&b, names, 3, NULL, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_add(b, row, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    for (size_t i = 0; i < 3; i++) {
        kn_dataset_set_role(ds, i, KN_ROLE_SENSITIVE, NULL);
    }
    assert_int_equal(kn_model_check(&v, m, ds, NULL, NULL, NULL, &err), KN_EINFEASIBLE);
    assert_non_null(strstr(err.message, "so entangled"));
    kn_dataset_free(ds);
    kn_model_free(m);
}

/* Every node has a bin for each value of the class: 20,000 of both are 400 million. */
static void bins(void **state)
{
    enum { COUNT = 20000 };
    static const char *const names[] = {"c"};
    static const char *const row[] = {"v1"};
    kn_buffer text = {0};
    kn_dataset_builder *b;
    kn_dataset *ds;
    kn_model_verdict *v = NULL;
    kn_model *m;
    kn_error err = {0};

    (void)state;
    kn__buffer_adds(&text, "<PMML version=\"4.4\"><DataDictionary><DataField name=\"c\" "
                           "optype=\"categorical\" dataType=\"string\"/></DataDictionary>"
                           "<TreeModel functionName=\"classification\"><MiningSchema>"
                           "<MiningField name=\"c\" usageType=\"target\"/></MiningSchema>"
                           "<Node score=\"v1\"><True/>");
    for (int i = 0; i < COUNT; i++) {
        kn__buffer_addf(&text, "<Node score=\"v%d\"><False/></Node>", i);
    }
    kn__buffer_adds(&text, "</Node></TreeModel></PMML>");
    m = accepted(text.data, text.len);
    kn__buffer_free(&text);
    assert_int_equal(kn_dataset_builder_new(&b, names, 1, NULL, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_add(b, row, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    assert_int_equal(kn_model_check(&v, m, ds, NULL, NULL, NULL, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "more bins than the 268,435,456"));
    kn_dataset_free(ds);
    kn_model_free(m);
}

/* ---- something changed ---- */

static kn_dataset *table(void)
{
    static const char *const names[] = {"class", "age", "job", "it's", "home town", "ü", "k-l"};
    static const char *const rows[][7] = {{"a", "1", "b c", "2", "Z", "1", "x_y"},
                                          {"b c", "2", "1", "-3.5", NULL, "a", "1"},
                                          {NULL, "7", "a", "it's", "a", "2", NULL},
                                          {"a", NULL, NULL, "1", "d-e", "5", "3"}};
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_dataset_builder_new(&b, names, 7, NULL, NULL), KN_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(kn_dataset_builder_add(b, rows[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    for (size_t i = 0; i < 7; i++) {
        kn_dataset_set_role(ds, i, i % 2 ? KN_ROLE_QUASI : KN_ROLE_SENSITIVE, NULL);
    }
    return ds;
}

/* One to three changes: a byte, a piece that is gone or twice there, a number that is none. */
static void change(kn_buffer *text, kn_rng *r)
{
    static const char *const pieces[] = {
        "1e308",    "-1",         "0",  "7",   "3",    "1",  "null",
        "0.1e-320", "4294967295", "\"", "2.5", "<a/>", "[]", "99999999999999999999"};

    for (uint64_t n = 1 + kn__rng_below(r, 3); n > 0 && text->len > 1; n--) {
        const size_t at = kn__rng_below(r, text->len);
        size_t len = 1 + kn__rng_below(r, kn__rng_below(r, 4) ? 12 : 200);
        len = len < text->len - at ? len : text->len - at;
        switch (kn__rng_below(r, 12)) {
        case 0: text->data[at] = (char)kn__rng_below(r, 256); break;
        case 1:
            memmove(text->data + at, text->data + at + len, text->len - at - len);
            text->len -= len;
            break;
        case 2: {
            char *twice = kn__strndup(text->data + at, len);
            kn__buffer_add(text, twice, len);
            memmove(text->data + at + len, text->data + at, text->len - len - at);
            memcpy(text->data + at, twice, len);
            kn__free(twice);
            break;
        }
        default: {
            const char *piece = pieces[kn__rng_below(r, sizeof pieces / sizeof *pieces)];
            size_t digit = at, end;
            while (digit < text->len && (text->data[digit] < '0' || text->data[digit] > '9')) {
                digit++;
            }
            for (end = digit;
                 end < text->len && text->data[end] >= '0' && text->data[end] <= '9';) {
                end++;
            }
            const size_t gone = end - digit, come = strlen(piece), rest = text->len - end;
            kn__buffer_add(text, "                        ", come);
            memmove(text->data + digit + come, text->data + end, rest);
            memcpy(text->data + digit, piece, come);
            text->len -= gone;
        }
        }
    }
}

static void changed(void **state)
{
    static const kn_model_format formats[] = {KN_MODEL_JSON, KN_MODEL_PMML};
    const kn_run run = {.threads = 1};
    const kn_model_limits limits = {.k = 2};
    kn_dataset *ds = table();
    size_t taken = 0, judged = 0, before;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 77, 1);
    before = kn_memory_in_use();
    for (int round = 0; round < test_rounds(12000); round++) {
        kn_model *m = round % 3 == 0   ? random_tree(&r, PLAIN | DATES)
                      : round % 3 == 1 ? random_centres(&r, PLAIN)
                                       : random_rules(&r, PLAIN);
        char *text = NULL;
        kn_buffer bytes = {0};
        kn_error err = {0};
        kn_model *read = NULL;
        kn_model_verdict *v = NULL;
        const char *reason;
        kn_status st = kn_model_format_text(&text, m, formats[round / 3 % 2], NULL);
        kn_model_free(m);
        if (st != KN_OK) { /* centres that PMML has no words for */
            assert_int_equal(st, KN_EUSAGE);
            continue;
        }
        kn__buffer_adds(&bytes, text);
        kn_string_free(text);
        change(&bytes, &r);
        st = kn_model_parse(&read, "m", bytes.data, bytes.len, &err);
        if (st == KN_OK) {
            taken++;
            assert_true(kn__model_validate(read, &reason));
            st = kn_model_check(&v, read, ds, NULL, &limits, &run, &err);
            judged += st == KN_OK;
        }
        if (st != KN_OK) {
            if (st != KN_EINPUT && st != KN_EINFEASIBLE && st != KN_EUSAGE) {
                fail_msg("%d %s\n%.*s", (int)st, err.message, (int)bytes.len, bytes.data);
            }
            assert_true(*err.message && !v);
        }
        kn_model_verdict_free(v);
        kn_model_free(read);
        kn__buffer_free(&bytes);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_true(taken > test_rounds(1000) && judged > test_rounds(150));
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions),   cmocka_unit_test(spellings), cmocka_unit_test(encodings),
        cmocka_unit_test(namespaces), cmocka_unit_test(many),      cmocka_unit_test(bins),
        cmocka_unit_test(changed),    cmocka_unit_test(nested),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
