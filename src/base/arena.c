/* arena.c - a list of allocations, newest first. */
#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>

typedef struct kn_arena_block {
    struct kn_arena_block *before;
    max_align_t data[];
} kn_arena_block;

static void *take(kn_arena *a, size_t count, size_t size, void *(*allocate)(size_t))
{
    const size_t most = (SIZE_MAX - sizeof(kn_arena_block)) / (size ? size : 1);
    kn_arena_block *block = count <= most ? allocate(sizeof *block + count * size) : NULL;

    if (!block) {
        a->failed = true;
        return NULL;
    }
    block->before = a->last;
    a->last = block;
    return block->data;
}

void *kn__arena_take(kn_arena *a, size_t count, size_t size)
{
    return take(a, count, size, kn__malloc);
}

void *kn__arena_zeros(kn_arena *a, size_t count, size_t size)
{
    return take(a, count, size, kn__zalloc);
}

kn_status kn__arena_check(const kn_arena *a, kn_error *err)
{
    return a->failed ? kn__nomem(err) : KN_OK;
}

void kn__arena_clear(kn_arena *a)
{
    while (a->last) {
        kn_arena_block *before = a->last->before;
        kn__free(a->last);
        a->last = before;
    }
    a->failed = false;
}
