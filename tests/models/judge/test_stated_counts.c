/* What a model states of its learning examples: differences of counts, counts of other data, and
 * content of the file that no verdict covers. */
#include "base/memory.h"
#include "base/rng.h"
#include "models/judge/small_table.h"
#include "oracle/stated_attack.h"

#include <stdio.h>

/* ---- small tables and models ---- */

static bool holds(const kn_model *m, const kn_dataset *ds, const kn_model_limits *limits,
                  kn_model_figures *f)
{
    kn_model_verdict *v;
    kn_error err;
    bool is;

    if (kn_model_check(&v, m, ds, NULL, limits, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    is = kn_model_verdict_holds(v);
    *f = *kn_model_verdict_figures(v);
    kn_model_verdict_free(v);
    return is;
}

/* Ages below and above 30, and one that is missing; the class is private. */
static kn_dataset *ages(void)
{
    static const char *const names[] = {"age", "cls"};
    static const kn_role roles[] = {KN_ROLE_QUASI, KN_ROLE_SENSITIVE};
    static const kn_type types[] = {KN_TYPE_INTEGER, KN_TYPE_CATEGORY};
    static const char *const cells[] = {"20", "bad",  "21", "bad",  "22", "bad",  "23", "good",
                                        "24", "good", "40", "bad",  "41", "good", "42", "good",
                                        "43", "good", "44", "good", NULL, "bad"};

    return table_of(names, roles, types, 2, cells, 11);
}

#define HEAD                                                                                   \
    "<?xml version=\"1.0\"?>\n<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\">"    \
    "<Header/><DataDictionary><DataField name=\"age\" optype=\"continuous\" "                  \
    "dataType=\"double\"/><DataField name=\"cls\" optype=\"categorical\" dataType=\"string\">" \
    "<Value value=\"bad\"/><Value value=\"good\"/></DataField></DataDictionary>"               \
    "<TreeModel functionName=\"classification\"><MiningSchema><MiningField name=\"age\"/>"     \
    "<MiningField name=\"cls\" usageType=\"target\"/></MiningSchema>"
#define YOUNG "<SimplePredicate field=\"age\" operator=\"lessOrEqual\" value=\"30\"/>"
#define OLD   "<SimplePredicate field=\"age\" operator=\"greaterThan\" value=\"30\"/>"
#define NAMED(key, bad, good)                                \
    "<ScoreDistribution value=\"bad\" " key "=\"" bad "\"/>" \
    "<ScoreDistribution value=\"good\" " key "=\"" good "\"/>"
#define COUNTS(bad, good) NAMED("recordCount", bad, good)
#define TREE(root, young, old)                                                                \
    HEAD "<Node" root "<Node score=\"bad\"" young "</Node><Node score=\"good\"" old "</Node>" \
         "</Node></TreeModel></PMML>"
#define ROOT(root) TREE(root, ">" YOUNG COUNTS("3", "2"), ">" OLD COUNTS("1", "4"))

/* ---- people without an answer ---- */

/* Whatever the root states gives away the one whom no child takes. */
static void test_root_minus_leaves(void **state)
{
    static const struct {
        const char *text;
        uint64_t k, unlike;
    } all[] = {
        {ROOT(" score=\"good\" recordCount=\"11\"><True/>" COUNTS("5", "6")), 1, 0},
        {ROOT("><True/>" COUNTS("5", "6")), 1, 0},
        {ROOT(" score=\"good\"><True/>"), 1, 0},
        {ROOT(" recordCount=\"11\"><True/>"), 1, 0},
        {ROOT("><True/>" NAMED("probability", "0.4545", "0.5455")), 1, 0},
        /* it states nothing: the missing one gets no answer, and nothing is told */
        {ROOT("><True/>"), 5, 0},
        /* false counts */
        {ROOT(" recordCount=\"10\"><True/>"), 1, 1},
        {ROOT("><True/>" COUNTS("5", "5")), 1, 1},
        {TREE("><True/>", ">" YOUNG COUNTS("1", "4"), ">" OLD COUNTS("1", "4")), 5, 2},
        /* shares, rounded or not, and other ones */
        {TREE("><True/>", ">" YOUNG COUNTS("0.6", "0.4"), ">" OLD COUNTS("0.2", "0.8")), 5, 0},
        {TREE("><True/>", ">" YOUNG COUNTS("1.5", "1"), ">" OLD COUNTS("0.5", "2")), 5, 0},
        {TREE("><True/>", ">" YOUNG COUNTS("0.7", "0.3"), ">" OLD COUNTS("0.2", "0.8")), 5, 2},
        {TREE("><True/>", ">" YOUNG NAMED("confidence", "0.6", "0.4"),
              ">" OLD NAMED("confidence", "0.35", "0.65")),
         5, 2},
    };
    kn_dataset *ds = ages();

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        kn_model *m = parse(all[i].text);
        const kn_model_limits five = {.k = 5}, ignoring = {.k = 5, .ignore_counts = true};
        kn_model_figures f;
        const bool is = holds(m, ds, &five, &f);
        if (f.k != all[i].k || f.unlike != all[i].unlike) {
            fail_msg("tree %zu: k = %d, %d other figures", i, (int)f.k, (int)f.unlike);
        }
        assert_int_equal(is, all[i].k >= 5 && all[i].unlike == 0);
        assert_int_equal(holds(m, ds, &ignoring, &f), all[i].k >= 5);
        kn_model_free(m);
    }
    kn_dataset_free(ds);
}

/* Those who stay at a node and those who are lost there are told apart: the first get its answer.
 */
static void test_lost_and_staying(void **state)
{
    static const char text[] =
        "{\"kanon_model\": 1, \"kind\": \"tree\", \"class\": \"cls\", \"attributes\": [\n"
        " {\"name\": \"p\", \"type\": \"category\", \"values\": [\"x\", \"y\"]},\n"
        " {\"name\": \"cls\", \"type\": \"category\", \"values\": [\"bad\", \"good\"]}],\n"
        " \"missing\": \"nothing\", \"last_answer\": true, \"nodes\": [\n"
        " {\"test\": {\"is\": \"true\"}, \"answer\": \"good\", \"population\": [2, 3]},\n"
        " {\"parent\": 0, \"answer\": \"good\", \"population\": [0, 2],\n"
        "  \"test\": {\"is\": \"in\", \"attribute\": \"p\", \"values\": [\"x\"]}}]}\n";
    static const char *const names[] = {"p", "cls"};
    static const kn_role roles[] = {KN_ROLE_QUASI, KN_ROLE_SENSITIVE};
    static const kn_type types[] = {KN_TYPE_CATEGORY, KN_TYPE_CATEGORY};
    static const char *const cells[] = {"x",   "good", "x",    "good", "y",
                                        "bad", "y",    "good", NULL,   "bad"};
    kn_dataset *ds = table_of(names, roles, types, 2, cells, 5);
    kn_model *m = parse(text);
    const kn_model_limits limits = {.k = 2};
    kn_model_figures f;

    (void)state;
    assert_false(holds(m, ds, &limits, &f));
    assert_int_equal(f.unlike, 0);
    assert_int_equal(f.spans, 3);
    assert_int_equal(f.k, 1);
    kn_model_free(m);
    kn_dataset_free(ds);
}

/* ---- all worlds ---- */

enum { ATTRIBUTES = 3, PUBLIC_VALUES = 3 };
static const char *const texts[] = {"v0", "v1", "v2"};

typedef struct world_case {
    kn_model *m;
    kn_dataset *ds;
    plain_value tuple[STATED_PEOPLE][ATTRIBUTES]; /* class, public, private */
    stated_attack attack;
} world_case;

static void random_test(kn_test *t, kn_rng *r)
{
    t->attribute = 1 + (uint32_t)kn__rng_below(r, 2);
    t->kind = kn__rng_below(r, 6) ? KN_TEST_IN : KN_TEST_TRUE;
    if (t->kind == KN_TEST_IN) {
        const uint32_t values = t->attribute == 1 ? PUBLIC_VALUES : 2;
        const uint64_t chosen = 1 + kn__rng_below(r, (1u << values) - 1);
        t->values = kn__malloc_array(values, sizeof *t->values);
        for (uint32_t v = 0; v < values; v++) {
            if (chosen >> v & 1) {
                t->values[t->values_count++] = v;
            }
        }
    }
}

static void random_nodes(kn_tree *t, uint32_t node, kn_rng *r, int depth)
{
    const uint64_t children = depth == 2 ? 0 : kn__rng_below(r, 3) + (depth == 0);

    for (uint64_t i = 0; i < children; i++) {
        uint32_t child;
        assert_int_equal(kn__tree_add(t, node, &child, NULL), KN_OK);
        random_test(&t->node[child].test, r);
    }
    if (children && kn__rng_below(r, 2)) {
        t->node[node].missing = t->node[node].first + (uint32_t)kn__rng_below(r, children);
    }
    for (uint32_t i = 0; i < children; i++) {
        random_nodes(t, t->node[node].first + i, r, depth + 1);
    }
}

static kn_model *random_tree(kn_rng *r)
{
    static const char *const names[] = {"cls", "pub", "own"};
    const uint32_t values[] = {2, PUBLIC_VALUES, 2};
    kn_model *m;
    uint32_t root;

    assert_int_equal(kn__model_new(&m, KN_MODEL_TREE, NULL), KN_OK);
    for (size_t a = 0; a < ATTRIBUTES; a++) {
        assert_int_equal(
            kn__model_add_attribute(m, names[a], 3, KN_TYPE_CATEGORY, a != 1, NULL, NULL), KN_OK);
        for (uint32_t v = 0; v < values[a]; v++) {
            assert_int_equal(kn__dict_append(m->attribute[a].values, texts[v], 2, NULL), KN_OK);
        }
    }
    m->tree.class_attribute = 0;
    m->tree.last_answer = kn__rng_below(r, 3) == 0;
    m->tree.when_missing = (kn_tree_missing)kn__rng_below(r, 4);
    assert_int_equal(kn__tree_add(&m->tree, KN_NO_CODE, &root, NULL), KN_OK);
    random_nodes(&m->tree, root, r, 0);
    return m;
}

static void random_people(world_case *c, kn_rng *r)
{
    static const char *const names[] = {"cls", "pub", "own"};
    static const kn_role roles[] = {KN_ROLE_SENSITIVE, KN_ROLE_QUASI, KN_ROLE_SENSITIVE};
    static const kn_type types[] = {KN_TYPE_CATEGORY, KN_TYPE_CATEGORY, KN_TYPE_CATEGORY};
    const char *cells[STATED_PEOPLE * ATTRIBUTES];
    const int people = 2 + (int)kn__rng_below(r, STATED_PEOPLE - 1);

    for (int i = 0; i < people; i++) {
        for (int a = 0; a < ATTRIBUTES; a++) {
            plain_value *v = &c->tuple[i][a];
            v->missing = a == 1 && kn__rng_below(r, 4) == 0;
            v->text = (uint32_t)kn__rng_below(r, a == 1 ? PUBLIC_VALUES : 2);
            cells[i * ATTRIBUTES + a] = v->missing ? NULL : texts[v->text];
        }
    }
    c->attack.people = people;
    c->ds = table_of(names, roles, types, ATTRIBUTES, cells, (size_t)people);
}

/* The node at which the tuple ends, with or without an answer: if all nodes state something, none
 * is lost without a word. */
static int stop_of(const kn_tree *t, const plain_value *tuple)
{
    const double before = t->node[0].records;
    uint32_t place;

    t->node[0].records = 0;
    place = plain_place(t, tuple);
    t->node[0].records = before;
    return place == KN_NO_CODE ? -1 : (int)(place < PLAIN_LOST ? place : place - PLAIN_LOST);
}

static void prepare_attack(world_case *c)
{
    stated_attack *a = &c->attack;

    a->tree = &c->m->tree;
    a->choices = STATED_CHOICES;
    a->classes = 2;
    for (int i = 0; i < a->people; i++) {
        for (int x = 0; x < STATED_CHOICES; x++) {
            plain_value tuple[ATTRIBUTES];
            memcpy(tuple, c->tuple[i], sizeof tuple);
            tuple[0].text = (uint32_t)x % 2;
            tuple[2].text = (uint32_t)x / 2;
            a->stop[i][x] = stop_of(a->tree, tuple);
            a->place[i][x] = plain_place(a->tree, tuple);
            a->value[i][x] = x % 2;
        }
    }
}

/* Nodes state what is true of the people, or nothing. Leaves must answer. */
static void state_counts(world_case *c, kn_rng *r)
{
    kn_tree *t = &c->m->tree;
    uint64_t count[STATED_NODES][4];
    int of[STATED_PEOPLE];

    assert_true(t->nodes <= STATED_NODES);
    for (int i = 0; i < c->attack.people; i++) {
        of[i] = (int)(c->tuple[i][0].text + 2 * c->tuple[i][2].text);
    }
    prepare_attack(c);
    stated_count(&c->attack, of, count);
    for (size_t n = 0; n < t->nodes; n++) {
        kn_tree_node *node = &t->node[n];
        if (node->children == 0 || kn__rng_below(r, 3) == 0) {
            node->answer = stated_commonest(count[n], 2);
        }
        if (kn__rng_below(r, 3) == 0) {
            node->population = kn__malloc_array(2, sizeof *node->population);
            memcpy(node->population, count[n], 2 * sizeof *node->population);
        }
        if (kn__rng_below(r, 6) == 0) {
            node->records = (double)(count[n][0] + count[n][1]);
        }
    }
    prepare_attack(c);
}

/* If a tree is said to hold for k, then whoever can be told something of is one of k people who
 * cannot be told apart; and true counts are recognised as such. */
static void test_all_worlds(void **state)
{
    kn_rng r;
    int told = 0, lost = 0, held = 0;

    (void)state;
    kn__rng_seed(&r, 71, 0);
    for (int round = 0; round < 6000; round++) {
        static world_case c;
        const kn_model_limits limits = {.k = 1 + kn__rng_below(&r, 3)};
        const char *reason;
        kn_model_figures f;
        uint64_t k;
        bool is;
        memset(&c, 0, sizeof c);
        c.m = random_tree(&r);
        random_people(&c, &r);
        state_counts(&c, &r);
        assert_true(kn__model_validate(c.m, &reason));
        is = holds(c.m, c.ds, &limits, &f);
        assert_int_equal(f.unlike, 0);
        stated_try(&c.attack);
        assert_true(c.attack.worlds > 0);
        k = stated_k(&c.attack);
        assert_true(f.k <= k);
        assert_true(!is || k >= limits.k);
        for (int i = 0; i < c.attack.people; i++) {
            bool answers = false;
            for (int x = 0; x < STATED_CHOICES; x++) {
                answers = answers || c.attack.place[i][x] < PLAIN_LOST;
            }
            lost += !answers && c.attack.possible[i] != (1u << STATED_CHOICES) - 1;
        }
        told += k < UINT64_MAX;
        held += is;
        kn_model_free(c.m);
        kn_dataset_free(c.ds);
    }
    /* also of people who get no answer, whatever their private values are */
    assert_true(told > 2000 && lost > 300 && held > 1000);
}

/* ---- counts of other data ---- */

static void test_clusters(void **state)
{
    static const char text[] =
        "{\"kanon_model\": 1, \"kind\": \"clusters\", \"attributes\": [\n"
        " {\"name\": \"age\", \"type\": \"integer\"}], \"scales\": [1],\n"
        " \"centres\": [{\"at\": [22], \"population\": %d}, {\"at\": [42], \"population\": 5}]}\n";
    static const char *const names[] = {"age"};
    static const kn_role roles[] = {KN_ROLE_SENSITIVE};
    static const kn_type types[] = {KN_TYPE_INTEGER};
    static const char *const cells[] = {"20", "21", "22", "23", "24", "40", "41", "42", "43", "44"};
    kn_dataset *ds = table_of(names, roles, types, 1, cells, 10);
    const kn_model_limits limits = {.k = 5}, ignoring = {.k = 5, .ignore_counts = true};

    (void)state;
    for (int size = 4; size < 7; size++) {
        char filled[sizeof text + 16];
        kn_model *m;
        kn_model_figures f;
        (void)snprintf(filled, sizeof filled, text, size);
        m = parse(filled);
        assert_int_equal(holds(m, ds, &limits, &f), size == 5);
        assert_int_equal(f.unlike, size != 5);
        assert_true(holds(m, ds, &ignoring, &f));
        kn_model_free(m);
    }
    kn_dataset_free(ds);
}

/* ---- content that is not judged ---- */

static void test_unjudged(void **state)
{
#define LEAF5(attributes, inside) \
    TREE("><True/>", attributes ">" inside YOUNG COUNTS("3", "2"), ">" OLD COUNTS("1", "4"))
#define WITH_HEADER(header)                                                               \
    "<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\">" header                 \
    "<DataDictionary><DataField name=\"cls\" optype=\"categorical\" dataType=\"string\">" \
    "<Value value=\"bad\"/></DataField></DataDictionary><TreeModel "                      \
    "functionName=\"classification\"><MiningSchema><MiningField name=\"cls\" "            \
    "usageType=\"target\"/></MiningSchema><Node score=\"bad\"><True/></Node></TreeModel></PMML>"
    static const struct {
        const char *text, *words; /* NULL: nothing is wrong */
    } all[] = {
        {LEAF5("", ""), NULL},
        {LEAF5("", "<Extension extender=\"x\" name=\"rows\" value=\"John Smith:bad\"/>"),
         "an Extension inside of Node"},
        {LEAF5("", "<Extension extender=\"kanon\" name=\"rows\" value=\"John Smith:bad\"/>"),
         "an Extension inside of Node"},
        {LEAF5("", "<Extension extender=\"kanon\" name=\"k\" value=\"5\"/>"),
         "an Extension inside of Node"},
        {LEAF5("", "<Extension extender=\"kanon\" name=\"label\" value=\"young\"/>"), NULL},
        {LEAF5("", "<Extension extender=\"kanon\" name=\"label\" value=\"a\">John</Extension>"),
         "an Extension inside of Node"},
        {LEAF5(" x-rows=\"John Smith:bad\"", ""), "the attribute x-rows inside of Node"},
        {LEAF5(" xmlns:o=\"http://other\" o:rows=\"John Smith:bad\"", ""),
         "the attribute rows inside of Node"},
        {LEAF5("", "John Smith:bad"), "text, a comment or a processing instruction inside of Node"},
        {LEAF5("", "<!-- John Smith:bad -->"), "a comment or a processing instruction"},
        {LEAF5("", "<?rows John Smith:bad?>"), "a comment or a processing instruction"},
        {LEAF5("", "") "<!-- John Smith:bad -->", "inside of the document"},
        {WITH_HEADER("<Header/>"), NULL},
        {WITH_HEADER("<Header><Annotation>John Smith:bad</Annotation></Header>"),
         "Annotation inside of Header"},
        {WITH_HEADER("<Header description=\"John Smith:bad\"/>"),
         "the attribute description inside of Header"},
        {WITH_HEADER("<Header><Application name=\"x\" version=\"1\"/>"
                     "<Timestamp>2024-01-01</Timestamp></Header>"),
         NULL},
        {WITH_HEADER("<Header/><MiningBuildTask><Extension>John</Extension></MiningBuildTask>"),
         "MiningBuildTask inside of PMML"},
    };
    kn_dataset *ds = ages();
    const kn_model_limits limits = {.k = 1}, ignoring = {.k = 1, .ignore_extensions = true};

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        kn_model *m = parse(all[i].text);
        kn_model_verdict *v = NULL;
        kn_model_figures f;
        kn_error err = {0};
        const kn_status st = kn_model_check(&v, m, ds, NULL, &limits, NULL, &err);
        kn_model_verdict_free(v);
        if (st != (all[i].words ? KN_EINPUT : KN_OK) ||
            (all[i].words && !strstr(err.message, all[i].words)) || strstr(err.message, "John")) {
            fail_msg("%zu: %s", i, err.message);
        }
        (void)holds(m, ds, &ignoring, &f);
        assert_int_equal(f.unjudged, all[i].words != NULL);
        kn_model_free(m);
    }
    kn_dataset_free(ds);
}

/* Shares, an Extension and a gap between whole numbers: every allocation may fail. */
static void test_failing_memory(void **state)
{
    static const char text[] = TREE(
        "><True/>" NAMED("probability", "0.4545", "0.5455"),
        "><Extension name=\"x\"/>" YOUNG COUNTS("0.6", "0.4"),
        "><CompoundPredicate booleanOperator=\"and\">" OLD
        "<SimplePredicate field=\"age\" operator=\"notEqual\" value=\"41.5\"/></CompoundPredicate>" COUNTS(
            "0.2", "0.8"));
    static const char *const names[] = {"age", "cls"};
    static const kn_role roles[] = {KN_ROLE_SENSITIVE, KN_ROLE_QUASI};
    static const kn_type types[] = {KN_TYPE_INTEGER, KN_TYPE_CATEGORY};
    static const char *const cells[] = {"20", "bad", "40", "good", "44", "bad"};
    kn_dataset *ds = table_of(names, roles, types, 2, cells, 3);
    const kn_model_limits limits = {.k = 2, .ignore_extensions = true};
    const kn_run run = {.threads = 1};
    const size_t before = kn_memory_in_use();
    size_t n;

    (void)state;
    for (n = 1;; n++) {
        kn_model_verdict *v = NULL;
        kn_model *m = NULL;
        kn_status st;
        kn__memory_fail_after(n);
        st = kn_model_parse(&m, "m", text, sizeof text - 1, NULL);
        if (st == KN_OK) {
            st = kn_model_check(&v, m, ds, NULL, &limits, &run, NULL);
        }
        kn__memory_fail_after(0);
        kn_model_verdict_free(v);
        kn_model_free(m);
        assert_int_equal(kn_memory_in_use(), before);
        if (st == KN_OK) {
            break;
        }
        assert_int_equal(st, KN_ENOMEM);
    }
    assert_true(n > 60);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_root_minus_leaves), cmocka_unit_test(test_lost_and_staying),
        cmocka_unit_test(test_all_worlds),        cmocka_unit_test(test_clusters),
        cmocka_unit_test(test_unjudged),          cmocka_unit_test(test_failing_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
