/* sample/alias.h - weighted picks in constant time: Walker's alias method, in whole numbers only.
 *
 * A table has rows (one a condition, such as an age) over the same choices. No floating point is
 * used, so a seed gives the same picks on every machine. */
#ifndef KN_SAMPLE_ALIAS_H
#define KN_SAMPLE_ALIAS_H

#include "base/rng.h"
#include "kanon/error.h"
#include <stddef.h>
#include <stdint.h>

typedef struct kn_alias_cell {
    uint32_t cut;   /* below it (of 2^32) the cell's own choice is taken */
    uint32_t other; /* otherwise this one */
} kn_alias_cell;

typedef struct kn_alias {
    size_t rows, choices;
    kn_alias_cell *cells; /* [row * choices + choice] */
} kn_alias;

/** Room for `rows` rows over `choices` choices (both at least 1); fill each with kn__alias_set. On
 * failure `*a` is zeroed. */
kn_status kn__alias_init(kn_alias *a, size_t rows, size_t choices, kn_error *err);
/** Free what `a` holds and zero it. A zeroed table is fine. */
void kn__alias_clear(kn_alias *a);

/** Let row `row` pick choice i with probability weights[i] / their sum; the sum must not be 0.
 * `weights` has `choices` elements. O(choices). */
kn_status kn__alias_set(kn_alias *a, size_t row, const uint32_t *weights, kn_error *err);

/** A table of one row. */
kn_status kn__alias_one(kn_alias *a, const uint32_t *weights, size_t choices, kn_error *err);

/** A choice of row `row`, by one random number. O(1). */
static inline uint32_t kn__alias_pick(const kn_alias *a, size_t row, kn_rng *r)
{
    const uint64_t x = kn__rng_next(r);
    const uint32_t i = (uint32_t)(((x >> 32) * a->choices) >> 32);
    const kn_alias_cell *cell = &a->cells[row * a->choices + i];

    return (uint32_t)x < cell->cut ? i : cell->other;
}

#endif
