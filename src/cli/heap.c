/* heap.c - how the command's memory comes from the system, and its end inside jansson. A job of a
 * tenth of a second spends a good part of it in page faults: on memory that was given back and is
 * needed again, and on pages of 4 KiB one by one. */
#include "cli/cli.h"

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>

enum {
    KEPT = 256 << 20,  /* freed memory that is not given back */
    MAPPED = 32 << 20, /* larger blocks come and go on their own, and grow without copying */
    LARGE = 192 << 20, /* of the heap: in large pages, where the system has them */
    LARGE_PAGE = 2 << 20
};

void cli_heap_prepare(void)
{
    char *first;

    (void)mallopt(M_ARENA_MAX, 1); /* threads, too, take from where pages are large */
    (void)mallopt(M_TRIM_THRESHOLD, KEPT);
    (void)mallopt(M_MMAP_THRESHOLD, KEPT);
    first = malloc(LARGE); /* the beginning of the heap; nothing of it is touched yet */
    (void)mallopt(M_MMAP_THRESHOLD, MAPPED);
    if (first) {
        const uintptr_t page = LARGE_PAGE, at = (uintptr_t)first;
        const uintptr_t begin = (at + page - 1) / page * page, end = (at + LARGE) / page * page;
        (void)madvise(first + (begin - at), (size_t)(end - begin), MADV_HUGEPAGE);
        free(first);
    }
}
#else
void cli_heap_prepare(void)
{
}
#endif

/* jansson loses track of some allocations that fail: it reports wrong syntax, or leaves out a part
 * of a text or an element of a list. So the command ends here, before anything can come of it; a
 * library could not do that (decision 0009). */
static void *json_malloc(size_t size)
{
    static const char words[] =
        "kanon: out of memory: raise --memory, use a machine with more, or give "
        "a smaller table\n";
    void *block = malloc(size ? size : 1);

    if (!block) {
        kn_cleanup_temporary();
        if (write(STDERR_FILENO, words, sizeof words - 1) < 0) {
            _exit(kn_status_exit_code(KN_EIO));
        }
        _exit(kn_status_exit_code(KN_ENOMEM));
    }
    return block;
}

void cli_heap_guard_json(void)
{
    json_set_alloc_funcs(json_malloc, free);
}
