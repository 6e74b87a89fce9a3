/* growing_clusters.c - clusters that grow, and how far apart their items are. */
#include "methods/mixed/growing_clusters.h"
#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"

#include <math.h>
#include <string.h>

#define NONE UINT32_MAX

/* ---- making ---- */

void kn__growing_clusters_free(kn_growing_clusters *p)
{
    if (p) {
        for (size_t i = 0; p->chain && p->c && i < p->c->count; i++) {
            kn__free(p->chain[i]);
        }
        kn__arena_clear(&p->arena);
        kn__baskets_free(p->known);
        kn__clusters_free(p->c);
        kn__free(p);
    }
}

/* Repeated items once, sensitive ones not at all. */
static kn_status pick_known(kn_growing_clusters *p, const kn_baskets *b, const uint8_t *sensitive,
                            kn_error *err)
{
    uint64_t at = 0;

    p->known = kn__baskets_room(b->records, b->starts[b->records], b->items, false);
    KN_PASS(p->known ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < b->records; i++) {
        uint32_t before = NONE;
        for (uint64_t j = b->starts[i]; j < b->starts[i + 1]; j++) {
            const uint32_t item = b->list[j];
            if (item != before && !(sensitive && sensitive[item])) {
                p->known->list[at++] = item;
                p->mark[i] |= UINT64_C(1) << (kn__hash_u64(item) & 63);
            }
            before = item;
        }
        p->known->starts[i + 1] = at;
    }
    return KN_OK;
}

static inline uint32_t length(const kn_growing_clusters *p, uint32_t record)
{
    return (uint32_t)(p->known->starts[record + 1] - p->known->starts[record]);
}

/* Hang up the records of cluster `a`, given by ascending number: a chain for each length. `room`
 * has one chain for each of them. */
static kn_status hang(kn_growing_clusters *p, uint32_t a, const uint32_t *records, size_t count,
                      kn_bag_item_list *room, kn_error *err)
{
    size_t chains = 0;

    for (size_t i = 0; i < count; i++) {
        const uint32_t record = records[i], len = length(p, record);
        size_t at = 0;
        p->next[record] = NONE;
        while (at < chains && room[at].len > len) {
            at++;
        }
        if (at < chains && room[at].len == len) {
            p->next[room[at].last] = record;
            room[at].last = record;
        } else {
            memmove(room + at + 1, room + at, (chains - at) * sizeof *room);
            room[at] = (kn_bag_item_list){.len = len, .first = record, .last = record};
            chains++;
        }
    }
    p->chain[a] = kn__malloc_array(chains, sizeof *room);
    KN_PASS(p->chain[a] ? KN_OK : kn__nomem(err));
    memcpy(p->chain[a], room, chains * sizeof *room);
    p->chains[a] = chains;
    return KN_OK;
}

static kn_status hang_all(kn_growing_clusters *p, kn_error *err)
{
    const kn_clusters *c = p->c;
    const size_t records = p->known->records;
    uint32_t *end = kn__zalloc_array((size_t)c->count + 1, sizeof *end), at = 0, most = 0;
    uint32_t *members = kn__malloc_array(records, sizeof *members);
    kn_bag_item_list *room = NULL;
    kn_status status;

    KN_TRY(end && members ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < c->count; i++) {
        end[i] = at;
        at += c->size[i];
        most = c->size[i] > most ? c->size[i] : most;
    }
    for (size_t i = 0; i < records; i++) {
        if (c->cluster[i] != KN_SUPPRESSED) {
            members[end[c->cluster[i]]++] = (uint32_t)i;
        }
    }
    room = kn__malloc_array((size_t)most + 1, sizeof *room);
    KN_TRY(room ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < c->count; i++) {
        KN_TRY(hang(p, i, members + end[i] - c->size[i], c->size[i], room, err));
    }
done:
    KN_FREE(end, members, room);
    return status;
}

kn_status kn__growing_clusters_new(kn_growing_clusters **out, kn_clusters *c,
                                   const kn_baskets *baskets, const uint8_t *sensitive,
                                   kn_error *err)
{
    kn_growing_clusters *p = kn__zalloc(sizeof *p);
    kn_status status;

    *out = NULL;
    if (!p) {
        kn__clusters_free(c);
        return kn__nomem(err);
    }
    p->c = c;
    p->next = kn__arena_take(&p->arena, baskets->records, sizeof *p->next);
    p->mark = kn__arena_zeros(&p->arena, baskets->records, sizeof *p->mark);
    p->chain = kn__arena_zeros(&p->arena, c->count, sizeof *p->chain);
    p->chains = kn__arena_zeros(&p->arena, c->count, sizeof *p->chains);
    p->btd = kn__arena_zeros(&p->arena, c->count, sizeof *p->btd);
    p->number = kn__arena_take(&p->arena, c->count, sizeof *p->number);
    KN_TRY(kn__arena_check(&p->arena, err));
    KN_TRY(pick_known(p, baskets, sensitive, err));
    KN_TRY(hang_all(p, err));
    for (uint32_t i = 0; i < c->count; i++) {
        p->number[p->count++] = i;
        p->sum += (uint64_t)c->size[i] * c->ncp[i];
    }
    *out = p;
    p = NULL;
done:
    kn__growing_clusters_free(p);
    return status;
}

/* ---- BTD ---- */

/* Of records with `both` items together and `common` ones. One division of whole numbers: equal
 * quotients are equal doubles. */
static inline double btd_of(uint32_t both, uint32_t common)
{
    return (double)(both - 2 * common + 1) * (double)(both - common) / (double)(common + 1);
}

static double pair_btd(const kn_growing_clusters *p, uint32_t a, uint32_t b)
{
    const kn_baskets *k = p->known;
    const uint32_t *x = k->list + k->starts[a], *y = k->list + k->starts[b];
    const uint32_t x_len = length(p, a), y_len = length(p, b);
    uint32_t common = 0;

    if (p->mark[a] & p->mark[b]) {
        for (uint32_t i = 0, j = 0; i < x_len && j < y_len;) {
            const uint32_t u = x[i], v = y[j];
            common += u == v;
            i += u <= v;
            j += v <= u;
        }
    }
    return btd_of(x_len + y_len, common);
}

/* The largest pair across two chains if that is above `best` and `best` else; what is above `limit`
 * ends the search. */
static double across(const kn_growing_clusters *p, const kn_bag_item_list *a,
                     const kn_bag_item_list *b, double best, double limit)
{
    const double most = btd_of(a->len + b->len, 0);

    for (uint32_t x = a->first; x != NONE; x = p->next[x]) {
        for (uint32_t y = b->first; y != NONE; y = p->next[y]) {
            const double btd = pair_btd(p, x, y);
            best = btd > best ? btd : best;
            if (best == most || best > limit) {
                return best;
            }
        }
    }
    return best;
}

double kn__rt_btd_of_both(const kn_growing_clusters *p, uint32_t a, uint32_t b, double limit)
{
    double best = p->btd[a] > p->btd[b] ? p->btd[a] : p->btd[b];

    for (size_t i = 0; i < p->chains[a] && best <= limit; i++) {
        const kn_bag_item_list *x = &p->chain[a][i];
        if (btd_of(x->len + p->chain[b][0].len, 0) <= best) {
            break; /* the chains after it are shorter still */
        }
        for (size_t j = 0; j < p->chains[b] && best <= limit; j++) {
            const kn_bag_item_list *y = &p->chain[b][j];
            if (btd_of(x->len + y->len, 0) <= best) {
                break;
            }
            best = across(p, x, y, best, limit);
        }
    }
    return best;
}

static void measure(void *user, unsigned worker, size_t begin, size_t end)
{
    kn_growing_clusters *p = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const uint32_t a = p->number[i];
        p->btd[a] = -1; /* below every pair */
        p->btd[a] = kn__rt_btd_of_both(p, a, a, INFINITY);
    }
}

void kn__growing_clusters_measure(kn_growing_clusters *p, unsigned threads)
{
    kn__parallel_for(threads, p->count, 64, measure, p);
}

/* ---- merging ---- */

static size_t place_of(const kn_growing_clusters *p, uint32_t a)
{
    size_t low = 0, high = p->count;

    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        low = p->number[middle] <= a ? middle : low;
        high = p->number[middle] <= a ? high : middle;
    }
    return low;
}

kn_status kn__growing_clusters_merge(kn_growing_clusters *p, uint32_t a, uint32_t b, double btd,
                                     kn_error *err)
{
    kn_clusters *c = p->c;
    const kn_bag_item_list *x = p->chain[a], *y = p->chain[b];
    kn_bag_item_list *both = kn__malloc_array(p->chains[a] + p->chains[b], sizeof *both);
    const size_t at = place_of(p, b);
    size_t i = 0, j = 0, len = 0;
    uint32_t ncp;

    KN_PASS(both ? KN_OK : kn__nomem(err));
    while (i < p->chains[a] || j < p->chains[b]) {
        if (j == p->chains[b] || (i < p->chains[a] && x[i].len > y[j].len)) {
            both[len++] = x[i++];
        } else if (i == p->chains[a] || x[i].len < y[j].len) {
            both[len++] = y[j++];
        } else {
            p->next[x[i].last] = y[j].first;
            both[len++] = (kn_bag_item_list){.len = x[i].len,
                                             .first = x[i].first,
                                             .last = y[j].last};
            i++;
            j++;
        }
    }
    KN_FREE(p->chain[a], p->chain[b]);
    p->chain[a] = both;
    p->chains[a] = len;
    p->chain[b] = NULL;
    p->chains[b] = 0;
    p->btd[a] = btd;
    kn__view_join(c->views, kn__clusters_view(c, a), kn__clusters_view(c, b));
    ncp = kn__view_ncp(c->views, kn__clusters_view(c, a));
    p->sum = kn__rt_sum_of_both(p, a, b, ncp);
    c->ncp[a] = ncp;
    c->size[a] += c->size[b];
    c->size[b] = 0;
    memmove(p->number + at, p->number + at + 1, (p->count - at - 1) * sizeof *p->number);
    p->count--;
    p->merges++;
    return KN_OK;
}

kn_status kn__growing_clusters_join_equals(kn_growing_clusters *p, kn_rt_joins joins, void *user,
                                           kn_error *err)
{
    const kn_clusters *c = p->c;
    const size_t bytes = c->views->words * sizeof *c->view;
    kn_map known = {0}; /* by hash of the view: cluster + 1 */
    kn_status status;

    KN_TRY(kn__map_reserve(&known, p->count, err));
    for (size_t i = 0; i < p->count;) {
        const uint32_t a = p->number[i];
        const uint64_t *view = kn__clusters_view(c, a), hash = kn__hash_bytes(view, bytes);
        kn_map_slot *slot = kn__map_find(&known, hash);
        bool both = true;
        while (slot->value &&
               memcmp(kn__clusters_view(c, (uint32_t)slot->value - 1), view, bytes) != 0) {
            slot = kn__map_next(&known, slot);
        }
        if (!slot->value) {
            kn__map_put(&known, slot, hash, (uint64_t)a + 1);
            i++;
            continue;
        }
        if (joins) {
            KN_TRY(joins(user, (uint32_t)slot->value - 1, a, &both, err));
        }
        if (both) { /* `i` is the next one then */
            KN_TRY(kn__growing_clusters_merge(p, (uint32_t)slot->value - 1, a, -1, err));
        } else {
            i++;
        }
    }
done:
    kn__map_clear(&known);
    return status;
}

void kn__growing_clusters_records(const kn_growing_clusters *p, uint32_t a, uint32_t *out)
{
    size_t len = 0;

    for (size_t i = 0; i < p->chains[a]; i++) {
        for (uint32_t x = p->chain[a][i].first; x != NONE; x = p->next[x]) {
            out[len++] = x;
        }
    }
    kn__sort_u32(out, len);
}

void kn__growing_clusters_finish(kn_growing_clusters *p)
{
    kn_clusters *c = p->c;

    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t a = p->number[i];
        for (size_t j = 0; j < p->chains[a]; j++) {
            for (uint32_t x = p->chain[a][j].first; x != NONE; x = p->next[x]) {
                c->cluster[x] = i;
            }
        }
        memmove(kn__clusters_view(c, i), kn__clusters_view(c, a),
                c->views->words * sizeof *c->view);
        c->size[i] = c->size[a];
        c->ncp[i] = c->ncp[a];
    }
    for (size_t i = 0; i < c->count; i++) {
        kn__free(p->chain[i]);
        p->chain[i] = NULL;
    }
    c->count = (uint32_t)p->count;
}
