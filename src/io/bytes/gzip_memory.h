/* io/bytes/gzip_memory.h - zlib's memory, counted like ours. For zalloc and zfree of a z_stream. */
#ifndef KN_IO_BYTES_GZIP_MEMORY_H
#define KN_IO_BYTES_GZIP_MEMORY_H

#include "base/memory.h"

static inline void *kn_gzip_alloc(void *user, unsigned count, unsigned size)
{
    (void)user;
    return kn_malloc_array(count, size);
}

static inline void kn_gzip_free(void *user, void *p)
{
    (void)user;
    kn_free(p);
}

#endif
