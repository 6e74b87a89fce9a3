/* lra against the definitions, on thousands of small random sets and bags: each record is
 * published as itself, generalised, the whole is k^m-anonymous by the oracle, and no global
 * recoding that apriori finds loses less. */
#include "base/validate.h"
#include "methods/sets/km_case.h"
#include "methods/sets/lra.h"
#include "rounds.h"

static bool names_validate(const kn_names *n, const char **reason)
{
    const kn_cut *c = n->c;
    double loss = 0;

    for (size_t i = 0; i < c->records; i++) {
        for (uint64_t p = c->starts[i]; p < c->starts[i + 1]; p++) {
            const uint32_t name = n->name[p];
            if (name >= c->nodes || c->place[p] < c->low[name] || c->place[p] >= c->high[name]) {
                return kn__broken(reason, "an item has a name that is not above it");
            }
            if (p > c->starts[i] && c->place[p] == c->place[p - 1] && name != n->name[p - 1]) {
                return kn__broken(reason, "an item has two names in a record");
            }
            loss += (double)c->weight[i] *
                    kn__domain_ncp(c->domain, name == c->apart ? c->root : name);
        }
    }
    if (loss - n->loss > 1e-6 * c->cost[c->root] || n->loss - loss > 1e-6 * c->cost[c->root]) {
        return kn__broken(reason, "the loss is not that of the names");
    }
    return true;
}

#define CASES test_rounds(4000)

/* The names as the oracle sees them; their loss. */
static double judge_names(const km_case *c, const kn_names *n)
{
    const kn_cut *cut = n->c;
    const kn_domain *d = cut->domain;
    double loss = 0;
    km_general g = {0};

    for (size_t i = 0; i < cut->records; i++) {
        for (uint32_t w = 0; w < cut->weight[i]; w++, g.records++) {
            for (uint64_t p = cut->starts[i]; p < cut->starts[i + 1]; p++) {
                const uint32_t name = n->name[p];
                size_t len;
                uint32_t code = 0;
                while (cut->place_of[code] != cut->place[p]) {
                    code++;
                }
                const char *text = kn__column_text(d->column, code, &len);
                const int x = node_of(text, len);
                const int level = name < d->values ? 0 : atoi(d->label[name - d->values] + 1) / 10;
                int *times = &g.times[g.records][c->tree.node[level][x]];
                *times = c->data.bags ? *times + 1 : 1;
                loss += km_level_ncp(&c->tree, level, x);
            }
        }
    }
    assert_true(km_anonymous(&g, c->k, c->m));
    return loss;
}

static void test_refine(void **state)
{
    double before = 0, after = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 11, 0);
    for (int n = 0; n < CASES; n++) {
        km_case c;
        kn_dataset *ds;
        kn_hierarchies *hs;
        kn_domain *d;
        kn_baskets *b;
        kn_cut *cut;
        size_t size;
        uint64_t support;
        random_case(&c, &rng);
        ds = make_dataset(&c.data);
        hs = make_hierarchies(&c.tree, c.tree.leaves);
        assert_int_equal(kn__domain_new(&d, &ds->column[0], kn_hierarchies_get(hs, "items"),
                                        KN_UNCOVERED_ERROR, NULL),
                         KN_OK);
        assert_int_equal(kn__baskets_of_column(&b, &ds->column[0], ds->records, NULL), KN_OK);
        assert_int_equal(kn__cut_new(&cut, d, b, (size_t)c.k, (size_t)c.m, 2, NULL), KN_OK);
        if (kn__cut_root_holds(cut, &size, &support)) {
            const kn_run run = {.threads = 1 + (unsigned)(n % 3)};
            const char *reason = "";
            kn_names *names;
            double was;
            if (n % 3) { /* otherwise from the root down */
                assert_int_equal(kn__apriori_search(cut, KN_APRIORI_WORK, NULL, NULL), KN_OK);
            }
            if (n % 3 == 2) {
                assert_int_equal(kn__cut_split_partly(cut, NULL, NULL), KN_OK);
            }
            assert_int_equal(kn__names_new(&names, cut, NULL), KN_OK);
            assert_true(names_validate(names, &reason));
            was = names->loss;
            assert_int_equal(kn__names_refine(names, &run, NULL), KN_OK);
            assert_true(names_validate(names, &reason));
            assert_true(names->loss <= was + 1e-9);
            assert_true(fabs(judge_names(&c, names) - names->loss) < 1e-9);
            before += was;
            after += names->loss;
            kn__names_free(names);
        }
        kn__cut_free(cut);
        kn__baskets_free(b);
        kn__domain_free(d);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
    print_message("refined: %.4f of the loss is left\n", after / before);
    assert_true(after < before);
}

static void test_random(void **state)
{
    double ours = 0, cuts = 0;
    int feasible = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 12, 0);
    for (int n = 0; n < CASES; n++) {
        km_case c;
        kn_dataset *ds;
        kn_hierarchies *hs;
        kn_release *r = NULL;
        kn_guarantee g;
        kn_run run = {.threads = 1 + (unsigned)(n % 3)};
        double ncp, least;
        random_case(&c, &rng);
        ds = make_dataset(&c.data);
        hs = make_hierarchies(&c.tree, c.tree.leaves);
        g = asked(&c);
        const size_t parts = kn__rng_below(&rng, 5);
        const kn_anonymize_options o = {.guarantees = &g,
                                        .guarantees_count = 1,
                                        .method = "lra",
                                        .params = parts ? METHOD_PARAMS("lra", "parts=%zu", parts)
                                                        : NULL};
        const kn_status status = kn_anonymize(&r, ds, hs, &o, &run, NULL);
        least = km_best(&c.data, &c.tree, c.k, c.m);
        if (isinf(least)) {
            assert_int_equal(status, KN_EINFEASIBLE);
            assert_null(r);
        } else {
            assert_int_equal(status, KN_OK);
            assert_string_equal(kn_release_method(r), "lra");
            ncp = judge_local(&c, r);
            assert_holds(r, &g, hs, &run);
            assert_true(ncp <= least + 1e-9);
            ours += ncp;
            cuts += least;
            feasible++;
        }
        kn_release_free(r);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
    print_message("%d of %d feasible; loss %.4f times that of the best cut\n", feasible, CASES,
                  ours / cuts);
    assert_true(feasible > CASES / 4);
}

/* On tiny problems, against the best of all local recodings. */
static void test_optimum(void **state)
{
    double ours = 0, best = 0;
    int tried = 0, optimal = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 13, 0);
    while (tried < 300) {
        km_case c;
        random_case(&c, &rng);
        if (km_pairs(&c.data) > KM_PAIRS || km_pairs(&c.data) == 0 || c.tree.levels > 3 ||
            c.k < 2 || isinf(km_best(&c.data, &c.tree, c.k, c.m))) {
            continue;
        }
        kn_dataset *ds = make_dataset(&c.data);
        kn_hierarchies *hs = make_hierarchies(&c.tree, c.tree.leaves);
        kn_release *r;
        const kn_guarantee g = asked(&c);
        const kn_anonymize_options o = {.guarantees = &g, .guarantees_count = 1, .method = "lra"};
        int all = 0;
        for (int i = 0; i < c.data.records; i++) {
            all += km_size(c.data.times[i]);
        }
        assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, NULL), KN_OK);
        const double ncp = judge_local(&c, r);
        const double least = km_local_best(&c.data, &c.tree, c.k, c.m) / all;
        ours += ncp;
        best += least;
        optimal += ncp <= least + 1e-9;
        tried++;
        kn_release_free(r);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
    print_message("%d of %d optimal; loss %.4f times the optimum\n", optimal, tried, ours / best);
    assert_true(ours < best * 1.25);
}

/* ---- by hand ---- */

static const char *const baskets[] = {"milk",      "milk",      "milk leek", "milk leek",
                                      "milk plum", "brie plum", "brie",      "feta"};
static const char groups[] = "milk;dairy;*\nbrie;dairy;*\nfeta;dairy;*\nleek;greens;*\n"
                             "plum;fruit;*\n";

/* Milk with a plum is alone; milk is not. */
static void test_shop(void **state)
{
    const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    kn_anonymize_options o = {.guarantees = &g, .guarantees_count = 1, .method = "lra"};
    kn_dataset *ds = dataset_of(baskets, 8, KN_TYPE_SET);
    kn_hierarchies *hs = hierarchies_of(groups);
    kn_release *r;

    (void)state;
    for (int i = 0; i < 2; i++) {
        o.params = i ? METHOD_PARAMS("lra", "parts=2") : NULL;
        assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, NULL), KN_OK);
        assert_int_equal(kn_write(kn_release_data(r), "out.csv", NULL, NULL, NULL), KN_OK);
        char *written = slurp("out.csv");
        assert_string_equal(written,
                            "items,town\nmilk,B\nmilk,A\n\"leek milk\",B\n\"leek milk\",A\n"
                            "\"dairy plum\",B\n\"dairy plum\",A\ndairy,B\ndairy,A\n");
        free(written);
        kn_release_free(r);
    }
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

/* Uncovered items, missing ones and empty records, as with apriori. */
static void test_uncovered(void **state)
{
    static const char *const some[] = {"milk x", "milk y", "milk", "milk leek", "", "leek"};
    const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    kn_anonymize_options o = {.guarantees = &g, .guarantees_count = 1, .method = "lra"};
    kn_dataset *ds = dataset_of(some, 6, KN_TYPE_SET);
    kn_hierarchies *hs = hierarchies_of(groups);
    kn_release *r = NULL;

    (void)state;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, NULL), KN_EINPUT);
    assert_null(r);
    o.uncovered = KN_UNCOVERED_SUPPRESS;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, NULL), KN_OK);
    assert_int_equal(kn_release_suppressed(r), 2);
    assert_int_equal(kn_release_data(r)->records, 4);
    kn_release_free(r);
    o.uncovered = KN_UNCOVERED_ROOT;
    o.params = METHOD_PARAMS("lra", "parts=2");
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, NULL), KN_OK);
    assert_int_equal(kn_release_data(r)->records, 6);
    assert_holds(r, &g, hs, NULL);
    kn_release_free(r);
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

static void test_refused(void **state)
{
    kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = 9, .m = 2};
    const kn_anonymize_options o = {.guarantees = &g, .guarantees_count = 1, .method = "lra"};
    kn_dataset *ds = dataset_of(baskets, 8, KN_TYPE_SET);
    kn_hierarchies *hs = hierarchies_of(groups);
    kn_release *r = NULL;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_EINFEASIBLE);
    assert_non_null(strstr(err.message, "8 records"));
    g.k = 2;
    assert_int_equal(kn_anonymize(&r, ds, NULL, &o, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "lra generalises along a hierarchy"));
    assert_null(r);
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

/* ---- memory and threads ---- */

static void test_memory(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 14, 0);
    for (int n = 0; n < 12; n++) {
        km_case c;
        kn_run run = {.threads = 1 + (unsigned)(n % 2)};
        feasible_case(&c, &rng);
        kn_dataset *ds = make_dataset(&c.data);
        kn_hierarchies *hs = make_hierarchies(&c.tree, c.tree.leaves);
        const kn_guarantee g = asked(&c);
        const kn_anonymize_options o = {.guarantees = &g,
                                        .guarantees_count = 1,
                                        .method = "lra",
                                        .params = n % 3 ? METHOD_PARAMS("lra", "parts=2") : NULL};
        kn_release *r = survive(ds, hs, &o, &run);
        judge_local(&c, r);
        kn_release_free(r);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
}

/* Web shop sessions: half of what apriori loses, and the same with any number of threads. */
static void test_sessions(void **state)
{
    const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = 5, .m = 2};
    const kn_anonymize_options o = {.guarantees = &g, .guarantees_count = 1, .method = "lra"};
    kn_dataset *ds;
    kn_hierarchies *hs;
    kn_release *r[2];
    kn_domain *d;
    kn_baskets *b;
    kn_cut *cut;
    kn_names *names;
    double global;

    (void)state;
    if (!read_sessions(&ds, &hs)) {
        skip();
    }
    for (unsigned i = 0; i < 2; i++) {
        const kn_run run = {.threads = 1 + 2 * i};
        assert_int_equal(kn_anonymize(&r[i], ds, hs, &o, &run, NULL), KN_OK);
    }
    same_items(r[0], r[1]);
    assert_holds(r[0], &g, hs, NULL);
    kn_release_free(r[0]);
    kn_release_free(r[1]);
    assert_int_equal(kn__domain_new(&d, &ds->column[0], kn_hierarchies_get(hs, "items"),
                                    KN_UNCOVERED_ERROR, NULL),
                     KN_OK);
    assert_int_equal(kn__baskets_of_column(&b, &ds->column[0], ds->records, NULL), KN_OK);
    assert_int_equal(kn__cut_new(&cut, d, b, 5, 2, 2, NULL), KN_OK);
    assert_int_equal(kn__apriori_search(cut, KN_APRIORI_WORK, NULL, NULL), KN_OK);
    assert_int_equal(kn__cut_split_partly(cut, NULL, NULL), KN_OK);
    global = cut->loss;
    assert_int_equal(kn__names_new(&names, cut, NULL), KN_OK);
    assert_int_equal(kn__names_refine(names, NULL, NULL), KN_OK);
    print_message("ncp %.6f, apriori %.6f\n", names->loss / cut->all, global / cut->all);
    assert_true(names->loss < global / 2);
    kn__names_free(names);
    kn__cut_free(cut);
    kn__baskets_free(b);
    kn__domain_free(d);
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

static void test_stopped(void **state)
{
    (void)state;
    assert_stops("lra", "conflicts");
    assert_stops("lra", "estimate");
    assert_stops("lra", "lra");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refine),    cmocka_unit_test(test_random),
        cmocka_unit_test(test_optimum),   cmocka_unit_test(test_shop),
        cmocka_unit_test(test_uncovered), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_memory),    cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_sessions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
