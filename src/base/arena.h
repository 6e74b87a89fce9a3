/* base/arena.h - memory that is released together.
 *
 * A search needs a dozen arrays that live equally long. They are taken from one arena, checked once
 * and released by one call:
 *
 *     x->low = kn__arena_take(&x->arena, n, sizeof *x->low);
 *     x->high = kn__arena_zeros(&x->arena, n, sizeof *x->high);
 *     KN_TRY(kn__arena_check(&x->arena, err));
 *
 * Every array is an allocation of its own. Zero an arena to start; one thread uses it at a time. */
#ifndef KN_BASE_ARENA_H
#define KN_BASE_ARENA_H

#include "kanon/error.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct kn_arena {
    struct kn_arena_block *last;
    bool failed; /* something that was taken is NULL */
} kn_arena;

/** `count` elements of `size` bytes; NULL, and the arena has failed, when memory is out. */
void *kn__arena_take(kn_arena *a, size_t count, size_t size);
/** The same, all bytes 0. */
void *kn__arena_zeros(kn_arena *a, size_t count, size_t size);
/** KN_ENOMEM if the arena has failed. */
kn_status kn__arena_check(const kn_arena *a, kn_error *err);
/** Release everything; the arena is as at the start. */
void kn__arena_clear(kn_arena *a);

#endif
