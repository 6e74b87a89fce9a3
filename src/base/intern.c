/* intern.c - hash consing of lists. */
#include "base/intern.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>

static bool same(const kn_intern *x, size_t number, const uint32_t *at, size_t len)
{
    size_t known;
    const uint32_t *list = kn__intern_list(x, number, &known);

    return known == len && (len == 0 || memcmp(list, at, len * sizeof *at) == 0);
}

kn_status kn__intern_add(kn_intern *x, const uint32_t *at, size_t len, uint32_t *number,
                         kn_error *err)
{
    const uint64_t hash = kn__hash_bytes(at, len * sizeof *at);
    const size_t used = x->count ? x->starts[x->count] : 0;
    kn_map_slot *slot;

    KN_PASS(kn__map_reserve(&x->numbers, x->count + 1, err));
    slot = kn__map_find(&x->numbers, hash);
    while (slot->value && !same(x, slot->value - 1, at, len)) {
        slot = kn__map_next(&x->numbers, slot);
    }
    if (!slot->value) {
        KN_PASS(kn__grow(&x->starts, &x->starts_cap, x->count + 2, sizeof *x->starts, err));
        KN_PASS(kn__grow(&x->list, &x->list_cap, used + len, sizeof *x->list, err));
        x->starts[x->count] = used;
        if (len) {
            memcpy(x->list + used, at, len * sizeof *at);
        }
        x->starts[++x->count] = used + len;
        kn__map_put(&x->numbers, slot, hash, x->count);
    }
    *number = (uint32_t)(slot->value - 1);
    return KN_OK;
}

void kn__intern_clear(kn_intern *x)
{
    KN_FREE(x->starts, x->list);
    kn__map_clear(&x->numbers);
    *x = (kn_intern){0};
}
