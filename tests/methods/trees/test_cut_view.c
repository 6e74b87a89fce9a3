/* What a step of the search leaves out: the cost of a cut from the cut above it is the cost that
 * the whole synopsis tree has, and looking at knowledge about new labels finds what looking at all
 * finds.
 */
#include "base/memory.h"
#include "base/rng.h"
#include "methods/trees/cut_view.h"
#include "methods/trees/cuts.h"
#include "oracle/kmn.h"
#include "oracle/tree_records.h"
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

/* Specialise labels at random; one label of the cut that could be specialised next, or KN_NO_LABEL.
 */
static uint32_t random_cut(kn_rng *rng, const kn_cut_space *s, uint8_t *specialised)
{
    uint32_t next = KN_NO_LABEL, seen = 0;

    memset(specialised, 0, s->labels);
    for (uint32_t l = s->labels; l-- > 0;) { /* a parent has a greater number */
        const uint32_t *child;
        if (kn__cut_has(s, specialised, l) && kn__cut_children(s, l, &child)) {
            specialised[l] = kn__rng_below(rng, 3) > 0;
        }
    }
    for (uint32_t l = 0; l < s->labels; l++) {
        const uint32_t *child;
        if (kn__cut_has(s, specialised, l) && kn__cut_children(s, l, &child) &&
            kn__rng_below(rng, ++seen) == 0) {
            next = l;
        }
    }
    return next;
}

static bool is_safe(const kn_tree_task *t, uint32_t *to, size_t n)
{
    kn_tree_solution s = {.to = to};
    kn_forest *release = NULL;

    assert_int_equal(kn__tree_publish(&release, t->forest, t->domain, &s, NULL, NULL), KN_OK);
    const bool safe = oracle_kmn_broken(release, t->k, t->m, n, ORACLE_ANY_GROUPS) == 0;
    kn__forest_free(release);
    return safe;
}

static void same_violations(const kn_tree_violations *a, const kn_tree_violations *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->relations, b->relations);
    for (size_t i = 0; i < a->count; i++) {
        const kn_tree_violation *x = &a->list[i], *y = &b->list[i];
        assert_int_equal(x->support, y->support);
        assert_int_equal(x->values, y->values);
        assert_int_equal(x->relations, y->relations);
        assert_memory_equal(x->value, y->value, x->values * sizeof *x->value);
        assert_memory_equal(a->relation + x->begin, b->relation + y->begin,
                            x->relations * sizeof *a->relation);
    }
}

static void same_sets(const kn_record_set *a, const kn_record_set *b, size_t records)
{
    assert_int_equal(a->len, b->len);
    for (uint32_t r = 0; r < records; r++) {
        assert_int_equal(a->len && kn__record_set_has(a, r), b->len && kn__record_set_has(b, r));
    }
}

static void same_relations(const kn_relation_index *a, const kn_relation_index *b, size_t records)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->labels, b->labels);
    for (uint32_t i = 0; i < a->count; i++) {
        assert_int_equal(a->relation[i].above, b->relation[i].above);
        assert_int_equal(a->relation[i].below, b->relation[i].below);
        same_sets(&a->holds[i], &b->holds[i], records);
    }
    for (uint32_t l = 0; l < a->labels; l++) {
        same_sets(&a->value[l], &b->value[l], records);
    }
}

static void same_cuts(const kn_tree_solution *a, const kn_tree_solution *b)
{
    same_violations(&a->violations, &b->violations);
    assert_int_equal(a->cuts, b->cuts);
    for (size_t i = 0; i < a->cuts; i++) {
        assert_int_equal(a->cut[i].relation.above, b->cut[i].relation.above);
        assert_int_equal(a->cut[i].relation.below, b->cut[i].relation.below);
        assert_int_equal(a->cut[i].support, b->cut[i].support);
    }
}

/* The solution of a cut is the same with and without that of the cut above it, its synopsis tree
 * and its relations. */
static void same_solution(const kn_tree_task *t, const kn_cut_space *s, kn_cut_search kind,
                          uint32_t *above, uint32_t *to, uint32_t label, size_t *compared,
                          size_t *carried)
{
    kn_tree_solution all = {0}, some = {0}, derived = {0}, first = {0};
    kn_cut_above from = {0};
    kn_synopsis *synopsis = NULL;
    uint32_t records[64];
    bool fresh[256] = {false};
    const uint32_t *child;

    if (!is_safe(t, above, 0) || !is_safe(t, to, 0)) {
        return;
    }
    for (size_t i = kn__cut_children(s, label, &child); i-- > 0;) {
        fresh[child[i]] = fresh[s->d->published[child[i]]] = true;
    }
    if (label < s->d->labels) {
        fresh[s->d->published[label]] = true;
    }
    assert_int_equal(kn__tree_solve(&first, t, kind, above, NULL, INFINITY, NULL), KN_OK);
    assert_int_equal(kn__tree_solve(&all, t, kind, to, NULL, INFINITY, NULL), KN_OK);
    assert_int_equal(kn__tree_solve(&some, t, kind, to,
                                    &(kn_cut_above){.fresh = fresh,
                                                    .violations = &first.violations},
                                    INFINITY, NULL),
                     KN_OK);
    assert_int_equal(kn__synopsis_new(&synopsis, t->forest, above, s->d->labels, NULL, NULL),
                     KN_OK);
    from = (kn_cut_above){.fresh = fresh,
                          .violations = &first.violations,
                          .synopsis = synopsis,
                          .relations = first.relations,
                          .known = above,
                          .records = records,
                          .count = kn__record_set_first(&s->value[label], s->words,
                                                        s->value[label].len, records)};
    assert_int_equal(kn__tree_solve(&derived, t, kind, to, &from, INFINITY, NULL), KN_OK);
    same_cuts(&all, &some);
    same_cuts(&all, &derived);
    same_relations(all.relations, derived.relations, t->forest->records);
    assert_true(all.cost == some.cost);
    assert_true(fabs(all.cost - derived.cost) <= 1e-12 * all.cost);
    kn__synopsis_free(synopsis);
    kn__tree_solution_clear(&derived);
    ++*compared;
    *carried += first.cuts > 0 && all.cuts > 0;
    kn__tree_solution_clear(&first);
    kn__tree_solution_clear(&all);
    kn__tree_solution_clear(&some);
}

static void a_step_is_exact(void **state)
{
    static const char *const texts[] = {"a", "b", "c", "d", "e"};
    size_t compared = 0, carried = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 177, 0);
    for (int round = 0; round < 2000; round++) {
        kn_forest *f = oracle_random_forest(&rng, 48, 14, texts, 2 + kn__rng_below(&rng, 2));
        kn_hierarchies *hs = oracle_two_level_hierarchies(&rng);
        kn_tree_domain *d = NULL;
        uint8_t specialised[256];
        uint32_t before[64], after[64], records[64];
        kn_cut_space space;
        kn_cut_view *view = NULL;

        assert_int_equal(kn__forest_normalise(f, NULL, NULL), KN_OK);
        assert_int_equal(kn__tree_domain_new(&d, f, hs, NULL), KN_OK);
        const kn_tree_task task = {
            .forest = f, .domain = d, .k = 2 + kn__rng_below(&rng, 3), .m = 3, .n = 2 + round % 2};
        kn_tree_task flat = task;
        flat.n = 0; /* nothing is disassociated */
        assert_int_equal(kn__cut_space_init(&space, &task, NULL), KN_OK);
        const uint32_t next = random_cut(&rng, &space, specialised);
        kn__cut_labels(&space, specialised, before);
        if (next != KN_NO_LABEL) {
            specialised[next] = 1;
            kn__cut_labels(&space, specialised, after);
            for (int exact = 0; exact < 2; exact++) {
                const kn_cut_search kind = exact ? KN_EXACT_CUTS : KN_GREEDY_CUTS;
                kn_tree_solution s = {0};
                double cost = 0;
                const size_t count = kn__record_set_first(&space.value[next], space.words,
                                                          space.value[next].len, records);
                assert_int_equal(kn__cut_view_new(&view, &task, before, exact, NULL), KN_OK);
                assert_int_equal(kn__cut_view_cost(&cost, view, after, records, count, NULL, NULL),
                                 KN_OK);
                assert_int_equal(kn__tree_solve(&s, &flat, kind, after, NULL, INFINITY, NULL),
                                 KN_OK);
                assert_true(fabs(cost - s.cost) <= 1e-12 * s.cost);
                kn__tree_solution_clear(&s);
                assert_int_equal(kn__cut_view_move(view, after, records, count, NULL), KN_OK);
                double moved = 0;
                assert_int_equal(kn__cut_view_cost(&moved, view, after, NULL, 0, NULL, NULL),
                                 KN_OK);
                assert_true(fabs(cost - moved) <= 1e-12 * cost);
                kn__cut_view_free(view);
                same_solution(&task, &space, kind, before, after, next, &compared, &carried);
            }
        }
        kn__cut_space_clear(&space);
        kn__tree_domain_free(d);
        kn_hierarchies_free(hs);
        kn__forest_free(f);
    }
    assert_true(compared > 300 && carried > 100);
}

/* With hospitals as `General` two visits are one node, and seven records hold Flu above both drugs.
 * With Hospital1 and Hospital2 apart only the last one does, and no hospital is part of that
 * knowledge. */
static void forks_below_new_labels_are_looked_at(void **state)
{
    static const char *const records[] = {"Hospital1(Flu(Painkillers)) Hospital2(Flu(Antibiotics))",
                                          "Hospital1(Flu(Painkillers)) Hospital2(Flu(Antibiotics))",
                                          "Hospital1(Flu(Painkillers)) Hospital2(Flu(Antibiotics))",
                                          "Hospital1(Flu(Antibiotics)) Hospital2(Flu(Painkillers))",
                                          "Hospital1(Flu(Antibiotics)) Hospital2(Flu(Painkillers))",
                                          "Hospital1(Flu(Antibiotics)) Hospital2(Flu(Painkillers))",
                                          "Hospital1(Flu(Painkillers) Bronchitis(Antibiotics))",
                                          "Hospital1(Flu(Painkillers) Bronchitis(Antibiotics))",
                                          "Hospital1(Flu(Painkillers) Bronchitis(Antibiotics))",
                                          "Hospital1(Flu(Painkillers Antibiotics))"};
    kn_forest *f = example_forest(records, 10);
    kn_hierarchies *hs = example_hierarchies();
    kn_tree_domain *d = NULL;
    kn_cut_space space;
    uint32_t before[8], after[8];
    size_t compared = 0, carried = 0;

    (void)state;
    assert_int_equal(kn__tree_domain_new(&d, f, hs, NULL), KN_OK);
    const kn_tree_task task = {.forest = f, .domain = d, .k = 3, .m = 3, .n = 2};
    const uint32_t general = kn__tree_domain_find(d, 0, "General");
    assert_int_equal(kn__cut_space_init(&space, &task, NULL), KN_OK);
    for (uint32_t v = 0; v < f->values; v++) {
        after[v] = d->of_value[v];
        before[v] = f->value_class[v] == 0 ? general : after[v];
    }
    same_solution(&task, &space, KN_GREEDY_CUTS, before, after, general, &compared, &carried);
    assert_int_equal(compared, 1);
    kn__cut_space_clear(&space);
    kn__tree_domain_free(d);
    kn_hierarchies_free(hs);
    kn__forest_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_step_is_exact),
                                       cmocka_unit_test(forks_below_new_labels_are_looked_at)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
