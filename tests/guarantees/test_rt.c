/* (k,k^m)-anonymity and (k,l^m)-diversity: the paper's figures, thousands of random tables with
 * sets and bags against the definitions, sensitive items by list, prefix and node, and what users
 * may get wrong. */
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "guarantees/sensitive_items.h"
#include "hierarchy/hierarchy.h"
#include "kanon/guarantee.h"
#include "oracle/rt.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static rt_answer answer; /* large */

static const char *const names[] = {"age", "sex", "items"};

/* A table of two quasi-identifiers and one of lists; `by` NULL: nothing is sensitive. */
static kn_dataset *table(const char *const (*rows)[3], size_t count, kn_type type, kn_named_by by,
                         const char *const *texts, size_t texts_count)
{
    kn_schema *schema = NULL;
    kn_dataset_builder *b = NULL;
    kn_dataset *ds = NULL;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "items", type, NULL), KN_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(kn_schema_set_role(schema, names[i], KN_ROLE_QUASI, NULL), KN_OK);
    }
    assert_int_equal(kn_schema_set_type(schema, "age", KN_TYPE_CATEGORY, NULL), KN_OK);
    if (texts_count) {
        assert_int_equal(
            kn_schema_set_sensitive_items(schema, "items", by, texts, texts_count, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, names, 3, schema, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(kn_dataset_builder_add(b, rows[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static kn_verdict *check(const kn_dataset *ds, const kn_guarantee *g, const kn_hierarchies *hs)
{
    kn_verdict *v = NULL;
    kn_error err = {0};

    if (kn_check(&v, ds, g, 1, hs, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return v;
}

static void spell(const kn_dataset *ds, const kn_violation *v, char *text, size_t room)
{
    *text = '\0';
    for (size_t i = 0; i < v->items_count; i++) {
        size_t len;
        const char *item = kn_dataset_value(ds, v->column, v->items[i], &len);
        (void)snprintf(text + strlen(text), room - strlen(text), "%s%.*s", i ? " " : "", (int)len,
                       item);
    }
}

static void assert_violation(const kn_verdict *v, const kn_dataset *ds, size_t i, size_t record,
                             size_t size, const char *items, const char *secret)
{
    const kn_violation *x = kn_verdict_violation(v, i);
    char text[256];

    spell(ds, x, text, sizeof text);
    assert_string_equal(text, items);
    assert_int_equal(x->size, size);
    assert_int_equal(x->record, record);
    assert_int_equal(x->held != 0, secret != NULL);
    if (secret) {
        size_t len;
        const char *item = kn_dataset_value(ds, x->column, x->sensitive_item, &len);
        assert_int_equal(len, strlen(secret));
        assert_memory_equal(item, secret, len);
        assert_true(x->value == (double)x->size / (double)x->held);
    }
}

/* ---- the paper ---- */

static const char *const secrets[] = {"G", "H"};

static const char *const figure_1b[][3] = {
    {"[19,22]", "Male", "E|F|{A,B,C,D}|G"},
    {"[19,22]", "Male", "E|F|{A,B,C,D}|H"},
    {"[28,39]", "Female", "E|{A,B,C,D}|G"},
    {"[28,39]", "Female", "F|{A,B,C,D}|H"},
    {"[55,70]", "All", "E|G"},
    {"[55,70]", "All", "F|{A,B,C,D}|H"},
};
static const char *const figure_2a[][3] = {
    {"[19,22]", "Male", "E|F|{B,D}|G"},       {"[19,22]", "Male", "E|F|{B,D}|H"},
    {"[28,39]", "Female", "{B,C,F}|{D,E}|G"}, {"[28,39]", "Female", "{B,C,F}|{D,E}|H"},
    {"[55,70]", "All", "{A,E,F}|G"},          {"[55,70]", "All", "{A,E,F}|H"},
};

static void test_figure_1b(void **state)
{
    const kn_guarantee apart[] = {{.kind = KN_K_ANONYMITY, .k = 2},
                                  {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2}};
    const kn_guarantee both = {.kind = KN_K_KM_ANONYMITY, .k = 2, .m = 2};
    const char *known[6][3];
    kn_dataset *ds;
    kn_verdict *v = NULL;

    (void)state;
    /* Each part by itself hides everybody from those who do not know of G and H. */
    memcpy(known, figure_1b, sizeof known);
    known[0][2] = known[1][2] = "E|F|{A,B,C,D}";
    known[2][2] = "E|{A,B,C,D}";
    known[3][2] = known[5][2] = "F|{A,B,C,D}";
    known[4][2] = "E";
    ds = table((const char *const(*)[3])known, 6, KN_TYPE_SET, KN_BY_ITEM, NULL, 0);
    assert_int_equal(kn_check(&v, ds, apart, 2, NULL, NULL, NULL), KN_OK);
    assert_true(kn_verdict_holds(v));
    kn_verdict_free(v);
    kn_dataset_free(ds);
    ds = table(figure_1b, 6, KN_TYPE_SET, KN_BY_ITEM, secrets, 2);
    v = check(ds, &both, NULL);
    assert_false(kn_verdict_holds(v));
    assert_true(kn_verdict_achieved(v, 0) == 1);
    assert_true(kn_verdict_achieved_k(v, 0) == 1);
    assert_true(kn_verdict_achieved_size(v, 0, 0) == 2);
    assert_int_equal(kn_verdict_violations(v), 5);
    assert_violation(v, ds, 0, 2, 1, "E", NULL);
    assert_violation(v, ds, 1, 3, 1, "F", NULL);
    assert_violation(v, ds, 2, 4, 1, "E", NULL);
    assert_violation(v, ds, 3, 5, 1, "F", NULL); /* Jim, 55, from Nigeria, who bought F */
    assert_violation(v, ds, 4, 5, 1, "{A,B,C,D}", NULL);
    assert_int_equal(kn_verdict_violation(v, 3)->class_size, 2);
    assert_int_equal(kn_verdict_records_at_risk(v), 4);
    kn_verdict_free(v);
    kn_dataset_free(ds);
}

static void test_figure_2a(void **state)
{
    const kn_guarantee anonymity = {.kind = KN_K_KM_ANONYMITY, .k = 2, .m = 2};
    kn_guarantee diversity = {.kind = KN_K_LM_DIVERSITY, .k = 2, .l = 2, .m = 2};
    kn_dataset *ds = table(figure_2a, 6, KN_TYPE_SET, KN_BY_ITEM, secrets, 2);
    kn_verdict *v = check(ds, &anonymity, NULL);

    (void)state;
    assert_true(kn_verdict_holds(v));
    assert_true(kn_verdict_achieved(v, 0) == 2);
    assert_int_equal(kn_verdict_classes(v), 3);
    assert_int_equal(kn_verdict_items(v)->sensitive, 2);
    kn_verdict_free(v);
    v = check(ds, &diversity, NULL);
    assert_true(kn_verdict_holds(v));
    assert_true(kn_verdict_achieved(v, 0) == 2);
    assert_true(kn_verdict_achieved_k(v, 0) == 2);
    kn_verdict_free(v);
    diversity.l = 2.5; /* the classes alone tell of G and H with a probability of one half */
    v = check(ds, &diversity, NULL);
    assert_false(kn_verdict_holds(v));
    assert_int_equal(kn_verdict_violations(v), 6);
    assert_violation(v, ds, 0, 0, 2, "", "G");
    assert_int_equal(kn_verdict_records_at_risk(v), 6);
    kn_verdict_free(v);
    kn_dataset_free(ds);
    /* With G and H as items like any other, nobody is hidden. */
    ds = table(figure_2a, 6, KN_TYPE_SET, KN_BY_ITEM, NULL, 0);
    v = check(ds, &anonymity, NULL);
    assert_int_equal(kn_verdict_violations(v), 6);
    kn_verdict_free(v);
    kn_dataset_free(ds);
}

/* ---- the definitions ---- */

static rt_data random_data(kn_rng *r)
{
    rt_data d = {.records = (int)kn__rng_below(r, RT_RECORDS + 1),
                 .bags = kn__rng_below(r, 2) == 1};
    const uint64_t items = 2 + kn__rng_below(r, RT_ITEMS - 1),
                   most = 1 + kn__rng_below(r, RT_LENGTH);
    const uint64_t values = 1 + kn__rng_below(r, 3);
    const bool equal = kn__rng_below(r, 2) == 0; /* many equal records: what releases look like */

    for (int i = 0; i < d.records; i++) {
        d.values[i][0] = (int)kn__rng_below(r, values);
        d.values[i][1] = (int)kn__rng_below(r, 1 + kn__rng_below(r, 2));
        if (equal && i > 0 && kn__rng_below(r, 3) > 0) {
            memcpy(d.times[i], d.times[kn__rng_below(r, (uint64_t)i)], sizeof d.times[i]);
            continue;
        }
        for (uint64_t j = kn__rng_below(r, most + 1); j-- > 0;) {
            int *times = &d.times[i][kn__rng_below(r, 1 + kn__rng_below(r, items))];
            *times = d.bags ? *times + 1 : 1;
        }
    }
    for (int x = 0; x < RT_ITEMS; x++) {
        d.sensitive[x] = kn__rng_below(r, 3) == 0;
    }
    return d;
}

/* The table of `d`. Names the sensitive items that occur; `*kinds`: how many do, and others. */
static kn_dataset *table_of(const rt_data *d, int *sensitive, int *others)
{
    char cells[RT_RECORDS][2 * RT_LENGTH + 2], values[RT_RECORDS][2][8], texts[RT_ITEMS][2];
    const char *rows[RT_RECORDS][3], *named[RT_ITEMS];

    *sensitive = *others = 0;
    for (int i = 0; i < d->records; i++) {
        cells[i][0] = '\0';
        for (int x = 0; x < RT_ITEMS; x++) {
            for (int t = 0; t < d->times[i][x]; t++) {
                (void)snprintf(cells[i] + strlen(cells[i]), 3, "%s%c", *cells[i] ? "|" : "",
                               'a' + x);
            }
        }
        for (int v = 0; v < 2; v++) {
            (void)snprintf(values[i][v], sizeof values[i][v], "v%d", d->values[i][v]);
            rows[i][v] = values[i][v];
        }
        rows[i][2] = cells[i];
    }
    for (int x = 0; x < RT_ITEMS; x++) {
        bool occurs = false;
        for (int i = 0; i < d->records; i++) {
            occurs = occurs || d->times[i][x] > 0;
        }
        if (occurs && d->sensitive[x]) {
            (void)snprintf(texts[x], sizeof texts[x], "%c", 'a' + x);
            named[(*sensitive)++] = texts[x];
        }
        *others += occurs && !d->sensitive[x];
    }
    return table((const char *const(*)[3])rows, (size_t)d->records,
                 d->bags ? KN_TYPE_BAG : KN_TYPE_SET, KN_BY_ITEM, named, (size_t)*sensitive);
}

/* Every violation of the verdict is one of the oracle's, and each is there once. */
static void compare_violations(const kn_verdict *v, const kn_dataset *ds, const rt_data *d,
                               size_t wanted)
{
    assert_int_equal(kn_verdict_violations(v), wanted);
    assert_int_equal(kn_verdict_violations_kept(v), wanted);
    for (size_t i = 0; i < wanted; i++) {
        const kn_violation *x = kn_verdict_violation(v, i);
        int known[RT_ITEMS] = {0}, item = -1, found = -1;
        size_t len;
        for (size_t j = 0; j < x->items_count; j++) {
            known[*kn_dataset_value(ds, x->column, x->items[j], &len) - 'a']++;
        }
        if (x->held) {
            item = *kn_dataset_value(ds, x->column, x->sensitive_item, &len) - 'a';
        }
        assert_true(rt_within(d, (int)x->record, known));
        for (int j = 0; j < answer.rare + answer.inferred; j++) {
            const rt_violation *o = &answer.violation[j];
            if (!o->seen && o->first == rt_first_of_class(d, (int)x->record) &&
                o->held == (int)x->held && o->item == item &&
                memcmp(o->known, known, sizeof known) == 0) {
                found = j;
            }
        }
        assert_true(found >= 0);
        answer.violation[found].seen = true;
        assert_int_equal(x->size, answer.violation[found].support);
        assert_int_equal(x->class_size, answer.violation[found].class_size);
    }
}

static void compare(const rt_data *d, const kn_guarantee *g, unsigned threads)
{
    const kn_run run = {.threads = threads};
    const bool diversity = g->kind == KN_K_LM_DIVERSITY;
    int sensitive, others;
    kn_dataset *ds = table_of(d, &sensitive, &others);
    kn_verdict *v = NULL;
    const kn_status status = kn_check(&v, ds, g, 1, NULL, &run, NULL);

    if ((sensitive && !others) || (diversity && !sensitive)) {
        assert_int_equal(status, KN_EUSAGE);
        kn_dataset_free(ds);
        return;
    }
    assert_int_equal(status, KN_OK);
    rt_solve(d, (int)g->k, diversity ? g->l : 1, (int)g->m, &answer);
    assert_int_equal(kn_verdict_holds(v), diversity ? answer.diverse : answer.anonymous);
    assert_true(kn_verdict_achieved_k(v, 0) == answer.k);
    assert_true(kn_verdict_achieved(v, 0) == (diversity ? answer.l : answer.k));
    for (size_t size = 0; size <= g->m; size++) {
        assert_true(kn_verdict_achieved_size(v, 0, size) ==
                    (answer.least[size] ? answer.least[size] : INFINITY));
    }
    assert_int_equal(kn_verdict_records_at_risk(v),
                     diversity ? answer.at_risk : answer.at_risk_by_rare);
    compare_violations(v, ds, d, (size_t)(answer.rare + answer.inferred));
    kn_verdict_free(v);
    kn_dataset_free(ds);
}

static void test_definitions(void **state)
{
    static const double ls[] = {1, 1.5, 2, 2.5, 3, 4};
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 27, 0);
    for (int round = 0; round < 5000; round++) {
        const rt_data d = random_data(&r);
        const kn_guarantee g = {.kind = round % 2 ? KN_K_KM_ANONYMITY : KN_K_LM_DIVERSITY,
                                .k = 1 + kn__rng_below(&r, 4),
                                .m = 1 + kn__rng_below(&r, RT_M),
                                .l = ls[kn__rng_below(&r, 6)]};
        compare(&d, &g, (unsigned[]){1, 2, 5}[round % 3]);
    }
}

/* Proposition 1: what is (k,k^m)-anonymous is k-anonymous and k^m-anonymous; and Fig. 1b shows that
 * the inverse does not hold. */
static void test_proposition_1(void **state)
{
    size_t held = 0;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 28, 0);
    for (int round = 0; round < 2000; round++) {
        rt_data d = random_data(&r);
        const kn_guarantee g[] = {{.kind = KN_K_KM_ANONYMITY, .k = 2, .m = 2},
                                  {.kind = KN_K_ANONYMITY, .k = 2},
                                  {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2}};
        kn_verdict *v[2] = {NULL, NULL};
        int sensitive, others;
        memset(d.sensitive, 0, sizeof d.sensitive);
        kn_dataset *ds = table_of(&d, &sensitive, &others);
        assert_int_equal(kn_check(&v[0], ds, g, 1, NULL, NULL, NULL), KN_OK);
        assert_int_equal(kn_check(&v[1], ds, g + 1, 2, NULL, NULL, NULL), KN_OK);
        assert_true(!kn_verdict_holds(v[0]) || kn_verdict_holds(v[1]));
        held += kn_verdict_holds(v[0]);
        kn_verdict_free(v[0]);
        kn_verdict_free(v[1]);
        kn_dataset_free(ds);
    }
    assert_true(held > 50);
}

/* Many classes, more threads than cores: the same verdict, violation by violation. */
static void test_threads(void **state)
{
    enum { RECORDS = 20000 };
    static const char *const hidden[] = {"3", "17"};
    const char *const(*rows)[3];
    char(*cells)[64] = calloc(RECORDS, sizeof *cells), (*ages)[8] = calloc(RECORDS, sizeof *ages);
    const char *(*filled)[3] = calloc(RECORDS, sizeof *filled);
    const kn_guarantee g = {.kind = KN_K_LM_DIVERSITY, .k = 3, .l = 3, .m = 3};
    kn_verdict *v[2] = {NULL, NULL};
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 29, 0);
    for (size_t i = 0; i < RECORDS; i++) {
        for (uint64_t j = 1 + kn__rng_below(&r, 5); j-- > 0;) {
            (void)snprintf(cells[i] + strlen(cells[i]), sizeof cells[i] - strlen(cells[i]), "%s%d",
                           *cells[i] ? "|" : "", (int)kn__rng_below(&r, 1 + kn__rng_below(&r, 30)));
        }
        (void)snprintf(ages[i], sizeof ages[i], "%d", (int)kn__rng_below(&r, 900));
        filled[i][0] = ages[i];
        filled[i][1] = i % 3 ? "f" : "m";
        filled[i][2] = cells[i];
    }
    rows = (const char *const(*)[3])filled;
    kn_dataset *ds = table(rows, RECORDS, KN_TYPE_BAG, KN_BY_ITEM, hidden, 2);
    for (unsigned i = 0; i < 2; i++) {
        const kn_run run = {.threads = i ? 5 : 1};
        assert_int_equal(kn_check(&v[i], ds, &g, 1, NULL, &run, NULL), KN_OK);
    }
    assert_true(kn_verdict_violations_kept(v[0]) > 1000);
    assert_int_equal(kn_verdict_violations(v[0]), kn_verdict_violations(v[1]));
    assert_int_equal(kn_verdict_violations_kept(v[0]), kn_verdict_violations_kept(v[1]));
    assert_int_equal(kn_verdict_records_at_risk(v[0]), kn_verdict_records_at_risk(v[1]));
    for (size_t i = 0; i < kn_verdict_violations_kept(v[0]); i++) {
        const kn_violation *a = kn_verdict_violation(v[0], i), *b = kn_verdict_violation(v[1], i);
        assert_int_equal(a->record, b->record);
        assert_int_equal(a->size, b->size);
        assert_int_equal(a->held, b->held);
        assert_int_equal(a->sensitive_item, b->sensitive_item);
        assert_int_equal(a->items_count, b->items_count);
        assert_true(a->items_count == 0 ||
                    memcmp(a->items, b->items, a->items_count * sizeof *a->items) == 0);
    }
    kn_verdict_free(v[0]);
    kn_verdict_free(v[1]);
    kn_dataset_free(ds);
    free(cells);
    free(ages);
    free(filled);
}

/* ---- with other guarantees ---- */

static void test_together(void **state)
{
    static const char *const rows[][3] = {
        {"1", "f", "a|b"}, {"1", "f", "a|b"}, {"1", "f", "a"}, {"2", "m", "c|a"}, {"1", "f", ""}};
    const kn_guarantee g[] = {{.kind = KN_K_ANONYMITY, .k = 2},
                              {.kind = KN_K_KM_ANONYMITY, .k = 3, .m = 2},
                              {.kind = KN_KM_ANONYMITY, .k = 2, .m = 1}};
    kn_dataset *ds = table(rows, 5, KN_TYPE_SET, KN_BY_ITEM, NULL, 0);
    kn_verdict *v = NULL;

    (void)state;
    assert_int_equal(kn_check(&v, ds, g, 3, NULL, NULL, NULL), KN_OK);
    /* The class of one, for both; b in the other class, where a is held by three; c anywhere. */
    assert_int_equal(kn_verdict_violations(v), 4);
    assert_int_equal(kn_verdict_violation(v, 0)->kind, KN_K_ANONYMITY);
    assert_violation(v, ds, 1, 3, 1, "", NULL);
    assert_violation(v, ds, 2, 0, 2, "b", NULL);
    assert_violation(v, ds, 3, 3, 1, "c", NULL);
    assert_int_equal(kn_verdict_violation(v, 3)->kind, KN_KM_ANONYMITY);
    assert_int_equal(kn_verdict_records_at_risk(v), 3);
    assert_int_equal(kn_verdict_items(v)->empty, 1);
    assert_int_equal(kn_verdict_classes(v), 2);
    kn_verdict_free(v);
    kn_dataset_free(ds);
}

/* ---- sensitive items ---- */

static const char tree[] = "290;29;Mental disorders;all\n291;29;Mental disorders;all\n"
                           "300;30;Mental disorders;all\n401;40;Circulation;all\n"
                           "402;40;Circulation;all\n410;41;Circulation;all\n";

static kn_hierarchies *hierarchies(void)
{
    kn_hierarchies *hs = NULL;
    kn_hierarchy *h = NULL;

    assert_int_equal(kn__hierarchy_parse(&h, "tree", tree, strlen(tree), NULL), KN_OK);
    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, "items", h, NULL), KN_OK);
    return hs;
}

static const char *const patients[][3] = {{"1", "f", "290|401"},
                                          {"1", "f", "401|402"},
                                          {"1", "f", "291|402"},
                                          {"1", "f", "300|410|401"},
                                          {"1", "f", "401"}};

/* The sensitive items among those of `rows`, found in one way. */
static void found(const char *const (*rows)[3], size_t count, kn_named_by by, const char *name,
                  const kn_hierarchies *hs, const char *wanted)
{
    kn_dataset *ds = table(rows, count, KN_TYPE_SET, by, &name, 1);
    kn_sensitive_items s = {0};
    char text[256] = "";
    kn_error err = {0};

    if (kn__sensitive_items_find(&s, &ds->column[2], hs, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    for (uint32_t i = 0; i < kn__column_values(&ds->column[2]); i++) {
        size_t len;
        const char *item = kn__column_text(&ds->column[2], i, &len);
        if (s.is[i]) {
            (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.*s",
                           *text ? " " : "", (int)len, item);
        }
    }
    assert_string_equal(text, wanted);
    kn__sensitive_items_clear(&s);
    kn_dataset_free(ds);
}

static void test_naming(void **state)
{
    kn_hierarchies *hs = hierarchies();

    (void)state;
    found(patients, 5, KN_BY_ITEM, "291", NULL, "291");
    found(patients, 5, KN_BY_PREFIX, "29", NULL, "290 291");
    found(patients, 5, KN_BY_PREFIX, "4", hs, "401 402 410");
    found(patients, 5, KN_BY_NODE, "Mental disorders", hs, "290 291 300");
    found(patients, 5, KN_BY_NODE, "41", hs, "410");
    found(patients, 5, KN_BY_NODE, "300", hs, "300");
    /* Known to the hierarchy and not in this table: no slip. */
    found(patients + 1, 2, KN_BY_ITEM, "300", hs, "");
    found(patients + 1, 2, KN_BY_PREFIX, "30", hs, "");
    kn_hierarchies_free(hs);
}

static void refused_words(const kn_dataset *ds, const kn_guarantee *g, const kn_hierarchies *hs,
                          kn_status wanted, const char *word)
{
    kn_verdict *v = NULL;
    kn_error err = {0};

    assert_int_equal(kn_check(&v, ds, g, 1, hs, NULL, &err), wanted);
    assert_null(v);
    if (!strstr(err.message, word)) {
        fail_msg("'%s' is not in: %s", word, err.message);
    }
}

static void refused_name(const char *const (*rows)[3], size_t count, kn_named_by by,
                         const char *name, const kn_hierarchies *hs, kn_status wanted,
                         const char *word)
{
    const kn_guarantee g = {.kind = KN_K_LM_DIVERSITY, .k = 1, .l = 1, .m = 1};
    kn_dataset *ds = table(rows, count, KN_TYPE_SET, by, &name, 1);

    refused_words(ds, &g, hs, wanted, word);
    kn_dataset_free(ds);
}

/* A name that fits no item: the check tells of it, and goes on; whoever must be sure of all names
 * asks. */
static void absent_name(kn_named_by by, const char *name, const kn_hierarchies *hs,
                        const char *word)
{
    const kn_guarantee g = {.kind = KN_K_LM_DIVERSITY, .k = 1, .l = 1, .m = 1};
    kn_dataset *ds = table(patients, 5, KN_TYPE_SET, by, &name, 1);
    kn_sensitive_items s = {0};
    kn_verdict *v = check(ds, &g, hs);
    kn_error err = {0};

    assert_int_equal(kn_verdict_items(v)->absent, 1);
    assert_int_equal(kn_verdict_items(v)->sensitive, 0);
    assert_non_null(strstr(kn_verdict_items(v)->unknown, word));
    kn_verdict_free(v);
    assert_int_equal(kn__sensitive_items_find(&s, &ds->column[2], hs, &err), KN_OK);
    assert_int_equal(kn__sensitive_items_all_there(&s, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, word));
    kn__sensitive_items_clear(&s);
    kn_dataset_free(ds);
}

static void test_bad_names(void **state)
{
    static const char *const sets[][3] = {{"1", "f", "290|{401,\"290\"}"}, {"1", "f", "290"}};
    static const char *const ranges[][3] = {{"1", "f", "290|[280,300]"}, {"1", "f", "401"}};
    static const char *const nodes[][3] = {{"1", "f", "290|Mental disorders"}, {"1", "f", "401"}};
    static const char *const high[][3] = {{"1", "f", "290|all"}, {"1", "f", "401"}};
    const kn_guarantee g = {.kind = KN_K_KM_ANONYMITY, .k = 2, .m = 1};
    const char *const secret = "290";
    kn_hierarchies *hs = hierarchies();
    kn_dataset *ds;
    kn_verdict *v;

    (void)state;
    absent_name(KN_BY_ITEM, "409", NULL, "did you mean \"401\"?");
    absent_name(KN_BY_ITEM, "409", hs, "nor in its hierarchy");
    absent_name(KN_BY_PREFIX, "5", NULL, "begins with \"5\"");
    refused_name(patients, 5, KN_BY_NODE, "Mental disorder", hs, KN_EUSAGE,
                 "did you mean \"Mental disorders\"?");
    refused_name(patients, 5, KN_BY_NODE, "Mental disorders", NULL, KN_EUSAGE,
                 "--hierarchy items=");
    refused_name(patients, 5, KN_BY_NODE, "all", hs, KN_EUSAGE, "every item");
    refused_name(patients + 1, 1, KN_BY_PREFIX, "40", NULL, KN_EUSAGE, "every item");
    refused_name(sets, 2, KN_BY_ITEM, "290", NULL, KN_EINPUT, "could be the sensitive \"290\"");
    refused_name(sets, 2, KN_BY_PREFIX, "29", NULL, KN_EINPUT, "could be the sensitive \"290\"");
    refused_name(ranges, 2, KN_BY_ITEM, "290", NULL, KN_EINPUT, "\"[280,300]\"");
    refused_name(nodes, 2, KN_BY_NODE, "Mental disorders", hs, KN_EINPUT,
                 "publish sensitive items");
    /* Above sensitive items and others: the others, and the check says so. */
    ds = table(high, 2, KN_TYPE_SET, KN_BY_ITEM, &secret, 1);
    v = check(ds, &g, hs);
    assert_int_equal(kn_verdict_items(v)->above, 1);
    assert_int_equal(kn_verdict_items(v)->sensitive, 1);
    kn_verdict_free(v);
    kn_dataset_free(ds);
    kn_hierarchies_free(hs);
}

/* A release holds the sensitive items of its originals, record by record. */
static void test_kept(void **state)
{
    static const char *const hidden[][3] = {{"1", "f", "401|402"},
                                            {"1", "f", "29|{401,402}"},
                                            {"1", "f", "290|{401,402}"}};
    static const char *const fine[][3] = {{"1", "f", "291|{401,402}"}, {"1", "f", "401|402"}};
    const uint32_t origin[] = {2, 1};
    const char *const prefix = "29";
    kn_dataset *from = table(patients, 5, KN_TYPE_SET, KN_BY_PREFIX, &prefix, 1);
    kn_dataset *good = table(fine, 2, KN_TYPE_SET, KN_BY_ITEM, NULL, 0);
    kn_dataset *bad = table(hidden, 3, KN_TYPE_SET, KN_BY_ITEM, NULL, 0);
    const kn_column *a = &from->column[2];
    bool kept = false;
    size_t record = 9;

    (void)state;
    assert_int_equal(kn__sensitive_items_kept(&kept, &record, a, &good->column[2], origin, 2, NULL,
                                              NULL),
                     KN_OK);
    assert_true(kept);
    assert_int_equal(
        kn__sensitive_items_kept(&kept, &record, a, &good->column[2], NULL, 2, NULL, NULL), KN_OK);
    assert_false(kept);
    assert_int_equal(record, 0);
    assert_int_equal(kn__sensitive_items_kept(&kept, &record, a, &bad->column[2],
                                              (const uint32_t[]){1, 0, 0}, 3, NULL, NULL),
                     KN_OK);
    assert_false(kept);
    assert_int_equal(record, 1);
    kn_dataset_free(from);
    kn_dataset_free(good);
    kn_dataset_free(bad);
}

/* ---- what users may get wrong ---- */

static void test_refusals(void **state)
{
    const kn_guarantee anonymity = {.kind = KN_K_KM_ANONYMITY, .k = 2, .m = 2};
    const kn_guarantee diversity = {.kind = KN_K_LM_DIVERSITY, .k = 2, .l = 2, .m = 2};
    const kn_guarantee no_k = {.kind = KN_K_KM_ANONYMITY, .m = 2};
    const kn_guarantee no_m = {.kind = KN_K_LM_DIVERSITY, .k = 2, .l = 2};
    const kn_guarantee low_l = {.kind = KN_K_LM_DIVERSITY, .k = 2, .l = 0.5, .m = 2};
    kn_dataset *ds = table(patients, 5, KN_TYPE_SET, KN_BY_ITEM, NULL, 0);

    (void)state;
    refused_words(ds, &no_k, NULL, KN_EUSAGE, "k-km-anonymity: k is 0");
    refused_words(ds, &no_m, NULL, KN_EUSAGE, "k-lm-diversity: m is 0");
    refused_words(ds, &low_l, NULL, KN_EUSAGE, "l is 0.5");
    refused_words(ds, &diversity, NULL, KN_EUSAGE, "--sensitive-items");
    ds->column[2].role = KN_ROLE_KEPT;
    refused_words(ds, &anonymity, NULL, KN_EUSAGE, "no quasi-identifier holds any");
    ds->column[2].role = KN_ROLE_QUASI;
    ds->column[0].role = ds->column[1].role = KN_ROLE_KEPT;
    refused_words(ds, &anonymity, NULL, KN_EUSAGE, "one value a record");
    kn_dataset_free(ds);
}

static void test_missing(void **state)
{
    static const char *const rows[][3] = {{"", "f", "a"}, {"1", "f", "a"}, {"1", "f", "a"}};
    const kn_guarantee g = {.kind = KN_K_KM_ANONYMITY, .k = 2, .m = 1};
    kn_dataset *ds = table(rows, 3, KN_TYPE_SET, KN_BY_ITEM, NULL, 0);
    kn_verdict *v = check(ds, &g, NULL);

    (void)state;
    assert_true(kn_verdict_achieved(v, 0) == 1); /* a missing age is an age of its own */
    kn_verdict_free(v);
    ds->column[0].missing_rule = KN_MISSING_ANY;
    refused_words(ds, &g, NULL, KN_EUSAGE, "--missing-rule own");
    kn_dataset_free(ds);
}

static void test_edges(void **state)
{
    static const char *const empty[][3] = {{"1", "f", ""}, {"1", "f", ""}, {"2", "m", "x"}};
    const kn_guarantee anonymity = {.kind = KN_K_KM_ANONYMITY, .k = 2, .m = 16};
    const kn_guarantee large = {.kind = KN_K_KM_ANONYMITY, .k = 9, .m = 1};
    kn_dataset *ds = table(empty, 2, KN_TYPE_SET, KN_BY_ITEM, NULL, 0);
    kn_verdict *v = check(ds, &anonymity, NULL);

    (void)state;
    /* Records without items: only the class counts. */
    assert_true(kn_verdict_holds(v));
    assert_true(kn_verdict_achieved(v, 0) == 2);
    assert_int_equal(kn_verdict_items(v)->empty, 2);
    kn_verdict_free(v);
    kn_dataset_free(ds);
    ds = table(empty, 3, KN_TYPE_SET, KN_BY_ITEM, NULL, 0);
    v = check(ds, &large, NULL);
    assert_int_equal(kn_verdict_violations(v), 2); /* k beyond the table: every class, once */
    assert_violation(v, ds, 0, 2, 1, "", NULL);
    assert_violation(v, ds, 1, 0, 2, "", NULL);
    assert_int_equal(kn_verdict_records_at_risk(v), 3);
    kn_verdict_free(v);
    kn_dataset_free(ds);
    ds = table(empty, 0, KN_TYPE_SET, KN_BY_ITEM, NULL, 0);
    v = check(ds, &anonymity, NULL);
    assert_true(kn_verdict_holds(v));
    assert_true(isinf(kn_verdict_achieved(v, 0)));
    kn_verdict_free(v);
    kn_dataset_free(ds);
}

static int give_up(void *user, const char *phase, double done)
{
    (void)user;
    (void)done;
    return strcmp(phase, "infer") == 0;
}

static void test_cancelled(void **state)
{
    const kn_guarantee g = {.kind = KN_K_LM_DIVERSITY, .k = 2, .l = 2, .m = 2};
    const kn_run run = {.progress = give_up};
    kn_dataset *ds = table(figure_2a, 6, KN_TYPE_SET, KN_BY_ITEM, secrets, 2);
    kn_verdict *v = NULL;

    (void)state;
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, &run, NULL), KN_ECANCELLED);
    assert_null(v);
    kn_dataset_free(ds);
}

static void test_no_memory(void **state)
{
    const char *const node = "Mental disorders";
    const kn_guarantee g[] = {{.kind = KN_K_ANONYMITY, .k = 3},
                              {.kind = KN_K_KM_ANONYMITY, .k = 2, .m = 3},
                              {.kind = KN_K_LM_DIVERSITY, .k = 2, .l = 3, .m = 3}};
    kn_hierarchies *hs = hierarchies();
    const size_t before = kn_memory_in_use();
    bool done = false;

    (void)state;
    for (size_t n = 1; !done; n++) {
        kn_dataset *ds = table(patients, 5, KN_TYPE_BAG, KN_BY_NODE, &node, 1);
        kn_verdict *v = NULL;
        kn_error err;
        kn__memory_fail_after(n);
        const kn_status status = kn_check(&v, ds, g, 3, hs, NULL, &err);
        kn__memory_fail_after(0);
        done = status == KN_OK;
        assert_int_equal(v != NULL, done);
        assert_true(done || status == KN_ENOMEM);
        kn_verdict_free(v);
        kn_dataset_free(ds);
        assert_int_equal(kn_memory_in_use(), before);
    }
    done = false;
    for (size_t n = 1; !done; n++) {
        kn_dataset *ds = table(patients, 5, KN_TYPE_SET, KN_BY_NODE, &node, 1);
        bool kept = false;
        size_t record;
        kn__memory_fail_after(n);
        const kn_status status = kn__sensitive_items_kept(&kept, &record, &ds->column[2],
                                                          &ds->column[2], NULL, 5, hs, NULL);
        kn__memory_fail_after(0);
        done = status == KN_OK;
        assert_true(done ? kept : status == KN_ENOMEM);
        kn_dataset_free(ds);
        assert_int_equal(kn_memory_in_use(), before);
    }
    kn_hierarchies_free(hs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_1b),   cmocka_unit_test(test_figure_2a),
        cmocka_unit_test(test_definitions), cmocka_unit_test(test_proposition_1),
        cmocka_unit_test(test_threads),     cmocka_unit_test(test_together),
        cmocka_unit_test(test_naming),      cmocka_unit_test(test_bad_names),
        cmocka_unit_test(test_kept),        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_missing),     cmocka_unit_test(test_edges),
        cmocka_unit_test(test_cancelled),   cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
