/* The search of the method `sampling`, against the definition: rare combinations of regions,
 * supports, verdicts for all exact sizes, connected regions, and the same result for every number
 * of threads. */
#include "base/memory.h"
#include "base/rng.h"
#include "base/validate.h"
#include "methods/sampling/merge_choice.h"
#include "methods/sampling/search.h"
#include "oracle/sampled_sets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_RECORDS = 400 };

/* ---- whether regions are as regions.h promises ---- */

static bool below(const kn_domain *d, uint32_t node, uint32_t above)
{
    while (node != above && d->depth[node] > d->depth[above]) {
        node = d->parent[node];
    }
    return node == above;
}

/* The items of the circle of `region`. */
static size_t gather(const kn_regions *r, uint32_t region, uint32_t *items)
{
    size_t count = 0;

    for (uint32_t i = region; count < r->rules->items && (count == 0 || i != region);
         i = r->next[i]) {
        items[count++] = i;
    }
    return count;
}

/* Whether the items of `region`, of which scratch has room for all, hang together. */
static bool hangs_together(const kn_regions *r, uint32_t region, uint32_t *stack, uint32_t *seen)
{
    size_t len = 1, found = 1;

    stack[0] = region;
    seen[region] = region + 1;
    while (len > 0) {
        const uint32_t i = stack[--len];
        for (uint64_t e = r->rules->near_at[i]; e < r->rules->near_at[i + 1]; e++) {
            const uint32_t to = r->rules->near[e];
            if (r->of[to] == region && seen[to] != region + 1) {
                seen[to] = region + 1;
                stack[len++] = to;
                found++;
            }
        }
    }
    return found == r->size[region];
}

static bool valid_region(const kn_regions *r, uint32_t region, kn_region_scratch *s,
                         const char **reason)
{
    size_t count;

    if (r->of[region] != region) {
        return kn__broken(reason, "a region is not named by one of its items");
    }
    count = gather(r, region, s->items);
    if (count != r->size[region]) {
        return kn__broken(reason, "a region has another size than its circle");
    }
    for (size_t i = 0; i < count; i++) {
        if (r->of[s->items[i]] != region || s->items[i] > region) {
            return kn__broken(reason, "a circle holds an item of another region, or a greater one");
        }
        if (r->node && !below(r->rules->domain, s->items[i], r->node[region])) {
            return kn__broken(reason, "an item is not below the node of its region");
        }
    }
    if (!r->rules->domain && !hangs_together(r, region, s->items, s->mark)) {
        return kn__broken(reason, "a region is not connected");
    }
    return true;
}

static bool regions_validate(const kn_regions *r, const char **reason)
{
    kn_region_scratch s;
    uint32_t count = 0;
    double total = 0;
    bool valid = true;

    if (kn__region_scratch_init(&s, r->rules, NULL) != KN_OK) {
        return kn__broken(reason, "memory is out");
    }
    for (uint32_t i = 0; valid && i < r->rules->items; i++) {
        if (r->of[i] == i) {
            valid = valid_region(r, i, &s, reason);
            count++;
            total += r->error[i];
        } else {
            valid = r->of[r->of[i]] == r->of[i] || kn__broken(reason, "an item has no region");
        }
    }
    if (valid && count != r->count) {
        valid = kn__broken(reason, "the number of regions is wrong");
    }
    if (valid && fabs(total - r->total) > 1e-6 * (1 + total)) {
        valid = kn__broken(reason, "the total error is not the sum of the regions'");
    }
    kn__region_scratch_clear(&s);
    return valid;
}

/* Random sets, a random connected neighbour graph and everything that a search needs. */
typedef struct world {
    uint32_t items;
    size_t records;
    uint64_t record[MOST_RECORDS];
    kn_baskets *baskets;
    kn_set_source *source;
    double weight[64];
    uint64_t near_at[65];
    uint32_t near[64 * 64];
    kn_region_rules rules;
} world;

static void world_make(world *w, kn_rng *r, uint32_t items, size_t records, uint32_t density,
                       bool connected)
{
    uint64_t touch[64] = {0}, at = 0;
    size_t total = 0;

    *w = (world){.items = items, .records = records};
    for (size_t i = 0; i < records; i++) {
        const uint32_t own = density + (uint32_t)kn__rng_below(r, 3);
        for (uint32_t j = 0; j < items; j++) {
            if (kn__rng_below(r, items) < own) {
                w->record[i] |= UINT64_C(1) << j;
            }
        }
        total += (size_t)__builtin_popcountll(w->record[i]);
    }
    w->baskets = kn__baskets_room(records, total, items, false);
    assert_non_null(w->baskets);
    for (size_t i = 0; i < records; i++) {
        for (uint32_t j = 0; j < items; j++) {
            if (w->record[i] >> j & 1) {
                w->baskets->list[at++] = j;
                w->weight[j]++;
            }
        }
        w->baskets->starts[i + 1] = at;
    }
    for (uint32_t i = connected ? 1 : items; i < items; i++) { /* a tree, then some more */
        const uint32_t to = (uint32_t)kn__rng_below(r, i);
        touch[i] |= UINT64_C(1) << to;
        touch[to] |= UINT64_C(1) << i;
    }
    for (uint32_t e = 0; e < items; e++) {
        const uint32_t a = (uint32_t)kn__rng_below(r, items), b = (uint32_t)kn__rng_below(r, items);
        if (connected && a != b) {
            touch[a] |= UINT64_C(1) << b;
            touch[b] |= UINT64_C(1) << a;
        }
    }
    at = 0;
    for (uint32_t i = 0; i < items; i++) {
        for (uint32_t j = 0; j < items; j++) {
            if (touch[i] >> j & 1) {
                w->near[at++] = j;
            }
        }
        w->near_at[i + 1] = at;
    }
    w->rules = (kn_region_rules){.items = items,
                                 .weight = w->weight,
                                 .all = (double)total,
                                 .near_at = w->near_at,
                                 .near = w->near,
                                 .error = KN_REGION_NCP};
    assert_int_equal(kn__set_source_new(&w->source, w->baskets, NULL), KN_OK);
}

static void world_clear(world *w)
{
    kn__set_source_free(w->source);
    kn__baskets_free(w->baskets);
}

/* Merge some regions at random. */
static void merge_some(kn_search_state *s, kn_rng *r, size_t merges)
{
    for (size_t i = 0; i < merges && s->regions->count > 1; i++) {
        const uint32_t item = (uint32_t)kn__rng_below(r, s->regions->rules->items);
        size_t count = 0;
        const char *why = NULL;
        kn__regions_candidates(s->regions, s->regions->of[item], &s->scratch, s->candidates, &count,
                               s->candidates_room);
        if (count) {
            const size_t pick = (size_t)kn__rng_below(r, count);
            const double before = s->regions->total, added = s->candidates[pick].added;
            assert_int_equal(kn__search_merge(s, &s->candidates[pick], NULL), KN_OK);
            assert_true(fabs(s->regions->total - before - added) < 1e-6 * (1 + fabs(before)));
        }
        if (!regions_validate(s->regions, &why)) {
            fail_msg("%s", why);
        }
    }
}

/* Supports and rare combinations, by bits of few records and of all, and by reading records. */
static void test_exact_pass(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 1, 0);
    for (int round = 0; round < 400; round++) {
        const uint32_t items = 4 + (uint32_t)kn__rng_below(&r, round % 2 ? 12 : 56);
        const size_t size = 1 + (size_t)kn__rng_below(&r, 4), k = 2 + (size_t)kn__rng_below(&r, 6);
        const kn_run run = {.threads = 1 + (unsigned)round % 3};
        kn_search_state s;
        kn_exact_pass *pass = NULL;
        kn_combinations found = {0};
        uint64_t release[MOST_RECORDS], *sets;
        size_t count, rare = 0, seen = 0;
        bool done = false;
        world w;
        world_make(&w, &r, items, 20 + (size_t)kn__rng_below(&r, MOST_RECORDS - 20),
                   2 + (uint32_t)kn__rng_below(&r, 4), true);
        assert_int_equal(kn__search_state_init(&s, &w.rules, w.source, NULL), KN_OK);
        if (round % 3) { /* most records are behind the longest ones */
            kn__region_index_free(s.index);
            assert_int_equal(kn__region_index_new(&s.index, w.source, 1, NULL), KN_OK);
        }
        merge_some(&s, &r, (size_t)kn__rng_below(&r, items / 2));
        for (size_t i = 0; i < w.records; i++) {
            release[i] = oracle_generalise(w.record[i], s.regions->of);
        }
        sets = oracle_itemsets(release, w.records, size, &count);
        for (size_t i = 0; i < count; i++) {
            uint32_t regions[4];
            size_t len = 0;
            const size_t support = oracle_support(release, w.records, sets[i]);
            for (uint32_t j = 0; j < 64; j++) {
                if (sets[i] >> j & 1) {
                    regions[len++] = j;
                }
            }
            assert_int_equal(kn__region_support(s.index, regions, len, 1000), support);
            assert_int_equal(kn__region_support(s.index, regions, len, k),
                             support < k ? support : k);
            rare += support < k;
        }
        assert_int_equal(kn__exact_pass_new(&pass, s.regions, s.index, size, k, &run, NULL), KN_OK);
        while (!done) {
            assert_int_equal(kn__exact_pass_round(pass, 5, &found, &done, NULL), KN_OK);
            for (size_t i = 0; i < found.count; i++) {
                uint64_t set = 0;
                for (size_t j = 0; j < size; j++) {
                    set |= UINT64_C(1) << found.region[i * size + j];
                }
                assert_int_equal(__builtin_popcountll(set), size);
                assert_in_range(oracle_support(release, w.records, set), 1, k - 1);
            }
            seen += found.count;
        }
        assert_int_equal(seen, rare);
        free(sets);
        kn__combinations_clear(&found);
        kn__exact_pass_free(pass);
        kn__search_state_clear(&s);
        world_clear(&w);
    }
}

/* All sizes exact: no itemset of the original fails, whichever way merges are chosen. */
static void test_exact_sizes(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 2, 0);
    for (int round = 0; round < 400; round++) {
        kn_guarantee g = {.kind = KN_SIGMA_KM_ANONYMITY,
                          .k = 2 + (size_t)kn__rng_below(&r, 5),
                          .m = 1 + (size_t)kn__rng_below(&r, 4),
                          .sigma = {1}};
        const kn_run run = {.threads = 1 + (unsigned)round % 2};
        const kn_search_options o = {
            .guarantee = &g, .paper = round % 2, .runs = 1, .run = &run, .seed = (uint64_t)round};
        kn_search_counts counts;
        kn_regions *found = NULL;
        const char *why = NULL;
        world w;
        world_make(&w, &r, 4 + (uint32_t)kn__rng_below(&r, 20), 20 + (size_t)kn__rng_below(&r, 100),
                   2 + (uint32_t)kn__rng_below(&r, 3), true);
        assert_int_equal(kn__search(&found, &w.rules, w.source, &o, &counts, NULL), KN_OK);
        if (!regions_validate(found, &why)) {
            fail_msg("%s", why);
        }
        for (size_t size = 1; size <= g.m; size++) {
            assert_true(oracle_failing_share(w.record, w.records, size, g.k, found->of) == 0);
        }
        kn__regions_free(found);
        world_clear(&w);
    }
}

/* Sampled sizes: the failing share stays near what was asked; the certificate is tested elsewhere.
 * And the same regions for 1 to 8 threads, with several runs and with one. */
static void test_sampled_sizes(void **state)
{
    kn_rng r;
    size_t above = 0;

    (void)state;
    kn__rng_seed(&r, 3, 0);
    for (int round = 0; round < 60; round++) {
        kn_guarantee g = {.kind = KN_SIGMA_KM_ANONYMITY,
                          .k = 3,
                          .m = 4,
                          .sigma = {0.9},
                          .exact_up_to = 1 + (size_t)round % 2};
        kn_regions *first = NULL;
        world w;
        world_make(&w, &r, 16, 150, 3, true);
        for (unsigned threads = 1; threads <= 8; threads += round % 10 ? 7 : 1) {
            const kn_run run = {.threads = threads};
            const kn_search_options o = {.guarantee = &g,
                                         .runs = round % 3 ? 1 : 4,
                                         .paper = round % 4 == 0,
                                         .run = &run,
                                         .seed = (uint64_t)round};
            kn_search_counts counts;
            kn_regions *found = NULL;
            assert_int_equal(kn__search(&found, &w.rules, w.source, &o, &counts, NULL), KN_OK);
            if (!first) {
                first = found;
                assert_true(counts.samples > 0);
            } else {
                assert_memory_equal(first->of, found->of, w.items * sizeof *first->of);
                kn__regions_free(found);
            }
        }
        for (size_t size = 1; size <= g.m; size++) {
            above += oracle_failing_share(w.record, w.records, size, g.k, first->of) > 0.1;
        }
        kn__regions_free(first);
        world_clear(&w);
    }
    assert_true(above <= 24); /* a tenth of 240 */
}

/* What a search keeps of smaller m is what a search with that m finds. */
static void test_path(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 7, 0);
    for (int round = 0; round < 30; round++) {
        kn_guarantee g = {.kind = KN_SIGMA_KM_ANONYMITY,
                          .k = 3,
                          .m = 5,
                          .sigma = {0.9},
                          .exact_up_to = (size_t)round % 4 ? (size_t)round % 4 : KN_SAMPLE_ALL};
        const kn_run run = {.threads = 2};
        kn_search_path path = {{0}};
        kn_search_options o = {.guarantee = &g,
                               .runs = round % 3 ? 1 : 3,
                               .paper = round % 4 == 0,
                               .run = &run,
                               .seed = (uint64_t)round,
                               .path = &path};
        kn_search_counts counts;
        kn_regions *found = NULL;
        world w;
        world_make(&w, &r, 16, 150, 3, true);
        assert_int_equal(kn__search(&found, &w.rules, w.source, &o, &counts, NULL), KN_OK);
        assert_memory_equal(found->of, path.after[5]->of, w.items * sizeof *found->of);
        kn__regions_free(found);
        o.path = NULL;
        for (g.m = 1; g.m < 5; g.m++) {
            assert_int_equal(kn__search(&found, &w.rules, w.source, &o, &counts, NULL), KN_OK);
            assert_memory_equal(found->of, path.after[g.m]->of, w.items * sizeof *found->of);
            kn__regions_free(found);
        }
        kn__search_path_clear(&path);
        world_clear(&w);
    }
}

static void test_not_connected(void **state)
{
    const kn_guarantee g = {.kind = KN_SIGMA_KM_ANONYMITY, .k = 30, .m = 2, .sigma = {1}};
    const kn_search_options o = {.guarantee = &g, .runs = 1};
    kn_search_counts counts;
    kn_regions *found = NULL;
    kn_error err = {0};
    kn_rng r;
    world w;

    (void)state;
    kn__rng_seed(&r, 4, 0);
    world_make(&w, &r, 10, 60, 2, false);
    assert_int_equal(kn__search(&found, &w.rules, w.source, &o, &counts, &err), KN_EINFEASIBLE);
    assert_null(found);
    assert_non_null(strstr(err.message, "not connected"));
    world_clear(&w);
}

static void test_out_of_reach(void **state)
{
    enum { ITEMS = 60 };
    const kn_guarantee g = {.kind = KN_SIGMA_KM_ANONYMITY,
                            .k = 1,
                            .m = 12,
                            .exact_up_to = KN_SAMPLE_ALL,
                            .attackers = KN_ATTACKER_PERSON,
                            .sigma = {0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 1}};
    const kn_search_options o = {.guarantee = &g, .runs = 1};
    kn_search_counts counts;
    kn_regions *found = NULL;
    kn_error err = {0};
    kn_rng r;
    world w;

    (void)state;
    kn__rng_seed(&r, 5, 0);
    world_make(&w, &r, ITEMS, 300, ITEMS - 2, true);
    assert_int_equal(kn__search(&found, &w.rules, w.source, &o, &counts, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "hours"));
    world_clear(&w);
}

static void test_no_memory(void **state)
{
    const kn_guarantee g = {
        .kind = KN_SIGMA_KM_ANONYMITY, .k = 3, .m = 3, .sigma = {0.9}, .exact_up_to = 2};
    const kn_run run = {.threads = 1};
    kn_search_path path = {{0}};
    const kn_search_options o = {.guarantee = &g, .runs = 2, .run = &run, .path = &path};
    size_t held;
    kn_rng r;
    world w;

    (void)state;
    kn__rng_seed(&r, 6, 0);
    world_make(&w, &r, 12, 60, 2, true);
    held = kn_memory_in_use();
    for (size_t at = 1;; at++) {
        kn_search_counts counts;
        kn_regions *found = NULL;
        kn_status status;
        kn__memory_fail_after(at);
        status = kn__search(&found, &w.rules, w.source, &o, &counts, NULL);
        kn__memory_fail_after(0);
        kn__search_path_clear(&path);
        if (status == KN_OK) {
            kn__regions_free(found);
            break;
        }
        assert_int_equal(status, KN_ENOMEM);
        assert_null(found);
        assert_int_equal(kn_memory_in_use(), held);
    }
    world_clear(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_pass),    cmocka_unit_test(test_exact_sizes),
        cmocka_unit_test(test_sampled_sizes), cmocka_unit_test(test_path),
        cmocka_unit_test(test_not_connected), cmocka_unit_test(test_out_of_reach),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
