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

static int over_limit(size_t more)
{
    const size_t most = atomic_load_explicit(&limit, memory_order_relaxed);

    return most != 0 &&
           (more > most || atomic_load_explicit(&in_use, memory_order_relaxed) > most - more);
}

static void count(void *p)
{
    const size_t now = atomic_fetch_add(&in_use, malloc_usable_size(p)) + malloc_usable_size(p);
    size_t top = atomic_load_explicit(&peak, memory_order_relaxed);

    while (now > top && !atomic_compare_exchange_weak(&peak, &top, now)) {
    }
}

static void uncount(void *p)
{
    atomic_fetch_sub(&in_use, malloc_usable_size(p));
}

void *kn_malloc(size_t size)
{
    void *p;

    if (planned_failure() || over_limit(size)) {
        return NULL;
    }
    p = malloc(size ? size : 1);
    if (p) {
        count(p);
    }
    return p;
}

void *kn_zalloc(size_t size)
{
    void *p;

    if (planned_failure() || over_limit(size)) {
        return NULL;
    }
    p = calloc(1, size ? size : 1);
    if (p) {
        count(p);
    }
    return p;
}

void *kn_realloc(void *p, size_t size)
{
    const size_t before = p ? malloc_usable_size(p) : 0;
    void *q;

    if (planned_failure() || (size > before && over_limit(size - before))) {
        return NULL;
    }
    q = realloc(p, size ? size : 1);
    if (q) {
        atomic_fetch_sub(&in_use, before);
        count(q);
    }
    return q;
}

void kn_free(void *p)
{
    if (p) {
        uncount(p);
        free(p);
    }
}

char *kn_strndup(const char *s, size_t len)
{
    char *copy = kn_malloc(len + 1);

    if (copy) {
        if (len) {
            memcpy(copy, s, len);
        }
        copy[len] = '\0';
    }
    return copy;
}

char *kn_strdup(const char *s)
{
    return kn_strndup(s, strlen(s));
}

void *kn_malloc_array(size_t n, size_t size)
{
    return size && n > SIZE_MAX / size ? NULL : kn_malloc(n * size);
}

void *kn_zalloc_array(size_t n, size_t size)
{
    return size && n > SIZE_MAX / size ? NULL : kn_zalloc(n * size);
}

void *kn_realloc_array(void *p, size_t n, size_t size)
{
    return size && n > SIZE_MAX / size ? NULL : kn_realloc(p, n * size);
}

kn_status kn_grow(void *data, size_t *cap, size_t need, size_t size, kn_error *err)
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
    grown = kn_realloc_array(now, want, size);
    if (!grown) {
        return kn_nomem(err);
    }
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
