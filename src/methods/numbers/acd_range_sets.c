/* acd_range_sets.c - numbers for sets of ranges. */
#include "methods/numbers/acd_range_sets.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

void kn__acd_numbers_free(kn_acd_numbers *n)
{
    kn__free(n->first);
    kn__free(n->seen);
    kn__free(n->edge);
    kn__free(n->child);
    kn__free(n->used);
    kn__free(n->count);
}

uint32_t kn__acd_number_new(kn_acd_numbers *n)
{
    const size_t need = ((size_t)n->numbers + 1) * n->stride;

    if (need > n->count_cap &&
        kn__grow(&n->count, &n->count_cap, need, sizeof *n->count, NULL) != KN_OK) {
        n->failed = true;
        return 0;
    }
    memset(n->count + need - n->stride, 0, n->stride * sizeof *n->count);
    return n->numbers++;
}

bool kn__acd_numbers_grow(kn_acd_numbers *n)
{
    const size_t slots = n->mask ? 2 * (n->mask + 1) : 1024;
    uint64_t *edge = kn__zalloc_array(slots, sizeof *edge);
    uint32_t *child = kn__malloc_array(slots, sizeof *child);
    uint32_t *used = kn__malloc_array(slots, sizeof *used);

    if (!edge || !child || !used || slots > UINT32_MAX) {
        kn__free(edge);
        kn__free(child);
        kn__free(used);
        n->failed = true;
        return false;
    }
    for (size_t i = 0; i < n->edges; i++) {
        const uint32_t old = n->used[i];
        size_t slot = (size_t)kn__hash_u64(n->edge[old]) & (slots - 1);
        while (edge[slot]) {
            slot = (slot + 1) & (slots - 1);
        }
        edge[slot] = n->edge[old];
        child[slot] = n->child[old];
        used[i] = (uint32_t)slot;
    }
    kn__free(n->edge);
    kn__free(n->child);
    kn__free(n->used);
    n->edge = edge;
    n->child = child;
    n->used = used;
    n->mask = slots - 1;
    return true;
}

kn_status kn__acd_numbers_start(kn_acd_numbers *n, uint32_t ranges, kn_error *err)
{
    const size_t known = n->first_cap;
    kn_status status;

    while (n->seens) {
        n->first[n->seen[--n->seens]] = 0;
    }
    while (n->edges) {
        n->edge[n->used[--n->edges]] = 0;
    }
    status = kn__grow(&n->seen, &n->seen_cap, ranges, sizeof *n->seen, err);
    if (status == KN_OK) {
        status = kn__grow(&n->first, &n->first_cap, ranges, sizeof *n->first, err);
    }
    if (status == KN_OK && n->first_cap > known) {
        memset(n->first + known, 0, (n->first_cap - known) * sizeof *n->first);
    }
    n->failed = false;
    n->numbers = 0;
    if (status == KN_OK) {
        (void)kn__acd_number_new(n);
        status = n->failed ? kn__nomem(err) : KN_OK;
    }
    return status;
}
