/* What all children of a cut cost by the lookahead trees of their classes is what each of them
 * costs alone, in every cut of a random line of cuts.
 */
#include "base/rng.h"
#include "methods/trees/lookahead.h"
#include "oracle/tree_hierarchies.h"
#include "oracle/trees.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct seen {
    size_t compared, without;
} seen;

static size_t list_records(const kn_cut_space *s, uint32_t label, uint32_t *records)
{
    return kn__record_set_first(&s->value[label], s->words, s->value[label].len, records);
}

/* Compare the classes of the open labels. */
static void same_costs(seen *n, kn_lookahead *l, const kn_lookahead_cut *at)
{
    const kn_cut_space *s = l->space;
    double cost[256];

    for (uint32_t c = 0; c < s->d->classes; c++) {
        bool has_costs = false, any = false;
        for (uint32_t i = 0; i < s->d->labels; i++) {
            any = any || (at->open[i] && s->d->class_[i] == c);
        }
        if (!any) {
            continue;
        }
        assert_int_equal(kn__lookahead_costs(cost, &has_costs, l, at, c, NULL, NULL), KN_OK);
        n->without += !has_costs;
        for (uint32_t i = 0; has_costs && i < s->d->labels; i++) {
            uint8_t finer[256];
            uint32_t known[64], records[64];
            double alone = 0;
            if (!at->open[i] || s->d->class_[i] != c) {
                continue;
            }
            memcpy(finer, at->specialised, s->labels);
            finer[i] = 1;
            kn__cut_labels(s, finer, known);
            assert_int_equal(kn__cut_view_cost(&alone, at->view, known, records,
                                               list_records(s, i, records), NULL, NULL),
                             KN_OK);
            assert_true(fabs(alone - cost[i]) <= 1e-12 * alone);
            n->compared++;
        }
    }
}

/* Which labels of the cut are open: each that has children, now and then not; what was closed once
 * stays closed. The last open one. */
static uint32_t choose_open(kn_rng *rng, const kn_cut_space *s, const uint8_t *specialised,
                            uint8_t *closed, uint8_t *open)
{
    uint32_t last = KN_NO_LABEL, many = 0;

    memset(open, 0, s->labels);
    for (uint32_t i = 0; i < s->d->labels; i++) {
        const uint32_t *child;
        if (!kn__cut_has(s, specialised, i) || !kn__cut_children(s, i, &child) || closed[i]) {
            continue;
        }
        open[i] = kn__rng_below(rng, 6) > 0;
        closed[i] = !open[i];
        if (open[i] && kn__rng_below(rng, ++many) == 0) {
            last = i;
        }
    }
    return last;
}

static void walk_line(kn_rng *rng, seen *n, const kn_cut_space *s, bool moving)
{
    uint8_t specialised[256] = {0}, closed[256] = {0}, open[256];
    uint32_t known[64], records[64], next = KN_NO_LABEL;
    kn_cut_view *view = NULL;
    kn_lookahead l = {0};

    for (uint32_t c = 0; c < s->d->classes; c++) {
        specialised[s->d->labels + c] = 1;
    }
    assert_int_equal(kn__lookahead_init(&l, s, NULL), KN_OK);
    kn__cut_labels(s, specialised, known);
    assert_int_equal(kn__cut_view_new(&view, s->task, known, false, NULL), KN_OK);
    for (uint64_t number = 0;; number++) {
        const uint32_t last = next;
        next = choose_open(rng, s, specialised, closed, open);
        same_costs(n, &l,
                   &(kn_lookahead_cut){.view = view,
                                       .specialised = specialised,
                                       .open = open,
                                       .last = last,
                                       .number = number,
                                       .above = moving ? number - 1 : number});
        if (next == KN_NO_LABEL) {
            break;
        }
        specialised[next] = 1;
        kn__cut_labels(s, specialised, known);
        assert_int_equal(
            kn__cut_view_move(view, known, records, list_records(s, next, records), NULL), KN_OK);
    }
    kn__cut_view_free(view);
    kn__lookahead_clear(&l);
}

static void costs_are_those_of_each_child(void **state)
{
    static const char *const texts[] = {"a", "b", "c", "d", "e"};
    seen n = {0};
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 217, 0);
    for (int round = 0; round < 3000; round++) {
        kn_forest *f = oracle_random_forest(&rng, 48, 14, texts, 2 + kn__rng_below(&rng, 2));
        kn_hierarchies *hs = oracle_two_level_hierarchies(&rng);
        kn_tree_domain *d = NULL;
        kn_cut_space space;

        assert_int_equal(kn__forest_normalise(f, NULL, NULL), KN_OK);
        assert_int_equal(kn__tree_domain_new(&d, f, hs, NULL), KN_OK);
        const kn_tree_task task = {.forest = f, .domain = d, .k = 2, .m = 2, .n = 1};
        assert_int_equal(kn__cut_space_init(&space, &task, NULL), KN_OK);
        walk_line(&rng, &n, &space, round % 4 != 0);
        kn__cut_space_clear(&space);
        kn__tree_domain_free(d);
        kn_hierarchies_free(hs);
        kn__forest_free(f);
    }
    print_message("%zu compared, %zu classes that have no costs\n", n.compared, n.without);
    assert_true(n.compared > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(costs_are_those_of_each_child)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
