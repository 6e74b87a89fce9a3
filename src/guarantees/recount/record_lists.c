/* record_lists.c - plain arrays of records: the two shortest are merged, and what they have in
 * common is looked for in the others, by steps that double. */
#include "guarantees/recount/record_lists.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <assert.h>
#include <string.h>

enum { UNEVEN = 8 }; /* a list so many times longer is searched, not merged */

size_t kn__record_lists_length(const kn_certify_lists *l, size_t record)
{
    return (size_t)(l->starts[record + 1] - l->starts[record]);
}

/* A hash of the items, as a number that a double holds. */
static double rank_of(const kn_certify_lists *l, size_t record)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (uint64_t at = l->starts[record]; at < l->starts[record + 1]; at++) {
        h = (h ^ l->list[at]) * UINT64_C(0x9fb21c651e98df25);
        h ^= h >> 29;
    }
    return (double)((h * UINT64_C(0xc4ceb9fe1a85ec53)) >> 11);
}

/* The order of two records of `len` items by their first items that differ. */
static int compare_items(const kn_certify_lists *l, size_t a, size_t b, size_t len)
{
    const uint32_t *x = l->list + l->starts[a], *y = l->list + l->starts[b];
    size_t i = 0;

    while (i < len && x[i] == y[i]) {
        i++;
    }
    return i == len ? 0 : KN_ORDER(x[i], y[i]);
}

/* Order the records of one length by their hashes; where these agree, as those of equal records do,
 * by their items. */
static void order_length(const kn_certify_lists *l, kn_ranked *order, size_t count, size_t len)
{
    kn__sort_ranked(order, count);
    for (size_t i = 1; i < count; i++) {
        for (size_t j = i; j > 0 && order[j - 1].rank == order[j].rank &&
                           compare_items(l, order[j - 1].id, order[j].id, len) > 0;
             j--) {
            const kn_ranked swap = order[j];
            order[j] = order[j - 1];
            order[j - 1] = swap;
        }
    }
}

/* Number the records of one length, equal ones once. */
static void number_records(kn_record_lists *x, const kn_ranked *order, size_t count, size_t len)
{
    const kn_certify_lists *l = &x->lists;

    for (size_t i = 0; i < count; i++) {
        const uint32_t id = order[i].id;
        const bool same = i > 0 && order[i - 1].rank == order[i].rank &&
                          compare_items(l, order[i - 1].id, id, len) == 0;
        if (!same) {
            x->record[x->records++] = id;
            x->before[x->records] = x->before[x->records - 1];
        }
        x->before[x->records] += l->people ? l->people[id] : 1;
    }
}

static kn_status order_records(kn_record_lists *x, kn_error *err)
{
    const kn_certify_lists *l = &x->lists;
    kn_ranked *order = NULL;
    size_t *next = NULL;
    kn_status status;

    for (size_t i = 0; i < l->records; i++) {
        const size_t len = kn__record_lists_length(l, i);
        x->longest = len > x->longest ? len : x->longest;
    }
    x->from_length = kn__zalloc_array(x->longest + 2, sizeof *x->from_length);
    next = kn__zalloc_array(x->longest + 2, sizeof *next);
    order = kn__malloc_array(l->records, sizeof *order);
    x->record = kn__malloc_array(l->records, sizeof *x->record);
    x->before = kn__zalloc_array(l->records + 1, sizeof *x->before);
    KN_TRY(x->from_length && next && order && x->record && x->before ? KN_OK : kn__nomem(err));
    /* next[n + 1]: where the records of n items begin, the longest first. */
    for (size_t i = 0; i < l->records; i++) {
        next[kn__record_lists_length(l, i)]++;
    }
    for (size_t len = x->longest; len-- > 0;) {
        next[len] += next[len + 1];
    }
    for (size_t i = 0; i < l->records; i++) {
        const size_t len = kn__record_lists_length(l, i);
        order[next[len + 1]++] = (kn_ranked){rank_of(l, i), (uint32_t)i};
    }
    /* Placing moved each beginning to its end. */
    for (size_t len = x->longest + 1, first = 0; len-- > 0;) {
        order_length(l, order + first, next[len + 1] - first, len);
        number_records(x, order + first, next[len + 1] - first, len);
        x->from_length[len] = x->records;
        first = next[len + 1];
    }
done:
    KN_FREE(next, order);
    return status;
}

static kn_status index_items(kn_record_lists *x, kn_error *err)
{
    const kn_certify_lists *l = &x->lists;

    x->begin = kn__zalloc_array((size_t)l->items + 2, sizeof *x->begin);
    KN_PASS(x->begin ? KN_OK : kn__nomem(err));
    for (size_t place = 0; place < x->records; place++) {
        const size_t record = x->record[place];
        for (uint64_t at = l->starts[record]; at < l->starts[record + 1]; at++) {
            x->begin[l->list[at] + 2]++;
        }
    }
    for (size_t i = 2; i < (size_t)l->items + 2; i++) {
        x->begin[i] += x->begin[i - 1];
    }
    x->places = kn__malloc_array((size_t)x->begin[(size_t)l->items + 1], sizeof *x->places);
    KN_PASS(x->places ? KN_OK : kn__nomem(err));
    for (size_t place = 0; place < x->records; place++) {
        const size_t record = x->record[place];
        for (uint64_t at = l->starts[record]; at < l->starts[record + 1]; at++) {
            x->places[x->begin[l->list[at] + 1]++] = (uint32_t)place;
        }
    }
    return KN_OK;
}

kn_status kn__record_lists_init(kn_record_lists *x, const kn_certify_lists *lists, kn_error *err)
{
    x->lists = *lists;
    KN_PASS(lists->records < UINT32_MAX
                ? KN_OK
                : kn__fail(err, KN_EINPUT, "%zu records: at most 4294967294 can be certified",
                           lists->records));
    KN_PASS(order_records(x, err));
    return index_items(x, err);
}

void kn__record_lists_clear(kn_record_lists *x)
{
    KN_FREE(x->from_length, x->record, x->before, x->begin, x->places);
    *x = (kn_record_lists){0};
}

/* How many of the places in list[*at..len) are below `place`, from `*at` on. */
static void advance(const uint32_t *list, size_t len, size_t *at, uint32_t place)
{
    size_t step = 1, low = *at;

    if (low >= len || list[low] >= place) {
        return;
    }
    while (low + step < len && list[low + step] < place) {
        low += step;
        step += step;
    }
    for (size_t high = low + step < len ? low + step : len; high - low > 1;) {
        const size_t middle = (low + high) / 2;
        *(list[middle] < place ? &low : &high) = middle;
    }
    *at = low + 1;
}

/* The lists of the items, the shortest first, cut where records get too short. */
typedef struct holding {
    size_t count;
    const uint32_t *list[KN_MOST_KNOWN];
    size_t len[KN_MOST_KNOWN], at[KN_MOST_KNOWN];
} holding;

static void hold(holding *h, const kn_record_lists *x, const uint32_t *items, size_t count)
{
    const uint32_t end = count <= x->longest ? (uint32_t)x->from_length[count] : 0;

    h->count = count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *list = x->places + x->begin[items[i]];
        size_t len = 0, place = i;
        advance(list, (size_t)(x->begin[items[i] + 1] - x->begin[items[i]]), &len, end);
        for (; place > 0 && h->len[place - 1] > len; place--) {
            h->list[place] = h->list[place - 1];
            h->len[place] = h->len[place - 1];
        }
        h->list[place] = list;
        h->len[place] = len;
        h->at[i] = 0;
    }
}

/* Whether the lists from the third on hold `place` too. */
static bool others_hold(holding *h, uint32_t place)
{
    for (size_t i = 2; i < h->count; i++) {
        advance(h->list[i], h->len[i], &h->at[i], place);
        if (h->at[i] == h->len[i] || h->list[i][h->at[i]] != place) {
            return false;
        }
    }
    return true;
}

static uint64_t people_at(const kn_record_lists *x, size_t place)
{
    return x->before[place + 1] - x->before[place];
}

/* Records that hold all items, or the people in them, counted to `most`. */
static inline uint64_t count_holders(const kn_record_lists *x, const uint32_t *items, size_t count,
                                     uint64_t most, bool people)
{
    holding h;
    uint64_t found = 0;
    size_t a = 0, b = 0;

    assert(count > 0);
    hold(&h, x, items, count);
    if (count == 1 && !people) {
        return h.len[0] < most ? h.len[0] : most;
    }
    if (count == 1) {
        for (; found < most && a < h.len[0]; a++) {
            found += people_at(x, h.list[0][a]);
        }
        return found;
    }
    const uint32_t *first = h.list[0], *second = h.list[1];
    const size_t far = h.len[1] / UNEVEN;
    while (found < most && a < h.len[0] && b < h.len[1]) {
        if (far > h.len[0]) {
            advance(second, h.len[1], &b, first[a]);
            if (b == h.len[1]) {
                break;
            }
        }
        const uint32_t one = first[a], two = second[b];
        if (one == two && others_hold(&h, one)) {
            found += people ? people_at(x, one) : 1;
        }
        a += one <= two;
        b += two <= one;
    }
    return found;
}

size_t kn__record_lists_support(const kn_record_lists *x, const uint32_t *items, size_t count,
                                size_t most)
{
    return (size_t)count_holders(x, items, count, most, false);
}

uint64_t kn__record_lists_people(const kn_record_lists *x, const uint32_t *items, size_t count,
                                 uint64_t most)
{
    return count_holders(x, items, count, most, true);
}

size_t kn__record_lists_place(const kn_record_lists *x, uint64_t person)
{
    size_t low = 0, high = x->records - 1;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (x->before[middle + 1] > person) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}
