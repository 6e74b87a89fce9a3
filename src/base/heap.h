/* base/heap.h - the binary heap of the library, over an array that the caller owns.
 *
 * Invariant: no element comes before its parent (element i has the children 2i+1 and 2i+2), so
 * element 0 comes first of all. `before` is a strict total order; then the order in which elements
 * leave does not depend on the order in which they came. The functions are inline so that the
 * compiler can put `before` and the element's size into the loop. */
#ifndef KN_BASE_HEAP_H
#define KN_BASE_HEAP_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { KN_HEAP_ELEMENT = 32 }; /* bytes of an element at most */

/** Whether `*a` leaves the heap before `*b`. */
typedef bool kn_before(const void *user, const void *a, const void *b);

/** Restore the invariant after element `at` was replaced by one that may come later. O(log len). */
static inline void kn__heap_down(void *heap, size_t len, size_t size, size_t at, kn_before *before,
                                 const void *user)
{
    char *base = heap, moving[KN_HEAP_ELEMENT];

    assert(size <= sizeof moving);
    memcpy(moving, base + at * size, size);
    for (size_t child; (child = 2 * at + 1) < len; at = child) {
        if (child + 1 < len && before(user, base + (child + 1) * size, base + child * size)) {
            child++;
        }
        if (!before(user, base + child * size, moving)) {
            break;
        }
        memcpy(base + at * size, base + child * size, size);
    }
    memcpy(base + at * size, moving, size);
}

/** Restore the invariant after element `at`, the last one, was added. O(log at). */
static inline void kn__heap_up(void *heap, size_t size, size_t at, kn_before *before,
                               const void *user)
{
    char *base = heap, moving[KN_HEAP_ELEMENT];

    assert(size <= sizeof moving);
    memcpy(moving, base + at * size, size);
    for (; at > 0 && before(user, moving, base + (at - 1) / 2 * size); at = (at - 1) / 2) {
        memcpy(base + at * size, base + (at - 1) / 2 * size, size);
    }
    memcpy(base + at * size, moving, size);
}

/** Drop element 0 of a heap of `*len` elements. O(log len). */
static inline void kn__heap_pop(void *heap, size_t *len, size_t size, kn_before *before,
                                const void *user)
{
    assert(*len > 0);
    if (--*len > 0) {
        memcpy(heap, (char *)heap + *len * size, size);
        kn__heap_down(heap, *len, size, 0, before, user);
    }
}

/** Make a heap of an array in any order. O(len). */
static inline void kn__heap_make(void *heap, size_t len, size_t size, kn_before *before,
                                 const void *user)
{
    for (size_t i = len / 2; i-- > 0;) {
        kn__heap_down(heap, len, size, i, before, user);
    }
}

#endif
