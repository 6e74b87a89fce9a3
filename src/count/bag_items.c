/* bag_items.c - items by rank, equal records merged. */
#include "count/bag_items.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>

/* The place of an item among the chains. */
typedef struct place {
    uint32_t item, support;
    uint32_t links; /* in its chain */
    uint32_t rank;  /* of its first link */
} place;

static int rarer(const void *a, const void *b)
{
    const place *x = a, *y = b;

    if (x->support != y->support) {
        return x->support < y->support ? -1 : 1;
    }
    return x->item < y->item ? -1 : x->item > y->item;
}

static int by_item(const void *a, const void *b)
{
    const place *x = a, *y = b;

    return x->item < y->item ? -1 : x->item > y->item;
}

/* Supports of items and lengths of chains; returns the links that records hold in all. */
static uint64_t survey(const kn_bag_items *c, size_t most, place *places)
{
    const kn_baskets *d = c->distinct;
    uint64_t held = 0;

    for (uint32_t i = 0; i < d->items; i++) {
        places[i] = (place){.item = i};
    }
    for (size_t i = 0; i < d->records; i++) {
        size_t len, run = 0;
        const uint32_t *items = kn__baskets_record(d, i, &len);
        for (size_t j = 0; j < len; j++) {
            place *p = &places[items[j]];
            run = j > 0 && items[j] == items[j - 1] ? run + 1 : 1;
            if (run > most) {
                continue;
            }
            held++;
            p->support += run == 1 ? c->weight[i] : 0;
            p->links = run > p->links ? (uint32_t)run : p->links;
        }
    }
    return held;
}

static kn_status number(kn_bag_items *c, place *places, kn_error *err)
{
    const uint32_t items = c->distinct->items;
    size_t links = 0;

    qsort(places, items, sizeof *places, rarer);
    for (uint32_t i = 0; i < items; i++) {
        places[i].rank = (uint32_t)links;
        links += places[i].links;
        if (links >= UINT32_MAX) {
            return kn__fail(err, KN_EINPUT, "too many different items to count combinations of");
        }
    }
    c->links = (uint32_t)links;
    c->item = kn__arena_take(&c->arena, links, sizeof *c->item);
    c->times = kn__arena_take(&c->arena, links, sizeof *c->times);
    c->end = kn__arena_take(&c->arena, links, sizeof *c->end);
    c->support = kn__arena_zeros(&c->arena, links, sizeof *c->support);
    c->cost = kn__arena_zeros(&c->arena, links, sizeof *c->cost);
    if (c->arena.failed) {
        return kn__nomem(err);
    }
    for (uint32_t i = 0; i < items; i++) {
        for (uint32_t j = 0; j < places[i].links; j++) {
            const uint32_t link = places[i].rank + j;
            c->item[link] = places[i].item;
            c->times[link] = j + 1;
            c->cost[link].part[0] = (uint16_t)(j + 1);
            c->end[link] = places[i].rank + places[i].links;
        }
    }
    qsort(places, items, sizeof *places, by_item);
    return KN_OK;
}

/* Sort links, which are all different. Up to FEW are placed by the number of smaller ones, which
 * needs no branches; the branches of another sort would be unpredictable. */
static void sort_links(uint32_t *links, size_t count)
{
    enum { FEW = 8 };
    uint32_t was[FEW];

    if (count > FEW) {
        kn__sort_u32(links, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        was[i] = links[i];
    }
    for (size_t i = 0; i < count; i++) {
        size_t smaller = 0;
        for (size_t j = 0; j < count; j++) {
            smaller += was[j] < was[i];
        }
        links[smaller] = was[i];
    }
}

static kn_status list_links(kn_bag_items *c, size_t most, const place *places, uint64_t held,
                            kn_error *err)
{
    const kn_baskets *d = c->distinct;
    uint64_t at = 0;

    c->starts = kn__arena_take(&c->arena, d->records + 1, sizeof *c->starts);
    c->list = kn__arena_take(&c->arena, (size_t)held, sizeof *c->list);
    if (c->arena.failed) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < d->records; i++) {
        size_t len, run = 0;
        const uint32_t *items = kn__baskets_record(d, i, &len);
        c->starts[i] = at;
        for (size_t j = 0; j < len; j++) {
            run = j > 0 && items[j] == items[j - 1] ? run + 1 : 1;
            if (run <= most) {
                const uint32_t link = places[items[j]].rank + (uint32_t)run - 1;
                c->list[at++] = link;
                c->support[link] += c->weight[i];
            }
        }
        sort_links(c->list + c->starts[i], (size_t)(at - c->starts[i]));
    }
    c->starts[d->records] = at;
    return KN_OK;
}

kn_status kn__bag_items_new(kn_bag_items **out, const kn_baskets *b, size_t most, bool of,
                            kn_error *err)
{
    kn_bag_items *c = kn__zalloc(sizeof *c);
    place *places = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(c ? KN_OK : kn__nomem(err));
    c->records = b->records;
    KN_TRY(kn__baskets_group(&c->distinct, b, &c->weight, &c->first, of ? &c->of : NULL, err));
    for (size_t i = 0; i < c->distinct->records; i++) {
        c->people += c->weight[i];
    }
    places = kn__malloc_array(b->items, sizeof *places);
    KN_TRY(places ? KN_OK : kn__nomem(err));
    const uint64_t held = survey(c, most, places);
    KN_TRY(number(c, places, err));
    KN_TRY(list_links(c, most, places, held, err));
    c->lists = (kn_projection_lists){.starts = c->starts,
                                     .list = c->list,
                                     .weight = c->weight,
                                     .follow = c->end,
                                     .cost = c->cost,
                                     .items = c->links};
    *out = c;
    c = NULL;
done:
    kn__free(places);
    kn__bag_items_free(c);
    return status;
}

void kn__bag_items_free(kn_bag_items *c)
{
    if (c) {
        kn__baskets_free(c->distinct);
        KN_FREE(c->weight, c->first, c->of);
        kn__arena_clear(&c->arena);
        kn__free(c);
    }
}

void kn__bag_items_drop_rare(kn_bag_items *c, size_t k)
{
    uint64_t kept = 0, from = 0;

    for (size_t i = 0; i < c->distinct->records; i++) {
        const uint64_t end = c->starts[i + 1];
        for (; from < end; from++) {
            if (c->support[c->list[from]] >= k) {
                c->list[kept++] = c->list[from];
            }
        }
        c->starts[i + 1] = kept;
    }
}
