/* Baskets told apart by group, and what can be inferred in them: by hand, and thousands of random
 * ones against counting inside each group by itself. */
#include "count/validate.h"
#include "base/memory.h"
#include "base/rng.h"
#include "count/class_items.h"
#include "count/inference.h"
#include "count/rare/rare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { RECORDS = 20, ITEMS = 6, LENGTH = 6, GROUPS = 4 };

typedef struct grouping {
    kn_baskets *baskets;
    kn_classes classes;
    uint32_t of[RECORDS], size[GROUPS], first[GROUPS];
    uint32_t *members, *begin;
} grouping;

static void make(grouping *g, size_t records, const uint32_t *of, uint32_t groups, bool bags,
                 const uint32_t (*lists)[LENGTH], const size_t *lengths)
{
    kn_baskets *b = kn__baskets_room(records, records * LENGTH, ITEMS, bags);

    memset(g->size, 0, sizeof g->size);
    for (size_t i = records; i-- > 0;) {
        g->of[i] = of[i];
        g->size[of[i]]++;
        g->first[of[i]] = (uint32_t)i;
    }
    for (size_t i = 0; i < records; i++) {
        memcpy(b->list + b->starts[i], lists[i], lengths[i] * sizeof(uint32_t));
        b->starts[i + 1] = b->starts[i] + lengths[i];
    }
    g->baskets = b;
    g->classes = (kn_classes){
        .records = records, .count = groups, .of = g->of, .size = g->size, .first = g->first};
    assert_int_equal(kn__classes_members(&g->classes, &g->members, &g->begin, NULL), KN_OK);
}

static void clear(grouping *g)
{
    kn__baskets_free(g->baskets);
    kn__free(g->members);
    kn__free(g->begin);
}

static const uint32_t hand[][LENGTH] = {{0, 1}, {1, 2}, {1}, {0, 1, 5}};
static const size_t hand_lengths[] = {2, 2, 1, 3};
static const uint32_t hand_of[] = {0, 1, 0, 1};

static void test_by_hand(void **state)
{
    const uint8_t left_out[ITEMS] = {[5] = 1};
    const uint32_t codes[] = {0, 1, 3, 4, 1, 2, 3};
    const uint32_t items[] = {0, 1, 0, 1, 2}, groups[] = {0, 0, 1, 1, 1};
    const char *reason = "";
    grouping g;
    kn_class_items *out = NULL;
    kn_baskets *picked = NULL;

    (void)state;
    make(&g, 4, hand_of, 2, false, hand, hand_lengths);
    assert_int_equal(kn__class_items_new(&out, g.baskets, g.members, g.begin, 2, left_out, NULL),
                     KN_OK);
    assert_true(baskets_validate(out->baskets, &reason));
    assert_int_equal(out->baskets->items, 5);
    assert_memory_equal(out->baskets->list, codes, sizeof codes);
    assert_memory_equal(out->item, items, sizeof items);
    assert_memory_equal(out->group, groups, sizeof groups);
    g.size[1] = 3; /* as if it had one more */
    assert_int_equal(kn__class_items_pick(&picked, out, &g.classes, 3, true, NULL), KN_OK);
    assert_int_equal(picked->starts[4], 3);
    assert_int_equal(picked->starts[2] - picked->starts[1], 0);
    kn__baskets_free(picked);
    assert_int_equal(kn__class_items_pick(&picked, out, &g.classes, 3, false, NULL), KN_OK);
    assert_int_equal(picked->starts[4], 4);
    kn__baskets_free(picked);
    kn__class_items_free(out);
    clear(&g);
}

/* Rare combinations of all groups at once are those of each group, one after the other. */
static void test_rare_by_group(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 41, 0);
    for (int round = 0; round < 2000; round++) {
        const size_t records = GROUPS + kn__rng_below(&r, RECORDS - GROUPS + 1);
        const size_t k = 2 + kn__rng_below(&r, 3), m = 1 + kn__rng_below(&r, 4);
        const bool bags = kn__rng_below(&r, 2) == 1;
        uint32_t lists[RECORDS][LENGTH], of[RECORDS], least[KN_MOST_M + 1] = {0};
        size_t lengths[RECORDS];
        uint64_t count = 0;
        grouping all;
        kn_class_items *out = NULL;
        kn_rare_list *l = NULL;
        for (size_t i = 0; i < records; i++) {
            uint32_t item = 0;
            of[i] = i < GROUPS ? (uint32_t)i : (uint32_t)kn__rng_below(&r, GROUPS);
            lengths[i] = 0;
            for (uint64_t j = kn__rng_below(&r, LENGTH); j-- > 0 && item < ITEMS;) {
                lists[i][lengths[i]++] = item;
                item += bags ? (uint32_t)kn__rng_below(&r, 3) : 1 + (uint32_t)kn__rng_below(&r, 2);
            }
        }
        for (uint32_t group = 0; group < GROUPS; group++) {
            uint32_t own[RECORDS][LENGTH], none[RECORDS] = {0};
            size_t own_lengths[RECORDS], len = 0;
            grouping g;
            for (size_t i = 0; i < records; i++) {
                if (of[i] == group) {
                    memcpy(own[len], lists[i], sizeof own[len]);
                    own_lengths[len++] = lengths[i];
                }
            }
            make(&g, len, none, 1, bags, (const uint32_t(*)[LENGTH])own, own_lengths);
            assert_int_equal(kn__rare_find(&l, g.baskets, k, m, 100, NULL, NULL), KN_OK);
            count += l->count;
            for (size_t s = 1; s <= m; s++) {
                least[s] = l->least[s] && (!least[s] || l->least[s] < least[s]) ? l->least[s]
                                                                                : least[s];
            }
            kn__rare_list_free(l);
            clear(&g);
        }
        make(&all, records, of, GROUPS, bags, (const uint32_t(*)[LENGTH])lists, lengths);
        assert_int_equal(kn__class_items_new(&out, all.baskets, all.members, all.begin, GROUPS,
                                             NULL, NULL),
                         KN_OK);
        assert_int_equal(kn__rare_find(&l, out->baskets, k, m, 100, NULL, NULL), KN_OK);
        assert_true(l->count == count);
        assert_memory_equal(l->least + 1, least + 1, m * sizeof *least);
        kn__rare_list_free(l);
        kn__class_items_free(out);
        clear(&all);
    }
}

typedef struct told {
    size_t count, size;
    uint32_t sensitive, support, held, record;
} told;

static void listen(void *user, unsigned worker, const kn_inference *found)
{
    told *t = user;

    (void)worker;
    if (t->count++ == 0) {
        t->size = found->size;
        t->sensitive = found->sensitive;
        t->support = found->support;
        t->held = found->held;
        t->record = found->record;
    }
}

/* Of group 1 the one record with item 0 holds 5; no other inference is surer than one half. */
static void test_inference(void **state)
{
    const uint8_t left_out[ITEMS] = {[5] = 1};
    const uint32_t only[ITEMS] = {[0] = KN_NO_CODE, KN_NO_CODE, KN_NO_CODE,
                                  KN_NO_CODE,       KN_NO_CODE, 5};
    grouping g;
    kn_class_items *known = NULL;
    kn_baskets *sensitive = NULL;
    uint8_t risky[4] = {0};
    told t = {0};
    double achieved = 0;

    (void)state;
    make(&g, 4, hand_of, 2, false, hand, hand_lengths);
    assert_int_equal(kn__class_items_new(&known, g.baskets, g.members, g.begin, 2, left_out, NULL),
                     KN_OK);
    assert_int_equal(kn__baskets_map(&sensitive, g.baskets, only, ITEMS, NULL, NULL), KN_OK);
    kn_inference_task task = {.known = known,
                              .sensitive = sensitive,
                              .groups = &g.classes,
                              .members = g.members,
                              .begin = g.begin,
                              .m = 2,
                              .l = 2,
                              .least = {0, 1, 1},
                              .threads = 1,
                              .found = listen,
                              .user = &t,
                              .risky = risky};
    assert_int_equal(kn__inference_find(&achieved, &task, NULL, NULL), KN_OK);
    assert_true(achieved == 1);
    assert_int_equal(t.count, 1); /* {0}; {0,1} says no more */
    assert_int_equal(t.size, 1);
    assert_int_equal(t.sensitive, 5);
    assert_int_equal(t.support, 1);
    assert_int_equal(t.held, 1);
    assert_int_equal(t.record, 3);
    assert_memory_equal(risky, ((const uint8_t[]){0, 0, 0, 1}), 4);
    kn__baskets_free(sensitive);
    kn__class_items_free(known);
    clear(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_rare_by_group),
        cmocka_unit_test(test_inference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
