/* Counting questions: by hand, thousands of random releases against all originals that they could
 * stand for, and questions that are drawn. */
#include "utility/tasks/queries.h"
#include "base/memory.h"
#include "kanon/measure.h"
#include "oracle/queries.h"
#include "utility/worlds.h"

#include <math.h>

enum { QUESTIONS = 6, MISSING = 1 << WORLD_LEAVES };

static void assert_near(double x, double y)
{
    if (!(fabs(x - y) < 1e-9)) {
        fail_msg("%.15g is not %.15g", x, y);
    }
}

/* A table with the columns x and items; rows are pairs of texts. */
static kn_dataset *pairs_table(kn_type x, kn_type items, const char *(*rows)[2], size_t count)
{
    static const char *const names[] = {"x", "items"};
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "x", x, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "x", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "items", items, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "items", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_item_separator(schema, " ", NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 2, schema, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(kn_dataset_builder_add(b, (const char *const *)rows[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

typedef struct answers {
    double actual[QUESTIONS], estimated[QUESTIONS];
} answers;

static answers ask(const kn_dataset *original, const kn_dataset *release, const kn_hierarchies *hs,
                   const kn_dataset *questions, unsigned threads)
{
    const kn_run run = {.threads = threads};
    answers a = {{0}, {0}};
    kn_workload *w;
    kn_error err = {0};

    if (kn__workload_of_table(&w, original, hs, questions, &err) != KN_OK ||
        kn__workload_answer(w, original, a.actual, &run, &err) != KN_OK ||
        kn__workload_answer(w, release, a.estimated, &run, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    kn__workload_free(w);
    return a;
}

static void test_by_hand(void **state)
{
    static const char *original[][2] = {{"20", "B D"}, {"25", "B"}, {"30", "D E"}, {"40", "E"}};
    /* {B,D} is B, D or both: B is in it with chance 2/3, both with 1/3. */
    static const char *sets[][2] = {
        {"[20,30]", "{B,D}"}, {"[20,30]", "{B,D}"}, {"[20,30]", "{B,D} E"}, {"*", "*"}};
    /* In a bag it is one of them. */
    static const char *bags[][2] = {
        {"20", "{B,D} {B,D}"}, {"25", "{B,D}"}, {"30", "{B,D} E"}, {"40", "E"}};
    static const char *questions[][2] = {{"", "B"},        {"", "B D"}, {"20", "B"},
                                         {"[20,25]", "E"}, {"20", ""},  {"", "D E"}};
    static const double actual[] = {2, 1, 1, 0, 1, 1};
    static const double by_sets[] = {3 * 2.0 / 3, 3 * 1.0 / 3, 3 * (1.0 / 3) * (2.0 / 3),
                                     2.0 / 3,     1.25,        2.0 / 3};
    static const double by_bags[] = {0.75 + 0.5 + 0.5, 0.5, 0.75, 0, 1, 0.5};
    kn_dataset *from = pairs_table(KN_TYPE_INTEGER, KN_TYPE_SET, original, 4);
    kn_dataset *set = pairs_table(KN_TYPE_CATEGORY, KN_TYPE_SET, sets, 4);
    kn_dataset *bag_from = pairs_table(KN_TYPE_INTEGER, KN_TYPE_BAG, original, 4);
    kn_dataset *bag = pairs_table(KN_TYPE_CATEGORY, KN_TYPE_BAG, bags, 4);
    kn_dataset *asked = pairs_table(KN_TYPE_CATEGORY, KN_TYPE_SET, questions, QUESTIONS);
    answers a = ask(from, set, NULL, asked, 1);
    kn_query_error e;
    double mean = 0;

    (void)state;
    for (size_t i = 0; i < QUESTIONS; i++) {
        assert_near(a.actual[i], actual[i]);
        assert_near(a.estimated[i], by_sets[i]);
        mean += fabs(by_sets[i] - actual[i]) / fmax(actual[i], 1) / QUESTIONS;
    }
    a = ask(bag_from, bag, NULL, asked, 1);
    for (size_t i = 0; i < QUESTIONS; i++) {
        assert_near(a.actual[i], actual[i]);
        assert_near(a.estimated[i], by_bags[i]);
    }
    assert_int_equal(kn_query_error_measure(&e, from, set, NULL,
                                            &(kn_query_options){.workload = asked}, NULL, NULL),
                     KN_OK);
    assert_int_equal(e.queries, QUESTIONS);
    assert_near(e.mean, mean);
    /* The errors are 0, 0, 1/3, 2/3, 1/4 and 1/3. */
    assert_near(e.median, (0.25 + 1.0 / 3) / 2);
    kn_dataset_free(from);
    kn_dataset_free(set);
    kn_dataset_free(bag_from);
    kn_dataset_free(bag);
    kn_dataset_free(asked);
}

/* Numbers with a hierarchy are published as its groups, and may be asked for as ranges. */
static void test_range_of_tree(void **state)
{
    static const char *original[][2] = {{"20", "B"}, {"25", "B"}, {"30", "B"}, {"41", "B"}};
    static const char *published[][2] = {
        {"young", "B"}, {"young", "B"}, {"young", "B"}, {"41", "B"}};
    static const char *questions[][2] = {{"[25,41]", ""}, {"young", "B"}};
    static const char rows[] = "20;young;*\n25;young;*\n30;young;*\n31;young;*\n41;old;*\n";
    kn_dataset *from = pairs_table(KN_TYPE_INTEGER, KN_TYPE_SET, original, 4);
    kn_dataset *to = pairs_table(KN_TYPE_CATEGORY, KN_TYPE_SET, published, 4);
    kn_dataset *asked = pairs_table(KN_TYPE_CATEGORY, KN_TYPE_SET, questions, 2);
    kn_hierarchies *hs;
    kn_hierarchy *h;
    answers a;

    (void)state;
    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn__hierarchy_parse(&h, "h", rows, strlen(rows), NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, "x", h, NULL), KN_OK);
    a = ask(from, to, hs, asked, 1);
    assert_near(a.actual[0], 3);
    assert_near(a.estimated[0], 3 * 2.0 / 4 + 1); /* 31 does not occur, but could be meant */
    assert_near(a.actual[1], 3);
    assert_near(a.estimated[1], 3);
    kn_hierarchies_free(hs);
    kn_dataset_free(from);
    kn_dataset_free(to);
    kn_dataset_free(asked);
}

/* ---- random ---- */

typedef struct mixed {
    world items, cells; /* of `cells` the tree and the names are used */
    int leaf[WORLD_RECORDS], kept[WORLD_RECORDS];
    char cell[WORLD_RECORDS][60];
    uint32_t cell_leaves[WORLD_RECORDS];
} mixed;

static uint32_t whole(const world *w, bool missing)
{
    return all_leaves(w) | (missing ? MISSING : 0);
}

static void make_mixed(mixed *m, kn_rng *rng)
{
    bool missing = false;

    do {
        make_world(&m->items, rng);
    } while (!m->items.seen || !m->items.records[1]);
    make_world(&m->cells, rng);
    m->cells.seen = 0;
    for (int i = 0; i < m->items.records[0]; i++) {
        m->leaf[i] = i && below(rng, 8) == 0 ? -1 : below(rng, m->cells.leaves);
        missing = missing || m->leaf[i] < 0;
        m->cells.seen |= m->leaf[i] < 0 ? 0 : 1u << m->leaf[i];
    }
    for (int i = 0; i < m->items.records[1]; i++) {
        /* Any original record's cell will do: answering does not match records. */
        m->kept[i] = below(rng, m->items.records[0]);
        if (m->leaf[m->kept[i]] < 0) {
            m->cell[i][0] = '\0';
            m->cell_leaves[i] = MISSING;
        } else {
            m->cell_leaves[i] = publish(&m->cells, rng, m->leaf[m->kept[i]], m->cell[i]);
            if (!m->cell_leaves[i] || strcmp(m->cell[i], "Any") == 0) {
                m->cell_leaves[i] = whole(&m->cells, missing);
            }
        }
    }
}

static int seen_leaf(const world *w, kn_rng *rng)
{
    int leaf;

    do {
        leaf = below(rng, w->leaves);
    } while (!(w->seen >> leaf & 1));
    return leaf;
}

static void make_question(const mixed *m, kn_rng *rng, query_question *q, char *cell, char *items)
{
    memset(q, 0, sizeof *q);
    cell[0] = items[0] = '\0';
    if (below(rng, 2)) {
        q->cell = publish(&m->cells, rng, seen_leaf(&m->cells, rng), cell);
        q->cell = q->cell && strcmp(cell, "Any") != 0 ? q->cell : whole(&m->cells, true);
    }
    for (int left = below(rng, 4); left > 0 || !(q->cell || q->items); left--) {
        char text[60];
        uint32_t leaves = publish(&m->items, rng, seen_leaf(&m->items, rng), text);
        leaves = leaves ? leaves : all_leaves(&m->items);
        if (!has_word(items, text)) {
            sprintf(items + strlen(items), "%s%s", *items ? " " : "", text);
            q->item[q->items++] = leaves;
        }
    }
}

static void test_random(void **state)
{
    kn_rng rng;
    size_t between = 0, narrowed = 0;

    (void)state;
    kn__rng_seed(&rng, 6, 0);
    for (int n = 0; n < 4000; n++) {
        mixed m;
        query_question q[QUESTIONS];
        char cell[QUESTIONS][60], items[QUESTIONS][250];
        const char *rows[3][WORLD_RECORDS][2];
        query_record before[WORLD_RECORDS], after[WORLD_RECORDS], wide[WORLD_RECORDS];
        kn_dataset *original, *release, *questions;
        kn_hierarchies *hs;
        kn_type type;

        memset(after, 0, sizeof after);
        make_mixed(&m, &rng);
        for (int i = 0; i < QUESTIONS; i++) {
            make_question(&m, &rng, &q[i], cell[i], items[i]);
            rows[2][i][0] = cell[i];
            rows[2][i][1] = items[i];
        }
        for (int i = 0; i < m.items.records[0]; i++) {
            rows[0][i][0] = m.leaf[i] < 0 ? "" : m.cells.name[m.leaf[i]];
            rows[0][i][1] = m.items.original[i].text;
        }
        for (int i = 0; i < m.items.records[1]; i++) {
            rows[1][i][0] = m.cell[i];
            rows[1][i][1] = m.items.release[i].text;
        }
        type = world_type(&m.items);
        original = pairs_table(m.cells.kind == NUMBERS ? KN_TYPE_INTEGER : KN_TYPE_CATEGORY, type,
                               rows[0], (size_t)m.items.records[0]);
        type = type == KN_TYPE_NUMBERS ? KN_TYPE_BAG : type;
        release = pairs_table(KN_TYPE_CATEGORY, type, rows[1], (size_t)m.items.records[1]);
        questions = pairs_table(KN_TYPE_CATEGORY, type, rows[2], QUESTIONS);
        assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
        for (int i = 0; i < 2; i++) {
            const world *w = i ? &m.items : &m.cells;
            kn_hierarchy *h;
            if (is_tree(w)) {
                assert_int_equal(kn__hierarchy_parse(&h, "h", w->tree, strlen(w->tree), NULL),
                                 KN_OK);
                assert_int_equal(kn_hierarchies_add(hs, i ? "items" : "x", h, NULL), KN_OK);
            }
        }
        for (int j = 0; j < m.items.records[0]; j++) {
            before[j] = (query_record){.cell = m.leaf[j] < 0 ? MISSING : 1u << m.leaf[j],
                                       .items = m.items.original[j].items};
            memcpy(before[j].item, m.items.original[j].item, sizeof m.items.original[j].item);
        }
        for (int j = 0; j < m.items.records[1]; j++) {
            after[j] = (query_record){.cell = m.cell_leaves[j]};
            for (int k = 0; k < m.items.release[j].items; k++) {
                if (m.items.release[j].item[k]) {
                    after[j].item[after[j].items++] = m.items.release[j].item[k];
                }
            }
        }
        memcpy(wide, after, sizeof wide);
        query_narrow(before, m.items.records[0], after, m.items.records[1]);
        narrowed += memcmp(wide, after, sizeof wide) != 0;
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            const answers a = ask(original, release, hs, questions, threads);
            for (int i = 0; i < QUESTIONS; i++) {
                double actual = 0, estimated = 0;
                for (int j = 0; j < m.items.records[0]; j++) {
                    actual += query_chance(&before[j], &q[i], is_bag(&m.items));
                }
                for (int j = 0; j < m.items.records[1]; j++) {
                    estimated += query_chance(&after[j], &q[i], is_bag(&m.items));
                }
                if (a.actual[i] != actual || !(fabs(a.estimated[i] - estimated) < 1e-9)) {
                    fail_msg("%d: x = '%s', items = '%s': %g for %g, %.12g for %.12g\n%s\n%s", n,
                             cell[i], items[i], a.actual[i], actual, a.estimated[i], estimated,
                             m.cells.tree, m.items.tree);
                }
                between += estimated > 0 && estimated != floor(estimated);
            }
        }
        kn_hierarchies_free(hs);
        kn_dataset_free(original);
        kn_dataset_free(release);
        kn_dataset_free(questions);
    }
    assert_true(between > 5000);
    assert_true(narrowed > 200);
}

/* ---- drawn ---- */

static void test_drawn(void **state)
{
    static const char *rows[][2] = {{"20", "a b c"}, {"30", "b b"}, {"", "c d"},
                                    {"40", ""},      {"20", "a c"}, {"30", "d"}};
    kn_dataset *ds = pairs_table(KN_TYPE_INTEGER, KN_TYPE_BAG, rows, 6);
    size_t seen[8] = {0};
    kn_workload *w, *again;
    double answer[1200], other[1200];
    kn_query_error e;

    (void)state;
    /* Only the first and the fifth record have a value and two different items. */
    assert_int_equal(kn__workload_draw(&w, ds, NULL, 1200, 1, 2, &(kn_run){.seed = 7}, NULL),
                     KN_OK);
    assert_int_equal(w->count, 1200);
    assert_int_equal(kn__workload_answer(w, ds, answer, NULL, NULL), KN_OK);
    for (size_t i = 0; i < w->count; i++) {
        const kn_query_condition *c = w->condition + w->begin[i];
        assert_int_equal(w->begin[i + 1] - w->begin[i], 3);
        assert_int_equal(c[0].column, 0);
        assert_int_equal(c[0].leaves.at[0].begin, 0); /* 20 */
        assert_true(c[1].leaves.at[0].begin < c[2].leaves.at[0].begin);
        seen[c[1].leaves.at[0].begin + c[2].leaves.at[0].begin]++;
        assert_true(answer[i] == (c[1].leaves.at[0].begin + c[2].leaves.at[0].begin == 2 ? 2 : 1));
    }
    /* {a,c} comes from either record: 1/6 + 1/2; {a,b} and {b,c}: 1/6 each. Six sigma is 98. */
    assert_true(seen[2] > 702 && seen[2] < 898);
    assert_true(seen[1] > 122 && seen[1] < 278);
    assert_true(seen[3] > 122 && seen[3] < 278);
    assert_int_equal(kn__workload_draw(&again, ds, NULL, 1200, 1, 2, &(kn_run){.seed = 7}, NULL),
                     KN_OK);
    assert_int_equal(kn__workload_answer(again, ds, other, &(kn_run){.threads = 3}, NULL), KN_OK);
    assert_memory_equal(answer, other, sizeof answer);
    kn__workload_free(again);
    kn__workload_free(w);
    /* The table itself answers without error, whatever is asked. */
    assert_int_equal(kn_query_error_measure(&e, ds, ds, NULL, NULL, NULL, NULL), KN_OK);
    assert_int_equal(e.queries, 100);
    assert_true(e.mean == 0 && e.median == 0);
    kn_dataset_free(ds);
}

/* Of many numbers, ranges are asked for: 32 that hold about equally many. */
static void test_drawn_ranges(void **state)
{
    enum { N = 320 };
    char text[N][2][40];
    const char *rows[N][2];
    kn_dataset *ds;
    kn_workload *w;
    double answer[200];

    (void)state;
    for (int i = 0; i < N; i++) {
        sprintf(text[i][0], "%d", i / 4); /* 80 different ones: asked for as they are */
        sprintf(text[i][1], "%d %d %d", 1000 + i, 1000 + i, 2000 + i);
        rows[i][0] = text[i][0];
        rows[i][1] = text[i][1];
    }
    ds = pairs_table(KN_TYPE_INTEGER, KN_TYPE_NUMBERS, rows, N);
    assert_int_equal(kn__workload_draw(&w, ds, NULL, 200, 1, 2, &(kn_run){.seed = 3}, NULL), KN_OK);
    assert_int_equal(kn__workload_answer(w, ds, answer, NULL, NULL), KN_OK);
    for (size_t i = 0; i < w->count; i++) {
        const kn_query_condition *c = w->condition + w->begin[i];
        size_t held[2];
        assert_int_equal(kn__leaf_runs_size(&c[0].leaves), 1);
        for (int j = 0; j < 2; j++) {
            assert_int_equal(c[j + 1].leaves.count, 1);
            held[j] = kn__leaf_runs_size(&c[j + 1].leaves);
        }
        /* 960 numbers, 30 a range: 15 different ones where they come twice, else 30; one range has
         * some of both. */
        assert_true(held[0] >= 14 && held[0] <= 26 && held[1] >= 20 && held[1] <= 31);
        assert_int_equal(kn__leaf_runs_shared(&c[1].leaves, &c[2].leaves), 0);
        assert_true(answer[i] >= 1 && answer[i] <= 4);
    }
    kn__workload_free(w);
    kn_dataset_free(ds);
}

static void refused(const kn_dataset *ds, size_t values, size_t items, const char *words)
{
    kn_workload *w;
    kn_error err = {0};

    assert_int_equal(kn__workload_draw(&w, ds, NULL, 5, values, items, NULL, &err), KN_EUSAGE);
    assert_null(w);
    if (!strstr(err.message, words)) {
        fail_msg("%s", err.message);
    }
}

/* Measuring takes as long as there are questions, and only a progress function can stop it. */
static void test_too_many(void **state)
{
    static const char *rows[][2] = {{"20", "a"}, {"25", "a"}};
    kn_dataset *ds = pairs_table(KN_TYPE_INTEGER, KN_TYPE_SET, rows, 2);
    kn_query_error e;
    kn_error err = {0};

    (void)state;
    for (size_t queries = 1000001; queries; queries = queries < SIZE_MAX ? SIZE_MAX : 0) {
        kn_query_options o = {.size = sizeof o, .queries = queries};
        assert_int_equal(kn_query_error_measure(&e, ds, ds, NULL, &o, NULL, &err), KN_EUSAGE);
        assert_non_null(strstr(err.message, "1000000 questions can be drawn at most"));
        assert_int_equal(e.queries, 0);
    }
    kn_dataset_free(ds);
}

typedef struct stopping {
    size_t calls, stop_at;
} stopping;

static int stop_at(void *user, const char *phase, double done)
{
    stopping *s = user;

    (void)phase;
    (void)done;
    return ++s->calls == s->stop_at;
}

/* While questions are drawn, and while they are answered. */
static void test_stops(void **state)
{
    static const char *rows[][2] = {{"20", "a"}, {"25", "a"}};
    kn_dataset *ds = pairs_table(KN_TYPE_INTEGER, KN_TYPE_SET, rows, 2);
    kn_query_options o = {.size = sizeof o, .queries = 20000, .values = 1};
    stopping s = {0};
    kn_run run = {.size = sizeof run, .threads = 1, .progress = stop_at, .user = &s};
    kn_query_error e;
    size_t calls;

    (void)state;
    assert_int_equal(kn_query_error_measure(&e, ds, ds, NULL, &o, &run, NULL), KN_OK);
    calls = s.calls;
    assert_true(calls > 100);
    for (size_t at = 1; at < calls; at += 37) {
        s = (stopping){.stop_at = at};
        assert_int_equal(kn_query_error_measure(&e, ds, ds, NULL, &o, &run, NULL), KN_ECANCELLED);
        assert_int_equal(s.calls, at);
        assert_int_equal(e.queries, 0);
    }
    kn_dataset_free(ds);
}

static void refused_table(const kn_dataset *ds, const char *x, const char *items, const char *words)
{
    const char *rows[][2] = {{"20", "a"}, {x, items}};
    kn_dataset *questions = pairs_table(KN_TYPE_CATEGORY, KN_TYPE_SET, rows, 2);
    kn_workload *w;
    kn_error err = {0};

    assert_int_equal(kn__workload_of_table(&w, ds, NULL, questions, &err), KN_EINPUT);
    assert_null(w);
    if (!strstr(err.message, words) || !strstr(err.message, "record 2")) {
        fail_msg("%s", err.message);
    }
    kn_dataset_free(questions);
}

static void test_refused(void **state)
{
    static const char *rows[][2] = {{"20", "a b"}, {"30", "b"}};
    kn_dataset *ds = pairs_table(KN_TYPE_INTEGER, KN_TYPE_SET, rows, 2);
    static const char *many[][2] = {{"20", "a b c d e f g h i j k"}};
    kn_dataset *eleven = pairs_table(KN_TYPE_INTEGER, KN_TYPE_SET, many, 1);
    kn_dataset *lone = lists(KN_TYPE_SET, (const char *const[]){"a b", "c"}, 2);
    kn_workload *w;
    kn_query_error e;
    kn_error err = {0};

    (void)state;
    refused(ds, 2, 0, "2 values");
    refused(ds, 0, 3, "no record");
    refused(ds, 0, 11, "10 items");
    refused(ds, 0, 0, "a value or an item");
    refused_table(ds, "", "", "asks nothing");
    refused_table(ds, "21", "", "21");
    refused_table(ds, "", "z", "\"z\"");
    refused_table(ds, "", "a b {b", "{b");
    assert_int_equal(kn__workload_of_table(&w, eleven, NULL, eleven, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "10 items"));
    kn_dataset_free(eleven);
    /* Nobody is asked about identifiers. */
    kn_dataset_set_role(ds, 0, KN_ROLE_IDENTIFIER, NULL);
    assert_int_equal(kn__workload_of_table(&w, ds, NULL, ds, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "'x'"));
    kn_dataset_set_role(ds, 0, KN_ROLE_QUASI, NULL);
    kn_dataset_set_role(ds, 1, KN_ROLE_KEPT, NULL);
    refused(ds, 0, 1, "no quasi-identifier is a list");
    kn_dataset_set_role(ds, 1, KN_ROLE_QUASI, NULL);
    assert_int_equal(kn_query_error_measure(&e, ds, lone, NULL, NULL, NULL, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "'x'"));
    assert_true(isnan(e.mean));
    kn_dataset_free(ds);
    kn_dataset_free(lone);
}

static void test_memory(void **state)
{
    static const char *before[][2] = {{"20", "a b"}, {"30", "b"}, {"20", "b c"}};
    static const char *after[][2] = {{"[20,30]", "{a,b}"}, {"[20,30]", "{a,b}"}, {"20", "b c"}};
    kn_dataset *original = pairs_table(KN_TYPE_INTEGER, KN_TYPE_SET, before, 3);
    kn_dataset *release = pairs_table(KN_TYPE_CATEGORY, KN_TYPE_SET, after, 3);

    (void)state;
    for (int drawn = 0; drawn < 2; drawn++) {
        const kn_query_options options = {.workload = drawn ? NULL : release};
        kn_status status = KN_ENOMEM;
        kn_query_error e;
        for (size_t n = 1; status != KN_OK; n++) {
            kn__memory_fail_after(n);
            status = kn_query_error_measure(&e, original, release, NULL, &options, NULL, NULL);
            kn__memory_fail_after(0);
            assert_true(status == KN_OK || (status == KN_ENOMEM && e.queries == 0));
        }
        assert_int_equal(e.queries, drawn ? 100 : 3);
    }
    kn_dataset_free(original);
    kn_dataset_free(release);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),      cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_stops),        cmocka_unit_test(test_range_of_tree),
        cmocka_unit_test(test_random),       cmocka_unit_test(test_drawn),
        cmocka_unit_test(test_drawn_ranges), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
