/* top_n.c - the first so many combinations. */
#include "count/top_n.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int compare(size_t size, uint32_t support, const uint32_t *items, size_t other_size,
                   uint32_t other_support, const uint32_t *others)
{
    if (size != other_size) {
        return size < other_size ? -1 : 1;
    }
    if (support != other_support) {
        return support < other_support ? -1 : 1;
    }
    for (size_t i = 0; i < size; i++) {
        if (items[i] != others[i]) {
            return items[i] < others[i] ? -1 : 1;
        }
    }
    return 0;
}

static bool after(const void *user, const void *a, const void *b)
{
    const kn_top_n *k = user;
    const kn_kept *x = a, *y = b;

    return compare(x->size, x->support, k->room + x->at, y->size, y->support, k->room + y->at) > 0;
}

void kn__top_n_init(kn_top_n *keep, size_t m, size_t limit)
{
    *keep = (kn_top_n){.m = m, .limit = limit};
}

void kn__top_n_clear(kn_top_n *keep)
{
    KN_FREE(keep->kept, keep->room);
    *keep = (kn_top_n){0};
}

bool kn__top_n_offer(kn_top_n *keep, const uint32_t *items, size_t size, uint32_t support)
{
    kn_kept *k;

    if (keep->limit == 0) {
        return true;
    }
    if (keep->len < keep->limit) {
        const size_t at = keep->len * keep->m;
        if (kn__grow(&keep->kept, &keep->cap, keep->len + 1, sizeof *keep->kept, NULL) != KN_OK ||
            kn__grow(&keep->room, &keep->room_cap, at + keep->m, sizeof *keep->room, NULL) !=
                KN_OK) {
            return false;
        }
        keep->kept[keep->len++] = (kn_kept){.support = support, .size = (uint32_t)size, .at = at};
        memcpy(keep->room + at, items, size * sizeof *items);
        return true;
    }
    if (!keep->heap) {
        kn__heap_make(keep->kept, keep->len, sizeof *keep->kept, after, keep);
        keep->heap = true;
    }
    k = &keep->kept[0];
    if (compare(size, support, items, k->size, k->support, keep->room + k->at) < 0) {
        k->support = support;
        k->size = (uint32_t)size;
        memcpy(keep->room + k->at, items, size * sizeof *items);
        kn__heap_down(keep->kept, keep->len, sizeof *keep->kept, 0, after, keep);
    }
    return true;
}

kn_status kn__top_n_merge(kn_top_n *keep, const kn_top_n *from, kn_error *err)
{
    for (size_t i = 0; i < from->len; i++) {
        const kn_kept *k = &from->kept[i];
        if (!kn__top_n_offer(keep, from->room + k->at, k->size, k->support)) {
            return kn__nomem(err);
        }
    }
    return KN_OK;
}

static int in_order(const void *a, const void *b)
{
    const kn_rare *x = a, *y = b;

    return compare(x->size, x->support, x->items, y->size, y->support, y->items);
}

kn_status kn__top_n_finish(const kn_top_n *keep, kn_rare **rare, size_t *count, uint32_t **room,
                           kn_error *err)
{
    const size_t cells = keep->len * keep->m; /* they fit: `room` holds them */
    kn_rare *r = kn__malloc_array(keep->len, sizeof *r);
    uint32_t *items = kn__malloc_array(cells, sizeof *items);

    *rare = NULL;
    *room = NULL;
    *count = 0;
    if (!r || !items) {
        KN_FREE(r, items);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < keep->len; i++) {
        const kn_kept *k = &keep->kept[i];
        r[i] = (kn_rare){.items = items + k->at, .size = k->size, .support = k->support};
        memcpy(r[i].items, keep->room + k->at, k->size * sizeof *items);
    }
    qsort(r, keep->len, sizeof *r, in_order);
    *rare = r;
    *room = items;
    *count = keep->len;
    return KN_OK;
}
