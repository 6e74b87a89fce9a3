/* record_lists.c - plain arrays of records: the two shortest are merged, and what they have in
 * common is looked for in the others, by steps that double. */
#include "guarantees/recount/record_lists.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum { UNEVEN = 8 }; /* a list so many times longer is searched, not merged */

size_t kn__record_lists_length(const kn_certify_lists *l, size_t record)
{
    return (size_t)(l->starts[record + 1] - l->starts[record]);
}

static kn_status order_records(kn_record_lists *x, kn_error *err)
{
    const kn_certify_lists *l = &x->lists;
    size_t *next = NULL;

    for (size_t i = 0; i < l->records; i++) {
        const size_t len = kn__record_lists_length(l, i);
        x->longest = len > x->longest ? len : x->longest;
    }
    x->from_length = kn__zalloc_array(x->longest + 2, sizeof *x->from_length);
    next = kn__malloc_array(x->longest + 2, sizeof *next);
    x->record = kn__malloc_array(l->records, sizeof *x->record);
    if (!x->from_length || !next || !x->record) {
        kn__free(next);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < l->records; i++) {
        x->from_length[kn__record_lists_length(l, i)]++;
    }
    for (size_t len = x->longest; len-- > 0;) {
        x->from_length[len] += x->from_length[len + 1];
    }
    memcpy(next, x->from_length, (x->longest + 2) * sizeof *next);
    for (size_t i = 0; i < l->records; i++) {
        x->record[next[kn__record_lists_length(l, i) + 1]++] = (uint32_t)i;
    }
    kn__free(next);
    return KN_OK;
}

static kn_status index_items(kn_record_lists *x, kn_error *err)
{
    const kn_certify_lists *l = &x->lists;

    x->begin = kn__zalloc_array((size_t)l->items + 2, sizeof *x->begin);
    x->places = kn__malloc_array((size_t)l->starts[l->records], sizeof *x->places);
    if (!x->begin || !x->places) {
        return kn__nomem(err);
    }
    for (uint64_t at = 0; at < l->starts[l->records]; at++) {
        x->begin[l->list[at] + 2]++;
    }
    for (size_t i = 2; i < (size_t)l->items + 2; i++) {
        x->begin[i] += x->begin[i - 1];
    }
    for (size_t place = 0; place < l->records; place++) {
        const size_t record = x->record[place];
        for (uint64_t at = l->starts[record]; at < l->starts[record + 1]; at++) {
            x->places[x->begin[l->list[at] + 1]++] = (uint32_t)place;
        }
    }
    return KN_OK;
}

kn_status kn__record_lists_init(kn_record_lists *x, const kn_certify_lists *lists, kn_error *err)
{
    kn_status status;

    x->lists = *lists;
    KN_TRY(lists->records < UINT32_MAX
               ? KN_OK
               : kn__fail(err, KN_EINPUT, "%zu records: at most 4294967294 can be certified",
                          lists->records));
    KN_TRY(order_records(x, err));
    KN_TRY(index_items(x, err));
done:
    return status;
}

void kn__record_lists_clear(kn_record_lists *x)
{
    kn__free(x->from_length);
    kn__free(x->record);
    kn__free(x->begin);
    kn__free(x->places);
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

size_t kn__record_lists_support(const kn_record_lists *x, const uint32_t *items, size_t count,
                                size_t most)
{
    holding h;
    size_t found = 0, a = 0, b = 0;

    hold(&h, x, items, count);
    if (count == 1) {
        return h.len[0] < most ? h.len[0] : most;
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
        found += one == two && others_hold(&h, one);
        a += one <= two;
        b += two <= one;
    }
    return found;
}
