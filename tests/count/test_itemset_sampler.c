/* Tests of count/itemset_sampler.c: every itemset that occurs is equally likely, against the
 * enumeration of all of them; a sampler without the rejection step is not uniform. */
#include "count/uniform_test.h"

#include "count/itemset_sampler.h"

enum { DRAWS = 40000 };

typedef struct outcome {
    double uniform, naive; /* standard deviations */
    int cells;
} outcome;

static outcome sample(const km_data *d, int size, kn_rng *r)
{
    static int sets[KEYS][KM_ITEMS];
    int seen[KEYS] = {0}, all[KEYS] = {0}, accepted = 0;
    const int count = enumerate(d, size, sets);
    outcome o = {.cells = count};
    kn_baskets *b = baskets_of(d);
    kn_bag_items *c = NULL;
    kn_postings *p = NULL;
    kn_itemset_sampler *s = NULL;
    double *ways;

    assert_int_equal(kn__bag_items_new(&c, b, (size_t)size, false, NULL), KN_OK);
    assert_int_equal(kn__postings_new(&p, c->distinct, NULL), KN_OK);
    assert_int_equal(kn__itemset_sampler_new(&s, c, p, (size_t)size, NULL), KN_OK);
    ways = kn__malloc_array(kn__itemset_sampler_scratch(s), sizeof *ways);
    assert_int_equal(kn__itemset_sampler_pairs(s) > 0, count > 0);
    for (int i = 0; count && i < DRAWS; i++) {
        kn_itemset_draw drawn;
        kn__itemset_sampler_draw(s, r, ways, &drawn);
        const int at = find(sets, count, drawn.items, size);
        assert_true(at >= 0);
        all[at]++;
        seen[at] += drawn.accepted;
        accepted += drawn.accepted;
    }
    if (count) {
        o.uniform = surprise(seen, count, accepted);
        o.naive = surprise(all, count, DRAWS);
    }
    kn__free(ways);
    kn__itemset_sampler_free(s);
    kn__postings_free(p);
    kn__bag_items_free(c);
    kn__baskets_free(b);
    return o;
}

static void test_uniform(void **state)
{
    kn_rng r;
    double sum = 0, worst = 0, naive = 0;
    int samples = 0;

    (void)state;
    kn__rng_seed(&r, 31, 0);
    for (int round = 0; round < 60; round++) {
        const km_data d = random_data(&r);
        for (int size = 1; size <= 3; size++) {
            const outcome o = sample(&d, size, &r);
            if (o.cells > 1) {
                samples++;
                sum += o.uniform;
                worst = fmax(worst, o.uniform);
                naive = fmax(naive, o.naive);
            }
        }
    }
    assert_true(samples > 50);
    assert_true(worst < 4.5);                           /* of some 150 samples */
    assert_true(fabs(sum) / sqrt((double)samples) < 4); /* nor too good on average */
    assert_true(naive > 20);                            /* without rejection: far from uniform */
}

static void test_failing_allocations(void **state)
{
    kn_rng r;
    km_data d;

    (void)state;
    kn__rng_seed(&r, 5, 0);
    do {
        d = random_data(&r);
    } while (d.records < 3);
    kn_baskets *b = baskets_of(&d);
    kn_bag_items *c = NULL;
    kn_postings *p = NULL;
    kn_itemset_sampler *s = NULL;
    assert_int_equal(kn__bag_items_new(&c, b, 2, false, NULL), KN_OK);
    assert_int_equal(kn__postings_new(&p, c->distinct, NULL), KN_OK);
    kn_memory_set_limit(kn_memory_in_use());
    assert_int_equal(kn__itemset_sampler_new(&s, c, p, 2, NULL), KN_ENOMEM);
    kn_memory_set_limit(0);
    assert_null(s);
    kn__postings_free(p);
    kn__bag_items_free(c);
    kn__baskets_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
