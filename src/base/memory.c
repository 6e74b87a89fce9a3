/* memory.c - malloc with a count of the bytes in use, so that a limit can be kept and a peak
 * reported. */
#include "base/memory.h"
#include "base/error.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static atomic_size_t in_use, peak, limit;
static atomic_size_t fail_in; /* 0: no failure planned */
static atomic_int failing;

static int planned_failure(void)
{
    if (atomic_load_explicit(&failing, memory_order_relaxed)) {
        return 1;
    }
    if (atomic_load_explicit(&fail_in, memory_order_relaxed) == 0 ||
        atomic_fetch_sub(&fail_in, 1) != 1) {
        return 0;
    }
    atomic_store(&failing, 1);
    return 1;
}

/* Count `more` bytes before they are allocated, so that threads cannot pass the limit side by side.
 */
static int reserve(size_t more)
{
    const size_t most = atomic_load_explicit(&limit, memory_order_relaxed);
    const size_t before = atomic_fetch_add(&in_use, more);

    if (most != 0 && (before > most || more > most - before)) {
        atomic_fetch_sub(&in_use, more);
        return 0;
    }
    return 1;
}

/* What was reserved has become `p`, or NULL. */
static void *settle(void *p, size_t reserved)
{
    const size_t real = p ? malloc_usable_size(p) : 0;
    const size_t now = atomic_fetch_add(&in_use, real - reserved) + real - reserved;
    size_t top = atomic_load_explicit(&peak, memory_order_relaxed);

    while (now > top && !atomic_compare_exchange_weak(&peak, &top, now)) {
    }
    return p;
}

void *kn__malloc(size_t size)
{
    return planned_failure() || !reserve(size) ? NULL : settle(malloc(size ? size : 1), size);
}

void *kn__zalloc(size_t size)
{
    return planned_failure() || !reserve(size) ? NULL : settle(calloc(1, size ? size : 1), size);
}

void *kn__realloc(void *p, size_t size)
{
    const size_t before = p ? malloc_usable_size(p) : 0;
    const size_t more = size > before ? size - before : 0;
    void *q;

    if (planned_failure() || !reserve(more)) {
        return NULL;
    }
    q = realloc(p, size ? size : 1);
    if (q) {
        (void)settle(q, before + more);
    } else {
        atomic_fetch_sub(&in_use, more);
    }
    return q;
}

void kn__free(void *p)
{
    if (p) {
        atomic_fetch_sub(&in_use, malloc_usable_size(p));
        free(p);
    }
}

void kn__free_all(void *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        kn__free(list[i]);
    }
}

char *kn__strndup(const char *s, size_t len)
{
    char *copy = kn__malloc(len + 1);

    if (copy) {
        if (len) {
            memcpy(copy, s, len);
        }
        copy[len] = '\0';
    }
    return copy;
}

char *kn__strdup(const char *s)
{
    return kn__strndup(s, strlen(s));
}

void *kn__malloc_array(size_t n, size_t size)
{
    return size && n > SIZE_MAX / size ? NULL : kn__malloc(n * size);
}

void *kn__zalloc_array(size_t n, size_t size)
{
    return size && n > SIZE_MAX / size ? NULL : kn__zalloc(n * size);
}

void *kn__realloc_array(void *p, size_t n, size_t size)
{
    return size && n > SIZE_MAX / size ? NULL : kn__realloc(p, n * size);
}

kn_status kn__grow(void *data, size_t *cap, size_t need, size_t size, kn_error *err)
{
    void *grown, *now;
    size_t want = *cap < 8 ? 16 : *cap;

    if (need <= *cap) {
        return KN_OK;
    }
    while (want < need) {
        want = want > SIZE_MAX / 2 ? need : want * 2;
    }
    memcpy(&now, data, sizeof now);
    grown = kn__realloc_array(now, want, size);
    KN_PASS(grown ? KN_OK : kn__nomem(err));
    memcpy(data, &grown, sizeof grown);
    *cap = want;
    return KN_OK;
}

void kn_memory_set_limit(size_t bytes)
{
    atomic_store(&limit, bytes);
}

size_t kn_memory_in_use(void)
{
    return atomic_load(&in_use);
}

size_t kn_memory_peak(void)
{
    return atomic_load(&peak);
}

void kn__memory_fail_after(size_t n)
{
    atomic_store(&fail_in, n);
    atomic_store(&failing, 0);
}

int kn__memory_failed(void)
{
    return atomic_load(&failing);
}

void kn_string_free(char *s)
{
    kn__free(s);
}

void kn_bytes_free(unsigned char *bytes)
{
    kn__free(bytes);
}
