/* vpa against the definitions, on thousands of small random sets and bags: with --subtree it
 * publishes a cut of the hierarchy, which is k^m-anonymous by the oracle and little worse than the
 * best; without, it loses no more. */
#include "methods/sets/km_case.h"
#include "rounds.h"

#define CASES test_rounds(4000)

/* 0 parts: as many as vpa takes by itself. */
static const kn_params *vpa_params(size_t parts, bool subtree)
{
    return parts ? METHOD_PARAMS("vpa", "parts=%zu;subtree=%s", parts, subtree ? "true" : "false")
                 : METHOD_PARAMS("vpa", "subtree=%s", subtree ? "true" : "false");
}

static void test_random(void **state)
{
    double ours = 0, best = 0;
    int feasible = 0, optimal = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 21, 0);
    for (int n = 0; n < CASES; n++) {
        km_case c;
        kn_release *r = NULL;
        kn_run run = {.threads = 1 + (unsigned)(n % 3)};
        random_case(&c, &rng);
        kn_dataset *ds = make_dataset(&c.data);
        kn_hierarchies *hs = make_hierarchies(&c.tree, c.tree.leaves);
        const kn_guarantee g = asked(&c);
        const size_t parts = kn__rng_below(&rng, 6);
        kn_anonymize_options o = {.guarantees = &g,
                                  .guarantees_count = 1,
                                  .method = "vpa",
                                  .params = vpa_params(parts, true)};
        kn_status status = kn_anonymize(&r, ds, hs, &o, &run, NULL);
        const double least = km_best(&c.data, &c.tree, c.k, c.m);
        if (isinf(least)) {
            assert_int_equal(status, KN_EINFEASIBLE);
            assert_null(r);
        } else {
            double ncp;
            assert_int_equal(status, KN_OK);
            assert_string_equal(kn_release_method(r), "vpa");
            ncp = judge(&c, r);
            assert_true(ncp >= least - 1e-12);
            optimal += ncp < least + 1e-12;
            ours += ncp;
            best += least;
            feasible++;
            kn_release_free(r);
            o.params = vpa_params(parts, false);
            assert_int_equal(kn_anonymize(&r, ds, hs, &o, &run, NULL), KN_OK);
            assert_holds(r, &g, hs, &run);
            assert_true(judge_local(&c, r) <= ncp + 1e-9);
        }
        kn_release_free(r);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
    print_message("%d of %d feasible; %d optimal; loss %.4f times the optimum\n", feasible, CASES,
                  optimal, ours / best);
    assert_true(feasible > CASES / 4);
    assert_true(ours < best * 1.05);
}

/* An item that no leaf covers is published as the root, beside the parts. */
static void test_uncovered(void **state)
{
    static const char *const some[] = {"a x", "a y", "a c", "a c", "b", "b"};
    const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    const kn_anonymize_options o = {
        .guarantees = &g, .guarantees_count = 1, .method = "vpa", .uncovered = KN_UNCOVERED_ROOT};
    kn_dataset *ds = dataset_of(some, 6, KN_TYPE_SET);
    kn_hierarchies *hs = hierarchies_of("a;g;*\nb;g;*\nc;h;*\n");
    kn_release *r;

    (void)state;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, NULL), KN_OK);
    assert_int_equal(kn_dataset_values(kn_release_data(r), 0), 4);
    assert_int_equal(kn_release_data(r)->column[0].starts[6], 10);
    kn_release_free(r);
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

static void test_refused(void **state)
{
    const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    const kn_anonymize_options o = {.guarantees = &g, .guarantees_count = 1, .method = "vpa"};
    static const char *const some[] = {"a"};
    kn_dataset *ds = dataset_of(some, 1, KN_TYPE_SET);
    kn_hierarchies *hs = hierarchies_of("a;*\n");
    kn_release *r = NULL;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_anonymize(&r, ds, NULL, &o, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "vpa generalises along a hierarchy"));
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, NULL, &err), KN_EINFEASIBLE);
    assert_non_null(strstr(err.message, "only 1 record holds"));
    assert_null(r);
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

static void test_memory(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 22, 0);
    for (int n = 0; n < 12; n++) {
        km_case c;
        kn_run run = {.threads = 1 + (unsigned)(n % 2)};
        feasible_case(&c, &rng);
        kn_dataset *ds = make_dataset(&c.data);
        kn_hierarchies *hs = make_hierarchies(&c.tree, c.tree.leaves);
        const kn_guarantee g = asked(&c);
        const kn_anonymize_options o = {.guarantees = &g,
                                        .guarantees_count = 1,
                                        .method = "vpa",
                                        .params = vpa_params((size_t)n % 4, n % 3 > 0)};
        kn_release *r = survive(ds, hs, &o, &run);
        if (n % 3 > 0) {
            judge(&c, r);
        }
        kn_release_free(r);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
}

/* Web shop sessions hold, and are the same with any number of threads. */
static void test_sessions(void **state)
{
    kn_dataset *ds;
    kn_hierarchies *hs;

    (void)state;
    if (!read_sessions(&ds, &hs)) {
        skip();
    }
    for (size_t m = 1; m <= 3; m++) {
        const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = 5, .m = m};
        const kn_anonymize_options o = {.guarantees = &g, .guarantees_count = 1, .method = "vpa"};
        kn_release *r[2];
        for (unsigned i = 0; i < 2; i++) {
            const kn_run run = {.threads = 1 + 2 * i};
            assert_int_equal(kn_anonymize(&r[i], ds, hs, &o, &run, NULL), KN_OK);
        }
        same_items(r[0], r[1]);
        assert_holds(r[0], &g, hs, NULL);
        kn_release_free(r[0]);
        kn_release_free(r[1]);
    }
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

static void test_stopped(void **state)
{
    (void)state;
    assert_stops("vpa", "conflicts");
    assert_stops("vpa", "names");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),  cmocka_unit_test(test_uncovered),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_stopped), cmocka_unit_test(test_sessions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
