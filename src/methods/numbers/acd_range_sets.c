/* acd_range_sets.c - a trie of range sets: one map has its edges. */
#include "methods/numbers/acd_range_sets.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

void kn__acd_range_sets_free(kn_acd_range_sets *x)
{
    kn__map_clear(&x->child);
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

kn_status kn__acd_range_sets_start(kn_acd_range_sets *x, kn_error *err)
{
    kn__map_empty(&x->child);
    x->failed = false;
    x->sets = 0;
    (void)add_set(x);
    return x->failed ? kn__nomem(err) : KN_OK;
}

uint32_t kn__acd_range_sets_child(kn_acd_range_sets *x, uint32_t parent, uint32_t range)
{
    const uint64_t key = (uint64_t)parent << 32 | range;
    kn_map_slot *slot;

    if (kn__map_reserve(&x->child, x->child.used + 1, NULL) != KN_OK) {
        x->failed = true;
        return 0;
    }
    slot = kn__map_find(&x->child, key);
    if (!slot->value) {
        const uint32_t set = add_set(x);
        if (x->failed) {
            return 0;
        }
        kn__map_put(&x->child, slot, key, set);
    }
    return (uint32_t)slot->value;
}
