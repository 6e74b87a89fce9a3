/* test_model_page.c - the page about a model: well-formed whatever names and values are, and right
 * in what it says. */
#include "data/value.h"
#include "kanon/dataset.h"
#include "kanon/run.h"
#include "models/format/formats.h"
#include "models/random_models.h"
#include "models/format/pmml/xml.h"

/* Records that the model could have been made from. */
static kn_dataset *random_data(const kn_model *m, kn_rng *r, size_t records)
{
    const char *names[MOST_ATTRIBUTES];
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (size_t a = 0; a < m->attributes; a++) {
        names[a] = m->attribute[a].name;
        assert_int_equal(kn_schema_set_role(schema, names[a],
                                            m->attribute[a].hidden || (a == 0) ? KN_ROLE_SENSITIVE
                                                                               : KN_ROLE_QUASI,
                                            NULL),
                         KN_OK);
        assert_int_equal(kn_schema_set_type(schema, names[a], m->attribute[a].type, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, names, m->attributes, schema, NULL), KN_OK);
    for (size_t i = 0; i < records; i++) {
        oracle_value tuple[MOST_ATTRIBUTES];
        char room[MOST_ATTRIBUTES][64];
        const char *cells[MOST_ATTRIBUTES];
        random_tuple(m, r, tuple, room);
        for (size_t a = 0; a < m->attributes; a++) {
            kn_buffer text = {0};
            kn__buffer_adds(&text, "");
            if (m->attribute[a].values) {
                kn__buffer_adds(&text, tuple[a].text);
            } else if (m->attribute[a].type == KN_TYPE_DATE) {
                kn__date_format(&text, tuple[a].number);
            } else {
                kn__model_number(&text, m->attribute[a].type == KN_TYPE_INTEGER
                                            ? floor(tuple[a].number)
                                            : tuple[a].number);
            }
            (void)snprintf(room[a], sizeof room[a], "%s", text.data);
            kn__buffer_free(&text);
            cells[a] = tuple[a].missing ? "" : room[a];
        }
        assert_int_equal(kn_dataset_builder_add(b, cells, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static size_t count_elements(const kn_xml_element *e, const char *name, const char *class)
{
    size_t count = 0;

    for (; e; e = e->next) {
        const char *given = kn__xml_get(e, "class");
        count += strcmp(e->name, name) == 0 && (!class || (given && strcmp(given, class) == 0));
        count += count_elements(e->first, name, class);
    }
    return count;
}

/* The page is XML but for its first line. */
static kn_xml *parsed(const char *page)
{
    const char *html = strchr(page, '\n') + 1;
    kn_xml *xml = NULL;
    kn_error err = {0};

    if (kn__xml_parse(&xml, "page", html, strlen(html), &err) != KN_OK) {
        fail_msg("%s\n%s", err.message, page);
    }
    return xml;
}

static const kn_xml_element *find_table(const kn_xml_element *e, const char *class)
{
    for (const kn_xml_element *found; e; e = e->next) {
        const char *given = kn__xml_get(e, "class");
        if (strcmp(e->name, "table") == 0 && given && strcmp(given, class) == 0) {
            return e;
        }
        if ((found = find_table(e->first, class))) {
            return found;
        }
    }
    return NULL;
}

static const kn_xml_element *table_of(const kn_xml *xml, const char *class)
{
    const kn_xml_element *table = find_table(kn__xml_root(xml), class);

    assert_non_null(table);
    return table;
}

static void pages_are_well_formed(void **state)
{
    kn_rng r;
    size_t pages = 0, broken = 0, untold = 0, deep = 0;

    (void)state;
    kn__rng_seed(&r, 17, 1);
    for (size_t round = 0; round < 400; round++) {
        kn_model *m = round % 4 ? random_tree(&r, DATES) : random_centres(&r, 0);
        kn_dataset *ds = random_data(m, &r, 1 + kn__rng_below(&r, 30));
        const kn_model_limits limits = {.k = kn__rng_below(&r, 6),
                                        .l = kn__rng_below(&r, 2) ? 1.5 : 0,
                                        .inference = kn__rng_below(&r, 2) ? 0.8 : 0,
                                        .ignore_counts = kn__rng_below(&r, 4) > 0};
        kn_model_verdict *v = NULL;
        char *page = NULL;
        if (kn_model_check(&v, m, ds, NULL, &limits, NULL, NULL) == KN_OK) {
            kn_xml *xml;
            assert_int_equal(kn_model_report(&page, m, v, true, NULL), KN_OK);
            xml = parsed(page);
            /* small trees are drawn whole; centres have a row each */
            assert_int_equal(m->kind == KN_MODEL_CLUSTERS
                                 ? count_elements(table_of(xml, "centres")->first, "tr", NULL) - 1
                                 : count_elements(kn__xml_root(xml), "g", "leaf") +
                                       count_elements(kn__xml_root(xml), "g", "leaf broken") +
                                       count_elements(kn__xml_root(xml), "g", "inner"),
                             m->kind == KN_MODEL_CLUSTERS ? m->centres.count : m->tree.nodes);
            const uint64_t spans = kn_model_verdict_figures(v)->broken;
            assert_int_equal(strstr(page, "id=\"broken\"") != NULL, spans > 0);
            assert_int_equal(strstr(page, "cannot be told") != NULL,
                             spans == 0 && !kn_model_verdict_holds(v));
            assert_int_equal(strstr(page, "href=\"#broken\"") != NULL, spans > 0);
            /* no figure holds where there is no verdict */
            assert_true(!strstr(page, "cannot be told") || !strstr(page, "class=\"holds\""));
            deep += strstr(page, "it is small on paper") != NULL;
            untold += strstr(page, "cannot be told") != NULL;
            broken += spans > 0;
            pages++;
            kn__xml_free(xml);
        }
        kn_string_free(page);
        kn_model_verdict_free(v);
        kn_dataset_free(ds);
        kn_model_free(m);
    }
    assert_true(pages > 200 && broken > 50 && broken < pages - 10 && untold > 10);
    assert_true(deep > 0 && deep < pages / 2);
}

/* A tree of 3^8 leaves: closed where there is no more room, and every record is somewhere. */
static void large_trees_are_closed(void **state)
{
    kn_model *m;
    kn_rng r;
    kn_dataset *ds;
    kn_model_verdict *v;
    kn_xml *xml;
    uint32_t number, code;
    size_t drawn;
    char *page;

    (void)state;
    kn__rng_seed(&r, 18, 1);
    assert_int_equal(kn__model_new(&m, KN_MODEL_TREE, NULL), KN_OK);
    assert_int_equal(kn__model_add_attribute(m, "class", 5, KN_TYPE_CATEGORY, true, &number, NULL),
                     KN_OK);
    assert_int_equal(kn__dict_add(m->attribute[0].values, "x", 1, &code, NULL), KN_OK);
    assert_int_equal(kn__model_add_attribute(m, "age", 3, KN_TYPE_DECIMAL, false, &number, NULL),
                     KN_OK);
    m->tree.class_attribute = 0;
    assert_int_equal(kn__tree_add(&m->tree, KN_NO_CODE, &number, NULL), KN_OK);
    for (uint32_t n = 0; n < 3280; n++) {
        for (int c = 0; c < 3; c++) {
            assert_int_equal(kn__tree_add(&m->tree, n, &number, NULL), KN_OK);
            m->tree.node[number].test = (kn_test){.kind = KN_TEST_LESS,
                                                  .attribute = 1,
                                                  .number = random_number(&r, KN_TYPE_DECIMAL)};
        }
    }
    for (uint32_t n = 0; n < m->tree.nodes; n++) {
        m->tree.node[n].answer = 0;
    }
    m->tree.last_answer = true;
    ds = random_data(m, &r, 200);
    assert_int_equal(kn_model_check(&v, m, ds, NULL, NULL, NULL, NULL), KN_OK);
    assert_int_equal(kn_model_report(&page, m, v, true, NULL), KN_OK);
    xml = parsed(page);
    drawn = count_elements(kn__xml_root(xml), "g", "leaf") +
            count_elements(kn__xml_root(xml), "g", "leaf broken");
    assert_true(drawn > 100 && drawn <= 160);
    assert_non_null(strstr(page, "boxes with …"));
    kn__xml_free(xml);
    kn_string_free(page);
    kn_model_verdict_free(v);
    kn_dataset_free(ds);
    kn_model_free(m);
}

/* Baskets: the first holds everything, so that every rule can be judged. Sensitive is what the
 * rules call private, which is one item. */
static kn_dataset *baskets(const kn_model *m, kn_rng *r)
{
    const kn_rules *rules = &m->rules;
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;
    size_t len;
    const char *name = rules->column ? rules->column : "items";
    char *secret = NULL;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, name, KN_TYPE_SET, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, name, KN_ROLE_QUASI, NULL), KN_OK);
    for (uint32_t item = 0; !secret && item < rules->items->len; item++) {
        const char *text = kn__dict_text(rules->items, item, &len);
        secret = rules->hidden[item] ? kn__strndup(text, len) : NULL;
    }
    assert_non_null(secret);
    assert_int_equal(kn_schema_set_sensitive_items(schema, name, KN_BY_ITEM,
                                                   (const char *[]){secret}, 1, NULL),
                     KN_OK);
    kn__free(secret);
    assert_int_equal(kn_dataset_builder_new(&b, &name, 1, schema, NULL), KN_OK);
    for (size_t i = 0; i < 30; i++) {
        kn_buffer cell = {0};
        const char *text;
        kn__buffer_adds(&cell, "");
        for (uint32_t item = 0; item < rules->items->len; item++) {
            if (i == 0 || kn__rng_below(r, 2)) {
                text = kn__dict_text(rules->items, item, &len);
                kn__buffer_addf(&cell, "%s%.*s", cell.len ? "|" : "", (int)len, text);
            }
        }
        text = cell.data;
        assert_int_equal(kn_dataset_builder_add(b, &text, NULL), KN_OK);
        kn__buffer_free(&cell);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static void rules_have_a_page(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 20, 1);
    for (size_t round = 0; round < 100; round++) {
        kn_model *m = random_rules(&r, PLAIN);
        kn_dataset *ds = baskets(m, &r);
        kn_model_verdict *v = NULL;
        kn_xml *xml;
        char *page = NULL;
        kn_error err = {0};
        if (kn_model_check(&v, m, ds, NULL, &(kn_model_limits){.k = 10}, NULL, &err) != KN_OK) {
            fail_msg("%s", err.message);
        }
        assert_int_equal(kn_model_report(&page, m, v, true, NULL), KN_OK);
        xml = parsed(page);
        kn__xml_free(xml);
        assert_non_null(strstr(page, "<h2>The rules</h2>"));
        kn_string_free(page);
        kn_model_verdict_free(v);
        kn_dataset_free(ds);
        kn_model_free(m);
    }
}

static void no_memory(void **state)
{
    kn_rng r;
    kn_model *m;
    kn_dataset *ds;
    kn_model_verdict *v = NULL;
    size_t before;

    (void)state;
    kn__rng_seed(&r, 19, 1);
    do {
        m = random_tree(&r, PLAIN);
        ds = random_data(m, &r, 20);
    } while (m->tree.nodes < 5 ||
             kn_model_check(&v, m, ds, NULL, &(kn_model_limits){.k = 3}, NULL, NULL) != KN_OK);
    before = kn_memory_in_use();
    for (size_t n = 1;; n++) {
        char *page = NULL;
        bool struck;
        kn_status st;
        kn__memory_fail_after(n);
        st = kn_model_report(&page, m, v, true, NULL);
        struck = kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(st == KN_OK, page != NULL);
        assert_true(!struck || st == KN_ENOMEM);
        kn_string_free(page);
        assert_int_equal(kn_memory_in_use(), before);
        if (!struck) {
            break;
        }
    }
    kn_model_verdict_free(v);
    kn_dataset_free(ds);
    kn_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_well_formed),
        cmocka_unit_test(large_trees_are_closed),
        cmocka_unit_test(rules_have_a_page),
        cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
