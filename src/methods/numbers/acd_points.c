/* acd_points.c - distinct numbers with an inverted index of their occurrences, and partitions. */
#include "methods/numbers/acd_points.h"
#include "base/error.h"
#include "base/memory.h"
#include "count/rare/rare.h"

#include <math.h>
#include <string.h>

void kn__acd_points_clear(kn_acd_points *p)
{
    kn__arena_clear(&p->arena);
    *p = (kn_acd_points){0};
}

/* Number the values that occur; items of equal value are one point. */
static kn_status number_points(kn_acd_points *p, const double *value, const uint64_t *occurrences,
                               kn_error *err)
{
    const uint32_t items = p->b->items;
    uint32_t none = 0; /* items before the first point */

    for (uint32_t i = 0; i < items; i++) {
        if (occurrences[i] && !isfinite(value[i])) {
            return kn__fail(err, KN_EINPUT,
                            "one of the numbers is not finite: acd needs a width "
                            "for every range");
        }
        if (occurrences[i] && (p->points == 0 || value[i] != p->value[p->points - 1])) {
            if (p->points && value[i] < p->value[p->points - 1]) {
                return kn__fail(err, KN_EUSAGE,
                                "acd: the items are not in the order of their "
                                "numbers");
            }
            p->value[p->points] = value[i];
            p->at[p->points++] = 0;
        }
        if (p->points == 0) {
            none = i + 1;
        } else {
            p->point_of[i] = p->points - 1;
            p->at[p->points - 1] += occurrences[i];
        }
    }
    memset(p->point_of, 0, none * sizeof *p->point_of);
    return KN_OK;
}

/* Losses are widths times occurrences, and their sums must be finite. Only their proportions
 * matter, and a power of two keeps these. */
static void keep_finite(kn_acd_points *p)
{
    const double large = 0x1p900, scale = 0x1p-200;
    const uint32_t last = p->points ? p->points - 1 : 0;

    if (p->points && (p->value[last] > large || p->value[0] < -large)) {
        for (uint32_t i = 0; i < p->points; i++) {
            p->value[i] *= scale;
        }
    }
}

/* How many records there are of each length. */
static kn_status count_lengths(kn_acd_points *p, kn_error *err)
{
    const uint64_t *starts = p->b->starts;
    const size_t records = p->b->records;

    for (size_t r = 0; r < records; r++) {
        const size_t len = (size_t)(starts[r + 1] - starts[r]);
        p->longest = len > p->longest ? len : p->longest;
    }
    p->of_length = kn__arena_zeros(&p->arena, p->longest + 1, sizeof *p->of_length);
    for (size_t r = 0; p->of_length && r < records; r++) {
        p->of_length[starts[r + 1] - starts[r]]++;
    }
    return kn__arena_check(&p->arena, err);
}

/* Fill `list`: a counting sort of the records by length. */
static kn_status list_records(kn_acd_points *p, kn_error *err)
{
    const kn_baskets *b = p->b;
    size_t *next = kn__malloc_array(p->longest + 1, sizeof *next), end = 1; /* by length */

    KN_PASS(next ? KN_OK : kn__nomem(err));
    for (size_t len = 0; len <= p->longest; len++) {
        next[len] = end;
        end += p->of_length[len] * (len + 1);
    }
    p->list[0] = KN_NO_CODE;
    for (size_t r = 0; r < b->records; r++) {
        const size_t len = (size_t)(b->starts[r + 1] - b->starts[r]);
        uint32_t *entry = p->list + next[len];
        for (uint64_t i = b->starts[r]; i < b->starts[r + 1]; i++) {
            *entry++ = p->point_of[b->list[i]];
        }
        *entry = KN_NO_CODE;
        next[len] += len + 1;
    }
    kn__free(next);
    return KN_OK;
}

/* Fill `place`, and turn the counts in `at` into offsets: a counting sort of the occurrences. */
static void index_occurrences(kn_acd_points *p)
{
    uint64_t sum = 0;
    size_t first = 1; /* entry of the first record of a length */

    for (uint32_t q = 0; q <= p->points; q++) {
        const uint64_t count = q < p->points ? p->at[q] : 0;
        p->at[q] = sum;
        sum += count;
    }
    for (size_t len = 0; len <= p->longest; len++) {
        const size_t end = first + p->of_length[len] * (len + 1);
        for (size_t i = 0; i < len; i++) {
            for (size_t entry = first + i; entry < end; entry += len + 1) {
                p->place[p->at[p->list[entry]]++] = entry;
            }
        }
        first = end;
    }
    memmove(p->at + 1, p->at, p->points * sizeof *p->at);
    p->at[0] = 0;
}

kn_status kn__acd_points_init(kn_acd_points *p, const kn_baskets *b, const double *value, size_t k,
                              size_t m, kn_error *err)
{
    const size_t total = (size_t)b->starts[b->records];
    uint64_t *occurrences;
    kn_status status;

    *p = (kn_acd_points){.b = b, .k = k, .bags = b->bags};
    occurrences = kn__arena_zeros(&p->arena, b->items, sizeof *occurrences);
    p->value = kn__arena_take(&p->arena, b->items, sizeof *p->value);
    p->at = kn__arena_take(&p->arena, (size_t)b->items + 1, sizeof *p->at);
    p->point_of = kn__arena_take(&p->arena, b->items, sizeof *p->point_of);
    p->list = kn__arena_take(&p->arena, total + b->records + 1, sizeof *p->list);
    p->place = kn__arena_take(&p->arena, total, sizeof *p->place);
    KN_TRY(kn__arena_check(&p->arena, err));
    for (size_t i = 0; i < total; i++) {
        occurrences[b->list[i]]++;
    }
    KN_TRY(number_points(p, value, occurrences, err));
    KN_TRY(count_lengths(p, err));
    p->m = m < p->longest ? m : p->longest;
    keep_finite(p);
    KN_TRY(list_records(p, err));
    index_occurrences(p);
done:
    if (status != KN_OK) {
        kn__acd_points_clear(p);
    }
    return status;
}

kn_status kn__acd_feasible(const kn_acd_points *p, size_t m, kn_error *err)
{
    const size_t most = p->bags || p->m == 0 ? p->m : 1;

    /* With one range for all, a combination of s ranges is held by the records of s items or more
     * (in sets: of one or more), and no partition does better. */
    for (size_t s = 1; s <= most; s++) {
        size_t records = 0;
        for (size_t len = s; len <= p->longest; len++) {
            records += p->of_length[len];
        }
        const char *hold = records == 1 ? " holds" : "s hold";
        if (records < p->k && s == 1) {
            return kn__fail(err, KN_EINFEASIBLE,
                            "km-anonymity with k = %zu cannot be met: only %zu record%s any item; "
                            "k can be at most that",
                            p->k, records, hold);
        }
        if (records < p->k) {
            return kn__fail(
                err, KN_EINFEASIBLE,
                "km-anonymity with k = %zu and m = %zu cannot be met by generalising: "
                "only %zu record%s %zu items or more, and an attacker who knows %zu items "
                "knows that: m can be at most %zu, or k at most %zu",
                p->k, m, records, hold, s, s, s - 1, records);
        }
    }
    return KN_OK;
}

double kn__acd_total(const kn_acd_points *p, const uint8_t *cut)
{
    double total = 0;

    for (uint32_t low = 0, high; low < p->points; low = high) {
        high = kn__acd_high(p, cut, low);
        total += kn__acd_cost(p, low, high);
    }
    return total;
}

kn_status kn__acd_ranges(const kn_acd_points *p, const uint8_t *cut, kn_baskets **out,
                         const kn_run *run, kn_error *err)
{
    uint32_t *to = kn__malloc_array((size_t)p->b->items + p->points, sizeof *to);
    uint32_t *range = to ? to + p->b->items : NULL;
    uint32_t ranges = 0;
    kn_status status;

    *out = NULL;
    KN_PASS(to ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < p->points; i++) {
        ranges += cut[i] != 0;
        range[i] = ranges - 1;
    }
    for (uint32_t i = 0; i < p->b->items; i++) {
        to[i] = p->points ? range[p->point_of[i]] : 0;
    }
    status = kn__baskets_map(out, p->b, to, ranges ? ranges : 1, run, err);
    kn__free(to);
    return status;
}

/* Whether the record around `entry` holds both ranges: two items of it if they are the same. */
static bool holds_both(const uint32_t *entry, const uint32_t *low, const uint32_t *high)
{
    size_t held[2] = {0};

    while (entry[-1] != KN_NO_CODE) {
        entry--;
    }
    for (; *entry != KN_NO_CODE; entry++) {
        held[0] += kn__acd_within(*entry, low[0], high[0]);
        held[1] += kn__acd_within(*entry, low[1], high[1]);
    }
    return low[0] == low[1] ? held[0] > 1 : held[0] && held[1];
}

/* Whether the pair of ranges that hold points `x` and `y` is rare; `*work` grows by the occurrences
 * that were looked at. */
static bool rare_pair(const kn_acd_points *p, const uint8_t *cut, uint32_t x, uint32_t y,
                      uint64_t *work)
{
    uint32_t low[2] = {x, y}, high[2];
    size_t support = 0;
    int fewer;

    for (int side = 0; side < 2; side++) {
        high[side] = kn__acd_high(p, cut, low[side]);
        while (!cut[low[side]]) {
            low[side]--;
        }
    }
    if (low[0] == low[1] && !p->bags) {
        return false;
    }
    fewer = p->at[high[0]] - p->at[low[0]] > p->at[high[1]] - p->at[low[1]];
    /* A record that is met several times makes the support too large, never too small. */
    for (uint64_t i = p->at[low[fewer]]; i < p->at[high[fewer]] && support < p->k; i++, ++*work) {
        support += holds_both(p->list + p->place[i], low, high);
    }
    return support < p->k;
}

/* Whether neighbours in one of the longest records are a rare pair. Most partitions that do not
 * hold are refused by that, without counting all combinations. Not more work than one pass. */
static bool find_rare_pair(const kn_acd_points *p, const uint8_t *cut)
{
    uint64_t work = 0;

    for (size_t i = (size_t)p->at[p->points] + p->b->records; i > 0; i--) {
        const uint32_t *entry = p->list + i - 1;
        if (work++ > p->at[p->points]) {
            break;
        }
        if (entry[0] != KN_NO_CODE && entry[1] != KN_NO_CODE &&
            rare_pair(p, cut, entry[0], entry[1], &work)) {
            return true;
        }
    }
    return false;
}

kn_status kn__acd_holds(const kn_acd_points *p, const uint8_t *cut, const kn_run *run, bool *holds,
                        kn_error *err)
{
    kn_baskets *ranges = NULL;
    kn_rare_list *rare = NULL;
    kn_status status;

    if (p->m > 1 && find_rare_pair(p, cut)) {
        *holds = false;
        return KN_OK;
    }
    KN_TRY(kn__acd_ranges(p, cut, &ranges, run, err));
    KN_TRY(kn__rare_find(&rare, ranges, p->k, p->m, 0, run, err));
    *holds = rare->count == 0;
done:
    kn__rare_list_free(rare);
    kn__baskets_free(ranges);
    return status;
}
