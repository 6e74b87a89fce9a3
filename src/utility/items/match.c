/* match.c - decide whether one record of items was published as another: a bipartite matching in
 * which every original item gets a published item that covers it.
 *
 * Published items usually form a laminar family (disjoint, or one within the other). Then giving
 * each item the narrowest published item that covers it finds a matching if there is one, and
 * tables say which that is. Otherwise the record is searched, and as a last resort augmenting paths
 * are used. */
#include "base/error.h"
#include "base/memory.h"
#include "utility/items/items.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_ITEM UINT32_MAX

typedef kn__items_sums sums;
typedef kn__items_worker worker;

/* The meaning of published item `to` for `from`, which it covers; `exact` is scratch for it. */
static inline const kn_published *meaning(const kn_items *x, uint32_t to, uint32_t from,
                                          kn_published *exact)
{
    const kn_published *p = &x->published[to];

    if (!p->ambiguous) {
        return p;
    }
    (void)kn__published_covers(p, x->domain, from, exact);
    return exact;
}

static void add_cost(sums *s, double ncp, double loss, bool changed)
{
    s->ncp += ncp;
    s->loss += loss;
    s->changed += changed;
}
static void add_left_out(sums *s)
{
    s->ncp += 1;
    s->loss += 1;
    s->changed++;
    s->left_out++;
}

/* Match item `i` of `from` by the shortest augmenting path (breadth-first). of[j] is the item that
 * published item j is matched to, to[i] the reverse; NO_ITEM: none. */
static bool find_pair(const kn_items *x, const uint32_t *from, uint32_t i, uint64_t begin,
                      uint32_t count, uint32_t *of, uint32_t *to, uint32_t *asked, uint32_t *queue)
{
    uint32_t head = 0, tail = 0;

    memset(asked, 0xff, count * sizeof *asked);
    queue[tail++] = i;
    while (head < tail) {
        const uint32_t one = queue[head++];
        for (uint32_t j = 0; j < count; j++) {
            if (asked[j] != NO_ITEM ||
                !kn__items_covers(x, kn__items_code(x->to, begin + j), from[one])) {
                continue;
            }
            asked[j] = one;
            if (of[j] != NO_ITEM) {
                queue[tail++] = of[j];
                continue;
            }
            for (uint32_t at = j, next; at != NO_ITEM; at = next) {
                next = to[asked[at]];
                of[at] = asked[at];
                to[asked[at]] = at;
            }
            return true;
        }
    }
    return false;
}

/* kn__items_match for bags in which an item and a group that it is not in have the same label: then
 * the narrowest may be needed by another item. Items that are published unchanged are matched
 * first, the others one by one by augmenting paths. */
static bool pair_up(const kn_items *x, const worker *w, size_t original, size_t release, sums *s)
{
    const uint64_t begin = x->to->starts[release];
    const uint32_t count = (uint32_t)(kn__items_end(x->to, release) - begin);
    uint32_t *from = w->pairs, *of = from + x->most, *to = of + x->most, *asked = to + x->most,
             *queue = asked + x->most, kept = 0, gone = 0;

    for (uint64_t i = x->from->starts[original]; i < kn__items_end(x->from, original); i++) {
        const uint32_t code = kn__items_code(x->from, i);
        if (x->left_out && x->left_out[code]) {
            gone++;
        } else if (kept == count) {
            return false;
        } else {
            from[kept++] = code;
        }
    }
    if (kept != count) {
        return false;
    }
    memset(of, 0xff, count * sizeof *of);
    memset(to, 0xff, count * sizeof *to);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < count && to[i] == NO_ITEM; j++) {
            const uint32_t code = kn__items_code(x->to, begin + j);
            kn_published exact;
            if (of[j] == NO_ITEM && kn__items_covers(x, code, from[i]) &&
                meaning(x, code, from[i], &exact)->kind == KN_PUB_VALUE) {
                of[j] = i;
                to[i] = j;
            }
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (to[i] == NO_ITEM && !find_pair(x, from, i, begin, count, of, to, asked, queue)) {
            return false;
        }
    }
    for (uint32_t i = 0; s && i < count; i++) {
        kn_published exact;
        const kn_published *p = meaning(x, kn__items_code(x->to, begin + to[i]), from[i], &exact);
        add_cost(s, p->ncp, p->loss, p->kind != KN_PUB_VALUE);
    }
    for (uint32_t i = 0; s && i < gone; i++) {
        add_left_out(s);
    }
    return true;
}

/* Give every item of the original the narrowest published item that covers it; in bags each is
 * given once. That finds a matching if there is one, as published items are disjoint or one within
 * the other, unless a label means two things. Whether it fits. Where items are
 * left out, what is published must be the narrowest of some item: one that is said to be gone must
 * not stand there as a group of others. A label that an item and a group elsewhere share may be
 * meant either way, so that it takes nothing from what else covers the item. */
static bool match_narrowest(const kn_items *x, uint8_t *taken, size_t original, size_t release,
                            sums *s)
{
    const uint64_t begin = x->to->starts[release], end = kn__items_end(x->to, release);
    const uint64_t from_end = kn__items_end(x->from, original);

    if (end > begin) {
        memset(taken, 0, (size_t)(end - begin));
    }
    for (uint64_t i = x->from->starts[original]; i < from_end; i++) {
        const uint32_t from = kn__items_code(x->from, i);
        uint64_t best = end, plain = end;
        double ncp = INFINITY, loss = 0, plain_ncp = INFINITY;
        bool changed = false;
        if (x->left_out && x->left_out[from]) {
            if (s) {
                add_left_out(s);
            }
            continue;
        }
        for (uint64_t j = begin; j < end; j++) {
            const uint32_t to = kn__items_code(x->to, j);
            if (!(x->bags && taken[j - begin]) && kn__items_covers(x, to, from)) {
                kn_published exact;
                const kn_published *p = meaning(x, to, from, &exact);
                if (!x->bags && (!x->left_out || x->published[to].ambiguous)) {
                    taken[j - begin] = 1;
                } else if (!x->bags && p->ncp < plain_ncp) {
                    plain_ncp = p->ncp;
                    plain = j;
                }
                if (p->ncp < ncp || (p->ncp == ncp && p->kind == KN_PUB_VALUE)) {
                    ncp = p->ncp;
                    loss = p->loss;
                    changed = p->kind != KN_PUB_VALUE;
                    best = j;
                }
            }
        }
        if (best == end) {
            return false;
        }
        taken[best - begin] = 1;
        if (plain < end) {
            taken[plain - begin] = 1;
        }
        if (s) {
            add_cost(s, ncp, loss, changed);
        }
    }
    for (uint64_t j = begin; j < end; j++) {
        if (!taken[j - begin]) {
            return false;
        }
    }
    return true;
}

/* ---- tables of the narrowest published item ---- */

typedef struct extent {
    uint32_t low, len, to;
    double ncp;
} extent;

/* By begin; among equal begins the widest first. */
static int by_place(const void *x, const void *y)
{
    const extent *a = x, *b = y;

    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->len != b->len) {
        return a->len > b->len ? -1 : 1;
    }
    if (a->ncp != b->ncp) {
        return a->ncp > b->ncp ? -1 : 1;
    }
    return (a->to > b->to) - (a->to < b->to);
}

/* Find for each of `all`, which are sorted, the narrowest extent around it; false when the family
 * is not laminar, or an inner extent costs no less than the one around it. */
static bool find_nesting(const extent *all, size_t count, uint32_t *wider, uint32_t *place)
{
    for (size_t i = 0; i < count; i++) {
        const extent *e = &all[i];
        size_t out = i; /* 1 + the place of the one before, then of those around it */
        while (out > 0 && all[out - 1].low + all[out - 1].len <= e->low) {
            out = place[out - 1];
        }
        if (out > 0 && (all[out - 1].low + all[out - 1].len < e->low + e->len ||
                        !(e->ncp < all[out - 1].ncp))) {
            return false;
        }
        place[i] = (uint32_t)out;
        wider[e->to] = out > 0 ? all[out - 1].to : KN_NO_CODE;
    }
    return true;
}

/* List the extent of each published item, except the missing value, which covers nothing; false
 * when one is not known. */
static bool list_extents(const kn_items *x, extent *all, size_t *count)
{
    const uint32_t published = kn__column_values(x->to);

    *count = 0;
    for (uint32_t to = 0; to < published; to++) {
        const kn__items_run *s = &x->run[to];
        if (!s->known || (to != x->to->missing && x->published[to].ambiguous)) {
            return false;
        }
        if (s->len > 0) {
            all[(*count)++] = (extent){s->low, s->len, to, x->published[to].ncp};
        }
    }
    return true;
}

kn_status kn__items_find_narrowest(kn_items *x, kn_error *err)
{
    const uint32_t values = x->domain->values, published = kn__column_values(x->to);
    extent *all = kn__malloc_array(published, sizeof *all);
    uint32_t *place = kn__malloc_array(published > values ? published : values, sizeof *place);
    size_t count = 0;
    bool nested;
    kn_status status;

    x->narrowest = kn__malloc_array(values, sizeof *x->narrowest);
    x->wider = kn__malloc_array(published, sizeof *x->wider);
    KN_TRY(all && place && x->narrowest && x->wider ? KN_OK : kn__nomem(err));
    nested = list_extents(x, all, &count);
    if (nested && count > 1) {
        qsort(all, count, sizeof *all, by_place);
    }
    if (!nested || !find_nesting(all, count, x->wider, place)) {
        kn__free(x->narrowest);
        x->narrowest = NULL;
        goto done;
    }
    memset(place, 0xff, values * sizeof *place); /* from here on by place in the order of values */
    for (size_t i = 0; i < count; i++) {
        for (uint32_t j = all[i].low; j < all[i].low + all[i].len; j++) {
            place[j] = all[i].to; /* the narrowest comes last */
        }
    }
    for (uint32_t code = 0; code < values; code++) {
        x->narrowest[code] = place[x->domain->order[code]];
    }
done:
    KN_FREE(all, place);
    return status;
}

/* match_narrowest by the tables x->narrowest and x->wider. */
static bool match_known(const kn_items *x, uint32_t *held, size_t original, size_t release, sums *s)
{
    const uint64_t begin = x->to->starts[release], end = kn__items_end(x->to, release);
    const uint64_t from_end = kn__items_end(x->from, original);
    uint64_t left = 0, repeats = 0;
    bool fits = true;

    for (uint64_t j = begin; j < end; j++) {
        uint32_t *const times = &held[kn__items_code(x->to, j)];
        if (x->bags || *times == 0) {
            ++*times;
            left++;
        } else {
            repeats++;
        }
    }
    for (uint64_t i = x->from->starts[original]; i < from_end && fits; i++) {
        const uint32_t from = kn__items_code(x->from, i);
        uint32_t to = x->narrowest[from];
        if (x->left_out && x->left_out[from]) {
            if (s) {
                add_left_out(s);
            }
            continue;
        }
        while (to != KN_NO_CODE && held[to] == 0) {
            to = x->wider[to];
        }
        fits = to != KN_NO_CODE;
        if (fits && s) {
            const kn_published *p = &x->published[to];
            add_cost(s, p->ncp, p->loss, p->kind != KN_PUB_VALUE);
        }
        if (fits && x->bags) {
            held[to]--;
            left--;
        }
        for (; to != KN_NO_CODE && !x->bags; to = x->left_out ? KN_NO_CODE : x->wider[to]) {
            left -= held[to] == 1;
            held[to] += held[to] == 1; /* 2: it stands for an item, and may for more */
        }
    }
    for (uint64_t j = begin; j < end; j++) {
        held[kn__items_code(x->to, j)] = 0;
    }
    return fits && left == 0 && !(x->left_out && repeats);
}

bool kn__items_match(const kn_items *x, const worker *w, size_t original, size_t release, sums *s)
{
    const sums before = s ? *s : (sums){0};

    if (x->narrowest ? match_known(x, w->held, original, release, s)
                     : match_narrowest(x, w->taken, original, release, s)) {
        return true;
    }
    if (s) {
        *s = before;
    }
    return w->pairs && pair_up(x, w, original, release, s);
}
