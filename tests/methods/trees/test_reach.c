/* Which cuts beside the main line of the search are left as they are: those from which even the
 * finest cut that may be reached, without a disassociation, costs more than the best one. */
#include "base/memory.h"
#include "base/rng.h"
#include "methods/trees/reach.h"
#include "oracle/tree_records.h"
#include "oracle/tree_hierarchies.h"
#include "oracle/trees.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool may_be_specialised(const kn_cut_space *s, const uint8_t *specialised,
                               const uint8_t *closed, uint32_t label)
{
    const uint32_t *child;

    return !closed[label] && kn__cut_has(s, specialised, label) &&
           kn__cut_children(s, label, &child) > 0;
}

/* Specialise labels until none is left that may be; `share` of 4 of those that are met. */
static void go_down(kn_rng *rng, const kn_cut_space *s, uint8_t *specialised, const uint8_t *closed,
                    uint32_t share)
{
    bool more = true;

    while (more) {
        more = false;
        for (uint32_t l = 0; l < s->labels; l++) {
            if (may_be_specialised(s, specialised, closed, l) && kn__rng_below(rng, 4) < share) {
                specialised[l] = 1;
                more = true;
            }
        }
    }
}

static double cost_of(const kn_cut_space *s, const uint8_t *specialised, bool exact, size_t n)
{
    kn_tree_task task = *s->task;
    kn_tree_solution x = {0};
    uint32_t to[64];

    task.n = n;
    kn__cut_labels(s, specialised, to);
    assert_int_equal(kn__tree_solve(&x, &task, exact ? KN_EXACT_CUTS : KN_GREEDY_CUTS, to, NULL,
                                    INFINITY, NULL),
                     KN_OK);
    const double cost = x.cost;
    kn__tree_solution_clear(&x);
    return cost;
}

static bool reaches(kn_cut_reach *r, const uint8_t *specialised, const uint8_t *closed,
                    const uint8_t *closed_too, double best)
{
    bool promising = false;

    assert_int_equal(kn__cut_reach(&promising, r, specialised, closed, closed_too, best, NULL),
                     KN_OK);
    return promising;
}

static void a_cut_reaches_what_is_open(void **state)
{
    static const char *const texts[] = {"a", "b", "c", "d", "e"};
    size_t dearer = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 178, 0);
    for (int round = 0; round < 1000; round++) {
        kn_forest *f = oracle_random_forest(&rng, 48, 14, texts, 2 + kn__rng_below(&rng, 2));
        kn_hierarchies *hs = oracle_two_level_hierarchies(&rng);
        kn_tree_domain *d = NULL;
        kn_cut_space space;
        uint8_t cut[256] = {0}, finest[256], middle[256], closed[256], closed_too[256], all[256];
        const bool exact = round % 2;

        assert_int_equal(kn__forest_normalise(f, NULL, NULL), KN_OK);
        assert_int_equal(kn__tree_domain_new(&d, f, hs, NULL), KN_OK);
        const kn_tree_task task = {
            .forest = f, .domain = d, .k = 2 + kn__rng_below(&rng, 3), .m = 3, .n = 2};
        assert_int_equal(kn__cut_space_init(&space, &task, NULL), KN_OK);
        for (uint32_t l = 0; l < space.labels; l++) {
            closed[l] = kn__rng_below(&rng, 4) == 0;
            closed_too[l] = kn__rng_below(&rng, 4) == 0;
            all[l] = closed[l] || closed_too[l];
        }
        go_down(&rng, &space, cut, all, 1);
        memcpy(finest, cut, sizeof cut);
        go_down(&rng, &space, finest, all, 4);
        const double least = cost_of(&space, finest, exact, 0);
        kn_cut_reach r = {.space = &space, .exact = exact};
        assert_true(reaches(&r, cut, closed, closed_too, least));
        assert_true(reaches(&r, cut, closed, closed_too, least * 1.001));
        assert_false(reaches(&r, cut, closed, closed_too, least * 0.999));
        assert_int_equal(r.count, 1);

        /* What is below it is beaten as well, and not counted again. */
        memcpy(middle, cut, sizeof cut);
        go_down(&rng, &space, middle, all, 2);
        assert_false(reaches(&r, middle, closed, closed_too, least * 0.999));
        assert_int_equal(r.count, 1);
        dearer += cost_of(&space, middle, exact, task.n) >= least * (1 - 1e-12);
        kn__cut_reach_clear(&r);
        kn__cut_space_clear(&space);
        kn__tree_domain_free(d);
        kn_hierarchies_free(hs);
        kn__forest_free(f);
    }
    assert_true(dearer > 950); /* RPD_a does not always fall from a cut to a finer one */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_cut_reaches_what_is_open)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
