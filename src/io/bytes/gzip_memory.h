/* io/bytes/gzip_memory.h - zlib's memory, counted like ours. For zalloc and zfree of a z_stream. */
#ifndef KN_IO_BYTES_GZIP_MEMORY_H
#define KN_IO_BYTES_GZIP_MEMORY_H

#include "base/memory.h"

static inline void *kn__gzip_alloc(void *user, unsigned count, unsigned size)
{
    (void)user;
    return kn__malloc_array(count, size);
}

static inline void kn__gzip_free(void *user, void *p)
{
    (void)user;
    kn__free(p);
}

#endif
