/* Multi-level mining loss: the tree paper's example by hand, thousands of random releases against
 * the definition. */
#include "base/memory.h"
#include "kanon/measure.h"
#include "oracle/mining.h"
#include "utility/worlds.h"

#include <math.h>

static kn_dataset *table(kn_type type, const world_list *list, int count)
{
    const char *rows[WORLD_RECORDS];

    for (int i = 0; i < count; i++) {
        rows[i] = list[i].text;
    }
    return lists(type, rows, (size_t)count);
}

static kn_mining mined(kn_type type, const char *const *before, const char *const *after,
                       size_t count, const char *hierarchy, const kn_mining_options *options)
{
    kn_dataset *original = lists(type, before, count);
    kn_dataset *release = lists(type == KN_TYPE_NUMBERS ? KN_TYPE_BAG : type, after, count);
    kn_hierarchies *hs = hierarchy ? tree(hierarchy) : NULL;
    kn_mining m;
    kn_error err = {0};

    if (kn_mining_measure(&m, original, release, hs, options, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    kn_hierarchies_free(hs);
    kn_dataset_free(original);
    kn_dataset_free(release);
    return m;
}

static void check_level(const kn_mining *m, size_t level, size_t frequent, size_t preserved)
{
    assert_true(level < m->levels);
    assert_int_equal(m->level[level].frequent, frequent);
    assert_int_equal(m->level[level].preserved, preserved);
}

/* Example 2 of the tree paper, as a set of two items: of the three frequent pairs, one a level,
 * the two above the published values are preserved. */
static void test_paper(void **state)
{
    static const char ladder[] = "Hospital_2;General;Hospital;*\nHospital_1;General;Hospital;*\n"
                                 "Flu;Lung;Disease;*\nAsthma;Lung;Disease;*\n";
    static const char *const before[] = {"Hospital_2 Flu", "Hospital_2 Flu", "Asthma"};
    static const char *const after[] = {"Hospital_2 Lung", "Hospital_2 Lung", "Lung"};
    const kn_mining_options pairs = {.support = 0.5, .items = 2};
    kn_mining m = mined(KN_TYPE_SET, before, after, 3, ladder, &pairs);

    (void)state;
    assert_int_equal(m.least, 2);
    assert_int_equal(m.levels, 3);
    check_level(&m, 0, 3, 1); /* of {Hospital_2}, {Flu} and both, the first */
    check_level(&m, 1, 3, 3);
    check_level(&m, 2, 3, 3);
    assert_true(fabs(m.loss - 2.0 / 9) < 1e-12);
    assert_false(m.bounded);
    kn_mining_clear(&m);
}

static void test_by_hand(void **state)
{
    static const char *const before[] = {"apple leek", "pear leek", "apple", ""};
    static const char *const sets[] = {"{apple,pear} leek", "{apple,pear} leek", "apple", ""};
    static const char *const stars[] = {"* leek", "* leek", "*", ""};
    static const char *const bags[] = {"apple apple", "apple pear", "pear"};
    const kn_mining_options half = {.support = 0.5};
    kn_mining m = mined(KN_TYPE_SET, before, sets, 4, NULL, &half);

    (void)state;
    /* Without a hierarchy the items alone are a level: apple and leek are in two records of four.
     */
    assert_int_equal(m.levels, 1);
    check_level(&m, 0, 2, 1);
    kn_mining_clear(&m);
    m = mined(KN_TYPE_SET, before, stars, 4, NULL, &half);
    check_level(&m, 0, 2, 1);
    assert_int_equal(m.size, 3);
    kn_mining_clear(&m);
    m = mined(KN_TYPE_SET, before, before, 4, NULL, &half);
    assert_true(m.loss == 0);
    kn_mining_clear(&m);
    /* A record counts once, however often it holds an item. */
    m = mined(KN_TYPE_BAG, bags, bags, 3, NULL, &(kn_mining_options){.support = 2.0 / 3});
    check_level(&m, 0, 2, 2);
    kn_mining_clear(&m);
    /* Nothing is frequent here. */
    m = mined(KN_TYPE_SET, (const char *const[]){"a", "b"}, (const char *const[]){"a", "b"}, 2,
              NULL, &(kn_mining_options){.support = 0.9});
    assert_true(isnan(m.loss));
    assert_int_equal(m.frequent, 0);
    kn_mining_clear(&m);
    kn_mining_clear(&m);
}

static void test_support(void **state)
{
    const char *rows[100];
    kn_mining m;

    (void)state;
    for (size_t i = 0; i < 100; i++) {
        rows[i] = i < 7 ? "a b" : i < 13 ? "c" : "d";
    }
    /* 0.07 x 100 is a little more than 7. */
    m = mined(KN_TYPE_SET, rows, rows, 100, NULL, &(kn_mining_options){.support = 0.07});
    assert_int_equal(m.least, 7);
    assert_int_equal(m.frequent, 4); /* a, b, both and d */
    kn_mining_clear(&m);
}

static void test_bounded(void **state)
{
    static const size_t up_to[] = {0, 4, 10, 14, 15};
    static const char *const rows[] = {"a b c d", "a b c d", "a b c d", "a b c"};
    const kn_mining_options all = {.support = 0.5, .items = 4};
    kn_mining m = mined(KN_TYPE_SET, rows, rows, 4, NULL, &all);
    uint64_t steps = 1;

    (void)state;
    assert_int_equal(m.frequent, 15);
    assert_false(m.bounded);
    kn_mining_clear(&m);
    /* With fewer steps the sets become smaller; those of one item are always counted. */
    m = mined(KN_TYPE_SET, rows, rows, 4, NULL,
              &(kn_mining_options){.support = 0.5, .items = 4, .steps = 1});
    assert_true(m.bounded);
    assert_int_equal(m.size, 1);
    assert_int_equal(m.frequent, 4);
    for (size_t size = 1; size < 4; steps++) {
        kn_mining_clear(&m);
        m = mined(KN_TYPE_SET, rows, rows, 4, NULL,
                  &(kn_mining_options){.support = 0.5, .items = 4, .steps = steps});
        assert_true(m.size >= size);
        size = m.size;
        assert_int_equal(m.frequent, up_to[size]);
        assert_true(m.bounded == (size < 4));
    }
    kn_mining_clear(&m);
}

/* The levels of a world, by definition. */
static void set_levels(mine_data *d, const world *w)
{
    d->levels = is_tree(w) ? 3 : w->kind == NUMBERS ? 6 : 1;
    for (int i = 0; i < w->leaves; i++) {
        d->group[0][i] = 1u << i;
    }
    d->groups[0] = w->leaves;
    for (int level = 1; is_tree(w) && level < 3; level++) {
        d->groups[level] = WORLD_LEAVES;
        for (int i = 0; i < w->leaves; i++) {
            if (w->group[level - 1][i] >= 0) {
                d->group[level][w->group[level - 1][i]] |= 1u << i;
            }
        }
    }
    for (int level = 1; w->kind == NUMBERS && level < 6; level++) {
        const int ranges = 64 >> level;
        int all = 0, last = -1;
        for (int i = 0; i < w->records[0]; i++) {
            all += w->original[i].items;
        }
        for (int x = 0; x < w->leaves; x++) {
            double less = 0;
            int range;
            for (int i = 0; i < w->records[0]; i++) {
                for (int j = 0; j < w->original[i].items; j++) {
                    const uint32_t number = w->original[i].item[j];
                    less += number < 1u << x ? 1 : number == 1u << x ? 0.5 : 0;
                }
            }
            if (w->seen >> x & 1) {
                range = (int)floor(less * ranges / all + 1e-9);
                if (range != last) {
                    d->groups[level]++;
                    last = range;
                }
                d->group[level][d->groups[level] - 1] |= 1u << x;
            }
        }
    }
}

static void test_random(void **state)
{
    kn_rng rng;
    size_t lossy = 0;

    (void)state;
    kn__rng_seed(&rng, 5, 0);
    for (int n = 0; n < 6000; n++) {
        world w;
        mine_data d = {0};
        kn_dataset *original, *release;
        kn_hierarchies *hs;
        kn_mining_options options;
        kn_error err = {0};

        make_world(&w, &rng);
        if (!w.seen || !w.records[1]) {
            continue;
        }
        options = (kn_mining_options){.support = (1 + below(&rng, w.records[0])) /
                                                 (double)w.records[0],
                                      .items = 1 + (size_t)below(&rng, 4)};
        original = table(world_type(&w), w.original, w.records[0]);
        release = table(w.kind == NUMBERS ? KN_TYPE_BAG : world_type(&w), w.release, w.records[1]);
        hs = is_tree(&w) ? tree(w.tree) : NULL;
        set_levels(&d, &w);
        for (int side = 0; side < 2; side++) {
            const world_list *from = side ? w.release : w.original;
            d.records[side] = w.records[side];
            for (int i = 0; i < w.records[side]; i++) {
                d.record[side][i].items = from[i].items;
                memcpy(d.record[side][i].item, from[i].item, sizeof from[i].item);
            }
        }
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            kn_mining m;
            size_t frequent = 0, preserved = 0;
            if (kn_mining_measure(&m, original, release, hs, &options,
                                  &(kn_run){.threads = threads}, &err) != KN_OK) {
                fail_msg("%d: %s", n, err.message);
            }
            assert_int_equal(m.levels, d.levels);
            assert_int_equal(m.least, lround(options.support * w.records[0]));
            for (int level = 0; level < d.levels; level++) {
                const mine_level want = mine_count(&d, level, (int)m.least, (int)options.items);
                if (m.level[level].frequent != (size_t)want.frequent ||
                    m.level[level].preserved != (size_t)want.preserved) {
                    fail_msg("%d, level %d: %zu of %zu, not %d of %d\n%s", n, level,
                             m.level[level].preserved, m.level[level].frequent, want.preserved,
                             want.frequent, w.tree);
                }
                frequent += m.level[level].frequent;
                preserved += m.level[level].preserved;
            }
            assert_int_equal(m.frequent, frequent);
            assert_int_equal(m.preserved, preserved);
            lossy += m.loss > 0 && m.loss < 1;
            kn_mining_clear(&m);
        }
        kn_hierarchies_free(hs);
        kn_dataset_free(original);
        kn_dataset_free(release);
    }
    assert_true(lossy > 1000);
}

static void test_refused(void **state)
{
    static const char *const rows[] = {"a b", "c"};
    kn_dataset *ds = lists(KN_TYPE_SET, rows, 2), *other = lists(KN_TYPE_SET, rows, 2);
    kn_mining m;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_mining_measure(&m, ds, ds, NULL, &(kn_mining_options){.support = 1.5}, NULL,
                                       &err),
                     KN_EUSAGE);
    assert_non_null(strstr(err.message, "share"));
    assert_null(m.level);
    assert_int_equal(kn_mining_measure(&m, ds, ds, NULL, &(kn_mining_options){.items = 17}, NULL,
                                       &err),
                     KN_EUSAGE);
    assert_non_null(strstr(err.message, "16"));
    kn_dataset_set_role(other, 0, KN_ROLE_KEPT, NULL);
    assert_int_equal(kn_mining_measure(&m, other, ds, NULL, NULL, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "list"));
    kn_dataset_free(ds);
    kn_dataset_free(other);
}

static void test_memory(void **state)
{
    static const char *const before[] = {"apple leek", "fig apple leek", "kale apple"};
    static const char *const after[] = {"fruit leek", "fruit leek", "kale apple"};
    static const char fruit[] = "apple;fruit;*\nfig;fruit;*\nleek;green;*\nkale;green;*\n";
    kn_dataset *original = lists(KN_TYPE_SET, before, 3), *release = lists(KN_TYPE_SET, after, 3);
    kn_hierarchies *hs = tree(fruit);
    kn_status status = KN_ENOMEM;
    kn_mining m;

    (void)state;
    for (size_t n = 1; status != KN_OK; n++) {
        kn__memory_fail_after(n);
        status = kn_mining_measure(&m, original, release, hs, NULL, NULL, NULL);
        kn__memory_fail_after(0);
        assert_true(status == KN_OK || (status == KN_ENOMEM && !m.level));
    }
    kn_mining_clear(&m);
    kn_hierarchies_free(hs);
    kn_dataset_free(original);
    kn_dataset_free(release);
}

static int cancel(void *user, const char *phase, double done)
{
    (void)user;
    (void)done;
    return strcmp(phase, "mine") == 0;
}

static void test_cancelled(void **state)
{
    static const char *const rows[] = {"a b", "a b"};
    kn_dataset *ds = lists(KN_TYPE_SET, rows, 2);
    kn_mining m;

    (void)state;
    assert_int_equal(kn_mining_measure(&m, ds, ds, NULL, NULL, &(kn_run){.progress = cancel}, NULL),
                     KN_ECANCELLED);
    assert_null(m.level);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),   cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_support), cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_random),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_memory),  cmocka_unit_test(test_cancelled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
