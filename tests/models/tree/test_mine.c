/* Trees that keep k-anonymity: the paper's examples, and thousands of random tables under the
 * paper's attack done by brute force. */
#include "base/memory.h"
#include "base/rng.h"
#include "hierarchy/hierarchy.h"
#include "models/format/formats.h"
#include "models/registry.h"
#include "models/tree/tree.h"
#include "rounds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "models/model_params.h"
#include "oracle/mined_tree.h"
#include "oracle/mortgage.h"

#define CASES test_rounds(4000)
enum { GROUPS = 3 };

static const char *const names[] = {"a", "b", "c", "d", "e"};

/* ---- tables ---- */

typedef struct subject {
    tree_table t;
    int kind[TREE_COLUMNS]; /* 0: category, 1: with a hierarchy, 2: number */
    kn_dataset *ds;
    kn_hierarchies *hs;
    kn_mine_options o;
} subject;

static void add_missing(tree_table *t, int c)
{
    t->domain[c][t->values[c]++] = (tree_value){.missing = true};
}

static void make_domain(subject *s, int c, kn_rng *r)
{
    tree_table *t = &s->t;

    s->kind[c] = c == t->target ? 0 : (int)kn__rng_below(r, 3);
    t->values[c] = c == t->target ? 2 + (int)kn__rng_below(r, 2) : 1 + (int)kn__rng_below(r, 6);
    for (int v = 0; v < t->values[c]; v++) {
        tree_value *to = &t->domain[c][v];
        *to = (tree_value){.is_number = s->kind[c] == 2};
        to->number = v * (c % 2 ? 1.5 : 7);
        if (to->is_number) {
            (void)snprintf(to->text, sizeof to->text, "%g", to->number);
        } else {
            (void)snprintf(to->text, sizeof to->text, "v%d", v);
        }
    }
    if (c != t->target && kn__rng_below(r, 3) == 0) {
        add_missing(t, c);
    }
}

static void make_records(subject *s, kn_rng *r)
{
    tree_table *t = &s->t;
    int used = 0;

    for (int i = 0; i < t->records; i++) {
        for (int c = 0; c < t->columns; c++) {
            t->cell[i][c] = (int)kn__rng_below(r, (uint64_t)t->values[c]);
        }
        if (kn__rng_below(r, 3)) {
            /* The class follows another column, so that there is something to learn. */
            const int c = t->target == 0 ? 1 : 0;
            t->cell[i][t->target] = t->cell[i][c] % t->values[t->target];
        }
        used |= 1 << t->cell[i][t->target];
    }
    if ((used & (used - 1)) == 0) {
        t->cell[0][t->target] = t->cell[0][t->target] ? 0 : 1;
    }
}

static void build(subject *s)
{
    const tree_table *t = &s->t;
    kn_schema *schema;
    kn_dataset_builder *b;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_hierarchies_new(&s->hs, NULL), KN_OK);
    for (int c = 0; c < t->columns; c++) {
        kn_buffer text = {0};
        kn_hierarchy *h;
        assert_int_equal(kn_schema_set_role(schema, names[c],
                                            t->hidden[c] ? KN_ROLE_SENSITIVE : KN_ROLE_QUASI, NULL),
                         KN_OK);
        assert_int_equal(kn_schema_set_type(schema, names[c],
                                            s->kind[c] == 2 ? KN_TYPE_DECIMAL : KN_TYPE_CATEGORY,
                                            NULL),
                         KN_OK);
        if (s->kind[c] != 1) {
            continue;
        }
        for (int v = 0; v < 6; v++) {
            kn__buffer_addf(&text, "v%d;g%d;h%d;*\n", v, v / 2, v / 4);
        }
        assert_int_equal(kn__hierarchy_parse(&h, names[c], text.data, text.len, NULL), KN_OK);
        assert_int_equal(kn_hierarchies_add(s->hs, names[c], h, NULL), KN_OK);
        kn__buffer_free(&text);
    }
    assert_int_equal(kn_dataset_builder_new(&b, names, (size_t)t->columns, schema, NULL), KN_OK);
    for (int i = 0; i < t->records; i++) {
        const char *row[TREE_COLUMNS];
        for (int c = 0; c < t->columns; c++) {
            const tree_value *v = &t->domain[c][t->cell[i][c]];
            row[c] = v->missing ? NULL : v->text;
        }
        assert_int_equal(kn_dataset_builder_add(b, row, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&s->ds, b, NULL), KN_OK);
    kn_schema_free(schema);
}

/* What is possible, as models/bind.h says: values of the data, leaves of the hierarchy; of numbers
 * also what lies between two of them; missing where the data has one. */
static void widen_domains(subject *s)
{
    tree_table *t = &s->t;

    for (int c = 0; c < t->columns; c++) {
        const int values = t->values[c];
        bool missing = false;
        for (int i = 0; i < t->records; i++) {
            missing = missing || t->domain[c][t->cell[i][c]].missing;
        }
        if (t->domain[c][values - 1].missing && !missing) {
            t->values[c]--;
        }
        if (s->kind[c] == 1) {
            for (int v = 0; v < 6; v++) {
                char text[16];
                bool there = false;
                (void)snprintf(text, sizeof text, "v%d", v);
                for (int i = 0; i < t->values[c]; i++) {
                    there = there || strcmp(t->domain[c][i].text, text) == 0;
                }
                if (!there) {
                    strcpy(t->domain[c][t->values[c]].text, text);
                    t->domain[c][t->values[c]++].missing = false;
                }
            }
        }
    }
}

static void drop_impossible(subject *s)
{
    /* Values of a plain category that no record has are not possible: they are moved out. */
    tree_table *t = &s->t;

    for (int c = 0; c < t->columns; c++) {
        for (int v = t->values[c]; v-- > 0;) {
            bool there = s->kind[c] == 1 && !t->domain[c][v].missing;
            for (int i = 0; i < t->records; i++) {
                there = there || t->cell[i][c] == v;
            }
            if (there) {
                continue;
            }
            memmove(&t->domain[c][v], &t->domain[c][v + 1],
                    (size_t)(t->values[c] - v - 1) * sizeof t->domain[c][0]);
            t->values[c]--;
            for (int i = 0; i < t->records; i++) {
                t->cell[i][c] -= t->cell[i][c] > v;
            }
        }
    }
}

static void random_subject(subject *s, uint64_t seed)
{
    static const char *const gains[] = {"information", "ratio", "gini"};
    tree_table *t = &s->t;
    const char *gain;
    bool prune, two, paper, small;
    uint64_t depth;
    kn_rng r;

    kn__rng_seed(&r, seed, 5);
    memset(s, 0, sizeof *s);
    t->records = 2 + (int)kn__rng_below(&r, TREE_RECORDS - 1);
    t->columns = 2 + (int)kn__rng_below(&r, TREE_COLUMNS - 1);
    t->target = (int)kn__rng_below(&r, (uint64_t)t->columns);
    for (int c = 0; c < t->columns; c++) {
        make_domain(s, c, &r);
        t->hidden[c] = kn__rng_below(&r, 3) == 0;
    }
    if (kn__rng_below(&r, 4)) {
        t->hidden[t->target] = true;
    }
    make_records(s, &r);
    build(s);
    widen_domains(s);
    drop_impossible(s);
    s->o = (kn_mine_options){.kind = KN_MODEL_TREE, .k = 1 + kn__rng_below(&r, 6)};
    gain = gains[kn__rng_below(&r, 3)];
    prune = kn__rng_below(&r, 4) == 0;
    depth = kn__rng_below(&r, 4) ? 0 : 1 + kn__rng_below(&r, 3);
    two = kn__rng_below(&r, 2);
    paper = kn__rng_below(&r, 8) == 0;
    small = kn__rng_below(&r, 4) > 0;
    s->o.params = MODEL_PARAMS(
        tree, "class=%s;gain=%s;no-prune=%s;depth=%d;splits=%s;paper=%s;smallest=%d",
        names[t->target], gain, prune ? "false" : "true", (int)depth, two ? "two" : "values",
        paper ? "true" : "false", (int)small);
    if (!t->hidden[t->target]) {
        return;
    }
    if (kn__rng_below(&r, 4) == 0) {
        s->o.l = kn__rng_below(&r, 2) ? 2 : 1.3;
        s->o.distinct_l = s->o.l == 2;
    } else if (kn__rng_below(&r, 4) == 0) {
        s->o.inference = 0.8;
    }
}

static void subject_clear(subject *s)
{
    kn_dataset_free(s->ds);
    kn_hierarchies_free(s->hs);
}

static void columns_of(const kn_model *m, int *column_of)
{
    for (size_t a = 0; a < m->attributes; a++) {
        column_of[a] = m->attribute[a].name[0] - 'a';
    }
}

/* ---- the attack ---- */

static int engine_k(const subject *s, const kn_model *m)
{
    kn_bound *b;
    kn_span_model span_model;
    kn_spans spans;
    uint64_t k;

    assert_int_equal(kn__bound_new(&b, m, s->ds, s->hs, NULL), KN_OK);
    assert_int_equal(kn__tree_span_model(&span_model, b, NULL), KN_OK);
    assert_int_equal(kn__spans_find(&spans, &span_model, NULL, NULL), KN_OK);
    k = kn__spans_k(&spans);
    kn__spans_clear(&spans);
    kn__span_model_clear(&span_model);
    kn__bound_free(b);
    return k > 1000 ? 1000 : (int)k;
}

static int oracle_k(const oracle_spans *o, const tree_table *t)
{
    int least = 1000;

    for (int i = 0; i < t->records; i++) {
        if (o->bins[i] > 1 && o->size[i] < least) {
            least = o->size[i];
        }
    }
    return least;
}

/* The information (times records) that parting leaf's records by `extra` gains. */
static double gain_of(const kn_model *m, const int *column_of, const tree_table *t,
                      const tree_extra *extra)
{
    double whole = 0, parts = 0;

    for (int g = -1; g < TREE_VALUES; g++) {
        int count[4] = {0}, n = 0;
        double h = 0;
        for (int i = 0; i < t->records; i++) {
            if (oracle_route(m, column_of, t, t->cell[i]) == extra->leaf &&
                (g < 0 || extra->group[t->cell[i][extra->column]] == g)) {
                count[t->cell[i][t->target]]++;
                n++;
            }
        }
        for (int c = 0; c < 4; c++) {
            h += count[c] ? -count[c] * log((double)count[c] / n) : 0;
        }
        *(g < 0 ? &whole : &parts) += h;
    }
    return whole - parts;
}

/* How many splits the algorithm has left out that Claim 3 would have let pass: by value, by a level
 * of the hierarchy, or at a threshold with the missing values on either side. */
static int left_out(const subject *s, const kn_model *m, const int *column_of)
{
    const tree_table *t = &s->t;
    int found = 0;

    for (int leaf = 0; leaf < (int)m->tree.nodes; leaf++) {
        for (int c = 0; c < t->columns; c++) {
            if (m->tree.node[leaf].children || c == t->target) {
                continue;
            }
            for (int kind = 0; kind < (s->kind[c] == 2   ? 2 * t->values[c]
                                       : s->kind[c] == 1 ? 3
                                                         : 1);
                 kind++) {
                tree_extra extra = {.leaf = leaf, .column = c};
                const tree_value *limit = &t->domain[c][kind % t->values[c]];
                const int side = kind / t->values[c]; /* numbers: where missing ones go */
                uint8_t seen[TREE_VALUES] = {0}, rows[TREE_VALUES] = {0}, sides[2] = {0};
                oracle_spans o;
                for (int i = 0; i < t->records; i++) {
                    rows[t->cell[i][c]] |= oracle_route(m, column_of, t, t->cell[i]) == leaf;
                }
                for (int v = 0; v < t->values[c]; v++) {
                    const tree_value *value = &t->domain[c][v];
                    const int digit = value->missing ? 0 : value->text[1] - '0';
                    extra.group[v] = value->missing
                                         ? s->kind[c] == 2 && rows[v] ? side : TREE_VALUES - 2
                                     : s->kind[c] == 2 ? value->number > limit->number
                                     : kind == 0       ? v
                                     : kind == 1       ? digit / 2
                                                       : digit / 4;
                    seen[extra.group[v]] |= rows[v];
                    sides[s->kind[c] == 2 && extra.group[v] == 1] |= rows[v] && !value->missing;
                }
                /* A threshold lies between two numbers of the leaf. */
                if (s->kind[c] == 2 && !(sides[0] && sides[1])) {
                    continue;
                }
                /* What no record of the leaf has is not split off but answered by the node. */
                for (int v = 0; v < t->values[c]; v++) {
                    if (!seen[extra.group[v]]) {
                        extra.group[v] = TREE_VALUES - 1;
                    }
                }
                if (s->kind[c] == 2 && limit->missing) {
                    continue;
                }
                if (gain_of(m, column_of, t, &extra) < 1e-6 * t->records) {
                    continue;
                }
                oracle_attack(&o, m, column_of, t, &extra);
                found += oracle_keeps(&o, t, (int)s->o.k, s->o.distinct_l ? 0 : s->o.l,
                                      s->o.distinct_l ? s->o.l : 0, s->o.inference);
            }
        }
    }
    return found;
}

static uint64_t records_of(const kn_model *m, size_t node)
{
    uint64_t records = 0;

    for (size_t c = 0; c < m->attribute[m->tree.class_attribute].values->len; c++) {
        records += m->tree.node[node].population[c];
    }
    return records;
}

static void test_random(void **state)
{
    int mined = 0, infeasible = 0, nodes = 0, hidden = 0, whole = 0;

    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        subject s;
        kn_model *m = NULL, *one = NULL;
        kn_error err;
        const char *reason = NULL;
        int column_of[TREE_COLUMNS];
        oracle_spans o;
        kn_buffer x = {0}, y = {0};
        kn_status st;

        random_subject(&s, seed);
        st = kn__tree_row.mine(&m, s.ds, s.hs, &s.o, &(kn_run){.threads = 2}, &err);
        if (st == KN_EINFEASIBLE) {
            infeasible++;
            assert_null(m);
            subject_clear(&s);
            continue;
        }
        assert_int_equal(st, KN_OK);
        assert_true(kn__model_validate(m, &reason));
        assert_true(m->tree.nodes + TREE_VALUES < TREE_BINS / 4);
        columns_of(m, column_of);
        oracle_attack(&o, m, column_of, &s.t, NULL);
        if (!oracle_keeps(&o, &s.t, (int)s.o.k, s.o.distinct_l ? 0 : s.o.l,
                          s.o.distinct_l ? s.o.l : 0, s.o.inference)) {
            fail_msg("case %d breaks its guarantee", (int)seed);
        }
        assert_int_equal(engine_k(&s, m), oracle_k(&o, &s.t));
        for (size_t n = 0; n < m->tree.nodes; n++) {
            const uint64_t least = kn__param_count(s.o.params, "smallest") ||
                                           kn__param_flag(s.o.params, "paper")
                                       ? 1
                                       : s.o.k;
            if (m->tree.nodes > 1 && m->tree.node[n].children == 0 && records_of(m, n) < least) {
                fail_msg("case %d has a leaf that is too small", (int)seed);
            }
        }
        if (kn__param_flag(s.o.params, "no-prune") && !kn__param_flag(s.o.params, "paper") &&
            kn__param_is(s.o.params, "splits", "values") &&
            kn__param_count(s.o.params, "smallest") == 1 && !kn__param_count(s.o.params, "depth") &&
            !kn__param_is(s.o.params, "gain", "ratio")) {
            if (left_out(&s, m, column_of) != 0) {
                fail_msg("case %d leaves a safe split out", (int)seed);
            }
            whole++;
        }
        /* The populations of the leaves are those of the records. */
        for (size_t n = 0; n < m->tree.nodes; n++) {
            uint64_t count = 0, told = 0;
            for (int i = 0; i < s.t.records; i++) {
                count += oracle_route(m, column_of, &s.t, s.t.cell[i]) == (int)n;
            }
            for (size_t c = 0; c < m->attribute[m->tree.class_attribute].values->len; c++) {
                told += m->tree.node[n].population[c];
            }
            if (m->tree.node[n].children == 0) {
                assert_int_equal(count, told);
            }
        }
        /* One thread gives the same bytes. */
        assert_int_equal(kn__tree_row.mine(&one, s.ds, s.hs, &s.o, &(kn_run){.threads = 1}, &err),
                         KN_OK);
        assert_int_equal(kn__model_json(m, &x, NULL), KN_OK);
        assert_int_equal(kn__model_json(one, &y, NULL), KN_OK);
        assert_int_equal(x.len, y.len);
        assert_memory_equal(x.data, y.data, x.len);
        nodes += (int)m->tree.nodes;
        for (size_t a = 0; a < m->attributes; a++) {
            hidden += m->attribute[a].hidden && a != m->tree.class_attribute;
        }
        mined++;
        kn__buffer_free(&x);
        kn__buffer_free(&y);
        kn_model_free(m);
        kn_model_free(one);
        subject_clear(&s);
    }
    print_message("%d trees, %d nodes, %d private attributes used, %d infeasible, %d searched for "
                  "splits left out\n",
                  mined, nodes, hidden, infeasible, whole);
    assert_true(mined > CASES / 2 && nodes > 3 * mined && hidden > CASES / 10 &&
                whole > CASES / 20);
}

/* ---- the paper's examples ---- */

static const char *const table_4[][3] = {
    {"Unmarried", "Yes", "good"}, {"Married", "Yes", "good"},  {"Married", "No", "bad"},
    {"Married", "No", "bad"},     {"Unmarried", "Yes", "bad"}, {"Unmarried", "No", "bad"},
};

static kn_model *mine(const kn_dataset *ds, kn_mine_options o)
{
    kn_model *m = NULL;
    kn_error err = {0};

    o.kind = KN_MODEL_TREE;
    if (kn_mine(&m, ds, NULL, &o, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return m;
}

/* The tree in one line: "Attribute(value: subtree, ...)", leaves as their populations. */
static void draw(const kn_model *m, uint32_t node, kn_buffer *out)
{
    const kn_tree_node *n = &m->tree.node[node];

    if (n->children == 0) {
        for (size_t c = 0; c < m->attribute[m->tree.class_attribute].values->len; c++) {
            kn__buffer_addf(out, "%s%d", c ? "/" : "", (int)n->population[c]);
        }
        return;
    }
    kn__buffer_addf(out, "%s(", m->attribute[n->attribute].name);
    for (uint32_t i = 0; i < n->children; i++) {
        const kn_test *t = &m->tree.node[n->first + i].test;
        size_t len;
        const char *text;
        assert_int_equal(t->kind, KN_TEST_IN);
        assert_int_equal(t->values_count, 1);
        text = kn__dict_text(m->attribute[t->attribute].values, t->values[0], &len);
        kn__buffer_addf(out, "%s%.*s: ", i ? ", " : "", (int)len, text);
        draw(m, n->first + i, out);
    }
    kn__buffer_adds(out, ")");
}

static void assert_tree(const kn_model *m, const char *expected)
{
    kn_buffer line = {0};

    draw(m, 0, &line);
    assert_string_equal(line.data, expected);
    kn__buffer_free(&line);
}

static void check_spans(const kn_dataset *ds, const kn_model *m, size_t count, uint64_t k)
{
    kn_bound *b;
    kn_span_model span_model;
    kn_spans spans;

    assert_int_equal(kn__bound_new(&b, m, ds, NULL, NULL), KN_OK);
    assert_int_equal(kn__tree_span_model(&span_model, b, NULL), KN_OK);
    assert_int_equal(kn__spans_find(&spans, &span_model, NULL, NULL), KN_OK);
    assert_int_equal(spans.count, count);
    assert_int_equal(kn__spans_k(&spans), k);
    kn__spans_clear(&spans);
    kn__span_model_clear(&span_model);
    kn__bound_free(b);
}

/* Figure 4: first the private Sports Car, one span of all six; then the public Marital Status parts
 * the leaf Yes, and all records into two spans of three. The leaf No gains nothing. */
static void test_figure_4(void **state)
{
    const char *const names_4[] = {"Marital Status", "Sports Car", "Loan Risk"};
    kn_dataset *ds = dataset(names_4, 3, "-pp", table_4[0], 6);
    kn_model *m = mine(
        ds, (kn_mine_options){.k = 3,
                              .params = MODEL_PARAMS(tree, "class=Loan Risk;paper=true;depth=1")});

    (void)state;
    assert_tree(m, "Sports Car(No: 3/0, Yes: 1/2)");
    check_spans(ds, m, 1, 6);
    kn_model_free(m);

    m = mine(ds,
             (kn_mine_options){.k = 3, .params = MODEL_PARAMS(tree, "class=Loan Risk;paper=true")});
    assert_tree(m, "Sports Car(No: 3/0, Yes: Marital Status(Married: 0/1, Unmarried: 1/1))");
    check_spans(ds, m, 2, 3);
    kn_model_free(m);

    m = mine(ds,
             (kn_mine_options){.k = 4, .params = MODEL_PARAMS(tree, "class=Loan Risk;paper=true")});
    assert_tree(m, "Sports Car(No: 3/0, Yes: 1/2)");
    kn_model_free(m);

    /* Were the car public, John would stand alone behind Yes, Married. */
    kn_dataset_set_role(ds, 1, KN_ROLE_QUASI, NULL);
    m = mine(ds,
             (kn_mine_options){.k = 3, .params = MODEL_PARAMS(tree, "class=Loan Risk;paper=true")});
    assert_tree(m, "Sports Car(No: 3/0, Yes: 1/2)");
    check_spans(ds, m, 2, 3);
    kn_model_free(m);
    kn_dataset_free(ds);
}

/* Figure 1, for k = 2 and 3; Table 2 is in tests/methods/table/test_id3.c. */
static void test_figure_1(void **state)
{
    kn_dataset *ds = dataset(names_1, 5, "----p", table_1[0], 12);

    (void)state;
    for (uint64_t k = 2; k <= 3; k++) {
        kn_model *m = mine(
            ds,
            (kn_mine_options){.k = k, .params = MODEL_PARAMS(tree, "class=Loan Risk;paper=true")});
        assert_tree(m, "Gender(Female: Married(No: 1/2, Yes: 3/0), Male: Age(Old: 2/1, Young: "
                       "0/3))");
        check_spans(ds, m, 4, 3);
        kn_model_free(m);
    }
    kn_dataset_free(ds);
}

/* ---- what may be asked ---- */

static kn_status status_of(const kn_dataset *ds, kn_mine_options o)
{
    kn_model *m = NULL;
    kn_error err = {0};
    kn_status st;

    o.kind = KN_MODEL_TREE;
    st = kn_mine(&m, ds, NULL, &o, NULL, &err);
    assert_true((st == KN_OK) == (m != NULL));
    assert_true(st == KN_OK || strlen(err.message) > 10);
    kn_model_free(m);
    return st;
}

static void test_refusals(void **state)
{
    const char *const columns[] = {"a", "b", "c"};
    const char *rows[300 * 3];
    char text[300][8];
    kn_dataset *ds;

    (void)state;
    for (int i = 0; i < 300; i++) {
        (void)snprintf(text[i], sizeof text[i], "x%d", i);
        rows[3 * i] = i % 2 ? "p" : "q";
        rows[3 * i + 1] = "same";
        rows[3 * i + 2] = text[i];
    }
    ds = dataset(columns, 3, "--p", rows, 300);
    /* one value; a value per row; k beyond the data; a class without a role */
    assert_int_equal(status_of(ds,
                               (kn_mine_options){.k = 2, .params = MODEL_PARAMS(tree, "class=b")}),
                     KN_EINPUT);
    assert_int_equal(status_of(ds,
                               (kn_mine_options){.k = 2, .params = MODEL_PARAMS(tree, "class=c")}),
                     KN_EINPUT);
    assert_int_equal(status_of(ds,
                               (kn_mine_options){.k = 2, .params = MODEL_PARAMS(tree, "class=a")}),
                     KN_EINPUT);
    assert_int_equal(status_of(ds, (kn_mine_options){.k = 301,
                                                     .params = MODEL_PARAMS(tree, "class=a")}),
                     KN_EINFEASIBLE);
    kn_dataset_set_role(ds, 2, KN_ROLE_KEPT, NULL);
    assert_int_equal(
        status_of(ds, (kn_mine_options){.k = 2, .params = MODEL_PARAMS(tree, "class=a")}), KN_OK);
    assert_int_equal(status_of(ds,
                               (kn_mine_options){.k = 2, .params = MODEL_PARAMS(tree, "class=c")}),
                     KN_EUSAGE);
    /* the class is private, and half and half: nothing more diverse can be had */
    kn_dataset_set_role(ds, 0, KN_ROLE_SENSITIVE, NULL);
    assert_int_equal(
        status_of(ds, (kn_mine_options){.k = 2, .l = 2, .params = MODEL_PARAMS(tree, "class=a")}),
        KN_OK);
    assert_int_equal(
        status_of(ds, (kn_mine_options){.k = 2, .l = 2.1, .params = MODEL_PARAMS(tree, "class=a")}),
        KN_EINFEASIBLE);
    assert_int_equal(status_of(ds, (kn_mine_options){.k = 2,
                                                     .inference = 0.4,
                                                     .params = MODEL_PARAMS(tree, "class=a")}),
                     KN_EINFEASIBLE);
    kn_dataset_free(ds);

    rows[0] = NULL;
    ds = dataset(columns, 2, "p-", rows, 2); /* a class with a missing value */
    assert_int_equal(status_of(ds,
                               (kn_mine_options){.k = 1, .params = MODEL_PARAMS(tree, "class=a")}),
                     KN_EINPUT);
    kn_dataset_free(ds);
}

static double gini(double a, double b)
{
    return a + b > 0 ? a + b - (a * a + b * b) / (a + b) : 0;
}

/* A category splits in two as well as any subset of its values does, all of them tried. */
static void test_subsets(void **state)
{
    enum { VALUES = 6, RECORDS = 60 };
    const char *const columns[] = {"v", "class"};
    kn_rng r;
    int split = 0;

    (void)state;
    kn__rng_seed(&r, 8, 0);
    for (int n = 0; n < 300; n++) {
        double count[VALUES][2] = {{0}}, best = INFINITY, own = 0, all[2] = {0};
        const char *cells[RECORDS][2];
        kn_dataset *ds;
        kn_model *m;
        for (int i = 0; i < RECORDS; i++) {
            static const char *const values[] = {"a", "b", "c", "d", "e", "f"};
            const uint64_t v = kn__rng_below(&r, VALUES);
            const bool yes = kn__rng_below(&r, 12) < v * v / 3;
            cells[i][0] = values[v];
            cells[i][1] = yes ? "y" : "x";
            count[v][yes]++;
            all[yes]++;
        }
        if (all[0] < 1 || all[1] < 1) {
            continue;
        }
        for (unsigned set = 1; set + 1 < 1 << VALUES; set++) {
            double in[2] = {0};
            for (unsigned v = 0; v < VALUES; v++) {
                in[0] += set >> v & 1 ? count[v][0] : 0;
                in[1] += set >> v & 1 ? count[v][1] : 0;
            }
            best = fmin(best, gini(in[0], in[1]) + gini(all[0] - in[0], all[1] - in[1]));
        }
        ds = dataset(columns, 2, "-p", cells[0], RECORDS);
        m = mine(ds, (kn_mine_options){.k = 1,
                                       .params = MODEL_PARAMS(
                                           tree, "class=class;gain=gini;no-prune=true;depth=1")});
        for (uint32_t i = 0; i < m->tree.node[0].children; i++) {
            const uint64_t *p = m->tree.node[m->tree.node[0].first + i].population;
            own += gini((double)p[0], (double)p[1]);
        }
        if (m->tree.node[0].children) {
            assert_int_equal(m->tree.node[0].children, 2);
            assert_true(fabs(own - best) < 1e-6);
            split++;
        }
        kn_model_free(m);
        kn_dataset_free(ds);
    }
    assert_true(split > 200);
}

/* Thresholds are short, and lie between the values. Missing values go with one side. More values
 * than bins are no obstacle. */
static void test_numbers(void **state)
{
    const char *const columns[] = {"n", "class"};
    enum { MANY = 70000 };
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;
    kn_model *m;

    (void)state;
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "n", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "class", KN_ROLE_SENSITIVE, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, columns, 2, schema, NULL), KN_OK);
    for (int i = 0; i < MANY; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "%d", 7 * i);
        assert_int_equal(kn_dataset_builder_add(
                             b, (const char *[]){i % 10 ? text : "", 7 * i < 100000 ? "x" : "y"},
                             NULL),
                         KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    m = mine(ds, (kn_mine_options){.k = 5, .params = MODEL_PARAMS(tree, "class=class;depth=1")});
    assert_int_equal(m->tree.node[0].children, 2);
    assert_int_equal(m->tree.node[1].test.kind, KN_TEST_LESS_EQUAL);
    assert_true(m->tree.node[1].test.number > 99980 && m->tree.node[1].test.number < 100020);
    /* Most missing values are of class y, so they go with the numbers above. */
    assert_true(m->tree.node[1].population[1] < 4);
    assert_true(fabs((double)m->tree.node[2].population[0] - 100000.0 / 70) < 10);
    check_spans(ds, m, 2, m->tree.node[1].population[0] + m->tree.node[1].population[1]);
    kn_model_free(m);
    kn_dataset_free(ds);
}

/* 60,000 records with numbers, gaps, and a category too wide for a set of 64. The class and "f" are
 * private. */
static kn_dataset *many_records(void)
{
    const char *const columns[] = {"a", "b", "c", "d", "e", "f", "class"};
    enum { MANY = 60000 };
    kn_dataset_builder *b;
    kn_schema *schema;
    kn_dataset *ds;
    kn_rng r;

    kn__rng_seed(&r, 9, 9);
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (size_t c = 0; c < 7; c++) {
        assert_int_equal(kn_schema_set_role(schema, columns[c],
                                            c > 4 ? KN_ROLE_SENSITIVE : KN_ROLE_QUASI, NULL),
                         KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, columns, 7, schema, NULL), KN_OK);
    for (int i = 0; i < MANY; i++) {
        char text[6][16];
        const uint64_t x = kn__rng_next(&r);
        (void)snprintf(text[0], sizeof text[0], "u%d", (int)(x % 7));
        (void)snprintf(text[1], sizeof text[1], "%d", (int)(x >> 8 & 1023));
        (void)snprintf(text[2], sizeof text[2], "v%d", (int)(x >> 18 & 3));
        (void)snprintf(text[3], sizeof text[3], "%d", (int)(x >> 20 & 8191));
        (void)snprintf(text[4], sizeof text[4], "w%d", (int)(x >> 33 & 127));
        (void)snprintf(text[5], sizeof text[5], "%d", (int)(x >> 40 & 31));
        assert_int_equal(
            kn_dataset_builder_add(
                b,
                (const char *[]){
                    text[0], x >> 60 ? text[1] : NULL, text[2], text[3], text[4], text[5],
                    (x % 7 + (x >> 8 & 1023) / 200 + (x >> 40 & 31) / 9) % 3 || x >> 62 == 1 ? "x"
                                                                                             : "y"},
                NULL),
            KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

/* So many records that leaves are counted and split on several threads. */
static void test_threads(void **state)
{
    kn_dataset *ds = many_records();

    (void)state;
    for (int hidden = 0; hidden < 2; hidden++) {
        kn_buffer one = {0};
        kn_dataset_set_role(ds, 5, hidden ? KN_ROLE_SENSITIVE : KN_ROLE_QUASI, NULL);
        for (unsigned threads = 1; threads <= 3; threads++) {
            kn_model *m;
            kn_buffer text = {0};
            assert_int_equal(
                kn_mine(&m, ds, NULL,
                        &(kn_mine_options){.kind = KN_MODEL_TREE,
                                           .k = 50,
                                           .params = MODEL_PARAMS(tree, "class=class;depth=8")},
                        &(kn_run){.threads = threads}, NULL),
                KN_OK);
            assert_true(m->tree.nodes > 60);
            assert_int_equal(kn__model_json(m, &text, NULL), KN_OK);
            if (threads == 1) {
                one = text;
            } else {
                assert_int_equal(text.len, one.len);
                assert_memory_equal(text.data, one.data, one.len);
                kn__buffer_free(&text);
            }
            kn_model_free(m);
        }
        kn__buffer_free(&one);
    }
    kn_dataset_free(ds);
}

/* Growing that is stopped says so, and what is there by then is safe. */
static void test_limit(void **state)
{
    kn_dataset *ds = many_records();
    size_t nodes = SIZE_MAX;

    (void)state;
    for (uint64_t work = 0; work <= 100000; work = work ? work * 100 : 1000) {
        kn_mine_options o = {.kind = KN_MODEL_TREE,
                             .k = 50,
                             .params = MODEL_PARAMS(tree, "class=class;no-prune=true;work=%d",
                                                    (int)work)};
        const kn_model_limits limits = {.k = 50};
        kn_model *m;
        kn_model_verdict *v;
        kn_model_shape shape;
        assert_int_equal(kn_mine(&m, ds, NULL, &o, NULL, NULL), KN_OK);
        assert_int_equal(kn_model_shape_of(&shape, m, NULL), KN_OK);
        assert_int_equal(kn_model_check(&v, m, ds, NULL, &limits, NULL, NULL), KN_OK);
        assert_true(kn_model_verdict_holds(v));
        if (work == 0) {
            nodes = m->tree.nodes;
            assert_int_equal(shape.unsplit, 0);
        } else {
            assert_true(m->tree.nodes < nodes);
            assert_true(shape.unsplit >= 1 && shape.unsplit <= shape.leaves);
        }
        kn_model_verdict_free(v);
        kn_model_free(m);
    }
    kn_dataset_free(ds);
}

static void test_no_memory(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 40; seed++) {
        subject s;
        kn_model *m = NULL;
        kn_status st = KN_ENOMEM;
        random_subject(&s, seed);
        for (size_t n = 1; st == KN_ENOMEM; n++) {
            const size_t before = kn_memory_in_use();
            kn__memory_fail_after(n);
            st = kn__tree_row.mine(&m, s.ds, s.hs, &s.o, &(kn_run){.threads = 1}, NULL);
            kn__memory_fail_after(0);
            if (st != KN_OK) {
                assert_null(m);
                assert_int_equal(kn_memory_in_use(), before);
            }
        }
        assert_true(st == KN_OK || st == KN_EINFEASIBLE);
        kn_model_free(m);
        subject_clear(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_4), cmocka_unit_test(test_figure_1),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_subsets),  cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_random),   cmocka_unit_test(test_threads),
        cmocka_unit_test(test_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
