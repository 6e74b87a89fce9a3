/* alias.c - Vose's construction of Walker's tables. Weights stay integers, scaled by the number of
 * choices, so the cells fill up exactly and no choice of weight 0 is ever left over. */
#include "sample/alias.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <assert.h>

kn_status kn__alias_init(kn_alias *a, size_t rows, size_t choices, kn_error *err)
{
    assert(rows > 0 && choices > 0 && choices <= UINT32_MAX);
    *a = (kn_alias){0};
    if (rows > SIZE_MAX / choices) {
        return kn__nomem(err);
    }
    a->cells = kn__zalloc_array(rows * choices, sizeof *a->cells);
    KN_PASS(a->cells ? KN_OK : kn__nomem(err));
    a->rows = rows;
    a->choices = choices;
    return KN_OK;
}

void kn__alias_clear(kn_alias *a)
{
    kn__free(a->cells);
    *a = (kn_alias){0};
}

kn_status kn__alias_set(kn_alias *a, size_t row, const uint32_t *weights, kn_error *err)
{
    const size_t n = a->choices;
    kn_alias_cell *cells = &a->cells[row * n];
    uint64_t *left = kn__malloc_array(
        n, sizeof *left); /* weight not yet placed; a cell holds `total` */
    uint32_t *stack = kn__malloc_array(
        n, sizeof *stack); /* small ones from the front, large from the back */
    size_t small = 0, large = n;
    uint64_t total = 0;
    kn_status status;

    assert(row < a->rows);
    KN_TRY(left && stack ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < n; i++) {
        total += weights[i];
        left[i] = (uint64_t)weights[i] * n;
    }
    assert(total > 0);
    for (size_t i = 0; i < n; i++) {
        if (left[i] < total) {
            stack[small++] = (uint32_t)i;
        } else {
            stack[--large] = (uint32_t)i;
        }
    }
    while (small > 0) {
        const uint32_t s = stack[--small], l = stack[large];
        cells[s].cut = (uint32_t)(((kn_u128)left[s] << 32) / total);
        cells[s].other = l;
        left[l] -= total - left[s];
        if (left[l] < total) {
            large++;
            stack[small++] = l;
        }
    }
    for (; large < n; large++) {
        const uint32_t l = stack[large];
        cells[l] = (kn_alias_cell){.cut = UINT32_MAX, .other = l};
    }
done:
    KN_FREE(stack, left);
    return status;
}

kn_status kn__alias_one(kn_alias *a, const uint32_t *weights, size_t choices, kn_error *err)
{
    KN_PASS(kn__alias_init(a, 1, choices, err));
    return kn__alias_set(a, 0, weights, err);
}
