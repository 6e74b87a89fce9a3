/* test_domain.c - columns bound to hierarchies, compared with an oracle that knows only the rows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "hierarchy/domain.h"
#include "hierarchy/hierarchy.h"
#include "oracle/hierarchy_column.h"
#include "oracle/hierarchy_rows.h"

static kn_hierarchy *parse(const char *text)
{
    kn_hierarchy *h = NULL;
    kn_error err = {0};

    if (kn__hierarchy_parse(&h, "h.csv", text, strlen(text), &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return h;
}

static kn_domain *bind(const kn_dataset *ds, const kn_hierarchy *h, kn_uncovered uncovered)
{
    kn_domain *d = NULL;
    kn_error err = {0};
    const char *reason = "";

    if (kn__domain_new(&d, &ds->column[0], h, uncovered, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    if (!kn__domain_validate(d, &reason)) {
        fail_msg("%s", reason);
    }
    return d;
}

static kn_published understand(const kn_domain *d, const char *text)
{
    kn_published p;
    kn_error err = {0};

    if (kn__published_parse(&p, d, text, strlen(text), &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return p;
}

static void not_understood(const kn_domain *d, const char *text)
{
    kn_published p;
    kn_error err = {0};

    assert_int_equal(kn__published_parse(&p, d, text, strlen(text), &err), KN_EINPUT);
    assert_true(strlen(err.message) > 0);
    kn__published_clear(&p);
}

static const char *label_at(const kn_domain *d, uint32_t level, uint32_t code)
{
    static char text[64];
    kn_buffer out = {0};

    kn__domain_publish_node(d, d->at_level[(size_t)level * d->values + code], &out);
    kn__buffer_add(&out, "", 0);
    snprintf(text, sizeof text, "%s", out.data);
    kn__buffer_free(&out);
    return text;
}

static void near(double a, double b)
{
    if (!(a - b < 1e-12 && b - a < 1e-12)) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

static void test_tree(void **state)
{
    kn_hierarchy *h = parse("1;0-4;*\n2;0-4;*\n3;0-4;*\n7;5-9;*\n8;5-9;*\n");
    kn_dataset *ds = COLUMN(KN_TYPE_INTEGER, "1", "7", "2", "", "1");
    kn_domain *d = bind(ds, h, KN_UNCOVERED_ERROR);
    const uint32_t one = code_of(ds, "1"), two = code_of(ds, "2"), seven = code_of(ds, "7"),
                   missing = code_of(ds, "");
    kn_published p;

    (void)state;
    assert_int_equal(d->kind, KN_DOMAIN_TREE);
    assert_int_equal(d->values, 4);
    assert_int_equal(d->nodes, 7);
    assert_int_equal(d->levels, 3);
    near(d->total, 6); /* five leaves and the missing value */
    near(d->low, 1);
    near(d->high, 7);
    assert_string_equal(label_at(d, 0, one), "1");
    assert_string_equal(label_at(d, 1, one), "0-4");
    assert_string_equal(label_at(d, 2, one), "*");
    assert_string_equal(label_at(d, 1, missing), "");
    assert_string_equal(label_at(d, 2, missing), "*");
    assert_int_equal(kn__domain_lca(d, one, two), d->parent[one]);
    assert_int_equal(kn__domain_lca(d, one, seven), kn__domain_root(d));
    assert_int_equal(kn__domain_lca(d, one, missing), kn__domain_root(d));
    assert_int_equal(kn__domain_lca(d, one, one), one);
    near(d->loss[d->parent[one]], 2.0 / 5);
    near(d->loss[d->parent[seven]], 1.0 / 5);
    near(d->loss[one], 0);

    p = understand(d, "0-4");
    assert_int_equal(p.kind, KN_PUB_NODE);
    assert_false(p.ambiguous);
    near(p.leaves, 3);
    near(p.ncp, 0.5);
    assert_true(kn__published_covers(&p, d, two, NULL));
    assert_false(kn__published_covers(&p, d, seven, NULL));
    assert_false(kn__published_covers(&p, d, missing, NULL));
    p = understand(d, "*");
    assert_int_equal(p.kind, KN_PUB_SUPPRESSED);
    near(p.loss, 1);
    near(p.ncp, 1);
    assert_true(kn__published_covers(&p, d, missing, NULL));
    p = understand(d, "");
    assert_int_equal(p.kind, KN_PUB_VALUE);
    assert_int_equal(p.code, missing);
    p = understand(d, "7");
    assert_int_equal(p.code, seven);
    near(p.ncp, 0);
    p = understand(d, "7.0");
    assert_int_equal(p.code, seven);
    not_understood(d, "8"); /* a leaf, but no value of the column */
    not_understood(d, "[1,2]");
    not_understood(d, "nothing");
    kn__domain_free(d);
    kn__domain_free(NULL);
    kn_dataset_free(ds);
    kn_hierarchy_free(h);
}

static void test_spelling_of_numbers(void **state)
{
    kn_hierarchy *h = parse("8;low;*\n17;high;*\n17.00;high;*\n5;low;*\n5.0;high;*\n"
                            "12345678901234567890;high;*\n0;low;*\n");
    kn_dataset *ds = COLUMN(KN_TYPE_DECIMAL, "008", "17.0", "8", "-0.0");
    kn_dataset *words = COLUMN(KN_TYPE_CATEGORY, "008", "17");
    kn_dataset *split = COLUMN(KN_TYPE_DECIMAL, "5.00");
    kn_dataset *longer = COLUMN(KN_TYPE_DECIMAL, "12345678901234567891");
    kn_domain *d = bind(ds, h, KN_UNCOVERED_ERROR), *none = NULL;

    (void)state;
    assert_string_equal(label_at(d, 1, code_of(ds, "008")), "low");
    assert_string_equal(label_at(d, 1, code_of(ds, "17.0")), "high");
    assert_string_equal(label_at(d, 1, code_of(ds, "-0.0")), "low");
    kn__domain_free(d);
    /* Text is text; one number in two groups is in neither; long numbers are not rounded. */
    assert_int_equal(kn__domain_new(&none, &words->column[0], h, KN_UNCOVERED_ERROR, NULL),
                     KN_EINPUT);
    assert_int_equal(kn__domain_new(&none, &split->column[0], h, KN_UNCOVERED_ERROR, NULL),
                     KN_EINPUT);
    assert_int_equal(kn__domain_new(&none, &longer->column[0], h, KN_UNCOVERED_ERROR, NULL),
                     KN_EINPUT);
    assert_null(none);
    kn_dataset_free(ds);
    kn_dataset_free(words);
    kn_dataset_free(split);
    kn_dataset_free(longer);
    kn_hierarchy_free(h);
}

static void test_uncovered(void **state)
{
    kn_hierarchy *h = parse("a;g;*\nb;g;*\n");
    kn_dataset *ds = COLUMN(KN_TYPE_CATEGORY, "a", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8",
                            "x9", "y1", "y2");
    kn_domain *d = NULL;
    kn_error err = {0};
    kn_published p;
    uint32_t x;

    (void)state;
    assert_int_equal(kn__domain_new(&d, &ds->column[0], h, KN_UNCOVERED_ERROR, &err), KN_EINPUT);
    assert_null(d);
    assert_non_null(strstr(err.message, "h.csv: 11 values of column \"c\" are in no row"));
    assert_non_null(strstr(err.message, "\"x1\", \"x2\""));
    assert_non_null(strstr(err.message, "\"y1\", ..."));
    assert_null(strstr(err.message, "\"y2\""));

    x = code_of(ds, "x1");
    d = bind(ds, h, KN_UNCOVERED_ROOT);
    assert_int_equal(d->start[x], kn__domain_root(d));
    assert_string_equal(label_at(d, 0, x), "*");
    assert_int_equal(d->start[code_of(ds, "a")], code_of(ds, "a"));
    near(d->total, 13);
    p = understand(d, "{a,x1}"); /* values that have a hierarchy, as a set all the same */
    assert_int_equal(p.kind, KN_PUB_SET);
    near(p.ncp, 2.0 / 13);
    assert_true(kn__published_covers(&p, d, x, NULL));
    assert_false(kn__published_covers(&p, d, code_of(ds, "x2"), NULL));
    kn__published_clear(&p);
    not_understood(d, "{a,b}"); /* b does not occur */
    kn__domain_free(d);
    d = bind(ds, h, KN_UNCOVERED_SUPPRESS);
    assert_int_equal(d->start[x], KN_NO_NODE);
    kn__domain_free(d);
    kn_dataset_free(ds);

    ds = COLUMN(KN_TYPE_CATEGORY, "a", "*");
    assert_int_equal(kn__domain_new(&d, &ds->column[0], NULL, KN_UNCOVERED_ROOT, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "\"*\""));
    kn_dataset_free(ds);
    kn_hierarchy_free(h);
}

static void test_ambiguous_labels(void **state)
{
    kn_hierarchy *h = parse("a;g;g;*\nb;g;g;*\nc;h;g;*\nd;d;h;*\ng;k;h;*\nk;k;h;*\n");
    kn_dataset *ds = COLUMN(KN_TYPE_CATEGORY, "a", "b", "c", "d", "g", "k");
    kn_domain *d = bind(ds, h, KN_UNCOVERED_ERROR);
    kn_published p, exact;

    (void)state;
    p = understand(d, "g");
    assert_int_equal(p.kind, KN_PUB_NODE);
    assert_true(p.ambiguous);
    near(p.leaves, 3);
    assert_true(kn__published_covers(&p, d, code_of(ds, "a"), &exact));
    near(exact.leaves, 3);
    assert_false(kn__published_covers(&p, d, code_of(ds, "d"), &exact));
    /* The value g lies elsewhere: for it the text is itself. */
    assert_true(kn__published_covers(&p, d, code_of(ds, "g"), &exact));
    assert_int_equal(exact.kind, KN_PUB_VALUE);
    near(exact.loss, 0);
    /* h stands above c with one leaf, and above three others. */
    p = understand(d, "h");
    assert_true(p.ambiguous);
    assert_true(kn__published_covers(&p, d, code_of(ds, "c"), &exact));
    near(exact.leaves, 1);
    near(exact.ncp, 0);
    assert_true(kn__published_covers(&p, d, code_of(ds, "k"), &exact));
    near(exact.leaves, 3);
    /* k is a value below a group k: the larger counts. */
    p = understand(d, "k");
    assert_true(p.ambiguous);
    assert_true(kn__published_covers(&p, d, code_of(ds, "k"), &exact));
    near(exact.leaves, 2);
    /* d is a value alone in its group d. */
    p = understand(d, "d");
    assert_int_equal(p.kind, KN_PUB_VALUE);
    kn__domain_free(d);
    kn_dataset_free(ds);
    kn_hierarchy_free(h);
}

static void test_ranges_of_files(void **state)
{
    kn_hierarchy *h = parse("name age\ntype int\n\n0,20 has 0,10 10,20\n20,40 has 20,30 30,40\n\n"
                            "0,40 has 0,20 20,40 NaN,NaN\n");
    kn_dataset *ds = COLUMN(KN_TYPE_INTEGER, "0", "9", "10", "20", "40", "");
    kn_dataset *beyond = COLUMN(KN_TYPE_INTEGER, "41");
    kn_domain *d = bind(ds, h, KN_UNCOVERED_ERROR), *none = NULL;
    kn_published p;

    (void)state;
    assert_int_equal(d->levels, 4);
    assert_string_equal(label_at(d, 1, code_of(ds, "0")), "0,10");
    assert_string_equal(label_at(d, 1, code_of(ds, "9")), "0,10");
    assert_string_equal(label_at(d, 1, code_of(ds, "10")), "10,20");
    assert_string_equal(label_at(d, 1, code_of(ds, "20")), "20,30");
    assert_string_equal(label_at(d, 1, code_of(ds, "40")), "30,40");
    assert_string_equal(label_at(d, 2, code_of(ds, "40")), "20,40");
    assert_string_equal(label_at(d, 1, code_of(ds, "")), "0,40");
    near(d->total, 6);
    p = understand(d, "0,10");
    near(p.leaves, 2);
    assert_true(kn__published_covers(&p, d, code_of(ds, "9"), NULL));
    assert_int_equal(kn__domain_new(&none, &beyond->column[0], h, KN_UNCOVERED_ERROR, NULL),
                     KN_EINPUT);
    kn__domain_free(d);
    kn_dataset_free(ds);
    kn_dataset_free(beyond);
    kn_hierarchy_free(h);

    /* The end of a range that nothing follows belongs to it; one inside a gap is in none. */
    h = parse("name x\ntype double\n\nA has 0,1 1,2\nB has 3,4\nR has A B\n");
    ds = COLUMN(KN_TYPE_DECIMAL, "2", "4.0", "2.5");
    d = bind(ds, h, KN_UNCOVERED_ROOT);
    assert_string_equal(label_at(d, 1, code_of(ds, "2")), "1,2");
    assert_string_equal(label_at(d, 1, code_of(ds, "4.0")), "3,4");
    assert_int_equal(d->start[code_of(ds, "2.5")], kn__domain_root(d));
    kn__domain_free(d);
    kn_dataset_free(ds);
    kn_hierarchy_free(h);

    h = parse("name x\ntype date\n\nA has 1/2000,6/2000 7/2000,12/2000\nB has 2001,2002 2002,2003\n"
              "R has A B null,null\n");
    ds = COLUMN(KN_TYPE_DATE, "2000-06-30", "2000-07-01", "2002-01-01", "2003-12-31", "");
    d = bind(ds, h, KN_UNCOVERED_ERROR);
    assert_string_equal(label_at(d, 1, code_of(ds, "2000-06-30")), "1/2000,6/2000");
    assert_string_equal(label_at(d, 1, code_of(ds, "2000-07-01")), "7/2000,12/2000");
    assert_string_equal(label_at(d, 1, code_of(ds, "2002-01-01")), "2002,2003");
    assert_string_equal(label_at(d, 1, code_of(ds, "2003-12-31")), "2002,2003");
    assert_string_equal(label_at(d, 1, code_of(ds, "")), "R");
    kn__domain_free(d);
    kn_dataset_free(ds);
    kn_hierarchy_free(h);
}

static void publishes_range(const kn_domain *d, uint32_t low, uint32_t high, const char *expected)
{
    kn_buffer out = {0};

    kn__domain_publish_range(d, low, high, &out);
    assert_string_equal(out.data, expected);
    kn__buffer_free(&out);
}

static void test_range_domain(void **state)
{
    kn_dataset *ds = COLUMN(KN_TYPE_DECIMAL, "10.5", "20", "30", "50.5", "");
    kn_domain *d = bind(ds, NULL, KN_UNCOVERED_ERROR);
    kn_published p;

    (void)state;
    assert_int_equal(d->kind, KN_DOMAIN_RANGE);
    assert_int_equal(d->levels, 2);
    near(d->low, 10.5);
    near(d->high, 50.5);
    publishes_range(d, 0, 2, "[10.5,30]");
    publishes_range(d, 1, 1, "20");
    publishes_range(d, 1, 4, "*");
    p = understand(d, "[10.5,30]");
    assert_int_equal(p.kind, KN_PUB_RANGE);
    near(p.leaves, 3);
    near(p.loss, 19.5 / 40);
    near(p.ncp, 19.5 / 40);
    assert_true(kn__published_covers(&p, d, 1, NULL));
    assert_false(kn__published_covers(&p, d, 3, NULL));
    assert_false(kn__published_covers(&p, d, 4, NULL));
    p = understand(d, "[0,1000]");
    near(p.loss, 1);
    p = understand(d, "20.0");
    assert_int_equal(p.code, 1);
    not_understood(d, "[30,10]");
    not_understood(d, "[30]");
    not_understood(d, "[,]");
    not_understood(d, "21");
    not_understood(d, "{20,31}");
    not_understood(d, "[1,2,3]");
    p = understand(d, "{20,30.0,10.5}");
    assert_int_equal(p.kind, KN_PUB_SET);
    near(p.leaves, 3);
    near(p.ncp, 3.0 / 5);
    assert_true(kn__published_covers(&p, d, 2, NULL));
    assert_false(kn__published_covers(&p, d, 3, NULL));
    kn__published_clear(&p);
    kn__domain_free(d);
    kn_dataset_free(ds);

    ds = COLUMN(KN_TYPE_DATE, "2020-01-01", "2020-03-31", "2020-12-31");
    d = bind(ds, NULL, KN_UNCOVERED_ERROR);
    publishes_range(d, 0, 1, "[2020-01-01,2020-03-31]");
    p = understand(d, "[2020-01-01,2020-03-31]");
    near(p.loss, 90.0 / 365);
    kn__domain_free(d);
    kn_dataset_free(ds);
}

static void test_set_domain(void **state)
{
    kn_dataset *ds = COLUMN(KN_TYPE_CATEGORY, "a", "b,c", " d", "{e}", "f\"g", "", "h..i", "z");
    kn_domain *d = bind(ds, NULL, KN_UNCOVERED_ERROR);
    kn_rng rng;

    (void)state;
    assert_int_equal(d->kind, KN_DOMAIN_SET);
    kn__rng_seed(&rng, 3, 0);
    for (int round = 0; round < 300; round++) {
        const uint32_t mask = (uint32_t)kn__rng_below(&rng, 255) + 1;
        uint32_t codes[8];
        size_t count = 0;
        kn_buffer out = {0};
        kn_published p;

        for (uint32_t i = 0; i < 8; i++) {
            if (mask >> i & 1) {
                codes[count++] = i;
            }
        }
        kn__domain_publish_set(d, codes, count, &out);
        p = understand(d, out.data);
        assert_int_equal(p.kind, count == 1   ? KN_PUB_VALUE
                                 : count == 8 ? KN_PUB_SUPPRESSED
                                              : KN_PUB_SET);
        near(p.leaves, (double)count);
        near(p.loss, (double)(count - 1) / 7);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(kn__published_covers(&p, d, i, NULL), mask >> i & 1);
        }
        kn__published_clear(&p);
        kn__buffer_free(&out);
    }
    not_understood(d, "{a,q}");
    not_understood(d, "{a,a}");
    not_understood(d, "{a,z");
    not_understood(d, "{a}z}");
    not_understood(d, "{\"a}");
    not_understood(d, "{");
    not_understood(d, "{}}");
    kn__domain_free(d);
    kn_dataset_free(ds);
}

static void test_small_columns(void **state)
{
    kn_dataset *ds = COLUMN(KN_TYPE_CATEGORY, "a");
    kn_hierarchy *h = parse("a;*\n");
    kn_domain *d = bind(ds, h, KN_UNCOVERED_ERROR);

    (void)state;
    near(d->loss[0], 0);
    near(d->loss[1], 1);
    kn__domain_free(d);
    d = bind(ds, NULL, KN_UNCOVERED_ERROR);
    kn__domain_free(d);
    kn_dataset_free(ds);
    ds = column_of(KN_TYPE_CATEGORY, (const char *const[]){NULL});
    d = bind(ds, h, KN_UNCOVERED_ERROR);
    kn__domain_free(d);
    d = bind(ds, NULL, KN_UNCOVERED_ERROR);
    kn__domain_free(d);
    kn_dataset_free(ds);
    ds = COLUMN(KN_TYPE_INTEGER, "", "");
    d = bind(ds, NULL, KN_UNCOVERED_ERROR);
    not_understood(d, "[1,2]x");
    kn__domain_free(d);
    kn_dataset_free(ds);
    kn_hierarchy_free(h);
}

/* One random tree, some of whose leaves are in the data. */
static void compare_with_rows(kn_rng *rng)
{
    static oracle_rows o;
    const char *texts[ORACLE_ROWS + 1];
    const oracle_row *row[ORACLE_ROWS], *by_code[ORACLE_ROWS] = {NULL};
    bool seen[ORACLE_ROWS] = {false};
    size_t count = 0, levels = 0;
    kn_buffer text = {0};
    kn_hierarchy *h;
    kn_dataset *ds;
    kn_domain *d;

    oracle_random(&o, rng);
    for (size_t i = 0; i < o.count; i++) {
        for (size_t j = 0; j < o.row[i].count; j++) {
            kn__buffer_addf(&text, "%s%s", j ? ";" : "", o.row[i].label[j]);
        }
        kn__buffer_addc(&text, '\n');
        levels = o.row[i].count > levels ? o.row[i].count : levels;
        if (i == 0 || kn__rng_below(rng, 3)) {
            row[count] = &o.row[i];
            texts[count++] = o.row[i].label[0];
        }
    }
    texts[count] = NULL;
    h = parse(text.data ? text.data : "");
    ds = column_of(KN_TYPE_CATEGORY, texts);
    d = bind(ds, h, KN_UNCOVERED_ERROR);
    assert_int_equal(d->levels, levels);
    near(d->total, (double)o.count);
    for (size_t i = 0; i < count; i++) {
        by_code[code_of(ds, texts[i])] = row[i];
    }
    for (uint32_t a = 0; a < d->values; a++) {
        assert_false(seen[d->order[a]]);
        seen[d->order[a]] = true;
        assert_int_equal(d->depth[a], by_code[a]->count - 1);
        for (uint32_t b = 0; b < d->values; b++) {
            const uint32_t lca = kn__domain_lca(d, a, b);
            const size_t depth = oracle_lca(by_code[a], by_code[b]);

            assert_int_equal(d->depth[lca], depth);
            near(d->leaves[lca], (double)oracle_leaves(&o, by_code[a], depth));
        }
        for (uint32_t level = 0; level < d->levels; level++) {
            const uint32_t node = d->at_level[(size_t)level * d->values + a];
            size_t depth, highest;
            const char *label = oracle_level(by_code[a], level, &depth);
            kn_published p, exact;
            double leaves;

            assert_string_equal(label_at(d, level, a), label);
            assert_int_equal(d->depth[node], depth);
            leaves = (double)oracle_leaves(&o, by_code[a], depth);
            near(d->leaves[node], leaves);
            if (node != kn__domain_root(d)) {
                near(d->loss[node], o.count > 1 ? (leaves - 1) / (double)(o.count - 1) : 0);
            }
            p = understand(d, label);
            for (uint32_t b = 0; b < d->values; b++) {
                highest = oracle_highest(by_code[b], label);
                assert_int_equal(kn__published_covers(&p, d, b, &exact), highest != SIZE_MAX);
                if (highest != SIZE_MAX) {
                    leaves = (double)oracle_leaves(&o, by_code[b], highest);
                    near(exact.leaves, leaves);
                    assert_true(p.leaves >= leaves);
                    assert_true(p.ambiguous || p.leaves == leaves);
                }
            }
        }
    }
    /* The values below any node are neighbours in the walk. */
    for (uint32_t a = 0; a < d->values; a++) {
        for (size_t depth = 0; depth < d->depth[a]; depth++) {
            size_t below = 0, low = SIZE_MAX, high = 0;
            for (uint32_t b = 0; b < d->values; b++) {
                if (oracle_share(by_code[a], by_code[b], depth)) {
                    below++;
                    low = d->order[b] < low ? d->order[b] : low;
                    high = d->order[b] > high ? d->order[b] : high;
                }
            }
            assert_int_equal(high - low + 1, below);
        }
    }
    kn__domain_free(d);
    kn_dataset_free(ds);
    kn_hierarchy_free(h);
    kn__buffer_free(&text);
}

static void test_random_trees(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 2, 0);
    for (int round = 0; round < 250; round++) {
        compare_with_rows(&rng);
    }
}

static void test_no_memory(void **state)
{
    kn_hierarchy *h = parse("name age\ntype int\n\n0,20 has 0,10 10,20\n0,40 has 0,20 20,40\n");
    kn_hierarchy *rows = parse("a;g;*\nb;*\n");
    kn_dataset *ds = COLUMN(KN_TYPE_INTEGER, "0", "15", "25", "");
    kn_dataset *words = COLUMN(KN_TYPE_CATEGORY, "a", "b", "c");
    const size_t before = kn_memory_in_use();
    kn_status status = KN_ENOMEM;

    (void)state;
    for (size_t n = 1; status != KN_OK; n++) {
        kn_domain *one = NULL, *two = NULL, *three = NULL;
        kn_published p = {0};

        kn__memory_fail_after(n);
        status = kn__domain_new(&one, &ds->column[0], h, KN_UNCOVERED_ERROR, NULL);
        if (status == KN_OK) {
            status = kn__domain_new(&two, &words->column[0], rows, KN_UNCOVERED_ROOT, NULL);
        }
        if (status == KN_OK) {
            status = kn__domain_new(&three, &words->column[0], NULL, KN_UNCOVERED_ROOT, NULL);
        }
        if (status == KN_OK) {
            status = kn__published_parse(&p, three, "{a,\"b\"}", 7, NULL);
        }
        kn__memory_fail_after(0);
        assert_true(status == KN_OK || status == KN_ENOMEM);
        kn__published_clear(&p);
        kn__domain_free(one);
        kn__domain_free(two);
        kn__domain_free(three);
        assert_int_equal(kn_memory_in_use(), before);
    }
    kn_dataset_free(ds);
    kn_dataset_free(words);
    kn_hierarchy_free(h);
    kn_hierarchy_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_spelling_of_numbers),
        cmocka_unit_test(test_uncovered),
        cmocka_unit_test(test_ambiguous_labels),
        cmocka_unit_test(test_ranges_of_files),
        cmocka_unit_test(test_range_domain),
        cmocka_unit_test(test_set_domain),
        cmocka_unit_test(test_small_columns),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
