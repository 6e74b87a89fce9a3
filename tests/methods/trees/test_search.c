/* acs, gcs, ocs and ecs: the paper's running example, and random forests whose releases are checked
 * by Definition 1. */
#include "base/memory.h"
#include "methods/trees/trees.h"
#include "oracle/kmn.h"
#include "oracle/tree_records.h"
#include "oracle/trees.h"
#include "utility/trees/trees.h"
#include "rounds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const kn_cut_search kinds[] = {KN_ALL_CUTS, KN_GREEDY_CUTS, KN_ONLY_CUTS, KN_EXACT_CUTS};

/* Section 3.3: with its cut, exactly the two relations are disassociated, and the result is Figure
 * 4. By the paper's own measures the cut {General, LungDisease, Gastritis, Medicine}, which needs
 * no disassociation, is cheaper; acs, gcs and ocs find it. */
static void solves_the_example(void **state)
{
    static const char *const cut[] = {"Hospital1", "Hospital2", "LungDisease", "LungDisease",
                                      "Gastritis", "Medicine",  "Medicine"};
    static const char *const values[] = {"Hospital1", "Hospital2",   "Flu",        "Bronchitis",
                                         "Gastritis", "Painkillers", "Antibiotics"};
    kn_forest *f = example_forest(example_records, 4), *release = NULL;
    kn_forest *figure = example_forest(example_release, 4);
    kn_hierarchies *hs = example_hierarchies();
    kn_tree_domain *d = NULL;
    kn_tree_solution s = {0};

    (void)state;
    assert_int_equal(kn__tree_domain_new(&d, f, hs, NULL), KN_OK);
    assert_int_equal(d->on_level[0], 12);
    assert_int_equal(d->on_level[1], 6);
    assert_true(d->top == 3);
    assert_int_equal(oracle_kmn_broken(figure, 3, 2, 1, ORACLE_ANY_GROUPS), 0);
    assert_true(oracle_kmn_broken(f, 3, 2, 1, ORACLE_ANY_GROUPS) > 0);

    const kn_tree_task task = {.forest = f, .domain = d, .k = 3, .m = 2, .n = 1, .g = 2};
    s.to = kn__malloc_array(f->values, sizeof *s.to);
    for (size_t i = 0; i < 7; i++) {
        const uint16_t c = example_class(values[i], strlen(values[i]));
        s.to[kn__forest_find(f, c, values[i], strlen(values[i]))] = kn__tree_domain_find(d, c,
                                                                                         cut[i]);
    }
    assert_int_equal(kn__tree_solve(&s, &task, KN_GREEDY_CUTS, s.to, NULL, INFINITY, NULL), KN_OK);
    assert_int_equal(s.cuts, 2);
    for (size_t c = 0; c < 2; c++) {
        assert_string_equal(d->text[s.cut[c].relation.above], c ? "Hospital2" : "Hospital1");
        assert_string_equal(d->text[s.cut[c].relation.below], "Gastritis");
        assert_int_equal(s.cut[c].support, c + 1);
    }
    assert_int_equal(kn__tree_publish(&release, f, d, &s, NULL, NULL), KN_OK);
    assert_true(oracle_same_trees(release, figure));
    kn__forest_free(release);
    for (size_t i = 0; i < 3; i++) {
        kn_tree_solution found;
        assert_int_equal(kn__tree_search(&found, &task, kinds[i], NULL), KN_OK);
        assert_true(found.cost < s.cost);
        assert_int_equal(found.cuts, 0);
        for (uint32_t v = 0; v < f->values; v++) {
            assert_string_equal(d->text[found.to[v]],
                                f->value_class[v] == 0 ? "General" : d->text[s.to[v]]);
        }
        kn__tree_solution_clear(&found);
    }
    kn__tree_solution_clear(&s);
    kn__tree_domain_free(d);
    kn_hierarchies_free(hs);
    kn__forest_free(figure);
    kn__forest_free(f);
}

/* A hierarchy over a..e for each class: groups and levels at random. */
static kn_hierarchies *random_hierarchies(kn_rng *rng)
{
    kn_hierarchies *hs = NULL;

    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    for (int c = 0; c < 4; c++) {
        char file[400] = "", name[8];
        kn_hierarchy *h = NULL;
        const uint64_t groups = 1 + kn__rng_below(rng, 3);
        if (kn__rng_below(rng, 5) == 0) {
            continue; /* without a hierarchy */
        }
        for (int v = 0; v < 5; v++) {
            const uint64_t g = kn__rng_below(rng, groups);
            snprintf(file + strlen(file), sizeof file - strlen(file), "%c;g%d;h%d;%s\n", 'a' + v,
                     (int)g, (int)g / 2, c % 2 ? "*" : "all");
        }
        assert_int_equal(kn__hierarchy_parse(&h, "random", file, strlen(file), NULL), KN_OK);
        snprintf(name, sizeof name, "C%d", c);
        assert_int_equal(kn_hierarchies_add(hs, name, h, NULL), KN_OK);
    }
    return hs;
}

static void no_release_breaks_the_guarantee(void **state)
{
    static const char *const texts[] = {"a", "b", "c", "d", "e"};
    size_t disassociated = 0, kept = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 175, 0);
    for (int round = 0; round < test_rounds(2000); round++) {
        const size_t before = kn_memory_in_use();
        kn_forest *f = oracle_random_forest(&rng, 24, 9, texts, 2 + kn__rng_below(&rng, 4));
        kn_hierarchies *hs = random_hierarchies(&rng);
        kn_tree_domain *d = NULL;
        const size_t m = 1 + kn__rng_below(&rng, 3);
        const kn_run run = {.threads = 1 + (unsigned)(round % 2)};

        assert_int_equal(kn__forest_normalise(f, NULL, NULL), KN_OK);
        assert_int_equal(kn__tree_domain_new(&d, f, hs, NULL), KN_OK);
        const kn_tree_task task = {.forest = f,
                                   .domain = d,
                                   .k = 2 + kn__rng_below(&rng, 3),
                                   .m = m,
                                   .n = kn__rng_below(&rng, m * (m - 1) / 2 + 1),
                                   .g = 1 + kn__rng_below(&rng, 2),
                                   .most_cuts = 60,
                                   .run = &run};
        for (size_t i = 0; i < 4; i++) {
            kn_tree_solution s;
            kn_forest *release = NULL;
            assert_int_equal(kn__tree_search(&s, &task, kinds[i], NULL), KN_OK);
            assert_int_equal(kn__tree_publish(&release, f, d, &s, NULL, NULL), KN_OK);
            assert_int_equal(kn__forest_check(release, NULL), KN_OK);
            assert_int_equal(release->records, f->records);
            assert_int_equal(oracle_kmn_broken(release, task.k, task.m, task.n, ORACLE_ANY_GROUPS),
                             0);
            assert_true(kinds[i] != KN_ONLY_CUTS || s.cuts == 0);
            kn_tree_pair pair;
            kn_tree_kept losses;
            assert_int_equal(kn__tree_pair_init(&pair, f, release, NULL, d, NULL), KN_OK);
            assert_int_equal(kn__tree_kept_count(&losses, &pair, NULL, NULL), KN_OK);
            kn__tree_kept_clear(&losses);
            kn__tree_pair_clear(&pair);
            disassociated += s.cuts > 0;
            kept += release->starts[release->records] > 0;
            kn__forest_free(release);
            kn__tree_solution_clear(&s);
        }
        kn_forest *equal = NULL;
        size_t clusters;
        const kn_status status = kn__tree_miracle(&equal, &task, 5, 0.1, &clusters, NULL);
        assert_int_equal(status, f->records < task.k ? KN_EINFEASIBLE : KN_OK);
        if (equal) {
            kn_tree_pair pair;
            kn_tree_kept losses;
            assert_int_equal(kn__forest_check(equal, NULL), KN_OK);
            assert_int_equal(oracle_kmn_broken(equal, task.k, task.m, task.n, ORACLE_ANY_GROUPS),
                             0);
            assert_int_equal(kn__tree_pair_init(&pair, f, equal, NULL, d, NULL), KN_OK);
            assert_int_equal(kn__tree_kept_count(&losses, &pair, NULL, NULL), KN_OK);
            kn__tree_kept_clear(&losses);
            kn__tree_pair_clear(&pair);
            kn__forest_free(equal);
        }
        kn__tree_domain_free(d);
        kn_hierarchies_free(hs);
        kn__forest_free(f);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_true(disassociated > test_rounds(100) && kept > test_rounds(1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_the_example),
        cmocka_unit_test(no_release_breaks_the_guarantee),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
