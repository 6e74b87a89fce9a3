/* base/sort.h - sorting small numbers in place, without allocating: the library's qsort may. */
#ifndef KN_BASE_SORT_H
#define KN_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/** Sort ascending. O(count log count) at worst; O(count) when they are sorted already. */
void kn__sort_u32(uint32_t *values, size_t count);

#endif
