/* merge_choice.c - which merge makes a failing itemset pass.
 *
 * The paper takes the merge that adds the least error, whether it helps the itemset or not. Ours
 * weighs the error against the people that the merge brings to the itemset, counted up to k: the
 * ratio of their square root to the error is largest. A merge that brings no people is taken last.
 * The square root is found by experiment: without it merges with busy regions are taken too often
 * (decision 0023). */
#include "methods/sampling/merge_choice.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

void kn__search_state_clear(kn_search_state *s)
{
    kn__regions_free(s->regions);
    kn__region_index_free(s->index);
    kn__region_scratch_clear(&s->scratch);
    kn__free(s->candidates);
    *s = (kn_search_state){0};
}

static kn_status make_scratch(kn_search_state *s, const kn_region_rules *rules, kn_error *err)
{
    KN_PASS(kn__region_scratch_init(&s->scratch, rules, err));
    s->candidates_room = rules->items;
    s->candidates = kn__malloc_array(rules->items, sizeof *s->candidates);
    return s->candidates ? KN_OK : kn__nomem(err);
}

kn_status kn__search_state_init(kn_search_state *s, const kn_region_rules *rules,
                                const kn_set_source *source, kn_error *err)
{
    kn_status status;

    *s = (kn_search_state){0};
    KN_TRY(kn__regions_new(&s->regions, rules, err));
    KN_TRY(kn__region_index_new(&s->index, source, 0, err));
    KN_TRY(make_scratch(s, rules, err));
done:
    if (status != KN_OK) {
        kn__search_state_clear(s);
    }
    return status;
}

kn_status kn__search_state_copy(kn_search_state *s, const kn_search_state *from, kn_error *err)
{
    kn_status status;

    *s = (kn_search_state){.merges = from->merges};
    KN_TRY(kn__regions_copy(&s->regions, from->regions, err));
    KN_TRY(kn__region_index_copy(&s->index, from->index, err));
    KN_TRY(make_scratch(s, from->regions->rules, err));
done:
    if (status != KN_OK) {
        kn__search_state_clear(s);
    }
    return status;
}

kn_status kn__search_merge(kn_search_state *s, const kn_merge_candidate *c, kn_error *err)
{
    const size_t count = kn__regions_merged(s->regions, c, s->scratch.merged);
    uint32_t name = 0;

    for (size_t i = 0; i < count; i++) {
        name = s->scratch.merged[i] > name ? s->scratch.merged[i] : name;
    }
    KN_PASS(kn__region_index_merge(s->index, s->scratch.merged, count, name, err));
    (void)kn__regions_merge(s->regions, c, s->scratch.merged, count, &s->scratch);
    s->merges++;
    return KN_OK;
}

/* The different regions of `count` items, ascending, in `out`; returns how many. */
static size_t search_regions_of(const kn_regions *r, const uint32_t *items, size_t count,
                                uint32_t *out)
{
    size_t len = 0;

    for (size_t i = 0; i < count; i++) {
        const uint32_t region = r->of[items[i]];
        size_t at = len;
        while (at > 0 && out[at - 1] > region) {
            at--;
        }
        if (at > 0 && out[at - 1] == region) {
            continue;
        }
        memmove(out + at + 1, out + at, (len - at) * sizeof *out);
        out[at] = region;
        len++;
    }
    return len;
}

bool kn__search_passes(const kn_search_state *s, const uint32_t *items, size_t count, size_t k)
{
    uint32_t regions[KN_MOST_KNOWN];
    const size_t len = search_regions_of(s->regions, items, count, regions);
    const size_t support = kn__region_support(s->index, regions, len, k);

    return support == 0 || support >= k;
}

static kn_status stuck(const kn_search_state *s, size_t k, kn_error *err)
{
    if (s->regions->count == 1 || s->regions->rules->domain) {
        return kn__fail(err, KN_EINFEASIBLE,
                        "even with all items as one, fewer than %zu people hold any: ask for a "
                        "smaller k",
                        k);
    }
    return kn__fail(err, KN_EINFEASIBLE,
                    "fewer than %zu people hold some combinations of regions that have no "
                    "neighbour left to be merged with: the neighbour graph consists of parts that "
                    "are not connected; add edges between them (--edges), or ask for a smaller k",
                    k);
}

/* ---- choices ---- */

/* How many people of those that are missing merging the regions of `c` brings to an itemset whose
 * regions are `regions`, ascending. Of a hierarchy cut the merged regions are not looked at. */
static double people_brought(const kn_search_state *s, const uint32_t *regions, size_t len,
                             size_t k, const kn_merge_candidate *c)
{
    const size_t before = kn__region_support(s->index, regions, len, k);
    uint32_t other[KN_MOST_KNOWN];
    size_t after = 0, a = len, b = len;

    for (size_t i = 0; i < len; i++) {
        a = regions[i] == c->region ? i : a;
        b = regions[i] == c->other ? i : b;
    }
    if (a < len && b < len) { /* both are in it and become one: those who hold either now count */
        for (int drop_a = 0; drop_a < 2; drop_a++) {
            size_t n = 0;
            for (size_t i = 0; i < len; i++) {
                if (i != (drop_a ? a : b)) {
                    other[n++] = regions[i];
                }
            }
            after += kn__region_support(s->index, other, n, k);
        }
        after = after > before ? after - before : 0; /* those who hold both were counted twice */
    } else {
        memcpy(other, regions, len * sizeof *other);
        other[a < len ? a : b] = a < len ? c->other : c->region;
        after = before + kn__region_support(s->index, other, len, k);
    }
    after = after < k ? after : k;
    return after > before ? (double)(after - before) : 0;
}

static bool less(const kn_merge_candidate *a, const kn_merge_candidate *b)
{
    if (a->added != b->added) {
        return a->added < b->added;
    }
    return a->region != b->region ? a->region < b->region : a->other < b->other;
}

/* The best of `count` candidates. */
static size_t choose(const kn_search_state *s, const uint32_t *regions, size_t len, size_t k,
                     size_t count, bool paper)
{
    const kn_merge_candidate *c = s->candidates;
    double best_value = 0;
    size_t best = 0;

    for (size_t i = 1; i < count; i++) {
        best = less(&c[i], &c[best]) ? i : best;
    }
    if (paper || s->regions->rules->domain) {
        return best;
    }
    for (size_t i = 0; i < count; i++) {
        const double added = c[i].added > 0 ? c[i].added : 0;
        const double value = sqrt(people_brought(s, regions, len, k, &c[i])) / (added + 1e-9);
        if (value > best_value) {
            best_value = value;
            best = i;
        }
    }
    return best;
}

kn_status kn__resolve(kn_search_state *s, const uint32_t *items, size_t count, size_t k, bool paper,
                      kn_error *err)
{
    while (!kn__search_passes(s, items, count, k)) {
        uint32_t regions[KN_MOST_KNOWN];
        const size_t len = search_regions_of(s->regions, items, count, regions);
        size_t found = 0;
        for (size_t i = 0; i < len; i++) {
            kn__regions_candidates(s->regions, regions[i], &s->scratch, s->candidates, &found,
                                   s->candidates_room);
        }
        KN_PASS(
            found
                ? kn__search_merge(s, &s->candidates[choose(s, regions, len, k, found, paper)], err)
                : stuck(s, k, err));
    }
    return KN_OK;
}
