/* RPD, ML^2 and dML^2: the paper's Examples 1, 2 and 3, and frequent subtrees by brute force. */
#include "base/memory.h"
#include "oracle/kmn.h"
#include "oracle/tree_records.h"
#include "oracle/trees.h"
#include "utility/trees/trees.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void near(double a, double b)
{
    if (fabs(a - b) > 1e-12 * fmax(fabs(a), 1)) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

/* Example 1: 0.03 and 0.023, in full. */
static void example_1(void **state)
{
    const double deep = 1.0 / (12 * 2 * 6 * 3 * 6), flat = 1.0 / (12 * 2 * 6), top = 1.0 / 12;
    const double r1 = (flat + top + deep) / 3, r2 = (2 * deep + flat + top) / 4;
    kn_forest *f = example_forest(example_records, 4);
    kn_hierarchies *hs = example_hierarchies();
    kn_tree_domain *d = NULL;
    double rpd;

    (void)state;
    near(round(r1 * 100) / 100, 0.03);
    near(round(r2 * 1000) / 1000, 0.023);
    assert_int_equal(kn__tree_domain_new(&d, f, hs, NULL), KN_OK);
    for (size_t i = 0; i < 5; i++) {
        kn_forest *g = example_forest(example_release + (i < 4 ? i : 0), i < 4 ? 1 : 4);
        kn_synopsis *s = NULL;
        kn_tree_pair p;
        uint32_t origin[4] = {(uint32_t)i, 1, 2, 3};
        origin[0] = i < 4 ? (uint32_t)i : 0;
        assert_int_equal(kn__tree_pair_init(&p, f, g, origin, d, NULL), KN_OK);
        assert_int_equal(kn__rpd_forest(&rpd, g, p.label, d, NULL), KN_OK);
        near(rpd, i == 0 ? r1 : i < 3 ? r2 : i == 3 ? deep : (r1 + 2 * r2 + deep) / 4);
        assert_int_equal(kn__synopsis_new(&s, g, p.label, d->labels, NULL, NULL), KN_OK);
        double same, scratch[64];
        assert_int_equal(kn__rpd_exact(&same, s, d, NULL), KN_OK);
        near(rpd, same);
        if (i == 4) { /* Equation 7: nine nodes, five leaves */
            const double a = (3 * top + (4 + 1) * flat + (4 + 3 + 3) * deep + (3 + 3 + 3) * deep +
                              (3 + 2) * flat) /
                             5 / 9;
            near(kn__rpd_approximate(s, d, scratch), a);
        }
        kn__synopsis_free(s);
        kn__tree_pair_clear(&p);
        kn__forest_free(g);
    }
    kn__tree_domain_free(d);
    kn_hierarchies_free(hs);
    kn__forest_free(f);
}

static kn_tree_mining mine(const char *const *before, const char *const *after, size_t count)
{
    kn_forest *f = example_forest(before, count), *g = example_forest(after, count);
    kn_hierarchies *hs = example_hierarchies();
    kn_tree_domain *d = NULL;
    kn_tree_pair p;
    kn_tree_kept kept;
    kn_tree_mining found;

    assert_int_equal(kn__tree_domain_new(&d, f, hs, NULL), KN_OK);
    assert_int_equal(kn__tree_pair_init(&p, f, g, NULL, d, NULL), KN_OK);
    assert_int_equal(kn__tree_kept_count(&kept, &p, NULL, NULL), KN_OK);
    assert_int_equal(kn__tree_mine(&found, &p, &kept, 1, NULL, NULL), KN_OK);
    kn__tree_kept_clear(&kept);
    kn__tree_pair_clear(&p);
    kn__tree_domain_free(d);
    kn_hierarchies_free(hs);
    kn__forest_free(g);
    kn__forest_free(f);
    return found;
}

/* Examples 2 and 3: r -> Hospital2 -> Flu, published as r -> Hospital2 -> LungDisease, or with the
 * relation removed. At each of the three levels of the hierarchies below `*` two subtrees are
 * frequent, r -> Hospital and r -> Hospital -> Disease. */
static void examples_2_and_3(void **state)
{
    static const char *const before[] = {"Hospital2(Flu)"}, *const after[] = {
                                                                "Hospital2(LungDisease)"};
    static const char *const apart[] = {"Hospital2 LungDisease"};
    kn_tree_mining found = mine(before, after, 1);

    (void)state;
    assert_int_equal(found.frequent, 6);
    assert_int_equal(found.preserved, 5); /* all but Hospital2 -> Flu: two of its three levels */
    near(found.ml2, 1.0 / 6);
    near(found.dml2, 0.5 * (1.0 / 3) / 2 / 6); /* 0.083 for one of six */
    found = mine(before, apart, 1);
    assert_int_equal(found.preserved, 3); /* the hospital alone, at each level */
    /* 0.583 at level 0, 0.5 at the two others. */
    near(found.dml2, (0.5 * (1.0 / 3) / 2 + 0.5 + 0.5 + 0.5) / 6);
    near(round((0.5 * (1.0 / 3) / 2) * 1000) / 1000, 0.083);
    near(round((0.5 * (1.0 / 3) / 2 + 0.5) * 1000) / 1000, 0.583);
}

/* Subtrees from the root of one record, as sets of its paths. */
static size_t brute_force(const kn_forest *f, size_t least)
{
    static oracle_paths all, other;
    size_t frequent = 0;
    static char seen[4096][40];
    size_t seen_count = 0;

    for (size_t r = 0; r < f->records; r++) {
        oracle_tree_paths(f, r, &all);
        for (unsigned set = 1; set < 1u << all.count; set++) {
            bool closed = true, known = false;
            char key[40] = "";
            size_t support = 0;
            uint64_t hash = 1469598103934665603u;
            for (size_t i = 0; i < all.count && closed; i++) {
                if (!(set >> i & 1)) {
                    continue;
                }
                const char *slash = strrchr(all.path[i], '/');
                bool has = slash == all.path[i];
                for (size_t j = 0; j < all.count; j++) {
                    has = has ||
                          ((set >> j & 1) && strlen(all.path[j]) == (size_t)(slash - all.path[i]) &&
                           strncmp(all.path[i], all.path[j], strlen(all.path[j])) == 0);
                }
                closed = has;
                for (const char *c = all.path[i]; *c; c++) {
                    hash = (hash ^ (unsigned char)*c) * 1099511628211u;
                }
                hash = (hash ^ 7) * 1099511628211u;
            }
            snprintf(key, sizeof key, "%llx", (unsigned long long)hash);
            for (size_t i = 0; i < seen_count && !known; i++) {
                known = strcmp(seen[i], key) == 0;
            }
            if (!closed || known) {
                continue;
            }
            memcpy(seen[seen_count++], key, sizeof key);
            for (size_t q = 0; q < f->records; q++) {
                bool holds = true;
                oracle_tree_paths(f, q, &other);
                for (size_t i = 0; i < all.count; i++) {
                    bool has = !(set >> i & 1);
                    for (size_t j = 0; j < other.count && !has; j++) {
                        has = strcmp(all.path[i], other.path[j]) == 0;
                    }
                    holds = holds && has;
                }
                support += holds;
            }
            frequent += support >= least;
        }
    }
    return frequent;
}

static void mines_what_is_frequent(void **state)
{
    static const char *const texts[] = {"a", "b"};
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 177, 0);
    for (int round = 0; round < 300; round++) {
        kn_forest *f = oracle_random_forest(&rng, 6, 7, texts, 2);
        kn_tree_domain *d = NULL;
        kn_tree_pair p;
        kn_tree_kept kept;
        kn_tree_mining found;

        assert_int_equal(kn__forest_normalise(f, NULL, NULL), KN_OK);
        assert_int_equal(kn__tree_domain_new(&d, f, NULL, NULL), KN_OK);
        d->levels = 1; /* the values themselves */
        assert_int_equal(kn__tree_pair_init(&p, f, f, NULL, d, NULL), KN_OK);
        assert_int_equal(kn__tree_kept_count(&kept, &p, NULL, NULL), KN_OK);
        assert_int_equal(kn__tree_mine(&found, &p, &kept, 0.5, NULL, NULL), KN_OK);
        assert_int_equal(found.frequent, brute_force(f, (f->records + 1) / 2));
        assert_int_equal(found.preserved, found.frequent);
        assert_true(found.dml2 == 0 && found.ml2 == 0 && kept.removed == 0);
        kn__tree_kept_clear(&kept);
        kn__tree_pair_clear(&p);
        kn__tree_domain_free(d);
        kn__forest_free(f);
    }
}

/* A published tree may not say what the original does not. */
static void refuses_what_was_made_up(void **state)
{
    static const char *const before[] = {"Hospital2(Flu) Hospital1"};
    static const char *const wrong[][1] = {{"Hospital1(Flu)"},
                                           {"Hospital2(Gastritis)"},
                                           {"Hospital2(Flu) Rea"},
                                           {"Hospital2 Medicine"}};
    kn_forest *f = example_forest(before, 1);
    kn_hierarchies *hs = example_hierarchies();
    kn_tree_domain *d = NULL;

    (void)state;
    assert_int_equal(kn__tree_domain_new(&d, f, hs, NULL), KN_OK);
    for (size_t i = 0; i < 4; i++) {
        kn_forest *g = example_forest(wrong[i], 1);
        kn_tree_pair p;
        kn_tree_kept kept;
        assert_int_equal(kn__tree_pair_init(&p, f, g, NULL, d, NULL), KN_OK);
        assert_int_equal(kn__tree_kept_count(&kept, &p, NULL, NULL), KN_EINPUT);
        kn__tree_pair_clear(&p);
        kn__forest_free(g);
    }
    kn__tree_domain_free(d);
    kn_hierarchies_free(hs);
    kn__forest_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_1),
        cmocka_unit_test(examples_2_and_3),
        cmocka_unit_test(mines_what_is_frequent),
        cmocka_unit_test(refuses_what_was_made_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
