/* T on thousands of small random clusters: what it publishes satisfies the definitions by the
 * oracle, costs what it says, and is near the best that trying everything finds. */
#include "base/buffer.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/threads.h"
#include "count/rare/rare.h"
#include "data/dataset.h"
#include "kanon/io.h"
#include "kanon/measure.h"
#include "methods/mixed/cluster_items_search.h"
#include "utility/items/ul_weights.h"
#include "rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "oracle/transact.h"
#include "utility/lists.h"

#define CASES test_rounds(4000)
enum { LEVELS = 4 };

/* ---- clusters ---- */

static void random_cluster(tr_cluster *c, kn_rng *r, bool secrets)
{
    const int most = 1 + (int)kn__rng_below(r, 5);

    memset(c, 0, sizeof *c);
    c->records = 1 + (int)kn__rng_below(r, TR_RECORDS);
    c->items = 1 + (int)kn__rng_below(r, TR_ITEMS);
    c->bags = kn__rng_below(r, 2) == 1;
    c->k = 1 + (int)kn__rng_below(r, 5);
    c->m = 1 + (int)kn__rng_below(r, 4);
    if (secrets) {
        static const double ls[] = {1, 1.5, 2, 3};
        c->l = ls[kn__rng_below(r, 4)];
        for (int x = 0; x < c->items; x++) {
            c->sensitive[x] = kn__rng_below(r, 3) == 0;
        }
    }
    for (int i = 0; i < c->records; i++) {
        const int len = (kn__rng_below(r, 8) > 0) * (1 + (int)kn__rng_below(r, (uint64_t)most));
        if (i > 0 && kn__rng_below(r, 3) == 0) {
            memcpy(c->times[i], c->times[kn__rng_below(r, (uint64_t)i)], sizeof c->times[i]);
        }
        for (int j = 0; j < len; j++) {
            const int x = (int)kn__rng_below(r, 1 + kn__rng_below(r, (uint64_t)c->items));
            if (!c->sensitive[x] || kn__rng_below(r, 3) == 0) {
                c->times[i][x] = c->bags ? c->times[i][x] + 1 : 1;
            }
        }
    }
}

/* Records that hold all items but the last, which is sensitive, or that and one of the others, or
 * nothing: with one group for all items the holders of the sensitive one are often too many. */
static void spread_cluster(tr_cluster *c, kn_rng *r)
{
    memset(c, 0, sizeof *c);
    c->records = 4 + (int)kn__rng_below(r, TR_RECORDS - 3);
    c->items = 3 + (int)kn__rng_below(r, TR_ITEMS - 2);
    c->k = 1 + (int)kn__rng_below(r, 2);
    c->m = 1 + (int)kn__rng_below(r, 3);
    c->l = kn__rng_below(r, 2) ? 2 : 1.5;
    c->sensitive[c->items - 1] = true;
    for (int i = 0; i < c->records; i++) {
        const uint64_t kind = i == 0 ? 0 : kn__rng_below(r, 7);
        const int one = (int)kn__rng_below(r, (uint64_t)c->items - 1);
        for (int x = 0; x < c->items - 1; x++) {
            c->times[i][x] = kind < 2 || (kind < 5 && x == one);
        }
        c->times[i][c->items - 1] = kind >= 2 && kind < 5;
    }
}

/* Records of the cluster stand among others, which hold everything. */
static kn_baskets *baskets_of(const tr_cluster *c)
{
    kn_baskets *b = kn__malloc(sizeof *b);
    uint64_t at = 0;

    *b = (kn_baskets){.records = 2 * (size_t)c->records, .items = TR_ITEMS, .bags = c->bags};
    b->starts = kn__malloc_array(b->records + 1, sizeof *b->starts);
    b->list = kn__malloc_array(4096, sizeof *b->list);
    b->starts[0] = 0;
    for (int i = 0; i < 2 * c->records; i++) {
        for (int x = 0; x < c->items; x++) {
            for (int t = 0; t < (i % 2 ? c->times[i / 2][x] : 1); t++) {
                b->list[at++] = (uint32_t)x;
            }
        }
        b->starts[i + 1] = at;
    }
    return b;
}

static void mask_of(const tr_cluster *c, uint8_t *mask)
{
    for (int x = 0; x < TR_ITEMS; x++) {
        mask[x] = c->sensitive[x];
    }
}

static void records_of(const tr_cluster *c, uint32_t *records)
{
    for (int i = 0; i < c->records; i++) {
        records[i] = (uint32_t)(2 * i + 1);
    }
}

static bool occurs(const tr_cluster *c, int x)
{
    for (int i = 0; i < c->records; i++) {
        if (c->times[i][x]) {
            return true;
        }
    }
    return false;
}

/* The map as the oracle has it: by item its group. Items that do not occur are put anywhere. */
static void groups_of(const tr_cluster *c, const kn_part_map *map, int *group)
{
    uint32_t at = 0, groups = 0;

    memset(group, 0, TR_ITEMS * sizeof *group);
    for (int x = 0; x < c->items; x++) {
        if (!occurs(c, x)) {
            continue;
        }
        assert_true(at < map->items);
        assert_int_equal(map->item[at], x);
        assert_true(map->to[at] <= groups); /* numbered by their first items */
        groups += map->to[at] == groups;
        group[x] = (int)map->to[at++];
    }
    assert_int_equal(at, map->items);
    assert_int_equal(groups, map->groups);
    for (int x = 0; x < c->items; x++) {
        for (int y = 0; y < c->items; y++) {
            if (x != y && c->sensitive[x] && occurs(c, x) && occurs(c, y)) {
                assert_int_not_equal(group[x], group[y]);
            }
        }
    }
}

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fmax(1, fabs(want)))) {
        fail_msg("%.12g instead of %.12g", got, want);
    }
}

/* Everything in one group. */
static bool one_group_allowed(const tr_cluster *c)
{
    const int group[TR_ITEMS] = {0};

    return tr_allowed(c, group);
}

/* Every item as it is. */
static bool items_allowed(const tr_cluster *c)
{
    int group[TR_ITEMS];

    for (int x = 0; x < TR_ITEMS; x++) {
        group[x] = x;
    }
    return tr_allowed(c, group);
}

static kn_status run(const tr_cluster *c, const kn_baskets *b, const kn_domain *d,
                     size_t most_bytes, kn_part_map *map)
{
    uint32_t records[TR_RECORDS];
    uint8_t mask[TR_ITEMS];
    kn_cluster_items *t;
    kn_error err = {0};
    kn_status status;
    kn_feasibility feasible;

    records_of(c, records);
    mask_of(c, mask);
    assert_int_equal(kn__cluster_items_new(&t, b, d, (size_t)c->k, (size_t)c->m, c->l, mask, 2,
                                           NULL, &err),
                     KN_OK);
    t->most_bytes = most_bytes;
    assert_int_equal(kn__cluster_items_feasible(t, 1, records, (size_t)c->records, &feasible, &err),
                     KN_OK);
    assert_int_equal(feasible == KN_FEASIBLE_AS_ONE, one_group_allowed(c));
    status = kn__cluster_items_run(t, 1, records, (size_t)c->records, map, &err);
    assert_int_equal(feasible != KN_FEASIBLE_NOT, status == KN_OK);
    if (status != KN_OK) {
        assert_int_equal(status, KN_EINFEASIBLE);
        assert_true(err.message[0]);
    }
    kn__cluster_items_free(t);
    return status;
}

/* ---- sets of items ---- */

static void check_sets(const tr_cluster *c, const kn_part_map *map)
{
    int group[TR_ITEMS], size[TR_ITEMS];

    groups_of(c, map, group);
    assert_null(map->node);
    assert_true(tr_allowed(c, group));
    tr_sizes(c, group, size);
    assert_near(map->ul, tr_ul(c, group, size));
    assert_near(map->ncp, tr_set_ncp(c, group, size, TR_ITEMS));
    /* No item is in a group that it could leave. */
    for (int x = 0; x < c->items && c->l == 0; x++) {
        const int was = group[x];
        if (occurs(c, x) && size[was] > 1 && map->groups < TR_ITEMS) {
            group[x] = (int)map->groups;
            assert_false(tr_allowed(c, group));
            group[x] = was;
        }
    }
}

static void test_sets(void **state)
{
    kn_rng r;
    int done = 0, finer = 0;

    (void)state;
    kn__rng_seed(&r, 21, 0);
    for (int n = 0; n < 2 * CASES; n++) {
        tr_cluster c;
        kn_part_map map;
        kn_baskets *b;
        if (n % 8 == 1) {
            spread_cluster(&c, &r);
        } else {
            random_cluster(&c, &r, n % 2);
        }
        b = baskets_of(&c);
        if (run(&c, b, NULL, 0, &map) == KN_OK) {
            check_sets(&c, &map);
            kn__part_map_clear(&map);
            done++;
            finer += !one_group_allowed(&c);
        } else {
            assert_false(one_group_allowed(&c));
            assert_false(items_allowed(&c));
        }
        kn__baskets_free(b);
    }
    assert_true(done >= CASES / 2 && done <= 2 * CASES - CASES / 4);
    assert_true(finer >
                test_rounds(20)); /* diversity is not monotone: only finer items are allowed */
}

/* Against all partitions. UL can be lower where more is generalised than need be, which T does not
 * do. */
static void test_best_sets(void **state)
{
    kn_rng r;
    double ul = 0, ncp = 0, best_ul = 0, best_ncp = 0, fine_ul = 0;
    int feasible = 0, least_ncp = 0, least_ul = 0;

    (void)state;
    kn__rng_seed(&r, 22, 0);
    for (int n = 0; n < test_rounds(900); n++) {
        tr_cluster c;
        kn_part_map map;
        kn_baskets *b;
        tr_best best;
        random_cluster(&c, &r, false);
        b = baskets_of(&c);
        best = tr_best_partition(&c, TR_ITEMS);
        assert_int_equal(run(&c, b, NULL, 0, &map) == KN_OK, best.any);
        if (best.any) {
            assert_true(map.ul >= best.ul - 1e-9 && map.ncp >= best.ncp - 1e-9);
            ul += map.ul;
            ncp += map.ncp;
            best_ul += best.ul;
            fine_ul += best.fine_ul;
            least_ul += map.ul <= best.fine_ul + 1e-9;
            best_ncp += best.ncp;
            feasible++;
            least_ncp += map.ncp <= best.ncp + 1e-9;
            kn__part_map_clear(&map);
        }
        kn__baskets_free(b);
    }
    print_message(
        "UL %.3f of the least, %.3f of the least without needless generalisation, which it "
        "is in %d of %d; NCP %.3f, in %d\n",
        ul / best_ul, ul / fine_ul, least_ul, feasible, ncp / best_ncp, least_ncp);
    assert_true(ul <= 1.05 * fine_ul);
    assert_true(ncp <= 1.15 * best_ncp);
}

/* ---- along a hierarchy ---- */

/* up[l][x]: the node above leaf x on level l, a number within its level; the root is above all. */
typedef struct leaf_tree {
    int leaves, levels, up[LEVELS][TR_ITEMS + 2];
    int missing; /* an item that it does not list, or -1 */
} leaf_tree;

static void random_tree(leaf_tree *t, int items, kn_rng *r)
{
    t->leaves = items + (int)kn__rng_below(r, 3);
    t->levels = 2 + (int)kn__rng_below(r, LEVELS - 1);
    t->missing = kn__rng_below(r, 4) ? -1 : (int)kn__rng_below(r, (uint64_t)items);
    for (int x = 0; x < t->leaves; x++) {
        t->up[0][x] = x;
    }
    for (int l = 1; l < t->levels; l++) {
        int above[TR_ITEMS + 2];
        for (int i = 0; i < TR_ITEMS + 2; i++) {
            above[i] = l == t->levels - 1 ? 0 : (int)kn__rng_below(r, 4);
        }
        for (int x = 0; x < t->leaves; x++) {
            t->up[l][x] = above[t->up[l - 1][x]];
        }
    }
}

typedef struct tree_case {
    tr_cluster c;
    leaf_tree t;
    kn_dataset *ds;
    kn_hierarchies *hs;
    kn_domain *d;
    kn_baskets *b;
} tree_case;

/* The first record holds every item, so that codes are as the oracle's: i0, i1, .. */
static void make_domain(tree_case *x, kn_uncovered uncovered)
{
    kn_buffer all = {0}, text = {0};
    const char *row;

    for (int i = 0; i < TR_ITEMS; i++) {
        kn__buffer_addf(&all, "%si%d", i ? " " : "", i);
    }
    row = all.data;
    x->ds = lists(x->c.bags ? KN_TYPE_BAG : KN_TYPE_SET, &row, 1);
    for (int i = 0; i < x->t.leaves; i++) {
        kn__buffer_addf(&text, "%s%d", i < x->c.items && i != x->t.missing ? "i" : "other", i);
        for (int l = 1; l < x->t.levels - 1; l++) {
            kn__buffer_addf(&text, ";n%d.%d", l, x->t.up[l][i]);
        }
        kn__buffer_adds(&text, ";all\n");
    }
    for (int i = x->c.items; i < TR_ITEMS; i++) { /* the other columns need a place as well */
        kn__buffer_addf(&text, "i%d", i);
        for (int l = 1; l < x->t.levels - 1; l++) {
            kn__buffer_addf(&text, ";x%d", l);
        }
        kn__buffer_adds(&text, ";all\n");
    }
    x->hs = tree(text.data);
    assert_int_equal(kn__domain_new(&x->d, &x->ds->column[0], kn_hierarchies_get(x->hs, "items"),
                                    uncovered, NULL),
                     KN_OK);
    x->b = baskets_of(&x->c);
    kn__buffer_free(&all);
    kn__buffer_free(&text);
}

static void free_domain(tree_case *x)
{
    kn__baskets_free(x->b);
    kn__domain_free(x->d);
    kn_hierarchies_free(x->hs);
    kn_dataset_free(x->ds);
}

static void random_tree_case(tree_case *x, kn_rng *r, bool secrets)
{
    if (secrets && kn__rng_below(r, 4) == 0) {
        spread_cluster(&x->c, r);
    } else {
        random_cluster(&x->c, r, secrets);
    }
    random_tree(&x->t, x->c.items, r);
    make_domain(x, KN_UNCOVERED_ROOT);
}

/* Leaves of the domain at or below a node, by walking up from every leaf of the text. */
static bool is_above(const kn_domain *d, uint32_t node, uint32_t code)
{
    while (code != node && code != kn__domain_root(d)) {
        code = d->parent[code];
    }
    return code == node;
}

/* What is published as one node is one group: the oracle's sizes are the nodes' leaves. */
static void check_tree(const tree_case *x, const kn_part_map *map, double *ncp)
{
    int group[TR_ITEMS], size[TR_ITEMS] = {0};
    double sum = 0;

    groups_of(&x->c, map, group);
    for (uint32_t g = 0; g < map->groups; g++) {
        size[g] = (int)x->d->leaves[map->node[g]];
        for (uint32_t h = 0; h < g; h++) {
            assert_int_not_equal(map->node[g], map->node[h]);
        }
    }
    assert_true(tr_allowed(&x->c, group));
    for (uint32_t i = 0; i < map->items; i++) {
        const uint32_t node = map->node[map->to[i]], code = map->item[i];
        assert_true(is_above(x->d, node, code));
        if (x->c.sensitive[code]) {
            assert_int_equal(node, code);
        } else if ((int)code == x->t.missing) {
            assert_int_equal(node, kn__domain_root(x->d));
        }
        for (int j = 0; j < x->c.records; j++) {
            sum += x->c.times[j][code] * kn__domain_ncp(x->d, node);
        }
    }
    assert_near(map->ul, tr_ul(&x->c, group, size));
    assert_near(map->ncp, sum);
    *ncp = sum;
}

static void test_tree(void **state)
{
    kn_rng r;
    int done = 0, finer = 0;

    (void)state;
    kn__rng_seed(&r, 23, 0);
    for (int n = 0; n < CASES; n++) {
        tree_case x;
        kn_part_map map;
        double ncp, large;
        random_tree_case(&x, &r, n % 2);
        if (run(&x.c, x.b, x.d, SIZE_MAX, &map) == KN_OK) {
            check_tree(&x, &map, &ncp);
            kn__part_map_clear(&map);
            /* The way of clusters too large for strings. */
            assert_int_equal(run(&x.c, x.b, x.d, 0, &map), KN_OK);
            check_tree(&x, &map, &large);
            kn__part_map_clear(&map);
            done++;
            finer += !one_group_allowed(&x.c);
        } else {
            assert_false(one_group_allowed(&x.c));
            assert_false(items_allowed(&x.c));
        }
        free_domain(&x);
    }
    assert_true(done >= CASES / 4 && done <= CASES - CASES / 8);
    assert_true(finer > test_rounds(10));
}

/* Every item as itself or as any node above it: the least NCP of all that are allowed. */
static void try_nodes(const tree_case *x, uint32_t *node, int at, double *best)
{
    const kn_domain *d = x->d;
    int group[TR_ITEMS] = {0};
    double sum = 0;

    if (at < x->c.items) {
        for (node[at] = d->start[at];; node[at] = d->parent[node[at]]) {
            try_nodes(x, node, at + 1, best);
            if (!occurs(&x->c, at) || node[at] == kn__domain_root(d)) {
                return;
            }
        }
    }
    for (int i = 0; i < x->c.items; i++) {
        while (node[group[i]] != node[i]) {
            group[i]++;
        }
        for (int j = 0; j < x->c.records; j++) {
            sum += x->c.times[j][i] * kn__domain_ncp(d, node[i]);
        }
    }
    if (sum < *best && tr_allowed(&x->c, group)) {
        *best = sum;
    }
}

static void test_best_tree(void **state)
{
    kn_rng r;
    int feasible = 0, least = 0;
    double sum = 0, best_sum = 0;

    (void)state;
    kn__rng_seed(&r, 24, 0);
    for (int n = 0; n < test_rounds(800); n++) {
        tree_case x;
        kn_part_map map;
        random_tree_case(&x, &r, false);
        if (x.c.items <= 5 && run(&x.c, x.b, x.d, SIZE_MAX, &map) == KN_OK) {
            uint32_t node[TR_ITEMS];
            double best = INFINITY;
            try_nodes(&x, node, 0, &best);
            assert_true(map.ncp >= best - 1e-9);
            sum += map.ncp;
            best_sum += best;
            least += map.ncp <= best + 1e-9;
            feasible++;
            kn__part_map_clear(&map);
        }
        free_domain(&x);
    }
    print_message("NCP %.3f of the best; the best in %d of %d\n", sum / best_sum, least, feasible);
    assert_true(sum <= 1.05 * best_sum);
}

static void test_uncovered(void **state)
{
    tree_case x = {.c = {.records = 2, .items = 3, .k = 2, .m = 1}};
    const uint32_t records[] = {1, 3};
    kn_cluster_items *t;
    kn_part_map map;
    kn_error err = {0};

    (void)state;
    x.t = (leaf_tree){.leaves = 3, .levels = 2, .missing = 1};
    x.c.times[0][1] = x.c.times[1][1] = 1;
    make_domain(&x, KN_UNCOVERED_SUPPRESS);
    assert_int_equal(kn__cluster_items_new(&t, x.b, x.d, 2, 1, 0, NULL, 1, NULL, &err), KN_OK);
    assert_int_equal(kn__cluster_items_run(t, 0, records, 2, &map, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "hierarchy"));
    kn__cluster_items_free(t);
    free_domain(&x);
}

/* ---- as published ---- */

static kn_dataset *rows_of(const tr_cluster *c, const kn_domain *d, const kn_part_map *map)
{
    kn_buffer rows[TR_RECORDS] = {{0}};
    const char *text[TR_RECORDS];
    kn_dataset *ds;

    for (int i = 0; i < c->records; i++) {
        bool has[TR_ITEMS] = {false};
        kn__buffer_add(&rows[i], "", 0);
        for (int x = 0; x < c->items; x++) {
            uint32_t code = KN_NO_CODE, at = 0, codes[TR_ITEMS];
            size_t count = 0;
            char name[16];
            if (!c->times[i][x]) {
                continue;
            }
            (void)snprintf(name, sizeof name, "i%d", x);
            code = map ? kn__dict_find(d->column->dict, name, strlen(name)) : 0;
            while (map && map->item[at] != code) {
                at++;
            }
            if (map && !c->bags && has[map->to[at]]) {
                continue;
            }
            for (int t = 0; t < c->times[i][x]; t++) {
                kn__buffer_adds(&rows[i], rows[i].len ? " " : "");
                if (!map) {
                    kn__buffer_adds(&rows[i], name);
                } else if (map->node) {
                    kn__domain_publish_node(d, map->node[map->to[at]], &rows[i]);
                } else {
                    count = 0;
                    for (uint32_t j = 0; j < map->items; j++) {
                        codes[count] = map->item[j];
                        count += map->to[j] == map->to[at];
                    }
                    kn__domain_publish_set(d, codes, count, &rows[i]);
                }
            }
            if (map) {
                has[map->to[at]] = true;
            }
        }
        text[i] = rows[i].len ? rows[i].data : "";
    }
    ds = lists(c->bags ? KN_TYPE_BAG : KN_TYPE_SET, text, (size_t)c->records);
    for (int i = 0; i < c->records; i++) {
        kn__buffer_free(&rows[i]);
    }
    return ds;
}

/* What T says that it costs is what is measured when it is published, with weights too. */
static void test_measured(void **state)
{
    kn_rng r;
    int done = 0;

    (void)state;
    kn__rng_seed(&r, 29, 0);
    for (int n = 0; n < test_rounds(900); n++) {
        tree_case x;
        kn_dataset *from, *to;
        kn_domain *d;
        kn_baskets *b;
        kn_cluster_items *t;
        kn_part_map map;
        double *weight;
        uint32_t records[TR_RECORDS];
        random_tree_case(&x, &r, false);
        from = rows_of(&x.c, NULL, NULL);
        assert_int_equal(kn__domain_new(&d, &from->column[0],
                                        n % 2 ? kn_hierarchies_get(x.hs, "items") : NULL,
                                        KN_UNCOVERED_ROOT, NULL),
                         KN_OK);
        assert_int_equal(kn__baskets_of_column(&b, &from->column[0], from->records, NULL), KN_OK);
        assert_int_equal(kn__cluster_items_new(&t, b, d, (size_t)x.c.k, (size_t)x.c.m, 0, NULL, 1,
                                               NULL, NULL),
                         KN_OK);
        for (uint32_t i = 0; i < TR_RECORDS; i++) {
            records[i] = i;
        }
        for (uint32_t i = 0; n % 3 == 0 && i < kn__column_values(&from->column[0]); i++) {
            size_t len;
            const char *text = kn__column_text(&from->column[0], i, &len);
            char item[16];
            (void)snprintf(item, sizeof item, "%.*s", (int)len, text);
            assert_int_equal(kn_dataset_set_item_weight(from, 0, item,
                                                        (double)kn__rng_below(&r, 9) / 8, NULL),
                             KN_OK);
        }
        assert_int_equal(kn__ul_weights_new(&weight, d, NULL), KN_OK);
        kn__cluster_items_weigh(t, weight);
        if (kn__cluster_items_run(t, 0, records, from->records, &map, NULL) == KN_OK && map.items) {
            kn_measures *m;
            kn_error err = {0};
            to = rows_of(&x.c, d, &map);
            if (kn_measure(&m, from, to, NULL, n % 2 ? x.hs : NULL, NULL, &err) != KN_OK) {
                fail_msg("%s", err.message);
            }
            assert_near(kn_measures_value(m, "ul", NULL) * (double)from->records, map.ul);
            assert_near(kn_measures_value(m, "ncp", NULL) * (double)b->starts[b->records], map.ncp);
            kn_measures_free(m);
            kn_dataset_free(to);
            done++;
        }
        kn__part_map_clear(&map);
        kn__cluster_items_free(t);
        kn__free(weight);
        kn__baskets_free(b);
        kn__domain_free(d);
        kn_dataset_free(from);
        free_domain(&x);
    }
    assert_true(done > test_rounds(400));
}

/* ---- the paper ---- */

/* Fig. 1a's items A..H as 0..7, the clusters of Fig. 2a, G and H sensitive. */
static const uint32_t figure_items[] = {1, 4, 5, 6, 3, 4, 5, 7, 1, 2, 4, 6, 3, 5, 7, 4, 6, 0, 5, 7};
static const uint64_t figure_starts[] = {0, 4, 8, 12, 15, 17, 20};

static void test_paper(void **state)
{
    const uint8_t sensitive[8] = {[6] = 1, [7] = 1};
    uint32_t list[20];
    uint64_t starts[7];
    kn_baskets b = {.records = 6, .items = 8, .starts = starts, .list = list};
    kn_feasibility feasible;
    kn_cluster_items *t;
    kn_part_map map;

    (void)state;
    memcpy(list, figure_items, sizeof list);
    memcpy(starts, figure_starts, sizeof starts);
    assert_int_equal(kn__cluster_items_new(&t, &b, NULL, 2, 2, 2, sensitive, 1, NULL, NULL), KN_OK);

    /* E F (B,D) G and E F (B,D) H */
    assert_int_equal(kn__cluster_items_run(t, 0, (uint32_t[]){0, 1}, 2, &map, NULL), KN_OK);
    assert_int_equal(map.items, 6);
    assert_memory_equal(map.item, ((uint32_t[]){1, 3, 4, 5, 6, 7}), 6 * sizeof(uint32_t));
    assert_memory_equal(map.to, ((uint32_t[]){0, 0, 1, 2, 3, 4}), 6 * sizeof(uint32_t));
    assert_near(map.ul, 2 * (1 + 1 + 3 + 1) / 31.0);
    assert_near(map.ncp, 2 * 2 / 8.0);
    kn__part_map_clear(&map);

    /* B, C, E and D, F in two groups of two and three, as (B,C,F) (D,E) are */
    assert_int_equal(kn__cluster_items_run(t, 0, (uint32_t[]){2, 3}, 2, &map, NULL), KN_OK);
    assert_int_equal(map.groups, 2 + 2);
    assert_near(map.ul, 2 * (7 + 3 + 1) / 63.0);
    kn__part_map_clear(&map);

    /* (A,E,F) */
    assert_int_equal(kn__cluster_items_run(t, 0, (uint32_t[]){4, 5}, 2, &map, NULL), KN_OK);
    assert_memory_equal(map.to, ((uint32_t[]){0, 0, 0, 1, 2}), 5 * sizeof(uint32_t));
    assert_near(map.ul, 2 * (7 + 1) / 15.0);
    kn__part_map_clear(&map);

    /* Both with G: half of the records may hold it, not all. */
    assert_int_equal(kn__cluster_items_run(t, 0, (uint32_t[]){0, 2}, 2, &map, NULL),
                     KN_EINFEASIBLE);
    assert_int_equal(kn__cluster_items_feasible(t, 0, (uint32_t[]){0, 2}, 2, &feasible, NULL),
                     KN_OK);
    assert_int_equal(feasible, KN_FEASIBLE_NOT);
    kn__cluster_items_free(t);
}

static void test_refused(void **state)
{
    uint64_t starts[] = {0, 1, 2, 2};
    uint32_t list[] = {0, 1};
    kn_baskets b = {.records = 3, .items = 2, .starts = starts, .list = list};
    kn_cluster_items *t;
    kn_part_map map;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn__cluster_items_new(&t, &b, NULL, 0, 2, 0, NULL, 1, NULL, &err), KN_EUSAGE);
    assert_int_equal(kn__cluster_items_new(&t, &b, NULL, 2, 0, 0, NULL, 1, NULL, &err), KN_EUSAGE);
    assert_int_equal(kn__cluster_items_new(&t, &b, NULL, 2, KN_MOST_M + 1, 0, NULL, 1, NULL, &err),
                     KN_EUSAGE);
    assert_int_equal(kn__cluster_items_new(&t, &b, NULL, 2, 2, 0.5, NULL, 1, NULL, &err),
                     KN_EUSAGE);
    assert_int_equal(kn__cluster_items_new(&t, &b, NULL, 2, 2, NAN, NULL, 1, NULL, &err),
                     KN_EUSAGE);
    assert_null(t);
    assert_int_equal(kn__cluster_items_new(&t, &b, NULL, 3, 2, 0, NULL, 1, NULL, &err), KN_OK);
    assert_int_equal(kn__cluster_items_run(t, 0, (uint32_t[]){0, 1, 2}, 3, &map, &err),
                     KN_EINFEASIBLE);
    assert_non_null(strstr(err.message, "only 2 records"));
    /* Nobody holds anything: nothing to do. */
    assert_int_equal(kn__cluster_items_run(t, 0, (uint32_t[]){2}, 1, &map, &err), KN_OK);
    assert_int_equal(map.items, 0);
    assert_true(map.ul == 0 && map.ncp == 0);
    kn__part_map_clear(&map);
    assert_int_equal(kn__cluster_items_run(t, 0, NULL, 0, &map, &err), KN_OK);
    kn__part_map_clear(&map);
    kn__cluster_items_free(t);
}

/* ---- properties 2 and 3 ---- */

/* UL of two clusters is no less than that of both as one, when T is the best there is; how often
 * ours keeps that is said. */
static void test_larger_clusters(void **state)
{
    kn_rng r;
    int pairs = 0, best_kept = 0, kept = 0;
    double apart = 0, together = 0;

    (void)state;
    kn__rng_seed(&r, 25, 0);
    for (int n = 0; n < test_rounds(900); n++) {
        tr_cluster all, half[2];
        kn_part_map map;
        tr_best best[2], best_all;
        double ul[3];
        random_cluster(&all, &r, false);
        if (all.records < 2 || all.items > 6) {
            continue;
        }
        half[0] = half[1] = all;
        half[0].records = all.records / 2;
        half[1].records = all.records - half[0].records;
        memcpy(half[1].times, all.times[half[0].records],
               (size_t)half[1].records * sizeof *all.times);
        best_all = tr_best_partition(&all, TR_ITEMS);
        for (int i = 0; i < 2; i++) {
            best[i] = tr_best_partition(&half[i], TR_ITEMS);
        }
        if (!best[0].any || !best[1].any) {
            continue;
        }
        assert_true(best_all.any);
        for (int i = 0; i < 3; i++) {
            const tr_cluster *c = i < 2 ? &half[i] : &all;
            kn_baskets *b = baskets_of(c);
            assert_int_equal(run(c, b, NULL, 0, &map), KN_OK);
            ul[i] = map.ul;
            kn__part_map_clear(&map);
            kn__baskets_free(b);
        }
        pairs++;
        best_kept += best[0].ul + best[1].ul >= best_all.ul - 1e-9;
        kept += ul[0] + ul[1] >= ul[2] - 1e-9;
        apart += ul[0] + ul[1];
        together += ul[2];
    }
    print_message("of %d pairs of clusters property 3 holds for the best in %d, for T in %d; UL "
                  "together %.3f of apart\n",
                  pairs, best_kept, kept, together / apart);
    assert_true(pairs > test_rounds(200));
    assert_true(together < apart);
}

/* NCP of one generalised value for all of two groups is no less than with one for each. */
static void test_larger_groups(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 26, 0);
    for (int n = 0; n < 300; n++) {
        tree_case x;
        random_tree_case(&x, &r, false);
        for (int tries = 0; tries < 20; tries++) {
            const int len = 2 + (int)kn__rng_below(&r, 6);
            const int cut = 1 + (int)kn__rng_below(&r, (uint64_t)len - 1);
            uint32_t node[2] = {KN_NO_NODE, KN_NO_NODE}, all = KN_NO_NODE;
            int held[2] = {0, 0};
            for (int i = 0; i < len; i++) {
                const uint32_t code = (uint32_t)kn__rng_below(&r, (uint64_t)x.c.items);
                const int half = i >= cut;
                node[half] = node[half] == KN_NO_NODE ? code
                                                      : kn__domain_lca(x.d, node[half], code);
                all = all == KN_NO_NODE ? code : kn__domain_lca(x.d, all, code);
                held[half]++;
            }
            assert_true(held[0] * kn__domain_ncp(x.d, node[0]) +
                            held[1] * kn__domain_ncp(x.d, node[1]) <=
                        len * kn__domain_ncp(x.d, all) + 1e-12);
        }
        free_domain(&x);
    }
}

/* ---- memory and threads ---- */

static void test_memory(void **state)
{
    kn_rng r;
    int failed = 0, done = 0;

    (void)state;
    kn__rng_seed(&r, 27, 0);
    for (int n = 0; n < 60; n++) {
        tree_case x;
        uint32_t records[TR_RECORDS];
        uint8_t mask[TR_ITEMS];
        const size_t in_use = kn_memory_in_use();
        random_tree_case(&x, &r, n % 2);
        records_of(&x.c, records);
        mask_of(&x.c, mask);
        for (size_t at = 1;; at++) {
            const size_t before = kn_memory_in_use();
            kn_cluster_items *t = NULL;
            kn_part_map map = {0};
            kn_status status;
            kn__memory_fail_after(at);
            status = kn__cluster_items_new(&t, x.b, n % 3 ? x.d : NULL, (size_t)x.c.k,
                                           (size_t)x.c.m, x.c.l, mask, 2, NULL, NULL);
            if (status == KN_OK) {
                t->most_bytes = n % 3 == 1 ? 0 : SIZE_MAX;
                status = kn__cluster_items_run(t, 0, records, (size_t)x.c.records, &map, NULL);
            }
            if (status != KN_OK) {
                assert_null(map.item);
            }
            done += status == KN_OK;
            kn__part_map_clear(&map);
            if (t && status == KN_ENOMEM) { /* it can be used again */
                kn__memory_fail_after(0);
                status = kn__cluster_items_run(t, 0, records, (size_t)x.c.records, &map, NULL);
                assert_true(status == KN_OK || status == KN_EINFEASIBLE);
                kn__part_map_clear(&map);
                status = KN_ENOMEM;
            }
            kn__memory_fail_after(0);
            kn__cluster_items_free(t);
            assert_int_equal(kn_memory_in_use(), before);
            if (status != KN_ENOMEM) {
                break;
            }
            failed++;
        }
        free_domain(&x);
        assert_int_equal(kn_memory_in_use(), in_use);
    }
    assert_true(failed > 100 && done > 10);
}

enum { CLUSTERS = 300, CLUSTER = 70, MANY_ITEMS = 150 };

typedef struct many {
    kn_cluster_items *t;
    kn_part_map *map;
    kn_status *status;
} many;

static void run_many(void *user, unsigned worker, size_t begin, size_t end)
{
    many *x = user;

    for (size_t i = begin; i < end; i++) {
        uint32_t records[CLUSTER];
        for (uint32_t j = 0; j < CLUSTER; j++) {
            records[j] = (uint32_t)i * CLUSTER + j;
        }
        x->status[i] = kn__cluster_items_run(x->t, worker, records, CLUSTER - i % 40, &x->map[i],
                                             NULL);
    }
}

/* Many clusters of sizes around 64, with sensitive items and without: the same for one thread and
 * four, and allowed, by counting pairs. */
static void test_threads(void **state)
{
    uint8_t sensitive[MANY_ITEMS] = {0};
    kn_baskets b = {.records = (size_t)CLUSTERS * CLUSTER, .items = MANY_ITEMS};
    uint64_t at = 0;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 28, 0);
    b.starts = kn__malloc_array(b.records + 1, sizeof *b.starts);
    b.list = kn__malloc_array(b.records * 8, sizeof *b.list);
    b.starts[0] = 0;
    for (size_t i = 0; i < b.records; i++) {
        bool has[MANY_ITEMS] = {false};
        for (size_t j = 1 + kn__rng_below(&r, 8); j > 0; j--) {
            has[kn__rng_below(&r, 1 + kn__rng_below(&r, MANY_ITEMS))] = true;
        }
        for (uint32_t x = 0; x < MANY_ITEMS; x++) {
            if (has[x]) {
                b.list[at++] = x;
            }
        }
        b.starts[i + 1] = at;
    }
    for (size_t i = 100; i < MANY_ITEMS; i++) {
        sensitive[i] = 1;
    }
    for (int secrets = 0; secrets < 2; secrets++) {
        many x[2];
        size_t done = 0;
        for (unsigned i = 0; i < 2; i++) {
            x[i].map = kn__zalloc_array(CLUSTERS, sizeof *x[i].map);
            x[i].status = kn__zalloc_array(CLUSTERS, sizeof *x[i].status);
            assert_int_equal(kn__cluster_items_new(&x[i].t, &b, NULL, 5, 2, secrets ? 3 : 0,
                                                   sensitive, i ? 4 : 1, NULL, NULL),
                             KN_OK);
            kn__parallel_for(i ? 4 : 1, CLUSTERS, 1, run_many, &x[i]);
        }
        for (size_t i = 0; i < CLUSTERS; i++) {
            const kn_part_map *one = &x[0].map[i], *four = &x[1].map[i];
            assert_int_equal(x[0].status[i], x[1].status[i]);
            assert_int_equal(one->items, four->items);
            assert_true(one->ul == four->ul && one->ncp == four->ncp);
            assert_true(one->items == 0 ||
                        memcmp(one->to, four->to, one->items * sizeof *one->to) == 0);
            done += x[0].status[i] == KN_OK;
        }
        assert_true(done >= CLUSTERS / 2 && done <= CLUSTERS);
        for (unsigned i = 0; i < 2; i++) {
            for (size_t j = 0; j < CLUSTERS; j++) {
                kn__part_map_clear(&x[i].map[j]);
            }
            kn__cluster_items_free(x[i].t);
            kn__free(x[i].map);
            kn__free(x[i].status);
        }
    }
    kn__free(b.starts);
    kn__free(b.list);
}

/* ---- real data ---- */

/* Clicks of 8,000 people in clusters of 40, and of 4,000 as one: what is published holds no rare
 * combination, by the search that checks releases. */
static void check_clusters(const kn_baskets *b, const kn_domain *d, size_t records, size_t size,
                           size_t m)
{
    uint32_t *to = kn__malloc_array(b->items, sizeof *to);
    uint32_t *list = kn__malloc_array(size, sizeof *list);
    const kn_run one = {.threads = 1};
    size_t done = 0;
    kn_cluster_items *t;

    assert_int_equal(kn__cluster_items_new(&t, b, d, 5, m, 0, NULL, 1, NULL, NULL), KN_OK);
    for (size_t at = 0; at + size <= records; at += size) {
        kn_baskets part = {.records = size, .items = b->items}, *published;
        kn_part_map map;
        kn_rare_list *rare;
        for (size_t i = 0; i < size; i++) {
            list[i] = (uint32_t)(at + i);
        }
        if (kn__cluster_items_run(t, 0, list, size, &map, NULL) != KN_OK) {
            continue;
        }
        memset(to, 0xff, b->items * sizeof *to);
        for (uint32_t i = 0; i < map.items; i++) {
            to[map.item[i]] = map.to[i];
        }
        part.starts = kn__malloc_array(size + 1, sizeof *part.starts);
        for (size_t i = 0; i <= size; i++) {
            part.starts[i] = b->starts[at + i] - b->starts[at];
        }
        part.list = b->list + b->starts[at];
        assert_int_equal(kn__baskets_map(&published, &part, to, map.groups, &one, NULL), KN_OK);
        assert_int_equal(kn__rare_find(&rare, published, 5, m, 1, &one, NULL), KN_OK);
        assert_int_equal(rare->count, 0);
        done++;
        kn__rare_list_free(rare);
        kn__baskets_free(published);
        kn__free(part.starts);
        kn__part_map_clear(&map);
    }
    assert_true(done >= records / size / 2 && done > 0);
    kn__cluster_items_free(t);
    kn__free(to);
    kn__free(list);
}

static void test_clicks(void **state)
{
    const char *const folder = KN_SHARED_DATA "/sets/bms-webview-2";
    char path[4096];
    kn_dataset *ds;
    kn_hierarchy *h;
    kn_error err = {0};

    (void)state;
    (void)snprintf(path, sizeof path, "%s.dat.zst", folder);
    if (access(path, R_OK) != 0) {
        print_message("skipped: %s is not there\n", path);
        skip();
    }
    if (kn_read(&ds, path, NULL, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    (void)snprintf(path, sizeof path, "%s.hierarchy.csv", folder);
    if (kn_hierarchy_read(&h, path, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    for (int tree_too = 0; tree_too < 2; tree_too++) {
        kn_domain *d;
        kn_baskets *b;
        assert_int_equal(kn__domain_new(&d, &ds->column[0], tree_too ? h : NULL, KN_UNCOVERED_ROOT,
                                        NULL),
                         KN_OK);
        assert_int_equal(kn__baskets_of_column(&b, &ds->column[0], ds->records, NULL), KN_OK);
        check_clusters(b, d, 8000, 40, 3);
        check_clusters(b, d, 4000, 4000, 2);
        kn__baskets_free(b);
        kn__domain_free(d);
    }
    kn_hierarchy_free(h);
    kn_dataset_free(ds);
}

static int stop_at_once(void *user, const char *phase, double done)
{
    (void)phase;
    (void)done;
    return ++*(int *)user;
}

/* A large cluster can be cancelled, by the worker on the calling thread. */
static void test_cancelled(void **state)
{
    enum { RECORDS = 60000, ITEMS = 1000 };
    int calls = 0;
    const kn_run stop = {.progress = stop_at_once, .user = &calls};
    kn_baskets b = {.records = RECORDS, .items = ITEMS};
    uint32_t *records = kn__malloc_array(RECORDS, sizeof *records);
    kn_cluster_items *t;
    kn_part_map map;
    kn_error err = {0};
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 30, 0);
    b.starts = kn__malloc_array(RECORDS + 1, sizeof *b.starts);
    b.list = kn__malloc_array(2 * RECORDS, sizeof *b.list);
    for (uint32_t i = 0; i < RECORDS; i++) {
        b.starts[i] = 2 * (uint64_t)i;
        b.list[2 * i] = (uint32_t)kn__rng_below(&r, ITEMS / 2);
        b.list[2 * i + 1] = ITEMS / 2 + (uint32_t)kn__rng_below(&r, ITEMS / 2);
        records[i] = i;
    }
    b.starts[RECORDS] = 2 * (uint64_t)RECORDS;
    assert_int_equal(kn__cluster_items_new(&t, &b, NULL, 1, 2, 0, NULL, 2, &stop, &err), KN_OK);
    assert_int_equal(kn__cluster_items_run(t, 0, records, RECORDS, &map, &err), KN_ECANCELLED);
    assert_null(map.item);
    assert_int_equal(calls, 1);
    assert_int_equal(kn__cluster_items_run(t, 1, records, RECORDS, &map, &err), KN_OK);
    assert_int_equal(calls, 1);
    assert_int_equal(map.groups, ITEMS);
    kn__part_map_clear(&map);
    kn__cluster_items_free(t);
    kn__free(b.starts);
    kn__free(b.list);
    kn__free(records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_best_sets),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_best_tree),
        cmocka_unit_test(test_uncovered),
        cmocka_unit_test(test_measured),
        cmocka_unit_test(test_larger_clusters),
        cmocka_unit_test(test_larger_groups),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_clicks),
        cmocka_unit_test(test_cancelled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
