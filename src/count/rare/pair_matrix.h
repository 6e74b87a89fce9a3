/* count/rare/pair_matrix.h - which two links go together in at least k people: a triangle of bits.
 */
#ifndef KN_COUNT_RARE_PAIR_MATRIX_H
#define KN_COUNT_RARE_PAIR_MATRIX_H

#include "base/bits.h"
#include "kanon/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kn_pairs {
    uint32_t *place; /* by link: its row; rows are in the order of links */
    uint64_t **row;  /* by row: the bits of later rows */
    size_t rows;
    uint64_t *bits;
} kn_pairs;

/** For links with support[l] >= k. `*out` is NULL, and that is no failure, when it would take more
 *  than `most` bytes. */
kn_status kn__pairs_new(kn_pairs **out, const uint32_t *support, uint32_t links, size_t k,
                        size_t most, kn_error *err);
void kn__pairs_free(kn_pairs *p);

/** Say that `low` and `high` go together; low < high. Threads may fill different rows at once. */
static inline void kn__pairs_set(kn_pairs *p, uint32_t low, uint32_t high)
{
    const size_t at = p->place[high];

    kn__bit_set(p->row[p->place[low]], at);
}
static inline bool kn__pairs_has(const kn_pairs *p, uint32_t low, uint32_t high)
{
    const size_t at = p->place[high];

    return kn__bit_get(p->row[p->place[low]], at);
}

#endif
