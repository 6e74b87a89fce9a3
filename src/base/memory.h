/* base/memory.h - all memory of the library: counted, limited, overflow-checked.
 * Everything that is allocated here is freed with kn__free. Thread-safe. */
#ifndef KN_BASE_MEMORY_H
#define KN_BASE_MEMORY_H

#include "kanon/error.h"
#include "kanon/run.h"
#include <stddef.h>

/** Like malloc, calloc(1, size), realloc, strdup; NULL when memory or the limit is reached. Size 0
 * gives a valid block. */
void *kn__malloc(size_t size);
void *kn__zalloc(size_t size);
void *kn__realloc(void *p, size_t size);
char *kn__strdup(const char *s);
char *kn__strndup(const char *s, size_t len);
void kn__free(void *p);
/** Free each of the arguments, which are evaluated before the first is freed. */
#define KN_FREE(...) \
    kn__free_all((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
void kn__free_all(void *const *list, size_t count);

/** `count` elements of `size` bytes; NULL also when the product overflows. */
void *kn__malloc_array(size_t count, size_t size);
void *kn__zalloc_array(size_t count, size_t size);
void *kn__realloc_array(void *p, size_t count, size_t size);

/** Make room for `need` elements of `size` bytes in `*data`, at least doubling `*cap`. On failure
 * nothing changes. */
kn_status kn__grow(void *data, size_t *cap, size_t need, size_t size, kn_error *err);

/** For tests: let the `n`-th allocation from now fail (1: the next), and all after it; 0 stops
 * that. */
void kn__memory_fail_after(size_t n);
/** For tests: whether a planned failure has struck. */
int kn__memory_failed(void);

#endif
