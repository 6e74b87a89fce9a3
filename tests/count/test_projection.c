/* Tests of count/projection.c: the walk meets every combination that occurs once, with its support,
 * and keeps the budget. */
#include "count/baskets_test.h"

#include "count/bag_items.h"
#include "count/projection.h"
#include "kanon/guarantee.h"

typedef struct walk {
    const km_data *d;
    const kn_bag_items *c;
    kn_projection_level levels[KN_MOST_M + 1];
    uint32_t prefix[KN_MOST_M];
    int met;
} walk;

static void check_node(walk *w, unsigned depth, uint32_t support)
{
    int times[KM_ITEMS] = {0};

    for (unsigned i = 0; i < depth; i++) {
        times[w->c->item[w->prefix[i]]] = (int)w->c->times[w->prefix[i]];
    }
    assert_int_equal(km_support(w->d, times), support);
    w->met++;
}

static void visit(walk *w, unsigned depth, const kn_tail *tails, size_t len, kn_budget left)
{
    const kn_projection_lists *lists = &w->c->lists;
    kn_projection_level *l = &w->levels[depth];
    size_t work = 0;

    assert_true(kn__projection_ready(l, lists->items));
    (void)kn__projection_count(lists, l, tails, len, &work);
    for (size_t i = 0; i < l->touched_len; i++) {
        kn_budget rest = left;
        if (kn__projection_spend(lists, l->touched[i], &rest)) {
            assert_non_null(kn__projection_choose(l, l->touched[i]));
        }
    }
    assert_true(kn__projection_deal(lists, l, tails, len));
    kn__projection_reset(l);
    for (size_t i = 0; i < l->chosen_len; i++) {
        const kn_extension *e = &l->chosen[i];
        kn_budget rest = left;
        (void)kn__projection_spend(lists, e->item, &rest);
        w->prefix[depth] = e->item;
        check_node(w, depth + 1, e->support);
        visit(w, depth + 1, l->dealt + e->begin, e->len, rest);
    }
}

static int occurring(const km_data *d, int most)
{
    int times[KM_ITEMS] = {0}, count = 0;

    while (km_next(times, d->bags ? most : 1)) {
        count += km_size(times) >= 1 && km_size(times) <= most && km_support(d, times) > 0;
    }
    return count;
}

static void test_meets_all_once(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 77, 0);
    for (int round = 0; round < 2000; round++) {
        const km_data d = random_data(&r);
        const int most = 1 + (int)kn__rng_below(&r, 3);
        kn_baskets *b = baskets_of(&d);
        walk w = {.d = &d};
        kn_bag_items *c = NULL;
        assert_int_equal(kn__bag_items_new(&c, b, (size_t)most, false, NULL), KN_OK);
        kn_tail *all = kn__projection_all(c->distinct->records);
        w.c = c;
        visit(&w, 0, all, c->distinct->records, (kn_budget){{(uint16_t)most}});
        assert_int_equal(w.met, occurring(&d, most));
        for (size_t i = 0; i <= KN_MOST_M; i++) {
            kn__projection_clear(&w.levels[i]);
        }
        kn__free(all);
        kn__bag_items_free(c);
        kn__baskets_free(b);
    }
}

/* Baskets as they are: in bags an item stands several times in a record, and joins once more below
 * itself. Every third record weighs nothing, as if it were not there. */
static void visit_repeats(walk *w, const kn_projection_lists *lists, const km_data *weighed,
                          unsigned depth, const kn_tail *tails, size_t len, unsigned most)
{
    kn_projection_level *l = &w->levels[depth];
    size_t work = 0;

    assert_true(kn__projection_ready(l, lists->items));
    (void)kn__projection_count(lists, l, tails, len, &work);
    for (size_t i = 0; i < l->touched_len && depth < most; i++) {
        assert_non_null(kn__projection_choose(l, l->touched[i]));
    }
    kn__projection_reset(l);
    assert_true(kn__projection_deal(lists, l, tails, len));
    for (size_t i = 0; i < l->chosen_len; i++) {
        const kn_extension *e = &l->chosen[i];
        int times[KM_ITEMS] = {0};
        w->prefix[depth] = e->item;
        for (unsigned j = 0; j <= depth; j++) {
            times[w->prefix[j]]++;
        }
        assert_int_equal(km_support(weighed, times), e->support);
        assert_int_equal(km_support(w->d, times), e->len);
        w->met++;
        visit_repeats(w, lists, weighed, depth + 1, l->dealt + e->begin, e->len, most);
    }
}

static void test_repeats_join_again(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 78, 0);
    for (int round = 0; round < 2000; round++) {
        const km_data d = random_data(&r);
        km_data weighed = d;
        const unsigned most = 1 + (unsigned)kn__rng_below(&r, 3);
        kn_baskets *b = baskets_of(&d);
        uint32_t *weight = kn__malloc_array(b->records, sizeof *weight);
        kn_tail *all = kn__projection_all(b->records);
        walk w = {.d = &d};
        assert_non_null(weight);
        for (size_t i = 0; i < b->records; i++) {
            weight[i] = i % 3 != 0;
            if (!weight[i]) {
                memset(weighed.times[i], 0, sizeof weighed.times[i]);
            }
        }
        visit_repeats(&w,
                      &(kn_projection_lists){.starts = b->starts,
                                             .list = b->list,
                                             .weight = weight,
                                             .items = b->items},
                      &weighed, 0, all, b->records, most);
        assert_int_equal(w.met, occurring(&d, (int)most));
        for (size_t i = 0; i <= KN_MOST_M; i++) {
            kn__projection_clear(&w.levels[i]);
        }
        kn__free(all);
        kn__free(weight);
        kn__baskets_free(b);
    }
}

static void test_budget_has_parts(void **state)
{
    const kn_budget cost[] = {{{1, 0}}, {{1, 1}}};
    const kn_projection_lists lists = {.cost = cost, .items = 2};
    const kn_projection_lists plain = {.items = 2};
    kn_budget left = {{2, 1}};

    (void)state;
    assert_true(kn__projection_spend(&lists, 1, &left));
    assert_int_equal(left.part[0], 1);
    assert_int_equal(left.part[1], 0);
    assert_false(kn__projection_spend(&lists, 1, &left)); /* no relation is left */
    assert_int_equal(left.part[0], 1);
    assert_true(kn__projection_spend(&lists, 0, &left));
    assert_false(kn__projection_spend(&plain, 0, &left));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meets_all_once),
        cmocka_unit_test(test_repeats_join_again),
        cmocka_unit_test(test_budget_has_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
