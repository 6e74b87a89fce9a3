/* apriori against the definitions, on thousands of small random sets and bags: what it publishes is
 * a cut of the hierarchy, satisfies k^m-anonymity by the oracle, and loses as little as the best of
 * all cuts. */
#include "base/validate.h"
#include "methods/sets/km_case.h"
#include "rounds.h"

static bool cut_validate(const kn_cut *c, const char **reason)
{
    double loss = 0;

    for (uint32_t i = 0; i < c->places; i++) {
        const uint32_t node = c->to[i];
        loss += (double)c->times[i] * kn__domain_ncp(c->domain, node == c->apart ? c->root : node);
        if (node >= c->nodes || !c->in[node] || i < c->low[node] || i >= c->high[node]) {
            return kn__broken(reason, "an item is published as a node that is not above it");
        }
    }
    for (uint32_t node = 0; node < c->nodes; node++) {
        for (uint32_t i = c->low[node]; c->in[node] && !c->partial && i < c->high[node]; i++) {
            if (c->to[i] != node) {
                return kn__broken(reason, "a node of the cut is above another");
            }
        }
    }
    if (loss - c->loss > 1e-6 * c->cost[c->root] || c->loss - loss > 1e-6 * c->cost[c->root]) {
        return kn__broken(reason, "the loss is not that of the cut");
    }
    for (size_t i = 0; i < c->records; i++) {
        for (uint64_t j = c->starts[i] + 1; j < c->starts[i + 1]; j++) {
            if (c->place[j] < c->place[j - 1]) {
                return kn__broken(reason, "a record is not sorted");
            }
        }
    }
    return true;
}

#define CASES test_rounds(4000)

static void test_random(void **state)
{
    double ours = 0, best = 0;
    int optimal = 0, feasible = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 3, 0);
    for (int n = 0; n < CASES; n++) {
        km_case c;
        kn_dataset *ds;
        kn_hierarchies *hs;
        kn_release *r = NULL;
        kn_guarantee g;
        kn_run run = {.threads = 1 + (unsigned)(n % 3)};
        kn_error err = {0};
        double ncp, least;
        random_case(&c, &rng);
        ds = make_dataset(&c.data);
        hs = make_hierarchies(&c.tree, c.tree.leaves);
        g = asked(&c);
        const kn_anonymize_options o = {.guarantees = &g,
                                        .guarantees_count = 1,
                                        .params = METHOD_PARAMS("apriori", "subtree=true")};
        const kn_status status = kn_anonymize(&r, ds, hs, &o, &run, &err);
        least = km_best(&c.data, &c.tree, c.k, c.m);
        if (isinf(least)) {
            assert_int_equal(status, KN_EINFEASIBLE);
            assert_null(r);
            goto next;
        }
        assert_int_equal(status, KN_OK);
        assert_string_equal(kn_release_method(r), "apriori");
        ncp = judge(&c, r);
        assert_true(ncp >= least - 1e-12);
        optimal += ncp < least + 1e-12;
        ours += ncp;
        best += least;
        feasible++;
        assert_holds(r, &g, hs, &run);
    next:
        kn_release_free(r);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
    print_message("%d of %d feasible; %d optimal; loss %.4f times the optimum\n", feasible, CASES,
                  optimal, ours / best);
    assert_true(feasible > CASES / 4);
    assert_int_equal(optimal, feasible);
}

/* Parted, it is still k^m-anonymous, and loses no more. */
static double check_parted(const km_case *c, kn_cut *cut)
{
    const double before = kn__cut_ncp(cut);
    const char *reason = "";
    km_general g;
    int level[KM_LEAVES];

    assert_int_equal(kn__cut_split_partly(cut, NULL, NULL), KN_OK);
    assert_true(cut_validate(cut, &reason));
    read_cut(cut, level);
    km_generalise(&c->data, &c->tree, level, &g);
    assert_true(km_anonymous(&g, c->k, c->m));
    assert_true(fabs(kn__cut_ncp(cut) - km_ncp(&c->data, &c->tree, level)) < 1e-12);
    assert_true(kn__cut_ncp(cut) <= before + 1e-12);
    return kn__cut_ncp(cut);
}

/* Without the list of conflicts they are learnt. */
static void test_learning(void **state)
{
    double ours = 0, best = 0, parted = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 4, 0);
    for (int n = 0; n < CASES / 2; n++) {
        km_case c;
        kn_dataset *ds;
        kn_hierarchies *hs;
        kn_domain *d;
        kn_baskets *b;
        kn_cut *cut;
        kn_run run = {.threads = 1 + (unsigned)(n % 2)};
        size_t size;
        uint64_t support;
        const char *reason = "";
        random_case(&c, &rng);
        ds = make_dataset(&c.data);
        hs = make_hierarchies(&c.tree, c.tree.leaves);
        assert_int_equal(kn__domain_new(&d, &ds->column[0], kn_hierarchies_get(hs, "items"),
                                        KN_UNCOVERED_ERROR, NULL),
                         KN_OK);
        assert_int_equal(kn__baskets_of_column(&b, &ds->column[0], ds->records, NULL), KN_OK);
        assert_int_equal(kn__cut_new(&cut, d, b, (size_t)c.k, (size_t)c.m, 2, NULL), KN_OK);
        if (kn__cut_root_holds(cut, &size, &support)) {
            const double least = km_best(&c.data, &c.tree, c.k, c.m);
            km_general g;
            int level[KM_LEAVES];
            assert_int_equal(kn__apriori_search(cut, n % 4 == 3 ? KN_APRIORI_WORK : 0, &run, NULL),
                             KN_OK);
            assert_true(cut_validate(cut, &reason));
            read_cut(cut, level);
            km_generalise(&c.data, &c.tree, level, &g);
            assert_true(km_anonymous(&g, c.k, c.m));
            assert_true(kn__cut_ncp(cut) >= least - 1e-12);
            ours += kn__cut_ncp(cut);
            best += least;
            for (uint32_t node = 0; node < cut->nodes; node++) { /* nothing can be split */
                bool done = false;
                kn_witness why;
                if (cut->in[node]) {
                    assert_int_equal(kn__cut_split(cut, node, &done, &why, NULL), KN_OK);
                    assert_false(done);
                }
            }
            parted += check_parted(&c, cut);
        } else {
            assert_true(isinf(km_best(&c.data, &c.tree, c.k, c.m)));
        }
        kn__cut_free(cut);
        kn__baskets_free(b);
        kn__domain_free(d);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
    print_message("learning: loss %.4f times the optimum; parted %.4f\n", ours / best,
                  parted / best);
    assert_true(ours < best * 1.02);
}

/* ---- the paper ---- */

/* Table 1 with the hierarchy of Figure 1 gives Table 2, for k = 2, m = 2. (The paper prints the
 * first record with 20000 among the (30000-40000]; the fifth record shows where it belongs.) */
static void test_paper(void **state)
{
    const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    kn_anonymize_options o = {.guarantees = &g, .guarantees_count = 1, .method = "apriori"};
    const char *folder = KN_TEST_DATA "/../../examples/income/";
    char path[3][400];
    kn_dataset *ds;
    kn_hierarchies *hs;
    kn_hierarchy *h;
    kn_release *r;
    char *meant, *written;

    (void)state;
    snprintf(path[0], sizeof path[0], "%stable1.dat", folder);
    snprintf(path[1], sizeof path[1], "%sfigure1.hierarchy.csv", folder);
    snprintf(path[2], sizeof path[2], "%stable2.dat", folder);
    assert_int_equal(kn_read(&ds, path[0], NULL, NULL, NULL), KN_OK);
    kn_dataset_set_role(ds, 0, KN_ROLE_QUASI, NULL);
    assert_int_equal(kn_dataset_type(ds, 0), KN_TYPE_BAG);
    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn_hierarchy_read(&h, path[1], NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, "items", h, NULL), KN_OK);
    meant = slurp(path[2]);
    for (int i = 0; i < 2; i++) { /* nothing can keep its name, so it is the same either way */
        o.params = METHOD_PARAMS("apriori", "subtree=%s", i == 1 ? "true" : "false");
        assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, NULL), KN_OK);
        assert_int_equal(kn_write(kn_release_data(r), "out.dat", NULL, NULL, NULL), KN_OK);
        written = slurp("out.dat");
        assert_string_equal(written, meant);
        free(written);
        kn_release_free(r);
    }
    free(meant);
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

/* ---- what users may get wrong ---- */

static const char *const cells[] = {"a b", "a b x", "a", "a b", "", "b"};
static const char rows[] = "a;g;*\nb;g;*\nc;h;*\n";

static void test_uncovered(void **state)
{
    const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    kn_anonymize_options o = {.guarantees = &g, .guarantees_count = 1};
    kn_dataset *ds = dataset_of(cells, 6, KN_TYPE_SET);
    kn_hierarchies *hs = hierarchies_of(rows);
    kn_release *r = NULL;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_EINPUT);
    assert_null(r);
    assert_non_null(strstr(err.message, "\"x\""));
    /* The record that holds it goes; the others stay as they are. */
    o.uncovered = KN_UNCOVERED_SUPPRESS;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_OK);
    assert_int_equal(kn_release_suppressed(r), 1);
    assert_int_equal(kn_release_data(r)->records, 5);
    assert_int_equal(kn_release_origin(r, 1), 2);
    assert_int_equal(kn_dataset_values(kn_release_data(r), 0), 2);
    kn_release_free(r);
    o.suppressed = KN_SUPPRESSED_STARRED;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_EUSAGE);
    /* As the root it is alone with one record, so everything becomes the root, */
    o.suppressed = KN_SUPPRESSED_REMOVED;
    o.uncovered = KN_UNCOVERED_ROOT;
    o.params = METHOD_PARAMS("apriori", "subtree=true");
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_OK);
    assert_int_equal(kn_dataset_values(kn_release_data(r), 0), 1);
    assert_int_equal(kn_release_data(r)->column[0].starts[6], 5);
    kn_release_free(r);
    /* or one of the others does. */
    o.params = NULL;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_OK);
    assert_int_equal(kn_dataset_values(kn_release_data(r), 0), 2);
    assert_int_equal(kn_release_data(r)->column[0].starts[6], 8);
    kn_release_free(r);
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

/* Values that no leaf covers are one item beside the others when enough records hold them. */
static void test_root_beside(void **state)
{
    static const char *const some[] = {"a x", "a y", "a", "a", "b", "b"};
    const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    const kn_anonymize_options o = {.guarantees = &g,
                                    .guarantees_count = 1,
                                    .uncovered = KN_UNCOVERED_ROOT};
    kn_dataset *ds = dataset_of(some, 6, KN_TYPE_SET);
    kn_hierarchies *hs = hierarchies_of(rows);
    kn_release *r;

    (void)state;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, NULL), KN_OK);
    assert_int_equal(kn_dataset_values(kn_release_data(r), 0), 3);
    assert_int_equal(kn_release_data(r)->column[0].starts[6], 8);
    kn_release_free(r);
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

static void test_refused(void **state)
{
    kn_guarantee g[2] = {{.kind = KN_KM_ANONYMITY, .k = 7, .m = 2},
                         {.kind = KN_K_ANONYMITY, .k = 2}};
    kn_anonymize_options o = {.guarantees = g, .guarantees_count = 1};
    kn_dataset *ds = dataset_of(cells, 6, KN_TYPE_SET);
    kn_hierarchies *hs = hierarchies_of("a;*\nb;*\nx;*\n");
    kn_release *r = NULL;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_EINFEASIBLE);
    assert_non_null(strstr(err.message, "5 records"));
    assert_null(r);
    g[0].k = 2;
    assert_int_equal(kn_anonymize(&r, ds, NULL, &o, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "--hierarchy items=FILE"));
    o.guarantees_count = 2;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_EUSAGE);
    o.guarantees_count = 1;
    o.method = "flash";
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_EUSAGE);
    o.method = NULL;
    kn_dataset_set_role(ds, 1, KN_ROLE_QUASI, NULL);
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_EUSAGE);
    kn_dataset_set_role(ds, 0, KN_ROLE_KEPT, NULL);
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_EUSAGE);
    o.guarantees = &g[1];
    o.method = "apriori";
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_EUSAGE);
    assert_null(r);
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

/* Bags: too few records are long enough, whatever the items become. */
static void test_short_bags(void **state)
{
    static const char *const some[] = {"a a a", "a a", "a b", "b", "b"};
    const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 3};
    const kn_anonymize_options o = {.guarantees = &g, .guarantees_count = 1};
    kn_dataset *ds = dataset_of(some, 5, KN_TYPE_BAG);
    kn_hierarchies *hs = hierarchies_of(rows);
    kn_release *r = NULL;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_EINFEASIBLE);
    assert_non_null(strstr(err.message, "m = 2"));
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

/* ---- memory and threads ---- */

static void test_memory(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 5, 0);
    for (int n = 0; n < 12; n++) {
        km_case c;
        kn_dataset *ds;
        kn_hierarchies *hs;
        kn_guarantee g;
        kn_run run = {.threads = 1 + (unsigned)(n % 2)};
        feasible_case(&c, &rng);
        ds = make_dataset(&c.data);
        hs = make_hierarchies(&c.tree, c.tree.leaves);
        g = asked(&c);
        const kn_anonymize_options o = {.guarantees = &g,
                                        .guarantees_count = 1,
                                        .params = n % 3 > 0
                                                      ? METHOD_PARAMS("apriori", "subtree=true")
                                                      : NULL};
        kn_release *r = survive(ds, hs, &o, &run);
        if (o.params) {
            judge(&c, r);
        }
        kn_release_free(r);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
}

/* Web shop sessions: as good as promised, and the same with any number of threads. */
static void test_sessions(void **state)
{
    static const double most[] = {0.0000585, 0.0178, 0.0345}, parted[] = {0.00001, 0.0105, 0.0285};
    kn_dataset *ds;
    kn_hierarchies *hs;

    (void)state;
    if (!read_sessions(&ds, &hs)) {
        skip();
    }
    for (size_t m = 1; m <= 3; m++) {
        const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = 5, .m = m};
        const kn_anonymize_options o = {.guarantees = &g,
                                        .guarantees_count = 1,
                                        .params = m != 2 ? METHOD_PARAMS("apriori", "subtree=true")
                                                         : NULL};
        kn_domain *d;
        kn_baskets *b;
        kn_cut *cut;
        kn_release *r[2];
        kn_run run = {.threads = 1};
        assert_int_equal(kn_anonymize(&r[0], ds, hs, &o, &run, NULL), KN_OK);
        run.threads = 3;
        assert_int_equal(kn_anonymize(&r[1], ds, hs, &o, &run, NULL), KN_OK);
        same_items(r[0], r[1]);
        assert_holds(r[0], &g, hs, NULL);
        kn_release_free(r[0]);
        kn_release_free(r[1]);
        assert_int_equal(kn__domain_new(&d, &ds->column[0], kn_hierarchies_get(hs, "items"),
                                        KN_UNCOVERED_ERROR, NULL),
                         KN_OK);
        assert_int_equal(kn__baskets_of_column(&b, &ds->column[0], ds->records, NULL), KN_OK);
        assert_int_equal(kn__cut_new(&cut, d, b, 5, m, 2, NULL), KN_OK);
        assert_int_equal(kn__apriori_search(cut, KN_APRIORI_WORK, NULL, NULL), KN_OK);
        print_message("m = %zu: ncp %.6f\n", m, kn__cut_ncp(cut));
        assert_true(kn__cut_ncp(cut) < most[m - 1]);
        assert_int_equal(kn__cut_split_partly(cut, NULL, NULL), KN_OK);
        print_message("       parted: ncp %.6f\n", kn__cut_ncp(cut));
        assert_true(kn__cut_ncp(cut) < parted[m - 1]);
        kn__cut_free(cut);
        kn__baskets_free(b);
        kn__domain_free(d);
    }
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

static void test_stopped(void **state)
{
    (void)state;
    assert_stops("apriori", "conflicts");
    assert_stops("apriori", "names");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),      cmocka_unit_test(test_learning),
        cmocka_unit_test(test_paper),       cmocka_unit_test(test_uncovered),
        cmocka_unit_test(test_root_beside), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_short_bags),  cmocka_unit_test(test_memory),
        cmocka_unit_test(test_stopped),     cmocka_unit_test(test_sessions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
