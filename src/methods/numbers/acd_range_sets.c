/* acd_range_sets.c - a trie of range sets in a hash table. */
#include "methods/numbers/acd_range_sets.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

void kn__acd_range_sets_free(kn_acd_range_sets *x)
{
    kn__free(x->edge);
    kn__free(x->child);
    kn__free(x->used);
    kn__free(x->count);
}

static uint32_t add_set(kn_acd_range_sets *x)
{
    const size_t end = ((size_t)x->sets + 1) * x->stride;

    if (end > x->count_cap &&
        kn__grow(&x->count, &x->count_cap, end, sizeof *x->count, NULL) != KN_OK) {
        x->failed = true;
        return 0;
    }
    memset(x->count + end - x->stride, 0, x->stride * sizeof *x->count);
    return x->sets++;
}

/* The slot of `key`, or the empty one where it belongs. */
static size_t find_slot(const uint64_t *edge, size_t slots, uint64_t key)
{
    size_t slot = (size_t)kn__hash_u64(key) & (slots - 1);

    while (edge[slot] && edge[slot] != key) {
        slot = (slot + 1) & (slots - 1);
    }
    return slot;
}

static bool grow_table(kn_acd_range_sets *x)
{
    const size_t slots = x->slots ? 2 * x->slots : 1024;
    uint64_t *edge = kn__zalloc_array(slots, sizeof *edge);
    uint32_t *child = kn__malloc_array(slots, sizeof *child);
    uint32_t *used = kn__malloc_array(slots, sizeof *used);

    if (!edge || !child || !used || slots > UINT32_MAX) {
        kn__free(edge);
        kn__free(child);
        kn__free(used);
        x->failed = true;
        return false;
    }
    for (size_t i = 0; i < x->edges; i++) {
        const uint32_t old = x->used[i];
        const size_t slot = find_slot(edge, slots, x->edge[old]);
        edge[slot] = x->edge[old];
        child[slot] = x->child[old];
        used[i] = (uint32_t)slot;
    }
    kn__free(x->edge);
    kn__free(x->child);
    kn__free(x->used);
    x->edge = edge;
    x->child = child;
    x->used = used;
    x->slots = slots;
    return true;
}

kn_status kn__acd_range_sets_start(kn_acd_range_sets *x, kn_error *err)
{
    while (x->edges) {
        x->edge[x->used[--x->edges]] = 0;
    }
    x->failed = false;
    x->sets = 0;
    (void)add_set(x);
    return x->failed ? kn__nomem(err) : KN_OK;
}

uint32_t kn__acd_range_sets_child(kn_acd_range_sets *x, uint32_t parent, uint32_t range)
{
    const uint64_t key = ((uint64_t)parent << 32 | range) + 1;
    size_t slot;

    if (2 * (x->edges + 1) > x->slots && !grow_table(x)) {
        return 0;
    }
    slot = find_slot(x->edge, x->slots, key);
    if (!x->edge[slot]) {
        x->edge[slot] = key;
        x->child[slot] = add_set(x);
        x->used[x->edges++] = (uint32_t)slot;
    }
    return x->child[slot];
}
