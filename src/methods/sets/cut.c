/* cut.c - cuts of a hierarchy over items: places, nodes, costs. Equal records are kept once, with
 * a weight. */
#include "methods/sets/cut.h"
#include "methods/sets/counted.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <assert.h>
#include <string.h>

/* ---- making ---- */

void kn__cut_free(kn_cut *c)
{
    if (!c) {
        return;
    }
    for (uint32_t i = 0; c->holders && i < c->nodes; i++) {
        kn__free(c->holders[i]);
    }
    kn__cut_workers_free(c);
    kn__counted_free(c);
    kn__arena_clear(&c->arena);
    KN_FREE(c->weight, c);
}

static kn_status allocate(kn_cut *c, kn_error *err)
{
    const kn_domain *d = c->domain;

    c->place_of = kn__arena_take(&c->arena, d->values, sizeof *c->place_of);
    c->to = kn__arena_take(&c->arena, d->values, sizeof *c->to);
    c->parent = kn__arena_take(&c->arena, c->nodes, sizeof *c->parent);
    c->low = kn__arena_zeros(&c->arena, c->nodes, sizeof *c->low);
    c->high = kn__arena_zeros(&c->arena, c->nodes, sizeof *c->high);
    c->children_at = kn__arena_zeros(&c->arena, (size_t)c->nodes + 2, sizeof *c->children_at);
    c->children = kn__arena_take(&c->arena, c->nodes, sizeof *c->children);
    c->cost = kn__arena_zeros(&c->arena, c->nodes, sizeof *c->cost);
    c->times = kn__arena_zeros(&c->arena, d->values, sizeof *c->times);
    c->in = kn__arena_zeros(&c->arena, c->nodes, sizeof *c->in);
    c->child = kn__arena_take(&c->arena, c->nodes, sizeof *c->child);
    c->turn = kn__arena_zeros(&c->arena, c->nodes, sizeof *c->turn);
    c->holders = kn__arena_zeros(&c->arena, c->nodes, sizeof *c->holders);
    c->holders_len = kn__arena_zeros(&c->arena, c->nodes, sizeof *c->holders_len);
    return c->arena.failed ? kn__nomem(err) : kn__cut_workers_new(c, err);
}

/* Places: covered values in the order of the walk, then those that are apart. Values with one floor
 * have one place. */
static kn_status give_places(kn_cut *c, const uint64_t *occurrences, const uint32_t *floor,
                             kn_error *err)
{
    const kn_domain *d = c->domain;
    uint32_t *by_order = kn__malloc_array(d->values, sizeof *by_order);

    KN_PASS(by_order ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < d->values; code++) {
        by_order[d->order[code]] = code;
        c->place_of[code] = KN_NO_CODE;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < d->values; i++) {
            const uint32_t code = by_order[i], start = d->start[code];
            if (occurrences[code] && start != KN_NO_NODE && (start == c->root) == (pass == 1)) {
                uint32_t node = c->apart;
                if (pass == 0) {
                    node = floor ? floor[code] : code;
                }
                if (node == c->apart || c->high[node] == 0) {
                    c->low[node] = c->high[node] > 0 ? c->low[node] : c->places;
                    c->to[c->places++] = node; /* for now */
                    c->high[node] = c->places;
                }
                c->place_of[code] = c->high[node] - 1;
            }
        }
    }
    kn__free(by_order);
    return KN_OK;
}

static void link_nodes(kn_cut *c)
{
    const kn_domain *d = c->domain;

    memcpy(c->parent, d->parent, d->nodes * sizeof *c->parent);
    c->parent[c->apart] = c->root;
    /* A parent's number is above its children' but for `apart`, which goes first. */
    for (uint32_t i = 0; i < c->nodes; i++) {
        const uint32_t node = i == 0 ? c->apart : i - 1, up = c->parent[node];
        if (node == c->root || c->high[node] == 0) {
            continue;
        }
        c->low[up] = c->high[up] > 0 && c->low[up] < c->low[node] ? c->low[up] : c->low[node];
        c->high[up] = c->high[up] > c->high[node] ? c->high[up] : c->high[node];
        c->children_at[up + 2]++;
    }
    for (uint32_t i = 0; i < c->nodes; i++) {
        c->children_at[i + 2] += c->children_at[i + 1];
    }
    /* By place: a node is met at the first of its places. */
    for (uint32_t i = 0; i < c->places; i++) {
        uint32_t node = c->to[i];
        for (; node != c->root && c->low[node] == i; node = c->parent[node]) {
            c->children[c->children_at[c->parent[node] + 1]++] = node;
        }
    }
}

static void count_cost(kn_cut *c, const uint64_t *occurrences)
{
    const kn_domain *d = c->domain;

    for (uint32_t code = 0; code < d->values; code++) {
        if (c->place_of[code] != KN_NO_CODE) {
            c->cost[c->to[c->place_of[code]]] += (double)occurrences[code];
            c->all += (double)occurrences[code];
            c->times[c->place_of[code]] += occurrences[code];
        }
    }
    for (uint32_t i = 0; i < c->nodes; i++) {
        const uint32_t node = i == 0 ? c->apart : i - 1;
        if (node != c->root) {
            c->cost[c->parent[node]] += c->cost[node];
        }
    }
    for (uint32_t node = 0; node < c->nodes; node++) {
        c->cost[node] *= kn__domain_ncp(d, node == c->apart ? c->root : node);
    }
}

/* The different records, in places. */
static kn_status write_records(kn_cut *c, const kn_baskets *b, kn_error *err)
{
    kn_baskets *distinct = NULL;
    uint64_t at = 0;
    kn_status status;

    KN_TRY(kn__baskets_distinct(&distinct, b, &c->weight, NULL, err));
    c->starts = kn__arena_take(&c->arena, distinct->records + 1, sizeof *c->starts);
    c->place = kn__arena_take(&c->arena, (size_t)distinct->starts[distinct->records],
                              sizeof *c->place);
    KN_TRY(kn__arena_check(&c->arena, err));
    for (size_t i = 0; i < distinct->records; i++) {
        const uint64_t begin = at;
        size_t len;
        const uint32_t *items = kn__baskets_record(distinct, i, &len);
        for (size_t j = 0; j < len; j++) {
            if (c->place_of[items[j]] != KN_NO_CODE) {
                c->place[at++] = c->place_of[items[j]];
            }
        }
        kn__sort_u32(c->place + begin, (size_t)(at - begin));
        if (at > begin) { /* empty records hold no combination */
            c->starts[c->records] = begin;
            c->weight[c->records++] = c->weight[i];
        }
    }
    c->starts[c->records] = at;
done:
    kn__baskets_free(distinct);
    return status;
}

/* The support of every node; c->to has what is at each place. Going up ends at a node that the
 * record was counted for. */
static kn_status count_support(kn_cut *c, kn_error *err)
{
    uint32_t *last = kn__arena_take(&c->arena, c->nodes, sizeof *last);

    c->support = kn__arena_zeros(&c->arena, c->nodes, sizeof *c->support);
    if (c->arena.failed) {
        return kn__nomem(err);
    }
    memset(last, 0xff, c->nodes * sizeof *last);
    for (uint32_t r = 0; r < c->records; r++) {
        for (uint64_t p = c->starts[r]; p < c->starts[r + 1]; p++) {
            for (uint32_t node = c->to[c->place[p]]; last[node] != r; node = c->parent[node]) {
                last[node] = r;
                c->support[node] += c->weight[r];
            }
        }
    }
    return KN_OK;
}

/* By code: how often the records of all people hold it. */
static void count_occurrences(uint64_t *occurrences, const kn_baskets *b)
{
    for (size_t i = 0; i < b->records; i++) {
        for (uint64_t j = b->starts[i]; j < b->starts[i + 1]; j++) {
            occurrences[b->list[j]] += kn__baskets_people(b, i);
        }
    }
}

/* Records in which of all items with one place the first stands for them. */
static kn_status join_places(kn_baskets **out, const kn_cut *c, const kn_baskets *b, kn_error *err)
{
    uint32_t *first = kn__malloc_array(c->places, sizeof *first);
    uint32_t *to = kn__malloc_array(b->items, sizeof *to);
    kn_status status;

    KN_TRY(first && to ? KN_OK : kn__nomem(err));
    memset(first, 0xff, c->places * sizeof *first);
    for (uint32_t code = 0; code < b->items; code++) {
        const uint32_t place = code < c->domain->values ? c->place_of[code] : KN_NO_CODE;
        if (place != KN_NO_CODE && first[place] == KN_NO_CODE) {
            first[place] = code;
        }
        to[code] = place == KN_NO_CODE ? KN_NO_CODE : first[place];
    }
    KN_TRY(kn__baskets_map(out, b, to, b->items, NULL, err));
done:
    KN_FREE(first, to);
    return status;
}

static kn_status make(kn_cut **out, const kn_domain *domain, const kn_baskets *b,
                      const uint32_t *floor, size_t k, size_t m, unsigned threads, kn_error *err)
{
    kn_baskets *mapped = NULL;
    kn_cut *c = kn__zalloc(sizeof *c);
    /* Positions in records that are written down have 32 bits. */
    const bool fits = b->starts[b->records] + b->records < UINT32_MAX;
    uint64_t *occurrences = kn__zalloc_array(domain->values, sizeof *occurrences);
    kn_status status = c && occurrences ? KN_OK : kn__nomem(err);

    *out = NULL;
    if (status == KN_OK && !fits) {
        status = kn__fail(err, KN_EINPUT,
                          "more than %u items in all records together: anonymise them in parts",
                          UINT32_MAX);
    }
    if (status == KN_OK) {
        assert(m >= 1 && m <= KN_MOST_M);
        *c = (kn_cut){.domain = domain,
                      .k = k,
                      .m = m,
                      .bags = b->bags,
                      .threads = threads,
                      .nodes = domain->nodes + 1,
                      .root = kn__domain_root(domain),
                      .apart = domain->nodes};
        status = allocate(c, err);
    }
    if (status == KN_OK) {
        count_occurrences(occurrences, b);
        status = give_places(c, occurrences, floor, err);
    }
    if (status == KN_OK && floor) {
        status = join_places(&mapped, c, b, err);
    }
    if (status == KN_OK) {
        link_nodes(c);
        count_cost(c, occurrences);
        status = write_records(c, mapped ? mapped : b, err);
    }
    kn__baskets_free(mapped);
    if (status == KN_OK) {
        status = m == 1 ? count_support(c, err) : kn__cut_hold_all(c, err);
    }
    kn__free(occurrences);
    if (status != KN_OK) {
        kn__cut_free(c);
        return status;
    }
    for (uint32_t i = 0; i < c->places; i++) {
        c->to[i] = c->root;
    }
    c->in[c->root] = 1;
    c->loss = c->cost[c->root];
    *out = c;
    return KN_OK;
}

kn_status kn__cut_new(kn_cut **out, const kn_domain *domain, const kn_baskets *b, size_t k,
                      size_t m, unsigned threads, kn_error *err)
{
    return make(out, domain, b, NULL, k, m, threads, err);
}

kn_status kn__cut_new_above(kn_cut **out, const kn_domain *domain, const kn_baskets *b,
                            const uint32_t *floor, size_t k, size_t m, unsigned threads,
                            kn_error *err)
{
    return make(out, domain, b, floor, k, m, threads, err);
}

void kn__cut_put(kn_cut *c, uint32_t node)
{
    assert(c->in[node]);
    kn__cut_assign_children(c, node);
    c->in[node] = 0;
    for (uint32_t i = c->children_at[node]; i < c->children_at[node + 1]; i++) {
        c->in[c->children[i]] = 1;
    }
    c->loss -= kn__cut_gain(c, node);
}

void kn__cut_merge(kn_cut *c, uint32_t node)
{
    assert(!c->in[node] && c->low[node] < c->high[node]);
    for (uint32_t i = c->low[node]; i < c->high[node]; i++) {
        const uint32_t below = c->to[i];
        if (c->in[below]) {
            c->in[below] = 0;
            c->loss -= c->cost[below];
        }
        c->to[i] = node;
    }
    c->in[node] = 1;
    c->loss += c->cost[node];
}

double kn__cut_gain(const kn_cut *c, uint32_t node)
{
    double gain = c->cost[node];

    for (uint32_t i = c->children_at[node]; i < c->children_at[node + 1]; i++) {
        gain -= c->cost[c->children[i]];
    }
    return gain;
}

bool kn__cut_root_holds(const kn_cut *c, size_t *size, uint64_t *support)
{
    if (c->support) {
        *size = 1;
        *support = c->support[c->root];
        return *support == 0 || *support >= c->k;
    }
    for (*size = 1; *size <= (c->bags ? c->m : 1); ++*size) {
        *support = 0;
        for (size_t i = 0; i < c->records; i++) {
            *support += c->starts[i + 1] - c->starts[i] >= *size ? c->weight[i] : 0;
        }
        if (*support > 0 && *support < c->k) {
            return false;
        }
    }
    return true;
}
