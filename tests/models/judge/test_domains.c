/* Models that name private values which nobody has: two attackers, one who takes them for possible
 * and one who knows better, and the verdict is that of whoever finds fewer people. */
#include "hierarchy/hierarchy.h"
#include "kanon/model.h"
#include "oracle/nearest.h"
#include "models/judge/small_table.h"
#include "models/tree/tree_case.h"
#include "rounds.h"

static kn_model_figures check(const kn_model *m, const kn_dataset *ds, uint64_t k, bool *holds)
{
    const kn_model_limits limits = {.k = k};
    kn_model_verdict *v;
    kn_model_figures f;
    kn_error err;

    if (kn_model_check(&v, m, ds, NULL, &limits, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    f = *kn_model_verdict_figures(v);
    *holds = kn_model_verdict_holds(v);
    kn_model_verdict_free(v);
    return f;
}

/* ---- by hand ---- */

/* Whoever lives in a and works as z, or lives in b and works as x, is good. If somebody might work
 * as z, all six look alike. Nobody does: those of a are never good by the first leaf, and two spans
 * of two and four remain. */
static const char works_as_z[] =
    "{\"kanon_model\": 1, \"kind\": \"tree\", \"class\": \"risk\", \"attributes\": [\n"
    " {\"name\": \"risk\", \"type\": \"category\", \"values\": [\"bad\", \"good\"]},\n"
    " {\"name\": \"town\", \"type\": \"category\", \"values\": [\"a\", \"b\"]},\n"
    " {\"name\": \"job\", \"type\": \"category\", \"values\": [\"x\", \"y\", \"z\"]}],\n"
    " \"missing\": \"nothing\", \"last_answer\": false, \"nodes\": [{\"test\": {\"is\": \"true\"}},\n"
    " {\"parent\": 0, \"answer\": \"good\", \"test\": {\"is\": \"or\", \"parts\": [\n"
    "  {\"is\": \"and\", \"parts\": [\n"
    "   {\"is\": \"in\", \"attribute\": \"town\", \"values\": [\"a\"]},\n"
    "   {\"is\": \"in\", \"attribute\": \"job\", \"values\": [\"z\"]}]},\n"
    "  {\"is\": \"and\", \"parts\": [\n"
    "   {\"is\": \"in\", \"attribute\": \"town\", \"values\": [\"b\"]},\n"
    "   {\"is\": \"in\", \"attribute\": \"job\", \"values\": [\"x\"]}]}]}},\n"
    " {\"parent\": 0, \"answer\": \"bad\", \"test\": {\"is\": \"true\"}}]}\n";

static const char *const names_z[] = {"risk", "town", "job"};
static const kn_role roles_z[] = {KN_ROLE_SENSITIVE, KN_ROLE_QUASI, KN_ROLE_SENSITIVE};
static const kn_type types_z[] = {KN_TYPE_CATEGORY, KN_TYPE_CATEGORY, KN_TYPE_CATEGORY};

static void test_nobody_works_as_z(void **state)
{
    static const char *const cells[] = {"bad", "a", "x", "good", "a", "y", "bad", "b", "x",
                                        "bad", "b", "y", "good", "b", "x", "bad", "b", "y"};
    static const char *const all[] = {"bad", "a", "x", "good", "a", "z", "bad", "b", "x",
                                      "bad", "b", "y", "good", "b", "x", "bad", "b", "y"};
    kn_dataset *ds = table_of(names_z, roles_z, types_z, 3, cells, 6);
    kn_dataset *has = table_of(names_z, roles_z, types_z, 3, all, 6);
    kn_model *m = parse(works_as_z);
    kn_model_figures f;
    bool holds;

    (void)state;
    f = check(m, ds, 3, &holds);
    assert_false(holds);
    assert_int_equal(f.domain, KN_DOMAIN_OF_DATA);
    assert_int_equal(f.k, 2);
    assert_int_equal(f.other_k, 6);
    assert_int_equal(f.spans, 2);
    assert_int_equal(f.at_risk, 2);
    f = check(m, has, 3, &holds);
    assert_true(holds);
    assert_int_equal(f.domain, KN_DOMAIN_ONE);
    assert_int_equal(f.k, 6);
    kn_model_free(m);
    kn_dataset_free(ds);
    kn_dataset_free(has);
}

/* A hierarchy is what the data's owner says is possible: with z among its leaves, it is. */
static void test_hierarchy_names_z(void **state)
{
    static const char *const cells[] = {"bad", "a", "x", "good", "a", "y",
                                        "bad", "b", "x", "good", "b", "y"};
    static const char text[] = "x;all\ny;all\nz;all\n";
    kn_dataset *ds = table_of(names_z, roles_z, types_z, 3, cells, 4);
    kn_model *m = parse(works_as_z);
    const kn_model_limits limits = {.k = 3};
    kn_hierarchies *set;
    kn_hierarchy *h;
    kn_model_verdict *v;

    (void)state;
    assert_int_equal(kn__hierarchy_parse(&h, "job", text, sizeof text - 1, NULL), KN_OK);
    assert_int_equal(kn_hierarchies_new(&set, NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(set, "job", h, NULL), KN_OK);
    assert_int_equal(kn_model_check(&v, m, ds, set, &limits, NULL, NULL), KN_OK);
    assert_true(kn_model_verdict_holds(v));
    assert_int_equal(kn_model_verdict_figures(v)->domain, KN_DOMAIN_ONE);
    kn_model_verdict_free(v);
    kn_hierarchies_free(set);
    kn_model_free(m);
    kn_dataset_free(ds);
}

/* Incomes are 10 to 20. The model says that they go up to 100, which brings its third centre within
 * everybody's reach; from 20 down it is out of reach for those of zip 10. */
static void test_centres_beyond(void **state)
{
    static const char text[] =
        "{\"kanon_model\": 1, \"kind\": \"clusters\", \"attributes\": [\n"
        " {\"name\": \"zip\", \"type\": \"integer\"},\n"
        " {\"name\": \"income\", \"type\": \"integer\", \"low\": 0, \"high\": 100}],\n"
        " \"scales\": [1, 1], \"centres\": [{\"at\": [10, 10]}, {\"at\": [12, 19]},\n"
        "  {\"at\": [18, 20]}]}\n";
    static const char *const names[] = {"zip", "income"};
    static const kn_role roles[] = {KN_ROLE_QUASI, KN_ROLE_SENSITIVE};
    static const kn_type types[] = {KN_TYPE_INTEGER, KN_TYPE_INTEGER};
    static const char *const cells[] = {"10", "10", "10", "20", "15", "11", "15", "12", "15", "20"};
    kn_dataset *ds = table_of(names, roles, types, 2, cells, 5);
    kn_model *m = parse(text);
    kn_model_figures f;
    bool holds;

    (void)state;
    f = check(m, ds, 5, &holds);
    assert_false(holds);
    assert_int_equal(f.domain, KN_DOMAIN_OF_DATA);
    assert_int_equal(f.k, 2);
    assert_int_equal(f.other_k, 5);
    kn_model_free(m);
    kn_dataset_free(ds);
}

/* ---- random trees ---- */

/* The private number is a whole one, and thresholds lie between. */
static bool whole_numbers;

static void random_set(kn_test *t, uint32_t attribute, kn_rng *r, uint32_t values)
{
    const uint32_t chosen = 1 + (uint32_t)kn__rng_below(r, (1u << values) - 1);

    *t = (kn_test){.kind = KN_TEST_IN, .attribute = attribute};
    t->values = kn__malloc_array(values, sizeof *t->values);
    for (uint32_t v = 0; v < values; v++) {
        if (chosen >> v & 1) {
            t->values[t->values_count++] = v;
        }
    }
}

/* A public part and a private one: what the private one allows depends on whom it is asked of. */
static void random_pair(kn_test *t, kn_test_kind kind, kn_rng *r)
{
    static const kn_test_kind numbers[] = {KN_TEST_LESS, KN_TEST_GREATER, KN_TEST_EQUAL,
                                           KN_TEST_LESS_EQUAL};

    *t = (kn_test){.kind = kind, .parts = kn__zalloc_array(2, sizeof *t->parts), .parts_count = 2};
    random_set(&t->parts[0], 1, r, 3);
    if (kn__rng_below(r, 2)) {
        random_set(&t->parts[1], 2, r, 4);
    } else {
        t->parts[1] = (kn_test){.kind = numbers[kn__rng_below(r, whole_numbers ? 4 : 3)],
                                .attribute = 3,
                                .number = whole_numbers ? (double)kn__rng_below(r, 32) / 4
                                                        : (double)kn__rng_below(r, 8)};
    }
}

static kn_model *entangled_tree(kn_rng *r)
{
    const uint32_t values[] = {2, 3, 4};
    const uint32_t children = 2 + (uint32_t)kn__rng_below(r, 2);
    kn_model *m;
    uint32_t node;

    assert_int_equal(kn__model_new(&m, KN_MODEL_TREE, NULL), KN_OK);
    for (size_t a = 0; a < 4; a++) {
        assert_int_equal(kn__model_add_attribute(m, case_names[a], 2,
                                                 a < 3 ? KN_TYPE_CATEGORY : KN_TYPE_DECIMAL, a != 1,
                                                 NULL, NULL),
                         KN_OK);
        for (uint32_t v = 0; a < 3 && v < values[a]; v++) {
            assert_int_equal(kn__dict_append(m->attribute[a].values, case_values[v], 2, NULL),
                             KN_OK);
        }
    }
    m->attribute[3].low = 0;
    m->attribute[3].high = 8;
    m->tree.class_attribute = 0;
    m->tree.last_answer = kn__rng_below(r, 2);
    m->tree.when_missing = (kn_tree_missing)kn__rng_below(r, 4);
    assert_int_equal(kn__tree_add(&m->tree, KN_NO_CODE, &node, NULL), KN_OK);
    m->tree.node[0].answer = 0;
    for (uint32_t i = 0; i < children; i++) {
        kn_test *t;
        assert_int_equal(kn__tree_add(&m->tree, 0, &node, NULL), KN_OK);
        m->tree.node[node].answer = (uint32_t)kn__rng_below(r, 2);
        t = &m->tree.node[node].test;
        *t = (kn_test){.kind = kn__rng_below(r, 4) ? KN_TEST_OR : KN_TEST_XOR,
                       .parts = kn__zalloc_array(2, sizeof *t->parts),
                       .parts_count = 2};
        random_pair(&t->parts[0], KN_TEST_AND, r);
        random_pair(&t->parts[1], KN_TEST_AND, r);
    }
    return m;
}

static void random_rows(tree_case *c, kn_rng *r)
{
    static const kn_role roles[] = {KN_ROLE_SENSITIVE, KN_ROLE_QUASI, KN_ROLE_SENSITIVE,
                                    KN_ROLE_SENSITIVE};
    const kn_type types[] = {KN_TYPE_CATEGORY, KN_TYPE_CATEGORY, KN_TYPE_CATEGORY,
                             whole_numbers ? KN_TYPE_INTEGER : KN_TYPE_DECIMAL};
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    const char *cells[16 * 4];
    const uint64_t rows = 4 + kn__rng_below(r, 13), most = 1 + kn__rng_below(r, 4);
    const uint64_t from = kn__rng_below(r, 6), gaps = kn__rng_below(r, 2) ? 12 : 1000;

    for (uint64_t i = 0; i < rows; i++) {
        cells[4 * i] = case_values[kn__rng_below(r, 2)];
        cells[4 * i + 1] = case_values[kn__rng_below(r, 3)];
        cells[4 * i + 2] = kn__rng_below(r, gaps) ? case_values[kn__rng_below(r, most)] : NULL;
        cells[4 * i + 3] = kn__rng_below(r, gaps) ? digits[from + kn__rng_below(r, 3)] : NULL;
    }
    c->ds = table_of(case_names, roles, types, 4, cells, (size_t)rows);
}

static void test_random_trees(void **state)
{
    int worse[3] = {0};
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 51, 0);
    for (int round = 0; round < test_rounds(3000); round++) {
        static tree_case c;
        uint64_t k[2];
        kn_model_figures f;
        const char *reason = NULL;
        bool holds;
        memset(&c, 0, sizeof c);
        c.m = entangled_tree(&r);
        if (!kn__model_validate(c.m, &reason)) {
            fail_msg("%s", reason);
        }
        random_rows(&c, &r);
        tree_case_link(&c);
        for (int knows = 0; knows < 2; knows++) {
            link_result result;
            c.link.knows = knows;
            link_attack(&c.link, &result);
            k[knows] = result.k;
            link_clear(&result, c.link.records);
        }
        f = check(c.m, c.ds, 3, &holds);
        assert_true(f.k == (k[0] < k[1] ? k[0] : k[1]));
        assert_int_equal(holds, f.k >= 3);
        if (k[0] != k[1]) {
            assert_int_equal(f.domain, k[1] < k[0] ? KN_DOMAIN_OF_DATA : KN_DOMAIN_OF_MODEL);
            assert_true(f.other_k == (k[0] < k[1] ? k[1] : k[0]));
        }
        worse[k[0] == k[1] ? 0 : k[1] < k[0] ? 1 : 2]++;
        tree_case_clear(&c);
    }
    assert_true(worse[0] > test_rounds(100) && worse[1] > test_rounds(100) &&
                worse[2] > test_rounds(100));
}

/* Four attackers: each of the two above, and each of them knowing that the private number is whole.
 */
static void test_whole_trees(void **state)
{
    int worse = 0, beyond = 0;
    kn_rng r;

    (void)state;
    whole_numbers = true;
    kn__rng_seed(&r, 53, 0);
    for (int round = 0; round < test_rounds(3000); round++) {
        static tree_case c;
        uint64_t k[2] = {UINT64_MAX, UINT64_MAX};
        kn_model_figures f;
        bool holds;
        memset(&c, 0, sizeof c);
        c.m = entangled_tree(&r);
        random_rows(&c, &r);
        for (int who = 0; who < 4; who++) {
            link_result result;
            case_whole = who / 2;
            memset(&c.link, 0, sizeof c.link);
            tree_case_link(&c);
            c.link.knows = who % 2;
            link_attack(&c.link, &result);
            k[who / 2] = result.k < k[who / 2] ? result.k : k[who / 2];
            link_clear(&result, c.link.records);
        }
        case_whole = false;
        f = check(c.m, c.ds, 3, &holds);
        assert_true(f.k == (k[0] < k[1] ? k[0] : k[1]));
        assert_int_equal(holds, f.k >= 3);
        if (k[1] < k[0]) {
            assert_int_equal(f.domain, KN_DOMAIN_WHOLE);
        }
        worse += k[1] < k[0];
        beyond += k[1] > k[0];
        tree_case_clear(&c);
    }
    whole_numbers = false;
    assert_true(worse > test_rounds(25) && beyond > test_rounds(25));
}

/* The tree of the issue: no whole number lies between 1.2 and 1.8, so those of x never reach the
 * first leaf, and are two. */
static void test_no_child_between(void **state)
{
    static const char text[] =
        "{\"kanon_model\": 1, \"kind\": \"tree\", \"class\": \"cls\", \"attributes\": [\n"
        " {\"name\": \"p\", \"type\": \"category\", \"values\": [\"x\", \"y\"]},\n"
        " {\"name\": \"kids\", \"type\": \"integer\"},\n"
        " {\"name\": \"cls\", \"type\": \"category\", \"values\": [\"c0\", \"c1\"]}],\n"
        " \"missing\": \"next\", \"last_answer\": true, \"nodes\": [\n"
        " {\"test\": {\"is\": \"true\"}, \"answer\": \"c0\"},\n"
        " {\"parent\": 0, \"answer\": \"c1\", \"test\": {\"is\": \"or\", \"parts\": [\n"
        "  {\"is\": \"and\", \"parts\": [\n"
        "   {\"is\": \"in\", \"attribute\": \"p\", \"values\": [\"x\"]},\n"
        "   {\"is\": \">\", \"attribute\": \"kids\", \"number\": 1.2},\n"
        "   {\"is\": \"<\", \"attribute\": \"kids\", \"number\": 1.8}]},\n"
        "  {\"is\": \"and\", \"parts\": [\n"
        "   {\"is\": \"in\", \"attribute\": \"p\", \"values\": [\"y\"]},\n"
        "   {\"is\": \">\", \"attribute\": \"kids\", \"number\": 2}]}]}},\n"
        " {\"parent\": 0, \"answer\": \"c0\", \"test\": {\"is\": \"true\"}}]}\n";
    static const char *const names[] = {"p", "kids", "cls"};
    static const kn_role roles[] = {KN_ROLE_QUASI, KN_ROLE_SENSITIVE, KN_ROLE_SENSITIVE};
    static const kn_type types[] = {KN_TYPE_CATEGORY, KN_TYPE_INTEGER, KN_TYPE_CATEGORY};
    static const char *const cells[] = {"x", "0", "c0", "x", "3", "c0", "y", "0", "c1",
                                        "y", "3", "c0", "y", "3", "c1", "y", "1", "c0"};
    kn_dataset *ds = table_of(names, roles, types, 3, cells, 6);
    kn_model *m = parse(text);
    kn_model_figures f;
    bool holds;

    (void)state;
    f = check(m, ds, 5, &holds);
    assert_false(holds);
    assert_int_equal(f.k, 2);
    assert_int_equal(f.other_k, 6);
    assert_int_equal(f.domain, KN_DOMAIN_WHOLE);
    kn_model_free(m);
    kn_dataset_free(ds);
}

/* ---- random centres ---- */

enum { ROWS = 12 };

/* What an attacker finds: the least number of people who may be in the same centres' areas. */
static uint64_t least_span(const oracle_centres *o, int row[ROWS][NEAREST_ATTRIBUTES], int rows)
{
    unsigned set[ROWS] = {0};
    uint64_t k = UINT64_MAX;

    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < o->centres; j++) {
            set[i] |= oracle_reached(o, j, row[i]) ? 1u << j : 0;
        }
    }
    for (int i = 0; i < rows; i++) {
        uint64_t same = 0;
        for (int j = 0; j < rows; j++) {
            same += set[j] == set[i];
        }
        k = set[i] & (set[i] - 1) && same < k ? same : k;
    }
    return k;
}

/* Two public attributes and three private ones, a number and two categories; the model's range and
 * values go beyond the data's. */
static void test_random_centres(void **state)
{
    static const char *const names[] = {"p", "q", "n", "s", "t"};
    static const kn_role roles[] = {KN_ROLE_QUASI, KN_ROLE_QUASI, KN_ROLE_SENSITIVE,
                                    KN_ROLE_SENSITIVE, KN_ROLE_SENSITIVE};
    static const kn_type types[] = {KN_TYPE_INTEGER, KN_TYPE_CATEGORY, KN_TYPE_INTEGER,
                                    KN_TYPE_CATEGORY, KN_TYPE_CATEGORY};
    enum { N = 5, VALUES = 4 };
    int worse[4] = {0};
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 52, 0);
    for (int round = 0; round < test_rounds(4000); round++) {
        oracle_centres wide = {.attributes = N, .centres = 1 + (int)kn__rng_below(&r, 6)}, narrow;
        int row[ROWS][NEAREST_ATTRIBUTES] = {{0}};
        static char text[ROWS * N][8];
        const char *cells[ROWS * N];
        const int rows = 2 + (int)kn__rng_below(&r, ROWS - 1);
        const int low = -(int)kn__rng_below(&r, 6), high = (int)kn__rng_below(&r, 12);
        const uint64_t most[N] = {6, 2, 4, 1 + kn__rng_below(&r, 4), 1 + kn__rng_below(&r, 4)};
        const bool gaps = kn__rng_below(&r, 3) == 0;
        kn_dataset *ds;
        kn_model *m;
        kn_model_figures f;
        const char *reason = NULL;
        bool holds;
        for (int a = 0; a < N; a++) {
            oracle_axis *x = &wide.axis[a];
            *x = (oracle_axis){.category = types[a] == KN_TYPE_CATEGORY,
                               .hidden = a > 1,
                               .weight = 1 + (int)kn__rng_below(&r, 5),
                               .low = NEAREST_NONE,
                               .high = -NEAREST_NONE,
                               .values = VALUES,
                               .lacking = (1u << VALUES) - 1};
            for (int i = 0; i < rows; i++) {
                const bool none = gaps && a > 1 && kn__rng_below(&r, 6) == 0;
                const int v = (int)kn__rng_below(&r, most[a]);
                row[i][a] = none ? NEAREST_NONE : v;
                x->missing = x->missing || none;
                if (!none) {
                    x->low = v < x->low ? v : x->low;
                    x->high = v > x->high ? v : x->high;
                    x->lacking &= ~(1u << v);
                }
                cells[i * N + a] = none ? NULL : text[i * N + a];
                (void)snprintf(text[i * N + a], sizeof *text, "%s%d", x->category ? "v" : "", v);
            }
        }
        narrow = wide;
        for (int a = 2; a < N; a++) {
            wide.axis[a].lacking = 0;
        }
        wide.axis[2].low = low < wide.axis[2].low ? low : wide.axis[2].low;
        wide.axis[2].high = high > wide.axis[2].high ? high : wide.axis[2].high;
        ds = table_of(names, roles, types, N, cells, (size_t)rows);
        assert_int_equal(kn__model_new(&m, KN_MODEL_CLUSTERS, NULL), KN_OK);
        m->centres.count = (size_t)wide.centres;
        m->centres.number = kn__malloc_array(m->centres.count * N, sizeof(double));
        m->centres.value = kn__malloc_array(m->centres.count * N, sizeof(uint32_t));
        m->centres.scale = kn__malloc_array(N, sizeof(double));
        for (int a = 0; a < N; a++) {
            assert_int_equal(kn__model_add_attribute(m, names[a], 1, types[a], false, NULL, NULL),
                             KN_OK);
            m->attribute[a].weight = wide.axis[a].weight;
            m->centres.scale[a] = 1;
            for (int v = 0; wide.axis[a].category && v < VALUES; v++) {
                const char value[] = {'v', (char)('0' + v)};
                assert_int_equal(kn__dict_append(m->attribute[a].values, value, 2, NULL), KN_OK);
            }
            for (int i = 0; i < wide.centres; i++) {
                const bool category = wide.axis[a].category;
                const bool none = category && kn__rng_below(&r, 12) == 0;
                const int v = category ? (int)kn__rng_below(&r, VALUES)
                                       : (int)kn__rng_below(&r, 16) - 4;
                wide.centre[i][a] = none ? NEAREST_NONE : v;
                m->centres.number[i * N + a] = category ? NAN : v;
                m->centres.value[i * N + a] = none || !category ? KN_NO_CODE : (uint32_t)v;
            }
        }
        m->attribute[2].low = low;
        m->attribute[2].high = high;
        memcpy(narrow.centre, wide.centre, sizeof wide.centre);
        assert_true(kn__model_validate(m, &reason));
        f = check(m, ds, 2, &holds);
        const uint64_t believes = least_span(&wide, row, rows),
                       knows = least_span(&narrow, row, rows);
        const uint64_t either = believes < knows ? believes : knows;
        narrow.axis[2].whole = wide.axis[2].whole = true;
        const uint64_t whole_narrow = least_span(&narrow, row, rows),
                       whole_wide = least_span(&wide, row, rows);
        const uint64_t whole = whole_wide < whole_narrow ? whole_wide : whole_narrow;
        assert_true(f.k == (whole < either ? whole : either));
        assert_int_equal(holds, f.k >= 2);
        if (whole < either) {
            assert_int_equal(f.domain, KN_DOMAIN_WHOLE);
        } else if (believes != knows) {
            assert_int_equal(f.domain, knows < believes ? KN_DOMAIN_OF_DATA : KN_DOMAIN_OF_MODEL);
        }
        worse[whole < either ? 3 : believes == knows ? 0 : knows < believes ? 1 : 2]++;
        kn_model_free(m);
        kn_dataset_free(ds);
    }
    assert_true(worse[0] > test_rounds(100) && worse[1] > test_rounds(100) &&
                worse[2] > test_rounds(100) && worse[3] >= test_rounds(5));
}

/* ---- failing memory ---- */

static void test_failing_memory(void **state)
{
    static const char *const cells[] = {"bad", "a", "x", "good", "a", "y", "bad", "b", "x"};
    kn_dataset *ds = table_of(names_z, roles_z, types_z, 3, cells, 3);
    kn_model *m = parse(works_as_z);
    const kn_model_limits limits = {.k = 2};
    const kn_run run = {.threads = 1};
    size_t n;

    (void)state;
    for (n = 1;; n++) {
        kn_model_verdict *v = NULL;
        kn_error err;
        kn_status st;
        kn__memory_fail_after(n);
        st = kn_model_check(&v, m, ds, NULL, &limits, &run, &err);
        kn__memory_fail_after(0);
        if (st == KN_OK) {
            assert_int_equal(kn_model_verdict_figures(v)->domain, KN_DOMAIN_OF_DATA);
            kn_model_verdict_free(v);
            break;
        }
        assert_int_equal(st, KN_ENOMEM);
        assert_null(v);
    }
    assert_true(n > 30);
    kn_model_free(m);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nobody_works_as_z), cmocka_unit_test(test_hierarchy_names_z),
        cmocka_unit_test(test_centres_beyond),    cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_whole_trees),       cmocka_unit_test(test_no_child_between),
        cmocka_unit_test(test_random_centres),    cmocka_unit_test(test_failing_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
